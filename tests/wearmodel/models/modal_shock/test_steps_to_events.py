"""Steps of structures that end right before an event: time, kind, count and continuation.

The runs use random structures with two contacts of all kinds under sinusoidal base motion.
"""

import itertools
import json
import math
from typing import Any

import pytest

from tests.structures import contact, modal_structure, point
from wearmodel import EventKinds, FrictionalShockParameters, InputTiming, ModalShock, StepEnd

from .pieces import record
from .structures import masses_on_planes, random_structure, shaking, with_friction_of_speed

STEP = 2e-3
STEPS = 8
LIVES = 6
MANY_LIVES = 1500

Stops = list[tuple[float, EventKinds]]


def begin(seed: int, timing: InputTiming = InputTiming.end) -> ModalShock:
    """Return the model at the start of a run."""
    structure = random_structure(seed, modes=3)
    if seed % 3 == 1:
        structure = with_friction_of_speed(structure, seed)
    return ModalShock(structure, input_timing=timing, **shaking(seed)(0.0))


def modes(contacts: Any) -> list[tuple[float, float, float]]:
    return [(contact.closed, contact.sliding, contact.shock_count) for contact in contacts]


def recorded_events(model: ModalShock, inputs: dict[str, float]) -> Stops:
    """Take a step and read its events from the pieces, without the events at its start."""
    start = model.time
    pieces = record(model)
    model.step(STEP, **inputs)
    starts = [modes(piece["before"]) for piece in pieces] + [modes(model._state.contacts)]
    events = []
    lasting = [number for number, piece in enumerate(pieces) if piece["duration"] > 0.0]
    for number, following in itertools.pairwise([*lasting, len(pieces)]):
        kinds = EventKinds.none
        for before, after in zip(starts[number], starts[following], strict=True):
            if after[2] > before[2]:
                kinds |= EventKinds.shocks
            elif after[0] != before[0]:
                kinds |= EventKinds.others
            if after[1] != before[1]:
                kinds |= EventKinds.slip_changes
        if kinds:
            piece = pieces[number]
            events.append((piece["start"] - start + piece["duration"], kinds))
    return events


def stop_and_pass(model: ModalShock, inputs: dict[str, float], *, restoring: bool) -> Stops:
    """Take a step that stops at every event and passes it, if `restoring` from a JSON snapshot."""
    done = 0.0
    events = []
    while done < STEP and model.time + (STEP - done) > model.time:
        end = model.step_to_event(STEP - done, **inputs)
        if not end.event:
            break
        done += end.reached
        events.append((done, end.event))
        if restoring:
            pending = json.dumps(model.snapshot())
            model.pass_event()
            after = model.output_values()
            model.step(STEP, **inputs)
            model.restore(json.loads(pending))
            model.pass_event()
            assert model.output_values() == after
        else:
            model.pass_event()
    return events


def follow(seeds: range) -> int:
    """Compare runs that stop at all events with runs without stops, and return the event count."""
    count = 0
    for seed in seeds:
        inputs = shaking(seed)
        whole, parted = begin(seed), begin(seed)
        # Recording follows different code. Its steps start from the states of the whole run.
        recorded = begin(seed)
        for step in range(STEPS):
            end = inputs((step + 1) * STEP)
            recorded = begin(seed)
            recorded.restore(whole.snapshot())
            expected = recorded_events(recorded, end)
            again = begin(seed)
            again.restore(whole.snapshot())
            events = stop_and_pass(again, end, restoring=False)
            assert [kinds for _, kinds in events] == [kinds for _, kinds in expected], seed
            for (time, _), (other, _) in zip(events, expected, strict=True):
                assert time == pytest.approx(other, rel=0.0, abs=1e-12), seed
            count += len(events)
            whole.step_to_event(STEP, kinds=EventKinds.none, **end)
            stop_and_pass(parted, end, restoring=True)
            assert recorded.output_values() == whole.output_values()
            for model in (whole, parted):
                model.time = (step + 1) * STEP
            # The prediction error is known from the eighth step on, and each stop ends a step.
            unlike = {"input_prediction_error": 0.0}
            assert {**parted.outputs(), **unlike} == pytest.approx(
                {**whole.outputs(), **unlike}, rel=1e-10, abs=1e-10
            )
        assert parted.event_count == whole.event_count, seed
    return count


@pytest.mark.long
def test_events_of_random_structures_lie_where_the_pieces_end_and_are_passed_once():
    assert follow(range(LIVES)) > 2 * LIVES


@pytest.mark.campaign
def test_events_of_many_random_structures_are_passed_once():
    assert follow(range(LIVES, LIVES + MANY_LIVES)) > 2 * MANY_LIVES


def falling(*gaps: float) -> ModalShock:
    """Return a model with one mass per gap, falling onto planes of 10⁴ N/m."""
    masses = [
        FrictionalShockParameters(
            gravity=8.0,
            normal_law="penalty",  # type: ignore[arg-type]
            tangential_law="penalty",  # type: ignore[arg-type]
            initial_gap=gap,
            contact_stiffness=1e4,
            friction_coefficient=0.1,
        )
        for gap in gaps
    ]
    structure = masses_on_planes(masses)
    weights = {f"load.weight{number}": 1.0 for number in range(len(gaps))}
    return ModalShock(structure, input_timing=InputTiming.end, **weights)


WEIGHTS = {"load.weight0": 1.0, "load.weight1": 1.0}


def test_contacts_that_close_at_one_instant_are_one_event():
    # A fall through 0.0625 m at 8 m/s2 takes 0.125 s.
    model = falling(0.0625, 0.0625)
    end = model.step_to_event(0.2, **WEIGHTS)
    assert end.reached == pytest.approx(0.125, rel=0.0, abs=1e-12)
    assert end.event & EventKinds.shocks
    assert [model.outputs()[f"c{number}.shock_count"] for number in (0, 1)] == [0, 0]
    model.pass_event()
    assert [model.outputs()[f"c{number}.shock_count"] for number in (0, 1)] == [1, 1]
    assert model.event_count == 1
    # They open together, half a period later.
    again = model.step_to_event(0.2 - end.reached, kinds=EventKinds.others, **WEIGHTS)
    assert again.event & EventKinds.others
    pulse = math.sqrt(1e4)
    assert again.reached > math.pi / pulse
    assert again.reached < math.pi / pulse + 0.01


def test_contacts_that_close_one_after_the_other_are_two():
    model = falling(0.0625, 0.09)
    for gap in (0.0625, 0.09):
        end = model.step_to_event(0.2 - model.time, kinds=EventKinds.shocks, **WEIGHTS)
        assert end.event & EventKinds.shocks
        assert model.time == pytest.approx(math.sqrt(gap / 4.0), rel=0.0, abs=1e-12)
        model.pass_event()


def test_a_point_that_passes_between_planes_without_a_gap_changes_them_in_one_event():
    structure = modal_structure(
        [20.0] * 3,
        contact(obstacle="two_planes", gap=0.0),
        initial={"velocity": [0.1, 0.0, -0.3]},
    )
    model = ModalShock(structure)
    crossing = math.pi / math.sqrt(1e6 + (2.0 * math.pi * 20.0) ** 2)
    for number in range(1, 30):
        end = model.step_to_event(30.5 * crossing - model.time)
        assert end.event == EventKinds.shocks
        assert model.time == pytest.approx(number * crossing, rel=1e-12)
        model.pass_event()
        assert model.outputs()["c.shock_count"] == number + 1
        assert model.event_count == number + 1


def test_an_event_at_the_very_end_of_a_step_is_pending_there():
    model = falling(0.0625, 1.0)
    assert not model.step_to_event(0.0625, **WEIGHTS).event
    end = model.step_to_event(0.0625, **WEIGHTS)
    assert end.reached == 0.0625
    assert end.event & EventKinds.shocks
    model.pass_event()
    after = model.step_to_event(0.001, kinds=EventKinds.shocks, **WEIGHTS)
    assert after == StepEnd(0.001, EventKinds.none)
    assert model.outputs()["c0.shock_count"] == 1


def free_error(order: int, delay: float) -> float:
    """Return the error [m/s] of a free mass. Every seventh step is divided after `delay` [s]."""
    masses = [FrictionalShockParameters(
        normal_law="penalty", tangential_law="penalty", initial_gap=1.0, gravity=0.0,
        initial_velocity=0.0, contact_stiffness=1e4,
    )]  # fmt: skip  # type: ignore[arg-type]
    model = ModalShock(
        masses_on_planes(masses), input_timing=InputTiming.start, input_extrapolation_order=order
    )
    pulse = 2.0 * math.pi * 5.0
    worst = 0.0
    for number in range(150):
        start, end = number * 1e-3, (number + 1) * 1e-3
        parts = [start, start + delay] if delay and number % 7 == 0 else [start]
        for begin_part, stop in itertools.pairwise([*parts, end]):
            model.time = begin_part
            load = 15.0 * math.sin(pulse * begin_part)
            model.step_to_event(stop - begin_part, kinds=EventKinds.all, **{"load.t0": load})
        model.time = end
        mass = masses[0].mass
        exact = 15.0 / mass / pulse * (1.0 - math.cos(pulse * end))
        worst = max(worst, abs(model._state.motion.velocity[0] - exact))
    return worst


@pytest.mark.parametrize("order", [-1, 0, 1, 2, 3])
@pytest.mark.parametrize("delay", [1e-9, 1e-5, 1e-3 - 1e-9])
def test_a_sample_close_to_another_does_not_spoil_an_extrapolation(order, delay):
    assert free_error(order, delay) < 1.5 * free_error(order, 0.0)


def test_an_event_that_is_not_pending_is_not_passed():
    model = falling(0.0625)
    with pytest.raises(ValueError, match="no event is pending"):
        model.pass_event()


@pytest.mark.parametrize("damping", [0.0, 50.0])
def test_a_contact_that_its_point_meets_at_the_start_is_closed_before_the_first_step(damping):
    speed = 0.1
    meeting = contact(gap=0.0, contact_damping=damping, friction_coefficient=0.0)
    start = {"velocity": [-speed]}
    model = ModalShock(modal_structure([0.0], meeting, points=[point(z=[1.0])], initial=start))
    # As in FrictionalShock, the output is the force right after the impact: C_N v at gap 0.
    outputs = model.outputs()
    assert outputs["c.normal_force"] == pytest.approx(damping * speed, rel=1e-15)
    assert (outputs["c.contact_mode"], outputs["c.shock_count"], model.event_count) == (1, 1, 1)
    # The shock is not counted again.
    model.step(1e-5)
    assert (model.outputs()["c.shock_count"], model.event_count) == (1, 1)
