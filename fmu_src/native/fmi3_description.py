"""modelDescription.xml and terminalsAndIcons.xml of FMI 3.0, from the same tables as FMI 2.0."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from xml.etree.ElementTree import Element, SubElement

from fmu_src.bundled.definition import FmuDefinition, NativeForm, Terminal
from fmu_src.bundled.model_description import (
    add_log_and_experiment,
    add_types,
    add_units,
    declaration,
    description_root,
    start_text,
    type_attributes,
)
from fmu_src.bundled.variables import Variable
from fmu_src.native.fmi3_variables import Added, Role, added_to, has_events, scalars_of

_FMI_VERSION = "3.0"
_TYPES = {"Real": "Float64", "Integer": "Int32"}
_TIME = Variable("time", "independent", "Real", "Time", "s")
# Half the side of the icon, in the units of a drawing.
_HALF = 100.0


def fmi3_description(
    definition: FmuDefinition,
    guid: str,
    table: Sequence[Variable],
    *,
    generation_tool: str,
    log_categories: Mapping[str, str],
) -> Element:
    """Return the whole description as an XML element."""
    form, slave = definition.native, definition.slave
    assert form is not None
    scalars = scalars_of(form, table)
    added = added_to(form, scalars)
    identity = {
        "fmiVersion": _FMI_VERSION,
        "modelName": definition.name,
        "instantiationToken": guid,
    }
    root = description_root(slave, identity, generation_tool, scalars)
    SubElement(root, "CoSimulation", _capabilities(definition.name, form))
    add_units(root, (*scalars, _TIME))
    add_types(root, scalars, "EnumerationType")
    add_log_and_experiment(root, slave, log_categories)
    _add_variables(SubElement(root, "ModelVariables"), scalars, added)
    _add_structure(SubElement(root, "ModelStructure"), scalars, added)
    return root


def _capabilities(identifier: str, form: NativeForm) -> dict[str, str]:
    """Capabilities of a native slave (FMI 3.0, sections 2.4.2 and 4.3.1)."""
    flags = {
        "needsExecutionTool": False,
        "canBeInstantiatedOnlyOncePerProcess": False,
        "canGetAndSetFMUState": True,
        "canSerializeFMUState": True,
        "providesDirectionalDerivatives": True,
        "providesAdjointDerivatives": False,
        "providesPerElementDependencies": False,
        "canHandleVariableCommunicationStepSize": True,
        "providesIntermediateUpdate": False,
        "mightReturnEarlyFromDoStep": has_events(form),
        "canReturnEarlyAfterIntermediateUpdate": False,
        "hasEventMode": True,
        "providesEvaluateDiscreteStates": False,
    }
    return {
        "modelIdentifier": identifier,
        "maxOutputDerivativeOrder": "0",
        **{name: str(value).lower() for name, value in flags.items()},
    }


def _add_variables(variables: Element, scalars: Sequence[Variable], added: Sequence[Added]) -> None:
    references = {variable.name: str(index) for index, variable in enumerate(scalars)}
    for reference, variable in enumerate(scalars):
        _add_variable(variables, reference, variable, references)
    for reference, more in enumerate(added, start=len(scalars)):
        if more.role is Role.texts:
            _add_texts(variables, reference, more)
            continue
        element = _add_variable(variables, reference, _scalar_like(more, scalars), {})
        if "start" in element.attrib:
            element.set("start", " ".join(start_text(scalars[i]) for i in more.elements))
        for length in more.dimensions:
            SubElement(element, "Dimension", {"start": str(length)})


def _scalar_like(more: Added, scalars: Sequence[Variable]) -> Variable:
    """A scalar variable with the description of an added variable, without its dimensions."""
    if more.role is Role.time:
        return _TIME
    if more.role is Role.event_count:
        # A count can exceed 32 bits.
        return Variable(more.name, "output", "Int64", more.description, minimum=0)
    element = scalars[more.elements[0]]
    described = replace(element, name=more.name, description=more.description, derivative_of=None)
    if element.enumeration is None:
        return described
    # The schema of FMI 3.0.0 does not allow arrays of enumerations (allowed in 3.0.1). The same
    # call reads them as Int64.
    literals = ", ".join(f"{literal.value} {literal.name}" for literal in element.enumeration)
    description = f"{more.description} ({literals})"
    return replace(described, kind="Int64", enumeration=None, description=description)


def _add_variable(
    variables: Element, reference: int, variable: Variable, references: Mapping[str, str]
) -> Element:
    attributes = declaration(reference, variable) | type_attributes(variable, references)
    if variable.start is not None and variable.kind != "String":
        attributes["start"] = start_text(variable)
    element = SubElement(variables, _TYPES.get(variable.kind, variable.kind), attributes)
    if variable.kind == "String":
        SubElement(element, "Start", {"value": start_text(variable)})
    return element


def _add_texts(variables: Element, reference: int, more: Added) -> None:
    # Not an output: a master that records all outputs need not support arrays of texts.
    attributes = {
        "name": more.name,
        "valueReference": str(reference),
        "description": more.description,
        "causality": "local",
        "variability": "constant",
        "initial": "exact",
    }
    element = SubElement(variables, "String", attributes)
    for length in more.dimensions:
        SubElement(element, "Dimension", {"start": str(length)})
    for text in more.texts:
        SubElement(element, "Start", {"value": text})


def _add_structure(structure: Element, scalars: Sequence[Variable], added: Sequence[Added]) -> None:
    """Add the outputs. They depend on all inputs, at once in Event Mode, otherwise after a step."""
    inputs = [index for index, variable in enumerate(scalars) if variable.causality == "input"]
    unknowns = [index for index, variable in enumerate(scalars) if variable.causality == "output"]
    unknowns += [
        reference
        for reference, more in enumerate(added, start=len(scalars))
        if more.role is Role.event_count
        or (more.role is Role.elements and scalars[more.elements[0]].causality == "output")
    ]
    for reference in unknowns:
        attributes = {
            "valueReference": str(reference),
            "dependencies": " ".join(map(str, inputs)),
        }
        if inputs:
            attributes["dependenciesKind"] = " ".join("dependent" for _ in inputs)
        SubElement(structure, "Output", attributes)
    for reference in unknowns:
        SubElement(structure, "InitialUnknown", {"valueReference": str(reference)})


def terminals_and_icons(terminals: Sequence[Terminal]) -> Element:
    """Return the terminals, and the position of the icon."""
    root = Element("fmiTerminalsAndIcons", {"fmiVersion": _FMI_VERSION})
    picture = SubElement(root, "GraphicalRepresentation")
    corners = {"x1": -_HALF, "y1": -_HALF, "x2": _HALF, "y2": _HALF}
    square = {name: repr(value) for name, value in corners.items()}
    SubElement(picture, "CoordinateSystem", {**square, "suggestedScalingFactorTo_mm": "0.1"})
    SubElement(picture, "Icon", square)
    if not terminals:
        return root
    container = SubElement(root, "Terminals")
    for terminal in terminals:
        attributes = {
            "name": terminal.name,
            # A partner need not have all members.
            "matchingRule": "bus",
            "terminalKind": terminal.kind,
            "description": terminal.description,
        }
        element = SubElement(container, "Terminal", attributes)
        for member, variable in terminal.members.items():
            names = {"variableName": variable, "memberName": member, "variableKind": "signal"}
            SubElement(element, "TerminalMemberVariable", names)
    return root
