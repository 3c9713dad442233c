// relative_sends - what the packets of node 0 do on a torus or cube where all nodes do the same, moved to
// where they are (tools/translated_sends.hpp), in the labels of TR 94-363; and checks of that alone, for what
// is too large to be written down for all nodes.
//
// What node 0's packets do is enough to say; those of node s do it translated by s. No two of them meet if in
// every step no two sends of node 0's packets go through ports of the same number, and only then (Fragopoulou
// and Akl, TR 94-363, Lemma 5: if; the converse holds as well).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/algorithm/torus/torus_necklaces.hpp"
#include "cpp_model/schedule/problem.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// MT_{n,k} as a graph, or the n-cube, which has one edge where MT_{n,2} has two.
struct TorusNetwork {
  MultidimensionalTorus torus;
  bool has_single_links = false;  ///< the n-cube: labels l and n + l are one link

  static std::optional<TorusNetwork> of(const Graph& graph);
  PortId port(std::uint32_t label) const;
  /// Links that leave a node: 2n, or n.
  std::uint32_t port_count() const;
};

/// A packet of node 0 crosses a link.
struct RelativeSend {
  std::uint32_t step = 0;   ///< from 1
  NodeId at = 0;            ///< where the link starts
  std::uint32_t label = 0;  ///< see DimensionedLink
  std::uint32_t message = 0;
  NodeId destination = 0;  ///< of a total exchange; for a multinode broadcast 0
};

/// The first step in which two sends leave through one port: then, and only then, do packets of different
/// nodes meet on a link. Nothing if there is none.
std::optional<std::uint32_t> first_shared_port(const TorusNetwork& network,
                                               std::span<const RelativeSend> sends);
/// The last step; 0 if there are no sends.
std::uint32_t last_step(std::span<const RelativeSend> sends);

/// What is wrong with a multinode broadcast; all are 0 if it is right.
struct RelativeDeliveries {
  std::uint64_t again = 0;      ///< arrivals of messages that the node has, or gets over another link too
  std::uint64_t missing = 0;    ///< pairs of a message and a node that it does not reach
  std::uint64_t not_there = 0;  ///< sends of what the sender does not have at the time
};
/// Checks a multinode broadcast of `messages` messages per node, counting for the messages of node 0.
RelativeDeliveries relative_deliveries(const TorusNetwork& network, std::span<const RelativeSend> sends,
                                       std::uint32_t messages);
/// Empty, or what is wrong with a total exchange of `messages` messages per pair: every packet must go from
/// node 0 to its destination, step after step, and every destination must get all of its own.
std::string fault_of_exchange(const TorusNetwork& network, std::span<const RelativeSend> sends,
                              std::uint32_t messages);

/// Empty, or why no planner of this kind solves the problem: ports, tree, network (if `takes` refuses it,
/// with `needs` as the reason; by default cubes with single links), or more than kMaxPlannedSends sends.
std::string why_not_relative(
    const Problem& problem,
    const std::function<bool(const TorusNetwork&)>& takes =
        [](const TorusNetwork& network) { return !network.has_single_links; },
    const std::string& needs = "needs a torus of equal sides, 3 or more, or a doubled cube");

/// Multinode broadcast or total exchange, as the problem says, of problem.messages messages. Throws
/// std::logic_error if the network is neither a torus of equal sides nor a cube.
Schedule relative_schedule(const Problem& problem, const std::string& algorithm,
                           std::span<const RelativeSend> sends);

/// A planner of such sends, with the steps that it promises.
Algorithm relative_algorithm(
    const std::string& name, CollectiveKind collective, std::string description,
    std::function<std::optional<std::uint64_t>(const TorusNetwork&, std::uint32_t messages)> steps,
    std::function<std::vector<RelativeSend>(const TorusNetwork&, std::uint32_t messages)> sends);

}  // namespace safnet
