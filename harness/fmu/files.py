"""Finds our own FMUs, and builds them when they are missing or stale."""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.errors import FmuError
from harness.fmu.interface import read_interface
from harness.messages import nearest
from harness.schema import ParameterValue
from wearmodel.installation import user_cache_folder
from wearmodel.written_files import distrust

if TYPE_CHECKING:
    from fmu_src.bundled.definition import FmuDefinition
    from wearmodel.structure import Structure

_log = logging.getLogger(__name__)

BUILD_FOLDER = Path("build")
"""Where `wearfmu build` puts them."""


def fmu_path(
    fmu_name: str, folder: Path | None = None, *, native: bool = False, fmi: int = 2
) -> Path:
    """Return where one of our FMUs lies, or will when it is built.

    Parameters
    ----------
    fmu_name : str
        Its name.
    folder : Path, optional
        Where our own FMUs are built; default `build` in the current folder where it lies there
        already, as `wearfmu build` puts it, otherwise the user's cache.
    native : bool, optional
        Whether the native one is wanted, where there is one.
    fmi : int, optional
        Version of FMI of the native one, 2 or 3.
    """
    from fmu_src.models import native_fmu_names
    from fmu_src.native.native_builder import native_fmu_path

    is_native = native and fmu_name in native_fmu_names()

    def path_in(place: Path) -> Path:
        return native_fmu_path(place, fmu_name, fmi) if is_native else place / f"{fmu_name}.fmu"

    if folder is not None:
        return path_in(folder)
    built = path_in(BUILD_FOLDER)
    if built.is_file():
        return built
    cache = _cache_folder()
    return built if cache is None else path_in(cache)


def _cache_folder() -> Path | None:
    """Return the folder for the FMUs of this installation, or None if there can be none.

    Each installation has its own, so that two of them do not keep replacing each other's FMUs.
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
        _say_distrusted(folder, reason)
        return None
    return folder if os.access(folder, os.W_OK) else None


@cache
def _say_distrusted(folder: Path, reason: str) -> None:
    _log.warning(
        "note: %s %s: no FMU is taken from there, they are built into %s",
        folder,
        reason,
        BUILD_FOLDER,
    )


def own_fmu(name: str, folder: Path | None = None, *, structure: Path | None = None) -> Path:
    """Return the path of one of our FMUs, built if it is missing or stale.

    Parameters
    ----------
    name : str
        Its name.
    folder : Path, optional
        As for `fmu_path`.
    structure : Path, optional
        File of the structure of a ModalShock, which is then a file of its own.

    Raises
    ------
    FmuError
        If the name is none of ours, or the structure breaks a rule.
    OSError
        If `folder` cannot be written.
    """
    from fmu_src.archive.builder import build_fmu, is_stale
    from fmu_src.models import fmu_definition, fmu_names

    if name not in fmu_names():
        raise unknown_fmu(name)
    definition, path = fmu_definition(name), fmu_path(name, folder)
    if structure is not None:
        definition, described = definition_with_structure(name, structure)
        path = structure_fmu_path(name, folder, structure)
        note_large_structure(described)
    if path.is_file() and not is_stale(path, definition):
        return path
    _note_damage(path)
    with written_into(path.parent):
        return build_fmu(definition, path.parent, file_stem=path.stem)


def minutes(libraries: int) -> str:
    """Return how long it takes to compile so many libraries: a minute each."""
    return f"{libraries} minutes" if libraries > 1 else "1 minute"


def note_large_structure(structure: Structure) -> None:
    """Log that the native FMU is meant, where a structure is slow in Python."""
    from fmu_src.models import LARGE_STRUCTURE

    modes, contacts = structure.modes.count, len(structure.contacts)
    if modes * contacts > LARGE_STRUCTURE:
        _log.warning(
            "note: %s modes × %s contacts are slow in Python; --native makes and runs the FMU "
            "that is meant for them",
            modes,
            contacts,
        )


def structure_fmu_path(
    name: str, folder: Path | None, structure: Path, *, native: bool = False, fmi: int = 2
) -> Path:
    """Return where the FMU of a structure lies, or will; see `definition_with_structure`."""
    from fmu_src.archive.start_values import variant_stem

    definition, _ = definition_with_structure(name, structure)
    usual = fmu_path(name, folder, native=native, fmi=fmi)
    return usual.with_name(f"{variant_stem(definition, {})}.fmu")


def definition_with_structure(name: str, structure: Path) -> tuple[FmuDefinition, Structure]:
    """Return the definition of a ModalShock with the structure of a file, and the structure.

    Raises
    ------
    FmuError
        If the FMU takes no structure, or the file breaks a rule.
    OSError
        If a file cannot be read.
    """
    from fmu_src.models import definition_of
    from wearmodel.structure import read_structure

    try:
        described = read_structure(structure)
        return definition_of(name, described), described
    except ValueError as problem:
        raise FmuError(str(problem)) from None


@contextmanager
def written_into(folder: Path) -> Iterator[None]:
    """Let an error in writing an FMU name the folder and the remedy."""
    try:
        yield
    except OSError as problem:
        named = Path(problem.filename or folder)
        if not (named.is_relative_to(folder) or folder.is_relative_to(named)):
            raise  # of the temporary folder in which it is made
        reason = f"the FMU cannot be written there ({problem.strerror}); name another folder: "
        raise OSError(
            problem.errno, f"{reason}--out DIR, in Python folder=...", str(folder)
        ) from problem


def unknown_fmu(name: str) -> FmuError:
    """Return what to raise for a name that is neither one of our FMUs nor a file."""
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
    """Return the path of a native FMU, built if it is missing or stale.

    Parameters
    ----------
    model, platforms, fmi, **content
        As for `fmu_src.native.native_builder.write_native_fmu`.
    folder : Path, optional
        As for `fmu_path`; the native one goes into its folder `native`, or `native/fmi3`.
    file_stem : str, optional
        Name of the file without its suffix; default: the name of the model.
    structure : Path, optional
        File of the structure of a ModalShock, which is then a file of its own.

    Raises
    ------
    FmuError
        If its tools are missing or refuse, or `start_values` are none, or the structure breaks a
        rule.
    OSError
        If `folder` cannot be written.
    """
    from fmu_src.models import fmu_definition

    definition = fmu_definition(model)
    path = fmu_path(definition.name, folder, native=True, fmi=fmi)
    if structure is not None:
        path = structure_fmu_path(definition.name, folder, structure, native=True, fmi=fmi)
        definition, _ = definition_with_structure(definition.name, structure)
    if file_stem is not None:
        path = path.with_name(f"{file_stem}.fmu")
    _make_native(definition, path, platforms, fmi=fmi, **content)
    return path


def note_python_fmus(names: Iterable[str]) -> None:
    """Log which of these FMUs run in Python all the same, where native ones are wanted.

    Parameters
    ----------
    names : iterable of str
        As cases name them; those that are not ours are what they are.
    """
    from fmu_src.models import fmu_names, native_fmu_names

    wanted = set(names) - set(native_fmu_names())
    python_only = [name for name in fmu_names() if name in wanted]
    if python_only:
        has, runs = ("has", "runs") if len(python_only) == 1 else ("have", "run")
        _log.warning(
            "note: %s %s no native form and %s in Python", " and ".join(python_only), has, runs
        )


def with_start_values(
    fmu: Path,
    name: str,
    start_values: Mapping[str, ParameterValue],
    *,
    structure: Path | None = None,
) -> Path:
    """Return the path of an FMU with other defaults, built beside `fmu` if necessary.

    It runs what `fmu` runs: native code or Python, of the present sources.

    Parameters
    ----------
    fmu : Path
        One of our FMUs, with the usual defaults.
    name : str
        Its name, whatever the file's is.
    start_values : mapping
        Other defaults of its parameters, by name.
    structure : Path, optional
        File of the structure that `fmu`, a ModalShock, has.

    Raises
    ------
    FmuError
        If `fmu` is not what the present sources give, or the tools of a native one are missing or
        refuse, or `start_values` are none.
    OSError
        If the folder cannot be written.
    """
    from fmu_src.archive.builder import build_fmu, is_stale
    from fmu_src.archive.start_values import checked_start_values, variant_stem
    from fmu_src.models import fmu_definition
    from fmu_src.native.fmi3_variables import further_parameters
    from fmu_src.native.native_builder import is_stale as is_stale_native

    interface = read_interface(fmu)
    is_native = not interface.description.coSimulation.needsExecutionTool
    model = name if structure is None else definition_with_structure(name, structure)[0]
    is_other = partial(is_stale_native, fmi=interface.fmi) if is_native else is_stale
    if is_other(fmu, model=model):
        raise FmuError(
            f"{fmu}: is not what the present sources give, so it cannot be built with other "
            "defaults"
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
    """Build an FMU that is missing or stale; `content` is for `write_native_fmu`."""
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
    # It takes long, and anew in every folder: who knows where it lies can name it by --out.
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
    """Log that an FMU of ours that is built anew is not what was written.

    Raises FmuError if it is not ours at all: what another tool built is not replaced.
    """
    from fmu_src.archive.archive_file import damage_of
    from harness.output_kinds import is_fmu_of_another_tool

    if is_fmu_of_another_tool(path):
        raise FmuError(
            f"{path} exists and was not built by wearfmu: choose another folder by --out, or move "
            "the file away"
        )

    if path.is_file() and (damage := damage_of(path)) is not None:
        _log.warning("note: %s is damaged (%s): it is built anew", path, damage)
