"""Which FMU a case gets: ours built when missing or stale, a path taken as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness import CaseError, load_case
from harness.case import Case
from harness.fmu_files import fmu_of


def case_with(fmu: str, folder: Path, good_case: str, toy_fmu: Path) -> Case:
    file = folder / "case.toml"
    file.write_text(good_case.replace(toy_fmu.as_posix(), fmu), encoding="utf-8")
    return load_case(file)


def test_our_fmu_is_built_when_missing_kept_when_fresh_and_rebuilt_when_stale(
    tmp_path: Path, good_case: str, toy_fmu: Path
) -> None:
    case = case_with("FrictionalShock", tmp_path, good_case, toy_fmu)
    folder = tmp_path / "fmus"
    built = fmu_of(case, folder)
    assert built == folder / "FrictionalShock.fmu"
    written_at = built.stat().st_mtime_ns
    content = built.read_bytes()
    assert fmu_of(case, folder).stat().st_mtime_ns == written_at
    built.write_bytes(content[: len(content) // 2])
    assert fmu_of(case, folder).read_bytes() == content


def test_a_path_starts_at_the_case_file(tmp_path: Path, good_case: str, toy_fmu: Path) -> None:
    case = case_with("../other/own.fmu", tmp_path, good_case, toy_fmu)
    assert fmu_of(case, Path("build")) == tmp_path / "../other/own.fmu"


def test_an_unknown_name_is_refused_with_the_nearest(
    tmp_path: Path, good_case: str, toy_fmu: Path
) -> None:
    case = case_with("FrictionShock", tmp_path, good_case, toy_fmu)
    with pytest.raises(CaseError, match=r"'FrictionShock': must be .*mean 'FrictionalShock'\?"):
        fmu_of(case, tmp_path)
