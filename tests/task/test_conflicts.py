"""The conflict audit of data-line 8.1: planted conflicts, privacy, and the bundle verifier (acceptance 21-23)."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from steel_task import write_assets

from autoresearch.cli.main import run
from autoresearch.errors import AutoResearchError, InputError, RefusedError
from autoresearch.files import sha256_file, write_json, write_records
from autoresearch.task import conflict_samples, conflicts
from autoresearch.task.conflict_samples import hash_parts
from autoresearch.verdict import read_verdict

Record = dict[str, Any]


def record(
    number: int, field: str = "HEAT_NO", table: str = "T_HEAT", description: str = "炉号", **changes: Any
) -> Record:
    """A resolved canonical record, with the keys that the audit reads."""
    return {
        "id": f"r{number}",
        "dataset": "demo",
        "metadata": {
            "field_name": field,
            "table_name": table,
            "field_description": description,
            "table_description": "",
        },
        "data_level": "L2",
        "resolution_status": "resolved",
        "target": {"category_id": "demo:B2-10"},
        "split": "train",
        **changes,
    }


OTHER_LEAF = {"target": {"category_id": "demo:A1-1"}}


class Bench:
    """A folder with standards, into which records are put and audited."""

    def __init__(self, folder: Path) -> None:
        self.folder = write_assets(folder)
        self.codes: set[tuple[str, str]] = set()

    @property
    def files(self) -> dict[str, dict[str, Path]]:
        names = {"canonical": "all.json", "classification": "corpus.json", "grading": "grading.json"}
        return {role: {"demo": self.folder / name} for role, name in names.items()}

    def audit(self, *records: Any, **options: Any) -> tuple[dict[str, Any], int]:
        """The report as it was written, and the exit code."""
        write_records(self.folder / "all.json", records)
        given = {"split": "all", "report": self.folder / "audit.json", "overwrite": True, **options}
        told, code = conflicts.audit(**self.files, **given)
        self.codes = {(item["code"], item["severity"]) for item in told.pop("findings")}
        assert json.loads((self.folder / "audit.json").read_text(encoding="utf-8")) == told
        return told, code


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def counts(report: dict[str, Any]) -> tuple[int, int, int]:
    return (
        report["conflict_keys"],
        report["rendered"]["conflict_keys"],
        report["rendered_normalised"]["conflict_keys"],
    )


def test_clean_records_pass(bench: Bench) -> None:
    report, code = bench.audit(record(1), record(2, field="TEMP"), record(3))
    assert (report["status"], code, counts(report)) == ("passed", 0, (0, 0, 0))
    assert (report["records_audited"], report["prompt_keys"]) == (3, 2)


@pytest.mark.parametrize("change", [OTHER_LEAF, {"data_level": "L3"}])
def test_conflict_by_label_or_level_is_found_by_all_three(bench: Bench, change: Record) -> None:
    report, code = bench.audit(record(1), record(2, **change), record(3, field="X"))
    assert (report["status"], code, counts(report)) == ("failed", 1, (1, 1, 1))
    conflict = report["conflicts"][0]
    assert (conflict["record_count"], conflict["target_count"]) == (2, 2)


def test_conflict_by_width_only_is_not_one_of_the_exact_prompt(bench: Bench) -> None:
    report, code = bench.audit(record(1), record(2, field="ＨＥＡＴ_no", **OTHER_LEAF))
    assert (code, counts(report)) == (1, (1, 0, 1))


def test_case_of_the_table_name_is_told_apart_by_the_two_field_key(bench: Bench) -> None:
    report, code = bench.audit(record(1), record(2, table="t_heat", **OTHER_LEAF))
    assert (code, counts(report)) == (0, (0, 0, 1))


def test_records_that_only_descriptions_tell_apart_collide_in_two_fields_only(bench: Bench) -> None:
    pair = (record(1), record(2, description="温度", **OTHER_LEAF))
    report, code = bench.audit(*pair)
    assert (code, counts(report)) == (1, (1, 0, 0))
    report, code = bench.audit(*pair, decide_by="rendered")
    assert (code, report["status"], counts(report)) == (0, "passed", (1, 0, 0))


def test_registry_makes_the_rendered_audit_full_with_equal_conflicts(bench: Bench) -> None:
    pair = (record(1), record(2, **OTHER_LEAF))
    user, _ = bench.audit(*pair)
    full, _ = bench.audit(*pair, registry=bench.folder / "registry.json")
    assert (user["rendered"]["prompt"], full["rendered"]["prompt"]) == ("user", "full")
    assert counts(user) == counts(full)
    assert user["rendered"]["prompt_key_sha256"] != full["rendered"]["prompt_key_sha256"]


def test_rendered_key_is_the_hash_of_the_prompt(bench: Bench) -> None:
    from autoresearch.task.assets import TaskAssets
    from autoresearch.task.prompts import native_system, native_user

    pair = (record(1), record(2, **OTHER_LEAF))
    report, _ = bench.audit(*pair, registry=bench.folder / "registry.json")
    task = TaskAssets.load(bench.folder)
    user = native_user(pair[0]["metadata"], task.fields)
    expected = hash_parts(native_system(task, True), user)
    assert report["rendered"]["conflicts"][0]["prompt_key_sha256"] == expected


def test_only_resolved_records_of_the_split_count(bench: Bench) -> None:
    records = (
        record(1),
        record(2, split="val", **OTHER_LEAF),
        record(3, resolution_status="missing_leaf", **OTHER_LEAF),
        record(4, data_level="", **OTHER_LEAF),
    )
    report, code = bench.audit(*records, split="train")
    assert (code, report["records_audited"], report["without_level"]) == (0, 1, 1)
    assert bench.audit(*records, split="all")[1] == 1


@pytest.mark.parametrize(
    "change",
    [{"id": ""}, {"target": None}, {"data_level": "L9"}, {"metadata": {"field_name": " "}}, {"metadata": None}],
)
def test_incomplete_record_cannot_pass(bench: Bench, change: Record) -> None:
    report, code = bench.audit(record(1), {**record(2), **change})
    assert (report["status"], code, report["incomplete_records"]) == ("failed", 1, 1)


def test_nothing_to_audit_is_refused(bench: Bench) -> None:
    with pytest.raises(RefusedError, match="data split"):
        bench.audit(record(1, split=None), split="train")


def test_record_order_does_not_matter(bench: Bench) -> None:
    records = [record(1), record(2, **OTHER_LEAF), record(3, field="X"), record(4, field="X", data_level="L1")]
    assert bench.audit(*records)[0] == bench.audit(*records[::-1])[0]


def test_existing_report_and_verdict_are_refused(bench: Bench, tmp_path: Path) -> None:
    bench.audit(record(1), verdict=tmp_path / "verdict.json")
    with pytest.raises(RefusedError, match="overwrite"):
        bench.audit(record(1), overwrite=False)
    with pytest.raises(RefusedError, match="never overwritten"):
        bench.audit(record(1), verdict=tmp_path / "verdict.json")


def test_verdict_says_what_was_judged(bench: Bench, tmp_path: Path) -> None:
    bench.audit(record(1), record(2, **OTHER_LEAF), verdict=tmp_path / "gates" / "conflict.json")
    verdict = read_verdict(tmp_path / "gates" / "conflict.json")
    assert (verdict.gate, verdict.passed, verdict.status) == ("conflict", False, "conflicts")
    assert verdict.numbers["conflict_keys"] == {"numerator": 1, "denominator": 1}
    for role in ("canonical", "classification", "grading"):
        assert verdict.judged[role]["sha256"] == sha256_file(bench.files[role]["demo"])
    assert verdict.evidence == ["../audit.json"]


def test_explain_shows_rows_and_stays_out_of_releases(bench: Bench, tmp_path: Path) -> None:
    pair = (record(1), record(2, **OTHER_LEAF))
    bench.audit(*pair, explain=tmp_path / "rows.csv")
    text = (tmp_path / "rows.csv").read_text(encoding="utf-8")
    assert text.count("two-field") == 2
    assert "HEAT_NO" in text
    (tmp_path / "release").mkdir()
    (tmp_path / "release" / "export_report.json").write_text("{}", encoding="utf-8")
    with pytest.raises(RefusedError, match="explain"):
        bench.audit(*pair, explain=tmp_path / "release" / "sub" / "rows.csv")


MARKER = "机密MARK"
FLAGS = {"canonical": "canonical", "classification": "classification-standard", "grading": "grading-standard"}


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.sampled_from(["id", "field", "table", "description", "level", "category", "split"]),
    st.sampled_from(["plain", "key twice", "not json", "list metadata", "level list"]),
)
def test_no_text_of_the_input_comes_out(
    bench: Bench, capsys: pytest.CaptureFixture[str], place: str, broken: str
) -> None:
    """Acceptance 22, also where the audit breaks."""
    changes: dict[str, Any] = {
        "id": {"id": MARKER},
        "level": {"data_level": MARKER},
        "category": {"target": {"category_id": MARKER}},
        "split": {"split": MARKER},
    }.get(place, {})
    texts = {place: MARKER} if place in ("field", "table", "description") else {}
    first = record(1, **texts, **changes)
    second = copy.deepcopy(first) | OTHER_LEAF
    if broken == "list metadata":
        second["metadata"] = [MARKER]
    if broken == "level list":
        second["data_level"] = [MARKER]
    write_records(bench.folder / "all.json", [first, second])
    path = bench.folder / "all.json"
    text = path.read_text(encoding="utf-8")
    if broken == "key twice":
        text = text.replace('{"id"', f'{{"{MARKER}":1,"{MARKER}":2,"id"', 1)
    if broken == "not json":
        text = text.replace("]", f"{MARKER}", 1)
    path.write_text(text, encoding="utf-8")
    shown = ""
    try:
        conflicts.audit(**bench.files, split="all", report=bench.folder / "audit.json", overwrite=True)
        shown = (bench.folder / "audit.json").read_text(encoding="utf-8")
    except AutoResearchError as error:
        shown = f"{error} {error.findings} {error.__cause__}"
    out = capsys.readouterr()
    words = [word for role, flag in FLAGS.items() for word in (f"--{flag}", f"demo={bench.files[role]['demo']}")]
    words += ["--split", "all", "--report", str(bench.folder / "audit.json"), "--overwrite"]
    assert run(["data", "audit", *words]) in (1, 2)
    told = capsys.readouterr()
    for text in (shown, out.out, out.err, told.out, told.err):
        assert "MARK" not in text
        assert "HEAT_NO" not in text


@pytest.fixture
def bundle(bench: Bench) -> dict[str, Any]:
    report, code = bench.audit(record(1), record(2, field="X"), bundle=True)
    assert code == 0
    return report


def verify(bench: Bench, content: Any, **files: Any) -> set[str]:
    write_json(bench.folder / "audit.json", content)
    return {item.code for item in conflicts.verify_bundle(bench.folder / "audit.json", **files)}


def test_bundle_verifies_alone_and_against_its_files(bench: Bench, bundle: dict[str, Any]) -> None:
    formats = (bundle["format"], bundle["datasets"]["demo"]["format"])
    assert formats == ("autoresearch-prompt-audit-bundle-v1", "autoresearch-prompt-audit-v1")
    assert verify(bench, bundle) == set()
    assert verify(bench, bundle, **bench.files) == set()
    assert verify(bench, bundle["datasets"]["demo"], **bench.files) == set()


def _places(node: Any, at: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    if not isinstance(node, dict):
        return []
    return [place for key, value in node.items() for place in [(*at, key), *_places(value, (*at, key))]]


def _changed(content: dict[str, Any], place: tuple[str, ...], change: Callable[[dict[str, Any], str], None]) -> Any:
    changed = copy.deepcopy(content)
    node = changed
    for key in place[:-1]:
        node = node[key]
    change(node, place[-1])
    return changed


def _other_value(node: dict[str, Any], key: str) -> None:
    value = node[key]
    if isinstance(value, int):
        node[key] = value + 1
    elif isinstance(value, str):
        node[key] = ("0" if value[:1] != "0" else "1") + value[1:]
    else:
        node[key] = None


def test_every_single_key_mutation_is_refused(bench: Bench, bundle: dict[str, Any]) -> None:
    for place in _places(bundle):
        gone = _changed(bundle, place, lambda node, key: node.pop(key))
        assert verify(bench, gone, **bench.files), place
        further = _changed(bundle, place, lambda node, key: node.update({f"{key}_2": node[key]}))
        assert verify(bench, further, **bench.files), place
        other = _changed(bundle, place, _other_value)
        assert verify(bench, other, **bench.files), place


@pytest.mark.parametrize(
    ("place", "value", "code"),
    [
        (("format",), "other", "A020"),
        (("datasets", "demo", "extra"), 1, "A020"),
        (("records_audited",), 7, "A021"),
        (("datasets", "demo", "prompt_keys"), 9, "A021"),
        (("datasets", "demo", "rendered", "conflict_keys"), 1, "A021"),
        (("standard_hashes", "demo", "grading"), "0" * 64, "A022"),
        (("status",), "failed", "A023"),
    ],
)
def test_mutation_is_named_by_its_code(
    bench: Bench, bundle: dict[str, Any], place: tuple[str, ...], value: Any, code: str
) -> None:
    changed = _changed(bundle, place, lambda node, key: node.update({key: value}))
    assert code in verify(bench, changed)


def test_other_standard_file_is_refused(bench: Bench, bundle: dict[str, Any]) -> None:
    files = {"classification": bench.files["classification"], "grading": {"demo": bench.folder / "task.json"}}
    assert verify(bench, bundle, **files) == {"A022"}


def test_other_canonical_file_is_refused(bench: Bench, bundle: dict[str, Any]) -> None:
    write_records(bench.folder / "all.json", [record(1), record(2, field="Y")])
    assert verify(bench, bundle, **bench.files) == {"A022"}


def test_audit_with_conflicts_does_not_verify(bench: Bench) -> None:
    report, _ = bench.audit(record(1), record(2, **OTHER_LEAF), bundle=True)
    assert verify(bench, report) == {"A023"}


def test_verifier_of_unreadable_text_says_structure(bench: Bench) -> None:
    (bench.folder / "audit.json").write_text("{", encoding="utf-8")
    assert [item.code for item in conflicts.verify_bundle(bench.folder / "audit.json")] == ["A020"]


def test_datasets_must_be_the_same_in_all_three(bench: Bench) -> None:
    files = bench.files
    with pytest.raises(InputError, match="same datasets"):
        conflicts.audit(files["canonical"], files["classification"], {}, "all", report=bench.folder / "a.json")


def test_bundle_sums_its_datasets(bench: Bench) -> None:
    files = {role: {**paths, "other": paths["demo"]} for role, paths in bench.files.items()}
    bench.audit(record(1), record(2, **OTHER_LEAF))
    report, code = conflicts.audit(**files, split="all", bundle=True, report=bench.folder / "two.json")
    assert code == 1
    assert list(report["datasets"]) == ["demo", "other"]
    assert (report["records_audited"], report["conflict_keys"], report["conflicting_records"]) == (4, 2, 4)
    report.pop("findings")
    assert json.loads((bench.folder / "two.json").read_text(encoding="utf-8")) == report


def test_findings_name_the_audits_and_only_the_deciding_one_is_an_error(bench: Bench) -> None:
    bench.audit(record(1))
    assert bench.codes == set()
    bench.audit(record(1), record(2, **OTHER_LEAF), record(3, data_level="L9"))
    assert bench.codes == {("A001", "error"), ("A002", "warning"), ("A003", "error"), ("A005", "warning")}
    bench.audit(record(1), record(2, **OTHER_LEAF), decide_by="rendered")
    assert bench.codes == {("A001", "warning"), ("A002", "error"), ("A005", "warning")}


def test_layout_of_the_record_file_does_not_matter(bench: Bench) -> None:
    records = [
        record(1),
        record(2, **OTHER_LEAF),
        record(3, data_level=""),
        record(4, target=None),
        record(5, field="炉号"),
    ]
    lines, _ = bench.audit(*records)
    write_json(bench.folder / "all.json", records)
    indented, _ = conflicts.audit(**bench.files, split="all", report=bench.folder / "other.json")
    assert indented.pop("findings")
    assert indented == lines


def test_what_is_no_record_is_counted_as_incomplete(bench: Bench) -> None:
    report, code = bench.audit(record(1), ["no", "record"])
    assert (code, report["incomplete_records"]) == (1, 1)


def test_blocks_and_layouts_change_nothing(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """A block may end within a record; a file that only looks like one record a line is read record by record."""
    records = [record(1), record(2, **OTHER_LEAF), *(record(number, field=f"F{number % 9}") for number in range(3, 40))]
    records += [record(40, resolution_status="unlabeled"), record(41, data_level=""), record(42, data_level="L9")]
    expected = bench.audit(*records)[0]
    assert (expected["conflict_keys"], expected["incomplete_records"], expected["without_level"]) == (1, 1, 1)
    for size in (1, 300, 1000):
        monkeypatch.setattr(conflict_samples, "BLOCK_BYTES", size)
        assert bench.audit(*records)[0] == expected
    monkeypatch.setattr(conflict_samples, "RECORDS_AT_ONCE", 7)
    text = (bench.folder / "all.json").read_text(encoding="utf-8")
    broken_up = text.replace('"data_level":"L9"', '"data_level":\n"L9"')
    assert broken_up.count("\n") == text.count("\n") + 1
    for layout in (json.dumps(records, indent=1), json.dumps(records), broken_up):
        (bench.folder / "all.json").write_text(layout, encoding="utf-8")
        report = bench.folder / "other.json"
        conflicts.audit(**bench.files, split="all", report=report, overwrite=True)
        assert json.loads(report.read_text(encoding="utf-8")) == expected


def test_a_second_conflict_has_its_own_rows(bench: Bench) -> None:
    records = [record(number, field=f"F{number % 3}") for number in range(9)]
    records[4] = record(4, field="F1", data_level="L3")
    records[8] = record(8, field="F2", data_level="L1")
    table = bench.folder / "rows.csv"
    report, _ = bench.audit(*records, explain=table)
    assert report["conflict_keys"] == 2
    assert [conflict["record_count"] for conflict in report["conflicts"]] == [3, 3]
    shown = [line.split(",")[1:4] for line in table.read_text(encoding="utf-8").splitlines()[1:]]
    two_field = [(key, name) for audit, key, name in shown if audit == "two-field"]
    assert two_field == sorted(two_field)
    assert {name for _, name in two_field} == {"r1", "r4", "r7", "r2", "r5", "r8"}
    assert {key for key, _ in two_field} == {conflict["prompt_key_sha256"] for conflict in report["conflicts"]}
