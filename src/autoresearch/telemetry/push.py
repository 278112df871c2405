"""Live push to a Pushgateway (formal-case.md 10.5): a process of its own. Standard library only, Python 3.8; the runner
carries it.

A gateway keeps the last value for ever, so every group carries a heartbeat, the groups are deleted when the row ends,
and nothing is pushed after that. A gateway that is down, slow or broken costs counters and nothing else: no queue.
"""

from __future__ import annotations

import base64
import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from autoresearch.telemetry.families import RowLabels, SeriesKey, Value, families_of
from autoresearch.telemetry.host_sampler import HOST_SAMPLES
from autoresearch.telemetry.openmetrics import Family, lines
from autoresearch.telemetry.rounds import DEVICE_FILES, Round, last_round
from autoresearch.telemetry.schedule import Stop, run_rounds

TIMEOUT_SECONDS = 2.0
DELETE_TIMEOUT_SECONDS = 1.0
DELETE_AGAIN_SECONDS = 0.5
EVERY_SECONDS = 1.0
STALE_SECONDS = 10.0
STALE_INTERVALS = 3
STATUS = "push-status.json"
STATUS_EVERY_SECONDS = 5.0
ROW_GROUPS = ("npu", "device", "source", "case", "run")
MACHINE_GROUPS = ("machine_npu", "host", "run")
TEXT_FORMAT = "text/plain; version=0.0.4; charset=utf-8"


def group_path(job: str, labels: Iterable[tuple[str, str]]) -> str:
    """The path of a group; values with a slash, and empty ones, go as base64, as the gateway asks."""
    path = "/metrics/job/" + urllib.parse.quote(job, safe="")
    for name, value in labels:
        if not value or "/" in value:
            text = base64.urlsafe_b64encode(value.encode()).decode() or "="
            path += f"/{name}@base64/{text}"
        else:
            path += f"/{name}/{urllib.parse.quote(value, safe='')}"
    return path


class Pusher:
    """Pushes the newest values of one row and of its machine; counts, and never raises for the gateway's sake.

    ``url`` is the gateway's, with or without a slash at the end. Proxies of the environment are not used.
    """

    def __init__(self, url: str, row: RowLabels, timeout: float = TIMEOUT_SECONDS) -> None:
        self.url = url.rstrip("/")
        self.row = row
        self.timeout = timeout
        self.ok = 0
        self.failed = 0
        self.first_error: str | None = None
        self.metrics: set[str] = set()
        """Names of the families that the gateway took."""
        self.ended = False
        """Deletion was begun: nothing is pushed any more."""
        self.deleted = False
        """The gateway confirmed that both groups are gone."""
        self._timed_out = False
        self._answered = True
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        run = [("run_id", row.run_id), ("case_id", row.case_id), ("attempt", row.attempt)]
        self.groups = (group_path("autoresearch", run), group_path("autoresearch_machine", [("server", row.server)]))

    def push(self, values: Iterable[Value]) -> bool:
        """PUT the values of one round to both groups, each with the heartbeat; true when the gateway took both.

        After ``delete`` nothing is pushed any more.
        """
        if self.ended:
            return False
        now = time.time()
        own = [
            Value(self.row, SeriesKey("", None, None, None, "heartbeat_time_seconds"), None, round(now, 3)),
            Value(self.row, SeriesKey("", None, None, None, "push_failures"), None, float(self.failed)),
        ]
        found = [*values, *own]
        row_taken = self._put(self.groups[0], families_of(found, ROW_GROUPS))
        if not self._answered:
            return False  # the gateway did not answer at all: the second group waits for the next round
        return self._put(self.groups[1], families_of(found, MACHINE_GROUPS)) and row_taken

    def delete(self) -> bool:
        """Delete both groups and end pushing; true when the gateway did so. It takes 3 s at most. When a push had timed
        out, the gateway may still work on it: the groups are then deleted once more a moment later."""
        self.ended = True
        self.timeout = min(self.timeout, DELETE_TIMEOUT_SECONDS)
        done = [self._send("DELETE", path, None) for path in self.groups]
        if self._timed_out and all(done):
            time.sleep(DELETE_AGAIN_SECONDS)
            done = [self._send("DELETE", path, None) for path in self.groups]
        self.deleted = all(done)
        return self.deleted

    def status(self) -> dict[str, Any]:
        """Counters for the row: pushes that the gateway took and did not take, the first error, the families pushed."""
        return {
            "ok": self.ok,
            "failed": self.failed,
            "first_error": self.first_error,
            "deleted": self.deleted,
            "groups": list(self.groups),
            "metrics": sorted(self.metrics),
        }

    def _put(self, path: str, families: list[Family]) -> bool:
        text = "".join(line for line in lines(families) if line != "# EOF\n")
        taken = self._send("PUT", path, text.encode("utf-8"))
        self.ok += taken
        self.failed += not taken
        if taken:
            self.metrics.update(family.name for family in families)
        return taken

    def _send(self, method: str, path: str, body: bytes | None) -> bool:
        request = urllib.request.Request(
            self.url + path, data=body, method=method, headers={"Content-Type": TEXT_FORMAT}
        )
        try:
            with self._opener.open(request, timeout=self.timeout) as answer:
                answer.read(1 << 16)
            self._answered = True
            return True
        except urllib.error.HTTPError as error:
            self._answered = True
            trouble = f"HTTP {error.code}: {error.read(300).decode('utf-8', 'replace').strip()}"
        except Exception as error:  # no failure of a gateway may stop a row: counted, named once
            self._answered = False
            trouble = f"{type(error).__name__}: {error}"
            self._timed_out = self._timed_out or "timed out" in str(error)
        if self.first_error is None:
            self.first_error = f"{method}: {trouble}"[:400]
        return False


def newest_values(folder: Path, row: RowLabels) -> list[Value]:
    """The newest whole rounds of a row's sample files as values without time stamps; work does not grow with the files.

    A round older than 10 s (or three intervals) is no news: its series end, so that a dead sampler draws no flat line.
    """
    values = []
    for name in DEVICE_FILES:
        found = last_round(folder / name)
        if found is not None and _is_news(found.mono_ms, found.asked_ms):
            values.extend(_device_values(found, row))
    return values + _host_values(folder / HOST_SAMPLES, row) + _case_values(folder, row)


def _is_news(mono_ms: float, asked_ms: float | None) -> bool:
    limit = max(STALE_SECONDS, STALE_INTERVALS * (asked_ms or 0) / 1000)
    return time.monotonic() - mono_ms / 1000 <= limit


def _device_values(found: Round, row: RowLabels) -> list[Value]:
    values = []
    for device in found.devices:
        metrics = {**device.values, "sample_time_seconds": found.epoch_ms / 1000}
        for metric, value in metrics.items():
            if value is not None:
                key = SeriesKey(found.source, device.device_id, device.chip_id, device.uuid, metric)
                values.append(Value(row, key, None, value))
    unparsed = SeriesKey(found.source, None, None, None, "unparsed_lines")
    return [*values, Value(row, unparsed, None, float(found.unparsed))]


def _host_values(path: Path, row: RowLabels) -> list[Value]:
    try:
        with path.open("rb") as handle:
            size = handle.seek(0, os.SEEK_END)
            handle.seek(max(0, size - 8192))
            whole = handle.read().rpartition(b"\n")[0].rpartition(b"\n")[2]
        line: dict[str, Any] = json.loads(whole)
        source, stamp = str(line.get("source", "host")), float(line["epoch_ms"])
        if not _is_news(float(line["mono_ms"]), float(line.get("asked_interval_ms") or 0)):
            return []
    except (OSError, ValueError, KeyError, TypeError):
        return []
    found = {**line, "sample_time_seconds": stamp / 1000}
    return [
        Value(row, SeriesKey(source, None, None, None, name), None, float(value))
        for name, value in found.items()
        if isinstance(value, (int, float)) and not isinstance(value, bool)
    ]


def _case_values(folder: Path, row: RowLabels) -> list[Value]:
    """The attempt itself: that it is, since when, and its step as the heartbeat file says."""
    found = {"case_info": 1.0}
    try:
        owner = json.loads((folder / "owner.json").read_text(encoding="utf-8"))
        if isinstance(owner.get("started_epoch_ms"), int):
            found["case_start_time_seconds"] = owner["started_epoch_ms"] / 1000
    except (OSError, ValueError, AttributeError):
        pass
    try:
        step = json.loads((folder / "heartbeat.json").read_text(encoding="utf-8")).get("step")
        if isinstance(step, int):
            found["case_step"] = float(step)
    except (OSError, ValueError, AttributeError):
        pass
    return [Value(row, SeriesKey("", None, None, None, metric), None, value) for metric, value in found.items()]


def go_on_counting(folder: Path, pusher: Pusher) -> None:
    """Take over the counters of a pusher of this row that died."""
    try:
        before = json.loads((folder / STATUS).read_text(encoding="utf-8"))
        pusher.ok, pusher.failed = int(before["ok"]), int(before["failed"])
        pusher.first_error = before["first_error"]
        pusher.metrics = set(before["metrics"])
    except (OSError, ValueError, KeyError, TypeError):
        return


def write_status(folder: Path, pusher: Pusher) -> None:
    """Replace ``push-status.json`` of the row's folder; a full disk is no reason to stop."""
    path = folder / STATUS
    try:
        waiting = path.with_name("." + STATUS)
        waiting.write_text(json.dumps(pusher.status(), indent=2) + "\n", encoding="utf-8")
        waiting.replace(path)
    except OSError:
        return


def run(folder: Path, url: str, row: RowLabels, every: float = EVERY_SECONDS, stop: Stop | None = None) -> int:
    """Push the newest rounds of ``folder`` every second in this process until SIGTERM, SIGINT or the parent's end, then
    delete the groups. Returns the exit code 0, whatever the gateway did; counters are in ``push-status.json``.
    """
    stop = stop or Stop(with_parent=True).on_signals()
    pusher = Pusher(url, row)
    go_on_counting(folder, pusher)
    written = [0.0]

    def one_round(number: int, missed: int) -> None:
        pusher.push(newest_values(folder, row))
        if time.monotonic() - written[0] >= STATUS_EVERY_SECONDS or number < 2:
            write_status(folder, pusher)
            written[0] = time.monotonic()

    try:
        run_rounds(every, stop, one_round)
    finally:
        pusher.delete()
        write_status(folder, pusher)
    return 0
