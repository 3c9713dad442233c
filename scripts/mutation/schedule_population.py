"""Schedules and traces with one thing changed, for two judges that share nothing: `safnet check` and
testbench/program/schedule_judge.py.

Both must reject a changed schedule, and `safnet replay` must refuse to run it; or both accept it, where the change is harmless,
and the hardware then runs it to the planned cycle.
"""
import copy
import hashlib
import json
import pathlib
import random
import shutil
import sys
from dataclasses import dataclass

from limited_program import new_folder, run
from rtl_detectors import BUILD, HERE, ROOT

sys.path.insert(0, str(ROOT / "testbench/program"))
from schedule_judge import Wrong, in_columns, judge, links_of  # noqa: E402

MUTANTS = 500
# Networks as lists of edges, since a file then holds them port by port.
NETWORKS = {
    "square": [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (3, 4)],
    "ring": [(v, (v + 1) % 6) for v in range(6)],
    "mesh": [(0, 1), (1, 2), (3, 4), (4, 5), (0, 3), (1, 4), (2, 5)],
    "cube": [(u, u ^ bit) for u in range(8) for bit in (1, 2, 4) if u < u ^ bit],
    "star": [(0, 1), (0, 2), (0, 3), (0, 4), (3, 4)],
}
# (network, words of `safnet plan`)
PLANS = tuple((network, words) for network in NETWORKS for words in (
    "bcast --messages 2", "scatter --flits 2", "gather --ports one", "allgather --ports one-send", "alltoall", "reduce --flits 2 --ports one",
    "reduce-scatter", "allreduce --ports one")) + (
    ("square", "alltoall --timed 0-1:latency=3;1>2,2-3:cycles_per_flit=2"), ("square", "allreduce --flits 2 --slot free"),
    ("mesh", "alltoall --routers 1"), ("cube", "alltoall --flits 3 --link-latency 1 --ports one"), ("ring", "bcast --messages 3 --flits 2 --slot free"),
    ("star", "allgather --group 1,2,4"))
# (network, words of `safnet run`, which writes what the hardware did)
TRACES = (("ring", "alltoall --node fifo"), ("mesh", "alltoall --node fifo --flits 2"), ("cube", "alltoall --node tdm"),
          ("square", "allreduce --node tdm --ports one"), ("star", "allgather --node tdm --link-latency 2"), ("mesh", "bcast --messages 3"))


@dataclass(frozen=True)
class Change:
    """A change of a kind, made with random numbers of its own."""
    path: str
    rule: str
    occurrence: int
    source_hash: str

    def key(self):
        return f"{self.path}:{self.rule}:{self.occurrence}:{self.source_hash}"


def drop_send(schedule, dice):
    at = dice.randrange(len(schedule["sends"]["slot"]))
    for column in schedule["sends"].values():
        del column[at]


def duplicate_send(schedule, dice):
    sends = schedule["sends"]
    at = dice.randrange(len(sends["slot"]))
    for column in sends.values():
        column.append(column[at])
    sends["slot"][-1] += dice.randrange(4)


def other_port(schedule, dice):
    """Another link of the same node."""
    links, sends = links_of(schedule["network"]), schedule["sends"]
    at = dice.randrange(len(sends["slot"]))
    others = [n for n, link in enumerate(links) if link.source == links[sends["link"][at]].source and n != sends["link"][at]]
    sends["link"][at] = dice.choice(others) if others else dice.randrange(len(links))


def other_link(schedule, dice):
    sends = schedule["sends"]
    sends["link"][dice.randrange(len(sends["link"]))] = dice.randrange(len(links_of(schedule["network"])))


def other_time(schedule, dice):
    sends = schedule["sends"]
    at = dice.randrange(len(sends["slot"]))
    sends["slot"][at] = max(1, sends["slot"][at] + dice.choice((-2, -1, 1, 2)))


def other_packet(schedule, dice):
    sends = schedule["sends"]
    sends["packet"][dice.randrange(len(sends["packet"]))] = dice.randrange(len(schedule["packets"]["origin"]))


def swap_packets(schedule, dice):
    column = schedule["sends"]["packet"]
    a, b = dice.randrange(len(column)), dice.randrange(len(column))
    column[a], column[b] = column[b], column[a]


def swap_times(schedule, dice):
    column = schedule["sends"]["slot"]
    a, b = dice.randrange(len(column)), dice.randrange(len(column))
    column[a], column[b] = column[b], column[a]


def other_destination(schedule, dice):
    lists = schedule["packets"]["destinations"]
    at = dice.randrange(len(lists))
    lists[at] = sorted(set(lists[at]) ^ {dice.randrange(len(schedule["network"]["ports"]))})


def other_origin(schedule, dice):
    column = schedule["packets"]["origin"]
    column[dice.randrange(len(column))] = dice.randrange(len(schedule["network"]["ports"]))


def other_length(schedule, dice):
    column = schedule["packets"]["flits"]
    column[dice.randrange(len(column))] += 1


def other_part(schedule, dice):
    """A part is added or left out, of a packet that is made of others if there is one."""
    packets = schedule["packets"]
    parts = packets.setdefault("parts", [[] for _ in packets["origin"]])
    whole = dice.choice([n for n, p in enumerate(parts) if p] or range(len(parts)))
    part = dice.choice(parts[whole] or range(len(parts)))
    parts[whole] = sorted(set(parts[whole]) ^ {part if dice.random() < 0.5 else dice.randrange(len(parts))})


def slower_link(schedule, dice):
    port = dice.choice(dice.choice([p for p in schedule["network"]["ports"] if p]))
    times = port[2:] or [0, 1]
    times[dice.randrange(2)] += 1
    port[2:] = times


def other_head(schedule, dice):
    key = dice.choice(("slot_cycles", "link_latency", "ports"))
    if key == "ports":
        schedule[key] = dice.choice([p for p in ("all", "one", "one-send") if p != schedule[key]])
    else:
        schedule[key] = max(key == "slot_cycles", schedule.get(key, 0) + dice.choice((-1, 1)))


CHANGES = {f.__name__: f for f in (drop_send, duplicate_send, other_port, other_link, other_time, other_packet, swap_packets, swap_times,
                                   other_destination, other_origin, other_length, other_part, slower_link, other_head)}


class SchedulePopulation:
    name, quick = "schedules", False

    def __init__(self, seed, wanted=MUTANTS, module=""):
        self.seed, self.plans, self.changed = seed, {}, {}
        sources = [(network, words, "plan") for network, words in PLANS] + [(network, words, "run") for network, words in TRACES]
        sources = [s for s in sources if module in f"{s[2]} {s[0]} {s[1]}"]
        random.Random(seed).shuffle(sources)
        self.wanted = {s: wanted // len(sources) + (number < wanted % len(sources)) for number, s in enumerate(sources)}

    def groups(self):
        for source, wanted in self.wanted.items():
            if wanted == 0:
                continue
            name = f"{source[2]} {source[0]} {source[1]}"
            text = self.plan(name, source)
            digest = hashlib.sha256(text.encode()).hexdigest()[:12]
            names = sorted(CHANGES)
            random.Random(f"{self.seed}:{name}").shuffle(names)
            yield name, [Change(name, rule, n, digest) for n in range(1, 60) for rule in names], wanted

    def plan(self, name, source):
        """Made anew each time: what is judged is what the program plans today."""
        network, words, verb = source
        folder = HERE / "schedules"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{network}.edges").write_text("".join(f"{u} {v}\n" for u, v in NETWORKS[network]))
        file = folder / "made.json"
        code, out = run([BUILD / "safnet", verb, f"graph:{network}.edges", *words.split(), "-o" if verb == "plan" else "--trace", file], 300,
                        cwd=folder)
        if code != 0:
            raise SystemExit(f"mutate: safnet {name}: {out.strip()}")
        self.plans[name] = in_columns(json.loads(file.read_text()))
        if judged(self.plans[name]) is None:
            raise SystemExit(f"mutate: {name}: the second judge rejects it as it is")
        return json.dumps(self.plans[name], sort_keys=True)

    def make(self, change):
        schedule = copy.deepcopy(self.plans[change.path])
        CHANGES[change.rule](schedule, random.Random(f"{change.path}:{change.rule}:{change.occurrence}"))
        sends = schedule["sends"]
        rows = sorted(zip(sends["slot"], sends["link"], sends["packet"]))
        sends["slot"], sends["link"], sends["packet"] = map(list, zip(*rows)) if rows else ([], [], [])
        return schedule

    def describe(self, change):
        return 0, f"{change.rule} {change.occurrence}"

    def is_quick(self, by):
        """Both judges and a replay take a second."""
        return True

    def expect(self, pairs):
        """Nothing needs to be prepared."""

    def judge(self, change, by=""):
        schedule = self.make(change)
        if schedule == self.plans[change.path]:
            return {"status": "invalid"}
        folder = new_folder(HERE)
        try:
            file = folder / "changed.json"
            file.write_text(json.dumps(schedule))
            cycles = judged(schedule)
            code, out = run([BUILD / "safnet", "check", file, "--json"], 60)
            accepted = code == 0
            if code not in (0, 1, 2) or accepted != (cycles is not None):
                return {"status": "survived", "why": f"check ends with {code}, the second judge says {cycles}"}
            replay, out = run([BUILD / "safnet", "replay", file, "--json"], 120)
            if not accepted:
                return {"status": "killed", "by": "both judges"} if replay in (1, 2) else {"status": "survived", "why": f"replay ends with {replay}"}
            report = json.loads(out) if replay == 0 else {}
            if report.get("cycles") == cycles == report.get("planned_cycles"):
                return {"status": "equivalent", "by": "both judges accept, and the hardware takes the planned cycles"}
            return {"status": "survived", "why": f"accepted, and replay ends with {replay}: {out.strip()[:300]}"}
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def judged(schedule):
    """The cycles that a valid schedule takes, or None."""
    try:
        return judge(schedule)
    except Wrong:
        return None
