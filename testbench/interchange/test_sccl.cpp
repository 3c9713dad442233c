// SCCL files: what is read of them, what is refused, and that what is written reads back the same.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <utility>

#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/interchange/msccl_read.hpp"
#include "cpp_model/interchange/msccl_write.hpp"
#include "cpp_model/interchange/sccl_read.hpp"
#include "cpp_model/interchange/sccl_write.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/interchange_schedules.hpp"

using namespace safnet;
using namespace safnet::testbench;
using Json = nlohmann::json;

namespace {

Json links_of(const Graph& graph) {
  std::vector<std::vector<int>> links(graph.node_count(), std::vector<int>(graph.node_count()));
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    for (PortId p = 0; p < graph.degree(v); ++p) ++links[graph.peer(v, p).node][v];
  }
  return links;
}

Json one_port_switches(const Graph& graph, bool both) {
  Json switches = Json::array();
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    std::set<NodeId> neighbours;
    for (PortId p = 0; p < graph.degree(v); ++p) neighbours.insert(graph.peer(v, p).node);
    switches.push_back({{v}, neighbours, 1, fmt::format("node_{}_out", v)});
    if (both) switches.push_back({neighbours, {v}, 1, fmt::format("node_{}_in", v)});
  }
  return switches;
}

Json chunk(std::vector<NodeId> pre, std::vector<NodeId> post, std::uint32_t address) {
  return {{"pre", pre}, {"post", post}, {"addr", address}};
}
struct SentChunk {
  std::uint32_t address, source, destination;
};
Json step(std::uint32_t rounds, const std::vector<SentChunk>& sends) {
  Json list = Json::array();
  for (const SentChunk& send : sends)
    list.push_back(Json::array({send.address, send.source, send.destination}));
  return {{"rounds", rounds}, {"sends", list}};
}

Json sccl(const Graph& graph, const std::string& collective, const std::vector<Json>& chunks,
          const std::vector<Json>& steps, std::uint32_t chunk_up = 1) {
  return {{"msccl_type", "algorithm"},
          {"name", "an algorithm"},
          {"instance", {{"steps", steps.size()}, {"chunks", chunk_up}, {"pipeline", nullptr}}},
          {"steps", steps},
          {"collective",
           {{"name", collective},
            {"nodes", graph.node_count()},
            {"chunks", chunks},
            {"triggers", Json::object()}}},
          {"topology", {{"name", "a network"}, {"switches", Json::array()}, {"links", links_of(graph)}}}};
}

// One-port broadcast on the 3-cube, along a binomial tree.
Json cube_broadcast() {
  const Graph cube = make_topology("hypercube:3");
  Json file = sccl(cube, "Broadcast(n=8,root=0)", {chunk({0}, {0, 1, 2, 3, 4, 5, 6, 7}, 0)},
                   {step(1, {{0, 0, 1}}), step(1, {{0, 0, 2}, {0, 1, 3}}),
                    step(1, {{0, 0, 4}, {0, 1, 5}, {0, 2, 6}, {0, 3, 7}})});
  file["topology"]["switches"] = one_port_switches(cube, true);
  return file;
}

// A square in which edges 0-1 and 2-3 are double, as in a DGX-1: node 0 has six packets for nodes 1 and 2.
Json double_links(std::uint32_t rounds) {
  const Graph square = make_topology("edges:0-1,0-1,1-2,2-3,2-3,3-0");
  std::vector<Json> chunks;
  std::vector<SentChunk> sends, more;
  for (std::uint32_t c = 0; c < 6; ++c) {
    chunks.push_back(chunk({0}, {1, 2}, c));
    sends.push_back({c, 0, 1});
    more.push_back({c, 1, 2});
  }
  return sccl(square, "Custom", chunks, {step(rounds, sends), step(6, more)});
}

ReadSchedule read(const Json& file) { return read_sccl(file.dump(), "file.msccl.json"); }

}  // namespace

TEST_CASE("an SCCL broadcast on a one-port cube keeps its rounds", "[interchange][sccl]") {
  const ReadSchedule result = read(cube_broadcast());
  const Schedule& schedule = result.schedule;
  CHECK(schedule.ports == PortModel::kOnePort);
  CHECK(schedule.collective == "broadcast");
  CHECK(schedule.root == 0);
  CHECK(schedule.packets.size() == 1);
  CHECK(schedule.sends.size() == 7);
  CHECK(steps_of(schedule) == 3);
  CHECK(schedule.description == "Broadcast(n=8,root=0) on a network");
  CHECK(fault_of(schedule) == "");
  CHECK(result.remarks.at(0) == "published rounds 3, imported in 3 steps");

  Json sends_only = cube_broadcast();
  sends_only["topology"]["switches"] = one_port_switches(make_topology("hypercube:3"), false);
  CHECK(read(sends_only).schedule.ports == PortModel::kOnePortSend);
}

TEST_CASE("multiplicities are parallel links, and steps of several rounds may end earlier",
          "[interchange][sccl]") {
  const ReadSchedule result = read(double_links(3));
  CHECK(result.schedule.network.link_count() == 12);
  CHECK(fault_of(result.schedule) == "");
  // The first packets reach node 1 in step 1; all six then cross the single link to node 2, in steps 2 to 7.
  CHECK(result.remarks.at(0) == "published rounds 9, imported in 7 steps");
  CHECK_THAT(error_of([] { read(double_links(2)); }),
             Catch::Contains("steps[0]: more than 4 packets from 0 to 1"));
}

TEST_CASE("chunk-up gives every chunk addresses of its own", "[interchange][sccl]") {
  const Graph line = make_topology("linear:2");
  const std::vector<Json> chunks{chunk({0}, {1}, 0), chunk({1}, {0}, 1)};
  const std::vector<Json> steps{step(2, {{0, 0, 1}, {1, 0, 1}, {2, 1, 0}, {3, 1, 0}})};
  Json file = sccl(line, "Alltoall", chunks, steps, 2);
  file["input_map"] = {{"0", {0, 1}}, {"1", {2, 3}}};
  file["output_map"] = {{"0", {2, 3}}, {"1", {0, 1}}};
  const Schedule schedule = read(file).schedule;
  CHECK(schedule.packets.size() == 4);
  CHECK(schedule.collective == "total-exchange");
  CHECK(fault_of(schedule) == "");
  file["input_map"] = {{"0", {0, 1}}, {"1", {2}}};
  CHECK_THAT(error_of([&] { read(file); }), Catch::Contains("input_map['1']: address 3 is missing"));
  file["input_map"] = {{"0", {0, 1, 2}}, {"1", {2, 3}}};
  CHECK_THAT(error_of([&] { read(file); }), Catch::Contains("input_map['0']: address 2"));
  // Before chunk-up the same sends would use addresses that do not exist.
  CHECK_THAT(error_of([&] { read(sccl(line, "Alltoall", chunks, steps)); }),
             Catch::Contains("nothing at address 1"));
}

TEST_CASE("chunks that share an address are combined", "[interchange][sccl]") {
  const Graph line = make_topology("linear:3");
  const std::vector<Json> chunks{chunk({0}, {0, 1, 2}, 0), chunk({1}, {0, 1, 2}, 0),
                                 chunk({2}, {0, 1, 2}, 0)};
  const std::vector<Json> steps{step(1, {{0, 0, 1}, {0, 2, 1}}), step(1, {{0, 1, 0}, {0, 1, 2}})};
  const Schedule schedule = read(sccl(line, "Allreduce", chunks, steps)).schedule;
  REQUIRE(schedule.packets.size() == 4);
  CHECK(schedule.packets.origin(3) == 1);
  CHECK(schedule.packets.parts(3).size() == 3);
  CHECK(schedule.packets.destinations(3).size() == 3);
  CHECK(fault_of(schedule) == "");
  // Refused: node 0 never gets the summand of node 2; node 0 would add two sums that both contain node 2's.
  const std::vector<Json> twice{step(1, {{0, 0, 1}}), step(1, {{0, 1, 2}}), step(1, {{0, 1, 0}, {0, 2, 1}})};
  CHECK_THAT(error_of([&] { read(sccl(line, "Allreduce", chunks, twice)); }),
             Catch::Contains("node 0, address 0"));
  const Graph ring = make_topology("ring:4");
  const std::vector<Json> four{chunk({0}, {0}, 0), chunk({1}, {0}, 0), chunk({2}, {0}, 0),
                               chunk({3}, {0}, 0)};
  const std::vector<Json> overlap{step(1, {{0, 2, 1}, {0, 2, 3}}), step(1, {{0, 1, 0}}),
                                  step(1, {{0, 3, 0}})};
  CHECK_THAT(error_of([&] { read(sccl(ring, "Reduce", four, overlap)); }), Catch::Contains("count twice"));
}

TEST_CASE("sends that bring nothing new are left out and counted", "[interchange][sccl]") {
  const Graph ring = make_topology("ring:3");
  const ReadSchedule result = read(sccl(ring, "Broadcast(n=3,root=0)", {chunk({0}, {1, 2}, 0)},
                                        {step(1, {{0, 0, 1}, {0, 0, 2}}), step(1, {{0, 1, 2}, {0, 1, 0}})}));
  CHECK(result.schedule.sends.size() == 2);
  CHECK(result.schedule.collective == "broadcast");
  CHECK(
      result.remarks.at(1) ==
      "2 of 4 published sends left out, what they bring is there already: address 0 from 1 to 2 in steps[1]; "
      "address 0 from 1 to 0 in steps[1]");
  // Of many, four are named.
  const auto remark_on = [&](const std::vector<SentChunk>& second) {
    const std::vector<Json> steps{step(1, {{0, 0, 1}, {0, 0, 2}, {0, 0, 3}, {0, 0, 4}}), step(1, second)};
    const std::vector<Json> chunks{chunk({0}, {1, 2, 3, 4}, 0)};
    return read(sccl(make_topology("complete:5"), "Broadcast(n=5,root=0)", chunks, steps)).remarks.at(1);
  };
  const std::vector<SentChunk> four{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 1}};
  CHECK_THAT(remark_on(four), Catch::StartsWith("4 of 8 published sends left out") &&
                                  Catch::EndsWith("; address 0 from 4 to 1 in steps[1]"));
  CHECK(std::ranges::count(remark_on(four), ';') == 3);
  std::vector<SentChunk> five = four;
  five.push_back({0, 2, 1});
  CHECK_THAT(remark_on(five),
             Catch::StartsWith("5 of 9 published sends left out") && Catch::EndsWith("; ..."));
}

TEST_CASE("sends that nobody needs are left out by name, and the collective stays", "[interchange][sccl]") {
  // A total exchange whose chunks include what every node has for itself, as SCCL's do. Node 0's own chunk
  // goes round the ring, and node 0's chunk for node 1 goes on from there.
  const Graph ring = make_topology("ring:3");
  std::vector<Json> chunks;
  std::vector<SentChunk> sends;
  for (NodeId u = 0; u < 3; ++u) {
    for (NodeId v = 0; v < 3; ++v) {
      chunks.push_back(chunk({u}, {v}, 3 * u + v));
      if (u != v) sends.push_back({3 * u + v, u, v});
    }
  }
  const auto read_with = [&](const std::vector<Json>& steps) {
    return read(sccl(ring, "Alltoall(n=3)", chunks, steps));
  };
  const ReadSchedule without = read_with({step(1, sends)});
  const ReadSchedule with =
      read_with({step(1, sends), step(1, {{0, 0, 1}, {1, 1, 2}}), step(1, {{0, 1, 2}})});
  CHECK(with.schedule.collective == "total-exchange");
  CHECK(with.schedule.packets == without.schedule.packets);
  CHECK(with.schedule.sends == without.schedule.sends);
  CHECK(fault_of(with.schedule) == "");
  CHECK(with.remarks.at(0) == "published rounds 3, imported in 1 steps");
  CHECK(
      with.remarks.at(1) ==
      "3 of 9 sends left out, nobody needs what they bring: address 0 from 0 to 1 in step 2; address 1 from "
      "1 to 2 in step 2; address 0 from 1 to 2 in step 3");
  CHECK(without.remarks.size() == 1);
  // Both exports hold it.
  CHECK(hops(read_sccl(sccl_text(with.schedule), "again").schedule) == hops(without.schedule));
  CHECK(hops(read_msccl(msccl_text(with.schedule), "again", ring, PortModel::kAllPort).schedule) ==
        hops(without.schedule));
}

TEST_CASE("sums that nobody needs are left out with their parts' sends", "[interchange][sccl]") {
  // Nodes 3 and 2 send to 1, which sends the sum to 0. Node 2's also goes to 3, which sends its sum on to 4.
  const Graph graph = make_topology("edges:0-1,1-2,1-3,2-3,3-4");
  std::vector<Json> chunks;
  for (const NodeId v : {0u, 1u, 2u, 3u, 4u}) chunks.push_back(chunk({v}, {0}, 7));
  const std::vector<Json> steps{step(1, {{7, 4, 3}, {7, 2, 1}}), step(1, {{7, 3, 1}, {7, 2, 3}}),
                                step(1, {{7, 1, 0}, {7, 3, 4}})};
  const ReadSchedule result = read(sccl(graph, "Reduce(n=5,root=0)", chunks, steps));
  CHECK(result.schedule.collective == "reduction");
  CHECK(result.schedule.sends.size() == 4);
  CHECK(result.schedule.packets.size() == 8);  // 5 chunks; sums of nodes 3, 1 and 0
  CHECK(fault_of(result.schedule) == "");
  CHECK_THAT(result.remarks.at(1), Catch::Contains("2 of 6 sends left out, nobody needs what they bring: "
                                                   "address 7 from 2 to 3 in step 2"));
  // Of many, the first are named.
  std::vector<SentChunk> many{{0, 0, 1}};
  for (std::uint32_t c = 1; c < 7; ++c) many.push_back({c, 0, 1});
  std::vector<Json> kept{chunk({0}, {1}, 0)};
  for (std::uint32_t c = 1; c < 7; ++c) kept.push_back(chunk({0}, {0}, c));
  const ReadSchedule one = read(sccl(make_topology("linear:2"), "Custom", kept, {step(7, many)}));
  CHECK(one.schedule.packets.size() == 1);
  CHECK_THAT(one.remarks.at(1), Catch::StartsWith("6 of 7 sends left out") && Catch::EndsWith("; ..."));
  CHECK(std::ranges::count(one.remarks.at(1), ';') == 4);  // between four that are named, and before the dots
  // Where nothing is delivered, nothing is left out.
  kept.erase(kept.begin());
  many.erase(many.begin());
  CHECK(read(sccl(make_topology("linear:2"), "Custom", kept, {step(6, many)})).schedule.sends.size() == 6);
}

TEST_CASE("what would count twice is left out where nobody uses it", "[interchange][sccl]") {
  // Node 0 has its sum after step 2. By then node 3 has its own chunk and that of node 2, and gets that of
  // node 2 once more, with that of node 1.
  const Graph ring = make_topology("ring:4");
  std::vector<Json> chunks;
  for (const NodeId v : {0u, 1u, 2u, 3u}) chunks.push_back(chunk({v}, {0}, 5));
  std::vector<Json> steps{step(1, {{5, 2, 1}, {5, 3, 0}}), step(1, {{5, 1, 0}, {5, 2, 3}, {5, 1, 2}}),
                          step(1, {{5, 2, 3}})};
  const ReadSchedule result = read(sccl(ring, "Reduce(n=4,root=0)", chunks, steps));
  CHECK(result.schedule.collective == "reduction");
  CHECK(result.schedule.sends.size() == 3);
  CHECK(fault_of(result.schedule) == "");
  CHECK_THAT(result.remarks.at(1), Catch::Contains("2 of 5 sends left out, nobody needs what they bring"));
  CHECK(result.remarks.at(2) ==
        "1 of 6 published sends left out, they would count chunks twice in sums that nobody uses: address 5 "
        "from 2 to 3 in steps[2]");
  // Once more to the same place: left out as well. But it must not be sent on.
  steps.push_back(step(1, {{5, 0, 3}}));
  steps.push_back(step(1, {{5, 2, 3}}));
  CHECK(read(sccl(ring, "Reduce(n=4,root=0)", chunks, steps)).schedule.sends.size() == 3);
  steps.push_back(step(1, {{5, 3, 2}}));
  CHECK_THAT(
      error_of([&] { read(sccl(ring, "Reduce(n=4,root=0)", chunks, steps)); }),
      Catch::Contains("steps[2]: address 5 from 2 to 3: holds chunks that node 3 has combined already"));
}

TEST_CASE("a step of one-port nodes never needs more rounds than published", "[interchange][sccl]") {
  // Sums of random permutations fit into as many rounds as permutations; first come first served takes more.
  std::uint32_t squeezed = 0;
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    std::mt19937 random(seed);
    const NodeId n = 7;
    const std::uint32_t rounds = 2 + seed % 5;
    const Graph graph = make_topology("complete:7");
    std::vector<std::pair<NodeId, NodeId>> pairs;
    for (std::uint32_t r = 0; r < rounds; ++r) {
      std::vector<NodeId> order(n);
      for (NodeId v = 0; v < n; ++v) order[v] = v;
      std::shuffle(order.begin(), order.end(), random);
      for (NodeId i = 0; i < n; ++i) pairs.emplace_back(order[i], order[(i + 1) % n]);
    }
    std::shuffle(pairs.begin(), pairs.end(), random);
    std::vector<Json> chunks;
    std::vector<SentChunk> sends;
    for (std::uint32_t c = 0; c < pairs.size(); ++c) {
      chunks.push_back(chunk({pairs[c].first}, {pairs[c].second}, c));
      sends.push_back({c, pairs[c].first, pairs[c].second});
    }
    Json file = sccl(graph, "Custom", chunks, {step(rounds, sends)});
    file["topology"]["switches"] = one_port_switches(graph, true);
    const Schedule schedule = read(file).schedule;
    CAPTURE(seed);
    CHECK(fault_of(schedule) == "");
    CHECK(steps_of(schedule) <= rounds);
    Schedule greedy = schedule;
    greedy.sends.clear();
    Planner planner(greedy);
    for (std::uint32_t c = 0; c < pairs.size(); ++c) planner.send(c, pairs[c].first, pairs[c].second, 0);
    sort_sends(greedy);
    squeezed += steps_of(greedy) > rounds ? 1 : 0;
  }
  CHECK(squeezed > 10);
}

TEST_CASE("what is written as SCCL reads back the same", "[interchange][sccl]") {
  std::size_t written = 0, refused = 0;
  for (const Schedule& schedule : schedules_of_all_kinds()) {
    CAPTURE(schedule.network.spelling(), schedule.collective, static_cast<int>(schedule.ports));
    std::string text;
    const std::string error = error_of([&] { text = sccl_text(schedule); });
    if (error != "accepted") {
      // SCCL cannot hold schedules in which a part crosses a node that has other parts of the same sum.
      CHECK(schedule.packets.combines());
      CHECK_THAT(error, Catch::Contains("SCCL files cannot hold it"));
      check_one_line(error);
      ++refused;
      continue;
    }
    ++written;
    const Schedule again = read_sccl(text, "again").schedule;
    CHECK(fault_of(again) == "");
    CHECK(again.network.spelling() == schedule.network.spelling());
    CHECK(again.ports == schedule.ports);
    CHECK(hops(again) == hops(schedule));
    CHECK(demand(again, false) == demand(schedule, false));
    CHECK(demand(again, true) == demand(schedule, true));
    if (!schedule.packets.combines()) {
      CHECK(again.collective == schedule.collective);
      CHECK(again.packets == schedule.packets);
    }
  }
  CHECK(written > 100);
  CHECK(refused < 20);
}

TEST_CASE("lockstep schedules are SCCL steps, and what does not fit is named", "[interchange][sccl]") {
  const Schedule steps = planned("ring:4", CollectiveKind::kBroadcast, PortModel::kAllPort, 0, 7);
  CHECK(hops(read_sccl(sccl_text(in_lockstep(steps, 4, 2)), "again").schedule) == hops(steps));
  Schedule free = in_lockstep(steps, 4, 2);
  free.slot_cycles = 1;
  CHECK_THAT(error_of([&] { sccl_text(free); }), Catch::Contains("not in lockstep"));
  Schedule distant = free;
  distant.slot_cycles = distant.packets.longest() + 2;
  distant.link_latency = 3;
  CHECK_THAT(error_of([&] { sccl_text(distant); }), Catch::Contains("not in lockstep"));
  distant.link_latency = 2;
  CHECK_FALSE(sccl_text(distant).empty());
  CHECK_THAT(error_of([&] { msccl_text(free); }), Catch::Contains("not in lockstep"));
  Schedule mixed = steps;
  const NodeId one = 1;
  mixed.packets.add(0, 9, 2, std::span(&one, 1));
  CHECK_THAT(error_of([&] { sccl_text(mixed); }), Catch::Contains("has 1 flits, others 2"));
  Schedule minimum = reduced("ring:4", PortModel::kAllPort, {0}, false, 1);
  minimum.operation = Operation::kMinimum;
  CHECK_THAT(error_of([&] { sccl_text(minimum); }), Catch::Contains("operation 'min'"));
  CHECK_THAT(error_of([&] { msccl_text(minimum); }), Catch::Contains("operation 'min'"));
  // A part that passes another one of its sum: at a shared address they would be combined there.
  Schedule passing(make_topology("linear:3"));
  const std::vector<PacketIndex> parts{passing.packets.add(0, 0, 1, {}), passing.packets.add(1, 0, 1, {}),
                                       passing.packets.add(2, 0, 1, {})};
  passing.packets.add(2, 1, 1, std::vector<NodeId>{2}, parts);
  const auto hop = [&](NodeId v, NodeId u) {
    return passing.network.link(v, *passing.network.port_to(v, u));
  };
  passing.sends = {{1, hop(0, 1), 0}, {2, hop(1, 2), 0}, {3, hop(1, 2), 1}};
  REQUIRE(fault_of(passing) == "");
  CHECK_THAT(error_of([&] { sccl_text(passing); }), Catch::Contains("cannot hold it"));
  CHECK(fault_of(read_msccl(msccl_text(passing), "again", passing.network, passing.ports).schedule) == "");
  // Two sums of the same: that of node 2 passes node 5, which wants that of node 3 and would be given the
  // first.
  Schedule twice(make_topology("edges:0-2,0-3,1-2,1-3,2-5,3-5,5-4"));
  for (const NodeId v : {0u, 1u}) twice.packets.add(v, 0, 1, {});
  const std::vector<PacketIndex> both{0, 1};
  twice.packets.add(2, 1, 1, std::vector<NodeId>{4}, both);
  twice.packets.add(3, 2, 1, std::vector<NodeId>{5}, both);
  const auto over = [&](NodeId v, NodeId u) { return twice.network.link(v, *twice.network.port_to(v, u)); };
  twice.sends = {{1, over(0, 2), 0}, {1, over(0, 3), 0}, {1, over(1, 2), 1}, {1, over(1, 3), 1},
                 {2, over(2, 5), 2}, {3, over(5, 4), 2}, {3, over(3, 5), 3}};
  std::ranges::sort(twice.sends);
  REQUIRE(fault_of(twice) == "");
  CHECK_THAT(error_of([&] { sccl_text(twice); }),
             Catch::Contains("packet 1 of node 2, which shared addresses"));
}

TEST_CASE("wrong SCCL gets one line", "[interchange][sccl]") {
  const Json good = cube_broadcast();
  REQUIRE(fault_of(read(good).schedule) == "");
  const auto changed = [&](const std::string& pointer, const Json& value) {
    Json file = good;
    file[Json::json_pointer(pointer)] = value;
    return file.dump();
  };
  const auto without = [&](const std::string& parent, const std::string& key) {
    Json file = good;
    (parent.empty() ? file : file[Json::json_pointer(parent)]).erase(key);
    return file.dump();
  };
  Json no_way_back = good;
  no_way_back["topology"]["links"][0] = std::vector<int>(8);
  Json limit = good;
  limit["topology"]["switches"][3][2] = 2;
  Json part = good;
  part["topology"]["switches"].erase(0);
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"", "expected JSON"},
      {"{", "expected JSON"},
      {"[1, 2]", "expected an object"},
      {std::string(100000, '['), "nested more than 64 deep"},
      {"{\"a\": 1, \"a\": 2}", "key 'a': given twice"},
      {changed("/msccl_type", "topology"), "msccl_type: 'topology'; expected 'algorithm'"},
      {without("", "topology"), "'topology' is missing"},
      {without("", "steps"), "'steps' is missing"},
      {without("", "collective"), "'collective' is missing"},
      {without("/topology", "links"), "'links' is missing"},
      {without("/topology", "switches"), "'switches' is missing"},
      {without("/steps/0", "rounds"), "steps[0]: 'rounds' is missing"},
      {without("/collective/chunks/0", "pre"), "'pre' is missing"},
      {changed("/topology/links/1", {1, 2}), "links[1]: expected a row of 8"},
      {changed("/topology/links/1/1", 1), "connected to itself"},
      {changed("/topology/links/1/0", -1), "links[1][0]: '-1'"},
      {changed("/topology/links/1/0", 1e300), "links[1][0]: '1e+300'"},
      {changed("/topology/links/1/0", "x"), "links[1][0]"},
      {no_way_back.dump(), "node '1' cannot reach node '0'"},
      {limit.dump(), "switch 'node_1_in': cannot be mapped"},
      {part.dump(), "limits some nodes alone"},
      {changed("/topology/switches/0/3", "a\nb\x01"), "accepted"},  // only its name
      {changed("/topology/switches/0", {1, 2}), "switches[0]: expected [sources"},
      {changed("/topology/switches/0/0", {9}), "'9'; expected a number from 0 to 7"},
      {changed("/instance/pipeline", 3), "pipeline: '3'"},
      {changed("/instance/chunks", 99999999999999999ull), "instance.chunks"},
      {changed("/instance/chunks", 0), "instance.chunks: '0'"},
      {changed("/collective/nodes", 7), "collective.nodes: '7'; expected 8"},
      {changed("/collective/triggers", {{"a", 1}}), "triggers"},
      {changed("/collective/chunks", Json::array()), "collective.chunks"},
      {changed("/collective/chunks/0/pre", Json::array()), "expected a node that has it"},
      {changed("/collective/chunks/0/post", {0, 0}), "node 0 given twice"},
      {changed("/collective/chunks/0/post", {8}), "'8'; expected a number from 0 to 7"},
      {changed("/collective/chunks/0/addr", 1u << 24), "collective.chunks[0].addr"},
      {changed("/collective/chunks/0/addr", 3), "nothing at address 0"},
      {changed("/steps/0/rounds", 1.5), "steps[0].rounds: '1.5'"},
      {changed("/steps/0/rounds", 1ull << 40), "steps[0].rounds"},
      {changed("/steps/0/rounds", Json::array({1, 2})), "steps[0].rounds: 'array'"},
      {changed("/steps/0/sends", 3), "steps[0].sends: expected an array"},
      {changed("/steps/0/sends/0", {0, 0}), "steps[0].sends[0]: expected [address"},
      {changed("/steps/0/sends/0/2", 8), "steps[0].sends[0]: '8'"},
      {changed("/steps/0/sends/0/1", 8), "steps[0].sends[0]: '8'; expected a number from 0 to 7"},
      {changed("/steps/0/sends/0/2", 3), "there is no link from 0 to 3"},
      {changed("/steps/0/sends/0/0", 1), "nothing at address 1"},
      {changed("/steps/0/sends/0/1", 3), "node 3 has nothing at address 0 when the step begins"},
      {changed("/steps/0/sends/1", {0, 0, 2}), "node 0 sends more than 1 packets"},
      {changed("/steps/2/sends/4", {0, 1, 0}), "node 1 sends more than 1"},
      {changed("/steps/2/sends", {{0, 0, 1}, {0, 3, 1}}), "node 1 receives more than 1 packets, one a round"},
      {changed("/steps/2/sends", {{0, 0, 4}}), "node 5, address 0: ends with 0 of the 1 chunks"},
      {changed("/input_map", {{"9", {0}}}), "input_map: node '9'"},
      {changed("/input_map", {{"0", {1u << 24}}}), "'16777216'; expected a number from 0 to 16777215"},
      {changed("/output_map", Json::array()), "output_map: expected an object"},
  };
  for (const auto& [text, message] : wrong) {
    CAPTURE(text.substr(0, 200));
    const std::string error = error_of([&] { read_sccl(text, "file.msccl.json"); });
    CHECK_THAT(error, Catch::Contains(message));
    check_one_line(error);
  }
}

TEST_CASE("a network without a name of ours is said link by link", "[interchange][sccl]") {
  const Json file = sccl(make_topology("edges:0-1,0-2,1-2,2-3"), "Broadcast(n=4,root=2)",
                         {chunk({2}, {0, 1, 2, 3}, 0)}, {step(1, {{0, 2, 0}, {0, 2, 1}, {0, 2, 3}})});
  CHECK(read(file).schedule.network.spelling() == "edges:0-1,0-2,1-2,2-3");
}

TEST_CASE("a step without sends may have any number of rounds in a timetable", "[interchange][sccl]") {
  Json file = cube_broadcast();
  file["steps"].insert(file["steps"].begin() + 1, step(3, {}));
  file["instance"]["steps"] = file["steps"].size();
  const auto imported = read(file);
  CHECK(fault_of(imported.schedule) == "");
  CHECK(steps_of(imported.schedule) == 6);
}

TEST_CASE("a topology's name never opens a file", "[interchange][sccl]") {
  for (const char* name :
       {"graph:/dev/zero", "product(graph:/dev/zero,ring:3)", "torus:4x4", "star:9999999", "ring:8"}) {
    Json file = cube_broadcast();
    file["topology"]["name"] = name;
    CHECK(read(file).schedule.network.family() == "edges");
  }
  Json file = cube_broadcast();
  file["topology"]["name"] = "hypercube:3";
  CHECK(read(file).schedule.network.spelling() == "hypercube:3");
}

TEST_CASE("mutated SCCL files are read or refused in one line", "[interchange][sccl]") {
  check_mutated({cube_broadcast().dump(), double_links(3).dump(),
                 sccl_text(reduced("ring:4", PortModel::kAllPort, {0}, true, 1))},
                [](const std::string& text) { return read_sccl(text, "file.msccl.json").schedule; });
}
