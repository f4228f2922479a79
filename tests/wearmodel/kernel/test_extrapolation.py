"""Extrapolation of sampled inputs is exact for polynomials at unequal past times."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wearmodel.kernel.inputs.extrapolation import (
    _later,
    bounded_order,
    drop_crowded,
    is_ordinary,
    polynomial,
    straight_line,
)
from wearmodel.kernel.inputs.state_objects import Errors, Samples
from wearmodel.kernel.limits import LATE_LIMIT, SAMPLE_LENGTH
from wearmodel.kernel.state_objects import values_of

Rows = list[tuple[float, ...]]


def state_object_of(rows: Rows) -> Samples:
    """Return samples (time, value, value, …), newest first."""
    samples = Samples()
    for target, row in zip(values_of(samples), rows, strict=False):
        target[: len(row)] = row
    assert len(values_of(samples)[0]) == SAMPLE_LENGTH
    return samples


def coefficients_of(rows: Rows, column: int) -> list[float]:
    """Return the coefficients of the polynomial through all rows."""
    target = [0.0] * 4
    order, count = float(len(rows) - 1), float(len(rows))
    samples, errors, tried = state_object_of(rows), Errors(), Errors()
    found = polynomial(samples, column, errors, tried, count, order, 1.0, target)
    return target[:found]


def used(rows: Rows, step_size: float, order: int) -> Rows:
    """Return the samples that the kernel uses for a step of this size."""
    samples = state_object_of(rows)
    wanted = min(float(order), len(rows) - 1.0)
    ordinary = is_ordinary(samples, wanted, step_size)
    count = drop_crowded(samples, float(len(rows)), step_size)
    chosen = int(bounded_order(samples, min(float(order), count - 1.0), step_size)) + 1
    left = [(row[0], row[1]) for row in values_of(samples)[:chosen]]
    if ordinary:  # then no sample is dropped
        assert left == [(row[0], row[1]) for row in rows[: int(wanted) + 1]]
    return left


@given(
    st.lists(st.integers(-1000, 1000), min_size=1, max_size=4),
    st.lists(st.integers(1, 50), min_size=3, max_size=3),
)
@settings(max_examples=200, deadline=None, derandomize=True)
def test_a_polynomial_of_the_order_is_continued_exactly(coefficients, spacings):
    # The samples are at 0 and earlier, at dyadic times.
    instants = [0.0]
    for spacing in spacings:
        instants.append(instants[-1] - spacing / 16)
    count = len(coefficients)
    samples = [
        (t, float(sum(Fraction(c) * Fraction(t) ** j for j, c in enumerate(coefficients))))
        for t in instants[:count]
    ]
    got = coefficients_of(samples, 1)
    got += [0.0] * (count - len(got))
    # Third divided differences at spacings of 1/16: rounding of the values divided by the product
    # of the spacings.
    size = max(abs(value) for _, value in samples)
    tolerance = 50 * 2.2e-16 * size * 16**3 + 1e-15 * max(map(abs, coefficients))
    assert got == pytest.approx([float(c) for c in coefficients], rel=0.0, abs=tolerance)


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_a_constant_input_is_one_coefficient(count):
    samples = [(1.0 - 0.1 * index, 7.0, float(index)) for index in range(count)]
    assert coefficients_of(samples, 1) == [7.0]
    assert len(coefficients_of(samples, 2)) == count


@pytest.mark.parametrize("count", [2, 3, 4])
def test_a_value_that_only_returns_is_not_taken_for_constant(count):
    samples = [(0.0, 1.0), (-1.0, 2.0), (-2.0, 1.0), (-3.0, 1.0)][:count]
    assert len(coefficients_of(samples, 1)) == count
    samples = [(0.0, 1.0), (-1.0, 1.0), (-2.0, 1.0), (-3.0, 2.0)]
    assert len(coefficients_of(samples, 1)) == 4
    samples = [(0.0, 1.0), (-1.0, 1.0), (-2.0, 2.0), (-3.0, 1.0)]
    assert len(coefficients_of(samples, 1)) == 4


def weights_at_the_end(instants: list[Fraction], ahead: Fraction) -> list[Fraction]:
    """Return Lagrange weights of samples at `instants` for the time `ahead` after the newest."""
    at = instants[0] + ahead
    weights = []
    for i, own in enumerate(instants):
        weight = Fraction(1)
        for j, other in enumerate(instants):
            if j != i:
                weight *= (at - other) / (own - other)
        weights.append(weight)
    return weights


def amplification(instants: list[Fraction], ahead: Fraction) -> Fraction:
    return sum((abs(weight) for weight in weights_at_the_end(instants, ahead)), Fraction(0))


def used_by_the_rule(instants: list[Fraction], ahead: Fraction, order: int) -> list[Fraction]:
    """Return the samples that the rule selects in exact arithmetic."""
    spread = instants[:1]
    for instant in instants[1:]:
        if spread[-1] - instant >= Fraction(2, 5) * ahead:
            spread.append(instant)
    for count in range(min(order + 1, len(spread)), 1, -1):
        if amplification(spread[:count], ahead) <= 2 * (2**count - 1):
            return spread[:count]
    return spread[:1]


# Spacings in 1/64 of the prediction interval, from much too short to very long.
spacings_ahead = st.one_of(st.integers(1, 40), st.integers(20, 200), st.integers(1, 10**6))


@pytest.mark.long
@given(st.lists(spacings_ahead, max_size=4), st.integers(0, 3), st.integers(-30, 30))
@settings(max_examples=2000, deadline=None, derandomize=True)
def test_the_samples_used_are_those_of_the_rule_in_exact_numbers(spacings, order, scale):
    spacings = spacings[: order + 1]
    unit = Fraction(2) ** (scale - 6)
    instants = [Fraction(0)]
    for spacing in spacings:
        instants.append(instants[-1] - spacing * unit)
    samples = [(float(instant), float(index)) for index, instant in enumerate(instants)]
    left = used(samples, float(64 * unit), order)
    got = [Fraction(sample[0]) for sample in left]
    want = used_by_the_rule(instants, 64 * unit, order)
    # Rounding decides exactly on the bound, which few of these spacings reach.
    if got != want:
        longer = max(got, want, key=len)
        excess = amplification(longer, 64 * unit) / (2 * (2 ** len(longer) - 1)) - 1
        assert abs(excess) < 1e-14
    # A sample keeps its value when it moves to another row.
    assert all(float(instants[int(value)]) == t for t, value in left)


@pytest.mark.parametrize("order", [0, 1, 2, 3])
@pytest.mark.parametrize("step_size", [1e-3, 1 / 300, 1e-6, 0.1])
@pytest.mark.parametrize("start", [0.0, 1.0, 1e4, -7.3])
@pytest.mark.parametrize("accumulated", [False, True], ids=["multiples", "accumulated"])
def test_an_even_grid_uses_all_samples_however_it_is_rounded(order, step_size, start, accumulated):
    instants = [start]
    for index in range(1, 300):
        instants.append(instants[-1] + step_size if accumulated else start + index * step_size)
    for newest in range(6, 300):
        samples = [(instants[newest - back], 0.0) for back in range(order + 2)]
        assert is_ordinary(state_object_of(samples), float(order), step_size)
        assert used(samples, step_size, order) == samples[: order + 1]


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("later", [0.0, 1e-9, 5.0])
def test_a_sample_that_is_no_older_than_the_newest_is_not_used(order, later):
    samples = [(1.0, 1.0), (1.0 + later, 2.0), (0.9, 3.0), (0.8, 4.0), (0.7, 5.0)][: order + 2]
    left = [sample[1] for sample in used(samples, 0.1, order)]
    assert left == [1.0, 3.0, 4.0, 5.0][: len(left)]


def errors_after(value: float, errors: Errors, *, order: float = 0.0) -> Errors:
    """Return the errors after a sample, if the sample before it was 1."""
    samples, tried = state_object_of([(0.0, value), (-1.0, 1.0)]), Errors()
    polynomial(samples, 1, errors, tried, 2.0, order, 1.0, [0.0] * 4)
    return tried


@pytest.mark.parametrize(
    ("value", "known", "want"), [(1.5, 10.0, 11.0), (1.0, 10.0, 10.0), (1.5, 64.0, 64.0)]
)
def test_steps_in_which_an_input_varies_are_counted(value, known, want):
    errors = Errors()
    errors.known = known
    assert errors_after(value, errors).known == want


@pytest.mark.parametrize(
    ("late", "want"),
    [(0.0, 0.0), (1.0, 0.0), (2.0, 1.0), (LATE_LIMIT - 1, LATE_LIMIT - 2), (LATE_LIMIT,) * 2],
)
def test_a_step_in_time_subtracts_one_from_the_late_steps_until_the_limit(late, want):
    errors = Errors()
    errors.late, errors.received = late, 1.0
    assert errors_after(1.0, errors).late == want
    # The error of order 1 is not known from two samples.
    assert errors_after(1.0, errors, order=1.0).late == late


@pytest.mark.parametrize(("missed", "want"), [(0.05, 15.0), (0.2, LATE_LIMIT)])
def test_a_held_input_is_judged_at_the_start_only_if_its_errors_are_large(missed, want):
    errors = Errors()
    errors.late, errors.received, errors.missed, errors.known = 12.0, 1.0, missed, 10.0
    assert errors_after(1.5, errors).late == want


@pytest.mark.parametrize(
    ("late", "varied", "want"),
    [
        (12.0, 8.0, LATE_LIMIT),  # 15 late steps from the eighth step on
        (12.0, 7.0, 15.0),
        (11.0, 8.0, 14.0),
        (28.0, 62.0, LATE_LIMIT),  # half a count for each step
        (27.0, 62.0, 30.0),
        (29.0, 64.0, 32.0),  # no short run
        (LATE_LIMIT - 2.0, 64.0, LATE_LIMIT),
    ],
)
def test_a_late_step_counts_three_and_a_short_run_has_a_lower_limit(late, varied, want):
    assert _later(late, varied) == want


def test_a_straight_line_through_equal_samples_has_one_coefficient():
    samples, target = state_object_of([(0.0, 3.0, 5.0), (-2.0, 3.0, 1.0)]), [9.0] * 4
    assert straight_line(samples, 1, 0.5, 10.0, target) == 1
    assert target[0] == 30.0
    assert straight_line(samples, 2, 0.5, 10.0, target) == 2
    assert target[:2] == [10.0, 80.0]
