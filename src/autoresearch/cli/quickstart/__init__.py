"""``autoresearch quickstart``: the whole way on the shipped example, on this machine (training.md 11).

Purpose ``practice``. Every step is the command of the same name, called as a function; the journal of the run folder
says what is done, so that a second start goes on. Nothing is retried with another seed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from autoresearch.cli.outcome import Outcome


def quickstart(
    *,
    dir: Path = Path("runs/quickstart"),
    until: Literal["data", "sft", "gate", "rl"] | None = None,
    seed: int = 42,
) -> Outcome:
    """Go the whole way on the shipped example: spreadsheet, releases, SFT, gate, RLOO, labelled sheet, bundle.

    Example: autoresearch quickstart --dir runs/quickstart

    Parameters
    ----------
    dir
        Run folder. A second start with the same settings goes on where the first one stopped.
    until
        Stop after this part. ``data`` runs on the full example and needs no training packages.
    seed
        Seed of split, model, SFT, probes, gate, RLOO and evaluation.
    """
    from autoresearch.cli.quickstart import chain
    from autoresearch.cli.quickstart.settings import QuickstartSettings

    return chain.run(dir.resolve(), until, QuickstartSettings(seed=seed))
