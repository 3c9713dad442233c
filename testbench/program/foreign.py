"""Schedules in the formats of others, written as their programs would write them."""


def ring_allreduce(ranks=4):
    """MSCCL: an allreduce around a ring, in 2 (ranks - 1) steps: each chunk is summed, then its sum is passed on."""
    lines = [f'<algo name="ring" proto="Simple" nchannels="1" nchunksperloop="{ranks}" ngpus="{ranks}" '
             'coll="allreduce" inplace="1">']
    for rank in range(ranks):
        lines.append(f'<gpu id="{rank}" i_chunks="{ranks}" o_chunks="0" s_chunks="0">'
                     f'<tb id="0" send="{(rank + 1) % ranks}" recv="{(rank - 1) % ranks}" chan="0">')
        steps = [("s", rank)]
        steps += [("rrs", (rank - k) % ranks) for k in range(1, ranks - 1)]
        steps += [("rrcs", (rank + 1) % ranks)]
        steps += [("rcs", (rank - k) % ranks) for k in range(ranks - 2)]
        steps += [("r", (rank + 2) % ranks)]
        for i, (kind, chunk) in enumerate(steps):
            lines.append(f'<step s="{i}" type="{kind}" srcbuf="i" srcoff="{chunk}" dstbuf="i" dstoff="{chunk}" '
                         'cnt="1" depid="-1" deps="-1" hasdep="0"/>')
        lines.append("</tb></gpu>")
    return "\n".join(lines + ["</algo>", ""])


def row_broadcast():
    """SCCL: two chunks from the first of three nodes in a row, as an object whose parts a test may change."""
    def chunk(address):
        return {"msccl_type": "chunk", "pre": [0], "post": [0, 1, 2], "addr": address}

    def step(*sends):
        return {"msccl_type": "step", "rounds": 1, "sends": [list(send) for send in sends]}

    return {
        "msccl_type": "algorithm", "name": "by hand",
        "topology": {"msccl_type": "topology", "name": "three in a row",
                     "links": [[0, 1, 0], [1, 0, 1], [0, 1, 0]], "switches": []},
        "collective": {"msccl_type": "collective", "name": "Broadcast(n=3,root=0)", "nodes": 3,
                       "chunks": [chunk(0), chunk(1)]},
        "instance": {"msccl_type": "instance", "steps": 3, "extra_rounds": 0, "chunks": 1, "pipeline": None},
        "input_map": {"0": [0, 1]}, "output_map": {"0": [0, 1], "1": [0, 1], "2": [0, 1]},
        "steps": [step((0, 0, 1)), step((1, 0, 1), (0, 1, 2)), step((1, 1, 2))],
    }
