"""--certificate: lower bounds with an argument that scripts/check_certificate.py checks from the network alone."""
import csv
import importlib.util
import json
import subprocess
import sys

import pytest
from cases import cases
from test_pages import CHECKED_TABLE, WHOLE_TABLE, examples, first_missing, sections


@pytest.fixture(scope="module")
def checker(root):
    """scripts/check_certificate.py as a module."""
    spec = importlib.util.spec_from_file_location("check_certificate", root / "scripts" / "check_certificate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def check_files(root, folder):
    """Calls the checker as its users do."""

    def call(*names):
        return subprocess.run([sys.executable, root / "scripts" / "check_certificate.py", *names], cwd=folder, timeout=300,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", check=False)

    return call


@pytest.fixture(scope="module")
def table(root, run_program, tmp_path_factory):
    """What `table optimality` and the checker of its certificates print, its rows as CSV, and all certificates."""
    folder = tmp_path_factory.mktemp("optimality")
    result = run_program(folder, "table optimality --certificate bounds.json --csv table.csv")
    assert result.code == 0, str(result)
    checked = subprocess.run([sys.executable, root / "scripts" / "check_certificate.py", "bounds.json"], cwd=folder, timeout=1200,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", check=False)
    assert checked.returncode == 0, checked
    with open(folder / "table.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return result.out, checked.stdout, rows, json.loads((folder / "bounds.json").read_text())


def holds(checker, certificate):
    """Whether the checker accepts it."""
    try:
        checker.check(certificate)
    except checker.Refusal:
        return False
    return True


def test_the_whole_table_is_proved(table):
    """Each certificate is of the network, the collective and the steps that the table reports, and holds."""
    printed, checked, rows, certificates = table
    assert "certificates: 512 of 512 lower bounds, bounds.json" in printed, printed
    assert [line.split()[0] for line in checked.splitlines()] == ["proved:"] * 512, checked
    proved = {(c["topology"], c["ports"], c["collective"]): c for c in certificates}
    assert len(certificates) == len(proved) == len(rows) == 512
    for row in rows:
        certificate = proved[row["topology"], row["ports"], row["collective"]]
        reported = tuple(int(row[name]) for name in ("nodes", "links", "lower_bound", "messages"))
        assert (certificate["nodes"], len(certificate["links"]), certificate["steps"], certificate["messages"]) == reported


def test_the_table_is_what_the_pages_show(table):
    printed, checked, *_ = table
    shown = [example for text in sections().values() for example in examples(text)]
    for commands, times, output in ((WHOLE_TABLE, 2, printed), (CHECKED_TABLE, 1, printed + checked)):
        of_these = [example for example in shown if example.commands == commands]
        assert len(of_these) == times
        for example in of_these:
            lines = [line for line in example.lines if not line.startswith("written: ")]  # here the files have other names
            assert first_missing(lines, output) is None, output


def stretched(certificate):
    """The same argument for one step more."""
    certificate = json.loads(json.dumps(certificate))
    for price in certificate["argument"].get("prices", []):
        price[3] += price[3] == certificate["steps"] - 1
    certificate["steps"] += 1
    return certificate


def test_no_argument_proves_more(table, checker):
    """Not even one step more, which would be wrong where a schedule has the steps of the bound."""
    for certificate in table[-1]:
        assert not holds(checker, stretched(certificate)), certificate


def change(certificate, path, value):
    *way, last = path
    for key in way:
        certificate = certificate[key]
    certificate[last] = value(certificate[last]) if callable(value) else value


@pytest.mark.parametrize("command, path, value, says", cases(
    ("a price left out", "mesh:4x4 alltoall --ports one", ("argument", "prices"), lambda prices: prices[1:], "room for"),
    ("a price raised", "mesh:4x4 alltoall --ports one", ("argument", "prices", 0, 4), 100, "room for"),
    ("a negative price", "mesh:4x4 alltoall --ports one", ("argument", "prices", 0, 4), -100, "a price is -100"),
    ("a price of a port that serves many", "mesh:4x4 alltoall", ("argument", "prices", 0, 0), "send", "number of a priced send"),
    ("a price after the end", "mesh:4x4 alltoall", ("argument", "prices", 0, 3), 99, "last step"),
    ("a node that does not exist", "mesh:3x3 allgather --ports one", ("argument", "sets", 0, 0), 9, "a node of a set"),
    ("a node in two sets", "mesh:3x3 allgather --ports one", ("argument", "sets", 0, 0), 2, "are in two sets"),
    ("another node in a set", "linear:8 allgather --ports one", ("argument", "sets", 0, 0), 3, "room for"),
    ("another destination", "linear:8 allgather", ("argument", "destination"), 4, "room for"),
    ("another distance", "torus:5x5 bcast --ports one", ("argument", "hops"), 9, "no node is 9 hops away"),
    ("messages that there are not", "mesh:3x3 bcast --ports one --messages 2", ("messages",), 1, "can be informed"),
    ("no tree", "tree:2,3 bcast --ports one", ("links",), lambda links: links + [[13, 14]], "no tree"),
    ("a link more", "extended-ring:14,2 bcast --ports one", ("links",), lambda links: links + [[0, 7]], "does not follow"),
    ("a lemma left out", "extended-ring:14,2 bcast --ports one", ("argument", "lemmas"), lambda lemmas: lemmas[:3] + lemmas[4:],
     "does not follow"),
    ("no last lemma", "extended-ring:14,2 bcast --ports one", ("argument", "lemmas"), lambda lemmas: lemmas[:-1], "not empty"),
    ("no lemma", "extended-ring:14,2 bcast --ports one", ("argument", "lemmas"), [], "not empty"),
    ("a false lemma", "extended-ring:14,2 bcast --ports one", ("argument", "lemmas"), [[[], [0, 1, 2]]], "does not follow"),
    ("another set", "fat-tree:2,3 reduce", ("argument", "set"), [0, 1, 2, 3], "can take part"),
    ("a router that processes", "fat-tree:4,2 reduce", ("processors",), 17, "does not follow"),
    ("other ports", "fat-tree:4,2 bcast --ports one", ("ports",), "all", "send one packet per step"),
    ("another collective", "mesh:4x4 alltoall", ("collective",), "scatter", "room for"),
    ("another argument", "mesh:4x4 alltoall", ("argument", "kind"), "tree", "one packet per step"),
    ("no argument", "mesh:4x4 alltoall", ("argument", "kind"), "faith", "not known"),
))
def test_refuses_what_was_changed(succeed, check_files, folder, command, path, value, says):
    succeed(f"plan {command} --certificate c.json")
    assert check_files("c.json").stdout.startswith("proved: at least ")
    certificate = json.loads((folder / "c.json").read_text())
    change(certificate, path, value)
    (folder / "changed.json").write_text(json.dumps(certificate))
    done = check_files("changed.json")
    assert done.returncode == 1 and done.stdout.startswith("NOT proved") and says in done.stdout, done


@pytest.mark.parametrize("argument", ({"kind": "informed", "hops": 0}, {"kind": "tree"}))
def test_a_broadcast_to_nobody_takes_no_steps(checker, argument):
    assert not holds(checker, {"topology": "one node", "nodes": 1, "processors": 1, "links": [], "ports": "one", "collective": "bcast",
                               "messages": 5, "steps": 3, "argument": argument})


@pytest.mark.parametrize("text", ("", "{", "17", "[17]", "{}", '{"collective": "bcast"}'))
def test_what_is_no_certificate(check_files, folder, text):
    (folder / "c.json").write_text(text)
    done = check_files("c.json")
    assert (done.returncode, done.stdout) == (2, "") and done.stderr.startswith("c.json: no certificate"), done


@pytest.mark.parametrize("command, steps", cases(
    ("planned", "plan mesh:3x3 allgather --ports one -o s.json", 10),
    ("run", "run mesh:3x3 allgather --ports one --trace s.json", 10),
    ("backwards in time", "plan de-bruijn:2,3 reduce-scatter -o s.json", 7),
    ("several messages", "plan ring:5 bcast --messages 3 --ports one -o s.json", 5),
    ("long packets", "plan torus:3x3 alltoall --flits 4 --link-latency 2 -o s.json", 3),
    ("by a SAT solver", "plan folded-cube:4 bcast --messages 2 -o s.json", 3),
    ("one-port for sending", "plan mesh:4x4 gather --ports one-send -o s.json", 8),
))
def test_schedule_and_certificate_prove_an_optimum(succeed, check_files, folder, command, steps):
    report = json.loads(succeed(f"{command} --certificate c.json --json").out)
    assert report["lower_bound"] == steps
    assert json.loads(succeed("check s.json --json --certificate of_schedule.json").out)["steps"] == steps
    for name in ("c.json", "of_schedule.json"):
        done = check_files(name)
        assert done.returncode == 0 and done.stdout.startswith(f"proved: at least {steps} steps: "), done
        assert json.loads((folder / name).read_text())["steps"] == steps
    links = [json.loads((folder / name).read_text())["links"] for name in ("c.json", "of_schedule.json")]
    assert links[0] == links[1]


def test_certificate_of_a_schedule_from_elsewhere(succeed, check_files):
    """SCCL's file holds its network and its packets; nothing else is known of it."""
    succeed("plan ring:4 alltoall -o ring.msccl.json")
    succeed("check ring.msccl.json --certificate c.json")
    assert check_files("c.json").stdout.startswith("proved: at least 2 steps: ")


def test_no_certificate_of_a_schedule_that_is_not_valid(succeed, expect, folder):
    succeed("plan mesh:3x3 alltoall -o s.json")
    wrong = json.loads((folder / "s.json").read_text())
    wrong["sends"]["link"][0] += 1
    (folder / "wrong.json").write_text(json.dumps(wrong))
    expect(1, "valid +no", "check wrong.json --certificate c.json")
    assert not (folder / "c.json").exists()
    succeed("plan ring:4 bcast --slot free --flits 2 -o free.json")
    expect(2, "--certificate: expected a schedule in steps", "check free.json --certificate c.json")


@pytest.mark.parametrize("pattern, command", cases(
    ("a certificate into nowhere", r"--certificate /no/such/folder/c.json", "plan ring:4 bcast --certificate /no/such/folder/c.json"),
    ("a bound in cycles", r"--certificate 'c.json': expected steps", "plan ring:4 bcast --slot free --certificate c.json"),
    ("a run in cycles", r"--certificate 'c.json': expected steps", "run ring:4 bcast --slot free --certificate c.json"),
    ("with the first injection", r"--certificate 'c.json': expected steps", "run ring:4 bcast --hosts empty --certificate c.json"),
    ("of the collective before it is turned round", r"--certificate 'c.json': expected no --reverse",
     "plan ring:4 bcast --reverse --certificate c.json"),
    ("onto the schedule that is checked", r"another file than that of the schedule", "check c.json --certificate c.json"),
    ("onto the schedule", r"another file than that of -o", "plan ring:4 bcast -o c.json --certificate c.json"),
    ("of what scan_nodes do", r"--certificate", "run mesh:4x4 scan --active 0,3 --certificate c.json"),
    ("of another table", r"--certificate: expected `table optimality`", "table necklaces --certificate c.json"),
))
def test_refuses(refuse, pattern, command):
    refuse(pattern, command)


def test_a_bound_without_a_certificate(safnet, folder):
    """The report is printed all the same; no file appears."""
    result = safnet("plan ring:6 partial-exchange --active 0,2 --certificate c.json")
    assert result.code == 2 and result.says(r"lower bound +") and result.says(r"--certificate: there is none yet"), str(result)
    assert not (folder / "c.json").exists()
