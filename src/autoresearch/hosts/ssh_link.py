"""One connection to one server, kept alive: login, pinned host keys, reverse tunnels, reconnects (formal-case.md 6.1).

Everything runs on an event loop in a thread of its own; ``SshLink.call`` is the way in. A lost connection is opened
again with a pause that grows from 1 to 60 s, and its tunnels with it, at the ports they had. A refused login and a host
key that is not the pinned one end that: they are answers, not faults. asyncssh is imported here only, when it is used.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from autoresearch.errors import AutoResearchError, RefusedError, require
from autoresearch.hosts.config import Server
from autoresearch.hosts.host_keys import KeyJudge
from autoresearch.hosts.protocol import HostUnreachable, Tunnel

CONNECT_SECONDS = 10.0
KEEPALIVE_SECONDS = 15.0
KEEPALIVE_COUNT = 4
PAUSE_FIRST, PAUSE_LAST = 1.0, 60.0
PORTS_TRIED = 50
KEY_FAMILIES = (
    ["ssh-ed25519"],
    ["ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521"],
    ["rsa-sha2-512", "rsa-sha2-256"],
)
Answer = TypeVar("Answer")


@dataclass
class _Forward:
    name: str
    target: tuple[str, int]
    wanted_port: int
    port: int = 0
    listener: Any = None
    since: float | None = None
    up_seconds: float = 0.0

    def down(self) -> None:
        if self.since is not None:
            self.up_seconds += time.monotonic() - self.since
        self.listener, self.since = None, None

    def facts(self) -> Tunnel:
        up = self.up_seconds + (time.monotonic() - self.since if self.since is not None else 0.0)
        return Tunnel(self.name, self.target, self.wanted_port, self.port if self.since is not None else 0, up)


@dataclass
class SshOptions:
    """Where the user's own ssh files are; tests give their own."""

    known_hosts: Path = field(default_factory=lambda: Path("~/.ssh/known_hosts").expanduser())
    config: Path = field(default_factory=lambda: Path("~/.ssh/config").expanduser())
    keepalive_seconds: float = KEEPALIVE_SECONDS
    pause_last: float = PAUSE_LAST


class SshLink:
    """Holds the connection. ``connects`` counts how often it was opened."""

    def __init__(self, server: Server, options: SshOptions) -> None:
        self.server = server
        self.options = options
        self.connects = 0
        self.refusal: AutoResearchError | None = None
        self.failure = ""
        self.ssh = require("asyncssh", "hosts")
        self._connection: Any = None
        self._sftp: Any = None
        self._forwards: dict[str, _Forward] = {}
        self._closing = False
        self._keeper: asyncio.Task[None] | None = None
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name=f"ssh-{server.name}", daemon=True)
        self._thread.start()

    def call(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        """Run a coroutine on the link's loop and wait for it; Ctrl-C cancels it."""
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    async def open(self) -> None:
        """The first connection. Raises ``HostUnreachable``, or ``RefusedError`` for a key or a login."""
        await self._connect()
        self._keeper = asyncio.get_running_loop().create_task(self._keep())

    async def connection(self) -> Any:
        """The open connection. Raises ``HostUnreachable`` while there is none."""
        if self.refusal is not None:
            raise self.refusal
        if self._connection is None or self._connection.is_closed():
            raise HostUnreachable(f"{self.server.name} does not answer: {self.failure or 'the connection was lost'}")
        return self._connection

    async def sftp(self) -> Any:
        """The SFTP client of the open connection. Raises ``HostUnreachable``."""
        connection = await self.connection()
        if self._sftp is None:
            self._sftp = await connection.start_sftp_client()
        return self._sftp

    async def wait_connected(self, seconds: float) -> None:
        """Wait until the connection is back. Raises ``HostUnreachable`` when it is not, ``RefusedError`` at once."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                await self.connection()
                return
            except HostUnreachable:
                if time.monotonic() >= deadline:
                    raise
            await asyncio.sleep(0.2)

    def lost(self, error: BaseException) -> HostUnreachable:
        """The error of an operation during which the connection broke."""
        self.failure = str(error) or type(error).__name__
        return HostUnreachable(f"{self.server.name}: the connection was lost ({self.failure})")

    async def _connect(self) -> None:
        judge = KeyJudge(self.server, self.options.known_hosts)
        attempts: list[Any] = [()] if judge.pinned is None else [(), *KEY_FAMILIES]
        for algorithms in attempts:
            try:
                self._connection = await self._open_once(judge, algorithms)
                break
            except self.ssh.HostKeyNotVerifiable as error:
                if judge.seen is None:
                    raise self._refused(RefusedError(f"{self.server.name}: {error}")) from error
            except self.ssh.PermissionDenied as error:
                raise self._refused(_login_refused(self.server, str(error))) from error
            except (TimeoutError, OSError, self.ssh.Error) as error:
                broken_off = isinstance(error, (self.ssh.Error, ConnectionResetError))
                if judge.pinned is None and algorithms == () and broken_off:
                    attempts.append("default")  # perhaps the known key is of a kind that the server has no more
                elif judge.seen is None:
                    self.failure = str(error) or type(error).__name__
                    raise HostUnreachable(f"{self.server.name} does not answer: {self.failure}") from error
        else:
            raise self._refused(judge.refusal())
        self._sftp = None
        self.connects += 1
        await self._open_forwards()

    def _refused(self, error: AutoResearchError) -> AutoResearchError:
        self.refusal = error
        return error

    async def _open_once(self, judge: KeyJudge, algorithms: Any) -> Any:
        server = self.server
        given: dict[str, Any] = {}
        if server.port is not None:
            given["port"] = server.port
        if server.user is not None:
            given["username"] = server.user
        if server.identity_file is not None:
            given["client_keys"] = [str(Path(server.identity_file).expanduser())]
        if server.password is not None:
            given["password"] = server.password.resolve()
        if self.options.config.is_file():
            given["config"] = [str(self.options.config)]
        return await asyncio.wait_for(
            self.ssh.connect(
                server.host,
                client_factory=judge.client_factory(self.ssh),
                known_hosts=judge.trusted(),
                server_host_key_algs=algorithms,
                connect_timeout=CONNECT_SECONDS,
                login_timeout=CONNECT_SECONDS,
                keepalive_interval=self.options.keepalive_seconds,
                keepalive_count_max=KEEPALIVE_COUNT,
                **given,
            ),
            2 * CONNECT_SECONDS,
        )

    async def _keep(self) -> None:
        """Open the connection again whenever it is lost, until the link is closed or refused."""
        while not self._closing:
            await self._connection.wait_closed()
            for each in self._forwards.values():
                each.down()
            pause = PAUSE_FIRST
            while not self._closing:
                try:
                    await self._connect()
                    break
                except HostUnreachable:
                    await asyncio.sleep(pause)
                    pause = min(2 * pause, self.options.pause_last)
                except AutoResearchError as error:
                    self.refusal = error  # every later call raises it
                    return

    async def forward(self, name: str, target: tuple[str, int], wanted_port: int) -> Tunnel:
        """Open a reverse tunnel at the wanted port or the next free one."""
        await self.connection()
        self._forwards[name] = each = _Forward(name, target, wanted_port)
        await self._open_forward(each)
        return each.facts()

    def forwards(self) -> list[Tunnel]:
        """The tunnels as they are."""
        return [each.facts() for each in self._forwards.values()]

    async def _open_forwards(self) -> None:
        for each in self._forwards.values():
            await self._open_forward(each)

    async def _open_forward(self, each: _Forward) -> None:
        """A tunnel that had a port gets the same again (rows know it); a new one may move to the next free port."""
        ports = [each.port] if each.port else range(each.wanted_port, min(each.wanted_port + PORTS_TRIED, 65536))
        for port in ports:
            try:
                each.listener = await self._connection.forward_remote_port("127.0.0.1", port, *each.target)
            except self.ssh.ChannelListenError:
                continue
            except (OSError, self.ssh.Error) as error:
                raise self.lost(error) from error
            each.port, each.since = port, time.monotonic()
            return
        if not each.port:
            text = f"no port from {each.wanted_port} to {each.wanted_port + PORTS_TRIED - 1} is free for {each.name}"
            raise RefusedError(f"{self.server.name}: {text}; does its sshd allow remote forwarding?")
        asyncio.get_running_loop().create_task(self._open_later(each))

    async def _open_later(self, each: _Forward) -> None:
        """The server may hold the port of the lost connection for a while."""
        await asyncio.sleep(PAUSE_FIRST)
        if each.since is None and not self._closing and self._connection and not self._connection.is_closed():
            await self._open_forward(each)

    def close(self) -> None:
        """Close the connection and end the thread."""
        if self._closing:
            return
        self._closing = True
        self.call(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(CONNECT_SECONDS)
        self._loop.close()

    async def _close(self) -> None:
        if self._keeper is not None:
            self._keeper.cancel()
        for each in self._forwards.values():
            each.down()
        if self._connection is not None:
            self._connection.close()
            try:
                await asyncio.wait_for(self._connection.wait_closed(), 2.0)
            except (TimeoutError, self.ssh.Error, OSError):
                self._connection.abort()
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)


def _login_refused(server: Server, why: str) -> RefusedError:
    ways = "identity_file and user" if server.password is None else "user, identity_file and password"
    return RefusedError(f"{server.name} refused the login ({why}); check {ways} of the server; it is not tried again")
