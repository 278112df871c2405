"""Write the example again from vocab/*.yaml: `python make.py [--out DIR]`, the small one with `--small`.

Everything is invented. Equal vocabulary gives equal bytes: the seed is in the vocabulary, dates are fixed.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from broken_files import write_broken
from full_ddl import write_ddl
from full_fields import make_fields, read_terms
from full_sheet import Labels, Sheet, make_awkward, make_row, write_csv, write_sheet
from small_fields import read_leaves, small_rows
from standard import HEADERS, LeafText, write_standard
from workbook import write_plain_sheet

HERE = Path(__file__).resolve().parent


def read_vocabulary(name: str) -> Any:
    """Read one file of vocab/."""
    return yaml.safe_load((HERE / "vocab" / f"{name}.yaml").read_text(encoding="utf-8"))


def leaf_texts(leaves: Sequence[Mapping[str, Any]], words: Mapping[str, Any]) -> list[LeafText]:
    """What the standard says of each leaf: a definition, further texts for each third, two to four examples.

    A definition also names what belongs to the next leaf instead, as standards do; so a search that meets those words
    finds the wrong leaf first and the right one, where they are examples, behind it.
    """
    terms = [[term.word for term in read_terms(leaf)] for leaf in leaves]
    texts = []
    for number, leaf in enumerate(leaves):
        own, others = terms[number], [terms[(number + step) % len(leaves)] for step in (1, 2, 3)]
        known = {
            **dict(zip("abcdefg", own, strict=False)),
            "name": leaf["name"],
            "excluded": "、".join(others[0][3:5]),
            "confused": "、".join(word for other in others for word in other[5:7]),
        }
        definition = words["definitions"][number % len(words["definitions"])].format(**known)
        further = [words["further"].format(**known)] if number % 3 == 0 else []
        sets = words["examples"][number % 3]
        examples = ["、".join(known[letter] for letter in letters if letter in known) for letters in sets]
        texts.append(LeafText(leaf["code"], leaf["name"], definition, further, [text for text in examples if text]))
    return texts


def make_full(out: Path) -> None:
    """Write the full example: 54 leaves, about 2,400 fields in about 160 tables, as workbook, CSV and DDL."""
    groups, words, leaves = read_vocabulary("groups"), read_vocabulary("fields"), read_vocabulary("leaves")["leaves"]
    systems = {system["tag"]: system for system in read_vocabulary("systems")["systems"]}
    write_standard(out, groups, leaf_texts(leaves, words), groups["levels"])
    labels = Labels(groups, leaves)
    sheet = Sheet([make_row(item, labels) for item in make_fields(leaves, read_vocabulary("tables"), systems, words)])
    make_awkward(sheet, read_vocabulary("awkward")["awkward"], labels)
    write_sheet(out / "raw/steel.xlsx", sheet)
    write_csv(out / "raw/steel_gb18030.csv", sheet, "gb18030")
    write_ddl(out / "raw/ddl", sheet.rows)
    write_broken(out / "broken")


def make_small(out: Path) -> None:
    """Write the small example: 12 leaves, 900 labelled fields in 90 tables, 60 unlabelled ones in 6 more."""
    groups, small = read_vocabulary("groups"), read_vocabulary("small")
    names = {leaf["code"]: leaf["name"] for leaf in read_vocabulary("leaves")["leaves"]}
    texts = [
        LeafText(leaf["code"], names[leaf["code"]], leaf["description"], leaf.get("further", ()))
        for leaf in small["leaves"]
    ]
    write_standard(out, groups, texts, groups["small_levels"])
    rows = list(small_rows(small, read_leaves(small, names, groups), read_vocabulary("systems")["systems"]))
    header = list(HEADERS)
    write_plain_sheet(out / "raw/steel.xlsx", "字段清单", header, [row for labelled, row in rows if labelled])
    write_plain_sheet(out / "raw/unlabelled.xlsx", "字段清单", header, [row for labelled, row in rows if not labelled])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true", help="write the small example")
    parser.add_argument("--out", type=Path, help="folder to write (default: this folder, small/ for the small one)")
    arguments = parser.parse_args()
    if arguments.small:
        make_small(arguments.out or HERE / "small")
    else:
        make_full(arguments.out or HERE)


if __name__ == "__main__":
    main()
