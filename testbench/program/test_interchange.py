"""convert, and the formats of others: MSCCL and SCCL."""
import json

import pytest
from cases import cases
from foreign import ring_allreduce, row_broadcast


@pytest.fixture
def replayed(succeed):
    """replayed(file): the JSON of the file's replay on ring:4, without file names, remarks and seconds."""

    def replay(file):
        result = succeed("replay", file, "--topology", "ring:4", "--buffers", "32", "--json")
        assert result.err == "", str(result)
        report = json.loads(result.out)
        for key in ("file", "remarks", "build_seconds", "run_seconds"):
            del report[key]
        assert report["late"] == 0, report
        return report

    return replay


@pytest.mark.parametrize("source, same, as_file", [
    ("exchange.json", "json", "exchange.json"),
    ("exchange.json.gz", "json", "exchange.json"),
    ("exchange.msccl.json", "xml", "exchange.xml"),
    ("exchange.xml", None, None),
], ids=["json", "json.gz", "msccl.json", "xml"])
def test_from_one_format_into_every_other_and_the_same_run(succeed, bring, folder, replayed, source, same, as_file):
    bring("exchange.json", source)
    run = replayed("exchange.json")
    assert replayed(source) == run
    for target in ("json", "json.gz", "msccl.json", "xml"):
        result = succeed(f"convert {source} converted.{target} --topology ring:4")
        assert result.err == "", str(result)
        assert replayed(f"converted.{target}") == run, target
    if same:
        bring(as_file)
        assert (folder / f"converted.{same}").read_bytes() == (folder / as_file).read_bytes()


# ---- MSCCL: a ring allreduce in 2(n - 1) steps ----
@pytest.fixture
def allreduce(folder):
    (folder / "allreduce.xml").write_text(ring_allreduce(4))


@pytest.mark.parametrize("pattern, options", cases(
    ("all-port", r"allreduce of 4 ranks.* scheduled in 6 steps", ""),
    ("one-port", r"steps +6 ", "--ports one"),
))
def test_msccl_ring_allreduce(expect, allreduce, pattern, options):
    expect(0, pattern, f"check allreduce.xml --topology ring:4 {options}")


def test_msccl_ring_allreduce_sums_on_the_hardware_from_every_format(succeed, allreduce, replayed):
    run = replayed("allreduce.xml")
    assert run["delivered"] == 16
    for target in ("json", "msccl.json", "xml"):
        succeed(f"convert allreduce.xml ring_sum.{target} --topology ring:4")
        assert replayed(f"ring_sum.{target}") == run, target


def test_msccl_without_or_with_a_custom_collective(expect, refuse, folder):
    """What the file does not say is named by an option, or told by what the program does."""
    text = ring_allreduce(4)
    (folder / "custom.xml").write_text(text.replace('coll="allreduce"', 'coll="custom"'))
    (folder / "without.xml").write_text(text.replace('coll="allreduce"', ""))
    expect(0, r"custom: what the output chunks hold in the end makes it allreduce",
           "check custom.xml --topology ring:4")
    expect(0, r"16 of 16 delivered", "replay without.xml --topology ring:4 --collective allreduce --buffers 32")
    refuse(r"'coll' is missing; expected it, or --collective NAME", "check without.xml --topology ring:4")
    refuse(r"collective 'hash': expected allreduce", "check custom.xml --topology ring:4 --collective hash")


def test_msccl_channels_of_more_messages(expect, refuse, folder):
    """Two ranks that send twice before they receive: they block each other if a channel holds one message."""
    steps = "".join(f'<step s="{s}" type="{"s" if s < 2 else "r"}" srcbuf="i" srcoff="{s % 2}" dstbuf="o" '
                    f'dstoff="{s % 2}" cnt="1" depid="-1" deps="-1" hasdep="0"/>' for s in range(4))
    ranks = "".join(f'<gpu id="{r}" i_chunks="2" o_chunks="2" s_chunks="0"><tb id="0" send="{1 - r}" '
                    f'recv="{1 - r}" chan="0">{steps}</tb></gpu>' for r in range(2))
    (folder / "eager.xml").write_text('<algo name="eager" proto="Simple" nchannels="1" nchunksperloop="2" '
                                      f'ngpus="2" coll="custom" inplace="0">{ranks}</algo>')
    refuse(r"deadlock: rank", "check eager.xml --topology linear:2")
    expect(0, r"steps +2 ", "check eager.xml --topology linear:2 --channel-depth 2")
    refuse(r"--channel-depth '0': expected at least 1", "check eager.xml --topology linear:2 --channel-depth 0")
    refuse(r"--channel-depth", "check eager.xml --topology linear:2 --channel-depth x")


def test_msccl_sums_in_place_are_sent_and_go_on(succeed, folder):
    """Recursive doubling as production programs have it: chunk 0 of the input is sent, and what comes is added to it."""
    lines = ['<algo name="doubling" proto="Simple" nchannels="1" nchunksperloop="1" ngpus="4" coll="allreduce" inplace="1">']
    for rank in range(4):
        lines.append(f'<gpu id="{rank}" i_chunks="1" o_chunks="0" s_chunks="0">')
        for k in range(2):
            peer, waits = rank ^ (1 << k), 'depid="0" deps="1"' if k else 'depid="-1" deps="-1"'
            lines += [f'<tb id="{k}" send="{peer}" recv="{peer}" chan="0">',
                      f'<step s="0" type="s" srcbuf="i" srcoff="0" dstbuf="i" dstoff="0" cnt="1" {waits} hasdep="0"/>',
                      '<step s="1" type="rrc" srcbuf="i" srcoff="0" dstbuf="i" dstoff="0" cnt="1" depid="-1" deps="-1" '
                      f'hasdep="{1 - k}"/>', "</tb>"]
        lines.append("</gpu>")
    (folder / "doubling.xml").write_text("\n".join([*lines, "</algo>"]))
    run = json.loads(succeed("replay doubling.xml --topology hypercube:2 --ports one --flits 3 --json").out)
    assert run["steps"] == 2 and run["delivered"] == 4 and run["on_time"] == 8


def test_imported_sums_are_put_off_until_nodes_have_them(succeed, folder):
    """On a 3 x 3 mesh a plan whose sums wait for parts that are sent on; its program says nothing of that."""
    succeed("plan mesh:3x3 allreduce --algorithm recursive-doubling -o plan.json")
    succeed("convert plan.json program.xml")
    assert "are in a sum a step later" in succeed("check program.xml --topology mesh:3x3").out
    assert "as planned, to the cycle" in succeed("replay program.xml --topology mesh:3x3").out


def test_msccl_a_sum_of_one_part_gets_a_place(succeed):
    succeed("plan de-bruijn:2,3 allreduce --ports one-send --flits 3 -o plan.xml")
    assert "valid          yes" in succeed("check plan.xml --topology de-bruijn:2,3 --ports one-send").out
    assert "8 of 8 delivered" in succeed("replay plan.xml --topology de-bruijn:2,3 --ports one-send").out


# ---- SCCL: a broadcast of two chunks along a row ----
@pytest.mark.parametrize("pattern, command", cases(
    ("is checked", r"published rounds 3, imported in 3 steps", "check row.msccl.json"),
    ("runs", r"4 of 4 delivered", "replay row.msccl.json --buffers 32"),
    ("has its collective", r"the file's own collective counts; 'allreduce' is not used", "check row.msccl.json --collective allreduce"),
))
def test_sccl_broadcast_of_two_chunks(expect, folder, pattern, command):
    (folder / "row.msccl.json").write_text(json.dumps(row_broadcast()))
    expect(0, pattern, command)


def test_sccl_stray_sends_leave_the_collective_its_bound_and_its_export(succeed, folder):
    """A third chunk, which nobody but the first node is to have, goes along the row as well."""
    file = row_broadcast()
    file["collective"]["chunks"].append({"msccl_type": "chunk", "pre": [0], "post": [0], "addr": 2})
    file["input_map"]["0"].append(2)
    file["output_map"]["0"].append(2)
    file["steps"] += [{"rounds": 1, "sends": [[2, 0, 1]]}, {"rounds": 1, "sends": [[2, 1, 2]]}]
    (folder / "stray.msccl.json").write_text(json.dumps(file))
    (folder / "row.msccl.json").write_text(json.dumps(row_broadcast()))
    report, plain = (json.loads(succeed(f"check {name}.msccl.json --json").out) for name in ("stray", "row"))
    assert "2 of 6 sends left out" in report["remarks"][1] and "address 2 from 1 to 2 in step 5" in report["remarks"][1]
    assert report["collective"] == "broadcast" and report["lower_bound"] > 0
    for key in set(plain) - {"file", "remarks"}:
        assert report[key] == plain[key], key
    succeed("convert stray.msccl.json stray.xml")
    assert "4 of 4 delivered" in succeed("replay stray.xml --topology linear:3 --buffers 32").out


@pytest.mark.parametrize("pattern, command", cases(
    ("no such format", r"exchange.yaml", "convert exchange.json exchange.yaml"),
    ("a conversion into nowhere", r"/no/such/folder", "convert exchange.json /no/such/folder/x.json"),
    ("MSCCL without a network", r"--topology", "check exchange.xml"),
    ("MSCCL on another network", r"5", "check exchange.xml --topology ring:5"),
    ("MSCCL port model", r"both", "check exchange.xml --topology ring:4 --ports both"),
))
def test_refuses(refuse, bring, pattern, command):
    bring(command.split()[1])
    refuse(pattern, command)
