"""Prediction: votes, review flags, the log that a run goes on from, standards, and the command (training 10)."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from python_calamine import CalamineWorkbook

from autoresearch.cli.main import run
from autoresearch.errors import InputError, RefusedError
from autoresearch.evaluation import model_answers
from autoresearch.evaluation.field_source import read_fields
from autoresearch.evaluation.model_answers import ModelAnswer, PredictionLog, Settings, vote
from autoresearch.evaluation.predict import predict
from autoresearch.evaluation.prediction_request import Request
from autoresearch.evaluation.reasons import Explainer
from autoresearch.evaluation.retrieval_baseline import BaselineAnswer, RetrievalBaseline
from autoresearch.evaluation.review import Evidence, review, urgency
from autoresearch.evaluation.sheet import Labelled
from autoresearch.evaluation.standards_folder import find_standards
from autoresearch.releases import three_message
from autoresearch.releases.inputs import ExportInputs
from autoresearch.releases.release import Release

STEEL = Path(__file__).resolve().parents[2] / "examples" / "steel"
SMALL = STEEL / "small"
LEVELS = ("L1", "L2", "L3", "L4")
A, B, C = ("1", "L2"), ("2", "L2"), ("1", "L3")
SETTINGS = Settings("tree", 3, False)


def flags(**facts: Any) -> list[str]:
    evidence = Evidence(**{"answered": True, "level": "L2", **facts})
    return list(review(evidence, LEVELS, agreement_below=0.8, margin_below=0.3))


class TestVote:
    def test_majority_is_by_pair(self) -> None:
        found = vote([A, B, B])
        assert (found.pair, found.share, found.second, found.second_share) == (B, 0.6667, A, 0.3333)

    def test_ties_go_to_the_greedy_answer(self) -> None:
        assert vote([A, B, B, A]).pair == A
        assert vote([None, B, A]).pair == B

    def test_one_sample_has_no_share(self) -> None:
        assert vote([A]).share is None

    def test_invalid_samples_stand_in_the_denominator(self) -> None:
        assert vote([A, None, None, None]).share == 0.25
        assert vote([None, None]).pair is None

    def test_levels_that_differ_on_one_category_are_seen(self) -> None:
        assert vote([A, C, A]).level_split
        assert not vote([A, B, C]).level_split


class TestReview:
    def test_a_sure_answer_needs_none(self) -> None:
        assert flags(agreement=1.0, common_level="L2", training_fields=40) == []

    def test_each_reason_is_flagged_alone(self) -> None:
        assert flags(answered=False) == ["no_answer"]
        assert flags(too_long=True, answered=False) == ["too_long"]
        assert flags(agreement=0.79) == ["low_agreement"]
        assert flags(agreement=0.8) == []
        assert flags(level_split=True, agreement=0.9) == ["level_split"]
        assert flags(common_level="L3") == ["under_grading"]
        assert flags(common_level="L1") == []
        assert flags(baseline_disagrees=True) == ["baseline_disagrees"]
        assert flags(description_missing=True, agreement=0.9) == ["no_description"]
        assert flags(description_missing=True, agreement=1.0) == []
        assert flags(training_fields=4) == ["rare_category"]
        assert flags(training_fields=None) == []
        assert flags(level=None) == ["level_unknown"]
        assert flags(margin=0.1) == ["low_margin"]

    def test_under_grading_is_most_urgent_then_invalid_then_agreement(self) -> None:
        cases = [(["low_agreement"], 0.6), (["no_answer"], 0.0), (["under_grading"], 1.0), (["level_split"], 0.4)]
        order = sorted(cases, key=lambda case: urgency(case[0], case[1]))  # type: ignore[arg-type]  # plain lists
        assert [codes[0] for codes, _ in order] == ["under_grading", "no_answer", "level_split", "low_agreement"]


class TestLog:
    def test_a_log_is_read_back_and_gone_on_with(self, tmp_path: Path) -> None:
        path = tmp_path / "predictions.jsonl"
        first = ModelAnswer("k1", (A, None, B), ("", "blank", ""), ({"name": "search_categories", "surfaced": ["1"]},))
        PredictionLog.open(path, SETTINGS, resume=False).append([first])
        again = PredictionLog.open(path, SETTINGS, resume=True)
        assert again.answers == {"k1": first}
        again.append([ModelAnswer("k2", (A, A, A))])
        assert set(PredictionLog.open(path, SETTINGS, resume=True).answers) == {"k1", "k2"}

    def test_a_line_that_was_being_written_is_cut_off(self, tmp_path: Path) -> None:
        path = tmp_path / "predictions.jsonl"
        PredictionLog.open(path, SETTINGS, resume=False).append([ModelAnswer("k1", (A,)), ModelAnswer("k2", (B,))])
        whole = path.read_bytes()
        path.write_bytes(whole[:-20])
        again = PredictionLog.open(path, SETTINGS, resume=True)
        assert set(again.answers) == {"k1"}
        again.append([ModelAnswer("k2", (B,))])
        assert path.read_bytes() == whole

    def test_other_settings_and_a_second_start_are_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "predictions.jsonl"
        PredictionLog.open(path, SETTINGS, resume=False).append([ModelAnswer("k1", (A,))])
        with pytest.raises(RefusedError, match="exists; give --resume"):
            PredictionLog.open(path, SETTINGS, resume=False)
        assert PredictionLog.open(path, SETTINGS, resume=False, overwrite=True).answers == {}
        with pytest.raises(RefusedError, match="another model or other settings"):
            PredictionLog.open(path, Settings("other tree", 3, False), resume=True)

    def test_a_log_begins_with_its_first_answers_and_again_where_its_head_was_cut_off(self, tmp_path: Path) -> None:
        path = tmp_path / "predictions.jsonl"
        log = PredictionLog.open(path, SETTINGS, resume=False)
        assert not path.exists()
        path.write_bytes(b'{"format":"auto')
        log = PredictionLog.open(path, SETTINGS, resume=True)
        log.append([ModelAnswer("k1", (A,))])
        assert set(PredictionLog.open(path, SETTINGS, resume=True).answers) == {"k1"}

    def test_a_line_that_is_no_answer_is_named(self, tmp_path: Path) -> None:
        path = tmp_path / "predictions.jsonl"
        PredictionLog.open(path, SETTINGS, resume=False).append([])
        with path.open("a", encoding="utf-8") as handle:
            handle.write('{"key":"k1"}\n')
        with pytest.raises(InputError, match=r"predictions\.jsonl, line 2: no answer of this version \(pairs"):
            PredictionLog.open(path, SETTINGS, resume=True)

    def test_key_depends_on_prompt_model_and_settings(self) -> None:
        prompt = [{"role": "user", "content": "x"}]
        keys = {
            SETTINGS.key(prompt),
            SETTINGS.key([{"role": "user", "content": "y"}]),
            Settings("other", 3, False).key(prompt),
            Settings("tree", 5, False).key(prompt),
            Settings("tree", 3, True).key(prompt),
        }
        assert len(keys) == 5


class TestStandards:
    def test_shipped_layout_and_release_assets_are_found(self, tmp_path: Path) -> None:
        found = find_standards(SMALL)
        assert found.grading is not None and found.task is not None
        with found.as_release_assets() as folder:
            names = sorted(path.name for path in folder.iterdir())
            assert names == ["corpus.json", "grading.json", "registry.json", "task.json"]
            copied = find_standards(folder)
            assert copied.load().registry.digest == found.load().registry.digest
            with copied.as_release_assets() as same:
                assert same == folder

    def test_none_two_and_no_corpus_are_refused(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="there is no folder"):
            find_standards(tmp_path / "absent")
        with pytest.raises(InputError, match="holds none"):
            find_standards(tmp_path)
        (tmp_path / "a.registry.json").write_text("{}", encoding="utf-8")
        with pytest.raises(InputError, match=r"no a\.corpus\.json"):
            find_standards(tmp_path)
        (tmp_path / "b.registry.json").write_text("{}", encoding="utf-8")
        with pytest.raises(InputError, match=r"a\.registry\.json, b\.registry\.json"):
            find_standards(tmp_path)


class TestBaselineCommand:
    def test_labelled_rows_are_compared_and_none_answers_for_itself(self, tmp_path: Path) -> None:
        done = predict(Request(SMALL / "raw/steel.xlsx", SMALL, tmp_path / "out.xlsx"))
        compared = done["compared"]
        assert (done["rows"], done["fields"], compared["rows"]) == (900, 900, 900)
        assert 0.8 < compared["category_right"] / 900 < 1.0
        assert sum(done["levels"].values()) + done["no_level"] == 900

    def test_labelled_file_gives_levels_to_unlabelled_fields(self, tmp_path: Path) -> None:
        plain = predict(Request(SMALL / "raw/unlabelled.xlsx", SMALL, tmp_path / "a.xlsx"))
        helped = predict(
            Request(SMALL / "raw/unlabelled.xlsx", SMALL, tmp_path / "b.xlsx", labelled=SMALL / "raw/steel.xlsx")
        )
        assert plain["no_level"] == 60
        assert plain["review_reasons"]["level_unknown"] == plain["answered"]
        assert helped["no_level"] == 0
        assert helped["labelled_neighbours"] == 900
        assert helped["compared"]["rows"] == 0

    def test_full_example_keeps_every_row_and_the_same_bytes(self, tmp_path: Path) -> None:
        request = Request(STEEL / "raw/steel.xlsx", STEEL, tmp_path / "a.xlsx")
        done = predict(request)
        predict(Request(STEEL / "raw/steel.xlsx", STEEL, tmp_path / "b.xlsx"))
        assert (tmp_path / "a.xlsx").read_bytes() == (tmp_path / "b.xlsx").read_bytes()
        assert done["rows"] == 2403 and done["fields"] == 2400
        with CalamineWorkbook.from_path(str(tmp_path / "a.xlsx")) as book:
            after = book.get_sheet_by_index(0).to_python(skip_empty_area=False)
            assert book.sheet_names == ["字段清单", "汇总", "待复核", "说明"]
        with CalamineWorkbook.from_path(str(STEEL / "raw/steel.xlsx")) as book:
            before = book.get_sheet_by_name("字段清单").to_python(skip_empty_area=False)
        width = len(before[0])
        assert [row[:width] for row in after] == before[: len(after)]
        assert not any(any(row) for row in before[len(after) :])

    @pytest.mark.parametrize("dialect", ["mysql", "postgres", "tsql"])
    def test_each_dialect_gives_one_row_a_column(self, dialect: str, tmp_path: Path) -> None:
        text = (STEEL / f"raw/ddl/{dialect}.sql").read_text(encoding="utf-8")
        source = tmp_path / "first.sql"  # the first tables; all of them are read by the data line's tests
        source.write_text("CREATE TABLE".join(text.split("CREATE TABLE")[:9]), encoding="utf-8")
        done = predict(Request(source, STEEL, tmp_path / "ddl.xlsx"))
        read = read_fields(source)
        assert done["rows"] == done["fields"] == len(read.rows) > 50
        with CalamineWorkbook.from_path(str(tmp_path / "ddl.xlsx")) as book:
            shown = book.get_sheet_by_index(0).to_python(skip_empty_area=False)
        assert tuple(shown[0][: len(read.columns)]) == read.columns
        assert [tuple(row[: len(read.columns)]) for row in shown[1:]] == [row.cells for row in read.rows]

    def test_records_are_read_too(self, tmp_path: Path) -> None:
        mini = Path(__file__).resolve().parents[1] / "fixtures" / "steel_mini"
        records = predict(Request(mini / "canonical.json", mini, tmp_path / "records.xlsx"))
        assert records["rows"] == len(json.loads((mini / "canonical.json").read_text(encoding="utf-8")))
        assert records["compared"]["rows"] > 0

    def test_a_second_form_is_written_beside_the_first_and_holds_the_same(self, tmp_path: Path) -> None:
        source = SMALL / "raw/unlabelled.xlsx"
        done = predict(Request(source, SMALL, tmp_path / "o.xlsx", format="csv"))
        predict(Request(source, SMALL, tmp_path / "alone.csv"))
        assert done["also"] == str(tmp_path / "o.csv") and (tmp_path / "o.xlsx").is_file()
        assert (tmp_path / "o.csv").read_bytes() == (tmp_path / "alone.csv").read_bytes()
        (tmp_path / "o.xlsx").unlink()
        with pytest.raises(RefusedError, match=r"o\.csv exists"):
            predict(Request(source, SMALL, tmp_path / "o.xlsx", format="csv"))

    def test_standards_of_a_release_bring_its_train_fields(self, tmp_path: Path) -> None:
        mini = Path(__file__).resolve().parents[1] / "fixtures" / "steel_mini"
        inputs = ExportInputs(
            canonical=mini / "canonical.json",
            registry=mini / "registry.json",
            corpus=mini / "corpus.json",
            task_config=mini / "task.json",
            grading_config=mini / "grading.json",
        )
        three_message.export(inputs, tmp_path / "three")
        train = {row["source_id"] for row in Release(tmp_path / "three").records("train")}
        helped = predict(Request(mini / "canonical.json", tmp_path / "three/assets", tmp_path / "a.xlsx"))
        assert helped["labelled_neighbours"] == len(train) > 0
        moved = shutil.copytree(tmp_path / "three/assets", tmp_path / "alone/assets")
        own = predict(Request(mini / "canonical.json", moved, tmp_path / "b.xlsx"))
        assert own["labelled_neighbours"] == own["compared"]["rows"]

    def test_an_existing_output_is_kept(self, tmp_path: Path) -> None:
        out = tmp_path / "out.xlsx"
        out.write_bytes(b"mine")
        with pytest.raises(RefusedError, match="exists"):
            predict(Request(SMALL / "raw/unlabelled.xlsx", SMALL, out))
        assert out.read_bytes() == b"mine"

    def test_limit_reads_the_first_rows_only(self, tmp_path: Path) -> None:
        done = predict(Request(SMALL / "raw/unlabelled.xlsx", SMALL, tmp_path / "out.csv", limit=7))
        assert done["rows"] == 7
        assert len((tmp_path / "out.csv").read_text(encoding="utf-8-sig").splitlines()) == 8

    def test_command_prints_one_object_and_refuses_without_a_way_to_answer(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        words = ["predict", str(SMALL / "raw/unlabelled.xlsx"), "--standards", str(SMALL)]
        assert run([*words, "--out", str(tmp_path / "o.xlsx")]) == 2
        assert "give either --model DIR or --baseline" in json.loads(capsys.readouterr().out)["message"]
        assert run([*words, "--baseline", "--columns", "en", "--out", str(tmp_path / "o.xlsx")]) == 0
        printed = json.loads(capsys.readouterr().out)
        assert (printed["command"], printed["mode"], printed["fields"]) == ("predict", "baseline", 60)

    def test_a_model_needs_a_grading_standard_and_a_folder(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=r"no config\.json"):
            predict(Request(SMALL / "raw/unlabelled.xlsx", SMALL, tmp_path / "o.xlsx", model=tmp_path))


class TestReason:
    """training 10.1: entries come from tool results, not from what the model claims."""

    def block(self, answer: ModelAnswer, certainty: float | None) -> Labelled:
        assets = find_standards(SMALL).load()
        return Explainer(assets, RetrievalBaseline(assets), "en").block(
            answer.pairs[0],
            certainty=certainty,
            second=None,
            second_share=None,
            codes=(),
            common_level=None,
            baseline=BaselineAnswer(),
            model=answer,
        )

    def test_it_names_what_the_tools_showed_and_the_entry_chosen_alone(self) -> None:
        assets = find_standards(SMALL).load()
        shown, chosen, claimed = assets.registry.leaves[1], assets.registry.leaves[2], assets.registry.leaves[5]
        choice = assets.registry.choice_id(shown.category_id)
        calls = ({"name": "search_categories", "surfaced": [choice]},)
        answer = ModelAnswer("k", ((chosen.category_id, assets.levels[0]),), ("ok",), calls)
        block = self.block(answer, None)
        assert "search_categories" in block.reason and f"{choice} {shown.name}" in block.reason
        assert chosen.name in block.reason and claimed.name not in block.reason
        named = {leaf.name for leaf in assets.registry.leaves if leaf.name in block.reason}
        definition = assets.catalogue.by_category(chosen.category_id).summary
        assert named - {leaf.name for leaf in assets.registry.leaves if leaf.name in definition} <= {
            shown.name,
            chosen.name,
        }

    def test_one_sample_has_no_confidence_in_the_sheet(self) -> None:
        assets = find_standards(SMALL).load()
        pair = (assets.registry.leaves[0].category_id, assets.levels[0])
        assert self.block(ModelAnswer("k", (pair,)), vote([pair]).share).cells()[4] is None


@pytest.mark.train
def test_a_run_that_goes_on_ends_with_the_bytes_of_one_that_was_not_broken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """training 10.2, with a real (untrained) tiny model through the loop of training."""
    from autoresearch.task.prompts import native_messages
    from autoresearch.training.tiny import build_model, build_tokenizer

    model, source = tmp_path / "model", SMALL / "raw/unlabelled.xlsx"
    model.mkdir()
    assets = find_standards(SMALL).load()
    shown = [{name: row.metadata[name] for name in assets.fields} for row in read_fields(source).rows]
    texts = [message["content"] for metadata in shown for message in native_messages(assets, metadata, False)]
    build_tokenizer([*texts, '{"answer": "1", "level": "L2"}'], model)
    build_model(model, "mini", 1)
    whole = Request(
        source,
        SMALL,
        tmp_path / "whole/out.xlsx",
        model=model,
        samples=2,
        limit=4,
        unbound=True,
        enable_thinking=False,
        max_response=24,
    )
    monkeypatch.setattr(model_answers, "CHUNK_PROMPTS", 2)
    done = predict(whole)
    assert (done["mode"], done["fields"], done["prompts"], done["bound"]) == ("model", 4, 4, False)
    broken = replace(whole, out=tmp_path / "broken/out.xlsx", resume=True)
    lines = (tmp_path / "whole/predictions.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken/predictions.jsonl").write_bytes(b"".join(lines[:3]) + lines[3][:10])
    predict(broken)
    for name in ("predictions.jsonl", "out.xlsx"):
        assert (tmp_path / "broken" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    stopped = replace(whole, out=tmp_path / "stopped/out.xlsx", resume=True)
    write = PredictionLog.append

    def append(log: PredictionLog, answers: list[ModelAnswer]) -> None:
        write(log, answers)
        if len(log.answers) == 2:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(PredictionLog, "append", append)
        words = ["predict", str(source), "--standards", str(SMALL), "--out", str(stopped.out), "--model", str(model)]
        words += ["--samples", "2", "--limit", "4", "--unbound", "--no-enable-thinking", "--max-response", "24"]
        assert run(words) == 130
    kept = (tmp_path / "stopped/predictions.jsonl").read_bytes().splitlines()
    assert len(kept) == 3 and not stopped.out.exists()
    predict(stopped)
    for name in ("predictions.jsonl", "out.xlsx"):
        assert (tmp_path / "stopped" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    long = predict(replace(whole, out=tmp_path / "long/out.xlsx", max_prompt=64))
    assert (long["answered"], long["review_reasons"]) == (0, {"too_long": 4})
    with pytest.raises(RefusedError, match="T201"):
        predict(replace(whole, out=tmp_path / "bound/out.xlsx", unbound=False))
    with pytest.raises(RefusedError, match="other settings"):
        predict(replace(broken, samples=3))
