"""What `make coverage` counts: a node that is built for it counts what it does, in all processes, also in killed ones."""
import importlib.machinery
import importlib.util
import os
import signal
import subprocess

import pytest

from conftest import wait_until

NAME = "pifo_node: all_port_with_packets_of_1"


@pytest.fixture(scope="module")
def report(root):
    """scripts/coverage_report as a module."""
    loader = importlib.machinery.SourceFileLoader("coverage_report", str(root / "scripts/coverage_report"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("coverage_report", loader))
    loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def counted(tmp_path_factory):
    """A folder in which nodes that count are built, and the environment for it."""
    folder = tmp_path_factory.mktemp("counted")
    return folder / "coverage", {**os.environ, "SAFNET_BUILD": str(folder), "SAFNET_COVERAGE": str(folder / "coverage")}


def events(report, folder):
    return {text: count for (kind, _, _, _, _, text, _), count in report.read_points(folder).items() if kind == "v_user"}


def test_a_node_counts_lines_toggles_and_events(run_program, folder, report, counted):
    place, environment = counted
    command = "run ring:4 broadcast --node pifo"
    assert run_program(folder, command, env=environment).code == 0
    first = events(report, place)
    assert first["pifo_node: sends_in_the_first_cycle"] == 1  # of the root alone
    assert first[NAME] == 2  # cycle 2: one of its neighbours
    assert first["pifo_node: waits_for_a_grant"] == 0 and first["flit_is_lost"] == 0
    shares, *_ = report.rtl_coverage(report.read_points(place))
    order = shares["rtl/pifo/packet_order.sv"]["lines"]
    assert order.all >= 5 and order.reached == order.all
    # A broadcast of one packet does not use all there is.
    toggles = shares["rtl/pifo/pifo_node.sv"]["toggles"]
    assert 0 < toggles.percent() < 50
    missing = {one.text for one in toggles.missing}
    assert "tx_request_o[0]" in missing and "clk_i" not in missing
    # Another process counts on.
    assert run_program(folder, command, env=environment).code == 0
    assert events(report, place)[NAME] == 4


def test_what_a_killed_program_reached_counts(program, folder, report, counted):
    place, environment = counted
    before = events(report, place).get(NAME, 0)
    run = subprocess.Popen([program, *"traffic ring:4 uniform --rate 0.5 --measure 10000000".split()], cwd=folder, env=environment,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    # Some minutes if no test before needed this node, which is built then.
    wait_until(lambda: run.poll() is not None or events(report, place).get(NAME, 0) >= before + 1000, 300, pause=0.5)
    run.kill()
    assert run.wait() == -signal.SIGKILL
    assert events(report, place)[NAME] >= before + 1000


def test_an_event_that_no_run_had_is_told(report, tmp_path, monkeypatch):
    """Also one that stands in testbench/coverage, and in no model that ran."""
    (tmp_path / "testbench/coverage").mkdir(parents=True)
    file = "testbench/coverage/link_events.sv"
    (tmp_path / file).write_text("module link_events;\n  sends: cover property (@(posedge c) a);\n  waits:  cover property (@(posedge c) b);\n"
                                 "  stops: cover property (@(posedge c) d);\nendmodule\n", encoding="utf-8")
    monkeypatch.setattr(report, "ROOT", tmp_path)
    had, had_not = {(file, 2, "sends"): 7}, {(file, 3, "waits"): 0}
    assert [(one.line, one.text) for one in report.missing_events_of(had | had_not)] == [(3, "waits"), (4, "stops: in no model that ran")]
    assert report.missing_events_of(had | {(file, 3, "waits"): 1, (file, 4, "stops"): 1}) == []


def test_reasons_are_given_and_those_that_are_not_needed_told(report, folder, monkeypatch):
    (folder / "testbench/coverage").mkdir(parents=True)
    (folder / "testbench/coverage/reasons.toml").write_text(
        '[[unreached]]\nfile = "a.sv"\ntext = "x_q|z_q"\nreason = "why"\n[[unreached]]\nfile = "b.sv"\nreason = "gone"\n'
        '[[unreached]]\nfile = "a.sv"\ntext = "x_q|tied"\nwhole = true\nreason = "tied"\n')
    monkeypatch.setattr(report, "ROOT", folder)
    missing = [report.Unreached("toggle", "rtl/a.sv", 0, f"x_q[{bit}]") for bit in range(3)] + [report.Unreached("line", "rtl/a.sv", 7, "y")]
    unused = report.give_reasons(missing)
    assert [one.reason for one in missing] == ["why", "why", "why", None]
    # Of these no bit moves: a reason for single bits is none.
    standing = [report.Unreached("toggle", "rtl/a.sv", 0, text, whole=True) for text in ("z_q[0]", "tied[0]")]
    report.give_reasons(standing)
    assert [one.reason for one in standing] == [None, "tied"]
    assert [entry["reason"] for entry in unused] == ["gone", "tied"]
    assert report.in_lines(missing) == [("line", "rtl/a.sv", 7, "y", None), ("toggle", "rtl/a.sv", 0, "x_q (3 bits)", "why")]


def test_what_no_run_can_reach_is_told_apart(report, folder, monkeypatch):
    (folder / "testbench/coverage").mkdir(parents=True)
    (folder / "testbench/coverage/reasons.toml").write_text(
        '[[unreached]]\nfile = "a.sv"\ntext = "high"\nreason = "after an hour"\nout_of_reach = true\n'
        '[[unreached]]\nfile = "a.sv"\ntext = "tied"\nreason = "tied"\n')
    monkeypatch.setattr(report, "ROOT", folder)
    share = report.Share()
    for bit in range(6):
        share.add(True)
    for text in ("high[0]", "high[1]", "tied", "forgotten"):
        share.add(False, report.Unreached("toggle", "rtl/a.sv", 0, text))
    assert share.excuses() == ""
    report.give_reasons(share.missing)
    assert share.excuses() == "  and 30.0 % with a reason; of the 8 that are not out of reach 75.0 %"


def test_a_reason_for_lines_of_the_compiler_needs_a_neighbour_that_was_reached(report, folder, monkeypatch):
    (folder / "testbench/coverage").mkdir(parents=True)
    (folder / "testbench/coverage/reasons.toml").write_text(
        '[[unreached]]\nfile = "a.cpp"\ntext = "^}$"\nreached = "before"\nreason = "the end"\n'
        '[[unreached]]\nfile = "a.cpp"\ntext = "{$"\nreached = "after"\nreason = "the head"\n')
    (folder / "a.cpp").write_text("f() {\n  work();\n}\ng() {\n  work();\n}\n")
    (folder / "cpp.info").write_text(f"SF:{folder}/a.cpp\nDA:1,0\nDA:2,7\nDA:3,0\nDA:4,0\nDA:5,0\nDA:6,0\nend_of_record\n")
    monkeypatch.setattr(report, "ROOT", folder)
    missing = report.read_cpp(folder / "cpp.info")["a.cpp"]["lines"].missing
    assert not report.give_reasons(missing)
    assert [(one.line, one.reason) for one in missing] == [(1, "the head"), (3, "the end"), (4, None), (5, None), (6, None)]


def test_all_lines_of_a_statement_have_one_reason(report, folder, monkeypatch):
    source = """\
if (a > kMost) {
  throw wrong("a (",
              a,
              words(b,
                    c));
}
d(e);
if (f(")")) return few(
    g);
"""
    (folder / "testbench/coverage").mkdir(parents=True)
    (folder / "testbench/coverage/reasons.toml").write_text('[[unreached]]\nfile = "a.cpp"\ntext = "words|few"\nreason = "why"\n')
    (folder / "a.cpp").write_text(source)
    counts = "".join(f"DA:{number},0\n" for number in range(2, 10))
    (folder / "cpp.info").write_text(f"SF:{folder}/a.cpp\nDA:1,7\n{counts}end_of_record\n")
    monkeypatch.setattr(report, "ROOT", folder)
    missing = report.read_cpp(folder / "cpp.info")["a.cpp"]["lines"].missing
    assert not report.give_reasons(missing)
    assert [(one.line, one.reason) for one in missing] == [
        (2, "why"), (3, "why"), (4, "why"), (5, "why"), (6, "why"), (7, None), (8, "why"), (9, "why")]


def test_a_block_in_parentheses_has_reasons_of_its_own(report, folder, monkeypatch):
    source = """\
for_each(nodes, [&](NodeId v) {
  if (broken(v)) {
    throw wrong("never");
  }
  return v;
  // the end
});
"""
    (folder / "testbench/coverage").mkdir(parents=True)
    (folder / "testbench/coverage/reasons.toml").write_text('[[unreached]]\nfile = "a.cpp"\ntext = "never"\nreason = "why"\n')
    (folder / "a.cpp").write_text(source)
    counts = "".join(f"DA:{number},0\n" for number in (1, 2, 3, 4, 7))
    (folder / "cpp.info").write_text(f"SF:{folder}/a.cpp\n{counts}end_of_record\n")
    monkeypatch.setattr(report, "ROOT", folder)
    missing = report.read_cpp(folder / "cpp.info")["a.cpp"]["lines"].missing
    assert not report.give_reasons(missing)
    assert [(one.line, one.reason) for one in missing] == [(1, None), (2, None), (3, "why"), (4, "why"), (7, None)]


def test_branches_are_the_outcomes_of_conditions(report, tmp_path, monkeypatch):
    source = tmp_path / "sim" / "conditions.cpp"
    source.parent.mkdir()
    source.write_text("""#include <vector>
template <class T> int sign(T x) { return x > 0 ? 1 : -1; }
int work(int a) {
  std::vector<int> calls_throw(a);
  if (a > 2 && calls_throw.at(1) > 1) return 1;
  for (int i = 0; i < a; ++i) calls_throw.push_back(i);
  return sign(a) + sign(1.5);
}
int main() { return work(1) != 2; }
""")
    for folder in "objects", "program_tests":  # what a test of its own compiles does not count
        (tmp_path / folder).mkdir()
        subprocess.run(["g++", "-O0", "--coverage", "sim/conditions.cpp", "-o", f"{folder}/program"], cwd=tmp_path, check=True)
        subprocess.run([f"{folder}/program"], cwd=tmp_path, check=True)
    def change_stamp(folder):  # as if the object had been compiled anew since
        with open(tmp_path / folder / "program-conditions.gcda", "r+b") as file:
            file.seek(8)
            file.write(b"ANEW")
    change_stamp("program_tests")
    monkeypatch.setattr(report, "ROOT", tmp_path)
    counts = report.count_decisions(tmp_path)["sim/conditions.cpp"]
    reached = {line: (sum(1 for count in of_line if count), len(of_line)) for line, of_line in counts.items() if of_line}
    # Both instances of the template have a positive number. The if has two conditions and itself; here the first decides.
    assert reached == {2: (1, 2), 5: (2, 6), 6: (2, 2)}
    change_stamp("objects")
    with pytest.raises(SystemExit):
        report.count_decisions(tmp_path)


def test_branches_are_put_where_lcov_had_others(report, tmp_path, monkeypatch):
    source = tmp_path / "sim" / "conditions.cpp"
    source.parent.mkdir()
    source.write_text("int f(int a) {\n  return a > 2 ? 1 : 2;\n}\n")
    monkeypatch.setattr(report, "ROOT", tmp_path)
    info = tmp_path / "cpp.info"
    info.write_text(f"TN:\nSF:{source}\nDA:2,7\nBRDA:2,0,0,7\nBRDA:2,0,1,7\nBRF:2\nBRH:2\nend_of_record\n")
    report.put_decisions(info, {"sim/conditions.cpp": {2: [7, 0]}})
    branches = report.read_cpp(info)["sim/conditions.cpp"]["branches"]
    assert (branches.reached, branches.all) == (1, 2)
