"""A clamped tube in loose supports, for benchmarks; and symplectic Euler on the same equations."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wearmodel import ModalShock
from wearmodel.structure import (
    ModalBasis,
    Structure,
    modal_basis,
    structure_of,
    timoshenko_beam,
    tube_section,
)

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

    return structure_of(
        {
            "modes": {"frequency": rows(basis.frequency), "damping_ratio": 0.005},
            "base": {
                f"participation_{axis}": rows(basis.participation(np.array(beam.dofs(axis)) - 1))
                for axis in "yz"
            },
            "point": [
                {
                    "name": f"p{number}",
                    **{
                        f"shape_{axis}": rows(basis.shapes[beam.dof(place, axis) - 1])
                        for axis in "yz"
                    },
                }
                for number, place in enumerate(places)
            ],
            "contact": [
                {
                    "name": f"support_{number}",
                    "point": f"p{number}",
                    "obstacle": "circle",
                    "axis": [1.0, 0.0, 0.0],
                    "gap": 1e-4,
                    "offset": [0.0, 2e-5 * (number % 2), -1e-5],
                    "contact_stiffness": 1e5,
                    "tangential_stiffness": 1e5,
                    "friction_coefficient": 0.2,
                }
                for number in range(contacts)
            ],
            "observe": [{"point": f"p{number}"} for number in range(contacts)],
        }
    )


def shaking(steps: int) -> dict[str, NDArray[np.float64]]:
    """Accelerations of the support [m/s2], samples 1 ms apart."""
    time = SAMPLE_STEP * np.arange(steps + 1)
    return {
        "base_acceleration_y": 40.0 * np.sin(2.0 * math.pi * 15.0 * time),
        "base_acceleration_z": 30.0 * np.sin(2.0 * math.pi * 23.0 * time),
    }


def euler_displacements(structure: Structure, steps: int, substeps: int) -> NDArray[np.float64]:
    """Displacements of the contacts' points across the axis after `steps` samples."""
    import numba

    model = ModalShock(structure)
    run = numba.njit(error_model="numpy")(_euler) if _compiled is None else _compiled
    globals()["_compiled"] = run
    laws = np.array(
        [
            [
                law.gap,
                law.stiffness,
                law.tangential_stiffness,
                law.tangential_damping,
                law.friction_coefficient,
                law.offset_1,
                law.offset_2,
            ]
            for law in model._body.laws
        ]
    )
    inputs = shaking(steps)
    samples = np.array([inputs["base_acceleration_y"], inputs["base_acceleration_z"]])
    displacement = run(
        np.array(model._body.modes.stiffness),
        np.array(model._body.modes.damping),
        np.array(model._body.shapes),
        np.array(model._body.drives)[1:3],
        laws,
        samples,
        SAMPLE_STEP / substeps,
        substeps,
    )
    return np.array(model._body.observed) @ displacement


_compiled: Any = None


def _euler(
    stiffness: Any,
    damping: Any,
    shapes: Any,
    drives: Any,
    laws: Any,
    samples: Any,
    step: float,
    substeps: int,
) -> Any:
    """v += a dt, x += v dt, e += ė dt, for modal masses of 1 and contacts in circles."""
    modes = len(stiffness)
    contacts = len(laws)
    q = np.zeros(modes)
    v = np.zeros(modes)
    a = np.zeros(modes)
    stretch = np.zeros((contacts, 2))
    for number in range(samples.shape[1] - 1):
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
                    stretch[c, 0] = 0.0
                    continue
                force = normal * (radius - gap)
                n_1, n_2 = x_1 / radius, x_2 / radius
                sliding = v_2 * n_1 - v_1 * n_2
                rubbing = -tangential * stretch[c, 0] - damper * sliding
                if abs(rubbing) > friction * force:
                    rubbing = math.copysign(friction * force, rubbing)
                stretch[c, 0] -= step * (tangential * stretch[c, 0] + rubbing) / damper
                along_1 = -force * n_1 - rubbing * n_2
                along_2 = -force * n_2 + rubbing * n_1
                for i in range(modes):
                    a[i] += along_1 * shapes[3 * c, i] + along_2 * shapes[3 * c + 1, i]
            for i in range(modes):
                v[i] += step * a[i]
                q[i] += step * v[i]
    return q
