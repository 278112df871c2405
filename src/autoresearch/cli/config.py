"""``autoresearch config``: the JSON Schemas of all file formats, and whether a file of the user's own is valid
(data-line.md 3.0.6, 7.6); the config of servers, shown without secrets, which go into the keyring (formal-case.md 3).
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import App, Parameter

from autoresearch.cli.outcome import Outcome
from autoresearch.errors import InputError

app = App(name="config", help="Write, check and show configs and standards; schemas of all formats; secrets.")

SERVER_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")
Kind = Literal["registry", "corpus", "classification", "grading", "task", "datasets", "mapping", "manifest"]


@app.command
def schemas(*, out: Annotated[Path, Parameter(name=["--out", "--output-dir"])]) -> Outcome:
    """Write the JSON Schema of every file format as NAME.json.

    Example: autoresearch config schemas --out docs/schemas
    """
    from autoresearch.cli.formats import write_schemas

    return Outcome({"output": str(out), **write_schemas(out)})


@app.command
def init(
    *,
    folder: Annotated[Path, Parameter(name="--dir")] = Path("config"),
    kind: Literal["ssh", "local"] = "ssh",
    server: str = "npu-a",
) -> Outcome:
    """Write config.yaml and data.yaml, commented, with places that you fill in. Nothing is ever overwritten.

    Example: autoresearch config init --server npu-a

    Parameters
    ----------
    folder
        Folder of the two files.
    kind
        ssh: one server, whose places are to be filled in; local: this machine, nothing has to be filled in.
    server
        Name of the server in both files.
    """
    from autoresearch.assets.settings import read_yaml, unfilled_places
    from autoresearch.cli.config_files import write_files

    if not SERVER_NAME.fullmatch(server):
        raise InputError(f"--server {server!r}: a server's name has letters, digits, _ . and -, at most 64")
    paths = write_files(folder, kind, server)
    empty = [f"{path}: {where}" for path in paths for where, _ in unfilled_places(read_yaml(path))]
    after = [f"autoresearch check config --config {paths[0]}", f"autoresearch check all --config {paths[0]}"]
    return Outcome({"files": [str(path) for path in paths], "fill_in": empty, "next": after})


@app.command
def validate(*files: Path, kind: Kind | None = None) -> Outcome:
    """Say of each file whether it is valid: registry, corpus, classification and grading standard, task, datasets,
    mapping, manifest; exit 1 if one is not.

    A registry and a corpus given together are checked against each other.

    Example: autoresearch config validate steel.registry.json steel.corpus.json steel.grading.json
    """
    from autoresearch.cli.input_files import judge_files, summary

    if not files:
        raise InputError("validate: give at least one file")
    judged = judge_files(files, kind)
    for item in judged:
        if item.error is not None:
            print(f"validate: {item.path}: {item.error.message}", file=sys.stderr)
    found = summary(judged)
    return Outcome(dict(found), 0 if found["valid"] else 1)


@app.command
def show(*, config: Path | None = None) -> Outcome:
    """Show the config as it is understood: servers, network, services, the case; defaults filled in, secrets as
    references.

    Example: autoresearch config show --config config/config.yaml

    Parameters
    ----------
    config
        The config file; by default $AUTORESEARCH_CONFIG, then ./config/config.yaml, then the defaults: this machine.
    """
    from autoresearch.cases.config import load_case
    from autoresearch.hosts.config import find_config

    place = find_config(config)
    content = load_case(config).model_dump(mode="json")
    return Outcome({"file": str(place) if place is not None else None, "config": content})


@app.command
def secret(name: str, *, delete: bool = False) -> Outcome:
    """Store a secret in the system keyring under a name; the config then holds <keyring:NAME>.

    The secret is asked for without echo, or read from standard input when that is no terminal. It is never an argument.

    Example: autoresearch config secret npu-a

    Parameters
    ----------
    name
        Name of the secret, as in <keyring:NAME>.
    delete
        Remove it instead.
    """
    from autoresearch.assets.settings import KEYRING_SERVICE, SecretRef
    from autoresearch.errors import require

    try:
        reference = SecretRef(f"<keyring:{name}>")
    except ValueError as error:
        raise InputError(f"config secret {name!r}: a name has letters, digits, _ . @ / and -") from error
    keyring = require("keyring", "hosts")
    try:
        if delete:
            keyring.delete_password(KEYRING_SERVICE, name)
        else:
            keyring.set_password(KEYRING_SERVICE, name, _asked_secret(name))
    except keyring.errors.KeyringError as error:
        raise InputError(f"the system keyring does not take it ({error}); use <env:VAR> in the config") from error
    return Outcome({"reference": str(reference), "stored": not delete})


def _asked_secret(name: str) -> str:
    import getpass

    value = getpass.getpass(f"{name}: ") if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")
    if not value:
        raise InputError(f"config secret {name}: nothing was given; type it, or pipe it in")
    return value
