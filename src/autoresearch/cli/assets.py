"""``autoresearch assets``: models and datasets, and the machines that hold them (formal-case.md 16)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from cyclopts import App

from autoresearch.cli.outcome import Outcome
from autoresearch.progress import event

if TYPE_CHECKING:
    from autoresearch.assets.machine import Machine
    from autoresearch.assets.registry import RegistryFile

app = App(name="assets", help="Models and datasets: list, discover, fetch, register, verify.")
LOG_NAME = "assets.log.jsonl"


class Opened(NamedTuple):
    """What a command works on."""

    file: RegistryFile
    machine: Machine
    sender: Machine | None
    """This machine, where ``machine`` is another."""


def _registry(config: Path | None, data_config: Path | None) -> RegistryFile:
    from autoresearch.assets.registry import open_registry
    from autoresearch.hosts.config import find_config

    file = open_registry(data_config, find_config(config))
    note = file.note()
    if note is not None:
        event("assets", note, "warning")
    return file


@contextmanager
def _opened(
    config: Path | None, data_config: Path | None, server: str | None, *, online: bool = False
) -> Iterator[Opened]:
    """Registry and machine; ``server`` None is this machine. Without ``online`` no tunnel is opened."""
    from autoresearch.cli.check import runner_archive
    from autoresearch.hosts import open_host
    from autoresearch.hosts.asset_machine import asset_machine
    from autoresearch.hosts.config import LOCAL, Server, load
    from autoresearch.hosts.rows import ensure_runner

    known = load(config)
    file = _registry(config, data_config)
    local = Server(name=LOCAL, kind="local")
    wanted = local if server in (None, LOCAL) else known.server(str(server))
    with ExitStack() as stack:
        archive = stack.enter_context(runner_archive())

        def machine(one: Server) -> Machine:
            host = stack.enter_context(open_host(one))
            runner = ensure_runner(host, archive)
            port = known.network.remote_proxy_port
            return asset_machine(host, one, runner, file.registry.defaults, port, online=online)

        target = machine(wanted)
        yield Opened(file, target, None if target.here or not online else machine(local))


@app.command(name="list")
def list_command(*, config: Path | None = None, data_config: Path | None = None) -> Outcome:
    """Every asset and every place that holds it, with status, size, commit and age. Nothing is looked at.

    Example: autoresearch assets list

    Parameters
    ----------
    config
        The config file; data.yaml lies beside it.
    data_config
        The registry; by default data.yaml beside the config, then ./config/data.yaml.
    """
    from autoresearch.assets.register import list_places

    file = _registry(config, data_config)
    rows = list_places(file)
    discovered = [each.model_dump(mode="json") for each in file.registry.discovered_large_assets]
    read = str(file.read_from) if file.read_from is not None else None
    return Outcome({"file": str(file.path), "read_from": read, "assets": rows, "discovered": discovered})


@app.command
def discover(*, server: str | None = None, config: Path | None = None, data_config: Path | None = None) -> Outcome:
    """Search a server for large folders of models and data and list them in data.yaml. None is used until registered.

    Example: autoresearch assets discover --server npu-a

    Parameters
    ----------
    server
        Name of a server of the config; this machine by default.
    config
        The config file; data.yaml lies beside it.
    data_config
        The registry; by default data.yaml beside the config, then ./config/data.yaml.
    """
    from autoresearch.assets.discover import discover as search
    from autoresearch.assets.write_back import record_discovered

    with _opened(config, data_config, server) as opened:
        found = search(opened.machine)
        new = None if opened.file.is_example else record_discovered(opened.file.path, opened.machine.server, found)
    listed = [each.model_dump(mode="json") for each in found]
    return Outcome({"server": opened.machine.server, "found": listed, "new": new, "written": new is not None})


@app.command
def fetch(
    name: str,
    *,
    server: str | None = None,
    offline: bool = False,
    verify_assets: bool = False,
    log: Path | None = None,
    config: Path | None = None,
    data_config: Path | None = None,
) -> Outcome:
    """Make an asset ready on a server: its registered place, what is there already, ModelScope, Hugging Face, both
    through the proxy, download here and send. Every file is hashed; what was begun goes on.

    Example: autoresearch assets fetch Qwen/Qwen3.5-2B --server npu-a

    Parameters
    ----------
    name
        Key or canonical id of an entry of data.yaml.
    server
        Name of a server of the config; this machine by default.
    offline
        Ask no hub and no proxy; say what would be needed.
    verify_assets
        Hash every file anew, whatever is remembered.
    log
        Where each try goes as a line; assets.log.jsonl beside data.yaml by default.
    config
        The config file; data.yaml lies beside it.
    data_config
        The registry; by default data.yaml beside the config, then ./config/data.yaml.
    """
    from autoresearch.assets.acquire import acquire
    from autoresearch.assets.placing import AssetLog

    with _opened(config, data_config, server, online=not offline) as opened:
        tries = AssetLog(log or opened.file.path.with_name(LOG_NAME))
        asset = acquire(
            opened.file,
            name,
            opened.machine,
            sender=opened.sender,
            log=tries,
            offline=offline,
            verify=verify_assets,
        )
    first_seen = list(asset.first_seen)
    return Outcome({"asset": asset.key, **asset.as_lock(), "first_seen": first_seen, "log": str(tries.path)})


@app.command
def register(
    name: str,
    *,
    path: str,
    server: str | None = None,
    canonical_id: str | None = None,
    kind: Literal["model", "dataset"] | None = None,
    config: Path | None = None,
    data_config: Path | None = None,
) -> Outcome:
    """Verify a folder that is on a server, hash it, and name it in data.yaml as the place of an asset.

    Example: autoresearch assets register qwen3.5-2b --server npu-a --path /data/models/Qwen__Qwen3.5-2B

    Parameters
    ----------
    name
        Key or canonical id of an entry; with --canonical-id the key of a new one.
    path
        The folder, absolute.
    server
        Name of a server of the config; this machine by default.
    canonical_id
        org/name of a new entry.
    kind
        model or dataset, for a new entry; a folder with config.json is a model by default.
    config
        The config file; data.yaml lies beside it.
    data_config
        The registry; by default data.yaml beside the config, then ./config/data.yaml.
    """
    from autoresearch.assets.register import register as name_folder

    with _opened(config, data_config, server) as opened:
        place = str(Path(path).expanduser().absolute()) if opened.machine.here else path
        asset = name_folder(opened.file, opened.machine, name, place, kind=kind, canonical_id=canonical_id)
    return Outcome({"asset": asset.key, **asset.as_lock(), "file": str(opened.file.path)})


@app.command
def verify(
    *names: str, server: str | None = None, config: Path | None = None, data_config: Path | None = None
) -> Outcome:
    """Hash registered assets of a server anew and write what they are: ready, stale or missing. Exit 1 if one is not
    ready.

    Example: autoresearch assets verify qwen3.5-2b --server npu-a

    Parameters
    ----------
    names
        Keys or canonical ids; every asset with a place on the server by default.
    server
        Name of a server of the config; this machine by default.
    config
        The config file; data.yaml lies beside it.
    data_config
        The registry; by default data.yaml beside the config, then ./config/data.yaml.
    """
    from autoresearch.assets.register import verify as check
    from autoresearch.assets.register import wanted_on

    with _opened(config, data_config, server) as opened:
        wanted = names or tuple(wanted_on(opened.file, opened.machine.server))
        results = [check(opened.file, opened.machine, name) for name in wanted]
    ok = all(result["ok"] for result in results)
    findings = [item for result in results for item in result.pop("findings")]
    return Outcome({"server": opened.machine.server, "ok": ok, "assets": results, "findings": findings}, 0 if ok else 1)
