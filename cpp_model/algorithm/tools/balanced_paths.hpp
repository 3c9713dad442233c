// balanced_paths - ways for personal packets that share out the work among links, or nodes, evenly.
//
// The busiest resource (list_scheduling.hpp) is a lower bound on the steps of any schedule along the ways: of
// a node with one port, what it sends itself and what passes through it (thesis 4.1).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cpp_model/algorithm/tools/flat_graph.hpp"
#include "cpp_model/algorithm/tools/list_scheduling.hpp"

namespace safnet {

/// A packet that must get from one node to another.
struct Trip {
  NodeId from = 0;
  NodeId to = 0;
  PacketIndex packet = 0;
};

struct BalanceEffort {
  std::uint64_t seed = 1;
  bool shortest_only = false;                 ///< otherwise detours where they help
  std::uint64_t links_visited = 100'000'000;  ///< then it stops, with what it has
};

struct BalancedPaths {
  Hops hops;                 ///< one path per trip, in their order
  std::uint64_t proven = 0;  ///< whatever the paths, some resource is as busy as that; see congestion_bound()
};

/// Local search, every path in turn replaced by the best one under a cost that doubles with each packet near
/// the top; then, unless `shortest_only`, negotiation as below. Throws std::invalid_argument if there is no
/// path or a trip leads to where it starts.
BalancedPaths balanced_paths(const FlatGraph& graph, const Occupancy& occupancy, std::span<const Trip> trips,
                             const BalanceEffort& effort);

/// A lower bound on the busiest resource, and so on the steps of any schedule: the sum of the trips'
/// distances under a price per resource, over the sum of the prices, rounded up (the dual of the linear
/// program of fractional paths; all prices 1: the average status, thesis (4.4)). The prices' sums must fit 64
/// bits.
std::uint64_t congestion_bound(const FlatGraph& graph, const Occupancy& occupancy,
                               std::span<const Trip> trips, std::span<const std::uint64_t> prices);

/// The busiest resource of the hops.
std::uint64_t congestion(const Occupancy& occupancy, const Hops& hops);

/// Hops with their steps, counted from 1.
struct TimedHops {
  Hops hops;
  std::vector<std::uint32_t> steps;
  std::uint32_t makespan() const;
};

/// Ways and steps at once, within `steps` steps in all: packets compete for resources and steps, those in
/// conflict are led elsewhere, and what is fought for grows dearer (negotiated congestion, McMurchie and
/// Ebeling 1995, PathFinder). `start`: what to begin with, at most a little too long. Nothing if `effort` is
/// used up first.
std::optional<TimedHops> negotiate(const FlatGraph& graph, const Occupancy& occupancy,
                                   std::span<const Trip> trips, const TimedHops& start, std::uint32_t steps,
                                   const BalanceEffort& effort);

}  // namespace safnet
