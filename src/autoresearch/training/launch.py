"""Running a plan, exactly that file: hash again, start the process, watch, stop, judge (training.md 5.5, 5.7)."""

from __future__ import annotations

import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NoReturn

from autoresearch.errors import RefusedError
from autoresearch.files import sha256_file, write_json
from autoresearch.progress import bar, event
from autoresearch.training.checkpoints import Checkpoint, checkpoint_steps, last_complete
from autoresearch.training.environment import cpu_cores, free_disk_bytes, memory_bytes, versions
from autoresearch.training.outcome import RunResult, attempt_folders, decide, joined_records
from autoresearch.training.plan import Plan, changed_inputs, fill_in, hydra_value, read_plan
from autoresearch.training.process import TrainerProcess
from autoresearch.training.signal import write_signal
from autoresearch.training.steps import Record, count_steps, is_training_record, merge_steps, parse_metrics
from autoresearch.training.watch import Trouble, Watch
from autoresearch.verdict import machine_name, read_verdict

POLL_SECONDS = 0.25
SIGNAL_SECONDS = 30.0
"""``signal.jsonl`` of an RL run is written anew at most this often, and once more when the run is judged."""
Sampler = Callable[[Path, int], Callable[[], None]]
"""Called with the attempt's folder and the trainer's process id at the start; what it returns is called at the end."""


@dataclass
class _Ended:
    code: int
    state: str
    trouble: Trouble | None
    seconds: float


def run_plan(path: Path, *, sampler: Sampler | None = None, resume: bool = False) -> RunResult:
    """Run ``plan.json`` at ``path`` and judge the run; the result is also ``result.json`` beside it.

    Raises ``RefusedError`` when the plan, an input or a verdict is not what it was, when the run folder already holds
    an attempt (without ``resume``) or a finished run. Ctrl-C stops the trainer, keeps what is there, and gives the
    status ``interrupted``.
    """
    plan, digest = read_plan(path)
    run = path.resolve().parent
    check_before_start(plan, run, resume=resume)
    checkpoint = resume_point(plan, run) if resume else None
    number = len(attempt_folders(run)) + 1
    folder = run / "attempts" / f"{number:02d}"
    folder.mkdir(parents=True)
    copy_verdicts(plan, run)
    argv = [fill_in(item, attempt=number, digest=digest) for item in plan.argv]
    if checkpoint is not None:
        argv = resumed_argv(argv, checkpoint)
    environment = {key: fill_in(value, attempt=number, digest=digest) for key, value in plan.environment.items()}
    write_json(folder / "environment.json", environment_record(argv, environment))
    state = {"attempt": number, "resumed_from": None if checkpoint is None else checkpoint.step}
    with _terminate_as_interrupt():
        ended = _run_and_watch(plan, folder, argv, environment, f"{digest[:16]}-{number:02d}", sampler, state)
    event("train", f"{ended.state}, exit code {ended.code}", trouble=ended.trouble.text if ended.trouble else "")
    return decide(run, plan, digest)


def check_before_start(plan: Plan, run: Path, *, resume: bool) -> None:
    """Everything that must hold at launch. Raises ``RefusedError`` with what differs."""
    if Path(plan.paths["run"]) != run:
        raise RefusedError(f"the plan was made for {plan.paths['run']} and lies in {run}; make it again with --dry-run")
    attempts = attempt_folders(run)
    if attempts and not resume:
        raise RefusedError(f"{run} already holds {len(attempts)} attempt(s); --resume continues, or give another --run")
    changed = changed_inputs(plan)
    if changed:
        raise RefusedError("inputs changed since the plan was made:\n" + "\n".join(changed))
    for item in plan.verdicts:
        if not read_verdict(Path(item.path)).passed:
            raise RefusedError(f"{item.path}: the {item.gate} verdict does not say passed")
    if not Path(plan.argv[0]).is_file():
        raise RefusedError(f"{plan.argv[0]}: the interpreter of the plan is gone; make the plan again")


def resume_point(plan: Plan, run: Path) -> Checkpoint:
    """The last complete checkpoint of an unfinished run; a finished one is refused (5.7)."""
    records, _, _ = joined_records(run, plan.kind)
    count = count_steps(records, plan.kind)
    checkpoint = last_complete(run, plan.kind)
    if checkpoint is not None and checkpoint.step >= plan.steps:
        raise RefusedError(f"{run} is finished: {count.completed} steps counted and the last checkpoint is complete")
    if checkpoint is None:
        raise RefusedError(f"{run} has no complete checkpoint to resume from; start again with another --run")
    return checkpoint


def resumed_argv(argv: Sequence[str], checkpoint: Checkpoint) -> list[str]:
    """The plan's argv with an explicit resume path in place of ``resume_mode=disable``."""
    changed = []
    for item in argv:
        if item == "trainer.resume_mode=disable":
            changed += [
                "trainer.resume_mode=resume_path",
                f"trainer.resume_from_path={hydra_value(str(checkpoint.folder))}",
            ]
        else:
            changed.append(item)
    return changed


def copy_verdicts(plan: Plan, run: Path) -> None:
    """Keep the verdicts that allowed the launch beside the plan."""
    (run / "verdicts").mkdir(exist_ok=True)
    for item in plan.verdicts:
        target = run / "verdicts" / f"{item.gate}.json"
        if not target.exists() or sha256_file(target) != sha256_file(Path(item.path)):
            shutil.copyfile(item.path, target)


def environment_record(argv: Sequence[str], environment: dict[str, str]) -> dict[str, Any]:
    """What the trainer was started with. Only what this program set is written, never the user's environment."""
    total, available = memory_bytes()
    return {
        "argv": list(argv),
        "set": environment,
        "versions": versions(),
        "machine": machine_name(),
        "cores": cpu_cores(),
        "memory_total_bytes": total,
        "memory_available_bytes": available,
    }


def _run_and_watch(
    plan: Plan,
    folder: Path,
    argv: list[str],
    environment: dict[str, str],
    mark: str,
    sampler: Sampler | None,
    state: dict[str, Any],
) -> _Ended:
    state |= {"state": "running", "started": _now(), "exit_code": None, "trouble": None, "seconds": 0.0}
    started = time.monotonic()
    process = TrainerProcess(argv, environment, folder, mark)
    state["pid"] = process.pid
    write_json(folder / "state.json", state)
    stop_sampler = sampler(folder, process.pid) if sampler is not None else None
    trouble: Trouble | None = None
    try:
        trouble = _watch(plan, folder, process)
        if trouble is not None and trouble.kind == "crash":
            trouble = trouble._replace(text=trouble.text + full_disk(folder.parent.parent))
        code = process.finish() if trouble is None or process.returncode() is not None else process.stop()
        word = "finished" if trouble is None else "stopped"
    except KeyboardInterrupt:
        code, word = process.stop(), "interrupted"
    finally:
        if process.returncode() is None:
            process.stop()
        if stop_sampler is not None:
            stop_sampler()
    seconds = time.monotonic() - started
    state |= {
        "state": word,
        "ended": _now(),
        "exit_code": code,
        "seconds": round(seconds, 3),
        "trouble": None if trouble is None else {"kind": trouble.kind, "text": trouble.text},
    }
    write_json(folder / "state.json", state)
    return _Ended(code, word, trouble, seconds)


def full_disk(run: Path) -> str:
    """A remark when the disk of the checkpoints has no room for one more: torch's own message names another reason."""
    folder = run / "checkpoints"
    saved = [folder / f"global_step_{step}" for step in checkpoint_steps(run)]
    sizes = [sum(path.stat().st_size for path in each.rglob("*") if path.is_file()) for each in saved]
    free, needed = free_disk_bytes(folder), max(sizes, default=0)
    return "" if free > needed else f"; the disk of {folder} has {free} bytes free, a checkpoint needs {needed}"


def _watch(plan: Plan, folder: Path, process: TrainerProcess) -> Trouble | None:
    """Follow log and metrics until the process ends (None or its trouble) or must be stopped (the trouble)."""
    watch = Watch(plan.kind, time.monotonic(), plan.steps)
    last_step = last_signal = time.monotonic()
    seen: list[Record] = []
    log, metrics = _Follower(folder / "trainer.log"), _Follower(folder / "metrics.jsonl")
    with bar(f"train {plan.algorithm}", plan.steps, "steps") as shown:
        while True:
            code = process.returncode()
            if code is not None:
                process.finish()
            now = time.monotonic()
            watch.see_log(log.more(whole_lines=False), now)
            records = list(parse_metrics(metrics.more(whole_lines=True)).records)
            watch.see_records(records, now)
            for record in records:
                if is_training_record(record, plan.kind):
                    shown.advance(1, step_line(record, plan, now - last_step))
                    last_step = now
            seen += records
            if plan.kind == "rl" and records and now - last_signal >= SIGNAL_SECONDS:
                last_signal = now
                with suppress(ValueError, OSError):  # a worker may be in the middle of a line
                    write_signal(folder.parent.parent, merge_steps(seen))
            if code is not None:
                return watch.at_exit(code)
            trouble = watch.trouble(now)
            if trouble is not None:
                return trouble
            time.sleep(POLL_SECONDS)


class _Follower:
    """Reads what a growing file gained; whole lines only where asked."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.position = 0

    def more(self, *, whole_lines: bool) -> bytes:
        try:
            with self.path.open("rb") as handle:
                handle.seek(self.position)
                data = handle.read()
        except OSError:
            return b""
        if whole_lines:
            data = data[: data.rfind(b"\n") + 1]
        self.position += len(data)
        return data


def step_line(record: Record, plan: Plan, seconds: float) -> str:
    """One line beside the bar: step, loss or reward, gradient, tokens a second. ``seconds`` since the step before."""
    data = record.data
    parts = [f"step {record.step}/{plan.steps}"]
    names = (
        (("loss", "train/loss"), ("grad", "train/grad_norm"))
        if plan.kind == "sft"
        else (
            ("reward", "critic/score/mean"),
            ("grad", "actor/grad_norm"),
            ("s", "timing_s/step"),
            ("tokens/s", "perf/throughput"),
        )
    )
    parts += [f"{label} {data[key]:.4g}" for label, key in names if data.get(key) is not None]
    tokens = data.get("train/global_tokens")
    if tokens and seconds > 0 and record.step > 1:
        parts.append(f"tokens/s {tokens / seconds:.0f}")
    return "  ".join(parts)


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@contextmanager
def _terminate_as_interrupt() -> Iterator[None]:
    """SIGTERM to this process stops the trainer too, as Ctrl-C does; the trainer has a session of its own."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(number: int, frame: object) -> NoReturn:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
