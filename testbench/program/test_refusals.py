"""Bad words for `run`: topologies, collectives and options."""
import os
import subprocess

import pytest
from cases import cases


@pytest.mark.parametrize("pattern, command", cases(
    ("no such topology", r"nosuch", "run nosuch:4 broadcast"),
    ("topology without size", r"torus", "run torus broadcast"),
    ("size of one", r"1", "run ring:1 broadcast"),
    ("size of a novel", r"99999999999999999999", "run ring:99999999999999999999 broadcast"),
    ("too many nodes", r"65536", "run mesh:4000x4000 broadcast"),
    ("too many dimensions", r"hypercube:40", "run hypercube:40 broadcast"),
    ("empty dimension", r"torus:4xx4", "run torus:4xx4 broadcast"),
    ("no such collective", r"nosuch", "run ring:4 nosuch"),
    ("no such algorithm", r"nosuch", "run ring:4 broadcast --algorithm nosuch"),
    ("algorithm out of its domain", r"even number", "run ring:5 total-exchange --algorithm parity-message-shift"),
    ("no such port model", r"both", "run ring:4 broadcast --ports both"),
    ("root out of range", r"17", "run ring:4 broadcast --root 17"),
    ("root that is no node", r"x", "run ring:4 broadcast --root x"),
    ("flits out of range", r"--flits 0", "run ring:4 broadcast --flits 0"),
    ("flits that are no number", r"many", "run ring:4 broadcast --flits many"),
    ("latency out of range", r"--link-latency 1000", "run ring:4 broadcast --link-latency 1000"),
    ("queue depth out of range", r"--queue-depth -3", "run ring:4 broadcast --queue-depth=-3"),
    ("queue depth of a timetable", r"--queue-depth", "run ring:4 gather --queue-depth 4"),
    ("unknown option", r"--nosuch", "run ring:4 broadcast --nosuch"),
    ("no such slot mode", r"sometimes", "run ring:4 broadcast --slot sometimes"),
    ("offsets of more ports than a node has", r"'65': expected offsets that give at most 128 ports",
     "describe circulant:400," + ",".join(map(str, range(1, 71)))),
    ("tree of too many levels", r"17 levels; expected at most 15", "describe fat-tree:" + "x".join(["2"] * 17)),
    ("export of a large network", r"10000 nodes; expected at most 1024", "export mesh:100x100 -o network"),
    ("a router for a hot spot", r"--hot-spot router_1_1: expected a processor", "traffic fat-tree:2,2 hot-spot --hot-spot 5"),
    ("sends of so many messages", r"\d+ sends or more; expected at most \d+", "plan torus:64x64 broadcast --messages 65535"),
    ("tags that do not fit into a header", r"--messages 8000: 25 bits of tags do not fit", "run torus:64x64 broadcast --messages 8000 --node pifo"),
    ("injection ports that a branch has not", r"--inject-ports 3: expected 1 or 8 where packets are dealt",
     "run fat-tree:4x2,1,3 alltoall --node pifo --inject-ports 3"),
    ("more patterns than are looked at", r"expected at most 256 patterns", "run ring:4 broadcast --group " + ",".join(["[0-3]"] * 300)),
    ("wave into nowhere", r"/no/such/folder", "run ring:4 broadcast --wave /no/such/folder/x.fst"),
    ("trace onto a folder", r"--trace", "run ring:4 broadcast --trace ."),
    ("the trace of a run in no format", r"y.txt", "run ring:4 broadcast --trace y.txt"),
    ("wave cycles", r"5", "run ring:4 broadcast --wave x.fst --wave-cycles 5"),
    ("wave nodes", r"9", "run ring:4 broadcast --wave x.fst --wave-nodes 9"),
    ("tree", r"oak", "run ring:4 scatter --tree oak"),
    ("tree where none is used", r"--tree", "run ring:4 total-exchange --tree depth-first"),
    ("total exchange on too many nodes", r"4096", "run hypercube:13 total-exchange"),
))
def test_refuses(refuse, pattern, command):
    refuse(pattern, command)


def test_refuses_no_command(refuse):
    refuse(r"subcommand")


@pytest.mark.parametrize("pattern, command", cases(
    ("flits beyond any type", r"--flits 2147483648: expected 1 to \d+$", "run ring:4 broadcast --flits 2147483648"),
    ("flits beyond 64 bits", r"--flits 99999999999999999999: expected 1 to", "plan ring:4 broadcast --flits 99999999999999999999"),
    ("negative latency", r"--link-latency -1: expected 0 to 64$", "traffic ring:4 uniform --link-latency=-1"),
    ("half a flit", r"--flits 1\.5: expected 0 to 64$", "replay x.json --flits 1.5"),
    ("octal", r"--flits 010: expected 1 to", "run ring:4 broadcast --flits 010"),
    ("large seed", r"--seed 18446744073709551616: expected 0 to", "traffic ring:4 uniform --seed 18446744073709551616"),
    ("threads", r"--threads many: expected 1 to 64$", "run ring:4 broadcast --threads many"),
    ("messages", r"--messages 65536: expected 1 to 65535$", "run ring:4 broadcast --messages 65536"),
    ("active nodes end with a comma", r"--active '1,2,': a node is missing",
     "run mesh:4x4 partial-multinode-broadcast --active 1,2,"),
    ("active nodes begin with a comma", r"--active ',1': a node is missing",
     "run mesh:4x4 partial-multinode-broadcast --active ,1"),
    ("two commas", r"--active '1,,2': a node is missing", "run mesh:4x4 partial-multinode-broadcast --active 1,,2"),
    ("coordinates end with a semicolon", r"--active '0,1;2,3;': a node is missing",
     "run mesh:4x4 partial-multinode-broadcast --active '0,1;2,3;'"),
    ("repeated nodes end with a comma", r"--active '': a node is missing", "run mesh:4x4 concurrent-broadcast --active 1,1,"),
    ("destinations end with a comma", r"--destinations '3,': a node is missing",
     "run mesh:4x4 monotone-routing --active 1 --destinations 3,"),
    ("wave nodes begin with a comma", r"--wave-nodes ',1': a node is missing",
     "run ring:4 broadcast --wave x.fst --wave-nodes ,1"),
    ("topology with a comma too many", r"circulant:12,1,3,", "describe circulant:12,1,3,"),
    ("rates end with a comma", r"--sweep ''", "traffic ring:4 uniform --sweep 0.1,"),
    ("depths end with a comma", r"--depths '1,'|--depths ''", "table finite-queues fat-tree:2,2 --depths 1,"),
))
def test_refuses_numbers_and_lists(refuse, pattern, command):
    refuse(pattern, command)


@pytest.mark.parametrize("command", cases(
    ("traffic trace", "traffic ring:4 trace:{}"), ("schedule", "check {}.json"), ("compressed schedule", "check {}.json.gz"),
    ("SCCL", "check {}.msccl.json"), ("MSCCL", "check {}.xml --topology ring:4"), ("network", "describe graph:{}.dot"),
    ("router", "run ring:4 broadcast --node ./{}")))
def test_refuses_to_wait_for_a_pipe(refuse, folder, command):
    """A FIFO to which nobody writes: reading it would never end."""
    (folder / "pipe").mkdir()
    for name in ("pipe/node.json", "fifo", "fifo.json", "fifo.json.gz", "fifo.msccl.json", "fifo.xml", "fifo.dot"):
        os.mkfifo(folder / name)
    refuse(r"expected a regular file", command.format("pipe" if "--node" in command else "fifo"))


def test_reads_a_trace_from_stdin(program, folder):
    done = subprocess.run([program, "traffic", "ring:4", "trace:/dev/stdin"], input="1 0 2\n", stdout=subprocess.PIPE,
                          encoding="utf-8", timeout=300, check=False)
    assert done.returncode == 0 and "1 of 1 delivered" in done.stdout
