"""Contacts between bodies that another program moves, under explicit masters.

The host moves point masses under the mean forces of each step, in parallel or after the element. n
is the number of steps per π√(m/K). Reference values are the closed forms of restitution, of energy
and of statics, and the runs of `ShockSpring` and `ModalShock`.
"""

import itertools
import math

import numpy as np
import pytest

import wearmodel
from wearmodel import ContactElement, ModalShock, ShockSpring, ShockSpringParameters, StepError
from wearmodel.structure import contacts_of, structure_of

SERIAL, PARALLEL = 0, 1
LAGS = pytest.mark.parametrize("lag", [SERIAL, PARALLEL], ids=["serial", "parallel"])
PHASES = 25
PLANE = {"obstacle": "plane", "normal": [1.0, 0.0, 0.0]}
OBSTACLES = {
    "two_planes": {"obstacle": "two_planes", "normal": [1.0, 0.0, 0.0]},
    "circle": {"obstacle": "circle", "axis": [0.0, 0.0, 1.0]},
    "polygon": {"obstacle": "polygon", "axis": [0.0, 0.0, 1.0], "sides": 6},
}


def structure(*contacts, points=("P",), mass=1.0, bodies=None):
    """Return contacts with K = 1 N/m. Without `bodies` all points belong to one body."""
    bodies = bodies or dict.fromkeys(points, "B")
    first = {body: point for point, body in reversed(bodies.items())}
    masses = mass if isinstance(mass, dict) else dict.fromkeys(first, mass)
    return contacts_of(
        {
            "point": [
                {
                    "name": point,
                    "body": body,
                    **({"effective_mass": masses[body]} if first[body] == point else {}),
                }
                for point, body in bodies.items()
            ],
            "contact": [
                {"name": f"c{i}", "point": "P", "contact_stiffness": 1.0, **contact}
                for i, contact in enumerate(contacts)
            ],
        }
    )


class Host:
    """Point masses under an explicit master that keeps the contact forces constant in a step."""

    def __init__(self, described, lag, step_size, places, velocities, masses=1.0, knows=False):
        self.structure, self.lag, self.step_size = described, lag, step_size
        self.points = dict(zip([p.name for p in described.points], described.bodies, strict=True))
        self.order = {body: i for i, body in enumerate(described.body_names)}
        self.places = np.atleast_2d(np.array(places, float))
        self.velocities = np.atleast_2d(np.array(velocities, float))
        self.masses = np.broadcast_to(masses, len(self.order))[:, None]
        self.gives_velocities, self.warnings = knows, []
        self.element = ContactElement(described, lag=lag, **self.inputs())
        self.force = self.applied = self.mean_force()

    def inputs(self):
        names = {"displacement": self.places}
        if self.gives_velocities:
            names["velocity"] = self.velocities
        return {
            f"{point}.{name}_{axis}": float(values[self.order[body], k])
            for name, values in names.items()
            for point, body in self.points.items()
            for k, axis in enumerate("xyz")
        }

    def of_point(self, point, name="mean_force"):
        outputs = self.element.outputs()
        return np.array([outputs[f"{point}.{name}_{axis}"] for axis in "xyz"])

    def mean_force(self):
        total = np.zeros((len(self.order), 3))
        for point, body in self.points.items():
            total[self.order[body]] += self.of_point(point)
        return total

    def step(self, load=0.0):
        warning = self.element.step(self.step_size, **self.inputs())
        self.warnings += [warning] if warning else []
        coming = self.mean_force()
        self.applied = self.force if self.lag == PARALLEL else coming
        self.force = coming
        acceleration = (self.applied + load) / self.masses
        h = self.step_size
        self.places = self.places + h * self.velocities + 0.5 * h * h * acceleration
        self.velocities = self.velocities + h * acceleration


def halves(damping, points):
    """Return two contacts with half the stiffness and damping each, on one or two points."""
    each = {**PLANE, "contact_stiffness": 0.5, "contact_damping": damping / 2.0}
    return [{**each, "point": point} for point in (points[0], points[-1])]


def shock(contacts, points, lag, steps, phase, *, mass=1.0, knows=False):
    h = math.pi / steps
    described = structure(*contacts, points=points, mass=mass)
    start = (h * (3 + phase), 0.0, 0.0)
    host = Host(described, lag, h, start, (-1.0, 0.0, 0.0), knows=knows)
    for _ in range(int(6 * steps) + 16):
        host.step()
    assert not host.applied.any()
    return host


def worst_error(contacts, points, lag, steps, damping, **options):
    exact = wearmodel.restitution_of_damping(stiffness=1.0, mass=1.0, damping=damping)
    return max(
        abs(
            shock(contacts, points, lag, steps, (i + 0.5) / PHASES, **options).velocities[0, 0]
            - exact
        )
        for i in range(PHASES)
    )


@LAGS
@pytest.mark.parametrize("damping", [0.0, 2.0])
@pytest.mark.parametrize("points", ["P", "PQ"], ids=["one point", "two points"])
@pytest.mark.parametrize("knows", [False, True], ids=["displacements", "velocities too"])
def test_two_contacts_of_a_body_leave_with_the_exact_restitution(lag, damping, points, knows):
    # The impulse is exact. A velocity is a difference of positions: 1e-16/h in about ten steps.
    assert worst_error(halves(damping, points), points, lag, 2, damping, knows=knows) <= 1e-9


@LAGS
@pytest.mark.parametrize("steps", [3, 10])
def test_one_contact_leaves_with_the_exact_restitution(lag, steps):
    contact = {**PLANE, "contact_damping": 0.55}
    assert worst_error([contact], "P", lag, steps, 0.55) <= 1e-9


@LAGS
@pytest.mark.parametrize("mass", [0.75, 1.33])
@pytest.mark.parametrize("damping", [0.0, 2.0])
def test_a_wrong_mass_leaves_with_a_small_error(lag, mass, damping):
    # The documentation lists these bounds for a single contact.
    error = worst_error(halves(damping, "PQ"), "PQ", lag, 10, damping, mass=mass)
    assert error <= (0.02, 0.045)[lag]


def test_a_wrong_mass_is_seen_and_warned_of_once():
    host = shock(halves(0.0, "PQ"), "PQ", SERIAL, 10, 0.3, mass=1.33)
    assert host.element.outputs()["B.mass_seen"] == pytest.approx(1.0, rel=1e-9)
    assert len(host.warnings) == 1
    assert "effective_mass differs by more than 10 % from mass_seen" in host.warnings[0]


@LAGS
@pytest.mark.parametrize("damping", [0.0, 0.5])
def test_two_bodies_part_with_the_exact_restitution_and_momentum(lag, damping):
    masses = {"P": 1.0, "Q": 3.0}
    contact = {**PLANE, "second_point": "Q", "contact_damping": damping}
    described = structure(contact, bodies={"P": "P", "Q": "Q"}, mass=masses)
    exact = wearmodel.restitution_of_damping(stiffness=1.0, mass=0.75, damping=damping)
    h = math.pi * math.sqrt(0.75) / 3
    for phase in np.arange(0.5, PHASES) / PHASES:
        places, velocities = [[h * (3 + phase), 0, 0], [0, 0, 0]], [[-1, 0.1, 0], [0.3, 0, 0]]
        host = Host(described, lag, h, places, velocities, masses=(1.0, 3.0))
        momentum = host.velocities.T @ (1.0, 3.0)
        for _ in range(34):
            host.step()
            np.testing.assert_allclose(host.force[0], -host.force[1], rtol=0, atol=0)
        parting = host.velocities[0, 0] - host.velocities[1, 0]
        np.testing.assert_allclose(parting, 1.3 * exact, atol=1e-9)
        np.testing.assert_allclose(host.velocities.T @ (1.0, 3.0), momentum, atol=1e-12)


def energies(lag, obstacle, mass, impacts):
    """Return the energies after undamped impacts, relative to the first."""
    described = structure({**OBSTACLES[obstacle], "gap": 2.0}, mass=mass)
    host = Host(described, lag, math.pi / 10, (0.0, 0.0, 0.0), (-1.0, 0.37, 0.0))
    found, was_inside = [], False
    while len(found) < impacts:
        host.step()
        clearance = host.element.outputs()["c0.clearance"]
        inside = host.applied.any() or host.force.any() or clearance < 0.0
        if was_inside and not inside:
            found.append((host.velocities**2).sum() / (1.0 + 0.37**2))
        was_inside = inside
    return found


@LAGS
@pytest.mark.parametrize("obstacle", OBSTACLES)
def test_a_damper_does_not_press_through_a_gap_that_the_host_opens(lag, obstacle):
    described = structure({**OBSTACLES[obstacle], "gap": 1.0, "contact_damping": 0.5})
    element = ContactElement(described, lag=lag, **{"P.displacement_x": -1.5})
    for place, velocity in [(-1.5, 0.0), (-1.5, 0.0), (-0.5, -1.0)]:
        element.step(0.1, **{"P.displacement_x": place, "P.velocity_x": velocity})
    outputs = element.outputs()
    assert outputs["c0.clearance"] > 0.1
    assert outputs["c0.contact_mode"] == outputs["P.mean_force_x"] == 0.0


def test_a_point_that_its_host_moves_out_of_a_corner_is_free():
    described = structure({**OBSTACLES["polygon"], "gap": 1.0, "contact_damping": 0.5})
    # 0.2 m outside the first side. The force in this corner accelerates the free point by 0.2 m/s².
    start = {"P.displacement_x": 1.2, "P.displacement_y": 0.7}
    element = ContactElement(described, lag=SERIAL, **start)
    inside = {"P.displacement_x": 0.85, "P.displacement_y": 0.3, "P.velocity_x": 1.0}
    element.step(0.147, **inside)
    outputs = element.outputs()
    # The step ends just before the side, so the gap of this side is compared.
    gap = 0.15 - 0.147 - 0.5 * 0.2 * 0.147**2
    assert outputs["c0.clearance"] == pytest.approx(gap, abs=1e-15)
    assert outputs["c0.contact_mode"] == outputs["P.mean_force_x"] == 0.0


@LAGS
@pytest.mark.parametrize(
    ("obstacle", "impacts"), [("two_planes", 100), ("circle", 30), ("polygon", 30)]
)
def test_energy_of_impacts_stays(lag, obstacle, impacts):
    # Rounding of the roots at the corners of a polygon. The measured error is 7e-11.
    np.testing.assert_allclose(energies(lag, obstacle, 1.0, impacts), 1.0, atol=1e-9)


@LAGS
@pytest.mark.parametrize("mass", [0.75, 1.33])
def test_a_wrong_mass_never_feeds_the_impacts(lag, mass):
    # The bound is in the documentation. The measured value is 1.002.
    assert max(energies(lag, "circle", mass, 30)) <= 1.005


@LAGS
@pytest.mark.parametrize("mass", [0.75, 1.0])
def test_a_resting_body_carries_the_weight_at_each_point(lag, mass):
    contacts = [{**PLANE, "point": point, "contact_damping": 0.3} for point in "PQ"]
    contacts[1]["contact_stiffness"] = 2.0
    place = (-2.0 / 3.0, 0.0, 0.0)
    host = Host(structure(*contacts, points="PQ", mass=mass), lag, 0.3, place, (0.0, 0.0, 0.0))
    for _ in range(40):
        host.step([[-2.0, 0.0, 0.0]])
    np.testing.assert_allclose(host.applied[0], [2.0, 0.0, 0.0], rtol=1e-12)
    np.testing.assert_allclose(host.of_point("P"), [2.0 / 3.0, 0.0, 0.0], rtol=1e-12)
    np.testing.assert_allclose(host.of_point("Q"), [4.0 / 3.0, 0.0, 0.0], rtol=1e-12)
    np.testing.assert_allclose(host.of_point("Q", "impulse"), [0.4, 0.0, 0.0], rtol=1e-12)
    np.testing.assert_allclose(host.of_point("Q", "force"), [4.0 / 3.0, 0.0, 0.0], rtol=1e-12)


@LAGS
@pytest.mark.parametrize("tangential_damping", [0.0, 0.7])
def test_mean_friction_stays_inside_the_cone(lag, tangential_damping):
    friction = {
        "friction_coefficient": 0.3,
        "tangential_stiffness": 1.0,
        "tangential_damping": tangential_damping,
        "contact_damping": 0.3,
    }
    contacts = [{**PLANE, **friction, "point": point} for point in "PQ"]
    host = Host(structure(*contacts, points="PQ"), lag, 0.3, (-1.0, 0, 0), (0.0, 2.0, 0.7))
    for number in range(150):
        host.step([[-2.0 - math.sin(0.2 * number), 0.5 * math.sin(0.05 * number), 0.0]])
        for point in "PQ":
            force = host.of_point(point)
            # μ is constant, so the mean of μ F_N is μ times the mean of F_N.
            assert math.hypot(*force[1:]) <= 0.3 * force[0] * (1.0 + 1e-12)
    assert host.element.outputs()["wear_work"] > 0.1


@LAGS
def test_the_planes_of_a_corner_act_independently(lag):
    velocity = (-1.0, -0.6, -0.3)
    contacts = [{**PLANE, "normal": normal} for normal in np.eye(3).tolist()]
    corner = Host(structure(*contacts), lag, 0.3, (0.1, 0.1, 0.1), velocity)
    single = [
        Host(structure(PLANE), lag, 0.3, (0.1, 0.0, 0.0), (speed, 0.0, 0.0)) for speed in velocity
    ]
    for _ in range(20):
        corner.step()
        for host in single:
            host.step()
        expected = [host.places[0, 0] for host in single]
        np.testing.assert_allclose(corner.places[0], expected, rtol=0.0, atol=1e-12)


@LAGS
def test_a_pendulum_is_equal_in_both_directions(lag):
    pendulum = {**PLANE, "pendulum_radius": 4.0, "contact_damping": 0.3}
    y, z = (
        Host(structure(pendulum), lag, 0.3, (-1.0, *place), (0.0, 0.0, 0.0))
        for place in ((0.3, 0.0), (0.0, 0.3))
    )
    for _ in range(60):
        y.step([[-1.0, 0.0, 0.0]])
        z.step([[-1.0, 0.0, 0.0]])
        np.testing.assert_allclose(z.places[0, [0, 2, 1]], y.places[0], rtol=0.0, atol=1e-12)
    # The restoring force of 0.25 N/m moves the body through the middle.
    assert y.places[0, 1] < -0.1


@LAGS
def test_a_block_in_a_groove_does_not_creep(lag):
    """The two planes form an angle, so offsets are along both normals, not along the groove."""
    slope = math.sqrt(0.5)
    friction = {
        "friction_coefficient": 0.5,
        "tangential_stiffness": 0.5,
        "tangential_damping": 0.7,
        "contact_damping": 0.3,
    }
    contacts = [
        {"obstacle": "plane", "normal": [slope, side * slope, 0.0], **friction}
        for side in (1.0, -1.0)
    ]
    host = Host(structure(*contacts), lag, 0.3, (-2.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    means = []
    for period in range(65):
        places = []
        for step in range(20):
            size = min(1.0, (period * 20 + step) / 400)
            turn = 2.0 * math.pi * (step + 0.5) / 20
            host.step([[-2.0, 0.0, size * (0.7 + 0.2 * math.sin(turn))]])
            places.append(host.places[0, 2])
        means.append(np.mean(places))
    # Two friction springs of 0.5 N/m.
    # The image adapts to the load by 1 % a step, so exp(−5) of the error of the ramp remains.
    np.testing.assert_allclose(means[45:], 0.7, rtol=1e-3)


@LAGS
@pytest.mark.parametrize("obstacle", ["plane", "circle", "two_planes"])
def test_one_contact_equals_the_shock_spring(lag, obstacle):
    law = {
        "friction_coefficient": 0.3,
        "tangential_stiffness": 2.0,
        "tangential_damping": 0.5,
        "contact_damping": 0.2,
    }
    place = {**OBSTACLES, "plane": PLANE}[obstacle]
    described = structure({**place, **law, "gap": 1.0})
    spring = ShockSpring(
        ShockSpringParameters(
            drive="displacement",
            effective_mass=1.0,
            lag=lag,
            obstacle=obstacle,
            contact_stiffness=1.0,
            dist_1=1.0,
            **law,
        )
    )
    host = Host(described, lag, 0.3, (0.0, 0.0, 0.0), (-1.0, 0.9, 0.2))
    for _ in range(60):
        spring.step(
            step_size=0.3,
            **{f"imposed_displacement_{a}": host.places[0, k] for k, a in enumerate("xyz")},
        )
        host.step()
        expected = [getattr(spring, f"mean_force_{axis}") for axis in "xyz"]
        np.testing.assert_allclose(host.force[0], expected, atol=1e-12)
        balance = host.element.outputs()["B.interface_balance"]
        np.testing.assert_allclose(balance, spring.interface_balance, atol=1e-11)
    np.testing.assert_allclose(host.element.outputs()["wear_work"], spring.wear_work, rtol=1e-9)
    assert spring.wear_work > 0.005


SHAPES = np.array([1.8, -1.8])
FREQUENCIES = np.array([12.0, 75.0])
HOLE = {
    "obstacle": "circle",
    "axis": [1.0, 0.0, 0.0],
    "gap": 1e-3,
    "contact_stiffness": 1e5,
    "contact_damping": 10.0,
}


def modal_shock_path(step_size, count):
    """Return displacements y, z of a beam end with two modes each along y and z in a hole."""
    along_y = [number for shape in SHAPES for number in (shape, 0.0)]
    along_z = [number for shape in SHAPES for number in (0.0, shape)]
    beam = structure_of(
        {
            "modes": {"frequency": list(np.repeat(FREQUENCIES, 2)), "generalised_mass": 1.0},
            "point": [{"name": "P", "shape_y": along_y, "shape_z": along_z}],
            "contact": [{"name": "c0", "point": "P", **HOLE}],
            "observe": [{"point": "P"}],
            "initial": {"velocity": [0.3, 0.1, 0.05, 0.0]},
        }
    )
    model = ModalShock(beam)
    places = []
    for _ in range(count):
        model.step(step_size)
        outputs = model.outputs()
        places.append([outputs["P.displacement_y"], outputs["P.displacement_z"]])
    return np.array(places)


def own_beam_path(step_size, count, lag):
    """Return the same for a beam of another program, exact under a constant force, with DisChoc."""
    described = structure(HOLE, mass=1.0 / (SHAPES @ SHAPES))
    rates = 2.0 * math.pi * FREQUENCIES[:, None]
    cosine, sine = np.cos(rates * step_size), np.sin(rates * step_size)
    q, v = np.zeros((2, 2)), np.array([[0.3, 0.1], [0.05, 0.0]])
    element = ContactElement(described, lag=lag)
    force, places = np.zeros(2), []
    for _ in range(count):
        y, z = SHAPES @ q
        speed_y, speed_z = SHAPES @ v
        element.step(
            step_size,
            **{"P.displacement_y": y, "P.displacement_z": z},
            **{"P.velocity_y": speed_y, "P.velocity_z": speed_z},
        )
        outputs = element.outputs()
        coming = np.array([outputs["P.mean_force_y"], outputs["P.mean_force_z"]])
        rest = np.outer(SHAPES, force if lag else coming) / rates**2
        force = coming
        q, v = rest + cosine * (q - rest) + sine / rates * v, cosine * v - rates * sine * (q - rest)
        places.append(SHAPES @ q)
    return np.array(places)


@LAGS
def test_an_own_beam_in_a_round_hole_converges_to_modal_shock(lag):
    errors = []
    for step_size in (4e-4, 2e-4, 1e-4):
        count = round(0.04 / step_size)
        exact = modal_shock_path(step_size, count)
        errors.append(np.abs(own_beam_path(step_size, count, lag) - exact).max() / 1e-3)
    # Errors relative to the gap. The values are in docs/verification.md.
    assert errors[0] <= (0.02, 0.13)[lag], errors
    for first, second in itertools.pairwise(errors):
        assert second <= 0.55 * first, errors


def test_a_snapshot_continues_with_equal_bits():
    described = structure(*halves(0.1, "PQ"), points="PQ")
    host = Host(described, SERIAL, 0.3, (0.5, 0.0, 0.0), (-1.0, 0.5, 0.1))
    for _ in range(4):
        host.step()
    kept = host.element.snapshot(), host.places, host.velocities

    def play():
        for _ in range(9):
            host.step()
        return host.element.output_values()

    first = play()
    host.element = ContactElement(described)
    host.element.restore(kept[0])
    _, host.places, host.velocities = kept
    assert play() == first


def test_a_snapshot_of_other_contacts_is_refused():
    host = Host(structure(PLANE), SERIAL, 0.3, (0.5, 0.0, 0.0), (-1.0, 0.0, 0.0))
    other = ContactElement(structure(*halves(0.1, "PQ"), points="PQ"))
    before = other.snapshot()
    with pytest.raises(ValueError, match="belongs to a model of another structure"):
        other.restore(host.element.snapshot())
    assert other.snapshot() == before


def test_points_of_a_body_that_move_differently_are_refused():
    element = ContactElement(structure(*halves(0.0, "PQ"), points="PQ"))
    before = element.snapshot()
    with pytest.raises(StepError, match="a body moves without rotation"):
        element.step(0.1, **{"P.displacement_x": 0.1, "Q.displacement_x": 0.1001})
    assert element.snapshot() == before
    element.step(0.1, **{"P.displacement_x": 0.1, "Q.displacement_x": 0.1 + 1e-15})


def test_values_out_of_range_are_refused():
    element = ContactElement(structure(PLANE))
    before = element.snapshot()
    with pytest.raises(StepError, match=r"must be ≤ 1e\+30 m"):
        element.step(0.1, **{"P.displacement_x": 1e31})
    assert element.snapshot() == before
    with pytest.raises(ValueError, match="is not an input"):
        element.step(0.1, **{"B.displacement_x": 0.0})


def test_parallel_steps_of_another_length_are_warned_of_once():
    element = ContactElement(structure(PLANE), lag=PARALLEL)
    told = [element.step(h, **{"P.displacement_x": 1.0}) for h in (0.1,) * 4 + (0.2, 0.1)]
    assert [text is None for text in told] == [True] * 4 + [False, True]
    assert "the step size has changed" in told[4]


def test_a_parameter_changes_during_a_run():
    element = ContactElement(structure(PLANE), **{"P.displacement_x": -1.0})
    assert element.outputs()["P.force_x"] == 1.0
    element.change_parameters({"c0.gap": 0.25})
    assert element.outputs()["P.force_x"] == 0.75
    # ½ K d² for 0.75 m and 1 m.
    np.testing.assert_allclose(element.outputs()["parameter_change_work"], 0.28125 - 0.5)
