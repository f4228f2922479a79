"""Finds the shipped FMUs and their files, and builds FMUs that are missing or outdated."""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.errors import FmuError, RecordError
from harness.fmu.interface import read_interface
from harness.messages import nearest
from harness.records import MOST_TABLE_BYTES
from harness.schema import ParameterValue
from wearmodel.installation import user_cache_folder
from wearmodel.kernel.base_motion.parameters import MotionKind
from wearmodel.models.accelerogram import MOTION_HEADER
from wearmodel.read_files import open_regular
from wearmodel.written_files import distrust

if TYPE_CHECKING:
    from fmu_src.bundled.definition import FmuDefinition
    from wearmodel.structure import Structure


_log = logging.getLogger(__name__)

BUILD_FOLDER = Path("build")
"""Default folder of `wearfmu build`."""


def fmu_path(
    fmu_name: str,
    folder: Path | None = None,
    *,
    structure: Path | None = None,
    native: bool = False,
    fmi: int = 2,
) -> Path:
    """Return the path of a shipped FMU, which may not be built yet.

    - `folder`: folder of built FMUs. The default is `build` in the current folder if it contains
      the FMU (from `wearfmu build`), otherwise the user's cache.
    - `structure`: structure file of a ModalShock, which gives the FMU its own name
    - `native`: return the native FMU if the model has one
    - `fmi`: FMI version of the native FMU, 2 or 3
    """
    from fmu_src.archive.start_values import variant_stem
    from fmu_src.models import fmu_names, native_fmu_names
    from fmu_src.native.native_builder import native_fmu_path

    is_native = native and fmu_name not in set(fmu_names()) - set(native_fmu_names())

    def path_in(place: Path) -> Path:
        return native_fmu_path(place, fmu_name, fmi) if is_native else place / f"{fmu_name}.fmu"

    if folder is None:
        is_built = path_in(BUILD_FOLDER).is_file()
        folder = BUILD_FOLDER if is_built else _cache_folder() or BUILD_FOLDER
    path = path_in(folder)
    if structure is None:
        return path
    definition = definition_with(fmu_name, "structure", structure)
    return path.with_name(f"{variant_stem(definition, {})}.fmu")


def _cache_folder() -> Path | None:
    """Return the folder for the FMUs of this installation, or None if it cannot be used.

    Each installation has its own folder, so that installations do not replace each other's FMUs.
    """
    import fmu_src

    place = hashlib.sha256(str(Path(fmu_src.__file__).parent).encode()).hexdigest()[:12]
    folder = user_cache_folder() / f"fmus-{place}"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        reason = distrust(folder.stat())
    except OSError:
        return None
    if reason is not None:
        _note_distrusted(folder, reason)
        return None
    return folder if os.access(folder, os.W_OK) else None


@cache
def _note_distrusted(folder: Path, reason: str) -> None:
    _log.warning(
        "note: %s %s: its FMUs are not used, and FMUs are built in %s",
        folder,
        reason,
        BUILD_FOLDER,
    )


def own_fmu(name: str, folder: Path | None = None, *, structure: Path | None = None) -> Path:
    """Return the path of a shipped FMU, built if it is missing or outdated.

    A ModalShock with a `structure` file is a separate file. See `fmu_path` for `folder`.

    Raises FmuError if the name is unknown, or the structure is invalid. Raises OSError if `folder`
    cannot be written.
    """
    from fmu_src.archive.builder import build_fmu, is_stale
    from fmu_src.models import fmu_definition, fmu_names

    if name not in fmu_names():
        raise unknown_fmu(name)
    definition, path = fmu_definition(name), fmu_path(name, folder, structure=structure)
    if structure is not None:
        definition = definition_with(name, "structure", structure)
        note_large_structure(definition)
    if path.is_file() and not is_stale(path, definition):
        return path
    _note_damage(path)
    with written_into(path.parent):
        return build_fmu(definition, path.parent, file_stem=path.stem)


def minutes(libraries: int) -> str:
    """Return the time to compile libraries as a text. Each takes about a minute."""
    return f"{libraries} minutes" if libraries > 1 else "1 minute"


def note_large_structure(definition: FmuDefinition) -> None:
    """Recommend the native FMU for a structure that is slow in Python."""
    from fmu_src.models import LARGE_STRUCTURE

    structure: Structure = definition.slave.structure
    modes, contacts = structure.modes.count, len(structure.contacts)
    if modes * contacts > LARGE_STRUCTURE:
        _log.warning(
            "note: %s modes × %s contacts are slow in Python: use the native FMU by --native",
            modes,
            contacts,
        )


def definition_with(name: str, kind: str, file: Path) -> FmuDefinition:
    """Return the definition of an FMU with the "structure" or the "contacts" of a file.

    Raises FmuError if the FMU does not accept a file of this kind, or the file is invalid.
    """
    from fmu_src.models import definition_of, require_taker
    from wearmodel.structure import read_contacts

    read = structure_of_file if kind == "structure" else read_contacts
    try:
        require_taker(name, kind)
        return definition_of(name, **{kind: read(file)})
    except ValueError as problem:
        raise FmuError(str(problem)) from None


def structure_of_file(path: Path) -> Structure:
    """Return the structure of a file. Raise StructureError, or CaseError for another file type."""
    from harness.records import toml_content
    from wearmodel.structure import StructureError, read_structure

    try:
        return read_structure(path)
    except StructureError:
        if path.is_file() and path.suffix == ".toml":
            toml_content(path, "structure")
        raise


@contextmanager
def written_into(folder: Path) -> Iterator[None]:
    """Add the folder and a remedy to an error when writing an FMU."""
    try:
        yield
    except OSError as problem:
        named = Path(problem.filename or folder)
        if not (named.is_relative_to(folder) or folder.is_relative_to(named)):
            raise  # an error in the temporary folder of the build
        cause = "it is a file" if isinstance(problem, FileExistsError) else problem.strerror
        reason = (
            f"the FMU cannot be written to this folder ({cause}): choose another by "
            "--out DIR, in Python by folder=..."
        )
        raise OSError(problem.errno, reason, str(folder)) from problem


def unknown_fmu(name: str) -> FmuError:
    """Return the error for a name that is not a shipped FMU or a file."""
    from fmu_src.models import fmu_names

    return FmuError(
        f"{name!r}: must be one of {', '.join(fmu_names())}, "
        f"or the path of a .fmu file{nearest(name, fmu_names())}"
    )


def native_fmu(
    model: str | FmuDefinition,
    folder: Path | None = None,
    platforms: Sequence[str] = (),
    *,
    file_stem: str | None = None,
    structure: Path | None = None,
    fmi: int = 2,
    **content: Any,
) -> Path:
    """Return the path of a native FMU, built if it is missing or outdated.

    - `model`, `platforms`, `fmi`, `**content`: see
      `fmu_src.native.native_builder.write_native_fmu`
    - `folder`: see `fmu_path`. The native FMU is in its subfolder `native` or `native/fmi3`.
    - `file_stem`: name of the file without suffix. The default is the name of the model.

    Raises FmuError if tools are missing or fail, or start values or structure are invalid. Raises
    OSError if `folder` cannot be written.
    """
    from fmu_src.models import fmu_definition

    definition = fmu_definition(model)
    path = fmu_path(definition.name, folder, structure=structure, native=True, fmi=fmi)
    if structure is not None:
        definition = definition_with(definition.name, "structure", structure)
    if file_stem is not None:
        path = path.with_name(f"{file_stem}.fmu")
    _make_native(definition, path, platforms, fmi=fmi, **content)
    return path


def note_python_fmus(names: Iterable[str]) -> None:
    """Log which shipped FMUs among `names` run in Python although native FMUs are requested."""
    from fmu_src.models import fmu_names, native_fmu_names

    wanted = set(names) - set(native_fmu_names())
    python_only = [name for name in fmu_names() if name in wanted]
    if python_only:
        _log.warning(
            "note: run in Python because no native form exists: %s", ", ".join(python_only)
        )


def with_start_values(
    fmu: Path,
    name: str,
    start_values: Mapping[str, ParameterValue],
    *,
    structure: Path | None = None,
) -> Path:
    """Return the path of an FMU with other defaults, built in the folder of `fmu` if necessary.

    The new FMU is native if `fmu` is native.

    - `fmu`: a shipped FMU with the usual defaults
    - `start_values`: other defaults of parameters, by name

    Raises FmuError if `fmu` is outdated, the tools of a native FMU are missing or fail, or start
    values are invalid. Raises OSError if the folder cannot be written.
    """
    from fmu_src.archive.builder import build_fmu, is_stale
    from fmu_src.archive.start_values import checked_start_values, variant_stem
    from fmu_src.models import fmu_definition
    from fmu_src.native.fmi3_variables import further_parameters
    from fmu_src.native.native_builder import is_stale as is_stale_native

    interface = read_interface(fmu)
    is_native = not interface.description.coSimulation.needsExecutionTool
    model = name if structure is None else definition_with(name, "structure", structure)
    is_other = partial(is_stale_native, fmi=interface.fmi) if is_native else is_stale
    if is_other(fmu, model=model):
        raise FmuError(
            f"{fmu} was built from other sources and cannot be built with other defaults: build it "
            "again"
        )
    definition = fmu_definition(model)
    try:
        further = further_parameters(definition, interface.fmi)
        values = checked_start_values(definition, start_values, further)
    except ValueError as problem:
        raise FmuError(str(problem)) from None
    if not values:
        return fmu
    stem = variant_stem(definition, values)
    path = fmu.with_name(f"{stem}.fmu")
    if is_native:
        _make_native(definition, path, start_values=values, fmi=interface.fmi)
    elif is_stale(path, definition, start_values=values):
        _note_damage(path)
        build_fmu(definition, fmu.parent, file_stem=stem, start_values=values)
    return path


def _make_native(
    definition: FmuDefinition, path: Path, platforms: Sequence[str] = (), **content: Any
) -> None:
    """Build an FMU if it is missing or outdated. See `write_native_fmu` for `content`."""
    from fmu_src.native.model_library import require_library
    from fmu_src.native.native_builder import is_stale, write_native_fmu
    from wearmodel.compiled.platform_libraries import PLATFORMS, host_platform

    if not is_stale(path, platforms, model=definition, **content):
        return
    served = platforms or (host_platform(),)
    try:
        for platform in served:
            require_library(definition, PLATFORMS[platform])
    except RuntimeError as problem:
        raise FmuError(str(problem)) from None
    _note_damage(path)
    # The build is slow and is repeated for every folder, so the path is printed.
    _log.info(
        "building %s for %s: about %s of processor time if it is not compiled yet …",
        path,
        " and ".join(served),
        minutes(len(served)),
    )
    try:
        with written_into(path.parent):
            write_native_fmu(definition, path, platforms, **content)
    except (RuntimeError, ValueError) as problem:
        raise FmuError(str(problem)) from problem


def _note_damage(path: Path) -> None:
    """Log that a shipped FMU is damaged and will be built again.

    Raises FmuError for an FMU of another tool, which is not replaced.
    """
    from fmu_src.archive.archive_file import damage_of
    from harness.output_kinds import is_fmu_of_another_tool

    if is_fmu_of_another_tool(path):
        raise FmuError(
            f"{path} exists and was not built by wearfmu: choose another folder by --out, or move "
            "the file"
        )

    if path.is_file() and (damage := damage_of(path)) is not None:
        _log.warning("note: %s is damaged (%s) and is built again", path, damage)


def require_motion_file(parameters: Mapping[str, ParameterValue]) -> None:
    """Raise RecordError if the file of a BaseMotion does not have the header of a strict table.

    The FMU checks the rows.
    """
    file = parameters.get("file")
    is_read = parameters.get("kind") in (MotionKind.csv.name, MotionKind.csv.value)
    if not is_read or not isinstance(file, str) or not Path(file).is_file():
        return
    header = f"{MOTION_HEADER}\n".encode()
    with open_regular(file, MOST_TABLE_BYTES) as stream:
        if stream.read(len(header)) != header:
            raise not_a_motion_file(Path(file))


def not_a_motion_file(path: Path) -> RecordError:
    """Return the error for a file of another kind, with the command that converts it."""
    return RecordError(
        f"{path} must be a table with the header {MOTION_HEADER!r}: convert it by "
        f"`wearfmu motion {path} --out FILE`"
    )
