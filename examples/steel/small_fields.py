"""The fields of the small example: two words and two name stems decide a leaf, a visible word its second level."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Leaf:
    """One leaf of the small example: code, name, legal levels, word -> name stem, the word of the second level."""

    code: str
    name: str
    group: str
    levels: list[str]
    words: list[tuple[str, str]]
    level_word: tuple[str, str] | None


def read_leaves(small: Mapping[str, Any], names: Mapping[str, str], groups: Mapping[str, Any]) -> list[Leaf]:
    """The leaves in the order of the file, with the names of the whole standard."""
    return [
        Leaf(
            code=item["code"],
            name=names[item["code"]],
            group=groups["groups"][item["code"][0]]["name"],
            levels=item["levels"],
            words=list(item["words"].items()),
            level_word=next(iter(item["level_word"].items()), None) if "level_word" in item else None,
        )
        for item in small["leaves"]
    ]


def _leaves_of_table(leaves: list[Leaf], used: Counter[str], size: int, rng: random.Random) -> list[Leaf]:
    order = sorted(leaves, key=lambda leaf: used[leaf.code] + rng.random() * 3)
    chosen = order[: size - 1]
    chosen.append(rng.choice(chosen))
    used.update(leaf.code for leaf in chosen)
    rng.shuffle(chosen)
    return chosen


def _field(leaf: Leaf, small: Mapping[str, Any], taken: set[str], rng: random.Random) -> tuple[str, str, str, str]:
    """(field name, description, type, level); the name is not in `taken`."""
    while True:
        word, stem = rng.choice(leaf.words)
        before, modifier = rng.choice(list(small["modifiers"].items()))
        after, suffix = rng.choice(list(small["suffixes"].items()))
        level = leaf.levels[0]
        second = leaf.level_word is not None and rng.random() < small["share_second_level"]
        if second and leaf.level_word is not None:
            modifier, before = leaf.level_word
            level = leaf.levels[1]
        name, description = f"{before}_{stem}_{after}", f"{modifier}{word}{suffix}"
        chance = rng.random()
        if chance < small["share_neutral_name"]:
            name = f"{rng.choice(small['neutral'])}_{after}"
        elif not second and chance > 1 - small["share_no_description"]:
            description = ""
        if name not in taken:
            taken.add(name)
            return name, description, small["types"][after], level


def small_rows(
    small: Mapping[str, Any], leaves: list[Leaf], systems: list[Mapping[str, str]]
) -> Iterator[tuple[bool, list[str]]]:
    """Yield (labelled, the cells of a row in the order of the mapping), table after table."""
    rng = random.Random(small["seed"])
    tables = [(system, tag, text) for system in systems for tag, text in small["objects"].items()]
    rng.shuffle(tables)
    used: Counter[str] = Counter()
    for number, (system, tag, text) in enumerate(tables[: small["tables"] + small["unlabelled_tables"]]):
        labelled = number < small["tables"]
        table = [
            system["database"],
            system["description"],
            f"T_{system['tag']}_{tag}",
            f"{system['name']}{text}",
        ]
        taken: set[str] = set()
        for leaf in _leaves_of_table(leaves, used, small["fields_a_table"], rng):
            name, description, kind, level = _field(leaf, small, taken, rng)
            label = [leaf.group, "", "", leaf.name, level] if labelled else ["", "", "", "", ""]
            yield labelled, [*table, name, description, kind, *label]
