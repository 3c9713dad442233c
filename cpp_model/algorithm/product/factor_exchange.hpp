// factor_exchange - the best total exchange known for a network that is no product; those of products are
// built from it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cpp_model/schedule/problem.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// The best timetable known here for total exchange on a graph that is no product: the fewest steps among all
/// planners that apply. The packets are in the order of collective_packets().
Schedule shortest_exchange(const Graph& graph, PortModel ports);
/// Steps of that timetable, where a formula promises them.
std::optional<std::uint64_t> promised_exchange_steps(const Graph& graph, PortModel ports);
/// By factor: steps of as many of its exchanges, one after the other, as the product has copies of it;
/// nothing if some factor's are not promised.
std::optional<std::vector<std::uint64_t>> promised_rounds(const std::vector<Graph>& factors, PortModel ports);
/// Empty, or why a total exchange on the graph is too large for the planners here: nodes, or hops.
std::string why_exchange_too_large(const Graph& graph);
/// Steps of a schedule of steps: when its last packet has arrived.
std::uint32_t last_step(const Schedule& schedule);

}  // namespace safnet
