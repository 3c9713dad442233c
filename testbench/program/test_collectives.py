"""Collectives of copied and combined packets, several messages, and collectives that are another one backwards."""
import pytest
from cases import cases


@pytest.mark.parametrize("pattern, command", cases(
    ("an allgather", r"verdict +optimal", "run mesh:3x3 allgather --algorithm auto"),
    ("the same by the papers' name", r"^multinode-broadcast on ring:5 ", "run ring:5 multinode-broadcast"),
    ("a reduce-scatter of two messages", r"^multinode-accumulation of 2 messages on ring:4 ",
     "run ring:4 reduce-scatter --messages 2"),
    ("an allreduce", r"verdict +optimal", "run hypercube:3 allreduce --algorithm auto"),
    ("routers repeat what they have", r"60 of 60 delivered", "run ring:4 total-exchange --messages 5"),
    ("messages in JSON", r'"messages":3', "run ring:4 broadcast --messages 3 --json"),
    ("a searched optimum", r"verdict +optimal", "run linear:6 allgather --ports one --algorithm optimal"),
))
def test_runs(expect, pattern, command):
    expect(0, pattern, command)


@pytest.mark.parametrize("pattern, command", cases(
    ("no messages", r"messages", "run ring:4 broadcast --messages 0"),
    ("messages of a word", r"many", "run ring:4 broadcast --messages many"),
    ("more messages than tags", r"65535", "run torus:64x64 total-exchange --messages 65535"),
    ("a search on a large network", r"optimal", "run ring:40 allgather --algorithm optimal"),
))
def test_refuses(refuse, pattern, command):
    refuse(pattern, command)


def test_several_messages_planned_checked_and_replayed(expect):
    expect(0, r"valid +yes", "plan ring:4 alltoall --messages 3 -o several.json")
    expect(0, r"lower bound +6 ", "check several.json")
    expect(0, r"lower bound +6 ", "replay several.json")


def test_allreduce_planned_checked_and_replayed_in_four_flits(expect):
    expect(0, r"valid +yes", "plan ring:4 allreduce --messages 4 -o allreduce.json.gz")
    expect(0, r"valid +yes", "check allreduce.json.gz")
    expect(0, r"as planned, to the cycle", "replay allreduce.json.gz --flits 4 --link-latency 1")


def test_a_gather_is_a_scatter_backwards(expect):
    expect(0, r"^gather on torus:4x4", "plan torus:4x4 scatter --reverse -o gather.json")
    expect(0, r"as planned", "replay gather.json --buffers 32")


def test_a_reduction_is_a_broadcast_backwards(expect, refuse, folder):
    expect(0, r"^reduction on torus:4x4", "plan torus:4x4 broadcast --reverse --operation max -o reduction.json")
    assert '"operation": "max"' in (folder / "reduction.json").read_text()
    expect(0, r"1 of 1 delivered", "replay reduction.json --buffers 32")
    # Routers do not combine packets.
    refuse(r"reduction", "replay reduction.json --node pifo")


def test_partial_exchange_backwards(expect):
    expect(0, r"valid +yes", "plan torus:3x3 partial-exchange --active '0;4' --reverse")
