"""A server over ssh, against a real sshd: commands, files, host keys, tunnels, loss and return (formal-case.md 6.1)."""

from __future__ import annotations

import hashlib
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import ssh_server
from ssh_server import SshServer, free_port

from autoresearch.assets.settings import build_settings
from autoresearch.errors import RefusedError
from autoresearch.hosts.config import Server
from autoresearch.hosts.protocol import HostUnreachable
from autoresearch.hosts.ssh import SshHost
from autoresearch.hosts.ssh_link import SshOptions

pytestmark = [pytest.mark.services, pytest.mark.skipif(not ssh_server.PRESENT, reason=ssh_server.WHY_NOT)]


@pytest.fixture
def sshd(tmp_path: Path) -> Iterator[SshServer]:
    server = SshServer(tmp_path / "sshd")
    server.start()
    yield server
    server.kill_all()


Open = Callable[..., SshHost]


@pytest.fixture
def connect(sshd: SshServer, tmp_path: Path) -> Iterator[Open]:
    """Opens hosts on the test's sshd; keywords change the server's settings."""
    opened: list[SshHost] = []

    def connect(**changes: Any) -> SshHost:
        server = build_settings(Server, sshd.server_settings(tmp_path / "host", **changes), "config.yaml")
        options = SshOptions(sshd.known_hosts, tmp_path / "no-ssh-config", keepalive_seconds=0.5, pause_last=1.0)
        opened.append(SshHost(server, options))
        return opened[-1]

    yield connect
    for host in opened:
        host.close()


def until(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def answers(host: SshHost) -> bool:
    try:
        return host.run(["true"]).ok
    except HostUnreachable:
        return False


def test_commands_keep_their_words_environment_folder_and_exit_code(connect: Open, tmp_path: Path) -> None:
    host = connect()
    hostile = ["a b", "$(touch pwned)", "'", '"', ";", "新", ""]
    done = host.run(["printf", "%s|", *hostile, "-"], cwd=str(tmp_path), env={"X": "1 2"})
    assert done.stdout == "|".join([*hostile, "-"]) + "|" and done.exit_code == 0
    assert host.run(["sh", "-c", 'echo "$X"; echo err >&2; exit 7'], env={"X": "1 2"}) == (7, "1 2\n", "err\n")
    assert host.run(["no-such-program"]).exit_code == 127
    assert host.run(["sh", "-c", "kill -9 $$"]).exit_code == -9
    assert not (tmp_path / "pwned").exists()


def test_a_command_that_takes_too_long_is_exit_code_124_and_the_host_goes_on(connect: Open) -> None:
    host = connect()
    assert host.run(["sleep", "30"], timeout=0.3).exit_code == 124
    assert host.run(["true"]).ok


def test_what_was_spawned_detached_has_its_own_session_and_outlives_the_connection(
    connect: Open, sshd: SshServer, tmp_path: Path
) -> None:
    host = connect()
    began = time.monotonic()
    words = ["sh", "-c", "echo $$ $(ps -o sid= -p $$); exec sleep 20"]
    host.spawn_detached(words, log=str(tmp_path / "log"))
    assert time.monotonic() - began < 20
    until(lambda: (tmp_path / "log").exists() and len((tmp_path / "log").read_text().split()) == 2)
    pid, session = map(int, (tmp_path / "log").read_text().split())
    assert pid == session
    sshd.kill_all()
    assert Path(f"/proc/{pid}").exists()
    sshd.start()
    until(lambda: answers(host))
    host.kill_group(pid, "KILL")
    until(lambda: not Path(f"/proc/{pid}").exists())


def test_small_files_are_read_up_to_their_limit_and_absent_ones_are_none(connect: Open, tmp_path: Path) -> None:
    host = connect()
    (tmp_path / "x").write_bytes(b"\x00\xff" * 50)
    assert host.read_small(str(tmp_path / "x"), 3) == b"\x00\xff\x00"
    assert host.read_small(str(tmp_path / "absent")) is None
    many = host.read_many(["/proc/uptime", str(tmp_path / "absent"), str(tmp_path / "x"), str(tmp_path)], 4)
    assert many[1:] == [None, b"\x00\xff\x00\xff", None] and len(many[0] or b"") == 4
    free = host.free_space(str(tmp_path / "not" / "yet"))
    assert abs(free - os.statvfs(tmp_path).f_bavail * os.statvfs(tmp_path).f_frsize) < 1 << 30


# Host keys ---------------------------------------------------------------------------------------------------------


def test_a_pinned_fingerprint_lets_in_and_a_known_hosts_line_does_too(connect: Open, sshd: SshServer) -> None:
    assert connect().run(["true"]).ok
    sshd.know()
    assert connect(host_key=None).run(["true"]).ok


def test_an_unknown_key_is_refused_with_fingerprint_and_the_line_to_add(connect: Open, sshd: SshServer) -> None:
    with pytest.raises(RefusedError) as refused:
        connect(host_key=None)
    assert refused.value.findings[0].code == "V301"
    assert f'host_key: "{sshd.fingerprint()}"' in refused.value.message
    assert not sshd.known_hosts.exists()


@pytest.mark.parametrize("pinned", [True, False])
@pytest.mark.parametrize("kind", ["ed25519", "ecdsa"])
def test_a_changed_key_is_refused_whoever_pinned_the_old_one(
    connect: Open, sshd: SshServer, pinned: bool, kind: str
) -> None:
    sshd.know()
    before = sshd.fingerprint()
    sshd.kill_all()
    after = sshd.new_host_key(kind)
    sshd.start()
    with pytest.raises(RefusedError) as refused:
        connect(host_key=before if pinned else None)
    assert refused.value.findings[0].code == "V302" and after in refused.value.message


def test_a_pinned_key_is_found_among_the_keys_of_a_server_that_prefers_another(tmp_path: Path) -> None:
    server = SshServer(tmp_path / "two", settings=f"HostKey {tmp_path}/two/other_key\n")
    ssh_server._keygen(tmp_path / "two" / "other_key", "ecdsa")
    (tmp_path / "two" / "host_key.pub").rename(tmp_path / "two" / "first.pub")
    (tmp_path / "two" / "host_key.pub").write_bytes((tmp_path / "two" / "other_key.pub").read_bytes())
    pin = server.fingerprint()
    (tmp_path / "two" / "first.pub").rename(tmp_path / "two" / "host_key.pub")
    server.start()
    try:
        settings = build_settings(Server, server.server_settings(tmp_path, host_key=pin), "c")
        with SshHost(settings, SshOptions(server.known_hosts, tmp_path / "none")) as host:
            assert host.run(["true"]).ok
    finally:
        server.kill_all()


def test_a_refused_login_is_an_answer_and_is_not_tried_again(connect: Open, sshd: SshServer, tmp_path: Path) -> None:
    ssh_server._keygen(tmp_path / "stranger")
    with pytest.raises(RefusedError, match="refused the login"):
        connect(identity_file=str(tmp_path / "stranger"))
    assert (sshd.folder / "sshd.log").read_text().count("Connection from 127.0.0.1") <= 2


def test_a_host_that_is_not_there_is_unreachable(connect: Open) -> None:
    with pytest.raises(HostUnreachable, match="does not answer"):
        connect(port=free_port())


def test_hosts_ports_and_identities_of_the_users_ssh_config_are_honoured(sshd: SshServer, tmp_path: Path) -> None:
    config = tmp_path / "ssh_config"
    lines = ["Host npu-alias", "HostName 127.0.0.1", f"Port {sshd.port}", f"User {sshd.user}"]
    config.write_text("\n".join([*lines, f"IdentityFile {sshd.identity}", ""]))
    settings = sshd.server_settings(tmp_path, host="npu-alias", host_key=None)
    for key in ("port", "user", "identity_file"):
        settings.pop(key)
    sshd.know()
    with SshHost(build_settings(Server, settings, "c"), SshOptions(sshd.known_hosts, config)) as host:
        assert host.run(["true"]).ok


# Files -------------------------------------------------------------------------------------------------------------


def test_a_folder_is_sent_whole_and_not_again(connect: Open, tmp_path: Path) -> None:
    host, source, target = connect(), tmp_path / "from", tmp_path / "to"
    for number in range(9):
        path = source / f"d{number % 3}" / f"文件 {number}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(os.urandom(number * 70_000))
    host.put(source, str(target))
    sent = {path.relative_to(target): path.read_bytes() for path in target.rglob("*") if path.is_file()}
    assert sent == {path.relative_to(source): path.read_bytes() for path in source.rglob("*") if path.is_file()}
    times = {path: path.stat().st_mtime_ns for path in target.rglob("*")}
    host.put(source, str(target))
    assert {path: path.stat().st_mtime_ns for path in target.rglob("*")} == times


def test_a_partial_file_is_resumed_when_its_bytes_are_right_and_begun_again_when_not(
    connect: Open, tmp_path: Path
) -> None:
    host, source = connect(), tmp_path / "weights"
    source.write_bytes(os.urandom(6 << 20))
    whole = source.read_bytes()
    for start, same_bytes in ((whole[: 2 << 20], True), (b"wrong" * 500_000, False), (b"short", False)):
        target = tmp_path / f"to-{same_bytes}-{len(start)}"
        partial = target.with_name(target.name + ".partial")
        partial.write_bytes(start)
        before = partial.stat().st_ino
        host.put(source, str(target))
        assert target.read_bytes() == whole and not partial.exists() and target.stat().st_ino == before


def test_a_transfer_goes_on_after_the_connection_was_cut(connect: Open, sshd: SshServer, tmp_path: Path) -> None:
    host, source, target = connect(), tmp_path / "big", tmp_path / "to"
    with source.open("wb") as handle:
        for _ in range(60):
            handle.write(os.urandom(1 << 20))
    partial = tmp_path / "to.partial"
    work = threading.Thread(target=host.put, args=(source, str(target)))
    work.start()
    until(lambda: partial.exists() and partial.stat().st_size > 8 << 20)
    sshd.kill_all()
    cut_at = partial.stat().st_size
    sshd.start()
    work.join(60)
    assert cut_at < 60 << 20
    assert hashlib.sha256(target.read_bytes()).digest() == hashlib.sha256(source.read_bytes()).digest()
    assert host.link.connects == 2


def test_a_tree_is_brought_here_without_links_models_and_large_files_and_each_is_named(
    connect: Open, tmp_path: Path
) -> None:
    host, source, target = connect(), tmp_path / "row", tmp_path / "here"
    (source / "checkpoints").mkdir(parents=True)
    (source / "checkpoints" / "model.pt").write_bytes(b"x" * 5)
    (source / "rollouts").mkdir()
    (source / "rollouts" / "1.jsonl").write_text("{}\n")
    (source / "big.bin2").write_bytes(b"x" * 2000)
    (source / "big.log").write_bytes(b"x" * 2000)
    (source / "link").symlink_to("/etc/passwd")
    left = host.get_tree(str(source), target, exclude=["checkpoints"], max_bytes=1000)
    assert {(each.path, each.bytes) for each in left} == {
        ("checkpoints/model.pt", 5),
        ("big.bin2", 2000),
        ("link", None),
    }
    assert sorted(path.name for path in target.rglob("*") if path.is_file()) == ["1.jsonl", "big.log"]
    times = (target / "big.log").stat().st_mtime_ns
    host.get_tree(str(source), target, exclude=["checkpoints"], max_bytes=1000)
    assert (target / "big.log").stat().st_mtime_ns == times
    with (source / "big.log").open("ab") as handle:
        handle.write(b"more")
    os.utime(source / "big.log", (1, 1))
    host.get_tree(str(source), target, exclude=["checkpoints"], max_bytes=1000)
    assert (target / "big.log").read_bytes().endswith(b"more")


# Tunnels and loss --------------------------------------------------------------------------------------------------


class Service:
    """A service on this machine's loopback that answers every connection with one word."""

    def __init__(self) -> None:
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = int(self.socket.getsockname()[1])
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                client, _ = self.socket.accept()
            except OSError:
                return
            client.sendall(b"hello\n")
            client.close()


@pytest.fixture
def service() -> Iterator[Service]:
    made = Service()
    yield made
    made.socket.close()


def said(port: int) -> bytes:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=5.0) as client:
            client.settimeout(5.0)
            return client.recv(100)
    except OSError:
        return b""


def test_a_reverse_tunnel_reaches_the_service_and_a_used_port_moves_to_the_next(
    connect: Open, service: Service
) -> None:
    host = connect()
    wanted = free_port()
    with socket.create_server(("127.0.0.1", wanted)):
        tunnel = host.forward("pushgateway", ("127.0.0.1", service.port), wanted)
        assert tunnel.wanted_port == wanted < tunnel.remote_port <= wanted + 49
        assert said(tunnel.remote_port) == b"hello\n"
    host.close()
    until(lambda: said(tunnel.remote_port) == b"")


def test_fault_3_a_dropped_connection_comes_back_with_its_tunnels_at_their_ports(
    connect: Open, sshd: SshServer, service: Service
) -> None:
    host = connect()
    tunnel = host.forward("pushgateway", ("127.0.0.1", service.port), free_port())
    sshd.kill_all()
    until(lambda: not answers(host))
    with pytest.raises(HostUnreachable):
        host.run(["true"])
    assert host.tunnels()[0].remote_port == 0
    time.sleep(1.0)
    sshd.start()
    until(lambda: answers(host))
    until(lambda: said(tunnel.remote_port) == b"hello\n")
    assert host.tunnels()[0].remote_port == tunnel.remote_port and host.tunnels()[0].up_seconds > 0
    assert host.link.connects == 2


def test_fault_22_a_key_that_changes_while_we_are_away_is_refused_and_stays_refused(
    connect: Open, sshd: SshServer
) -> None:
    host = connect()
    sshd.kill_all()
    sshd.new_host_key()
    sshd.start()
    until(lambda: host.link.refusal is not None)
    for _ in range(2):
        with pytest.raises(RefusedError) as refused:
            host.run(["true"])
        assert refused.value.findings[0].code == "V302"
