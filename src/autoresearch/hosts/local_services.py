"""The local services for live views: are they up, start them, stop them (formal-case.md 2, 10.6). Never a precondition.

The compose files lie in ``hosts/services``; ``start`` copies them to a folder of the user, writes the generated
dashboards beside them and calls ``docker compose``. Ports come from the config, images by digest only.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from autoresearch.assets.settings import Settings, build_settings, read_yaml
from autoresearch.errors import InfrastructureError, InputError, RefusedError
from autoresearch.files import atomic_write_text, json_text
from autoresearch.hosts.config import Services

FILES = Path(__file__).with_name("services")
FOLDER = Path("~/autoresearch-data/services")
HEALTH = {"wandb": "/ready", "prometheus": "/-/healthy", "pushgateway": "/-/healthy", "grafana": "/api/health"}
LOOPBACK = ("127.0.0.1", "localhost", "::1")
DIGEST = re.compile(r"[a-z0-9][a-z0-9._:/-]*@sha256:[0-9a-f]{64}\Z")
TIMEOUT_SECONDS = 3.0
UP_SECONDS = 90.0


class Images(Settings):
    """``images.yaml``: the image that each service runs, as ``name@sha256:<digest>``."""

    wandb: str
    prometheus: str
    pushgateway: str
    grafana: str


@dataclass(frozen=True)
class Health:
    """What one service answered: ``status`` is the HTTP status, null when nothing answered; ``error`` says why."""

    name: str
    url: str
    up: bool
    status: int | None
    error: str | None
    elapsed_ms: int

    def as_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return dict(vars(self))


def service_urls(services: Services) -> dict[str, str]:
    """Service -> URL of the config."""
    return {name: getattr(services, name).url for name in HEALTH}


def ask(name: str, url: str, timeout: float = TIMEOUT_SECONDS) -> Health:
    """Ask one service at its health address, without the proxies of the environment. Never raises for its sake."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    began = time.monotonic()
    status, error = None, None
    try:
        with opener.open(url + HEALTH[name], timeout=timeout) as answer:
            status = int(answer.status)
    except urllib.error.HTTPError as refused:
        status, error = refused.code, f"HTTP {refused.code}"
    except (OSError, ValueError) as trouble:
        error = str(getattr(trouble, "reason", trouble))
    elapsed = int((time.monotonic() - began) * 1000)
    return Health(name, url, status is not None and 200 <= status < 300, status, error, elapsed)


def ask_all(services: Services, timeout: float = TIMEOUT_SECONDS) -> list[Health]:
    """The health of all four, asked at once."""
    with ThreadPoolExecutor(len(HEALTH)) as pool:
        return list(pool.map(lambda pair: ask(pair[0], pair[1], timeout), service_urls(services).items()))


def check_services(services: Services) -> dict[str, Any]:
    """The check result of capability 2 (formal-case.md 2.1). A service that is down is a warning: live views only."""
    began = time.monotonic()
    found = ask_all(services)
    down = [each for each in found if not each.up]
    message = "all services answer"
    if down:
        reasons = "; ".join(f"{each.name} at {each.url}: {each.error}" for each in down)
        message = f"{reasons}. Live views of these stay empty, the bundle does not; autoresearch services start"
    return {
        "id": "services",
        "ok": True,
        "severity": "warn" if down else "ok",
        "message": message,
        "data": {each.name: each.as_dict() for each in found},
        "findings": [],
        "elapsed_ms": int((time.monotonic() - began) * 1000),
    }


def read_images(path: Path | None, folder: Path) -> Images:
    """Images of ``path``, else of ``images.yaml`` in ``folder``, else the shipped ones. Raises ``InputError``, or
    ``RefusedError`` when one is not pinned by digest."""
    own = folder / "images.yaml"
    place = path or (own if own.is_file() else FILES / "images.yaml")
    images = build_settings(Images, read_yaml(place), place.name)
    loose = [f"{name}: {image}" for name, image in images if not DIGEST.match(image)]
    if loose:
        raise RefusedError(
            f"{place}: {', '.join(loose)}: an image is started by digest only, as name@sha256:…; docker pull it, read "
            f"docker image inspect --format '{{{{index .RepoDigests 0}}}}' NAME, and write that into {own} or into a "
            "file given with --images"
        )
    return images


def ports(services: Services) -> dict[str, int]:
    """Service -> port on this machine. Raises ``InputError`` for a service that the config has elsewhere."""
    found = {}
    for name, url in service_urls(services).items():
        parts = urlsplit(url)
        if parts.hostname not in LOOPBACK or parts.path not in ("", "/"):
            raise InputError(
                f"services.{name}.url: {url!r} is not on this machine; services are started on 127.0.0.1 only: start "
                "that one where it is, or give a loopback URL"
            )
        found[name] = parts.port or (443 if parts.scheme == "https" else 80)
    return found


def write_folder(folder: Path) -> list[str]:
    """Copy the compose files into ``folder`` and write the dashboards beside them; names of what was written."""
    from autoresearch.telemetry.dashboards import dashboards

    written = []
    for path in sorted(FILES.rglob("*.yaml")):
        name = path.relative_to(FILES).as_posix()
        if name != "images.yaml":
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            atomic_write_text(folder / name, path.read_text(encoding="utf-8"))
            written.append(name)
    (folder / "dashboards").mkdir(exist_ok=True)
    for name, board in dashboards().items():
        atomic_write_text(folder / "dashboards" / name, json_text(board))
        written.append(f"dashboards/{name}")
    return written


def _compose(folder: Path, words: list[str], more: dict[str, str]) -> None:
    if shutil.which("docker") is None:
        raise InputError(
            "docker is not on the PATH; install Docker with its compose plug-in, or start the services by hand"
        )
    argv = ["docker", "compose", "--file", str(folder / "compose.yaml"), "--project-directory", str(folder), *words]
    said: deque[str] = deque(maxlen=20)
    with subprocess.Popen(
        argv,
        env={**os.environ, **more},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as child:
        assert child.stdout is not None
        for line in child.stdout:  # pulling an image takes minutes: what docker says is shown as it comes
            print(line, end="", file=sys.stderr, flush=True)
            said.append(line.strip())
    if child.returncode != 0:
        raise InfrastructureError(f"{' '.join(argv)}: exit code {child.returncode}: {' '.join(said)[-1000:]}")


def _variables(services: Services, images: dict[str, str]) -> dict[str, str]:
    found = {f"AR_{name.upper()}_PORT": str(port) for name, port in ports(services).items()}
    return {**found, **{f"AR_{name.upper()}_IMAGE": image for name, image in images.items()}}


def start(services: Services, images_file: Path | None, folder: Path, up_seconds: float = UP_SECONDS) -> list[Health]:
    """Start all four and wait until they answer, at most ``up_seconds``; their health.

    Raises ``RefusedError`` for an image without digest, ``InputError``, ``InfrastructureError`` when docker fails.
    """
    variables = _variables(services, read_images(images_file, folder).model_dump())
    folder.mkdir(parents=True, exist_ok=True)
    write_folder(folder)
    _compose(folder, ["up", "--detach"], variables)
    until = time.monotonic() + up_seconds
    while True:
        found = ask_all(services)
        if all(each.up for each in found) or time.monotonic() > until:
            return found
        time.sleep(1)


def stop(services: Services, folder: Path) -> None:
    """Stop and remove the containers; their volumes stay. Raises ``InputError`` when nothing was started from
    ``folder``, ``InfrastructureError`` when docker fails."""
    if not (folder / "compose.yaml").is_file():
        raise InputError(f"{folder} holds no compose.yaml: nothing was started from there; give the folder with --dir")
    _compose(folder, ["down"], _variables(services, dict.fromkeys(HEALTH, "unused")))
