"""What the release commands write has a form, and the form is the file (data-line.md 3.0.6)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from release_copies import mini_inputs

from autoresearch.cli.formats import form_of
from autoresearch.errors import AutoResearchError
from autoresearch.releases import trajectory_export
from autoresearch.releases.collect import collect
from autoresearch.releases.header import SPLITS, read_header
from autoresearch.releases.stats import stats
from autoresearch.releases.validate import ValidationOptions, validate

RELEASES = ("search", "hash", "off", "three", "pairs", "cascade", "mixture")


def loaded(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def accepted(name: str, content: Any) -> None:
    """The form takes the document, gives back the same one, and refuses one key more."""
    form = form_of(name)
    shown = form.dump_python(form.validate_python(content), mode="json", exclude_unset=True)
    assert json.dumps(shown, ensure_ascii=False) == json.dumps(content, ensure_ascii=False)
    with pytest.raises(ValueError, match="not_a_key"):
        form.validate_python({**content, "not_a_key": 1})


@pytest.mark.parametrize("name", RELEASES)
def test_report_header_and_validation_of_each_family_have_their_forms(made: Path, name: str) -> None:
    report = loaded(made / name / "export_report.json")
    accepted("export-report", report)
    accepted("validation-report", report["validation"])
    accepted("validation-report", validate(made / name, ValidationOptions()))
    for split in SPLITS:
        accepted("release-header", read_header(made / name / f"{split}.parquet").model_dump(mode="json"))


def test_a_validation_that_finds_something_has_the_same_form(made: Path) -> None:
    judged = validate(made / "pairs", ValidationOptions(family="trajectory"))
    assert not judged["valid"]
    accepted("validation-report", judged)


def test_collected_shards_and_their_report_have_their_forms(tmp_path: Path) -> None:
    collect(mini_inputs(), tmp_path)
    accepted("collect-report", loaded(tmp_path / "collect_report.json"))
    lines = [line for path in tmp_path.glob("*.jsonl") for line in path.read_text(encoding="utf-8").splitlines()]
    assert len(lines) == 24
    for line in lines:
        accepted("collect-sample", json.loads(line))


def test_stats_have_their_form(made: Path) -> None:
    accepted("trajectory-stats", stats(made / "search"))


def test_a_failed_audit_has_its_form(tmp_path: Path, made: Path) -> None:
    with pytest.raises(AutoResearchError):
        trajectory_export.assemble(mini_inputs(), made / "search", failed_audit=tmp_path / "f.json")
    content = loaded(tmp_path / "f.json")
    assert content["findings"][0]["code"] == "R001"
    accepted("failed-audit", content)
