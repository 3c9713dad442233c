#!/usr/bin/env python3
"""check_certificate.py FILE...: do certificates of safnet's (--certificate) prove their lower bounds?

A certificate holds a network, a collective, a number of steps, and an argument that fewer do not suffice. This program
shares no code with safnet and works out from the network alone what the argument proves; cpp_model/proof/README.md has
the format and says why each kind of argument holds. A file holds one certificate or a list of them. Prints a line for
each. Exit code 0: all hold; 1: one does not hold; 2: a file cannot be read or is no certificate.
"""
import json
import sys
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
        self.links = [tuple(number(v, 0, self.nodes - 1, "the end of a link") for v in (u, w)) for u, w in c["links"]]
        require(c["ports"] in ("all", "one", "one-send"), f"ports are {c['ports']!r}")
        self.sends_one, self.receives_one = c["ports"] != "all", c["ports"] == "one"
        self.messages = number(c["messages"], 1, 65535, "messages")
        self.steps = number(c["steps"], 1, 10**7, "steps") - 1  # these are to be shown to be too few
        kind, root = c["collective"], c.get("root", 0)
        if kind == "allreduce":  # what a node contributes reaches all nodes, and what it gets is made of all nodes' packets
            kind, root = argument["as"], argument["root"]
            require(kind in ("bcast", "reduce", "allreduce"), f"an allreduce is seen as {kind!r}, expected bcast, reduce or allreduce")
        self.together = kind == "allreduce"  # a sum holds no more than all contributions to one message that its sender knows
        self.messages = 1 if self.together else self.messages
        root, everyone = number(root, 0, processors - 1, "root"), list(range(processors))
        self.copied = kind in ("bcast", "allgather", "reduce", "reduce-scatter", "allreduce")
        require(self.copied or kind in ("scatter", "gather", "alltoall"), f"collective {kind!r} is not known")
        self.origins = [root] if kind in ("bcast", "scatter", "reduce") else everyone
        self.destinations = [root] if kind == "gather" else everyone
        self.combined = kind in ("reduce", "reduce-scatter")
        if self.combined:  # backwards in time a result is a packet that is copied
            self.turn()

    def turn(self):
        """Read backwards in time, over links turned round."""
        self.links = [(v, u) for u, v in self.links]
        self.sends_one, self.receives_one = self.receives_one, self.sends_one

    def hops(self, start):
        after = {v: [] for v in range(self.nodes)}
        for u, v in self.links:
            after[u].append(v)
        hops, order = [inf] * self.nodes, [start]
        hops[start] = 0
        for v in order:
            for w in after[v]:
                if hops[w] == inf:
                    hops[w] = hops[v] + 1
                    order.append(w)
        return hops

    def prices(self, entries):
        """What all steps together have room for, and [(first step, last step, price of each link)]."""
        kinds = {"link": len(self.links), "send": self.sends_one * self.nodes, "receive": self.receives_one * self.nodes}
        room, starts = 0, {1, self.steps + 1}
        for what, which, first, last, price in entries:
            require(what in kinds, f"a price of {what!r}")
            number(which, 0, kinds[what] - 1, f"number of a priced {what}")
            number(last, number(first, 1, self.steps, "first step of a price"), self.steps, "last step of a price")
            room += number(price, 0, 2**62, "a price") * (last - first + 1)
            starts |= {first, last + 1}
        starts, periods = sorted(starts), []
        for first, after in zip(starts, starts[1:]):
            of = {"link": [0] * len(self.links), "send": [0] * self.nodes, "receive": [0] * self.nodes}
            for what, which, begin, end, price in entries:
                if begin <= first <= end:
                    of[what][which] += price
            of_link = [p + of["send"][u] + of["receive"][v] for p, (u, v) in zip(of["link"], self.links)]
            periods.append((first, after - 1, of_link))
        return room, periods


def one_at_a_time(task):
    require(not task.together, "the argument is for links that carry one packet at a time")


def one_origin(task):
    require(task.copied and len(task.origins) == 1, "the argument is for one origin whose packet is copied")
    return task.origins[0]


def one_sender(task):
    """Of one-port nodes; returns the origin. Its last message leaves it after messages - 1 steps or later."""
    require(task.sends_one, "the argument is for nodes that send one packet per step")
    task.steps -= task.messages - 1
    return one_origin(task)


def unaffordable(task, owed, room):
    require(owed > room, f"packets pay {owed} or more, and {task.steps} steps have room for {room}: that is enough")
    return f"packets pay {owed} or more, and {task.steps} steps have room for {room}"


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
    for origin in task.origins:
        cost = [inf] * task.nodes
        cost[origin] = 0
        for first, last, price in periods:
            for _ in range(first, last + 1):
                after = cost[:]
                for (u, v), p in zip(task.links, price):
                    if cost[u] + p < after[v]:
                        after[v] = cost[u] + p
                if after == cost:
                    break
                cost = after
        for destination in task.destinations:
            if cost[destination] == inf:
                return f"no way from node {origin} to node {destination} in {task.steps} steps"
            owed += task.messages * cost[destination]
    return unaffordable(task, owed, room)


def entries(task, argument):
    """Each copied packet enters each of these sets, none of which have a node in common, over a link into it."""
    one_at_a_time(task)
    require(task.copied, "the argument is for packets that are copied")
    room, periods = task.prices(argument["prices"])
    hops = {origin: task.hops(origin) for origin in task.origins}
    owed, seen = 0, set()
    for nodes in argument["sets"]:
        inside = {number(v, 0, task.nodes - 1, "a node of a set") for v in nodes}
        require(not seen & inside, f"nodes {sorted(seen & inside)} are in two sets")
        seen |= inside
        wanted = inside & set(task.destinations)
        into = [l for l, (u, v) in enumerate(task.links) if u not in inside and v in inside]
        feeders, entered = {task.links[l][0] for l in into}, {task.links[l][1] for l in into}
        # Steps from the first entry until the packet is everywhere in the set: how far, and how many, it can reach.
        near, more, rest = entered, 0 if len(entered) == 1 else len(feeders), 0
        known = min(len(feeders), len(entered))
        while not wanted <= near or task.sends_one and known < len(wanted) + (not wanted & entered):
            grown = near | {v for u, v in task.links if u in near and v in inside}
            if grown == near and known >= len(near):
                break
            near, known, rest = grown, min(2 * known + more, len(grown)), rest + 1
        for origin in task.origins:
            if wanted and origin not in inside:
                pays = inf
                for l in into:
                    soonest, latest = hops[origin][task.links[l][0]] + 1, task.steps - rest
                    for first, last, price in periods:
                        if max(first, soonest) <= min(last, latest):
                            pays = min(pays, price[l])
                if pays == inf:
                    return f"the packet of node {origin} cannot be in all of a set in {task.steps} steps"
                owed += task.messages * pays
    return f"entering {len(argument['sets'])} sets, {unaffordable(task, owed, room)}"


def informed(task, argument):
    """Ways of l calls that end within t steps are given by the steps of their calls: C(t, l) ways at most."""
    hops = task.hops(one_sender(task))
    least = number(argument["hops"], 0, task.nodes, "hops")
    far = sum(hops[v] >= least for v in set(task.destinations) | set(task.origins))
    most = 0
    for calls in range(least, task.steps + 1):
        most += comb(task.steps, calls)
        require(most < far, f"over {least} calls or more {most} nodes can be informed, and {far} are so far away")
    require(most < far, f"no node is {least} hops away")
    return f"{far} nodes are {least} hops away or more, {most} can be informed over so many calls in {task.steps} steps"


def tree(task, _):
    """In a tree each node informs its subtrees one by one, best the slowest first."""
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
    into, out_of = ([[l for l in links if task.links[l][end] == v] for v in nodes] for end in (1, 0))
    for p, origin in enumerate(packets):
        yield from ([-has(p, v, 0)] for v in nodes if v != origin)  # before step 1 a packet is at its origin alone
        yield from ([has(p, v, task.steps)] for v in task.destinations)  # in the end it is everywhere
        for t in steps:
            yield from ([-has(p, v, t), has(p, v, t - 1)] + [crosses(p, l, t) for l in into[v]] for v in nodes)
            yield from ([-crosses(p, l, t), has(p, task.links[l][0], t - 1)] for l in links)
    for t in steps:  # each link carries one packet, and so do all links into or out of a node with one port
        if task.together:  # or any number at once
            yield from ([-crosses(p, l, t), uses(l, t)] for p in range(count) for l in links)
        for group in [[l] for l in links] + out_of * task.sends_one + into * task.receives_one:
            sent = [uses(l, t) for l in group] if task.together else [crosses(p, l, t) for p in range(count) for l in group]
            yield from ([-sent[j], -sent[i]] for i in range(len(sent)) for j in range(i))


def refutation(task, argument):
    """Each lemma follows: if none of its literals is true, the clauses named make others true, until one has none left."""
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
    return f"at least {certificate['steps']} steps: {why}"


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
                    print(f"NOT proved: at least {c['steps']} steps: {refusal} ({name})")
        except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
            print(f"{path}: no certificate that can be read: {error!r}", file=sys.stderr)
            code = 2
    if not paths:
        print(__doc__, file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
