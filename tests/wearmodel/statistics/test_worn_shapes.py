"""Worn shapes compared with numerical integration and with published values of EDF's operator."""

import math
from collections.abc import Callable

import mpmath
import pytest
from scipy.integrate import quad

from wearmodel.statistics.wear_laws import EdfMz
from wearmodel.statistics.worn_shapes import (
    SHAPES,
    CrownedPad,
    FlatPad,
    RodInGuide,
    TubeAcrossTube,
    TubeInHole,
    TubeOnFlatBar,
    TubeOnFourLands,
    TubeOnThreeLands,
    WornShape,
    sector_depth,
)

# Rounding of a few operations.
ROUNDING = 1e-14
# The operator's tests use years of 365 days and months of 1/12 year.
YEAR, MONTH = 31_536_000.0, 2_628_000.0
POWER = 0.5  # W

DEGREE = math.pi / 180.0


@pytest.mark.parametrize(
    ("depth", "published"),
    [
        pytest.param(
            TubeOnFlatBar(1.0, 10.0).operator_depth(EdfMz().worn_volume(POWER, 2 * YEAR)),
            1.77037693409e-5,
            id="TUBE_BAV",
        ),
        pytest.param(
            # The bar wears by the same volume.
            0.5 * TubeOnFlatBar(1.0, 10.0).operator_depth(2 * EdfMz().worn_volume(POWER, 2 * YEAR)),
            1.40514910377e-5,
            id="TUBE_BAV-equal-obstacle",
        ),
        pytest.param(
            TubeOnFlatBar(1.0, 10.0, 1.0 * DEGREE).operator_depth(7.1e-15 * POWER * 12 * MONTH),
            3.67586404898e-4,
            id="TUBE_BAV-inclined",
        ),
        pytest.param(
            TubeInHole(1.0, 10.0).depth(1.6e-13 * POWER * 2 * YEAR),
            8.03057645655e-8,
            id="TUBE_ALESAGE-even",
        ),
        pytest.param(
            TubeInHole(1.0, 10.0, hole_radius=2.0).depth(1e-10 * POWER * 12 * MONTH),
            9.56453382969e-4,
            id="TUBE_ALESAGE",
        ),
        pytest.param(
            TubeInHole(1.0, 10.0, 1.0 * DEGREE, 2.0).operator_depth(1e-10 * POWER * YEAR),
            0.0119397491217,
            id="TUBE_ALESAGE-inclined",
        ),
        pytest.param(
            TubeOnFourLands(1.0, 10.0, 0.0, 2.0, 3.0 * DEGREE).depth(6.5e-14 * POWER * 365 * 86400),
            1.13884161692e-5,
            id="TUBE_4_ENCO",
        ),
        pytest.param(
            TubeAcrossTube(1.0, 10.0, 7.0 * DEGREE).operator_depth(1.8e-13 * POWER * YEAR),
            2.91745602948e-3,
            id="TUBE_TUBE",
        ),
    ],
)
def test_the_operators_own_figures_are_met(depth, published):
    # The published values were verified to 1e-6 or better.
    assert depth == pytest.approx(published, rel=1e-6)


def _outside(radius: float, hole_radius: float, depth: float) -> float:
    """Return the area of a circle outside a hole, integrated over the common chord."""
    with mpmath.workdps(30):
        r, o, d = mpmath.mpf(radius), mpmath.mpf(hole_radius), mpmath.mpf(depth)
        c = o - r + d
        x = mpmath.sqrt(r * r - ((o * o - r * r - c * c) / (2 * c)) ** 2)
        return float(
            2
            * mpmath.quad(
                lambda y: c + mpmath.sqrt(r * r - y * y) - mpmath.sqrt(o * o - y * y),
                mpmath.linspace(0, x, 4),
            )
        )


def _below_chord(radius: float, depth: float) -> float:
    with mpmath.workdps(30):
        r, d = mpmath.mpf(radius), mpmath.mpf(depth)
        x = mpmath.sqrt(d * (2 * r - d))
        area = mpmath.quad(lambda y: mpmath.sqrt(r * r - y * y) - (r - d), mpmath.linspace(0, x, 4))
        return float(2 * area)


def _bar(depth: float) -> float:
    return _below_chord(0.011, depth)


def _hole(depth: float) -> float:
    return _outside(0.011, 0.0113, depth)


def _land(depth: float) -> float:
    # Half of the lune on the land, and a triangle of height d and angle ψ on the flank.
    flank, _ = quad(lambda y: depth - y / math.tan(0.1), 0.0, depth * math.tan(0.1))
    return 0.5 * _hole(depth) + flank


_SECTIONS: list[tuple[WornShape, Callable[[float], float], int]] = [
    (TubeOnFlatBar(0.011, 0.02), _bar, 1),
    (TubeInHole(0.011, 0.02, hole_radius=0.0113), _hole, 2),
    (RodInGuide(0.011, 0.02, hole_radius=0.0113), _hole, 1),
    (TubeOnThreeLands(0.011, 0.02, 0.0, 0.0113, 0.1), _land, 1),
    (TubeOnFourLands(0.011, 0.02, 0.0, 0.0113, 0.1), _land, 2),
]


@pytest.mark.parametrize("depth", [1e-8, 1e-6, 1e-4, 2e-3], ids="{}m".format)
@pytest.mark.parametrize(
    ("shape", "section", "scars"), _SECTIONS, ids=[s[0].operator_name for s in _SECTIONS]
)
def test_volume_is_the_integral_of_the_section(shape, section, scars, depth):
    want = scars * 0.02 * section(depth)
    assert shape.volume(depth) == pytest.approx(want, rel=1e-10)
    assert shape.depth(want) == pytest.approx(depth, rel=1e-10)


@pytest.mark.parametrize("depth", [1e-6, 4e-5, 3e-4], ids=["runs-out", "runs-off", "deep"])
@pytest.mark.parametrize(
    ("shape", "section", "scars"),
    [
        pytest.param(TubeOnFlatBar(0.011, 0.02, 1e-3), _bar, 1, id="TUBE_BAV"),
        pytest.param(TubeInHole(0.011, 0.02, 1e-3, 0.0113), _hole, 2, id="TUBE_ALESAGE"),
        pytest.param(TubeOnThreeLands(0.011, 0.02, 1e-3, 0.0113, 0.1), _land, 1, id="TUBE_3_ENCO"),
    ],
)
def test_an_inclined_scar_is_the_integral_along_the_contact(shape, section, scars, depth):
    end = min(0.02, depth / 1e-3)
    # The substitution z = end − x² makes the integrand smooth at the end of the scar.
    along, _ = quad(
        lambda x: 2.0 * x * section(max(depth - 1e-3 * (end - x * x), 1e-300)),
        0.0,
        math.sqrt(end),
        epsabs=0.0,
        epsrel=1e-11,
    )
    assert shape.volume(depth) == pytest.approx(scars * along, rel=1e-10)
    assert shape.depth(scars * along) == pytest.approx(depth, rel=1e-10)


def test_the_operators_parabola_tends_to_the_circle_for_thin_scars():
    shape = TubeOnFlatBar(0.011, 0.02)
    for depth in (1e-4, 1e-6):
        excess = shape.operator_depth(shape.volume(depth)) / depth - 1.0
        # The area of the parabola is 0.15 d/R too large, so its depth is 2/3 of this too small.
        assert excess == pytest.approx(-0.1 * depth / 0.011, rel=0.01)


def test_the_operators_pyramid_is_too_deep_while_the_scar_runs_out():
    # V = (2/5) A d/θ for A ~ d^(3/2), but (1/3) A d/θ for the pyramid: d is too large by
    # (6/5)^(2/5).
    shape = TubeInHole(0.011, 0.02, 1e-2, 0.0113)
    depth = 1e-7
    got = shape.operator_depth(shape.volume(depth)) / depth
    assert got == pytest.approx(1.2**0.4, rel=1e-3)


def test_sectors_of_a_ring_wear_by_the_ring_s_thickness():
    # The volume of a sector of angle α between R − d and R is (R² − (R − d)²) h α/2.
    radius, height, angle, depth = 0.011, 0.02, math.radians(30.0), 1e-6
    volume = 0.5 * height * angle * depth * (2.0 * radius - depth)
    assert sector_depth(volume, radius, height, angle) == pytest.approx(depth, rel=ROUNDING)


@pytest.mark.parametrize("name", SHAPES)
def test_no_volume_leaves_no_depth(name):
    options = {"hole_radius": 0.0113} if name not in ("TUBE_BAV", "TUBE_TUBE") else {}
    shape = SHAPES[name](0.011, 0.02, 0.001, **options)
    assert shape.depth(0.0) == 0.0
    assert shape.volume(0.0) == 0.0


def test_the_depth_of_the_parabola_agrees_with_thirty_digits():
    with mpmath.workdps(30):
        volume, radius, width = mpmath.mpf("3e-8"), mpmath.mpf("0.011"), mpmath.mpf("0.02")
        third = mpmath.mpf(1) / 3
        exact = (1 / (2 * radius)) ** third * (3 * volume / (4 * width)) ** (2 * third)
    assert TubeOnFlatBar(0.011, 0.02).operator_depth(3e-8) == pytest.approx(
        float(exact), rel=ROUNDING
    )


def test_the_parabola_is_a_shallow_circular_segment():
    # The lost volume is L times a circular segment of depth h, area (4/3) h √(2 R h) for small h.
    radius, width, depth = 0.011, 0.02, 1e-6
    volume = width * 4.0 / 3.0 * depth * math.sqrt(2.0 * radius * depth)
    got = TubeOnFlatBar(radius, width).operator_depth(volume)
    assert got == pytest.approx(depth, rel=ROUNDING)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: FlatPad(0.0), r"wear_area=0\.0 m2 must be > 0"),
        (lambda: TubeOnFlatBar(0.0, 1.0), r"tube_radius=0\.0 m must be > 0"),
        (lambda: TubeOnFlatBar(1.0, 1.0).depth(-1.0), r"volume=-1\.0 m3 must be ≥ 0"),
        (lambda: TubeOnFlatBar(1.0, 1.0).depth(4.0), r"volume=4 m3 must be ≤ 3\.14.* worn thr"),
        (lambda: TubeOnFlatBar(1.0, 1.0).volume(3.0), r"depth=3 m must be between 0 and 2 m"),
        (lambda: TubeAcrossTube(1.0, 1.0), r"inclination=0\.0 rad must be > 0"),
        (lambda: TubeInHole(1.0, 1.0, 0.1), r"inclination=0\.1 rad must be 0 without a hole_rad"),
        (lambda: TubeInHole(1.0, 1.0, 0.0, 0.9), r"hole_radius=0\.9 m must be > tube_radius=1\.0"),
        (lambda: TubeOnThreeLands(1.0, 1.0, 0.0, 2.0, 2.0), r"land_half_angle=2\.0 rad must be"),
        (lambda: RodInGuide(1.0, 1.0), r"hole_radius=0\.0 m must be > 0"),
        (lambda: sector_depth(1.0, 1.0, 1.0, 7.0), r"sector_angle=7\.0 rad must be in \(0, 2π\]"),
        (lambda: sector_depth(-1.0, 1.0, 1.0, 1.0), r"volume=-1\.0 m3 must be ≥ 0"),
        (lambda: sector_depth(9.0, 1.0, 1.0, 1.0), r"volume=9\.0 m3 must be ≤ 0\.5 m3"),
    ],
)
def test_arguments_outside_their_range_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()  # type: ignore[operator]


def test_a_ball_worn_flat_loses_the_cap_of_a_sphere():
    ball = CrownedPad(0.01)
    for depth in (1e-9, 1e-6, 1e-3, 0.009, 0.01):
        # Volume of the cap, integrated over slices: ∫ π (2 R s − s²) ds.
        slices, _ = quad(lambda s: math.pi * (2.0 * 0.01 * s - s * s), 0.0, depth, epsrel=1e-13)
        assert ball.volume(depth) == pytest.approx(slices, rel=1e-12)
        assert ball.depth(slices) == pytest.approx(depth, rel=1e-10)
    # h = √(k F s/(π R)) of a shallow scar: 1e-13 m²/N, 10 N, 100 m.
    worn = 1e-13 * 10.0 * 100.0
    assert ball.depth(worn) == pytest.approx(math.sqrt(worn / (math.pi * 0.01)), rel=1e-3)
    with pytest.raises(ValueError, match="half of the sphere"):
        ball.depth(1e-5)
