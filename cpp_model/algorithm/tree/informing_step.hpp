// informing_step - what one step of a one-port broadcast can do on a network of up to 64 nodes: sets of nodes
// that it can inform.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "cpp_model/graph/graph.hpp"

namespace safnet {

using NodeSet = std::uint64_t;

constexpr NodeSet only(NodeId v) { return NodeSet{1} << v; }
inline NodeId lowest(NodeSet set) { return static_cast<NodeId>(std::countr_zero(set)); }
inline NodeSet full_set(NodeId count) { return count == 64 ? ~NodeSet{0} : only(count) - 1; }

/// By node: those that can inform it.
std::vector<NodeSet> informers_of(const Graph& graph);

/// One step: which informed nodes inform which others.
class InformingStep {
 public:
  InformingStep(const std::vector<NodeSet>& informers, NodeSet informed)
      : informers_(informers), informed_(informed) {}

  /// Calls visit(newly informed set) for every set of the largest size that one step can inform: the bases of
  /// a transversal matroid. Smaller sets are parts of these, and informing more is never worse. Asks go_on()
  /// at every choice and leaves out the rest when it is false.
  template <class Visit, class GoOn>
  void each_largest(Visit visit, GoOn go_on) const {
    std::vector<NodeId> reachable;
    for (NodeId v = 0; v < informers_.size(); ++v) {
      if ((informed_ & only(v)) == 0 && (informers_[v] & informed_) != 0) reachable.push_back(v);
    }
    const Partners nobody(informers_.size(), kNoNode);
    Partners informs = nobody;
    std::size_t size = 0;
    for (const NodeId v : reachable) size += add(informs, v) ? 1 : 0;
    choose(reachable, 0, size, nobody, 0, visit, go_on);
  }
  /// By node: who informs it if it is in `targets`, a set that each_largest() visits; otherwise kNoNode.
  std::vector<NodeId> informers(NodeSet targets) const;

 private:
  using Partners = std::vector<NodeId>;  // by informed node: whom it informs; kNoNode: nobody

  template <class Visit, class GoOn>
  void choose(const std::vector<NodeId>& reachable, std::size_t at, std::size_t missing,
              const Partners& informs, NodeSet chosen, Visit& visit, GoOn& go_on) const {
    if (missing == 0) {
      visit(chosen);
      return;
    }
    if (reachable.size() - at < missing || !go_on()) return;
    Partners with = informs;
    if (add(with, reachable[at]))
      choose(reachable, at + 1, missing - 1, with, chosen | only(reachable[at]), visit, go_on);
    choose(reachable, at + 1, missing, informs, chosen, visit, go_on);
  }
  // Finds an informer for `target`, moving others if need be.
  bool add(Partners& informs, NodeId target) const {
    NodeSet tried = 0;
    return augment(informs, target, tried);
  }
  bool augment(Partners& informs, NodeId target, NodeSet& tried) const;

  const std::vector<NodeSet>& informers_;
  NodeSet informed_;
};

}  // namespace safnet
