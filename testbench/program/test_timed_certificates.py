"""--certificate where links differ in latency and width: bounds in cycles, checked by scripts/check_certificate.py."""
import importlib.util
import json

import pytest
from cases import cases

# Groups of three nodes, all joined to each other, with one slow edge between any two groups.
GROUPS = ",".join(f"{3 * g + u}-{3 * g + v}" for g in range(3) for u in range(3) for v in range(3) if u != v)
DRAGONFLY = f"timed(links:{GROUPS},1-3,3-1,4-6,6-4,7-0,0-7;1-3,4-6,7-0:latency=4,cycles_per_flit=2)"
NETWORKS = ("timed(ring:5;0-1:latency=3;1>2:cycles_per_flit=2)", "timed(mesh:3x3;all:latency=1;0_0-0_1:cycles_per_flit=3)",
            "timed(links:0-1,1-2,2-3,3-0,0-2;0>1:latency=2;2>3:cycles_per_flit=3)", DRAGONFLY,
            "timed(linear:4;all:cycles_per_flit=2;1-2:latency=5)")
COLLECTIVES = ("bcast", "scatter", "gather", "reduce", "allgather", "reduce-scatter", "alltoall", "allreduce")
PACKETS = ("", "--flits 3 --link-latency 1", "--messages 2", "--flits 2")


@pytest.fixture(scope="module")
def holds(root):
    """Whether the checker accepts a certificate."""
    spec = importlib.util.spec_from_file_location("check_certificate", root / "scripts" / "check_certificate.py")
    checker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(checker)

    def check(certificate):
        try:
            checker.check(certificate)
        except checker.Refusal:
            return False
        return True

    return check


@pytest.fixture
def certify(succeed, folder):
    """certify(command): the report of a plan, and the certificate of its bound."""

    def plan(command):
        report = json.loads(succeed(f"plan {command} --json --certificate c.json").out)
        return report, json.loads((folder / "c.json").read_text())

    return plan


def claims(certificate, steps):
    """The same argument for another number of steps; prices that hold to the end still do."""
    certificate = json.loads(json.dumps(certificate))
    for price in certificate["argument"].get("prices", []):
        price[3] = steps - 1 if price[3] == certificate["steps"] - 1 else price[3]
    certificate["steps"] = steps
    return certificate


@pytest.mark.parametrize("ports", ("all", "one", "one-send"))
@pytest.mark.parametrize("network", NETWORKS)
def test_every_bound_is_proved_and_no_more_than_some_plan_takes(certify, holds, network, ports):
    for number, collective in enumerate(COLLECTIVES):
        packets = PACKETS[(number + len(network)) % len(PACKETS)]
        report, certificate = certify(f"{network} {collective} --ports {ports} {packets}")
        what = f"{collective} {packets}: {certificate}"
        assert certificate["steps"] == report["lower_bound"] <= report["cycles"] and holds(certificate), what
        assert not holds(claims(certificate, report["cycles"] + 1)), what
        for price in certificate["argument"].get("prices", []):
            price[4] = 0
        if certificate["argument"].get("prices"):
            assert not holds(certificate), what


TREE = "timed(tree:2,3;0-1:latency=1) bcast"  # whose argument is about links that are all alike


@pytest.mark.parametrize("command, path, value", cases(
    ("a quicker link on a quickest way", "timed(linear:4;0-1:latency=7) bcast", ("links", (0, 1), 2), 6),
    ("a wider link on a quickest way", "timed(linear:4;1-2:cycles_per_flit=4) bcast", ("links", (1, 2), 3), 3),
    ("shorter packets", "timed(linear:4;1-2:cycles_per_flit=4) bcast --flits 5", ("flits",), 4),
    ("a quicker link of a cut", "timed(linear:4;1-2:latency=6) alltoall", ("links", (1, 2), 2), 5),
    ("a wider link of a cut", "timed(linear:4;1-2:cycles_per_flit=3) alltoall --flits 2", ("links", (1, 2), 3), 2),
    ("a wider link into a set", "timed(linear:4;all:latency=2;2-3:cycles_per_flit=3) allgather", ("links", (2, 3), 3), 2),
    ("quicker calls", "timed(complete:8;all:latency=2) bcast --ports one", ("links", (0, 1), 2), 1),
    ("shorter calls", "timed(complete:8;all:cycles_per_flit=3) bcast --ports one", ("links", (0, 1), 3), 2),
    ("a price less", "timed(linear:4;1-2:cycles_per_flit=3) alltoall", ("argument", "prices", 0, 4), 0),
    ("a price more", "timed(linear:4;1-2:cycles_per_flit=3) alltoall", ("argument", "prices", 0, 4), 9),
    ("an earlier price", "timed(linear:4;1-2:cycles_per_flit=3) alltoall", ("argument", "prices", 0, 2), 1),
    ("longer steps than packets", f"{TREE} --ports one-send", ("argument", "cycles_per_step"), 2),
    ("steps of no cycles", f"{TREE} --ports one-send", ("argument", "cycles_per_step"), 0),
    ("cycles for steps", f"{TREE} --ports one-send", ("argument",), {"kind": "tree"}),
    ("receptions in another order", f"{TREE} --ports one-send", ("ports",), "one"),
))
def test_refuses_what_was_changed(certify, holds, command, path, value):
    _, certificate = certify(command)
    assert holds(certificate) and not holds(claims(certificate, certificate["steps"] + 1))
    *way, last = path
    place = certificate
    for key in way:
        place = next(link for link in place if link[:2] == list(key)) if isinstance(key, tuple) else place[key]
    assert place[last] != value
    place[last] = value
    assert not holds(certificate), certificate


@pytest.mark.parametrize("steps, last, proved", ((10, 3, True), (11, 3, False), (11, 4, False), (10, 4, False), (10, 2, False)))
def test_entries_leave_time_to_get_on(holds, steps, last, proved):
    """Four messages begin to cross the first of two links in cycles 1 to 4, and the last is at the end in cycle 4 + 2 + 1 + 3."""
    links = [[0, 1, 2, 1], [1, 2, 3, 1], [1, 0, 0, 1], [2, 1, 0, 1]]
    argument = {"kind": "entries", "sets": [[1, 2]], "prices": [["link", 0, 1, last, 1]]}
    assert proved == holds({"topology": "by hand", "nodes": 3, "processors": 3, "links": links, "ports": "all",
                            "collective": "bcast", "root": 0, "messages": 4, "steps": steps, "argument": argument})


def test_links_without_times_take_one_cycle(certify, holds):
    _, certificate = certify("mesh:4x4 alltoall --ports one")
    assert all(len(link) == 2 for link in certificate["links"]) and "flits" not in certificate
    certificate["links"] = [link + [0, 1] for link in certificate["links"]]
    assert holds(certificate)
    certificate["steps"] += 1
    assert not holds(certificate)


def test_a_certificate_of_a_run_and_of_its_schedule(succeed, holds, folder):
    succeed("run timed(linear:3;0-1:latency=2) scatter --flits 3 --model systemc --trace s.json --certificate run.json")
    succeed("check s.json --certificate check.json")
    both = [json.loads((folder / name).read_text()) for name in ("run.json", "check.json")]
    assert both[0]["links"] == both[1]["links"] and both[0]["steps"] == both[1]["steps"]
    assert all(map(holds, both))
