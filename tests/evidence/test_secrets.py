"""Token shapes are found, ordinary hashes and paths are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from autoresearch.evidence.secrets import find_token_shapes, is_absolute

SECRETS = {
    "Hugging Face token": "hf_" + "Ab1" * 12,
    "GitHub token": "ghp_" + "a" * 36,
    "API key": "sk-proj-" + "b" * 40,
    "AWS key": "AKIA" + "Z" * 16,
    "private key": "-----BEGIN OPENSSH PRIVATE KEY-----",
    "JSON web token": "eyJ" + "a" * 20 + ".eyJ" + "b" * 20 + "." + "c" * 20,
    "secret in an assignment": '"WANDB_API_KEY": "0123456789abcdef"',
    "GitLab token": "glpat-" + "c" * 20,
    "Slack token": "xoxb-" + "1" * 24,
    "password in a URL": "https://someone:secret@example.org/x.git",
}


@pytest.mark.parametrize("shape", SECRETS)
def test_each_shape_is_found_with_its_line(shape: str, tmp_path: Path) -> None:
    path = tmp_path / "trainer.log"
    path.write_text(f"first\n\x00 {SECRETS[shape]} after\n")
    assert list(find_token_shapes(path)) == [(2, shape)]


@pytest.mark.parametrize(
    "text",
    [
        "f" * 64,
        "task-" + "a" * 40,
        '"WANDB_API_KEY": "<redacted>"',
        "https://github.com/owner/project/commit/" + "a" * 40,
        "TOKENIZERS_PARALLELISM=false",
        "hf_xet 1.2.3",
        "half_hf_" + "A" * 40,
        "git@github.com:owner/project.git and http://127.0.0.1:8080/x",
        "MY_OWN_KEY: abcdefghijk",
    ],
)
def test_ordinary_text_is_no_secret(text: str, tmp_path: Path) -> None:
    path = tmp_path / "trainer.log"
    path.write_text(text)
    assert list(find_token_shapes(path)) == []


@pytest.mark.parametrize(
    ("text", "absolute"),
    [("/etc/x", True), ("C:\\x", True), ("file:///x", True), ("6-rows/x", False), ("a/b:c", False)],
)
def test_absolute_paths_of_all_systems_are_recognised(text: str, absolute: bool) -> None:
    assert is_absolute(text) is absolute
