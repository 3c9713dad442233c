#!/usr/bin/env bash
# Measures the simulation: seconds of a run after its variant is built, node evaluations per second (set-up included), and
# what threads and queue depth change, as ratios of medians within this one run.
# Usage: scripts/benchmark.sh build/safnet [RUNS]
set -eu
safnet=${1:?the program to be measured}
runs=${2:-5}

python3 - "$safnet" "$runs" <<'PY'
import json, statistics, subprocess, sys

safnet, runs = sys.argv[1], int(sys.argv[2])

def once(arguments):
    out = subprocess.run([safnet, "run", *arguments.split(), "--json"], capture_output=True, text=True)
    if out.returncode not in (0,):
        sys.exit(f"{arguments}: {out.stderr or out.stdout}")
    return json.loads(out.stdout)

def measure(*variants):
    """Runs the variants in turn, so that all of them meet the machine in the same moods. Medians of seconds."""
    for arguments in variants:
        once(arguments)  # builds what is missing, warms up
    seconds = {arguments: [] for arguments in variants}
    last = {}
    for _ in range(runs):
        for arguments in variants:
            last[arguments] = once(arguments)
            seconds[arguments].append(last[arguments]["run_seconds"])
    return [(statistics.median(seconds[a]), last[a]) for a in variants]

print(f"medians of {runs} runs, whole runs with table set-up, injection and checks")
print(f"{'run':<58} {'seconds':>8} {'steps':>6} {'M evaluations/s':>16}")
for arguments in ("ring:63 total-exchange", "torus:8x8 total-exchange", "torus:16x16 total-exchange",
                  "torus:16x16 total-exchange --ports one", "hypercube:8 total-exchange --ports one",
                  "linear:1024 broadcast"):
    ((seconds, result),) = measure(arguments)
    rate = result["node_evaluations"] / seconds / 1e6
    print(f"{arguments:<58} {seconds:8.3f} {result['steps']:6} {rate:16.2f}")

base = "torus:16x16 total-exchange --ports one"
for title, other in (("2 threads / 1 thread", base + " --threads 2"),
                     ("queues 4096 deep / 512 deep", base + " --queue-depth 4096")):
    (a, _), (b, _) = measure(base + (" --queue-depth 512" if "deep" in title else ""), other)
    print(f"{title:<58} {b / a:8.2f} of the time")
PY
