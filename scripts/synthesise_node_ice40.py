#!/usr/bin/env python3
"""What a node costs on an iCE40 FPGA: its cells, and its clock after place and route. A part of synthesise_node.sh.

    synthesise_node_ice40.py DESIGN.il MODULE BITS     prints an object of JSON; files go to the working directory

DESIGN.il is the node as Yosys's synth_ice40 has it when memories that can be block RAM are; BITS are those of the others,
which become flip-flops. The object has memory_bits_in_flip_flops; luts and flip_flops as Yosys maps them; logic_cells and
block_rams as nextpnr-ice40 packs them; ns, the shortest period of all seeds, and ns_worst, the longest one; routed_seeds, how
many of the five could be placed and routed.

A node has more ports than the package has pins. For the clock it is therefore put into a harness, which counts in none of
the numbers of cells:

- Links are as in a network on one chip: what leaves port p comes in through port p + 1, and the last one's through port 0.
  So the clock also holds the path across a link.
- Every other input comes from a register, and every other output goes to one, as if the host had registers there. The
  registers are two chains, from a pin and to a pin. The second one is of LUT4 with flip-flops, each for three outputs and the
  element before it; they add no delay to the node's paths, since every flip-flop of an iCE40 has such a LUT before it.

Ends with exit code 1, and one line, if a tool fails. A node that is too large is not an error: its object has "too_large",
which says why, and lacks what is not known.
"""
import collections
import json
import pathlib
import re
import signal
import subprocess
import sys

DEVICE, PACKAGE, LOGIC_CELLS = "hx8k", "ct256", 7680
SEEDS = (1, 2, 3, 4, 5)
CLOCK = "clk_i"
OUTPUTS_OF_ELEMENT = 3


class CannotSynthesise(Exception):
    """Why a tool has no result, in one line."""


def run(*words):
    """Runs a tool, which ends when this program is ended."""
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as child:
        try:
            _, said = child.communicate()
        except BaseException:
            child.terminate()
            raise
    if child.returncode < 0:
        raise SystemExit(f"{words[0]} was ended by signal {-child.returncode}")
    if child.returncode != 0:
        errors = [line for line in said.splitlines() if line.startswith("ERROR")]
        raise CannotSynthesise(re.sub(r"\s+", " ", (errors or [f"{words[0]} ended with exit code {child.returncode}"])[0]))


def nextpnr(netlist, *options):
    """The report of nextpnr-ice40 for a netlist. It makes the clock as fast as it can: a target is not required, nor missed."""
    run("nextpnr-ice40", f"--{DEVICE}", "--package", PACKAGE, "--json", netlist, "--report", "report.json", "--quiet",
        "--threads", "1", "--timing-allow-fail", *options)
    return json.loads(pathlib.Path("report.json").read_text())


def use_of(report, kind):
    """(used, available) cells of a kind."""
    use = report["utilization"][kind]
    return use["used"], use["available"]


def too_large(report, what):
    """Why what was packed does not fit the device; empty if it does."""
    for kind, words in (("ICESTORM_LC", "logic cells"), ("ICESTORM_RAM", "block RAMs")):
        used, available = use_of(report, kind)
        if used > available:
            return f"{what} needs {used} {words}: expected at most the {available} of an {DEVICE}"
    return ""


class Harness:
    """Changes a netlist of a node to one of the node in its harness, whose ports are the clock and two pins."""

    def __init__(self, module):
        self.module = module
        self.ports = module["ports"]
        bits = [bit for part in (*self.ports.values(), *module["netnames"].values()) for bit in part["bits"]]
        bits += [bit for cell in module["cells"].values() for connected in cell["connections"].values() for bit in connected]
        self.next_bit = 1 + max(bit for bit in bits if isinstance(bit, int))
        self.clock = self.ports[CLOCK]["bits"][0]
        self.cells = 0

    def bits_of(self, direction):
        return [bit for port in self.ports.values() if port["direction"] == direction for bit in port["bits"]]

    def new_bit(self):
        self.next_bit += 1
        return self.next_bit - 1

    def add_cell(self, kind, parameters, directions, connections):
        self.cells += 1
        self.module["cells"][f"harness_{self.cells}"] = {
            "hide_name": 0, "type": kind, "parameters": parameters, "attributes": {}, "port_directions": directions,
            "connections": {name: [bit] for name, bit in connections.items()}}

    def add_register(self, data, out):
        self.add_cell("SB_DFF", {}, {"C": "input", "D": "input", "Q": "output"}, {"C": self.clock, "D": data, "Q": out})

    def add_exclusive_or(self, inputs):
        """Of up to four; returns the output."""
        out = self.new_bit()
        names = ("I0", "I1", "I2", "I3")
        parity = "".join(str(bin(k).count("1") % 2) for k in reversed(range(16)))
        self.add_cell("SB_LUT4", {"LUT_INIT": parity}, {**dict.fromkeys(names, "input"), "O": "output"},
                      {**dict.fromkeys(names, "0"), **dict(zip(names, inputs)), "O": out})
        return out

    def wire_links(self):
        """Connects the sending ends of each port to the receiving ends of the next one."""
        count = len(self.ports["tx_valid_o"]["bits"])
        source = {}
        for name in [name for name in self.ports if name.startswith("tx_")]:
            sent, received = self.ports.pop(name)["bits"], self.ports.pop(f"r{name[1:-1]}i")["bits"]
            width = len(sent) // count
            source.update(zip(received, sent[-width:] + sent[:-width]))
        for cell in self.module["cells"].values():
            cell["connections"] = {name: [self.through(source, bit) for bit in bits] for name, bits in cell["connections"].items()}
        for port in self.ports.values():
            port["bits"] = [self.through(source, bit) for bit in port["bits"]]

    @staticmethod
    def through(source, bit):
        """What drives a bit, through as many links as there are without a cell between them."""
        for _ in range(len(source) + 1):
            if bit not in source:
                return bit
            bit = source[bit]
        raise CannotSynthesise("links of the node lead through it without a register")

    def add_chains(self):
        pin = before = self.new_bit()
        for bit in self.bits_of("input"):
            if bit != self.clock:
                self.add_register(before, bit)
                before = bit
        for_chain = [bit for bit in self.bits_of("output") if isinstance(bit, int)]
        last = "0"
        for k in range(0, len(for_chain), OUTPUTS_OF_ELEMENT):
            data, last_before = self.new_bit(), last
            data = self.add_exclusive_or([*for_chain[k:k + OUTPUTS_OF_ELEMENT], last_before])
            last = self.new_bit()
            self.add_register(data, last)
        self.module["ports"] = {CLOCK: self.ports[CLOCK], "serial_i": {"direction": "input", "bits": [pin]},
                                "serial_o": {"direction": "output", "bits": [last]}}


def write_harness(document, name, path):
    module = document["modules"][name]
    harness = Harness(module)
    harness.wire_links()
    harness.add_chains()
    module["netnames"] = {}  # they are for readers, and those of links are of other wires now
    path.write_text(json.dumps({**document, "modules": {name: module}}))  # the others are models of cells, known to nextpnr


def periods(netlist):
    """In ns, of the seeds with which the netlist can be placed and routed."""
    found = []
    for seed in SEEDS:
        try:
            (clock,) = nextpnr(netlist, "--seed", str(seed))["fmax"].values()
        except CannotSynthesise as error:
            reason = error
        else:
            found.append(round(1000 / clock["achieved"], 3))
    if not found:
        raise reason
    return found


def measure(design, name, bits_in_flip_flops):
    known = {"memory_bits_in_flip_flops": bits_in_flip_flops}
    if bits_in_flip_flops > LOGIC_CELLS:  # known before Yosys spends minutes or hours on their multiplexers
        return {**known, "too_large": f"{bits_in_flip_flops} bits of its memories cannot be block RAM: expected at most "
                f"{LOGIC_CELLS}, the flip-flops of an {DEVICE}"}
    netlist = "ice40.json"
    run("yosys", "-q", "-p", f"read_rtlil {design}; synth_ice40 -run map_ffram:; write_json {netlist}")
    document = json.loads(pathlib.Path(netlist).read_text())
    cells = collections.Counter(cell["type"] for cell in document["modules"][name]["cells"].values())
    packed = nextpnr(netlist, "--pack-only")
    found = {**known, "luts": cells["SB_LUT4"], "flip_flops": sum(cells[kind] for kind in cells if kind.startswith("SB_DFF")),
             "logic_cells": use_of(packed, "ICESTORM_LC")[0], "block_rams": use_of(packed, "ICESTORM_RAM")[0]}
    reason = too_large(packed, "the node")
    if reason:
        return {**found, "too_large": reason}
    in_harness = pathlib.Path("harness.json")
    write_harness(document, name, in_harness)
    reason = too_large(nextpnr(in_harness, "--pack-only"), "the node with the registers that feed its ports")
    if reason:
        return {**found, "too_large": reason}
    ns = periods(in_harness)
    return {**found, "ns": min(ns), "ns_worst": max(ns), "routed_seeds": len(ns)}


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # once the tool at work is told to end
    try:
        print(json.dumps(measure(sys.argv[1], sys.argv[2], int(sys.argv[3]))))
    except CannotSynthesise as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
