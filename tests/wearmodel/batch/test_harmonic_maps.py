"""Claims about maps of the wear power: the closed form's numbers, for arrays, fast or not."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

import numpy as np
import pytest
from mpmath import mp, mpf
from numpy.typing import NDArray

from wearmodel import FrictionalShock, FrictionalShockParameters
from wearmodel.batch import harmonic_maps
from wearmodel.batch.harmonic_maps import harmonic_wear_powers
from wearmodel.compiled.run_library import Runs, run_source, runs_of
from wearmodel.kernel.rubbing.arcs import next_reversal
from wearmodel.kernel.rubbing.wear_powers import exact_product, quarter_phase
from wearmodel.reference.closed_forms import ETA_STAR, RubbingShoe

SDND104 = asdict(RubbingShoe())
# What `harmonic_wear_powers` says of windows that hold a whole slip; the goal was 1e-10.
RELATIVE = 1e-13


def random_cases(count: int) -> dict[str, NDArray[np.float64]]:
    """The cases of the speed goal; 18 % stick, 17 % stick and slip, the rest turn round."""
    generator = np.random.default_rng(7)
    return {
        "amplitude": np.exp(generator.uniform(np.log(0.5), np.log(20.0), count)),
        "angular_frequency": 2.0 * np.pi * generator.uniform(0.5, 2.0, count),
        "friction_coefficient": generator.uniform(0.05, 0.15, count),
    }


def closed_form(window: tuple[float, float], **values: float) -> float:
    return RubbingShoe(**values).mean_wear_power(*window)


# 30 digits, event by event, as in the closed form's own test; 15 of them, so that the last one's
# half is 3e-15, beside which some tens of roundings are 1e-14.
@pytest.mark.parametrize(
    ("amplitude", "stop", "power"),
    [
        pytest.param(15.0, 12.0, 15.2670995893716, id="a15_whole_periods"),
        pytest.param(1.5, 12.0, 0.409062451015709, id="a1p5_whole_periods"),
        pytest.param(15.0, 11.99, 15.2575217939436, id="a15_cut_arc"),
        pytest.param(1.5, 11.99, 0.409103132863511, id="a1p5_cut_arc"),
    ],
)
def test_mean_wear_power_of_sdnd104(amplitude: float, stop: float, power: float) -> None:
    got = harmonic_wear_powers(**{**SDND104, "amplitude": amplitude}, window=(4.0, stop))
    assert got.shape == ()
    assert got == pytest.approx(power, rel=1e-14, abs=0)


def test_random_cases_have_the_closed_form_s_power() -> None:
    cases = random_cases(600)
    window = (4.0, 12.0)
    got = harmonic_wear_powers(mass=1.3, gravity=10.0, **cases, window=window)
    rows = zip(*cases.values(), strict=True)
    want = [
        closed_form(window, mass=1.3, gravity=10.0, **dict(zip(cases, row, strict=True)))
        for row in rows
    ]
    np.testing.assert_allclose(got, want, rtol=RELATIVE, atol=0)


EDGES = {
    "eta_1": 1.0,
    "eta_1_minus_1e-6": 1.0 - 1e-6,
    "eta_1_minus_1e-12": 1.0 - 1e-12,
    "eta_star_plus_1e-9": ETA_STAR * (1.0 + 1e-9),
    "eta_star_minus_1e-9": ETA_STAR * (1.0 - 1e-9),
    "eta_1e-2": 1e-2,
    "eta_1e-4": 1e-4,
    "eta_1e-7": 1e-7,
    "eta_1e-12": 1e-12,
}


@pytest.mark.parametrize("eta", EDGES.values(), ids=EDGES.keys())
@pytest.mark.parametrize(
    "window", [(0.0, 3.3), (4.0, 12.0), (0.7, 1.4), (2.19, 2.34), (1000.0, 1001.3)], ids=str
)
def test_edges_of_the_regimes_and_cut_slips(eta: float, window: tuple[float, float]) -> None:
    values = {**SDND104, "amplitude": 1.0 / eta}
    shoe = RubbingShoe(**values)
    # Where the window only cuts a slip, 1e-14 of the whole slip, as `harmonic_wear_powers` says.
    tolerance = RELATIVE * shoe.mean_wear_power(*window) + 1e-14 * shoe.steady_wear_power
    got = harmonic_wear_powers(**values, window=window)
    assert abs(got - shoe.mean_wear_power(*window)) <= tolerance


def kernel_power(amplitude: float, frequency: float, window: tuple[float, float]) -> float:
    """Mean wear power by the event-exact kernel, driven by the sine's Taylor polynomials."""
    model = FrictionalShock(FrictionalShockParameters())
    step = 0.125
    before = 0.0
    for instant in range(round(window[1] / step)):
        if instant == round(window[0] / step):
            before = model.outputs()["wear_work"]
        phase = frequency * instant * step
        # (ω h)²¹/21! < 1e-17 for ω h ≤ 1
        sine = [
            amplitude * math.sin(phase + 0.5 * math.pi * j) * frequency**j / math.factorial(j)
            for j in range(21)
        ]
        model.step_polynomial(step, base_acceleration=sine)
    return (model.outputs()["wear_work"] - before) / (window[1] - window[0])


@pytest.mark.parametrize("amplitude", [1.01, 1.2, 1.8, 1.9, 3.0, 15.0])
@pytest.mark.parametrize("frequency", [4.0, 2.0 * math.pi], ids="omega_{:.2f}".format)
def test_the_kernel_finds_the_same_power(amplitude: float, frequency: float) -> None:
    window = (4.0, 12.0)
    shoe = {**SDND104, "amplitude": amplitude, "angular_frequency": frequency}
    got = harmonic_wear_powers(**shoe, window=window)
    # The phases, up to 75 rad, are rounded to 1e-14; at 1.01 the distance to the cone is 1e-2
    # of the terms that it is the difference of.
    assert got == pytest.approx(kernel_power(amplitude, frequency, window), rel=1e-12, abs=0)


def test_neighbours_threads_and_order_change_rounding_only() -> None:
    # More than a chunk, so that two threads have work.
    cases = random_cases(20_000)
    fixed: dict[str, Any] = {"mass": 1.0, "gravity": 10.0, "window": (4.0, 12.0)}
    whole = harmonic_wear_powers(**fixed, **cases, threads=1)
    threaded = harmonic_wear_powers(**fixed, **cases, threads=2)
    np.testing.assert_array_equal(threaded, whole)
    shuffle = np.random.default_rng(2).permutation(20_000)
    shuffled = harmonic_wear_powers(**fixed, **{k: v[shuffle] for k, v in cases.items()})
    np.testing.assert_allclose(shuffled, whole[shuffle], rtol=RELATIVE, atol=0)


@pytest.mark.hosts
@pytest.mark.native
def test_compiled_and_interpreted_maps_agree_to_the_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    cases = random_cases(1000)
    fixed: dict[str, Any] = {"mass": 1.0, "gravity": 10.0, "window": (4.0, 12.0)}
    compiled = harmonic_wear_powers(**fixed, **cases)
    assert runs_of("RubbingShoe").is_compiled
    source = run_source("RubbingShoe")
    monkeypatch.setattr(harmonic_maps, "runs_of", lambda name: Runs(source, None))
    np.testing.assert_array_equal(harmonic_wear_powers(**fixed, **cases), compiled)


def test_parameters_broadcast() -> None:
    got = harmonic_wear_powers(
        mass=[[1.0], [2.0]],
        gravity=10.0,
        friction_coefficient=0.1,
        amplitude=[1.5, 3.0, 15.0],
        angular_frequency=2.0 * math.pi,
        window=(0.0, 5.0),
    )
    assert got.shape == (2, 3)
    np.testing.assert_array_equal(got[1], 2.0 * got[0])
    empty = harmonic_wear_powers(**{**SDND104, "amplitude": []}, window=(0.0, 1.0))
    assert empty.shape == (0,)


@pytest.mark.parametrize("eta", [1e-8, 1e-4, 1e-2, 0.1, 0.3, 0.5, ETA_STAR])
def test_reversals_are_roots_to_rounding_along_the_whole_chain(eta: float) -> None:
    lag, sine = -math.acos(eta), -math.sqrt((1.0 - eta) * (1.0 + eta))
    for _ in range(60):
        following, next_sine, next_cosine = next_reversal(lag, sine, eta)
        with mp.workdps(40):
            wanted = -mpf(sine) - mpf(eta) * (mp.pi - mpf(lag))
            residual = float(mp.sin(following) + mpf(eta) * mpf(following) - wanted)
            # Rounding of the right-hand side, of sizes up to 1 + π η, and of y.
            assert abs(residual) <= 2e-15
            assert next_sine == pytest.approx(float(mp.sin(following)), rel=0, abs=1e-15)
            assert next_cosine == pytest.approx(float(mp.cos(following)), rel=0, abs=1e-15)
        assert abs(following) < 0.5 * math.pi
        lag, sine = following, next_sine


@pytest.mark.parametrize("time", [0.3, 12.0, 1e3, 2.6e5])
@pytest.mark.parametrize("frequency", [0.1, 2.0 * math.pi, 6.3])
def test_phases_are_reduced_to_rounding(frequency: float, time: float) -> None:
    quarters, rest = quarter_phase(frequency, time)
    with mp.workdps(40):
        want = mpf(frequency) * mpf(time) - quarters * mp.pi / 2
        assert abs(float(rest - want)) <= 1.2e-16  # half a unit in the last place of π/4, and half
    assert abs(rest) <= 0.25 * math.pi * (1.0 + 1e-9)
    product, error = exact_product(frequency, time)
    with mp.workdps(40):
        assert mpf(product) + mpf(error) == mpf(frequency) * mpf(time)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"amplitude": [1.0, -2.0]}, r"amplitude=-2.0 m/s2 must be > 0 and finite"),
        ({"friction_coefficient": 0.0}, r"friction_coefficient=0.0 must be > 0"),
        ({"angular_frequency": math.inf}, r"angular_frequency=inf rad/s must be > 0"),
        ({"window": (4.0, 4.0)}, r"window=\[4.0, 4.0\] s must have 0 ≤ start < stop"),
        ({"window": (0.0, 1e6)}, r"window stop=1000000.0 s must be ≤ 262144 periods"),
        ({"amplitude": [1.0, 2.0], "mass": [1.0] * 3}, r"shapes must broadcast together: mass \(3"),
    ],
)
def test_wrong_arguments_are_refused(changes: dict[str, Any], message: str) -> None:
    values = {**SDND104, "window": (4.0, 12.0)}
    with pytest.raises(ValueError, match=message):
        harmonic_wear_powers(**{**values, **changes})
