"""``data explain``: what one record became at each step, and why (data-line.md 4.13). It only reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from autoresearch.errors import InputError
from autoresearch.files import read_json, read_records, sha256_file
from autoresearch.releases.episode_rows import mixture_id
from autoresearch.releases.header import MIXTURES, SPLITS
from autoresearch.releases.release import Release
from autoresearch.releases.sources import LABEL_IN_METADATA, NO_LEVEL, left_out
from autoresearch.releases.trajectories import BUNDLE, DIRECT_MARGIN, MULTI, SINGLE, TIE_MARGIN, hash_class
from autoresearch.releases.values import rows_of

GATES = (NO_LEVEL, LABEL_IN_METADATA)
"""Skips that follow from the record alone; an exporter's ledger may have others, such as a thought over its cap."""
RECORDS_NAME = "all.json"
SPLIT_REPORT = "split_report.json"
SHOWN = ("stage", "trajectory_class", "search_rank", "search_margin", "think_source", "think_truncated", "data_source")


def explain(
    record_id: str, canonical: Path, processed: Path | None = None, releases: Sequence[Path] = ()
) -> dict[str, Any]:
    """``{id, processed, canonical, releases, story}``; a step that does not hold the record says so.

    Raises ``InputError`` when a file cannot be read, a folder is no release, or the id is nowhere.
    """
    raw = None if processed is None else _find(processed, record_id)
    record = _find(canonical, record_id)
    file = _records_file(canonical)
    found = [_in_release(Release(folder), record_id, record, file) for folder in releases]
    if raw is None and record is None and not any(item["rows"] for item in found):
        places = [str(path) for path in (processed, canonical, *releases) if path is not None]
        raise InputError(f"explain: no record {record_id} in {', '.join(places)}; give the id of a record")
    steps = {
        "processed": None if processed is None else _processed(raw),
        "canonical": _canonical(record, file),
        "releases": found,
    }
    return {"id": record_id, **steps, "story": _story(steps)}


def _records_file(path: Path) -> Path:
    return path / RECORDS_NAME if path.is_dir() else path


def _find(path: Path, record_id: str) -> dict[str, Any] | None:
    file = _records_file(path)
    try:
        records = read_records(file)
    except OSError as error:
        raise InputError(f"explain: {file}: {error.strerror}; give a record file such as {RECORDS_NAME}") from error
    except ValueError as error:
        raise InputError(f"explain: {error}") from error
    return next((item for item in records if isinstance(item, dict) and item.get("id") == record_id), None)


def _processed(record: Mapping[str, Any] | None) -> dict[str, Any]:
    if record is None:
        return {"found": False}
    kept = ("label_status", "metadata", "classification", "data_level")
    changes = ("label_notes", "rewritten_from", "cleaned_from")
    return {
        "found": True,
        **{name: record.get(name) for name in kept},
        "changed": {name: record[name] for name in changes if record.get(name)},
    }


def _canonical(record: Mapping[str, Any] | None, file: Path) -> dict[str, Any]:
    if record is None:
        return {"found": False}
    kept = ("dataset", "metadata", "data_level", "resolution", "leaf", "target", "split", "split_exclusion_reason")
    return {"found": True, **{name: record.get(name) for name in kept}, "split_settings": _split_settings(file)}


def _split_settings(file: Path) -> dict[str, Any] | None:
    """How the records of this folder were divided, where the split report lies beside them."""
    try:
        report = read_json(file.with_name(SPLIT_REPORT))
    except (OSError, ValueError):
        return None
    return {name: report.get(name) for name in ("split_type", "group_key", "seed", "ratios")}


def _in_release(release: Release, record_id: str, record: dict[str, Any] | None, file: Path) -> dict[str, Any]:
    """The rows of one release that the record became, or why there are none."""
    found = [{"split": split, **_row_facts(row)} for split in SPLITS for row in _rows(release, split, record_id)]
    facts: dict[str, Any] = {
        "name": release.path.name,
        "family": release.family,
        "class_policy": release.header.class_policy,
        "same_canonical": _same_canonical(release, file),
        "rows": found,
    }
    if not found:
        facts["skipped"] = _reason(release, record_id, record, facts["same_canonical"])
    elif release.family == "trajectory":
        facts["class_reason"] = class_reason(release.header.class_policy, record_id, found[0])
    return facts


def _rows(release: Release, split: str, record_id: str) -> list[dict[str, Any]]:
    table = release.split_rows(split)
    ids = table["source_id"] if "source_id" in table.column_names else pc.struct_field(table["extra_info"], "source_id")
    if release.family in MIXTURES:
        start = mixture_id(release.header.dataset, record_id).rpartition(":")[0]
        mask = pc.starts_with(ids, pattern=f"{start}:")
    else:
        mask = pc.equal(ids, pa.scalar(record_id))
    return rows_of(table.filter(mask))


def _row_facts(row: Mapping[str, Any]) -> dict[str, Any]:
    extra = row.get("extra_info") or {}
    flat = {**row, **extra}
    facts = {name: flat[name] for name in ("source_id", *SHOWN) if flat.get(name) is not None}
    truth = row["reward_model"]["ground_truth"] if "reward_model" in row else row["ground_truth"]
    facts["ground_truth"] = truth
    facts["ground_truth_level"] = flat.get("ground_truth_level")
    if flat.get("candidates"):
        facts["candidates"] = flat["candidates"]
    if row.get("tool_calls"):
        facts["calls"] = [call["name"] for call in row["tool_calls"]]
    return facts


def _same_canonical(release: Release, file: Path) -> bool:
    """Whether the release was made from this canonical file, byte for byte."""
    used = [item.sha256 for item in release.report.inputs if item.role == "canonical"]
    return file.is_file() and sha256_file(file) in used


def _reason(release: Release, record_id: str, record: dict[str, Any] | None, same: bool) -> str:
    for reason, ids in (release.report.skipped_sources or {}).items():
        if record_id in ids:
            return reason
    if record is None:
        return "the canonical file does not hold the record"
    gate = left_out(record, release.assets())
    if gate is not None:
        return gate
    ledger = release.report.ledger.get(str(record.get("split")))
    later = [] if ledger is None else [name for name in sorted(ledger.skipped) if name not in GATES]
    if not same:
        return "the release was made from another canonical file"
    return " or ".join(later) or "unknown"


def class_reason(policy: str | None, source_id: str, row: Mapping[str, Any]) -> str:
    """Why a trajectory has its class, by the rules of 6.2."""
    name, rank, margin = row["trajectory_class"], row.get("search_rank"), row.get("search_margin")
    if policy == "hash":
        drawn = hash_class(source_id)
        again = f"; search finds nothing, so {MULTI} became {SINGLE}" if name != drawn else ""
        return f"the hash of the source id draws {drawn}{again}"
    if rank is None or margin is None or rank > BUNDLE:
        where = "not found by search" if rank is None else f"rank {rank}, beyond {BUNDLE}"
        return f"the gold is {where}: {name}"
    if margin < TIE_MARGIN:
        why = f"margin {margin} is below {TIE_MARGIN:.2f}"
    elif rank > 1:
        why = f"the gold is not first and the margin {margin} is at least {TIE_MARGIN:.2f}"
    elif margin < DIRECT_MARGIN:
        why = (
            f"margin {margin} is between {TIE_MARGIN:.2f} and {DIRECT_MARGIN:.2f}, so the hash of the source id decides"
        )
    else:
        why = f"the gold is first and the margin {margin} is at least {DIRECT_MARGIN:.2f}"
    return f"rank {rank}, {why}: {name}"


def _story(steps: Mapping[str, Any]) -> list[str]:
    """One line a step, for a reader."""
    lines = []
    raw, record = steps["processed"], steps["canonical"]
    if raw is not None:
        changed = f"; changed: {', '.join(raw['changed'])}" if raw.get("changed") else ""
        lines.append(f"processed: {raw['label_status']}{changed}" if raw["found"] else "processed: not there")
    if not record["found"]:
        lines.append("canonical: not there")
    else:
        result, target = record["resolution"] or {}, record["target"] or {}
        leaf = f" as {target.get('category_id')} {target.get('leaf_name')}" if target else ""
        reason = f" ({result.get('reason')})" if result.get("reason") else ""
        lines.append(f"canonical: {result.get('status')}{leaf}{reason}")
        why = f" ({record['split_exclusion_reason']})" if record["split_exclusion_reason"] else ""
        settings = record["split_settings"]
        how = f", divided by {settings['split_type']}, seed {settings['seed']}" if settings and record["split"] else ""
        lines.append(f"split: {record['split'] or 'none'}{why}{how}")
    for item in steps["releases"]:
        if item["rows"]:
            reason = f"; {item['class_reason']}" if "class_reason" in item else ""
            lines.append(
                f"{item['name']} ({item['family']}): rows: {len(item['rows'])} in {item['rows'][0]['split']}{reason}"
            )
        else:
            lines.append(f"{item['name']} ({item['family']}): no row; {item['skipped']}")
    return lines
