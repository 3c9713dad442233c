#include "cpp_model/proof/informing.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "cpp_model/bound/broadcast_bound.hpp"
#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

// Steps up to which processors that combine are counted step by step, and routers up to which the parts of a
// network without one of them are looked at.
constexpr std::uint64_t kMostCountedSteps = 10'000;
constexpr NodeId kMostRoutersTried = 256;

class InformingArgument {
 public:
  explicit InformingArgument(const Task& task)
      : task_(task), wiring_(wiring_of(task)), hops_(wiring_.distances_from(task.origins.at(0))) {}

  std::optional<Proof> find() {
    if (too_far() || too_many_far() || too_slow_in_tree() || too_few_carried()) return proof_;
    return std::nullopt;
  }

 private:
  void keep(ProofKind kind) {
    proof_.emplace();
    proof_->kind = kind;
  }

  bool too_far() {
    const std::vector<std::uint64_t> there = soonest(task_, task_.origins);
    const auto furthest = std::max_element(there.begin(), there.begin() + task_.processors);
    if (*furthest <= task_.steps) return false;
    keep(ProofKind::kWays);
    proof_->destination = static_cast<NodeId>(furthest - there.begin());
    return true;
  }

  // Steps that are left for the last message, which leaves its origin after all others have.
  bool has_steps_for_last() const {
    return task_.sends_one && !task_.links.empty() && task_.steps >= steps_before_last();
  }
  std::uint64_t steps_before_last() const { return (task_.messages - 1) * std::ranges::min(task_.busy); }
  std::uint64_t steps_for_last() const { return task_.steps - steps_before_last(); }

  bool too_many_far() {
    if (!has_steps_for_last()) return false;
    std::vector<std::uint64_t> far;  // by hops: processors so far away or further
    for (NodeId v = 0; v < task_.processors; ++v) {
      if (hops_[v] >= far.size()) far.resize(hops_[v] + std::size_t{1}, 0);
      ++far[hops_[v]];
    }
    add_from_the_end(far);
    for (std::uint32_t d = 0; d < far.size(); ++d) {
      if (can_inform(d, far[d])) continue;
      keep(ProofKind::kInformed);
      proof_->hops = d;
      return true;
    }
    return false;
  }

  // Over l calls that take at least so long, while a node begins one so many steps after the other.
  bool can_inform(std::uint64_t calls, std::uint64_t nodes) const {
    const std::uint64_t busy = std::ranges::min(task_.busy), crossing = std::ranges::min(task_.crossing);
    std::uint64_t informed = 0;
    for (; informed < nodes && calls * crossing <= steps_for_last(); ++calls)
      informed += choices((steps_for_last() - calls * crossing) / busy + calls, calls, nodes);
    return informed >= nodes;
  }
  // Ways to choose `of` out of `all`, or any number from `enough` on if there are so many.
  static std::uint64_t choices(std::uint64_t all, std::uint64_t of, std::uint64_t enough) {
    std::uint64_t ways = 1;
    of = std::min(of, all - of);
    for (std::uint64_t i = 1; i <= of && ways < enough; ++i) ways = ways * (all - of + i) / i;
    return ways;
  }

  bool too_slow_in_tree() {
    if (!has_steps_for_last() || !task_.alike) return false;
    std::vector<std::set<NodeId>> beside(task_.nodes);
    std::uint64_t pairs = 0;
    for (const DirectedLink& link : task_.links) {
      pairs += beside[link.from].insert(link.to).second ? 1 : 0;
      pairs += beside[link.to].insert(link.from).second ? 1 : 0;
    }
    if (pairs != 2 * (std::uint64_t{task_.nodes} - 1)) return false;
    std::vector<NodeId> order;
    std::vector<std::uint32_t> distance;
    wiring_.search(task_.origins[0], order, distance);
    std::vector<std::vector<std::uint64_t>> below(task_.nodes);
    std::uint64_t takes = 0;
    for (std::size_t i = order.size(); i-- > 0;) {
      const NodeId v = order[i];
      takes = steps_one_by_one(below[v]);
      if (below[v].empty() && v >= task_.processors) continue;
      for (const NodeId u : beside[v]) {
        if (distance[u] < distance[v]) below[u].push_back(takes);
      }
    }
    if (takes <= steps_for_last()) return false;
    keep(ProofKind::kTree);
    return true;
  }

  // Routers only pass on: all of the network, and the parts that a router keeps from the origin.
  bool too_few_carried() {
    if (!task_.combined || !task_.alike || task_.steps > kMostCountedSteps) return false;
    std::vector<NodeId> all(task_.nodes);
    std::iota(all.begin(), all.end(), NodeId{0});
    if (too_few_carried_in(all)) return true;
    const Wiring both_ways = wiring_.both_ways();
    const NodeId end = std::min(task_.nodes, task_.processors + kMostRoutersTried);
    for (NodeId router = task_.processors; router < end; ++router) {
      const auto [parts, part] = both_ways.parts_without(router);
      for (NodeId p = 0; p < parts && parts > 1; ++p) {
        if (p == part[task_.origins[0]]) continue;
        std::vector<NodeId> nodes;
        for (NodeId v = 0; v < task_.nodes; ++v) {
          if (part[v] == p) nodes.push_back(v);
        }
        if (too_few_carried_in(nodes)) return true;
      }
    }
    return false;
  }

  // Steps that are left for the last message that leaves the origin.
  std::uint64_t steps_to_carry_last() const {
    const std::uint64_t at_once = task_.sends_one ? 1 : wiring_.degree(task_.origins[0]);
    const std::uint64_t before = divide_up(task_.messages, at_once) - 1;
    return task_.steps - std::min(task_.steps, before);
  }

  // A packet can arrive over a link into the set once more than `late` steps have passed.
  struct Entrance {
    std::uint32_t from, to, link;
    std::uint64_t late;
  };

  bool too_few_carried_in(const std::vector<NodeId>& nodes) {
    std::vector<std::uint8_t> inside(task_.nodes, 0), wanted(task_.nodes, 0);
    std::uint64_t processors = 0, rate = 1, apart = kUnreachable;
    for (const NodeId v : nodes) inside[v] = 1;
    for (const NodeId v : nodes) {
      if (v >= task_.processors) continue;
      wanted[v] = 1;
      ++processors;
      if (!task_.sends_one) rate = std::max<std::uint64_t>(rate, wiring_.degree(v));
    }
    if (processors == 0) return false;
    for (const NodeId v : nodes) {
      if (wanted[v] == 0) continue;
      const std::vector<std::uint32_t> hops = wiring_.distances_from(v);
      for (NodeId u = 0; u < task_.processors; ++u) {
        if (u != v && wanted[u] != 0) apart = std::min<std::uint64_t>(apart, hops[u]);
      }
    }
    const std::vector<std::uint32_t> to_go = wiring_.reversed().distance_from_nearest(wanted);
    std::vector<Entrance> entrances;
    for (std::uint32_t l = 0; l < task_.links.size(); ++l) {
      const auto [from, to] = task_.links[l];
      if (inside[from] == 0 && inside[to] != 0)
        entrances.push_back({from, to, l, std::uint64_t{hops_[from]} + to_go[to]});
    }
    const bool from_start = inside[task_.origins[0]] != 0;
    const auto too_few = [&](std::uint32_t Entrance::*limit) {
      return taking_part(entrances, limit, from_start, rate, apart) < processors;
    };
    if (!too_few(&Entrance::link) && !(task_.sends_one && too_few(&Entrance::from)) &&
        !(task_.receives_one && too_few(&Entrance::to)))
      return false;
    keep(ProofKind::kCarried);
    proof_->sets = {nodes};
    return true;
  }

  // Processors of a set that can take part: each that does sends `rate` packets per step, which arrive
  // `apart` hops away, and one packet per step comes in for each link, or end of links, that `limit` names.
  std::uint64_t taking_part(const std::vector<Entrance>& entrances, std::uint32_t Entrance::*limit,
                            bool from_start, std::uint64_t rate, std::uint64_t apart) const {
    std::vector<std::uint64_t> known{from_start ? std::uint64_t{1} : 0};
    for (std::uint64_t step = 1; step <= steps_to_carry_last(); ++step) {
      std::set<std::uint32_t> used;
      for (const Entrance& entrance : entrances) {
        if (entrance.late < step) used.insert(entrance.*limit);
      }
      const std::uint64_t inner = apart <= step ? rate * known[step - apart] : 0;
      known.push_back(std::min<std::uint64_t>(known.back() + used.size() + inner, kMaxNodes));
    }
    return known.back();
  }

  const Task& task_;
  Wiring wiring_;
  std::vector<std::uint32_t> hops_;
  std::optional<Proof> proof_;
};

}  // namespace

std::optional<Proof> prove_by_informing(const Task& task) { return InformingArgument(task).find(); }

}  // namespace safnet
