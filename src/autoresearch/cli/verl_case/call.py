"""One call of ``run verl-case``: its flags, its config, its result, and the folders it uses."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from autoresearch.cases.lock_files import PROVENANCE
from autoresearch.cli.verl_case.host import HostFacts
from autoresearch.cli.verl_case.options import CaseOptions
from autoresearch.cli.verl_case.result import Result
from autoresearch.errors import InputError
from autoresearch.evidence.writer import partial_path, taken_error
from autoresearch.files import read_json

if TYPE_CHECKING:
    from autoresearch.cases.config import CaseConfig

LOCALE_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")


def work_folder(root: Path, run: str) -> Path:
    """Where the orchestrator keeps what a resumed run needs."""
    return root / f".{run}.work"


def locale_language() -> Literal["zh", "en"]:
    """What the user's environment says (POSIX order); English where it says nothing."""
    said = next((text for name in LOCALE_VARIABLES if (text := os.environ.get(name))), "")
    return "zh" if said.lower().startswith("zh") else "en"


@dataclass
class CaseRun:
    """One call of ``run verl-case`` in which the config is read and the result is kept."""

    options: CaseOptions
    config: CaseConfig
    result: Result
    archive: Path
    """The runner."""

    @property
    def root(self) -> Path:
        """The parent of bundles."""
        return Path(self.config.verl_case.artifacts).expanduser().absolute()

    @property
    def language(self) -> Literal["zh", "en"]:
        """Of the page: the flag's, the config's, that of the locale, English."""
        return self.options.lang or self.config.lang or locale_language()

    @property
    def asset_log(self) -> Path:
        """Every try to get an asset, a line each; taken into the bundle once it is open."""
        return self.archive.parent / "assets.log.jsonl"

    def free(self, run: str) -> None:
        """Raises ``RefusedError`` (V601) when the id is taken."""
        target = self.root / run
        for taken in (target, partial_path(target)):
            if taken.exists():
                raise taken_error(taken)

    def saved(self) -> tuple[HostFacts, datetime] | None:
        """Host and creation instant of the run that is continued. Raises ``InputError`` when there is none."""
        if not self.options.continues:
            return None
        run = str(self.options.run_id)
        if (self.root / run).exists():
            raise taken_error(self.root / run)
        path = work_folder(self.root, run) / "run.json"
        if not path.is_file():
            raise InputError(f"--run-id {run}: no open run in {self.root}; its folder would be {path.parent}")
        content = read_json(path)
        return HostFacts.from_dict(content["host"]), datetime.fromisoformat(content["created_at"])

    def locked_container(self, run: str) -> str | None:
        """Id of the container that a continued run began in, from its provenance lock; None where it has none."""
        path = work_folder(self.root, run) / "locks" / PROVENANCE
        if not path.is_file():
            return None
        found = read_json(path)["environment"].get("reused_container")
        return str(found["id"]) if found else None
