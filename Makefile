# Two commands do everything on a fresh Debian, Ubuntu or Raspberry Pi OS: make demo, make test.
PYTHON_BIN := .venv/bin
ONE_THREAD := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1

.PHONY: help demo test check lint types bench hardware camera-lab clean
help:
	@echo "make demo    set up, then play a recorded game: dice read, strokes on the page and in the terminal"
	@echo "make test    set up, then run the tests"
	@echo "make check   format, lint and types (sets up rendering and training too)"
	@echo "make bench   measure this machine"
	@echo "make camera-lab   as root: the real picamera2 on a pretended camera; builds its Debian 13 the first time"
	@echo "make hardware   drawings, labels, printed parts and pictures of hardware/ anew"

demo: .venv/.has-dev
	$(PYTHON_BIN)/pietjesoog demo $(DEMO)

test: .venv/.has-dev
	$(ONE_THREAD) $(PYTHON_BIN)/python -m pytest $(PYTEST)

check: lint types

lint: .venv/.has-dev
	$(PYTHON_BIN)/ruff format --check .
	$(PYTHON_BIN)/ruff check .

types: .venv/.has-train
	$(PYTHON_BIN)/mypy

bench: .venv/.has-dev
	$(ONE_THREAD) $(PYTHON_BIN)/pietjesoog bench $(BENCH)

hardware: .venv/.has-hardware
	sh hardware/build.sh $(HARDWARE)

camera-lab:
	sh tests/lab/camera/run.sh $(CAMERA_LAB_PYTEST)

.venv/.has-dev: pyproject.toml setup.sh
	sh setup.sh dev

.venv/.has-hardware: pyproject.toml setup.sh
	sh setup.sh dev,hardware

.venv/.has-train: pyproject.toml setup.sh
	sh setup.sh dev,train

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis
