// The RTL of tdm_nodes against a model of the same network that was written from rtl/tdm/README.md
// (cpp_model/systemc): every flit on every link with its data, every packet that a host gets, every counter.
//
// Valid schedules: the reference makes its programs itself. Late and stuck runs: it gets the hardware's
// programs, as what waits for room depends on them.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/interchange/msccl_read.hpp"
#include "cpp_model/interchange/msccl_write.hpp"
#include "cpp_model/schedule/sum_parts.hpp"
#include "cpp_model/transform/free_running.hpp"
#include "sim/tdm/tdm_waits.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/greedy_plan.hpp"
#include "testbench/support/interchange_schedules.hpp"
#include "testbench/support/one_way_networks.hpp"
#include "testbench/support/random_network.hpp"
#include "testbench/support/timetable_runs.hpp"

using namespace safnet;
using namespace safnet::testbench;

namespace {

TdmWaits waits_of(const Timetable& timetable) {
  return find_waits(timetable.schedule.network, timetable.program);
}

// A valid schedule, of which the reference makes its programs itself.
std::string unlike_rtl(const Schedule& schedule) {
  const Timetable timetable(schedule);
  TimetableOutcome hardware = on_rtl(timetable);
  if (hardware.stuck) return "the hardware is stuck";
  if (!schedule.sends.empty() && hardware.links.empty()) return "nothing was sent";
  if (waits_of(timetable).never != 0) return "waits that do not end";
  return unlike(timetable, std::move(hardware), on_reference(timetable, reference_programs(schedule)), false);
}

// Calls `visit(buffer, generation)` for every receive of a node that has a buffer, and for every send from
// one.
template <class Receive, class Send>
void for_each_buffer(TdmNodeProgram& node, Receive receive, Send send) {
  const auto receives = [&](TdmReceive& r) {
    if ((r.actions & (kTdmStore | kTdmCombine)) != 0) receive(r);
  };
  const auto sends = [&](TdmSend& s) {
    if (!s.own) send(s);
  };
  for (auto& list : node.receives) std::ranges::for_each(list, receives);
  for (TdmLoad& load : node.loads) receives(load.receive);
  for (auto& list : node.sends) std::ranges::for_each(list, sends);
  for (TdmLoopback& loopback : node.loopbacks) {
    std::ranges::for_each(loopback.receives, receives);
    std::ranges::for_each(loopback.sends, sends);
  }
}

// Gives the packets of a node fewer buffers, one after the other in the order in which they are to be sent.
void squeeze(TdmNodeProgram& node, std::uint32_t buffers) {
  using Place = std::pair<std::uint32_t, std::uint32_t>;  // buffer, generation
  std::map<Place, std::uint32_t> first_slot;
  for_each_buffer(
      node,
      [&](const TdmReceive& r) {
        first_slot.try_emplace({r.buffer, r.generation}, 0xffff'ffff);
      },
      [](const TdmSend&) {});
  for_each_buffer(
      node, [](const TdmReceive&) {},
      [&](const TdmSend& s) {
        const auto found = first_slot.find({s.buffer, s.generation});
        if (found != first_slot.end()) found->second = std::min(found->second, s.slot);
      });
  std::vector<std::pair<std::uint32_t, Place>> order;
  for (const auto& [place, slot] : first_slot) order.emplace_back(slot, place);
  std::ranges::sort(order);
  std::map<Place, Place> moved;
  for (std::uint32_t k = 0; k < order.size(); ++k) moved[order[k].second] = {k % buffers, k / buffers};
  const auto move = [&](auto& instruction) {
    const auto found = moved.find({instruction.buffer, instruction.generation});
    if (found == moved.end()) return;  // a send of what the node never gets
    instruction.buffer = static_cast<std::uint16_t>(found->second.first);
    instruction.generation = found->second.second;
  };
  for_each_buffer(node, move, move);
}

// A timetable that runs late or not at all: with too few buffers, a narrow window.
Timetable in_trouble(const Schedule& schedule, Dice& dice) {
  Timetable timetable(schedule);
  if (dice.one_in(2)) {
    for (TdmNodeProgram& node : timetable.program.nodes)
      squeeze(node, dice.between(1, std::max(1U, timetable.program.peak_buffers)));
  }
  if (dice.one_in(2))
    timetable.parameters.window =
        static_cast<int>(dice.between(1, static_cast<std::uint32_t>(timetable.parameters.window)));
  return timetable;
}

// Any timetable, on the hardware's programs; what nodes wait for in the end and how many buffers were in use
// as well. Adds to `trouble` what the run was.
struct Trouble {
  std::uint64_t late = 0, stuck = 0, circles = 0;
};
std::string unlike_in_trouble(const Timetable& timetable, Trouble& trouble) {
  const Schedule& schedule = timetable.schedule;
  const TimetableOutcome hardware = on_rtl(timetable);
  const ReferenceOutcome reference = on_reference(timetable, translated(timetable.program));
  if (std::string difference = unlike(timetable, hardware, reference, true); !difference.empty())
    return difference;
  trouble.stuck += hardware.stuck ? 1 : 0;
  // Programs alone decide whether a run ends: either there is a circle or something missing, and the hardware
  // gets stuck, or there is neither, and it ends.
  const TdmWaits waits = waits_of(timetable);
  if (hardware.stuck != (waits.never != 0))
    return fmt::format("the hardware is {}stuck, and {} instructions never come",
                       hardware.stuck ? "" : "not ", waits.never);
  if (hardware.stuck != (!waits.circle.empty() || waits.unfed)) return "waits that do not end have no reason";
  trouble.circles += waits.circle.empty() ? 0 : 1;
  for (NodeId v = 0; v < schedule.network.node_count(); ++v) {
    const TimetableNodeRecord& node = reference.run.nodes[v];
    trouble.late += node.late;
    if (hardware.counters[v].peak_occupancy != node.counters.peak_occupancy)
      return fmt::format("node {}: peak_occupancy {}, reference {}", v, hardware.counters[v].peak_occupancy,
                         node.counters.peak_occupancy);
    const NodeStatus& status = hardware.status[v];
    // The hardware's inner lanes come after all ports that it is built with.
    const PortId inputs = schedule.network.in_degree(v);
    const PortSet of_links = node.wait_buffer & (port_bit(inputs) - 1);
    const PortSet wait_buffer = of_links | (node.wait_buffer >> inputs) << timetable.parameters.radix;
    if (hardware.stuck && std::tuple(status.wait_packet, status.wait_credit, status.wait_buffer) !=
                              std::tuple(node.wait_packet, node.wait_credit, wait_buffer))
      return fmt::format("node {}: waits {:b} {:b} {:b}, reference {:b} {:b} {:b}", v, status.wait_packet,
                         status.wait_credit, status.wait_buffer, node.wait_packet, node.wait_credit,
                         wait_buffer);
    for (std::size_t k = 0; k < std::max(status.first_late.size(), node.first_late.size()); ++k) {
      const auto of = [k](const auto& list) {
        return k < list.size() ? fmt::format("port {} send {} cycle {} reason {}", list[k].port,
                                             list[k].number, list[k].cycle, static_cast<int>(list[k].reason))
                               : "none";
      };
      if (of(status.first_late) != of(node.first_late))
        return fmt::format("node {}: late send {}: hardware {}, reference {}", v, k, of(status.first_late),
                           of(node.first_late));
    }
  }
  return "";
}

// A schedule of steps in the packets of three kinds of run.
std::vector<Schedule> in_packets(const Schedule& steps) {
  return {steps, in_lockstep(steps, 3, 2), free_running(steps, 4, 1)};
}

constexpr PortModel kPortModels[] = {PortModel::kAllPort, PortModel::kOnePort, PortModel::kOnePortSend};
constexpr CollectiveKind kCollectives[] = {CollectiveKind::kBroadcast,
                                           CollectiveKind::kScatter,
                                           CollectiveKind::kGather,
                                           CollectiveKind::kMultinodeBroadcast,
                                           CollectiveKind::kTotalExchange,
                                           CollectiveKind::kReduction,
                                           CollectiveKind::kMultinodeAccumulation,
                                           CollectiveKind::kAllreduce};

// Networks of nodes with at most 8 ports, which share their builds.
std::vector<std::string> networks_of_families() {
  std::vector<std::string> spellings{"linear:2", "ring:5", "edges:0-1,0-1,1-2,2-0,2-0,2-3", "random:7,9,4"};
  for (const TopologyFamily& family : topology_families()) {
    if (family.name == "graph") continue;
    const Graph graph = make_topology(family.example);
    if (graph.max_degree() <= 8 && graph.node_count() <= 32) spellings.push_back(family.example);
  }
  return spellings;
}

std::pair<std::uint64_t, std::uint64_t> seeds_wanted(std::uint64_t last) {
  std::uint64_t first = 1;
  if (const char* const wanted = std::getenv("SAFNET_SEEDS"); wanted != nullptr) {
    const std::string text = wanted;
    first = std::stoull(text);
    last = text.find(':') == std::string::npos ? first : std::stoull(text.substr(text.find(':') + 1));
  }
  return {first, last};
}

// Some sends a few slots earlier or later than planned; now and then one is left out.
void disturb(Dice& dice, Schedule& schedule) {
  const std::uint32_t rarely = dice.between(2, 12);
  for (Send& send : schedule.sends) {
    if (!dice.one_in(rarely)) continue;
    const std::uint32_t by = dice.between(1, 4);
    send.start = dice.one_in(3) ? send.start + by : send.start - std::min(send.start - 1, by);
  }
  if (dice.one_in(4))
    schedule.sends.erase(schedule.sends.begin() +
                         dice.below(static_cast<std::uint32_t>(schedule.sends.size())));
  sort_sends(schedule);
}

// A schedule of steps that nobody designed.
Schedule random_schedule(Dice& dice) {
  const PortModel ports = kPortModels[dice.below(3)];
  const CollectiveKind kinds[] = {CollectiveKind::kTotalExchange, CollectiveKind::kScatter,
                                  CollectiveKind::kGather, CollectiveKind::kBroadcast,
                                  CollectiveKind::kMultinodeBroadcast};
  const std::uint32_t seed = dice.below(1'000'000);
  if (dice.one_in(2)) {
    const char* const networks[] = {"ring:5", "mesh:3x2",   "hypercube:3",
                                    "star:3", "complete:4", "edges:0-1,0-1,1-2,2-0,2-0,2-3"};
    const std::string network = networks[dice.below(6)];
    std::vector<NodeId> roots;
    const NodeId nodes = make_topology(network).node_count();
    for (std::uint32_t chunk = dice.between(1, 6); chunk > 0; --chunk) roots.push_back(dice.below(nodes));
    Schedule schedule = reduced(network, ports, roots, dice.one_in(2), seed);
    schedule.operation = static_cast<Operation>(dice.below(5));
    return schedule;
  }
  return greedy_plan({.graph = random_graph(dice, 9, 4),
                      .collective = kinds[dice.below(5)],
                      .ports = ports,
                      .root = dice.below(3)});
}

Schedule in_random_packets(Dice& dice, Schedule steps) {
  const std::uint32_t flits = dice.between(1, 4), latency = dice.below(3);
  return dice.one_in(2) ? in_lockstep(std::move(steps), flits, latency)
                        : free_running(std::move(steps), flits, latency);
}

}  // namespace

TEST_CASE("all collectives on all families: RTL and reference agree flit for flit", "[reference_timetable]") {
  std::uint64_t compared = 0;
  for (const std::string& network : networks_of_families()) {
    for (const PortModel ports : kPortModels) {
      for (const CollectiveKind collective : kCollectives) {
        const Problem problem{.graph = make_topology(network), .collective = collective, .ports = ports};
        if (least_sends(problem) > 3000) continue;
        for (const Algorithm& algorithm : algorithms()) {
          // Those as printed are known to be wrong.
          if (algorithm.collective != collective || algorithm.searches || !algorithm.plan ||
              algorithm.name.ends_with("-as-printed") || !algorithm.why_not(problem).empty())
            continue;
          INFO(network << " " << to_string(collective) << " " << to_string(ports) << " " << algorithm.name);
          const std::vector<Schedule> runs = in_packets(plan_of(algorithm, problem));
          const Schedule& schedule = runs[compared % runs.size()];
          if (!shares_builds(compile_program(schedule))) continue;
          ++compared;
          const std::string difference = unlike_rtl(schedule);
          if (!difference.empty()) CHECK(difference == "");
        }
      }
    }
  }
  CHECK(compared > 3000);
}

TEST_CASE("several messages, and sums that go on over loopbacks: RTL and reference agree",
          "[reference_timetable]") {
  struct Case {
    const char* topology;
    const char* algorithm;
    PortModel ports;
    std::uint32_t messages;
  };
  std::uint64_t loops = 0;
  for (const auto& [topology, algorithm, ports, messages] :
       {Case{"hypercube:3", "recursive-doubling", PortModel::kOnePort, 1},
        Case{"hypercube:4", "recursive-doubling", PortModel::kOnePort, 3},
        Case{"complete:6", "recursive-doubling", PortModel::kOnePort, 2},
        Case{"torus:4x6", "recursive-doubling", PortModel::kOnePort, 1},
        Case{"ring:7", "combine-everywhere", PortModel::kOnePort, 1},
        Case{"mesh:2x3", "dimension-by-dimension", PortModel::kOnePort, 1},
        Case{"torus:4x4", "dimension-by-dimension", PortModel::kAllPort, 2},
        Case{"torus:4x4", "dimension-by-dimension", PortModel::kAllPort, 5}}) {
    const Problem problem{.graph = make_topology(topology),
                          .collective = CollectiveKind::kAllreduce,
                          .ports = ports,
                          .messages = messages};
    Schedule steps = plan_of(find_planner(problem, algorithm), problem);
    for (const Operation operation : {Operation::kSum, Operation::kMaximum}) {
      steps.operation = operation;
      for (const Schedule& schedule : in_packets(steps)) {
        INFO(topology << " " << algorithm << " " << messages << " " << schedule.slot_cycles);
        CHECK(unlike_rtl(schedule) == "");
        loops += compile_program(schedule).loopbacks;
      }
    }
  }
  CHECK(loops > 40);
  for (const CollectiveKind collective : kCollectives) {
    const Problem problem{.graph = make_topology("mesh:3x3"),
                          .collective = collective,
                          .ports = PortModel::kOnePort,
                          .messages = 3};
    const Choice choice = choose_algorithm(problem, true);
    INFO(to_string(collective));
    for (const Schedule& schedule :
         in_packets(choice.plan ? *choice.plan : plan_of(*choice.algorithm, problem)))
      CHECK(unlike_rtl(schedule) == "");
  }
}

TEST_CASE("a packet that is delivered and a part, and a sum that is sent too soon: RTL and reference agree",
          "[reference_timetable]") {
  // Node 0's packet is for node 1 and, as a part of a sum that is made there, for node 2.
  for (const std::uint32_t slot : {3U, 2U, 4U}) {
    Schedule steps(make_topology("linear:3"));
    const NodeId middle = 1, end = 2;
    const PacketIndex a = steps.packets.add(0, 0, 1, std::span(&middle, 1));
    const PacketIndex b = steps.packets.add(1, 0, 1, {});
    const PacketIndex parts[] = {a, b};
    const PacketIndex sum = steps.packets.add(1, 1, 1, std::span(&end, 1), parts);
    steps.sends = {{1, steps.network.link(0, 0), a},
                   {slot, steps.network.link(1, *steps.network.port_to(1, 2)), sum}};
    CHECK(compile_program(steps).loopbacks == 1);
    CHECK(unlike_rtl(steps) == "");
    CHECK(unlike_rtl(in_lockstep(steps, 3, 2)) == "");
    CHECK(first_late_sum(steps).empty() == (slot != 2));
  }
}

TEST_CASE("networks with routers, one-way links, and programs of MSCCL: RTL and reference agree",
          "[reference_timetable]") {
  std::vector<Graph> networks = small_one_way_networks();
  for (const char* spelling : {"fat-tree:3x2,1,2", "routers(tree:2,3;degree:2)"})
    networks.push_back(make_topology(spelling));
  for (const Graph& graph : networks) {
    for (const PortModel ports : kPortModels) {
      for (const CollectiveKind collective : kCollectives) {
        const Problem problem{.graph = graph, .collective = collective, .ports = ports};
        const Choice choice = choose_algorithm(problem, true);
        INFO(graph.spelling() << " " << to_string(collective) << " " << to_string(ports));
        for (const Schedule& schedule :
             in_packets(choice.plan ? *choice.plan : plan_of(*choice.algorithm, problem)))
          CHECK(unlike_rtl(schedule) == "");
      }
    }
  }
  for (const Schedule& schedule : schedules_of_all_kinds()) {
    INFO(schedule.network.spelling() << " " << schedule.collective << " " << to_string(schedule.ports));
    const Schedule read = read_msccl(msccl_text(schedule), "text", schedule.network, schedule.ports).schedule;
    CHECK(unlike_rtl(read) == "");
  }
}

TEST_CASE("random schedules: RTL and reference agree", "[reference_timetable]") {
  const auto [first, last] = seeds_wanted(300);
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    Dice dice(seed);
    const Schedule schedule = in_random_packets(dice, random_schedule(dice));
    INFO("SAFNET_SEEDS=" << seed << " " << schedule.network.spelling());
    const std::string difference = unlike_rtl(schedule);
    if (!difference.empty()) CHECK(difference == "");
  }
}

TEST_CASE("late and stuck runs of the hardware's programs: RTL and reference agree",
          "[reference_timetable]") {
  const auto [first, last] = seeds_wanted(400);
  Trouble trouble;
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    Dice dice(seed);
    Schedule steps = random_schedule(dice);
    if (dice.one_in(4)) {
      const Problem problem{.graph = make_topology("hypercube:3"),
                            .collective = CollectiveKind::kAllreduce,
                            .ports = PortModel::kOnePort,
                            .messages = dice.between(1, 3)};
      steps = plan_of(find_planner(problem, "recursive-doubling"), problem);
    }
    Schedule schedule = in_random_packets(dice, std::move(steps));
    if (schedule.sends.empty()) continue;
    if (!dice.one_in(4)) disturb(dice, schedule);
    INFO("SAFNET_SEEDS=" << seed << " " << schedule.network.spelling());
    const std::string difference = unlike_in_trouble(in_trouble(schedule, dice), trouble);
    if (!difference.empty()) CHECK(difference == "");
  }
  if (last - first < 100) return;
  CHECK(trouble.late > 1000);
  CHECK(trouble.stuck > 20);
  CHECK(trouble.circles > 5);
}

// Node 6 puts nine stored parts into sums in slot 2. With fewer loopbacks one of them would be a slot late.
TEST_CASE("each part that goes on in a slot has a loopback", "[reference_timetable]") {
  const Problem problem{.graph = make_topology("edges:5-4,4-6,6-0,5-1,1-2,6-3,4-1,2-5,1-5,1-5,6-2,3-2,3-1"),
                        .collective = CollectiveKind::kAllreduce};
  const TdmProgram program = compile_program(plan_of(find_planner(problem, "optimal"), problem));
  CHECK(program.loopbacks == 9);
  REQUIRE(program.nodes[6].loopbacks.size() == 9);
  for (const TdmLoopback& loopback : program.nodes[6].loopbacks) CHECK(loopback.sends.front().slot == 2);
}

// What is wrong with the reference is noticed: here its programs are changed.
TEST_CASE("a reference that does something else is noticed", "[reference_timetable]") {
  const Problem problem{.graph = make_topology("hypercube:3"),
                        .collective = CollectiveKind::kAllreduce,
                        .ports = PortModel::kOnePort};
  Schedule schedule = in_lockstep(plan_of(find_planner(problem, "recursive-doubling"), problem), 3, 1);
  const Timetable timetable(schedule);
  const TimetableOutcome hardware = on_rtl(timetable);
  const auto difference_of = [&](const auto& change) {
    std::vector<ReferenceProgram> programs = reference_programs(schedule);
    change(programs);
    return unlike(timetable, hardware, on_reference(timetable, programs), false);
  };
  CHECK(difference_of([](auto&) {}) == "");
  // A part that is in its sum a slot later.
  CHECK_THAT(difference_of([](auto& programs) { programs[3].loopbacks.at(0).sends.at(0).slot = 3; }),
             Catch::Contains("leaves node 3"));
  // A sum that is sent without one of its parts.
  CHECK_THAT(difference_of([](auto& programs) {
               for (ReferenceLoopback& loopback : programs[5].loopbacks) loopback.receives[0].parts = 1;
               for (auto& receives : programs[5].receives)
                 for (ReferenceReceive& receive : receives) receive.parts = 1;
             }),
             Catch::Contains("leaves node 5"));
  // The host of a node does not get its sum.
  CHECK_THAT(difference_of([](auto& programs) {
               for (ReferenceLoopback& loopback : programs[6].loopbacks)
                 loopback.receives[0].delivers = false;
               for (auto& receives : programs[6].receives)
                 for (ReferenceReceive& receive : receives) receive.delivers = false;
             }),
             Catch::Contains("complete at node 6"));
  // Another operation: all is in time, but not the data.
  schedule.operation = Operation::kMaximum;
  const TimetableOutcome maximum = on_rtl(Timetable(schedule));
  schedule.operation = Operation::kMinimum;
  const Timetable minimum(schedule);
  CHECK_THAT(unlike(minimum, maximum, on_reference(minimum, reference_programs(schedule)), false),
             Catch::Contains("flit"));
}
