"""``services`` and ``check services``: real servers for health, a fake docker on the PATH for starting (formal-case.md
10.6)."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

sys.path.append(str(Path(__file__).parents[1] / "fixtures"))
from local_services import free_port, prometheus, pushgateway

from autoresearch.cli.main import run
from autoresearch.hosts.local_services import FILES, HEALTH

DIGEST = "@sha256:" + "5e" * 32


def config(folder: Path, **urls: str) -> Path:
    """A config with these service URLs; the others on ports where nothing listens."""
    names = {name: {"url": urls.get(name, f"http://127.0.0.1:{free_port()}")} for name in HEALTH}
    path = folder / "config.yaml"
    path.write_text(yaml.safe_dump({"version": 1, "services": names}), encoding="utf-8")
    return path


def images(folder: Path) -> Path:
    """All four pinned."""
    path = folder / "images.yaml"
    path.write_text("".join(f"{name}: example/{name}{DIGEST}\n" for name in HEALTH))
    return path


def said(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """The one JSON object of the last command."""
    return dict(json.loads(capsys.readouterr().out))


def test_status_tells_apart_what_is_up_and_what_is_not(
    tmp_path: Path, healthy: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pushgateway(tmp_path) as gateway, prometheus(tmp_path, tmp_path / "data") as metrics:
        place = config(tmp_path, pushgateway=gateway, prometheus=metrics, wandb=healthy)
        assert run(["services", "status", "--config", str(place)]) == 1
        found = {each["name"]: each for each in said(capsys)["services"]}
        assert {name: each["up"] for name, each in found.items()} == {
            "wandb": True,
            "prometheus": True,
            "pushgateway": True,
            "grafana": False,
        }
        assert "refused" in found["grafana"]["error"]
        place = config(tmp_path, pushgateway=gateway, prometheus=metrics, wandb=healthy, grafana=healthy)
        assert run(["services", "status", "--config", str(place)]) == 0


def test_a_service_that_is_down_is_a_warning_of_the_check(
    tmp_path: Path, healthy: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["check", "services", "--config", str(config(tmp_path, wandb=healthy, grafana=healthy))]) == 0
    found = said(capsys)
    assert (found["id"], found["ok"], found["severity"]) == ("services", True, "warn")
    assert "prometheus at http://127.0.0.1" in found["message"]
    assert {"id", "ok", "severity", "message", "data", "findings", "elapsed_ms"} <= set(found)
    everything = dict.fromkeys(HEALTH, healthy)
    assert run(["check", "services", "--config", str(config(tmp_path, **everything))]) == 0
    assert said(capsys)["severity"] == "ok"


def test_start_hands_compose_ports_and_digests_and_waits_until_all_answer(
    tmp_path: Path, healthy: str, docker: Callable[..., list[dict[str, Any]]], capsys: pytest.CaptureFixture[str]
) -> None:
    docker()
    place, folder = config(tmp_path, **dict.fromkeys(HEALTH, healthy)), tmp_path / "services"
    words = ["--config", str(place), "--dir", str(folder)]
    assert run(["services", "start", *words, "--images", str(images(tmp_path))]) == 0
    assert "synthetic: fake docker" in capsys.readouterr().err
    (call,) = docker()
    assert call["argv"] == [
        "compose",
        "--file",
        str(folder / "compose.yaml"),
        "--project-directory",
        str(folder),
        "up",
        "--detach",
    ]
    assert call["env"]["AR_GRAFANA_IMAGE"] == f"example/grafana{DIGEST}"
    assert call["env"]["AR_PROMETHEUS_PORT"] == healthy.rpartition(":")[2]
    boards = sorted(path.name for path in (folder / "dashboards").iterdir())
    assert boards == ["autoresearch-machine-telemetry.json", "autoresearch-npu.json"]
    assert run(["services", "stop", *words]) == 0
    assert docker()[1]["argv"][-1] == "down"


def test_the_shipped_image_that_nobody_pinned_is_refused_and_the_others_are_pinned(
    tmp_path: Path, docker: Callable[..., list[dict[str, Any]]], capsys: pytest.CaptureFixture[str]
) -> None:
    docker()
    assert run(["services", "start", "--config", str(config(tmp_path)), "--dir", str(tmp_path / "s")]) == 2
    message = said(capsys)["message"]
    assert "by digest only" in message
    assert "wandb: wandb/local:" in message and "prom/" not in message and "grafana" not in message
    assert docker() == []
    assert not (tmp_path / "s").exists()


def test_services_elsewhere_are_not_started_here(
    tmp_path: Path, docker: Callable[..., list[dict[str, Any]]], capsys: pytest.CaptureFixture[str]
) -> None:
    docker()
    place = config(tmp_path, grafana="http://graphs.example:3000")
    words = ["--config", str(place), "--dir", str(tmp_path / "s"), "--images", str(images(tmp_path))]
    assert run(["services", "start", *words]) == 2
    assert "services.grafana.url" in said(capsys)["message"]
    assert docker() == []


def test_a_docker_that_fails_is_one_message(
    tmp_path: Path, docker: Callable[..., list[dict[str, Any]]], capsys: pytest.CaptureFixture[str]
) -> None:
    docker(code=17)
    words = ["--config", str(config(tmp_path)), "--dir", str(tmp_path / "s"), "--images", str(images(tmp_path))]
    assert run(["services", "start", *words]) == 2
    shown = capsys.readouterr()
    assert "exit code 17" in shown.err
    assert "Traceback" not in shown.err
    assert run(["services", "stop", "--config", str(config(tmp_path)), "--dir", str(tmp_path / "never")]) == 2


def test_compose_names_no_image_but_by_variable_and_listens_on_loopback_only() -> None:
    content = yaml.safe_load((FILES / "compose.yaml").read_text(encoding="utf-8"))
    assert set(content["services"]) == set(HEALTH)
    for name, service in content["services"].items():
        assert service["image"] == f"${{AR_{name.upper()}_IMAGE:?}}"
        assert [port.rpartition("127.0.0.1:")[0] for port in service["ports"]] == [""]
        for volume in service.get("volumes", []):
            if volume.startswith("./") and "dashboards:" not in volume:
                assert (FILES / re.split(":", volume)[0]).is_file()
    scrape = yaml.safe_load((FILES / "prometheus.yaml").read_text(encoding="utf-8"))
    assert scrape["global"]["scrape_interval"] == "1s"
    assert scrape["scrape_configs"][0]["honor_labels"] is True


def test_prometheus_accepts_the_shipped_config(tmp_path: Path) -> None:
    import subprocess

    from local_services import needed

    done = subprocess.run([needed("promtool"), "check", "config", str(FILES / "prometheus.yaml")], capture_output=True)
    assert done.returncode == 0, done.stderr
