"""`safnet deadlock`: circles in which routers can wait for each other, numbers of links where there are none; timetables."""
import json

import pytest
from cases import cases


@pytest.mark.parametrize("code, pattern, command", cases(
    ("an all-port fat tree has none", 0, r"none: links have numbers of 1 to 6, and every wait leads to a smaller one$",
     "deadlock fat-tree:2,3 alltoall"),
    ("in one queue up and down wait for each other", 1, r"circle +2 links: router_1_0>router_2_0 -> router_2_0>router_1_0 -> ",
     "deadlock fat-tree:2,3 alltoall --ports one-send"),
    ("and do get stuck", 1, r"trial +queues of 1 place: stuck$", "deadlock fat-tree:2,3 alltoall --ports one-send --try"),
    ("a ring has one of all its links", 1, r"circle +16 links: .* -> \.\.\. -> 0>1$", "deadlock ring:16 alltoall --algorithm message-shift"),
    ("a tree in a torus has none", 0, r"deadlock +none, however short the queues$", "deadlock torus:8x8 broadcast"),
    ("nor gets stuck", 0, r"trial +queues of 1 place: all delivered after 8 cycles$", "deadlock torus:8x8 broadcast --try"),
    ("a timetable has none", 0, r"circle +none: the longest chain of waits has 65 instructions$", "deadlock torus:8x8 alltoall --node tdm"),
    ("a collective for timetables alone", 0, r"deadlock +none, however late packets and hosts are$", "deadlock ring:8 allreduce"),
    ("a large mesh, whose nodes differ", 0, r"circle +none: links have numbers of 1 to 44,",
     "deadlock mesh:23x23 alltoall --node pifo --algorithm furthest-first"),
    ("routers in order of arrival", 0, r"deadlock +none", "deadlock mesh:3x3 broadcast --node fifo"),
))
def test_says_whether_there_is_a_circle(expect, code, pattern, command):
    expect(code, pattern, command)


@pytest.mark.parametrize("pattern, command", cases(
    ("timetables have no queues that may be short", r"--try: expected routers", "deadlock ring:4 alltoall --node tdm --try"),
    ("nor have nodes that scan", r"expected a collective on routers", "deadlock mesh:3x3 partial-multinode-broadcast --active 0,3"),
    ("no such collective", r"'sing'", "deadlock ring:4 sing"),
))
def test_refuses(refuse, pattern, command):
    refuse(pattern, command)


@pytest.mark.parametrize("task", ["fat-tree:2,3 alltoall", "fat-tree:3x2,1,2 alltoall", "mesh:4x3 alltoall --algorithm furthest-first", "hypercube:3 scatter", "torus:4x4 broadcast"])
def test_packets_go_over_links_of_falling_numbers(task, succeed, folder):
    """What the hardware did must descend in the numbers that say why it cannot get stuck."""
    report = json.loads(succeed(f"deadlock {task} --json").out)
    assert report["deadlock_free"] and report["circle"] == []
    links = {link["link"]: link for link in report["numbered_links"]}
    succeed(f"run {task} --node pifo --trace trace.json --queue-depth 1")
    sends = json.loads((folder / "trace.json").read_text())["sends"]
    slots = [slot for slot, count in zip(sends["slot"], sends["count"]) for _ in range(count)]
    came_over, descents = {}, 0
    for _, number, packet in sorted(zip(slots, sends["link"], sends["packet"], strict=True)):
        link = links[number]
        if (packet, link["from"]) in came_over:
            assert came_over[packet, link["from"]] > link["number"]
            descents += 1
        came_over[packet, link["to"]] = link["number"]
    assert descents > 0


def test_the_circle_is_one(succeed, safnet):
    report = json.loads(safnet("deadlock ring:16 alltoall --algorithm message-shift --json").out)
    assert not report["deadlock_free"] and report["numbered_links"] == []
    for link, following in zip(report["circle"], report["circle"][1:] + report["circle"][:1]):
        assert link["to"] == following["from"]


def test_json_of_a_timetable_and_of_a_trial(succeed, safnet):
    timetable = json.loads(succeed("deadlock ring:4 alltoall --node tdm --json").out)
    assert timetable["deadlock_free"] and timetable["circle"] == [] and timetable["unfed"] is None, timetable
    # 12 packets of 16 hops in all: a send and a reception each.
    assert timetable["analysis"] == {"instructions": 32, "waits": 36, "never": 0, "longest": 3}
    stuck = json.loads(safnet("deadlock fat-tree:2,3 alltoall --ports one-send --try --json").out)["trial"]
    assert stuck["stuck"] and stuck["queue_depth"] == 1 and "cycle of waiting nodes" in stuck["waits"][0], stuck
    done = json.loads(succeed("deadlock torus:8x8 broadcast --try --json").out)["trial"]
    assert (done["stuck"], done["cycles"], done["waits"]) == (False, 8, []), done
