"""Finds the FMU of a case: another .fmu file, or a shipped FMU, built if missing or outdated."""

from __future__ import annotations

from pathlib import Path

from harness.case.case_file import Case
from harness.errors import CaseError, FmuError, RecordError
from harness.fmu import files
from harness.fmu.files import require_motion_file
from wearmodel.structure import Structure

_MOTION = "BaseMotion"


def fmu_of(case: Case, folder: Path | None, *, native: bool = False, fmi: int = 2) -> Path:
    """Return the path of the FMU of a case, built if necessary.

    `harness.fmu.files.fmu_path` describes `folder`, `native` and `fmi`.

    Raises CaseError if `case.fmu` is not a shipped FMU or a .fmu file. Raises FmuError if the
    native FMU cannot be built. Raises OSError if `folder` cannot be written.
    """
    from fmu_src.models import native_fmu_names

    name = case.heading.fmu
    if name.endswith(".fmu"):
        if case.structure is not None:
            raise CaseError(
                f"{case.shown}: case.structure = {case.heading.structure!r} requires "
                f'case.fmu = "ModalShock", because {name!r} contains its structure'
            )
        return case_fmu_path(case, folder)
    if name == _MOTION:
        try:
            require_motion_file(case.parameters)
        except RecordError as problem:
            raise CaseError(f"{case.shown}: parameters.file: {problem}") from None
    if native and name in native_fmu_names():
        return files.native_fmu(name, folder, structure=case.structure, fmi=fmi)
    try:
        return files.own_fmu(name, folder, structure=case.structure)
    except FmuError as problem:
        raise CaseError(f"{case.shown}: case.fmu = {problem}") from None


def structure_of_case(case: Case) -> Structure | None:
    """Return the structure of the structure file of a case, for a run without an FMU.

    Raises ValueError if the model has no structure or the file is invalid.
    """
    if case.structure is None:
        return None
    try:
        structure: Structure = files.definition_with(
            case.heading.fmu, "structure", case.structure
        ).slave.structure
    except FmuError as problem:
        raise ValueError(f"case.structure: {problem}") from None
    return structure


def case_fmu_path(case: Case, folder: Path | None, *, native: bool = False, fmi: int = 2) -> Path:
    """Return the path of the FMU of a case without building it. See `fmu_of`."""
    name = case.heading.fmu
    if name.endswith(".fmu"):
        return case.file.parent / name
    return files.fmu_path(name, folder, structure=case.structure, native=native, fmi=fmi)
