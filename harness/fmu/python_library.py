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


def python_library() -> Path | None:
    """Return the shared library of this Python, or `None` if it does not have one."""
    own, linked, folder, kind = (
        str(value or "")
        for value in sysconfig.get_config_vars("INSTSONAME", "LDLIBRARY", "LIBDIR", "MULTIARCH")
    )
    names = sorted({name for name in (own, linked) if ".so" in name}, reverse=True)
    places = ([folder] if folder else []) + [f"{sys.base_prefix}/lib", f"/usr/lib/{kind}"]
    files = (Path(place, name) for place in places for name in names)
    return next((file for file in files if file.is_file()), None)


def host_environment() -> dict[str, str]:
    """Return PATH and, if this Python has a shared library, LD_PRELOAD for a C host."""
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
    library = python_library()
    return {"PATH": path} if library is None else {"LD_PRELOAD": str(library), "PATH": path}
