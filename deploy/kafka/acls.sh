#!/usr/bin/env bash
# Give each principal of acls.csv its rights, and no others: DELETE and ALTER are break-glass's alone.
# A name that ends with * is a prefix: topics and groups of every version of the fold.
# One gateway for each device is better than one for all: copy its lines under the device's own name.
#   deploy/kafka/acls.sh BOOTSTRAP [PREFIX]
set -euo pipefail
bootstrap=${1:?the brokers, host:port}
prefix=${2:-}
here=$(cd "$(dirname "$0")" && pwd)
tail -n +2 "$here/acls.csv" | while IFS=, read -r principal resource name operations; do
  words=()
  for operation in $operations; do words+=(--operation "${operation//_/}"); done
  if [[ $name == *\* ]]; then words+=(--resource-pattern-type prefixed); fi
  kafka-acls.sh --bootstrap-server "$bootstrap" --command-config "$here/client.properties" --force \
    --add --allow-principal "User:$principal" "--$resource" "$prefix${name%\*}" "${words[@]}" </dev/null
done
