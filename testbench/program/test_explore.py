"""`safnet explore`: what a study is refused for, its points, areas and front, and what is left of it after a kill."""
import base64
import csv
import fcntl
import gzip
import itertools
import json
import os
import pathlib
import pty
import random
import re
import signal
import subprocess
import sys
import time

import pytest

from conftest import wait_until
from own_router import make_router
from terminal import as_from_a_terminal

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
    (r"work: 'load': expected one of bytes, collective, combine_cycles, host_overhead, messages", changed(work={"collective": "alltoall", "load": 1})),
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
    (r"within: .*topology.*: expected a list of topology", changed(within=[["topology"]])),
    (r"work: '.*alltoall.*': expected each work once", changed(work=[{"collective": "alltoall"}] * 2)),
    (r"most_syntheses: '0': expected a whole number from 1", changed(most_syntheses=0)),
    (r"work: '.*': expected .*\"schedule\"", changed(work={"schedule": "a.json", "collective": "alltoall"})),
    (r"work.schedule: 'a.txt': expected a file .* \.json, \.json\.gz, \.xml", changed(work={"schedule": "a.txt"})),
    (r"work.host_overhead: '-1': expected 0 to 1000000 cycles", changed(work={"collective": "broadcast", "host_overhead": -1})),
    (r"work: 'messages': expected one of schedule", changed(work={"schedule": "a.json", "messages": 2})),
    (r"vary.topology: '.*': expected none: it is that of the schedule's file", changed(work={"schedule": "a.json"})),
    (r"vary.ports: 'one': expected none", {"vary": {"ports": "one"}, "work": {"schedule": "a.json"}}),
    (r"vary.algorithm: 'x': expected none", {"vary": {"algorithm": "x"}, "work": {"schedule": "a.json"}}),
    (r"vary.queue_depth: '2': expected a node beside it", {"vary": {"queue_depth": 2}, "work": {"schedule": "a.json"}}),
    (r"vary.link_latency: '1': expected flits beside it", {"vary": {"link_latency": 1}, "work": {"schedule": "a.json"}}),
    (r"vary: 'topology': expected at least", {"vary": {}, "work": {"schedule": "a.xml"}}),
    (r"objectives: 'latency': expected one that a.json has", {"vary": {}, "work": {"schedule": "a.json"}, "objectives": ["latency"]}),
    (r"work.schedule: 'a.json': expected a file that can be read: No such file", {"vary": {}, "work": {"schedule": "a.json"}}),
    (r"most_points: '0': expected a whole number from 1 to 5000", changed(most_points=0)),
    (r"vary: 9000 points: expected at most 5000, or most_points", changed(vary__flits={"min": 1, "max": 2250})),
    (r"vary: 4000000000000 points: expected at most 1000000000000$", changed(most_points=9, vary__flits={"min": 1, "max": 5000},
     vary__link_latency={"min": 1, "max": 5000}, vary__host_depth={"min": 1, "max": 5000}, vary__queue_depth={"min": 1, "max": 16})),
    (r"most_points: '1': expected at least 2: a point for each work", changed(most_points=1, within=["topology"])),
    (r"most_syntheses: '2': expected none beside most_points", changed(most_points=3, most_syntheses=2)),
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
    (r"--technology 'ice40': expected no --best beside it", "explore found --best ns --technology ice40"),
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


def test_scipy_is_named_with_its_package(safnet, folder, monkeypatch):
    (folder / "sitecustomize.py").write_text("import sys; sys.modules['scipy'] = None")
    monkeypatch.setenv("PYTHONPATH", str(folder))
    (folder / "good.json").write_text(json.dumps(GOOD))
    result = safnet("explore good.json -o x")
    assert result.code == 2 and result.says("scipy is missing: expected Debian's package python3-scipy") and result.err.count("\n") == 1


def test_optuna_is_named_with_its_package_if_it_is_needed(succeed, safnet, folder, monkeypatch):
    (folder / "optuna.py").write_text("raise ModuleNotFoundError('no optuna', name='optuna')")
    monkeypatch.setenv("PYTHONPATH", str(folder))
    (folder / "study.json").write_text(json.dumps(changed(most_points=3)))
    result = safnet("explore study.json -o x")
    assert result.code == 2 and result.says("optuna is missing: expected Debian's package python3-optuna") and result.err.count("\n") == 1
    assert not (folder / "x").exists()
    (folder / "study.json").write_text(json.dumps(changed(vary__topology="linear:2", most_points=2)))
    succeed(f"explore study.json -o x --cache {folder}/cache")


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


def test_the_example_of_the_manual_is_a_study(explore_modules, root, folder):
    study, _ = explore_modules
    manual = (root / "scripts" / "explore" / "README.md").read_text(encoding="utf-8")
    (folder / "my_study.json").write_text(re.search(r"```json\n(.*?)```", manual, re.DOTALL)[1])
    found, _ = study.read_study(str(folder / "my_study.json"))
    assert len(list(found.points())) == 8 and found.objectives == ["ns", "um2"] and found.constraints


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


def searched(explore_modules, document):
    """The points that a search comes to, in order, and how it values them; what is to be found is made up."""
    study, _ = explore_modules
    import search
    found = search.Search(study.Study(document, "x"))
    chosen, values = {}, {}
    while points := found.generation():
        assert not points.keys() & chosen.keys()
        chosen.update(points)
        for key, point in points.items():
            ns = 10 * point["flits"] + 1000 / point["queue_depth"] + (500 if point["topology"] == "linear:2" else 0)
            values[key] = {"status": "front", "values": {"ns": ns, "um2": point["queue_depth"] * point["flits"]}}
            if point["link_latency"] == 3:
                values[key] = {"status": "failed", "values": {"ns": None, "um2": None}}
        found.learn(values)
    return chosen, values


def test_a_search_keeps_to_its_budget_and_learns(explore_modules):
    document = changed(vary__queue_depth={"min": 1, "max": 5000}, vary__flits={"min": 1, "max": 5000},
                       vary__link_latency={"min": 0, "max": 999}, most_points=301)
    chosen, values = searched(explore_modules, document)
    assert len(chosen) == 301
    assert list(searched(explore_modules, document)[0]) == list(chosen)
    costs = [value["values"]["ns"] * value["values"]["um2"] for value in values.values() if value["status"] == "front"]
    assert sum(costs[-50:]) < sum(costs[:50]) / 2
    # Points that are not compared with each other are searched for apart, and each part has its share.
    chosen, _ = searched(explore_modules, changed(**{key: document[key] for key in ("vary", "most_points")}, within=["topology"]))
    assert [sum(p["topology"] == name for p in chosen.values()) for name in ("linear:2", "ring:3")] == [150, 151]
    # All but one point of a space, in which most proposals are known ones, and parts that are smaller than their share.
    small = changed(vary__flits=[1, 2, 3], vary__link_latency=[0, 3], most_points=23)
    assert len(searched(explore_modules, small)[0]) == 23
    import search
    assert search.shares_of(20, [2, 100, 1, 9]) == [2, 9, 1, 8] and search.shares_of(7, [5, 5, 5]) == [2, 2, 3]


def rows_of(path):
    return list(csv.DictReader(path.open(encoding="utf-8")))


def start(program, folder, cache, out):
    return subprocess.Popen([program, "explore", folder / "study.json", "-o", out, "--cache", cache],
                            cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True, preexec_fn=as_from_a_terminal)


def test_a_study_from_its_file_to_its_page_and_after_kills(succeed, safnet, folder, program):
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
        running = start(program, folder, folder / "cold cache", folder / "killed")
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

    # Nodes that are too large to be synthesised are estimated from the others.
    (folder / "study.json").write_text(json.dumps(changed(vary__queue_depth=[1, 2, 4096])))
    succeed(f"explore study.json -o large --cache {folder}/cache")
    large = {p["point"]["queue_depth"]: p for p in json.loads((folder / "large" / "points.json").read_text())["points"]}
    assert large[4096]["status"] == "estimated" and "too large to be synthesised in useful time" in large[4096]["reason"]
    assert large[4096]["values"]["um2"] > 100 * large[2]["values"]["um2"] and large[2]["values"]["period"] <= large[4096]["values"]["period"] < 50
    assert "(estimate)" in (folder / "large" / "front.svg").read_text()

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


def test_a_study_that_chooses_its_points_and_after_kills(succeed, folder, program):
    study = changed(vary__topology="linear:2", vary__flits=[1, 2], vary__host_depth=[1, 2], constraints=["um2_node < 1e9"])
    (folder / "study.json").write_text(json.dumps(study))
    succeed(f"explore study.json -o all --cache {folder}/cache")
    everything = json.loads((folder / "all" / "points.json").read_text())
    assert everything["space"] == len(everything["points"]) == 8 and everything["sampler"] is None
    (folder / "study.json").write_text(json.dumps({**study, "most_points": 6}))
    said = succeed(f"explore study.json -o some --cache {folder}/cache").out
    some = json.loads((folder / "some" / "points.json").read_text())
    assert said.startswith("6 points of 8: ") and some["space"] == 8 and some["sampler"].startswith("NSGA-II of Optuna")
    keys = [point["key"] for point in some["points"]]
    assert len(set(keys)) == len(keys) == 6
    values = {point["key"]: point["values"] for point in everything["points"]}
    assert all(point["values"] == values[point["key"]] for point in some["points"])
    best = {point["key"] for point in everything["points"] if point["status"] == "front"}
    front = {point["key"] for point in some["points"] if point["status"] == "front"}
    assert best & set(keys) <= front and front
    assert "Of the 8 points of the space 6 were measured, chosen by NSGA-II" in headline_of(folder / "some" / "index.html")

    # Killed at random moments, it comes to the same points in the same order, and no generation that has its results is
    # measured again.
    chance = random.Random(2)
    results, written = folder / "killed" / "points.json", {}

    def note_what_has_results():
        try:
            document = json.loads(results.read_text())
        except FileNotFoundError:
            assert not written  # they are not there yet; once they are, the next ones replace them
            return
        for row in document["points"]:
            path = folder / "killed" / "points" / f"{row['key']}.json"
            written.setdefault(path, path.stat().st_mtime_ns)

    for kill in range(8):
        running = start(program, folder, folder / "cache", folder / "killed")
        while kill == 4 and not written and running.poll() is None:  # half of the kills come in later generations
            note_what_has_results()
            time.sleep(0.05)
        end = time.monotonic() + chance.uniform(0.2, 4)
        while time.monotonic() < end:
            note_what_has_results()
            time.sleep(0.02)
        assert running.poll() in (None, 0)
        if running.poll() is None:
            os.killpg(running.pid, signal.SIGKILL)
        running.wait()
        note_what_has_results()
    succeed(f"explore study.json -o killed --cache {folder}/cache")
    assert (folder / "killed" / "points.csv").read_bytes() == (folder / "some" / "points.csv").read_bytes()
    assert all(path.stat().st_mtime_ns == when for path, when in written.items()) and written

    results.unlink()
    succeed(f"explore study.json -o killed --cache {folder}/cache")
    assert {row["key"] for row in json.loads(results.read_text())["points"]} == set(keys)


def headline_of(path):
    """Of a study's page, whose data are a block of gzip."""
    block = re.search(r'<script id="study"[^>]*>([^<]*)<', path.read_text(encoding="utf-8"))
    return json.loads(gzip.decompress(base64.b64decode(block[1])))["headline"]


def can_be_locked(file):
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    except BlockingIOError:
        return False


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_and_its_jobs(number, program, folder):
    (folder / "study.json").write_text(json.dumps(changed(vary__topology=["hypercube:3"])))
    running = start(program, folder, folder / "cache", folder / "found")
    lock = folder / "found" / "lock"
    wait_until(lock.exists)
    time.sleep(1)
    os.killpg(running.pid, number)  # as a terminal does
    assert running.wait(timeout=60) != 0
    with lock.open() as held:  # by the jobs, until the last of them has ended
        wait_until(lambda: can_be_locked(held))


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


def test_collectives_by_software_beside_those_in_the_network(succeed, folder):
    work = {"collective": "broadcast", "messages": 6, "host_overhead": 5}
    study = {"vary": {"topology": "mesh:2x2", "algorithm": ["auto", "software-chain", "software-bush"], "node": ["auto", "tdm"]}, "work": work}
    (folder / "study.json").write_text(json.dumps(study))
    succeed("explore study.json -o results --cache synthesis")
    points = {(p["point"]["algorithm"], p["point"]["node"]): p for p in json.loads((folder / "results" / "points.json").read_text())["points"]}
    assert "'bush': expected separate, halving, chain" in points["software-bush", "auto"]["reason"]
    assert "nodes that obey a timetable cannot wait for hosts" in points["software-chain", "tdm"]["reason"]
    chain, network = points["software-chain", "auto"], points["auto", "auto"]
    cycles = {batch: json.loads(succeed(f"software mesh:2x2 broadcast --node fifo --host-tree chain --messages 6 --host-overhead 5 --batch {batch} "
                                        "--json").out)["cycles"] for batch in range(1, 7)}
    assert len(set(cycles.values())) > 3 and chain["run"]["batch"] in (1, 2, 4, 6)
    assert chain["values"]["cycles"] == min(cycles[batch] for batch in (1, 2, 4, 6)) > network["values"]["cycles"]
    assert {node["module"] for node in chain["nodes"]} == {"fifo_node"} and "--batch" in chain["commands"][-1]
    index = (folder / "results" / "points.csv").read_text()
    assert "broadcast messages 6 host_overhead 5" in index  # an assumption is called one


def test_batches_are_chosen_at_the_depth_of_the_point(succeed, folder):
    """Packet by packet the chain is quickest, but with queues of 1 it gets stuck on this network."""
    study = {"vary": {"topology": "kautz:2,4", "algorithm": "software-chain", "queue_depth": 1}, "work": {"collective": "broadcast", "messages": 64}}
    (folder / "study.json").write_text(json.dumps(study))
    succeed("explore study.json -o results --cache synthesis")
    (point,) = json.loads((folder / "results" / "points.json").read_text())["points"]
    command = "software kautz:2,4 broadcast --node fifo --host-tree chain --messages 64 --queue-depth 1 --host-depth 2 --json --batch "
    assert point["run"]["batch"] > 1 and point["values"]["cycles"] == json.loads(succeed(command + str(point["run"]["batch"])).out)["cycles"]


def test_schedules_from_files(succeed, safnet, run_program, folder):
    """In a file that holds its network, in one that does not, beside a collective; and one that is no schedule."""
    for name in ("timetable.json", "program.xml"):
        succeed(f"plan linear:2 alltoall -o {name}")
    (folder / "empty.json").write_text("{}")
    works = [{"schedule": "timetable.json"}, {"schedule": "program.xml"}, {"schedule": "empty.json"}, {"collective": "alltoall"}]
    study = {"vary": {"topology": "linear:2", "ports": ["all", "one"], "flits": [1, 2], "node": "tdm"}, "work": works}
    (folder / "study.json").write_text(json.dumps(study))
    succeed(f"explore study.json -o found --cache {folder}/cache")
    points = json.loads((folder / "found" / "points.json").read_text())["points"]
    by_work = {json.dumps(work): [p for p in points if p["point"]["work"] == work] for work in works}
    timetable, program, empty, collective = by_work.values()
    assert [len(part) for part in by_work.values()] == [2, 4, 2, 4]  # a file that holds its ports makes no point for others
    for point in timetable + program:
        again = json.loads(succeed(point["commands"][-1].removeprefix("build/safnet ") + " --json").out)
        assert again["cycles"] == point["values"]["cycles"] == point["point"]["flits"] and again["hardware"]["module"] == "tdm_node"
        assert point["values"]["flit_hops"] == 2 * point["point"]["flits"]
        assert point["run"]["topology"] == "linear:2" and (folder / "found" / point["page"]).exists()
    assert {(p["point"]["topology"], p["point"]["ports"]) for p in timetable} == {(None, None)}
    assert [p["run"]["ports"] for p in program] == [p["point"]["ports"] for p in program]
    assert all(p["status"] == "failed" and "empty.json" in p["reason"] for p in empty)
    # The nodes are those of a run of the same timetable.
    assert [p["values"]["um2"] for p in program] == [p["values"]["um2"] for p in collective]
    assert "of its file" in succeed("explore found --best cycles").out

    # A study is gone on with from anywhere, but only while its files are the same.
    (folder / "elsewhere").mkdir()
    assert run_program(folder / "elsewhere", "explore ../study.json -o ../found --cache ../cache").code == 0
    (folder / "timetable.json").write_text((folder / "timetable.json").read_text() + "\n")
    result = safnet(f"explore study.json -o found --cache {folder}/cache")
    assert result.code == 2 and result.says("expected a new folder; 'timetable.json' has changed")


def test_schedules_on_routers_and_changed_under_way(succeed, safnet, folder):
    succeed("plan linear:2 alltoall -o timetable.json.gz")
    study = {"vary": {"node": ["fifo", "pifo"], "queue_depth": 1, "flits": 2, "link_latency": 1}, "work": {"schedule": "timetable.json.gz"}}
    (folder / "study.json").write_text(json.dumps(study))
    succeed(f"explore study.json -o found --cache {folder}/cache")
    points = json.loads((folder / "found" / "points.json").read_text())["points"]
    for point in points:
        assert point["reason"] is None and point["values"]["depth"] == 1 and point["values"]["cycles"] == 3
        assert point["values"]["flit_hops"] == 4
    assert {p["nodes"][0]["module"] for p in points} == {"fifo_node", "pifo_node"}
    # Changed after the study was planned, the file makes the job fail, and no result is written.
    plan = json.loads((folder / "found" / "plan.json").read_text())
    (folder / "timetable.json.gz").write_bytes(b"")
    key = next(iter(plan["points"]))
    before = (folder / "found" / "points" / f"{key}.json").read_bytes()
    script = pathlib.Path(__file__).parents[2] / "scripts" / "explore" / "measure_point.py"
    done = subprocess.run([sys.executable, "-B", script, key], cwd=folder / "found", capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "timetable.json.gz was changed while the study ran" in done.stderr
    assert (folder / "found" / "points" / f"{key}.json").read_bytes() == before


def test_progress_is_told_on_a_terminal(succeed, program, folder):
    (folder / "study.json").write_text(json.dumps(changed(vary__topology="linear:2")))
    terminal, end = pty.openpty()
    with subprocess.Popen([program, "explore", "study.json", "-o", "found", "--cache", "cache"], cwd=folder,
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
