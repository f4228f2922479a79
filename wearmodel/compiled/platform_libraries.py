"""Libraries of a kernel for all platforms, compiled by clang from the package ziglang.

The system's compiler is not used: g++ needs too much memory for Pythran's output, and clang++ would
not save time, because the translation dominates (docs/benchmarks.md). Products are not contracted
to fused operations and sums are not reordered, so each platform computes the interpreted bits.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from platform import libc_ver, machine

from .build_cache import kept
from .tool_process import run_tool
from .translate import NAMESPACE

# The generated file of the kernel. It takes long to compile and is the same for all layers.
KERNEL_UNIT = "kernel.cpp"
_HERE = Path(str(files("wearmodel.compiled")))
_KERNEL_HEADERS = tuple(
    _HERE / name for name in ("kernel_calls.hpp", "kernel_rows.hpp", "views.hpp", "run_calls.hpp")
)

FLAGS = (
    "-std=c++17",
    "-O2",
    # Otherwise each position in a row becomes a separate counter, more than the registers can hold.
    "-mllvm",
    "-disable-lsr",
    # The code does not use errno after a square root.
    "-fno-math-errno",
    # A failed assertion would end the host.
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

    With several targets, the library contains all of them (macOS).
    """

    name: str
    targets: tuple[str, ...]
    suffix: str
    flags: tuple[str, ...]
    linker_flags: tuple[str, ...]


@dataclass(frozen=True)
class Layer:
    """C++ layer between a kernel and the users of its library."""

    #: C++ files that call the kernel by ``kernel_calls.hpp``. Empty if the kernel's own unit has
    #: the functions.
    sources: tuple[Path, ...]
    #: Folders of its own headers, whose content is part of the key in the cache.
    headers: tuple[Path, ...]
    exports: tuple[str, ...]  #: Exported functions, as patterns of a linker.
    #: Folder of headers of another package, by package. Its version replaces their content in the
    #: key.
    foreign_headers: Mapping[str, Path] = field(default_factory=dict)


NO_LAYER = Layer((), (), ("wear_*",))  #: For a kernel that is called directly.

_EXPORTS_FILE = "exports.map"

_LINUX_FLAGS = ("-shared", f"-Wl,--version-script={_EXPORTS_FILE}", "-Wl,--gc-sections", "-s")
_MAC = (".dylib", ("-fPIC",), ("-shared",))

# FMI 2.0.5 names 64-bit x86 only. All others have FMI 3.0's platform tuples (section 2.3).
PLATFORMS = {
    platform.name: platform
    for platform in (
        Platform("linux64", ("x86_64-linux-gnu.2.17",), ".so", ("-fPIC",), _LINUX_FLAGS),
        Platform("aarch64-linux", ("aarch64-linux-gnu.2.17",), ".so", ("-fPIC",), _LINUX_FLAGS),
        Platform("win64", ("x86_64-windows-gnu",), ".dll", (), ("-shared", "-s")),
        # For both processors: masters on ARM search this folder too, and FMPy only this folder.
        Platform("darwin64", ("x86_64-macos.11.0", "aarch64-macos.11.0"), *_MAC),
        Platform("aarch64-darwin", ("aarch64-macos.11.0",), *_MAC),
    )
}


def supported_platform() -> Platform | None:
    """Return the platform of this program, or `None` if it is not supported."""
    processor = machine().lower()
    is_arm = processor in ("aarch64", "arm64")
    if not (is_arm or processor in ("x86_64", "amd64")) or sys.maxsize < 2**32:
        return None
    if sys.platform.startswith("linux") and libc_ver()[0] == "glibc":
        return PLATFORMS[host_platform()]
    if sys.platform == "win32" and not is_arm:
        return PLATFORMS["win64"]
    if sys.platform == "darwin":
        return PLATFORMS["aarch64-darwin" if is_arm else "darwin64"]
    return None


def host_platform() -> str:
    """Return the name of the platform of this program. Linux is assumed if it is unknown."""
    linux = "aarch64-linux" if machine() in ("aarch64", "arm64") else "linux64"
    return {"win32": "win64", "darwin": "darwin64"}.get(sys.platform, linux)


# Universal Mach-O: number of its format, and the alignment of its parts, 2^14, a page on ARM.
_UNIVERSAL = 0xCAFEBABE
_ALIGNMENT = 14


def compile_library(platform: Platform, folder: Path, name: str, layer: Layer = NO_LAYER) -> Path:
    """Compile a layer with the kernel and the headers in `folder`, and return the library's path.

    Without a layer the library exports the marked functions of the kernel's own unit. If the
    compiler fails, RuntimeError contains its message.
    """
    exports = f"{{ global: {'; '.join(layer.exports)}; local: *; }};\n"
    (folder / _EXPORTS_FILE).write_text(exports, encoding="utf-8")
    library = folder / f"{name}{platform.suffix}"
    parts = []
    for target in platform.targets:
        compiler = (target, *FLAGS, *platform.flags)
        kernel = [folder / KERNEL_UNIT, folder / f"{NAMESPACE}.hpp", *_KERNEL_HEADERS]
        made_from = [*_versions("ziglang", "pythran"), *_encoded(compiler), *_code(kernel)]
        compiled = kept("object", made_from, partial(_compiled, compiler, folder))
        places = dict.fromkeys((*layer.headers, folder))
        headers = [path for place in places for path in sorted(place.glob("*.hpp"))]
        text = [header for header in headers if header not in kernel]
        text += layer.sources
        made_from += _versions(*layer.foreign_headers)
        made_from += [*_encoded((library.name, *platform.linker_flags, exports)), *_contents(text)]
        made = partial(_linked, compiler, platform, library, layer, compiled)
        parts.append(kept("library", made_from, made))
    library.write_bytes(_universal(parts) if len(parts) > 1 else parts[0])
    return library


def _versions(*packages: str) -> list[bytes]:
    return _encoded(f"{package} {version(package)}" for package in packages)


def _encoded(words: Iterable[str]) -> list[bytes]:
    return [word.encode() for word in words]


def _contents(paths: Iterable[Path]) -> list[bytes]:
    return [path.read_bytes() for path in paths]


def _code(paths: Iterable[Path]) -> list[bytes]:
    """As `_contents`, without source positions, which have no effect without debug symbols."""
    return [
        b"".join(line for line in content.splitlines(True) if not line.startswith(b"#line"))
        for content in _contents(paths)
    ]


def include_flags(*folders: Path) -> list[str]:
    """Return the flags for the headers of the kernel, in `folders`, and of Pythran."""
    return [f"-I{path}" for path in (_HERE, *folders, files("pythran"))]


def _compiled(compiler: tuple[str, ...], folder: Path) -> bytes:
    """Compile the kernel's object file."""
    made = folder / f"{KERNEL_UNIT}.o"
    _run("c++", compiler, folder, *include_flags(folder), "-c", KERNEL_UNIT, "-o", made.name)
    return made.read_bytes()


def _linked(
    compiler: tuple[str, ...], platform: Platform, library: Path, layer: Layer, kernel: bytes
) -> bytes:
    """Link the library of a layer and the kernel's object file."""
    made = library.with_name(f"{KERNEL_UNIT}.o")
    made.write_bytes(kernel)
    objects = [made.name]
    headers = include_flags(*layer.headers, library.parent, *layer.foreign_headers.values())
    for source in layer.sources:
        objects.append(f"{source.name}.o")
        _run("c++", compiler, library.parent, *headers, "-c", str(source), "-o", objects[-1])
    # Linked as C, because C++'s library is not needed and takes half a minute to build.
    _run("cc", compiler, library.parent, *objects, "-o", library.name, *platform.linker_flags)
    return library.read_bytes()


def _run(language: str, compiler: tuple[str, ...], folder: Path, *arguments: str) -> None:
    target, *flags = compiler
    command = ["-m", "ziglang", language, "-target", target, *flags, *arguments]
    code, _, errors = run_tool(command, folder)
    if code != 0:
        raise RuntimeError(f"{target}: the compiler failed:\n{errors[-4000:]}")


def _universal(parts: list[bytes]) -> bytes:
    """Join Mach-O libraries in one file. Its head contains processor, offset and size of each."""
    page = 1 << _ALIGNMENT
    head = struct.pack(">II", _UNIVERSAL, len(parts))
    body = b""
    for part in parts:
        processor, variant = struct.unpack("<ii", part[4:12])
        body += bytes(-len(body) % page)
        head += struct.pack(">iiIII", processor, variant, page + len(body), len(part), _ALIGNMENT)
        body += part
    return head + bytes(page - len(head)) + body
