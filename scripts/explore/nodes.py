#!/usr/bin/env python3
"""The nodes that a study's runs used, and the synthesis of one of them. Jobs of scripts/explore/Snakefile.

    nodes.py plan               writes nodes.json: all by key, and those that are synthesised in any case
    nodes.py synthesise KEY     writes size and delays of that node to nodes/KEY.json, and to the cache

A network's nodes are as its run had them, but each with as many ports as it has links. The key of a node is made of its
module, parameters and settings, of the technology, the sources, the scripts and the tools: a node is synthesised once for all
studies.
"""
import functools
import hashlib
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import area_model  # noqa: E402
import jsonfile  # noqa: E402
import process  # noqa: E402
import study  # noqa: E402
import technology  # noqa: E402

LONGEST = 3 * 3600  # seconds of one synthesis
MOST_CHOSEN_BITS = 131_072  # that the outputs of a node choose from: beyond, a synthesis takes many minutes, and much memory
# Inputs of a module that a run ties to values (rtl/common/node_settings.svh); other modules are built for these.
SETTINGS = {
    "pifo_node": ("slot_cycles", "link_latency", "port_model", "grant_cycles", "queue_depth"),
    "tdm_node": ("slot_cycles", "link_latency", "port_model", "window"),
}


def sources_of(hardware):
    files = []
    for folder in hardware["folders"]:
        listed = (ROOT / "rtl" / folder / f"{folder}.f").read_text().split()
        files += [str(ROOT / "rtl" / name) for name in listed]
    files += [path for path in hardware["sources"] if not path.endswith(".vlt")]  # what only Verilator is told
    return list(dict.fromkeys(files))


@functools.lru_cache(maxsize=None)
def digest_of(sources, target):
    """Of everything that a synthesis is made from beside its parameters."""
    digest = hashlib.sha256(target.name.encode())
    for path in (*target.sources, *sorted({*sources, *map(str, ROOT.glob("rtl/*/*.svh"))})):
        digest.update(pathlib.Path(path).read_bytes())
    for tool in target.versions:
        digest.update(subprocess.run(tool, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=True).stdout)
    return digest.hexdigest()


def stored_bits(node):
    """Of the packets that a node has room for."""
    p = node["parameters"]
    places = p["Buffers"] if "Buffers" in p else p["Radix"] * p.get("QueueDepth", 0) + p.get("InjectPorts", 1) * p.get("HostDepth", 0)
    return places * p.get("Flits", 1) * p["FlitWidth"]


def why_not(node):
    """Why a node is not synthesised; empty if it is. Each output chooses from all packets that are stored, most of them in
    flip-flops, and from what comes in through all ports."""
    ports, flit = node["parameters"]["Radix"], node["parameters"]["FlitWidth"]
    bits = ports * (stored_bits(node) + ports * flit)
    return "" if bits <= MOST_CHOSEN_BITS else (
        f"of {ports} ports with room for {stored_bits(node)} bits of packets is too large to be synthesised in useful time")


def nodes_of(hardware, flit_width):
    """[(how many, the node)] of a network, by ports."""
    nodes = []
    for ports, count in hardware["nodes_by_ports"].items():
        parameters = dict(hardware["parameters"])
        parameters["Radix"], parameters["FlitWidth"] = max(1, int(ports)), flit_width
        if "InjectPorts" in parameters:
            parameters["InjectPorts"] = min(parameters["InjectPorts"], parameters["Radix"])
        settings = {name: hardware["settings"][name] for name in SETTINGS.get(hardware["module"], ())}
        node = {"module": hardware["module"], "parameters": parameters, "settings": settings, "sources": sources_of(hardware)}
        nodes.append((count, node))
    return nodes


def key_of(node, target):
    return study.key_of([node["module"], node["parameters"], node["settings"], digest_of(tuple(node["sources"]), target)])


def planned():
    """The plan of the study in this folder, and its technology."""
    document = jsonfile.read(pathlib.Path("plan.json"))
    return document, study.Study(document["study"], "study").technology


def plan():
    document, target = planned()
    points = document["points"]
    nodes = {}
    for key, point in points.items():
        found = jsonfile.read(pathlib.Path("points") / f"{key}.json")
        if "error" in found:
            continue
        for _, node in nodes_of(found["hardware"], point["flit_width"]):
            nodes[key_of(node, target)] = node
    possible = {key: node for key, node in nodes.items() if not why_not(node)}
    most = document["study"].get("most_syntheses", len(possible))
    jsonfile.write(pathlib.Path("nodes.json"), {"all": nodes, "first": first_of(possible, most)})


def first_of(nodes, most):
    """All nodes, or half as many as are wanted: of each module small ones, large ones, and those between."""
    if len(nodes) <= most:
        return list(nodes)
    modules, first = {}, []
    for key, node in sorted(nodes.items(), key=lambda item: (stored_bits(item[1]) * item[1]["parameters"]["Radix"], item[0])):
        modules.setdefault(node["module"], []).append(key)
    for keys in modules.values():
        wanted = min(len(keys), max(area_model.LEAST_SAMPLES, most // 2 * len(keys) // len(nodes)))
        first += [keys[k * (len(keys) - 1) // max(1, wanted - 1)] for k in range(wanted)]
    return first[:most]


def synthesise(key):
    """From the cache, or done now. A node that cannot be synthesised is written down with the reason, but not cached."""
    node = jsonfile.read(pathlib.Path("nodes.json"))["all"][key]
    _, target = planned()
    cached = pathlib.Path(jsonfile.read(pathlib.Path("jobs.json"))["cache"]) / f"{key}.json"
    out = pathlib.Path("nodes").absolute() / f"{key}.json"
    out.parent.mkdir(exist_ok=True)
    if not cached.exists():
        words = [f"{name}={value}" for name, value in node["parameters"].items()]
        words += [f"{name}:{value}" for name, value in node["settings"].items()]
        made = out.with_suffix(".made")
        try:
            code, _, errors = process.run(
                [technology.SYNTHESISE, target.option, made, node["module"], *words, "--", *node["sources"]], LONGEST)
        except process.TookTooLong as error:
            code, errors = 1, str(error)
        digest_of.cache_clear()
        if key_of(node, target) != key:
            raise SystemExit("the RTL, or a tool, was changed while the study ran: expected a new folder for the results")
        if code != 0:
            return jsonfile.write(out, {"error": (errors.strip().splitlines() or ["no reason given"])[-1]})
        jsonfile.write(cached, jsonfile.read(made))
        made.unlink()
    return jsonfile.write(out, jsonfile.read(cached))


if __name__ == "__main__":
    if sys.argv[1] == "plan":
        plan()
    else:
        synthesise(sys.argv[2])
