#include "cpp_model/bound/best_cut.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <random>

namespace safnet {
namespace {

// Limits of the search in moves of one node: tens of milliseconds.
constexpr std::uint64_t kMaxMoves = std::uint64_t{1} << 22;
constexpr std::size_t kMaxRunsNamed = 8;

// Packets over links, compared without rounding.
struct Ratio {
  std::uint64_t packets = 0, links = 1;
  bool operator>(const Ratio& other) const { return packets * other.links > other.packets * links; }
};

// How many links lead from one side of a cut to the other, and back.
struct Crossing {
  std::uint64_t out = 0, in = 0;
};

Ratio leaving(const Demand& demand, std::uint64_t origins, std::uint64_t destinations, Crossing links) {
  return {demand.messages * origins * (demand.destinations - destinations), links.out};
}
Ratio entering(const Demand& demand, std::uint64_t origins, std::uint64_t destinations, Crossing links) {
  return {demand.messages * (demand.origins - origins) * destinations, links.in};
}

// Packets across a cut, in the direction that has more of them per link, if one side has so many origins and
// destinations. Zero packets if no link leads one of the ways: these cuts are not considered.
Ratio most_per_link(const Demand& demand, std::uint64_t origins, std::uint64_t destinations, Crossing links) {
  if (links.out == 0 || links.in == 0) return {};
  const Ratio out = leaving(demand, origins, destinations, links);
  const Ratio in = entering(demand, origins, destinations, links);
  return in > out ? in : out;
}

// A set of nodes that can be changed by one node at a time.
class Side {
 public:
  Side(const Wiring& wiring, const Wiring& back, const Demand& demand)
      : wiring_(wiring),
        back_(back),
        demand_(demand),
        inside_(wiring.nodes(), 0),
        to_inside_(wiring.nodes(), 0),
        from_inside_(wiring.nodes(), 0) {}
  void clear() {
    std::fill(inside_.begin(), inside_.end(), std::uint8_t{0});
    std::fill(to_inside_.begin(), to_inside_.end(), 0U);
    std::fill(from_inside_.begin(), from_inside_.end(), 0U);
    origins_ = destinations_ = 0;
    links_ = {};
  }
  void flip(NodeId v) {
    links_ = links_after(v);
    const bool enters = inside_[v] == 0;
    inside_[v] ^= 1;
    origins_ += enters ? demand_.is_origin[v] : std::uint64_t{0} - demand_.is_origin[v];
    destinations_ += enters ? demand_.is_destination[v] : std::uint64_t{0} - demand_.is_destination[v];
    const std::uint32_t change = enters ? 1U : ~0U;
    for (const NodeId u : wiring_.targets_of(v)) from_inside_[u] += change;
    for (const NodeId u : back_.targets_of(v)) to_inside_[u] += change;
  }
  Ratio ratio() const { return most_per_link(demand_, origins_, destinations_, links_); }
  Ratio ratio_after(NodeId v) const {
    const std::uint64_t sign = inside_[v] == 0 ? 1 : ~std::uint64_t{0};
    return most_per_link(demand_, origins_ + sign * demand_.is_origin[v],
                         destinations_ + sign * demand_.is_destination[v], links_after(v));
  }
  /// Do as many packets per link leave it as enter it, or more?
  bool leaves() const {
    return !(entering(demand_, origins_, destinations_, links_) >
             leaving(demand_, origins_, destinations_, links_));
  }
  const std::vector<std::uint8_t>& inside() const { return inside_; }

 private:
  // The links across after node v changes sides: if it enters, with its links to and from nodes outside and
  // without those to and from nodes inside; if it leaves, the other way round.
  Crossing links_after(NodeId v) const {
    const std::uint64_t to = to_inside_[v], from = from_inside_[v];
    const std::uint64_t out = wiring_.degree(v) - to, in = back_.degree(v) - from;
    if (inside_[v] == 0) return {links_.out + out - from, links_.in + in - to};
    return {links_.out + from - out, links_.in + to - in};
  }

  const Wiring& wiring_;
  const Wiring& back_;
  const Demand& demand_;
  std::vector<std::uint8_t> inside_;
  std::vector<std::uint32_t> to_inside_, from_inside_;  // links of a node to those inside, and from them
  std::uint64_t origins_ = 0, destinations_ = 0;
  Crossing links_;
};

// Neighbours of up to 32 nodes as sets: layer i of a node has those that i + 1 or more of its links lead to.
class Layers {
 public:
  explicit Layers(const Wiring& wiring) : layers_(wiring.nodes()) {
    for (NodeId v = 0; v < wiring.nodes(); ++v) {
      for (const NodeId u : wiring.targets_of(v)) {
        const std::uint32_t bit = std::uint32_t{1} << u;
        std::size_t layer = 0;
        while (layer < layers_[v].size() && (layers_[v][layer] & bit) != 0) ++layer;
        if (layer == layers_[v].size()) layers_[v].push_back(0);
        layers_[v][layer] |= bit;
      }
    }
  }
  /// Links from a node into a set.
  std::uint64_t count(NodeId v, std::uint32_t set) const {
    std::uint64_t sum = 0;
    for (const std::uint32_t layer : layers_[v])
      sum += static_cast<std::uint64_t>(std::popcount(layer & set));
    return sum;
  }

 private:
  std::vector<std::vector<std::uint32_t>> layers_;
};

class CutSearch {
 public:
  CutSearch(const Graph& graph, const Demand& demand)
      : graph_(graph),
        demand_(demand),
        wiring_(graph),
        back_(wiring_.reversed()),
        side_(wiring_, back_, demand) {}

  Cut best() {
    along_dimensions();
    if (!graph_.has_one_way_links()) subtrees();
    reached();
    if (wiring_.nodes() <= kMaxNodesForAllCuts) {
      all();
    } else {
      improve();
    }
    if (best_.where.empty() && !best_.from.empty()) best_.where = nodes_in_words();
    return std::move(best_);
  }

 private:
  void consider(const char* format = "", std::size_t dimension = 0, NodeId after = 0, NodeId of = 0) {
    if (!(side_.ratio() > Ratio{best_.packets, best_.links})) return;
    keep();
    best_.where = *format == 0 ? "" : fmt::format(fmt::runtime(format), dimension, after, of);
  }
  void keep() {
    const Ratio ratio = side_.ratio();
    best_.packets = ratio.packets;
    best_.links = ratio.links;
    best_.from = side_.inside();
    best_.where.clear();
    if (side_.leaves()) return;
    for (std::uint8_t& is_inside : best_.from) is_inside ^= 1;
  }

  // Moves nodes over in the given order, and looks at every cut on the way.
  void sweep(const std::vector<NodeId>& order) {
    side_.clear();
    for (const NodeId v : order) {
      side_.flip(v);
      consider();
    }
  }

  void along_dimensions() {
    if (graph_.factors().empty()) return;
    for (std::size_t i = 0; i < graph_.factors().size(); ++i) {
      const NodeId size = graph_.factors()[i].node_count();
      std::vector<std::vector<NodeId>> slices(size);
      for (NodeId v = 0; v < wiring_.nodes(); ++v) slices[graph_.coordinates(v)[i]].push_back(v);
      side_.clear();
      for (NodeId k = 0; k + 1 < size; ++k) {
        for (const NodeId v : slices[k]) side_.flip(v);
        consider("across dimension {} after {} of {}", i, k + 1, size);
      }
    }
  }

  // The subtrees of a depth-first search against the rest: among them are all cuts of a single edge.
  void subtrees() {
    const NodeId n = wiring_.nodes();
    const DepthFirstTree tree(wiring_);
    // Links from a node upwards, less those that come up to it; summed over a subtree: links that leave it.
    std::vector<std::uint64_t> links(n, 0), origins(n, 0), destinations(n, 0);
    for (std::uint32_t i = 0; i < n; ++i) {
      const NodeId v = tree.order[i];
      origins[i] = demand_.is_origin[v];
      destinations[i] = demand_.is_destination[v];
      for (const NodeId u : wiring_.targets_of(v)) links[i] += tree.position[u] < i ? 1 : ~std::uint64_t{0};
    }
    Ratio best{best_.packets, best_.links};
    std::uint32_t chosen = 0;
    for (std::uint32_t i = n; i-- > 1;) {
      const Ratio ratio = most_per_link(demand_, origins[i], destinations[i], {links[i], links[i]});
      if (ratio > best) {
        best = ratio;
        chosen = i;
      }
      links[tree.parent[i]] += links[i];
      origins[tree.parent[i]] += origins[i];
      destinations[tree.parent[i]] += destinations[i];
    }
    if (chosen == 0) return;
    side_.clear();
    for (std::uint32_t i = chosen; i < tree.end[chosen]; ++i) side_.flip(tree.order[i]);
    keep();
  }

  void reached() {
    const NodeId n = wiring_.nodes();
    std::vector<NodeId> order(n);
    std::iota(order.begin(), order.end(), NodeId{0});
    sweep(order);
    std::vector<std::uint32_t> distance;
    const bool all_alike =
        graph_.translations().has_value() && demand_.origins == n && demand_.destinations == n;
    const std::uint64_t affordable = std::max<std::uint64_t>(1, kMaxMoves / (wiring_.links() + n));
    const NodeId sources = all_alike ? 1 : static_cast<NodeId>(std::min<std::uint64_t>(n, affordable));
    for (NodeId i = 0; i < sources; ++i) {
      wiring_.search(static_cast<NodeId>(std::uint64_t{i} * n / sources), order, distance);
      sweep(order);
    }
  }

  // In the order of a Gray code: one node changes sides at a time. The last node stays where it is, since a
  // cut and its complement are the same.
  void all() {
    const NodeId n = wiring_.nodes();
    const bool one_way = graph_.has_one_way_links();
    const Layers to(wiring_), from(one_way ? back_ : wiring_);
    std::uint32_t set = 0, best_set = 0;
    std::uint64_t origins = 0, destinations = 0;
    Crossing links;
    Ratio best{best_.packets, best_.links};
    for (std::uint32_t i = 1; i < (std::uint32_t{1} << (n - 1)); ++i) {
      const auto v = static_cast<NodeId>(std::countr_zero(i));
      const std::uint64_t to_set = to.count(v, set), from_set = one_way ? from.count(v, set) : to_set;
      const std::uint64_t out = wiring_.degree(v) - to_set - from_set;
      const std::uint64_t in = back_.degree(v) - to_set - from_set;
      set ^= std::uint32_t{1} << v;
      const std::uint64_t sign = ((set >> v) & 1) != 0 ? 1 : ~std::uint64_t{0};
      links = {links.out + sign * out, links.in + sign * in};
      origins += sign * demand_.is_origin[v];
      destinations += sign * demand_.is_destination[v];
      const Ratio ratio = most_per_link(demand_, origins, destinations, links);
      if (ratio > best) {
        best = ratio;
        best_set = set;
      }
    }
    if (best_set == 0) return;
    side_.clear();
    for (NodeId v = 0; v < n; ++v) {
      if (((best_set >> v) & 1) != 0) side_.flip(v);
    }
    keep();
  }

  // Each node changes sides once, always the one that gives the best cut; then the best cut met on the way is
  // restored. Repeated as long as that helps.
  void improve() {
    const NodeId n = wiring_.nodes();
    const std::uint64_t per_pass = std::uint64_t{n} * n;
    std::uint64_t left = kMaxMoves;
    std::mt19937_64 random(1);
    for (int start = 0; start < 8 && left >= per_pass; ++start) {
      side_.clear();
      if (start == 0 && !best_.from.empty()) {
        for (NodeId v = 0; v < n; ++v) {
          if (best_.from[v] != 0) side_.flip(v);
        }
      } else {
        std::vector<NodeId> order(n);
        std::iota(order.begin(), order.end(), NodeId{0});
        for (NodeId i = 0; i < n / 2; ++i) {
          std::swap(order[i], order[i + random() % (n - i)]);
          side_.flip(order[i]);
        }
      }
      while (left >= per_pass) {
        left -= per_pass;
        if (!improving_pass()) break;
      }
      consider();
    }
  }

  bool improving_pass() {
    const NodeId n = wiring_.nodes();
    std::vector<NodeId> waiting(n), moved;
    std::iota(waiting.begin(), waiting.end(), NodeId{0});
    Ratio best = side_.ratio();
    std::size_t best_at = 0;
    while (!waiting.empty()) {
      std::size_t chosen = 0;
      Ratio chosen_ratio = side_.ratio_after(waiting[0]);
      for (std::size_t i = 1; i < waiting.size(); ++i) {
        const Ratio ratio = side_.ratio_after(waiting[i]);
        if (ratio > chosen_ratio) {
          chosen = i;
          chosen_ratio = ratio;
        }
      }
      side_.flip(waiting[chosen]);
      moved.push_back(waiting[chosen]);
      waiting[chosen] = waiting.back();
      waiting.pop_back();
      if (chosen_ratio > best) {
        best = chosen_ratio;
        best_at = moved.size();
      }
    }
    for (std::size_t i = moved.size(); i-- > best_at;) side_.flip(moved[i]);
    return best_at != 0;
  }

  // "between nodes {0-3 8} and the other 4": the smaller side.
  std::string nodes_in_words() const {
    std::array<std::vector<std::string>, 2> runs;
    std::array<std::size_t, 2> count{};
    const NodeId n = wiring_.nodes();
    for (NodeId v = 0, last = 0; v < n; v = last + 1) {
      const std::uint8_t side = best_.from[v];
      for (last = v; last + 1 < n && best_.from[last + 1] == side;) ++last;
      runs[side].push_back(last == v ? fmt::format("{}", v) : fmt::format("{}-{}", v, last));
      count[side] += last + 1 - v;
    }
    const std::size_t named = count[1] <= count[0] ? 1 : 0;
    const bool all = runs[named].size() <= kMaxRunsNamed;
    if (!all) runs[named].resize(kMaxRunsNamed);
    return fmt::format("between {} {{{}{}}} and the other {}",
                       all ? "nodes" : fmt::format("{} nodes", count[named]), fmt::join(runs[named], " "),
                       all ? "" : " ...", count[1 - named]);
  }

  const Graph& graph_;
  const Demand& demand_;
  Wiring wiring_, back_;
  Side side_;
  Cut best_;
};

}  // namespace

Cut best_cut(const Graph& graph, const Demand& demand) { return CutSearch(graph, demand).best(); }

}  // namespace safnet
