from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("verl")
sys.path.append(str(Path(__file__).parents[1] / "fixtures"))

from release_world import Releases, build_releases

from autoresearch.cli.eval import episodes as command
from autoresearch.errors import InputError, RefusedError
from autoresearch.evaluation.compare import compare_files
from autoresearch.evaluation.episodes import EvalOptions, evaluate
from autoresearch.evaluation.eval_report import read_report
from autoresearch.training.episodes import EpisodeRow, read_rows
from autoresearch.training.transcripts import read_transcripts


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Releases:
    from autoresearch.training.tiny import build_model

    made = build_releases(tmp_path_factory.mktemp("releases"))
    build_model(made.model, "mini")
    return made


@pytest.fixture(scope="module")
def rows(world: Releases) -> list[EpisodeRow]:
    return read_rows(world.cascade, "test")


def options(world: Releases, out: Path, **changes: Any) -> EvalOptions:
    return EvalOptions(release=world.cascade, out=out, model=world.model, unbound=True, **changes)


def test_a_report_holds_every_row_its_numbers_and_the_floors(
    world: Releases, rows: list[EpisodeRow], tmp_path: Path
) -> None:
    engine = world.engine(rows, lambda row, n: world.right(row) if row is not rows[0] else "{}")
    report = evaluate(options(world, tmp_path / "a.json"), engine=engine)
    assert read_report(tmp_path / "a.json") == report
    assert report.complete and report.settings["sampling"]["temperature"] == 0.0
    exact = report.numbers["exact"]
    assert (exact["numerator"], exact["denominator"]) == (len(rows) - 1, len(rows))
    assert report.numbers["reasons"] == {"ok": len(rows) - 1, "wrong_keys": 1}
    assert set(report.baselines) == {"majority", "retrieval"}
    assert report.numbers["level_lookup_baseline"]["of_predicted_category"]["denominator"] == len(rows)
    assert len(read_transcripts(tmp_path / report.transcripts[0].split("/")[0])) == len(rows)


def test_tables_of_train_are_seen_and_others_unseen(world: Releases, rows: list[EpisodeRow], tmp_path: Path) -> None:
    train = {row.metadata["table_name"] for row in read_rows(world.cascade, "train")}
    report = evaluate(options(world, tmp_path / "a.json"), engine=world.engine(rows, lambda row, n: "{}"))
    for row, result in zip(rows, report.rows, strict=True):
        assert result.seen_table == (row.metadata["table_name"] in train)


def test_an_engine_failure_makes_the_report_incomplete_and_no_zero(
    world: Releases, rows: list[EpisodeRow], tmp_path: Path
) -> None:
    def write(row: EpisodeRow, n: int) -> str:
        if row is rows[0]:
            raise ConnectionError("gone")
        return world.right(row)

    report = evaluate(options(world, tmp_path / "a.json"), engine=world.engine(rows, write))
    assert not report.complete and len(report.errors) == 1
    assert report.numbers["exact"]["denominator"] == len(rows) - 1
    evaluate(options(world, tmp_path / "b.json"), engine=world.engine(rows, lambda row, n: world.right(row)))
    with pytest.raises(RefusedError, match="incomplete"):
        compare_files(tmp_path / "a.json", tmp_path / "b.json")


def test_several_samples_are_calibrated_and_sampled_at_one(
    world: Releases, rows: list[EpisodeRow], tmp_path: Path
) -> None:
    engine = world.engine(rows, lambda row, n: world.right(row) if n else "{}")
    report = evaluate(options(world, tmp_path / "a.json", samples=4), engine=engine)
    assert report.settings["sampling"]["temperature"] == 1.0
    assert report.numbers["exact"]["denominator"] == 4 * len(rows)
    assert report.numbers["calibration"]["bins"][7]["rows"] == len(rows)


def test_a_model_without_a_merge_record_is_refused_unless_asked_for(world: Releases, tmp_path: Path) -> None:
    with pytest.raises(RefusedError, match="T201"):
        evaluate(EvalOptions(release=world.cascade, out=tmp_path / "a.json", model=world.model))


def test_trajectory_releases_are_evaluated_on_the_same_prompts(
    world: Releases, rows: list[EpisodeRow], tmp_path: Path
) -> None:
    same = read_rows(world.trajectory, "test")
    assert sorted(row.prompt[1]["content"] for row in same) == sorted(row.prompt[1]["content"] for row in rows)
    engine = world.engine(same, lambda row, n: world.right(row))
    made = EvalOptions(release=world.trajectory, out=tmp_path / "a.json", model=world.model, unbound=True)
    assert evaluate(made, engine=engine).numbers["exact"]["rate"] == 1.0


def test_the_baseline_needs_no_torch_and_answers_every_row(world: Releases, tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from autoresearch.cli.eval import episodes;"
        f"out = episodes(release=Path({str(world.cascade)!r}), out=Path({str(tmp_path / 'b.json')!r}), baseline=True);"
        "assert not {'torch', 'verl', 'ray', 'transformers'} & set(sys.modules), 'heavy import';"
        "print(out.payload['rows'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    report = read_report(tmp_path / "b.json")
    assert report.kind == "baseline" and report.model is None
    assert report.numbers["exact"]["denominator"] == report.rows_in_split == int(done.stdout)


def test_exactly_one_of_model_and_baseline_is_wanted(world: Releases, tmp_path: Path) -> None:
    for model, baseline in ((None, False), (world.model, True)):
        with pytest.raises(InputError, match="either --model"):
            command(release=world.cascade, out=tmp_path / "a.json", model=model, baseline=baseline)
