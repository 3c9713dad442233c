"""Pictures of networks: DOT, SVG and PNG."""
import os
import xml.etree.ElementTree

import pytest
from cases import cases

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
