"""Models and datasets: where they are, whether they are whole, and how they come to a host.

In come the asset registry of a config and the answers of the hubs; out go verified places with tree hashes. Never used
before it was hashed, never stored here above the local size limit, never fetched when the user said offline.

What others use:

* ``registry.open_registry(data_config, config) -> RegistryFile``: ``data.yaml`` as it is, and what was read.
* ``machine.Machine``: a ``Place`` with runner, hub clients and proxy; ``hosts.asset_machine.asset_machine`` makes it of
  an open host.
* ``acquire.acquire(file, name, machine, sender=…, log=…, offline=…, verify=…) -> ReadyAsset``: the asset step of a run.
  ``ReadyAsset.as_lock()`` is what a lock keeps of it; ``placing.AssetLog(path)`` writes ``assets.log.jsonl``.
* ``sending.keep_tree(machine, source, path, tree_sha256, size)``: a folder of this machine on another, hashed there.
* ``register.register``, ``register.verify``, ``register.list_places``; ``discover.discover``.
"""
