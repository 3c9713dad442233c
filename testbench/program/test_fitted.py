"""`--fitted`: nodes with what a run uses and no more. What shared nodes have beyond that must change no cycle."""
import json

import pytest

RUNS = {
    "torus": "run torus:4x4 alltoall --queue-depth 12 --host-depth 4 --inject-ports 4",
    "one port": "run mesh:3x3 alltoall --ports one --queue-depth 9 --host-depth 3",
    "shallow queues": "run ring:6 alltoall --queue-depth 2 --host-depth 2 --inject-ports 1 --flits 3",
    "plain router": "run hypercube:3 alltoall --node fifo --queue-depth 4 --host-depth 2",
    "long packets": "run hypercube:3 alltoall --queue-depth 4 --host-depth 2 --inject-ports 3 --flits 3 --link-latency 2",
    "routers and leaves": "run fat-tree:2,3 alltoall --queue-depth 16 --host-depth 8 --inject-ports 1",
    "broadcast": "run mesh:4x4 broadcast --queue-depth 2 --host-depth 2 --inject-ports 4 --messages 3",
    "timetable": "run torus:3x3 allgather --node tdm --messages 2",
    "reduction": "run mesh:3x3 allreduce --algorithm auto --flits 2",
    "one-port timetable": "run ring:5 alltoall --node tdm --ports one --link-latency 1",
}
COUNTED = ("cycles", "steps", "transmissions", "delivered", "delay_sum", "peak_queue", "algorithm", "problems")


@pytest.mark.parametrize("name", RUNS)
def test_the_same_cycles_on_nodes_that_fit(name, succeed):
    shared = json.loads(succeed(f"{RUNS[name]} --json").out)
    fitted = json.loads(succeed(f"{RUNS[name]} --fitted --json").out)
    assert {key: fitted[key] for key in COUNTED} == {key: shared[key] for key in COUNTED}
    assert "hardware" not in shared


def test_traffic_is_the_same_on_nodes_that_fit(succeed):
    command = "traffic mesh:4x4 uniform --rate 0.4 --measure 800 --queue-depth 3 --host-depth 2 --json"
    shared, fitted = (json.loads(succeed(command + more).out) for more in ("", " --fitted"))
    assert shared["loads"] == fitted["loads"]


def test_nodes_that_fit_have_what_the_run_uses(succeed):
    hardware = json.loads(succeed("run mesh:3x3 alltoall --queue-depth 7 --fitted --json").out)["hardware"]
    parameters = hardware["parameters"]
    assert hardware["module"] == "pifo_node" and hardware["nodes_by_ports"] == {"2": 4, "3": 4, "4": 1}
    assert (parameters["Radix"], parameters["QueueDepth"], parameters["LabelDepth"], parameters["Flits"]) == (4, 7, 9, 1)
    assert parameters["NodeIdWidth"] == 4 and parameters["RankLevels"] <= 5 and parameters["HostDepth"] == 2
    assert hardware["settings"]["queue_depth"] == 7
    timetable = json.loads(succeed("run ring:4 allgather --node tdm --fitted --json").out)
    assert timetable["hardware"]["parameters"]["Buffers"] == timetable["peak_buffers"]


REPLAYS = {  # a schedule of conftest.py, and options of its replay
    "one-port timetable": "mesh.json",
    "packets in lockstep": "exchange.json --flits 4 --link-latency 1",
    "packets that run freely": "cycles.json",
    "a file without its network": "exchange.xml --topology ring:4",
    "routers that follow its steps": "exchange.json --node pifo --queue-depth 2 --host-depth 2",
    "plain routers": "exchange.msccl.json --node fifo --queue-depth 2 --host-depth 2 --flits 2",
}


@pytest.mark.parametrize("name", REPLAYS)
def test_replays_are_the_same_on_nodes_that_fit(name, succeed, bring):
    bring(REPLAYS[name].split()[0])
    shared, fitted = (json.loads(succeed(f"replay {REPLAYS[name]} --json {more}").out) for more in ("", "--fitted"))
    # What replays tell of themselves differs between the kinds of nodes; none of it changes but what was built.
    built = {"hardware", "buffers", "build_seconds", "run_seconds", "node_evaluations"}
    assert {key: value for key, value in fitted.items() if key not in built} == \
           {key: value for key, value in shared.items() if key not in built}
    assert "hardware" not in shared
    parameters = fitted["hardware"]["parameters"]
    assert parameters["Radix"] == max(map(int, fitted["hardware"]["nodes_by_ports"]))
    if "node" in fitted:
        assert parameters["QueueDepth"] == fitted["queue_depth"] == 2
    else:
        assert parameters["Buffers"] == fitted["buffers"] == fitted["peak_buffers"] < shared["buffers"]
        assert parameters["Flits"] * fitted["sends"] == fitted["flit_hops"]


@pytest.mark.parametrize("pattern, words", [
    (r"--queue-depth: expected --node pifo, fifo or a folder beside it", "--queue-depth 3"),
    (r"--host-depth: expected --node pifo", "--host-depth 3 --fitted"),
    (r"--buffers: expected no --node fifo beside it", "--buffers 30 --node fifo --fitted"),
])
def test_options_that_a_replay_has_no_use_for_are_refused(pattern, words, refuse, bring):
    bring("exchange.json")
    refuse(pattern, f"replay exchange.json {words}")


def test_a_schedule_that_is_not_valid_is_reported_as_json(safnet, bring, folder):
    bring("exchange.json")
    schedule = json.loads((folder / "exchange.json").read_text())
    schedule["sends"]["link"][0] += 1
    (folder / "wrong.json").write_text(json.dumps(schedule))
    result = safnet("replay wrong.json --json")
    report = json.loads(result.out)
    assert result.code == 1 and not report["valid"] and report["violations"]


def test_names_and_tags_keep_to_the_narrowest_flit_that_they_fit(succeed):
    """Widths go in steps, but a header that fits 16, or 32, bits does so still."""
    names = json.loads(succeed("run mesh:8x8 alltoall --node tdm --fitted --json").out)["hardware"]["parameters"]
    assert names["NameWidth"] == 15  # 4,032 packets need 12 bits, the length one
    tags = json.loads(succeed("run mesh:4x4 broadcast --node fifo --flits 8 --messages 1000 --fitted --json").out)["hardware"]["parameters"]
    label = max(1, (tags["LabelDepth"] - 1).bit_length())
    assert tags["TagWidth"] % 8 == 0 or label + tags["NodeIdWidth"] + tags["TagWidth"] + 4 == 32
