"""The verdict file: written once, checked when read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autoresearch.errors import InputError, RefusedError
from autoresearch.verdict import make_verdict, read_verdict, read_verdicts, write_verdict


def test_verdict_round_trips_and_is_never_overwritten(tmp_path: Path) -> None:
    verdict = make_verdict(gate="rollout", passed=False, status="too_few", rule="r", numbers={"rate": {"numerator": 1}})
    path = tmp_path / "rollout.json"
    write_verdict(path, verdict)
    assert read_verdict(path) == verdict
    with pytest.raises(RefusedError, match="never overwritten"):
        write_verdict(path, make_verdict(gate="rollout", passed=True, status="passed", rule="r"))
    assert read_verdict(path) == verdict


def test_an_edited_verdict_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "rollout.json"
    write_verdict(path, make_verdict(gate="rollout", passed=False, status="too_few", rule="r"))
    content = json.loads(path.read_text())
    content["passed"] = True
    path.write_text(json.dumps(content))
    with pytest.raises(InputError, match="changed after it was written"):
        read_verdict(path)


def test_a_folder_of_verdicts_is_read_whatever_the_names(tmp_path: Path) -> None:
    write_verdict(tmp_path / "b.json", make_verdict(gate="host", passed=True, status="passed", rule="r"))
    write_verdict(tmp_path / "a.json", make_verdict(gate="conflict", passed=True, status="passed", rule="r"))
    (tmp_path / "other.json").write_text('{"format": "something else"}')
    (tmp_path / "broken.json").write_text("{")
    assert [verdict.gate for _, verdict in read_verdicts(tmp_path)] == ["conflict", "host"]
