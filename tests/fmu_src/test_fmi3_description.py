"""Descriptions of FMI 3.0, checked by the schemas of the standard and compared with FMI 2.0."""

from importlib.resources import files
from xml.etree.ElementTree import Element, tostring

import pytest
from lxml import etree

from fmu_src.bundled.definition import FmuDefinition
from fmu_src.models import definition_of, fmu_definition, native_fmu_names
from fmu_src.native.cpp_tables import LOG_CATEGORIES
from fmu_src.native.fmi3_description import fmi3_description, terminals_and_icons
from fmu_src.native.fmi3_variables import added_to, has_events, scalars_of
from wearmodel.structure.document import structure_of

SCHEMAS = files("fmpy") / "schema" / "fmi3"
each_model = pytest.mark.parametrize("name", native_fmu_names())


def described(definition: FmuDefinition) -> Element:
    return fmi3_description(
        definition,
        "{token}",
        definition.slave.table,
        generation_tool="test",
        log_categories=LOG_CATEGORIES,
    )


def problems(root: Element, schema: str) -> list[str]:
    """Return the errors that the schema of a file finds."""
    judge = etree.XMLSchema(etree.parse(str(SCHEMAS / schema)))
    judge.validate(etree.fromstring(tostring(root)))
    return [str(problem) for problem in judge.error_log]


@each_model
def test_the_description_keeps_to_the_schema(name):
    root = described(fmu_definition(name))
    assert problems(root, "fmi3ModelDescription.xsd") == []


@each_model
def test_the_terminals_keep_to_the_schema_and_name_variables(name):
    definition = fmu_definition(name)
    assert definition.native is not None
    root = terminals_and_icons(definition.native.terminals)
    assert problems(root, "fmi3TerminalsAndIcons.xsd") == []
    members = [member.get("variableName") for member in root.iter("TerminalMemberVariable")]
    assert set(members) <= {variable.name for variable in definition.slave.table}
    assert bool(members) == (name in ("DisChoc", "ModalShock"))


@each_model
def test_the_scalars_have_the_references_that_they_have_in_fmi_2(name):
    definition = fmu_definition(name)
    variables = described(definition).find("ModelVariables")
    assert variables is not None
    references = {one.get("name"): one.get("valueReference") for one in variables}
    for reference, variable in enumerate(definition.slave.table):
        assert references[variable.name] == str(reference)
    assert sorted(map(int, references.values())) == list(range(len(references)))


@each_model
def test_each_output_stands_once_in_the_structure(name):
    root = described(fmu_definition(name))
    outputs = [
        one.get("valueReference") for one in root.iterfind("ModelVariables/*[@causality='output']")
    ]
    for element in ("Output", "InitialUnknown"):
        listed = root.iterfind(f"ModelStructure/{element}")
        assert [one.get("valueReference") for one in listed] == outputs


@each_model
def test_one_variable_is_the_time_and_it_has_no_start(name):
    root = described(fmu_definition(name))
    (time,) = root.iterfind("ModelVariables/*[@causality='independent']")
    assert (time.tag, time.get("name"), time.get("unit")) == ("Float64", "time", "s")
    assert time.get("start") is time.get("initial") is None


@each_model
def test_a_model_returns_early_where_its_kernel_knows_events(name):
    definition = fmu_definition(name)
    assert definition.native is not None
    flags = described(definition).find("CoSimulation")
    assert flags is not None
    events = str(has_events(definition.native)).lower()
    assert flags.get("mightReturnEarlyFromDoStep") == events
    assert flags.get("hasEventMode") == "true"
    assert flags.get("canReturnEarlyAfterIntermediateUpdate") == "false"
    names = {one.get("name") for one in described(definition).iterfind("ModelVariables/*")}
    wanted = {"event_count", "return_at", "minimum_return_interval"}
    assert wanted & names == (wanted if events == "true" else set())


def test_arrays_are_the_outputs_of_the_contacts_row_by_row():
    definition = fmu_definition("ModalShock")
    assert definition.native is not None
    scalars = scalars_of(definition.native, definition.slave.table)
    arrays = {more.name: more for more in added_to(definition.native, scalars)}
    force = arrays["contact_friction_force"]
    assert force.dimensions == (2, 3)
    assert [scalars[element].name for element in force.elements] == [
        f"support_{number}.friction_force_{axis}" for number in (1, 2) for axis in "xyz"
    ]
    assert arrays["contact_names"].texts == ("support_1", "support_2")
    # Each output of a contact is in exactly one array.
    elements = [element for more in arrays.values() for element in more.elements]
    assert sorted(scalars[element].name for element in elements) == sorted(
        variable.name
        for variable in scalars
        if variable.causality == "output" and variable.name.startswith("support_")
    )


def test_a_structure_without_contacts_has_no_arrays():
    structure = structure_of(
        {
            "structure": {"title": "A mode", "source": "none"},
            "modes": {"frequency": [3.0], "damping_ratio": 0.0},
            "base": {"participation_x": [1.0]},
            "point": [{"name": "end", "shape_x": [1.0]}],
            "observe": [{"point": "end"}],
        }
    )
    definition = definition_of("ModalShock", structure)
    assert definition.native is not None
    added = added_to(definition.native, definition.slave.table)
    assert [more.name for more in added if more.elements or more.texts] == []
    assert problems(described(definition), "fmi3ModelDescription.xsd") == []


def test_no_array_is_an_enumeration_which_the_first_schema_does_not_know():
    # An error in the schema of FMI 3.0.0, fmi3Enumeration, which 3.0.1 corrects (fmi-standard, pull
    # request 1838).
    variables = described(fmu_definition("ModalShock")).find("ModelVariables")
    assert variables is not None
    arrays = {one.get("name"): one.tag for one in variables if one.find("Dimension") is not None}
    assert arrays["contact_mode"] == "Int64"
    assert "Enumeration" not in arrays.values()
