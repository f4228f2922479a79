"""Cases with known parameters, and kinds of noise that are added to their computed histories."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray
from scipy.signal import lfilter

from harness.fitting import Fit, load_fit
from harness.fitting.estimation import Filter

Floats = NDArray[np.float64]

SPAN, STEP = 10.0, 2e-3
NOISE = 0.01
# Sines of the base motion without a common period: amplitude [m/s2], frequency [Hz], phase [rad].
_SINES = ((3.0, 1.31, 0.0), (2.0, 2.93, 1.0), (1.5, 0.71, 2.0), (1.0, 4.57, 0.5))


@dataclass(frozen=True)
class Rig:
    """A case, its true parameters, and the measured and fitted variables.

    Parameters
    ----------
    parameters : mapping
        Parameters of the case.
    truth : mapping
        True values of the fitted parameters.
    measured : str
        Measured variable.
    input : str
        Driven input.
    scale : float
        Factor on the base motion.
    fitted : mapping
        Entries of [fit.parameters] as text. The default is 0.3 to 3 times the truth.
    drive : callable
        Driven input as a function of time. The default is `base_motion`.
    model, inputs : str
        Name of the model, and sections of further inputs.
    span, first : float
        Longest record, and time of its first measured sample [s].
    """

    parameters: Mapping[str, object]
    truth: Mapping[str, float]
    measured: str = "relative_displacement"
    input: str = "base_acceleration"
    scale: float = 1.0
    fitted: Mapping[str, str] | None = None
    drive: Callable[[Floats], Floats] | None = None
    model: str = "FrictionalShock"
    inputs: str = ""
    span: float = SPAN
    first: float = STEP


def base_motion(times: Floats) -> Floats:
    """Return the acceleration of the support [m/s2]."""
    sines = [size * np.sin(2.0 * np.pi * by * times + phase) for size, by, phase in _SINES]
    return np.sum(sines, axis=0)


def loaded(rig: Rig, *, starts: int = 1, span: float = SPAN) -> Fit:
    """Return the fit of a rig with the exact history as measured values."""
    span = min(span, rig.span)
    times = np.arange(round(span / STEP) + 1) * STEP
    drive = (rig.drive or base_motion)(times) * rig.scale
    fitted = rig.fitted or {
        name: f"{{ start = {1.3 * value!r}, low = {0.3 * value!r}, high = {3.0 * value!r} }}"
        for name, value in rig.truth.items()
    }
    text = "\n".join(
        [
            f'[case]\ntitle = "rig"\nfmu = "{rig.model}"\n[parameters]',
            *(['input_timing = "end"'] if rig.model == "FrictionalShock" else []),
            *(
                f"{name} = {_toml(value)}"
                for name, value in {**rig.parameters, **rig.truth}.items()
            ),
            f'[inputs.{rig.input}]\nkind = "csv"\nfile = "base.csv"\nvalue_column = "a"',
            rig.inputs,
            f"[experiment]\nstop_time = {span}\nstep_size = {STEP}\nallow_coarse_step = true",
            f"[fit]\nstarts = {starts}\n[fit.parameters]",
            *(f"{name} = {entry}" for name, entry in fitted.items()),
            '[[fit.measured]]\nfile = "base.csv"\nvalue_column = "a"',
            f'variable = "{rig.measured}"',
        ]
    )
    with TemporaryDirectory() as folder:
        table = np.stack([times, drive], axis=1)
        np.savetxt(Path(folder) / "base.csv", table, delimiter=",", header="time,a", comments="")
        (Path(folder) / "fit.toml").write_text(text, encoding="utf-8")
        fit = load_fit(Path(folder) / "fit.toml")
    # By default the start is left out. A mass at rest has a different speed there than in the
    # record.
    channel, first = fit.channels[0], round(rig.first / STEP)
    channel = replace(channel, instants=channel.instants[first:], values=channel.values[first:])
    fit = replace(fit, channels=(channel,))
    return with_values(fit, exact(fit, rig.truth))


def _toml(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value).lower()


def exact(fit: Fit, truth: Mapping[str, float]) -> Floats:
    """Return the history that is computed with the true values."""
    point = np.array([by.unit(truth.get(name, by.start)) for name, by in fit.parameters.items()])
    (residuals,) = fit.residuals(point[None])
    return residuals[0] + fit.channels[0].values


def with_values(fit: Fit, values: Floats) -> Fit:
    """Return a fit with other measured values."""
    return replace(fit, channels=(replace(fit.channels[0], values=values),))


RIGS = {
    "μ_d": Rig({"stiffness": 40.0, "gravity": 9.81}, {"friction_coefficient": 0.15}),
    "μ_d, μ_0, v_s": Rig(
        {"stiffness": 40.0, "gravity": 9.81},
        {
            "friction_coefficient": 0.15,
            "friction_coefficient_slow": 0.225,
            "friction_decay_velocity": 0.1,
        },
        fitted={
            "friction_coefficient": "{ start = 0.12, low = 0.05, high = 0.2 }",
            "friction_coefficient_slow": "{ start = 0.3, low = 0.2, high = 0.6 }",
            "friction_decay_velocity": '{ start = 0.2, low = 0.02, high = 1.0, scale = "log" }',
        },
    ),
    "μ, K_T, C_T": Rig(
        {"stiffness": 40.0, "gravity": 9.81, "tangential_law": "penalty"},
        {"friction_coefficient": 0.3, "tangential_stiffness": 500.0, "tangential_damping": 10.0},
    ),
    "gap, K_N, C_N": Rig(
        {
            "normal_law": "penalty",
            "gravity": 0.0,
            "normal_stiffness": 100.0,
            "normal_damping": 2.0,
        },
        {"initial_gap": 0.03, "contact_stiffness": 2000.0, "contact_damping": 20.0},
        measured="gap",
        input="base_acceleration_normal",
    ),
}


@dataclass(frozen=True)
class Noise:
    """A kind of noise: a function that draws measured values, and the filter that whitens them."""

    drawn: Callable[[Floats, np.random.Generator], Floats]
    filter: Callable[[Floats], Filter]
    span: float = SPAN


def _size(values: Floats) -> float:
    return NOISE * float(np.std(values))


def _white(values: Floats, random: np.random.Generator) -> Floats:
    return values + _size(values) * random.normal(size=len(values))


_PHI = 0.95


def _coloured(values: Floats, random: np.random.Generator) -> Floats:
    shocks = np.sqrt(1.0 - _PHI**2) * random.normal(size=len(values) + 1000)
    return values + _size(values) * lfilter([1.0], [1.0, -_PHI], shocks)[1000:]


def _bit(values: Floats, margin: float = 1.25) -> float:
    """Return the step of a 12-bit converter, whose range is the largest value with a margin."""
    return 2.0 * margin * float(np.max(np.abs(values))) / 2.0**12


def _quantised(values: Floats, random: np.random.Generator) -> Floats:
    """Round to the steps of a converter with a drawn offset and a drawn margin (1 to 1.5).

    Each draw has another setting of the converter. With the same steps in all draws, the rounding
    errors would be almost the same in all of them.
    """
    bit, shift = _bit(values, 1.0 + 0.5 * random.random()), random.random()
    return bit * (np.round(values / bit + shift) - shift)


def _white_filter(values: Floats) -> Filter:
    return Filter(np.empty(0), _size(values))


NOISES = {
    "white": Noise(_white, _white_filter),
    "AR(0.95)": Noise(
        _coloured,
        lambda values: Filter(np.array([_PHI]), _size(values) * float(np.sqrt(1.0 - _PHI**2))),
    ),
    "12 bits": Noise(
        _quantised, lambda values: Filter(np.empty(0), _bit(values) / float(np.sqrt(12.0)))
    ),
    "white, half the record": Noise(_white, _white_filter, 0.5 * SPAN),
}
