# Two commands for everyone: `make play` and `make test`. Both set up what they need by themselves.
#
#   make play [BOOK=name] [ARGS=...]   a table, or whatever PLAY= says instead
#   make test                          everything but the long targets, and every shipped book
#   make check                         before each commit: lint, types, fast tests
#   make long                          what takes minutes
#   make bench                         engines and compilation, against others in one run
#   make starts                        how soon commands begin, books are checked, and are again in an editor
#   make profile BOOK=name             which rules of a book take the time, with a picture
#   make load                          tables and moves a second that a server holds, in under three minutes
#   make values | ladder              what players have learned of each book, and how well they do
#   make classics                      the same at games that everybody knows, beside OpenSpiel (`make spiel`)
#   make speed                         how long players think and runs take
#   make siege | audit | licences      servers under attack; weaknesses and licences of what is used
#   make page                          types and unit tests of the page's JavaScript
#   make page-bench                    bytes a move, click to screen, frames a second
#   make shots | rows | golden | clean

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:

PYTHON ?= $(shell command -v python3.11 || command -v python3)
WORKERS ?= 2
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
LOCKED := $(VENV)/.locked
READY := $(VENV)/.ready
BOOK ?=
ARGS ?=
PLAY ?= $(BIN)/rulewright play

.PHONY: siege audit licences page-bench starts
.PHONY: play setup test pytest books page check lint types long bench profile load values ladder classics spiel speed shots rows golden lock clean

play: setup
	$(PLAY) $(BOOK) $(ARGS)

setup: $(READY)

# Two stamps. A changed lock makes the environment afresh, because an upgrade in place would keep packages
# that the lock dropped; a changed pyproject.toml only installs the package again, which takes a second.
$(LOCKED): requirements.lock
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Rulewright needs Python 3.11 or newer; set PYTHON=..." >&2; exit 1; }
	rm -rf $(VENV)
	"$(PYTHON)" -m venv $(VENV)
	$(PIP) install --quiet -r requirements.lock
	touch $@

$(READY): pyproject.toml $(LOCKED)
	$(PIP) install --quiet --no-deps --no-build-isolation -e .
	$(PIP) check
	touch $@

test: page pytest books

pytest: setup
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "not long" $(ARGS)

# The list is read first, so that a failing or empty shelf fails here and does not pass as no books.
books: setup
	@names="$$($(BIN)/rulewright list --names)"; \
	test -n "$$names" || { echo "the shelf is empty" >&2; exit 1; }; \
	failed=""; \
	for name in $$names; do \
	  echo "== $$name"; $(BIN)/rulewright test "$$name" || failed="$$failed $$name"; \
	done; \
	test -z "$$failed" || { echo "failed:$$failed" >&2; exit 1; }

# The page runs without this. Node is asked for only to check it; where it is required, its absence fails.
page:
	@if command -v npm >/dev/null; then \
	  cd tools/page && { test -d node_modules || npm ci --silent --no-audit --no-fund; } && npm run --silent types && npm test --silent; \
	elif [[ "$${RULEWRIGHT_REQUIRE-}" == *node* ]]; then echo "npm is needed to check the page" >&2; exit 1; \
	else echo "npm is not here: the page's types and unit tests are skipped"; fi

check: lint types
	$(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal -m "not long and not browser and not postgres" $(ARGS)

lint: setup
	$(BIN)/ruff check --output-format concise .

types: setup
	$(BIN)/pyright

long: setup
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m long $(ARGS)

bench: setup
	$(BIN)/python bench/run.py $(ARGS)
	$(BIN)/python bench/starts.py

# How soon commands begin and books are checked; make starts ARGS="--against REV" beside an older revision.
starts: setup
	$(BIN)/python bench/starts.py $(ARGS)

profile: setup
	@test -n "$(BOOK)" || { echo "say which: make profile BOOK=name" >&2; exit 1; }
	$(BIN)/python tools/profile_book.py $(BOOK) $(ARGS)

load: setup
	$(BIN)/python bench/load.py $(ARGS)

# What positions of shipped books are worth, learned anew: make values ARGS=raven-road
values: setup
	$(BIN)/python tools/values.py $(ARGS)

# The players of every shipped book against each other, on fresh seeds; hours, gone on with where they were left.
ladder: setup
	$(BIN)/python tools/ladder.py $(ARGS)

# Games that everybody knows, against known opponents; some minutes. OpenSpiel lives beside the locked environment.
classics: setup
	$(BIN)/python tools/classics.py $(ARGS)

# How long hard thinks, what the second core gives, how quick runs are; on a quiet machine.
speed: setup
	$(BIN)/python tools/speed.py $(ARGS)

spiel:
	test -x build/spiel/bin/python || { "$(PYTHON)" -m venv build/spiel && build/spiel/bin/pip install --quiet open_spiel; }

siege: setup
	$(BIN)/python tools/siege.py $(ARGS)

# Known weaknesses of what is locked, as the package index knows them; needs a network.
audit: setup
	$(BIN)/python tools/audit.py $(ARGS)

licences: setup
	@$(BIN)/python tools/licences.py

# Bytes a move, click to screen and frames of the page; make page-bench ARGS="--against REV" beside an older page.
page-bench: setup
	$(BIN)/python bench/page.py $(ARGS)

shots: setup
	$(BIN)/python tools/shots.py $(ARGS)

# Brings the table of packages and modules in ARCHITECTURE.md up to date.
rows: setup
	$(BIN)/python tools/rows.py

# Writes the trees and code of tests/golden as they are now, and the digests of all books; read the diff.
golden: setup
	RULEWRIGHT_UPDATE=1 $(BIN)/python -m pytest -q -n 0 tests/golden

# Resolves pyproject.toml again into exact versions. Only for changing dependencies.
lock:
	"$(PYTHON)" tools/lock.py

clean:
	rm -rf $(VENV) dist build .pytest_cache .ruff_cache .hypothesis .schemathesis
	find . -name __pycache__ -type d -not -path './.git/*' -prune -exec rm -rf {} +
