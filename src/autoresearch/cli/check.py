"""``autoresearch check``: is everything there that a run needs (formal-case.md 2)."""

from __future__ import annotations

from pathlib import Path

from cyclopts import App

from autoresearch.cli.outcome import Outcome

app = App(name="check", help="Is everything there that a run needs.")


@app.command(name="services")
def services_command(*, config: Path | None = None) -> Outcome:
    """Are W&B, Prometheus, Pushgateway and Grafana up. A service that is down is a warning: live views only.

    Example: autoresearch check services

    Parameters
    ----------
    config
        The config file; by default $AUTORESEARCH_CONFIG, then ./config/config.yaml, then the default ports.
    """
    from autoresearch.hosts.config import load
    from autoresearch.hosts.local_services import check_services

    found = check_services(load(config).services)
    return Outcome(found, 0 if found["ok"] else 1)
