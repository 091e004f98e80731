#!/bin/sh
# The packages of requirements.lock, each checked by hash, and the catwalk command, into the environment of a Python.
#   sh deploy/packages.sh .venv/bin/python
# uv takes 12 s where pip takes 40. A registry that pip was told of is uv's too; where uv cannot, pip does it.
set -eu
python=$1
pip() { "$python" -m pip "$@" --quiet --disable-pip-version-check; }
echo "make: $(grep -c '^[a-z]' requirements.lock) packages of requirements.lock into $(dirname "$(dirname "$python")"), each checked by hash (once)"

lock=$(mktemp)
trap 'rm -f "$lock"' EXIT
awk '/^[a-z]/ { of_uv = /^uv==/ } of_uv' requirements.lock >"$lock"
registry=$("$python" -m pip config list | sed -n "s/^.*[.:]index-url='\(.*\)'$/\1/p" | tail -n 1)
[ -z "$registry" ] || export UV_DEFAULT_INDEX="$registry"

# Someone who looks on sees how far it is; a file is spared the bars.
quiet=--quiet
[ ! -t 2 ] || quiet=
with_uv() {
  pip install --require-hashes -r "$lock" &&
    "$python" -m uv pip install $quiet --system-certs --python "$python" --compile-bytecode \
      --require-hashes -r requirements.lock
}
with_uv || {
  echo "make: uv could not (see above); pip does it, which takes longer"
  pip install --require-hashes -r requirements.lock
}
PYTHONWARNINGS=ignore pip install --no-deps --no-build-isolation --editable .
