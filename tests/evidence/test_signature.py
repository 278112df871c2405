"""Signing a bundle with a throw-away SSH key, and checking the signature with the real ``ssh-keygen``."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from autoresearch.cli.main import run
from autoresearch.errors import InputError, RefusedError
from autoresearch.evidence.signature import check_signature, sign
from autoresearch.evidence.writer import make_read_only

SIGNER = "lab@example.com"


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A throw-away private key; its public part is beside it."""
    path = tmp_path_factory.mktemp("key") / "id_ed25519"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "test", "-f", str(path)], check=True)
    return path


@pytest.fixture(scope="module")
def signers(key: Path) -> Path:
    """The verifier's own file: the key may sign as ``SIGNER``."""
    path = key.with_name("allowed")
    path.write_text(f"{SIGNER} {key.with_suffix('.pub').read_text()}")
    return path


def test_a_signed_read_only_bundle_still_verifies_and_names_its_signer(
    copied: Path, key: Path, signers: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_read_only(copied)
    assert run(["bundle", "sign", str(copied), "--key", str(key)]) == 0
    assert copied.stat().st_mode & 0o222 == 0, "the bundle stays read-only"
    words = ["bundle", "verify", str(copied), "--allowed-signers", str(signers), "--signer"]
    assert run([*words, SIGNER]) == 0
    assert '"id": "signature"' in capsys.readouterr().out
    assert run([*words, "somebody@example.com"]) == 1


def test_a_changed_list_of_sums_does_not_match_its_signature(copied: Path, key: Path, signers: Path) -> None:
    sign(copied, key)
    assert check_signature(copied, signers, SIGNER) == []
    sums = copied / "SHA256SUMS"
    sums.write_text(sums.read_text().replace("a", "b", 1))
    found = check_signature(copied, signers, SIGNER)
    assert [each.code for each in found] == ["V610"]
    assert found[0].place == "SHA256SUMS.sig"


def test_an_unsigned_bundle_fails_where_a_signature_is_asked_for(copied: Path, signers: Path) -> None:
    assert check_signature(copied, signers, SIGNER)[0].value == "missing"


def test_what_is_not_as_it_was_sealed_is_not_signed(copied: Path, key: Path) -> None:
    (copied / "README.md").write_text("changed")
    with pytest.raises(RefusedError, match=r"V610.*README\.md"):
        sign(copied, key)
    assert not (copied / "SHA256SUMS.sig").exists()


def test_a_bundle_is_signed_once_and_only_with_a_key(copied: Path, key: Path, tmp_path: Path) -> None:
    (tmp_path / "no-key").write_text("text")
    with pytest.raises(InputError, match="does not sign with it"):
        sign(copied, tmp_path / "no-key")
    sign(copied, key)
    with pytest.raises(RefusedError, match="is signed"):
        sign(copied, key)
