// trace - what a run did, packet by packet, as it was seen on links and at hosts.
#pragma once

#include <cstdint>
#include <vector>

namespace safnet::lab {

/// A packet on a link. Cycles and steps count from 1; its first flit leaves in `cycle`.
struct Crossing {
  std::uint32_t step = 0;    ///< in which it begins
  std::uint32_t cycle = 0;   ///< in which it begins
  std::uint32_t from = 0;    ///< node that it leaves
  std::uint32_t port = 0;    ///< output port of that node
  std::uint32_t source = 0;  ///< node whose host gave the packet
  std::uint32_t tag = 0;     ///< number of that host's choosing
  std::uint32_t flits = 1;   ///< of the packet
};

/// A packet at the host of `node`; its last flit arrived in `cycle`.
struct Arrival {
  std::uint32_t step = 0;    ///< in which it was complete
  std::uint32_t cycle = 0;   ///< in which it was complete
  std::uint32_t node = 0;    ///< whose host got it
  std::uint32_t port = 0;    ///< input port that it came through
  std::uint32_t source = 0;  ///< node whose host gave the packet
  std::uint32_t tag = 0;     ///< number of that host's choosing
};

/// In the order of cycles, then of nodes, then of ports.
struct RunTrace {
  std::vector<Crossing> crossings;  ///< of links
  std::vector<Arrival> arrivals;    ///< at hosts
};

}  // namespace safnet::lab
