"""What the writer puts into a bundle, what it lists as left out, and when it refuses."""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from quickstart_files import HOSTILE, make_quickstart, make_run

from autoresearch.errors import RefusedError
from autoresearch.evidence.bundle import Bundle, read_lines
from autoresearch.evidence.derived import derived_texts, read_lock
from autoresearch.evidence.layout import SECTIONS
from autoresearch.evidence.locks import ConfigLock, LockRow, write_lock
from autoresearch.evidence.quickstart import QuickstartRun, write_quickstart_bundle
from autoresearch.evidence.verify import verify
from autoresearch.evidence.writer import make_writable, partial_path
from autoresearch.report.check import check_page
from autoresearch.report.render import render_page

WriteBundle = Callable[[QuickstartRun], Path]


def test_the_layout_has_all_eight_folders_and_every_artifact_of_a_complete_run(sealed: Path) -> None:
    bundle = Bundle(sealed)
    assert {path.name for path in sealed.iterdir() if path.is_dir()} == set(SECTIONS.values())
    missing = [name for name, path in bundle.manifest.artifact_layout.artifacts.items() if not (sealed / path).exists()]
    assert missing == []
    assert bundle.manifest.state == "complete"
    assert bundle.manifest.experiment is not None
    assert bundle.manifest.experiment.ok


def test_the_sealed_bundle_is_read_only_and_no_partial_folder_is_left(sealed: Path) -> None:
    assert not partial_path(sealed).exists()
    assert all(not stat.S_IMODE(path.stat().st_mode) & 0o222 for path in [sealed, *sealed.rglob("*")])


def test_logs_are_kept_byte_for_byte(sealed: Path, quickstart_run: QuickstartRun) -> None:
    log = sealed / "3-raw-logs" / "cases" / "sft.a1" / "trainer.log"
    assert log.read_bytes() == (quickstart_run.sft / "attempts" / "01" / "trainer.log").read_bytes()
    assert HOSTILE in log.read_text()


def test_every_file_left_out_is_listed_with_bytes_and_reason(sealed: Path) -> None:
    skipped = {each["path"]: each for each in json.loads((sealed / "skipped-files.json").read_text())}
    weights = skipped["rl.a1/checkpoints/global_step_6/model.pt"]
    assert weights["bytes"] == 64
    assert "checkpoints" in weights["reason"]
    assert skipped["5-provenance/data/audit.json"]["bytes"] is None
    assert "6-rows/cases/sft.a1/owner.json" in skipped


def test_the_matrix_counts_steps_from_the_records(sealed: Path) -> None:
    rows = {
        f"{each['case_id']}.a{each['attempt']}": each for each in read_lines(sealed / "6-rows" / "matrix-results.jsonl")
    }
    assert rows["sft.a1"]["completed_training_steps"] == rows["sft.a1"]["target_training_steps"] == 12
    assert rows["rl.a1"]["optimizer_updates"] == 6
    assert rows["rl.a1"]["throughput"]["measured_steps"] == 5
    assert rows["rl.a1"]["input_tokens"] is None


def test_lines_are_derived_to_the_same_bytes_again(sealed: Path) -> None:
    bundle = Bundle(sealed)
    for name, text in derived_texts(bundle, read_lock(bundle)).items():
        assert (sealed / name).read_text() == text


def test_a_run_that_stopped_early_is_a_failed_row_and_the_page_says_so(
    tmp_path: Path, write_bundle: WriteBundle
) -> None:
    run = make_quickstart(tmp_path / "run")
    metrics = run.rl / "attempts" / "01" / "metrics.jsonl"  # type: ignore[operator]  # the fixture has an RL run
    metrics.write_text("".join(metrics.read_text().splitlines(keepends=True)[:-2]))
    target = write_bundle(run)
    row = read_lines(target / "6-rows" / "matrix-results.jsonl")[1]
    assert (row["status"], row["failure_class"], row["completed_training_steps"]) == (
        "failed",
        "incomplete_training_steps",
        4,
    )
    assert any(each["code"] == "V510" for each in row["findings"])
    manifest = Bundle(target).manifest
    assert manifest.experiment is not None
    assert not manifest.experiment.ok
    assert "Only SFT updated parameters" in (target / "0-report" / "report.html").read_text()


def test_exit_code_zero_without_records_is_not_called_trained(tmp_path: Path, write_bundle: WriteBundle) -> None:
    run = make_quickstart(tmp_path / "run")
    for name in ("metrics.jsonl", "trainer.log"):
        (run.sft / "attempts" / "01" / name).write_text("step 12/12 done, global step: 12\n")
    target = write_bundle(run)
    rows = read_lines(target / "6-rows" / "matrix-results.jsonl")
    assert rows[0]["status"] == "failed"
    assert rows[0]["completed_training_steps"] == 0
    assert "No training reached its target" in (target / "0-report" / "report.html").read_text()


def test_rl_that_was_not_started_is_a_skipped_row_with_its_reason(tmp_path: Path, write_bundle: WriteBundle) -> None:
    made = make_quickstart(tmp_path / "run")
    run = dataclasses.replace(made, rl=None, rl_skip_reason="gate_not_met", evaluation={}, sheet=None)
    target = write_bundle(run)
    bundle = Bundle(target)
    assert [(row.row, row.status) for row in bundle.manifest.rows] == [("sft.a1", "passed"), ("rl.a1", "skipped")]
    page = (target / "0-report" / "report.html").read_text()
    assert "gate_not_met" in page
    assert "Every seam" not in page
    assert "the way was not gone to its end" in page
    assert verify(target).ok


def test_a_second_attempt_is_a_row_of_its_own_joined_by_step(tmp_path: Path, write_bundle: WriteBundle) -> None:
    run = make_quickstart(tmp_path / "run")
    first, second = run.sft / "attempts" / "01", run.sft / "attempts" / "02"
    shutil.copytree(first, second)
    for folder, low, high in ((first, 0, 7), (second, 6, 12)):
        for name, skip in (("metrics.jsonl", 0), ("trainer.log", 2)):
            lines = (folder / name).read_text().splitlines(keepends=True)[skip:]
            (folder / name).write_text("".join(lines[low:high]))
    target = write_bundle(run)
    rows = read_lines(target / "6-rows" / "matrix-results.jsonl")
    assert [(each["attempt"], each["status"], each["completed_training_steps"]) for each in rows[:2]] == [
        (1, "failed", 7),
        (2, "passed", 12),
    ]
    assert verify(target).ok


def test_a_taken_name_and_an_unfinished_bundle_are_refused(
    sealed: Path, quickstart_run: QuickstartRun, tmp_path: Path
) -> None:
    with pytest.raises(RefusedError, match="V601"):
        write_quickstart_bundle(quickstart_run, sealed, render=render_page, check=check_page)
    target = tmp_path / "bundle"
    partial_path(target).mkdir()
    (partial_path(target) / "left over").write_text("")
    with pytest.raises(RefusedError, match="V601"):
        write_quickstart_bundle(quickstart_run, target, render=render_page, check=check_page)
    done = write_quickstart_bundle(quickstart_run, target, render=render_page, check=check_page, resume=True)
    assert not (done / "left over").exists()
    make_writable(done)


def test_a_secret_in_a_plan_stops_the_sealing_and_keeps_the_folder_for_inspection(tmp_path: Path) -> None:
    run = make_quickstart(tmp_path / "run")
    log = run.sft / "attempts" / "01" / "trainer.log"
    log.write_text(log.read_text() + "using hf_" + "a" * 34 + "\n")
    with pytest.raises(RefusedError, match=r"V690.*trainer\.log"):
        write_quickstart_bundle(run, tmp_path / "bundle", render=render_page, check=check_page)
    assert not (tmp_path / "bundle").exists()
    assert partial_path(tmp_path / "bundle").exists()


def test_a_page_that_breaks_leaves_no_sealed_bundle(quickstart_run: QuickstartRun, tmp_path: Path) -> None:
    def broken(bundle: Path, out: Path) -> None:
        raise OSError("no space left")

    with pytest.raises(OSError, match="no space"):
        write_quickstart_bundle(quickstart_run, tmp_path / "bundle", render=broken, check=check_page)
    assert not (tmp_path / "bundle").exists()


def test_environment_values_with_secret_names_are_redacted_in_lock_and_row() -> None:
    from autoresearch.evidence.secrets import redact_environment

    found = redact_environment(
        {"WANDB_API_KEY": "x", "OMP_NUM_THREADS": 2, "TOKENIZERS_PARALLELISM": "false", "DB_PASSWORD": "y"}
    )
    assert found == {
        "DB_PASSWORD": "<redacted>",
        "OMP_NUM_THREADS": "2",
        "TOKENIZERS_PARALLELISM": "false",
        "WANDB_API_KEY": "<redacted>",
    }


def test_a_lock_is_written_once(tmp_path: Path) -> None:
    row = LockRow(case_id="sft", stage="single", numbers={"S": 3}, argv=[], env={})
    lock = ConfigLock(
        run_id="r", created_at=None, task="t", mode="training", trainer_val_only=False, server={}, rows=[row]
    )
    digest = write_lock(tmp_path / "config.lock.json", lock)
    assert (tmp_path / "config.lock.json.sha256").read_text() == f"{digest}  config.lock.json\n"
    with pytest.raises(RefusedError, match="written once"):
        write_lock(tmp_path / "config.lock.json", lock)


def test_writing_reads_git_and_changes_nothing_in_it(tmp_path: Path) -> None:
    from autoresearch.evidence.provenance import source_state

    repository = tmp_path / "repo"
    repository.mkdir()
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}

    def git(*arguments: str) -> str:
        command = ["git", "-C", str(repository), "-c", "user.name=a", "-c", "user.email=a@b", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout

    git("init", "-q", "-b", "topic")
    (repository / "code.py").write_text("x = 1\n")
    git("add", "code.py")
    git("commit", "-q", "-m", "first")
    git("remote", "add", "origin", "https://someone:secret@github.com/owner/project.git")
    (repository / "code.py").write_text("x = 2\n")
    (repository / "new.py").write_text("")
    before = {path: path.read_bytes() for path in (repository / ".git").rglob("*") if path.is_file()}
    state = source_state(repository / "code.py", "project", "5-provenance/diffs/project.patch")
    after = {path: path.read_bytes() for path in (repository / ".git").rglob("*") if path.is_file()}
    assert before == after
    found = state.repository
    assert (found.branch, found.dirty, found.dirty_files, found.pushed) == ("topic", True, ["code.py"], False)
    assert [each["path"] for each in found.untracked_files] == ["new.py"]
    assert found.upstream_url == "https://github.com/owner/project.git"
    assert found.commit_url == f"https://github.com/owner/project/commit/{git('rev-parse', 'HEAD').strip()}"
    assert state.patch is not None
    assert b"+x = 2" in state.patch


def test_the_crate_loads_with_the_rocrate_library(sealed: Path) -> None:
    rocrate = pytest.importorskip("rocrate.rocrate")
    crate = rocrate.ROCrate(str(sealed))
    actions = [each for each in crate.get_entities() if each.type == "CreateAction"]
    assert {each["name"] for each in actions} == {"sft.a1", "rl.a1"}
    listed = {each.id for each in crate.get_entities() if each.type == "File"}
    assert "6-rows/matrix-results.jsonl" in listed


def test_the_exposition_passes_promtool(sealed: Path, tmp_path: Path) -> None:
    promtool = shutil.which("promtool")
    if promtool is None:
        pytest.skip("promtool is not installed")
    telemetry = sealed / "2-prometheus" / "telemetry-openmetrics.prom"
    command = [promtool, "tsdb", "create-blocks-from", "openmetrics", str(telemetry), str(tmp_path / "blocks")]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0


def test_the_strict_parser_accepts_every_exposition_of_the_bundle(sealed: Path) -> None:
    parser = pytest.importorskip("prometheus_client.openmetrics.parser")
    for path in sorted((sealed / "2-prometheus").glob("*.prom")):
        assert list(parser.text_string_to_metric_families(path.read_text())), path.name


def test_a_run_folder_without_an_attempt_is_a_skipped_row(tmp_path: Path, write_bundle: WriteBundle) -> None:
    made = make_quickstart(tmp_path / "run")
    make_run(tmp_path / "empty", "rl", 2, 1_795_000_000_000, 1.0)
    shutil.rmtree(tmp_path / "empty" / "attempts")
    target = write_bundle(dataclasses.replace(made, rl=tmp_path / "empty", rl_skip_reason=None))
    assert Bundle(target).manifest.rows[1].status == "skipped"


def test_tool_calls_are_counted_from_the_transcripts(sealed: Path) -> None:
    lines = (sealed / "6-rows" / "evaluation" / "before-transcripts" / "episodes.jsonl").read_text().splitlines()
    episodes = [each for each in map(json.loads, lines) if "prefix_ids" not in each]
    called = [each for each in episodes if each["tool_calls"]]
    data = {
        each["id"]: each["value"]
        for each in json.loads((sealed / "0-report" / "report-data.json").read_text())["numbers"]
    }
    assert data["episodes.before.episodes"] == len(episodes) == 80
    assert data["episodes.before.with_call.numerator"] == len(called)
    assert data["episodes.before.call_success"] == sum(each["score"] == 1.0 for each in called) / len(called)
    errors, calls = (sum(each[key] for each in episodes) for key in ("tool_errors", "tool_calls"))
    assert data["episodes.before.calls_without_error"] == (calls - errors) / calls


def test_missing_and_cut_files_are_listed_and_shown_as_unknown(tmp_path: Path, write_bundle: WriteBundle) -> None:
    run = make_quickstart(tmp_path / "run")
    attempt = run.sft / "attempts" / "01"
    (attempt / "host-samples.jsonl").unlink()
    (attempt / "log-index.jsonl").unlink()
    (attempt / "environment.json").unlink()
    (run.sft / "result.json").write_text('{"status": "trai')
    transcripts = tmp_path / "run" / "eval" / "after-transcripts" / "episodes.jsonl"
    transcripts.write_text("not a record\n")
    with pytest.raises(RefusedError, match="after-transcripts"):
        write_bundle(run)
    make_writable(partial_path(tmp_path / "written" / "bundle"))
    shutil.rmtree(partial_path(tmp_path / "written" / "bundle"))
    shutil.rmtree(transcripts.parent)
    target = write_bundle(run)
    row = read_lines(target / "6-rows" / "matrix-results.jsonl")[0]
    assert (row["status"], row["completed_training_steps"]) == ("failed", 12)
    assert (row["telemetry"], row["elapsed_seconds"]) == (None, None)
    manifest = Bundle(target).manifest
    assert manifest.state == "partial"
    skipped = {each["path"] for each in json.loads((target / "skipped-files.json").read_text())}
    assert {"6-rows/cases/sft.a1/host-samples.jsonl", "5-provenance/environment/sft.a1.json"} <= skipped
    page = (target / "0-report" / "report.html").read_text()
    assert "there are no host samples" in page
    found = json.loads((target / "0-report" / "check.json").read_text())
    assert [each["id"] for each in found["checks"] if not each["ok"]] == ["rows"]


def test_the_latest_values_pass_promtools_lint(sealed: Path) -> None:
    promtool = shutil.which("promtool")
    if promtool is None:
        pytest.skip("promtool is not installed")
    for name in ("host-resource-openmetrics.prom", "experiment-cases-openmetrics.prom"):
        content = (sealed / "2-prometheus" / name).read_bytes()
        done = subprocess.run([promtool, "check", "metrics"], input=content, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr
