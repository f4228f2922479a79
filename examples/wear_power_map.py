"""A design map: mean wear power over amplitude and friction, half a million cases.

The harmonic case has a closed form; `harmonic_wear_powers` runs it compiled on all cores where
numba is installed. `examples/sweep_map.toml` does the like for any case through `wearfmu sweep`.
"""

from __future__ import annotations

import math
import time

import numpy as np

from wearmodel import harmonic_wear_powers

amplitudes = np.geomspace(0.5, 20.0, 1000)  # m/s2
frictions = np.linspace(0.05, 0.15, 500)

began = time.perf_counter()
powers = harmonic_wear_powers(
    mass=1.0,
    gravity=10.0,
    friction_coefficient=frictions[:, np.newaxis],
    amplitude=amplitudes,
    angular_frequency=2.0 * math.pi,
    window=(4.0, 12.0),
)
seconds = time.perf_counter() - began
print(f"{powers.size} cases in {seconds:.2f} s, compilation included")

worst = np.unravel_index(np.argmax(powers), powers.shape)
print(
    f"most wear: {powers[worst]:.4g} W at μ = {frictions[worst[0]]:.3g}, "
    f"a0 = {amplitudes[worst[1]]:.3g} m/s2"
)
print(f"without slip: {np.mean(powers == 0.0):.1%} of the map")
