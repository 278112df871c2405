"""Readiness of a run: the server that is taken and the public facts of it that a matrix and a lock need (2.4)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from autoresearch.errors import InputError

if TYPE_CHECKING:
    from autoresearch.cases.config import CaseConfig
    from autoresearch.hosts.config import Server
    from autoresearch.hosts.readiness import Candidate
    from autoresearch.hosts.row_spec import RowDevice

GIB = 1 << 30
SPARE_BYTES = 20 * GIB
"""Free space on a server besides the assets that are missing there (2.4)."""
MIB = 1 << 20


@dataclass(frozen=True)
class HostFacts:
    """A server as the run uses it; kept beside the locks, so that a resumed run asks nothing again."""

    server: str
    accelerator: Literal["ascend", "nvidia", "cpu"]
    devices: tuple[RowDevice, ...]
    device_source: Literal["configured", "detected"]
    cores: int
    device_memory: int
    """Bytes of the smallest wanted device; 0: unknown."""
    image: str | None
    readiness: dict[str, Any]

    def as_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {**vars(self), "devices": [each.model_dump() for each in self.devices]}

    @classmethod
    def from_dict(cls, content: dict[str, Any]) -> HostFacts:
        """From ``as_dict``."""
        from autoresearch.hosts.row_spec import RowDevice

        devices = tuple(RowDevice.model_validate(each) for each in content["devices"])
        return cls(**{**content, "devices": devices})

    def part(self, name: str) -> dict[str, Any]:
        """The data of one check of the readiness; empty when it was skipped."""
        found = self.readiness.get("data", {}).get(name) or {}
        return dict(found.get("data") or {})


def find_host(config: CaseConfig, server: str | None, archive: Path, *, skip: bool, dry_run: bool) -> HostFacts:
    """The first server that qualifies. ``skip``: ``--skip-readiness``; ``dry_run``: devices may be held, and nothing is
    computed on them.

    Raises ``RefusedError`` with each server's reasons, ``InputError`` for a container that is named on a server whose
    rows run in none.
    """
    from autoresearch.hosts import open_host
    from autoresearch.hosts.host_checks import check_hardware
    from autoresearch.hosts.readiness import Need, find_ready
    from autoresearch.hosts.row_spec import RowDevice
    from autoresearch.hosts.rows import ensure_runner

    wanted = config.verl_case.devices
    devices = None if wanted == "auto" else [RowDevice(id=number) for number in wanted]
    quick = skip or dry_run
    found = find_ready(config, server, Need(archive, devices, 0 if quick else SPARE_BYTES, quick))
    _require_container(config, found.server)
    hardware = ((found.result.data.get("hardware") or {}).get("data")) or {}
    if quick:  # what was not judged is still looked at: the matrix needs cores and memory
        with open_host(found.server) as host:
            hardware = check_hardware(host, found.server, ensure_runner(host, archive), devices).data
    return host_facts(found, hardware, detected=devices is None)


def _require_container(config: CaseConfig, server: Server) -> None:
    name = config.verl_case.reuse_container
    if name is not None and server.container != "docker":
        raise InputError(
            f"--reuse-container {name}: rows on {server.name} run in no container; write container: docker and its "
            "image for this server, or leave the flag out"
        )


def host_facts(candidate: Candidate, hardware: dict[str, Any], *, detected: bool) -> HostFacts:
    """The facts in what readiness found. A processor counts as one device, number 0."""
    from autoresearch.hosts.row_spec import RowDevice

    result = candidate.result.as_dict()
    known = {each["id"]: each for each in hardware.get("devices") or []}
    devices = candidate.devices
    if candidate.accelerator == "nvidia":
        devices = tuple(each if each.uuid else RowDevice(id=each.id, uuid=known[each.id]["uuid"]) for each in devices)
    memory = [known[each.id].get("memory_total_mib") or 0 for each in devices if each.id in known]
    stack = ((result["data"].get("stack") or {}).get("data")) or {}
    return HostFacts(
        server=candidate.server.name,
        accelerator=candidate.accelerator,  # type: ignore[arg-type]  # one of the three by the runner's inventory
        devices=devices or (RowDevice(id=0),),
        device_source="detected" if detected else "configured",
        cores=int(hardware.get("cores") or 1),
        device_memory=min(memory, default=0) * MIB,
        image=stack.get("image") or candidate.server.image,
        readiness=result,
    )
