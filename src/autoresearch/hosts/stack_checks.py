"""Can the trainer's environment of a host compute? Container, versions, one real operation (formal-case.md 2.4).

The operation is the host gate's, carried by the runner, in the row's own environment and on every wanted device: a
driver that only lists its devices is not enough.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from autoresearch.errors import InfrastructureError
from autoresearch.findings import Finding, finding
from autoresearch.hosts.check_result import CheckResult, Severity, checked
from autoresearch.hosts.config import Server
from autoresearch.hosts.containers import DOCKER, device_arguments, probe_paths
from autoresearch.hosts.host_checks import Answer
from autoresearch.hosts.protocol import Host
from autoresearch.hosts.row_spec import RowDevice
from autoresearch.training.plan_facts import VERL_VERSION

TORCH_NAMES = {"ascend": "npu", "nvidia": "cuda", "cpu": "cpu"}
OPERATION_SECONDS = 300.0


def image_digest(host: Host, image: str) -> str | None:
    """``name@sha256:…`` of an image that is on the host, by its own repository where it was pulled from several; its id
    where it has no digest; None where it is not there.
    """
    done = host.run([DOCKER, "image", "inspect", image])
    if not done.ok:
        return None
    try:
        found = json.loads(done.stdout)[0]
    except (ValueError, IndexError) as error:
        raise InfrastructureError(f"{host.name}: docker image inspect answered no list") from error
    digests = [str(each) for each in found.get("RepoDigests") or []]
    own = [each for each in digests if each.partition("@")[0] == _repository(image)]
    return image if image in digests else (own or digests or [str(found["Id"])])[0]


def _repository(image: str) -> str:
    """A reference without tag and digest; the colon of a registry's port stays."""
    name = image.partition("@")[0]
    return name.rpartition(":")[0] if ":" in name.rpartition("/")[2] else name


def pullable(host: Host, image: str) -> bool:
    """True when the registry knows the image; nothing is pulled."""
    return host.run([DOCKER, "manifest", "inspect", image], timeout=60.0).ok


def environment_command(
    host: Host, server: Server, runner: str, accelerator: str, devices: Sequence[RowDevice], *words: str
) -> list[str]:
    """Command line of a role of the runner inside the row's environment: its container, or the host's Python."""
    if server.container == "none":
        return [host.python, runner, *words]
    present = [path for path in probe_paths() if host.run(["test", "-e", path]).ok] if accelerator == "ascend" else []
    argv = [DOCKER, "run", "--rm", "--network=host", "--volume", f"{runner}:{runner}:ro"]
    argv += device_arguments(accelerator, devices, present)
    return [*argv, "--entrypoint", "python3", str(server.image), runner, *words]


def check_stack(
    host: Host,
    server: Server,
    runner: str,
    accelerator: str,
    devices: Sequence[RowDevice] = (),
    *,
    operate: bool = True,
) -> CheckResult:
    """Docker and image, versions inside (another verl than the one checked is V310), the device operation.

    ``devices``: the wanted ones; which of them the operation sees is set by the environment, as for a row. Without
    ``operate`` only image and versions are looked at (``--skip-readiness``).
    """
    return checked("stack", lambda: _stack(host, server, runner, accelerator, devices, operate))


def _stack(
    host: Host, server: Server, runner: str, accelerator: str, devices: Sequence[RowDevice], operate: bool
) -> Answer:
    data: dict[str, Any] = {"container": server.container, "image": None}
    if server.container == "docker":
        version = host.run([DOCKER, "version", "--format", "{{.Server.Version}}"])
        if not version.ok:
            return "fail", f"docker does not answer on {host.name}: {version.stderr.strip()[-200:]}", data, ()
        data["docker"] = version.stdout.strip()
        data["image"] = image_digest(host, str(server.image))
        if data["image"] is None:
            if pullable(host, str(server.image)):
                return "warn", f"{server.image} is not on {host.name} yet; it can be pulled", data, ()
            return "fail", f"{server.image} is not on {host.name} and cannot be pulled; docker pull it there", data, ()
    visible = visibility(accelerator, devices)
    stack = _answer(host, server, runner, accelerator, devices, visible, "inventory", "stack")
    data.update(python=stack["python"], versions=stack["versions"], packages_sha256=stack["packages_sha256"])
    findings = verl_findings(stack["versions"].get("verl"), host.name)
    if not operate:
        severity: Severity = "fail" if findings else "ok"
        return severity, findings[0].message() if findings else f"verl {VERL_VERSION}", data, findings
    words = ("device-op", TORCH_NAMES[accelerator])
    operation = _answer(host, server, runner, accelerator, devices, visible, *words)
    data["operation"] = operation
    if not operation.get("ok"):
        reason = operation.get("error") or "a device gave a wrong answer"
        return "fail", f"the device operation failed on {host.name}: {reason}", data, findings
    if accelerator != "cpu" and devices and operation["count"] != len(devices):
        return "fail", f"{operation['count']} devices computed, {len(devices)} are wanted", data, findings
    if findings:
        return "fail", findings[0].message(), data, findings
    return "ok", f"{operation['count']} x {operation['name'] or accelerator} computed, verl {VERL_VERSION}", data, ()


def visibility(accelerator: str, devices: Sequence[RowDevice]) -> dict[str, str]:
    """The variables that show a process the wanted devices and no other (formal-case.md 7.2)."""
    if accelerator == "ascend" and devices:
        return {"ASCEND_RT_VISIBLE_DEVICES": ",".join(str(device.id) for device in devices)}
    if accelerator == "nvidia" and devices:
        return {"CUDA_VISIBLE_DEVICES": ",".join(device.uuid or str(device.id) for device in devices)}
    return {}


def verl_findings(found: str | None, place: str) -> list[Finding]:
    """``V310`` for every version of verl but the one that was checked."""
    if found == VERL_VERSION:
        return []
    remedy = f"install verl=={VERL_VERSION} there, or use an image that has it"
    return [finding("V310", place=place, value=f"verl {found or 'absent'}", rule="is not 0.9.1", remedy=remedy)]


def _answer(
    host: Host,
    server: Server,
    runner: str,
    accelerator: str,
    devices: Sequence[RowDevice],
    visible: dict[str, str],
    *words: str,
) -> dict[str, Any]:
    argv = environment_command(host, server, runner, accelerator, devices, *words)
    if server.container == "docker":
        place = argv.index("--entrypoint")
        argv[place:place] = [word for name, value in visible.items() for word in ("--env", f"{name}={value}")]
    done = host.run(argv, timeout=OPERATION_SECONDS, env=visible or None)
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if not lines:
        last = (done.stderr.strip().splitlines() or [f"exit code {done.exit_code}"])[-1]
        raise InfrastructureError(f"{host.name}: the row's environment gave no answer to {words[0]}: {last}")
    answer: dict[str, Any] = json.loads(lines[-1])
    return answer
