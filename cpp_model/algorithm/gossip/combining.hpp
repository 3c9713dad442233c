// combining - reductions, multinode accumulations and allreduces out of multicasts backwards.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cpp_model/schedule/problem.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// Is it a reduction or multinode accumulation, which are planned backwards?
bool combines(CollectiveKind kind);

/// The node that each packet of a broadcast or multinode broadcast comes from or, of a reduction or
/// accumulation, at which each result is combined.
std::vector<NodeId> roots_of(const Problem& problem);

/// What the nodes hold of one result after the other, while it is combined on its way to its root.
class HeldParts {
 public:
  HeldParts(PacketList& packets, NodeId nodes) : packets_(packets), held_(nodes) {}
  /// Result r begins: node v holds packet r*n + v, of n nodes. What is combined gets the tag.
  void begin(std::uint32_t r, NodeId root, std::uint32_t tag);
  /// `from` sends `to` what it holds, combined. Returns the packet. Throws std::logic_error if one of the two
  /// has sent already, or the root sends.
  PacketIndex pass(NodeId from, NodeId to);
  /// What the root has in the end.
  PacketIndex finish(std::span<const NodeId> destinations);

 private:
  PacketList& packets_;
  std::vector<std::vector<PacketIndex>> held_;
  NodeId root_ = 0;
  std::uint32_t tag_ = 0;
};

/// Adds results to a schedule that has the contributions: packet r*n + v is what node v contributes to result
/// r, of n nodes.
///
/// `multicasts`: over the links turned round, packet r goes from `roots[r]` to all other nodes; starts from
/// 1. Backwards, the last first, every node waits for those that it would have sent to, combines what they
/// send with its own, and sends that where it would have had the packet from. Combined packets of result r
/// get the tag results + r; the last one, at the root, has the root as its destination, or `for_all` nodes.
/// Returns the results' packets. The sends are appended, not sorted. Throws std::logic_error if the
/// multicasts do not reach every node once.
std::vector<PacketIndex> add_reductions(Schedule& schedule, std::span<const NodeId> roots,
                                        std::span<const Send> multicasts, bool for_all);

/// The schedule of multicasts, of packet p from roots_of(problem)[p]. For reductions and accumulations the
/// multicasts were planned on the links turned round and are run backwards.
Schedule schedule_of_multicasts(const Problem& problem, const std::string& algorithm,
                                std::vector<Send> multicasts);

}  // namespace safnet
