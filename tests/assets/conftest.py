"""Machines of the asset tests: this one, and another server that is a folder of this one; a hub on loopback."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "fixtures"))

from hub_stub import HubStub, hub_stub

from autoresearch.assets.machine import Machine
from autoresearch.assets.registry import RegistryFile, load_registry
from autoresearch.hosts.asset_machine import asset_machine
from autoresearch.hosts.config import Server
from autoresearch.hosts.local import LocalHost
from autoresearch.hosts.rows import ensure_runner
from autoresearch.runner.build import build_runner

FILE = """\
version: 1
defaults: {{local_root: '{local}', remote_root: '{remote}', proxy_url: ''}}
assets:
  models:
    tiny:
      kind: model
      canonical_id: org/tiny
      sources: {{modelscope: {{id: org/tiny}}, huggingface: {{id: org/tiny}}}}
  datasets:
    shapes:
      kind: dataset
      canonical_id: org/shapes
      source_priority: [huggingface]
      sources: {{huggingface: {{id: org/shapes}}}}
"""


@pytest.fixture(autouse=True)
def no_foreign_address(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Whatever a client would ask by default leads nowhere; its caches and logins are not the user's."""
    for name in ("HF_ENDPOINT", "MODELSCOPE_ENDPOINT"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy", "HF_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HF_HOME", str(tmp_path / "home" / "hf"))


@pytest.fixture(scope="session")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """``autoresearch-runner.pyz``."""
    return build_runner(tmp_path_factory.mktemp("runner"))[0]


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[HubStub]:
    """Both hubs, on loopback."""
    with hub_stub() as stub:
        monkeypatch.setenv("HF_ENDPOINT", stub.url)
        monkeypatch.setenv("MODELSCOPE_ENDPOINT", stub.url)
        yield stub


@pytest.fixture
def data_yaml(tmp_path: Path) -> Path:
    """A registry with a model and a dataset and no place yet."""
    path = tmp_path / "data.yaml"
    path.write_text(FILE.format(local=tmp_path / "local", remote=tmp_path / "remote"), encoding="utf-8")
    return path


@pytest.fixture
def read(data_yaml: Path) -> Callable[[], RegistryFile]:
    """The registry as it is now."""
    return lambda: RegistryFile(load_registry(data_yaml), data_yaml, data_yaml)


@pytest.fixture
def local(read: Callable[[], RegistryFile], archive: Path, tmp_path: Path) -> Machine:
    """This machine."""
    server = Server(name="local", kind="local")
    host = LocalHost(server.name, str(tmp_path / "host"))
    return asset_machine(host, server, ensure_runner(host, archive), read().registry.defaults, 17892)


@pytest.fixture
def other(local: Machine, read: Callable[[], RegistryFile]) -> Machine:
    """A server ``npu-a``: everything goes through ``Place``, nothing is read as a file of this machine."""
    return replace(local, server="npu-a", here=False, root=read().registry.defaults.remote_root)
