"""Runs that would not fit into memory are refused before they begin; what can be made as it is needed is not held."""
import re
import shlex
import signal
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
    ("a plan", 4, r"schedule and its check 9\.\d GB.*--messages", "plan torus:64x64 broadcast --messages 16000"),
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


@pytest.mark.parametrize("command", ["plan torus:64x64 broadcast --messages 300", "plan hypercube:9 alltoall", "plan ring:64 alltoall --messages 40",
                                     "plan torus:16x16 alltoall --messages 2", "run complete:16 alltoall --messages 500 --model systemc"])
def test_what_is_not_refused_has_enough(within, command):
    """With the least memory that a command does not refuse it comes to its end: it takes no more than it says."""
    megabytes = 100
    while (outcome := within(megabytes / 1000, command))[0] == 2 and "are needed" in outcome[1]:
        megabytes *= 1.05
    assert 120 < megabytes < 3000
    assert outcome == (0, ""), megabytes


@pytest.fixture(scope="module")
def least_megabytes(program, tmp_path_factory):
    """With which the program begins: with less its libraries are not loaded, or SystemC cannot initialize itself."""
    for megabytes in range(20, 200):
        done = subprocess.run(["bash", "-c", f"ulimit -v {megabytes * 1000}; exec {shlex.quote(str(program))} --version"], capture_output=True,
                              cwd=tmp_path_factory.mktemp("least"), encoding="utf-8", timeout=60, check=False)
        if done.returncode != 127 and not (done.returncode == -signal.SIGABRT and "std::bad_alloc" in done.stderr):
            return megabytes
    pytest.fail("the program does not begin with 200 MB")


@pytest.mark.parametrize("more", [0, 1, 2, 3, 5, 8, 12, 16, 24, 40])
@pytest.mark.parametrize("command", ["describe ring:4", "list collectives", "describe random:20000,60000,1", "plan ring:5 alltoall"])
def test_memory_that_runs_out_is_told_in_a_line(within, least_megabytes, more, command):
    code, err = within((least_megabytes + more) / 1000, command)
    assert code in (0, 2), (code, err)
    assert code == 0 or err.count("\n") == 1 and "memory" in err, err


def test_with_the_least_memory_nothing_is_planned(within, least_megabytes):
    assert within(least_megabytes / 1000, "plan ring:5 alltoall")[0] == 2
