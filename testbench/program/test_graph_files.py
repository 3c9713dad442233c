"""Networks from files: edge lists, GraphML and DOT."""
import os
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


def test_refuses_a_missing_edge_list(refuse):
    refuse(r"missing.txt", "run graph:missing.txt broadcast")


def test_refuses_an_edge_list_of_noise(refuse, folder):
    (folder / "noise.txt").write_bytes(os.urandom(100000))
    refuse(r"noise.txt", "run graph:noise.txt broadcast")


def test_refuses_a_folder_as_edge_list(refuse, folder):
    refuse(re.escape(str(folder)), "run", f"graph:{folder}", "broadcast")
