"""``autoresearch services``: local services for live views (formal-case.md 10.6)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cyclopts import App

from autoresearch.cli.outcome import Outcome

if TYPE_CHECKING:
    from autoresearch.hosts.local_services import Health

app = App(name="services", help="Local services for live views: W&B, Prometheus, Pushgateway, Grafana.")


def _answer(found: list[Health], **more: object) -> Outcome:
    up = all(each.up for each in found)
    return Outcome({"ok": up, "services": [each.as_dict() for each in found], **more}, 0 if up else 1)


@app.command(name="status")
def status_command(*, config: Path | None = None) -> Outcome:
    """Ask every service whether it is up. Exit 0 all are, 1 one is not.

    Example: autoresearch services status

    Parameters
    ----------
    config
        The config file; by default $AUTORESEARCH_CONFIG, then ./config/config.yaml, then the default ports.
    """
    from autoresearch.hosts.config import load
    from autoresearch.hosts.local_services import ask_all

    return _answer(ask_all(load(config).services))


@app.command(name="start")
def start_command(*, config: Path | None = None, images: Path | None = None, dir: Path | None = None) -> Outcome:
    """Start the services with docker compose and wait until they answer. Images are started by digest only.

    Example: autoresearch services start --images images.yaml

    Parameters
    ----------
    config
        The config file; the ports are those of its URLs.
    images
        YAML with an image for each of wandb, prometheus, pushgateway, grafana, as name@sha256:digest; by default
        images.yaml of the folder.
    dir
        Where compose files and dashboards are written; ~/autoresearch-data/services by default.
    """
    from autoresearch.hosts.config import load
    from autoresearch.hosts.local_services import FOLDER, start

    folder = (dir or FOLDER).expanduser().resolve()
    return _answer(start(load(config).services, images, folder), folder=str(folder))


@app.command(name="stop")
def stop_command(*, config: Path | None = None, dir: Path | None = None) -> Outcome:
    """Stop the services and remove their containers; what they stored stays.

    Example: autoresearch services stop

    Parameters
    ----------
    config
        The config file.
    dir
        The folder that they were started from; ~/autoresearch-data/services by default.
    """
    from autoresearch.hosts.config import load
    from autoresearch.hosts.local_services import FOLDER, stop

    folder = (dir or FOLDER).expanduser().resolve()
    stop(load(config).services, folder)
    return Outcome({"ok": True, "folder": str(folder), "stopped": ["wandb", "prometheus", "pushgateway", "grafana"]})
