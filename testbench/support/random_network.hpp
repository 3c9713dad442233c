// random_network - networks and traffic that nobody designed: connected graphs, multi-edges included, and
// policies whose routes have no loops.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "cpp_model/graph/family/fat_tree.hpp"
#include "cpp_model/graph/graph.hpp"
#include "cpp_model/schedule/policy.hpp"

namespace safnet::testbench {

/// Numbers from a seed, the same on every machine (the standard's distributions are not).
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(engine_() % bound); }
  std::uint32_t between(std::uint32_t low, std::uint32_t high) { return low + below(high - low + 1); }
  bool one_in(std::uint32_t n) { return below(n) == 0; }
  template <class Item>
  void shuffle(std::vector<Item>& items) {
    for (std::size_t i = items.size(); i > 1; --i) {
      std::swap(items[i - 1], items[below(static_cast<std::uint32_t>(i))]);
    }
  }

 private:
  std::mt19937_64 engine_;
};

/// A connected graph of 3 to `max_nodes` nodes with at most `max_degree` ports each: a random tree, and in
/// three cases of four further edges, parallel ones included.
inline Graph random_graph(Dice& dice, NodeId max_nodes, PortId max_degree) {
  const NodeId nodes = dice.between(3, max_nodes);
  std::vector<PortId> degree(nodes);
  std::vector<std::pair<NodeId, NodeId>> edges;
  const auto join = [&](NodeId u, NodeId v) {
    if (u == v || degree[u] == max_degree || degree[v] == max_degree) return false;
    edges.emplace_back(u, v);
    ++degree[u];
    ++degree[v];
    return true;
  };
  for (NodeId v = 1; v < nodes; ++v) {
    while (!join(v, dice.below(v))) {
    }
  }
  const std::uint32_t further = dice.one_in(4) ? 0 : dice.below(2 * nodes);
  for (std::uint32_t i = 0; i < further; ++i) {
    if (dice.one_in(5)) {
      const auto [u, v] = edges[dice.below(static_cast<std::uint32_t>(edges.size()))];
      join(u, v);
    } else {
      join(dice.below(nodes), dice.below(nodes));
    }
  }
  dice.shuffle(edges);  // ports are numbered in the order of the edges
  std::vector<std::vector<Endpoint>> ports(nodes);
  for (const auto& [u, v] : edges) {
    ports[u].push_back({v, static_cast<PortId>(ports[v].size())});
    ports[v].push_back({u, static_cast<PortId>(ports[u].size() - 1)});
  }
  return Graph("random", std::move(ports));
}

/// Random labels, ranks, orders of service and packets; the tables themselves.
struct RandomTraffic {
  std::vector<std::vector<TableEntry>> tables;     // [label][node]
  std::vector<std::vector<Injection>> injections;  // [node]
  std::uint32_t rank_levels = 1;
  bool deals_links = false, rest_ranks = false;

  Policy policy() const {
    Policy policy;
    policy.label_count = static_cast<std::uint32_t>(tables.size());
    policy.rank_levels = rank_levels;
    policy.deals_links = deals_links;
    policy.rest_ranks = rest_ranks;
    policy.table = [this](NodeId node, Label label) { return tables[label][node]; };
    policy.injections = [this](NodeId node) { return injections[node]; };
    for (const auto& packets : injections) {
      policy.host_packets = std::max(policy.host_packets, static_cast<std::uint32_t>(packets.size()));
    }
    return policy;
  }
};

/// A fat tree of one or two levels with at most `max_degree` ports per node.
inline FatTree random_fat_tree(Dice& dice, PortId max_degree) {
  for (;;) {
    std::vector<std::uint32_t> arities, capacities;
    for (std::uint32_t level = dice.below(2) + 1; level > 0; --level) {
      arities.push_back(dice.between(2, 4));
      capacities.push_back(dice.between(1, 3));
    }
    PortId ports = arities.back() * capacities.back();
    if (arities.size() == 2) ports = std::max(ports, arities[0] * capacities[0] + capacities[1]);
    if (ports <= max_degree) return FatTree(arities, capacities);
  }
}

/// A random spanning tree, as each node's port towards `root` (of `root` itself: none, 0). Either grown along
/// shortest paths or edge by edge.
inline std::vector<PortId> random_tree(Dice& dice, const Graph& graph, NodeId root) {
  std::vector<PortId> towards(graph.node_count());
  std::vector<bool> reached(graph.node_count());
  reached[root] = true;
  std::vector<NodeId> grown{root};
  const bool shortest = dice.one_in(2);
  for (std::size_t next = 0; grown.size() < graph.node_count();) {
    const NodeId v = shortest ? grown[next++] : grown[dice.below(static_cast<std::uint32_t>(grown.size()))];
    std::vector<PortId> ports(graph.degree(v));
    std::iota(ports.begin(), ports.end(), 0U);
    dice.shuffle(ports);
    for (const PortId port : ports) {
      const Endpoint to = graph.peer(v, port);
      if (reached[to.node]) continue;
      reached[to.node] = true;
      towards[to.node] = to.port;
      grown.push_back(to.node);
      if (!shortest) break;
    }
  }
  return towards;
}

/// Routes of one label: to one node, down a tree with deliveries on the way, or over some of the links that
/// lead upwards in a random order of the nodes, so that copies meet again.
inline std::vector<TableEntry> random_label(Dice& dice, const Graph& graph) {
  const NodeId nodes = graph.node_count();
  std::vector<TableEntry> table(nodes);
  const NodeId root = dice.below(nodes);
  const std::uint32_t kind = dice.below(5);
  if (kind < 3) {
    const std::vector<PortId> towards = random_tree(dice, graph, root);
    for (NodeId v = 0; v < nodes; ++v) {
      if (v == root) continue;
      if (kind < 2) {
        table[v].output_mask = std::uint64_t{1} << towards[v];
        table[v].deliver = dice.one_in(6);
      } else {
        const Endpoint up = graph.peer(v, towards[v]);
        table[up.node].output_mask |= std::uint64_t{1} << up.port;
        table[v].deliver = dice.one_in(2);
      }
    }
    if (kind < 2) table[root].deliver = true;
  } else {
    std::vector<NodeId> order(nodes);
    std::iota(order.begin(), order.end(), 0U);
    dice.shuffle(order);
    for (NodeId v = 0; v < nodes; ++v) {
      for (PortId port = 0; port < graph.degree(v); ++port) {
        if (order[graph.peer(v, port).node] > order[v] && dice.one_in(2)) {
          table[v].output_mask |= std::uint64_t{1} << port;
        }
      }
      table[v].deliver = dice.one_in(3);
    }
  }
  for (NodeId v = 0; v < nodes; ++v) {
    if (table[v].output_mask == 0) table[v].deliver = true;  // where a packet ends its host gets it
    for (PortId port = 0; port < graph.degree(v); ++port) {
      if (dice.one_in(2)) table[v].service_order.push_back(port);
    }
    dice.shuffle(table[v].service_order);
  }
  return table;
}

/// At most `max_packets` per host, of 1 to `max_flits` flits.
inline RandomTraffic random_traffic(Dice& dice, const Graph& graph, std::uint32_t max_packets,
                                    std::uint32_t max_flits) {
  RandomTraffic traffic;
  constexpr std::uint32_t kLevels[] = {1, 2, 4, 64};
  traffic.rank_levels = kLevels[dice.below(4)];
  const std::uint32_t labels = dice.between(1, 12);
  for (std::uint32_t label = 0; label < labels; ++label) {
    traffic.tables.push_back(random_label(dice, graph));
    for (TableEntry& entry : traffic.tables.back()) entry.rank = dice.below(traffic.rank_levels);
  }
  const std::uint32_t most = dice.between(1, max_packets);
  const bool all_long = dice.one_in(3);
  traffic.injections.resize(graph.node_count());
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    std::vector<Label> leaving;  // labels that lead somewhere from here, and now and then one that does not
    for (Label label = 0; label < labels; ++label) {
      if (traffic.tables[label][v].output_mask != 0 || dice.one_in(10)) leaving.push_back(label);
    }
    const std::uint32_t packets = leaving.empty() ? 0 : dice.below(most + 1);
    for (std::uint32_t tag = 0; tag < packets; ++tag) {
      traffic.injections[v].push_back({leaving[dice.below(static_cast<std::uint32_t>(leaving.size()))], tag,
                                       dice.below(traffic.rank_levels),
                                       all_long ? 0 : dice.between(1, max_flits)});
    }
  }
  return traffic;
}

/// Changes the traffic for nodes that deal links: output masks name the first port of each branch and, with
/// `rest_ranks`, most entries have a rank for the ports that a packet has still to be sent through.
inline void deal_links(Dice& dice, const Graph& graph, RandomTraffic& traffic, bool rest_ranks) {
  traffic.deals_links = true;
  traffic.rest_ranks = rest_ranks;
  for (auto& table : traffic.tables) {
    for (NodeId v = 0; v < graph.node_count(); ++v) {
      std::uint64_t branches = 0;
      for (PortId port = 0; port < graph.degree(v); ++port) {
        PortId first = port;
        while (first > 0 && graph.peer(v, first - 1).node == graph.peer(v, port).node) --first;
        if ((table[v].output_mask >> port & 1) != 0) branches |= std::uint64_t{1} << first;
      }
      table[v].output_mask = branches;
      if (rest_ranks && !dice.one_in(3)) table[v].rest_rank = dice.below(traffic.rank_levels);
    }
  }
}

}  // namespace safnet::testbench
