"""The small steel release in every family, made once, and copies of it that a test may change."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from release_copies import DATASET, Copy, mini_inputs, write_manifest

from autoresearch.releases import mixture, pairs_export, three_message, trajectory_export


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder with a release of each kind: search, hash, off, three, pairs, cascade, mixture."""
    root = tmp_path_factory.mktemp("releases")
    options = trajectory_export.TrajectoryOptions
    trajectory_export.assemble(mini_inputs(), root / "search", options())
    trajectory_export.assemble(mini_inputs(), root / "hash", options(class_policy="hash"))
    trajectory_export.assemble(mini_inputs(), root / "off", options(enable_thinking=False))
    three_message.export(mini_inputs(), root / "three")
    pairs_export.export(mini_inputs(), root / "pairs")
    manifest = write_manifest(root / "standards")
    for family, source, name in (("rl-cascade", "pairs", "cascade"), ("sft", "three", "mixture")):
        mixture.build(family, mixture.MixtureInputs(DATASET, root / source, manifest), root / name)
    return root


@pytest.fixture
def copy_of(made: Path, tmp_path: Path) -> Callable[[str], Copy]:
    """Copies a made release by name into the test's own folder."""

    def copy(name: str) -> Copy:
        shutil.copytree(made / name, tmp_path / name)
        return Copy(tmp_path / name)

    return copy
