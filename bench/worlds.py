"""Invented fields and standards of any size for the bench programs: equal arguments give equal files."""

from __future__ import annotations

import csv
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import xlsxwriter

from autoresearch.files import write_json
from autoresearch.standards.mapping import ColumnMapping

DATASET = "bench"
HEADERS = {
    "库名": "database_name",
    "表名": "table_name",
    "表描述": "table_description",
    "字段名": "field_name",
    "字段描述": "field_description",
    "类型": "field_type",
    "四级分类": "level_4",
    "级别": "data_level",
}
FIELDS = ["field_name", "table_name", "field_description", "table_description"]
LEVELS = ("L1", "L2", "L3", "L4")
WORDS = (
    "ORDER HEAT TEMP ROLL NO CODE QTY TIME FLAG POWER GAS STOCK GRADE CHEM PCT USER PLAN SHIFT TEAM COIL SLAB FURN "
    "WGT LEN WID THK DATE DESC STAT TYPE MAT PROD COST PRICE BATCH LADLE CAST SPEED PRESS FLOW"
)
ABBREVIATIONS = WORDS.split()
FIELDS_OF_TABLE = 15
COPIED = 25
"""Every so many tables one is a near copy of the table before it, in another database."""


def invented(draw: random.Random, count: int, length: int = 2) -> list[str]:
    """Words of CJK characters without meaning."""
    return ["".join(chr(0x4E00 + draw.randrange(3000)) for _ in range(length)) for _ in range(count)]


@dataclass(frozen=True)
class World:
    """A standard of ``leaves`` leaves with ``rows`` fields that it labels."""

    rows: int
    leaves: int = 233

    @cached_property
    def standard(self) -> list[dict[str, object]]:
        """Leaves of the corpus: about 20 kB as the catalogue of a prompt for 233."""
        draw = random.Random(1)
        words = invented(draw, 700)
        made: list[dict[str, object]] = []
        for index in range(self.leaves):
            own = draw.sample(words, 6)
            code = f"{'ABC'[index % 3]}{index // 60 + 1}-{index % 60 + 1}"
            made.append(
                {
                    "category_id": f"{DATASET}:{own[0]}{own[1]}{index}",
                    "name": f"{own[0]}{own[1]}{index}",
                    "path": [],
                    "code": code,
                    "description": "".join(draw.sample(words, 7)) + "".join(own),
                    "descriptions": ["".join(draw.sample(words, 10))],
                    "examples": ["".join(draw.sample(words, 3)) for _ in range(3)],
                    "own": own,
                }
            )
        return made

    def fields(self) -> Iterator[tuple[str, ...]]:
        """Rows in the order of ``HEADERS``, each another field."""
        draw = random.Random(2)
        words = invented(draw, 900)
        own = [list(leaf["own"]) for leaf in self.standard]  # type: ignore[call-overload]
        names = [str(leaf["name"]) for leaf in self.standard]
        table: list[tuple[str, ...]] = []
        for start in range(0, self.rows, FIELDS_OF_TABLE):
            number = start // FIELDS_OF_TABLE
            if number % COPIED == COPIED - 1:
                copied = f"DB{number % 9}_COPY"
                table = [(copied, *row[1:4], f"{row[4]}1" if row[4] else "", *row[5:]) for row in table]
            else:
                name, about = f"T_{draw.choice(ABBREVIATIONS)}_{number}", "".join(draw.sample(words, 5))
                table = []
                for place in range(FIELDS_OF_TABLE):
                    leaf = draw.randrange(self.leaves)
                    said = "".join((*draw.sample(own[leaf], 2), *draw.sample(words, 3))) if draw.random() > 0.1 else ""
                    field = "_".join((*draw.sample(ABBREVIATIONS, 2), str(place)))
                    level = LEVELS[leaf % len(LEVELS)]
                    table.append((f"DB{number % 9}", name, about, field, said, "VARCHAR(20)", names[leaf], level))
            yield from table[: self.rows - start]

    def write_standards(self, root: Path) -> None:
        """Dataset config, registry, corpus and grading standard below ``root``."""
        kept = ("category_id", "name", "path", "code", "description", "descriptions", "examples")
        corpus = [{key: leaf[key] for key in kept} for leaf in self.standard]
        registry = [{key: leaf[key] for key in kept[:5]} for leaf in corpus]
        for folder, name, content in (
            ("registries", f"{DATASET}.registry.json", {"categories": registry}),
            ("corpora", f"{DATASET}.corpus.json", {"categories": corpus}),
            (".", "datasets.json", {"datasets": {DATASET: {"identity_fields": ["level_4"]}}}),
            (".", "grading.json", {"levels": list(LEVELS), "descriptions": ["公开", "内部", "敏感", "核心"]}),
        ):
            (root / folder).mkdir(parents=True, exist_ok=True)
            write_json(root / folder / name, content)

    def write_sheet(self, path: Path) -> None:
        """The fields as a workbook."""
        book = xlsxwriter.Workbook(str(path), {"constant_memory": True})
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, list(HEADERS))
        for row, cells in enumerate(self.fields(), start=1):
            sheet.write_row(row, 0, cells)
        book.close()

    def write_csv(self, path: Path) -> None:
        """The fields as UTF-8 CSV."""
        with path.open("w", encoding="utf-8", newline="") as handle:
            table = csv.writer(handle)
            table.writerow(HEADERS)
            table.writerows(self.fields())

    def write_ddl(self, path: Path, inserts: int = 1) -> None:
        """The fields as MySQL tables with comments, each followed by ``inserts`` data statements."""
        with path.open("w", encoding="utf-8") as handle:
            table: list[Sequence[str]] = []
            for row in [*self.fields(), None]:
                if table and (row is None or row[:2] != table[0][:2]):
                    columns = ",\n".join(f"  `{item[3]}` varchar(20) COMMENT '{item[4]}'" for item in table)
                    name = f"`{table[0][0]}`.`{table[0][1]}`"
                    handle.write(f"CREATE TABLE {name} (\n{columns}\n) COMMENT='{table[0][2]}';\n")
                    values = ", ".join(f"'{item[4]}'" for item in table)
                    handle.write(f"INSERT INTO {name} VALUES ({values});\n" * inserts)
                    table = []
                if row is not None:
                    table.append(row)


MAPPING = ColumnMapping(HEADERS)
