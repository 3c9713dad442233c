// A bound is of the network, not of the numbers of its nodes: random networks, and the same ones with their
// nodes renumbered.
#include <numeric>

#include "cpp_model/bound/lower_bound.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/random_network.hpp"

using namespace safnet;
using testbench::Dice;
using testbench::random_graph;

namespace {

// Node v becomes new_number[v]; ports stay.
Graph renumbered(const Graph& graph, const std::vector<NodeId>& new_number) {
  std::vector<std::vector<Endpoint>> ports(graph.node_count());
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    for (PortId p = 0; p < graph.degree(v); ++p) {
      const Endpoint far = graph.peer(v, p);
      ports[new_number[v]].push_back({new_number[far.node], far.port});
    }
  }
  return Graph("renumbered", std::move(ports));
}

}  // namespace

TEST_CASE("renumbering the nodes of a network changes no bound", "[lower_bound]") {
  Dice dice(20261127);
  for (int round = 0; round < 60; ++round) {
    const Graph graph = random_graph(dice, 12, 5);
    std::vector<NodeId> new_number(graph.node_count());
    std::iota(new_number.begin(), new_number.end(), NodeId{0});
    dice.shuffle(new_number);
    const NodeId root = dice.below(graph.node_count());
    for (const CollectiveKind collective :
         {CollectiveKind::kBroadcast, CollectiveKind::kScatter, CollectiveKind::kGather,
          CollectiveKind::kReduction, CollectiveKind::kMultinodeBroadcast,
          CollectiveKind::kMultinodeAccumulation, CollectiveKind::kTotalExchange,
          CollectiveKind::kAllreduce}) {
      for (const PortModel ports : {PortModel::kAllPort, PortModel::kOnePort, PortModel::kOnePortSend}) {
        const std::uint32_t messages = dice.between(1, 3);
        const auto bound_of = [&](const Graph& network, NodeId from) {
          Problem problem{.graph = network, .collective = collective, .ports = ports, .root = from};
          problem.messages = messages;
          return lower_bound(problem).steps;
        };
        CAPTURE(round, graph.node_count(), to_string(collective), to_string(ports), messages, root);
        CHECK(bound_of(graph, root) == bound_of(renumbered(graph, new_number), new_number[root]));
      }
    }
  }
}
