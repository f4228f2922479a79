"""Errors of the schemes at any amplitude, compared with independently computed limits."""

import pytest

from wearmodel.reference.closed_forms import RubbingShoe
from wearmodel.reference.schemes import (
    DISCRETE_LAW_LIMITS,
    SCHEMES,
    SchemeError,
    exact_wear_power,
    scheme_errors,
)

OMEGA = 6.283185307179586


@pytest.fixture(scope="module")
def rows_of_3() -> list[SchemeError]:
    return list(scheme_errors(3.0, [1e-4]))


@pytest.fixture(scope="module")
def fine_rows_of_1p5() -> list[SchemeError]:
    return list(scheme_errors(1.5, [2.5e-5]))


@pytest.mark.long
def test_every_scheme_and_both_laws_of_the_model_are_compared(rows_of_3):
    compared = {row.scheme for row in rows_of_3}
    assert compared == {*SCHEMES, "FrictionalShock, penalty", "FrictionalShock, rigid"}


@pytest.mark.hosts  # 7 s
def test_small_steps_tend_to_the_limit_of_the_documents_law(fine_rows_of_1p5):
    # Closed-form arcs in 34 digits. At 2.5e-5 s, the error of ADAPT is 5e-7, and the others are
    # smaller.
    for row in fine_rows_of_1p5:
        if row.scheme in SCHEMES:
            assert row.wear_power == pytest.approx(DISCRETE_LAW_LIMITS[1.5], rel=1e-6)


def test_our_own_penalised_model_is_the_one_that_the_schemes_integrate():
    # Arcs of the penalised law in 34 digits, as in the case sdnd104_penalised_a1p5.
    (row,) = (
        r
        for r in scheme_errors(1.5, [1e-3])
        if r.scheme == "FrictionalShock, penalty" and r.step_size == 1e-3
    )
    assert row.wear_power == pytest.approx(0.40906921585100553, rel=1e-8)


def test_errors_are_relative_to_rigid_friction_in_closed_form(rows_of_3):
    exact = RubbingShoe(1.0, 10.0, 0.1, 3.0, OMEGA).mean_wear_power(4.0, 12.0)
    assert exact_wear_power(3.0) == exact
    assert all(row.relative_error == (row.wear_power - exact) / exact for row in rows_of_3)
    # The input is extrapolated. The default order at 1 ms has an error of some 1e-9.
    (finest,) = (
        r for r in rows_of_3 if r.scheme == "FrictionalShock, rigid" and r.step_size == 1e-3
    )
    assert abs(finest.relative_error) < 1e-8


@pytest.mark.long
def test_below_the_onset_of_slip_nothing_wears_and_no_error_is_left():
    rows = list(scheme_errors(0.99, [1e-4]))
    assert {(row.wear_power, row.exact, row.relative_error) for row in rows} == {(0.0, 0.0, 0.0)}


def test_an_amplitude_that_is_not_positive_is_refused():
    with pytest.raises(ValueError, match=r"amplitude=0.0 m/s2 must be > 0"):
        exact_wear_power(0.0)
