#include "cpp_model/graph/family/families.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <string_view>
#include <utility>

#include "cpp_model/graph/port_numbering.hpp"
#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

// Translations of the integers modulo n.
Translations cyclic_translations(NodeId n) {
  return {[n](NodeId v, NodeId x) { return (v + x) % n; },
          [n](NodeId v, NodeId x) { return (x + n - v) % n; }};
}

// Translations of addresses that are added bit by bit.
Translations exclusive_or_translations() {
  const auto exclusive_or = [](NodeId v, NodeId x) { return v ^ x; };
  return {exclusive_or, exclusive_or};
}

// The same numbers at every node, as on all graphs that look alike from every node.
DistanceFormulas symmetric_formulas(NodeId nodes, std::uint32_t degree, std::uint32_t diameter,
                                    std::optional<std::uint64_t> status, std::string source) {
  DistanceFormulas formulas;
  formulas.degree = [degree](NodeId) { return degree; };
  formulas.eccentricity = [diameter](NodeId) { return diameter; };
  formulas.diameter = diameter;
  if (status) {
    formulas.status = [s = *status](NodeId) { return s; };
    formulas.total_status = *status * nodes;
  }
  formulas.source = std::move(source);
  return formulas;
}

// A Cayley graph: `neighbour(v, p)` multiplies v by generator p on the right, `inverse[p]` is the port that
// leads back.
template <class Neighbour>
Graph cayley_graph(std::string spelling, NodeId nodes, const std::vector<PortId>& inverse,
                   Neighbour neighbour, Translations translations) {
  std::vector<std::vector<Endpoint>> ports(nodes);
  for (NodeId v = 0; v < nodes; ++v) {
    for (PortId p = 0; p < inverse.size(); ++p) ports[v].push_back({neighbour(v, p), inverse[p]});
  }
  return Graph(std::move(spelling), std::move(ports)).with_translations(std::move(translations));
}

Graph circulant_with_spelling(std::string spelling, NodeId n, const std::vector<NodeId>& offsets) {
  std::vector<NodeId> steps;
  std::vector<PortId> inverse;
  for (const NodeId s : offsets) {
    const auto p = static_cast<PortId>(steps.size());
    steps.push_back(s);
    if (2 * s == n) {
      inverse.push_back(p);
    } else {
      steps.push_back(n - s);
      inverse.insert(inverse.end(), {p + 1, p});
    }
  }
  return cayley_graph(
      std::move(spelling), n, inverse, [&](NodeId v, PortId p) { return (v + steps[p]) % n; },
      cyclic_translations(n));
}

// What cube-connected cycles and wrapped butterflies are built on: pairs (w, i) of a d-bit word and a
// position, numbered w d + i. (u, j)(w, i) = (u xor w rotated left by j, i + j).
class WordAndPosition {
 public:
  explicit WordAndPosition(std::uint32_t d) : d_(d) {}
  NodeId nodes() const { return d_ << d_; }
  NodeId word(NodeId v) const { return v / d_; }
  std::uint32_t position(NodeId v) const { return v % d_; }
  std::uint32_t next(std::uint32_t i) const { return (i + 1) % d_; }
  std::uint32_t previous(std::uint32_t i) const { return (i + d_ - 1) % d_; }
  NodeId number(NodeId w, std::uint32_t i) const { return w * d_ + i; }
  Translations translations() const {
    const WordAndPosition self = *this;
    return {[self](NodeId v, NodeId x) {
              const std::uint32_t j = self.position(v);
              return self.number(self.word(v) ^ self.rotated(self.word(x), j),
                                 (self.position(x) + j) % self.d_);
            },
            [self](NodeId v, NodeId x) {
              const std::uint32_t back = self.d_ - self.position(v);
              return self.number(self.rotated(self.word(x) ^ self.word(v), back),
                                 (self.position(x) + back) % self.d_);
            }};
  }
  // "w101_2": the word's bits, highest first, and the position.
  std::function<std::string(NodeId)> names() const {
    const WordAndPosition self = *this;
    return [self](NodeId v) { return fmt::format("w{:0{}b}_{}", self.word(v), self.d_, self.position(v)); };
  }

 private:
  NodeId rotated(NodeId w, std::uint32_t by) const {
    by %= d_;
    return ((w << by) | (w >> (d_ - by))) & ((NodeId{1} << d_) - 1);
  }
  std::uint32_t d_;
};

using Permutation = std::vector<std::uint8_t>;

NodeId factorial(std::uint32_t n) { return n < 2 ? 1 : n * factorial(n - 1); }

// Lexicographic number of a permutation of 0 ... n-1, and back.
NodeId permutation_number(const Permutation& p) {
  NodeId number = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const auto smaller = std::count_if(p.begin() + static_cast<std::ptrdiff_t>(i) + 1, p.end(),
                                       [&](auto x) { return x < p[i]; });
    number += static_cast<NodeId>(smaller) * factorial(static_cast<std::uint32_t>(p.size() - i - 1));
  }
  return number;
}
Permutation permutation_of(NodeId number, std::uint32_t n) {
  Permutation left(n), result;
  std::iota(left.begin(), left.end(), std::uint8_t{0});
  for (std::uint32_t i = n; i-- > 0;) {
    const auto at = left.begin() + static_cast<std::ptrdiff_t>(number / factorial(i));
    number %= factorial(i);
    result.push_back(*at);
    left.erase(at);
  }
  return result;
}

}  // namespace

Graph linear_array(NodeId n) {
  std::vector<std::vector<Endpoint>> ports(n);
  // The port toward the lower neighbour is the last one: port 1, at the upper end port 0.
  for (NodeId v = 0; v < n; ++v) {
    if (v + 1 < n) ports[v].push_back({v + 1, v + 2 < n ? PortId{1} : PortId{0}});
    if (v > 0) ports[v].push_back({v - 1, 0});
  }
  DistanceFormulas formulas;
  formulas.degree = [n](NodeId v) { return (v > 0 ? 1U : 0U) + (v + 1 < n ? 1U : 0U); };
  formulas.eccentricity = [n](NodeId v) { return std::max(v, n - 1 - v); };
  formulas.diameter = n - 1;
  formulas.status = [n](NodeId v) {
    const std::uint64_t left = v, right = n - 1 - v;
    return left * (left + 1) / 2 + right * (right + 1) / 2;
  };
  formulas.total_status = std::uint64_t{n} * (std::uint64_t{n} * n - 1) / 3;
  formulas.source = "thesis 2.3";
  Graph graph = Graph(fmt::format("linear:{}", n), std::move(ports)).with_formulas(std::move(formulas));
  return n <= 2 ? graph.with_translations(cyclic_translations(n)) : graph;
}

Graph ring(NodeId n) {
  const std::uint64_t size = n;
  return circulant_with_spelling(fmt::format("ring:{}", n), n, {1})
      .with_formulas(
          symmetric_formulas(n, n == 2 ? 1 : 2, n / 2, (size * size - 1 + 3) / 4, "thesis 2.3, (4.12)"));
}

Graph circulant(NodeId n, const std::vector<NodeId>& offsets) {
  return circulant_with_spelling(fmt::format("circulant:{},{}", n, fmt::join(offsets, ",")), n, offsets);
}

Graph extended_ring(NodeId n, NodeId rho) {
  std::vector<NodeId> offsets(rho);
  std::iota(offsets.begin(), offsets.end(), NodeId{1});
  const std::uint64_t q = (n - 1) / (2 * rho);
  return circulant_with_spelling(fmt::format("extended-ring:{},{}", n, rho), n, offsets)
      .with_formulas(symmetric_formulas(n, 2 * rho == n ? 2 * rho - 1 : 2 * rho, (n / 2 + rho - 1) / rho,
                                        (q + 1) * (n - 1 - rho * q), "thesis 2.3, (4.13)"));
}

Graph complete_graph(NodeId n) {
  return extended_ring(n, n / 2)
      .with_spelling(fmt::format("complete:{}", n))
      .with_formulas(symmetric_formulas(n, n - 1, 1, n - 1, "thesis 2.3, (4.11)"));
}

Graph hypercube(std::uint32_t d) {
  const NodeId nodes = NodeId{1} << d;
  return cartesian_product(std::vector<Graph>(d, linear_array(2)), fmt::format("hypercube:{}", d))
      .with_translations(exclusive_or_translations())
      .with_formulas(symmetric_formulas(nodes, d, d, std::uint64_t{d} * nodes / 2, "thesis 2.3, 5.2"));
}

Graph folded_cube(std::uint32_t d) {
  const NodeId nodes = NodeId{1} << d;
  std::vector<PortId> inverse(d + 1);
  std::iota(inverse.begin(), inverse.end(), PortId{0});
  std::uint64_t status = 0;
  for (std::uint64_t weight = 1; weight <= d; ++weight)
    status += binomial(d, weight) * std::min(weight, d + 1 - weight);
  const auto name = [d](NodeId v) { return fmt::format("b{:0{}b}", v, d); };
  return cayley_graph(
             fmt::format("folded-cube:{}", d), nodes, inverse,
             [&](NodeId v, PortId p) { return p == d ? v ^ (nodes - 1) : v ^ (NodeId{1} << (d - 1 - p)); },
             exclusive_or_translations())
      .with_formulas(symmetric_formulas(nodes, d + 1, (d + 1) / 2, status, "the nearer of two complements"))
      .with_node_names(name);
}

Graph cube_connected_cycles(std::uint32_t d) {
  const WordAndPosition group(d);
  const auto neighbour = [&](NodeId v, PortId p) {
    const NodeId w = group.word(v);
    const std::uint32_t i = group.position(v);
    if (p == 2) return group.number(w ^ (NodeId{1} << i), i);
    return group.number(w, p == 0 ? group.next(i) : group.previous(i));
  };
  return cayley_graph(fmt::format("cube-connected-cycles:{}", d), group.nodes(), {1, 0, 2}, neighbour,
                      group.translations())
      .with_formulas(symmetric_formulas(group.nodes(), 3, d == 3 ? 6 : 2 * d + d / 2 - 2, std::nullopt,
                                        "diameter as known for cube-connected cycles"))
      .with_node_names(group.names());
}

Graph wrapped_butterfly(std::uint32_t d) {
  const WordAndPosition group(d);
  const auto neighbour = [&](NodeId v, PortId p) {
    const NodeId w = group.word(v);
    const std::uint32_t i = group.position(v), back = group.previous(i);
    switch (p) {
      case 0:
        return group.number(w, group.next(i));
      case 1:
        return group.number(w ^ (NodeId{1} << i), group.next(i));
      case 2:
        return group.number(w, back);
      default:
        return group.number(w ^ (NodeId{1} << back), back);
    }
  };
  return cayley_graph(fmt::format("butterfly:{}", d), group.nodes(), {2, 3, 0, 1}, neighbour,
                      group.translations())
      .with_formulas(symmetric_formulas(group.nodes(), 4, d + d / 2, std::nullopt,
                                        "diameter as known for wrapped butterflies"))
      .with_node_names(group.names());
}

Graph star_graph(std::uint32_t n) {
  const NodeId nodes = factorial(n);
  std::vector<PortId> inverse(n - 1);
  std::iota(inverse.begin(), inverse.end(), PortId{0});
  // Generators act on positions (from the right), translations on symbols (from the left).
  const auto neighbour = [n](NodeId v, PortId p) {
    Permutation symbols = permutation_of(v, n);
    std::swap(symbols[0], symbols[p + 1]);
    return permutation_number(symbols);
  };
  const auto apply = [n](NodeId v, NodeId x) {
    const Permutation rename = permutation_of(v, n);
    Permutation symbols = permutation_of(x, n);
    for (std::uint8_t& s : symbols) s = rename[s];
    return permutation_number(symbols);
  };
  const auto invert = [n](NodeId v, NodeId x) {
    const Permutation rename = permutation_of(v, n);
    Permutation back(n), symbols = permutation_of(x, n);
    for (std::uint8_t i = 0; i < n; ++i) back[rename[i]] = i;
    for (std::uint8_t& s : symbols) s = back[s];
    return permutation_number(symbols);
  };
  // Mean distance over all n! nodes: n + 2/n + H_n - 4, with H_n = 1 + 1/2 + ... + 1/n.
  std::uint64_t status = 2 * factorial(n - 1);
  for (std::uint32_t i = 1; i <= n; ++i) status += nodes / i;
  status = status + std::uint64_t{nodes} * n - 4 * std::uint64_t{nodes};
  const auto name = [n](NodeId v) {
    std::string symbols = "s";
    for (const std::uint8_t s : permutation_of(v, n)) symbols += static_cast<char>('1' + s);
    return symbols;
  };
  return cayley_graph(fmt::format("star:{}", n), nodes, inverse, neighbour, {apply, invert})
      .with_formulas(symmetric_formulas(nodes, n - 1, 3 * (n - 1) / 2, status,
                                        "diameter and mean distance as known for star graphs"))
      .with_node_names(name);
}

Graph complete_tree(std::uint32_t arity, std::uint32_t height) {
  std::vector<std::uint32_t> depth{0};
  std::vector<std::vector<Endpoint>> ports(1);
  for (NodeId v = 0; v < ports.size() && depth[v] < height; ++v) {
    std::vector<Endpoint> children;
    for (std::uint32_t c = 0; c < arity; ++c) {
      // A node that is no leaf has its parent behind its children.
      const PortId to_parent = depth[v] + 1 < height ? arity : 0;
      children.push_back({static_cast<NodeId>(ports.size()), to_parent});
      ports.push_back({{v, c}});
      depth.push_back(depth[v] + 1);
    }
    ports[v].insert(ports[v].begin(), children.begin(), children.end());
  }
  DistanceFormulas formulas;
  formulas.degree = [depth, arity, height](NodeId v) {
    return (depth[v] < height ? arity : 0) + (depth[v] > 0 ? 1 : 0);
  };
  formulas.eccentricity = [depth, arity, height](NodeId v) {
    return arity == 1 ? std::max(depth[v], height - depth[v]) : depth[v] + height;
  };
  formulas.diameter = arity == 1 ? height : 2 * height;
  formulas.source = "levels of the tree";
  return Graph(fmt::format("tree:{},{}", arity, height), std::move(ports)).with_formulas(std::move(formulas));
}

Graph generalized_petersen(NodeId n, NodeId k) {
  std::vector<std::vector<Endpoint>> ports(2 * n);
  for (NodeId v = 0; v < n; ++v) {
    ports[v] = {{(v + 1) % n, 1}, {(v + n - 1) % n, 0}, {n + v, 2}};
    ports[n + v] = {{n + (v + k) % n, 1}, {n + (v + n - k) % n, 0}, {v, 2}};
  }
  DistanceFormulas formulas;
  formulas.degree = [](NodeId) { return 3U; };
  formulas.source = "two rings and spokes";
  return Graph(fmt::format("generalized-petersen:{},{}", n, k), std::move(ports))
      .with_formulas(std::move(formulas));
}

Graph random_graph(NodeId n, std::uint64_t edges, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::pair<NodeId, NodeId>> chosen;
  std::set<std::pair<NodeId, NodeId>> known;
  const auto add = [&](NodeId u, NodeId v) {
    if (u != v && known.insert(std::minmax(u, v)).second) chosen.emplace_back(u, v);
  };
  // Nodes join in a random order, each at a random one of those before it.
  std::vector<NodeId> order(n);
  std::iota(order.begin(), order.end(), NodeId{0});
  for (NodeId i = n; i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  for (NodeId i = 1; i < n; ++i) add(order[i], order[random() % i]);
  if (2 * edges > std::uint64_t{n} * (n - 1) / 2) {
    // Dense: draw from what is left.
    std::vector<std::pair<NodeId, NodeId>> left;
    for (NodeId u = 0; u < n; ++u) {
      for (NodeId v = u + 1; v < n; ++v) {
        if (known.count({u, v}) == 0) left.emplace_back(u, v);
      }
    }
    while (chosen.size() < edges) {
      std::swap(left[random() % left.size()], left.back());
      add(left.back().first, left.back().second);
      left.pop_back();
    }
  }
  while (chosen.size() < edges) add(static_cast<NodeId>(random() % n), static_cast<NodeId>(random() % n));
  return graph_of_edges(fmt::format("random:{},{},{}", n, edges, seed), n, chosen);
}

Graph graph_of_edges(std::string spelling, NodeId nodes,
                     const std::vector<std::pair<NodeId, NodeId>>& edges) {
  PortNumbering ports(nodes);
  for (const auto& [u, v] : edges) ports.connect(u, v);
  return std::move(ports).graph(std::move(spelling));
}

Graph doubled_cube(std::uint32_t d) {
  // A ring of two nodes with both its edges.
  const Graph dimension =
      cayley_graph(
          "doubled-cube:1", 2, {1, 0}, [](NodeId v, PortId) { return 1 - v; }, cyclic_translations(2))
          .with_formulas(symmetric_formulas(2, 2, 1, 1, "one bit per dimension"));
  return cartesian_product(std::vector<Graph>(d, dimension), fmt::format("doubled-cube:{}", d));
}

Graph graph_of_links(std::string spelling, NodeId nodes,
                     const std::vector<std::pair<NodeId, NodeId>>& links) {
  PortNumbering ports(nodes);
  for (const auto& [u, v] : links) ports.connect_one_way(u, v);
  return std::move(ports).graph(std::move(spelling));
}

namespace {

using Word = std::vector<std::uint32_t>;  // letters, the first one first

// The digraph of words in which a link drops the first letter and appends another.
Graph word_digraph(std::string spelling, const std::vector<Word>& words, std::uint32_t letters,
                   std::uint32_t length) {
  std::map<Word, NodeId> number;
  for (NodeId v = 0; v < words.size(); ++v) number.emplace(words[v], v);
  std::vector<std::pair<NodeId, NodeId>> links;
  std::vector<std::string> names;
  for (NodeId v = 0; v < words.size(); ++v) {
    constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    std::string& name = names.emplace_back();
    for (const std::uint32_t letter : words[v]) name += kLetters.at(letter);
    Word next(words[v].begin() + 1, words[v].end());
    next.push_back(0);
    for (; next.back() < letters; ++next.back()) {
      const auto there = number.find(next);
      if (there != number.end() && there->second != v) links.emplace_back(v, there->second);
    }
  }
  DistanceFormulas formulas;
  formulas.eccentricity = [length](NodeId) { return length; };
  formulas.diameter = length;
  return graph_of_links(std::move(spelling), static_cast<NodeId>(words.size()), links)
      .with_formulas(std::move(formulas))
      .with_node_names([names](NodeId v) { return names.at(v); });
}

// All words in the order of their letters.
std::vector<Word> words_of(std::uint32_t letters, std::uint32_t length, bool neighbours_differ) {
  std::vector<Word> words{{}};
  for (std::uint32_t i = 0; i < length; ++i) {
    std::vector<Word> longer;
    for (const Word& word : words) {
      for (std::uint32_t letter = 0; letter < letters; ++letter) {
        if (neighbours_differ && i > 0 && word.back() == letter) continue;
        longer.push_back(word);
        longer.back().push_back(letter);
      }
    }
    words = std::move(longer);
  }
  return words;
}

}  // namespace

Graph kautz_digraph(std::uint32_t d, std::uint32_t n) {
  const Graph graph = word_digraph(fmt::format("kautz:{},{}", d, n), words_of(d + 1, n, true), d + 1, n);
  DistanceFormulas formulas = graph.formulas();
  formulas.degree = [d](NodeId) { return d; };
  formulas.source = "W. H. Kautz, Bounds on directed (d, k) graphs, 1968";
  return graph.with_formulas(std::move(formulas));
}

Graph de_bruijn_digraph(std::uint32_t d, std::uint32_t n) {
  const std::vector<Word> words = words_of(d, n, false);
  const Graph graph = word_digraph(fmt::format("de-bruijn:{},{}", d, n), words, d, n);
  // Every (d^n - 1) / (d - 1) nodes there is a word of one letter throughout.
  const auto apart = static_cast<NodeId>((words.size() - 1) / (d - 1));
  DistanceFormulas formulas = graph.formulas();
  formulas.degree = [d, apart](NodeId v) { return v % apart == 0 ? d - 1 : d; };
  formulas.source = "N. G. de Bruijn, A combinatorial problem, 1946";
  return graph.with_formulas(std::move(formulas));
}

Graph dgx1() {
  constexpr std::array<std::array<int, 8>, 8> kLinks{{{0, 2, 1, 1, 2, 0, 0, 0},
                                                      {2, 0, 1, 2, 0, 1, 0, 0},
                                                      {1, 1, 0, 2, 0, 0, 2, 0},
                                                      {1, 2, 2, 0, 0, 0, 0, 1},
                                                      {2, 0, 0, 0, 0, 2, 1, 1},
                                                      {0, 1, 0, 0, 2, 0, 1, 2},
                                                      {0, 0, 2, 0, 1, 1, 0, 2},
                                                      {0, 0, 0, 1, 1, 2, 2, 0}}};
  std::vector<std::pair<NodeId, NodeId>> edges;
  for (NodeId v = 0; v < kLinks.size(); ++v) {
    for (NodeId u = v + 1; u < kLinks.size(); ++u) {
      for (int i = 0; i < kLinks[u][v]; ++i) edges.emplace_back(v, u);
    }
  }
  return graph_of_edges("dgx-1", static_cast<NodeId>(kLinks.size()), edges);
}

}  // namespace safnet
