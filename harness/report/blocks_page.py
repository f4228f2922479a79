"""The page of sliding blocks: displacement over the yield acceleration, and its spread."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from harness.blocks import (
    CENTIMETRES,
    SHARES,
    BlockStudy,
    displacement_rows,
    few_records,
    quantile_columns,
    quantile_rows,
    slope_line,
)
from harness.figures.curves import Curve
from harness.figures.panels import Panel, side_by_side_figure
from harness.report.document import (
    Document,
    Folded,
    Grid,
    KeyNumber,
    Picture,
    Section,
    write_document,
)

# Smaller displacements [cm] are omitted from a logarithmic axis.
_LEAST = 1e-4
# Largest number of records that are listed below the picture.
_MOST_NAMES = 10
_WORDS = {"larger": "larger of both polarities", "mean": "mean of both polarities"}


def write_blocks_report(study: BlockStudy, path: Path) -> None:
    """Write the page of a study with at least one record. See `write_document` for errors."""
    count = len(study.records)
    warnings = [
        *(f"failed: {why}" for why in study.failures.values()),
        *study.warnings,
        *study.notes,
    ]
    numbers = _key_numbers(study)
    section = Section(
        "displacement",
        "Displacement over the yield acceleration",
        paragraphs=[f"{slope_line(study)[0].upper()}{slope_line(study)[1:]}."],
        warnings=warnings,
        pictures=[_picture(study, "peak", polarity) for polarity in study.polarities[-2:]],
        key_numbers=numbers,
        folded=[
            Folded("Records", [_records(study)]),
            *([Folded("Quantiles over the records", [_quantiles(study)])] if count > 1 else []),
            Folded("All displacements", [_table(study, measure) for measure in study.measures]),
        ],
    )
    lead = (
        "A rigid block slides on a plane under each record. It starts to slide when the "
        "acceleration exceeds the yield acceleration, and stops when its velocity relative to the "
        "ground is 0. Both instants are located exactly between the samples.",
    )
    records = f"{count} record{'s' if count > 1 else ''}"
    if study.failures:
        records += f" ({len(study.failures)} failed, see below)"
    answer = ", ".join(f"{number.label} {number.value} {number.unit}" for number in numbers)
    write_document(
        Document("Displacement of sliding blocks", f"{records}: {answer}", lead, [section]), path
    )


def _key_numbers(study: BlockStudy) -> list[KeyNumber]:
    """Return the median displacement at the lowest, middle and highest yield acceleration."""
    peaks = CENTIMETRES * np.median(study.displacement("peak", "larger"), axis=0)
    chosen = sorted({0, (len(peaks) - 1) // 2, len(peaks) - 1})
    median = "median peak" if len(study.records) > 1 else "peak"
    return [
        KeyNumber(f"{median} at {study.yields[at]:.3g} g", f"{peaks[at]:.3g}", "cm")
        for at in chosen
    ]


def _picture(study: BlockStudy, measure: str, polarity: str) -> Picture:
    sizes = CENTIMETRES * np.abs(study.displacement(measure, polarity))
    sizes = np.where(sizes >= _LEAST, sizes, np.nan)
    gap = np.full((len(sizes), 1), np.nan)
    names = [record.path.name for record in study.records]
    each = Curve(
        "each record",
        np.hstack([np.tile(study.yields, (len(sizes), 1)), gap]).ravel(),
        np.hstack([sizes, gap]).ravel(),
        colour="limit",
        style="solid" if len(study.yields) > 1 else "points",
        width=0.7 if len(sizes) > 1 else 1.7,
        labels=tuple(name for name in names for _ in range(len(study.yields) + 1)),
    )
    curves = [each]
    caption = (
        "Each record is grey, up to the last yield acceleration of the study at which its block "
        "slides."
    )
    if 1 < len(sizes) <= _MOST_NAMES:
        largest = np.argsort(-np.nan_to_num(sizes[:, 0]), kind="stable")
        caption += f" From top to bottom on the left: {', '.join(names[at] for at in largest)}."
    if len(sizes) > 1:
        caption += f" Coloured lines are quantiles over {len(sizes)} records{few_records(study)}."
        spread = CENTIMETRES * study.spread(measure, polarity)
        spread = np.where(spread >= _LEAST, spread, np.nan)
        for share, values in zip(SHARES, spread, strict=True):
            name, colour, style = f"{100.0 * share:g}th percentile", "support", "dash"
            if share == 0.5:
                name, colour, style = "median", "mass", "solid"
            if len(study.yields) == 1:
                style = "points"
            curves.append(Curve(name, study.yields, values, colour, style, width=2.4))
    panel = Panel(
        f"{measure} displacement",
        tuple(curves),
        x_title="yield acceleration",
        unit="cm",
        x_unit="g",
        logarithmic=True,
    )
    return Picture(
        f"{measure.capitalize()} displacement, {_WORDS[polarity]}",
        caption,
        side_by_side_figure([panel]),
    )


def _records(study: BlockStudy) -> Grid:
    rows = []
    for remark, records in (("", study.records), ("left out", study.left_out)):
        for record in records:
            listed = record.listed
            remarks = (remark, "vertical component" if record.is_vertical else "")
            rows.append(
                [
                    *(listed[name] for name in ("record", "column", "unit")),
                    f"{listed['step']:.6g}",
                    f"{listed['peak_g']:.4g}",
                    f"{listed['duration']:.6g}",
                    ", ".join(filter(None, remarks)),
                ]
            )
    return Grid("", ["record", "column", "unit", "step [s]", "peak [g]", "duration [s]", ""], rows)


def _quantiles(study: BlockStudy) -> Grid:
    columns = ["yield [g]", *map(", ".join, quantile_columns(study))]
    caption = f"Peak displacement, cm: quantiles over the records{few_records(study)}"
    return Grid(caption, columns, quantile_rows(study))


def _table(study: BlockStudy, measure: str) -> Grid:
    rows = displacement_rows(study, [(measure, polarity) for polarity in study.polarities])
    equal = "" if len(study.measures) > 1 else ", equal to the residual displacement"
    caption = f"{measure.capitalize()} displacement, cm{equal}"
    return Grid(caption, ["record", "yield [g]", *study.polarities], rows)
