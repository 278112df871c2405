"""The generated dashboards keep to their rules, and every expression returns data in a real Prometheus that holds a
replayed run (formal-case.md 10.6)."""

from __future__ import annotations

import json
import re
import subprocess
import urllib.parse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from local_services import get, needed, prometheus
from test_exposition import T0, make_row

from autoresearch.telemetry.dashboards import SCRAPE_SECONDS, dashboards
from autoresearch.telemetry.exposition import HISTORY, write
from autoresearch.telemetry.families import family_rules

FAMILIES = {rule.family for rule in family_rules()}
UNITS = {
    "_mib": "mbytes",
    "_percent": "percent",
    "_bytes": "bytes",
    "_watts": "watt",
    "_celsius": "celsius",
    "_seconds": "s",
}
SECONDS = {"s": 1, "m": 60, "h": 3600}


def queries() -> list[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Dashboard, panel and target of every expression."""
    found = []
    for name, board in dashboards().items():
        found += [(name, panel, target) for panel in board["panels"] for target in panel["targets"]]
    return found


def lint(panel: dict[str, Any], target: dict[str, Any]) -> Iterator[str]:
    """What is wrong with one expression of a panel."""
    expression, legend, unit = target["expr"], target["legendFormat"], panel["fieldConfig"]["defaults"]["unit"]
    names = set(re.findall(r"autoresearch_[a-z0-9_]+", expression))
    yield from (f"{name} is no family of ours" for name in names - FAMILIES)
    for name in names:
        for ending, fitting in UNITS.items():
            if name.endswith(ending) and unit != fitting:
                yield f"{name} is shown in {unit}"
    if re.search(r"\d+\.\d+\.\d+\.\d+|localhost|:\d{2,5}", expression):
        yield "a fixed host"
    for number, letter in re.findall(r"\[(\d+)([smh])\]", expression):
        if int(number) * SECONDS[letter] < 4 * SCRAPE_SECONDS:
            yield f"a window of {number}{letter}"
    if "device_id" in expression or any("_npu_" in n or "_device_" in n for n in names):
        yield from (
            f"the legend does not name {word}" for word in ("device_id", "chip_id") if f"{{{{{word}}}}}" not in legend
        )


@pytest.mark.parametrize(
    ("name", "panel", "target"), queries(), ids=lambda value: value if isinstance(value, str) else ""
)
def test_every_expression_keeps_to_the_rules(name: str, panel: dict[str, Any], target: dict[str, Any]) -> None:
    assert list(lint(panel, target)) == []


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"expr": "autoresearch_npu_hbm_usd_mib"}, "no family"),
        ({"expr": 'autoresearch_push_failures{instance="10.0.0.1:9091"}'}, "fixed host"),
        ({"expr": "rate(autoresearch_push_failures[3s])"}, "window"),
        ({"expr": "autoresearch_device_power_watts", "legendFormat": "{{server}}"}, "device_id"),
    ],
)
def test_the_lint_sees_what_is_wrong(change: dict[str, str], complaint: str) -> None:
    panel = {"fieldConfig": {"defaults": {"unit": "watt"}}}
    found = list(lint(panel, {"expr": "", "legendFormat": "", **change}))
    assert any(complaint in each for each in found)


def test_the_boards_have_their_names_and_variables() -> None:
    boards = {board["uid"]: board for board in dashboards().values()}
    assert [v["name"] for v in boards["autoresearch-npu"]["templating"]["list"]] == ["run_id", "case_id", "server"]
    assert [v["name"] for v in boards["autoresearch-machine-telemetry"]["templating"]["list"]] == ["server", "device"]
    assert not any(board["editable"] for board in boards.values())
    for board in boards.values():
        assert len({panel["id"] for panel in board["panels"]}) == len(board["panels"])
    json.dumps(dashboards())


def test_every_expression_and_variable_returns_data_in_a_replayed_run(tmp_path: Path) -> None:
    promtool = needed("promtool")
    out = tmp_path / "out"
    out.mkdir()
    write(out, [make_row(tmp_path, "case-a", T0)])
    argv = [promtool, "tsdb", "create-blocks-from", "openmetrics", str(out / HISTORY), str(tmp_path / "data")]
    subprocess.run(argv, check=True, capture_output=True, timeout=60)
    with prometheus(tmp_path, tmp_path / "data") as url:
        span = f"start={T0 / 1000}&end={T0 / 1000 + 70}&step=5"
        for name, panel, target in queries():
            query = re.sub(r"\$\w+", ".*", target["expr"])
            answer = json.loads(get(f"{url}/api/v1/query_range?query={urllib.parse.quote(query)}&{span}"))
            assert answer["data"]["result"], f"{name}: {panel['title']}: {query}"
            legends = {
                re.sub(r"{{(\w+)}}", lambda m, s=s: s["metric"].get(m[1], "?"), target["legendFormat"])
                for s in answer["data"]["result"]
            }
            assert "?" not in "".join(legends), f"{name}: {panel['title']}: {legends}"
        for board in dashboards().values():
            for variable in board["templating"]["list"]:
                series, label = re.fullmatch(r"label_values\((.+), (\w+)\)", variable["definition"]).groups()  # type: ignore[union-attr]
                match = urllib.parse.quote(re.sub(r"\$\w+", ".*", series))
                times = f"start={T0 / 1000}&end={T0 / 1000 + 70}"
                found = json.loads(get(f"{url}/api/v1/label/{label}/values?match[]={match}&{times}"))
                assert found["data"], variable["definition"]


def test_a_row_on_nvidia_fills_the_machine_board_too(tmp_path: Path) -> None:
    promtool = needed("promtool")
    out = tmp_path / "out"
    out.mkdir()
    write(out, [make_row(tmp_path, "case-n", T0, "nvidia")])
    argv = [promtool, "tsdb", "create-blocks-from", "openmetrics", str(out / HISTORY), str(tmp_path / "data")]
    subprocess.run(argv, check=True, capture_output=True, timeout=60)
    (memory,) = [
        p for p in dashboards()["autoresearch-machine-telemetry.json"]["panels"] if p["title"].startswith("Memory")
    ]
    with prometheus(tmp_path, tmp_path / "data") as url:
        for target in memory["targets"]:
            query = urllib.parse.quote(re.sub(r"\$\w+", ".*", target["expr"]))
            answer = json.loads(get(f"{url}/api/v1/query?query={query}&time={T0 / 1000 + 60}"))
            assert answer["data"]["result"][0]["metric"]["device_id"] == "0"
