// tree_plans - timetables of the collectives with one root: from who informs whom, or from the packets' hops,
// to schedules; and those of the algorithms over spanning trees.
//
// Planners think of broadcast and scatter. Reduction and gather are these backwards: every send goes the
// other way over its edge, the last comes first (thesis, introduction and chapter 3).
#pragma once

#include <string>
#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/algorithm/tree/spanning_tree.hpp"

namespace safnet {

/// A node informs another: one send of a broadcast.
struct Informing {
  std::uint32_t step = 0;  ///< from 1
  NodeId from = 0;
  PortId port = 0;
};

/// The problem that a gather or reduction is backwards: its network with all links turned round.
Problem turned_round(const Problem& problem);

/// Runs a schedule backwards: every send over its link turned round, those of step 1 in step `last`.
void turn_round(Schedule& schedule, std::uint32_t last);

/// A broadcast or reduction, as the problem says, that informs every node but the root once; in any order.
/// Backwards every node waits for those that it informs, combines what they send with its own, and sends the
/// result where it was informed from; the schedule's network is then the transpose of the problem's (see
/// turned_round()). Throws std::logic_error if the informings are no tree from the root.
Schedule informing_schedule(const Problem& problem, const std::string& algorithm,
                            const std::vector<Informing>& informings);

/// The packet for, or of, a node crosses a link, as in a scatter.
struct PersonalHop {
  std::uint32_t step = 0;  ///< from 1
  LinkId link = 0;         ///< in the direction away from the root
  NodeId destination = 0;
  std::uint32_t message = 0;
};

/// A scatter or gather, as the problem says; a gather's network is the transpose of the problem's.
Schedule personal_schedule(const Problem& problem, const std::string& algorithm,
                           const std::vector<PersonalHop>& hops);

/// Every multinode broadcast holds a gather: the way of each packet to the root. The gather, or backwards in
/// as many steps the scatter, that `problem` says, from a valid schedule of steps for the multinode broadcast
/// of as many messages on the same network (Varvarigos, folded cubes, section 3).
Schedule personal_from_broadcasts(const Problem& problem, const std::string& algorithm,
                                  const Schedule& broadcasts);

/// Broadcast over a tree in as few steps as it can: all-port its height (thesis 3.1), otherwise (6.1).
std::vector<Informing> inform_over_tree(const Graph& graph, SpanningTree tree, PortModel ports);

/// Scatter furthest-first over a tree: one-port n - 1 steps (thesis 3.3, Theorem 3.6), all-port as many as
/// the root's largest subtree has nodes (3.4, Theorem 3.7).
std::vector<PersonalHop> scatter_over_tree(const Graph& graph, const SpanningTree& tree, PortModel ports);

}  // namespace safnet
