"""Which reference of an image a lock gets: its own repository's digest, where the host knows several (6.4)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autoresearch.hosts.local import LocalHost
from autoresearch.hosts.stack_checks import image_digest

HERE, THERE = "sha256:" + "1" * 64, "sha256:" + "2" * 64
KNOWN = [f"mirror.example/verl@{THERE}", f"registry.example:5000/team/verl@{HERE}"]


@pytest.mark.parametrize(
    ("image", "known", "expected"),
    [
        ("registry.example:5000/team/verl:0.9.1", KNOWN, KNOWN[1]),
        ("registry.example:5000/team/verl", KNOWN, KNOWN[1]),
        (KNOWN[1], KNOWN, KNOWN[1]),
        ("verl:local", KNOWN, KNOWN[0]),
        ("verl:local", [], "sha256:id"),
        ("verl:gone", None, None),
    ],
)
def test_an_image_is_pinned_by_the_digest_of_its_own_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, image: str, known: list[str] | None, expected: str | None
) -> None:
    program = tmp_path / "bin" / "docker"
    program.parent.mkdir()
    answer = json.dumps([{"Id": "sha256:id", "RepoDigests": known}])
    program.write_text("#!/bin/sh\n" + ("exit 1\n" if known is None else f"echo '{answer}'\n"))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    with LocalHost("local", str(tmp_path / "host")) as host:
        assert image_digest(host, image) == expected
