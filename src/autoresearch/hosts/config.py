"""``config.yaml`` without its case: servers, network, services and log (formal-case.md 3.1).

``cases/config.py`` derives from ``Config`` and gives ``verl_case`` its form; here that part is passed over unread.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, model_validator

from autoresearch.assets.settings import (
    SecretRef,
    Settings,
    build_settings,
    public_url,
    read_yaml,
    require_settings,
    secret_refs,
)
from autoresearch.errors import InputError

CONFIG_VARIABLE = "AUTORESEARCH_CONFIG"
DEFAULT_PLACE = Path("config/config.yaml")
LOCAL = "local"
LOCAL_WORKDIR = "~/autoresearch-data/host"
ROW_VARIABLES = frozenset(
    {
        "PYTHONUNBUFFERED",
        "PYTHONPATH",
        "PYTHONDONTWRITEBYTECODE",
        "RAY_DEDUP_LOGS",
        "RAY_TMPDIR",
        "RAY_EXPERIMENTAL_NOSET_ASCEND_RT_VISIBLE_DEVICES",
        "RAY_EXPERIMENTAL_NOSET_CUDA_VISIBLE_DEVICES",
        "ASCEND_RT_VISIBLE_DEVICES",
        "CUDA_VISIBLE_DEVICES",
        "HF_HOME",
        "HF_DATASETS_CACHE",
        "HF_HUB_OFFLINE",
        "TOKENIZERS_PARALLELISM",
        "WANDB_MODE",
        "WANDB_DIR",
        "WANDB_PROJECT",
        "WANDB_RUN_ID",
        "WANDB_NAME",
        "WANDB_RESUME",
        "VERL_FILE_LOGGER_PATH",
        "VERL_PLATFORM",
        "VLLM_VERSION",
    }
)
"""Set by the case itself (section 7); a server's ``env`` may not override them."""
HUB_TOKENS = frozenset({"HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "MODELSCOPE_API_TOKEN", "WANDB_API_KEY"})
"""Never passed to a row."""


def _http(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("a URL begins with http:// or https:// and names a host")
    if parts.username or parts.password:
        raise ValueError("a URL holds no user and no password")
    return url.rstrip("/")


def _proxy(url: str) -> str:
    return _http(public_url(url)) if url else url


HttpUrl = Annotated[str, AfterValidator(_http)]
Port = Annotated[int, Field(ge=1, le=65535)]


class Server(Settings):
    """One machine that may run rows."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]{1,64}$")]
    kind: Literal["local", "ssh"] = "ssh"
    host: str | None = None
    """Name, address, or a ``Host`` of the user's ssh config, whose jump hosts, ports and identities are honoured."""
    port: Port | None = None
    """Default: that of the ssh config, else 22."""
    user: str | None = None
    identity_file: str | None = None
    password: SecretRef | None = None
    host_key: Annotated[str, Field(pattern=r"^SHA256:[A-Za-z0-9+/]{43}=?$")] | None = None
    """Fingerprint as ``ssh-keygen -l`` prints it; without it the user's ``known_hosts`` must hold the key."""
    workdir: str = ""
    """Absolute on an ssh host; ``~/autoresearch-data/host`` on this machine by default."""
    accelerator: Literal["auto", "ascend", "nvidia", "cpu"] = "auto"
    container: Literal["docker", "none"] = "none"
    image: str | None = None
    mounts: tuple[str, ...] = ()
    """Extra paths of the host that the container sees read-only."""
    env: dict[str, str] = Field(default_factory=dict)
    """Added to rows."""

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if self.kind == "ssh" and not self.host:
            raise ValueError("an ssh server needs the key host")
        if self.kind == "ssh" and not self.workdir.startswith("/"):
            raise ValueError("an ssh server needs workdir, an absolute path on the host")
        if self.container == "docker" and not self.image:
            raise ValueError("container: docker needs the key image")
        fixed = sorted(set(self.env) & (ROW_VARIABLES | HUB_TOKENS))
        if fixed:
            raise ValueError(f"env may not set {', '.join(fixed)}: the case sets it, or it is no business of a row")
        return self


class Network(Settings):
    """The proxy here, the port it gets on hosts, and what is tried to be reached."""

    proxy_url: Annotated[str, AfterValidator(_proxy)] = "http://127.0.0.1:7890"
    """Empty: no proxy. User and password are dropped."""
    remote_proxy_port: Port = 17892
    targets: tuple[Literal["modelscope", "huggingface", "github"], ...] = ("modelscope", "huggingface", "github")


class Wandb(Settings):
    """The local W&B server."""

    url: HttpUrl = "http://127.0.0.1:8080"
    remote_port: Port = 17890


class Prometheus(Settings):
    """The local Prometheus."""

    url: HttpUrl = "http://127.0.0.1:9090"


class Pushgateway(Settings):
    """The local Pushgateway and the port that hosts see it at."""

    url: HttpUrl = "http://127.0.0.1:9091"
    remote_port: Port = 17891


class Grafana(Settings):
    """The local Grafana."""

    url: HttpUrl = "http://127.0.0.1:3000"


class Services(Settings):
    """Local services: live views only, never a precondition."""

    wandb: Wandb = Wandb()
    prometheus: Prometheus = Prometheus()
    pushgateway: Pushgateway = Pushgateway()
    grafana: Grafana = Grafana()


class Log(Settings):
    """How the orchestrator logs."""

    level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    format: Literal["text", "json"] = "text"


class Config(Settings):
    """The whole file; ``verl_case`` is read by ``cases/config.py``."""

    version: Literal[1] = 1
    lang: Literal["zh", "en"] | None = None
    servers: tuple[Server, ...] = ()
    network: Network = Network()
    services: Services = Services()
    log: Log = Log()
    verl_case: Any = None

    @model_validator(mode="after")
    def _unique(self) -> Self:
        names = [server.name for server in self.servers]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"two servers are named {twice[0]}; a name stands once")
        return self

    def candidates(self) -> list[Server]:
        """The servers in order; one implied ``local`` where there is none."""
        return list(self.servers) or [Server(name=LOCAL, kind="local")]

    def server(self, name: str) -> Server:
        """The server of that name. Raises ``InputError`` with the names that exist."""
        for each in self.candidates():
            if each.name == name:
                return each
        names = ", ".join(each.name for each in self.candidates())
        raise InputError(f"--server {name}: the config has no such server; it has {names}")

    def secrets(self) -> list[SecretRef]:
        """Every secret reference of the file, each once."""
        return list(dict.fromkeys(secret_refs(self)))


def find_config(given: Path | None = None) -> Path | None:
    """``given``, else ``$AUTORESEARCH_CONFIG``, else ``./config/config.yaml``; None when there is none of the last.

    Raises ``InputError`` (V112) for a file that was named and is not there.
    """
    if given is not None:
        return require_settings(given, "--config")
    named = os.environ.get(CONFIG_VARIABLE)
    if named:
        return require_settings(Path(named), CONFIG_VARIABLE)
    return DEFAULT_PLACE if DEFAULT_PLACE.is_file() else None


def load(path: Path | None = None) -> Config:
    """Read the config by the search order of section 3; without any file the defaults hold (this machine).

    Raises ``InputError`` (V101, V102, V112, or the value and its rule).
    """
    place = find_config(path)
    return Config() if place is None else build_settings(Config, read_yaml(place), place.name)
