"""Pictures of networks: DOT, SVG and PNG."""
import os
import re
import xml.etree.ElementTree
from collections import Counter

import pytest
from cases import cases
from recordings import read_table

WITHOUT_GRAPHVIZ = {**os.environ, "PATH": "/nonexistent"}


@pytest.fixture
def abc(folder):
    (folder / "abc.gv").write_text("graph { a -- b -- c; a -- b [color=red] }\n")


def test_prints_dot(expect):
    expect(0, r'^  "0_0" -- "0_1";$', "draw mesh:2x2")


def test_draws_svg_and_png(succeed, folder, abc):
    for command in ("draw torus:4x4 -o torus.svg", "draw graph:abc.gv -o abc.png"):
        result = succeed(command)
        assert result.out == "", str(result)
    svg = (folder / "torus.svg").read_text()
    assert "<svg" in svg and "<!--" not in svg
    assert (folder / "abc.png").read_bytes()[1:4] == b"PNG"


def test_fat_tree_shows_the_links_of_its_branches(succeed, folder):
    succeed("draw fat-tree:2,3,exponential -o fat.svg")
    lines = (folder / "fat.svg").read_text().split("\n")
    assert sum("<polygon" in line for line in lines) >= 8
    assert any(">4</text>" in line for line in lines)


def test_reads_what_it_draws(succeed):
    succeed("draw butterfly:3 -o butterfly.dot")
    result = succeed("describe graph:butterfly.dot")
    assert "average status  55" in result.out, str(result)


@pytest.mark.parametrize("pattern, command", cases(
    ("too large to draw", r"1024", "draw hypercube:11"),
    ("no such picture format", r"x.jpeg", "draw ring:4 -o x.jpeg"),
    ("picture into nowhere", r"/no/such/folder", "draw ring:4 -o /no/such/folder/x.svg"),
))
def test_refuses(refuse, pattern, command):
    refuse(pattern, command)


def test_without_graphviz_one_line_and_nothing_half_written(safnet, folder):
    (folder / "pictures").mkdir()
    for command in ("list topologies --pictures pictures", "draw ring:4 -o x.svg"):
        result = safnet(command, env=WITHOUT_GRAPHVIZ)
        assert result.code == 2 and result.out == "", str(result)
        assert result.err.count("\n") == 1 and "Graphviz" in result.err, str(result)
    assert list(folder.rglob("*")) == [folder / "pictures"]


def test_a_picture_that_cannot_be_written_leaves_none(refuse, folder):
    (folder / "pictures" / "torus.svg").mkdir(parents=True)
    refuse(r"--pictures 'pictures': torus.svg: expected a file, this is a folder$", "list topologies --pictures pictures")
    assert list((folder / "pictures").iterdir()) == [folder / "pictures" / "torus.svg"]


def test_small_well_formed_picture_of_every_family(succeed, folder):
    pictures = folder / "pictures"
    pictures.mkdir()
    succeed("list topologies --pictures pictures")
    files = sorted(pictures.iterdir())
    for file in files:
        xml.etree.ElementTree.parse(file)
    drawn = [file for file in files if file.suffix == ".svg"]
    assert len(drawn) == succeed("list topologies").out.count("\n")
    assert [file.name for file in drawn if file.stat().st_size > 12 * 1024] == []


SHADES = re.compile(r'-> "\S+" \[pos="[^"]+", color="(#\w{6})", penwidth=([\d.]+).*: (\d+) flits"')


@pytest.mark.parametrize("topology, collective", cases(
    ("two directions", "ring:8", "scatter --flits 3"),
    ("wrap-around links", "torus:4x4", "broadcast"),
    ("parallel links and routers", "fat-tree:2,3,exponential", "alltoall"),
    ("links that are drawn as stubs", "torus:4x4x4", "broadcast"),
    ("one-way links", "de-bruijn:2,3", "broadcast"),
    ("laid out by Graphviz", "graph:abc.gv", "total-exchange"),
))
def test_load_of_every_link(succeed, folder, abc, topology, collective):
    succeed(f"run {topology} {collective} --trace did.json --transfers did.csv")
    carried = Counter()
    for row in read_table(folder / "did.csv"):
        carried[row["from"], row["to"], row["port"]] += int(row["flits"])
    links = int(re.search(r"(\d+) links", succeed("check did.json").out)[1])
    dot = succeed(f"draw {topology} --load did.json").out
    shown = re.findall(r'tooltip="(\w+) to (\w+), port (\d+): (\d+) flits"', dot)
    assert len(shown) == links
    assert {(a, b, port): int(flits) for a, b, port, flits in shown if flits != "0"} == carried
    # Wider is more, darker is more, and the same is the same.
    looks = sorted({(int(flits), float(width), colour) for colour, width, flits in SHADES.findall(dot)})
    brightness = [sum(bytes.fromhex(colour[1:])) for flits, _, colour in looks if flits > 0]
    assert [width for _, width, _ in looks] == sorted({width for _, width, _ in looks})
    assert brightness == sorted(set(brightness), reverse=True)
    assert dot.count("style=dashed") == links - len(carried)
    succeed(f"draw {topology} --load did.json -o load.svg")
    svg = xml.etree.ElementTree.parse(folder / "load.svg")
    assert "flits over each link" in [text.text for text in svg.iter("{http://www.w3.org/2000/svg}text")]


def test_load_of_a_program_that_holds_no_network(succeed):
    succeed("plan ring:4 total-exchange -o ring.xml")
    assert succeed("draw ring:4 --load ring.xml").out.count(": 2 flits") == 8


def test_refuses_loads_of_another_network(succeed, refuse, folder):
    succeed("plan ring:8 broadcast -o ring.json")
    (folder / "no.json").write_text("{")
    refuse(r"--load 'ring.json': .*ring:8.*; expected torus:4x4", "draw torus:4x4 --load ring.json -o x.svg")
    refuse(r"--load 'ring.json': .*; expected linear:8", "draw linear:8 --load ring.json -o x.svg")
    refuse(r"no.json", "draw ring:8 --load no.json -o x.svg")
    refuse(r"missing.json", "draw ring:8 --load missing.json -o x.svg")
    refuse(r"1024", "draw hypercube:11 --load ring.json -o x.svg")
