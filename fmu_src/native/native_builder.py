"""Builds native FMUs: the archive with a library for each platform.

Variables, units and types come from the same table as in the Python FMU. The same sources,
start values and platforms give the same guid.
"""

from __future__ import annotations

import hashlib
import uuid
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, indent, tostring

from fmu_src.archive.archive_file import damage_of, write_archive
from fmu_src.archive.documentation import enclosures
from fmu_src.archive.reference_results import reference_files
from fmu_src.archive.start_values import checked_start_values, table_with
from fmu_src.bundled.definition import FmuDefinition
from fmu_src.bundled.model_description import model_description
from fmu_src.models import fmu_definition, native_fmu_names
from fmu_src.native import FMI_VERSIONS
from fmu_src.native.cpp_tables import LOG_CATEGORIES, library_form
from fmu_src.native.fmi3_description import fmi3_description, terminals_and_icons
from fmu_src.native.fmi3_variables import further_parameters, scalars_of
from fmu_src.native.instance_data import INSTANCE_FILE, instance_data
from fmu_src.native.model_library import FMI_LAYER, model_library
from wearmodel.compiled.platform_libraries import PLATFORMS, host_platform

_GENERATION_TOOL = "wearfmu with Pythran"
# Capabilities of a native slave that differ from a Python slave (FMI 2.0, section 4.3.1).
_CAPABILITIES = {
    "needsExecutionTool": "false",
    "maxOutputDerivativeOrder": "0",
    "providesDirectionalDerivative": "true",
}
# Names of platforms that differ in FMI 3.0 (section 2.5.1.4.1).
_FMI3_PLATFORMS = {
    "linux64": "x86_64-linux",
    "win64": "x86_64-windows",
    "darwin64": "x86_64-darwin",
}


def native_fmu_path(folder: Path, file_stem: str, fmi: int = 2) -> Path:
    """Return the path of a native FMU in a folder of FMUs: in a subfolder of its own."""
    place = folder / "native" / "fmi3" if fmi == 3 else folder / "native"
    return place / f"{file_stem}.fmu"


def _platform_folder(platform: str, fmi: int) -> str:
    """Name of the folder of a platform's library in the archive."""
    return _FMI3_PLATFORMS.get(platform, platform) if fmi == 3 else platform


def write_native_fmu(
    model: str | FmuDefinition,
    target: Path,
    platforms: Sequence[str] = (),
    *,
    start_values: Mapping[str, Any] | None = None,
    dependencies: bool = False,
    fmi: int = 2,
) -> None:
    """Build a native FMU as the file `target`.

    Parameters
    ----------
    model, start_values
        As for `fmu_src.archive.builder.build_fmu`, with a native form. The library does not depend
        on structure and start values.
    target
        The file, usually a `native_fmu_path`.
    platforms
        Names of `PLATFORMS`. Each adds a library to the archive. Default: the present platform.
    dependencies
        Whether the description lists for each output the inputs that its directional derivatives
        depend on, for tools that use this sparsity.
    fmi
        Version of FMI, one of `FMI_VERSIONS`. The library is the same for both.

    Raises
    ------
    MissingToolError
        A ready-made library of the present sources does not exist, and the extra `native` is not
        installed.
    ValueError
        The native FMU or the platform does not exist, or `start_values` are invalid, see
        `checked_start_values`.
    RuntimeError
        The translator or the compiler fails, with its message.
    """
    platforms = platforms or (host_platform(),)
    if not set(platforms) <= set(PLATFORMS):
        raise ValueError(f"platforms={list(platforms)!r} must be some of: {', '.join(PLATFORMS)}")
    if fmi not in FMI_VERSIONS:
        raise ValueError(f"fmi={fmi!r} must be one of: {', '.join(map(str, FMI_VERSIONS))}")
    fmu = _NativeFmu(model, start_values, dependencies, fmi)
    definition = fmu.definition
    members = {}
    for platform in platforms:
        file = f"{definition.name}{PLATFORMS[platform].suffix}"
        members[f"binaries/{_platform_folder(platform, fmi)}/{file}"] = model_library(
            definition, PLATFORMS[platform], FMI_LAYER
        )
    guid = fmu.guid(platforms)
    members["modelDescription.xml"] = fmu.description(guid)
    members[f"resources/{INSTANCE_FILE}"] = instance_data(guid, definition, fmu.table, fmi=fmi)
    if not fmu.values and not definition.resources:
        members.update(reference_files(definition))
    target.parent.mkdir(parents=True, exist_ok=True)
    write_archive(target, {**members, **fmu.enclosed})


def is_stale(
    fmu_path: Path,
    platforms: Sequence[str] = (),
    *,
    model: str | FmuDefinition | None = None,
    start_values: Mapping[str, Any] | None = None,
    dependencies: bool = False,
    fmi: int = 2,
) -> bool:
    """Whether the FMU is missing or damaged, or `write_native_fmu` would write a different FMU.

    For the parameters see `write_native_fmu`. The default of `model` is the file name without its
    suffix. The FMU must contain libraries for the platforms, and can contain further libraries.
    """
    try:
        with zipfile.ZipFile(fmu_path) as archive:
            text = archive.read("modelDescription.xml").decode()
            folders = {path.split("/")[1] for path in archive.namelist() if "binaries/" in path}
        fmu = _NativeFmu(model or Path(fmu_path).stem, start_values, dependencies, fmi)
    except (OSError, KeyError, ValueError, RuntimeError, zipfile.BadZipFile, zlib.error):
        return True
    served = [name for name in PLATFORMS if _platform_folder(name, fmi) in folders]
    if not set(platforms or (host_platform(),)) <= set(served) or len(served) < len(folders):
        return True
    return fmu.guid(served) not in text or damage_of(fmu_path) is not None


class _NativeFmu:
    """Contents of a native FMU of a version of FMI, without its libraries.

    ValueError if the FMU does not exist, or the start values are invalid.
    """

    def __init__(
        self,
        model: str | FmuDefinition,
        start_values: Mapping[str, Any] | None,
        dependencies: bool,
        fmi: int,
    ) -> None:
        self.definition = definition = fmu_definition(model)
        if definition.native is None:
            names = ", ".join(native_fmu_names())
            raise ValueError(
                f"{definition.name} does not have a native form: choose one of {names}"
            )
        self._form = definition.native
        self._shows_dependencies = dependencies
        self._fmi = fmi
        further = further_parameters(definition, fmi)
        self.values = checked_start_values(definition, start_values, further)
        table = definition.slave.table
        self.table = table_with(scalars_of(self._form, table) if fmi == 3 else table, self.values)
        # Documentation, icon and licences. FMI 3.0 has a folder for icon and terminals.
        self.enclosed = enclosures(definition, self.values, native=True, fmi=fmi)
        if fmi == 3:
            folder = "terminalsAndIcons"
            self.enclosed[f"{folder}/icon.png"] = self.enclosed.pop("model.png")
            terminals = terminals_and_icons(self._form.terminals)
            self.enclosed[f"{folder}/terminalsAndIcons.xml"] = _xml_text(terminals)

    def guid(self, platforms: Sequence[str]) -> str:
        """Return the guid. It depends on all contents of the FMU, but not on the compiler."""
        content = hashlib.sha256(library_form(self.definition).encode())
        sources = files("fmu_src")
        for name in (
            "archive/archive_file.py",
            "archive/reference_results.py",
            "native/native_builder.py",
            # The experiment of the reference results.
            f"models/{self.definition.module}.py",
        ):
            content.update(sources.joinpath(name).read_bytes())
        content.update(instance_data("", self.definition, self.table, fmi=self._fmi))
        content.update(self.description(""))
        for path, part in sorted(self.enclosed.items()):
            content.update(path.encode() + b"\0" + part)
        content.update(" ".join(sorted(platforms)).encode())
        return f"{{{uuid.uuid5(uuid.NAMESPACE_URL, f'wearfmu/native/{content.hexdigest()}')}}}"

    def description(self, guid: str) -> bytes:
        """Return modelDescription.xml."""
        if self._fmi == 2:
            return _xml_text(self._fmi2_description(guid))
        root = fmi3_description(
            self.definition,
            guid,
            self.table,
            generation_tool=_GENERATION_TOOL,
            log_categories=LOG_CATEGORIES,
        )
        return _xml_text(root)

    def _fmi2_description(self, guid: str) -> Element:
        """Return the description of the Python FMU with the capabilities of a native slave."""
        root = model_description(self.definition.slave, guid, LOG_CATEGORIES, self.table)
        root.set("generationTool", _GENERATION_TOOL)
        slave = root.find("CoSimulation")
        assert slave is not None
        slave.attrib.update(_CAPABILITIES)
        if self._form.input_derivatives is not None:
            slave.set("canInterpolateInputs", "true")
        if self._shows_dependencies:
            numbered = enumerate(self.table, start=1)
            inputs = [str(i) for i, variable in numbered if variable.causality == "input"]
            for unknown in root.iterfind("ModelStructure/Outputs/Unknown"):
                unknown.set("dependencies", " ".join(inputs))
                unknown.set("dependenciesKind", " ".join("dependent" for _ in inputs))
        return root


def _xml_text(root: Element) -> bytes:
    indent(root)
    text: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return text
