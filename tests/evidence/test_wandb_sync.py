"""Uploading W&B runs with the real SDK to a server on loopback, one that refuses, one that hangs and none at all."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from wandb_server import wandb_server

from autoresearch.evidence.wandb_sync import sync_runs
from autoresearch.files import tree_sha256

KEY = "local-" + "a" * 40


@pytest.fixture(autouse=True)
def _own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WANDB_API_KEY", KEY)
    monkeypatch.setenv("WANDB_CONFIG_DIR", str(tmp_path / "wandb-config"))


@pytest.fixture
def runs(offline_run: Callable[[str], Path]) -> list[Path]:
    """A whole offline run."""
    return [offline_run("3fa09c11d2e4")]


def test_a_run_is_uploaded_whole_and_its_folder_stays_as_it_was(runs: list[Path]) -> None:
    before = tree_sha256(runs[0])
    with wandb_server() as server:
        outcome = sync_runs(runs, url=server.url, project="verl", seconds=60)
        assert outcome.runs == {"3fa09c11d2e4": None}
        assert server.steps == {"3fa09c11d2e4": {1, 2, 3}}
        assert server.projects == {"3fa09c11d2e4": "verl"}
        assert [page["local_url"] for page in outcome.pages] == [f"{server.url}/lab/verl/runs/3fa09c11d2e4"]
    assert tree_sha256(runs[0]) == before


def test_a_server_that_refuses_is_told_and_nothing_raises(runs: list[Path]) -> None:
    with wandb_server(broken=True) as server:
        outcome = sync_runs(runs, url=server.url, project="verl", seconds=30)
    assert outcome.runs["3fa09c11d2e4"]
    assert outcome.pages == ()


@pytest.fixture
def hanging() -> Iterator[str]:
    """A server that takes connections and says nothing."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(8)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"


def test_a_server_that_hangs_or_is_absent_costs_seconds_only(
    runs: list[Path], hanging: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("autoresearch.evidence.wandb_sync.ANSWER_SECONDS", 1.0)
    began = time.monotonic()
    for url in (hanging, "http://127.0.0.1:9"):
        outcome = sync_runs(runs * 3, url=url, project="verl")
        assert str(outcome.runs["3fa09c11d2e4"]).startswith("no answer from the W&B server")
    assert time.monotonic() - began < 20


@pytest.fixture
def half_dead() -> Iterator[str]:
    """A server that answers who asks whether it is there, and never an upload."""
    over = threading.Event()

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()

        def do_POST(self) -> None:
            over.wait(60)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        over.set()
        server.shutdown()


def test_an_upload_that_hangs_ends_at_its_limit_and_the_next_run_has_its_turn(runs: list[Path], half_dead: str) -> None:
    gone = runs[0].with_name("offline-run-20261130_061300-0123456789ab")
    outcome = sync_runs([*runs, gone], url=half_dead, project="verl", seconds=4)
    assert outcome.runs["3fa09c11d2e4"] == "not uploaded within 4 s"
    assert str(outcome.runs["0123456789ab"]).startswith("not uploaded: ")
    assert outcome.pages == ()
    left = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline") if path.parent.name != str(os.getpid())]
    assert not [line for line in left if runs[0].name.encode() in line], "an upload lives on"


def test_the_script_of_a_bundle_uploads_whole_runs_and_replays(case_sealed: Path, tmp_path: Path) -> None:
    if shutil.which("timeout") is None:
        pytest.skip("needs timeout of coreutils")
    with wandb_server() as server:
        own = {"RESTORE_DIR": str(tmp_path / "out"), "PYTHON": sys.executable, "WANDB_BASE_URL": server.url}
        script = ["bash", str(case_sealed / "1-wandb" / "rebuild-wandb.sh")]
        done = subprocess.run(
            script, capture_output=True, text=True, env={**os.environ, **own}, timeout=200, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        replays = {run: steps for run, steps in server.steps.items() if run.endswith("-replay")}
        whole = {run: steps for run, steps in server.steps.items() if len(run) == 12 and steps == {1, 2, 3}}
        assert list(replays.values()) == [{1}], "the failed row made one step"
        assert len(whole) == 1
        assert set(server.projects.values()) == {"verl"}
    assert "2 of 2 runs" in done.stdout
