"""Writes commands.md: `python docs/command_tables.py`, after a change of a command or an option.

The sources are the parsers of the command line, which also print `--help`.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

from harness.subcommands import add_subcommands

PAGE = Path(__file__).with_name("commands.md")
_INTRODUCTION = """\
# Commands

All commands of `wearfmu` with their options, as `wearfmu COMMAND --help` prints them. Exit codes:

| code | meaning |
|---|---|
| 0 | passed |
| 1 | a case failed |
| 2 | usage or environment |
| 3 | not known |
| 70 | an error of `wearfmu` itself. `WEARFMU_TRACEBACK=1` shows its traceback |
"""


def page() -> str:
    """Return the text of the page."""
    commands = add_subcommands(argparse.ArgumentParser())
    return "\n".join([_INTRODUCTION, *(_section(name, commands[name]) for name in commands)])


def _section(name: str, command: argparse.ArgumentParser) -> str:
    groups = [(group.title, list(_rows(command, group))) for group in command._action_groups]
    tables = [
        "\n".join([f"| {title} | |", "|---|---|", *rows, ""]) for title, rows in groups if rows
    ]
    examples = f"```text\n{command.epilog.rstrip()}\n```\n" if command.epilog else ""
    return (
        "\n".join([f"## {name}\n", f"{command.description}\n", *tables, examples]).rstrip() + "\n"
    )


def _rows(command: argparse.ArgumentParser, group: argparse._ArgumentGroup) -> Iterator[str]:
    for action in group._group_actions:
        if not isinstance(action, argparse._HelpAction) and action.help != argparse.SUPPRESS:
            meaning = command._get_formatter()._expand_help(action) if action.help else ""
            meaning = re.sub(r"([|<>_*])", r"\\\1", meaning)
            yield f"| `{_usage(action)}` | {meaning} |"


def _usage(action: argparse.Action) -> str:
    names = ", ".join(action.option_strings)
    if action.nargs == 0:
        return names
    metavar = action.metavar or ("{" + ",".join(map(str, action.choices or ())) + "}")
    values = " ".join(metavar) if isinstance(metavar, tuple) else metavar
    return f"{names} {values}".strip()


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
