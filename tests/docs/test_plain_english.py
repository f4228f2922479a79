"""The check of the English finds its patterns in prose only."""

import importlib.util
from types import ModuleType

import pytest

from .documents import ROOT


@pytest.fixture(scope="module")
def check() -> ModuleType:
    spec = importlib.util.spec_from_file_location("plain_english", ROOT / "docs/plain_english.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_pattern_above_its_limit_is_counted(check):
    sentence = "The file says what it holds; the page tells what it says."
    assert check.excess(sentence) == {"what": 2, "say, tell": 3}


def test_code_tables_and_headings_of_a_page_do_not_count(check):
    page = "# What it says\n\n| what | says |\n\n```sh\nwhat; says; tells\n```\n\n`what says`\n"
    assert check.excess(check.texts_of_page(page)) == {}


def test_docstrings_of_public_names_and_messages_count(check):
    source = (
        '"""What the module says of what it says."""\n'
        'def _private():\n    """What it says, what it says."""\n'
        '    raise ValueError(f"what {name} tells is what it tells")\n'
    )
    found = check.excess(check.texts_of_module(source))
    assert found == {"what": 4, "say, tell": 4}


def test_docstrings_of_tests_count_without_their_data(check):
    source = (
        'def test_a():\n    """What it says is what it says."""\n'
        '    x = "what it says; it says what"\n'
    )
    found = check.excess(check.docstrings_of_module(source))
    assert found == {"what": 2, "say, tell": 2}


def test_literals_of_cpp_and_lines_of_parameter_names_do_not_count(check):
    source = (
        '"""Return a sum.\n\nbars, jumps : tuple of bars\n    Values.\n"""\n'
        'LINES = ["for (long i = 0; i < count; ++i) { put(i); }", "int a; int b; int count;"]\n'
    )
    assert check.excess(check.texts_of_module(source)) == {}


def test_semicolons_inside_a_message_count(check):
    source = 'raise ValueError("the value is invalid; a smaller value is needed; use 1")\n'
    assert check.excess(check.texts_of_module(source)) == {"semicolon": 2}


def test_comments_count_apart_from_code_and_quoted_names(check):
    source = (
        'LINES = "what it says, what it says"  # What the table says of\n'
        "# what a file says. `what says` is a name.\n"
    )
    assert check.excess(check.comments_of_module(source)) == {"what": 2, "say, tell": 2}
    assert check.excess(check.comments_of_module("x = 1  # m, what is worn\n")) == {}
