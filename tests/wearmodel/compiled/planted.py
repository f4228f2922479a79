"""Temporary modules that are added to the kernel for a test."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from wearmodel import kernel
from wearmodel.compiled import declarations, lowering
from wearmodel.kernel import state_objects

ROOM = "planted"


@contextmanager
def planted(folder: Path, sources: Mapping[str, str], room: str = ROOM) -> Iterator[None]:
    """Add a package with these modules, given by name, to the kernel."""
    (folder / room).mkdir()
    for name, text in {"__init__": "", **sources}.items():
        (folder / room / f"{name}.py").write_text(text, encoding="utf-8")
    declarations.bundle_fields()  # imports the whole kernel
    bundles = state_objects.BUNDLES[:]
    kernel.__path__.append(str(folder))
    _forget()
    try:
        yield
    finally:
        kernel.__path__.remove(str(folder))
        state_objects.BUNDLES[:] = bundles
        _forget()
        for name in [name for name in sys.modules if name.startswith(f"{kernel.__name__}.{room}")]:
            del sys.modules[name]


def _forget() -> None:
    for module in (declarations, lowering):
        for function in vars(module).values():
            if hasattr(function, "cache_clear"):
                function.cache_clear()
