"""``autoresearch run``: formal cases and the smoke run (formal-case.md 2, 20.3)."""

from __future__ import annotations

import sys
import traceback
import webbrowser
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from cyclopts import App

from autoresearch.cli.outcome import Outcome
from autoresearch.errors import AutoResearchError, MissingPackageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from autoresearch.cli.verl_case.call import CaseRun
    from autoresearch.cli.verl_case.options import CaseOptions

app = App(name="run", help="Formal cases of verl, and the smoke run.")
INTERRUPTED, REFUSED = 130, 2
PAGE_PACKAGES = ("bokeh", "jinja2")


@app.command(name="verl-case")
def verl_case(
    *,
    config: Path | None = None,
    data_config: Path | None = None,
    server: str | None = None,
    workdir: str | None = None,
    cache_root: str | None = None,
    artifact_root: str | None = None,
    run_id: str | None = None,
    timeout: int | None = None,
    pushgateway_url: str | None = None,
    prometheus_url: str | None = None,
    local_proxy_url: str | None = None,
    remote_proxy_port: int | None = None,
    allow_git_push: bool = False,
    skip_readiness: bool = False,
    reuse_container: str | None = None,
    resume: bool = False,
    collect_only: bool = False,
    seal: bool = False,
    rerun: str | None = None,
    verify_assets: bool = False,
    offline: bool = False,
    dry_run: bool = False,
    open: bool = False,
    lang: Literal["zh", "en"] | None = None,
) -> Outcome:
    """Run a matrix of verl cases on a server: readiness, assets, locks, rows one after another, bundle and report.

    Rows go on when this machine sleeps or ends; the same command with --resume goes on with them.

    Example: autoresearch run verl-case --config config/config.yaml --server npu-a --dry-run

    Parameters
    ----------
    config
        The config file; by default $AUTORESEARCH_CONFIG, then ./config/config.yaml, then the defaults: this machine.
    data_config
        The registry of assets; by default data.yaml beside the config.
    server
        Name of a server of the config; by default the first that qualifies.
    workdir
        Work folder on the server, in place of the config's.
    cache_root
        Local cache of assets, in place of the config's.
    artifact_root
        Parent of bundles, in place of the config's.
    run_id
        Name of the run and its bundle; built by default. Needed with --resume and --collect-only.
    timeout
        Inner limit of a row in seconds; the outer one follows.
    pushgateway_url
        Pushgateway as seen from here.
    prometheus_url
        Prometheus as seen from here.
    local_proxy_url
        Proxy on this machine; an empty text for none.
    remote_proxy_port
        Port that the proxy gets on the server.
    allow_git_push
        Commit tracked changes of the working trees and push them before the locks are written.
    skip_readiness
        Look at host key, work folder and versions only; the report's head says so.
    reuse_container
        Name of a running container that rows are started in.
    resume
        Go on with an open run where its server is.
    collect_only
        Start nothing; bring home and judge what is over.
    seal
        With --collect-only: seal the bundle as it is.
    rerun
        With --resume: one more attempt of this case.
    verify_assets
        Hash every file of the assets anew.
    offline
        Ask no hub and no proxy.
    dry_run
        Write both locks into a temporary folder and show every row; start nothing.
    open
        Open the report when it is there.
    lang
        Language that the report begins with.
    """
    given = dict(locals())
    from autoresearch.cli.verl_case.options import CaseOptions
    from autoresearch.cli.verl_case.run import prepare_and_run

    return _run(CaseOptions(**given), "run verl-case", prepare_and_run)


@app.command
def smoke(
    *,
    config: Path | None = None,
    server: str | None = None,
    run_id: str | None = None,
    artifact_root: str | None = None,
    seconds: int = 30,
    open: bool = False,
    lang: Literal["zh", "en"] | None = None,
) -> Outcome:
    """Compute on every device of a server for a while, with sampler, push, bundle and report; nothing is trained.

    Example: autoresearch run smoke --server npu-a

    Parameters
    ----------
    config
        The config file; by default $AUTORESEARCH_CONFIG, then ./config/config.yaml, then the defaults: this machine.
    server
        Name of a server of the config; by default the first that qualifies.
    run_id
        Name of the run and its bundle; built by default.
    artifact_root
        Parent of bundles, in place of the config's.
    seconds
        How long the devices compute.
    open
        Open the report when it is there.
    lang
        Language that the report begins with.
    """
    from autoresearch.cli.verl_case.options import CaseOptions
    from autoresearch.cli.verl_case.smoke import run_smoke

    options = CaseOptions(
        config=config, server=server, run_id=run_id, artifact_root=artifact_root, open=open, lang=lang
    )
    return _run(options, "run smoke", lambda call: run_smoke(call, seconds))


def _run(options: CaseOptions, command: str, work: Callable[[CaseRun], int]) -> Outcome:
    """Run a case and put whatever happens into the one result object."""
    from autoresearch.cli.check import runner_archive
    from autoresearch.cli.verl_case.call import CaseRun
    from autoresearch.cli.verl_case.options import load_config
    from autoresearch.cli.verl_case.result import Result

    result = Result(run_id=options.run_id)
    message = None
    try:
        options.check()
        config = load_config(options)
        if not options.dry_run and (options.seal or not options.collect_only):
            _require_page()
        with runner_archive() as archive:
            code = work(CaseRun(options, config, result, archive))
    except AutoResearchError as error:
        if "--debug" in sys.argv:
            traceback.print_exc()
        result.take(error)
        code, message = error.exit_code, error.message
    except KeyboardInterrupt:
        code, message = INTERRUPTED, "interrupted; rows on the host go on; --resume --run-id goes on with them"
    except Exception as error:
        if "--debug" in sys.argv:
            traceback.print_exc()
        code, message = REFUSED, f"broke: {type(error).__name__}: {error} (--debug shows where)"
    if message is not None:
        print(f"{command}: {message}", file=sys.stderr)
    if options.open and result.bundle_state in ("complete", "partial"):
        webbrowser.open((Path(str(result.bundle)) / "0-report" / "report.html").as_uri())
    return Outcome(result.payload(code, message), code)


def _require_page() -> None:
    """What the page at a run's end is made with is there before its first row. Raises ``MissingPackageError``."""
    for name in PAGE_PACKAGES:
        try:
            there = find_spec(name) is not None
        except ImportError:
            there = False
        if not there:
            raise MissingPackageError(name, "report")
