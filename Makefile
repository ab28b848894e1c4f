# The commands of this project. `make serve` and `make test` set up all that they need themselves.
SHELL := /bin/bash
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

# The first of these that runs at all: a version manager may leave commands that do not.
PYTHON ?= $(shell for name in python3.13 python3.12 python3.11 python3; do $$name -c "" 2>/dev/null && command -v $$name && break; done)
VENV := .venv
BIN := $(VENV)/bin
# Thousands of processes are started by the tests: each would compile every module anew where none may be kept.
export PYTHONDONTWRITEBYTECODE =
HOST ?= 127.0.0.1
PORT ?= 8000

.PHONY: deploy-files through-nginx help setup setup-dev serve test quick coverage mutants faults edits pages conformance lint format bench soak audit system lock pictures wheel clean

help: ## say what there is
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 18

$(VENV)/.python:
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed; set PYTHON=/path/to/python" >&2; exit 2; }
	"$(PYTHON)" -m venv $(VENV)
	@touch $@

$(VENV)/.run: requirements.lock tools/playbooks $(VENV)/.python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	echo "$(CURDIR)/tools/installed" > "$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/playbook_library.pth"
	sed "s|@ROOT@|$(CURDIR)|g" tools/playbooks > $(BIN)/playbooks && chmod +x $(BIN)/playbooks
	@touch $@

$(VENV)/.dev: requirements-dev.lock $(VENV)/.run
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@touch $@

setup: $(VENV)/.run ## make .venv with a working .venv/bin/playbooks
	@$(BIN)/playbooks schemas

setup-dev: $(VENV)/.dev ## the same, with what tests and checks need

serve: $(VENV)/.run ## build the content and serve site and API on 127.0.0.1:8000
	$(BIN)/playbooks serve --host $(HOST) --port $(PORT)

# In memory where there is a GiB of it: a disk is waited for at every write to a queue, and each test has its own.
IN_MEMORY = $(shell df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 && $$4 > 1048576 { print "TMPDIR=/dev/shm" }')
# A worker for each processor; a file stays with one, and tests/conftest.py says which begin.
WORKERS ?= $(shell getconf _NPROCESSORS_ONLN)
PYTEST = $(IN_MEMORY) $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder -o tmp_path_retention_policy=failed
LONG = PLAYBOOKS_LONG=1 $(IN_MEMORY) $(BIN)/python -m pytest -s

test: $(VENV)/.dev ## all tests (or TESTS="tests/cli …"); what a missing system part keeps from running is said at the end
	@bash tests/install-system.sh --if-allowed
	$(PYTEST) $(TESTS)

# The quick loop: what needs no other process, no browser and no system part.
QUICK = -m "not slow and not browser and not system" --ignore=tests/faults --ignore=tests/server --ignore=tests/site --ignore=tests/circle --ignore=tests/contract --ignore=tests/deploy --ignore=tests/content --ignore=tests/mcpserver

quick: $(VENV)/.dev ## the quick loop: under 25 seconds
	$(PYTEST) -q $(QUICK)

MEASURED = COVERAGE_FILE="$(CURDIR)/.cache/coverage/measured"

coverage: $(VENV)/.dev ## which lines and branches the quick loop reaches, started processes included (TESTS=tests: all)
	rm -rf .cache/coverage && mkdir -p .cache/coverage
	$(MEASURED) COVERAGE_PROCESS_START="$(CURDIR)/pyproject.toml" $(PYTEST) -q $(or $(TESTS),$(QUICK))
	$(MEASURED) $(BIN)/python -m coverage combine -q
	$(MEASURED) $(BIN)/python -m coverage html -q -d .cache/coverage/html
	$(MEASURED) $(BIN)/python -m coverage report --skip-covered
	@echo "by line: .cache/coverage/html/index.html"

MUTANTS ?= 100
SEED ?= 1

mutants: $(VENV)/.dev ## how many small faults the quick loop finds, and which it does not (MUTANTS=500 SEED=7 ROOM=library TESTS=tests)
	mkdir -p .cache
	$(IN_MEMORY) $(BIN)/python -m tools.mutants --mutants $(MUTANTS) --seed $(SEED) $(ROOM:%=--room %) --report .cache/mutants.json -- $(or $(TESTS),$(QUICK))

# The long forms: every night, and whenever somebody asks.
faults: $(VENV)/.dev ## what the service must survive, in the long form: some minutes
	$(LONG) tests/faults

edits: $(VENV)/.dev ## every kind of edit at 1,000 playbooks, and 30 kills of a build: about three minutes
	$(LONG) tests/generator/test_incremental.py tests/faults/test_build_killed.py

pages: $(VENV)/.dev ## every page in a browser at both widths and in both schemes, and Lighthouse over all kinds: some minutes
	$(LONG) tests/site

conformance: $(VENV)/.dev ## requests made from the OpenAPI description, MCP's checkers, hostile texts: the long forms, some minutes
	$(LONG) tests/contract/test_schemathesis.py tests/mcpserver/test_official.py tests/writeapi/review tests/content

through-nginx: $(VENV)/.dev ## the contract, MCP's conformance and requests from the description, through nginx as deployed
	$(BIN)/python -m pytest --through=nginx tests/contract tests/mcpserver/test_official.py

lint: $(VENV)/.dev ## format, lint, types, workflows, content
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/zizmor --offline --no-progress --quiet .github/workflows library/starter/workflows
	$(BIN)/playbooks check --for-merge

format: $(VENV)/.dev ## write code and content in their canonical forms
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/playbooks fmt

BENCHMARKS = build writes floods search mcp deploy watch privacy lighthouse

bench: $(BENCHMARKS:%=bench-%) ## the figures, measured here (BENCHMARKS="build writes" BENCH_ARGS=--short)

bench-%: $(VENV)/.dev
	PLAYBOOKS_BUDGETS=0 $(BIN)/python -m benchmarks.$* $(BENCH_ARGS)

deploy-files: $(VENV)/.dev ## deploy/nginx, caddy and static, made anew from the tables
	$(BIN)/python -m tools.deploy_files

soak: $(VENV)/.dev ## an hour of mixed load through nginx with 600 slow clients: no error, memory flat (SOAK_ARGS="--minutes 5")
	$(BIN)/python -m benchmarks.soak $(SOAK_ARGS)

audit: $(VENV)/.dev ## known weaknesses in what is locked; says so when their lists cannot be reached
	$(BIN)/python -m tools.audit

system: ## install the system parts that tests need (asks first)
	bash tests/install-system.sh

pictures: $(VENV)/.dev ## the pictures in the documents, made anew
	$(BIN)/python -m tools.pictures
	$(BIN)/python -m tools.pictures --widths 1440 --pages review-queue review-run review-lesson

lock: ## write the hashed lock files anew from pyproject.toml, by Python 3.11 (MORE=--upgrade: the newest of all)
	MORE="$(MORE)" bash tools/lock.sh "$(PYTHON)"

wheel: $(VENV)/.dev ## a library from the wheel, begun, built, served and kept on Python 3.11, 3.12 and 3.13
	$(BIN)/python -m tools.wheel

clean: ## remove everything that was made here
	rm -rf $(VENV) site .site .cache dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -not -path './.git/*' -prune -exec rm -rf {} +
