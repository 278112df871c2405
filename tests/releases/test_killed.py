"""A publisher that is killed leaves no release and nothing that is taken for one (data-line 4.0; 12.24)."""

from __future__ import annotations

import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from release_copies import DATASET, MINI, mini_inputs, write_manifest

from autoresearch.errors import InputError
from autoresearch.files import is_staging, tree_sha256
from autoresearch.releases import mixture, pairs_export
from autoresearch.releases.release import Release
from autoresearch.releases.validate import validate

PROGRAM = Path(__file__).with_name("killed_at.py")
STEPS = 6


def export(folder: Path, at: int) -> subprocess.CompletedProcess[str]:
    """``rl export`` to ``folder/release``, killed at the ``at``-th file that it touches there."""
    names = {"canonical": "canonical", "registry": "registry", "corpus": "corpus", "grading-config": "grading"}
    words = [word for flag, name in names.items() for word in (f"--{flag}", str(MINI / f"{name}.json"))]
    words += ["--task-config", str(MINI / "task.json"), "--dataset", DATASET, "--metadata-fields"]
    words += ["field_name", "table_name", "field_description", "table_description"]
    command = [sys.executable, str(PROGRAM), str(folder), str(at), "rl", "export", *words]
    return subprocess.run(
        [*command, "--output-dir", str(folder / "release")], capture_output=True, text=True, check=False
    )


def test_a_publisher_killed_at_any_step_leaves_no_release_and_the_next_one_succeeds(tmp_path: Path) -> None:
    (tmp_path / "whole").mkdir()
    done = export(tmp_path / "whole", 0)
    assert done.returncode == 0, done.stderr
    touched = int(done.stderr.rsplit("touched ", 1)[1])
    whole = tree_sha256(tmp_path / "whole" / "release")
    steps = sorted({1 + (touched - 1) * number // (STEPS - 1) for number in range(STEPS)})
    folders = [tmp_path / f"killed-{at}" for at in steps]
    for folder in folders:
        folder.mkdir()
    with ThreadPoolExecutor(2) as pool:
        ended = list(pool.map(export, folders, steps))
    assert {item.returncode for item in ended} == {-signal.SIGKILL}
    left = [path for folder in folders for path in folder.iterdir()]
    assert left and all(is_staging(path) for path in left)
    assert any((path / "export_report.json").exists() for path in left), "killed between the report and the rename too"
    manifest = write_manifest(tmp_path / "standards")
    for path in left:
        for read in (
            lambda path=path: Release(path),
            lambda path=path: validate(path),
            lambda path=path: mixture.build(
                "rl-cascade", mixture.MixtureInputs(DATASET, path, manifest), tmp_path / "mixed"
            ),
        ):
            with pytest.raises(InputError, match="never published"):
                read()
    assert not (tmp_path / "mixed").exists()
    for folder in folders:
        pairs_export.export(mini_inputs(), folder / "release")
        assert tree_sha256(folder / "release") == whole
