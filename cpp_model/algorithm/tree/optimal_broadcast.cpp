#include "cpp_model/algorithm/tree/optimal_broadcast.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <random>
#include <span>
#include <unordered_map>
#include <utility>

#include "cpp_model/algorithm/tools/shuffle.hpp"
#include "cpp_model/algorithm/tree/informing_step.hpp"
#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

// Each neighbour once, however many links lead there.
std::vector<std::vector<NodeId>> neighbours_of(const Graph& graph) {
  std::vector<std::vector<NodeId>> list(graph.node_count());
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    for (PortId p = 0; p < graph.degree(v); ++p) {
      const NodeId to = graph.peer(v, p).node;
      if (to != kNoNode && graph.port_to(v, to) == p) list[v].push_back(to);
    }
  }
  return list;
}

std::uint64_t bound_of(const Graph& graph, NodeId root) {
  return lower_bound({graph, CollectiveKind::kBroadcast, PortModel::kOnePort, root}).steps;
}

// Theorem 3.3: in `steps` steps a source informs at most C(steps, d) + ... + C(steps, steps) nodes at
// distance d or more; s sources at most s times as many. [steps][d]; saturates at kMany.
class Reach {
 public:
  std::uint64_t at_least(std::uint32_t steps, std::uint32_t distance) {
    while (sums_.size() <= steps) {
      const auto t = static_cast<std::uint32_t>(sums_.size());
      std::vector<std::uint64_t> binomials{1};
      for (std::uint32_t k = 1; k <= t; ++k) {
        const std::uint64_t above = before_[k - 1] + (k < before_.size() ? before_[k] : 0);
        binomials.push_back(std::min(above, kMany));
      }
      std::vector<std::uint64_t> sums(binomials);
      for (std::size_t k = sums.size() - 1; k-- > 0;) sums[k] = std::min(sums[k] + sums[k + 1], kMany);
      before_ = std::move(binomials);
      sums_.push_back(std::move(sums));
    }
    return distance < sums_[steps].size() ? sums_[steps][distance] : 0;
  }

 private:
  static constexpr std::uint64_t kMany = std::uint64_t{1} << 40;
  std::vector<std::uint64_t> before_;
  std::vector<std::vector<std::uint64_t>> sums_;
};

// One random broadcast after the other.
class RandomBroadcast {
 public:
  RandomBroadcast(const Graph& graph, NodeId root, std::uint64_t enough, std::uint64_t work)
      : graph_(graph),
        neighbours_(neighbours_of(graph)),
        root_(root),
        enough_(enough),
        work_(work),
        n_(graph.node_count()),
        links_(graph.link_count()) {}

  std::vector<Informing> best() {
    do {
      once();
    } while (best_.size() + 1 != n_ || (steps_of(best_) > enough_ && done_ < work_));
    return best_;
  }

 private:
  void once() {
    informed_.assign(n_, 0);
    informed_[root_] = 1;
    nodes_.assign(1, root_);
    chosen_.clear();
    for (std::uint32_t step = 1; nodes_.size() < n_; ++step) {
      done_ += links_ + n_;
      measure();
      if (!best_.empty() && hopeless(step - 1)) return;
      share_out();
      if (best_.empty() || step - 1 + slowest_ < steps_of_best_) keep(step);
      if (steps_of_best_ <= enough_) return;
      inform(step);
    }
    if (!chosen_.empty() && steps_of(chosen_) < steps_of_best_) {
      best_ = chosen_;
      steps_of_best_ = steps_of(chosen_);
    }
  }

  // Hops from the informed nodes; `order_` has all nodes by distance.
  void measure() {
    hops_.assign(n_, kUnreachable);
    order_ = nodes_;
    for (const NodeId v : nodes_) hops_[v] = 0;
    for (std::size_t head = 0; head < order_.size(); ++head) {
      for (const NodeId next : neighbours_[order_[head]]) {
        if (hops_[next] != kUnreachable) continue;
        hops_[next] = hops_[order_[head]] + 1;
        order_.push_back(next);
      }
    }
  }

  // Is it certain already that this broadcast will not beat the best so far?
  bool hopeless(std::uint32_t step) {
    const std::uint32_t left = steps_of_best_ - 1 - std::min(steps_of_best_ - 1, step);
    for (std::size_t i = nodes_.size(); i < n_; ++i) {
      const std::uint32_t d = hops_[order_[i]];
      if (i > nodes_.size() && hops_[order_[i - 1]] == d) continue;
      if (reach_.at_least(left, d) * nodes_.size() < n_ - i) return true;
    }
    return false;
  }

  // A parent for every uninformed node, from the furthest on, so that no part takes long.
  void share_out() {
    steps_.assign(n_, 0);
    children_.assign(n_, 0);
    parent_.assign(n_, kNoNode);
    std::size_t end = n_;
    while (end > nodes_.size()) {
      std::size_t begin = end;
      const std::uint32_t d = hops_[order_[end - 1]];
      while (begin > nodes_.size() && hops_[order_[begin - 1]] == d) --begin;
      const auto first = order_.begin() + static_cast<std::ptrdiff_t>(begin);
      const auto last = order_.begin() + static_cast<std::ptrdiff_t>(end);
      shuffle(std::span(first, last), random_);
      std::stable_sort(first, last, [&](NodeId a, NodeId b) { return steps_[a] > steps_[b]; });
      for (auto v = first; v != last; ++v) adopt(*v);
      end = begin;
    }
    slowest_ = 0;
    for (const NodeId v : nodes_) slowest_ = std::max(slowest_, steps_[v]);
  }
  void adopt(NodeId v) {
    std::uint32_t least = 0xffff'ffff, ties = 0;
    for (const NodeId u : neighbours_[v]) {
      if (hops_[u] + 1 != hops_[v]) continue;
      const std::uint32_t then = std::max(steps_[u], steps_[v] + children_[u] + 1);
      const std::uint32_t cost = then * 64 + std::min(children_[u], 63U);
      if (cost > least) continue;
      if (cost < least) ties = 0;
      least = cost;
      if (random_() % ++ties == 0) parent_[v] = u;
    }
    const NodeId u = parent_[v];
    steps_[u] = std::max(steps_[u], steps_[v] + ++children_[u]);
  }

  // Keeps, as the best so far, what was chosen before `step` and then the forest's broadcast.
  void keep(std::uint32_t step) {
    best_ = chosen_;
    std::vector<std::uint32_t> when(n_, step - 1);
    // Children of a node were adopted slowest first; parents come before children in order_ by level.
    std::vector<std::vector<NodeId>> below(n_);
    for (std::size_t i = nodes_.size(); i < n_; ++i) below[parent_[order_[i]]].push_back(order_[i]);
    for (const NodeId v : order_) {
      std::stable_sort(below[v].begin(), below[v].end(),
                       [&](NodeId a, NodeId b) { return steps_[a] > steps_[b]; });
      for (const NodeId child : below[v]) {
        best_.push_back({++when[v], v, graph_.port_to(v, child).value()});
        when[child] = when[v];
      }
    }
    steps_of_best_ = steps_of(best_);
  }

  // One step: informs as many nodes as can be, those with the slowest parts below them first.
  void inform(std::uint32_t step) {
    informs_.assign(n_, kNoNode);
    informer_.assign(n_, kNoNode);
    tried_.assign(n_, 0);
    std::vector<NodeId> next;
    for (std::size_t i = nodes_.size(); i < n_ && hops_[order_[i]] == 1; ++i) next.push_back(order_[i]);
    // Sometimes, at random, another of the slowest parts goes first.
    if (random_() % 4 == 0) {
      for (const NodeId v : next) steps_[v] = 2 * steps_[v] + static_cast<std::uint32_t>(random_() % 3);
    }
    shuffle(next, random_);
    std::stable_sort(next.begin(), next.end(), [&](NodeId a, NodeId b) { return steps_[a] > steps_[b]; });
    for (const NodeId v : next) {
      ++round_;
      augment(v);
    }
    for (const NodeId v : next) {
      if (informer_[v] == kNoNode) continue;
      chosen_.push_back({step, informer_[v], graph_.port_to(informer_[v], v).value()});
      nodes_.push_back(v);
      informed_[v] = 1;
    }
  }
  bool augment(NodeId v) {
    // Its parent in the forest first.
    return take(v, parent_[v]) || std::any_of(neighbours_[v].begin(), neighbours_[v].end(),
                                              [&](NodeId u) { return informed_[u] != 0 && take(v, u); });
  }
  bool take(NodeId v, NodeId u) {
    if (tried_[u] == round_) return false;
    tried_[u] = round_;
    if (informs_[u] != kNoNode && !augment(informs_[u])) return false;
    informs_[u] = v;
    informer_[v] = u;
    return true;
  }

  const Graph& graph_;
  std::vector<std::vector<NodeId>> neighbours_;
  NodeId root_;
  std::uint64_t enough_, work_, done_ = 0;
  NodeId n_;
  std::uint64_t links_;
  Reach reach_;
  std::mt19937_64 random_{1};
  std::vector<Informing> best_, chosen_;
  std::uint32_t steps_of_best_ = 0xffff'ffff;
  std::vector<std::uint8_t> informed_;
  std::vector<NodeId> nodes_;  // informed
  std::vector<NodeId> order_, parent_;
  std::vector<std::uint32_t> hops_, steps_, children_;
  std::uint32_t slowest_ = 0;
  std::vector<NodeId> informs_, informer_;
  std::vector<std::uint64_t> tried_;
  std::uint64_t round_ = 0;
};

static_assert(kMaxBranchedNodes <= 64);

// Depth first over the sets of informed nodes, for one number of steps after the other.
class Branching {
 public:
  Branching(const Graph& graph, NodeId root, std::uint64_t states)
      : states_(states),
        neighbours_(informers_of(graph)),
        all_(full_set(graph.node_count())),
        path_{only(root)} {}

  /// The sets of informed nodes after each step, if `steps` steps can do it.
  std::optional<std::vector<NodeSet>> within(std::uint32_t steps) {
    failed_.clear();
    path_.resize(1);
    if (descend(path_[0], steps)) return path_;
    return std::nullopt;
  }
  /// All states are used up: that within() found nothing then proves nothing.
  bool gave_up() const { return states_ == 0; }

  /// See InformingStep::informers().
  std::vector<NodeId> informers(NodeSet informed, NodeSet targets) {
    return InformingStep(neighbours_, informed).informers(targets);
  }

 private:
  bool descend(NodeSet informed, std::uint32_t left) {
    if (informed == all_) return true;
    if (!possible(informed, left) || !spend()) return false;
    const auto [known, is_new] = failed_.try_emplace(informed, left);
    if (!is_new && known->second >= left) return false;
    known->second = left;
    std::vector<std::pair<std::uint64_t, NodeSet>> next;
    InformingStep(neighbours_, informed)
        .each_largest(
            [&](NodeSet targets) {
              const NodeSet then = informed | targets;
              if (possible(then, left - 1)) next.emplace_back(far_away(then), then);
            },
            [this] { return spend(); });
    if (gave_up()) return false;
    std::sort(next.begin(), next.end());
    for (const auto& [score, set] : next) {
      path_.push_back(set);
      if (descend(set, left - 1)) return true;
      path_.pop_back();
      if (gave_up()) return false;
    }
    return false;
  }

  template <class Visit>
  void each_level(NodeSet informed, Visit visit) const {  // visit(distance, nodes there or further)
    NodeSet within = informed;
    for (std::uint32_t d = 1; within != all_; ++d) {
      visit(d, all_ & ~within);
      NodeSet further = within;
      for (NodeSet rest = within; rest != 0; rest &= rest - 1) further |= neighbours_[lowest(rest)];
      within = further;
    }
  }
  bool possible(NodeSet informed, std::uint32_t left) {
    bool enough = true;
    const auto sources = static_cast<std::uint64_t>(std::popcount(informed));
    each_level(informed, [&](std::uint32_t d, NodeSet beyond) {
      const auto nodes = static_cast<std::uint64_t>(std::popcount(beyond));
      enough = enough && reach_.at_least(left, d) * sources >= nodes;
    });
    return enough;
  }
  // Small if few nodes are far from all that are informed: such sets are tried first.
  std::uint64_t far_away(NodeSet informed) const {
    std::uint64_t sum = 0;
    each_level(informed, [&](std::uint32_t d, NodeSet beyond) {
      sum += static_cast<std::uint64_t>(std::popcount(beyond)) << std::min(d, 32U);
    });
    return sum;
  }
  bool spend() {
    if (states_ != 0) --states_;
    return states_ != 0;
  }

  std::uint64_t states_;
  std::vector<NodeSet> neighbours_;
  NodeSet all_;
  std::vector<NodeSet> path_;
  std::unordered_map<NodeSet, std::uint32_t> failed_;  // by set: steps left when it failed
  Reach reach_;
};

constexpr NodeId kMaxPromisedNodes = 512;
constexpr std::uint64_t kPromiseWork = std::uint64_t{1} << 20;

// For a broadcast and, backwards, a reduction: the randomised search, or the optimum.
Algorithm searching(CollectiveKind collective, bool optimal) {
  const std::string name = optimal ? "branch-and-bound" : "search";
  const NodeId most = optimal ? kMaxBranchedNodes : kMaxRandomlySearchedNodes;
  return {
      .name = name,
      .collective = collective,
      .source = optimal ? "thesis 3.2, Theorem 3.3; optimal" : "after thesis 3.2, (6.1)",
      .description =
          std::string(optimal
                          ? "as few steps as there can be, by searching sets of informed nodes; may give up"
                          : "the best of many random broadcasts that inform the slowest parts first") +
          (collective == CollectiveKind::kReduction ? "; backwards" : ""),
      .domain = fmt::format("networks of at most {} nodes, one-port", most),
      .why_not = [most](const Problem& p) -> std::string {
        if (!p.tree.empty()) return "finds its own tree, without --tree";
        if (p.ports == PortModel::kAllPort) return "needs --ports one or one-send";
        return p.graph.node_count() <= most ? "" : fmt::format("needs a network of at most {} nodes", most);
      },
      // No formula, but the lower bound where the search meets it in milliseconds.
      .closed_form = [optimal](const Problem& p) -> std::optional<std::uint64_t> {
        if (optimal || p.graph.node_count() > kMaxPromisedNodes) return std::nullopt;
        const std::uint64_t bound = bound_of(p.graph, p.root);
        const auto found = searched_broadcast(p.graph, p.root, bound, kPromiseWork);
        return steps_of(found) == bound ? std::optional(bound) : std::nullopt;
      },
      .chosen_by_name_only = optimal,
      .plan =
          [optimal, name](const Problem& p) {
            return informing_schedule(p, name,
                                      optimal
                                          ? optimal_broadcast(p.graph, p.root)
                                          : searched_broadcast(p.graph, p.root, bound_of(p.graph, p.root)));
          }};
}

}  // namespace

std::uint32_t steps_of(const std::vector<Informing>& informings) {
  std::uint32_t last = 0;
  for (const Informing& i : informings) last = std::max(last, i.step);
  return last;
}

std::vector<Informing> searched_broadcast(const Graph& graph, NodeId root, std::uint64_t enough,
                                          std::uint64_t work) {
  if (graph.node_count() > kMaxRandomlySearchedNodes) {
    throw bad_input("search: {} has {} nodes; expected at most {}", one_line(graph.spelling()),
                    graph.node_count(), kMaxRandomlySearchedNodes);
  }
  return RandomBroadcast(graph, root, enough, work).best();
}

std::vector<Informing> optimal_broadcast(const Graph& graph, NodeId root, std::uint64_t states) {
  const NodeId n = graph.node_count();
  if (n > kMaxBranchedNodes) {
    throw bad_input("branch-and-bound: {} has {} nodes; expected at most {}", one_line(graph.spelling()), n,
                    kMaxBranchedNodes);
  }
  // A network without cycles has one spanning tree, and (6.1) is its optimum.
  if (graph.is_tree()) return inform_over_tree(graph, shortest_path_tree(graph, root), PortModel::kOnePort);
  const std::uint64_t bound = bound_of(graph, root);
  std::vector<Informing> best = searched_broadcast(graph, root, bound, std::uint64_t{1} << 20);
  Branching branching(graph, root, states);
  for (auto steps = static_cast<std::uint32_t>(bound); steps < steps_of(best); ++steps) {
    const auto sets = branching.within(steps);
    if (!sets && branching.gave_up()) {
      throw bad_input(
          "branch-and-bound: {}: {} sets of informed nodes do not tell whether {} steps do, {} "
          "are enough; expected a smaller network or algorithm search",
          one_line(graph.spelling()), states, steps, steps_of(best));
    }
    if (!sets) continue;
    best.clear();
    for (std::uint32_t step = 1; step < sets->size(); ++step) {
      const NodeSet before = (*sets)[step - 1];
      const std::vector<NodeId> informer = branching.informers(before, (*sets)[step] & ~before);
      for (NodeId v = 0; v < n; ++v) {
        if (informer[v] != kNoNode)
          best.push_back({step, informer[v], graph.port_to(informer[v], v).value()});
      }
    }
    break;
  }
  return best;
}

std::vector<Algorithm> optimal_broadcast_algorithms() {
  return {searching(CollectiveKind::kBroadcast, false), searching(CollectiveKind::kReduction, false),
          searching(CollectiveKind::kBroadcast, true), searching(CollectiveKind::kReduction, true)};
}

}  // namespace safnet
