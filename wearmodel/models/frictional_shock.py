"""A mass on a shaken support that rubs, sticks, slips and knocks: the model as an object.

    m ü = −m A_t − c u̇ − k u + P_t + F_T
    m ẅ = −m (g + A_n) − c_n ẇ − k_n w − preload − P_n + R_n

u tangential, w normal displacement relative to the support; A_t, A_n the support's acceleration;
P_t a load along u, P_n a load towards the lower plane; F_T friction on the mass, R_n the contact's
reaction. Laws and events: `wearmodel.kernel`. Wear changes neither gap nor stiffness.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from ..kernel import declared, layout, setup
from ..kernel.declared import forcings
from ..kernel.extrapolation import extrapolate, keep_usable
from ..kernel.layout import SLIDING
from ..kernel.measures import measure
from ..kernel.parameters import FrictionalShockParameters
from ..kernel.quiet import quiet_step
from ..kernel.series import evaluate, evaluate_slope
from ..kernel.stepper import advance
from ..quantities import require_finite

if TYPE_CHECKING:
    from .trace import Trace

INPUT_UNITS = {
    "base_acceleration": "m/s2",
    "base_acceleration_normal": "m/s2",
    "tangential_load": "N",
    "normal_load": "N",
}

# Names of the outputs in the order of `kernel.measures.measure`.
OUTPUT_NAMES = (
    "normal_force",
    "friction_force",
    "slip_velocity",
    "relative_velocity",
    "wear_power",
    "friction_power",
    "wear_work",
    "friction_work",
    "worn_volume",
    "wear_depth",
    "sliding_distance",
    "relative_displacement",
    "gap",
    "gap_velocity",
    "contact_mode",
    "shock_count",
    "slip_count",
    "peak_normal_force",
    "impact_impulse",
    "support_force_tangential",
    "support_force_normal",
    "absolute_acceleration",
    "contact_damping_work",
)

# Result code of the kernel → what the user is told.
FAILURE_REASONS = {
    layout.TOO_MANY_EVENTS: (
        f"more than {layout.MAXIMUM_EVENTS} contact events within one step; "
        "take smaller steps, or a smaller restitution or contact stiffness"
    ),
    layout.TOO_MANY_PIECES: (
        f"more than {layout.MAXIMUM_PIECES} pieces within one step; "
        "take smaller steps or smaller stiffnesses and dampings"
    ),
    layout.OVERFLOW: (
        "the state overflowed; the inputs or the parameters are too large for binary64"
    ),
}


_INFINITY = math.inf
# Places of the state that hold −1, 0 or 1.
_DIRECTIONS = (layout.CONTACT, layout.SLIDING, layout.LAST_SLIDING)


class StepError(ArithmeticError):
    """A step that could not be completed; the state before it stands."""


class FrictionalShock:
    """The frictional shock, advanced step by step.

    Parameters
    ----------
    parameters
        Checked parameters; SDND104's by default.
    start_time
        Time [s] at which the run starts.
    base_acceleration, base_acceleration_normal
        Acceleration of the support [m/s2] at the start, along u and w.
    tangential_load, normal_load
        Loads on the mass [N] at the start: along u, and towards the lower plane.

    Raises
    ------
    ValueError
        A start value is not finite, or there is no static equilibrium to start in.
    """

    def __init__(
        self,
        parameters: FrictionalShockParameters | None = None,
        *,
        start_time: float = 0.0,
        base_acceleration: float = 0.0,
        base_acceleration_normal: float = 0.0,
        tangential_load: float = 0.0,
        normal_load: float = 0.0,
    ) -> None:
        self.parameters = parameters if parameters is not None else FrictionalShockParameters()
        values = self.parameters
        require_finite("start_time", start_time, "s")
        _check_inputs(base_acceleration, base_acceleration_normal, tangential_load, normal_load)
        self._buffer = values.as_buffer()
        self._work = setup.new_work()
        self._mass = values.mass
        row = values.as_row()
        # The part of f_n that no input changes.
        self._weight = declared.weight(row)
        self._order = values.input_extrapolation_order
        # Both are replaced by `record`.
        self._may_be_quiet = True
        self._advance_kernel = advance

        tangential, normal = forcings(
            self._mass,
            self._weight,
            base_acceleration,
            base_acceleration_normal,
            tangential_load,
            normal_load,
        )
        state = setup.new_state()
        if not declared.place(row, self._buffer, state, normal):
            raise ValueError(
                f"start_in_equilibrium=True: a net normal force of {normal!r} N away from the "
                "plane must be held by a normal spring or an upper plane"
            )
        setup.start(self._buffer, state, tangential, normal)

        self.time = float(start_time)
        self._state = state
        # Past samples, newest first: instant, f_t, f_n, P_t.
        self._history: list[tuple[float, ...]] = []
        # f_t, P_t and f_n over the last step, and its length: what outputs need at its end.
        self._last_step = ([tangential], [tangential_load], [normal], 0.0)

    def step(
        self,
        step_size: float,
        base_acceleration: float = 0.0,
        base_acceleration_normal: float = 0.0,
        tangential_load: float = 0.0,
        normal_load: float = 0.0,
    ) -> None:
        """Advance by `step_size` [s] with inputs given at its start and extrapolated over it.

        The extrapolation takes the last ``input_extrapolation_order + 1`` samples at their true
        instants, fewer where there are fewer. Samples much closer to each other than the step is
        long are left out, and forgotten once the step is done: see `kernel.extrapolation`.

        Parameters
        ----------
        step_size
            Length of the step [s], > 0.
        base_acceleration, base_acceleration_normal
            Acceleration of the support [m/s2] at the step's start, along u and w.
        tangential_load, normal_load
            Loads on the mass [N] at the step's start: along u, and towards the lower plane.

        Raises
        ------
        ValueError
            The step is not positive and finite, or an input is not finite. The state stands.
        StepError
            The step could not be completed. The state stands.
        """
        tangential, normal = forcings(
            self._mass,
            self._weight,
            base_acceleration,
            base_acceleration_normal,
            tangential_load,
            normal_load,
        )
        # The difference is zero unless an input, or the sum, is not finite.
        total = tangential + normal
        if total - total != 0.0:
            _check_inputs(base_acceleration, base_acceleration_normal, tangential_load, normal_load)
        samples = [(self.time, tangential, normal, tangential_load), *self._history]
        del samples[keep_usable(samples, len(samples), step_size, self._order) :]
        # What was constant in all samples and goes on needs no extrapolation.
        _, last_load, last_normal, _ = self._last_step
        normal_forcing, load = [normal], [tangential_load]
        if normal_forcing != last_normal:
            normal_forcing = extrapolate(samples, 2)
        if load != last_load:
            load = extrapolate(samples, 3)
        self._advance(step_size, extrapolate(samples, 1), normal_forcing, load)
        self._history = samples

    def step_polynomial(
        self,
        step_size: float,
        *,
        base_acceleration: Sequence[float] = (0.0,),
        base_acceleration_normal: Sequence[float] = (0.0,),
        tangential_load: Sequence[float] = (0.0,),
        normal_load: Sequence[float] = (0.0,),
    ) -> None:
        """Advance by `step_size` [s] under inputs that are known polynomials over the step.

        Each input is c[0] + c[1] t + …, t the time since the step's start. What `step` remembers
        of earlier samples is forgotten.

        Parameters
        ----------
        step_size
            Length of the step [s], > 0.
        base_acceleration, base_acceleration_normal
            Coefficients, 1 to ``layout.FORCING_LENGTH`` (21) of them, of the support's acceleration
            along u and w; c[j] in m/s2/s^j.
        tangential_load, normal_load
            Coefficients, as many, of the loads on the mass along u and towards the lower plane;
            c[j] in N/s^j.

        Raises
        ------
        ValueError
            The step is not positive and finite, a coefficient is not finite, or there are too many.
        StepError
            The step could not be completed. The state stands.
        """
        inputs = (base_acceleration, base_acceleration_normal, tangential_load, normal_load)
        for (name, unit), coefficients in zip(INPUT_UNITS.items(), inputs):
            if not 1 <= len(coefficients) <= layout.FORCING_LENGTH:
                raise ValueError(
                    f"{name} has {len(coefficients)} coefficients; there must be 1 to "
                    f"{layout.FORCING_LENGTH}"
                )
            for order, coefficient in enumerate(coefficients):
                require_finite(f"{name}[{order}]", coefficient, f"{unit}/s^{order}")
        pairs = [
            forcings(self._mass, self._weight if order == 0 else 0.0, *terms)
            for order, terms in enumerate(zip_longest(*inputs, fillvalue=0.0))
        ]
        self._advance(
            step_size,
            _trimmed([tangential for tangential, _ in pairs]),
            _trimmed([normal for _, normal in pairs]),
            _trimmed([float(value) for value in tangential_load]),
        )
        self._history = []

    def _advance(
        self, step_size: float, tangential: list[float], normal: list[float], load: list[float]
    ) -> None:
        time = self.time
        end = time + step_size
        if not time < end < _INFINITY:
            raise ValueError(
                f"step_size={step_size!r} s must be > 0, finite, and large enough to advance "
                f"time={time!r} s"
            )
        if not (
            self._may_be_quiet
            and quiet_step(
                self._buffer,
                self._state,
                tangential,
                len(tangential),
                normal,
                len(normal),
                step_size,
            )
        ):
            self._state = self._advanced_state(step_size, tangential, normal)
        self._last_step = (tangential, load, normal, step_size)
        self.time = end

    def _advanced_state(
        self, step_size: float, tangential: list[float], normal: list[float]
    ) -> list[float]:
        """The state after the step, found on a copy so that a step that fails loses nothing."""
        state = self._state[:]
        code = self._advance_kernel(
            self._buffer,
            state,
            tangential,
            len(tangential),
            normal,
            len(normal),
            step_size,
            self._work,
        )
        # A sum is finite only where all its terms are.
        if code == layout.OK and not math.isfinite(sum(state)):
            code = layout.OVERFLOW
        if code != layout.OK:
            raise StepError(
                f"step of {step_size!r} s at time={self.time!r} s failed: {FAILURE_REASONS[code]}"
            )
        return state

    def record(self) -> Trace:
        """Record the segments of all further steps in the trace that is returned."""
        from .trace import Trace  # not needed, and not there, in an FMU

        trace = Trace()
        self._may_be_quiet = False
        self._advance_kernel = trace.advance
        return trace

    def output_values(self) -> tuple[float, ...]:
        """Outputs at the present instant in the order of `OUTPUT_NAMES`."""
        tangential, load, normal, step_size = self._last_step
        state = self._state
        end_tangential = tangential[0]
        end_load = load[0]
        end_normal = normal[0]
        rate = 0.0
        # Only rigid stick needs f_t itself.
        if state[SLIDING] == 0.0 and len(tangential) > 1:
            end_tangential = evaluate(tangential, len(tangential), step_size)
        if len(load) > 1:
            end_load = evaluate(load, len(load), step_size)
        if len(normal) > 1:
            end_normal = evaluate(normal, len(normal), step_size)
            rate = evaluate_slope(normal, len(normal), step_size)
        return measure(self._buffer, state, end_tangential, end_load, end_normal, rate)

    def outputs(self) -> dict[str, float]:
        """Outputs at the present instant by name, SI units."""
        return dict(zip(OUTPUT_NAMES, self.output_values()))

    def snapshot(self) -> dict[str, Any]:
        """All that a later `restore` needs, as plain lists and numbers (JSON-serialisable)."""
        return {
            "time": self.time,
            "state": self._state[:],
            "history": [list(sample) for sample in self._history],
            "last_step": list(self._last_step),
        }

    def restore(self, snapshot: dict[str, Any]) -> None:
        """Return to a snapshot taken from a model with the same parameters, bit by bit.

        Raises
        ------
        ValueError
            The snapshot does not have the form that `snapshot` gives it, or holds a value that is
            not a finite number. The state stands.
        """
        try:
            time = snapshot["time"]
            state = snapshot["state"][:]
            history: list[tuple[float, ...]] = [
                (t, f_t, f_n, p_t) for t, f_t, f_n, p_t in snapshot["history"]
            ]
            tangential, load, normal, step_size = snapshot["last_step"]
            last_step = (tangential[:], load[:], normal[:], step_size)
            # A sum is finite only where all its terms are.
            total = sum(state, time) + sum(map(sum, history)) + sum(map(sum, last_step[:3]))
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"the snapshot has another form: {error!r}") from None
        if len(state) != layout.STATE_COUNT or len(history) > self._order + 1:
            raise ValueError("the snapshot is not one of a model with these parameters")
        if not math.isfinite(total + step_size):
            raise ValueError("the snapshot holds a value that is not finite")
        if any(state[place] not in (-1.0, 0.0, 1.0) for place in _DIRECTIONS):
            raise ValueError("the snapshot holds a contact mode that does not exist")
        later = time
        for sample in history:
            if not sample[0] < later:
                raise ValueError(
                    f"the snapshot holds a sample at {sample[0]!r} s; it must be < {later!r} s, "
                    "the instant that follows on it"
                )
            later = sample[0]
        self.time = time
        self._state = state
        self._history = history
        self._last_step = last_step


def _trimmed(polynomial: list[float]) -> list[float]:
    """Without the highest coefficients that are zero: what is constant is taken as constant."""
    while len(polynomial) > 1 and polynomial[-1] == 0.0:
        polynomial.pop()
    return polynomial


def _check_inputs(*values: float) -> None:
    for (name, unit), value in zip(INPUT_UNITS.items(), values):
        require_finite(name, value, unit)
