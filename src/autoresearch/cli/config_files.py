"""The two files of ``config init``: the shipped examples with places to be filled in (formal-case.md 2, 3).

What only the user knows stands in the written files as ``<fill in: …>``; whoever reads the file refuses such a value by
its place (V113). Everything else is the example's default with its comment.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Literal

from autoresearch.errors import InputError, RefusedError

Kind = Literal["ssh", "local"]
NAMES = ("config.yaml", "data.yaml")
HEADS = {
    "config.yaml": (
        "# <keyring:NAME>",
        "# Servers, local services, the formal case. Fill in each <…>; `autoresearch check config` reads it.\n"
        "# Secrets are references, never values:\n",
    ),
    "data.yaml": (
        "version: 1",
        "# Models and datasets, and the machines that hold them. `autoresearch assets list` shows it.\n",
    ),
}
"""Where the example's own head ends, and the head in its place."""
LOCAL_SERVERS = "servers: []                               # this machine; `config init --kind ssh` shows a server\n\n"
FILL_IN = (
    ("host: npu-a.example\n", 'host: "<fill in: name or address, or a Host of your ssh config>"\n'),
    ("user: trainer\n", 'user: "<fill in: login user there>"\n'),
    ("workdir: /srv/autoresearch            #", 'workdir: "<fill in: folder for rows and inputs, absolute>"  #'),
    ("image: registry.example/verl:0.9.1    #", 'image: "<fill in: image with verl 0.9.1>"  #'),
)
ROOT = ("remote_root: /srv/autoresearch-assets", 'remote_root: "<fill in: folder for models and datasets, absolute>"')
REMOTES = "# remotes: {{{server}: {{path: /…, status: planned}}}}  # each machine that has it"


def _template(name: str) -> str:
    text = (files("autoresearch.cli") / "templates" / name).read_text(encoding="utf-8")
    end, head = HEADS[name]
    return head + text[text.index(end) :]


def _replaced(text: str, old: str, new: str) -> str:
    assert text.count(old) == 1, f"the template has no {old!r}"
    return text.replace(old, new)


def _between(text: str, start: str, end: str) -> str:
    """The part of a template from ``start`` up to ``end``, without it."""
    return text[text.index(start) : text.index(end)]


def config_text(kind: Kind, server: str) -> str:
    """``config.yaml``: one server with its places to be filled in, or this machine."""
    text = _template("config.yaml")
    if kind == "local":
        return _replaced(text, _between(text, "servers:", "network:"), LOCAL_SERVERS)
    text = _replaced(text, "accelerator: ascend", "accelerator: auto  ")
    for old, new in FILL_IN:
        text = _replaced(text, old, new)
    return text.replace("npu-a", server)


def data_text(kind: Kind, server: str) -> str:
    """``data.yaml``: the assets of the shipped tasks, on no machine yet."""
    text = _template("data.yaml")
    remotes = _between(text, "remotes:\n", "  datasets:\n").rstrip()
    text = _replaced(text, remotes, REMOTES.format(server=server))
    return text if kind == "local" else _replaced(text, *ROOT)


def write_files(folder: Path, kind: Kind, server: str) -> list[Path]:
    """Write both files. Raises ``RefusedError`` when one is there; then nothing is written."""
    paths = [folder / name for name in NAMES]
    there = [str(path) for path in paths if path.exists() or path.is_symlink()]
    if there:
        raise RefusedError(
            f"{', '.join(there)}: there already, and nothing is ever overwritten; edit it, move it away, or give "
            "another --dir"
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, text in zip(paths, (config_text(kind, server), data_text(kind, server)), strict=True):
            with path.open("x", encoding="utf-8", newline="\n") as handle:
                handle.write(text)
    except OSError as error:
        raise InputError(f"{folder} cannot be written ({error.strerror or error}); give another --dir") from error
    return paths
