"""Networks of one-way links, and of double links."""
import pytest
from cases import cases


@pytest.mark.parametrize("pattern, command", cases(
    ("a network of one-way links", r"links +24, one way each", "describe kautz:2,3"),
    ("its distances by formula", r"diameter +3, the same by formula", "describe kautz:2,3"),
    ("routers over one-way links", r"verdict +optimal", "run kautz:2,2 scatter --ports one"),
    ("an arrow for each", r'^  "ab" -> "ba";$', "draw kautz:2,2"),
    ("double links", r"steps +2 ", "plan dgx-1 scatter"),
))
def test_prints(expect, pattern, command):
    expect(0, pattern, command)


def test_a_digraph(expect, folder):
    (folder / "oneway.gv").write_text("digraph {\n  a -> b; b -> c; c -> a; a -> c;\n}\n")
    expect(0, r"links +4, one way each", "describe graph:oneway.gv")


def test_double_links_from_a_file(expect, root):
    file = root / "cpp_model" / "graph" / "file" / "dgx1.topology.json"
    expect(0, r"links +48, 24 full-duplex edges", "describe", f"graph:{file}")


@pytest.mark.parametrize("file", ["oneway.json", "oneway.msccl.json", "oneway.xml"])
def test_a_timetable_over_one_way_links(succeed, expect, file):
    succeed(f"plan kautz:2,2 total-exchange --ports one -o {file}")
    expect(0, r"as planned, to the cycle", f"replay {file} --topology kautz:2,2 --ports one --buffers 32")


def test_backwards_over_the_links_turned_round(succeed, expect):
    succeed("plan kautz:2,2 broadcast --reverse -o oneway.json")
    expect(0, r"reduction on transpose\(kautz:2,2\)", "check oneway.json")


@pytest.mark.parametrize("pattern, command", cases(
    ("one-way links on the reference", r"one-way links with --model systemc", "run kautz:2,2 broadcast --model systemc"),
    ("an algorithm for edges", r"node-invariant: needs links both ways",
     "plan kautz:2,2 total-exchange --algorithm node-invariant"),
    ("links that lead nowhere back", r"node 1 cannot reach node 0", "run links:0-1,1-2,2-1 broadcast"),
))
def test_refuses(refuse, pattern, command):
    refuse(pattern, command)
