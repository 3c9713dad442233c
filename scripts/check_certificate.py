#!/usr/bin/env python3
"""check_certificate.py FILE...: do certificates of safnet's (--certificate) prove their lower bounds?

A certificate holds a network, a collective, a number of steps, and an argument that fewer do not suffice. This program
shares no code with safnet and works out from the network alone what the argument proves; cpp_model/proof/README.md has
the format and says why each kind of argument holds. A file holds one certificate or a list of them. Prints a line for
each. Exit code 0: all hold; 1: one does not hold; 2: a file cannot be read or is no certificate.
"""
import itertools
import json
import sys
from bisect import bisect_right
from heapq import heappop, heappush
from math import comb, inf


class Refusal(Exception):
    """What does not hold."""


def require(holds, what):
    if not holds:
        raise Refusal(what)


def number(value, low, high, what):
    require(type(value) is int and low <= value <= high, f"{what} is {value!r}, expected {low} to {high}")
    return value


class Task:
    """Packets of `messages` messages from every origin for the destinations, to be delivered in `steps` steps."""

    def __init__(self, c, argument):
        self.nodes = number(c["nodes"], 1, 65536, "nodes")
        processors = number(c["processors"], 1, self.nodes, "processors")
        self.links = [tuple(number(v, 0, self.nodes - 1, "the end of a link") for v in link[:2]) for link in c["links"]]
        require(c["ports"] in ("all", "one", "one-send"), f"ports are {c['ports']!r}")
        self.sends_one, self.receives_one = c["ports"] != "all", c["ports"] == "one"
        self.messages = number(c["messages"], 1, 65535, "messages")
        self.steps = number(c["steps"], 1, 10**7, "steps") - 1  # these are to be shown to be too few
        self.set_times(c, argument)
        kind, root = c["collective"], c.get("root", 0)
        if kind == "allreduce":  # what a node contributes reaches all nodes, and what it gets is made of all nodes' packets
            kind, root = argument["as"], argument["root"]
            require(kind in ("bcast", "reduce", "allreduce"), f"an allreduce is seen as {kind!r}, expected bcast, reduce or allreduce")
        self.together = kind == "allreduce"  # a sum holds no more than all contributions to one message that its sender knows
        self.messages = 1 if self.together else self.messages
        root, everyone = number(root, 0, processors - 1, "root"), list(range(processors))
        self.copied = kind in ("bcast", "allgather", "reduce", "reduce-scatter", "allreduce")
        require(self.copied or kind in ("scatter", "gather", "alltoall"), f"collective {kind!r} is not known")
        self.processors = processors
        self.origins = [root] if kind in ("bcast", "scatter", "reduce") else everyone
        self.destinations = [root] if kind == "gather" else everyone
        self.combined = kind in ("reduce", "reduce-scatter")
        if self.combined:  # backwards in time a result is a packet that is copied
            self.turn()

    def set_times(self, c, argument):
        """For how many steps, which are then cycles, a packet keeps each link busy, and after how many more it arrives."""
        self.busy, self.latency = [1] * len(self.links), [0] * len(self.links)
        flits = number(c.get("flits", 1), 1, 2**31, "flits")
        for which, (_, _, *times) in enumerate(c["links"]):
            if times:
                latency, cycles_per_flit = times
                self.latency[which] = number(latency, 0, 2**32, "latency of a link")
                self.busy[which] = flits * number(cycles_per_flit, 1, 2**16, "cycles per flit of a link")
        self.unit = unit(c)
        if "cycles_per_step" in argument:
            # Every crossing is under way in the last cycle of some step, and counts in the first such step. What a node
            # receives in a cycle was sent in one step if all latencies are the same.
            step = number(argument["cycles_per_step"], 1, min(self.busy, default=1), "cycles in a step")
            require(not self.receives_one or len(set(self.latency)) < 2, "links of different latency into nodes that receive one")
            self.steps, self.unit = self.steps // step, "steps"
            self.busy, self.latency = [1] * len(self.links), [0] * len(self.links)
        self.crossing = [w + wait for w, wait in zip(self.busy, self.latency)]
        self.alike = all(taken == 1 for taken in self.crossing)

    def turn(self):
        """Read backwards in time, over links turned round."""
        self.links = [(v, u) for u, v in self.links]
        self.sends_one, self.receives_one = self.receives_one, self.sends_one

    def hops(self, start):
        return self.soonest([start], [1] * len(self.links))

    def soonest(self, starts, takes=None, backwards=False, within=None):
        """Steps until something of the starts can be at each node; or until something of it can be at one of them."""
        beside = {v: [] for v in range(self.nodes)}
        for (u, v), taken in zip(self.links, takes or self.crossing):
            if within is None or u in within and v in within:
                beside[v if backwards else u].append((u if backwards else v, taken))
        steps, open_nodes = [inf] * self.nodes, [(0, v) for v in starts]
        for v in starts:
            steps[v] = 0
        while open_nodes:
            at, v = heappop(open_nodes)
            for w, taken in beside[v] if at == steps[v] else ():
                if at + taken < steps[w]:
                    steps[w] = at + taken
                    heappush(open_nodes, (at + taken, w))
        return steps

    def prices(self, entries):
        """What all steps together have room for, and [(first step, last step, cost of each link)]: of crossings that begin then.

        One that begins in step s keeps link and sender busy until step s + busy - 1, and the receiver as long, latency later.
        """
        kinds = {"link": len(self.links), "send": self.sends_one * self.nodes, "receive": self.receives_one * self.nodes}
        room, rises = 0, {}
        for what, which, first, last, price in entries:
            require(what in kinds, f"a price of {what!r}")
            number(which, 0, kinds[what] - 1, f"number of a priced {what}")
            number(last, number(first, 1, self.steps, "first step of a price"), self.steps, "last step of a price")
            room += number(price, 0, 2**62, "a price") * (last - first + 1)
            rise = rises.setdefault((what, which), {})
            rise[first], rise[last + 1] = rise.get(first, 0) + price, rise.get(last + 1, 0) - price
        sums = {slot: Sums(rise) for slot, rise in rises.items()}
        uses, starts, most = [], {1, self.steps + 1}, 10**7 // max(1, len(self.links))
        for l, (u, v) in enumerate(self.links):
            slots = (("link", l), 0), (("send", u), 0), (("receive", v), self.latency[l])
            uses.append([(sums[slot], later) for slot, later in slots if slot in sums])
            starts.add(self.steps + 2 - self.crossing[l])
            for each, later in uses[-1]:  # the cost changes from start to start where a price changes within a crossing
                for change in each.steps:
                    changed = range(max(1, change - later - self.busy[l] + 1), change - later + 1)
                    if len(changed) <= most:
                        starts.update(changed)
                    require(max(len(changed), len(starts)) <= most, "more links and changes of prices than can be looked at")
        starts = sorted(s for s in starts if 1 <= s <= self.steps + 1)
        return room, [(first, after - 1, [self.cost(l, first, uses[l]) for l in range(len(self.links))])
                      for first, after in zip(starts, starts[1:])]

    def cost(self, link, start, uses):
        if start + self.crossing[link] > self.steps + 1:
            return inf  # it does not arrive in time
        return sum(each.up_to(start + later + self.busy[link] - 1) - each.up_to(start + later - 1) for each, later in uses)


class Sums:
    """Sums of the prices of one link or port, from what they rise by in some steps."""

    def __init__(self, rises):
        self.steps, self.sums, before, price, since = sorted(rises), [], 0, 0, 0
        for step in self.steps:
            before, price, since = before + price * (step - since), price + rises[step], step
            self.sums.append((before, price))

    def up_to(self, step):
        i = bisect_right(self.steps, step) - 1
        return 0 if i < 0 else self.sums[i][0] + self.sums[i][1] * (step + 1 - self.steps[i])


def one_at_a_time(task):
    require(not task.together, "the argument is for links that carry one packet at a time")


def one_origin(task):
    require(task.copied and len(task.origins) == 1, "the argument is for one origin whose packet is copied")
    return task.origins[0]


def one_sender(task):
    """Of one-port nodes; returns the origin. Its last message leaves it after all others, that keep it busy."""
    require(task.sends_one, "the argument is for nodes that send one packet per step")
    task.steps = max(0, task.steps - (task.messages - 1) * min(task.busy, default=1))
    return one_origin(task)


def all_alike(task):
    require(task.alike, "the argument is for packets that cross every link in one step")


def unaffordable(task, owed, room):
    says = f"packets pay {owed} or more, and {task.steps} {task.unit} have room for {room}"
    require(owed > room, f"{says}: that is enough")
    return says


def ways(task, argument):
    """Each packet pays for the slots that it uses, at least the price of the cheapest way; a slot is paid for once."""
    one_at_a_time(task)
    if task.copied:  # of every packet only the copy for this node
        task.destinations = [number(argument["destination"], 0, len(task.destinations) - 1, "destination")]
    if argument["backwards"]:
        task.turn()
        task.origins, task.destinations = task.destinations, task.origins
    room, periods = task.prices(argument["prices"])
    owed = 0
    leaving = [[] for _ in range(task.nodes)]
    for l, (u, v) in enumerate(task.links):
        leaving[u].append((l, v))
    for origin in task.origins:
        cost = cheapest_ways(task, leaving, origin, periods)
        for destination in task.destinations:
            if cost[destination] == inf:
                return f"no way from node {origin} to node {destination} in {task.steps} {task.unit}"
            owed += task.messages * cost[destination]
    return unaffordable(task, owed, room)


def cheapest_ways(task, leaving, origin, periods):
    """What a packet pays at least until it is at each node: step by step, where it has come to a node more cheaply."""
    cost, arrivals = [inf] * task.nodes, [(0, origin, 0)]  # (last step of the crossing, node, cost)
    for first, last, price in periods:
        step, cheaper = first, set()
        while step <= last:
            while arrivals and arrivals[0][0] < step:
                _, v, paid = heappop(arrivals)
                if paid < cost[v]:
                    cost[v] = paid
                    cheaper.add(v)
            for u in [v for v in range(task.nodes) if cost[v] < inf] if step == first else cheaper:
                for l, v in leaving[u]:
                    if cost[u] + price[l] < cost[v]:
                        heappush(arrivals, (step + task.crossing[l] - 1, v, cost[u] + price[l]))
            step, cheaper = arrivals[0][0] + 1 if arrivals else inf, set()
    for _, v, paid in arrivals:
        cost[v] = min(cost[v], paid)
    return cost


def entries(task, argument):
    """Each copied packet enters each of these sets, none of which have a node in common, over a link into it."""
    one_at_a_time(task)
    require(task.copied, "the argument is for packets that are copied")
    room, periods = task.prices(argument["prices"])
    there = {origin: task.soonest([origin]) for origin in task.origins}
    owed, seen = 0, set()
    for nodes in argument["sets"]:
        inside = {number(v, 0, task.nodes - 1, "a node of a set") for v in nodes}
        require(not seen & inside, f"nodes {sorted(seen & inside)} are in two sets")
        seen |= inside
        wanted = inside & set(task.destinations)
        into = [l for l, (u, v) in enumerate(task.links) if u not in inside and v in inside]
        feeders, entered = {task.links[l][0] for l in into}, {task.links[l][1] for l in into}
        # Steps from the first entry until the packet is everywhere in the set: how far, and how many, it can reach.
        near, to_go = task.soonest(entered, within=inside), task.soonest(wanted, backwards=True)
        rest = max((near[v] for v in wanted), default=0)
        if task.sends_one and task.alike:
            known, more, step = min(len(feeders), len(entered)), 0 if len(entered) == 1 else len(feeders), 0
            before = None
            while known < len(wanted) + (not wanted & entered) and known != before:
                before, step = known, step + 1
                known = min(2 * known + more, sum(t <= step for t in near))
            rest = max(rest, step)
        for origin in task.origins:
            if wanted and origin not in inside:
                pays = inf
                for l in into:
                    u, v = task.links[l]
                    soonest, latest = there[origin][u] + 1, task.steps + 1 - task.crossing[l] - max(rest, to_go[v])
                    for first, last, price in periods:
                        if max(first, soonest) <= min(last, latest):
                            pays = min(pays, price[l])
                if pays == inf:
                    return f"the packet of node {origin} cannot be in all of a set in {task.steps} {task.unit}"
                owed += task.messages * pays
    return f"entering {len(argument['sets'])} sets, {unaffordable(task, owed, room)}"


def informed(task, argument):
    """Ways of l calls within t steps: a call takes c or more, and a node makes its next one b or more later.

    Which calls of their nodes these are says where a way ends, so that there are C((t - l c) / b + l, l) ways at most: C(t, l)
    if b and c are 1.
    """
    hops = task.hops(one_sender(task))
    least = number(argument["hops"], 0, task.nodes, "hops")
    far = sum(hops[v] >= least for v in set(task.destinations) | set(task.origins))
    busy, crossing = min(task.busy, default=1), min(task.crossing, default=1)
    most = 0
    for calls in range(least, task.steps // crossing + 1):
        most += comb((task.steps - calls * crossing) // busy + calls, calls)
        require(most < far, f"over {least} calls or more {most} nodes can be informed, and {far} are so far away")
    require(most < far, f"no node is {least} hops away")
    return f"{far} nodes are {least} hops away or more, {most} can be informed over so many calls in {task.steps} {task.unit}"


def tree(task, _):
    """In a tree each node informs its subtrees one by one, best the slowest first."""
    all_alike(task)
    root = one_sender(task)
    beside = {v: set() for v in range(task.nodes)}
    for u, v in task.links:
        beside[u].add(v)
        beside[v].add(u)
    order, parent = [root], {root: root}
    for v in order:
        for u in beside[v] - parent.keys():
            parent[u] = v
            order.append(u)
    require(len(order) == task.nodes and sum(map(len, beside.values())) == 2 * task.nodes - 2, "the network is no tree")
    below = {v: [] for v in order}  # steps that the subtrees of a node with destinations take
    for v in reversed(order):
        takes = max((i + 1 + t for i, t in enumerate(sorted(below[v], reverse=True))), default=0)
        if v != root and (below[v] or v in task.destinations):
            below[parent[v]].append(takes)
    require(takes > task.steps, f"from node {root} the tree takes {takes} steps")
    return f"each node informs its subtrees one by one: {takes} steps"


def carried(task, argument):
    """Only processors combine. Backwards: each packet that a processor sends informs one other, after so many hops."""
    all_alike(task)
    origin = one_origin(task)
    require(task.combined, "the argument is for packets that are combined")
    inside = {number(v, 0, task.nodes - 1, "a node of the set") for v in argument["set"]}
    wanted = sorted(inside & set(task.destinations))
    far, of = task.hops(origin), {v: task.hops(v) for v in inside}
    apart = min((of[v][u] for v in wanted for u in wanted if u != v), default=inf)
    starts = 1 if task.sends_one else max(1, sum(u == origin for u, _ in task.links))
    task.steps -= -(-task.messages // starts) - 1  # the last message leaves its origin so much later
    rate = max(1 if task.sends_one else sum(u == v for u, _ in task.links) for v in wanted)
    into = [(u, v, far[u] + min(of[v][w] for w in wanted), l)
            for l, (u, v) in enumerate(task.links) if u not in inside and v in inside]
    most = inf
    for end in [3] + [0] * task.sends_one + [1] * task.receives_one:  # a step brings one packet for each link, or end of links
        known = [int(origin in inside)]
        for step in range(1, task.steps + 1):
            entering = len({link[end] for link in into if link[2] < step})
            known.append(known[-1] + entering + (rate * known[step - apart] if apart <= step else 0))
        most = min(most, known[-1])
    require(most < len(wanted), f"{most} processors can take part, the set has {len(wanted)}")
    return f"at most {most} of {len(wanted)} processors can take part in {task.steps} steps"


def question(task):
    """Clauses that every schedule satisfies: literal v or -v for a variable v, or its negation."""
    nodes, links, steps = range(task.nodes), range(len(task.links)), range(1, task.steps + 1)
    packets = [origin for _ in range(task.messages) for origin in task.origins]
    count = len(packets)
    def has(p, v, t): return (t * count + p) * task.nodes + v + 1
    def crosses(p, l, t): return (task.steps + 1) * count * task.nodes + ((t - 1) * count + p) * len(links) + l + 1
    def uses(l, t): return crosses(0, l, task.steps + 1) + (t - 1) * len(links)
    copying, numbers = nodes[:task.processors] if task.combined else nodes, itertools.count(uses(0, task.steps + 1))
    into, out_of = ([[l for l in links if task.links[l][end] == v] for v in nodes] for end in (1, 0))
    for p, origin in enumerate(packets):
        yield from ([-has(p, v, 0)] for v in nodes if v != origin)  # before step 1 a packet is at its origin alone
        yield from ([has(p, v, task.steps)] for v in task.destinations)  # in the end it is everywhere
        for t in steps:
            yield from ([-has(p, v, t), has(p, v, t - 1)] + [crosses(p, l, t) for l in into[v]] for v in copying)
            yield from ([-crosses(p, l, t), has(p, task.links[l][0], t - 1)] for l in links if task.links[l][0] in copying)
        for v in nodes[len(copying):]:  # a router that passes copies on has sent no more than it had received one step before
            sent, received = [None] * len(task.destinations), [None] * len(task.destinations)
            for t in steps:
                for l in out_of[v]:
                    yield from counted(crosses(p, l, t), sent, numbers, False)
                yield from ([-s, r] if r else [-s] for s, r in zip(sent[1:], received[1:]) if s)
                for l in into[v]:
                    yield from counted(crosses(p, l, t), received, numbers, True)
    for t in steps:  # each link carries one packet, and so do all links into or out of a node with one port
        if task.together:  # or any number at once
            yield from ([-crosses(p, l, t), uses(l, t)] for p in range(count) for l in links)
        for group in [[l] for l in links] + out_of * task.sends_one + into * task.receives_one:
            sent = [uses(l, t) for l in group] if task.together else [crosses(p, l, t) for p in range(count) for l in group]
            yield from ([-sent[j], -sent[i]] for i in range(len(sent)) for j in range(i))


def counted(copy, reached, numbers, at_most):
    """Clauses for one more literal: reached[j] is true if j or more are, or, if it counts `at_most`, only then."""
    for j in range(len(reached) - 1, 0, -1):
        before, below = reached[j], reached[j - 1]
        if j == 1 or below:
            reached[j] = now = next(numbers)
            if at_most:
                yield [-now, copy] + ([before] if before else [])
                if j > 1:
                    yield [-now, below] + ([before] if before else [])
            else:
                if before:
                    yield [-before, now]
                yield [-copy, now] + ([-below] if j > 1 else [])


def refutation(task, argument):
    """Each lemma follows: if none of its literals is true, the clauses named make others true, until one has none left."""
    all_alike(task)
    require(task.copied, "the argument is for packets that are copied")
    clauses = list(question(task))
    lemmas, lemma = len(argument["lemmas"]), None
    for lemma, because in argument["lemmas"]:
        true, left = {-literal for literal in lemma}, None
        for which in because:
            left = [literal for literal in clauses[number(which, 0, len(clauses) - 1, "a clause")] if -literal not in true]
            if len(left) != 1:
                break
            true.add(left[0])
        require(left == [], f"lemma {lemma} does not follow")
        clauses.append(lemma)
    require(lemma == [], "the last lemma is not empty")
    return f"a SAT solver's proof of {lemmas} lemmas that nothing takes {task.steps} steps"


ARGUMENTS = {"ways": ways, "entries": entries, "informed": informed, "tree": tree, "carried": carried, "refutation": refutation}


def check(certificate):
    argument = certificate["argument"]
    require(argument["kind"] in ARGUMENTS, f"an argument of kind {argument['kind']!r} is not known")
    why = ARGUMENTS[argument["kind"]](Task(certificate, argument), argument)
    return f"at least {certificate['steps']} {unit(certificate)}: {why}"


def unit(certificate):
    return "cycles" if any(len(link) > 2 for link in certificate["links"]) else "steps"


def main(paths):
    code = 0 if paths else 2
    for path in paths:
        try:
            with open(path, encoding="utf-8") as file:
                read = json.load(file)
            for c in read if isinstance(read, list) else [read]:
                name = f"{c['collective']} on {c['topology']}, {c['nodes']} nodes, {len(c['links'])} links, ports {c['ports']}"
                try:
                    print(f"proved: {check(c)} ({name})")
                except Refusal as refusal:
                    code = max(code, 1)
                    print(f"NOT proved: at least {c['steps']} {unit(c)}: {refusal} ({name})")
        except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
            print(f"{path}: no certificate that can be read: {error!r}", file=sys.stderr)
            code = 2
    if not paths:
        print(__doc__, file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
