// partial_broadcast_checks - statements on partial multinode broadcasts, checked by computation on the
// model's plans and on formulas. Claims combine these checks with runs on the hardware.
//
// In brackets the claim that each belongs to. Unless `full`, only a few networks, sets of active nodes and
// packet lengths are checked. Where a statement does not hold as printed, the checks say what is printed.
#pragma once

#include <string>
#include <vector>

#include "cpp_model/algorithm/partial/partial_broadcast_plan.hpp"
#include "cpp_model/bound/partial_broadcast_time.hpp"
#include "cpp_model/claim/chapter.hpp"
#include "cpp_model/claim/mesh/stated_intervals.hpp"

namespace safnet {

/// Phase 1 (mesh.A11): 2 d (p - 1) steps give ranks and M, (2 d - 1)(p - 1) the ranks alone.
std::vector<ClaimCheck> prefix_checks(bool full);
/// Theorem 5 (mesh.A13): what nodes hold after each subphase.
std::vector<ClaimCheck> subphase_checks(bool full);
/// Lemma 1 (mesh.A14): the broadcast phase by its formula, for all M; it also holds with M - 1 for M.
std::vector<ClaimCheck> broadcast_phase_checks(bool full);
/// Lemma 2 (mesh.A15 arrays, mesh.A16 tori).
std::vector<ClaimCheck> single_class_checks(bool torus, bool full);
/// Theorem 6, footnote 2 (mesh.A17): d classes at once, shifted to the right; to the left, packets meet.
std::vector<ClaimCheck> class_order_checks(bool full);
/// (8), (6a) on arrays (mesh.A18); (7), (5a) on tori (mesh.A19).
std::vector<ClaimCheck> split_checks(bool torus, bool full);
/// (7) for tori of two nodes a side (mesh.A20), as hypercubes with gamma = 2.
std::vector<ClaimCheck> two_node_torus_checks(bool full);
/// Section 3.2, text: without splitting, on arrays (mesh.A21) and tori (mesh.A22).
std::vector<ClaimCheck> whole_checks(bool torus, bool full);
/// Section 3.2 (mesh.A24): multinode broadcast.
std::vector<ClaimCheck> known_ranks_checks(bool full);
/// Beyond the paper (mesh.A25): tori whose batches take turns at the long way round.
std::vector<ClaimCheck> taking_turns_checks(bool full);
/// (3), (4) (mesh.A26), and (2) of folded cubes (folded.B6): no node gets its packets in less time than its
/// links take to carry them, nor than they take to reach it.
std::vector<ClaimCheck> capacity_checks(bool folded, bool full);
/// Folded cubes (3) (folded.B7), by execution and by the formula for all M.
std::vector<ClaimCheck> cube_single_class_checks(bool full);
/// Folded cubes 3, text (folded.B8).
std::vector<ClaimCheck> folded_main_part_checks(bool full);
/// Folded cubes (4) (folded.B9), by execution and by the formula for all M.
std::vector<ClaimCheck> folded_whole_checks(bool full);
/// Beyond the paper (folded.B10): folded cubes with splitting.
std::vector<ClaimCheck> folded_split_checks(bool full);
/// Folded cubes 1 (folded.B14): accumulations are the dual; operators must commute.
std::vector<ClaimCheck> accumulation_checks(bool full);

// ---- Used by the files of claims.

/// 0 ... nodes - 1.
std::vector<NodeId> all_nodes(std::size_t nodes);
/// All sets of active nodes for up to 9 nodes; for more nodes the empty set, single nodes at both ends, all
/// nodes and random sets. Deterministic.
std::vector<std::vector<NodeId>> sets_of_active_nodes(NodeId nodes, bool full);
/// Names a check over all these sets: "torus:3x3: 512 sets of active nodes", and `more` if there is more to
/// say.
std::function<std::string(const std::string& topology)> sets_of(bool full, const std::string& more = {});
/// Arrays and tori of 2 to `most_side` nodes a side and 1 to 3 digits.
std::vector<DigitShape> arrays_and_tori(std::uint32_t most_side);
/// "split" or "whole packets".
const char* parts_in_words(bool split);

/// A network and the settings of the partial broadcasts that are planned on it.
struct BroadcastSetting {
  DigitNetwork network;
  PartialBroadcastSettings settings;
  /// With so many flits per packet that all parts are equal.
  explicit BroadcastSetting(const std::string& topology, bool split = false, bool single_class = false);
  BroadcastSetting(const std::string& topology, const PartialBroadcastSettings& settings);
  const DigitShape& shape() const { return network.shape(); }
  std::vector<NodeId> nodes() const { return all_nodes(network.graph().node_count()); }
  PartialPlan plan(const std::vector<NodeId>& active) const;
  Schedule schedule(const PartialPlan& plan) const;
  StatedInterval stated(std::uint64_t active) const { return stated_interval(shape(), settings, active); }
  /// Empty, or what is wrong with the plan as a schedule.
  std::string fault_of(const PartialPlan& plan) const;
};
/// Checks for every set of active nodes that the plan of a broadcast or an accumulation is a valid schedule
/// and ends no later than its timetable.
std::string check_plans(const BroadcastSetting& on, bool full, bool accumulation = false);

}  // namespace safnet
