// allreduce_lines - allreduces of one message on the networks that products are made of, one-port, in which
// nodes send sums and go on combining into them.
#pragma once

#include <optional>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// Schedules of steps in which nobody sends, or receives, more than one packet at a time. Packet v is what
/// node v contributes; all others are sums, and the one that has v as its destination is v's result.
/// tdm_nodes run them on time (first_late_sum()). Nothing if the network is not of the kind.

/// Complete graphs of n nodes: in every step a node knows up to twice as many contributions as before. It
/// sends all that it knows, all but its own, or what it knew after some step before, to the node that lies so
/// far ahead that the two have nothing in common. ceil(log2 n) steps for n = 2^b (2^a + 1), and for powers of
/// two; at most one or two more for others.
std::optional<Schedule> doubling_on_complete_graph(const Graph& graph);

/// Rings of an even number n of nodes: neighbours exchange in pairs, alternately with one and the other. In
/// step 2 they exchange the sums of pairs, from step 3 on what came in the step before. n / 2 steps.
std::optional<Schedule> pairwise_exchange_on_ring(const Graph& graph);

/// Cayley graphs: all nodes do the same. In every step all send through the same port what they know, or knew
/// after a step before, or what came in a step before; who receives it knew nothing of that. A search that
/// begins with ceil(log2 n) steps and ends with `most_steps`, or eight more than it began with; some 100,000
/// tries for each number of steps.
std::optional<Schedule> doubling_on_cayley_graph(const Graph& graph, std::uint32_t most_steps);

/// The best of these, or of a multinode broadcast whose packets every node combines.
Schedule best_allreduce_line(const Graph& graph);

}  // namespace safnet
