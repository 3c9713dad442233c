"""Bad words for `run`: topologies, collectives and options."""
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
    ("a timetable on the reference", r"--model systemc", "run ring:4 gather --model systemc"),
    ("unknown option", r"--nosuch", "run ring:4 broadcast --nosuch"),
    ("no such slot mode", r"sometimes", "run ring:4 broadcast --slot sometimes"),
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
