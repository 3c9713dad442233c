"""scripts/induction_step.py: which assertions of a circuit hold in the cycle after one in which all hold."""
import subprocess
import sys

import pytest

from conftest import ROOT

sys.path.insert(0, str(ROOT / "scripts"))
import induction_step  # noqa: E402

# A counter that stops at 5: nothing leads to 7 but 6, from which it counts on.
COUNTER = """
module counter (input clk, input up);
  reg [2:0] count;
  always @(posedge clk) if (up && count != 3'd5) count <= count + 3'd1;
  always @(posedge clk) begin
    {claims}
  end
endmodule
"""
NOT_SEVEN, AT_MOST_FIVE, NEVER_UP = "assert (count != 3'd7);", "assert (count <= 3'd5);", "assume (!up);"


@pytest.mark.parametrize("claims, left", [
    ([AT_MOST_FIVE], 0),
    ([NOT_SEVEN], 1),                # the solver begins with 6
    ([NOT_SEVEN, AT_MOST_FIVE], 0),  # it may not, as the other assertion holds in the first cycle
    ([NOT_SEVEN, NEVER_UP], 0),
    (["assert (count == 3'd0);"], 1),
    (["assert (count == 3'd0);", NOT_SEVEN], 1),  # the other one follows from this one, but this one does not hold
    (["assert (up);"], 1),                        # an input is another one in the next cycle
])
def test_an_assertion_holds_in_the_next_cycle_or_is_named(tmp_path, claims, left):
    (tmp_path / "counter.sv").write_text(COUNTER.replace("{claims}", "\n    ".join(claims)), encoding="utf-8")
    subprocess.run(["yosys", "-q", "-p", "read_verilog -sv -formal counter.sv; prep -top counter; async2sync; chformal -early; dffunmap; techmap; simplemap; "
                    "aigmap; write_aiger -I -B -zinit counter.aig"], cwd=tmp_path, check=True)
    assert len(induction_step.not_inductive(tmp_path / "counter.aig", 20)) == left
    assert not list(tmp_path.glob("*.cnf"))


def test_without_an_answer_in_time_an_assertion_counts_as_not_proved(tmp_path, monkeypatch):
    (tmp_path / "circuit.aig").write_bytes(b"aig 1 0 1 0 0 1\n2\n2\n")  # a latch that keeps what it has, and is bad if it is set
    assert induction_step.not_inductive(tmp_path / "circuit.aig", 20) == {}
    monkeypatch.setattr(induction_step.subprocess, "run", lambda *_, **__: subprocess.CompletedProcess([], 0))
    assert induction_step.not_inductive(tmp_path / "circuit.aig", 20) == {0: "no answer within 20 s"}
