"""DisChoc as the contact of another program's mass, under explicit masters.

The host is a point mass that uses the mean force of each step, in parallel or after the element.
It starts at 25 phases of the step grid, and the worst phase counts. n is the number of steps per
π√(m/K). Reference values are the closed forms of restitution, of energy and of statics.
"""

import math
import re

import numpy as np
import pytest

import wearmodel
from wearmodel import (
    EventKinds,
    FrictionalShock,
    FrictionalShockParameters,
    ShockSpring,
    ShockSpringParameters,
)

SERIAL, PARALLEL = 0, 1
PHASES = 25
LAGS = pytest.mark.parametrize("lag", [SERIAL, PARALLEL], ids=["serial", "parallel"])


def element(**parameters):
    """Return the contact of a mass of 1 kg, with K = 1 N/m."""
    given = {"effective_mass": 1.0, "dist_1": 0.0, "friction_coefficient": 0.0, **parameters}
    return ShockSpring(ShockSpringParameters(drive="displacement", **given))


class Host:
    """Mass of 1 kg under an explicit master that keeps the contact force constant in a step."""

    def __init__(self, spring, lag, step_size, place, velocity):
        self.spring, self.lag, self.step_size = spring, lag, step_size
        self.place, self.velocity = np.array(place, float), np.array(velocity, float)
        self.warnings = []
        self.put(math.inf)
        self.force = self.applied = self.mean_force()

    def put(self, step_size):
        displacements = {
            f"imposed_displacement_{axis}": at for axis, at in zip("xyz", self.place, strict=True)
        }
        warning = self.spring.step(step_size=step_size, **displacements)
        self.warnings += [warning] if warning else []

    def mean_force(self):
        return np.array([getattr(self.spring, f"mean_force_{axis}") for axis in "xyz"])

    def step(self, load=(0.0, 0.0, 0.0)):
        h = self.step_size
        self.put(h)
        coming = self.mean_force()
        self.applied = self.force if self.lag == PARALLEL else coming
        self.force = coming
        acceleration = self.applied + np.asarray(load)
        self.place += h * self.velocity + 0.5 * h * h * acceleration
        self.velocity += h * acceleration


def shock(lag, damping, steps, phase, mass=1.0):
    h = math.pi / steps
    spring = element(contact_damping=damping, effective_mass=mass, lag=lag)
    host = Host(spring, lag, h, (h * (3 + phase), 0.0, 0.0), (-1.0, 0.0, 0.0))
    for _ in range(int(6 * steps) + 16):
        host.step()
    assert not host.applied.any()
    return host


def worst_error(lag, damping, steps, mass=1.0):
    exact = wearmodel.restitution_of_damping(stiffness=1.0, mass=1.0, damping=damping)
    speeds = [
        shock(lag, damping, steps, (i + 0.5) / PHASES, mass).velocity[0] for i in range(PHASES)
    ]
    return max(abs(speed - exact) for speed in speeds)


@LAGS
@pytest.mark.parametrize("damping", [0.0, 0.55, 2.0])
@pytest.mark.parametrize("steps", [0.5, 2, 3, 10, 20])
def test_the_right_mass_leaves_with_the_exact_restitution(lag, damping, steps):
    # The impulse is exact. A velocity is a difference of positions: 1e-16/h in about ten steps.
    assert worst_error(lag, damping, steps) <= 1e-9


@LAGS
@pytest.mark.parametrize("mass", [0.75, 1.33])
@pytest.mark.parametrize("damping", [0.0, 0.55, 2.0])
def test_a_wrong_mass_leaves_with_a_small_error(lag, mass, damping):
    # The bounds are in the table of the documentation.
    assert worst_error(lag, damping, 10, mass) <= (0.02, 0.045)[lag]
    assert worst_error(lag, damping, 20, mass) <= 0.015


@LAGS
@pytest.mark.parametrize("steps", [2, 3, 10])
def test_a_wrong_mass_is_seen_and_warned_of_once(lag, steps):
    host = shock(lag, 0.0, steps, 0.3, mass=1.33)
    # Without other forces, the acceleration is the contact force over the mass.
    assert host.spring.mass_seen == pytest.approx(1.0, rel=1e-9)
    assert len(host.warnings) == 1
    assert "effective_mass differs by more than 10 % from mass_seen" in host.warnings[0]
    assert not shock(lag, 0.0, steps, 0.3).warnings


def energy_of_impacts(lag, mass, steps, impacts):
    """Return the energies after impacts between two walls, relative to the first."""
    h = math.pi / steps
    half = 0.5 * (3.0 * h + 0.7)
    spring = element(obstacle="two_planes", dist_1=half, effective_mass=mass, lag=lag)
    host = Host(spring, lag, h, (0.27 * h, 0.0, 0.0), (-1.0, 0.0, 0.0))
    energies, was_inside = [], False
    while len(energies) < impacts:
        host.step()
        inside = host.applied.any() or host.force.any() or abs(host.place[0]) > half
        if was_inside and not inside:
            energies.append(host.velocity[0] ** 2)
        was_inside = inside
    return energies


@LAGS
def test_energy_of_a_hundred_impacts_stays(lag):
    assert energy_of_impacts(lag, 1.0, 10, 100)[-1] == pytest.approx(1.0, abs=1e-9)


@LAGS
@pytest.mark.parametrize("mass", [0.75, 1.33])
def test_a_wrong_mass_never_feeds_the_impacts(lag, mass):
    # The bound is in the documentation. The measured value is 1.003.
    assert max(energy_of_impacts(lag, mass, 10, 100)) <= 1.005


@LAGS
@pytest.mark.parametrize("mass", [0.75, 1.0, 1.33])
def test_the_force_of_a_resting_contact_is_the_weight(lag, mass):
    spring = element(contact_damping=0.3, effective_mass=mass, lag=lag)
    host = Host(spring, lag, 0.3, (-2.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    for number in range(3000):
        host.step((-2.0 if number < 1000 else -3.0, 0.0, 0.0))
        if number == 999:
            np.testing.assert_allclose(host.applied[0], 2.0, rtol=1e-12)
            place = host.place[0]
    np.testing.assert_allclose(place, -2.0, rtol=1e-12)
    # The image adapts to the new load by 1 % a step, so an error of exp(−20) remains.
    np.testing.assert_allclose(host.applied[0], 3.0, rtol=1e-8)
    place = host.place[0]
    for _ in range(500):
        host.step((-3.0, 0.0, 0.0))
    np.testing.assert_allclose(host.place[0], place, rtol=1e-9)


@pytest.mark.long
@LAGS
@pytest.mark.parametrize("damping", [0.0, 1.4], ids=["C_T 0", "C_T critical"])
def test_a_block_below_the_cone_does_not_creep(lag, damping):
    friction, periods, steps = 0.5, 400, 20
    spring = element(
        friction_coefficient=friction,
        tangential_stiffness=0.5,
        tangential_damping=damping,
        contact_damping=0.3,
        lag=lag,
    )
    host = Host(spring, lag, 0.3, (-2.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    cone = friction * 2.0
    means = []
    for period in range(periods + 100):
        places = []
        for step in range(steps):
            # The load grows over the first 100 periods, which prevents free oscillations.
            size = min(1.0, (period * steps + step) / (100 * steps))
            turn = 2.0 * math.pi * (step + 0.5) / steps
            host.step((-2.0, size * cone * (0.7 + 0.2 * math.sin(turn)), 0.0))
            places.append(host.place[1])
        means.append(np.mean(places))
    stretch = 0.7 * cone / 0.5
    # Without a damper the block also oscillates freely. A mean over 100 periods removes this.
    early, late = np.mean(means[100:200]), np.mean(means[400:500])
    assert abs(late - early) < 1e-3 * stretch
    np.testing.assert_allclose(late, stretch, rtol=1e-3)
    assert spring.wear_work == 0.0


@LAGS
@pytest.mark.parametrize("damping", [0.0, 0.7])
def test_mean_friction_stays_inside_the_cone(lag, damping):
    spring = element(
        friction_coefficient=0.3, tangential_damping=damping, lag=lag, contact_damping=0.3
    )
    host = Host(spring, lag, 0.3, (-2.0, 0.0, 0.0), (0.0, 2.0, 0.7))
    for number in range(400):
        host.step((-2.0 - math.sin(0.2 * number), 0.5 * math.sin(0.05 * number), 0.0))
        # μ is constant, so the mean of μ F_N is μ times the mean of F_N.
        assert math.hypot(*host.applied[1:]) <= 0.3 * host.applied[0] * (1.0 + 1e-12)
    assert spring.wear_work > 0.1


SHAKEN = {
    "contact_stiffness": 1e4,
    "tangential_stiffness": 1e4,
    "tangential_damping": 200.0,
    "friction_coefficient": 0.1,
}


def wear_of_a_shaken_mass(lag, step_size):
    """Return the wear work [J] in 2 s of a mass on a plane with base motion at 15 m/s², 1 Hz."""
    host = Host(element(lag=lag, **SHAKEN), lag, step_size, (-1e-3, 0.0, 0.0), (0.0, 0.0, 0.0))
    speeds = -15.0 * np.cos(2.0 * np.pi * step_size * np.arange(round(2.0 / step_size) + 1))
    for change in np.diff(speeds / (2.0 * np.pi)):
        host.step((-10.0, -change / step_size, 0.0))
    return host.spring.wear_work


@pytest.mark.long
@LAGS
def test_a_mass_on_a_shaken_plane_converges_to_frictional_shock(lag):
    reference = FrictionalShock(
        FrictionalShockParameters(
            mass=1.0,
            gravity=10.0,
            normal_law="penalty",
            tangential_law="penalty",
            start_in_equilibrium=True,
            input_extrapolation_order=3,
            **SHAKEN,
        )
    )
    for number in range(10000):
        acceleration = 15.0 * math.sin(2.0 * math.pi * number * 2e-4)
        reference.step(2e-4, base_acceleration=acceleration)
    exact = reference.outputs()["wear_work"]
    errors = [
        abs(wear_of_a_shaken_mass(lag, step_size) / exact - 1.0) for step_size in (8e-3, 2e-3, 5e-4)
    ]
    # The values are in docs/verification.md. The order is between 1 and 2.
    assert errors[0] <= (2e-3, 9e-3)[lag]
    assert errors[1] <= 0.25 * errors[0]
    assert errors[2] <= 0.25 * errors[1]


@LAGS
def test_balance_is_the_energy_that_the_body_has_lost(lag):
    h = math.pi / 10
    host = Host(element(lag=lag), lag, h, (3.3 * h, 0.0, 0.0), (-1.0, 0.0, 0.0))
    for _ in range(20):
        kinetic = 0.5 * host.velocity @ host.velocity
        host.step()
        if lag == PARALLEL:  # In parallel, the balance refers to the end of the predicted step.
            kinetic = 0.5 * host.velocity @ host.velocity
        # Rounding of differences of positions, divided by the step size.
        assert host.spring.interface_balance == pytest.approx(0.5 - kinetic, abs=1e-12)


@LAGS
def test_a_snapshot_continues_with_equal_bits(lag):
    h = math.pi / 10
    spring = element(lag=lag, friction_coefficient=0.2, contact_damping=0.1)
    host = Host(spring, lag, h, (2.3 * h, 0.0, 0.0), (-1.0, 0.5, 0.1))
    for _ in range(6):
        host.step()
    kept = spring.snapshot(), host.place.copy(), host.velocity.copy(), host.force

    def play():
        for _ in range(9):
            host.step()
        return spring.output_values(), tuple(host.place)

    first = play()
    other = element(lag=lag, friction_coefficient=0.2, contact_damping=0.1)
    other.restore(kept[0])
    host.spring = spring = other
    host.place, host.velocity, host.force = kept[1:]
    assert play() == first


def test_parallel_steps_of_another_length_are_warned_of_once():
    spring = element(lag=PARALLEL)
    told = [spring.step(imposed_displacement_x=1.0, step_size=h) for h in (0.1,) * 4 + (0.2, 0.1)]
    assert [text is None for text in told] == [True] * 4 + [False, True]
    assert "the step size has changed" in told[4]


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"drive": "load"}, "effective_mass=1.0 kg needs drive displacement"),
        ({"effective_mass": -1.0}, "effective_mass=-1.0 kg must be ≥ 0"),
        ({"lag": 2}, "lag"),
    ],
)
def test_invalid_values_are_refused(parameters, said):
    given = {"drive": "displacement", "effective_mass": 1.0, **parameters}
    with pytest.raises(ValueError, match=said):
        ShockSpringParameters(**given)


def test_a_body_is_put_elsewhere_along_a_straight_path():
    """The image's series, which earlier steps left behind, would bend the path."""
    parameters = {
        "obstacle": "circle",
        "dist_1": 1.0,
        "friction_coefficient": 0.2,
        "tangential_damping": 0.5,
    }
    moved, fresh = element(**parameters), element(**parameters)
    for place in (0.9, 1.05, 1.15, 0.5, 0.0):
        moved.step(imposed_displacement_x=place, step_size=0.2)
    assert moved.contact_mode == 0
    for spring in (moved, fresh):
        spring.step(step_size=math.inf)
        spring.step(imposed_displacement_x=0.7, imposed_displacement_y=0.9, step_size=math.inf)
    for axis in "xyz":
        name = f"mean_force_{axis}"
        assert getattr(moved, name) == getattr(fresh, name)
    assert math.hypot(moved.mean_force_x, moved.mean_force_y) > 0.1


def test_a_failed_step_keeps_the_state():
    spring = element()
    spring.step(imposed_displacement_x=-0.1, step_size=0.1)
    before = spring.snapshot()
    with pytest.raises(ValueError, match="out of range"):
        spring.step(imposed_displacement_x=1e61, step_size=0.1)
    assert spring.snapshot() == before
    with pytest.raises(ValueError, match=r"step_size .* is missing: with effective_mass"):
        spring.step(imposed_displacement_x=0.0)


def step_limit(lag, damping):
    """Return the largest stable step of a contact with K = 1 N/m and m = 1 kg.

    It is found from the roots of the recursion
    x_{n+1} − 2 x_n + x_{n−1} = h² (a_n + a_{n−1})/2 with a_n = −x_n − C (x_n − x_{n−1})/h. A
    parallel master applies each force one step later.
    """

    def grows(h):
        q, r = 0.5 * h * h, 0.5 * damping * h
        motion, force = np.array([1.0, -2.0, 1.0, 0.0]), np.array([0.0, q + r, q, -r])
        if lag == PARALLEL:
            motion, force = np.append(motion, 0.0), np.insert(force, 0, 0.0)
        return max(abs(np.roots(motion + force))) > 1.0

    low, high = 0.0, 1.0
    for _ in range(40):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if grows(middle) else (middle, high)
    return low


def growth_of_a_closed_contact(lag, damping, step_size):
    """Return the relative amplitude of a pressed mass after 200 s, without effective mass."""
    host = Host(
        element(contact_damping=damping, effective_mass=0.0),
        *(lag, step_size, (-2.0, 0.0, 0.0), (1e-3, 0.0, 0.0)),
    )
    for _ in range(round(200.0 / step_size)):
        host.step((-2.0, 0.0, 0.0))
    return math.hypot(host.place[0] + 2.0, host.velocity[0]) / 1e-3


@LAGS
@pytest.mark.parametrize("damping", [0.05, 0.2])
def test_without_a_mass_a_contact_is_stable_below_the_documented_step(lag, damping):
    limit = step_limit(lag, damping)
    # For small steps, the limit is the formula of the documentation.
    assert limit == pytest.approx((2.0, 2.0 / 3.0)[lag] * damping, rel=damping)
    assert growth_of_a_closed_contact(lag, damping, 0.8 * limit) < 0.9
    assert growth_of_a_closed_contact(lag, damping, 1.25 * limit) > 1.1


def gained(warning):
    """Return the energy [J] that a body has gained, as shown in its warning."""
    return float(re.search(r"the body has gained (\S+) J in a contact", warning).group(1))


@LAGS
@pytest.mark.parametrize("damping", [0.0, 0.05])
@pytest.mark.parametrize("steps", [4, 10, 20])
def test_a_master_that_feeds_a_body_of_unknown_mass_is_warned_of_once(lag, damping, steps):
    for phase in (0.1, 0.6):
        host = shock(lag, damping, steps, phase, 0.0)
        assert len(host.warnings) == 1
        assert gained(host.warnings[0]) == pytest.approx(
            0.5 * (host.velocity[0] ** 2 - 1.0), rel=1e-9
        )
        limit = damping * (2.0, 2.0 / 3.0)[lag]
        assert f"over each step of {math.pi / steps!r} s" in host.warnings[0]
        assert f"Steps of this master above {limit!r} s are unstable" in host.warnings[0]
        assert host.spring.mass_seen == pytest.approx(1.0, rel=1e-9)
        # The mass returns for a second shock.
        host.place[0], host.velocity[0] = 1.0, -1.0
        for _ in range(3 * steps):
            host.step()
        assert host.velocity[0] > 1.0
        assert len(host.warnings) == 1


@LAGS
@pytest.mark.parametrize("load", ["constant", "spring"])
def test_other_forces_do_not_hide_that_a_master_adds_energy(lag, load):
    host = Host(element(effective_mass=0.0), lag, math.pi / 10, (1.0, 0.0, 0.0), (-1.0, 0.0, 0.0))
    for _ in range(40):
        host.step((-0.1 if load == "constant" else -1e-3 * host.place[0], 0.0, 0.0))
    assert len(host.warnings) == 1
    assert host.spring.mass_seen == pytest.approx(1.0, rel=1e-9 if load == "constant" else 2e-3)


@LAGS
def test_steps_that_add_less_than_two_percent_are_not_warned_of(lag):
    # A shock adds the share exp(π²/2n) − 1 in serial mode, and three times as much in parallel.
    few, many = ((200, 300), (600, 900))[lag]
    assert shock(lag, 0.0, few, 0.4, 0.0).warnings
    host = shock(lag, 0.0, many, 0.4, 0.0)
    assert host.velocity[0] > 1.0
    assert not host.warnings


@LAGS
def test_a_body_that_a_pressed_contact_pushes_off_has_not_been_fed(lag):
    host = Host(element(effective_mass=0.0), lag, math.pi / 10, (-1.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    for _ in range(20):
        host.step()
    assert host.velocity[0] > 1.0
    assert not host.warnings


def half_sine(time):
    """Return the exact displacement of a mass of 1 kg in an undamped shock from time 1 on."""
    after = time - 1.0
    return -math.sin(after) if 0.0 < after < math.pi else abs(after - 0.5 * math.pi) - 0.5 * math.pi


PATHS = {
    "half sine": half_sine,
    "sine": lambda time: 0.5 + math.sin(time),
    "deep sine": lambda time: math.sin(time) - 0.5,
    "two sines": lambda time: 0.6 * math.sin(time) + 0.4 * math.sin(1.7 * time),
    "triangle": lambda time: abs((time / math.pi) % 2.0 - 1.0) - 0.4,
    "parabola": lambda time: (time - 2.0) ** 2 - 1.0,
}


@LAGS
@pytest.mark.parametrize("path", PATHS)
def test_a_prescribed_path_is_not_warned_of(lag, path):
    for steps in (2, 3, 4, 6, 10, 50, 240):
        for damping in (0.0, 0.3):
            for phase in range(3 if steps > 10 else PHASES):
                spring = element(effective_mass=0.0, contact_damping=damping, lag=lag)
                for number in range(5 * steps):
                    place = PATHS[path](math.pi / steps * (number + phase / PHASES))
                    size = math.pi / steps if number else math.inf
                    assert spring.step(step_size=size, imposed_displacement_x=place) is None


def test_a_path_of_constant_acceleration_is_not_warned_of():
    # The second differences of its places are exactly equal.
    spring = element(effective_mass=0.0)
    for number in range(17):
        place = (0.125 * (number - 8)) ** 2 - 0.5
        size = 0.125 if number else math.inf
        assert spring.step(step_size=size, imposed_displacement_x=place) is None


@pytest.mark.parametrize("steps", [1400, 2200])
def test_the_first_thousand_steps_in_contact_are_watched(steps):
    spring = element(effective_mass=0.0)
    for number in range(steps):
        place = math.cos(math.pi * (number + 0.5) / 20)
        spring.step(step_size=math.pi / 20, imposed_displacement_x=place)
    host = Host(spring, SERIAL, math.pi / 10, (1.0, 0.0, 0.0), (-1.0, 0.0, 0.0))
    for _ in range(60):
        host.step()
        if host.place[0] > 3.0:
            host.place[0], host.velocity[0] = 1.0, -1.0
    # Each period of 40 steps counts as 24: 20 in contact and 4 after it.
    assert bool(host.warnings) == (0.6 * steps < 1000)


@pytest.mark.parametrize("master", ["iterated", "symplectic"])
@pytest.mark.parametrize("steps", [4, 10, 50])
def test_a_master_that_keeps_the_energy_is_not_warned_of(master, steps):
    h = math.pi / steps
    spring = element(effective_mass=0.0)
    place, velocity, force = 1.0, -1.0, 0.0
    spring.step(step_size=math.inf, imposed_displacement_x=place)
    for _ in range(3 * steps):
        if master == "symplectic":
            assert spring.step(step_size=h, imposed_displacement_x=place) is None
            velocity += h * spring.mean_force_x
            place += h * velocity
            continue
        state, guess = spring.snapshot(), place + h * velocity
        for _ in range(100):
            spring.restore(state)
            assert spring.step(step_size=h, imposed_displacement_x=guess) is None
            mean = 0.5 * (force + spring.mean_force_x)
            guess, before = place + h * (velocity + 0.5 * h * mean), guess
            if abs(guess - before) <= 1e-14:
                break
        place, velocity, force = guess, velocity + h * mean, spring.mean_force_x
    # Second order, as in `examples/iterated_contact.py`.
    assert abs(velocity - 1.0) <= 0.61 / steps**2


@LAGS
def test_a_snapshot_in_a_contact_is_followed_by_the_same_warning(lag):
    spring = element(effective_mass=0.0)
    host = Host(spring, lag, math.pi / 10, (1.0, 0.0, 0.0), (-1.0, 0.0, 0.0))
    for _ in range(8):
        host.step()
    assert host.applied.any()
    state, place, velocity = spring.snapshot(), host.place.copy(), host.velocity.copy()
    forces = host.force, host.applied
    for _ in range(2):
        spring.restore(state)
        host.place, host.velocity = place.copy(), velocity.copy()
        host.force, host.applied = forces
        for _ in range(20):
            host.step()
    first, second = host.warnings
    assert first == second


def test_a_step_to_an_event_warns_too():
    spring = element(effective_mass=0.0)
    h = math.pi / 10
    place, velocity, warnings = 1.0, -1.0, []
    for _ in range(20):
        end = spring.step_to_event(step_size=h, imposed_displacement_x=place, kinds=EventKinds(0))
        warnings += [end.warning] if end.warning else []
        place += h * velocity + 0.5 * h * h * spring.mean_force_x
        velocity += h * spring.mean_force_x
    assert len(warnings) == 1
    assert gained(warnings[0]) == pytest.approx(0.5 * (velocity**2 - 1.0), rel=1e-9)
    assert spring.event_count == 2
