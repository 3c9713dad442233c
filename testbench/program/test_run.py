"""Collectives run on the hardware: verdicts, exit codes, JSON, and what a second run costs."""
import json
import time

import pytest
from cases import cases


@pytest.mark.parametrize("code, pattern, command", cases(
    ("one-port torus", 0, r"verdict +optimal", "run torus:4x4 total-exchange --ports one"),
    ("MPI name", 0, r"total-exchange on ring:5", "run ring:5 alltoall"),
    ("root by coordinates", 0, r"verdict +optimal", "run mesh:4x3 broadcast --root 1,2"),
    ("help", 0, r"--queue-depth", "run --help"),
    ("disjoint paths", 0, r"4 of 4 delivered", "run torus:5x5 multipath --root 0,1 --destination 3,3"),
    ("disjoint paths, JSON", 0, r'"destination":18', "run torus:5x5 multipath --destination 3,3 --json"),
    ("an algorithm as printed that never ends", 1, r"stopped: hosts got",
     "run ring:2 broadcast --algorithm weight-rule-as-printed"),
    ("the same on the reference", 1, r"stopped: ",
     "run extended-ring:8,3 broadcast --algorithm weight-rule-as-printed --model systemc"),
    ("stuck run", 3, r"cycle of waiting links", "run ring:16 total-exchange --algorithm message-shift --queue-depth 1"),
    ("broken port model", 1, r"received two packets at once", "run mesh:3x3 total-exchange --ports one --grants off"),
))
def test_runs(expect, code, pattern, command):
    expect(code, pattern, command)


@pytest.mark.parametrize("pattern, command", cases(
    ("destination that is the root", r"destination 4", "run ring:9 multipath --root 4 --destination 4"),
    ("destination out of range", r"'9'", "run ring:9 multipath --destination 9"),
    ("no timetable", r"disjoint-paths: it has no timetable; expected nodes that decide by themselves, as with --node pifo$", "run ring:9 multipath --node tdm"),
    ("destination of a broadcast", r"--destination 3", "run ring:9 broadcast --destination 3"),
))
def test_refuses_destinations(refuse, pattern, command):
    refuse(pattern, command)


@pytest.mark.parametrize("pattern, command", cases(
    ("the best router", r"--seconds 5: expected --algorithm auto", "run ring:4 total-exchange --node pifo --seconds 5"),
    ("a named planner", r"--seconds 0: expected --algorithm auto",
     "plan ring:4 total-exchange --algorithm list-scheduling --seconds 0"),
    ("a negative number", r"--seconds -1: expected 0 to 1000000", "plan ring:4 total-exchange --seconds -1"),
))
def test_refuses_seconds_of_planning(refuse, pattern, command):
    refuse(pattern, command)


def test_large_networks_of_files_are_planned_if_there_is_time(succeed, expect):
    succeed("draw random:256,512,3 -o random.dot")
    expect(0, r"chosen +list-scheduling: 508 steps as planned", "plan graph:random.dot total-exchange")
    expect(0, r"chosen +furthest-first: .*list-scheduling was not tried: it would take about 2 s, 1 allowed",
           "plan graph:random.dot total-exchange --seconds 1")


@pytest.mark.parametrize("pattern, command", cases(
    ("the best of all algorithms", r"chosen +list-scheduling: 43 steps",
     "run mesh:4x4 total-exchange --ports one --algorithm auto"),
    ("routers where they are as good", r"verdict +optimal", "run torus:4x4 scatter --algorithm auto"),
    ("gather", r"verdict +optimal", "run torus:4x4 gather --root 1,1"),
    ("reduction", r"1 of 1 delivered", "run torus:4x4 reduction"),
    ("reduction over routers", r"steps +9 ", "run fat-tree:4,2 reduce --algorithm optimal"),
    ("accumulation over routers", r"steps +12 ", "run fat-tree:2,3 reduce-scatter --algorithm optimal"),
    ("allreduce over routers", r"steps +8 ", "run fat-tree:2,3 allreduce --algorithm optimal"),
    ("concurrent broadcasts", r"16 of 16 delivered", "run linear:5 concurrent-broadcast --active 0,0,0,3"),
    ("concurrent broadcasts in halves", r"pieces +2 of each packet, 2 of 4 flits",
     "run ring:5 concurrent-broadcast --active 0,0,0,3 --flits 4 --algorithm pass-on-first-halves"),
    ("a policy as a timetable", r"node +tdm", "run ring:4 broadcast --node tdm"),
))
def test_runs_timetables(expect, pattern, command):
    expect(0, pattern, command)


def test_concurrent_broadcasts_planned(expect):
    expect(0, r"steps +6 ", "plan linear:5 concurrent-broadcast --active 0,0,0,3 -o concurrent.json")
    # A node is in the list of active nodes as often as it has packets.
    expect(0, r"packets +4, 16 destinations", "check concurrent.json")


def test_trace_of_a_run_is_a_schedule(succeed, expect):
    succeed("run torus:4x4 total-exchange --trace run.json")
    expect(0, r"valid +yes", "check run.json")
    # The other kind of node obeys it.
    expect(0, r"512 of 512 in the very cycle", "replay run.json --buffers 32")


def test_json(succeed):
    report = json.loads(succeed("run ring:8 total-exchange --flits 3 --link-latency 2 --json").out)
    for key in ("topology nodes links collective algorithm model ports flits steps cycles slot_cycles closed_form "
                "lower_bound verdict transmissions delivered expected_deliveries lost duplicated peak_queue "
                "mean_delay build_seconds run_seconds").split():
        assert key in report, key
    assert (report["steps"], report["cycles"], report["slot_cycles"], report["verdict"]) == (8, 40, 5, "optimal")
    assert (report["delivered"], report["lost"], report["duplicated"]) == (56, 0, 0)
    assert list(report["lower_bound_witness"]) == ["kind", "count", "nodes", "links"]


def test_closed_form_is_null_where_there_is_none(expect):
    expect(0, r'"closed_form":null', "run mesh:3x3 total-exchange --node pifo --json")


def test_second_run_builds_nothing(succeed, record_property):
    command = "run torus:4x4 total-exchange --ports one --json"
    succeed(command)
    begin = time.monotonic()
    second = succeed(command)
    record_property("milliseconds", round(1000 * (time.monotonic() - begin)))
    assert '"build_seconds":0.0,' in second.out, str(second)


@pytest.mark.parametrize("task, algorithm, node, steps", [
    ("ring:9 allreduce --ports one --forwarding 5", "combine-everywhere", "tdm", 8),
    ("torus:4x4 broadcast --forwarding 4", "shortest-path-tree", "pifo", 4),
    ("torus:4x4 broadcast --forwarding 4 --node tdm", "shortest-path-tree", "tdm", 4),
    ("torus:4x4 broadcast --forwarding 4 --node tdm --algorithm shortest-path-tree", "shortest-path-tree", "tdm", 4),
])
def test_keeps_to_a_limit_on_forwarding(succeed, task, algorithm, node, steps):
    run = json.loads(succeed(f"run {task} --json").out)
    assert (run["algorithm"], run["node"], run["steps"]) == (algorithm, node, steps), run


@pytest.mark.parametrize("words", ["", " --node tdm", " --algorithm shortest-path-tree"])
def test_refuses_a_limit_that_no_algorithm_keeps_to(refuse, words):
    refuse(r"^safnet: --forwarding 3: expected at least 4", f"run torus:4x4 broadcast --forwarding 3{words}")
