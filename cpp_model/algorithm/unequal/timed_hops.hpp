// timed_hops - ways and times for personal packets over links that are not all alike.
//
// Times are those of packets of one flit, in cycles from 1: what schedules of steps count on such networks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cpp_model/algorithm/tools/balanced_paths.hpp"
#include "cpp_model/graph/link_times.hpp"
#include "cpp_model/schedule/problem.hpp"

namespace safnet {

/// One way per trip, in their order. Quick ways first; then ways are replaced, one after the other, by those
/// that lead past what is busiest: links (all-port), or nodes. Deterministic.
Hops timed_paths(const Graph& graph, const LinkTimes& times, PortModel ports, std::span<const Trip> trips);

/// The cycle in which every hop begins. As soon as a link, and under one-port what it leaves and leads to, is
/// free, it takes of the packets that wait the one with the most time still ahead. `seed` decides between
/// equals.
std::vector<std::uint32_t> timed_list_schedule(const Graph& graph, const LinkTimes& times, PortModel ports,
                                               const Hops& hops, std::uint64_t seed);

/// The cycle at whose end the last hop has crossed its link; 0 if there are none.
std::uint32_t last_arrival(const LinkTimes& times, const Hops& hops, std::span<const std::uint32_t> starts);

}  // namespace safnet
