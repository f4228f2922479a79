"""Builds the FMUs: each carries its own copy of the kernel under a name that holds its content.

A plain `wearmodel` on the host's path would shadow a bundled package of that name, and Python keeps
modules by name: two FMUs, or two versions of one, would run each other's code. So the sources go
into ``resources/wearfmu_<hash>/`` and the script is named ``<model>_<hash>.py``.
"""

from __future__ import annotations

import hashlib
import re
import sys
import tempfile
import uuid
import zipfile
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

from pythonfmu import FmuBuilder

# Module of each slave, and what it needs of the two packages.
_SLAVES = {
    "FrictionalShock": "frictional_shock",
    "DisChoc": "dis_choc",
    "BaseMotion": "base_motion",
}
_FMU_SOURCES = ("model_description.py", "slave.py", "thread_state.py", "variables.py")
_MODEL_SOURCES = (
    "accelerogram.py",
    "base_motion.py",
    "frictional_shock.py",
    "parameters.py",
    "quantities.py",
    "shock_spring.py",
)

# One date for every archive member: the bytes depend on the content alone.
_DATE = (1980, 1, 1, 0, 0, 0)


def fmu_names() -> tuple[str, ...]:
    """Names of the FMUs that can be built."""
    return tuple(_SLAVES)


def build_fmu(name: str, destination: Path) -> Path:
    """Build ``destination/<name>.fmu`` and return its path.

    The same sources give the same bytes.

    Raises
    ------
    ValueError
        There is no FMU of that name.
    """
    sources = _bundled_sources(name)
    digest = _digest(sources)
    package = f"wearfmu_{digest}"
    script_name = f"{_SLAVES[name]}_{digest}"
    destination = Path(destination)
    destination.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="wearfmu_") as folder:
        root = Path(folder)
        for relative, content in sources.items():
            path = root / package / relative
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
        script = root / f"{script_name}.py"
        script.write_text(_script(name, package, digest), encoding="utf-8")
        built = _run_builder(script, root / package, root / f"{name}.fmu")
        fmu_path = destination / f"{name}.fmu"
        _rewrite_reproducibly(built, fmu_path)
    return fmu_path


def is_stale(fmu_path: Path) -> bool:
    """True where the FMU is missing, unreadable, or built from other sources than the present."""
    fmu_path = Path(fmu_path)
    try:
        with zipfile.ZipFile(fmu_path) as archive:
            script_name = archive.read("resources/slavemodule.txt").decode().strip()
        name = fmu_path.stem
        return script_name != f"{_SLAVES[name]}_{_digest(_bundled_sources(name))}"
    except (OSError, KeyError, ValueError, zipfile.BadZipFile):
        return True


def _bundled_sources(name: str) -> dict[str, str]:
    """Path in the bundle → text, with the slaves' imports of `wearmodel` made relative."""
    if name not in _SLAVES:
        raise ValueError(f"there is no FMU {name!r}; there are: {', '.join(_SLAVES)}")
    model_root = files("wearmodel")
    slave_root = files("fmu_src")
    sources = {"__init__.py": "", "wearmodel/__init__.py": "", "fmu_src/__init__.py": ""}
    for entry in (*_FMU_SOURCES, f"{_SLAVES[name]}.py"):
        text = slave_root.joinpath(entry).read_text(encoding="utf-8")
        text = re.sub(r"^from wearmodel\b", "from ..wearmodel", text, flags=re.MULTILINE)
        sources[f"fmu_src/{entry}"] = text
    for entry in _MODEL_SOURCES:
        sources[f"wearmodel/{entry}"] = model_root.joinpath(entry).read_text(encoding="utf-8")
    kernel = model_root.joinpath("kernel")
    for entry in sorted(item.name for item in kernel.iterdir() if item.name.endswith(".py")):
        sources[f"wearmodel/kernel/{entry}"] = kernel.joinpath(entry).read_text(encoding="utf-8")
    return sources


def _digest(sources: dict[str, str]) -> str:
    """Short hash of all that makes the FMU: its sources, this builder and pythonfmu."""
    content = hashlib.sha256()
    content.update(version("pythonfmu").encode())
    content.update(Path(__file__).read_bytes())
    for relative, text in sorted(sources.items()):
        content.update(f"\0{relative}\0{text}".encode())
    return content.hexdigest()[:12]


def _script(name: str, package: str, digest: str) -> str:
    guid = uuid.uuid5(uuid.NAMESPACE_URL, f"wearfmu/{name}/{digest}")
    # At every instantiation pythonfmu runs the script again and gives back a reference to the
    # module's dictionary that it never took; without one more each time the dictionary is freed
    # under the running slave and the host crashes.
    return (
        "import ctypes\n\n"
        f"from {package}.fmu_src.{_SLAVES[name]} import {name}\n\n"
        f'{name}.content_guid = "{{{guid}}}"\n'
        "ctypes.pythonapi.Py_IncRef(ctypes.py_object(globals()))\n"
    )


def _run_builder(script: Path, package: Path, target: Path) -> Path:
    """Call pythonfmu's builder and undo what it leaves in this process."""
    path_before = sys.path[:]
    sys.path.insert(0, str(script.parent))
    try:
        return Path(FmuBuilder.build_FMU(script, dest=target, project_files=[package]))
    finally:
        sys.path[:] = path_before
        for module in [m for m in sys.modules if m.split(".")[0] in (script.stem, package.name)]:
            del sys.modules[module]


def _rewrite_reproducibly(source: Path, target: Path) -> None:
    """Copy the archive with members in order, one date and no bytecode; the target at once."""
    partial = target.with_suffix(".partial")
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(partial, "w") as new:
        for name in sorted(old.namelist()):
            if name.endswith(".pyc"):
                continue
            member = zipfile.ZipInfo(name, date_time=_DATE)
            member.compress_type = zipfile.ZIP_DEFLATED
            member.external_attr = (0o755 if name.startswith("binaries/") else 0o644) << 16
            member.create_system = 3
            new.writestr(member, old.read(name))
    partial.replace(target)
