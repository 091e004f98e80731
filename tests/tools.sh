#!/bin/sh
# What `make test` needs beside Python: real brokers and a real store need a Java machine, Maven and npm, tests that move
# clocks a C compiler, tests of the pages a browser. With the word `soak` also what `make soak` needs: LibreOffice, to
# reckon the workbooks. Root on Debian gets what is missing; others read what to install.
set -eu

missing= packages=
have() { command -v "$1" >/dev/null 2>&1; }
need() { # a command, a name for it, the Debian packages that have it
  have "$1" && return
  missing="$missing${missing:+, }$2"
  packages="$packages $3"
}
may_install() { [ "$(id -u)" -eq 0 ] && have apt-get; }
install() {
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}
need java "a Java machine (java)" default-jre-headless
need mvn "Maven (mvn)" maven
need npm "npm" npm
need cc "a C compiler (cc)" "gcc libc6-dev"
[ "${1-}" != soak ] || need soffice "LibreOffice Calc (soffice)" libreoffice-calc-nogui
have chromium || need chromium-headless-shell "Chromium (chromium-headless-shell)" chromium-headless-shell

if [ -n "$packages" ]; then
  if ! may_install; then
    echo "make test: missing: $missing; install them (on Debian, as root: apt-get install$packages) and run it again" >&2
    exit 2
  fi
  echo "make test: installing$packages from Debian (once, about two minutes)"
  # shellcheck disable=SC2086 # each package is a word
  install $packages
elif ! have chromium-headless-shell && may_install; then
  echo "make test: installing chromium-headless-shell from Debian: the tests take a third of the work in it (once, some seconds)"
  install chromium-headless-shell || echo "make test: it cannot be had; Chromium takes its place"
fi
