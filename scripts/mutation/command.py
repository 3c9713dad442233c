"""The command line of scripts/mutate."""
import argparse
import os
import subprocess
import sys

import campaign
import cpp_population
import equivalent
import rtl_detectors
import rtl_population
import schedule_population
import table
from rtl_detectors import HERE, ROOT

POPULATIONS = ("rtl", "cpp", "schedules")
SAMPLE = {"rtl": 14, "cpp": 6, "schedules": 20}


def population_of(name, options, wanted):
    settings = {"module": options.module} | ({} if wanted is None else {"wanted": wanted})
    # What is judged again is a choice from the mutants of whole campaigns, whose seed is 1.
    seed = 1 if options.again else options.seed
    if name == "schedules":
        return schedule_population.SchedulePopulation(seed, **settings)
    kind = rtl_population.RtlPopulation if name == "rtl" else cpp_population.CppPopulation
    return kind(seed, quick=options.quick or bool(options.sample), **settings)


def bad_use(what):
    print(f"mutate: {what}", file=sys.stderr)
    sys.exit(2)


def whole_number(least):
    def read(word):
        if not word.isdigit() or int(word) < least:
            raise argparse.ArgumentTypeError(f"{word}: expected a whole number from {least}")
        return int(word)
    return read


def parse(words):
    class Parser(argparse.ArgumentParser):
        def error(self, message):
            bad_use(message)
    parser = Parser(prog="scripts/mutate", description="see scripts/mutation/README.md")
    parser.add_argument("populations", nargs="*", metavar="|".join(POPULATIONS), help="default: all three")
    parser.add_argument("-j", "--jobs", type=whole_number(1), default=1, help="mutants judged at once")
    parser.add_argument("--module", default="", help="only this module of the RTL, file of C++, or schedules with this word")
    parser.add_argument("--sample", type=whole_number(1), default=None, help="so many mutants of all, by --seed, cheap detectors first")
    parser.add_argument("--again", type=whole_number(1), default=None, metavar="NUMBER",
                        help="judge anew so many of those that were noticed, each by what noticed it then: all must be noticed")
    parser.add_argument("--seed", type=int, default=1, help="which mutants are chosen")
    parser.add_argument("--quick", action="store_true", help="without detectors that take long; a run without it goes on from there")
    parser.add_argument("--table", action="store_true", help="print the tables of the results that are there, and judge nothing")
    parser.add_argument("--keep", action="store_true", help="then put all results that are there into scripts/mutation/judged.jsonl, for the repository")
    options = parser.parse_args(words)
    for name in options.populations:
        if name not in POPULATIONS:
            bad_use(f"{name}: expected {', '.join(POPULATIONS)}")
    return options


def shares(names, sample):
    total = sum(SAMPLE[n] for n in names)
    wanted = {n: sample * SAMPLE[n] // total for n in names}
    wanted[names[-1]] += sample - sum(wanted.values())
    return wanted


def built():
    """Mutants are linked with the objects of the last build."""
    done = subprocess.run(["make", "-q", "all", "build/unit_tests", "build/libsafnet.so.1"], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False,
                          env={k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MAKELEVEL")})
    return done.returncode == 0


def main(words=None):
    options = parse(words)
    names = options.populations or list(POPULATIONS)
    if not options.table and not built():
        bad_use("build/ is out of date; expected: make all build/unit_tests build/libsafnet.so.1")
    if options.keep and (options.sample or options.module):
        bad_use("--keep: expected whole populations, neither --sample nor --module")
    wanted = shares(names, options.sample) if options.sample else dict.fromkeys(names)
    results = campaign.Results(HERE / "results.jsonl")
    rows, proved = [], set()
    try:
        if not options.table:
            rtl_detectors.prepare()
        for name in names:
            population = population_of(name, options, wanted[name])
            if options.again:
                rows += campaign.again(population, results, options.jobs, shares(names, options.again)[name], options.seed)
                continue
            judged = campaign.run(population, results, options.jobs, judge=not options.table)
            if name == "rtl" and not options.sample:
                proved |= equivalent.prove_survivors(population, judged, prove_new=not options.table)
            if options.keep:
                results.keep(population, proved)
            rows += judged
    except KeyboardInterrupt:
        print("mutate: stopped; the same command goes on", file=sys.stderr)
        return 130
    except (FileNotFoundError, ValueError) as problem:
        bad_use(problem)
    return table.show(rows, proved)
