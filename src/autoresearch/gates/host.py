"""``gate host``: can this machine do it? Versions, seams, device, memory, disk, limits (training.md 8.3).

Facts are read first, then judged by a pure function; each check says what was found, what is needed and what to do. Any
failed required check fails the gate.
"""

from __future__ import annotations

import os
import resource
import shutil
import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from autoresearch.errors import RefusedError
from autoresearch.files import tree_sha256
from autoresearch.gates.device_operation import operate_in_child
from autoresearch.gates.linear_attention import TOLERANCE, compare_in_child
from autoresearch.gates.packing import TOLERANCE as PACKING_TOLERANCE
from autoresearch.gates.packing import measure_in_child
from autoresearch.training.environment import free_disk_bytes, interpreter, memory_bytes, versions
from autoresearch.training.model_folder import IMAGE_TEXT_TYPES, ModelFolder, read_model_folder
from autoresearch.training.plan import MODEL_EXCLUDE
from autoresearch.training.plan_facts import VERL_VERSION
from autoresearch.training.probe import Probe, ask
from autoresearch.verdict import Verdict, make_verdict, write_verdict

GIB = 2**30
Use = Literal["sft", "rl", "predict"]
Status = Literal["ok", "failed", "warning", "note"]
NEEDS: dict[str, dict[str, float]] = {
    "sft": {"memory": 2.0, "disk": 2.0, "files": 1024},
    "rl": {"memory": 5.0, "disk": 3.0, "files": 4096},
    "predict": {"memory": 1.0, "disk": 0.5, "files": 256},
}
"""Free memory and disk in GiB and open files of the smallest run; a plan's estimate (T010, T014) knows the model."""
SHARED_MEMORY_GIB = 1.0
SOCKET_PATH_BYTES = 107
SOCKET_TAIL_BYTES = 64
CPU_INSTALL = "pip install 'autoresearch[train]' -c constraints/cpu.txt"
CUDA_INSTALL = "pip install 'autoresearch[train]' -c constraints/cuda.txt"


@dataclass(frozen=True)
class HostOptions:
    """Flags of ``gate host``."""

    use: Use
    out: Path
    device: Literal["cpu", "cuda", "npu"]
    engine: Literal["transformers", "vllm"]
    gpus: int = 1
    model: Path | None = None


@dataclass(frozen=True)
class HostFacts:
    """What was read on this machine."""

    versions: Mapping[str, str]
    probe: Probe
    device: Mapping[str, Any]
    memory_available: int
    disk_free: int
    shared_memory_free: int
    open_files: int
    port_free: bool
    ray_tmp: str
    offline: bool
    model: ModelFolder | None
    model_tree: str
    bytecode: bool
    backward: Mapping[str, Any] | None = None
    """Answer of the linear-attention kernel's backward call; None where none was made."""
    packing: Mapping[str, Any] | None = None
    """Answer of the leak test of packed rows; None where none was made."""


@dataclass(frozen=True)
class HostCheck:
    """One line of the table."""

    check: str
    found: str
    needed: str
    status: Status
    remedy: str = ""


def read_host(options: HostOptions) -> HostFacts:
    """Read this machine. Starts two child processes, on an NVIDIA card two more; fetches nothing."""
    platform = {"VERL_PLATFORM": "cpu"} if options.device == "cpu" else {}
    environment = {"VERL_USE_EXTERNAL_PLUGINS": "autoresearch", **platform}
    shm = Path("/dev/shm")
    model = None if options.model is None else read_model_folder(options.model)
    known = versions()
    probe = ask(interpreter(), environment)
    attention = "flash_attention_2" if probe.flash_attention else "sdpa"
    trains = options.device == "cuda" and options.use != "predict" and "flash-linear-attention" in known
    return HostFacts(
        versions=known,
        probe=probe,
        device=operate_in_child(options.device, interpreter()),
        memory_available=memory_bytes()[1],
        disk_free=free_disk_bytes(options.out),
        shared_memory_free=shutil.disk_usage(shm).free if shm.is_dir() else 0,
        open_files=resource.getrlimit(resource.RLIMIT_NOFILE)[1],
        port_free=_loopback_port(),
        ray_tmp=os.environ.get("RAY_TMPDIR", "/tmp"),
        offline=os.environ.get("HF_HUB_OFFLINE") == "1",
        model=model,
        model_tree="" if model is None else tree_sha256(model.path, MODEL_EXCLUDE),
        bytecode=_compiled("vllm") if options.engine == "vllm" else True,
        backward=compare_in_child(interpreter()) if trains else None,
        packing=measure_in_child(options.device, model.path, attention, interpreter())
        if trains and model is not None and model.packs
        else None,
    )


def _loopback_port() -> bool:
    try:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            return True
    except OSError:
        return False


def _compiled(package: str) -> bool:
    from importlib.util import find_spec

    spec = find_spec(package)
    folder = Path(spec.origin).parent if spec is not None and spec.origin else None
    return folder is not None and any(folder.glob("__pycache__/*.pyc"))


def judge_host(options: HostOptions, facts: HostFacts) -> list[HostCheck]:
    """All checks: pure. ``failed`` is the only status that fails the gate."""
    checks = [*_software(options, facts), _device(options, facts)]
    if options.device != "cpu":
        checks += accelerator_checks(options, facts)
    elif options.use != "predict":
        checks.append(HostCheck("packing", "off on the processor", "no state leaks into the next row", "ok"))
    if facts.model is not None and options.engine == "vllm":
        accepted = facts.model.model_type in IMAGE_TEXT_TYPES or not facts.model.model_type.startswith("qwen3_5")
        checks.append(
            HostCheck(
                "vllm model class",
                facts.model.model_type,
                "the image-text class (Qwen3_5Config)",
                "ok" if accepted else "failed",
                "use the released checkpoint, or the tiny preset gpu",
            )
        )
    return checks + _limits(options, facts)


def _software(options: HostOptions, facts: HostFacts) -> list[HostCheck]:
    install = CPU_INSTALL if options.device == "cpu" else CUDA_INSTALL
    if options.use == "predict":
        names = ["torch", "transformers"]
    else:
        names = ["torch", "verl", "transformers", "tensordict", "torchdata"]
        names += ["ray", "TransferQueue"] if options.use == "rl" else []
    if options.engine == "vllm" and options.use != "sft":
        names.append("vllm")
    absent = [name for name in names if name not in facts.versions]
    found = ", ".join(f"{name} {facts.versions[name]}" for name in names if name in facts.versions)
    checks = [
        HostCheck(
            "packages",
            found + (f"; absent: {', '.join(absent)}" if absent else ""),
            ", ".join(names),
            "failed" if absent else "ok",
            install,
        )
    ]
    if options.use == "predict":
        return checks
    probe = facts.probe
    return [
        *checks,
        HostCheck(
            "verl", probe.verl or "absent", VERL_VERSION, "ok" if probe.verl == VERL_VERSION else "failed", install
        ),
        HostCheck(
            "plug-in",
            f"entry point {'visible' if probe.entry_point else 'not visible'}, {probe.plugin_state}",
            "visible and loaded",
            "ok" if probe.entry_point and probe.plugin_state == "loaded" else "failed",
            "install autoresearch into the environment of this interpreter",
        ),
        HostCheck(
            "seams",
            "; ".join(probe.seams) or "all as checked",
            "every private name of verl unchanged",
            "failed" if probe.seams else "ok",
            install,
        ),
        HostCheck(
            "trl",
            f"{probe.trl}, which lacks a class that verl imports" if probe.trl else "none that disturbs verl",
            "no trl, or one that still has AutoModelForCausalLMWithValueHead",
            "failed" if probe.trl else "ok",
            "pip uninstall trl",
        ),
    ]


def _device(options: HostOptions, facts: HostFacts) -> HostCheck:
    device = facts.device
    enough = int(device.get("count", 0)) >= (options.gpus if options.device != "cpu" else 1)
    found = f"{device.get('count', 0)} x {device.get('name') or options.device}"
    if device.get("memory_bytes"):
        found += f", {int(device['memory_bytes']) / GIB:.1f} GiB"
    if device.get("error"):
        found += f"; {device['error']}"
    return HostCheck(
        "device",
        found,
        f"{options.gpus} {options.device}: a matmul and a collective that really run",
        "ok" if device.get("ok") and enough else "failed",
        "run autoresearch in an environment whose torch supports this device",
    )


def accelerator_checks(options: HostOptions, facts: HostFacts) -> list[HostCheck]:
    """What was learnt on one H200: kernels of linear attention, their compiler, vLLM's prefill, byte-code."""
    hopper = list(facts.device.get("capability") or []) == [9, 0]
    kernels = facts.versions.get("flash-linear-attention")
    checks = [
        HostCheck(
            "flash-linear-attention",
            kernels or "absent",
            "installed: the pure-torch fallback does not finish a step",
            "ok" if kernels else "failed",
            CUDA_INSTALL,
        )
    ]
    if kernels and hopper:
        triton = _numbers(facts.versions.get("triton", ""))
        broken = (3, 4) <= triton < (3, 7, 1)
        checks.append(
            HostCheck(
                "triton",
                facts.versions.get("triton", "absent"),
                "not 3.4 <= triton < 3.7.1 on Hopper, or tilelang",
                "failed" if broken and "tilelang" not in facts.versions else "ok",
                "pip install 'triton>=3.7.1' or tilelang==0.1.9",
            )
        )
    if facts.backward is not None:
        checks.append(_backward(facts.backward))
    if options.use != "predict":
        checks.append(_packing(facts.packing))
    if options.engine == "vllm" and options.use != "sft":
        if hopper:
            text = "the plan sets gdn_prefill_backend=triton"
            checks.append(HostCheck("hopper prefill", "capability 9.0", text, "note"))
        checks.append(
            HostCheck(
                "byte-code",
                "compiled" if facts.bytecode else "not compiled",
                "compiled: the first start takes minutes otherwise",
                "ok" if facts.bytecode else "warning",
                "python -m compileall -q <site-packages>",
            )
        )
    return checks


def _backward(answer: Mapping[str, Any]) -> HostCheck:
    largest = answer.get("largest")
    found = str(answer.get("error") or f"gradients differ from plain torch by at most {largest:.2g}")
    rule = f"one backward call of flash-linear-attention, gradients within {TOLERANCE:.0%} of plain torch"
    remedy = "pip install 'triton>=3.7.1' or tilelang==0.1.9"
    return HostCheck("linear attention backward", found, rule, "ok" if answer.get("ok") else "failed", remedy)


def _packing(answer: Mapping[str, Any] | None) -> HostCheck:
    """Never fails the gate: without a clean leak test the plan keeps rows apart (training.md 4.5)."""
    rule = f"a changed row moves no logit of the next by more than {PACKING_TOLERANCE:g}; else rows are not packed"
    if answer is None:
        return HostCheck("packing", "not tried", rule, "note", "name the model: --model")
    error = answer.get("error")
    found = str(error) if error else f"leak {answer.get('leak'):.2g} with {answer.get('attention')}"
    return HostCheck("packing", found, rule, "ok" if answer.get("ok") else "note", "rows are not packed")


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("+")[0].split(".") if part.isdigit())


def _limits(options: HostOptions, facts: HostFacts) -> list[HostCheck]:
    needs = NEEDS[options.use]
    checks = [
        _amount("free memory", facts.memory_available / GIB, needs["memory"], "close other programs"),
        _amount("free disk", facts.disk_free / GIB, needs["disk"], "free space, or another --run place"),
        HostCheck(
            "open files",
            str(facts.open_files) if facts.open_files >= 0 else "unlimited",
            f"{needs['files']:.0f}",
            "ok" if facts.open_files < 0 or facts.open_files >= needs["files"] else "failed",
            "ulimit -n",
        ),
        HostCheck(
            "hub access",
            "offline" if facts.offline else "online",
            "nothing is fetched at start: launches set HF_HUB_OFFLINE=1",
            "ok" if facts.offline else "note",
        ),
    ]
    if options.use == "rl":
        length = len(os.fsencode(facts.ray_tmp)) + SOCKET_TAIL_BYTES
        checks += [
            HostCheck(
                "/dev/shm",
                f"{facts.shared_memory_free / GIB:.1f} GiB free",
                f"{SHARED_MEMORY_GIB:.1f} GiB for Ray's object store; below it Ray uses /tmp and is slow",
                "ok" if facts.shared_memory_free >= SHARED_MEMORY_GIB * GIB else "warning",
                "docker run --shm-size=2g",
            ),
            HostCheck(
                "loopback port",
                "free" if facts.port_free else "none",
                "a port on 127.0.0.1 can be opened",
                "ok" if facts.port_free else "failed",
                "allow local sockets",
            ),
            HostCheck(
                "Ray temp path",
                facts.ray_tmp,
                f"at most {SOCKET_PATH_BYTES - SOCKET_TAIL_BYTES} bytes",
                "ok" if length <= SOCKET_PATH_BYTES else "failed",
                "export RAY_TMPDIR=/tmp",
            ),
        ]
    return checks


def _amount(name: str, found: float, needed: float, remedy: str) -> HostCheck:
    status: Status = "ok" if found >= needed else "failed"
    return HostCheck(name, f"{found:.1f} GiB", f"{needed:.1f} GiB", status, remedy)


def host_verdict(options: HostOptions, facts: HostFacts, checks: Sequence[HostCheck]) -> Verdict:
    """The verdict over the table."""
    failed = [item for item in checks if item.status == "failed"]
    judged: dict[str, Any] = {}
    if facts.model is not None:
        place = os.path.relpath(facts.model.path, options.out.parent.resolve())
        judged["model"] = {
            "name": facts.model.path.name,
            "path": Path(place).as_posix(),
            "tree_sha256": facts.model_tree,
        }
    return make_verdict(
        gate="host",
        passed=not failed,
        status="passed" if not failed else "failed: " + ", ".join(item.check for item in failed),
        rule="no required check fails",
        numbers={
            "checks": {"numerator": len(checks) - len(failed), "denominator": len(checks)},
            "table": [item.__dict__ for item in checks],
            "device": dict(facts.device),
            **({"backward": dict(facts.backward)} if facts.backward is not None else {}),
            **(
                {"packing": {**facts.packing, "model_type": facts.model.model_type}}
                if facts.packing is not None and facts.model is not None
                else {}
            ),
        },
        judged=judged,
        settings={"for": options.use, "device": options.device, "engine": options.engine, "gpus": options.gpus},
        versions=dict(facts.versions),
    )


def gate_host(options: HostOptions) -> Verdict:
    """Read, judge and write the verdict. Raises ``RefusedError`` when ``out`` exists."""
    if options.out.exists():
        raise RefusedError(f"{options.out} exists; a verdict is never overwritten: give another --out")
    facts = read_host(options)
    verdict = host_verdict(options, facts, judge_host(options, facts))
    write_verdict(options.out, verdict)
    return verdict
