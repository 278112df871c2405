"""The order of the quickstart's steps, what stops it, and the result object."""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import Any

from autoresearch.cli.outcome import Outcome
from autoresearch.cli.quickstart import data_steps
from autoresearch.cli.quickstart.data_steps import DataPaths
from autoresearch.cli.quickstart.journal import Journal, now
from autoresearch.cli.quickstart.settings import QuickstartSettings, example_folder
from autoresearch.errors import require

NOT_MET_HELP = (
    "No checkpoint can be given to RL: below the window nothing is learnt from the rewards, above it little is left to"
    " learn. More SFT steps (below) or a checkpoint more often (above) change that; the window is never widened."
)


def run(folder: Path, until: str | None, settings: QuickstartSettings) -> Outcome:
    """Run the steps that are not done yet; see ``quickstart``."""
    if until == "data":
        return _data_only(folder, settings)
    _quiet()
    for package in ("torch", "verl", "ray"):
        require(package, "train")
    require("bokeh", "report")
    journal = Journal(folder, settings.model_dump(mode="json"))
    started = journal.run("start", lambda: {"at": now()})["at"]
    data = DataPaths(example_folder(small=True), folder / "data", settings.dataset)
    from autoresearch.cli.quickstart.train_steps import Layout

    layout = Layout(folder)
    _data(journal, data, settings, layout.verdict("conflict"), "group")
    return _train(journal, layout, data, settings, until, started)


def _quiet() -> None:
    """Keep the terminal for progress: a tiny model writes many malformed calls, and verl's parser would log each (the
    transcripts hold them all); checkpoints are read one by one, and torch warns at each.
    """
    for name in ("bm25s", "torch.distributed.device_mesh"):
        logging.getLogger(name).setLevel(logging.ERROR)
    os.environ.setdefault("VERL_LOGGING_LEVEL", "ERROR")
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")


def _data(journal: Journal, data: DataPaths, settings: QuickstartSettings, verdict: Path, split_type: str) -> None:
    journal.run("fields", lambda: data_steps.read_fields(data))
    journal.run("split", lambda: data_steps.resolve_and_split(data, settings, split_type))
    journal.run("audit", lambda: data_steps.audit(data, verdict))
    journal.run("releases", lambda: data_steps.publish_releases(data, settings))


def _data_only(folder: Path, settings: QuickstartSettings) -> Outcome:
    target = folder / "full-example"
    journal = Journal(target, {**settings.model_dump(mode="json"), "until": "data"})
    data = DataPaths(example_folder(small=False), target / "data", settings.dataset)
    _data(journal, data, settings, target / "verdicts" / "conflict.json", "random")
    payload = {
        "until": "data",
        "folder": str(target),
        "releases": {name: str(data.release(name)) for name in ("trajectory", "pairs", "cascade")},
        "steps": {name: step["facts"] for name, step in journal.steps.items()},
        "seconds": journal.seconds(),
    }
    return Outcome(payload)


def _train(
    journal: Journal, layout: Any, data: DataPaths, settings: QuickstartSettings, until: str | None, started: str
) -> Outcome:
    from autoresearch.cli.quickstart import finish, score_steps, train_steps

    journal.run("model", lambda: train_steps.build_model(layout, data, settings))
    journal.run("budgets", lambda: train_steps.budgets(layout, data, settings))
    journal.run("host", lambda: train_steps.host_verdicts(layout))
    journal.run("baseline", lambda: score_steps.baseline(layout, data))

    def ended(status: str, exit_code: int, reason: str) -> Outcome:
        return finish.close(journal, layout, data, settings, started, status, exit_code, reason)

    sft = journal.run("sft", lambda: train_steps.supervised(layout, data, settings))
    if sft["status"] != "trained":
        return ended("sft_not_trained", 1, f"SFT: {sft['reason']}")
    if until == "sft":
        return ended("stopped after sft", 0, "asked for: --until sft")

    found = journal.run("probes", lambda: train_steps.choose_checkpoint(layout, data, settings))
    if found["chosen_step"] is None:
        near = found["nearest"]
        rates = ", ".join(
            f"nearest {side}: step {probe['step']} with {100 * probe['rate']:.1f} %" if probe else f"none {side}"
            for side, probe in near.items()
        )
        return ended("gate_not_met", 1, f"no probe qualified ({found['rule']}); {rates}. {NOT_MET_HELP}")
    journal.run("merge sft", lambda: train_steps.merged_sft(layout, found["chosen_step"]))
    judged = journal.run("gate", lambda: train_steps.gate(layout, data, settings, len(found["probes"])))
    if not judged["passed"]:
        rate = judged["nonzero_reward_rate"]
        counted = f"{rate['numerator']} of {rate['denominator']} episodes"
        return ended("gate_not_met", 1, f"the rollout gate says {judged['status']}: {counted}. {NOT_MET_HELP}")
    journal.run("provenance", lambda: train_steps.reference(layout, data))
    if until == "gate":
        return ended("stopped after gate", 0, "asked for: --until gate")

    journal.run("evaluation before", lambda: score_steps.evaluate(layout, data, settings, "before"))
    rl = journal.run("rl", lambda: train_steps.reinforced(layout, data, settings))
    if rl["status"] != "trained":
        return ended("rl_not_trained", 1, f"RLOO: {rl['reason']}")
    if until == "rl":
        return ended("stopped after rl", 0, "asked for: --until rl")

    journal.run("merge rl", lambda: train_steps.merged_rl(layout))
    journal.run("evaluation after", lambda: score_steps.evaluate(layout, data, settings, "after"))
    compared = journal.run("compare", lambda: score_steps.compare_both(layout))
    journal.run("predict", lambda: score_steps.predict_unlabelled(layout, data, settings))
    return ended("done", 0, f"held-out exact reward after RLOO: {compared['sampled']['word']}")
