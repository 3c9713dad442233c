"""The ledger of claims: verify, its exit code, JSON and JUnit."""
import json
import xml.etree.ElementTree

import pytest
from cases import cases


@pytest.mark.parametrize("code, pattern, command", cases(
    ("a refuted claim", 0, r"counterexample \(router\): complete:4 .* 2 steps; printed: .*3 steps", "verify --claim thesis.B8"),
    ("a claim about timetables", 0, r"thesis.X3 .*beyond", "verify --claim thesis.X3"),
))
def test_verifies(expect, code, pattern, command):
    expect(code, pattern, command)


def test_refuses_a_claim_that_does_not_exist(refuse):
    refuse(r"nosuch", "verify --claim nosuch")


def test_json_and_junit_of_one_claim(succeed, folder):
    succeed("verify --claim thesis.T6 --json claims.json --junit claims.xml")
    claims = json.loads((folder / "claims.json").read_text())
    assert len(claims) == 1 and claims[0]["verdict"] == "confirmed" and len(claims[0]["runs"]) >= 30
    suite = xml.etree.ElementTree.parse(folder / "claims.xml").getroot()[0]
    assert suite.get("failures") == "0" and len(suite) == int(suite.get("tests"))
