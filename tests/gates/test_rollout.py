from __future__ import annotations

import dataclasses
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("verl")
sys.path.append(str(Path(__file__).parents[1] / "fixtures"))

from release_world import Releases, Writer, build_releases

from autoresearch.errors import InputError, RefusedError
from autoresearch.files import read_json, write_json
from autoresearch.gates.diagnosis import diagnose, outcome_class
from autoresearch.gates.rollout import RolloutOptions, gate_prompts, gate_rollout, probe_prompts, reference_of
from autoresearch.gates.rollout_numbers import judge, majority_pair, rollout_numbers, saturation_advice
from autoresearch.releases.release import Release
from autoresearch.training.episodes import EpisodeRow, Sampling, read_rows, row_of
from autoresearch.training.loop_settings import MULTI_TURN
from autoresearch.training.transcripts import Episode, read_transcripts
from autoresearch.verdict import Verdict, make_verdict, read_verdict, write_verdict


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Releases:
    from autoresearch.training.tiny import build_model

    made = build_releases(tmp_path_factory.mktemp("releases"))
    build_model(made.model, "mini")
    return made


@pytest.fixture(scope="module")
def rows(world: Releases) -> list[EpisodeRow]:
    return read_rows(world.cascade, "train")


def options(world: Releases, out: Path, **changes: Any) -> RolloutOptions:
    made = RolloutOptions(world.model, world.cascade, world.trajectory, out, prompts=16, samples=4, unbound=True)
    return dataclasses.replace(made, **changes)


def plain_row(name: str, gold: str = "A", level: str = "L1") -> EpisodeRow:
    return row_of(name, [], {}, dataset="d", ground_truth=gold, level=level)


class TestDecision:
    @pytest.mark.parametrize(
        ("nonzero", "status"), [(25, "too_few"), (26, "passed"), (153, "passed"), (154, "saturated"), (0, "too_few")]
    )
    def test_the_window_is_inclusive_in_whole_numbers(self, nonzero: int, status: str) -> None:
        assert judge(nonzero, 512, 0, (0.0, 1.0), "point") == (status == "passed", status)

    @pytest.mark.parametrize(
        ("nonzero", "episodes", "passes"),
        [(1, 20, True), (3, 10, True), (6, 20, True), (0, 19, False), (4, 81, False), (31, 100, False)],
    )
    def test_small_counts_are_judged_without_rounding(self, nonzero: int, episodes: int, passes: bool) -> None:
        assert judge(nonzero, episodes, 0, (0.0, 1.0), "point")[0] == passes

    def test_the_two_decisions_differ_where_the_interval_is_wide(self) -> None:
        assert judge(6, 100, 0, (0.02, 0.11), "point") == (True, "passed")
        assert judge(6, 100, 0, (0.02, 0.11), "interval") == (False, "too_few")

    @pytest.mark.parametrize(
        ("interval", "status"), [((0.05, 0.30), "passed"), ((0.049, 0.2), "too_few"), ((0.2, 0.31), "saturated")]
    )
    def test_the_interval_decision_wants_all_of_it_inside(self, interval: tuple[float, float], status: str) -> None:
        assert judge(10, 100, 0, interval, "interval") == (status == "passed", status)

    def test_an_episode_error_fails_a_rate_inside_the_window(self) -> None:
        assert judge(10, 100, 1, (0.06, 0.2), "point") == (False, "episode_errors")
        assert judge(0, 0, 0, (0.0, 1.0), "point") == (False, "no_episodes")


class TestPrompts:
    def test_probes_never_use_the_prompts_of_the_gate(self) -> None:
        rows = [plain_row(f"r{n}") for n in range(100)]
        gate = {row.source_id for row in gate_prompts(rows, 42, 30)}
        probes = {row.source_id for row in probe_prompts(rows, 42, 50, gate_count=30)}
        assert (len(gate), len(probes)) == (30, 50) and not gate & probes

    def test_the_selection_does_not_depend_on_row_order(self) -> None:
        rows = [plain_row(f"r{n}") for n in range(40)]
        assert gate_prompts(rows, 1, 10) == gate_prompts(rows[::-1], 1, 10)
        assert gate_prompts(rows, 1, 10) != gate_prompts(rows, 2, 10)


class TestNumbers:
    def episodes(self, hits: dict[str, list[int]]) -> list[Episode]:
        return [
            Episode(key, sample, score=float(hit), terminated_by="answer", answer_valid=bool(hit))
            for key, values in hits.items()
            for sample, hit in enumerate(values)
        ]

    def numbers(self, hits: dict[str, list[int]], train: list[EpisodeRow] | None = None) -> dict[str, Any]:
        rows = [plain_row(key) for key in hits]
        return rollout_numbers(self.episodes(hits), rows, train or rows, samples=4, seed=1)

    def test_the_rate_has_both_intervals_and_few_episodes_are_said_to_be_few(self) -> None:
        made = self.numbers({"a": [1, 0, 0, 0], "b": [0, 0, 0, 0]})
        rate = made["nonzero_reward_rate"]
        assert (rate["numerator"], rate["denominator"]) == (1, 8)
        assert set(rate) == {"numerator", "denominator", "rate", "wilson95", "cluster_bootstrap95"}
        assert "wide_interval" in made["warnings"]

    def test_a_rate_that_always_giving_the_commonest_pair_would_reach_is_not_above_the_baseline(self) -> None:
        common = self.numbers({"a": [1, 1, 0, 0], "b": [0, 1, 0, 1]})
        assert common["majority_baseline"]["rate"] == 1.0 and common["above_baseline"] is False
        assert "not_above_baseline" in common["warnings"]
        rare = self.numbers({"a": [1, 1, 0, 0], "b": [0, 1, 0, 1]}, train=[plain_row("x", "Z", "L4")])
        assert rare["majority_baseline"]["rate"] == 0.0 and rare["above_baseline"] is True

    def test_the_majority_pair_is_the_commonest_and_of_equals_the_first(self) -> None:
        rows = [plain_row("1", "B", "L2"), plain_row("2", "A", "L9"), plain_row("3", "B", "L2"), plain_row("4", "C")]
        assert majority_pair(rows) == ("B", "L2")
        assert majority_pair(rows[:2]) == ("A", "L9")
        assert majority_pair([]) is None

    def test_mixed_shares_come_from_prompts_that_were_played_whole(self) -> None:
        made = self.numbers({"a": [1, 0, 0, 0], "b": [0, 0, 0, 0], "c": [1, 0]})
        assert made["mixed_group_share"]["4"]["share"] == 0.5
        assert made["per_prompt"][2] == {"source_id": "c", "nonzero": 1, "episodes": 2}

    def test_errors_are_listed_and_counted_outside_the_rate(self) -> None:
        rows = [plain_row("a")]
        episodes = [*self.episodes({"a": [1]}), Episode("a", 1, error="gone", terminated_by="error")]
        made = rollout_numbers(episodes, rows, rows, samples=2, seed=1)
        assert made["nonzero_reward_rate"]["denominator"] == 1
        assert made["errors"] == {"count": 1, "first": [{"source_id": "a", "sample": 1, "error": "gone"}]}

    def test_saturation_names_the_prompts_that_still_teach_something(self) -> None:
        per_prompt = self.numbers({"a": [1, 1, 1, 1], "b": [1, 0, 0, 0], "c": [0, 0, 0, 0]})["per_prompt"]
        advice = saturation_advice(per_prompt)
        assert advice["learnable"] == ["b"] and advice["prompts_by_rate"] == ["a", "b", "c"]


class TestGate:
    def judge(self, world: Releases, out: Path, engine: Writer, **changes: Any) -> Verdict:
        verdict = gate_rollout(options(world, out, **changes), engine=engine)
        assert read_verdict(out) == verdict
        return verdict

    def test_a_rate_inside_the_window_passes_with_hashes_and_transcripts(
        self, world: Releases, rows: list[EpisodeRow], tmp_path: Path
    ) -> None:
        engine = world.engine(rows, lambda row, n: world.right(row) if n == 0 else "{}")
        verdict = self.judge(world, tmp_path / "rollout.json", engine)
        assert (verdict.passed, verdict.status) == (True, "passed")
        assert verdict.numbers["nonzero_reward_rate"]["numerator"] == 16
        assert verdict.numbers["nonzero_reward_rate"]["denominator"] == 64
        assert verdict.judged["release"]["report_sha256"] == Release(world.cascade).report_sha256
        assert verdict.settings["enable_thinking"] is False and verdict.versions["verl"] == "0.9.1"
        assert "diagnosis" not in verdict.numbers
        (evidence,) = verdict.evidence
        assert len(read_transcripts((tmp_path / evidence).parent)) == 64

    def test_a_verdict_is_never_overwritten_and_a_second_one_is_a_further_attempt(
        self, world: Releases, rows: list[EpisodeRow], tmp_path: Path
    ) -> None:
        engine = world.engine(rows, lambda row, n: world.right(row))
        first = self.judge(world, tmp_path / "one.json", engine)
        assert (first.status, first.attempt) == ("saturated", 1)
        assert first.numbers["advice"]["learnable"] == []
        with pytest.raises(RefusedError, match="never overwritten"):
            gate_rollout(options(world, tmp_path / "one.json"), engine=engine)
        assert self.judge(world, tmp_path / "two.json", engine).attempt == 2

    def test_a_model_that_earns_nothing_is_diagnosed_and_the_machinery_is_found_sound(
        self, world: Releases, rows: list[EpisodeRow], tmp_path: Path
    ) -> None:
        engine = world.engine(rows, lambda row, n: '{"answer": "99", "level": "L1"}' if n else "我不知道")
        verdict = self.judge(world, tmp_path / "rollout.json", engine)
        diagnosis = verdict.numbers["diagnosis"]
        assert verdict.status == "too_few" and diagnosis["first_failure"] is None
        assert [part["passed"] for part in diagnosis["parts"].values()] == [True] * 4
        assert diagnosis["instead"]["largest"] == "unknown_id" and len(diagnosis["instead"]["examples"]) == 3

    def test_a_response_limit_that_cuts_the_stored_turns_is_found_in_the_loop(
        self, world: Releases, rows: list[EpisodeRow], tmp_path: Path
    ) -> None:
        engine = world.engine(rows, lambda row, n: "我不知道")
        verdict = self.judge(world, tmp_path / "rollout.json", engine, max_response=40)
        diagnosis = verdict.numbers["diagnosis"]
        assert diagnosis["first_failure"] == "loop" and diagnosis["parts"]["trajectory"]["passed"]
        assert "tool_overflow" in str(diagnosis["parts"]["loop"]["first"]) or "length" in str(
            diagnosis["parts"]["loop"]
        )

    def test_an_engine_that_fails_once_makes_the_verdict_false(
        self, world: Releases, rows: list[EpisodeRow], tmp_path: Path
    ) -> None:
        def write(row: EpisodeRow, n: int) -> str:
            if row is rows[3] and n == 2:
                raise ConnectionError("gone")
            return world.right(row) if n == 0 else "{}"

        verdict = self.judge(world, tmp_path / "rollout.json", world.engine(rows, write))
        assert (verdict.passed, verdict.status) == (False, "episode_errors")
        assert verdict.numbers["errors"]["count"] == 1

    def test_changed_release_bytes_are_refused_before_anything_is_played(self, world: Releases, tmp_path: Path) -> None:
        import shutil

        copy = tmp_path / "cascade"
        shutil.copytree(world.cascade, copy)
        data = bytearray((copy / "val.parquet").read_bytes())
        data[len(data) // 2] ^= 1
        (copy / "val.parquet").write_bytes(bytes(data))
        with pytest.raises((RefusedError, InputError), match="R006|R00|val"):
            gate_rollout(options(world, tmp_path / "rollout.json", release=copy))
        assert not (tmp_path / "rollout.json").exists()

    def test_sharded_checkpoints_adapters_and_other_folders_are_refused(self, world: Releases, tmp_path: Path) -> None:
        for name, match in [("model_world_size_1_rank_0.pt", "sharded"), ("adapter_config.json", "adapter")]:
            model = tmp_path / name
            model.mkdir()
            (model / "config.json").write_text("{}", encoding="utf-8")
            (model / name).write_text("{}", encoding="utf-8")
            with pytest.raises(InputError, match=match):
                gate_rollout(options(world, tmp_path / "out.json", model=model))
        with pytest.raises(InputError, match="no model folder"):
            gate_rollout(options(world, tmp_path / "out.json", model=tmp_path / "none"))

    def test_a_model_bound_to_another_registry_or_to_none_is_refused(self, world: Releases, tmp_path: Path) -> None:
        import shutil

        model = tmp_path / "model"
        shutil.copytree(world.model, model)
        with pytest.raises(RefusedError, match="T201.*merge.json"):
            gate_rollout(options(world, tmp_path / "out.json", model=model, unbound=False))
        header = Release(world.cascade).header.model_dump()
        write_json(model / "merge.json", {**header, "step": 5, "registry_sha256": "0" * 64})
        with pytest.raises(RefusedError, match="T201.*registry"):
            gate_rollout(options(world, tmp_path / "out.json", model=model, unbound=False))

    def test_a_bound_model_is_named_with_its_step_and_the_record_is_no_part_of_its_tree(
        self, world: Releases, rows: list[EpisodeRow], tmp_path: Path
    ) -> None:
        import shutil

        model = tmp_path / "model"
        shutil.copytree(world.model, model)
        engine = world.engine(rows, lambda row, n: world.right(row) if n == 0 else "{}")
        before = self.judge(world, tmp_path / "before.json", engine, model=model)
        write_json(model / "merge.json", {**Release(world.cascade).header.model_dump(), "step": 5})
        again = world.engine(rows, lambda row, n: world.right(row) if n == 0 else "{}")
        after = self.judge(world, tmp_path / "after.json", again, model=model, unbound=False)
        assert (before.judged["model"]["bound"], after.judged["model"]["bound"]) == (False, True)
        assert before.judged["model"]["reference"] == "none"
        tree = before.judged["model"]["tree_sha256"]
        named = make_verdict(
            gate="provenance", passed=True, status="passed", rule="", judged={"model": {"tree_sha256": tree}}
        )
        write_verdict(tmp_path / "provenance.json", named)
        assert reference_of(tmp_path, tree) == named.sha256_of_self_without_this_key
        assert reference_of(tmp_path, "0" * 64) == "none"
        assert after.judged["model"]["step"] == 5
        assert before.judged["model"]["tree_sha256"] == after.judged["model"]["tree_sha256"]
        assert read_json(tmp_path / "after.json")["attempt"] == 2


class TestPlantedFaults:
    """Each fault is planted alone; the diagnosis must name its part."""

    def diagnose(self, world: Releases, model: Path | None = None) -> dict[str, Any]:
        limits = Sampling(max_prompt=1024, max_response=2048)
        return diagnose(model or world.model, world.cascade, world.trajectory, [], limits)

    def test_a_wrong_answer_in_the_data_is_named_trajectory(
        self, world: Releases, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        stored = Release.records

        def planted(release: Release, split: str) -> list[dict[str, Any]]:
            records = stored(release, split)
            if release.family == "trajectory":
                records[0]["messages"][-1]["content"] = '{"answer": "8", "level": "L1"}'
                records[0]["ground_truth"] = "A1-1"
            return records

        monkeypatch.setattr(Release, "records", planted)
        assert self.diagnose(world)["first_failure"] == "trajectory"

    def test_a_turn_limit_of_one_is_named_loop(self, world: Releases, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(MULTI_TURN, "max_assistant_turns", 1)
        found = self.diagnose(world)
        assert found["first_failure"] == "loop" and found["look_at"].startswith("turn limits")
        assert "turn_limit" in found["parts"]["loop"]["first"][0]

    def test_a_wrong_truth_column_of_the_rl_release_is_named_reward(
        self, world: Releases, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from autoresearch.gates import diagnosis

        def planted(release: Path, split: str) -> list[EpisodeRow]:
            return [dataclasses.replace(row, ground_truth_level="L1") for row in read_rows(release, split)]

        monkeypatch.setattr(diagnosis, "read_rows", planted)
        assert self.diagnose(world)["first_failure"] == "reward"

    def test_calls_that_are_rendered_in_another_form_are_named_parser(self, world: Releases, tmp_path: Path) -> None:
        import shutil

        model = tmp_path / "model"
        shutil.copytree(world.model, model)
        template = model / "chat_template.jinja"
        text = template.read_text(encoding="utf-8")
        assert "<parameter=" in text
        template.write_text(
            text.replace("'<parameter='", "'<param='").replace("<parameter=", "<param="), encoding="utf-8"
        )
        found = self.diagnose(world, model)
        assert found["first_failure"] == "parser" and "came back as" in found["parts"]["parser"]["first"][0]

    def test_nothing_is_named_when_nothing_is_planted(self, world: Releases) -> None:
        assert self.diagnose(world)["first_failure"] is None


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({"terminated_by": "length"}, "truncated"),
        ({"terminated_by": "turn_limit"}, "endless_calls"),
        ({"terminated_by": "answer", "reason": "not_json"}, "no_valid_json"),
        ({"terminated_by": "answer", "reason": "unknown_level"}, "unknown_id"),
        ({"terminated_by": "answer", "answer_valid": True}, "wrong_category"),
        ({"terminated_by": "answer", "answer_valid": True, "category_exact": True}, "wrong_level"),
        ({"terminated_by": "answer", "answer_valid": True, "category_exact": True, "level_exact": True}, "right"),
    ],
)
def test_each_episode_is_an_example_of_one_thing(fields: dict[str, Any], name: str) -> None:
    assert outcome_class(Episode("a", 0, **fields)) == name
