"""The sentences that the page of a formal case must say, where they apply (formal-case.md 15.4). ``report check`` looks
for each by its id."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from autoresearch.evidence.bundle import Bundle
from autoresearch.evidence.derived import read_lock
from autoresearch.evidence.locks import ConfigLock
from autoresearch.evidence.report_data import ReportData
from autoresearch.report import case_texts
from autoresearch.report.markup import Words

if TYPE_CHECKING:
    from markupsafe import Markup

FEW_SAMPLES = 100
CLOCK_MILLISECONDS = 1000


@dataclass(frozen=True)
class Said:
    """One sentence; ``row`` is the attempt that it is about, empty for the whole run."""

    id: str
    text: Markup
    row: str = ""


def value_of(data: ReportData, name: str) -> Any:
    """Value of a fact; None when unknown or absent."""
    found = data.facts.get(name)
    return None if found is None else found.value


def case_statements(words: Words, bundle: Bundle, rows: list[str]) -> list[Said]:
    """All sentences that apply to this bundle."""
    lock = read_lock(bundle)
    mode = case_texts.mode_of(bundle, lock)
    made = [Said("mode", words.text(f"statement.{'case_unknown' if mode == 'unknown' else mode}"))]
    made += _outcome(words, mode)
    for row in rows:
        made += _row(words, row, mode)
    made += _measures(words, mode)
    made += _accuracy(words, rows)
    made += _sources(words, bundle, rows)
    made += _marks(words, bundle, lock, rows)
    return made


def _outcome(words: Words, mode: case_texts.Mode) -> list[Said]:
    if mode == "training" and not words.data.value("rows.reached"):
        return [Said("none-reached", words.text("headline.case_none_short"))]
    if mode == "validation":
        return [Said("no-gain", words.text("statement.case_no_gain"))]
    return []


def _row(words: Words, row: str, mode: case_texts.Mode) -> list[Said]:
    """Steps of a row, its groups, and whether there was anything to learn from."""
    data, head = words.data, f"row.{row}"
    status = value_of(data, f"{head}.status")
    if status == "skipped":
        reason = value_of(data, f"{head}.skip_reason")
        return [Said(f"steps-{row}", words.text("statement.row_skipped", row=row, reason=reason), row)]
    if mode != "training":
        text = words.text("statement.case_row", row=row, status=words.word(status), samples=f"acc.{row}.samples")
        return [Said(f"steps-{row}", text, row)]
    holes: dict[str, object] = {
        "done": f"{head}.completed_steps",
        "target": f"{head}.target_steps",
        "updates": f"{head}.optimizer_updates",
        "zero": f"{head}.zero_gradient_steps",
        "changed": words.word(value_of(data, f"{head}.weights_changed")),
    }
    made = [Said(f"steps-{row}", words.text("statement.row", row=row, **holes), row)]
    if data.value(f"{head}.mixed.rate") is not None:
        group = {"n": f"{head}.n", "mixed": f"{head}.mixed.rate", "signal": f"{head}.steps_with_signal"}
        made.append(Said(f"group-{row}", words.text("statement.case_group", row=row, **group), row))
    if value_of(data, f"{head}.no_learning_signal"):
        made.append(Said(f"no-signal-{row}", words.text("statement.case_no_signal", row=row), row))
    return made


def _measures(words: Words, mode: case_texts.Mode) -> list[Said]:
    """Warm-up, repeats, and which differences are not resolved."""
    data, made = words.data, []
    if mode == "training":
        made.append(Said("warm-up", words.text("statement.case_warmup")))
    for name in ("single", "node"):
        best = value_of(data, f"best.{name}")
        if best is None:
            continue
        holes = {"steps": f"row.{best}.measured_steps", "repeats": f"best.{name}.repeats"}
        made.append(Said(f"best-{name}", words.text(f"statement.best_{name}", row=best, **holes)))
        if value_of(data, f"best.{name}.resolved") is False:
            second = value_of(data, f"best.{name}.second")
            text = words.text("statement.unresolved", row=best, second=second, lead=f"best.{name}.lead")
            made.append(Said(f"unresolved-{name}", text))
    return made


def _accuracy(words: Words, rows: list[str]) -> list[Said]:
    data, made = words.data, []
    measured = [row for row in rows if data.value(f"acc.{row}.samples")]
    if not measured:
        return []
    made.append(Said("samples", words.text("statement.case_samples", least="acc.least")))
    if any(value_of(data, f"acc.{row}.kind") == "rollouts" for row in measured):
        made.append(Said("training-samples", words.text("statement.case_rollouts")))
    if (data.value("acc.least") or 0) < FEW_SAMPLES:
        made.append(Said("few-samples", words.text("statement.case_few")))
    strict = [data.value(f"acc.{row}.strict.numerator") for row in measured]
    known = [value for value in strict if value is not None]
    if known and not any(known):
        made.append(Said("zero-accuracy", words.text("statement.case_zero")))
    if value_of(data, "run.texts_hashed"):
        made.append(Said("texts-hashed", words.text("statement.case_hashed")))
    return made


def _sources(words: Words, bundle: Bundle, rows: list[str]) -> list[Said]:
    """Sampling, the three lists of metrics, the mode that really ran, and the W&B runs."""
    data, made = words.data, []
    for name in ("device", "host"):
        head = f"sampling.{name}"
        if data.value(f"{head}.rows"):
            keys = {"asked": "asked_interval", "median": "interval_median", "p95": "interval_p95"}
            holes = {key: f"{head}.{each}" for key, each in {**keys, "coverage": "coverage", "rows": "rows"}.items()}
            made.append(Said(f"sampling-{name}", words.text(f"statement.sampling_{name}", **holes)))
    if data.value("live.present") is not None:
        holes = {key: f"live.{key}" for key in ("pushed", "present", "missing")}
        path = bundle.name("telemetry")
        made.append(Said("three-lists", words.text("statement.case_live", path=path, **holes)))
    ran = list(dict.fromkeys(_ran(data, row) for row in rows if value_of(data, f"row.{row}.status") != "skipped"))
    if any(ran):
        made.append(Said("resolved-modes", words.text("statement.case_modes", modes="; ".join(filter(None, ran)))))
    runs = data.value("wandb.runs")
    key = "statement.case_wandb" if runs else "statement.wandb_none"
    made.append(Said("wandb", words.text(key, runs="wandb.runs", whole="wandb.whole")))
    return made


def _ran(data: ReportData, row: str) -> str:
    asked, ran = (value_of(data, f"row.{row}.{key}") for key in ("inference_mode", "resolved_mode"))
    return f"{asked or '?'} → {ran or '?'}" if asked or ran else ""


def _marks(words: Words, bundle: Bundle, lock: ConfigLock, rows: list[str]) -> list[Said]:
    """What makes the whole run less than a clean one."""
    made = [Said("thinking", words.text("statement.thinking", value=_on_off(lock.prompt.get("enable_thinking"))))]
    for each in case_marks(bundle):
        made.append(Said(each, words.text(f"statement.mark_{each}", path=_diff_path(bundle))))
    for row in rows:
        offset = words.data.value(f"row.{row}.clock_offset")
        if offset is not None and abs(offset) > CLOCK_MILLISECONDS:
            text = words.text("statement.clock", row=row, offset=f"row.{row}.clock_offset")
            made.append(Said(f"clock-{row}", text, row))
    if bundle.manifest.merged_from:
        made.append(Said("merged", words.text("statement.merged", runs=", ".join(bundle.manifest.merged_from))))
    return made


def _diff_path(bundle: Bundle) -> str:
    """Where the difference of the first modified tree is saved, else the lock that names the tree."""
    provenance = bundle.json(bundle.path("provenance_lock")) or {}
    diffs = [each.get("diff") for each in provenance.get("repositories") or [] if each.get("dirty")]
    saved = [str(each["path"]) for each in diffs if isinstance(each, dict) and each.get("path")]
    return saved[0] if saved else bundle.name("provenance_lock")


def _on_off(value: object) -> str:
    return "text:on" if value else "text:off"


def case_marks(bundle: Bundle) -> list[str]:
    """Which badges of the head apply: ``synthetic``, ``readiness``, ``reused``, ``modified``."""
    run = bundle.json(bundle.path("run"))
    settings = run.get("settings") if isinstance(run, dict) else None
    settings = settings if isinstance(settings, dict) else {}
    provenance = bundle.json(bundle.path("provenance_lock")) or {}
    found = {
        "synthetic": bundle.manifest.synthetic_hardware,
        "readiness": bool(settings.get("readiness_skipped")),
        "reused": bool(settings.get("container_reused")),
        "modified": any(each.get("dirty") for each in provenance.get("repositories") or []),
    }
    return [name for name, applies in found.items() if applies]
