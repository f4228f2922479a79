"""Tables with the column names of EDF's operator, and lookup by name."""

import csv

import numpy as np
import pytest

from wearmodel.statistics import (
    ShockRecord,
    StatisticsSettings,
    Table,
    shock_statistics,
    statistic,
    statistics_tables,
)


@pytest.fixture(scope="module")
def tables() -> dict[str, Table]:
    record = ShockRecord(
        time=np.arange(8.0),
        normal_force=np.array([0.0, 1.0, 0.0, 0.0, 3.0, 4.0, 0.0, 0.0]),
        position_x=np.full(8, 2.0),
        tangential_velocity_1=np.ones(8),
        relation_active=np.array([0, 1, 1, 0, 0, 0, 0, 0], dtype=bool),
        relation_displacement=np.full(8, -1.0),
    )
    settings = StatisticsSettings(reading="sampled", class_count=2)
    return statistics_tables(shock_statistics(record, settings, relation=True), node="N1")


@pytest.mark.parametrize(
    ("name", "row", "value"),
    [
        ("impact.F_MAX", 1, 1.0),
        ("impact.F_MAX", 2, 4.0),
        ("impact.NB_IMPACT", 2, 1),
        ("impact.IMPACT.T_CHOC", 2, 2.0),
        ("impact.F_MAX_MOY", 1, 2.5),
        ("impact.PROBA", 2, 0.5),
        ("impact.DENSITE", 2, 0.5 / 1.5),
        ("usure.DEPL_X.RMS", 1, 2.0),
        ("usure.FORCE_NORMALE.MAXI", 1, 4.0),
        ("usure.T_CHOC_MINI", 1, 1.0),
        ("usure.%_T_CHOC", 1, 37.5),
        # (½·1 + ½·1 + ½·3 + ½·7 + ½·4)/7.
        ("usure.PUIS_USURE", 1, 8.0 / 7.0),
        ("rela.MAXI", 1, -1.0),
        ("rela.INST_FIN", 1, 2.0),
    ],
)
def test_statistics_are_found_by_the_operators_names(tables, name, row, value):
    # Rounding in sums of eight small numbers.
    assert statistic(tables, name, row) == pytest.approx(value, rel=1e-14)


@pytest.mark.parametrize(
    ("name", "row", "message"),
    [
        ("impact", 1, "name='impact' must be TABLE.COLUMN"),
        ("shock.F_MAX", 1, "with TABLE in usure, impact, rela"),
        ("impact.FMAX", 1, "IMPACT has no FMAX. Its columns are NOEUD, CALCUL, CHOC"),
        ("usure.DEPL_Y.RMS", 1, "USURE has no DEPL_Y.RMS"),
        ("impact.F_MAX", 3, r"row=3 of IMPACT F_MAX must be in 1 … 2"),
    ],
)
def test_unknown_statistics_are_refused(tables, name, row, message):
    with pytest.raises(ValueError, match=message):
        statistic(tables, name, row)


def test_csv_has_every_column_and_all_digits(tables):
    rows = list(csv.DictReader(tables["impact"].csv().splitlines()))
    assert list(rows[0]) == [
        "NOEUD", "CALCUL", "CHOC", "INSTANT", "F_MAX", "IMPULSION", "T_CHOC", "V_IMPACT",
        "NB_IMPACT", "F_MAX_ABS", "F_MAX_MOY", "F_MAX_ETYPE", "CLASSE", "DEBUT", "FIN", "PROBA",
        "DENSITE",
    ]  # fmt: skip
    assert float(rows[-1]["DENSITE"]) == 0.5 / 1.5
    # The record has no velocity column. Missing values are empty.
    assert rows[0]["V_IMPACT"] == ""


def test_rows_say_none_for_what_is_unknown(tables):
    rows = tables["impact"].rows
    assert rows[0]["V_IMPACT"] is None
    assert rows[1]["F_MAX"] == 4.0
    assert "F_MAX_ABS" not in rows[0]


def test_text_puts_rows_of_one_kind_under_one_header(tables):
    lines = tables["impact"].text().splitlines()
    assert lines[0] == "IMPACT"
    assert lines[1].split()[:4] == ["NOEUD", "CALCUL", "CHOC", "INSTANT"]
    assert lines[3].split()[2:5] == ["2", "5.00000E+00", "4.00000E+00"]
    assert lines[4].split()[2:] == ["F_MAX_ABS", "F_MAX_MOY", "F_MAX_ETYPE"]
    assert len(lines) == 9


def test_record_without_shock_has_one_row_numbered_zero():
    record = ShockRecord(time=np.arange(3.0), normal_force=np.zeros(3))
    table = statistics_tables(shock_statistics(record))["impact"]
    assert table.value("CHOC") == 0
    assert table.value("F_MAX_ABS") == 0.0
    assert [row["CALCUL"] for row in table.rows] == ["IMPACT", "GLOBAL"]
