# safnet. The two commands that matter: `make run` and `make test`. `make help` lists the rest.

BUILD    := build
CXX      ?= g++
VERILATOR ?= verilator
# Debian's Python, since Debian's pytest is installed for it; another Python may come first in PATH.
PYTHON   ?= /usr/bin/python3
VERILATOR_ROOT := $(shell $(VERILATOR) --getenv VERILATOR_ROOT 2>/dev/null)
VERILATED := $(VERILATOR_ROOT)/include

WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror
# The compiler takes the sources of a unit for headers, in which an unnamed namespace would be a mistake.
WARNINGS += -Wno-subobject-linkage
CPPFLAGS += -I. -I$(BUILD)/generated -isystem $(VERILATED) -isystem $(VERILATED)/vltstd \
            -DVM_TRACE=1 -DVM_TRACE_FST=1 -DVM_COVERAGE=0 -DVM_SC=0 -DVL_TIME_CONTEXT
CXXFLAGS += -std=c++20 -O1 -g1 -pthread -fPIC
LDFLAGS  += -rdynamic -pthread
LDLIBS   += -lfmt -lz -ldl -lboost_graph -lsystemc -lcadical -lyaml-cpp

# SANITIZE=address,undefined or SANITIZE=thread: program, tests and nodes with these sanitizers, in a folder of their own.
comma := ,
ifdef SANITIZE
BUILD         := build/sanitize-$(subst $(comma),-,$(SANITIZE))
SANITIZE_FLAGS := -fsanitize=$(SANITIZE) -fno-omit-frame-pointer $(if $(findstring undefined,$(SANITIZE)),-fno-sanitize-recover=undefined)
# The standard library checks its indices as well.
SANITIZE_FLAGS += -D_GLIBCXX_ASSERTIONS
CXXFLAGS      += $(SANITIZE_FLAGS)
LDFLAGS       += $(SANITIZE_FLAGS)
# GCC 12 takes the instrumented std::regex for a use of uninitialised memory (its bug 105562).
WARNINGS      += -Wno-maybe-uninitialized
# What is built at run time: nodes.
export SAFNET_BUILD := $(CURDIR)/$(BUILD)
export SAFNET_CXXFLAGS := $(SANITIZE_FLAGS)
export SAFNET_SANITIZE := $(SANITIZE)
export ASAN_OPTIONS := detect_leaks=1:detect_stack_use_after_return=0
export UBSAN_OPTIONS := print_stacktrace=1
export TSAN_OPTIONS := halt_on_error=1:suppressions=$(CURDIR)/testbench/support/races_of_libraries.supp
# What others' libraries keep until the end, for the leak sanitizer.
export LSAN_OPTIONS := print_suppressions=0:suppressions=$(CURDIR)/testbench/support/kept_by_libraries.supp
endif

# COVERAGE=1: all counts what of it is reached. Set by `make coverage`, which also says where.
ifdef COVERAGE
BUILD    := build/coverage
# Of our own sources alone: not of the libraries' headers, nor of verilated code.
export SAFNET_GCOV := --coverage '-fprofile-filter-files=(^|/)(sim|cpp_model)/'
CXXFLAGS += $(SAFNET_GCOV)
LDFLAGS  += --coverage
export SAFNET_BUILD := $(CURDIR)/$(BUILD)
export SAFNET_COVERAGE := $(CURDIR)/$(BUILD)/coverage
# These count no toggles: it would take the compiler minutes, and their tests set no counters.
LARGE_BENCHES := rtl_injection_bench rtl_scan_engine_bench
bench_points = $(shell sim/variant/count_coverage.sh --options $(if $(filter $(1),$(LARGE_BENCHES)),,toggles))
endif

MODEL_SOURCES := $(wildcard cpp_model/*/*.cpp cpp_model/*/*/*.cpp)
# The program compiles glue.cpp at run time, into the shared object of each node variant; bindings.cpp is the Python module.
SIM_SOURCES   := $(filter-out sim/command/main.cpp sim/variant/glue.cpp sim/python/bindings.cpp,$(wildcard sim/*/*.cpp))
TEST_SOURCES  := $(filter-out testbench/fuzz/%,$(wildcard testbench/*/*.cpp testbench/rtl/*/*.cpp))
# verilated_fst_c.cpp is part of sim/fabric/wave_writer.cpp.
RUNTIME       := verilated verilated_threads

# A unit of compilation includes several sources of a folder, which takes half the time of compiling each for itself.
# UNIT_BYTES=0 does that: it suits work on a single source.
UNIT_BYTES    ?= 48000
# These stand alone: their macros are not meant for others.
WITH_ROOT     := sim/variant/variant_store sim/report/topology_page testbench/schedule/test_schedule_file \
                 testbench/model/test_forgotten_files
ALONE         := $(WITH_ROOT:%=%.cpp) sim/fabric/wave_writer.cpp sim/command/main.cpp
units_of = $(shell scripts/compilation_units.sh $(BUILD)/units $(2) $(ALONE) -- $(sort $(1)))
LIBRARY_OBJECTS := $(patsubst %,$(BUILD)/objects/%.o,$(call units_of,$(MODEL_SOURCES) $(SIM_SOURCES),$(UNIT_BYTES)))
MAIN_OBJECT     := $(patsubst %,$(BUILD)/objects/%.o,$(call units_of,sim/command/main.cpp,0))
RUNTIME_OBJECTS := $(patsubst %,$(BUILD)/runtime/%.o,$(RUNTIME))
TEST_OBJECTS    := $(patsubst %,$(BUILD)/objects/%.o,$(call units_of,$(TEST_SOURCES),0))

# RTL test benches that are verilated for the unit tests: <name>.sv is the top module <name>, used by the tests as V<name>.h.
RTL_BENCHES := $(sort $(basename $(notdir $(wildcard testbench/rtl/*/rtl_*_bench.sv))))
RTL_SOURCES := $(shell scripts/rtl_sources.sh)
PORT_LISTS  := $(wildcard rtl/*/*.svh testbench/rtl/*.svh)
BENCH_LIBRARIES := $(foreach b,$(RTL_BENCHES),$(BUILD)/rtl/$(b)/V$(b)__ALL.a)

REPORTS := $(BUILD)/reports

.PHONY: all run explore test test-units test-program test-stress coverage differential fuzz lint synth synth-gates icarus bench page \
  format clean help prove prove-quick install install-python reference uninstall install-dependencies
.DEFAULT_GOAL := all

all: $(BUILD)/safnet

help:
	@echo 'make run      install what is missing, build, run collectives and the claims of the papers on the hardware; pages of it all'
	@echo 'make test     the same set-up, then every test: lint, Icarus benches, synthesis, some proofs, unit tests of RTL and C++, the program itself'
	@echo 'make test-units, make test-program   only the unit tests, only the program itself; JUnit in build/reports'
	@echo 'make test-stress   long runs that make test leaves out: nodes of 16 ports, queues full to the last place, high counts'
	@echo 'make explore  a small study of a design space: time and area of six networks; see scripts/explore/README.md'
	@echo 'make          build build/safnet only'
	@echo 'make synth    synthesise a node of each kind with Yosys: gates, logic depth; osu018 cells, um2, ns; renews rtl/node_areas.json'
	@echo 'make lint     layers and shape of the sources; verilator --lint-only -Wall over the parameter space'
	@echo 'make icarus   small networks of each kind in Icarus Verilog'
	@echo 'make prove    properties of the RTL by model checking, each with a mutant that it catches; see testbench/formal/README.md'
	@echo 'make bench    measure the speed of the simulation; AGAINST=COMMIT: and compare it with an older commit'
	@echo 'make coverage what of RTL and C++ the tests reach, as a table and as a page; see testbench/coverage/README.md'
	@echo 'make test SANITIZE=address,undefined   unit and program tests with sanitizers; SANITIZE=thread as well'
	@echo 'make fuzz     libFuzzer and random words on everything that reads what users write; SECONDS=60 for each reader'
	@echo 'make differential   random runs: RTL, SystemC model, checker and a model of steps must agree; CASES=10000, SEED='
	@echo 'make mutate   break the RTL, the judges in C++ and schedules on purpose, and list what nothing notices; hours'
	@echo 'make mutate-again   40 of the mutants that were noticed: what noticed them must do so again; part of make test'
	@echo 'make page     write the table of topologies in cpp_model/graph/family/README.md and its pictures'
	@echo 'make format   clang-format all C++ sources'
	@echo 'make install  program, library, RTL, manual page and completions to PREFIX, /usr/local unless said otherwise; make uninstall'
	@echo 'make install-python   the same and the module for Python; make reference: the interface of the library as HTML'
	@echo 'make clean    remove build/'

# The variables above ask verilator, which may be installed only now: the rest of run and test is a new make.
install-dependencies:
	@scripts/install_dependencies.sh --tests

run:
	@scripts/install_dependencies.sh
	@$(MAKE) --no-print-directory -j$$(nproc) all
	@$(BUILD)/safnet survey --report $(BUILD)/report
	@echo
	@$(BUILD)/safnet verify --report $(BUILD)/report
	@echo
	@$(MAKE) --no-print-directory --output-sync -j$$(nproc) report-optimality report-traffic report-traffic-one-port \
	  report-dynamic-broadcast
	@echo
	@$(BUILD)/safnet table areas --report $(BUILD)/report

# Further pages of build/report; `table areas` comes last, since each renews the index. A sweep has one thread, for several
# run at once.
.PHONY: report-optimality report-traffic report-traffic-one-port report-dynamic-broadcast
report-optimality:
	@$(BUILD)/safnet table optimality --report $(BUILD)/report --csv $(BUILD)/report/optimality.csv \
	  > $(BUILD)/report/optimality.txt || (cat $(BUILD)/report/optimality.txt; false)
	@echo "table optimality: $$(grep '^[0-9]* cells' $(BUILD)/report/optimality.txt)"
report-traffic:
	@$(BUILD)/safnet traffic torus:8x8 uniform --sweep 0.1,0.2,0.3,0.4,0.5,0.6,0.65,0.7,0.75,0.8,0.85 \
	  --report $(BUILD)/report/traffic.html
report-traffic-one-port:
	@$(BUILD)/safnet traffic torus:8x8 uniform --ports one --sweep 0.01:0.08:0.01 \
	  --report $(BUILD)/report/traffic-one-port.html
report-dynamic-broadcast:
	@$(BUILD)/safnet dynamic-broadcast mesh:4x4 --split --sweep 0.1:1.1:0.1 --of-limit --packets 1000 \
	  --report $(BUILD)/report/dynamic-broadcast.html

# The smallest of the studies of scripts/explore.
explore:
	@scripts/install_dependencies.sh --explore
	@$(MAKE) --no-print-directory -j$$(nproc) all
	@$(BUILD)/safnet explore networks-16 -o $(BUILD)/explore/networks-16

# With sanitizers only what they can find something in.
test: install-dependencies
	@$(MAKE) --no-print-directory -j$$(nproc) all $(BUILD)/unit_tests
	$(if $(SANITIZE),,@$(MAKE) --no-print-directory --output-sync -j$$(nproc) lint icarus synth-gates prove-quick)
	@$(MAKE) --no-print-directory test-units
	$(if $(SANITIZE),,@$(MAKE) --no-print-directory mutate-again)
	@$(MAKE) --no-print-directory test-program

test-units: $(BUILD)/unit_tests
	@rm -f $(REPORTS)/unit_tests.xml
	@echo 'unit tests; the assertion messages below are provoked on purpose'
	@PYTHONDONTWRITEBYTECODE=1 $(PYTHON) scripts/run_unit_tests $(BUILD)/unit_tests $(REPORTS)/unit_tests.xml

# Long runs that `make test` leaves out: wide nodes, full queues, high counts.
test-stress: $(BUILD)/unit_tests
	@$(BUILD)/unit_tests '[.stress]' --durations yes

# The tests leave their folders below build/program_tests until the next run.
test-program: $(BUILD)/safnet
	@mkdir -p $(REPORTS)
	@rm -f $(REPORTS)/program_tests.xml
	@PYTHONDONTWRITEBYTECODE=1 $(PYTHON) -m pytest testbench/program -q -n $$(nproc) --safnet=$(BUILD)/safnet \
	  --basetemp=$(BUILD)/program_tests --junitxml=$(REPORTS)/program_tests.xml

lint:
	@scripts/check_layers
	@scripts/lint.sh
icarus:
	@scripts/run_icarus_bench.sh
prove:
	@scripts/install_dependencies.sh --prove
	@mkdir -p build/prove && scripts/prove --ledger build/prove/ledger.jsonl
prove-quick:
	@scripts/prove --quick
# The figures are kept for `safnet table areas`, which has no Yosys to ask.
synth:
	@SYNTHESIS_FOLDER=$(BUILD)/synth scripts/synthesise.sh --cells
	@cp $(BUILD)/synth/nodes.json rtl/node_areas.json && echo 'figures: rtl/node_areas.json'
# Without cells, which take minutes: what every test run checks, and whether the kept figures are of this RTL.
synth-gates:
	@SYNTHESIS_FOLDER=$(BUILD)/synth scripts/synthesise.sh
	@$(PYTHON) scripts/check_node_areas $(BUILD)/synth/gates.json rtl/node_areas.json
# What of RTL and C++ the tests reach: a table, a list of the rest, a page by lcov. A failed test does not end it, but is told.
coverage:
	@scripts/install_dependencies.sh --coverage
	@rm -rf build/coverage/coverage/*.counters && if [ -d build/coverage ]; then find build/coverage -name '*.gcda' -delete; fi
	@$(MAKE) --no-print-directory COVERAGE=1 -j$$(nproc) all build/coverage/unit_tests
	@$(MAKE) --no-print-directory COVERAGE=1 -k -j1 test-units test-stress test-program; failed=$$?; \
	  echo 'the page of findings, by the program that counts and nodes that do not'; \
	  SAFNET_BUILD=$(CURDIR)/build/coverage/uncounted build/coverage/safnet verify --report build/coverage/report --markdown build/coverage/claims.md > build/coverage/verify.txt || failed=1; \
	  $(PYTHON) scripts/coverage_report build/coverage && exit $$failed

bench: $(BUILD)/safnet
	@PYTHONDONTWRITEBYTECODE=1 $(PYTHON) scripts/benchmark $(BUILD)/safnet $(if $(AGAINST),--against $(AGAINST))

# What it is made of is said below; rules from here on wait for it, and make looks up names of files where it reads a rule.
RTL_CONSTANTS := $(BUILD)/generated/rtl_constants.hpp

# Readers of what users write, with libFuzzer and sanitizers, by clang: SECONDS for each reader.
FUZZ_FOLDERS := graph graph/family graph/file graph/recognise graph/drawing schedule interchange system check
FUZZ_SOURCES := $(foreach f,$(FUZZ_FOLDERS),$(wildcard cpp_model/$(f)/*.cpp)) cpp_model/traffic/decimal.cpp \
                cpp_model/traffic/traffic_trace.cpp cpp_model/transform/tighten.cpp \
                cpp_model/algorithm/tools/occupancy.cpp cpp_model/transform/free_running.cpp \
                sim/run/active_nodes.cpp sim/fabric/wave_nodes.cpp
FUZZ_OBJECTS := $(patsubst %,$(BUILD)/fuzz/objects/%.o,\
                $(shell scripts/compilation_units.sh $(BUILD)/fuzz/units $(UNIT_BYTES) $(ALONE) -- $(sort $(FUZZ_SOURCES)))) \
                $(BUILD)/fuzz/objects/testbench/fuzz/fuzz_readers.o
FUZZ_FLAGS   := -std=c++20 -O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all
SECONDS_EACH  = $(if $(SECONDS),$(SECONDS),60)
$(BUILD)/fuzz/objects/%.o: $(BUILD)/fuzz/units/%.cpp | $(RTL_CONSTANTS)
	@mkdir -p $(@D)
	@echo '  compile  $* for fuzzing'
	@clang++-16 -I. -I$(BUILD)/generated $(FUZZ_FLAGS) -fsanitize=fuzzer-no-link -MMD -MP -c -o $@ $<
$(BUILD)/fuzz/objects/testbench/fuzz/%.o: testbench/fuzz/%.cpp | $(RTL_CONSTANTS)
	@mkdir -p $(@D)
	@clang++-16 -I. -I$(BUILD)/generated $(FUZZ_FLAGS) -fsanitize=fuzzer-no-link -MMD -MP -c -o $@ $<
$(BUILD)/fuzz/readers: $(FUZZ_OBJECTS)
	@clang++-16 $(FUZZ_FLAGS) -fsanitize=fuzzer -o $@ $^ -lfmt -lz -lboost_graph -lyaml-cpp
fuzz:
	@scripts/install_dependencies.sh --fuzz
	@$(MAKE) --no-print-directory -j$$(nproc) $(BUILD)/fuzz/readers $(BUILD)/safnet
	@scripts/fuzz $(BUILD)/fuzz $(SECONDS_EACH)
# RTL, SystemC model, checker and a model of steps on random runs.
differential: $(BUILD)/safnet
	@scripts/differential $(BUILD)/safnet --cases $(if $(CASES),$(CASES),10000) --seed $(if $(SEED),$(SEED),$$(date +%Y%m%d))

page: $(BUILD)/safnet
	@scripts/update_topologies_page.sh $(BUILD)/safnet

$(BUILD)/safnet: $(MAIN_OBJECT) $(LIBRARY_OBJECTS) $(RUNTIME_OBJECTS)
	@echo '  link     $@'
	@$(CXX) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/unit_tests: $(TEST_OBJECTS) $(LIBRARY_OBJECTS) $(RUNTIME_OBJECTS) $(BENCH_LIBRARIES)
	@echo '  link     $@'
	@$(CXX) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(TEST_OBJECTS): CPPFLAGS += $(foreach b,$(RTL_BENCHES),-isystem $(BUILD)/rtl/$(b))
$(TEST_OBJECTS): | $(BENCH_LIBRARIES)
# Verilated headers are system headers, which -MMD leaves out.
$(filter $(BUILD)/objects/testbench/rtl/%,$(TEST_OBJECTS)): $(BENCH_LIBRARIES)
# -O1: tests compile in two thirds of the time, which matters more than how fast they run.
$(TEST_OBJECTS): CXXFLAGS += -O1

# Only these are given the path of the checkout; ccache can share all other objects between checkouts.
$(WITH_ROOT:%=$(BUILD)/objects/%.o): \
  CPPFLAGS += -DSAFNET_ROOT='"$(CURDIR)"'

# What was compiled with other flags, of those that all sources have, or in another folder, is compiled anew. $(1): a file below
# build, which is written when the variable $(2) is not what it has; $(3): what waits for it.
define remembered
ifneq ($$(strip $$(file <$(1))),$$(strip $$($(2))))
$(1): FORCE
endif
$(1):
	@mkdir -p $$(@D) && printenv $(2) > $$@
$(3): $(1)
endef
.PHONY: FORCE
export COMPILED_WITH := $(CXX) $(shell $(CXX) -dumpfullversion 2>/dev/null) $(CPPFLAGS) $(CXXFLAGS) $(WARNINGS)
export COMPILED_IN := $(CURDIR)
$(eval $(call remembered,$(BUILD)/compiled_with,COMPILED_WITH,$(LIBRARY_OBJECTS) $(MAIN_OBJECT) $(TEST_OBJECTS) $(RUNTIME_OBJECTS)))
$(eval $(call remembered,$(BUILD)/compiled_in,COMPILED_IN,$(WITH_ROOT:%=$(BUILD)/objects/%.o)))

# Constants that the C++ code shares with the RTL are taken from the RTL's packages.
$(RTL_CONSTANTS): scripts/rtl_constants.awk $(wildcard rtl/*/*_pkg.sv)
	@mkdir -p $(@D)
	@awk -f $< $(filter %_pkg.sv,$^) > $@.tmp && mv $@.tmp $@

# Pages for browsers: their parts in sim/page, and Debian's Chart.js (package libjs-chart.js), as texts of the program.
CHART_JS    := /usr/share/javascript/chart.js/chart.min.js
PAGE_ASSETS := $(BUILD)/generated/page_assets.hpp
$(PAGE_ASSETS): scripts/page_assets.sh $(CHART_JS) $(wildcard sim/page/*.js sim/page/*.html sim/page/*.css)
	@mkdir -p $(@D)
	@$< $(CHART_JS) > $@.tmp && mv $@.tmp $@

# Headers that nearly all sources need are read once. A precompiled header serves compilations with its own flags alone:
# there is one for tests and one for everything else. $(1): its source, $(2): the objects that it serves
define precompiled_header
$(BUILD)/$(1).gch: $(1) cpp_model/system/precompiled.hpp $(BUILD)/compiled_with
	@mkdir -p $$(@D)
	@echo '  compile  $$<'
	@echo '#include "$(1)"' > $$(@:.gch=)
	@$$(CXX) $$(CPPFLAGS) $$(CXXFLAGS) $$(WARNINGS) -x c++-header -o $$@ $$(@:.gch=)
$(2): $(BUILD)/$(1).gch
$(2): PRECOMPILED := -include $(BUILD)/$(1)
endef
$(eval $(call precompiled_header,cpp_model/system/precompiled.hpp,$(LIBRARY_OBJECTS) $(MAIN_OBJECT)))
# catch_main includes Catch2 in its own way.
$(eval $(call precompiled_header,testbench/support/precompiled.hpp,\
  $(filter-out $(BUILD)/objects/testbench/support/catch_main.o,$(TEST_OBJECTS))))
$(BUILD)/testbench/support/precompiled.hpp.gch: CXXFLAGS += -O1

$(BUILD)/objects/%.o: $(BUILD)/units/%.cpp | $(RTL_CONSTANTS) $(PAGE_ASSETS)
	@mkdir -p $(@D)
	@echo '  compile  $*'
	@$(CXX) $(PRECOMPILED) $(CPPFLAGS) $(CXXFLAGS) $(WARNINGS) -Winvalid-pch -MMD -MP -c -o $@ $<

# GTKWave's writer, which Verilator brings with it, stores words where they come to lie.
ifdef SANITIZE
$(BUILD)/objects/sim/fabric/wave_writer.o: CXXFLAGS += $(if $(findstring undefined,$(SANITIZE)),-fno-sanitize=alignment)
endif

# Debian's SystemC was built as C++17 and refuses to link with users of another standard. Only these include it.
SYSTEMC_STANDARD := -DSC_CPLUSPLUS=201703L
$(BUILD)/objects/cpp_model/systemc/%.o $(BUILD)/objects/sim/systemc/%.o $(BUILD)/objects/testbench/sim/test_network_module.o: \
  CPPFLAGS += $(SYSTEMC_STANDARD)

$(BUILD)/runtime/%.o: $(VERILATED)/%.cpp
	@mkdir -p $(@D)
	@echo '  compile  $(notdir $<)'
	@$(CXX) $(CPPFLAGS) $(CXXFLAGS) -w -c -o $@ $<

# One source, so that *Slow.cpp cannot have an optimisation of its own.
BENCH_OPTIMISATION := $(if $(COVERAGE),-O0,-O1)
BENCH_EVENTS := $(if $(COVERAGE),$(wildcard testbench/coverage/*_events.sv))
BENCH_FLAGS := $(if $(COVERAGE),-I$(CURDIR)) -std=c++20 -fPIC -DVL_TIME_CONTEXT
# One verilated library per RTL test bench. Its sources are compiled as one, since each by itself reads the headers anew.
define bench_rule
$(BUILD)/rtl/$(1)/V$(1)__ALL.a: $(wildcard testbench/rtl/*/$(1).sv) testbench/rtl/presets.vlt $(RTL_SOURCES) $(PORT_LISTS)
	@mkdir -p $$(@D)
	@echo '  verilate $(1)'
	@($(VERILATOR) --cc -O3 --assert -Wall $(call bench_points,$(1)) -CFLAGS "$(BENCH_FLAGS)" --prefix V$(1) --Mdir $$(@D) \
	  --top-module $(1) -Irtl -Itestbench rtl/common/lint.vlt testbench/rtl/presets.vlt \
	    $(abspath $(RTL_SOURCES) $(BENCH_EVENTS)) $(wildcard testbench/rtl/*/$(1).sv) && \
	  $(if $(COVERAGE),sim/variant/count_coverage.sh $$(@D) V$(1) $(SAFNET_COVERAGE) &&) \
	  make --no-print-directory -C $$(@D) -f V$(1).mk VM_PARALLEL_BUILDS=0 OPT_FAST=$(BENCH_OPTIMISATION) OPT_GLOBAL= \
	    V$(1)__ALL.a) > $$(@D)/build.log 2>&1 || (cat $$(@D)/build.log; false)
endef
$(foreach b,$(RTL_BENCHES),$(eval $(call bench_rule,$(b))))

# The library, whose headers are those of sim/library, and those of sim/systemc for users of SystemC. It is loaded by a name that says its major version.
VERSION := $(shell sed -n 's/.*kVersion = "\(.*\)".*/\1/p' cpp_model/system/version.hpp)
LIBRARY_HEADERS := sim/library/topology.hpp sim/library/task.hpp sim/library/bound.hpp sim/library/plan.hpp \
                   sim/library/run.hpp sim/library/trace.hpp sim/library/verdict.hpp \
                   sim/systemc/network_packet.hpp sim/systemc/network_module.hpp sim/systemc/tlm_adapter.hpp \
                   sim/systemc/axi_stream_adapter.hpp
LIBRARY := libsafnet.so.$(firstword $(subst ., ,$(VERSION)))
$(BUILD)/$(LIBRARY): $(LIBRARY_OBJECTS) $(RUNTIME_OBJECTS)
	@echo '  link     $@'
	@$(CXX) $(LDFLAGS) -shared -Wl,-soname,$(LIBRARY) -o $@ $^ $(LDLIBS)

# RTL, judges in C++ and schedules broken on purpose: scripts/mutation/README.md. It goes on where it was stopped.
.PHONY: mutate mutate-again
mutate: install-dependencies
	@$(MAKE) --no-print-directory -j$$(nproc) all $(BUILD)/unit_tests $(BUILD)/$(LIBRARY)
	@scripts/mutate -j $$(nproc)
# 40 mutants that a campaign has seen noticed: what noticed them must do so again.
mutate-again:
	@$(MAKE) --no-print-directory -j$$(nproc) all $(BUILD)/unit_tests $(BUILD)/$(LIBRARY)
	@scripts/mutate --again 40 -j $$(nproc)

# What a user needs: the program, the library and its headers, and what nodes are built from (rtl/, the glue of sim/variant and
# the headers that it includes) in PREFIX/share/safnet. What is installed keeps the nodes that it builds in ~/.cache/safnet.
PREFIX  ?= /usr/local
SHARED  := $(DESTDIR)$(PREFIX)/share
LIBRARIES := $(DESTDIR)$(PREFIX)/lib
install: $(BUILD)/safnet $(BUILD)/$(LIBRARY)
	@scripts/command_pages.py $(BUILD)/safnet $(BUILD)/pages
	@install -d $(DESTDIR)$(PREFIX)/bin $(LIBRARIES)/pkgconfig $(DESTDIR)$(PREFIX)/include/safnet $(SHARED)/safnet $(SHARED)/man/man1 $(SHARED)/bash-completion/completions \
	  $(SHARED)/zsh/vendor-completions $(SHARED)/doc/safnet
	@install -m 755 $(BUILD)/safnet $(DESTDIR)$(PREFIX)/bin/safnet
	@install -m 755 $(BUILD)/$(LIBRARY) $(LIBRARIES)/$(LIBRARY)
	@ln -sf $(LIBRARY) $(LIBRARIES)/libsafnet.so
	@for h in $(LIBRARY_HEADERS); do \
	  sed 's,"sim/\(library\|systemc\)/,"safnet/,' $$h > $(DESTDIR)$(PREFIX)/include/safnet/$$(basename $$h); done
	@printf '%s\n' 'prefix=$(PREFIX)' 'Name: safnet' 'Description: collective communication on real routers' \
	  'Version: $(VERSION)' 'Cflags: -I$${prefix}/include' 'Libs: -L$${prefix}/lib -lsafnet' > $(LIBRARIES)/pkgconfig/safnet.pc
	@printf '%s\n' 'Name: safnet-systemc' 'Description: networks as modules of SystemC platforms' 'Version: $(VERSION)' \
	  'Requires: safnet' 'Cflags: $(SYSTEMC_STANDARD)' 'Libs: -lsystemc' > $(LIBRARIES)/pkgconfig/safnet-systemc.pc
	@tar -c $(INSTALLED_SOURCES) | tar -x -C $(SHARED)/safnet
	@install -m 644 $(BUILD)/pages/safnet.1 $(SHARED)/man/man1/safnet.1
	@install -m 644 $(BUILD)/pages/safnet.bash $(SHARED)/bash-completion/completions/safnet
	@install -m 644 $(BUILD)/pages/_safnet $(SHARED)/zsh/vendor-completions/_safnet
	@install -m 644 README.md LICENSE $(SHARED)/doc/safnet
	@echo 'installed: $(DESTDIR)$(PREFIX)/bin/safnet $(VERSION)'

# The module for Debian's Python; it finds the library three folders further up.
PACKAGES := $(LIBRARIES)/python3/dist-packages
$(BUILD)/_safnet.so: sim/python/bindings.cpp $(LIBRARY_HEADERS) cpp_model/system/version.hpp $(BUILD)/$(LIBRARY)
	@scripts/install_dependencies.sh --library
	@echo '  compile  sim/python/bindings'
	@$(CXX) -I. $$($(PYTHON)-config --includes) -std=c++20 -O1 -fPIC -fvisibility=hidden -Wall -Wextra -shared -o $@ $< \
	  $(BUILD)/$(LIBRARY) -Wl,-rpath,'$$ORIGIN/../../..'
install-python: install $(BUILD)/_safnet.so
	@install -d $(PACKAGES)/safnet
	@install -m 755 $(BUILD)/_safnet.so $(PACKAGES)/safnet/_safnet.so
	@install -m 644 sim/python/safnet/__init__.py sim/python/safnet/__init__.pyi sim/python/safnet/py.typed $(PACKAGES)/safnet
	@echo 'installed: $(PACKAGES)/safnet'
# The library's interface as HTML, by doxygen; a member without a comment is an error.
reference:
	@scripts/install_dependencies.sh --library
	@mkdir -p $(BUILD)/reference
	@printf '%s\n' 'PROJECT_NAME=safnet' 'PROJECT_NUMBER=$(VERSION)' 'INPUT=$(LIBRARY_HEADERS) sim/library/README.md' \
	  'OUTPUT_DIRECTORY=$(BUILD)/reference' 'GENERATE_LATEX=NO' 'QUIET=YES' 'WARN_AS_ERROR=FAIL_ON_WARNINGS' \
	  'JAVADOC_AUTOBRIEF=YES' 'USE_MDFILE_AS_MAINPAGE=sim/library/README.md' | doxygen -
	@echo 'reference: $(BUILD)/reference/html/index.html'
uninstall:
	rm -rf $(PACKAGES)/safnet $(DESTDIR)$(PREFIX)/bin/safnet $(DESTDIR)$(PREFIX)/include/safnet $(LIBRARIES)/libsafnet.so* \
	  $(LIBRARIES)/pkgconfig/safnet*.pc $(SHARED)/safnet $(SHARED)/man/man1/safnet.1 $(SHARED)/doc/safnet \
	  $(SHARED)/bash-completion/completions/safnet $(SHARED)/zsh/vendor-completions/_safnet
# Nodes are compiled from the headers, studies and syntheses are scripts. The topologies' page is read by `safnet list`.
INSTALLED_SOURCES = $(wildcard rtl/*/*.sv rtl/*/*.svh rtl/*/*.f rtl/*/*.vlt) rtl/node_areas.json \
  $(wildcard sim/*/*.hpp cpp_model/*/*.hpp cpp_model/*/*/*.hpp) sim/variant/glue.cpp sim/variant/build_variant.sh \
  scripts/rtl_constants.awk scripts/explore $(wildcard scripts/synthesise_node*)

format:
	clang-format -i $$(git ls-files '*.cpp' '*.hpp')
clean:
	rm -rf $(BUILD)

-include $(FUZZ_OBJECTS:.o=.d) $(LIBRARY_OBJECTS:.o=.d) $(TEST_OBJECTS:.o=.d) $(MAIN_OBJECT:.o=.d)
