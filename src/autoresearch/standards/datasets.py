"""The dataset configs: how labels of each source resolve to leaves (data-line.md 3.4)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from autoresearch.standards.loading import Strict, load
from autoresearch.standards.mapping import LEVEL_FIELDS

DATASET_NAME = re.compile(r"[a-z][a-z0-9_]{0,31}")
REMEDY = "correct the dataset config (data format: datasets)"


class DatasetSettings(Strict):
    """How the labels of one source resolve. ``identity_fields`` defaults to all path fields."""

    leaf_level: str = "level_4"
    id_strategy: Literal["path", "code"] = "path"
    path_fields: tuple[str, ...] = LEVEL_FIELDS
    identity_fields: tuple[str, ...] = ()
    placeholder_labels: tuple[str, ...] = ()
    registry_source: str | None = None
    projection_excluded_category_ids: tuple[str, ...] = ()
    registry_derivation: Literal["standard", "shared-standard", "dataset-universe"] = "standard"

    @field_validator("path_fields", "identity_fields", "projection_excluded_category_ids")
    @classmethod
    def _unique(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if len(set(value)) != len(value):
            raise ValueError("an entry stands twice")
        return value

    @model_validator(mode="after")
    def _consistent(self) -> DatasetSettings:
        if not self.path_fields or any(name not in LEVEL_FIELDS for name in self.path_fields):
            raise ValueError(f"path_fields must be of {' '.join(LEVEL_FIELDS)} and not empty")
        if self.leaf_level not in self.path_fields:
            raise ValueError(f"leaf_level {self.leaf_level!r} is not one of path_fields")
        if self.identity_fields and (
            self.leaf_level not in self.identity_fields or not set(self.identity_fields) <= set(self.path_fields)
        ):
            raise ValueError("identity_fields must be path fields and contain leaf_level")
        if self.registry_derivation == "shared-standard" and self.registry_source is None:
            raise ValueError("registry_derivation shared-standard needs registry_source")
        return self

    @property
    def identity(self) -> tuple[str, ...]:
        """The fields whose texts make the category id under the path strategy."""
        return self.identity_fields or self.path_fields


class DatasetConfig(DatasetSettings):
    """One source of fields."""

    dataset: str

    @field_validator("dataset")
    @classmethod
    def _name(cls, value: str) -> str:
        if not DATASET_NAME.fullmatch(value):
            raise ValueError(f"{value!r} is no dataset name: a-z first, then a-z 0-9 _, at most 32")
        return value

    @model_validator(mode="after")
    def _not_its_own_source(self) -> DatasetConfig:
        if self.registry_source == self.dataset:
            raise ValueError("registry_source names the dataset itself")
        return self


ConfigList = Annotated[tuple[DatasetConfig, ...], Field(min_length=1)]


class DatasetsFile(Strict):
    """A dataset config file that is an object: settings by dataset name, or an array of configs."""

    datasets: Annotated[dict[str, DatasetSettings | None], Field(min_length=1)] | ConfigList


DatasetsContent = DatasetsFile | ConfigList
"""What a dataset config file may hold: the object, or the bare array of configs."""


def _named(name: str, config: Any) -> dict[str, Any]:
    """A config that stands under its dataset's name; it may be null, and may say the name again."""
    if not isinstance(config, dict | None):
        raise ValueError(f"datasets.{name}: a config is an object")
    named = {"dataset": name, **(config or {})}
    if named["dataset"] != name:
        raise ValueError(f"datasets.{name}: the config names another dataset, {named['dataset']!r}")
    return named


def _parse(obj: Any) -> dict[str, DatasetConfig]:
    items = obj.get("datasets") if isinstance(obj, dict) else obj
    if isinstance(items, dict):
        items = [_named(name, config) for name, config in items.items()]
    if not isinstance(items, list) or not items:
        raise ValueError("at least one dataset is needed: an object 'datasets', or an array of configs")
    configs = [DatasetConfig.model_validate(item) for item in items]
    by_name = {config.dataset: config for config in configs}
    if len(by_name) != len(configs):
        raise ValueError("a dataset stands twice")
    return by_name


def load_datasets(path: str | Path) -> dict[str, DatasetConfig]:
    """Load and validate a dataset config file; ``InputError`` F030."""
    return load(Path(path), "F030", _parse, REMEDY)
