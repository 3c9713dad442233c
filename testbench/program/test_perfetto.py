"""--perfetto: a run as a trace for ui.perfetto.dev, read with a parser that protoc makes of Perfetto's schema."""
import gzip
import importlib
import pathlib
import subprocess
from collections import defaultdict
from dataclasses import dataclass, field

import pytest
from cases import cases
from recordings import read_schedule, read_table, sends_of

BEGIN, END, COUNTER = 1, 2, 4


@pytest.fixture(scope="session")
def schema(tmp_path_factory):
    """The messages of perfetto_schema.proto as Python classes."""
    place = tmp_path_factory.mktemp("schema")
    here = pathlib.Path(__file__).parent
    subprocess.run(["protoc", f"--proto_path={here}", f"--python_out={place}", "perfetto_schema.proto"], check=True)
    specification = importlib.util.spec_from_file_location("perfetto_schema_pb2", place / "perfetto_schema_pb2.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@dataclass
class Slice:
    track: str
    begin: int
    name: str
    arguments: dict
    flows: list
    correlation: int
    end: int = 0


@dataclass
class Trace:
    """`slices` and `counters` (changes as (cycle, value)) by "node/track", of links; `run`: the slice above all."""
    slices: list = field(default_factory=list)
    counters: dict = field(default_factory=lambda: defaultdict(list))
    run: Slice | None = None
    processes: list = field(default_factory=list)


def assert_all_known(message):
    """The parser knows all fields: re-encoding drops none."""
    known = type(message)()
    known.CopyFrom(message)
    known.DiscardUnknownFields()
    assert known.SerializeToString() == message.SerializeToString()


@pytest.fixture
def read_trace(schema, folder):
    """read_trace(file): a Trace. What Perfetto asks of any trace is checked here."""

    def read(file):
        data = (folder / file).read_bytes()
        message = schema.Trace.FromString(gzip.decompress(data) if file.endswith(".gz") else data)
        assert_all_known(message)
        trace, tracks, open_slices, time_of, names = Trace(), {}, {}, {}, {}
        for packet in message.packet:
            sequence = packet.trusted_packet_sequence_id
            assert sequence != 0
            if packet.HasField("track_descriptor"):
                track = packet.track_descriptor
                assert track.uuid not in tracks
                tracks[track.uuid] = track
                if track.HasField("process"):
                    assert track.process.pid == track.sibling_order_rank + 1
                    trace.processes.append(track.process.process_name)
                continue
            if packet.HasField("interned_data"):
                assert packet.sequence_flags == 1
                names[sequence] = {name.iid: name.name for name in packet.interned_data.debug_annotation_names}
                continue
            event, time = packet.track_event, packet.timestamp
            assert packet.sequence_flags == 2 and time >= time_of.get(sequence, 0)
            time_of[sequence] = time
            track = tracks[event.track_uuid]
            assert track.HasField("counter") == (event.type == COUNTER)
            where = track.name
            if track.parent_uuid:
                where = f"{tracks[track.parent_uuid].process.process_name}/{where}"
            if event.type == BEGIN:
                assert event.track_uuid not in open_slices, "two packets on a link at once"
                arguments = {names[sequence][each.name_iid]:
                             each.string_value if each.HasField("string_value") else each.uint_value
                             for each in event.debug_annotations}
                open_slices[event.track_uuid] = Slice(
                    where, time, event.name, arguments, list(event.flow_ids), event.correlation_id)
            elif event.type == END:
                done = open_slices.pop(event.track_uuid)
                done.end = time
                assert done.end > done.begin
                if where == "run":
                    trace.run = done
                else:
                    trace.slices.append(done)
            else:
                assert event.type == COUNTER and event.counter_value >= 0
                trace.counters[where].append((time, event.counter_value))
        assert not open_slices and tracks[0].process_ordering == 1
        return trace

    return read


class Run:
    """What the trace must be, worked out from the schedule that the same run wrote."""

    def __init__(self, schedule, rows):
        self.schedule, self.rows = schedule, rows
        self.ends = {int(row["link"]): (int(row["from_node"]), int(row["port"]), int(row["to_node"])) for row in rows}
        self.track = {int(row["link"]): f"node {row['from']}/to {row['to']}, port {row['port']}" for row in rows}
        self.queue = {link: name.replace("/to ", "/waiting for ") for link, name in self.track.items()}
        self.packet = {int(row["packet"]): (row["source"], int(row["source_node"]), int(row["tag"])) for row in rows}
        origin = {packet: source for packet, (_, source, _) in self.packet.items()}
        # Packets that never cross a link are in the schedule alone.
        self.sends = sends_of(schedule, self.ends, schedule["packets"].get("origin", origin))

    def slice_of(self, send):
        """(track, begin, end, name) of the slice of a send; cycle c is from c to c + 1."""
        source, _, tag = self.packet[send.packet]
        end = send.arrival - self.schedule.get("link_latency", 0) + 1
        return self.track[send.link], send.cycle, end, f"{source} tag {tag}"

    def arrows(self):
        """Pairs of slices that an arrow joins."""
        return sorted((self.slice_of(self.sends[cause]), self.slice_of(send))
                      for send in self.sends for cause in send.causes)

    def waiting(self, first, last):
        """By queue, how many packets wait for the link in each cycle."""
        counts = defaultdict(lambda: [0] * (last - first + 1))
        for send in self.sends:
            for cycle in range(max(send.ready, first), min(send.cycle - 1, last) + 1):
                counts[self.queue[send.link]][cycle - first] += 1
        return dict(counts)


def slices_of(trace):
    return sorted((each.track, each.begin, each.end, each.name) for each in trace.slices)


def arrows_of(trace):
    ends = defaultdict(list)
    for each in sorted(trace.slices, key=lambda each: each.begin):
        for flow in each.flows:
            ends[flow].append((each.track, each.begin, each.end, each.name))
    assert all(len(pair) == 2 for pair in ends.values())
    return sorted(map(tuple, ends.values()))


def waiting_of(trace, first, last):
    """By queue, the value that its counter has in each cycle."""
    counts = {}
    for where, changes in trace.counters.items():
        assert [cycle for cycle, _ in changes] == sorted({cycle for cycle, _ in changes})
        counts[where] = [next((value for at, value in reversed(changes) if at <= cycle), 0)
                         for cycle in range(first, last + 1)]
    return counts


@pytest.fixture
def recorded(succeed, folder):
    """recorded(command): the Run of a command that runs hardware; it has also written run.pftrace."""

    def record(command, more="--perfetto run.pftrace"):
        succeed(f"{command} --trace did.json --transfers did.csv {more}")
        return Run(read_schedule(folder / "did.json"), read_table(folder / "did.csv"))

    return record


@pytest.mark.parametrize("command", cases(
    ("steps", "run torus:4x4 total-exchange"),
    ("flits and latency", "run ring:8 total-exchange --flits 4 --link-latency 3"),
    ("not in lockstep", "run mesh:3x3 total-exchange --ports one --flits 3 --slot free"),
    ("packets that branch", "run hypercube:3 allgather --flits 2"),
    ("parallel links and routers", "run fat-tree:2,2,exponential alltoall"),
))
def test_a_slice_per_send_arrows_along_the_way_and_packets_that_wait(recorded, read_trace, command):
    run = recorded(command)
    trace = read_trace("run.pftrace")
    assert slices_of(trace) == sorted(run.slice_of(send) for send in run.sends)
    assert arrows_of(trace) == run.arrows()
    last = max(send.arrival for send in run.sends)
    assert waiting_of(trace, 1, last) == run.waiting(1, last)
    assert (trace.run.begin, trace.run.end) == (0, last + 1)


def test_what_is_said_of_a_slice(recorded, read_trace):
    run = recorded("run ring:8 total-exchange --flits 2")
    trace = read_trace("run.pftrace")
    said = {(each.track, each.begin): (each.arguments, each.correlation) for each in trace.slices}
    for send in run.sends:
        source, _, tag = run.packet[send.packet]
        assert said[run.track[send.link], send.cycle] == ({
            "packet": send.packet, "source": source, "tag": tag, "destinations": 1, "flits": 2, "step": send.step,
            "hop": send.hop, "waited_cycles": send.cycle - send.ready}, send.packet + 1)


def test_arrows_from_all_parts_to_what_they_are_combined_to(succeed, folder, read_trace):
    succeed("plan mesh:3x3 allreduce -o sum.json")
    succeed("replay sum.json --perfetto run.pftrace --transfers did.csv")
    run = Run(read_schedule(folder / "sum.json"), read_table(folder / "did.csv"))
    assert max(len(send.causes) for send in run.sends) >= 4
    trace = read_trace("run.pftrace")
    assert arrows_of(trace) == run.arrows()
    assert waiting_of(trace, 1, 4) == run.waiting(1, 4)


IN_LOCKSTEP = "run torus:4x4 total-exchange --flits 2 --link-latency 1"
FREE = "run mesh:3x3 total-exchange --ports one --flits 3 --slot free"


@pytest.mark.parametrize("steps, command", cases(
    ("middle", "3:5", IN_LOCKSTEP),
    ("begin", ":1", IN_LOCKSTEP),
    ("end", "7:", IN_LOCKSTEP),
    ("beyond the end", "1000:", IN_LOCKSTEP),
    ("cuts through packets", "5:12", FREE),
    ("one cycle", "8:8", FREE),
))
def test_a_window_has_what_overlaps_it(recorded, read_trace, steps, command):
    run = recorded(command, f"--perfetto part.pftrace.gz --report-steps {steps}")
    trace = read_trace("part.pftrace.gz")
    low, high = steps.split(":")
    slot, last_step = run.schedule["slot_cycles"], max(send.step for send in run.sends)
    first, last = slot * (int(low or 1) - 1) + 1, slot * min(int(high or last_step), last_step)
    shown = [run.slice_of(send) for send in run.sends if first <= run.slice_of(send)[2] - 1 and send.cycle <= last]
    assert slices_of(trace) == sorted(shown)
    assert arrows_of(trace) == [pair for pair in run.arrows() if pair[0] in shown and pair[1] in shown]
    if first <= last:
        assert waiting_of(trace, first, last) == run.waiting(first, last)
    assert all(first <= at <= last or at == 0 for changes in trace.counters.values() for at, _ in changes)


def test_nodes_are_in_order_and_have_their_names(recorded, read_trace):
    run = recorded("run fat-tree:2,2 alltoall --algorithm digit-order")
    trace = read_trace("run.pftrace")
    assert trace.run.name.endswith(" on fat-tree:2,2, digit-order"), run
    assert trace.processes[0] == "node leaf_0" and "node router_1_0" in trace.processes


def test_hostile_names(succeed, folder, read_trace):
    (folder / "héllo\".gv").write_text('graph { "=1+1" -- "a,b\\"é"; "a,b\\"é" -- c }\n')
    succeed("run", "graph:héllo\".gv", "broadcast", "--perfetto", "run.pftrace")
    trace = read_trace("run.pftrace")
    assert trace.processes == ["node 0", "node 1"] and "gv" in trace.run.name


@pytest.mark.parametrize("pattern, options", cases(
    ("nowhere", r"/no/such/folder", "--perfetto /no/such/folder/run.pftrace"),
    ("no steps", r"--report-steps 'x'", "--perfetto run.pftrace --report-steps x"),
    ("steps of nothing", r"--report-steps", "--report-steps 1:2"),
))
def test_refuses(refuse, pattern, options):
    refuse(pattern, f"run ring:4 broadcast {options}")
