// proof - why a collective cannot be done in fewer steps, as data. README.md says why each kind of argument
// holds.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/proof/refutation.hpp"
#include "cpp_model/proof/slot_prices.hpp"

namespace safnet {

enum class ProofKind : std::uint8_t {
  kWays,        ///< the cheapest ways of all packets cost more than the steps have room for
  kEntries,     ///< the same of copied packets, which enter sets of nodes
  kInformed,    ///< one-port broadcast: nodes far from the origin, and ways of so many calls
  kTree,        ///< one-port broadcast in a tree: each node informs its subtrees one by one
  kCarried,     ///< results that only processors combine, while other nodes route: how many can take part
  kRefutation,  ///< a SAT solver's proof
};
const char* to_string(ProofKind kind);  ///< "ways", "entries", ...

struct Proof {
  ProofKind kind = ProofKind::kWays;
  std::uint64_t steps = 0;  ///< that are needed at least; cycles where links differ
  /// Where links differ: 0, or the argument is about steps of so many cycles, in which a packet crosses one
  /// link, whichever it is.
  std::uint64_t cycles_per_step = 0;
  /// Of an allreduce: seen as the broadcast of what `root` contributes, as the reduction of its result, or as
  /// what all contribute, of which a link carries any number at once.
  CollectiveKind as = CollectiveKind::kBroadcast;
  NodeId root = 0;
  bool backwards = false;  ///< kWays: packets go from destinations to origins, over links turned round
  NodeId destination = 0;  ///< kWays of packets that are copied: only the copies for this node are looked at
  std::uint32_t hops = 0;  ///< kInformed
  std::vector<std::vector<NodeId>> sets = {};  ///< kEntries; kCarried: one
  SlotPrices prices = {};
  Refutation refutation = {};
};

}  // namespace safnet
