"""RELA_EFFO_DEPL on a short record, with the table layout of the EDF document."""

import numpy as np
import pytest

from wearmodel.statistics import (
    ShockRecord,
    StatisticsSettings,
    relation_table,
    shock_statistics,
    statistics_tables,
)

# Parabolas near 2.052 s and 2.076 s with the extrema +1.8e-5 m and −2.0e-5 m.
TIME = 2.0 + 0.01 * np.arange(12)
ACTIVE = [0, 0, 0, 1, 1, 1, 0, 1, 1, 1, 1, 0]
DISPLACEMENT = 1e-5 * np.array([0.0, 0.1, 0.4, 1.2, 1.75, 1.7, 0.0, -1.0, -1.9, -1.8, -0.7, 0.0])


def record() -> ShockRecord:
    return ShockRecord(
        time=TIME,
        relation_active=ACTIVE,  # type: ignore[arg-type]
        relation_displacement=DISPLACEMENT,
    )


def test_sampled_phases_of_both_signs_fill_the_printed_table():
    phases = shock_statistics(
        record(), StatisticsSettings(reading="sampled"), usure=False, impact=False, relation=True
    ).phases
    assert phases is not None
    table = relation_table(phases, relation="NON_LIN", node="N100", component="DRY")
    # The columns of EDF U4.84.02, section 4.2 (verification).
    assert table.text().split("\n")[1:4] == [
        "RELATION NOEUD CMP PHASE   INST_INIT    INST_FIN         MAXI   INST_MAXI",
        " NON_LIN  N100 DRY     1 2.03000E+00 2.05000E+00  1.75000E-05 2.04000E+00",
        " NON_LIN  N100 DRY     2 2.07000E+00 2.10000E+00 -1.90000E-05 2.08000E+00",
    ]


def test_interpolated_extrema_are_the_vertices_of_the_parabolas():
    phases = shock_statistics(record(), usure=False, impact=False, relation=True).phases
    assert phases is not None
    first, second = phases
    # Times of 2 s are rounded to 4e-16 s, which is 4e-14 steps. The polynomials add a few
    # roundings. Phase 1, samples 1.2, 1.75, 1.7: 1.75 + 0.25 s − 0.3 s² is largest at s = 5/12.
    assert first.instant == pytest.approx(2.04 + 0.01 * 5 / 12, rel=1e-14)
    assert first.extremum == pytest.approx(1e-5 * (1.75 + 0.25 * 5 / 24), rel=1e-12)
    # Phase 2, samples −1.0, −1.9, −1.8, −0.7: all second differences are 1.0, so the cubic is the
    # parabola −1.9 − 0.4 s + 0.5 s², with its minimum at s = 0.4.
    assert second.instant == pytest.approx(2.084, rel=1e-14)
    assert second.extremum == pytest.approx(-1e-5 * 1.98, rel=1e-12)
    assert (first.start, first.end) == (TIME[3], TIME[5])


def test_phase_at_the_window_end_is_reported():
    phases = shock_statistics(
        record(), StatisticsSettings(window_end=2.08), usure=False, impact=False, relation=True
    ).phases
    assert phases is not None
    assert phases[1].end == pytest.approx(2.08, rel=1e-15)


@pytest.mark.parametrize("reading", ["sampled", "interpolated"])
def test_relation_that_is_never_active_has_no_phase(reading):
    idle = ShockRecord(
        time=TIME, relation_active=np.zeros(TIME.size, np.bool_), relation_displacement=DISPLACEMENT
    )
    settings = StatisticsSettings(reading=reading)
    statistics = shock_statistics(idle, settings, usure=False, impact=False, relation=True)
    assert statistics.phases == ()
    # A single row with phase 0, as in the table of option IMPACT without a shock.
    assert [row["PHASE"] for row in statistics_tables(statistics)["rela"].rows] == [0]


def test_record_without_the_flag_is_refused():
    with pytest.raises(ValueError, match="relation_active is missing"):
        shock_statistics(
            ShockRecord(time=TIME, relation_displacement=DISPLACEMENT),
            usure=False,
            impact=False,
            relation=True,
        )
