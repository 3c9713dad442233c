#!/usr/bin/env python3
"""Runs one point of a study on the hardware and writes down what came of it. A job of scripts/explore/Snakefile.

    measure_point.py KEY

Reads plan.json and jobs.json, writes points/KEY.json and, of a collective, the page points/KEY.html. Files that a study
names are looked for where it was started. A point that cannot be run is written down with the reason; the job fails only if
the file cannot be written.
"""
import json
import os
import pathlib
import shlex
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import jsonfile  # noqa: E402
import process  # noqa: E402
import study  # noqa: E402

LONGEST = 3600  # seconds of one run
DEEP = 64  # places of a queue, more than hosts that wait for each other ever fill
LOAD_STEP = 0.01  # of the saturation load
MOST_SENDS_OF_PAGE = 2_000_000


class CannotRun(Exception):
    """Why a point has no cycles."""


class Point:
    """Runs of a point. `queue_depth` "enough" is the least depth that was found to cost no cycle."""

    def __init__(self, where, point, page, finds_saturation):
        self.where, self.point, self.page, self.finds_saturation = where, point, page, finds_saturation
        self.commands = []
        work = point["work"]
        self.common = [point["topology"], work[study.kind_of(work)]]
        self.settings = self.options("ports", "flits", "link_latency", "algorithm")

    def options(self, *axes):
        """Those that have a value. None: the file of a schedule decides; an empty algorithm is the best one."""
        return [word for axis in axes if self.point[axis] not in (None, "") for word in ("--" + axis.replace("_", "-"), self.point[axis])]

    def call(self, *words, keep=True):
        words = [str(word) for word in words]
        code, out, errors = process.run([self.where["safnet"], *words, "--json"], LONGEST, cwd=self.where["started_in"])
        if keep:
            self.commands.append(shlex.join(["build/safnet", *("run.html" if word == str(self.page) else word for word in words)]))
        if code == 2 or not out.strip():
            raise CannotRun((errors.strip().splitlines() or [f"exit code {code}"])[-1].removeprefix("safnet: "))
        result = json.loads(out)
        if result.get("violations"):
            raise CannotRun(f"the schedule is not valid: {result['violations'][0]['text']}")
        return result, code

    def processors(self):
        described, _ = self.call("describe", self.point["topology"], keep=False)
        return described.get("processors", described["nodes"])

    def measure(self):
        found = {"collective": self.collective, "schedule": self.schedule, "traffic": self.traffic}[study.kind_of(self.point["work"])]()
        self.check_header(found["hardware"])
        return found

    def check_header(self, hardware):
        """The header must fit a flit of this point's width, and be what is counted for it."""
        p = hardware["parameters"]
        length = p.get("Flits", 1).bit_length()
        if "NameWidth" in p:
            bits, room = p["NameWidth"] + length, self.point["flit_width"] // 2
        else:
            label = max(1, (p.get("LabelDepth", 1) - 1).bit_length())
            bits, room = label + p.get("NodeIdWidth", 0) + p.get("TagWidth", 0) + length, self.point["flit_width"]
        if bits > room:
            raise CannotRun(f"a header of {bits} bits does not fit: expected flits of at least {self.point['flit_width'] * bits // room} bits")
        if "bytes" in self.point["work"] and bits > 8 * study.HEADER_BYTES:
            raise CannotRun(f"a header takes {bits} bits: expected at most {8 * study.HEADER_BYTES}, as data are counted")

    # ---- collectives, and schedules from files

    def collective(self):
        if self.point["algorithm"].startswith(study.BY_SOFTWARE):
            return self.software()
        messages = study.messages_of(self.point, self.processors())
        words = ["run", *self.common, *self.settings, "--node", self.point["node"]]
        if messages != 1:
            words += ["--messages", messages]
        result, depth = self.at_its_depth(words, self.point["node"])
        return {
            **self.measures(result, depth), "lower_bound_steps": result["lower_bound"], "closed_form_steps": result["closed_form"],
            "verdict": result["verdict"], "messages": messages, "chosen_algorithm": result["algorithm"],
            "flit_hops": result["transmissions"] * result.get("piece_flits", result["flits"]), "peak_queue": result["peak_queue"],
        }

    def software(self):
        """A collective by hosts that pass packets on, in batches of that power of two, or of all packets, which takes the
        fewest cycles."""
        if self.point["node"] == "tdm":
            raise CannotRun("nodes that obey a timetable cannot wait for hosts: expected pifo, fifo or a folder")
        node = "fifo" if self.point["node"] == "auto" else self.point["node"]
        work, messages = self.point["work"], study.messages_of(self.point, self.processors())
        words = ["software", *self.common, *self.options("ports", "flits", "link_latency"), "--node", node, "--messages", messages,
                 "--host-tree", self.point["algorithm"].removeprefix(study.BY_SOFTWARE), "--host-overhead", work.get("host_overhead", 0),
                 "--combine-cycles", work.get("combine_cycles", 0)]
        batch = self.best_batch([*words, *self.depths(DEEP if self.point["queue_depth"] == "enough" else self.point["queue_depth"])], messages)
        result, depth = self.at_its_depth([*words, "--batch", batch], node)
        return {
            **self.measures(result, depth), "messages": messages, "batch": batch, "chosen_algorithm": self.point["algorithm"],
            "verdict": result["verdict"], "flit_hops": result["transmissions"] * result["flits"], "peak_queue": result["peak_queue"],
        }

    def best_batch(self, words, messages):
        batches = [1 << k for k in range(messages.bit_length()) if 1 << k < messages] + [messages]
        cycles, refusal = {}, None
        for batch in batches:
            try:
                result, code = self.call(*words, "--batch", batch, keep=False)
                if code == 0:
                    cycles[batch] = result["cycles"]
                else:
                    refusal = CannotRun(f"in batches of {batch}: {(result['waits'] + result['problems'] or ['no reason given'])[0]}")
            except CannotRun as error:  # of batches of this size
                refusal = error
        if not cycles:
            raise refusal
        return min(cycles, key=lambda batch: (cycles[batch], batch))

    def schedule(self):
        node = "tdm" if self.point["node"] == "auto" else self.point["node"]
        words = ["replay", self.point["work"]["schedule"], *self.options("topology", "ports", "flits", "link_latency"), "--node", node]
        result, depth = self.at_its_depth(words, node)
        on_routers = "peak_queue" in result
        return {
            **self.measures(result, depth), "lower_bound_steps": result.get("lower_bound"), "planned_steps": result["planned_steps"],
            "topology": result["topology"], "ports": result["ports"],
            "flit_hops": result["transmissions"] * result["flits"] if on_routers else result["flit_hops"],
            "peak_queue": result["peak_queue" if on_routers else "measured_buffers"],
        }

    @staticmethod
    def measures(result, depth):
        """What collectives and schedules have in common."""
        hardware = result["hardware"]
        return {"cycles": result["cycles"], "steps": result.get("steps"), "chosen_node": result.get("node", "tdm"), "hardware": hardware,
                "depth": hardware["parameters"]["Buffers"] if depth is None else hardware["settings"]["queue_depth"]}

    def at_its_depth(self, words, node):
        """What a run says on nodes that fit, with queues of the point's depth; and the depth, or None for nodes that obey
        a timetable, which have the buffers that it needs."""
        depth, cycles = self.point["queue_depth"], None
        if node == "tdm":
            depth = None
        elif depth == "enough":
            depth, cycles = self.least_depth(words)
        words += ["--fitted"] + self.depths(depth)
        result, code = self.call(*words, "--report", self.page)
        if result["transmissions"] > MOST_SENDS_OF_PAGE:
            os.unlink(self.page)  # it would hold a sample of so long a run, and there are many points
        if code == 3:
            raise CannotRun(f"gets stuck with queues of {depth}: {(result['waits'] or ['who waits is not known'])[0]}")
        if code != 0:
            raise CannotRun(f"failed: {(result['problems'] or ['no reason given'])[0]}")
        if cycles is not None and result["cycles"] > cycles:
            raise CannotRun(f"took {result['cycles']} cycles on nodes that fit, {cycles} on others: this is a fault of safnet")
        return result, depth if result.get("node", "tdm") != "tdm" else None

    def depths(self, depth):
        """Routers have queues; nodes that obey a timetable have the buffers that it needs."""
        return [] if depth is None else ["--queue-depth", depth, "--host-depth", self.point["host_depth"]]

    def least_depth(self, words):
        """The least depth of queues that costs no cycle, by bisection, and the cycles; None for nodes that obey a
        timetable."""
        free, code = self.call(*words, keep=False)
        if free["node"] == "tdm":
            return None, None
        if code != 0:
            raise CannotRun(f"fails with deep queues: {(free['problems'] or free['waits'] or ['no reason given'])[0]}")
        # The host's places are those of the point from here on, and cost what they cost.
        deep = max(1, min(4096, 2 * free["peak_queue"] + 4))
        cycles = self.cycles_at(words, deep)
        if cycles is None:
            raise CannotRun(f"gets stuck with queues of {deep}, twice as many as were in use with room for all")
        low, high = 1, deep
        while low < high:
            middle = (low + high) // 2
            taken = self.cycles_at(words, middle)
            if taken is not None and taken <= cycles:
                high = middle
            else:
                low = middle + 1
        return high, cycles

    def cycles_at(self, words, depth):
        """None if the run gets stuck."""
        result, code = self.call(*words, *self.depths(depth), keep=False)
        if code not in (0, 3):
            raise CannotRun(f"fails with queues of {depth}: {(result['problems'] or ['no reason given'])[0]}")
        return result["cycles"] if code == 0 else None

    # ---- traffic

    def traffic(self):
        work = self.point["work"]
        depth = 16 if self.point["queue_depth"] == "enough" else self.point["queue_depth"]
        words = ["traffic", *self.common, *self.settings, "--queue-depth", depth, "--host-depth", self.point["host_depth"]]
        if self.point["node"] != "auto":
            words += ["--node", self.point["node"]]
        for option in ("measure", "warm_up"):
            if option in work:
                words += ["--" + option.replace("_", "-"), work[option]]
        fitted = [*words, "--fitted"]
        result, code = self.call(*fitted, "--rate", work.get("load", 0.1))
        load = result["loads"][0]
        if code == 3:
            raise CannotRun(f"gets stuck with queues of {depth}: {(load['waits'] or ['who waits is not known'])[0]}")
        if code != 0 or load["problems"]:
            raise CannotRun(f"failed: {(load['problems'] or ['no reason given'])[0]}")
        saturation_load, stuck_at = self.saturation(fitted) if self.finds_saturation else (None, None)
        return {
            "latency": None if load["verdict"] == "saturated" else load["latency"]["mean"], "verdict": load["verdict"],
            "saturation_load": saturation_load, "stuck_at_load": stuck_at, "flit_hops": load["transmissions"] * self.point["flits"],
            "chosen_algorithm": result["algorithm"], "chosen_node": result["node"], "depth": depth,
            "hardware": result["hardware"],
        }

    def saturation(self, words):
        """The largest load that is carried, in steps of LOAD_STEP, 0 if none is; and the least load of those tried at which
        the network got stuck, or None."""
        low, high, stuck_at = 0, round(1 / LOAD_STEP) + 1, None  # carried, not carried
        while high - low > 1:
            middle = (low + high) // 2
            rate = f"{middle * LOAD_STEP:.2f}"
            result, code = self.call(*words, "--rate", rate, keep=False)
            load = result["loads"][0]
            if code not in (0, 3) or load["problems"]:
                raise CannotRun(f"fails at load {rate}: {(load['problems'] or ['no reason given'])[0]}")
            if code == 3:
                stuck_at = float(rate)
            low, high = (low, middle) if code == 3 or load["verdict"] == "saturated" else (middle, high)
        return round(low * LOAD_STEP, 2), stuck_at


def check_files(plan, where, point):
    """The job fails if a file that the point is made from is no longer that with which the study began."""
    name = point["work"].get("schedule")
    try:
        same = name is None or study.digest_of_file(where["started_in"], name) == plan["files"][name]
    except OSError:
        same = False
    if not same:
        raise SystemExit(f"{name} was changed while the study ran: expected a new folder for the results")


def main():
    key, folder = sys.argv[1], pathlib.Path.cwd()
    plan, where = jsonfile.read(folder / "plan.json"), jsonfile.read(folder / "jobs.json")
    point = plan["points"][key]
    page = folder / "points" / f"{key}.html"
    asked = json.dumps([plan["study"].get(name) for name in ("objectives", "constraints", "derived")])
    run = Point(where, point, page, finds_saturation="saturation_load" in asked)
    try:
        found = run.measure()
    except (CannotRun, study.BadStudy, process.TookTooLong) as error:
        found = {"error": str(error)}
    check_files(plan, where, point)
    found["commands"] = run.commands
    found["page"] = f"points/{key}.html" if page.exists() else None
    jsonfile.write(folder / "points" / f"{key}.json", found)


if __name__ == "__main__":
    main()
