// list_scheduling - steps for hops whose ways are given: paths and trees of any packets on any network.
//
// In every step each free resource takes, of the hops whose packet is there, the one with the most hops still
// behind it: the furthest-first rule of thesis 4.2 for ways that need not be shortest. A resource is what a
// hop keeps busy for a step: a link (all-port), its sender (one-port-send), its sender and its receiver
// (one-port). Where there are two, a step is a matching of senders and receivers that leaves out none that
// has more hops to come than those it takes instead.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "cpp_model/algorithm/tools/occupancy.hpp"
#include "cpp_model/graph/graph.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

using HopIndex = std::uint32_t;
inline constexpr HopIndex kNoHop = std::numeric_limits<HopIndex>::max();

/// Hops, by columns. A path is a chain, a multicast a tree; each hop comes after the one it depends on.
struct Hops {
  std::vector<LinkId> link;
  std::vector<HopIndex> after;  ///< the hop that brings the packet to the link; kNoHop: it starts there
  std::vector<PacketIndex> packet;

  HopIndex size() const { return static_cast<HopIndex>(link.size()); }
  HopIndex add(LinkId over, HopIndex behind, PacketIndex what);
};

/// How many of the hops keep each resource busy.
std::vector<std::uint32_t> resource_loads(const Occupancy& occupancy, const Hops& hops);

/// Which hop goes first.
enum class HopPriority : std::uint8_t {
  kFurthestFirst,  ///< the most hops behind it; then the busiest resource ahead
  kBusiestAhead,   ///< the busiest resource ahead; then the most hops behind it
  kMostAhead,      ///< the largest sum, over the hops ahead, of how busy their resources are
};
struct ListRule {
  HopPriority priority = HopPriority::kFurthestFirst;
  std::uint64_t seed = 1;  ///< decides between equals
};

/// The step of every hop, counted from 1. Time: with one resource per hop O(h log h) for h hops; with two, a
/// step takes at most nodes times links that wait. Throws std::invalid_argument if a link does not exist or a
/// hop depends on a later one.
std::vector<std::uint32_t> list_schedule(const Occupancy& occupancy, const Hops& hops, const ListRule& rule);

/// Adds the sends of trees (or paths) to a schedule of steps that has none yet, by its port model. Throws
/// std::invalid_argument also if a hop's packet does not exist or is not where the link starts.
void schedule_trees(Schedule& schedule, const Hops& hops, const ListRule& rule = {});
/// Adds the sends of hops that have steps, without sorting.
void add_sends(Schedule& schedule, const Hops& hops, std::span<const std::uint32_t> steps);

}  // namespace safnet
