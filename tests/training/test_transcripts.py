from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoresearch.training.seeds import episode_seed, order_key, turn_seed
from autoresearch.training.transcripts import Episode, TranscriptWriter, read_file, read_transcripts

SYSTEM = list(range(100, 180))


def write(folder: Path, *prompts: list[int], name: str = "1.jsonl") -> list[Episode]:
    writer = TranscriptWriter(folder / name)
    episodes = [Episode(source_id=f"r{n}", sample=n, prompt_ids=prompt) for n, prompt in enumerate(prompts)]
    for episode in episodes:
        writer.write(episode)
    return episodes


def test_the_shared_system_block_is_written_once(tmp_path: Path) -> None:
    episodes = write(tmp_path, [*SYSTEM, 1, 9], [*SYSTEM, 1, 9], [*SYSTEM, 2, 9], [*SYSTEM, 3, 9])
    lines = [json.loads(line) for line in (tmp_path / "1.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [len(line["prefix_ids"]) for line in lines if "prefix_ids" in line] == [len(SYSTEM)]
    assert lines[-1]["prompt_ids"] == [3, 9]
    assert list(read_file(tmp_path / "1.jsonl")) == episodes


@given(st.lists(st.lists(st.integers(0, 3), max_size=6), max_size=8))
def test_prompts_come_back_whatever_they_share(
    tmp_path_factory: pytest.TempPathFactory, tails: list[list[int]]
) -> None:
    folder = tmp_path_factory.mktemp("t")
    episodes = write(folder, *([*SYSTEM, *tail] if len(tail) % 2 else [*tail, *SYSTEM] for tail in tails))
    assert read_transcripts(folder) == episodes


def test_files_of_several_processes_are_joined_by_name(tmp_path: Path) -> None:
    second = write(tmp_path, [5], name="b.jsonl")
    first = write(tmp_path, [4], name="a.jsonl")
    assert read_transcripts(tmp_path) == first + second


def test_a_line_that_was_cut_off_is_left_out(tmp_path: Path) -> None:
    episodes = write(tmp_path, [1], [2])
    path = tmp_path / "1.jsonl"
    path.write_text(path.read_text(encoding="utf-8")[:-20], encoding="utf-8")
    assert list(read_file(path)) == episodes[:1]


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    (tmp_path / "1.jsonl").write_text('{"source_id": 1}\n', encoding="utf-8")
    with pytest.raises(ValueError, match="line 1"):
        read_transcripts(tmp_path)


def test_an_error_is_kept_beside_no_score(tmp_path: Path) -> None:
    TranscriptWriter(tmp_path / "1.jsonl").write(Episode("r", 0, error="gone", terminated_by="error"))
    (episode,) = read_transcripts(tmp_path)
    assert (episode.score, episode.error) == (None, "gone")


def test_seeds_differ_by_run_row_sample_and_turn_and_stay_the_same() -> None:
    seeds = {
        turn_seed(1, "a", 0, 0),
        turn_seed(2, "a", 0, 0),
        turn_seed(1, "b", 0, 0),
        turn_seed(1, "a", 1, 0),
        turn_seed(1, "a", 0, 1),
    }
    assert len(seeds) == 5 and all(0 <= seed < 2**63 for seed in seeds)
    assert episode_seed(42, "mix:steel:0:0000", 3) == turn_seed(42, "mix:steel:0:0000", 3, 0) == 2129895237429067821


def test_the_order_of_gate_and_probe_prompts_is_unrelated() -> None:
    ids = [f"r{n}" for n in range(50)]
    gate = sorted(ids, key=lambda key: order_key(42, "gate", key))
    probe = sorted(ids, key=lambda key: order_key(42, "probe", key))
    assert gate != probe and set(gate) == set(probe)
