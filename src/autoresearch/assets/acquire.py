"""Getting an asset to a machine in the fixed order (formal-case.md 16, "Order").

A usable place in ``data.yaml`` → what the machine has already → ModelScope → Hugging Face → both through the proxy →
download here and send. Nothing is used before it was checked; nothing above the local limit is stored or staged here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from autoresearch.assets.check import Problem, Tree, compare, facts, judge_content, look_at_tree, tell
from autoresearch.assets.discover import LARGE_BYTES, discover, matches, threshold
from autoresearch.assets.hubs import HubError, Listing, Route, ask_hub, get_from_hub, routes
from autoresearch.assets.machine import Machine
from autoresearch.assets.placing import (
    Asking,
    AssetLog,
    Clock,
    ReadyAsset,
    Step,
    make_folder,
    remove_staged,
    staging_path,
)
from autoresearch.assets.registry import GB, RegistryFile
from autoresearch.assets.sending import SPARE_BYTES, begun, send_tree, settle
from autoresearch.assets.write_back import record_discovered
from autoresearch.errors import AutoResearchError, InfrastructureError, RefusedError
from autoresearch.findings import finding


@dataclass
class Acquisition:
    """Getting one asset to one machine; what the hubs said is asked once."""

    asking: Asking
    sender: Machine | None
    """This machine, when the asset may be downloaded here and sent to another."""
    offline: bool
    verify: bool
    listings: dict[Route, Listing | None] = field(default_factory=dict)
    reasons: list[str] = field(default_factory=list)

    @property
    def machine(self) -> Machine:
        """Where the asset is wanted."""
        return self.asking.machine

    def failed(self, step: Step, reason: str, **more: Any) -> None:
        """Note a try that did not lead to the asset."""
        self.asking.note(step, False, reason, **more)
        self.reasons.append(f"{step}: {reason}")

    def refuse(self, code: str, *, value: str, rule: str, remedy: str) -> RefusedError:
        """The refusal that ends the search."""
        place = f"{self.asking.key} on {self.machine.server}"
        item = finding(code, place=place, value=value, rule=rule, remedy=remedy)
        return RefusedError(item.message(), [item])


def acquire(
    file: RegistryFile,
    name: str,
    machine: Machine,
    *,
    sender: Machine | None = None,
    log: AssetLog | None = None,
    offline: bool = False,
    verify: bool = False,
) -> ReadyAsset:
    """The asset of that key or canonical id, ready on the machine; fetched and registered when it is not there.

    ``sender``: this machine, where the asset may be downloaded and sent from. ``offline``: no hub is asked.
    ``verify``: hashes are taken anew, whatever is remembered. Raises ``InputError`` (V104), ``RefusedError`` (V105 not
    to be had, with every reason; V106 too large for this machine; V108 changed since it was verified),
    ``InfrastructureError`` when the machine itself fails.
    """
    section, key, entry = file.registry.find(name, file.path.name)
    asking = Asking(file, machine, section, key, entry, log or AssetLog(None))
    work = Acquisition(asking, None if machine.here else sender, offline, verify)
    found = from_registry(work) or from_the_machine(work)
    if found is not None:
        return found
    if offline:
        raise _needed(work)
    return from_hubs(work) or by_sending(work) or _give_up(work)


def from_registry(work: Acquisition) -> ReadyAsset | None:
    """The place that ``data.yaml`` has for this server, if it is ready and still what it was."""
    asking, machine = work.asking, work.machine
    place = asking.entry.location(machine.server)
    if place is None or place.status != "ready":
        work.failed("registry", "no place on this server" if place is None else f"the place is {place.status}")
        return None
    tree = look_at_tree(machine, asking.path, fresh=work.verify)
    if tree is None:
        asking.register(asking.path, "missing")
        work.failed("registry", f"{asking.path} is not there, or empty")
        return None
    if place.tree_sha256 is not None and tree.tree_sha256 != place.tree_sha256:
        asking.register(asking.path, "stale")
        asking.note("registry", False, "changed since it was verified", **facts(tree))
        raise work.refuse(
            "V108",
            value=tree.tree_sha256[:12],
            rule=f"is its tree hash, {place.tree_sha256[:12]} was verified {place.verified_at or 'before'}",
            remedy=f"move {asking.path} away and fetch it again; a change that is meant: autoresearch assets register "
            f"{asking.key} --server {machine.server} --path {asking.path}",
        )
    problems, model = judge_content(machine, asking.entry.kind, tree)
    if problems:
        asking.register(asking.path, "stale")
        raise _not_whole(work, asking.path, problems)
    proof = {"revision": place.revision, "source": place.source}
    if place.tree_sha256 is None or work.verify:
        return asking.accept(tree, model, "registry", f"checked, {tree.hashed} files hashed", proof)
    asking.note("registry", True, f"unchanged, {tree.hashed} files hashed", **facts(tree), **proof)
    return asking.ready(tree, model, **proof)


def from_the_machine(work: Acquisition) -> ReadyAsset | None:
    """A folder that is there already and equals, file by file, what a hub lists; the place's own folder first."""
    asking, machine = work.asking, work.machine
    found = discover(machine, at_least=threshold(asking.entry))
    if not asking.file.is_example:
        large = [each for each in found if each.size_gb * GB >= LARGE_BYTES]
        known = [each for each in asking.file.registry.discovered_large_assets if each.server == machine.server]
        if large or known:
            record_discovered(asking.file.path, machine.server, large)
    folders = [each.path for each in found if matches(asking.entry, each)]
    own = machine.place.run(["ls", "-A", asking.path])
    if own.ok and own.stdout.strip():
        folders = [asking.path, *(path for path in folders if path != asking.path)]
    if not folders:
        work.failed("discovery", "no folder looks like it")
    for path in folders:
        accepted = _compared(work, path)
        if accepted is not None:
            return accepted
    if asking.path in folders:
        raise work.refuse(
            "V105",
            value=asking.path,
            rule=f"is in the way: {work.reasons[-1] if len(folders) == 1 else '; '.join(work.reasons)}",
            remedy=f"move it away, or take it as it is: autoresearch assets register {asking.key} "
            f"--server {machine.server} --path {asking.path}",
        )
    return None


def _compared(work: Acquisition, path: str) -> ReadyAsset | None:
    asking, machine = work.asking, work.machine
    hint = f"autoresearch assets register {asking.key} --server {machine.server} --path {path} takes it as it is"
    if work.offline:
        work.failed("discovery", f"{path} looks like it and cannot be compared offline; {hint}")
        return None
    try:
        tree = look_at_tree(machine, path, fresh=work.verify)
    except InfrastructureError as error:
        work.failed("discovery", f"{path}: {error.message}")
        return None
    if tree is None:
        return None
    told = "no hub answered"
    for listing in _listings(work):
        problems, first_seen = compare(listing.files, tree)
        content, model = judge_content(machine, asking.entry.kind, tree) if not problems else (problems, None)
        if not content:
            proof = {"revision": listing.commit, "source": listing.route.hub, "first_seen": first_seen}
            return asking.accept(tree, model, "discovery", f"{path} equals {listing.repo}", proof)
        told = f"differs from {listing.repo} on {listing.route.hub}: {tell(content)}"
    work.failed("discovery", f"{path}: {told}; {hint}")
    return None


def _listings(work: Acquisition) -> Iterator[Listing]:
    """What the hubs list, each hub once, by the first way that leads to it."""
    seen = set()
    for route in routes(work.machine, work.asking.file.registry.priority(work.asking.entry)):
        if route.hub not in seen:
            listing = _listing(work, route)
            if listing is not None:
                seen.add(route.hub)
                yield listing


def _listing(work: Acquisition, route: Route) -> Listing | None:
    if route not in work.listings:
        clock = Clock()
        try:
            work.listings[route] = ask_hub(work.machine, work.asking.entry, route)
        except HubError as error:
            work.failed(route.name, error.message, kind=error.kind, elapsed_ms=int(clock))
            work.listings[route] = None
    return work.listings[route]


def from_hubs(work: Acquisition) -> ReadyAsset | None:
    """Downloaded by the machine itself. Raises ``RefusedError`` (V106) for what is too large for this machine."""
    ways = routes(work.machine, work.asking.file.registry.priority(work.asking.entry))
    if not ways:
        work.failed("modelscope", "the entry has no source on any hub")
    for route in ways:
        listing = _listing(work, route)
        if listing is None:
            continue
        _hold_limit(work, listing)
        clock = Clock()
        try:
            loaded = _load(work, listing)
        except HubError as error:
            work.failed(route.name, error.message, kind=error.kind, elapsed_ms=int(clock))
            continue
        if loaded is not None:
            return loaded
    return None


def _hold_limit(work: Acquisition, listing: Listing) -> None:
    registry, entry = work.asking.file.registry, work.asking.entry
    if not work.machine.here:
        return
    limit = registry.defaults.local_asset_limit_gb
    size = listing.bytes
    if size is not None and size <= limit * GB and entry.storage_policy != "remote_only":
        return
    told = "an unknown size" if size is None else f"{size / GB:.2f} GB"
    rule = "is more than this machine may hold: defaults.local_asset_limit_gb is " + f"{limit:g}"
    if entry.storage_policy == "remote_only" and size is not None and size <= limit * GB:
        rule = "may not be held by this machine: storage_policy is remote_only"
    work.asking.note(listing.route.name, False, f"{told}, {rule}")
    raise work.refuse("V106", value=told, rule=rule, remedy="fetch it on a server (--server NAME), or raise the limit")


def _load(work: Acquisition, listing: Listing) -> ReadyAsset | None:
    asking, machine, step = work.asking, work.machine, listing.route.name
    clock = Clock()
    staged = staging_path(asking.path, f"{listing.route.hub}-{listing.revision[:12].replace('/', '-')}")
    make_folder(machine, staged)
    free = machine.place.free_space(staged)
    if listing.bytes is not None and free < listing.bytes + SPARE_BYTES and not begun(machine, staged):
        work.failed(step, f"{free / GB:.1f} GB are free at {asking.path}, {listing.bytes / GB:.1f} GB are needed")
        machine.place.run(["rmdir", staged])
        return None
    asking.register(asking.path, "downloading")
    get_from_hub(machine, asking.entry, listing, staged)
    tree = look_at_tree(machine, staged)
    problems, first_seen = compare(listing.files, tree) if tree is not None else ([Problem("", "nothing came")], [])
    model = None
    if tree is not None and not problems:
        problems, model = judge_content(machine, asking.entry.kind, tree)
    if tree is None or problems:
        remove_staged(machine, staged)
        work.failed(step, tell(problems), elapsed_ms=int(clock))
        return None
    settle(machine, tree, asking.path)
    proof = {"revision": listing.commit, "source": listing.route.hub, "first_seen": first_seen}
    pinned = f"commit {listing.commit}" if listing.commit else f"{listing.revision}, the hub names no commit"
    told = f"{listing.repo} at {pinned}, {len(tree.files) - len(first_seen)} of {len(tree.files)} files by its sha256"
    return asking.accept(replace(tree, path=asking.path), model, step, told, proof)


def by_sending(work: Acquisition) -> ReadyAsset | None:
    """Downloaded here, where the limit allows it, and sent."""
    asking, machine, sender = work.asking, work.machine, work.sender
    if sender is None:
        return None
    try:
        local = acquire(asking.file, asking.key, sender, log=asking.log, verify=work.verify)
    except AutoResearchError as error:
        work.failed("send", error.message)
        return None
    sent = send(asking, local)
    model = judge_content(machine, asking.entry.kind, sent)[1]
    proof = {"revision": local.revision, "source": local.source, "first_seen": local.first_seen}
    return asking.accept(sent, model, "send", f"sent from {local.path}", proof)


def send(asking: Asking, local: ReadyAsset) -> Tree:
    """Send a checked asset of this machine; the tree there, which has the same hash. Raises ``InfrastructureError``."""
    asking.register(asking.path, "downloading")
    return send_tree(asking.machine, Path(local.path), asking.path, local.tree_sha256, local.bytes)


def _not_whole(work: Acquisition, path: str, problems: list[Problem]) -> RefusedError:
    remedy = f"move {path} away and fetch it again, or repair it and run autoresearch assets verify {work.asking.key}"
    return work.refuse("V105", value=path, rule=f"is not whole: {tell(problems)}", remedy=remedy)


def _needed(work: Acquisition) -> RefusedError:
    entry, registry = work.asking.entry, work.asking.file.registry
    hubs = [f"{hub}: {entry.sources[hub].id}" for hub in registry.priority(entry)] or ["no hub is named"]
    size = f"{entry.size_gb:g} GB" if entry.size_gb is not None else "of unknown size"
    return work.refuse(
        "V105",
        value=entry.canonical_id,
        rule=f"is not ready and nothing is asked offline ({'; '.join(work.reasons)})",
        remedy=f"needed at {work.asking.path}: {size} from {', '.join(hubs)}; run this without --offline (a dry run "
        "asks no hub either), or copy it there and register it: autoresearch assets register "
        f"{work.asking.key} --server {work.machine.server} --path {work.asking.path}",
    )


def _give_up(work: Acquisition) -> ReadyAsset:
    raise work.refuse(
        "V105",
        value=work.asking.entry.canonical_id,
        rule=f"could not be had: {'; '.join(work.reasons)}",
        remedy="run this again when a hub can be reached; what was loaded is kept. Or copy it there and use "
        "autoresearch assets register",
    )
