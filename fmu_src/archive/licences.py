"""documentation/licenses of an FMU: the licences of all parts of the archive."""

from __future__ import annotations

from importlib.metadata import distribution

from wearmodel.compiled.ready_libraries import licence_text, tool_version

_OWN = "licenses/LICENSE"
# The library of the Python FMUs is from PythonFMU and contains parts of CPPFMU.
_PYTHON_NOTICE = """\
This FMU contains

- wearfmu (resources/wearfmu_*, documentation, extra): MIT licence, below
- PythonFMU {version} (binaries, resources/pythonfmu): MIT licence, pythonfmu.txt. Its source is at
  https://github.com/NTNU-IHB/PythonFMU
- in PythonFMU's binaries, parts of CPPFMU, copyright 2016-2019 SINTEF Ocean, subject to the terms
  of the Mozilla Public License, v. 2.0, which is at https://mozilla.org/MPL/2.0/. Their source is
  part of the source of PythonFMU.

"""
# Parts of the headers and libraries of translator and compiler.
_NATIVE_NOTICE = """\
This FMU contains

- wearfmu (binaries, documentation, extra): MIT licence, below
- in the binaries, parts of Pythran {version}, and of xsimd, which is part of it (copyright Johan
  Mabille, Sylvain Corlay, Wolf Vollprecht, Martin Renou, QuantStack, Serge Guelton): BSD 3-clause
  licence, pythran.txt
- in the binaries, parts of LLVM's libc++: Apache License 2.0 with LLVM exceptions, llvm.txt
- in binaries/win64, parts of the run-time of MinGW-w64: mingw-w64.txt

"""
# For a web page: as for a native FMU, and the library for the pictures.
_PAGE_NOTICE = """\
This page contains

- wearfmu (script and compiled model): MIT licence, below
- uPlot, which draws the pictures: MIT licence
- in the compiled model, parts of Pythran {version}, and of xsimd, which is part of it (copyright
  Johan Mabille, Sylvain Corlay, Wolf Vollprecht, Martin Renou, QuantStack, Serge Guelton): BSD
  3-clause licence
- in the compiled model, parts of LLVM's libc++: Apache License 2.0 with LLVM exceptions
- in the compiled model, parts of wasi-libc and of musl, which is part of it: MIT licences

"""


def python_licences() -> dict[str, str]:
    """Return text by file name for a Python FMU. `license.txt` is the first file by FMI 2.0.

    FileNotFoundError if an installed package does not contain its licence.
    """
    notice = _PYTHON_NOTICE.format(version=distribution("pythonfmu").version)
    return {
        "license.txt": notice + licence_text("wearfmu", _OWN),
        "pythonfmu.txt": licence_text("pythonfmu", _OWN),
    }


def native_licences() -> dict[str, str]:
    """Return text by file name for a native FMU. Raises as `python_licences`."""
    notice = _NATIVE_NOTICE.format(version=tool_version("pythran"))
    compiler = "licenses/ziglang/lib"
    return {
        "license.txt": notice + licence_text("wearfmu", _OWN),
        "pythran.txt": licence_text("pythran", _OWN),
        "llvm.txt": licence_text("ziglang", f"{compiler}/libcxx/LICENSE.TXT"),
        "mingw-w64.txt": licence_text("ziglang", f"{compiler}/libc/mingw/COPYING"),
    }


def page_licences(picture_library: str) -> tuple[str, ...]:
    """Return texts for a page with the compiled model and the licence of its picture library.

    Raises as `python_licences`.
    """
    notice = _PAGE_NOTICE.format(version=tool_version("pythran"))
    compiler = "licenses/ziglang/lib"
    return (
        notice + licence_text("wearfmu", _OWN),
        f"uPlot\n\n{picture_library}",
        f"Pythran\n\n{licence_text('pythran', _OWN)}",
        f"libc++\n\n{licence_text('ziglang', f'{compiler}/libcxx/LICENSE.TXT')}",
        f"wasi-libc\n\n{licence_text('ziglang', f'{compiler}/libc/wasi/LICENSE-MIT')}",
        "musl\n\n" + licence_text("ziglang", f"{compiler}/libc/wasi/libc-top-half/musl/COPYRIGHT"),
    )
