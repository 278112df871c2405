"""What the template reads: facts of the bundle arranged by chapter. No arithmetic, only choosing which statements
apply."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from autoresearch.evidence.bundle import Bundle, read_lines
from autoresearch.evidence.derived import read_lock
from autoresearch.evidence.layout import MANIFEST
from autoresearch.evidence.locks import file_digest
from autoresearch.evidence.numbers_verdicts import read_bundle_verdicts
from autoresearch.evidence.report_data import FORMULAS, Fact, Number, ReportData, Series
from autoresearch.report import case_texts
from autoresearch.report.case_statements import case_statements
from autoresearch.report.case_view import build_case, case_headline
from autoresearch.report.markup import Words

if TYPE_CHECKING:
    from markupsafe import Markup

CHAPTERS = (
    "head",
    "conclude",
    "best",
    "matrix",
    "failures",
    "stages",
    "signal",
    "accuracy",
    "length",
    "resources",
    "provenance",
    "live",
    "findings",
    "completeness",
    "limits",
)
COVERAGE_UNFIT = 0.5
FEW_SAMPLES = 100


@dataclass(frozen=True)
class Statement:
    """A sentence that the page must make (formal-case.md 15.4); ``report check`` looks for its id."""

    id: str
    text: Markup


def mode_key(bundle: Bundle) -> str:
    """Text that says whether parameters could change."""
    if not case_texts.is_case(bundle):
        return "statement.validation" if bundle.manifest.trainer_val_only else "statement.training"
    mode = case_texts.mode_of(bundle, read_lock(bundle))
    return f"statement.{'case_unknown' if mode == 'unknown' else mode}"


def algorithm(data: ReportData) -> str:
    """``RLOO`` or ``GRPO``, from the task's name."""
    task = data.facts.get("run.task")
    return str(task.value).rpartition("-")[2].upper() if task and task.value else "RL"


def last_row(data: ReportData, case: str, rows: list[str]) -> str:
    """The last attempt of a case."""
    return next((row for row in reversed(rows) if row.rpartition(".a")[0] == case), f"{case}.a1")


def status(data: ReportData, row: str) -> str | None:
    """``passed``, ``failed`` or ``skipped``."""
    found = data.facts.get(f"row.{row}.status")
    return None if found is None else str(found.value)


def fact(data: ReportData, name: str) -> Any:
    """Value of a fact; None when unknown or absent."""
    found = data.facts.get(name)
    return None if found is None else found.value


def headline(words: Words, rows: list[str]) -> list[Markup]:
    """What happened: first whether parameters were updated and how far, then how the held-out number moved."""
    data = words.data
    sft, rl = last_row(data, "sft", rows), last_row(data, "rl", rows)
    holes = {
        "algorithm": algorithm(data),
        "sft_done": f"row.{sft}.completed_steps",
        "sft_target": f"row.{sft}.target_steps",
        "rl_done": f"row.{rl}.completed_steps",
        "rl_target": f"row.{rl}.target_steps",
        "reason": fact(data, f"row.{rl}.skip_reason") or "",
    }
    good = (status(data, sft) == "passed", status(data, rl) == "passed")
    if all(good):
        key = "headline.trained"
    elif good[0]:
        key = "headline.rl_skipped" if status(data, rl) == "skipped" else "headline.sft_only"
    else:
        key = "headline.none"
    return [words.text(key, **holes), change_sentence(words)]


def change_sentence(words: Words) -> Markup:
    """How the held-out number moved, in the fixed words of the comparison."""
    data = words.data
    before, after = exact_id(data, "before"), exact_id(data, "after")
    if before is None or after is None:
        return words.text("headline.no_change")
    word = fact(data, "compare.sampled.word")
    if word is None:
        return words.text("headline.change_plain", before=before, after=after)
    return words.text(
        "headline.change",
        before=before,
        after=after,
        difference="compare.sampled.difference",
        low="compare.sampled.low",
        high="compare.sampled.high",
        word=words.word(word),
    )


def exact_id(data: ReportData, name: str) -> str | None:
    """Id of the held-out exact share: of the evaluation report, else counted from the transcripts."""
    for candidate in (f"eval.{name}.exact.rate", f"episodes.{name}.exact.rate"):
        if data.value(candidate) is not None:
            return candidate
    return None


def statements(words: Words, bundle: Bundle, rows: list[str]) -> list[Statement]:
    """The statements of 15.4 that apply to this bundle."""
    if case_texts.is_case(bundle):
        return [Statement(each.id, each.text) for each in case_statements(words, bundle, rows)]
    data = words.data
    made = [Statement("mode", words.text(mode_key(bundle)))]
    for row in rows:
        head = f"row.{row}"
        if status(data, row) == "skipped":
            text = words.text("statement.row_skipped", row=row, reason=fact(data, f"{head}.skip_reason"))
        else:
            text = words.text(
                "statement.row",
                row=row,
                done=f"{head}.completed_steps",
                target=f"{head}.target_steps",
                updates=f"{head}.optimizer_updates",
                zero=f"{head}.zero_gradient_steps",
                changed=words.word(fact(data, f"{head}.weights_changed")),
            )
        made.append(Statement(f"steps-{row}", text))
    made += _training_statements(words, rows)
    made += _evaluation_statements(words)
    for row in rows:
        if data.value(f"host.{row}.rounds"):
            head = f"host.{row}"
            holes = {
                "asked": "asked_interval",
                "median": "interval_median",
                "p95": "interval_p95",
                "coverage": "coverage",
            }
            text = words.text("statement.sampling", row=row, **{key: f"{head}.{name}" for key, name in holes.items()})
            made.append(Statement(f"sampling-{row}", text))
    made.append(Statement("wandb", words.text("statement.wandb")))
    thinking = "text:on" if fact(data, "run.thinking") else "text:off"
    made.append(Statement("thinking", words.text("statement.thinking", value=thinking)))
    diff = modified_tree(bundle)
    if diff:
        made.append(Statement("modified-tree", words.text("statement.modified", path=diff)))
    return made


def _training_statements(words: Words, rows: list[str]) -> list[Statement]:
    data, made = words.data, []
    for row in rows:
        head = f"row.{row}"
        if row.startswith("rl") and data.value(f"{head}.steps_with_signal") is not None:
            holes = {"n": f"{head}.n", "signal": f"{head}.steps_with_signal", "mixed": f"{head}.mixed_share.p50"}
            made.append(Statement(f"group-{row}", words.text("statement.group", **holes)))
            if data.value(f"{head}.steps_with_signal") == 0:
                made.append(Statement(f"no-signal-{row}", words.text("statement.no_signal")))
        if data.value(f"{head}.measured_steps") is not None:
            made.append(Statement(f"warm-up-{row}", words.text("statement.warmup", steps=f"{head}.measured_steps")))
    return made


def _evaluation_statements(words: Words) -> list[Statement]:
    data, made = words.data, []
    if data.value("episodes.before.episodes") is not None:
        holes = {
            "before": "episodes.before.episodes",
            "after": "episodes.after.episodes",
            "rows": "episodes.before.rows",
        }
        made.append(Statement("samples", words.text("statement.samples", **holes)))
        if (data.value("episodes.before.rows") or 0) < FEW_SAMPLES:
            made.append(Statement("few-samples", words.text("statement.few_samples")))
    after = exact_id(data, "after")
    if after is not None and data.value("eval.after.retrieval_baseline.rate") is not None:
        holes = {name: f"eval.after.{name}_baseline.rate" for name in ("retrieval", "majority")}
        made.append(Statement("baseline", words.text("statement.baseline", after=after, **holes)))
    tools = tool_statement(words)
    if tools is not None:
        made.append(Statement("tools", tools))
    if data.value("episodes.after.exact.numerator") == 0:
        made.append(Statement("zero-accuracy", words.text("zero.ladder", valid="episodes.after.answer_valid.rate")))
    return made


def tool_statement(words: Words) -> Markup | None:
    """Whether the model unlearnt the tools; None where that was not measured."""
    unlearnt = fact(words.data, "tools.unlearnt")
    if unlearnt is None:
        return None
    holes: dict[str, object] = {}
    for name in ("before", "after"):
        holes |= {name: f"episodes.{name}.with_call.numerator", f"{name}_share": f"episodes.{name}.with_call.rate"}
    return words.text("statement.unlearnt" if unlearnt else "statement.kept_tools", **holes)


def modified_tree(bundle: Bundle) -> str | None:
    """Relative path of the saved difference when our tree had uncommitted changes, else None."""
    lock = bundle.json(bundle.path("provenance_lock"))
    first = lock["repositories"][0] if isinstance(lock, dict) and lock.get("repositories") else {}
    if not first.get("dirty"):
        return None
    diff = first.get("diff")
    return str(diff["path"]) if isinstance(diff, dict) else bundle.name("provenance_lock")


def build_view(bundle: Bundle, words: Words) -> dict[str, Any]:
    """Everything the template reads beside figures and transcripts."""
    lock = read_lock(bundle)
    rows = bundle.rows()
    provenance = bundle.json(bundle.path("provenance_lock")) or {}
    skipped = bundle.json(bundle.path("skipped"))
    late = {bundle.name(name) for name in ("report", "report_check", "crate")}
    matrix = {f"{each['case_id']}.a{each['attempt']}": each for each in read_lines(bundle.path("matrix"))}
    found = [each for line in matrix.values() for each in line["findings"]]
    observed = bundle.json(bundle.path("observed"))
    found += observed.get("findings", []) if isinstance(observed, dict) else []
    plans = {row: bundle.json(bundle.path("plans") / row / "plan.json") for row in rows}
    return {
        "manifest": bundle.manifest,
        "manifest_name": MANIFEST,
        "lock": lock,
        "lock_digest": (file_digest(bundle.path("config_lock")) or "")[:12],
        "rows": rows,
        "row_facts": {
            row: {key: fact(words.data, f"row.{row}.{key}") for key in ("status", "failure_class", "skip_reason")}
            for row in rows
        },
        "logs": {row: line.get("log_path") for row, line in matrix.items()},
        "headline": case_headline(words, bundle) if case_texts.is_case(bundle) else headline(words, rows),
        "is_case": case_texts.is_case(bundle),
        "case": build_case(bundle, words, matrix) if case_texts.is_case(bundle) else None,
        "mode_key": mode_key(bundle),
        "unverified": case_texts.open_capabilities(bundle),
        "statements": statements(words, bundle, rows),
        "tool_statement": tool_statement(words),
        "repositories": provenance.get("repositories", []),
        "environment": provenance.get("environment", {}),
        "modified": modified_tree(bundle),
        "inputs": {row: plan["inputs"] for row, plan in plans.items() if isinstance(plan, dict) and plan.get("inputs")},
        "verdicts": [
            (source, source.rpartition("/")[2].removesuffix(".json"), verdict)
            for source, verdict in read_bundle_verdicts(bundle)
        ],
        "findings": found,
        "observed_findings": observed.get("findings", []) if isinstance(observed, dict) else [],
        "all_findings": found + _readiness_findings(bundle) if case_texts.is_case(bundle) else found,
        "observed_count": len(observed.get("findings", [])) if isinstance(observed, dict) else 0,
        "skipped": skipped if isinstance(skipped, list) else [],
        "artifacts": [
            (key, name, (bundle.root / name).exists() or name in late)
            for key, name in sorted(bundle.manifest.artifact_layout.artifacts.items(), key=lambda pair: pair[1])
        ],
        "prometheus": bundle.json(bundle.path("prometheus_notes")) or {},
        "sheet": bundle.manifest.artifact_layout.artifacts.get("labelled_sheet"),
        "formulas": used_formulas(words.data),
    }


def _readiness_findings(bundle: Bundle) -> list[dict[str, Any]]:
    """What readiness found before the run."""
    run = bundle.json(bundle.path("run"))
    found = (run.get("readiness") or {}).get("findings") if isinstance(run, dict) else None
    return [each for each in found or [] if isinstance(each, dict)]


def used_formulas(data: ReportData) -> list[tuple[str, dict[str, str]]]:
    """The named methods that this page's numbers, lines and facts use, by name."""
    items: list[Number | Series | Fact] = [*data.numbers.values(), *data.series.values(), *data.facts.values()]
    return [(name, FORMULAS[name]) for name in sorted({item.formula for item in items}) if name in FORMULAS]
