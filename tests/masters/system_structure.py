"""An SSP archive (System Structure and Parameterization 1.0) of the motion and the shoe.

One archive that FMPy, libcosim and ecos can read: no input is open, FMUs lie in resources/, start
values stand inline at their component, enumerations as integers, all in one named parameter set.
"""

from __future__ import annotations

import zipfile
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, indent, register_namespace, tostring

from harness.fmu.interface import FmuInterface

from .job import SINK, SOURCE, Job, codes

PARAMETER_SET = "start"

_NAMESPACE = "http://ssp-standard.org/SSP1/SystemStructure"
_SSD, _SSV, _SSC = (
    f"{{{_NAMESPACE}{part}}}" for part in ("Description", "ParameterValues", "Common")
)
_TYPES = {"Real": "Real", "Integer": "Integer", "Enumeration": "Integer", "Boolean": "Boolean"}


def write_ssp(job: Job, path: Path) -> Path:
    """Write the archive of a job and return its path.

    Raises
    ------
    FmuError
        If an FMU cannot be read.
    """
    for prefix, part in (("ssd", _SSD), ("ssv", _SSV), ("ssc", _SSC)):
        register_namespace(prefix, part.strip("{}"))
    motion, shoe = job.interfaces()
    root = Element(f"{_SSD}SystemStructureDescription", {"name": "ShakenShoe", "version": "1.0"})
    system = SubElement(root, f"{_SSD}System", {"name": "ShakenShoe"})
    elements = SubElement(system, f"{_SSD}Elements")
    _add_component(elements, "motion", motion, {SOURCE: "output"}, codes(motion, job.motion))
    connectors = {SINK: "input", **dict.fromkeys(job.outputs, "output")}
    _add_component(elements, "shoe", shoe, connectors, codes(shoe, job.shoe))
    connections = SubElement(system, f"{_SSD}Connections")
    SubElement(
        connections,
        f"{_SSD}Connection",
        {
            "startElement": "motion",
            "startConnector": SOURCE,
            "endElement": "shoe",
            "endConnector": SINK,
        },
    )
    SubElement(
        root, f"{_SSD}DefaultExperiment", {"startTime": "0.0", "stopTime": repr(job.stop_time)}
    )
    indent(root)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "SystemStructure.ssd", tostring(root, encoding="utf-8", xml_declaration=True)
        )
        for interface in (motion, shoe):
            archive.write(interface.path, f"resources/{interface.path.name}")
    return path


def _add_component(
    elements: Element,
    name: str,
    interface: FmuInterface,
    connectors: dict[str, str],
    values: dict[str, float | int | str],
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
        end = SubElement(ends, f"{_SSD}Connector", {"name": connector, "kind": kind})
        SubElement(end, f"{_SSC}Real")
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
