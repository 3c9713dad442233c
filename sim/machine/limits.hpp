// limits - what options and hardware allow.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {

inline constexpr int kMostPorts = 64;             ///< of a router: its sets of ports are 64-bit words
inline constexpr int kMostTdmPorts = kMaxDegree;  ///< of a tdm_node
inline constexpr int kMostFlits = 64;             ///< of a packet on routers and in timetables
inline constexpr int kMostDelay = 4096;           ///< cycles by which links that differ may delay a flit
inline constexpr int kMostLatency = 64;           ///< cycles of a link
inline constexpr int kMostQueued = 4096;          ///< packets per link
inline constexpr int kMostRanks = 4096;
inline constexpr int kMostBuffers = 65535;  ///< of a tdm_node

/// The smallest of ascending `classes` that is no less than `needed`; the last if there is none.
template <std::size_t Size>
int size_class(std::uint64_t needed, const std::array<int, Size>& classes) {
  for (const int size : classes) {
    if (needed <= static_cast<std::uint64_t>(size)) return size;
  }
  return classes.back();
}

/// The width of a field that needs so many bits, in a node that has no more than a run needs: a multiple of
/// `step`, so that runs of different lengths share nodes, but not more than `room` if that is enough.
inline int field_width(int bits, int step, int room) {
  return std::max(bits, std::min((bits + step - 1) / step * step, room));
}

/// The longest packets and links that nodes are built with for `flits` and `latency`: a few sizes, so that
/// runs share variants. Packets of one flit on links without latency, the usual case and the fastest, have
/// nodes of their own.
struct PacketClass {
  int flits = 1, latency = 0;
};
inline PacketClass packet_class(int flits, int latency) {
  if (flits == 1 && latency == 0) return {};
  return {size_class(static_cast<std::uint64_t>(flits), std::array{4, 16, kMostFlits}),
          size_class(static_cast<std::uint64_t>(latency), std::array{0, 2, 8, kMostLatency})};
}

/// Throws std::invalid_argument, naming the option, unless low <= value <= high.
inline void check_range(const char* option, int value, int low, int high) {
  if (value < low || value > high) throw bad_input("{} {}: expected {} to {}", option, value, low, high);
}

/// Throws std::invalid_argument, naming the network, if a node has more ports than routers can have.
inline void check_ports(const Graph& graph) {
  if (graph.max_degree() > kMostPorts)
    throw bad_input("{}: a node has {} ports; expected at most {}, or a timetable for tdm_nodes",
                    one_line(graph.spelling()), graph.max_degree(), kMostPorts);
}

/// Ports that the nodes of a network are built with: a few sizes, so that networks share variants. Only
/// tdm_nodes have more than kMostPorts.
inline int radix_class(const Graph& graph) {
  return size_class(graph.max_degree(), std::array{4, 8, 16, 32, kMostPorts, 96, kMostTdmPorts});
}

}  // namespace safnet
