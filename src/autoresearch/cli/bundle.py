"""``autoresearch bundle``: check a bundle, sign it, join several, and play one back."""

from __future__ import annotations

from pathlib import Path

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


@app.command(name="restore")
def restore_command(path: Path, *, to: Path | None = None, rehearse: bool = False) -> Outcome:
    """Play a bundle back: verify it and render its page again; never writes into it. Exit 0 done, 1 something differs.

    Example: autoresearch bundle restore runs/quickstart/bundle --to restored --rehearse

    Parameters
    ----------
    path
        The bundle's folder.
    to
        Where the restored files go; it must not exist. A new temporary folder by default.
    rehearse
        Also remove all derived files in a copy, derive them again from raw files and locks, and compare every number.
    """
    import tempfile

    from autoresearch.evidence.bundle import Bundle
    from autoresearch.evidence.rehearse import rehearse as rehearse_bundle
    from autoresearch.evidence.verify import verify
    from autoresearch.report.render import render_beside

    found = verify(path)
    work = Path(tempfile.mkdtemp(prefix="autoresearch-restore-")) / "bundle" if to is None else to
    if work.exists():
        raise InputError(f"{work} exists; give a folder that does not, the restored files are written there")
    work.mkdir(parents=True)
    data = render_beside(path, work / "report.html")
    same = data.read_bytes() == Bundle(path).path("report_data").read_bytes()
    payload = {
        "bundle": str(path),
        "restored": str(work),
        "verified": found.ok,
        "numbers_equal": same,
        "rehearsal": None,
    }
    ok = found.ok and same
    if rehearse:
        rehearsal = rehearse_bundle(path, work / "rehearsal")
        payload["rehearsal"] = rehearsal.as_dict()
        ok = ok and rehearsal.ok
    return Outcome({**payload, "ok": ok}, 0 if ok else 1)
