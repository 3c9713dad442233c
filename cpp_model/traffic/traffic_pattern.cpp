// The patterns are those of Dally and Towles, Principles and Practices of Interconnection Networks, 3.2.
#include "cpp_model/traffic/traffic_pattern.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/traffic/decimal.hpp"

namespace safnet {
namespace {

[[noreturn]] void refuse(const std::string& name, const Graph& graph, const char* needs) {
  throw bad_input("traffic {}: expected {}, not {}", name, needs, one_line(graph.spelling()));
}

bool is_line_or_ring(const Graph& graph) {
  return graph.family() == "linear" || graph.family() == "ring" || graph.family() == "mesh" ||
         graph.family() == "torus" || graph.node_count() <= 2;
}

// Sizes of the dimensions of a product of linear arrays and rings; empty for other networks.
std::vector<NodeId> grid_sizes(const Graph& graph) {
  std::vector<Graph> dimensions = graph.factors();
  if (dimensions.empty()) dimensions.push_back(graph);
  std::vector<NodeId> sizes;
  for (const Graph& dimension : dimensions) {
    if (!is_line_or_ring(dimension)) return {};
    sizes.push_back(dimension.node_count());
  }
  return sizes;
}

using Coordinates = std::vector<NodeId>;

NodeId reversed_bits(NodeId v, unsigned bits) {
  NodeId result = 0;
  for (unsigned b = 0; b < bits; ++b) result |= ((v >> b) & 1) << (bits - 1 - b);
  return result;
}

std::vector<NodeId> permutation_of(const std::string& name, const Graph& graph) {
  const NodeId nodes = graph.processor_count();
  const bool power_of_two = std::has_single_bit(nodes);
  const auto bits = static_cast<unsigned>(std::bit_width(nodes) - 1);
  const std::vector<NodeId> sizes = graph.has_routers() ? std::vector<NodeId>{} : grid_sizes(graph);
  const auto need = [&](bool holds, const char* what) {
    if (!holds) refuse(name, graph, what);
  };
  const auto by_number = [&](auto to) {
    std::vector<NodeId> destination(nodes);
    for (NodeId v = 0; v < nodes; ++v) destination[v] = to(v);
    return destination;
  };
  const auto by_coordinates = [&](auto move) {
    return by_number([&](NodeId v) {
      Coordinates coordinates = graph.coordinates(v);
      move(coordinates);
      return graph.node_at(coordinates);
    });
  };
  const auto rotated = [&](NodeId v, unsigned by) { return ((v << by) & (nodes - 1)) | (v >> (bits - by)); };
  if (name == "transpose") {
    if (sizes.size() == 2 && sizes[0] == sizes[1])
      return by_coordinates([](Coordinates& c) { std::swap(c[0], c[1]); });
    need(power_of_two && bits % 2 == 0, "a square grid of two dimensions, or 4, 16, 64, ... nodes");
    return by_number([&](NodeId v) { return rotated(v, bits / 2); });
  }
  if (name == "bit-complement") {
    need(power_of_two || !sizes.empty(), "a product of linear arrays and rings, or 2, 4, 8, ... nodes");
    // Every bit turned round, and likewise every coordinate mirrored.
    return by_number([&](NodeId v) { return nodes - 1 - v; });
  }
  if (name == "bit-reversal" || name == "shuffle") {
    need(power_of_two, "2, 4, 8, ... nodes");
    return by_number([&](NodeId v) { return name == "shuffle" ? rotated(v, 1) : reversed_bits(v, bits); });
  }
  need(!sizes.empty(), "a product of linear arrays and rings");
  return by_coordinates([&](Coordinates& c) {
    for (std::size_t i = 0; i < c.size(); ++i)
      c[i] = (c[i] + (name == "tornado" ? (sizes[i] + 1) / 2 - 1 : 1)) % sizes[i];
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
  if (std::find(names.begin(), names.end(), name) == names.end())
    throw bad_input("traffic {}: expected {} or trace:FILE", in_quotes(name), fmt::join(names, ", "));
  if (processors_ < 2) refuse(name, graph, "a network of two processors or more");
  if (name == "uniform") {
    weight_sum_ = processors_ - 1;
    return;
  }
  if (name == "hot-spot") {
    if (hot_spot >= processors_)
      throw bad_input("--hot-spot {}: expected a processor", graph.node_name(hot_spot));
    if (hot_fraction > 1) throw bad_input("--hot-fraction {}: expected 0 to 1", in_decimal(hot_fraction));
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
