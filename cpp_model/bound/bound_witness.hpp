// bound_witness - where in the network a lower bound binds, for a picture of "why not less".
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cpp_model/graph/graph.hpp"

namespace safnet {

/// What a picture shows of the network to say why a bound holds.
enum class WitnessKind : std::uint8_t {
  kNetwork,    ///< all of it: `nodes` and `links` are empty
  kSending,    ///< packets have to leave `nodes`; `links` are those that lead out of them
  kReceiving,  ///< packets have to get to `nodes`; `links` are those that lead to them
  kCut,        ///< packets have to leave the set `nodes`; `links` are those from the set to the rest
  kPath,       ///< `nodes` and `links` are a shortest path that a packet has to go
  kPrices,     ///< ways of all packets together have to use `nodes`, or `links`, so often (certificate.hpp)
};
/// "network", "sending", ...
const char* to_string(WitnessKind kind);

/// Where a bound binds, and the words beside the picture. Most witnesses say: `packets` packets have to pass
/// here, at most `at_once` per step, none of them in the first `before` and the last `after` steps. Whatever
/// `remark` says besides can only take longer, so steps >= before + ceil(packets / at_once) + after.
///
/// A bound states the kind, the nodes and the numbers; only where links have prices it states links as well.
/// finish_witness() adds the links and the words when the largest bound is known.
struct BoundWitness {
  WitnessKind kind = WitnessKind::kNetwork;
  std::vector<NodeId> nodes = {};  ///< ascending; of a path in the order of the way, both ends included
  std::vector<LinkId> links = {};  ///< ascending; of a path in the order of the way
  std::string count = {};          ///< "64 packets must cross these 8 links"
  /// 0 packets where the bound is no quotient: `count` then has words of its own.
  std::uint64_t packets = 0, at_once = 0, before = 0, after = 0;
  std::string remark = {};  ///< what else counts: the end of `count`
};

/// `packets` must leave node v, or get to it, `at_once` of them in a step.
BoundWitness must_leave(NodeId v, std::uint64_t packets, std::uint64_t at_once, std::uint64_t before = 0,
                        std::uint64_t after = 0);
BoundWitness must_reach(NodeId v, std::uint64_t packets, std::uint64_t at_once, std::uint64_t before = 0,
                        std::uint64_t after = 0);
/// The same of the nodes marked in `from`, all together, and the others: a cut. If one of the two sides is a
/// single node, it is that node which sends or receives.
BoundWitness must_cross(const std::vector<std::uint8_t>& from, std::uint64_t packets, std::uint64_t at_once,
                        std::uint64_t before = 0, std::uint64_t after = 0);
/// A shortest path. kNoNode stands for the processor that is furthest from the other end; twice, for two
/// processors that are furthest apart.
BoundWitness way_between(NodeId from, NodeId to);
/// Nodes, and words of the bound's own. Without words it becomes its reason.
BoundWitness stated_witness(WitnessKind kind, std::vector<NodeId> nodes, std::string count = {});
/// The numbers of the nodes whose mark is not 0, ascending.
std::vector<NodeId> marked_nodes(const std::vector<std::uint8_t>& marks);

/// A bound on a problem backwards in time, over links turned round, holds for the problem itself: who has to
/// send has to receive, and what had to leave a set of the network's `nodes` nodes has to get into it.
BoundWitness turned_round(BoundWitness witness, NodeId nodes);

/// Adds the links, the nodes of a path, and the words, to the witness of a bound on this network. `reason`:
/// the bound's, for witnesses that have no words of their own. Linear in the network's size, but for two
/// processors that are furthest apart, which are searched for only for a while.
void finish_witness(BoundWitness& witness, const Graph& graph, const std::string& reason);

}  // namespace safnet
