"""The sub-commands of `wearfmu`, one module each.

A module has `add_parser(subparsers)`, which adds its own argparse parser with `execute` as
default, and `execute(arguments)`, which returns the exit code. Modules import what is heavy
inside `execute`, so that `--help` is quick. To add a sub-command, write such a module and name it
in `SUBCOMMANDS`.
"""

from __future__ import annotations

from harness.subcommands import (
    build,
    doctor,
    list_cases,
    post,
    run,
    schemes,
    ssp,
    structure,
    sweep,
    validate,
)

SUBCOMMANDS = (build, validate, run, sweep, post, schemes, structure, ssp, doctor, list_cases)

__all__ = ["SUBCOMMANDS"]
