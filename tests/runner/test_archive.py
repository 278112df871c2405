"""The archive: Python 3.8 grammar, an empty site, the same bytes every time (formal-case.md 6.2)."""

from __future__ import annotations

import ast
import hashlib
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from row_stub import make_row

from autoresearch.runner.build import archive_bytes, build_runner, member_paths
from autoresearch.runner.row_file import Row, parse_row

OPTIONAL = {"torch", "torch_npu", "pynvml", "psutil"}
"""Imported inside a function that can do without, or that says what is missing."""
OLD_PYTHONS = sorted(Path("~/.pyenv/versions").expanduser().glob("3.8.*/bin/python3.8"))


def test_every_module_of_the_archive_has_the_grammar_of_python_3_8(archive: Path) -> None:
    with zipfile.ZipFile(archive) as opened:
        sources = {name: opened.read(name) for name in opened.namelist() if name.endswith(".py")}
    assert "autoresearch/runner/supervise.py" in sources
    for name, source in sources.items():
        if name != "pynvml.py":
            ast.parse(source, filename=name, feature_version=(3, 8))


def test_the_grammar_check_would_find_a_newer_statement() -> None:
    with pytest.raises(SyntaxError):
        ast.parse("match 1:\n    case _: pass\n", feature_version=(3, 8))


def test_modules_of_the_archive_import_only_the_standard_library_and_each_other() -> None:
    inside = {name.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for name in member_paths()}
    for name, path in member_paths().items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                found = [str(node.module)]
            elif isinstance(node, ast.Import):
                found = [alias.name for alias in node.names]
            else:
                continue
            for module in found:
                known = module in inside or module.split(".")[0] in sys.stdlib_module_names
                assert known or module.split(".")[0] in OPTIONAL, f"{name} imports {module}"


def test_building_twice_gives_the_same_bytes_whatever_the_clock_and_the_order(tmp_path: Path) -> None:
    path, digest = build_runner(tmp_path)
    assert path.read_bytes() == archive_bytes()
    assert digest == hashlib.sha256(path.read_bytes()).hexdigest()
    with zipfile.ZipFile(path) as opened:
        members = opened.infolist()
    assert [each.filename for each in members] == sorted(each.filename for each in members)
    assert {each.date_time for each in members} == {(1980, 1, 1, 0, 0, 0)}


@pytest.mark.parametrize("python", [Path(sys.executable), *OLD_PYTHONS], ids=lambda path: path.name)
def test_the_archive_runs_a_row_with_an_empty_site(python: Path, archive: Path, tmp_path: Path) -> None:
    folder = make_row(tmp_path, ["sh", "-c", "echo step done"])
    done = subprocess.run(
        [python, "-I", "-S", archive, "supervise", folder],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": "/nonexistent"},
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert done.returncode == 0, done.stderr
    assert (folder / "trainer.log").read_bytes() == b"step done\n"


def test_the_runner_reads_every_key_that_the_orchestrator_writes(tmp_path: Path) -> None:
    from row_stub import make_lock, make_spec

    spec = make_spec(make_lock(tmp_path), ["true"], devices=[{"id": 3, "chip": 1, "uuid": None}]).model_dump(
        mode="json"
    )
    row = parse_row(spec)
    assert row.limits._asdict() == spec["limits"]
    assert row.telemetry._asdict() == spec["telemetry"]
    not_read = {"schema_version", "attempt_of", "cause", "stage", "task", "target_training_steps", "extra"}
    assert set(Row._fields) == set(spec) - not_read
