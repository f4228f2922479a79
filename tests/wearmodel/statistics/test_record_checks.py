"""Validation of records and of the settings of the statistics."""

import numpy as np
import pytest

from wearmodel.statistics import (
    ShockRecord,
    StatisticsSettings,
    joined_records,
    shock_statistics,
    window_sample_count,
)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"time": [0.0, 2.0, 1.0]}, r"time=1\.0 s at sample 2 must be > .* 2\.0 s"),
        ({"time": [0.0, 1.0, 1.0]}, r"time=1\.0 s at sample 2 must be >"),
        ({"time": [0.0, np.nan]}, r"time=nan s at sample 1 must be finite"),
        ({"normal_force": [0.0, np.inf, 1.0]}, r"normal_force=inf N at sample 1 must be finite"),
        ({"normal_velocity": [0.0, 1.0]}, r"normal_velocity has 2 samples, time has 3"),
        ({"position_x": [[0.0, 1.0, 2.0]]}, r"position_x has 2 dimensions and must have 1"),
        ({"stick": [0, 2, 1]}, r"stick=2 at sample 1 must be 0 or 1"),
    ],
)
def test_unusable_columns_are_refused(columns, message):
    with pytest.raises(ValueError, match=message):
        ShockRecord(**{"time": [0.0, 1.0, 2.0], **columns})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"window_start": 4.0, "window_end": 4.0}, r"window_start=4\.0 s must be < window_end"),
        ({"window_start": 5.0, "window_end": 4.0}, r"window_start=5\.0 s must be < window_end"),
        ({"force_threshold": -1.0}, r"force_threshold=-1\.0 N must be ≥ 0"),
        ({"rest_time": float("nan")}, r"rest_time=nan s must be ≥ 0"),
        ({"block_count": 0}, r"block_count=0 must be a whole number ≥ 1"),
        ({"class_count": 2.5}, r"class_count=2\.5 must be a whole number ≥ 1"),
        ({"reading": "guessed"}, r"reading='guessed' must be"),
    ],
)
def test_unusable_settings_are_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        StatisticsSettings(**settings)  # type: ignore[arg-type]


def contact() -> ShockRecord:
    return ShockRecord(time=np.arange(5.0), normal_force=np.array([0.0, 1.0, 2.0, 1.0, 0.0]))


@pytest.mark.parametrize("window", [(-3.0, -1.0), (4.5, 9.0), (2.2, 3.8)])
def test_window_without_two_samples_is_refused(window):
    settings = StatisticsSettings(window_start=window[0], window_end=window[1])
    with pytest.raises(ValueError, match=r"at least 2 samples .* record spans \[0\.0, 4\.0\]"):
        shock_statistics(contact(), settings)


def test_default_window_is_clipped_to_the_record():
    statistics = shock_statistics(contact())
    assert (statistics.window_start, statistics.window_end) == (0.0, 4.0)


def test_missing_force_is_refused_by_name():
    with pytest.raises(ValueError, match="normal_force is missing from the record, which has time"):
        shock_statistics(ShockRecord(time=np.arange(3.0)))


def test_more_blocks_than_pairs_of_samples_are_refused():
    with pytest.raises(ValueError, match=r"block_count=3 must be ≤ half the window's 5 samples"):
        shock_statistics(contact(), StatisticsSettings(block_count=3))


def test_blocks_of_chunks_need_the_sample_count():
    settings = StatisticsSettings(block_count=2)
    with pytest.raises(ValueError, match="needs sample_count"):
        shock_statistics([contact()], settings)
    with pytest.raises(ValueError, match=r"sample_count=4 must be the window's 5 samples"):
        shock_statistics([contact()], settings, sample_count=4)


def test_time_that_goes_back_between_chunks_is_refused():
    with pytest.raises(ValueError, match="at a chunk's start must be > "):
        shock_statistics([contact(), contact()])
    with pytest.raises(ValueError, match="at a chunk's start must be > "):
        window_sample_count([contact(), contact()], StatisticsSettings())


def test_parts_with_other_columns_are_refused():
    with pytest.raises(ValueError, match="must have the same columns"):
        joined_records([contact(), ShockRecord(time=np.arange(5.0, 7.0))])
