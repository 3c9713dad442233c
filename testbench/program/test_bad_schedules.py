"""Schedules that are broken: each is refused in one line that names what is wrong.

The tests for files of our own format start from a planned total exchange on ring:4, change one thing in it and
check it. The tests for the formats of others do the same with a planned or a hand-made file of that format.
"""
import json
import os

import pytest
from cases import cases
from foreign import ring_allreduce, row_broadcast


def put(*path_and_value):
    """A change: the value at the end of the path is replaced; put("packets", "flits", 0)."""
    *path, last, value = path_and_value

    def change(schedule):
        for key in path:
            schedule = schedule[key]
        schedule[last] = value

    return change


def drop(*path):
    """A change: the key at the end of the path is removed."""
    *path, last = path

    def change(schedule):
        for key in path:
            schedule = schedule[key]
        del schedule[last]

    return change


@pytest.mark.parametrize("pattern, change", cases(
    ("schedule without a format", r"format", drop("format")),
    ("another format", r"netlist", put("format", "netlist")),
    ("a version of the future", r"2", put("version", 2)),
    ("no port model", r"ports", drop("ports")),
    ("port model by no name", r"both", put("ports", "both")),
    ("collective by no name", r"gossip", put("collective", "gossip")),
    ("operation by no name", r"xor", put("operation", "xor")),
    ("unknown key", r"colour", put("colour", 1)),
    ("no network", r"network", drop("network")),
    ("network by no name", r"cloud", put("network", "cloud:4")),
    ("network that is too large", r"65536", put("network", "mesh:4000x4000")),
    ("network from a file", r"graph:", put("network", "graph:/etc/passwd")),
    ("a port that leads nowhere", r"7", put("network", {"ports": [[[7, 0]], [[0, 0]]]})),
    ("two ports that lead to one", r"another link", put("network", {"ports": [[[1, 0]], [[0, 0], [0, 0]]]})),
    ("root that does not exist", r"9", put("root", 9)),
    ("no packets", r"packets", drop("packets")),
    ("packets of nothing", r"nothing", put("packets", "of", "nothing")),
    ("packets of no flits", r"flits", put("packets", "flits", 0)),
    ("flits beyond counting", r"99999999999", put("packets", "flits", 99999999999)),
    ("negative slot length", r"-1", put("slot_cycles", -1)),
    ("slots of no length", r"slot_cycles", put("slot_cycles", 0)),
    ("latency that is text", r"link_latency", put("link_latency", "long")),
    ("numbers with a point", r"1.5", put("sends", "slot", 0, 1.5)),
    ("no sends", r"sends", drop("sends")),
    ("slot zero", r"slot", put("sends", "slot", 0, 0)),
    ("link that does not exist", r"88", put("sends", "link", 0, 88)),
    ("packet that does not exist", r"77", put("sends", "packet", 0, 77)),
    ("columns of different lengths", r"packet", drop("sends", "packet", -1)),
    ("counts that add up to something else", r"13 sends", put("sends", "count", 0, 5)),
    ("counts beyond counting", r"4000000000", put("sends", "count", 0, 4000000000)),
    ("columns of nothing", r"link", put("sends", "link", None)),
    ("origin that does not exist", r"44",
     put("packets", {"flits": 1, "origin": [44], "tag": [0], "destinations": [1]})),
    ("destination that does not exist", r"55",
     put("packets", {"flits": 1, "origin": [0], "tag": [0], "destinations": [55]})),
    ("control characters", r"broken.json", put("network", "ring:\x1b[31m\n4")),
    ("an endless word", r"broken.json", put("network", "r" * 1000000)),
))
def test_changed(refuse, bring, folder, pattern, change):
    bring("exchange.json")
    schedule = json.loads((folder / "exchange.json").read_text())
    change(schedule)
    (folder / "broken.json").write_text(json.dumps(schedule))
    refuse(pattern, "check broken.json")


@pytest.mark.parametrize("pattern, rewrite", cases(
    ("key given twice", r"ports", lambda text: text.replace('"ports"', '"ports": "all", "ports"', 1)),
    ("an array of schedules", r"object", lambda text: f"[{text}]"),
    ("nested deeply", r"broken.json", lambda text: "[" * 1000000),
    ("cut short", r"broken.json", lambda text: text[:-40]),
    ("an empty file", r"broken.json", lambda text: ""),
    ("no JSON", r"broken.json", lambda text: "slot 1: 0 -> 1"),
))
def test_rewritten(refuse, bring, folder, pattern, rewrite):
    bring("exchange.json")
    text = json.dumps(json.loads((folder / "exchange.json").read_text()))
    (folder / "broken.json").write_text(rewrite(text))
    refuse(pattern, "check broken.json")


def test_compressed_and_cut_short(refuse, bring, folder):
    bring("exchange.json.gz")
    (folder / "cut.json.gz").write_bytes((folder / "exchange.json.gz").read_bytes()[:60])
    refuse(r"cut.json.gz", "check cut.json.gz")


def test_plain_text_by_the_name_of_a_compressed_file(refuse, bring, folder):
    bring("exchange.json")
    (folder / "exchange.json").rename(folder / "plain.json.gz")
    refuse(r"plain.json.gz: not compressed", "check plain.json.gz")


def test_noise(refuse, folder):
    (folder / "noise.json").write_bytes(os.urandom(3000))
    refuse(r"noise.json", "check noise.json")


def test_file_that_is_missing(refuse):
    refuse(r"missing.json", "check missing.json")


def test_file_in_a_folder_that_is_missing(refuse):
    refuse(r"broken", "check pictures.json/broken")
    refuse(r"broken.json", "check pictures.json/broken.json")


def test_folder_as_a_schedule(refuse, folder):
    (folder / "broken.json").mkdir()
    refuse(r"broken.json", "check broken.json")


def test_file_of_no_format(refuse, folder):
    (folder / "edges.txt").write_text("0 1\n1 2  # a comment\n\n2 0\n2 3\n")
    refuse(r"edges.txt", "check edges.txt")


# ---- MSCCL ----
@pytest.mark.parametrize("pattern, old, new", cases(
    ("no such collective", r"gossip", "alltoall", "gossip"),
    ("no such buffer", r"'q'", 'srcbuf="i"', 'srcbuf="q"'),
    ("no such step", r"'zz'", 'type="s"', 'type="zz"'),
    ("a chunk beyond its buffer", r"99", 'srcoff="2"', 'srcoff="99"'),
    ("a rank that does not exist", r"17", 'send="1"', 'send="17"'),
    ("a number that is none", r"many", 'ngpus="4"', 'ngpus="many"'),
    ("a document type", r"broken.xml", "<algo", '<!DOCTYPE a [<!ENTITY b "c">]><algo'),
    ("an ending is missing", r"broken.xml", "</algo>\n", ""),
))
def test_msccl(refuse, bring, folder, pattern, old, new):
    bring("exchange.xml")
    text = (folder / "exchange.xml").read_text()
    assert old in text
    (folder / "broken.xml").write_text(text.replace(old, new, 1))
    refuse(pattern, "check broken.xml --topology ring:4")


def test_msccl_blocks_that_wait_for_ever(refuse, folder):
    (folder / "broken.xml").write_text(ring_allreduce(4).replace('type="s"', 'type="r"', 1))
    refuse(r"rank", "check broken.xml --topology ring:4")


# ---- SCCL ----
def rename_steps(schedule):
    schedule["stops"] = schedule.pop("steps")


@pytest.mark.parametrize("pattern, change", cases(
    ("a node without a link to it", r"cannot be reached", put("topology", "links", 1, [0, 0, 0])),
    ("a chunk that is not there yet", r"1", put("steps", 0, "sends", [[0, 1, 2]])),
    ("a chunk that does not exist", r"9", put("steps", 0, "sends", [[9, 0, 1]])),
    ("no link there", r"2", put("steps", 0, "sends", [[0, 0, 2]])),
    ("no steps", r"steps", rename_steps),
))
def test_sccl(refuse, folder, pattern, change):
    schedule = row_broadcast()
    change(schedule)
    (folder / "broken.msccl.json").write_text(json.dumps(schedule))
    refuse(pattern, "check broken.msccl.json --topology ring:4")
