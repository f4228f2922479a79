"""Finds the quantity that a user means by its symbol, a part of its name or a misspelt name."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator

_DOT_ABOVE = "\N{COMBINING DOT ABOVE}"


def nearest_names(name: str, known: list[str], symbols: Iterable[tuple[str, str]]) -> list[str]:
    """Return the `known` names that are similar to `name` of the user, mostly a single name.

    `symbols` are symbols and aliases with the name of their quantity.
    """
    if meant := names_of_symbol(name, known, symbols):
        return meant
    # Half a name differs from the whole one in many letters, but identifies it. A letter does not.
    begun = sorted(known_name for known_name in known if name[1:] and known_name.startswith(name))
    return begun[:1] or difflib.get_close_matches(name, known, n=1)


def names_of_symbol(
    symbol: str, known: Iterable[str], symbols: Iterable[tuple[str, str]]
) -> list[str]:
    """Return the known names of quantities with this symbol, whatever the way to spell it."""
    names = set(known)
    pairs = [(own, name) for own, name in symbols if name in names]
    # k_n and K_N are different quantities, and a user may mean either by kN or kt.
    spellings: tuple[Callable[[str], str], ...] = (_spelt, lambda text: _spelt(text).casefold())
    for spelling in spellings:
        meant = {name for own, name in pairs if spelling(own) == spelling(symbol)}
        if meant:
            return sorted(meant)
    return []


def _spelt(symbol: str) -> str:
    """Return a symbol as a keyboard has it: Greek letters by name, no dots and underscores."""
    return "".join(_letters(symbol))


def _letters(symbol: str) -> Iterator[str]:
    # Decomposed, the dot of a rate is a character of its own, and the micro sign is μ.
    for letter in unicodedata.normalize("NFKD", symbol):
        if greek := re.fullmatch(r"GREEK SMALL LETTER (\w+)", unicodedata.name(letter, "")):
            yield greek[1].lower()
        elif letter == _DOT_ABOVE:
            yield "dot"
        elif letter.isalnum():
            yield letter
