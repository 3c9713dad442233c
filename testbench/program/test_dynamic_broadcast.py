"""dynamic-broadcast: packets to broadcast that arrive at random times."""
import csv
import json
import xml.etree.ElementTree

import pytest
from cases import cases


def test_dynamic_broadcasting(expect):
    expect(0, r"verdict +within bound", "dynamic-broadcast mesh:4x4 --split --flits 4 --packets 200")


def test_a_sweep_of_rates_as_json_csv_and_svg(succeed, folder):
    result = succeed("dynamic-broadcast mesh:4x4 --split --flits 4 --packets 200 --of-limit --sweep 0.3:1.5:0.6 --json "
                     "--csv delays.csv --plot delays.svg")
    sweep = json.loads(result.out)
    assert [load["verdict"] for load in sweep["loads"]] == ["within bound", "no bound", "not stable"], sweep
    for load in sweep["loads"]:
        assert load["broadcast"] == load["arrived"] == 200 and load["lost"] == load["duplicated"] == 0, load
        assert load["deliveries"] == load["expected_deliveries"] == 200 * 15 * 2, load
    rows = csv.reader((folder / "delays.csv").read_text().splitlines())
    assert [row[1] for row in rows] == ["of limit", "0.3000", "0.9000", "1.5000"]
    xml.etree.ElementTree.parse(folder / "delays.svg")


@pytest.mark.parametrize("pattern, command", cases(
    ("where there are no digits", r"dynamic-broadcast: .*petersen", "dynamic-broadcast petersen"),
    ("a rate of nothing", r"--rate 0: expected", "dynamic-broadcast mesh:4x4 --rate 0"),
    ("no packets", r"--packets 0: expected", "dynamic-broadcast mesh:4x4 --packets 0"),
    ("more warm-up than packets", r"--warm-up 2000: expected fewer", "dynamic-broadcast mesh:4x4 --warm-up 2000"),
    ("packets of no flits", r"--flits 0: expected", "dynamic-broadcast mesh:4x4 --flits 0"),
    ("packets that come too rarely", r"--packets 5000000: expected fewer",
     "dynamic-broadcast mesh:4x4 --packets 5000000 --rate 0.000001"),
    ("turns without a ring", r"--alternating: expected a torus", "dynamic-broadcast mesh:4x4 --alternating"),
    ("a rate and a sweep", r"--sweep .*no --rate beside it", "dynamic-broadcast mesh:4x4 --rate 0.1 --sweep 0.1,0.2"),
))
def test_refuses(refuse, pattern, command):
    refuse(pattern, command)
