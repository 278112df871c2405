"""The header of a release parquet file: the settings and digests that a validator, a trainer and a gate read first
(3.10).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import BaseModel, ConfigDict, ValidationError

from autoresearch.files import strict_json_loads

METADATA_KEY = b"autoresearch"
NATIVE_TOOL_TRAJECTORY_FORMAT = "qwen3.5-native-tools-v2"
TWO_STAGE_PROMPTS = "two-stage-1"
NATIVE_PROMPTS = "native-1"
BOTH_PROMPTS = "native-1+two-stage-1"
SPLITS = ("train", "val", "test")

Family = Literal["three-message", "trajectory", "rl-pairs", "sft-mixture", "rl-cascade"]
Split = Literal["train", "val", "test"]

FORMAT_OF_FAMILY: dict[str, str] = {
    "three-message": "autoresearch-three-message-v1",
    "sft-mixture": "autoresearch-three-message-v1",
    "trajectory": "autoresearch-tool-trajectory-v1",
    "rl-pairs": "autoresearch-rl-pairs-v1",
    "rl-cascade": "autoresearch-rl-cascade-v1",
}
PROMPT_VERSIONS_OF_FAMILY: dict[str, tuple[str, ...]] = {
    "three-message": (TWO_STAGE_PROMPTS,),
    "sft-mixture": (TWO_STAGE_PROMPTS,),
    "trajectory": (NATIVE_PROMPTS,),
    "rl-pairs": (BOTH_PROMPTS, TWO_STAGE_PROMPTS),
    "rl-cascade": (NATIVE_PROMPTS,),
}
MIXTURES = ("sft-mixture", "rl-cascade")
"""Families made from another release."""


class ReleaseHeader(BaseModel):
    """What a release was made with. Stored in each parquet file (with ``split``) and repeated in the report
    (without).
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    format: str
    """The release format, one for each shape of rows."""
    family: Family
    dataset: str
    split: Split | None = None
    """Set in a parquet file, absent in the report."""
    prompt_version: str
    trajectory_format: str | None
    """``qwen3.5-native-tools-v2``, or null where no native prompt is in the file."""
    enable_thinking: bool
    """The one thinking switch of the release (5.1)."""
    class_policy: Literal["search", "hash"] | None
    candidate_policy: Literal["hard_negatives", "gold_first4"] | None
    metadata_fields: list[str]
    task_name: str
    levels: list[str]
    """Least sensitive first; empty when the release is not graded."""
    gt_field: str | None
    max_think_tokens: int | None
    """Cap of the terminal thought (trajectories), else null."""
    registry_sha256: str
    corpus_sha256: str
    task_sha256: str
    grading_sha256: str | None
    tools_sha256: str | None

    @property
    def graded(self) -> bool:
        """True when rows carry a level."""
        return self.grading_sha256 is not None

    def with_split(self, split: str) -> ReleaseHeader:
        """The same header for one parquet file."""
        return ReleaseHeader.model_validate({**self.model_dump(), "split": split})

    def without_split(self) -> dict[str, Any]:
        """The header as the report repeats it."""
        return self.model_dump(exclude={"split"})

    def schema_metadata(self, split: str) -> dict[bytes, bytes]:
        """The Arrow schema metadata of the parquet file of ``split``."""
        text = json.dumps(self.with_split(split).model_dump(), ensure_ascii=False, sort_keys=True)
        return {METADATA_KEY: text.encode("utf-8")}


def header_of_schema(schema: pa.Schema) -> ReleaseHeader:
    """The header inside an Arrow schema. Raises ``ValueError`` when there is none or it is not one of ours."""
    text = (schema.metadata or {}).get(METADATA_KEY)
    if text is None:
        raise ValueError("the parquet file carries no `autoresearch` header")
    try:
        return ReleaseHeader.model_validate(strict_json_loads(text.decode("utf-8")))
    except ValidationError as error:
        first = error.errors()[0]
        raise ValueError(f"header: {'.'.join(map(str, first['loc']))}: {first['msg']}") from error


def read_header(path: Path) -> ReleaseHeader:
    """Read the header of one parquet file. Raises ``ValueError`` as ``header_of_schema``, or when the file is no
    parquet.
    """
    try:
        schema = pq.read_schema(path)
    except (OSError, pa.ArrowException) as error:
        raise ValueError(f"{path.name} is not a readable parquet file: {error}") from error
    return header_of_schema(schema)
