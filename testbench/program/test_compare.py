"""compare: in what two schedules, or traces of runs, differ."""
import json

import pytest
from cases import cases
from recordings import read_table


@pytest.fixture
def pair(succeed, folder):
    """Two files for one collective by different algorithms: on routers, and by a timetable in fewer steps."""
    succeed("run torus:4x4 total-exchange --algorithm furthest-first --trace routers.json --transfers routers.csv")
    succeed("plan torus:4x4 total-exchange -o plan.json")
    succeed("report plan.json --transfers plan.csv")


def compared(result, code):
    assert result.code == code and result.err == "", str(result)
    return json.loads(result.out)


def test_a_replay_does_what_the_plan_says(succeed, expect, bring):
    bring("mesh.json")
    succeed("replay mesh.json --trace did.json")
    expect(0, r"^  equal$", "compare mesh.json did.json")
    report = json.loads(succeed("compare mesh.json did.json --json").out)
    assert report["equal"] and report["first_parting"] is None and report["partings"] == []
    assert report["same_transfers"] == report["first"]["transfers"] == report["second"]["transfers"] == 640


def test_the_figures_are_those_of_the_tables(safnet, folder, pair):
    report = compared(safnet("compare routers.json plan.json --json"), 1)

    def place(row):
        return int(row["cycle"]), int(row["link"])

    def name(row):
        return {"source": int(row["source_node"]), "tag": int(row["tag"])}

    tables = [read_table(folder / file) for file in ("routers.csv", "plan.csv")]
    on = [{place(row): name(row) for row in table} for table in tables]
    places = sorted(on[0].keys() | on[1].keys())
    parting = [at for at in places if on[0].get(at) != on[1].get(at)]
    assert not report["equal"]
    assert [report[side]["transfers"] for side in ("first", "second")] == [len(table) for table in tables]
    assert report["same_transfers"] == len(places) - len(parting)
    assert report["parting_links"] == len(parting)
    assert [(each["cycle"], each["link"]) for each in report["partings"]] == parting[:8]
    for each in report["partings"]:
        for side, packets in zip(("first", "second"), on):
            at = each["cycle"], each["link"]
            assert each[side] == ([packets[at]] if at in packets else [])
    assert report["first_parting"]["cycle"] == report["first_parting"]["first_step"] == parting[0][0]

    last = []
    for table in tables:
        last.append({})
        for row in table:
            packet = tuple(name(row).values())
            last[-1][packet] = max(last[-1].get(packet, 0), int(row["arrival_cycle"]))
    assert report["shared_packets"] == report["sent_packets"] == len(last[0]) == len(last[1]) == 240
    assert report["earlier_packets"] == sum(last[1][packet] < cycle for packet, cycle in last[0].items())
    assert report["later_packets"] == sum(last[1][packet] > cycle for packet, cycle in last[0].items())
    furthest = max(abs(last[1][packet] - cycle) for packet, cycle in last[0].items())
    assert abs(report["moved"][0]["first_cycle"] - report["moved"][0]["second_cycle"]) == furthest
    assert (report["first"]["steps"], report["second"]["steps"]) == (max(last[0].values()), max(last[1].values()))


@pytest.mark.parametrize("pattern", [
    r"^A is routers.json, B is plan.json, on torus:4x4 \(16 nodes, 64 links\)$",
    r"^  A +12 steps \(12 cycles, 1 per slot\), 512 transfers of 240 packets; total-exchange, all-port, furthest-first$",
    r"^  B +8 steps .* 512 transfers",
    r"^  part in +step 1 \(cycle 1\); ",
    r"^ +cycle 1, \d_\d to \d_\d \(port \d\): A \d_\d tag \d+, B (\d_\d tag \d+|nothing)$",
    r"^  last arrivals +of 240 packets: in B \d+ earlier, \d+ later, \d+ in the same cycle$",
    r"^  different$",
])
def test_says_in_words_where_they_part(expect, pair, pattern):
    expect(1, pattern, "compare routers.json plan.json")


def test_every_format_is_compared_with_every_other(succeed, bring):
    bring("exchange.json", "exchange.json.gz", "exchange.msccl.json")
    for file in ("exchange.json.gz", "exchange.msccl.json"):
        assert json.loads(succeed(f"compare exchange.json {file} --json").out)["equal"]


def test_an_msccl_program_needs_a_network(expect, bring):
    bring("exchange.json", "exchange.xml")
    expect(0, r"^  equal$", "compare exchange.json exchange.xml --topology ring:4")


def test_slots_of_other_lengths_are_told_by_both_steps(succeed, safnet, bring):
    bring("exchange.json")
    succeed("replay exchange.json --flits 4 --link-latency 1 --trace long.json")
    result = safnet("compare exchange.json long.json")
    assert result.code == 1 and result.says(r"^  part in +step 2 of A, 1 of B \(cycle 2\)"), str(result)
    assert result.says(r"^  latency +0 cycles of a link in A, 1 in B"), str(result)
    assert result.says(r"^  packets +12 of 12 with another length"), str(result)


def test_packets_of_another_collective_are_counted(succeed, expect):
    succeed("plan ring:4 broadcast -o one.json")
    succeed("plan ring:4 scatter -o three.json")
    expect(1, r"packets +0 in both, 1 in A alone, 3 in B alone", "compare one.json three.json")


@pytest.mark.parametrize("pattern, command", cases(
    ("another network", r"ring:4 \(4 nodes, 8 links\) and on mesh:4x4 \(16 nodes, 48 links\); expected the same",
     "compare exchange.json mesh.json"),
    ("no such file", r"nosuch.json", "compare exchange.json nosuch.json"),
    ("no second file", r"second", "compare exchange.json"),
    ("no schedule", r"exchange.txt", "compare exchange.json exchange.txt"),
    ("a program without a network", r"--topology", "compare exchange.json exchange.xml"),
))
def test_refuses(refuse, bring, pattern, command):
    bring("exchange.json", "exchange.xml", "mesh.json")
    refuse(pattern, command)
