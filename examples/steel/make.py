"""Write the example again from vocab/*.yaml: `python make.py [--out DIR]`, the small one with `--small`.

Everything is invented. Equal vocabulary gives equal bytes: the seed is in the vocabulary, dates are fixed.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from small_fields import read_leaves, small_rows
from standard import HEADERS, LeafText, write_standard
from workbook import write_plain_sheet

HERE = Path(__file__).resolve().parent


def read_vocabulary(name: str) -> Any:
    """Read one file of vocab/."""
    return YAML(typ="safe").load((HERE / "vocab" / f"{name}.yaml").read_text(encoding="utf-8"))


def make_small(out: Path) -> None:
    """Write the small example: 12 leaves, 900 labelled fields in 90 tables, 60 unlabelled ones in 6 more."""
    groups, small = read_vocabulary("groups"), read_vocabulary("small")
    names = {leaf["code"]: leaf["name"] for leaf in read_vocabulary("leaves")["leaves"]}
    texts = [
        LeafText(
            leaf["code"],
            names[leaf["code"]],
            leaf["description"],
            leaf.get("further", ()),
            leaf.get("examples", ()),
        )
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
    parser.add_argument("--out", type=Path, help="folder to write (default: beside this file)")
    arguments = parser.parse_args()
    if arguments.small:
        make_small(arguments.out or HERE / "small")


if __name__ == "__main__":
    main()
