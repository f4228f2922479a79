"""Maps of the mean wear power of a rubbing shoe over its parameters, on all cores.

The mass slides freely on a harmonically shaken support, held by friction alone, from rest on it at
t = 0: the model of `closed_forms.RubbingShoe`, for arrays of cases. From a compiled
library where there is one; the same functions run interpreted where there is none.

Source: SDND104 (V5.01.104), section 2.
"""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..compiled.run_library import runs_of
from ..kernel.rubbing.wear_powers import LARGEST_QUARTERS, ROW_COUNT
from ..quantities import require_positive
from ..reference.closed_forms.rubbing_shoe import PARAMETER_UNITS, check_window
from .cores import core_count

Floats = NDArray[np.float64]

# Cases that a thread takes at a time, sorted by frequency: some milliseconds of work.
_CHUNK = 16384
# Those that go side by side: with their 13 rows they fill the first-level cache of 32 kB.
_LANES = 256


def harmonic_wear_powers(
    *,
    mass: ArrayLike,
    gravity: ArrayLike,
    friction_coefficient: ArrayLike,
    amplitude: ArrayLike,
    angular_frequency: ArrayLike,
    window: tuple[float, float],
    threads: int | None = None,
) -> Floats:
    """Mean of F_N |v_slip| over a window, for every case.

    The support's acceleration is a0 sin ωt. The relative error is below 1e-13 where the window
    holds a whole slip; where it only cuts one, the error is below 1e-14 of that slip's wear work.
    The last bits of a case may depend on those that it is calculated beside.

    Parameters
    ----------
    mass, gravity, friction_coefficient, amplitude, angular_frequency
        m [kg], g [m/s2], μ [1], a0 [m/s2], ω [rad/s], all > 0; arrays that broadcast together.
    window
        Start and stop [s], 0 ≤ start < stop; at most 2¹⁸ periods of the shaking from t = 0.
    threads
        How many work at a time; as many as there are cores by default. Interpreted, one.

    Returns
    -------
    array
        Mean wear power [W], of the shape that the parameters broadcast to.

    Raises
    ------
    ValueError
        A parameter is not positive and finite, shapes do not fit together, or the window is empty
        or too late.
    """
    given = (mass, gravity, friction_coefficient, amplitude, angular_frequency)
    arrays = [np.asarray(values, dtype=np.float64) for values in given]
    for (name, unit), values in zip(PARAMETER_UNITS.items(), arrays, strict=True):
        if values.size:  # the extremes of values that are not all numbers are none
            require_positive(name, float(values.min()), unit)
            require_positive(name, float(values.max()), unit)
    start, stop = float(window[0]), float(window[1])
    check_window(start, stop)
    try:
        shape = np.broadcast_shapes(*(values.shape for values in arrays))
    except ValueError:
        shapes = ", ".join(f"{n} {v.shape}" for n, v in zip(PARAMETER_UNITS, arrays, strict=True))
        raise ValueError(f"shapes must broadcast together: {shapes}") from None
    _require_reach(float(arrays[-1].max(initial=0.0)), stop)

    cases = [np.ascontiguousarray(np.broadcast_to(v, shape)).ravel() for v in arrays]
    powers = np.empty(cases[0].size)
    runs = runs_of("RubbingShoe")

    def do_chunk(first: int) -> None:
        chunk = slice(first, first + _CHUNK)
        order = np.argsort(cases[-1][chunk]).astype(np.int64, copy=False)
        inputs = [values[chunk] for values in cases]
        space = (np.zeros(_LANES, dtype=np.int64), np.zeros((ROW_COUNT, _LANES)))
        runs.call("wear_powers", order, *inputs, start, stop, powers[chunk], *space)

    workers = (threads or core_count()) if runs.is_compiled else 1
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(do_chunk, range(0, powers.size, _CHUNK)))
    return powers.reshape(shape)


def require_harmonic_case(*, window: tuple[float, float], **parameters: float) -> None:
    """Raise ValueError unless `harmonic_wear_powers` takes this case; parameters are its own."""
    for name, unit in PARAMETER_UNITS.items():
        require_positive(name, parameters[name], unit)
    check_window(*window)
    _require_reach(parameters["angular_frequency"], window[1])


def _require_reach(angular_frequency: float, stop: float) -> None:
    """Raise ValueError where the window ends after more periods than phases are reduced for."""
    if angular_frequency * stop > LARGEST_QUARTERS * 0.5 * math.pi:
        raise ValueError(
            f"window stop={stop} s must be ≤ {LARGEST_QUARTERS // 4} periods of "
            f"angular_frequency={angular_frequency} rad/s"
        )
