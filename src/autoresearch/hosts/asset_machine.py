"""An open host as a ``Machine`` of ``assets/``: runner, place of the hub clients, proxy (formal-case.md 16)."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from autoresearch.assets.machine import Machine
from autoresearch.assets.registry import Defaults
from autoresearch.hosts.config import Server
from autoresearch.hosts.containers import DOCKER
from autoresearch.hosts.host_checks import ask_runner
from autoresearch.hosts.network_checks import address
from autoresearch.hosts.protocol import Host


def asset_machine(
    host: Host, server: Server, runner: str, defaults: Defaults, remote_proxy_port: int, *, online: bool = True
) -> Machine:
    """``runner`` is the archive on the host. With a proxy, its reverse tunnel is opened for as long as the host is.

    The hub clients run in the server's image where rows do, else in the host's Python. Other folders or another proxy
    than the registry's are given by a changed copy of its ``defaults``.
    """
    here = host.kind == "local"
    proxy = defaults.proxy_url or None
    if proxy and not here and online:
        proxy = f"http://127.0.0.1:{host.forward('proxy', address(proxy), remote_proxy_port).remote_port}"
    return Machine(
        place=host,
        server=server.name,
        here=here,
        root=str(Path(defaults.local_root).expanduser()) if here else defaults.remote_root,
        ask=partial(ask_runner, host, runner),
        client=partial(client_command, host, server, defaults.remote_root),
        proxy=proxy,
    )


def client_command(host: Host, server: Server, root: str, folder: str) -> list[str]:
    """Command line before a Python program that asks hubs and writes into ``folder``."""
    if server.container == "none" or host.kind == "local":
        return [host.python]
    mounts = [f"--volume={path}:{path}" for path in dict.fromkeys([root, folder])]
    return [DOCKER, "run", "--rm", "--network=host", *mounts, "--entrypoint", "python3", str(server.image)]
