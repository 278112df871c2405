"""The server runbook, sections 1 to 5: commands as printed, in bash, on the shipped example (data-line 12.1-12.4)."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from journey import DATASET, Done, Journey, tree
from printed import RUNBOOK, kept_commands, printed_commands

pytestmark = pytest.mark.bare
COMMANDS = [command.name for command in kept_commands() if not command.sets_something]
HEREDOC = "3.3 PYTHON_BIN"
ASSEMBLE = "3.2 script.verl.sft.export_tool_trajectories export"
LEGACY_VALIDATE = "2 script.verl.sft.validate"
LEGACY_MIXTURE = "4 script.verl.common.build_mixture sft"
PUBLISHERS = {
    "2 script.verl.sft.export": f"sft-legacy/source/{DATASET}",
    ASSEMBLE: f"sft-trajectory/{DATASET}",
    LEGACY_MIXTURE: "sft-legacy/standardized",
    "5 script.verl.rl.export": f"rl/source/{DATASET}",
    "5 script.verl.common.build_mixture rl-cascade": f"rl/{DATASET}",
}


def again(journey: Journey, name: str, *changes: tuple[str, str]) -> Done:
    """The printed command once more, with some of its text replaced."""
    text = journey.texts[name]
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return journey.shell(text)


@pytest.mark.skipif(not RUNBOOK.is_file(), reason="the runbook is not beside the checkout")
def test_kept_commands_are_those_that_the_runbook_prints() -> None:
    assert kept_commands() == printed_commands(RUNBOOK.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", COMMANDS)
def test_a_printed_command_exits_with_zero(name: str, journey: Journey) -> None:
    """data-line 12.1; the split has no --overwrite, the report of section 2 lies inside the release (12.3)."""
    done = journey.done[name]
    assert done.code == 0, f"{done.err[-2000:]}{done.out[-2000:]}"


def test_records_are_split_and_free_of_conflicts(journey: Journey) -> None:
    split = journey.done["1 script.canonical.split"].json["datasets"][DATASET]
    assert split["split_type"] == "random"
    audit = journey.done["1 script.analysis.audit_prompt_conflicts"].json
    assert (audit["status"], audit["conflict_keys"]) == ("passed", 0)


def test_the_formal_release_has_reviewed_thoughts_and_closed_label_gaps(journey: Journey) -> None:
    assembled = journey.done[ASSEMBLE].json
    assert assembled["label_gap_gate"]["status"] == "passed"
    assert assembled["think"]["source"] == "file"
    assert min(assembled["rows"].values()) > 0
    cascade = journey.done["5 script.verl.rl.validate_cascade"].json
    assert cascade["valid"] is True
    assert {split: item["rows"] for split, item in cascade["splits"].items()} == assembled["rows"]


def test_the_python_block_says_no_after_one_flipped_byte(journey: Journey, tmp_path: Path) -> None:
    """data-line 12.2."""
    copy = tmp_path / "release"
    shutil.copytree(journey.releases / PUBLISHERS[ASSEMBLE], copy)
    report = tmp_path / "validation.json"
    places = (('"$TRAJECTORY_RELEASE"', f'"{copy}"'), ('"$RUN/trajectory/validation.json"', f'"{report}"'))
    assert again(journey, HEREDOC, *places).code == 0
    data = bytearray((copy / "val.parquet").read_bytes())
    data[len(data) // 2] ^= 1
    (copy / "val.parquet").write_bytes(bytes(data))
    done = again(journey, HEREDOC, *places)
    assert done.code == 1, done.err
    assert '"R006"' in report.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PUBLISHERS)
def test_a_second_run_of_a_publisher_is_refused_and_the_release_stays(name: str, journey: Journey) -> None:
    """data-line 12.24."""
    release = journey.releases / PUBLISHERS[name]
    before = tree(release)
    done = again(journey, name)
    assert (done.code, done.codes) == (2, {"R001"}), done.out + done.err
    assert tree(release) == before
    given = journey.run_folder / "trajectory" / "assemble.failed.json"
    audit = given if name == ASSEMBLE else release.with_name(f"{release.name}.failed.json")
    assert "R001" in audit.read_text(encoding="utf-8")


def test_collecting_twice_is_refused_and_the_shards_stay(journey: Journey) -> None:
    folder = journey.run_folder / "trajectory" / "think-collect"
    before = tree(folder)
    done = again(journey, "3.1 script.verl.sft.export_tool_trajectories collect")
    assert (done.code, done.codes) == (2, {"R002"}), done.out + done.err
    assert tree(folder) == before


def test_splitting_twice_is_refused_and_the_records_stay(journey: Journey) -> None:
    """data-line 12.18."""
    before = tree(journey.run_folder / "canonical")
    done = again(journey, "1 script.canonical.split")
    assert (done.code, done.codes) == (2, {"F060"}), done.out + done.err
    assert tree(journey.run_folder / "canonical") == before


def test_a_report_inside_the_release_may_be_written_again_and_harms_nothing(journey: Journey) -> None:
    """data-line 12.3."""
    release = journey.releases / PUBLISHERS["2 script.verl.sft.export"]
    first = (release / "validation.json").read_bytes()
    assert again(journey, LEGACY_VALIDATE).code == 0
    assert (release / "validation.json").read_bytes() == first
    assert again(journey, LEGACY_MIXTURE, ("sft-legacy/standardized", "sft-legacy/again")).code == 0
    assert tree(journey.releases / "sft-legacy" / "again") == tree(journey.releases / PUBLISHERS[LEGACY_MIXTURE])


def test_the_three_message_validator_refuses_trajectories_and_names_the_right_command(journey: Journey) -> None:
    """data-line 12.4."""
    legacy = f'"$RUN/releases/sft-legacy/source/{DATASET}"'
    report = f'"$RUN/releases/sft-legacy/source/{DATASET}/validation.json"'
    places = ((report, '"$RUN/wrong.json"'), (legacy, '"$TRAJECTORY_RELEASE"'))
    done = again(journey, LEGACY_VALIDATE, *places)
    assert (done.code, done.codes) == (1, {"R003"}), done.out + done.err
    assert done.json["valid"] is False
    assert "script.verl.sft.validate_tool_trajectories" in done.out


def test_the_three_message_validator_takes_its_mixture_too(journey: Journey) -> None:
    """data-line 4.8."""
    legacy = f'"$RUN/releases/sft-legacy/source/{DATASET}"'
    report = f'"$RUN/releases/sft-legacy/source/{DATASET}/validation.json"'
    places = ((report, '"$RUN/mixture.json"'), (legacy, '"$RUN/releases/sft-legacy/standardized"'))
    done = again(journey, LEGACY_VALIDATE, *places)
    assert done.code == 0, done.err
    assert (done.json["family"], done.json["valid"]) == ("sft-mixture", True)


def test_the_trajectory_validator_is_a_command_too_and_refuses_other_releases(journey: Journey) -> None:
    """data-line 4.8."""
    module = ("script.verl.sft.validate", "script.verl.sft.validate_tool_trajectories")
    legacy = f'"$RUN/releases/sft-legacy/source/{DATASET}"'
    report = (f'"$RUN/releases/sft-legacy/source/{DATASET}/validation.json"', '"$RUN/trajectory/command.json"')
    assert again(journey, LEGACY_VALIDATE, module, report, (legacy, '"$TRAJECTORY_RELEASE"')).code == 0
    by_python = (journey.run_folder / "trajectory" / "validation.json").read_text(encoding="utf-8")
    by_command = (journey.run_folder / "trajectory" / "command.json").read_text(encoding="utf-8")
    assert json.loads(by_command) == json.loads(by_python)
    done = again(journey, LEGACY_VALIDATE, module, report)
    assert (done.code, done.codes) == (1, {"R003"}), done.out + done.err


def test_a_mixture_of_trajectories_is_refused_and_names_the_trainer(journey: Journey, tmp_path: Path) -> None:
    """data-line 12.4."""
    source = f'"$RUN/releases/sft-legacy/source/{DATASET}"'
    target = ('"$RUN/releases/sft-legacy/standardized"', f'"{tmp_path / "mixture"}"')
    done = again(journey, LEGACY_MIXTURE, (source, '"$TRAJECTORY_RELEASE"'), target)
    assert (done.code, done.codes) == (2, {"R003"}), done.out + done.err
    assert "autoresearch train sft" in done.err
    assert not (tmp_path / "mixture").exists()


def test_of_two_processes_that_publish_at_once_one_wins(journey: Journey, tmp_path: Path) -> None:
    """data-line 12.43."""
    name = "5 script.verl.rl.export"
    text = journey.texts[name].replace(f'"$RUN/releases/rl/source/{DATASET}"', f'"{tmp_path / "pairs"}"')
    program = ["bash", "-c", "\n".join([*journey.settings, text])]
    pair = [subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    ended = sorted((Done(child.wait(), *texts) for child, texts in ((c, c.communicate()) for c in pair)), key=code_of)
    assert [item.code for item in ended] == [0, 2], [item.err for item in ended]
    assert ended[1].codes == {"R001"}
    assert tree(tmp_path / "pairs") == tree(journey.releases / PUBLISHERS[name])
    assert not list(tmp_path.glob(".*staging*"))


def code_of(done: Done) -> int:
    """For sorting."""
    return done.code
