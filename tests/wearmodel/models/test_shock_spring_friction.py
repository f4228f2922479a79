"""The shock spring with friction that depends on the speed of its path."""

import math
import random
import re
from typing import Any

import pytest

from wearmodel import EventKinds, ShockSpring, ShockSpringParameters
from wearmodel.kernel.contact.state_objects import ContactState
from wearmodel.kernel.limits import SLIP
from wearmodel.kernel.spring import path
from wearmodel.kernel.spring.state_objects import SpringState
from wearmodel.kernel.state_objects import field_names
from wearmodel.models.shock_spring import OUTPUTS, Drive

FORCE = 10.0
STIFFNESS = 1000.0


def spring(**parameters: float) -> ShockSpring:
    """Return a spring with K_T = 1000 N/m and μ_d = 0.1, for a force of 10 N."""
    return ShockSpring(
        ShockSpringParameters(
            drive=Drive.displacement,
            contact_stiffness=FORCE,
            tangential_stiffness=STIFFNESS,
            dist_1=0.0,
            friction_coefficient=0.1,
            **parameters,
        )
    )


def dragged(model: ShockSpring, distance: float, speed: float) -> ShockSpring:
    model.step(
        imposed_displacement_x=-1.0,
        imposed_displacement_y=model.displacement_y + distance,
        step_size=distance / speed,
    )
    return model


WEAKENING = {"friction_coefficient_slow": 0.4, "friction_decay_velocity": 0.5}
STRENGTHENING = {"friction_coefficient_slow": 0.05, "friction_decay_velocity": 0.5}


@pytest.mark.parametrize("speed", [0.01, 0.5, 3.0])
@pytest.mark.parametrize(
    "law", [WEAKENING, STRENGTHENING, {"viscous_friction": 0.2}], ids=["weak", "strong", "viscous"]
)
def test_a_dragged_spring_bears_the_friction_of_its_speed(law, speed):
    model = spring(**law)
    model.step(imposed_displacement_x=-1.0, step_size=math.inf)
    dragged(model, 0.1, speed)
    slow = law.get("friction_coefficient_slow", 0.1)
    decay = law.get("friction_decay_velocity", 1.0)
    want = 0.1 + (slow - 0.1) * math.exp(-speed / decay) + law.get("viscous_friction", 0.0) * speed
    assert model.force_y == pytest.approx(want * FORCE, rel=1e-15)
    # Slip is the length of the path minus the stretch.
    assert model.wear_work == pytest.approx(FORCE * (0.1 - want * FORCE / STIFFNESS), rel=1e-13)


@pytest.mark.parametrize("rounding", [0.0, 2e-12])
def test_a_slip_goes_on_round_a_corner_of_the_path_although_its_stretch_is_rounded(rounding):
    model = spring(**WEAKENING)
    model.step(imposed_displacement_x=-1.0, step_size=math.inf)
    numbers = list(dragged(model, 0.1, 20.0).snapshot())
    stretch = len(field_names(SpringState)) + field_names(ContactState).index("stretch_1")
    numbers[stretch] *= 1.0 - rounding
    model.restore(numbers)
    model.step(
        imposed_displacement_x=-1.0,
        imposed_displacement_y=model.displacement_y + 1e-5,
        imposed_displacement_z=1e-6,
        step_size=5e-7,
    )
    assert model.contact_mode == SLIP
    assert math.hypot(model.force_y, model.force_z) == pytest.approx(0.1 * FORCE, rel=1e-14)


def test_where_friction_falls_the_anchor_jumps_and_is_booked():
    model = spring(**WEAKENING)
    model.step(imposed_displacement_x=-1.0, step_size=math.inf)
    dragged(model, 0.1, 0.01)
    before, held = model.wear_work, model.force_y
    dragged(model, 0.01, 5.0)
    drop = (held - model.force_y) / STIFFNESS
    assert drop > 2e-3
    assert model.wear_work - before == pytest.approx(FORCE * (drop + 0.01), rel=1e-13)


def test_where_friction_rises_the_spring_sticks_until_it_is_stretched_enough():
    model = spring(**STRENGTHENING)
    model.step(imposed_displacement_x=-1.0, step_size=math.inf)
    dragged(model, 0.1, 1e-6)
    before = model.wear_work
    # The friction limit rises from 0.5 N to 1 N. A path of 0.2 mm adds 0.2 N to the force.
    dragged(model, 2e-4, 3.0)
    assert model.contact_mode == 1
    assert model.force_y == pytest.approx(0.7, rel=1e-5)
    assert model.wear_work == before


@pytest.mark.parametrize("cuts", [1, 7])
@pytest.mark.parametrize(
    ("obstacle", "side"), [("plane", -1), ("two_planes", -1), ("two_planes", 1), ("circle", 1)]
)
def test_stick_bears_the_slow_coefficient_at_every_obstacle(obstacle, side, cuts):
    """Stick with μ_0 = 0.4 ends at 4 mm under 10 N. Slip follows with μ(3 m/s), about 0.1."""
    model = ShockSpring(
        ShockSpringParameters(
            drive=Drive.displacement,
            obstacle=obstacle,  # type: ignore[arg-type]
            contact_stiffness=FORCE,
            tangential_stiffness=STIFFNESS,
            dist_1=0.5,
            friction_coefficient=0.1,
            **WEAKENING,
        )
    )
    press = {"imposed_displacement_x": side * 1.5}
    model.step(**press, step_size=math.inf)
    speed, sticks, ends = 3.0, 3.9e-3, 9e-3
    for start, end in ((0.0, sticks), (sticks, ends)):
        for cut in range(1, cuts + 1):
            place = start + (end - start) * cut / cuts
            model.step(
                **press, imposed_displacement_z=place, step_size=(end - start) / cuts / speed
            )
        if end == sticks:
            assert (model.contact_mode, model.wear_work) == (1, 0.0)
            assert model.force_z == pytest.approx(STIFFNESS * sticks, rel=1e-13)
    slides = 0.1 + 0.3 * math.exp(-speed / 0.5)
    assert model.contact_mode == 2
    assert model.force_z == pytest.approx(slides * FORCE, rel=1e-13)
    assert model.wear_work == pytest.approx(FORCE * (ends - slides * FORCE / STIFFNESS), rel=1e-13)


def test_a_path_that_takes_for_ever_has_the_friction_of_speed_zero():
    model = spring(**WEAKENING)
    model.step(imposed_displacement_x=-1.0, step_size=math.inf)
    model.step(imposed_displacement_x=-1.0, imposed_displacement_y=0.1, step_size=math.inf)
    assert model.force_y == pytest.approx(4.0, rel=1e-15)


def test_under_constant_friction_only_rates_know_a_duration():
    slow, fast = spring(), spring()
    for model, speed in ((slow, 1e-3), (fast, 1e3)):
        model.step(imposed_displacement_x=-1.0, step_size=math.inf)
        dragged(model, 0.1, speed)
        assert model.slip_velocity == pytest.approx(speed, rel=1e-15)
    rates = ("slip_velocity", "wear_power")
    for variable in OUTPUTS:
        if variable.name not in rates:
            assert getattr(slow, variable.name) == getattr(fast, variable.name), variable.name


@pytest.mark.parametrize("law", [WEAKENING, {"viscous_friction": 0.2}], ids=["slow", "viscous"])
def test_given_loads_have_no_speed_for_friction_to_depend_on(law):
    with pytest.raises(ValueError, match="need drive displacement"):
        ShockSpringParameters(**law)


def test_a_slow_coefficient_needs_a_decay_velocity():
    with pytest.raises(ValueError, match=r"friction_coefficient_slow=0\.4 needs"):
        ShockSpringParameters(drive=Drive.displacement, friction_coefficient_slow=0.4)


@pytest.mark.parametrize("step_size", [0.0, -1.0, math.nan])
def test_a_step_takes_time(step_size):
    with pytest.raises(ValueError, match="step_size="):
        spring().step(step_size=step_size)


@pytest.mark.parametrize(
    ("parameters", "shown"),
    [
        ({"contact_damping": 2.0}, "contact_damping=2.0 N.s/m"),
        ({"tangential_damping": 3.0}, "tangential_damping=3.0 N.s/m"),
        ({"viscous_friction": 0.1}, "viscous_friction=0.1 s/m"),
    ],
)
def test_a_step_without_duration_is_refused_where_forces_follow_the_speed(parameters, shown):
    model = ShockSpring(ShockSpringParameters(drive=Drive.displacement, **parameters))
    before = model.snapshot()
    with pytest.raises(
        ValueError, match=rf"^step_size \[s\] is missing: with .*{re.escape(shown)} forces depend"
    ):
        model.step(imposed_displacement_x=-1.0)
    assert model.snapshot() == before


def run_along_a_line(seed: int) -> tuple[list[list[float]], int]:
    """Return forces, slip and wear of a run along a line, without units, and its event count."""
    draw = random.Random(seed)
    normal, tangential = (10.0 ** draw.uniform(3.0, 5.0) for _ in range(2))
    step_size = 10.0 ** draw.uniform(-4.0, -1.5)
    lag = draw.choice([0.0, 10.0 ** draw.uniform(-1.0, 1.9)])
    obstacle = draw.choice(["plane", "two_planes"])
    model = ShockSpring(
        ShockSpringParameters(
            obstacle=obstacle,
            drive=Drive.displacement,
            dist_1=0.0,
            length=1e-4,
            contact_stiffness=normal,
            contact_damping=draw.choice([1e-3, 0.1]) * normal * step_size,
            tangential_stiffness=tangential,
            tangential_damping=lag * tangential * step_size,
            friction_coefficient=draw.choice([0.1, 0.3]),
            **draw.choice([{}, WEAKENING, STRENGTHENING]),
        )
    )
    depth = 1e-3
    side = draw.choice([-1.0, 1.0]) if obstacle == "two_planes" else -1.0
    angle, rate, pulse = draw.uniform(0.0, 6.0), draw.uniform(0.1, 0.6), draw.uniform(0.1, 0.6)
    rows = []
    for leg in range(1, 41):
        along = 3.0 * depth * math.sin(rate * leg)
        inputs = {
            "imposed_displacement_x": side * depth * (0.8 + 0.5 * math.sin(pulse * leg)),
            "imposed_displacement_y": along * math.cos(angle),
            "imposed_displacement_z": along * math.sin(angle),
        }
        model.step_to_event(step_size=step_size, kinds=EventKinds.none, **inputs)
        forces = [model.normal_force, model.force_y, model.force_z, model.wear_work / depth]
        numbers = [force / (depth * normal) for force in forces]
        rows.append([model.contact_mode, model.slip_velocity * step_size / depth, *numbers])
    return rows, model.event_count


# Each of these runs has legs in slip along the plane.
@pytest.mark.parametrize("seed", range(40))
def test_a_slip_along_a_plane_is_that_of_the_series(seed, monkeypatch):
    kept = []
    keeps_slipping = path._keeps_slipping

    def noted(*arguments: Any) -> bool:
        kept.append(keeps_slipping(*arguments))
        return kept[-1]

    monkeypatch.setattr(path, "_keeps_slipping", noted)
    rows, events = run_along_a_line(seed)
    monkeypatch.setattr(path, "_keeps_slipping", lambda *_: False)
    rows_of_the_series, events_of_the_series = run_along_a_line(seed)
    assert any(kept)
    for row, wanted in zip(rows, rows_of_the_series, strict=True):
        assert row == pytest.approx(wanted, rel=1e-12, abs=1e-13)
    assert events == events_of_the_series
