"""The native form of a model is declared and derived. C++ uses only counts and entry points."""

import re
from operator import mul
from pathlib import Path

import pytest

import fmu_src
from fmu_src.bundled.definition import FmuDefinition
from fmu_src.models import fmu_definition, fmu_definitions
from fmu_src.models.modal_shock import with_structure
from fmu_src.native.cpp_tables import form_header
from fmu_src.native.entry_points import EntryPoints, entry_points
from fmu_src.native.fmi3_variables import ReturnAt
from tests.structures import modal_structure, point
from wearmodel.compiled.declarations import index_constants, index_name, state_object_fields
from wearmodel.kernel.events import EventKinds
from wearmodel.kernel.limits import SAMPLE_LENGTH
from wearmodel.models.structure_buffers import lane_count

from .conftest import saved_count

LAYER = sorted((Path(fmu_src.__file__).parent / "native").glob("*.[ch]pp"))
NATIVE = [one for one in fmu_definitions() if one.native is not None]


@pytest.fixture
def shoe() -> EntryPoints:
    """Return the entry points of FrictionalShock."""
    return entry_points(fmu_definition("FrictionalShock"))


@pytest.mark.parametrize("file", LAYER, ids=lambda one: one.name)
def test_the_fmi_layer_names_no_quantity_of_any_model(file):
    words = set(re.findall(r"\w+", file.read_text(encoding="utf-8")))
    kinds = state_object_fields()
    fields = {field for state_object in kinds.values() for field in state_object}
    names = {variable.name for one in fmu_definitions() for variable in one.slave.table}
    # Single words such as `time` may be names of the layer. FMI's step size is also a name of a
    # scheme.
    quantities = {name for name in fields | names if "_" in name} - {"step_size"}
    indices = {index_name(kind, field) for kind, of in kinds.items() for field in of}
    assert sorted(words & (quantities | indices)) == []


@pytest.mark.parametrize("definition", NATIVE, ids=lambda one: one.name)
def test_all_that_a_native_form_names_is_there(definition):
    form, entry = definition.native, entry_points(definition)
    assert form is not None
    for field in (*form.accumulated, *form.discrete):
        assert entry.saved_indices(field), field
    assert form_header(definition)


def test_the_saved_state_is_what_the_start_fills_in_its_order(shoe):
    index = index_constants()
    assert list(shoe.saved().values()) == [
        "shoe.State",
        "inputs.Samples",
        "shoe.Predictions",
        "shoe.Present",
    ]
    assert shoe.saved_indices("wear_work") == [index["shoe_State_wear_work"]]
    before_now = index["shoe_State_COUNT"] + index["inputs_Samples_COUNT"] * SAMPLE_LENGTH
    before_now += index["shoe_Predictions_COUNT"] * index["inputs_Errors_COUNT"]
    assert shoe.saved_indices("time") == [before_now + index["shoe_Present_time"]]
    assert saved_count(shoe) == before_now + index["shoe_Present_COUNT"]
    # The dimensions of the kernel's rows agree with the indices.
    shapes = block_places(fmu_definition("FrictionalShock"))
    assert shapes["s"] == (index["shoe_State_COUNT"],)
    assert shapes["samples"] == (index["inputs_Samples_COUNT"], SAMPLE_LENGTH)
    assert shapes["now"] == (index["shoe_Present_COUNT"],)


def block_places(definition: FmuDefinition) -> dict[str, tuple[int, ...]]:
    """Return the shape of each argument in the header, by its name in kernel.cpp."""
    entry, form = entry_points(definition), definition.native
    assert form is not None
    (listed,) = re.findall(
        r"Argument arguments\[\] = \{\n(.*?)\n\};", form_header(definition), re.DOTALL
    )
    rows = re.findall(r"(.*) /\* (\w+) \*/", listed)
    taken = re.findall(r"(\w+)\(blocks\[(\d+)\]\.place", entry.kernel_source())
    assert [name for _, name in rows] == [name for name, _ in taken]
    assert [int(number) for _, number in taken] == list(range(len(rows)))
    dimensions = [entry.counts["input"], *form.dimensions.values()]
    shapes = {}
    for text, name in rows:
        axes = re.findall(r"\{(\d+), \{([\d, ]+)\}\}", text)
        assert text.strip().startswith(f"{{{len(axes)}, ")
        shapes[name] = tuple(
            int(offset) + sum(map(mul, map(int, factors.split(",")), dimensions))
            for offset, factors in axes
        )
    return shapes


def test_the_saved_state_of_a_structure_has_a_record_a_contact():
    entry = entry_points(fmu_definition("ModalShock"))
    index = index_constants()
    modes, contacts, inputs = lane_count(6), 2, 4
    assert list(entry.saved()) == [
        *("motion", "contacts", "side_works", "samples", "predictions", "now", "present")
    ]
    size = index["contact_ContactState_COUNT"]
    before = 2 * modes
    assert entry.saved_indices("wear_work") == [
        before + number * size + index["contact_ContactState_wear_work"]
        for number in range(contacts)
    ]
    sides = block_places(fmu_definition("ModalShock"))["side_works"]
    assert sides == (contacts, 0)  # no contact is a polygon
    before += contacts * size + index["inputs_Samples_COUNT"] * (1 + inputs)
    assert entry.saved_indices("order") == [
        before + number * index["inputs_Errors_COUNT"] + index["inputs_Errors_order"]
        for number in range(inputs)
    ]
    before += inputs * index["inputs_Errors_COUNT"]
    assert entry.saved_indices("time") == [before + index["structure_StructurePresent_time"]]
    assert saved_count(entry) == before + index["structure_StructurePresent_COUNT"] + inputs
    shapes = block_places(fmu_definition("ModalShock"))
    assert shapes["contacts"] == (contacts, size)
    assert shapes["shapes"] == (3 * contacts, modes)
    # Types contain the lengths of state objects, but not of structures.
    assert f"View<double, ANY, {size}> contacts;" in entry.kernel_source()
    assert "View<double, ANY, ANY> shapes;" in entry.kernel_source()
    assert f"View<double, {index['structure_Modes_COUNT']}, ANY> modes;" in entry.kernel_source()


@pytest.mark.parametrize("modes", [1, 4, 6, 7])
def test_all_rows_of_a_structure_are_as_long_as_its_form_says(modes):
    frequencies = [10.0 * (number + 1) for number in range(modes)]
    shape = [1.0] * modes
    structure = modal_structure(
        frequencies, points=[point("end", y=shape)], observe=[{"point": "end"}]
    )
    entry = entry_points(with_structure(fmu_definition("ModalShock"), structure))
    rows = entry.form.rows()
    for name, kind in entry.arguments().items():
        entry.content(rows.get(name, ()), name, kind)  # raises ValueError if lengths differ


def test_a_field_of_records_within_a_record_is_found_in_each(shoe):
    index = index_constants()
    first = (
        index["shoe_State_COUNT"]
        + index["inputs_Samples_COUNT"] * SAMPLE_LENGTH
        + index["inputs_Errors_order"]
    )
    assert shoe.saved_indices("order") == [
        first + row * index["inputs_Errors_COUNT"] for row in range(4)
    ]


def test_exports_have_the_types_of_their_records(shoe):
    assert (
        "shoe_steps_outputs(float64[], float64[], float64[:,:] order(C), float64[])"
        in shoe.exports()
    )
    assert (
        "shoe_steps_step(float64[], float64[], float64[:,:] order(C), float64[:,:] order(C), "
        "float64[:,:] order(C), float64[:,:] order(C), float64[], float64[], float64, "
        "float64[:,:] order(C))"
    ) in shoe.exports()


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("shoe.steps.stop", "kernel/shoe.steps does not contain a function stop"),
        (
            "series.polynomials.evaluate",
            "kernel/series.polynomials.evaluate: count is int; it must be a state object, rows, or",
        ),
    ],
)
def test_an_entry_point_that_cannot_be_called_is_refused(where, message):
    from fmu_src.native.entry_points import _entry_point

    with pytest.raises(ValueError, match=message):
        _entry_point(where)


def test_the_choice_of_events_has_its_kinds_by_its_number():
    header = form_header(fmu_definition("FrictionalShock"))
    (listed,) = re.findall(r"kinds_of_returns\[\] = \{([^}]*)\}", header)
    kinds = [EventKinds(int(number)) for number in listed.split(",") if number.strip()]
    wanted = [EventKinds.none, EventKinds.shocks, EventKinds.slip_changes, EventKinds.all]
    assert kinds == wanted
    assert [choice.name for choice in ReturnAt] == [kind.name for kind in wanted]
