# Two commands are all a newcomer needs: `make demo` and `make test`. `make help` lists the others.

SWIFT  ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
DEMO   ?= demo

# One optimised build serves everything: pixel loops are some fifty times slower without it, tests included. The Swift
# runtime is linked in, so that the installed program needs no toolchain.
BUILD   = $(SWIFT) build -c release --static-swift-stdlib
PROGRAM = .build/release/flatbed

.PHONY: help deps deps-test build demo test torture asan tsan ubsan format lint check bench bench-stages bench-scale \
  evaluate evaluate-pages test-tools install uninstall clean

help: ## list what can be made
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1	\2/p' Makefile | expand -t 24

deps: ## install what a build needs from Debian, if it is missing
	@Tools/install-deps build

deps-test: ## install what the tests need from Debian, if it is missing
	@Tools/install-deps test

build: deps ## build the program: .build/release/flatbed
	$(BUILD) --product flatbed

demo: export FLATBED_PASSPHRASE_FILE = $(abspath $(DEMO))/passphrase
demo: build ## scan SampleScans into a new protected library under demo/, list it and export it
	@rm -rf "$(DEMO)"
	@mkdir -p "$(DEMO)"
	@umask 077; echo "only a demo's passphrase" >"$$FLATBED_PASSPHRASE_FILE"
	$(PROGRAM) library init --library "$(DEMO)/library" --recovery-file "$(DEMO)/recovery-key"
	$(PROGRAM) scan --library "$(DEMO)/library" --separate SampleScans
	$(PROGRAM) list --library "$(DEMO)/library"
	$(PROGRAM) export --library "$(DEMO)/library" --all -o "$(DEMO)/pages"
	@echo "The pages are in $(DEMO)/pages, the library, encrypted, in $(DEMO)/library, its passphrase in $(DEMO)/passphrase."

test: deps-test ## build and run all tests
	$(SWIFT) build -c release --build-tests
	$(SWIFT) test -c release --skip-build --disable-xctest

torture: deps-test ## every fault in every call, 500 kills, long fuzzing, and builds that leak on purpose
	$(SWIFT) build -c release --build-tests
	FLATBED_TORTURE=1 FLATBED_FUZZ_ROUNDS=2000 $(SWIFT) test -c release --skip-build --disable-xctest \
	  --filter 'FaultTests|CrashTests|KillTests|SealedFileTests|RecordFuzzTests'
	SWIFT="$(SWIFT)" Tests/Leaks/try-leaks

# Tests of keys and library under the sanitizers; leaks are the Swift runtime's own. Each has a build folder of its own.
SANITIZED = --disable-xctest --filter 'LibraryKeysTests|SealedLibraryTests|TrashTests|ConcurrencyTests|RecordFuzzTests'

asan: deps-test ## tests of the library under the address sanitizer
	ASAN_OPTIONS=detect_leaks=0 $(SWIFT) test --scratch-path .build/asan --sanitize address $(SANITIZED)

tsan: deps-test ## tests of the library under the thread sanitizer
	$(SWIFT) test --scratch-path .build/tsan --sanitize thread $(SANITIZED)

ubsan: deps-test ## tests of the library with traps for undefined behaviour in C
	$(SWIFT) test --scratch-path .build/ubsan -Xcc -fsanitize=undefined -Xcc -fsanitize-trap=undefined $(SANITIZED)

PHOTO ?= SampleScans/invoice-on-cloth.jpg
SIZES ?= 3,12,24,48
RUNS  ?= 5

bench: deps ## measure speed, floor and peers beside it: SIZES=3,12,24,48 RUNS=5 COMPARE=result.json
	$(BUILD)
	python3 Benchmarks/bench.py --sizes $(SIZES) --runs $(RUNS) $(if $(COMPARE),--compare "$(COMPARE)")

bench-stages: deps ## time each stage on one photo: PHOTO=FILE
	$(BUILD) --product StageBenchmark
	.build/release/StageBenchmark "$(PHOTO)"

SCANS  ?= 10000
PHOTOS ?= 100

bench-scale: deps ## measure large libraries, folders of photos and the start: SCANS=10000 PHOTOS=100
	$(BUILD) --product flatbed
	$(BUILD) --product MakeLibrary
	python3 Benchmarks/scale.py --scans $(SCANS) --photos $(PHOTOS) --small $$(($(PHOTOS) * 10))

DATA ?= SampleScans
OUT  ?= evaluation
HALF ?=

evaluate: deps ## measure the detector on photos with truth: DATA=DIR OUT=DIR HALF=0-7
	$(BUILD) --product Evaluate
	.build/release/Evaluate quads "$(DATA)" "$(OUT)" $(HALF)

CORNERS ?= true
JOBS    ?= $(shell nproc)
TEXT    ?= yes

evaluate-pages: deps ## measure flat pages, peers beside them: DATA= OUT= HALF= CORNERS=true|found JOBS=2 TEXT=no
	$(BUILD) --product Evaluate
	.build/release/Evaluate pages "$(DATA)" "$(OUT)" $(CORNERS) $(HALF)
	python3 Tools/evaluate/evaluate_pages.py "$(OUT)" --jobs $(JOBS) $(if $(filter no,$(TEXT)),--no-text)

test-tools: ## test the Python part of evaluate-pages, which needs Tools/evaluate/requirements.txt
	python3 -m unittest discover -s Tools/evaluate/tests -t Tools/evaluate

format: ## lay out the source as the project has it
	$(SWIFT) format -i -r Sources Tests Benchmarks Tools Package.swift

lint: ## look for faults of layout and documentation
	$(SWIFT) format lint --strict -r Sources Tests Benchmarks Tools Package.swift

check: lint build test ## what has to pass before a commit

install: build ## install the program, its man page and completions under PREFIX
	install -s -Dm755 $(PROGRAM) "$(DESTDIR)$(PREFIX)/bin/flatbed"
	install -d "$(DESTDIR)$(PREFIX)/share/man/man1" \
	  "$(DESTDIR)$(PREFIX)/share/bash-completion/completions" \
	  "$(DESTDIR)$(PREFIX)/share/zsh/site-functions" \
	  "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d"
	$(PROGRAM) generate man >"$(DESTDIR)$(PREFIX)/share/man/man1/flatbed.1"
	$(PROGRAM) generate bash >"$(DESTDIR)$(PREFIX)/share/bash-completion/completions/flatbed"
	$(PROGRAM) generate zsh >"$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_flatbed"
	$(PROGRAM) generate fish >"$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/flatbed.fish"

uninstall: ## remove what install put there
	rm -f "$(DESTDIR)$(PREFIX)/bin/flatbed" "$(DESTDIR)$(PREFIX)/share/man/man1/flatbed.1" \
	  "$(DESTDIR)$(PREFIX)/share/bash-completion/completions/flatbed" \
	  "$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_flatbed" \
	  "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/flatbed.fish"

clean: ## remove what was built, the demo and the evaluation
	rm -rf .build "$(DEMO)" evaluation
