"""scripts/synthesise.sh --cells on the smallest routers: what it counts hangs together, and what it cannot build it refuses; what is kept of it, and the table of that."""
import copy
import csv
import json
import os
import re
import subprocess
import sys

import pytest

SMALLEST = ("Radix=2", "QueueDepth=2", "HostDepth=2", "LabelDepth=2")


@pytest.fixture(name="synthesise")
def fixture_synthesise(root, tmp_path):
    """Calls the script; its files go to the test's folder."""

    def call(*arguments):
        return subprocess.run([root / "scripts" / "synthesise.sh", *arguments], capture_output=True, text=True,
                              env={**os.environ, "SYNTHESIS_FOLDER": str(tmp_path)})

    return call


def test_cells(synthesise, tmp_path, succeed):
    done = synthesise("--cells", "fifo_node", *SMALLEST)
    assert done.returncode == 0, done.stderr
    rows = {line.split()[0]: line.replace("+", " ").split()[1:] for line in done.stdout.split("\n") if line.startswith("fifo-")}
    assert set(rows) == {"fifo-all", "fifo-one"}
    for row in rows.values():
        flip_flops, _, cells, mapped_flip_flops, area, equivalents = map(int, row[3:9])
        inside, to_output, from_input = map(float, row[9:])
        # The mapping may merge flip-flops; it adds none.
        assert 0.9 * flip_flops < mapped_flip_flops <= flip_flops < cells
        assert area // 24 - 1 <= equivalents <= area // 24 + 1  # a NAND2X1 has 24 um2
        assert 1 < to_output < inside < 50 and 1 < from_input < 50
    assert int(rows["fifo-one"][5]) < int(rows["fifo-all"][5])
    # The same as a table of the program.
    succeed("table", "areas", "--from", tmp_path / "nodes.json", "--csv", "areas.csv", "--html", "areas.html")
    with open("areas.csv", encoding="utf-8") as file:
        table = {row["node"]: row for row in csv.DictReader(file)}
    for name, row in rows.items():
        columns = ("logic gates", "registers", "memory bits", "flip-flops", "depth", "cells")
        assert [table[name][column] for column in columns] == row[:6]
        assert [table[name]["um2"], table[name]["gate equivalents"], table[name]["ns within"]] == row[7:10]
        assert table[name]["ns across a link"].split()[2::2] == row[10:]
        assert "QueueDepth=2" in table[name]["parameters"]


@pytest.mark.parametrize("arguments, word", [
    (("--cells", "fifo_node", "Radix"), "'Radix'"),
    (("--cells", "fifo_node", "Depth=3"), "'Depth'"),
    (("fifo_node", "PortModel=1"), "PortModel"),
])
def test_refuses(synthesise, arguments, word):
    done = synthesise(*arguments)
    assert done.returncode == 2
    assert word in done.stderr and done.stderr.count("\n") == 1


@pytest.fixture(name="check")
def fixture_check(root, tmp_path):
    """Calls scripts/check_node_areas on figures, and on what is kept."""

    def call(measured, kept):
        for name, figures in (("gates.json", measured), ("kept.json", kept)):
            (tmp_path / name).write_text(json.dumps(figures))
        return subprocess.run([sys.executable, root / "scripts" / "check_node_areas", "gates.json", "kept.json"],
                              capture_output=True, text=True, cwd=tmp_path)

    return call


def test_kept_figures_that_are_not_of_the_rtl(check, root):
    kept = json.loads((root / "rtl" / "node_areas.json").read_text())
    assert check(kept, kept).returncode == 0

    def changed(change):
        measured = copy.deepcopy(kept)
        change(measured["nodes"])
        return check(measured, kept)

    def set_gates(nodes, part):
        nodes[0]["logic_gates"] = int(nodes[0]["logic_gates"] * part)

    assert changed(lambda nodes: set_gates(nodes, 1.019)).returncode == 0
    for change, words in (
            (lambda nodes: set_gates(nodes, 1.021), "pifo-all has .* logic gates"),
            (lambda nodes: nodes[2].update(flip_flops=1), "fifo-all has 1 flip-flops"),
            (lambda nodes: nodes[2].update(memory_bits=1), "fifo-all has 1 bits of memory"),
            (lambda nodes: nodes[2].update(parameters="Radix=8"), "fifo-all is built with Radix=8"),
            (lambda nodes: nodes.pop(), "scan-unit is only there"),
            (lambda nodes: nodes.append(dict(nodes[0], name="new")), "new is only in the RTL")):
        done = changed(change)
        assert done.returncode == 1 and "make synth" in done.stderr
        assert any(re.search(words, line) for line in done.stderr.split("\n")), done.stderr


def test_kept_figures_are_those_of_the_page(succeed, root, folder):
    assert "kept in rtl/node_areas.json" in succeed("table areas --report pages --csv areas.csv").out
    kept = json.loads((root / "rtl" / "node_areas.json").read_text())
    with open("areas.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [[row["node"], row["um2"], row["cells"]] for row in rows] == [
        [node["name"], str(node["um2"]), str(node["cells"])] for node in kept["nodes"]]
    assert 'href="areas.html"' in (folder / "pages" / "index.html").read_text()


@pytest.mark.parametrize("text, pattern", [
    ("", r"file 'x.json': expected JSON"),
    ("[]", r"areas: expected an object"),
    ('{"synthesiser": "Yosys", "cells": "", "nodes": []}', r"gates alone"),
    ('{"synthesiser": "Yosys", "cells": "osu018", "nodes": []}', r'"nodes" to be a list'),
    ('{"synthesiser": "Yosys", "cells": "osu018", "nodes": [7]}', r"node 1: expected an object"),
    ('{"synthesiser": "Yosys", "cells": "osu018", "nodes": [{"name": "\\n"}]}', r'node 1: expected "node" to be text'),
    ("{}", r'areas: expected "synthesiser" to be text'),
])
def test_refuses_figures(refuse, folder, text, pattern):
    (folder / "x.json").write_text(text)
    refuse(pattern, "table areas --from x.json --report pages")


@pytest.mark.parametrize("pattern, words", [
    (r"--from 'none.json': not found", "table areas --from none.json"),
    (r"--from '/dev/zero': expected a regular file", "table areas --from /dev/zero"),
    (r"'nothing': expected a node: pifo-all", "table areas nothing"),
    (r"--from: expected `table areas`", "table subtrees --from x.json"),
    (r"--report '/dev/null'", "table areas --report /dev/null"),
])
def test_refuses_words(refuse, pattern, words):
    refuse(pattern, words)
