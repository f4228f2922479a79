"""Save, restore, serialise and reset the complete state of an instance."""

import ctypes
import random

import pytest

from fmu_src.models import fmu_names

from .instance import ERROR
from .plays import PLAY_OF, PLAYS

each_play = pytest.mark.parametrize("play", PLAYS.values(), ids=PLAYS)
each_model = pytest.mark.parametrize("model", PLAY_OF)
SAVED, END = 60, 120


def test_there_is_a_run_of_each_model():
    assert set(PLAY_OF) == set(fmu_names())


@each_play
def test_a_run_has_the_bits_of_the_python_object(make, play):
    wanted = play.go(play.slave(), 0, END)
    assert len({tuple(row.values()) for row in wanted}) > END // 2  # outputs change
    # FMI 3.0 has additional outputs: the event count and arrays of the same values.
    for outputs, of_the_object in zip(
        play.go(make(play.model).begun(**play.start), 0, END), wanted, strict=True
    ):
        assert of_the_object.items() <= outputs.items()


@each_play
def test_a_restored_state_continues_bit_by_bit(make, play):
    one = make(play.model).begun(**play.start)
    *_, at_save = play.go(one, 0, SAVED)
    state = one.save()
    straight = play.go(one, SAVED, END)
    for _ in range(2):
        assert one.load(state) == 0
        assert one.outputs() == at_save
        assert play.go(one, SAVED, END) == straight


@each_play
def test_a_state_as_bytes_continues_in_another_instance(make, play):
    one, other = make(play.model).begun(**play.start), make(play.model).begun()
    *_, at_save = play.go(one, 0, SAVED)
    data = one.written()
    straight = play.go(one, SAVED, END)
    assert other.restores(data)
    assert other.outputs() == at_save
    assert other.written() == data
    for name, value in play.start.items():
        assert other.get(name) == value
    assert play.go(other, SAVED, END) == straight


@each_play
def test_a_state_saved_before_the_initialisation_brings_that_phase_back(make, play):
    one = make(play.model)
    state = one.save()
    straight = play.go(one.begun(**play.start), 0, SAVED)
    assert one.load(state) == 0
    assert not one.steps(SAVED * play.step_size, play.step_size)
    assert play.go(one.begun(**play.start), 0, SAVED) == straight


@each_play
def test_a_reset_instance_is_as_new(make, play):
    one = make(play.model)
    fresh = one.written()
    straight = play.go(one.begun(**play.start), 0, SAVED)
    assert one.changes("Reset")
    assert one.written() == fresh
    assert play.go(one.begun(**play.start), 0, SAVED) == straight


@each_model
def test_two_instances_do_not_disturb_each_other(make, model):
    first, *_, second = (play for play in [*PLAYS.values()] * 2 if play.model == model)
    alone = first.go(make(model).begun(**first.start), 0, SAVED)
    one, two = make(model).begun(**first.start), make(model).begun(**second.start)
    for number in range(SAVED):
        second.go(two, number, number + 1)
        assert first.go(one, number, number + 1) == [alone[number]]


@each_model
def test_bytes_of_a_state_that_were_altered_are_refused_and_nothing_is_lost(make, model):
    play = PLAY_OF[model]
    one, other = make(model).begun(**play.start), make(model).begun(**play.start)
    for each in (one, other):
        play.go(each, 0, 10)
    data = one.written()
    altered = [
        b"",
        b"{}",
        b"\0",
        data[:-1],
        data[1:],
        data + b" ",
        data + b"\0",
        data[9:] + data[:9],
    ]
    rng = random.Random(model)
    for at in range(len(data)):
        altered.append(data[:at] + bytes([data[at] ^ rng.randrange(1, 256)]) + data[at + 1 :])
    for broken in altered:
        assert one.deserialise(broken)[0] == ERROR
        assert "the state cannot be restored" in one.messages[-1]
    assert play.go(one, 10, 20) == play.go(other, 10, 20)
    assert one.restores(data)


@each_model
def test_a_null_state_is_refused_and_the_instance_goes_on(make, model):
    play = PLAY_OF[model]
    one, other = make(model).begun(**play.start), make(model).begun(**play.start)
    for each in (one, other):
        play.go(each, 0, 10)
    for _ in range(3):
        assert one.load(ctypes.c_void_p(None)) == ERROR
        assert one.messages
    assert play.go(one, 10, 20) == play.go(other, 10, 20)


@pytest.mark.parametrize(
    ("model", "of"),
    [
        ("ModalShock", "BaseMotion"),
        ("BaseMotion", "ModalShock"),
        ("FrictionalShock", "ModalShock"),
        ("DisChoc", "FrictionalShock"),
    ],
)
def test_a_state_of_another_model_is_refused(make, model, of):
    one, other = make(model).begun(), make(of).begun()
    before = one.written()
    assert not one.restores(other.written())
    assert "it was saved by another model or by another version of it" in one.messages[-1]
    assert one.written() == before


@pytest.mark.parametrize(
    ("model", "parameter", "before", "after", "output"),
    [
        ("FrictionalShock", "friction_coefficient", 0.05, 0.0625, "friction_force"),
        ("BaseMotion", "amplitude", 1.0, 100.0, "acceleration"),
    ],
)
def test_a_restored_state_runs_with_its_own_parameters(
    make, model, parameter, before, after, output
):
    # Outputs cached by the model at `before` must not appear in the state saved at `after`.
    one = make(model)
    one.set(**{parameter: before})
    assert one.enter() == 0
    one.get(output)
    initial = one.save()
    one.set(**{parameter: after})
    assert one.changes("ExitInitializationMode")
    inputs = {"base_acceleration": 9.0} if model == "FrictionalShock" else {}
    assert one.steps(0.0, 0.25, **inputs)
    at_save, stepping = one.outputs(), one.save()
    assert abs(at_save[output]) > before
    assert one.steps(0.25, 0.25, **inputs)
    straight = one.outputs()
    assert one.load(initial) == 0
    one.set(**{parameter: after})
    assert one.load(stepping) == 0
    assert one.outputs() == at_save
    assert one.steps(0.25, 0.25, **inputs)
    assert one.outputs() == straight


def test_a_state_saved_between_wrong_and_right_parameters_comes_back(make):
    one = make()
    assert one.enter() == 0
    one.get("normal_force")
    one.set(mass=-1.0)
    state = one.save()
    one.set(mass=2.0)
    assert one.load(state) == 0
    assert one.get("mass") == -1.0
    one.set(mass=3.0)
    assert one.get("normal_force") == 30.0
    assert one.changes("ExitInitializationMode")
    assert one.steps(0.0, 1e-3)
