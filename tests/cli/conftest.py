"""A GRPO plan of the eight-leaf fixture, configs of cases that run it, services that are well, and a fake docker."""

from __future__ import annotations

import http.server
import json
import os
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from case_calls import STUB, CaseFile

from autoresearch.hosts.local_services import HEALTH

FAKE_DOCKER = """#!{python} -S
import json, os, sys
wanted = {{name: value for name, value in os.environ.items() if name.startswith("AR_")}}
with open({log!r}, "a") as out:
    out.write(json.dumps({{"argv": sys.argv[1:], "env": wanted}}) + "\\n")
print("## ar synthetic: fake docker", file=sys.stderr)
sys.exit({code})
"""


@pytest.fixture(scope="session")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A GRPO plan of the eight-leaf fixture."""
    from made_field_plans import FieldWorld

    return FieldWorld(tmp_path_factory.mktemp("world")).rl_plan("rl")


@pytest.fixture
def write_config(plan: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CaseFile:
    """Writes a config that keeps everything below ``tmp_path``."""
    monkeypatch.setenv("PYTHONPATH", str(STUB))
    return CaseFile(tmp_path, plan)


class Healthy(http.server.BaseHTTPRequestHandler):
    """Answers at the health addresses of W&B and Grafana."""

    def do_GET(self) -> None:
        self.send_response(200 if self.path in HEALTH.values() else 404)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def healthy() -> Iterator[str]:
    """URL of a server that is well."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Healthy)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def docker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[dict[str, Any]]]:
    """Put a docker on the PATH that writes down what it was asked; reads that back."""
    place = tmp_path / "bin"
    place.mkdir()

    def install(code: int = 0) -> list[dict[str, Any]]:
        log = tmp_path / "docker.jsonl"
        (place / "docker").write_text(FAKE_DOCKER.format(python=sys.executable, log=str(log), code=code))
        (place / "docker").chmod(0o755)
        monkeypatch.setenv("PATH", f"{place}{os.pathsep}{os.environ['PATH']}")
        return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []

    return install
