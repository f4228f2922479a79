"""The page of the commands lists the options of the parsers."""

import importlib.util

from .documents import ROOT


def test_the_page_is_what_the_command_writes():
    spec = importlib.util.spec_from_file_location("command_tables", ROOT / "docs/command_tables.py")
    command_tables = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(command_tables)
    shown = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    assert shown == command_tables.page(), "run `python docs/command_tables.py`"
