"""The sub-commands of `wearfmu`, one module each, found by being here.

A module has `HELP`, which begins in lower case and has no full stop, and `execute(arguments)`,
which returns the exit code. It may have `EXAMPLES`, printed below the options,
`add_options(parser)`, and a `NAME` other than its own. Modules import what is heavy inside
`execute`, so that `--help` is quick. The modules without `execute` serve several of them.
"""

from __future__ import annotations

import argparse
import pkgutil
from importlib import import_module

__all__ = ["add_subcommands"]

# In the order of a user's work; `--help` lists the others behind them by name.
_FIRST = ("build", "validate", "run", "sweep", "post", "variables")


def add_subcommands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Add the sub-commands in the order in which `--help` lists them; return their parsers by name.

    The parsed arguments have the `execute` of the command that is chosen.
    """
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    others = [name for name in names if name not in _FIRST]
    for name in (*_FIRST, *others):
        module = import_module(f"{__name__}.{name}")
        if not hasattr(module, "execute"):
            continue
        command = subparsers.add_parser(
            getattr(module, "NAME", name),
            help=module.HELP,
            description=f"{module.HELP[0].upper()}{module.HELP[1:]}.",
            epilog=getattr(module, "EXAMPLES", ""),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        if hasattr(module, "add_options"):
            module.add_options(command)
        command.set_defaults(execute=module.execute)
    return subparsers.choices
