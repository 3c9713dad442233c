"""`safnet export`: networks that leave as SystemVerilog and repeat their run in simulators of other people, cycle for cycle."""
import json
import re
import subprocess

import pytest

from own_router import make_router

# The words of an export, and the module that its network is called.
EXPORTS = {
    "ring of timetables": ("ring:4 alltoall --node tdm", "ring_4"),
    "ring of routers": ("ring:5 alltoall --node pifo --ports one --flits 2 --link-latency 1 --messages 2", "ring_5"),
    "torus of routers": ("torus:3x3 alltoall --node pifo", "torus_3x3"),
    "torus of scans": ("torus:4x4 partial-multinode-broadcast --active 0,3,5,9 --flits 3 --node scan", "torus_4x4"),
    "mesh of scans that add": ("mesh:3x3 partial-multinode-accumulation --active 0,4,7 --flits 2", "mesh_3x3"),
    "fat tree of routers": ("fat-tree:2,2 alltoall --node pifo", "fat_tree_2_2"),
    "fat tree of timetables": ("fat-tree:2,2 allreduce", "fat_tree_2_2"),
    "sums that go on": ("hypercube:2 allreduce --ports one --flits 3 --link-latency 2", "hypercube_2"),
    "one-way links": ("kautz:2,2 allgather --node tdm --flits 2", "kautz_2_2"),
    "links that differ": ("timed(ring:4;0-1:latency=3,cycles_per_flit=2) bcast --flits 2", "timed_ring_4_0_1_latency_3_cycles_per_fl"),
    "links in parallel": ("fat-tree:2,2,exponential alltoall --node pifo --algorithm digit-order", "fat_tree_2_2_exponential"),
    "plain routers, hosts that start empty": ("mesh:3x2 alltoall --node fifo --hosts empty", "mesh_3x2"),
}
# Verilator compiles each for some seconds.
IN_VERILATOR = ["ring of timetables", "ring of routers", "torus of routers", "torus of scans", "fat tree of routers", "fat tree of timetables"]


def export(succeed, words, folder):
    return succeed(f"export {words} -o {folder}")


def make(folder, target, expected=0):
    done = subprocess.run(["make", "-s", target], cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode == 0) == (expected == 0), done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.parametrize("name", EXPORTS)
def test_icarus_takes_the_cycles_of_the_fabric(name, succeed, folder):
    words, module = EXPORTS[name]
    told = export(succeed, words, "out").out
    passed = re.search(rf"{module}: PASS, (\d+) flits for (\d+) hosts, the last in cycle (\d+)", make(folder / "out", "icarus"))
    assert passed, "the testbench did not pass"
    assert f"{passed[1]} flits for their hosts, the last in cycle {passed[3]}" in told
    if "partial" not in words:  # of those `cycles` is the whole interval
        report = json.loads(succeed(f"run {words} --fitted --json").out)
        assert int(passed[3]) == report["cycles"]
        assert int(passed[1]) == report["delivered"] * report["flits"]


def test_a_router_of_ones_own(root, succeed, folder):
    make_router(root, folder / "mine")
    succeed(f"export ring:3 alltoall --node {folder}/mine --flits 2 -o out")
    assert (folder / "out" / "rtl" / "user").is_dir()
    assert "ring_3: PASS" in make(folder / "out", "icarus")


@pytest.mark.parametrize("name", IN_VERILATOR)
def test_verilator_takes_them_too_and_its_lint_is_silent(name, succeed, folder):
    words, module = EXPORTS[name]
    export(succeed, words, "out")
    assert make(folder / "out", "lint") == ""
    assert f"{module}: PASS" in make(folder / "out", "verilator")


def test_yosys_reads_it(succeed, folder):
    export(succeed, EXPORTS["ring of timetables"][0], "out")
    assert re.search(r"\$dff", make(folder / "out", "yosys"))


def change(path, old, new):
    text = path.read_text()
    assert text.count(old) >= 1, f"{old} is not in {path}"
    path.write_text(text.replace(old, new, 1))


# What a host gets, when, and whether at all.
@pytest.mark.parametrize("what", ["payload", "cycle", "link", "missing", "latency"])
def test_what_differs_from_the_run_fails(what, succeed, folder):
    words = "ring:3 alltoall --node tdm --link-latency 1"
    export(succeed, words, "out")
    out = folder / "out"
    top, expected = out / "rtl" / "ring_3.sv", out / "data" / "node_1_deliveries.hex"
    lines = expected.read_text().splitlines()
    if what == "payload":
        lines[1] = lines[1][:-8] + f"{int(lines[1][-8:], 16) ^ 1:08x}"
    elif what == "cycle":
        width = len(lines[1])
        lines[1] = f"{int(lines[1], 16) + (1 << (64 + 1 + 8)):0{width}x}"
    elif what == "missing":
        lines.insert(2, lines[1])
    elif what == "link":
        change(top, "node_1_tx_valid[0]", "1'b0")
    else:
        change(top, ".link_latency_i (16'h1)", ".link_latency_i (16'h0)")
    expected.write_text("\n".join(lines) + "\n")
    assert re.search("FAIL|ssert", make(out, "icarus", expected=2))


def test_a_run_that_is_stuck_leaves_nothing(safnet, folder):
    result = safnet("export ring:6 alltoall --node pifo --ports one-send --queue-depth 1 -o stuck")
    assert result.code == 3 and "safnet: export: node 0 (3 packets queued) waits on port 0 for a credit from node 1" in result.err
    assert not (folder / "stuck").exists()


def test_every_file_is_listed_and_every_listed_file_is_there(succeed, folder):
    export(succeed, "ring:3 alltoall --node pifo --name my_ring", "out")
    out = folder / "out"
    listed = {line for line in (out / "my_ring.f").read_text().splitlines() if not line.startswith("+")}
    assert listed == {str(path.relative_to(out)) for path in (out / "rtl").rglob("*.sv")}
    core = (out / "my_ring.core").read_text()
    assert core.startswith("CAPI=2:\n")
    for path in out.rglob("*"):
        if path.suffix in (".sv", ".svh", ".hex", ".vlt"):
            assert f"- {path.relative_to(out)}" in core, f"{path} is not in the core file"
    text = (out / "rtl" / "my_ring.sv").read_text()
    assert "module my_ring (" in text and "node_2_inject_flit_i" in text
    assert "safnet export ring:3" in (out / "README.md").read_text()


def test_the_core_file_is_a_description_that_yaml_reads(succeed, folder):
    yaml = pytest.importorskip("yaml")
    export(succeed, "ring:3 alltoall --node fifo", "out")
    core = yaml.safe_load((folder / "out" / "ring_3.core").read_text().removeprefix("CAPI=2:\n"))
    assert core["targets"]["sim"]["toplevel"] == "ring_3_testbench"
    assert set(core["targets"]["sim"]["filesets"]) <= set(core["filesets"])


@pytest.mark.parametrize("words", ["torus:3x3 --node pifo", "ring:4 --node fifo --ports one --link-latency 1", "hypercube:3 --node tdm --flits 3"])
def test_a_network_without_a_collective(words, succeed, folder):
    succeed(f"export {words} -o out --name bare")
    out = folder / "out"
    assert make(out, "lint") == ""
    assert not (out / "testbench").exists() and not (out / "data").exists() and "testbench" not in (out / "bare.core").read_text()
    subprocess.run(["iverilog", "-g2012", "-s", "bare", "-o", "bare", "-c", "bare.f"], cwd=out, check=True, capture_output=True)


@pytest.mark.parametrize("pattern, words", [
    (r"--output is required", "export ring:3 alltoall"),
    (r"-o 'full': expected a new folder", "export ring:3 alltoall -o full"),
    (r"-o 'no/where': expected a folder that can be made", "export ring:3 alltoall -o no/where"),
    (r"--name '3': expected letters, digits and underscores", "export ring:3 alltoall -o x --name 3"),
    (r"partial-exchange by .*: nodes that scan before they exchange are not exported", "export torus:4x4 partial-exchange --active 0,3 -o x"),
    (r"--window 1: expected none", "export ring:3 alltoall --node pifo --messages 3 --window 1 -o x"),
    (r"--name 'slot_timer': expected another name; a module", "export ring:3 --node fifo -o x --name slot_timer"),
    (r"--name 'module': expected another name; this is a word", "export ring:3 --node fifo -o x --name module"),
    (r"no such kind of node", "export ring:4 --node scan -o x"),
    (r"--node 'scan': total-exchange has no use for it; expected a partial collective", "export ring:4 alltoall -o x --node scan"),
    (r"--node 'pifo': partial-multinode-broadcast runs on scan_nodes; expected auto or scan",
     "export mesh:3x3 partial-multinode-broadcast --active 0,4 -o x --node pifo"),
    (r"links that differ are told by a plan; expected a collective", "export ring:4 --node tdm --timed 0-1:latency=3 -o x"),
    (r"ring:2000: 2000 nodes; expected at most 1024", "export ring:2000 broadcast -o x"),
])
def test_it_is_refused_and_leaves_nothing(pattern, words, refuse, folder):
    (folder / "full").mkdir()
    (folder / "full" / "mine").write_text("mine")
    refuse(pattern, words)
    assert [path.name for path in folder.iterdir()] == ["full"]
