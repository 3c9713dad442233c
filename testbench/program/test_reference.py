"""The SystemC reference in the place of the RTL."""
import json

import pytest
from cases import cases


@pytest.mark.parametrize("code, pattern, command", cases(
    ("reference", 0, r"verdict +optimal", "run torus:4x4 total-exchange --ports one --model systemc"),
    ("the report says which model ran", 0, r"model +systemc", "run ring:5 broadcast --model systemc"),
    ("a timetable", 0, r"model +systemc", "run ring:4 gather --model systemc"),
    ("sums that go on", 0, r"verdict +(optimal|confirmed)",
     "run hypercube:3 allreduce --ports one --algorithm recursive-doubling --model systemc"),
    ("reference that gets stuck", 3, r"cycle of waiting links",
     "run ring:16 total-exchange --algorithm message-shift --queue-depth 1 --model systemc"),
    ("reference under a broken port model", 1, r"received two packets at once",
     "run mesh:3x3 total-exchange --ports one --grants off --model systemc"),
))
def test_runs(expect, code, pattern, command):
    expect(code, pattern, command)


def compared(safnet, folder, code, command):
    """Runs a command on both models, with the same exit code and trace; the two reports without what may differ."""
    reports = []
    for model in ("rtl", "systemc"):
        result = safnet(f"{command} --trace {model}.trace.json --model {model} --json")
        assert result.code == code, str(result)
        reports.append(json.loads(result.out))
    assert (folder / "rtl.trace.json").read_bytes() == (folder / "systemc.trace.json").read_bytes()
    rtl, systemc = reports
    assert (rtl.pop("model"), systemc.pop("model")) == ("rtl", "systemc")
    for key in ("node_evaluations", "build_seconds", "run_seconds"):
        for report in reports:
            report.pop(key, None)
    return reports


@pytest.mark.parametrize("code, options", cases(
    ("delivered", 0, ""),
    ("stuck", 3, "--queue-depth 2"),
))
def test_rtl_and_reference_print_the_same_json_and_write_the_same_trace(safnet, folder, code, options):
    rtl, systemc = compared(
        safnet, folder, code,
        f"run mesh:3x3 total-exchange --node pifo --ports one --flits 2 --link-latency 1 --slot free {options}")
    assert rtl == systemc


# Of the reference, which has a buffer for each packet, they say how many held one.
BUFFERS_IN_USE = ("measured_buffers", "peak_queue", "peak_transit_queue")


@pytest.mark.parametrize("code, command", cases(
    ("a total exchange", 0, "run mesh:3x3 total-exchange --node tdm --ports one --flits 2 --link-latency 1 --slot free"),
    ("an allreduce of several messages", 0,
     "run hypercube:3 allreduce --ports one --algorithm recursive-doubling --flits 3 --link-latency 1 --messages 3"),
    ("one-way links", 0, "run kautz:2,2 gather --ports one"),
    ("a network with routers", 0, "run routers(tree:2,3;degree:2) allreduce --flits 3"),
))
def test_timetables_print_the_same_json_and_write_the_same_trace(safnet, folder, code, command):
    rtl, systemc = compared(safnet, folder, code, command)
    for key in BUFFERS_IN_USE:
        assert systemc.pop(key) <= rtl.pop(key)
    assert rtl == systemc


@pytest.mark.parametrize("plan, replay", cases(
    ("a total exchange",
     "plan mesh:3x3 total-exchange --ports one --slot free --flits 3 --link-latency 1 -o te.json", "replay te.json"),
    ("sums that go on",
     "plan hypercube:3 allreduce --ports one --algorithm recursive-doubling --messages 2 -o sums.json",
     "replay sums.json --flits 4 --link-latency 2"),
    ("a program of MSCCL", "plan ring:4 total-exchange -o ring.xml", "replay ring.xml --topology ring:4"),
))
def test_replays_are_the_same(safnet, succeed, folder, plan, replay):
    succeed(plan)
    rtl, systemc = compared(safnet, folder, 0, replay)
    assert systemc.pop("measured_buffers") <= rtl.pop("measured_buffers")
    assert rtl == systemc


@pytest.mark.parametrize("pattern, command", cases(
    ("no such model", r"fpga", "run ring:4 broadcast --model fpga"),
    ("waveform of the reference", r"--wave", "run ring:4 broadcast --model systemc --wave x.fst"),
    ("whole network and reference", r"--whole-network", "run ring:4 broadcast --model systemc --whole-network"),
    ("threads of the reference", r"--threads 2", "run ring:4 broadcast --model systemc --threads 2"),
    ("trace of the reference that would not fit", r"20000000", "run torus:40x40 total-exchange --model systemc"),
))
def test_refuses(refuse, pattern, command):
    refuse(pattern, command)
