"""Checks of pairs and of the cascade (7.4, 7.5)."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from release_copies import DATASET, MINI, Copy, mini_inputs, write_manifest

from autoresearch.files import read_records, write_json, write_records
from autoresearch.releases import mixture, pairs_export
from autoresearch.releases.episode_rows import mixture_id, mixture_order
from autoresearch.releases.release import Release
from autoresearch.releases.validate import ValidationOptions, validate

Rows = list[dict[str, Any]]
Change = Callable[[Any], Any]


def extra(**keys: Any) -> Change:
    """Changes ``extra_info`` of the first row (a first stage)."""
    return lambda rows: rows[0]["extra_info"].update(keys)


def second(**keys: Any) -> Change:
    """Changes ``extra_info`` of the second row (a second stage)."""
    return lambda rows: rows[1]["extra_info"].update(keys)


def user(text: str) -> Change:
    """Writes the user text of the first row."""
    return lambda rows: rows[0]["prompt"][1].update(content=text)


CHANGES: list[tuple[str, Change, set[str]]] = [
    ("another data source", lambda rows: rows[0].update(data_source="steelmini/stage2"), {"R071"}),
    ("another ability", lambda rows: rows[0].update(ability="math"), {"R079"}),
    ("another style", lambda rows: rows[0]["reward_model"].update(style="model"), {"R072"}),
    ("another dataset", extra(dataset="other"), {"R073"}),
    ("a format tag in the second stage", second(trajectory_format="qwen3.5-native-tools-v2"), {"R074"}),
    ("no format tag in the first stage", extra(trajectory_format=None), {"R074"}),
    ("candidates in the first stage", extra(candidates=["A1-1"]), {"R077"}),
    ("candidates in another order", lambda rows: rows[1]["extra_info"]["candidates"].reverse(), {"R077"}),
    ("no candidates in the second stage", second(candidates=None), {"R077"}),
    ("another user text", user("Field:\n{}"), {"R076"}),
    ("prose before the field", user("Please.\nField:\n{}"), {"R076"}),
    ("another system text", lambda rows: rows[1]["prompt"][0].update(content="Choose."), {"R028"}),
    ("a third message", lambda rows: rows[0]["prompt"].append({"role": "assistant", "content": "x"}), {"R021", "R078"}),
    ("a missing stage", lambda rows: rows.pop(1), {"R078", "R008"}),
    ("an unknown stage", extra(stage="stage3"), {"R073", "R078"}),
    ("no prompt", lambda rows: rows[0].update(prompt=None), {"R020", "R078"}),
    ("an illegal level", extra(ground_truth_level="L9"), {"R026", "R078"}),
]


@pytest.mark.parametrize(("change", "codes"), [item[1:] for item in CHANGES], ids=[item[0] for item in CHANGES])
def test_each_change_of_a_pair_is_found_by_its_code(
    copy_of: Callable[[str], Copy], change: Change, codes: set[str]
) -> None:
    copy = copy_of("pairs")
    copy.change_rows(change)
    assert copy.errors() == codes


def test_a_registry_id_in_the_prompt_outside_the_metadata_is_found(copy_of: Callable[[str], Copy]) -> None:
    copy = copy_of("pairs")

    def change(rows: Rows) -> None:
        rows[0]["prompt"][0]["content"] += "\n（B2-1-3）"

    copy.change_rows(change)
    assert copy.errors() == {"R075"}


def test_pairs_that_disagree_are_found(copy_of: Callable[[str], Copy]) -> None:
    copy = copy_of("pairs")
    copy.change_rows(
        lambda rows: rows[0]["extra_info"].update(ground_truth_level="L4" if _level(rows) != "L4" else "L3")
    )
    assert copy.errors() == {"R078"}


def _level(rows: Rows) -> str:
    return str(rows[0]["extra_info"]["ground_truth_level"])


OWN_WORDS = ["answer", "level", "candidates", "catalogue_id", "category_id", "choice_id", "ground_truth", "tool_calls"]


def test_fields_named_like_our_own_keys_pass(tmp_path: Path) -> None:
    """Acceptance 31: every record in turn is a field with one of these names."""
    records = read_records(MINI / "canonical.json")
    for number, record in enumerate(records):
        record["metadata"]["field_name"] = OWN_WORDS[number % len(OWN_WORDS)]
        record["metadata"]["field_description"] = f'{{"{record["metadata"]["field_name"]}": "{number}"}}'
    write_records(tmp_path / "all.json", records)
    inputs = mini_inputs(canonical=tmp_path / "all.json")
    pairs_export.export(inputs, tmp_path / "pairs")
    given = mixture.MixtureInputs(DATASET, tmp_path / "pairs", write_manifest(tmp_path / "m"))
    mixture.build("rl-cascade", given, tmp_path / "cascade")
    assert validate(tmp_path / "cascade", ValidationOptions(require_sources=True))["valid"]
    rows = [row for split in ("train", "val", "test") for row in Release(tmp_path / "cascade").records(split)]
    assert {row["extra_info"]["metadata"]["field_name"] for row in rows} == set(OWN_WORDS)


def test_mixture_ids_and_order_keep_their_check_vectors() -> None:
    """Acceptance 6: 3.15 and 4.12."""
    identity = mixture_id("shougang", "rec-1")
    assert identity == "mix:shougang:a7c73f631276b8ba8eea:0000"
    expected = "6d5fdda8b92216f19a4820720493a7363e00d5c187701be2222c1fbbd9d2d1a2"
    assert mixture_order("train", identity, "stage1") == expected


CASCADE: list[tuple[str, Change, set[str]]] = [
    ("a second stage", extra(stage="stage2"), {"R092", "R098", "R093"}),
    ("an id of another form", extra(source_id="rec-1"), {"R093"}),
    ("rows in another order", lambda rows: rows.reverse(), {"R099"}),
    ("candidates", extra(candidates=["A1-1"]), {"R077"}),
]


@pytest.mark.parametrize(("change", "codes"), [item[1:] for item in CASCADE], ids=[item[0] for item in CASCADE])
def test_each_change_of_a_cascade_row_is_found_by_its_code(
    copy_of: Callable[[str], Copy], change: Change, codes: set[str]
) -> None:
    copy_of("pairs")
    copy = copy_of("cascade")
    copy.change_rows(change)
    assert copy.errors() - {"R099"} == codes - {"R099"}
    assert "R099" in copy.errors() or "R099" not in codes


REPORTS: list[tuple[str, Change, str]] = [
    ("a count", lambda report: report["sampling"]["train_source_counts"].update(steelmini=15), "R091"),
    ("a weight", lambda report: report["sampling"]["train_achieved_weights"].update(steelmini=0.5), "R091"),
    ("a key", lambda report: report["sampling"]["train_source_counts"].update(other=1), "R091"),
    ("no sampling", lambda report: report.pop("sampling"), "R091"),
    ("a second input", lambda report: report["sources"].update(other=dict(report["sources"]["steelmini"])), "R100"),
    ("another manifest", lambda report: report["grading_manifest"].update(sha256="0" * 64), "R090"),
    ("a waived gap", lambda report: report["label_gap_gate"].update(status="waived"), "R011"),
    ("a source report hash", lambda report: report["sources"]["steelmini"].update(report_sha256="0" * 64), "R094"),
]


@pytest.mark.parametrize(("change", "code"), [item[1:] for item in REPORTS], ids=[item[0] for item in REPORTS])
def test_each_change_of_a_mixture_report_is_found_by_its_code(
    copy_of: Callable[[str], Copy], change: Change, code: str
) -> None:
    copy_of("pairs")
    copy = copy_of("cascade")
    copy.change_report(change)
    assert copy.errors() == {code}


def test_counts_that_are_not_those_of_the_rows_are_found(copy_of: Callable[[str], Copy]) -> None:
    copy = copy_of("cascade")

    def change(report: dict[str, Any]) -> None:
        report["sampling"]["train_source_counts"]["steelmini"] = 15
        report["sampling"]["train_input_source_counts"]["steelmini"] = 15

    copy.change_report(change)
    assert copy.errors() == {"R098"}


def test_a_manifest_with_another_hash_is_found(copy_of: Callable[[str], Copy]) -> None:
    copy = copy_of("cascade")
    path = copy.folder / "assets" / "grading-manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    manifest["datasets"]["steelmini"]["sha256"] = "0" * 64
    write_json(path, manifest)
    copy.rehash()
    assert copy.errors() == {"R090"}


def test_a_source_that_is_not_there_is_a_note_unless_it_is_required(copy_of: Callable[[str], Copy]) -> None:
    copy = copy_of("cascade")
    report = copy.judge()
    assert report["valid"]
    assert [(item["code"], item["severity"]) for item in report["findings"]] == [("R095", "note")]
    assert copy.errors(require_sources=True) == {"R095"}


def test_a_source_with_other_bytes_is_found(copy_of: Callable[[str], Copy]) -> None:
    source, copy = copy_of("pairs"), copy_of("cascade")
    assert copy.errors(require_sources=True) == set()
    (source.folder / "val.parquet").write_bytes(b"x")
    assert copy.errors() == {"R094"}
    shutil.rmtree(source.folder)


def test_a_leaf_without_description_is_found_in_a_mixture(copy_of: Callable[[str], Copy]) -> None:
    copy = copy_of("cascade")
    path = copy.folder / "assets" / "registry.json"
    registry = json.loads(path.read_text(encoding="utf-8"))
    registry["categories"][0]["description"] = ""
    write_json(path, registry)
    from autoresearch.standards.registry import LeafRegistry

    digest = LeafRegistry.from_path(path).digest
    copy.change_header(lambda header: header.update(registry_sha256=digest), ("train", "val", "test"))
    copy.change_report(lambda report: report["header"].update(registry_sha256=digest))
    assert copy.errors() == {"R096"}
