// The RTL against a model of the same network that was written from its documentation (cpp_model/systemc):
// every transfer, every delivery, every counter, and what nodes wait for where a run gets stuck.
#include <fmt/format.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/systemc/reference_network.hpp"
#include "sim/fabric/fabric.hpp"
#include "sim/machine/limits.hpp"
#include "sim/pifo/host_feed.hpp"
#include "sim/pifo/packet_format.hpp"
#include "sim/pifo/pifo_recorder.hpp"
#include "sim/run/reference.hpp"
#include "sim/run/run.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/random_network.hpp"

using namespace safnet;
using namespace safnet::testbench;

namespace {

constexpr std::uint32_t kMaxCycles = 100'000;

// Parameters of hardware that all tests share. In names, 2+1 is 2 flits per packet, links of latency 1.
struct Setting {
  const char* name;
  PortModel ports;
  bool grants;
  int radix, flits, link_latency;
  bool lockstep;
  int queue_depth, host_depth;
  int spare_slot_cycles = 0;  ///< cycles that a slot is longer than it must be; not for collectives
  bool fat_tree = false;      ///< links are dealt; one-port nodes have ranks for what is left of packets
  int inject_ports = 0;       ///< all-port: 0, one for each output
};
constexpr PortModel kAll = PortModel::kAllPort, kOne = PortModel::kOnePort, kSend = PortModel::kOnePortSend;
constexpr Setting kSettings[] = {
    {"all-port, 1 flit, deep", kAll, false, 4, 1, 0, false, 16, 64},
    {"all-port, lockstep 2+1, depth 2", kAll, false, 4, 2, 1, true, 2, 64},
    {"all-port, free 3+2, depth 1, host 2", kAll, false, 4, 3, 2, false, 1, 2},
    {"all-port, radix 8, free 4+0, depth 2", kAll, false, 8, 4, 0, false, 2, 16},
    {"all-port, lockstep 2+0, depth 2, host 3, one injection port", kAll, false, 4, 2, 0, true, 2, 3, 0,
     false, 1},
    {"all-port, radix 8, free 1+1, depth 2, host 2, three injection ports", kAll, false, 8, 1, 1, false, 2, 2,
     0, false, 3},
    {"one-port, 1 flit, deep, no grants", kOne, false, 4, 1, 0, false, 64, 64},
    {"one-port, lockstep 4+0, depth 2, no grants", kOne, false, 4, 4, 0, true, 2, 64},
    {"one-port, radix 8, free 2+1, depth 2, host 2, no grants", kOne, false, 8, 2, 1, false, 2, 2},
    {"one-port, free 2+1, depth 2, grants", kOne, true, 4, 2, 1, false, 2, 64},
    {"one-port, lockstep 3+2, deep, grants", kOne, true, 4, 3, 2, true, 64, 64},
    {"one-port, radix 8, free 1+0, depth 1, grants", kOne, true, 8, 1, 0, false, 1, 64},
    {"one-port-send, lockstep 3+2, depth 1, host 2", kSend, false, 4, 3, 2, true, 1, 2},
    {"one-port-send, radix 8, free 4+0, deep", kSend, false, 8, 4, 0, false, 64, 64},
    {"one-port, lockstep 2+0 with 3 cycles to spare, depth 1, grants", kOne, true, 4, 2, 0, true, 1, 64, 3},
};

constexpr Setting kFatTreeSettings[] = {
    {"all-port, 1 flit, deep, dealt", kAll, false, 8, 1, 0, false, 64, 64, 0, true},
    {"all-port, lockstep 2+1, depth 2, host 2, dealt", kAll, false, 8, 2, 1, true, 2, 2, 0, true},
    {"all-port, free 3+1, depth 1, dealt", kAll, false, 8, 3, 1, false, 1, 64, 0, true},
    {"all-port, free 2+0, depth 2, dealt, one injection port", kAll, false, 8, 2, 0, false, 2, 16, 0, true,
     1},
    {"one-port-send, 1 flit, deep, dealt", kSend, false, 8, 1, 0, false, 64, 64, 0, true},
    {"one-port-send, lockstep 4+1, depth 2, host 2, dealt", kSend, false, 8, 4, 1, true, 2, 2, 0, true},
    {"one-port, free 2+1, depth 2, grants, dealt", kOne, true, 8, 2, 1, false, 2, 64, 0, true},
};

constexpr Setting kCheapest = kSettings[6];

PifoParameters hardware_parameters(const Setting& setting) {
  PifoParameters p;
  p.radix = setting.radix;
  p.flits = setting.flits;
  p.link_latency = setting.link_latency;
  p.port_model = static_cast<int>(setting.ports);
  p.grant_cycles = setting.grants ? 2 * setting.link_latency + 2 : 0;
  if (setting.lockstep) {
    p.slot_cycles = setting.flits + setting.link_latency + p.grant_cycles + setting.spare_slot_cycles;
  }
  p.queue_depth = setting.queue_depth;
  p.host_depth = setting.host_depth;
  p.inject_ports = setting.ports != kAll       ? 1
                   : setting.inject_ports != 0 ? setting.inject_ports
                                               : setting.radix;
  // As run_collective chooses them, so that its runs share the variants.
  p.label_depth = 4096;
  p.rank_levels = 512;
  p.node_id_width = 12;
  p.tag_width = 20;
  p.deals_links = setting.fat_tree ? 1 : 0;
  p.rest_ranks = setting.ports != kAll ? 1 : 0;
  // Built for more than they use, as those of run_collective; the others for just what they use.
  if (!setting.fat_tree) {
    const PacketClass packets = packet_class(p.flits, p.link_latency);
    p.reserve = {.flits = packets.flits,
                 .link_latency = packets.latency,
                 .queue_depth = 512,
                 .grants = true,
                 .deals_links = setting.inject_ports <= 1};
  }
  return p;
}

// Writes down what a machine does.
class TraceWriter final : public MachineObserver {
 public:
  TraceWriter(const Graph& graph, const PifoParameters& parameters) : format_(parameters) {
    for (NodeId v = 0; v < graph.node_count(); ++v) {
      leaving_.emplace_back(graph.degree(v));
      arriving_.emplace_back(graph.degree(v));
    }
  }
  void on_link_flit(const FlitEvent& flit) override {
    const auto& [now, node, port, words, last] = flit;
    Packet& packet = leaving_[node][port];
    follow(packet, words);
    if (packet.flits == 1) {
      trace.transfers.push_back({now.step, now.cycle, node, port, packet.id, packet.length});
    }
    if (packet.flits == packet.length) packet = {};
  }
  void on_delivered_flit(const FlitEvent& flit) override {
    const auto& [now, node, port, words, last] = flit;
    Packet& packet = arriving_[node][port];
    follow(packet, words);
    if (last != (packet.flits == packet.length)) intact = false;
    if (last) {
      trace.deliveries.push_back({now.step, now.cycle, node, port, packet.id});
      packet = {};
    }
  }

  Trace trace;
  bool intact = true;

 private:
  struct Packet {
    PacketId id;
    std::uint32_t length = 0, flits = 0;
  };
  void follow(Packet& packet, const std::uint32_t* words) {
    const std::uint64_t flit = words[0] | (std::uint64_t{words[1]} << 32);
    if (packet.flits == 0) {
      const PacketFormat::Header header = format_.parse(flit);
      packet = {header.packet, header.length, 0};
      intact = intact && header.intact;
    } else {
      intact = intact && flit == PacketFormat::payload(packet.id, packet.flits);
    }
    ++packet.flits;
  }
  PacketFormat format_;
  std::vector<std::vector<Packet>> leaving_, arriving_;
};

struct HardwareRun {
  Trace trace;
  std::vector<NodeCounters> counters;
  std::vector<NodeStatus> status;
  bool stuck = false;
  bool intact = true;
};

// Ends when all is done, when nothing moves, or after `last_cycle`.
HardwareRun run_hardware(const Graph& graph, const Policy& policy, const PifoParameters& parameters,
                         HostStart hosts, std::uint32_t last_cycle) {
  TraceWriter writer(graph, parameters);
  const Hardware hardware = pifo_hardware(parameters);
  Fabric fabric(graph, hardware, VariantStore::standard().load(hardware), &writer, {});
  fabric.reset();
  HostFeed feed = load_routers(fabric, graph, policy, parameters, hosts);
  fabric.start();
  feed.feed(fabric);
  HardwareRun run;
  const int patience = 16 * parameters.slot_cycles + 8 * parameters.link_latency + 64;
  std::uint32_t cycle = 0;
  for (int quiet = 0; cycle < last_cycle && !fabric.finished() && !run.stuck;) {
    cycle = fabric.clock().cycle;
    feed.feed(fabric);
    quiet = fabric.progress() != 0 ? 0 : quiet + 1;
    run.stuck = quiet > patience;
  }
  run.trace = std::move(writer.trace);
  run.intact = writer.intact;
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    run.counters.push_back(fabric.counters(v));
    run.status.push_back(fabric.status(v));
  }
  return run;
}

std::string describe(const Transfer& t) {
  return fmt::format("cycle {} step {}: packet {}/{} of {} flits leaves node {} through port {}", t.cycle,
                     t.step, t.packet.source, t.packet.tag, t.flits, t.from, t.port);
}
std::string describe(const Delivery& d) {
  return fmt::format("cycle {} step {}: packet {}/{} is delivered at node {} from port {}", d.cycle, d.step,
                     d.packet.source, d.packet.tag, d.node, d.port);
}

// The first event that only one side has, or nothing.
template <class Event>
std::string first_difference(const std::vector<Event>& hardware, const std::vector<Event>& reference) {
  for (std::size_t i = 0; i < std::max(hardware.size(), reference.size()); ++i) {
    if (i < hardware.size() && i < reference.size() && hardware[i] == reference[i]) continue;
    return fmt::format("event {}: hardware {}; reference {}", i,
                       i < hardware.size() ? describe(hardware[i]) : "nothing",
                       i < reference.size() ? describe(reference[i]) : "nothing");
  }
  return {};
}

void compare_node(NodeId node, const NodeCounters& hardware, ReferenceCounters reference) {
  CAPTURE(node);
  // The hardware has counters for ports that lead nowhere, too.
  reference.sent.resize(hardware.sent.size());
  reference.received.resize(hardware.received.size());
  reference.peak_stored.resize(hardware.peak_stored.size());
  reference.peak_waiting.resize(hardware.peak_waiting.size());
  CHECK(hardware.sent == reference.sent);
  CHECK(hardware.received == reference.received);
  CHECK(hardware.delivered == reference.delivered);
  CHECK(hardware.last_delivery_cycle == reference.last_delivery_cycle);
  CHECK(hardware.last_delivery_step == reference.last_delivery_step);
  CHECK(hardware.delay_sum == reference.delay_sum);
  CHECK(hardware.peak_occupancy == reference.peak_occupancy);
  CHECK(hardware.peak_transit == reference.peak_transit);
  CHECK(hardware.peak_stored == reference.peak_stored);
  CHECK(hardware.peak_waiting == reference.peak_waiting);
  CHECK(hardware.violations == reference.violations);
  CHECK(hardware.first_violation_cycle == reference.first_violation_cycle);
}

void compare_waits(const HardwareRun& hardware, const ReferenceRun& reference) {
  for (std::size_t node = 0; node < hardware.status.size(); ++node) {
    CAPTURE(node);
    CHECK(hardware.status[node].wait_credit == reference.waits[node].credit);
    CHECK(hardware.status[node].wait_grant == reference.waits[node].grant);
    CHECK(hardware.status[node].occupancy == reference.waits[node].queued);
  }
}

// Runs both and compares everything. The events come in order of time, then node, then port.
ReferenceRun compare(const Graph& graph, const Policy& policy, const PifoParameters& parameters,
                     HostStart hosts) {
  const HardwareRun hardware = run_hardware(graph, policy, parameters, hosts, kMaxCycles);
  const ReferenceRun reference =
      run_reference(graph, policy, reference_parameters(parameters, hosts), kMaxCycles);
  CHECK(hardware.intact);
  CHECK(reference.problems.empty());
  CHECK(first_difference(hardware.trace.transfers, reference.trace.transfers) == "");
  CHECK(first_difference(hardware.trace.deliveries, reference.trace.deliveries) == "");
  CHECK(hardware.stuck == reference.stuck);
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    compare_node(v, hardware.counters[v], reference.counters[v]);
  }
  compare_waits(hardware, reference);
  return reference;
}

// Compares what nodes wait for after `cycle`: the hardware's outputs are then those of the next cycle, so the
// reference runs one cycle longer. Returns how many nodes wait for grants.
std::uint64_t compare_waits_after(std::uint32_t cycle, const Graph& graph, const Policy& policy,
                                  const PifoParameters& parameters, HostStart hosts) {
  CAPTURE(cycle);
  const HardwareRun hardware = run_hardware(graph, policy, parameters, hosts, cycle);
  const ReferenceRun reference =
      run_reference(graph, policy, reference_parameters(parameters, hosts), cycle + std::uint64_t{1});
  compare_waits(hardware, reference);
  std::uint64_t waiting = 0;
  for (const ReferenceWait& wait : reference.waits) waiting += wait.grant != 0 ? 1 : 0;
  return waiting;
}

// All variants at once, in parallel; later ones load them.
void build_variants() {
  std::vector<Hardware> wanted;
  for (const Setting& setting : kSettings) wanted.push_back(pifo_hardware(hardware_parameters(setting)));
  VariantStore::standard().build_missing(wanted, {});
}

// The examples of all families, and sizes that are odd, small or lopsided.
std::vector<std::string> compared_topologies() {
  std::vector<std::string> spellings{"linear:2", "linear:5",  "ring:3",    "ring:7",     "mesh:3x3",
                                     "mesh:5x2", "torus:3x3", "torus:5x4", "hypercube:3"};
  for (const TopologyFamily& family : topology_families()) {
    // Links of the reference lead both ways.
    if (family.name != "graph" && !make_topology(family.example).has_one_way_links())
      spellings.push_back(family.example);
  }
  return spellings;
}

RunRequest request_for(const Graph& graph, CollectiveKind collective, const Setting& setting) {
  RunRequest request(Problem{.graph = graph, .collective = collective, .ports = setting.ports});
  request.flits = setting.flits;
  request.link_latency = setting.link_latency;
  request.slot = setting.lockstep ? SlotMode::kLockstep : SlotMode::kFree;
  if (setting.ports == kOne) request.grants = setting.grants ? GrantMode::kOn : GrantMode::kOff;
  request.queue_depth = setting.queue_depth;
  request.host_depth = setting.host_depth;
  request.inject_ports = setting.inject_ports;
  request.keep_trace = true;
  return request;
}

// Runs both as the program does; the requests differ in the model alone.
void compare_results(RunRequest request) {
  const RunResult rtl = run_collective(request, VariantStore::standard());
  request.model = NetworkModel::kSystemC;
  const RunResult reference = run_collective(request, VariantStore::standard());
  CHECK_FALSE(rtl.trace.transfers.empty());
  CHECK(first_difference(rtl.trace.transfers, reference.trace.transfers) == "");
  CHECK(first_difference(rtl.trace.deliveries, reference.trace.deliveries) == "");
  CHECK(rtl.verdict == reference.verdict);
  CHECK(rtl.steps == reference.steps);
  CHECK(rtl.cycles == reference.cycles);
  CHECK(rtl.transmissions == reference.transmissions);
  CHECK(rtl.delivered == reference.delivered);
  CHECK(rtl.lost == reference.lost);
  CHECK(rtl.delay_sum == reference.delay_sum);
  CHECK(rtl.peak_queue == reference.peak_queue);
  CHECK(rtl.peak_transit_queue == reference.peak_transit_queue);
  CHECK(rtl.queue_peaks == reference.queue_peaks);
  CHECK(rtl.problems == reference.problems);
  CHECK(rtl.waits == reference.waits);
}

// The seeds to run; SAFNET_SEEDS=FIRST:LAST, or one seed, in the environment replaces the two given.
std::pair<std::uint64_t, std::uint64_t> seeds(std::uint64_t first, std::uint64_t last) {
  const char* text = std::getenv("SAFNET_SEEDS");
  if (text == nullptr) return {first, last};
  const std::string range = text;
  const auto colon = range.find(':');
  first = std::stoull(range);
  return {first, colon == std::string::npos ? first : std::stoull(range.substr(colon + 1))};
}

// Every setting has runs whose hosts start with full queues, and runs with empty ones.
HostStart start_of(std::uint64_t seed, std::size_t settings) {
  return seed / settings % 2 == 0 ? HostStart::kFull : HostStart::kEmpty;
}

Policy two_packets_to_the_right() {
  Policy policy;
  policy.rank_levels = 2;
  policy.table = [](NodeId node, Label) { return TableEntry{node == 0 ? 1U : 0U, node == 1, 0, {}}; };
  policy.injections = [](NodeId node) {
    return node == 0 ? std::vector<Injection>{{0, 0, 1, 0}, {0, 1, 0, 0}} : std::vector<Injection>{};
  };
  return policy;
}

}  // namespace

TEST_CASE("RTL and reference agree on collectives, all families", "[reference]") {
  build_variants();
  int runs = 0, stuck = 0;
  // Returns whether it ran: only with `any_variant` may the nodes have parameters other than the setting's.
  const auto run = [&](const Graph& graph, const CollectiveName& collective, const Setting& setting,
                       bool any_variant) {
    INFO(collective.name << " on " << graph.spelling() << ", " << setting.name);
    RunRequest request = request_for(graph, collective.kind, setting);
    const Algorithm* algorithm = nullptr;
    for (const Algorithm& candidate : algorithms()) {
      const bool applies = candidate.collective == collective.kind && candidate.policy &&
                           candidate.why_not(request.problem).empty();
      if (algorithm == nullptr && applies) algorithm = &candidate;
    }
    if (algorithm == nullptr) return false;
    const auto parameters = std::get<RunPlan::Routers>(plan_run(request).what).parameters;
    if (parameters != hardware_parameters(setting) && !any_variant) return false;
    const Policy policy = algorithm->policy(request.problem);
    for (const HostStart hosts : {HostStart::kFull, HostStart::kEmpty}) {
      INFO((hosts == HostStart::kFull ? "full" : "empty") << " at the start");
      request.hosts = hosts;
      compare_results(request);
      stuck += compare(graph, policy, parameters, hosts).stuck ? 1 : 0;
      ++runs;
    }
    return true;
  };
  for (const std::string& spelling : compared_topologies()) {
    const Graph graph = make_topology(spelling);
    bool ran = false;
    for (const CollectiveName& collective : collective_names()) {
      for (const Setting& setting : kSettings) {
        // On fat trees links are dealt, to one injection port or to all.
        if (setting.inject_ports <= 1) ran = run(graph, collective, setting, false) || ran;
      }
    }
    // A network whose nodes fit no setting gets a variant of its own.
    for (const CollectiveName& collective : collective_names()) {
      if (!ran) run(graph, collective, kCheapest, true);
    }
  }
  std::printf("collectives against the reference: %d runs, %d of them stuck\n", runs, stuck);
  CHECK(runs >= 300);
  CHECK(stuck > 0);  // getting stuck is compared, too
}

TEST_CASE("RTL and reference agree on random networks and traffic", "[reference]") {
  build_variants();
  const auto [first, last] = seeds(1, 3000);
  int stuck = 0;
  std::uint64_t transfers = 0, waiting_for_grants = 0;
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    Dice dice(seed);
    const Setting& setting = kSettings[seed % std::size(kSettings)];
    INFO("seed " << seed << ", " << setting.name);
    const Graph graph = random_graph(dice, 12, static_cast<PortId>(setting.radix));
    const RandomTraffic traffic = random_traffic(dice, graph, 16, static_cast<std::uint32_t>(setting.flits));
    const HostStart hosts = start_of(seed, std::size(kSettings));
    const ReferenceRun run = compare(graph, traffic.policy(), hardware_parameters(setting), hosts);
    stuck += run.stuck ? 1 : 0;
    transfers += run.trace.transfers.size();
    if (run.trace.transfers.empty()) continue;
    const std::uint32_t cycle = dice.between(1, run.trace.transfers.back().cycle);
    waiting_for_grants +=
        compare_waits_after(cycle, graph, traffic.policy(), hardware_parameters(setting), hosts);
  }
  std::printf("random networks against the reference: seeds %llu to %llu, %llu transfers, %d runs stuck\n",
              static_cast<unsigned long long>(first), static_cast<unsigned long long>(last),
              static_cast<unsigned long long>(transfers), stuck);
  if (last - first >= 1000) CHECK(waiting_for_grants > 0);  // nodes were caught asking
}

TEST_CASE("RTL and reference agree on dealt links and ranks of what is left", "[reference][fat_tree]") {
  std::vector<Hardware> wanted;
  for (const Setting& setting : kFatTreeSettings)
    wanted.push_back(pifo_hardware(hardware_parameters(setting)));
  VariantStore::standard().build_missing(wanted, {});
  const auto [first, last] = seeds(1, 600);
  int stuck = 0;
  std::uint64_t transfers = 0;
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    Dice dice(seed);
    const Setting& setting = kFatTreeSettings[seed % std::size(kFatTreeSettings)];
    const Graph graph = fat_tree(random_fat_tree(dice, static_cast<PortId>(setting.radix)));
    INFO("seed " << seed << ", " << setting.name << ", " << graph.spelling());
    RandomTraffic traffic = random_traffic(dice, graph, 16, static_cast<std::uint32_t>(setting.flits));
    deal_links(dice, graph, traffic, setting.ports != kAll);
    const HostStart hosts = start_of(seed, std::size(kFatTreeSettings));
    const ReferenceRun run = compare(graph, traffic.policy(), hardware_parameters(setting), hosts);
    stuck += run.stuck ? 1 : 0;
    transfers += run.trace.transfers.size();
  }
  std::printf("fat trees against the reference: seeds %llu to %llu, %llu transfers, %d runs stuck\n",
              static_cast<unsigned long long>(first), static_cast<unsigned long long>(last),
              static_cast<unsigned long long>(transfers), stuck);
  CHECK(transfers > last - first);
}

TEST_CASE("the reference runs as often as wanted, from any thread", "[reference]") {
  const Graph graph = make_topology("linear:2");
  const Policy policy = two_packets_to_the_right();
  std::atomic<int> right{0};
  const auto run_some = [&] {
    for (int i = 0; i < 100; ++i) {
      const ReferenceRun run = run_reference(graph, policy, {}, 100);
      // The second packet has the smaller rank.
      if (run.trace.transfers.size() == 2 && run.trace.transfers[0].packet == PacketId{0, 1} &&
          run.trace.deliveries.back().cycle == 2 && run.problems.empty() && !run.stuck) {
        ++right;
      }
    }
  };
  std::thread other(run_some);
  run_some();
  other.join();
  CHECK(right == 200);
}

TEST_CASE("the reference says what it cannot run", "[reference]") {
  const Graph graph = make_topology("linear:2");
  Policy policy = two_packets_to_the_right();
  ReferenceParameters parameters;
  CHECK(run_reference(graph, policy, parameters, 1).problems ==
        std::vector<std::string>{"the run had not ended after 1 cycles"});
  parameters.slot_cycles = 2;
  parameters.flits = 3;
  CHECK_THROWS_WITH(run_reference(graph, policy, parameters, 100),
                    "slot_cycles 2: expected 1, or at least 3");
  parameters = {};
  parameters.grant_cycles = 2;
  CHECK_THROWS_WITH(run_reference(graph, policy, parameters, 100),
                    "grant_cycles 2: expected 0, or 2 with one-port");
  parameters = {};
  policy.rank_levels = 1;
  CHECK_THROWS_AS(run_reference(graph, policy, parameters, 100), std::invalid_argument);
  policy = two_packets_to_the_right();
  policy.table = [](NodeId, Label) { return TableEntry{4, false, 0, {}}; };
  const ReferenceRun run = run_reference(graph, policy, parameters, 100);
  REQUIRE_FALSE(run.problems.empty());
  CHECK(run.problems[0] == "label 0 at node 0: ports 0x4; expected ports below 1");
}
