"""SSND116 and the interface of the shock spring: values, modes, rejected input, snapshots."""

import itertools
import math
import tomllib
from importlib.resources import files
from typing import Any

import numpy as np
import pytest

from wearmodel.models.shock_spring import OUTPUTS, Drive, ShockSpring, ShockSpringParameters

FLIGHT, STICK, SLIP = 0, 1, 2

# Values of order 1 after a few operations each, so a few units in the last place.
ROUNDING = 4e-15


def reference_case(name: str) -> dict[str, Any]:
    text = files("harness").joinpath("cases", name, "case.toml").read_text(encoding="utf-8")
    case = tomllib.loads(text)
    drives = {"load": Drive.load, "displacement": Drive.displacement}
    case["parameters"]["drive"] = drives[case["parameters"]["drive"]]
    return case


def led_through(case: dict[str, Any], time: float, step_size: float) -> ShockSpring:
    """Move the spring of the case to `time` in steps of about `step_size` between table knots."""
    spring = ShockSpring(ShockSpringParameters(**case["parameters"]))
    load_x, load_y = case["inputs"]["load_x"], case["inputs"]["load_y"]
    knots = [knot for knot in load_x["time"] if knot < time] + [time]
    for start, end in itertools.pairwise(knots):
        count = max(1, round((end - start) / step_size))
        for index in range(1, count + 1):
            instant = start + (end - start) * index / count
            spring.step(
                load_x=float(np.interp(instant, load_x["time"], load_x["value"])),
                load_y=float(np.interp(instant, load_y["time"], load_y["value"])),
            )
    return spring


@pytest.mark.parametrize("step_size", [0.05, 0.001, 0.037, 1.0], ids=lambda step: f"step {step} s")
@pytest.mark.parametrize("name", ["ssnd116_seg2", "ssnd116_poi1"])
def test_ssnd116_values_are_met_to_rounding(name, step_size):
    case = reference_case(name)
    assert len(case["expect"]) == 7
    for expect in case["expect"]:
        spring = led_through(case, expect["time"], step_size)
        got = getattr(spring, expect["variable"])
        assert got == pytest.approx(expect["value"], rel=0.0, abs=ROUNDING), expect


@pytest.mark.parametrize(
    ("time", "displacement", "force"),
    # Stick ends when K_T (u − δ) = ±μ|N| = ±0.125 N: SSND116, section 2.1, with N = −0.25 N.
    [(1.09375, 0.25, 0.125), (1.6875, 1.375, -0.125)],
)
def test_ssnd116_stick_ends_where_the_friction_force_reaches_the_contact_force_s_bound(
    time, displacement, force
):
    spring = led_through(reference_case("ssnd116_seg2"), time, 0.05)
    assert spring.force_x == -0.25
    assert spring.force_y == pytest.approx(force, rel=0.0, abs=ROUNDING)
    assert spring.displacement_y == pytest.approx(displacement, rel=0.0, abs=ROUNDING)


def test_ssnd116_modes_slip_and_wear_work():
    case = reference_case("ssnd116_seg2")
    # Slip of 1.625 m forward and 1.25 m back under 0.25 N.
    want = [
        (0.5, FLIGHT, 0.0, 0.0),
        (1.05, STICK, 0.0, 0.0),
        (1.5, SLIP, 1.625, 0.40625),
        (1.55, STICK, 1.625, 0.40625),
        (2.0, SLIP, 0.375, 0.71875),
    ]
    for time, mode, slip, wear_work in want:
        spring = led_through(case, time, 0.05)
        assert spring.contact_mode == mode
        assert spring.slip_y == pytest.approx(slip, rel=0.0, abs=ROUNDING)
        assert spring.wear_work == pytest.approx(wear_work, rel=0.0, abs=ROUNDING)


def imposed(x: float, y: float, z: float = 0.0) -> dict[str, float]:
    return {"imposed_displacement_x": x, "imposed_displacement_y": y, "imposed_displacement_z": z}


def displacement_driven(**changes: float) -> ShockSpring:
    return ShockSpring(ShockSpringParameters(drive=Drive.displacement, **changes))


def test_without_a_mass_the_mean_forces_on_the_body_are_those_of_the_end_of_the_step():
    friction = {"friction_coefficient": 0.5, "tangential_stiffness": 1.0}
    spring = ShockSpring(ShockSpringParameters(drive=Drive.displacement, **friction))
    spring.step(imposed_displacement_x=-2.0, imposed_displacement_y=0.1, imposed_displacement_z=0.3)
    forces = [spring.force_x, spring.force_y, spring.force_z]
    assert 0.0 not in forces
    assert [spring.mean_force_x, spring.mean_force_y, spring.mean_force_z] == [-f for f in forces]


def test_spring_starts_open_and_unloaded():
    spring = displacement_driven()
    assert spring.contact_mode == FLIGHT
    assert (spring.force_x, spring.force_y, spring.force_z, spring.wear_work) == (0, 0, 0, 0)


def test_negative_gap_at_rest_is_a_preload():
    spring = displacement_driven(length=0.75, dist_1=0.5, dist_2=0.5, contact_stiffness=8.0)
    assert spring.parameters.gap_at_rest == -0.25
    assert spring.force_x == -2.0
    assert spring.contact_mode == STICK


def test_load_drive_balances_the_preload():
    spring = ShockSpring(ShockSpringParameters(dist_1=-0.5, elastic_stiffness=3.0))
    # 3 u + (u − 0.5) = 0
    assert spring.displacement_x == pytest.approx(0.125, rel=0.0, abs=ROUNDING)
    assert spring.force_x == pytest.approx(-0.375, rel=0.0, abs=ROUNDING)


def test_contact_that_closes_on_a_steep_path_slips_at_once():
    spring = displacement_driven()
    # The contact closes at u_y = 1 m of 3 m. From there K_T du_y = 1 N exceeds μ dN = 0.5 N.
    spring.step(**imposed(-1.5, 3.0))
    assert spring.contact_mode == SLIP
    assert spring.force_y == pytest.approx(0.5, rel=0.0, abs=ROUNDING)
    assert spring.wear_work == pytest.approx(0.5 * (2.0 - 1.0), rel=0.0, abs=ROUNDING)


def test_contact_that_closes_on_a_flat_path_sticks_where_it_touched():
    spring = displacement_driven()
    spring.step(**imposed(-1.5, 1.2))
    assert spring.contact_mode == STICK
    assert spring.slip_y == pytest.approx(0.4, rel=0.0, abs=ROUNDING)
    assert spring.force_y == pytest.approx(0.5 * 0.8, rel=0.0, abs=ROUNDING)
    assert spring.wear_work == 0.0


def test_shrinking_cone_makes_a_fixed_point_slip():
    spring = displacement_driven()
    spring.step(**imposed(-1.5, 0.0))
    spring.step(**imposed(-1.5, 0.8))  # 0.4 N is less than 0.5 N, so the contact sticks.
    spring.step(**imposed(-1.0, 0.8))  # The bound falls to 0.25 N.
    assert spring.contact_mode == SLIP
    assert spring.force_y == pytest.approx(0.25, rel=0.0, abs=ROUNDING)
    # The contact slips by (0.4 − 0.25)/K_T while N falls from 0.8 N to 0.5 N.
    assert spring.wear_work == pytest.approx(0.65 * 0.3, rel=0.0, abs=ROUNDING)


def test_opening_forgets_the_friction_force_and_the_slip_follows():
    spring = displacement_driven()
    spring.step(**imposed(-1.5, 0.0))
    spring.step(**imposed(-1.5, 0.8, 0.3))
    spring.step(**imposed(0.0, 0.7, 0.2))
    assert spring.contact_mode == FLIGHT
    assert (spring.force_x, spring.force_y, spring.force_z) == (0.0, 0.0, 0.0)
    assert (spring.slip_y, spring.slip_z) == (0.7, 0.2)


def test_touching_without_force_is_flight():
    spring = displacement_driven()
    spring.step(**imposed(-0.5, 1.0))
    assert spring.contact_mode == FLIGHT


def test_contact_held_still_on_the_bound_sticks():
    spring = displacement_driven()
    spring.step(**imposed(-1.5, 3.0))
    before = spring.outputs()
    spring.step(**imposed(-1.5, 3.0))
    assert spring.contact_mode == STICK
    assert spring.force_y == pytest.approx(0.5, rel=0.0, abs=ROUNDING)
    changed = {"contact_mode", "slip_velocity", "wear_power"}
    assert {name for name, value in spring.outputs().items() if value != before[name]} <= changed


def test_outputs_are_the_attributes_by_name():
    spring = displacement_driven()
    spring.step(**imposed(-1.5, 3.0))
    outputs = spring.outputs()
    assert tuple(outputs) == tuple(output.name for output in OUTPUTS)
    assert all(getattr(spring, name) == value for name, value in outputs.items())
    assert (outputs["force_x"], outputs["normal_force"], outputs["clearance"]) == (-1.0, 1.0, -1.0)


def test_without_friction_the_contact_slides_freely_and_wears():
    spring = displacement_driven(friction_coefficient=0.0)
    spring.step(**imposed(-1.5, 0.0))
    spring.step(**imposed(-1.5, 3.0, 4.0))
    assert spring.contact_mode == SLIP
    assert (spring.force_y, spring.force_z) == (0.0, 0.0)
    assert spring.wear_work == pytest.approx(5.0, rel=ROUNDING)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"elastic_stiffness": 0.0}, r"elastic_stiffness=0\.0 N/m must be > 0 with drive load"),
        ({"elastic_stiffness": -1.0}, r"elastic_stiffness=-1\.0 N/m must be ≥ 0"),
        ({"contact_stiffness": -2.0}, r"contact_stiffness=-2\.0 N/m must be > 0"),
        ({"tangential_stiffness": 0.0}, r"tangential_stiffness=0\.0 N/m must be > 0"),
        ({"friction_coefficient": -0.1}, r"friction_coefficient=-0\.1 must be ≥ 0"),
        ({"length": -1.0}, r"length=-1\.0 m must be ≥ 0"),
        ({"dist_2": 0.1}, r"dist_2=0\.1 m must be 0 with one node"),
        ({"dist_1": math.nan}, r"dist_1=nan m must be finite"),
        ({"contact_stiffness": math.inf}, r"contact_stiffness=inf N/m must be finite"),
        ({"drive": 2}, r"drive=2 must be one of: load \(0\), displacement \(1\)"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_parameters_that_make_no_sense_are_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        ShockSpringParameters(**changes)


def test_displacement_drive_needs_no_elastic_spring():
    spring = displacement_driven(elastic_stiffness=0.0)
    spring.step(**imposed(-1.0, 0.1))
    assert spring.force_x == -0.5


@pytest.mark.parametrize(
    ("drive", "inputs", "message"),
    [
        (Drive.load, {"load_y": math.nan}, r"load_y=nan N must be finite"),
        (Drive.load, {"load_x": -math.inf}, r"load_x=-inf N must be finite"),
        (Drive.load, {"load_x": -1e70}, r"\(-1e\+70, 0.0, 0.0\) N lead the spring out of"),
        (Drive.load, {"imposed_displacement_x": 1.0}, r"must be 0 with drive load"),
        (Drive.displacement, {"imposed_displacement_z": math.nan}, r"_z=nan m must be finite"),
        (Drive.displacement, {"load_z": 1.0}, r"must be 0 with drive displacement"),
    ],
)
def test_bad_input_is_refused_and_leaves_the_state(drive, inputs, message):
    spring = ShockSpring(ShockSpringParameters(drive=drive, dist_1=-1.0))
    before = spring.snapshot()
    with pytest.raises(ValueError, match=message):
        spring.step(**inputs)
    assert spring.snapshot() == before


STATE_LENGTH = len(ShockSpring().snapshot())


@pytest.mark.parametrize(
    ("snapshot", "message"),
    [
        ((), "the snapshot has another form, for instance of another version: "),
        ((0.0,) * (STATE_LENGTH - 1), "the snapshot has another form, for instance of another "),
        ((0.0,) * (STATE_LENGTH + 1), "the snapshot has another form, for instance of another "),
        (("x",) * STATE_LENGTH, "the snapshot has another form, for instance of another version: "),
        ((math.nan,) * STATE_LENGTH, "the snapshot contains a value that is not finite"),
    ],
    ids=["0", "one less", "one more", "a text", "nan"],
)
def test_snapshot_of_something_else_is_refused_as_by_the_other_models(snapshot, message):
    spring = ShockSpring(ShockSpringParameters())
    with pytest.raises(ValueError, match=message):
        spring.restore(snapshot)
