// collective_packets - the packets that a collective consists of, in the order in which they are numbered.
#pragma once

#include <functional>
#include <vector>

#include "cpp_model/schedule/collective.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// What the packets of a collective on nodes 0 ... nodes - 1 depend on.
struct PacketPattern {
  CollectiveKind kind = CollectiveKind::kBroadcast;
  NodeId nodes = 0, root = 0;
  std::uint32_t messages = 1;
  std::vector<NodeId> active = {};      ///< of a partial exchange or gather, ascending
  std::vector<std::uint32_t> own = {};  ///< of a concurrent broadcast: packets of each node
};

/// By message, then by origin, then by destination or tag. `flits(p)`: length of packet number p; without it
/// all have one flit. Names are those of Collective;
/// contributions to a result are tagged with its number. Throws std::invalid_argument for a multipath
/// transfer, whose packets depend on how many ways there are.
PacketList packets_of(const PacketPattern& pattern,
                      const std::function<std::uint32_t(PacketIndex)>& flits = {});

}  // namespace safnet
