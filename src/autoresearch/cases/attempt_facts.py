"""The facts of one attempt that are no records: how its process ended, as the runner and the orchestrator saw it.

``result.json`` is the runner's, ``orchestrator.json`` what only the orchestrator knows (its own limit, a lost host, a
supervisor that is gone). Both may be absent or cut.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from autoresearch.cases.classify import Evidence, Source, fact_evidence
from autoresearch.cases.events import RowFiles
from autoresearch.cases.records import content
from autoresearch.files import strict_json_loads
from autoresearch.findings import Finding, finding

RESULT, SEEN = "result.json", "orchestrator.json"
SIGKILL, KILLED_CODE, TIMEOUT_CODE = 9, 137, 124
DOCKER_CODES = range(125, 128)
LIMITS = {"inner_timeout": "timeout", "interrupted": "interrupted", "disk_space": "disk_space"}
REFUSALS = ("disk_space", "resource_busy", "interrupted", "version_refused", "docker_error", "launcher_error")


@dataclass(frozen=True)
class AttemptFacts:
    """Both files, parsed and as bytes."""

    result: Mapping[str, Any] | None
    seen: Mapping[str, Any]
    result_source: Source
    seen_source: Source

    @property
    def exit_code(self) -> int | None:
        """Of the trainer; None when it was ended by a signal, never ran, or nobody knows."""
        return _integer((self.result or {}).get("exit_code"))

    @property
    def signal(self) -> int | None:
        """That ended the trainer."""
        return _integer((self.result or {}).get("signal"))

    @property
    def log_cut(self) -> bool:
        """The runner left out a part of the log, or could not write it."""
        log = _mapping((self.result or {}).get("log"))
        return bool(log.get("left_out") or log.get("lost_bytes"))

    @property
    def ended_well(self) -> bool:
        """Exit code 0 and no limit; or a supervisor that was lost, whose files alone must tell."""
        if self.seen.get("outer_limit_hit"):
            return False
        if self.result is None:
            return str(self.seen.get("state", "supervisor_lost")) == "supervisor_lost"
        return self.exit_code == 0 and not self.result.get("limit") and not self.result.get("refused")


def _integer(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _document(data: bytes) -> dict[str, Any] | None:
    try:
        found = strict_json_loads(data.decode("utf-8"))
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def read_facts(files: RowFiles) -> AttemptFacts:
    """Read both files of an attempt."""
    result, seen = content(files.folder / RESULT), content(files.folder / SEEN)
    return AttemptFacts(_document(result), _document(seen) or {}, Source(RESULT, result), Source(SEEN, seen))


def classify_facts(facts: AttemptFacts) -> tuple[str, Evidence] | None:
    """The class that the facts alone give, in table order; None when only the text can tell."""
    seen, result = facts.seen, facts.result
    if seen.get("outer_limit_hit"):
        return "outer_timeout", fact_evidence(facts.seen_source, "outer_limit_hit", "the orchestrator's limit passed")
    state = str(seen.get("state", ""))
    if result is None:
        name = state if state in ("ssh_lost", "launcher_error") else "supervisor_lost"
        text = str(seen.get("message") or "the attempt left no result.json")
        return name, fact_evidence(facts.seen_source, "message", text)
    return _of_result(facts, result)


def _of_result(facts: AttemptFacts, result: Mapping[str, Any]) -> tuple[str, Evidence] | None:
    source = facts.result_source
    refused = _mapping(result.get("refused"))
    reason = str(refused.get("reason") or "")
    if result.get("limit") == "inner_timeout" or facts.exit_code == TIMEOUT_CODE:
        key = "limit" if result.get("limit") else "exit_code"
        return "timeout", fact_evidence(source, key, "the inner limit passed")
    if reason:
        name = reason if reason in REFUSALS else "launcher_error"
        return name, fact_evidence(source, "refused", str(refused.get("message") or reason))
    limit = LIMITS.get(str(result.get("limit")))
    if limit is not None:
        return limit, fact_evidence(source, "limit", f"the runner ended the row: {result.get('limit')}")
    if result.get("supervisor_error"):
        return "launcher_error", fact_evidence(source, "supervisor_error", str(result["supervisor_error"]))
    if result.get("container") and facts.exit_code in DOCKER_CODES:
        return "docker_error", fact_evidence(source, "exit_code", f"docker ended with exit code {facts.exit_code}")
    if _memory_kill(result):
        return "host_memory", fact_evidence(source, "oom_kills", f"the kernel killed for memory: {result['oom_kills']}")
    if facts.signal == SIGKILL or (result.get("container") and facts.exit_code == KILLED_CODE):
        return "killed", fact_evidence(source, "signal", "the trainer was ended by signal 9, which was not ours")
    return None


def fact_findings(facts: AttemptFacts, case_id: str) -> list[Finding]:
    """What the facts are worth telling beside a class: a still heartbeat (V331), devices that the row's own processes
    kept (V332), a stranger on a wanted device (V333)."""
    found: list[Finding] = []
    still = _integer(facts.seen.get("stalled_seconds")) or 0
    if still:
        rule = "without a heartbeat while the supervisor was alive"
        found.append(finding("V331", place=case_id, value=f"{still} s", rule=rule))
    result = facts.result or {}
    for holder in _holders(result.get("devices_still_held")):
        rule = "still holds the device after the row's end; end it on the host"
        found.append(finding("V332", place=_device(case_id, holder), value=_who(holder), rule=rule))
    for holder in _holders(_mapping(result.get("refused")).get("holders")):
        rule = "held the device when the row was to start; end it or use other devices"
        found.append(finding("V333", place=_device(case_id, holder), value=_who(holder), rule=rule))
    return found


def _holders(value: object) -> list[Mapping[str, Any]]:
    return [each for each in value if isinstance(each, Mapping)] if isinstance(value, list) else []


def _device(case_id: str, holder: Mapping[str, Any]) -> str:
    return f"{case_id}: device {holder.get('device')}"


def _who(holder: Mapping[str, Any]) -> str:
    return f"{holder.get('command')} (pid {holder.get('pid')}, user {holder.get('user')})"


def _memory_kill(result: Mapping[str, Any]) -> bool:
    """The counter of the attempt's control group, or of its container, grew."""
    counts = result.get("oom_kills")
    if not isinstance(counts, Mapping):
        return False
    before, after = _mapping(counts.get("before")), _mapping(counts.get("after"))
    grown = (_integer(after.get("cgroup")) or 0) - (_integer(before.get("cgroup")) or 0)
    own = _mapping(result.get("container"))
    in_container = 0 if own.get("reused") else _integer(counts.get("container")) or 0
    return grown > 0 or in_container > 0
