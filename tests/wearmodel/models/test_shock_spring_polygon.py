"""The shock spring along polygons in space: cone, cut legs, drives, energy, limits."""

import math
from collections.abc import Callable, Iterable, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from wearmodel.models.shock_spring import Drive, ShockSpring, ShockSpringParameters

Point = tuple[float, float, float]


def go(spring: ShockSpring, point: Iterable[float]) -> None:
    x, y, z = map(float, point)
    if spring.parameters.drive == Drive.load:
        spring.step(load_x=x, load_y=y, load_z=z)
    else:
        spring.step(imposed_displacement_x=x, imposed_displacement_y=y, imposed_displacement_z=z)


def cut_legs(points: Sequence[Point], count: int) -> list[np.ndarray]:
    """Return the polygon from the origin with each leg cut into `count` equal steps."""
    path = [np.zeros(3)]
    for point in points:
        start, end = path[-1], np.array(point)
        path += [start + (end - start) * index / count for index in range(1, count)] + [end]
    return path[1:]


def displacement(spring: ShockSpring) -> np.ndarray:
    return np.array([spring.displacement_x, spring.displacement_y, spring.displacement_z])


def force(spring: ShockSpring) -> np.ndarray:
    return np.array([spring.force_x, spring.force_y, spring.force_z])


# Grid values make coincidences frequent: touching, closing and slipping at the same time, reversal.
grid = st.integers(-8, 8).map(lambda number: number / 4)
anywhere = st.floats(-2.0, 2.0).map(lambda value: round(value, 6))
polygons = st.lists(
    st.tuples(st.one_of(grid, anywhere), st.one_of(grid, anywhere), st.one_of(grid, anywhere)),
    min_size=1,
    max_size=8,
)
lines = st.lists(
    st.tuples(st.one_of(grid, anywhere), st.one_of(grid, anywhere), st.just(0.0)),
    min_size=1,
    max_size=8,
)
parameters = st.builds(
    ShockSpringParameters,
    drive=st.sampled_from([Drive.load, Drive.displacement]),
    elastic_stiffness=st.sampled_from([0.5, 1.0, 30.0]),
    contact_stiffness=st.sampled_from([0.3, 1.0, 20.0]),
    tangential_stiffness=st.sampled_from([0.5, 1.0, 7.0, 1000.0]),
    friction_coefficient=st.sampled_from([0.0, 0.1, 0.5, 1.0]),
    dist_1=st.sampled_from([-0.5, 0.0, 0.5]),
)


@settings(max_examples=300, deadline=None)
@given(parameters, polygons)
def test_friction_force_stays_inside_the_cone(given_parameters, points):
    spring = ShockSpring(given_parameters)
    wear_work = 0.0
    for point in cut_legs(points, 3):
        go(spring, point)
        bound = given_parameters.friction_coefficient * abs(spring.force_x)
        # In slip, the force is on the bound to a few units in the last place. In stick, the
        # difference between two driving points of order 4 has their rounding times the stiffness.
        rounding = 4e-15 * bound + 2e-15 * given_parameters.tangential_stiffness
        assert math.hypot(spring.force_y, spring.force_z) <= bound + rounding
        assert spring.force_x <= 0.0
        assert spring.wear_work >= wear_work
        wear_work = spring.wear_work


@pytest.mark.parametrize(
    "points",
    [pytest.param(lines, id="in one dimension"), pytest.param(polygons, id="in the plane")],
)
def test_cutting_the_legs_does_not_matter(points):
    @settings(max_examples=250, deadline=None)
    @given(parameters, points, st.sampled_from([2, 3, 7, 10]))
    def claim(given_parameters: ShockSpringParameters, path: list[Point], count: int) -> None:
        whole, cut = ShockSpring(given_parameters), ShockSpring(given_parameters)
        for point in cut_legs(path, 1):
            go(whole, point)
        for point in cut_legs(path, count):
            go(cut, point)
        stiffness = max(
            1.0, given_parameters.tangential_stiffness, given_parameters.contact_stiffness
        )
        # Positions of order 4 are rounded at each of up to 80 cuts.
        assert displacement(cut) == pytest.approx(displacement(whole), rel=0.0, abs=1e-13)
        assert force(cut) == pytest.approx(force(whole), rel=0.0, abs=1e-13 * stiffness)
        assert (cut.slip_y, cut.slip_z) == pytest.approx(
            (whole.slip_y, whole.slip_z), rel=0.0, abs=1e-13
        )
        assert cut.wear_work == pytest.approx(whole.wear_work, rel=1e-13, abs=1e-13 * stiffness)

    claim()


@settings(max_examples=60, deadline=None)
@given(parameters, polygons)
def test_load_drive_is_in_equilibrium(given_parameters, points):
    spring = ShockSpring(given_parameters)
    if given_parameters.drive == Drive.displacement:
        return
    for point in points:
        go(spring, point)
        total = given_parameters.elastic_stiffness * displacement(spring) + force(spring)
        # Loads and forces are of order 2.
        assert total == pytest.approx(np.array(point), rel=0.0, abs=2e-14)
        gap = spring.displacement_x + given_parameters.gap_at_rest
        want = given_parameters.contact_stiffness * min(0.0, gap)
        assert spring.force_x == pytest.approx(
            want, rel=0.0, abs=4e-15 * max(1.0, given_parameters.contact_stiffness)
        )


# The contact closes, sticks, slips around two corners, unloads in slip, opens, closes elsewhere and
# continues to slip.
TOUR: list[Point] = [
    (-1.5, 0.2, 0.0),
    (-1.5, 2.0, 0.4),
    (-2.0, 1.0, 1.9),
    (-1.0, -0.6, 1.0),
    (-0.7, -0.6, 1.0),
    (0.3, -0.2, -0.5),
    (-1.2, 1.4, -1.0),
    (-1.8, 0.9, 1.2),
]
SPRING = ShockSpringParameters(drive=Drive.displacement, tangential_stiffness=2.0)


def radial_return(
    spring: ShockSpringParameters, points: Sequence[Point], count: int
) -> tuple[np.ndarray, float]:
    """Return friction force and wear work by the textbook radial return, of first order."""
    friction, wear_work, previous = np.zeros(2), 0.0, np.zeros(3)
    for point in cut_legs(points, count):
        normal_force = spring.contact_stiffness * max(0.0, -(point[0] + spring.gap_at_rest))
        bound = spring.friction_coefficient * normal_force
        trial = friction + spring.tangential_stiffness * (point - previous)[1:]
        size = float(np.hypot(*trial))
        friction = trial
        if size > bound:
            friction = trial * (bound / size)
            if normal_force > 0.0:
                wear_work += normal_force * (size - bound) / spring.tangential_stiffness
        previous = point
    return friction, wear_work


def order_of(error: Callable[[int], float], counts: Sequence[int]) -> tuple[float, float]:
    """Return the observed order between the first and the last count, and the last error."""
    errors = [error(count) for count in counts]
    order = math.log(errors[0] / errors[-1]) / math.log(counts[-1] / counts[0])
    return order, errors[-1]


@pytest.mark.long
@pytest.mark.parametrize("corners", range(2, len(TOUR) + 1))
def test_radial_return_converges_to_the_closed_form(corners):
    spring = ShockSpring(SPRING)
    for point in TOUR[:corners]:
        go(spring, point)

    def error(count: int) -> float:
        friction, wear_work = radial_return(SPRING, TOUR[:corners], count)
        return float(
            np.max(np.abs([*(friction - force(spring)[1:]), wear_work - spring.wear_work]))
        )

    order, last = order_of(error, [500, 1000, 4000])
    # First order if events are inside the steps, and up to second order otherwise.
    assert 0.9 < order < 2.1
    assert last < 2e-3


def test_load_drive_and_displacement_drive_are_inverse_in_ssnd116():
    loads: list[Point] = [(-0.5, 0, 0), (-1, 0, 0), (-1, 2, 0), (-1, 0, 0), (-1, -3, 0)]
    by_load = ShockSpring(ShockSpringParameters())
    by_displacement = ShockSpring(ShockSpringParameters(drive=Drive.displacement))
    for load in cut_legs(loads, 7):
        go(by_load, load)
        go(by_displacement, displacement(by_load))
        # Only one coordinate changes at a time, so the leg is straight in both drives.
        assert force(by_displacement) == pytest.approx(force(by_load), rel=0.0, abs=1e-14)
        assert by_displacement.wear_work == pytest.approx(by_load.wear_work, rel=0.0, abs=1e-14)


@pytest.mark.parametrize(
    ("leg", "expected_order", "largest_error"),
    # Turning slip is smooth, so the chords are within h² of the bent leg. An event inside a step is
    # a kink with an error of h.
    [(1, 2.0, 1e-6), (len(TOUR), 1.0, 1e-5)],
    ids=["one leg in slip", "the whole tour"],
)
def test_load_drive_and_displacement_drive_are_inverse_in_the_plane(
    leg, expected_order, largest_error
):
    # A straight leg of displacement is a bent leg of load. The loads of one spring are therefore
    # applied to the other in `count` chords per leg.
    by_load_parameters = ShockSpringParameters(
        elastic_stiffness=3.0, tangential_stiffness=SPRING.tangential_stiffness
    )
    lead_in: list[Point] = [(-1.5, 0.0, 0.0), (-1.5, 1.0, 0.0)] if leg == 1 else []
    points: list[Point] = [(-1.7, 1.5, 1.2)] if leg == 1 else TOUR

    def error(count: int) -> float:
        by_displacement, by_load = ShockSpring(SPRING), ShockSpring(by_load_parameters)
        worst = 0.0
        whole = cut_legs(lead_in, 1) + cut_legs([*lead_in, *points], count)[len(lead_in) * count :]
        for point in whole:
            go(by_displacement, point)
            go(by_load, 3.0 * point + force(by_displacement))
            worst = max(worst, float(np.max(np.abs(displacement(by_load) - point))))
        return worst

    order, last = order_of(error, [50, 100, 200, 800])
    assert order == pytest.approx(expected_order, abs=0.1)
    assert last < largest_error


def test_load_driven_slip_follows_the_rate_form():
    # Solve K_el u̇ + ḟ = Ḟ, ḟ = K_T (u̇ − λ f̂), λ = f̂·u̇ − (μ/K_T) dN/ds directly.
    elastic, contact, tangential, friction = 3.0, 2.0, 1.5, 0.4
    spring = ShockSpring(
        ShockSpringParameters(
            elastic_stiffness=elastic,
            contact_stiffness=contact,
            tangential_stiffness=tangential,
            friction_coefficient=friction,
        )
    )
    go(spring, (-4.0, 0.0, 0.0))
    go(spring, (-4.0, 3.0, 0.0))
    wear_before = spring.wear_work
    load_rate = np.array([-1.5, 1.0, 5.0])
    normal_start = contact * (4.0 / elastic - 0.5) / (1.0 + contact / elastic)
    normal_rate = contact / (elastic + contact) * 1.5

    def rates(s: float, y: np.ndarray) -> np.ndarray:
        unit = y[2:4] / np.hypot(y[2], y[3])
        eye = np.eye(2)
        # The unknowns are u̇ (2), ḟ (2), λ.
        matrix = np.zeros((5, 5))
        matrix[:2, :2], matrix[:2, 2:4] = elastic * eye, eye
        matrix[2:4, :2], matrix[2:4, 2:4] = -tangential * eye, eye
        matrix[2:4, 4] = tangential * unit
        matrix[4, :2], matrix[4, 4] = -unit, 1.0
        right = [*load_rate[1:], 0.0, 0.0, -friction / tangential * normal_rate]
        solution = np.linalg.solve(matrix, right)
        normal_force = normal_start + s * normal_rate
        return np.array([*solution[:4], normal_force * solution[4]])

    initial = [*displacement(spring)[1:], *force(spring)[1:], 0.0]
    want = solve_ivp(rates, (0.0, 1.0), initial, "DOP853", rtol=1e-13, atol=1e-14).y[:, -1]
    assert spring.contact_mode == 2
    go(spring, (-5.5, 4.0, 5.0))
    got = [*displacement(spring)[1:], *force(spring)[1:], spring.wear_work - wear_before]
    # The integrator has rtol 1e-13 a step over a few hundred steps.
    assert got == pytest.approx(want, rel=0.0, abs=2e-11)


def test_energy_balance_closes_in_slip_that_turns():
    # ∫ F·du = ½ K_N depth² + ½ f²/K_T + μ wear_work over one leg that slips throughout, with
    # growing N.
    spring = ShockSpring(SPRING)
    for point in ((-1.0, 0.0, 0.0), (-1.0, 1.0, 0.0)):
        go(spring, point)
    start, way = displacement(spring), np.array([-0.5, 0.4, 1.5])
    saved = spring.snapshot()

    def stored(at: ShockSpring) -> float:
        elastic = at.force_x**2 / SPRING.contact_stiffness
        elastic += (at.force_y**2 + at.force_z**2) / SPRING.tangential_stiffness
        return 0.5 * elastic + SPRING.friction_coefficient * at.wear_work

    before = stored(spring)
    nodes, weights = np.polynomial.legendre.leggauss(40)
    work = 0.0
    for node, weight in zip(nodes, weights, strict=True):
        spring.restore(saved)
        go(spring, start + way * 0.5 * (1.0 + node))
        assert spring.contact_mode == 2
        work += 0.5 * weight * float(force(spring) @ way)
    spring.restore(saved)
    go(spring, start + way)
    # 40 points integrate this smooth force to rounding. Energies are of order 1.
    assert stored(spring) - before == pytest.approx(work, rel=0.0, abs=1e-14)


def test_energy_balance_closes_over_the_tour():
    spring = ShockSpring(SPRING)
    count, work, previous = 4000, 0.0, np.zeros(3)
    last = force(spring)
    for point in cut_legs(TOUR, count):
        go(spring, point)
        work += 0.5 * float((force(spring) + last) @ (point - previous))
        previous, last = point, force(spring)
    stored = 0.5 * spring.force_x**2 / SPRING.contact_stiffness
    stored += 0.5 * (spring.force_y**2 + spring.force_z**2) / SPRING.tangential_stiffness
    stored += SPRING.friction_coefficient * spring.wear_work
    # Trapezoidal rule on legs of length ≤ 3 with stiffness ≤ 2 and a dozen kinks of the force.
    assert stored == pytest.approx(work, rel=0.0, abs=12 * 2.0 * (3.0 / count) ** 2)


@pytest.mark.parametrize("quantity", ["angle", "wear"])
def test_stiff_friction_turns_with_the_tangent_of_the_path(quantity):
    # On a circle of radius 1, the force lags behind the tangent by θ with sin θ = μN/K_T. This is
    # the steady state of dθ/ds = 1 − K_T sin θ/(μN). Rigid friction does not lag, and wears N per
    # length.
    normal_force, corners = 1.0, 4000

    def lag(stiffness: int) -> float:
        spring = ShockSpring(
            ShockSpringParameters(
                drive=Drive.displacement, dist_1=0.0, tangential_stiffness=float(stiffness)
            )
        )
        go(spring, (0.0, 1.0, 0.0))
        go(spring, (-normal_force, 1.0, 0.0))
        wear_before = 0.0
        for index in range(1, corners + 1):
            angle = 2.0 * math.pi * index / corners
            go(spring, (-normal_force, math.cos(angle), math.sin(angle)))
            if index == corners // 2:
                wear_before = spring.wear_work
        if quantity == "wear":
            return normal_force * math.pi - (spring.wear_work - wear_before)
        # The final tangent is the z axis, and the force still points along an earlier tangent.
        return math.atan2(spring.force_y, spring.force_z)

    stiffnesses = [5, 10, 20, 40, 80]
    corner = 2.0 * math.pi / corners
    for stiffness in stiffnesses:
        radius = 0.5 * normal_force / stiffness  # Radius of the cone, μN/K_T [m].
        if quantity == "angle":
            # The polygon turns abruptly: θ + ½ corner = corner/(exp(corner/radius) − 1) + corner,
            # which is radius + corner²/(12 radius) + …
            want, tolerance = math.asin(radius), corner**2 / (6.0 * radius)
        else:
            # The polygon is shorter by π corner²/24, and its abrupt turns cost about as much.
            want, tolerance = math.pi * (1.0 - math.sqrt(1.0 - radius**2)), math.pi * corner**2 / 6
        assert lag(stiffness) == pytest.approx(want, rel=0.0, abs=tolerance)
    order, _ = order_of(lag, stiffnesses)
    assert order == pytest.approx(1.0 if quantity == "angle" else 2.0, abs=0.01)
