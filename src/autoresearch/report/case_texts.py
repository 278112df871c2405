"""What the page of a formal case or a smoke run says of itself, in place of the quickstart's sentences."""

from __future__ import annotations

from autoresearch.evidence.bundle import Bundle
from autoresearch.evidence.verified_on import Capability, Kind, unverified

KINDS: dict[str, Kind] = {"ascend": "ascend", "nvidia": "nvidia"}


def is_case(bundle: Bundle) -> bool:
    """True for every bundle but a quickstart's."""
    return bundle.manifest.kind != "quickstart"


def mode_key(bundle: Bundle, only: object) -> str:
    """Text that says whether parameters could change."""
    if bundle.manifest.kind == "smoke":
        return "statement.smoke"
    return "statement.validation" if only else "statement.training"


def headline_key(bundle: Bundle, only: object) -> str:
    """Text of the first sentence: whether parameters were updated, from the rows' status alone."""
    if bundle.manifest.kind == "smoke":
        return "headline.smoke"
    if only:
        return "headline.case_validation"
    passed = any(row.status == "passed" for row in bundle.manifest.rows)
    return "headline.case_trained" if passed else "headline.case_none"


def wandb_key(bundle: Bundle) -> str:
    """Text about W&B, from ``source-runs.json``."""
    if not is_case(bundle):
        return "statement.wandb"
    runs = (bundle.json(bundle.path("wandb_runs")) or {}).get("source_runs")
    return "statement.wandb_runs" if runs else "statement.wandb_none"


def open_capabilities(bundle: Bundle) -> list[Capability]:
    """Parts of the tool without a real run on the accelerator of this case; empty for a quickstart's page."""
    return unverified(KINDS.get(str(bundle.manifest.accelerator), "cpu")) if is_case(bundle) else []
