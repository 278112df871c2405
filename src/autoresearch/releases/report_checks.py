"""Whether a report says what the release holds: its repeated settings, inputs, counts and its own recorded judgement
(3.16, 7.1.6).

R004 a setting that header and report give differently; R005 an input that is not the asset kept of it; R008 counts of
the ledger and of files; R009 a report that is not one of its family; R098 a block of counts that the rows do not give.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from autoresearch.files import sha256_bytes
from autoresearch.releases.header import MIXTURES, SPLITS, ReleaseHeader
from autoresearch.releases.inputs import ASSET_NAMES
from autoresearch.releases.judgement import FORMAT, Judgement
from autoresearch.releases.report import ExportReport, ThinkReport
from autoresearch.releases.sources import LABEL_IN_METADATA, NO_LEVEL, THOUGHT_OVER_CAP
from autoresearch.releases.thoughts import ESTIMATE, Caps

if TYPE_CHECKING:
    from autoresearch.releases.dossier import Dossier

SKIPS = (LABEL_IN_METADATA, NO_LEVEL, THOUGHT_OVER_CAP)
WITH_CANDIDATES = ("three-message", "rl-pairs", "sft-mixture")
BLOCKS = {
    "three-message": ("candidate_report",),
    "rl-pairs": ("candidate_report",),
    "trajectory": ("class_report", "think", "label_source"),
    "sft-mixture": ("sampling", "grading_manifest", "sources"),
    "rl-cascade": ("sampling", "grading_manifest", "sources"),
}
"""The keys of each family (3.16)."""
SPOKEN_OF = ("sampling", "grading_manifest", "sources", "think")
"""Blocks whose absence another check names."""
MANY_OF_A_ROLE = ("thoughts",)
ROLES = frozenset((*ASSET_NAMES, "canonical", "thoughts", *(f"split_{split}" for split in SPLITS)))
_SHA256 = re.compile(r"[0-9a-f]{64}")
_COUNTER = re.compile(rf"{ESTIMATE.name}|tokenizer:[0-9a-f]{{64}}")


def check_header_keys(judgement: Judgement, header: ReleaseHeader) -> None:
    """R004: the keys that a family needs are set, those of other families are null (3.10)."""
    wanted = {
        "class_policy": header.family == "trajectory",
        "max_think_tokens": header.family == "trajectory",
        "candidate_policy": header.family in WITH_CANDIDATES,
    }
    for key, needed in wanted.items():
        if (getattr(header, key) is not None) != needed:
            judgement.add("R004", "header", f"{key} is {'absent' if needed else 'set'} in a {header.family} release")
    if header.max_think_tokens is not None and header.max_think_tokens < 1:
        judgement.add("R004", "header", f"max_think_tokens is {header.max_think_tokens}, not a positive number")


def check_report(dossier: Dossier, report: ExportReport, header: ReleaseHeader, *, staged: bool) -> None:
    """What needs no row; ``staged``: the report has no recorded judgement yet."""
    judgement = dossier.judgement
    _check_blocks(judgement, report, header.family)
    grading = {
        "enabled": header.graded,
        "levels": header.levels,
        "gt_field": header.gt_field,
        "sha256": header.grading_sha256,
    }
    if report.grading.model_dump() != grading:
        judgement.add("R004", "grading", "the report's grading is not that of the header")
    _check_inputs(dossier, report, header)
    _check_counts(judgement, report, header)
    if report.think is not None:
        _check_think(judgement, report, report.think, header)
    if not staged:
        _check_recorded(dossier, report)


def _check_blocks(judgement: Judgement, report: ExportReport, family: str) -> None:
    own = BLOCKS[family]
    for key in sorted({key for keys in BLOCKS.values() for key in keys}):
        there = getattr(report, key) is not None
        if there and key not in own:
            judgement.add("R009", "export_report.json", f"{key} does not belong to the family {family}")
        elif not there and key in own and key not in SPOKEN_OF:
            judgement.add("R009", "export_report.json", f"{key} is absent")


def _check_inputs(dossier: Dossier, report: ExportReport, header: ReleaseHeader) -> None:
    judgement = dossier.judgement
    roles = [item.role for item in report.inputs]
    own = ("grading_manifest",) if header.family in MIXTURES else ("registry", "corpus")
    needed = ("canonical", *own, *(("grading",) if header.graded else ()))
    wrong = [role for role in roles if role not in ROLES or (role not in MANY_OF_A_ROLE and roles.count(role) > 1)]
    wrong.extend(role for role in needed if role not in roles)
    if wrong:
        judgement.add("R009", "inputs", f"the role {wrong[0]} is absent, unknown or named twice")
    for item in report.inputs:
        if not item.name or "/" in item.name or not _SHA256.fullmatch(item.sha256) or item.bytes < 1:
            judgement.add("R009", "inputs", f"{item.role} is not a file name with its sha256 and size")
            continue
        path = dossier.folder / "assets" / ASSET_NAMES.get(item.role, "")
        if item.role not in ASSET_NAMES or not path.is_file():
            continue
        data = path.read_bytes()
        kept = sha256_bytes(data) == item.sha256
        if item.role != "grading_manifest" and not (kept and item.bytes == len(data)):
            judgement.add("R005", "inputs", f"{item.role} is not the file kept as assets/{path.name}")
        elif item.role == "grading_manifest" and kept and item.bytes != len(data):
            judgement.add("R090", "inputs", f"{item.role} has another size than the file of its hash")


def _check_counts(judgement: Judgement, report: ExportReport, header: ReleaseHeader) -> None:
    for name, given in (("ledger", set(report.ledger)), ("splits", set(report.splits))):
        for split in sorted(given - set(SPLITS)):
            judgement.add("R008", name, f"{split} is no split")
    if report.records.not_resolved < 0:
        judgement.add("R008", "records", "a count below zero")
    skipped: dict[str, int] = {}
    for split, ledger in report.ledger.items():
        for reason, count in ledger.skipped.items():
            skipped[reason] = skipped.get(reason, 0) + count
            if reason not in SKIPS or count < 1:
                judgement.add("R008", split, f"{count} skipped as {reason}: no reason, or nothing to count")
    for split, item in report.splits.items():
        if item.file != f"{split}.parquet":
            judgement.add("R008", split, f"its file is said to be {item.file}")
    if header.family in MIXTURES:
        return  # the ids of what was skipped are in the source
    named = report.skipped_sources or {}
    for reason in sorted({*named, *(reason for reason in skipped if reason == LABEL_IN_METADATA)}):
        ids = named.get(reason, [])
        if reason not in SKIPS or len(ids) != skipped.get(reason) or len(set(ids)) != len(ids) or not all(ids):
            judgement.add("R008", "skipped_sources", f"{len(ids)} ids of {reason}, the ledger counts otherwise")


def _check_think(judgement: Judgement, report: ExportReport, think: ThinkReport, header: ReleaseHeader) -> None:
    caps = Caps(header.max_think_tokens or 0)
    if (think.max_tokens, think.tool_max_tokens) != (caps.terminal, caps.tool):
        judgement.add("R004", "think", f"its caps are not {caps.terminal} and {caps.tool}, as the header has them")
    if not _COUNTER.fullmatch(think.counter):
        judgement.add("R009", "think", f"counter {think.counter!r} is neither {ESTIMATE.name} nor tokenizer:<sha256>")
    discarded = sum(ledger.skipped.get(THOUGHT_OVER_CAP, 0) for ledger in report.ledger.values())
    if think.discarded != discarded:
        judgement.add("R008", "think", f"{think.discarded} discarded, the ledger skips {discarded}")
    if (think.truncated_rows if think.over_limit == "discard" else discarded) > 0:
        judgement.add("R062", "think", f"thoughts over the cap are not handled by {think.over_limit}")
    rows = sum(item.rows for item in report.splits.values())
    spare = (think.reused_thoughts, think.unused_thoughts)
    if min(spare) < 0 or think.reused_thoughts > rows or (think.source != "file" and spare != (0, 0)):
        judgement.add("R098", "think", "reused and unused thoughts cannot be those of this release")


def _check_recorded(dossier: Dossier, report: ExportReport) -> None:
    """R009: the judgement that the exporter recorded is a passed one, and speaks of this release."""
    recorded, assets = report.validation, dossier.assets
    expected: dict[str, Any] = {
        "format": FORMAT,
        "family": report.family,
        "valid": True,
        "dataset": report.header.get("dataset"),
        "header": report.header,
        "registry_size": recorded.get("registry_size") if assets is None else len(assets.registry),
        "corpus_size": recorded.get("corpus_size") if assets is None else len(assets.corpus),
        "cross_split_errors": [],
    }
    wrong = [key for key, value in expected.items() if recorded.get(key) != value]
    if set(recorded) != {*expected, "splits", "checks_run", "findings"}:
        wrong.append("its keys")
    splits = recorded.get("splits")
    rows = {split: item.rows for split, item in report.splits.items()}
    if not isinstance(splits, Mapping) or {name: _passed_rows(item) for name, item in splits.items()} != rows:
        wrong.append("splits")
    if wrong:
        rule = f"the recorded judgement is not a passed one of this release: {wrong[0]}"
        dossier.judgement.add("R009", "validation", rule)


def _passed_rows(split: Any) -> Any:
    """The rows that a recorded judgement counted, None where it found an error."""
    if not isinstance(split, Mapping) or set(split) != {"rows", "errors", "findings"} or split["errors"] != []:
        return None
    return split["rows"]
