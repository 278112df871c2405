"""Exporters: what they publish, refuse and leave behind (3.16, 3.17, 4.0, 4.5, 4.7, acceptance 24 to 34)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from release_copies import DATASET, MINI, Copy, mini_inputs, write_manifest

from autoresearch.errors import InputError, RefusedError
from autoresearch.files import read_records, sha256_file, tree_files, write_json, write_records
from autoresearch.releases import collect, mixture, pairs_export, three_message, trajectory_export
from autoresearch.releases.gaps import label_gaps
from autoresearch.releases.release import Release
from autoresearch.releases.trajectory_export import TrajectoryOptions, assemble
from autoresearch.releases.validate import validate


def changed_canonical(folder: Path, change: Callable[[list[dict[str, Any]]], Any]) -> Path:
    """The canonical file of the fixture after a change of its records."""
    records = read_records(MINI / "canonical.json")
    change(records)
    folder.mkdir(parents=True, exist_ok=True)
    write_records(folder / "all.json", records)
    return folder / "all.json"


def hashes(folder: Path) -> dict[str, str]:
    return {name: sha256_file(folder / name) for name in tree_files(folder)}


def test_a_second_publish_is_refused_and_leaves_every_byte(tmp_path: Path) -> None:
    """Acceptance 24."""
    out = tmp_path / "release"
    assemble(mini_inputs(), out)
    before = hashes(out)
    for export in (lambda: assemble(mini_inputs(), out), lambda: pairs_export.export(mini_inputs(), out)):
        with pytest.raises(RefusedError) as caught:
            export()
        assert [item.code for item in caught.value.findings] == ["R001"]
    assert hashes(out) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "release",
        "release.failed.1.json",
        "release.failed.json",
    ]
    audit = json.loads((tmp_path / "release.failed.json").read_text(encoding="utf-8"))
    assert (audit["status"], audit["phase"], audit["error_type"]) == ("failed", "prepare", "RefusedError")
    assert audit["findings"][0]["code"] == "R001"
    assert audit["output_name"] == "release"


def test_an_empty_folder_may_be_the_output(tmp_path: Path) -> None:
    (tmp_path / "release").mkdir()
    assemble(mini_inputs(), tmp_path / "release")
    assert validate(tmp_path / "release")["valid"]


def test_a_failed_audit_inside_the_release_goes_beside_it(tmp_path: Path) -> None:
    bad = mini_inputs(canonical=tmp_path / "nowhere.json")
    with pytest.raises(InputError):
        assemble(bad, tmp_path / "release", failed_audit=tmp_path / "release" / "audit.json")
    assert [path.name for path in tmp_path.iterdir()] == ["release.failed.json"]
    with pytest.raises(InputError):
        assemble(bad, tmp_path / "release", failed_audit=tmp_path / "audits" / "a.json")
    assert (tmp_path / "audits" / "a.json").is_file()


def test_an_output_without_a_name_is_refused() -> None:
    with pytest.raises(InputError, match="no name of its own"):
        assemble(mini_inputs(), Path())


def test_a_release_that_its_validator_refuses_is_not_published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = trajectory_export.trajectory_row

    def broken(*args: Any, **keys: Any) -> dict[str, Any]:
        return {**real(*args, **keys), "search_rank": 99}

    monkeypatch.setattr(trajectory_export, "trajectory_row", broken)
    with pytest.raises(RefusedError, match="R064") as caught:
        assemble(mini_inputs(), tmp_path / "release")
    assert {item.code for item in caught.value.findings} == {"R064"}
    assert [path.name for path in tmp_path.iterdir()] == ["release.failed.json"]
    audit = json.loads((tmp_path / "release.failed.json").read_text(encoding="utf-8"))
    assert audit["phase"] == "validate"
    assert audit["validation"]["valid"] is False


def test_of_two_publishers_of_one_target_one_succeeds(tmp_path: Path) -> None:
    """Acceptance 43."""
    start = threading.Barrier(2)
    outcomes: list[str] = []

    def publish() -> None:
        start.wait()
        try:
            pairs_export.export(mini_inputs(), tmp_path / "release")
            outcomes.append("published")
        except RefusedError as error:
            outcomes.append(error.findings[0].code)

    threads = [threading.Thread(target=publish) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["R001", "published"]
    assert validate(tmp_path / "release")["valid"]
    assert not [path for path in tmp_path.iterdir() if "staging" in path.name]


def test_an_interrupted_export_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Acceptance 41."""

    def interrupt(*args: Any, **keys: Any) -> dict[str, Any]:
        raise KeyboardInterrupt

    monkeypatch.setattr(trajectory_export, "trajectory_row", interrupt)
    with pytest.raises(KeyboardInterrupt):
        assemble(mini_inputs(), tmp_path / "release")
    assert list(tmp_path.iterdir()) == []


def test_a_rare_class_is_a_warning_of_a_valid_release(tmp_path: Path) -> None:
    names = {"A1-10", "A1-2", "B1-1"}

    def change(records: list[dict[str, Any]]) -> None:
        records[:] = [record for record in records if record["target"]["category_id"] not in names]

    report = assemble(mini_inputs(canonical=changed_canonical(tmp_path / "c", change)), tmp_path / "release")
    rare = next(item for item in report["validation"]["findings"] if item["code"] == "R066")
    assert (rare["severity"], report["validation"]["valid"]) == ("warning", True)
    assert "train, no_result" in rare["first"]


def test_a_mixture_repeats_canonical_and_grading_of_its_source(made: Path) -> None:
    source, cascade = Release(made / "pairs").report.inputs, Release(made / "cascade").report.inputs
    repeated = [item for item in source if item.role in ("canonical", "grading")]
    assert len(repeated) == 2
    assert [item for item in cascade if item.role != "grading_manifest"] == repeated


def test_rows_do_not_depend_on_the_order_of_records(tmp_path: Path) -> None:
    """Acceptance 7."""
    reversed_records = changed_canonical(tmp_path / "r", lambda records: records.reverse())
    for number, canonical in enumerate((MINI / "canonical.json", reversed_records)):
        inputs = mini_inputs(canonical=canonical)
        assemble(inputs, tmp_path / f"t{number}", TrajectoryOptions(class_policy="hash"))
        pairs_export.export(inputs, tmp_path / f"p{number}")
        three_message.export(inputs, tmp_path / f"m{number}")
    for kind in "tpm":
        first, second = Release(tmp_path / f"{kind}0"), Release(tmp_path / f"{kind}1")
        assert first.files == second.files


def test_bytes_do_not_depend_on_hash_seed_or_process(tmp_path: Path) -> None:
    """Acceptance 7."""
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); from pathlib import Path; from release_copies import mini_inputs;"
        "from autoresearch.releases import trajectory_export as t;"
        "t.assemble(mini_inputs(), Path(sys.argv[2]), t.TrajectoryOptions(class_policy='hash'))"
    )
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": "C"}
        command = [sys.executable, "-c", code, str(Path(__file__).parent), str(tmp_path / seed)]
        subprocess.run(command, check=True, env=environment, capture_output=True)
    assert hashes(tmp_path / "1") == hashes(tmp_path / "2")


def test_no_release_file_holds_a_path_or_a_clock(made: Path) -> None:
    text = (made / "cascade" / "export_report.json").read_text(encoding="utf-8")
    assert str(made) not in text
    assert "recorded_at" not in text
    assert json.loads(text)["sources"][DATASET]["path"] == "../pairs"


def test_levels_that_are_blank_and_labels_in_the_metadata_are_skipped_and_counted(tmp_path: Path) -> None:
    """Acceptance 30."""

    def change(records: list[dict[str, Any]]) -> None:
        train = [
            record for record in records if record["split"] == "train" and record["target"]["category_id"] == "B2-1"
        ]
        train[0]["data_level"] = ""
        other = [
            record for record in records if record["target"]["category_id"] == "B2-1-3" and record["split"] == "train"
        ]
        other[0]["metadata"]["table_description"] = "见（B2-1-3）。"
        other[1]["metadata"]["table_description"] = "见 B2-1-30 与 XB2-1-3"

    report = assemble(mini_inputs(canonical=changed_canonical(tmp_path / "c", change)), tmp_path / "release")
    ledger = report["ledger"]["train"]
    assert ledger["skipped"] == {"label_in_metadata": 1, "no_level": 1}
    assert ledger["records"] == ledger["exported_sources"] + 2 == 16
    assert len(report["skipped_sources"]["label_in_metadata"]) == 1


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda records: records[0].update(split=None), "R010"),
        (lambda records: records[0]["target"].update(category_id="Z9"), "R010"),
        (lambda records: records[0]["target"].update(leaf_name="其他"), "R010"),
        (lambda records: records[0]["resolution"].update(status="placeholder"), "R010"),
        (lambda records: records[0].update(data_level="L9"), "R026"),
        (lambda records: records[0]["metadata"].update(field_description="<|im_end|>"), "F023"),
        (lambda records: records[1].update(id=records[0]["id"]), "F041"),
    ],
)
def test_records_that_cannot_be_used_refuse_the_export(
    tmp_path: Path, change: Callable[[list[dict[str, Any]]], Any], code: str
) -> None:
    with pytest.raises(InputError) as caught:
        assemble(mini_inputs(canonical=changed_canonical(tmp_path / "c", change)), tmp_path / "release")
    assert {item.code for item in caught.value.findings} == {code}
    assert not (tmp_path / "release").exists()


def drop_train_of(category_id: str) -> Callable[[list[dict[str, Any]]], Any]:
    """Takes all train records of a category away."""

    def change(records: list[dict[str, Any]]) -> None:
        records[:] = [
            record
            for record in records
            if not (record["split"] == "train" and record["target"]["category_id"] == category_id)
        ]

    return change


def test_a_label_gap_blocks_is_waived_by_name_and_is_no_input_of_a_mixture(tmp_path: Path) -> None:
    """Acceptance 34."""
    canonical = changed_canonical(tmp_path / "c", drop_train_of("A1-1"))
    with pytest.raises(RefusedError, match=r"A1-1 \(val\), L1 \(val\)") as caught:
        pairs_export.export(mini_inputs(canonical=canonical), tmp_path / "pairs")
    assert {item.code for item in caught.value.findings} == {"R011"}
    with pytest.raises(InputError, match="take the waiver away"):
        pairs_export.export(
            mini_inputs(canonical=canonical, allow_label_gaps=["A1-1", "L1", "B1-1"]), tmp_path / "pairs"
        )
    report = pairs_export.export(mini_inputs(canonical=canonical, allow_label_gaps=["A1-1", "L1"]), tmp_path / "pairs")
    gate = report["label_gap_gate"]
    assert (gate["status"], gate["waived"]) == ("waived", [{"label": "A1-1", "split": "val"}])
    inputs = mixture.MixtureInputs(DATASET, tmp_path / "pairs", write_manifest(tmp_path / "m"))
    with pytest.raises(RefusedError, match="R011"):
        mixture.build("rl-cascade", inputs, tmp_path / "cascade")


def test_a_gap_gate_without_gaps_passes() -> None:
    assert label_gaps({"train": [("a", "L1")], "val": [("a", "L1")], "test": []}).status == "passed"


def test_thinking_decides_which_thoughts_there_are(made: Path) -> None:
    """Acceptance 27."""
    for name, thinking in (("search", True), ("off", False)):
        release = Release(made / name)
        assert release.header.enable_thinking is thinking
        for row in release.records("train"):
            said = [item["reasoning_content"] for item in row["messages"] if item["role"] == "assistant"]
            assert all((thought is not None) == thinking for thought in said)
    system = Release(made / "search").records("train")[0]["messages"][0]["content"]
    assert "no reasoning" not in system


@pytest.mark.parametrize(
    "options",
    [
        TrajectoryOptions(think_source="none"),
        TrajectoryOptions(enable_thinking=False, think_source="mock"),
        TrajectoryOptions(enable_thinking=False, think_source="file:x"),
        TrajectoryOptions(think_source="files"),
        TrajectoryOptions(max_think_tokens=0),
    ],
)
def test_a_think_source_that_does_not_fit_is_refused(tmp_path: Path, options: TrajectoryOptions) -> None:
    with pytest.raises(InputError):
        assemble(mini_inputs(), tmp_path / "release", options)


def fill(folder: Path, thought: str = "先看一看。") -> None:
    """Fills every slot of every shard."""
    for path in sorted(folder.glob("*.jsonl")):
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        for line in lines:
            line["think"] = thought
            line["tool_think"] = [thought] * len(line["tool_calls"])
        path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")


@pytest.mark.parametrize("policy", ["search", "hash"])
def test_collect_fill_and_assemble_give_a_release_with_those_thoughts(tmp_path: Path, policy: Any) -> None:
    """Acceptance 28."""
    folder = tmp_path / "thoughts"
    report = collect.collect(mini_inputs(), folder, class_policy=policy, shard_size=10)
    assert [item["path"] for item in report["shards"]][:2] == ["think-train-000.jsonl", "think-train-001.jsonl"]
    assert report["total_samples"] == 24
    assert report["label_aware"] is True
    options = TrajectoryOptions(class_policy=policy, think_source=f"file:{folder}")
    with pytest.raises(InputError, match=r"think-.*line 1: .* blank"):
        assemble(mini_inputs(), tmp_path / "release", options)
    fill(folder)
    published = assemble(mini_inputs(), tmp_path / "release", options)
    assert published["think"]["source"] == "file"
    assert published["think"]["unused_thoughts"] == 0
    assert {item["role"] for item in published["inputs"]} >= {"thoughts", "canonical"}
    row = Release(tmp_path / "release").records("train")[0]
    assert row["messages"][-1]["reasoning_content"] == "先看一看。"


def test_a_partial_fill_a_foreign_shard_and_a_bad_thought_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "thoughts"
    collect.collect(mini_inputs(), folder)
    fill(folder)
    options = TrajectoryOptions(think_source=f"file:{folder}")
    path = folder / "think-train-000.jsonl"
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    path.write_text("\n".join(lines[1:]), encoding="utf-8")
    with pytest.raises(InputError, match="no shard holds its thoughts"):
        assemble(mini_inputs(), tmp_path / "release", options)
    path.write_text(text.replace("HEAT_NO", "HEAT_NUMBER"), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        assemble(mini_inputs(), tmp_path / "release", options)
    assert {item.code for item in caught.value.findings} == {"R063"}
    path.write_text(text.replace("先看一看。", "一。二。三。"), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        assemble(mini_inputs(), tmp_path / "release", options)
    assert {item.code for item in caught.value.findings} == {"R058"}


def test_thoughts_over_the_cap_are_truncated_or_their_source_is_discarded(tmp_path: Path) -> None:
    folder = tmp_path / "thoughts"
    collect.collect(mini_inputs(), folder)
    fill(folder, "短。")
    path = folder / "think-train-000.jsonl"
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    lines[0]["think"] = "很" * 40
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    source = f"file:{folder}"
    cut = assemble(mini_inputs(), tmp_path / "cut", TrajectoryOptions(think_source=source, max_think_tokens=20))
    assert (cut["think"]["truncated_rows"], cut["think"]["truncated_turns"]) == (1, 1)
    options = TrajectoryOptions(think_source=source, max_think_tokens=20, think_over_limit="discard")
    dropped = assemble(mini_inputs(), tmp_path / "dropped", options)
    assert dropped["ledger"]["train"]["skipped"] == {"thought_over_cap": 1}
    assert dropped["think"]["discarded"] == 1


def test_collect_refuses_a_folder_with_files_and_leaves_no_stale_shard(tmp_path: Path) -> None:
    """Acceptance 29."""
    folder = tmp_path / "thoughts"
    collect.collect(mini_inputs(), folder, shard_size=4)
    with pytest.raises(RefusedError) as caught:
        collect.collect(mini_inputs(), folder)
    assert {item.code for item in caught.value.findings} == {"R002"}
    assert (tmp_path / "thoughts.failed.json").is_file()
    report = collect.collect(mini_inputs(), folder, overwrite=True)
    assert sorted(path.name for path in folder.glob("*.jsonl")) == sorted(item["path"] for item in report["shards"])
    (folder / "notes.txt").write_text("x")
    with pytest.raises(RefusedError, match=r"notes\.txt"):
        collect.collect(mini_inputs(), folder, overwrite=True)


def test_a_failing_collect_leaves_a_failed_audit_and_the_shards_that_were_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Acceptance 29: refused at its inputs, and broken after the first shard."""
    folder = tmp_path / "thoughts"
    collect.collect(mini_inputs(), folder, shard_size=4)
    before = hashes(folder)
    bad = changed_canonical(tmp_path / "c", lambda records: records[0].update(data_level="L9"))
    with pytest.raises(InputError):
        collect.collect(mini_inputs(canonical=bad), folder, overwrite=True)
    real = collect._write_shard

    def broken(stage: Path, split: str, number: int, lines: list[str]) -> dict[str, Any]:
        if number:
            raise OSError("no space left")
        return real(stage, split, number, lines)

    monkeypatch.setattr(collect, "_write_shard", broken)
    with pytest.raises(OSError, match="no space"):
        collect.collect(mini_inputs(), folder, shard_size=3, overwrite=True)
    assert hashes(folder) == before
    audits = [json.loads((tmp_path / f"thoughts.failed{part}.json").read_text(encoding="utf-8")) for part in ("", ".1")]
    assert [(item["phase"], item["error_type"]) for item in audits] == [("derive", "InputError"), ("write", "OSError")]
    assert audits[0]["findings"][0]["code"] == "R026"
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_dir()) == ["c", "thoughts"]


def test_a_mixture_refuses_other_families_changed_bytes_and_other_gradings(
    copy_of: Callable[[str], Copy], tmp_path: Path
) -> None:
    manifest = write_manifest(tmp_path / "m")
    trajectory, pairs = copy_of("search"), copy_of("pairs")
    with pytest.raises(RefusedError, match="reads a trajectory release directly") as caught:
        mixture.build("sft", mixture.MixtureInputs(DATASET, trajectory.folder, manifest), tmp_path / "x")
    assert {item.code for item in caught.value.findings} == {"R003"}
    other = json.loads((MINI / "grading.json").read_text(encoding="utf-8"))
    write_json(tmp_path / "other.json", {**other, "descriptions": ["a", "b", "c", "d"]})
    second = write_manifest(tmp_path / "m2", tmp_path / "other.json")
    with pytest.raises(RefusedError) as caught:
        mixture.build("rl-cascade", mixture.MixtureInputs(DATASET, pairs.folder, second), tmp_path / "x")
    assert {item.code for item in caught.value.findings} == {"R090"}
    pairs.change_rows(lambda rows: rows[0].update(ability="other"))
    with pytest.raises(RefusedError, match="R079"):
        mixture.build("rl-cascade", mixture.MixtureInputs(DATASET, pairs.folder, manifest), tmp_path / "x")
    assert not (tmp_path / "x").exists()


def test_a_mixture_needs_the_native_four_fields(tmp_path: Path) -> None:
    inputs = mini_inputs(task_config=None, metadata_fields=["field_name", "table_name"])
    pairs_export.export(inputs, tmp_path / "pairs")
    given = mixture.MixtureInputs(DATASET, tmp_path / "pairs", write_manifest(tmp_path / "m"))
    with pytest.raises(RefusedError) as caught:
        mixture.build("rl-cascade", given, tmp_path / "cascade")
    assert {item.code for item in caught.value.findings} == {"R097"}


def test_a_grading_without_descriptions_is_no_grading_of_the_rl_line(tmp_path: Path) -> None:
    write_json(tmp_path / "grading.json", {"levels": ["L1", "L2", "L3", "L4"]})
    with pytest.raises(InputError) as caught:
        pairs_export.export(mini_inputs(grading_config=tmp_path / "grading.json"), tmp_path / "pairs")
    assert {item.code for item in caught.value.findings} == {"F035"}


def test_a_manifest_with_an_absolute_path_is_kept_without_it(copy_of: Callable[[str], Copy], tmp_path: Path) -> None:
    pairs = copy_of("pairs")
    grading = (MINI / "grading.json").resolve()
    content = {"datasets": {DATASET: {"path": str(grading), "sha256": sha256_file(grading)}}}
    write_json(tmp_path / "manifest.json", content)
    mixture.build(
        "rl-cascade", mixture.MixtureInputs(DATASET, pairs.folder, tmp_path / "manifest.json"), tmp_path / "c"
    )
    kept = (tmp_path / "c" / "assets" / "grading-manifest.json").read_text(encoding="utf-8")
    assert str(grading) not in kept


def test_hard_negatives_vary_with_the_field_and_the_fixture_policy_does_not(tmp_path: Path) -> None:
    """Acceptance 33, on the small fixture."""
    hard = three_message.export(mini_inputs(), tmp_path / "hard")["candidate_report"]
    fixed = three_message.export(mini_inputs(), tmp_path / "fixed", candidate_policy="gold_first4")["candidate_report"]
    assert (hard["policy"], fixed["policy"]) == ("hard_negatives", "gold_first4")
    assert hard["distinct_negatives"] > fixed["distinct_negatives"] == 5


def test_an_ungraded_release_has_no_level_anywhere(tmp_path: Path) -> None:
    inputs = mini_inputs(grading_config=None)
    pairs_export.export(inputs, tmp_path / "pairs")
    three_message.export(inputs, tmp_path / "three")
    release = Release(tmp_path / "pairs")
    assert (release.header.prompt_version, release.header.levels, release.header.tools_sha256) == (
        "two-stage-1",
        [],
        None,
    )
    assert all(row["extra_info"]["ground_truth_level"] is None for row in release.records("train"))
    assert validate(tmp_path / "three")["valid"]


def test_splits_may_come_from_the_views(tmp_path: Path) -> None:
    records = read_records(MINI / "canonical.json")
    for split in ("train", "val", "test"):
        write_records(tmp_path / f"{split}.json", [record for record in records if record["split"] == split])
    canonical = changed_canonical(tmp_path / "c", lambda found: [record.update(split=None) for record in found])
    report = pairs_export.export(mini_inputs(canonical=canonical, split_dir=tmp_path), tmp_path / "pairs")
    assert report["splits"]["train"]["rows"] == 32
