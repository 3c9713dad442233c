#include "cpp_model/graph/recognise/family_candidates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace safnet {
namespace {

using IsIt = std::function<bool(const FamilyCandidate&)>;

// Sets of offsets of circulants that are looked at, at most.
constexpr std::uint64_t kMostOffsetSets = 5000;
// Nodes whose distances are compared before a network is taken to look alike from all, or from two kinds.
constexpr NodeId kSamples = 8;

const std::vector<NodeId> kAllAlike{0};

// Distances from node 0 of the circulant, without building it.
std::vector<NodeId> circulant_profile(NodeId n, const std::vector<NodeId>& offsets) {
  std::vector<std::uint8_t> is_reached(n);
  std::vector<NodeId> order{0}, profile;
  is_reached[0] = 1;
  for (std::size_t begin = 0; begin < order.size();) {
    const std::size_t end = order.size();
    profile.push_back(static_cast<NodeId>(end - begin));
    for (; begin < end; ++begin) {
      for (const NodeId s : offsets) {
        for (const NodeId u : {(order[begin] + s) % n, (order[begin] + n - s) % n}) {
          if (is_reached[u] != 0) continue;
          is_reached[u] = 1;
          order.push_back(u);
        }
      }
    }
  }
  return profile;
}

// How many different profiles a few nodes have.
std::size_t kinds_of_profiles(const Graph& graph) {
  std::set<std::vector<NodeId>> kinds;
  const NodeId n = graph.node_count();
  for (NodeId i = 0; i < kSamples; ++i)
    kinds.insert(distance_profile(graph, static_cast<NodeId>(std::uint64_t{i} * n / kSamples)));
  return kinds.size();
}

// Goes through sets of `count` offsets from `first` on, which go behind those there are.
template <class Visit>
bool visit_offsets(std::vector<NodeId>& offsets, std::size_t count, NodeId first, NodeId last,
                   const Visit& visit) {
  if (count == 0) return visit(offsets);
  for (NodeId s = first; s + count <= last + std::size_t{1}; ++s) {
    offsets.push_back(s);
    const bool stop = visit_offsets(offsets, count - 1, s + 1, last, visit);
    offsets.pop_back();
    if (stop) return true;
  }
  return false;
}

// A regular network of even or, with the offset n / 2, odd degree that looks alike from everywhere.
bool visit_circulants(const Graph& graph, WorkBudget& budget, const IsIt& is_it) {
  const NodeId n = graph.node_count();
  const PortId degree = graph.max_degree();
  const std::size_t count = degree / 2;
  const NodeId last = (n - 1) / 2;
  if (count == 0 || count > last || (degree % 2 == 1 && n % 2 == 1)) return false;
  if (kinds_of_profiles(graph) > 1) return false;
  const std::vector<NodeId> profile = distance_profile(graph, 0);
  const auto visit = [&](const std::vector<NodeId>& chosen) {
    std::vector<NodeId> offsets = chosen;
    if (degree % 2 == 1) offsets.push_back(n / 2);
    NodeId divisor = n;
    for (const NodeId s : offsets) divisor = std::gcd(divisor, s);
    if (divisor != 1) return false;
    if (!budget.take(n * std::uint64_t{degree})) return true;
    return circulant_profile(n, offsets) == profile &&
           is_it({fmt::format("circulant:{},{}", n, fmt::join(offsets, ",")), kAllAlike});
  };
  if (degree % 2 == 0 && is_it({fmt::format("extended-ring:{},{}", n, count), kAllAlike})) return true;
  // An offset without a common divisor with n can be taken for 1 by counting in multiples of it.
  const auto sets = [](std::uint64_t of, std::uint64_t chosen) {
    double product = 1;  // an estimate will do
    for (std::uint64_t i = 0; i < chosen; ++i)
      product *= static_cast<double>(of - i) / static_cast<double>(i + 1);
    return product;
  };
  std::vector<NodeId> offsets{1};
  if (sets(last - 1, count - 1) <= kMostOffsetSets && visit_offsets(offsets, count - 1, 2, last, visit))
    return true;
  offsets.clear();
  return last > 1 && sets(last - 1, count) <= kMostOffsetSets &&
         visit_offsets(offsets, count, 2, last, visit);
}

bool visit_petersen(const Graph& graph, const IsIt& is_it) {
  const NodeId around = graph.node_count() / 2;
  if (graph.node_count() % 2 != 0 || around < 3 || graph.max_degree() != 3) return false;
  if (around == 5 && is_it({"petersen", kAllAlike})) return true;
  if (kinds_of_profiles(graph) > 2) return false;
  for (NodeId k = 2; k <= (around - 1) / 2; ++k) {
    if (is_it({fmt::format("generalized-petersen:{},{}", around, k), {0, around}})) return true;
  }
  return false;
}

// Families in which all nodes have as many neighbours, and which have one network at most of so many nodes.
std::vector<FamilyCandidate> regular_candidates(NodeId n, PortId degree) {
  std::vector<FamilyCandidate> found;
  const auto add = [&](const char* family, std::uint64_t number) {
    found.push_back({fmt::format("{}:{}", family, number), kAllAlike});
  };
  if (degree == 2 && n == 2) add("doubled-cube", 1);
  if (degree == 2 && n > 2) add("ring", n);
  if (degree + 1 == n) add("complete", n);
  for (PortId d = 2; d <= 16; ++d) {
    const std::uint64_t corners = std::uint64_t{1} << d;
    if (n == corners && degree == d + 1) add("folded-cube", d);
    if (d >= 3 && n == d * corners && degree == 3) add("cube-connected-cycles", d);
    if (d >= 3 && n == d * corners && degree == 4) add("butterfly", d);
  }
  std::uint64_t permutations = 6;
  for (PortId symbols = 4; symbols <= 8; ++symbols) {
    permutations *= symbols;
    if (n == permutations && degree == symbols - 1) add("star", symbols);
  }
  if (n == 8 && degree == 6) found.push_back({"dgx-1"});
  return found;
}

std::vector<FamilyCandidate> tree_candidates(const Graph& graph) {
  const NodeId n = graph.node_count();
  std::vector<FamilyCandidate> found;
  if (graph.max_degree() <= 2) found.push_back({fmt::format("linear:{}", n)});
  for (std::uint64_t arity = 2; arity < kMaxDegree; ++arity) {
    std::uint64_t nodes = 1, level = 1;
    for (std::uint32_t height = 1; nodes < n; ++height) {
      nodes += level *= arity;
      if (nodes == n && graph.max_degree() == (height == 1 ? arity : arity + 1))
        found.push_back({fmt::format("tree:{},{}", arity, height)});
    }
  }
  return found;
}

std::vector<FamilyCandidate> word_digraph_candidates(const Graph& graph) {
  const NodeId n = graph.node_count();
  const std::uint64_t letters = graph.max_degree();
  std::vector<FamilyCandidate> found;
  if (letters < 2 || letters > 51) return found;
  std::uint64_t words = letters;
  for (std::uint32_t length = 2; words < n; ++length) {
    if ((letters + 1) * words == n) found.push_back({fmt::format("kautz:{},{}", letters, length)});
    words *= letters;
    if (words == n) found.push_back({fmt::format("de-bruijn:{},{}", letters, length)});
  }
  return found;
}

}  // namespace

std::vector<NodeId> distance_profile(const Graph& graph, NodeId v) {
  std::vector<NodeId> profile;
  for (const std::uint32_t distance : graph.distances_from(v)) {
    if (distance >= profile.size()) profile.resize(distance + std::size_t{1});
    ++profile[distance];
  }
  return profile;
}

void visit_candidates(const Graph& graph, WorkBudget& budget, const IsIt& is_it) {
  const bool is_regular = graph.min_degree() == graph.max_degree();
  std::vector<FamilyCandidate> few = graph.has_one_way_links() ? word_digraph_candidates(graph)
                                     : graph.is_tree()         ? tree_candidates(graph)
                                     : is_regular ? regular_candidates(graph.node_count(), graph.max_degree())
                                                  : std::vector<FamilyCandidate>();
  for (const FamilyCandidate& candidate : few) {
    if (is_it(candidate)) return;
  }
  if (!is_regular || graph.has_one_way_links()) return;
  if (!budget.take(kSamples * 2 * graph.link_count()) || visit_petersen(graph, is_it)) return;
  visit_circulants(graph, budget, is_it);
}

}  // namespace safnet
