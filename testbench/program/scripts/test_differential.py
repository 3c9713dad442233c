"""`scripts/differential`: RTL, SystemC model, checker and model of steps agree on random cases, and it says when they do not."""
import json
import os
import re
import subprocess
import sys

import pytest


@pytest.fixture
def differential(root, folder):
    def run(program, *words):
        return subprocess.run([sys.executable, root / "scripts/differential", program, *words], cwd=folder, capture_output=True,
                              text=True, timeout=1800, check=False)
    return run


def test_all_agree_on_a_few_cases(differential, program):
    result = differential(program, "--cases", "30", "--seed", "5", "-j", "1")
    assert result.returncode == 0, result.stdout + result.stderr
    decided = re.search(r"30 cases, 0 failed; decided: (\d+) in 5 ways", result.stdout)
    assert decided and int(decided[1]) >= 10, result.stdout


def test_all_say_that_a_run_without_grants_breaks_the_one_port_model(differential, program):
    result = differential(program, "--case", "20261128:42")
    assert "--ports one" in result.stdout and "--grants off" in result.stdout, result.stdout
    assert result.returncode == 0 and "decided in 4 ways that agree" in result.stdout, result.stdout + result.stderr


@pytest.fixture
def wrong_program(program, folder):
    """A program that is safnet, but for one number in what it prints."""

    def make(when, name):
        path = folder / "wrong"
        path.write_text(f"""#!{sys.executable}
import json, subprocess, sys
done = subprocess.run([{str(program)!r}, *sys.argv[1:]], stdout=subprocess.PIPE, text=True)
if done.returncode == 0 and {when!r} in sys.argv:
    report = json.loads(done.stdout)
    report[{name!r}] += 1
    print(json.dumps(report))
else:
    print(done.stdout, end="")
sys.exit(done.returncode)
""")
        os.chmod(path, 0o755)
        return path

    return make


@pytest.mark.parametrize("when, name, said", [
    ("systemc", "delay_sum", "delay_sum: RTL "),
    ("check", "cycles", "cycles: RTL "),
    ("replay", "cycles", "replay takes "),
    ("rtl.json", "lower_bound", "fewer than the lower bound|lower_bound: RTL")])
def test_one_that_counts_wrongly_is_told_with_a_smaller_case(differential, wrong_program, when, name, said):
    result = differential(wrong_program(when, name), "--cases", "3", "--seed", "5", "-j", "1")
    assert result.returncode == 1, result.stdout + result.stderr
    assert re.search(f"FAILED: case 5:[0-2], made smaller: .*({said})", result.stdout), result.stdout
    network = json.loads(re.search(r"net\.json: (.*)", result.stdout)[1])
    assert len(network["nodes"]) == 2 and len(network["links"]) == 1, result.stdout
    assert re.search(r"^  safnet run graph:net\.json", result.stdout, re.M)


@pytest.mark.parametrize("words, named", [(("--cases", "0"), "--cases"), (("--case", "x"), "--case x: expected SEED:NUMBER")])
def test_bad_words_are_refused(differential, program, words, named):
    result = differential(program, *words)
    assert result.returncode == 2 and named in result.stderr and not result.stdout
