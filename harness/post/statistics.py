"""Shock and wear statistics of a result file in chunks, as tables and as JSON.

`wearmodel.statistics` contains the definitions, and `wearmodel.statistics.wear_laws` the worn
volume and depth.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from harness.errors import RecordError
from harness.output_files import write_json, write_text
from harness.provenance import used
from harness.records import RecordFile, RecordGrid
from wearmodel.statistics import (
    Cell,
    ShockStatistics,
    StatisticsSettings,
    Table,
    relation_table,
    shock_statistics,
    statistics_tables,
    wear_laws,
    window_sample_count,
    worn_shapes,
)


@dataclass(frozen=True)
class PostResult:
    """Statistics of a file, with its sampling times."""

    file: RecordFile
    grid: RecordGrid
    statistics: ShockStatistics

    def tables(self) -> dict[str, Table]:
        """Return the tables `usure`, `impact`, `rela`, or raise RecordError for overflow."""
        tables = statistics_tables(self.statistics)
        if self.statistics.phases is not None:
            column, *_ = self.file.columns["relation_displacement"].split(" [")
            node, _, component = column.rpartition(".")
            tables["rela"] = relation_table(
                self.statistics.phases, node=node or self.file.path.stem, component=component
            )
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
    """Compute the statistics of a file in chunks, so that memory does not grow with its length.

    A finite end of the window must be inside the record. `usure`, `impact` and `relation` select
    the tables, and `progress` is called with the fraction of the file read. Raises RecordError for
    a missing column, or invalid samples, window or blocks.
    """
    used("statistics", asdict(settings))
    if usure or impact:
        file.require("normal_force")
    grid = RecordGrid()
    sample_count = None
    try:
        if usure and settings.block_count > 1:
            # Blocks have equal numbers of samples, so that the samples must be counted first.
            counted = RecordGrid().watch(file.time_chunks(), settings)
            sample_count = window_sample_count(counted, settings)
        # `require_finite` reports overflows.
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
    """Return a table of the wear in the window and, extrapolated, in years of service.

    worn_volume = archard_coefficient · wear_work, wear_depth = worn_volume / wear_area.

    - `result`: statistics with option USURE
    - `archard_coefficient`: worn volume / wear work [m2/N]
    - `wear_area`: area of a flat pad [m2], required for the depth
    - `service_years`: time of an additional row with the mean wear power of the window, see
      `wearmodel.statistics.wear_laws.service_wear_work`

    Raises RecordError if the sliding velocity is missing, or a number is outside its range.
    """
    result.file.require("tangential_velocity_1")
    statistics = result.statistics
    if statistics.usure is None:
        raise RecordError("worn volume requires option USURE")
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
                row["wear_depth"] = worn_shapes.FlatPad(wear_area).depth(volume)
            rows.append(row)
    except ValueError as problem:
        raise RecordError(str(problem)) from None
    table = Table("ARCHARD", tuple(rows))
    require_finite(result.file.path, {"archard": table})
    return table


def require_finite(source: Path, tables: Mapping[str, Table]) -> None:
    """Raise RecordError if a number in tables of statistics of a file has overflowed."""
    for name, table in tables.items():
        for row in table.rows:
            for column, cell in row.items():
                if isinstance(cell, float) and not math.isfinite(cell):
                    raise RecordError(
                        f"{source}: {column}={cell} of table {name} must be finite: values in the "
                        "file are too large"
                    )


def write_post_json(result: PostResult, tables: dict[str, Table], path: Path) -> None:
    """Write settings and tables as JSON, `$defs/statistics` of docs/results.schema.json."""
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
    """Write each table to `<name>.csv` in a folder."""
    for name, table in tables.items():
        write_text(table_file(folder, name), table.csv())


def table_file(folder: Path, name: str) -> Path:
    """Return the file of a table of `write_post_csv`."""
    return folder / f"{name}.csv"
