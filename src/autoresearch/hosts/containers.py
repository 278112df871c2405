"""A container is a launch wrapper: the docker command lines of a row, as data (formal-case.md 6.4).

Everything here is pure: what is present on the host comes in, argv lists go out and into ``row.json``; the runner runs
them. A running container of somebody else is entered only by its name, after ``judge_reuse`` found that it fits.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from autoresearch.files import sha256_text
from autoresearch.hosts.row_spec import RowContainer, RowDevice

DOCKER = "docker"
RUN_LABEL, ROW_LABEL = "autoresearch.run", "autoresearch.row"
ENTRY = "container-entry.sh"
STOP_SECONDS = 20
TOKEN_VARIABLE = "AUTORESEARCH_ROW_TOKEN"
"""Handed through without a value: the runner makes it (``runner.processes``)."""
ASCEND_DEVICES = ("/dev/davinci_manager", "/dev/devmm_svm", "/dev/hisi_hdc")
ASCEND_MOUNTS = (
    "/usr/local/Ascend/driver",
    "/usr/local/sbin/npu-smi",
    "/usr/local/Ascend/add-ons",
    "/etc/ascend_install.info",
)
"""Read-only, each only if the host has it."""
SIGNAL_GROUP = 'kill -s "$2" -- "-$(cat "$1")"'
"""Signals the group that the entry script of a row leads inside a container that is not ours to stop."""


@dataclass(frozen=True)
class ContainerPlan:
    """What a row needs of its container."""

    run_id: str
    row: str
    folder: str
    """The row's folder on the host, seen at the same path inside."""
    image: str
    """By digest where there is one."""
    accelerator: Literal["ascend", "nvidia", "cpu"]
    devices: Sequence[RowDevice]
    argv: Sequence[str]
    env: Mapping[str, str]
    read_only: Sequence[str] = ()
    """Models, data, sources: host paths seen at the same path inside."""
    scratch: Sequence[str] = ()
    present: Collection[str] = ()
    """Which of ``ASCEND_MOUNTS`` the host has (``probe_paths``)."""


def container_name(run_id: str, row: str) -> str:
    """``autoresearch-<run6>-<row6>-<hash8>``: short, legal, and no other row's."""
    parts = [re.sub(r"[^A-Za-z0-9]", "", text)[:6] or "x" for text in (run_id, row)]
    return "-".join(["autoresearch", *parts, sha256_text(f"{run_id}\n{row}")[:8]])


def probe_paths() -> list[str]:
    """Paths whose presence on an Ascend host decides a mount."""
    return list(ASCEND_MOUNTS)


def device_arguments(accelerator: str, devices: Sequence[RowDevice], present: Collection[str]) -> list[str]:
    """The part of the command line that lets the wanted devices in, by their real ids, and no other."""
    if accelerator == "ascend":
        numbers = sorted({device.id for device in devices})
        wanted = [*(f"/dev/davinci{number}" for number in numbers), *ASCEND_DEVICES]
        mounts = [word for path in ASCEND_MOUNTS if path in present for word in ("--volume", f"{path}:{path}:ro")]
        return ["--runtime=runc", *(f"--device={path}" for path in wanted), *mounts]
    if accelerator == "nvidia":
        uuids = ",".join(device.uuid or str(device.id) for device in devices)
        return ["--gpus", f'"device={uuids}"', "--ipc=host"]
    return []


def run_arguments(plan: ContainerPlan) -> list[str]:
    """``docker run …`` of a row."""
    argv = [DOCKER, "run", "--rm", "--name", container_name(plan.run_id, plan.row)]
    argv += ["--label", f"{RUN_LABEL}={plan.run_id}", "--label", f"{ROW_LABEL}={plan.row}"]
    argv += ["--network=host", "--shm-size=64g", "--ulimit", "nofile=65535", "--ulimit", "memlock=-1"]
    argv += device_arguments(plan.accelerator, plan.devices, plan.present)
    argv += ["--volume", f"{plan.folder}:{plan.folder}", "--workdir", plan.folder]
    for path in plan.scratch:
        argv += ["--volume", f"{path}:{path}"]
    for path in dict.fromkeys(plan.read_only):
        argv += ["--volume", f"{path}:{path}:ro"]
    argv += _environment(plan)
    return [*argv, "--entrypoint", "bash", plan.image, f"{plan.folder}/{ENTRY}", plan.folder, *plan.argv]


def _environment(plan: ContainerPlan) -> list[str]:
    pairs = [f"{name}={value}" for name, value in sorted(plan.env.items())]
    return [word for pair in [*pairs, TOKEN_VARIABLE] for word in ("--env", pair)]


def row_container(plan: ContainerPlan) -> RowContainer:
    """The container of ``row.json``: a new one, ours to stop, kill and remove by its name."""
    name = container_name(plan.run_id, plan.row)
    return RowContainer(
        name=name,
        run=run_arguments(plan),
        stop=[DOCKER, "stop", "--time", str(STOP_SECONDS), name],
        kill=[DOCKER, "kill", name],
        inspect=[DOCKER, "inspect", "--type", "container", name],
        remove=[DOCKER, "rm", "--force", name],
        wait=[DOCKER, "wait", name],
        logs=[DOCKER, "logs", "--follow", "--since"],
    )


def reused_container(plan: ContainerPlan, name: str) -> RowContainer:
    """The row inside a running container that the user named: entered, never stopped or removed; V334."""
    inside = [DOCKER, "exec", name, "sh", "-c", SIGNAL_GROUP, "sh", f"{plan.folder}/container.pid"]
    enter = [DOCKER, "exec", "--workdir", plan.folder, *_environment(plan), name]
    return RowContainer(
        name=name,
        reused=True,
        run=[*enter, "bash", f"{plan.folder}/{ENTRY}", plan.folder, *plan.argv],
        stop=[*inside, "TERM"],
        kill=[*inside, "KILL"],
        inspect=[DOCKER, "inspect", "--type", "container", name],
        remove=[*inside, "KILL"],
        wait=[],
        logs=[],
    )


def judge_reuse(plan: ContainerPlan, inspected: Mapping[str, Any], image_id: str, processes: int) -> list[str]:
    """Why a running container does not fit the row; empty when it does.

    ``inspected`` is one object of ``docker inspect``, ``image_id`` that of the wanted image, ``processes`` how many
    ``docker top`` lists. The device operation inside is the caller's next step.
    """
    reasons = []
    if not inspected.get("State", {}).get("Running"):
        reasons.append("it is not running")
    if inspected.get("Image") != image_id:
        reasons.append(f"its image is {inspected.get('Image')}, wanted is {image_id}")
    mounts = {each.get("Destination"): each for each in inspected.get("Mounts", [])}
    for path in [plan.folder, *plan.scratch]:
        if not _covered(path, mounts, writable=True):
            reasons.append(f"{path} is not mounted at the same path, writable")
    for path in plan.read_only:
        if not _covered(path, mounts, writable=False):
            reasons.append(f"{path} is not mounted at the same path")
    inside = {each.get("PathOnHost") for each in inspected.get("HostConfig", {}).get("Devices") or []}
    if plan.accelerator == "ascend":
        lacks = sorted({f"/dev/davinci{device.id}" for device in plan.devices} - inside)
        if lacks:
            reasons.append(f"it has no {', '.join(lacks)}")
    if plan.accelerator == "nvidia":
        requests = inspected.get("HostConfig", {}).get("DeviceRequests") or []
        given = {word for request in requests for word in request.get("DeviceIDs") or []}
        everything = any(request.get("Count") == -1 for request in requests)
        lacks = sorted({device.uuid or str(device.id) for device in plan.devices} - given)
        if lacks and not everything:
            reasons.append(f"it has no device {', '.join(lacks)}")
    if processes > 1:
        reasons.append(f"it is not idle: {processes} processes run in it")
    return reasons


def _covered(path: str, mounts: Mapping[str, Mapping[str, Any]], *, writable: bool) -> bool:
    """The path or a folder above it is mounted at its own place."""
    parts = path.rstrip("/").split("/")
    for end in range(len(parts), 1, -1):
        above = "/".join(parts[:end])
        found = mounts.get(above)
        if found is not None:
            return found.get("Source") == above and (bool(found.get("RW")) or not writable)
    return False
