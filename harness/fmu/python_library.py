"""What a host that is not Python needs to load an FMU whose slave is Python: libpython, and PATH.

The FMU's library calls Python without naming the library that holds it, so on Linux somebody must
load that first: LD_PRELOAD. Python then finds its standard library from its own place, or from the
`python3` on PATH; PYTHONHOME overrides both, and wrongly for every other version.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path

OLDEST_PYTHON = (3, 9)


def python_library() -> Path | None:
    """Return the shared library of this Python, or None where there is none."""
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
    """Return LD_PRELOAD and PATH as a C host needs them; without LD_PRELOAD where there is none."""
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
    library = python_library()
    return {"PATH": path} if library is None else {"LD_PRELOAD": str(library), "PATH": path}
