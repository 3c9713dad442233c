"""Runs that would not fit into memory are refused before they begin; what can be made as it is needed is not held."""
import re
import shlex
import subprocess

import pytest
from cases import cases


@pytest.fixture
def within(program, folder):
    """within(gigabytes, command): runs the program with so much memory and a minute of a processor; returns exit code and stderr."""

    def run(gigabytes, command):
        done = subprocess.run(
            ["bash", "-c", f"ulimit -v {int(gigabytes * 1e6)}; ulimit -t 60; exec {shlex.quote(str(program))} {command}"], cwd=folder,
            timeout=600, capture_output=True, encoding="utf-8", check=False)
        return done.returncode, done.stderr

    return run


@pytest.mark.parametrize("gigabytes, pattern, command", cases(
    ("deep queues of long packets", 2, r"queues of the nodes 2\.\d GB.*--flits, --queue-depth",
     "run ring:256 alltoall --messages 4000 --flits 64"),
    ("a trace of many transfers", 1, r"trace \d.*--messages", "run ring:64 alltoall --messages 1000 --trace t.json"),
    ("a policy whose hosts hold all packets", 1, r"packets of the hosts.*--messages",
     "run complete:16 alltoall --messages 60000 --model systemc"),
    ("a timetable on the reference", 0.2, r"programs of the reference",
     "run torus:16x16 alltoall --node tdm --model systemc"),
    ("a plan", 4, r"schedule and its check 7\.\d GB.*--messages", "plan torus:64x64 broadcast --messages 16000"),
    ("a plan that no memory would be enough for", 4, r"\d+ sends or more; expected at most \d+$", "plan torus:64x64 broadcast --messages 65535"),
    ("the same, message after message", 4, r"sends for each; expected at most \d+ in all$",
     "plan torus:64x64 broadcast --messages 65535 --algorithm in-turn"),
))
def test_refuses_what_does_not_fit(within, gigabytes, pattern, command):
    code, err = within(gigabytes, command)
    assert code == 2, err
    assert err.count("\n") == 1, err
    assert re.search(pattern, err), err


def test_hosts_wait_where_queues_are_too_short(succeed):
    result = succeed("run ring:16 alltoall --messages 1200 --node pifo")
    assert result.says(r"packets +288000 of 288000 delivered")
    assert result.says(r"hosts +\d+ packets waited with their hosts for room; a host had 56 messages on their way at most")
