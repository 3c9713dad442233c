"""--node fifo and --node DIR: collectives and traffic on the plainest router, and on one from outside the repository."""
import json
import re

import pytest
from cases import cases
from own_router import describe, make_router

COLLECTIVES = ("broadcast", "scatter", "total-exchange")


def outcome(result):
    """The JSON that a run printed."""
    return json.loads(result.out)


# ---- --node fifo ----


@pytest.mark.parametrize("network", ("torus:4x4", "ring:8", "mesh:3x3"))
@pytest.mark.parametrize("ports", ("all", "one"))
def test_collectives_are_carried_out(succeed, network, ports):
    for collective in COLLECTIVES:
        for packets in ("", "--flits 4 --link-latency 1"):
            run = outcome(succeed(f"run {network} {collective} --ports {ports} --node fifo {packets} --json"))
            assert run["node"] == "fifo" and run["lost"] == run["duplicated"] == 0 and run["validated"], run
            assert run["delivered"] == run["expected_deliveries"], run


@pytest.mark.parametrize("command", (
    "torus:4x4 broadcast", "ring:8 broadcast --messages 5", "mesh:3x3 scatter",
    "torus:4x4 total-exchange --algorithm transit-first", "ring:6 total-exchange --algorithm transit-first --ports one",
    "torus:4x4 total-exchange --algorithm transit-first --slot free --flits 3 --queue-depth 2 --link-latency 1",
))
def test_what_needs_no_ranks_takes_the_same_cycles(safnet, command):
    runs = [safnet(f"run {command} --node {node} --json") for node in ("pifo", "fifo")]
    assert runs[0].code == runs[1].code, runs
    pifo, fifo = map(outcome, runs)
    for key in ("steps", "cycles", "delay_sum", "peak_queue", "peak_transit_queue", "transmissions", "verdict"):
        assert pifo[key] == fifo[key], (key, pifo, fifo)


@pytest.mark.parametrize("depth", (1, 2, 4))
def test_full_queues_lose_nothing(safnet, depth):
    for options in ("", "--ports one", "--flits 4 --link-latency 1 --slot free"):
        result = safnet(f"run torus:4x4 total-exchange --node fifo --queue-depth {depth} {options} --json")
        run = outcome(result)
        assert result.code in (0, 3), result
        if result.code == 0:
            assert run["lost"] == run["duplicated"] == 0 and run["delivered"] == 240, run
        else:
            assert any("waits" in line for line in run["waits"]), run


@pytest.mark.parametrize("pattern", ("uniform", "tornado", "neighbour", "bit-complement"))
def test_traffic_is_that_of_pifo_nodes(succeed, pattern):
    options = "--rate 0.3 --warm-up 200 --measure 800 --json"
    pifo, fifo = (outcome(succeed(f"traffic torus:4x4 {pattern} --node {node} {options}")) for node in ("pifo", "fifo"))
    assert fifo["node"] == "fifo"
    assert {**pifo, "node": "", "loads": ""} == {**fifo, "node": "", "loads": ""}
    for load in (pifo["loads"][0], fifo["loads"][0]):
        for key in [key for key in load if key.endswith("_seconds")]:
            del load[key]
    assert pifo["loads"] == fifo["loads"]


def test_threads_change_nothing(succeed):
    one, two = (outcome(succeed(f"run torus:4x4 total-exchange --node fifo --threads {n} --json")) for n in (1, 2))
    assert one["cycles"] == two["cycles"] and one["delay_sum"] == two["delay_sum"]


def test_a_network_that_is_stuck_says_why(expect):
    expect(3, r"cycle of waiting links", "traffic torus:4x4 uniform --rate 0.9 --queue-depth 1 --node fifo")


def test_ranks_that_are_left_out_are_said_to_be(expect):
    expect(0, r"node +fifo: packets leave in order of arrival", "run torus:4x4 total-exchange --node fifo")


@pytest.mark.parametrize("pattern, command", cases(
    ("no such kind", r"--node 'plain': no such kind of node; expected auto, tdm, pifo, fifo", "run ring:4 broadcast --node plain"),
    ("no such kind for traffic", r"--node 'tdm': .*expected pifo, fifo", "traffic ring:4 uniform --node tdm"),
    ("the reference", r"--node fifo: expected --node pifo beside --model systemc", "run ring:4 broadcast --node fifo --model systemc"),
    ("the whole network", r"--node fifo: .*--whole-network", "run ring:4 broadcast --node fifo --whole-network"),
    ("parallel links", r"--node fifo: expected a network without parallel links", "run fat-tree:2,3,1,2,4 broadcast --node fifo"),
))
def test_refuses(refuse, pattern, command):
    refuse(pattern, command)


# ---- --node DIR ----


@pytest.fixture
def router(folder, root):
    """A copy of the fifo_node as somebody's own router, in the folder `mine`."""
    return make_router(root, folder / "mine")


def change(path, old, new):
    text = path.read_text()
    assert old in text, (path, old)
    path.write_text(text.replace(old, new))


def test_a_router_from_outside(succeed, router):
    for collective in COLLECTIVES + ("gather",):
        mine, fifo = (outcome(succeed(f"run torus:4x4 {collective} --node {node} --json")) for node in ("mine/", "fifo"))
        assert mine["node"] == "mine/" and mine["cycles"] == fifo["cycles"], (mine, fifo)
        assert mine["delivered"] == mine["expected_deliveries"], mine
    mine, fifo = (outcome(succeed(f"traffic ring:8 uniform --node {node} --measure 500 --sweep 0.1,0.2 --json"))
                  for node in ("mine", "fifo"))
    assert mine["loads"][1]["latency"] == fifo["loads"][1]["latency"], (mine, fifo)


def test_one_that_loses_packets(safnet, router):
    # A packet that arrives through input 0 in cycle 2 joins no queue, as if it were for the host alone.
    change(router / "my_router.sv", "  logic frame_idle;",
           "  logic frame_idle;\n  logic [Inputs*Radix-1:0] ports;\n"
           "  assign mask_i = (cycle_i == 2) ? ports & ~(Inputs*Radix)'({Radix{1'b1}}) : ports;")
    change(router / "my_router.sv", "(mask_i)", "(ports)")
    result = safnet("run ring:8 broadcast --node mine")
    assert result.code == 1 and result.says(r"never reached node \d"), result


def test_one_that_damages_packets(safnet, router):
    change(router / "my_router.sv", "  logic frame_idle;",
           "  logic frame_idle;\n  logic [Radix*FlitWidth-1:0] whole;\n"
           "  assign deliver_flit_o = whole ^ (Radix*FlitWidth)'(cycle_i >= 3) << 63;")
    change(router / "my_router.sv", "(frame_idle)", "(frame_idle), .deliver_flit_o (whole)")
    result = safnet("run ring:8 broadcast --node mine")
    assert result.code == 1 and result.says(r"packet \(source 0, tag 0\) at node \d in cycle \d+: its payload differs"), result


def test_one_that_counts_wrongly(safnet, router):
    # It does not count what it sends, and believes that the first cycle is always on.
    change(router / "my_router.sv", ".cycle_i, .step_i,\n    .sent_i      (start_o)",
           ".cycle_i (32'd1), .step_i (32'd1),\n    .sent_i      ('0)")
    result = safnet("run ring:8 broadcast --node mine")
    for line in (r"node 0: sent_o\[0\] counts 0, its link carried 1",
                 r"node 4: last_delivery_cycle_o counts 1, its host got its last packet in cycle 4",
                 r"node 4: last_delivery_step_o counts 1, its host got its last packet in step 4",
                 r"node 4: delay_sum_o counts 1, the steps in which its host got packets add up to 4"):
        assert result.code == 1 and result.says(line), result


@pytest.mark.parametrize("pattern, changes", cases(
    ("no name", r"mine/node.json: has no \"name\"", {"name": None}),
    ("a name in several words", r"\"name\" \"a b\": expected letters, digits", {"name": "a b"}),
    ("no top", r"has no \"top\"; expected", {"top": None}),
    ("a top that is a number", r"\"top\" 3: expected letters", {"top": 3}),
    ("a top that is not there", r"Verilator says .*nosuch", {"top": "nosuch"}),
    ("no sources", r"has no \"sources\"", {"sources": None}),
    ("an empty list of sources", r"\"sources\" \[\]: expected a list of files", {"sources": []}),
    ("sources in one word", r"\"sources\" \"a.sv\": expected a list of files", {"sources": "a.sv"}),
    ("a source that is missing", r"sources: no file 'other.sv' in this folder", {"sources": ["other.sv"]}),
    ("a source too few", r"Verilator says .*my_queue", {"sources": ["my_table.sv", "my_ring.sv", "my_router.sv"]}),
    ("an unknown key", r"\"colour\": no such key; expected name, top, sources, ports", {"colour": "red"}),
    ("an unknown port model", r"ports: 'two': expected all, one or one-send", {"ports": ["two"]}),
    ("port models in one word", r"\"ports\" \"all\": expected a list", {"ports": "all"}),
    ("a port model that it is not made for", r"is not made for --ports all; its node.json says one", {"ports": ["one"]}),
))
def test_descriptors_that_are_wrong(refuse, router, pattern, changes):
    describe(router, **changes)
    refuse(r"--node mine.*" + pattern if not pattern.startswith("mine") else pattern, "run ring:4 broadcast --node mine")


@pytest.mark.parametrize("pattern, text", cases(
    ("no descriptor", r"--node mine: has no node.json", None),
    ("no JSON", r"--node mine: .*mine/node.json': expected JSON", "top = my_router"),
    ("a list", r"--node mine/node.json: expected an object", "[]"),
))
def test_descriptors_that_are_none(refuse, router, pattern, text):
    (router / "node.json").unlink()
    if text is not None:
        (router / "node.json").write_text(text)
    refuse(pattern, "run ring:4 broadcast --node mine")


def test_no_such_folder(refuse):
    refuse(r"--node \./mine: no such folder", "run ring:4 broadcast --node ./mine")


@pytest.mark.parametrize("pattern, old, new, options", cases(
    ("a port that is missing", r"has no port tx_credit_o; expected output logic \[Radix-1:0\] tx_credit_o, 4 bits wide",
     "output logic [Radix-1:0]           tx_credit_o,       // room again for what comes in through this port\n", "", ""),
    ("a port of another width", r"port deliver_last_o is 5 bits wide; expected output logic \[Radix-1:0\] deliver_last_o, 4 bits",
     "output logic [Radix-1:0]           deliver_last_o", "output logic [Radix:0] deliver_last_o", ""),
    ("a port of the other direction", r"port fault_corrupt_i is an output; expected input logic \[Radix-1:0\] fault_corrupt_i",
     "input  logic [Radix-1:0]           fault_corrupt_i", "output logic [Radix-1:0]           fault_corrupt_i", ""),
    ("an input too many", r"has an input more_i, which nobody drives", "  input  logic                       rst_ni,",
     "  input  logic rst_ni, input logic more_i,", ""),
    ("no Radix", r"has no parameter Radix that can be set; expected one, for the value", "parameter int Radix       = 4,", "localparam int Radix = 3,",
     ""),
    ("no OccupancyWidth", r"has no parameter OccupancyWidth; expected one", "OccupancyWidth", "CounterWidth", ""),
    ("no Flits", r"has no parameter Flits that can be set; expected one, for the value 4 \(it is fixed at 1\)",
     "parameter int Flits       = 1,", "localparam int Flits = 1,", "--flits 4"),
    ("a syntax error", r"Verilator says %Error: .*my_router.sv:\d+:\d+: syntax error", "endmodule", "endmodul", ""),
    ("an unknown signal", r"Verilator says %Error: .*my_router.sv:\d+:\d+: .*nosuch", "wanted_i = head_valid_i", "wanted_i = nosuch", ""),
))
def test_rtl_that_does_not_fit(refuse, router, pattern, old, new, options):
    path = router / "my_router.sv"
    text = path.read_text()
    if re.search(re.escape(old), text) is None:  # spaces differ
        old = re.search(r"\s+".join(map(re.escape, old.split())), text)[0]
    # What is taken out of the list of ports stays a signal of the module.
    if old == "OccupancyWidth":  # also the name of a parameter of the counters
        path.write_text(re.sub(r"(?<!\.)\bOccupancyWidth\b", new, text))
    else:
        change(path, old, new)
    if "tx_credit_o" in old:
        change(path, "  localparam int Inputs ", "  logic [Radix-1:0] tx_credit_o;\n  localparam int Inputs ")
    refuse(r"--node mine: .*" + pattern, f"run torus:4x4 broadcast --node mine {options}")


def test_a_change_of_the_source_is_built_anew(succeed, safnet, router):
    succeed("run ring:4 broadcast --node mine")
    change(router / "my_router.sv", ".sent_i      (start_o)", ".sent_i      ('0)")
    assert safnet("run ring:4 broadcast --node mine").code == 1


def test_a_router_for_packets_of_one_flit(succeed, router):
    change(router / "my_router.sv", "parameter int Flits       = 1, ", "localparam int Flits       = 1, ")
    succeed("run ring:4 broadcast --node mine")


def test_a_router_with_parameters_that_are_no_small_numbers(succeed, refuse, router):
    change(router / "my_router.sv", "parameter int Flits ",
           'parameter Maker = "me", parameter logic [63:0] Serial = 64\'h123456789abcdef, parameter int Flits ')
    succeed("run ring:4 broadcast --node mine")
    change(router / "my_router.sv", "parameter int Flits       = 1, ", "localparam Flits = 64'h100000001, ")
    refuse(r"--node mine: .*has no parameter Flits that can be set; expected one, for the value 4", "run torus:4x4 broadcast --node mine --flits 4")
