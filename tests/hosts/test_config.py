"""``config.yaml``: strict keys, references in place of secrets, this machine by default (formal-case.md 3)."""

from __future__ import annotations

from pathlib import Path

import pytest

from autoresearch.assets.settings import SecretRef, public_url
from autoresearch.errors import InputError
from autoresearch.hosts import open_host
from autoresearch.hosts.config import CONFIG_VARIABLE, Config, load
from autoresearch.hosts.local import LocalHost

WHOLE = """
version: 1
lang: zh
servers:
  - name: npu-a
    kind: ssh
    host: npu-a.example
    port: 22
    user: trainer
    identity_file: ~/.ssh/id_ed25519
    password: <keyring:npu-a>
    host_key: "SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    workdir: /srv/autoresearch
    accelerator: ascend
    container: docker
    image: registry.example/verl@sha256:0
    mounts: [/data]
    env: {OMP_NUM_THREADS: "4"}
network:  {proxy_url: "http://user:word@127.0.0.1:7890", remote_proxy_port: 17892, targets: [modelscope]}
services: {wandb: {url: "http://127.0.0.1:8080"}, pushgateway: {url: "http://127.0.0.1:9091", remote_port: 17891}}
log: {level: INFO, format: text}
verl_case: {task: geo3k-grpo}
"""


def config(tmp_path: Path, text: str) -> Config:
    path = tmp_path / "config.yaml"
    path.write_text(text, encoding="utf-8")
    return load(path)


def test_the_file_of_the_specification_is_read_and_user_and_password_of_the_proxy_are_dropped(tmp_path: Path) -> None:
    found = config(tmp_path, WHOLE)
    assert found.server("npu-a").password == SecretRef("<keyring:npu-a>")
    assert found.network.proxy_url == "http://127.0.0.1:7890" == public_url("http://user:word@127.0.0.1:7890")
    assert [str(each) for each in found.secrets()] == ["<keyring:npu-a>"]
    assert found.verl_case == {"task": "geo3k-grpo"}


def test_without_a_file_or_servers_the_host_is_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("AUTORESEARCH_CONFIG", raising=False)
    (only,) = load().candidates()
    assert (only.name, only.kind, only.container) == ("local", "local", "none")
    with open_host(only) as host:
        assert isinstance(host, LocalHost) and host.run(["echo", "x"]).stdout == "x\n"


def test_the_search_order_is_flag_then_variable_then_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, level in (("flag", "DEBUG"), ("variable", "WARNING"), ("config/config", "ERROR")):
        path = tmp_path / f"{name}.yaml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"log: {{level: {level}}}\n")
    monkeypatch.delenv("AUTORESEARCH_CONFIG", raising=False)
    assert load().log.level == "ERROR"
    monkeypatch.setenv("AUTORESEARCH_CONFIG", str(tmp_path / "variable.yaml"))
    assert load().log.level == "WARNING"
    assert load(tmp_path / "flag.yaml").log.level == "DEBUG"


@pytest.mark.parametrize(
    ("text", "place", "nearest"),
    [
        ("servrs: []", "config.yaml, servrs", "write servers"),
        ("servers: [{name: a, kind: local, identiy_file: x}]", "config.yaml, servers[0].identiy_file", "identity_file"),
        ("services: {wandb: {ulr: x}}", "config.yaml, services.wandb.ulr", "write url"),
        ("log: {completely_else: 1}", "config.yaml, log.completely_else", "legal are format, level"),
    ],
)
def test_an_unknown_key_is_v101_with_the_nearest_legal_one(tmp_path: Path, text: str, place: str, nearest: str) -> None:
    with pytest.raises(InputError) as refused:
        config(tmp_path, text)
    (found,) = refused.value.findings
    assert (found.code, found.place) == ("V101", place) and nearest in found.remedy


def test_a_literal_secret_is_v102_and_is_never_repeated(tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        config(tmp_path, WHOLE.replace("<keyring:npu-a>", "hunter2-literal"))
    assert [each.code for each in refused.value.findings] == ["V102"]
    assert "hunter2" not in refused.value.message and "hunter2" not in str(refused.value.findings)
    assert refused.value.__cause__ is None


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("servers: [{name: a, kind: ssh, workdir: /w}]", "needs the key host"),
        ("servers: [{name: a, host: h, workdir: w}]", "absolute path"),
        ("servers: [{name: a, kind: local, container: docker}]", "needs the key image"),
        ("servers: [{name: a, kind: local, env: {HF_TOKEN: x}}]", "HF_TOKEN"),
        ("servers: [{name: a, kind: local}, {name: a, kind: local}]", "a name stands once"),
        ("services: {wandb: {url: 'http://me:word-x@h'}}", "no user and no password"),
        ("version: 2", "version"),
        ("log: {level: INFO}\nlog: {level: INFO}", "line 2: the key 'log' stands twice"),
        ("servers: [", "line 1"),
        ("[]", "must be a mapping"),
    ],
)
def test_a_wrong_value_is_refused_with_its_place_and_rule(tmp_path: Path, text: str, rule: str) -> None:
    with pytest.raises(InputError) as refused:
        config(tmp_path, text)
    assert rule in refused.value.message and "config.yaml" in refused.value.message
    assert "word-x" not in refused.value.message


def test_a_reference_is_resolved_at_use_and_shows_itself_only(monkeypatch: pytest.MonkeyPatch) -> None:
    reference = SecretRef("<env:AR_TEST_SECRET>")
    with pytest.raises(InputError, match="export AR_TEST_SECRET"):
        reference.resolve()
    monkeypatch.setenv("AR_TEST_SECRET", "s3cr3t-value")
    assert reference.resolve() == "s3cr3t-value"
    assert "s3cr3t" not in repr(reference) + str(reference) and repr(reference) == "SecretRef('<env:AR_TEST_SECRET>')"


def test_a_server_that_is_not_configured_is_refused_with_the_names_that_are(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="it has npu-a"):
        config(tmp_path, WHOLE).server("npu-b")


@pytest.mark.parametrize("named_by", ["flag", "environment", "a folder"])
def test_a_config_that_was_named_and_is_not_there_is_refused_and_no_default_takes_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named_by: str
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path if named_by == "a folder" else tmp_path / "confg.yaml"
    if named_by == "environment":
        monkeypatch.setenv(CONFIG_VARIABLE, str(path))
    with pytest.raises(InputError, match=r"V112 .*autoresearch config init") as refused:
        load(None if named_by == "environment" else path)
    assert [item.code for item in refused.value.findings] == ["V112"]
