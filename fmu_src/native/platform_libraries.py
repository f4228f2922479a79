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
from fmu_src.native.entry_points import NAMESPACE

# The FMI layer, and the generated file of the kernel: two parts of a library. The kernel's takes
# long to compile and is the same for all tables that the other is made with.
LAYER = Path(str(files("fmu_src.native"))) / "slave.cpp"
KERNEL_UNIT = "kernel.cpp"
_KERNEL_HEADERS = ("kernel_calls.hpp", "kernel_rows.hpp")

FLAGS = (
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
    """A folder of the archive's ``binaries``: compiler targets, flags of compiler and linker.

    More than one target: a universal library that holds all of them (macOS).
    """

    name: str
    targets: tuple[str, ...]
    suffix: str
    flags: tuple[str, ...]
    linker_flags: tuple[str, ...]


_EXPORTS_FILE = "exports.map"
_EXPORTS = "{ global: fmi2*; local: *; };\n"

_LINUX_FLAGS = ("-shared", f"-Wl,--version-script={_EXPORTS_FILE}", "-Wl,--gc-sections", "-s")
_MAC = (".dylib", ("-fPIC",), ("-shared",))

# FMI 2.0.5 has names for 64-bit x86 only; all others are FMI 3.0's platform tuples (section 2.3).
PLATFORMS = {
    platform.name: platform
    for platform in (
        Platform("linux64", ("x86_64-linux-gnu.2.17",), ".so", ("-fPIC",), _LINUX_FLAGS),
        Platform("aarch64-linux", ("aarch64-linux-gnu.2.17",), ".so", ("-fPIC",), _LINUX_FLAGS),
        Platform("win64", ("x86_64-windows-gnu",), ".dll", (), ("-shared", "-s")),
        # For both processors: masters on ARM look here too, FMPy here alone.
        Platform("darwin64", ("x86_64-macos.11.0", "aarch64-macos.11.0"), *_MAC),
        Platform("aarch64-darwin", ("aarch64-macos.11.0",), *_MAC),
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
    tools = [f"{tool} {version(tool)}" for tool in ("ziglang", "pythran", "fmpy")]
    parts = []
    for target in platform.targets:
        compiler = (target, *FLAGS, *platform.flags)
        kernel = [folder / KERNEL_UNIT, folder / f"{NAMESPACE}.hpp"]
        kernel += [LAYER.with_name(name) for name in _KERNEL_HEADERS]
        made_from = [*(command.encode() for command in (*tools, *compiler)), *_contents(kernel)]
        compiled = kept("object", made_from, partial(_compiled, compiler, folder))
        places = dict.fromkeys((layer.parent, LAYER.parent, folder))
        headers = [path for place in places for path in sorted(place.glob("*.hpp"))]
        text = [layer, *(header for header in headers if header not in kernel)]
        linked = (library.name, *platform.linker_flags, _EXPORTS)
        made_from += [*(tool.encode() for tool in linked), *_contents(text)]
        made = partial(_linked, compiler, platform, library, layer, compiled)
        parts.append(kept("library", made_from, made))
    library.write_bytes(_universal(parts) if len(parts) > 1 else parts[0])
    return library


def sources(folder: Path) -> list[Path]:
    """What a library is compiled of; `folder` holds the generated headers."""
    return [LAYER, folder / KERNEL_UNIT]


def _contents(paths: list[Path]) -> list[bytes]:
    return [path.read_bytes() for path in paths]


def include_flags(folder: Path) -> list[str]:
    """Where headers are found: our own, generated ones in `folder`, FMI's and Pythran's."""
    folders = (LAYER.parent, folder, files("fmpy") / "c-code", files("pythran"))
    return [f"-I{path}" for path in folders]


def _compiled(compiler: tuple[str, ...], folder: Path) -> bytes:
    """The kernel's object file."""
    made = folder / f"{KERNEL_UNIT}.o"
    _run(compiler, folder, "-c", KERNEL_UNIT, "-o", made.name)
    return made.read_bytes()


def _linked(
    compiler: tuple[str, ...], platform: Platform, library: Path, layer: Path, kernel: bytes
) -> bytes:
    """The library of a layer and the kernel's object file."""
    made = library.with_name(f"{KERNEL_UNIT}.o")
    made.write_bytes(kernel)
    _run(
        compiler,
        library.parent,
        *(str(layer), made.name, "-o", library.name),
        *platform.linker_flags,
    )
    return library.read_bytes()


def _run(compiler: tuple[str, ...], folder: Path, *arguments: str) -> None:
    target, *flags = compiler
    command = [sys.executable, "-P", "-m", "ziglang", "c++", "-target", target, *flags]
    command += [*include_flags(folder), *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
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
