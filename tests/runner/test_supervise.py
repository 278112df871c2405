"""One attempt, supervised: exact bytes, heartbeats, limits, facts (formal-case.md 6.2)."""

from __future__ import annotations

import hashlib
import json
import os
import signal
from pathlib import Path

import pytest
from row_stub import make_row, python
from runner_archive import Runs, lines, owner_with_trainer

from autoresearch.runner.processes import is_same, row_processes

STEP = "step:{n} - training/global_step:{n} - actor/grad_norm:0.5 - actor/pg_loss:0.1 - timing_s/update_actor:1.0"


def test_the_log_holds_the_exact_bytes_of_both_streams_and_the_facts_are_stated(runs: Runs, tmp_path: Path) -> None:
    program = r"""
import os, time
os.write(1, b'\x00\xff no newline '); os.write(2, b'from stderr\r\n')
for n in (1, 2):
    print('(TaskRunnerV1 pid=7) step:%d - training/global_step:%d - actor/grad_norm:0.5 - actor/pg_loss:0.1' % (n, n))
    time.sleep(0.7)
raise SystemExit(7)
"""
    folder = make_row(tmp_path, python(program))
    result = runs.supervise(folder)
    log = (folder / "trainer.log").read_bytes()
    assert log.startswith(b"\x00\xff no newline from stderr\r\n") and log.count(b") step:") == 2
    assert (result["exit_code"], result["signal"], result["limit"], result["refused"]) == (7, None, None, None)
    assert result["last_step"] == 2 and result["log"]["bytes"] == len(log) and result["log"]["left_out"] is None
    assert result["lock_sha256"] == json.loads((folder / "row.json").read_text())["lock_sha256"]
    assert 1.4 <= result["trainer_seconds"] < 10
    index = lines(folder / "log-index.jsonl")
    steps = [log.index(b"step:1 - "), log.index(b"step:2 - ")]
    assert set(steps) <= {entry["offset"] for entry in index}
    times = {entry["offset"]: entry["mono_ms"] for entry in index}
    assert 600 <= times[steps[1]] - times[steps[0]] <= 3000
    beat = json.loads((folder / "heartbeat.json").read_text())
    assert beat["state"] == "finished" and beat["seq"] >= 4 and beat["step"] == 2 and beat["log_bytes"] == len(log)
    assert [event["event"] for event in lines(folder / "events.jsonl")] == [
        "start",
        "trainer-start",
        "trainer-end",
        "end",
    ]
    assert not (folder / ".ballast").exists()


def test_the_trainer_has_a_session_of_its_own_and_the_owner_is_named(runs: Runs, tmp_path: Path) -> None:
    folder = make_row(tmp_path, ["sleep", "30"])
    child = runs.start("supervise", folder)
    owner = owner_with_trainer(folder)
    assert owner["supervisor_pid"] == child.pid and is_same(child.pid, owner["start_ticks"])
    assert os.getsid(owner["trainer_pid"]) == owner["trainer_pid"] != os.getsid(child.pid) == child.pid
    child.send_signal(signal.SIGTERM)
    child.wait(60)


def test_the_inner_limit_ends_the_whole_group_with_term_and_then_kill(runs: Runs, tmp_path: Path) -> None:
    program = """
import os, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, lambda *_: print('asked to end', flush=True))
subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(99)'])
print('up', flush=True)
while True: time.sleep(0.05)
"""
    folder = make_row(tmp_path, python(program), limits={"inner_timeout": 2.5})
    result = runs.supervise(folder)
    assert (result["limit"], result["signal"], result["exit_code"]) == ("inner_timeout", signal.SIGKILL, None)
    assert b"asked to end" in (folder / "trainer.log").read_bytes()
    assert "kill" in [event["event"] for event in lines(folder / "events.jsonl")]
    assert row_processes(json.loads((folder / "owner.json").read_text())["token"]) == []


def test_a_child_that_left_the_group_is_found_by_its_token_and_ended(runs: Runs, tmp_path: Path) -> None:
    program = "import subprocess, sys\nprint(subprocess.Popen(['sleep', '99'], start_new_session=True).pid, flush=True)"
    folder = make_row(tmp_path, python(program))
    result = runs.supervise(folder)
    pid = int((folder / "trainer.log").read_text())
    assert result["exit_code"] == 0 and result["stale"] == {"terminated": [pid], "killed": [], "foreign": []}
    assert not Path(f"/proc/{pid}").exists() or Path(f"/proc/{pid}/stat").read_text().split()[2] == "Z"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_to_the_supervisor_interrupts_the_row_and_still_gives_a_result(
    runs: Runs, tmp_path: Path, number: signal.Signals
) -> None:
    folder = make_row(tmp_path, ["sleep", "30"])
    child = runs.start("supervise", folder)
    owner_with_trainer(folder)
    child.send_signal(number)
    assert child.wait(60) == 0
    result = json.loads((folder / "result.json").read_text())
    assert (result["limit"], result["signal"]) == ("interrupted", signal.SIGTERM)


def test_a_second_supervisor_leaves_the_attempt_as_it_is(runs: Runs, tmp_path: Path) -> None:
    folder = make_row(tmp_path, ["true"])
    runs.supervise(folder)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    child = runs.start("supervise", folder)
    _, errors = child.communicate(timeout=60)
    assert child.returncode == 2 and "has an owner already" in errors
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_row_of_another_lock_is_refused_before_anything_is_started(runs: Runs, tmp_path: Path) -> None:
    folder = make_row(tmp_path, ["touch", "started"], lock_sha256="0" * 64)
    result = runs.supervise(folder)
    assert result["refused"]["reason"] == "lock_mismatch" and result["refused"]["code"] == "V602"
    assert not (folder / "started").exists() and result["exit_code"] is None


def test_a_program_that_is_not_there_is_a_launcher_error(runs: Runs, tmp_path: Path) -> None:
    result = runs.supervise(make_row(tmp_path, ["/no/such/program"]))
    assert result["refused"]["reason"] == "launcher_error" and "/no/such/program" in result["refused"]["message"]


def test_a_row_file_with_an_unknown_limit_is_refused_by_name(runs: Runs, tmp_path: Path) -> None:
    folder = make_row(tmp_path, ["true"])
    content = json.loads((folder / "row.json").read_text())
    content["limits"]["patience"] = 3
    (folder / "row.json").write_text(json.dumps(content))
    child = runs.start("supervise", folder)
    _, errors = child.communicate(timeout=60)
    assert child.returncode == 2 and "'patience'" in errors and not (folder / "owner.json").exists()


def test_beyond_its_limit_the_middle_of_the_log_is_left_out_with_one_marker(runs: Runs, tmp_path: Path) -> None:
    program = "for n in range(40000): print(f'line {n:08d} of the trainer')\n" + f"print({STEP.format(n=1)!r})"
    limits = {"log_bytes": 200_000, "log_tail_bytes": 80_000}
    folder = make_row(tmp_path, python(program), limits=limits)
    result = runs.supervise(folder)
    log = (folder / "trainer.log").read_bytes()
    left_out = result["log"]["left_out"]
    assert result["log"]["bytes"] == 40000 * 29 + len(STEP.format(n=1)) + 1
    head, marker, tail = log.partition(b"\n# ar log-cut ")
    assert len(head) == 120_000 and marker and log.count(b"# ar log-cut") == 1
    mark, _, tail = tail.partition(b"\n")
    assert f"bytes={left_out['bytes']} lines={left_out['lines']} ".encode() in mark + b" "
    assert 40_000 <= len(tail) <= 80_000 and tail.endswith(STEP.format(n=1).encode() + b"\n")
    assert len(head) + left_out["bytes"] + len(tail) == result["log"]["bytes"]
    assert head.count(b"\n") + left_out["lines"] + tail.count(b"\n") == 40001
    for entry in lines(folder / "log-index.jsonl"):
        assert entry["offset"] < len(log)
    assert any(log[entry["offset"] :].startswith(b"step:1 - ") for entry in lines(folder / "log-index.jsonl"))
    assert [event["code"] for event in lines(folder / "events.jsonl") if event["event"] == "log-cut"] == ["V512"]


def test_no_byte_is_lost_of_a_hundred_megabytes_without_newline_nul_and_invalid_text(
    runs: Runs, tmp_path: Path
) -> None:
    program = """
import os, hashlib
block = (b'\\x00\\xff\\xfe' + os.urandom(61)).replace(b'\\n', b'.') * 16384
digest = hashlib.sha256()
for _ in range(100): os.write(1, block) == len(block) or 1/0; digest.update(block)
open('sent', 'w').write(digest.hexdigest())
"""
    program += f"os.write(1, b'\\n{STEP.format(n=1)}\\n')"
    folder = make_row(tmp_path, python(program))
    result = runs.supervise(folder)
    log = (folder / "trainer.log").read_bytes()
    assert result["exit_code"] == 0 and result["last_step"] == 1
    assert hashlib.sha256(log[: 100 << 20]).hexdigest() == (folder / "sent").read_text()


def test_scratch_folders_are_made_before_and_gone_after(runs: Runs, tmp_path: Path) -> None:
    place = f"/tmp/ar-{hashlib.sha256(str(tmp_path).encode()).hexdigest()[:10]}"
    folder = make_row(tmp_path, ["sh", "-c", f"touch {place}/x && stat -c %a {place}"], scratch=[place])
    result = runs.supervise(folder)
    assert result["exit_code"] == 0 and (folder / "trainer.log").read_text() == "700\n"
    assert not Path(place).exists()
