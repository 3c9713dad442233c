"""The mutants of the C++ that judges.

All mutants of a file are compiled at once, into a shared object whose functions come before those of the library; the
environment variables SAFNET_MUTATED and SAFNET_MUTANT say which mutant of which file is awake. cpp_tests.py says what should notice.
"""
import concurrent.futures
import os
import pathlib
import re
import shutil
import threading

import cpp_rules
from cpp_tests import PROGRAM, CppTests, question
from limited_program import new_folder, run
from rtl_detectors import BUILD, HERE, ROOT, includes
from rtl_population import in_turn, quotas

MUTANTS = 320
SOURCES = ("cpp_model/check/*.cpp", "cpp_model/bound/*.cpp", "sim/run/account.cpp", "sim/run/verdict.cpp", "cpp_model/graph/file/*.cpp",
           "cpp_model/schedule/streamed_file.cpp", "cpp_model/schedule/schedule_reader.cpp", "cpp_model/interchange/*.cpp")
# The first that matches: tests that are about the file, which a quick run asks alone.
ABOUT = (
    (r"check/forwarding", "test_forwarding test_schedule_check"),
    (r"check/validator", "test_validator"),
    (r"check/collective", "test_schedule_check test_schedule_check_oracle test_collective test_validator"),
    (r"check/deadlock", "test_deadlock"),
    (r"check/", "test_schedule_check test_schedule_check_oracle test_validator test_replay test_replay_sums"),
    (r"bound/certificate|bound/bound_witness", "test_certificate test_bound_witness test_lower_bound"),
    (r"bound/routed", "test_routed_bound test_optimal_routers test_bound_witness test_lower_bound"),
    (r"bound/partial", "test_partial_broadcast_time test_partial_broadcast_plan"),
    (r"bound/scatter|bound/flow|bound/unrolled|bound/demand", "test_scatter_bound test_dissemination_bound test_brute_force test_bound_witness test_lower_bound test_fewest_steps test_flow_scatter"),
    (r"bound/timed", "test_unequal_links test_lower_bound test_bound_witness"),
    (r"bound/broadcast|bound/branches|bound/dynamic", "test_broadcast_bound test_routed_bound test_brute_force test_lower_bound test_bound_witness"),
    (r"bound/gossip", "test_dissemination_bound test_optimal_gossip test_lower_bound test_bound_witness"),
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
# The same of tests of the program.
ABOUT_IN_PROGRAM = (
    (r"bound/", "test_certificates"), (r"check/", "test_second_judge"), (r"perfetto", "test_perfetto"), (r"graph/file", "test_graph_files"),
)
FLAGS = ("-I.", "-Ibuild/generated", "-DVM_TRACE=1", "-DVM_TRACE_FST=1", "-DVM_COVERAGE=0", "-DVM_SC=0", "-DVL_TIME_CONTEXT", "-std=c++20",
         "-O0", "-pthread", "-fPIC", "-w", "-D_GLIBCXX_ASSERTIONS")
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
                text = file.read_text()
                edits = cpp_rules.edits_of(path, text)
                if edits:
                    self.texts[path], self.candidates[path] = text, in_turn(edits, f"{seed}:{path}")
        self.seed = seed
        quota = quotas({p: len(c) for p, c in self.candidates.items()}, wanted, seed)
        self.quota = {p: share for p, share in quota.items() if module in ("", p, pathlib.Path(p).stem)}
        self.ready = False
        self.expected = None  # pairs of a file and the only test that is asked
        self.preparing = threading.Lock()  # of mutants that are judged at once, one prepares what all share

    def groups(self):
        return [(p, self.candidates[p], self.quota[p]) for p in sorted(self.quota)]

    def describe(self, edit):
        return edit.describe(self.texts[edit.path])

    def prepare(self):
        """The unit tests and the program again, with the library as a shared object; all mutants; which tests reach them."""
        if self.ready:
            return
        self.ready = True
        sources = [p for p in ROOT.glob("testbench/*/*.cpp") if p.parent.name != "fuzz"]
        objects = [BUILD / "objects" / p.relative_to(ROOT).with_suffix(".o") for p in sorted(sources)]
        runtime = sorted((BUILD / "runtime").glob("*.o"))
        library = [BUILD / "libsafnet.so.1", f"-Wl,-rpath,{BUILD}"]
        units, program = HERE / "unit_tests", HERE / "safnet"
        for made, parts in ((units, objects), (program, [BUILD / "objects/sim/command/main.o"])):
            code, out = run(["g++", *(["-fuse-ld=lld"] if shutil.which("ld.lld") else []), "-rdynamic", "-pthread", "-o", made, *parts,
                             *library, *runtime, *LIBRARIES], 300)
            if code != 0:
                raise SystemExit(f"mutate: {out}")
        self.header = HERE / "precompiled.hpp"
        shutil.copy(ROOT / "cpp_model/system/precompiled.hpp", self.header)
        code, out = run(["g++", *FLAGS, *includes(), "-x", "c++-header", self.header, "-o", f"{self.header}.gch"], 300, cwd=ROOT)
        if code != 0:
            raise SystemExit(f"mutate: {out}")
        jobs = os.cpu_count()
        paths = [path for path, wanted in self.quota.items() if wanted]
        if self.expected is not None:
            paths = sorted({path for path, _ in self.expected})
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            self.compiled = dict(zip(paths, pool.map(self.compile, paths)))
        self.tests = CppTests(units, program, {shared for made in self.compiled.values() for shared, _ in made.values()})
        self.tests.measure(self.names_of_tests(paths), jobs)

    def names_of_tests(self, paths):
        if self.expected is not None:
            return sorted({by for _, by in self.expected})
        if self.quick:
            return sorted({f"unit {name}" for path in paths for name in words_for(ABOUT, path)})
        units = sorted(p.stem for p in ROOT.glob("testbench/*/test_*.cpp") if p.parent.name != "fuzz" and p.stem != "test_stress")
        return [f"unit {name}" for name in units] + [f"program {name}" for name in PROGRAM]

    # ---- all mutants of a file in one shared object ----
    def compile(self, path):
        """{key: (shared object, number)} of the first mutants of the file that do not overlap, half as many more as are wanted, for
        some are none."""
        most = self.quota[path] + self.quota[path] // 2 + 2
        taken = []
        for edit in self.candidates[path]:
            if len(taken) < most and all(edit.end <= other.start or other.end <= edit.start for other in taken):
                taken.append(edit)
        numbers = {e: n for n, e in enumerate(self.candidates[path], 1)}
        shared = new_folder(HERE) / "mutants.so"
        return {edit.key(): (shared, numbers[edit]) for edit in self.link(path, sorted(taken, key=lambda e: e.start), numbers, shared)}

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
            source.write_text(question(path, len(self.candidates[path])) + "".join(pieces) + text[at:])
            code, out = run(["g++", "-include", self.header, *FLAGS, *includes(), "-shared", source, "-o", shared], 300, cwd=ROOT)
            if code == 0:
                return edits
            wrong = {int(n) for n in re.findall(rf"{re.escape(str(source))}:(\d+):\d+: error", out)}
            wrong |= {int(n) for n in re.findall(rf"{re.escape(str(source))}:(\d+):\d+: +required from", out)}
            kept = [e for e in edits if not wrong & set(range(text.count("\n", 0, e.start) + 1, text.count("\n", 0, e.end) + 2))]
            edits = kept if len(kept) < len(edits) else edits[:len(edits) // 2]
        return []

    # ---- judging ----
    def is_quick(self, by):
        """Whether it is a detector that a sample can ask again."""
        return by.startswith("unit ")

    def expect(self, pairs):
        self.expected = pairs

    def judge(self, edit, by=""):
        path = edit.path
        with self.preparing:
            self.prepare()
        if edit.key() not in self.compiled[path]:
            return {"status": "invalid"}
        number = self.compiled[path][edit.key()][1]
        about = {f"unit {name}" for name in words_for(ABOUT, path)} | {f"program {name}" for name in words_for(ABOUT_IN_PROGRAM, path)}
        tests = [test for test in self.tests.that_reach(path, number, about | {by}) if by in ("", test[0])]
        for name, seconds in tests:
            if self.tests.fails(name, seconds, path, number):
                return {"status": "killed", "by": name}
        return {"status": "survived", **({} if tests else {"why": "no test reaches it"})}
