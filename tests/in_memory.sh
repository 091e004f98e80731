#!/bin/sh
# Runs pytest with its files in memory where there is room for them: most tests make a ledger of their own, each record
# of which would wait for the disk. What a ledger owes to the disk is tested by killing processes, not by the disk.
#   sh tests/in_memory.sh .venv/bin/pytest -n 2 ...
room=$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print $4 }')
[ "${room:-0}" -gt 4000000 ] || exec "$@" # kB; a run leaves some hundred MB
folder=$(mktemp -d /dev/shm/tests-of-catwalk.XXXXXX) || exec "$@"
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
"$@" --basetemp="$folder/files"
