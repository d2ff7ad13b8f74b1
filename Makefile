# The targets' names are stable: scripts and continuous integration rely on them. `make` lists them.
#
# Two modes from the same sources: ordinary Swift with its runtime linked statically, and Embedded
# Swift, which needs libc (and OpenSSL with TLS) and nothing else. Each build has a scratch folder of
# its own under $(SCRATCH), because the modules of the two modes do not mix.

SWIFT ?= swift
SCRATCH ?= build/scratch
URL ?=
PREFIX ?= /usr/local
DESTDIR ?=

# A crash ends a test at once instead of waiting for somebody at a debugger.
export SWIFT_BACKTRACE := enable=no
export SWIFT SCRATCH URL

RELEASE := $(SWIFT) build -c release

# lld, because gold crashes instead of naming an undefined symbol.
LINK := -Xswiftc -use-ld=lld -Xlinker -s

# The Swift runtime is linked statically. It needs libstdc++, whose archive is found first in a folder that holds
# nothing else; most of it is then dropped. With nothing exported, equal functions folded and relocations packed (for
# glibc 2.36 or later) the command needs 1.5 MB less of resident memory. The runtime's exclusivity checks, which Embedded
# Swift has not either, are what the tests' builds are for: a small file costs 9 % more with them.
STATIC_LIBRARIES := $(abspath $(SCRATCH))/static-libraries
ORDINARY := $(RELEASE) --scratch-path $(SCRATCH)/ordinary --traits TLS --static-swift-stdlib $(LINK) -Xswiftc -L$(STATIC_LIBRARIES) \
  -Xswiftc -Xclang-linker -Xswiftc -static-libgcc -Xswiftc -enforce-exclusivity=unchecked \
  -Xlinker --no-export-dynamic -Xlinker --icf=all -Xlinker -z -Xlinker pack-relative-relocs

# The Unicode tables are deliberately not linked: a stray String comparison fails here, at the link.
# The runtime's exclusivity checks are empty functions in Embedded Swift: what calls them is left out. C has no exceptions
# to unwind for. Equal functions are folded and relocations packed, as above.
EMBEDDED := -Xswiftc -enable-experimental-feature -Xswiftc Embedded \
  -Xswiftc -Xfrontend -Xswiftc -function-sections -Xswiftc -enforce-exclusivity=unchecked \
  -Xswiftc -Osize -Xcc -Os -Xcc -fno-asynchronous-unwind-tables -Xcc -ffunction-sections $(LINK) \
  -Xlinker --icf=all -Xlinker -z -Xlinker pack-relative-relocs

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help run test check build embedded lib static cross docs interface modules parse-driver fuzz manual install uninstall install-lib uninstall-lib deb \
  bench bench-full bench-programs footprint clean

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1|\2/p' Makefile | while IFS='|' read -r name text; \
	do printf '  %-16s %s\n' "$$name" "$$text"; done

run: ## downloads from a loopback server through drops, or from URL=… into this folder
	@scripts/setup run
	@$(MAKE) --no-print-directory build
	@if test -z "$$URL"; then $(ORDINARY) --product rawget-loopback; fi
	@scripts/demo.sh build/rawget $(SCRATCH)/ordinary/release/rawget-loopback

test: ## installs what the tests need and runs them all, on three builds of the command
	@scripts/setup test
	@scripts/test.sh

check: ## format, imports, hygiene, sizes, citations, links; no network, no root
	@scripts/check.sh

build: $(STATIC_LIBRARIES)/libstdc++.a ## build/rawget: ordinary mode, Swift runtime linked statically, stripped
	@mkdir -p build
	$(ORDINARY) --product rawget
	@install -m 755 $(SCRATCH)/ordinary/release/rawget build/rawget
	@scripts/check-needed.sh build/rawget libc.so.6 libm.so.6

$(STATIC_LIBRARIES)/libstdc++.a:
	@mkdir -p $(@D)
	@ln -sf "$$(clang -print-file-name=libstdc++.a)" $@

embedded: ## build/embedded/rawget and rawget-notls: Embedded Swift, verified to need libc (and OpenSSL) only
	$(RELEASE) --scratch-path $(SCRATCH)/embedded --traits TLS $(EMBEDDED) --product rawget
	$(RELEASE) --scratch-path $(SCRATCH)/embedded-notls --disable-default-traits $(EMBEDDED) --product rawget
	@mkdir -p build/embedded
	@install -m 755 $(SCRATCH)/embedded/release/rawget build/embedded/rawget
	@install -m 755 $(SCRATCH)/embedded-notls/release/rawget build/embedded/rawget-notls
	@scripts/check-needed.sh build/embedded/rawget libc.so.6
	@scripts/check-needed.sh build/embedded/rawget-notls libc.so.6

static: ## build/static/rawget: linked with musl, http only, needs nothing
	@scripts/setup static
	@scripts/cross.sh musl build/static/rawget

CROSS := $(addprefix build/cross/rawget-,aarch64 armv7 riscv64)

cross: ## build/cross/rawget-…: the same for aarch64, armv7 and riscv64, tried under user emulation
	@scripts/setup cross
	@for binary in $(CROSS); do scripts/cross.sh $${binary##*-} $$binary || exit; done
	$(SWIFT) build --scratch-path $(SCRATCH)/tests --product rawget-loopback
	@Tests/Cross/run.sh $(SCRATCH)/tests/debug/rawget-loopback $(CROSS)

lib: ## build/lib: librawget.a, librawget.so.N, rawget.h, rawget.pc; their only symbols are those of rawget.h
	$(RELEASE) --scratch-path $(SCRATCH)/embedded --traits TLS $(EMBEDDED) --product RawGetC
	@scripts/lib.sh $(SCRATCH)/embedded/release/libRawGetC.a build/lib

docs: modules ## build/docs/RawGet.doccarchive: what `import RawGet` brings, and how to use it
	@scripts/docs.sh $(SCRATCH)/tests/debug/Modules build/docs

interface: modules ## docs/interface, anew: after a change of what is public in Swift or C
	@scripts/interface.sh write $(SCRATCH)/tests/debug/Modules

modules:
	$(SWIFT) build --scratch-path $(SCRATCH)/tests --target RawGet

parse-driver: ## build/rawget-parse-driver: the parser behind a line protocol, for test programs in any language
	@mkdir -p build
	$(RELEASE) --scratch-path $(SCRATCH)/parse-driver $(LINK) --product rawget-parse-driver
	@install -m 755 $(SCRATCH)/parse-driver/release/rawget-parse-driver build/rawget-parse-driver

fuzz: ## libFuzzer over each harness of fuzz/, or HARNESS=…, for SECONDS=60 each; finds are in build/fuzz/artifacts
	@fuzz/run.sh $(or $(SECONDS),60) $(HARNESS)

manual: build ## docs/rawget.1, anew: after a change of an option or of docs/manual
	@scripts/manual.sh build/rawget >build/rawget.1
	@mv build/rawget.1 docs/rawget.1

install: ## the command, its manual page and completions below PREFIX=/usr/local (and DESTDIR=)
	@test -x build/rawget || $(MAKE) --no-print-directory build
	@scripts/install.sh build/rawget '$(DESTDIR)$(PREFIX)'

uninstall: ## removes what `make install` brought
	@scripts/install.sh --remove '$(DESTDIR)$(PREFIX)'

install-lib: ## rawget.h, librawget.a, librawget.so.N and rawget.pc below PREFIX=/usr/local (and DESTDIR=)
	@test -e build/lib/librawget.a || $(MAKE) --no-print-directory lib
	@scripts/install-lib.sh build/lib '$(PREFIX)' '$(DESTDIR)'

uninstall-lib: ## removes what `make install-lib` brought
	@scripts/install-lib.sh --remove '$(PREFIX)' '$(DESTDIR)'

deb: build ## build/rawget_VERSION_ARCH.deb, a package for Debian and what descends from it
	@scripts/deb.sh build/rawget build

bench: bench-programs ## rawget beside peers and limits: a subset in two minutes; the report is in build/bench
	@Benchmarks/run.py

bench-full: bench-programs ## the same at full size into docs/PERFORMANCE.md: 20 minutes of a quiet machine
	@Benchmarks/run.py --full --write docs/PERFORMANCE.md

footprint: bench-programs static ## sizes, libraries, memory and start-up beside the peers, into docs/FOOTPRINT.md
	@Benchmarks/footprint.py --write docs/FOOTPRINT.md

bench-programs:
	@scripts/setup bench
	@$(MAKE) --no-print-directory build embedded
	$(ORDINARY) --product rawget-bench-heads
	@mkdir -p build/bench/bin
	@install -m 755 $(SCRATCH)/ordinary/release/rawget-bench-heads build/bench/bin/rawget-bench-heads
	@Benchmarks/parsers.sh build/bench/parsers || echo "bench: without picohttpparser and llhttp"

clean: ## removes everything that was built
	rm -rf build
