"""Every private name of verl and transformers that this program touches, with the source it was checked against.

A seam is found by parsing the installed file, so checking imports neither verl nor torch. Its fingerprint is the sha256
of its source text, signature included (training.md 2.5).
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from autoresearch.errors import RefusedError

VERL_VERSIONS = ("0.9.1",)


@dataclass(frozen=True)
class Seam:
    """One name: the file below its package, the dotted name in it (empty: the whole file), and what it is used for."""

    package: str
    file: str
    name: str
    used_for: str
    sha256: str

    @property
    def title(self) -> str:
        module = f"{self.package}.{self.file.removesuffix('.py').replace('/', '.')}"
        return f"{module}:{self.name}" if self.name else f"{self.package}/{self.file}"


@dataclass(frozen=True)
class SeamState:
    """What was found for a seam; `found` is None where the file or the name is gone."""

    seam: Seam
    found: str | None

    @property
    def same(self) -> bool:
        return self.found == self.seam.sha256


_LOOP = "experimental/agent_loop/agent_loop.py"
_TOOL_LOOP = "experimental/agent_loop/tool_agent_loop.py"
_REPLAY = "trainer/ppo/v1/replay_buffer.py"
_DISTRIBUTED = "utils/distributed.py"
_FSDP = "workers/engine/fsdp/transformer_impl.py"

DELTA_RULE = Seam(
    "transformers",
    "models/qwen3_5/modeling_qwen3_5.py",
    "torch_chunk_gated_delta_rule",
    "faster delta rule on CPU",
    "70c5fbcca74b52b8da19ea77b7ef1d53dcf42ecf8565d7e11b732bec298da78c",
)
SEAMS: tuple[Seam, ...] = (
    Seam(
        "verl",
        "workers/rollout/base.py",
        "_ROLLOUT_REGISTRY",
        "replica adapter",
        "2b002a789a1e2fe5b5f87feb1ace979980f077d51e88cda13f92c4ecf7443960",
    ),
    Seam(
        "verl",
        "utils/tokenizer/continuous_token_wiring.py",
        "_MODEL_TYPE_TO_FAMILY",
        "turn boundaries",
        "f01ee822f2b68143457c3d2f97d21fa84212e46d7827c78cb387c9d5f64739ae",
    ),
    Seam(
        "verl",
        _DISTRIBUTED,
        "initialize_global_process_group",
        "gloo",
        "c0dcd8ce78be8d832148d570cad848afe305478a7a8ad4b396ccb12973b58aa9",
    ),
    Seam(
        "verl",
        _DISTRIBUTED,
        "initialize_global_process_group_ray",
        "gloo",
        "e9ec517a0089c3c5e6917f28bdd2f55bf493b452aa70fd85c7c17bd12a3e485f",
    ),
    Seam(
        "verl",
        _FSDP,
        "FSDPEngine._build_fsdp_module",
        "CPU reference model",
        "6855699967a0ec5e9996f42f240405f7fa19ac04ee3d15b9af5367d21f0994f1",
    ),
    Seam(
        "verl",
        _TOOL_LOOP,
        "ToolAgentLoop.__init__",
        "task loop",
        "71eec5ec9a583254584a5899470bf1b81564d4054f375a71d3f2e4ce67b93426",
    ),
    Seam(
        "verl",
        _TOOL_LOOP,
        "ToolAgentLoop.run",
        "task loop",
        "319ba4e58723056ceb717fa1b5a19acc8a369a0d28b3504a6b734cde69de297d",
    ),
    Seam(
        "verl",
        _TOOL_LOOP,
        "ToolAgentLoop._handle_generating_state",
        "task loop",
        "b3715bef59e064bb380783e2d377af4db51ef62ac20922534223b26491844ac7",
    ),
    Seam(
        "verl",
        _TOOL_LOOP,
        "ToolAgentLoop._handle_processing_tools_state",
        "task loop",
        "acf632e06ff6003978b7a403385b0b1023031915777e30acd8a9c3ed9141afff",
    ),
    Seam(
        "verl",
        _TOOL_LOOP,
        "ToolAgentLoop._call_tool",
        "task loop (a tool's failure is no tool text)",
        "4d3d0fc5afe8f6a27db0244e5edb8bc550d4483a176d817bfe7ab00083be0bf7",
    ),
    Seam(
        "verl",
        _TOOL_LOOP,
        "AgentData",
        "task loop (extra_fields)",
        "94e2ee12af7522fe308b33c4c657feac958a07a1ee2185b6d156f538dbeec7fa",
    ),
    Seam(
        "verl",
        _LOOP,
        "DictConfigWrap",
        "in-process runner",
        "a787a79109a266aa5bfb242ae92bb41ef3d17cb6bfe6cf0bfdb52e7186b5a436",
    ),
    Seam(
        "verl",
        _LOOP,
        "ToolListWrap",
        "in-process runner",
        "c83bfccde44be2f78ceb10c4ac40446b57b95b1eec441f8b9efc87eceeb4409d",
    ),
    Seam(
        "verl",
        _LOOP,
        "AgentLoopBase.__init__",
        "in-process runner",
        "90e1947e62b855d865fc96c6e1d4320608ebb9531e65cd8194197523b83e5535",
    ),
    Seam(
        "verl",
        "trainer/config/ppo_trainer.yaml",
        "",
        "in-process runner",
        "ed69bccbb903018a1b742a9776f01f259ea920f931dfa6f44030de7fc16996cb",
    ),
    Seam(
        "verl",
        _REPLAY,
        "ReplayBuffer.__init__",
        "strict sampler (failure_keys)",
        "9c5830425e298eaa815efbb31040ffcff878fdc7c447e7cb82389839c242124a",
    ),
    Seam(
        "verl",
        _REPLAY,
        "ReplayBuffer._materialize_batch",
        "strict sampler",
        "ee811eb53021abd8cd7d09df02f977f05d8c0af78a28aff4151f73e4374cee9d",
    ),
    Seam(
        "verl",
        _REPLAY,
        "FILTER_GROUPS_REWARD_METRIC",
        "strict sampler (constant groups dropped)",
        "c1f82a21f9d1eb6d9d60227bf177cbf13ec79a0050ee23e9ba9689412ab105a2",
    ),
    Seam(
        "verl",
        "tools/schemas.py",
        "OpenAIFunctionPropertySchema",
        "tool schemas",
        "563251775470fc16d2aeff9e1ccaa88fc65dadf2551a00d19012743f735664ea",
    ),
    Seam(
        "verl",
        "workers/utils/losses.py",
        "sft_loss",
        "answer weight",
        "8fdbf32ecac6b28220dc747340cc1e2c2e7f1594d2830d8069eba1bebe2fcc1e",
    ),
    Seam(
        "verl",
        "utils/torch_functional.py",
        "masked_sum",
        "answer weight",
        "7529be2132ba6bd7bffabde42a6b05ed8cfa03a9f3386c09febdf2e65d3c2fea",
    ),
)


def verl_version() -> str | None:
    """The installed version of verl, None where there is none."""
    try:
        return metadata.version("verl")
    except metadata.PackageNotFoundError:
        return None


def fingerprint(seam: Seam) -> str | None:
    """The sha256 of the seam's source as installed; None where package, file or name is absent."""
    spec = importlib.util.find_spec(seam.package)
    if spec is None or not spec.submodule_search_locations:
        return None
    path = Path(next(iter(spec.submodule_search_locations))) / seam.file
    if not path.is_file():
        return None
    text = path.read_text(encoding="utf-8")
    if seam.name:
        found = _segment(text, seam.name)
        if found is None:
            return None
        text = found
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def matches(seam: Seam) -> bool:
    """True where the installed source is the one that was checked."""
    return fingerprint(seam) == seam.sha256


def check() -> list[SeamState]:
    """All seams of verl with what is installed."""
    return [SeamState(seam, fingerprint(seam)) for seam in SEAMS]


def require_checked() -> None:
    """Raise RefusedError with the list of differences unless verl is a checked version with unchanged seams."""
    version = verl_version()
    lines = [
        f"  {state.seam.title} ({state.seam.used_for}): expected {state.seam.sha256[:12]}, "
        f"found {state.found[:12] if state.found else 'nothing'}"
        for state in check()
        if not state.same
    ]
    if version not in VERL_VERSIONS or lines:
        wanted = ", ".join(VERL_VERSIONS)
        head = f"verl {version or 'is not installed'}: checked is {wanted}; install verl=={VERL_VERSIONS[-1]}."
        raise RefusedError(
            "\n".join([head, *(["Names that differ from the checked source:", *lines] if lines else [])])
        )


def _segment(text: str, dotted: str) -> str | None:
    body: list[ast.stmt] = ast.parse(text).body
    node: ast.stmt | None = None
    for part in dotted.split("."):
        node = next((statement for statement in body if part in _names(statement)), None)
        if node is None:
            return None
        body = getattr(node, "body", [])
    return ast.get_source_segment(text, node) if node is not None else None


def _names(statement: ast.stmt) -> list[str]:
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [statement.name]
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    return [target.id for target in targets if isinstance(target, ast.Name)]
