#!/bin/sh
# What `make test` needs beside Python: real brokers and a real store need a Java machine, Maven and npm, tests that move
# clocks a C compiler, tests of the pages a browser. Root on Debian gets what is missing; others read what to install.
set -eu

missing= packages=
need() { # a command, a name for it, the Debian packages that have it
  command -v "$1" >/dev/null 2>&1 && return
  missing="$missing${missing:+, }$2"
  packages="$packages $3"
}
need java "a Java machine (java)" default-jre-headless
need mvn "Maven (mvn)" maven
need npm "npm" npm
need cc "a C compiler (cc)" "gcc libc6-dev"
need chromium "Chromium (chromium)" chromium
[ -n "$packages" ] || exit 0

if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null 2>&1; then
  echo "make test: missing: $missing; install them (on Debian, as root: apt-get install$packages) and run it again" >&2
  exit 2
fi
echo "make test: installing$packages from Debian (once, about two minutes)"
apt-get update -qq
# shellcheck disable=SC2086 # each package is a word
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $packages >/dev/null
