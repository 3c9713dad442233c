"""Pages of sweeps (`--sweep --report`), opened in a browser: curves and table are what the program measured."""
import json
import subprocess
from fractions import Fraction

import pytest
from cases import cases

browser = pytest.importorskip("browser", reason="python3-selenium is installed by `make test`")

SWEEP = "traffic ring:8 tornado --sweep 0.1:0.5:0.1 --threads 2"


@pytest.fixture(scope="module")
def chromium():
    opened = browser.Browser()
    yield opened
    opened.close()


def points_of(chromium, curve):
    return chromium.run("return page.chart.data.datasets[arguments[0]].data.map(({x, y}) => [x, y])", curve)


def assert_quiet(chromium):
    assert chromium.complaints() == []
    assert chromium.requests() == []


def test_curves_and_table_are_what_was_measured(succeed, folder, chromium):
    loads = json.loads(succeed(f"{SWEEP} --report page.html --json").out)["loads"]
    chromium.open(folder / "page.html")
    assert_quiet(chromium)
    assert points_of(chromium, 0) == [[float(load["rate"]), load["latency"]["mean"]] for load in loads]
    assert points_of(chromium, 1) == [[float(load["rate"]), load["latency"]["p99"]] for load in loads]
    assert points_of(chromium, 2) == [[float(load["rate"]), load["network_latency"]["mean"]] for load in loads]
    assert {x for x, _ in points_of(chromium, 3)} == {1 / 3}  # the limit, a vertical line
    hollow = chromium.run("return page.plot.series[0].points.map((point) => point.hollow)")
    assert hollow == [load["verdict"] == "saturated" for load in loads] and len(set(hollow)) == 2
    cells = chromium.run("return [...document.querySelectorAll('#table tbody tr')].map((row) => [...row.cells].map((c) => c.textContent))")
    assert [[row[0], row[-1]] for row in cells] == [[load["rate"], load["verdict"]] for load in loads]
    axes = chromium.run("return Object.values(page.chart.options.scales).map((axis) => axis.title.text)")
    assert axes == ["offered load, flits per sending node and cycle", "latency, cycles"]
    assert chromium.text("#command") == f"build/safnet {SWEEP} --report page.html --json"
    assert chromium.run("return document.getElementById('index').hidden") is True


def test_delays_of_dynamic_broadcasting(succeed, folder, chromium):
    command = "dynamic-broadcast mesh:4x4 --split --packets 200 --of-limit --sweep 0.3:1.2:0.3 --report page.html"
    study = json.loads(succeed(command + " --json").out)
    loads = study["loads"]
    chromium.open(folder / "page.html")
    assert_quiet(chromium)
    assert points_of(chromium, 0) == [[pytest.approx(float(Fraction(load["rate"]))), load["delay"]["mean"]] for load in loads]
    assert points_of(chromium, 1) == [[pytest.approx(float(Fraction(load["rate"]))), load["delay"]["p99"]] for load in loads]
    bound = dict(points_of(chromium, 2))
    assert min(bound) == 0 and max(bound) < Fraction(study["published_stable_rate"])
    limits = [study["published_stable_rate"], study["stable_rate"], study["largest_rate"]]
    assert [points_of(chromium, 3 + k)[0][0] for k in range(3)] == [pytest.approx(float(Fraction(limit))) for limit in limits]
    assert chromium.run("return page.chart.data.datasets.length") == 6
    verdicts = chromium.run("return page.rows.map((row) => row.lastChild.textContent)")
    assert verdicts == [load["verdict"] for load in loads]


def test_page_repeats_itself(succeed, folder):
    succeed(f"{SWEEP} --report page.html")
    first = (folder / "page.html").read_bytes()
    succeed(f"{SWEEP} --report page.html")
    assert (folder / "page.html").read_bytes() == first


def test_a_run_is_marked_in_table_and_picture(succeed, folder, chromium):
    succeed(f"{SWEEP} --report page.html")
    chromium.open(folder / "page.html")
    radii = "return page.chart.getDatasetMeta(0).data.map((point) => point.options.radius)"
    assert len(set(chromium.run(radii))) == 1
    # A click between the second and the third point, nearer to the third.
    chromium.run("""
        const {chart} = page; const [a, b] = [1, 2].map((i) => chart.getDatasetMeta(0).data[i]);
        const canvas = chart.canvas, box = canvas.getBoundingClientRect();
        canvas.dispatchEvent(new MouseEvent('click', {bubbles: true,
          clientX: box.left + a.x + 0.7 * (b.x - a.x), clientY: box.top + a.y - 20}));
        // Chart.js handles it in the next frame.
        return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));""")
    chosen = "return [...document.querySelectorAll('#table tbody tr')].findIndex((row) => row.hasAttribute('aria-current'))"
    assert chromium.run(chosen) == 2
    chromium.run("page.rows[4].dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter'}))")
    assert chromium.run(chosen) == 4
    shown = chromium.run(radii)
    assert shown[4] == max(shown) and shown.count(shown[4]) == 1
    chromium.run("page.rows[4].click()")
    assert chromium.run(chosen) == -1
    assert_quiet(chromium)


def test_curves_are_hidden_and_the_axis_changed(succeed, folder, chromium):
    succeed(f"{SWEEP} --report page.html")
    chromium.open(folder / "page.html")
    visible = "return page.chart.data.datasets.map((_, k) => page.chart.isDatasetVisible(k))"
    assert chromium.run(visible) == [True] * 4
    chromium.run("document.querySelectorAll('#curves input')[1].click()")
    assert chromium.run(visible) == [True, False, True, True]
    assert chromium.run("return page.chart.scales.y.type") == "logarithmic"
    chromium.run("document.getElementById('logarithmic').click()")
    assert chromium.run("return [page.chart.scales.y.type, page.chart.scales.y.min]") == ["linear", 0]
    chromium.run("document.getElementById('theme').click()")
    assert chromium.run(visible) == [True, False, True, True]
    colours = chromium.run("return page.chart.data.datasets.map((curve) => curve.borderColor)")
    assert len(set(colours)) == 4 and all(colours)
    assert_quiet(chromium)


def test_names_from_files_are_text(succeed, folder, chromium):
    name = "<img src=x onerror=alert(1)>\"'&"
    (folder / name).write_text("0 1\n1 2\n")
    succeed("traffic", f"graph:{name}", "uniform", "--sweep", "0.1,0.2", "--measure", "200", "--report", "page.html")
    chromium.open(folder / "page.html")
    assert_quiet(chromium)
    assert name in chromium.text("#title") and name in chromium.text("#headline") and "<img" in chromium.text("#command")
    assert chromium.run("return document.title") == chromium.text("#title")
    assert chromium.run("return document.querySelectorAll('img').length") == 0


def test_stuck_runs_say_who_waits(safnet, folder, chromium):
    done = safnet("traffic fat-tree:2,3 uniform --ports one-send --queue-depth 1 --measure 300 --sweep 0.02,0.9 --report page.html")
    assert done.code == 3
    chromium.open(folder / "page.html")
    assert_quiet(chromium)
    problems = chromium.run("return [...document.querySelectorAll('#problems-list li')].map((item) => item.textContent)")
    assert problems and all(problem in done.out.split("\n") for problem in problems)
    assert any(problem.startswith("stuck at 0.9: cycle of waiting nodes") for problem in problems)
    assert chromium.run("return page.rows.map((row) => row.lastChild.className)")[1] == "bad"


def test_the_index_leads_there_and_back(succeed, folder, chromium):
    succeed("table areas --report pages")
    succeed("traffic ring:8 tornado --sweep 0.1,0.2 --measure 200 --report pages/traffic.html")
    succeed("table areas --report pages")
    assert 'href="traffic.html"' in (folder / "pages" / "index.html").read_text()
    chromium.open(folder / "pages" / "traffic.html")
    assert chromium.run("return document.getElementById('index').hidden") is False


def test_a_full_disk_leaves_what_was_there(succeed, program, folder):
    command = "traffic ring:8 tornado --sweep 0.1,0.2 --measure 200 --report page.html"
    succeed(command)
    (folder / "page.html").write_text("before")
    done = subprocess.run(["bash", "-c", f"ulimit -f 4; exec {program} {command}"], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and done.stderr.startswith("safnet: page.html: cannot be written") and done.stderr.count("\n") == 1
    assert (folder / "page.html").read_text() == "before" and len(list(folder.iterdir())) == 1


@pytest.mark.parametrize("pattern, options", cases(
    ("a page into nowhere", r"--report nowhere/page.html: ", "--report nowhere/page.html"),
    ("a page that is no page", r"--report 'page.txt': expected a name that ends in .html", "--report page.txt"),
    ("a page in the place of the table", r"--report './x.html': expected another file than that of --csv",
     "--report ./x.html --csv x.html"),
    ("packets of a sweep", r"--transfers 'x.csv': expected one load", "--transfers x.csv"),
    ("a trace of a sweep", r"--perfetto 'x.pb': expected one load", "--report page.html --perfetto x.pb"),
    ("steps of a sweep", r"--report-steps '1:2': expected one load", "--report page.html --report-steps 1:2"),
))
def test_refused(refuse, pattern, options):
    refuse(pattern, f"traffic ring:4 uniform --sweep 0.1,0.2 {options}")
