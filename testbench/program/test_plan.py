"""plan: timetables, what is said about them, and the files that they are written to."""
import gzip
import json

import pytest
from cases import cases


@pytest.mark.parametrize("pattern, command", cases(
    ("plans", r"lower bound +43 steps .*: optimal", "plan mesh:4x4 total-exchange --ports one -o mesh.json"),
    ("says what it wrote", r"written +exchange.json.gz", "plan ring:4 total-exchange -o exchange.json.gz"),
    ("free running: bounded in cycles", r"lower bound +6 steps .*: optimal",
     "plan ring:4 broadcast --slot free --flits 3 -o cycles.json"),
    ("more sends than are planned in every way", r"chosen +list-schedule: \d+ steps as planned, no other algorithm applies",
     "plan fat-tree:2,8 alltoall --ports one"),
    ("sums along lines of which some would be late", r"chosen +recursive-doubling: 8 steps as planned, the fewest of 5 that apply",
     "plan hypercycle:5/1x7/2 allreduce --ports one-send"),
    ("more messages than are planned at once", r"lower bound +307 steps .*: (optimal|\d+ more)$",
     "plan hypercube:10 broadcast --messages 3000 --algorithm rarest-first"),
))
def test_plans(expect, pattern, command):
    expect(0, pattern, command)


def test_writes_a_schedule_in_every_format(succeed, folder):
    for name in ("exchange.json", "exchange.json.gz", "exchange.msccl.json", "exchange.xml"):
        result = succeed(f"plan ring:4 total-exchange -o {name}")
        assert (folder / name).stat().st_size > 0, str(result)
    compressed = (folder / "exchange.json.gz").read_bytes()
    assert compressed[:2] == b"\x1f\x8b"
    assert gzip.decompress(compressed) == (folder / "exchange.json").read_bytes()


def test_json(succeed):
    result = succeed("plan torus:3x3 partial-exchange --active '0,0;1,1;2,2' --json")
    plan = json.loads(result.out)
    assert plan["valid"] and plan["violations"] == [] and plan["steps"] == plan["lower_bound"] == 2, plan
    assert (plan["packets"], plan["destinations"], plan["flits"], plan["slot_cycles"]) == (24, 24, 1, 1), plan
    for key in "algorithm source choice sends most_hops utilisation peak_buffers plan_seconds check_seconds".split():
        assert key in plan, key


@pytest.mark.parametrize("limit, steps", [
    ("", 6), ("--forwarding 6", 6), ("--forwarding 5", 8), ("--forwarding 4", 8)])
def test_keeps_to_a_limit_on_forwarding(succeed, limit, steps):
    plan = json.loads(succeed(f"plan ring:9 allreduce --ports one {limit} --json").out)
    assert plan["valid"] and plan["steps"] == steps, plan
    assert plan["longest_forwarding"] == (6 if steps == 6 else 4), plan


@pytest.mark.parametrize("pattern, command", cases(
    ("no plan forwards so little", r"^safnet: --forwarding 3: expected at least 4, the shortest of", "--forwarding 3"),
    ("the named one does not", r"--forwarding 3: expected at least 4, .* shortest-path-tree plans",
     "--forwarding 3 --algorithm shortest-path-tree"),
    ("in turn", r"--forwarding 3: expected at least 4", "--forwarding 3 --algorithm in-turn"),
    ("no forwarding at all", r"--forwarding 0: expected 1 to", "--forwarding 0"),
    ("all are planned", r"--seconds 3: expected no --forwarding", "--forwarding 4 --seconds 3"),
))
def test_refuses_a_limit_on_forwarding(refuse, pattern, command):
    refuse(pattern, f"plan torus:4x4 broadcast {command}")


def test_all_plans_are_compared_where_an_algorithm_has_no_closed_form(refuse):
    """Translated trees gather 30 messages of hypercube:5 in more steps than their bound, so that they have no closed form there."""
    refuse(r"^safnet: --forwarding 3: expected at least 5, the shortest of 4 plans", "plan hypercube:5 gather --messages 30 --forwarding 3")


@pytest.mark.parametrize("pattern, command", cases(
    ("a plan into nowhere", r"/no/such/folder", "plan ring:4 broadcast -o /no/such/folder/x.json"),
    ("a plan in no format", r"x.txt", "plan ring:4 broadcast -o x.txt"),
    ("a multipath transfer cannot be planned", r"multipath", "plan ring:4 multipath"),
    ("no such operation", r"xor", "plan ring:4 broadcast --reverse --operation xor"),
    ("no such planner", r"message-shift", "plan linear:4 scatter --algorithm message-shift"),
    ("a partial exchange of whom", r"--active", "plan ring:4 partial-exchange"),
    ("a schedule that MSCCL cannot say", r"MSCCL files cannot hold it",
     "plan ring:4 partial-exchange --active 0,2 -o bad.xml"),
    ("root of what has none", r"no use for a root", "plan ring:8 allgather --root 3"),
))
def test_refuses(refuse, pattern, command):
    refuse(pattern, command)


def test_refuses_a_plan_onto_a_folder(refuse, folder):
    (folder / "pictures").mkdir()
    refuse(r"pictures", "plan ring:4 broadcast -o pictures")
