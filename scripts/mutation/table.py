"""The results as tables, and the mutants that nothing noticed."""
import json
import pathlib
from collections import Counter

EXPLAINED = pathlib.Path(__file__).resolve().parent / "explained.json"


def status_of(row, proved):
    return "equivalent" if row["status"] == "survived" and row["key"] in proved else row["status"]


def detector_kind(row):
    return row.get("by", "").split(" ")[0] if row["population"] != "schedules" else row.get("by", "")


def show(rows, proved):
    """Prints; `proved` are keys. 1 if a mutant was noticed by nothing, is not proved to be equivalent and is not in the list of those that are open."""
    explained = json.loads(EXPLAINED.read_text()) if EXPLAINED.exists() else {}
    unknown = []
    for population in ("rtl", "cpp", "schedules"):
        chosen = [r for r in rows if r["population"] == population]
        if not chosen:
            continue
        files = sorted({r["file"] for r in chosen})
        harmless = "Harmless" if population == "schedules" else "Equivalent"
        print(f"\n{population}: {len(chosen)} mutants")
        print(f"| What | Mutants | Killed | by | {harmless} | Open |\n| --- | --- | --- | --- | --- | --- |")
        for file in files:
            of_file = [r for r in chosen if r["file"] == file]
            print(f"| {file} " + line_of(of_file, proved))
        print("| all " + line_of(chosen, proved))
        unknown += [r for r in chosen if status_of(r, proved) == "survived"]
    for row in unknown:
        reason = explained.get(row["key"], row.get("why", "not explained"))
        print(f"open: {row['key']}, line {row['line']}, {row['change']}: {reason}")
    caught = sum(status_of(r, proved) != "survived" for r in rows)
    print(f"\nmutants: {caught} of {len(rows)} killed, equivalent or harmless, {len(unknown)} open"
          + (f", {100 * caught / len(rows):.1f} %" if rows else ""))
    return 1 if any(r["key"] not in explained for r in unknown) else 0


def line_of(rows, proved):
    states = Counter(status_of(r, proved) for r in rows)
    by = Counter(detector_kind(r) for r in rows if r["status"] == "killed")
    words = ", ".join(f"{name} {count}" for name, count in by.most_common())
    return f"| {len(rows)} | {states['killed']} | {words} | {states['equivalent']} | {states['survived']} |"
