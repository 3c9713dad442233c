#include "cpp_model/graph/recognise/named_product.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

namespace safnet {
namespace {

using Factors = std::vector<NamedFactor>;

bool is_edge(const NamedFactor& factor) { return factor.graph.spelling() == "linear:2"; }
bool is_of(const NamedFactor& factor, const char* family) { return factor.graph.family() == family; }
bool is_ring(const NamedFactor& factor) { return is_edge(factor) || is_of(factor, "ring"); }
bool is_complete(const NamedFactor& factor) {
  return is_edge(factor) || is_of(factor, "complete") || factor.graph.spelling() == "ring:3";
}
bool is_extended_ring(const NamedFactor& factor) {
  return is_ring(factor) || is_complete(factor) || is_of(factor, "extended-ring");
}

// Two edges make a square, which is a ring of four nodes.
NamedFactor square(const NamedFactor& a, const NamedFactor& b, const MakeNetwork& make) {
  NamedFactor ring{make("ring:4"), a.coordinate};
  for (std::size_t v = 0; v < ring.coordinate.size(); ++v)
    ring.coordinate[v] = a.coordinate[v] == 0 ? b.coordinate[v] : 3 - b.coordinate[v];
  return ring;
}

void make_squares(Factors& factors, const MakeNetwork& make) {
  Factors others, edges;
  for (NamedFactor& factor : factors) (is_edge(factor) ? edges : others).push_back(std::move(factor));
  while (edges.size() > 1) {
    others.push_back(square(edges[edges.size() - 2], edges.back(), make));
    edges.erase(edges.end() - 2, edges.end());
  }
  others.insert(others.end(), edges.begin(), edges.end());
  factors = std::move(others);
}

// "8x8x4": the numbers of nodes.
std::string sizes(const Factors& factors) {
  std::vector<NodeId> nodes;
  for (const NamedFactor& factor : factors) nodes.push_back(factor.graph.node_count());
  return fmt::format("{}", fmt::join(nodes, "x"));
}

// "8/2x6/1": the numbers of nodes, and how far edges reach.
std::string reaches(const Factors& factors) {
  std::vector<std::string> words;
  for (const NamedFactor& factor : factors)
    words.push_back(fmt::format("{}/{}", factor.graph.node_count(), (factor.graph.max_degree() + 1) / 2));
  return fmt::format("{}", fmt::join(words, "x"));
}

std::string product_name(const Factors& factors) {
  std::vector<std::string> words;
  for (const NamedFactor& factor : factors) words.push_back(factor.graph.spelling());
  return fmt::format("product({})", fmt::join(words, ","));
}

// The family that is the product of such factors; empty if there is none.
std::string family_name(const Factors& factors) {
  const auto all = [&](auto is_one) { return std::ranges::all_of(factors, is_one); };
  if (all(is_edge)) return fmt::format("hypercube:{}", factors.size());
  if (all([](const NamedFactor& f) { return f.graph.spelling() == "doubled-cube:1"; }))
    return fmt::format("doubled-cube:{}", factors.size());
  if (all([](const NamedFactor& f) { return is_of(f, "linear"); })) return "mesh:" + sizes(factors);
  if (all(is_ring)) return "torus:" + sizes(factors);
  if (all(is_complete)) return "generalized-hypercube:" + sizes(factors);
  if (all(is_extended_ring)) return "hypercycle:" + reaches(factors);
  return "";
}

}  // namespace

NamedProduct named_product(Factors factors, const MakeNetwork& make) {
  const bool all_edges = std::ranges::all_of(factors, is_edge);
  if (all_edges ? factors.size() == 2 : std::ranges::all_of(factors, is_ring)) make_squares(factors, make);
  std::ranges::stable_sort(factors, [](const NamedFactor& a, const NamedFactor& b) {
    return a.graph.node_count() != b.graph.node_count() ? a.graph.node_count() > b.graph.node_count()
                                                        : a.graph.spelling() < b.graph.spelling();
  });
  std::vector<Graph> graphs;
  for (const NamedFactor& factor : factors) graphs.push_back(factor.graph);
  const std::string name = family_name(factors);
  NamedProduct product{factors.size() == 1 ? graphs[0]
                       : name.empty()      ? cartesian_product(graphs, product_name(factors))
                                           : make(name),
                       std::vector<NodeId>(factors[0].coordinate.size(), 0)};
  for (const NamedFactor& factor : factors) {
    for (std::size_t v = 0; v < product.node.size(); ++v)
      product.node[v] = product.node[v] * factor.graph.node_count() + factor.coordinate[v];
  }
  return product;
}

}  // namespace safnet
