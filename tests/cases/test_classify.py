"""Failure classes: a log excerpt for each, what must not match, evidence lines, documents (formal-case.md 13.1)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from log_excerpts import END, EXCERPTS, HARMLESS, HEALTHY, HIDDEN, MORE, TRACE

from autoresearch.cases import classify
from autoresearch.cases.classify import (
    Source,
    classes,
    classify_text,
    failure_class,
    group_of,
    last_line,
)

ROOT = Path(__file__).parents[2]
CARD_LOGS = ROOT / "tests" / "training" / "logs"
FIELD_LOGS = ROOT.parent / "shared" / "data" / "logs"
TABLE = """
outer_timeout limit, timeout limit, interrupted limit, ssh_lost host, supervisor_lost host, launcher_error host,
docker_error host, killed host, host_memory memory, disk_space host, device_count_zero host, resource_busy host,
device_fault host, image_incompatible stop, version_refused stop, import_error stop, dataset_error stop,
config_error stop, kv_cache_memory memory, weight_sync_memory memory, camem_memory memory, oom memory,
mamba_block_size engine, weight_shape_mismatch engine, engine_dead_collective engine, engine_dead engine,
collective_timeout engine, ray_socket_path engine, ray_start engine, reward_error engine,
incomplete_training_steps result, incomplete_validation result, records_invalid result, trainer_exit other"""


def found(text: str) -> str | None:
    answer = classify_text([Source("trainer.log", text.encode())])
    return answer[0] if answer else None


def test_the_classes_are_those_of_the_table_in_its_order() -> None:
    wanted = [tuple(item.split()) for item in TABLE.replace("\n", " ").split(",")]
    assert [(each.id, each.group) for each in classes()] == wanted
    assert group_of("oom") == "memory" and group_of("nothing") is None
    one = failure_class("oom")
    assert one is not None and set(one.cause) == set(one.fix) == {"en", "zh"}


def test_every_class_with_text_rules_has_an_excerpt() -> None:
    assert set(EXCERPTS) == {each.id for each in classes() if each.rules}


@pytest.mark.parametrize(("name", "text"), [*EXCERPTS.items(), *MORE])
def test_an_excerpt_gets_its_class(name: str, text: str) -> None:
    assert found(HEALTHY + text + END) == name


@pytest.mark.parametrize("text", HARMLESS)
def test_words_that_only_hold_a_pattern_do_not_match(text: str) -> None:
    assert found(HEALTHY + text + END) is None


@pytest.mark.parametrize("text", HIDDEN)
def test_command_echo_configuration_and_samples_are_never_evidence(text: str) -> None:
    assert found(HEALTHY + text + END) is None
    assert found(HEALTHY + text + "\n" + EXCERPTS["disk_space"] + END) == "disk_space"


def test_a_pattern_of_the_final_traceback_is_not_taken_from_an_earlier_one() -> None:
    recovered = TRACE + "ModuleNotFoundError: No module named 'apex'\n"
    last = TRACE + "torch.OutOfMemoryError: CUDA out of memory.\n"
    assert found(recovered + last) == "oom"
    assert found(last + recovered) == "import_error"


def test_the_first_rule_of_the_table_wins_and_among_lines_the_earliest() -> None:
    text = EXCERPTS["oom"] + "\n" + EXCERPTS["disk_space"] + "\nENOSPC again" + END
    answer = classify_text([Source("trainer.log", text.encode())])
    assert answer is not None and answer[0] == "disk_space" and "Errno 28" in answer[1].text


def test_evidence_names_file_line_offset_and_its_neighbours() -> None:
    head = "one\ntwo\nthree\nfour 名\n"
    text = head + EXCERPTS["disk_space"] + "\nfive\nsix\nseven\neight\n"
    answer = classify_text([Source("trainer.log", b"fine\n"), Source("launcher.log", text.encode())])
    assert answer is not None
    evidence = answer[1]
    assert (evidence.file, evidence.line, evidence.offset) == ("launcher.log", 5, len(head.encode()))
    assert text.encode()[evidence.offset or 0 :].startswith(b"OSError")
    assert [line[:5] for line in evidence.around] == ["two", "three", "four ", "OSErr", "five", "six", "seven"]


def test_a_long_log_is_searched_from_its_first_traceback_and_at_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    assert classify.WINDOW_BYTES == 4 << 20
    monkeypatch.setattr(classify, "WINDOW_BYTES", 1 << 16)
    filler = b"progress 1 of many\n" * 5000
    early = b"EngineDeadError before anything\n" + filler + b"ENOSPC\n" + filler
    answer = classify_text([Source("trainer.log", early)])
    assert answer is None, "neither in the last part nor behind a traceback"
    trace = (TRACE + "torch.OutOfMemoryError: CUDA out of memory.\n").encode()
    middle = classify_text([Source("trainer.log", filler + trace + filler + filler)])
    assert middle is not None and middle[0] == "oom"
    assert middle[1].line == filler.count(b"\n") + 2
    tail = classify_text([Source("trainer.log", filler + filler + b"ENOSPC\n")])
    assert tail is not None and tail[0] == "disk_space" and tail[1].line == 2 * filler.count(b"\n") + 1


@pytest.mark.parametrize(
    ("name", "wanted"),
    [("rloo-one-card-engine.log", "engine_dead"), ("rloo-one-card-memory.log", "oom"), ("sft-one-card.log", None)],
)
def test_logs_of_one_card(name: str, wanted: str | None) -> None:
    answer = classify_text([Source("trainer.log", (CARD_LOGS / name).read_bytes())])
    assert (answer[0] if answer else None) == wanted


@pytest.mark.field
def test_public_logs_of_healthy_runs_hold_no_failure() -> None:
    logs = sorted(FIELD_LOGS.glob("*.log"))
    if not logs:
        pytest.skip("the public files are not here")
    for path in logs:
        assert classify_text([Source("trainer.log", path.read_bytes())]) is None, path.name


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=3000))
def test_no_bytes_make_it_raise(content: bytes) -> None:
    source = Source("trainer.log", content)
    classify_text([source])
    last_line(source)


def test_the_page_of_findings_has_cause_and_fix_of_every_class() -> None:
    page = (ROOT / "docs" / "findings.md").read_text(encoding="utf-8")
    section = page.partition("\n## Failure classes\n")[2].partition("\n## ")[0]
    entries = {
        name: (group, body)
        for name, group, body in re.findall(r"^#### (\w+) \((\w+)\)\n\n(.*?)(?=^#### |\Z)", section, re.M | re.S)
    }
    assert list(entries) == [each.id for each in classes()]
    for each in classes():
        group, body = entries[each.id]
        assert group == each.group
        assert body.strip() == f"{each.cause['en']}\n\nFix: {each.fix['en']}"
