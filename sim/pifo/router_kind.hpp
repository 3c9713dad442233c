// router_kind - nodes that run policies: how they are built for a policy's parameters, and what they can do.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "sim/pifo/pifo_parameters.hpp"

namespace safnet {

/// A kind of node whose host is a PifoHost (pifo_host.hpp) and whose program is a RouterProgram.
struct RouterKind {
  std::string name;  ///< as after --node
  /// The hardware for these parameters. Throws std::invalid_argument if it cannot have them.
  std::function<Hardware(const PifoParameters&)> hardware;
  /// Serves packets by rank and ports in a label's order, scans, and deals packets to the links of a branch.
  /// Plain routers serve packets in order of arrival: what a policy says of ranks and orders is ignored.
  bool follows_orders = false;
};

}  // namespace safnet
