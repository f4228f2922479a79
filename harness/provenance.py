"""Provenance of results: the object `provenance` of each file that a command writes.

`harness.command_line` calls `of_command`, `harness.output_files` calls `note_files`, and each study
calls `used`. File names in the object are relative to the first argument that is a file. It does
not contain absolute paths or the names of user and host. `docs/provenance.md` describes it.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import platform
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path, PureWindowsPath
from typing import Any

from harness.output_kinds import archive_member
from wearmodel.installation import user_cache_folder

FORMAT = "wearfmu-provenance-1"
SIDECAR = "-metadata.json"
"""End of the name of the metadata of a CSV file, by the W3C's "CSV on the Web"."""
_PACKAGES = ("wearmodel", "fmu_src", "harness")
_SOURCES = (".py", ".cpp", ".hpp", ".js", ".html", ".css")
ROOT = Path(str(files("harness"))).parent
"""Folder of the installed packages."""
_CPU_FACTS = Path("/proc/cpuinfo")


# The present command: reduced arguments, files by name with their state, parameters by run.
_command: dict[str, Any] = {}


def command() -> str:
    """Return the present command, such as "run", or "" without a command."""
    return next(iter(_command.get("arguments") or ()), "")


@contextmanager
def of_command(words: Sequence[str]) -> Iterator[None]:
    """Attribute the results that are written inside to a command with these arguments."""
    _command.update(arguments=[*words], files={}, parameters={})
    try:
        yield
    finally:
        _command.clear()


def used(run: str, given: Mapping[str, Any], variables: Iterable[Any] = ()) -> None:
    """Store the parameters of a run: given values, and the start values of other parameters.

    `variables` are the variables of an FMU or of its definition.
    """
    if _command:
        starts = {of.name: of.start for of in variables if of.causality == "parameter"}
        values = {name: _plain(value) for name, value in {**starts, **given}.items()}
        _command["parameters"][run] = values


def note_files(read: Iterable[Path], written: Iterable[Path]) -> None:
    """Store the files that a command reads and writes, and reduce its paths to file names."""
    if _command:
        read = [path for path in read if path.suffix != ".journal"]
        ends = [Path(os.path.realpath(path)) for path in (*read, *written)]
        places = {place for end in ends for place in (end, *end.parents)}
        short: dict[Path, str] = {}
        _command["arguments"] = [_reduced(word, places, short) for word in _command["arguments"]]
        arguments = [place for path in read if (place := _argument(path, short)) is not None]
        first = (arguments or [Path.home()])[0]
        _command["files"] = {_name_of(path, first, short): (path, _state(path)) for path in read}


def provenance(result: Path) -> dict[str, Any]:
    """Return the provenance of a result file."""
    inputs, fmus = [], []
    for name, (path, state) in _command.get("files", {}).items():
        if path.is_file():
            # A file that has changed since the start of the run is not the input.
            is_input = path.suffix == ".fmu" or state == _state(path)
            digest = digest_of(path) if is_input else None
            file = {"name": name, "sha256": digest, "size": path.stat().st_size}
            if path.suffix == ".fmu":
                fmus.append(file | _fmu_facts(path))
            else:
                inputs.append(file)
    return {
        "format": FORMAT,
        "result": result.name,
        "software": {"name": "wearfmu", "version": version("wearfmu"), "sha256": source_digest()},
        "fmus": fmus,
        "inputs": inputs,
        "parameters": _command.get("parameters", {}),
        "arguments": _command.get("arguments"),
        "end_time": _now().strftime("%Y-%m-%dT%H:%M:%SZ"),
        "platform": platform_facts(),
    }


def csv_metadata(table: Path, header: str) -> dict[str, Any]:
    """Return the metadata of a CSV file by "CSV on the Web", with its provenance."""
    return {
        "@context": "http://www.w3.org/ns/csvw",
        "url": table.name,
        "tableSchema": {"columns": [{"titles": title} for title in header.split(",")]},
        "dc:provenance": provenance(table),
    }


@cache
def source_digest() -> str:
    """Return the digest of all source files of the three packages."""
    from wearmodel.compiled.ready_libraries import text_digest

    found = (path for package in _PACKAGES for path in (ROOT / package).rglob("*"))
    sources = [path for path in found if path.suffix in _SOURCES]
    sources.sort(key=lambda path: path.relative_to(ROOT).parts)
    return text_digest(sources)


@cache
def program() -> str:
    """Return a name of the program. Processes with the same name compute equal numbers.

    `sum` rounds differently since Python 3.12. The compiled and the interpreted kernel give equal
    bits, so the text does not contain the library.
    """
    return (
        f"wearfmu {version('wearfmu')} (sources {source_digest()[:12]}) with Python "
        f"{'.'.join(platform.python_version_tuple()[:2])} and numpy {version('numpy')}"
    )


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a regular file."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@cache
def platform_facts() -> dict[str, str]:
    """Return the properties of this machine that may affect the last bits of numbers."""
    processor = platform.processor()
    with suppress(OSError):
        found = re.search(r"model name\s*:\s*(.+)", _CPU_FACTS.read_text(encoding="utf-8"))
        processor = found[1] if found else processor
    return {
        "system": platform.system(),
        "machine": platform.machine(),
        "processor": processor,
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "scipy": version("scipy"),
        "c_library": " ".join(platform.libc_ver()).strip(),
    }


def is_path(word: str) -> bool:
    """Whether a word is an absolute path, of any system, or leads out of its folder."""
    return word.startswith(("/", "\\")) or bool(PureWindowsPath(word).drive)


def _reduced(word: str, places: set[Path], short: dict[Path, str]) -> str:
    """Return an argument with its path reduced to a file name, which is added to `short`."""
    option, separator, value = word.partition("=") if word.startswith("--") else ("", "", word)
    place = Path(os.path.realpath(value)) if "\0" not in value else Path()
    if not value or not (place in places or is_path(value) or value.startswith("..")):
        return word
    name = "." if value == "." else place.name or "."
    others = (f"{number}/{name}" for number in itertools.count(2))
    while name in short.values() and short.get(place) != name:
        name = next(others)
    short[place] = name
    return option + separator + name


def _argument(path: Path, short: Mapping[Path, str]) -> Path | None:
    """Return the argument that is a file or a folder above it."""
    end = Path(os.path.realpath(path))
    return next((place for place in (end, *end.parents) if place in short), None)


def _name_of(path: Path, first: Path, short: Mapping[Path, str]) -> str:
    """Return the name of a file: of an argument, below it, or relative to the first argument."""
    end, name = Path(os.path.realpath(path)), path.name
    if (place := _argument(path, short)) is not None:
        name = os.path.join(short[place], end.relative_to(place))
    elif any(end.is_relative_to(ROOT / package) for package in _PACKAGES):
        name = str(end.relative_to(ROOT))
    elif not path.is_absolute():
        name = str(path)
    elif not path.is_relative_to(user_cache_folder()):
        with suppress(ValueError):  # another drive
            shared = Path(os.path.commonpath([first, path]))
            # Otherwise the name would contain the folder of another user.
            if shared not in Path.home().parents:
                name = os.path.join(short.get(first, "."), os.path.relpath(path, first))
    return os.path.normpath(name).replace("\\", "/")


def _state(path: Path) -> tuple[int, int] | None:
    with suppress(OSError):
        status = path.stat()
        return status.st_size, status.st_mtime_ns
    return None


def _fmu_facts(path: Path) -> dict[str, Any]:
    """Return identification, FMI version and form of an FMU from its description."""
    description = archive_member(path, "modelDescription.xml").decode("utf-8", "replace")
    facts = {
        key: (found[1] if (found := re.search(rf'\b(?:{name})="([^"]*)"', description)) else "")
        for key, name in (("guid", "guid|instantiationToken"), ("fmi", "fmiVersion"))
    }
    is_python = 'needsExecutionTool="true"' in description
    return {**facts, "form": "Python" if is_python else "native"}


def _plain(value: Any) -> Any:
    """Return a value of a parameter for JSON. A path is reduced to its file name."""
    value = getattr(value, "name", value)
    if isinstance(value, str):
        with suppress(ValueError):
            return json.loads(value)
        return Path(value).name if is_path(value) else value
    return value if not isinstance(value, float) or abs(value) < float("inf") else str(value)


def _now() -> datetime:
    """Return the time, or the time of SOURCE_DATE_EPOCH for files that can be reproduced."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    return datetime.fromtimestamp(int(epoch), UTC) if epoch.isdecimal() else datetime.now(UTC)
