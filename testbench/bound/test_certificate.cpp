#include <numeric>
#include <sstream>

#include "cpp_model/bound/certificate.hpp"
#include "cpp_model/bound/cut_bound.hpp"
#include "cpp_model/bound/load_bound.hpp"
#include "cpp_model/graph/topology.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/random_network.hpp"

using namespace safnet;

namespace {

Demand everything(const Graph& graph) {
  std::vector<NodeId> nodes(graph.node_count());
  std::iota(nodes.begin(), nodes.end(), NodeId{0});
  return Demand(graph.node_count(), nodes, nodes);
}

// Prices of "sending nodes 1 0; receiving nodes 2 1", "links 1 1".
Prices read(const std::string& certificate) {
  Prices prices;
  std::vector<std::uint32_t>* list = nullptr;
  std::istringstream words(certificate);
  for (std::string word; words >> word;) {
    if (word == "links") list = &prices.link;
    if (word == "sending") list = &prices.send;
    if (word == "receiving") list = &prices.receive;
    if (word[0] >= '0' && word[0] <= '9')
      REQUIRE_NOTHROW((list->push_back(static_cast<std::uint32_t>(std::stoul(word)))));
  }
  return prices;
}

}  // namespace

TEST_CASE("prices that are the published bounds", "[certificate]") {
  const Graph line = make_topology("linear:6");
  const Demand demand = everything(line);
  const auto proves = [&](const Prices& prices) {
    const PriceOfDemand price = evaluate(line, demand, prices);
    return std::pair(price.cheapest_ways, price.per_step);
  };
  CHECK(proves({{}, {1, 1, 1, 1, 1, 1}, {}}) ==
        std::pair<std::uint64_t, std::uint64_t>(line.total_status(), 6));
  CHECK(proves({{}, {0, 0, 1, 0, 0, 0}, {}}) == std::pair<std::uint64_t, std::uint64_t>(17, 1));
  CHECK(proves({{}, {0, 0, 1, 0, 0, 0}, {0, 0, 1, 0, 0, 0}}) ==
        std::pair<std::uint64_t, std::uint64_t>(34, 2));
  // The two links between nodes 2 and 3.
  Prices cut{std::vector<std::uint32_t>(line.link_count(), 0), {}, {}};
  cut.link[line.link(2, *line.port_to(2, 3))] = cut.link[line.link(3, *line.port_to(3, 2))] = 1;
  CHECK(proves(cut) == std::pair<std::uint64_t, std::uint64_t>(18, 2));
  CHECK(evaluate(line, demand, cut).steps() == 9);
  // 72 paid by all packets on mesh:3x3, 4 per step.
  const Graph mesh = make_topology("mesh:3x3");
  CHECK(evaluate(mesh, everything(mesh), {{}, {0, 1, 0, 1, 0, 1, 0, 1, 0}, {}}).steps() == 18);
}

TEST_CASE("prices that do not fit are refused", "[certificate]") {
  const Graph ring = make_topology("ring:3");
  const Demand demand = everything(ring);
  CHECK_THROWS_AS(evaluate(ring, demand, {{}, {1, 1}, {}}), std::invalid_argument);
  CHECK_THROWS_AS(evaluate(ring, demand, {{}, {1, 1, 1}, {1}}), std::invalid_argument);
  CHECK_THROWS_AS(evaluate(ring, demand, {{1, 1, 1, 1, 1, 1}, {1, 1, 1}, {}}), std::invalid_argument);
  CHECK_THROWS_WITH(evaluate(ring, demand, {{}, {0, 0, 0}, {}}), "prices: expected one that is not 0");
}

TEST_CASE("what the search finds is what its certificate proves", "[certificate]") {
  testbench::Dice dice(11);
  int found = 0;
  for (int i = 0; i < 60; ++i) {
    const Graph graph = testbench::random_graph(dice, 12, 5);
    const NodeId n = graph.node_count();
    for (const Demand& demand : {everything(graph), Demand(n, {0, 1}, {0, 1, n - 1})}) {
      for (const PortModel ports : {PortModel::kAllPort, PortModel::kOnePort, PortModel::kOnePortSend}) {
        const LowerBound bound = certificate_bound(graph, demand, ports, 0);
        CAPTURE(i, bound.certificate);
        REQUIRE(bound.steps > 0);
        const Prices prices = read(bound.certificate);
        CHECK(evaluate(graph, demand, prices).steps() == bound.steps);
        CHECK(prices.link.empty() == (ports != PortModel::kAllPort));
        if (ports == PortModel::kOnePortSend) CHECK(prices.receive.empty());
        // The published bounds are special cases of prices: the search finds as much or more.
        if (ports == PortModel::kAllPort) {
          const Cut cut = best_cut(graph, demand);
          CHECK(bound.steps >= (cut.packets + cut.links - 1) / cut.links);
        } else {
          CHECK(bound.steps >= hops_bound(graph, demand, ports).steps);
        }
        CHECK(certificate_bound(graph, demand, ports, bound.steps).steps == 0);
        ++found;
      }
    }
  }
  CHECK(found == 360);
}

TEST_CASE("the optimum of meshes", "[certificate]") {
  const auto steps = [](const std::string& topology, PortModel ports) {
    const Graph graph = make_topology(topology);
    return certificate_bound(graph, everything(graph), ports, 0).steps;
  };
  CHECK(steps("mesh:3x3", PortModel::kOnePortSend) == 18);
  CHECK(steps("mesh:4x4", PortModel::kOnePort) == 43);
  CHECK(steps("mesh:5x5", PortModel::kOnePort) == 85);
  CHECK(steps("linear:15", PortModel::kOnePort) == 112);
  CHECK(steps("mesh:4x3", PortModel::kAllPort) == 12);
  CHECK(steps("ring:65", PortModel::kAllPort) == 0);  // too large to be searched
}
