"""The grid of communication points."""

from fractions import Fraction

import numpy as np
import pytest

from harness.fmu.experiment import Experiment


def test_communication_points_do_not_drift():
    times = Experiment(start_time=0.0, stop_time=1000.0, step_size=1e-3).times()
    assert len(times) == 1_000_001
    exact = np.array([float(Fraction(i, 1000)) for i in range(0, 1_000_001, 1000)])
    # The step and the product are rounded once each. A sum of a million steps has an error of
    # 1e-8.
    np.testing.assert_allclose(times[::1000], exact, rtol=2 * np.finfo(float).eps, atol=0)


def test_instants_written_in_decimals_are_found_on_the_grid():
    experiment = Experiment(start_time=-1.0, stop_time=11.0, step_size=1e-3)
    found = [experiment.index_of(i / 1000 - 1) for i in range(12_001)]
    assert found == list(range(12_001))


@pytest.mark.parametrize("miss", [1e-6, -1e-6], ids=["late", "early"])
def test_an_instant_a_thousandth_of_a_step_off_the_grid_is_refused(miss):
    experiment = Experiment(stop_time=12.0, step_size=1e-3)
    with pytest.raises(ValueError, match="must be a communication point"):
        experiment.index_of(4.0 + miss)


@pytest.mark.parametrize("time", [-0.5, 12.5], ids=["before", "after"])
def test_an_instant_outside_the_experiment_is_refused(time):
    with pytest.raises(ValueError, match=r"must be inside the experiment \[0, 12\] s"):
        Experiment(stop_time=12.0, step_size=0.5).index_of(time)


def test_output_interval_counts_in_steps():
    assert Experiment(stop_time=1.0, step_size=1e-3, output_interval=0.05).output_stride == 50
    assert Experiment(stop_time=1.0, step_size=1e-3).output_stride == 1
