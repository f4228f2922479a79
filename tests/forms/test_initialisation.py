"""Outputs follow the inputs in initialisation mode, and later change only in steps."""

import pytest

from .instance import OK


def test_outputs_in_initialisation_mode_follow_from_what_is_set(make):
    one = make()
    assert one.enter() == OK
    one.set(base_acceleration=0.5, normal_load=2.0)
    assert one.get("normal_force") == 12.0  # m g + P_n
    # In stick, friction accelerates the mass: F_T = m A_t.
    assert one.get("friction_force") == one.get("absolute_acceleration") == 0.5
    assert one.get("contact_mode") == 1
    # Set only an input after outputs were read.
    one.set(normal_load=4.0)
    assert one.get("normal_force") == 14.0
    one.set(base_acceleration=0.25, normal_load=2.0, gravity=3.0, friction_coefficient=0.5)
    assert one.get("normal_force") == 5.0
    assert one.get("friction_force") == 0.25
    assert one.changes("ExitInitializationMode")
    before = one.outputs()
    one.set(base_acceleration=3.0, normal_load=7.0)
    assert one.outputs() == before
    assert one.steps(0.0, 1e-3)
    assert one.get("normal_force") == 10.0


@pytest.mark.parametrize("stop_time", [1.5, None])
def test_a_run_may_stop_where_it_starts(make, stop_time):
    assert make().begins(1.5, stop_time)
