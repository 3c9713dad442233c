"""What a network is: distances, cuts, formulas, hardware, in text and as JSON."""
import json

import pytest
from cases import cases


@pytest.mark.parametrize("pattern, command", cases(
    ("describes a mesh", r"average status +328, the same by formula", "describe mesh:5x4x4"),
    ("names the hardware", r"nodes of 32 ports", "describe complete:20"),
    ("finds the cuts", r"8 edges across the middle of each of 2 dimensions of size 4", "describe torus:4x4"),
    ("knows a Cayley graph", r"Cayley graph +yes", "describe star:5"),
    ("leaves and routers of a fat tree", r"nodes +11: 8 processors, 3 routers", "describe fat-tree:4x2,1,3"),
    ("levels of a fat tree", r"^ +1 +2 +4 +7 +1 +8$", "describe fat-tree:4x2,1,3"),
    ("how its leaves are parted", r"bisection +3 full-duplex edges", "describe fat-tree:4x2,1,3"),
    ("distances between leaves alone", r"diameter +6, the same by formula", "describe fat-tree:2,3,exponential"),
    ("a fat tree as JSON", r'"processors":8,"routers":7.*"capacity":4.*"bisection_width":4',
     "describe fat-tree:2,3,exponential --json"),
    ("the first and the last of many distances", r"^ +\.\.\.$", "describe linear:40"),
    ("what is not searched, by formula", r"^  diameter +left out: a search .* too long; by formula 30$", "describe fat-tree:2,15"),
    ("another spelling of a fat tree", r"^fat-tree:2,3,exponential$", "describe fat-tree:2x2x2,1,2,4"),
))
def test_describes(expect, pattern, command):
    expect(0, pattern, command)


@pytest.mark.parametrize("pattern, command", cases(
    ("a fat tree without a height", r"'2': expected K,H", "describe fat-tree:2"),
    ("a fat tree of one child each", r"'1': expected an arity", "describe fat-tree:1,3"),
    ("a fat tree too high", r"'99': expected a height", "describe fat-tree:2,99"),
    ("no such capacities", r"'foo'", "describe fat-tree:2,3,foo"),
    ("too few capacities", r"2 capacities; expected", "describe fat-tree:2,3,1,2"),
    ("capacities twice", r"'exponential'", "describe fat-tree:2,3,exponential,1"),
    ("more ports than nodes have", r"256 ports", "describe fat-tree:4,4,exponential"),
    ("a fat tree of no children", r"'0': expected an arity", "describe fat-tree:2x0"),
    ("a fat tree of nothing", r"'': expected K,H", "describe fat-tree:"),
    ("a fat tree beyond all numbers", r"'99999999999999999999'", "describe fat-tree:99999999999999999999,3"),
    ("a router as a root", r"router_1_0|8", "run fat-tree:2,3 broadcast --root router_1_0"),
))
def test_refuses_fat_trees(refuse, pattern, command):
    refuse(pattern, command)


@pytest.mark.parametrize("topology", [
    "linear:65536", "mesh:256x256", "hypercube:16", "butterfly:12", "tree:2,15", "star:8", "circulant:65536,1,255"])
def test_describes_large_networks(succeed, topology):
    result = succeed("describe", topology, "--json")
    network = json.loads(result.out)
    nodes, pairs = network["nodes"], network["node_pairs_at_distance"]
    assert sum(pairs) == nodes * (nodes - 1) // 2
    assert len(pairs) - 1 == network["diameter"]["search"]
    assert 2 * sum(distance * count for distance, count in enumerate(pairs)) == network["total_status"]["search"]
    for key in ("diameter", "total_status", "status_of_node_0", "degree_of_node_0"):
        assert network[key]["formula"] in (None, network[key]["search"]), key
    assert network["formulas_agree"]


@pytest.mark.parametrize("pattern, options", cases(
    ("in text", r"diameter +left out", ""),
    ("in JSON", r'"average_status":null.*"node_pairs_at_distance":null', "--json"),
))
def test_leaves_out_what_takes_too_long(expect, folder, pattern, options):
    ring = [f"{v} {(v + 1) % 65536}\n" for v in range(65536)]
    chords = [f"{v} {v + 32768}\n" for v in range(0, 32768, 2)]
    (folder / "wide.txt").write_text("".join(ring + chords))
    expect(0, pattern, f"describe graph:wide.txt {options}")
