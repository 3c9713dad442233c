// Networks some of whose nodes only route, with everything that is not about fat trees alone.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/check/schedule_check.hpp"
#include "cpp_model/graph/family/fat_tree.hpp"
#include "cpp_model/graph/processor_distance.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/interchange/msccl_read.hpp"
#include "cpp_model/interchange/msccl_write.hpp"
#include "cpp_model/interchange/sccl_read.hpp"
#include "cpp_model/interchange/sccl_write.hpp"
#include "cpp_model/optimum/proved_optimum.hpp"
#include "cpp_model/optimum/tightest_bound.hpp"
#include "cpp_model/schedule/schedule_reader.hpp"
#include "cpp_model/schedule/schedule_writer.hpp"
#include "cpp_model/transform/reverse.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/fault_of.hpp"

using namespace safnet;

namespace {

Problem problem_of(const char* topology, CollectiveKind kind, PortModel ports, std::uint32_t messages = 1) {
  Problem problem{.graph = make_topology(topology), .collective = kind, .ports = ports};
  problem.messages = messages;
  if (name_of(kind).has_active) problem.active = {1, 2};
  return problem;
}

Schedule chosen(const Problem& problem) {
  Choice choice = choose_algorithm(problem, true);
  return choice.plan ? std::move(*choice.plan) : plan_of(*choice.algorithm, problem);
}

template <class Action>
std::string error_of(const Action& action) {
  try {
    action();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("every collective has a valid timetable in every port model, and its file is read back",
          "[routers]") {
  std::string path = (std::filesystem::temp_directory_path() / "safnet_XXXXXX").string();
  const int file = ::mkstemp(path.data());
  REQUIRE(file >= 0);
  ::close(file);
  for (const CollectiveName& collective : collective_names()) {
    if (collective.kind == CollectiveKind::kMultipath || collective.scans) continue;
    if (collective.kind == CollectiveKind::kConcurrentBroadcast) continue;  // planned on lines alone
    for (const PortModel ports : {PortModel::kAllPort, PortModel::kOnePort, PortModel::kOnePortSend}) {
      for (const std::uint32_t messages : {1U, 2U}) {
        CAPTURE(collective.name, to_string(ports), messages);
        const Problem problem = problem_of("fat-tree:3x2,1,2", collective.kind, ports, messages);
        const Schedule schedule = chosen(problem);
        CHECK(testbench::fault_of(schedule) == "");
        CHECK(why_not_packets_of(problem, schedule) == "");
        write_schedule(schedule, path);
        const Schedule back = read_schedule(path);
        CHECK(back.network.processor_count() == 6);
        CHECK(back.packets == schedule.packets);
        CHECK(back.sends == schedule.sends);
      }
    }
  }
  std::filesystem::remove(path);
}

TEST_CASE("routers have no packets and combine none", "[routers]") {
  Schedule schedule(make_topology("fat-tree:2,1"));
  const Graph& graph = schedule.network;
  const NodeId router = 2, root = 0;
  const PacketIndex other = schedule.packets.add(1, 0, 1, {});
  const PacketIndex own = schedule.packets.add(root, 0, 1, {});
  const std::vector<PacketIndex> parts{other, own};
  schedule.collective = "reduction";
  schedule.packets.add(router, 1, 1, std::span(&root, 1), parts);
  schedule.sends = {{1, graph.link(0, 0), own}, {1, graph.link(1, 0), other}, {2, graph.link(router, 0), 2}};
  const ScheduleReport report = check_schedule(schedule);
  REQUIRE_FALSE(report.valid());
  CHECK(report.violations.front().rule == ScheduleRule::kPacket);
  CHECK(contains(report.violations.front().text, "its origin only routes; expected a node from 0 to 1"));

  Schedule to_router(graph);
  to_router.packets.add(0, 0, 1, std::span(&router, 1));
  to_router.sends = {{1, graph.link(0, 0), 0}};
  CHECK(check_schedule(to_router).violations.at(0).rule == ScheduleRule::kPacket);
}

TEST_CASE("refusals on networks with routers are one line", "[routers]") {
  Problem problem = problem_of("fat-tree:2,2", CollectiveKind::kMultipath, PortModel::kAllPort);
  CHECK(error_of([&] { choose_algorithm(problem, false); }) ==
        "multipath on fat-tree:2,2, all-port: no algorithm applies: all need nodes that all process");
  problem = problem_of("fat-tree:2,2", CollectiveKind::kScatter, PortModel::kAllPort);
  problem.root = problem.graph.parse_node("router_1_0");
  CHECK(error_of([&] { choose_algorithm(problem, false); }) ==
        "root router_1_0: expected a node from 0 to 3; the others only route");
  problem = problem_of("fat-tree:2,2", CollectiveKind::kPartialExchange, PortModel::kAllPort);
  problem.active = {0, 4};
  CHECK(contains(error_of([&] { collective_packets(problem); }), "4"));

  const Schedule schedule =
      chosen(problem_of("fat-tree:2,2", CollectiveKind::kMultinodeBroadcast, PortModel::kAllPort));
  CHECK(contains(error_of([&] { msccl_text(schedule); }), "nodes that only route"));
  CHECK(contains(error_of([&] { sccl_text(schedule); }), "nodes that only route"));
  CHECK(contains(error_of([&] { reverse(schedule); }), "only routes and cannot combine"));
  const std::string ranks =
      msccl_text(chosen(problem_of("ring:7", CollectiveKind::kMultinodeBroadcast, PortModel::kAllPort)));
  CHECK(contains(error_of([&] { read_msccl(ranks, "ranks.xml", schedule.network, PortModel::kAllPort); }),
                 "has nodes that only route"));
}

TEST_CASE("a scatter over routers backwards is a gather", "[routers]") {
  for (const std::uint32_t messages : {1U, 2U}) {
    for (const PortModel ports : {PortModel::kAllPort, PortModel::kOnePort}) {
      const Problem scatter = problem_of("fat-tree:2,3", CollectiveKind::kScatter, ports, messages);
      const Schedule back = reverse(chosen(scatter));
      CHECK(testbench::fault_of(back) == "");
      CHECK(why_not_packets_of(problem_of("fat-tree:2,3", CollectiveKind::kGather, ports, messages), back) ==
            "");
    }
  }
}

TEST_CASE("searches for optima of what routers copy step aside where nodes only route", "[routers]") {
  for (const CollectiveKind kind : {CollectiveKind::kScatter, CollectiveKind::kGather,
                                    CollectiveKind::kBroadcast, CollectiveKind::kMultinodeBroadcast}) {
    const Problem problem = problem_of("fat-tree:2,2", kind, PortModel::kOnePort);
    CHECK_FALSE(proved_optimum(problem));
    CHECK(searched_optimum(problem) == nullptr);
    CHECK(tightest_bound(problem, 1000).steps == lower_bound(problem).steps);
  }
}

TEST_CASE("distances between processors", "[routers]") {
  const Graph graph = make_topology("fat-tree:2,2");
  CHECK(processor_status(graph, 0) == 2 + 4 + 4);
  CHECK(total_processor_status(graph) == 40);
  CHECK(total_processor_status(graph.with_spelling("other")) == 40);
  CHECK(total_processor_status(make_topology("ring:5")) == make_topology("ring:5").total_status());
}
