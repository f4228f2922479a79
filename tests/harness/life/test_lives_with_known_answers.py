"""Coverage of the error bar: complete service lives with a known depth over the years.

Further service lives, with other laws and models, are in `test_life.py`. Tests of the extrapolation
alone are in `tests/wearmodel/statistics/test_cycle_jump.py`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.signal import lfilter

from harness.fmu.noise import NoiseSignal
from harness.life import load_life, run_life
from harness.life.life_run import LifeState
from wearmodel.statistics.wear_laws import SECONDS_PER_YEAR
from wearmodel.statistics.worn_shapes import TubeAcrossTube, TubeOnFlatBar

from ...docs.documents import ROOT
from .pads import FORCE, LIFE, MEAN_SPEED, OMEGA, SLOPE, life_file

FLAT = '{ kind = "FLAT", wear_area = 1e-4 }'
COEFFICIENT, AREA = 1e-16, 1e-4


def unloading(mean_speed: float) -> Callable[[float], float]:
    """Return the depth [m] over years of a pad on a spring that slides at a mean speed [m/s]."""
    decay = COEFFICIENT / AREA * SLOPE * mean_speed

    def depth(years: float) -> float:
        return FORCE / SLOPE * -math.expm1(-decay * years * SECONDS_PER_YEAR)

    return depth


def require_honest(
    states: tuple[LifeState, ...],
    exact: Callable[[float], float],
    model_error: float,
    allowed: float = 0.02,
) -> None:
    """Assert that each error bar contains the known depth, except for the error of the inputs."""
    for state in states[1:]:
        want = exact(state.time / SECONDS_PER_YEAR)
        assert abs(state.depth - want) <= state.depth_bar + model_error * want
    # The error bar is not longer than required.
    assert states[-1].depth_bar <= allowed * states[-1].depth


def test_two_motions_unload_a_spring_by_their_mean_speed(tmp_path: Path) -> None:
    service = f"""
[[life.service]]
name = "strong"
fraction = 0.25
[[life.service]]
name = "weak"
fraction = 0.75
parameters = {{ initial_velocity = {0.5 / OMEGA!r} }}
inputs = {{ base_acceleration = {{ amplitude = 0.5 }} }}
"""
    states = run_life(load_life(life_file(tmp_path, LIFE + service))).states
    require_honest(states, unloading((0.25 + 0.75 * 0.25) * MEAN_SPEED), 2e-4)


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "shape"),
    [
        (
            '{ kind = "TUBE_BAV", tube_radius = 0.011, width = 0.02 }',
            TubeOnFlatBar(0.011, 0.02),
        ),
        (
            '{ kind = "TUBE_TUBE", tube_radius = 0.011, inclination = 1e-3, width = 0.02 }',
            TubeAcrossTube(0.011, 0.02, 1e-3),
        ),
    ],
    ids=["TUBE_BAV", "TUBE_TUBE"],
)
def test_a_tube_unloads_a_spring_as_its_scar_deepens(
    tmp_path: Path, text: str, shape: TubeOnFlatBar
) -> None:
    states = run_life(load_life(life_file(tmp_path, LIFE.replace(FLAT, text)))).states
    # V̇ = k (F − c d(V)) v̄ for the volume in mm³, integrated by scipy.
    volumes = solve_ivp(
        lambda t, y: [
            1e9 * COEFFICIENT * SECONDS_PER_YEAR * MEAN_SPEED
            * (FORCE - SLOPE * shape.depth(max(0.0, 1e-9 * y[0])))
        ],
        (0.0, 40.0), [0.0], rtol=1e-9, atol=1e-12, dense_output=True,
    ).sol  # fmt: skip
    require_honest(states, lambda years: shape.depth(1e-9 * float(volumes(years)[0])), 2e-4)


@pytest.mark.long
def test_a_pad_under_noise_unloads_by_the_mean_speed_of_the_noise(tmp_path: Path) -> None:
    band = "rms = 2.0\nlow = 4.0\nhigh = 12.0\nsample_interval = 0.002\nseed = 5"
    file = life_file(
        tmp_path,
        LIFE.replace("relative_error = 0.02", "relative_error = 0.1"),
        ('kind = "sine"\namplitude = 2.0\nfrequency = 5.0', f'kind = "noise"\n{band}'),
        (f"initial_velocity = {2.0 / OMEGA!r}", 'input_timing = "end"\ndamping = 2.0'),
        ("stop_time = 2.0", "stop_time = 40.0"),
    )
    # Without friction v̇ + 2 v = noise. The mean magnitude of a normal process is √(2/π) of its
    # standard deviation, which is computed from one hour.
    noise = NoiseSignal(
        kind="noise", rms=2.0, low=4.0, high=12.0, sample_interval=0.002, seed=77
    ).sample(np.arange(1_800_001) * 0.002)
    speed = lfilter([0.001, 0.001], [1.002, -0.998], noise)  # by the trapezoidal rule
    mean_speed = math.sqrt(2.0 / math.pi) * float(np.std(speed))
    states = run_life(load_life(file)).states
    # An hour contains about 3600 × 8 independent samples of the variance: 0.4 % of the deviation.
    require_honest(states, unloading(mean_speed), 4e-3, allowed=0.1)


@pytest.mark.long
def test_a_shock_spring_wears_free_by_the_exponential(tmp_path: Path) -> None:
    # Compressed by 10 µm with 1e6 N/m, and moved back and forth by 1 mm at 1 Hz.
    file = tmp_path / "spring.toml"
    file.write_text(
        """\
[case]
title = "A shock spring pressed and moved to and fro"
source = "test"
fmu = "DisChoc"

[parameters]
drive = "displacement"
dist_1 = 0.0
contact_stiffness = 1e6
tangential_stiffness = 1e6
friction_coefficient = 0.1

[inputs.imposed_displacement_x]
kind = "constant"
value = -1e-5

[inputs.imposed_displacement_y]
kind = "sine"
amplitude = 1e-3
frequency = 1.0

[experiment]
stop_time = 25.0
step_size = 0.01
"""
        + LIFE.replace("1e-16", "5e-17"),
        encoding="utf-8",
    )
    states = run_life(load_life(file)).states
    # The slip per period is 4 (A − μ F/K_T), because the spring stretches before it slides.
    rate = 5e-17 / AREA

    def depth(years: float) -> float:
        return float(
            solve_ivp(
                lambda t, d: SECONDS_PER_YEAR * rate * (10.0 - 1e6 * d)
                * 4.0 * (1e-3 - 0.1 * (10.0 - 1e6 * d) / 1e6),
                (0.0, years), [0.0], rtol=1e-10, atol=1e-18,
            ).y[0, -1]
        )  # fmt: skip

    require_honest(states, depth, 1e-9)


@pytest.mark.campaign
def test_a_pad_that_hardly_slips_is_known_though_its_first_run_shows_no_wear(
    tmp_path: Path,
) -> None:
    # At first rare slips wear off the force of the spring, until the pad slides. The wear ends at
    # 100 µm, where the spring force is zero.
    text = (ROOT / "examples" / "life_of_a_pad.toml").read_text(encoding="utf-8")
    text = text[: text.index("[[life.service]]")]
    for old, new in (("rms = 4.0", "rms = 0.62"), ("coefficient = 1e-16", "coefficient = 1e-13")):
        assert old in text
        text = text.replace(old, new)
    file = tmp_path / "pad.toml"
    file.write_text(text, encoding="utf-8")
    result = run_life(load_life(file))
    assert result.is_known
    times = [state.time / SECONDS_PER_YEAR for state in result.states]
    # Depths from a separate computation with runs of many hours.
    for years, depth in ((5.0, 5.9e-6), (10.0, 24e-6)):
        known, bar = (
            float(np.interp(years, times, [getattr(state, name) for state in result.states]))
            for name in ("depth", "depth_bar")
        )
        assert abs(known - depth) <= bar
    assert result.first.crossing is not None
    assert result.first.crossing.earliest <= result.first.crossing.time < 20.0 * SECONDS_PER_YEAR
    # The life ends where the whole interval is above the limit of 50 µm.
    last = result.states[-1]
    assert 5e-5 < last.depth_lower <= last.depth <= 1e-4
    assert last.time >= result.first.crossing.latest
