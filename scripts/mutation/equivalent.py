"""Proofs that a mutant of the RTL is the same circuit.

Yosys matches the registers and outputs of both versions by name and proves, for each, that its next value is the same whenever all
registers and inputs are the same (equiv_simple). This holds for any number of cycles, from any state: no bound is involved. Where it
fails, temporal induction over a miter that begins with a reset is tried (sat -tempinduct), which also uses that states cannot be
reached. A module is proved with each set of parameters below; a mutant counts only if it changes the netlist in one of them.
"""
import hashlib
import json
import pathlib
import re
import shutil

from process import new_folder, run
from rtl_detectors import HERE, ROOT, Design

SECONDS = 60  # of one proof
# Modules of which Yosys builds nothing, since they are networks or read files.
LEFT_OUT = ("network_wiring", "pifo_network", "tdm_network", "stream_player", "delivery_checker", "router_host", "scan_host", "tdm_host")
# Defaults of modules often leave parts out (no latency, one flit): these build all of them.
PARAMETERS = {
    "link": ({"FlitWidth": 4, "Latency": 3}, {"FlitWidth": 4, "Latency": 0}),
    "unequal_link": ({"FlitWidth": 4, "Flits": 2, "Latency": 3},),
    "link_pace": ({"Flits": 4},),
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
    "axi_stream_host": ({"Radix": 3, "FlitWidth": 64, "Flits": 3, "SinkDepth": 5},),
}


def script(design, mutant, module, parameters, out):
    """Both versions, their netlists written down, and the proof."""
    def load(sources, name):
        settings = "".join(f" -set {key} {value}" for key, value in parameters.items())
        chosen = f"chparam{settings} {module}\n" if settings else ""
        return (f"read_verilog -sv -noassert -noassume -Irtl {' '.join(map(str, sources))}\n{chosen}hierarchy -top {module}\nproc\nflatten\n"
                f"rename -top {name}\nwrite_rtlil {out}/{name}.il\nmemory_map\nopt -full -fine\nopt_clean\ndesign -stash {name}\n")
    sources = [s for s in design.order if s.stem.endswith("_pkg") or design.contains([module], s.stem)]
    changed = [mutant if s.name == mutant.name else s for s in sources]
    both = "design -reset\ndesign -copy-from gold -as gold gold\ndesign -copy-from gate -as gate gate\n"
    simple = both + "equiv_make gold gate equiv\nhierarchy -top equiv\nopt -fast\nequiv_simple -undef\nequiv_status -assert\n"
    miter = (both + "async2sync\nmiter -equiv -flatten -make_outputs gold gate miter\nhierarchy -top miter\nopt -fast\n"
             "sat -tempinduct -maxsteps 12 -set-init-undef -set-at 1 in_rst_ni 0 -seq 2 -prove trigger 0 -verify -timeout 50 miter\n")
    return load(sources, "gold") + "design -reset\n" + load(changed, "gate"), simple, miter


def differs(out):
    texts = []
    for name in ("gold", "gate"):
        text = (out / f"{name}.il").read_text()
        text = re.sub(r"^\s*attribute .*\n", "", text, flags=re.M)
        text = re.sub(r"^# .*\n|autoidx \d+\n", "", text, flags=re.M)
        text = re.sub(r"\$\d+", "$", text).replace("\\gate", "\\gold")
        texts.append(re.sub(r"[^\s]*\.sv:[\d.\-]+", "", text))
    return texts[0] != texts[1]


def prove(design, text, edit):
    """"proved", or why not."""
    module = pathlib.Path(edit.path).stem
    if module in LEFT_OUT:
        return "not tried"
    folder = new_folder(HERE)
    try:
        mutant = folder / f"{module}.sv"
        mutant.write_text(edit.apply(text))
        any_change = False
        for parameters in PARAMETERS.get(module, ({},)):
            load, simple, miter = script(design, mutant, module, parameters, folder)
            if not one_proof(load + simple, folder):
                if "rst_ni" not in text or not one_proof(load + miter, folder):
                    return "not proved"
            any_change |= differs(folder)
        return "proved" if any_change else "changes nothing that was built"
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def one_proof(text, folder):
    file = folder / "proof.ys"
    file.write_text(text)
    code, _ = run(["yosys", "-q", "-s", file], SECONDS, cwd=ROOT)
    return code == 0


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
