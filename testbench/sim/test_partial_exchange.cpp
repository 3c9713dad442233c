// Partial exchange on exchange_nodes: what the scan finds, who goes where, and every transfer against the
// model.
#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/algorithm/partial/row_column_classes.hpp"
#include "cpp_model/check/schedule_check.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/transform/reverse.hpp"
#include "sim/run/run.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

namespace {

constexpr const char* kOrders[] = {"row-column-classes", "row-column-classes-furthest-first",
                                   "row-column-classes-closest-first"};

RunRequest exchange(const std::string& topology, std::vector<NodeId> active,
                    const std::string& algorithm = "row-column-classes") {
  RunRequest request(
      Problem{.graph = make_topology(topology), .collective = CollectiveKind::kPartialExchange});
  request.problem.active = std::move(active);
  request.algorithm = algorithm;
  request.keep_trace = true;
  return request;
}
RunResult run(const RunRequest& request) { return run_collective(request, VariantStore::standard()); }

std::vector<NodeId> some_nodes(NodeId nodes, NodeId count, std::uint64_t seed) {
  std::vector<NodeId> all(nodes);
  for (NodeId v = 0; v < nodes; ++v) all[v] = v;
  std::mt19937_64 random(seed);
  for (NodeId i = 0; i < count; ++i) std::swap(all[i], all[i + random() % (nodes - i)]);
  all.resize(count);
  std::sort(all.begin(), all.end());
  return all;
}

// Who sends which packet over which link in which step.
using Event = std::tuple<std::uint32_t, LinkId, PacketId>;
std::set<Event> events_of(const Schedule& schedule) {
  std::set<Event> events;
  for (const Send& send : schedule.sends)
    events.emplace(send.start, send.link, schedule.packets.id(send.packet));
  return events;
}
std::set<Event> events_of(const RunRequest& request, const RunResult& result) {
  std::set<Event> events;
  const auto slot = static_cast<std::uint32_t>(result.parameters.slot_cycles);
  for (const Transfer& t : result.trace.transfers) {
    CHECK((t.cycle - result.scan_cycles) % slot == 1 % slot);
    events.emplace((t.cycle - result.scan_cycles - 1) / slot + 1, request.problem.graph.link(t.from, t.port),
                   t.packet);
  }
  return events;
}

// The paper's rule: a packet first goes along its source's row or column, whichever has fewer active nodes.
void check_directions(const RunRequest& request, const RunResult& result) {
  const NodeId side = *square_side(request.problem.graph);
  std::vector<int> rows(side), columns(side);
  for (const NodeId v : request.problem.active) {
    ++rows[v / side];
    ++columns[v % side];
  }
  for (const Transfer& t : result.trace.transfers) {
    const NodeId source = t.packet.source, to = t.packet.tag % request.problem.graph.node_count();
    const NodeId next = request.problem.graph.peer(t.from, t.port).node;
    const bool along_row = t.from / side == next / side;
    const bool row_first = rows[source / side] <= columns[source % side];
    // On its first line a packet is still in the row (column) of its source.
    if (along_row) {
      CHECK(t.from / side == (row_first ? source : to) / side);
    } else {
      CHECK(t.from % side == (row_first ? to : source) % side);
    }
    CHECK(std::max(t.from, next) - std::min(t.from, next) == (along_row ? 1 : side));  // none wraps around
  }
}

}  // namespace

TEST_CASE("all sets of 3 x 3: every transfer is the model's", "[partial_exchange]") {
  NodePool pool(std::size_t{1} << 28);
  for (std::uint32_t bits = 1; bits < 512; ++bits) {
    std::vector<NodeId> active;
    for (NodeId v = 0; v < 9; ++v) {
      if ((bits >> v & 1) != 0) active.push_back(v);
    }
    CAPTURE(active);
    RunRequest request = exchange("mesh:3x3", active);
    request.pool = &pool;
    const RunResult result = run(request);
    REQUIRE(result.problems.empty());
    CHECK(result.validated);
    CHECK(result.delivered == 8 * active.size());
    CHECK(result.scan_cycles == 2);
    CHECK(result.cycles == 2 + result.steps);
    CHECK(result.steps <= row_column_classes_bound(3, active.size()));
    const Schedule model = plan_of(find_algorithm(request.problem, request.algorithm), request.problem);
    CHECK(events_of(request, result) == events_of(model));
    if (bits % 8 == 0) check_directions(request, result);
  }
}

TEST_CASE("larger arrays, longer packets, slower links, every order", "[partial_exchange]") {
  const bool wide = GENERATE(false, true);  // packets of four flits, links of latency 1
  for (const char* order : kOrders) {
    for (const NodeId side : {2U, 4U, 5U, 8U}) {
      for (const NodeId count : {1U, side, side * side}) {
        const std::string topology = "mesh:" + std::to_string(side) + "x" + std::to_string(side);
        RunRequest request = exchange(topology, some_nodes(side * side, count, side + count), order);
        CAPTURE(topology, order, request.problem.active, wide);
        if (wide) {
          request.flits = 4;
          request.link_latency = 1;
        }
        const RunResult result = run(request);
        REQUIRE(result.problems.empty());
        const std::uint32_t slot = wide ? 5 : 1, hop = wide ? 2 : 1;
        CHECK(result.scan_cycles == 2 * (side / 2) * hop);
        CHECK(result.cycles == result.scan_cycles + slot * result.steps);
        CHECK(result.cycles <= slot * row_column_classes_bound(side, count) + hop * side);
        CHECK(result.steps >= result.lower_bound.steps);
        const Schedule model = plan_of(find_algorithm(request.problem, order), request.problem);
        CHECK(events_of(request, result) == events_of(model));
        check_directions(request, result);
      }
    }
  }
}

TEST_CASE("free running, threads, shallow host queues and tori", "[partial_exchange]") {
  RunRequest request = exchange("mesh:4x4", {0, 1, 2, 5, 15});
  request.flits = 4;
  request.link_latency = 1;
  const RunResult lockstep = run(request);
  REQUIRE(lockstep.problems.empty());

  RunRequest threads = request;
  threads.threads = 2;
  threads.skip_idle = false;
  const RunResult parallel = run(threads);
  CHECK(parallel.trace.transfers == lockstep.trace.transfers);
  CHECK(parallel.trace.deliveries == lockstep.trace.deliveries);

  RunRequest free = request;
  free.slot = SlotMode::kFree;
  const RunResult free_running = run(free);
  REQUIRE(free_running.problems.empty());
  CHECK(free_running.scan_cycles == 8);
  CHECK(free_running.cycles <= lockstep.cycles);

  RunRequest shallow = request;
  shallow.host_depth = 1;  // hosts inject while the network runs
  const RunResult injected = run(shallow);
  REQUIRE(injected.problems.empty());
  CHECK(injected.steps >= lockstep.steps);

  RunRequest torus = request;
  torus.problem.graph = make_topology("torus:4x4");
  const RunResult on_torus = run(torus);
  REQUIRE(on_torus.problems.empty());
  CHECK(on_torus.cycles == lockstep.cycles);
  check_directions(torus, on_torus);

  RunRequest several = request;
  several.problem.messages = 3;
  const RunResult three = run(several);
  REQUIRE(three.problems.empty());
  CHECK(three.delivered == 3 * lockstep.delivered);
}

TEST_CASE("a run is a schedule without its scan, and backwards a partial gather", "[partial_exchange]") {
  RunRequest request = exchange("mesh:4x4", {3, 4, 10});
  request.flits = 4;
  request.link_latency = 1;
  const RunResult result = run(request);
  const Schedule schedule = schedule_of_run(request, result);
  CHECK(schedule.slot_cycles == 5);
  CHECK(steps_of(schedule) == result.steps);
  CHECK(check_schedule(schedule, 1).valid());
  const Schedule back = reverse(schedule);
  CHECK(back.collective == "partial-gather");
  CHECK(check_schedule(back, 1).valid());
  CHECK(steps_of(back) == result.steps);

  RunRequest gather = request;
  gather.problem.collective = CollectiveKind::kPartialGather;
  gather.algorithm = "reversed-row-column-classes";
  const RunResult gathered = run(gather);
  REQUIRE(gathered.problems.empty());
  CHECK(gathered.node == NodeChoice::kTdm);
  CHECK(gathered.steps == result.steps);
}

TEST_CASE("a value that the scan loses is noticed", "[partial_exchange]") {
  RunRequest request = exchange("mesh:3x3", {0, 4});
  request.faults = {{4, *request.problem.graph.port_to(4, 3), true, false}};
  request.fault_until = 1;
  const RunResult result = run(request);
  CHECK(result.verdict == Verdict::kStuck);
  CHECK(result.delivered == 0);
  REQUIRE_FALSE(result.problems.empty());
  CHECK(std::any_of(result.problems.begin(), result.problems.end(),
                    [](const std::string& line) { return line.find("was not told") != std::string::npos; }));
}

TEST_CASE("on any network routers serve a partial exchange without knowing who is active",
          "[partial_exchange]") {
  for (const char* topology : {"hypercube:3", "folded-cube:3", "mesh:3x4"}) {
    CAPTURE(topology);
    Problem few{.graph = make_topology(topology), .collective = CollectiveKind::kPartialExchange};
    few.active = {1, 6};
    Problem others = few;
    others.active = {0, 2, 7};
    const Policy policy = find_algorithm(few, "furthest-first").policy(few);
    const Policy other = find_algorithm(others, "furthest-first").policy(others);
    REQUIRE(policy.label_count == other.label_count);
    for (NodeId v = 0; v < few.graph.node_count(); ++v) {
      CHECK(policy.injections(v).empty() == (v != 1 && v != 6));
      for (Label label = 0; label < policy.label_count; ++label) {
        CHECK(policy.table(v, label).output_mask == other.table(v, label).output_mask);
        CHECK(policy.table(v, label).rank == other.table(v, label).rank);
      }
    }
    const RunResult result = run(RunRequest(few));
    CHECK(result.problems.empty());
    CHECK(result.delivered == 2 * (few.graph.node_count() - 1));
  }
}

TEST_CASE("where classes of rows and columns do not apply", "[partial_exchange]") {
  const auto refuse = [](const std::string& topology, const std::string& text) {
    const RunRequest request = exchange(topology, {0, 1});
    CHECK_THROWS_WITH(run(request), Catch::Contains(text));
  };
  refuse("mesh:3x4", "needs a p x p array or torus");
  refuse("linear:9", "needs a p x p array or torus");
  refuse("mesh:3x3x3", "needs a p x p array or torus");
  refuse("hypercube:4", "needs a p x p array or torus");
  refuse("mesh:65x65", "a side of at most 64");
  RunRequest one = exchange("mesh:3x3", {0});
  one.problem.ports = PortModel::kOnePort;
  CHECK_THROWS_WITH(run(one), Catch::Contains("needs --ports all"));
  CHECK_THROWS_WITH(run(exchange("mesh:3x3", {})), Catch::Contains("needs --active"));
  CHECK_THROWS_WITH(run(exchange("mesh:3x3", {4, 9})), Catch::Contains("--active 9"));
  RunRequest reference = exchange("mesh:3x3", {0});
  reference.model = NetworkModel::kSystemC;
  CHECK_THROWS_WITH(run(reference), Catch::Contains("--model systemc"));
  RunRequest whole = exchange("mesh:3x3", {0});
  whole.whole_network = true;
  CHECK_THROWS_WITH(run(whole), Catch::Contains("--whole-network"));
}
