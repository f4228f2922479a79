"""Copies of the repository in which sources are changed."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
#: Folder of all files of the campaign.
FOLDER = ROOT / "build" / "mutants"
MAP_FOLDER = FOLDER / "map"
#: Folders of the sources.
PRODUCT = ("wearmodel", "fmu_src", "harness")


def tracked_files() -> list[str]:
    """Return files under version control, and new ones that are not ignored."""
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "-co", "--exclude-standard"]
    listed = subprocess.run(command, check=True, capture_output=True).stdout.decode()
    return sorted(name for name in listed.split("\0") if name and (ROOT / name).is_file())


def copy_tree(name: str) -> Path:
    """Create a tree of the files under version control, or update an existing one."""
    tree = FOLDER / name
    files = tracked_files()
    if tree.is_dir():
        for path in [path for path in tree.rglob("*") if path.is_file() or path.is_symlink()]:
            relative = path.relative_to(tree).as_posix()
            if path.suffix != ".pyc" and relative not in files:
                path.unlink()
    for file in files:
        source, target = ROOT / file, tree / file
        if not target.is_file() or target.read_bytes() != source.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target, follow_symlinks=False)
    return tree


def write_changed(path: Path, content: bytes) -> None:
    """Write a source and delete its compiled bytecode."""
    path.write_bytes(content)
    for compiled in path.parent.glob(f"__pycache__/{path.stem}.*.pyc"):
        compiled.unlink()


def digest_of(*files: str) -> str:
    """Return the digest of files of the repository."""
    content = hashlib.sha256()
    for file in files:
        content.update(file.encode() + b"\0" + (ROOT / file).read_bytes())
    return content.hexdigest()[:16]


def product_digest() -> str:
    """Return the digest of all sources that the tests run."""
    return digest_of(*(file for file in tracked_files() if file.split("/")[0] in PRODUCT))


def environment() -> dict[str, str]:
    """Return the environment of all tests, with caches separate from the user's."""
    return {
        "WEARFMU_CACHE": str(FOLDER / "cache"),
        "ZIG_GLOBAL_CACHE_DIR": str(FOLDER / "zig"),
        # More threads would increase the CPU time without saving wall time.
        "OPENBLAS_NUM_THREADS": "1",
        "TMPDIR": os.environ.get("TMPDIR", "/tmp"),
    }
