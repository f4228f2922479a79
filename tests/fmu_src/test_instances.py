"""Instances can be freed in any phase and can run in threads."""

import math
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from fmpy import fmi2

OK = 0
ERROR = 3
STEP = 1e-3


def shaking(step: int) -> float:
    return 15.0 * math.sin(2.0 * math.pi * step * STEP)


def set_up(one: Any) -> None:
    no, zero = fmi2.fmi2False, fmi2.fmi2Real(0.0)
    assert one.call("fmi2SetupExperiment", no, zero, zero, no, zero) == OK


def run(one: Any, steps: int = 50) -> None:
    for step in range(steps):
        assert one.step(step * STEP, STEP, base_acceleration=shaking(step)) == OK


# Calls before the instance is freed.
LIVES: dict[str, Callable[[Any], object]] = {
    "instantiated": lambda one: None,
    "set up": set_up,
    "initialising": lambda one: (set_up(one), one.call("fmi2EnterInitializationMode")),
    "initialised": lambda one: one.initialise(),
    "running": lambda one: run(one.initialise()),
    "refused at the start": lambda one: one.initialise(mass=-1.0),
    "refused step": lambda one: one.initialise().step(0.0, -STEP),
    "terminated": lambda one: one.initialise().call("fmi2Terminate"),
    "reset": lambda one: one.initialise().call("fmi2Reset"),
    "with a saved state": lambda one: one.initialise().save(),
}


@contextmanager
def fresh_instance(one: Any) -> Iterator[None]:
    """Let the host use a new instance of its FMU, which is freed at the end."""
    kept, one.slave.component = one.slave.component, None
    one.slave.instantiate(loggingOn=False)
    try:
        yield
    finally:
        one.slave.fmi2FreeInstance(one.slave.component)
        one.slave.component = kept


@pytest.mark.parametrize("life", LIVES)
def test_an_instance_ends_at_any_point_and_others_live_on(host, life):
    one = host()
    with fresh_instance(one):  # freed immediately
        LIVES[life](one)
    for times in (1, 2):
        with fresh_instance(one):
            LIVES[life](one)
            for _ in range(times):
                assert one.call("fmi2Terminate") == OK
            assert one.step(0.0, STEP) == ERROR
    with fresh_instance(one):
        LIVES[life](one)
        assert one.call("fmi2Reset") == OK
        run(one.initialise())
        after_reset = one.outputs()
    run(one.initialise())
    assert one.outputs() == after_reset
    assert after_reset["wear_work"] > 0.0


def test_instances_in_threads_give_what_they_give_alone(host):
    coefficients = [0.02 * number for number in range(1, 9)]
    alone = []
    one = host()
    for coefficient in coefficients:
        with fresh_instance(one):
            run(one.initialise(friction_coefficient=coefficient), 500)
            alone.append(one.outputs())
    # Each thread creates, runs and frees its own instances at the same time.
    together: list[dict[str, Any]] = [{} for _ in coefficients]
    hosts = [host() for _ in coefficients]
    start = threading.Barrier(len(coefficients))

    def drive(number: int) -> None:
        start.wait()
        for _ in range(3):
            with fresh_instance(hosts[number]):
                run(hosts[number].initialise(friction_coefficient=coefficients[number]), 500)
                together[number] = hosts[number].outputs()

    threads = [threading.Thread(target=drive, args=(number,)) for number in range(len(hosts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert together == alone


def test_an_instance_may_pass_from_thread_to_thread(host):
    one, other = host().initialise(), host().initialise()
    for step in range(100):
        thread = threading.Thread(
            target=one.step, args=(step * STEP, STEP), kwargs={"base_acceleration": shaking(step)}
        )
        thread.start()
        thread.join()
    run(other, 100)
    assert one.outputs() == other.outputs()


def test_outputs_read_before_the_initialisation_do_not_stay(host):
    one = host()
    one.set(normal_load=5.0)
    set_up(one)
    assert one.get("normal_force") == 0.0
    assert one.call("fmi2EnterInitializationMode") == OK
    assert one.get("normal_force") == 15.0  # m g + P_n


def test_a_state_full_of_huge_numbers_can_be_restored(host):
    one = host().initialise(initial_velocity=1e307, initial_displacement=1.6e308)
    before, state = one.outputs(), one.save()
    one.step(0.0, STEP)
    assert one.load(state) == OK
    assert one.outputs() == before
    assert one.call("fmi2Reset") == OK
    run(one.initialise())


def test_three_hundred_instances_come_and_go(host):
    # pythonfmu releases a reference to the script's dictionary at each instantiation. Without
    # compensation, the process crashes after a few instances.
    first = host().initialise()
    for _ in range(300):
        with fresh_instance(first):
            pass
    run(first, 300)
    assert first.get("wear_work") > 0.0
