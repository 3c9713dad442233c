"""The technologies that a study's nodes can be synthesised to: tools, objectives, and how far the tools are off."""
import pathlib
import sys

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SCRIPTS))
import synthesise_node_ice40  # noqa: E402

SYNTHESISE = SCRIPTS / "synthesise_node.sh"

LIBERTY = pathlib.Path("/usr/share/qflow/tech/osu018/osu018_stdcells.lib")


def objectives_with(spread_of_period, sizes):
    """What a point has: its unit, and the part by which the tools' own spread may move it."""
    return {
        "cycles": ("cycles", 0.0),
        "period": ("ns", spread_of_period),
        "ns": ("ns", spread_of_period),
        "latency": ("cycles", 0.0),
        "latency_ns": ("ns", spread_of_period),
        "saturation_load": ("flits per node and cycle", 0.0),
        **sizes,
        "memory_bits": ("bits", 0.0),
        "flit_hops": ("flits", 0.0),
        "peak_queue": ("packets", 0.0),
        "depth": ("packets", 0.0),
    }


def totals(nodes, names):
    """Sums over all nodes of a network, [(how many, synthesis)]; None if one of them lacks the quantity."""
    return {name: None if any(node.get(name) is None for _, node in nodes) else sum(count * node[name] for count, node in nodes)
            for name in names}


class Osu018:
    """Standard cells of 180 nm."""

    name = "osu018"
    option = "--cells"  # of synthesise_node.sh
    tools = {"yosys": "yosys", "sta": "opensta"}  # and Debian's packages
    files = {LIBERTY: "qflow-tech-osu018"}
    versions = (["yosys", "-V"], ["sta", "-version"])
    sources = (SYNTHESISE, SYNTHESISE.with_suffix(".constr"), LIBERTY)
    objectives = objectives_with(0.10, {"um2_node": ("um2", 0.02), "um2": ("um2", 0.02), "gate_equivalents": ("NAND2X1", 0.02)})
    first_objectives = ["ns", "um2"]  # of a study that does not name its own
    fitted = ("um2", "gate_equivalents", "ns_inside", "ns_out", "ns_in")  # by the area model
    size, delay = "um2", "ns_inside"  # of those, by which the model is judged
    whole = ("um2", "gate_equivalents")  # of those, numbers without a fraction
    not_fitted = ("memory_bits",)
    caveat = (
        "Areas and periods are estimates: the same RTL, synthesised by Yosys and abc to osu018 cells (180 nm), before layout and "
        "without wires; memories are made of flip-flops. Differences of less than 2 % in area and 10 % in the period are within "
        "the tools' own spread.")

    @staticmethod
    def measures(nodes):
        # A clock holds paths within a node, and across a link from a node to any other.
        out = max(node["ns_out"] for _, node in nodes)
        into = max(node["ns_in"] for _, node in nodes)
        return {"period": round(max(out + into, *(node["ns_inside"] for _, node in nodes)), 2),
                "um2_node": max(node["um2"] for _, node in nodes), **totals(nodes, ("um2", "gate_equivalents", "memory_bits"))}

    @staticmethod
    def too_large(_estimate):
        return ""


class Ice40:
    """The largest iCE40, an FPGA with logic cells of a LUT4, a carry and a flip-flop each."""

    name = "ice40"
    option = "--ice40"
    tools = {"yosys": "yosys", "nextpnr-ice40": "nextpnr-ice40"}  # whose package holds the description of the device too
    files = {}
    versions = (["yosys", "-V"], ["nextpnr-ice40", "-V"])
    sources = (SYNTHESISE, SCRIPTS / "synthesise_node_ice40.py")
    objectives = objectives_with(0.05, {
        "mhz": ("MHz", 0.05), "mhz_least": ("MHz", 0.10), "luts": ("LUT4", 0.07), "flip_flops": ("flip-flops", 0.0),
        "logic_cells_node": ("logic cells", 0.07), "logic_cells": ("logic cells", 0.07), "block_rams": ("SB_RAM40_4K", 0.0)})
    first_objectives = ["ns", "luts"]
    fitted = ("luts", "flip_flops", "logic_cells", "ns", "ns_worst")
    size, delay = "logic_cells", "ns"
    whole = ("luts", "flip_flops", "logic_cells")
    not_fitted = ("memory_bits", "block_rams")
    caveat = (
        "Cells are those of the same RTL, synthesised by Yosys and packed by nextpnr-ice40 for an iCE40 HX8K; a network has the sum "
        "of its nodes. A clock is that of a node alone on the device, placed and routed, the best of five seeds: its links lead "
        "from it to itself, and registers feed its other ports. Differences of less than 7 % in cells and 5 % in the period are "
        "within the tools' own spread.")

    @staticmethod
    def measures(nodes):
        values = {"period": None, "mhz": None, "mhz_least": None, "logic_cells_node": None, **totals(
            nodes, ("luts", "flip_flops", "logic_cells", "block_rams", "memory_bits"))}
        if all("logic_cells" in node for _, node in nodes):
            values["logic_cells_node"] = max(node["logic_cells"] for _, node in nodes)
        if all("ns" in node for _, node in nodes):
            values["period"] = max(node["ns"] for _, node in nodes)
            values["mhz"] = round(1000 / values["period"], 2)
            values["mhz_least"] = round(1000 / max(node["ns_worst"] for _, node in nodes), 2)
        return values

    @staticmethod
    def too_large(estimate):
        """Why a node with this estimate cannot be had; empty if it can."""
        cells, most = estimate["logic_cells"], synthesise_node_ice40.LOGIC_CELLS
        return "" if cells <= most else f"the node needs {cells} logic cells by the model: expected at most {most}"


ALL = {technology.name: technology for technology in (Osu018, Ice40)}
DEFAULT = Osu018.name
