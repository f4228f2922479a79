"""Installation: the source of this package, the command for an extra, tools, and the cache."""

from __future__ import annotations

import json
import shlex
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

import platformdirs

_NAME = "wearfmu"
_NATIVE_TOOLS = ("pythran", "ziglang")


def install_command(extra: str) -> str:
    """Return the command that adds an extra of ``pyproject.toml`` to the installed package.

    pip stores the source of a package (PEP 610) if it is a folder, perhaps editable, an archive or
    a repository. The source is not stored for a package from an index.
    """
    origin = _origin()
    url = origin.get("url", "")
    if "dir_info" in origin:
        folder = Path(url2pathname(unquote(urlsplit(url).path)))
        # "." in the clone itself, as in its documentation, otherwise the path.
        place = "." if folder == Path.cwd() else str(folder)
        editable = "-e " if origin["dir_info"].get("editable") else ""
        return f"pip install {editable}{_quoted(f'{place}[{extra}]')}"
    if not url:
        return f"pip install {_quoted(f'{_NAME}[{extra}]')}"
    version_control = origin.get("vcs_info", {}).get("vcs")
    url = f"{version_control}+{url}" if version_control else url
    return f"pip install {_quoted(f'{_NAME}[{extra}] @ {url}')}"


def user_cache_folder() -> Path:
    """Return the cache folder of this user on this platform."""
    return Path(platformdirs.user_cache_dir(_NAME, appauthor=False))


class MissingToolError(RuntimeError):
    """The extra `native` is not installed."""


def missing_tools() -> list[str]:
    """Return the packages of translator and compiler that are not installed."""
    return [name for name in _NATIVE_TOOLS if find_spec(name) is None]


def require_tools(what: str = "a native FMU") -> None:
    """Raise MissingToolError with the remedy if a tool that `what` needs is missing."""
    missing = missing_tools()
    if missing:
        raise MissingToolError(f"{what} needs {' and '.join(missing)}: {install_command('native')}")


def _origin() -> dict[str, Any]:
    """Return the source of this package that pip stored, or an empty dict without one."""
    try:
        text = distribution(_NAME).read_text("direct_url.json")
    except PackageNotFoundError:  # run from a folder of sources, on Python's path
        return {"url": Path(__file__).parents[1].as_uri(), "dir_info": {"editable": True}}
    return dict(json.loads(text)) if text else {}


def _quoted(requirement: str) -> str:
    """Return the requirement in quotes, because some shells interpret brackets."""
    quoted = shlex.quote(requirement)
    return quoted if quoted != requirement else f"'{requirement}'"
