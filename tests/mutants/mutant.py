"""A mutant: one small change of one source file."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

#: Operators that replace each other.
ARITHMETIC = {"+": "-", "-": "+", "*": "/", "/": "*", "//": "*", "%": "*", "**": "*"}
BOUNDARY = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
COMPARISON = {
    "<": ">",
    "<=": ">=",
    ">": "<",
    ">=": "<=",
    "==": "!=",
    "!=": "==",
    "is": "is not",
    "is not": "is",
    "in": "not in",
    "not in": "in",
}
EXTREMA = {"min": "max", "max": "min", "minimum": "maximum", "maximum": "minimum"}


@dataclass(frozen=True)
class Edit:
    """Bytes from `start` to `end` of a file are replaced by `text`."""

    start: int
    end: int
    text: bytes


@dataclass(frozen=True)
class Mutant:
    """A change of a file by an operator.

    `start` and `end` are the first byte of the expression or statement and the byte after its last.
    They are needed for a mutant that is selected at run time. `imported` is true if the code runs
    when its module is imported.
    """

    group: str
    file: str
    line: int
    operator: str
    before: str
    after: str
    edits: tuple[Edit, ...]
    start: int
    end: int
    #: Text of the line, and number of earlier occurrences of the same change in the file.
    text: str
    place: int
    imported: bool = False

    @property
    def key(self) -> str:
        """Key of the mutant, which does not change if other lines of the file change."""
        content = (self.file, self.text, self.operator, self.before, self.after, str(self.place))
        return hashlib.sha256("\0".join(content).encode()).hexdigest()[:16]

    @property
    def is_native(self) -> bool:
        """Whether the file is C++."""
        return not self.file.endswith(".py")

    def applied(self, content: bytes) -> bytes:
        """Return the content of the file with the change."""
        for edit in sorted(self.edits, key=lambda edit: edit.start, reverse=True):
            content = content[: edit.start] + edit.text + content[edit.end :]
        return content


class Collector:
    """Collects the mutants of a file and numbers equal changes of equal lines."""

    def __init__(self, group: str, file: str, content: bytes) -> None:
        self.group, self.file, self.content = group, file, content
        self.mutants: list[Mutant] = []
        self._counts: dict[tuple[str, ...], int] = {}

    def add(
        self,
        operator: str,
        span: tuple[int, int],
        edits: tuple[Edit, ...],
        *,
        imported: bool = False,
    ) -> None:
        """Add the mutant that makes these edits within a span."""
        first = min(edit.start for edit in edits)
        line = self.content.count(b"\n", 0, first) + 1
        text = self.content.split(b"\n")[line - 1].decode().strip()
        low, high = first, max(edit.end for edit in edits)
        before = self.content[low:high]
        after = before
        for edit in sorted(edits, key=lambda edit: edit.start, reverse=True):
            after = after[: edit.start - low] + edit.text + after[edit.end - low :]
        words = (text, operator, before.decode(), after.decode())
        place = self._counts[words] = self._counts.get(words, -1) + 1
        self.mutants.append(
            Mutant(
                self.group,
                self.file,
                line,
                operator,
                before.decode(),
                after.decode(),
                edits,
                *span,
                text,
                place,
                imported,
            )
        )
