#include "cpp_model/algorithm/unequal/timed_routers.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "cpp_model/algorithm/routed/processor_trees.hpp"
#include "cpp_model/algorithm/unequal/timed_gossip.hpp"
#include "cpp_model/algorithm/unequal/timed_hops.hpp"

namespace safnet {
namespace {

constexpr std::uint64_t kSeedsOfHops = 4;
// Trees are grown for one root and so many processors, or for each of so many roots.
constexpr NodeId kMostGrownProcessors = 256, kMostGrownRoots = 32;

// When the hops begin: the best of several seeds.
std::vector<std::uint32_t> quickest_starts(const Graph& graph, const LinkTimes& times, PortModel ports,
                                           const Hops& hops, std::uint64_t goal) {
  std::vector<std::uint32_t> best;
  for (std::uint64_t seed = 1; seed <= kSeedsOfHops; ++seed) {
    std::vector<std::uint32_t> starts = timed_list_schedule(graph, times, ports, hops, seed);
    if (best.empty() || last_arrival(times, hops, starts) < last_arrival(times, hops, best))
      best = std::move(starts);
    if (last_arrival(times, hops, best) <= goal) break;
  }
  return best;
}

// Backwards in time: each informed processor informs the one that can be informed first of all that are left,
// and then is busy until its quickest link has brought a packet.
CombiningTree grown_in_time(const Graph& graph, const LinkTimes& times, NodeId root) {
  const NodeId n = graph.processor_count();
  std::vector<std::vector<std::uint64_t>> away(n);  // by informer: cycles to it from every node
  std::vector<std::uint64_t> busy(n, kNoWay), ready(n, kNoWay);
  for (NodeId v = 0; v < n; ++v) away[v] = times_from(graph, times, v, true);
  for (LinkId link = 0; link < graph.link_count(); ++link) {
    const NodeId to = graph.link_target(link);
    if (to < n) busy[to] = std::min<std::uint64_t>(busy[to], times.busy[link]);
  }
  ready[root] = 0;
  CombiningTree tree;
  while (tree.size() + 1 < n) {
    std::uint64_t soonest = kNoWay;
    ProcessorInforming next{root, root};
    for (NodeId u = 0; u < n; ++u) {
      for (NodeId v = 0; v < n && ready[u] != kNoWay; ++v) {
        if (ready[v] != kNoWay || away[u][v] == kNoWay || ready[u] + away[u][v] >= soonest) continue;
        soonest = ready[u] + away[u][v];
        next = {u, v};
      }
    }
    ready[next.from] += busy[next.from];
    ready[next.to] = soonest;
    tree.push_back(next);
  }
  return tree;
}

class TimedTrees {
 public:
  TimedTrees(const Problem& problem, const LinkTimes& times, PortModel ports)
      : problem_(problem),
        times_(times),
        ports_(ports),
        back_(problem.graph.transposed()),
        times_back_(back_) {}

  CombiningPlan plan(std::vector<CombiningTree> trees, std::uint64_t goal) const {
    CombiningPlan plan;
    plan.trees = std::move(trees);
    const std::vector<std::vector<LinkId>> ways = ways_of(plan.trees);
    plan.hops = hops_of_trees(problem_.graph.processor_count(), plan.trees,
                              [&](const ProcessorInforming&, PacketIndex number) { return ways[number]; });
    Hops backwards = plan.hops;
    for (LinkId& link : backwards.link) link = turned_round(link);
    plan.steps = quickest_starts(back_, times_back_, ports_, backwards, goal);
    for (HopIndex h = 0; h < backwards.size(); ++h)
      plan.steps[h] += times_back_.crossing[backwards.link[h]] - 1;
    plan.last = last_of(plan.steps);
    return plan;
  }

 private:
  // Of every edge of the trees: links from the processor that sends to the one that combines.
  std::vector<std::vector<LinkId>> ways_of(const std::vector<CombiningTree>& trees) const {
    std::vector<Trip> trips;
    for (const CombiningTree& tree : trees) {
      for (const ProcessorInforming& informing : tree)
        trips.push_back({informing.to, informing.from, static_cast<PacketIndex>(trips.size())});
    }
    const Hops hops = timed_paths(problem_.graph, times_, problem_.ports, trips);
    std::vector<std::vector<LinkId>> ways(trips.size());
    for (HopIndex h = 0; h < hops.size(); ++h) ways[hops.packet[h]].push_back(hops.link[h]);
    return ways;
  }
  LinkId turned_round(LinkId link) const {
    return back_.link(problem_.graph.link_target(link), problem_.graph.link_target_port(link));
  }

  const Problem& problem_;
  const LinkTimes& times_;
  PortModel ports_;
  Graph back_;
  LinkTimes times_back_;
};

}  // namespace

std::vector<Send> without_idle_routers(const Graph& graph, const LinkTimes& times, PortModel ports,
                                       std::span<const Send> sends, std::size_t packets) {
  const NodeId n = graph.node_count();
  std::vector<std::uint8_t> wanted(packets * n, 0), kept(sends.size(), 0);  // by packet and node; by send
  for (std::size_t k = sends.size(); k-- > 0;) {
    const std::size_t row = std::size_t{sends[k].packet} * n;
    const NodeId to = graph.link_target(sends[k].link);
    if (to >= graph.processor_count() && wanted[row + to] == 0) continue;
    wanted[row + graph.link_source(sends[k].link)] = kept[k] = 1;
  }
  Hops hops;
  std::vector<Send> fewer;
  std::vector<HopIndex> brought_by(packets * n, kNoHop);
  for (std::size_t k = 0; k < sends.size(); ++k) {
    if (kept[k] == 0) continue;
    const auto [start, link, packet] = sends[k];
    const std::size_t row = std::size_t{packet} * n;
    brought_by[row + graph.link_target(link)] =
        hops.add(link, brought_by[row + graph.link_source(link)], packet);
    fewer.push_back(sends[k]);
  }
  const std::vector<std::uint32_t> starts = quickest_starts(graph, times, ports, hops, 0);
  if (last_arrival(times, hops, starts) >= last_arrival(times, fewer)) return fewer;
  for (HopIndex h = 0; h < hops.size(); ++h) fewer[h].start = starts[h];
  std::ranges::sort(fewer);
  return fewer;
}

CombiningPlan timed_combining_plan(const Problem& problem, const LinkTimes& times, PortModel ports,
                                   std::span<const NodeId> roots, std::uint64_t goal) {
  const NodeId n = problem.graph.processor_count();
  const TimedTrees timed(problem, times, ports);
  CombiningPlan best;
  const auto consider = [&](const std::function<CombiningTree(NodeId)>& tree_for) {
    if (!best.trees.empty() && best.last <= goal) return;
    std::vector<CombiningTree> trees;
    for (const NodeId root : roots) trees.push_back(tree_for(root));
    if (combine_too_many(n, trees)) return;
    CombiningPlan plan = timed.plan(std::move(trees), goal);
    if (best.trees.empty() || plan.last < best.last) best = std::move(plan);
  };
  consider([&](NodeId root) { return halved_processors(n, root); });  // never too many
  consider([&](NodeId root) { return star_of_processors(n, root); });
  const bool one_root = std::ranges::adjacent_find(roots, std::not_equal_to<>()) == roots.end();
  if (!one_root) consider([&](NodeId root) { return chain_of_processors(n, root); });
  if (n <= (one_root ? kMostGrownProcessors : kMostGrownRoots))
    consider([&](NodeId root) { return grown_in_time(problem.graph, times, root); });
  return best;
}

}  // namespace safnet
