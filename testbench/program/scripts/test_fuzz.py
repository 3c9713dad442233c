"""scripts/fuzz: what it keeps of each run, how a campaign goes on, and words that are refused. Programs of a few lines stand for libFuzzer's."""
import json
import os
import signal
import subprocess

import pytest

from conftest import ROOT, wait_until

FUZZ = ROOT / "scripts/fuzz"
# As libFuzzer writes: 3 edges from half of the corpus, 5 from all of it; quick reaches 2 more with input 20, idle none; broken ends
# at an input; slow is ended.
READERS = """#!/bin/sh
[ $# = 0 ] && { echo quick idle broken slow; exit 0; }
echo "#4	pulse  cov: 3 ft: 9"
echo "#10	INITED cov: 5 ft: 9"
[ $(basename "$0") = broken ] && { echo "ERROR: libFuzzer: deadly signal"; echo "Test unit written to findings/broken_1"; exit 77; }
[ $(basename "$0") = quick ] && { echo "#20	NEW    cov: 7 ft: 9"; echo "#60	REDUCE cov: 7 ft: 9"; }
[ $(basename "$0") = slow ] && { trap 'exit 72' INT TERM; echo waits; while true; do sleep 0.1; done; }
i=0; while [ $i -lt 40000 ]; do i=$((i + 1)); done
[ $(basename "$0") = quick ] && echo "#100	DONE   cov: 7 ft: 9" || echo "#100	DONE   cov: 5 ft: 9"
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "readers").write_text(READERS, encoding="utf-8")
    (tmp_path / "readers").chmod(0o755)
    return tmp_path


def fuzz(folder, *words):
    return subprocess.run([FUZZ, folder, *words], capture_output=True, text=True, check=False)


def history(folder):
    return [json.loads(line) for line in (folder / "history.jsonl").read_text(encoding="utf-8").splitlines()]


def test_a_run_says_what_was_reached_and_its_history_is_kept(folder):
    done = fuzz(folder, "1", "quick", "idle")
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("fuzz: 2 readers, 1 s each, 0 findings\n")
    runs = {run["reader"]: run for run in history(folder)}
    assert runs["quick"]["inputs"] == 100 and runs["quick"]["edges"] == 7
    assert runs["quick"]["inputs_since_new_edge"] == 80 and runs["quick"]["new_edge"]
    assert runs["idle"]["inputs_since_new_edge"] == 100 and not runs["idle"]["new_edge"]
    again = fuzz(folder, "1", "idle").stdout
    assert "200 inputs in all, no new edge in the last 200" in again
    # Its corpus was not kept: it reaches the same edges again.
    assert "no new edge in the last 180\n" in fuzz(folder, "1", "quick").stdout


def test_a_campaign_goes_on_until_each_reader_has_had_its_time(folder):
    done = fuzz(folder, "1", "--in-all", "quick", "idle")
    assert done.returncode == 0, done.stderr
    had = {name: sum(run["processor_seconds"] for run in history(folder) if run["reader"] == name) for name in ("quick", "idle")}
    assert min(had.values()) >= 1
    turns = len(history(folder))
    assert turns > 2
    assert fuzz(folder, "1", "--in-all", "quick", "idle").stdout == "fuzz: 2 readers, 1 s each in all, 0 findings\n"
    assert len(history(folder)) == turns


def test_a_campaign_goes_on_with_another_folder(folder, tmp_path_factory):
    other, kept = tmp_path_factory.mktemp("other"), tmp_path_factory.mktemp("kept") / "history.jsonl"
    (other / "readers").write_bytes((folder / "readers").read_bytes())
    (other / "readers").chmod(0o755)
    assert fuzz(folder, "1", "--in-all", "--history", kept, "idle").returncode == 0
    turns = kept.read_text().count("\n")
    assert turns > 1 and not (folder / "history.jsonl").exists()
    assert fuzz(other, "1", "--in-all", "--history", kept, "idle").stdout == "fuzz: 1 readers, 1 s each in all, 0 findings\n"
    fuzz(other, "2", "--in-all", "--history", kept, "idle")
    assert kept.read_text().count("\n") > turns


@pytest.mark.parametrize("jobs, code", [("1", 0), ("2", 1)])
def test_so_many_readers_run_at_once(folder, jobs, code):
    at_once = f"""[ $# = 0 ] || {{ mkdir {folder}/busy || {{ echo "ERROR: two at once"; exit 77; }}; sleep 1; rmdir {folder}/busy; }}\n"""
    (folder / "readers").write_text(READERS.replace("[ $# = 0 ]", at_once + "[ $# = 0 ]", 1), encoding="utf-8")
    assert fuzz(folder, "1", "-j", jobs, "quick", "idle").returncode == code


@pytest.mark.parametrize("in_all", [[], ["--in-all"]])
def test_a_finding_is_told_once_and_ends_with_1(folder, in_all):
    done = fuzz(folder, "1", *in_all, "broken", "idle")
    assert done.returncode == 1
    assert done.stdout.count("FOUND: ERROR: libFuzzer: deadly signal; findings/broken_1") == 1
    assert done.stdout.endswith(" 1 findings\n")


def stop_when(has_begun, words, sent, ignored=False):
    """Runs a campaign and sends it a signal once it has begun. Returns its exit code and what it wrote."""
    with subprocess.Popen([FUZZ, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
                          preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN if ignored else signal.SIG_DFL)) as stopped:
        try:
            wait_until(has_begun)
            stopped.send_signal(sent)
            out, errors = stopped.communicate(timeout=60)
        except BaseException:
            os.killpg(stopped.pid, signal.SIGKILL)
            raise
    return stopped.returncode, out, errors


@pytest.mark.parametrize("sent, ignored", [(signal.SIGINT, False), (signal.SIGTERM, False), (signal.SIGTERM, True)])
def test_a_campaign_that_is_stopped_keeps_what_it_has(folder, sent, ignored):
    """Ignored: it runs in the background of a script, where nothing hears SIGINT."""
    log = folder / "logs/slow.log"
    code, out, errors = stop_when(lambda: log.exists() and "waits" in log.read_text(), [folder, "60", "--in-all", "slow"], sent, ignored)
    assert (code, errors) == (130, "fuzz: stopped\n")
    assert "nothing found" in out and len(history(folder)) == 1 and history(folder)[0]["found"] == ""


def test_inputs_that_were_tried_before_a_stop_count(folder):
    study, seen = folder / "words/studies/study.json", set()

    def one_is_over():
        if study.exists():
            seen.add(study.read_bytes())
        return len(seen) > 2

    code, _, errors = stop_when(one_is_over, [folder, "60", "studies"], signal.SIGTERM)
    assert (code, errors) == (130, "fuzz: stopped\n")
    assert history(folder)[0]["inputs"] > 0


def test_a_finding_of_before_and_a_torn_line_are_told(folder):
    fuzz(folder, "1", "broken")
    found = {**history(folder)[0], "processor_seconds": 5}
    wordy = json.dumps({**found, "inputs": "many"})
    (folder / "history.jsonl").write_text(json.dumps(found) + f'\n5\n{wordy}\n{{"reader": "bro')
    done = fuzz(folder, "1", "--in-all", "broken")
    assert (done.returncode, done.stdout) == (1, "fuzz: 1 readers, 1 s each in all, 1 findings\n")
    assert done.stderr.count("\n") == 3 and done.stderr.count("left out") == 3
    fuzz(folder, "1", "idle")
    assert json.loads((folder / "history.jsonl").read_text().splitlines()[-1])["reader"] == "idle"


@pytest.mark.parametrize("words, wrong", [(("0",), "'"), (("soon",), "soon"), (("1", "none"), "'none': expected quick, idle, broken, slow, command_lines, studies"),
                                          (("1", "--history"), "--history"), (("1", "--history", "--in-all", "idle"), "--history"),
                                          (("1", "--history", "idle"), "'idle': expected a file"), (("1", "--history", "/none/such"), "/none/such"),
                                          (("1", "--history", "/"), "'/'"), (("1", "-j", "0"), "-j/--jobs: '0'")])
def test_bad_words_are_refused_in_one_line(folder, words, wrong):
    done = fuzz(folder, *words)
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and wrong in done.stderr
    assert not (folder / "history.jsonl").exists()


def test_nothing_is_added_to_a_file_that_is_no_history(folder):
    page = folder / "README.md"
    page.write_text("# Fuzzing\n", encoding="utf-8")
    done = fuzz(folder, "1", "--history", page, "idle")
    assert (done.returncode, done.stdout) == (2, "") and done.stderr.count("\n") == 1 and f"'{page}': expected a history" in done.stderr
    assert page.read_text(encoding="utf-8") == "# Fuzzing\n"


def test_a_folder_without_readers_is_refused(tmp_path):
    done = fuzz(tmp_path, "1")
    assert (done.returncode, done.stdout) == (2, "") and done.stderr.count("\n") == 1 and str(tmp_path) in done.stderr
