"""How each command of the data line ends: exit codes 0, 1, 2 and 130, one JSON object, no traceback, and after Ctrl-C
at any file that it touches either nothing or everything (data-line 4.0; 12.24, 12.41).
"""

from __future__ import annotations

import json
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from autoresearch.cli.main import run
from autoresearch.files import sha256_file, tree_files, write_json
from autoresearch.releases.release import Release

MINI = Path(__file__).parents[1] / "fixtures" / "steel_mini"
SMALL = Path(__file__).parents[2] / "examples" / "steel" / "small"
NAME = "steelmini"
TOUCHING = {"open", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.chmod", "os.link"}
STEPS = 6
"""At how many of the files that a command touches it is stopped: the first, the last, and some between."""
Words = list[Any]


class Stop:
    """Sends SIGINT to this process when it touches the ``at``-th file below a folder."""

    def __init__(self) -> None:
        self.below, self.at, self.seen = "", 0, 0

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self.below or event not in TOUCHING or not str(arguments[0]).startswith(self.below):
            return
        self.seen += 1
        if self.seen == self.at:
            signal.raise_signal(signal.SIGINT)


STOP = Stop()
sys.addaudithook(STOP)


ASSETS: Words = ["--registry", MINI / "registry.json", "--corpus", MINI / "corpus.json"]
FIELDS: Words = ["--metadata-fields", "field_name", "table_name", "field_description", "table_description"]
RECORDS: Words = ["--canonical", MINI / "canonical.json", "--grading-config", MINI / "grading.json", *ASSETS, *FIELDS]
BUILD: Words = ["--config-file", SMALL / "config/datasets.json", "--registry-dir", SMALL / "assets/registries"]
BUILD += ["--corpus-dir", SMALL / "assets/corpora", "--dataset", "steel"]
SHEET: Words = ["--mapping", SMALL / "assets/mappings/steel.mapping.json", "--dataset", "steel"]
AUDIT: Words = ["--classification-standard", MINI / "classification.json", "--grading-standard", MINI / "grading.json"]


class World:
    """What the commands read: their own outputs, each made once in the order of the line."""

    def __init__(self, root: Path) -> None:
        self.root = root
        (root / "schema.sql").write_text("CREATE TABLE t (a INT COMMENT '炉号', b DATE);\n", encoding="utf-8")
        grading = {"path": str(MINI / "grading.json"), "sha256": sha256_file(MINI / "grading.json")}
        write_json(root / "manifest.json", {"datasets": {NAME: grading}})

    def words(self, command: str, out: Path) -> Words:
        """The command line of ``command`` that writes below ``out``."""
        made, mixture = self.root, ["--grading-manifest", self.root / "manifest.json", *ASSETS, *FIELDS]
        lines: dict[str, Words] = {
            "data preprocess": ["--input", SMALL / "raw/steel.xlsx", *SHEET, "--output", out / "steel/all.json"],
            "data import-ddl": [made / "schema.sql", "--dataset", "steel", "--output", out],
            "data build": ["--processed-dir", made / "data preprocess", "--canonical-dir", out, *BUILD],
            "data split": ["--canonical-dir", out, "--dataset", "steel", "--split-type", "group"],
            "data audit": ["--canonical", MINI / "canonical.json", *AUDIT, "--report", out / "a.json"],
            "data leakage": ["--canonical", MINI / "canonical.json", "--report", out / "l.json"],
            "sft export": [*RECORDS, "--output-dir", out / "release"],
            "sft collect": [*RECORDS, "--collect-dir", out / "shards"],
            "sft assemble": [*RECORDS, "--dataset", NAME, "--output-dir", out / "release"],
            "sft validate": ["--release", made / "sft assemble/release", "--report", out / "v.json"],
            "sft stats": ["--release", made / "sft assemble/release", "--report", out / "s.json"],
            "rl export": [*RECORDS, "--dataset", NAME, "--output-dir", out / "release"],
            "rl mixture": ["--family", "rl-cascade", "--input", f"{NAME}={made / 'rl export/release'}", *mixture],
            "rl validate": ["--release", made / "rl mixture/release", "--report", out / "v.json"],
        }
        lines["rl mixture"] += ["--output-dir", out / "release"]
        return [*command.split(), *lines[command]]

    def prepare(self, command: str, out: Path) -> None:
        """What stands in ``out`` before: the records for the split, which works in place, and nothing for others."""
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir()
        if command == "data split":
            shutil.copytree(self.root / "data build", out, dirs_exist_ok=True)


COMMANDS = [
    "data preprocess", "data build", "data split", "data import-ddl", "data audit", "data leakage", "sft export",
    "sft collect", "sft assemble", "sft validate", "sft stats", "rl export", "rl mixture", "rl validate",
]  # fmt: skip
"""In the order of the line."""


def hashes(folder: Path) -> dict[str, str]:
    return {name: sha256_file(folder / name) for name in tree_files(folder)}


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Every command done once."""
    made = World(tmp_path_factory.mktemp("ends"))
    for command in COMMANDS:
        made.prepare(command, made.root / command)
        assert run([str(word) for word in made.words(command, made.root / command)]) == 0, command
    return made


def call(words: Words, capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, Any]]:
    """Exit code and the one object on stdout; the object has the code too, and nothing shows a traceback."""
    capsys.readouterr()
    code = run([str(word) for word in words])
    shown = capsys.readouterr()
    told: dict[str, Any] = json.loads(shown.out)
    assert "Traceback" not in shown.err
    assert told["exit_code"] == code
    assert told["command"] == " ".join(str(word) for word in words[:2])
    return code, told


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_that_is_done_exits_with_zero_and_without_its_flags_with_two(
    command: str, world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    out = world.root / "again"
    world.prepare(command, out)
    assert call(world.words(command, out), capsys)[0] == 0
    assert hashes(out) == hashes(world.root / command)
    assert call(command.split(), capsys)[0] == 2


@pytest.mark.parametrize("command", [command for command in COMMANDS if "validate" not in command])
def test_a_second_run_on_the_same_output_is_refused_with_two_and_changes_nothing(
    command: str, world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    before = hashes(world.root / command)
    code, told = call(world.words(command, world.root / command), capsys)
    if command == "sft stats":
        assert (code, hashes(world.root / command)) == (0, before)
        return
    assert (code, told["status"]) == (2, "refused")
    assert {name: text for name, text in hashes(world.root / command).items() if "failed" not in name} == before
    for path in (world.root / command).glob("*failed*.json"):
        path.unlink()


def broken(world: World, folder: Path) -> Path:
    """A copy of a release with one flipped byte."""
    shutil.copytree(world.root / "sft assemble" / "release", folder)
    data = bytearray((folder / "val.parquet").read_bytes())
    data[len(data) // 2] ^= 1
    (folder / "val.parquet").write_bytes(bytes(data))
    return folder


def lost(world: World, out: Path) -> Words:
    (out / "a.sql").write_text("CREATE TABLE t (a int);\nCREATE TABLE x (a int b c d);", encoding="utf-8")
    return ["data", "import-ddl", out / "a.sql", "--dataset", "steel", "--output", out / "o"]


def conflict(world: World, out: Path) -> Words:
    records = json.loads((MINI / "canonical.json").read_text(encoding="utf-8"))
    records[1]["metadata"] = records[0]["metadata"]
    records[1]["data_level"] = "L1" if records[0]["data_level"] != "L1" else "L2"
    write_json(out / "all.json", records)
    return ["data", "audit", "--canonical", out / "all.json", "--split", "all", *AUDIT, "--report", out / "a.json"]


NO: dict[str, Callable[[World, Path], Words]] = {
    "data import-ddl": lost,
    "data audit": conflict,
    "data leakage": lambda world, out: [*world.words("data leakage", out), "--max-near-share", "-1"],
    "sft validate": lambda world, out: ["sft", "validate", "--release", broken(world, out / "r")],
    "rl validate": lambda world, out: ["rl", "validate", "--release", broken(world, out / "r")],
}


@pytest.mark.parametrize("command", NO)
def test_a_command_whose_answer_is_no_exits_with_one(
    command: str, world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, told = call(NO[command](world, tmp_path), capsys)
    assert (code, told["status"] not in ("done", "refused", "broken")) == (1, True)


def test_explain_says_zero_for_a_known_id_and_two_for_another(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    identity = json.loads((MINI / "canonical.json").read_text(encoding="utf-8"))[0]["id"]
    words: Words = ["data", "explain", identity, "--canonical", MINI / "canonical.json"]
    assert call([*words, "--release", world.root / "sft assemble/release"], capsys)[0] == 0
    assert call(["data", "explain", "nowhere", *words[3:]], capsys)[0] == 2


def test_budget_says_zero_one_or_two(world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("transformers")
    from autoresearch.training.tiny import build_tokenizer

    release = world.root / "sft assemble" / "release"
    rows = [message["content"] for row in Release(release).records("train") for message in row["messages"]]
    build_tokenizer(rows, tmp_path, "qwen", vocab_size=600)
    words: Words = ["sft", "budget", "--release", release, "--model"]
    assert call([*words, tmp_path, "--max-length", "100000"], capsys)[0] == 0
    assert call([*words, tmp_path, "--max-length", "100"], capsys)[0] == 1
    assert call([*words, tmp_path / "nowhere", "--max-length", "100"], capsys)[0] == 2
    assert call([*words, tmp_path], capsys)[0] == 2


@pytest.mark.parametrize("command", COMMANDS)
def test_ctrl_c_exits_with_130_and_leaves_nothing_or_everything(
    command: str, world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    out = world.root / "stopped"
    whole = hashes(world.root / command)

    def stopped(at: int) -> int:
        """The exit code when the ``at``-th touched file stops the command."""
        world.prepare(command, out)
        before = hashes(out)
        STOP.below, STOP.at, STOP.seen = str(out), at, 0
        try:
            code, told = call(world.words(command, out), capsys)
        finally:
            STOP.below = ""
        found = hashes(out)
        assert found in ([before, whole] if code else [whole]), f"stopped at {at} of {STOP.seen}: {sorted(found)}"
        assert not list(out.rglob(".*")), f"stopped at {at} of {STOP.seen}"
        assert (code, told["status"]) == (130, "interrupted") if code else told["status"] != "interrupted"
        return code

    assert stopped(0) == 0
    touched = STOP.seen
    assert touched > 0
    steps = sorted({1 + (touched - 1) * number // (STEPS - 1) for number in range(STEPS)})
    assert {stopped(at) for at in steps} == {130}
