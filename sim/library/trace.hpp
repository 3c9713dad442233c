// trace - what a run did, packet by packet, as it was seen on links and at hosts.
#pragma once

#include <cstdint>
#include <vector>

namespace safnet::lab {

/// A packet on a link. Cycles and steps count from 1; its first flit leaves in `cycle`.
struct Crossing {
  std::uint32_t step = 0, cycle = 0, from = 0, port = 0, source = 0, tag = 0, flits = 1;
};

/// A packet at the host of `node`; its last flit arrived in `cycle`.
struct Arrival {
  std::uint32_t step = 0, cycle = 0, node = 0, port = 0, source = 0, tag = 0;
};

/// In the order of cycles, then of nodes, then of ports.
struct RunTrace {
  std::vector<Crossing> crossings;
  std::vector<Arrival> arrivals;
};

}  // namespace safnet::lab
