"""Partial collectives: only some nodes are active, and who is active is known when the run starts, or on-line by a scan."""
import pytest
from cases import cases

MULTINODE_BROADCAST = "run mesh:4x4 partial-multinode-broadcast"


@pytest.mark.parametrize("pattern, command", cases(
    ("partial exchange", r"24 of 24 delivered", "run torus:3x3 partial-exchange --active '0,0;1,1;2,2'"),
    ("partial exchange, on-line", r"93 cycles, 5 per slot; 8 of them are a scan",
     "run mesh:4x4 partial-exchange --active 0,5,10 --flits 4 --link-latency 1"),
    ("its bound in cycles", r'"scan_cycles":4,"published_bound_cycles":34,',
     "run mesh:4x4 partial-exchange --active 0,5,10 --json"),
    ("partial gather backwards", r"steps +17 ",
     "run mesh:4x4 partial-gather --active 0,5,10 --algorithm reversed-row-column-classes"),
    ("a partial broadcast in parts", r"cycles +108: rank scan 12 \+ packing 48 \+ broadcast 48",
     f"{MULTINODE_BROADCAST} --active 0,3,7 --flits 16 --split"),
    ("a partial broadcast of whole packets", r"cycles +216: ", f"{MULTINODE_BROADCAST} --active 0,3,7 --flits 16"),
    ("the bound of a single class", r"published +at most 429/16 slots of 1 cycles \(meshes, Lemma 2\)$",
     f"{MULTINODE_BROADCAST} --active 0,3,5 --single-class"),
    ("more digits than small nodes have", r"cycles +180: class scan 60", "run mesh:16x16 partial-multinode-broadcast --active 0,3,5"),
    ("a scan and nothing else", r"scan +every node has its rank and the total; 6 flits sent", "run mesh:2x2 scan --active 0,1"),
    ("its deliveries, as JSON", r'"cycles":108.*"lost":0,"duplicated":0',
     f"{MULTINODE_BROADCAST} --active 0,3,7 --flits 16 --split --json"),
))
def test_runs(expect, pattern, command):
    expect(0, pattern, command)


def test_trace_of_an_on_line_exchange_on_a_torus_is_a_schedule(expect):
    expect(0, r"21 cycles, 1 per slot; 4 of them are a scan",
           "run torus:4x4 partial-exchange --active 0,5,10 --trace exchange.json")
    expect(0, r"valid +yes", "check exchange.json")


@pytest.mark.parametrize("pattern, command", cases(
    ("a partial exchange on what is no square", r"needs a p x p array",
     "run mesh:3x4 partial-exchange --active 0,5 --algorithm row-column-classes"),
    ("a partial exchange on no array", r"needs a p x p array",
     "run ring:9 partial-exchange --active 0,5 --algorithm row-column-classes"),
    ("a partial exchange, one-port", r"needs --ports all",
     "run mesh:3x3 partial-exchange --active 0,5 --ports one --algorithm row-column-classes"),
    ("a partial exchange of nobody", r"'random:0:1'", "run mesh:3x3 partial-exchange --active random:0:1"),
    ("a scan without its RTL", r"--model systemc", "run mesh:3x3 partial-exchange --active 0,5 --model systemc"),
    ("a scan in pifo_network.sv", r"--whole-network", "run mesh:3x3 partial-exchange --active 0,5 --whole-network"),
    ("concurrent broadcasts of whom", r"expected --active", "run ring:5 concurrent-broadcast"),
    ("concurrent broadcasts of a node that does not exist", r"'5'", "run ring:5 concurrent-broadcast --active 0,5"),
    ("concurrent broadcasts on a mesh", r"needs a linear array, or a ring",
     "run mesh:3x3 concurrent-broadcast --active 0"),
    ("halves in an array", r"needs a ring",
     "run linear:4 concurrent-broadcast --active 0 --algorithm pass-on-first-halves"),
    ("active nodes that do not exist", r"9", "run ring:4 partial-gather --active 0,9"),
    ("active nodes of a broadcast", r"--active", "run ring:4 broadcast --active 0,1"),
    ("a partial broadcast of nobody knows whom", r"--active", MULTINODE_BROADCAST),
    ("more active nodes than there are", r"99", f"{MULTINODE_BROADCAST} --active random:99:1"),
    ("a random set without a number", r"random:x", f"{MULTINODE_BROADCAST} --active random:x"),
    ("a partial broadcast on unequal sides", r"3x4", "run mesh:3x4 partial-multinode-broadcast --active 0"),
    ("packing in parts", r"--split", "run mesh:4x4 packing --active 0,3 --split"),
    ("no way round an array", r"--alternating", f"{MULTINODE_BROADCAST} --active 0,3 --alternating"),
    ("two flits of header", r"--header-flits", f"{MULTINODE_BROADCAST} --active 0,3 --header-flits 2"),
    ("a partial broadcast with a root", r"--root", f"{MULTINODE_BROADCAST} --active 0,3 --root 1"),
    ("monotone routing to nowhere", r"--destinations", "run mesh:4x4 monotone-routing --active 0,3"),
    ("monotone routing to too few nodes", r"--destinations.*2",
     "run mesh:4x4 monotone-routing --active 0,3 --destinations 5"),
    ("a partial broadcast with destinations", r"--destinations",
     f"{MULTINODE_BROADCAST} --active 0,3 --destinations 1,2"),
))
def test_refuses(refuse, pattern, command):
    refuse(pattern, command)
