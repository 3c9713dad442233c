// The fabric (a model per node, wired in C++) and tdm_network.sv (all in one model) are the same machine:
// every transfer, every delivery, every counter and every late send must agree, cycle for cycle.
#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cpp_model/graph/topology.hpp"
#include "sim/run/replay.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/greedy_plan.hpp"

using namespace safnet;
using testbench::greedy_plan;

namespace {

// Every node sends what it has combined to the next one on a shortest path to the root, the farthest first:
// all parts of a node's packet arrive in one step.
Schedule convergecast(const std::string& topology, Operation operation) {
  Problem problem{.graph = make_topology(topology), .collective = CollectiveKind::kReduction};
  Schedule schedule = empty_schedule(problem, "convergecast");
  schedule.operation = operation;
  const Graph& graph = problem.graph;
  const std::vector<std::uint32_t> distance = graph.distances_from(problem.root);
  const std::uint32_t farthest = *std::max_element(distance.begin(), distance.end());
  std::vector<PacketIndex> has(graph.node_count());
  std::vector<std::vector<PacketIndex>> parts(graph.node_count());
  for (NodeId v = 0; v < graph.node_count(); ++v) parts[v] = {v};
  for (std::uint32_t d = farthest + 1; d-- > 0;) {
    for (NodeId v = 0; v < graph.node_count(); ++v) {
      if (distance[v] != d) continue;
      has[v] = parts[v].front();
      const std::vector<NodeId> root{v};
      if (parts[v].size() > 1) {
        has[v] = schedule.packets.add(v, 1, 1, d == 0 ? root : std::vector<NodeId>{}, parts[v]);
      }
      if (d == 0) continue;
      PortId port = 0;
      while (distance[graph.peer(v, port).node] >= d) ++port;
      schedule.sends.push_back({farthest - d + 1, graph.link(v, port), has[v]});
      parts[graph.peer(v, port).node].push_back(has[v]);
    }
  }
  sort_sends(schedule);
  return schedule;
}

Schedule greedy(const char* topology, CollectiveKind kind, PortModel ports) {
  return greedy_plan({.graph = make_topology(topology), .collective = kind, .ports = ports});
}

// The same schedule in slots of one cycle each.
Schedule in_cycles(Schedule schedule) {
  for (Send& send : schedule.sends) send.start = static_cast<std::uint32_t>(schedule.cycle(send));
  schedule.slot_cycles = 1;
  return schedule;
}

struct Case {
  std::string name;
  Schedule schedule;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  const auto exchange = CollectiveKind::kTotalExchange;
  all.push_back({"all-port, single flits", greedy("ring:7", exchange, PortModel::kAllPort)});
  all.push_back({"one-port, four flits in lockstep, latency 1",
                 in_lockstep(greedy("mesh:3x2", CollectiveKind::kScatter, PortModel::kOnePort), 4, 1)});
  all.push_back({"all-port, four flits running freely, latency 1",
                 in_cycles(in_lockstep(greedy("ring:4", exchange, PortModel::kAllPort), 4, 1))});
  all.push_back({"a reduction of three flits, latency 1",
                 in_lockstep(convergecast("mesh:3x2", Operation::kSum), 3, 1)});
  return all;
}

ReplayRequest request(bool whole) {
  ReplayRequest result;
  result.keep_trace = true;
  result.whole_network = whole;
  return result;
}

void require_same(const ReplayResult& fabric, const ReplayResult& network) {
  CHECK(!fabric.trace.transfers.empty());
  CHECK(fabric.trace.transfers == network.trace.transfers);
  CHECK(fabric.trace.deliveries == network.trace.deliveries);
  CHECK(fabric.problems == network.problems);
  CHECK(fabric.waits == network.waits);
  CHECK(fabric.stuck == network.stuck);
  CHECK(fabric.steps == network.steps);
  CHECK(fabric.cycles == network.cycles);
  CHECK(fabric.delay_sum == network.delay_sum);
  CHECK(fabric.transmissions == network.transmissions);
  CHECK(fabric.on_time == network.on_time);
  CHECK(fabric.late == network.late);
  CHECK(fabric.measured_buffers == network.measured_buffers);
}

}  // namespace

TEST_CASE("the fabric of tdm_nodes and tdm_network.sv agree transfer for transfer", "[tdm_network]") {
  const std::vector<Case> all = cases();
  // Building the networks takes most of the time: two at once.
  std::atomic<std::size_t> next{0};
  const auto build = [&] {
    for (std::size_t i = next++; i < all.size(); i = next++) {
      const Schedule& schedule = all[i].schedule;
      VariantStore::standard().load_network(
          tdm_hardware(replay_parameters(schedule, compile_program(schedule), request(true))),
          schedule.network);
    }
  };
  std::thread other(build);
  build();
  other.join();

  for (const Case& each : all) {
    INFO(each.name);
    const ReplayResult fabric = replay(each.schedule, request(false), VariantStore::standard());
    const ReplayResult network = replay(each.schedule, request(true), VariantStore::standard());
    CHECK(fabric.problems.empty());
    CHECK(fabric.on_time == each.schedule.sends.size());
    CHECK(fabric.delivered > 0);
    require_same(fabric, network);
  }
}

TEST_CASE("late and stuck runs agree too", "[tdm_network]") {
  const Schedule schedule = std::move(cases().front().schedule);
  const auto both = [&](const auto& change) {
    ReplayRequest one = request(false), other = request(true);
    change(one);
    change(other);
    const ReplayResult fabric = replay(schedule, one, VariantStore::standard());
    require_same(fabric, replay(schedule, other, VariantStore::standard()));
    return fabric;
  };
  SECTION("a host that feeds slowly: late, and every packet still arrives intact") {
    const ReplayResult result = both([](ReplayRequest& r) { r.feed_interval = 6; });
    CHECK(result.late > 0);
    CHECK(!result.stuck);
    CHECK(result.lost == 0);
    CHECK(result.duplicated == 0);
    CHECK(result.cycles > result.planned_cycles);
  }
  SECTION("a packet lost on its way: the run is stuck, and says who waits") {
    const ReplayResult result = both([](ReplayRequest& r) {
      r.faults = {{2, 0, true, false}};
      r.fault_until = 1;
    });
    CHECK(result.stuck);
    CHECK(result.lost > 0);
    CHECK(!result.waits.empty());
  }
}
