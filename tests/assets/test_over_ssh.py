"""Assets on a server behind a real sshd: hashed there, judged from headers, sent with resume (formal-case.md 16)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import ssh_server
from hub_stub import HubStub, write_model
from ssh_server import SshServer

from autoresearch.assets.acquire import acquire
from autoresearch.assets.machine import Machine
from autoresearch.assets.registry import RegistryFile
from autoresearch.assets.settings import build_settings
from autoresearch.files import tree_sha256
from autoresearch.hosts.asset_machine import asset_machine, client_command
from autoresearch.hosts.config import Server
from autoresearch.hosts.protocol import Host
from autoresearch.hosts.rows import ensure_runner
from autoresearch.hosts.ssh import SshHost
from autoresearch.hosts.ssh_link import SshOptions

Read = Callable[[], RegistryFile]
sshd_is_here = pytest.mark.skipif(not ssh_server.PRESENT, reason=ssh_server.WHY_NOT)


@pytest.fixture
def behind_ssh(read: Read, archive: Path, hub: HubStub, tmp_path: Path) -> Iterator[Machine]:
    """The test's sshd as the server ``npu-a``; its Python has no hub clients."""
    bare = tmp_path / "bin"
    bare.mkdir()
    (bare / "python3").write_text('#!/bin/sh\nexec /usr/bin/env -u PYTHONPATH "$REAL_PYTHON" -I -S "$@"\n')
    (bare / "python3").chmod(0o755)
    sshd = SshServer(tmp_path / "sshd", path=bare, env={"REAL_PYTHON": sys.executable})
    sshd.start()
    try:
        settings = {**sshd.server_settings(tmp_path / "host"), "name": "npu-a"}
        server = build_settings(Server, settings, "config.yaml")
        options = SshOptions(sshd.known_hosts, tmp_path / "no-ssh-config", keepalive_seconds=0.5, pause_last=1.0)
        host = SshHost(server, options)
        try:
            yield asset_machine(host, server, ensure_runner(host, archive), read().registry.defaults, 17892)
        finally:
            host.close()
    finally:
        sshd.kill_all()


@pytest.mark.services
@sshd_is_here
def test_an_asset_is_sent_over_ssh_checked_there_and_found_ready_the_next_time(
    read: Read, local: Machine, behind_ssh: Machine, hub: HubStub, data_yaml: Path, tmp_path: Path
) -> None:
    data_yaml.write_text(data_yaml.read_text().replace("modelscope: {id: org/tiny}, ", ""))
    hub.folders["models/org/tiny"] = write_model(tmp_path / "served", 1 << 20)
    asset = acquire(read(), "tiny", behind_ssh, sender=local)
    assert (asset.server, asset.path) == ("npu-a", str(tmp_path / "remote" / "models" / "org__tiny"))
    assert asset.tree_sha256 == tree_sha256(Path(asset.path)) == tree_sha256(tmp_path / "served")
    assert asset.model is not None and asset.model.parameters == 64 + (1 << 20)
    asked = len(hub.asked)
    again = acquire(read(), "tiny", behind_ssh, sender=local)
    assert (again.tree_sha256, again.revision) == (asset.tree_sha256, asset.revision) and len(hub.asked) == asked


def test_in_a_container_the_client_may_write_to_the_folder_and_nowhere_else() -> None:
    host = cast(Host, SimpleNamespace(kind="ssh", python="python3"))
    settings: dict[str, Any] = {"name": "npu-a", "host": "npu-a.example", "workdir": "/srv/w"}
    server = Server(**settings, container="docker", image="registry.example/verl@sha256:00")
    assert client_command(host, server, "/srv/assets", "/data1/models/.x.fetching") == [
        *("docker", "run", "--rm", "--network=host"),
        "--volume=/srv/assets:/srv/assets",
        "--volume=/data1/models/.x.fetching:/data1/models/.x.fetching",
        *("--entrypoint", "python3", "registry.example/verl@sha256:00"),
    ]
    assert client_command(host, Server(**settings), "/srv/assets", "/d") == ["python3"]
