"""The bundle of a formal case from the events of a run: open, resumed, interrupted, sealed (formal-case.md 9.1-9.4)."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from case_world import (
    OUT_OF_MEMORY,
    CaseWorld,
    RowPlan,
    case_name,
    listen,
    plain_page,
    seal_plainly,
)

from autoresearch.cases.events import LockWritten, RowFiles, RowJudged
from autoresearch.cases.judge import judge
from autoresearch.errors import InfrastructureError, InputError, RefusedError
from autoresearch.evidence.bundle import Bundle, read_lines
from autoresearch.evidence.case_bundle import CaseBundle
from autoresearch.evidence.case_seal import NOT_HERE, NOT_STARTED, SyncOutcome, seal
from autoresearch.evidence.layout import SECTIONS
from autoresearch.evidence.verify import verify
from autoresearch.evidence.writer import partial_path
from autoresearch.files import sha256_file, tree_files, write_json

JOURNALS = ("-orchestration.log", "progress.jsonl")
TWO = [RowPlan(case_name(1)), RowPlan(case_name(2), steps=1, exit_code=1, last_line=OUT_OF_MEMORY)]


def state(root: Path) -> dict[str, str]:
    """Every file with its hash, but for the two that tell how often an event came."""
    return {name: sha256_file(root / name) for name in tree_files(root) if not name.endswith(JOURNALS)}


def test_a_sealed_case_has_its_sections_rows_and_locks(case_sealed: Path) -> None:
    bundle = Bundle(case_sealed)
    manifest = bundle.manifest
    assert (manifest.kind, manifest.state, manifest.task) == ("verl-case", "complete", "geo3k-grpo")
    assert all((case_sealed / folder).is_dir() for folder in SECTIONS.values())
    assert [row.status for row in manifest.rows] == ["passed", "failed", "skipped"]
    assert manifest.experiment is not None
    assert (manifest.experiment.ok, manifest.experiment.passed, manifest.experiment.skipped) == (True, 1, 1)
    assert manifest.live.pushes_ok == 116
    names = set(tree_files(case_sealed))
    row = f"{case_name(1)}.a1"
    folder = f"6-rows/cases/{row}"
    wanted = ["row.json", "command.json", "result.json", "owner.json", "heartbeat.json", "events.jsonl"]
    wanted += [
        "metrics.jsonl",
        "npu-smi-watch.raw.log",
        "host-samples.jsonl",
        "telemetry-stats.json",
        "rollouts/3.jsonl",
    ]
    assert {f"{folder}/{name}" for name in wanted} <= names
    assert {f"3-raw-logs/cases/{row}/{name}" for name in ("trainer.log", "log-index.jsonl", "launcher.log")} <= names
    assert f"4-config/effective/{row}.yaml" in names
    assert "restore/replay-prometheus.sh" in names
    assert not any("latest-run" in name or name.endswith("hydra/.hydra/config.yaml") for name in names)
    assert case_sealed.stat().st_mode & 0o222 == 0


def test_the_matrix_tells_each_row_and_unknown_is_null(case_sealed: Path) -> None:
    bundle = Bundle(case_sealed)
    passed, failed, skipped = read_lines(bundle.path("matrix"))
    assert (passed["completed_training_steps"], passed["resolved_mode"], passed["cause"]) == (3, "sync", "first")
    assert passed["throughput"]["measured_steps"] == 2
    assert passed["throughput"]["tokens_per_second_per_device"] == pytest.approx(6400 / 17.2)
    assert passed["telemetry"]["devices"]["coverage"] == 1.0
    assert passed["telemetry"]["devices"]["devices"][0]["memory_total_mib"] == 65536
    assert (passed["clock_offset_ms"], passed["elapsed_seconds"]) == (12.0, 60.0)
    assert (failed["failure_class"], failed["failure_evidence"]["file"]) == ("oom", "trainer.log")
    assert failed["throughput"]["ranked"] is False
    assert skipped["skip_reason"] == "early_stop_memory"
    assert skipped["completed_training_steps"] is None
    assert skipped["telemetry"] is None


def test_files_that_stayed_on_the_host_are_listed_with_their_reason(case_sealed: Path) -> None:
    bundle = Bundle(case_sealed)
    listed = {each["path"]: each for each in bundle.json(bundle.path("skipped"))}
    path = f"6-rows/cases/{case_name(1)}.a1/checkpoints/global_step_3/model.pt"
    assert listed[path] == {"path": path, "bytes": 12, "reason": "checkpoints stay on the host"}
    assert listed["5-provenance/diffs"]["reason"] == "no tree was modified"
    assert bundle.manifest.skipped == len(listed)


def test_the_manifest_is_there_from_the_first_event_and_after_each(tmp_path: Path, artifacts: Path) -> None:
    world = CaseWorld(tmp_path / "world", TWO)
    case = CaseBundle(artifacts)
    counts = []
    for event in world.events(judge):
        case(event)
        manifest = Bundle(partial_path(artifacts / world.run_id)).manifest
        assert manifest.state == "open"
        counts.append((len(manifest.locks), len(manifest.rows)))
    assert counts == [(0, 0), (1, 0), (2, 0), (2, 0), (2, 1), (2, 1), (2, 2), (2, 2)]
    assert not (artifacts / world.run_id).exists()


def test_the_same_events_again_leave_the_same_state(tmp_path: Path, artifacts: Path) -> None:
    world = CaseWorld(tmp_path / "world", TWO, skipped={case_name(4): "early_stop_memory"})
    case = listen(artifacts, world.events(judge))
    before = state(case.root)
    again = [replace(world.opened(), resumed=True), *world.events(judge)[1:]]
    case = listen(artifacts, again)
    after = state(case.root)
    different = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
    assert different == {"5-provenance/run.json"}, "which says that it was resumed"
    assert seal_plainly(case).ok


def test_a_resumed_run_gives_rows_from_the_bundle_itself(tmp_path: Path, artifacts: Path) -> None:
    world = CaseWorld(tmp_path / "world", TWO)
    case = listen(artifacts, [world.opened(), *world.locks(), *world.row_events(TWO[0], judge)])
    skipped = case.writer.skipped
    case = listen(artifacts, [world.opened(resumed=True), *world.locks()])
    bundle = case.writer.bundle()
    held = RowFiles(bundle.row_folder(TWO[0].row), bundle.log_folder(TWO[0].row))
    case(RowJudged(TWO[0].row, TWO[0].case_id, 1, held, judge(held, _planned(world, 0))))
    assert case.writer.skipped == skipped, "what stayed on the host is still listed"
    for event in [*world.row_events(TWO[1], judge), world.ended()]:
        case(event)
    sealed = seal_plainly(case)
    assert (sealed.ok, sealed.state) == (True, "complete")


def _planned(world: CaseWorld, number: int):
    from case_world import lock_row

    return lock_row(world.rows[number])


def test_a_row_whose_host_was_lost_is_brought_again(tmp_path: Path, artifacts: Path) -> None:
    world = CaseWorld(tmp_path / "world", TWO[:1])
    lost = tmp_path / "lost"
    write_json(lost / "orchestrator.json", {"schema_version": 1, "state": "ssh_lost"})
    started, brought = world.row_events(TWO[0], judge)
    assert isinstance(brought, RowJudged)
    files = RowFiles(lost, lost)
    gone = replace(brought, files=files, judged=judge(files, _planned(world, 0)), left=())
    case = listen(artifacts, [world.opened(), *world.locks(), started, gone])
    assert read_lines(case.writer.bundle().path("matrix"))[0]["failure_class"] == "ssh_lost"
    assert case.writer.bundle().json(case.root / "6-rows" / "cases" / TWO[0].row / "row.json")["reconstructed"]
    case(brought)
    case(world.ended())
    assert seal_plainly(case).state == "complete"


def test_a_taken_run_id_is_refused_open_or_sealed(tmp_path: Path, artifacts: Path) -> None:
    world = CaseWorld(tmp_path / "world", TWO[:1])
    case = listen(artifacts, [world.opened()])
    before = state(case.root)
    with pytest.raises(RefusedError, match="V601"):
        listen(artifacts, [world.opened()])
    assert state(case.root) == before
    case = listen(artifacts, [world.opened(resumed=True), *world.events(judge)[1:]])
    seal_plainly(case)
    for resumed in (False, True):
        with pytest.raises(RefusedError, match="V601"):
            listen(artifacts, [world.opened(resumed)])


def test_another_lock_is_refused(tmp_path: Path, artifacts: Path) -> None:
    world, other = CaseWorld(tmp_path / "one", TWO[:1]), CaseWorld(tmp_path / "two", TWO)
    case = listen(artifacts, [world.opened(), *world.locks()])
    for path, digest in ((other.lock_path, other.lock_sha256), (other.lock_path, world.lock_sha256)):
        with pytest.raises(RefusedError, match="V602"):
            case(LockWritten("config", path, digest))
    assert sha256_file(case.root / "4-config" / "config.lock.json") == world.lock_sha256


def test_an_interrupted_run_is_sealed_as_partial_with_a_row_for_each_case(tmp_path: Path, artifacts: Path) -> None:
    rows = [*TWO, RowPlan(case_name(4))]
    world = CaseWorld(tmp_path / "world", rows)
    begun = world.row_events(rows[1], judge)[0]
    listen(artifacts, [world.opened(), *world.locks(), *world.row_events(rows[0], judge), begun])
    case = CaseBundle.open(artifacts, world.run_id)
    case(world.ended("interrupted"))
    sealed = seal_plainly(case)
    assert (sealed.state, sealed.ok) == ("partial", True)
    reasons = [each["skip_reason"] for each in read_lines(Bundle(sealed.path).path("matrix"))]
    assert reasons == [None, NOT_HERE, NOT_STARTED]
    assert verify(sealed.path).ok


def test_nothing_can_be_sealed_before_the_locks_or_without_a_run(tmp_path: Path, artifacts: Path) -> None:
    world = CaseWorld(tmp_path / "world", TWO[:1])
    case = listen(artifacts, [world.opened()])
    with pytest.raises(InputError, match="nothing to seal"):
        seal_plainly(case)
    with pytest.raises(InputError, match="no run other"):
        CaseBundle.open(artifacts, "other")


def test_a_secret_of_the_run_stops_the_seal_and_the_partial_folder_stays(tmp_path: Path, artifacts: Path) -> None:
    world = CaseWorld(tmp_path / "world", [replace(TWO[0], last_line="password is hunter2-hunter2")])
    case = listen(artifacts, world.events(judge))
    with pytest.raises(RefusedError, match="V690"):
        seal_plainly(case, secrets=["hunter2-hunter2"])
    assert case.root.is_dir()
    assert not (artifacts / world.run_id).exists()
    log = case.root / "3-raw-logs" / "cases" / TWO[0].row / "trainer.log"
    log.write_text(log.read_text().replace("hunter2-hunter2", "<redacted>"))
    assert seal_plainly(case, secrets=["hunter2-hunter2"]).ok


def test_a_report_that_crashes_loses_nothing(tmp_path: Path, artifacts: Path) -> None:
    world = CaseWorld(tmp_path / "world", TWO[:1])
    case = listen(artifacts, world.events(judge))

    def crash(_: Path, __: Path) -> None:
        raise ValueError("no page today")

    with pytest.raises(ValueError, match="no page today"):
        seal(case, render=crash, check=lambda root: {"ok": True})
    again = CaseBundle.open(artifacts, world.run_id)
    assert seal(again, render=plain_page, check=lambda root: {"ok": True}).state == "complete"


def test_a_row_without_device_samples_passes_and_the_evidence_is_not_ok(tmp_path: Path, artifacts: Path) -> None:
    world = CaseWorld(tmp_path / "world", [replace(TWO[0], samples=False)])
    sealed = seal_plainly(listen(artifacts, world.events(judge)))
    line = read_lines(Bundle(sealed.path).path("matrix"))[0]
    assert (line["status"], [each["code"] for each in line["findings"]]) == ("passed", ["V414"])
    assert (sealed.ok, sealed.state) == (False, "partial")


@pytest.mark.parametrize("accelerator", ["nvidia", "cpu"])
def test_rows_of_other_accelerators(tmp_path: Path, artifacts: Path, accelerator: str) -> None:
    world = CaseWorld(tmp_path / "world", TWO[:1], accelerator=accelerator)  # type: ignore[arg-type]
    sealed = seal_plainly(listen(artifacts, world.events(judge)))
    assert (sealed.ok, sealed.state) == (True, "complete")
    history = Bundle(sealed.path).path("telemetry").read_text()
    assert "autoresearch_npu_" not in history
    assert ("autoresearch_device_memory_used_mib" in history) == (accelerator == "nvidia")


def test_fake_hardware_for_ascend_is_marked_and_never_ok(tmp_path: Path, artifacts: Path) -> None:
    world = CaseWorld(tmp_path / "world", [replace(TWO[0], changes={"synthetic": True})])
    sealed = seal_plainly(listen(artifacts, world.events(judge)))
    manifest = Bundle(sealed.path).manifest
    assert manifest.synthetic_hardware
    assert manifest.experiment is not None
    assert (manifest.experiment.passed, manifest.experiment.ok) == (1, False)


def test_a_cut_metrics_file_gives_whole_records_only(tmp_path: Path, artifacts: Path) -> None:
    world = CaseWorld(tmp_path / "world", TWO[:1])
    started, brought = world.row_events(TWO[0], judge)
    assert isinstance(brought, RowJudged)
    metrics = brought.files.folder / "metrics.jsonl"
    metrics.write_bytes(metrics.read_bytes()[:-40])
    again = replace(brought, judged=judge(brought.files, _planned(world, 0)))
    sealed = seal_plainly(listen(artifacts, [world.opened(), *world.locks(), started, again, world.ended()]))
    line = read_lines(Bundle(sealed.path).path("matrix"))[0]
    assert (line["status"], line["completed_training_steps"]) == ("failed", 2)
    assert "V510" in {each["code"] for each in line["findings"]}


def test_a_clock_that_is_off_is_told(tmp_path: Path, artifacts: Path) -> None:
    world = CaseWorld(tmp_path / "world", TWO[:1])
    started, brought = world.row_events(TWO[0], judge)
    assert isinstance(brought, RowJudged)
    off = replace(brought, tunnel={"clock_offset_ms": 28_800_000.0, "clock_uncertainty_ms": 5.0})
    case = listen(artifacts, [world.opened(), *world.locks(), started, off])
    line = read_lines(case.writer.bundle().path("matrix"))[0]
    assert [each["code"] for each in line["findings"]] == ["V430"]
    assert line["elapsed_seconds"] == 60.0


def test_what_an_upload_gave_is_recorded_and_decides_nothing(tmp_path: Path, artifacts: Path, offline_run) -> None:
    rows = [RowPlan(case_name(1), wandb="whole"), RowPlan(case_name(2), wandb="whole")]
    world = CaseWorld(tmp_path / "world", rows, runs=offline_run)
    ids = [world.wandb_id(plan) for plan in rows]

    def upload(folders: list[Path]) -> SyncOutcome:
        assert len(folders) == 2
        page = {"local_url": "http://127.0.0.1:8080/x", "wandb_id": ids[0], "display_name": "x", "project": "verl"}
        return SyncOutcome({ids[0]: None, ids[1]: "no answer within 300 s"}, (page,))

    sealed = seal_plainly(listen(artifacts, world.events(judge)), sync=upload)
    bundle = Bundle(sealed.path)
    runs = bundle.json(bundle.path("wandb_runs"))["source_runs"]
    assert {each["wandb_id"]: (each["synced"], each["sync_error"]) for each in runs} == {
        ids[0]: (True, None),
        ids[1]: (False, "no answer within 300 s"),
    }
    assert bundle.manifest.live.wandb_synced == 1
    assert bundle.json(bundle.path("wandb_pages"))[0]["wandb_id"] == ids[0]


def test_names_are_ascii_and_differ_without_their_case(case_sealed: Path) -> None:
    names = tree_files(case_sealed)
    assert all(name.isascii() for name in names)
    assert len({name.casefold() for name in names}) == len(names)


def _relock(world: CaseWorld, **changes: object) -> None:
    """Write the config lock of a world again with other keys."""
    lock = json.loads(world.lock_path.read_text())
    for row in lock["rows"]:
        row.update(changes.pop("row", {}))  # type: ignore[call-overload]
    world.lock_path.write_text(json.dumps({**lock, **changes}))
    world.lock_sha256 = sha256_file(world.lock_path)


def test_a_validation_matrix_has_measures_and_no_steps(tmp_path: Path, artifacts: Path) -> None:
    plan = RowPlan("sync-1024-2048", steps=0, numbers={"S": 0, "V": 2})
    world = CaseWorld(tmp_path / "world", [plan], accelerator="cpu")
    argv = ["python3", "-m", "verl.trainer.main_ppo", "trainer.val_only=True"]
    _relock(world, row={"argv": argv}, mode="validation", trainer_val_only=True)
    planned = replace_row(world, argv)
    started, brought = world.row_events(plan, lambda files, row: judge(_with_dump(files), planned))
    opened = replace(world.opened(), mode="validation")
    sealed = seal_plainly(listen(artifacts, [opened, *world.locks(), started, brought, world.ended()]))
    bundle = Bundle(sealed.path)
    line = read_lines(bundle.path("matrix"))[0]
    assert (line["status"], line["trainer_val_only"], line["throughput"]) == ("passed", True, None)
    assert (line["validation"]["samples"], line["validation"]["strict_acc"]) == (2, 0.5)
    assert bundle.manifest.trainer_val_only
    assert bundle.manifest.experiment is not None
    assert bundle.manifest.experiment.ok
    assert verify(sealed.path).ok


def replace_row(world: CaseWorld, argv: list[str]):
    """The planned case with another command."""
    return _planned(world, 0).model_copy(update={"argv": argv})


def _with_dump(files: RowFiles) -> RowFiles:
    (files.folder / "validation").mkdir(exist_ok=True)
    lines = [{"uid": f"u{n}_0", "input": "q", "output": "a", "gts": "1", "score": float(n), "step": 0} for n in (0, 1)]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (files.folder / "validation" / "0.jsonl").write_text(text)
    return files


def test_a_smoke_run_passes_by_its_exit_and_claims_no_training(tmp_path: Path, artifacts: Path) -> None:
    plan = RowPlan("device-op", steps=0, numbers={"S": 0})
    world = CaseWorld(tmp_path / "world", [plan], accelerator="nvidia")
    opened = replace(world.opened(), kind="smoke", task="smoke")
    sealed = seal_plainly(listen(artifacts, [opened, *world.events(judge)[1:]]))
    bundle = Bundle(sealed.path)
    line = read_lines(bundle.path("matrix"))[0]
    assert (bundle.manifest.kind, line["status"], line["throughput"]) == ("smoke", "passed", None)
    assert line["completed_training_steps"] == 0
    assert bundle.manifest.experiment is not None
    assert bundle.manifest.experiment.ok
    assert line["telemetry"]["devices"]["devices"][0]["uuid"] == "GPU-1"


def test_a_folder_that_cannot_be_written_stops_with_what_to_do_and_loses_nothing(
    tmp_path: Path, artifacts: Path
) -> None:
    world = CaseWorld(tmp_path / "world", TWO[:1])
    case = listen(artifacts, [world.opened(), *world.locks()])
    rows = case.root / "6-rows"
    rows.rmdir()
    rows.write_text("a file in the way")
    started, brought = world.row_events(TWO[0], judge)
    case(started)
    with pytest.raises(InfrastructureError, match="--collect-only"):
        case(brought)
    rows.unlink()
    again = CaseBundle.open(artifacts, world.run_id)
    for event in (*world.row_events(TWO[0], judge), world.ended()):
        again(event)
    assert seal_plainly(again).state == "complete"
