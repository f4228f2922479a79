"""Orbits with impacts: published values and the stability of the models."""

import math
from itertools import pairwise

import mpmath as mp
import pytest

from harness.case.case_file import load_case
from harness.case.shipped import case_file
from wearmodel import FrictionalShock, FrictionalShockParameters

from .impact_cases import (
    bilinear_period,
    contact_without_pull,
    multipliers,
    oscillator_at_a_stop,
    pair_map,
    pair_orbit,
    shaken_table_map,
    steady_vibration,
)

mp.mp.dps = 30
GRAVITY = mp.mpf("9.81")
TABLE = 20 * mp.pi
RISE = GRAVITY * mp.pi / TABLE


def sine(amplitude, omega, phase, order=20):
    """Return the Taylor coefficients of amplitude sin(phase + ω t)."""
    return [
        amplitude * omega**n / math.factorial(n) * math.sin(phase + n * math.pi / 2.0)
        for n in range(order + 1)
    ]


def doubling(rest):
    """Return Γ = aω²/g at which the period-1 orbit of the ball loses its stability."""
    lowest = mp.pi * (1 - rest) / (1 + rest)
    return mp.sqrt(lowest**2 + (2 * (1 + rest**2) / (1 + rest) ** 2) ** 2)


def table_orbit(rest, strength):
    """Return the amplitude of the table and the phase of the impacts of the period-1 orbit."""
    amplitude = strength * GRAVITY / TABLE**2
    return amplitude, mp.acos(RISE * (1 - rest) / (1 + rest) / (amplitude * TABLE))


@pytest.mark.parametrize(
    ("rest", "printed"), [("0.5", 1.52682370051906), ("0.8", 1.07083646824791)]
)
def test_the_ball_doubles_its_period_at_the_multiplier_of_minus_1(rest, printed):
    rest = mp.mpf(rest)
    threshold = doubling(rest)
    assert float(threshold) == pytest.approx(printed, rel=1e-14)
    amplitude, phase = table_orbit(rest, threshold)
    step = shaken_table_map(amplitude, TABLE, rest, GRAVITY)
    largest, other = multipliers(step, phase, RISE)
    # The error of the derivatives is the square of 1e-10 times the curvature of the phase.
    assert abs(largest + 1) < 1e-8
    assert abs(largest * other - rest**2) < 1e-8


@pytest.mark.parametrize(("share", "grows"), [(0.99, False), (1.01, True)])
def test_the_alternation_of_the_ball_decays_below_the_threshold_and_grows_above(share, grows):
    rest = mp.mpf("0.5")
    amplitude, phase = map(float, table_orbit(rest, share * doubling(rest)))
    omega, half, gravity = float(TABLE), math.pi / float(TABLE), float(GRAVITY)
    # The start is in the middle of a flight, with a deviation of 1e-5 m/s.
    gap = 2.0 * amplitude * math.sin(phase) + float(RISE) * half / 2.0
    model = FrictionalShock(
        FrictionalShockParameters(
            mass=1.0,
            gravity=gravity,
            normal_law="rigid",
            restitution=0.5,
            initial_normal_displacement=gap,
            initial_normal_velocity=amplitude * omega * math.cos(phase) + 1e-5,
        )
    )
    impulses = [0.0]
    for step in range(60 * 16):
        angle = phase + math.pi + step * math.pi / 8.0
        model.step_polynomial(
            half / 8.0, base_acceleration_normal=sine(-amplitude * omega**2, omega, angle)
        )
        if step % 16 == 15:
            impulses.append(model.outputs()["impact_impulse"])
    blows = [after - before for before, after in pairwise(impulses)]
    early, late = (abs(blows[at] - blows[at + 1]) for at in (8, 56))
    assert early > 1e-7
    assert (late > 1.3 * early) if grows else (late < 0.7 * early)


def test_the_impact_pair_has_the_printed_impulse_and_a_stable_orbit():
    arguments = mp.mpf("0.01"), 10 * mp.pi, mp.mpf("0.6"), mp.mpf("0.02")
    angle, speed, impulse = pair_orbit(*arguments)
    assert float(impulse) == pytest.approx(1.15523902448, abs=5e-12)
    assert abs(multipliers(pair_map(*arguments), angle + mp.pi, speed)[0]) < 0.61


def test_the_impact_pair_with_little_play_leaves_its_orbit():
    play = mp.mpf("0.01")
    angle, speed, _ = pair_orbit(play, 10 * mp.pi, mp.mpf("0.6"), play)
    step = pair_map(play, 10 * mp.pi, mp.mpf("0.6"), play)
    assert float(abs(multipliers(step, angle + mp.pi, speed)[0])) == pytest.approx(1.66, abs=0.005)


@pytest.mark.parametrize(("change", "impacts"), [(-1e-13, 0), (1e-13, 1)])
def test_the_oscillator_meets_the_stop_only_above_the_grazing_amplitude(change, impacts):
    case = load_case(case_file("grazing_impact"))
    oscillator, _, gap = oscillator_at_a_stop(case)
    grazing = gap * mp.hypot(1 - oscillator.omega**2, 2 * mp.mpf("0.05") * oscillator.omega)
    assert float(grazing) == pytest.approx(0.184390889145857746, rel=1e-15)
    strength = grazing * (1 + mp.mpf(change))
    oscillator.amplitude = -strength
    amplitude, place, speed = steady_vibration(oscillator)
    assert float(amplitude / gap - 1) == pytest.approx(change, rel=1e-2)
    model = FrictionalShock(
        FrictionalShockParameters(
            **{
                **case.parameters,
                "initial_normal_displacement": float(place),
                "initial_normal_velocity": float(speed),
            }
        )
    )
    omega = float(oscillator.omega)
    for step in range(10):
        angle = float(oscillator.phase) + step * math.pi / 4.0
        model.step_polynomial(
            math.pi / 4.0 / omega,
            base_acceleration_normal=sine(float(strength), omega, angle),
        )
    assert model.outputs()["shock_count"] == impacts


def test_the_dashpot_and_the_bilinear_spring_have_the_printed_numbers():
    frequency, ratio, lasts = contact_without_pull(mp.mpf(1), mp.mpf(400), mp.mpf(20))
    assert ratio == 0.5
    assert float(mp.exp(-ratio * frequency * lasts)) == pytest.approx(0.298436059192, abs=5e-13)
    period = bilinear_period(mp.mpf(1), mp.mpf(10), mp.mpf(50))[1]
    assert float(1 / period) == pytest.approx(0.714777535258, abs=5e-13)
