#include "cpp_model/graph/family/digit_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "cpp_model/graph/family/folded_cube_address.hpp"
#include "cpp_model/graph/topology.hpp"

namespace safnet {
namespace {

std::variant<DigitShape, std::string> shape_of(const Graph& graph) {
  if (const auto d = folded_cube_dimensions(graph)) return DigitShape{2, *d, false, true};
  std::vector<Graph> sides = graph.factors();
  if (sides.empty()) sides.push_back(graph);
  const std::string family = sides.front().family();
  const bool same_family =
      std::all_of(sides.begin(), sides.end(), [&](const Graph& g) { return g.family() == family; });
  if (!same_family || (family != "linear" && family != "ring"))
    return fmt::format("{} is no array, torus, hypercube or folded cube", graph.spelling());
  const NodeId p = sides.front().node_count();
  for (const Graph& side : sides) {
    if (side.node_count() != p) {
      return fmt::format("{} has sides of {} and {} nodes, expected equal sides", graph.spelling(), p,
                         side.node_count());
    }
  }
  if (p < 2) return fmt::format("{} has sides of one node, expected 2 or more", graph.spelling());
  return DigitShape{p, static_cast<std::uint32_t>(sides.size()), family == "ring" && p > 2, false};
}

}  // namespace

std::uint64_t DigitShape::nodes() const {
  std::uint64_t count = 1;
  for (std::uint32_t i = 0; i < digits; ++i) count *= side;
  return count;
}

DigitNetwork::DigitNetwork(Graph graph, DigitShape shape) : graph_(std::move(graph)), shape_(shape) {
  weights_.assign(1, 1);
  for (std::uint32_t i = 0; i < digits(); ++i) weights_.push_back(weights_.back() * side());
  const NodeId nodes = graph_.node_count();
  if (is_folded()) {
    node_at_.assign(classes(), std::vector<NodeId>(nodes));
    for (std::uint32_t c = 0; c < classes(); ++c) {
      for (NodeId v = 0; v < nodes; ++v) node_at_[c][folded_cube_map(digits(), c, v)] = v;
    }
    return;
  }
  ports_.assign(std::size_t{nodes} * digits() * 2, kNoPort);
  for (NodeId v = 0; v < nodes; ++v) {
    for (PortId port = 0; port < graph_.degree(v); ++port) {
      const NodeId to = graph_.peer(v, port).node;
      std::uint32_t i = 0;
      while (v / weights_[i] % side() == to / weights_[i] % side()) ++i;
      const std::uint32_t from = v / weights_[i] % side(), at = to / weights_[i] % side();
      const bool plus = is_ring() ? (from + 1) % side() == at : from < at;
      ports_[(std::size_t{v} * digits() + i) * 2 + (plus ? 0 : 1)] = port;
    }
  }
}

NodeId DigitNetwork::address(NodeId node, std::uint32_t c) const {
  if (is_folded()) return folded_cube_map(digits(), c, node);
  // The lowest c digits become the highest.
  return node / weights_[c] + node % weights_[c] * weights_[digits() - c];
}

NodeId DigitNetwork::node_at(std::uint32_t c, NodeId address) const {
  if (is_folded()) return node_at_[c][address];
  const NodeId low = weights_[digits() - c];
  return address / low + address % low * weights_[c];
}

std::uint32_t DigitNetwork::coordinate(NodeId node, std::uint32_t c, std::uint32_t digit) const {
  return address(node, c) / weights_[digit] % side();
}

std::uint32_t DigitNetwork::dimension(std::uint32_t c, std::uint32_t digit) const {
  return is_folded() ? (digits() + c - digit) % (digits() + 1) : (digit + c) % digits();
}

PortId DigitNetwork::port(NodeId node, std::uint32_t c, std::uint32_t digit, bool plus) const {
  const std::uint32_t i = dimension(c, digit);
  if (!is_folded()) return ports_[(std::size_t{node} * digits() + i) * 2 + (plus ? 0 : 1)];
  const bool at_zero = coordinate(node, c, digit) == 0;
  return at_zero == plus ? folded_cube_port(digits(), i) : kNoPort;
}

PortId DigitNetwork::plus_port(NodeId node, std::uint32_t c, std::uint32_t digit) const {
  return port(node, c, digit, true);
}

PortId DigitNetwork::minus_port(NodeId node, std::uint32_t c, std::uint32_t digit) const {
  return port(node, c, digit, false);
}

std::variant<DigitNetwork, std::string> DigitNetwork::of(const Graph& graph) {
  const std::variant<DigitShape, std::string> shape = shape_of(graph);
  if (const auto* reason = std::get_if<std::string>(&shape)) return *reason;
  return DigitNetwork(graph, std::get<DigitShape>(shape));
}

std::optional<DigitNetwork> digit_network(const Graph& graph) {
  std::variant<DigitNetwork, std::string> network = DigitNetwork::of(graph);
  if (auto* found = std::get_if<DigitNetwork>(&network)) return std::move(*found);
  return std::nullopt;
}

DigitNetwork make_digit_network(const std::string& topology) {
  std::variant<DigitNetwork, std::string> network = DigitNetwork::of(make_topology(topology));
  if (const auto* reason = std::get_if<std::string>(&network)) throw std::invalid_argument(*reason);
  return std::get<DigitNetwork>(std::move(network));
}

std::string why_not_digit_network(const Graph& graph) {
  const std::variant<DigitShape, std::string> shape = shape_of(graph);
  const auto* reason = std::get_if<std::string>(&shape);
  return reason != nullptr ? *reason : "";
}

}  // namespace safnet
