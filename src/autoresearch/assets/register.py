"""Naming and verifying what lies on a machine: ``assets register``, ``assets verify`` and the rows of ``assets list``
(formal-case.md 16).
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from autoresearch.assets.check import Tree, facts, judge_content, look_at_tree, tell
from autoresearch.assets.machine import Machine
from autoresearch.assets.placing import Asking, AssetLog, ReadyAsset
from autoresearch.assets.registry import Entry, Kind, Location, RegistryFile
from autoresearch.assets.write_back import add_entry, mark_discovered
from autoresearch.errors import InputError, RefusedError
from autoresearch.findings import finding
from autoresearch.training.model_folder import ModelFolder


def register(
    file: RegistryFile,
    machine: Machine,
    name: str,
    path: str,
    *,
    kind: Kind | None = None,
    canonical_id: str | None = None,
    log: AssetLog | None = None,
) -> ReadyAsset:
    """Verify a folder of the machine and name it: the place of the entry ``name``, or a new entry under that key.

    A new entry needs ``canonical_id``; its kind is a model where there is a ``config.json``. Every file is hashed.
    A commit that was known stays known only while the tree hash is the same. Raises ``InputError`` (also V104, V107),
    ``RefusedError`` (V105) for a folder that is not whole.
    """
    if file.is_example:
        raise InputError(file.note() or "")
    tree = look_at_tree(machine, path.rstrip("/"), fresh=True)
    if tree is None:
        raise InputError(f"{machine.server}:{path} is no folder with files; give the folder of a model or a dataset")
    names = {each for _, key, entry in file.registry.entries() for each in (key, entry.canonical_id)}
    if name in names or canonical_id is None:
        section, key, entry = file.registry.find(name, file.path.name)
        if canonical_id not in (None, entry.canonical_id):
            raise InputError(f"--canonical-id {canonical_id}: {key} is {entry.canonical_id}; give another key")
    else:
        guess: Kind = "model" if any(each.path == "config.json" for each in tree.files) else "dataset"
        entry = Entry(kind=kind or guess, canonical_id=canonical_id, size_gb=round(tree.bytes / 10**9, 3))
        section, key = f"{entry.kind}s", name
    model = _whole(machine, entry, key, tree)
    if name not in names and canonical_id is not None:
        add_entry(file.path, key, entry)
    asking = Asking(file, machine, section, key, entry, log or AssetLog(None))
    before = entry.location(machine.server)
    same = before is not None and before.tree_sha256 == tree.tree_sha256
    proof: dict[str, Any] = {
        "revision": before.revision if before is not None and same else None,
        "source": (before.source if before is not None and same else None) or "found",
    }
    accepted = asking.accept(tree, model, "verify", f"registered, {len(tree.files)} files hashed", proof)
    listed = file.registry.discovered_large_assets
    if any(each.path == tree.path and each.server == machine.server for each in listed):
        mark_discovered(file.path, machine.server, tree.path, "verified")
    return accepted


def _whole(machine: Machine, entry: Entry, key: str, tree: Tree) -> ModelFolder | None:
    problems, model = judge_content(machine, entry.kind, tree)
    if not problems:
        return model
    item = finding(
        "V105",
        place=f"{key} on {machine.server}",
        value=tree.path,
        rule=f"is not whole: {tell(problems)}",
        remedy="repair or complete the folder, then register it",
    )
    raise RefusedError(item.message(), [item])


def verify(file: RegistryFile, machine: Machine, name: str, log: AssetLog | None = None) -> dict[str, Any]:
    """Hash a registered place anew and write what it is: ``ready``, ``stale`` (V108, or no longer whole) or
    ``missing``. ``{asset, server, path, status, ok, reason, findings, …}``; ``ok`` only when it is ready.

    Raises ``InputError`` (V104) for a name without an entry and for an entry without a place on this server.
    """
    section, key, entry = file.registry.find(name, file.path.name)
    place = entry.location(machine.server)
    if place is None:
        raise InputError(f"{file.path.name}: {key} has no place on {machine.server}; autoresearch assets fetch gets it")
    asking = Asking(file, machine, section, key, entry, log or AssetLog(None))
    answer: dict[str, Any] = {"asset": key, "server": machine.server, "path": asking.path, "findings": []}
    tree = look_at_tree(machine, asking.path, fresh=True)
    if tree is None:
        asking.register(asking.path, "missing")
        return {**answer, "status": "missing", "ok": False, "reason": "not there, or empty"}
    problems, model = judge_content(machine, entry.kind, tree)
    known = place.tree_sha256
    if not problems and known in (None, tree.tree_sha256):
        proof = {"revision": place.revision, "source": place.source or "found"}
        asking.accept(tree, model, "verify", f"{len(tree.files)} files hashed, all as before", proof)
        reason = "as it was verified before" if known else "hashed for the first time"
        return {**answer, **facts(tree), "status": "ready", "ok": True, "reason": reason}
    asking.register(asking.path, "stale")
    code, rule = ("V105", f"is not whole: {tell(problems)}")
    if not problems:
        code, rule = "V108", f"is its tree hash now, {(known or '')[:12]} was verified {place.verified_at or 'before'}"
    value = asking.path if problems else tree.tree_sha256[:12]
    remedy = f"move it away and fetch it again; what is meant: autoresearch assets register {key} --path {asking.path}"
    item = finding(code, place=f"{key} on {machine.server}", value=value, rule=rule, remedy=remedy)
    asking.note("verify", False, item.message(), **facts(tree))
    found = {**answer, **facts(tree), "status": "stale", "ok": False, "reason": item.message()}
    return {**found, "findings": [item.as_dict()]}


def list_places(file: RegistryFile) -> list[dict[str, Any]]:
    """Entry x place with status, size, revision and age in days; an entry without a place is one row without one."""
    rows = []
    today = datetime.now(UTC)
    for section, key, entry in file.registry.entries():
        places: list[tuple[str | None, Location | None]] = [*entry.locations()] or [(None, None)]
        for server, place in places:
            verified = place.verified_at if place is not None else None
            age = today - datetime.fromisoformat(verified) if verified else None
            rows.append(
                {
                    "asset": key,
                    "canonical_id": entry.canonical_id,
                    "kind": entry.kind,
                    "section": section,
                    "size_gb": entry.size_gb,
                    "server": server,
                    "path": place.path if place is not None else None,
                    "status": place.status if place is not None else None,
                    "source": place.source if place is not None else None,
                    "revision": place.revision if place is not None else None,
                    "tree_sha256": place.tree_sha256 if place is not None else None,
                    "verified_at": verified,
                    "age_days": round(age.total_seconds() / 86400, 1) if age is not None else None,
                }
            )
    return rows


def wanted_on(file: RegistryFile, server: str) -> list[str]:
    """Keys of the entries that have a place on a server (``local``: this machine)."""
    return [key for _, key, entry in file.registry.entries() if entry.location(server) is not None]
