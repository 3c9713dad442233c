#include "cpp_model/bound/lower_bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "cpp_model/bound/broadcast_bound.hpp"
#include "cpp_model/bound/certificate.hpp"
#include "cpp_model/bound/cut_bound.hpp"
#include "cpp_model/bound/demand.hpp"
#include "cpp_model/bound/flow_bound.hpp"
#include "cpp_model/bound/gossip_bound.hpp"
#include "cpp_model/bound/load_bound.hpp"
#include "cpp_model/bound/routed_bound.hpp"
#include "cpp_model/bound/scatter_bound.hpp"
#include "cpp_model/bound/timed_bound.hpp"
#include "cpp_model/graph/recognise/known_network.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/schedule/known_problem.hpp"

namespace safnet {
namespace {

// Networks above this size are not searched for the one-port bound of a cut, nor from every active node.
constexpr NodeId kMaxSearchedNodes = 1024;
constexpr NodeId kMaxRoots = 128;  // of an allreduce, as each of which a broadcast is looked at
constexpr std::uint64_t kMostSearchSteps = std::uint64_t{1} << 24;

Intake intake_of(const Problem& problem) {
  return problem.ports == PortModel::kAllPort ? Intake::kAllPorts : Intake::kOnePort;
}

// A bound found backwards in time.
LowerBound turned_round(LowerBound bound, const Graph& graph) {
  bound.witness = turned_round(std::move(bound.witness), graph.node_count());
  return bound;
}

// One node to all or all to one.
LowerBound rooted(const Problem& problem) {
  const Graph& graph = problem.graph;
  const bool gathers = problem.collective == CollectiveKind::kGather;
  const std::uint64_t packets = (graph.node_count() - std::uint64_t{1}) * problem.messages;
  if (problem.ports == PortModel::kOnePort || (problem.ports == PortModel::kOnePortSend && !gathers)) {
    // Sending the furthest packets first along shortest paths takes no more steps: this is the optimum.
    return {packets,
            gathers ? "packets that the root receives one by one, thesis 3.3"
                    : "packets that leave the root, thesis 3.3",
            "", gathers ? must_reach(problem.root, packets, 1) : must_leave(problem.root, packets, 1)};
  }
  const Wiring wiring(gathers ? graph.transposed() : graph);
  const Intake intake = intake_of(problem);
  LargestBound bound;
  bound.consider(scatter_bound(wiring, problem.root, intake, problem.messages));
  bound.consider(scatter_flow_bound(wiring, problem.root, intake, bound.steps(), problem.messages));
  return gathers ? turned_round(bound.value(), graph) : bound.value();
}

// Scattering from, or gathering at, each node that has to.
LowerBound rooted_at_each(const Problem& problem, const Demand& demand) {
  const bool gathers = problem.collective == CollectiveKind::kPartialGather;
  const Wiring wiring(gathers ? problem.graph.transposed() : problem.graph);
  const NodeId n = wiring.nodes();
  LargestBound best;
  if (problem.ports == PortModel::kOnePort) return {};  // see node_bound()
  if (problem.ports == PortModel::kOnePortSend && !gathers) return {};
  const std::vector<std::uint8_t>& roots = gathers ? demand.is_destination : demand.is_origin;
  const bool all_alike = problem.graph.translations() && demand.origins == n && demand.destinations == n;
  std::uint64_t left = kMostSearchSteps;
  for (NodeId v = 0; v < (all_alike ? 1 : n); ++v) {
    const std::uint64_t work = (wiring.degree(v) + std::uint64_t{1}) * (wiring.links() + n);
    if (roots[v] == 0 || work > left) continue;
    left -= work;
    const LowerBound bound = scatter_bound(wiring, v, intake_of(problem), problem.messages);
    best.consider(
        bound.steps,
        [&] {
          return fmt::format("{} node {} alone: {}", gathers ? "gathering at" : "scattering from", v,
                             bound.reason);
        },
        bound.witness);
  }
  return gathers ? turned_round(best.value(), problem.graph) : best.value();
}

LowerBound exchange(const Problem& problem, const Demand& demand) {
  const Graph& graph = problem.graph;
  const bool all_port = problem.ports == PortModel::kAllPort;
  LargestBound bound;
  if (all_port) {
    bound.consider(cut_bound(graph, best_cut(graph, demand), demand));
    bound.consider(hops_bound(graph, demand, problem.ports));
  } else {
    bound.consider(hops_bound(graph, demand, problem.ports));
    bound.consider(node_bound(graph, demand, problem.ports));
    // On Cayley graphs the average status is attained (thesis Theorem 4.11): there is nothing to look for.
    if (graph.translations() && problem.collective == CollectiveKind::kTotalExchange) return bound.value();
    if (graph.node_count() <= kMaxSearchedNodes)
      bound.consider(one_port_cut_bound(graph, best_cut(graph, demand), problem.ports));
  }
  bound.consider(distance_bound(graph, demand));
  bound.consider(rooted_at_each(problem, demand));
  bound.consider(certificate_bound(graph, demand, problem.ports, bound.steps()));
  return bound.value();
}

// Each packet of the root, or for the multinode kinds of every node, has n - 1 links to cross. Collectives
// that combine packets are bounded as broadcasts backwards in time over links turned round.
LowerBound dissemination(const Problem& problem) {
  const Graph& graph = problem.graph;
  const bool combines = problem.collective == CollectiveKind::kReduction ||
                        problem.collective == CollectiveKind::kMultinodeAccumulation;
  const bool from_root =
      problem.collective == CollectiveKind::kReduction || problem.collective == CollectiveKind::kBroadcast;
  const Graph outward = combines ? graph.transposed() : graph;
  const Wiring wiring(outward);
  std::vector<std::uint64_t> packets(graph.node_count(), from_root ? 0 : problem.messages);
  if (from_root) packets[problem.root] = problem.messages;
  // Backwards in time sending and receiving change places: a node then receives one packet and sends any
  // number.
  const bool free_sending = combines && problem.ports == PortModel::kOnePortSend;
  const auto furthest = [&] {
    return LowerBound{outward.eccentricity(problem.root), "eccentricity of the root", "",
                      way_between(problem.root, kNoNode)};
  };
  LargestBound bound;
  if (from_root) {
    if (problem.ports == PortModel::kAllPort || free_sending) {
      bound.consider(furthest());
    } else {
      LowerBound one = one_port_broadcast_bound(outward, problem.root);
      if (problem.messages > 1) {
        // The root sends, or receives, one message per step: the last one's broadcast begins after all
        // others.
        one.steps += problem.messages - 1;
        one.reason = fmt::format("{} before the last, and for that: {}",
                                 counted(problem.messages - 1, "message"), one.reason);
        one.witness.remark = fmt::format(", and {} before", counted(problem.messages - 1, "message"));
      }
      bound.consider(one);
    }
  }
  if (problem.messages > 1 || !from_root || free_sending) {
    bound.consider(dissemination_bound(wiring, packets, packets_at_once(problem.ports, combines)));
    bound.consider(flow_bound(wiring, packets, free_sending ? PortModel::kAllPort : problem.ports));
  }
  if (bound.value().reason.empty()) bound.consider(furthest());
  return combines ? turned_round(bound.value(), graph) : bound.value();
}

LowerBound concurrent(const Problem& problem) {
  const Wiring wiring(problem.graph);
  const Collective collective = collective_of(problem);
  std::vector<std::uint64_t> packets;
  for (NodeId v = 0; v < problem.graph.node_count(); ++v) packets.push_back(collective.own_packets(v));
  LargestBound bound;
  bound.consider(dissemination_bound(wiring, packets, packets_at_once(problem.ports)));
  bound.consider(flow_bound(wiring, packets, problem.ports));
  return bound.value();
}

LowerBound largest_bound(const Problem& problem);

// What holds where all links are alike holds where some take longer, as a cycle is the least that a flit
// takes. Under one-port that needs receptions in the order of sends, which different latencies do not keep.
LowerBound unequal_bound(const Problem& problem, std::uint32_t flits, std::uint32_t link_latency) {
  LargestBound bound(timed_bound(problem, LinkTimes(problem.graph, flits, link_latency)));
  if (problem.ports != PortModel::kOnePort || problem.graph.largest_own_latency() == 0) {
    Problem alike = problem;
    alike.graph = problem.graph.with_link_timing(std::vector<LinkTiming>(problem.graph.link_count()));
    LowerBound of_alike = largest_bound(alike);
    of_alike.steps *= flits;
    if (of_alike.steps > bound.steps()) {
      of_alike.reason = "as if all links were alike: " + of_alike.reason;
      bound.consider(of_alike);
    }
  }
  return bound.value();
}

// The largest bound, its witness not finished yet.
LowerBound largest_bound(const Problem& problem) {
  const Graph& graph = problem.graph;
  check_root(problem);
  if (graph.has_unequal_links()) return unequal_bound(problem, 1, 0);
  if (graph.has_routers()) return routed_bound(problem);
  switch (problem.collective) {
    case CollectiveKind::kReduction:
    case CollectiveKind::kBroadcast:
    case CollectiveKind::kMultinodeBroadcast:
    case CollectiveKind::kMultinodeAccumulation:
      return dissemination(problem);
    case CollectiveKind::kAllreduce: {
      LowerBound bound = allreduce_bound(Wiring(graph), problem.messages, problem.ports);
      if (problem.ports == PortModel::kOnePort && graph.node_count() <= kMaxSearchedNodes) {
        // What any one node contributes must reach all others.
        const NodeId tried = graph.translations() || graph.node_count() > kMaxRoots ? 1 : graph.node_count();
        for (NodeId v = 0; v < tried; ++v) {
          const LowerBound one = one_port_broadcast_bound(graph, v);
          if (one.steps > bound.steps)
            bound = {one.steps, fmt::format("what node {} contributes: {}", v, one.reason), "", one.witness};
        }
      }
      return bound;
    }
    case CollectiveKind::kConcurrentBroadcast:
      return concurrent(problem);
    case CollectiveKind::kScatter:
    case CollectiveKind::kGather:
      return rooted(problem);
    case CollectiveKind::kMultipath:
      return transfer_bound(problem, collective_of(problem).expected_deliveries());
    case CollectiveKind::kTotalExchange:
    case CollectiveKind::kPartialExchange:
    case CollectiveKind::kPartialGather: {
      const std::optional<Demand> demand = demand_of(problem);
      return demand ? exchange(problem, *demand) : LowerBound{};
    }
    default:  // collectives of scan_nodes have closed forms of their own
      return {};
  }
}

}  // namespace

namespace {

// Whether words mention a node by its number.
bool names_a_node(const std::string& words) {
  constexpr std::string_view kNode = "node ";
  for (std::size_t at = words.find(kNode); at != std::string::npos; at = words.find(kNode, at + 1)) {
    const std::size_t next = at + kNode.size();
    if (next < words.size() && words[next] >= '0' && words[next] <= '9') return true;
  }
  return false;
}

// A bound on the network that the graph is known as, for the graph itself: its prices and nodes have other
// numbers.
LowerBound carried_over(LowerBound bound, const Graph& graph) {
  const KnownNetwork& known = *graph.known_as();
  if (known.same_numbers()) return bound;
  bound.certificate.clear();
  for (NodeId& v : bound.witness.nodes) v = v == kNoNode ? v : known.node_here[v];
  for (LinkId& link : bound.witness.links) link = known.link_here[link];
  if (bound.witness.kind != WitnessKind::kPath) std::ranges::sort(bound.witness.nodes);
  std::ranges::sort(bound.witness.links);
  if (names_a_node(bound.reason))
    bound.reason += ", with the numbers of " + one_line(known.network.spelling());
  return bound;
}

}  // namespace

LowerBound lower_bound(const Problem& problem) {
  const bool is_known = problem.graph.known_as() != nullptr;
  if (is_known) check_root(problem);
  LowerBound bound = is_known ? carried_over(largest_bound(on_known_network(problem)), problem.graph)
                              : largest_bound(problem);
  if (!bound.reason.empty()) finish_witness(bound.witness, problem.graph, bound.reason);
  return bound;
}

LowerBound lower_bound_in_cycles(const Problem& problem, std::uint32_t flits, std::uint32_t link_latency) {
  check_root(problem);
  LowerBound bound = unequal_bound(problem, flits, link_latency);
  if (!bound.reason.empty()) finish_witness(bound.witness, problem.graph, bound.reason);
  return bound;
}

}  // namespace safnet
