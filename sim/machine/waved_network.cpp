#include "sim/machine/waved_network.hpp"

#include <fmt/format.h>

namespace safnet {
namespace {

// Which of the links from v to one and the same node output `p` is, from 0.
PortId number_of_link(const Graph& graph, NodeId v, PortId p) {
  PortId number = 0;
  for (PortId other = 0; other < p; ++other)
    number += graph.peer(v, other).node == graph.peer(v, p).node ? 1 : 0;
  return number;
}

}  // namespace

std::string WavedNetwork::scope_of(NodeId v) const {
  return is_one_model() ? fmt::format("network.{}.u_node[{}]", whole_, v)
                        : fmt::format("node_{}.{}", graph_.node_name(v), node_);
}

std::string WavedNetwork::timer_scope() const {
  return is_one_model() ? fmt::format("network.{}.u_{}", whole_, timer_) : "network." + timer_;
}

std::string WavedNetwork::link_name(NodeId v, PortId p) const {
  const PortId number = number_of_link(graph_, v, p);
  return fmt::format("to_{}{}", graph_.node_name(graph_.peer(v, p).node),
                     number == 0 ? "" : fmt::format("_link_{}", number));
}

std::string WavedNetwork::link_signal(NodeId v, PortId p) const {
  return fmt::format("{}.{}.{}", kLinks, link_scope(v), link_name(v, p));
}

std::string WavedNetwork::neighbour_to(NodeId v, PortId p) const {
  const PortId number = number_of_link(graph_, v, p);
  return graph_.node_name(graph_.peer(v, p).node) + (number == 0 ? "" : fmt::format(" link {}", number));
}

std::string WavedNetwork::neighbour_from(NodeId v, PortId q) const {
  const Endpoint from = graph_.feeder(v, q);
  const PortId number = number_of_link(graph_, from.node, from.port);
  return graph_.node_name(from.node) + (number == 0 ? "" : fmt::format(" link {}", number));
}

}  // namespace safnet
