"""Saved states of a native FMU that were altered or belong to another model are refused."""

import ctypes

import pytest

from fmu_src.models import native_fmu_names

from ..fmu_src.conftest import Host
from ..fmu_src.test_readers import judge, judge_unknown, wrong_pairs

OK, ERROR = 0, 3
STEP = 1e-3

each_model = pytest.mark.parametrize("name", native_fmu_names())


def run(one: Host, first: int, last: int) -> None:
    inputs = [v.name for v in one.description.modelVariables if v.causality == "input"]
    for step in range(first, last):
        values = dict.fromkeys(inputs[:1], 3.0 * (-1) ** (step // 3))
        assert one.step(step * STEP, STEP, **values) == OK


def refusal(one: Host, data: bytes) -> str:
    """Return the reason why bytes are refused as a state."""
    one.messages.clear()
    assert not one.restores(data)
    (message,) = one.messages
    return message


@pytest.mark.parametrize(
    ("name", "of"),
    [
        ("ModalShock", "BaseMotion"),
        ("BaseMotion", "ModalShock"),
        ("FrictionalShock", "ModalShock"),
        ("DisChoc", "FrictionalShock"),
    ],
)
def test_a_state_of_another_model_is_refused_before_it_is_looked_at(native_fmus, host, name, of):
    one, other = host(native_fmus(name)).initialise(), host(native_fmus(of)).initialise()
    before = one.outputs()
    foreign = other.save()
    size = ctypes.c_size_t(1 << 20)
    buffer = (ctypes.c_char * size.value)()
    for function, arguments in (
        ("fmi2SetFMUstate", (foreign,)),
        ("fmi2GetFMUstate", (ctypes.byref(foreign),)),
        ("fmi2SerializedFMUstateSize", (foreign, ctypes.byref(ctypes.c_size_t()))),
        ("fmi2SerializeFMUstate", (foreign, buffer, size)),
        ("fmi2FreeFMUstate", (ctypes.byref(foreign),)),
    ):
        assert one.call(function, *arguments) == ERROR
        assert (
            f"{function}: it was saved by another model or by another version of it"
            in one.messages[-1]
        )
    assert "it was saved by another model or by another version of it" in refusal(
        one, other.serialise(foreign)
    )
    assert one.outputs() == before
    run(one, 0, 5)
    assert other.call("fmi2FreeFMUstate", ctypes.byref(foreign)) == OK


@each_model
def test_a_wrong_reader_is_answered_as_the_python_fmu_answers_it(pair_of, name):
    both = pair_of(name)()
    for one in both:
        one.initialise()
        run(one, 0, 3)
    judge_unknown(both[0])
    for variable, reader in wrong_pairs(both[0]):
        for one in both:
            judge(one, variable, reader)
    for one in both:
        run(one, 3, 6)
    assert both[0].outputs() == both[1].outputs()
