"""The page of a study, which stands alone and fetches nothing."""
import base64
import gzip
import html
import json
import pathlib

import study

SCRIPTS = pathlib.Path(__file__).resolve().parent
ROOT = SCRIPTS.parent.parent
CHART_JS = pathlib.Path("/usr/share/javascript/chart.js/chart.min.js")
CAVEAT = ("Cycles are those of the RTL, run by Verilator with nodes of these parameters (their flits have 64 bits, and all nodes of a "
          "network as many ports as the largest). Each node is synthesised with as many ports as it has links. A tdm_node has no "
          "memory for its timetable, which its host streams into it; routers have their tables of labels.")

OF_SOFTWARE = ("Where hosts do a collective by software, the cycles that they are busy are those that the study assumes "
               "(host_overhead, combine_cycles), and no area holds the hosts.")


def units_of(results):
    units = {name: unit for name, (unit, _) in results.study.measured.items()}
    return {**units, **{name: expression.text for name, expression in results.study.derived.items()}}


def shown(value):
    """A value of an axis in words."""
    if isinstance(value, dict):  # a work: what is done, how much, and the rest by name
        return " ".join(str(part) if key in (*study.WORKS, "bytes") else f"{key} {part}" for key, part in value.items())
    return "best" if value == "" else "of its file" if value is None else value


def headline_of(results):
    front = [p for p in results.points if p["status"] == "front"]
    counts = {status: sum(p["status"] == status for p in results.points) for status in ("front", "band", "dominated", "estimated", "excluded", "failed")}
    words = ", ".join(f"{count} {status}" for status, count in counts.items() if count)
    better = " and ".join(("more " if name in study.MORE_IS_BETTER else "less ") + name for name in results.study.objectives)
    return (f"{len(results.points)} points: {words}. Better is {better}." + ("" if front else " No point is left to choose from.") +
            " " + results.search_in_words() + " " + results.model_in_words()).strip()


def is_staircase(wanted):
    """Whether the front is one line of steps downwards: of one work, in two objectives that are both to be small."""
    return len(wanted.works) == 1 and not wanted.within and len(wanted.objectives) == 2 and not study.MORE_IS_BETTER & set(wanted.objectives)


def page(results):
    axes = results.axes()
    points = []
    for p in results.points:
        points.append({"axes": {axis: shown(p["point"][axis]) for axis in axes}, "values": p["values"], "status": p["status"],
                       "reason": p["reason"], "page": p["page"], "command": (p["commands"] or [""])[-1]})
    caveat = " ".join([CAVEAT, *([OF_SOFTWARE] if results.study.has_software() else []), results.technology.caveat,
                       "Tools: " + "; ".join(results.tools()) + "."])
    data = {"name": results.study.name, "question": results.study.question, "headline": headline_of(results), "caveat": caveat,
            "axes": axes, "units": units_of(results), "steps": is_staircase(results.study), "objectives": results.study.objectives,
            "points": points}
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
