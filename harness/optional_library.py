"""Libraries that only some work needs: loaded when it is asked for, with the remedy if missing."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from harness.errors import MissingLibraryError
from wearmodel.installation import install_command

# The extra that brings each library.
_EXTRAS = {
    "distributed": "sweep",
    "pandas": "parquet",
    "plotly": "report",
    "pyarrow": "parquet",
}


def optional_module(name: str, purpose: str) -> Any:
    """Import a module of a library that need not be installed.

    Parameters
    ----------
    name : str
        Of the module, `plotly.graph_objects`.
    purpose : str
        What needs it, for the message: `--report`.

    Raises
    ------
    MissingLibraryError
        In one line, with the command that installs the library.
    """
    try:
        return import_module(name)
    except ImportError as problem:
        library = name.partition(".")[0]
        raise MissingLibraryError(
            f"{purpose} needs {library}, which cannot be imported: "
            f"{install_command(_EXTRAS[library])}"
        ) from problem
