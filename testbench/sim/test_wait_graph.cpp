// Who waits for whom: hand-made waits against what an exhaustive search finds, and networks that get stuck,
// whose trace says who holds the places.
#include <algorithm>
#include <map>
#include <random>
#include <regex>
#include <set>

#include "cpp_model/graph/topology.hpp"
#include "sim/run/run.hpp"
#include "sim/run/run_plan.hpp"
#include "sim/run/wait_graph.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/policy_algorithm.hpp"
#include "testbench/support/random_network.hpp"

using namespace safnet;
using testbench::Dice;
using testbench::policy_algorithm;
using testbench::random_graph;
using testbench::random_tree;
using testbench::RandomTraffic;

namespace {

// Length of the shortest closed walk, by powers of the adjacency matrix; 0: there is none.
std::size_t girth(NodeId nodes, const std::vector<Wait>& waits) {
  std::vector<std::vector<bool>> walk(nodes, std::vector<bool>(nodes)), step = walk;
  for (const Wait& w : waits) step[w.node][w.on] = walk[w.node][w.on] = true;
  for (std::size_t length = 1; length <= nodes; ++length) {
    for (NodeId v = 0; v < nodes; ++v) {
      if (walk[v][v]) return length;
    }
    std::vector<std::vector<bool>> longer(nodes, std::vector<bool>(nodes));
    for (NodeId a = 0; a < nodes; ++a) {
      for (NodeId b = 0; b < nodes; ++b) {
        for (NodeId c = 0; walk[a][b] && c < nodes; ++c) longer[a][c] = longer[a][c] || step[b][c];
      }
    }
    walk = longer;
  }
  return 0;
}

bool is_closed(const std::vector<Wait>& waits, const std::vector<std::size_t>& cycle) {
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    if (waits[cycle[i]].on != waits[cycle[(i + 1) % cycle.size()]].node) return false;
  }
  return true;
}

NodeId below(std::mt19937& random, NodeId end) { return static_cast<NodeId>(random() % end); }

std::vector<Wait> random_waits(std::mt19937& random, NodeId nodes, std::size_t count) {
  std::vector<Wait> waits;
  while (waits.size() < count) {
    const NodeId a = below(random, nodes), b = below(random, nodes);
    if (a != b) waits.push_back({a, 0, b});
  }
  return waits;
}

std::vector<std::string> explain(const Graph& graph, std::map<NodeId, NodeStatus> status) {
  return explain_waits(graph, [&](NodeId v) { return status[v]; });
}

// What a line says of a link that waits for a credit, and of the packet that came over it last.
struct LineOfLink {
  NodeId node = 0;
  PortId port = 0;
  PacketId packet;
  PortId onward = 0;
};

std::vector<LineOfLink> read_lines(const Graph& graph, const std::vector<std::string>& lines) {
  static const std::regex form(
      R"(node (\S+) \(\d+ packets queued\) waits on port (\d+) for a credit from node \S+ \(\d+ queued\), )"
      R"(where packet \(source (\d+), tag (\d+)\) came last and waits on port (\d+))");
  std::map<std::string, NodeId> named;
  for (NodeId v = 0; v < graph.node_count(); ++v) named[graph.node_name(v)] = v;
  std::vector<LineOfLink> read;
  for (const std::string& line : lines) {
    std::smatch found;
    if (!std::regex_match(line, found, form)) continue;
    const auto number = [&found](std::size_t group) {
      return static_cast<std::uint32_t>(std::stoul(found[group]));
    };
    read.push_back({named.at(found[1]), number(2), {number(3), number(4)}, number(5)});
  }
  return read;
}

// Of a run that got stuck on routers with a queue for each output: what its trace says of who holds places.
class StuckRun {
 public:
  explicit StuckRun(RunPlan plan) : result(run(plan, VariantStore::standard())), plan_(std::move(plan)) {
    for (NodeId v = 0; v < graph_.node_count(); ++v)
      for (const Injection& injection : routers_.policy.injections(v))
        label_[{v, injection.tag}] = injection.label;
    for (const Transfer& t : result.trace.transfers) crossed_.insert({t.packet, graph_.link(t.from, t.port)});
  }
  // Outputs of `node` by which a packet has still to leave it.
  PortSet still_to_leave(PacketId packet, NodeId node) const {
    PortSet ports = routers_.policy.table(node, label_.at(packet)).output_mask;
    for (PortId p = 0; p < graph_.degree(node); ++p)
      if (crossed_.contains({packet, graph_.link(node, p)})) ports &= ~port_bit(p);
    return ports;
  }
  // The packets in the places that belong to a link.
  std::set<PacketId> behind(LinkId link) const {
    std::set<PacketId> held;
    for (const auto& [packet, over] : crossed_)
      if (over == link && still_to_leave(packet, graph_.link_target(link)) != 0) held.insert(packet);
    return held;
  }
  int depth() const { return routers_.parameters.queue_depth; }
  const Graph& graph() const { return graph_; }
  const RunResult result;

 private:
  const RunPlan plan_;
  const RunPlan::Routers& routers_ = std::get<RunPlan::Routers>(plan_.what);
  const Graph& graph_ = plan_.request.problem.graph;
  std::map<PacketId, Label> label_;
  std::set<std::pair<PacketId, LinkId>> crossed_;
};

// Packets up random trees to their roots, or down them and copied on the way.
RandomTraffic traffic_on_trees(Dice& dice, const Graph& graph, bool copies) {
  RandomTraffic traffic;
  traffic.rank_levels = 4;
  traffic.injections.resize(graph.node_count());
  for (Label label = 0; label < 8; ++label) {
    const NodeId root = dice.below(graph.node_count());
    const std::vector<PortId> towards = random_tree(dice, graph, root);
    std::vector<TableEntry>& table = traffic.tables.emplace_back(graph.node_count());
    for (NodeId v = 0; v < graph.node_count(); ++v) {
      if (v == root) continue;
      const Endpoint up = graph.peer(v, towards[v]);
      (copies ? table[up.node] : table[v]).output_mask |= port_bit(copies ? up.port : towards[v]);
    }
    for (TableEntry& entry : table) {
      entry.deliver = entry.output_mask == 0;
      entry.rank = dice.below(traffic.rank_levels);
    }
    for (NodeId v = 0; v < graph.node_count(); ++v) {
      for (std::uint32_t packets = dice.between(2, 8); packets > 0 && table[v].output_mask != 0; --packets)
        traffic.injections[v].push_back({label, static_cast<std::uint32_t>(traffic.injections[v].size()),
                                         dice.below(traffic.rank_levels), 0});
    }
  }
  return traffic;
}

// Holds every line against the trace. Returns how many links the circle has.
std::size_t check_lines(const StuckRun& stuck) {
  const Graph& graph = stuck.graph();
  const std::vector<std::string>& lines = stuck.result.waits;
  REQUIRE_THAT(lines.at(0), Catch::StartsWith("cycle of waiting links: "));
  const std::vector<LineOfLink> read = read_lines(graph, lines);
  REQUIRE(read.size() == lines.size() - 1);
  for (const LineOfLink& line : read) {
    const LinkId link = graph.link(line.node, line.port);
    const std::set<PacketId> held = stuck.behind(link);
    CHECK(held.size() == static_cast<std::size_t>(stuck.depth()));
    CHECK(held.contains(line.packet));
    CHECK((stuck.still_to_leave(line.packet, graph.link_target(link)) & port_bit(line.onward)) != 0);
  }
  static const std::regex arrow(" -> ");
  const auto links = static_cast<std::size_t>(
      std::distance(std::sregex_iterator(lines[0].begin(), lines[0].end(), arrow), std::sregex_iterator()));
  REQUIRE(links <= read.size());  // none is so long that lines are left out
  for (std::size_t i = 0; i < links; ++i) {
    const LineOfLink& here = read[i];
    const LineOfLink& next = read[(i + 1) % links];
    const NodeId behind = graph.peer(here.node, here.port).node;
    CHECK(behind == next.node);
    CHECK((stuck.still_to_leave(here.packet, behind) & port_bit(next.port)) != 0);
  }
  return links;
}

}  // namespace

TEST_CASE("a cycle is found if there is one, and it is a shortest", "[wait_graph]") {
  std::mt19937 random(7);
  std::size_t none = 0, long_ones = 0;
  for (int round = 0; round < 2000; ++round) {
    const NodeId nodes = 2 + below(random, 9);
    const std::vector<Wait> waits = random_waits(random, nodes, below(random, nodes + 4));
    const std::vector<std::size_t> cycle = shortest_cycle(nodes, waits);
    REQUIRE(cycle.size() == girth(nodes, waits));
    REQUIRE(is_closed(waits, cycle));
    none += cycle.empty() ? 1 : 0;
    long_ones += cycle.size() > 3 ? 1 : 0;
  }
  CHECK(none > 100);
  CHECK(long_ones > 10);
}

TEST_CASE("a circle of all nodes of a large network is found at once", "[wait_graph]") {
  constexpr NodeId kNodes = 65536;
  std::vector<Wait> waits;
  for (NodeId v = 0; v < kNodes; ++v) waits.push_back({v, 0, (v + 1) % kNodes});
  CHECK(shortest_cycle(kNodes, waits).size() == kNodes);
  const std::string words = cycle_in_words(make_topology("ring:65536"), waits, shortest_cycle(kNodes, waits));
  CHECK(words.size() < 400);
  CHECK_THAT(words, Catch::Contains("... 65496 more ..."));
  waits.push_back({40000, 1, 39990});
  CHECK(shortest_cycle(kNodes, waits).size() == 11);
}

TEST_CASE("the first wait of a node does not hide the others", "[wait_graph]") {
  // Node 1 waits for 2, which waits for it, and for 0, which waits for nobody. Port 0 leads to the right.
  const Graph graph = make_topology("linear:4");
  NodeStatus both, left;
  both.wait_credit = 3;
  both.occupancy = 7;
  left.wait_grant = 2;
  left.occupancy = 2;
  const std::vector<std::string> lines = explain(graph, {{1, both}, {2, left}});
  REQUIRE(lines.size() == 4);
  CHECK(lines[0] == "cycle of waiting nodes: 1 -> 2 -> 1");
  CHECK(lines[1] == "node 1 (7 packets queued) waits on port 0 for a credit from node 2 (2 queued)");
  CHECK(lines[2] == "node 2 (2 packets queued) waits on port 1 for a grant from node 1 (7 queued)");
  CHECK(lines[3] == "node 1 (7 packets queued) waits on port 1 for a credit from node 0 (0 queued)");
}

TEST_CASE("waits that end somewhere are no cycle", "[wait_graph]") {
  const Graph graph = make_topology("ring:5");
  NodeStatus ahead;
  ahead.wait_credit = 1;
  const std::vector<std::string> lines = explain(graph, {{0, ahead}, {1, ahead}, {2, ahead}});
  REQUIRE(lines.size() == 3);
  CHECK_THAT(lines[0], Catch::StartsWith("node 0 "));
  CHECK(explain(graph, {})[0] == "no node waits for a credit or a grant, yet packets remain");
}

TEST_CASE("a ring with queues of one packet gets stuck in a circle of all its links", "[wait_graph][stuck]") {
  RunRequest request(Problem{.graph = make_topology("ring:16")});
  request.algorithm = "message-shift";
  request.queue_depth = 1;
  request.keep_trace = true;
  const StuckRun stuck(plan_run(request));
  REQUIRE(stuck.result.verdict == Verdict::kStuck);
  // Two neighbours that wait for each other, each for a place of what comes from the other, are no circle:
  // what holds these places goes on the same way round.
  CHECK(check_lines(stuck) == 16);
}

TEST_CASE("what is said of who holds the places of stuck links is what the trace says",
          "[wait_graph][stuck]") {
  const Algorithm algorithm = policy_algorithm("trees", CollectiveKind::kTotalExchange);
  std::set<std::size_t> lengths;
  std::map<bool, int> stuck_runs;  // of packets that are copied, and others
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    INFO("seed " << seed);
    Dice dice(seed);
    RunRequest request(Problem{.graph = random_graph(dice, 12, 4)});
    request.queue_depth = static_cast<int>(dice.between(1, 3));
    request.slot = dice.one_in(2) ? SlotMode::kFree : SlotMode::kLockstep;
    request.model = NetworkModel::kSystemC;
    request.keep_trace = true;
    const bool copies = dice.one_in(2);
    const RandomTraffic traffic = traffic_on_trees(dice, request.problem.graph, copies);
    const StuckRun stuck(plan_policy(request, algorithm, traffic.policy()));
    if (!stuck.result.stuck) continue;
    lengths.insert(check_lines(stuck));
    ++stuck_runs[copies];
  }
  CHECK(stuck_runs[false] > 20);
  CHECK(stuck_runs[true] > 20);
  CHECK(lengths.size() > 3);
}

TEST_CASE("the same of routers in hardware, of every kind that has a queue for each output",
          "[wait_graph][stuck]") {
  for (const char* settings :
       {"pifo", "fifo", "long packets", "links with latency", "hosts empty", "one way"}) {
    INFO(settings);
    const std::string what = settings;
    RunRequest request(Problem{.graph = make_topology(what == "one way" ? "kautz:2,3" : "torus:4x4")});
    request.node = NodeChoice::kRouter;
    request.queue_depth = 1;
    request.keep_trace = true;
    if (what == "fifo") choose_node("fifo", request);
    if (what == "long packets") request.flits = 3;
    if (what == "links with latency") request.link_latency = 2;
    if (what == "hosts empty") request.hosts = HostStart::kEmpty;
    const StuckRun stuck(plan_run(request));
    REQUIRE(stuck.result.verdict == Verdict::kStuck);
    CHECK(check_lines(stuck) >= 3);
  }
}

TEST_CASE("a link that lost a packet is told, and is in no circle", "[wait_graph][stuck]") {
  RunRequest request(Problem{.graph = make_topology("linear:4")});
  request.node = NodeChoice::kRouter;
  request.queue_depth = 1;
  request.faults = {LinkFault{1, *request.problem.graph.port_to(1, 0), true, false}};
  request.fault_until = 1;
  const RunResult result = run_collective(request, VariantStore::standard());
  REQUIRE(result.verdict == Verdict::kStuck);
  REQUIRE_FALSE(result.waits.empty());
  for (const std::string& line : result.waits) CHECK_THAT(line, !Catch::StartsWith("cycle"));
  CHECK(std::ranges::count_if(result.waits, [](const std::string& line) {
          return line.find("node 0 ") == 0 &&
                 line.ends_with("from node 1 (0 queued), which has got 0 of the 1 packets sent to it");
        }) == 1);
}

TEST_CASE("what is known of the last packet ends a line", "[wait_graph]") {
  const Graph graph = make_topology("linear:4");
  NodeStatus ahead;
  ahead.wait_credit = 1;
  ahead.occupancy = 2;
  const LastPackets last{std::vector<PortSet>(graph.link_count(), port_bit(0)),
                         [](LinkId link, PortSet waits) {
                           return fmt::format(", link {} {}", link, waits != 0 ? "waits" : "does not");
                         }};
  const auto lines = explain_waits(
      graph, [&](NodeId v) { return v == 0 || v == 1 ? ahead : NodeStatus{}; }, &last);
  REQUIRE(lines.size() == 2);
  CHECK(
      lines[0] ==
      fmt::format("node 0 (2 packets queued) waits on port 0 for a credit from node 1 (2 queued), link {} {}",
                  graph.link(0, 0), "waits"));
  CHECK_THAT(lines[1], Catch::EndsWith("from node 2 (0 queued), link " + std::to_string(graph.link(1, 0)) +
                                       " does not"));
}
