"""``SshHost``: a server over ssh as a host (formal-case.md 6.1). The protocol is synchronous; the link is not."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, Literal

from autoresearch.errors import InfrastructureError
from autoresearch.hosts import ssh_files
from autoresearch.hosts.config import Server
from autoresearch.hosts.protocol import Done, Left, Tunnel
from autoresearch.hosts.shell import READ_MANY, detached, quoted
from autoresearch.hosts.ssh_link import SshLink, SshOptions

TIMED_OUT = 124


class SshHost:
    """A server. Opened by the constructor, which raises ``HostUnreachable``, or ``RefusedError`` for host key and
    login; a context manager."""

    kind: Literal["local", "ssh"] = "ssh"

    def __init__(self, server: Server, options: SshOptions | None = None) -> None:
        self.name = server.name
        self.workdir = server.workdir.rstrip("/")
        self.python = "python3"
        self.link = SshLink(server, options or SshOptions())
        try:
            self.link.call(self.link.open())
        except BaseException:
            self.link.close()
            raise

    def __enter__(self) -> SshHost:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def run(
        self,
        argv: Sequence[str],
        *,
        timeout: float | None = 60.0,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
    ) -> Done:
        """See ``Place.run``. ``PATH`` and shell are those of the login."""
        exit_code, out, errors = self.link.call(self._run(quoted(argv, env=env, cwd=cwd), timeout))
        return Done(exit_code, out.decode("utf-8", "replace"), errors.decode("utf-8", "replace"))

    async def _run(self, line: str, timeout: float | None) -> tuple[int, bytes, bytes]:
        ssh = self.link.ssh
        connection = await self.link.connection()
        try:
            process = await connection.create_process(line, encoding=None, stdin=ssh.DEVNULL)
        except (OSError, ssh.Error) as error:
            raise self.link.lost(error) from error
        try:
            out, errors = await asyncio.wait_for(process.communicate(), timeout)
        except TimeoutError:
            process.kill()
            process.close()
            return TIMED_OUT, b"", f"ended after {timeout} s".encode()
        if process.exit_status is None:
            raise self.link.lost(ConnectionError("no exit status"))
        return _exit_code(process), out or b"", errors or b""

    def put(self, source: Path, target: str) -> None:
        """See ``Place.put``."""
        self.link.call(ssh_files.put(self.link, source, target))

    def get_tree(
        self, source: str, target: Path, *, exclude: Sequence[str] = (), max_bytes: int | None = None
    ) -> list[Left]:
        """See ``Host.get_tree``."""
        work = ssh_files.get_tree(self.link, source, target, exclude=exclude, max_bytes=max_bytes)
        return self.link.call(work)

    def spawn_detached(self, argv: Sequence[str], *, log: str) -> None:
        """See ``Host.spawn_detached``."""
        done = self.run(detached(argv, log), timeout=30.0)
        if not done.ok:
            raise InfrastructureError(f"{argv[0]} was not started on {self.name}: {done.stderr.strip()}")

    def read_small(self, path: str, limit: int = 1 << 20) -> bytes | None:
        """See ``Place.read_small``."""
        exit_code, out, _ = self.link.call(self._run(quoted(["head", "-c", str(limit), "--", path]), 60.0))
        return out if exit_code == 0 else None

    def read_many(self, paths: Sequence[str], limit: int = 1 << 20) -> list[bytes | None]:
        """See ``Host.read_many``."""
        argv = ["sh", "-c", READ_MANY, "sh", str(limit), *paths]
        exit_code, out, errors = self.link.call(self._run(quoted(argv), 60.0))
        lines = out.decode("ascii", "replace").split("\n")[:-1]
        if exit_code or len(lines) != len(paths):
            raise InfrastructureError(f"{self.name}: files cannot be read: {errors.decode('utf-8', 'replace').strip()}")
        return [base64.b64decode(line[1:]) if line.startswith("+") else None for line in lines]

    def kill_group(self, group: int, signal_name: Literal["TERM", "KILL", "INT"]) -> None:
        """See ``Host.kill_group``."""
        self.run(["kill", f"-{signal_name}", "--", f"-{group}"])

    def forward(self, name: str, target: tuple[str, int], wanted_port: int) -> Tunnel:
        """See ``Host.forward``. Raises ``RefusedError`` when the server forwards nothing."""
        return self.link.call(self.link.forward(name, target, wanted_port))

    def tunnels(self) -> list[Tunnel]:
        """See ``Host.tunnels``."""
        return self.link.forwards()

    def free_space(self, path: str) -> int:
        """See ``Place.free_space``."""
        return self.link.call(self._free_space(PurePosixPath(path)))

    async def _free_space(self, path: PurePosixPath) -> int:
        ssh = self.link.ssh
        sftp = await self.link.sftp()
        for place in (path, *path.parents):
            try:
                facts: Any = await sftp.statvfs(str(place))
            except ssh.SFTPNoSuchFile:
                continue
            except (OSError, ssh.Error) as error:
                raise self.link.lost(error) from error
            return int(facts.bavail) * int(facts.frsize)
        raise InfrastructureError(f"{self.name}: {path} is on no file system")

    def close(self) -> None:
        """See ``Host.close``."""
        self.link.close()


def _exit_code(process: Any) -> int:
    """The exit code; minus the signal's number where the server names one."""
    import signal

    if process.exit_signal is not None:
        number = getattr(signal, f"SIG{process.exit_signal[0]}", None)
        return -int(number) if number is not None else -1
    return int(process.exit_status)
