# Every target does its own set-up. `make` alone says what there is.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: help lab test site html check notebooks bench lock clean

help:  ## say what there is
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST)

.venv/ready: requirements.lock pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv==0.13.9
	$(BIN)/uv pip install --quiet --python $(BIN)/python --requirement requirements.lock
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --editable .
	touch .venv/ready

lab: .venv/ready  ## open JupyterLab on the series
	$(BIN)/jupyter lab --notebook-dir=. notebooks/00_start_here.ipynb

test: .venv/ready  ## run every test but those in a browser
	$(BIN)/python -m pytest -n auto

# Four jobs, since with two one of them would get nearly all chapters to run.
site: .venv/ready  ## build the site into .site/html
	rm -rf .site/html
	$(BIN)/sphinx-build --jobs 4 --fail-on-warning --quiet --doctree-dir .site/doctrees \
	  --conf-dir docs . .site/html

html: site  ## build the site, and check every page of it
	$(BIN)/python tools/check_site.py .site/html
	$(BIN)/python tools/check_axe.py .site/html
	@echo "open .site/html/index.html"

check: test html  ## run every test, those in a browser as well
	$(BIN)/python -m pytest tests/browser --override-ini addopts=-q -n 2 --ignore=tests/browser/test_latency.py
	$(BIN)/python -m pytest tests/browser/test_latency.py --override-ini addopts=-q

notebooks: .venv/ready  ## run the chapters and store their outputs
	env -u OSFHELPERS_RENDER $(BIN)/python tools/notebooks.py

bench: .venv/ready  ## measure speed, as ratios from one run
	$(BIN)/python benchmarks/run.py

lock: .venv/ready  ## write requirements.lock anew
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --all-extras \
	  --no-annotate --no-header --no-emit-index-url --upgrade pyproject.toml --output-file requirements.lock

clean:  ## remove what was built
	rm -rf .venv .site dist build
