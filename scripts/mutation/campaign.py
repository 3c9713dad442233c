"""Judges the mutants of a population, several at once if wanted, and keeps each result as it comes."""
import concurrent.futures
import json
import os
import pathlib
import sys
import time


class Results:
    """A line of JSON for each mutant that was judged, by its key. A line that a kill cut short is forgotten."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.rows = {}
        if self.path.exists():
            data = self.path.read_bytes()
            whole = data[:data.rfind(b"\n") + 1]
            if len(whole) != len(data):
                self.path.write_bytes(whole)
            for line in whole.splitlines():
                row = json.loads(line)
                self.rows[row["key"]] = row

    def add(self, row):
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab") as file:
            file.write((json.dumps(row) + "\n").encode())
            file.flush()
            os.fsync(file.fileno())
        self.rows[row["key"]] = row


class Progress:
    def __init__(self, total):
        self.total, self.done, self.start, self.fresh = total, 0, time.time(), 0

    def step(self, fresh, what):
        self.done += 1
        self.fresh += fresh
        if fresh and sys.stderr.isatty() or fresh and self.done % 10 == 0:
            left = (time.time() - self.start) / self.fresh * (self.total - self.done)
            ending = "\r" if sys.stderr.isatty() else "\n"
            print(f"mutate: {self.done} of {self.total}, {left / 60:.0f} min left; {what}\x1b[K" if ending == "\r" else
                  f"mutate: {self.done} of {self.total}, {left / 60:.0f} min left; {what}", end=ending, file=sys.stderr, flush=True)


def judge_one(population, edit):
    began = time.time()
    row = population.judge(edit)
    line, change = population.describe(edit)
    return {"key": edit.key(), "population": population.name, "file": edit.path, "rule": edit.rule, "line": line, "change": change,
            **row, "seconds": round(time.time() - began, 2)}


def run(population, results, jobs, judge=True):
    """The rows of the mutants that count: of each group as many as are wanted, without those that are no mutants since no
    tool accepts them, whose places the next candidates take."""
    groups = list(population.groups())
    if not groups:
        raise ValueError(f"{population.name}: nothing of that name; expected a module, a file or a word of a schedule")
    if not judge:
        return known_rows(groups, results)
    progress = Progress(sum(wanted for _, _, wanted in groups))
    rows = []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for name, candidates, wanted in groups:
            rows += judge_group(population, results, pool, jobs, candidates, wanted, progress)
    return rows


def known_rows(groups, results):
    rows = []
    for _, candidates, wanted in groups:
        known = [results.rows[e.key()] for e in candidates if e.key() in results.rows]
        rows += [r for r in known if r["status"] != "invalid"][:wanted]
    return rows


def judge_group(population, results, pool, jobs, candidates, wanted, progress):
    rows, waiting, running = [], list(candidates), {}
    while (waiting and len(rows) + len(running) < wanted) or running:
        while waiting and len(running) < jobs and len(rows) + len(running) < wanted:
            edit = waiting.pop(0)
            known = results.rows.get(edit.key())
            if known is not None:
                if known["status"] != "invalid":
                    rows.append(known)
                    progress.step(0, "")
                continue
            running[pool.submit(judge_one, population, edit)] = edit
        if running:
            done, _ = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                running.pop(future)
                row = future.result()
                results.add(row)
                if row["status"] != "invalid":
                    rows.append(row)
                    progress.step(1, f"{row['file']}:{row['line']} {row['rule']}: {row['status']} {row.get('by', '')}")
    return rows
