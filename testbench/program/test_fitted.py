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
