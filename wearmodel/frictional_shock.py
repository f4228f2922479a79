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
from typing import TYPE_CHECKING, Any

from .kernel import layout, measures, setup
from .kernel.extrapolation import extrapolate
from .kernel.stepper import advance
from .parameters import FrictionalShockParameters
from .quantities import with_unit

if TYPE_CHECKING:
    from .trace import Trace

INPUT_UNITS = {
    "base_acceleration": "m/s2",
    "base_acceleration_normal": "m/s2",
    "tangential_load": "N",
    "normal_load": "N",
}

# Names of the outputs in the order in which `measures.measure` writes them.
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
)

_FAILURES = {
    layout.TOO_MANY_EVENTS: (
        f"more than {layout.MAXIMUM_EVENTS} contact events within one step; "
        "take smaller steps, or a smaller restitution or contact stiffness"
    ),
    layout.TOO_MANY_PIECES: (
        f"more than {layout.MAXIMUM_PIECES} pieces within one step; "
        "take smaller steps or smaller stiffnesses and dampings"
    ),
}


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
        _check_finite("start_time", start_time, "s")
        _check_inputs(base_acceleration, base_acceleration_normal, tangential_load, normal_load)
        self._buffer = values.as_buffer()
        self._work = setup.new_work()
        self._mass = values.mass
        # The part of f_n that no input changes.
        self._weight = -values.mass * values.gravity - values.preload
        self._sample_count = values.input_extrapolation_order + 1
        self._outputs: list[float] | None = None
        # Replaced by `record`.
        self._stepper = advance

        tangential = tangential_load - values.mass * base_acceleration
        normal = self._weight - values.mass * base_acceleration_normal - normal_load
        state = setup.new_state()
        state[layout.DISPLACEMENT] = values.initial_displacement
        state[layout.VELOCITY] = values.initial_velocity
        state[layout.NORMAL_DISPLACEMENT] = values.initial_normal_displacement
        state[layout.NORMAL_VELOCITY] = values.initial_normal_velocity
        if values.start_in_equilibrium:
            held, position = setup.equilibrium(self._buffer, normal)
            if not held:
                raise ValueError(
                    f"start_in_equilibrium=True: a net normal force of {normal!r} N away from the "
                    "plane must be held by a normal spring or an upper plane"
                )
            state[layout.NORMAL_DISPLACEMENT] = position
        setup.start(self._buffer, state, tangential, normal)

        self.time = float(start_time)
        self._state = state
        # Past samples, newest first: instant, f_t, f_n, P_t.
        self._history: list[tuple[float, ...]] = []
        # f_t, P_t, f_n and the rate of f_n at the present instant.
        self._present = (tangential, tangential_load, normal, 0.0)

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
        instants, fewer where there are fewer.

        Raises
        ------
        ValueError
            The step is not positive and finite, or an input is not finite. The state stands.
        StepError
            The step could not be completed. The state stands.
        """
        total = base_acceleration + base_acceleration_normal + tangential_load + normal_load
        if total - total != 0.0:
            _check_inputs(base_acceleration, base_acceleration_normal, tangential_load, normal_load)
        mass = self._mass
        tangential = tangential_load - mass * base_acceleration
        normal = self._weight - mass * base_acceleration_normal - normal_load
        samples = [(self.time, tangential, normal, tangential_load), *self._history]
        del samples[self._sample_count :]
        self._advance(
            step_size, extrapolate(samples, 1), extrapolate(samples, 2), extrapolate(samples, 3)
        )
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

        Each input is the sequence of its coefficients in t − time, at most
        ``layout.FORCING_LENGTH`` of them: c[0] + c[1] t + … [m/s2 or N]. What `step` remembers of
        earlier samples is forgotten.

        Raises
        ------
        ValueError
            The step is not positive and finite, a coefficient is not finite, or there are too many.
        StepError
            The step could not be completed. The state stands.
        """
        series = (base_acceleration, base_acceleration_normal, tangential_load, normal_load)
        for (name, unit), coefficients in zip(INPUT_UNITS.items(), series):
            if not 1 <= len(coefficients) <= layout.FORCING_LENGTH:
                raise ValueError(
                    f"{name} has {len(coefficients)} coefficients; there must be 1 to "
                    f"{layout.FORCING_LENGTH}"
                )
            for order, coefficient in enumerate(coefficients):
                _check_finite(f"{name}[{order}]", coefficient, f"{unit}/s^{order}")
        mass = self._mass
        tangential = _combine(tangential_load, base_acceleration, 1.0, -mass)
        normal = _combine(base_acceleration_normal, normal_load, -mass, -1.0)
        normal[0] += self._weight
        self._advance(step_size, tangential, normal, [float(value) for value in tangential_load])
        self._history = []

    def _advance(
        self, step_size: float, tangential: list[float], normal: list[float], load: list[float]
    ) -> None:
        if not 0.0 < step_size < math.inf:
            raise ValueError(f"step_size={step_size!r} s must be > 0 and finite")
        state = self._state[:]
        tangential_count = len(tangential)
        normal_count = len(normal)
        code = self._stepper(
            self._buffer,
            state,
            tangential,
            tangential_count,
            normal,
            normal_count,
            step_size,
            self._work,
        )
        if code != layout.OK:
            raise StepError(
                f"step of {step_size!r} s at time={self.time!r} s failed: {_FAILURES[code]}"
            )
        total = sum(state)
        if total - total != 0.0:
            raise StepError(
                f"step of {step_size!r} s at time={self.time!r} s overflowed; the inputs or the "
                "parameters are too large for binary64"
            )
        end_tangential = tangential[-1]
        for coefficient in tangential[-2::-1]:
            end_tangential = end_tangential * step_size + coefficient
        end_load = load[-1]
        for coefficient in load[-2::-1]:
            end_load = end_load * step_size + coefficient
        end_normal = normal[-1]
        rate = 0.0
        for coefficient in normal[-2::-1]:
            rate = rate * step_size + end_normal
            end_normal = end_normal * step_size + coefficient
        self._present = (end_tangential, end_load, end_normal, rate)
        self._state = state
        self._outputs = None
        self.time += step_size

    def record(self) -> Trace:
        """Record the segments of all further steps in the trace that is returned."""
        from .trace import Trace  # not needed, and not there, in an FMU

        trace = Trace()
        self._stepper = trace.advance
        return trace

    def output_values(self) -> list[float]:
        """Outputs at the present instant in the order of `OUTPUT_NAMES`; not to be changed."""
        if self._outputs is None:
            outputs = [0.0] * measures.OUTPUT_COUNT
            tangential, load, normal, rate = self._present
            measures.measure(self._buffer, self._state, tangential, load, normal, rate, outputs)
            self._outputs = outputs
        return self._outputs

    def outputs(self) -> dict[str, float]:
        """Outputs at the present instant by name, SI units."""
        return dict(zip(OUTPUT_NAMES, self.output_values()))

    def snapshot(self) -> dict[str, Any]:
        """All that a later `restore` needs, as plain lists and numbers (JSON-serialisable)."""
        return {
            "time": self.time,
            "state": self._state[:],
            "history": [list(sample) for sample in self._history],
            "present": list(self._present),
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
            tangential, load, normal, rate = snapshot["present"]
            # A sum is finite only where all its terms are.
            total = sum(state, time) + sum(map(sum, history)) + tangential + load + normal + rate
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"the snapshot has another form: {error!r}") from None
        if len(state) != layout.STATE_COUNT or len(history) > self._sample_count:
            raise ValueError("the snapshot is not one of a model with these parameters")
        if not math.isfinite(total):
            raise ValueError("the snapshot holds a value that is not finite")
        self.time = time
        self._state = state
        self._history = history
        self._present = (tangential, load, normal, rate)
        self._outputs = None


def _combine(
    first: Sequence[float], second: Sequence[float], first_factor: float, second_factor: float
) -> list[float]:
    combined = [0.0] * max(len(first), len(second))
    for order, coefficient in enumerate(first):
        combined[order] += first_factor * coefficient
    for order, coefficient in enumerate(second):
        combined[order] += second_factor * coefficient
    return combined


def _check_finite(name: str, value: float, unit: str) -> None:
    if not math.isfinite(value):
        raise ValueError(f"{name}={with_unit(value, unit)} must be finite")


def _check_inputs(*values: float) -> None:
    for (name, unit), value in zip(INPUT_UNITS.items(), values):
        _check_finite(name, value, unit)
