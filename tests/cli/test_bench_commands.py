"""The bench of figure B9 measures what it says; no time is judged here."""

from __future__ import annotations

from pathlib import Path

import pytest

BENCH = Path(__file__).parents[2] / "bench"


def test_a_command_is_measured_without_network_where_it_can_be_taken_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(BENCH))
    import commands  # type: ignore[import-not-found]  # a program, not a package

    monkeypatch.setattr(commands, "LIMITS", {"run verl-case --help": 0.001})
    (found,) = commands.measure(tmp_path, 1)
    assert found["ok"] is False and found["seconds"]["n"] == 1 and 0.05 < found["core_seconds"]["median"] < 60
    assert found["network"] == ("none" if commands.no_network() else "not used, not taken away")
    assert not (tmp_path / "cache").exists()
    with pytest.raises(RuntimeError, match="ended with 2"):
        commands.seconds([commands.sys.executable, "-m", "autoresearch", "run", "verl-case", "--seal"], 1)
