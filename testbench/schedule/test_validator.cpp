// Each rule is broken once in a trace that is otherwise right, and must be seen.
#include <functional>

#include "cpp_model/check/schedule_check.hpp"
#include "cpp_model/check/validator.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/schedule/schedule_of_trace.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

namespace {

constexpr std::uint32_t kFlits = 3;
constexpr std::uint32_t kLatency = 2;

Transfer transfer(std::uint32_t cycle, NodeId from, PortId port, PacketId packet) {
  return {cycle, cycle, from, port, packet, kFlits};
}

Delivery delivery(std::uint32_t cycle, NodeId node, PortId port, PacketId packet) {
  return {cycle, cycle, node, port, packet};
}

// Node 1 of a row of four scatters, one packet after the other. On linear:4, port 0 leads up. A packet of
// three flits that leaves in cycle c holds its link to c+2, has arrived at the end of c+4 and can leave again
// in c+5.
struct Example {
  Graph graph = make_topology("linear:4");
  Collective collective{CollectiveKind::kScatter, 4, 1};
  PortModel ports = PortModel::kOnePort;
  Trace trace{{transfer(1, 1, 0, {1, 3}), transfer(4, 1, 0, {1, 2}), transfer(6, 2, 0, {1, 3}),
               transfer(7, 1, 1, {1, 0})},
              {delivery(8, 2, 1, {1, 2}), delivery(10, 3, 0, {1, 3}), delivery(11, 0, 0, {1, 0})}};

  ValidationReport validate_it() const { return validate(graph, collective, ports, trace, kLatency); }
};

void check_caught(const Example& example, const std::string& words) {
  const ValidationReport report = example.validate_it();
  CHECK_FALSE(report.valid);
  REQUIRE_FALSE(report.problems.empty());
  CHECK_THAT(report.problems.front(), Catch::Contains(words));
}

}  // namespace

TEST_CASE("a right trace is valid under every port model", "[validator]") {
  Example example;
  for (const PortModel ports : {PortModel::kAllPort, PortModel::kOnePort, PortModel::kOnePortSend}) {
    example.ports = ports;
    const ValidationReport report = example.validate_it();
    CHECK(report.valid);
    CHECK_THAT(report.problems, Catch::Equals(std::vector<std::string>{}));
  }
}

TEST_CASE("a packet sent on too early is caught", "[validator]") {
  Example example;
  example.trace.transfers[2].cycle = 5;
  example.trace.deliveries[1].cycle = 9;
  check_caught(example, "tag 3");
}

TEST_CASE("a packet sent by a node that never had it is caught", "[validator]") {
  Example example;
  example.trace.transfers[2].packet.tag = 0;
  check_caught(example, "tag 0");
}

TEST_CASE("two packets on one link at once are caught", "[validator]") {
  Example example;
  example.ports = PortModel::kAllPort;
  example.trace.transfers[1].cycle = 3;
  example.trace.deliveries[0].cycle = 7;
  check_caught(example, "link");
}

TEST_CASE("two packets sent at once are caught, except all-port", "[validator]") {
  Example example;
  example.trace.transfers[3].cycle = 6;
  std::swap(example.trace.transfers[2], example.trace.transfers[3]);
  example.trace.deliveries[2].cycle = 10;
  check_caught(example, "sending");
  example.ports = PortModel::kOnePortSend;
  check_caught(example, "sending");
  example.ports = PortModel::kAllPort;
  CHECK(example.validate_it().valid);
}

TEST_CASE("two packets received at once are caught in the one-port model only", "[validator]") {
  // Nodes 0 and 2 of a ring of three exchange with node 1 and each other, all in two rounds.
  const Graph graph = make_topology("ring:3");
  const Collective collective(CollectiveKind::kTotalExchange, 3, 0);
  const Trace trace{{transfer(1, 0, 0, {0, 1}), transfer(1, 1, 0, {1, 2}), transfer(1, 2, 1, {2, 1}),
                     transfer(4, 0, 1, {0, 2}), transfer(4, 1, 1, {1, 0}), transfer(4, 2, 0, {2, 0})},
                    {delivery(5, 1, 1, {0, 1}), delivery(5, 1, 0, {2, 1}), delivery(5, 2, 1, {1, 2}),
                     delivery(8, 0, 0, {1, 0}), delivery(8, 0, 1, {2, 0}), delivery(8, 2, 0, {0, 2})}};
  CHECK(validate(graph, collective, PortModel::kAllPort, trace, kLatency).valid);
  CHECK(validate(graph, collective, PortModel::kOnePortSend, trace, kLatency).valid);
  const ValidationReport report = validate(graph, collective, PortModel::kOnePort, trace, kLatency);
  CHECK_FALSE(report.valid);
  CHECK_THAT(report.problems.front(), Catch::Contains("receiving"));
}

TEST_CASE("a missing, repeated or unexpected delivery is caught", "[validator]") {
  Example missing;
  missing.trace.deliveries.pop_back();
  CHECK_FALSE(missing.validate_it().valid);

  Example twice;
  twice.trace.deliveries.push_back(twice.trace.deliveries.back());
  check_caught(twice, "twice");

  Example unexpected;
  unexpected.trace.deliveries.push_back(delivery(5, 2, 1, {1, 3}));  // it only passes through node 2
  CHECK_FALSE(unexpected.validate_it().valid);

  Example to_itself;
  to_itself.trace.deliveries.push_back(delivery(1, 1, 0, {1, 1}));
  CHECK_FALSE(to_itself.validate_it().valid);
}

TEST_CASE("a delivery that matches no arrival is caught", "[validator]") {
  Example no_arrival;
  no_arrival.trace.transfers.pop_back();
  CHECK_FALSE(no_arrival.validate_it().valid);

  Example too_early;
  too_early.trace.deliveries[0].cycle = 7;
  CHECK_FALSE(too_early.validate_it().valid);

  Example too_late;
  too_late.trace.deliveries[0].cycle = 9;
  CHECK_FALSE(too_late.validate_it().valid);

  Example before_the_first;
  before_the_first.trace.deliveries[0].cycle = 0;
  check_caught(before_the_first, "cycles count from 1");

  Example wrong_port;
  wrong_port.trace.deliveries[0].port = 0;
  CHECK_FALSE(wrong_port.validate_it().valid);
}

TEST_CASE("transfers over links that do not exist are caught, and nothing crashes", "[validator]") {
  const std::vector<std::function<void(Trace&)>> breaks{
      [](Trace& t) { t.transfers[0].from = 4; },
      [](Trace& t) { t.transfers[0].port = 2; },
      [](Trace& t) { t.transfers[0].packet.source = 99; },
      [](Trace& t) { t.transfers[0].cycle = 0; },
      [](Trace& t) { t.transfers[0].flits = 0; },
      [](Trace& t) { t.transfers[0].flits = kFlits + 1; },
      [](Trace& t) { t.transfers[2].flits = kFlits - 1; },  // shorter than it came
      [](Trace& t) { t.deliveries[0].node = 4; },
      [](Trace& t) {
        t.deliveries[0].packet = {99, 99};
      },
      [](Trace& t) { t = {}; },
  };
  for (std::size_t i = 0; i < breaks.size(); ++i) {
    CAPTURE(i);
    Example example;
    breaks[i](example.trace);
    CHECK_FALSE(example.validate_it().valid);
  }
}

TEST_CASE("of many problems the first twenty are kept", "[validator]") {
  const Graph graph = make_topology("ring:9");
  const ValidationReport report =
      validate(graph, Collective(CollectiveKind::kTotalExchange, 9, 0), PortModel::kAllPort,
               {std::vector<Transfer>(50, transfer(1, 3, 0, {4, 4})), {}}, kLatency);
  CHECK_FALSE(report.valid);
  CHECK(report.problems.size() == 20);
}

TEST_CASE("a trace is a schedule, in slots if it was in lockstep", "[validator]") {
  Example example;
  const auto schedule = [&](std::uint32_t slot_cycles) {
    return schedule_of_trace(example.graph, example.collective, example.ports, example.trace, kLatency,
                             slot_cycles);
  };
  const Graph& graph = example.graph;
  CHECK(schedule(1).sends == std::vector<Send>{{1, graph.link(1, 0), 2},
                                               {4, graph.link(1, 0), 1},
                                               {6, graph.link(2, 0), 2},
                                               {7, graph.link(1, 1), 0}});
  CHECK(schedule(1).packets.longest() == kFlits);
  CHECK(schedule(1).collective == "scatter");
  CHECK(check_schedule(schedule(1)).valid());
  CHECK(schedule(5).slot_cycles == 1);  // cycle 4 begins no slot
  example.trace.transfers[1].cycle = 11;
  example.trace.transfers.erase(example.trace.transfers.begin() + 3);
  std::swap(example.trace.transfers[1], example.trace.transfers[2]);
  CHECK(schedule(5).slot_cycles == 5);
  CHECK(schedule(5).sends.back().start == 3);

  example.trace.transfers.back().flits = kFlits - 1;
  CHECK(schedule(1).packets.flits(1) == kFlits - 1);
  example.trace.transfers[1].flits = kFlits - 1;  // the packet had three
  CHECK_THROWS_WITH(schedule(1), Catch::Contains("sent with 2 flits; expected 3"));
  example.trace.transfers[1].packet.tag = 9;
  CHECK_THROWS_WITH(schedule(1), Catch::Contains("there is no such packet in this scatter"));
  example.collective = Collective(CollectiveKind::kScatter, 5, 1);
  CHECK_THROWS_WITH(schedule(1), Catch::Contains("collective of 5 nodes: expected 4"));
  example.collective = Collective(CollectiveKind::kReduction, 4, 1);
  CHECK_THROWS_WITH(schedule(1), Catch::Contains("reduction: expected a collective whose packets"));
}
