"""Prints displacements of sliding blocks in 80 columns."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Console
from rich.table import Column

from harness.blocks.block_study import POLARITIES, BlockStudy
from harness.console import text_table
from harness.shaking import ShakingRecord

# Maximum number of printed rows. For more, only quantiles over the records are printed.
_MOST_ROWS = 60
_CENTIMETRES = 100.0


def slope_line(study: BlockStudy) -> str:
    """Return the plane and the direction of sliding, in words."""
    slope = study.slope
    frictions = [
        slope.friction(yield_acceleration)
        for yield_acceleration in (study.yields[0], study.yields[-1])
    ]
    plane = f"slope of {slope.degrees:g}°" if slope.degrees else "level plane"
    way = "horizontal" if slope.horizontal else "along the slope"
    ways = "one way (downslope)" if slope.one_way else "both ways"
    return (
        f"{plane}{f', record {way}' if slope.degrees else ''}; slides {ways}; friction coefficient "
        f"{' … '.join(dict.fromkeys(f'{friction:.4g}' for friction in frictions))}"
    )


def print_blocks(study: BlockStudy, console: Console) -> None:
    """Print displacements and the plane, then failed records, warnings, notes and records."""
    count = len(study.records)
    if count:
        console.print("peak displacement in cm, by yield acceleration in g")
        if count * len(study.yields) <= _MOST_ROWS:
            _print_rows(study, console)
        if count > 1:
            _print_spread(study, console)
        console.print(slope_line(study), soft_wrap=True)
        console.print()
    for line in _failed_lines(study.failures):
        console.print(line, soft_wrap=True, style="red")
    if not count:
        console.print("no record could be run", style="red")
    for warning in study.warnings:
        console.print(f"warning: {warning}", soft_wrap=True, style="yellow")
    for note in study.notes:
        console.print(f"note: {note}", soft_wrap=True, style="yellow")
    for record in study.records:
        console.print(_record_line(record), soft_wrap=True)
    for record in study.left_out:
        console.print(
            f"{_record_line(record)}: left out (select it by --acceleration COLUMN)",
            soft_wrap=True,
        )


def _failed_lines(failures: Mapping[str, str]) -> list[str]:
    """Return a line for each reason, with the first record and the number of others."""
    paths: dict[str, list[str]] = {}
    for path, reason in failures.items():
        paths.setdefault(reason.removeprefix(path), []).append(path)
    lines = []
    for reason, (first, *others) in paths.items():
        more = f" and {len(others)} more" if others else ""
        text = reason if reason[:1] in (":", ",", " ") else f": {reason}"
        lines.append(f"failed: {first}{more}{text}")
    return lines


def _record_line(record: ShakingRecord) -> str:
    listed = record.listed
    line = (
        f"{listed['record']}: column {listed['column']!r}, {listed['unit']}, "
        f"every {listed['step']:.6g} s, peak {listed['peak_g']:.4g} g, {listed['duration']:.6g} s"
    )
    if record.is_vertical:
        line += ", vertical component"
    return line


def _print_rows(study: BlockStudy, console: Console) -> None:
    table = text_table(
        "record",
        Column("yield", justify="right"),
        *(Column(name, justify="right") for name in POLARITIES),
        Column("residual", justify="right"),
    )
    columns = [study.displacement("peak", polarity) for polarity in POLARITIES]
    columns.append(study.displacement("residual", "normal"))
    for i, record in enumerate(study.records):
        for j, yield_acceleration in enumerate(study.yields):
            cells = [_centimetres(float(values[i, j])) for values in columns]
            table.add_row(record.path.name, f"{yield_acceleration:.4g}", *cells)
    console.print(table)
    console.print("larger and mean: of both polarities; residual: normal polarity")


def _print_spread(study: BlockStudy, console: Console) -> None:
    names = [f"{polarity}\n{share}" for polarity in ("larger", "mean")
             for share in ("16 %", "median", "84 %")]  # fmt: skip
    table = text_table(
        Column("yield", justify="right"), *(Column(name, justify="right") for name in names)
    )
    columns = [*study.spread("peak", "larger"), *study.spread("peak", "mean")]
    for j, yield_acceleration in enumerate(study.yields):
        cells = [_centimetres(float(values[j])) for values in columns]
        table.add_row(f"{yield_acceleration:.4g}", *cells)
    console.print()
    console.print(f"quantiles over {len(study.records)} records")
    console.print(table)


def _centimetres(metres: float) -> str:
    return f"{_CENTIMETRES * metres:.4g}"
