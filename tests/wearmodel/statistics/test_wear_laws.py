"""Wear laws compared with 30-digit arithmetic, limits and values computed by hand."""

import math

import mpmath
import numpy as np
import pytest

from wearmodel.statistics import ShockRecord, shock_statistics
from wearmodel.statistics.known_rate import known_rate
from wearmodel.statistics.wear_coefficients import WEAR_COEFFICIENTS
from wearmodel.statistics.wear_laws import (
    SECONDS_PER_YEAR,
    EdfMz,
    KwuEpri,
    service_wear_work,
    worn_volume,
)
from wearmodel.statistics.wear_sectors import sector_wear_power, sector_wear_shares
from wearmodel.statistics.worn_shapes import FlatPad

# Rounding of a few operations.
ROUNDING = 1e-14


def test_volume_is_proportional_to_wear_work():
    # 1e-13 m³/J × 5e6 J = 5e-7 m³. On 1e-4 m² the depth is 5 mm.
    volume = worn_volume(1e-13, 5e6)
    assert volume == pytest.approx(5e-7, rel=ROUNDING)
    assert FlatPad(1e-4).depth(volume) == pytest.approx(5e-3, rel=ROUNDING)


def test_service_years_scale_the_mean_power():
    # SDND104: 0.409062451015709 W for 40 years of 365.25 days.
    work = service_wear_work(0.409062451015709, 40.0)
    assert work == pytest.approx(0.409062451015709 * 40 * 365.25 * 86400, rel=ROUNDING)
    assert SECONDS_PER_YEAR == 365.25 * 86400


@pytest.mark.parametrize("wear_power", [0.01, 1.0, 20.0], ids="{}W".format)
@pytest.mark.parametrize("years", [1e-6, 1.0, 40.0], ids="{}years".format)
def test_edf_mz_agrees_with_thirty_digits(wear_power, years):
    duration = years * SECONDS_PER_YEAR
    with mpmath.workdps(30):
        power, time, decay = mpmath.mpf(wear_power), mpmath.mpf(duration), mpmath.mpf("2.44e-8")
        rate = mpmath.mpf("1e-13") * power ** mpmath.mpf("1.2")
        share = mpmath.mpf("1.14e-16") / rate
        exact = rate * (share * time + (1 - share) / decay * (1 - mpmath.exp(-decay * time)))
    # Rounding of the parameters to doubles, and of pow.
    assert EdfMz().worn_volume(wear_power, duration) == pytest.approx(float(exact), rel=ROUNDING)


def test_edf_mz_wears_at_the_final_rate_in_the_end():
    law = EdfMz()
    early, late = (law.worn_volume(1.0, t) for t in (2e9, 3e9))
    # e^{−n t} is below 1e-21 here. The difference of two volumes of 4e-6 has an error of 1e-15 of
    # them.
    assert (late - early) / 1e9 == pytest.approx(law.final_rate, rel=1e-6)


def test_edf_mz_refuses_powers_whose_initial_rate_is_below_the_final_one():
    # The initial rate v0 equals the final rate S at P = (1.14e-16/1e-13)^(1/1.2) = 3.5e-3 W.
    limit = (1.14e-16 / 1e-13) ** (1 / 1.2)
    assert EdfMz().worn_volume(1.01 * limit, 1.0) > 0.0
    with pytest.raises(ValueError, match=r"wear_power=.* W gives the initial rate .* must be ≥"):
        EdfMz().worn_volume(0.99 * limit, 1.0)


@pytest.mark.parametrize(
    ("years", "published"), [(1, 9.58595507705e-7), (3, 1.6131418113e-6)], ids="{}years".format
)
def test_edf_mz_meets_the_operators_own_figures(years, published):
    # 0.5 W. The tests of EDF's operator use years of 365 days.
    volume = EdfMz().worn_volume(0.5, years * 365 * 86400.0)
    assert volume == pytest.approx(published, rel=1e-10)


def test_kwu_epri_counts_by_hand():
    # Largest force 10 N, speed 1 m/s: class centres 1, 3, 5, 7, 9 N and 0.1, 0.3 … 0.9 m/s.
    force = [10.0, 9.0, 9.0, 1.0, 1.0, 5.0, 9.0, 9.0]
    speed = [0.0, 0.1, 0.0, 0.1, 0.1, 1.0, 0.1, 0.1]
    # Slowest class: F_5 = 9 N five times, F_1 = 1 N twice. The other sample: F_3 = 5 N, v_5 = 0.9
    # m/s.
    impacts = (5 / 8) * 5.0 * 0.9**3 + (2 / 8) * 5.0 * 0.1**3
    sliding = (1 / 8) * 5.0 * 0.9**2 + (2 / 8) * 1.0 * 0.1**2
    law = KwuEpri(1e-14)
    weight = law.sliding_weight(force, speed)
    assert weight == pytest.approx(sliding**2 / (sliding + impacts), rel=ROUNDING)
    assert law.worn_volume(weight, 0.5, 1e6) == pytest.approx(1e-14 * weight * 0.5e6, rel=ROUNDING)


def test_the_weighed_work_of_kwu_epri_grows_at_the_weight_times_the_power():
    random = np.random.default_rng(2)
    force, speed = random.uniform(0.0, 20.0, 1000), random.uniform(0.0, 0.3, 1000)
    work = np.concatenate(([0.0], np.cumsum(force * speed)))
    law = KwuEpri(1e-14)
    weighed = law.weighed_work(force, speed, work)
    assert weighed[0] == 0.0
    want = law.sliding_weight(force, speed) * work[-1]
    # A sum of a thousand terms with both signs.
    assert weighed[-1] == pytest.approx(want, rel=1e-12)


def test_the_interval_of_kwu_epri_covers_as_often_as_it_says():
    # Random impacts and slips in spells of ten samples. The largest values always occur, so that
    # all runs have the same classes.
    law = KwuEpri(1.0)
    random = np.random.default_rng(7)

    def weighed(spells: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        knocks = np.repeat(random.uniform(size=spells) < 0.3, 10)
        force = np.where(knocks, random.choice([10.0, 30.0, 50.0], 10 * spells), 4.0)
        speed = np.where(knocks, 0.0, np.repeat(random.choice([0.1, 0.3, 0.5], spells), 10))
        return force, speed, np.concatenate(([0.0], np.cumsum(force * speed)))

    force, speed, work = weighed(400_000)
    truth = law.sliding_weight(force, speed) * work[-1] / force.size
    covered = 0
    runs = 400
    for _ in range(runs):
        sample = weighed(1000)
        mean = known_rate(np.arange(10_001.0), law.weighed_work(*sample))
        covered += abs(mean.mean - truth) <= mean.half_width
    # 95 % of 400 intervals are 380 ± 4.4.
    assert 366 <= covered <= 393


def _record(**columns: list[float]) -> ShockRecord:
    return ShockRecord(**{name: np.array(values) for name, values in columns.items()})


def test_the_powers_of_all_sectors_add_up_to_the_wear_power():
    random = np.random.default_rng(5)
    time = np.cumsum(random.uniform(0.5, 1.5, 500))
    y, z, force, v1, v2 = random.normal(size=(5, 500))
    record = ShockRecord(
        time=time,
        position_y=y,
        position_z=z,
        normal_force=force,
        tangential_velocity_1=v1,
        tangential_velocity_2=v2,
        stick=random.uniform(size=500) < 0.3,
    )
    usure = shock_statistics(record).usure
    assert usure is not None
    powers = sector_wear_power(record, 12)
    # 500 terms are summed in another order.
    assert powers.sum() == pytest.approx(usure.wear_power, rel=1e-12)
    assert (powers > 0.0).all()


def test_wear_counts_in_the_sector_in_which_the_mass_is():
    # At 45°, then at 135°, then at 180°, in quarters that begin at −180°: third and fourth.
    record = _record(
        time=[0.0, 1.0, 3.0],
        position_y=[1.0, -1.0, -1.0],
        position_z=[1.0, 1.0, 0.0],
        normal_force=[2.0, -2.0, 1.0],
        tangential_velocity_1=[3.0, -1.0, 1.0],
    )
    # (½·1·6) in 3 s, then (½·1·2 + ½·2·2 + ½·2·1) in 3 s.
    want = [0.0, 0.0, 1.0, 4.0 / 3.0]
    assert sector_wear_power(record, 4) == pytest.approx(want, rel=ROUNDING)


def test_published_coefficients_are_those_of_the_pairs_of_steam_generators():
    values = {}
    for entry in WEAR_COEFFICIENTS:
        values.setdefault(entry.contact, []).append(entry.coefficient)
    assert values == {
        "tube on flat bar": [1.2e-13, 1.4e-15, 1.2e-15, 4.1e-16, 7.7e-15],
        "tube in hole": [1.6e-13, 5.2e-14, 6e-17],
        "tube on tube": [1.8e-13, 1e-12],
        "rod in guide": [1e-14],
    }


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: worn_volume(-1e-13, 1.0), r"archard_coefficient=-1e-13 m2/N must be ≥ 0"),
        (lambda: worn_volume(1e-13, math.nan), r"wear_work=nan J must be ≥ 0"),
        (lambda: service_wear_work(1.0, -1.0), r"service_years=-1\.0 a must be ≥ 0"),
        (lambda: EdfMz(decay_rate=0.0), r"decay_rate=0\.0 1/s must be > 0"),
        (lambda: EdfMz().worn_volume(0.0, 1.0), r"wear_power=0\.0 W must be > 0"),
        (lambda: EdfMz().worn_volume(1.0, -1.0), r"duration=-1\.0 s must be ≥ 0"),
        (lambda: EdfMz().worn_volume(1e-300, 1.0), r"gives the initial rate 0\.0 m3/s, which must"),
        (
            lambda: EdfMz().worn_volume(1e300, 1.0),
            r"wear_power=1e\+300 W over .* gives a volume that overflows",
        ),
        (lambda: EdfMz(coefficient=1e10).worn_volume(1e250, 2.0), r"over duration=2\.0 s gives a"),
        (lambda: KwuEpri(0.0), r"coefficient=0\.0 m2/N must be > 0"),
        (lambda: KwuEpri(1.0).sliding_weight([1.0], [1.0]), r"needs a largest force of at least 5"),
        (lambda: KwuEpri(1.0).sliding_weight([9.0], [0.0]), r"KWU_EPRI needs sliding"),
        (lambda: KwuEpri(1.0).sliding_weight([9.0, -1.0], [1, 1]), r"normal_force=-1\.0 N must be"),
        (lambda: KwuEpri(1.0).sliding_weight([9.0], [1, 1]), r"shape \(1,\) and .* \(2,\)"),
        (lambda: KwuEpri(1.0).sliding_weight([9.0], [9.0]), r"impacts Φ=0\.0 must be ≥"),
        (lambda: sector_wear_power(_record(time=[0.0, 1.0]), 0), r"sector_count=0 must be ≥ 1"),
        (
            lambda: sector_wear_power(_record(time=[0.0, 1.0]), 4),
            r"tangential_velocity_1 is missing",
        ),
        (lambda: sector_wear_power(_record(time=[0.0]), 4), r"1 samples and must have at least 2"),
    ],
)
def test_arguments_outside_their_range_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()  # type: ignore[operator]


def test_the_work_of_a_step_counts_in_the_sector_between_its_ends():
    # From 30° to 60°, to 135°, and near −90°, a border that belongs to the upper sector.
    angles = np.radians([30.0, 60.0, 135.0, -90.0, -90.0])
    work = np.array([1.0, 3.0, 3.5, 3.5, 8.0])
    shares, _ = sector_wear_shares(np.cos(angles) + 0.0, np.sin(angles), work, 4)
    # Midpoints 45° and 97.5°, then no work, and the last step at −90°.
    assert shares == pytest.approx(np.array([0.0, 4.5, 2.0, 0.5]) / 7.0, rel=ROUNDING)
    with pytest.raises(ValueError, match="sector_count=0 must be ≥ 1"):
        sector_wear_shares(angles, angles, work, 0)
    # Without work, shares and error bars are zero.
    assert not np.any(sector_wear_shares(angles, angles, np.ones(5), 4))


@pytest.mark.parametrize("memory", [1, 20], ids=["independent", "stays for twenty samples"])
def test_the_interval_of_a_sector_s_share_holds_it_in_nine_of_ten_runs(memory):
    truth = np.array([0.55, 0.3, 0.15, 0.0])
    random = np.random.default_rng(5)
    runs, held, widths = 400, np.zeros(4), np.zeros(4)
    for _ in range(runs):
        sector = np.repeat(random.choice(4, 4000 // memory, p=truth), memory)
        # Both ends of a step are in the middle of its sector, and its work is random.
        angle = np.repeat(np.radians(90.0 * sector - 135.0), 2)
        work = np.repeat(np.cumsum(random.exponential(1.0, sector.size)), 2)
        work[0::2] = np.concatenate(([0.0], work[1:-1:2]))
        shares, bars = sector_wear_shares(np.cos(angle), np.sin(angle), work, 4)
        held += np.abs(shares - truth) <= bars
        widths += bars
    # The nominal coverage is 95 %, minus three standard deviations of 1.1 %. Intervals are at most
    # 1.5 times as wide as the ideal ones.
    assert (held / runs >= 0.92).all()
    ideal = 1.96 * np.sqrt(truth * (1.0 - truth) * (memory + 1.0) / 4000.0)
    assert (widths / runs <= 1.5 * ideal).all()
