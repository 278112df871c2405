"""``autoresearch predict``: a list of fields comes back labelled (training.md 10)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from autoresearch.cli.outcome import Outcome
from autoresearch.errors import InputError
from autoresearch.training.engines.options import DEFAULTS, EngineName, EngineOptions


def predict(
    input: Annotated[Path, Parameter(help="fields: .xlsx .csv .sql, or processed or canonical records (.json)")],
    /,
    *,
    standards: Annotated[Path, Parameter(help="a release, its assets, or a folder with one registry and corpus")],
    out: Annotated[Path, Parameter(help="labelled sheet to write, .xlsx or .csv")],
    model: Annotated[Path | None, Parameter(help="a merged model")] = None,
    baseline: Annotated[bool, Parameter(help="the retrieval baseline answers, no model", negative="")] = False,
    mapping: Annotated[Path | None, Parameter(help="header -> field; usual headers need none")] = None,
    sheet: str | None = None,
    header_row: int = 1,
    encoding: str | None = None,
    labelled: Annotated[Path | None, Parameter(help="labelled fields; default those of the standards' release")] = None,
    samples: int = 5,
    engine: EngineName = "transformers",
    engine_options: Annotated[EngineOptions, Parameter(name="*")] = DEFAULTS,
    review_below: Annotated[float | None, Parameter(help="review below this agreement (baseline: margin)")] = None,
    calibration: Annotated[Path | None, Parameter(help="eval report that sets the review threshold")] = None,
    keep_exact: Annotated[float, Parameter(help="exact share that unflagged rows of that report must keep")] = 0.9,
    resume: Annotated[bool, Parameter(negative="")] = False,
    overwrite: Annotated[bool, Parameter(negative="")] = False,
    limit: int | None = None,
    columns: Literal["zh", "en"] = "zh",
    seed: int = 0,
    enable_thinking: bool | None = None,
    unbound: Annotated[bool, Parameter(help="accept a model without merge.json", negative="")] = False,
    max_prompt: int = 4096,
    max_response: int = 1024,
    format: Annotated[Literal["xlsx", "csv"] | None, Parameter(help="write this form too, beside --out")] = None,
) -> Outcome:
    """Label a list of fields: category, level, reason and review flag in columns behind your own.

    Example: autoresearch predict fields.xlsx --baseline --standards examples/steel --out labelled.xlsx
    """
    from autoresearch.evaluation import predict as room
    from autoresearch.evaluation.prediction_request import Request

    if (model is None) is not baseline:
        raise InputError("predict: give either --model DIR or --baseline")
    request = Request(
        input=input,
        standards=standards,
        out=out,
        model=model,
        mapping=mapping,
        sheet=sheet,
        header_row=header_row,
        encoding=encoding,
        labelled=labelled,
        samples=samples,
        engine=engine,
        engine_options=engine_options,
        review_below=review_below,
        calibration=calibration,
        keep_exact=keep_exact,
        resume=resume,
        overwrite=overwrite,
        limit=limit,
        columns=columns,
        seed=seed,
        enable_thinking=enable_thinking,
        unbound=unbound,
        max_prompt=max_prompt,
        max_response=max_response,
        format=format,
    )
    return Outcome(room.predict(request))
