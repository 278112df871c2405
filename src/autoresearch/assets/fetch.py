"""Ask a hub for a commit and its files, or download a snapshot: the only place where the hub clients are imported
(formal-case.md 16, "Clients").

A program of its own, so that it can also be sent to a host and run inside its container image: the standard library,
``huggingface_hub`` and ``modelscope_hub`` (the client that ``modelscope`` itself uses since 1.38; it needs no torch),
Python 3.8 grammar, nothing else of this package. It prints one JSON object;
exit code 1 with ``{"error", "kind"}`` where ``kind`` is ``no-client``, ``not-there``, ``refused`` or ``failed``.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import sys
from pathlib import Path
from typing import Any, Callable  # noqa: UP035 - Python 3.8 on hosts

WORKERS = 4
COMMIT = re.compile(r"^[0-9a-f]{40}$")
CLIENT_FOLDER = ".client"
"""Where the clients keep locks and caches while they download; below the target, so that nothing lies elsewhere."""
ENDPOINTS = {"huggingface": "HF_ENDPOINT", "modelscope": "MODELSCOPE_ENDPOINT"}


def prepare_environment(hub: str, endpoint: str | None, proxy: str | None, folder: Path | None) -> None:
    """Set what the clients read when they are imported. Xet is off: plain HTTP resumes and goes through proxies."""
    if endpoint:
        os.environ[ENDPOINTS[hub]] = endpoint
    if proxy:
        for name in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"):
            os.environ[name] = proxy
    os.environ.update(HF_HUB_DISABLE_TELEMETRY="1", HF_HUB_DISABLE_XET="1", HF_HUB_DISABLE_PROGRESS_BARS="1")
    if folder is not None:
        os.environ["HF_HUB_CACHE"] = str(folder / CLIENT_FOLDER / "huggingface")
        os.environ["MODELSCOPE_CACHE"] = str(folder / CLIENT_FOLDER / "modelscope")


def ask_huggingface(kind: str, repo: str, revision: str | None) -> dict[str, Any]:
    """Commit and files of a repository on Hugging Face; a file in Git LFS has a sha256."""
    from huggingface_hub import HfApi, __version__

    info = HfApi().repo_info(repo, repo_type=kind, revision=revision, files_metadata=True)
    files = []
    for item in info.siblings or []:
        sha256 = item.lfs["sha256"] if isinstance(item.lfs, dict) else getattr(item.lfs, "sha256", None)
        files.append({"path": item.rfilename, "bytes": item.size, "sha256": sha256})
    return {"commit": info.sha, "files": files, "client": f"huggingface_hub {__version__}"}


def get_huggingface(kind: str, repo: str, revision: str, folder: Path) -> None:
    """Snapshot of a commit into ``folder``; a file that is there is not loaded again.

    A broken answer goes on by a range request; a file that another process began is begun again (the client's choice).
    """
    from huggingface_hub import snapshot_download

    snapshot_download(repo, repo_type=kind, revision=revision, local_dir=folder, max_workers=WORKERS)


def ask_modelscope(kind: str, repo: str, revision: str | None) -> dict[str, Any]:
    """Commit and files of a repository on ModelScope, which gives each file's sha256 and its last commit.

    The commit of the whole is the newest of these, if the listing at it is the same; else None.
    """
    from modelscope_hub import HubApi, __version__

    legacy = HubApi().legacy

    def listing(at: str) -> tuple[list[dict[str, Any]], str | None]:
        items = [item for item in legacy.list_repo_files(repo, kind, revision=at) if item.get("Type") != "tree"]
        newest: dict[str, Any] = max(items, key=lambda item: item.get("CommittedDate") or 0, default={})
        files = [
            {"path": item["Path"], "bytes": item.get("Size"), "sha256": item.get("Sha256") or None} for item in items
        ]
        return sorted(files, key=lambda file: str(file["path"])), newest.get("Revision")

    wanted = revision or "master"
    files, newest = listing(wanted)
    commit = wanted if COMMIT.match(wanted) else None
    if commit is None and newest and COMMIT.match(newest) and listing(newest)[0] == files:
        commit = newest
    return {"commit": commit, "files": files, "client": f"modelscope_hub {__version__}"}


def get_modelscope(kind: str, repo: str, revision: str, folder: Path) -> None:
    """As ``get_huggingface``; a file that another process began goes on."""
    from modelscope_hub import HubApi

    HubApi().download_repo(repo, kind, revision=revision, local_dir=folder, max_workers=WORKERS)


ASK: dict[str, Callable[[str, str, str | None], dict[str, Any]]] = {
    "huggingface": ask_huggingface,
    "modelscope": ask_modelscope,
}
GET: dict[str, Callable[[str, str, str, Path], None]] = {
    "huggingface": get_huggingface,
    "modelscope": get_modelscope,
}


def tidy(folder: Path) -> None:
    """Remove what the clients keep beside the files: locks, caches, records of the download."""
    for name in (CLIENT_FOLDER, ".cache", "._____temp"):
        shutil.rmtree(str(folder / name), ignore_errors=True)
    for name in (".msc", ".mv", ".mdl"):
        (folder / name).unlink(missing_ok=True)


def kind_of(error: BaseException) -> str:
    """Why a client failed, by the names of its exceptions and the status of the answer."""
    names = {each.__name__ for each in type(error).__mro__}
    status = getattr(getattr(error, "response", None), "status_code", None)
    if isinstance(error, ImportError):
        return "no-client"
    if names & {"RepositoryNotFoundError", "RevisionNotFoundError", "NotExistError"} or status == 404:
        return "not-there"
    if names & {"GatedRepoError", "AuthenticationError", "PermissionDeniedError"} or status in (401, 403):
        return "refused"
    return "failed"


def main(arguments: list[str] | None = None) -> int:
    """``ask HUB KIND REPO`` or ``get HUB KIND REPO --revision R --folder F``."""
    parser = argparse.ArgumentParser(prog="fetch.py", description="Ask a hub for files, or download them.")
    parser.add_argument("what", choices=("ask", "get"))
    parser.add_argument("hub", choices=tuple(ENDPOINTS))
    parser.add_argument("kind", choices=("model", "dataset"))
    parser.add_argument("repo")
    parser.add_argument("--revision")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--endpoint")
    parser.add_argument("--proxy")
    given = parser.parse_args(arguments)
    prepare_environment(given.hub, given.endpoint, given.proxy, given.folder)
    answer: dict[str, Any] = {}
    try:
        if given.what == "ask":
            answer = ASK[given.hub](given.kind, given.repo, given.revision)
        else:
            given.folder.mkdir(parents=True, exist_ok=True)
            GET[given.hub](given.kind, given.repo, given.revision, given.folder)
            tidy(given.folder)
    except Exception as error:
        text = " ".join(str(error).split())[:600] or type(error).__name__
        answer = {"error": text, "kind": kind_of(error)}
    print(json.dumps(answer, ensure_ascii=False), flush=True)
    return 1 if "error" in answer else 0


if __name__ == "__main__":
    sys.exit(main())
