#!/usr/bin/env bash
# Fetches the code of this run again: clones each recorded tree, checks out the exact commit, applies the saved difference and
# compares the tree hash; writes the package list as a constraints file and prints the image. Never writes into the bundle.
# REPOSITORY_<NAME> (letters upper-case, others _) says where to clone a tree from instead of its recorded address.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
bundle="$(dirname "$here")"
work="${RESTORE_DIR:-$(mktemp -d)}/environment"
python="${PYTHON:-python3}"
for program in git "$python"; do
  command -v "$program" >/dev/null || { echo "$program is missing: install git and python3" >&2; exit 2; }
done
export PYTHONDONTWRITEBYTECODE=1 GIT_TERMINAL_PROMPT=0
mkdir -p "$work"
failed=0
while IFS=$'\t' read -r name address commit patch tree; do
  variable="REPOSITORY_$(printf '%s' "$name" | tr '[:lower:]' '[:upper:]' | tr -c 'A-Z0-9' '_')"
  address="${!variable:-$address}"
  if [ "$address" = - ]; then
    echo "rebuild-environment: $name: no address is recorded; set $variable to a clone of it"
    continue
  fi
  target="$work/$name"
  rm -rf "$target"
  if ! git clone --quiet --no-checkout "$address" "$target" 2>"$work/$name.log" \
      || ! git -C "$target" checkout --quiet --detach "$commit" 2>>"$work/$name.log"; then
    echo "rebuild-environment: $name FAILED: $(tail -n 1 "$work/$name.log")"
    failed=1
    continue
  fi
  if [ "$patch" != - ] && ! git -C "$target" apply --index --binary "$bundle/$patch" 2>>"$work/$name.log"; then
    echo "rebuild-environment: $name FAILED: the saved difference does not apply: $(tail -n 1 "$work/$name.log")"
    failed=1
    continue
  fi
  found="$(git -C "$target" ls-files -z | "$python" "$here/read_lock.py" tree "$target")"
  if [ "$tree" != - ] && [ "$found" != "$tree" ]; then
    echo "rebuild-environment: $name FAILED: tree hash $found, the lock says $tree"
    failed=1
    continue
  fi
  echo "rebuild-environment: $name ok: $commit, tree $found"
done < <("$python" "$here/read_lock.py" repositories)
"$python" "$here/read_lock.py" constraints >"$work/constraints.txt"
echo "rebuild-environment: $(wc -l <"$work/constraints.txt") packages in $work/constraints.txt"
echo "rebuild-environment: image $("$python" "$here/read_lock.py" image)"
exit "$failed"
