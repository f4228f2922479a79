"""Builds ``native/FrictionalShock.fmu``: the archive with a library for each platform.

Its variables, units and types are those of the Python FMU, from the same table. The same sources,
start values, translator, compiler and platforms give the same guid.
"""

from __future__ import annotations

import hashlib
import tempfile
import uuid
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, indent, tostring

from fmu_src.archive.archive_file import damage_of, write_archive
from fmu_src.archive.enclosures import enclosures
from fmu_src.archive.reference_results import reference_files
from fmu_src.archive.start_values import checked_start_values, table_with
from fmu_src.bundled.model_description import model_description
from fmu_src.bundled.variables import Variable
from fmu_src.models.frictional_shock import FrictionalShock
from fmu_src.native.compile import PLATFORMS, compile_library, host_platform
from fmu_src.native.requirements import require_tools
from fmu_src.native.tables import LOG_CATEGORIES, table_header
from fmu_src.native.translate import joined_kernel, translate_kernel

NAME = "FrictionalShock"

_LAYER = ("slave.cpp", "model.hpp", "derivatives.hpp", "text.hpp")
_TOOLS = ("pythran", "ziglang", "fmpy")
# What makes the archive beside the layer and the enclosures; `start_values.py` shows in the table.
_BUILDERS = ("builder.py", "compile.py", "tables.py", "translate.py")

# What a native slave can do beyond a Python one (FMI 2.0, section 4.3.1).
_CAPABILITIES = {
    "needsExecutionTool": "false",
    "canInterpolateInputs": "true",
    "maxOutputDerivativeOrder": "0",
    "providesDirectionalDerivative": "true",
}

# The motion along the normal, which knows nothing of the other one.
_NORMAL_INPUTS = ("base_acceleration_normal", "normal_load")
_NORMAL_OUTPUTS = (
    "normal_force",
    "gap",
    "gap_velocity",
    "shock_count",
    "peak_normal_force",
    "impact_impulse",
    "support_force_normal",
)


def native_fmu_path(folder: Path, file_stem: str = NAME) -> Path:
    """Where a native FMU of a folder of FMUs lies: beside the Python FMUs, not in their place."""
    return folder / "native" / f"{file_stem}.fmu"


def build_native_fmu(
    folder: Path,
    platforms: Sequence[str] = (),
    *,
    file_stem: str = NAME,
    start_values: Mapping[str, Any] | None = None,
    dependencies: bool = False,
) -> Path:
    """Build ``folder/native/FrictionalShock.fmu`` and return its path.

    Parameters
    ----------
    folder
        Folder of the built FMUs.
    platforms
        Names of `PLATFORMS`; each adds a library to the archive. Default: the one this runs on.
    file_stem
        Name of the file without its suffix.
    start_values
        Other defaults of parameters, by name, for an FMU of a case of its own; enumerations by
        number or literal name.
    dependencies
        Whether the description lists for each output the inputs that its directional derivatives
        follow, for tools that take sparsity from there.

    Raises
    ------
    MissingToolError
        The extra `native` is not installed.
    ValueError
        There is no platform of that name, or `start_values` are none; see `checked_start_values`.
    RuntimeError
        The translator or the compiler refuses; the message is its own.
    """
    target = native_fmu_path(Path(folder), file_stem)
    write_native_fmu(target, platforms, start_values=start_values, dependencies=dependencies)
    return target


def write_native_fmu(
    target: Path,
    platforms: Sequence[str] = (),
    *,
    start_values: Mapping[str, Any] | None = None,
    dependencies: bool = False,
) -> None:
    """Build a native FMU as the file `target`; otherwise as `build_native_fmu`."""
    platforms = platforms or (host_platform(),)
    if not set(platforms) <= set(PLATFORMS):
        raise ValueError(f"platforms={list(platforms)!r} must be some of: {', '.join(PLATFORMS)}")
    values = checked_start_values(NAME, start_values)
    require_tools()
    table = table_with(FrictionalShock.table, values)
    enclosed = enclosures(FrictionalShock, values, native=True)
    guid = _guid(platforms, table, enclosed, dependencies)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="wearfmu_") as temporary:
        workshop = Path(temporary)
        translate_kernel(workshop)
        (workshop / "tables.hpp").write_text(table_header(guid, table), encoding="utf-8")
        members = {"modelDescription.xml": _description(guid, table, dependencies)}
        for name in platforms:
            library = compile_library(PLATFORMS[name], workshop, NAME)
            members[f"binaries/{name}/{library.name}"] = library.read_bytes()
    if not values:
        members.update(reference_files(FrictionalShock))
    write_archive(target, {**members, **enclosed})


def is_stale(
    fmu_path: Path,
    platforms: Sequence[str] = (),
    *,
    start_values: Mapping[str, Any] | None = None,
    dependencies: bool = False,
) -> bool:
    """True where the FMU is missing, damaged, or not what `build_native_fmu` gives at present.

    Parameters
    ----------
    fmu_path
        The file.
    platforms
        Those it must serve, and may serve others besides; default the one this runs on.
    start_values
        What its parameters should have in the place of the defaults.
    dependencies
        Whether its description should list those of the outputs.
    """
    try:
        with zipfile.ZipFile(fmu_path) as archive:
            text = archive.read("modelDescription.xml").decode()
            folders = {name.split("/")[1] for name in archive.namelist() if "binaries/" in name}
        values = checked_start_values(NAME, start_values)
    except (OSError, KeyError, ValueError, RuntimeError, zipfile.BadZipFile, zlib.error):
        return True
    if not set(platforms or (host_platform(),)) <= folders:
        return True
    table = table_with(FrictionalShock.table, values)
    enclosed = enclosures(FrictionalShock, values, native=True)
    if _guid(sorted(folders), table, enclosed, dependencies) not in text:
        return True
    return damage_of(fmu_path) is not None


def _guid(
    platforms: Sequence[str],
    table: Sequence[Variable],
    enclosed: Mapping[str, bytes],
    dependencies: bool,
) -> str:
    """A guid that follows from all that makes the FMU."""
    content = hashlib.sha256()
    for tool in _TOOLS:
        content.update(f"{tool} {version(tool)}\0".encode())
    sources = files("fmu_src")
    for name in (
        "archive/archive_file.py",
        "archive/reference_results.py",
        *(f"native/{one}" for one in (*_LAYER, *_BUILDERS)),
    ):
        content.update(sources.joinpath(name).read_bytes())
    content.update(f"{joined_kernel()}\0{table_header('', table)}\0".encode())
    content.update(_description("", table, dependencies))
    for path, part in sorted(enclosed.items()):
        content.update(path.encode() + b"\0" + part)
    content.update(" ".join(sorted(platforms)).encode())
    return f"{{{uuid.uuid5(uuid.NAMESPACE_URL, f'wearfmu/native/{content.hexdigest()}')}}}"


def _description(guid: str, table: Sequence[Variable], dependencies: bool) -> bytes:
    """modelDescription.xml: that of the Python FMU with a native slave's capabilities."""
    root: Element = model_description(
        name=NAME,
        identifier=NAME,
        guid=guid,
        description=FrictionalShock.title,
        version=FrictionalShock.release,
        log_categories=LOG_CATEGORIES,
        table=table,
        step_size=FrictionalShock.default_step_size,
        stop_time=FrictionalShock.default_stop_time,
    )
    root.set("generationTool", "wearfmu with Pythran")
    slave = root.find("CoSimulation")
    assert slave is not None
    slave.attrib.update(_CAPABILITIES)
    if dependencies:
        _declare_dependencies(root, table)
    indent(root)
    text: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return text


def _declare_dependencies(root: Element, table: Sequence[Variable]) -> None:
    """List the inputs that each output depends on, in the place of none."""
    inputs = {one.name: str(i) for i, one in enumerate(table, start=1) if one.causality == "input"}
    for unknown in root.iterfind("ModelStructure/Outputs/Unknown"):
        output = table[int(unknown.attrib["index"]) - 1].name
        known = _NORMAL_INPUTS if output in _NORMAL_OUTPUTS else tuple(inputs)
        unknown.set("dependencies", " ".join(inputs[name] for name in known))
        unknown.set("dependenciesKind", " ".join("dependent" for _ in known))
