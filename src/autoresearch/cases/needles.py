"""A word that every match of a pattern holds, so that a long text need not be searched by the pattern itself.

The patterns of failures.yaml begin with ``\\b`` and ignore case, which makes ``re`` look at every character; ``in`` on
lower-cased text is a hundred times as fast. Where no word can be told, the pattern is asked.
"""

from __future__ import annotations

import re

SHORTEST = 2
_TOKEN = re.compile(r"\\.|\[(?:\\.|[^\]])*\]|\((?:\\.|[^()\\]|\((?:\\.|[^()\\])*\))*\)|.", re.DOTALL)
_QUANTIFIERS = "?*+{"


def needles(pattern: str) -> tuple[str, ...]:
    """Lower-cased words of which every match of ``pattern`` holds at least one; empty where that cannot be told."""
    found = [_longest_word(each) for each in _alternatives(pattern)]
    return tuple(found) if all(len(word) >= SHORTEST for word in found) else ()


def _alternatives(pattern: str) -> list[list[str]]:
    """The tokens of each alternative outside brackets."""
    found: list[list[str]] = [[]]
    for token in _TOKEN.findall(pattern):
        if token == "|":
            found.append([])
        else:
            found[-1].append(token)
    return found


def _longest_word(tokens: list[str]) -> str:
    words, word, skip = [""], "", False
    for place, token in enumerate(tokens):
        if skip:  # the inside of {0,60}
            skip = token != "}"
            continue
        character = _literal(token)
        after = tokens[place + 1] if place + 1 < len(tokens) else ""
        if character and after not in tuple(_QUANTIFIERS):
            word += character
            continue
        words.append(word)
        word, skip = "", token == "{"
    return max([*words, word], key=len).lower()


def _literal(token: str) -> str:
    """The character that a token stands for; empty for everything else."""
    if len(token) == 1:
        return "" if token in ".^$*+?{}()[]|\\" else token
    return token[1] if token[0] == "\\" and len(token) == 2 and not token[1].isalnum() else ""
