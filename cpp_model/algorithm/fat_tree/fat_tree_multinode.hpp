// fat_tree_multinode - timetables of the multinode broadcast on fat trees, all-port, in which routers store
// one packet per incoming link: thesis 6.3.2.2 and what goes beyond it.
//
// Of every branch one link is used. Level-i routers exchange: the packets of their children, one of each, go
// to the other children in k_i - 1 steps (proof of Theorem 6.9): in slot s = 1 ... k_i - 1 packet s goes to
// children 0 ... s - 1 and packet s - 1 to the others, so packet c is needed in slots c and c + 1 alone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/graph/family/fat_tree.hpp"

namespace safnet {

/// Fig. 6.10: a phase per level, from the root's down, in which every leaf sends its message once more, to
/// the leaves that it turns to at that level. Serially n + h^2 - 1 steps (6.3), pipelined n + 2h - 2 for any
/// arities. A message is h packets, one per level i, with tag i - 1.
enum class PhaseOrder : std::uint8_t { kSerial, kPipelined };
Schedule fat_tree_phases(const Problem& problem, PhaseOrder order, const std::string& algorithm);

/// Beyond the text: every message crosses every branch once, in n + delta steps (block_delay()). B_i is one
/// exchange of all level-i routers, then k_i times B_(i+1); position p of B_1 is executed by level i in step
/// p + 2 - i + delta, levels below the one that exchanges copying what comes from above. Batch b of an
/// exchange takes of every child's leaves the one whose digits, read backwards, are b.
Schedule fat_tree_blocks(const Problem& problem, const std::string& algorithm);
/// delta: the largest of 0 and, for every level i, the sum over lower levels j of 3 - k_j.
std::uint32_t block_delay(const FatTree& tree);

/// n + 1 steps on the binary tree of height 3, with one register per link: of one leaf below each level-2
/// router the message is sent twice, for the near half (tag 0) and for the far half of the leaves (tag 1). If
/// no message crosses a link twice n + 2 are needed: with n + 1 steps, leaves get packets in all of steps 4
/// to 9, so those of distance 4 in steps 4 and 5; both level-1 routers' second packets are then at level 2 in
/// step 3, in the place of the first ones, which would both have gone up in step 3 through one link.
Schedule fat_tree_sent_twice(const Problem& problem, const std::string& algorithm);

/// Throws std::invalid_argument if a multinode broadcast over all branches may take more than
/// kMaxPlannedSends.
void check_multinode_sends(const Problem& problem, const std::string& algorithm);

/// "sent-twice", "block-schedule", "pipelined-phases" and "serial-phases".
std::vector<Algorithm> fat_tree_multinode_algorithms();

}  // namespace safnet
