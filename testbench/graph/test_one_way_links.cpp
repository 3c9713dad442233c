// Networks with one-way links, without hardware: graphs, bounds, planners, schedules backwards, files.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>

#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/graph/distance_count.hpp"
#include "cpp_model/graph/drawing/drawing.hpp"
#include "cpp_model/graph/drawing/small_picture.hpp"
#include "cpp_model/interchange/msccl_read.hpp"
#include "cpp_model/interchange/msccl_write.hpp"
#include "cpp_model/interchange/sccl_read.hpp"
#include "cpp_model/interchange/sccl_write.hpp"
#include "cpp_model/schedule/schedule_reader.hpp"
#include "cpp_model/schedule/schedule_writer.hpp"
#include "cpp_model/transform/reverse.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/fault_of.hpp"
#include "testbench/support/fewest_steps.hpp"
#include "testbench/support/one_way_networks.hpp"

using namespace safnet;
using namespace safnet::testbench;

namespace {

constexpr PortModel kPortModels[] = {PortModel::kAllPort, PortModel::kOnePort, PortModel::kOnePortSend};

bool same_wiring(const Graph& a, const Graph& b) {
  bool same = a.node_count() == b.node_count() && a.link_count() == b.link_count();
  for (LinkId link = 0; same && link < a.link_count(); ++link) {
    same = a.link_source(link) == b.link_source(link) && a.link_port(link) == b.link_port(link) &&
           a.link_target(link) == b.link_target(link) && a.link_target_port(link) == b.link_target_port(link);
  }
  return same;
}

std::string error_of(const std::string& spelling) {
  try {
    make_topology(spelling);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

std::vector<Problem> problems_on(const Graph& graph) {
  std::vector<Problem> list;
  const NodeId last = graph.node_count() - 1;
  for (const CollectiveKind kind :
       {CollectiveKind::kBroadcast, CollectiveKind::kScatter, CollectiveKind::kGather,
        CollectiveKind::kReduction, CollectiveKind::kTotalExchange, CollectiveKind::kPartialExchange,
        CollectiveKind::kPartialGather}) {
    for (const PortModel ports : kPortModels) {
      Problem problem{.graph = graph, .collective = kind, .ports = ports, .root = 1};
      const bool partial = kind == CollectiveKind::kPartialExchange || kind == CollectiveKind::kPartialGather;
      if (partial) problem.active = {0, last};
      list.push_back(std::move(problem));
    }
  }
  return list;
}

// The name of a fast planner of the problem's collective.
std::string planner_for(const Problem& problem) {
  switch (problem.collective) {
    case CollectiveKind::kBroadcast:
    case CollectiveKind::kReduction:
      return "shortest-path-tree";
    case CollectiveKind::kScatter:
    case CollectiveKind::kGather:
    case CollectiveKind::kTotalExchange:
      return "furthest-first";
    default:
      return "list-scheduling";
  }
}

}  // namespace

TEST_CASE("a one-way link is the same from both ends", "[one_way]") {
  for (const Graph& graph : one_way_networks()) {
    CAPTURE(graph.spelling());
    REQUIRE(graph.has_one_way_links());
    CHECK_FALSE(graph.is_tree());
    std::uint64_t in = 0;
    PortId largest = 0, smallest = kNoNode;
    for (NodeId v = 0; v < graph.node_count(); ++v) {
      for (PortId p = 0; p < graph.degree(v); ++p) {
        const Endpoint to = graph.peer(v, p);
        CHECK(graph.feeder(to.node, to.port) == Endpoint{v, p});
      }
      in += graph.in_degree(v);
      for (const PortId ports : {graph.degree(v), graph.in_degree(v)}) {
        largest = std::max(largest, ports);
        smallest = std::min(smallest, ports);
      }
      CHECK_THROWS_AS(graph.feeder(v, graph.in_degree(v)), std::out_of_range);
    }
    CHECK(in == graph.link_count());
    CHECK(graph.max_degree() == largest);
    CHECK(graph.min_degree() == smallest);
  }
  const Graph ring = make_topology("ring:4");
  CHECK_FALSE(ring.has_one_way_links());
  CHECK(ring.feeder(1, 0) == ring.peer(1, 0));
  CHECK(same_wiring(ring.transposed(), ring));
}

TEST_CASE("distances along one-way links", "[one_way]") {
  for (const Graph& graph : one_way_networks()) {
    CAPTURE(graph.spelling());
    const Graph turned = graph.transposed();
    std::uint64_t total = 0;
    std::uint32_t diameter = 0;
    std::vector<std::uint64_t> pairs;
    for (NodeId v = 0; v < graph.node_count(); ++v) {
      const std::vector<std::uint32_t> from = graph.distances_from(v);
      for (NodeId u = 0; u < graph.node_count(); ++u) {
        CHECK(graph.distances_to(u)[v] == from[u]);
        if (from[u] >= pairs.size()) pairs.resize(from[u] + 1);
        ++pairs[from[u]];
      }
      CHECK(turned.distances_from(v) == graph.distances_to(v));
      CHECK(graph.eccentricity(v) == *std::max_element(from.begin(), from.end()));
      CHECK(graph.status(v) == std::accumulate(from.begin(), from.end(), std::uint64_t{0}));
      diameter = std::max(diameter, graph.eccentricity(v));
      total += graph.status(v);
    }
    CHECK(graph.diameter() == diameter);
    CHECK(graph.total_status() == total);
    CHECK(count_distances(graph, 1'000'000) == pairs);
  }
  // Not a tree, although it has as many links as a tree of three nodes.
  const Graph three = make_topology("links:0-1,1-2,2-0,1-0");
  CHECK(three.total_status() == 8);
  CHECK(count_distances(three, 1000) == std::vector<std::uint64_t>{3, 4, 2});
}

TEST_CASE("links turned round", "[one_way]") {
  for (const Graph& graph : one_way_networks()) {
    CAPTURE(graph.spelling());
    const Graph turned = graph.transposed();
    REQUIRE(turned.link_count() == graph.link_count());
    for (LinkId link = 0; link < graph.link_count(); ++link) {
      const LinkId back = turned.link(graph.link_target(link), graph.link_target_port(link));
      CHECK(turned.link_target(back) == graph.link_source(link));
      CHECK(turned.link_target_port(back) == graph.link_port(link));
    }
    CHECK(turned.transposed().spelling() == graph.spelling());
    CHECK(same_wiring(turned.transposed(), graph));
    CHECK(same_wiring(make_topology(turned.spelling()), turned));
    CHECK(turned.node_name(1) == graph.node_name(1));
    CHECK(turned.factors().size() == graph.factors().size());
  }
}

TEST_CASE("what is no network of one-way links gets one line", "[one_way]") {
  CHECK_THAT(error_of("links:0-1,1-2,2-1"), Catch::Contains("node 1 cannot reach node 0"));
  CHECK_THAT(error_of("links:1-0,1-2,2-1"), Catch::Contains("node 1 cannot be reached from node 0"));
  CHECK_THAT(error_of("links:0-1,1-1"), Catch::Contains("node 1 is connected to itself"));
  CHECK_THAT(error_of("links:0-1,1"), Catch::Contains("'1': expected U-V"));
  CHECK_THAT(error_of("kautz:1,3"), Catch::Contains("'1': expected a number from 2 to 51"));
  CHECK_THAT(error_of("kautz:2,16"), Catch::Contains("'16': expected a number from 1 to 15"));
  CHECK_THAT(error_of("de-bruijn:2,17"), Catch::Contains("'17': expected a number from 1 to 16"));
  CHECK_THAT(error_of("petersen:5"), Catch::Contains("expected petersen such as petersen"));
  CHECK_THAT(error_of("transpose(kautz:2,3"), Catch::Contains("no closing parenthesis"));
  std::string deep;
  for (int i = 0; i < 1000; ++i) deep += "transpose(";
  CHECK_THAT(error_of(deep + ")"), Catch::Contains("nested too deeply"));
  // Input ports must be 0, 1, ..., each driven by one link.
  CHECK_THROWS_WITH(Graph("g", {{{1, 1}}, {{0, 0}}}, LinkPairs::kNotAll), Catch::Contains("does not exist"));
  CHECK_THROWS_WITH(Graph("g", {{{1, 0}, {1, 0}}, {{0, 0}}}, LinkPairs::kNotAll),
                    Catch::Contains("another link leads to"));
  // Links that are pairs after all make edges.
  CHECK_FALSE(Graph("g", {{{1, 0}}, {{0, 0}}}, LinkPairs::kNotAll).has_one_way_links());
}

TEST_CASE("networks for machines and of words", "[one_way]") {
  for (std::uint32_t d = 2; d <= 4; ++d) {
    for (std::uint32_t n = 1; n <= 3; ++n) {
      CAPTURE(d, n);
      const Graph kautz = kautz_digraph(d, n), bruijn = de_bruijn_digraph(d, n);
      std::uint32_t words = 1;
      for (std::uint32_t i = 0; i < n; ++i) words *= d;
      CHECK(bruijn.node_count() == words);
      CHECK(bruijn.link_count() == std::uint64_t{words} * d - d);
      CHECK(kautz.node_count() == words / d * (d + 1));
      CHECK(kautz.link_count() == std::uint64_t{words} * (d + 1));
      CHECK(kautz.max_degree() == d);
      CHECK(kautz.min_degree() == d);
      for (const Graph& graph : {kautz, bruijn}) {
        CHECK(graph.diameter() == n);
        CHECK(graph.has_one_way_links() == (n > 1));
        std::set<std::string> names;
        for (NodeId v = 0; v < graph.node_count(); ++v) {
          const std::string name = graph.node_name(v);
          CHECK(names.insert(name).second);
          CHECK(graph.parse_node(name) == v);
          CHECK(graph.eccentricity(v) == graph.formulas().eccentricity(v));
          CHECK(graph.degree(v) == graph.formulas().degree(v));
          for (PortId p = 0; p < graph.degree(v); ++p)
            CHECK(graph.node_name(graph.peer(v, p).node).substr(0, n - 1) == name.substr(1));
        }
      }
    }
  }
  CHECK(make_topology("kautz:2,3").node_name(0) == "aba");
  CHECK(same_wiring(make_topology("petersen"), make_topology("generalized-petersen:5,2")));
  const Graph machine = make_topology("dgx-1");
  CHECK(machine.node_count() == 8);
  CHECK(machine.link_count() == 48);
  CHECK(machine.min_degree() == 6);
  CHECK(make_topology("dgx1").spelling() == "dgx-1");
  CHECK(same_wiring(machine, make_topology("graph:cpp_model/graph/file/dgx1.topology.json")));
}

TEST_CASE("a drawing has an arrow for every one-way link", "[one_way]") {
  const std::string dot = to_dot(make_topology("kautz:2,2"), DrawingStyle::kNamed);
  CHECK_THAT(dot, Catch::Contains("digraph \"kautz:2,2\" {"));
  CHECK_THAT(dot, Catch::Contains("\"ab\" -> \"ba\";") && Catch::Contains("\"ba\" -> \"ab\";"));
  const std::string svg =
      "<svg><polygon fill=\"none\" stroke=\"none\" points=\"0,0 0,9 9,9\"/><ellipse stroke=\"#1\" cx=\"0\" "
      "cy=\"0\"/><ellipse stroke=\"#1\" cx=\"30\" cy=\"0\"/><path stroke=\"#2\" d=\"M0,0C10,0 20,0 30,0\"/>"
      "<polygon fill=\"#2\" stroke=\"#2\" points=\"24,-2 30,0 24,2 24,-2\"/></svg>";
  CHECK_THAT(small_picture(svg, "x"),
             Catch::Contains("<path fill=\"#2\" d=\"M95.3 56.6L105.5 60L95.3 63.4L95.3 56.6Z\"/>"));
}

TEST_CASE("no bound on a network with one-way links exceeds the optimum", "[one_way][lower_bound]") {
  int attained = 0, looked_at = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const auto nodes = static_cast<NodeId>(seed % 6 == 5 ? 5 : 3 + seed % 2);
    const Graph graph = random_one_way(nodes, seed % 4, seed);
    for (const PortModel ports : kPortModels) {
      const auto judge = [&](const Problem& problem, std::uint64_t optimum) {
        const LowerBound bound = lower_bound(problem);
        CAPTURE(graph.spelling(), to_string(problem.collective), to_string(ports), bound.reason);
        CHECK(bound.steps <= optimum);
        ++looked_at;
        attained += bound.steps == optimum ? 1 : 0;
      };
      const auto personal = [&](CollectiveKind kind, const std::vector<NodeId>& active) {
        const Problem problem{.graph = graph, .collective = kind, .ports = ports, .active = active};
        PersonalPackets packets(graph, ports);
        const PacketList list = collective_packets(problem);
        for (PacketIndex p = 0; p < list.size(); ++p)
          packets.add(list.origin(p), list.destinations(p).front());
        judge(problem, packets.fewest_steps());
      };
      personal(CollectiveKind::kScatter, {});
      personal(CollectiveKind::kGather, {});
      personal(CollectiveKind::kPartialExchange, {0, 1});
      personal(CollectiveKind::kPartialGather, {0, 1});
      if (nodes < 5) personal(CollectiveKind::kTotalExchange, {});
      if (ports == PortModel::kAllPort) continue;
      const Problem broadcast{.graph = graph, .collective = CollectiveKind::kBroadcast, .ports = ports};
      judge(broadcast, fewest_broadcast_steps(graph, 0));
      if (ports != PortModel::kOnePort) continue;
      const Problem reduction{.graph = graph, .collective = CollectiveKind::kReduction, .ports = ports};
      judge(reduction, fewest_broadcast_steps(graph.transposed(), 0));
    }
  }
  CHECK(looked_at > 150);
  CHECK(10 * attained > 9 * looked_at);  // and mostly it is the optimum
}

TEST_CASE("what only one link of the root leads into may have another way in", "[one_way][lower_bound]") {
  // Nodes 1, 3, 4 and 5 are reached over link 0-1 and through node 2; nothing but node 0 leads to node 2.
  const Graph graph = make_topology("links:0-1,0-2,2-1,1-3,1-4,1-5,3-0,4-0,5-0");
  PersonalPackets scatter(graph, PortModel::kAllPort), gather(graph.transposed(), PortModel::kAllPort);
  for (NodeId v = 1; v < graph.node_count(); ++v) {
    scatter.add(0, v);
    gather.add(v, 0);
  }
  CHECK(scatter.fewest_steps() == 3);
  CHECK(gather.fewest_steps() == 3);
  CHECK(lower_bound({.graph = graph, .collective = CollectiveKind::kScatter}).steps == 3);
  CHECK(lower_bound({.graph = graph.transposed(), .collective = CollectiveKind::kGather}).steps == 3);
}

TEST_CASE("every collective is planned on networks with one-way links", "[one_way]") {
  for (const Graph& graph : small_one_way_networks()) {
    for (const Problem& problem : problems_on(graph)) {
      CAPTURE(graph.spelling(), to_string(problem.collective), to_string(problem.ports));
      const std::uint64_t bound = lower_bound(problem).steps;
      int planned = 0;
      for (const Algorithm& algorithm : algorithms()) {
        if (algorithm.collective != problem.collective || algorithm.chosen_by_name_only || !algorithm.plan)
          continue;
        if (!algorithm.why_not(problem).empty()) continue;
        CAPTURE(algorithm.name);
        const Schedule schedule = algorithm.plan(problem);
        CHECK(fault_of(schedule) == "");
        CHECK(same_wiring(schedule.network, graph));
        CHECK(steps_of(schedule) >= bound);
        const auto promised = algorithm.closed_form(problem);
        if (promised) CHECK(steps_of(schedule) == *promised);
        ++planned;
      }
      CHECK(planned > 0);
    }
  }
}

TEST_CASE("all-port scatter, gather and broadcast use both links of a double edge", "[one_way]") {
  const Graph graph = make_topology("dgx-1");
  const auto steps = [&](CollectiveKind kind) {
    const Problem problem{.graph = graph, .collective = kind};
    const Choice choice = choose_algorithm(problem, true);
    const Schedule schedule = choice.algorithm->plan(problem);
    CHECK(fault_of(schedule) == "");
    CHECK(steps_of(schedule) == lower_bound(problem).steps);
    return steps_of(schedule);
  };
  CHECK(steps(CollectiveKind::kScatter) == 2);  // ceil(7 packets / 6 links); with 4 neighbours the same
  CHECK(steps(CollectiveKind::kGather) == 2);
  CHECK(steps(CollectiveKind::kBroadcast) == 2);
  // Three links join nodes 0 and 1: three packets cross in step 1, the fourth in step 2.
  const Graph two = make_topology("edges:0-1,0-1,0-1,1-2,1-3,1-4");
  const Problem scatter{.graph = two, .collective = CollectiveKind::kScatter};
  const Choice choice = choose_algorithm(scatter, true);
  CHECK(steps_of(choice.algorithm->plan(scatter)) == 2);
  CHECK(fault_of(choice.algorithm->plan(scatter)) == "");
}

TEST_CASE("a schedule backwards takes the links turned round", "[one_way][reverse]") {
  for (const Graph& graph : small_one_way_networks()) {
    for (const Problem& problem : problems_on(graph)) {
      // Partial collectives are personal packets as well, and their planner is slow: small networks only.
      if (problem.ports == PortModel::kOnePortSend || (!problem.active.empty() && graph.node_count() > 4))
        continue;
      CAPTURE(graph.spelling(), to_string(problem.collective), to_string(problem.ports));
      const Schedule there = find_planner(problem, planner_for(problem)).plan(problem);
      const Schedule back = reverse(there);
      CHECK(fault_of(back) == "");
      CHECK(same_wiring(back.network, graph.transposed()));
      CHECK(steps_of(back) == steps_of(there));
      const Schedule again = reverse(back);
      CHECK(fault_of(again) == "");
      CHECK(same_wiring(again.network, graph));
      CHECK(again.collective == there.collective);
    }
  }
}

TEST_CASE("files keep one-way links", "[one_way][schedule_file][interchange]") {
  const std::string path = (std::filesystem::temp_directory_path() /
                            ("safnet_test_one_way_" + std::to_string(::getpid()) + ".json"))
                               .string();
  std::vector<Graph> graphs = small_one_way_networks();
  graphs.push_back(make_topology("dgx-1"));
  graphs.push_back(graphs[0].with_spelling("a name"));  // written port by port
  graphs.push_back(graphs[3].with_spelling("another"));
  for (const Graph& graph : graphs) {
    for (const PortModel ports : kPortModels) {
      CAPTURE(graph.spelling(), to_string(ports));
      const Problem problem{.graph = graph, .collective = CollectiveKind::kScatter, .ports = ports};
      const Schedule schedule = find_planner(problem, "furthest-first").plan(problem);
      write_schedule(schedule, path);
      const Schedule read = read_schedule(path);
      CHECK(same_wiring(read.network, graph));
      CHECK(read.network.has_one_way_links() == graph.has_one_way_links());
      CHECK(read.network.node_name(1) == graph.node_name(1));
      CHECK(read.sends == schedule.sends);
      // An SCCL file has a matrix of links, without their order, and chunks as packets: compare counts.
      const Schedule sccl = read_sccl(sccl_text(schedule), "text").schedule;
      CHECK(fault_of(sccl) == "");
      CHECK(sccl.ports == ports);
      CHECK(sccl.network.has_one_way_links() == graph.has_one_way_links());
      CHECK(sccl.sends.size() == schedule.sends.size());
      CHECK(steps_of(sccl) == steps_of(schedule));
      const Schedule msccl = read_msccl(msccl_text(schedule), "text", graph, ports).schedule;
      CHECK(fault_of(msccl) == "");
      CHECK(steps_of(msccl) == steps_of(schedule));
    }
  }
  std::filesystem::remove(path);
}
