"""Is this the server that was pinned? Host keys of the config and of ``known_hosts`` (formal-case.md 6.1).

A key that nobody pinned is ``V301``, another one than the pinned is ``V302``; both print the fingerprint and the YAML
line to add, and nothing is ever accepted on first sight.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from autoresearch.errors import RefusedError
from autoresearch.findings import finding
from autoresearch.hosts.config import Server


class KeyJudge:
    """Judges the keys that one server shows during the attempts to connect to it."""

    def __init__(self, server: Server, known_hosts: Path) -> None:
        self.server = server
        self.known_hosts = known_hosts
        self.pinned = server.host_key.rstrip("=") if server.host_key else None
        self.seen: str | None = None
        """Fingerprint of the first key that was shown and not accepted."""
        self.known_before = False
        """``known_hosts`` holds other keys for this server."""

    def trusted(self) -> Any:
        """What asyncssh takes as known: nothing where the config pins a key, else the user's file."""
        if self.pinned is not None or not self.known_hosts.is_file():
            return ([], [], [])
        return str(self.known_hosts)

    def client_factory(self, ssh: Any) -> Any:
        """The client whose host-key question is answered here; asked only for keys that are not known."""
        judge = self

        class Client(ssh.SSHClient):  # type: ignore[misc]
            def validate_host_public_key(self, host: str, addr: str, port: int, key: Any) -> bool:
                return judge.accepts(ssh, host, addr, port, key)

        return Client

    def accepts(self, ssh: Any, host: str, addr: str, port: int, key: Any) -> bool:
        """True for the pinned key only; the first other key is remembered for the message."""
        fingerprint = str(key.get_fingerprint("sha256")).rstrip("=")
        if fingerprint == self.pinned:
            return True
        self.seen = self.seen or fingerprint
        if self.pinned is None and self.known_hosts.is_file():
            known = ssh.match_known_hosts(str(self.known_hosts), host, addr, port if port != 22 else None)
            self.known_before = self.known_before or bool(known[0])
        return False

    def refusal(self) -> RefusedError:
        """The error for what was seen, with the line that would pin it."""
        line = f'host_key: "{self.seen}"'
        if self.pinned is not None or self.known_before:
            before = f"the pinned key is {self.pinned}" if self.pinned else f"{self.known_hosts.name} holds another key"
            item = finding(
                "V302",
                place=self.server.name,
                value=self.seen or "",
                rule=f"is the key that the server shows, {before}: it was reinstalled, or it is not the same server",
                remedy=f"ask who runs it; if it is right, write under this server: {line}",
            )
        else:
            item = finding(
                "V301",
                place=self.server.name,
                value=self.seen or "",
                rule="is a host key that nobody has pinned",
                remedy=f"compare it with `ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub` on the server, then write"
                f" under this server: {line}",
            )
        return RefusedError(item.message(), [item])
