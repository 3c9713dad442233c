// interchange_schedules - schedules of all kinds for tests of foreign formats: made here along random paths
// and trees, so that no algorithm of the program is needed, and what is compared of them when they are read
// again.
#pragma once

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "cpp_model/graph/topology.hpp"
#include "cpp_model/schedule/problem.hpp"
#include "cpp_model/schedule/schedule.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/fault_of.hpp"

namespace safnet::testbench {

/// What a function says when it refuses its input; "accepted" if it does not.
template <class Function>
std::string error_of(Function function) {
  try {
    function();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

/// What is refused is told in one line, not too long.
inline void check_one_line(const std::string& error) {
  CHECK(error.find('\n') == std::string::npos);
  CHECK(error.size() < 500);
}

/// First come, first served: each packet hops along its path as early as it can, in the given order of hops.
class Planner {
 public:
  explicit Planner(Schedule& schedule) : schedule_(schedule) {}
  /// Sends a packet over one hop, in the first free step after `ready`, and returns the step of its arrival.
  std::uint32_t send(PacketIndex packet, NodeId from, NodeId to, std::uint32_t ready) {
    const Graph& graph = schedule_.network;
    for (std::uint32_t step = ready + 1;; ++step) {
      if (schedule_.ports != PortModel::kAllPort && out_.contains({from, step})) continue;
      if (schedule_.ports == PortModel::kOnePort && in_.contains({to, step})) continue;
      for (PortId p = 0; p < graph.degree(from); ++p) {
        const LinkId link = graph.link(from, p);
        if (graph.peer(from, p).node != to || links_.contains({link, step})) continue;
        links_.emplace(link, step);
        out_.emplace(from, step);
        in_.emplace(to, step);
        schedule_.sends.push_back({step, link, packet});
        return step;
      }
    }
  }

 private:
  Schedule& schedule_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> links_, out_, in_;
};

/// A random neighbour of v that is closer.
inline NodeId towards(const Graph& graph, const std::vector<std::uint32_t>& distance, NodeId v,
                      std::mt19937& random) {
  std::vector<NodeId> closer;
  for (PortId p = 0; p < graph.degree(v); ++p) {
    if (distance[graph.peer(v, p).node] < distance[v]) closer.push_back(graph.peer(v, p).node);
  }
  return closer[random() % closer.size()];
}

/// Steps that a packet waits: in a third of all cases one.
inline std::uint32_t pause(std::mt19937& random) { return random() % 3 == 0 ? 1 : 0; }

/// A collective of personal packets, or a broadcast, along random shortest paths; some packets wait a step.
inline Schedule planned(const std::string& topology, CollectiveKind kind, PortModel ports, NodeId root,
                        std::uint32_t seed) {
  std::mt19937 random(seed);
  const Problem problem{.graph = make_topology(topology), .collective = kind, .ports = ports, .root = root};
  Schedule schedule = empty_schedule(problem, "random paths");
  const Graph& graph = schedule.network;
  Planner planner(schedule);
  std::vector<PacketIndex> order(schedule.packets.size());
  for (PacketIndex p = 0; p < order.size(); ++p) order[p] = p;
  std::shuffle(order.begin(), order.end(), random);
  for (const PacketIndex p : order) {
    if (kind == CollectiveKind::kBroadcast) {
      const std::vector<std::uint32_t> distance = graph.distances_from(root);
      std::vector<NodeId> nodes(graph.node_count());
      for (NodeId v = 0; v < nodes.size(); ++v) nodes[v] = v;
      std::stable_sort(nodes.begin(), nodes.end(),
                       [&](NodeId a, NodeId b) { return distance[a] < distance[b]; });
      std::vector<std::uint32_t> there(nodes.size());
      for (const NodeId v : nodes) {
        if (v == root) continue;
        const NodeId parent = towards(graph, distance, v, random);
        there[v] = planner.send(p, parent, v, there[parent] + pause(random));
      }
      continue;
    }
    const NodeId destination = schedule.packets.destinations(p).front();
    const std::vector<std::uint32_t> distance = graph.distances_from(destination);
    std::uint32_t ready = 0;
    for (NodeId v = schedule.packets.origin(p); v != destination;) {
      const NodeId next = towards(graph, distance, v, random);
      ready = planner.send(p, v, next, ready + pause(random));
      v = next;
    }
  }
  sort_sends(schedule);
  REQUIRE(fault_of(schedule) == "");
  return schedule;
}

/// For each c, the sum of all nodes' chunks c goes up a random tree to roots[c], and back down if `to_all`. A
/// node combines its own chunk with all that its children send.
inline Schedule reduced(const std::string& topology, PortModel ports, std::vector<NodeId> roots, bool to_all,
                        std::uint32_t seed) {
  std::mt19937 random(seed);
  Schedule schedule(make_topology(topology));
  schedule.ports = ports;
  const Graph graph = schedule.network;
  const NodeId n = graph.node_count();
  const auto chunks = static_cast<std::uint32_t>(roots.size());
  for (NodeId v = 0; v < n; ++v) {
    for (std::uint32_t c = 0; c < chunks; ++c) schedule.packets.add(v, c, 1, {});
  }
  Planner planner(schedule);
  for (std::uint32_t c = 0; c < chunks; ++c) {
    const std::vector<std::uint32_t> distance = graph.distances_from(roots[c]);
    std::vector<NodeId> nodes(n), parent(n, kNoNode), all;
    for (NodeId v = 0; v < n; ++v) {
      nodes[v] = v;
      if (v != roots[c]) parent[v] = towards(graph, distance, v, random);
      all.push_back(v);
    }
    std::stable_sort(nodes.begin(), nodes.end(),
                     [&](NodeId a, NodeId b) { return distance[a] > distance[b]; });
    std::vector<std::vector<PacketIndex>> parts(n);
    std::vector<std::uint32_t> ready(n);
    for (const NodeId v : nodes) {
      PacketIndex packet = v * chunks + c;
      if (!parts[v].empty()) {
        parts[v].push_back(packet);
        const std::vector<NodeId> destinations = to_all ? all : std::vector<NodeId>{v};
        packet = schedule.packets.add(v, chunks + c, 1, v == roots[c] ? destinations : std::vector<NodeId>{},
                                      parts[v]);
      }
      if (v != roots[c]) {
        ready[parent[v]] = std::max(ready[parent[v]], planner.send(packet, v, parent[v], ready[v]));
        parts[parent[v]].push_back(packet);
      } else if (to_all) {
        std::vector<std::uint32_t> there(n, ready[v]);
        for (std::size_t i = n; i-- > 0;) {
          if (nodes[i] != v)
            there[nodes[i]] = planner.send(packet, parent[nodes[i]], nodes[i], there[parent[nodes[i]]]);
        }
      }
    }
  }
  sort_sends(schedule);
  REQUIRE(fault_of(schedule) == "");
  return schedule;
}

/// What is to be delivered: plain packets by origin and destinations, or (`sums`) sums by destinations.
using Demand = std::multiset<std::pair<NodeId, std::vector<NodeId>>>;
inline Demand demand(const Schedule& schedule, bool sums) {
  Demand result;
  const PacketList& packets = schedule.packets;
  for (PacketIndex p = 0; p < packets.size(); ++p) {
    if (packets.parts(p).empty() == sums || (sums && packets.destinations(p).empty())) continue;
    std::vector<NodeId> nodes(packets.destinations(p).begin(), packets.destinations(p).end());
    std::sort(nodes.begin(), nodes.end());
    result.emplace(packets.origin(p), nodes);
  }
  return result;
}

/// Sends without their packets' numbers and without the choice among parallel links.
inline std::multiset<std::tuple<std::uint32_t, NodeId, NodeId>> hops(const Schedule& schedule) {
  std::multiset<std::tuple<std::uint32_t, NodeId, NodeId>> result;
  for (const Send& send : schedule.sends)
    result.emplace(send.start, schedule.network.link_source(send.link),
                   schedule.network.link_target(send.link));
  return result;
}

/// Collectives on several networks under every port model: personal packets, broadcasts and combined packets,
/// of which one, several or all nodes get the sums.
inline std::vector<Schedule> schedules_of_all_kinds() {
  std::vector<Schedule> result;
  std::uint32_t seed = 1;
  for (const char* topology :
       {"ring:5", "mesh:3x2", "hypercube:3", "star:3", "linear:2", "edges:0-1,0-1,1-2,2-0,2-0,2-3"}) {
    for (const PortModel ports : {PortModel::kAllPort, PortModel::kOnePort, PortModel::kOnePortSend}) {
      for (const CollectiveKind kind : {CollectiveKind::kBroadcast, CollectiveKind::kScatter,
                                        CollectiveKind::kGather, CollectiveKind::kTotalExchange})
        result.push_back(planned(topology, kind, ports, 1, seed++));
      result.push_back(reduced(topology, ports, {1}, false, seed++));
      result.push_back(reduced(topology, ports, {0, 0, 0}, false, seed++));
      result.push_back(reduced(topology, ports, {1, 0, 1}, true, seed++));
      const NodeId n = make_topology(topology).node_count();
      std::vector<NodeId> roots;
      for (NodeId v = 0; v < 2 * n; ++v) roots.push_back(v % n);
      result.push_back(reduced(topology, ports, roots, false, seed++));
    }
  }
  return result;
}

/// A few of the bytes changed: some left out, repeated or replaced, numbers made other or very large ones.
inline std::string mutated(std::string text, std::mt19937& random) {
  const std::string alphabet = "0123456789-[]{},:\"'<>=/&; sriocpyntbu\n\x01\xff";
  const std::size_t changes = 1 + random() % 3;
  for (std::size_t i = 0; i < changes; ++i) {
    const std::size_t at = random() % text.size();
    switch (random() % 6) {
      case 0:
        text.erase(at, 1 + random() % 30);
        break;
      case 1:
        text.insert(at, text.substr(random() % text.size(), random() % 60));
        break;
      case 2: {  // another number
        const std::size_t digit = text.find_first_of("0123456789", at);
        if (digit != std::string::npos) text[digit] = static_cast<char>('0' + random() % 10);
        break;
      }
      case 3: {
        const std::size_t digit = text.find_first_of("0123456789", at);
        if (digit != std::string::npos) text.insert(digit, "99999999");
        break;
      }
      default:
        text[at] = alphabet[random() % alphabet.size()];
    }
    if (text.empty()) text = " ";
  }
  return text;
}

/// Changes bytes of the texts, 2000 times, and reads what comes out, with `read`, which returns a schedule.
/// It must be valid or refused in one line; some of each kind must occur.
template <class Read>
void check_mutated(const std::vector<std::string>& texts, const Read& read) {
  std::mt19937 random(5);
  std::size_t accepted = 0, refused = 0;
  for (int i = 0; i < 2000; ++i) {
    const std::string text = mutated(texts[random() % texts.size()], random);
    CAPTURE(text);
    const std::string error = error_of([&] {
      const std::string fault = fault_of(read(text));
      if (!fault.empty()) FAIL(fault);
    });
    if (error.find('\n') != std::string::npos || error.size() > 500) FAIL(error);
    (error == "accepted" ? accepted : refused) += 1;
  }
  CHECK(accepted > 50);
  CHECK(refused > 500);
}

}  // namespace safnet::testbench
