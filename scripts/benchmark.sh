#!/usr/bin/env bash
# Measures the simulation: seconds of a run after its variant is built, node evaluations per second (set-up included), and
# what threads and queue depth change, as ratios of medians within this one run; sends planned, checked, read and written,
# and replayed per second.
# Usage: scripts/benchmark.sh build/safnet [RUNS]
set -eu
safnet=${1:?the program to be measured}
runs=${2:-5}

python3 - "$safnet" "$runs" <<'PY'
import json, os, statistics, subprocess, sys, tempfile, time

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

def json_of(*arguments):
    out = subprocess.run([safnet, *arguments, "--json"], capture_output=True, text=True)
    if out.returncode != 0:
        sys.exit(f"{arguments}: {out.stderr or out.stdout}")
    return json.loads(out.stdout)

def convert(source, target):
    begin = time.monotonic()
    subprocess.run([safnet, "convert", source, target], check=True, capture_output=True)
    return time.monotonic() - begin

print()
print("timetables of total exchange, all-port, packets of one flit, one thread: millions of sends per second, medians of 3")
print(f"{'network':<14} {'M sends':>8} {'MB':>6} {'planned':>8} {'checked':>8} {'read+written':>13} {'the same, .gz':>14} {'replayed':>9}")
with tempfile.TemporaryDirectory() as folder:
    for topology in ("torus:16x16", "torus:32x32"):
        plan, again = os.path.join(folder, "plan.json"), os.path.join(folder, "again.json")
        json_of("plan", topology, "total-exchange", "-o", plan)
        json_of("replay", plan)  # builds what is missing
        plans = [json_of("plan", topology, "total-exchange") for _ in range(3)]
        sends = plans[0]["sends"]
        seconds = [statistics.median(p["plan_seconds"] for p in plans), statistics.median(p["check_seconds"] for p in plans),
                   statistics.median(convert(plan, again) for _ in range(3)),
                   statistics.median(convert(plan, again + ".gz") for _ in range(3)),
                   statistics.median(json_of("replay", plan)["run_seconds"] for _ in range(3))]
        rates = [sends / s / 1e6 for s in seconds]
        print(f"{topology:<14} {sends / 1e6:8.2f} {os.path.getsize(plan) / 1e6:6.0f} {rates[0]:8.1f} {rates[1]:8.1f} "
              f"{rates[2]:13.1f} {rates[3]:14.1f} {rates[4]:9.2f}")
PY
