"""The fields of the full example before anything awkward is done to them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Table:
    """One invented table; `leaf` is what most of its fields belong to, `sides` what the others do."""

    database: str
    database_description: str
    name: str
    description: str
    noun: str
    style: str
    leaf: str
    sides: Sequence[str]
    names: set[str] = field(default_factory=set)


@dataclass
class Field:
    """One field with its true leaf and level; `labelled` and `with_level` say what the sheet shows of them."""

    table: Table
    name: str
    description: str
    type: str
    leaf: str
    level: str
    common: bool = False
    labelled: bool = False
    with_level: bool = False


@dataclass(frozen=True)
class Term:
    """A word of a leaf with its English abbreviation and, for some, its pinyin."""

    word: str
    name: str
    pinyin: str


def read_terms(leaf: Mapping[str, Any]) -> list[Term]:
    """The terms of one leaf of leaves.yaml."""
    parts = [text.split() for text in leaf["terms"]]
    return [Term(word, name, pinyin[0] if pinyin else "") for word, name, *pinyin in parts]


def _wanted(leaves: Sequence[Mapping[str, Any]], words: Mapping[str, Any]) -> dict[str, int]:
    """Leaf code -> how many fields to write, labelled or not, by largest remainder."""
    extra = words["unlabelled"] + words["without_level"]
    common = [leaf for leaf in leaves if leaf["fields"] > 4]
    total = sum(leaf["fields"] for leaf in common)
    shares = {leaf["code"]: leaf["fields"] * extra / total for leaf in common}
    counts = {code: int(share) for code, share in shares.items()}
    for code in sorted(shares, key=lambda code: (counts[code] - shares[code], code))[: extra - sum(counts.values())]:
        counts[code] += 1
    return {leaf["code"]: leaf["fields"] + counts.get(leaf["code"], 0) for leaf in leaves}


def make_tables(
    wanted: Mapping[str, int], places: Mapping[str, Any], systems: Mapping[str, Mapping[str, str]], rng: random.Random
) -> list[Table]:
    """About one table for fifteen fields of a leaf, spread over its systems and kinds."""
    tables = []
    for code, place in places["tables"].items():
        for number in range(max(1, round(wanted[code] / places["fields_a_table"]))):
            system = systems[place["systems"][number % len(place["systems"])]]
            kind, text = list(places["kinds"].items())[number]
            name = system["table"].format(f"{place['tag']}_{kind}")
            tables.append(
                Table(
                    system["database"],
                    system["description"],
                    name.lower() if system["style"] in ("lower", "camel") else name,
                    f"{place['noun']}{text}",
                    place["noun"],
                    system["style"],
                    code,
                    place["sides"],
                )
            )
    for table in rng.sample(tables, round(len(tables) * places["share_no_table_description"])):
        table.description = ""
    order = list(systems.values())
    rank = {system["database"]: number for number, system in enumerate(order)}
    return sorted(tables, key=lambda table: (rank[table.database], table.name))


def _spell(style: str, parts: Sequence[tuple[str, str]], word: str) -> str:
    """Parts are (English, pinyin); pinyin is used where every part has it."""
    if style == "chinese":
        return word
    if style == "pinyin" and all(pinyin for _, pinyin in parts):
        return "_".join(pinyin for _, pinyin in parts)
    name = "_".join(english for english, _ in parts)
    if style == "lower":
        return name.lower()
    if style == "camel":
        first, *rest = name.lower().split("_")
        return first + "".join(part.capitalize() for part in rest)
    return name


class FieldWriter:
    """Writes fields into tables; all randomness comes from the one generator it is given."""

    def __init__(self, leaves: Sequence[Mapping[str, Any]], words: Mapping[str, Any], rng: random.Random) -> None:
        self.leaves = {leaf["code"]: leaf for leaf in leaves}
        self.terms = {leaf["code"]: read_terms(leaf) for leaf in leaves}
        self.words = words
        self.rng = rng

    def _describe(self, text: str) -> str:
        chance = self.rng.random()
        if chance < self.words["share_dash"]:
            return self.rng.choice(["-", "无", "/"])
        return "" if chance < self.words["share_no_description"] else text

    def common(self, table: Table) -> list[Field]:
        """The usual columns of a table, with the label of the table."""
        found = []
        for item in self.words["common"]:
            if self.rng.random() < item["share"]:
                name = _spell(table.style if table.style in ("lower", "camel") else "snake", [(item["name"], "")], "")
                text = self._describe(self.rng.choice(item["words"]))
                level = self.leaves[table.leaf]["levels"][0]
                found.append(Field(table, name, text, item["type"], table.leaf, level, common=True))
                table.names.add(name.casefold())
        return found

    def own(self, table: Table, code: str) -> Field:
        """One field of the leaf `code` under a name that the table does not have yet."""
        leaf, rng = self.leaves[code], self.rng
        for _ in range(200):
            term = rng.choice(self.terms[code])
            modifier = rng.choice(list(self.words["modifiers"].items())) if rng.random() < 0.35 else None
            suffix = rng.choice(list(self.words["suffixes"].items())) if rng.random() < 0.3 else None
            level = leaf["levels"][0]
            if len(leaf["levels"]) == 2 and rng.random() < self.words["share_second_level"]:
                word, name = next(iter(leaf["level_word"].items()))
                modifier, level = (name, [word, name]), leaf["levels"][1]
            before, after = modifier[1][0] if modifier else "", suffix[1][0] if suffix else ""
            style = table.style
            if rng.random() < self.words["share_other_style"]:
                style = rng.choice(["snake", "camel", "pinyin"])
            if rng.random() < self.words["share_chinese_name"]:
                style = "chinese"
            parts = [(modifier[0], modifier[1][1])] if modifier else []
            parts += [(term.name, term.pinyin)] + ([(suffix[0], suffix[1][1])] if suffix else [])
            name = _spell(style, parts, f"{before}{term.word}{after}")
            if name.casefold() in table.names:
                continue
            table.names.add(name.casefold())
            template = rng.choices(self.words["templates"], [item["weight"] for item in self.words["templates"]])[0]
            text = template["text"].format(mod=before, term=term.word, suf=after, noun=table.noun)
            text = text if len(text) > 3 else f"{table.noun}{text}"
            described = text if level != leaf["levels"][0] else self._describe(text)
            kind = suffix[1][2] if suffix else rng.choice(self.words["types"])
            return Field(table, name, described, kind, code, level)
        raise ValueError(f"no free name left for {code} in {table.name}: give the leaf more terms")


def make_fields(
    leaves: Sequence[Mapping[str, Any]], places: Mapping[str, Any], systems: Mapping[str, Any], words: Mapping[str, Any]
) -> list[Field]:
    """All fields in the order of their tables; exactly `fields` of each leaf are labelled with a level."""
    rng = random.Random(words["seed"])
    wanted = _wanted(leaves, words)
    tables = make_tables(wanted, places, systems, rng)
    writer = FieldWriter(leaves, words, rng)
    by_table: dict[int, list[Field]] = {id(table): writer.common(table) for table in tables}
    left = Counter(wanted)
    left.subtract(Counter(table.leaf for table in tables for _ in by_table[id(table)]))
    for code, count in left.items():
        homes = [table for table in tables if table.leaf == code]
        guests = [table for table in tables if code in table.sides]
        for number in range(count):
            as_guest = guests and (not homes or rng.random() < places["share_of_sides"])
            table = rng.choice(guests) if as_guest else homes[number % len(homes)]
            by_table[id(table)].append(writer.own(table, code))
    fields = [item for table in tables for item in by_table[id(table)]]
    for leaf in leaves:
        own = [item for item in fields if item.leaf == leaf["code"]]
        rng.shuffle(own)
        for item in own[: leaf["fields"]]:
            item.labelled = item.with_level = True
    rest = [item for item in fields if not item.labelled]
    for item in rng.sample(rest, words["without_level"]):
        item.labelled = True
    return fields
