"""Collective communication on real routers, cycle by cycle: networks, plans, bounds, and runs on verilated hardware.

    import safnet
    outcome = safnet.run(safnet.Topology("torus:4x4"), "alltoall")
    print(outcome.steps, outcome.lower_bound, outcome.verdict)

What a caller gets wrong is a ValueError with the line that the program prints. Runs release the interpreter's lock; Ctrl-C ends
them.
"""
from ._safnet import Outcome, Plan, Topology, __version__, certificate, lower_bound, replay, run

__all__ = ["Outcome", "Plan", "Topology", "certificate", "from_networkx", "lower_bound", "replay", "run"]


def from_networkx(graph):
    """The network of a networkx graph: an edge is a link each way, of a directed graph a link one way. Nodes get the numbers
    in which the graph has them. A graph with several edges between two nodes has several links."""
    numbers = {node: number for number, node in enumerate(graph)}
    if graph.number_of_edges() == 0:
        raise ValueError("graph: no edges; expected a network that is connected")
    pairs = ",".join(f"{numbers[u]}-{numbers[v]}" for u, v, *_ in graph.edges())
    network = Topology(("links:" if graph.is_directed() else "edges:") + pairs)
    if network.nodes != len(numbers):
        raise ValueError(f"graph: {len(numbers)} nodes, of which {len(numbers) - network.nodes} have no edges; expected a network that is connected")
    return network
