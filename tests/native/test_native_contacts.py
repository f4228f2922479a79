"""DisChoc with a file of contacts: Python, native and FMI 3.0 give the bits of the model."""

import math
import time
from pathlib import Path

import fmpy
import fmpy.validation
import numpy as np
import pytest

from fmu_src.archive.builder import build_fmu
from fmu_src.models import definition_of
from tests.native_fmus import build_native_fmu
from wearmodel import ContactElement
from wearmodel.models.contact_element import contact_inputs
from wearmodel.structure import contacts_of

from .conftest import OK
from .fmi3_host import Host3
from .test_directional_derivatives import derivatives, differences

STEP = 0.05
RUBBING = {
    "contact_stiffness": 1.0,
    "contact_damping": 0.1,
    "tangential_stiffness": 1.0,
    "friction_coefficient": 0.2,
}
CONTACTS = contacts_of(
    {
        "structure": {"title": "Two bodies that meet each other and obstacles of all kinds"},
        "point": [
            {"name": "left", "effective_mass": 1.0},
            {"name": "right", "effective_mass": 2.0},
            {"name": "foot", "body": "right"},
        ],
        "contact": [
            {
                "name": "meeting",
                "point": "right",
                "second_point": "left",
                "obstacle": "plane",
                "normal": [1.0, 0.0, 0.0],
                "gap": 0.1,
                **RUBBING,
            },
            {
                "name": "hole",
                "point": "left",
                "obstacle": "circle",
                "axis": [1.0, 0.0, 0.0],
                "gap": 0.1,
                **RUBBING,
            },
            {
                "name": "guide",
                "point": "foot",
                "obstacle": "polygon",
                "axis": [1.0, 0.0, 0.0],
                "sides": 5,
                "gap": 0.1,
                **RUBBING,
            },
            {
                "name": "walls",
                "point": "foot",
                "obstacle": "two_planes",
                "normal": [1.0, 0.0, 0.0],
                "gap": 1.2,
                **RUBBING,
            },
        ],
    }
)
MASSES = np.array([1.0, 2.0])
NAMES = [declared.name for declared in contact_inputs(CONTACTS)]


class Bodies:
    """Two bodies: inputs of a step, and their displacements under the mean forces."""

    def __init__(self):
        self.places = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
        self.velocities = np.array([[1.0, 0.3, 0.1], [-0.5, 0.2, -0.1]])

    def inputs(self):
        owners = (0, 1, 1)
        rows = [[*self.places[body], *self.velocities[body]] for body in owners]
        return dict(zip(NAMES, map(float, np.ravel(rows)), strict=True))

    def move(self, outputs):
        forces = np.array(
            [
                [outputs[f"{point}.mean_force_{axis}"] for axis in "xyz"]
                for point in ("left", "right", "foot")
            ]
        )
        acceleration = np.array([forces[0], forces[1] + forces[2]]) / MASSES[:, None]
        self.places = self.places + STEP * self.velocities + 0.5 * STEP**2 * acceleration
        self.velocities = self.velocities + STEP * acceleration


def bits(outputs):
    return [float(value).hex() for value in outputs.values()]


@pytest.fixture(scope="module")
def definition():
    return definition_of("DisChoc", contacts=CONTACTS)


@pytest.fixture(scope="module", params=["python", "native"])
def fmu(request, definition, tmp_path_factory):
    folder = tmp_path_factory.mktemp("contacts")
    if request.param == "python":
        return build_fmu(definition, folder)
    return build_native_fmu(definition, folder)


@pytest.mark.parametrize("lag", [0, 1], ids=["serial", "parallel"])
def test_an_fmu_gives_the_bits_of_the_model(fmu, lag, host):
    bodies = Bodies()
    model = ContactElement(CONTACTS, lag=lag, **bodies.inputs())
    instance = host(fmu)
    instance.initialise(lag=lag, **bodies.inputs())
    seen = set()
    for number in range(300):
        model.step(STEP, **bodies.inputs())
        assert instance.steps(number * STEP, STEP, **bodies.inputs()), instance.messages
        expected = model.outputs()
        assert bits(instance.outputs()) == bits(expected)
        seen |= {name for name, value in expected.items() if "contact_mode" in name and value}
        bodies.move(expected)
    assert len(seen) == len(CONTACTS.contacts)


@pytest.mark.parametrize("lag", [0, 1], ids=["serial", "parallel"])
def test_mean_forces_have_derivatives_by_the_displacements(definition, tmp_path, host, lag):
    bodies = Bodies()
    native = host(build_native_fmu(definition, tmp_path))
    native.initialise(lag=lag, **bodies.inputs())
    outputs = [
        f"{point}.mean_force_{axis}" for point in ("left", "right", "foot") for axis in "xyz"
    ]
    touched = set()
    for number in range(120):
        time, inputs = number * STEP, bodies.inputs()
        # All points of a body have the same displacement.
        for points in [("left",), ("right", "foot")] if number % 10 == 0 else []:
            axis = "xyz"[number // 10 % 3]
            direction = {f"{point}.displacement_{axis}": 1.0 for point in points}
            expected = differences(native, time, inputs, outputs, direction, STEP, 1e-7)
            state = native.save()
            assert native.step(time, STEP, **inputs) == OK
            found = derivatives(native, *outputs, **direction)
            # Rounding of the differences is 1e-9. If the order of events changes, the slopes on
            # both sides differ by 25 times the distance.
            assert found == pytest.approx(expected, rel=1e-5, abs=1e-6)
            touched |= {name for name, slope in zip(outputs, found, strict=True) if slope}
            assert native.load(state) == OK
        assert native.step(time, STEP, **inputs) == OK
        bodies.move(native.outputs())
    assert len(touched) > 5


def test_fmi_3_gives_the_bits_of_the_model(definition, tmp_path):
    path = build_native_fmu(definition, tmp_path, fmi=3)
    assert fmpy.validation.validate_fmu(str(path)) == []
    bodies = Bodies()
    model = ContactElement(CONTACTS, **bodies.inputs())
    host = Host3(Path(fmpy.extract(str(path), str(tmp_path / "unpacked"))))
    host.initialise(**bodies.inputs())
    for number in range(100):
        model.step(STEP, **bodies.inputs())
        assert host.step(number * STEP, STEP, **bodies.inputs()).status == OK
        expected = model.outputs()
        names = ("left.mean_force_x", "hole.wear_work", "foot.impulse_y", "right.mass_seen")
        assert [host.get(name) for name in names] == [expected[name] for name in names]
        bodies.move(expected)
    host.free()


def test_sixteen_contacts_cost_at_most_sixteen_times_one(tmp_path, host):
    """Compare step times of native FMUs in which all contacts of a body are closed and slide."""

    def duration(count):
        law = {"obstacle": "plane", "normal": [1.0, 0.0, 0.0], **RUBBING}
        contacts = contacts_of(
            {
                "point": [{"name": "P", "effective_mass": 1.0}],
                "contact": [{"name": f"c{i}", "point": "P", **law} for i in range(count)],
            }
        )
        own = definition_of("DisChoc", contacts=contacts)
        instance = host(build_native_fmu(own, tmp_path, file_stem=f"contacts_{count}"))
        instance.initialise()
        steps, best = 300, math.inf
        for first in range(0, 5 * steps, steps):
            start = time.process_time()
            for number in range(first, first + steps):
                turn = math.sin(0.1 * number)
                place = {"P.displacement_x": -1.0, "P.displacement_y": 0.5 * turn}
                assert instance.steps(number * STEP, STEP, **place), instance.messages
            best = min(best, time.process_time() - start)
        return best

    assert duration(16) <= 16.0 * duration(1)
