"""The flags of ``run verl-case`` (formal-case.md 20.3), and the config that they give."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from autoresearch.errors import InputError

if TYPE_CHECKING:
    from autoresearch.cases.config import CaseConfig


@dataclass(frozen=True)
class CaseOptions:
    """What the command line said; None: the config's value holds."""

    config: Path | None = None
    data_config: Path | None = None
    server: str | None = None
    workdir: str | None = None
    cache_root: str | None = None
    artifact_root: str | None = None
    run_id: str | None = None
    timeout: int | None = None
    pushgateway_url: str | None = None
    prometheus_url: str | None = None
    local_proxy_url: str | None = None
    remote_proxy_port: int | None = None
    allow_git_push: bool = False
    skip_readiness: bool = False
    reuse_container: str | None = None
    resume: bool = False
    collect_only: bool = False
    seal: bool = False
    rerun: str | None = None
    verify_assets: bool = False
    offline: bool = False
    dry_run: bool = False
    open: bool = False
    lang: Literal["zh", "en"] | None = None

    def check(self) -> None:
        """Flags that need one another. Raises ``InputError``."""
        for flag, wanted, given in (
            ("--resume", "--run-id", self.run_id),
            ("--collect-only", "--run-id", self.run_id),
        ):
            if getattr(self, flag[2:].replace("-", "_")) and not given:
                raise InputError(f"{flag} needs {wanted}: which run")
        if self.rerun and not self.resume:
            raise InputError("--rerun needs --resume --run-id: one more attempt of a run that is there")
        if self.seal and not self.collect_only:
            raise InputError("--seal needs --collect-only: a run that ends by itself is sealed by itself")
        if self.dry_run and self.continues:
            raise InputError("--dry-run shows a new run; leave out --resume and --collect-only")

    @property
    def continues(self) -> bool:
        """The run is there already."""
        return self.resume or self.collect_only

    def overrides(self) -> dict[str, Any]:
        """What the flags change of the config; recorded in the run."""
        names = ("workdir", "cache_root", "artifact_root", "timeout", "pushgateway_url", "prometheus_url")
        more = ("local_proxy_url", "remote_proxy_port", "reuse_container")
        return {name: value for name in (*names, *more) if (value := getattr(self, name)) is not None}


def load_config(options: CaseOptions) -> CaseConfig:
    """The config with the flags' values in it. Raises ``InputError`` as the config does."""
    from autoresearch.assets.settings import build_settings, require_settings
    from autoresearch.cases.config import CaseConfig, load_case

    if options.data_config is not None:
        require_settings(options.data_config, "--data-config")
    found = load_case(options.config)
    changes = _changes(options, found)
    if not changes:
        return found
    content = _merged(found.model_dump(exclude_unset=True), changes)
    return build_settings(CaseConfig, content, "the command line")


def _changes(options: CaseOptions, config: CaseConfig) -> dict[str, Any]:
    case = {
        "cache_root": options.cache_root,
        "artifact_root": options.artifact_root,
        "row_timeout_seconds": options.timeout,
        "reuse_container": options.reuse_container,
    }
    found: dict[str, Any] = {"verl_case": {name: value for name, value in case.items() if value is not None}}
    services = {"pushgateway": options.pushgateway_url, "prometheus": options.prometheus_url}
    found["services"] = {name: {"url": url} for name, url in services.items() if url is not None}
    network = {"proxy_url": options.local_proxy_url, "remote_proxy_port": options.remote_proxy_port}
    found["network"] = {name: value for name, value in network.items() if value is not None}
    if options.workdir is not None:
        own = [each.model_dump(exclude_unset=True) for each in config.candidates()]
        found["servers"] = [{**each, "workdir": options.workdir} for each in own]
    return {name: value for name, value in found.items() if value}


def _merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    found = dict(below)
    for name, value in above.items():
        before = found.get(name)
        if isinstance(before, Mapping) and isinstance(value, Mapping):
            value = _merged(before, value)
        found[name] = value
    return found
