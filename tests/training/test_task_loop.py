from __future__ import annotations

import asyncio
import dataclasses
import json
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("verl")
sys.path.append(str(Path(__file__).parents[1] / "fixtures"))

from episode_world import END, SEARCH, World, answer, build_world, call, metadata

from autoresearch.errors import InputError, RefusedError
from autoresearch.training.engines.scripted import ScriptedEngine
from autoresearch.training.episode_reward import compute_score
from autoresearch.training.episodes import LoopFactory, Sampling, run
from autoresearch.training.loop_settings import MULTI_TURN
from autoresearch.training.transcripts import Episode, read_transcripts

LONG = Sampling(max_prompt=4096, max_response=2048)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return build_world(tmp_path_factory.mktemp("world"))


@pytest.fixture(scope="module")
def factory(world: World) -> LoopFactory:
    return LoopFactory(world.model, assets=world.assets_folder, enable_thinking=False, sampling=LONG, seed=7)


def play(factory: LoopFactory, world: World, *turns: str, row: Any = None) -> Episode:
    row = row or world.row()
    return asyncio.run(factory.play(world.script(row, *turns), row, 0, LONG.request()))


def arguments(factory: LoopFactory, **changes: Any) -> dict[str, Any]:
    from verl.experimental.agent_loop.agent_loop import DictConfigWrap, ToolListWrap
    from verl.utils.dataset.rl_dataset import RLHFDataset

    config = changes.pop("config", factory.config)
    return {
        "trainer_config": DictConfigWrap(config),
        "server_manager": ScriptedEngine({}),
        "tokenizer": factory.tokenizer,
        "processor": None,
        "hf_model_type": "qwen3_5_text",
        "dataset_cls": RLHFDataset,
        "data_config": DictConfigWrap(config.data),
        "tools": ToolListWrap(factory.tools),
        **factory._arguments,
        **changes,
    }


def build(factory: LoopFactory, **changes: Any) -> Any:
    from autoresearch.training.task_loop import TaskLoop

    async def inside() -> Any:
        return TaskLoop(**arguments(factory, **changes))

    return asyncio.run(inside())


class TestConstruction:
    @pytest.mark.parametrize(
        ("key", "default"),
        [
            ("max_assistant_turns", None),
            ("max_user_turns", None),
            ("max_parallel_calls", 2),
            ("max_tool_response_length", 256),
            ("tool_response_truncate_side", "middle"),
            ("format", "hermes"),
        ],
    )
    def test_each_of_verls_defaults_is_refused_by_name(self, factory: LoopFactory, key: str, default: Any) -> None:
        assert default != MULTI_TURN[key]
        config = factory.config.copy()
        config.actor_rollout_ref.rollout.multi_turn[key] = default
        with pytest.raises(RefusedError, match=key):
            build(factory, config=config)

    def test_another_thinking_switch_than_the_template_gets_is_refused(self, factory: LoopFactory) -> None:
        with pytest.raises(RefusedError, match="enable_thinking"):
            build(factory, enable_thinking=True)

    def test_a_release_with_other_tools_is_refused(self, factory: LoopFactory) -> None:
        with pytest.raises(RefusedError, match="tools abc"):
            build(factory, tools_sha256="abc" * 20)

    def test_a_missing_tool_is_refused(self, factory: LoopFactory) -> None:
        from verl.experimental.agent_loop.agent_loop import ToolListWrap

        with pytest.raises(RefusedError, match="schemas"):
            build(factory, tools=ToolListWrap(factory.tools[:3]))

    def test_assets_whose_corpus_lacks_a_leaf_are_refused(
        self, factory: LoopFactory, world: World, tmp_path: Path
    ) -> None:
        for path in world.assets_folder.iterdir():
            (tmp_path / path.name).write_bytes(path.read_bytes())
        corpus = json.loads((tmp_path / "corpus.json").read_text(encoding="utf-8"))
        extra = {
            "category_id": "Z9-9",
            "name": "别的",
            "description": "",
            "descriptions": [],
            "path": [],
            "examples": [],
        }
        corpus["categories"].append(extra)
        (tmp_path / "corpus.json").write_text(json.dumps(corpus), encoding="utf-8")
        with pytest.raises(InputError, match="Z9-9"):
            build(factory, assets=str(tmp_path))

    def test_assets_that_are_gone_are_refused(self, factory: LoopFactory, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="nothing"):
            build(factory, assets=str(tmp_path / "nothing"))

    def test_verls_instantiation_from_the_yaml_keeps_the_arguments(
        self, factory: LoopFactory, world: World, tmp_path: Path
    ) -> None:
        import hydra
        from omegaconf import OmegaConf

        from autoresearch.task.tools import tools_sha256
        from autoresearch.training.loop_settings import write_loop_config

        path = tmp_path / "loop.yaml"
        write_loop_config(
            path,
            assets=world.assets_folder,
            transcripts=tmp_path / "transcripts",
            enable_thinking=False,
            tools_sha256=tools_sha256(),
            model_tree="tree",
        )
        entry = OmegaConf.load(path)[0]
        assert entry.name == "autoresearch_task"
        given = arguments(factory)
        rest = {key: value for key, value in given.items() if key not in factory._arguments}

        async def twice() -> list[Any]:
            return [hydra.utils.instantiate(config=entry, **rest) for _ in range(2)]

        for loop in asyncio.run(twice()):
            assert (loop.model_tree, loop.writer is not None, loop.run_seed) == ("tree", True, None)


class TestRows:
    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"stage": "stage2"}, "stage"),
            ({"trajectory_format": "other"}, "trajectory_format"),
            ({"index": 3}, "unknown keys"),
            ({"ground_truth_level": "L9"}, "level"),
            ({"metadata": metadata("OTHER")}, "prompt is not the one"),
        ],
    )
    def test_a_row_that_is_not_of_this_line_has_an_error_and_no_score(
        self, factory: LoopFactory, world: World, change: dict[str, Any], message: str
    ) -> None:
        row = world.row()
        row = dataclasses.replace(row, extra_info={**row.extra_info, **change})
        episode = play(factory, world, answer("1", "L2"), row=row)
        assert episode.error is not None and message in episode.error
        assert episode.score is None and episode.terminated_by == "error"

    def test_a_gold_outside_the_registry_is_an_error(self, factory: LoopFactory, world: World) -> None:
        episode = play(factory, world, answer("1", "L2"), row=world.row(gold="X9-9"))
        assert episode.error is not None and "X9-9" in episode.error

    def test_an_unlabelled_row_is_an_error_where_labels_are_asked_and_unscored_elsewhere(self, world: World) -> None:
        row = world.row(gold=None, level=None)
        made = {"assets": world.assets_folder, "enable_thinking": False, "sampling": LONG, "seed": 1}
        strict = LoopFactory(world.model, labelled=True, **made)
        assert play(strict, world, answer("1", "L2"), row=row).error is not None
        loose = LoopFactory(world.model, labelled=False, **made)
        episode = play(loose, world, answer("1", "L2"), row=row)
        assert episode.error is None and episode.score is None
        assert episode.answer == {"choice_id": "1", "category_id": "A1-1", "level": "L2"}

    def test_a_prompt_over_the_limit_is_an_error_instead_of_a_cut_catalogue(self, world: World) -> None:
        row = world.row()
        length = len(world.prompt_ids(row))
        for limit, refused in ((length - 1, True), (length, False)):
            short = Sampling(max_prompt=limit, max_response=512)
            made = LoopFactory(world.model, assets=world.assets_folder, enable_thinking=False, sampling=short, seed=1)
            engine = world.script(row, answer("1", "L2"))
            episode = asyncio.run(made.play(engine, row, 0, short.request()))
            assert (episode.error is not None) == refused
            if refused:
                assert str(length) in str(episode.error)


class TestLastSegment:
    def test_the_right_answer_alone_scores_one(self, factory: LoopFactory, world: World) -> None:
        episode = play(factory, world, answer("1", "L2"))
        assert (episode.score, episode.reason, episode.terminated_by) == (1.0, "ok", "answer")
        assert episode.final_text == answer("1", "L2")
        assert episode.answer == {"choice_id": "1", "category_id": "A1-1", "level": "L2"}

    def test_a_call_then_the_right_answer_scores_one(self, factory: LoopFactory, world: World) -> None:
        episode = play(factory, world, SEARCH, answer("1", "L2"))
        assert (episode.score, episode.tool_calls, episode.tool_errors) == (1.0, 1, 0)
        assert "1" in episode.surfaced
        assert episode.final_text == answer("1", "L2")
        assert "<tool_response>" in episode.text

    def test_the_response_holds_the_tool_result_with_mask_zero(self, factory: LoopFactory, world: World) -> None:
        episode = play(factory, world, SEARCH, answer("1", "L2"))
        written = world.ids(SEARCH + END) + world.ids(answer("1", "L2") + END)
        by_model = [token for token, mask in zip(episode.response_ids, episode.response_mask, strict=True) if mask]
        assert by_model == written
        between = [token for token, mask in zip(episode.response_ids, episode.response_mask, strict=True) if not mask]
        assert world.tokenizer.decode(between).startswith("\n<|im_start|>user\n<tool_response>")

    def test_the_right_answer_in_a_tool_result_scores_zero(self, factory: LoopFactory, world: World) -> None:
        echo = call(answer("1", "L2"))
        episode = play(factory, world, echo, "我不知道")
        result = episode.text.split("<tool_response>")[1]
        assert answer("1", "L2").replace('"', '\\"') in result
        assert (episode.score, episode.reason) == (0.0, "not_json")

    def test_the_right_answer_in_an_earlier_turn_scores_zero(self, factory: LoopFactory, world: World) -> None:
        episode = play(factory, world, answer("1", "L2") + "\n" + SEARCH, answer("2", "L2"))
        assert (episode.score, episode.category_exact, episode.level_exact) == (0.0, False, True)

    def test_an_answer_followed_by_a_truncated_call_scores_zero(self, world: World) -> None:
        row = world.row()
        text = answer("1", "L2") + "\n<tool_call>\n<function=search_categories>\n<parameter=field_name>\nORDER"
        limit = Sampling(max_prompt=4096, max_response=len(world.ids(text)))
        made = LoopFactory(world.model, assets=world.assets_folder, enable_thinking=False, sampling=limit, seed=1)
        engine = ScriptedEngine({world.prompt_ids(row): [world.ids(text + "_NO\n</parameter>")]})
        episode = asyncio.run(made.play(engine, row, 0, limit.request()))
        assert (episode.score, episode.terminated_by) == (0.0, "length")
        assert len(episode.response_ids) == limit.max_response

    def test_four_calls_end_at_the_turn_limit_with_an_empty_segment(self, factory: LoopFactory, world: World) -> None:
        episode = play(factory, world, SEARCH, SEARCH, SEARCH, answer("1", "L2") + SEARCH)
        assert (episode.score, episode.terminated_by, episode.final_text) == (0.0, "turn_limit", "")
        assert episode.reason == "blank"

    def test_an_answer_in_the_fourth_turn_counts(self, factory: LoopFactory, world: World) -> None:
        episode = play(factory, world, SEARCH, SEARCH, SEARCH, answer("1", "L2"))
        assert (episode.score, episode.terminated_by, len(episode.turns)) == (1.0, "answer", 4)

    def test_a_tool_result_that_does_not_fit_ends_the_episode_with_an_empty_segment(self, world: World) -> None:
        row = world.row()
        limit = Sampling(max_prompt=4096, max_response=len(world.ids(SEARCH + END)) + 4)
        made = LoopFactory(world.model, assets=world.assets_folder, enable_thinking=False, sampling=limit, seed=1)
        episode = asyncio.run(made.play(world.script(row, SEARCH, answer("1", "L2")), row, 0, limit.request()))
        assert (episode.score, episode.terminated_by, episode.final_text) == (0.0, "tool_overflow", "")

    def test_an_answer_that_ends_exactly_at_the_limit_is_not_truncated(self, world: World) -> None:
        row = world.row()
        limit = Sampling(max_prompt=4096, max_response=len(world.ids(answer("1", "L2") + END)))
        made = LoopFactory(world.model, assets=world.assets_folder, enable_thinking=False, sampling=limit, seed=1)
        episode = asyncio.run(made.play(world.script(row, answer("1", "L2")), row, 0, limit.request()))
        assert (episode.score, episode.terminated_by) == (1.0, "answer")

    def test_a_second_call_in_a_turn_is_dropped_and_counted(self, factory: LoopFactory, world: World) -> None:
        episode = play(factory, world, SEARCH + "\n" + SEARCH, answer("1", "L2"))
        assert [turn["dropped_calls"] for turn in episode.turns] == [1, 0]
        assert episode.tool_calls == 1

    def test_a_think_block_is_a_parse_failure_when_thinking_is_off(self, factory: LoopFactory, world: World) -> None:
        episode = play(factory, world, "<think>\n订单\n</think>\n\n" + answer("1", "L2"))
        assert (episode.score, episode.reason) == (0.0, "not_json")


class TestThinking:
    @pytest.fixture(scope="class")
    def thinking(self, world: World) -> tuple[World, LoopFactory]:
        aware = dataclasses.replace(world, thinking=True)
        made = LoopFactory(world.model, assets=world.assets_folder, enable_thinking=True, sampling=LONG, seed=1)
        return aware, made

    @pytest.mark.parametrize(
        ("text", "score", "reason"),
        [
            ("订单\n</think>\n\n" + answer("1", "L2"), 1.0, "ok"),
            (answer("1", "L2"), 0.0, "thought_unclosed"),
            (answer("1", "L2") + "\n</think>\n\n不知道", 0.0, "not_json"),
            ("订单\n</think>\n\n</think>" + answer("1", "L2"), 0.0, "not_json"),
        ],
    )
    def test_only_what_follows_the_first_closed_thought_is_the_answer(
        self, thinking: tuple[World, LoopFactory], text: str, score: float, reason: str
    ) -> None:
        aware, made = thinking
        episode = play(made, aware, text)
        assert (episode.score, episode.reason) == (score, reason)


class TestTools:
    def test_an_unknown_tool_is_a_result_for_the_model(self, factory: LoopFactory, world: World) -> None:
        episode = play(factory, world, call("delete_everything"), answer("1", "L2"))
        assert (episode.score, episode.tool_errors, episode.tool_calls) == (1.0, 1, 1)
        assert '{"error": "there is no tool' in episode.text

    def test_a_wrong_argument_is_a_result_for_the_model(self, factory: LoopFactory, world: World) -> None:
        wrong = call("search_categories", field_name="ORDER_NO", table_name="T_ORDER", top_k=7)
        episode = play(factory, world, wrong, answer("1", "L2"))
        assert (episode.error, episode.tool_errors) == (None, 1)

    def test_a_field_called_null_is_searched_as_that_text(self, factory: LoopFactory, world: World) -> None:
        episode = play(factory, world, call("search_categories", field_name="null", table_name="T"), answer("1", "L2"))
        assert (episode.error, episode.tool_errors) == (None, 0)

    @pytest.mark.parametrize("text", ["</parameter>", "<tool_call>", "<function=", "</function></tool_call>{}", "\x00"])
    def test_look_alikes_in_an_argument_never_raise(self, factory: LoopFactory, world: World, text: str) -> None:
        turn = call("search_categories", field_name=text, table_name="T")
        assert play(factory, world, turn, answer("1", "L2"), answer("1", "L2")).error is None

    def test_a_list_argument_reaches_the_tool_as_a_list(self, factory: LoopFactory, world: World) -> None:
        episode = play(factory, world, call("get_category_details", choice_ids=["2", "1"]), answer("1", "L2"))
        assert (episode.error, episode.tool_errors) == (None, 0)


class TestInfrastructure:
    def test_an_engine_that_dies_is_an_error_and_no_zero(self, factory: LoopFactory, world: World) -> None:
        class Dead:
            async def generate(self, **request: Any) -> Any:
                raise ConnectionResetError("gone")

        row = world.row()
        episode = asyncio.run(factory.play(Dead(), row, 0, LONG.request()))
        assert episode.score is None and "gone" in str(episode.error)

    def test_an_engine_that_returns_nothing_is_an_error(self, factory: LoopFactory, world: World) -> None:
        row = world.row()
        engine = ScriptedEngine({world.prompt_ids(row): [[]]})
        assert "no whole turn" in str(asyncio.run(factory.play(engine, row, 0, LONG.request())).error)

    def test_a_tool_whose_asset_breaks_is_an_error(
        self, factory: LoopFactory, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from autoresearch.task.tools import ToolBox

        def broken(*_: Any) -> Any:
            raise OSError("the index is gone")

        monkeypatch.setattr(ToolBox, "call", broken)
        turn = call("search_categories", field_name="BROKEN_TOOL", table_name="T")
        episode = play(factory, world, turn, answer("1", "L2"))
        assert episode.score is None and "the index is gone" in str(episode.error)

    def test_a_slow_tool_is_an_error(self, factory: LoopFactory, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        from autoresearch.training import task_tools

        monkeypatch.setattr(task_tools, "SLOW_CALL_SECONDS", -1.0)
        assert "search_categories took" in str(play(factory, world, SEARCH, answer("1", "L2")).error)


class TestHandedOver:
    def test_extra_fields_carry_the_score_beside_verls_own(self, factory: LoopFactory, world: World) -> None:
        row = world.row()
        engine = world.script(row, SEARCH, answer("1", "L2"))

        async def go() -> Any:
            loop = factory.loop(engine)
            return await loop.run(
                LONG.request(),
                raw_prompt=row.prompt,
                extra_info=row.extra_info,
                reward_model={"ground_truth": "A1-1"},
                session_id=0,
            )

        output = asyncio.run(go())
        assert output.extra_fields["global_steps"] == 0
        scored = compute_score("steel/stage1", "ignored", "A1-1", {**row.extra_info, **output.extra_fields})
        assert (scored["score"], scored["acc"], scored["turns"], scored["tool_calls"]) == (1.0, 1.0, 2, 1)

    def test_each_request_is_limited_to_what_is_left_and_seeded_by_run_row_sample_and_turn(
        self, factory: LoopFactory, world: World
    ) -> None:
        row = world.row()
        engines = [world.script(row, SEARCH, answer("1", "L2")) for _ in range(3)]
        for engine, sample in zip(engines, (0, 0, 1), strict=True):
            asyncio.run(factory.play(engine, row, sample, LONG.request()))
        seeds = [[request["seed"] for request in engine.requests] for engine in engines]
        assert seeds[0] == seeds[1] and len({*seeds[0], *seeds[2]}) == 4
        limits = [request["max_tokens"] for request in engines[0].requests]
        assert limits[0] == LONG.max_response > limits[1] + len(world.ids(SEARCH + END))

    def test_run_plays_all_rows_and_writes_transcripts_that_read_back_equal(self, world: World, tmp_path: Path) -> None:
        rows = [world.row(f"r{n}", fields=metadata(f"F_{n}")) for n in range(3)]
        scripts: dict[tuple[int, ...], list[list[int]]] = {}
        for n, row in enumerate(rows):
            scripts[world.prompt_ids(row)] = [world.ids(answer(str(n + 1), "L2") + END)]
        episodes = run(
            world.model,
            rows,
            release=world.assets_folder.parent,
            enable_thinking=False,
            samples=2,
            sampling=LONG,
            seed=1,
            engine=ScriptedEngine(scripts),
            transcripts=tmp_path,
        )
        assert [(e.source_id, e.sample, e.score) for e in episodes] == [
            ("r0", 0, 1.0),
            ("r0", 1, 1.0),
            ("r1", 0, 0.0),
            ("r1", 1, 0.0),
            ("r2", 0, 0.0),
            ("r2", 1, 0.0),
        ]
        written = {(e.source_id, e.sample): e for e in read_transcripts(tmp_path)}
        assert written == {(e.source_id, e.sample): e for e in episodes}
        assert "prefix_ids" in (tmp_path / "episodes.jsonl").read_text(encoding="utf-8")
