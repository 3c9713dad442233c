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
  Partners informs(informers_.size(), kNoNode);
  for (NodeSet rest = targets; rest != 0; rest &= rest - 1) add(informs, lowest(rest));
  std::vector<NodeId> informer(informers_.size(), kNoNode);
  for (NodeId u = 0; u < informs.size(); ++u) {
    if (informs[u] != kNoNode) informer[informs[u]] = u;
  }
  return informer;
}

bool InformingStep::augment(Partners& informs, NodeId target, NodeSet& tried) const {
  for (NodeSet rest = informers_[target] & informed_; rest != 0; rest &= rest - 1) {
    const NodeId u = lowest(rest);
    if ((tried & only(u)) != 0) continue;
    tried |= only(u);
    if (informs[u] == kNoNode || augment(informs, informs[u], tried)) {
      informs[u] = target;
      return true;
    }
  }
  return false;
}

}  // namespace safnet
