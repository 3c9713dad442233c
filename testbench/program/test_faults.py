"""`safnet faults`: a run with one fault after the other, and what notices it; networks without links and nodes; the soak."""
import csv
import json
import subprocess
import sys

import pytest
from cases import cases

# A kind of node each, with the option words of its run, small enough for all faults at every place.
NODES = {
    "pifo": "ring:4 alltoall --node pifo --flits 2 --link-latency 1",
    "pifo, one-port": "linear:3 alltoall --node pifo --ports one --flits 2 --link-latency 1",
    "pifo, one place": "ring:4 alltoall --node pifo --queue-depth 1",
    "fifo": "mesh:2x2 alltoall --node fifo --flits 2",
    "tdm": "linear:4 alltoall --node tdm --flits 2",
    "tdm, combining": "ring:4 allreduce --node tdm",
    "exchange": "mesh:2x2 partial-exchange --active 0,3",
    "scan": "mesh:2x2 partial-multinode-broadcast --active 0,1,3 --flits 2",
}


@pytest.mark.parametrize("name", NODES)
def test_no_fault_is_silent(name, succeed):
    report = json.loads(succeed(f"faults {NODES[name]} --json").out)
    assert report["silent"] == 0
    assert report["runs"] == sum(report[outcome] for outcome in ("not_struck", "noticed", "late", "harmless", "silent"))
    assert report["runs"] + report["same"] == report["possible"] and not report["sampled"]
    assert report["noticed"] > report["runs"] / 2
    assert {notice["check"] for fault in report["faults"] for notice in fault["notices"]}.isdisjoint({"other"})


# What notices a fault first: a row per kind of fault, on a kind of node that shows it.
@pytest.mark.parametrize("pattern, command", cases(
    ("dead link of routers", r"^dead-link +stuck +\d+ +\d", f"faults {NODES['pifo, one place']} --faults dead-link"),
    ("slow link of timetables", r"^slow-link +plan ", f"faults {NODES['tdm']} --faults slow-link"),
    ("slow link of routers", r"^slow-link +trace ", f"faults {NODES['pifo, one place']} --faults slow-link --delay 2"),
    ("a flit is lost", r"^drop-flit +assertion ", f"faults {NODES['fifo']} --faults drop-flit"),
    ("a packet is lost", r"^drop-packet +links ", f"faults {NODES['pifo']} --faults drop-packet"),
    ("a flit comes twice", r"^repeat-flit +assertion ", f"faults {NODES['tdm']} --faults repeat-flit"),
    ("a packet comes twice", r"^repeat-packet +assertion ", f"faults {NODES['fifo']} --faults repeat-packet"),
    ("a label is damaged", r"^corrupt-label +assertion ", f"faults {NODES['pifo']} --faults corrupt-label"),
    ("a name is damaged", r"^corrupt-label +program ", f"faults {NODES['tdm']} --faults corrupt-label"),
    ("a header is damaged", r"^corrupt-header +scan ", f"faults {NODES['exchange']} --faults corrupt-header"),
    ("a payload is damaged", r"^corrupt-payload +payload ", f"faults {NODES['tdm, combining']} --faults corrupt-payload"),
    ("a credit is lost", r"^lost-credit +stuck ", f"faults {NODES['pifo, one place']} --faults lost-credit"),
    ("credits are lost", r"^no-credits +stuck ", f"faults {NODES['pifo, one place']} --faults no-credits"),
    ("a credit too many", r"^extra-credit +assertion ", f"faults {NODES['pifo']} --faults extra-credit"),
    ("credits without end", r"^stuck-credit +assertion ", f"faults {NODES['pifo']} --faults stuck-credit"),
    ("a grant is lost", r"^lost-grant +stuck ", f"faults {NODES['pifo, one-port']} --faults lost-grant"),
    ("grants without end", r"^stuck-grant +assertion ", f"faults {NODES['pifo, one-port']} --faults stuck-grant"),
    ("a request is not heard", r"^lost-request +\S+ ", f"faults {NODES['pifo, one-port']} --faults lost-request"),
    ("a dead node", r"^dead-node +scan ", f"faults {NODES['scan']} --faults dead-node"),
    ("a dead link that no packet crosses", r"^dead-link at link 2>1, from cycle 1 on: not struck$",
     "faults ring:4 scatter --node pifo --faults dead-link --at 1 --each"),
    ("a node stops", r"^stopped-node +\S+ +\d+ +\d", f"faults {NODES['fifo']} --faults stopped-node"),
    ("a node is reset", r"^reset-node +assertion ", f"faults {NODES['scan']} --faults reset-node"),
))
def test_what_notices_a_fault(expect, pattern, command):
    expect(0, pattern, command)


def test_messages_name_the_place(succeed):
    told = succeed("faults ring:4 alltoall --node pifo --queue-depth 1 --faults lost-credit --links '0>1' --at 1 --each").out
    assert "lost-credit at link 0>1" in told
    assert "node 0 (1 packets queued) waits on port 0 for a credit from node 1" in told


def test_a_fault_that_nothing_notices_is_silent(safnet):
    command = "faults ring:4 alltoall --node pifo --faults corrupt-payload"
    assert safnet(command).code == 0
    blind = safnet(f"{command} --without-check payload,account,trace")
    assert blind.code == 1
    assert blind.says(r"^corrupt-payload +SILENT ") and blind.says(r"corrupt-payload at link 0>1, cycle 1: SILENT")
    report = json.loads(safnet(f"{command} --without-check payload,account,trace --json").out)
    assert report["silent"] > 0 and report["without_checks"] == ["payload", "account", "trace"]


def test_a_table_of_all_faults(succeed, folder):
    report = json.loads(succeed("faults ring:4 broadcast --node pifo --csv all.csv --json").out)
    with open(folder / "all.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == report["runs"]
    assert [row["outcome"] for row in rows] == [fault["outcome"] for fault in report["faults"]]


def test_a_sample_says_that_it_is_one(succeed):
    command = "faults ring:4 alltoall --node pifo --most 20 --seed 5"
    first, again = succeed(command), succeed(command)
    assert first.says(r"a sample: 20 of \d+, drawn at random, seed 5") and first.out == again.out
    assert json.loads(succeed(f"{command} --json").out)["sampled"]


@pytest.mark.parametrize("pattern, command", cases(
    ("no such fault", r"--faults 'rust': expected some of dead-link", "faults ring:4 broadcast --faults rust"),
    ("no such check", r"--without-check 'eyes': expected some of assertion", "faults ring:4 broadcast --without-check eyes"),
    ("no such link", r"'0>2': no link leads there", "faults ring:4 broadcast --links '0>2'"),
    ("no such node", r"'9'.*expected 0 to 3", "faults ring:4 broadcast --nodes 9"),
    ("a fault without a place", r"--faults 'dead-node': expected faults of what --links and --nodes choose",
     "faults ring:4 broadcast --faults dead-node --links '0>1'"),
    ("grants that nobody has", r"--faults 'lost-grant': expected one-port routers with grants",
     "faults ring:4 broadcast --node pifo --faults lost-grant"),
    ("a packet of one flit is lost", r"'drop-packet': expected packets of several flits; here it is drop-flit", "faults ring:4 broadcast --faults drop-packet"),
    ("credits of a scan", r"'lost-credit': expected nodes with credits, which scan_nodes have not", "faults mesh:2x2 partial-multinode-broadcast --active 0,1 --faults lost-credit"),
    ("cycles that descend", r"--at '9,3': expected ascending cycles", "faults ring:4 broadcast --at 9,3"),
    ("a cycle after the end", r"--at 99: expected cycles from 1 to 2", "faults ring:4 broadcast --at 99"),
    ("no faults", r"--most 0: expected 1 to", "faults ring:4 broadcast --most 0"),
    ("no folder for the table", r"--csv no/all.csv: ", "faults ring:4 broadcast --csv no/all.csv"),
    ("a run that fails by itself", r"the run fails without a fault: stuck",
     "faults fat-tree:2,3 alltoall --ports one-send --queue-depth 1"),
    ("a link between strangers", r"without '0:2': no link from node 0 to node 2 or back", "plan ring:5 bcast --without-link 0:2"),
    ("a link that is a node", r"--without-link '3': expected two neighbours", "plan ring:5 bcast --without-link 3"),
    ("a node that is a link", r"--without-node '0:1': expected a node", "plan ring:5 bcast --without-node 0:1"),
    ("a node that is missing", r"without '7': node '7' of ring:5: expected 0 to 4", "run ring:5 bcast --without-node 7"),
    ("a link twice", r"without '0:1': no link from node 0", "plan ring:5 bcast --without-link 0:1 --without-link 0:1"),
    ("a network that falls apart", r"the network falls apart, node 2 cannot be reached from node 0",
     "run linear:4 bcast --without-link 1:2"),
    ("a single node", r"1 node left that process", "plan linear:2 bcast --without-node 1"),
    ("an algorithm for tori", r"'torus-disjoint-trees': expected one of furthest-first", "run torus:4x4 alltoall --algorithm torus-disjoint-trees --without-link 0:1"),
    ("a scan on what remains", r"is no array, torus", "run mesh:3x3 partial-multinode-broadcast --active 0 --without-node 4"),
))
def test_refuses(refuse, pattern, command):
    refuse(pattern, command)


@pytest.mark.parametrize("pattern, command", cases(
    ("a plan without a link", r"whole network +8 steps, lower bound 8, on torus:4x4", "plan torus:4x4 alltoall --without-link 0:1"),
    ("a run without a node", r"whole network +4 steps, lower bound 4, on torus:4x4", "run torus:4x4 allgather --without-node 1,1"),
    ("a ring without a link is a line", r"it is the network linear:5", "describe ring:5 --without-link 0:1"),
    ("one direction of a link", r"links +9, one way each", "describe ring:5 --without-link '0>1'"),
    ("names stay", r"^mesh|node_3", "draw ring:4 --without-node 0"),
    ("routers do it, too", r"verdict +(optimal|within-bound)", "run torus:4x4 alltoall --node pifo --without-link 0:1 --without-node 10"),
    ("traffic on what remains", r"verdict +carried|accepted", "traffic mesh:3x3 uniform --without-node 4 --measure 500"),
))
def test_runs_on_what_remains(expect, pattern, command):
    expect(0, pattern, command)


def test_a_schedule_for_what_remains_is_read_again(succeed):
    planned = json.loads(succeed("plan torus:3x3 allgather --without-link 0:1 --without-node 8 -o left.json --json").out)
    assert planned["whole_network"]["topology"] == "torus:3x3"
    assert planned["steps"] >= planned["whole_network"]["steps"]
    succeed("check left.json")
    assert json.loads(succeed("replay left.json --json").out)["steps"] == planned["steps"]


def test_a_short_soak(root, program, folder):
    command = [sys.executable, root / "scripts" / "soak", program, "--hops", "10", "--cycles", "1000", "--log", folder / "soak.jsonl"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "all: nothing lost, repeated or damaged" in done.stdout
    again = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)  # nothing is left to do
    assert again.returncode == 0 and "nothing lost" in again.stdout
