"""workload: the collectives of Chakra execution traces, written with a library made from Chakra's schema."""
import importlib
import json
import pathlib
import shlex
import subprocess

import pytest
from cases import cases
from google.protobuf.internal.encoder import _VarintBytes
from google.protobuf.json_format import MessageToJson

TYPES = ("ALL_REDUCE", "REDUCE", "ALL_GATHER", "GATHER", "SCATTER", "BROADCAST", "ALL_TO_ALL", "REDUCE_SCATTER",
         "REDUCE_SCATTER_BLOCK", "BARRIER")


@pytest.fixture(scope="session")
def schema(tmp_path_factory):
    """The messages of chakra_schema.proto as Python classes."""
    place = tmp_path_factory.mktemp("schema")
    here = pathlib.Path(__file__).parent
    subprocess.run(["protoc", f"--proto_path={here}", f"--python_out={place}", "chakra_schema.proto"], check=True)
    specification = importlib.util.spec_from_file_location("chakra_schema_pb2", place / "chakra_schema_pb2.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


# How a trace may write a number that is not negative.
NUMBERS = ("uint64_val", "int64_val", "sint64_val", "fixed32_val", "fixed64_val", "sfixed32_val", "sfixed64_val")


def collective(schema, number, **attributes):
    node = schema.Node(id=number, name=f"step {number}", type=schema.COMM_COLL_NODE, data_deps=[1, 300])
    node.attr.add(name="is_cpu_op", bool_val=False)
    for name, value in attributes.items():
        attribute = node.attr.add(name=name)
        if isinstance(value, str):
            attribute.string_val = value
        elif isinstance(value, list):
            attribute.bool_list.values.extend(value)
        elif name == "comm_type":
            attribute.int64_val = value
        else:
            setattr(attribute, NUMBERS[number % len(NUMBERS)], value)
    return node


def write(path, messages):
    """A trace file: each message behind its length."""
    with open(path, "wb") as file:
        for message in messages:
            data = message.SerializeToString()
            file.write(_VarintBytes(len(data)) + data)


@pytest.fixture
def trace(schema, folder):
    """trace.et and trace.json, the same: computing, and a collective of every type."""
    nodes = [schema.Node(id=0, name="compute", type=schema.COMP_NODE, duration_micros=5)]
    nodes += [collective(schema, k + 1, comm_type=k, comm_size=2 ** 10 * (k + 1)) for k in range(9)]
    nodes.append(collective(schema, 10, comm_type=9))
    nodes.append(collective(schema, 11, comm_type=0, comm_size=100, pg_name="17", involved_dim=[True, False]))
    messages = [schema.GlobalMetadata(version="0.0.4"), *nodes]
    write(folder / "trace.et", messages)
    (folder / "trace.json").write_text("".join(MessageToJson(message) for message in messages))


@pytest.mark.parametrize("file", ["trace.et", "trace.json"])
def test_lists_the_collectives(succeed, trace, file):
    listed = json.loads(succeed(f"workload {file} --topology ring:4 --group 17=linear:2 --json").out)
    assert (listed["version"], listed["nodes"]) == ("0.0.4", 12), listed
    found = listed["collectives"]
    assert [each["comm_type"] for each in found] == [*TYPES, "ALL_REDUCE"]
    assert [each["bytes"] for each in found] == [2 ** 10 * (k + 1) for k in range(9)] + [None, 100]
    assert [each["collective"] for each in found] == [
        "allreduce", "reduction", "multinode-broadcast", "gather", "scatter", "broadcast", "total-exchange",
        "multinode-accumulation", "multinode-accumulation", None, "allreduce"]
    last = found[-1]
    assert (last["group"], last["involved_dim"], last["name"]) == ("17", [True, False], "step 11"), last
    assert last["command"] == "safnet run linear:2 allreduce --flits 13", last
    assert found[9]["command"] is None and found[9]["why"] == "moves no data", found[9]
    # 1024 bytes are 128 flits, two packets; of an all-to-all a quarter of 7168 bytes goes to each of four nodes.
    assert found[0]["command"] == "safnet run ring:4 allreduce --flits 64 --messages 2"
    assert found[6]["command"] == "safnet run ring:4 total-exchange --flits 56 --messages 4"


def test_every_listed_run_delivers_all(succeed, trace):
    listed = json.loads(succeed("workload trace.et --topology ring:4 --group 17=linear:2 --flit-bytes 64 --json").out)
    commands = [each["command"] for each in listed["collectives"] if each["command"]]
    assert len(commands) == 10
    for command in commands:
        run = json.loads(succeed(*shlex.split(command)[1:], "--json").out)
        assert run["lost"] == 0 and run["delivered"] > 0, command


@pytest.mark.parametrize("pattern, options", cases(
    ("a line each", r"^  node 1 +ALL_REDUCE, 1024 bytes: safnet run ring:4 allreduce --flits 64 --messages 2$",
     "--topology ring:4"),
    ("barriers", r"^  node 10 +BARRIER: moves no data", "--topology ring:4"),
    ("a part of the network", r"node 11 .*group 17, dimensions 10: some dimensions alone take part",
     "--topology ring:4"),
    ("no network", r"node 1 .*: expected --topology", ""),
    ("ports and names", r"safnet run 'product\(ring:4,linear:3\)' allreduce .* --ports one$",
     "--topology 'product(ring:4,linear:3)' --ports one"),
))
def test_in_words(expect, trace, pattern, options):
    expect(0, pattern, *shlex.split(f"workload trace.et {options}"))


@pytest.mark.parametrize("pattern, command", cases(
    ("no such file", r"none.et", "workload none.et"),
    ("another format", r"expected a name that ends in .et or .json", "workload trace.txt"),
    ("no such network", r"nosuch", "workload trace.et --topology nosuch:4"),
    ("a group without a network", r"--group '17': expected NAME=TOPOLOGY", "workload trace.et --group 17"),
    ("a group that is not there", r"--group '18=ring:4': the trace has no collective",
     "workload trace.et --group 18=ring:4"),
    ("a group twice", r"--group '17=ring:2': given twice", "workload trace.et --group 17=linear:2 --group 17=ring:2"),
    ("no bytes", r"--flit-bytes 0", "workload trace.et --flit-bytes 0"),
    ("ports", r"both", "workload trace.et --ports both"),
))
def test_refuses(refuse, trace, pattern, command):
    refuse(pattern, command)


def test_collectives_of_unknown_or_no_bytes_have_no_command(succeed, schema, folder):
    nodes = [collective(schema, 1, comm_type=0), collective(schema, 2, comm_type=0, comm_size=0)]
    write(folder / "small.et", [schema.GlobalMetadata(version="0.0.4"), *nodes])
    listed = json.loads(succeed("workload small.et --topology ring:4 --json").out)["collectives"]
    assert [(each["command"], each["why"]) for each in listed] == [
        (None, "the trace does not say how many bytes"), (None, "moves no data")], listed


@pytest.mark.parametrize("kind", ["int32_val", "int64_val", "sint64_val", "sfixed32_val", "sfixed64_val"])
def test_refuses_negative_sizes_of_every_kind(refuse, schema, folder, kind):
    node = collective(schema, 1, comm_type=0)
    setattr(node.attr.add(name="comm_size"), kind, -5)
    write(folder / "negative.et", [schema.GlobalMetadata(version="0.0.4"), node])
    refuse(r"node 1: comm_size is negative; expected a number from 0 to", "workload negative.et")


def test_refuses_what_is_no_trace(refuse, trace, folder):
    whole = (folder / "trace.et").read_bytes()
    (folder / "cut.et").write_bytes(whole[:-3])
    refuse(r"^safnet: file 'cut.et': message 12 is none of a Chakra trace: expected ", "workload cut.et")
    (folder / "packed.et").write_bytes(b"\x1f\x8b" + whole)
    refuse(r"is compressed; expected it unpacked", "workload packed.et")
    (folder / "empty.et").write_bytes(b"")
    refuse(r"is empty", "workload empty.et")
    (folder / "list.json").write_text("[1]")
    refuse(r"expected objects, one after the other", "workload list.json")
