"""Networks whose links differ in latency and width, from the command line: plans, runs, and what refuses them."""
import json

import pytest


@pytest.mark.parametrize("slot", ["lockstep", "free"])
def test_a_plan_of_longer_packets_counts_cycles(succeed, slot):
    # 4 flits and 8 cycles of latency, whatever the slots.
    plan = json.loads(succeed(f"plan linear:2 broadcast --timed 0-1:latency=8 --flits 4 --slot {slot} --json").out)
    assert (plan["cycles"], plan["lower_bound"]) == (12, 12)


def test_one_port_receptions_do_not_collide(succeed):
    succeed("plan timed(ring:3;0-1:latency=1) gather --ports one --flits 2")


@pytest.mark.parametrize("model", ["rtl", "systemc"])
def test_rtl_and_reference_agree(succeed, model):
    run = json.loads(succeed("run torus:4x4 alltoall --timed 0_0-0_1:latency=3;1_0-2_0:cycles_per_flit=3 --json "
                             f"--model {model}").out)
    assert (run["cycles"], run["verdict"]) == (9, "optimal")


@pytest.mark.parametrize("pattern, command", [
    ("differ in latency or width", "run linear:2 scatter --timed 0-1:latency=8 --node pifo --model systemc"),
    ("differ in latency or width", "run linear:2 scatter --timed 0-1:latency=8 --node pifo"),
    ("all alike", "plan linear:2 broadcast --timed 0-1:cycles_per_flit=3 --messages 2 --algorithm in-turn"),
])
def test_what_does_not_know_such_links_refuses_them(safnet, pattern, command):
    done = safnet(command)
    assert done.code == 2 and pattern in done.err, done


# Two switches with slow links between them; the nodes that only route have no packets and combine none.
SWITCHES = "timed(routers(edges:0-6,1-6,2-6,3-7,4-7,5-7,6-7,6-7;6,7);6-7:latency=3,cycles_per_flit=2)"


@pytest.mark.parametrize("ports", ["all", "one", "one-send"])
@pytest.mark.parametrize("collective", ["bcast", "allgather", "reduce", "reduce-scatter", "allreduce"])
def test_routers_between_unequal_links_are_replayed_to_the_cycle(succeed, expect, collective, ports):
    succeed(f"plan {SWITCHES} {collective} --ports {ports} --flits 2 --messages 2 -o s.json")
    expect(0, "valid +yes", "check s.json")
    expect(0, "as planned, to the cycle", "replay s.json")
    expect(0, "as planned, to the cycle", "replay s.json --model systemc")


def test_a_bound_beyond_counting_is_left_out(succeed, folder):
    succeed("plan ring:4 broadcast --timed 0-1:latency=3 -o plan.json")
    schedule = json.loads((folder / "plan.json").read_text())
    schedule["link_latency"] = 2_000_000
    schedule["sends"]["slot"] = [1 + 3_000_000 * i for i in range(len(schedule["sends"]["slot"]))]
    (folder / "slow.json").write_text(json.dumps(schedule))
    report = json.loads(succeed("check slow.json --json").out)
    assert report["valid"] and "lower_bound" not in report, report
