"""`safnet check` against schedule_judge.py, which shares nothing with it: plans, and plans with one thing changed."""
import copy
import json
import random

import pytest
from cases import cases
from schedule_judge import Wrong, in_columns, judge, links_of

# A square with a diagonal, two slow links and a node beside it; directed links in the form of an edge list.
EDGES = ((0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (3, 4))
TIMES = "0-1:latency=3;1>2,2-3:cycles_per_flit=2;3>4:latency=1,cycles_per_flit=3"
NETWORKS = {"alike": "", "timed": f"--timed {TIMES}", "routers": "--routers 2", "group": "--group 0,1,4",
            "timed routers": f"--timed {TIMES} --routers 1,2", "timed group": f"--timed {TIMES} --group 0,2,4"}
COLLECTIVES = ("bcast", "scatter", "gather", "reduce", "allgather", "reduce-scatter", "alltoall", "allreduce",
               "partial-exchange --active 0,2", "partial-gather --active 1,2")
PACKETS = ("", "--messages 2", "--flits 3 --link-latency 1", "--messages 2 --flits 2 --slot free", "--flits 2 --slot free")


@pytest.fixture
def plan(succeed, folder):
    """plan(network, words): the schedule as JSON."""
    (folder / "net.edges").write_text("".join(f"{u} {v}\n" for u, v in EDGES))

    def run(network, words):
        succeed(f"plan graph:net.edges {words} {NETWORKS[network]} -o s.json")
        return json.loads((folder / "s.json").read_text())

    return run


@pytest.fixture
def accepts(safnet, folder):
    """Whether `safnet check` finds a schedule valid; one that it cannot read is not."""

    def check(schedule):
        (folder / "changed.json").write_text(json.dumps(schedule))
        result = safnet("check changed.json")
        assert result.code in (0, 1, 2), str(result)
        return result.code == 0

    return check


def judged(schedule):
    try:
        judge(schedule)
    except Wrong:
        return False
    return True


class Change:
    """One thing in a schedule is changed, at random; most changes break it, and some do not. Every third schedule no longer
    says which collective it is, so that what breaks it is not that."""

    def __init__(self, dice):
        self.dice = dice

    def __call__(self, schedule):
        schedule = copy.deepcopy(schedule)
        if self.dice.random() < 0.33:
            schedule.pop("collective", None)
        kinds = (self.send, self.send, self.send, self.no_send, self.twice, self.packet, self.packet, self.part, self.network,
                 self.network, self.head)
        self.dice.choice(kinds)(schedule)
        sends = schedule["sends"]
        if self.dice.random() < 0.95:
            rows = sorted(zip(sends["slot"], sends["link"], sends["packet"]))
            sends["slot"], sends["link"], sends["packet"] = map(list, zip(*rows)) if rows else ([], [], [])
        return schedule

    def any_of(self, items):
        return self.dice.randrange(len(items))

    def near(self, number, least=0):
        return max(least, number + self.dice.choice((-2, -1, -1, 1, 1, 2)))

    def send(self, schedule):
        sends = schedule["sends"]
        number, column = self.any_of(sends["slot"]), self.dice.choice(("slot", "slot", "link", "packet"))
        if column == "slot":
            sends["slot"][number] = self.near(sends["slot"][number])
        else:
            limit = len(links_of(schedule["network"])) if column == "link" else len(schedule["packets"]["origin"])
            sends[column][number] = self.dice.randrange(limit + (self.dice.random() < 0.1))

    def no_send(self, schedule):
        number = self.any_of(schedule["sends"]["slot"])
        for column in schedule["sends"].values():
            del column[number]

    def twice(self, schedule):
        number = self.any_of(schedule["sends"]["slot"])
        for column in schedule["sends"].values():
            column.append(column[number])
        schedule["sends"]["slot"][-1] += self.dice.randrange(6)

    def packet(self, schedule):
        packets = schedule["packets"]
        number, column = self.any_of(packets["origin"]), self.dice.choice(("origin", "tag", "flits", "destinations"))
        nodes = len(schedule["network"]["ports"])
        if column == "destinations":
            old = packets[column][number]
            new = set(old) ^ {self.dice.randrange(nodes)} if self.dice.random() < 0.8 else {self.dice.randrange(nodes)}
            packets[column][number] = sorted(new)
        elif column == "flits" and self.dice.random() < 0.5:
            packets[column] = [self.near(packets[column][0])] * len(packets[column])
        else:
            packets[column][number] = self.dice.randrange(nodes) if column == "origin" else self.near(packets[column][number])

    def part(self, schedule):
        """A part more or less, of a packet that is made of others or not."""
        packets = schedule["packets"]
        parts = packets.setdefault("parts", [[] for _ in packets["origin"]])
        whole, part = self.any_of(parts), self.any_of(parts)
        if parts[whole] and self.dice.random() < 0.5:
            part = self.dice.choice(parts[whole])
        parts[whole] = sorted(set(parts[whole]) ^ {part})

    def network(self, schedule):
        """Other times of a link, or another number of nodes that process."""
        network = schedule["network"]
        if self.dice.random() < 0.2:
            network["processors"] = self.near(network.get("processors", len(network["ports"])), 1)
            return
        ports = self.dice.choice(network["ports"])
        port = self.dice.choice(ports)
        times = (port[2:] or [0, 1])
        which = self.dice.randrange(2)
        times[which] = self.near(times[which], which)
        port[2:] = times

    def head(self, schedule):
        key = self.dice.choice(("ports", "collective", "root", "slot_cycles", "link_latency"))
        schedule[key] = {"ports": self.dice.choice(("all", "one", "one-send")), "root": self.dice.randrange(5),
                         "collective": self.dice.choice(COLLECTIVES).split()[0],
                         "slot_cycles": self.near(schedule.get("slot_cycles", 1)),
                         "link_latency": self.near(schedule.get("link_latency", 0))}[key]


@pytest.mark.parametrize("ports", ("all", "one", "one-send"))
@pytest.mark.parametrize("network", NETWORKS)
def test_both_judge_alike(plan, succeed, accepts, network, ports):
    dice = random.Random(f"{network} {ports}")
    change, refused = Change(dice), 0
    for collective in COLLECTIVES:
        schedule = plan(network, f"{collective} --ports {ports} {dice.choice(PACKETS)}")
        cycles = judge(schedule)
        assert json.loads(succeed("check s.json --json").out)["cycles"] == cycles
        schedule = in_columns(schedule)
        assert judged(schedule) and accepts(schedule)
        for _ in range(3):
            changed = change(schedule)
            assert judged(changed) == accepts(changed), json.dumps(changed)
            refused += not judged(changed)
    assert refused > 5


# Router 3 between three processors. Links 0 to 2 lead to it, 3 to 5 back.
STAR = {"ports": [[[3, 0]], [[3, 1]], [[3, 2]], [[0, 0], [1, 0], [2, 0]]], "processors": 3}


def schedule_of(collective, rows, sends):
    """By hand: (origin, tag, destinations, parts) of packets of one flit, and (slot, link, packet)."""
    columns = dict(zip(("origin", "tag", "destinations", "parts"), map(list, zip(*rows))))
    schedule = {"format": "safnet-schedule", "version": 1, "ports": "all", "network": STAR, "packets": {"flits": 1, **columns},
                "sends": dict(zip(("slot", "link", "packet"), map(list, zip(*sends))))}
    return {**schedule, "collective": collective} if collective else schedule


PLAIN = [(v, 0, [], []) for v in range(3)]
TO_NODE_0 = [(1, 1, 1), (1, 2, 2), (2, 3, 1), (3, 3, 2)]
TWICE = [(1, 0, [], []), (1, 1, [], [0]), (1, 2, [], [0]), (0, 0, [0], [1, 2])]  # a packet, two sums of it alone, their sum
SPREAD = [(1, 0, 0), (2, 4, 0), (2, 5, 0)]
SCATTER = [(0, 1, [1], []), (0, 2, [2], [])]
SCATTERED = [(1, 0, 0), (2, 0, 1), (2, 4, 0), (3, 5, 1)]


@pytest.mark.parametrize("valid, collective, rows, sends", cases(
    ("a sum at a processor", True, "reduce", PLAIN + [(0, 1, [0], [0, 1, 2])], TO_NODE_0),
    ("a sum at a router", False, None, PLAIN + [(3, 1, [0], [1, 2])], [(1, 1, 1), (1, 2, 2), (2, 3, 3)]),
    ("a packet of a router", False, None, [(3, 0, [0], [])], [(1, 3, 0)]),
    ("a packet for a router", False, None, [(1, 0, [0, 3], [])], [(1, 1, 0), (2, 3, 0)]),
    ("a sum without one of its parts", False, None, PLAIN + [(0, 1, [0], [0, 1, 2])], TO_NODE_0[:3]),
    ("a sum for nobody without one of its parts", False, None, PLAIN + [(0, 1, [], [0, 1, 2])], TO_NODE_0[:3]),
    ("two results that share a packet", False, "reduce",
     PLAIN + [(1, 1, [], []), (2, 1, [], []), (0, 1, [0], [0, 1, 2]), (0, 2, [0], [0, 3, 4])],
     TO_NODE_0 + [(4, 1, 3), (4, 2, 4), (5, 3, 3), (6, 3, 4)]),
    ("a result for another node", False, "reduce", PLAIN + [(0, 1, [1], [0, 1, 2])], TO_NODE_0 + [(4, 0, 3), (5, 4, 3)]),
    ("a sum at another node", False, "reduce", PLAIN + [(0, 1, [0], [0, 1, 2]), (0, 2, [1], [3])],
     TO_NODE_0 + [(4, 0, 4), (5, 4, 4)]),
    ("a packet in two sums", True, None, PLAIN + [(0, 1, [0], [1]), (0, 2, [0], [1, 2])], TO_NODE_0),
    ("an own packet in two sums", True, None, PLAIN + [(0, 1, [0], [0, 1]), (0, 2, [0], [0, 2])], TO_NODE_0),
    ("a packet that counts twice", False, None, TWICE, [(1, 1, 1), (2, 1, 2), (2, 3, 1), (3, 3, 2)]),
    ("a packet that counts once", True, None, TWICE[:2] + [(1, 2, [], []), (0, 0, [0], [1, 2])],
     [(1, 1, 1), (2, 1, 2), (2, 3, 1), (3, 3, 2)]),
    ("a packet in no result", False, "reduce", PLAIN + [(0, 1, [0], [0, 1, 2]), (1, 1, [], [])], TO_NODE_0),
    ("a result of two of three", False, "reduce", PLAIN + [(0, 1, [0], [0, 1])], TO_NODE_0[::2]),
    ("a result for one of three", False, "reduce-scatter", PLAIN + [(0, 1, [0], [0, 1, 2])], TO_NODE_0),
    ("a result for all", True, "allreduce", PLAIN + [(0, 1, [0, 1, 2], [0, 1, 2])],
     TO_NODE_0 + [(4, 0, 3), (5, 4, 3), (5, 5, 3)]),
    ("a result for two of three", False, "allreduce", PLAIN + [(0, 1, [0, 1], [0, 1, 2])], TO_NODE_0 + [(4, 0, 3), (5, 4, 3)]),
    ("a broadcast", True, "bcast", [(0, 0, [1, 2], [])], SPREAD),
    ("a broadcast of another node", False, "bcast", [(1, 0, [0, 2], [])], [(1, 1, 0), (2, 3, 0), (2, 5, 0)]),
    ("a broadcast of one of three", False, "allgather", [(0, 0, [1, 2], [])], SPREAD),
    ("a destination twice", False, None, [(0, 0, [1, 1, 2], [])], SPREAD),
    ("for its origin", False, None, [(0, 0, [0, 1, 2], [])], SPREAD),
    ("a part twice", False, None, PLAIN + [(0, 1, [0], [1, 1, 2])], TO_NODE_0),
    ("a part that comes after it", False, None, [(0, 0, [0], [1]), (1, 0, [], [])], [(1, 1, 1), (2, 3, 1)]),
    ("a scatter", True, "scatter", SCATTER, SCATTERED),
    ("a packet more for one node", False, "scatter", SCATTER + [(0, 3, [2], [])], SCATTERED + [(4, 0, 2), (5, 5, 2)]),
    ("a packet for two nodes", False, "scatter", SCATTER[:1] + [(0, 2, [1, 2], [])],
     [(1, 0, 0), (2, 0, 1), (2, 4, 0), (3, 4, 1), (3, 5, 1)]),
    ("one collective for another", False, "gather", SCATTER, SCATTERED),
))
def test_one_rule(accepts, valid, collective, rows, sends):
    schedule = schedule_of(collective, rows, sends)
    assert (judged(schedule), accepts(schedule)) == (valid, valid)


@pytest.mark.parametrize("network", NETWORKS)
def test_a_plan_is_on_the_network_that_was_asked_for(plan, network):
    """Links, their times, and which nodes only route: those have the last numbers, in their old order."""
    schedule = plan(network, "alltoall")
    words = NETWORKS[network]
    times = {}
    if "--timed" in words:
        times = {(0, 1): (3, 1), (1, 0): (3, 1), (1, 2): (0, 2), (2, 3): (0, 2), (3, 2): (0, 2), (3, 4): (1, 3)}
    chosen = {"routers": {0, 1, 3, 4}, "group": {0, 1, 4}, "timed routers": {0, 3, 4}, "timed group": {0, 2, 4}}
    process = sorted(chosen.get(network, range(5)))
    number = {v: i for i, v in enumerate(process + [v for v in range(5) if v not in process])}
    both_ways = [pair for u, v in EDGES for pair in ((u, v), (v, u))]
    assert sorted(links_of(schedule["network"])) == sorted(
        (number[u], number[v], *times.get((u, v), (0, 1))) for u, v in both_ways)
    assert schedule["network"].get("processors", 5) == len(process)
