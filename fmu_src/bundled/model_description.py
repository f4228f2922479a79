"""modelDescription.xml of a slave from its variable table (FMI 2.0, co-simulation)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from xml.etree.ElementTree import Element, SubElement

from .variables import Variable

AUTHOR = "The wearfmu authors"

# Accuracy of the results at the default step: the largest relative error of the reference cases is
# 1.6e-7 (see `wearfmu validate`).
TOLERANCE = 1e-6

# Quantity and SI exponents of each unit in the tables.
_UNITS: dict[str, tuple[str, dict[str, int]]] = {
    "kg": ("Mass", {"kg": 1}),
    "m": ("Length", {"m": 1}),
    "m2": ("Area", {"m": 2}),
    "m3": ("Volume", {"m": 3}),
    "m/s": ("Velocity", {"m": 1, "s": -1}),
    "m/s2": ("Acceleration", {"m": 1, "s": -2}),
    "N": ("Force", {"kg": 1, "m": 1, "s": -2}),
    "N.s": ("Impulse", {"kg": 1, "m": 1, "s": -1}),
    "N/m": ("TranslationalSpringConstant", {"kg": 1, "s": -2}),
    "m/N": ("TranslationalCompliance", {"kg": -1, "s": 2}),
    "N.s/m": ("TranslationalDampingConstant", {"kg": 1, "s": -1}),
    "J": ("Energy", {"kg": 1, "m": 2, "s": -2}),
    "W": ("Power", {"kg": 1, "m": 2, "s": -3}),
    "s/m": ("InverseVelocity", {"m": -1, "s": 1}),
    "m2/N": ("SpecificWearVolume", {"kg": -1, "m": 1, "s": 2}),
    "s": ("Time", {"s": 1}),
    "Hz": ("Frequency", {"s": -1}),
    "rad": ("Angle", {"rad": 1}),
    "1": ("", {}),
}


def model_description(
    slave: Any, guid: str, log_categories: Mapping[str, str], table: Sequence[Variable]
) -> Element:
    """Return the whole description of a class of slaves as an XML element.

    Outputs are values at the end of the last step. Setting an input does not change them, so their
    lists of dependencies are empty. At initialisation they follow from inputs and parameters.
    """
    name = slave.__name__
    identity = {"fmiVersion": "2.0", "modelName": name, "guid": guid}
    root = description_root(slave, identity, "wearfmu with PythonFMU", table)
    SubElement(
        root,
        "CoSimulation",
        {
            "modelIdentifier": name,
            "needsExecutionTool": "true",
            "canHandleVariableCommunicationStepSize": "true",
            "canInterpolateInputs": "false",
            "canBeInstantiatedOnlyOncePerProcess": "false",
            "canNotUseMemoryManagementFunctions": "true",
            "canGetAndSetFMUstate": "true",
            "canSerializeFMUstate": "true",
        },
    )
    add_units(root, table)
    add_types(root, table, "SimpleType", "Enumeration")
    add_log_and_experiment(root, slave, log_categories)
    variables = SubElement(root, "ModelVariables")
    indices = {variable.name: str(index) for index, variable in enumerate(table, start=1)}
    for reference, variable in enumerate(table):
        element = SubElement(variables, "ScalarVariable", declaration(reference, variable))
        details = type_attributes(variable, indices)
        if variable.start is not None:
            details["start"] = start_text(variable)
        SubElement(element, variable.kind, details)
    structure = SubElement(root, "ModelStructure")
    outputs = [i for i, variable in enumerate(table, start=1) if variable.causality == "output"]
    known = SubElement(structure, "Outputs")
    for index in outputs:
        SubElement(known, "Unknown", {"index": str(index), "dependencies": ""})
    initial = SubElement(structure, "InitialUnknowns")
    for index in outputs:
        SubElement(initial, "Unknown", {"index": str(index)})
    return root


def description_root(
    slave: Any, identity: Mapping[str, str], generation_tool: str, table: Sequence[Variable]
) -> Element:
    """Return the root element. `identity` contains the attributes of one version of FMI."""
    structured = any("." in variable.name for variable in table)
    return Element(
        "fmiModelDescription",
        {
            **identity,
            "description": slave.title,
            "author": AUTHOR,
            "version": slave.release,
            "license": "MIT",
            "generationTool": generation_tool,
            "variableNamingConvention": "structured" if structured else "flat",
        },
    )


def add_log_and_experiment(root: Element, slave: Any, log_categories: Mapping[str, str]) -> None:
    """Add the categories of the log and the default experiment."""
    categories = SubElement(root, "LogCategories")
    for category, meaning in log_categories.items():
        SubElement(categories, "Category", {"name": category, "description": meaning})
    experiment = {
        "startTime": "0.0",
        "stopTime": repr(slave.default_stop_time),
        "tolerance": repr(TOLERANCE),
        "stepSize": repr(slave.default_step_size),
    }
    SubElement(root, "DefaultExperiment", experiment)


def add_units(root: Element, table: Sequence[Variable]) -> None:
    """Add the definitions of the units of a table, in the form of FMI 2.0 and 3.0."""
    definitions = SubElement(root, "UnitDefinitions")
    units = {variable.unit: unit_of(variable)[1] for variable in table if variable.kind == "Real"}
    for unit, powers in sorted(units.items()):
        element = SubElement(definitions, "Unit", {"name": unit})
        SubElement(element, "BaseUnit", {base: str(power) for base, power in powers.items()})


def unit_of(variable: Variable) -> tuple[str, dict[str, int]]:
    """Return the quantity of a variable's unit, and its powers of the base units."""
    if variable.unit not in _UNITS:
        raise ValueError(
            f"{variable.name}: unit {variable.unit!r} must be one of {', '.join(_UNITS)}. Add "
            f"a new unit with its quantity and base units to the table of {__name__}"
        )
    return _UNITS[variable.unit]


def add_types(root: Element, table: Sequence[Variable], *elements: str) -> None:
    """Add the enumerations of a table. `elements` are the nested elements of each of them."""
    enumerations = {variable.enumeration: None for variable in table if variable.enumeration}
    definitions = SubElement(root, "TypeDefinitions") if enumerations else root
    for enumeration in enumerations:
        meaning = " ".join((enumeration.__doc__ or "").split())
        element = definitions
        for tag in elements:
            element = SubElement(element, tag)
        definitions[-1].attrib.update(name=enumeration.__name__, description=meaning)
        for member in enumeration:
            item = {"name": member.name, "value": str(member.value), "description": member.meaning}
            SubElement(element, "Item", item)


def start_text(variable: Variable) -> str:
    """Return the start value of a variable that has one, as text of the description."""
    if variable.kind == "Boolean":
        return str(variable.start).lower()
    if variable.kind == "Real":
        return repr(float(variable.start))
    return str(variable.start) if variable.kind == "String" else str(int(variable.start))


def _range_texts(variable: Variable) -> dict[str, str]:
    """Bounds and nominal value of a number, by FMI's attributes."""
    texts = {}
    if variable.kind in ("Real", "Integer", "Int64"):
        convert = float if variable.kind == "Real" else int
        if variable.minimum is not None:
            texts["min"] = repr(convert(variable.minimum))
        if variable.maximum is not None:
            texts["max"] = repr(convert(variable.maximum))
    if variable.nominal is not None:
        texts["nominal"] = repr(variable.nominal)
    return texts


def declaration(reference: int, variable: Variable) -> dict[str, str]:
    """Return name, causality and variability of a variable, by FMI's attributes."""
    attributes = {
        "name": variable.name,
        "valueReference": str(reference),
        "description": variable.description,
        "causality": variable.causality,
        "variability": variable.variability,
    }
    if variable.causality == "parameter":
        attributes["initial"] = "exact"
    elif variable.causality == "output":
        attributes["initial"] = "calculated"
    return attributes


def type_attributes(variable: Variable, references: Mapping[str, str]) -> dict[str, str]:
    """Return type and range of a variable, without its start value, by FMI's attributes.

    `references` are the texts by which a derivative refers to other variables, by their names.
    """
    attributes: dict[str, str] = {}
    if variable.enumeration is not None:
        attributes["declaredType"] = variable.enumeration.__name__
    if variable.kind == "Real":
        quantity = unit_of(variable)[0]
        if quantity:
            attributes["quantity"] = quantity
        attributes["unit"] = variable.unit
    attributes |= _range_texts(variable)
    if variable.derivative_of is not None:
        attributes["derivative"] = references[variable.derivative_of]
    return attributes
