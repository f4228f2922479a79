"""The sub-commands of `wearfmu`, one module each, found by being here.

A module has `add_parser(subparsers)`, which adds its own argparse parser with `execute` as
default, and `execute(arguments)`, which returns the exit code. Modules import what is heavy
inside `execute`, so that `--help` is quick. The modules without `add_parser` serve several of them.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module
from types import ModuleType

__all__ = ["GROUPS", "subcommands"]

GROUPS = {
    "Simulate": ("build", "run", "validate"),
    "Studies": ("blocks", "sweep", "life"),
    "Results": ("post",),
}
"""The commands that `--help` lists first, by heading; the others follow by name."""


def subcommands() -> list[ModuleType]:
    """Return the modules of the sub-commands, in the order in which `--help` lists them."""
    first = [name for names in GROUPS.values() for name in names]
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    others = [name for name in names if name not in first]
    modules = [import_module(f"{__name__}.{name}") for name in (*first, *others)]
    return [module for module in modules if hasattr(module, "add_parser")]
