"""States of the contacts of a service life, from chosen volumes of two contacts."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from harness.life.life_file import Life
from harness.life.life_run import ContactLife, _of_contact, _sectors
from harness.life.wear_power import NoJournal, NotKnown, Power, WearOfService
from wearmodel.statistics.cycle_jump import LifePoint
from wearmodel.statistics.wear_laws import SECONDS_PER_YEAR

from .test_wear_of_service import AREA, life_of_blocks

DURATION = 40.0 * SECONDS_PER_YEAR
# Worn volumes in the service time [m³].
VOLUMES = 1e-10, 3e-10


@pytest.fixture(scope="module")
def life(tmp_path_factory: pytest.TempPathFactory) -> Life:
    return life_of_blocks(tmp_path_factory.mktemp("blocks"))


@pytest.fixture
def service(life: Life) -> WearOfService:
    return WearOfService(life, NoJournal())


def point(share: float, **changed: Any) -> LifePoint:
    """Return the point of a uniform rate after a share of the service time."""
    depths = share * np.array([*VOLUMES, DURATION])
    nothing = np.zeros(3)
    made = LifePoint(share * DURATION, depths, nothing, nothing, np.zeros((3, 3)), (), nothing)
    return replace(made, **changed)


def contact_of(
    life: Life, service: WearOfService, points: list[LifePoint], index: int
) -> ContactLife:
    """Return the service life of a contact with the powers 1 W and 2 W."""
    powers = [Power(1.0, 0.1, 0.01), Power(2.0, 0.2, 0.02)]
    service._powers = {tuple(of.depths.tolist()): powers for of in points}
    return _of_contact(life, service, points, index)


@pytest.mark.parametrize(
    ("shares", "wanted"),
    [
        ([0.0, 0.5, 1.0], [0.0, 0.5, 1.0]),
        # A calculation that ended early.
        ([0.0, 0.5], [0.0, 0.5]),
        # A calculation beyond the service time, for coefficients above the median.
        ([0.0, 0.5, 1.0, 1.5], [0.0, 0.5, 1.0]),
        ([0.0, 0.5, 0.75, 1.75, 2.0], [0.0, 0.5, 0.75, 1.0]),
    ],
)
@pytest.mark.parametrize("index", [0, 1])
def test_states_end_with_the_service_time(
    life: Life, service: WearOfService, shares: list[float], wanted: list[float], index: int
) -> None:
    states = contact_of(life, service, [point(share) for share in shares], index).states
    assert [state.time for state in states] == pytest.approx(DURATION * np.array(wanted))
    volumes = VOLUMES[index] * np.array(wanted)
    assert [state.volume for state in states] == pytest.approx(volumes)
    assert [state.depth for state in states] == pytest.approx(volumes / AREA)
    for state in states:
        assert (state.power, state.power_bar) == pytest.approx((1.0 + index, 0.1 * (1 + index)))
        assert state.power_step_bar == pytest.approx(0.01 * (1 + index))


def test_an_error_bar_has_the_parts_of_its_volume(life: Life, service: WearOfService) -> None:
    parts = np.zeros((3, 3))
    parts[:, 1] = 3e-11, 2e-11, 1e-11
    points = [point(0.0), point(1.0, bars=parts.sum(axis=0), parts=parts)]
    first, last = contact_of(life, service, points, 1).states
    bars = (last.depth_chance_bar, last.depth_jump_bar, last.depth_step_bar)
    assert bars == pytest.approx(parts[:, 1] / AREA)
    assert (last.volume_bar, last.depth_bar) == pytest.approx((6e-11, 6e-11 / AREA))
    ends = (last.depth_lower, last.depth_upper)
    assert ends == pytest.approx(((3e-10 - 6e-11) / AREA, (3e-10 + 6e-11) / AREA))
    assert (first.depth_bar, first.depth_chance_bar, first.depth_step_bar) == (0.0, 0.0, 0.0)


def test_a_contact_has_the_sudden_changes_of_its_own_rate(
    life: Life, service: WearOfService
) -> None:
    cliffs = (0, 1e-11), (1, 2e-11), (1, 3e-11)
    points = [point(0.0), point(0.5, cliffs=cliffs[:1]), point(1.0, cliffs=cliffs)]
    for index, wanted in enumerate(([1e-11], [2e-11, 3e-11])):
        found = contact_of(life, service, points, index).cliffs
        assert list(found) == pytest.approx(np.array(wanted) / AREA)


@pytest.mark.parametrize("is_bounded", [True, False])
def test_an_unknown_rate_has_no_upper_depth_from_its_time_on(
    life: Life, service: WearOfService, *, is_bounded: bool
) -> None:
    service.not_known[1] = NotKnown("heavy", "long", 0.0, 0.5 * DURATION, "few", None, is_bounded)
    points = [point(share) for share in (0.0, 0.25, 0.5, 1.0)]
    for index, count in ((0, 0), (1, 0 if is_bounded else 2)):
        contact = contact_of(life, service, points, index)
        lost = [math.isinf(state.depth_upper) for state in contact.states]
        assert lost == [False] * (4 - count) + [True] * count
        assert contact.not_known is service.not_known.get(index)


def test_a_service_life_without_points_has_one_state_without_wear(
    life: Life, service: WearOfService
) -> None:
    contact = contact_of(life, service, [], 0)
    (state,) = contact.states
    assert (state.time, state.depth, state.gap) == (0.0, 0.0, None)
    assert (contact.cliffs, contact.sectors, contact.spacing) == ((), (), 0.0)


def test_the_error_of_a_sector_includes_its_share_of_the_error_of_the_volume(life: Life) -> None:
    shares = np.zeros((2, 24))
    shares[0, [3, 20]] = 0.25, 0.75
    shares[1] = 0.01
    round_hole = replace(life, contacts=(SimpleNamespace(hole="round"),))
    service: Any = SimpleNamespace(sectors=lambda depths: [shares])
    points = [point(0.0), point(1.0)]
    states: Any = [SimpleNamespace(time=DURATION, volume_bar=4e-12)]
    (found,) = _sectors(round_hole, service, points, 0, states)
    assert found.volumes == pytest.approx(VOLUMES[0] * shares[0])
    assert found.bars == pytest.approx(VOLUMES[0] * 0.01 + 4e-12 * shares[0])
    # A contact without a round hole has no sectors.
    assert _sectors(life, service, points, 0, states) == ()
