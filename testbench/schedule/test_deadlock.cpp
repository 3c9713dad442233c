// The circles of waits that find_deadlock() looks for, against networks that get stuck: what it calls free of
// deadlock never does, with queues of one place, whatever the tables, orders and packets.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/check/deadlock.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/system/unfinished.hpp"
#include "cpp_model/systemc/reference_network.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/random_network.hpp"

using namespace safnet;
using namespace safnet::testbench;

namespace {

DeadlockAnalysis analyse(const std::string& topology, CollectiveKind collective, PortModel ports,
                         const std::string& algorithm) {
  const Problem problem{.graph = make_topology(topology), .collective = collective, .ports = ports};
  const auto found = std::ranges::find_if(algorithms(), [&](const Algorithm& candidate) {
    return candidate.collective == collective && candidate.name == algorithm;
  });
  REQUIRE(found != algorithms().end());
  REQUIRE(found->policy);
  return find_deadlock(problem.graph, ports, found->policy(problem));
}

// Every node of a ring of four has a packet for the node so many hops further, and all go the same way round.
Policy round_the_ring(std::uint32_t hops) {
  Policy policy;
  policy.label_count = 4;
  // Label L ends at node L. Port 0 of a ring's node leads to the next one.
  policy.table = [](NodeId v, Label label) {
    return TableEntry{v == label ? PortSet{0} : PortSet{1}, v == label, 0, {}};
  };
  policy.injections = [hops](NodeId v) {
    return std::vector<Injection>{{static_cast<Label>((v + hops) % 4), v, 0, 0}};
  };
  return policy;
}

}  // namespace

TEST_CASE("a circle may be of all links that there are", "[deadlock]") {
  const Temporary file(std::filesystem::temp_directory_path() /
                       ("safnet_one_way_ring_" + std::to_string(::getpid()) + ".gv"));
  std::ofstream(file.path()) << "digraph { 0 -> 1 -> 2 -> 3 -> 0 }";
  const Graph ring = make_topology("graph:" + file.path().string());
  REQUIRE(ring.link_count() == 4);
  CHECK(find_deadlock(ring, PortModel::kAllPort, round_the_ring(2)).circle.size() == 4);
}

TEST_CASE("packets that go two links round a ring wait in a circle, those that go one do not", "[deadlock]") {
  const Graph ring = make_topology("ring:4");
  const DeadlockAnalysis one = find_deadlock(ring, PortModel::kAllPort, round_the_ring(1));
  CHECK(one.links == 4);
  CHECK(one.waits == 0);
  CHECK(one.circle.empty());
  CHECK(std::ranges::count(one.chain, 1U) == 4);
  const DeadlockAnalysis two = find_deadlock(ring, PortModel::kAllPort, round_the_ring(2));
  CHECK(two.waits == 4);
  REQUIRE(two.circle.size() == 4);
  for (std::size_t i = 0; i < 4; ++i)
    CHECK(ring.link_target(two.circle[i]) == ring.link_source(two.circle[(i + 1) % 4]));
}

TEST_CASE("all-port fat trees have no circle, one-port-send ones have one of two links", "[deadlock]") {
  for (const char* tree :
       {"fat-tree:2,2", "fat-tree:2,3", "fat-tree:4,2", "fat-tree:2,3,exponential", "fat-tree:3x2,1,2"}) {
    INFO(tree);
    for (const char* algorithm : {"digit-order", "ascending-order"}) {
      const DeadlockAnalysis free =
          analyse(tree, CollectiveKind::kTotalExchange, PortModel::kAllPort, algorithm);
      CHECK(free.circle.empty());
      CHECK(free.waits > 0);
      CHECK(free.links == make_topology(tree).link_count());  // dealt ones too
    }
    const DeadlockAnalysis stuck =
        analyse(tree, CollectiveKind::kTotalExchange, PortModel::kOnePortSend, "parent-first");
    CHECK(stuck.circle.size() == 2);
  }
}

TEST_CASE("a line has no circle if all-port, in one queue its two directions make one", "[deadlock]") {
  const Graph line = make_topology("linear:4");
  Policy both_ways;
  both_ways.label_count = 2;  // 0 leads to the last node, 1 to the first
  both_ways.table = [&line](NodeId v, Label label) {
    const NodeId end = label == 0 ? 3 : 0;
    if (v == end) return TableEntry{0, true, 0, {}};
    return TableEntry{port_bit(*line.port_to(v, label == 0 ? v + 1 : v - 1)), false, 0, {}};
  };
  both_ways.injections = [](NodeId v) {
    return v == 0   ? std::vector<Injection>{{0, 0, 0, 0}}
           : v == 3 ? std::vector<Injection>{{1, 0, 0, 0}}
                    : std::vector<Injection>{};
  };
  const DeadlockAnalysis all = find_deadlock(line, PortModel::kAllPort, both_ways);
  CHECK(all.circle.empty());
  CHECK(*std::ranges::max_element(all.chain) == 3);
  const DeadlockAnalysis one = find_deadlock(line, PortModel::kOnePortSend, both_ways);
  REQUIRE(one.circle.size() == 2);
  CHECK(line.link_source(one.circle[0]) == line.link_target(one.circle[1]));
}

TEST_CASE("what is free of deadlock never gets stuck with queues of one place", "[deadlock]") {
  int free = 0, with_circle = 0, stuck = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    Dice dice(seed);
    const bool fat = dice.one_in(3);
    const Graph graph = fat ? Graph(fat_tree(random_fat_tree(dice, 8))) : random_graph(dice, 8, 4);
    RandomTraffic traffic = random_traffic(dice, graph, 24, 3);
    constexpr PortModel kPortModels[] = {PortModel::kAllPort, PortModel::kOnePort, PortModel::kOnePortSend};
    const PortModel ports = kPortModels[dice.below(3)];
    if (fat) deal_links(dice, graph, traffic, ports != PortModel::kAllPort);
    const Policy policy = traffic.policy();
    const DeadlockAnalysis analysis = find_deadlock(graph, ports, policy);
    ReferenceParameters parameters;
    parameters.ports = ports;
    parameters.flits = 3;
    parameters.queue_depth = 1;
    parameters.host_depth = 32;
    parameters.inject_ports = 1;
    parameters.grant_cycles = ports == PortModel::kOnePort ? 2 : 0;
    const ReferenceRun run = run_reference(graph, policy, parameters, 1'000'000);
    INFO("seed " << seed << " " << to_string(ports));
    if (analysis.circle.empty()) {
      ++free;
      CHECK_FALSE(run.stuck);
    } else {
      ++with_circle;
      stuck += run.stuck ? 1 : 0;
    }
  }
  // Of both kinds there are many, and circles are not found where nothing ever gets stuck.
  CHECK(free > 200);
  CHECK(with_circle > 100);
  CHECK(stuck > 50);
}

TEST_CASE("more labels and links than can be followed are refused", "[deadlock]") {
  Policy policy = round_the_ring(1);
  policy.label_count = 0x7fff'ffff;
  CHECK_THROWS_WITH(find_deadlock(make_topology("ring:4"), PortModel::kAllPort, policy),
                    "ring:4: 8 links and 2147483647 labels; expected at most 2147483648 of both multiplied");
}
