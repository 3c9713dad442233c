"""What safnet was told to write of a run: its schedule as JSON, and what follows from that by definition."""
import csv
import gzip
import json
from collections import defaultdict
from dataclasses import dataclass, field


@dataclass
class Send:
    """A packet on a link. `ready`: the cycle from which on it could have left; `causes`: the sends that brought it."""
    step: int
    cycle: int
    arrival: int
    link: int
    packet: int
    ready: int = 1
    hop: int = 1
    causes: list = field(default_factory=list)


def read_table(path):
    """The rows of --transfers, as dictionaries."""
    opened = gzip.open if str(path).endswith(".gz") else open
    with opened(path, "rt", newline="") as file:
        return list(csv.DictReader(file))


def ends_of_links(schedule):
    """By link, (node, port, node that it leads to), of a network that is written port by port."""
    return [(node, port, peer[0])
            for node, ports in enumerate(schedule["network"]["ports"]) for port, peer in enumerate(ports)]


def read_schedule(path):
    return json.loads(path.read_text())


def sends_of(schedule, ends, origin):
    """All sends of a schedule, in its order. `origin`: by packet. Worked out from the definition alone."""
    columns = schedule["sends"]
    counts = columns.get("count", [1] * len(columns["slot"]))
    slots = [slot for slot, count in zip(columns["slot"], counts) for _ in range(count)]
    flits = schedule["packets"]["flits"]
    parts = schedule["packets"].get("parts")
    sends = []
    for slot, link, packet in zip(slots, columns["link"], columns["packet"]):
        cycle = (slot - 1) * schedule.get("slot_cycles", 1) + 1
        length = flits if isinstance(flits, int) else flits[packet]
        sends.append(Send(slot, cycle, cycle + length - 1 + schedule.get("link_latency", 0), link, packet))

    came = defaultdict(list)  # (packet, node): sends that brought it
    for number, send in enumerate(sends):
        came[send.packet, ends[send.link][2]].append(number)

    def there(packet, node):
        """The cycle from which on a node has a packet, and what brought it or its parts."""
        if node != origin[packet]:
            first = came[packet, node][0]
            return sends[first].arrival + 1, [first]
        cycle, causes = 1, []
        for part in parts[packet] if parts else []:
            part_cycle, part_causes = there(part, node)
            cycle, causes = max(cycle, part_cycle), causes + part_causes
        return cycle, causes

    for send in sends:
        node = ends[send.link][0]
        send.ready, send.causes = there(send.packet, node)
        if node != origin[send.packet]:
            send.hop = sends[send.causes[0]].hop + 1
    return sends
