"""Repeats a result: its command runs again in a temporary folder.

On the same platform every bit must agree. On another platform, the relative difference of a number,
or its difference relative to the largest number of its list, may be 1e-12. In chaotic motion it may
be twice the scatter of two runs with inputs multiplied by 1 ± 1e-14.
"""

from __future__ import annotations

import csv
import itertools
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter
from typing_extensions import TypedDict

from harness.errors import RecordError
from harness.output_files import WRITTEN_BELOW
from harness.provenance import FORMAT, ROOT, SIDECAR, digest_of
from wearmodel.read_files import read_text

_ROUNDING, _PERTURBATION = 1e-12, 1e-14
# Computing times and paths are not compared. Texts are compared after their last folder.
_NOT_COMPARED = ("seconds", "file", "fmu", "provenance")
# Folders above the inputs, for names that begin with "..".
_DEPTH = 8
_SHOWN = 5
_FACTS = ("software", "platform")
_AMPLITUDES = re.compile(r"\b(amplitude|rms|scale)(\s*=\s*)([-+\d.eE]+)")


class _File(TypedDict):
    name: str
    sha256: str | None
    size: int


class _Fmu(_File):
    guid: str


class _Origin(TypedDict):
    """The parts of a provenance that a repetition reads."""

    inputs: list[_File]
    fmus: list[_Fmu]
    arguments: list[str] | None
    result: str
    software: dict[str, Any]
    platform: dict[str, Any]


_ORIGIN = TypeAdapter(_Origin)

Values = dict[str, Any]
"""Numbers and texts of a result by their places."""


def repeat(result: Path, folders: Sequence[Path]) -> tuple[bool, list[str]]:
    """Run the command of a result again. Return whether it is the same, and the report.

    `result` is a JSON file, or the metadata of a CSV file, which is then compared. Inputs are found
    by their digests beside the result, then in `folders` and their subfolders. Raises RecordError
    if an input is missing, or the provenance of the result cannot be repeated.
    """
    origin, old = _read(result)
    found = {}
    for file in (*origin["inputs"], *origin["fmus"]):
        path = _found(file, result.parent, folders)
        if path is not None:
            found[file["name"]] = path
        elif file in origin["inputs"]:
            raise RecordError(f"{result}: {file['name']} is missing or changed: set --inputs DIR")
    new, values = _run_again(result, origin, found)
    known = {file["name"]: file["sha256"] for file in origin["inputs"]}
    for file in new["inputs"]:
        if known.get(file["name"]) != file["sha256"]:
            raise RecordError(f"{result}: {file['name']} has changed: restore it")
    shares = _differences(old, values)
    agreement = "every bit"
    if origin["platform"] != new["platform"]:
        agreement = f"to {max(shares.values(), default=0.0):.1e} on another platform"
        allowed: dict[str, float] = {}
        if any(share > _ROUNDING for share in shares.values()):
            for factor in (1.0 + _PERTURBATION, 1.0 - _PERTURBATION):
                other = _run_again(result, origin, found, factor)[1]
                for place, share in _differences(values, other).items():
                    name = re.sub(r"\[\d+\]", "", place)
                    allowed[name] = max(allowed.get(name, _ROUNDING), 2.0 * share)
        shares = {
            place: share
            for place, share in shares.items()
            if share > allowed.get(re.sub(r"\[\d+\]", "", place), _ROUNDING)
            # The digits of a small error are rounding. The numbers of the difference are compared.
            and not place.endswith(".error")
        }
    lines = [f"same: {len(old)} values agree, {agreement}"]
    if shares:
        lines = [f"different: {len(shares)} of {len(old)} values, for example"]
        lines += [
            f"  {place}: {old.get(place, 'nothing')} before, {values.get(place, 'nothing')} now"
            for place in itertools.islice(shares, _SHOWN)
        ]
    return not shares, lines + _changes(origin, new)


def _read(result: Path) -> tuple[dict[str, Any], Values]:
    """Return provenance and values of a JSON file, or of the CSV file of these metadata."""
    with suppress(ValueError, TypeError, AttributeError, KeyError):
        content = json.loads(read_text(result))
        origin = content.get("provenance") or content.get("dc:provenance")
        if "dc:provenance" in content:
            rows = csv.reader(read_text(result.with_name(content["url"])).splitlines())
            columns = itertools.zip_longest(*rows, fillvalue="")
            content = {name: [_cell(cell) for cell in cells] for name, *cells in columns}
        _ORIGIN.validate_python(origin, strict=True)
        if origin["format"] == FORMAT:
            return origin, _values(content)
    raise RecordError(f"{result}: must be a result with a provenance of format {FORMAT!r}")


def _cell(text: str) -> float | str:
    with suppress(ValueError):
        return float(text)
    return text


def _found(file: Mapping[str, Any], beside: Path, folders: Sequence[Path]) -> Path | None:
    """Return the file with this digest, from the package, beside the result, or in a folder."""
    name: str = file["name"]
    places = [ROOT / name, *(folder / name for folder in (beside, *folders))]
    others = (beside.glob("*"), *(folder.rglob("*") for folder in folders))
    for path in itertools.chain(places, *others):
        has_size = path.is_file() and path.stat().st_size == file["size"]
        if has_size and digest_of(path) == file["sha256"]:
            return path
    return None


def _run_again(
    result: Path, origin: Mapping[str, Any], found: Mapping[str, Path], factor: float = 1.0
) -> tuple[dict[str, Any], Values]:
    """Return provenance and values of the command's result with inputs multiplied by a factor."""
    with tempfile.TemporaryDirectory(prefix="wearfmu_") as top:
        top = os.path.realpath(top)
        base = Path(top, *["d"] * _DEPTH)
        base.mkdir(parents=True)
        words = [*(origin["arguments"] or ["--scheduler"]), "--force"]
        for name in (*found, *(word.partition("=")[2] or word for word in words)):
            if not Path(os.path.realpath(base / name)).is_relative_to(top):
                raise RecordError(f"{result}: {name!r} in provenance must not lead elsewhere")
        if any(word.startswith("--sch") for word in words):
            raise RecordError(f"{result}: its arguments cannot be repeated: {words[:-1]}")
        for name, path in found.items():
            if path != ROOT / name:
                (base / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, base / name)
                if factor != 1.0 and path.suffix == ".toml":
                    text = path.read_text(encoding="utf-8")
                    (base / name).write_text(_multiplied(text, factor), encoding="utf-8")
        if factor != 1.0 and (words[0] == "blocks" or "--input" in words):
            scale = float(words[words.index("--scale") + 1]) if "--scale" in words else 1.0
            words += ["--scale", repr(factor * scale)]
        modules = os.pathsep.join([str(ROOT), *sys.path[1:]])
        finished = subprocess.run(
            [sys.executable, "-m", "harness", *words],
            cwd=base,
            env={**os.environ, "PYTHONPATH": modules, WRITTEN_BELOW: top},
            capture_output=True,
            text=True,
        )
        written = set(Path(top).rglob(origin["result"])) - {base / name for name in found}
        if not written:
            reason = (finished.stderr.strip().splitlines() or ["no result"])[-1]
            raise RecordError(f"{result}: the command cannot be repeated: {reason}")
        path = written.pop()
        return _read(path.with_name(path.name + SIDECAR) if path.suffix == ".csv" else path)


def _multiplied(text: str, factor: float) -> str:
    """Return a case file with its inputs multiplied by a factor."""
    if not re.search(r"\bscale\s*=\s*[-+\d.]", text):
        text = re.sub(r'(?m)^kind\s*=\s*"csv"', r"\g<0>\nscale = 1.0", text)
    return _AMPLITUDES.sub(lambda of: f"{of[1]}{of[2]}{float(of[3]) * factor!r}", text)


def _values(content: Any, place: str = "") -> Values:
    """Return the numbers and texts of a result by their places."""
    if isinstance(content, dict):
        parts = {
            f"{place}.{_without_folders(name)}".lstrip("."): part
            for name, part in content.items()
            if name not in _NOT_COMPARED
        }
    elif isinstance(content, list):
        parts = {f"{place}[{at}]": part for at, part in enumerate(content)}
    else:
        return {place: _without_folders(content) if isinstance(content, str) else content}
    return {at: value for name, part in parts.items() for at, value in _values(part, name).items()}


def _without_folders(text: str) -> str:
    return re.split(r"[/\\]", text)[-1]


def _differences(old: Values, new: Values) -> dict[str, float]:
    """Return the relative differences of values that differ, infinite if they are not numbers."""
    scales: dict[str, float] = {}
    for place, value in old.items():
        if isinstance(value, int | float) and math.isfinite(value):
            name = re.sub(r"\[\d+\]$", "", place)
            scales[name] = max(abs(value), scales.get(name, 0.0))
    shares = {}
    for place in {**old, **new}:
        one, other = old.get(place), new.get(place)
        if repr(one) != repr(other) or place not in old or place not in new:
            scale = scales.get(re.sub(r"\[\d+\]$", "", place), 0.0)
            shares[place] = math.inf
            if scale and isinstance(one, int | float) and isinstance(other, int | float):
                shares[place] = abs(one - other) / scale
    return shares


def _changes(origin: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """Return the changes of software, platform and FMUs, which are not errors."""
    before, now = (
        {f"{part}.{name}": fact for part in _FACTS for name, fact in of[part].items()}
        | {f"guid of {fmu['name']}": fmu["guid"] for fmu in of["fmus"]}
        for of in (origin, new)
    )
    return [
        f"{name} has changed: {before[name]} before, {value} now"
        for name, value in now.items()
        if before.get(name, value) != value
    ]
