#include "cpp_model/graph/family/folded_cube_address.hpp"

namespace safnet {
namespace {

// The bits that change along the dimensions `dimension(i)` of all bits i of s that are 1.
template <class Dimension>
NodeId sum_over_bits(std::uint32_t d, NodeId s, Dimension dimension) {
  NodeId sum = 0;
  for (std::uint32_t i = 0; i < d; ++i) {
    if (s >> i & 1) sum ^= folded_cube_generator(d, dimension(i) % (d + 1));
  }
  return sum;
}

}  // namespace

std::optional<std::uint32_t> folded_cube_dimensions(const Graph& graph) {
  if (graph.family() != "folded-cube") return std::nullopt;
  return graph.degree(0) - 1;
}

PortId folded_cube_port(std::uint32_t d, std::uint32_t dimension) {
  return dimension == d ? d : d - 1 - dimension;
}

NodeId folded_cube_generator(std::uint32_t d, std::uint32_t dimension) {
  return dimension == d ? (NodeId{1} << d) - 1 : NodeId{1} << dimension;
}

NodeId folded_cube_map(std::uint32_t d, std::uint32_t j, NodeId s) {
  return sum_over_bits(d, s, [&](std::uint32_t i) { return d + j - i; });
}

NodeId folded_cube_map_upside_down(std::uint32_t d, std::uint32_t j, NodeId s) {
  return sum_over_bits(d, s, [&](std::uint32_t i) { return i + j + 1; });
}

}  // namespace safnet
