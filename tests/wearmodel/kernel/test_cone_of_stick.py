"""The end of stick, where the friction force reaches the cone."""

import pytest

from wearmodel.kernel.contact.guards import _cone_exit
from wearmodel.kernel.contact.state_objects import ContactState, ContactWork
from wearmodel.kernel.limits import NEVER

STATIC = 0.2


def cone_exit(force: list[float], first: list[float], second: list[float]) -> tuple[float, bool]:
    """Return the time at which |F_T| reaches the cone, and whether its series was needed."""
    work = ContactWork()
    for row, series in ((work.force, force), (work.friction_1, first), (work.friction_2, second)):
        row[: len(series)] = series
    position, _ = _cone_exit(ContactState(), work, work.force, STATIC, len(force), 0.0)
    return position, any(work.guard)


@pytest.mark.parametrize(
    ("force", "first", "second", "wanted"),
    [
        ([1.0, 0.0], [0.1, 0.5], [0.0, 0.0], 0.2),
        ([1.0, 0.0], [-0.1, -0.5], [0.0, 0.0], 0.2),
        ([1.0, 0.0], [0.0, 0.0], [0.1, 0.5], 0.2),
        ([1.0, -0.8], [0.1, 0.0], [0.0, 0.0], 0.625),
        ([1.0, 1.0], [0.1, 0.6], [0.0, 0.0], 0.25),
    ],
    ids=["friction", "other sign", "across", "falling force", "rising force"],
)
def test_stick_ends_on_the_cone(force, first, second, wanted):
    position, _ = cone_exit(force, first, second)
    assert position == pytest.approx(wanted, rel=1e-14)


def test_a_force_that_grows_more_than_the_friction_needs_no_series():
    assert cone_exit([1.0, 4.0], [0.1, 0.5], [0.0, -0.2]) == (NEVER, False)
    assert cone_exit([1.0, 4.0], [-0.1, 0.5], [0.05, 0.2]) == (NEVER, False)
