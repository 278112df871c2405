#!/bin/bash
# The first program of a row inside its container: bash container-entry.sh <row folder> <command> [argument…]
# Sources the Ascend toolkit where there is one, passes TERM on, and leaves files that the login user can read.
row="$1"
shift
echo "$$" > "$row/container.pid"
found=""
for file in /usr/local/Ascend/ascend-toolkit/set_env.sh /usr/local/Ascend/nnal/atb/set_env.sh; do
  if [ -f "$file" ]; then
    . "$file"
    found="$found${found:+, }{\"file\": \"$file\", \"exit_code\": $?}"
  fi
done
echo "{\"sourced\": [$found]}" > "$row/container-environment.json"
"$@" &
child=$!
trap 'kill -TERM "$child" 2> /dev/null' TERM INT
while kill -0 "$child" 2> /dev/null; do
  wait "$child"
  code=$?
done
wait "$child" 2> /dev/null
last=$?
[ "$last" = 127 ] || code=$last
chmod -R a+rX "$row" 2> /dev/null
exit "$code"
