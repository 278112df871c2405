"""The two Grafana dashboards, generated (formal-case.md 10.6): experiments and machines. Never edited by hand.

A panel is one line of data here: title, unit, and expressions with their legends. Variables are written ``$name``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

DATASOURCE = {"type": "prometheus", "uid": "autoresearch-prometheus"}
SCRAPE_SECONDS = 1
MIB, PERCENT, BYTES, SECONDS, WATTS, CELSIUS, NUMBER = "mbytes", "percent", "bytes", "s", "watt", "celsius", "none"
RUN = '{run_id=~"$run_id",case_id=~"$case_id",server=~"$server"}'
DEVICE = "{{server}} device {{device_id}} chip {{chip_id}}"
CASE = "{{case_id}} attempt {{attempt}}"
MACHINE = '{server=~"$server",device_id=~"$device"}'
NVIDIA = '{vendor="nvidia",server=~"$server",device_id=~"$device"}'
HOST = '{server=~"$server"}'


class Panel(NamedTuple):
    """One panel: ``kind`` is ``timeseries``, ``stat`` or ``table``; ``queries`` holds (expression, legend)."""

    title: str
    unit: str
    queries: tuple[tuple[str, str], ...]
    kind: str = "timeseries"


def _by_device(npu: str, device: str) -> str:
    """The machine's NPU family; for NVIDIA, which has none, the device family over all runs."""
    return f"{npu}{MACHINE} or max by (server, device_id, chip_id) ({device}{NVIDIA})"


EXPERIMENT_PANELS = (
    Panel("Cases", NUMBER, ((f"autoresearch_experiment_case_info{RUN}", CASE),), "table"),
    Panel(
        "Memory used and total",
        MIB,
        (
            (f"autoresearch_device_memory_used_mib{RUN}", f"{DEVICE} used"),
            (f"autoresearch_device_memory_total_mib{RUN}", f"{DEVICE} total"),
        ),
    ),
    Panel("Utilisation", PERCENT, ((f"autoresearch_device_utilization_percent{RUN}", DEVICE),)),
    Panel("Power", WATTS, ((f"autoresearch_device_power_watts{RUN}", DEVICE),)),
    Panel("Temperature", CELSIUS, ((f"autoresearch_device_temperature_celsius{RUN}", DEVICE),)),
    Panel("Step", NUMBER, ((f"autoresearch_experiment_case_step{RUN}", CASE),)),
    Panel(
        "Push age",
        SECONDS,
        (
            (
                f"time() - max by (case_id, attempt, server) (autoresearch_run_heartbeat_time_seconds{RUN})",
                f"{CASE} on {{{{server}}}}",
            ),
        ),
    ),
    Panel("Failed pushes", NUMBER, ((f"max by (case_id, attempt) (autoresearch_push_failures{RUN})", CASE),), "stat"),
)
MACHINE_PANELS = (
    Panel(
        "Age of the newest sample",
        SECONDS,
        (
            (f"time() - autoresearch_machine_npu_sample_time_seconds{MACHINE}", DEVICE),
            (f"time() - autoresearch_machine_host_sample_time_seconds{HOST}", "{{server}} host"),
        ),
    ),
    Panel(
        "Memory used and total",
        MIB,
        (
            (
                _by_device("autoresearch_machine_npu_hbm_used_mib", "autoresearch_device_memory_used_mib"),
                f"{DEVICE} used",
            ),
            (
                _by_device("autoresearch_machine_npu_hbm_total_mib", "autoresearch_device_memory_total_mib"),
                f"{DEVICE} total",
            ),
        ),
    ),
    Panel(
        "Utilisation",
        PERCENT,
        (
            (
                _by_device(
                    "autoresearch_machine_npu_aicore_utilization_percent", "autoresearch_device_utilization_percent"
                ),
                DEVICE,
            ),
        ),
    ),
    Panel("Host processors", PERCENT, ((f"autoresearch_machine_host_cpu_utilization_percent{HOST}", "{{server}}"),)),
    Panel(
        "Host memory",
        BYTES,
        tuple(
            (f"autoresearch_machine_host_memory_{kind}_bytes{HOST}", f"{{{{server}}}} {kind}")
            for kind in ("used", "occupied", "available", "total")
        ),
    ),
    Panel("Free disk", BYTES, ((f"autoresearch_machine_host_disk_free_bytes{HOST}", "{{server}}"),)),
)


def _variable(name: str, query: str) -> dict[str, Any]:
    return {
        "name": name,
        "type": "query",
        "datasource": DATASOURCE,
        "definition": query,
        "query": {"query": query, "refId": name},
        "refresh": 2,
        "includeAll": True,
        "multi": True,
        "allValue": ".*",
        "current": {"text": "All", "value": "$__all"},
        "sort": 1,
    }


def _panel(number: int, panel: Panel) -> dict[str, Any]:
    table = panel.kind == "table"
    targets = []
    for index, (expression, legend) in enumerate(panel.queries):
        target = {"refId": chr(65 + index), "datasource": DATASOURCE, "expr": expression, "legendFormat": legend}
        targets.append({**target, "instant": table, "range": not table, "format": "table" if table else "time_series"})
    return {
        "id": number + 1,
        "title": panel.title,
        "type": panel.kind,
        "datasource": DATASOURCE,
        "gridPos": {"h": 8, "w": 12, "x": 12 * (number % 2), "y": 8 * (number // 2)},
        "fieldConfig": {"defaults": {"unit": panel.unit, "custom": {}}, "overrides": []},
        "options": {},
        "targets": targets,
    }


def _dashboard(uid: str, title: str, variables: list[dict[str, Any]], panels: tuple[Panel, ...]) -> dict[str, Any]:
    return {
        "uid": uid,
        "title": title,
        "tags": ["autoresearch", "generated"],
        "editable": False,
        "schemaVersion": 39,
        "version": 1,
        "refresh": "5s",
        "time": {"from": "now-30m", "to": "now"},
        "timezone": "browser",
        "templating": {"list": variables},
        "panels": [_panel(number, panel) for number, panel in enumerate(panels)],
    }


def dashboards() -> dict[str, dict[str, Any]]:
    """File name -> dashboard in Grafana's JSON form: ``autoresearch-npu`` and ``autoresearch-machine-telemetry``."""
    runs = [
        _variable("run_id", "label_values(autoresearch_experiment_case_info, run_id)"),
        _variable("case_id", 'label_values(autoresearch_experiment_case_info{run_id=~"$run_id"}, case_id)'),
        _variable("server", 'label_values(autoresearch_experiment_case_info{run_id=~"$run_id"}, server)'),
    ]
    machines = [
        _variable("server", "label_values(autoresearch_machine_host_sample_time_seconds, server)"),
        _variable("device", 'label_values(autoresearch_device_memory_used_mib{server=~"$server"}, device_id)'),
    ]
    return {
        "autoresearch-npu.json": _dashboard("autoresearch-npu", "Experiments", runs, EXPERIMENT_PANELS),
        "autoresearch-machine-telemetry.json": _dashboard(
            "autoresearch-machine-telemetry", "Machines", machines, MACHINE_PANELS
        ),
    }
