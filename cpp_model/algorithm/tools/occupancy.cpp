#include "cpp_model/algorithm/tools/occupancy.hpp"

#include <stdexcept>

namespace safnet {

Occupancy port_occupancy(const Graph& graph, PortModel ports) {
  const auto links = static_cast<LinkId>(graph.link_count());
  Occupancy occupancy;
  occupancy.count = ports == PortModel::kAllPort   ? links
                    : ports == PortModel::kOnePort ? 2 * graph.node_count()
                                                   : graph.node_count();
  for (LinkId link = 0; link < links; ++link) {
    occupancy.sending.push_back(ports == PortModel::kAllPort ? link : graph.link_source(link));
    if (ports != PortModel::kOnePort) continue;
    const NodeId target = graph.link_target(link);  // none: no hop takes this link
    occupancy.receiving.push_back(graph.node_count() + (target == kNoNode ? 0 : target));
  }
  return occupancy;
}

Occupancy translated_occupancy(const Graph& graph, PortModel ports) {
  if (!graph.translations()) throw std::invalid_argument("expected a graph with translations");
  Occupancy occupancy;
  occupancy.count = ports == PortModel::kAllPort ? graph.max_degree() : 1;
  for (LinkId link = 0; link < graph.link_count(); ++link)
    occupancy.sending.push_back(ports == PortModel::kAllPort ? graph.link_port(link) : 0);
  return occupancy;
}

}  // namespace safnet
