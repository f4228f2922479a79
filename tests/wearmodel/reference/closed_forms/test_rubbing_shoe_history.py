"""Arcs, events and histories of the rubbing shoe."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

from wearmodel.reference.closed_forms import (
    ETA_STAR,
    Regime,
    RubbingShoe,
    RubbingShoeHistory,
)

AMPLITUDES = {
    "a15": 15.0,
    "a1p5": 1.5,
    "a1p01": 1.01,
    "a0p99": 0.99,
    "eta_1_minus_1e-6": 1.0 / (1.0 - 1e-6),
    "eta_star_plus_1e-9": 1.0 / (ETA_STAR * (1.0 + 1e-9)),
    "eta_star_minus_1e-9": 1.0 / (ETA_STAR * (1.0 - 1e-9)),
}
UNTIL = 6.3


@pytest.fixture(params=AMPLITUDES.values(), ids=AMPLITUDES.keys())
def history(request: pytest.FixtureRequest) -> RubbingShoeHistory:
    shoe = RubbingShoe(amplitude=request.param)
    return RubbingShoeHistory(shoe, UNTIL)


def assert_same_arcs(history: RubbingShoeHistory, reference_shoe: type) -> None:
    want = reference_shoe(history.shoe, history.until).arcs
    assert [arc.direction for arc in history.arcs] == [arc.direction for arc in want]
    period = 2.0 * math.pi / history.shoe.angular_frequency
    for arc, reference in zip(history.arcs, want, strict=True):
        # The required accuracy is 1e-12. It is relative to the first arrest or reversal or later.
        assert arc.start == pytest.approx(float(reference.start), rel=1e-12, abs=0)
        stop = min(reference.stop, mpf(history.until))
        assert arc.stop == pytest.approx(float(stop), rel=1e-12, abs=0)
        speed = history.shoe.amplitude * period / (2.0 * math.pi)
        assert abs(arc.start_velocity - float(reference.start_velocity)) <= 1e-12 * speed


def test_arcs_are_those_of_the_forces_event_by_event(history, reference_shoe):
    assert_same_arcs(history, reference_shoe)


@pytest.mark.long
@settings(max_examples=60, deadline=None)
@given(
    # Near the limits of the regimes, stick or slip would last less than 1e-12 of a period. The
    # reference then contains an arc that the times of the library cannot resolve.
    eta=st.floats(1e-3, 1.1).filter(lambda eta: min(abs(eta - ETA_STAR), abs(eta - 1.0)) > 1e-12),
    gravity=st.floats(0.5, 20.0),
    angular_frequency=st.floats(0.1, 100.0),
)
def test_arcs_are_right_for_any_parameters(eta, gravity, angular_frequency, reference_shoe):
    # Slip-slip never sticks again, and stick-slip sticks in every half period. The library derives
    # this from η, and the reference from the forces at the end of each slip.
    shoe = RubbingShoe(3.0, gravity, 0.2, 0.2 * gravity / eta, angular_frequency)
    assert_same_arcs(RubbingShoeHistory(shoe, 30.0 / angular_frequency), reference_shoe)


def test_vertices_lie_on_the_velocity_of_the_support(history):
    times, velocities = history.velocity_vertices
    speed = history.shoe.amplitude / history.shoe.angular_frequency
    # Times are rounded by up to 1e-15 s, which is at most 1e-14 rad.
    want = -speed * np.cos(history.shoe.angular_frequency * times)
    np.testing.assert_allclose(velocities, want, rtol=0, atol=1e-14 * speed)
    assert len(times) == len(history.arcs) - 1


def test_velocity_of_slip_slip_is_the_broken_line_through_its_vertices():
    history = RubbingShoeHistory(RubbingShoe(), UNTIL)
    vertex_times, vertex_velocities = history.velocity_vertices
    # The slope is the acceleration by friction: ±μ g = ±1 m/s2.
    slopes = np.diff(vertex_velocities) / np.diff(vertex_times)
    np.testing.assert_allclose(np.abs(slopes), 1.0, rtol=1e-13)


def test_events_are_of_the_kinds_of_the_regime(history):
    onsets, arrests, reversals = (
        len(history.onset_times),
        len(history.arrest_times),
        len(history.reversal_times),
    )
    # In 6.3 s, a slip starts in each of 13 half periods (at 6.25 s and before). The last slip of
    # stick-slip stops within this time only near η = 1.
    if history.shoe.regime is Regime.STICK:
        assert (onsets, arrests, reversals) == (0, 0, 0)
    elif history.shoe.regime is Regime.SLIP_SLIP:
        assert (onsets, arrests, reversals) == (1, 0, 12)
    else:
        arrested = 13 if history.arcs[-1].direction == 0 else 12
        assert (onsets, arrests, reversals) == (13, arrested, 0)


def test_reversals_tend_to_theta():
    shoe = RubbingShoe()
    reversals = RubbingShoeHistory(shoe, 200.0).reversal_times
    distance = np.abs((reversals - shoe.steady_reversal_time + 0.25) % 0.5 - 0.25)
    # After 400 reversals, the deviation has decreased by 0.87^400. Times are rounded to 3e-14.
    assert distance[0] > 0.1
    assert distance[-1] <= 1e-13
    assert np.all(np.diff(distance[:100]) < 0.0)


def test_energy_closes(history, reference_shoe):
    # In the fixed frame, the base does the work F ΔX in slip. Of this, F Δx becomes kinetic energy,
    # with the constant acceleration −s μ g. The rest is friction work, which is zero in stick.
    shoe = history.shoe
    reference = reference_shoe(shoe, UNTIL)
    limit = shoe.friction_coefficient * shoe.normal_force
    dissipated = []
    for arc in history.arcs:
        with mp.workdps(50):
            support = reference.displacement(mpf(arc.stop)) - reference.displacement(mpf(arc.start))
            # Slip starts at the velocity of the base, also at the rounded time.
            velocity = float(reference.velocity(mpf(arc.start)))
        duration = arc.stop - arc.start
        speed = velocity - 0.5 * arc.direction * limit / shoe.mass * duration
        dissipated.append(-arc.direction * limit * (float(support) - speed * duration))
    # Rounding of the terms, which are of size m (a0/ω)², over some tens of arcs.
    scale = shoe.mass * (shoe.amplitude / shoe.angular_frequency) ** 2
    assert shoe.friction_work(0.0, UNTIL) == pytest.approx(
        math.fsum(dissipated), rel=0, abs=1e-14 * scale
    )


def test_bad_instants_are_refused():
    with pytest.raises(ValueError, match=r"^until=0\.0 s must be > 0 and finite$"):
        RubbingShoeHistory(RubbingShoe(), 0.0)
