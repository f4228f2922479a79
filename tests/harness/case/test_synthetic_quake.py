"""The synthetic record: its file, its spectrum, and its wear compared with arcs in closed form.

The reference is independent of the kernel. For linearly interpolated input, the slip velocity is a
parabola and the friction cone is a straight line in each sampling interval. Onset, arrest and
reversal are roots of polynomials of at most second degree. The wear is a polynomial of degree four.
"""

import math
import runpy
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.polynomial import Polynomial
from numpy.typing import NDArray
from scipy.signal import welch

from harness import load_case
from harness.case.shipped import shipped_cases
from wearmodel import FrictionalShock, FrictionalShockParameters
from wearmodel.batch.record_runs import run_records

CASE = shipped_cases()["synthetic_quake"]
REFERENCE = Path(__file__).parent / "references" / "synthetic_quake.py"
FRICTION, GRAVITY = 0.15, 9.80665
# An acceleration below this limit at an onset is the rounding of zero.
ROUNDING = 1e-12


@dataclass
class Arcs:
    """Displacement, slip and wear of a mass of 1 kg that is held by friction only."""

    velocity: float = 0.0
    direction: int = 0
    displacement: float = 0.0
    distance: float = 0.0
    wear_work: float = 0.0
    slips: int = 0

    def cross(self, along: Polynomial, pressure: Polynomial, length: float) -> None:
        """Cross an interval in which A and g + A_n of the support are straight lines."""
        start = 0.0
        while start < length:
            shift = Polynomial([start, 1.0])
            a, n, left = along(shift), pressure(shift), length - start
            if self.direction == 0:
                start += self._stick(a, n, left)
            else:
                start += self._slip(a, n, left)

    def _stick(self, a: Polynomial, n: Polynomial, left: float) -> float:
        exits = [
            (root, -sign)
            for sign in (1, -1)
            for root in [_falls_below_zero(FRICTION * n - sign * a, left)]
            if root is not None
        ]
        if not exits:
            return left
        instant, self.direction = min(exits)
        self.slips += 1
        return instant

    def _slip(self, a: Polynomial, n: Polynomial, left: float) -> float:
        s = self.direction
        acceleration = -a - s * FRICTION * n
        if self.velocity == 0.0 and abs(acceleration(0.0)) < ROUNDING:
            acceleration = Polynomial([0.0, *acceleration.coef[1:]])
        velocity = acceleration.integ(k=self.velocity)
        ends = [
            root.real
            for root in velocity.roots()
            if abs(root.imag) == 0.0 and 0.0 < root.real <= left and root.real > ROUNDING
        ]
        span = min(ends, default=left)
        path = velocity.integ()(span)
        self.displacement += path
        self.distance += s * path
        self.wear_work += s * (n * velocity).integ()(span)
        self.velocity = velocity(span)
        if ends:
            self.velocity, self.direction = 0.0, 0
            if abs(a(span)) > FRICTION * n(span):
                self.direction = -int(math.copysign(1.0, a(span)))
                self.slips += 1
        return span


def _falls_below_zero(line: Polynomial, left: float) -> float | None:
    value, slope = line(0.0), line.deriv()(0.0)
    if value < -ROUNDING:
        return 0.0
    if slope >= 0.0 or -value / slope >= left:
        return None
    return max(0.0, -value / slope)


@pytest.fixture(scope="module")
def samples() -> NDArray[np.float64]:
    """Return the columns time, acceleration and normal acceleration."""
    table = np.loadtxt(CASE.parent / "acceleration.csv", delimiter=",", skiprows=1)
    return np.ascontiguousarray(table.T)


@pytest.fixture(scope="module")
def arcs(samples: NDArray[np.float64]) -> Arcs:
    return arcs_under(samples)


def arcs_under(samples: NDArray[np.float64]) -> Arcs:
    times, along, normal = samples
    arcs = Arcs()
    for k, length in enumerate(np.diff(times)):
        lines = [
            Polynomial([column[k], (column[k + 1] - column[k]) / length])
            for column in (along, GRAVITY + normal)
        ]
        arcs.cross(*lines, float(length))
    return arcs


def test_the_script_writes_the_file_that_is_shipped():
    script = runpy.run_path(str(REFERENCE))
    shipped = (CASE.parent / "acceleration.csv").read_text(encoding="utf-8")
    assert len(shipped) < 200_000
    assert script["text"]() == shipped


def test_the_file_has_the_spectrum_that_its_script_states(samples):
    script = runpy.run_path(str(REFERENCE))
    times, along, _ = samples
    strong = (times >= script["RISE_END"]) & (times <= script["PLATEAU_END"])
    step = script["STEP"]
    frequencies, density = welch(along[strong], 1.0 / step, nperseg=256)
    wanted = np.array([script["spectrum"](2.0 * math.pi * f) for f in frequencies])
    # Energies in bands relative to the whole. Eight averaged windows have a scatter of about a
    # third of the energy of a band. The smallest band has about 5 % of the energy.
    for low, high in ((0.5, 2.0), (2.0, 4.0), (4.0, 8.0), (8.0, 25.0)):
        band = (frequencies >= low) & (frequencies < high)
        whole = (frequencies >= 0.5) & (frequencies < 25.0)
        got = density[band].sum() / density[whole].sum()
        want = wanted[band].sum() / wanted[whole].sum()
        assert got == pytest.approx(want, abs=0.12), (low, high)
    assert density[frequencies > 30.0].sum() < 1e-3 * density.sum()


def test_the_case_expects_what_the_arcs_give(arcs):
    wanted = {
        (one.quantity, one.variables[0]): one.value for one in load_case(CASE).expectations
    }  # fmt: skip
    # The case file has 15 digits. On another machine the sums over 4000 intervals can have other
    # rounding errors of 2⁻⁵² each. Slips of both signs cancel to a tenth in the displacement.
    assert wanted[("value", "wear_work")] == pytest.approx(arcs.wear_work, rel=1e-12)
    assert wanted[("value", "sliding_distance")] == pytest.approx(arcs.distance, rel=1e-12)
    assert wanted[("value", "relative_displacement")] == pytest.approx(arcs.displacement, rel=1e-12)
    assert wanted[("value", "slip_count")] == arcs.slips


def test_the_model_under_straight_lines_gives_the_arcs(arcs, samples):
    times, along, normal = samples
    runs = run_records(
        FrictionalShockParameters(friction_coefficient=FRICTION, gravity=GRAVITY),
        times,
        base_acceleration=along,
        base_acceleration_normal=normal,
    )
    # Both are exact except for the rounding of 4000 intervals, 2⁻⁵² each.
    assert runs.final["wear_work"] == pytest.approx(arcs.wear_work, rel=1e-12)
    assert runs.final["slip_count"] == arcs.slips


def stepped(samples: NDArray[np.float64], timing: str, order: int = -1) -> FrictionalShock:
    """Step the model through the samples, one step per sampling interval, as a master does."""
    times, along, normal = samples
    model = FrictionalShock(
        FrictionalShockParameters(
            friction_coefficient=FRICTION,
            gravity=GRAVITY,
            input_timing=timing,
            input_extrapolation_order=order,
        ),
        base_acceleration=float(along[0]),
        base_acceleration_normal=float(normal[0]),
    )
    lead = timing == "end"
    for index, size in enumerate(np.diff(times).tolist()):
        model.step(size, float(along[index + lead]), float(normal[index + lead]))
    return model


def rough_quake(seed: int) -> NDArray[np.float64]:
    """Return ten seconds of noise that changes strongly from sample to sample, every 10 ms."""
    rng = np.random.default_rng(seed)
    noise = np.apply_along_axis(
        np.convolve, 1, rng.standard_normal((2, 1001)), np.hanning(5)[1:-1], mode="same"
    )
    rise = np.minimum(1.0, np.arange(1001) / 100.0)
    return np.array([np.arange(1001) * 1e-2, 1.5 * rise * noise[0], 0.8 * rise * noise[1]])


def test_a_quake_at_its_own_step_is_exact_with_values_of_the_steps_end(arcs, samples):
    # The tolerance is as above. The measured error is 2e-16.
    outputs = stepped(samples, "end").outputs()
    assert outputs["wear_work"] == pytest.approx(arcs.wear_work, rel=1e-12)
    assert outputs["sliding_distance"] == pytest.approx(arcs.distance, rel=1e-12)
    assert outputs["slip_count"] == arcs.slips
    # With extrapolated input, the error of the same steps is larger.
    extrapolated = stepped(samples, "start", 2).outputs()["wear_work"]
    assert abs(extrapolated / arcs.wear_work - 1.0) > 1e-3


@pytest.mark.long
@pytest.mark.parametrize("seed", range(8))
def test_rough_quakes_at_their_own_step_are_exact_with_values_of_the_steps_end(seed):
    quake = rough_quake(seed)
    arcs = arcs_under(quake)
    assert arcs.slips > 20
    assert stepped(quake, "end").outputs()["wear_work"] == pytest.approx(arcs.wear_work, rel=1e-12)
