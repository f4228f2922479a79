"""Sliding blocks: displacement by record and yield acceleration, in both polarities.

`run_block_study` reads the records and runs them through `wearmodel.run_blocks`. The command is
`wearfmu blocks`.
"""

from __future__ import annotations

import csv
import logging
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from harness.console import number_columns, text_table
from harness.errors import RecordError
from harness.output_files import replacing, write_json
from harness.provenance import SIDECAR, used
from harness.records import RECORD_SUFFIXES
from harness.shaking import ShakingRecord, read_shaking
from wearmodel.arrays import Floats
from wearmodel.batch.block_runs import BlockRuns, friction_of_yield, run_blocks
from wearmodel.units import STANDARD_GRAVITY

_LOG = logging.getLogger(__name__)

MEASURES = ("peak", "residual")
"""Largest |u| at any time, and u at the end of the record."""
POLARITIES = ("normal", "inverse", "larger", "mean")
"""The record, the record with opposite sign, and the larger and the mean of both magnitudes."""
SHARES = (0.16, 0.5, 0.84)
"""Quantiles over the records: median ± 1 standard deviation of a normal distribution."""


@dataclass(frozen=True)
class Slope:
    """The plane under the block, with an inclination of `degrees`.

    Record and yield acceleration are along the slope, or horizontal if `horizontal`. If `one_way`,
    the block never slips upslope.
    """

    degrees: float = 0.0
    horizontal: bool = False
    one_way: bool = False

    @property
    def radians(self) -> float:
        """Inclination β [rad]."""
        return math.radians(self.degrees)

    def friction(self, yield_acceleration: float) -> float:
        """Return the friction coefficient for a yield acceleration [g]."""
        return friction_of_yield(yield_acceleration, self.radians, horizontal=self.horizontal)


@dataclass(frozen=True)
class BlockStudy:
    """Displacements by record and yield acceleration."""

    slope: Slope
    # Yield accelerations [g], shape (yields,).
    yields: Floats
    # Records that were run.
    records: tuple[ShakingRecord, ...]
    # Largest |u|, u at the end (positive downslope) and sliding distance [m], in normal and inverse
    # polarity, shape (records, yields, 2).
    peak: Floats
    residual: Floats
    slid: Floats
    # Whether the block still slides at the end of the record, with the same shape.
    still_sliding: NDArray[np.bool_]
    # Reasons of failed records, by path.
    failures: dict[str, str]
    # Vertical components, which are not run by default.
    left_out: tuple[ShakingRecord, ...] = ()

    def displacement(self, measure: str, polarity: str) -> Floats:
        """Return one of `MEASURES` for one of `POLARITIES` [m], shape (records, yields).

        The larger and the mean are positive magnitudes.
        """
        both = self.peak if measure == "peak" else self.residual
        if polarity in POLARITIES[:2]:
            return both[:, :, POLARITIES.index(polarity)]
        of_both = np.max if polarity == "larger" else np.mean
        return np.asarray(of_both(np.abs(both), axis=2))

    def spread(self, measure: str, polarity: str) -> Floats:
        """Return the quantiles `SHARES` over the records [m], shape (3, yields)."""
        return np.asarray(np.quantile(self.displacement(measure, polarity), SHARES, axis=0))

    @property
    def measures(self) -> tuple[str, ...]:
        """Measures with different results. The residual of a one-way block is its peak."""
        return MEASURES if np.any(self.residual != self.peak) else MEASURES[:1]

    @property
    def polarities(self) -> tuple[str, ...]:
        """Polarities with different results. On a level plane without `one_way` only "larger"."""
        return POLARITIES if self.slope.degrees or self.slope.one_way else ("larger",)

    @property
    def warnings(self) -> list[str]:
        """Warnings of the records, one line each."""
        warnings = [
            f"{record.path}: {warning}" for record in self.records for warning in record.warnings
        ]
        if len({record.is_vertical for record in self.records}) > 1:
            vertical = ", ".join(str(record.path) for record in self.records if record.is_vertical)
            warnings.append(
                f"{vertical}: vertical component, which is included in the quantiles with the "
                "horizontal records. Give it alone, or omit --acceleration"
            )
        return warnings

    @property
    def notes(self) -> list[str]:
        """Notes on the results, one line each."""
        notes = [f"{record.path}: {record.left_out}" for record in self.records if record.left_out]
        if assumed := [str(record.path) for record in self.records if record.is_unit_assumed]:
            notes.append(
                f"{', '.join(assumed)}: no unit of acceleration in the file, so m/s2 is assumed. "
                "If this is wrong, give --unit"
            )
        if 0.0 < self.slope.degrees < _RIGHT_ANGLE:
            notes.append(
                f"slope = {self.slope.degrees:.4g}° is nearly level: is it in rad "
                f"({math.degrees(self.slope.degrees):.3g}°)?"
            )
        if self.slope.one_way and not self.slope.degrees:
            notes.append(
                "on a level plane the block slides both ways: use --one-way together with --slope"
            )
        quiet = [
            record
            for record, peaks in zip(self.records, self.peak, strict=True)
            if not np.any(peaks > 0.0)
        ]
        if quiet:
            peak = max(float(np.max(np.abs(record.acceleration))) for record in quiet)
            more = f" and {len(quiet) - 1} more" if len(quiet) > 1 else ""
            notes.append(
                f"{quiet[0].path}{more}: the block never slips, because the peak, {peak:.4g} m/s2 ="
                f" {peak / STANDARD_GRAVITY:.4g} g, does not exceed the smallest yield "
                f"acceleration, {float(self.yields[0]):.4g} g"
            )
        for record, runs in zip(self.records, self.still_sliding, strict=True):
            if runs.any():
                notes.append(
                    f"{record.path}: the block still slides at the end of the record in "
                    f"{np.count_nonzero(runs)} of {runs.size} runs. The displacement is the value "
                    "at the last sample"
                )
        return notes


def record_files(paths: Sequence[Path]) -> list[Path]:
    """Return record files. A folder is replaced by its files with the suffix of a record.

    Tables in folders that this program has written are excluded. They have a file of metadata.
    Raises RecordError if a folder has no records.
    """
    files: list[Path] = []
    for path in paths:
        found = [path]
        if path.is_dir():
            tables = [
                file for file in sorted(path.iterdir()) if file.suffix.lower() in RECORD_SUFFIXES
            ]
            found = [file for file in tables if not Path(f"{file}{SIDECAR}").exists()]
            if own := ", ".join(file.name for file in tables if file not in found):
                _LOG.info("note: %s: %s: not read, because wearfmu has written it", path, own)
        if not found:
            raise RecordError(
                f"{path}: the folder must contain records with a name like "
                f"{', '.join(f'*{suffix}' for suffix in RECORD_SUFFIXES)}"
            )
        files += found
    return files


def run_block_study(
    paths: Sequence[Path],
    yields: Sequence[float],
    slope: Slope,
    *,
    progress: Callable[[float], None] | None = None,
    acceleration: str | None = None,
    **reading: Any,
) -> BlockStudy:
    """Run each record in both polarities over blocks of all yield accelerations [g].

    See `harness.shaking.read_shaking` for `acceleration` and `reading`. The result contains records
    that cannot be read or run, which do not affect other records. A vertical component is not run
    unless `acceleration` selects its column. `progress` is called with the completed fraction.
    """
    used("blocks", {**asdict(slope), "gravity": STANDARD_GRAVITY})
    records: list[ShakingRecord] = []
    runs_of_records: list[BlockRuns] = []
    failures: dict[str, str] = {}
    left_out: list[ShakingRecord] = []
    samples = 0
    for number, path in enumerate(paths):
        try:
            record = read_shaking(path, acceleration=acceleration, **reading)
            if record.is_vertical and acceleration is None:
                left_out.append(record)
                continue
            samples += len(yields) * 2 * len(record.times)
            runs = run_blocks(
                yields,
                record.times,
                record.acceleration,
                slope=slope.radians,
                horizontal=slope.horizontal,
                one_way=slope.one_way,
                compiles=samples > _MOST_INTERPRETED,
            )
        except (RecordError, ValueError, OSError) as problem:
            failures[str(path)] = str(problem)
        else:
            if runs.failures:
                first = runs.failures[0]
                failures[str(path)] = (
                    f"yield {yields[first.parameter_set]:g} g, t={first.time:.6g} s: {first.reason}"
                )
            else:
                records.append(record)
                runs_of_records.append(runs)
        finally:
            if progress is not None:
                progress((number + 1) / len(paths))
    shape = (-1, len(yields), 2)
    return BlockStudy(
        slope=slope,
        yields=np.array(yields),
        records=tuple(records),
        peak=np.array([runs.peak for runs in runs_of_records]).reshape(shape),
        residual=np.array([runs.residual for runs in runs_of_records]).reshape(shape),
        slid=np.array([runs.slid for runs in runs_of_records]).reshape(shape),
        still_sliding=np.array(
            [runs.still_sliding for runs in runs_of_records], dtype=bool
        ).reshape(shape),
        failures=failures,
        left_out=tuple(left_out),
    )


def _rows(study: BlockStudy) -> Iterator[dict[str, Any]]:
    """Yield a row for each record and yield acceleration, in SI units, or g if in the name."""
    displacements = {
        "_".join(column): study.displacement(*column) for column in product(MEASURES, POLARITIES)
    }
    for i, record in enumerate(study.records):
        listed = record.listed
        for j, yield_acceleration in enumerate(study.yields.tolist()):
            yield {
                "record": listed["record"],
                "peak_acceleration_g": listed["peak_g"],
                "yield_acceleration_g": yield_acceleration,
                "friction_coefficient": study.slope.friction(yield_acceleration),
                **{name: float(values[i, j]) for name, values in displacements.items()},
                "sliding_distance_normal": float(study.slid[i, j, 0]),
                "sliding_distance_inverse": float(study.slid[i, j, 1]),
                "still_sliding": bool(study.still_sliding[i, j].any()),
                "failure": "",
            }
    for path, reason in study.failures.items():
        yield {"record": path, "failure": reason}


def write_blocks_csv(study: BlockStudy, path: Path) -> None:
    """Write a row for each record and yield acceleration [m], and for each failed record."""
    rows = list(_rows(study))
    names = list(dict.fromkeys(name for row in rows for name in row if name != "failure"))
    with replacing(path) as part, part.open("w", newline="", encoding="utf-8") as stream:
        table = csv.DictWriter(stream, [*names, "failure"], lineterminator="\n")
        table.writeheader()
        table.writerows(rows)


def write_blocks_json(study: BlockStudy, path: Path) -> None:
    """Write the study as JSON, `$defs/blocks` of docs/results.schema.json."""
    spreads = {}
    if study.records:
        spreads = {
            "_".join(column): {
                f"{share:g}": study.spread(*column)[row].tolist()
                for row, share in enumerate(SHARES)
            }
            for column in product(MEASURES, POLARITIES)
        }
    content = {
        "slope_degrees": study.slope.degrees,
        "horizontal": study.slope.horizontal,
        "one_way": study.slope.one_way,
        "yield_accelerations_g": study.yields.tolist(),
        "rows": [row for row in _rows(study) if not row["failure"]],
        "quantiles": spreads,
        "records": [record.listed for record in study.records],
        "left_out": [record.listed for record in study.left_out],
        "failures": study.failures,
        "warnings": study.warnings,
        "notes": study.notes,
    }
    write_json(path, content)


# Samples of all runs above which the kernel is compiled. Interpreted, they take 4 to 100 s.
_MOST_INTERPRETED = 5_000_000
# Maximum number of printed rows. If there are more, only quantiles over the records are printed.
_MOST_ROWS = 60
CENTIMETRES = 100.0
# Larger slopes are in degrees, smaller slopes may be in rad.
_RIGHT_ANGLE = 0.5 * math.pi


def slope_line(study: BlockStudy) -> str:
    """Return the plane and the direction of sliding as a text."""
    slope = study.slope
    frictions = [slope.friction(value) for value in (study.yields[0], study.yields[-1])]
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
        if (rows := count * len(study.yields)) <= _MOST_ROWS:
            _print_rows(study, console)
        else:
            console.print(f"{rows} rows by record are not printed: --csv writes them")
        if count > 1:
            _print_spread(study, console)
        if len(study.polarities) > 1:
            console.print("larger and mean: of normal and inverse polarity")
        console.print(slope_line(study), soft_wrap=True)
        console.print()
    paths: dict[str, list[str]] = {}
    for path, reason in study.failures.items():
        paths.setdefault(reason.removeprefix(path), []).append(path)
    for reason, (first, *others) in paths.items():
        also = f" (also {', '.join(others)})" if others else ""
        text = reason if reason[:1] in (":", ",", " ") else f": {reason}"
        console.print(f"failed: {first}{text}{also}", soft_wrap=True, style="red")
    if not count:
        console.print("no record could be run", style="red")
    for warning in study.warnings:
        console.print(f"warning: {warning}", soft_wrap=True, style="yellow")
    for note in study.notes:
        console.print(f"note: {note}", soft_wrap=True, style="yellow")
    for record in study.records:
        console.print(_record_line(record), soft_wrap=True)
    for record in study.left_out:
        console.print(f"{_record_line(record)}: left out", soft_wrap=True)
    if study.left_out:
        console.print(
            "A vertical component runs with a horizontal one on a level plane by `wearfmu run "
            "--input FILE --normal-file FILE`, or alone with --acceleration COLUMN",
            soft_wrap=True,
        )


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
    shown, residual = study.polarities, study.measures[1:]
    heads = number_columns("yield", *(shown if len(shown) > 1 else ("peak",)), *residual)
    columns = [("peak", polarity) for polarity in shown]
    columns += [(measure, "normal") for measure in residual]
    console.print(text_table("record", *heads, rows=displacement_rows(study, columns)))
    sign = "equal to the peak displacement"
    if residual:
        downslope = "positive downslope, " if study.slope.degrees else ""
        sign = f"normal polarity, {downslope}opposite to a positive ground acceleration"
    console.print(f"residual: {sign}")


def _print_spread(study: BlockStudy, console: Console) -> None:
    names = ["\n".join(quantile) for quantile in quantile_columns(study)]
    console.print(
        f"\nquantiles over {len(study.records)} records{few_records(study)}", soft_wrap=True
    )
    console.print(text_table(*number_columns("yield", *names), rows=quantile_rows(study)))


def displacement_rows(
    study: BlockStudy, columns: Iterable[tuple[str, str]]
) -> list[tuple[str, ...]]:
    """Return record, yield acceleration [g], and displacements [cm] by measure and polarity."""
    values = [CENTIMETRES * study.displacement(*column) for column in columns]
    return [
        (record.path.name, f"{value:.4g}", *(f"{array[i, j]:.4g}" for array in values))
        for i, record in enumerate(study.records)
        for j, value in enumerate(study.yields)
    ]


def few_records(study: BlockStudy) -> str:
    """Return a remark if less than one record is beyond the outer quantiles, otherwise ""."""
    is_few = SHARES[0] * len(study.records) < 1.0
    return ", interpolated: there are too few records for the 16 % and 84 %" if is_few else ""


def quantile_columns(study: BlockStudy) -> list[tuple[str, ...]]:
    """Return the columns of `quantile_rows`: polarity, if there are several, and share."""
    shares = ("16 %", "median", "84 %")
    ways = study.polarities[-2:]
    return list(product(ways, shares)) if len(ways) > 1 else [(share,) for share in shares]


def quantile_rows(study: BlockStudy) -> list[tuple[str, ...]]:
    """Return yield accelerations [g] and quantiles of the peak displacement [cm]."""
    values = [row for way in study.polarities[-2:] for row in study.spread("peak", way)]
    return [
        (f"{value:.4g}", *(f"{CENTIMETRES * column[j]:.4g}" for column in values))
        for j, value in enumerate(study.yields)
    ]
