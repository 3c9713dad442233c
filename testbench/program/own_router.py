"""A copy of the fifo_node as somebody's own router, in a folder of its own."""
import json


def describe(mine, **changes):
    """Writes node.json; a change to None leaves the key out."""
    words = {"name": "mine", "top": "my_router",
             "sources": ["my_table.sv", "my_ring.sv", "my_queue.sv", "my_router.sv"], **changes}
    (mine / "node.json").write_text(json.dumps({key: value for key, value in words.items() if value is not None}))


def make_router(root, mine):
    """Fills the new folder `mine`, and returns it."""
    mine.mkdir()
    for source in sorted((root / "rtl" / "fifo").glob("*.sv")):
        text = source.read_text()
        for name in ("fifo_node", "fifo_queue", "place_ring", "route_table"):
            text = text.replace(name, "my_" + name.split("_")[1] if name != "fifo_node" else "my_router")
        renamed = {"fifo_node.sv": "my_router.sv", "route_table.sv": "my_table.sv", "place_ring.sv": "my_ring.sv"}
        (mine / renamed.get(source.name, source.name.replace("fifo_", "my_"))).write_text(text)
    describe(mine)
    return mine
