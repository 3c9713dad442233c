"""What `make mutate` rests on: which edits of the RTL are proved to mean the same, what proofs notice, and words that are refused."""
import subprocess
import sys
import types

import pytest

from cases import cases

BALANCER, PEAKS, COMBINE = "rtl/pifo/link_balancer.sv", "rtl/pifo/queue_peaks.sv", "rtl/tdm/combine_unit.sv"


@pytest.fixture(scope="module")
def mutation(root):
    """The modules of scripts/mutation."""
    sys.path.insert(0, str(root / "scripts/mutation"))
    try:
        import campaign
        import edits
        import equivalent
        import rtl_detectors
    finally:
        sys.path.pop(0)
    return types.SimpleNamespace(campaign=campaign, edits=edits, equivalent=equivalent, rtl_detectors=rtl_detectors)


@pytest.fixture(scope="module")
def verdict_of(root, mutation):
    """Whether an edit of a module, given as the words before and after, is proved to mean the same."""
    edits, equivalent = mutation.edits, mutation.equivalent
    design = mutation.rtl_detectors.Design()

    def verdict(path, was, now):
        text = (root / path).read_text()
        assert text.count(was) == 1
        at = text.index(was)
        return equivalent.prove(design, text, edits.Edit(path, "by_hand", 1, at, at + len(was), now, ""))
    return verdict


@pytest.mark.parametrize("path, was, now, verdict", cases(
    ("a condition that holds whenever it matters", BALANCER, "if (deals && header_i != '0) begin", "if (deals) begin", "proved"),
    ("the same value once more", PEAKS, "slot_open_i && waiting > peak", "slot_open_i && waiting >= peak", "proved"),
    ("a smaller value", PEAKS, "slot_open_i && waiting > peak", "slot_open_i && waiting < peak", "not proved"),
    ("a register that begins with any value", PEAKS, "peak_waiting_o <= '0;", "", "not proved"),
    ("a look more often than needed, which nothing outside can tell", PEAKS, "else if (slot_open_i) grew_q <= 1'b0;", "", "proved"),
    ("either of two equal words", COMBINE, "(word < result)", "(word <= result)", "proved"),
    ("the larger word for the smaller", COMBINE, "(word < result)", "(word > result)", "not proved"),
    ("a comment", PEAKS, "// packets may start in this cycle", "// packets may start", "changes nothing that was built"),
))
def test_edits_that_mean_the_same_are_proved_and_no_others(path, was, now, verdict, verdict_of):
    assert verdict_of(path, was, now) == verdict


@pytest.mark.parametrize("row, asked_again", cases(
    ("noticed by a test", {"status": "killed", "by": "unit rtl_order_bench"}, False),
    ("by nothing but lint, before dear tests were asked", {"status": "killed", "by": "lint", "quick": True}, True),
    ("by nothing but lint", {"status": "killed", "by": "lint", "quick": False}, False),
    ("by nothing, before dear tests were asked", {"status": "survived", "quick": True}, True),
    ("by nothing", {"status": "survived", "quick": False}, False),
))
def test_a_whole_campaign_asks_dear_tests_of_what_a_quick_one_left(mutation, row, asked_again):
    quick, whole = (types.SimpleNamespace(quick=is_quick) for is_quick in (True, False))
    row = {**row, "tests": mutation.campaign.tests_now()}
    assert mutation.campaign.is_settled(quick, row)
    assert mutation.campaign.is_settled(whole, row) != asked_again


def test_every_bench_of_the_rtl_is_a_detector(root, mutation):
    benches = {path.stem for path in root.glob("testbench/rtl/*/rtl_*_bench.sv")}
    assert set(mutation.rtl_detectors.UNIT_SECONDS) == benches and len(benches) > 20
    unused = [bench for bench in benches if not mutation.rtl_detectors.UnitBench(bench).tests]
    assert not unused


@pytest.mark.parametrize("code, was, now, words", cases(
    ("nothing", 0, "", "", "queue_peaks: nothing refuted within"),
    ("a peak that is one too small", 1, "waiting > peak_waiting_o", "waiting > 1 + peak_waiting_o", "queue_peaks_most: refuted in cycle"),
    ("no Verilog", 2, "waiting > peak_waiting_o", "waiting > ) peak_waiting_o", "not built"),
))
def test_proofs_are_asked_of_a_changed_module(code, was, now, words, root, folder):
    (folder / "queue_peaks.sv").write_text((root / PEAKS).read_text().replace(was or "//", now or "//"))
    done = subprocess.run([root / "scripts/prove", "--instead", folder / "queue_peaks.sv"], capture_output=True, text=True, check=False)
    assert (done.returncode, words in done.stdout + done.stderr) == (code, True), done


def test_registers_that_nobody_reads_may_be_otherwise(root, folder):
    """A node without a next one counts batches that it never sends: broadcast_way_line says so of its registers, for the solver alone."""
    keeps = "else if (slot_last_i && sends_own_o)           own_batch_q <= own_batch_next;"
    text = (root / "rtl/scan/broadcast_way.sv").read_text()
    assert keeps in text
    (folder / "broadcast_way.sv").write_text(text.replace(keeps, keeps + "\n else if (slot_last_i && !has_next_i) own_batch_q <= own_batch_next;"))
    done = subprocess.run([root / "scripts/prove", "--instead", folder / "broadcast_way.sv"], capture_output=True, text=True, check=False)
    assert (done.returncode, "broadcast_way: nothing refuted within" in done.stdout) == (0, True), done


@pytest.mark.parametrize("code, was, now, words", cases(
    ("a look in every cycle", 0, "if (grew_q) begin", "if (1'b1) begin", "queue_peaks_most: proved with 4 sets of parameters"),
    ("no look at all", 1, "if (grew_q) begin", "if (1'b0) begin", "queue_peaks_most: failed"),
))
def test_a_module_that_has_all_that_is_proved_is_as_good(code, was, now, words, root, folder):
    (folder / "queue_peaks.sv").write_text((root / PEAKS).read_text().replace(was, now))
    done = subprocess.run([root / "scripts/prove", "--same", folder / "queue_peaks.sv"], capture_output=True, text=True, check=False)
    assert (done.returncode, words in done.stdout + done.stderr) == (code, True), done


def test_only_some_proofs_determine_what_a_module_does(root, folder):
    (folder / "link.sv").write_text((root / "rtl/common/link.sv").read_text())
    done = subprocess.run([root / "scripts/prove", "--same", folder / "link.sv"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "prove: link: no proof determines its outputs\n"), done


@pytest.mark.parametrize("script, arguments, words", cases(
    ("a population", "mutate", "rlt", "rlt: expected rtl, cpp, schedules"),
    ("no mutants", "mutate", "--again 0", "0: expected a whole number from 1"),
    ("no number", "mutate", "-j two", "two: expected a whole number from 1"),
    ("a file that is no module", "prove", "--instead none.sv", "'none.sv': expected a file that is named as a module of rtl/"),
))
def test_words_are_refused(script, arguments, words, root, folder):
    done = subprocess.run([root / "scripts" / script, *arguments.split()], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and words in done.stderr and done.stderr.count("\n") == 1 and done.stdout == "", done
