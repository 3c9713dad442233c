"""Networks from files, and which of their nodes only route."""
import json
import os
import pathlib
import re

import pytest
from cases import cases

TRIPLE = """<graphml><graph edgedefault="directed"><node id="nw"/><node id="ne"/><node id="se"/>
<edge source="nw" target="ne"/><edge source="ne" target="se"/><edge source="se" target="ne"/><edge source="ne" target="nw"/>
</graph></graphml>
"""
ABC = "graph { a -- b -- c; a -- b [color=red] }\n"


@pytest.mark.parametrize("name, text, pattern, command", cases(
    ("edge list", "edges.txt", "0 1\n1 2  # a comment\n\n2 0\n2 3\n", r"12 of 12 delivered",
     "run graph:edges.txt total-exchange --ports one"),
    ("GraphML, root by name", "triple.graphml", TRIPLE, r"lower bound +2 ", "run graph:triple.graphml broadcast --root se"),
    ("DOT", "abc.gv", ABC, r"3 nodes, 6 links", "run graph:abc.gv broadcast --root c"),
    ("describes without a formula", "abc.gv", ABC, r"average status +8/3$", "describe graph:abc.gv"),
))
def test_reads(expect, folder, name, text, pattern, command):
    (folder / name).write_text(text)
    expect(0, pattern, command)


@pytest.mark.parametrize("name, text, pattern, command", cases(
    ("edge list with a word", "bad.txt", "0 1\n1 banana\n", r"banana", "run graph:bad.txt broadcast"),
    ("edge list in two parts", "split.txt", "0 1\n2 3\n", r"connected", "run graph:split.txt broadcast"),
    ("DOT with no way back", "oneway.dot", "digraph {\n  a -> b;\n}\n", r"'b' cannot reach node 'a'",
     "run graph:oneway.dot broadcast"),
    ("GraphML with hyperedges", "hyper.graphml",
     '<graphml>\n<graph edgedefault="undirected"><hyperedge/></graph></graphml>', r"hyper.graphml:2: .*hyperedges",
     "describe graph:hyper.graphml"),
    ("DOT nested deeply", "deep.dot", "graph " + "{" * 1000000 + "\n", r"deep.dot:1: .*nested too deeply",
     "draw graph:deep.dot"),
))
def test_refuses(refuse, folder, name, text, pattern, command):
    (folder / name).write_text(text)
    refuse(pattern, command)


# Two switches with two hosts each.
HOSTS = """graph { node [type=switch]; s1; s2; node [type=host]; a -- s1 -- b; s1 -- s2 [bandwidth=3]; c -- s2; d -- s2 }"""
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "cpp_model/graph/file"


@pytest.mark.parametrize("pattern, command", cases(
    ("DOT with switches", r"4 processors, 2 routers", "describe graph:hosts.dot"),
    ("run", r"12 of 12 delivered", "run graph:hosts.dot total-exchange"),
    ("run of a timetable", r"verdict +(optimal|within-bound)", "run graph:hosts.dot allreduce --algorithm auto"),
    ("plan", r"valid +yes", "plan graph:hosts.dot broadcast --root c --ports one"),
    ("traffic", r"verdict +carried", "traffic graph:hosts.dot uniform --rate 0.01"),
    ("draw", r'"s2" \[type=switch', "draw graph:hosts.dot"),
    ("--routers", r"3 processors, 3 routers", "describe graph:hosts.dot --routers a"),
    ("--routers by pattern", r"7 processors, 2 routers", "describe mesh:3x3 --routers 0_[01]"),
    ("--routers by degree", r"8 processors, 7 routers", "describe tree:2,3 --routers degree:2"),
    ("--routers in plan", r"5 processors|valid +yes", "plan mesh:3x3 alltoall --routers 4,5-7"),
    ("--routers in traffic", r"verdict +carried", "traffic ring:6 uniform --rate 0.01 --routers 1"),
    ("--routers in draw", r'"node_1" \[type=switch', "draw ring:6 --routers 1"),
    ("--routers in software", r"on routers\(ring:6;1\)", "software ring:6 broadcast --routers 1"),
    ("--group", r"6 of 6 delivered", "run ring:8 alltoall --group 0,3,7"),
    ("--group whose packets pass each other", r"verdict +(optimal|within-bound)",
     "run ring:8 allreduce --group 0,3,7 --algorithm auto"),
    ("--group by name", r"group\(mesh:3x3;0_0,2_2\)", "plan mesh:3x3 broadcast --group 0_0,2_2"),
    ("--group of --routers", r"group\(routers\(ring:8;7\);0,1,2\)", "describe ring:8 --group 0,1,2 --routers 7"),
    ("spelled out", r"group\(routers\(ring:8;7\);0,1,2\)", "describe group(routers(ring:8;7);0,1,2)"),
    ("one-way links", r"3 processors", "describe kautz:2,2 --group 0-2"),
))
def test_nodes_that_only_route(expect, folder, pattern, command):
    (folder / "hosts.dot").write_text(HOSTS)
    expect(0, pattern, command)


def test_a_schedule_on_a_file_keeps_its_routers(succeed, expect, folder):
    (folder / "hosts.dot").write_text(HOSTS)
    succeed("plan graph:hosts.dot total-exchange -o plan.json")
    (folder / "hosts.dot").unlink()
    expect(0, r"valid +yes", "check plan.json")
    expect(0, r"as planned", "replay plan.json")


def test_a_drawing_is_read_with_its_routers(succeed, expect, folder):
    (folder / "hosts.dot").write_text(HOSTS)
    succeed("draw graph:hosts.dot -o drawn.dot")
    expect(0, r"4 processors, 2 routers", "describe graph:drawn.dot")


@pytest.mark.parametrize("name, nodes, steps", [
    ("rails.yml", r"16 processors, 8 routers", 15),
    ("three_hosts.anynet", r"5 processors, 4 routers", 7),
    ("nvswitch.topo.txt", r"8 processors, 12 routers", 2),
])
def test_examples_of_other_tools(expect, succeed, name, nodes, steps):
    expect(0, nodes, "describe", f"graph:{EXAMPLES / name}")
    result = succeed("run", f"graph:{EXAMPLES / name}", "total-exchange", "--algorithm", "auto", "--json")
    assert json.loads(result.out)["steps"] <= steps


def test_says_once_what_it_does_not_use(succeed, folder):
    (folder / "hosts.dot").write_text(HOSTS)
    result = succeed("plan graph:hosts.dot total-exchange -o plan.json")
    assert result.err == "safnet: note: file 'hosts.dot': bandwidth of edges is not used; --timed says how links differ\n"


@pytest.mark.parametrize("pattern, command", cases(
    ("a file of no format", r"unknown.txt:1: 'hello': expected .*GML.*ASTRA-sim", "describe graph:unknown.txt"),
    ("a node that is not there", r"node '9' of ring:8", "run ring:8 broadcast --routers 9"),
    ("all nodes", r"0 of 8 nodes left that process", "plan ring:8 broadcast --routers degree:2"),
    ("a pattern of nothing", r"'spine\*'", "describe graph:hosts.dot --routers spine*"),
    ("a group of one", r"1 of 8 nodes left", "describe ring:8 --group 3"),
    ("a group with a router", r"s1 only routes", "traffic graph:hosts.dot uniform --group s1,a"),
    ("the root of another group", r"node_5|root", "run ring:8 broadcast --group 0,3,7 --root node_5"),
    ("bad input after a note", r"node 'x'", "run graph:hosts.dot broadcast --root x"),
))
def test_refuses_routers(refuse, folder, pattern, command):
    (folder / "hosts.dot").write_text(HOSTS)
    (folder / "unknown.txt").write_text("hello world\n")
    refuse(pattern, command)


def test_refuses_routers_of_no_name(refuse):
    refuse(r"--routers ''", "describe", "ring:8", "--routers", "")


def test_refuses_a_missing_edge_list(refuse):
    refuse(r"missing.txt", "run graph:missing.txt broadcast")


def test_refuses_an_edge_list_of_noise(refuse, folder):
    (folder / "noise.txt").write_bytes(os.urandom(100000))
    refuse(r"noise.txt", "run graph:noise.txt broadcast")


def test_refuses_a_folder_as_edge_list(refuse, folder):
    refuse(re.escape(str(folder)[:40]), "run", f"graph:{folder}", "broadcast")
