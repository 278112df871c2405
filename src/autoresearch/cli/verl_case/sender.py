"""What the rows of a host read, below ``<workdir>/autoresearch/inputs``: sent under its hash and hashed there again
(formal-case.md 4.1, 6.4).
"""

from __future__ import annotations

import importlib.metadata
import shutil
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from autoresearch.files import tree_sha256

if TYPE_CHECKING:
    from autoresearch.cli.verl_case.call import CaseRun
    from autoresearch.hosts.protocol import Host

DIST_INFO = ("METADATA", "entry_points.txt", "WHEEL")


@dataclass(frozen=True)
class Sent:
    """A folder as rows read it, and what has to be sent for that."""

    path: str
    """On the host."""
    entry: dict[str, Any]
    """For the ``assets`` of the config lock."""
    source: Path | None = None
    """Here; None where rows read the folder where it is."""
    exclude: Collection[str] = ()
    packed: bool = False
    """As one file, for many small ones."""


class Sender:
    """Names the places of folders on one host; nothing is sent before ``deliver``, so that a row that is refused costs
    nothing."""

    def __init__(self, call: CaseRun, host: Host) -> None:
        self.host = host
        self.root = f"{host.workdir}/autoresearch/inputs"
        self.scratch = call.archive.parent / "sending"
        """Folders that are made to be sent; kept as long as the call lasts."""

    def send(
        self, role: str, source: Path, digest: str, exclude: Collection[str] = (), *, packed: bool = False
    ) -> Sent:
        """A folder that is to lie on the host under its hash."""
        path = f"{self.root}/{role}-{digest[:16]}"
        return Sent(path, self._entry(role, source, path, digest), source, exclude, packed)

    def stays(self, role: str, source: Path, digest: str) -> Sent:
        """A folder of this machine that rows read where it is."""
        return Sent(str(source), self._entry(role, source, str(source), digest))

    def send_code(self) -> Sent:
        """This version as an unpacked wheel: the package and its ``dist-info``, which shows the plug-in to verl."""
        tree = self.scratch / "code"
        if not tree.exists():
            _unpack_wheel(tree)
        return self.send("code", tree, tree_sha256(tree), packed=True)

    def _entry(self, role: str, source: Path, path: str, digest: str) -> dict[str, Any]:
        sizes = [file.stat().st_size for file in source.rglob("*") if file.is_file()]
        place = "local" if self.host.kind == "local" else f"remotes.{self.host.name}"
        return {
            "role": role,
            "place": place,
            "path": path,
            "tree_sha256": digest,
            "files": len(sizes),
            "bytes": sum(sizes),
        }


def deliver(call: CaseRun, host: Host, folders: Iterable[Sent]) -> None:
    """Send what is not there yet, and hash all of it there. Raises ``RefusedError`` (V108) where another tree lies in
    a folder's place, ``InfrastructureError`` for a full disk."""
    waiting = [each for each in folders if each.source is not None]
    if not waiting:
        return
    from autoresearch.assets.registry import Defaults
    from autoresearch.assets.sending import keep_tree
    from autoresearch.hosts.asset_machine import asset_machine
    from autoresearch.hosts.rows import ensure_runner

    root = str(PurePosixPath(waiting[0].path).parent)
    runner, server = ensure_runner(host, call.archive), call.config.server(host.name)
    defaults, port = Defaults(local_root=root, remote_root=root), call.config.network.remote_proxy_port
    machine = asset_machine(host, server, runner, defaults, port, online=False)
    for each in waiting:
        assert each.source is not None
        digest, size, fresh = each.entry["tree_sha256"], each.entry["bytes"], call.options.verify_assets
        keep_tree(machine, each.source, each.path, digest, size, each.exclude, packed=each.packed, fresh=fresh)


def _unpack_wheel(tree: Path) -> None:
    import autoresearch

    distribution = importlib.metadata.distribution("autoresearch")
    source = Path(autoresearch.__file__).parent
    shutil.copytree(source, tree / "autoresearch", ignore=shutil.ignore_patterns("__pycache__"))
    about = tree / f"autoresearch-{distribution.version}.dist-info"
    about.mkdir()
    for part in DIST_INFO:
        text = distribution.read_text(part)
        if text is not None:
            (about / part).write_text(text, encoding="utf-8")
