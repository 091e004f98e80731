#!/bin/bash
# The server reads passwords as digests from its environment; they come from secret files and are never stored.
set -euo pipefail
for user in admin sink reader; do
  file=/run/secrets/clickhouse_$user
  [[ -s $file ]] || { echo "no password for the user $user: $file is missing or empty" >&2; exit 1; }
  digest=$(tr -d '\n' <"$file" | sha256sum)
  export "CATWALK_${user^^}_SHA256=${digest%% *}"
done
exec /entrypoint.sh
