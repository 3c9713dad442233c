"""check: what it says about schedules that hold and about those that do not."""
import json

import pytest
from cases import cases


@pytest.fixture
def wrong(bring, folder):
    """wrong.json: a planned schedule in which a send of the first step has moved to another link."""
    bring("mesh.json")
    (folder / "wrong.json").write_text((folder / "mesh.json").read_text().replace('"link": [1,', '"link": [0,'))


@pytest.mark.parametrize("pattern, file", cases(
    ("checks", r"lower bound +43 steps", "mesh.json"),
    ("a schedule of cycles is bounded in cycles", r"lower bound +6 steps", "cycles.json"),
))
def test_checks(expect, bring, pattern, file):
    bring(file)
    expect(0, pattern, "check", file)


def test_says_what_is_wrong_in_words(expect, wrong):
    expect(1, r"slot 1: node 1_1 sends packet .* node 1_0 is receiving another packet", "check wrong.json")


def test_holds_a_schedule_against_a_limit_on_forwarding(expect, bring, safnet):
    bring("mesh.json")
    expect(0, r"forwarding +over 6 links in a row at most", "check mesh.json --forwarding 6")
    expect(1, r"over link 6 in a row from where its data began; expected at most 5, ", "check mesh.json --forwarding 5")
    report = json.loads(safnet("check mesh.json --forwarding 5 --json").out)
    assert not report["valid"] and report["violations"][0]["rule"] == "forwarding", report


def test_json_of_an_invalid_schedule(safnet, wrong):
    result = safnet("check wrong.json --json")
    assert result.code == 1, str(result)
    report = json.loads(result.out)
    assert not report["valid"] and report["violation_count"] >= len(report["violations"]) >= 1, report
    assert "steps" not in report, report
    assert report["violations"][0]["rule"] and report["violations"][0]["text"].startswith("slot 1: "), report


def test_an_invalid_schedule_is_not_run(expect, wrong):
    expect(1, r"force runs it all the same", "replay wrong.json")
