"""A second judge of schedules: reads a file by cpp_model/schedule/README.md and plays it cycle by cycle.

It shares nothing with `safnet check`, which it is compared with, and is slow: every cycle of every link is an item of a
set. The network has to be in the file port by port, as it is if it was read from a file.
"""
import copy
from collections import Counter, namedtuple

Link = namedtuple("Link", "source target latency cycles_per_flit")
Packet = namedtuple("Packet", "origin tag flits destinations parts")
NAMES = {"bcast": "broadcast", "alltoall": "total-exchange", "reduce": "reduction", "allgather": "multinode-broadcast",
         "reduce-scatter": "multinode-accumulation"}


class Wrong(Exception):
    """What is not valid."""


def require(holds, *what):
    if not holds:
        raise Wrong(" ".join(map(str, what)))


def links_of(network):
    """The links in the order of their numbers: node by node, port by port."""
    return [Link(v, end[0], *(end[2:] or (0, 1))) for v, ports in enumerate(network["ports"]) for end in ports]


def packets_of(schedule):
    """The packets, also where the file says only that they are those of the collective."""
    packets = schedule["packets"]
    processors = schedule["network"].get("processors", len(schedule["network"]["ports"]))
    if "of" in packets:
        return collective_packets(schedule, range(processors), packets["flits"])
    count = len(packets["origin"])
    lists = [[d] if isinstance(d, int) else d for d in packets["destinations"]]
    flits = [packets["flits"]] * count if isinstance(packets["flits"], int) else packets["flits"]
    return [Packet(*row) for row in zip(packets["origin"], packets["tag"], flits, lists, packets.get("parts", [[]] * count))]


def collective_packets(schedule, nodes, flits):
    """One for each origin where it is copied, with tag 0; otherwise one for each origin and destination, its tag."""
    kind, root = NAMES.get(schedule["collective"], schedule["collective"]), schedule.get("root", 0)
    active = schedule["packets"].get("active", [])
    origins = {"broadcast": [root], "scatter": [root], "partial-exchange": active}.get(kind, nodes)
    to = {"gather": [root], "partial-gather": active}.get(kind, nodes)
    if kind in ("broadcast", "multinode-broadcast"):
        return [Packet(v, 0, flits, [d for d in to if d != v], []) for v in origins]
    return [Packet(v, d, flits, [d], []) for v in origins for d in to if d != v]


def judge_packets(packets, processors):
    require(len({(p.origin, p.tag) for p in packets}) == len(packets), "two packets of one name")
    for number, p in enumerate(packets):
        require(p.origin < processors and p.flits > 0, "packet", number, "of a router, or of no flits")
        require(len(set(p.destinations)) == len(p.destinations), "packet", number, "has a destination twice")
        require(all(d < processors for d in p.destinations), "packet", number, "is for a router")
        require(p.parts or p.origin not in p.destinations, "packet", number, "is for its origin")
        require(len(set(p.parts)) == len(p.parts), "packet", number, "has a part twice")
        require(all(q < number and packets[q].flits == p.flits for q in p.parts), "packet", number, "of wrong parts")


def contributions(packets):
    """How often each plain packet counts in each packet, and which packets it is made of."""
    sums, made_of = [], []
    for number, p in enumerate(packets):
        sums.append(sum((sums[q] for q in p.parts), Counter()) if p.parts else Counter([number]))
        made_of.append({number}.union(*(made_of[q] for q in p.parts)))
        require(max(sums[-1].values()) == 1, "packet", number, "counts something twice")
    return sums, made_of


def judge_collective(kind, root, packets, processors):
    nodes = set(range(processors))
    sums, made_of = contributions(packets)
    require(root in nodes, "root", root, "is no processor")
    if kind in ("reduction", "multinode-accumulation", "allreduce"):
        results = [number for number, p in enumerate(packets) if p.destinations]
        require(set().union(*(made_of[r] for r in results)) == set(range(len(packets))), "a packet that is in no result")
        delivered = Counter((frozenset(sums[r]), d) for r in results for d in packets[r].destinations)
        for contributed in {frozenset(sums[r]) for r in results}:
            require(sorted(packets[q].origin for q in contributed) == sorted(nodes), "a result not of one packet of each node")
            for_it = [d for (of, d), times in delivered.items() if of == contributed for _ in range(times)]
            require(sorted(for_it) == sorted(nodes) if kind == "allreduce" else len(for_it) == 1, "a result for", for_it)
        distinct = {frozenset(sums[r]) for r in results}
        require(sum(map(len, distinct)) == len(frozenset().union(*distinct)), "results share packets")
        per_node = Counter(d for _, d in delivered)
        require(results and (kind != "reduction" or set(per_node) == {root}), "no result at the root alone")
        require(kind == "reduction" or set(per_node) == nodes and len(set(per_node.values())) == 1, "results", per_node)
        return
    require(packets and not any(p.parts for p in packets), "combined packets in", kind)
    origins = Counter(p.origin for p in packets)
    if kind in ("broadcast", "multinode-broadcast", "concurrent-broadcast"):
        require(all(set(p.destinations) == nodes - {p.origin} for p in packets), "a packet not for all others")
        require(kind != "broadcast" or set(origins) == {root}, "a broadcast of", set(origins))
        require(kind != "multinode-broadcast" or set(origins) == nodes and len(set(origins.values())) == 1, "as many of each")
        return
    require(all(len(p.destinations) == 1 for p in packets), "a packet not for one node")
    pairs = Counter((p.origin, p.destinations[0]) for p in packets)
    require(kind in ("scatter", "gather", "total-exchange", "partial-exchange", "partial-gather"), "no such collective:", kind)
    sources = {"scatter": {root}, "partial-exchange": set(origins)}.get(kind, nodes)
    sinks = {"gather": {root}, "partial-gather": {d for _, d in pairs}}.get(kind, nodes)
    require(set(pairs) == {(s, d) for s in sources for d in sinks if s != d}, "packets between other nodes")
    require(len(set(pairs.values())) == 1, "more packets between some nodes than between others")


def play(schedule, packets, links):
    """Sends in the order of time; returns the last cycle of an arrival."""
    sends = schedule["sends"]
    slots = [slot for slot, count in zip(sends["slot"], sends.get("count", [1] * len(sends["slot"]))) for _ in range(count)]
    rows = list(zip(slots, sends["link"], sends["packet"]))
    require(rows == sorted(rows), "sends out of order")
    used, events = set(), []
    for slot, link, p in rows:
        require(slot > 0 and link < len(links) and p < len(packets), "no such slot, link or packet")
        source, target, latency, cycles_per_flit = links[link]
        latency += schedule.get("link_latency", 0)
        first = (slot - 1) * schedule.get("slot_cycles", 1) + 1
        last = first + packets[p].flits * cycles_per_flit - 1
        for cycle in range(first, last + 1):
            busy = [("link", link, cycle)] + [("send", source, cycle)] * (schedule["ports"] != "all")
            busy += [("receive", target, cycle + latency)] * (schedule["ports"] == "one")
            require(not used.intersection(busy), "cycle", cycle, busy, "busy already")
            used.update(busy)
        # What has arrived at the end of a cycle can leave in the next.
        events += [(first, 1, p, source), (last + latency + 1, 0, p, target)]
    has = {(p, packet.origin) for p, packet in enumerate(packets) if not packet.parts}

    def combine():
        for p, packet in enumerate(packets):
            if packet.parts and all((q, packet.origin) in has for q in packet.parts):
                has.add((p, packet.origin))

    combine()
    for cycle, leaves, p, v in sorted(events):
        if leaves:
            require((p, v) in has, "cycle", cycle, "node", v, "does not have packet", p)
        else:
            require((p, v) not in has and v != packets[p].origin, "packet", p, "comes to node", v, "again")
            has.add((p, v))
            combine()
    for p, packet in enumerate(packets):
        require(all((p, v) in has for v in packet.destinations), "packet", p, "is not delivered")
        require((p, packet.origin) in has, "packet", p, "never comes into being")
    return max((cycle - 1 for cycle, leaves, _, _ in events if not leaves), default=0)


def judge(schedule):
    """Raises Wrong if the schedule is not valid; returns the cycles that it takes."""
    network = schedule["network"]
    processors = network.get("processors", len(network["ports"]))
    require(0 < processors <= len(network["ports"]), processors, "processors")
    packets = packets_of(schedule)
    judge_packets(packets, processors)
    if "collective" in schedule:
        kind = NAMES.get(schedule["collective"], schedule["collective"])
        judge_collective(kind, schedule.get("root", 0), packets, processors)
    else:
        contributions(packets)
    return play(schedule, packets, links_of(network))


def in_columns(schedule):
    """The same with packets and sends one by one, so that each can be changed."""
    schedule = copy.deepcopy(schedule)
    packets = packets_of(schedule)
    schedule["packets"] = {name: [getattr(p, name) for p in packets] for name in ("origin", "tag", "flits", "destinations")}
    if any(p.parts for p in packets):
        schedule["packets"]["parts"] = [p.parts for p in packets]
    sends = schedule["sends"]
    sends["slot"] = [slot for slot, count in zip(sends["slot"], sends.pop("count", [1] * len(sends["slot"]))) for _ in range(count)]
    return schedule
