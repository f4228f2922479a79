"""Least squares with correlated residuals, compared with closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.signal import lfilter
from scipy.stats import t

from harness.fitting.estimation import estimate, filter_of, with_profiles
from wearmodel.arrays import Floats

COUNT = 4000
TIMES = np.linspace(0.0, 1.0, COUNT)


def line(measured: Floats):
    """Return the residuals of 2 z_0 + 3 z_1 t as a function of points z."""
    return lambda points: [2.0 * points[:, :1] + 3.0 * points[:, 1:] * TIMES - measured]


def test_the_filter_recovers_an_autoregressive_process():
    coefficients = np.array([1.2, -0.5])
    shocks = np.random.default_rng(1).normal(size=20_000)
    found = filter_of(lfilter([0.3], np.concatenate(([1.0], -coefficients)), shocks))
    # The standard error of a coefficient is √((1 − φ_2²)/n) = 0.006. The tolerance is four of
    # them.
    assert len(found.coefficients) == 2
    assert found.coefficients == pytest.approx(coefficients, abs=0.025)
    assert found.deviation == pytest.approx(0.3, rel=4.0 / np.sqrt(2.0 * 20_000))


def test_white_noise_gives_the_textbook_interval_of_a_line():
    shocks = 0.1 * np.random.default_rng(2).normal(size=COUNT)
    found = estimate(line(1.0 + 1.2 * TIMES + shocks), np.array([0.9, 0.1]), deviations=[None])
    columns = np.stack([np.full(COUNT, 2.0), 3.0 * TIMES], axis=1)
    (values, squares, _, _) = np.linalg.lstsq(columns, 1.0 + 1.2 * TIMES + shocks)
    covariance = squares[0] / (COUNT - 2) * np.linalg.inv(columns.T @ columns)
    assert found.point == pytest.approx(values, abs=1e-8)
    # The long-run covariance of the scores has 14 lags. Its error is √(2·14·4/3/n) = 10 %.
    assert found.errors == pytest.approx(np.sqrt(np.diag(covariance)), rel=0.1)
    assert found.quantile == pytest.approx(t.ppf(0.975, COUNT - 2))


def test_correlated_noise_gives_the_interval_of_generalised_least_squares():
    phi, deviation = 0.9, 0.1
    shocks = deviation * np.random.default_rng(3).normal(size=COUNT + 500)
    noise = lfilter([1.0], [1.0, -phi], shocks)[500:]
    found = estimate(line(1.0 + 1.2 * TIMES + noise), np.array([0.5, 0.5]), deviations=[None])
    columns = np.stack([np.full(COUNT, 2.0), 3.0 * TIMES], axis=1)
    whitened = (columns[1:] - phi * columns[:-1]) / deviation
    wanted = np.sqrt(np.diag(np.linalg.inv(whitened.T @ whitened)))
    # The error of 1 − φ is √((1 − φ²)/n)/(1 − φ) = 7 %. The long-run noise has three times this
    # error.
    assert found.errors == pytest.approx(wanted, rel=0.25)


def test_a_known_deviation_is_used_as_it_is():
    measured = 1.0 + 1.2 * TIMES
    found = estimate(line(measured), np.array([0.9, 0.1]), deviations=[0.1])
    columns = np.stack([np.full(COUNT, 20.0), 30.0 * TIMES])
    assert found.errors == pytest.approx(
        np.sqrt(np.diag(np.linalg.inv(columns @ columns.T))), rel=1e-6
    )
    assert found.quantile == pytest.approx(1.95996398)


def test_the_best_of_several_minima_is_kept_and_the_other_is_listed():
    # The minima are at 0.2 and 0.8. The further residuals make the first minimum the lower one.
    def model(points: Floats) -> list[Floats]:
        z = points[:, :1]
        wells = 30.0 * (z - 0.2) * (z - 0.8) + 0.0 * TIMES
        return [np.concatenate([wells, z + np.ones((len(points), 10))], axis=1)]

    found = estimate(model, np.array([0.9]), deviations=[None], starts=8)
    assert found.point == pytest.approx([0.2], abs=1e-2)
    ((other, ratio),) = found.others
    assert other == pytest.approx([0.8], abs=1e-2)
    assert ratio > 1.0


def test_an_interruption_uses_the_best_minimum_so_far():
    def interrupt(done: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    found = estimate(
        line(1.0 + 1.2 * TIMES), np.array([0.9, 0.1]), deviations=[0.1], progress=interrupt
    )
    assert found.starts < 8
    assert found.point == pytest.approx([0.5, 0.4], abs=1e-6)


def test_parameters_of_which_only_the_sum_counts_are_one_combination():
    def model(points: Floats) -> list[Floats]:
        return [points[:, :1] + points[:, 1:2] + points[:, 2:] * TIMES - 1.0 - 0.5 * TIMES]

    found = estimate(model, np.array([0.4, 0.4, 0.4]), deviations=[0.01])
    (combination,) = found.combinations
    assert combination.indices == (0, 1)
    assert combination.changes[0] == pytest.approx(-combination.changes[1])
    assert combination.correlation == pytest.approx(1.0)
    assert np.isnan(found.errors).tolist() == [True, True, False]


def test_a_parameter_that_changes_nothing_is_without_influence():
    def model(points: Floats) -> list[Floats]:
        return [points[:, :1] * TIMES + 0.0 * points[:, 1:] - 0.5 * TIMES]

    found = estimate(model, np.array([0.4, 0.4]), deviations=[0.01])
    assert found.without_influence == (1,)
    assert found.combinations == ()


def test_a_skewed_interval_is_that_of_the_profile():
    """With residuals f(z) − f(0.5), the profile ends where |f(z) − f(0.5)| is the quantile."""

    def model(points: Floats) -> list[Floats]:
        return [np.exp(5.0 * points) - np.exp(2.5) + 0.0 * TIMES]

    deviation = 3.0 * np.sqrt(COUNT)
    linear = estimate(model, np.array([0.6]), deviations=[deviation])
    found = with_profiles(model, linear)
    assert linear.profiles == ()
    assert found.profiles == (0,)
    rise = found.quantile * 3.0
    wanted = np.log(np.exp(2.5) + rise * np.array([-1.0, 1.0])) / 5.0
    # The ends are computed to 1 % of the half width.
    half = found.quantile * found.errors[0]
    assert found.ends[0] == pytest.approx(wanted, abs=0.01 * half)
    assert np.max(np.abs(linear.ends[0] - wanted)) > 0.1 * half


def test_an_interval_of_a_linear_model_is_not_a_profile_but_at_a_bound():
    def model(points: Floats) -> list[Floats]:
        is_first = TIMES < 0.5
        return [np.where(is_first, points[:, :1] - 0.05, points[:, 1:] - 0.4)]

    linear = estimate(model, np.array([0.2, 0.5]), deviations=[2.0])
    found = with_profiles(model, linear)
    assert found.point == pytest.approx([0.05, 0.4], abs=1e-6)
    assert found.profiles == (0,)
    assert found.ends[0, 0] == 0.0
    assert found.ends[0, 1] == pytest.approx(linear.ends[0, 1], abs=1e-3)
    assert found.ends[1] == pytest.approx(linear.ends[1])
