// fat_tree_runs - what the claims on fat trees (thesis chapter 6) share: closed forms, trees to run, and for
// one-port-send nodes (6.2) lower bounds by search and the ends of routers' phases in a trace.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cpp_model/claim/chapter.hpp"
#include "cpp_model/graph/family/fat_tree.hpp"

namespace safnet {

using Arities = std::vector<std::uint32_t>;
inline FatTree tree_of(const Arities& arities) { return {arities, Arities(arities.size(), 1)}; }
FatTree tree_of_word(const std::string& word);  ///< "fat-tree:2,3"
std::vector<FatTree> trees_of_words(const std::vector<std::string>& words);
inline std::uint64_t k_of(const FatTree& tree) { return tree.arity(1); }

/// k_1 + ... + k_level.
std::uint64_t sum_of_arities(const FatTree& tree, std::uint32_t level);
/// Steps of one-port-send collectives (6.2), with arities that may differ. Broadcast: the sum of all arities
/// + h - 1.
std::uint64_t one_port_broadcast_steps(const FatTree& tree);
/// Multinode broadcast: k n + (k + 1)(h - 2) + 1 if arities are equal.
std::uint64_t one_port_multinode_broadcast_steps(const FatTree& tree);
/// Total exchange: n^2 5/8 + 2h - 3 if all arities are 2, n^2 (k - 1)/k + 2h - 1 if all are k >= 3.
std::uint64_t one_port_exchange_steps(const FatTree& tree);
/// A leaf whose link carries one packet a step, all ports or one: n steps; one more if k_1 = 2 and there are
/// leaves besides its sibling, since then in one of the steps nothing can arrive.
std::uint64_t one_packet_per_leaf(const FatTree& tree);

/// All arities of 2 to 5 children on at most 4 levels, up to `most` leaves.
std::vector<Arities> all_arities(std::uint32_t most);

/// Trees of equal arities.
std::vector<FatTree> uniform_trees(bool full, std::uint32_t most_leaves = 128);
/// These, trees of arities that differ or of height 1, and trees with branches of several links.
std::vector<FatTree> all_trees(bool full, std::uint32_t most_leaves = 128);

ClaimCase one_send(const FatTree& tree, CollectiveKind collective, const std::string& algorithm,
                   std::uint64_t steps, NodeId root = 0, Inspection inspect = {});

/// (6.1): steps in which node v, which has the packet, informs all that is not beyond its neighbour `from`.
std::uint64_t steps_to_inform_from(const Graph& graph, NodeId v, NodeId from);
/// Lower bound in steps on multinode broadcast, or total exchange if `personal`: every router sends its
/// packets one per step, from the first step that it can, and the last has still to reach a leaf.
std::uint64_t bound_of_routers(const Graph& graph, bool personal);
/// Empty if the numbers are equal, otherwise both in words.
std::string compare(std::uint64_t found, std::uint64_t expected);

/// The step of the last, or the first, of the transfers that `which` picks; 0 if there is none.
using PickTransfer = std::function<bool(const Transfer&)>;
std::uint64_t last_step(const RunOutcome& outcome, const PickTransfer& which);
std::uint64_t first_step(const RunOutcome& outcome, const PickTransfer& which);
/// The last step in which a router sends to its parent.
std::uint64_t end_of_phase_a(const RunOutcome& outcome, const FatTree& tree, NodeId v);
/// Lemmas 6.4 and 6.7: checks the step in which a router of level i ends phase A (`ends_a(tree, i)`), and the
/// step in which it has sent all packets from below and waits for its parent (`is_empty(tree, i)`).
using StepOfLevel = std::function<std::uint64_t(const FatTree&, std::uint32_t)>;
std::string inspect_phases(const RunOutcome& outcome, const StepOfLevel& ends_a, const StepOfLevel& is_empty);

}  // namespace safnet
