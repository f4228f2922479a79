"""Finds the FMU of a case: our own are built when missing or stale, others lie beside the case."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from harness.case import Case
from harness.errors import CaseError, FmuError
from harness.schema import nearest

DEFAULT_FOLDER = Path("build")
# The only one of our FMUs that there is without Python.
NATIVE_NAME = "FrictionalShock"


def fmu_of(case: Case, folder: Path, *, native: bool = False) -> Path:
    """Return the path of the FMU that a case names, built if need be.

    Parameters
    ----------
    case : Case
        Its heading names one of our FMUs, or a .fmu file relative to the case file.
    folder : Path
        Where our own FMUs are built.
    native : bool, optional
        Whether the native one is wanted, where there is one.

    Raises
    ------
    CaseError
        If the name is none of ours.
    FmuError
        If the native FMU cannot be built.
    OSError
        If `folder` cannot be written.
    """
    name = case.heading.fmu
    if name.endswith(".fmu"):
        return case.file.parent / name
    if native and name == NATIVE_NAME:
        return native_fmu(folder)
    try:
        return own_fmu(name, folder)
    except FmuError as problem:
        raise CaseError(f"{case.file}: case.fmu = {problem}") from None


def own_fmu(name: str, folder: Path) -> Path:
    """Return the path of one of our FMUs, built if it is missing or stale.

    Raises
    ------
    FmuError
        If the name is none of ours.
    OSError
        If `folder` cannot be written.
    """
    from fmu_src.builder import build_fmu, fmu_names, is_stale

    if name not in fmu_names():
        raise FmuError(
            f"{name!r}: must be one of {', '.join(fmu_names())}, "
            f"or the path of a .fmu file{nearest(name, fmu_names())}"
        )
    path = folder / f"{name}.fmu"
    if path.is_file() and not is_stale(path):
        return path
    return build_fmu(name, folder)


def native_fmu(folder: Path, platforms: Sequence[str] | None = None) -> Path:
    """Return the path of the native FMU, built if it is missing or stale.

    Parameters
    ----------
    folder : Path
        Where our own FMUs are built; the native one goes into its folder `native`.
    platforms : sequence of str, optional
        Build it anew for these; empty: for the platform that this runs on.

    Raises
    ------
    FmuError
        If its tools are missing or refuse.
    OSError
        If `folder` cannot be written.
    """
    from fmu_src.native.builder import build_native_fmu, is_stale, native_fmu_path
    from fmu_src.native.requirements import require_tools

    try:
        require_tools()
        path = native_fmu_path(folder)
        if platforms is None and not is_stale(path):
            return path
        return build_native_fmu(folder, platforms or ())
    except RuntimeError as problem:
        raise FmuError(str(problem)) from problem
