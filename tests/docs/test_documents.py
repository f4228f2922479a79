"""Commands, options, make targets and links in all documents exist."""

import argparse
import re
import shlex

import pytest

from harness.subcommands import add_subcommands

from .documents import DOCUMENTS, ROOT, commands, shows

IDS = [document.relative_to(ROOT).as_posix() for document in DOCUMENTS]


def options() -> dict[str, set[str]]:
    """Return the options of each sub-command of `wearfmu`."""
    parsers = add_subcommands(argparse.ArgumentParser(prog="wearfmu"))
    return {name: set(parser._option_string_actions) for name, parser in parsers.items()}


@pytest.mark.parametrize("document", DOCUMENTS, ids=IDS)
def test_every_command_and_option_in_a_document_exists(document):
    known = options()
    for command in commands(document, "wearfmu"):
        subcommand, *words = shlex.split(command)[1:]
        if subcommand in ("--help", "--version", "COMMAND"):
            continue
        assert subcommand in known, command
        named = {word.split("=")[0] for word in words if word.startswith("-") and len(word) > 1}
        assert {word for word in named if not word[1:2].isdigit()} <= known[subcommand], command


def test_the_documents_name_commands():
    assert sum(len(list(commands(document, "wearfmu"))) for document in DOCUMENTS) > 40


@pytest.mark.parametrize("document", DOCUMENTS, ids=IDS)
def test_every_target_of_make_in_a_document_exists(document):
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = {command.split()[1] for command in commands(document, "make")}
    assert named <= targets


@pytest.mark.parametrize("document", DOCUMENTS, ids=IDS)
def test_every_link_to_a_file_of_the_clone_leads_to_one(document):
    text = re.sub(r"```.*?```", "", document.read_text(encoding="utf-8"), flags=re.DOTALL)
    links = re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'src="([^"]+)"', text)
    local = [link.split("#")[0] for link in links if not re.match(r"[a-z]+:", link)]
    assert [link for link in local if link and not (document.parent / link).exists()] == []


def test_an_abridged_output_is_told_from_another():
    printed = "a  1\nb  2 J\nc  3\n"
    assert shows("a 1\n…\nc 3\n", printed)
    assert shows("…\nb … J\n…\n", printed)
    assert not shows("a 1\nc 3\n", printed)
    assert not shows("…\nb 3 J\n…\n", printed)
    assert not shows("a 1\n", printed)
