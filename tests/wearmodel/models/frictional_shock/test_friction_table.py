"""Measured friction laws as a table: closed forms, independent integration, energy, bad tables."""

import math
import random
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from numpy.polynomial.polynomial import Polynomial
from scipy.integrate import quad, solve_ivp
from scipy.interpolate import PchipInterpolator
from scipy.optimize import brentq

from wearmodel import FrictionalShock, FrictionalShockParameters, NormalLaw, TangentialLaw
from wearmodel.kernel.contact.friction import MOST_KNOTS, sliding_friction
from wearmodel.kernel.shoe.parameters import Parameters

from . import energy
from .independent_shock import (
    FRICTION_WORK,
    U_RATE,
    W_RATE,
    WEAR,
    IndependentShock,
    TooManyEventsError,
)
from .test_varying_friction import (
    COMPARED,
    DURATION,
    LAWS,
    SPLIT_TOLERANCE,
    computed,
    difference,
    random_problem,
)
from .trace import record

RULES = ("linear", "pchip")
# Error of scipy at 1e-12 for each step.
TOLERANCE = 1e-10


def interpolant(table, rule):
    """Return scipy's pieces of a table: breaks, and a polynomial of v − v_k above each knot."""
    speeds, coefficients = (np.array(column, dtype=float) for column in zip(*table, strict=True))
    if len(speeds) == 1:
        return speeds, [Polynomial([coefficients[0]])]
    slopes = np.diff(coefficients) / np.diff(speeds)
    pieces = [Polynomial([c, s]) for c, s in zip(coefficients, slopes, strict=False)]
    if rule == "pchip":
        cubic = PchipInterpolator(speeds, coefficients)
        pieces = [Polynomial(cubic.c[::-1, i]) for i in range(len(slopes))]
    return speeds, [*pieces, Polynomial([coefficients[-1]])]


class TabledShock(IndependentShock):
    """The same equations, with the polynomial of one table piece at a time."""

    def __init__(self, parameters, inputs, table, rule):
        self.speeds, self.pieces = interpolant(table, rule)
        self.slopes = [piece.deriv() for piece in self.pieces]
        self.piece = 0
        super().__init__(parameters, inputs)
        self.static = max(parameters.friction_coefficient_static, table[0][1])
        self.place(parameters.initial_velocity, 0.0)

    def place(self, velocity, speeding):
        speed = abs(velocity)
        self.piece = int(np.searchsorted(self.speeds, speed, side="right")) - 1
        for knot, at in enumerate(self.speeds):
            if knot > 0 and abs(speed - at) <= 1e-12 * at:
                self.piece = knot if speeding >= 0.0 else knot - 1

    def friction_coefficient(self, velocity):
        return float(self.pieces[self.piece](abs(velocity) - self.speeds[self.piece]))

    def friction_slope(self, velocity):
        return float(self.slopes[self.piece](abs(velocity) - self.speeds[self.piece]))

    def speeding(self, y):
        rate = self.acceleration(self.time, y)
        return abs(rate) if y[U_RATE] == 0.0 else math.copysign(1.0, y[U_RATE]) * rate

    def guards(self, y):
        found = super().guards(y)
        moves = self.contact and (self.sliding or not self.rigid_friction)
        if moves and self.piece > 0:
            lower = self.speeds[self.piece]
            found["knot -"] = lambda t, y: abs(y[U_RATE]) - lower
        if moves and self.piece + 1 < len(self.speeds):
            upper = self.speeds[self.piece + 1]
            found["knot +"] = lambda t, y: upper - abs(y[U_RATE])
        return found

    def enter(self, y):
        # At the start of a contact, the rate of the speed is not known yet.
        self.place(y[U_RATE], 0.0)
        super().enter(y)
        self.place(y[U_RATE], self.speeding(y))

    def jump(self, y):
        self.place(y[U_RATE], 0.0)

    def happen(self, event, y):
        if event.startswith("knot"):
            self.events -= 1
            self.piece += 1 if event.endswith("+") else -1
            # Without a damper, the rate of the stretch is discontinuous at the kink of μ.
            if self.sliding * self.slip(self.time, y) < 0.0:
                self.sliding = 0
            return
        super().happen(event, y)
        self.place(y[U_RATE], self.speeding(y) if self.contact else 0.0)

    def strike(self, y):
        """Apply P = ∫ m dv/μ(v), by quadrature between the knots."""
        p = self.p
        impulse = p.mass * (1.0 + p.restitution) * abs(y[W_RATE])
        y[W_RATE] *= -p.restitution
        speed = abs(float(y[U_RATE]))
        after, work, left = speed, 0.0, impulse
        while after > 0.0 and left > 0.0:
            piece = int(np.searchsorted(self.speeds, after, side="left")) - 1
            start, lowest = self.speeds[piece], self.speeds[piece]
            mu = lambda v: self.pieces[piece](v - start)  # noqa: B023, E731
            took = lambda v: quad(lambda z: p.mass / mu(z), v, after, epsabs=0, epsrel=1e-13)[0]  # noqa: B023, E731
            end = lowest
            if not took(lowest) <= left:
                end = brentq(lambda v: took(v) - left, lowest, after, xtol=1e-16, rtol=1e-15)  # noqa: B023
            work += quad(lambda z: z * p.mass / mu(z), end, after, epsabs=0, epsrel=1e-13)[0]  # noqa: B023
            left = left - took(end) if end == lowest else 0.0
            after = end
        y[WEAR] += work
        y[FRICTION_WORK] += 0.5 * p.mass * (speed**2 - after**2)
        y[U_RATE] = math.copysign(after, y[U_RATE])


def random_table(r):
    """Return two to eight knots up to about 0.6 m/s, weakening and strengthening."""
    count = r.randint(2, 8)
    speeds = sorted(r.uniform(0.01, 0.6) for _ in range(count - 1))
    speeds = [0.0] + [v + 1e-3 * i for i, v in enumerate(speeds)]
    level = r.choice([0.1, 0.3])
    return [[v, level * r.uniform(0.4, 1.6)] for v in speeds]


def tabled_problem(normal, tangential, seed):
    parameters, inputs = random_problem(normal, tangential, seed)
    r = random.Random(f"table {normal.name} {tangential.name} {seed}")
    table, rule = random_table(r), r.choice(RULES)
    parameters = replace(
        parameters,
        friction_coefficient=0.1,
        friction_coefficient_static=r.choice([-1.0, 0.0, 1.3 * max(mu for _, mu in table)]),
        friction_coefficient_slow=-1.0,
        friction_decay_velocity=0.0,
        viscous_friction=0.0,
        friction_table=table,
        friction_table_rule=rule,
        # Sometimes the initial speed is the speed of a knot.
        initial_velocity=r.choice([parameters.initial_velocity, table[-1][0], 0.9, -table[1][0]]),
    )
    return parameters, inputs, table, rule


def compared_tables(normal, tangential, runs, *, wearing=False):
    """Compare as `test_varying_friction.compared` does, with a table."""
    seed = counted = left_out = 0
    while counted < runs:
        parameters, inputs, table, rule = tabled_problem(normal, tangential, seed)
        if wearing:
            scale = (1e5, 1e6, 3e6)[seed % 3]
            parameters = replace(parameters, wear_feedback=True, wear_time_scale=scale)
        seed += 1
        shock = TabledShock(parameters, inputs, table, rule)
        try:
            state = shock.run(DURATION)
        except TooManyEventsError:
            continue
        got = computed(parameters, inputs)
        nudged = {name: [c * (1.0 + 1e-14) for c in series] for name, series in inputs.items()}
        if difference(computed(parameters, nudged), got) > TOLERANCE:
            left_out += 1
            continue
        counted += 1
        want = {name: float(state[index]) for name, index in COMPARED.items()}
        del want["gap"], want["gap_velocity"]
        worst = max(
            abs(got[name] - want[name]) / max(1.0, abs(want[name]) * name.endswith("work"))
            for name in want
        )
        assert worst <= TOLERANCE, (seed - 1, worst, table, rule, got, want)
        for parts in (2, 7, 50):
            assert difference(computed(parameters, inputs, parts), got) <= SPLIT_TOLERANCE, seed - 1
    return left_out


pairs = pytest.mark.parametrize(
    ("normal", "tangential"), LAWS, ids=[f"{one.name}-{two.name}" for one, two in LAWS]
)


@pytest.mark.long
@pairs
def test_random_tables_agree_with_an_independent_integration(normal, tangential):
    assert compared_tables(normal, tangential, 4) <= 1


# scipy tries steps in which the fastest wear runs away.
@pytest.mark.long
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("tangential", TangentialLaw, ids=lambda law: law.name)
def test_random_tables_whose_wear_opens_the_gaps_agree_with_it_too(tangential):
    assert compared_tables(NormalLaw.penalty, tangential, 4, wearing=True) <= 1


@pytest.mark.long
@pairs
def test_energy_closes_from_the_trace_of_random_tables(normal, tangential, monkeypatch):
    for seed in range(12):
        parameters, inputs, *law = tabled_problem(normal, tangential, seed)
        # The wear of impacts in the account depends on the table.
        tabled = partial(TabledShock, table=law[0], rule=law[1])
        monkeypatch.setattr(energy, "IndependentShock", tabled)
        model = FrictionalShock(parameters, **{name: one[0] for name, one in inputs.items()})
        trace = record(model)
        model.step_polynomial(DURATION, **inputs)
        account = energy.EnergyAccount(parameters, trace.segments)
        assert account.relative_residual <= 1e-12, (seed, account.terms)
        outputs = model.outputs()
        assert outputs["wear_work"] == pytest.approx(account.wear_work, rel=1e-10)
        friction_work = pytest.approx(account.friction_work, rel=1e-10, abs=1e-13)
        assert outputs["friction_work"] == friction_work


@pytest.mark.parametrize("rule", RULES)
def test_the_coefficient_is_scipy_s_interpolant_and_constant_beyond_the_last_knot(rule):
    r = random.Random(rule)
    for _ in range(50):
        count = r.randint(1, MOST_KNOTS)
        speeds = [0.0, *sorted(r.uniform(0.0, 2.0) + 1e-6 * i for i in range(1, count))]
        table = [[v, r.uniform(0.0, 0.5)] for v in speeds]
        p = Parameters(FrictionalShockParameters(friction_table=table, friction_table_rule=rule))
        breaks, pieces = interpolant(table, rule)
        for v in [r.uniform(0.0, 2.5) for _ in range(20)] + speeds:
            k = int(np.searchsorted(breaks, v, side="right")) - 1
            wanted = float(pieces[k](v - breaks[k]))
            assert sliding_friction(p, v) == pytest.approx(wanted, rel=1e-12, abs=1e-14), (v, table)


@pytest.mark.parametrize("steps", [1, 3, 100])
def test_a_free_slide_over_a_linear_piece_follows_its_closed_form(steps):
    """v' = −g (a + b v) between the knots at 0.2 and 1 m/s."""
    table, until = [[0.0, 0.3], [0.2, 0.2], [1.0, 0.1]], 0.3
    model = FrictionalShock(FrictionalShockParameters(friction_table=table, initial_velocity=0.9))
    for _ in range(steps):
        model.step(until / steps)
    slope = -0.1 / 0.8
    ratio = (0.2 - 0.2 * slope) / slope
    decay = math.exp(-10.0 * slope * until)
    speed = (0.9 + ratio) * decay - ratio
    distance = (0.9 + ratio) * (1.0 - decay) / (10.0 * slope) - ratio * until
    outputs = model.outputs()
    assert outputs["relative_velocity"] == pytest.approx(speed, rel=1e-14 + 1e-15 * steps)
    assert outputs["relative_displacement"] == pytest.approx(distance, rel=1e-14 + 1e-15 * steps)


def test_a_table_of_equal_coefficients_is_coulomb_friction_bit_by_bit():
    flat = FrictionalShockParameters(friction_table=[[0.0, 0.1], [1.0, 0.1]], initial_velocity=2.0)
    plain = FrictionalShockParameters(friction_coefficient=0.1, initial_velocity=2.0)
    models = [FrictionalShock(one) for one in (flat, plain)]
    for step in range(200):
        for model in models:
            model.step(0.01, 5.0 * math.sin(0.3 * step))
        assert models[0].outputs() == models[1].outputs()


@pytest.mark.parametrize(("static", "holds"), [(-1.0, 0.25), (0.1, 0.25), (0.4, 0.4)])
def test_rigid_stick_bears_the_larger_of_the_static_and_the_first_coefficient(static, holds):
    for share, mode in ((0.999, 1.0), (1.001, 2.0)):
        parameters = FrictionalShockParameters(
            friction_table=[[0.0, 0.25], [0.5, 0.1]], friction_coefficient_static=static
        )
        model = FrictionalShock(parameters, tangential_load=share * holds * 10.0)
        model.step(0.01, tangential_load=share * holds * 10.0)
        assert model.outputs()["contact_mode"] == mode


TABLE = [[0.0, 0.2], [0.01, 0.15], [0.5, 0.3]]
REFUSED = {
    "no list": ({"friction_table": 0.3}, "friction_table=0.3 must be a list of 1 to 32 rows"),
    "empty": ({"friction_table": []}, "must be a list of 1 to 32 rows"),
    "too long": ({"friction_table": [[0.1 * k, 0.2] for k in range(33)]}, "friction_table=33 rows"),
    "row": ({"friction_table": [[0.0, 0.2, 0.1]]}, "must have 2 numbers: friction_table_speed, "),
    "text": ({"friction_table": [[0.0, "a"]]}, r"friction_table_coefficient\[1\]='a' must be a"),
    "nan": ({"friction_table": [[0.0, math.nan]]}, r"coefficient\[1\]=nan must be finite"),
    "speed": ({"friction_table": [[0.0, 0.1], [-1.0, 0.1]]}, r"speed\[2\]=-1.0 m/s must be ≥"),
    "first": ({"friction_table": [[0.1, 0.2]]}, r"friction_table_speed\[1\]=0.1 m/s must be 0"),
    "order": ({"friction_table": [*TABLE, [0.4, 0.2]]}, "=0.4 m/s must exceed the speed of the"),
    "close": ({"friction_table": [[0.0, 0.2], [1e-10, 0.1]]}, "=1e-10 m/s must exceed"),
    "end": ({"friction_table": [[0.0, 0.2], [0.1, -1.0], [0.2, 0.1]]}, "=0.1 m/s .*-1.0 is behind"),
    "unused": ({"friction_table": [[0.0, -1.0], [0.1, -1.0]]}, "=0.1 m/s with .*=-1.0 is behind"),
    "behind": ({"friction_table": [[0.0, 0.2], [0.0, -1.0], [0.0, 0.1]]}, "=0.1 is behind the end"),
    "rule": ({"friction_table": TABLE, "friction_table_rule": "cubic"}, "one of: linear"),
    "fast": ({"friction_table": TABLE, "friction_coefficient": 0.3}, "=0.3 must keep its default"),
    "slow": (
        {"friction_table": TABLE, "friction_coefficient_slow": 0.2, "friction_decay_velocity": 1.0},
        "friction_coefficient_slow=0.2 must be negative and friction_decay_velocity=1.0 m/s must",
    ),
    "viscous": ({"friction_table": TABLE, "viscous_friction": 0.1}, "=0.1 s/m must be 0"),
}  # fmt: skip


@pytest.mark.parametrize("bad", REFUSED)
def test_a_bad_table_is_refused_with_quantity_value_and_rule(bad):
    given, text = REFUSED[bad]
    with pytest.raises(ValueError, match=text):
        FrictionalShockParameters(**given)


# At the second knot, slope and curvature of the cubics are 0. Below it, μ = 0.3 + d (v − 0.1)³.
THIRD_POWER = [[0.0, 0.2], [0.1, 0.3], [0.12, 0.1]]


def speed_after(span, table, speed):
    """Return |u̇| [m/s] after the impulse `span` [m/s] of F_N/m, with scipy's interpolant."""
    friction = PchipInterpolator(*zip(*table, strict=True))
    solution = solve_ivp(
        lambda _, v: -friction(v), (0.0, span), [speed], "DOP853", rtol=1e-13, atol=1e-16
    )
    return solution.y[0, -1]


@pytest.mark.parametrize("law", ["rigid", "penalty"])
def test_a_slip_from_a_knot_sees_a_cubic_that_begins_with_its_third_power(law):
    model = FrictionalShock(
        FrictionalShockParameters(
            gravity=10.0,
            friction_table=THIRD_POWER,
            friction_table_rule="pchip",
            tangential_law=law,
            tangential_stiffness=1e5,
            initial_velocity=0.1,
        )
    )
    model.step(0.02)
    wanted = speed_after(0.2, THIRD_POWER, 0.1)
    assert model.outputs()["relative_velocity"] == pytest.approx(wanted, abs=1e-13)


def test_an_impact_from_a_knot_sees_a_cubic_that_begins_with_its_third_power():
    model = FrictionalShock(
        FrictionalShockParameters(
            normal_law="rigid",
            friction_table=THIRD_POWER,
            friction_table_rule="pchip",
            initial_velocity=0.1,
            initial_normal_velocity=-0.2,
            restitution=0.5,
        )
    )
    wanted = speed_after(0.3, THIRD_POWER, 0.1)
    assert model.outputs()["relative_velocity"] == pytest.approx(wanted, abs=1e-13)


@pytest.mark.parametrize("speed", [-0.0045, -0.003])
def test_stick_that_turns_has_the_limit_of_a_table_that_is_level_at_rest(speed):
    ends = []
    for cuts in (1, 16):
        model = FrictionalShock(
            FrictionalShockParameters(
                gravity=10.0,
                friction_table=[[0.0, 0.2], [0.005, 0.21], [0.01, 0.28], [0.1, 0.2]],
                friction_table_rule="pchip",
                tangential_law="penalty",
                tangential_stiffness=1e4,
                initial_velocity=speed,
                input_extrapolation_order=0,
            ),
            tangential_load=12.0,
        )
        for _ in range(cuts):
            model.step(0.002 / cuts, tangential_load=12.0)
        ends.append(model.outputs()["relative_velocity"])
    assert model.outputs()["wear_work"] > 0.0
    assert ends[0] == pytest.approx(ends[1], rel=1e-13)
