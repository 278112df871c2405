"""Files over SFTP: resumed by size and hash, ``*.partial`` then rename, four at a time (formal-case.md 6.1, 16)."""

from __future__ import annotations

import asyncio
import hashlib
import os
import stat
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from autoresearch.errors import InfrastructureError
from autoresearch.files import sha256_file
from autoresearch.hosts.protocol import HostUnreachable, Left
from autoresearch.hosts.selection import reason_to_leave
from autoresearch.hosts.shell import quoted
from autoresearch.hosts.ssh_link import SshLink

BLOCK = 1 << 22
PARALLEL = 4
RESUME_FROM = 1 << 20
"""A partial file smaller than this is not worth a question; it is begun again."""
RECONNECT_SECONDS = 300.0
HASH_SECONDS = 3600.0


async def _hash_there(link: SshLink, path: str, size: int | None = None) -> str | None:
    """sha256 of a file on the host, or of its first ``size`` bytes; None where there is none."""
    connection = await link.connection()
    line = quoted(["sha256sum", "--", path]) if size is None else f"head -c {size} {quoted([path])[5:]} | sha256sum"
    done = await asyncio.wait_for(connection.run(line, check=False), HASH_SECONDS)
    words = str(done.stdout).lstrip("\\").split()
    return words[0] if done.exit_status == 0 and words and len(words[0]) == 64 else None


def hash_here(path: Path, size: int) -> str:
    """sha256 of the first ``size`` bytes of a file here."""
    digest = hashlib.sha256()
    with path.open("rb") as handle:
        while size > 0:
            block = handle.read(min(size, 1 << 20))
            if not block:
                break
            digest.update(block)
            size -= len(block)
    return digest.hexdigest()


async def put(link: SshLink, source: Path, target: str) -> None:
    """Send a file or the files below a folder. A lost connection is waited for (5 min) and the file goes on from
    where it was. Raises ``InfrastructureError`` when what arrived has another hash."""
    if source.is_file():
        pairs = [(source, target)]
    elif source.is_dir():
        files = sorted(path for path in source.rglob("*") if path.is_file())
        pairs = [(path, f"{target}/{path.relative_to(source).as_posix()}") for path in files]
    else:
        raise InfrastructureError(f"{source} is no file and no folder")
    gate = asyncio.Semaphore(PARALLEL)

    async def one(path: Path, goal: str) -> None:
        async with gate:
            await _again(link, lambda: _put_file(link, path, goal))

    await asyncio.gather(*(one(path, goal) for path, goal in pairs))


async def _again(link: SshLink, work: Any) -> Any:
    """Do ``work``; when the connection breaks in it, wait for the next one and do it again, as long as it comes."""
    while True:
        connects = link.connects
        try:
            return await work()
        except HostUnreachable:
            await link.wait_connected(RECONNECT_SECONDS)
            if link.connects == connects:
                raise


async def _put_file(link: SshLink, path: Path, target: str) -> None:
    ssh = link.ssh
    sftp = await link.sftp()
    size = path.stat().st_size
    partial = target + ".partial"
    try:
        there = await _size_there(ssh, sftp, target)
        if there == size and await _hash_there(link, target) == sha256_file(path):
            return
        await sftp.makedirs(str(PurePosixPath(target).parent), exist_ok=True)
        start = await _size_there(ssh, sftp, partial) or 0
        if not RESUME_FROM <= start <= size or await _hash_there(link, partial, start) != hash_here(path, start):
            start = 0
        async with await sftp.open(partial, "r+b" if start else "wb") as remote:
            with path.open("rb") as handle:
                handle.seek(start)
                offset = start
                while block := handle.read(BLOCK):
                    await remote.write(block, offset)
                    offset += len(block)
        if await _hash_there(link, partial) != sha256_file(path):
            await sftp.remove(partial)
            raise InfrastructureError(
                f"{link.server.name}:{target}: what arrived has another sha256 than {path.name}; check the disk there"
            )
        await sftp.chmod(partial, stat.S_IMODE(path.stat().st_mode) | 0o600)
        await sftp.posix_rename(partial, target)
    except (ssh.SFTPConnectionLost, ssh.SFTPNoConnection, ssh.ConnectionLost, ssh.ChannelOpenError) as error:
        raise link.lost(error) from error
    except ssh.SFTPError as error:
        raise InfrastructureError(f"{link.server.name}:{target} cannot be written: {error.reason}") from error
    except OSError as error:
        raise link.lost(error) from error


async def _size_there(ssh: Any, sftp: Any, path: str) -> int | None:
    try:
        return int((await sftp.stat(path)).size)
    except ssh.SFTPNoSuchFile:
        return None


async def get_tree(
    link: SshLink, source: str, target: Path, *, exclude: Sequence[str], max_bytes: int | None
) -> list[Left]:
    """Bring the files below ``source``; what did not come, with its reason. Local ``OSError`` is raised as it is."""
    left: list[Left] = []
    wanted: list[tuple[str, Any]] = []
    sftp = await link.sftp()
    ssh = link.ssh
    try:
        await _list(ssh, sftp, source, "", wanted, left, exclude, max_bytes)
    except (ssh.SFTPConnectionLost, ssh.SFTPNoConnection, ssh.ConnectionLost) as error:
        raise link.lost(error) from error
    gate = asyncio.Semaphore(PARALLEL)

    async def one(relative: str, facts: Any) -> None:
        async with gate:
            reason = await _again(link, lambda: _get_file(link, f"{source}/{relative}", target / relative, facts))
            if reason is not None:
                left.append(Left(relative, int(facts.size), reason))

    await asyncio.gather(*(one(relative, facts) for relative, facts in wanted))
    return sorted(left, key=lambda each: each.path)


async def _list(
    ssh: Any,
    sftp: Any,
    root: str,
    below: str,
    wanted: list[tuple[str, Any]],
    left: list[Left],
    exclude: Sequence[str],
    max_bytes: int | None,
) -> None:
    try:
        entries = [entry async for entry in sftp.scandir(f"{root}/{below}" if below else root)]
    except (ssh.SFTPPermissionDenied, ssh.SFTPNoSuchFile) as error:
        left.append(Left(below or ".", None, f"not readable: {error.reason}"))
        return
    for entry in sorted(entries, key=lambda each: str(each.filename)):
        if entry.filename in (".", ".."):
            continue
        relative = f"{below}/{entry.filename}" if below else str(entry.filename)
        kind = stat.S_IFMT(entry.attrs.permissions or 0)
        if kind == stat.S_IFDIR:
            await _list(ssh, sftp, root, relative, wanted, left, exclude, max_bytes)
        elif kind != stat.S_IFREG:
            left.append(Left(relative, None, "a link" if kind == stat.S_IFLNK else "no regular file"))
        else:
            reason = reason_to_leave(relative, int(entry.attrs.size), exclude=exclude, max_bytes=max_bytes)
            if reason is None:
                wanted.append((relative, entry.attrs))
            else:
                left.append(Left(relative, int(entry.attrs.size), reason))


async def _get_file(link: SshLink, path: str, target: Path, facts: Any) -> str | None:
    ssh = link.ssh
    if target.is_file():
        have = target.stat()
        if have.st_size == facts.size and int(have.st_mtime) == int(facts.mtime):
            return None
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(target.name + ".partial")
    sftp = await link.sftp()
    try:
        start = partial.stat().st_size if partial.is_file() else 0
        if not RESUME_FROM <= start <= facts.size or await _hash_there(link, path, start) != hash_here(partial, start):
            start = 0
        async with await sftp.open(path, "rb") as remote:
            with partial.open("r+b" if start else "wb") as handle:
                handle.seek(start)
                offset = start
                while block := await remote.read(BLOCK, offset):
                    handle.write(block)
                    offset += len(block)
                handle.truncate()
    except (ssh.SFTPConnectionLost, ssh.SFTPNoConnection, ssh.ConnectionLost, ssh.ChannelOpenError) as error:
        raise link.lost(error) from error
    except ssh.SFTPPermissionDenied:
        return "not readable"
    except ssh.SFTPNoSuchFile:
        return "gone while it was read"
    except ssh.SFTPError as error:
        return f"not readable: {error.reason}"
    os.utime(partial, (facts.atime or facts.mtime, facts.mtime))
    partial.replace(target)
    return None
