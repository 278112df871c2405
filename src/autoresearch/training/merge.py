"""From a sharded checkpoint to a model folder (training.md 5.8).

verl's own merger makes the folder, in bfloat16, which is all it can write. A model that was trained from float32
weights keeps float32: the shards are joined once more without rounding, must give verl's tensors when rounded, and
replace them. Then every tensor is checked, the folder is loaded again, and its logits are compared with those of the
shards.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autoresearch.errors import InfrastructureError, InputError, RefusedError
from autoresearch.files import read_json, staging, tree_sha256, write_json
from autoresearch.progress import bar
from autoresearch.training.checkpoints import (
    Checkpoint,
    base_tensors,
    checkpoint_steps,
    read_checkpoint,
    require_undamaged,
    whole_tensors,
)
from autoresearch.training.merge_record import merge_record, train_counts
from autoresearch.training.model_folder import read_model_folder, shard_names
from autoresearch.training.plan import MODEL_EXCLUDE, Plan, read_plan
from autoresearch.training.plan_facts import require_stack

if TYPE_CHECKING:
    from torch import Tensor

LOGIT_ROWS = 8
TOLERANCE = {"bfloat16": 2e-2, "float32": 1e-4}
MERGER_SECONDS = 3600
COPIED = ("preprocessor_config.json", "processor_config.json", "video_preprocessor_config.json", "tiny.json")
"""Files of the start model that verl's merger does not write; vLLM wants the processor's for the image-text class."""


def merge_run(run: Path, out: Path, *, step: int | None = None, dtype: str | None = None) -> dict[str, Any]:
    """Merge the checkpoint of ``step`` (default: the last one) into ``out``; returns ``merge.json``.

    ``dtype`` is ``float32`` or ``bfloat16``; by default that of the start model. Raises ``RefusedError`` when ``out``
    is taken or the checkpoint is incomplete, ``InputError`` when a shard is damaged, ``InfrastructureError`` when the
    merger or a check fails; nothing is left then.
    """
    require_stack()
    plan, digest = read_plan(run / "plan.json")
    checkpoint = find_checkpoint(run, step, plan.kind)
    require_undamaged(checkpoint)
    base = read_model_folder(Path(plan.paths["model"]))
    kept = dtype or ("float32" if base.dtype == "float32" else "bfloat16")
    if kept not in TOLERANCE:
        raise InputError(f"--dtype {kept}: float32 or bfloat16")
    try:
        with staging(out) as folder, bar("train merge", 5, "steps") as shown:
            run_merger(checkpoint, folder, plan)
            shown.advance(1, "merged by verl")
            fold_adapter(checkpoint, folder, base.path)
            if kept == "float32":
                restore_float32(checkpoint, folder)
            shown.advance(1, "weights")
            for name in COPIED:
                if (base.path / name).is_file() and not (folder / name).exists():
                    shutil.copyfile(base.path / name, folder / name)
            check_tensors(checkpoint, folder)
            shown.advance(1, "tensors")
            difference = logit_difference(checkpoint, folder, plan)
            if not difference <= TOLERANCE[kept]:
                raise InfrastructureError(
                    f"logits of the merged model differ by {difference:.3e} from the checkpoint's, "
                    f"more than {TOLERANCE[kept]:g} for {kept}"
                )
            shown.advance(1, "logits")
            tree = tree_sha256(folder, MODEL_EXCLUDE)
            record = merge_record(run, plan, digest, checkpoint, folder, kept, tree, difference, train_counts(plan))
            write_json(folder / "merge.json", record)
            shown.advance(1, "published")
    except FileExistsError as error:
        raise RefusedError(f"{error}; give another --out") from error
    return record


def find_checkpoint(run: Path, step: int | None, kind: str) -> Checkpoint:
    """The asked checkpoint, complete. Raises ``RefusedError`` naming what it lacks."""
    steps = checkpoint_steps(run)
    if not steps:
        raise InputError(f"{run} has no checkpoint")
    checkpoint = read_checkpoint(run, steps[-1] if step is None else step, kind)
    if not checkpoint.complete:
        raise RefusedError(f"{checkpoint.folder} is not complete: {', '.join(checkpoint.missing)}")
    return checkpoint


def run_merger(checkpoint: Checkpoint, target: Path, plan: Plan) -> None:
    """``python -m verl.model_merger`` in a process of its own. Raises ``InfrastructureError`` with its last line."""
    command = [plan.argv[0], "-m", "verl.model_merger", "merge", "--backend", "fsdp"]
    command += ["--local_dir", str(checkpoint.weights), "--target_dir", str(target)]
    environment = {key: value for key, value in plan.environment.items() if "{" not in value}
    try:
        done = subprocess.run(
            command,
            env={**os.environ, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=MERGER_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InfrastructureError(f"verl's merger could not run: {error}") from error
    if done.returncode != 0:
        last = (done.stdout.strip().splitlines() or ["no message"])[-1]
        raise InfrastructureError(f"verl's merger failed with exit code {done.returncode}: {last}")


def fold_adapter(checkpoint: Checkpoint, folder: Path, base: Path) -> None:
    """A LoRA run leaves an adapter beside the base weights: fold it in float32 and keep one model.

    verl's merger rounds the adapter too, so its tensors are taken from the shards again.
    """
    adapter = folder / "lora_adapter"
    if not adapter.is_dir():
        return
    import torch
    from peft import PeftModel
    from safetensors.torch import save_file

    exact = {
        name.replace(".default.weight", ".weight"): tensor.float().contiguous()
        for name, tensor in whole_tensors(checkpoint)
        if "lora_" in name
    }
    rounded = dict(base_tensors(adapter, ("adapter_model.safetensors",)))
    if rounded.keys() != exact.keys():
        raise InfrastructureError("verl's merger wrote an adapter with other tensors than the checkpoint holds")
    save_file(exact, str(adapter / "adapter_model.safetensors"), metadata={"format": "pt"})
    model = PeftModel.from_pretrained(load_model(base, torch.float32), str(adapter)).merge_and_unload()
    shutil.rmtree(adapter)
    for name in shard_names(folder):
        (folder / name).unlink()
    (folder / "model.safetensors.index.json").unlink(missing_ok=True)
    model.save_pretrained(str(folder))


def load_model(folder: Path, dtype: Any) -> Any:
    """The model of a folder for computing logits: its own class, where its kernels run."""
    from transformers import AutoConfig, AutoModelForCausalLM, AutoModelForImageTextToText

    config = AutoConfig.from_pretrained(str(folder), local_files_only=True)
    images = "ForConditionalGeneration" in (config.architectures or [""])[0]
    kind = AutoModelForImageTextToText if images else AutoModelForCausalLM
    return kind.from_pretrained(str(folder), dtype=dtype, local_files_only=True).eval().to(kernel_place())


def kernel_place() -> str:
    """``cuda`` where flash-linear-attention is installed beside a card, for its kernels refuse the processor."""
    import torch

    return "cuda" if find_spec("fla") is not None and torch.cuda.is_available() else "cpu"


def restore_float32(checkpoint: Checkpoint, folder: Path) -> None:
    """Replace the rounded tensors by the shards' float32 ones, after checking that rounding gives what verl wrote."""
    import torch
    from safetensors.torch import save_file

    names = shard_names(folder)
    exact = trained_tensors(checkpoint)
    for shard in names:
        replaced: dict[str, Tensor] = {}
        for name, rounded in base_tensors(folder, (shard,)):
            if name not in exact:
                if rounded.dtype == torch.float32:
                    replaced[name] = rounded  # folded from an adapter, in float32 already
                    continue
                raise InfrastructureError(f"{name} of the merged model is not in the checkpoint")
            if rounded.dtype != torch.float32 and not torch.equal(exact[name].bfloat16(), rounded):
                raise InfrastructureError(f"{name}: verl's merger wrote other values than the checkpoint holds")
            replaced[name] = rounded if rounded.dtype == torch.float32 else exact[name].float().contiguous()
        save_file(replaced, str(folder / shard), metadata={"format": "pt"})
        (folder / shard).chmod(0o644)
    config = read_json(folder / "config.json")
    for place in (config, config.get("text_config") or {}):
        for key in ("dtype", "torch_dtype"):
            if key in place:
                place[key] = "float32"
    write_json(folder / "config.json", config)


def trained_tensors(checkpoint: Checkpoint) -> dict[str, Tensor]:
    """The checkpoint's tensors under the names of a model folder; adapter tensors left out."""
    found = {}
    for name, tensor in whole_tensors(checkpoint):
        if "lora_" not in name:
            plain = name.replace("base_model.model.", "").replace(".base_layer.", ".")
            found[plain] = tensor
    return found


def check_tensors(checkpoint: Checkpoint, folder: Path) -> None:
    """Every tensor of the checkpoint is in the folder (tied ones may be left out) and none beside. Raises otherwise."""
    config = read_json(folder / "config.json")
    tied = bool(config.get("tie_word_embeddings") or (config.get("text_config") or {}).get("tie_word_embeddings"))
    wanted = set(trained_tensors(checkpoint))
    have = {name for name, _ in base_tensors(folder, shard_names(folder))}
    lacking = {name for name in wanted - have if not (tied and name.endswith("lm_head.weight"))}
    if lacking or have - wanted:
        parts = [f"lacks {', '.join(sorted(lacking)[:3])}"] if lacking else []
        parts += [f"also holds {', '.join(sorted(have - wanted)[:3])}"] if have - wanted else []
        raise InfrastructureError(f"the merged model {' and '.join(parts)}")


def logit_difference(checkpoint: Checkpoint, folder: Path, plan: Plan) -> float:
    """Largest difference of the logits of eight rows between the merged folder and the shards in float32."""
    import torch

    rows = token_rows(Path(plan.paths["release"]), str(plan.release_header["family"]), folder, plan.thinking)
    merged = load_model(folder, torch.float32)
    found = [_logits(merged, ids) for ids in rows]
    if not any("lora_" in name for name, _ in whole_tensors(checkpoint)):
        # The same class is filled anew from the shards, so that a tensor lost on the way to the folder shows.
        state = {name: tensor.float() for name, tensor in whole_tensors(checkpoint)}
        for parameter in merged.parameters():
            parameter.data.zero_()
        merged.load_state_dict(state, strict=True)
    else:
        merged = _with_adapter(checkpoint, Path(plan.paths["model"]), plan)
    wanted = [_logits(merged, ids) for ids in rows]
    return max(float((one - two).abs().max()) for one, two in zip(found, wanted, strict=True))


def _with_adapter(checkpoint: Checkpoint, base: Path, plan: Plan) -> Any:
    import torch
    from peft import LoraConfig, get_peft_model

    settings = plan.settings
    config = LoraConfig(
        r=int(settings["lora"]),
        lora_alpha=int(settings["lora_alpha"]),
        target_modules="all-linear",
        task_type="CAUSAL_LM",
    )
    model = get_peft_model(load_model(base, torch.float32), config)
    model.load_state_dict({name: tensor.float() for name, tensor in whole_tensors(checkpoint)}, strict=True)
    return model.eval()


def _logits(model: Any, ids: Sequence[int]) -> Tensor:
    import torch

    with torch.no_grad():
        output = model(input_ids=torch.tensor([list(ids)], device=model.device))
    return torch.as_tensor(output.logits[0].float().cpu())


def token_rows(release: Path, family: str, model: Path, thinking: bool) -> list[list[int]]:
    """Token ids of the first eight train rows: whole conversations, or RL prompts."""
    from autoresearch.releases.release import Release
    from autoresearch.task import conversation
    from autoresearch.task.tools import tool_schemas
    from autoresearch.training.rendering import load_tokenizer

    tokenizer = load_tokenizer(model)
    rows = Release(release).split_rows("train").slice(0, LOGIT_ROWS).to_pylist()
    if family == "rl-cascade":
        return [conversation.prompt_ids(tokenizer, row["prompt"], tool_schemas(), thinking) for row in rows]
    return [list(conversation.encode(tokenizer, conversation.decode_row(row)).input_ids) for row in rows]
