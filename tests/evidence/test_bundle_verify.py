"""``bundle verify`` passes on a read-only copy and names what was changed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from autoresearch.errors import InputError
from autoresearch.evidence.bundle import Bundle
from autoresearch.evidence.checksums import check_checksums, write_checksums
from autoresearch.evidence.verify import Verification, verify
from autoresearch.evidence.writer import make_read_only, make_writable
from autoresearch.files import tree_files

THROUGH_ALL_CHECKS = {
    "manifest.json",
    "SHA256SUMS",
    "config.lock.json",
    "matrix-results.jsonl",
    "telemetry.parquet",
    "telemetry-openmetrics.prom",
    "report-data.json",
    "report.html",
    "rollout.json",
    "signal.jsonl",
    "host-samples.jsonl",
}


def failed(found: Verification) -> set[str]:
    """Ids of the checks that failed."""
    return {each.id for each in found.checks if not each.ok}


def reseal(root: Path) -> None:
    """Make the checksums agree again, so that only the other checks can notice."""
    write_checksums(root)


def edit_json(path: Path, change: Callable[[dict], None]) -> None:
    """Change a JSON document in place."""
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content, indent=2) + "\n")


def test_a_read_only_copy_in_another_folder_verifies(copied: Path) -> None:
    make_read_only(copied)
    before = {path: path.stat().st_mtime_ns for path in copied.rglob("*")}
    found = verify(copied)
    assert found.ok, [each.message() for each in found.findings()]
    assert {path: path.stat().st_mtime_ns for path in copied.rglob("*")} == before
    assert {each.id: each.count for each in found.checks}["steps"] == 2


def test_one_flipped_byte_in_any_file_fails_and_names_the_file(copied: Path) -> None:
    files = sorted(path for path in copied.rglob("*") if path.is_file() and path.stat().st_size)
    assert len(files) > 50
    for path in files:
        name = path.relative_to(copied).as_posix()
        original = path.read_bytes()
        position = len(original) // 2
        path.write_bytes(original[:position] + bytes([original[position] ^ 1]) + original[position + 1 :])
        try:
            # The sums find it everywhere; a file of each kind goes through all checks, which must not break.
            findings = verify(copied).findings() if path.name in THROUGH_ALL_CHECKS else check_checksums(copied)[1]
        finally:
            path.write_bytes(original)
        assert any(name in each.place or name in each.rule for each in findings), name
    assert verify(copied).ok


def test_the_shipped_script_says_the_same_without_python(copied: Path) -> None:
    script = copied / "restore" / "verify.sh"
    assert subprocess.run(["bash", str(script)], capture_output=True, check=False).returncode == 0
    log = copied / "3-raw-logs" / "cases" / "rl.a1" / "trainer.log"
    log.write_bytes(log.read_bytes() + b"x")
    done = subprocess.run(["bash", str(script)], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "trainer.log" in done.stdout + done.stderr


def test_an_extra_file_a_missing_file_and_a_link_are_named(copied: Path) -> None:
    (copied / "6-rows" / "extra.txt").write_text("new")
    (copied / "README.md").unlink()
    (copied / "linked").symlink_to("/etc/hostname")
    places = {each.place for each in verify(copied).findings()}
    assert {"6-rows/extra.txt", "README.md", "linked"} <= places


def test_a_folder_without_manifest_is_no_bundle(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"is no bundle.*manifest\.json"):
        verify(tmp_path)


def test_a_deleted_step_is_found_even_when_the_checksums_were_made_again(copied: Path) -> None:
    path = copied / "6-rows" / "cases" / "rl.a1" / "metrics.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:-1]))
    reseal(copied)
    found = verify(copied)
    assert {"steps", "report"} <= failed(found)
    assert "sums" not in failed(found)


def test_an_edited_matrix_line_is_found_even_when_the_checksums_were_made_again(copied: Path) -> None:
    path = copied / "6-rows" / "matrix-results.jsonl"
    path.write_text(path.read_text().replace('"completed_training_steps": 6', '"completed_training_steps": 7'))
    reseal(copied)
    found = verify(copied)
    assert failed(found) == {"steps"}
    assert found.findings()[0].place == "6-rows/matrix-results.jsonl:2"


def test_a_swapped_lock_breaks_the_chain(copied: Path) -> None:
    edit_json(copied / "4-config" / "config.lock.json", lambda lock: lock["rows"][1]["numbers"].update(S=5))
    reseal(copied)
    assert {"chain", "steps"} <= failed(verify(copied))


def test_a_row_of_no_planned_case_breaks_the_chain(copied: Path) -> None:
    def rename(manifest: dict) -> None:
        manifest["rows"][0] |= {"row": "other.a1", "path": "6-rows/cases/other.a1"}

    edit_json(copied / "manifest.json", rename)
    reseal(copied)
    found = verify(copied)
    assert "chain" in failed(found)
    assert any(each.value == "sft" and "planned case without a row" in each.rule for each in found.findings())


def test_a_changed_sample_disagrees_with_table_and_exposition(copied: Path) -> None:
    path = copied / "6-rows" / "cases" / "rl.a1" / "host-samples.jsonl"
    path.write_text(path.read_text().replace('"memory_free_bytes": 10737418240', '"memory_free_bytes": 10737418241', 1))
    reseal(copied)
    found = verify(copied)
    assert "telemetry" in failed(found)
    assert any("memory_free_bytes" in each.place for each in found.findings())


def test_a_number_edited_on_the_page_or_in_the_data_is_found(copied: Path) -> None:
    page = copied / "0-report" / "report.html"
    text = page.read_text()
    page.write_text(
        text.replace(
            'data-id="row.rl.a1.completed_steps" value="6">6<', 'data-id="row.rl.a1.completed_steps" value="6">8<', 1
        )
    )
    reseal(copied)
    found = verify(copied)
    assert failed(found) == {"report"}
    assert "row.rl.a1.completed_steps" in found.findings()[0].place
    page.write_text(text)
    edit_json(copied / "0-report" / "report-data.json", lambda data: data["numbers"][0].update(value=43))
    reseal(copied)
    assert failed(verify(copied)) == {"report"}


def test_an_evaluation_that_does_not_follow_from_its_rows_or_transcripts_is_found(copied: Path) -> None:
    folder = copied / "6-rows" / "evaluation"
    original = (folder / "after.json").read_text()
    edit_json(folder / "after.json", lambda report: report["numbers"]["exact"].update(numerator=79))
    reseal(copied)
    assert any(each.place == "6-rows/evaluation/after.json: numbers.exact" for each in verify(copied).findings())
    (folder / "after.json").write_text(original)
    edit_json(folder / "compare.json", lambda comparison: comparison.update(verdict="worse"))
    reseal(copied)
    assert any(each.place == "6-rows/evaluation/compare.json: verdict" for each in verify(copied).findings())
    transcripts = folder / "before-transcripts" / "episodes.jsonl"
    transcripts.write_text(transcripts.read_text().replace('"score":0.0', '"score":1.0', 1))
    reseal(copied)
    assert any(each.place == "6-rows/evaluation/before-transcripts" for each in verify(copied).findings())


def test_a_secret_and_an_outside_link_are_found(copied: Path) -> None:
    log = copied / "3-raw-logs" / "cases" / "sft.a1" / "trainer.log"
    log.write_text(log.read_text() + "HF_TOKEN=abcdefgh12345678\n")
    page = copied / "0-report" / "report.html"
    page.write_text(
        page.read_text().replace(
            "<main>", '<main><a href="../../elsewhere.txt">x</a><img src="http://example.org/a.png">', 1
        )
    )
    reseal(copied)
    found = verify(copied)
    assert "secrets_paths" in failed(found)
    codes = {(each.code, each.value) for each in found.findings()}
    assert ("V690", "secret in an assignment") in codes
    assert {value for code, value in codes if code == "V618"} == {"../../elsewhere.txt", "http://example.org/a.png"}


def test_a_manifest_with_an_absolute_path_does_not_validate(copied: Path) -> None:
    edit_json(
        copied / "manifest.json", lambda manifest: manifest["artifact_layout"]["artifacts"].update(report="/etc/passwd")
    )
    found = verify(copied)
    assert {"sums", "schema"} == failed(found)


LONGEST_ROW = len("a" * 128 + ".a99")
"""Characters of the longest name of an attempt: a case id of V213 and its number."""


def test_fault_24_names_are_short_ascii_and_differ_without_their_case(case_sealed: Path, sealed: Path) -> None:
    for root in (case_sealed, sealed):
        names = tree_files(root)
        assert all(name.isascii() and name.isprintable() and not set(name) & set('<>:"|?*\\') for name in names)
        folders = {parent.as_posix() for name in names for parent in Path(name).parents}
        assert len({name.casefold() for name in {*names, *folders}}) == len({*names, *folders})
        for row in Bundle(root).rows():
            lengths = [len(name.replace(row, "a" * LONGEST_ROW)) for name in names]
            assert max(lengths) < 230, "room for a folder before it within 260 characters"


@pytest.mark.parametrize(
    "locale", [{"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, {"LC_ALL": "C.UTF-8"}]
)
def test_fault_24_verify_works_where_names_are_no_utf8_and_paths_are_longer_than_260(
    case_sealed: Path, tmp_path: Path, locale: dict[str, str]
) -> None:
    place = Path(os.fsdecode(os.fsencode(tmp_path / "caf") + b"\xe9 \xff")).joinpath(*["d" * 90] * 3, "bundle")
    shutil.copytree(case_sealed, place)
    assert len(os.fsencode(place)) > 260
    argv = [sys.executable, "-m", "autoresearch", "bundle", "verify", os.fsencode(place)]
    done = subprocess.run(argv, env={**os.environ, **locale}, capture_output=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout.decode("utf-8", "replace") + done.stderr.decode("utf-8", "replace")
    found = json.loads(done.stdout.decode("utf-8"))
    assert found["ok"] is True and all(each["count"] > 0 for each in found["checks"] if not each["note"])
    make_writable(place)
