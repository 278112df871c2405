"""Bundles of one config lock joined into one (formal-case.md 4.5)."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from case_world import OUT_OF_MEMORY, CaseWorld, RowPlan, case_name, listen, no_check, plain_page, seal_plainly

from autoresearch.cases.judge import judge
from autoresearch.errors import InputError, RefusedError
from autoresearch.evidence.bundle import Bundle, read_lines
from autoresearch.evidence.checksums import write_checksums
from autoresearch.evidence.merge import asked_digest, merge
from autoresearch.evidence.verify import verify
from autoresearch.evidence.writer import make_writable

FAILED = RowPlan(case_name(2), steps=1, exit_code=1, last_line=OUT_OF_MEMORY)
Make = Callable[..., Path]


@pytest.fixture
def sealed_case(tmp_path: Path, artifacts: Path) -> Make:
    """Makes a sealed bundle of a run with these rows."""

    def make(run_id: str, *rows: RowPlan, **more: object) -> Path:
        world = CaseWorld(tmp_path / f"world-{run_id}", rows, run_id=run_id, accelerator="cpu", **more)  # type: ignore[arg-type]
        return seal_plainly(listen(artifacts, world.events(judge))).path

    return make


def joined(sources: list[Path], out: Path) -> Bundle:
    """The merged bundle."""
    return Bundle(merge(sources, out, render=plain_page, check=no_check).path)


def test_each_row_names_its_run_and_attempts_go_on_counting(sealed_case: Make, artifacts: Path) -> None:
    one = sealed_case("run-one", RowPlan(case_name(1)), FAILED)
    two = sealed_case("run-two", RowPlan(case_name(1)), RowPlan(case_name(2)))
    bundle = joined([two, one], artifacts / "merged")
    rows = read_lines(bundle.path("matrix"))
    assert [(row["case_id"], row["attempt"], row["run_id"], row["status"]) for row in rows] == [
        (case_name(1), 1, "run-one", "passed"),
        (case_name(2), 1, "run-one", "failed"),
        (case_name(1), 2, "run-two", "passed"),
        (case_name(2), 2, "run-two", "passed"),
    ]
    assert bundle.manifest.merged_from == ["run-one", "run-two"]
    assert (bundle.manifest.run_id, bundle.manifest.state) == ("merged", "complete")
    assert bundle.json(bundle.row_folder(f"{case_name(1)}.a2") / "merged-from.json")["row"] == f"{case_name(1)}.a1"
    found = verify(bundle.root)
    assert found.ok, [each.message() for each in found.findings()]


def test_a_case_that_one_run_skipped_is_that_of_the_run_that_started_it(sealed_case: Make, artifacts: Path) -> None:
    one = sealed_case("run-one", RowPlan(case_name(1)), skipped={case_name(4): "early_stop_memory"})
    two = sealed_case("run-two", RowPlan(case_name(1)), RowPlan(case_name(4)))
    statuses = {row.row: row.status for row in joined([one, two], artifacts / "merged").manifest.rows}
    assert statuses == {f"{case_name(1)}.a1": "passed", f"{case_name(1)}.a2": "passed", f"{case_name(4)}.a1": "passed"}


def test_bundles_that_were_asked_something_else_are_refused(sealed_case: Make, artifacts: Path) -> None:
    one, two = sealed_case("run-one", RowPlan(case_name(1))), sealed_case("run-two", RowPlan(case_name(2)))
    with pytest.raises(RefusedError, match="asked something else"):
        joined([one, two], artifacts / "merged")
    with pytest.raises(InputError, match="of one run"):
        joined([one, one], artifacts / "merged")
    with pytest.raises(InputError, match="two bundles or more"):
        joined([one], artifacts / "merged")
    assert not (artifacts / ".merged.partial").exists()


def test_a_row_copied_by_hand_is_found_before_and_after(sealed_case: Make, artifacts: Path) -> None:
    one = sealed_case("run-one", RowPlan(case_name(1)), FAILED)
    two = sealed_case("run-two", RowPlan(case_name(1)), RowPlan(case_name(2)))
    make_writable(one)
    row = f"6-rows/cases/{case_name(2)}.a1"
    shutil.rmtree(one / row)
    shutil.copytree(two / row, one / row)
    write_checksums(one)
    assert any("copied from another bundle" in each.rule for each in verify(one).findings())
    with pytest.raises(RefusedError, match="not as it was sealed"):
        joined([one, two], artifacts / "merged")


def test_what_was_asked_is_compared_without_names_made_from_the_run(sealed_case: Make) -> None:
    env = {"WANDB_RUN_ID": "0123456789ab", "WANDB_NAME": "display-one", "RAY_TMPDIR": "/tmp/ar-0123456789"}
    argv = ["python3", "trainer.experiment_name=display-one", "out=/srv/run-one/rows"]
    lock = {"run_id": "run-one", "created_at": "x", "task": "t", "rows": [{"case_id": "c", "argv": argv, "env": env}]}
    other = {**lock, "run_id": "run-two", "created_at": "y"}
    names = {"WANDB_RUN_ID": "ba9876543210", "WANDB_NAME": "display-two", "RAY_TMPDIR": "/tmp/ar-9876543210"}
    words = ["python3", "trainer.experiment_name=display-two", "out=/srv/run-two/rows"]
    other["rows"] = [{"case_id": "c", "argv": words, "env": names}]
    assert asked_digest(lock) == asked_digest(other)
    other["rows"] = [{"case_id": "c", "argv": [*words, "more=1"], "env": names}]
    assert asked_digest(lock) != asked_digest(other)


def test_a_bundle_with_additions_keeps_their_chain(sealed_case: Make, tmp_path: Path, artifacts: Path) -> None:
    from autoresearch.cases.events import LockWritten
    from autoresearch.cases.lock_files import write_lock
    from autoresearch.evidence.locks import LockRow

    sources = []
    for name in ("run-one", "run-two"):
        added = replace(FAILED, case_id=case_name(3), stage="bisect")
        world = CaseWorld(tmp_path / name, [RowPlan(case_name(1)), added], run_id=name, accelerator="cpu")
        row = LockRow(
            case_id=added.case_id, stage="bisect", numbers={"S": 3, "B": 3, "D": 1, "n": 4, "m": 3}, argv=[], env={}
        )
        parent = {"path": "config.lock.json", "sha256": world.lock_sha256}
        head = {"schema_version": 1, "run_id": name, "parent": parent, "reason": "between 1 and 4", "derived_from": []}
        lock = write_lock(
            tmp_path / name / "config.lock.bisect-1.json", {**head, "rows": [row.model_dump(mode="json")]}
        )
        events = world.events(judge)
        events.insert(5, LockWritten("bisect", lock.path, lock.sha256))
        sources.append(seal_plainly(listen(artifacts, events)).path)
    assert [row.row for row in Bundle(sources[0]).manifest.rows] == [f"{case_name(1)}.a1", f"{case_name(3)}.a1"]
    bundle = joined(sources, artifacts / "merged")
    assert verify(bundle.root).ok
    assert sum("bisect" in each.path for each in bundle.manifest.locks) == 2
