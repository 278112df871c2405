"""The optional signature of a sealed bundle: ``SHA256SUMS.sig``, made and checked by ``ssh-keygen -Y`` (formal-case.md
9.5).

What is signed is ``SHA256SUMS``, which lists every file; the signature itself is the one file that may come later.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from autoresearch.errors import InputError, RefusedError
from autoresearch.evidence.bundle import Bundle
from autoresearch.evidence.checksums import check_checksums
from autoresearch.evidence.layout import CHECKSUMS, SIGNATURE
from autoresearch.files import atomic_write_bytes
from autoresearch.findings import Finding, finding

NAMESPACE = "autoresearch-bundle"
SECONDS = 120.0
"""A key on a token may wait for a touch, an encrypted one for its passphrase."""


def _program() -> str:
    found = shutil.which("ssh-keygen")
    if found is None:
        raise InputError("ssh-keygen is missing: install openssh-client (signing and checking signatures needs it)")
    return found


def sign(root: Path, key: Path) -> Path:
    """Sign a sealed bundle with an SSH key; returns the signature's path.

    ``key`` is a private key, or a public one whose private part an agent holds. Raises ``InputError`` when it cannot
    be used, ``RefusedError`` when the bundle is signed already, not sealed, or not as it was sealed (V610).
    """
    bundle = Bundle(root)
    target = root / SIGNATURE
    if bundle.manifest.state == "open" or not (root / CHECKSUMS).is_file():
        raise RefusedError(f"{root} is not sealed yet; only a sealed bundle can be signed")
    if target.exists():
        raise RefusedError(f"{target} exists: the bundle is signed; remove the file to sign it again")
    if not key.is_file():
        raise InputError(f"--key {key} does not exist; give a private SSH key, or a public one that an agent holds")
    found = check_checksums(root)[1]
    if found:
        raise RefusedError(f"{root} is not signed, it is not as it was sealed: {found[0].message()}", found)
    done = subprocess.run(
        [_program(), "-Y", "sign", "-q", "-f", str(key), "-n", NAMESPACE],
        input=(root / CHECKSUMS).read_bytes(),
        capture_output=True,
        timeout=SECONDS,
        check=False,
    )
    if done.returncode or not done.stdout.startswith(b"-----BEGIN SSH SIGNATURE-----"):
        words = done.stderr.decode("utf-8", "replace").strip() or "it said nothing"
        raise InputError(f"--key {key}: ssh-keygen does not sign with it: {words}")
    mode = root.stat().st_mode
    root.chmod(mode | 0o200)
    try:
        atomic_write_bytes(target, done.stdout)
        target.chmod(0o444)
    finally:
        root.chmod(mode)
    return target


def check_signature(root: Path, allowed_signers: Path, signer: str) -> list[Finding]:
    """V610 unless ``SHA256SUMS.sig`` is a signature of ``SHA256SUMS`` by ``signer``, as the verifier's own file of
    allowed signers (``ssh-keygen(1)``, ALLOWED SIGNERS) has it. Raises ``InputError`` when that file is absent.
    """
    if not allowed_signers.is_file():
        raise InputError(f"--allowed-signers {allowed_signers} does not exist; give a file in ssh-keygen's format")
    path = root / SIGNATURE
    if not path.is_file():
        return [_bad("missing", "the bundle is signed", "ask its author for the signature")]
    try:
        data = (root / CHECKSUMS).read_bytes()
    except OSError as error:
        return [_bad(type(error).__name__, f"{CHECKSUMS} can be read", "take the bundle from its source again")]
    done = subprocess.run(
        [_program(), "-Y", "verify", "-f", str(allowed_signers), "-I", signer, "-n", NAMESPACE, "-s", str(path)],
        input=data,
        capture_output=True,
        timeout=SECONDS,
        check=False,
    )
    if done.returncode == 0:
        return []
    words = " ".join((done.stdout + done.stderr).decode("utf-8", "replace").split())[:200]
    return [_bad(words or "refused", f"is a signature of {CHECKSUMS} by {signer}", "do not trust this bundle")]


def _bad(value: str, rule: str, remedy: str) -> Finding:
    return finding("V610", place=SIGNATURE, value=value, rule=rule, remedy=remedy)
