"""Nodes of more than 64 ports: timetables run on them, routers and larger nodes are refused."""
import json
import pathlib

import pytest
from cases import cases

DGX_A100 = f"graph:{pathlib.Path(__file__).resolve().parents[2] / 'cpp_model/graph/file/dgx_a100.edges'}"


def test_reads_eight_nodes_of_84_ports(expect):
    expect(0, r"degree +84$", "describe", DGX_A100)


@pytest.mark.parametrize("collective, messages, steps", cases(
    ("a message over each link", "allgather", 12, 1),
    ("half as many again", "allgather", 18, 2),
    ("total exchange", "alltoall", 12, 1),
    ("a broadcast by a policy", "broadcast", 1, 1),
    ("an allreduce of sums", "allreduce", 12, 1),
))
def test_plans_meet_the_bound(succeed, collective, messages, steps):
    plan = json.loads(succeed("plan", DGX_A100, collective, "--messages", str(messages), "--json").out)
    assert (plan["steps"], plan["lower_bound"]) == (steps, steps)


def test_replays_to_the_cycle_over_all_84_ports(succeed, expect, folder):
    succeed("plan", DGX_A100, "allgather", "--messages", "12", "-o", "plan.json")
    expect(0, r"sends +672 of 672 in the very cycle of the plan, 0 late", "replay plan.json")


@pytest.mark.parametrize("pattern, command", cases(
    ("router", r"a node has 84 ports; expected at most 64", f"run {DGX_A100} alltoall --node pifo"),
    ("plain router", r"a node has 84 ports; expected at most 64", f"run {DGX_A100} alltoall --node fifo"),
    ("more than 128 ports", r"'130': expected .*129", "describe complete:130"),
    ("a file with more", r"more than 128 links", "describe graph:129.txt"),
))
def test_refuses(refuse, folder, pattern, command):
    (folder / "129.txt").write_text("0 1 128\n0 2\n")
    refuse(pattern, command)
