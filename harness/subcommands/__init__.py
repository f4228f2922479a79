"""The sub-commands of `wearfmu`, which are found by their modules in this folder.

A module has `HELP`, in lower case and without full stop, and `execute(arguments)`, which returns
the exit code. It may have `EXAMPLES`, which are printed below the options, `add_options(parser)`
and a `NAME`. Modules import large libraries inside `execute`, so that `--help` is fast. Modules
without `execute` are shared by several commands.
"""

from __future__ import annotations

import argparse
import pkgutil
from importlib import import_module

from harness.subcommands.options import FAILED

__all__ = ["FAILED", "add_subcommands"]

GROUPS = {
    "Simulate": ("build", "run", "validate"),
    "Studies": ("blocks", "sweep", "life", "fit"),
    "Results": ("post",),
}
"""The commands that `--help` lists first, by heading. The others follow by name."""


def add_subcommands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Add the sub-commands, list them by group in the help of `parser`, and return their parsers.

    The parsed arguments contain `execute` of the selected command. The parsers are by name.
    """
    subparsers = parser.add_subparsers(
        prog="wearfmu", metavar="COMMAND", required=True, help=argparse.SUPPRESS
    )
    first = [name for names in GROUPS.values() for name in names]
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    lines = {}
    for name in (*first, *(name for name in names if name not in first)):
        module = import_module(f"{__name__}.{name}")
        if not hasattr(module, "execute"):
            continue
        command = subparsers.add_parser(
            getattr(module, "NAME", name),
            description=f"{module.HELP[0].upper()}{module.HELP[1:]}.",
            epilog=getattr(module, "EXAMPLES", ""),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        if hasattr(module, "add_options"):
            module.add_options(command)
        command.set_defaults(execute=module.execute)
        lines[getattr(module, "NAME", name)] = module.HELP
    groups = {**GROUPS, "More": tuple(name for name in lines if name not in first)}
    listed = "\n\n".join(
        "\n".join([f"{heading}:", *(f"  {name:<10} {lines[name]}" for name in names)])
        for heading, names in groups.items()
    )
    parser.epilog = f"{listed}\n\n{parser.epilog or ''}".rstrip()
    return subparsers.choices
