"""Lengths of pieces of a pendulum, and events at the stops of a shoe."""

import pytest

from wearmodel import FrictionalShockParameters
from wearmodel.kernel.limits import LEAVE_LOWER, LEAVE_UPPER, STOP_LOWER, STOP_UPPER
from wearmodel.kernel.series.oscillator import oscillator_rate
from wearmodel.kernel.shoe.parameters import Parameters
from wearmodel.kernel.shoe.pendulum import shorter_swing
from wearmodel.kernel.shoe.state_objects import State, Work
from wearmodel.kernel.shoe.stops import pass_stop

STOPS = FrictionalShockParameters(mass=2.0, stop_lower=-0.5, stop_upper=0.25, stop_restitution=0.5)


def test_the_rate_of_a_swing_is_bounded_by_all_coefficients_of_the_normal_force():
    p = Parameters(FrictionalShockParameters(mass=2.0, pendulum_radius=0.5))
    work = Work()
    work.force[:4] = [5.0, -2.0, 3.0, 99.0]
    work.force[-1] = 77.0
    work.counts.force, work.counts.mass = 3.0, 2.0
    # 5 + 2·4 + 3·16 at four times the length of the piece.
    rate = oscillator_rate(2.0, 0.1, 7.0 + 61.0 / 0.5)
    assert shorter_swing(p, 0.1, 7.0, 0.99 / rate, work) == 0.0
    assert shorter_swing(p, 0.1, 7.0, 1.01 / rate, work) == pytest.approx(0.9 / rate, rel=1e-15)
    work.counts.mass = 0.0
    assert shorter_swing(p, 0.1, 7.0, 1.0, work) == 0.0


@pytest.mark.parametrize("side", [1.0, -1.0])
@pytest.mark.parametrize(
    ("approach", "sliding", "strikes"),
    [(0.1, 1.0, 1.0), (0.1, -1.0, 1.0), (0.0, 1.0, 1.0), (0.0, 0.0, 1.0), (0.0, -1.0, 0.0),
     (-0.1, 1.0, 0.0)],
)  # fmt: skip
def test_a_mass_strikes_a_rigid_stop_unless_it_leaves_it(side, approach, sliding, strikes):
    """The signs of approach and sliding are positive towards the stop."""
    p, s = Parameters(STOPS), State()
    s.velocity, s.sliding = side * approach, side * sliding
    pass_stop(p, s, STOP_UPPER if side > 0.0 else STOP_LOWER, 0, 0.0, Work())
    assert s.displacement == (0.25 if side > 0.0 else -0.5)
    assert s.stop_count == strikes
    assert s.stop_impulse == pytest.approx(strikes * 2.0 * 1.5 * max(approach, 0.0))
    assert s.stop_work == pytest.approx(strikes * 0.75 * max(approach, 0.0) ** 2)


@pytest.mark.parametrize("event", [LEAVE_LOWER, LEAVE_UPPER])
def test_a_mass_that_leaves_a_rigid_stop_stays_in_its_place(event):
    p, s = Parameters(STOPS), State()
    s.stop, s.displacement = 1.0, 0.1
    pass_stop(p, s, event, 3, 0.0, Work())
    assert (s.stop, s.zeros_stop, s.displacement, s.stop_count) == (0.0, 5.0, 0.1, 0.0)
