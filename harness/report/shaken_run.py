"""A run of the frictional shock, with computed quantities for its pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.figures.curves import MOST_SAMPLES
from harness.fmu.changes import ParameterChange
from harness.fmu.history import RunRecord
from harness.fmu.signals import Signal, SineSignal
from harness.report.table_pictures import Drawn
from wearmodel import ContactMode
from wearmodel.arrays import Floats
from wearmodel.kernel.contact.friction import (
    Friction,
    FrictionParameters,
    FrictionTableRule,
    complete_friction,
    knot_speed,
    sliding_friction,
)
from wearmodel.kernel.limits import NO_STOP
from wearmodel.kernel.shoe.inputs_outputs import INPUTS
from wearmodel.quantities import variable_name

# Computed quantities with the unit of the output `relative_velocity`.
_SPEEDS = ("support_velocity", "mass_velocity", "law_speed", "slip_speed")


def friction_of(parameters: Mapping[str, Any], prefix: str = "") -> Friction:
    """Return the law of friction with these parameters, whose names begin with a prefix."""
    law = Friction()
    for quantity in fields(FrictionParameters):
        value = parameters.get(prefix + variable_name(quantity), quantity.default)
        setattr(law, quantity.name, value)
    complete_friction(law, True)
    return law


@dataclass(frozen=True)
class ShakenRun(Drawn):
    """A run of FrictionalShock.fmu, or of an FMU with the same variables."""

    history: RunRecord
    # All parameters, as returned by `harness.case.notes.all_parameters`.
    parameters: Mapping[str, float]
    inputs: Mapping[str, Signal]
    # Number of samples to which curves are thinned.
    most_samples: int = MOST_SAMPLES
    # Largest magnitudes by output, over more points than the history contains.
    counted_largest: Mapping[str, float] = field(default_factory=dict)
    # Share of time in slip, over more points than the history contains.
    counted_slip_share: float | None = None
    # Changes of the parameters, in the order of time.
    changes: Sequence[ParameterChange] = ()

    @cached_property
    def base_acceleration(self) -> Floats:
        """Acceleration of the support along u at the communication points, m/s2."""
        return self._sampled("base_acceleration")

    @cached_property
    def support_velocity(self) -> Floats:
        """Velocity of the support [m/s], without mean for a sine, otherwise starting from rest."""
        signal = self.inputs.get("base_acceleration")
        times = self.history.times
        omega = signal.omega if isinstance(signal, SineSignal) else 0.0
        if isinstance(signal, SineSignal) and signal.offset == 0.0 and omega > 0.0:
            return -signal.amplitude / omega * np.cos(omega * times + signal.phase)
        from scipy.integrate import cumulative_trapezoid

        return np.asarray(cumulative_trapezoid(self.base_acceleration, times, initial=0.0))

    @cached_property
    def mass_velocity(self) -> Floats:
        """Velocity of the mass in the fixed frame, m/s."""
        return self.support_velocity + self.history["relative_velocity"]

    @cached_property
    def friction_limit(self) -> Floats:
        """Largest acceleration of the mass by friction in slip, μ F_N/m, m/s2."""
        times, speeds = self.history.times, np.abs(self.history["relative_velocity"])
        coefficient = np.empty_like(times)
        run, first = self, 0
        for change in (*self.changes, None):
            # The row at the time of a change contains the values before the change.
            end = None if change is None else int(np.searchsorted(times, change.time, side="right"))
            span = slice(first, end)
            coefficient[span] = run.parameters["friction_coefficient"]
            if run.friction_varies:
                coefficient[span] = run.friction_coefficient(speeds[span])
            if change is not None:
                changed = {name: float(value) for name, value in change.values.items()}
                run, first = replace(run, parameters={**run.parameters, **changed}), span.stop
        return coefficient * self.history["normal_force"] / self.parameters["mass"]

    @property
    def residual_displacement(self) -> Floats:
        """Displacement at the end, at all communication points, m."""
        displacement = self.history["relative_displacement"]
        return np.full_like(displacement, displacement[-1])

    @cached_property
    def friction(self) -> Friction:
        """The law of friction of the run."""
        return friction_of(self.parameters)

    def friction_coefficient(self, speeds: Floats) -> Floats:
        """Return the friction coefficient in slip at given speeds [m/s]."""
        return np.array([sliding_friction(self.friction, float(speed)) for speed in speeds])

    @cached_property
    def _slips(self) -> NDArray[np.intp]:
        """Some of the communication points in slip."""
        is_slipping = (self.history["slip_velocity"] != 0.0) & (self.history["normal_force"] > 0.0)
        slips = np.flatnonzero(is_slipping)
        return slips[:: max(1, len(slips) // self.most_samples)]

    @property
    def slip_speed(self) -> Floats:
        """Speed along the support at some communication points in slip, m/s."""
        return np.abs(self.history["relative_velocity"][self._slips])

    @property
    def slip_coefficient(self) -> Floats:
        """|friction force| / normal force at these communication points."""
        force = np.abs(self.history["friction_force"][self._slips])
        return np.asarray(force / self.history["normal_force"][self._slips])

    @property
    def law_speed(self) -> Floats:
        """Speeds from 0 to the largest speed in slip, m/s."""
        law = self.friction
        knots = np.array([knot_speed(law, index) for index in range(int(law.knots))])
        fastest = float(self.slip_speed.max(initial=law.friction_decay_velocity))
        return np.union1d(np.linspace(0.0, fastest), knots[knots < fastest])

    @property
    def friction_law(self) -> str:
        """The law of friction in slip, as words or symbols."""
        law = self.friction
        if law.knots > 0.0:
            rule = FrictionTableRule(law.friction_table_rule).name
            return f"of the friction table, {law.knots:.0f} knots, {rule}"
        decays = law.friction_coefficient_slow != law.friction_coefficient
        drop = " + (μ_0 − μ_d) exp(−v/v_s)" if decays else ""
        return f"μ_d{drop}{' + η v' if law.viscous_friction > 0.0 else ''}"

    @property
    def law_coefficient(self) -> Floats:
        """Coefficient of friction in slip at these speeds."""
        return self.friction_coefficient(self.law_speed)

    @property
    def friction_varies(self) -> bool:
        """Whether the coefficient of friction in slip depends on the speed."""
        return self.friction.constant_friction < 0.0

    @property
    def is_stopped(self) -> bool:
        """Whether there is a stop along the slide."""
        return any(self.values(name) is not None for name in ("stop_lower", "stop_upper"))

    @property
    def swings(self) -> bool:
        """Whether the support is a pendulum bearing."""
        return self.parameters.get("pendulum_radius", 0.0) > 0.0

    @property
    def wears_its_gap(self) -> bool:
        """Whether wear opens the gap."""
        return bool(self.parameters["wear_feedback"])

    @property
    def slides(self) -> bool:
        """Whether anything moves along the support."""
        return bool(np.any(self.history["relative_velocity"]) or np.any(self.base_acceleration))

    @property
    def knocks(self) -> bool:
        """Whether the mass ever leaves or hits its support."""
        gap, mode = self.history["gap"], self.history["contact_mode"]
        return bool(np.ptp(gap) > 0.0 or np.any(mode == 0.0))

    @property
    def varies_its_force(self) -> bool:
        """Whether the normal force changes, but no other picture contains it."""
        force = self.history["normal_force"]
        is_constant = np.ptp(force) <= 1e-9 * np.max(np.abs(force))
        return not (is_constant or self.knocks or self.wears_its_gap)

    def largest(self, name: str) -> float:
        """Return the largest magnitude of an output at the communication points."""
        if name in self.counted_largest:
            return self.counted_largest[name]
        return float(np.max(np.abs(self.history[name])))

    @property
    def slip_share(self) -> float:
        """Share of the communication points in slip, without the initial point."""
        if self.counted_slip_share is not None:
            return self.counted_slip_share
        return float(np.mean(self.history["contact_mode"][1:] == ContactMode.SLIP))

    def unit(self, name: str) -> str:
        """Return the unit of an output, or of a speed."""
        own = "relative_velocity" if name in _SPEEDS else name
        return self.history.units.get(own, "")

    def values(self, name: str) -> Floats | None:
        """Return an output, an input or a computed quantity at the communication points."""
        if name == "stop_force" and not np.any(self.history.values.get(name)):
            return None
        if name == "time" or name in self.history.values:
            return self.history[name]
        if name in ("stop_lower", "stop_upper"):
            stop = self.parameters.get(name, NO_STOP)
            return None if abs(stop) >= NO_STOP else np.full_like(self.history.times, stop)
        is_input = any(declared_input.name == name for declared_input in INPUTS)
        return self._sampled(name) if is_input else super().values(name)

    def until(self, time: float) -> ShakenRun:
        """Return the run up to a time, s."""
        last = int(np.searchsorted(self.history.times, time, side="right"))
        columns = {name: values[:last] for name, values in self.history.values.items()}
        history = replace(self.history, times=self.history.times[:last], values=columns)
        return replace(self, history=history)

    def _sampled(self, name: str) -> Floats:
        times = self.history.times
        return self.inputs[name].sample(times) if name in self.inputs else np.zeros_like(times)
