"""What should notice a mutant of the RTL, cheapest first.

A detector is a row of the table in `detectors_of`: its name, the seconds that it takes on the design as it is, and a function
that is given the mutated file in a folder of its own and answers "killed", "survived" or "does not build".
"""
import functools
import hashlib
import json
import os
import pathlib
import re
import shutil
import sys
import threading
import tomllib
from dataclasses import dataclass
from typing import Callable

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import rtl_modules
from limited_program import new_folder, remove_forgotten, run

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
HERE = BUILD / "mutate"
# Networks whose runs are exported and repeated in Icarus, flit by flit and cycle by cycle: (name, seconds, words of `safnet export`).
EXPORTS = (
    ("ring-timetables", 0.4, "ring:4 alltoall --node tdm"),
    ("ring-one-port", 0.5, "ring:5 alltoall --node pifo --ports one --flits 2 --link-latency 1 --messages 2"),
    ("mesh-fifo", 0.7, "mesh:3x2 alltoall --node fifo --hosts empty"),
    ("kautz-timetables", 0.7, "kautz:2,2 allgather --node tdm --flits 2"),
    ("cube-sums-one-port", 0.7, "hypercube:2 allreduce --ports one --flits 3 --link-latency 2"),
    ("unequal-links", 0.7, "timed(ring:4;0-1:latency=3,cycles_per_flit=2) bcast --flits 2"),
    ("tree-allreduce", 1.3, "fat-tree:2,2 allreduce"),
    ("tree-dealt-links", 1.4, "fat-tree:2,2,exponential alltoall --node pifo --algorithm digit-order"),
    ("torus-routers", 1.7, "torus:3x3 alltoall --node pifo"),
    ("mesh-scan-sums", 2.2, "mesh:3x3 partial-multinode-accumulation --active 0,4,7 --flits 2"),
    ("mesh-scan-ranks-known", 0.6, "mesh:2x2 partial-multinode-broadcast --active 0,1,3 --known-ranks --flits 2"),
    ("mesh-scan-split-sums", 0.7, "mesh:2x2 partial-multinode-accumulation --active 0,1,3 --split --flits 4"),
    ("ring-scan", 0.8, "torus:3 partial-multinode-broadcast --active 0,2 --alternating --flits 2"),
    ("torus-scan-one-class", 1.7, "torus:3x3 partial-multinode-accumulation --active 0,2,4,5,7 --single-class --flits 2"),
    ("torus-scan-alternating", 1.9, "torus:3x3 partial-multinode-broadcast --active 0,1,4,8 --split --alternating --flits 4"),
    ("mesh-scan-pass-on-first", 3.0, "mesh:3x3 partial-multinode-broadcast --active 0,1,4,8 --flits 2 --pass-on-first"),
    ("cube-scan", 4.6, "torus:2x2x2 partial-multinode-broadcast --active 0,1,6 --header-flits 1 --flits 2"),
    ("cube-two-injected", 0.9, "hypercube:2 alltoall --node pifo --inject-ports 2"),
    ("ring-sums-free", 0.9, "ring:4 allreduce --flits 4 --messages 2 --ports one --slot free"),
    ("mesh-fifo-shallow", 0.8, "mesh:2x2 alltoall --node fifo --flits 3 --queue-depth 2 --host-depth 2"),
    ("mesh-routers-shallow", 0.7, "mesh:2x2 alltoall --node pifo --flits 3 --messages 4 --queue-depth 2 --host-depth 2 --slot free"),
    ("mesh-grants", 4.0, "mesh:3x3 alltoall --node pifo --ports one --grants on --flits 3 --link-latency 2"),
)
# (bench, parameter), seconds
ICARUS = ((("two_node_bench", ""), 0.35), (("two_node_bench", "FifoNodes=1"), 0.35), (("two_node_bench", "InjectPorts=2"), 0.35),
          (("tdm_bench", ""), 0.4), (("exchange_bench", ""), 0.45), (("scan_bench", ""), 0.55), (("axi_bench", ""), 0.45),
          (("axi_lanes_bench", ""), 0.3))
# Seconds to verilate and compile a bench, and to run its tests.
UNIT_SECONDS = {"rtl_timer_bench": (1.2, 0.1), "rtl_counters_bench": (1.2, 0.1), "rtl_interval_bench": (1.2, 0.1), "rtl_table_bench": (1.3, 0.1),
                "rtl_link_bench": (1.5, 0.2), "rtl_credit_bench": (1.3, 2),
                "rtl_limiter_bench": (2, 1), "rtl_balancer_bench": (2, 0.2), "rtl_places_bench": (2.5, 4), "rtl_order_bench": (5, 15),
                "rtl_tree_sum_bench": (3, 0.5), "rtl_scan_parts_bench": (1.5, 0.5), "rtl_scan_engine_bench": (2, 0.5),
                "rtl_scan_unit_bench": (3, 40), "rtl_tdm_parts_bench": (2.5, 1), "rtl_injection_bench": (6, 0.3),
                "rtl_fifo_bench": (11, 0.6), "rtl_node_bench": (26, 6), "rtl_tdm_bench": (22, 10), "rtl_exchange_scan_bench": (4, 1),
                "rtl_scan_node_bench": (8, 1), "rtl_pair_bench": (14, 1), "rtl_tdm_pair_bench": (8, 1)}
# Programs whose nodes are built from the mutated RTL: (name, seconds, folders of rtl/ that it is for, words of `safnet`, or of the
# unit tests that build nodes).
RUNS = (
    ("exchange", 8, ("exchange",), "run torus:3x3 partial-exchange --active 0,4,5,7"),
    ("exchange-flits", 9, ("exchange",), "run torus:3x3 partial-exchange --active 0,4,5,7 --flits 3"),
    ("whole-routers", 20, ("network",), "run ring:4 alltoall --node pifo --whole-network"),
    ("whole-routers-one-port", 20, ("network",), "run mesh:3x2 alltoall --node pifo --ports one --grants on --whole-network"),
    ("whole-one-way-links", 20, ("network",), "run kautz:2,2 alltoall --node pifo --whole-network"),
    ("whole-timetables", 20, ("network",), "run ring:4 alltoall --node tdm --whole-network"),
    # Nodes that are idle sleep, unless something is on its way on their links: on the fabric alone.
    ("sleep", 12, ("common", "pifo"), "run ring:5 alltoall --node pifo --link-latency 2"),
    ("sleep-fifo", 12, ("fifo",), "run ring:5 alltoall --node fifo --link-latency 2"),
    ("flit-faults", 60, ("scan",), "unit_tests -# [#test_flit_faults]"),
    ("counters", 90, ("common", "pifo"), "unit_tests -# [#test_counters],[#test_wait_graph]"),
    ("unequal-links", 60, ("common", "tdm"), "unit_tests -# [#test_unequal_hardware]"),
    ("lost-packets", 60, ("tdm",), "unit_tests -# [#test_replay]"),
)
# Asked if nothing else has noticed a mutant: it says that a line looks wrong, not what it does wrong.
LAST_RESORT = "lint"
PROOF_SECONDS = 3.5  # of the properties of a module, as a guess


@dataclass
class Detector:
    name: str
    seconds: float
    judge: Callable


class Design:
    """The files of rtl/, and which module contains which."""

    def __init__(self):
        self.files = rtl_modules.files()
        self.order = [ROOT / line for line in run([ROOT / "scripts/rtl_sources.sh", "--hosts"], 60)[1].split()]

    def instances(self, text):
        return rtl_modules.instances(text)

    def contains(self, names, module):
        """Whether the module is one of these, or inside one of them."""
        return module in names or module in rtl_modules.inside(names)


def replaced(sources, mutant):
    """The list with the mutated file in the place of the original of the same name."""
    return [mutant if pathlib.Path(s).name == mutant.name else s for s in sources]


def simulate(command, cwd, passed, work):
    """Compiles for Icarus and runs: the last line must say so, and no line may speak of an error."""
    code, out = run(command, 60, cwd=cwd)
    if code != 0:
        return "does not build"
    code, out = run(["vvp", "-n", work / "simulation"], 20, cwd=cwd)
    lines = out.strip().splitlines()
    if code != 0 or re.search("assert|error|fatal|warning", out, re.I) or not lines or not re.match(passed, lines[-1]):
        return "killed"
    return "survived"


def icarus(design, bench, parameter):
    def judge(mutant, work):
        command = ["iverilog", "-g2012", "-Irtl", "-o", work / "simulation", "-s", f"icarus_{bench}"]
        command += ["-P", f"icarus_{bench}.{parameter}"] if parameter else []
        return simulate(command + replaced(design.order, mutant) + [f"testbench/icarus/icarus_{bench}.sv"], ROOT, f"{bench}: PASS$", work)
    return judge


def make_export(name, words):
    folder = HERE / "exports" / name
    if not (folder / "Makefile").exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        code, out = run([BUILD / "safnet", "export", *words.split(), "-o", folder], 600)
        if code != 0:
            raise SystemExit(f"mutate: safnet export {words}: {out.strip()}")
    return folder


def export_files(folder):
    listed = [p for p in folder.glob("*.f")][0]
    words = listed.read_text().split()
    tests = re.search(r"^TESTBENCH := (.*)$", (folder / "Makefile").read_text(), re.M)[1].split()
    return listed.stem, words, tests


def export(folder):
    def judge(mutant, work):
        network, words, tests = export_files(folder)
        (work / "sources.f").write_text("\n".join(map(str, replaced(words, mutant))) + "\n")
        command = ["iverilog", "-g2012", "-s", f"{network}_testbench", "-o", work / "simulation", "-c", work / "sources.f"]
        return simulate(command + replaced(tests, mutant), folder, f"{network}: PASS", work)
    return judge


@functools.cache
def compiler():
    """clang takes half of the time of g++ for these large sources."""
    return "clang++" if shutil.which("clang++") else "g++"


@functools.cache
def includes():
    verilated = run(["verilator", "--getenv", "VERILATOR_ROOT"], 60)[1].strip() + "/include"
    return ["-isystem", verilated, "-isystem", verilated + "/vltstd"]


MODEL_FLAGS = ("-std=c++20", "-fPIC", "-w", "-DVL_TIME_CONTEXT")


PRECOMPILES = threading.Lock()


def precompiled(optimise):
    """verilated.h, read once: it takes longer than most models."""
    with PRECOMPILES:
        return precompile(optimise)


@functools.cache
def precompile(optimise):
    header = HERE / f"verilated{optimise}.hpp"
    header.write_text("#include <verilated.h>\n")
    made = header.with_suffix(".hpp.pch" if compiler() == "clang++" else ".hpp.gch")
    code, out = run([compiler(), optimise, *MODEL_FLAGS, *includes(), "-x", "c++-header", header, "-o", made], 120)
    if code != 0:
        raise SystemExit(f"mutate: {out}")
    return header


def bench_file(bench):
    return next(ROOT.glob(f"testbench/rtl/*/{bench}.sv"))


class UnitBench:
    """A bench of testbench/rtl with the tests that use it, linked with the objects of the last build of the unit tests."""

    def __init__(self, bench):
        self.bench = bench
        self.headers = {}
        self.tests, needed = [], set()
        for test in sorted(ROOT.glob("testbench/rtl/*/test_*.cpp")):
            used = self.benches_of(test)
            if bench in used:
                self.tests.append((BUILD / "objects" / test.relative_to(ROOT)).with_suffix(".o"))
                needed |= used
        self.others = [BUILD / "rtl" / b / f"V{b}__ALL.a" for b in sorted(needed - {bench})]

    def benches_of(self, path):
        text = path.read_text()
        found = set(re.findall(r'#include "V(rtl_\w+)\.h"', text))
        for header in re.findall(r'#include "(testbench/rtl/[\w/]+\.hpp)"', text):
            found |= self.benches_of(ROOT / header)
        return found

    def judge(self, mutant, work):
        sources = [p for p in self.design.order if "/rtl/host/" not in str(p)]
        folder = work / "model"
        code, out = run(["verilator", "--cc", "-O3", "--assert", "-Wno-fatal", "--prefix", f"V{self.bench}", "--Mdir", folder,
                         "--top-module", self.bench, "-Irtl", "-Itestbench", "rtl/common/lint.vlt", "testbench/rtl/presets.vlt",
                         *replaced(sources, mutant), bench_file(self.bench)], 300, cwd=ROOT)
        if code != 0:
            return "does not build"
        if (folder / f"V{self.bench}.h").read_bytes() != (BUILD / "rtl" / self.bench / f"V{self.bench}.h").read_bytes():
            return "does not build"  # the tests were compiled for another interface
        (folder / "all.cpp").write_text("".join(f'#include "{p.name}"\n' for p in sorted(folder.glob("*.cpp"))))
        optimise = "-O1" if UNIT_SECONDS[self.bench][1] >= 10 and self.bench != "rtl_tdm_bench" else "-O0"
        code, out = run([compiler(), optimise, *MODEL_FLAGS, *includes(), "-include", precompiled(optimise), "-I", folder, "-c",
                         folder / "all.cpp", "-o", folder / "all.o"], 600)
        if code != 0:
            return "does not build"
        linker = ["-fuse-ld=lld"] if shutil.which("ld.lld") else []
        code, out = run(["g++", *linker, "-rdynamic", "-pthread", "-o", work / "tests", *self.tests,
                         BUILD / "objects/testbench/support/catch_main.o", folder / "all.o", *self.others, HERE / "library.a",
                         *sorted((BUILD / "runtime").glob("*.o")), "-lfmt", "-lz", "-ldl", "-lboost_graph", "-lsystemc", "-lcadical",
                         "-lyaml-cpp"], 120)
        if code != 0:
            raise SystemExit(f"mutate: {self.bench}: {out}")
        code, out = run([work / "tests", "--abort"], 20 + 6 * UNIT_SECONDS[self.bench][1])
        return "survived" if code == 0 else "killed"


def whole_run(words):
    def judge(mutant, work):
        root = work / "root"
        root.mkdir()
        for name in ("sim", "cpp_model", "scripts"):
            (root / name).symlink_to(ROOT / name)
        shutil.copytree(ROOT / "rtl", root / "rtl")
        shutil.copy(mutant, next((root / "rtl").rglob(mutant.name)))
        build = work / "build"
        (build / "variants").mkdir(parents=True)
        for header in (BUILD / "variants").glob("precompiled_*.hpp*"):
            (build / "variants" / header.name).symlink_to(header)
        command = words.split() if words.startswith("unit_tests") else ["safnet", *words.split()]
        code, out = run([BUILD / command[0], *command[1:]], 400, env=dict(os.environ, SAFNET_ROOT=str(root), SAFNET_BUILD=str(build)))
        if "building the hardware variant" in out:
            return "does not build"
        return "survived" if code == 0 else "killed"
    return judge


def lint(design):
    """`make lint` fails on what verilator -Wall has to say; the design as it is says nothing."""
    def judge(mutant, work):
        command = ["verilator", "--lint-only", "-Wall", "-Irtl", "--top-module", mutant.stem, "rtl/common/lint.vlt"]
        sources = [p for p in design.order if p.parent.name in ("common", "pifo", "exchange", "fifo", "scan", "tdm", "host")]
        before = run(command + sources, 60, cwd=ROOT)[0]
        after = run(command + replaced(sources, mutant), 60, cwd=ROOT)[0]
        return "killed" if before == 0 and after != 0 else "survived"
    return judge


def builds(design, mutant, work):
    """Whether Verilator accepts it: what no tool accepts is no mutant."""
    top = mutant.stem
    code, _ = run(["verilator", "--lint-only", "-Wno-fatal", "-Wno-lint", "-Wno-style", "-Irtl", "--top-module", top,
                   "rtl/common/lint.vlt", *replaced(design.order, mutant)], 60, cwd=ROOT)
    return code == 0 or top.endswith("_network") or top == "network_wiring"


def prepare():
    """What all mutants are linked with: an archive of the library's objects, which stay where they are."""
    HERE.mkdir(parents=True, exist_ok=True)
    remove_forgotten(HERE)
    objects = sorted(p for top in ("cpp_model", "sim") for p in (BUILD / "objects" / top).rglob("*.o") if p.name != "main.o")
    (HERE / "library.a").unlink(missing_ok=True)
    code, out = run(["ar", "rcsT", HERE / "library.a", *objects], 60)
    if code != 0:
        raise SystemExit(f"mutate: {out}")


@functools.cache
def proved_modules():
    """Modules of which testbench/formal proves something that can be asked quickly."""
    table = tomllib.loads((ROOT / "testbench/formal/proofs.toml").read_text())
    asked = [proof for proof in table["proof"] if proof.get("asked_instead", True)]
    return {module for proof in asked for module in [*proof["modules"], *proof.get("uses", []), *rtl_modules.inside(proof["modules"])]}


def proof():
    """The properties of testbench/formal that speak of the module: one is refuted within some cycles, or none."""
    def judge(mutant, work):
        code, _ = run([ROOT / "scripts/prove", "--instead", mutant], 600, cwd=work)
        return {0: "survived", 1: "killed"}.get(code, "does not build")
    return judge


class Baseline:
    """A detector that rejects the design as it is notices nothing: each is tried on it once, before it judges a mutant."""

    def __init__(self, design):
        self.path = HERE / "baseline.json"
        sources = [p.read_bytes() for what in ("rtl/*/*.sv*", "testbench/**/*.sv*", "testbench/rtl/*.vlt") for p in sorted(ROOT.glob(what))]
        self.state = hashlib.sha256(b"".join(sources) + (BUILD / "safnet").read_bytes()).hexdigest()[:12]
        self.known = json.loads(self.path.read_text()) if self.path.exists() else {}
        if self.known.get("state") != self.state:
            self.known = {"state": self.state}

    def check(self, detector, original):
        if self.known.get(detector.name) == "survived":
            return
        folder = new_folder(HERE)
        try:
            (folder / "work").mkdir()
            shutil.copy(original, folder / original.name)
            verdict = detector.judge(folder / original.name, folder / "work")
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        if verdict != "survived":
            raise SystemExit(f"mutate: {detector.name}: {verdict} on the design as it is; expected: survived")
        self.known[detector.name] = verdict
        self.path.write_text(json.dumps(self.known))


def detectors_of(design, module, most_seconds, only=""):
    """The table of one module; `most_seconds` other than 0 leaves out what takes longer, a name in `only` all others."""
    folder = design.files[module].parent.name
    rows = []
    for (bench, parameter), seconds in ICARUS:
        text = (ROOT / f"testbench/icarus/icarus_{bench}.sv").read_text()
        if design.contains(design.instances(text), module):
            rows.append(Detector(f"icarus {bench}{' ' + parameter if parameter else ''}", seconds, icarus(design, bench, parameter)))
    for name, seconds, words in (e for e in EXPORTS if only in ("", f"export {e[0]}")):
        made = make_export(name, words)
        _, files, tests = export_files(made)
        if any(pathlib.Path(f).stem == module for f in files + tests):
            rows.append(Detector(f"export {name}", seconds, export(made)))
    for bench, seconds in UNIT_SECONDS.items():
        text = bench_file(bench).read_text()
        if design.contains(design.instances(text), module):
            unit = UnitBench(bench)
            unit.design = design
            # A bench of the module itself is more likely to notice than a network with it.
            share = 0.25 if module in design.instances(text) else 1
            rows.append(Detector(f"unit {bench}", share * sum(seconds), unit.judge))
    for name, seconds, folders, words in RUNS:
        if folder in folders:
            rows.append(Detector(f"run {name}", seconds, whole_run(words)))
    if module in proved_modules():
        rows.append(Detector("proof", PROOF_SECONDS, proof()))
    rows = sorted((r for r in rows if not most_seconds or r.seconds <= most_seconds), key=lambda r: r.seconds)
    return [r for r in rows + [Detector(LAST_RESORT, 1, lint(design))] if only in ("", r.name)]
