"""What the rows of geometry3k read: the model on the host, the dataset prepared here and sent (4.3, 16)."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from autoresearch.cases.geo3k_data import (
    Prepared,
    load_scorer,
    overlong,
    prepare,
    reward_selftest,
    truths,
)
from autoresearch.cases.planned import DataFacts, model_facts
from autoresearch.cases.prompt_length import processor_length
from autoresearch.cli.verl_case.inputs import Inputs
from autoresearch.errors import InfrastructureError, RefusedError
from autoresearch.files import read_json, sha256_text, strict_json_loads
from autoresearch.findings import finding

if TYPE_CHECKING:
    from autoresearch.assets.placing import ReadyAsset
    from autoresearch.cli.verl_case.call import CaseRun
    from autoresearch.hosts.protocol import Host

WEIGHTS = ("*.safetensors", "*.bin", "*.pt", "*.gguf", "*.onnx")
READ_HERE = 64 << 20
"""Files of a model above this stay where they are: tokenizer, template and processor are smaller."""


def geo3k_inputs(call: CaseRun, host: Host) -> Inputs:
    """Model ready on the host, data prepared, tested and counted here, and sent.

    Raises ``InputError`` (a row that cannot be used), ``RefusedError`` (V104 to V108, V230).
    """
    require_group(call.config.verl_case.group_size)
    model, dataset = _assets(call, host)
    cache = Path(call.config.verl_case.cache_root).expanduser()
    prepared = _prepared(Path(dataset.path), cache / "prepared" / f"geometry3k-{dataset.tree_sha256[:16]}")
    answers = {split: truths(prepared.folder / f"{split}.parquet") for split in ("train", "val")}
    found = reward_selftest([*answers["train"], *answers["val"]], load_scorer())
    if found:
        raise RefusedError("\n".join(item.message() for item in found), found)
    here = _readable(call, host, model)
    length, limit = processor_length(here), call.config.verl_case.input_tokens
    target = str(prepared.folder)
    if host.kind != "local":
        target = f"{host.workdir}/autoresearch/inputs/{prepared.folder.name}"
        if not call.options.dry_run:
            host.put(prepared.folder, target)
    config = strict_json_loads((host.read_small(f"{model.path}/config.json") or b"{}").decode("utf-8"))
    template = here / "chat_template.jinja"
    container = call.config.server(host.name).container == "docker"
    return Inputs(
        model=model_facts(config if isinstance(config, dict) else {}, model.model.parameters if model.model else 0),
        data=DataFacts(
            len(answers["train"]),
            len(answers["val"]),
            overlong(prepared.file("train"), length, limit),
            overlong(prepared.file("val"), length, limit),
        ),
        model_id=call.config.verl_case.model_id,
        model_path=model.path,
        train_file=f"{target}/train.parquet",
        val_file=f"{target}/val.parquet",
        read_only=(model.path, target) if container else (),
        assets=tuple({**each.as_lock(), "place": _place(each)} for each in (model, dataset)),
        prompt={
            "chat_template_sha256": sha256_text(template.read_text(encoding="utf-8")) if template.is_file() else None,
            "data_sha256": dict(prepared.sha256),
        },
        reward={"name": "geo3k"},
    )


def require_group(size: int) -> None:
    """V201 before anything is fetched: the rows would all be refused."""
    if size < 2:
        rule = "GRPO and RLOO need n >= 2: a group of one has no baseline"
        item = finding("V201", place="verl_case.group_size", value=str(size), rule=rule, remedy="the least is 2")
        raise RefusedError(item.message(), [item])


def _place(asset: ReadyAsset) -> str:
    return "local" if asset.server == "local" else f"remotes.{asset.server}"


def _assets(call: CaseRun, host: Host) -> tuple[ReadyAsset, ReadyAsset]:
    """The model on the host and the dataset here, by the order of section 16."""
    from autoresearch.assets.acquire import acquire
    from autoresearch.assets.placing import AssetLog
    from autoresearch.assets.registry import open_registry
    from autoresearch.hosts.asset_machine import asset_machine
    from autoresearch.hosts.config import LOCAL, Server, find_config
    from autoresearch.hosts.local import LocalHost
    from autoresearch.hosts.rows import ensure_runner

    options, case = call.options, call.config.verl_case
    file = open_registry(options.data_config, find_config(options.config))
    note = file.note()
    if note is not None:
        call.result.warnings.append(note)
    defaults, port = file.registry.defaults, call.config.network.remote_proxy_port
    online = not options.offline
    own = Server(name=LOCAL, kind="local")
    with LocalHost(LOCAL, str(call.archive.parent / "here")) as place:
        local = asset_machine(place, own, ensure_runner(place, call.archive), defaults, port, online=online)
        there = local
        if host.kind != "local" or host.name != LOCAL:
            runner = ensure_runner(host, call.archive)
            there = asset_machine(host, call.config.server(host.name), runner, defaults, port, online=online)
        log = AssetLog(call.asset_log)
        get = partial(acquire, file, log=log, offline=options.offline, verify=options.verify_assets)
        model = get(case.model_id, there, sender=None if there.here else local)
        return model, get(case.dataset_id, local)


def _prepared(dataset: Path, folder: Path) -> Prepared:
    """The prepared files, made once for each state of the dataset."""
    known = folder / "prepared.json"
    if known.is_file():
        content = read_json(known)
        return Prepared(folder, content["rows"], content["sha256"])
    folder.parent.mkdir(parents=True, exist_ok=True)
    return prepare(dataset, folder)


def _readable(call: CaseRun, host: Host, model: ReadyAsset) -> Path:
    """The model's small files on this machine: tokenizer, template, processor."""
    if host.kind == "local":
        return Path(model.path)
    folder = Path(call.config.verl_case.cache_root).expanduser() / "tokenizers" / model.tree_sha256[:16]
    host.get_tree(model.path, folder, exclude=WEIGHTS, max_bytes=READ_HERE)
    if not (folder / "config.json").is_file():
        raise InfrastructureError(f"{host.name}: {model.path} gave no config.json")
    return folder
