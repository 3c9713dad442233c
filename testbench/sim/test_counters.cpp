// test_counters - what a run reports comes from the nodes' counters: any of them that says otherwise than
// links and hosts is noticed, for each kind of node.
#include <fmt/format.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cpp_model/graph/topology.hpp"
#include "cpp_model/schedule/schedule_of_trace.hpp"
#include "sim/pifo/host_feed.hpp"
#include "sim/pifo/pifo_recorder.hpp"
#include "sim/run/drive.hpp"
#include "sim/run/phase_watch.hpp"
#include "sim/run/queue_check.hpp"
#include "sim/run/reference.hpp"
#include "sim/run/router_kinds.hpp"
#include "sim/run/run_plan.hpp"
#include "sim/run/scan_run.hpp"
#include "sim/tdm/tdm_recorder.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/greedy_plan.hpp"

using namespace safnet;

namespace {

constexpr NodeId kLiar = 2;

// A machine of which node kLiar says other counters than it has.
class FalsifiedMachine final : public Machine {
 public:
  FalsifiedMachine(Machine& true_one, const Graph& graph)
      : liar(graph.node_name(kLiar)), machine_(true_one) {}
  const std::string liar;
  std::function<void(NodeCounters&)> change = [](NodeCounters&) {};
  std::function<void(ScanStatus&)> change_scan = [](ScanStatus&) {};
  std::function<void(NetworkTime&)> change_time = [](NetworkTime&) {};

  NodeCounters counters(std::uint32_t node) const override {
    NodeCounters counters = machine_.counters(node);
    if (node == kLiar) change(counters);
    return counters;
  }
  NodeStatus status(std::uint32_t node) const override {
    NodeStatus status = machine_.status(node);
    if (node == kLiar) change_scan(status.scan);
    return status;
  }
  void reset() override { machine_.reset(); }
  void load(std::uint32_t node, const NodeProgram& program) override { machine_.load(node, program); }
  void offer(std::uint32_t node, HostPacket packet) override { machine_.offer(node, std::move(packet)); }
  std::uint32_t packets_with_host(std::uint32_t node) const override {
    return machine_.packets_with_host(node);
  }
  std::uint64_t progress() const override { return machine_.progress(); }
  void set_fault(const LinkFault& fault) override { machine_.set_fault(fault); }
  void start() override { machine_.start(); }
  NetworkTime clock() override {
    NetworkTime now = machine_.clock();
    change_time(now);
    return now;
  }
  bool finished() const override { return machine_.finished(); }

 private:
  Machine& machine_;
};

struct Falsehood {
  std::string counter;
  std::function<void(NodeCounters&)> change;
};

const std::vector<Falsehood>& of_links_and_deliveries() {
  static const std::vector<Falsehood> all{
      {"sent_o[1]", [](NodeCounters& c) { --c.sent[1]; }},
      {"delivered_o", [](NodeCounters& c) { ++c.delivered; }},
      {"last_delivery_cycle_o", [](NodeCounters& c) { --c.last_delivery_cycle; }},
  };
  return all;
}
// What scan_nodes do not count.
const std::vector<Falsehood>& of_steps() {
  static const std::vector<Falsehood> all{
      {"received_o[0]", [](NodeCounters& c) { ++c.received[0]; }},
      {"last_delivery_step_o", [](NodeCounters& c) { --c.last_delivery_step; }},
      {"delay_sum_o", [](NodeCounters& c) { c.delay_sum = c.delivered; }},
  };
  return all;
}
const std::vector<Falsehood>& of_queues() {
  static const std::vector<Falsehood> all{
      {"peak_occupancy_o", [](NodeCounters& c) { ++c.peak_occupancy; }},
      {"peak_transit_o", [](NodeCounters& c) { --c.peak_transit; }},
  };
  return all;
}
const std::vector<Falsehood>& of_each_queue() {
  static const std::vector<Falsehood> all{
      {"peak_stored_o[0]", [](NodeCounters& c) { --c.peak_stored[0]; }},
      {"peak_waiting_o[1]", [](NodeCounters& c) { ++c.peak_waiting[1]; }},
  };
  return all;
}

// `problems()`: what is found wrong with the machine as it is. Nothing may be as long as it tells the truth;
// of each falsehood one line must speak, naming the node and the counter.
void expect_noticed(FalsifiedMachine& machine, const std::vector<Falsehood>& falsehoods,
                    const std::function<std::vector<std::string>()>& problems) {
  CHECK(problems() == std::vector<std::string>{});
  for (const Falsehood& falsehood : falsehoods) {
    CAPTURE(falsehood.counter);
    machine.change = falsehood.change;
    const std::vector<std::string> found = problems();
    REQUIRE(found.size() == 1);
    CHECK_THAT(found.front(),
               Catch::StartsWith(fmt::format("node {}: {} counts ", machine.liar, falsehood.counter)));
  }
  machine.change = [](NodeCounters&) {};
}
void expect_noticed(FalsifiedMachine& machine, const Graph& graph, const Recorder& recorder,
                    const std::vector<Falsehood>& falsehoods) {
  expect_noticed(machine, falsehoods, [&] {
    Account account;
    take_account(account, graph, machine, recorder);
    return account.problems;
  });
}

ObservedMachine machine_of(const Graph& graph, const Hardware& hardware, MachineObserver& observer) {
  Account account;
  return make_machine(graph, hardware, {}, &observer, VariantStore::standard(), account);
}

// Routers that carry out a total exchange on a ring of five.
void check_routers(const RunRequest& request, bool counts_each_queue) {
  const RunPlan plan = plan_run(request);
  const auto& [policy, parameters] = std::get<RunPlan::Routers>(plan.what);
  const Graph& graph = request.problem.graph;
  const Collective collective = collective_of(request.problem);
  PifoRecorder recorder(graph, collective, parameters, true);
  const ObservedMachine hardware =
      request.model == NetworkModel::kSystemC
          ? ObservedMachine(graph.node_count(), &recorder,
                            [&](MachineObserver* told) {
                              return std::make_unique<ReferenceMachine>(graph, policy, parameters,
                                                                        HostStart::kFull, told, 1000);
                            })
          : machine_of(graph, plan.hardware, recorder);
  FalsifiedMachine machine(*hardware, graph);
  if (request.model == NetworkModel::kRtl) load_routers(machine, graph, policy, parameters);
  Drive drive(machine, 200, {}, 0, static_cast<std::uint32_t>(parameters.slot_cycles));
  drive.start();
  REQUIRE_FALSE(drive.run([](NetworkTime) { return true; }));

  expect_noticed(machine, graph, recorder, of_links_and_deliveries());
  expect_noticed(machine, graph, recorder, of_steps());
  const Schedule sends = schedule_of_trace(graph, collective, request.problem.ports, recorder.take_trace(),
                                           static_cast<std::uint32_t>(parameters.link_latency), 1);
  const auto problems_of_queues = [&] {
    Problems problems;
    judge_queues(sends, machine, parameters, 1, HostStart::kFull, false, problems);
    return problems.lines();
  };
  expect_noticed(machine, of_queues(), problems_of_queues);
  if (counts_each_queue) expect_noticed(machine, of_each_queue(), problems_of_queues);
}

RunRequest exchange_on_ring(PortModel ports) {
  RunRequest request(Problem{
      .graph = make_topology("ring:5"), .collective = CollectiveKind::kTotalExchange, .ports = ports});
  request.node = NodeChoice::kRouter;
  return request;
}

TEST_CASE("a false counter of a router is noticed", "[counters]") {
  RunRequest request = exchange_on_ring(GENERATE(PortModel::kAllPort, PortModel::kOnePort));
  request.flits = GENERATE(1, 2);
  const bool all_port = request.problem.ports == PortModel::kAllPort;
  SECTION("pifo_node") { check_routers(request, all_port); }
  SECTION("the SystemC reference") {
    request.model = NetworkModel::kSystemC;
    check_routers(request, all_port);
  }
  SECTION("fifo_node") {
    request.router = find_router_kind("fifo");
    check_routers(request, false);
  }
}

TEST_CASE("a false counter of a tdm_node is noticed", "[counters]") {
  const Schedule schedule = testbench::greedy_plan(exchange_on_ring(PortModel::kAllPort).problem);
  const TdmProgram program = compile_program(schedule);
  const TdmParameters parameters = tdm_parameters(schedule, program);
  const Graph& graph = schedule.network;
  TdmRecorder recorder(schedule, program, parameters, false);
  const ObservedMachine hardware = machine_of(graph, tdm_hardware(parameters), recorder);
  FalsifiedMachine machine(*hardware, graph);
  load_program(machine, graph.node_count(), [&](NodeId v) {
    return TimetableProgram{{std::shared_ptr<void>(), &program.nodes[v]},
                            static_cast<std::uint32_t>(schedule.operation)};
  });
  settle_before_start(machine, 8);
  Drive drive(machine, 200, {}, 0, schedule.slot_cycles);
  drive.start();
  REQUIRE_FALSE(drive.run([](NetworkTime) { return true; }));

  expect_noticed(machine, graph, recorder, of_links_and_deliveries());
  expect_noticed(machine, graph, recorder, of_steps());
  expect_noticed(machine, {{"late_o", [](NodeCounters& c) { c.late = 1; }}}, [&] {
    Problems problems;
    recorder.judge_late(machine, problems);
    return problems.lines();
  });
}

TEST_CASE("a false counter of a scan_node is noticed", "[counters]") {
  ScanRequest request(digit_network(make_topology("mesh:2x2")).value());
  request.active = {0, 2, 3};
  const ScanParameters parameters = scan_parameters(request);
  const ScanSettings settings = scan_settings(request);
  const Graph& graph = request.network.graph();
  ScanHosts hosts(request.network, settings, parameters, {});
  hosts.begin_interval({request.active});
  const ObservedMachine hardware = machine_of(graph, scan_hardware(parameters), hosts);
  FalsifiedMachine machine(*hardware, graph);
  load_program(machine, graph.node_count(), [&](NodeId v) {
    return ScanProgram{settings, hosts.place_of(v), {}, &hosts};
  });
  Drive drive(machine, kForEver, {}, 0);
  drive.start();
  PhaseWatch watch(machine);
  while (!machine.finished()) watch.after(drive.cycle().cycle);

  expect_noticed(machine, graph, hosts, of_links_and_deliveries());
  const auto of_phases = [&] {
    Problems problems;
    PhaseWatch(watch).judge(graph, 1, problems);
    return problems.lines();
  };
  CHECK(of_phases() == std::vector<std::string>{});
  const std::vector<std::pair<std::string, std::function<void(ScanStatus&)>>> falsehoods{
      {"intervals_o", [](ScanStatus& s) { s.intervals = 0; }},
      {"last_cycle_o", [](ScanStatus& s) { --s.last_cycle; }},
      {"phase_cycles_o[2]", [](ScanStatus& s) { ++s.phase_cycles[2]; }},
  };
  for (const auto& [counter, change] : falsehoods) {
    CAPTURE(counter);
    machine.change_scan = change;
    REQUIRE(of_phases().size() == 1);
    CHECK_THAT(of_phases().front(),
               Catch::StartsWith(fmt::format("node {}: {} counts ", machine.liar, counter)));
  }
}

TEST_CASE("a false time of the network is noticed", "[counters]") {
  const RunRequest request = exchange_on_ring(PortModel::kAllPort);
  const RunPlan plan = plan_run(request);
  const auto& [policy, parameters] = std::get<RunPlan::Routers>(plan.what);
  const Graph& graph = request.problem.graph;
  PifoRecorder recorder(graph, collective_of(request.problem), parameters, false);
  const ObservedMachine hardware = machine_of(graph, plan.hardware, recorder);
  FalsifiedMachine machine(*hardware, graph);
  Drive drive(machine, 200, {}, 0, 1);
  drive.start();
  CHECK(drive.cycle().cycle == 1);
  SECTION("a cycle left out") {
    machine.change_time = [](NetworkTime& now) { ++now.cycle; };
  }
  SECTION("a step that stands still") {
    machine.change_time = [](NetworkTime& now) { --now.step; };
  }
  CHECK_THROWS_WITH(drive.cycle(), Catch::Contains("the network's timer says cycle"));
}

}  // namespace
