"""Random runs of frictional shocks, and a master that stops at each event.

Inputs are sines that a master samples at the ends of its steps. The runs include all pairs of laws,
one and two planes, and friction that depends on the speed.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterator
from dataclasses import dataclass

from wearmodel import (
    EventKinds,
    FrictionalShock,
    FrictionalShockParameters,
    NormalLaw,
    Obstacle,
    TangentialLaw,
)

from .trace import record

STEPS = 30
INPUTS = ("base_acceleration", "base_acceleration_normal", "tangential_load", "normal_load")


@dataclass(frozen=True)
class Event:
    """An event: time since the start of the step [s], and kinds."""

    time: float
    kinds: EventKinds


@dataclass(frozen=True)
class Life:
    """Parameters, step, start time, and sines of inputs: amplitude, frequency [Hz], phase [rad]."""

    parameters: FrictionalShockParameters
    step_size: float
    start_time: float
    sines: tuple[tuple[float, float, float], ...]

    def inputs(self, step: int) -> list[float]:
        """Return the inputs at the start of a step."""
        time = step * self.step_size
        return [a * math.sin(2.0 * math.pi * f * time + phase) for a, f, phase in self.sines]

    def begin(self) -> FrictionalShock:
        """Return a model at the start of the run."""
        first = dict(zip(INPUTS, self.inputs(0), strict=True))
        return FrictionalShock(self.parameters, start_time=self.start_time, **first)

    def instant(self, step: int) -> float:
        """Return the start of a step [s]."""
        return self.start_time + step * self.step_size


def random_life(seed: int, start_time: float = 0.0) -> Life:
    """Return the run of a seed."""
    draw = random.Random(seed)
    normal_law = draw.choice(list(NormalLaw))
    parameters: dict[str, object] = {
        "input_timing": "end",
        "normal_law": normal_law,
        "tangential_law": draw.choice(list(TangentialLaw)),
        "contact_stiffness": 10.0 ** draw.uniform(3.0, 6.0),
        "contact_damping": draw.choice([0.0, 5.0, 50.0]),
        "restitution": draw.choice([0.0, 0.3, 0.7]),
        "friction_coefficient": draw.choice([0.1, 0.3]),
        "friction_coefficient_static": draw.choice([-1.0, 0.4]),
        "tangential_stiffness": 10.0 ** draw.uniform(4.0, 6.0),
        "tangential_damping": draw.choice([0.0, 10.0, -1.0]),
        "stiffness": draw.choice([0.0, 100.0]),
    }
    if draw.random() < 0.3:
        parameters.update(
            friction_coefficient_slow=0.4,
            friction_decay_velocity=0.1,
            friction_coefficient_static=-1.0,
        )
    if normal_law is not NormalLaw.prescribed:
        parameters.update(initial_gap=draw.choice([0.0, 1e-3, 1e-4]))
        if draw.random() < 0.4:
            parameters.update(obstacle=Obstacle.two_planes, plane_half_spacing=1e-3)
    sines = tuple(
        (draw.uniform(0.0, largest), draw.uniform(1.0, 30.0), draw.uniform(0.0, 2.0 * math.pi))
        for largest in (30.0, 30.0, 3.0, 3.0)
    )
    if draw.random() < 0.4:
        parameters.update(stop_upper=draw.choice([1e-3, 5e-3]), stop_lower=draw.uniform(-5e-3, 0.0))
        if draw.random() < 0.5:
            parameters.update(stop_stiffness=1e4, stop_damping=draw.choice([0.0, 20.0]))
        else:
            parameters.update(stop_restitution=draw.choice([0.0, 0.5]))
    # Rigid impacts on a curved surface do not support a decay velocity.
    if draw.random() < 0.3 and not (
        parameters["normal_law"] is NormalLaw.rigid and "friction_decay_velocity" in parameters
    ):
        parameters["pendulum_radius"] = 10.0 ** draw.uniform(-2.0, 0.0)
    return Life(
        FrictionalShockParameters(**parameters), draw.choice([1e-3, 3e-3]), start_time, sines
    )


def events_of_trace(model: FrictionalShock, step_size: float, inputs: list[float]) -> list[Event]:
    """Take a step and read its events from the trace, as changes across an instant.

    Events at the start of the step are left out.
    """
    trace = record(model)
    model.step(step_size, *inputs)
    events = []
    segments = trace.segments
    for number, segment in enumerate(segments):
        instant = segment.start + segment.duration
        if segment.event == "none" or segment.duration == 0.0:
            continue
        last = number
        while last + 1 < len(segments) and segments[last + 1].duration == 0.0:
            last += 1
        before, after = segment.moved, segments[last].after
        kinds = EventKinds.none
        if after["shock_count"] > before["shock_count"]:
            kinds |= EventKinds.shocks
        elif after["contact"] != before["contact"]:
            kinds |= EventKinds.others
        if after["stop_count"] != before["stop_count"]:
            kinds |= EventKinds.others
        if after["sliding"] != before["sliding"]:
            kinds |= EventKinds.slip_changes
        if kinds:
            events.append(Event(instant, kinds))
    return events


def stop_at_events(
    model: FrictionalShock, life: Life, step: int, kinds: EventKinds = EventKinds.all
) -> Iterator[Event]:
    """Take a step that stops at each event, and pass each event after the caller has used it."""
    start, end = life.instant(step), life.instant(step + 1)
    inputs = life.inputs(step + 1)
    done = 0.0
    model.time = start
    while done < life.step_size and model.time + (life.step_size - done) > model.time:
        stop = model.step_to_event(life.step_size - done, *inputs, kinds=kinds)
        done = done + stop.reached if stop.event else life.step_size
        if stop.event:
            yield Event(done, stop.event)
            model.pass_event()
    model.time = end


def copy_through_json(model: FrictionalShock, life: Life) -> FrictionalShock:
    """Return another model in the same state, copied through JSON."""
    other = life.begin()
    other.restore(json.loads(json.dumps(model.snapshot())))
    return other
