"""Quasi-static shock spring: parameters, state and outputs.

    load = elastic_stiffness · displacement + force                       (x, y, z)
    force_x = contact_stiffness · (displacement_x + gap_at_rest) ≤ 0 in contact, otherwise 0
    |(force_y, force_z)| ≤ friction_coefficient · |force_x|

An elastic spring is parallel to a contact spring with elastic-plastic friction. Either the
displacement or the load is imposed. A given load with a parallel elastic spring is equivalent to a
given displacement p = load/elastic_stiffness of the other end of that spring in series:

    p = displacement + force/elastic_stiffness
    1/K' = 1/K + 1/elastic_stiffness           (contact and tangential stiffness as seen from p)

Therefore one law for the driving point p applies exactly to both drives, with the same anchor and
the same slip. An imposed displacement is the case without compliance, p = displacement, K' = K.

With displacement drive friction can depend on speed. v is the speed of the point along the
obstacle, which is constant over a step at planes. The limit in stick is the larger of μ(v) and
friction_coefficient_slow. If stick ends without a tangential damper, the anchor moves at once to
the limit of slip. Dampers can be parallel to the springs of the contact:

    force_x = min(0, contact_stiffness · gap + contact_damping · ẋ)
    (force_y, force_z) = tangential_stiffness · e + tangential_damping · ė,  e = displacement − slip

If the cone becomes smaller from one step to the next, because friction or the damper's part of the
normal force decreases, and there is no tangential damper, the anchor moves at once.

With wear_feedback the gap is displacement_x + gap_at_rest + wear_depth.

The second of two planes is at displacement_x = gap_at_rest, and each plane has its own wear. A
circle is a round hole about z with displacement drive, r² = displacement_x² + displacement_y². The
normal is −r̂. With t = z × r̂ the law is the law of a contact of a structure along the path:

    F_N = max(0, contact_stiffness · depth + contact_damping · ṙ),   depth = r − gap_at_rest
    F_T = tangential_stiffness · e + tangential_damping · ė,         ė = (ẋ·t, ż) in stick

A polygon is such a hole with a number of equal sides. r̂ is the outward normal at a side and the
direction from the corner at a corner, and depth is the distance to the polygon.

The model has no inertia. Without dampers, speed-dependent friction and wear feedback the law at
planes has a closed form, in `wearmodel.kernel.spring.law`. All other cases use the series of a
contact of a structure, in `wearmodel.kernel.spring.path`. Source: SSND116, sections 1 and 2.1.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from itertools import chain
from typing import Any

from ..kernel.contact.friction import depends_on_speed
from ..kernel.contact.parameters import ContactLaw, ContactObstacle
from ..kernel.contact.state_objects import ContactState, ContactTerms, ContactWork
from ..kernel.events import EventKinds, Watch
from ..kernel.limits import (
    CHANGE_OVERFLOWS,
    CHANGE_RUNS_AWAY,
    MODAL_SERIES_LENGTH,
    NO_SUCH_MODE,
    NO_SUCH_ZEROS,
    OK,
)
from ..kernel.shoe.inputs_outputs import OUTPUTS as FRICTIONAL_SHOCK_OUTPUTS
from ..kernel.shoe.parameters import ContactMode
from ..kernel.spring.body_image import ADDED_ENERGY, CHANGED_STEP, OTHER_MASS
from ..kernel.spring.parameter_change import change_spring_parameters
from ..kernel.spring.parameters import (
    LARGEST,
    RULES,
    Drive,
    Lag,
    ShockSpringParameters,
    SpringParameters,
    broken_spring_rule,
)
from ..kernel.spring.path import TOO_MANY_LEG_PIECES, WEAR_RUNS_AWAY
from ..kernel.spring.state_objects import (
    BodyImage,
    EnergyAccount,
    ImageAxis,
    ImageState,
    Leg,
    SideWorks,
    SpringMemory,
    SpringState,
    SpringWork,
)
from ..kernel.spring.steps import (
    DISPLACEMENTS_OUT_OF_RANGE,
    LOADS_OUT_OF_RANGE,
    broken_spring_state,
    spring_outputs,
    start_spring,
    step_spring,
)
from ..kernel.spring.steps_to_events import pass_spring_event, step_spring_to_event
from ..kernel.state_objects import values_of
from ..quantities import Input, Output, changes_between, require_finite, with_unit
from .event_steps import EventStops, StepEnd, copied, snapshot_numbers
from .frictional_shock import CHANGE_RULES as SHOCK_CHANGE_RULES
from .frictional_shock import STATE_RULES as SHOCK_STATE_RULES
from .tunable import TunableModel

__all__ = ["ContactObstacle", "Drive", "Lag", "ShockSpring", "ShockSpringParameters"]

_LIMITS = (
    f"out of range: lengths must stay within {LARGEST:g} m, their rates within {LARGEST:g} m/s and "
    f"the normal force within {LARGEST:g} N; check the"
)
# Result code → its message. The fields are inputs.
FAILURES = {
    LOADS_OUT_OF_RANGE: (
        "loads ({load_x!r}, {load_y!r}, {load_z!r}) N lead the spring "
        f"{_LIMITS} loads and the stiffnesses"
    ),
    DISPLACEMENTS_OUT_OF_RANGE: (
        "imposed displacements ({imposed_displacement_x!r}, {imposed_displacement_y!r}, "
        f"{{imposed_displacement_z!r}}) m lead the spring {_LIMITS} displacements and the "
        "stiffnesses"
    ),
    WEAR_RUNS_AWAY: (
        "wear opens the gap too fast for a friction spring without tangential_damping: "
        "friction_coefficient · contact_stiffness · wear_time_scale · archard_coefficient / "
        "wear_area · normal force must be < tangential_stiffness (with drive load, the "
        "stiffnesses are in series with elastic_stiffness). Take a smaller wear_time_scale or, "
        "with drive displacement, a tangential_damping > 0"
    ),
    OTHER_MASS: (
        "effective_mass differs by more than 10 % from mass_seen, the mass estimated from the "
        "response to the mean force: set effective_mass to the mass at the contact, and apply "
        "mean_force_x, _y, _z unchanged during the whole step"
    ),
    ADDED_ENERGY: (
        "the master adds energy: it holds mean_force_x over each step of {step_size!r} s, and the "
        "body has gained {work!r} J in a contact. Steps of this master above {stable_step!r} s "
        "are unstable (0 s without contact_damping). Set effective_mass to the mass at the "
        "contact, which the output mass_seen estimates, and set lag"
    ),
    CHANGED_STEP: (
        "the step size has changed: with lag parallel the mean force of a step assumes that the "
        "step after it is as long. Use steps of one length"
    ),
    TOO_MANY_LEG_PIECES: (
        "too many changes within one step: take shorter steps, or a smaller "
        "wear_time_scale or a larger tangential_damping / tangential_stiffness"
    ),
}
# Code of `broken_spring_state` → error of a saved state.
STATE_RULES = {
    NO_SUCH_MODE: "the snapshot has the contact mode {0!r}, which does not exist",
    NO_SUCH_ZEROS: SHOCK_STATE_RULES[NO_SUCH_ZEROS],
}
# Code of a change of parameters → reason to reject it.
CHANGE_RULES = {code: SHOCK_CHANGE_RULES[code] for code in (CHANGE_OVERFLOWS, CHANGE_RUNS_AWAY)}
_TUNABLE = tuple(item.name for item in fields(ShockSpringParameters) if item.metadata["tunable"])
INPUTS: tuple[Input, ...] = (
    Input("load_x", "N", "Load along x at the end of the step, with drive load"),
    Input("load_y", "N", "Load along y at the end of the step, with drive load"),
    Input("load_z", "N", "Load along z at the end of the step, with drive load"),
    Input("imposed_displacement_x", "m", "Displacement x, with drive displacement"),
    Input("imposed_displacement_y", "m", "Displacement y, with drive displacement"),
    Input("imposed_displacement_z", "m", "Displacement z, with drive displacement"),
)

_SHARED = {output.name: output for output in FRICTIONAL_SHOCK_OUTPUTS}
# Ordered as `kernel.spring.steps.spring_outputs`. Each output is an attribute of `ShockSpring`.
OUTPUTS: tuple[Output, ...] = (
    Output("displacement_x", "m", "Displacement along x, positive away from the obstacle"),
    Output("displacement_y", "m", "Displacement along y, tangential to the obstacle"),
    Output("displacement_z", "m", "Displacement along z, tangential to the obstacle"),
    Output(
        "force_x",
        "N",
        "Force along x. At planes it is the contact force: load = elastic_stiffness·displacement "
        "+ force",
        aliases=("N", "F_N"),
    ),
    Output(
        "force_y",
        "N",
        "Force along y. At planes it is the friction force, with the sign of force_x",
    ),
    Output("force_z", "N", "Friction force along z, with the sign of force_x"),
    Output("slip_y", "m", "Plastic part of the displacement along y"),
    Output("slip_z", "m", "Plastic part of the displacement along z"),
    Output("contact_mode", "1", "Flight, stick or slip at the end of the step", kind=ContactMode),
    Output("wear_work", "J", "Integral of normal_force times slip rate", minimum=0.0),
    Output(
        "slip_velocity",
        "m/s",
        "Sliding velocity of the contact at the end of the last step. 0 in stick, in flight and "
        "at the start",
        minimum=0.0,
    ),
    replace(_SHARED["wear_power"], description="Archard's wear power normal_force × slip_velocity"),
    _SHARED["worn_volume"],
    _SHARED["wear_depth"],
    Output("normal_force", "N", "Contact force F_N", minimum=0.0),
    Output("clearance", "m", "Present gap, negative if pressed. The smaller one of two planes"),
    replace(_SHARED["wear_depth_lower"], description="Part of wear_depth at the lower plane"),
    _SHARED["wear_depth_upper"],
    _SHARED["parameter_change_work"],
    *(
        Output(
            f"mean_force_{axis}",
            "N",
            f"Force along {axis} on the body for a master to apply during a step: the mean over "
            "the step with effective_mass, otherwise the force at the end of the step",
        )
        for axis in "xyz"
    ),
    Output(
        "interface_balance",
        "J",
        "With effective_mass: energy received from the body since its last flight, less the "
        "dissipation of the contact. Negative if the master adds energy",
    ),
    Output("mass_seen", "kg", "Mass of the body, estimated from its response. 0: unknown"),
)
_OUTPUT_NAMES = [output.name for output in OUTPUTS]
_MODE = _OUTPUT_NAMES.index("contact_mode")


class ShockSpring(TunableModel):
    """Quasi-static shock spring with the state of its contact anchor.

    The drive starts at (0, 0, 0) without tangential force. Each step moves the drive on a straight
    line from its present values to the given values. Outputs are values at the end of the step.
    Piecewise-linear histories are exact to rounding for any division into steps. Damper forces are
    the forces of the last leg, and 0 at the start. Legs with rates or in a hole are computed by
    power series, to about 1e-12 for any division.

    The attributes are the outputs at the end of the last step in SI units, with the names and
    meanings of the FMU's variables. `contact_mode` is FLIGHT 0, STICK 1 or SLIP 2. The slip δ is
    the displacement minus the stretch of the friction spring, and equals the displacement in
    flight. A contact at rest is in stick.
    """

    _broken_rule = staticmethod(broken_spring_rule)
    _rules = RULES

    def __init__(self, parameters: ShockSpringParameters | None = None) -> None:
        parameters = parameters if parameters is not None else ShockSpringParameters()
        self.parameters = self._first_parameters = parameters
        self._p = SpringParameters(parameters)
        self._state = SpringState()
        self._contact = ContactState()
        self._image = BodyImage(ImageState(), EnergyAccount(), [ImageAxis() for _ in "xyz"])
        self._memory = SpringMemory(
            leg=Leg(),
            work=SpringWork(),
            law=ContactLaw(),
            series=ContactWork(),
            terms=[ContactTerms() for _ in range(MODAL_SERIES_LENGTH)],
            contact_before=ContactState(),
            sides=SideWorks(),
        )
        # The spring has no clock: each step begins at 0 s.
        self._stops = EventStops(0.0)
        # Whether `step` was called after the last `step_to_event`.
        self._has_stepped_on = False
        none = (0.0,) * len(INPUTS)
        code = start_spring(
            self._p, self._state, self._contact, self._image, [0.0, *none], self._memory
        )
        self._require(code, none)
        self._refresh_outputs()

    def step(
        self,
        *,
        load_x: float = 0.0,
        load_y: float = 0.0,
        load_z: float = 0.0,
        imposed_displacement_x: float = 0.0,
        imposed_displacement_y: float = 0.0,
        imposed_displacement_z: float = 0.0,
        step_size: float | None = None,
    ) -> str | None:
        """Move the drive on a straight line from its previous values to the given values.

        Parameters
        ----------
        load_x, load_y, load_z : float
            Load at the end of the step [N], with drive load.
        imposed_displacement_x, imposed_displacement_y, imposed_displacement_z : float
            Displacement at the end of the step [m], with drive displacement.
        step_size : float
            Duration of the step [s], > 0. It affects dampers, speed-dependent friction,
            slip_velocity and wear_power. Infinite means quasi-static. This is the default if the
            forces do not depend on the duration.

        Returns
        -------
        str or None
            With effective_mass a warning, once for each reason.

        Raises
        ------
        ValueError
            A value is not finite or too large, or is a nonzero value of the other drive. The step
            is not positive, or is missing although the forces depend on it. Wear opens the gap
            faster than the friction spring can follow, or the step has too many events. The state
            is kept.
        """
        if step_size is None:
            self._require_no_rates()
            step_size = math.inf
        if not step_size > 0.0:
            raise ValueError(f"step_size={step_size!r} s must be > 0")
        inputs = self._checked_inputs(
            (load_x, load_y, load_z),
            (imposed_displacement_x, imposed_displacement_y, imposed_displacement_z),
        )
        sample = [0.0, *inputs]
        kept = self._kept_state()
        code = step_spring(
            self._p, self._state, self._contact, self._image, sample, step_size, self._memory
        )
        warning = self._warning(code, inputs, kept, step_size)
        self._has_stepped_on = True
        self._refresh_outputs()
        return warning

    def step_to_event(
        self,
        *,
        step_size: float,
        load_x: float = 0.0,
        load_y: float = 0.0,
        load_z: float = 0.0,
        imposed_displacement_x: float = 0.0,
        imposed_displacement_y: float = 0.0,
        imposed_displacement_z: float = 0.0,
        kinds: EventKinds = EventKinds.all,
        quiet_until: float = 0.0,
    ) -> StepEnd:
        """Advance as `step`, but end immediately before the first event of the given kinds.

        An event is a change of contact_mode. A contact that closes is a shock. An event at the
        start of the step, for example caused by the new direction, is applied and counted there. It
        does not end the step, because the direction is known only from this step on. The same
        applies to a pending event if `pass_event` was not called. The remaining step has the same
        end values.

        The arguments are as in `step` and `FrictionalShock.step_to_event`.

        Raises
        ------
        ValueError
            As in `step`. Also if `kinds` is invalid, `quiet_until` is negative, or the step is
            infinite. The state is kept.
        """
        if not 0.0 < step_size < math.inf:
            raise ValueError(f"step_size={step_size!r} s must be > 0 and finite")
        inputs = self._checked_inputs(
            (load_x, load_y, load_z),
            (imposed_displacement_x, imposed_displacement_y, imposed_displacement_z),
        )
        kept = self._kept_state()
        code = step_spring_to_event(
            self._p,
            self._state,
            self._contact,
            self._image,
            [0.0, *inputs],
            step_size,
            self._present_stops().wait_for(kinds, quiet_until, 0.0),
            self._memory,
        )
        warning = self._warning(code, inputs, kept, step_size)
        self._refresh_outputs()
        return self._stops.end_at(0.0, warning, self._state_after)

    def _state_after(self, watch: Watch) -> list[Any]:
        """Return the states of spring and contact after the pending event."""
        state, contact = copied([self._state, self._contact])
        pass_spring_event(state, contact, watch, self._memory)
        return [state, contact]

    def _present_stops(self) -> EventStops:
        if self._has_stepped_on:
            self._stops.leave()
            self._has_stepped_on = False
        return self._stops

    def pass_event(self) -> None:
        """Apply the pending event of `step_to_event` and all simultaneous events.

        Raises
        ------
        ValueError
            An event is not pending.
        """
        self._state, self._contact = self._present_stops().take_after()
        self._refresh_outputs()

    @property
    def event_count(self) -> int:
        """Number of event times that `step_to_event` and `pass_event` have applied so far."""
        return int(self._stops.watch.events)

    def _checked_inputs(
        self, loads: tuple[float, float, float], displacements: tuple[float, float, float]
    ) -> tuple[float, ...]:
        """Return all inputs as in `INPUTS`. Raise ValueError for inputs of the other drive."""
        drive = self.parameters.drive
        given, other = ("load", loads, "N"), ("imposed_displacement", displacements, "m")
        if drive is Drive.displacement:
            given, other = other, given
        name, values, unit = given
        for axis, value in zip("xyz", values):
            require_finite(f"{name}_{axis}", value, unit)
        name, values, unit = other
        if any(values):
            raise ValueError(f"{name}={values} {unit} must be 0 with drive {drive.name}")
        return (*loads, *displacements)

    def change_parameters(self, changes: Mapping[str, float]) -> None:
        """Change one or several parameters between two legs. The change is one event.

        The driving point and the anchor do not change. Contact, stick and slip follow the new
        values at once: see `kernel.spring.parameter_change`. The output ``parameter_change_work``
        contains the additional energy of the springs.

        Parameters
        ----------
        changes
            New values by name, in the units of `ShockSpringParameters`: friction coefficients,
            ``contact_stiffness``, ``tangential_stiffness``, dampings, ``dist_1``, ``dist_2`` and
            ``length``.

        Raises
        ------
        ValueError, TypeError
            A parameter is unknown or fixed, a value is out of range or contradicts another, the
            state cannot follow, or an event is pending. Parameters and state are kept.
        """
        self._present_stops().require_none_pending()
        parameters = self._changed(self.parameters, changes)
        if not changes_between(self.parameters, parameters):
            return
        p = SpringParameters(parameters)
        before = self.snapshot()
        code, first, second = change_spring_parameters(
            self._p, p, self._state, self._contact, self._memory
        )
        if code != OK:
            self.restore(before)
            raise ValueError(CHANGE_RULES[code].format(first, second))
        self.parameters = parameters
        self._p = p
        self._refresh_outputs()

    def output_values(self) -> Sequence[float]:
        """Return the outputs at the end of the last step in the order of `OUTPUTS`."""
        return self._outputs[:]

    def outputs(self) -> dict[str, float]:
        """Return the outputs at the end of the last step by name, in SI units."""
        return dict(zip(_OUTPUT_NAMES, self._outputs))

    def snapshot(self) -> tuple[float, ...]:
        """Return the state for `restore` as a tuple of floats."""
        tuned = (getattr(self.parameters, name) for name in _TUNABLE)
        return (*self._state_numbers(), *tuned, *self._present_stops().snapshot())

    def restore(self, snapshot: Sequence[float]) -> None:
        """Restore a snapshot of a spring with the same initial parameters.

        Parameters changed before the snapshot are restored too.

        Raises
        ------
        ValueError
            The snapshot has another form, or a value is not finite.
        """
        own = len(self._state_numbers())
        count = own + len(_TUNABLE)
        with snapshot_numbers() as numbers:
            numbers += map(float, snapshot)
            if len(numbers) < count:
                raise ValueError(f"it has {len(snapshot)} numbers")
            state, contact, image = self._states_of(numbers)
            tuned = dict(zip(_TUNABLE, numbers[own:count]))
            stops = EventStops.restored(numbers[count:], 0.0, (SpringState, ContactState))
        parameters, p = self.parameters, self._p
        if any(getattr(parameters, name) != value for name, value in tuned.items()):
            parameters = self._changed(self._first_parameters, tuned)
            p = SpringParameters(parameters)
        code, first, second = broken_spring_state(state, contact)
        if code != OK:
            raise ValueError(STATE_RULES[code].format(first, second))
        self.parameters, self._p = parameters, p
        self._state, self._contact, self._image, self._stops = state, contact, image, stops
        self._has_stepped_on = False
        self._refresh_outputs()

    def _require_no_rates(self) -> None:
        """Raise ValueError if the forces depend on the duration of the step."""
        asking = [
            name for name in ("contact_damping", "tangential_damping") if getattr(self._p, name)
        ]
        if self._p.effective_mass > 0.0:
            asking.append("effective_mass")
        if depends_on_speed(self._p):
            varying = ["friction_coefficient_slow", "viscous_friction"]
            asking += ["friction_table_coefficient_1"] if self._p.knots > 0.0 else varying
        if asking:
            units = {
                quantity.name: quantity.metadata["unit"]
                for quantity in fields(ShockSpringParameters)
            }
            shown = (
                f"{name}={with_unit(getattr(self.parameters, name), units[name])}"
                for name in asking
            )
            raise ValueError(
                f"step_size [s] is missing: with {', '.join(shown)} forces depend on the velocity"
            )

    def _saved(self) -> list[Any]:
        image = self._image
        return [self._state, self._contact, image.body, image.account, *image.axes]

    def _state_numbers(self) -> list[float]:
        return list(chain(*map(values_of, self._saved())))

    def _states_of(self, numbers: Sequence[float]) -> tuple[SpringState, ContactState, BodyImage]:
        """Return the states from the first of these numbers."""
        state, contact, body, account, *axes = copied(self._saved(), iter(numbers))
        return state, contact, BodyImage(body, account, axes)

    def _kept_state(self) -> list[float]:
        """State for `_warning`. A failed step in closed form at one plane does not change it."""
        is_plain = self._p.is_plain != 0.0 and self.parameters.obstacle is ContactObstacle.plane
        return [] if is_plain else self._state_numbers()

    def _warning(
        self, code: int, inputs: tuple[float, ...], kept: list[float], step_size: float
    ) -> str | None:
        """Return the warning of a step. After an error, restore the state and raise ValueError."""
        if code > OK and kept:
            self._state, self._contact, self._image = self._states_of(kept)
        self._require(max(code, OK), inputs)
        if code >= OK:
            return None
        body = self._image.body
        numbers = {"work": float(body.work), "stable_step": float(body.stable_step)}
        return FAILURES[code].format(step_size=step_size, **numbers)

    @staticmethod
    def _require(code: int, inputs: tuple[float, ...]) -> None:
        if code != OK:
            given = {declared_input.name: value for declared_input, value in zip(INPUTS, inputs)}
            raise ValueError(FAILURES[code].format(**given))

    def _refresh_outputs(self) -> None:
        values = list(spring_outputs(self._p, self._state, self._image))
        values[_MODE] = int(values[_MODE])
        self._outputs = values
        vars(self).update(zip(_OUTPUT_NAMES, values))
