#include "cpp_model/schedule/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "cpp_model/graph/disjoint_paths.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/recognise/known_network.hpp"

namespace safnet {
namespace {

const std::vector<NodeId>& active_nodes(const Problem& problem) {
  const std::vector<NodeId>& active = problem.active;
  if (active.empty()) throw std::invalid_argument("--active: expected at least one node");
  for (std::size_t i = 0; i < active.size(); ++i) {
    if (active[i] >= problem.graph.processor_count()) {
      throw bad_input("--active {}: expected nodes from 0 to {}", active[i],
                      problem.graph.processor_count() - 1);
    }
    const bool may_repeat = problem.collective == CollectiveKind::kConcurrentBroadcast;
    if (i > 0 && (active[i] < active[i - 1] || (active[i] == active[i - 1] && !may_repeat)))
      throw bad_input("--active {}: expected ascending nodes", active[i]);
  }
  return active;
}

// Packets of every node of a concurrent broadcast.
std::vector<std::uint32_t> broadcasts_of(const Problem& problem) {
  std::vector<std::uint32_t> packets(problem.graph.processor_count());
  for (const NodeId v : active_nodes(problem)) packets[v] += problem.messages * problem.pieces;
  return packets;
}

// How many nodes packets come from, and go to; one set of nodes contains the other.
std::pair<std::uint64_t, std::uint64_t> parties_of(CollectiveKind collective, std::uint64_t nodes,
                                                   std::uint64_t active) {
  const auto count = [&](Parties parties) {
    return parties == Parties::kRoot ? 1 : parties == Parties::kActive ? active : nodes;
  };
  const CollectiveName& name = name_of(collective);
  return {count(name.from), count(name.to)};
}

// The most destinations that the packets of a problem may have in all.
constexpr std::uint64_t kMaxDestinations = std::uint64_t{1} << 28;

bool copies(const Problem& problem) { return name_of(problem.collective).handling == Handling::kCopied; }

std::string messages_in_words(const Problem& problem) {
  return fmt::format("{} message{}", problem.messages, problem.messages == 1 ? "" : "s");
}

void check_size(const Problem& problem) {
  const std::uint64_t n = problem.graph.processor_count();
  check_root(problem);
  check_messages(problem);
  const std::uint64_t packets = packets_of_a_message(problem) * problem.messages;
  const bool to_all = copies(problem);
  if (packets > PacketList::kMaxPackets || (to_all && packets * (n - 1) > kMaxDestinations)) {
    throw bad_input(
        "{} of {} on {} nodes: {} packets{}; expected at most {}", to_string(problem.collective),
        messages_in_words(problem), n, packets, to_all ? fmt::format(" for {} nodes each", n - 1) : "",
        to_all ? fmt::format("{} in all", kMaxDestinations) : fmt::format("{}", PacketList::kMaxPackets));
  }
}

// Whether a broadcast's packet is there in pieces: packets of its origin whose tags are its own modulo M, for
// some of the destinations each.
bool is_split(const Problem& problem, const PacketList& wanted, PacketIndex p, const PacketList& held,
              const std::vector<PacketIndex>& by_name) {
  if (!copies(problem) || problem.collective == CollectiveKind::kConcurrentBroadcast) return false;
  std::vector<NodeId> destinations;
  const PacketId first{wanted.origin(p), 0};
  for (auto q = std::ranges::lower_bound(by_name, first, {}, [&](PacketIndex x) { return held.id(x); });
       q != by_name.end() && held.origin(*q) == wanted.origin(p); ++q) {
    if (!held.parts(*q).empty() || held.tag(*q) % problem.messages != wanted.tag(p)) continue;
    destinations.insert(destinations.end(), held.destinations(*q).begin(), held.destinations(*q).end());
  }
  std::ranges::sort(destinations);
  return std::ranges::equal(destinations, wanted.destinations(p));
}

// Hosts that get a packet, over all packets of one message; 0 where that is not known beforehand.
std::uint64_t deliveries_of_a_message(const Problem& problem) {
  const CollectiveName& name = name_of(problem.collective);
  if (name.handling == Handling::kOther) return 0;
  if (name.handling == Handling::kPersonal) return packets_of_a_message(problem);
  const auto [origins, destinations] = parties_of(problem.collective, problem.graph.processor_count(), 0);
  return copies(problem) ? origins * (destinations - 1) : destinations;
}

}  // namespace

NodeId destination_of(const Problem& problem) {
  const NodeId n = problem.graph.processor_count();
  if (problem.destination == kNoNode) return problem.root == n - 1 ? n - 2 : n - 1;
  if (problem.destination >= n || problem.destination == problem.root) {
    throw bad_input("destination {}: expected a node from 0 to {} other than the root, {}",
                    problem.destination, n - 1, problem.root);
  }
  return problem.destination;
}

Collective collective_of(const Problem& problem) {
  const Graph& graph = problem.graph;
  if (problem.collective == CollectiveKind::kPartialExchange)
    return Collective::partial_exchange(graph.processor_count(), active_nodes(problem), problem.messages);
  if (problem.collective == CollectiveKind::kConcurrentBroadcast)
    return Collective::concurrent_broadcast(broadcasts_of(problem));
  if (problem.collective != CollectiveKind::kMultipath)
    return Collective(problem.collective, graph.processor_count(), problem.root, problem.messages);
  const NodeId destination = destination_of(problem);
  // A product that is known under another name has as many paths as under that.
  const auto known = graph.known_as();
  const Graph& network = known ? known->network : graph;
  const NodeId from = known ? known->node[problem.root] : problem.root;
  const NodeId to = known ? known->node[destination] : destination;
  const std::size_t paths = network.factors().empty() || network.has_one_way_links()
                                ? node_disjoint_paths(network, from, to).size()
                                : promised_paths(network, from, to);
  return Collective::multipath(graph.processor_count(), problem.root, destination,
                               static_cast<std::uint32_t>(paths) * problem.messages);
}

std::optional<std::uint64_t> packets_of_a_message(CollectiveKind collective, std::uint64_t nodes,
                                                  std::uint64_t active) {
  const auto [origins, destinations] = parties_of(collective, nodes, active);
  switch (name_of(collective).handling) {
    case Handling::kPersonal:
      return origins * destinations - std::min(origins, destinations);
    case Handling::kCombined:
      return origins * destinations;
    case Handling::kCopied:
    case Handling::kCombinedOnce:
      return origins;
    default:  // a multipath transfer, and what scan_nodes do
      return std::nullopt;
  }
}

std::uint64_t packets_of_a_message(const Problem& problem) {
  const bool is_partial = name_of(problem.collective).has_active;
  const auto count = packets_of_a_message(problem.collective, problem.graph.processor_count(),
                                          is_partial ? active_nodes(problem).size() : 0);
  if (!count) {
    throw bad_input("{}: expected another collective, this one is not planned",
                    to_string(problem.collective));
  }
  return *count * problem.pieces;
}

void check_root(const Graph& graph, NodeId root) {
  if (root < graph.processor_count()) return;
  const bool only_routes = root < graph.node_count();
  throw bad_input("root {}: expected a node from 0 to {}{}",
                  only_routes ? graph.node_name(root) : std::to_string(root), graph.processor_count() - 1,
                  graph.has_routers() ? "; the others only route" : "");
}

void check_messages(const Problem& problem) {
  if (problem.messages < 1 || problem.messages > kMaxMessages) {
    throw bad_input("--messages {}: expected 1 to {}", problem.messages, kMaxMessages);
  }
  if (problem.messages == 1 || problem.collective == CollectiveKind::kMultipath) return;
  const std::uint64_t n = problem.graph.processor_count();
  const bool to_all = copies(problem);
  const std::uint64_t most = kMaxDestinations / (packets_of_a_message(problem) * (to_all ? n - 1 : 1));
  if (problem.messages > most) {
    throw bad_input("--messages {}: expected 1 to {} for {} on {} nodes", problem.messages,
                    std::max<std::uint64_t>(1, most), to_string(problem.collective), n);
  }
}

PacketList collective_packets(const Problem& problem) {
  check_size(problem);
  if (problem.collective == CollectiveKind::kConcurrentBroadcast) return collective_of(problem).packets();
  return Collective(problem.collective, problem.graph.processor_count(), problem.root, problem.messages,
                    name_of(problem.collective).has_active ? active_nodes(problem) : std::vector<NodeId>{})
      .packets();
}

std::string why_not_packets_of(const Problem& problem, const Schedule& schedule) {
  const PacketList wanted = collective_packets(problem);
  const PacketList& held = schedule.packets;
  std::vector<PacketIndex> by_name;
  const auto same = [&](PacketIndex p, PacketIndex q) {
    return wanted.id(p) == held.id(q) && held.parts(q).empty() &&
           std::ranges::equal(wanted.destinations(p), held.destinations(q));
  };
  for (PacketIndex p = 0; p < wanted.size(); ++p) {
    if (by_name.empty()) {
      if (p < held.size() && same(p, p)) continue;
      by_name.resize(held.size());
      std::iota(by_name.begin(), by_name.end(), PacketIndex{0});
      std::ranges::sort(by_name, {}, [&](PacketIndex q) { return held.id(q); });
    }
    const auto at =
        std::ranges::lower_bound(by_name, wanted.id(p), {}, [&](PacketIndex q) { return held.id(q); });
    if ((at == by_name.end() || !same(p, *at)) && !is_split(problem, wanted, p, held, by_name)) {
      return fmt::format(
          "packet (origin {}, tag {}) of {} of {} is not in the schedule, or not for the nodes that must get "
          "it",
          wanted.origin(p), wanted.tag(p), to_string(problem.collective), messages_in_words(problem));
    }
  }
  return {};
}

Schedule empty_schedule(const Problem& problem, const std::string& algorithm) {
  Schedule schedule(problem.graph);
  schedule.ports = problem.ports;
  schedule.packets = collective_packets(problem);
  schedule.collective = to_string(problem.collective);
  schedule.root = problem.root;
  schedule.algorithm = algorithm;
  return schedule;
}

std::vector<NodeId> active_nodes_of(const Schedule& schedule, CollectiveKind collective) {
  const PacketList& packets = schedule.packets;
  std::vector<NodeId> active;
  if (collective == CollectiveKind::kConcurrentBroadcast) {
    for (PacketIndex p = 0; p < packets.size(); ++p) active.push_back(packets.origin(p));
    return active;
  }
  std::vector<bool> is_active(schedule.network.node_count());
  for (PacketIndex p = 0; p < packets.size(); ++p) {
    if (collective == CollectiveKind::kPartialExchange) is_active[packets.origin(p)] = true;
    if (collective != CollectiveKind::kPartialGather) continue;
    for (const NodeId v : packets.destinations(p)) is_active[v] = true;
  }
  for (NodeId v = 0; v < is_active.size(); ++v) {
    if (is_active[v]) active.push_back(v);
  }
  return active;
}

Problem problem_solved_by(const Schedule& schedule) {
  Problem problem{.graph = schedule.network, .ports = schedule.ports, .root = schedule.root};
  problem.collective = parse_collective(schedule.collective);
  problem.active = active_nodes_of(schedule, problem.collective);
  if (problem.collective == CollectiveKind::kConcurrentBroadcast) {
    std::ranges::sort(problem.active);
    return problem;
  }
  const std::uint64_t of_a_message = deliveries_of_a_message(problem);
  if (of_a_message != 0) {
    const std::uint64_t messages = schedule.packets.destination_count() / of_a_message;
    problem.messages = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(messages, 1, kMaxMessages));
  }
  return problem;
}

}  // namespace safnet
