"""A system package (SSP 1.0, System Structure and Parameterization) of a base motion and a shoe.

FMPy, libcosim and ecos can read the archive. All required inputs are connected. FMUs are in
resources/. Start values are inline at their component in a named parameter set. Connectors have the
type and unit of their variable. Enumerations are integers, because libcosim terminates if it reads
the SSP type Enumeration. A structure may replace the shoe.
"""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, indent, register_namespace, tostring

from harness.fmu.interface import FmuInterface, read_interface
from harness.output_files import replacing

PARAMETER_SET = "start"
# The connected output of the motion and input of the shoe.
SOURCE = "acceleration"
SINK = "base_acceleration"

_NAMESPACE = "http://ssp-standard.org/SSP1/SystemStructure"
_PARTS = {
    "ssd": "Description",
    "ssv": "ParameterValues",
    "ssc": "Common",
}
_SSD, _SSV, _SSC = (f"{{{_NAMESPACE}{part}}}" for part in _PARTS.values())
_TYPES = {"Real": "Real", "Integer": "Integer", "Enumeration": "Integer", "Boolean": "Boolean"}
_NO_UNIT = "1"
_BASE_UNITS = ("kg", "m", "s", "A", "K", "mol", "cd", "rad")

_STRUCTURE_FILE = "SystemStructure.ssd"

Values = Mapping[str, float | int | str]


def write_system_package(
    path: Path,
    motion_fmu: Path,
    shoe_fmu: Path,
    *,
    motion: Values,
    shoe: Values,
    outputs: Sequence[str],
    stop_time: float,
    name: str = "shoe",
    sink: str = SINK,
) -> None:
    """Write the archive.

    - `motion_fmu`, `shoe_fmu`: BaseMotion, and FrictionalShock or another FMU
    - `motion`, `shoe`: start values of their parameters, with enumerations and booleans as integers
    - `outputs`: outputs of the shoe that are outputs of the system
    - `stop_time`: end of the default experiment [s], which starts at 0
    - `name`, `sink`: name of the second component, and its input that is connected to the motion

    Raises FmuError if an FMU cannot be read. Raises OSError if the file cannot be written.
    """
    for prefix, kind in _PARTS.items():
        register_namespace(prefix, f"{_NAMESPACE}{kind}")
    interfaces = {"motion": read_interface(motion_fmu), name: read_interface(shoe_fmu)}
    connectors = {
        "motion": {SOURCE: "output"},
        name: {sink: "input", **dict.fromkeys(outputs, "output")},
    }
    title = f"Shaken{name.title()}"
    root = Element(f"{_SSD}SystemStructureDescription", {"name": title, "version": "1.0"})
    system = SubElement(root, f"{_SSD}System", {"name": title})
    elements = SubElement(system, f"{_SSD}Elements")
    for component, values in (("motion", motion), (name, shoe)):
        _add_component(elements, component, interfaces[component], connectors[component], values)
    connections = SubElement(system, f"{_SSD}Connections")
    ends = ("startElement", "startConnector", "endElement", "endConnector")
    connected = dict(zip(ends, ("motion", SOURCE, name, sink), strict=True))
    SubElement(connections, f"{_SSD}Connection", connected)
    offered = [
        (interfaces[component], end) for component, ends in connectors.items() for end in ends
    ]
    _add_units(root, offered)
    SubElement(root, f"{_SSD}DefaultExperiment", {"startTime": "0.0", "stopTime": repr(stop_time)})
    indent(root)
    with replacing(path) as part, zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(_STRUCTURE_FILE, tostring(root, encoding="utf-8", xml_declaration=True))
        for interface in interfaces.values():
            archive.write(interface.path, f"resources/{interface.path.name}")


def _add_component(
    elements: Element,
    name: str,
    interface: FmuInterface,
    connectors: Mapping[str, str],
    values: Values,
) -> None:
    component = SubElement(
        elements,
        f"{_SSD}Component",
        {
            "name": name,
            "type": "application/x-fmu-sharedlibrary",
            "source": f"resources/{interface.path.name}",
        },
    )
    ends = SubElement(component, f"{_SSD}Connectors")
    for connector, kind in connectors.items():
        variable = interface.variables[connector]
        attributes = {"name": connector, "kind": kind}
        if variable.description:
            attributes["description"] = variable.description
        end = SubElement(ends, f"{_SSD}Connector", attributes)
        unit = {"unit": variable.unit or _NO_UNIT} if variable.type == "Real" else {}
        SubElement(end, f"{_SSC}{_TYPES[variable.type]}", unit)
    if not values:
        return
    bindings = SubElement(component, f"{_SSD}ParameterBindings")
    binding = SubElement(bindings, f"{_SSD}ParameterBinding")
    container = SubElement(binding, f"{_SSD}ParameterValues")
    parameter_set = SubElement(
        container, f"{_SSV}ParameterSet", {"version": "1.0", "name": PARAMETER_SET}
    )
    parameters = SubElement(parameter_set, f"{_SSV}Parameters")
    for variable, value in values.items():
        kind = interface.variables[variable].type
        text = str(bool(value)).lower() if kind == "Boolean" else str(value)
        parameter = SubElement(parameters, f"{_SSV}Parameter", {"name": variable})
        SubElement(parameter, f"{_SSV}{_TYPES.get(kind, 'String')}", {"value": text})


def _add_units(root: Element, offered: Sequence[tuple[FmuInterface, str]]) -> None:
    """Declare the units of the connectors in SI base units."""
    used = {}
    for interface, connector in offered:
        variable = interface.variables[connector]
        if variable.type == "Real":
            known = {unit.name: unit.baseUnit for unit in interface.description.unitDefinitions}
            used[variable.unit or _NO_UNIT] = known.get(variable.unit)
    units = SubElement(root, f"{_SSD}Units")
    for name, base in sorted(used.items()):
        exponents = {
            base_unit: str(getattr(base, base_unit))
            for base_unit in _BASE_UNITS
            if getattr(base, base_unit, 0)
        }
        SubElement(SubElement(units, f"{_SSC}Unit", {"name": name}), f"{_SSC}BaseUnit", exponents)
