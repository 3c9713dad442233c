"""The SystemC reference in the place of the RTL."""
import json

import pytest
from cases import cases


@pytest.mark.parametrize("code, pattern, command", cases(
    ("reference", 0, r"verdict +optimal", "run torus:4x4 total-exchange --ports one --model systemc"),
    ("the report says which model ran", 0, r"model +systemc", "run ring:5 broadcast --model systemc"),
    ("reference that gets stuck", 3, r"cycle of waiting nodes",
     "run ring:16 total-exchange --algorithm message-shift --queue-depth 1 --model systemc"),
    ("reference under a broken port model", 1, r"received two packets at once",
     "run mesh:3x3 total-exchange --ports one --grants off --model systemc"),
))
def test_runs(expect, code, pattern, command):
    expect(code, pattern, command)


@pytest.mark.parametrize("code, options", cases(
    ("delivered", 0, ""),
    ("stuck", 3, "--queue-depth 2"),
))
def test_rtl_and_reference_print_the_same_json_and_write_the_same_trace(safnet, folder, code, options):
    reports = []
    for model in ("rtl", "systemc"):
        result = safnet(f"run mesh:3x3 total-exchange --node pifo --ports one --flits 2 --link-latency 1 --slot free {options} "
                        f"--trace {model}.trace.json --model {model} --json")
        assert result.code == code, str(result)
        reports.append(json.loads(result.out))
    assert (folder / "rtl.trace.json").read_bytes() == (folder / "systemc.trace.json").read_bytes()
    rtl, systemc = reports
    assert (rtl.pop("model"), systemc.pop("model")) == ("rtl", "systemc")
    for key in ("node_evaluations", "build_seconds", "run_seconds"):
        del rtl[key], systemc[key]
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
