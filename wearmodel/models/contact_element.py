"""Contacts between bodies that another program moves, or between a body and the ground.

    m ẍ = Σ F_c + m a        of each body, F̄_c = impulse/h of each contact

The bodies move without rotation. A master without iterations gives their displacements at the
communication points, and applies the mean forces F̄_c over a step. During the step, images of the
effective masses m move with all contact forces and the acceleration a from other forces, see
`kernel.spring.image` and `kernel.bodies.steps`. The contacts are as in `models.modal_shock`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..kernel import limits
from ..kernel.bodies.measures import fill_bodies_outputs
from ..kernel.bodies.setup import broken_bodies_rule
from ..kernel.bodies.state_objects import Bodies, BodiesParameters
from ..kernel.bodies.steps import (
    BODIES_OUT_OF_RANGE,
    LARGEST,
    ROTATING_BODY,
    start_bodies,
    step_bodies,
)
from ..kernel.spring.body_image import CHANGED_STEP, OTHER_MASS
from ..kernel.spring.parameters import Lag
from ..kernel.spring.state_objects import EnergyAccount, ImageAxis, ImageState
from ..kernel.state_objects import numbers_of, values_of
from ..quantities import Input, Output, chosen, require_finite
from ..structure.description import AXES, Structure
from .contact_changes import TunableStructure
from .frictional_shock import require_advance, step_error
from .modal_quantities import CONTACT_OUTPUTS, TOTAL_OUTPUTS, of_owner, side_outputs
from .modal_shock import FAILURE_REASONS as STRUCTURE_FAILURES
from .shock_spring import FAILURES as SPRING_FAILURES
from .structure_buffers import laws_of

# Result code of a step → its message.
FAILURE_REASONS = {
    **STRUCTURE_FAILURES,
    BODIES_OUT_OF_RANGE: (
        f"displacements and velocities of the points must be ≤ {LARGEST:g} m and m/s in size: "
        "check the inputs and the stiffnesses"
    ),
    ROTATING_BODY: (
        "the points of a body have different displacements: a body moves without rotation. Give "
        "each point its own body, with the mass of the body at this point"
    ),
}
# Negative result code of a step → its warning.
WARNINGS = {code: SPRING_FAILURES[code] for code in (OTHER_MASS, CHANGED_STEP)}
# Names of the saved parts of the state.
SAVED_OF_STRUCTURE = ("motion", "contacts", "side_works", "now")
SAVED_OF_BODIES = ("images", "axes", "accounts", "mean_forces", "applied_forces")
POINT_INPUTS = (
    ("displacement", "m", "Displacement along {} at the start of the step"),
    (
        "velocity",
        "m/s",
        "Velocity along {} at the start of the step. Optional: as long as all velocities of "
        "the point have been 0, they are derived from its displacements",
    ),
)
POINT_OUTPUTS = (
    ("force", "N", "Force of all contacts on the point along {} at the end of the image's step"),
    ("mean_force", "N", "Mean of this force along {} over the step, for a master to apply"),
    ("impulse", "N.s", "Impulse of the mean force along {} over the step"),
)
BODY_OUTPUTS = (
    Output(
        "interface_balance",
        "J",
        "Energy that the contacts of the body have received since their last flight, less their "
        "dissipation. Negative if the master adds energy",
    ),
    Output("mass_seen", "kg", "Mass of the body, estimated from its response. 0: unknown"),
)


def contact_inputs(structure: Structure) -> tuple[Input, ...]:
    """Return the displacements and velocities of each point."""
    return tuple(
        Input(f"{point.name}.{name}_{axis}", unit, f"{point.name}: {text.format(axis)}")
        for point in structure.points
        for name, unit, text in POINT_INPUTS
        for axis in AXES
    )


def contact_outputs(structure: Structure) -> tuple[Output, ...]:
    """Return outputs of contacts, totals, points, bodies and sides, ordered as `output_values`."""
    totals = ("wear_work", "wear_power", "parameter_change_work")
    return (
        *(of_owner(item.name, output) for item in structure.contacts for output in CONTACT_OUTPUTS),
        *(output for output in TOTAL_OUTPUTS if output.name in totals),
        *(
            Output(f"{point.name}.{name}_{axis}", unit, f"{point.name}: {text.format(axis)}")
            for point in structure.points
            for name, unit, text in POINT_OUTPUTS
            for axis in AXES
        ),
        *(of_owner(body, output) for body in structure.body_names for output in BODY_OUTPUTS),
        *side_outputs(structure),
    )


class ContactElement(TunableStructure):
    """Contacts between bodies, advanced step by step.

    Parameters
    ----------
    structure
        Points, bodies and contacts from `read_contacts`.
    lag
        When the master applies the mean forces.
    start_time
        Time [s] at which the run starts.
    inputs
        Values at the start by name, see `contact_inputs`. The default is 0.

    Raises
    ------
    ValueError
        A start value is not finite, too large or unknown, or the points of a body differ.
    """

    def __init__(
        self,
        structure: Structure,
        *,
        lag: Lag = Lag.serial,
        start_time: float = 0.0,
        **inputs: float,
    ) -> None:
        require_finite("start_time", start_time, "s")
        super().__init__(structure)
        self._parameters = BodiesParameters()
        self._parameters.lag = float(chosen("lag", Lag, lag))
        self._bodies = bodies = _bodies_of(structure)
        modes, coupling, laws = self._body.modes, self._body.coupling, self._body.laws
        broken_bodies_rule(bodies.masses, bodies.contact_bodies, modes, coupling, laws)
        self._body.laws = laws_of(structure, self._p, laws)
        self._units = {declared.name: declared.unit for declared in contact_inputs(structure)}
        self._names = [output.name for output in contact_outputs(structure)]
        sample = [float(start_time), *self._input_values(inputs)]
        code = start_bodies(self._body, self._state, bodies, sample, self._work)
        if code != limits.OK:
            raise ValueError(FAILURE_REASONS[code])

    def kernel_rows(self) -> dict[str, Any]:
        """Arguments of the compiled kernel by name, as in `StructureBuffers`."""
        rows = super().kernel_rows()
        rows.update((name, numbers_of(value)) for name, value in vars(self._bodies).items())
        return {**rows, "p": values_of(self._parameters)}

    def step_values(self, step_size: float, values: Sequence[float]) -> str | None:
        """Advance as `step`, with inputs in the order of `contact_inputs`."""
        time = self.time
        require_advance(step_size, time)
        kept = self._saved_parts()
        try:
            code = step_bodies(
                self._parameters,
                self._body,
                self._state,
                self._bodies,
                [time, *values],
                step_size,
                self._work,
            )
        except ArithmeticError:  # compiled code continues with an infinite number
            code = limits.OVERFLOW
        if code > limits.OK:
            self._take(kept)
            raise step_error(FAILURE_REASONS[code], step_size, time)
        return WARNINGS[code] if code else None

    def output_values(self) -> tuple[float, ...]:
        """Return the outputs at the present time in the order of `contact_outputs`."""
        values = [0.0] * len(self._names)
        fill_bodies_outputs(self._body, self._state, self._bodies, self._work, values)
        return tuple(values)

    def _saved(self) -> Iterator[tuple[Any, str]]:
        """Yield each bundle with the name of a saved part."""
        yield from ((self._state, name) for name in SAVED_OF_STRUCTURE)
        yield from ((self._bodies, name) for name in SAVED_OF_BODIES)


def _bodies_of(structure: Structure) -> Bodies:
    """Return the tables of the bodies and their cleared state."""
    bodies, points = structure.body_names, [point.name for point in structure.points]
    point_bodies = [float(bodies.index(body)) for body in structure.bodies]
    contact_points = [
        [float(points.index(name)) if name else -1.0 for name in (item.point, item.second_point)]
        for item in structure.contacts
    ]
    return Bodies(
        masses=list(structure.modes.generalised_mass[:: len(AXES)]),
        point_bodies=point_bodies,
        contact_points=contact_points,
        contact_bodies=[
            [point_bodies[int(point)] if point >= 0.0 else -1.0 for point in row]
            for row in contact_points
        ],
        images=[ImageState() for _ in bodies],
        axes=[ImageAxis() for _ in bodies for _ in AXES],
        accounts=[EnergyAccount() for _ in contact_points],
        mean_forces=[[0.0] * len(AXES) for _ in contact_points],
        applied_forces=[[0.0] * len(AXES) for _ in contact_points],
    )
