#include "cpp_model/graph/random_nodes.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>

namespace safnet {

std::vector<NodeId> random_nodes(NodeId below, NodeId count, std::uint64_t seed) {
  std::vector<NodeId> nodes(below);
  std::iota(nodes.begin(), nodes.end(), NodeId{0});
  std::mt19937_64 random(seed);
  // The standard's distributions differ between libraries; this does not.
  for (NodeId i = 0; i < count; ++i) {
    std::swap(nodes[i], nodes[i + static_cast<NodeId>(random() % (below - i))]);
  }
  nodes.resize(count);
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

}  // namespace safnet
