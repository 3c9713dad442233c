// description - what is known of a network before anything runs on it: sizes, degrees, distances, cuts.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cpp_model/graph/family/fat_tree.hpp"
#include "cpp_model/graph/graph.hpp"

namespace safnet {

/// What was found by search, beside what is published; either may be missing.
struct FoundAndPublished {
  std::optional<std::uint64_t> found;
  std::optional<std::uint64_t> published;
  bool agrees() const { return !found || !published || *found == *published; }
};

/// A cut that halves one dimension of `size` nodes, and the links per direction that cross it.
struct HalvingCut {
  std::size_t dimension = 0;
  NodeId size = 0;
  std::uint64_t edges = 0;
  bool is_like(const HalvingCut& other) const { return size == other.size && edges == other.edges; }
};

struct NetworkDescription {
  Graph graph;
  PortId radix = 0;  ///< ports of the nodes that its hardware is made of
  FoundAndPublished degree, diameter, status, total_status;
  std::vector<HalvingCut> cuts;
  std::optional<FatTree> tree;
  std::optional<std::uint64_t> bisection;  ///< full-duplex edges that part a fat tree's leaves into halves
  /// Pairs of processors at [distance]; ordered pairs if the network has one-way links, otherwise unordered.
  std::optional<std::vector<std::uint64_t>> pairs;
  bool agrees() const {
    return degree.agrees() && diameter.agrees() && status.agrees() && total_status.agrees();
  }
};

/// Searches take a few seconds at most; what would take longer is left out.
NetworkDescription describe_network(const Graph& graph);

}  // namespace safnet
