"""Writes acceleration.csv: seeded, filtered noise with a given spectrum and envelope.

    a(t) = E(t) Σ_k √(2 S(ω_k) Δω) cos(ω_k t + φ_k)

S(ω) is the spectrum of Kanai and Tajimi (white noise through a layer of soil) with the second
filter of Clough and Penzien, which removes the drift:

    S(ω)/S0 = (1 + 4 ζg² r²)/((1 − r²)² + 4 ζg² r²) · q⁴/((1 − q²)² + 4 ζf² q²),
    r = ω/ωg,  q = ω/ωf

E(t) rises as (t/t1)² until t1, is 1 until t2, and decreases as exp(−c (t − t2)). The phases φ_k are
uniformly distributed on [0, 2π). The mean is subtracted and the peak is scaled. Both columns are
computed in this way. The vertical column has other phases and a smaller peak.

Run the script to write the file again.
"""

from __future__ import annotations

import math
import random
from pathlib import Path

SEED = 20030721
STEP = 0.005  # s
SAMPLES = 4001
GROUND_FREQUENCY, GROUND_DAMPING = 15.7, 0.6  # ωg [rad/s], ζg, firm soil
FILTER_FREQUENCY, FILTER_DAMPING = 1.57, 0.6  # ωf [rad/s], ζf
HIGHEST_FREQUENCY = 25.0  # Hz, a quarter of the Nyquist frequency
RISE_END, PLATEAU_END, DECAY = 2.5, 9.0, 0.35  # t1, t2 [s], c [1/s]
PEAKS = {"base_acceleration": 3.5, "vertical_acceleration": 2.0}  # m/s2


def spectrum(frequency: float) -> float:
    """Return S(ω)/S0, where `frequency` is ω [rad/s]."""
    r, q = (frequency / GROUND_FREQUENCY) ** 2, (frequency / FILTER_FREQUENCY) ** 2
    ground, low = 4.0 * GROUND_DAMPING**2 * r, 4.0 * FILTER_DAMPING**2 * q
    return (1.0 + ground) / ((1.0 - r) ** 2 + ground) * q**2 / ((1.0 - q) ** 2 + low)


def envelope(time: float) -> float:
    """Return E(t)."""
    if time < RISE_END:
        return (time / RISE_END) ** 2
    return math.exp(-DECAY * max(0.0, time - PLATEAU_END))


def shaking(phases: random.Random, peak: float) -> list[float]:
    """Return the samples of one column [m/s2]."""
    spacing = 2.0 * math.pi / (STEP * (SAMPLES - 1))
    count = round(2.0 * math.pi * HIGHEST_FREQUENCY / spacing)
    waves = [
        (k * spacing, math.sqrt(2.0 * spectrum(k * spacing) * spacing), math.tau * phases.random())
        for k in range(1, count + 1)
    ]
    samples = []
    for index in range(SAMPLES):
        time = index * STEP
        total = sum(height * math.cos(omega * time + phase) for omega, height, phase in waves)
        samples.append(envelope(time) * total)
    mean = sum(samples) / SAMPLES
    highest = max(abs(value - mean) for value in samples)
    return [peak * (value - mean) / highest for value in samples]


def text() -> str:
    """Return the content of the file."""
    # Python guarantees the same numbers of `random` for the same seed in all versions.
    phases = random.Random(SEED)
    columns = [shaking(phases, peak) for peak in PEAKS.values()]
    rows = [
        f"{index * STEP:.3f},{','.join(f'{column[index]:.5f}' for column in columns)}\n"
        for index in range(SAMPLES)
    ]
    return ",".join(["time", *PEAKS]) + "\n" + "".join(rows)


if __name__ == "__main__":
    cases = Path(__file__).parents[4] / "harness" / "cases"
    target = cases / "synthetic_quake" / "acceleration.csv"
    target.write_text(text(), encoding="utf-8", newline="\n")
