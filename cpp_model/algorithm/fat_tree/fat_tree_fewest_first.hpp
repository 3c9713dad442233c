// fat_tree_fewest_first - multinode broadcast on fat trees by routers with a few packet registers per
// incoming link, in which the packet with the fewest copies left to make leaves first. Beyond thesis 6.3.2.2.
#pragma once

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/graph/family/fat_tree.hpp"

namespace safnet {

enum class Credit : std::uint8_t {
  kSameStep,  ///< a register may be filled in the step in which its packet leaves
  kNextStep,  ///< only in the step after
};

struct RegisterRule {
  std::uint32_t registers = 1;  ///< per incoming link of a router, at least 1
  Credit credit = Credit::kSameStep;
  bool in_order = false;  ///< of a link's registers only the packet that came first is looked at
};

/// Every outgoing link serves, of the packets stored that still want it, the one with the fewest copies left
/// (at equal number the one that came first, then children's before the parent's), if the router there has a
/// register free. In a step links to children are served first, routers from level 1 up and children from 0
/// on, then links to parents, from level h - 1 down, then those of the leaves; copies served count as made.
/// Links of a branch are served one after the other, as are their registers. Throws std::invalid_argument for
/// more than kMaxPlannedSends.
Schedule fat_tree_fewest_first(const Problem& problem, const RegisterRule& rule,
                               const std::string& algorithm);

/// "fewest-first" and, by name only, variants with other registers and credits.
std::vector<Algorithm> fat_tree_fewest_first_algorithms();

}  // namespace safnet
