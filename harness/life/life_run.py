"""A life from beginning to end: what is in the journal stands, the rest is run."""

from __future__ import annotations

import csv
import hashlib
import json
import math
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from harness.case.case_file import naming
from harness.life.life_file import Life
from harness.life.wear_power import WearOfService, described
from harness.output_files import replacing, write_json
from harness.sweep import PROGRAM, open_journal
from wearmodel.statistics.cycle_jump import Crossing, LifePoint, time_to_reach, wear_life
from wearmodel.statistics.wear_laws import SECONDS_PER_YEAR


@dataclass(frozen=True)
class LifeState:
    """What is worn after a service time; a `…_bar` is half the width of an error bar.

    Parameters
    ----------
    time : float
        Service time [s].
    power, power_bar : float
        Mean wear power [W]; chance at 95 %, and step.
    power_step_bar : float
        The step's part of `power_bar` [W].
    volume, volume_bar : float
        Worn volume [m³].
    depth, depth_bar : float
        Depth of each scar [m].
    gap, gap_bar : float or None
        Gap of the first motion [m]; None where wear does not act back on it.
    """

    time: float
    power: float
    power_bar: float
    power_step_bar: float
    volume: float
    volume_bar: float
    depth: float
    depth_bar: float
    gap: float | None
    gap_bar: float | None


@dataclass(frozen=True)
class LifeResult:
    """What came out.

    Parameters
    ----------
    life : Life
        What was asked.
    states : tuple of LifeState
        From the start to the end of the service.
    crossing : Crossing or None
        When the criterion is reached [s]; None without one.
    step_share : float
        By how much half the step changes the wear power of the first state, as a share of it; the
        bars of all states hold it. Infinite where there is no wear but at half the step.
    runs : int
        For how many states the wear power was asked; each took a run of every motion, or more.
    resumed : int
        How many of them an earlier process had answered.
    """

    life: Life
    states: tuple[LifeState, ...]
    crossing: Crossing | None
    step_share: float
    runs: int
    resumed: int


def run_life(life: Life, *, progress: Callable[[float], None] | None = None) -> LifeResult:
    """Cross the service time in jumps, with runs between them.

    The wear powers found are kept in the journal until the end; see `finish_life`.

    Parameters
    ----------
    life : Life
        As `load_life` returns it.
    progress : callable, optional
        Called with the fraction of the service time that is done.

    Raises
    ------
    CaseError
        If a mean cannot be known well enough, the shape does not hold the volume, or the journal
        belongs to other work, is damaged or in use.
    RunError
        If a run fails.
    OSError
        If the journal cannot be written.
    """
    duration = life.years * SECONDS_PER_YEAR

    def advance(point: LifePoint) -> None:
        if progress is not None:
            progress(point.time / duration)

    with open_journal(life.journal, _digest(life), work="life") as journal:
        resumed = len(journal.rows)
        service = WearOfService(life, journal)
        with naming(f"{life.case.file}: life"):
            points = wear_life(
                service,
                duration,
                depths=(0.0, 0.0),
                relative_error=life.relative_error,
                progress=advance,
            )
            states = tuple(_state(life, service, point) for point in points)
            crossing = _crossing(life, points)
        life.journal.unlink()
    return LifeResult(
        life,
        states,
        crossing,
        _step_share(states[0]),
        service.runs_asked,
        min(resumed, service.runs_asked),
    )


def _step_share(first: LifeState) -> float:
    if first.power > 0.0:
        return first.power_step_bar / first.power
    return math.inf if first.power_step_bar > 0.0 else 0.0


def _state(life: Life, service: WearOfService, point: LifePoint) -> LifeState:
    volume, bar = float(point.depths[0]), float(point.bars[0])
    power = service.power(volume)
    depth = life.shape.depth(volume)
    # The longer side: a depth grows with less than the volume's power 1.
    depth_bar = max(
        depth - life.shape.depth(max(0.0, volume - bar)), life.shape.depth(volume + bar) - depth
    )
    worn = life.contact.worn(life.motions[0].case.parameters, depth, life.shape.scars)
    gap = None if worn is None else worn.gap
    return LifeState(
        time=point.time,
        power=power.mean,
        power_bar=power.half_width,
        power_step_bar=power.step,
        volume=volume,
        volume_bar=bar,
        depth=depth,
        depth_bar=depth_bar,
        gap=gap,
        gap_bar=None if gap is None else depth_bar,
    )


def _crossing(life: Life, points: list[LifePoint]) -> Crossing | None:
    criterion = life.criterion
    if criterion is None:
        return None
    limit = criterion.limit
    return time_to_reach(
        points, life.shape.volume(limit) if criterion.variable == "depth" else limit
    )


def _digest(life: Life) -> str:
    content: dict[str, Any] = {
        **described(life),
        "program": PROGRAM,
        "fmu": None if life.fmu is None else hashlib.sha256(life.fmu.read_bytes()).hexdigest(),
    }
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def write_life_json(result: LifeResult, path: Path) -> None:
    """Write a life for machines.

    One object: `title`, `file`, `contact` (of a structure; otherwise empty), `years`,
    `relative_error`, `note` (on what wear does not act back; may be empty), `notes` (list of str:
    that, a step that is coarse for an input, and what rarely is meant so), `step_share` (by how
    much half the step changes the first wear power, as a share of it; null where there is none but
    then), `runs`, `criterion` (`variable`, `limit`, and `time`, `earliest`, `latest` [s], null
    where the limit is not reached; null without one), and `states`, a list of objects with the
    fields of `LifeState`.

    Raises OSError if the file cannot be written.
    """
    life, crossing = result.life, result.crossing
    criterion = None
    if life.criterion is not None and crossing is not None:
        times = {
            name: time if math.isfinite(time) else None for name, time in asdict(crossing).items()
        }
        criterion = {
            "variable": life.criterion.variable,
            "limit": life.criterion.limit,
            **times,
        }
    content = {
        "title": life.case.heading.title,
        "file": str(life.case.file),
        "contact": life.contact.name,
        "years": life.years,
        "relative_error": life.relative_error,
        "note": life.note,
        "notes": life.notes,
        "step_share": result.step_share if math.isfinite(result.step_share) else None,
        "runs": result.runs,
        "criterion": criterion,
        "states": [asdict(state) for state in result.states],
    }
    write_json(path, content)


def write_life_csv(result: LifeResult, path: Path) -> None:
    """Write the states as CSV, one line each, SI units; empty cells where there is no feedback.

    Raises OSError if the file cannot be written.
    """
    with replacing(path) as part, part.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        names = [field.name for field in fields(LifeState)]
        writer.writerow(names)
        writer.writerows([getattr(state, name) for name in names] for state in result.states)
