"""The mutants of the C++ that judges.

All mutants of a file are compiled at once, into a shared object whose functions come before those of the library; the
environment variable SAFNET_MUTANT says which mutant is awake. Tests that are about the file come first, then all that are quick.
"""
import os
import pathlib
import re
import shutil
import sys
import threading
import time

import cpp_rules
from process import new_folder, run
from rtl_detectors import BUILD, HERE, ROOT, includes
from rtl_population import in_turn, quotas

MUTANTS = 320
SOURCES = ("cpp_model/check/*.cpp", "cpp_model/bound/*.cpp", "sim/run/account.cpp", "sim/run/verdict.cpp", "cpp_model/graph/file/*.cpp",
           "cpp_model/schedule/streamed_file.cpp", "cpp_model/schedule/schedule_reader.cpp", "cpp_model/interchange/*.cpp")
# The first that matches: tests that are about the file.
ABOUT = (
    (r"check/forwarding", "test_forwarding test_schedule_check"),
    (r"check/validator", "test_validator"),
    (r"check/collective", "test_schedule_check test_schedule_check_oracle test_collective test_validator"),
    (r"check/", "test_schedule_check test_schedule_check_oracle test_validator test_replay test_replay_sums"),
    (r"bound/certificate|bound/bound_witness", "test_certificate test_bound_witness test_lower_bound"),
    (r"bound/routed", "test_optimal_routers test_bound_witness test_lower_bound"),
    (r"bound/partial", "test_partial_broadcast_time test_partial_broadcast_plan"),
    (r"bound/scatter|bound/flow|bound/unrolled|bound/demand", "test_scatter_bound test_brute_force test_bound_witness test_lower_bound test_fewest_steps test_flow_scatter"),
    (r"bound/timed", "test_unequal_links test_lower_bound test_bound_witness"),
    (r"bound/broadcast|bound/branches|bound/dynamic", "test_broadcast_bound test_brute_force test_lower_bound test_bound_witness"),
    (r"bound/gossip", "test_optimal_gossip test_lower_bound test_bound_witness"),
    (r"bound/", "test_cut_bound test_load_bound test_lower_bound test_brute_force test_bound_witness test_one_way_links"),
    (r"run/account", "test_counters test_run test_network test_accumulate_everywhere"),
    (r"run/verdict", "test_run test_replay test_counters"),
    (r"graph/file|xml_guard", "test_graph_file test_network_formats test_recognise"),
    (r"schedule/", "test_schedule_file test_refused_schedule_files"),
    (r"interchange/msccl|interchange/xml|interchange/round|interchange/transfer", "test_msccl test_interchange"),
    (r"interchange/sccl|interchange/step", "test_sccl test_interchange"),
    (r"interchange/chakra|interchange/protobuf|interchange/perfetto", "test_chakra_trace test_protobuf_message test_interchange"),
    (r"interchange/", "test_interchange test_sccl test_msccl test_recognise"),
)
# These take long, and what they judge by the code of this population the others do too. Those of testbench/rtl judge the RTL.
SLOW = ("test_reference_timetable test_routed_networks test_tdm_network test_routed_bound test_reference_network test_carry_over "
        "test_general_collectives test_claim test_flit_faults test_large_exchange test_claim_jobs").split()
# Tests of the program, for what no unit test notices: files of testbench/program.
PROGRAM = (
    (r"check/|schedule/", "test_check test_bad_schedules test_second_judge test_replay"),
    (r"bound/", "test_certificates test_timed_certificates test_check"),
    (r"run/", "test_run test_output test_replay"),
    (r"graph/file", "test_graph_files test_refusals test_recognised_files"),
    (r"interchange/", "test_interchange test_bad_schedules test_perfetto test_workload"),
)
CHOICE = """#include <cstdlib>
namespace { [[maybe_unused]] bool safnet_mutant(int number) {
  static const int awake = std::getenv("SAFNET_MUTANT") == nullptr ? 0 : std::atoi(std::getenv("SAFNET_MUTANT")); return awake == number; } }
#line 1
"""
FLAGS = ("-I.", "-Ibuild/generated", "-DVM_TRACE=1", "-DVM_TRACE_FST=1", "-DVM_COVERAGE=0", "-DVM_SC=0", "-DVL_TIME_CONTEXT", "-std=c++20",
         "-O0", "-pthread", "-fPIC", "-w")
LIBRARIES = ("-lfmt", "-lz", "-ldl", "-lboost_graph", "-lsystemc", "-lcadical", "-lyaml-cpp")


def words_for(table, path):
    return next((words.split() for pattern, words in table if re.search(pattern, path)), [])


class CppPopulation:
    name = "cpp"

    def __init__(self, seed, wanted=MUTANTS, module="", quick=False):
        self.quick = quick
        self.texts, self.candidates, self.compiled = {}, {}, {}
        for pattern in SOURCES:
            for file in sorted(ROOT.glob(pattern)):
                path = str(file.relative_to(ROOT))
                if module and module not in (path, file.stem):
                    continue
                text = file.read_text()
                edits = cpp_rules.edits_of(path, text)
                if edits:
                    self.texts[path], self.candidates[path] = text, in_turn(edits, f"{seed}:{path}")
        self.seed = seed
        self.quota = quotas({p: len(c) for p, c in self.candidates.items()}, wanted, seed)
        self.ready = False
        self.pass_asleep = {}
        self.most_seconds = {}  # that tests about a file may take, by the shared object
        # Of mutants that are judged at once, one of each file compiles it.
        self.alone = {path: threading.Lock() for path in self.candidates}
        self.preparing = threading.Lock()

    def groups(self):
        return [(p, self.candidates[p], self.quota[p]) for p in sorted(self.quota)]

    def describe(self, edit):
        return edit.describe(self.texts[edit.path])

    def prepare(self):
        """The unit tests and the program again, with the library as a shared object."""
        if self.ready:
            return
        self.ready = True
        self.tests = HERE / "unit_tests"
        sources = [p for p in ROOT.glob("testbench/*/*.cpp") if p.parent.name not in ("rtl", "fuzz")]
        objects = [BUILD / "objects" / p.relative_to(ROOT).with_suffix(".o") for p in sorted(sources)]
        runtime = sorted((BUILD / "runtime").glob("*.o"))
        library = [BUILD / "libsafnet.so.1", f"-Wl,-rpath,{BUILD}"]
        for made, parts in ((self.tests, objects), (HERE / "safnet", [BUILD / "objects/sim/command/main.o"])):
            code, out = run(["g++", *(["-fuse-ld=lld"] if shutil.which("ld.lld") else []), "-rdynamic", "-pthread", "-o", made, *parts,
                             *library, *runtime, *LIBRARIES], 300)
            if code != 0:
                raise SystemExit(f"mutate: {out}")
        self.header = HERE / "precompiled.hpp"
        shutil.copy(ROOT / "cpp_model/system/precompiled.hpp", self.header)
        code, out = run(["g++", *FLAGS, *includes(), "-x", "c++-header", self.header, "-o", f"{self.header}.gch"], 300, cwd=ROOT)
        if code != 0:
            raise SystemExit(f"mutate: {out}")

    # ---- all mutants of a file in one shared object ----
    def compile(self, path):
        """{key: (shared object, number)} of the first mutants of the file, half as many more as are wanted, for some are none."""
        chosen = self.candidates[path][:self.quota[path] + self.quota[path] // 2 + 2]
        folder = new_folder(HERE)
        numbers = {e: n for n, e in enumerate(self.candidates[path], 1)}
        made, batch = {}, 0
        while chosen:
            # Edits that overlap cannot be in one source.
            taken, later, behind = [], [], -1
            for edit in sorted(chosen, key=lambda e: (e.start, e.end)):
                if edit.start >= behind:
                    taken.append(edit)
                    behind = edit.end
                else:
                    later.append(edit)
            batch += 1
            shared = folder / f"batch{batch}.so"
            for edit in self.link(path, taken, numbers, shared):
                made[edit.key()] = (shared, numbers[edit])
            chosen = later
        return made

    def link(self, path, edits, numbers, shared):
        """The edits that compile; lines that the compiler complains of lose theirs."""
        text = self.texts[path]
        source = shared.with_suffix(".cpp")
        while edits:
            pieces, at = [], 0
            for edit in edits:
                old = text[edit.start:edit.end]
                if edit.rule == "statement_missing":
                    piece = f"{{ if (!safnet_mutant({numbers[edit]})) {old} }}"
                else:
                    new = " ".join(edit.new.split())  # lines stay where they are
                    kind = "bool" if edit.rule in cpp_rules.OF_BOOL else ""
                    piece = f"(safnet_mutant({numbers[edit]}) ? {kind}({new}) : {kind}({old}))"
                pieces += [text[at:edit.start], piece]
                at = edit.end
            source.write_text(CHOICE + "".join(pieces) + text[at:])
            code, out = run(["g++", "-include", self.header, *FLAGS, *includes(), "-shared", source, "-o", shared], 300, cwd=ROOT)
            if code == 0:
                return edits
            wrong = {int(n) for n in re.findall(rf"{re.escape(str(source))}:(\d+):\d+: error", out)}
            wrong |= {int(n) for n in re.findall(rf"{re.escape(str(source))}:(\d+):\d+: +required from", out)}
            kept = [e for e in edits if not wrong & set(range(text.count("\n", 0, e.start) + 1, text.count("\n", 0, e.end) + 2))]
            edits = kept if len(kept) < len(edits) else edits[:len(edits) // 2]
        return []

    # ---- judging ----
    def judge(self, edit):
        path = edit.path
        with self.alone[path]:
            if path not in self.compiled:
                with self.preparing:
                    self.prepare()
                self.compiled[path] = self.without_failing(path, self.compile(path))
        if edit.key() not in self.compiled[path]:
            return {"status": "invalid"}
        shared, number = self.compiled[path][edit.key()]
        about = words_for(ABOUT, path)
        code, _ = self.unit_tests(shared, number, about, self.most_seconds[shared])
        if code != 0:
            return {"status": "killed", "by": "unit tests about it"}
        if self.quick:
            return {"status": "survived"}
        others = sorted({p.stem for p in ROOT.glob("testbench/*/test_*.cpp") if p.parent.name != "rtl"} - set(SLOW) - set(about))
        program = words_for(PROGRAM, path)
        for name, tests, files in (("other unit tests", self.unit_tests, others), ("program tests", self.program_tests, program)):
            with self.alone[path]:
                key = (name, str(shared), *files)
                if key not in self.pass_asleep:
                    self.pass_asleep[key] = tests(shared, 0, files)[0] == 0
            if not self.pass_asleep[key]:
                print(f"mutate: {path}: {name} fail while no mutant is awake, and are left out", file=sys.stderr)
            elif tests(shared, number, files)[0] != 0:
                return {"status": "killed", "by": name}
        return {"status": "survived"}

    def without_failing(self, path, made):
        """Less the shared objects with which tests fail while no mutant is awake."""
        for shared in sorted({shared for shared, _ in made.values()}):
            began = time.time()
            code, out = self.unit_tests(shared, 0, words_for(ABOUT, path))
            self.most_seconds[shared] = 20 + 6 * (time.time() - began)
            if code != 0:
                print(f"mutate: {path}: left out mutants of {shared.name}, with which tests fail while none is awake: "
                      f"{' '.join(out.split())[:300]}", file=sys.stderr)
                made = {key: (other, number) for key, (other, number) in made.items() if other != shared}
        return made

    def environment(self, shared, number):
        return dict(os.environ, LD_PRELOAD=str(shared), SAFNET_MUTANT=str(number))

    def unit_tests(self, shared, number, files, seconds=240):
        words = [self.tests, "-#", "--abort", ",".join(f"[#{stem}]" for stem in files)]
        return run(words, seconds, cwd=ROOT, env=self.environment(shared, number))

    def program_tests(self, shared, number, files):
        """The program is started by a script of its own, so that the mutant is in it alone."""
        folder = new_folder(HERE)
        try:
            program = folder / "safnet"
            program.write_text(f"#!/bin/sh\nLD_PRELOAD={shared} SAFNET_MUTANT={number} exec {HERE}/safnet \"$@\"\n")
            program.chmod(0o755)
            return run(["/usr/bin/python3", "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", f"--safnet={program}",
                        f"--basetemp={folder}/tests", *[f"testbench/program/{f}.py" for f in files]], 400, cwd=ROOT,
                       env=dict(os.environ, PYTHONDONTWRITEBYTECODE="1"))
        finally:
            shutil.rmtree(folder, ignore_errors=True)
