#!/usr/bin/env python3
"""Puts the results of a study together: points.csv, points.json, front.svg and index.html. The last job of a study.

    results.py choose     writes promising.json: nodes that are worth a synthesis, by the area model
    results.py write

points.json is described in scripts/explore/README.md.
"""
import csv
import io
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import area_model  # noqa: E402
import front_picture  # noqa: E402
import jsonfile  # noqa: E402
import nodes  # noqa: E402
import page  # noqa: E402
import study  # noqa: E402

COPIED_FROM_RUN = ("cycles", "latency", "saturation_load", "flit_hops", "peak_queue", "depth")


def measures_of(target, found, synthesised):
    """Objectives of a point from its run, and from the syntheses of its nodes: [(how many, result)]."""
    values = {name: found.get(name) for name in COPIED_FROM_RUN}
    values.update(target.measures(synthesised))
    for name, of in (("ns", "cycles"), ("latency_ns", "latency")):
        values[name] = None if None in (values[of], values["period"]) else round(values[of] * values["period"], 2)
    return values


class Results:
    """Every point of a study with what came of it."""

    def __init__(self, folder):
        self.folder = folder
        self.plan = jsonfile.read(folder / "plan.json")
        self.study = study.Study(self.plan["study"], "study")
        self.technology = self.study.technology
        self.nodes = jsonfile.read(folder / "nodes.json")
        self.synthesised = {}
        for path in sorted((folder / "nodes").glob("*.json")):
            if path.stem in self.nodes["all"]:
                self.synthesised[path.stem] = jsonfile.read(path)
        self.models = area_model.models_of(self.nodes["all"], self.synthesised, nodes.stored_bits, self.technology)
        self.points = [self.point(key, point) for key, point in self.plan["points"].items()]

    def point(self, key, point):
        found = jsonfile.read(self.folder / "points" / f"{key}.json")
        result = {"key": key, "point": point, "values": dict.fromkeys([*self.study.measured, *self.study.derived]),
                  "status": "failed", "reason": found.get("error"), "commands": found["commands"], "page": found["page"]}
        if "error" in found:
            return result
        result["run"] = {k: v for k, v in found.items() if k not in ("commands", "page", "hardware")}
        synthesised, too_large = [], ""
        for count, node in nodes.nodes_of(found["hardware"], point["flit_width"]):
            area = self.area_of(node)
            if "error" in area:
                return {**result, "reason": f"{node['module']} {nodes.why_not(node)}" if nodes.why_not(node) else
                        f"synthesis of {node['module']}: {area['error']}"}
            synthesised.append((count, area))
            too_large = too_large or (f"a {node['module']} {nodes.why_not(node)}" if nodes.why_not(node) else "")
        estimated = any("estimated" in area for _, area in synthesised)
        result["nodes"] = [{"count": count, **area} for count, area in synthesised]
        values = measures_of(self.technology, found, synthesised)
        for name, expression in self.study.derived.items():
            values[name] = expression.value(values)
        result["values"] = values
        for _, area in synthesised:
            if "too_large" in area:
                return {**result, "reason": f"{area['module']}: {area['too_large']}"}
        for constraint in self.study.constraints:
            if constraint.value(values) is not True:
                return {**result, "status": "excluded", "reason": f"not {constraint.text}"}
        missing = [name for name in self.study.objectives if values[name] is None]
        if missing:
            return {**result, "reason": f"has no {', '.join(missing)}"}
        if estimated:
            return {**result, "status": "estimated", "reason": (too_large or "its nodes were not synthesised") + ": area and period by the model"}
        return {**result, "status": "candidate", "reason": None}  # mark_front() says more

    def area_of(self, node):
        """What was synthesised; of other nodes an estimate, with the key "estimated"."""
        found = self.synthesised.get(nodes.key_of(node, self.technology))
        if found is not None:
            return found
        model = self.models.get(node["module"])
        # A search must come to the same points when it is repeated; estimates change with what else has been synthesised.
        estimate = {} if model is None or self.study.is_searched() else model.estimate(area_model.features_of(node, nodes.stored_bits(node)))
        if set(estimate) != set(self.technology.fitted):
            return {"error": f"not synthesised, and fewer than {area_model.LEAST_SAMPLES} others were to estimate it from"}
        for name in self.technology.whole:
            estimate[name] = round(estimate[name])
        if reason := self.technology.too_large(estimate):
            estimate["too_large"] = reason
        return {**estimate, "module": node["module"], "parameters": node["parameters"],
                **dict.fromkeys(self.technology.not_fitted), "estimated": True}

    def choose(self):
        """Nodes of those points that are best by the estimates: those that no other point is better than, then those that
        only these are better than, and so on, as far as the study wants syntheses."""
        left = self.plan["study"].get("most_syntheses", len(self.nodes["all"])) - len(self.synthesised)
        chosen = []
        groups = {p["key"]: self.study.compared_with(p["point"]) for p in self.points}
        candidates = [p for p in self.points if p["status"] in ("candidate", "estimated")]
        while left > len(chosen) and candidates:
            costs = {p["key"]: self.costs(p) for p in candidates}
            best = [p for p in candidates if not any(self.is_better(costs[q["key"]], costs[p["key"]])
                                                     for q in candidates if groups[q["key"]] == groups[p["key"]])]
            for point in best:
                found = jsonfile.read(self.folder / "points" / f"{point['key']}.json")
                keys = [nodes.key_of(node, self.technology) for _, node in nodes.nodes_of(found["hardware"], point["point"]["flit_width"])]
                chosen += [key for key in dict.fromkeys(keys)
                           if key not in self.synthesised and key not in chosen and not nodes.why_not(self.nodes["all"][key])]
            names = {p["key"] for p in best}
            candidates = [p for p in candidates if p["key"] not in names]
        jsonfile.write(self.folder / "promising.json", chosen[:max(0, left)])

    def costs(self, point):
        return [(-1 if name in study.MORE_IS_BETTER else 1) * point["values"][name] for name in self.study.objectives]

    def model_in_words(self):
        """How far estimates are off; empty if there are none."""
        if not any(p["status"] == "estimated" for p in self.points):
            return ""
        size, delay = self.technology.size, self.technology.delay
        errors = [f"{module}: {size} {100 * model.error[size]:.0f} %, {delay} {100 * model.error[delay]:.0f} %"
                  for module, model in self.models.items() if size in model.error and delay in model.error]
        return (f"{len(self.synthesised)} of {len(self.nodes['all'])} nodes were synthesised, the others estimated from them. "
                f"For a synthesised node that it is not fitted to, the model is off by at most: {'; '.join(errors)}; beyond the "
                "largest and the smallest of them it may be off by more.")

    def search_in_words(self):
        """How many points were not looked at; empty if all were."""
        if not self.study.is_searched():
            return ""
        return (f"Of the {self.study.space:,} points of the space {len(self.points):,} were measured, chosen by {self.plan['sampler']}. "
                "The front is that of these; among the others there may be better ones.")

    def spread(self, point, name):
        """How much of an objective of a point is within the tools' own spread: the sum of what each measure moves it by."""
        measured = self.study.measured
        if name in measured:
            return abs(point["values"][name]) * measured[name][1]
        total = 0.0
        for base in self.study.base_of(name):
            moved = dict(point["values"])
            moved[base] *= 1 + measured[base][1]
            for derived, expression in self.study.derived.items():
                moved[derived] = expression.value(moved)
            total += abs((moved[name] if moved[name] is not None else point["values"][name]) - point["values"][name])
        return total

    @staticmethod
    def surely_better(a, b, costs_of_a, costs_of_b, spreads_of_b):
        """Of two points, one as good as the other in all objectives: whether in one it is by more than the spread. Where the
        nodes are the same there is none."""
        same = [node["parameters"] for node in a["nodes"]] == [node["parameters"] for node in b["nodes"]]
        return any(x < y - (0 if same else spread) for x, y, spread in zip(costs_of_a, costs_of_b, spreads_of_b))

    @staticmethod
    def is_better(costs_of_a, costs_of_b):
        return all(a <= b for a, b in zip(costs_of_a, costs_of_b)) and costs_of_a != costs_of_b

    def mark_front(self):
        """A point that no other one is better than in all objectives is on the front; one that no other is better than by
        more than the spread of the tools is in its band."""
        found = [p for p in self.points if p["status"] == "candidate"]
        costs = [self.costs(p) for p in found]
        spreads = [[self.spread(p, name) for name in self.study.objectives] for p in found]
        groups = {}
        for i, p in enumerate(found):
            groups.setdefault(self.study.compared_with(p["point"]), []).append(i)
        for group in groups.values():
            for i in group:
                better = [k for k in group if self.is_better(costs[k], costs[i])]
                surely = any(self.surely_better(found[k], found[i], costs[k], costs[i], spreads[i]) for k in better)
                found[i]["status"] = "dominated" if surely else "band" if better else "front"

    # ---- files

    def axes(self):
        return self.study.varying() or ["topology"]

    def write(self):
        self.mark_front()
        self.put("points.csv", self.table())
        self.put("front.svg", front_picture.front_svg(self, page.units_of(self), page.shown))
        self.put("index.html", page.page(self))
        document = {"format": "safnet-points", "version": 1, "study": self.plan["study"], "program": self.plan["program"],
                    "space": self.study.space, "sampler": self.plan["sampler"],
                    "objectives": self.study.objectives, "tools": self.tools(), "model": self.model_in_words(), "points": self.points}
        self.put("points.json", json.dumps(document, indent=1) + "\n")  # the last: who reads it finds the others

    def tools(self):
        return sorted({node["tools"] for node in self.synthesised.values() if "tools" in node})

    def put(self, name, text):
        jsonfile.write_text(self.folder / name, text)

    def table(self):
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        names = [*self.study.measured, *self.study.derived]
        writer.writerow([*study.AXES, "work", "messages", "status", "reason", *names, "command"])
        for p in self.points:
            axes = [p["point"][axis] for axis in study.AXES]
            work = page.shown(p["point"]["work"])
            writer.writerow([*axes, work, p.get("run", {}).get("messages", ""), p["status"], p["reason"] or "",
                             *("" if p["values"][name] is None else p["values"][name] for name in names),
                             (p["commands"] or [""])[-1]])
        return out.getvalue()


if __name__ == "__main__":
    results = Results(pathlib.Path.cwd())
    results.choose() if sys.argv[1] == "choose" else results.write()
