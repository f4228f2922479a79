"""A clamped tube in loose supports, for benchmarks: structure, equations and native FMU."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import fmpy
import numpy as np
from fmpy import fmi2
from numpy.typing import NDArray

from tests.structures import contact, modal_structure, point
from wearmodel import InputTiming, ModalShock
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
    """Return the tube with a number of modes and of round supports of 1e5 N/m."""
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
    """Return base accelerations [m/s2] at intervals of 1 ms."""
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
    """Return the arrays for other integration schemes."""
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


class NativeTube:
    """The native FMU of a tube in four supports, called by fmpy."""

    def __init__(self, path: Path, folder: Path, steps: int) -> None:
        description = fmpy.read_model_description(path)
        references = {one.name: one.valueReference for one in description.modelVariables}
        self.slave = fmi2.FMU2Slave(
            guid=description.guid,
            modelIdentifier="ModalShock",
            unzipDirectory=fmpy.extract(path, folder),
            instanceName="tube",
        )
        self.slave.instantiate()
        record = shaking(steps)
        self.inputs = [references[name] for name in record]
        self.samples = np.array(list(record.values())).T.tolist()
        self.timing = [references["input_timing"]]
        self.outputs = [references[name] for name in displacement_names()]

    def run(self) -> None:
        """Reset and take all steps."""
        self.slave.reset()
        self.slave.setInteger(self.timing, [int(InputTiming.end)])
        self.slave.setupExperiment()
        self.slave.enterInitializationMode()
        self.slave.exitInitializationMode()
        for number, values in enumerate(self.samples[1:]):
            self.slave.setReal(self.inputs, values)
            self.slave.doStep(number * SAMPLE_STEP, SAMPLE_STEP)

    def displacements(self) -> list[float]:
        """Return the displacements at the end of a run."""
        values: list[float] = self.slave.getReal(self.outputs)
        return values


def displacement_names() -> list[str]:
    """Return the names of the displacements of the four supports."""
    return [f"p{number}.displacement_{axis}" for number in range(4) for axis in "xyz"]
