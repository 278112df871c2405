"""``autoresearch bundle``: check a bundle, sign it, join several, and play one back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cyclopts import App

from autoresearch.cli.outcome import Outcome
from autoresearch.errors import InputError

app = App(name="bundle", help="Check a bundle, sign it, join several, and play one back.")


@app.command(name="verify")
def verify_command(path: Path, *, allowed_signers: Path | None = None, signer: str | None = None) -> Outcome:
    """Check a bundle: sums, schema, chain, steps, telemetry, numbers, secrets and paths.

    Works on a copied, moved, read-only bundle, without network. Exit 0 all checks passed, 1 with findings, 2 no bundle.

    Example: autoresearch bundle verify runs/quickstart/bundle --allowed-signers signers --signer lab@example.com

    Parameters
    ----------
    path
        The bundle's folder.
    allowed_signers
        Your own file of allowed signers, in the format of ssh-keygen(1); with it the bundle must be signed.
    signer
        Who must have signed, as that file names them.
    """
    from autoresearch.evidence.verify import verify

    if (allowed_signers is None) != (signer is None):
        raise InputError("--allowed-signers and --signer belong together: who may sign, and who must have signed")

    if not path.is_dir():
        raise InputError(f"{path} is no folder; give the bundle's folder, the one that holds manifest.json")
    found = verify(path, None if allowed_signers is None or signer is None else (allowed_signers, signer))
    payload = {"bundle": str(path), "ok": found.ok, "checks": [each.as_dict() for each in found.checks]}
    return Outcome(payload, 0 if found.ok else 1)


@app.command(name="sign")
def sign_command(path: Path, *, key: Path) -> Outcome:
    """Sign a sealed bundle with an SSH key: writes SHA256SUMS.sig beside SHA256SUMS, and nothing else.

    Example: autoresearch bundle sign runs/quickstart/bundle --key ~/.ssh/id_ed25519

    Parameters
    ----------
    path
        The bundle's folder.
    key
        A private SSH key, or a public one whose private part an agent holds.
    """
    from autoresearch.evidence.signature import NAMESPACE, sign

    signature = sign(path, key.expanduser())
    return Outcome({"bundle": str(path), "signature": str(signature), "namespace": NAMESPACE})


@app.command(name="merge")
def merge_command(bundles: list[Path], *, out: Path) -> Outcome:
    """Join bundles of one config lock, run several times, into a new one; each row names the run it came from.

    Example: autoresearch bundle merge runs/case-a runs/case-b --out runs/case-merged

    Parameters
    ----------
    bundles
        Folders of sealed bundles whose config locks ask the same.
    out
        The new bundle; it must not exist. Its name is the merged run's id.
    """
    from autoresearch.evidence.merge import merge
    from autoresearch.report.check import check_page
    from autoresearch.report.render import render_page

    sealed = merge(bundles, out, render=render_page, check=check_page)
    payload = {"merged": [str(path) for path in bundles], "bundle": str(sealed.path), "bundle_state": sealed.state}
    return Outcome({**payload, "ok": sealed.ok}, 0 if sealed.ok else 1)


@app.command(name="restore")
def restore_command(
    path: Path, *, to: Path | None = None, only: list[str] | None = None, rehearse: bool = False
) -> Outcome:
    """Play a bundle back: verify it, rebuild W&B runs and Prometheus, render its page again; never writes into it. Exit
    0 done, 1 something differs or failed.

    Example: autoresearch bundle restore runs/quickstart/bundle --to restored --rehearse

    Parameters
    ----------
    path
        The bundle's folder.
    to
        Where the restored files go; it must not exist. A new temporary folder by default.
    only
        Stages to run: verify, wandb, prometheus, report, environment. All that the bundle has by default, but for
        environment, which needs the network and is run when it is named.
    rehearse
        Also remove all derived files in a copy, derive them again from raw files and locks, and compare every number.
    """
    import tempfile

    from autoresearch.evidence.bundle import Bundle
    from autoresearch.evidence.rehearse import rehearse as rehearse_bundle
    from autoresearch.evidence.stages import STAGES, chosen_stages, run_script
    from autoresearch.evidence.verify import verify
    from autoresearch.report.render import render_beside

    bundle = Bundle(path)
    stages = chosen_stages(bundle, only or [])
    if not only:
        stages = [stage for stage in stages if stage != "environment"]
    work = Path(tempfile.mkdtemp(prefix="autoresearch-restore-")) / "bundle" if to is None else to
    if work.exists():
        raise InputError(f"{work} exists; give a folder that does not, the restored files are written there")
    work.mkdir(parents=True)
    payload: dict[str, Any] = {"bundle": str(path), "restored": str(work), "verified": None, "numbers_equal": None}
    if "verify" in stages:
        payload["verified"] = verify(path).ok
    if "report" in stages:
        data = render_beside(path, work / "report.html")
        payload["numbers_equal"] = data.read_bytes() == bundle.path("report_data").read_bytes()
    payload["stages"] = [run_script(bundle, stage, work) for stage in stages if stage in STAGES]
    payload["rehearsal"] = None
    ok = all(payload[key] is not False for key in ("verified", "numbers_equal"))
    ok = ok and all(stage["ok"] for stage in payload["stages"])
    if rehearse:
        rehearsal = rehearse_bundle(path, work / "rehearsal")
        payload["rehearsal"] = rehearsal.as_dict()
        ok = ok and rehearsal.ok
    return Outcome({**payload, "ok": ok}, 0 if ok else 1)
