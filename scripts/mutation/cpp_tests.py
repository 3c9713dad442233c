"""Which tests reach which mutants of the C++, and what a mutant that is awake makes them say.

Every mutant notes when it is asked. All tests run once with all mutants asleep; after that a mutant is shown only to the test files
that have reached it, the quickest first.
"""
import concurrent.futures
import hashlib
import json
import os
import shutil
import sys
import threading
import time

from limited_program import new_folder, run
from rtl_detectors import HERE, ROOT

# Files of testbench/program that use the judges.
PROGRAM = ("test_check test_bad_schedules test_second_judge test_replay test_certificates test_timed_certificates test_run test_output "
           "test_graph_files test_refusals test_recognised_files test_interchange test_perfetto test_workload test_deadlock test_one_way "
           "test_describe test_transfers test_unequal_links").split()
# Test files that take longer are asked only about the mutants of the file that they are about.
MOST_SECONDS = {"unit": 20, "program": 40}
MOST_SECONDS_OF_ALL = 90  # of the test files that one mutant is shown to
# What a mutated source begins with: the question that each mutant asks, and a line for each process, of those that were asked.
ASKED = """#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
namespace {
[[maybe_unused]] const int safnet_no_children = unsetenv("LD_PRELOAD");  // compilers that a test starts have no mutants
struct SafnetMutants {
  int awake = std::getenv("SAFNET_MUTANT") == nullptr ? 0 : std::atoi(std::getenv("SAFNET_MUTANT"));
  bool of_this_file = std::getenv("SAFNET_MUTATED") != nullptr && std::getenv("SAFNET_MUTATED") == std::string_view("@path@");
  bool asked[@count@] = {};
  ~SafnetMutants() {
    const char* name = std::getenv("SAFNET_MUTANTS_ASKED");
    std::FILE* file = name == nullptr ? nullptr : std::fopen(name, "a");
    if (file == nullptr) return;
    std::string line = "@path@";
    for (int n = 0; n < @count@; n++) if (asked[n]) line += ' ' + std::to_string(n);
    std::fprintf(file, "%s\\n", line.c_str());
    std::fclose(file);
  }
};
[[maybe_unused]] bool safnet_mutant(int number) {
  static SafnetMutants mutants;
  mutants.asked[number] = true;
  return mutants.awake == number && mutants.of_this_file;
} }
#line 1
"""


def question(path, count):
    return ASKED.replace("@path@", path).replace("@count@", str(count + 1))


def text_of(name):
    """A short hash of the test's source."""
    kind, stem = name.split()
    found = sorted(ROOT.glob(f"testbench/*/{stem}.{'cpp' if kind == 'unit' else 'py'}"))
    return hashlib.sha256(b"".join(p.read_bytes() for p in found)).hexdigest()[:12]


class CppTests:
    """Test files as detectors: "unit test_x" and "program test_x"."""

    def __init__(self, units, program, shared_objects):
        self.units, self.program = units, program
        self.shared = ":".join(map(str, sorted(shared_objects)))
        mutated = sorted(s.with_suffix(".cpp").read_bytes() for s in shared_objects)
        self.cache = HERE / f"asked-{hashlib.sha256(b''.join(mutated)).hexdigest()[:12]}.json"
        self.known = json.loads(self.cache.read_text()) if self.cache.exists() else {}
        self.keeping = threading.Lock()

    def measure(self, names, jobs):
        """Runs these tests with all mutants asleep, unless that has been done since they were written."""
        self.names = set(names)
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            list(pool.map(self.measure_one, [n for n in names if self.known.get(n, {}).get("text") != text_of(n)]))
        # What another mutated source prints is of no interest any more.
        for old in HERE.glob("asked-*.json"):
            if old != self.cache:
                old.unlink()

    def measure_one(self, name):
        folder = new_folder(HERE)
        try:
            began = time.time()
            code, out = self.run_test(name, {"SAFNET_MUTANTS_ASKED": str(folder / "asked")}, 180)
            asked = {}
            for line in (folder / "asked").read_text().splitlines() if (folder / "asked").exists() else ():
                path, *numbers = line.split()
                asked.setdefault(path, set()).update(map(int, numbers))
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        if code not in (0, None):
            print(f"mutate: {name}: left out, since it fails while no mutant is awake: {' '.join(out.split())[-300:]}", file=sys.stderr)
        row = {"text": text_of(name), "passes": code == 0, "seconds": round(time.time() - began, 2), "asked": {p: sorted(n) for p, n in asked.items()}}
        with self.keeping:
            self.known[name] = row
            self.cache.write_text(json.dumps(self.known))

    def that_reach(self, path, number, about):
        """The test files that have asked this mutant: (name, seconds), those about the file first, then the quickest."""
        rows = [(name not in about, row["seconds"], name) for name, row in self.known.items()
                if name in self.names and row["passes"] and number in row["asked"].get(path, ())]
        asked, total = [], 0.0
        for other, seconds, name in sorted(rows):
            total += seconds
            if not other or (seconds <= MOST_SECONDS[name.split()[0]] and total <= MOST_SECONDS_OF_ALL):
                asked.append((name, seconds))
        return asked

    def fails(self, name, seconds, path, number):
        """Whether the test file fails with the mutant awake, or takes six times as long."""
        return self.run_test(name, {"SAFNET_MUTATED": path, "SAFNET_MUTANT": str(number)}, 20 + 6 * seconds)[0] != 0

    def run_test(self, name, settings, seconds):
        kind, stem = name.split()
        if kind == "unit":
            return run([self.units, "-#", "--abort", f"[#{stem}]"], seconds, cwd=ROOT,
                       env=dict(os.environ, LD_PRELOAD=self.shared, **settings))
        folder = new_folder(HERE)
        try:
            # The program is started by a script of its own, so that the mutants are in it alone.
            program = folder / "safnet"
            words = " ".join(f"{key}={value}" for key, value in settings.items())
            program.write_text(f"#!/bin/sh\nLD_PRELOAD={self.shared} {words} exec {self.program} \"$@\"\n")
            program.chmod(0o755)
            return run(["/usr/bin/python3", "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", f"--safnet={program}",
                        f"--basetemp={folder}/tests", f"testbench/program/{stem}.py"], seconds, cwd=ROOT,
                       env=dict(os.environ, PYTHONDONTWRITEBYTECODE="1"))
        finally:
            shutil.rmtree(folder, ignore_errors=True)
