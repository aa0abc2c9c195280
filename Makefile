# SPDX-License-Identifier: Apache-2.0
#
#   make          build/talus                   make demo      run a scene worth looking at
#   make test     build and run all tests       make sanitize  the same under ASan and UBSan
#   make coverage line coverage of src/         make format    clang-format on every source
#   make install  PREFIX=/usr/local             make check     format, layers, citations, page
#
# Everything is built by CMake (presets in CMakePresets.json); this file only saves typing.

MAKEFLAGS += --no-print-directory
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
SOURCES = $(shell find include src cli papers bench tests -name '*.[ch]')

.PHONY: all setup demo test sanitize coverage install format check-format check clean

all: setup build/CMakeCache.txt
	@cmake --build build --parallel $(JOBS)

setup:
	@tools/setup

build/CMakeCache.txt: | setup
	@cmake --preset release

build-debug/CMakeCache.txt: | setup
	@cmake --preset debug

build-coverage/CMakeCache.txt: | setup
	@cmake --preset coverage

demo: all
	@build/talus run scenes/demo.yaml -o out/demo --force
	@build/talus plot out/demo >/dev/null
	@build/talus view out/demo --html out/demo/page.html >/dev/null
	@echo "picture: out/demo/final.png, figure: out/demo/plot.svg"
	@echo "page:    out/demo/page.html, to be opened in a browser"

test: all
	@tools/run_tests build

sanitize: setup build-debug/CMakeCache.txt
	@cmake --build build-debug --parallel $(JOBS)
	@tools/run_tests build-debug

coverage: build-coverage/CMakeCache.txt
	@tools/setup all
	@cmake --build build-coverage --parallel $(JOBS)
	@find build-coverage -name '*.gcda' -delete
	@tools/run_tests build-coverage
	@gcovr --root . --filter src/ --object-directory build-coverage

install: all
	@cmake --install build --prefix $(PREFIX)

format:
	@clang-format -i $(SOURCES)

check-format:
	@clang-format --dry-run --Werror $(SOURCES)

check: check-format
	@tools/check_layers
	@tools/check_citations
	@tools/check_page

clean:
	@rm -rf build build-debug build-clang build-coverage out
