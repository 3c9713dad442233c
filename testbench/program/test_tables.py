"""The tables of the papers, and the grid of what is optimal where."""
import csv
import html.parser
import json
import os
import pathlib
import pty
import subprocess
from fractions import Fraction

import pytest
from cases import cases


ROOT = pathlib.Path(__file__).resolve().parents[2]


def rows_of(file):
    with open(file, newline="", encoding="utf-8") as text:
        return list(csv.DictReader(text))


@pytest.mark.parametrize("pattern, command", cases(
    ("necklaces of the paper", r"^torus:3x3x3 +3 +2 +212  212 121 +212 121 212 121 212 121$", "table necklaces"),
    ("necklaces of a doubled cube", r"^doubled-cube:2 +1 +2 +10 ", "table necklaces doubled-cube:2"),
    ("sizes of subtrees by formula", r"^30 +1000 +10{90} ", "table subtrees 30,1000"),
    ("one port model, several messages", r"^8 cells",
     "table optimality ring:4 --ports one --messages 2 --csv m.csv --html m.html"),
    ("a bound without a certificate", r"^no certificate yet: linear:3 allreduce --ports one-send: 7 steps, node 1 sends",
     "table optimality linear:3 --ports one-send --messages 3 --certificate c.json"),
))
def test_prints(expect, pattern, command):
    expect(0, pattern, command)


@pytest.mark.parametrize("pattern, command", cases(
    ("no such table", r"nonsense", "table nonsense"),
    ("finite queues of a ring", r"'ring:4': expected a fat tree", "table finite-queues ring:4"),
    ("queues of nothing", r"'0'", "table finite-queues --depths 1,0"),
    ("depths of a table that has none", r"--depths", "table subtrees --depths 2"),
    ("messages of finite queues", r"--messages", "table finite-queues --messages 2"),
    ("necklaces of unequal sides", r"torus:3x4", "table necklaces torus:3x4"),
    ("subtrees of no size", r"'4,x'", "table subtrees 4,3 4,x"),
    ("table into nowhere", r"/no/such/folder", "table necklaces --csv /no/such/folder/x.csv"),
    ("optimality of nothing", r"nonsense", "table optimality nonsense"),
    ("messages of a table that has none", r"optimality", "table subtrees --messages 2"),
    ("grid into nowhere", r"/no/such/folder", "table optimality ring:4 --html /no/such/folder/x.html"),
))
def test_refuses(refuse, pattern, command):
    refuse(pattern, command)


@pytest.mark.parametrize("pattern, field, value", cases(
    ("registers", r"node 1: expected \"registers\" to be a whole number$", "registers", "many"),
    ("a clock", r"node 1: expected \"ns\" to be a number of ns$", "ns", -1),
    ("a name", r"node 1: expected \"name\" to be text$", "name", 7),
))
def test_refuses_areas_of_another_form(refuse, folder, pattern, field, value):
    areas = json.loads((ROOT / "rtl/node_areas.json").read_text(encoding="utf-8"))
    areas["nodes"][0][field] = value
    (folder / "areas.json").write_text(json.dumps(areas), encoding="utf-8")
    refuse(pattern, "table areas --from areas.json")


def test_areas_of_some_nodes(succeed, folder):
    succeed("table areas fifo_node pifo-all --csv areas.csv")
    assert {row["node"] for row in rows_of(folder / "areas.csv")} == {"pifo-all", "fifo-all", "fifo-one"}


def test_standings_have_colours_on_a_terminal(program, folder):
    ours, theirs = pty.openpty()
    subprocess.run([program, "table", "optimality", "ring:4", "--ports", "one"], cwd=folder, stdout=theirs, check=True, timeout=60)
    os.close(theirs)
    text = b""
    try:
        while part := os.read(ours, 65536):
            text += part
    except OSError:  # so a terminal ends
        pass
    os.close(ours)
    assert b"\x1b[32m" in text, text


def test_subtrees_as_csv_with_the_misprints_of_the_paper(succeed, folder):
    succeed("table subtrees --csv subtrees.csv")
    rows = rows_of(folder / "subtrees.csv")
    assert len(rows) == 29
    for row in rows:
        n, k = int(row["n"]), int(row["k"])
        mean = Fraction(k ** n - 1, 2 * n)
        assert Fraction(row["mean"]) == mean and Fraction(row["ratio"]) == int(row["largest"]) / mean
        assert abs(Fraction(row["decimal ratio"]) - Fraction(row["ratio"])) <= Fraction(1, 200)
    misprints = [(row["n"], row["k"]) for row in rows if "printed: ratio" in row["note"]]
    assert misprints == [("4", "6"), ("5", "4"), ("5", "5"), ("7", "3")]


def test_what_shallow_queues_cost_on_fat_trees(succeed, folder):
    succeed("table finite-queues fat-tree:2,2 --depths 1,2 --csv queues.csv --html queues.html")
    rows = rows_of(folder / "queues.csv")
    assert len(rows) == 15 and {row["bound"] for row in rows} == {"5", "7", "80", "112"}, rows
    for row in rows:
        assert int(row["bound"]) <= int(row["as needed"]) <= int(row["Q=2"]) <= int(row["Q=1"]), row
        if row["packets"] != "16 flits, free":
            assert int(row["Q=2"]) < int(row["Q=1"]), row
    html.parser.HTMLParser().feed((folder / "queues.html").read_text())


class Cells(html.parser.HTMLParser):
    """Collects the table cells that have a title, and checks that elements are closed in order."""

    def __init__(self):
        super().__init__()
        self.cells, self.open = [], []

    def handle_starttag(self, tag, attrs):
        if tag != "meta":
            self.open.append(tag)
        if tag == "td" and "title" in dict(attrs):
            self.cells.append(dict(attrs))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_grid_of_optimality_as_text_csv_and_html(succeed, folder):
    succeed("table optimality ring:4 kautz:2,2 edges:0-1,0-2,1-2,2-3 --csv grid.csv --html grid.html")
    rows = rows_of(folder / "grid.csv")
    assert len(rows) == 3 * 8 * 2
    for row in rows:
        assert row["standing"] in ("optimal", "best known"), row
        assert int(row["steps"]) - int(row["lower_bound"]) == int(row["gap"]) >= 0
        assert (row["standing"] == "optimal") == (row["gap"] == "0")
        assert row["bound"] and row["algorithm"] and row["node"] in ("pifo", "tdm")
    page = Cells()
    page.feed((folder / "grid.html").read_text())
    assert not page.open and len(page.cells) == len(rows)
    assert sum(cell["class"] == "optimal" for cell in page.cells) == sum(row["standing"] == "optimal" for row in rows)
