// many_paths - ways for millions of personal packets that share out the work among links, or nodes, evenly.
//
// A search from a destination over the whole network says what each node's cheapest way there costs, where
// the price of a link grows exponentially with its load. A group of the packets for that destination then
// goes there node by node, each time over the link that is the cheapest at that moment with what comes after
// it. So one search serves many packets, where balanced_paths() has one for each packet, which is better on
// small networks. The smaller the groups the less they crowd the same links, and the more searches there are.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cpp_model/algorithm/tools/balanced_paths.hpp"
#include "cpp_model/algorithm/tools/flat_graph.hpp"
#include "cpp_model/algorithm/tools/list_scheduling.hpp"

namespace safnet {

/// One path per trip, by columns: that of trip i is link[first[i]] ... link[first[i + 1] - 1].
struct PathTable {
  std::vector<std::uint32_t> first{0};
  std::vector<LinkId> link;
  std::uint32_t trips() const { return static_cast<std::uint32_t>(first.size() - 1); }
  std::span<const LinkId> of(std::uint32_t trip) const {
    return {link.data() + first[trip], first[trip + 1] - first[trip]};
  }
};

struct ManyPaths {
  PathTable paths;
  std::uint64_t congestion = 0;  ///< of the busiest resource
  std::uint64_t proven = 0;  ///< whatever the ways, some resource is as busy as that; see congestion_bound()
};

/// Links that searches for detours look at; at most kMostDetouredHops hops of shortest paths have any.
inline constexpr std::uint64_t kMostDetouredLinks = 1'000'000'000;
inline constexpr std::uint64_t kMostDetouredHops = std::uint64_t{1} << 24;

/// Ways for all trips: first only shortest ones, then, if the busiest resource is busier than `proven`, a
/// lower bound that is known, and prices do not prove that it has to be, also detours of up to four hops
/// where they help. The same input gives the same ways. Throws std::invalid_argument if there is no path, a
/// trip leads to where it starts, or the paths have 2^32 hops or more.
ManyPaths many_paths(const FlatGraph& graph, const Occupancy& occupancy, std::span<const Trip> trips,
                     std::uint64_t proven);

}  // namespace safnet
