"""The page of a study, and its front as SVG: both stand alone and fetch nothing."""
import base64
import gzip
import html
import json
import math
import pathlib

import study

SCRIPTS = pathlib.Path(__file__).resolve().parent
ROOT = SCRIPTS.parent.parent
CHART_JS = pathlib.Path("/usr/share/javascript/chart.js/chart.min.js")
CAVEAT = ("Cycles are those of the RTL, run by Verilator with nodes of these parameters (their flits have 64 bits, and all nodes of a "
          "network as many ports as the largest). Each node is synthesised with as many ports as it has links. A tdm_node has no "
          "memory for its timetable, which its host streams into it; routers have their tables of labels.")


def units_of(results):
    units = {name: unit for name, (unit, _) in results.study.measured.items()}
    return {**units, **{name: expression.text for name, expression in results.study.derived.items()}}


def shown(value):
    """A value of an axis in words."""
    if isinstance(value, dict):
        return " ".join(str(part) for part in value.values())
    return "best" if value == "" else value


def headline_of(results):
    front = [p for p in results.points if p["status"] == "front"]
    counts = {status: sum(p["status"] == status for p in results.points) for status in ("front", "band", "dominated", "estimated", "excluded", "failed")}
    words = ", ".join(f"{count} {status}" for status, count in counts.items() if count)
    better = " and ".join(("more " if name in study.MORE_IS_BETTER else "less ") + name for name in results.study.objectives)
    return (f"{len(results.points)} points: {words}. Better is {better}." + ("" if front else " No point is left to choose from.") +
            " " + results.model_in_words()).strip()


def is_staircase(wanted):
    """Whether the front is one line of steps downwards: of one work, in two objectives that are both to be small."""
    return len(wanted.works) == 1 and not wanted.within and len(wanted.objectives) == 2 and not study.MORE_IS_BETTER & set(wanted.objectives)


def page(results):
    axes = results.axes()
    points = []
    for p in results.points:
        points.append({"axes": {axis: shown(p["point"][axis]) for axis in axes}, "values": p["values"], "status": p["status"],
                       "reason": p["reason"], "page": p["page"], "command": (p["commands"] or [""])[-1]})
    data = {"name": results.study.name, "question": results.study.question, "headline": headline_of(results), "caveat": CAVEAT +
            " " + results.technology.caveat + " Tools: " + "; ".join(results.tools()) + ".", "axes": axes, "units": units_of(results), "steps": is_staircase(results.study),
            "objectives": results.study.objectives, "points": points}
    block = base64.b64encode(gzip.compress(json.dumps(data).encode(), mtime=0)).decode()
    # The policy keeps the page from fetching anything, whatever is in it.
    policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
    scripts = [(ROOT / "sim/page/block.js").read_text(), CHART_JS.read_text(), (SCRIPTS / "page.js").read_text()]
    return (f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n<link rel="icon" href="data:,">\n'
            f"<title>{html.escape(results.study.name)}</title>\n<style>\n{(ROOT / 'sim/page/page.css').read_text()}</style>\n</head>\n<body>\n"
            f"{(SCRIPTS / 'page.html').read_text()}"
            f'<script id="study" type="application/octet-stream">{block}</script>\n'
            + "".join(f"<script>\n{script}\n</script>\n" for script in scripts)
            + '<script>openPage(async () => new StudyPage(JSON.parse(new TextDecoder().decode(await blockIn("study")))));</script>\n'
            "</body>\n</html>\n")


# ---- the front for papers

WIDE, HIGH, LEFT, BOTTOM, TOP = 640, 420, 80, 56, 24


class Axis:
    """A logarithmic axis over positive values, from `begin` to `end` in the picture."""

    def __init__(self, values, begin, end):
        low, high = min(values), max(values)
        self.low, self.high = math.log10(low) - 0.05, math.log10(high) + 0.05
        self.begin, self.end = begin, end

    def place(self, value):
        return self.begin + (self.end - self.begin) * (math.log10(value) - self.low) / (self.high - self.low)

    def ticks(self):
        return [digit * 10**power for power in range(math.floor(self.low), math.ceil(self.high) + 1) for digit in (1, 2, 5)
                if self.low <= math.log10(digit) + power <= self.high]


def number(value):
    return f"{value:,.0f}" if value >= 1 else f"{value:.6g}"


def with_unit(name, units):
    return name if units[name] == name else f"{name} ({units[name]})"


def front_svg(results):
    """All points by the first two objectives, those of the front named."""
    across, up = results.study.objectives[0], results.study.objectives[min(1, len(results.study.objectives) - 1)]
    points = [p for p in results.points if p["status"] in ("front", "band", "dominated") and (p["values"][across] or 0) > 0 and
              (p["values"][up] or 0) > 0]
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" font-family="sans-serif" font-size="11">',
           f"<title>{html.escape(results.study.name)}</title>", f'<rect width="{WIDE}" height="{HIGH}" fill="white"/>']
    if points:
        x = Axis([p["values"][across] for p in points], LEFT, WIDE - 110)
        y = Axis([p["values"][up] for p in points], HIGH - BOTTOM, TOP)
        units = units_of(results)
        for tick in x.ticks():
            out.append(f'<line x1="{x.place(tick):.1f}" x2="{x.place(tick):.1f}" y1="{TOP}" y2="{HIGH - BOTTOM}" stroke="#ddd"/>'
                       f'<text x="{x.place(tick):.1f}" y="{HIGH - BOTTOM + 16}" text-anchor="middle">{number(tick)}</text>')
        for tick in y.ticks():
            out.append(f'<line x1="{LEFT}" x2="{WIDE - 110}" y1="{y.place(tick):.1f}" y2="{y.place(tick):.1f}" stroke="#ddd"/>'
                       f'<text x="{LEFT - 6}" y="{y.place(tick) + 4:.1f}" text-anchor="end">{number(tick)}</text>')
        out.append(f'<text x="{(LEFT + WIDE - 110) / 2}" y="{HIGH - 12}" text-anchor="middle">{html.escape(with_unit(across, units))}</text>'
                   f'<text transform="translate(16 {(TOP + HIGH - BOTTOM) / 2}) rotate(-90)" text-anchor="middle">'
                   f'{html.escape(with_unit(up, units))}</text>')
        for p in points:
            place = f'cx="{x.place(p["values"][across]):.1f}" cy="{y.place(p["values"][up]):.1f}"'
            name = ", ".join(str(shown(p["point"][axis])) for axis in results.axes())
            fill = {"front": "#0072b2", "band": "#9ecae9"}.get(p["status"], "none")
            out.append(f'<circle {place} r="4" fill="{fill}" stroke="#0072b2"><title>{html.escape(name)}</title></circle>')
            if p["status"] == "front":
                out.append(f'<text x="{x.place(p["values"][across]) + 7:.1f}" y="{y.place(p["values"][up]) + 4:.1f}">{html.escape(name)}</text>')
    return "\n".join([*out, "</svg>"]) + "\n"
