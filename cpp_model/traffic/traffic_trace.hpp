// traffic_trace - packets from a file: who sends to whom in which cycle.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cpp_model/graph/graph.hpp"

namespace safnet {

/// `messages` packets that `source` has for `destination` at the beginning of `cycle`.
struct TracedPackets {
  std::uint32_t cycle = 0;  ///< from 1
  NodeId source = 0;
  NodeId destination = 0;
  std::uint32_t messages = 1;
};

/// Packets that one file may ask for.
inline constexpr std::uint64_t kMostTracedPackets = 20'000'000;
/// Packets that one node may send in a run: tags, which tell them apart, have 24 bits.
inline constexpr std::uint64_t kMostPacketsOfSource = std::uint64_t{1} << 24;
/// Every cycle up to the last packet is run on the hardware, idle or not.
inline constexpr std::uint32_t kLastTracedCycle = 10'000'000;

/// Reads lines "cycle source destination [messages]"; nodes are numbers, coordinates or names; what follows
/// a # is a comment. In order of cycle, those of one cycle in the order of the file. Throws
/// std::invalid_argument, naming file, line and word, for anything else.
std::vector<TracedPackets> read_traffic_trace(const std::string& path, const Graph& graph);

/// Nodes that send something.
NodeId sources_of(const std::vector<TracedPackets>& trace);

}  // namespace safnet
