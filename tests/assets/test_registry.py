"""``data.yaml`` as it is read (formal-case.md 3.3)."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from autoresearch.assets.registry import load_registry, open_registry
from autoresearch.errors import InputError

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "config").glob("*.example.yaml"))
FILE = """\
version: 1
assets:
  models:
    tiny:
      kind: model
      canonical_id: Org/Tiny
      sources: {huggingface: {id: Org/Tiny}, modelscope: {id: org/Tiny, revision: v1}}
      remotes:
        npu-a: {path: /data/tiny, status: ready, verified_at: 2026-11-30T04:10:00Z}
  datasets:
    shapes: {kind: dataset, canonical_id: org/shapes}
"""


def written(tmp_path: Path, text: str = FILE) -> Path:
    path = tmp_path / "data.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def refusal(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        load_registry(path)
    return caught.value.message


def test_an_entry_is_found_by_its_key_and_by_its_canonical_id(tmp_path: Path) -> None:
    registry = load_registry(written(tmp_path))
    assert registry.find("tiny") == registry.find("Org/Tiny")
    section, key, entry = registry.find("org/shapes")
    assert (section, key, entry.kind) == ("datasets", "shapes", "dataset")


def test_a_place_is_chosen_by_the_servers_name_only(tmp_path: Path) -> None:
    registry = load_registry(written(tmp_path))
    entry = registry.find("tiny")[2]
    there = entry.location("npu-a")
    assert there is not None and (there.path, there.verified_at) == ("/data/tiny", "2026-11-30T04:10:00Z")
    assert entry.location("npu-b") is None and entry.location("local") is None
    assert registry.path_for(entry, "npu-b") == "/srv/autoresearch-assets/models/Org__Tiny"
    assert registry.path_for(entry, "local") == "~/autoresearch-data/models/Org__Tiny"


def test_an_entry_that_is_not_there_is_v104_with_the_nearest_name(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        load_registry(written(tmp_path)).find("org/Tinny")
    assert caught.value.message.startswith('V104 asset-not-registered: data.yaml: "org/Tinny" is no entry there')
    assert "did you mean Org/Tiny" in caught.value.message
    assert [item.code for item in caught.value.findings] == ["V104"]


def test_a_second_entry_for_the_same_weights_is_v107(tmp_path: Path) -> None:
    again = "    again: {kind: model, canonical_id: Org/Tiny}\n"
    message = refusal(written(tmp_path, FILE.replace("  datasets:\n", again + "  datasets:\n")))
    assert message.startswith('V107 duplicate-asset: data.yaml, assets.models.again: "Org/Tiny"')
    assert "assets.models.tiny" in message and "remotes" in message


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("kind: model", "knid: model", "V101 unknown-key: data.yaml, assets.models.tiny.knid"),
        ("status: ready", "status: done", "assets.models.tiny.remotes.npu-a.status"),
        ("path: /data/tiny", "path: data/tiny", "is relative"),
        ("kind: dataset", "kind: model", "datasets.shapes has kind model"),
        ("path: /data/tiny", "path: ~/tiny", "a path on a server begins with /"),
        ("npu-a:", "local:", "this machine's place is the key local"),
        ("version: 1", "version: 2", "data.yaml, version: 2"),
        ("{id: Org/Tiny}", "{id: ../Tiny}", "sources.huggingface.id"),
        ("models:", "models: {}\n  models:", "the key 'models' stands twice"),
    ],
)
def test_what_is_wrong_is_refused_with_its_place(tmp_path: Path, old: str, new: str, says: str) -> None:
    assert says in refusal(written(tmp_path, FILE.replace(old, new, 1)))


def test_what_is_yet_to_come_to_a_server_is_counted_from_the_sizes(tmp_path: Path) -> None:
    text = FILE.replace("canonical_id: Org/Tiny", "canonical_id: Org/Tiny\n      size_gb: 1.5")
    registry = load_registry(written(tmp_path, text.replace("org/shapes}", "org/shapes, size_gb: 0.25}")))
    assert registry.missing_bytes(["tiny", "shapes"], "npu-a") == 250_000_000
    assert registry.missing_bytes(["tiny", "shapes"], "npu-b") == 1_750_000_000


def test_the_hubs_are_asked_in_the_configured_order_and_only_where_there_is_a_source(tmp_path: Path) -> None:
    registry = load_registry(written(tmp_path))
    assert registry.priority(registry.find("tiny")[2]) == ("modelscope", "huggingface")
    assert registry.priority(registry.find("shapes")[2]) == ()
    turned = FILE.replace("canonical_id: Org/Tiny", "canonical_id: Org/Tiny\n      source_priority: [huggingface]")
    registry = load_registry(written(tmp_path, turned))
    assert registry.priority(registry.find("tiny")[2]) == ("huggingface",)


def test_without_data_yaml_the_example_is_read_and_said_and_nothing_is_created(tmp_path: Path) -> None:
    config = tmp_path / "config.yaml"
    config.touch()
    (tmp_path / "data.example.yaml").write_text(FILE, encoding="utf-8")
    opened = open_registry(None, config)
    assert opened.is_example and opened.registry.find("tiny")
    assert "data.example.yaml was read" in (opened.note() or "")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["config.yaml", "data.example.yaml"]
    written(tmp_path)
    assert not open_registry(None, config).is_example


def test_with_neither_file_the_registry_is_empty_and_a_named_one_must_be_there(tmp_path: Path) -> None:
    opened = open_registry(None, tmp_path / "config.yaml")
    assert list(opened.registry.entries()) == [] and "no entries are known" in (opened.note() or "")
    with pytest.raises(InputError, match=r"V112 .*--data-config.*nowhere\.yaml"):
        open_registry(tmp_path / "nowhere.yaml")


def test_the_user_of_a_proxy_is_dropped_when_it_is_read(tmp_path: Path) -> None:
    text = FILE.replace("assets:", "defaults: {proxy_url: 'http://me:secret@127.0.0.1:7890'}\nassets:", 1)
    assert load_registry(written(tmp_path, text)).defaults.proxy_url == "http://127.0.0.1:7890"


def test_there_is_an_example_and_it_is_valid() -> None:
    registry = load_registry(ROOT / "config" / "data.example.yaml")
    assert {entry.canonical_id for _, _, entry in registry.entries()} >= {"Qwen/Qwen3.5-2B", "hiyouga/geometry3k"}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_examples_name_no_address_but_loopback_and_example_hosts(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    urls = re.findall(r"[a-z]+://[^\s\"',}]+", text)
    hosts = {urlsplit(url).hostname for url in urls} | set(re.findall(r"\bhost:\s*(?!true\b|false\b)([^\s,}#]+)", text))
    hosts |= set(re.findall(r"\bimage:\s*([^\s/,}#]+)/", text)) | set(re.findall(r"\b\d+\.\d+\.\d+\.\d+\b", text))
    hosts |= {found.partition("@")[2] for found in re.findall(r"[\w.]+@[A-Za-z][\w.-]+", text) if "sha256" not in found}
    foreign = [host for host in hosts if host and host != "127.0.0.1" and not host.endswith(".example")]
    assert foreign == []
