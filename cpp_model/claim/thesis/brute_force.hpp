// brute_force - optima and bounds of small networks from their definitions, by trying everything: what runs
// of planned timetables are compared with. Nothing here knows an algorithm.
#pragma once

#include <cstdint>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// Steps of the fastest one-port broadcast, by trying all calls of all steps. For at most 16 nodes.
std::uint64_t searched_broadcast_steps(const Graph& graph, NodeId root);

/// Steps of the fastest all-port scatter: the first T for which, in the network spread out over T steps, a
/// flow of a packet from the root to every other node exists. Links carry a packet a step, nodes keep any
/// number; the packets differ only in where they go, so that every flow is a scatter. For at most 16 nodes.
std::uint64_t searched_scatter_steps(const Graph& graph, NodeId root);

/// The most paths from v to u that share no other node, by Menger's theorem: the fewest nodes whose removal
/// parts v from u, over all sets of nodes, and one more if v and u are neighbours. For at most 16 nodes.
std::uint64_t searched_disjoint_paths(const Graph& graph, NodeId v, NodeId u);

/// Steps that no total exchange over full-duplex links can beat: the diameter, or the largest bound by
/// prices. A packet pays a price for every link that it crosses, or one-port for every node that sends it. In
/// one step links or nodes take in no more than all their prices together; every packet pays at least for its
/// cheapest way. Whole prices from 0 up are tried, as many as time allows, the same for links or nodes that
/// lie alike; cuts (4.1) and the average status (4.4) are among them.
std::uint64_t searched_exchange_bound(const Graph& graph, PortModel ports);

}  // namespace safnet
