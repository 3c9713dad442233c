"""Proofs that a mutant of the RTL is the same circuit.

ABC searches an invariant (scorr, pdr) of a miter of both versions. They begin in the same state, whatever it is, with a cycle of
reset that is not compared, under what the module's own assertions say of the original: these are true of every simulation, since a
run ends when one fails. Where it finds none, Yosys matches the registers and outputs of both by name and proves, for each, that its
next value is the same whenever all registers and inputs are the same (equiv_simple). Both hold for any number of cycles: no bound is
involved. A module without a clock has no such states: a SAT solver compares the outputs for all inputs. A module is proved with each
set of parameters below; a mutant counts only if it changes the netlist in one of them.

Networks are too large for that, and Yosys does not read them: a mutant is equivalent if Verilator makes the same C++ of networks of
three nodes, with links both ways and one way, apart from the names of files.

Before that, where a proof of testbench/formal determines all outputs of the module, the mutant is given to it: a mutant for which it
holds with all sets of parameters of that proof does what the module promises, which is all that the nodes around it can see.
"""
import hashlib
import json
import pathlib
import re
import shutil

from limited_program import new_folder, run
from rtl_detectors import HERE, ROOT, Design, replaced

SECONDS = 60  # of one proof
# Modules of which Yosys builds nothing, since they read files.
LEFT_OUT = ("stream_player", "delivery_checker", "router_host", "scan_host", "tdm_host")
# Networks, with parameters that build all of their wiring. Widths, depths and counts have values of their own, other than their defaults: no
# other one can stand in their place, nor can they be left out, without another model. Switches are 0 or 1, so that one could stand for
# another; edits of parameters, where that would matter, are no mutants.
NETWORKS = {
    "pifo_network": ({"FlitWidth": 96, "Flits": 4, "LinkLatency": 1, "QueueDepth": 6, "HostDepth": 7, "InjectPorts": 1, "LabelDepth": 40,
                      "RankLevels": 5, "PortModel": 1, "GrantCycles": 9, "NodeIdWidth": 10, "TagWidth": 11, "RestRanks": 1, "DealsLinks": 1},
                     {"Flits": 3, "QueueDepth": 5, "HostDepth": 4, "InjectPorts": 2, "RankLevels": 6, "DealsLinks": 1}),
    "tdm_network": ({"FlitWidth": 128, "Flits": 4, "LinkLatency": 6, "Buffers": 7, "ProgramDepth": 5, "Window": 3, "NameWidth": 20,
                     "GenerationWidth": 11, "CountWidth": 8, "Combining": 1, "Loopbacks": 2, "UnequalLinks": 1},
                    {"Flits": 3, "LinkLatency": 2, "Combining": 0}),
}
TOPOLOGIES = ("ring", "one_way")  # of testbench/rtl/network
# Defaults of modules often leave parts out (no latency, one flit): these build all of them.
PARAMETERS = {
    "link": ({"FlitWidth": 4, "Latency": 3}, {"FlitWidth": 4, "Latency": 0}),
    "unequal_link": ({"FlitWidth": 4, "Flits": 2, "Latency": 3},),
    "link_pace": ({"Flits": 4},),
    "class_stamp": ({"FlitWidth": 4, "Flits": 3, "LengthShift": 1}, {"FlitWidth": 4, "Flits": 1, "LengthShift": 1}),
    "link_balancer": ({"Radix": 3, "Inputs": 2}, {"Radix": 2, "Inputs": 3}),
    "router_frame": ({"Radix": 2, "FlitWidth": 8, "LengthShift": 4, "QueueDepth": 1, "HostDepth": 1, "PortModel": 1, "GrantCycles": 2,
                      "LabelWidth": 1},
                     {"Radix": 2, "FlitWidth": 8, "LengthShift": 4, "QueueDepth": 1, "HostDepth": 1, "LabelWidth": 1}),
    "queue_peaks": ({"Queues": 2, "OccupancyWidth": 3},),
    "packet_places": ({"Depth": 3, "Ports": 2, "Queues": 2}, {"Depth": 20, "Ports": 2, "Queues": 2},
                      {"Depth": 3, "Ports": 2, "Queues": 1, "HoldsTaken": 1}, {"Depth": 20, "Ports": 2, "Queues": 2, "HasSender": 0}),
    "port_limiter": ({"Radix": 3, "GrantCycles": 6}, {"Radix": 3, "GrantCycles": 0}),
    "packet_flits": ({"Flits": 3},),
    "receive_port": ({"Flits": 3, "Radix": 2},),
    "transmit_port": ({"Flits": 3},),
    "counters": ({"Radix": 2, "Queues": 3, "OccupancyWidth": 3},),
    "credit_counter": ({"Links": 2, "Depth": 5}, {"Links": 2, "Depth": 5, "StartsEmpty": 1}),
    "fifo_queue": ({"Inputs": 3, "Depth": 3, "HostDepth": 2},),
    "sorted_order": ({"Inputs": 3, "Depth": 3, "HostDepth": 2, "RankLevels": 4},),
    "listed_order": ({"Inputs": 3, "Depth": 3, "HostDepth": 2, "RankLevels": 4},),
    "buffer_table": ({"Lanes": 2, "Outputs": 2, "Buffers": 3},),
    "combine_unit": ({"Inputs": 3, "WordWidth": 4},),
    "tree_sum": ({},), "slot_timer": ({},), "batch_increment": ({"Digits": 3, "DigitWidth": 2},),
    "scan_unit": ({"Digits": 2, "DigitWidth": 2, "RemainderWidth": 2},),
    "axi_stream_host": ({"Radix": 3, "FlitWidth": 64, "Flits": 3, "SinkDepth": 5},),
}


# What the last module of both versions ends with; the original also has the assumption.
STARTED = """
  (* keep *) logic equivalence_started = 1'b0, equivalence_goes_on = 1'b0;
  always @(posedge clk_i) equivalence_started <= 1'b1;
  always @(posedge clk_i) equivalence_goes_on <= equivalence_started;
"""
RESET_FIRST = "  always_comb assume (equivalence_started || !rst_ni);\n"
TO_AIGER = """
chformal -early
techmap
opt -fast
dffunmap
simplemap
delete -output
opt_clean
aigmap
setundef -anyseq
opt_clean
write_aiger -I -B -zinit equal.aig
"""


def load(sources, module, parameters, name, out, options):
    settings = "".join(f" -set {key} {value}" for key, value in parameters.items())
    chosen = f"chparam{settings} {module}\n" if settings else ""
    return (f"read_verilog -sv {options} -Irtl {' '.join(map(str, sources))}\n{chosen}hierarchy -top {module}\nproc\nflatten\n"
            f"rename -top {name}\nwrite_rtlil {out}/{name}.il\nmemory_map\nopt -full -fine\nopt_clean\ndesign -stash {name}\n"
            "design -reset\n")


def by_name(gold, gate, module, parameters, out):
    """Registers of the same name have the same next value, whatever all registers and inputs are."""
    both = "".join(load(files, module, parameters, name, out, "-noassert -noassume") for name, files in (("gold", gold), ("gate", gate)))
    return both + ("design -copy-from gold -as gold gold\ndesign -copy-from gate -as gate gate\nequiv_make gold gate equiv\n"
                   "hierarchy -top equiv\nopt -fast\nequiv_simple -undef\nequiv_status -assert\n")


def from_reset(gold, gate, module, parameters, out):
    """The miter of both: its one property, that no output ever differs, under what the assertions say of the original."""
    loaded = ""
    for name, files, options, ends in (("gold", gold, "-assume-asserts", STARTED + RESET_FIRST), ("gate", gate, "-noassert -noassume", STARTED)):
        (out / f"{name}.sv").write_text((ends + "endmodule").join(files[-1].read_text().rsplit("endmodule", 1)))
        loaded += load([*files[:-1], out / f"{name}.sv"], module, parameters, name, out, options)
        loaded += f"design -load {name}\nasync2sync\ndffunmap\nopt_clean\nwrite_rtlil {out}/{name}.il\ndesign -reset\n"
    if run_yosys(loaded, out)[0] != 0 or not tie_power_up(out):
        return None
    return (f"read_rtlil {out}/gold.il\nread_rtlil {out}/gate.il\nmiter -equiv -flatten -make_assert gold gate miter\n"
            "hierarchy -top miter\ncd miter\nrename -enumerate -pattern equal_% t:$assert\n"
            "connect -port equal_0 \\EN \\gold.equivalence_started\ncd\ndesign -save miter\n"
            + TO_AIGER.replace("equal.aig", f"{out}/equal.aig") +
            # What must fail: that the assumptions leave no third cycle.
            "design -load miter\ncd miter\nconnect -port equal_0 \\A 1'0\nconnect -port equal_0 \\EN \\gold.equivalence_goes_on\ncd\n"
            + TO_AIGER.replace("equal.aig", f"{out}/possible.aig"))


def without_clock(gold, gate, module, parameters, out):
    """The outputs of both for all inputs."""
    both = "".join(load(files, module, parameters, name, out, "-noassert -noassume") for name, files in (("gold", gold), ("gate", gate)))
    return both + ("design -copy-from gold -as gold gold\ndesign -copy-from gate -as gate gate\n"
                   "miter -equiv -flatten -make_assert gold gate miter\nhierarchy -top miter\nsetundef -undriven -anyseq\n"
                   "sat -verify -set-def-inputs -prove-asserts miter\n")


def tie_power_up(out):
    """In both netlists each register shows an input of its name in the first cycle: both begin in the same state, which is any."""
    texts, inputs = {}, {}
    for name in ("gold", "gate"):
        text, found = (out / f"{name}.il").read_text(), {}

        def tied(cell):
            register = re.search(r"\n    connect \\Q (.*)\n", cell[0])
            width = re.search(r"\n    parameter \\WIDTH (\d+)\n", cell[0])
            if register is None or width is None or "equivalence_" in register[1] or "\\" not in register[1] or "$" in register[1]:
                return cell[0]
            power_up = "\\power_up_" + re.sub(r"\W+", "_", register[1])
            if power_up in found:
                return cell[0]
            found[power_up] = width[1]
            behind = f"$behind{len(found)}"
            return (f"  wire width {width[1]} {behind}\n" + cell[0].replace(f"\\Q {register[1]}\n", f"\\Q {behind}\n")
                    + f"  cell $mux $show{len(found)}\n    parameter \\WIDTH {width[1]}\n    connect \\A {power_up}\n    connect \\B {behind}\n"
                    f"    connect \\S \\equivalence_started\n    connect \\Y {register[1]}\n  end\n")
        texts[name] = re.sub(r"  cell \$\w*dff\w* .*\n(?:    .*\n)*  end\n", tied, text)
        inputs[name] = found
    if any(inputs["gold"].get(k, w) != w for k, w in inputs["gate"].items()):
        return False
    for name, text in texts.items():
        ports = "".join(f"  wire width {width} input {900 + number} {port}\n"
                        for number, (port, width) in enumerate(sorted({**inputs["gold"], **inputs["gate"]}.items())))
        (out / f"{name}.il").write_text(re.sub(rf"^(module \\{name}\n)", lambda match: match[1] + ports, text, flags=re.M))
    return True


def differs(gold, gate, module, parameters, out):
    """Whether the edit is in what is built with these parameters."""
    run_yosys("".join(load(files, module, parameters, name, out, "-noassert -noassume") for name, files in (("gold", gold), ("gate", gate))), out)
    texts = []
    for name in ("gold", "gate"):
        text = (out / f"{name}.il").read_text()
        text = re.sub(r"^\s*attribute .*\n", "", text, flags=re.M)
        text = re.sub(r"^# .*\n|autoidx \d+\n", "", text, flags=re.M)
        text = re.sub(r"\$\d+", "$", text).replace("\\gate", "\\gold")
        # Cells are sorted by names that have the file's path in them.
        texts.append(sorted(re.sub(r"[^\s]*\.sv:[\d.\-]+", "", text).splitlines()))
    return texts[0] != texts[1]


def prove(design, text, edit):
    """"proved", or why not."""
    module = pathlib.Path(edit.path).stem
    if module in LEFT_OUT:
        return "not tried"
    if module in ("network_wiring", *NETWORKS):
        return "proved" if makes_the_same_models(design, module, edit.apply(text)) else "not proved"
    folder = new_folder(HERE)
    try:
        mutant = folder / f"{module}.sv"
        mutant.write_text(edit.apply(text))
        # The module itself comes last.
        gold = [s for s in design.order if s.stem != module and (s.stem.endswith("_pkg") or design.contains([module], s.stem))]
        gold += [s for s in design.order if s.stem == module]
        any_change, as_good = False, run([ROOT / "scripts/prove", "--same", mutant], 5 * SECONDS, cwd=ROOT)[0] == 0
        for parameters in PARAMETERS.get(module, ({},)):
            files = (gold, [*gold[:-1], mutant], module, parameters, folder)
            if not as_good and not never_differs(files, folder, text) and run_yosys(by_name(*files), folder)[0] != 0:
                return "not proved"
            any_change |= differs(*files)
        return "proved" if any_change else "changes nothing that was built"
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def makes_the_same_models(design, module, text):
    """Whether Verilator makes the same C++ of both networks with the changed module."""
    folder = new_folder(HERE)
    try:
        changed = folder / f"{module}.sv"
        changed.write_text(text)
        gold = [*design.order, *(ROOT / f"rtl/network/{name}.sv" for name in ("network_wiring", *NETWORKS))]
        tops = NETWORKS if module == "network_wiring" else (module,)
        for top, topology, parameters in ((t, w, p) for t in tops for w in TOPOLOGIES for p in NETWORKS[t]):
            models = [verilated(folder / "model", sources, top, topology, parameters) for sources in (gold, replaced(gold, changed))]
            if models[0] is None or models[0] != models[1]:
                return False
        return True
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def verilated(place, sources, top, topology, parameters):
    """The C++ of a network without lines that name its source, by file; None if there is none."""
    shutil.rmtree(place, ignore_errors=True)
    code, _ = run(["verilator", "--cc", "--assert", "-Wno-fatal", "-Wno-lint", "-Wno-style", "-Irtl", f"-Itestbench/rtl/network/{topology}",
                   *(f"-G{key}={value}" for key, value in parameters.items()), "--top-module", top, "--Mdir", place, "rtl/common/lint.vlt",
                   *sources], SECONDS, cwd=ROOT)
    if code != 0:
        return None
    return {file.name: re.sub(r'"[^"\n]*\.svh?"|^\s*//.*$', "", file.read_text(), flags=re.M)
            for file in sorted(place.iterdir()) if file.suffix in (".cpp", ".h")}


def run_yosys(text, folder):
    file = folder / "proof.ys"
    file.write_text(text)
    return run(["yosys", "-q", "-s", file], SECONDS, cwd=ROOT)


def never_differs(files, folder, text):
    if not re.search(r"\bclk_i\b", text):
        return run_yosys(without_clock(*files), folder)[0] == 0
    script = from_reset(*files) if "rst_ni" in text else None
    if script is None or run_yosys(script, folder)[0] != 0:
        return False

    def ask(name, command):
        return run(["yosys-abc", "-c", f"read_aiger {folder}/{name}.aig; fold; strash; {command}"], 2 * SECONDS, cwd=folder)[1]
    return ("Property proved" in ask("equal", f"scorr; dc2; scorr; pdr -T {SECONDS}")
            and "asserted in frame" in ask("possible", "bmc3 -F 4"))


def known():
    file = HERE / "proofs.jsonl"
    return dict(json.loads(line) for line in file.read_text().splitlines()) if file.exists() else {}


def prove_survivors(population, rows, prove_new):
    """Keys of the mutants that are proved; what was tried before is not tried again."""
    design, tried = Design(), known()
    state = hashlib.sha256(pathlib.Path(__file__).read_bytes()).hexdigest()[:8]  # another way of proving tries again
    edits = {e.key(): e for edits in population.candidates.values() for e in edits}
    for row in rows:
        name = f"{row['key']}:{state}"
        if row["status"] != "survived" or row.get("proved") or name in tried or not prove_new:
            continue
        edit = edits[row["key"]]
        tried[name] = prove(design, population.texts[pathlib.Path(edit.path).stem], edit)
        with (HERE / "proofs.jsonl").open("a") as file:
            file.write(json.dumps([name, tried[name]]) + "\n")
    return {row["key"] for row in rows if row.get("proved") or tried.get(f"{row['key']}:{state}") == "proved"}
