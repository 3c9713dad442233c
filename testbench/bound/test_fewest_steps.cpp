// Bounds against the optimum on tiny networks: none may exceed it, and most should meet it.
#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/claim/claim_networks.hpp"
#include "cpp_model/graph/topology.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/fewest_steps.hpp"

using namespace safnet;
using testbench::PersonalPackets;

namespace {

constexpr PortModel kModels[] = {PortModel::kAllPort, PortModel::kOnePort, PortModel::kOnePortSend};

PersonalPackets packets_of(const Problem& problem) {
  PersonalPackets packets(problem.graph, problem.ports);
  const PacketList list = collective_packets(problem);
  for (PacketIndex p = 0; p < list.size(); ++p) packets.add(list.origin(p), list.destinations(p)[0]);
  return packets;
}

struct Tally {
  int all = 0, met = 0;
};

// No schedule takes fewer steps than the bound; counts those that take as many.
void check(const Problem& problem, Tally& tally) {
  const LowerBound bound = lower_bound(problem);
  CAPTURE(problem.graph.spelling(), to_string(problem.collective), to_string(problem.ports), problem.root,
          problem.active, bound.steps, bound.reason);
  PersonalPackets packets = packets_of(problem);
  REQUIRE(bound.steps > 0);
  CHECK_FALSE(packets.feasible(bound.steps - 1));
  ++tally.all;
  tally.met += packets.feasible(bound.steps) ? 1 : 0;
}

}  // namespace

TEST_CASE("the search knows optima worked by hand", "[fewest_steps]") {
  const auto exchange = [](const std::string& topology, PortModel ports) {
    return packets_of({make_topology(topology), CollectiveKind::kTotalExchange, ports, 0, ""}).fewest_steps();
  };
  CHECK(exchange("linear:2", PortModel::kOnePort) == 1);
  CHECK(exchange("linear:3", PortModel::kOnePort) == 4);
  CHECK(exchange("linear:4", PortModel::kOnePort) == 7);
  CHECK(exchange("linear:4", PortModel::kAllPort) == 4);
  CHECK(exchange("ring:4", PortModel::kAllPort) == 2);
  CHECK(testbench::fewest_broadcast_steps(make_topology("complete:4"), 0) == 2);
  CHECK(testbench::fewest_broadcast_steps(make_topology("tree:3,1"), 0) == 3);
}

TEST_CASE("total exchange on all connected graphs of up to 4 nodes", "[fewest_steps][lower_bound]") {
  Tally tally;
  for (const std::string& word : small_connected_graphs(4)) {
    for (const PortModel ports : kModels)
      check({make_topology(word), CollectiveKind::kTotalExchange, ports, 0, ""}, tally);
  }
  CHECK(tally.all == 27);
  CHECK(tally.met == 27);
}

TEST_CASE("partial exchange and gather for one and two active nodes", "[fewest_steps][lower_bound]") {
  Tally tally;
  for (const std::string& word : small_connected_graphs(4)) {
    Problem problem{make_topology(word), CollectiveKind::kPartialExchange, PortModel::kAllPort, 0, ""};
    for (std::uint32_t set = 1; set < (1U << problem.graph.node_count()); ++set) {
      problem.active.clear();
      for (NodeId v = 0; v < problem.graph.node_count(); ++v) {
        if (((set >> v) & 1) != 0) problem.active.push_back(v);
      }
      if (problem.active.size() > 2) continue;  // takes long; all of them are total exchange
      for (const PortModel ports : kModels) {
        for (const CollectiveKind kind : {CollectiveKind::kPartialExchange, CollectiveKind::kPartialGather}) {
          problem.ports = ports;
          problem.collective = kind;
          check(problem, tally);
        }
      }
    }
  }
  CAPTURE(tally.all, tally.met);
  CHECK(tally.met == tally.all);
}

TEST_CASE("scatter and gather from all nodes of all connected graphs of up to 5 nodes",
          "[fewest_steps][lower_bound]") {
  Tally tally;
  for (const std::string& word : small_connected_graphs(5)) {
    const Graph graph = make_topology(word);
    for (NodeId root = 0; root < graph.node_count(); ++root) {
      for (const PortModel ports : kModels) {
        check({graph, CollectiveKind::kScatter, ports, root, ""}, tally);
        check({graph, CollectiveKind::kGather, ports, root, ""}, tally);
      }
    }
  }
  CHECK(tally.met == tally.all);
}

TEST_CASE("one-port broadcast from all nodes of all connected graphs of up to 6 nodes",
          "[fewest_steps][lower_bound]") {
  int all = 0, met = 0;
  for (const std::string& word : small_connected_graphs(6)) {
    const Graph graph = make_topology(word);
    for (NodeId root = 0; root < graph.node_count(); ++root) {
      const std::uint64_t optimum = testbench::fewest_broadcast_steps(graph, root);
      for (const PortModel ports : {PortModel::kOnePort, PortModel::kOnePortSend}) {
        const LowerBound bound = lower_bound({graph, CollectiveKind::kBroadcast, ports, root, ""});
        CAPTURE(word, root, bound.reason);
        CHECK(bound.steps <= optimum);
        ++all;
        met += bound.steps == optimum ? 1 : 0;
      }
    }
  }
  CAPTURE(met, all);
  CHECK(met * 100 > all * 99);
}
