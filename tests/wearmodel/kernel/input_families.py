"""Families of random inputs for the accuracy of input extrapolation.

A shoe of SDND104 (1 kg, μ = 0.1, 10 m/s²) is excited for 20 s by an input with samples every 10 ms.
The reference is the same kernel with linear interpolation between samples 40 times as dense. The
reference does not use extrapolation. `python tests/wearmodel/kernel/input_families.py` prints
the table of `docs/physics.md`.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from wearmodel import FrictionalShockParameters, run_records

Floats = NDArray[np.float64]
Signal = Callable[[Floats], Floats]
Family = Callable[[np.random.Generator], Signal]

STEP = 1e-2  # s
STEPS = 2000
FINER = 40
DRAWS = 32
ORDERS = {"hold": 0, "order 2": 2, "order 3": 3, "automatic": -1}
SAMPLES = np.arange(STEPS + 1) * STEP


def wave(rng: np.random.Generator) -> tuple[float, Callable[[Floats], Floats]]:
    """Return the amplitude [m/s²] and the phase [rad] over time, at 1 to 4 Hz."""
    amplitude, frequency, phase = rng.uniform(3, 9), rng.uniform(1, 4), rng.uniform(0, 2 * np.pi)
    return amplitude, lambda t: 2 * np.pi * frequency * t + phase


def turns(rng: np.random.Generator) -> tuple[float, Callable[[Floats], tuple[Floats, Floats]]]:
    """Return a period of 0.5 to 2 s and a function of time.

    The function returns the number of completed periods and the time since the last one ended.
    """
    period, start = rng.uniform(0.5, 2), rng.uniform(0, 1)

    def since(t: Floats) -> tuple[Floats, Floats]:
        passed = t / period + start
        return np.floor(passed), passed % 1 * period

    return period, since


def sine(rng: np.random.Generator) -> Signal:
    a, phase = wave(rng)
    return lambda t: a * np.sin(phase(t))


def half_sine(rng: np.random.Generator) -> Signal:
    a, phase = wave(rng)
    return lambda t: a * np.maximum(0, np.sin(phase(t)))


def rectified_sine(rng: np.random.Generator) -> Signal:
    a, phase = wave(rng)
    return lambda t: a * (np.abs(np.sin(0.5 * phase(t))) - 2 / np.pi)


def dead_band(rng: np.random.Generator) -> Signal:
    a, phase = wave(rng)
    width = rng.uniform(0.2, 0.6)
    return lambda t: a * np.sign(np.sin(phase(t))) * np.maximum(0, np.abs(np.sin(phase(t))) - width)


def clipped_sine(rng: np.random.Generator) -> Signal:
    a, phase = wave(rng)
    return lambda t: a * np.clip(np.sin(phase(t)), -0.6, 0.6)


def triangle(rng: np.random.Generator) -> Signal:
    a, phase = wave(rng)
    return lambda t: a * 2 / np.pi * np.arcsin(np.sin(phase(t)))


def sawtooth(rng: np.random.Generator) -> Signal:
    a, phase = wave(rng)
    return lambda t: a * (phase(t) / np.pi % 2 - 1)


def noisy_sine(rng: np.random.Generator) -> Signal:
    a, phase = wave(rng)
    noise = 0.01 * a * rng.normal(size=STEPS + 1)
    return lambda t: a * np.sin(phase(t)) + np.interp(t, SAMPLES, noise)


def tone_bursts(rng: np.random.Generator) -> Signal:
    a, frequency, on = rng.uniform(3, 9), rng.uniform(4, 12), rng.uniform(0.2, 0.6)
    period, since = turns(rng)
    return lambda t: a * np.sin(2 * np.pi * frequency * t) * (since(t)[1] < on * period)


def chirp(rng: np.random.Generator) -> Signal:
    a, first, last = rng.uniform(3, 9), rng.uniform(0.5, 2), rng.uniform(15, 30)
    rate = (last - first) / (2 * STEPS * STEP)
    return lambda t: a * np.sin(2 * np.pi * (first * t + rate * t**2))


def three_sines(rng: np.random.Generator) -> Signal:
    a, f, phase = rng.uniform(1, 4, 3), rng.uniform(0.5, 8, 3), rng.uniform(0, 2 * np.pi, 3)
    return lambda t: sum(a[i] * np.sin(2 * np.pi * f[i] * t + phase[i]) for i in range(3))


def modulated_sine(rng: np.random.Generator) -> Signal:
    a, phase = wave(rng)
    slow = rng.uniform(0.1, 0.8)
    return lambda t: a * np.sin(2 * phase(t)) * (1 + np.sin(2 * np.pi * slow * t)) / 2


def decays(rng: np.random.Generator) -> Signal:
    a, fade = rng.uniform(4, 12), rng.uniform(0.05, 0.3)
    _, since = turns(rng)
    return lambda t: a * np.exp(-since(t)[1] / fade) * (1 - 2 * (since(t)[0] % 2))


def shocks(rng: np.random.Generator) -> Signal:
    a, length = rng.uniform(5, 15), rng.uniform(0.04, 0.2)
    _, since = turns(rng)

    def signal(t: Floats) -> Floats:
        number, time = since(t)
        pulse = np.where(time < length, np.sin(np.pi * time / length), 0)
        return a * pulse * (1 - 2 * (number % 2))

    return signal


def telegraph(rng: np.random.Generator) -> Signal:
    count = int(STEPS * STEP / rng.uniform(0.05, 0.5))
    jumps = np.sort(rng.uniform(0, STEPS * STEP, count))
    values = rng.normal(size=count + 1) * rng.uniform(2, 6)
    return lambda t: values[np.searchsorted(jumps, t)]


def smoothed(rng: np.random.Generator, rms: float, width: int) -> Signal:
    """Return noise sampled at 1 kHz, smoothed by a Hann window and linearly interpolated."""
    window = np.hanning(width + 2)
    noise = np.convolve(rng.normal(size=20 * STEPS // 2 + width + 2), window, "valid")
    noise *= rms / noise.std()
    times = np.arange(len(noise)) * 0.1 * STEP
    return lambda t: np.interp(t % times[-1], times, noise)


def filtered_noise(rng: np.random.Generator) -> Signal:
    return smoothed(rng, 4.0, int(rng.uniform(50, 400)))


def white_noise(rng: np.random.Generator) -> Signal:
    noise = rng.normal(size=STEPS + 1) * rng.uniform(2, 6)
    return lambda t: np.interp(t, SAMPLES, noise)


def quantised_sine(rng: np.random.Generator) -> Signal:
    a, phase = wave(rng)
    grain = a / rng.choice([50, 200, 1000])
    return lambda t: np.round(a * np.sin(phase(t)) / grain) * grain


FAMILIES: dict[str, Family] = {
    one.__name__.replace("_", " "): one
    for one in (
        sine,
        half_sine,
        rectified_sine,
        dead_band,
        clipped_sine,
        triangle,
        sawtooth,
        noisy_sine,
        quantised_sine,
        tone_bursts,
        chirp,
        three_sines,
        modulated_sine,
        decays,
        shocks,
        telegraph,
        filtered_noise,
        white_noise,
    )
}


@dataclass(frozen=True)
class Errors:
    """Errors of all draws of a family: wear work (relative) and displacement [m]."""

    wear: Floats
    displacement: Floats

    @property
    def rms(self) -> float:
        return float(np.sqrt(np.mean(self.wear**2)))

    @property
    def mean(self) -> float:
        return float(np.mean(self.wear))

    @property
    def bias(self) -> float:
        return float(np.mean(self.displacement))


@cache
def family_errors(name: str) -> dict[str, Errors]:
    """Return the errors after 20 s for each extrapolation order."""
    signals = []
    for draw in range(DRAWS):
        rng = np.random.default_rng([zlib.crc32(name.encode()), draw])
        signals.append(FAMILIES[name](rng))
    fine = np.arange(STEPS * FINER + 1) * (STEP / FINER)
    ends: dict[str, list[Floats]] = {}
    truth = run_records(
        FrictionalShockParameters(),
        fine,
        base_acceleration=np.array([signal(fine) for signal in signals]),
    )
    assert not truth.failures
    for label, order in ORDERS.items():
        got = run_records(
            FrictionalShockParameters(input_extrapolation_order=order),
            SAMPLES,
            base_acceleration=np.array([signal(SAMPLES) for signal in signals]),
            between_samples="extrapolated",
        )
        assert not got.failures
        ends[label] = [got.final["wear_work"], got.final["relative_displacement"]]
    work, place = truth.final["wear_work"], truth.final["relative_displacement"]
    return {label: Errors(wear / work - 1, end - place) for label, (wear, end) in ends.items()}


def row(name: str) -> str:
    """Return one row of the table of `docs/physics.md`."""
    found = family_errors(name)
    wear = [f"{one.rms:.1e} / {one.mean:+.1e}" for one in found.values()]
    bias = [f"{found[label].bias:+.1e}" for label in ("hold", "order 2", "automatic")]
    return f"| {name} | {' | '.join(wear)} | {' / '.join(bias)} |".replace("-", "−").replace(
        "e−", "e-"
    )


if __name__ == "__main__":
    for family in FAMILIES:
        print(row(family))
