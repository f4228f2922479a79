"""A clamped tube in loose supports, for benchmarks; and other schemes on the same equations."""

from __future__ import annotations

import atexit
import ctypes
import math
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from tests.structures import contact, modal_structure, point
from wearmodel import ModalShock
from wearmodel.structure import ModalBasis, Structure, modal_basis, timoshenko_beam, tube_section

Floats = NDArray[np.float64]
LENGTH, ELEMENTS = 2.0, 100
SAMPLE_STEP = 1e-3
MOST_MODES = 100


@cache
def _basis() -> tuple[Any, ModalBasis]:
    section = tube_section(0.0222, 0.00127, young=2e11, density=7800.0, added_mass=0.35)
    beam = timoshenko_beam(section, LENGTH, ELEMENTS, clamped=(0.0,))
    return beam, modal_basis(beam.mass, beam.stiffness, MOST_MODES)


def tube(modes: int, contacts: int) -> Structure:
    """The tube on so many modes in so many round supports of 1e5 N/m."""
    beam, basis = _basis()
    places = [LENGTH * (number + 1) / contacts for number in range(contacts)]

    def rows(values: NDArray[np.float64]) -> list[float]:
        return np.asarray(values[:modes]).tolist()

    return modal_structure(
        rows(basis.frequency),
        *(
            contact(
                f"support_{number}",
                f"p{number}",
                "circle",
                gap=1e-4,
                offset=[0.0, 2e-5 * (number % 2), -1e-5],
                contact_stiffness=1e5,
                tangential_stiffness=1e5,
                friction_coefficient=0.2,
            )
            for number in range(contacts)
        ),
        modes={"damping_ratio": 0.005},
        base={
            f"participation_{axis}": rows(basis.participation(np.array(beam.dofs(axis)) - 1))
            for axis in "yz"
        },
        points=[
            point(
                f"p{number}",
                **{axis: rows(basis.shapes[beam.dof(place, axis) - 1]) for axis in "yz"},
            )
            for number, place in enumerate(places)
        ],
        observe=[{"point": f"p{number}"} for number in range(contacts)],
    )


def shaking(steps: int) -> dict[str, NDArray[np.float64]]:
    """Accelerations of the support [m/s2], samples 1 ms apart."""
    time = SAMPLE_STEP * np.arange(steps + 1)
    return {
        "base_acceleration_y": 40.0 * np.sin(2.0 * math.pi * 15.0 * time),
        "base_acceleration_z": 30.0 * np.sin(2.0 * math.pi * 23.0 * time),
    }


class Tube(NamedTuple):
    """The tube's equations as arrays, and its inputs."""

    stiffness: Floats
    damping: Floats
    shapes: Floats
    drives: Floats
    laws: Floats
    samples: Floats
    observed: Floats


def tube_arrays(structure: Structure, steps: int) -> Tube:
    """What schemes of other kinds take."""
    body = ModalShock(structure)._body
    names = "gap stiffness tangential_stiffness tangential_damping friction_coefficient"
    names += " offset_1 offset_2"
    inputs = shaking(steps)
    return Tube(
        stiffness=np.array(body.modes.stiffness),
        damping=np.array(body.modes.damping),
        shapes=np.array(body.shapes),
        drives=np.array(body.drives)[1:3],
        laws=np.array([[getattr(law, name) for name in names.split()] for law in body.laws]),
        samples=np.array([inputs["base_acceleration_y"], inputs["base_acceleration_z"]]),
        observed=np.array(body.observed),
    )


def scheme_displacements(scheme: str, tube: Tube, substeps: int) -> Floats:
    """Displacements of the contacts' points across the axis after all samples.

    `scheme` is one of `SCHEMES`.
    """
    modes, contacts = len(tube.stiffness), len(tube.laws)
    state = np.zeros(2 * modes + contacts)
    SCHEMES[scheme]()(
        modes, contacts, *tube[:6], tube.samples.shape[1], SAMPLE_STEP / substeps, substeps, state
    )
    return np.asarray(tube.observed @ state[:modes])


def _in_numba(function: Callable[..., None]) -> Callable[..., None]:
    import numba

    return cast(Callable[..., None], numba.njit(error_model="numpy", fastmath=True)(function))


@cache
def _euler_in_numba() -> Callable[..., None]:
    return _in_numba(_euler)


@cache
def _runge_kutta_in_numba() -> Callable[..., None]:
    globals()["_rates"] = _in_numba(_rates)
    return _in_numba(_runge_kutta)


@cache
def _runge_kutta_in_cpp() -> Callable[..., None]:
    """The same by g++ with all that the processor has."""
    source = Path(__file__).parent / "references" / "tube_runge_kutta.cpp"
    folder = tempfile.mkdtemp(prefix="wearfmu_")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    library = Path(folder, "tube.so")
    flags = ["-std=c++17", "-O3", "-march=native", "-ffast-math", "-fPIC", "-shared"]
    subprocess.run(["g++", *flags, str(source), "-o", str(library)], check=True)
    run = ctypes.CDLL(str(library)).run
    array = np.ctypeslib.ndpointer(dtype=np.float64, flags="C_CONTIGUOUS")
    run.argtypes = [ctypes.c_int] * 2 + [array] * 6
    run.argtypes += [ctypes.c_int, ctypes.c_double, ctypes.c_int, array]
    run.restype = None
    return cast(Callable[..., None], run)


SCHEMES = {
    "symplectic Euler, numba": _euler_in_numba,
    "RK4, numba": _runge_kutta_in_numba,
    "RK4, C++": _runge_kutta_in_cpp,
}


def _euler(
    modes: int,
    contacts: int,
    stiffness: Any,
    damping: Any,
    shapes: Any,
    drives: Any,
    laws: Any,
    samples: Any,
    count: int,
    step: float,
    substeps: int,
    state: Any,
) -> None:
    """v += a dt, x += v dt, e += ė dt, for modal masses of 1 and contacts in circles."""
    q = state[:modes]
    v = state[modes : 2 * modes]
    stretch = state[2 * modes :]
    a = np.zeros(modes)
    for number in range(count - 1):
        for substep in range(substeps):
            share = substep / substeps
            first = samples[0, number] + share * (samples[0, number + 1] - samples[0, number])
            second = samples[1, number] + share * (samples[1, number + 1] - samples[1, number])
            for i in range(modes):
                a[i] = drives[0, i] * first + drives[1, i] * second
                a[i] -= damping[i] * v[i] + stiffness[i] * q[i]
            for c in range(contacts):
                gap, normal, tangential, damper, friction, x_1, x_2 = laws[c]
                v_1 = v_2 = 0.0
                for i in range(modes):
                    x_1 += shapes[3 * c, i] * q[i]
                    x_2 += shapes[3 * c + 1, i] * q[i]
                    v_1 += shapes[3 * c, i] * v[i]
                    v_2 += shapes[3 * c + 1, i] * v[i]
                radius = math.sqrt(x_1 * x_1 + x_2 * x_2)
                if radius <= gap:
                    stretch[c] = 0.0
                    continue
                force = normal * (radius - gap)
                n_1, n_2 = x_1 / radius, x_2 / radius
                sliding = v_2 * n_1 - v_1 * n_2
                rubbing = -tangential * stretch[c] - damper * sliding
                if abs(rubbing) > friction * force:
                    rubbing = math.copysign(friction * force, rubbing)
                stretch[c] -= step * (tangential * stretch[c] + rubbing) / damper
                along_1 = -force * n_1 - rubbing * n_2
                along_2 = -force * n_2 + rubbing * n_1
                for i in range(modes):
                    a[i] += along_1 * shapes[3 * c, i] + along_2 * shapes[3 * c + 1, i]
            for i in range(modes):
                v[i] += step * a[i]
                q[i] += step * v[i]


def _rates(
    modes: int,
    contacts: int,
    stiffness: Any,
    damping: Any,
    shapes: Any,
    drives: Any,
    laws: Any,
    first: float,
    second: float,
    state: Any,
    rate: Any,
) -> None:
    """Rates of q, v and the stretches; a contact that is open has none."""
    for i in range(modes):
        rate[i] = state[modes + i]
        rate[modes + i] = drives[0, i] * first + drives[1, i] * second
        rate[modes + i] -= damping[i] * state[modes + i] + stiffness[i] * state[i]
    for c in range(contacts):
        gap, normal, tangential, damper, friction, x_1, x_2 = laws[c]
        v_1 = v_2 = 0.0
        for i in range(modes):
            x_1 += shapes[3 * c, i] * state[i]
            x_2 += shapes[3 * c + 1, i] * state[i]
            v_1 += shapes[3 * c, i] * state[modes + i]
            v_2 += shapes[3 * c + 1, i] * state[modes + i]
        radius = math.sqrt(x_1 * x_1 + x_2 * x_2)
        rate[2 * modes + c] = 0.0
        if radius <= gap:
            continue
        force = normal * (radius - gap)
        n_1, n_2 = x_1 / radius, x_2 / radius
        pull = tangential * state[2 * modes + c]
        rubbing = -pull - damper * (v_2 * n_1 - v_1 * n_2)
        rubbing = min(friction * force, max(-friction * force, rubbing))
        rate[2 * modes + c] = -(pull + rubbing) / damper
        along_1 = -force * n_1 - rubbing * n_2
        along_2 = -force * n_2 + rubbing * n_1
        for i in range(modes):
            rate[modes + i] += along_1 * shapes[3 * c, i] + along_2 * shapes[3 * c + 1, i]


def _runge_kutta(
    modes: int,
    contacts: int,
    stiffness: Any,
    damping: Any,
    shapes: Any,
    drives: Any,
    laws: Any,
    samples: Any,
    count: int,
    step: float,
    substeps: int,
    state: Any,
) -> None:
    """As `references/tube_runge_kutta.cpp`."""
    k = np.zeros((4, len(state)))
    between = np.zeros(len(state))
    weights = (0.0, 0.5, 0.5, 1.0)
    for number in range(count - 1):
        for substep in range(substeps):
            for stage in range(4):
                for i in range(len(state)):
                    between[i] = state[i] + weights[stage] * step * k[stage - 1, i]
                share = (substep + weights[stage]) / substeps
                first = samples[0, number] + share * (samples[0, number + 1] - samples[0, number])
                second = samples[1, number] + share * (samples[1, number + 1] - samples[1, number])
                _rates(
                    modes,
                    contacts,
                    stiffness,
                    damping,
                    shapes,
                    drives,
                    laws,
                    first,
                    second,
                    between,
                    k[stage],
                )
            for i in range(len(state)):
                state[i] += step / 6.0 * (k[0, i] + 2.0 * k[1, i] + 2.0 * k[2, i] + k[3, i])
            for c in range(contacts):
                x_1, x_2 = laws[c, 5], laws[c, 6]
                for i in range(modes):
                    x_1 += shapes[3 * c, i] * state[i]
                    x_2 += shapes[3 * c + 1, i] * state[i]
                if math.sqrt(x_1 * x_1 + x_2 * x_2) <= laws[c, 0]:
                    state[2 * modes + c] = 0.0
