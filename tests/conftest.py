"""Marks that hold for whole folders."""

from __future__ import annotations

from pathlib import Path

import pytest

# Folders whose tests need a C compiler, another master or the native tool chain.
_HOST_FOLDERS = tuple(Path(__file__).with_name(name) for name in ("masters", "native"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of those folders with `hosts`."""
    for item in items:
        if any(folder in item.path.parents for folder in _HOST_FOLDERS):
            item.add_marker(pytest.mark.hosts)
