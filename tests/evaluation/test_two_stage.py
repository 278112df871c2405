from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).parents[1] / "fixtures"))

from autoresearch.cli.eval import two_stage as command
from autoresearch.errors import InputError, RefusedError
from autoresearch.evaluation import metrics
from autoresearch.evaluation.compare import compare_files
from autoresearch.evaluation.eval_report import read_report
from autoresearch.evaluation.results import RowResult
from autoresearch.evaluation.split_data import EvalOptions, SplitData, read_two_stage
from autoresearch.evaluation.two_stage import evaluate_two_stage
from autoresearch.releases import three_message
from autoresearch.releases.inputs import ExportInputs
from autoresearch.task.prompts import stage1_target, stage2_target
from autoresearch.training.transcripts import read_transcripts

MINI = Path(__file__).parents[1] / "fixtures" / "steel_mini"
END = "<|im_end|>"


def row(number: int, shortlist: str, guess: str | None, level: str = "L2") -> RowResult:
    """A row whose truth is leaf ``a`` at L2; ``shortlist`` names leaves by letter, ``""`` is no valid one."""
    return RowResult(
        source_id=f"r{number}",
        table=f"T{number}",
        seen_table=False,
        described=True,
        group="A",
        category_id="a",
        level="L2",
        predicted_category=guess,
        predicted_level=guess and level,
        valid=guess is not None,
        reason="ok",
        steps=None if guess is None else int(level[1]) - 2,
        shortlist=tuple(shortlist) or None,
    )


def counted(share: dict[str, Any]) -> tuple[int, int]:
    return share["numerator"], share["denominator"]


def test_each_stage_has_its_own_denominator() -> None:
    rows = [
        row(0, "abcde", "a"),
        row(1, "bcdea", "a", "L1"),
        row(2, "abcde", "b"),
        row(3, "abcde", None),
        row(4, "bcdef", "b"),
        row(5, "bcdef", None),
        row(6, "", None),
        row(7, "", None),
    ]
    found = metrics.two_stage_numbers(rows)
    assert counted(found["stage1_valid"]) == (6, 8)
    assert counted(found["recall_at_5"]) == (4, 8)
    assert counted(found["stage2_valid"]) == (4, 6)
    assert counted(found["stage2_given_recall"]["category"]) == (2, 4)
    assert counted(found["stage2_given_recall"]["exact"]) == (1, 4)
    assert counted(found["joint"]) == (1, 8)


def test_without_levels_the_category_alone_decides_and_no_level_number_is_shown() -> None:
    plain = [
        row(number, "abcde", "ab"[number % 2]).model_copy(update={"level": "", "steps": None}) for number in (0, 1)
    ]
    numbers = metrics.main_numbers(plain, 1)
    assert counted(numbers["exact"]) == (1, 2)
    assert not {"level_exact", "under_grading_rate"} & numbers.keys()
    assert [one.pair for one in plain] == [("a", ""), ("b", "")]


def test_the_baseline_of_an_ungraded_release_needs_no_torch(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "for name in ('torch', 'verl', 'transformers', 'ray'): sys.modules[name] = None\n"
        "from pathlib import Path\n"
        "from autoresearch.cli.main import run\n"
        "from autoresearch.releases import three_message\n"
        "from autoresearch.releases.inputs import ExportInputs\n"
        f"mini, out = Path({str(MINI)!r}), Path({str(tmp_path)!r})\n"
        "names = {role: mini / f'{role}.json' for role in ('canonical', 'registry', 'corpus')}\n"
        "three_message.export(ExportInputs(**names, task_config=mini / 'task.json'), out / 'three')\n"
        "words = ['eval', 'two-stage', '--baseline', '--release', str(out / 'three'), '--out', str(out / 'r.json')]\n"
        "sys.exit(run(words))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    report = read_report(tmp_path / "r.json")
    assert report.numbers["two_stage"]["recall_at_5"]["denominator"] == report.rows_in_split
    assert "level_lookup_baseline" not in report.numbers and set(report.parts["level"]) == set()


@dataclass
class World:
    release: Path
    model: Path
    tokenizer: Any
    data: SplitData

    def options(self, out: Path, **changes: Any) -> EvalOptions:
        given: dict[str, Any] = {"release": self.release, "out": out, "model": self.model, "unbound": True}
        return EvalOptions(**{**given, "max_response": 128, **changes})


class Scripted:
    """Answers by field and stage; knows a prompt by its user text, so that a wrong prompt finds no answer."""

    def __init__(self, world: World, write: Callable[[str, int, str], str]) -> None:
        self.world, self.write = world, write
        self.seen: list[tuple[str, str]] = []

    async def generate(self, *, request_id: str, prompt_ids: list[int], sampling_params: dict[str, Any]) -> Any:
        @dataclass
        class Output:
            token_ids: list[int]
            stop_reason: str = "completed"

        source, _, stage = request_id.rsplit("/", 2)
        prompt = self.world.tokenizer.decode(prompt_ids)
        self.seen.append((stage, prompt))
        text = self.write(source, int(stage[-1]), prompt)
        ids = self.world.tokenizer.encode(text + END, add_special_tokens=False)
        limit = sampling_params["max_tokens"]
        return Output(list(ids[:limit]), "completed" if len(ids) <= limit else "length")


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    pytest.importorskip("verl")
    from autoresearch.training.tiny import build_model, build_tokenizer

    root = tmp_path_factory.mktemp("two-stage")
    inputs = ExportInputs(
        canonical=MINI / "canonical.json",
        registry=MINI / "registry.json",
        corpus=MINI / "corpus.json",
        task_config=MINI / "task.json",
        grading_config=MINI / "grading.json",
    )
    three_message.export(inputs, root / "three")
    data = read_two_stage(root / "three", "test")
    texts = [message["content"] for row in data.rows for message in row.prompt]
    tokenizer = build_tokenizer(texts, root / "model", style="qwen", vocab_size=1500)
    build_model(root / "model", "mini")
    return World(root / "three", root / "model", tokenizer, data)


def five(data: SplitData, first: str) -> list[str]:
    """Five leaves that begin with ``first``."""
    others = [leaf.category_id for leaf in data.assets.registry.leaves if leaf.category_id != first]
    return [*others[:2], first, *others[2:4]]


def right(world: World, source: str, stage: int, prompt: str) -> str:
    chosen = next(item for item in world.data.rows if item.source_id == source)
    assert chosen.ground_truth is not None
    if stage == 1:
        registry = world.data.assets.registry
        return stage1_target([registry.choice_id(item) for item in five(world.data, chosen.ground_truth)])
    return stage2_target("3", chosen.ground_truth_level)


def test_the_second_prompt_holds_the_five_leaves_in_the_order_of_the_first_answer(world: World, tmp_path: Path) -> None:
    engine = Scripted(world, lambda *asked: right(world, *asked))
    report = evaluate_two_stage(world.options(tmp_path / "a.json"), engine=engine)
    rows = len(world.data.rows)
    assert report.kind == "two-stage" and report.complete and read_report(tmp_path / "a.json") == report
    assert counted(report.numbers["exact"]) == (rows, rows)
    assert counted(report.numbers["two_stage"]["joint"]) == (rows, rows)
    assert report.numbers["two_stage"]["turns_mean"] == 2.0
    by_category = world.data.assets.catalogue.by_category
    second = [prompt for stage, prompt in engine.seen if stage == "stage2"]
    assert len(second) == rows
    for prompt, item in zip(second, world.data.rows, strict=True):
        assert item.ground_truth is not None
        names = [
            f'{{"id":"{n}","name":"{by_category(c).name}"' for n, c in enumerate(five(world.data, item.ground_truth), 1)
        ]
        places = [prompt.index(name) for name in names]
        assert places == sorted(places)


def test_no_truth_is_put_into_a_shortlist_that_lacks_it(world: World, tmp_path: Path) -> None:
    def miss(source: str, stage: int, prompt: str) -> str:
        chosen = next(item for item in world.data.rows if item.source_id == source)
        others = [
            leaf.category_id for leaf in world.data.assets.registry.leaves if leaf.category_id != chosen.ground_truth
        ]
        registry = world.data.assets.registry
        if stage == 1:
            return stage1_target([registry.choice_id(item) for item in others[:5]])
        assert chosen.ground_truth is not None
        assert f'"name":"{world.data.assets.catalogue.by_category(chosen.ground_truth).name}"' not in prompt
        return stage2_target("1", chosen.ground_truth_level)

    report = evaluate_two_stage(world.options(tmp_path / "a.json"), engine=Scripted(world, miss))
    numbers = report.numbers["two_stage"]
    assert numbers["recall_at_5"]["numerator"] == 0 and numbers["stage1_valid"]["rate"] == 1.0
    assert numbers["stage2_given_recall"]["exact"]["rate"] is None
    assert report.numbers["level_exact"]["rate"] == 1.0 and report.numbers["exact"]["rate"] == 0.0


def test_an_invalid_shortlist_ends_the_field_and_says_why(world: World, tmp_path: Path) -> None:
    first = world.data.rows[0].source_id
    engine = Scripted(world, lambda s, stage, p: "{}" if s == first else right(world, s, stage, p))
    report = evaluate_two_stage(world.options(tmp_path / "a.json"), engine=engine)
    rows = len(world.data.rows)
    assert counted(report.numbers["two_stage"]["stage1_valid"]) == (rows - 1, rows)
    assert report.numbers["reasons"] == {"ok": rows - 1, "stage1: wrong_keys": 1}
    played = read_transcripts(tmp_path / "a-transcripts")
    assert [episode.uid for episode in played if episode.source_id == first] == ["stage1"]
    assert len(played) == 2 * rows - 1


def test_an_engine_failure_is_no_answer_and_makes_the_report_incomplete(world: World, tmp_path: Path) -> None:
    first = world.data.rows[0].source_id

    def write(source: str, stage: int, prompt: str) -> str:
        if source == first and stage == 2:
            raise ConnectionError("gone")
        return right(world, source, stage, prompt)

    report = evaluate_two_stage(world.options(tmp_path / "a.json"), engine=Scripted(world, write))
    assert not report.complete and report.errors[0]["source_id"] == first
    assert report.numbers["exact"]["denominator"] == len(world.data.rows) - 1
    assert any(episode.error and episode.uid == "stage2" for episode in read_transcripts(tmp_path / "a-transcripts"))


def test_the_tiny_model_plays_the_split_and_is_compared_with_the_baseline(world: World, tmp_path: Path) -> None:
    evaluate_two_stage(world.options(tmp_path / "model.json", max_response=16))
    evaluate_two_stage(EvalOptions(release=world.release, out=tmp_path / "base.json"))
    model, base = read_report(tmp_path / "model.json"), read_report(tmp_path / "base.json")
    assert model.numbers["exact"]["denominator"] == len(world.data.rows)
    assert model.settings["sampling"]["temperature"] == 0.0 and set(model.baselines) == {"majority", "retrieval"}
    assert base.kind == "baseline" and base.numbers["two_stage"]["stage1_valid"]["denominator"] == len(world.data.rows)
    assert base.numbers["exact"] == base.baselines["retrieval"]["exact"]
    assert compare_files(tmp_path / "base.json", tmp_path / "model.json").rows == len(world.data.rows)


def test_other_families_existing_reports_and_unbound_models_are_refused(world: World, tmp_path: Path) -> None:
    from release_world import build_releases

    other = build_releases(tmp_path / "other")
    with pytest.raises(InputError, match="give a three-message release"):
        evaluate_two_stage(world.options(tmp_path / "a.json", release=other.cascade))
    with pytest.raises(RefusedError, match="T201"):
        evaluate_two_stage(world.options(tmp_path / "a.json", unbound=False))
    with pytest.raises(InputError, match="raise --max-prompt"):
        evaluate_two_stage(world.options(tmp_path / "a.json", max_prompt=64))
    (tmp_path / "a.json").write_text(json.dumps({}), encoding="utf-8")
    with pytest.raises(RefusedError, match="never overwritten"):
        evaluate_two_stage(world.options(tmp_path / "a.json"))
    with pytest.raises(InputError, match="either --model"):
        command(release=world.release, out=tmp_path / "b.json", model=world.model, baseline=True)
