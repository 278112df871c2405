"""A case's bundle judged by other programs and after changes: verify, promtool, RO-Crate, rehearsal, scripts."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from case_world import case_name

from autoresearch.cli.main import run
from autoresearch.evidence.bundle import Bundle
from autoresearch.evidence.checksums import write_checksums
from autoresearch.evidence.rehearse import rehearse
from autoresearch.evidence.verify import verify
from autoresearch.evidence.writer import make_read_only
from autoresearch.files import json_text

ROW = f"{case_name(1)}.a1"
FAILED = f"{case_name(2)}.a1"
Change = Callable[[Path], None]


def edit_lines(path: Path, change: Callable[[dict], None], number: int = 0) -> None:
    """Change one object of a JSON-lines file in place."""
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    change(lines[number])
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))


def edit_json(path: Path, change: Callable[[dict], None]) -> None:
    """Change a JSON document in place."""
    path.chmod(0o644)
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json_text(content))


def test_a_read_only_copy_of_a_case_verifies(case_copied: Path) -> None:
    make_read_only(case_copied)
    found = verify(case_copied)
    assert found.ok, [each.message() for each in found.findings()]
    counts = {each.id: each.count for each in found.checks}
    assert (counts["steps"], counts["class"], counts["wandb"]) == (3, 1, 2)
    assert counts["telemetry"] > 30


def _class(root: Path) -> None:
    edit_lines(Bundle(root).path("matrix"), lambda line: line.update(failure_class="timeout"), 1)


def _evidence(root: Path) -> None:
    edit_lines(Bundle(root).path("matrix"), lambda line: line["failure_evidence"].update(line=1), 1)


def _status(root: Path) -> None:
    edit_lines(Bundle(root).path("matrix"), lambda line: line.update(completed_training_steps=4))


def _deleted_row(root: Path) -> None:
    shutil.rmtree(Bundle(root).row_folder(FAILED))
    edit_json(root / "manifest.json", lambda content: content["rows"].pop(1))


def _swapped_lock(root: Path) -> None:
    edit_json(Bundle(root).path("config_lock"), lambda content: content.update(created_at="2026-01-01T00:00:00Z"))


def _copied_row(root: Path) -> None:
    path = Bundle(root).row_folder(ROW) / "row.json"
    edit_json(path, lambda content: content.update(run_id="another-run", lock_sha256="0" * 64))


def _sample(root: Path) -> None:
    path = Bundle(root).row_folder(ROW) / "npu-smi-watch.raw.log"
    path.write_text(path.read_text().replace(" 65536 |", " 65535 |", 1))


def _exposition(root: Path) -> None:
    path = Bundle(root).path("telemetry")
    lines = path.read_text().split("\n")
    place = next(number for number, line in enumerate(lines) if line.startswith("autoresearch_npu_hbm_used_mib"))
    del lines[place]
    path.write_text("\n".join(lines))


def _wandb(root: Path) -> None:
    record = next(Bundle(root).path("source_runs").rglob("*.wandb"))
    record.write_bytes(record.read_bytes()[:-50])


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (_class, "V614"),
        (_evidence, "V614"),
        (_status, "V613"),
        (_deleted_row, "V612"),
        (_swapped_lock, "V612"),
        (_copied_row, "V612"),
        (_sample, "V615"),
        (_exposition, "V615"),
        (_wandb, "V616"),
    ],
)
def test_a_change_is_found_though_the_sums_were_made_again(case_copied: Path, change: Change, code: str) -> None:
    change(case_copied)
    write_checksums(case_copied)
    assert code in {each.code for each in verify(case_copied).findings()}


def test_a_copied_row_is_named_as_such(case_copied: Path) -> None:
    _copied_row(case_copied)
    rules = [each.rule for each in verify(case_copied).findings() if each.code == "V612"]
    assert any("copied from another bundle" in rule for rule in rules)


def test_the_rehearsal_derives_every_number_again(case_copied: Path, tmp_path: Path) -> None:
    make_read_only(case_copied)
    found = rehearse(case_copied, tmp_path / "rehearsal")
    assert found.ok, found.different
    assert found.numbers > 100


def test_the_crate_is_read_by_its_library_with_rows_as_actions(case_copied: Path) -> None:
    rocrate = pytest.importorskip("rocrate.rocrate")
    crate = rocrate.ROCrate(str(case_copied))
    actions = {entity.id: entity for entity in crate.get_entities() if entity.type == "CreateAction"}
    assert set(actions) == {f"#{ROW}", f"#{FAILED}", f"#{case_name(4)}.a1"}
    inputs = [each if isinstance(each, str) else each.id for each in actions[f"#{ROW}"]["object"]]
    assert any("asset-0" in each for each in inputs)
    assert crate.dereference("#asset-0")["version"] == "3f2a"
    assert actions[f"#{FAILED}"]["error"] == "oom"


@pytest.mark.skipif(shutil.which("promtool") is None, reason="needs promtool")
def test_expositions_pass_the_strict_parser_and_promtool(case_copied: Path) -> None:
    from prometheus_client.openmetrics.parser import text_string_to_metric_families

    bundle = Bundle(case_copied)
    families = list(text_string_to_metric_families(bundle.path("telemetry").read_text()))
    assert sum(len(family.samples) for family in families) > 500
    for artifact in ("telemetry_latest", "machine_latest", "host_latest", "experiment_cases"):
        done = subprocess.run(
            ["promtool", "check", "metrics"], input=bundle.path(artifact).read_bytes(), capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr


def script(root: Path, name: str, out: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a script of the bundle."""
    program = Path(sys.executable).with_name("autoresearch")
    environment = {
        **os.environ,
        "RESTORE_DIR": str(out),
        "PYTHON": sys.executable,
        "AUTORESEARCH": str(program),
        **more,
    }
    command = ["bash", str(root / "restore" / name), *words]
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=240, check=False)


@pytest.mark.skipif(shutil.which("prometheus") is None, reason="needs prometheus and promtool")
def test_a_fresh_prometheus_shows_number_and_maximum_of_every_series(case_copied: Path, tmp_path: Path) -> None:
    make_read_only(case_copied)
    done = script(case_copied, "replay-prometheus.sh", tmp_path / "out")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "series are those of telemetry.parquet" in done.stdout


@pytest.mark.skipif(shutil.which("prometheus") is None, reason="needs prometheus and promtool")
def test_a_prometheus_with_another_sample_is_found(case_copied: Path, tmp_path: Path) -> None:
    path = Bundle(case_copied).path("telemetry")
    lines = path.read_text().split("\n")
    place = next(number for number, line in enumerate(lines) if line.startswith("autoresearch_npu_hbm_used_mib"))
    del lines[place]
    path.write_text("\n".join(lines))
    done = script(case_copied, "replay-prometheus.sh", tmp_path / "out")
    assert done.returncode == 1
    assert "autoresearch_npu_hbm_used_mib" in done.stderr


def test_all_stages_run_and_a_failed_one_does_not_stop_the_others(case_copied: Path, tmp_path: Path) -> None:
    make_read_only(case_copied)
    done = script(case_copied, "rebuild-all.sh", tmp_path / "out", "verify", "wandb", "environment")
    assert done.returncode == 0, done.stdout + done.stderr
    assert [line for line in done.stdout.splitlines() if line.startswith("rebuild-all:")][:3] == [
        "rebuild-all: verify ok",
        "rebuild-all: wandb ok",
        "rebuild-all: environment ok",
    ]
    assert (tmp_path / "out" / "environment" / "constraints.txt").read_text() == "numpy==2.1.0\nverl==0.9.1\n"
    done = script(case_copied, "rebuild-all.sh", tmp_path / "out2", "wandb", "environment", PYTHON="no-such-python")
    assert done.returncode == 2
    assert "no-such-python is missing" in done.stderr
    assert script(case_copied, "rebuild-all.sh", tmp_path / "out3", "unknown").returncode == 2


@pytest.mark.skipif(shutil.which("prometheus") is None, reason="needs prometheus and promtool")
def test_the_command_restores_the_stages_that_were_named(
    case_copied: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_read_only(case_copied)
    words = ["bundle", "restore", str(case_copied), "--to", str(tmp_path / "to")]
    assert run([*words, "--only", "verify", "--only", "wandb", "--only", "prometheus"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["verified"], found["numbers_equal"]) == (True, None)
    assert [(stage["stage"], stage["ok"]) for stage in found["stages"]] == [("wandb", True), ("prometheus", True)]
    assert run([*words[:-1], str(tmp_path / "other"), "--only", "nothing"]) == 2
    assert "there are verify, wandb, prometheus, report, environment" in capsys.readouterr().err
