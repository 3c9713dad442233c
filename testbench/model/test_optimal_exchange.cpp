// Total exchange by branch and bound on tiny networks.
#include <functional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/algorithm/exchange/optimal_exchange.hpp"
#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/claim/claim_networks.hpp"
#include "cpp_model/graph/topology.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/fault_of.hpp"

using namespace safnet;
using namespace safnet::testbench;

namespace {

Problem exchange(const std::string& topology, PortModel ports) {
  return {make_topology(topology), CollectiveKind::kTotalExchange, ports};
}

std::uint64_t optimum(const std::string& topology, PortModel ports) {
  const Problem problem = exchange(topology, ports);
  const Schedule schedule = find_planner(problem, "branch-and-bound").plan(problem);
  CAPTURE(topology, to_string(ports));
  CHECK(fault_of(schedule) == "");
  return steps_of(schedule);
}

// Fewest steps by trying every choice of packets for the links, step by step: all placements of the packets
// that can be reached.
std::uint32_t exhaustive(const Problem& problem) {
  const Graph& graph = problem.graph;
  const NodeId n = graph.node_count();
  using Places = std::vector<NodeId>;  // [origin * n + destination]
  Places start(n * n), end(n * n);
  for (NodeId v = 0; v < n; ++v) {
    for (NodeId d = 0; d < n; ++d) {
      start[v * n + d] = v;
      end[v * n + d] = d;
    }
  }
  std::set<Places> layer{start};
  for (std::uint32_t steps = 0;; ++steps) {
    if (layer.count(end) != 0) return steps;
    std::set<Places> next;
    for (const Places& now : layer) {
      Places moved = now;
      std::vector<int> link(graph.link_count()), sent(n), received(n);
      const int some = problem.ports == PortModel::kAllPort ? 1000 : 1;
      const std::function<void(std::size_t)> choose = [&](std::size_t packet) {
        if (packet == now.size()) {
          next.insert(moved);
          return;
        }
        choose(packet + 1);
        const NodeId v = now[packet];
        for (PortId p = 0; p < graph.degree(v) && v != packet % n; ++p) {
          const NodeId u = graph.peer(v, p).node;
          const LinkId over = graph.link(v, p);
          if (link[over] != 0 || sent[v] == some || received[u] == some) continue;
          ++link[over], ++sent[v], ++received[u];
          moved[packet] = u;
          choose(packet + 1);
          moved[packet] = v;
          --link[over], --sent[v], --received[u];
        }
      };
      choose(0);
    }
    layer = std::move(next);
  }
}

}  // namespace

TEST_CASE("total exchange by branch and bound against exhaustive search to 3 nodes", "[optimal_exchange]") {
  for (const std::string& word : small_connected_graphs(3)) {
    for (const PortModel ports : {PortModel::kAllPort, PortModel::kOnePort}) {
      CAPTURE(word, to_string(ports));
      CHECK(optimum(word, ports) == exhaustive(exchange(word, ports)));
    }
  }
}

TEST_CASE("all-port total exchange meets its bound on all connected graphs to 5 nodes",
          "[optimal_exchange]") {
  for (const std::string& word : small_connected_graphs(5)) {
    CHECK(optimum(word, PortModel::kAllPort) == lower_bound(exchange(word, PortModel::kAllPort)).steps);
  }
}

TEST_CASE("one-port total exchange by branch and bound", "[optimal_exchange]") {
  CHECK(optimum("linear:2", PortModel::kOnePort) == 1);
  CHECK(optimum("linear:3", PortModel::kOnePort) == 4);
  CHECK(optimum("linear:4", PortModel::kOnePort) == 7);
  CHECK(optimum("linear:5", PortModel::kOnePort) == 12);
  CHECK(optimum("ring:5", PortModel::kOnePort) == 6);
  CHECK(optimum("complete:5", PortModel::kOnePort) == 4);
  CHECK(optimum("ring:4", PortModel::kOnePortSend) == 4);
  // Above its bound, 5.
  CHECK(optimum("edges:0-1,0-2,0-3,0-4,1-2,1-3,1-4,2-3", PortModel::kOnePort) == 6);
}

TEST_CASE("total exchange by branch and bound refuses and gives up in one line", "[optimal_exchange]") {
  CHECK_THROWS_AS(optimal_exchange(exchange("ring:6", PortModel::kAllPort)), std::invalid_argument);
  CHECK_THROWS_AS(find_planner(exchange("ring:6", PortModel::kAllPort), "branch-and-bound"),
                  std::invalid_argument);
  CHECK_THROWS_WITH(optimal_exchange(exchange("edges:0-2,0-3,0-4,1-2,1-3,1-4", PortModel::kOnePort), 100),
                    Catch::Contains("100 tries do not tell whether 7 steps do"));
}
