"""Builds ``native/FrictionalShock.fmu``: the archive with a library for each platform.

Its variables, units and types are those of the Python FMU, from the same table. The same sources,
translator, compiler and platforms give the same guid.
"""

from __future__ import annotations

import hashlib
import tempfile
import uuid
import zipfile
from collections.abc import Sequence
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from xml.etree.ElementTree import Element, indent, tostring

from fmu_src.frictional_shock import FrictionalShock
from fmu_src.model_description import model_description
from fmu_src.native.compile import PLATFORMS, compile_library, host_platform
from fmu_src.native.requirements import require_tools
from fmu_src.native.tables import table_header
from fmu_src.native.translate import joined_kernel, translate_kernel

NAME = "FrictionalShock"

_LAYER = ("slave.cpp", "model.hpp", "derivatives.hpp", "text.hpp")
_TOOLS = ("pythran", "ziglang", "fmpy")
# One date for every archive member: the bytes depend on the content alone.
_DATE = (1980, 1, 1, 0, 0, 0)

# What a native slave can do beyond a Python one (FMI 2.0, section 4.3.1).
_CAPABILITIES = {
    "needsExecutionTool": "false",
    "canInterpolateInputs": "true",
    "maxOutputDerivativeOrder": "0",
    "providesDirectionalDerivative": "true",
}


def native_fmu_path(folder: Path) -> Path:
    """Where the native FMU of a folder of FMUs lies: beside the Python FMUs, not in their place."""
    return folder / "native" / f"{NAME}.fmu"


def build_native_fmu(folder: Path, platforms: Sequence[str] = ()) -> Path:
    """Build ``folder/native/FrictionalShock.fmu`` and return its path.

    Parameters
    ----------
    folder
        Folder of the built FMUs.
    platforms
        Names of `PLATFORMS`; each adds a library to the archive. Default: the one this runs on.

    Raises
    ------
    MissingToolError
        The extra `native` is not installed.
    ValueError
        There is no platform of that name.
    RuntimeError
        The translator or the compiler refuses; the message is its own.
    """
    platforms = platforms or (host_platform(),)
    if not set(platforms) <= set(PLATFORMS):
        raise ValueError(f"platforms={list(platforms)!r} must be some of: {', '.join(PLATFORMS)}")
    require_tools()
    guid = _guid(platforms)
    target = native_fmu_path(Path(folder))
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="wearfmu_") as temporary:
        workshop = Path(temporary)
        translate_kernel(workshop)
        (workshop / "tables.hpp").write_text(table_header(guid), encoding="utf-8")
        members = {"modelDescription.xml": _description(guid)}
        for name in platforms:
            library = compile_library(PLATFORMS[name], workshop, NAME)
            members[f"binaries/{name}/{library.name}"] = library.read_bytes()
    _write_archive(target, members)
    return target


def is_stale(fmu_path: Path) -> bool:
    """True where the FMU is missing, unreadable, or built from other sources than the present."""
    try:
        with zipfile.ZipFile(fmu_path) as archive:
            text = archive.read("modelDescription.xml").decode()
            folders = {name.split("/")[1] for name in archive.namelist() if "binaries/" in name}
    except (OSError, KeyError, ValueError, zipfile.BadZipFile):
        return True
    return _guid(sorted(folders)) not in text


def _guid(platforms: Sequence[str]) -> str:
    """A guid that follows from all that makes the FMU."""
    content = hashlib.sha256()
    for tool in _TOOLS:
        content.update(f"{tool} {version(tool)}\0".encode())
    folder = files("fmu_src.native")
    for name in (*_LAYER, "builder.py", "compile.py", "tables.py", "translate.py"):
        content.update(folder.joinpath(name).read_bytes())
    content.update(f"{joined_kernel()}\0{table_header('')}\0".encode())
    content.update(_description(""))
    content.update(" ".join(sorted(platforms)).encode())
    return f"{{{uuid.uuid5(uuid.NAMESPACE_URL, f'wearfmu/native/{content.hexdigest()}')}}}"


def _description(guid: str) -> bytes:
    """modelDescription.xml: that of the Python FMU with a native slave's capabilities."""
    root: Element = model_description(
        name=NAME,
        identifier=NAME,
        guid=guid,
        description=FrictionalShock.title,
        version=FrictionalShock.release,
        log_categories={
            "logStatusDiscard": "Steps that could not be taken, with the reason",
            "logStatusError": "Illegal calls, with the reason",
        },
        table=FrictionalShock.table,
        step_size=FrictionalShock.default_step_size,
        stop_time=FrictionalShock.default_stop_time,
    )
    root.set("generationTool", "wearfmu with Pythran")
    slave = root.find("CoSimulation")
    assert slave is not None
    slave.attrib.update(_CAPABILITIES)
    indent(root)
    text: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return text


def _write_archive(target: Path, members: dict[str, bytes]) -> None:
    """Write the members in order with one date; the target appears at once."""
    partial = target.with_suffix(".partial")
    with zipfile.ZipFile(partial, "w") as archive:
        for name, content in sorted(members.items()):
            member = zipfile.ZipInfo(name, date_time=_DATE)
            member.compress_type = zipfile.ZIP_DEFLATED
            member.external_attr = (0o755 if name.startswith("binaries/") else 0o644) << 16
            member.create_system = 3
            archive.writestr(member, content)
    partial.replace(target)
