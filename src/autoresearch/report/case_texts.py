"""What the page of a formal case or a smoke run says of itself, in place of the quickstart's sentences."""

from __future__ import annotations

from typing import Literal

from autoresearch.evidence.bundle import Bundle
from autoresearch.evidence.locks import ConfigLock
from autoresearch.evidence.report_data import ReportData
from autoresearch.evidence.verified_on import Capability, Kind, unverified

KINDS: dict[str, Kind] = {"ascend": "ascend", "nvidia": "nvidia"}
Mode = Literal["training", "validation", "smoke", "unknown"]


def is_case(bundle: Bundle) -> bool:
    """True for every bundle but a quickstart's."""
    return bundle.manifest.kind != "quickstart"


def mode_of(bundle: Bundle, lock: ConfigLock) -> Mode:
    """Whether parameters could change. ``unknown`` where manifest and lock contradict each other or themselves."""
    if bundle.manifest.kind == "smoke":
        return "smoke"
    said = {bundle.manifest.trainer_val_only, lock.trainer_val_only}
    said |= {bundle.manifest.mode == "validation", lock.mode == "validation"}
    if len(said) > 1:
        return "unknown"
    return "validation" if said.pop() else "training"


def headline_key(mode: Mode, data: ReportData) -> str:
    """Text of the first sentence: whether parameters were updated, from the counted steps alone."""
    if mode != "training":
        return {"smoke": "headline.smoke", "validation": "headline.case_validation"}.get(mode, "headline.case_unknown")
    reached, moved = data.value("rows.reached"), data.value("rows.moved")
    if reached:
        part = "headline.case_trained_part" if moved else "headline.case_no_signal"
        return "headline.case_trained" if moved == reached else part
    return "headline.case_some" if data.value("rows.updated") else "headline.case_none"


def open_capabilities(bundle: Bundle) -> list[Capability]:
    """Parts of the tool without a real run on the accelerator of this case; empty for a quickstart's page."""
    return unverified(KINDS.get(str(bundle.manifest.accelerator), "cpu")) if is_case(bundle) else []
