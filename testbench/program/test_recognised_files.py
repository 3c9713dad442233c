"""A network from a file that is known by a name is planned, run and checked as by its name, on its own nodes."""
import itertools
import json
import math
import random

import pytest


def product(sides, closed):
    """Edges of a mesh, or of a torus with sides above 2 if `closed`."""
    nodes = list(itertools.product(*map(range, sides)))
    for node in nodes:
        for dimension, side in enumerate(sides):
            there = list(node)
            there[dimension] = (node[dimension] + 1) % side
            if closed or there[dimension] != 0:
                yield nodes.index(node), nodes.index(tuple(there))


def write_shuffled(path, edges, nodes, seed=1):
    """Writes an edge list with nodes, edges and their ends in another order."""
    dice = random.Random(seed)
    numbers = list(range(nodes))
    dice.shuffle(numbers)
    lines = [f"{a} {b}\n" for a, b in (dice.sample((numbers[u], numbers[v]), 2) for u, v in edges)]
    dice.shuffle(lines)
    path.write_text("".join(lines))
    return numbers


NETWORKS = {"torus:5x4": ((5, 4), True), "mesh:4x3": ((4, 3), False), "torus:3x3x3": ((3, 3, 3), True)}


@pytest.fixture(params=NETWORKS)
def network(request, folder):
    sides, closed = NETWORKS[request.param]
    write_shuffled(folder / "file.txt", product(sides, closed), math.prod(sides))
    return request.param


def test_describe(network, succeed):
    text = succeed("describe", "graph:file.txt").out
    assert f"it is the network {network} with its nodes in another order" in text
    assert ("Cayley graph    yes" in text) == network.startswith("torus")
    assert json.loads(succeed("describe", "graph:file.txt", "--json").out)["known_as"] == network
    assert "known_as" not in json.loads(succeed("describe", network, "--json").out)


@pytest.mark.parametrize("collective", ["alltoall", "allgather", "scatter", "reduce-scatter", "allreduce"])
def test_plan_replay_check(network, collective, succeed):
    def plan(topology, *options):
        return json.loads(succeed("plan", topology, collective, "--json", *options).out)

    ours, named = plan("graph:file.txt", "-o", "plan.json"), plan(network)
    assert (ours["steps"], ours["lower_bound"], ours["algorithm"]) == (
        named["steps"], named["lower_bound"], named["algorithm"])
    assert ours["topology"] == "graph:file.txt" and ours["known_as"] == network and ours["valid"]
    checked = json.loads(succeed("check", "plan.json", "--json").out)
    assert checked["valid"] and checked["known_as"] == network and checked["steps"] == ours["steps"]
    replayed = json.loads(succeed("replay", "plan.json", "--json").out)
    assert replayed["steps"] == ours["steps"] and replayed["lost"] == 0


def test_run_of_routers_and_of_a_timetable(network, succeed):
    for options in (["alltoall", "--ports", "one"], ["broadcast", "--root", "7"], ["alltoall", "--node", "tdm"]):
        ours, named = (json.loads(succeed("run", topology, *options, "--json").out)
                       for topology in ("graph:file.txt", network))
        assert ours["verdict"] in ("optimal", "as-published", "within-bound"), options
        assert ours["lost"] == 0 and ours["delivered"] == ours["expected_deliveries"]
        if options[0] == "alltoall":
            assert (ours["algorithm"], ours["steps"]) == (named["algorithm"], named["steps"]), options


def test_nodes_that_scan_rows_and_columns_first(folder, succeed):
    """Nodes count the active nodes of their rows and columns over trees of the named network, on the links of the file's."""
    numbers = write_shuffled(folder / "file.txt", product((5, 5), True), 25)
    command = "partial-exchange --algorithm row-column-classes --json --active"
    active = ",".join(str(numbers[v]) for v in range(7))
    named = json.loads(succeed(f"run torus:5x5 {command} 0,1,2,3,4,5,6").out)
    ours = json.loads(succeed(f"run graph:file.txt {command} {active}").out)
    assert ours["delivered"] == ours["expected_deliveries"] == 7 * 24 and ours["lost"] == 0
    assert ours["scan_cycles"] == named["scan_cycles"] > 0
    assert ours["published_bound_cycles"] == named["published_bound_cycles"] > 0


def test_planner_of_a_family_by_name(folder, succeed):
    write_shuffled(folder / "torus.txt", product((5, 5), True), 25)
    command = ["alltoall", "--algorithm", "torus-koenig-exchange"]
    text = succeed("plan", "graph:torus.txt", *command).out
    assert "it is the network torus:5x5" in text and "valid          yes" in text


def test_names_of_nodes_stay(folder, succeed):
    (folder / "ring.dot").write_text("graph { a -- c; d -- b; e -- a; b -- e; c -- d }")
    succeed("plan", "graph:ring.dot", "gather", "--root", "d", "-o", "plan.json")
    schedule = json.loads((folder / "plan.json").read_text())
    assert schedule["network"]["nodes"] == ["a", "c", "d", "b", "e"]
    assert schedule["root"] == 2


def test_near_misses_are_planned_as_what_they_are(folder, succeed):
    edges = list(product((4, 4), True))
    edges[0], edges[12] = (edges[0][0], edges[12][1]), (edges[12][0], edges[0][1])
    write_shuffled(folder / "file.txt", edges, 16)
    assert "it is the network" not in succeed("plan", "graph:file.txt", "alltoall").out
    assert "it is the network" not in succeed("describe", "graph:file.txt").out
