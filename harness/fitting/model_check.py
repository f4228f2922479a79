"""Checks whether the fitted model explains the measured histories, except for noise.

If residuals correlate with the effect of a quantity that was not fitted, the model is incomplete.
Each candidate is a change of the computed histories: a parameter of the model, friction that
depends on speed, or an offset, a drift, a gain or a delay of a channel. The part that the fitted
parameters can replace is removed. The products with the residuals are summed over blocks of time.
Their mean is compared with their scatter over the blocks by Student's t, which allows for
correlated noise. An effect must also explain a minimum part of the residuals.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import compress

import numpy as np
from scipy.stats import t

from harness.fitting.estimation import Estimate
from harness.fitting.fit_file import Fit
from harness.fmu.history import RunRecord
from harness.schema import ParameterValue
from harness.sweep import Point, Study, kernel_runs
from wearmodel.arrays import Floats

_BLOCKS = 20
_SAMPLES_OF_BLOCK = 20
# Probability of a false alarm for all candidates together, and minimum part of the sum of squares
# that an effect must explain.
_FALSE_ALARMS = 0.01
_SHARE = 0.02
# Most candidates in a warning.
_NAMED = 3
# Relative change of a parameter.
_CHANGE = 1e-3
# If fitted parameters can replace an effect, its squared remainder is below this part (rounding).
_REPLACED = 1e-6


def departures(fit: Fit, found: Estimate) -> list[str]:
    """Return a warning if the residuals correlate with the effect of a candidate, otherwise []."""
    is_history = [channel.quantity is None for channel in fit.channels]
    lengths = [len(values) for values in compress(found.residuals, is_history)]
    if not lengths:
        return []
    if min(lengths) < (least := _BLOCKS * _SAMPLES_OF_BLOCK):
        return [f"fewer than {least} samples: whether the model fits was not checked"]

    def scaled(channels: Iterable[Floats]) -> Floats:
        pairs = compress(zip(channels, found.filters, strict=True), is_history)
        return np.concatenate([values / by.deviation for values, by in pairs], axis=-1)

    residuals = scaled(found.residuals)
    basis = np.linalg.svd(scaled(found.jacobian), full_matrices=False)[2]
    candidates = dict(_candidates(fit, found))
    limit = t.ppf(1.0 - 0.5 * _FALSE_ALARMS / max(len(candidates), 1), _BLOCKS - 1)
    shares: dict[str, float] = {}
    for name, effect in candidates.items():
        whole = scaled(effect)
        left = whole - basis.T @ (basis @ whole)
        if float(left @ left) <= _REPLACED * float(whole @ whole):
            continue  # fitted parameters can replace it
        products = left * residuals
        share = float(np.sum(products)) ** 2 / float(left @ left) / float(residuals @ residuals)
        # Sums over blocks of time, added for all channels.
        parts = [np.array_split(by, _BLOCKS) for by in np.split(products, np.cumsum(lengths)[:-1])]
        sums = np.sum([[np.sum(part) for part in channel] for channel in parts], axis=0)
        error = float(np.std(sums, ddof=1)) / math.sqrt(_BLOCKS)
        if share > _SHARE and abs(float(np.mean(sums))) > limit * error:
            shares[name] = share
    if not shares:
        return []
    # Effects resemble each other, so the largest share does not have to be the cause.
    largest = sorted(shares.items(), key=lambda item: -item[1])[:_NAMED]
    texts = [f"{name} would explain {100.0 * share:.0f} %" for name, share in largest]
    return [
        f"the model does not fit: {' or '.join(texts)} of the residuals. "
        "The intervals do not include this error"
    ]


def _candidates(fit: Fit, found: Estimate) -> Iterator[tuple[str, list[Floats]]]:
    """Yield the effect of each candidate on all channels."""
    point = fit.run_point(found.point)
    everything = replace(fit.study, quantities={}, recorded=())
    ((_, run),) = kernel_runs(everything, [point])
    if isinstance(run, str):
        return
    base = fit.computed(found.point, run)
    for number, channel in enumerate(fit.channels):
        if channel.quantity is not None:
            continue
        effects = {
            "an offset": np.ones(len(channel.instants)),
            "a drift": channel.instants - np.mean(channel.instants),
            "a gain": base[number],
            "a delay": np.gradient(base[number], channel.instants),
        }
        for name, effect in effects.items():
            others = [effect if by is base[number] else np.zeros(len(by)) for by in base]
            yield f"{name} of {channel.name}", others
    for name, changes in _changes(everything, point, run):
        changed = replace(fit.study, parameters={**fit.study.parameters, **changes})
        ((_, other),) = kernel_runs(changed, [point])
        if not isinstance(other, str):
            both = zip(fit.computed(found.point, other), base, strict=True)
            yield name, [values - before for values, before in both]


def _changes(
    study: Study, point: Point, run: RunRecord
) -> Iterator[tuple[str, dict[str, ParameterValue]]]:
    """Yield changes of parameters that are not fitted, with the name of the candidate."""
    table = {by.name: by for by in study.definition.slave.table if by.causality == "parameter"}
    fitted = {target[1] for target in study.targets if target[0] == "parameters"}
    now = {name: by.start for name, by in table.items()} | study.parameters_at(point)
    # A negative coefficient or damping means that the value is derived from others.
    unused = {name for name, value in now.items() if value in (0.0, -1.0)}
    for name, value in now.items():
        if table[name].kind != "Real" or not isinstance(value, int | float):
            continue
        if name not in fitted | unused:
            yield name, {name: value * (1.0 + _CHANGE)}
        if not name.endswith("friction_coefficient") or value <= 0.0:
            continue
        contact = name.removesuffix("friction_coefficient")
        speeds = np.abs(run.values.get(f"{contact}slip_velocity", np.zeros(1)))
        speed = float(np.mean(speeds[speeds > 0.0])) if np.any(speeds > 0.0) else 1.0
        slow, decay = f"{name}_slow", f"{contact}friction_decay_velocity"
        laws: dict[str, dict[str, ParameterValue]] = {
            f"friction that decreases with speed ({slow}, {decay})": {
                slow: value * (1.0 + _CHANGE),
                decay: speed,
            },
            f"{contact}viscous_friction": {f"{contact}viscous_friction": _CHANGE * value / speed},
            f"{name}_static": {f"{name}_static": value * (1.0 + _CHANGE)},
        }
        for law, changes in laws.items():
            if changes.keys() <= unused - fitted:
                yield law, changes
