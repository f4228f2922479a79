"""Draws of noise: coverage of the intervals, and warnings about a wrong model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from harness.fitting import run_fit
from tests.fits.cells import NOISES, RIGS, exact, loaded, with_values

# The static friction is 1.5 times the friction of fast slip. The decay velocity is within the
# range of the slip velocities.
WRONG = {"friction_coefficient_slow": 0.225, "friction_decay_velocity": 0.1}


@dataclass(frozen=True)
class Cover:
    """Outcome of the draws of a cell.

    Parameters
    ----------
    covered : tuple of int
        Number of draws whose interval contains the truth, by parameter.
    width : tuple of float
        Median width of the interval, relative to the width with the true noise model, by parameter.
    alarms, unknown : int
        Number of draws with a warning that the model does not fit, and number of draws without a
        result or with a horizon.
    """

    draws: int
    covered: tuple[int, ...]
    width: tuple[float, ...]
    alarms: int
    unknown: int


@dataclass(frozen=True)
class Draw:
    """Outcome of a draw: coverage by interval, and widths relative to those with known noise.

    Without a result, both are None.
    """

    is_covered: tuple[bool, ...] | None
    width: tuple[float, ...] | None
    is_alarm: bool


def draws_of(
    rig_name: str, noise_name: str, randoms: Iterable[np.random.Generator]
) -> Iterator[Draw]:
    """Yield the outcome of each draw of a kind of noise on a rig."""
    rig, noise = RIGS[rig_name], NOISES[noise_name]
    fit = loaded(rig, span=noise.span)
    values = fit.channels[0].values
    truth = np.array([rig.truth[name] for name in fit.names])
    for random in randoms:
        result = run_fit(with_values(fit, noise.drawn(values, random)))
        alarm = is_alarm(result.warnings)
        if result.not_known or result.horizon is not None:
            yield Draw(None, None, alarm)
            continue
        assert result.estimate is not None
        ends = np.array([(by.low, by.high) for by in result.parameters.values()])
        columns = noise.filter(values).whitened(result.estimate.jacobian[0])
        ideal = np.sqrt(np.diag(np.linalg.inv(columns @ columns.T)))
        ranges = np.diff(result.estimate.ends)[:, 0]
        width = ranges / (2.0 * result.estimate.quantile * ideal)
        is_covered = (ends[:, 0] <= truth) & (truth <= ends[:, 1])
        yield Draw(tuple(is_covered.tolist()), tuple(width.tolist()), alarm)


def summary(drawn: Iterable[Draw]) -> Cover:
    """Return the combined outcome of draws."""
    every = list(drawn)
    known = [by for by in every if by.is_covered is not None]
    return Cover(
        len(every),
        tuple(np.sum([by.is_covered for by in known], axis=0).tolist()),
        tuple(np.median([by.width for by in known], axis=0).tolist()),
        sum(by.is_alarm for by in every),
        len(every) - len(known),
    )


def is_alarm(warnings: tuple[str, ...]) -> bool:
    """Whether the fit of one draw warns that the model is incomplete."""
    return any(warning.startswith("the model does not fit") for warning in warnings)


def wrong_model(draws: int, *, seed: int = 1) -> int:
    """Return in how many draws of white noise the fit of a wrong friction law is noticed."""
    rig = RIGS["μ_d"]
    fit = loaded(rig)
    true = loaded(replace(rig, parameters={**rig.parameters, **WRONG}))
    values = exact(true, rig.truth)
    noticed = 0
    for random in np.random.default_rng(seed).spawn(draws):
        result = run_fit(with_values(fit, NOISES["white"].drawn(values, random)))
        noticed += is_alarm(result.warnings)
    return noticed
