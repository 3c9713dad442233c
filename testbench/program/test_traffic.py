"""traffic: patterns and traces at given loads, sweeps, saturation."""
import csv
import json
import xml.etree.ElementTree

import pytest
from cases import cases

TWO_PACKETS = "# two packets\n1 0 2\n5 3 1 2\n"
LATE_PACKETS = "1 0 2\n50 0 2 3\n100 3 1\n"
BURST = "1 0 2\n1 0 2 3\n"


@pytest.mark.parametrize("code, pattern, command", cases(
    ("uniform traffic", 0, r"verdict +carried", "traffic torus:4x4 uniform --rate 0.2"),
    ("a saturated run is a result", 0, r"verdict +saturated", "traffic ring:8 tornado --rate 0.5"),
    ("traffic that is stuck", 3, r"cycle of waiting links", "traffic torus:4x4 uniform --rate 0.9 --queue-depth 1"),
    ("traffic with grants", 0, r"limit +1/3 ", "traffic ring:8 neighbour --ports one --rate 0.1"),
    ("traffic stuck in the warm-up", 3, r"window +not opened in cycle 900001: stuck",
     "traffic torus:4x4 uniform --rate 0.9 --queue-depth 1 --warm-up 900000"),
))
def test_patterns(expect, code, pattern, command):
    expect(code, pattern, command)


@pytest.mark.parametrize("code, pattern, trace, options", cases(
    ("a trace", 0, r"3 of 3 delivered, 0 lost", TWO_PACKETS, ""),
    ("a trace longer than its window", 0, r"5 of 5 delivered", LATE_PACKETS, "--warm-up 1 --measure 10"),
    ("a trace that is cut short", 1, r"problem: 4 of the trace's 5 packets", LATE_PACKETS,
     "--measure 10 --drain-limit 50"),
    ("a burst that is delivered", 0, r"verdict +carried", BURST, ""),
))
def test_traces(expect, folder, code, pattern, trace, options):
    (folder / "packets.txt").write_text(trace)
    expect(code, pattern, f"traffic ring:4 trace:packets.txt {options}")


def test_a_sweep_as_json_csv_and_svg(succeed, folder):
    result = succeed("traffic ring:8 tornado --sweep 0.1:0.5:0.2 --threads 2 --json --csv loads.csv --plot loads.svg")
    sweep = json.loads(result.out)
    assert sweep["limit"] == "1/3"
    assert [load["verdict"] for load in sweep["loads"]] == ["carried", "carried", "saturated"], sweep
    for load in sweep["loads"]:
        assert load["generated"] == load["delivered"] + load["at_sources"], load
        assert load["lost"] == load["duplicated"] == 0, load
    rows = list(csv.reader((folder / "loads.csv").read_text().splitlines()))
    assert [row[0] for row in rows] == ["rate", "0.1", "0.3", "0.5"], rows
    assert all(len(row) == len(rows[0]) for row in rows), rows
    xml.etree.ElementTree.parse(folder / "loads.svg")


@pytest.mark.parametrize("pattern, command", cases(
    ("an unknown pattern", r"'nowhere': expected uniform, ", "traffic ring:8 nowhere"),
    ("a pattern without a square", r"transpose: expected a square grid", "traffic mesh:4x3 transpose"),
    ("a rate above one", r"rate 1.5: expected", "traffic ring:8 uniform --rate 1.5"),
    ("a rate in words", r"--rate 'fast'", "traffic ring:8 uniform --rate fast"),
    ("a sweep from nothing", r"--sweep '0:1:0.5': rate 0: expected", "traffic ring:8 uniform --sweep 0:1:0.5"),
    ("a table and a plot in one file", r"--plot './y.svg': expected another",
     "traffic ring:8 uniform --sweep 0.1,0.2 --csv y.svg --plot ./y.svg"),
    ("more packets of a node than can be told apart", r"a node could generate",
     "traffic ring:2 uniform --rate 0.9 --measure 20000000"),
    ("a trace without end", r"trace:/dev/zero: expected a regular file", "traffic ring:4 trace:/dev/zero"),
    ("a sweep backwards", r"--sweep '0.5:0.1:0.1'", "traffic ring:8 uniform --sweep 0.5:0.1:0.1"),
    ("a plot of one load", r"--plot .*expected --sweep", "traffic ring:8 uniform --plot one.svg"),
    ("a plot of another kind", r"--plot 'a.png': expected .*svg",
     "traffic ring:8 uniform --sweep 0.1,0.2 --plot a.png"),
    ("a hot spot that is cold", r"--hot-spot .*hot-spot beside it", "traffic ring:8 uniform --hot-spot 3"),
    ("a hot spot nowhere", r"--hot-spot '9'", "traffic ring:8 hot-spot --hot-spot 9"),
    ("more packets than can be followed", r"--measure 99999999",
     "traffic ring:8 uniform --rate 0.9 --measure 99999999"),
    ("a trace that is not there", r"trace:none.txt", "traffic ring:8 trace:none.txt"),
    ("a network too large for traffic", r"60000 nodes", "traffic ring:60000 uniform"),
))
def test_refuses(refuse, pattern, command):
    refuse(pattern, command)


def test_refuses_a_warm_up_as_long_as_the_trace(refuse, folder):
    (folder / "packets.txt").write_text(TWO_PACKETS)
    refuse(r"--warm-up 99: expected fewer than \d+, the last cycle of the trace", "traffic ring:4 trace:packets.txt --warm-up 99")


@pytest.mark.parametrize("pattern, options", cases(
    ("a trace with a packet to oneself", r"packets.txt:2: destination '0'", ""),
    ("a trace with a rate", r"--rate '0.1': expected a pattern", "--rate 0.1"),
))
def test_refuses_traces(refuse, folder, pattern, options):
    (folder / "packets.txt").write_text("1 0 2\n2 0 0\n")
    refuse(pattern, f"traffic ring:4 trace:packets.txt {options}")
