"""Entry points that the runbook names hold no logic: a module is its command, ``agent`` re-exports (data-line 1)."""

from __future__ import annotations

import importlib
import inspect
import json
import os
import runpy
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from printed import ROOT, kept_commands

import autoresearch
from autoresearch.cli.main import run
from autoresearch.releases.header import NATIVE_TOOL_TRAJECTORY_FORMAT

MODULES = {
    "preprocessing.cli preprocess": "data preprocess",
    "canonical.build": "data build",
    "canonical.split": "data split",
    "analysis.audit_prompt_conflicts": "data audit",
    "verl.sft.export": "sft export",
    "verl.sft.validate": "sft validate --family three-message",
    "verl.sft.export_tool_trajectories --mode collect": "sft collect",
    "verl.sft.export_tool_trajectories --mode export": "sft assemble",
    "verl.sft.export_tool_trajectories --mode=collect": "sft collect",
    "verl.sft.export_tool_trajectories": "sft assemble",
    "verl.sft.validate_tool_trajectories": "sft validate --family trajectory",
    "verl.sft.tool_trajectory_stats": "sft stats",
    "verl.sft.check_token_budget": "sft budget",
    "verl.rl.export": "rl export",
    "verl.common.build_mixture": "rl mixture",
    "verl.rl.validate_cascade": "rl validate",
}
ABSENT = ["--dataset-dir", "/absent", "--report", "/absent/report.json"]


@pytest.fixture
def checkout(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """``script`` importable, as it is in the checkout."""
    monkeypatch.syspath_prepend(str(ROOT))
    return monkeypatch


def as_module(checkout: pytest.MonkeyPatch, words: list[str]) -> int | str | None:
    checkout.setattr(sys, "argv", ["module", *words[1:]])
    with pytest.raises(SystemExit) as left:
        runpy.run_module(f"script.{words[0]}", run_name="__main__")
    return left.value.code


@pytest.mark.parametrize("arguments", [[], ["--no-such-flag"], ["--help"], ABSENT], ids=" ".join)
@pytest.mark.parametrize("module", MODULES)
def test_a_module_says_and_returns_what_its_command_does(
    module: str, arguments: list[str], checkout: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code = as_module(checkout, [*module.split(), *arguments])
    shown = capsys.readouterr()
    assert run([*MODULES[module].split(), *arguments]) == code
    expected = capsys.readouterr()
    assert shown.err == expected.err
    assert shown.out.endswith(expected.out) and expected.out
    if arguments != ["--help"]:
        assert shown.out == expected.out


def test_every_module_that_the_runbook_runs_is_in_the_table() -> None:
    printed = {command.name.split()[1] for command in kept_commands() if " script." in command.name}
    assert printed <= {f"script.{module.split()[0]}" for module in MODULES}


@pytest.mark.parametrize("mode", [["--mode"], ["--mode", "assemble"], ["--mode=file"], ["--mode", "export"] * 2])
def test_a_mode_that_is_none_is_refused_with_the_two_that_are(
    mode: list[str], checkout: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert as_module(checkout, ["verl.sft.export_tool_trajectories", *mode]) == 2
    shown = capsys.readouterr()
    assert json.loads(shown.out)["status"] == "usage"
    assert "collect or export" in shown.err


def test_a_flag_of_the_other_mode_is_refused_and_not_ignored(
    checkout: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["verl.sft.export_tool_trajectories", "--mode", "collect", "--canonical", "a", "--collect-dir", "b"]
    words += ["--registry", "c", "--corpus", "d", "--grading-config", "e", "--think-source", "mock"]
    assert as_module(checkout, words) == 2
    assert "--think-source" in capsys.readouterr().err


def test_the_names_that_the_runbook_imports_are_re_exports() -> None:
    homes = {
        "agent.task": ["GradingConfig", "LeafRegistry", "TaskConfig"],
        "agent.task.assets": ["load_corpus_categories"],
        "agent.training.sft": ["validate_tool_trajectory_dataset"],
    }
    for module, names in homes.items():
        for name in names:
            assert getattr(importlib.import_module(module), name).__module__.startswith("autoresearch.")
    sample = importlib.import_module("agent.training.rl.sample")
    assert sample.NATIVE_TOOL_TRAJECTORY_FORMAT is NATIVE_TOOL_TRAJECTORY_FORMAT
    assert NATIVE_TOOL_TRAJECTORY_FORMAT == "qwen3.5-native-tools-v2"


def test_the_validating_function_has_the_documented_signature() -> None:
    function = importlib.import_module("agent.training.sft").validate_tool_trajectory_dataset
    kinds = {name: item.kind.name for name, item in inspect.signature(function).parameters.items()}
    assert [name for name, kind in kinds.items() if kind == "POSITIONAL_OR_KEYWORD"] == ["release", "registry"]
    named = ["corpus", "task_config", "grading", "dataset", "max_think_tokens"]
    assert [name for name, kind in kinds.items() if kind == "KEYWORD_ONLY"] == named
    assert inspect.signature(function).parameters["max_think_tokens"].default is None


def test_the_wheel_holds_the_package_alone(tmp_path: Path) -> None:
    source = tmp_path / "source"
    shutil.copytree(ROOT / "src", source / "src", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    shutil.copytree(ROOT / "script", source / "script", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copyfile(ROOT / name, source / name)
    program = "import sys; from setuptools import build_meta; print(build_meta.build_wheel(sys.argv[1]))"
    made = subprocess.run([sys.executable, "-c", program, str(tmp_path)], cwd=source, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    (wheel,) = tmp_path.glob("*.whl")
    tops = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert tops == {"autoresearch", f"autoresearch-{autoresearch.__version__}.dist-info"}


def test_the_printed_requirements_are_one_line_that_includes_the_cuda_pins() -> None:
    path = ROOT / "requirements" / "verl-qwen35-cu130.txt"
    (line,) = path.read_text(encoding="utf-8").splitlines()
    flag, name = line.split()
    assert flag == "-r"
    included = (path.parent / name).resolve()
    assert included == ROOT / "constraints" / "cuda.txt"
    assert "verl==0.9.1" in included.read_text(encoding="utf-8").splitlines()


def test_the_launcher_hands_its_arguments_to_train_sft_from_any_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--release", "/absent", "--run", "/absent/run"]
    launcher = ["bash", str(ROOT / "script" / "verl" / "sft" / "run.sh"), *words]
    environment = {**os.environ, "PYTHON_BIN": sys.executable}
    done = subprocess.run(launcher, cwd=tmp_path, capture_output=True, text=True, check=False, env=environment)
    assert run(["train", "sft", *words]) == done.returncode == 2
    expected = capsys.readouterr()
    assert (done.stdout, done.stderr) == (expected.out, expected.err)
    assert "--model is needed" in done.stderr
