"""``run verl-case`` on geometry3k: the validation matrix on fake NPUs, with a stub in verl's place; git is only read
(formal-case.md 4.2, 8.4, 14, 20.2)."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

pytest.importorskip("bokeh")
pytest.importorskip("PIL.Image", reason="Pillow draws the pictures of these tests")
sys.path.append(str(Path(__file__).parents[1] / "cases"))
sys.path.append(str(Path(__file__).parents[1] / "fixtures"))

from geo3k_world import FAKES, STUB_VERL, Geo3kWorld, called, grader
from row_stub import end_rows

from autoresearch.cases.geo3k import read_dump, zero_ladder
from autoresearch.evidence.verify import verify
from autoresearch.files import read_json, sha256_file
from autoresearch.hosts import rows

RUN = f"geo3k-valonly-{os.getpid()}"
LENGTHS = (2048, 4096, 8192, 16384)
CASES = [f"{mode}-1024-{length}" for length in LENGTHS for mode in ("sync", "async")]
OUTPUTS = [
    "",
    "<think>Half of the product.</think> The area is {truth}.",
    "Half of the product, \\boxed{3} and on and on",
    "<think>No idea.</think> \\boxed{17}",
]
"""What the samples answer, in turn: nothing, the right value without a box, no end of thought, another value."""
READS = {
    "branch", "cat-file", "describe", "diff", "for-each-ref", "log", "ls-files", "remote", "rev-list", "rev-parse",
    "show", "submodule", "symbolic-ref",
}  # fmt: skip
"""Subcommands that change nothing, with the options that are used here."""


class Ran(NamedTuple):
    """One run of the command."""

    code: int
    result: dict[str, Any]
    bundle: Path
    before: dict[str, str]
    after: dict[str, str]
    git_calls: list[list[str]]


def git(tree: Path, *words: str) -> None:
    """Run git in a tree."""
    who = ["-c", "user.name=T", "-c", "user.email=t@example.org"]
    subprocess.run(["git", "-C", str(tree), *who, *words], capture_output=True, check=True)


def repositories(root: Path) -> dict[str, Path]:
    """Working trees in each state: clean with an origin, modified with a new file, without a branch."""
    origin = root / "origin.git"
    root.mkdir()
    git(root, "init", "--quiet", "--bare", "--initial-branch=work", str(origin))
    trees = {name: root / name for name in ("verl", "transformers", "mindspeed")}
    for tree in trees.values():
        git(root, "clone", "--quiet", str(origin), str(tree))
        git(tree, "checkout", "--quiet", "-B", "work")
        (tree / "code.py").write_text("one\n")
        git(tree, "add", "code.py")
        git(tree, "commit", "--quiet", "--message", "one")
    git(trees["verl"], "push", "--quiet", "origin", "work")
    (trees["transformers"] / "code.py").write_text("two\n")
    (trees["transformers"] / "notes.txt").write_text("mine\n")
    git(trees["mindspeed"], "checkout", "--quiet", "--detach")
    os.utime(trees["verl"] / "code.py", (1_000_000_000, 1_000_000_000))  # a reader that refreshes would write the index
    return trees


def contents(root: Path) -> dict[str, str]:
    """Every file below a folder, ``.git`` too, and what it holds."""
    return {str(path.relative_to(root)): sha256_file(path) for path in sorted(root.rglob("*")) if path.is_file()}


def watched_git(folder: Path, log: Path) -> Path:
    """A folder with a ``git`` that writes its words down and hands them on."""
    folder.mkdir()
    program = folder / "git"
    record = f'printf "%s\\n" "$(printf "%s\\t" "$@")" >> "{log}"'
    program.write_text(f'#!/bin/sh\n{record}\nexec {shutil.which("git")} "$@"\n')
    program.chmod(0o755)
    return folder


def subcommand(words: list[str]) -> str:
    """What git is asked to do: the first word behind ``-C FOLDER`` and ``-c KEY=VALUE``."""
    rest = list(words)
    while rest[0] in ("-C", "-c"):
        rest = rest[2:]
    return rest[0]


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ran]:
    """A validation matrix on two fake NPUs of this machine."""
    root = tmp_path_factory.mktemp("geo3k")
    world = Geo3kWorld(root, train=4, test=12)
    trees = repositories(root / "repositories")
    (root / "play.json").write_text(json.dumps({"devices": 2}))
    case = {
        "mode": "validation",
        "val_samples": 12,
        "telemetry": {"push": False},
        "dependencies": {name: {"path": str(tree)} for name, tree in trees.items()},
    }
    server = {"name": "local", "kind": "local", "accelerator": "ascend", "workdir": str(root / "host")}
    config = world.write(case, server)
    words = ["--config", str(config), "--run-id", RUN, "--offline", "--skip-readiness"]
    log = root / "git-calls"
    before = contents(root / "repositories")
    with pytest.MonkeyPatch.context() as patch, grader():
        patch.setenv("PATH", f"{watched_git(root / 'bin', log)}:{FAKES}:{os.environ['PATH']}")
        patch.setenv("PYTHONPATH", str(STUB_VERL))
        patch.setenv("FAKE_NPU_SMI", str(root / "play.json"))
        patch.setenv("STUB_VERL", json.dumps({"outputs": OUTPUTS}))
        patch.setitem(rows.POLL_SECONDS, "local", 0.2)
        code, result = called(*words)
    calls = [line.split("\t")[:-1] for line in log.read_text().splitlines()]
    yield Ran(code, result, Path(result["bundle"] or root), before, contents(root / "repositories"), calls)
    end_rows(root)


def test_a_validation_matrix_has_a_row_for_each_length_and_mode_named_as_agreed(ran: Ran) -> None:
    assert ran.result["bundle_state"] == "complete" and verify(ran.bundle).findings() == [], ran.result
    lines = [json.loads(line) for line in (ran.bundle / "6-rows" / "matrix-results.jsonl").read_text().splitlines()]
    assert [line["case_id"] for line in lines] == CASES
    assert {line["status"] for line in lines} == {"passed"} and len({line["display_name"] for line in lines}) == 8
    for line, length in zip(lines, [each for each in LENGTHS for _ in range(2)], strict=True):
        mode = line["inference_mode"]
        name = rf"Qwen35-2B-GRPO-1Kto{length // 1024}K-\d{{6}}d-\d{{6}}s-valonly-{mode}-noignoreeos"
        assert re.fullmatch(name, line["display_name"]), line["display_name"]
        assert (line["target_training_steps"], line["trainer_val_only"], line["resolved_mode"]) == (0, True, mode)
    lock = read_json(ran.bundle / "4-config" / "config.lock.json")
    assert lock["trainer_val_only"] is True and len(lock["rows"]) == 8
    assert lock["prompt"]["enable_thinking"] is True and len(lock["reward"]["sha256"]) == 64
    for row in lock["rows"]:
        keys = dict(word.lstrip("+").split("=", 1) for word in row["argv"] if "=" in word)
        assert (keys["trainer.val_only"], keys["trainer.val_before_train"]) == ("True", "True")
        assert keys["data.max_response_length"] == row["case_id"].rpartition("-")[2]


def test_the_page_says_validation_matrix_and_why_the_accuracy_is_zero_with_counts(ran: Ran) -> None:
    page = (ran.bundle / "0-report" / "report.html").read_text(encoding="utf-8")
    assert "验证矩阵" in page and "Validation matrix" in page
    assert 'data-statement="mode"' in page and 'data-statement="zero-accuracy"' in page
    numbers = {each["id"]: each["value"] for each in read_json(ran.bundle / "0-report" / "report-data.json")["numbers"]}
    for case in CASES:
        dump = ran.bundle / "6-rows" / "cases" / f"{case}.a1" / "validation" / "0.jsonl"
        ladder = {cause.id: cause.count for cause in zero_ladder(read_dump(dump.read_bytes()), validation=True)}
        asked = {"empty_output": 3, "no_box": 3, "truncated": 3, "wrong_answer": 3, "graded_otherwise": 0}
        assert ladder["validation_mode"] == 12 and {name: ladder[name] for name in asked} == asked
        assert {name: numbers[f"acc.{case}.a1.ladder.{name}"] for name in ladder} == ladder
        assert page.count(f"acc.{case}.a1.ladder.no_box") > 0, "the count stands on the page"
        assert (numbers[f"acc.{case}.a1.samples"], numbers[f"acc.{case}.a1.strict.rate"]) == (12, 0.0)


def test_the_dumps_are_graded_again_by_the_installed_reward(ran: Ran) -> None:
    observed = read_json(ran.bundle / "5-provenance" / "observed.json")
    assert observed["graded_again"] == {"lines": 8 * 12, "different": 0, "reason": None}
    assert [each for each in observed["findings"] if each["code"] == "V510"] == []


def test_fake_npus_are_told_on_the_page_and_are_never_a_success(ran: Ran) -> None:
    manifest = read_json(ran.bundle / "manifest.json")
    assert manifest["synthetic_hardware"] is True and manifest["experiment"]["ok"] is False
    assert (ran.code, ran.result["experiment"]["passed"], ran.result["experiment"]["ok"]) == (1, 8, False)
    step = next(each for each in ran.result["steps"] if each["id"] == "rows")
    assert step["status"] == "fail" and "fake" in step["diagnosis"]
    for case in CASES:
        raw = ran.bundle / "6-rows" / "cases" / f"{case}.a1" / "npu-smi-watch.raw.log"
        assert raw.stat().st_size > 0


def test_without_the_push_flag_no_byte_of_any_repository_changes(ran: Ran) -> None:
    assert ran.before == ran.after and len(ran.before) > 60
    asked = {subcommand(words) for words in ran.git_calls}
    assert asked and asked <= READS
    used = read_json(ran.bundle / "5-provenance" / "provenance.lock.json")["repositories"]
    seen = {each["name"]: (each["branch"], each["detached"], each["dirty"]) for each in used}
    assert seen["verl"] == ("work", False, False) and seen["transformers"] == ("work", False, True)
    assert seen["mindspeed"] == (None, True, False)
    told = read_json(ran.bundle / "5-provenance" / "observed.json")["findings"]
    assert {each["code"] for each in told if each["place"] == "transformers"} == {"V320"}
