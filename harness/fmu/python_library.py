"""Environment in which a host other than Python can load a Python FMU: libpython and PATH.

The library of the FMU does not name libpython, so on Linux LD_PRELOAD must load it first. Python
finds its standard library next to itself or by the `python3` on PATH. PYTHONHOME overrides both and
is wrong for other versions.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path

OLDEST_PYTHON = (3, 9)


def python_library() -> Path | None:
    """Return the shared library of this Python, or `None` if it does not have one."""
    names = {
        str(name)
        for name in (
            sysconfig.get_config_var("INSTSONAME"),
            sysconfig.get_config_var("LDLIBRARY"),
        )
        if name and ".so" in str(name)
    }
    folders = [
        Path(str(folder))
        for folder in (
            sysconfig.get_config_var("LIBDIR"),
            Path(sys.base_prefix, "lib"),
            Path("/usr/lib", str(sysconfig.get_config_var("MULTIARCH") or "")),
        )
        if folder
    ]
    for folder in folders:
        for name in sorted(names, reverse=True):
            if (folder / name).is_file():
                return folder / name
    return None


def host_environment() -> dict[str, str]:
    """Return PATH and, if this Python has a shared library, LD_PRELOAD for a C host."""
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
    library = python_library()
    return {"PATH": path} if library is None else {"LD_PRELOAD": str(library), "PATH": path}
