#include "sim/library/topology.hpp"

#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/topology.hpp"

namespace safnet::lab {
namespace {

void check_node(const Graph& graph, std::uint32_t node) {
  if (node >= graph.node_count()) throw bad_input("node {}: expected 0 to {}", node, graph.node_count() - 1);
}

}  // namespace

Topology::Topology(const std::string& spelling)
    : graph_(std::make_shared<const Graph>(make_topology(spelling))) {}
const std::string& Topology::spelling() const { return graph_->spelling(); }
std::uint32_t Topology::nodes() const { return graph_->node_count(); }
std::uint32_t Topology::processors() const { return graph_->processor_count(); }

std::vector<std::uint32_t> Topology::neighbours(std::uint32_t node) const {
  check_node(*graph_, node);
  std::vector<std::uint32_t> found;
  for (PortId p = 0; p < graph_->degree(node); ++p) found.push_back(graph_->peer(node, p).node);
  return found;
}

std::string Topology::name(std::uint32_t node) const {
  check_node(*graph_, node);
  return graph_->node_name(node);
}

}  // namespace safnet::lab
