// routed_schedules - timetables on networks with nodes that only route, from the ways of the packets: what
// the planners for fat trees and for any such network have in common.
//
// Routers copy packets but cannot combine them: processors combine, along trees of processors.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cpp_model/algorithm/tools/packet_ways.hpp"
#include "cpp_model/schedule/problem.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// Most packets that a tdm_node combines into one.
inline constexpr NodeId kMostCombined = 255;

/// The steps of hops by the best of several rules; stops at the first that takes `goal` steps or fewer.
std::vector<std::uint32_t> steps_of_hops(const Problem& problem, const Hops& hops, std::uint64_t goal);
/// The last of these steps; 0 if there are none.
std::uint32_t last_of(std::span<const std::uint32_t> steps);

/// Sorted, with every send as early as it can be.
Schedule finished(Schedule schedule);

/// Adds the sends of all packets of the schedule, each to its one destination, to its several, or to all
/// other processors.
void send_packets(Schedule& schedule, const Problem& problem, PacketWays& ways, std::uint64_t goal);

/// A processor informs another, backwards in time: the second sends what it has combined to the first.
struct ProcessorInforming {
  NodeId from, to;
};
/// For one result, at the root. In order: the root informs first, and none informs before it is informed.
using CombiningTree = std::vector<ProcessorInforming>;

/// The links from a processor that sends what it has combined, the second of an edge, to the first.
using WayOfEdge = std::function<std::vector<LinkId>(const ProcessorInforming& edge, PacketIndex number)>;
/// Hops of the edges of all trees, which are numbered through, backwards in time: of each from its first on.
Hops hops_of_trees(NodeId processors, std::span<const CombiningTree> trees, const WayOfEdge& way);
/// Would a processor combine more than kMostCombined packets, its own one of them?
bool combine_too_many(NodeId processors, std::span<const CombiningTree> trees);

/// A tree per result, and when its hops are made.
struct CombiningPlan {
  std::vector<CombiningTree> trees;
  Hops hops;  ///< hops_of_trees(); `packet`: number of the edge
  std::vector<std::uint32_t> steps;
  std::uint32_t last = 0;
};
/// Nothing if they combine_too_many().
std::optional<CombiningPlan> plan_trees(const Problem& problem, PacketWays& ways,
                                        std::vector<CombiningTree> trees, std::uint64_t goal);

/// A processor for each message of an allreduce, where it is combined and then sent from.
std::vector<NodeId> roots_in_turn(const Problem& problem);

/// Adds the packets that processors combine and send, and the results, whose destinations are their roots or,
/// if they are `for_all`, all processors. Returns the results.
std::vector<PacketIndex> add_combining(Schedule& schedule, std::span<const NodeId> roots,
                                       const CombiningPlan& plan, bool for_all);

/// An allreduce in which every processor gets every packet and combines them; not finished.
Schedule combine_everywhere(const Problem& problem, PacketWays& ways, const std::string& algorithm);
/// One in which each message is combined at its root, by the plan, and sent to all from there in `goal` steps
/// or more; not finished.
Schedule combine_then_broadcast(const Problem& problem, std::span<const NodeId> roots,
                                const CombiningPlan& plan, PacketWays& ways, std::uint64_t goal,
                                const std::string& algorithm);

}  // namespace safnet
