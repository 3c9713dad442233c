// Runs that take minutes to build or to finish, for `make test-stress` and `make coverage`: nodes of 16 ports
// of every kind with traffic through all of them at once, queues that fill to their last place, tdm_nodes
// whose buffers and generations are used to their highest numbers, and more cycles than counters have in
// their lower half. Hidden from `make test`.
#include <array>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "cpp_model/check/schedule_check.hpp"
#include "cpp_model/graph/topology.hpp"
#include "sim/run/replay.hpp"
#include "sim/run/run.hpp"
#include "sim/run/scan_run.hpp"
#include "sim/run/traffic.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/random_network.hpp"
#include "testbench/support/schedule_draft.hpp"
#include "testbench/support/unequal_networks.hpp"

using namespace safnet;
using namespace safnet::testbench;

namespace {

RunRequest request_for(const std::string& topology, CollectiveKind collective, PortModel ports,
                       const std::string& node) {
  RunRequest request(Problem{.graph = make_topology(topology), .collective = collective, .ports = ports});
  request.node = node == "tdm" ? NodeChoice::kTdm : NodeChoice::kRouter;
  if (node != "tdm") request.router = find_router_kind(node);
  return request;
}

void check_run(const RunRequest& request) {
  const RunResult result = run_collective(request, VariantStore::standard());
  CHECK((result.problems.empty() ? "" : result.problems.front()) == std::string());
  CHECK(result.exit_code() == 0);
  CHECK(result.delivered == result.expected_deliveries);
  CHECK(result.delivered > 0);
}

LinkId link_between(const Graph& graph, NodeId from, NodeId to) {
  return graph.link(from, *graph.port_to(from, to));
}

/// Two of the nodes 1 to `neighbours`.
std::pair<NodeId, NodeId> two_neighbours(Dice& dice, NodeId neighbours) {
  const NodeId first = 1 + dice.below(neighbours), second = 1 + dice.below(neighbours - 1);
  return {first, second < first ? second : second + 1};
}

/// It runs as planned, in so many buffers.
void check_replay(const Schedule& schedule, std::uint32_t buffers) {
  REQUIRE(first_words(check_schedule(schedule)) == "valid");
  const ReplayResult result = replay(schedule, {}, VariantStore::standard());
  CHECK((result.problems.empty() ? "" : result.problems.front()) == std::string());
  CHECK(result.on_time == schedule.sends.size());
  CHECK(result.delivered == schedule.packets.size());
  CHECK(result.measured_buffers == buffers);
}

}  // namespace

TEST_CASE("nodes of 16 ports of every kind", "[.stress]") {
  using enum CollectiveKind;
  for (const std::string node : {"pifo", "fifo", "tdm"}) {
    for (const PortModel ports : {PortModel::kAllPort, PortModel::kOnePort, PortModel::kOnePortSend}) {
      for (const CollectiveKind collective : {kTotalExchange, kGather, kBroadcast}) {
        // Gathers of routers are all-port.
        if (collective == kGather && node != "tdm" && ports != PortModel::kAllPort) continue;
        CAPTURE(node, to_string(ports), to_string(collective));
        RunRequest request = request_for("complete:17", collective, ports, node);
        request.flits = 4;
        request.link_latency = 1;
        request.problem.root = 16;
        check_run(request);
      }
    }
  }
  for (const CollectiveKind collective : {kReduction, kAllreduce, kMultinodeAccumulation}) {
    CAPTURE(to_string(collective));
    RunRequest request = request_for("complete:17", collective, PortModel::kAllPort, "tdm");
    request.flits = 4;
    check_run(request);
  }
}

// 81 nodes of 16 ports, two hops apart: packets of all ports wait for one another.
TEST_CASE("detours through nodes of 16 ports, which ask before they send", "[.stress]") {
  for (const std::string node : {"pifo", "fifo"}) {
    for (const PortModel ports : {PortModel::kOnePort, PortModel::kAllPort}) {
      CAPTURE(node, to_string(ports));
      RunRequest request =
          request_for("product(complete:9,complete:9)", CollectiveKind::kTotalExchange, ports, node);
      request.algorithm = "furthest-first";
      request.flits = 4;
      request.link_latency = 1;
      if (ports == PortModel::kOnePort) request.grants = GrantMode::kOn;
      if (ports == PortModel::kAllPort) request.queue_depth = 1;
      check_run(request);
    }
  }
}

TEST_CASE("a timetable of nodes of 16 ports, on links that are slower than it says", "[.stress]") {
  const Graph quick = make_topology("product(complete:9,complete:9)");
  Dice dice(1);
  Schedule schedule = planned({.graph = quick, .collective = CollectiveKind::kTotalExchange});
  schedule.network = with_random_timing(quick, dice, 20, 5);
  const ReplayResult result = replay(schedule, {}, VariantStore::standard());
  CHECK(result.on_time < schedule.sends.size());
  CHECK(result.delivered == result.expected_deliveries);
}

TEST_CASE("every link of a node of 16 ports loses a packet, or damages it", "[.stress]") {
  for (const std::string node : {"pifo", "fifo", "tdm"}) {
    for (PortId port = 0; port < 16; ++port) {
      for (const bool drop : {true, false}) {
        CAPTURE(node, port, drop);
        RunRequest request = request_for("complete:17", CollectiveKind::kGather, PortModel::kAllPort, node);
        request.problem.root = 16;
        request.link_latency = 1;
        request.faults = {{16, port, drop, !drop}};
        const RunResult result = run_collective(request, VariantStore::standard());
        CHECK(result.exit_code() != 0);
        if (drop) CHECK(result.delivered == result.expected_deliveries - 1);
      }
    }
  }
}

TEST_CASE("many messages and long packets through nodes of 8 and 16 ports", "[.stress]") {
  for (const CollectiveKind collective : {CollectiveKind::kAllreduce, CollectiveKind::kMultinodeBroadcast}) {
    CAPTURE(to_string(collective));
    RunRequest request = request_for("complete:17", collective, PortModel::kAllPort, "tdm");
    request.algorithm = "in-turn";
    request.problem.messages = 40;
    check_run(request);
  }
  for (const std::string node : {"pifo", "fifo", "tdm"}) {
    CAPTURE(node);
    RunRequest request = request_for("complete:9", CollectiveKind::kTotalExchange, PortModel::kAllPort, node);
    request.flits = 64;
    request.problem.messages = 8;
    check_run(request);
  }
}

TEST_CASE("links as long as they may be, and queues as deep", "[.stress]") {
  // Each bit of a setting is 1 in one of the values and 0 in another.
  for (const std::string node : {"pifo", "tdm"}) {
    for (const int latency : {21, 42, 63, 64}) {
      for (const int flits : {1, 64}) {
        CAPTURE(node, latency, flits);
        RunRequest request = request_for("ring:4", CollectiveKind::kTotalExchange, PortModel::kAllPort, node);
        request.link_latency = latency;
        request.flits = flits;
        check_run(request);
      }
    }
  }
  for (const int depth : {1365, 2730, 4095, 4096}) {
    CAPTURE(depth);
    RunRequest request = request_for("ring:4", CollectiveKind::kTotalExchange, PortModel::kAllPort, "pifo");
    request.queue_depth = depth;
    check_run(request);
  }
}

TEST_CASE("queues that are full to the last place", "[.stress]") {
  for (const std::string node : {"pifo", "fifo"}) {
    CAPTURE(node);
    RunRequest request = request_for("mesh:4x4", CollectiveKind::kTotalExchange, PortModel::kAllPort, node);
    request.algorithm = "furthest-first";
    request.problem.messages = 100;
    check_run(request);
  }
  RunRequest request = request_for("ring:16", CollectiveKind::kTotalExchange, PortModel::kAllPort, "pifo");
  request.algorithm = "parity-message-shift";
  request.problem.messages = 250;
  check_run(request);
}

TEST_CASE("a tdm_node of 8 ports that holds 120 long packets", "[.stress]") {
  // One after the other comes from a neighbour, so that packet k has buffer k; then all leave in another
  // order.
  constexpr NodeId kHub = 0, kNeighbours = 8;
  constexpr PacketIndex kPackets = 120;
  Schedule schedule(make_topology("complete:9"));
  schedule.slot_cycles = 64;
  Dice dice(1);
  std::vector<NodeId> destinations;
  for (PacketIndex k = 0; k < kPackets; ++k) {
    const auto [from, to] = two_neighbours(dice, kNeighbours);
    destinations.push_back(to);
    schedule.packets.add(from, k, 64, std::array{to});
    schedule.sends.push_back({k + 1, link_between(schedule.network, from, kHub), k});
  }
  std::vector<PacketIndex> order(kPackets);
  std::iota(order.begin(), order.end(), 0);
  dice.shuffle(order);
  for (PacketIndex k = 0; k < kPackets; ++k)
    schedule.sends.push_back(
        {kPackets + k + 1, link_between(schedule.network, kHub, destinations[order[k]]), order[k]});
  check_replay(schedule, kPackets);
}

TEST_CASE("a tdm_node through whose first buffer 40,000 packets pass", "[.stress]") {
  constexpr NodeId kHub = 0, kNeighbours = 4;
  Schedule schedule(make_topology("complete:5"));
  Dice dice(2);
  // From packet 32,768 on the highest of the 16 bits of a generation is set. A buffer is free again three
  // cycles after its last send, so packets come every six slots. Every fiftieth follows the one before at
  // once and gets the second buffer, whose generations are low: the next send through its port has a low one
  // again.
  std::uint32_t slot = 1;
  for (PacketIndex k = 0; k < 40'800; ++k, slot += k % 50 == 0 ? 1 : 6) {
    const auto [from, to] = two_neighbours(dice, kNeighbours);
    schedule.packets.add(from, k, 1, std::array{to});
    schedule.sends.push_back({slot, link_between(schedule.network, from, kHub), k});
    schedule.sends.push_back({slot + 1, link_between(schedule.network, kHub, to), k});
  }
  sort_sends(schedule);
  check_replay(schedule, 2);
}

TEST_CASE("more than 65,536 cycles", "[.stress]") {
  for (const std::string node : {"pifo", "fifo", "tdm"}) {
    CAPTURE(node);
    RunRequest request = request_for("linear:3", CollectiveKind::kTotalExchange, PortModel::kAllPort, node);
    request.flits = 64;
    request.problem.messages = node == "tdm" ? 300 : 600;
    check_run(request);
  }
}

TEST_CASE("a million packets from each node", "[.stress]") {
  const Graph graph = make_topology("ring:3");
  const PacketRoutes routes(graph, PortModel::kAllPort, "");
  const TrafficPattern pattern("uniform", graph);
  for (const std::string node : {"pifo", "fifo"}) {
    CAPTURE(node);
    TrafficRequest request;
    request.router = find_router_kind(node);
    request.rate = Rational(9, 10);
    request.phases = {1000, 1'200'000, 10'000};
    const TrafficResult result = run_traffic(request, routes, pattern, VariantStore::standard());
    CHECK((result.problems.empty() ? "" : result.problems.front()) == std::string());
    CHECK(result.generated == result.delivered);
    CHECK(result.delivered > 3'000'000);
  }
}
