// partial_broadcast_runs - runs of partial collectives on nodes that find out by themselves who is active, as
// the claims on them share them.
//
// Every run must end in the very cycle that stated_intervals.hpp says, and every phase of it as well.
#pragma once

#include <string>
#include <vector>

#include "cpp_model/claim/chapter.hpp"
#include "cpp_model/claim/mesh/stated_intervals.hpp"

namespace safnet {

using OnlineInspection = std::function<std::string(const OnlineOutcome&)>;

inline constexpr const char* kPartialBroadcast = "partial-multinode-broadcast";
inline constexpr const char* kPartialAccumulation = "partial-multinode-accumulation";

/// A prefix packet is one flit, so t_p = 1/F. 24 flits are split into equal parts on the networks that are
/// run, so that cycles are exactly the slots of the papers.
inline constexpr PartialBroadcastSettings kWhole{.flits = 8};
inline constexpr PartialBroadcastSettings kSplit{.flits = 24, .split = true};
PartialBroadcastSettings with_known_ranks(PartialBroadcastSettings settings);

DigitShape digit_shape(const std::string& topology);

/// A broadcast, or an accumulation, that must end in the cycle that is stated, as must its phases.
OnlineCase online_run(const std::string& topology, const std::vector<NodeId>& active,
                      const PartialBroadcastSettings& settings, const char* collective = kPartialBroadcast);
/// The same run, looked at by one more inspection.
OnlineCase inspected(OnlineCase run, OnlineInspection more);
/// The same run, which contradicts what is printed.
OnlineCase printed(OnlineCase run, Printed<OnlineOutcome> statement);

/// The interval takes at most so many cycles.
OnlineInspection cycles_within(const Rational& most);

/// The sets of active nodes to run: all of sets_of_active_nodes() if `full`, otherwise eight of them, the
/// first two (no node, and node 0) among them.
std::vector<std::vector<NodeId>> sets_to_run(const DigitShape& shape, bool full);
/// A run for every such set of every network. `inspect` gets the network and the active nodes.
using InspectionOf = std::function<OnlineInspection(const DigitShape&, const std::vector<NodeId>& active)>;
OnlineCases online_runs(const std::vector<std::string>& topologies, const PartialBroadcastSettings& settings,
                        bool full, const InspectionOf& inspect = {},
                        const char* collective = kPartialBroadcast);

/// Networks: arrays, tori and folded cubes.
std::vector<std::string> arrays_to_run(bool full);
std::vector<std::string> tori_to_run(bool full);
std::vector<std::string> folded_cubes_to_run(bool full);

}  // namespace safnet
