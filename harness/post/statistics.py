"""Shock and wear statistics of a result file in chunks, typed, as tables and as JSON.

The definitions are those of `wearmodel.statistics`, worn volume and depth those of
`wearmodel.statistics.wear_laws`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from harness.errors import RecordError
from harness.output_files import write_json, write_text
from harness.records import RecordFile, RecordGrid
from wearmodel.statistics import (
    Cell,
    ShockStatistics,
    StatisticsSettings,
    Table,
    shock_statistics,
    statistics_tables,
    wear_laws,
    window_sample_count,
    worn_shapes,
)


@dataclass(frozen=True)
class PostResult:
    """Statistics of a file.

    Parameters
    ----------
    file : RecordFile
        What was read.
    grid : RecordGrid
        Its instants.
    statistics : ShockStatistics
        Typed results, with the settings and the window used.
    """

    file: RecordFile
    grid: RecordGrid
    statistics: ShockStatistics

    def tables(self) -> dict[str, Table]:
        """Return the results under the operator's names: tables `usure`, `impact`, `rela`.

        Raises
        ------
        RecordError
            If a number is beyond what a float holds, for samples that are finite themselves.
        """
        tables = statistics_tables(self.statistics)
        require_finite(self.file.path, tables)
        return tables


def post_process(
    file: RecordFile,
    settings: StatisticsSettings,
    *,
    usure: bool = True,
    impact: bool = True,
    relation: bool = False,
    progress: Callable[[float], None] | None = None,
) -> PostResult:
    """Compute the statistics of a file in chunks: memory does not grow with its length.

    Parameters
    ----------
    file : RecordFile
        As `open_record` returns it.
    settings : StatisticsSettings
        Window, thresholds, blocks, classes and reading. A finite end of the window must lie
        inside the record.
    usure, impact, relation : bool
        Which options to compute.
    progress : callable, optional
        Called with the fraction of the file read, up to 1.

    Raises
    ------
    RecordError
        For a column that is missing, or samples, a window or blocks that cannot be used.
    """
    if usure or impact:
        file.require("normal_force")
    grid = RecordGrid()
    sample_count = None
    try:
        if usure and settings.block_count > 1:
            # Blocks hold equal numbers of samples, which must be counted beforehand.
            counted = RecordGrid().watch(file.time_chunks(), settings)
            sample_count = window_sample_count(counted, settings)
        # What overflows is refused where it is laid out.
        with np.errstate(over="ignore", invalid="ignore"):
            statistics = shock_statistics(
                grid.watch(file.chunks(progress=progress), settings),
                settings,
                usure=usure,
                impact=impact,
                relation=relation,
                sample_count=sample_count,
            )
    except RecordError:
        raise
    except ValueError as problem:
        raise RecordError(f"{file.path}: {problem}") from None
    return PostResult(file, grid, statistics)


def worn_table(
    result: PostResult,
    archard_coefficient: float,
    *,
    wear_area: float | None = None,
    service_years: float | None = None,
) -> Table:
    """Lay out the wear of the window and, extrapolated, that of years of service.

    worn_volume = archard_coefficient · wear_work, wear_depth = worn_volume / wear_area.

    Parameters
    ----------
    result : PostResult
        With option USURE.
    archard_coefficient : float
        Worn volume by wear work, m2/N.
    wear_area : float, optional
        Area of a flat pad, m2; without it there is no depth.
    service_years : float, optional
        Adds a row for that time at the window's mean wear power; see
        `wearmodel.statistics.wear_laws.service_wear_work` for what that assumes.

    Raises
    ------
    RecordError
        If the file has no sliding velocity, or a number is out of its range.
    """
    result.file.require("tangential_velocity_1")
    statistics = result.statistics
    if statistics.usure is None:
        raise RecordError("worn volume needs option USURE")
    power = statistics.usure.wear_power
    window = statistics.window_end - statistics.window_start
    try:
        spans = {"window": (window, power * window)}
        if service_years is not None:
            spans[f"{service_years:g} years"] = (
                service_years * wear_laws.SECONDS_PER_YEAR,
                wear_laws.service_wear_work(power, service_years),
            )
        rows: list[dict[str, Cell]] = []
        for name, (duration, work) in spans.items():
            volume = wear_laws.worn_volume(archard_coefficient, work)
            row: dict[str, Cell] = {
                "span": name,
                "duration": duration,
                "wear_work": work,
                "worn_volume": volume,
            }
            if wear_area is not None:
                row["wear_depth"] = worn_shapes.flat_pad_depth(volume, wear_area)
            rows.append(row)
    except ValueError as problem:
        raise RecordError(str(problem)) from None
    table = Table("ARCHARD", tuple(rows))
    require_finite(result.file.path, {"archard": table})
    return table


def require_finite(source: Path, tables: Mapping[str, Table]) -> None:
    """Raise RecordError if a number in tables of statistics is beyond what a float holds.

    Parameters
    ----------
    source : Path
        The file that the statistics are of; its samples are finite themselves.
    tables : mapping of str to Table
        By name.
    """
    for name, table in tables.items():
        for row in table.rows:
            for column, cell in row.items():
                if isinstance(cell, float) and not math.isfinite(cell):
                    raise RecordError(
                        f"{source}: {column}={cell} of table {name} must be finite: the numbers "
                        "that it is made of are too large"
                    )


def write_post_json(result: PostResult, tables: dict[str, Table], path: Path) -> None:
    """Write as JSON what was read and how, and the tables.

    One object: `file` (str), `columns` (column read by quantity), `grid` (samples, span and steps,
    s), `warnings` (what the samples may miss, a line each), `settings` (those of
    StatisticsSettings; `window_start`, `window_end` as used, s), `window_sample_count`, and
    `tables`: for each a list of rows, objects of filled cells by column name, null where a cell has
    no value.

    Raises OSError if the file cannot be written.
    """
    statistics = result.statistics
    content = {
        "file": str(result.file.path),
        "columns": result.file.columns,
        "grid": result.grid.content(),
        "warnings": result.grid.warnings(),
        "settings": {
            **asdict(statistics.settings),
            "window_start": statistics.window_start,
            "window_end": statistics.window_end,
        },
        "window_sample_count": statistics.sample_count,
        "tables": {name: table.rows for name, table in tables.items()},
    }
    write_json(path, content)


def write_post_csv(tables: dict[str, Table], folder: Path) -> None:
    """Write each table to `<name>.csv` in a folder, made if necessary.

    Raises OSError if a file cannot be written.
    """
    for name, table in tables.items():
        write_text(table_file(folder, name), table.csv())


def table_file(folder: Path, name: str) -> Path:
    """Return the file of a table among those that `write_post_csv` writes."""
    return folder / f"{name}.csv"
