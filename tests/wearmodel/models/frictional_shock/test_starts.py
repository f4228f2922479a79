"""Mode and forces at the start of a run, and the static equilibrium.

Tolerances are multiples of the rounding of a double, 1e-16: a few for the sums of one step (1e-15,
1e-14), and a few hundred for roots of guards or for many steps (1e-13, 1e-12).
"""

import pytest

from wearmodel import FrictionalShock, FrictionalShockParameters, NormalLaw

from .law_combinations import laws

FLIGHT, STICK, SLIP = 0.0, 1.0, 2.0


def start_of(
    inputs: dict[str, float] | None = None, **parameters: object
) -> tuple[FrictionalShock, dict[str, float]]:
    model = FrictionalShock(FrictionalShockParameters(**parameters), **(inputs or {}))
    return model, model.outputs()


@pytest.mark.parametrize(
    ("inputs", "parameters", "mode"),
    [
        pytest.param({}, {}, STICK, id="at rest"),
        pytest.param({}, {"initial_velocity": 1e-5}, SLIP, id="moving"),
        pytest.param({}, {"gravity": 0.0}, FLIGHT, id="no force"),
        pytest.param({}, {"gravity": -1.0}, FLIGHT, id="pulled off"),
        pytest.param({"tangential_load": 1.0}, {}, STICK, id="load on the cone"),
        pytest.param({"tangential_load": 1.0 + 1e-15}, {}, SLIP, id="load beyond the cone"),
        pytest.param({"base_acceleration": -2.0}, {}, SLIP, id="support drives off"),
        pytest.param({"base_acceleration_normal": -10.0}, {}, FLIGHT, id="support falls away"),
        pytest.param({"normal_load": -10.0}, {}, FLIGHT, id="load carries the weight"),
        pytest.param(
            {"tangential_load": 1.2},
            {"friction_coefficient_static": 0.12},
            STICK,
            id="load under the static cone",
        ),
        pytest.param({}, {"stiffness": 10.0, "initial_displacement": 0.2}, SLIP, id="spring"),
        pytest.param({}, {"normal_law": "rigid"}, STICK, id="rigid, gap 0"),
        pytest.param({}, {"normal_law": "rigid", "initial_gap": 1e-9}, FLIGHT, id="rigid, open"),
        pytest.param(
            {"normal_load": -10.5}, {"normal_law": "rigid"}, FLIGHT, id="rigid, pulled off"
        ),
        pytest.param(
            {}, {"normal_law": "rigid", "initial_normal_velocity": 1.0}, FLIGHT, id="rigid, leaving"
        ),
        pytest.param({}, {"normal_law": "penalty"}, STICK, id="penalty, gap 0"),
        pytest.param(
            {"normal_load": -10.5}, {"normal_law": "penalty"}, FLIGHT, id="penalty, pulled off"
        ),
        pytest.param(
            {"normal_load": -10.0}, {"normal_law": "penalty"}, FLIGHT, id="penalty, no force"
        ),
        pytest.param(
            {},
            {"normal_law": "penalty", "initial_gap": 0.1, "initial_normal_displacement": -0.1},
            STICK,
            id="penalty, touching",
        ),
        pytest.param(
            {},
            {
                "normal_law": "penalty",
                "obstacle": "two_planes",
                "gravity": -10.0,
                "initial_gap": 0.3,
                "initial_normal_displacement": 0.7,
            },
            STICK,
            id="penalty, touching the upper plane",
        ),
        pytest.param(
            {}, {"normal_law": "penalty", "initial_gap": -0.5}, STICK, id="penalty, inside"
        ),
        pytest.param(
            {},
            {
                "normal_law": "rigid",
                "obstacle": "two_planes",
                "gravity": -10.0,
                "plane_half_spacing": 0.25,
                "initial_gap": 0.5,
            },
            STICK,
            id="rigid, on the upper plane",
        ),
        pytest.param(
            {},
            {"normal_law": "penalty", "obstacle": "two_planes", "initial_gap": 1.25},
            STICK,
            id="penalty, inside the upper plane",
        ),
        pytest.param(
            {},
            {"tangential_law": "penalty", "initial_velocity": 1e-6, "tangential_damping": 100.0},
            STICK,
            id="penalised friction, slow",
        ),
        pytest.param(
            {},
            {"tangential_law": "penalty", "initial_velocity": 1.0, "tangential_damping": 100.0},
            SLIP,
            id="penalised friction, fast",
        ),
    ],
)
def test_a_run_starts_in_the_mode_that_the_laws_say(inputs, parameters, mode):
    model, outputs = start_of(inputs, **parameters)
    assert outputs["contact_mode"] == mode
    # The start does not contribute to counts and works.
    for name in ("slip_count", "shock_count", "wear_work", "sliding_distance", "impact_impulse"):
        assert outputs[name] == 0.0
    static = model.parameters.static_coefficient
    limit = static if mode == STICK else model.parameters.friction_coefficient
    assert abs(outputs["friction_force"]) <= limit * outputs["normal_force"]
    model.step(1e-6, **inputs)
    if mode != FLIGHT:
        assert model.outputs()["contact_mode"] == mode


@pytest.mark.parametrize("restitution", [0.0, 0.5])
def test_an_impact_at_the_start_comes_before_the_first_output(restitution):
    _, outputs = start_of(
        {}, normal_law="rigid", initial_normal_velocity=-1.0, restitution=restitution
    )
    assert outputs["shock_count"] == 1.0
    assert outputs["gap_velocity"] == restitution
    assert outputs["impact_impulse"] == 1.0 + restitution
    assert outputs["contact_mode"] == (FLIGHT if restitution else STICK)


# Start values, a load that is removed after the first step, the number of steps of 1e-3 s, the
# number of shocks, and whether the run enters slip. "from stick": only if it starts in stick.
_COUNTED = {
    "at rest on the plane": ({}, 0.0, 10, 0, False),
    "sliding on the plane": ({"initial_velocity": 1.0}, 0.0, 10, 0, False),
    "sliding without friction damper": (
        {"initial_velocity": 1.0, "tangential_damping": 0.0}, 0.0, 10, 0, "from stick"
    ),
    "sliding on a damped contact": (
        {"initial_velocity": 1.0, "contact_damping": 50.0}, 0.0, 10, 0, False
    ),
    "arriving at the plane": ({"initial_normal_velocity": -1.0}, 0.0, 2, 1, False),
    "in flight": ({}, -20.0, 60, 1, False),
    "in flight, moving": ({"initial_velocity": 1.0}, -20.0, 60, 1, True),
}  # fmt: skip


@laws
@pytest.mark.parametrize(
    ("parameters", "lift", "steps", "shocks", "enters"), _COUNTED.values(), ids=_COUNTED
)
def test_what_a_run_starts_in_is_neither_a_shock_nor_an_entry_into_slip(
    parameters, lift, steps, shocks, enters, normal_law, tangential_law
):
    model, start = start_of(
        {"normal_load": lift},
        normal_law=normal_law,
        tangential_law=tangential_law,
        contact_stiffness=1e3,
        input_extrapolation_order=0,
        **parameters,
    )
    model.step(1e-3, normal_load=lift)
    first = model.outputs()
    for _ in range(steps - 1):
        model.step(1e-3)
    last = model.outputs()
    # A shock at the very start is applied and counted there.
    strikes = "initial_normal_velocity" in parameters and normal_law is not NormalLaw.prescribed
    assert start["shock_count"] == strikes
    assert start["slip_count"] == 0.0
    assert last["shock_count"] == (0 if normal_law is NormalLaw.prescribed else shocks)
    if enters == "from stick":
        enters = start["contact_mode"] == STICK
    assert last["slip_count"] == enters
    if lift:
        assert start["contact_mode"] == first["contact_mode"] == FLIGHT
    elif start["contact_mode"] == SLIP:
        assert first["contact_mode"] == SLIP


@pytest.mark.parametrize("direction", [1.0, -1.0])
def test_slip_starts_the_way_the_load_pulls(direction):
    model, outputs = start_of({"tangential_load": 3.0 * direction})
    assert outputs["friction_force"] == -1.0 * direction
    model.step(0.5, tangential_load=3.0 * direction)
    assert model.outputs()["relative_velocity"] == pytest.approx(direction, rel=1e-15)


def test_a_start_on_the_rigid_plane_with_approach_is_an_impact_at_once():
    model, _ = start_of(normal_law="rigid", restitution=0.5, initial_normal_velocity=-2.0)
    model.step(0.1)
    outputs = model.outputs()
    assert outputs["impact_impulse"] == pytest.approx(3.0, rel=1e-15)
    assert outputs["gap_velocity"] == pytest.approx(0.0, abs=1e-15)
    assert outputs["gap"] == pytest.approx(0.05, rel=1e-14)
    assert outputs["shock_count"] == 1.0


def test_a_start_inside_the_penalised_obstacle_is_no_shock():
    # Without weight, the mass leaves the obstacle after a quarter period from a gap of −0.1 m.
    model, outputs = start_of(
        normal_law="penalty", gravity=0.0, contact_stiffness=1e4, initial_gap=-0.1
    )
    assert outputs["normal_force"] == pytest.approx(1e3, rel=1e-15)
    assert outputs["peak_normal_force"] == outputs["normal_force"]
    model.step(0.1)
    outputs = model.outputs()
    # The mass leaves with ω·0.1 m.
    assert outputs["gap_velocity"] == pytest.approx(10.0, rel=1e-14)
    assert outputs["shock_count"] == 0.0
    assert outputs["peak_normal_force"] == pytest.approx(1e3, rel=1e-15)


@pytest.mark.parametrize(
    ("inputs", "parameters", "normal_force", "displacement"),
    [
        # K_N (−gap) = m g + preload.
        pytest.param({}, {"preload": 10.0, "initial_gap": 0.25}, 20.0, -0.25 - 1.0, id="lower"),
        # (K_N + k_n) w = −m g + K_N·(−gap₀), K_N = k_n = 20.
        pytest.param(
            {}, {"normal_stiffness": 20.0, "initial_gap": -0.25}, 7.5, -0.125, id="sprung"
        ),
        # gap_upper = 1 − gap₀ − w = −0.5.
        pytest.param(
            {},
            {"gravity": -10.0, "obstacle": "two_planes", "initial_gap": 0.25},
            10.0,
            1.25,
            id="upper",
        ),
        # k_n w = −m g, and the mass does not reach a plane.
        pytest.param({}, {"normal_stiffness": 40.0, "initial_gap": 0.5}, 0.0, -0.25, id="spring"),
        pytest.param(
            {}, {"gravity": -10.0, "normal_stiffness": 40.0}, 0.0, 0.25, id="hanging on the spring"
        ),
        pytest.param({"base_acceleration_normal": 6.0}, {}, 16.0, -0.8, id="accelerated support"),
        pytest.param({"normal_load": 6.0}, {}, 16.0, -0.8, id="load"),
        pytest.param({}, {"gravity": 0.0}, 0.0, 0.0, id="no force"),
    ],
)
def test_the_equilibrium_stays_where_it_is(inputs, parameters, normal_force, displacement):
    model, outputs = start_of(inputs, normal_law="penalty", start_in_equilibrium=True, **parameters)
    assert model.snapshot()["state"][2] == pytest.approx(displacement, rel=1e-15, abs=1e-300)
    assert outputs["normal_force"] == pytest.approx(normal_force, rel=1e-15)
    assert outputs["contact_mode"] == (STICK if normal_force else FLIGHT)
    for _ in range(20):
        model.step(0.1, **inputs)
    assert model.snapshot()["state"][2] == pytest.approx(displacement, rel=1e-14, abs=1e-300)
    assert model.outputs()["normal_force"] == pytest.approx(normal_force, rel=1e-13)
    assert model.outputs()["shock_count"] == 0.0


def test_without_equilibrium_the_start_is_refused():
    with pytest.raises(ValueError, match=r"start_in_equilibrium=True: .* of 10\.0 N away from"):
        start_of(normal_law="penalty", start_in_equilibrium=True, gravity=-10.0)


def test_the_start_time_shifts_the_clock_alone():
    late = FrictionalShock(start_time=-3.0)
    model = FrictionalShock()
    for _ in range(10):
        late.step(0.125, 5.0)
        model.step(0.125, 5.0)
    assert late.time == -3.0 + 1.25
    assert late.outputs() == model.outputs()


def test_a_contact_without_force_yet_lets_a_driven_mass_slip_at_once():
    # The base acceleration is 1 m/s2. C_T u̇ grows at 4743 N/s, and the cone μ C_N g at 2 N/s. The
    # mass slips from the start, and only friction acts on it: u̇ = −t + μ ∫ F_N dt.
    model, _ = start_of(
        normal_law="penalty",
        tangential_law="penalty",
        contact_stiffness=100.0,
        contact_damping=2.0,
        tangential_stiffness=10.0**6.75,
    )
    model.step(1e-3, 1.0)
    outputs = model.outputs()
    assert outputs["contact_mode"] == SLIP
    # ∫ F_N dt = m (g t + ẇ).
    impulse = 10.0 * 1e-3 + outputs["gap_velocity"]
    assert outputs["relative_velocity"] == pytest.approx(-1e-3 + 0.1 * impulse, rel=1e-12)
