"""`software`: collectives by hosts that pass packets on, and `--algorithm in-turn`, timetables for nodes with little room."""
import csv
import json

import pytest

from cases import cases


@pytest.mark.parametrize("pattern, command", cases(
    ("another collective", r"'gossip': expected broadcast or reduction$", "software ring:4 gossip"),
    ("another tree", r"--host-tree 'bush': expected separate, halving, chain$", "software ring:4 broadcast --host-tree bush"),
    ("a batch of more than all", r"--batch 3: expected at most 2, the --messages$", "software ring:4 broadcast --batch 3 --messages 2"),
    ("a root that only routes", r"root .*: expected a node from 0 to 3; the others only route$", "software fat-tree:2,2 reduce --root 5"),
    ("hosts busy for ever", r"--host-overhead 1000000: hosts could be busy for \d+ cycles; expected at most 100000000$",
     "software ring:64 broadcast --host-overhead 1000000 --messages 900 --batch 1"),
    ("hosts combine for ever", r"--combine-cycles 10000: hosts could be busy for", "software ring:4 reduce --combine-cycles 10000 --messages 6000"),
    ("timetable on routers", r"--algorithm in-turn: expected --node tdm", "run ring:4 alltoall --algorithm in-turn --node pifo"),
    ("nothing to plan", r"--algorithm in-turn: concurrent-broadcast on complete:4, all-port: no algorithm applies$",
     "plan complete:4 concurrent-broadcast --active 0,1,2 --algorithm in-turn"),
    ("all plans of a large message", r"--algorithm in-turn: .*expected at most 500000", "plan ring:200 alltoall --algorithm in-turn"),
))
def test_refuses(refuse, pattern, command):
    refuse(pattern, command)


@pytest.mark.parametrize("node", ["pifo", "fifo"])
def test_the_same_cycles_on_nodes_that_fit(node, succeed):
    command = f"software mesh:4x4 reduce --host-tree halving --messages 6 --batch 2 --host-overhead 3 --flits 2 --node {node} --queue-depth 2 --json"
    shared, fitted = (json.loads(succeed(command + more).out) for more in ("", " --fitted"))
    parameters = fitted.pop("hardware")["parameters"]
    assert shared == fitted and shared["verdict"] == "delivered" and shared["delivered"] == 6 * 15
    assert parameters["QueueDepth"] == 2 and parameters["TagWidth"] == 8  # six packets of a host, in steps of 8 bits


def test_software_is_slower_than_the_network(succeed):
    network = json.loads(succeed("run mesh:4x4 broadcast --algorithm auto --messages 4 --json").out)
    for tree in ("separate", "halving", "chain"):
        software = json.loads(succeed(f"software mesh:4x4 broadcast --messages 4 --batch 1 --host-tree {tree} --json").out)
        assert software["cycles"] > network["cycles"]


def test_a_table_of_transfers_shows_who_sent_to_whom(succeed):
    succeed("software linear:4 broadcast --host-tree chain --messages 2 --batch 1 --transfers t.csv --report page.html --perfetto p.json.gz")
    with open("t.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert sorted((row["from"], row["to"]) for row in rows) == [(str(v), str(v + 1)) for v in range(3) for _ in range(2)]


def test_messages_in_turn_need_fewer_buffers_and_no_more_steps(succeed):
    command = "run linear:16 alltoall --messages 6 --node tdm --json --algorithm "
    together, in_turn = (json.loads(succeed(command + name).out) for name in ("furthest-first", "in-turn"))
    assert in_turn["steps"] == together["steps"] == in_turn["lower_bound"]
    assert 4 * in_turn["peak_buffers"] < together["peak_buffers"]


def test_a_plan_in_turn_is_what_runs(succeed):
    succeed("plan torus:3x3 alltoall --messages 3 --algorithm in-turn -o plan.json")
    replayed = json.loads(succeed("replay plan.json --json").out)
    run = json.loads(succeed("run torus:3x3 alltoall --messages 3 --algorithm in-turn --json").out)
    assert replayed["cycles"] == run["cycles"]
