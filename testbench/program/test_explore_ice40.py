"""`safnet explore --technology ice40`: what is refused, nodes that fit and one that does not, the harness, and the model."""
import csv
import itertools
import json
import subprocess
import sys

import pytest

STUDY = {"vary": {"topology": "linear:2", "node": "fifo", "flit_width": 32, "queue_depth": 1, "host_depth": 4, "flits": [1, 64]},
         "work": {"collective": "broadcast"}}


def write_study(folder, **more):
    (folder / "study.json").write_text(json.dumps({**STUDY, **more}))


@pytest.mark.parametrize("pattern, more, option", [
    (r"technology: 'ice41': expected one of osu018, ice40$", {}, "--technology ice41"),
    (r"technology: '40': expected one of osu018, ice40$", {"technology": 40}, ""),
    (r"objectives: 'um2': expected one of cycles, .*logic_cells", {"objectives": ["ns", "um2"]}, "--technology ice40"),
    (r"objectives: 'um2_node': expected one of cycles, ", {"objectives": ["um2_node"], "technology": "ice40"}, ""),
    (r"constraints: 'gate_equivalents': expected one of ", {"constraints": ["gate_equivalents < 9"]}, "--technology ice40"),
    (r"objectives: 'luts': expected one of .*um2", {"objectives": ["luts"]}, ""),
    (r"objectives: 'mhz': expected one of .*um2", {"objectives": ["mhz"], "technology": "ice40"}, "--technology osu018"),
])
def test_a_study_is_refused(pattern, more, option, refuse, folder):
    write_study(folder, **more)
    refuse(pattern, f"explore study.json -o results {option}")


@pytest.mark.parametrize("technology, tool", [("ice40", "nextpnr-ice40 is missing: expected Debian's package nextpnr-ice40;"),
                                              ("osu018", "sta is missing: expected Debian's package opensta;")])
def test_only_tools_of_the_technology_are_needed(technology, tool, safnet, folder, monkeypatch):
    write_study(folder)
    for name in ("snakemake", "yosys"):
        (folder / name).symlink_to("/usr/bin/true")
    monkeypatch.setenv("PATH", str(folder))
    result = safnet(f"explore study.json -o x --technology {technology}")
    assert result.code == 2 and result.says(tool)


def test_a_node_that_fits_and_one_that_does_not(succeed, refuse, folder):
    write_study(folder)
    succeed("explore study.json -o found --technology ice40 --cache cache")
    document = json.loads((folder / "found" / "points.json").read_text())
    assert document["study"]["technology"] == "ice40" and document["objectives"] == ["ns", "luts"]
    (tools,) = document["tools"]
    assert tools.startswith("Yosys 0.") and "nextpnr-ice40 0." in tools
    points = {point["point"]["flits"]: point for point in document["points"]}
    fits, large = points[1], points[64]

    (node,), values = fits["nodes"], fits["values"]
    assert fits["status"] == "front" and node["count"] == 2
    for name in ("luts", "flip_flops", "logic_cells", "memory_bits"):
        assert values[name] == 2 * node[name] > 0, name
    assert values["block_rams"] == 0 and node["memory_bits_in_flip_flops"] == node["memory_bits"]
    assert values["logic_cells_node"] == node["logic_cells"] >= max(node["luts"], node["flip_flops"])
    assert 2 < values["period"] == node["ns"] < node["ns_worst"] < 200
    assert values["mhz"] == pytest.approx(1000 / node["ns"], abs=0.01)
    assert values["mhz_least"] == pytest.approx(1000 / node["ns_worst"], abs=0.01)
    assert values["ns"] == pytest.approx(values["cycles"] * node["ns"], abs=0.01)
    assert "um2" not in values
    assert "luts (LUT4)" in (folder / "found" / "front.svg").read_text()

    (node,) = large["nodes"]
    assert large["status"] == "failed" and large["values"]["ns"] is None and large["values"]["luts"] is None
    assert large["reason"] == (f"fifo_node: {node['memory_bits_in_flip_flops']} bits of its memories cannot be block RAM: expected "
                               "at most 7680, the flip-flops of an hx8k")
    assert node["memory_bits_in_flip_flops"] >= 5 * 64 * 32  # a packet in the queue, and four of the host

    with (folder / "found" / "points.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["luts"] for row in rows] == [str(values["luts"]), ""] and "um2" not in rows[0]
    # A folder belongs to one technology.
    refuse("-o '.*': expected a new folder; this one holds another study", "explore study.json -o found")
    # Syntheses are kept, too those of nodes that do not fit.
    kept = {path: path.stat().st_mtime_ns for path in (folder / "cache").iterdir()}
    write_study(folder, technology="ice40")
    succeed("explore study.json -o again --cache cache")
    assert len(kept) == 2 and kept == {path: path.stat().st_mtime_ns for path in (folder / "cache").iterdir()}
    assert (folder / "again" / "points.csv").read_bytes() == (folder / "found" / "points.csv").read_bytes()


# Port 0 sends what a memory that is read by a registered address holds, port 1 what it has received.
NODE_WITH_MEMORY = """
module memory_node (
  input logic clk_i, rst_ni,
  input logic [1:0] fault_drop_i, fault_corrupt_i, rx_valid_i,
  input logic [31:0] rx_flit_i,
  output logic [1:0] tx_valid_o,
  output logic [31:0] tx_flit_o
);
  logic [15:0] memory_q [256];
  logic [7:0] place_q;
  always_ff @(posedge clk_i) begin
    place_q    <= rst_ni ? place_q + 8'(rx_valid_i[0]) : 8'd0;
    tx_valid_o <= rx_valid_i;
    tx_flit_o  <= {rx_flit_i[31:16], memory_q[place_q]};
    if (rx_valid_i[1]) memory_q[rx_flit_i[7:0]] <= rx_flit_i[15:0];
  end
endmodule
"""


def synthesise(root, folder, out):
    (folder / "memory_node.sv").write_text(NODE_WITH_MEMORY)
    return subprocess.run([root / "scripts" / "synthesise_node.sh", "--ice40", out, "memory_node", "--", folder / "memory_node.sv"],
                          capture_output=True, text=True)


def test_block_ram(root, folder):
    done = synthesise(root, folder, folder / "out.json")
    assert done.returncode == 0, done.stderr
    node = json.loads((folder / "out.json").read_text())
    assert node["memory_bits"] == 4096 and node["memory_bits_in_flip_flops"] == 0 and node["block_rams"] == 1
    assert 32 <= node["flip_flops"] <= node["logic_cells"] < 120
    assert 1 < node["ns"] <= node["ns_worst"] < 20


def test_a_tool_that_fails(root, folder, monkeypatch):
    (folder / "nextpnr-ice40").write_text("#!/bin/sh\necho 'ERROR: no such device' >&2\nexit 1\n")
    (folder / "nextpnr-ice40").chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=":")
    done = synthesise(root, folder, folder / "out.json")
    assert done.returncode == 1 and done.stderr == "synthesise_node: memory_node: ERROR: no such device\n"
    assert not (folder / "out.json").exists()


@pytest.fixture(name="modules")
def fixture_modules(root, monkeypatch):
    for where in ("scripts", "scripts/explore"):
        monkeypatch.syspath_prepend(str(root / where))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    import area_model
    import nodes
    import synthesise_node_ice40
    import technology
    return synthesise_node_ice40, area_model, nodes, technology


def netlist(tx_flit):
    """Of a node with two ports of two bits, an input `host_i` and five outputs; bits are numbers of wires."""
    ports = {"clk_i": ("input", [2]), "host_i": ("input", [3, 4]), "host_o": ("output", [20, 21, 22, 23, 24, "0"]),
             "tx_valid_o": ("output", [5, 6]), "rx_valid_i": ("input", [7, 8]),
             "tx_flit_o": ("output", tx_flit), "rx_flit_i": ("input", [13, 14, 15, 16])}
    cells = {"node": {"type": "SB_LUT4", "connections": {"I0": [7], "I1": [8], "I2": [13], "I3": [16], "O": [20]}}}
    return {"ports": {name: {"direction": direction, "bits": bits} for name, (direction, bits) in ports.items()},
            "cells": cells, "netnames": {}}


def test_the_harness_around_a_node(modules):
    ice40, *_ = modules
    module = netlist([9, 10, 11, 12])
    harness = ice40.Harness(module)
    harness.wire_links()
    # Port 0 sends to port 1, and port 1 to port 0.
    assert module["cells"]["node"]["connections"] == {"I0": [6], "I1": [5], "I2": [11], "I3": [10], "O": [20]}
    harness.add_chains()
    assert {name: port["direction"] for name, port in module["ports"].items()} == {
        "clk_i": "input", "serial_i": "input", "serial_o": "output"}
    added = [cell for name, cell in module["cells"].items() if name != "node"]
    registers = [cell["connections"] for cell in added if cell["type"] == "SB_DFF"]
    data = {cell["Q"][0]: cell["D"][0] for cell in registers}
    assert all(cell["C"] == [2] for cell in registers)
    # The first chain is from the pin through the registers of both inputs.
    assert data[4] == 3 and [data[3]] == module["ports"]["serial_i"]["bits"]
    # The second one holds the parity of all outputs, and ends at the pin.
    luts = {cell["connections"]["O"][0]: cell for cell in added if cell["type"] == "SB_LUT4"}
    assert len(registers) == 4 and len(luts) == 2
    for cell in luts.values():
        truth = int(cell["parameters"]["LUT_INIT"], 2)
        for bits in itertools.product((0, 1), repeat=4):
            assert truth >> sum(bit << k for k, bit in enumerate(bits)) & 1 == sum(bits) % 2
    at, seen = module["ports"]["serial_o"]["bits"][0], []
    while at != "0":
        inputs = [luts[data[at]]["connections"][name][0] for name in ("I0", "I1", "I2", "I3")]
        seen += [bit for bit in inputs if bit in range(20, 25)]
        at = next((bit for bit in inputs if bit in data and bit not in range(20, 25)), "0")
    assert sorted(seen) == [20, 21, 22, 23, 24]


def test_links_that_pass_through_a_node(modules):
    ice40, *_ = modules
    module = netlist([15, 10, 11, 12])  # port 0 sends to port 1 what port 1 receives
    module["cells"]["node"]["connections"]["I2"] = [15]
    with pytest.raises(ice40.CannotSynthesise, match="links of the node lead through it without a register"):
        ice40.Harness(module).wire_links()


def test_what_does_not_fit_is_said(modules):
    ice40, *_ = modules

    def report(cells, rams):
        return {"utilization": {"ICESTORM_LC": {"used": cells, "available": 7680}, "ICESTORM_RAM": {"used": rams, "available": 32}}}

    assert ice40.too_large(report(7680, 32), "the node") == ""
    assert ice40.too_large(report(7681, 32), "the node") == "the node needs 7681 logic cells: expected at most the 7680 of an hx8k"
    assert ice40.too_large(report(7680, 33), "the node") == "the node needs 33 block RAMs: expected at most the 32 of an hx8k"


def test_the_model_of_nodes_of_which_some_do_not_fit(modules):
    _, area_model, nodes, technology = modules
    made = {str(q): {"module": "fifo_node", "parameters": {"Radix": 2, "QueueDepth": q, "FlitWidth": 32}} for q in range(1, 8)}
    synthesised = {key: {"luts": 300 * int(key), "flip_flops": 200 * int(key), "logic_cells": 1000 * int(key) + 500}
                   for key in made if key != "5"}
    synthesised["7"] = {"too_large": "its memories"}
    for key in "1234":
        synthesised[key] |= {"ns": 10.0 + int(key), "ns_worst": 11.0 + int(key)}
    target = technology.Ice40
    model = area_model.models_of(made, synthesised, nodes.stored_bits, target)["fifo_node"]
    assert set(model.factors) == set(target.fitted)
    features = area_model.features_of(made["5"], nodes.stored_bits(made["5"]))
    estimate = model.estimate(features)
    sizes = {name: value for name, value in estimate.items() if name in target.whole}
    assert sizes == pytest.approx({"luts": 1500, "flip_flops": 1000, "logic_cells": 5500}, rel=0.01)
    assert 13 < estimate["ns"] < 15 and 14 < estimate["ns_worst"] < 16  # delays grow with the logarithm of what is stored
    assert target.too_large(estimate) == ""
    assert target.too_large({"logic_cells": 7681}) == "the node needs 7681 logic cells by the model: expected at most 7680"


def test_no_node_is_estimated_as_faster_than_a_smaller_one(modules):
    _, area_model, nodes, technology = modules
    made = {str(q): {"module": "fifo_node", "parameters": {"Radix": 2, "QueueDepth": q, "FlitWidth": 32}} for q in (1, 2, 3, 4, 4096)}
    synthesised = {key: {"luts": 300 * int(key), "ns": 10.0 - int(key) / 4} for key in "1234"}  # a synthesis is luck, too
    model = area_model.models_of(made, synthesised, nodes.stored_bits, technology.Ice40)["fifo_node"]
    of = {key: model.estimate(area_model.features_of(node, nodes.stored_bits(node))) for key, node in made.items()}
    assert 9.75 <= of["4096"]["ns"] < 10
    assert of["4096"]["luts"] == pytest.approx(300 * 4096, rel=0.05)


def test_syntheses_of_two_technologies_are_kept_apart(modules, root):
    _, _, nodes, technology = modules
    node = {"module": "fifo_node", "parameters": {"Radix": 2}, "settings": {}, "sources": [str(root / "rtl/fifo/fifo_node.sv")]}
    assert nodes.key_of(node, technology.Ice40) != nodes.key_of(node, technology.Osu018)
