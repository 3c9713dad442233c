"""Waveforms and the GTKWave views beside them: of every kind of node, of whole networks, of traffic.

A waveform is read as fst2vcd of GTKWave writes it. What its links say in words is held against the trace of the
same run, cycle by cycle; what the view names, against the signals that there are; its markers, against the report.
"""
import csv
import json
import re
import subprocess

import pytest

UNITS_OF_CYCLE = 10  # cycle c begins at time 10 c
CLOSED_GROUP = "c00200"  # GTKWave's flags


def value_changes(file):
    """A waveform of the FST format as the text of the VCD format."""
    return subprocess.run(["fst2vcd", file], stdout=subprocess.PIPE, text=True, check=True).stdout


class Waveform:
    """The names of all signals, with the bits of those that have several, and the values of those that are words."""

    def __init__(self, file):
        self.names = set()
        self.links = []  # in the order of the links of the network, if the waveform has all of them
        self._values = []  # per link: (time, words) of each change
        signals, scopes, time, body = {}, [], 0, False
        for line in value_changes(file).split("\n"):
            words = line.split()
            if body:
                if line.startswith("#"):
                    time = int(line[1:])
                elif line.startswith("s") and words[-1] in signals:
                    text = line[1:line.rindex(" ")].replace("\\040", " ")
                    self._values[signals[words[-1]]].append((time, text))
            elif line.startswith("$scope"):
                scopes.append(words[2])
            elif line.startswith("$upscope"):
                scopes.pop()
            elif line.startswith("$var"):
                name = ".".join(scopes) + "." + "".join(words[4:-1])
                self.names.add(name)
                if words[1] == "string":
                    signals[words[3]] = len(self.links)
                    self.links.append(name)
                    self._values.append([])
            elif line.startswith("$enddefinitions"):
                body = True
        self._end = time + UNITS_OF_CYCLE // 2  # it is the falling edge of the last cycle

    def words(self):
        """What links carry: {(link, cycle): words} for all cycles in which they carry anything."""
        carried = {}
        for link, changes in enumerate(self._values):
            for (time, text), (end, _) in zip(changes, changes[1:] + [(self._end, "")]):
                if text:
                    for cycle in range(time // UNITS_OF_CYCLE, end // UNITS_OF_CYCLE):
                        carried[link, cycle] = text
        return carried


class View:
    """A GTKWave view: the signals that it names, its markers, its groups."""

    def __init__(self, file):
        lines = file.read_text().split("\n")
        self.signals = [line.split("} ")[-1] for line in lines
                        if line.startswith("+{") or re.match(r"(network|links|node_\w+)\.", line)]
        times = next(line for line in lines if line.startswith("*")).split()[2:]
        names = {line.split()[1][0]: line.split(maxsplit=1)[1][1:] for line in lines if line.startswith("[markername]")}
        self.markers = {names[letter]: int(time) / UNITS_OF_CYCLE
                        for letter, time in zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", times) if time != "-1"}
        self.ruler = [int(word) for line in lines if line.startswith("[ruler]") for word in line.split()[1:]]
        self.closed_groups = [after[1:] for line, after in zip(lines, lines[1:]) if line == "@" + CLOSED_GROUP]
        self.curves = sum(line == "@88024" for line in lines)


def packets_of(trace, names):
    """The packets of a schedule file as links name them, by number."""
    nodes, packets = len(names), trace["packets"]
    if packets.get("of") == "collective":
        assert trace["collective"] in ("total-exchange", "multinode-broadcast")
        if trace["collective"] == "total-exchange":
            return [f"{names[a]}>{names[b]} #{b}" for a in range(nodes) for b in range(nodes) if a != b]
        return [f"{names[a]}>* #0" for a in range(nodes)]
    lists = [entry if isinstance(entry, list) else [entry] for entry in packets["destinations"]]
    parts = packets.get("parts", [[]] * len(lists))
    return [f"{'sum' if of else names[origin]}>{'*' if len(to) > 1 else names[to[0]] if to else 'sum'} #{tag}"
            for origin, tag, to, of in zip(packets["origin"], packets["tag"], lists, parts)]


def words_of_trace(file, names, first_cycle=1):
    """What links carry by the trace of a run, as Waveform.words() has it."""
    trace = json.loads(file.read_text())
    packets, flits, sends = packets_of(trace, names), trace["packets"]["flits"], trace["sends"]
    carried, at = {}, 0
    for slot, count in zip(sends["slot"], sends["count"]):
        for send in range(at, at + count):
            for flit in range(flits):
                cycle = (slot - 1) * trace["slot_cycles"] + first_cycle + flit
                carried[sends["link"][send], cycle] = packets[sends["packet"][send]]
        at += count
    return carried


RING = [str(v) for v in range(4)]
SQUARE = [f"{a}_{b}" for a in range(3) for b in range(3)]
TRACED = {
    "all-port": (SQUARE, "run torus:3x3 total-exchange --node pifo"),
    "one-port": (SQUARE, "run torus:3x3 total-exchange --ports one"),
    "long packets": (RING, "run ring:4 total-exchange --flits 3 --link-latency 2 --ports one"),
    "plain router": (SQUARE, "run torus:3x3 total-exchange --node fifo"),
    "timetable": (RING, "run ring:4 allgather --node tdm"),
    "replay": (RING, "plan ring:4 total-exchange -o x.json && replay x.json --flits 2 --link-latency 1"),
    "reduction": (RING, "plan ring:4 reduction -o x.json && replay x.json"),
    "whole network": (RING, "run ring:4 total-exchange --whole-network --flits 2"),
    "whole network of timetables": (RING, "plan ring:4 total-exchange -o x.json && replay x.json --whole-network"),
}


@pytest.mark.parametrize("kind", TRACED)
def test_links_say_what_the_trace_says_in_every_cycle(succeed, folder, kind):
    names, commands = TRACED[kind]
    *before, command = commands.split(" && ")
    for line in before:
        succeed(line)
    result = succeed(command + " --wave w.fst --trace did.json --json")
    wave, view = Waveform(folder / "w.fst"), View(folder / "w.gtkw")
    expected = words_of_trace(folder / "did.json", names)
    assert len(expected) > 0 and wave.words() == expected
    assert [name for name in view.signals if name not in wave.names] == []
    assert view.closed_groups == [f"node {name}" for name in names]
    report = json.loads(result.out)
    assert view.markers == {"start": 1, "last delivery": report["cycles"]}
    assert view.ruler == [UNITS_OF_CYCLE, UNITS_OF_CYCLE * report["slot_cycles"]]
    # A curve for every queue or pool of buffers in its node's group, and the first of them in the overview.
    queues = 4 * len(names) if kind in ("all-port", "plain router") else len(names)
    if commands.startswith("run ring:4 total-exchange --whole"):
        queues = 2 * len(names)
    assert view.curves == queues + 4


OTHERS = {
    "scan": ("run mesh:3x3 partial-multinode-broadcast --active 0,5 --flits 4 --split", r"scan|[01]_[02]>(\*|\d_\d) #0 part [01]"),
    "sums": ("run mesh:3x3 partial-multinode-accumulation --active 0,5 --flits 4", r"scan|sum #[01]"),
    "rings": ("run torus:3x3 partial-multinode-broadcast --active 1,8 --flits 8 --split",
              r"scan|\d_\d>(\*|\d_\d) #0 part [01]( piece [01])?"),
    "traffic": ("traffic ring:4 uniform --rate 0.2 --flits 2 --warm-up 10 --measure 100", r"[0-3]>[0-3] #\d+"),
    "dynamic broadcast": ("dynamic-broadcast mesh:3x3 --packets 20", r"scan|\d_\d>(\*|\d_\d) #\d+"),
}


@pytest.mark.parametrize("kind", OTHERS)
def test_links_name_every_flit_of_other_commands(succeed, folder, kind):
    command, pattern = OTHERS[kind]
    report = json.loads(succeed(command + " --wave w.fst --transfers did.csv --json").out)
    report.update(report.get("loads", [{}])[0])
    wave, view = Waveform(folder / "w.fst"), View(folder / "w.gtkw")
    assert [name for name in view.signals if name not in wave.names] == []
    # The last cycle that is dumped comes after those of the report: nodes that broadcast dynamically begin anew in it.
    said = {place: words for place, words in wave.words().items() if place[1] <= report["cycles"]}
    assert [words for words in said.values() if not re.fullmatch(pattern, words)] == []
    assert len(said) == (2 * report["transmissions"] if kind == "traffic" else report["flits_sent"])
    with open(folder / "did.csv", encoding="utf-8") as file:
        sends = [(int(row["link"]), int(row["cycle"]), int(row["flits"])) for row in csv.DictReader(file)]
    carried = {(link, cycle + flit) for link, cycle, flits in sends for flit in range(flits)}
    assert set(said) == {place for place in carried if place[1] <= report["cycles"]}
    assert view.markers == {"start": 1, "last delivery": report["last_delivery"]}
    assert len(view.closed_groups) == (4 if kind == "traffic" else 9)


def test_an_exchange_begins_with_a_scan(succeed, folder):
    report = json.loads(succeed("run mesh:3x3 partial-exchange --active 0,5 --wave w.fst --trace did.json --json").out)
    wave, view = Waveform(folder / "w.fst"), View(folder / "w.gtkw")
    assert [name for name in view.signals if name not in wave.names] == []
    said, scan = wave.words(), report["scan_cycles"]
    assert scan > 0 and {words for (_, cycle), words in said.items() if cycle <= scan} == {"scan"}
    after = {place: words for place, words in said.items() if place[1] > scan}
    active = sorted({words.split(">")[0] for words in after.values()})
    assert active == ["0_0", "1_2"] and all(re.fullmatch(r"\d_\d>\d_\d #\d", words) for words in after.values())
    sends = json.loads((folder / "did.json").read_text())["sends"]
    slots = [slot for slot, count in zip(sends["slot"], sends["count"]) for _ in range(count)]
    assert set(after) == {(link, slot + scan) for link, slot in zip(sends["link"], slots)}
    assert view.markers == {"start": scan + 1, "last delivery": report["cycles"]}


def test_the_first_late_send_has_a_marker(succeed, safnet, folder):
    """Node 1 is to pass packet 0 on in slot 1, in which it is still on its way from node 0."""
    succeed("plan ring:4 broadcast -o x.json")
    early = json.loads((folder / "x.json").read_text())
    sends = early["sends"]
    assert sum(sends["count"]) == 3
    sends["slot"], sends["count"] = [1], [3]
    (folder / "early.json").write_text(json.dumps(early))
    result = safnet("replay early.json --force --wave w.fst")
    assert result.code == 1, str(result)
    first = re.search(r"late: .*\(cycle (\d+)\)", result.out)
    assert View(folder / "w.gtkw").markers["first late send"] == int(first[1])


@pytest.mark.parametrize("network", ("kautz:2,2", "fat-tree:2,2,exponential"))
def test_one_way_and_parallel_links_have_names(succeed, folder, network):
    succeed(f"run {network} scatter --wave w.fst")
    wave, view = Waveform(folder / "w.fst"), View(folder / "w.gtkw")
    assert len(wave.links) == len(set(wave.links)) and wave.words()
    assert [name for name in view.signals if name not in wave.names] == []


@pytest.mark.parametrize("whole, scope", (("", "node_1_1"), (" --whole-network", r"u_node\[4\]")))
def test_nodes_and_cycles_of_a_waveform_can_be_chosen(succeed, folder, whole, scope):
    succeed("run torus:3x3 total-exchange --node pifo --wave few.fst --wave-nodes 4 --wave-cycles 2:3" + whole)
    wave, view, text = Waveform(folder / "few.fst"), View(folder / "few.gtkw"), value_changes(folder / "few.fst")
    nodes = set(re.findall(r"module (node_\d_\d|u_node\S+) ", text))
    assert [name for name in view.signals if name not in wave.names] == []
    in_links = {name.split(".")[1] for name in wave.links}
    assert [node for node in nodes - in_links if not re.fullmatch(scope, node)] == []
    assert re.search(f"module {scope} ", text)
    # The links that leave the node, and those that lead to it.
    assert len(wave.links) == 8 and all("node_1_1" in name or "to_1_1" in name for name in wave.links)
    assert not re.search(r"^#40", text, re.MULTILINE) and re.search(r"^#20", text, re.MULTILINE)
    assert view.closed_groups == ["node 1_1"] and view.markers == {}


def test_nodes_that_were_built_without_waveforms_can_have_one(run_program, folder):
    """The plain run builds nodes without the code for waveforms, the other one nodes with it; both do the same."""
    command = "run ring:4 broadcast --flits 3 --link-latency 2 --json"
    plain, traced = (run_program(folder, command + option) for option in ("", " --wave traced.fst"))
    assert plain.code == traced.code == 0
    assert (folder / "traced.fst").stat().st_size > 0
    assert json.loads(plain.out)["steps"] == json.loads(traced.out)["steps"]


REFUSED = (
    (r"--wave 'x.fst': expected no --sweep beside it", "traffic ring:4 uniform --sweep 0.1,0.2 --wave x.fst"),
    (r"--wave 'x.fst': expected no --sweep beside it", "dynamic-broadcast ring:4 --sweep 0.01,0.02 --wave x.fst"),
    (r"--wave-nodes '1': expected --wave beside it", "run ring:4 broadcast --wave-nodes 1"),
    (r"--wave-cycles '1:2': expected --wave beside it", "traffic ring:4 uniform --wave-cycles 1:2"),
    (r"--wave /no/such/folder/x.fst", "traffic ring:4 uniform --wave /no/such/folder/x.fst"),
    (r"--wave-nodes '9'", "dynamic-broadcast ring:4 --wave x.fst --wave-nodes 9"),
)


@pytest.mark.parametrize("pattern, command", REFUSED)
def test_waveforms_that_cannot_be_are_refused(refuse, pattern, command):
    refuse(pattern, command)
