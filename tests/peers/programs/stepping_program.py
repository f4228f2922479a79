"""Programs with constant steps in C: Runge–Kutta of order 4, and Moreau–Jean (`stepping.c`)."""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from pathlib import Path

import ball as b
import numpy as np
from serve import serve

# Vector instructions of this processor. Sums are vectorised only if they may be reordered.
FLAGS = ("-O3", "-march=native", "-ffast-math", "-fPIC", "-shared")
ARRAY = np.ctypeslib.ndpointer(dtype=np.float64, flags="C_CONTIGUOUS")


def compiled():
    """Return the functions of `stepping.c`."""
    with tempfile.TemporaryDirectory(prefix="wearfmu_") as folder:
        library = Path(folder, "stepping.so")
        source = Path(__file__).with_name("stepping.c")
        subprocess.run(["gcc", *FLAGS, str(source), "-o", str(library), "-lm"], check=True)
        functions = ctypes.CDLL(str(library))
    functions.shoe_rk4.restype = functions.shoe_moreau_jean.restype = ctypes.c_double
    functions.shoe_rk4.argtypes = [ctypes.c_double, ctypes.c_int]
    functions.shoe_moreau_jean.argtypes = [ctypes.c_double, ctypes.c_int, ctypes.c_double]
    functions.ball.argtypes = [ctypes.c_int, *[ctypes.c_double] * 5]
    functions.ball.argtypes += [ctypes.POINTER(ctypes.c_long), ctypes.c_int, ARRAY]
    functions.tube.argtypes = [*[ctypes.c_int] * 3, *[ARRAY] * 6]
    functions.tube.argtypes += [ctypes.c_int, ctypes.c_double, ctypes.c_int, ARRAY]
    functions.ball.restype = functions.tube.restype = None
    return functions


C = compiled()


def shoe(setting, data):
    amplitude, steps = setting["amplitude"], setting["steps per period"]
    if setting["scheme"] == "RK4":
        return lambda: [C.shoe_rk4(amplitude, steps)]
    return lambda: [C.shoe_moreau_jean(amplitude, steps, setting["theta"])]


def ball(setting, data):
    per_second, count = setting["steps per second"], len(b.TIMES)
    ends = (ctypes.c_long * count)(*(round(time * per_second) for time in b.TIMES))
    values = np.zeros(count)
    constants = (b.HEIGHT, b.MASS, b.GRAVITY, b.RESTITUTION, 1.0 / per_second)

    def run():
        C.ball(setting["scheme"] == "Moreau–Jean", *constants, ends, count, values)
        return values

    return run


def tube(setting, data):
    names = ("stiffness", "damping", "shapes", "drives", "laws", "samples")
    arrays = [np.array(data[name]) for name in names]
    modes, contacts, count = len(arrays[0]), len(arrays[4]), arrays[5].shape[1]
    observed = np.array(data["observed"])
    state = np.zeros(2 * modes + contacts)
    scheme = setting["scheme"] == "Moreau–Jean"
    end = (count, data["sample_step"], setting["steps per ms"], state)

    def run():
        C.tube(scheme, modes, contacts, *arrays, *end)
        return observed @ state[:modes]

    return run


if __name__ == "__main__":
    serve({"shoe": shoe, "ball": ball, "tube": tube})
