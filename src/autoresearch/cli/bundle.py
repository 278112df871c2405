"""``autoresearch bundle``: check a bundle."""

from __future__ import annotations

from pathlib import Path

from cyclopts import App

from autoresearch.cli.outcome import Outcome
from autoresearch.errors import InputError

app = App(name="bundle", help="Check a bundle.")


@app.command(name="verify")
def verify_command(path: Path) -> Outcome:
    """Check a bundle: sums, schema, chain, steps, telemetry, numbers, secrets and paths.

    Works on a copied, moved, read-only bundle, without network. Exit 0 all checks passed, 1 with findings, 2 no bundle.

    Example: autoresearch bundle verify runs/quickstart/bundle

    Parameters
    ----------
    path
        The bundle's folder.
    """
    from autoresearch.evidence.verify import verify

    if not path.is_dir():
        raise InputError(f"{path} is no folder; give the bundle's folder, the one that holds manifest.json")
    found = verify(path)
    payload = {"bundle": str(path), "ok": found.ok, "checks": [each.as_dict() for each in found.checks]}
    return Outcome(payload, 0 if found.ok else 1)
