"""Optional libraries: imported on first use, with a remedy if one is missing."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from harness.errors import MissingLibraryError
from wearmodel.installation import install_command

# The extra that installs each library.
_EXTRAS = {"distributed": "sweep", "pandas": "parquet", "plotly": "report", "pyarrow": "parquet"}


def optional_module(name: str, purpose: str) -> Any:
    """Import a module such as `plotly.graph_objects`, for a `purpose` such as `--report`.

    Raises MissingLibraryError if the library is not installed. The message contains the command
    that installs it.
    """
    try:
        return import_module(name)
    except ImportError as problem:
        library = name.partition(".")[0]
        raise MissingLibraryError(
            f"{purpose} needs {library}, which cannot be imported: "
            f"{install_command(_EXTRAS[library])}"
        ) from problem
