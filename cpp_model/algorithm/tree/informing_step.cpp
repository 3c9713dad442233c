#include "cpp_model/algorithm/tree/informing_step.hpp"

namespace safnet {

std::vector<NodeSet> informers_of(const Graph& graph) {
  std::vector<NodeSet> informers(graph.node_count(), 0);
  for (LinkId link = 0; link < graph.link_count(); ++link) {
    if (graph.link_target(link) != kNoNode)
      informers[graph.link_target(link)] |= only(graph.link_source(link));
  }
  return informers;
}

std::vector<NodeId> InformingStep::informers(NodeSet targets) const {
  Pairs pairs(informers_.size());
  for (NodeSet rest = targets; rest != 0; rest &= rest - 1) add(pairs, lowest(rest));
  return pairs.informer;
}

bool InformingStep::augment(Pairs& pairs, NodeId target, NodeSet& tried) const {
  for (NodeSet rest = informers_[target] & informed_; rest != 0; rest &= rest - 1) {
    const NodeId u = lowest(rest);
    if ((tried & only(u)) != 0) continue;
    tried |= only(u);
    if (pairs.informs[u] == kNoNode || augment(pairs, pairs.informs[u], tried)) {
      pairs.informs[u] = target;
      pairs.informer[target] = u;
      return true;
    }
  }
  return false;
}

}  // namespace safnet
