# Python 3.11 and make are all that a machine must have: node and npm come as a wheel into .venv.
# Nothing here names an index or a registry: pip's and npm's own configuration decide.
SHELL := /bin/sh
PYTHON ?= python3
SITE := .venv/bin/python -m site_app
export PATH := $(CURDIR)/.venv/bin:$(PATH)
unexport PYTHONDONTWRITEBYTECODE  # set in many containers: each process of the tests would compile them again, for 3 s and more
.DEFAULT_GOAL := help
.PHONY: help run build serve dev test check spec-check format trial words new export lock release sbom clean setup-serve setup setup-dev

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

test: setup-dev ## set everything up and run the tests, in a real browser too: make test ARGS="tests/unit -x"; SLOW=1: only the slow tests
	@.venv/bin/python -m tests.support.chromium
	@$(SITE) build
	@.venv/bin/python -m pytest $(if $(SLOW),-m slow,-n auto --maxprocesses 4) $(ARGS)

check: setup-dev ## look at the code without running it: style, types, layers, spelling, catalogs
	@.venv/bin/ruff check --quiet .
	@.venv/bin/ruff format --check --quiet .
	@.venv/bin/lint-imports --no-logo
	@.venv/bin/codespell || { echo "A word that is right goes into ignore-words-list under [tool.codespell] in pyproject.toml."; exit 1; }
	@$(SITE) words --check
	@.venv/bin/pyright
	@node_modules/.bin/eslint --cache --cache-location .cache/eslint .
	@node_modules/.bin/tsc
	@.venv/bin/python -m site_app.cli.develop.packages check
	@echo "All checks passed."

spec-check: setup-dev ## go through what the client's specification counts and names, and say what has changed
	@.venv/bin/python -m tests.spec

format: setup-dev ## set the form of Python files right: order of imports, lengths of lines, what ruff can correct
	@.venv/bin/ruff check --fix --quiet .
	@.venv/bin/ruff format --quiet .

trial: setup-dev ## attack, load, break or measure the site: make trial NAME=attacks ARGS="--short 2 5"; without NAME: all names
	@$(if $(filter-out scale publish browsers,$(NAME)),.venv/bin/python -m tests.support.chromium)
	@.venv/bin/python -m tests.trials $(NAME) $(ARGS)

words: setup-serve ## write every text into the catalogs under locales/; STATUS=1: show what is translated; path=/faq: of one page
	@$(SITE) words $(if $(path)$(STATUS),--status $(path))

new: setup ## add a page, a form, an article or a case study: make new KIND=page path=/company/careers title="Careers"; KIND=form name=… title=… page=…; KIND=article title="…"; KIND=case title="…"
	@$(if $(filter page form article case,$(KIND)),,$(error KIND is page, form, article or case))$(SITE) new-$(KIND) $(new-$(KIND))
new-page = "$(path)" "$(title)"
new-form = "$(name)" "$(title)" "$(page)"
new-article = "$(title)"
new-case = "$(title)"

export: setup ## write the pages into out/ for any static host; SITE_BACKEND_URL says where API and socket are
	@$(SITE) export

lock: setup-dev ## bring requirements*.txt in line with pyproject.toml; renew one package: make lock PACKAGE=httpx, or all: make lock ALL=1
	@.venv/bin/python -m site_app.cli.develop.packages lock $(PACKAGE) $(if $(ALL),--all)

release: setup-dev ## make a release of what is committed: make release VERSION=1.2.0
	@.venv/bin/python -m site_app.cli.develop.release $(VERSION)

sbom: setup-dev ## write what a server and its pages need, as CycloneDX: .cache/sbom/python.json and .cache/sbom/npm.json
	@mkdir -p .cache/sbom
	@.venv/bin/cyclonedx-py requirements requirements.txt --output-reproducible --output-file .cache/sbom/python.json
	@cp reflex.lock/*.json .cache/sbom/
	@cd .cache/sbom && npm pkg set version=0.0.0 --loglevel error && \
		npm sbom --sbom-format cyclonedx --package-lock-only --legacy-peer-deps --omit dev --loglevel error > npm.json
	@echo "Written to .cache/sbom/python.json and .cache/sbom/npm.json"

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
