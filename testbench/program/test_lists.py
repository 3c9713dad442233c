"""What the program knows: lists of topologies, collectives, algorithms and claims, and the page made from them."""
import re
import subprocess

import pytest
from cases import cases


@pytest.mark.parametrize("pattern, command", cases(
    ("lists topologies", r"^hypercube", "list topologies"),
    ("lists collectives", r"^broadcast +bcast", "list collectives"),
    ("lists algorithms", r"parity-message-shift", "list algorithms"),
    ("lists claims", r"thesis.T17", "list claims"),
))
def test_lists(expect, pattern, command):
    expect(0, pattern, command)


@pytest.mark.parametrize("what", ["collectives", "algorithms"])
def test_columns_are_apart(succeed, what):
    result = succeed("list", what)
    squeezed = [line for line in result.out.split("\n") if re.search(r"^[^ ]+ [^ ]", line)]
    assert not squeezed, "two columns with one blank between them"


@pytest.mark.parametrize("pattern, command", cases(
    ("Markdown of claims", r"--markdown", "list claims --markdown"),
    ("pictures into nowhere", r"/no/such/folder", "list topologies --pictures /no/such/folder"),
    ("no such list", r"nosuch", "list nosuch"),
))
def test_refuses(refuse, pattern, command):
    refuse(pattern, command)


def test_page_of_topologies_is_up_to_date(root, program):
    script = root / "scripts" / "update_topologies_page.sh"
    done = subprocess.run([script, "--check", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
