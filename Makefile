# One command each: `make install`, `make demo`, `make check`, `make test`, `make soak`, `make lock`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# The smallest machine it must suit has two cores. Tests against real servers wait more than they work: with them there
# are six workers, and tests/gate/schedule.py lets some of them wait while others work.
PYTEST := $(BIN)/pytest
# Many processes are started: each would compile anew what a machine forbids to keep.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help install demo check test times all-tests tools soak lint lock asyncapi screenshots checks-page patterns-page clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-11s %s\n", $$1, $$2}' Makefile

install: $(STAMP) ## .venv from requirements.lock (hashes checked), and the catwalk command in it

$(STAMP): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "catwalk needs Python 3.11 or later; name one: make install PYTHON=python3.11" >&2; exit 2; }
	@test -x $(BIN)/python || { echo "make: a Python environment in $(VENV) (some seconds)"; $(PYTHON) -m venv $(VENV); } \
	  || { rm -rf $(VENV); echo "make: $(PYTHON) makes no environment; on Debian, as root: apt-get install python3-venv" >&2; exit 2; }
	@sh deploy/packages.sh $(BIN)/python
	@touch $@

demo: install ## simulated tables, ledger, pipeline, store and console in one process
	$(BIN)/catwalk demo

lint: install
	@echo "make: format, lint, types (about a minute the first time)"
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy

check: lint ## format, lint, types, and every test that needs no server and no patience
	@echo "make: the quick tests (a minute or two)"
	@sh tests/in_memory.sh $(PYTEST) -n 2 -m "not live and not thorough and not soak"

test: tools install ## check, the thorough tests (mutations, fuzzing, crashes), and those against real servers
	@$(BIN)/python -m tests.gate $(MAKE) --no-print-directory -j 2 lint all-tests

times: install ## the order of the tests in a fresh clone again, from the last run of make test
	@$(BIN)/python -m tests.gate --times

all-tests: install
	@echo "make: all tests but those of make soak (some fifteen minutes on two cores; the first run fetches Kafka and ClickHouse, 300 MB)"
	@sh tests/in_memory.sh $(PYTEST) -n 6 -m "not soak"

tools: ## what the tests against real servers need: Java, Maven, npm, a C compiler, Chromium
	@sh tests/tools.sh

# Parts are meant for half an hour of two cores, which nobody has measured yet; lawful takes three to five hours. Tests of `live` wait more than they work: four workers.
soak: install ## whole sweeps, and the tests that take minutes, all or PART=live|mutations|noise|browser|random|accepted|lawful
	@sh tests/tools.sh soak
ifdef PART
	@paths=$$($(BIN)/python -m tests.gate.parts $(PART)) \
	  && HYPOTHESIS_PROFILE=soak $(PYTEST) -n $(if $(filter live,$(PART)),4,2) -m soak $$paths
else
	@failed=; for part in $$($(BIN)/python -m tests.gate.parts); do \
	  echo "make: soak, part $$part"; $(MAKE) --no-print-directory soak PART=$$part || failed="$$failed $$part"; done; \
	  test -z "$$failed" || { echo "make: soak failed in:$$failed" >&2; exit 1; }
endif

lock: $(BIN)/pip-compile ## requirements.lock again, from pyproject.toml
	$(BIN)/pip-compile --quiet --generate-hashes --allow-unsafe --all-build-deps --extra dev --strip-extras \
	  --no-header --no-emit-options --no-emit-index-url --no-emit-find-links --no-emit-trusted-host \
	  --output-file requirements.lock pyproject.toml

$(BIN)/pip-compile: $(STAMP)

screenshots: install ## docs/screenshots again, of every page of a demonstration that runs
	$(BIN)/python -m tests.browser.screenshots docs/screenshots

checks-page: install ## the list of all checks in docs/checks.md again, from the registry
	$(BIN)/python -m deploy.audit.checks_page < docs/checks.md > docs/checks.md.new && mv docs/checks.md.new docs/checks.md

patterns-page: install ## the list of all detectors in docs/patterns.md again, from the registry
	@$(BIN)/python -m deploy.audit.patterns_page < docs/patterns.md > docs/patterns.md.new && mv docs/patterns.md.new docs/patterns.md

asyncapi: install ## docs/asyncapi.json again, from the event types
	$(BIN)/python -m schemas.contract.asyncapi > docs/asyncapi.json.new && mv docs/asyncapi.json.new docs/asyncapi.json

clean: ## the environment and everything derived
	rm -rf $(VENV) build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
