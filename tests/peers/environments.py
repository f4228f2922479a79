"""An environment for each peer, with pinned versions, below build/peers."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

from .roster import SYSTEM, Peer


class NotInstalledError(Exception):
    """A peer cannot be installed or imported on this machine. The message is the reason."""


def interpreter_of(peer: Peer, folder: Path) -> str:
    """Return the interpreter for a peer, and install the peer first if it is missing.

    Raises
    ------
    NotInstalledError
        pip fails, a package of Debian is missing, or the module cannot be imported.
    """
    for package in peer.debian:
        if not _version_in_debian(package):
            raise NotInstalledError(f"the Debian package {package} is not installed")
    if peer.program == "wearfmu":
        return sys.executable
    interpreter = SYSTEM
    if peer.packages:
        environment = folder / "environments" / peer.program
        interpreter = str(environment / "bin" / "python")
        stamp = environment / "installed"
        if not stamp.is_file() or stamp.read_text(encoding="utf-8") != " ".join(peer.packages):
            _run([sys.executable, "-m", "venv", "--clear", str(environment)])
            _run([interpreter, "-m", "pip", "install", "--quiet", *peer.packages])
            stamp.write_text(" ".join(peer.packages), encoding="utf-8")
    if peer.module is not None:
        _run([interpreter, "-c", f"import {peer.module}"])
    return interpreter


def version_of(peer: Peer) -> str:
    """Return the version of a peer that is installed."""
    if peer.program == "wearfmu":
        return version("wearfmu")
    if peer.debian and peer.module in (None, "siconos"):
        return f"{peer.debian[0]} {_version_in_debian(peer.debian[0])}"
    return peer.packages[0].partition("==")[2]


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        raise NotInstalledError(lines[-1] if lines else f"exit code {done.returncode}")


def _version_in_debian(package: str) -> str:
    try:
        done = subprocess.run(
            ["dpkg-query", "--show", "--showformat=${Version}", package],
            capture_output=True,
            text=True,
        )
    except FileNotFoundError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
