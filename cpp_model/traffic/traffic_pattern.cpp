// The patterns are those of Dally and Towles, Principles and Practices of Interconnection Networks, 3.2.
#include "cpp_model/traffic/traffic_pattern.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <stdexcept>
#include <utility>

#include "cpp_model/graph/text.hpp"
#include "cpp_model/traffic/decimal.hpp"

namespace safnet {
namespace {

[[noreturn]] void refuse(const std::string& name, const Graph& graph, const char* needs) {
  throw std::invalid_argument(
      fmt::format("traffic {}: expected {}, not {}", name, needs, one_line(graph.spelling())));
}

bool is_line_or_ring(const Graph& graph) {
  return graph.family() == "linear" || graph.family() == "ring" || graph.family() == "mesh" ||
         graph.family() == "torus" || graph.node_count() <= 2;
}

// Sizes of the dimensions of a product of linear arrays and rings; empty for other networks.
std::vector<NodeId> grid_sizes(const Graph& graph) {
  if (graph.factors().empty())
    return is_line_or_ring(graph) ? std::vector<NodeId>{graph.node_count()} : std::vector<NodeId>{};
  std::vector<NodeId> sizes;
  for (const Graph& factor : graph.factors()) {
    if (!is_line_or_ring(factor)) return {};
    sizes.push_back(factor.node_count());
  }
  return sizes;
}

using Coordinates = std::vector<NodeId>;

std::vector<NodeId> by_coordinates(const Graph& graph, const std::function<void(Coordinates&)>& move) {
  std::vector<NodeId> destination(graph.node_count());
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    Coordinates coordinates = graph.coordinates(v);
    move(coordinates);
    destination[v] = graph.factors().empty() ? coordinates[0] : graph.node_at(coordinates);
  }
  return destination;
}

std::vector<NodeId> by_number(NodeId nodes, const std::function<NodeId(NodeId)>& to) {
  std::vector<NodeId> destination(nodes);
  for (NodeId v = 0; v < nodes; ++v) destination[v] = to(v);
  return destination;
}

NodeId reversed_bits(NodeId v, int bits) {
  NodeId result = 0;
  for (int b = 0; b < bits; ++b) result |= ((v >> b) & 1) << (bits - 1 - b);
  return result;
}

std::vector<NodeId> permutation_of(const std::string& name, const Graph& graph) {
  const NodeId nodes = graph.processor_count();
  const bool power_of_two = std::has_single_bit(nodes);
  const int bits = std::bit_width(nodes) - 1;
  const std::vector<NodeId> sizes = graph.has_routers() ? std::vector<NodeId>{} : grid_sizes(graph);
  if (name == "transpose") {
    if (sizes.size() == 2 && sizes[0] == sizes[1])
      return by_coordinates(graph, [](Coordinates& c) { std::swap(c[0], c[1]); });
    if (!power_of_two || bits % 2 != 0)
      refuse(name, graph, "a square grid of two dimensions, or 4, 16, 64, ... nodes");
    const int half = bits / 2;
    return by_number(
        nodes, [half, low = (NodeId{1} << half) - 1](NodeId v) { return (v >> half) | ((v & low) << half); });
  }
  if (name == "bit-complement") {
    if (!power_of_two && sizes.empty())
      refuse(name, graph, "a product of linear arrays and rings, or 2, 4, 8, ... nodes");
    // Every bit turned round, and likewise every coordinate mirrored.
    return by_number(nodes, [nodes](NodeId v) { return nodes - 1 - v; });
  }
  if (name == "bit-reversal") {
    if (!power_of_two) refuse(name, graph, "2, 4, 8, ... nodes");
    return by_number(nodes, [bits](NodeId v) { return reversed_bits(v, bits); });
  }
  if (name == "shuffle") {
    if (!power_of_two) refuse(name, graph, "2, 4, 8, ... nodes");
    return by_number(nodes, [nodes, bits](NodeId v) {
      return bits == 0 ? v : ((v << 1) & (nodes - 1)) | (v >> (bits - 1));
    });
  }
  if (sizes.empty()) refuse(name, graph, "a product of linear arrays and rings");
  const bool tornado = name == "tornado";
  return by_coordinates(graph, [&sizes, tornado](Coordinates& c) {
    for (std::size_t i = 0; i < c.size(); ++i)
      c[i] = (c[i] + (tornado ? (sizes[i] + 1) / 2 - 1 : 1)) % sizes[i];
  });
}

}  // namespace

const std::vector<std::string>& traffic_pattern_names() {
  static const std::vector<std::string> names{"uniform", "transpose", "bit-complement", "bit-reversal",
                                              "shuffle", "tornado",   "neighbour",      "hot-spot"};
  return names;
}

TrafficPattern::TrafficPattern(const std::string& name, const Graph& graph, NodeId hot_spot,
                               const Rational& hot_fraction)
    : name_(name),
      processors_(graph.processor_count()),
      hot_spot_(hot_spot),
      hot_parts_(numerator(hot_fraction).convert_to<std::uint64_t>()),
      all_parts_(denominator(hot_fraction).convert_to<std::uint64_t>()),
      aims_(hot_fraction) {
  const std::vector<std::string>& names = traffic_pattern_names();
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    throw std::invalid_argument(
        fmt::format("traffic {}: expected {} or trace:FILE", in_quotes(name), fmt::join(names, ", ")));
  }
  if (processors_ < 2) refuse(name, graph, "a network of two processors or more");
  if (name == "uniform") {
    weight_sum_ = processors_ - 1;
    return;
  }
  if (name == "hot-spot") {
    if (hot_spot >= processors_) {
      throw std::invalid_argument(
          fmt::format("--hot-spot {}: expected a processor", graph.node_name(hot_spot)));
    }
    if (hot_fraction > 1)
      throw std::invalid_argument(
          fmt::format("--hot-fraction {}: expected 0 to 1", in_decimal(hot_fraction)));
    weight_sum_ = (processors_ - 1) * all_parts_;
    return;
  }
  destination_ = permutation_of(name, graph);
  if (senders() == 0) refuse(name, graph, "a network on which some node sends to another");
}

NodeId TrafficPattern::senders() const {
  NodeId count = 0;
  for (NodeId v = 0; v < processors_; ++v) count += sends(v) ? 1 : 0;
  return count;
}

NodeId TrafficPattern::draw(NodeId source, RandomNumbers& random) const {
  if (!destination_.empty()) return destination_[source];
  if (aims_at_hot_spot(source) && aims_.happens(random)) return hot_spot_;
  const NodeId other = random.below(processors_ - 1);
  return other + (other >= source ? 1 : 0);
}

std::uint64_t TrafficPattern::weight(NodeId source, NodeId destination) const {
  if (source == destination) return 0;
  if (!destination_.empty()) return destination_[source] == destination ? 1 : 0;
  if (name_ != "hot-spot") return 1;
  if (!aims_at_hot_spot(source)) return all_parts_;
  return all_parts_ - hot_parts_ + (destination == hot_spot_ ? hot_parts_ * (processors_ - 1) : 0);
}

}  // namespace safnet
