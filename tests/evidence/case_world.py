"""A small formal case in the documented formats, made by code: locks, the files that rows leave, and the events of the
run. W&B runs are real ones of the SDK, made once for all tests.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from case_raw_files import SECONDS, START_MS, Accelerator, put_dump, write_host_samples, write_samples

from autoresearch.cases.events import (
    Event,
    Judged,
    LockWritten,
    RowFiles,
    RowJudged,
    RowSkipped,
    RowStarted,
    RunEnded,
    RunOpened,
)
from autoresearch.cases.names import wandb_id
from autoresearch.evidence.case_bundle import CaseBundle
from autoresearch.evidence.case_seal import Sealed, seal
from autoresearch.evidence.locks import ConfigLock, LockRow, ProvenanceLock, Repository, write_lock
from autoresearch.files import sha256_file, write_json

CREATED = "2026-11-18T11:06:40Z"
SERVER = "npu-a"
STEP_SECONDS = 18
OUT_OF_MEMORY = "torch.OutOfMemoryError: NPU out of memory. Tried to allocate 2.00 GiB"


@dataclass(frozen=True)
class RowPlan:
    """One attempt: how many of the three steps it makes and how it ends."""

    case_id: str
    steps: int = 3
    exit_code: int = 0
    last_line: str = ""
    attempt: int = 1
    stage: Literal["single", "bisect", "node"] = "single"
    numbers: Mapping[str, int] = field(default_factory=dict)
    samples: bool = True
    wandb: Literal["whole", "cut", "none"] = "none"
    changes: Mapping[str, Any] = field(default_factory=dict)
    """Keys of ``result.json`` that are others."""
    lengths: tuple[int, int] = (1024, 2048)
    asked: str = "sync"
    resolved: str = "sync"
    """``trainer.v1.trainer_mode`` of the composed configuration."""
    answers: Sequence[tuple[str, str, float]] = (("a", "1", 0.0), ("a", "1", 1.0))
    """(output, truth, score) of each sample in the dumps."""
    speed: float = 17.2
    """Seconds of a step."""
    gradient: float = 0.4
    gap: tuple[int, int] = (0, 0)
    """Seconds of the row in which nothing was sampled."""

    @property
    def row(self) -> str:
        """Name of the attempt."""
        return f"{self.case_id}.a{self.attempt}"


def case_name(batch: int) -> str:
    """Id of a training case on one device."""
    return f"train-1npu-sync-bs{batch}-n4-mini{batch}-micro1-1024-2048"


def numbers_of(plan: RowPlan) -> dict[str, int | float | None]:
    """The symbols of section 5."""
    batch = int(plan.case_id.partition("-bs")[2].partition("-")[0] or 1)
    base = {"D": 1, "B": batch, "n": 4, "m": batch, "u": 1, "S": 3, "N": 3 * batch, "W": 1, "TP": 1}
    return {**base, **plan.numbers}


def rl_metrics(step: int, seconds: float = 17.2, gradient: float = 0.4) -> dict[str, float]:
    """verl's keys of one RL step."""
    return {
        "training/global_step": step,
        "actor/grad_norm": gradient and gradient + 0.01 * step,
        "actor/pg_loss": -0.02 * step,
        "critic/score/mean": 0.2 + 0.04 * step,
        "timing_s/gen": 8.0,
        "timing_s/update_actor": 5.5,
        "timing_s/step": seconds,
        "perf/total_num_tokens": 6400,
        "perf/time_per_step": seconds,
        "perf/throughput": 6400 / seconds,
    }


def lock_row(plan: RowPlan, mode: str = "training") -> LockRow:
    """The planned case."""
    numbers = numbers_of(plan)
    return LockRow(
        case_id=plan.case_id,
        stage=plan.stage,
        numbers={**numbers, "S": 0} if mode == "validation" else numbers,
        argv=["python3", "-m", "verl.trainer.main_ppo", *(["trainer.val_only=True"] if mode == "validation" else [])],
        env={},
        inner_timeout=7200,
        outer_timeout=7500,
    )


class CaseWorld:
    """Makes the files and events of one run below ``root``; the same arguments make the same files."""

    def __init__(
        self,
        root: Path,
        rows: Sequence[RowPlan],
        *,
        skipped: Mapping[str, str] | None = None,
        accelerator: Accelerator = "ascend",
        run_id: str = "Qwen35-2B-GRPO-1Kto2K-261118d-110640s-train-sync-1npu-noignoreeos",
        runs: Callable[[str], Path] | None = None,
        case: Mapping[str, Any] | None = None,
        mode: Literal["training", "validation"] = "training",
        devices: int = 1,
    ) -> None:
        self.mode, self.devices = mode, devices
        self._case = dict(case or {})
        self.root, self.rows, self.skipped = root, list(rows), dict(skipped or {})
        self.accelerator, self.run_id = accelerator, run_id
        self._runs = runs
        root.mkdir(parents=True, exist_ok=True)
        self.lock_path, self.provenance_path = root / "config.lock.json", root / "provenance.lock.json"
        self._locks()
        self.lock_sha256 = sha256_file(self.lock_path)

    def _locks(self) -> None:
        planned = {plan.case_id: lock_row(plan, self.mode) for plan in self.rows if plan.stage != "bisect"}
        planned |= {case: lock_row(RowPlan(case), self.mode) for case in self.skipped}
        asset = {
            "canonical_id": "Qwen/Qwen3.5-2B",
            "place": "remotes.npu-a",
            "path": "/srv/models/q",
            "revision": "3f2a",
        }
        config = ConfigLock(
            run_id=self.run_id,
            created_at=CREATED,
            task="geo3k-grpo",
            mode=self.mode,
            trainer_val_only=self.mode == "validation",
            server={"name": SERVER, "accelerator": self.accelerator, "container": "docker", "image": "x@sha256:1"},
            devices=self.device_list(self.devices),
            assets=[{**asset, "tree_sha256": "9" * 64, "files": 14, "bytes": 4870112331}],
            case=self._case,
            rows=list(planned.values()),
            ladder={"stop_after_memory_failures": 2, "bisect_limit": 3, "promote": 0},
        )
        used = ProvenanceLock(
            run_id=self.run_id,
            created_at=CREATED,
            repositories=[Repository(name="verl", role="in_image", version="0.9.1")],
            environment={"image": "x@sha256:1", "versions": {"verl": "0.9.1", "python": "3.11"}},
        )
        write_lock(self.lock_path, config)
        write_lock(self.provenance_path, used)
        (self.root / "packages.txt").write_text("numpy==2.1.0\nverl==0.9.1\n")

    def device_list(self, count: int) -> list[dict[str, Any]]:
        """The first devices of the server."""
        if self.accelerator == "cpu":
            return []
        uuid = "GPU-1" if self.accelerator == "nvidia" else None
        return [{"id": number, "chip": 0, "uuid": uuid} for number in range(count)]

    def opened(self, resumed: bool = False) -> RunOpened:
        """The first event."""
        server = {"name": SERVER, "accelerator": self.accelerator, "container": "docker", "image": "x@sha256:1"}
        settings = {"lang": "en", "wandb_project": "verl", "readiness_skipped": False}
        ready = {"id": "all", "ok": True, "severity": "ok", "message": "ready", "data": {}, "findings": []}
        return RunOpened(
            self.run_id,
            CREATED,
            "verl-case",
            "geo3k-grpo",
            self.mode,
            server,
            self.accelerator,
            settings,
            {**ready, "elapsed_ms": 812},
            resumed,
        )

    def locks(self) -> list[Event]:
        """Both locks."""
        packages = self.root / "packages.txt"
        return [
            LockWritten("config", self.lock_path, self.lock_sha256),
            LockWritten("provenance", self.provenance_path, sha256_file(self.provenance_path), (packages,)),
        ]

    def row_events(self, plan: RowPlan, judge: Callable[[RowFiles, LockRow], Judged]) -> list[Event]:
        """Start and end of one attempt; its files are made now."""
        files = self.files(plan)
        started = RowStarted(plan.row, plan.case_id, plan.attempt, f"display-{plan.row}"[:120], self.wandb_id(plan))
        left = ({"path": "checkpoints/global_step_3/model.pt", "bytes": 12, "reason": "checkpoints stay on the host"},)
        tunnel = {"wandb_seconds": 61.0, "clock_offset_ms": 12.0, "clock_uncertainty_ms": 3.0}
        judged = judge(files, lock_row(plan, self.mode))
        return [started, RowJudged(plan.row, plan.case_id, plan.attempt, files, judged, left, tunnel)]

    def ended(self, state: Literal["finished", "interrupted"] = "finished") -> RunEnded:
        """The last event."""
        experiment = {"ok": True, "rows": len(self.rows), "first_failure": None}
        return RunEnded(experiment, state, "2026-11-18T11:20:00Z", {"repositories": []})

    def events(self, judge: Callable[[RowFiles, LockRow], Judged]) -> list[Event]:
        """The whole run."""
        rows = [event for plan in self.rows for event in self.row_events(plan, judge)]
        skipped = [RowSkipped(case, reason) for case, reason in self.skipped.items()]
        return [self.opened(), *self.locks(), *rows, *skipped, self.ended()]

    def wandb_id(self, plan: RowPlan) -> str:
        """The id fixed beforehand."""
        return wandb_id(self.run_id, plan.row)

    def files(self, plan: RowPlan) -> RowFiles:
        """The pulled folder of an attempt, as the runner leaves it."""
        folder = self.root / "pulled" / plan.row
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self._write_facts(folder, plan)
        self._write_records(folder, plan)
        if plan.samples:
            write_samples(folder, self.accelerator, int(numbers_of(plan)["D"] or 1), plan.gap)
        write_host_samples(folder)
        composed = folder / "hydra" / ".hydra"
        composed.mkdir(parents=True)
        text = f"trainer:\n  experiment_name: {plan.row}\n  v1:\n    trainer_mode: {plan.resolved}\n"
        (composed / "config.yaml").write_text(text)
        if plan.wandb != "none" and self._runs is not None:
            self._put_wandb(folder / "wandb", plan)
        return RowFiles(folder, folder)

    def _write_facts(self, folder: Path, plan: RowPlan) -> None:
        head = {"schema_version": 1, "run_id": self.run_id, "row": plan.row, "case_id": plan.case_id}
        head |= {"attempt": plan.attempt, "lock_sha256": self.lock_sha256}
        env = {"WANDB_RUN_ID": self.wandb_id(plan), "WANDB_NAME": f"display-{plan.row}"[:120], "WANDB_PROJECT": "verl"}
        row = {
            **head,
            "cause": "first",
            "stage": plan.stage,
            "task": "geo3k-grpo",
            "kind": "rl",
            "server": SERVER,
            "argv": ["python3", "-m", "verl.trainer.main_ppo"],
            "env": env,
            "accelerator": self.accelerator,
            "devices": self.device_list(int(numbers_of(plan)["D"] or 1)),
            "telemetry": {"interval_seconds": 1.0, "host": True, "wandb_project": "verl", "wandb_run_name": "display"},
            "target_training_steps": 3,
            "extra": {
                "input_tokens": plan.lengths[0],
                "output_tokens": plan.lengths[1],
                "inference_mode": plan.asked,
                "ignore_eos": False,
            },
        }
        end = START_MS + SECONDS * 1000
        result = {
            **head,
            "refused": None,
            "limit": None,
            "exit_code": plan.exit_code,
            "signal": None,
            "trainer_started_epoch_ms": START_MS,
            "trainer_started_mono_ms": 1000,
            "trainer_finished_epoch_ms": end,
            "trainer_finished_mono_ms": 1000 + SECONDS * 1000,
            "started_epoch_ms": START_MS - 2000,
            "finished_epoch_ms": end + 2000,
            "pushes": {"ok": 58, "failed": 0, "first_error": None},
            "devices_still_held": [],
            "synthetic": False,
            "versions": {"verl": "0.9.1"},
            "oom_kills": {"before": 0, "after": 0},
            "container": None,
            **plan.changes,
        }
        write_json(folder / "row.json", row)
        write_json(folder / "result.json", result)
        write_json(folder / "owner.json", {"supervisor_pid": 7, "boot_id": "b"})
        write_json(folder / "heartbeat.json", {"seq": 12, "state": "finished", "step": plan.steps})
        (folder / "events.jsonl").write_text('{"event": "start"}\n{"event": "end"}\n')
        (folder / "launcher.log").write_text("")

    def _write_records(self, folder: Path, plan: RowPlan) -> None:
        log = b"starting\n"
        index = [{"offset": 0, "epoch_ms": START_MS, "mono_ms": 1000}]
        metrics = []
        if self.mode == "validation":
            log += f"filter dataset len: {len(plan.answers)}\n".encode()
            put_dump(folder / "validation" / "0.jsonl", plan.answers)
        steps = 0 if self.mode == "validation" else plan.steps
        for step in range(1, steps + 1):
            data, stamp = rl_metrics(step, plan.speed, plan.gradient), step * STEP_SECONDS * 1000
            log += b"(TaskRunnerV1 pid=77) "
            index.append({"offset": len(log), "epoch_ms": START_MS + stamp, "mono_ms": 1000 + stamp})
            log += (f"step:{step} - " + " - ".join(f"{key}:{value!r}" for key, value in data.items()) + "\n").encode()
            metrics.append({"step": step, "data": data})
        log += f"{plan.last_line}\n".encode() if plan.last_line else b""
        (folder / "trainer.log").write_bytes(log)
        (folder / "log-index.jsonl").write_text("".join(json.dumps(each) + "\n" for each in index))
        (folder / "metrics.jsonl").write_text("".join(json.dumps(each) + "\n" for each in metrics))
        for step in range(1, steps + 1):
            put_dump(folder / "rollouts" / f"{step}.jsonl", plan.answers)

    def _put_wandb(self, folder: Path, plan: RowPlan) -> None:
        assert self._runs is not None
        made = self._runs(self.wandb_id(plan))
        shutil.copytree(made, folder / made.name)
        (folder / "latest-run").symlink_to(made.name)
        if plan.wandb == "cut":
            record = next((folder / made.name).glob("*.wandb"))
            data = record.read_bytes()
            record.write_bytes(data[: len(data) * 2 // 3])


def make_offline_run(folder: Path, run_id: str, steps: int = 3) -> Path:
    """A real offline run of the SDK with the records of ``rl_metrics``; its folder."""
    folder.mkdir(parents=True, exist_ok=True)
    environment = {
        **os.environ,
        "WANDB_MODE": "offline",
        "WANDB_DIR": str(folder),
        "WANDB_SILENT": "true",
        "WANDB_RUN_ID": run_id,
        "WANDB_PROJECT": "verl",
        "WANDB_NAME": "display",
        "WANDB_ERROR_REPORTING": "false",
        "WANDB_RESUME": "never",
    }
    program = (
        "import json, sys, wandb\n"
        "wandb.init(settings=wandb.Settings(x_disable_stats=True, disable_git=True))\n"
        "for line in sys.stdin:\n"
        "    record = json.loads(line)\n"
        "    wandb.log(record['data'], step=record['step'])\n"
        "wandb.finish()\n"
    )
    records = "".join(json.dumps({"step": step, "data": rl_metrics(step)}) + "\n" for step in range(1, steps + 1))
    subprocess.run([sys.executable, "-c", program], input=records, text=True, env=environment, check=True, timeout=240)
    return next((folder / "wandb").glob(f"offline-run-*-{run_id}"))


def plain_page(root: Path, out: Path) -> None:
    """A page with every number and line of the bundle and nothing else: what verify asks of a page."""
    from autoresearch.evidence.bundle import Bundle
    from autoresearch.evidence.numbers import derive_numbers
    from autoresearch.evidence.report_data import shown
    from autoresearch.evidence.verify_page import series_content, value_attribute

    data = derive_numbers(Bundle(root))
    numbers = "".join(
        f'<data data-id="{each.id}" value="{value_attribute(each.value)}">{shown(each.value, each.unit)}</data>\n'
        for each in data.numbers.values()
    )
    series = json.dumps(series_content(data)).replace("<", "\\u003c")
    out.write_text(f'{numbers}<script id="series-data" type="application/json">{series}</script>\n', encoding="utf-8")


def no_check(_: Path) -> Mapping[str, Any]:
    """The content of ``check.json`` of a plain page."""
    return {"ok": True, "checks": [], "missing": [], "warnings": []}


def listen(root: Path, events: Sequence[Event]) -> CaseBundle:
    """A bundle that took these events."""
    case = CaseBundle(root)
    for event in events:
        case(event)
    return case


def seal_plainly(case: CaseBundle, **more: Any) -> Sealed:
    """Seal with a plain page."""
    return seal(case, render=plain_page, check=no_check, **more)
