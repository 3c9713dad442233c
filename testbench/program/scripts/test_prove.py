"""scripts/prove as a process: what it leaves running when it is ended, and what it does not do twice."""
import os
import pathlib
import shutil
import signal
import subprocess
import sys

import pytest

from conftest import ROOT, wait_until

sys.path.insert(0, str(ROOT / "scripts"))
import proof_ledger  # noqa: E402

SHORT_PROOF, ITS_MODULE, ITS_PROOFS, ITS_MUTANTS = "way_reach_nodes", "rtl/scan/way_reach.sv", 5, 3
LONG_PROOF = "axi_stream_host_stream"  # one solver after the other for half a minute


def commands_of_session(session):
    """The names of the processes of a session that still run."""
    names = []
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            name, fields = stat.read_text(encoding="utf-8").split("(", 1)[1].rsplit(") ", 1)
        except OSError:  # it has just ended
            continue
        state, _, _, its_session = fields.split()[:4]
        if int(its_session) == session and state != "Z":
            names.append(name)
    return names


@pytest.fixture
def tree(tmp_path):
    """A tree of its own, so that what is kept in build/prove is not that of another run, and RTL that can be changed."""
    (tmp_path / "scripts").mkdir()
    for name in ("prove", "induction_step.py", "proof_ledger.py", "rtl_modules.py"):
        shutil.copy(ROOT / "scripts" / name, tmp_path / "scripts")
    shutil.copytree(ROOT / "rtl", tmp_path / "rtl")
    (tmp_path / "testbench").symlink_to(ROOT / "testbench")
    return tmp_path


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_solvers_end_with_the_program_that_started_them(tree, number):
    said = tree / "said"
    with open(said, "w", encoding="utf-8") as out, \
            subprocess.Popen([tree / "scripts/prove", "-j", "2", LONG_PROOF], start_new_session=True, stdout=out, stderr=out) as prove:
        try:
            wait_until(lambda: prove.poll() is not None or any("abc" in name for name in commands_of_session(prove.pid)), 300)
            assert prove.poll() is None, said.read_text(encoding="utf-8")
            prove.send_signal(number)
            assert prove.wait(60) == 128 + number
            wait_until(lambda: not commands_of_session(prove.pid))
        finally:
            if commands_of_session(prove.pid):
                os.killpg(prove.pid, signal.SIGKILL)


def prove(tree, *words):
    return subprocess.run([tree / "scripts/prove", *words, "--ledger", "ledger.jsonl", SHORT_PROOF], cwd=tree,
                          capture_output=True, text=True, check=False)


def number_left(tree):
    """Of how many jobs the ledger does not tell that they are as promised."""
    return len(prove(tree, "--list").stdout.split("\n")) - 1


def test_what_a_ledger_tells_is_not_proved_again(tree):
    done = prove(tree)
    assert done.returncode == 0 and f"prove: {ITS_PROOFS} proofs, {ITS_MUTANTS} mutants, 0 not as promised" in done.stdout, done
    done = prove(tree)
    assert done.returncode == 0 and "prove: 0 proofs, 0 mutants, 8 by the ledger, 0 not as promised" in done.stdout, done
    module = tree / ITS_MODULE
    text = module.read_text(encoding="utf-8")
    module.write_text("// a comment, and a line\n\n" + text.replace("  ", "   "), encoding="utf-8")
    assert number_left(tree) == 0
    module.write_text(text.replace("endmodule", "wire one_more; endmodule"), encoding="utf-8")
    assert number_left(tree) == ITS_PROOFS + ITS_MUTANTS
    module.write_text(text, encoding="utf-8")
    assert number_left(tree) == 0


def test_what_an_include_includes_counts(tmp_path):
    module, ports, more = (tmp_path / name for name in ("module.sv", "ports.svh", "more.svh"))
    module.write_text('`include "ports.svh"\n', encoding="utf-8")
    ports.write_text('  `include "more.svh"  // ports\n', encoding="utf-8")

    def digest(text):
        more.write_text(text, encoding="utf-8")
        return proof_ledger.digest_of_text("words", [module], [tmp_path])
    assert digest("input  a, /* of\n two lines */ // and a third") == digest("input a,") != digest("input b,")
    assert digest("`define B 1\ninput a,") != digest("`define B 1 input a,")
    assert digest("// synthesis translate_off\ninput a,") != digest("input a,")


def test_what_is_refuted_is_not_in_the_ledger(tree):
    module = tree / ITS_MODULE
    text = module.read_text(encoding="utf-8")
    was = "(DigitWidth+1)'(1)"
    assert text.count(was) == 1
    module.write_text(text.replace(was, "(DigitWidth+1)'(2)"), encoding="utf-8")
    done = prove(tree)
    assert done.returncode == 1 and "REFUTED" in done.stdout, done
    assert number_left(tree) > 0


def test_a_line_that_a_kill_cut_short_is_told_and_proved_again(tree):
    assert prove(tree).returncode == 0
    ledger = tree / "ledger.jsonl"
    ledger.write_text(ledger.read_text(encoding="utf-8")[:-20], encoding="utf-8")
    done = prove(tree)
    assert done.returncode == 0 and "left out, as it is no job" in done.stderr, done
    assert f"{ITS_PROOFS + ITS_MUTANTS - 1} by the ledger" in done.stdout, done
    assert number_left(tree) == 0 and not prove(tree, "--list").stderr
