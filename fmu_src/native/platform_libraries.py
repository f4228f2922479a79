"""Libraries of the FMU by platform: clang from the package ziglang, for all platforms alike.

g++ needs more memory than a computer has for Pythran's output. Products are not contracted to fused
operations and nothing is reordered, so every platform gives the interpreted kernel's bits.
"""

from __future__ import annotations

import struct
import subprocess
import sys
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from platform import machine

from fmu_src.native.build_cache import kept

LAYER = Path(str(files("fmu_src.native"))) / "slave.cpp"

_FLAGS = (
    "-std=c++17",
    "-O2",
    # An assertion would end the host.
    "-DNDEBUG",
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

_LINUX_FLAGS = (
    "-shared",
    "-fPIC",
    f"-Wl,--version-script={_EXPORTS_FILE}",
    "-Wl,--gc-sections",
    "-s",
)

_MAC_FLAGS = ("-shared", "-fPIC")

# FMI 2.0.5 has names for 64-bit x86 only; all others are FMI 3.0's platform tuples (section 2.3).
PLATFORMS = {
    one.name: one
    for one in (
        Platform("linux64", ("x86_64-linux-gnu.2.17",), ".so", _LINUX_FLAGS),
        Platform("aarch64-linux", ("aarch64-linux-gnu.2.17",), ".so", _LINUX_FLAGS),
        Platform("win64", ("x86_64-windows-gnu",), ".dll", ("-shared", "-s")),
        # For both processors: masters on ARM look here too, FMPy here alone.
        Platform("darwin64", ("x86_64-macos.11.0", "aarch64-macos.11.0"), ".dylib", _MAC_FLAGS),
        Platform("aarch64-darwin", ("aarch64-macos.11.0",), ".dylib", _MAC_FLAGS),
    )
}


def host_platform() -> str:
    """Name of the platform that this program runs on; an unknown one counts as Linux."""
    linux = "aarch64-linux" if machine() in ("aarch64", "arm64") else "linux64"
    return {"win32": "win64", "darwin": "darwin64"}.get(sys.platform, linux)


# Universal Mach-O: number of its format, and the alignment of its parts, 2^14, a page on ARM.
_UNIVERSAL = 0xCAFEBABE
_ALIGNMENT = 14


def compile_library(platform: Platform, folder: Path, name: str, layer: Path = LAYER) -> Path:
    """Compile a layer and the headers that lie in `folder`; return the library's path.

    The layer is what stands between the model and its users: that of FMI, or another whose headers
    lie beside it.

    Raises
    ------
    RuntimeError
        The compiler refuses; the message is its own.
    """
    (folder / _EXPORTS_FILE).write_text(_EXPORTS, encoding="utf-8")
    library = folder / f"{name}{platform.suffix}"
    places = dict.fromkeys((layer.parent, LAYER.parent, folder))
    sources = [layer, *(one for place in places for one in sorted(place.glob("*.hpp")))]
    content = [one.read_bytes() for one in sources]
    tools = [f"{tool} {version(tool)}" for tool in ("ziglang", "pythran", "fmpy")]
    parts = []
    for target in platform.targets:
        flags = (target, library.name, *_FLAGS, *platform.linker_flags, _EXPORTS)
        made_from = [*(one.encode() for one in (*tools, *flags)), *content]
        parts.append(
            kept("library", made_from, partial(_compiled, target, platform, library, layer))
        )
    library.write_bytes(_universal(parts) if len(parts) > 1 else parts[0])
    return library


def include_flags(folder: Path) -> list[str]:
    """Where a layer finds headers: generated ones in `folder`, ours, FMI's and Pythran's."""
    places = (folder, LAYER.parent, files("fmpy") / "c-code", files("pythran"))
    return [f"-I{one}" for one in places]


def _compiled(target: str, platform: Platform, library: Path, layer: Path) -> bytes:
    command = [sys.executable, "-P", "-m", "ziglang", "c++", "-target", target, *_FLAGS]
    command += [*include_flags(library.parent), str(layer), "-o", library.name]
    command += platform.linker_flags
    done = subprocess.run(command, cwd=library.parent, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{target}: the compiler refuses:\n{done.stderr[-4000:]}")
    return library.read_bytes()


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
