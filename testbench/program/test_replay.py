"""replay: timetables run on the hardware, on time and late. Most tests share nodes of 32 buffers."""
import gzip
import json

import pytest
from cases import cases


@pytest.mark.parametrize("code, pattern, command", cases(
    ("replays", 0, r"640 of 640 in the very cycle of the plan, 0 late", "replay mesh.json --buffers 32"),
    ("as many threads as one likes", 0, r"as planned, to the cycle", "replay mesh.json --buffers 32 --threads 2"),
    ("in longer packets", 0, r"10 cycles, 5 per slot\), planned 2 \(10 cycles",
     "replay exchange.json --buffers 32 --flits 4 --link-latency 1"),
    ("on the reference of routers", 0, r"model +systemc, not the RTL",
     "replay exchange.json --node pifo --model systemc"),
    ("on routers", 0, r"steps +2 \(2 cycles, 1 per slot\), planned 2$", "replay exchange.json --node pifo"),
    ("hosts that feed too slowly", 1, r"ran dry while instructions were left",
     "replay mesh.json --buffers 32 --feed-interval 4"),
))
def test_replays(expect, bring, code, pattern, command):
    bring(command.split()[1])
    expect(code, pattern, command)


def test_json_and_trace_on_routers(succeed, bring):
    bring("exchange.json")
    result = succeed("replay exchange.json --node pifo --trace pifo.json --json")
    assert '"planned_steps":2' in result.out, str(result)
    succeed("check pifo.json")


def test_what_the_hardware_did_is_the_plan(succeed, bring, folder):
    bring("exchange.json")
    succeed("replay exchange.json --buffers 32 --trace replayed.json.gz")
    reports = []
    for file in ("replayed.json.gz", "exchange.json"):
        result = succeed("check", file, "--json")
        reports.append(json.loads(result.out))
        del reports[-1]["file"], reports[-1]["remarks"]
    assert reports[0] == reports[1] and reports[0]["valid"]
    with gzip.open(folder / "replayed.json.gz") as replayed:
        assert json.load(replayed)["sends"] == json.loads((folder / "exchange.json").read_text())["sends"]


def test_destinations_in_any_order(succeed, folder):
    """Node 0 of complete:10 broadcasts to the others, which the file names from the last to the first."""
    schedule = {"format": "safnet-schedule", "version": 1, "ports": "all", "slot_cycles": 1, "link_latency": 0,
                "network": "complete:10", "packets": {"flits": 1, "origin": [0], "tag": [0], "destinations": [list(range(9, 0, -1))]},
                "sends": {"slot": [1], "count": [9], "link": list(range(9)), "packet": [0] * 9}}
    (folder / "downwards.json").write_text(json.dumps(schedule))
    assert "9 of 9 delivered" in succeed("replay downwards.json").out


def test_json(succeed, bring):
    bring("mesh.json")
    result = succeed("replay mesh.json --buffers 32 --json")
    report = json.loads(result.out)
    assert report["planned_cycles"] == report["cycles"] == report["steps"] == 43, report
    assert report["sends"] == report["on_time"] == report["transmissions"] == 640, report
    faults = [report[key] for key in ("late", "lost", "duplicated", "stuck", "problems", "waits")]
    assert faults == [0, 0, 0, False, [], []], report
    assert report["peak_buffers"] == report["measured_buffers"] < report["buffers"] == 32, report


# ---- broadcasts of one packet from node 0 of ring:4 that do not work; link 0 leads 0-1, 2 1-2, 4 2-3, 7 3-2 ----
FAULTY_BROADCASTS = {  # the slots with sends, how many sends in each of them, and over which links
    "early.json": ([1], [3], [0, 1, 2]),
    "circle.json": ([1, 2], [2, 1], [0, 4, 7]),
    "nobody.json": ([1, 2], [1, 1], [0, 4]),
}


@pytest.mark.parametrize("code, pattern, command", cases(
    ("a send before its packet is there", 1,
     r"node 1 sends packet 0 .* has it complete at the end of cycle 1", "check early.json"),
    ("runs late, and says why", 1,
     r"late: node 1 was to send packet 0 .* to node 2 in slot 1 and waits for it from node 0",
     "replay early.json --force --buffers 32"),
    ("nodes that wait for each other", 3, r"stuck: cycle of waiting nodes: 2 -> 3 -> 2",
     "replay circle.json --force --buffers 32"),
    ("a node that waits for nobody", 3, r"stuck: node 2 .* waits for it, which nobody sends it",
     "replay nobody.json --force --buffers 32"),
    ("the reference late", 1,
     r"late: node 1 was to send packet 0 .* to node 2 in slot 1 and waits for it from node 0",
     "replay early.json --force --model systemc"),
    ("the reference in a circle", 3, r"stuck: cycle of waiting nodes: 2 -> 3 -> 2",
     "replay circle.json --force --model systemc"),
    ("the reference waiting for nobody", 3, r"stuck: node 2 .* waits for it, which nobody sends it",
     "replay nobody.json --force --model systemc"),
))
def test_faulty_broadcasts(expect, folder, code, pattern, command):
    name = command.split()[1]
    slots, counts, links = FAULTY_BROADCASTS[name]
    (folder / name).write_text(json.dumps({
        "format": "safnet-schedule", "version": 1, "collective": "broadcast", "ports": "all", "network": "ring:4",
        "packets": {"of": "collective", "flits": 1},
        "sends": {"slot": slots, "count": counts, "link": links, "packet": [0] * len(links)}}))
    expect(code, pattern, command)


@pytest.mark.parametrize("pattern, changes, report", cases(
    ("long packets", r"schedule: packets of up to \(flits\) 100; expected 1 to 64$", {"flits": 100, "slot_cycles": 100}, "1 a node at most"),
    ("a long link", r"schedule: link_latency 800; expected 0 to 64$", {"slot_cycles": 900, "link_latency": 800}, "1 a node at most"),
    ("a long pause", r"nothing is sent from cycle 2 to cycle 2000001; expected a pause of at most 1000000 cycles$",
     {"slot_cycles": 2000000}, "no tdm_node can run it: schedule: nothing is sent"),
))
def test_a_schedule_may_be_right_and_not_for_nodes(succeed, refuse, folder, pattern, changes, report):
    succeed("plan linear:3 broadcast -o plan.json")
    schedule = json.loads((folder / "plan.json").read_text())
    schedule["packets"]["flits"] = changes.get("flits", 1)
    schedule |= {key: value for key, value in changes.items() if key != "flits"}
    (folder / "other.json").write_text(json.dumps(schedule))
    assert succeed("check other.json").says(rf"^  buffers +{report}")
    figures = json.loads(succeed("check other.json --json").out)
    assert (figures["peak_buffers"] is None) == report.startswith("no"), figures
    refuse(pattern, "replay other.json")


def test_routers_rank_a_packet_once(succeed, refuse, folder):
    succeed("plan linear:3 broadcast --root 1 -o plan.json")
    schedule = json.loads((folder / "plan.json").read_text())
    schedule["sends"] |= {"slot": [1, 2], "count": [1, 1]}
    (folder / "late.json").write_text(json.dumps(schedule))
    for node in ("pifo", "fifo"):
        refuse(rf"--node {node}: packet 0 leaves node 1 in more than one step", f"replay late.json --node {node}")


def test_refuses_other_packets_on_unequal_links(succeed, refuse):
    succeed("plan ring:4 broadcast --timed 0-1:latency=3 -o unequal.json")
    refuse(r"--flits 2: expected none where links differ", "replay unequal.json --flits 2")


@pytest.mark.parametrize("pattern, command", cases(
    ("buffers of routers", r"--buffers", "replay exchange.json --node pifo --buffers 32"),
    ("one-port timetables on routers", r"all-port", "replay mesh.json --node pifo"),
    ("packets for a schedule that has them", r"schedule of steps", "replay cycles.json --flits 2"),
    ("a schedule of cycles on routers", r"--node pifo: not a schedule of steps$", "replay cycles.json --node pifo"),
    ("too few buffers", r"--buffers 1", "replay mesh.json --buffers 1"),
    ("buffers of the reference", r"--buffers with --model systemc",
     "replay exchange.json --model systemc --buffers 32"),
    ("a slow host of the reference", r"--feed-interval with --model systemc",
     "replay exchange.json --model systemc --feed-interval 2"),
    ("waveform of the reference", r"--wave with --model systemc",
     "replay exchange.json --model systemc --wave y.fst"),
    ("no such model", r"--model.*fpga", "replay exchange.json --model fpga"),
    ("no such node", r"fpga", "replay exchange.json --node fpga"),
    ("wave nodes of a replay", r"9", "replay exchange.json --wave y.fst --wave-nodes 9"),
    ("the trace of a replay in no format", r"y.txt", "replay exchange.json --trace y.txt --wave y.fst"),
))
def test_refuses(refuse, bring, pattern, command):
    bring(command.split()[1])
    refuse(pattern, command)
