#include "cpp_model/algorithm/tree/fewest_steps_tree.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

using NodeSet = std::uint32_t;
static_assert(kMaxSearchedForBroadcast <= 32);

bool contains(NodeSet set, NodeId v) { return ((set >> v) & 1) != 0; }

// One step of a broadcast: which informed nodes inform which others. A step that informs more is never worse,
// so only the largest ones are looked at: the bases of a transversal matroid.
class Step {
 public:
  Step(const std::vector<NodeSet>& neighbours, NodeSet informed)
      : neighbours_(neighbours), informed_(informed), informer_(neighbours.size(), kNoNode) {}

  /// Calls visit(newly informed set) for every largest set that one step can inform.
  template <class Visit>
  void each_largest(Visit visit) {
    std::vector<NodeId> reachable;
    for (NodeId v = 0; v < neighbours_.size(); ++v) {
      if (!contains(informed_, v) && (neighbours_[v] & informed_) != 0) reachable.push_back(v);
    }
    std::size_t size = 0;
    for (const NodeId v : reachable) size += add(v) ? 1 : 0;
    informer_.assign(neighbours_.size(), kNoNode);
    choose(reachable, 0, size, 0, visit);
  }
  /// Informers of one such set: [node] is who informs it, kNoNode if it is not in the set.
  std::vector<NodeId> informers(NodeSet targets) {
    informer_.assign(neighbours_.size(), kNoNode);
    for (NodeId v = 0; v < neighbours_.size(); ++v) {
      if (contains(targets, v)) add(v);
    }
    return informer_;
  }

 private:
  // Finds an informer for `target`, moving others if need be.
  bool add(NodeId target) {
    NodeSet tried = 0;
    return augment(target, tried);
  }
  bool augment(NodeId target, NodeSet& tried) {
    for (NodeId u = 0; u < neighbours_.size(); ++u) {
      if (!contains(neighbours_[target] & informed_, u) || contains(tried, u)) continue;
      tried |= NodeSet{1} << u;
      NodeId taken = 0;
      while (taken < informer_.size() && informer_[taken] != u) ++taken;
      if (taken == informer_.size() || augment(taken, tried)) {
        informer_[target] = u;
        return true;
      }
    }
    return false;
  }
  template <class Visit>
  void choose(const std::vector<NodeId>& reachable, std::size_t at, std::size_t missing, NodeSet chosen,
              Visit& visit) {
    if (missing == 0) {
      visit(chosen);
      return;
    }
    if (reachable.size() - at < missing) return;
    const std::vector<NodeId> before = informer_;
    if (add(reachable[at]))
      choose(reachable, at + 1, missing - 1, chosen | (NodeSet{1} << reachable[at]), visit);
    informer_ = before;
    choose(reachable, at + 1, missing, chosen, visit);
  }

  const std::vector<NodeSet>& neighbours_;
  NodeSet informed_;
  std::vector<NodeId> informer_;
};

}  // namespace

SpanningTree fewest_steps_tree(const Graph& graph, NodeId root) {
  const NodeId n = graph.node_count();
  if (n > kMaxSearchedForBroadcast) {
    throw std::invalid_argument(fmt::format("tree fewest-steps: {} has {} nodes; expected at most {}",
                                            one_line(graph.spelling()), n, kMaxSearchedForBroadcast));
  }
  std::vector<NodeSet> neighbours(n, 0);  // that can inform a node
  for (NodeId v = 0; v < n; ++v) {
    for (PortId p = 0; p < graph.degree(v); ++p) neighbours[graph.peer(v, p).node] |= NodeSet{1} << v;
  }
  const NodeSet all = (NodeSet{1} << n) - 1, start = NodeSet{1} << root;
  std::unordered_map<NodeSet, NodeSet> before{{start, 0}};  // set of informed nodes -> the one a step earlier
  std::vector<NodeSet> layer{start};
  while (before.count(all) == 0) {
    std::vector<NodeSet> next;
    for (const NodeSet informed : layer) {
      Step(neighbours, informed).each_largest([&](NodeSet targets) {
        if (before.try_emplace(informed | targets, informed).second) next.push_back(informed | targets);
      });
    }
    layer = std::move(next);
  }
  std::vector<NodeId> parent(n, kNoNode);
  std::vector<PortId> port(n, 0);
  for (NodeSet now = all; now != start; now = before[now]) {
    const NodeSet earlier = before[now];
    const std::vector<NodeId> informer = Step(neighbours, earlier).informers(now & ~earlier);
    for (NodeId v = 0; v < n; ++v) {
      if (informer[v] == kNoNode) continue;
      parent[v] = informer[v];
      port[v] = graph.port_to(informer[v], v).value();
    }
  }
  return finish_tree(graph, root, std::move(parent), std::move(port));
}

}  // namespace safnet
