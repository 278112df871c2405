#!/usr/bin/env bash
# Checks every file of this bundle against SHA256SUMS. Needs bash and sha256sum; writes nothing.
set -euo pipefail
bundle="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
command -v sha256sum >/dev/null || { echo "sha256sum is missing: install coreutils" >&2; exit 2; }
cd "$bundle"
echo "verify: $(wc -l < SHA256SUMS) files"
if ! sha256sum --check --strict --quiet SHA256SUMS; then
  echo "verify: files differ from SHA256SUMS" >&2
  exit 1
fi
echo "verify: all files are as they were sealed"
