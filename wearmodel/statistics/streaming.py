"""All statistics of a record in one pass, from memory or in chunks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .contact import ContactPieces, joined_pieces, portion_contact
from .phases import Phase, PhaseSearch
from .portions import portions, window_sample_count
from .shock_record import ShockRecord, StatisticsSettings
from .shocks import Impact, impact_of_shocks, shocks_of_runs
from .usure import BlockLayout, Usure, UsureSums


@dataclass(frozen=True)
class ShockStatistics:
    """Statistics of one shock node over a window."""

    settings: StatisticsSettings  #: Settings of the statistics.
    window_start: float  #: First sample used [s].
    window_end: float  #: Last sample used [s].
    sample_count: int  #: Samples used.
    usure: Usure | None  #: Result of option USURE, if requested.
    impact: Impact | None  #: Result of option IMPACT, if requested.
    phases: tuple[Phase, ...] | None  #: Active phases, if requested.


def shock_statistics(
    record: ShockRecord | Iterable[ShockRecord],
    settings: StatisticsSettings | None = None,
    *,
    usure: bool = True,
    impact: bool = True,
    relation: bool = False,
    sample_count: int | None = None,
) -> ShockStatistics:
    """Compute the statistics of a shock record in one pass.

    Parameters
    ----------
    record : ShockRecord or iterable of ShockRecord
        The record, or successive chunks of it. With chunks, memory is limited to a chunk and one
        row per contact. The results are the same floats.
    settings : StatisticsSettings, optional
        Window, thresholds, blocks, classes and reading.
    usure, impact, relation : bool
        Options to compute. ``relation`` is RELA_EFFO_DEPL.
    sample_count : int, optional
        Samples in the window (window_sample_count). Required for more than one block with chunks.

    Raises
    ------
    ValueError
        A required column is missing, the window contains fewer than two samples, time decreases,
        blocks are too short, or sample_count is wrong or missing.
    """
    settings = settings or StatisticsSettings()
    chunks: Iterable[ShockRecord]
    if isinstance(record, ShockRecord):
        chunks = (record,)
        sample_count = window_sample_count(chunks, settings)
    else:
        chunks = record
    sums = UsureSums(settings, BlockLayout(settings.block_count, sample_count)) if usure else None
    search = PhaseSearch(settings) if relation else None
    contacts: list[ContactPieces] = []
    window_start = window_end = float("nan")
    seen = 0
    for portion in portions(chunks, settings):
        if not seen:
            window_start = float(portion.record.time[portion.core_begin])
        window_end = float(portion.record.time[portion.core_end - 1])
        seen += portion.core_end - portion.core_begin
        if usure or impact:
            contact = portion_contact(portion, settings)
            contacts.append(contact.pieces)
            if sums:
                sums.feed(portion, contact)
        if search:
            search.feed(portion)
    if sample_count is not None and sample_count != seen:
        raise ValueError(f"sample_count={sample_count} must be the window's {seen} samples")
    usure_result: Usure | None = None
    impact_result: Impact | None = None
    if contacts:
        shocks = shocks_of_runs(joined_pieces(contacts), settings.rest_time)
        if sums:
            usure_result = sums.result(shocks, window_end - window_start)
        if impact:
            impact_result = impact_of_shocks(shocks, settings.class_count)
    return ShockStatistics(
        settings=settings,
        window_start=window_start,
        window_end=window_end,
        sample_count=seen,
        usure=usure_result,
        impact=impact_result,
        phases=search.result() if search else None,
    )
