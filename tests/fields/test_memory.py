"""Memory of the data line does not grow with its texts: a further record costs some hundred bytes at most.

Buffers of fixed size are made small here, so that what is left is what grows. Columns of polars are not seen by the
tracer; ``make bench`` measures whole processes up to 1,000,000 fields.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from records import canonical, processed

from autoresearch.fields import near, pool, sorted_lines
from autoresearch.fields.processed_file import load_processed
from autoresearch.fields.split import Plan, divide_pool, gather
from autoresearch.files import without_collector, write_records
from autoresearch.standards.text import comparison_form
from autoresearch.task import conflict_keys, conflict_samples

WARM, FEW, MANY = 200, 1_000, 3_000
MOST_BYTES = 400
"""What a further record may cost; one with its texts as Python objects takes more than 2,000."""


def records(count: int) -> Iterator[dict[str, Any]]:
    """Resolved records one by one, 20 in a table, some alike."""
    for number in range(count):
        described = f"第{number // 2 % 997}号高炉出铁口温度实测值（第{number % 89}次取样，{number * 7919 % 100_003}）"
        record = processed(
            f"FIELD_{number:06d}",
            table=f"TABLE_{number // 20:05d}",
            level_4="订单",
            data_level="L2",
            field_description=described,
            table_description="高炉" * 10,
        )
        yield canonical(record, "订单")


def bytes_a_record(action: Callable[[int], object]) -> float:
    """How much the peak grows from ``FEW`` to ``MANY`` records, over their difference."""
    peaks = []
    action(WARM)  # what is made once is made before
    for count in (FEW, MANY):
        with without_collector():
            tracemalloc.start()
            kept = action(count)
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
        del kept
    return (peaks[1] - peaks[0]) / (MANY - FEW)


@pytest.mark.parametrize("kind", ["random", "group"])
def test_a_split_keeps_codes_and_no_texts(monkeypatch: pytest.MonkeyPatch, kind: Any) -> None:
    monkeypatch.setattr(pool, "_form", comparison_form)
    monkeypatch.setattr(pool, "IDS_AT_ONCE", 100)
    for name, size in {
        "KEYS_AT_ONCE": 1 << 14,
        "ROWS_AT_ONCE": 1 << 6,
        "TEXTS_AT_ONCE": 1 << 6,
        "SLOT_BITS": 10,
        "PAIRS_AT_ONCE": 64,
    }.items():
        monkeypatch.setattr(near, name, size)
    plan = Plan(split_type=kind)

    def divide(count: int) -> object:
        return divide_pool("steel", gather(records(count), plan), plan)

    assert bytes_a_record(divide) < MOST_BYTES


def test_build_keeps_eight_bytes_of_each_id(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sorted_lines, "RUN_BYTES", 1 << 14)
    monkeypatch.setattr(sorted_lines, "BLOCK_BYTES", 1 << 8)

    def load(count: int) -> object:
        write_records(tmp_path / "all.json", ({**record} for record in records(count)))
        return load_processed(tmp_path / "all.json", "steel")

    assert bytes_a_record(load) < MOST_BYTES / 4


def test_the_audit_keeps_hashes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from autoresearch.files import write_json

    write_json(tmp_path / "grading.json", {"levels": ["L1", "L2"]})
    monkeypatch.setattr(conflict_samples, "BLOCK_BYTES", 1 << 15)

    def audit(count: int) -> object:
        write_records(tmp_path / "all.json", records(count))
        grading = tmp_path / "grading.json"
        keyed = conflict_keys.key_records(
            "steel", tmp_path / "all.json", grading, grading, "all", "data_level", pool.NATIVE, None
        )
        return [conflict_keys.find_conflicts(keyed, name) for name in conflict_keys.AUDITS]

    assert bytes_a_record(audit) < MOST_BYTES
