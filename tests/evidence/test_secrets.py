"""Token shapes are found, ordinary hashes and paths are not; one pass over a file finds what a plain search does."""

from __future__ import annotations

import hashlib
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autoresearch.evidence import token_filter
from autoresearch.evidence.checksums import read_file
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


NEAR = [
    *(text.encode() for text in SECRETS.values()),
    b"github_pat_" + b"a1_" * 14,
    b"HF_" + b"TOKEN =\n\t \r\n  'abcdefgh'",
    b"AWS_SECRET_ACCESS" + "_KEY: 密钥密钥密钥".encode(),
    b"ftp:" + "//用户:密@h".encode(),
    b"HF_" + b"TOKEN" + b" " * 300 + b"=" + b"x" * 9,
    b"xoxp-" + b"a" * 19,
    b"sk-ant-" + b"a" * 31,
    b"x://" + b"u" * 64 + b":" + b"p" * 128 + b"@h",
    b"eyJ" + b"a" * 400 + b".eyJ" + b"b" * 400 + b"." + b"c" * 12,
]
FILLERS = [
    b"",
    b" ",
    b"a",
    b"_",
    b"\n",
    b"\x00",
    b"\xff\xfe",
    "字段".encode(),
    "😀".encode(),
    b"task-",
    b"://",
    b"@",
    b":",
]


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(FILLERS), st.integers(0, 300), st.sampled_from([b"", *NEAR])), max_size=6),
    st.integers(1, 700),
    st.integers(0, 8),
)
def test_one_pass_in_blocks_finds_what_a_search_of_the_whole_file_does(
    parts: list[tuple[bytes, int, bytes]], block_bytes: int, cut: int
) -> None:
    content = b"".join(filler * times + secret for filler, times, secret in parts)
    content = content[cut:]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "trainer.log"
        path.write_bytes(content)
        read = read_file(path, block_bytes)
        assert read.sha256 == hashlib.sha256(content).hexdigest()
        assert list(read.shapes) == list(find_token_shapes(path))


@pytest.mark.parametrize("secret", NEAR)
def test_a_secret_is_found_wherever_the_blocks_are_cut(secret: bytes, tmp_path: Path) -> None:
    path = tmp_path / "trainer.log"
    head = "序号 ".encode() * 90
    path.write_bytes(head + secret + b" " + head)
    found = tuple(find_token_shapes(path))
    for cut in [*range(1, 40), *range(len(head) - 3, len(head) + len(secret) + 3)]:
        assert read_file(path, cut).shapes == found, cut


def test_ordinary_logs_are_passed_over_without_the_plain_search() -> None:
    lines = [
        b"(TaskRunnerV1 pid=19) step:3 - val-core/steel/acc/mean@1:0.25 - actor/pg_loss:-0.1",
        "Ray dashboard at http://127.0.0.1:8265 任务 risk-free task-".encode() + b"7" * 31,
        b'"WANDB_API": "<redacted>", "GRPC_KEY": "abcdefghijk", hf_xet 1.2.3',
    ]
    with token_filter.TokenFilter() as tokens:
        tokens.feed(b"\n".join(lines * 50))
        tokens.feed(b"\xff\xfe not text")
        assert not tokens.suspect
        tokens.feed(b" AKIA")
        tokens.feed(b"0" * 16)
        assert tokens.suspect


def test_a_processor_without_the_filter_has_every_text_searched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(token_filter, "_database", lambda: None)
    path = tmp_path / "trainer.log"
    path.write_text(f"first\n{SECRETS['AWS key']} after\n")
    assert read_file(path).shapes == ((2, "AWS key"),)


def test_binary_formats_are_hashed_and_not_searched(tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    path.write_bytes(b"ghp_" + b"a" * 36)
    assert read_file(path).shapes == ()
