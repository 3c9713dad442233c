// Nodes from a pool behave as new ones, whatever ran on them before: same transfers, deliveries and counters.
#include <set>
#include <string>
#include <vector>

#include "cpp_model/graph/topology.hpp"
#include "sim/fabric/fabric.hpp"
#include "sim/fabric/node_pool.hpp"
#include "sim/pifo/host_feed.hpp"
#include "sim/run/run.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

namespace {

struct Use {
  const char* topology;
  CollectiveKind collective;
  const char* algorithm;
  NodeId root;
};

RunRequest request_for(const Use& use, PortModel ports, int flits, int queue_depth) {
  RunRequest request(Problem{
      .graph = make_topology(use.topology), .collective = use.collective, .ports = ports, .root = use.root});
  request.algorithm = use.algorithm;
  request.flits = flits;
  request.queue_depth = queue_depth;
  request.host_depth = 4;  // hosts of runs that get stuck keep packets
  request.keep_trace = true;
  return request;
}

void check_same(const RunResult& fresh, const RunResult& pooled) {
  CHECK(fresh.trace.transfers == pooled.trace.transfers);
  CHECK(fresh.trace.deliveries == pooled.trace.deliveries);
  CHECK(fresh.verdict == pooled.verdict);
  CHECK(fresh.steps == pooled.steps);
  CHECK(fresh.cycles == pooled.cycles);
  CHECK(fresh.delay_sum == pooled.delay_sum);
  CHECK(fresh.transmissions == pooled.transmissions);
  CHECK(fresh.peak_queue == pooled.peak_queue);
  CHECK(fresh.peak_transit_queue == pooled.peak_transit_queue);
  CHECK(fresh.node_evaluations == pooled.node_evaluations);
  CHECK(fresh.problems == pooled.problems);
  CHECK(fresh.waits == pooled.waits);
}

constexpr CollectiveKind kBroadcast = CollectiveKind::kBroadcast;
constexpr CollectiveKind kScatter = CollectiveKind::kScatter;
constexpr CollectiveKind kExchange = CollectiveKind::kTotalExchange;

// Growing and shrinking networks and other labels in turn; with short queues some of these runs get stuck.
const std::vector<Use> kUses = {
    {"ring:5", kExchange, "message-shift", 0},         {"torus:4x4", kExchange, "furthest-first", 0},
    {"linear:2", kBroadcast, "shortest-path-tree", 1}, {"mesh:4x3", kScatter, "furthest-first", 5},
    {"ring:16", kExchange, "message-shift", 0},        {"torus:4x4", kExchange, "transit-first", 0},
    {"tree:2,3", kBroadcast, "shortest-path-tree", 3}, {"mesh:3x3", kExchange, "closest-first", 0},
    {"ring:5", kExchange, "message-shift", 0}};

}  // namespace

TEST_CASE("nodes from a pool behave as new ones", "[node_pool]") {
  for (const PortModel ports : {PortModel::kAllPort, PortModel::kOnePort}) {
    NodePool pool(std::size_t{1} << 30);
    std::size_t stuck = 0;
    for (const int queue_depth : {2, 16, 2}) {
      for (const Use& use : kUses) {
        CAPTURE(use.topology, use.algorithm, queue_depth, to_string(ports));
        RunRequest request = request_for(use, ports, 1, queue_depth);
        const RunResult fresh = run_collective(request, VariantStore::standard());
        request.pool = &pool;
        check_same(fresh, run_collective(request, VariantStore::standard()));
        stuck += fresh.verdict == Verdict::kStuck ? 1 : 0;
      }
    }
    CHECK(stuck > 0);
  }
}

TEST_CASE("nodes from a pool run as they are told, however they ran before", "[node_pool]") {
  NodePool pool(std::size_t{1} << 30);
  struct Way {
    PortModel ports;
    int flits, latency, queue_depth;
    SlotMode slot;
    GrantMode grants = GrantMode::kAutomatic;
  };
  constexpr PortModel kOne = PortModel::kOnePort, kSend = PortModel::kOnePortSend;
  std::set<Hardware> kinds;
  for (const Way& way : {Way{kOne, 4, 1, 0, SlotMode::kLockstep}, Way{kSend, 4, 1, 0, SlotMode::kLockstep},
                         Way{kOne, 3, 2, 2, SlotMode::kFree, GrantMode::kOn},
                         Way{kOne, 2, 1, 0, SlotMode::kLockstep, GrantMode::kOn},
                         Way{kSend, 2, 2, 1, SlotMode::kFree}, Way{kOne, 4, 1, 0, SlotMode::kLockstep}}) {
    CAPTURE(to_string(way.ports), way.flits, way.latency, way.queue_depth);
    RunRequest request = request_for(kUses[0], way.ports, way.flits, way.queue_depth);
    request.link_latency = way.latency;
    request.slot = way.slot;
    request.grants = way.grants;
    kinds.insert(plan_run(request).hardware);
    const RunResult fresh = run_collective(request, VariantStore::standard());
    request.pool = &pool;
    check_same(fresh, run_collective(request, VariantStore::standard()));
  }
  CHECK(kinds.size() == 1);
}

TEST_CASE("a pool forgets faults, and packets that never stopped", "[node_pool]") {
  NodePool pool(std::size_t{1} << 30);
  RunRequest faulty = request_for(kUses[0], PortModel::kAllPort, 1, 16);
  faulty.pool = &pool;
  faulty.faults = {{1, 0, false, true}};
  faulty.fault_until = 1'000'000;
  CHECK(run_collective(faulty, VariantStore::standard()).verdict == Verdict::kFailed);
  RunRequest runaway =
      request_for({"extended-ring:4,2", kBroadcast, "weight-rule-as-printed", 0}, PortModel::kAllPort, 1, 16);
  runaway.pool = &pool;
  CHECK(run_collective(runaway, VariantStore::standard()).verdict == Verdict::kFailed);
  RunRequest request = request_for(kUses[0], PortModel::kAllPort, 1, 16);
  const RunResult fresh = run_collective(request, VariantStore::standard());
  CHECK(fresh.problems.empty());
  request.pool = &pool;
  check_same(fresh, run_collective(request, VariantStore::standard()));
}

TEST_CASE("a pool keeps no more than it may", "[node_pool]") {
  NodePool pool(0), large(std::size_t{1} << 30);
  RunRequest request = request_for(kUses[1], PortModel::kAllPort, 1, 16);
  request.pool = &pool;
  CHECK(run_collective(request, VariantStore::standard()).problems.empty());
  CHECK(pool.kept_bytes() == 0);
  CHECK(run_collective(request, VariantStore::standard()).problems.empty());
  request.pool = &large;
  CHECK(run_collective(request, VariantStore::standard()).problems.empty());
  const std::size_t once = large.kept_bytes();
  CHECK(once > 0);
  CHECK(run_collective(request, VariantStore::standard()).problems.empty());
  CHECK(large.kept_bytes() == once);
}

TEST_CASE("a pool forgets label tables", "[node_pool]") {
  struct Deliveries final : MachineObserver {
    int count = 0;
    void on_link_flit(const FlitEvent&) override {}
    void on_delivered_flit(const FlitEvent&) override { ++count; }
  };
  const Graph graph = make_topology("linear:2");
  NodePool pool(std::size_t{1} << 30);
  const RunRequest request = request_for(kUses[1], PortModel::kAllPort, 1, 16);
  const PifoParameters parameters = std::get<RunPlan::Routers>(plan_run(request).what).parameters;
  const auto variant = VariantStore::standard().load(pifo_hardware(parameters));
  // Node 0 sends a packet of label 0; node 1 delivers it, or has no entry for it.
  const auto deliveries = [&](bool has_entry) {
    Policy policy;
    policy.table = [has_entry](NodeId v, Label) {
      return v == 0 ? TableEntry{1, false, 0, {}} : TableEntry{0, has_entry, 0, {}};
    };
    policy.injections = [](NodeId v) {
      return v == 0 ? std::vector<Injection>{Injection{}} : std::vector<Injection>{};
    };
    Deliveries seen;
    FabricOptions options;
    options.pool = &pool;
    Fabric fabric(graph, pifo_hardware(parameters), variant, &seen, options);
    fabric.reset();
    load_routers(fabric, graph, policy, parameters);
    fabric.start();
    for (int cycle = 0; cycle < 20; ++cycle) fabric.clock();
    return seen.count;
  };
  CHECK(deliveries(true) == 1);
  CHECK_THROWS(deliveries(false));  // the RTL asserts that a label has an entry
  CHECK(deliveries(true) == 1);
}
