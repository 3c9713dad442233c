"""Pages of runs (`--report`, `safnet report`), opened in a browser: what they show is what the trace says."""
import csv
import json

import pytest

browser = pytest.importorskip("browser", reason="python3-selenium is installed by `make test`")

RUNS = {
    "ring": "run ring:8 total-exchange",
    "torus": "run torus:4x4 total-exchange --ports one",
    "fat-tree": "run fat-tree:2,3 alltoall",
    "mesh": "run mesh:4x4 multinode-broadcast",
    "allreduce": "run torus:4x4 allreduce --algorithm auto",
    "flits": "run hypercube:3 broadcast --ports one --flits 4 --link-latency 3",
    "one-way": "run kautz:2,3 broadcast",
    "petersen": "run petersen alltoall",
}


@pytest.fixture(scope="module")
def chromium():
    opened = browser.Browser()
    yield opened
    opened.close()


def events_of(path):
    """Of a trace: (first cycle, last cycle on the link, packet) of every send."""
    trace = json.loads(path.read_text())
    slot, latency = trace.get("slot_cycles", 1), trace.get("link_latency", 0)
    flits, sends = trace["packets"]["flits"], trace["sends"]
    starts = [s for s, n in zip(sends["slot"], sends.get("count", [1] * len(sends["slot"]))) for _ in range(n)]
    events = []
    for start, packet in zip(starts, sends["packet"]):
        first = (start - 1) * slot + 1
        length = flits if isinstance(flits, int) else flits[packet]
        events.append((first, first + length - 1 + latency, packet))
    return events


@pytest.mark.parametrize("name", RUNS)
def test_packets_on_links_are_those_of_the_trace(name, succeed, folder, chromium, root):
    succeed(f"{RUNS[name]} --report page.html --trace trace.json")
    events = events_of(folder / "trace.json")
    chromium.open(folder / "page.html")
    last = max(end for _, end, _ in events)
    for k in range(10):
        cycle = 1 + k * (last - 1) // 9
        on_links = sum(begin <= cycle <= end for begin, end, _ in events)
        assert chromium.run("page.clock.goToCycle(arguments[0]); return page.recording.onLinks(page.clock.cycle)",
                            cycle) == on_links
        assert chromium.run("page.network.drawNow(); return page.network.shownPackets") == on_links
    shots = root / "build" / "page_pictures"
    shots.mkdir(parents=True, exist_ok=True)
    chromium.picture(shots / f"{name}.png")
    assert chromium.complaints() == []
    assert chromium.requests() == []


SCANS = {
    "partial-broadcast": "run mesh:4x4 partial-multinode-broadcast --active 0,3,5,6,9,15 --flits 4",
    "halves": "run torus:3x3 partial-multinode-broadcast --active 1,4,8 --flits 8 --split",
    "accumulation": "run hypercube:3 partial-multinode-accumulation --active 1,2,6,7 --flits 2",
    "monotone": "run mesh:3x3 monotone-routing --active 0,1,6 --destinations 2,4,8",
    "dynamic": "dynamic-broadcast torus:3x3 --packets 40",
}


@pytest.mark.parametrize("name", [*RUNS, *SCANS])
def test_page_agrees_with_the_table_of_transfers(name, succeed, folder, chromium, root):
    """What the page makes of the recording by itself - who is on a link, who waited how long - the program does too."""
    succeed(f"{(RUNS | SCANS)[name]} --report page.html --transfers table.csv")
    with open(folder / "table.csv", encoding="utf-8") as file:
        table = [{k: int(v) for k, v in row.items() if v.isdigit()} for row in csv.DictReader(file)]
    chromium.open(folder / "page.html")
    rows = chromium.run("""
        const {recording} = page;
        return Array.from(recording.start, (start, i) => [start, recording.arrival[i], recording.link[i],
                                                          recording.packet[i], start - recording.available[i]]);""")
    assert rows == [[row[k] for k in ("cycle", "arrival_cycle", "link", "packet", "waited_cycles")] for row in table]
    last = max(row["arrival_cycle"] for row in table)
    for cycle in range(1, last + 1, 1 + last // 20):
        on_links = sum(row["cycle"] <= cycle <= row["arrival_cycle"] for row in table)
        assert chromium.run("page.clock.goToCycle(arguments[0]); return page.recording.onLinks(page.clock.cycle)",
                            cycle) == on_links
    if name in SCANS:
        chromium.picture(root / "build" / "page_pictures" / f"{name}.png")
    assert chromium.complaints() == []
    assert chromium.requests() == []


def test_deliveries_of_nodes_that_find_out_who_is_active(succeed, folder, chromium):
    for words in ("partial-multinode-broadcast --active 0,2,3,8", "partial-multinode-accumulation --active 0,2,3,8"):
        out = json.loads(succeed(f"run mesh:3x3 {words} --flits 8 --report page.html --json").out)
        chromium.open(folder / "page.html")
        delivered = chromium.run("return Array.from(page.recording.deliveryCycles)")
        assert len(delivered) == out["delivered"]
        assert max(delivered) == out["last_delivery"]


def test_phases_of_nodes_that_find_out_who_is_active(succeed, folder, chromium):
    out = json.loads(succeed("run mesh:3x3 partial-multinode-broadcast --active 0,2,3,8 --flits 8 --report page.html "
                             "--json").out)
    chromium.open(folder / "page.html")
    cycle = 0
    for phase, cycles in out["phase_cycles"].items():
        if cycles == 0:
            continue
        for at in (cycle + 1, cycle + cycles):
            chromium.run("page.clock.goToCycle(arguments[0])", at)
            assert chromium.text("#status").startswith(f"{phase}: ")
        cycle += cycles
    # A packet says what it is for.
    names = chromium.run("return Array.from(page.recording.origin, (_, p) => page.recording.packetName(p).split(' ')[0])")
    assert set(names) == {"prefix", "packing", "broadcast"}


def test_delays_of_dynamic_broadcasting(succeed, folder, chromium):
    out = json.loads(succeed("dynamic-broadcast torus:3x3 --packets 60 --flits 8 --report page.html --json").out)["loads"][0]
    chromium.open(folder / "page.html")
    last = chromium.run("""
        const {recording} = page;
        const last = new Map();
        recording.deliveryPackets.forEach((p, k) => last.set(p, Math.max(last.get(p) ?? 0, recording.delays[k])));
        return [...last.values()];""")
    assert len(last) == 60
    # Arrivals have fractions of cycles, which the page rounds up: a packet's delay is at most a cycle longer or shorter.
    mean = sum(last) / 60
    assert abs(mean - out["delivery_delay"]["mean"] * 8) <= 1


def test_page_is_small(succeed, folder):
    succeed("run torus:8x8 total-exchange --report page.html --trace trace.json.gz")
    assert (folder / "page.html").stat().st_size <= 500_000 + 1.5 * (folder / "trace.json.gz").stat().st_size


def test_time_by_buttons_keys_and_scrubber(succeed, folder, chromium):
    succeed("run ring:8 total-exchange --report page.html")
    chromium.open(folder / "page.html")
    step = lambda: chromium.run("return page.clock.step")
    assert step() == 1
    chromium.run("document.getElementById('forward').click()")
    assert step() == 2 and chromium.text("#moment") == "step 2 of 8"
    chromium.press("ArrowRight")
    assert step() == 3
    chromium.press("End")
    assert step() == 8
    chromium.press("Home")
    assert step() == 1
    chromium.run("const s = document.getElementById('scrubber'); s.value = 6; s.dispatchEvent(new Event('input'))")
    assert step() == 6
    chromium.press(" ")
    assert chromium.run("return page.clock.playing") is True
    chromium.press(" ")
    assert chromium.run("return page.clock.playing") is False


def test_a_click_on_a_packet_shows_its_way(succeed, folder, chromium):
    succeed("run ring:8 total-exchange --report page.html --trace trace.json")
    chromium.open(folder / "page.html")
    chromium.run("page.clock.goToStep(2)")
    packet, x, y = chromium.run("""
        const place = {x: 0, y: 0}; const view = page.network; let found = null;
        page.recording.forEachOnLinks(page.clock.cycle, (i) => {
          view.placeOnLink(page.recording.link[i], 0.5, place); found = [page.recording.packet[i], place.x, place.y]; });
        return found;""")
    chromium.click("#network", x, y)
    shown = chromium.run("return page.look.selection.packet")
    assert shown == packet and chromium.text("#detail h3").startswith(f"Packet {shown}:")
    steps = [begin for begin, _, p in events_of(folder / "trace.json") if p == shown]
    rows = chromium.run("return [...document.querySelectorAll('#detail tbody tr')].map((row) => row.cells[0].textContent)")
    assert [int(row) for row in rows] == steps


def test_a_click_on_a_node_shows_its_timeline(succeed, folder, chromium):
    succeed("run ring:8 total-exchange --report page.html")
    chromium.open(folder / "page.html")
    x, y = chromium.run("return [page.network.screenX(3), page.network.screenY(3)]")
    chromium.click("#network", x, y)
    assert chromium.text("#detail h3") == "Node 3"
    assert "16 packets" in chromium.text("#detail dl")


def test_a_click_on_a_link_shows_what_it_carried(succeed, folder, chromium):
    succeed("run ring:8 total-exchange --report page.html --trace trace.json")
    sends = json.loads((folder / "trace.json").read_text())["sends"]
    chromium.open(folder / "page.html")
    # Not in the middle, where a packet is.
    x, y = chromium.run("const p = {x: 0, y: 0}; page.network.placeOnLink(5, 0.3, p); return [p.x, p.y]")
    chromium.click("#network", x, y)
    assert chromium.run("return page.look.selection.link") == 5
    assert f"{sends['link'].count(5)} packets" in chromium.text("#detail dl")
    chromium.run("document.querySelectorAll('#detail tbody button')[2].click()")
    assert chromium.run("return page.clock.step") == [s for s, n in zip(sends["slot"], sends["count"])
                                                      for _ in range(n)][[k for k, link in enumerate(sends["link"]) if link == 5][1]]


def test_zoom_and_pan(succeed, folder, chromium):
    succeed("run ring:8 total-exchange --report page.html")
    chromium.open(folder / "page.html")
    for view, scale, place in (("network", "scale", "left"), ("spaceTime", "perCycle", "time0")):
        before = chromium.run(f"return [page.{view}.{scale}, page.{view}.{place}]")
        chromium.run(f"page.{view}.movingCanvas.dispatchEvent(new KeyboardEvent('keydown', {{key: '+', bubbles: true}}))")
        zoomed = chromium.run(f"return page.{view}.{scale}")
        assert zoomed > before[0] or view == "spaceTime"  # which shows a short run as large as it can already
        chromium.run(f"page.{view}.zoomed(4, 200, 20); page.{view}.dragged(-30, 0)")
        assert chromium.run(f"return page.{view}.{place}") != before[1] or zoomed == before[0]
        chromium.run(f"page.{view}.movingCanvas.dispatchEvent(new KeyboardEvent('keydown', {{key: '0', bubbles: true}}))")
        assert chromium.run(f"return [page.{view}.{scale}, page.{view}.{place}]") == before


def test_each_colouring_has_a_legend_and_colours(succeed, folder, chromium):
    succeed("run torus:4x4 total-exchange --ports one --report page.html")
    chromium.open(folder / "page.html")
    pictures = set()
    for name in ("hops", "source", "wait", "message"):
        chromium.run("const c = document.getElementById('colour'); c.value = arguments[0]; c.dispatchEvent(new Event('change'))", name)
        colours = chromium.run("""
            const colours = [];
            for (let i = 0; i < page.recording.sends; ++i) colours.push(page.look.colouring.colour(i));
            return colours;""")
        assert len(set(colours)) > 1 and None not in colours
        pictures.add(tuple(colours))
        assert chromium.run("return page.look.colouring.words") in chromium.text("#legend")
    assert len(pictures) == 4


def test_filters(succeed, folder, chromium):
    succeed("run torus:4x4 total-exchange --report page.html")
    chromium.open(folder / "page.html")
    fill = lambda box, word: chromium.run(
        "const b = document.getElementById(arguments[0]); b.value = arguments[1]; b.dispatchEvent(new Event('input'))", box, word)
    fill("source", "1_2")
    assert chromium.text("#filtered") == "15 of 240 packets"
    fill("destination", "0")
    assert chromium.text("#filtered") == "1 of 240 packets"
    fill("source", "nowhere")
    assert chromium.run("return document.getElementById('source').getAttribute('aria-invalid')") == "true"
    chromium.press("Escape")
    assert chromium.text("#filtered") == ""


def test_address_of_a_moment(succeed, folder, chromium):
    succeed("run ring:8 total-exchange --report page.html")
    chromium.open(folder / "page.html", "#step=5&packet=42")
    assert chromium.run("return [page.clock.step, page.look.selection.packet]") == [5, 42]
    chromium.open(folder / "page.html", "#step=99999999999&packet=x&node=-1")
    assert chromium.run("return [page.clock.step, page.look.selection.packet]") == [8, None]


def test_names_from_files_are_text(succeed, folder, chromium):
    name = "<script>alert(1)</script>\"'&"
    (folder / "net.json").write_text(json.dumps({
        "format": "safnet-schedule", "version": 1, "ports": "all",
        "description": name, "algorithm": name,
        "network": {"name": name, "ports": [[[1, 0]], [[0, 0], [2, 0]], [[1, 1]]]},
        "packets": {"flits": 1, "origin": [0], "tag": [0], "destinations": [2]},
        "sends": {"slot": [1, 2], "link": [0, 2], "packet": [0, 0]}}))
    succeed("report net.json -o page.html")
    chromium.open(folder / "page.html")
    assert chromium.complaints() == []
    assert "<script>" in chromium.text("#title")
    assert chromium.run("return document.querySelectorAll('#title script').length") == 0


def test_stuck_run_says_who_waits(safnet, folder, chromium):
    assert safnet("run fat-tree:2,3 alltoall --ports one-send --queue-depth 1 --report page.html").code == 3
    chromium.open(folder / "page.html")
    assert chromium.text("#verdict") == "stuck"
    assert "cycle of waiting nodes" in chromium.text("#waits")
    # All 56 packets are still there in the last step: on links, or waiting.
    on_links, waiting = chromium.run("""
        page.clock.goToStep(page.clock.lastStep);
        const {own, transit} = page.recording.waitingIn(page.clock.cycle);
        const sum = (a) => a.reduce((x, y) => x + y, 0);
        return [page.recording.onLinks(page.clock.cycle), sum(own) + sum(transit)];""")
    assert on_links + waiting == 56


def test_failed_run_says_what_went_wrong(succeed, safnet, folder, chromium):
    succeed("plan ring:4 broadcast -o plan.json")
    plan = json.loads((folder / "plan.json").read_text())
    plan["sends"]["slot"], plan["sends"]["count"] = [1], [3]  # node 1 is to send before it has the packet
    (folder / "early.json").write_text(json.dumps(plan))
    result = safnet("replay early.json --force --report page.html")
    assert result.code == 1
    chromium.open(folder / "page.html")
    assert chromium.text("#verdict") == "not as planned"
    problems = chromium.run("return [...document.querySelectorAll('#problems-list li')].map((item) => item.textContent)")
    assert all(result.says(problem.replace("(", ".").replace(")", ".")) for problem in problems)


def test_a_sample_of_too_many_transfers(succeed, folder, chromium):
    succeed("run torus:24x24 total-exchange --report page.html")
    chromium.open(folder / "page.html")
    assert chromium.text("#scope").startswith("A sample: one packet in 2")
    every, sends, carried = chromium.run("""
        return [page.recording.number.every((number) => number % 2 === 0), page.recording.sends,
                page.recording.linkFlits.reduce((a, b) => a + b, 0)];""")
    # The average distance on a side of 24 is 6: 576 * 576 * 12 hops in all.
    assert every and sends < carried == 576 * 576 * 12


def test_schedule_without_sends(succeed, folder, chromium):
    (folder / "empty.json").write_text(json.dumps({
        "format": "safnet-schedule", "version": 1, "ports": "all", "network": "ring:4",
        "packets": {"flits": 1, "origin": [], "tag": [], "destinations": []}, "sends": {"slot": [], "link": [], "packet": []}}))
    succeed("report empty.json -o page.html")
    chromium.open(folder / "page.html")
    assert chromium.complaints() == []
    assert chromium.text("#status") == "0 on links, 0 waiting"


def test_steps_that_are_asked_for(succeed, folder, chromium):
    succeed("run torus:8x8 total-exchange --report page.html --report-steps 5:9 --trace trace.json")
    chromium.open(folder / "page.html")
    assert chromium.run("return [page.clock.firstStep, page.clock.lastStep]") == [5, 9]
    kept = sum(5 <= begin <= 9 for begin, _, _ in events_of(folder / "trace.json"))
    assert chromium.run("return page.recording.sends") == kept
    assert chromium.text("#scope").startswith(f"{kept} of ")


def test_traffic(succeed, folder, chromium):
    out = succeed("traffic mesh:4x4 uniform --rate 0.3 --warm-up 0 --measure 300 --report page.html --json").out
    result = json.loads(out)["loads"][0]
    chromium.open(folder / "page.html")
    assert chromium.complaints() == []
    assert chromium.run("return page.recording.packets") == result["generated"]
    assert chromium.run("return page.recording.delays.length") == result["delivered"]
    measured = chromium.run("""
        const {recording} = page;
        let sum = 0;
        recording.deliveryPackets.forEach((p, k) => { if (recording.generated[p] <= 300) sum += recording.delays[k]; });
        return sum;""")
    # The page counts from the links what the program counted at the hosts.
    assert measured == result["latency"]["sum"]


def test_bound_of_a_run_without_slots_counts_cycles(succeed, folder, chromium):
    result = json.loads(succeed("run ring:6 total-exchange --flits 3 --slot free --report page.html --json").out)
    chromium.open(folder / "page.html")
    assert result["lower_bound"] == 15  # cycles: 9 packets over 2 links, 3 cycles each
    assert chromium.text("#bound-count") == "9 packets must cross these 2 links, 3 cycles each"


def test_load_of_links_is_that_of_the_trace(succeed, folder, chromium):
    succeed("run mesh:4x4 total-exchange --report page.html --trace trace.json")
    trace = json.loads((folder / "trace.json").read_text())
    carried = [0] * 48
    for link in trace["sends"]["link"]:
        carried[link] += 1
    chromium.open(folder / "page.html")
    assert chromium.run("return Array.from(page.recording.linkFlits)") == carried
    busiest = chromium.run("return page.charts.charts[3].data.datasets[0].data")
    assert busiest == sorted(carried, reverse=True)


def test_pages_of_a_survey(succeed, folder, chromium):
    out = succeed("survey ring:4 --report pages").out
    assert "pages/index.html" in out
    chromium.open(folder / "pages" / "survey.html")
    links = chromium.run("return [...document.querySelectorAll('#table a')].map((a) => a.getAttribute('href'))")
    assert len(links) == len(set(links)) == len(out.splitlines()) - 2  # a heading, and where the pages are
    for link in links[:3]:
        chromium.open(folder / "pages" / link)
        assert chromium.complaints() == []
    index = (folder / "pages" / "index.html").read_text()
    assert 'href="survey.html"' in index and "ledger.html" not in index


def test_page_of_a_table(succeed, folder):
    assert "pages/index.html" in succeed("table optimality ring:4 --report pages").out
    assert 'href="optimality.html"' in (folder / "pages" / "index.html").read_text()
    assert "ring:4" in (folder / "pages" / "optimality.html").read_text()


def test_ledger_page(succeed, folder, chromium):
    succeed("verify --claim thesis.T1* --report pages --json claims.json")
    claims = json.loads((folder / "claims.json").read_text())
    chromium.open(folder / "pages" / "ledger.html")
    assert chromium.text("#count") == f"{len(claims)} of {len(claims)}"
    chromium.run("const s = document.getElementById('search'); s.value = arguments[0]; s.dispatchEvent(new Event('input'))",
                 claims[1]["statement"])
    assert chromium.text("#count") == f"1 of {len(claims)}"
    chromium.run("document.querySelector('#table tbody tr:not([hidden]) button').click()")
    lines = chromium.text("#table pre").split("\n")
    assert lines[0] == f"build/safnet verify --claim {claims[1]['claim']}"
    assert all(any(run.get("run", run.get("check")) in line for line in lines) for run in claims[1]["runs"])


def test_two_runs_in_lockstep(succeed, expect, folder, chromium):
    succeed("run torus:4x4 total-exchange --trace a.json")
    succeed("run torus:4x4 total-exchange --node fifo --trace b.json")
    expect(1, "different", "compare a.json b.json -o both.html")
    chromium.open(folder / "both.html")
    assert chromium.complaints() == []
    chromium.run("document.getElementById('parting').click()")
    cycle = chromium.run("return page.clock.cycle")
    a, b = events_of(folder / "a.json"), events_of(folder / "b.json")
    links = [json.loads((folder / name).read_text())["sends"]["link"] for name in ("a.json", "b.json")]
    of = lambda k, events, c: {(link, p) for link, (begin, _, p) in zip(links[k], events) if begin == c}
    assert of(0, a, cycle) != of(1, b, cycle)
    assert all(of(0, a, c) == of(1, b, c) for c in range(1, cycle))
    assert chromium.run("return page.sides.map((side) => side.onLinks(page.clock.cycle))") == [
        len(of(0, a, cycle)), len(of(1, b, cycle))]
    # A packet that is chosen on one side is chosen on the other one.
    chromium.run("page.select(0, {packet: 17, node: null, link: null})")
    assert chromium.text("#detail-a h3") == chromium.text("#detail-b h3")


def test_two_equal_runs(succeed, folder, chromium):
    succeed("run ring:8 total-exchange --trace a.json")
    succeed("compare a.json a.json -o both.html")
    chromium.open(folder / "both.html")
    assert "They are equal" in chromium.text("#headline")
    assert chromium.run("return document.getElementById('parting').hidden") is True


@pytest.mark.parametrize("pattern, words", [
    (r"--report 'page.txt': expected a name that ends in .html", "run ring:4 broadcast --report page.txt"),
    (r"--report nowhere/page.html: ", "run ring:4 broadcast --report nowhere/page.html"),
    (r"--report-steps '5': expected FROM:TO", "run ring:4 broadcast --report page.html --report-steps 5"),
    (r"--report-steps '9:5': expected FROM:TO", "run ring:4 broadcast --report page.html --report-steps 9:5"),
    (r"--report-steps '1:2': expected --report", "run ring:4 broadcast --report-steps 1:2"),
    (r"--report '/dev/null': ", "survey ring:4 --report /dev/null"),
    (r"--report '/dev/null': ", "verify --claim thesis.T1 --report /dev/null"),
    (r"'nowhere'", "survey nowhere --report new/pages"),
    (r"no claim matches", "verify --claim nowhere --report new/pages"),
    (r"nowhere", "table optimality nowhere --report new/pages"),
    (r"report: expected -o FILE.html", "report trace.json"),
    (r"--report: expected no --html", "table optimality ring:4 --report pages --html x.html"),
    (r"--report: expected `table .*` before it", "table necklaces --report pages"),
    (r"--transfers 'x.txt': expected a name that ends in .csv", "dynamic-broadcast ring:4 --transfers x.txt"),
])
def test_refused(pattern, words, refuse):
    refuse(pattern, words)
