"""The command line: finds the command, prints its one JSON object, and turns errors into one message and an exit code.

Exit codes: 0 done; 1 it ran and the answer is no; 2 refused or broken; 130 interrupted. ``--debug`` shows tracebacks.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Sequence
from typing import Any

from cyclopts import App, CycloptsError, Parameter

from autoresearch import __version__
from autoresearch.cli.outcome import Outcome
from autoresearch.errors import AutoResearchError

INTERRUPTED = 130
REFUSED = 2

# Said here, so that listing the commands does not load them.
GROUPS = {
    "data": "From a field list or DDL to canonical, split and audited records.",
    "sft": "Releases for supervised fine-tuning: assemble, export, validate, budget.",
    "rl": "Releases for reinforcement learning: export, mixture, validate.",
    "train": "SFT, RLOO and GRPO with verl, and merging checkpoints.",
    "gate": "Verdicts that training asks for: host, rollout, provenance.",
    "eval": "Scores with intervals, and comparisons.",
    "run": "Formal cases of verl on a server, and the smoke run.",
    "bundle": "Check a bundle.",
    "report": "The offline page of a bundle.",
    "check": "Is everything there that a run needs.",
    "assets": "Models and datasets: list, discover, fetch, register, verify.",
    "services": "Local services for live views: status, start, stop.",
    "config": "Write, check and show configs and standards; schemas of all formats; secrets.",
}
COMMANDS = {
    "quickstart": (
        "The whole way on the shipped example, on this machine.\n\n"
        "Example: autoresearch quickstart --dir runs/quickstart --seed 42"
    ),
    "predict": (
        "Label a spreadsheet of fields.\n\n"
        "Example: autoresearch predict fields.xlsx --baseline --standards rel/rl/assets --out labelled.xlsx"
    ),
}


def build_app() -> App:
    """The command tree. Groups are loaded when they are called, so that ``--help`` stays quick."""
    app = App(
        name="autoresearch",
        version=__version__,
        help="From a field list to a trained, gated, evidenced model.",
        default_parameter=Parameter(negative_iterable=()),
        suppress_keyboard_interrupt=False,
    )
    for name, text in GROUPS.items():
        app.command(f"autoresearch.cli.{name}:app", name=name, help=text)
    for name, text in COMMANDS.items():
        app.command(f"autoresearch.cli.{name}:{name}", name=name, help=text)
    return app


def _command_words(tokens: Sequence[str]) -> str:
    words: list[str] = []
    for token in tokens[:2]:
        if token.startswith("-") or (words and words[0] in COMMANDS):
            break
        words.append(token)
    return " ".join(words)


def _print_result(payload: dict[str, Any]) -> None:
    text = json.dumps(payload, ensure_ascii=False, indent=2)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:  # a terminal without these letters, or the name of a file that is no UTF-8
        text = json.dumps(payload, indent=2)
    try:
        print(text, flush=True)
    except BrokenPipeError:
        # The reader has gone (``| head``); nothing more can be said, and the interpreter must not try at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def refuse(command: str, status: str, message: str, exit_code: int, findings: Sequence[dict[str, str]] = ()) -> int:
    """Print one message to stderr and the JSON object of a refusal to stdout; returns ``exit_code``."""
    prefix = f"{command}: " if command and not message.startswith(command.split()[-1] + ":") else ""
    print(f"{prefix}{message}", file=sys.stderr)
    _print_result(
        {
            "command": command,
            "status": status,
            "exit_code": exit_code,
            "message": message,
            "findings": list(findings),
        }
    )
    return exit_code


def run(tokens: Sequence[str], debug: bool = False) -> int:
    """Run one command line and return its exit code; the result object goes to stdout, messages to stderr."""
    command = _command_words(tokens)
    try:
        result = build_app()(
            list(tokens), exit_on_error=False, print_error=False, result_action="return_value", help_on_error=False
        )
    except AutoResearchError as error:
        if debug:
            traceback.print_exc()
        return refuse(command, "refused", error.message, error.exit_code, [item.as_dict() for item in error.findings])
    except CycloptsError as error:
        return refuse(command, "usage", str(error), REFUSED)
    except KeyboardInterrupt:
        return refuse(command, "interrupted", "interrupted; what was finished is kept", INTERRUPTED)
    except Exception as error:
        if debug:
            traceback.print_exc()
        message = f"broke: {type(error).__name__}: {error} (--debug shows where)"
        return refuse(command, "broken", message, REFUSED)
    if isinstance(result, Outcome):
        status = {0: "done", 1: "no"}.get(result.exit_code, "failed")
        _print_result({"command": command, "status": status, "exit_code": result.exit_code, **result.payload})
        return result.exit_code
    return 0


def main() -> None:
    """Entry point of the ``autoresearch`` script."""
    tokens = sys.argv[1:]
    debug = "--debug" in tokens
    sys.exit(run([token for token in tokens if token != "--debug"], debug))
