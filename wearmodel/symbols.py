"""Recognition of quantities by symbol, by the beginning of a name, or by a misspelt name."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator

_DOT_ABOVE = "\N{COMBINING DOT ABOVE}"
# Least similarity of a misspelt name. 'record' and 'preload' have 0.62.
_LEAST_SIMILARITY = 0.65


def nearest_names(name: str, known: list[str], symbols: Iterable[tuple[str, str]]) -> list[str]:
    """Return the `known` names that are similar to a `name` from the user, usually one name.

    `symbols` are symbols and aliases with the names of their quantities.
    """
    if meant := names_of_symbol(name, known, symbols):
        return meant
    # Half a name identifies a quantity, although many letters are missing. One letter does not.
    folded, name = {known_name.casefold(): known_name for known_name in known}, name.casefold()
    begun = sorted(known_name for known_name in folded if name[1:] and known_name.startswith(name))
    near = begun[:1] or difflib.get_close_matches(name, folded, n=1, cutoff=_LEAST_SIMILARITY)
    return [folded[known_name] for known_name in near]


def names_of_symbol(
    symbol: str, known: Iterable[str], symbols: Iterable[tuple[str, str]]
) -> list[str]:
    """Return the known names of quantities with this symbol in any spelling."""
    names = set(known)
    pairs = [(own, name) for own, name in symbols if name in names]
    # k_n and K_N are different quantities. The case of letters is ignored only if needed (kN, kt).
    spellings: tuple[Callable[[str], str], ...] = (_spelt, lambda text: _spelt(text).casefold())
    for spelling in spellings:
        meant = {name for own, name in pairs if spelling(own) == spelling(symbol)}
        if meant:
            return sorted(meant)
    return []


def _spelt(symbol: str) -> str:
    """Return a symbol in keyboard characters: Greek letters by name, no dots or underscores."""
    return "".join(_letters(symbol))


def _letters(symbol: str) -> Iterator[str]:
    # NFKD makes the dot of a rate a separate character, and converts the micro sign to μ.
    for letter in unicodedata.normalize("NFKD", symbol):
        if greek := re.fullmatch(r"GREEK SMALL LETTER (\w+)", unicodedata.name(letter, "")):
            yield greek[1].lower()
        elif letter == _DOT_ABOVE:
            yield "dot"
        elif letter.isalnum():
            yield letter
