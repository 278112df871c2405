"""The runbook's way, walked in bash: each command in a shell that holds the settings printed before it."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from printed import ROOT, Printed, filled_in

STEEL = ROOT / "examples" / "steel"
DATASET = "shougang"
THOUGHT = "The name and the texts of this field were read against the catalogue before going on."


@dataclass(frozen=True)
class Done:
    """How one command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """The one object that a command prints."""
        printed: dict[str, Any] = json.loads(self.out)
        return printed

    @property
    def codes(self) -> set[str]:
        """The finding codes in what it printed."""
        return {item["code"] for item in self.json.get("findings", [])}


@dataclass
class Journey:
    """The places that the runbook's placeholders stand for, the settings so far, and how each command ended."""

    places: dict[str, Path]
    settings: list[str] = field(default_factory=list)
    done: dict[str, Done] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)

    @property
    def run_folder(self) -> Path:
        """What the runbook calls ``$RUN``."""
        return self.places["RUN_DIR"]

    @property
    def releases(self) -> Path:
        """Where the runbook's publishers write."""
        return self.run_folder / "releases"

    def shell(self, text: str) -> Done:
        """Run ``text`` in bash after all settings so far; its exit code is that of the last command."""
        program = "\n".join([*self.settings, text])
        environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")}
        done = subprocess.run(["bash", "-c", program], capture_output=True, text=True, check=False, env=environment)
        return Done(done.returncode, done.stdout, done.stderr)

    def walk(self, commands: list[Printed]) -> None:
        """Run the commands in their order; after collect the shards are filled, as the reviewed generator would."""
        for command in commands:
            text = filled_in(command, self.places)
            if command.sets_something:
                self.settings.append(text)
                continue
            self.texts[command.name] = text
            self.done[command.name] = self.shell(text)
            if command.name.endswith("collect"):
                fill_thoughts(self.run_folder / "trajectory" / "think-collect", self.places[FILLED])


FILLED = "FILLED_THINK_JSONL_OR_SHARD_DIR"


def fill_thoughts(collected: Path, filled: Path) -> None:
    """Copy the shards with a thought in every slot: one a call, one for the answer."""
    filled.mkdir(parents=True)
    for shard in sorted(collected.glob("think-*.jsonl")):
        lines = [json.loads(line) for line in shard.read_text(encoding="utf-8").splitlines()]
        for line in lines:
            line["think"] = THOUGHT
            line["tool_think"] = [THOUGHT for _ in line["tool_calls"]]
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        (filled / shard.name).write_text(text, encoding="utf-8")


def lay_out(root: Path, python: Path) -> dict[str, Path]:
    """The shipped example under the names that the runbook prints; returns what its placeholders stand for."""
    raw, assets, standards, config = (root / name for name in ("raw", "assets", "standards", "config"))
    files = {
        "raw/steel.xlsx": raw / f"{DATASET}.xlsx",
        "assets/mappings/steel.mapping.json": assets / "mappings" / f"{DATASET}.mapping.json",
        "assets/registries/steel.registry.json": assets / "registries" / f"{DATASET}.registry.json",
        "assets/corpora/steel.corpus.json": assets / "corpora" / f"{DATASET}.corpus.json",
        "standards/steel.classification.json": standards / f"{DATASET}.classification.json",
        "standards/steel.grading.json": standards / f"{DATASET}.grading.json",
        "config/steel.task.json": config / f"{DATASET}.task.json",
    }
    for source, target in files.items():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(STEEL / source, target)
    datasets = json.loads((STEEL / "config" / "datasets.json").read_text(encoding="utf-8"))
    datasets["datasets"] = {DATASET: datasets["datasets"]["steel"]}
    (config / "datasets.json").write_text(json.dumps(datasets, ensure_ascii=False), encoding="utf-8")
    return {
        "CHECKOUT": ROOT,
        "RUN_DIR": root / "run",
        "RAW_DIR": raw,
        "ASSETS_DIR": assets,
        "STANDARDS_DIR": standards,
        "CONFIG_DIR": config,
        "PYTHON_WITH_TEST_DEPS": python,
        FILLED: root / "filled",
    }


def tree(folder: Path) -> dict[str, str]:
    """The sha256 of every file below a folder."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
