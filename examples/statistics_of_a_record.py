"""Shock and wear statistics of a record from another program.

The record has other column names. This script creates it: a mass that hits a spring wall, sampled
every millisecond.
"""

from __future__ import annotations

import math
import tempfile
from pathlib import Path

from console import parser, run

from harness.post.statistics import post_process
from harness.records.record_file import open_record
from wearmodel.statistics import StatisticsSettings, statistics_tables

MASS, GROUND, WALL, SPEED = 100.0, 1e4, 1e6, 1.0


def write_record(path: Path) -> None:
    """One exact shock: half a period of √((k + K)/m) in contact, then half a period of √(k/m)."""
    contact, free = math.sqrt((GROUND + WALL) / MASS), math.sqrt(GROUND / MASS)
    closed = math.pi / contact
    with path.open("w", encoding="utf-8") as file:
        file.write("t;Fn;Vn\n")
        for step in range(300):
            time = step * 1e-3
            if time < closed:
                force = WALL * SPEED / contact * math.sin(contact * time)
                velocity = -SPEED * math.cos(contact * time)
            else:
                force, velocity = 0.0, SPEED * math.cos(free * (time - closed))
            file.write(f"{time!r};{force!r};{velocity!r}\n")


def main() -> None:
    """Read the record, assign its columns, and print the tables of the operator."""
    parser(__doc__).parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "record.csv"
        write_record(path)
        columns = {"time": "t", "normal_force": "Fn", "normal_velocity": "Vn"}
        result = post_process(
            open_record(path, columns), StatisticsSettings(window_start=0.0, window_end=math.inf)
        )
    tables = statistics_tables(result.statistics, "N1")
    print(tables["impact"].text())
    print(f"exact: F_MAX = {WALL * SPEED / math.sqrt((GROUND + WALL) / MASS):.7g} N")


if __name__ == "__main__":
    run(main)
