"""Count patterns of stilted English: pages, docstrings, messages, help texts and comments.

Of the tests and of the programs of docs, only docstrings and comments are counted.

`python docs/plain_english.py` checks the repository, as `make lint` does. `--table` prints the
counts of each file, and `--update` writes `docs/plain_english.json`. This file lists the patterns
that a text still uses too often. A count may fall, but it must not rise. Limits are per 1000
words, about three times the rates in the docstrings of scipy.stats, dask and hypothesis. The
patterns find sentences that deserve a second look. They do not replace reading.
"""

from __future__ import annotations

import ast
import io
import json
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
KEPT = Path(__file__).with_suffix(".json")

LIMITS = {  # per 1000 words
    "what": (r"\bwhat\b", 1.0),
    "say, tell": (r"\b(says?|said|tells?|told)\b", 1.0),
    "stand, lie, bear, hold": (r"\b(stands?|lies|bears?|holds?)\b", 0.7),
    "that of, those of": (r"\b(that|those) of\b", 0.5),
    "is no": (r"\b(is|are|was|be) no\b", 0.3),
    "none, nothing, neither, nor": (r"\b(none|nothing|neither|nor)\b", 1.5),
    "for who": (r"\b(for|of|by) (who|whoever)\b|(?<=[.:] )who ", 0.0),
    "semicolon": (r";", 3.0),
    "shaking, heeded, supposed": (r"\bshakings?\b|\bheeded\b|\bsupposed\b", 0.0),
    "bar, jump": (r"(?<!error )(?<!flat )\bbars?\b|\bjumps?\b", 0.5),
}
# A literal with fewer words is a name, a key or a format, not a sentence.
WORDS_OF_A_SENTENCE = 4
# Lines `name : type` of docstrings are not sentences.
NAMES_OF_PARAMETERS = r"^ *[\w*]+(?:, [\w*]+)* : .*$"
# A literal that ends like a statement of C++ is code, not a sentence. Docstrings are not excluded.
CODE_ENDS = (";", "{", "}")


def texts_of_page(page: str) -> str:
    """Return the prose of a Markdown page: no code, formulas, link targets, tables, headings."""
    page = re.sub(r"```.*?```|`[^`]*`|\$[^$]*\$|\]\([^)]*\)", " ", page, flags=re.S)
    return re.sub(r"^(    .*|\|.*|#.*)$", "", page, flags=re.M)


def texts_of_module(source: str) -> str:
    """Return docstrings of public names and all literals that are sentences."""
    return "\n\n".join(
        re.sub(r"``?[^`]*``?|" + NAMES_OF_PARAMETERS, " ", text, flags=re.M)
        for text in _literals(ast.parse(source), private=False)
    )


def docstrings_of_module(source: str) -> str:
    """Return all docstrings, without code in backquotes."""
    documented = ast.AsyncFunctionDef | ast.FunctionDef | ast.ClassDef | ast.Module
    texts = [
        ast.get_docstring(node) or ""
        for node in ast.walk(ast.parse(source))
        if isinstance(node, documented)
    ]
    return re.sub(r"``?[^`]*``?", " ", "\n\n".join(texts))


def comments_of_module(source: str) -> str:
    """Return all comments, without code in backquotes. Adjacent lines are joined."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    texts = [token.string.lstrip("#: ") for token in tokens if token.type == tokenize.COMMENT]
    return re.sub(r"``?[^`]*``?", " ", "\n".join(texts))


def _literals(node: ast.AST, *, private: bool) -> Iterator[str]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.ClassDef):
            private_child = private or child.name.startswith("_")
            yield from _literals(child, private=private_child)
        elif isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
            if not private and isinstance(child.value.value, str):
                yield child.value.value
        elif isinstance(child, ast.JoinedStr):
            yield from _sentence(
                " ".join(
                    part.value if isinstance(part, ast.Constant) else "0" for part in child.values
                )
            )
        elif isinstance(child, ast.Constant) and isinstance(child.value, str):
            yield from _sentence(child.value)
        else:
            yield from _literals(child, private=private)


def _sentence(text: str) -> Iterator[str]:
    if text.rstrip().endswith(CODE_ENDS):
        return
    if len(re.findall(r"[A-Za-z]{2,}", text)) >= WORDS_OF_A_SENTENCE and " " in text:
        yield text


def excess(text: str) -> dict[str, int]:
    """Count the patterns that `text` uses more often than its length allows."""
    text = text.lower()
    words = max(1, len(text.split()))
    counts = {name: len(re.findall(pattern, text)) for name, (pattern, _) in LIMITS.items()}
    return {
        name: count
        for name, count in counts.items()
        if count > max(LIMITS[name][1] * words / 1000, 1 if LIMITS[name][1] else 0)
    }


def counts_of_repository() -> dict[str, dict[str, int]]:
    """Return the counts above their limit for each text file that git tracks."""
    names = subprocess.run(
        ["git", "ls-files", "*.md", "*.py"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    counts = {}
    for name in sorted(set(names)):
        path = REPOSITORY / name
        if path.suffix == ".md":
            text = texts_of_page(path.read_text("utf-8"))
        elif path.suffix == ".py":
            source = path.read_text("utf-8")
            tested = name.startswith(("tests/", "docs/"))
            text = docstrings_of_module(source) if tested else texts_of_module(source)
            if found := excess(comments_of_module(source)):
                counts[f"{name}, comments"] = found
        else:
            continue
        if found := excess(text):
            counts[name] = found
    return counts


def main(arguments: list[str]) -> int:
    """Check, print or store the counts. Return the exit code."""
    found = counts_of_repository()
    if "--update" in arguments:
        rows = ",\n".join(
            f"{json.dumps(name)}: {json.dumps(found[name])}" for name in sorted(found)
        )
        KEPT.write_text(f"{{\n{rows}\n}}\n", encoding="utf-8")
        return 0
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    if "--table" in arguments:
        for name, counts in sorted(found.items(), key=lambda row: -sum(row[1].values())):
            print(f"{sum(counts.values()):4} {name}: {counts}")
    risen = [
        f"{name}: {count} × {pattern}, {kept.get(name, {}).get(pattern, 0)} before: rewrite it"
        for name, counts in found.items()
        for pattern, count in counts.items()
        if count > kept.get(name, {}).get(pattern, 0)
    ]
    print("\n".join(risen), end="\n" if risen else "")
    if not risen and found != kept:
        print("Fewer patterns than kept: run python docs/plain_english.py --update")
    return int(found != kept)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
