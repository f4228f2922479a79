"""Finds the FMU of a case: our own are built when missing or stale, others lie beside the case."""

from __future__ import annotations

from pathlib import Path

from harness.case.case_file import Case
from harness.errors import CaseError, FmuError, RecordError
from harness.fmu.files import (
    definition_with_structure,
    fmu_path,
    native_fmu,
    own_fmu,
    structure_fmu_path,
)
from harness.fmu.motion_file import require_motion_file
from wearmodel.structure import Structure

_MOTION = "BaseMotion"


def fmu_of(case: Case, folder: Path | None, *, native: bool = False, fmi: int = 2) -> Path:
    """Return the path of the FMU that a case names, built if need be.

    Parameters
    ----------
    case : Case
        Its heading names one of our FMUs, or a .fmu file relative to the case file.
    folder : Path or None
        Where our own FMUs are built; None: as for `harness.fmu.files.fmu_path`.
    native : bool, optional
        Whether the native one is wanted, where there is one.
    fmi : int, optional
        Version of FMI of a native one, 2 or 3.

    Raises
    ------
    CaseError
        If the name is none of ours.
    FmuError
        If the native FMU cannot be built.
    OSError
        If `folder` cannot be written.
    """
    from fmu_src.models import native_fmu_names

    name = case.heading.fmu
    if name.endswith(".fmu"):
        if case.structure is not None:
            raise CaseError(
                f"{case.file}: case.structure = {case.heading.structure!r} goes with "
                f'case.fmu = "ModalShock"; {name!r} has its own'
            )
        return case_fmu_path(case, folder)
    if name == _MOTION:
        try:
            require_motion_file(case.parameters)
        except RecordError as problem:
            raise CaseError(f"{case.shown}: parameters.file: {problem}") from None
    if native and name in native_fmu_names():
        return native_fmu(name, folder, structure=case.structure, fmi=fmi)
    try:
        return own_fmu(name, folder, structure=case.structure)
    except FmuError as problem:
        raise CaseError(f"{case.shown}: case.fmu = {problem}") from None


def structure_of_case(case: Case) -> Structure | None:
    """Return the structure of a case that names one, for a run without an FMU.

    Raises
    ------
    ValueError
        If its model takes none, or the file breaks a rule.
    """
    if case.structure is None:
        return None
    try:
        return definition_with_structure(case.heading.fmu, case.structure)[1]
    except FmuError as problem:
        raise ValueError(f"case.structure: {problem}") from None


def case_fmu_path(case: Case, folder: Path | None, *, native: bool = False, fmi: int = 2) -> Path:
    """Return where the FMU of a case lies; parameters are those of `fmu_of`, nothing is built."""
    name = case.heading.fmu
    if name.endswith(".fmu"):
        return case.file.parent / name
    if case.structure is not None:
        return structure_fmu_path(name, folder, case.structure, native=native, fmi=fmi)
    return fmu_path(name, folder, native=native, fmi=fmi)
