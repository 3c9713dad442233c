// Networks of any form some of whose nodes only route: how that is said, and collectives on them.
#include <algorithm>
#include <set>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/algorithm/routed/processor_trees.hpp"
#include "cpp_model/algorithm/routed/shortest_ways.hpp"
#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/graph/routers.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/schedule/schedule_reader.hpp"
#include "cpp_model/schedule/schedule_writer.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/fault_of.hpp"
#include "testbench/support/network_text.hpp"

using namespace safnet;
using namespace safnet::testbench;

namespace {

std::string error_of_spelling(const std::string& spelling) {
  try {
    make_topology(spelling);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

const std::vector<std::string> kRouted{"routers(tree:2,3;degree:2)",
                                       "group(torus:4x4;0_0,0_1,1_1,3_3,2_0)",
                                       "group(ring:9;0,3,7)",
                                       "routers(complete:6;2-5)",
                                       "group(kautz:2,3;0-6)",
                                       "routers(fat-tree:2,3;leaf_3)",
                                       "graph:cpp_model/graph/file/rails.yml",
                                       "graph:cpp_model/graph/file/three_hosts.anynet",
                                       "graph:cpp_model/graph/file/nvswitch.topo.txt"};

}  // namespace

TEST_CASE("processors come first, and nodes keep their names and ports", "[routed_networks]") {
  const Graph graph = make_topology("routers(edges:0-1,1-2,2-3,1-3;1)");
  CHECK(graph.processor_count() == 3);
  CHECK(wiring(graph) ==
        "node_0: node_1; node_2: node_1 node_3; node_3: node_2 node_1; node_1: node_0 node_2 node_3");
  CHECK(graph.parse_node("node_3") == 2);
  // Where the last nodes are the routers, numbers stay.
  CHECK(wiring(make_topology("routers(linear:3;2)")) == "0: 1; 1: 2 0; 2: 1");
  CHECK(make_topology("routers(torus:3x3;0_0,1_*)").node_name(0) == "0_1");
  // A group leaves routers what they were.
  const Graph group = make_topology("group(fat-tree:2,2;leaf_0,leaf_3)");
  CHECK(group.processor_count() == 2);
  CHECK(group.node_name(1) == "leaf_3");
  CHECK(make_topology("transpose(group(kautz:2,2;0,1,2))").processor_count() == 3);
  CHECK(make_topology("group(routers(ring:8;5-7);0,1)").spelling() == "group(routers(ring:8;5-7);0,1)");
}

TEST_CASE("which nodes only route is said by numbers, names, ranges, patterns or degrees",
          "[routed_networks]") {
  const auto processors = [](const std::string& topology) {
    return make_topology(topology).processor_count();
  };
  CHECK(processors("routers(mesh:3x3;degree:4)") == 8);
  CHECK(processors("routers(mesh:3x3;degree:3)") == 4);
  CHECK(processors("routers(ring:8;0,5-7)") == 4);
  CHECK(processors("routers(fat-tree:2,3;leaf_[0-3])") == 4);
  CHECK(processors("routers(mesh:3x3;4,0_0,0_?)") == 5);
  CHECK(processors("group(mesh:3x3;0_*)") == 3);
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"routers(ring:8)", "no ';' before the nodes"},
      {"routers(ring:8;)", "node ''"},
      {"routers(ring:8;8)", "node '8'"},
      {"routers(ring:8;x)", "node 'x'"},
      {"routers(ring:8;3-9)", "nodes '3-9': expected ascending numbers from 0 to 7"},
      {"routers(ring:8;3-1)", "nodes '3-1'"},
      {"routers(ring:8;9*)", "nodes '9*': no name is like that"},
      {"routers(ring:8;degree:3)", "nodes 'degree:3': the largest degree is 2"},
      {"routers(ring:8;degree:x)", "nodes 'degree:x': expected degree:1 to degree:128"},
      {"routers(ring:8;degree:2)", "0 of 8 nodes left that process; expected 2 or more"},
      {"group(ring:8;1)", "1 of 8 nodes left"},
      {"group(fat-tree:2,2;router_2_0,0)", "router_2_0 only routes; expected nodes that process"},
      {"routers(ring:8;1", "no closing parenthesis"},
      {"product(routers(ring:8;1),ring:4)", "has nodes that only route"},
      {"routers(" + std::string(40, '(') + ")", "nested too deeply"},
  };
  for (const auto& [spelling, message] : wrong) {
    CAPTURE(spelling);
    CHECK_THAT(error_of_spelling(spelling), Catch::Contains(message));
  }
}

TEST_CASE("schedules know which nodes of a file only route", "[routed_networks]") {
  Problem problem{.graph = make_topology("graph:cpp_model/graph/file/three_hosts.anynet"),
                  .collective = CollectiveKind::kTotalExchange};
  const Schedule plan = *choose_algorithm(problem, true).plan;
  const std::string path = (std::filesystem::temp_directory_path() / "safnet_routed_networks.json").string();
  write_schedule(plan, path);
  const Schedule read = read_schedule(path);
  std::filesystem::remove(path);
  CHECK(read.network.processor_count() == 5);
  CHECK(read.network.node_name(8) == "router_3");
  CHECK(read.sends == plan.sends);
  CHECK(fault_of(read) == "");
}

TEST_CASE("every collective runs on any network with routers", "[routed_networks]") {
  for (const std::string& topology : kRouted) {
    const Graph graph = make_topology(topology);
    for (const CollectiveKind kind :
         {CollectiveKind::kBroadcast, CollectiveKind::kScatter, CollectiveKind::kGather,
          CollectiveKind::kReduction, CollectiveKind::kMultinodeBroadcast,
          CollectiveKind::kMultinodeAccumulation, CollectiveKind::kTotalExchange, CollectiveKind::kAllreduce,
          CollectiveKind::kPartialExchange, CollectiveKind::kPartialGather}) {
      for (const PortModel ports : {PortModel::kAllPort, PortModel::kOnePort, PortModel::kOnePortSend}) {
        for (const std::uint32_t messages : {1, 2}) {
          Problem problem{.graph = graph, .collective = kind, .ports = ports};
          problem.messages = messages;
          if (name_of(kind).has_active) problem.active = {0, 1};
          // Ports matter little to how messages are repeated, and planning takes long.
          if (messages > 1 && (name_of(kind).has_active || ports != PortModel::kAllPort)) continue;
          CAPTURE(topology, to_string(kind), to_string(ports), messages);
          const Choice choice = choose_algorithm(problem, true);
          const Schedule plan = choice.plan ? *choice.plan : plan_of(*choice.algorithm, problem);
          CHECK(fault_of(plan) == "");
          CHECK(why_not_packets_of(problem, plan) == "");
          CHECK(steps_of(plan) >= lower_bound(problem).steps);
        }
      }
    }
  }
}

TEST_CASE("routers carry out a total exchange along shortest ways", "[routed_networks]") {
  for (const std::string& topology : kRouted) {
    for (const PortModel ports : {PortModel::kAllPort, PortModel::kOnePort, PortModel::kOnePortSend}) {
      CAPTURE(topology, to_string(ports));
      const Problem problem{
          .graph = make_topology(topology), .collective = CollectiveKind::kTotalExchange, .ports = ports};
      const Schedule plan = plan_of(find_algorithm(problem, "any-shortest-way"), problem);
      CHECK(fault_of(plan) == "");
      CHECK(why_not_packets_of(problem, plan) == "");
      std::uint64_t hops = 0;
      for (PacketIndex p = 0; p < plan.packets.size(); ++p) {
        hops += problem.graph.distances_from(plan.packets.origin(p))[plan.packets.destinations(p).front()];
      }
      CHECK(plan.sends.size() == hops);
    }
  }
  // Neither the first nor the last links of the ways are used unevenly.
  const Problem rails{.graph = make_topology("graph:cpp_model/graph/file/rails.yml"),
                      .collective = CollectiveKind::kTotalExchange};
  const Schedule plan = plan_of(find_algorithm(rails, "any-shortest-way"), rails);
  std::vector<int> packets(rails.graph.link_count());
  for (const Send& send : plan.sends) ++packets[send.link];
  CHECK(*std::ranges::max_element(packets) <= 15);  // 12 if they were used evenly
}

TEST_CASE("shortest ways share out packets among links", "[routed_networks]") {
  // Eight processors with a link to each of twelve switches: no link is used by two ways of 56, and some by
  // none.
  const Graph graph = make_topology("graph:cpp_model/graph/file/nvswitch.topo.txt");
  ShortestWays ways(graph);
  std::vector<int> packets(graph.link_count());
  for (NodeId from = 0; from < 8; ++from) {
    for (NodeId to = 0; to < 8; ++to) {
      const std::vector<LinkId> path = ways.path(from, to);
      CHECK(path.size() == (from == to ? 0 : 2));
      for (const LinkId link : path) ++packets[link];
    }
  }
  CHECK(*std::ranges::max_element(packets) == 1);
  // A multicast is a tree that reaches every processor once.
  const Graph torus = make_topology("group(torus:4x4;0_0,1_2,3_3,2_0)");
  ShortestWays on_torus(torus);
  Hops hops;
  on_torus.add_multicast(hops, 0, 1);
  std::set<NodeId> reached;
  for (HopIndex h = 0; h < hops.size(); ++h) {
    CHECK(reached.insert(torus.link_target(hops.link[h])).second);
    CHECK(hops.after[h] == (torus.link_source(hops.link[h]) == 1 ? kNoHop : hops.after[h]));
  }
  for (const NodeId v : {0, 2, 3}) CHECK(reached.contains(v));
}

TEST_CASE("trees of processors inform each processor once, from informed ones", "[routed_networks]") {
  const Problem problem{.graph = make_topology("graph:cpp_model/graph/file/rails.yml")};
  for (const NodeId root : {0, 5}) {
    for (const CombiningTree& tree :
         {star_of_processors(16, root), chain_of_processors(16, root), halved_processors(16, root),
          grown_from_root(problem, root, true), grown_from_root(problem, root, false)}) {
      std::set<NodeId> informed{root};
      for (const ProcessorInforming& informing : tree) {
        CHECK(informed.contains(informing.from));
        CHECK(informed.insert(informing.to).second);
      }
      CHECK(informed.size() == 16);
    }
  }
}

TEST_CASE("all-port timetables of switches are near the bound", "[routed_networks]") {
  const auto steps = [](const char* file, CollectiveKind kind) {
    Problem problem{.graph = make_topology(std::string("graph:cpp_model/graph/file/") + file),
                    .collective = kind};
    return steps_of(*choose_algorithm(problem, true).plan);
  };
  CHECK(steps("nvswitch.topo.txt", CollectiveKind::kTotalExchange) == 2);
  CHECK(steps("nvswitch.topo.txt", CollectiveKind::kMultinodeBroadcast) == 2);
  CHECK(steps("rails.yml", CollectiveKind::kTotalExchange) <= 15);
}
