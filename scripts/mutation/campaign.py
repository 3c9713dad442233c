"""Judges the mutants of a population, several at once if wanted, and keeps each result as it comes."""
import concurrent.futures
import functools
import hashlib
import json
import os
import pathlib
import random
import sys
import threading
import time

from rtl_detectors import LAST_RESORT

ROUNDS = 4
LEDGER = pathlib.Path(__file__).resolve().parent / "judged.jsonl"


class Results:
    """A line of JSON for each mutant that was judged, by its key. A line that a kill cut short is forgotten.

    Beside those of this folder's build there are those that the repository keeps, in LEDGER: what else there is to know of them
    is told by the edit.
    """

    def __init__(self, path, ledger=LEDGER):
        self.path, self.ledger = pathlib.Path(path), ledger
        self.adding = threading.Lock()
        self.rows = {}
        if ledger.exists():
            for line in ledger.read_text().splitlines():
                row = json.loads(line)
                self.rows[row["key"]] = row
        if self.path.exists():
            data = self.path.read_bytes()
            whole = data[:data.rfind(b"\n") + 1]
            if len(whole) != len(data):
                self.path.write_bytes(whole)
            for line in whole.splitlines():
                row = json.loads(line)
                self.rows[row["key"]] = row

    def of(self, population, edit):
        """The row of a mutant, or None."""
        row = self.rows.get(edit.key())
        return row and {**described(population, edit), **row}

    def keep(self, population, proved):
        """Puts what is known of a population's mutants, of today's sources, in place of what the repository keeps of it."""
        def kept(row):
            words = {name: row[name] for name in ("key", "status", "by", "why", "tests", "quick") if row.get(name)}
            return words | ({"proved": True} if row["key"] in proved else {})
        candidates = [edit for _, edits, _ in population.groups() for edit in edits]
        rows = [kept(self.rows[edit.key()]) for edit in candidates if edit.key() in self.rows]
        others = [json.loads(line) for line in self.ledger.read_text().splitlines()] if self.ledger.exists() else []
        rows += [row for row in others if population_of_key(row["key"]) != population.name]
        self.ledger.write_text("".join(json.dumps(row) + "\n" for row in sorted(rows, key=lambda row: row["key"])))

    def add(self, row):
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.adding, self.path.open("ab") as file:
            file.write((json.dumps(row) + "\n").encode())
            file.flush()
            os.fsync(file.fileno())
        self.rows[row["key"]] = row


class Progress:
    """How many mutants are judged, and how long the rest will take at the pace of this run; a line every ten where stderr is a file."""

    def __init__(self, total):
        self.total, self.seen, self.start, self.fresh = total, set(), time.time(), 0

    def see(self, key, fresh, what):
        self.seen.add(key)
        self.fresh += fresh
        terminal = sys.stderr.isatty()
        if fresh and (terminal or self.fresh % 10 == 0):
            left = (time.time() - self.start) / self.fresh * (self.total - len(self.seen))
            line = f"mutate: {len(self.seen)} of {self.total}, {left / 60:.0f} min left; {what}"
            print(line + "\x1b[K" if terminal else line, end="\r" if terminal else "\n", file=sys.stderr, flush=True)


def population_of_key(key):
    return "rtl" if key.startswith("rtl/") else "schedules" if key.startswith(("plan ", "run ")) else "cpp"


def described(population, edit):
    line, change = population.describe(edit)
    return {"key": edit.key(), "population": population.name, "file": edit.path, "rule": edit.rule, "line": line, "change": change}


def judge_one(population, edit):
    began = time.time()
    row = population.judge(edit)
    more = {"tests": tests_now()} if row["status"] == "survived" else {}
    if row["status"] == "survived" or row.get("by") == LAST_RESORT:
        more["quick"] = population.quick
    return {**described(population, edit), **row, **more, "seconds": round(time.time() - began, 2)}


def run(population, results, jobs, judge=True):
    """The rows of the mutants that count: of each group as many as are wanted, without those that are no mutants since no
    tool accepts them, whose places the next candidates take."""
    groups = list(population.groups())
    if not groups:
        raise ValueError(f"{population.name}: nothing of that name; expected a module, a file or a word of a schedule")
    if not judge:
        return known_rows(population, groups, results)
    progress = Progress(sum(wanted for _, _, wanted in groups))
    rows = []
    # A group is judged by one thread, several groups at once: nobody waits for the last mutant of a group.
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        # In rounds over all groups, so that a campaign that is stopped has judged some of each.
        for share in range(1, ROUNDS + 1):
            tasks = [pool.submit(judge_group, population, results, candidates, -(-wanted * share // ROUNDS), progress)
                     for _, candidates, wanted in groups]
            try:
                rows = [row for task in tasks for row in task.result()]
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
    return rows


def is_settled(population, row):
    """What survived is judged again when there are other tests or detectors, or when the quick run is followed by a whole one; then
    also what nothing but the last resort noticed, as a test that takes long may show what it does wrong."""
    asked_all = population.quick or not row.get("quick")
    if row["status"] != "survived" or row.get("proved"):
        return asked_all or row.get("by") != LAST_RESORT
    return asked_all and row.get("tests") == tests_now()


@functools.cache
def tests_now():
    root = pathlib.Path(__file__).resolve().parents[2]
    places = ("testbench/*/*", "testbench/rtl/*/*", "testbench/formal/*/*")
    files = [p for place in places for p in sorted(root.glob(place)) if p.suffix in (".sv", ".cpp", ".hpp", ".py", ".svh", ".vlt", ".hex")]
    files += [root / "scripts/mutation" / name for name in ("rtl_detectors.py", "cpp_population.py", "cpp_tests.py", "schedule_population.py")]
    return hashlib.sha256(b"".join(p.read_bytes() for p in files)).hexdigest()[:12]


def known_rows(population, groups, results):
    rows = []
    for _, candidates, wanted in groups:
        known = filter(None, (results.of(population, e) for e in candidates))
        rows += [r for r in known if r["status"] != "invalid"][:wanted]
    return rows


def again(population, results, jobs, wanted, seed):
    """Judges anew mutants that were noticed, each by what noticed it: the rows, in which one that is not noticed has survived."""
    known = [(edit, results.of(population, edit)) for _, edits, _ in population.groups() for edit in edits]
    known = [(edit, row) for edit, row in known if row and row.get("by") and population.is_quick(row["by"])]
    random.Random(f"{seed}:{population.name}").shuffle(known)
    if len(known) < wanted:
        raise ValueError(f"{population.name}: judged.jsonl has {len(known)} noticed mutants of today's sources; expected {wanted}: "
                         "--table --keep after a campaign")
    chosen = known[:wanted]
    population.expect([(edit.path, row["by"]) for edit, row in chosen])

    def judge_again(each):
        edit, row = each
        judged = population.judge(edit, row["by"])
        if judged["status"] != row["status"]:  # nor is one noticed that does not compile any more, or that became harmless
            judged = {"status": "survived", "why": judged.get("why", f"{row['by']} noticed it before")}
        return described(population, edit) | judged
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(judge_again, chosen))


def judge_group(population, results, candidates, wanted, progress):
    rows = []
    for edit in candidates:
        if len(rows) == wanted:
            break
        row = results.of(population, edit)
        fresh = row is None or not is_settled(population, row)
        if fresh:
            row = judge_one(population, edit)
            results.add(row)
        if row["status"] != "invalid":
            rows.append(row)
            progress.see(row["key"], fresh, f"{row['file']}:{row['line']} {row['rule']}: {row['status']} {row.get('by', '')}")
    return rows
