"""Native FMUs in the folders where the tests expect them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fmu_src.bundled.definition import FmuDefinition
from fmu_src.models import fmu_definition
from fmu_src.native.native_builder import native_fmu_path, write_native_fmu


def build_native_fmu(
    model: str | FmuDefinition,
    folder: Path,
    platforms: Sequence[str] = (),
    *,
    file_stem: str | None = None,
    fmi: int = 2,
    **content: Any,
) -> Path:
    """Build a native FMU in ``folder/native``, or below it, and return its path."""
    target = native_fmu_path(folder, file_stem or fmu_definition(model).name, fmi)
    write_native_fmu(model, target, platforms, fmi=fmi, **content)
    return target
