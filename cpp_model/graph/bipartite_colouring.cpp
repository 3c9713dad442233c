#include "cpp_model/graph/bipartite_colouring.hpp"

#include <algorithm>

#include "cpp_model/graph/input.hpp"

namespace safnet {
namespace {

constexpr std::uint32_t kNone = 0xffff'ffff;

// Which edge has which colour at which node. Nodes of high degree have a table of all colours, the others
// only a list of their coloured edges.
class EdgeColouring {
 public:
  EdgeColouring(std::span<const BipartiteEdge> edges, std::uint32_t left_count, std::uint32_t right_count)
      : edges_(edges), left_count_(left_count), colour_(edges.size(), kNone) {
    std::vector<std::uint32_t> degree(std::size_t{left_count} + right_count);
    for (const BipartiteEdge& edge : edges) {
      if (edge.left >= left_count || edge.right >= right_count) {
        throw bad_input("bipartite edge {}-{}: expected nodes below {} and {}", edge.left, edge.right,
                        left_count, right_count);
      }
      ++degree[edge.left];
      ++degree[left_count + edge.right];
    }
    const std::uint32_t colours = degree.empty() ? 0 : *std::max_element(degree.begin(), degree.end());
    nodes_.resize(degree.size());
    for (std::size_t v = 0; v < degree.size(); ++v) {
      nodes_[v].has_table = std::uint64_t{degree[v]} * 16 >= colours;
      if (nodes_[v].has_table) {
        nodes_[v].edges.assign(colours, kNone);
      } else {
        nodes_[v].edges.reserve(degree[v]);
      }
    }
  }

  std::vector<std::uint32_t> run(bool avoid_exchanges) {
    for (std::uint32_t e = 0; e < edges_.size(); ++e) {
      const std::uint32_t u = edges_[e].left, v = left_count_ + edges_[e].right;
      const std::uint32_t a = first_free(u), b = first_free(v);
      if (a != b && at(v, a) != kNone) {
        if (avoid_exchanges && at(u, b) == kNone) {
          add(e, b);
          continue;
        }
        exchange(v, a, b);  // the path enters left nodes by colour a, which u lacks: it avoids u
      }
      add(e, a);
    }
    return std::move(colour_);
  }

 private:
  struct Node {
    bool has_table = false;
    std::vector<std::uint32_t> edges;  // by colour if it has a table
    std::uint32_t not_free_below = 0;
  };

  std::uint32_t at(std::uint32_t v, std::uint32_t colour) const {
    const Node& node = nodes_[v];
    if (node.has_table) return node.edges[colour];
    for (const std::uint32_t e : node.edges) {
      if (colour_[e] == colour) return e;
    }
    return kNone;
  }
  std::uint32_t first_free(std::uint32_t v) {
    std::uint32_t& colour = nodes_[v].not_free_below;
    while (at(v, colour) != kNone) ++colour;
    return colour;
  }
  void add(std::uint32_t e, std::uint32_t colour) {
    colour_[e] = colour;
    for (const std::uint32_t v : {edges_[e].left, left_count_ + edges_[e].right}) {
      if (nodes_[v].has_table) {
        nodes_[v].edges[colour] = e;
      } else {
        nodes_[v].edges.push_back(e);
      }
    }
  }
  void remove(std::uint32_t e) {
    for (const std::uint32_t v : {edges_[e].left, left_count_ + edges_[e].right}) {
      Node& node = nodes_[v];
      node.not_free_below = std::min(node.not_free_below, colour_[e]);
      if (node.has_table) {
        node.edges[colour_[e]] = kNone;
      } else {
        node.edges.erase(std::find(node.edges.begin(), node.edges.end(), e));
      }
    }
    colour_[e] = kNone;
  }
  // Swaps the colours a and b on the path of these colours that begins at v with colour a.
  void exchange(std::uint32_t v, std::uint32_t a, std::uint32_t b) {
    path_.clear();
    for (std::uint32_t colour = a, e = at(v, a); e != kNone; e = at(v, colour)) {
      path_.emplace_back(e, a + b - colour);
      v = edges_[e].left + left_count_ + edges_[e].right - v;
      colour = a + b - colour;
    }
    for (const auto& [e, colour] : path_) remove(e);
    for (const auto& [e, colour] : path_) add(e, colour);
  }

  std::span<const BipartiteEdge> edges_;
  std::uint32_t left_count_;
  std::vector<std::uint32_t> colour_;
  std::vector<Node> nodes_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> path_;
};

}  // namespace

std::vector<std::uint32_t> colour_bipartite(std::span<const BipartiteEdge> edges, std::uint32_t left_count,
                                            std::uint32_t right_count, bool avoid_exchanges) {
  return EdgeColouring(edges, left_count, right_count).run(avoid_exchanges);
}

}  // namespace safnet
