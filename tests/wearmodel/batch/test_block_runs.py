"""Sliding blocks in compiled runs, compared with closed forms at 40 digits.

Tolerances: some thousand roundings in sums over some hundred arcs are below 1e-12 of the peak.
"""

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from wearmodel.batch.block_runs import friction_of_yield, run_blocks
from wearmodel.units import STANDARD_GRAVITY

from .exact_block import exact_block

YIELDS = (0.02, 0.1, 0.25)
WAYS = [
    pytest.param(0.0, False, False, id="level"),
    pytest.param(0.0, False, True, id="level, one way"),
    pytest.param(0.3, False, False, id="slope"),
    pytest.param(0.3, False, True, id="slope, one way"),
    pytest.param(0.3, True, False, id="horizontal"),
    pytest.param(0.3, True, True, id="horizontal, one way"),
]


def noisy(seed: int, count: int = 240) -> NDArray[np.float64]:
    """Return noise with a sine envelope. At a low yield acceleration, slips are soon reversed."""
    noise = np.random.default_rng(seed).standard_normal(count)
    return 0.4 * STANDARD_GRAVITY * noise * np.sin(np.pi * np.arange(count) / count)


@pytest.mark.parametrize(("slope", "horizontal", "one_way"), WAYS)
def test_displacements_are_those_of_the_closed_form(slope, horizontal, one_way):
    times = np.cumsum(np.random.default_rng(7).uniform(0.004, 0.016, 240))
    record = noisy(3)
    runs = run_blocks(YIELDS, times, record, slope=slope, horizontal=horizontal, one_way=one_way)
    assert runs.failures == ()
    assert np.all(runs.peak > 0.0)
    for row, yield_acceleration in enumerate(YIELDS):
        friction = friction_of_yield(yield_acceleration, slope, horizontal=horizontal)
        for column, sign in enumerate((1.0, -1.0)):
            along = sign * record * (math.cos(slope) if horizontal else 1.0)
            across = sign * record * (math.sin(slope) if horizontal else 0.0)
            wanted = exact_block(
                times.tolist(),
                (along + STANDARD_GRAVITY * math.sin(slope)).tolist(),
                (STANDARD_GRAVITY * math.cos(slope) - across).tolist(),
                friction,
                one_way=one_way,
            )
            got = (runs.peak, runs.residual, runs.slid)
            for array, value in zip(got, (wanted.peak, wanted.residual, wanted.slid), strict=True):
                assert abs(array[row, column] - value) <= 1e-12 * wanted.peak


# a(t) = A (1 − t/T) from t = 0 to 2T. With the yield acceleration K, the relative velocity is
# (A − K) t − A t²/(2T). The block stops at 2T (1 − K/A) after (2/3) A T² (1 − K/A)³.
PEAK, HALF = 0.6 * STANDARD_GRAVITY, 0.5


def pulse_displacement(yield_acceleration: float) -> float:
    share = 1.0 - yield_acceleration * STANDARD_GRAVITY / PEAK
    return 2.0 / 3.0 * PEAK * HALF**2 * share**3


@pytest.mark.parametrize(("slope", "horizontal", "one_way"), WAYS)
def test_a_pulse_moves_the_block_by_its_closed_form(slope, horizontal, one_way):
    yields = (0.1, 0.3, 0.5)
    runs = run_blocks(
        yields,
        [0.0, 2.0 * HALF, 2.0 * HALF + 1e-9],
        [PEAK, -PEAK, 0.0],
        slope=slope,
        horizontal=horizontal,
        one_way=one_way,
    )
    for row, yield_acceleration in enumerate(yields):
        friction = friction_of_yield(yield_acceleration, slope, horizontal=horizontal)
        # ü = (cos β + μ sin β)(a − k_y g) if a is horizontal.
        lever = math.cos(slope) + friction * math.sin(slope) if horizontal else 1.0
        wanted = lever * pulse_displacement(yield_acceleration)
        if one_way:
            assert runs.residual[row, 0] == pytest.approx(wanted, rel=1e-13)
        # With slip in both directions, it slides back, on level ground at least as far.
        assert runs.peak[row, 0] >= wanted * (1.0 - 1e-13)


def test_a_yield_on_a_slope_is_where_slip_begins():
    slope = 0.4
    assert friction_of_yield(0.2, slope, horizontal=True) == pytest.approx(
        math.tan(slope + math.atan(0.2)), rel=1e-15
    )
    for horizontal in (False, True):
        for share, slips in ((0.9999, False), (1.0001, True)):
            record = np.array([0.0, share * 0.2 * STANDARD_GRAVITY, 0.0])
            runs = run_blocks([0.2], 0.5, record, slope=slope, horizontal=horizontal)
            assert bool(runs.peak[0, 0] > 0.0) is slips
            assert runs.peak[0, 1] == 0.0


def test_the_other_polarity_mirrors_a_level_block():
    runs = run_blocks(YIELDS, 0.01, noisy(5))
    assert np.array_equal(runs.peak[:, 0], runs.peak[:, 1])
    assert np.array_equal(runs.residual[:, 0], -runs.residual[:, 1])


def test_one_way_never_slips_upslope():
    runs = run_blocks(YIELDS, 0.01, noisy(5), one_way=True)
    assert np.array_equal(runs.residual, runs.peak)
    assert np.array_equal(runs.slid, runs.peak)


def test_a_block_that_has_not_stopped_is_told():
    runs = run_blocks([0.1], 0.1, [STANDARD_GRAVITY] * 3)
    assert runs.still_sliding.all()


@pytest.mark.hosts
@pytest.mark.native
def test_interpreted_runs_have_the_same_bits(run_program):
    program = (
        "import numpy as np\n"
        "from wearmodel.batch.block_runs import run_blocks\n"
        "record = 4.0 * np.sin(np.arange(200) * 0.37) * np.sin(np.arange(200) * 0.05)\n"
        "runs = run_blocks([0.05, 0.2], 0.01, record, slope=0.2, horizontal=True)\n"
        "print(runs.peak.tobytes().hex(), runs.residual.tobytes().hex())\n"
    )
    assert run_program(program) == run_program(program, WEARFMU_INTERPRETED="1")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"yields": [0.0]}, r"yield_acceleration=0\.0 g must be > 0"),
        ({"yields": [-0.1]}, r"yield_acceleration=-0\.1 g must be > 0"),
        ({"slope": -0.1}, r"slope=-0\.1 rad must be ≥ 0"),
        ({"slope": 1.6}, r"slope=1\.6 rad must be ≥ 0 and < π/2"),
        ({"slope": 1.5, "horizontal": True}, r"yield_acceleration=0\.1 g: on a slope of 1\.5 rad"),
        ({"record": [1.0, math.nan]}, r"acceleration\[1\]=nan m/s2 must be finite"),
        ({"record": [1.0]}, "samples"),
    ],
    ids=str,
)
def test_what_makes_no_block_is_refused(given, message):
    options = {"slope": 0.0, "horizontal": False, **given}
    yields = options.pop("yields", [0.1])
    record = options.pop("record", [0.0, 1.0])
    with pytest.raises(ValueError, match=message):
        run_blocks(yields, 0.01, record, **options)  # type: ignore[arg-type]
