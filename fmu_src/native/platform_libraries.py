"""Libraries of the FMU by platform: clang from the package ziglang, for all platforms alike.

g++ needs more memory than a computer has for Pythran's output. Products are not contracted to fused
operations and nothing is reordered, so every platform gives the interpreted kernel's bits.
"""

from __future__ import annotations

import struct
import subprocess
import sys
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

LAYER = Path(str(files("fmu_src.native"))) / "slave.cpp"

_FLAGS = (
    "-std=c++17",
    "-O2",
    # An assertion would end the host.
    "-DNDEBUG",
    "-shared",
    "-ffp-contract=off",
    "-fno-exceptions",
    "-fno-rtti",
    "-fno-threadsafe-statics",
    "-D_LIBCPP_VERBOSE_ABORT(...)=__builtin_abort()",
    "-fvisibility=hidden",
    "-fvisibility-global-new-delete=force-hidden",
    "-ffunction-sections",
    "-g0",
    # Pythran's generated code declares more than it uses.
    "-w",
)


@dataclass(frozen=True)
class Platform:
    """A folder of the archive's ``binaries``: compiler targets and linker flags.

    More than one target: a universal library that holds all of them (macOS).
    """

    name: str
    targets: tuple[str, ...]
    suffix: str
    linker_flags: tuple[str, ...]


_EXPORTS_FILE = "exports.map"
_EXPORTS = "{ global: fmi2*; local: *; };\n"

PLATFORMS = {
    one.name: one
    for one in (
        Platform(
            "linux64",
            ("x86_64-linux-gnu.2.17",),
            ".so",
            ("-fPIC", f"-Wl,--version-script={_EXPORTS_FILE}", "-Wl,--gc-sections", "-s"),
        ),
        Platform("win64", ("x86_64-windows-gnu",), ".dll", ("-s",)),
        Platform("darwin64", ("x86_64-macos.11.0", "aarch64-macos.11.0"), ".dylib", ("-fPIC",)),
    )
}


def host_platform() -> str:
    """Name of the platform that this program runs on; an unknown one counts as Linux."""
    return {"win32": "win64", "darwin": "darwin64"}.get(sys.platform, "linux64")


# Universal Mach-O: number of its format, and the alignment of its parts, 2^14, a page on ARM.
_UNIVERSAL = 0xCAFEBABE
_ALIGNMENT = 14


def compile_library(platform: Platform, folder: Path, name: str) -> Path:
    """Compile the FMI layer and the headers that lie in `folder`; return the library's path.

    Raises
    ------
    RuntimeError
        The compiler refuses; the message is its own.
    """
    (folder / _EXPORTS_FILE).write_text(_EXPORTS, encoding="utf-8")
    library = folder / f"{name}{platform.suffix}"
    parts = []
    for target in platform.targets:
        _compile(target, platform.linker_flags, library)
        parts.append(library.read_bytes())
    if len(parts) > 1:
        library.write_bytes(_universal(parts))
    return library


def include_flags(folder: Path) -> list[str]:
    """Where the FMI layer finds headers: generated ones in `folder`, FMI's and Pythran's."""
    return [f"-I{one}" for one in (folder, files("fmpy") / "c-code", files("pythran"))]


def _compile(target: str, linker_flags: tuple[str, ...], library: Path) -> None:
    command = [sys.executable, "-P", "-m", "ziglang", "c++", "-target", target, *_FLAGS]
    command += [*include_flags(library.parent), str(LAYER), "-o", library.name, *linker_flags]
    done = subprocess.run(command, cwd=library.parent, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{target}: the compiler refuses:\n{done.stderr[-4000:]}")


def _universal(parts: list[bytes]) -> bytes:
    """Mach-O libraries in one file, each behind an entry with its processor, place and size."""
    page = 1 << _ALIGNMENT
    head = struct.pack(">II", _UNIVERSAL, len(parts))
    body = b""
    for part in parts:
        processor, variant = struct.unpack("<ii", part[4:12])
        body += bytes(-len(body) % page)
        head += struct.pack(">iiIII", processor, variant, page + len(body), len(part), _ALIGNMENT)
        body += part
    return head + bytes(page - len(head)) + body
