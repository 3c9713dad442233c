"""Waveforms, the GTKWave views beside them, and traces, of runs and of replays."""
import json
import re
import subprocess

import pytest


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


@pytest.mark.parametrize("node", ("pifo", "fifo"))
@pytest.mark.parametrize("ports", ("all", "one"))
def test_the_gtkwave_view_opens_on_signals_that_exist(succeed, folder, node, ports):
    succeed(f"run torus:3x3 total-exchange --node {node} --ports {ports} --wave exchange.fst")
    names = names_in(value_changes(folder / "exchange.fst"))
    view = (folder / "exchange.gtkw").read_text().split("\n")
    shown = [line.split("} ")[-1] for line in view if line.startswith("+{") or re.match(r"(network|node_\w+)\.", line)]
    # Cycle and step; per node, what its four ports send and receive, and its queues: one per port, or one in all.
    assert len(shown) == 2 + 9 * (8 + (4 if ports == "all" else 1))
    assert [name for name in shown if name not in names] == []
    assert any(name.startswith("node_2_1.") for name in names)


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
