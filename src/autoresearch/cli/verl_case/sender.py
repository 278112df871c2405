"""What the rows of a host read, below ``<workdir>/autoresearch/inputs``: sent under its hash and hashed there again
(formal-case.md 4.1, 6.4).
"""

from __future__ import annotations

import importlib.metadata
import shutil
import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autoresearch.files import tree_sha256

if TYPE_CHECKING:
    from autoresearch.assets.machine import Machine
    from autoresearch.cli.verl_case.call import CaseRun
    from autoresearch.hosts.protocol import Host

DIST_INFO = ("METADATA", "entry_points.txt", "WHEEL")


@dataclass(frozen=True)
class Sent:
    """A folder as rows read it."""

    path: str
    """On the host."""
    entry: dict[str, Any]
    """For the ``assets`` of the config lock."""


class Sender:
    """Sends folders to one host. In a dry run it names their places and sends nothing."""

    def __init__(self, call: CaseRun, host: Host) -> None:
        self.call, self.host = call, host
        self.root = f"{host.workdir}/autoresearch/inputs"

    @cached_property
    def machine(self) -> Machine:
        """The host as ``assets`` see it, with its memory of hashes beside what was sent."""
        from autoresearch.assets.registry import Defaults
        from autoresearch.hosts.asset_machine import asset_machine
        from autoresearch.hosts.rows import ensure_runner

        runner = ensure_runner(self.host, self.call.archive)
        network, server = self.call.config.network, self.call.config.server(self.host.name)
        defaults = Defaults(local_root=self.root, remote_root=self.root)
        return asset_machine(self.host, server, runner, defaults, network.remote_proxy_port, online=False)

    def send(
        self, role: str, source: Path, digest: str, exclude: Collection[str] = (), *, packed: bool = False
    ) -> Sent:
        """A folder of this machine on the host; ``packed``: as one file. Raises ``RefusedError`` (V108) where another
        tree has its name."""
        path = f"{self.root}/{role}-{digest[:16]}"
        entry = self._entry(role, source, path, digest)
        if not self.call.options.dry_run:
            from autoresearch.assets.sending import keep_tree

            fresh = self.call.options.verify_assets
            keep_tree(self.machine, source, path, digest, entry["bytes"], exclude, packed=packed, fresh=fresh)
        return Sent(path, entry)

    def stays(self, role: str, source: Path, digest: str) -> Sent:
        """A folder of this machine that rows read where it is."""
        return Sent(str(source), self._entry(role, source, str(source), digest))

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


@contextmanager
def packed_code() -> Iterator[tuple[Path, str]]:
    """This version as an unpacked wheel and its tree hash: the package and its ``dist-info``, which shows the plug-in
    to verl."""
    import autoresearch

    distribution = importlib.metadata.distribution("autoresearch")
    with tempfile.TemporaryDirectory() as scratch:
        tree = Path(scratch) / "code"
        source = Path(autoresearch.__file__).parent
        shutil.copytree(source, tree / "autoresearch", ignore=shutil.ignore_patterns("__pycache__"))
        about = tree / f"autoresearch-{distribution.version}.dist-info"
        about.mkdir()
        for part in DIST_INFO:
            text = distribution.read_text(part)
            if text is not None:
                (about / part).write_text(text, encoding="utf-8")
        yield tree, tree_sha256(tree)
