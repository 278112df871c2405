"""``autoresearch report``: the offline page of a bundle, rendered again or checked."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Literal

from cyclopts import App

from autoresearch.cli.outcome import Outcome
from autoresearch.errors import InputError

app = App(name="report", help="The offline page of a bundle.")


@app.command(name="render")
def render_command(
    *,
    bundle: Path | None = None,
    run_id: str | None = None,
    config: Path | None = None,
    out: Path = Path("report.html"),
    lang: Literal["zh", "en"] = "zh",
    open: bool = False,
) -> Outcome:
    """Render the page of a bundle again, beside it; report-data.json is written next to the page.

    Example: autoresearch report render --bundle runs/quickstart/bundle --out page/report.html --lang en

    Parameters
    ----------
    bundle
        The bundle's folder. It is read, never written into.
    run_id
        In place of a folder: a run whose bundle lies in the artifact_root of the config.
    config
        The config that names artifact_root; as of `run verl-case` when it is not given.
    out
        Where the page goes.
    lang
        The language that the page starts in; it holds both.
    open
        Show the page in the browser.
    """
    from autoresearch.report.render import render_beside

    if (bundle is None) == (run_id is None):
        raise InputError("give either --bundle DIR or --run-id ID")
    root = bundle if bundle is not None else _find_run(str(run_id), config)
    data = render_beside(root, out, lang)
    if open:
        webbrowser.open(out.resolve().as_uri())
    return Outcome({"bundle": str(root), "report": str(out), "report_data": str(data)})


def _find_run(run_id: str, config: Path | None) -> Path:
    """The bundle of a run in ``artifact_root``, sealed or still open. Raises ``InputError`` when there is none."""
    from autoresearch.cases.config import load_case

    place = Path(load_case(config).verl_case.artifacts).expanduser()
    for found in (place / run_id, place / f".{run_id}.partial"):
        if (found / "manifest.json").is_file():
            return found
    raise InputError(f"--run-id {run_id}: no bundle in {place}; give its folder with --bundle")


@app.command(name="check")
def check_command(path: Path, *, bundle: Path | None = None) -> Outcome:
    """Check a page: chapters, statements, numbers, rows, links, size. Exit 0 complete, 1 not.

    Example: autoresearch report check runs/quickstart/bundle

    Parameters
    ----------
    path
        A bundle's folder, or a page rendered from the bundle given with --bundle.
    bundle
        The bundle that a page elsewhere was rendered from; a page inside a bundle needs none.
    """
    from autoresearch.report.check import check_page

    if path.is_dir():
        found = check_page(path)
    elif not path.is_file():
        raise InputError(f"{path} does not exist; give a bundle's folder or a page")
    elif bundle is not None:
        found = check_page(bundle, path)
    else:
        root = path.resolve().parent.parent
        if not (root / "manifest.json").is_file():
            raise InputError(f"{path} lies in no bundle; say with --bundle which one it was rendered from")
        found = check_page(root)
    return Outcome(found, 0 if found["ok"] else 1)
