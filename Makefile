# Python 3.11 and make are all that a machine must have: node and npm come as a wheel into .venv.
# Nothing here names an index or a registry: pip's and npm's own configuration decide.
SHELL := /bin/sh
PYTHON ?= python3
SITE := .venv/bin/python -m site_app
export PATH := $(CURDIR)/.venv/bin:$(PATH)
.DEFAULT_GOAL := help
.PHONY: help run build serve dev test test-browsers test-slow faults scale-test capacity bench canary format check spec-check sbom words words-status new-page new-form export lock clean setup-serve setup setup-dev

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' Makefile

run: setup ## set everything up, build what has changed, and serve the site at http://localhost:3000
	@exec $(SITE) run

build: setup ## set everything up and build what has changed, for a service that serves it
	@exec $(SITE) build

serve: setup-serve ## serve what is built, with only those packages that a server needs
	@exec $(SITE) serve

dev: setup ## the same with hot reload: change a Python file and the page follows within seconds
	@exec $(SITE) dev

test: setup-dev ## set everything up and run the tests in two processes, in a real browser too (long forms: make test-slow)
	@.venv/bin/python -m tests.browser.chromium
	@$(SITE) build
	@.venv/bin/python -m pytest -n 2 $(ARGS)

spec-check: setup-dev ## go through what the client's specification counts and names, and say what has changed
	@.venv/bin/python -m tests.spec

test-browsers: setup-dev ## do the visitors' tasks in Chromium, Firefox and WebKit: make test-browsers ARGS=--short
	@.venv/bin/python -m tests.engines $(ARGS)

test-slow: setup-dev ## run the long forms of tests: thousands of inputs, a project that has grown, every form on a network that dies
	@$(SITE) build
	@.venv/bin/python -m pytest -m slow $(ARGS)

faults: setup-dev ## attack the site and break what it leans on, row by row: make faults ROWS="3 16" or ROWS=--short
	@.venv/bin/python -m tests.browser.chromium
	@.venv/bin/python -m tests.faults $(ROWS)

bench: setup-dev ## measure the site and hold it to its bars in 12 minutes: make bench PARTS="pages files"; FULL=1 writes the record
	@.venv/bin/python -m tests.browser.chromium
	@.venv/bin/python -m tests.bench $(if $(FULL),--full) $(PARTS)

scale-test: setup-dev ## two processes behind nginx on PostgreSQL and Redis, each broken under load: make scale-test ROWS=--short
	@.venv/bin/python -m tests.scale $(ROWS)

capacity: setup-dev ## measure what one process carries, what four carry, and what an open page costs; a part of make bench FULL=1
	@.venv/bin/python -m tests.bench --full capacity

canary: setup-dev ## try the site with the newest Reflex, pre-releases too, or with one: make canary REFLEX=0.9.13
	@.venv/bin/python -m tests.browser.chromium
	@.venv/bin/python -m tests.canary $(REFLEX)

format: setup-dev ## set the form of Python files right: order of imports, lengths of lines, what ruff can correct
	@.venv/bin/ruff check --fix --quiet .
	@.venv/bin/ruff format --quiet .

check: setup-dev ## look at the code without running it: style, types, layers, spelling, catalogs
	@.venv/bin/ruff check --quiet .
	@.venv/bin/ruff format --check --quiet .
	@.venv/bin/lint-imports --no-logo
	@.venv/bin/codespell || { echo "A word that is right goes into ignore-words-list under [tool.codespell] in pyproject.toml."; exit 1; }
	@$(SITE) words --check
	@.venv/bin/pyright
	@node_modules/.bin/eslint --cache --cache-location .cache/eslint .
	@node_modules/.bin/tsc
	@.venv/bin/python -m site_app.cli.advisories
	@echo "All checks passed."

sbom: setup-dev ## list what is installed, as CycloneDX: .cache/sbom/python.json and .cache/sbom/npm.json
	@mkdir -p .cache/sbom
	@.venv/bin/cyclonedx-py requirements requirements.txt --output-reproducible --output-file .cache/sbom/python.json
	@cp reflex.lock/*.json .cache/sbom/
	@cd .cache/sbom && npm pkg set version=0.0.0 --loglevel error && \
		npm sbom --sbom-format cyclonedx --package-lock-only --legacy-peer-deps --omit dev --loglevel error > npm.json
	@echo "Written to .cache/sbom/python.json and .cache/sbom/npm.json"

words: setup-serve ## write every text into the catalogs under locales/, keeping what is translated
	@$(SITE) words

words-status: setup-serve ## show how much of each page is translated, and what is not; all of one page: make words-status path=/faq
	@.venv/bin/python -m site_app.cli.translation_report $(path)

new-page: setup ## add a page: make new-page path=/company/careers title="Careers"
	@$(SITE) new-page "$(path)" "$(title)"

new-form: setup ## add a form: make new-form name=job-application title="Job application" page=/company/careers
	@$(SITE) new-form "$(name)" "$(title)" "$(page)"

export: setup ## write the pages into out/ for any static host; SITE_BACKEND_URL says where API and socket are
	@$(SITE) export

lock: setup-dev ## bring requirements*.txt in line with pyproject.toml; renew one package: make lock PACKAGE=httpx, or all: make lock ALL=1
	@.venv/bin/python -m site_app.cli.lock $(PACKAGE) $(if $(ALL),--all)

clean: ## remove what was built and installed; var/, with the leads, stays
	rm -rf .venv .web .states

run dev serve: LISTENS := --listens

setup-serve:
	@$(PYTHON) -m site_app.cli.prepare requirements.txt $(LISTENS)

setup:
	@$(PYTHON) -m site_app.cli.prepare requirements-build.txt $(LISTENS)

setup-dev:
	@$(PYTHON) -m site_app.cli.prepare requirements-dev.txt
	@cmp -s package-lock.json node_modules/.installed || \
		{ npm ci --ignore-scripts --loglevel error && cp package-lock.json node_modules/.installed; }
