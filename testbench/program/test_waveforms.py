"""Waveforms, the GTKWave views beside them, and traces, of runs and of replays."""
import json
import re
import subprocess

import pytest
from cases import cases


def value_changes(file):
    """A waveform of the FST format as the text of the VCD format."""
    return subprocess.run(["fst2vcd", file], stdout=subprocess.PIPE, text=True, check=True).stdout


def names_in(waveform):
    """The full names of all signals that a VCD text declares, with the bits of those that have several."""
    scopes, names = [], set()
    for line in waveform.split("\n"):
        words = line.split()
        if line.startswith("$scope"):
            scopes.append(words[2])
        elif line.startswith("$upscope"):
            scopes.pop()
        elif line.startswith("$var"):
            names.add(".".join(scopes) + "." + "".join(words[4:-1]))
        elif line.startswith("$enddefinitions"):
            break
    return names


def test_a_run_writes_waveform_view_and_trace(succeed, folder):
    succeed("run torus:3x3 total-exchange --ports one --wave exchange.fst --trace exchange.json")
    assert (folder / "exchange.fst").stat().st_size > 0
    assert (folder / "exchange.gtkw").stat().st_size > 0
    trace = json.loads((folder / "exchange.json").read_text())
    assert trace["format"] == "safnet-schedule" and trace["collective"] == "total-exchange"
    assert trace["packets"]["of"] == "collective"
    sends = trace["sends"]
    assert len(sends["link"]) == len(sends["packet"]) == sum(sends["count"]) == 108


def signals_of_view(view):
    """The names of the signals that a GTKWave view shows. All other lines begin with one of the letters below."""
    lines = [line for line in view.split("\n") if line and line[0] not in "[*@-"]
    return [line.split("} ")[-1] for line in lines]


def markers_of_view(view):
    """{name: cycle} of the markers of a GTKWave view."""
    times = re.search(r"^\*\S+ \S+ (.*)$", view, re.MULTILINE).group(1).split()
    names = re.findall(r"^\[markername\] (\w)(.*)$", view, re.MULTILINE)
    assert len([time for time in times if time != "-1"]) == len(names)
    return {name: int(times[ord(letter) - ord("A")]) // 10 for letter, name in names}


def words_on_links(waveform):
    """{(number of the link, cycle): words} of all cycles in which a link carries something.

    A VCD text declares links in the order of their numbers. Cycle c begins at time 10 c.
    """
    number_of, words, last_time = {}, {}, 0
    changes = []  # time, link, words
    for line in waveform.split("\n"):
        if line.startswith("$var string"):
            number_of[line.split()[3]] = len(number_of)
        elif line.startswith("#"):
            last_time = int(line[1:])
        elif line.startswith("s") and line.split(" ")[-1] in number_of:
            changes.append((last_time, number_of[line.split(" ")[-1]], line[1:].split(" ")[0].replace("\\040", " ")))
    for link in number_of.values():
        own = [(time, text) for time, number, text in changes if number == link] + [(last_time + 10, "")]
        for (begin, text), (end, _) in zip(own, own[1:]):
            words.update({(link, cycle): text for cycle in range(begin // 10, end // 10) if text})
    return words


def words_of_exchange(trace, names, first_cycle=1):
    """What words_on_links() is expected to return for the trace of a total exchange between nodes of these names."""
    sends, flits = trace["sends"], trace["packets"]["flits"]
    slots = [slot for slot, count in zip(sends["slot"], sends["count"]) for _ in range(count)]
    expected = {}
    for slot, link, packet in zip(slots, sends["link"], sends["packet"]):
        source, place = divmod(packet, len(names) - 1)
        tag = place + (place >= source)
        for flit in range(flits):
            cycle = first_cycle + (slot - 1) * trace["slot_cycles"] + flit
            expected[link, cycle] = f"{names[source]}>{names[tag]} #{tag}"
    return expected


def require_existing_signals(folder, name):
    """Every signal of NAME.gtkw is in NAME.fst; returns the view and the waveform as text."""
    waveform, view = value_changes(folder / f"{name}.fst"), (folder / f"{name}.gtkw").read_text()
    shown, names = signals_of_view(view), names_in(waveform)
    assert len(shown) > 2
    assert [signal for signal in shown if signal not in names] == []
    return view, waveform


TORUS = [f"{row}_{column}" for row in range(3) for column in range(3)]


@pytest.mark.parametrize("options", cases(
    ("routers with a queue per port", "--ports all"),
    ("routers with packets of three flits", "--ports all --flits 3 --link-latency 1"),
    ("routers with one queue", "--ports one"),
    ("plain routers", "--node fifo --ports all"),
    ("plain routers with one queue", "--node fifo --ports one"),
    ("nodes that obey a timetable", "--node tdm --ports one --algorithm list-scheduling"),
    ("the whole network as one model", "--ports all --whole-network"),
))
def test_links_show_the_packets_of_the_trace_and_markers_the_cycles_of_the_report(succeed, folder, options):
    report = json.loads(succeed(f"run torus:3x3 total-exchange {options} --wave x.fst --trace x.json --json").out)
    view, waveform = require_existing_signals(folder, "x")
    expected = words_of_exchange(json.loads((folder / "x.json").read_text()), TORUS)
    assert len(expected) >= 108
    assert words_on_links(waveform) == expected
    assert markers_of_view(view) == {"start": 1, "last delivery": report["cycles"]}
    assert f"[ruler] 10 {10 * report['slot_cycles']}\n" in view


def test_groups_of_nodes_are_closed_and_queues_are_curves(succeed, folder):
    succeed("run torus:3x3 total-exchange --wave exchange.fst")
    view = (folder / "exchange.gtkw").read_text()
    assert re.findall(r"^@c00200\n-node (\w+)$", view, re.MULTILINE) == TORUS
    assert re.findall(r"^@1401200\n-node (\w+)$", view, re.MULTILINE) == TORUS
    # In each group, a curve for each of four queues.
    assert len(re.findall(r"^@88024\n\+\{queued to ", view, re.MULTILINE)) == 9 * 4


def test_a_marker_shows_the_first_late_send(safnet, bring, folder):
    bring("mesh.json")
    text = (folder / "mesh.json").read_text()
    (folder / "wrong.json").write_text(text.replace('"link": [1,', '"link": [0,'))
    report = json.loads(safnet("replay wrong.json --force --wave x.fst --json").out)
    assert report["late"] > 0
    view, _ = require_existing_signals(folder, "x")
    assert markers_of_view(view) == {
        "start": 1, "first late send": report["first_late"], "last delivery": report["cycles"]}


@pytest.mark.parametrize("pattern, command", cases(
    ("a scan", r"^\d_\d>\S+ #\d+$|^scan$", "run mesh:4x4 partial-multinode-broadcast --active 0,3"),
    ("dynamic broadcast", r"^\d_\d>\S+ #\d+$|^scan$", "dynamic-broadcast mesh:4x4 --packets 20 --warm-up 5"),
    ("traffic", r"^\d_\d>\d_\d #\d+$", "traffic torus:3x3 uniform --measure 50"),
))
def test_commands_without_a_trace_show_packets_too(succeed, folder, pattern, command):
    result = json.loads(succeed(f"{command} --wave x.fst --json").out)
    view, waveform = require_existing_signals(folder, "x")
    words = set(words_on_links(waveform).values())
    assert any("#" in each for each in words)
    assert [each for each in words if not re.match(pattern, each)] == []
    report = result if "last_delivery" in result else result["loads"][0]
    assert markers_of_view(view) == {"start": 1, "last delivery": report["last_delivery"]}


@pytest.mark.parametrize("pattern, command", cases(
    ("a sweep of traffic", r"--wave .*no --sweep beside it",
     "traffic torus:3x3 uniform --sweep 0.1,0.2 --wave x.fst"),
    ("a sweep of dynamic broadcast", r"--wave .*no --sweep beside it",
     "dynamic-broadcast mesh:4x4 --packets 50 --sweep 0.01,0.02 --wave x.fst"),
    ("nodes without a waveform", r"--wave-nodes .*--wave beside it", "run ring:4 broadcast --wave-nodes 1"),
    ("cycles without a waveform", r"--wave-cycles .*--wave beside it", "run ring:4 broadcast --wave-cycles 1:2"),
))
def test_refuses(refuse, pattern, command):
    refuse(pattern, command)


def test_nodes_and_cycles_of_a_waveform_can_be_chosen(succeed, folder):
    succeed("run torus:3x3 total-exchange --wave few.fst --wave-nodes 4 --wave-cycles 2:3")
    waveform = value_changes(folder / "few.fst")
    assert "module node_1_1 " in waveform and "module node_0_0 " not in waveform
    assert not re.search(r"^#40", waveform, re.MULTILINE) and re.search(r"^#20", waveform, re.MULTILINE)


def test_a_replay_writes_waveform_and_view(succeed, bring, folder):
    bring("exchange.json")
    result = succeed("replay exchange.json --buffers 32 --wave replay.fst --trace replayed.json.gz")
    assert result.err == "" and "as planned" in result.out, str(result)
    assert (folder / "replay.fst").stat().st_size > 0
    assert (folder / "replay.gtkw").stat().st_size > 0
    assert "module node_3 " in value_changes(folder / "replay.fst")


def test_nodes_that_were_built_without_waveforms_can_have_one(run_program, folder):
    """The plain run builds nodes without the code for waveforms, the other one nodes with it; both do the same."""
    command = "run ring:4 broadcast --flits 3 --link-latency 2 --json"
    plain, traced = (run_program(folder, command + option) for option in ("", " --wave traced.fst"))
    assert plain.code == traced.code == 0
    assert (folder / "traced.fst").stat().st_size > 0
    assert json.loads(plain.out)["steps"] == json.loads(traced.out)["steps"]
