"""Builds Python FMUs: each contains its own copy of the kernel under a name with a digest.

A plain `wearmodel` on the host's path would shadow a bundled package of that name. Python also
caches modules by name, so that two FMUs, or two versions of one, would run each other's code.
Therefore the sources are in ``resources/wearfmu_<digest>/`` and the script is
``<model>_<digest>.py``.

The archive also contains an icon, documentation from the same variable table, reference results of
one experiment, and the licences.
"""

from __future__ import annotations

import ast
import hashlib
import re
import sys
import tempfile
import uuid
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

from pythonfmu import FmuBuilder

from wearmodel.written_files import named

from ..bundled.definition import FmuDefinition
from ..models import fmu_definition
from .archive_file import damage_of, write_archive
from .documentation import enclosures
from .library_repair import (
    with_exceptions_as_errors,
    with_refused_steps_as_errors,
    without_second_release,
)
from .licences import python_licences
from .reference_results import reference_files
from .start_values import checked_start_values


def build_fmu(
    model: str | FmuDefinition,
    destination: Path,
    *,
    file_stem: str | None = None,
    start_values: Mapping[str, Any] | None = None,
) -> Path:
    """Build an FMU in the folder `destination`, created if missing, and return its path.

    The same sources give the same bytes. `model` is one of `fmu_src.models.fmu_names`, or a
    `fmu_src.models.definition_of` with a structure or a motion. `file_stem` is the name of the file
    without its suffix, by default the name of the model. `start_values` are other defaults of
    parameters by name, for enumerations a number or a name. An FMU with a structure, a motion or
    `start_values` does not contain reference results.

    ValueError if the FMU does not exist, or `start_values` are invalid, see `checked_start_values`.
    """
    definition = fmu_definition(model)
    sources = _bundled_sources(definition)
    values = checked_start_values(definition, start_values)
    digest = _digest(definition, sources, values)
    package = f"wearfmu_{digest}"
    script_name = f"{definition.module}_{digest}"
    destination = Path(destination)
    destination.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(prefix="wearfmu_") as folder,
        named(Path(folder), unnamed_only=True),
    ):
        root = Path(folder)
        for relative, content in sources.items():
            path = root / package / relative
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
        script = root / f"{script_name}.py"
        script.write_text(_script(definition, package, digest, values), encoding="utf-8")
        resources = [root / package]
        for file_name, text in definition.resources.items():
            (root / file_name).write_text(text, encoding="utf-8")
            resources.append(root / file_name)
        built = _run_builder(script, resources, root / f"{definition.name}.fmu")
        fmu_path = destination / f"{file_stem or definition.name}.fmu"
        write_archive(
            fmu_path,
            {
                **_repaired_members(built),
                **enclosures(definition, values),
                **({} if values or definition.resources else reference_files(definition)),
            },
        )
    return fmu_path


def is_stale(
    fmu_path: Path,
    model: str | FmuDefinition | None = None,
    *,
    start_values: Mapping[str, Any] | None = None,
) -> bool:
    """Whether the FMU is missing or damaged, or `build_fmu` would write a different FMU.

    For the parameters see `build_fmu`. The default of `model` is the file name without its suffix.
    """
    try:
        with zipfile.ZipFile(fmu_path) as archive:
            script_name = archive.read("resources/slavemodule.txt").decode().strip()
        definition = fmu_definition(model or Path(fmu_path).stem)
        values = checked_start_values(definition, start_values)
        digest = _digest(definition, _bundled_sources(definition), values)
        expected = f"{definition.module}_{digest}"
        return script_name != expected or damage_of(fmu_path) is not None
    except (OSError, KeyError, ValueError, RuntimeError, zipfile.BadZipFile, zlib.error):
        return True


def _bundled_sources(definition: FmuDefinition) -> dict[str, str]:
    """Text of the slave and of every module of the project that it imports, by path."""
    sources = {"__init__.py": ""}

    def add(module: str) -> None:
        folder, _, stem = module.rpartition(".")
        path = f"{module.replace('.', '/')}.py"
        if path in sources:
            return
        text = files(folder).joinpath(f"{stem}.py").read_text(encoding="utf-8")
        # The copies of the two packages are both in a third package.
        depth = "." * (module.count(".") + 1)
        sources[path] = re.sub(r"^from wearmodel\b", f"from {depth}wearmodel", text, flags=re.M)
        parents = folder.split(".")
        for count in range(1, len(parents) + 1):
            sources["/".join([*parents[:count], "__init__.py"])] = ""
        for imported in _imports(text, folder):
            add(imported)

    add(f"fmu_src.models.{definition.module}")
    return sources


# The cache parses each text once. Models share most modules, and each run checks its FMU.
@cache
def _imports(text: str, package: str) -> tuple[str, ...]:
    """Modules of the project that a module of `package` with this text imports in an FMU."""
    # Imports within functions, or for type checkers only, are not executed in an FMU.
    return tuple(
        imported
        for node in ast.parse(text).body
        if isinstance(node, ast.ImportFrom)
        for imported in _imported_modules(node, package)
    )


def _imported_modules(node: ast.ImportFrom, package: str) -> Iterator[str]:
    """Modules of the project in an import statement of a module of `package`."""
    parents = package.split(".")[: package.count(".") + 2 - node.level] if node.level else []
    source = ".".join([*parents, *([node.module] if node.module else [])])
    if source.split(".")[0] in ("wearmodel", "fmu_src"):
        for alias in node.names:
            is_module = (
                files(source.split(".")[0])
                .joinpath(*source.split(".")[1:], f"{alias.name}.py")
                .is_file()
            )
            yield f"{source}.{alias.name}" if is_module else source


def _digest(
    definition: FmuDefinition, sources: dict[str, str], start_values: Mapping[str, Any]
) -> str:
    """Short digest of the FMU: sources, resources, start values, and its builder."""
    content = hashlib.sha256()
    content.update(version("pythonfmu").encode())
    for entry in sorted(files("fmu_src.archive").iterdir(), key=lambda path: path.name):
        if entry.is_file():
            content.update(entry.read_bytes())
    for file, text in python_licences().items():
        content.update(f"\0{file}\0{text}".encode())
    for relative, text in [*sorted(sources.items()), *sorted(definition.resources.items())]:
        content.update(f"\0{relative}\0{text}".encode())
    content.update(repr(sorted(start_values.items())).encode())
    return content.hexdigest()[:12]


def _script(
    definition: FmuDefinition, package: str, digest: str, start_values: Mapping[str, Any]
) -> str:
    name = definition.name
    guid = uuid.uuid5(uuid.NAMESPACE_URL, f"wearfmu/{name}/{digest}")
    # At every instantiation pythonfmu runs the script again and releases a reference to the
    # module's dictionary that it does not own. Without an additional reference the dictionary is
    # freed while the slave uses it, and the host crashes.
    script = (
        "import ctypes\n\n"
        # First, because it must precede any import of `threading`.
        f"import {package}.fmu_src.bundled.thread_state\n"
        f"from {package}.fmu_src.models.{definition.module} import {name}\n\n"
        "ctypes.pythonapi.Py_IncRef(ctypes.py_object(globals()))\n"
    )
    if definition.resources:
        # Only once, because the folder may be missing when another instance runs the script.
        script += (
            f'\nif {name}.content_guid != "{{{guid}}}":\n'
            "    import os\n\n"
            f"    {name}.load_resources(os.path.dirname(__file__))\n"
        )
    script += f'\n{name}.content_guid = "{{{guid}}}"\n'
    if start_values:
        script += (
            "\nimport dataclasses\n\n"
            f"_start_values = {dict(start_values)!r}\n"
            f"{name}.table = tuple(\n"
            "    dataclasses.replace(entry, start=_start_values.get(entry.name, entry.start))\n"
            f"    for entry in {name}.table\n"
            ")\n"
        )
    return script


def _run_builder(script: Path, resources: list[Path], target: Path) -> Path:
    """Call pythonfmu's builder and undo its changes of this process."""
    path_before = sys.path[:]
    own = (script.stem, *(resource.name for resource in resources))
    sys.path.insert(0, str(script.parent))
    try:
        return Path(FmuBuilder.build_FMU(script, dest=target, project_files=resources))
    finally:
        sys.path[:] = path_before
        for module in [m for m in sys.modules if m.split(".")[0] in own]:
            del sys.modules[module]


def _repaired_members(built: Path) -> dict[str, bytes]:
    """Members of pythonfmu's archive, with its libraries repaired."""
    with zipfile.ZipFile(built) as archive:
        content = {
            name: archive.read(name) for name in archive.namelist() if not name.endswith(".pyc")
        }
    for name in [member for member in content if member.startswith("binaries/")]:
        content[name] = with_exceptions_as_errors(with_refused_steps_as_errors(content[name]))
        if name.startswith("binaries/linux64/"):
            content[name] = without_second_release(content[name])
    return content
