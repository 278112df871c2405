"""What the rows of geometry3k read: the model on the host, the dataset prepared here and sent (4.3, 16)."""

from __future__ import annotations

import importlib.metadata
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autoresearch.cases.geo3k_data import (
    SPLITS,
    Prepared,
    load_scorer,
    overlong,
    prepare,
    prompt_lengths,
    read_prepared,
    reward_file,
    reward_selftest,
    truths,
)
from autoresearch.cases.grade_again import grade_again
from autoresearch.cases.planned import DataFacts, model_facts
from autoresearch.cases.prompt_length import prompt_counter
from autoresearch.cases.remembered import remembered
from autoresearch.cli.verl_case.inputs import Inputs
from autoresearch.errors import InfrastructureError, RefusedError
from autoresearch.files import sha256_file, sha256_text, strict_json_loads
from autoresearch.findings import finding

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from autoresearch.assets.placing import ReadyAsset
    from autoresearch.cli.verl_case.call import CaseRun
    from autoresearch.evidence.case_bundle import CaseBundle
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
    prepared = _prepared(call, dataset)
    answers = {split: truths(prepared.file(split)) for split in SPLITS}
    _test_reward(call, prepared, [*answers["train"], *answers["val"]])
    here = _readable(call, host, model)
    counted = _count(call, prepared, model, here)
    limit = call.config.verl_case.input_tokens
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
            overlong(counted["train"], limit),
            overlong(counted["val"], limit),
        ),
        model_id=call.config.verl_case.model_id,
        model_path=model.path,
        train_file=f"{target}/train.parquet",
        val_file=f"{target}/val.parquet",
        read_only=(model.path, target) if container else (),
        assets=tuple({**each.as_lock(), "place": _place(each)} for each in (model, dataset)),
        prompt={
            "chat_template_sha256": sha256_text(template.read_text(encoding="utf-8")) if template.is_file() else None,
            "enable_thinking": counted["thinking"],
            "data_sha256": dict(prepared.sha256),
        },
        reward={"name": "geo3k", "sha256": sha256_file(reward_file())},
    )


def _memory(call: CaseRun) -> Path:
    """Prepared data, and what was found out about it."""
    return Path(call.config.verl_case.cache_root).expanduser() / "prepared"


def _prepared(call: CaseRun, dataset: ReadyAsset) -> Prepared:
    """The prepared files, made once for each state of the dataset."""
    folder = _memory(call) / f"geometry3k-{dataset.tree_sha256[:16]}"
    found = read_prepared(folder)
    if found is not None:
        return found
    folder.parent.mkdir(parents=True, exist_ok=True)
    return prepare(Path(dataset.path), folder)


def _test_reward(call: CaseRun, prepared: Prepared, answers: list[str]) -> None:
    """The reward's self-test; one that held is remembered. Raises ``RefusedError`` (V230)."""

    def test() -> int:
        found = reward_selftest(answers, load_scorer())
        if found:
            raise RefusedError("\n".join(item.message() for item in found), found)
        return len(answers)

    facts = {"data": dict(prepared.sha256), "reward": sha256_file(reward_file()), "mathruler": _version("mathruler")}
    remembered(_memory(call), "reward-tested", facts, test)


def _count(call: CaseRun, prepared: Prepared, model: ReadyAsset, here: Path) -> dict[str, Any]:
    """``{train, val, thinking}``: tokens of each prompt, and what the template does when nobody says."""

    def count() -> dict[str, Any]:
        counter = prompt_counter(here)
        found: dict[str, Any] = {"thinking": counter.thinking}
        for split in SPLITS:
            found[split] = prompt_lengths(prepared.file(split), counter.length)
        return found

    versions = {name: _version(name) for name in ("transformers", "torchvision", "pillow")}
    facts = {"data": dict(prepared.sha256), "model": model.tree_sha256, "versions": versions}
    found: dict[str, Any] = remembered(_memory(call), "prompt-lengths", facts, count)
    return found


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


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
    if options.local_proxy_url is not None:
        defaults = defaults.model_copy(update={"proxy_url": call.config.network.proxy_url})
    online = not options.offline and not options.dry_run  # a dry run fetches nothing
    own = Server(name=LOCAL, kind="local")
    with LocalHost(LOCAL, str(call.archive.parent / "here")) as place:
        local = asset_machine(place, own, ensure_runner(place, call.archive), defaults, port, online=online)
        there = local
        if host.kind != "local" or host.name != LOCAL:
            runner = ensure_runner(host, call.archive)
            there = asset_machine(host, call.config.server(host.name), runner, defaults, port, online=online)
        log = AssetLog(call.asset_log)
        get = partial(acquire, file, log=log, offline=not online, verify=options.verify_assets)
        model = get(case.model_id, there, sender=None if there.here else local)
        return model, get(case.dataset_id, local)


def _readable(call: CaseRun, host: Host, model: ReadyAsset) -> Path:
    """The model's small files on this machine: tokenizer, template, processor."""
    if host.kind == "local":
        return Path(model.path)
    folder = Path(call.config.verl_case.cache_root).expanduser() / "tokenizers" / model.tree_sha256[:16]
    host.get_tree(model.path, folder, exclude=WEIGHTS, max_bytes=READ_HERE)
    if not (folder / "config.json").is_file():
        raise InfrastructureError(f"{host.name}: {model.path} gave no config.json")
    return folder


def with_grades(bundle: CaseBundle, observe: Callable[[], Mapping[str, Any]]) -> dict[str, Any]:
    """What the run sees at its end, and its dumps graded again by the reward that is installed here (14)."""
    reader = bundle.writer.bundle()
    dumps = {
        f"{row}/{folder}/{path.name}": path
        for row in reader.rows()
        for folder in ("validation", "rollouts")
        for path in sorted((reader.row_folder(row) / folder).glob("*.jsonl"))
    }
    found = grade_again(dumps)
    return {**observe(), "graded_again": found.as_dict(), "findings": [item.as_dict() for item in found.findings]}
