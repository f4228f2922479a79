"""What the native build needs beside the package, and the one line that says so."""

from __future__ import annotations

from importlib.util import find_spec

from ..installation import install_command

_PACKAGES = ("pythran", "ziglang")


class MissingToolError(RuntimeError):
    """The extra `native` is not installed."""


def missing_tools() -> list[str]:
    """Packages of the translator and the compiler that are not installed."""
    return [name for name in _PACKAGES if find_spec(name) is None]


def require_tools(what: str = "a native FMU") -> None:
    """Raise MissingToolError with the remedy unless the tools that `what` needs are installed."""
    missing = missing_tools()
    if missing:
        raise MissingToolError(f"{what} needs {' and '.join(missing)}: {install_command('native')}")
