"""Random runs in FMI 3.0, with masters that stop at each event or never stop.

The master that stops continues in another instance, restored in event mode, after each event. The
runs are the same as in the tests of the kernel's events.
"""

import ctypes
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from fmu_src.bundled.definition import FmuDefinition
from fmu_src.models import definition_of
from fmu_src.native.fmi3_variables import ReturnAt, scalars_of
from fmu_src.native.instance_data import INSTANCE_FILE, instance_data
from wearmodel import InputTiming

from ..wearmodel.models.frictional_shock import random_lives
from ..wearmodel.models.modal_shock.structures import (
    random_structure,
    shaking,
    with_friction_of_speed,
)
from ..wearmodel.models.random_springs import STEP, random_spring
from .fmi3_host import C_TYPES, ERROR, OK, Host3, StepEnd, size_of

LIVES = 60
MANY_LIVES = 10_000
TOKEN = "{lives}"
# A structure is used in several runs, because its preparation takes longer than a run.
LIVES_OF_A_STRUCTURE = 5
MODAL_STEP, MODAL_STEPS = 2e-3, 25


@dataclass(frozen=True)
class Life:
    """Values that a master sets before the start and before each step."""

    definition: FmuDefinition
    step_size: float
    start: dict[str, Any]
    steps: list[dict[str, float]]


def given(parameters: Any) -> dict[str, Any]:
    """Return the parameters of a model that differ from the defaults."""
    values = {item.name: getattr(parameters, item.name) for item in fields(parameters)}
    default = type(parameters)()
    return {name: value for name, value in values.items() if value != getattr(default, name)}


def life_of_a_shock(seed: int) -> Life:
    life = random_lives.random_life(seed)
    first, *steps = (
        dict(zip(random_lives.INPUTS, life.inputs(step), strict=True))
        for step in range(random_lives.STEPS + 1)
    )
    start = {**given(life.parameters), **first}
    return Life(definition_of("FrictionalShock"), life.step_size, start, steps)


def life_of_a_spring(seed: int) -> Life:
    parameters, legs = random_spring(seed)
    return Life(definition_of("DisChoc"), STEP, given(parameters), legs)


def life_of_a_structure(
    seed: int, obstacles: Sequence[str] = ("plane", "two_planes", "circle")
) -> Life:
    number = seed // LIVES_OF_A_STRUCTURE
    structure = random_structure(number, modes=3, obstacles=obstacles)
    if number % 3 == 1:
        structure = with_friction_of_speed(structure, number)
    inputs = shaking(seed)
    first, *steps = (inputs(step * MODAL_STEP) for step in range(MODAL_STEPS + 1))
    start = {"input_timing": InputTiming.end, **first}
    return Life(definition_of("ModalShock", structure), MODAL_STEP, start, steps)


LIFE: dict[str, Callable[[int], Life]] = {
    "FrictionalShock": life_of_a_shock,
    "DisChoc": life_of_a_spring,
    "ModalShock": life_of_a_structure,
    "ModalShock in polygons": partial(life_of_a_structure, obstacles=["polygon"]),
}
TOO_MUCH_HAPPENS = ("too many changes within one step", "pieces within one step")
# The minimum mean number of events per run.
EVENTS = {
    "FrictionalShock": 4.0,
    "DisChoc": 4.0,
    "ModalShock": 4.0,
    "ModalShock in polygons": 8.0,
}


class Subject(Host3):
    """An instance of a run's FMU, whose outputs are read by few calls."""

    def __init__(self, folder: Path, resources: Path, life: Life, *, stops: bool) -> None:
        super().__init__(folder)
        form = life.definition.native
        assert form is not None
        table = scalars_of(form, life.definition.slave.table)
        self.kinds = [
            {"Real": "Float64", "Boolean": "Boolean", "String": "String"}.get(
                variable.kind, "Int32" if variable.enumeration is None else "Int64"
            )
            for variable in table
        ]
        self.references = {variable.name: number for number, variable in enumerate(table)}
        self.references["event_count"] = len(table)
        self.kinds.append("Int64")
        outputs = [
            number
            for number, variable in enumerate(table)
            if variable.causality == "output" and variable.name != "input_prediction_error"
        ]
        self.groups = {
            kind: [number for number in outputs if self.kinds[number] == kind]
            for kind in ("Float64", "Int32", "Int64", "Boolean")
        }
        self.stops = stops
        assert self.make(
            event_mode=stops, early_return=stops, token=TOKEN, resources=str(resources)
        ), self.messages

    def begin(self, life: Life) -> None:
        """Initialise up to the first step."""
        assert self.call("fmi3Reset") == OK, self.messages
        self.give(life.start)
        self.give({"return_at": ReturnAt.all if self.stops else ReturnAt.none})
        assert self.enter() == OK, self.messages
        assert self.call("fmi3ExitInitializationMode") == OK, self.messages
        if self.stops:
            assert self.update() == OK, self.messages
            assert self.call("fmi3EnterStepMode") == OK, self.messages

    def give(self, values: dict[str, Any]) -> None:
        for name, value in values.items():
            number = self.references[name]
            assert self.set_reference(self.kinds[number], number, value) == OK, self.messages

    def count(self) -> int:
        """Return the number of events so far."""
        status, (count,) = self.get_reference("Int64", self.references["event_count"])
        assert status == OK, self.messages
        return int(count)

    def seen(self) -> list[float]:
        """Return all outputs."""
        values: list[float] = []
        for kind, numbers in self.groups.items():
            if numbers:
                array = (C_TYPES[kind] * len(numbers))()
                status = self.call(
                    f"fmi3Get{kind}",
                    (ctypes.c_uint32 * len(numbers))(*numbers),
                    *(size_of(len(numbers)), array, size_of(len(numbers))),
                )
                assert status == OK, self.messages
                values += map(float, array)
        return values


@dataclass
class Followed:
    """Results of runs: events at which a master stopped, and differences between both masters.

    Differences are relative for values above 1. `refused` counts runs in which a step has more
    events than the kernel allows.
    """

    stops: int = 0
    difference: float = 0.0
    refused: int = 0


class Lives:
    """Successive runs of a model."""

    def __init__(self, folder: Path, work: Path, of: Callable[[int], Life]) -> None:
        self.folder, self.work, self.of = folder, work, of
        self.followed = Followed()
        self._key: object = None
        self._subjects: list[Subject] = []

    def follow(self, seed: int) -> None:
        """Compare a run that stops at each event with the same run without stops."""
        life = self.of(seed)
        whole, parted, other = self.subjects(life)
        for subject in (whole, parted, other):
            subject.begin(life)
        for step, inputs in enumerate(life.steps):
            begin, end = step * life.step_size, (step + 1) * life.step_size
            for subject in (whole, parted):
                subject.give(inputs)
            done = whole.step(begin, end - begin)
            if self.is_refused(whole, done):
                return
            assert (done.status, done.event, done.early) == (OK, False, False), seed
            time = begin
            while time < end:
                done = parted.step(time, end - time)
                if self.is_refused(parted, done):
                    return
                assert done.status == OK, (seed, parted.messages)
                # Stops are at increasing times, and each has an event.
                assert done.time > time, seed
                assert done.event or not done.early, seed
                time = done.time if done.early else end
                if done.event:
                    self.followed.stops += 1
                    pass_by_way_of(parted, other, time, life.step_size)
                    parted, other = other, parted
            for value, stopped in zip(whole.seen(), parted.seen(), strict=True):
                difference = abs(value - stopped) / max(1.0, abs(value))
                self.followed.difference = max(self.followed.difference, difference)
        assert parted.count() == whole.count(), seed

    def is_refused(self, subject: Subject, done: StepEnd) -> bool:
        """Return whether a step is refused because it has too many events."""
        is_refused = done.status == ERROR and any(
            reason in subject.messages[-1] for reason in TOO_MUCH_HAPPENS
        )
        self.followed.refused += is_refused
        return is_refused

    def subjects(self, life: Life) -> list[Subject]:
        """Return an instance that never stops and two that stop."""
        key = life.definition.native
        if key is not self._key:
            self.free()
            self._key = key
            content = instance_data(TOKEN, life.definition, life.definition.slave.table, fmi=3)
            (self.work / INSTANCE_FILE).write_bytes(content)
            self._subjects = [
                Subject(self.folder, self.work, life, stops=stops) for stops in (False, True, True)
            ]
        return self._subjects

    def free(self) -> None:
        for subject in self._subjects:
            subject.free()


def pass_by_way_of(parted: Subject, other: Subject, time: float, step_size: float) -> None:
    """Handle an event, and handle it again in another instance restored in event mode."""
    before, count = parted.seen(), parted.count()
    assert parted.call("fmi3EnterEventMode") == OK, parted.messages
    state = parted.save()
    content = parted.serialise(state)
    parted.release(state)
    after = parted.seen()
    assert after != before
    assert parted.count() == count + 1
    assert parted.update() == OK, parted.messages
    assert parted.seen() == after
    assert parted.count() == count + 1
    assert parted.call("fmi3EnterStepMode") == OK, parted.messages
    parted.step(time, step_size)

    status, state = other.deserialise(content)
    assert status == OK, other.messages
    assert other.load(state) == OK, other.messages
    other.release(state)
    assert other.seen() == after
    assert other.count() == count + 1
    assert other.update() == OK, other.messages
    assert other.seen() == after
    assert other.count() == count + 1
    assert other.call("fmi3EnterStepMode") == OK, other.messages


@pytest.fixture
def lives(unpacked3: Callable[[str], Path], tmp_path: Path) -> Iterator[Callable[[str], Lives]]:
    """Create the runs of a model by its name."""
    made: list[Lives] = []

    def of(name: str) -> Lives:
        made.append(Lives(unpacked3(name.split()[0]), tmp_path, LIFE[name]))
        return made[-1]

    yield of
    for each in made:
        each.free()


def follow(lives: Lives, seeds: range) -> Followed:
    for seed in seeds:
        lives.follow(seed)
    return lives.followed


@pytest.mark.parametrize("name", LIFE)
def test_random_lives_pass_each_event_once_and_end_where_ones_that_never_stop_do(lives, name):
    followed = follow(lives(name), range(LIVES))
    assert followed.refused == 0
    assert followed.stops > EVENTS[name] * LIVES
    assert followed.difference < 1e-10


@pytest.mark.campaign
@pytest.mark.parametrize("name", LIFE)
def test_ten_thousand_random_lives_pass_each_event_once(lives, name):
    followed = follow(lives(name), range(MANY_LIVES))
    assert followed.refused < 0.01 * MANY_LIVES
    assert followed.stops > EVENTS[name] * MANY_LIVES
    assert followed.difference < 1e-10
