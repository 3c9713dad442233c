"""--transfers: every transfer of a run as a row of CSV."""
import pytest
from cases import cases
from recordings import ends_of_links, read_schedule, read_table, sends_of

COLUMNS = ["step", "cycle", "arrival_cycle", "from_node", "from", "to_node", "to", "port", "link", "packet",
           "source_node", "source", "tag", "flits", "hop", "waited_cycles"]


@pytest.fixture
def house(folder):
    """A network from a file, which is written port by port into schedules."""
    (folder / "house.gv").write_text("graph { cellar -- hall; hall -- attic; attic -- roof; roof -- cellar; hall -- roof }\n")


@pytest.mark.parametrize("table, command", cases(
    ("one flit", "t.csv", "run graph:house.gv total-exchange"),
    ("compressed", "t.csv.gz", "run graph:house.gv total-exchange --ports one --flits 4 --link-latency 2"),
    ("not in lockstep", "t.csv", "run graph:house.gv allgather --flits 3 --slot free"),
))
def test_a_row_says_what_the_schedule_says(succeed, folder, house, table, command):
    succeed(f"{command} --trace did.json --transfers {table}")
    schedule, rows = read_schedule(folder / "did.json"), read_table(folder / table)
    names, ends = schedule["network"]["nodes"], ends_of_links(schedule)
    origin = {int(row["packet"]): int(row["source_node"]) for row in rows}
    sends = sends_of(schedule, ends, origin)
    assert list(rows[0]) == COLUMNS and len(rows) == len(sends) > 0
    for row, send in zip(rows, sends):
        node, port, to = ends[send.link]
        number = {key: int(value) for key, value in row.items() if key not in ("from", "to", "source")}
        assert number == {
            "step": send.step, "cycle": send.cycle, "arrival_cycle": send.arrival, "from_node": node, "to_node": to,
            "port": port, "link": send.link, "packet": send.packet, "source_node": origin[send.packet],
            "tag": number["tag"], "flits": schedule["packets"]["flits"], "hop": send.hop,
            "waited_cycles": send.cycle - send.ready}
        assert (row["from"], row["to"], row["source"]) == (names[node], names[to], names[origin[send.packet]])
    assert len({(row["packet"], row["source"], row["tag"]) for row in rows}) == len(origin)


def test_replay_and_run_of_the_same_schedule_have_the_same_table(succeed, folder):
    succeed("run torus:3x3 total-exchange --trace did.json --transfers run.csv")
    succeed("replay did.json --transfers replay.csv")
    assert (folder / "run.csv").read_bytes() == (folder / "replay.csv").read_bytes()


def test_a_combined_packet_waits_for_its_last_part(succeed, folder):
    succeed("plan mesh:3x3 allreduce -o sum.json")
    succeed("replay sum.json --flits 3 --link-latency 1 --transfers sum.csv")
    schedule, rows = read_schedule(folder / "sum.json"), read_table(folder / "sum.csv")
    schedule |= {"slot_cycles": 4, "link_latency": 1}
    schedule["packets"]["flits"] = 3
    ends = {int(row["link"]): (int(row["from_node"]), int(row["port"]), int(row["to_node"])) for row in rows}
    sends = sends_of(schedule, ends, schedule["packets"]["origin"])
    assert any(schedule["packets"]["parts"][send.packet] for send in sends)
    assert [(int(row["waited_cycles"]), int(row["hop"])) for row in rows] == \
        [(send.cycle - send.ready, send.hop) for send in sends]


def test_names_that_a_table_could_not_hold_become_numbers(succeed, folder):
    (folder / "hostile.gv").write_text('graph { "=1+1" -- "a,b"; "a,b" -- "c\\"d" }\n')
    succeed("run graph:hostile.gv broadcast --transfers t.csv")
    rows = read_table(folder / "t.csv")
    assert {row["from"] for row in rows} | {row["to"] for row in rows} == {"0", "1", "2"}
    assert all(None not in row and None not in row.values() for row in rows)


@pytest.mark.parametrize("pattern, options", cases(
    ("no such format", r"--transfers 't.txt': .*\.csv", "--transfers t.txt"),
    ("nowhere", r"/no/such/folder", "--transfers /no/such/folder/t.csv"),
))
def test_refuses(refuse, pattern, options):
    refuse(pattern, f"run ring:4 broadcast {options}")
