"""Statistics from chunks equal the statistics of the whole record, in bounded memory."""

import dataclasses
import math
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from wearmodel.statistics import (
    ShockRecord,
    ShockStatistics,
    StatisticsSettings,
    portions,
    shock_statistics,
    statistics_tables,
)

LONG_RECORD = Path(__file__).with_name("long_record.py")


def rough_record(sample_count: int, *, constant: bool) -> ShockRecord:
    """Return contacts of 1 to some 500 samples, forces of both signs, stick and active phases."""
    random = np.random.default_rng(7)
    steps = np.full(sample_count, 1e-3) if constant else random.uniform(5e-4, 2e-3, sample_count)
    time = np.arange(sample_count) * 1e-3 if constant else np.cumsum(steps)
    wave = np.sin(9.0 * time) + np.sin(23.0 * time) * np.cos(1.3 * time)
    force = np.where(wave > 0.4, 100.0 * (wave - 0.4), 0.0)
    # Single-sample contacts, at a distance from other contacts. A spike within a contact would make
    # the located maximum depend on the samples that are searched.
    lone = random.integers(0, sample_count, sample_count // 50)
    force[lone[wave[lone] < 0.2]] = 30.0
    return ShockRecord(
        time=time,
        normal_force=force,
        normal_velocity=np.cos(9.0 * time),
        tangential_force_1=-0.1 * force,
        tangential_velocity_1=np.cos(5.0 * time),
        tangential_velocity_2=np.sin(4.0 * time),
        position_x=5.0 + 1e-3 * wave,
        position_y=wave,
        position_z=np.cos(2.0 * time),
        stick=np.cos(5.0 * time) > 0.9,
        relation_active=wave < -0.3,
        relation_displacement=wave * np.cos(time),
    )


def chunks_of(record: ShockRecord, sizes: Iterator[int]) -> Iterator[ShockRecord]:
    begin = 0
    while begin < len(record):
        end = begin + next(sizes)
        yield record.part(begin, end)
        begin = end


def random_sizes(seed: int, largest: int) -> Iterator[int]:
    random = np.random.default_rng(seed)
    while True:
        yield int(random.integers(0, largest))


@pytest.mark.parametrize("reading", ["sampled", "interpolated"])
@pytest.mark.parametrize("constant", [True, False], ids=["constant-steps", "irregular-steps"])
@pytest.mark.parametrize("largest_chunk", [700, 300_000])
def test_chunks_give_the_same_floats_as_the_whole_record(reading, constant, largest_chunk):
    # Two and a half portions of 131072 samples.
    record = rough_record(330_000, constant=constant)
    settings = StatisticsSettings(
        window_start=3.0,
        window_end=310.0,
        reading=reading,  # type: ignore[arg-type]
        rest_time=5e-3,
        block_count=7,
    )
    whole = shock_statistics(record, settings, relation=True)
    chunks = chunks_of(record, random_sizes(1, largest_chunk))
    chunked = shock_statistics(chunks, settings, relation=True, sample_count=whole.sample_count)
    # Portions start at the same samples, so the results are identical. repr also compares NaN.
    assert repr(chunked) == repr(whole)
    assert whole.impact is not None
    assert len(whole.impact.shocks) > 1000


def test_a_record_may_begin_with_chunks_of_one_sample():
    """The margin at the ends of the window is a fraction of the first step in a chunk."""
    record = rough_record(2000, constant=True)
    # The start exceeds its sample by rounding.
    start = float(np.nextafter(record.time[400], math.inf))
    settings = StatisticsSettings(window_start=start, window_end=1.5, reading="sampled")
    whole = shock_statistics(record, settings)
    assert whole.window_start == record.time[400]
    sizes = iter([1, 1, 2, 1, *[50] * 100])
    assert repr(shock_statistics(chunks_of(record, sizes), settings)) == repr(whole)


def numbers(statistics: ShockStatistics) -> list[float]:
    tables = statistics_tables(statistics)
    return [
        float(cell)
        for table in tables.values()
        for row in table.rows
        for cell in row.values()
        if isinstance(cell, (int, float))
    ]


@pytest.mark.parametrize("reading", ["sampled", "interpolated"])
@pytest.mark.parametrize("constant", [True, False], ids=["constant-steps", "irregular-steps"])
def test_results_do_not_depend_on_the_length_of_the_stretches(monkeypatch, reading, constant):
    record = rough_record(6000, constant=constant)
    settings = StatisticsSettings(reading=reading, rest_time=5e-3)  # type: ignore[arg-type]
    long = shock_statistics(record, settings, relation=True)
    # Shorter than the contacts and phases, which are then joined from many pieces.
    monkeypatch.setattr(portions, "CORE_SAMPLES", 37)
    short = shock_statistics(record, settings, relation=True)
    # The same numbers are summed in another order: rounding of 6000 terms.
    assert numbers(short) == pytest.approx(numbers(long), rel=1e-11, abs=1e-13)


def test_ten_million_samples_in_chunks_need_less_than_300_megabytes():
    sample_count = 10_000_000
    run = subprocess.run(
        [sys.executable, str(LONG_RECORD), str(sample_count), "100000"],
        capture_output=True,
        text=True,
        check=True,
    )
    peak_memory, chunked = run.stdout.splitlines()
    assert int(peak_memory) < 300e6
    # A pulse occurs every 970 samples. The first begins with the record, and the last is complete.
    assert "sample_count=10000000," in chunked
    assert chunked.count("Shock(") == math.ceil(sample_count / 970)


@pytest.mark.long
def test_ten_million_samples_in_memory_give_the_floats_of_the_chunks():
    sys.path.insert(0, str(LONG_RECORD.parent))
    try:
        import long_record
    finally:
        sys.path.pop(0)
    sample_count = 10_000_000
    columns = {
        field.name: np.empty(sample_count)
        for field in dataclasses.fields(ShockRecord)
        if long_record.samples(0, 2).has(field.name)
    }
    for begin in range(0, sample_count, 1_000_000):
        part = long_record.samples(begin, begin + 1_000_000)
        for name, column in columns.items():
            column[begin : begin + 1_000_000] = part.column(name)
    whole = shock_statistics(ShockRecord(**columns), long_record.SETTINGS)  # type: ignore[arg-type]
    chunked = shock_statistics(
        (
            ShockRecord(**{n: c[b : b + 170_000] for n, c in columns.items()})  # type: ignore[arg-type]
            for b in range(0, sample_count, 170_000)
        ),
        long_record.SETTINGS,
    )
    assert repr(chunked) == repr(whole)
