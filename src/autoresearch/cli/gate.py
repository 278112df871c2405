"""``autoresearch gate host | rollout | provenance | show``: one verdict file a question (training.md 8)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import App, Parameter

from autoresearch.cli.outcome import Outcome
from autoresearch.training.engines.options import DEFAULTS, EngineName, EngineOptions
from autoresearch.verdict import Verdict

app = App(name="gate", help="Verdicts that training asks for: host, rollout, provenance.")


def _answer(verdict: Verdict, out: Path, **more: Any) -> Outcome:
    payload = {
        "verdict": str(out),
        "gate": verdict.gate,
        "passed": verdict.passed,
        "result": verdict.status,
        "rule": verdict.rule,
        **more,
    }
    return Outcome(payload, 0 if verdict.passed else 1)


@app.command
def host(
    *,
    use: Annotated[Literal["sft", "rl", "predict"], Parameter(name="--for")],
    out: Path,
    model: Path | None = None,
    device: Literal["cpu", "cuda", "npu"] | None = None,
    engine: Literal["transformers", "vllm"] | None = None,
    gpus: int = 1,
) -> Outcome:
    """Can this machine do it? Versions, seams, device, memory, disk, limits.

    Example: autoresearch gate host --for sft --out run/verdicts/host-sft.json

    Parameters
    ----------
    use
        What it is for.
    out
        Verdict file to write; must not exist.
    model
        Model folder, for the checks that depend on its class.
    device
        cpu, cuda or npu; found by itself.
    engine
        Rollout engine; transformers on the processor, else vllm.
    gpus
        Devices that are needed.
    """
    from autoresearch.gates.host import HostOptions, gate_host
    from autoresearch.training.environment import find_device

    where = device or find_device()
    options = HostOptions(
        use=use,
        out=out,
        device=where,
        engine=engine or ("transformers" if where == "cpu" else "vllm"),
        gpus=gpus,
        model=model,
    )
    verdict = gate_host(options)
    return _answer(verdict, out, checks=verdict.numbers["table"])


@app.command
def rollout(
    *,
    model: Path,
    release: Path,
    sft_release: Path,
    out: Path,
    split: str = "train",
    prompts: int = 64,
    samples: int = 8,
    seed: int = 42,
    decision: Literal["point", "interval"] = "point",
    engine: EngineName = "transformers",
    engine_options: Annotated[EngineOptions, Parameter(name="*")] = DEFAULTS,
    max_prompt: int | None = None,
    max_response: int = 1024,
    unbound: bool = False,
) -> Outcome:
    """Does the model earn a reward in 5 to 30 % of episodes?

    Example: autoresearch gate rollout --model run/sft/merged --release rel/rl --sft-release rel/sft \
--out run/verdicts/rollout.json

    Parameters
    ----------
    model
        Merged model folder.
    release
        Cascade release.
    sft_release
        Release that the model was trained on, for the diagnosis.
    out
        Verdict file to write; transcripts lie beside it.
    split
        Split of the prompts.
    prompts
        Prompts.
    samples
        Episodes a prompt.
    seed
        Choice of prompts and sampling.
    decision
        point: the rate; interval: its whole 95 % interval.
    engine
        Rollout engine.
    max_prompt
        Longest prompt in tokens; default the longest of the chosen.
    max_response
        Longest response in tokens, tool results included.
    unbound
        Allow a model without merge.json.
    """
    from autoresearch.gates.rollout import RolloutOptions, gate_rollout

    options = RolloutOptions(
        model=model,
        release=release,
        sft_release=sft_release,
        out=out,
        split=split,
        prompts=prompts,
        samples=samples,
        seed=seed,
        decision=decision,
        engine=engine,
        engine_options=engine_options,
        max_prompt=max_prompt,
        max_response=max_response,
        unbound=unbound,
    )
    verdict = gate_rollout(options)
    shown = {key: value for key, value in verdict.numbers.items() if key != "per_prompt"}
    return _answer(verdict, out, numbers=shown)


@app.command
def provenance(
    *, run: Path, model: Path, audit: Path, out: Path, verdicts: Path | None = None, commit: str | None = None
) -> Outcome:
    """Make a reference of a merged model: every link back to the audited records is checked now.

    Example: autoresearch gate provenance --run run/sft --model run/sft/merged --audit audits/prompt.json \
--out run/verdicts/provenance.json

    Parameters
    ----------
    run
        Run folder that trained it.
    model
        Merged model folder.
    audit
        Report or bundle of data audit.
    out
        Verdict file to write; must not exist.
    verdicts
        Folder with the conflict and token_budget verdicts; default those that the run keeps.
    commit
        The commit that the sources must be at.
    """
    from autoresearch.gates.provenance import ProvenanceOptions, gate_provenance

    options = ProvenanceOptions(run=run, model=model, audit=audit, out=out, verdicts=verdicts, commit=commit)
    verdict = gate_provenance(options)
    return _answer(verdict, out, purpose=verdict.settings["purpose"], links=verdict.numbers["table"])


@app.command
def show(*files: Path) -> Outcome:
    """Print verdicts as a table and check the hashes of what is still there.

    Example: autoresearch gate show run/verdicts/rollout.json

    Parameters
    ----------
    files
        Verdict files.
    """
    from autoresearch.errors import InputError
    from autoresearch.gates.recheck import recheck
    from autoresearch.verdict import read_verdict

    if not files:
        raise InputError("give at least one verdict file")
    shown = []
    changed = False
    for path in files:
        verdict = read_verdict(path)
        again = recheck(path, verdict)
        changed = changed or any(item.state == "changed" for item in again)
        shown.append(
            {
                "file": str(path),
                "gate": verdict.gate,
                "passed": verdict.passed,
                "status": verdict.status,
                "rule": verdict.rule,
                "judged": [item.__dict__ for item in again],
            }
        )
    _table(shown)
    return Outcome({"verdicts": shown, "changed": changed}, 1 if changed else 0)


def _table(verdicts: list[dict[str, Any]]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("gate", "passed", "status", "judged again")
    for item in verdicts:
        states = [f"{entry['role']} {entry['state']} {entry['detail']}".strip() for entry in item["judged"]]
        table.add_row(item["gate"], "yes" if item["passed"] else "no", item["status"], "\n".join(states))
    Console(stderr=True).print(table)
