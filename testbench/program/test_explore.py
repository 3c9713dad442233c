"""`safnet explore`: what a study is refused for, its points, areas and front, and what is left of it after a kill."""
import csv
import fcntl
import itertools
import json
import os
import pty
import random
import re
import signal
import subprocess
import sys
import time

import pytest

from own_router import make_router

GOOD = {"vary": {"topology": ["linear:2", "ring:3"], "node": "fifo", "queue_depth": [1, 2]}, "work": {"collective": "alltoall"}}


def changed(**changes):
    """GOOD with other values, at its top or, as vary__axis, below "vary"."""
    study = json.loads(json.dumps(GOOD))
    for name, value in changes.items():
        *path, last = name.split("__")
        at = study
        for key in path:
            at = at[key]
        at[last] = value
    return study


@pytest.mark.parametrize("pattern, study", [
    (r"study: 'varies': expected one of ", changed(varies=1)),
    (r"vary: 'toplogy': expected one of topology, ", changed(vary__toplogy=["ring:4"])),
    (r"vary.flits: .*empty", changed(vary__flits={"min": 4, "max": 2})),
    (r"vary.flits: .*such as ", changed(vary__flits={"min": 4, "to": 8})),
    (r"vary.flits: '0': expected whole numbers from 1", changed(vary__flits=[0])),
    (r"vary.flits: 'true'", changed(vary__flits=True)),
    (r"vary.flit_width: '40': expected .*multiples of 32", changed(vary__flit_width=40)),
    (r"vary.topology: '\[\]': expected at least one", changed(vary__topology=[])),
    (r"vary.topology: '--help': expected words", changed(vary__topology="--help")),
    (r"vary.ports: 'two': expected one of all, one", changed(vary__ports="two")),
    (r"vary.queue_depth: 'deep': expected enough or", changed(vary__queue_depth="deep")),
    (r"vary: \d+ points: expected at most 5000", changed(vary__flits={"min": 1, "max": 900}, vary__link_latency={"min": 0, "max": 9})),
    (r"work: 'load': expected one of bytes, collective, messages", changed(work={"collective": "alltoall", "load": 1})),
    (r"work: .*either", changed(work={"collective": "alltoall", "traffic": "uniform"})),
    (r"work.collective: 'partial-exchange': expected one of", changed(work={"collective": "partial-exchange"})),
    (r"objectives: 'latency': expected one that alltoall has", changed(objectives=["latency", "um2"])),
    (r"objectives: 'slow': expected one that uniform has", changed(work={"traffic": "uniform"}, objectives=["slow"], derived={"slow": "2*cycles"})),
    (r"study: 'a.b': expected a text without control", changed(name="a\u0000b")),
    (r"work.bytes: '64': expected bytes with a unit", changed(work={"collective": "alltoall", "bytes": "64"})),
    (r"work.bytes: '64 kb': expected .*kB", changed(work={"collective": "alltoall", "bytes": "64 kb"})),
    (r"work.load: '2': expected flits per node and cycle", changed(work={"traffic": "uniform", "load": 2})),
    (r"objectives: 'speed': expected one of cycles", changed(objectives=["speed"])),
    (r"constraints: 'um2': expected a comparison", changed(constraints=["um2"])),
    (r"constraints: 'speed': expected one of", changed(constraints=["speed < 3"])),
    (r"constraints: '__import__.*': expected numbers", changed(constraints=["__import__('os').getpid() < 3"])),
    (r"within: .*speed.*: expected a list of topology", changed(within=["speed"])),
    (r"most_syntheses: '0': expected a whole number from 1", changed(most_syntheses=0)),
    (r"derived: 'a': expected no circle: a, b ", changed(derived={"a": "b*2", "b": "a+1"})),
    (r"derived: 'ns': expected a new name", changed(derived={"ns": "cycles"})),
    (r"derived.a: 'ns \+': expected an expression", changed(derived={"a": "ns +"})),
])
def test_a_study_is_refused(pattern, study, refuse, folder):
    (folder / "study.json").write_text(json.dumps(study))
    refuse(pattern, "explore study.json -o results")
    assert not (folder / "results").exists()


@pytest.mark.parametrize("pattern, words", [
    (r"'nowhere.json': expected a file with a study, or one of .*networks-16", "explore nowhere.json -o x"),
    (r"'broken.json': line 1: expected JSON", "explore broken.json -o x"),
    (r"expected -o FOLDER", "explore good.json"),
    (r"-o '.*': Not a directory: expected a folder that can be written", "explore good.json -o /dev/null/x"),
    (r"-o '.*': expected a new folder; this one holds another study", "explore good.json -o other"),
    (r"'x': expected a folder with the results of a study", "explore x --best ns"),
    (r"--best: 'nss': expected one of cycles", "explore found --best nss"),
    (r"--best 'latency': no point has this value", "explore found --best latency"),
])
def test_words_are_refused(pattern, words, refuse, folder):
    (folder / "good.json").write_text(json.dumps(GOOD))
    (folder / "broken.json").write_text('{"vary": ')
    (folder / "other").mkdir()
    (folder / "other" / "plan.json").write_text(json.dumps({"study": {}, "program": "", "points": {}}))
    (folder / "found").mkdir()
    (folder / "found" / "points.json").write_text(json.dumps(
        {"format": "safnet-points", "study": GOOD, "objectives": ["ns"], "points": []}))
    refuse(pattern, words)


def test_a_missing_tool_is_named_with_its_package(safnet, folder, monkeypatch):
    (folder / "good.json").write_text(json.dumps(GOOD))
    monkeypatch.setenv("PATH", str(folder))
    result = safnet("explore good.json -o x")
    assert result.code == 2 and result.says("snakemake is missing: expected Debian's package snakemake")


@pytest.fixture(name="explore_modules")
def fixture_explore_modules(root, monkeypatch):
    monkeypatch.syspath_prepend(str(root / "scripts" / "explore"))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    import results
    import study
    return study, results


def test_studies_that_come_with_safnet_are_right(explore_modules):
    study, _ = explore_modules
    names = sorted(path.stem for path in study.STUDIES.glob("*.json"))
    assert len(names) >= 6
    for name in names:
        found, _ = study.read_study(name)
        assert found.question and list(found.points())


def test_values_that_are_none(explore_modules):
    study, _ = explore_modules
    for text in ("(ns-1000)**0.5", "ns/0", "ns*1e308*1e308", "ns**99"):
        assert study.Expression("x", text, ["ns"], False).value({"ns": 10}) is None, text


def test_points_carry_the_same_bytes(explore_modules):
    study, _ = explore_modules
    for flits, width, words in itertools.product((1, 2, 5, 16), (64, 128), ("alltoall", "broadcast")):
        point = {"flits": flits, "flit_width": width, "work": {"collective": words, "bytes": "3 kB"}}
        data, block = flits * width // 8 - 4, 3000 if words == "broadcast" else -(-3000 // 7)
        messages = study.messages_of(point, 7)
        assert (messages - 1) * data < block <= messages * data


def test_front_and_its_band(explore_modules):
    study, results = explore_modules
    made = object.__new__(results.Results)
    made.study = study.Study(changed(objectives=["ns", "um2"]), "x")
    points = {"least time": (100, 9000), "least area": (300, 1000), "between": (200, 4000), "as good but for noise": (215, 4050),
              "surely worse": (230, 4200), "worse in one, equal in the other": (200, 5000)}
    made.points = [{"name": name, "status": "candidate", "point": {"work": 1}, "values": {"ns": ns, "um2": um2},
                    "nodes": [{"parameters": name}]} for name, (ns, um2) in points.items()]
    made.mark_front()
    assert {p["name"]: p["status"] for p in made.points} == {
        "least time": "front", "least area": "front", "between": "front", "as good but for noise": "band",
        "surely worse": "dominated", "worse in one, equal in the other": "dominated"}
    # Compared within two groups, the best of each is on the front.
    made.study = study.Study(changed(objectives=["ns", "um2"], within=["flits"]), "x")
    for p in made.points:
        p["status"], p["point"]["flits"] = "candidate", 2 if "worse" in p["name"] else 1
    made.mark_front()
    assert [p["name"] for p in made.points if p["status"] == "front"] == [
        "least time", "least area", "between", "surely worse", "worse in one, equal in the other"]


def rows_of(path):
    return list(csv.DictReader(path.open(encoding="utf-8")))


def start(root, folder, cache, out):
    return subprocess.Popen([root / "build" / "safnet", "explore", folder / "study.json", "-o", out, "--cache", cache],
                            cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)


def test_a_study_from_its_file_to_its_page_and_after_kills(succeed, safnet, folder, root):
    study = changed(constraints=["um2_node < 1e9"], vary__algorithm=["", "no-such-algorithm"])
    (folder / "study.json").write_text(json.dumps(study))
    out = succeed(f"explore study.json -o found --cache {folder}/cache").out
    assert "8 points" in out and "4 failed" in out
    rows = rows_of(folder / "found" / "points.csv")
    document = json.loads((folder / "found" / "points.json").read_text())
    assert len(rows) == len(document["points"]) == 8
    for point in document["points"]:
        if point["point"]["algorithm"]:
            assert point["status"] == "failed" and "no-such-algorithm" in point["reason"]
            continue
        values, words = point["values"], point["commands"][-1].removeprefix("build/safnet ")
        again = json.loads(succeed(f"{words} --json").out)  # the command repeats it
        assert again["cycles"] == values["cycles"] and again["problems"] == []
        assert again["hardware"]["parameters"]["QueueDepth"] == point["point"]["queue_depth"]
        assert values["um2"] == sum(node["count"] * node["um2"] for node in point["nodes"])
        assert sum(node["count"] for node in point["nodes"]) == again["nodes"]
        assert values["ns"] == pytest.approx(values["cycles"] * values["period"], abs=0.01)
        assert (folder / "found" / point["page"]).exists()
    # Deeper queues cost area.
    area = {(row["topology"], row["queue_depth"]): float(row["um2"]) for row in rows if row["um2"]}
    assert area["ring:3", "1"] < area["ring:3", "2"]
    best = succeed("explore found --best ns*um2").out
    assert best.startswith("topology linear:2, algorithm best, queue_depth 1: ns ")

    # Killed at random moments, within syntheses too, and gone on with, it ends with the same table.
    chance = random.Random(1)
    for _ in range(10):
        running = start(root, folder, folder / "cold cache", folder / "killed")
        time.sleep(chance.uniform(0.3, 6))
        if running.poll() is None:
            os.killpg(running.pid, signal.SIGKILL)
        running.wait()
    succeed("explore", "study.json", "-o", "killed", "--cache", f"{folder}/cold cache")
    assert (folder / "killed" / "points.csv").read_bytes() == (folder / "found" / "points.csv").read_bytes()
    # Nothing is done again.
    written = {path: path.stat().st_mtime_ns for path in (folder / "killed").rglob("points/*.json")}
    succeed("explore", "study.json", "-o", "killed", "--cache", f"{folder}/cold cache")
    assert written == {path: path.stat().st_mtime_ns for path in (folder / "killed").rglob("points/*.json")}

    # More nodes than are wanted: the others are estimated, and no estimate is on the front.
    (folder / "study.json").write_text(json.dumps(changed(vary__queue_depth=[1, 2, 3, 4], most_syntheses=6)))
    succeed(f"explore study.json -o narrow --cache {folder}/cache")
    narrow = json.loads((folder / "narrow" / "points.json").read_text())
    assert len(list((folder / "narrow" / "nodes").glob("*.json"))) == 6
    assert sorted(p["status"] == "estimated" for p in narrow["points"]).count(True) == 2
    assert "6 of 8 nodes were synthesised" in narrow["model"]
    for point in narrow["points"]:  # between its neighbours, as area grows with depth
        if point["status"] == "estimated":
            others = {p["point"]["queue_depth"]: p["values"]["um2"] for p in narrow["points"]
                      if p["point"]["topology"] == point["point"]["topology"] and p["status"] != "estimated"}
            assert min(others.values()) < point["values"]["um2"] < max(others.values())

    browser = pytest.importorskip("browser", reason="python3-selenium is installed by `make test`")
    opened = browser.Browser()
    try:
        opened.open(folder / "found" / "index.html")
        assert opened.complaints() == [] and opened.requests() == []
        assert opened.run("return document.querySelectorAll('#table tbody tr').length") == 8
        drawn = "return page.chart.data.datasets.filter((d) => d.type === 'scatter').reduce((sum, d) => sum + d.data.length, 0)"
        assert opened.run(drawn) == 4
        opened.run("const s = document.querySelector('#filters select'); s.value = 'ring:3'; s.dispatchEvent(new Event('change'))")
        assert opened.run(drawn) == 2 and opened.text("#count") == "4 of 8 points"
        opened.run("const s = document.getElementById('up'); s.value = 'cycles'; s.dispatchEvent(new Event('change'))")
        assert opened.run("return page.chart.options.scales.y.title.text") == "cycles"
    finally:
        opened.close()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_and_its_jobs(number, root, folder):
    (folder / "study.json").write_text(json.dumps(changed(vary__topology=["hypercube:3"])))
    running = start(root, folder, folder / "cache", folder / "found")
    lock = folder / "found" / "lock"
    for _ in range(600):
        if lock.exists():
            break
        time.sleep(0.1)
    time.sleep(1)
    os.killpg(running.pid, number)  # as a terminal does
    assert running.wait(timeout=60) != 0
    with lock.open() as held:  # by the jobs, until the last of them has ended
        for _ in range(600):
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                time.sleep(0.1)
        else:
            pytest.fail("jobs are still at work")


def test_traffic_own_routers_and_networks_from_files(succeed, folder, root):
    """Files are found from where the study was started, whatever their folder is called."""
    make_router(root, folder / "my router")
    (folder / "three.dot").write_text("graph { a -- b -- c -- a }")
    (folder / "study.json").write_text(json.dumps(changed(
        vary__topology="graph:three.dot", vary__node=["fifo", "my router/"], vary__queue_depth=2, vary__flit_width=[64, 128],
        work={"traffic": "uniform", "load": 0.2, "measure": 400}, objectives=["um2", "saturation_load"])))
    succeed(f"explore study.json -o found --cache {folder}/cache")
    points = json.loads((folder / "found" / "points.json").read_text())["points"]
    assert {p["reason"] for p in points} == {None} and len(points) == 4
    values = {(p["point"]["node"], p["point"]["flit_width"]): p["values"] for p in points}
    for width in (64, 128):
        own, fifo = values["my router/", width], values["fifo", width]
        for name in ("latency", "saturation_load", "memory_bits"):
            assert own[name] == fifo[name], name
        assert own["um2"] == pytest.approx(fifo["um2"], rel=0.02)  # names alone move it so far
        assert 0.5 < own["saturation_load"] <= 1 and own["latency"] > 1
    assert values["fifo", 64]["um2"] < values["fifo", 128]["um2"]


def test_progress_is_told_on_a_terminal(succeed, root, folder):
    (folder / "study.json").write_text(json.dumps(changed(vary__topology="linear:2")))
    terminal, end = pty.openpty()
    with subprocess.Popen([root / "build" / "safnet", "explore", "study.json", "-o", "found", "--cache", "cache"], cwd=folder,
                          stdout=subprocess.DEVNULL, stderr=end) as running:
        os.close(end)
        said = b""
        try:
            while part := os.read(terminal, 4096):
                said += part
        except OSError:  # the other end was closed
            pass
    os.close(terminal)
    assert running.returncode == 0
    words = said.decode().split("\r")
    assert any(re.match(r"1 of \d+ jobs, \d+:\d\d, some \d+:\d\d left", line) for line in words)
    assert re.match(r"(\d+) of \1 jobs", words[-1].strip() or words[-2])


def test_jobs_go_to_slurm(succeed, folder, root):
    """On a cluster of this one machine, which is set up if it is not there."""
    if os.geteuid() != 0 or not os.path.exists("/usr/sbin/slurmctld"):
        pytest.skip("needs root and Debian's slurm-wlm")
    done = subprocess.run([root / "scripts" / "explore" / "set_up_slurm.sh"], capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        pytest.skip(f"no cluster on this machine: {done.stderr.strip()}")
    (folder / "study.json").write_text(json.dumps(changed(vary__topology="linear:2", vary__queue_depth=1)))
    try:
        succeed(f"explore study.json -o there --cache {folder}/cache --slurm --jobs 2")
    finally:
        subprocess.run([root / "scripts" / "explore" / "set_up_slurm.sh", "--stop"], check=False, timeout=60)
    succeed(f"explore study.json -o here --cache {folder}/cache")
    assert (folder / "there" / "points.csv").read_bytes() == (folder / "here" / "points.csv").read_bytes()
    # The run was a job of the cluster; what it said went to its file.
    said = [path.read_text() for path in (folder / "there" / "slurm").glob("*.out")]
    assert any("rule run" in text for text in said)
