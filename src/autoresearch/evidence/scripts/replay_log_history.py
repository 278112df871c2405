#!/usr/bin/env python3
"""The W&B runs of this bundle: list them, count what a run folder holds, and replay a run that is not whole.

A server refuses steps that it already has; therefore a replay is a new run ``<id>-replay`` with the tag ``log-replay``
and the original's id in its config. Values come from verl's ``metrics.jsonl``, or from the console log where that is
absent. Needs the wandb SDK; writes offline runs only, ``rebuild-wandb.sh`` uploads them. Never writes into the bundle.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

sys.dont_write_bytecode = True

import verl_steps  # noqa: E402 - lies beside this file in a bundle
import wandb_records  # noqa: E402

HERE = Path(__file__).resolve().parent
BUNDLE = HERE.parent
FLUSH_SECONDS = 30.0


def source_runs() -> list[dict[str, Any]]:
    """The entries of ``source-runs.json``."""
    content = json.loads((HERE / "source-runs.json").read_text(encoding="utf-8"))
    runs: list[dict[str, Any]] = content["source_runs"]
    return runs


def list_runs() -> int:
    """One line a run: path, id, whole, row folder, log folder; fields are separated by tabs."""
    manifest = json.loads((BUNDLE / "manifest.json").read_text(encoding="utf-8"))
    places = manifest["artifact_layout"]["artifacts"]
    for run in source_runs():
        row = run["row"]
        whole = "whole" if run["whole"] else "cut"
        folders = (f"{places['row_files']}/{row}", f"{places['row_logs']}/{row}")
        print(run["path"], run["wandb_id"], whole, *folders, sep="\t")
    return 0


def read_file(folder: Path) -> Any:
    """The record file of a run folder, read; None when there is none."""
    files = sorted(Path(folder).glob("*.wandb"))
    return wandb_records.read_offline_run(files[0]) if files else None


def count(folder: Path) -> int:
    """Print how many distinct steps the history of a run folder has; exit code 1 when it was cut."""
    found = read_file(folder)
    if found is None:
        print("no record file")
        return 1
    print(f"{len(found.steps)} steps,", "finished" if found.exited else "not finished", found.damage or "")
    return 0 if found.exited and not found.damage else 1


def answers(url: str) -> int:
    """0 when anything speaks HTTP at ``url``, else 1 with the reason."""
    try:
        urllib.request.urlopen(url, timeout=10).close()
    except urllib.error.HTTPError:
        return 0
    except (OSError, ValueError) as error:
        print(f"{url}: {error}")
        return 1
    return 0


def records_of(metrics: Path | None, log: Path | None) -> tuple[dict[int, dict[str, Any]], str | None]:
    """Step -> values, of the metrics file or, where it has none, of the log; and which of the two it was."""
    sources = (("metrics.jsonl", metrics, verl_steps.parse_metrics), ("trainer.log", log, verl_steps.parse_log))
    for name, path, parse in sources:
        if path is not None and path.is_file():
            records = parse(path.read_bytes()).records
            if records:
                return verl_steps.merge_steps(records), name
    return {}, None


def replay(run_id: str, metrics: Path | None, log: Path | None, project: str, out: Path) -> int:
    """Write the offline run ``<id>-replay`` below ``out`` and compare its steps with the records; the exit code."""
    import wandb

    steps, source = records_of(metrics, log)
    if not steps:
        print(f"replay: {run_id}: no records to replay", file=sys.stderr)
        return 1
    original = next((each for each in source_runs() if each["wandb_id"] == run_id), {})
    config = {"replay_of": run_id, "replay_source": source, "replay_steps": len(steps)}
    out.mkdir(parents=True, exist_ok=True)
    run = wandb.init(
        mode="offline",
        dir=str(out),
        project=project,
        id=f"{run_id}-replay",
        name=f"{original.get('display_name') or run_id}-replay",
        tags=["log-replay"],
        config=config,
    )
    folder = Path(run.settings.sync_dir)
    for step in sorted(steps):
        run.log({key: value for key, value in steps[step].items() if value is not None}, step=step)
    run.finish()
    wandb.teardown()  # the record file is whole when the SDK's service has ended
    found = read_file(folder)
    deadline = time.monotonic() + FLUSH_SECONDS
    while (found is None or not found.exited) and time.monotonic() < deadline:
        time.sleep(0.2)
        found = read_file(folder)
    written = [] if found is None else list(found.steps)
    if written != sorted(steps):
        print(f"replay: {run_id}: {len(written)} of {len(steps)} steps were written", file=sys.stderr)
        return 1
    print(folder)
    return 0


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list")
    commands.add_parser("count").add_argument("folder", type=Path)
    commands.add_parser("answers").add_argument("url")
    one = commands.add_parser("replay")
    one.add_argument("--id", required=True)
    one.add_argument("--metrics", type=Path)
    one.add_argument("--log", type=Path)
    one.add_argument("--project", default=os.environ.get("WANDB_PROJECT", "verl"))
    one.add_argument("--out", type=Path, required=True)
    chosen = parser.parse_args()
    if chosen.command == "list":
        return list_runs()
    if chosen.command == "count":
        return count(chosen.folder)
    if chosen.command == "answers":
        return answers(chosen.url)
    return replay(chosen.id, chosen.metrics, chosen.log, chosen.project, chosen.out)


if __name__ == "__main__":
    sys.exit(main())
