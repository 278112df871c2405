"""``autoresearch eval two-stage | episodes | compare``: scores with intervals, and comparisons (training.md 9)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from cyclopts import App, Parameter

from autoresearch.cli.outcome import Outcome
from autoresearch.errors import InputError, RefusedError
from autoresearch.evaluation.eval_report import EvalReport
from autoresearch.training.engines.options import DEFAULTS, EngineName, EngineOptions

app = App(name="eval", help="Scores with intervals, and comparisons.")

SHOWN = (
    "exact",
    "category_exact",
    "level_exact",
    "under_grading_rate",
    "answer_valid",
    "level_lookup_baseline",
    "two_stage",
    "episodes",
)


@app.command
def episodes(
    *,
    release: Path,
    out: Path,
    model: Path | None = None,
    baseline: bool = False,
    split: str = "test",
    samples: int = 1,
    temperature: float | None = None,
    greedy: bool = False,
    seed: int = 42,
    engine: EngineName = "transformers",
    engine_options: Annotated[EngineOptions, Parameter(name="*")] = DEFAULTS,
    max_prompt: int | None = None,
    max_response: int = 1024,
    limit: int | None = None,
    unbound: bool = False,
) -> Outcome:
    """Play every row of a split with a model, or let the untrained baseline answer it, and write a report.

    Example: autoresearch eval episodes --model run/rl/merged --release rel/rl --split test --out run/eval/after.json

    Parameters
    ----------
    release
        An rl-cascade, rl-pairs or trajectory release.
    out
        The report; transcripts lie in a folder beside it. Must not exist.
    model
        A merged model folder.
    baseline
        In place of --model: search and labelled neighbours, without torch.
    samples
        Episodes a row. One is greedy unless --temperature is given.
    engine
        What samples: transformers anywhere, vllm on a card.
    limit
        Only the first rows, for a quick look; the report is then marked incomplete.
    unbound
        Take a model without merge.json; the report says so.
    """
    from autoresearch.evaluation.episodes import EvalOptions, evaluate

    _one_of(model, baseline)
    options = EvalOptions(
        release=release,
        out=out,
        model=model,
        split=split,
        samples=samples,
        temperature=temperature,
        greedy=greedy,
        seed=seed,
        engine=engine,
        engine_options=engine_options,
        max_prompt=max_prompt,
        max_response=max_response,
        limit=limit,
        unbound=unbound,
    )
    return Outcome(report_summary(out, evaluate(options)))


@app.command(name="two-stage")
def two_stage(
    *,
    release: Path,
    out: Path,
    model: Path | None = None,
    baseline: bool = False,
    split: str = "test",
    samples: int = 1,
    temperature: float | None = None,
    greedy: bool = False,
    seed: int = 42,
    engine: EngineName = "transformers",
    engine_options: Annotated[EngineOptions, Parameter(name="*")] = DEFAULTS,
    max_prompt: int | None = None,
    max_response: int = 128,
    limit: int | None = None,
    unbound: bool = False,
) -> Outcome:
    """Let a model shortlist five categories of each field and choose among them, and write a report.

    Example: autoresearch eval two-stage --model run/sft/merged --release rel/three --split test --out run/eval/two.json

    Parameters
    ----------
    release
        A three-message release.
    out
        The report; transcripts lie in a folder beside it. Must not exist.
    model
        A merged model folder.
    baseline
        In place of --model: the five best of the untrained search, and the first of them, without torch.
    samples
        Answers a row. One is greedy unless --temperature is given.
    max_prompt
        Longest prompt of either stage in tokens; default what the model's positions leave beside the response.
    max_response
        Longest answer of a stage in tokens.
    limit
        Only the first rows, for a quick look; the report is then marked incomplete.
    unbound
        Take a model without merge.json; the report says so.
    """
    from autoresearch.evaluation.split_data import EvalOptions
    from autoresearch.evaluation.two_stage import evaluate_two_stage

    _one_of(model, baseline)
    options = EvalOptions(
        release=release,
        out=out,
        model=model,
        split=split,
        samples=samples,
        temperature=temperature,
        greedy=greedy,
        seed=seed,
        engine=engine,
        engine_options=engine_options,
        max_prompt=max_prompt,
        max_response=max_response,
        limit=limit,
        unbound=unbound,
    )
    return Outcome(report_summary(out, evaluate_two_stage(options)))


def _one_of(model: Path | None, baseline: bool) -> None:
    if (model is None) == (not baseline):
        raise InputError("give either --model DIR or --baseline")


def report_summary(out: Path, report: EvalReport) -> dict[str, Any]:
    """What the command prints of a report: the headline numbers and the floors beside them."""
    return {
        "report": str(out),
        "complete": report.complete,
        "rows": report.rows_in_split,
        "samples": report.samples,
        **{name: report.numbers[name] for name in SHOWN if name in report.numbers},
        "baselines": {name: numbers["exact"] for name, numbers in report.baselines.items()},
        "errors": report.errors,
    }


@app.command
def compare(before: Path, after: Path, *, out: Path | None = None) -> Outcome:
    """Compare two reports of the same rows: better, worse, or not distinguishable.

    Example: autoresearch eval compare run/eval/before.json run/eval/after.json

    Parameters
    ----------
    before, after
        Reports of `eval episodes`; the second is judged against the first.
    out
        Write the comparison there as well. Must not exist.
    """
    from autoresearch.evaluation.compare import compare_files
    from autoresearch.files import write_json

    if out is not None and out.exists():
        raise RefusedError(f"{out} exists; give another --out")
    result = compare_files(before, after).model_dump(mode="json")
    if out is not None:
        write_json(out, result)
    return Outcome(result)
