"""The shock spring in quasi-statics: parameters, state and outputs.

    load = elastic_stiffness · displacement + force                       (x, y, z)
    force_x = contact_stiffness · (displacement_x + gap_at_rest) ≤ 0 in contact, otherwise 0
    |(force_y, force_z)| ≤ friction_coefficient · |force_x|

An elastic spring in parallel with a contact spring whose friction is elastic-plastic. Either the
displacement is imposed, or the load is. A given load with an elastic spring in parallel is the same
as a given displacement p = load/elastic_stiffness of the far end of that spring put in series:

    p = displacement + force/elastic_stiffness
    1/K' = 1/K + 1/elastic_stiffness           (contact and tangential stiffness as seen from p)

so that one law in the driving point p serves both drives, exactly, with the same anchor and the
same slip; an imposed displacement is the case without compliance, p = displacement, K' = K.

With displacement drive friction may depend on speed: v is that of the straight path, so that μ is
constant over a step. Where it falls from one step to the next, the anchor jumps on at once.

No inertia, no damping, no change of the geometry by wear. The law itself is in
`wearmodel.kernel.shock_spring_law`. Source: SSND116, sections 1 and 2.1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ..kernel.friction import SLOW_WITHOUT_DECAY, friction_at, stretch_per_force
from ..kernel.parameters import RULES, ContactMode
from ..kernel.shock_spring_law import (
    ANCHORING_Y,
    ANCHORING_Z,
    DRIVE_X,
    DRIVE_Y,
    DRIVE_Z,
    LARGEST,
    MODE,
    OK,
    STATE_COUNT,
    STRETCH_Y,
    STRETCH_Z,
    WEAR_WORK,
    advance,
    shrink_to_cone,
)
from ..quantities import Choice, Input, Output, check_quantities, quantity, require_finite


class Drive(Choice):
    """What is given: the loads, or the displacements."""

    load = 0, "The loads are given; an elastic spring is needed"
    displacement = 1, "The displacements are given"


@dataclass(frozen=True)
class ShockSpringParameters:
    """What the spring is made of; the defaults are those of SSND116 on one node.

    Raises
    ------
    ValueError, TypeError
        A value is out of range or contradicts another; the message names quantity, value, unit
        and the rule broken.
    """

    drive: Drive = quantity(
        Drive.load,
        description="Drive: the loads are given, or the displacements are",
    )
    elastic_stiffness: float = quantity(
        1.0,
        unit="N/m",
        minimum=0.0,
        description="Parallel elastic spring in x, y and z; > 0 with load drive, without effect "
        "with displacement drive",
        symbol="k",
    )
    contact_stiffness: float = quantity(
        1.0,
        unit="N/m",
        above=0.0,
        description="Stiffness of the contact along x",
        symbol="K_N",
        aliases=("RIGI_NOR",),
    )
    tangential_stiffness: float = quantity(
        0.5,
        unit="N/m",
        above=0.0,
        description="Stiffness of the contact across x before slip",
        symbol="K_T",
        aliases=("RIGI_TAN",),
    )
    friction_coefficient: float = quantity(
        0.5,
        minimum=0.0,
        description="Coulomb's coefficient; 0 slides freely",
        symbol="μ",
        aliases=("μ_d", "COULOMB"),
    )
    dist_1: float = quantity(
        0.5,
        unit="m",
        description="Matter about the first node along x; with one node the gap at rest",
    )
    dist_2: float = quantity(
        0.0, unit="m", description="Matter about the second node along x; 0 with one node"
    )
    length: float = quantity(
        0.0,
        unit="m",
        minimum=0.0,
        description="Distance of the two nodes along x; 0: one node",
        symbol="L",
    )
    friction_coefficient_slow: float = quantity(
        -1.0,
        description="Coefficient of friction μ_0 to which that in slip tends at low speed, with "
        "friction_decay_velocity and displacement drive",
        negative="the same as friction_coefficient",
        symbol="μ_0",
    )
    friction_decay_velocity: float = quantity(
        0.0,
        unit="m/s",
        minimum=0.0,
        nominal=0.1,
        description="Speed v_s over which the coefficient goes over from μ_0 to "
        "friction_coefficient; 0: it does not depend on it",
        symbol="v_s",
    )
    viscous_friction: float = quantity(
        0.0,
        unit="s/m",
        minimum=0.0,
        description="Part of the coefficient that grows with speed, η in η v; displacement drive",
        symbol="η",
    )

    def __post_init__(self) -> None:
        check_quantities(self)
        slow = self.friction_coefficient_slow
        if slow >= 0.0 and self.friction_decay_velocity == 0.0:
            raise ValueError(RULES[SLOW_WITHOUT_DECAY].format(slow, 0.0))
        if self.drive is Drive.load and self.friction_varies:
            raise ValueError(
                f"friction_coefficient_slow={slow!r} and viscous_friction={self.viscous_friction!r}"
                " s/m need drive displacement: under given loads a quasi-static path has no speed"
            )
        if self.drive is Drive.load and self.elastic_stiffness == 0.0:
            raise ValueError(
                "elastic_stiffness=0.0 N/m must be > 0 with drive load: "
                "without the elastic spring there is no equilibrium in slip or in flight"
            )
        if self.length == 0.0 and self.dist_2 != 0.0:
            raise ValueError(
                f"dist_2={self.dist_2!r} m must be 0 with one node (length=0 m): "
                "it belongs to the second node"
            )

    @property
    def friction_varies(self) -> bool:
        """Whether the coefficient of friction depends on the speed of the path."""
        slow = self.friction_coefficient_slow
        return self.viscous_friction > 0.0 or (slow >= 0.0 and slow != self.friction_coefficient)

    def friction_at(self, speed: float) -> float:
        """Coefficient of friction at a speed [m/s] ≥ 0 of the tangential path."""
        if not self.friction_varies:
            return self.friction_coefficient
        slow = self.friction_coefficient_slow
        return friction_at(
            self.friction_coefficient,
            slow if slow >= 0.0 else self.friction_coefficient,
            self.friction_decay_velocity,
            self.viscous_friction,
            speed,
        )

    @property
    def gap_at_rest(self) -> float:
        """Gap of the unloaded spring [m]; negative: pressed together at rest, a preload.

        Two nodes: length − dist_1 − dist_2. One node: dist_1.
        """
        if self.length > 0.0:
            return self.length - self.dist_1 - self.dist_2
        return self.dist_1


INPUTS: tuple[Input, ...] = (
    Input("load_x", "N", "Load along x at the end of the step, with drive load"),
    Input("load_y", "N", "Load along y at the end of the step, with drive load"),
    Input("load_z", "N", "Load along z at the end of the step, with drive load"),
    Input("imposed_displacement_x", "m", "Displacement x, with drive displacement"),
    Input("imposed_displacement_y", "m", "Displacement y, with drive displacement"),
    Input("imposed_displacement_z", "m", "Displacement z, with drive displacement"),
)

# Each is an attribute of `ShockSpring`.
OUTPUTS: tuple[Output, ...] = (
    Output("displacement_x", "m", "Displacement along x, positive away from the obstacle"),
    Output("displacement_y", "m", "Displacement along y, tangential to the obstacle"),
    Output("displacement_z", "m", "Displacement along z, tangential to the obstacle"),
    Output(
        "force_x",
        "N",
        "Contact force: load = elastic_stiffness·displacement + force",
        aliases=("N", "F_N"),
    ),
    Output("force_y", "N", "Friction force along y, counted like force_x"),
    Output("force_z", "N", "Friction force along z, counted like force_x"),
    Output("slip_y", "m", "Plastic part of the displacement along y"),
    Output("slip_z", "m", "Plastic part of the displacement along z"),
    Output("contact_mode", "1", "Flight, stick or slip at the end of the step", kind=ContactMode),
    Output("wear_work", "J", "Integral of |force_x| |slip rate|", minimum=0.0),
)


class ShockSpring:
    """A shock spring that remembers where its contact is anchored.

    It begins with the drive at (0, 0, 0) and no tangential force; each step leads the drive on a
    straight line from where it was to the values given, and the outputs are those at its end. So
    piecewise-linear histories are exact to rounding, however their legs are cut into steps.

    Attributes
    ----------
    displacement_x, displacement_y, displacement_z : float
        Displacement [m], result or imposed; x positive away from the obstacle.
    force_x, force_y, force_z : float
        Force in the shock spring [N], load = elastic_stiffness·displacement + force; force_x ≤ 0.
    slip_y, slip_z : float
        Plastic part δ of the tangential displacement [m]: (force_y, force_z) =
        tangential_stiffness·(displacement − slip) in contact; it follows the displacement in
        flight.
    contact_mode : int
        FLIGHT 0, STICK 1, SLIP 2 at the end of the step; a contact held still sticks.
    wear_work : float
        ∫ |force_x| |d slip| over the time in contact [J].
    """

    def __init__(self, parameters: ShockSpringParameters | None = None) -> None:
        parameters = parameters if parameters is not None else ShockSpringParameters()
        self.parameters = parameters
        self._normal_stiffness = parameters.contact_stiffness
        self._tangential_stiffness = parameters.tangential_stiffness
        self._compliance = 0.0  # of the elastic spring in series with the contact [m/N]
        if parameters.drive is Drive.load:
            elastic = parameters.elastic_stiffness
            self._compliance = 1.0 / elastic
            self._normal_stiffness *= elastic / (elastic + parameters.contact_stiffness)
            self._tangential_stiffness *= elastic / (elastic + parameters.tangential_stiffness)
        self._stretch_per_force = stretch_per_force(
            parameters.friction_at(0.0), self._tangential_stiffness
        )
        self._state = [0.0] * STATE_COUNT
        self._lead_to(0.0, 0.0, 0.0)

    def step(
        self,
        *,
        load_x: float = 0.0,
        load_y: float = 0.0,
        load_z: float = 0.0,
        imposed_displacement_x: float = 0.0,
        imposed_displacement_y: float = 0.0,
        imposed_displacement_z: float = 0.0,
        step_size: float = math.inf,
    ) -> None:
        """Lead the spring on a straight line from the previous drive to the one given.

        Parameters
        ----------
        load_x, load_y, load_z : float
            Load at the end of the step [N], with drive load.
        imposed_displacement_x, imposed_displacement_y, imposed_displacement_z : float
            Displacement at the end of the step [m], with drive displacement.
        step_size : float
            Duration of the step [s], > 0. It counts only where friction depends on the speed of
            the path; infinite: as slow as can be.

        Raises
        ------
        ValueError
            Where a value is not finite or too large, or belongs to the other drive and is not 0,
            or the step is not positive. The state is then as before.
        """
        if not step_size > 0.0:
            raise ValueError(f"step_size={step_size!r} s must be > 0")
        loads = (load_x, load_y, load_z)
        displacements = (imposed_displacement_x, imposed_displacement_y, imposed_displacement_z)
        if self.parameters.drive is Drive.load:
            _check_inputs(loads, "load", "N")
            if any(displacements):
                raise ValueError(
                    f"imposed_displacement={displacements} m must be 0 with drive load"
                )
            elastic = self.parameters.elastic_stiffness
            self._lead_to(load_x / elastic, load_y / elastic, load_z / elastic)
        else:
            _check_inputs(displacements, "imposed_displacement", "m")
            if any(loads):
                raise ValueError(f"load={loads} N must be 0 with drive displacement")
            self._lead_to(*displacements, step_size)

    def output_values(self) -> Sequence[float]:
        """Outputs at the end of the last step in the order of `OUTPUTS`."""
        return [getattr(self, one.name) for one in OUTPUTS]

    def snapshot(self) -> tuple[float, ...]:
        """All that `restore` needs to continue bit for bit: a plain tuple of floats."""
        return tuple(self._state)

    def restore(self, snapshot: Sequence[float]) -> None:
        """Go back to a snapshot of a spring with the same parameters.

        Raises
        ------
        ValueError
            Where the snapshot has not the right number of finite values.
        """
        if len(snapshot) != STATE_COUNT or not all(math.isfinite(value) for value in snapshot):
            raise ValueError(f"snapshot={snapshot!r} must be {STATE_COUNT} finite values")
        self._state = [float(value) for value in snapshot]
        self._refresh_outputs()

    def _lead_to(
        self, drive_x: float, drive_y: float, drive_z: float, step_size: float = math.inf
    ) -> None:
        state = self._state
        if self.parameters.friction_varies:
            state = state[:]
            way = math.hypot(drive_y - state[DRIVE_Y], drive_z - state[DRIVE_Z])
            coefficient = self.parameters.friction_at(way / step_size)
            self._stretch_per_force = stretch_per_force(coefficient, self._tangential_stiffness)
            shrink_to_cone(
                state, self.parameters.gap_at_rest, self._normal_stiffness, self._stretch_per_force
            )
        code = advance(
            state,
            drive_x,
            drive_y,
            drive_z,
            self.parameters.gap_at_rest,
            self._normal_stiffness,
            self._stretch_per_force,
        )
        if code != OK:
            raise ValueError(
                f"driving point ({drive_x}, {drive_y}, {drive_z}) m must stay within "
                f"{LARGEST} m, the normal force within {LARGEST} N: "
                "check the drive and the stiffnesses"
            )
        self._state = state
        self._refresh_outputs()

    def _refresh_outputs(self) -> None:
        state = self._state
        depth = -(state[DRIVE_X] + self.parameters.gap_at_rest)
        self.force_x = -self._normal_stiffness * depth if depth > 0.0 else 0.0
        self.force_y = self._tangential_stiffness * (
            state[STRETCH_Y] + (state[DRIVE_Y] - state[ANCHORING_Y])
        )
        self.force_z = self._tangential_stiffness * (
            state[STRETCH_Z] + (state[DRIVE_Z] - state[ANCHORING_Z])
        )
        self.displacement_x = state[DRIVE_X] - self._compliance * self.force_x
        self.displacement_y = state[DRIVE_Y] - self._compliance * self.force_y
        self.displacement_z = state[DRIVE_Z] - self._compliance * self.force_z
        self.slip_y = state[ANCHORING_Y] - state[STRETCH_Y]
        self.slip_z = state[ANCHORING_Z] - state[STRETCH_Z]
        self.contact_mode = int(state[MODE])
        self.wear_work = state[WEAR_WORK]


def _check_inputs(values: tuple[float, float, float], name: str, unit: str) -> None:
    for axis, value in zip("xyz", values):
        require_finite(f"{name}_{axis}", value, unit)
