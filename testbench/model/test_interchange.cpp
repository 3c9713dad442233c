#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <stdexcept>
#include <utility>

#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/graph/family/families.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/interchange/any_schedule.hpp"
#include "cpp_model/interchange/msccl_read.hpp"
#include "cpp_model/interchange/msccl_write.hpp"
#include "cpp_model/interchange/sccl_read.hpp"
#include "cpp_model/interchange/sccl_write.hpp"
#include "cpp_model/schedule/problem.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/fault_of.hpp"

using namespace safnet;
using Json = nlohmann::json;

namespace {

template <class Function>
std::string error_of(Function function) {
  try {
    function();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

void check_one_line(const std::string& error) {
  CHECK(error.find('\n') == std::string::npos);
  CHECK(error.size() < 500);
}

// ---- schedules ----

// First come, first served: each packet hops along its path as early as it can, in the given order of hops.
class Planner {
 public:
  explicit Planner(Schedule& schedule) : schedule_(schedule) {}
  // Sends a packet over one hop, in the first free step after `ready`, and returns the step of its arrival.
  std::uint32_t send(PacketIndex packet, NodeId from, NodeId to, std::uint32_t ready) {
    const Graph& graph = schedule_.network;
    for (std::uint32_t step = ready + 1;; ++step) {
      if (schedule_.ports != PortModel::kAllPort && out_.contains({from, step})) continue;
      if (schedule_.ports == PortModel::kOnePort && in_.contains({to, step})) continue;
      for (PortId p = 0; p < graph.degree(from); ++p) {
        const LinkId link = graph.link(from, p);
        if (graph.peer(from, p).node != to || links_.contains({link, step})) continue;
        links_.emplace(link, step);
        out_.emplace(from, step);
        in_.emplace(to, step);
        schedule_.sends.push_back({step, link, packet});
        return step;
      }
    }
  }

 private:
  Schedule& schedule_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> links_, out_, in_;
};

NodeId towards(const Graph& graph, const std::vector<std::uint32_t>& distance, NodeId v,
               std::mt19937& random) {
  std::vector<NodeId> closer;
  for (PortId p = 0; p < graph.degree(v); ++p) {
    if (distance[graph.peer(v, p).node] < distance[v]) closer.push_back(graph.peer(v, p).node);
  }
  return closer[random() % closer.size()];
}

std::uint32_t pause(std::mt19937& random) { return random() % 3 == 0 ? 1 : 0; }

// A collective of personal packets, or a broadcast, along random shortest paths; some packets wait a step.
Schedule planned(const std::string& topology, CollectiveKind kind, PortModel ports, NodeId root,
                 std::uint32_t seed) {
  std::mt19937 random(seed);
  const Problem problem{.graph = make_topology(topology), .collective = kind, .ports = ports, .root = root};
  Schedule schedule = empty_schedule(problem, "random paths");
  const Graph& graph = schedule.network;
  Planner planner(schedule);
  std::vector<PacketIndex> order(schedule.packets.size());
  for (PacketIndex p = 0; p < order.size(); ++p) order[p] = p;
  std::shuffle(order.begin(), order.end(), random);
  for (const PacketIndex p : order) {
    if (kind == CollectiveKind::kBroadcast) {
      const std::vector<std::uint32_t> distance = graph.distances_from(root);
      std::vector<NodeId> nodes(graph.node_count());
      for (NodeId v = 0; v < nodes.size(); ++v) nodes[v] = v;
      std::stable_sort(nodes.begin(), nodes.end(),
                       [&](NodeId a, NodeId b) { return distance[a] < distance[b]; });
      std::vector<std::uint32_t> there(nodes.size());
      for (const NodeId v : nodes) {
        if (v == root) continue;
        const NodeId parent = towards(graph, distance, v, random);
        there[v] = planner.send(p, parent, v, there[parent] + pause(random));
      }
      continue;
    }
    const NodeId destination = schedule.packets.destinations(p).front();
    const std::vector<std::uint32_t> distance = graph.distances_from(destination);
    std::uint32_t ready = 0;
    for (NodeId v = schedule.packets.origin(p); v != destination;) {
      const NodeId next = towards(graph, distance, v, random);
      ready = planner.send(p, v, next, ready + pause(random));
      v = next;
    }
  }
  sort_sends(schedule);
  REQUIRE(testbench::fault_of(schedule) == "");
  return schedule;
}

// For each c, the sum of all nodes' chunks c goes up a random tree to roots[c], and back down if `to_all`. A
// node combines its own chunk with all that its children send.
Schedule reduced(const std::string& topology, PortModel ports, std::vector<NodeId> roots, bool to_all,
                 std::uint32_t seed) {
  std::mt19937 random(seed);
  Schedule schedule(make_topology(topology));
  schedule.ports = ports;
  const Graph graph = schedule.network;
  const NodeId n = graph.node_count();
  const auto chunks = static_cast<std::uint32_t>(roots.size());
  for (NodeId v = 0; v < n; ++v) {
    for (std::uint32_t c = 0; c < chunks; ++c) schedule.packets.add(v, c, 1, {});
  }
  Planner planner(schedule);
  for (std::uint32_t c = 0; c < chunks; ++c) {
    const std::vector<std::uint32_t> distance = graph.distances_from(roots[c]);
    std::vector<NodeId> nodes(n), parent(n, kNoNode), all;
    for (NodeId v = 0; v < n; ++v) {
      nodes[v] = v;
      if (v != roots[c]) parent[v] = towards(graph, distance, v, random);
      all.push_back(v);
    }
    std::stable_sort(nodes.begin(), nodes.end(),
                     [&](NodeId a, NodeId b) { return distance[a] > distance[b]; });
    std::vector<std::vector<PacketIndex>> parts(n);
    std::vector<std::uint32_t> ready(n);
    for (const NodeId v : nodes) {
      PacketIndex packet = v * chunks + c;
      if (!parts[v].empty()) {
        parts[v].push_back(packet);
        const std::vector<NodeId> destinations = to_all ? all : std::vector<NodeId>{v};
        packet = schedule.packets.add(v, chunks + c, 1, v == roots[c] ? destinations : std::vector<NodeId>{},
                                      parts[v]);
      }
      if (v != roots[c]) {
        ready[parent[v]] = std::max(ready[parent[v]], planner.send(packet, v, parent[v], ready[v]));
        parts[parent[v]].push_back(packet);
      } else if (to_all) {
        std::vector<std::uint32_t> there(n, ready[v]);
        for (std::size_t i = n; i-- > 0;) {
          if (nodes[i] != v)
            there[nodes[i]] = planner.send(packet, parent[nodes[i]], nodes[i], there[parent[nodes[i]]]);
        }
      }
    }
  }
  sort_sends(schedule);
  REQUIRE(testbench::fault_of(schedule) == "");
  return schedule;
}

// What is to be delivered: plain packets by origin and destinations, or (`sums`) sums by destinations.
using Demand = std::multiset<std::pair<NodeId, std::vector<NodeId>>>;
Demand demand(const Schedule& schedule, bool sums) {
  Demand result;
  const PacketList& packets = schedule.packets;
  for (PacketIndex p = 0; p < packets.size(); ++p) {
    if (packets.parts(p).empty() == sums || (sums && packets.destinations(p).empty())) continue;
    std::vector<NodeId> nodes(packets.destinations(p).begin(), packets.destinations(p).end());
    std::sort(nodes.begin(), nodes.end());
    result.emplace(packets.origin(p), nodes);
  }
  return result;
}

// Sends without their packets' numbers and without the choice among parallel links.
std::multiset<std::tuple<std::uint32_t, NodeId, NodeId>> hops(const Schedule& schedule) {
  std::multiset<std::tuple<std::uint32_t, NodeId, NodeId>> result;
  for (const Send& send : schedule.sends)
    result.emplace(send.start, schedule.network.link_source(send.link),
                   schedule.network.link_target(send.link));
  return result;
}

std::vector<Schedule> schedules_of_all_kinds() {
  std::vector<Schedule> result;
  std::uint32_t seed = 1;
  for (const char* topology :
       {"ring:5", "mesh:3x2", "hypercube:3", "star:3", "linear:2", "edges:0-1,0-1,1-2,2-0,2-0,2-3"}) {
    for (const PortModel ports : {PortModel::kAllPort, PortModel::kOnePort, PortModel::kOnePortSend}) {
      for (const CollectiveKind kind : {CollectiveKind::kBroadcast, CollectiveKind::kScatter,
                                        CollectiveKind::kGather, CollectiveKind::kTotalExchange})
        result.push_back(planned(topology, kind, ports, 1, seed++));
      result.push_back(reduced(topology, ports, {1}, false, seed++));
      result.push_back(reduced(topology, ports, {0, 0, 0}, false, seed++));
      result.push_back(reduced(topology, ports, {1, 0, 1}, true, seed++));
      const NodeId n = make_topology(topology).node_count();
      std::vector<NodeId> roots;
      for (NodeId v = 0; v < 2 * n; ++v) roots.push_back(v % n);
      result.push_back(reduced(topology, ports, roots, false, seed++));
    }
  }
  return result;
}

// ---- SCCL ----

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

TEST_CASE("an SCCL broadcast on a one-port cube keeps its rounds", "[interchange]") {
  const ReadSchedule result = read(cube_broadcast());
  const Schedule& schedule = result.schedule;
  CHECK(schedule.ports == PortModel::kOnePort);
  CHECK(schedule.collective == "broadcast");
  CHECK(schedule.root == 0);
  CHECK(schedule.packets.size() == 1);
  CHECK(schedule.sends.size() == 7);
  CHECK(steps_of(schedule) == 3);
  CHECK(schedule.description == "Broadcast(n=8,root=0) on a network");
  CHECK(testbench::fault_of(schedule) == "");
  CHECK(result.remarks.at(0) == "published rounds 3, imported in 3 steps");

  Json sends_only = cube_broadcast();
  sends_only["topology"]["switches"] = one_port_switches(make_topology("hypercube:3"), false);
  CHECK(read(sends_only).schedule.ports == PortModel::kOnePortSend);
}

TEST_CASE("multiplicities are parallel links, and steps of several rounds may end earlier", "[interchange]") {
  const ReadSchedule result = read(double_links(3));
  CHECK(result.schedule.network.link_count() == 12);
  CHECK(testbench::fault_of(result.schedule) == "");
  // The first packets reach node 1 in step 1; all six then cross the single link to node 2, in steps 2 to 7.
  CHECK(result.remarks.at(0) == "published rounds 9, imported in 7 steps");
  CHECK_THAT(error_of([] { read(double_links(2)); }),
             Catch::Contains("steps[0]: more than 4 packets from 0 to 1"));
}

TEST_CASE("chunk-up gives every chunk addresses of its own", "[interchange]") {
  const Graph line = make_topology("linear:2");
  const std::vector<Json> chunks{chunk({0}, {1}, 0), chunk({1}, {0}, 1)};
  const std::vector<Json> steps{step(2, {{0, 0, 1}, {1, 0, 1}, {2, 1, 0}, {3, 1, 0}})};
  Json file = sccl(line, "Alltoall", chunks, steps, 2);
  file["input_map"] = {{"0", {0, 1}}, {"1", {2, 3}}};
  file["output_map"] = {{"0", {2, 3}}, {"1", {0, 1}}};
  const Schedule schedule = read(file).schedule;
  CHECK(schedule.packets.size() == 4);
  CHECK(schedule.collective == "total-exchange");
  CHECK(testbench::fault_of(schedule) == "");
  file["input_map"] = {{"0", {0, 1}}, {"1", {2}}};
  CHECK_THAT(error_of([&] { read(file); }), Catch::Contains("input_map['1']: address 3 is missing"));
  file["input_map"] = {{"0", {0, 1, 2}}, {"1", {2, 3}}};
  CHECK_THAT(error_of([&] { read(file); }), Catch::Contains("input_map['0']: address 2"));
  // Before chunk-up the same sends would use addresses that do not exist.
  CHECK_THAT(error_of([&] { read(sccl(line, "Alltoall", chunks, steps)); }),
             Catch::Contains("nothing at address 1"));
}

TEST_CASE("chunks that share an address are combined", "[interchange]") {
  const Graph line = make_topology("linear:3");
  const std::vector<Json> chunks{chunk({0}, {0, 1, 2}, 0), chunk({1}, {0, 1, 2}, 0),
                                 chunk({2}, {0, 1, 2}, 0)};
  const std::vector<Json> steps{step(1, {{0, 0, 1}, {0, 2, 1}}), step(1, {{0, 1, 0}, {0, 1, 2}})};
  const Schedule schedule = read(sccl(line, "Allreduce", chunks, steps)).schedule;
  REQUIRE(schedule.packets.size() == 4);
  CHECK(schedule.packets.origin(3) == 1);
  CHECK(schedule.packets.parts(3).size() == 3);
  CHECK(schedule.packets.destinations(3).size() == 3);
  CHECK(testbench::fault_of(schedule) == "");
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

TEST_CASE("sends that bring nothing new are left out and counted", "[interchange]") {
  const Graph ring = make_topology("ring:3");
  const ReadSchedule result = read(sccl(ring, "Broadcast(n=3,root=0)", {chunk({0}, {1, 2}, 0)},
                                        {step(1, {{0, 0, 1}, {0, 0, 2}}), step(1, {{0, 1, 2}, {0, 1, 0}})}));
  CHECK(result.schedule.sends.size() == 2);
  CHECK(result.schedule.collective == "broadcast");
  CHECK_THAT(result.remarks.at(1), Catch::Contains("2 of 4 published sends left out"));
}

TEST_CASE("a step of one-port nodes never needs more rounds than published", "[interchange]") {
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
    CHECK(testbench::fault_of(schedule) == "");
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

TEST_CASE("what is written as SCCL reads back the same", "[interchange]") {
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
    CHECK(testbench::fault_of(again) == "");
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

TEST_CASE("lockstep schedules are SCCL steps, and what does not fit is named", "[interchange]") {
  const Schedule steps = planned("ring:4", CollectiveKind::kBroadcast, PortModel::kAllPort, 0, 7);
  CHECK(hops(read_sccl(sccl_text(in_lockstep(steps, 4, 2)), "again").schedule) == hops(steps));
  Schedule free = in_lockstep(steps, 4, 2);
  free.slot_cycles = 1;
  CHECK_THAT(error_of([&] { sccl_text(free); }), Catch::Contains("not in lockstep"));
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
  REQUIRE(testbench::fault_of(passing) == "");
  CHECK_THAT(error_of([&] { sccl_text(passing); }), Catch::Contains("cannot hold it"));
  CHECK(testbench::fault_of(
            read_msccl(msccl_text(passing), "again", passing.network, passing.ports).schedule) == "");
}

TEST_CASE("wrong SCCL gets one line", "[interchange]") {
  const Json good = cube_broadcast();
  REQUIRE(testbench::fault_of(read(good).schedule) == "");
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
  std::string deep(100000, '[');
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
      {deep, "nested more than 64 deep"},
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
      {changed("/collective/chunks/0/addr", 1u << 24), "addr"},
      {changed("/collective/chunks/0/addr", 3), "nothing at address 0"},
      {changed("/steps/0/rounds", 1.5), "steps[0].rounds: '1.5'"},
      {changed("/steps/0/rounds", 1ull << 40), "steps[0].rounds"},
      {changed("/steps/0/sends", 3), "steps[0].sends: expected an array"},
      {changed("/steps/0/sends/0", {0, 0}), "steps[0].sends[0]: expected [address"},
      {changed("/steps/0/sends/0/2", 8), "steps[0].sends[0]: '8'"},
      {changed("/steps/0/sends/0/2", 3), "there is no link from 0 to 3"},
      {changed("/steps/0/sends/0/0", 1), "nothing at address 1"},
      {changed("/steps/0/sends/0/1", 3), "node 3 has nothing at address 0 when the step begins"},
      {changed("/steps/0/sends/1", {0, 0, 2}), "node 0 sends more than 1 packets"},
      {changed("/steps/2/sends/4", {0, 1, 0}), "node 1 sends more than 1"},
      {changed("/steps/2/sends", {{0, 0, 4}}), "node 5, address 0: ends with 0 of the 1 chunks"},
      {changed("/input_map", {{"9", {0}}}), "input_map: node '9'"},
      {changed("/output_map", Json::array()), "output_map: expected an object"},
  };
  for (const auto& [text, message] : wrong) {
    CAPTURE(text.substr(0, 200));
    const std::string error = error_of([&] { read_sccl(text, "file.msccl.json"); });
    CHECK_THAT(error, Catch::Contains(message));
    check_one_line(error);
  }
}

TEST_CASE("a topology's name never opens a file", "[interchange]") {
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

// ---- MSCCL XML ----

namespace {

struct XmlStep {
  std::string type;
  char source;
  std::uint32_t source_offset;
  char destination;
  std::uint32_t destination_offset;
  int depid = -1, deps = -1;
  std::uint32_t count = 1;
};
struct XmlBlock {
  int send, receive, channel;
  std::vector<XmlStep> steps;
};

std::string xml(const std::string& coll, std::uint32_t loop, bool in_place,
                const std::vector<std::vector<XmlBlock>>& ranks, const std::string& more = "",
                std::uint32_t scratch = 4) {
  std::string out = fmt::format(
      "<?xml version=\"1.0\"?>\n<!-- a program -->\n<algo name=\"test\" proto=\"Simple\" nchannels=\"1\" "
      "nchunksperloop=\"{}\" ngpus=\"{}\" coll=\"{}\" inplace=\"{}\"{}>\n",
      loop, ranks.size(), coll, in_place ? 1 : 0, more);
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    out += fmt::format("<gpu id=\"{}\" i_chunks=\"0\" o_chunks=\"0\" s_chunks=\"{}\">\n", r, scratch);
    for (std::size_t b = 0; b < ranks[r].size(); ++b) {
      const XmlBlock& block = ranks[r][b];
      out += fmt::format("<tb id=\"{}\" send=\"{}\" recv=\"{}\" chan=\"{}\">\n", b, block.send, block.receive,
                         block.channel);
      for (std::size_t s = 0; s < block.steps.size(); ++s) {
        const XmlStep& step = block.steps[s];
        out += fmt::format(
            "<step s=\"{}\" type=\"{}\" srcbuf=\"{}\" srcoff=\"{}\" dstbuf=\"{}\" dstoff=\"{}\" cnt=\"{}\" "
            "depid=\"{}\" deps=\"{}\" hasdep=\"0\"/>\n",
            s, step.type, step.source, step.source_offset, step.destination, step.destination_offset,
            step.count, step.depid, step.deps);
      }
      out += "</tb>\n";
    }
    out += "</gpu>\n";
  }
  return out + "</algo>\n";
}

// Chunk r starts at rank r and is summed around the ring; then the sums go round once more.
std::string ring_allreduce(std::uint32_t n, const std::string& broken = "") {
  std::vector<std::vector<XmlBlock>> ranks(n);
  for (std::uint32_t r = 0; r < n; ++r) {
    XmlBlock block{static_cast<int>((r + 1) % n), static_cast<int>((r + n - 1) % n), 0, {}};
    for (std::uint32_t k = 0; k < 2 * (n - 1); ++k) {
      const std::uint32_t out = (r + 2 * n - k) % n, in = (r + 2 * n - k - 1) % n;
      block.steps.push_back({"s", 'i', out, 'i', out});
      const bool keep = broken == "receive" && r == 3 && k == 1;
      block.steps.push_back({k < n - 1 && !keep ? "rrc" : "r", 'i', in, 'i', in});
    }
    ranks[r].push_back(block);
  }
  return xml("allreduce", n, true, ranks);
}

ReadSchedule read_on(const std::string& topology, const std::string& text,
                     PortModel ports = PortModel::kAllPort) {
  return read_msccl(text, "file.xml", make_topology(topology), ports);
}

std::string xml_error(const std::string& topology, const std::string& text) {
  const std::string error = error_of([&] { read_on(topology, text); });
  check_one_line(error);
  return error;
}

}  // namespace

TEST_CASE("an import is told what it amounts to, combined or of several messages", "[interchange]") {
  const Schedule ring = read_on("ring:4", ring_allreduce(4)).schedule;
  CHECK(ring.collective == "allreduce");
  CHECK(check_schedule(ring).valid());
}

TEST_CASE("a ring allreduce takes 2 (n-1) steps", "[interchange]") {
  for (const std::uint32_t n : {3u, 4u, 5u, 8u, 13u}) {
    const ReadSchedule result = read_on(fmt::format("ring:{}", n), ring_allreduce(n));
    const Schedule& schedule = result.schedule;
    CAPTURE(n);
    CHECK(testbench::fault_of(schedule) == "");
    CHECK(steps_of(schedule) == 2 * (n - 1));
    CHECK(schedule.sends.size() == 2 * n * (n - 1));
    CHECK(schedule.packets.size() == n * n + n * (n - 1));  // ranks' own chunks, a sum per combination
    CHECK(demand(schedule, true).size() == n);
    for (const auto& [origin, destinations] : demand(schedule, true)) CHECK(destinations.size() == n);
    CHECK_THAT(result.remarks.at(0), Catch::Contains(fmt::format("scheduled in {} steps", 2 * (n - 1))));
  }
  CHECK_THAT(
      xml_error("ring:8", ring_allreduce(8, "receive")),
      Catch::Contains("output chunk 1: expected the sum of input chunk 1 of ranks 0...7, got the sum of"));
}

TEST_CASE("every collective of MSCCL starts and ends where it should", "[interchange]") {
  // Two ranks, one exchange, out of place.
  const XmlStep own{"cpy", 'i', 0, 'o', 0};
  const auto both = [](const XmlBlock& a, const XmlBlock& b) {
    return std::vector<std::vector<XmlBlock>>{{a}, {b}};
  };
  const std::string gathered =
      xml("allgather", 2, false,
          both({1, 1, 0, {own, {"s", 'i', 0, 'o', 0}, {"r", 'i', 0, 'o', 1}}},
               {0, 0, 0, {{"cpy", 'i', 0, 'o', 1}, {"s", 'i', 0, 'o', 0}, {"r", 'i', 0, 'o', 0}}}));
  Schedule schedule = read_on("linear:2", gathered).schedule;
  CHECK(steps_of(schedule) == 1);
  CHECK(demand(schedule, false) == Demand{{0, {1}}, {1, {0}}});
  const std::string exchanged =
      xml("alltoall", 2, false,
          both({1, 1, 0, {own, {"s", 'i', 1, 'o', 0}, {"r", 'i', 0, 'o', 1}}},
               {0, 0, 0, {{"cpy", 'i', 1, 'o', 1}, {"s", 'i', 0, 'o', 0}, {"r", 'i', 0, 'o', 0}}}));
  CHECK(read_on("linear:2", exchanged).schedule.collective == "total-exchange");
  const std::string scattered = xml("reduce_scatter", 2, true,
                                    both({1, 1, 0, {{"s", 'i', 1, 'o', 0}, {"rrc", 'i', 0, 'o', 0}}},
                                         {0, 0, 0, {{"s", 'i', 0, 'o', 0}, {"rrc", 'i', 1, 'i', 1}}}));
  schedule = read_on("linear:2", scattered).schedule;
  CHECK(demand(schedule, true) == Demand{{0, {0}}, {1, {1}}});
  const std::string broadcast = xml(
      "broadcast", 2, true,
      both({1, -1, 0, {{"s", 'i', 0, 'o', 0, -1, -1, 2}}}, {-1, 0, 0, {{"r", 'i', 0, 'o', 0, -1, -1, 2}}}));
  const ReadSchedule two = read_on("linear:2", broadcast);
  CHECK(demand(two.schedule, false) == Demand{{0, {1}}, {0, {1}}});
  CHECK(steps_of(two.schedule) == 2);
  CHECK_THAT(two.remarks.at(1), Catch::Contains("taken as rank 0"));
  CHECK(steps_of(read_on("edges:0-1,0-1", broadcast).schedule) == 1);
  const auto to_root = both({-1, 1, 0, {{"rrc", 'i', 0, 'o', 0}}}, {0, -1, 0, {{"s", 'i', 0, 'o', 0}}});
  schedule = read_on("linear:2", xml("reduce", 1, true, to_root)).schedule;
  CHECK(demand(schedule, true) == Demand{{0, {0}}});
  const auto gather = both({-1, 1, 0, {own, {"r", 'i', 0, 'o', 1}}}, {0, -1, 0, {{"s", 'i', 0, 'o', 0}}});
  CHECK(read_on("linear:2", xml("gather", 2, false, gather)).schedule.collective == "gather");
  CHECK(read_on("linear:2", xml("gather", 2, true, gather)).schedule.collective == "gather");
  const auto scatter =
      both({-1, 1, 0, {{"r", 'i', 0, 'o', 0}}}, {0, -1, 0, {{"cpy", 'i', 1, 'o', 0}, {"s", 'i', 0, 'o', 0}}});
  schedule = read_on("linear:2", xml("scatter", 2, false, scatter, " root=\"1\"")).schedule;
  CHECK(schedule.collective == "scatter");
  CHECK(schedule.root == 1);
  CHECK_THAT(xml_error("linear:2", xml("scatter", 2, false, scatter)), Catch::Contains("buffer i has 0"));
  CHECK_THAT(xml_error("linear:2", xml("custom", 2, false, scatter)),
             Catch::Contains("coll='custom'; expected allreduce"));
}

TEST_CASE("steps that receive and go on do so in the order of their block", "[interchange]") {
  // Reduce along a line: rank 2 sends, rank 1 adds and passes on (rrs, rrcs), rank 0 adds.
  for (const char* pass : {"rrs", "rrcs"}) {
    const std::string text = xml("reduce", 1, false,
                                 {{{-1, 1, 0, {{"rrc", 'i', 0, 'o', 0}}}},
                                  {{0, 2, 0, {{pass, 'i', 0, 's', 0}}}},
                                  {{1, -1, 0, {{"s", 'i', 0, 'o', 0}}}}});
    const Schedule schedule = read_on("linear:3", text).schedule;
    CHECK(testbench::fault_of(schedule) == "");
    CHECK(steps_of(schedule) == 2);
    CHECK(schedule.packets.size() == 5);
  }
  // Rank 0 receives into scratch, then reduces locally; the step waits for both receives through a nop.
  const std::string local = xml(
      "reduce", 1, false,
      {{{-1, 1, 0, {{"r", 'i', 0, 's', 0}}},
        {-1, 2, 0, {{"r", 'i', 0, 'o', 0}}},
        {-1, -1, 0, {{"nop", 'i', 0, 'i', 0, 0, 0}, {"re", 's', 0, 'o', 0, 1, 0}, {"re", 'i', 0, 'o', 0}}}},
       {{0, -1, 0, {{"s", 'i', 0, 'o', 0}}}},
       {{0, -1, 0, {{"s", 'i', 0, 'o', 0}}}}});
  const Schedule schedule = read_on("ring:3", local).schedule;
  CHECK(testbench::fault_of(schedule) == "");
  CHECK(steps_of(schedule) == 1);
  CHECK(demand(schedule, true) == Demand{{0, {0}}});
  CHECK(steps_of(read_on("ring:3", local, PortModel::kOnePort).schedule) == 2);
}

TEST_CASE("a send is done before its receive step is reached", "[interchange]") {
  // Rank 1 looks at rank 0's message only after rank 2's: both leave in step 1.
  const std::string text = xml("gather", 3, false,
                               {{{1, -1, 0, {{"s", 'i', 0, 'o', 0}}}},
                                {{-1, 0, 0, {{"r", 'i', 0, 'o', 0, 1, 0}}},
                                 {-1, 2, 0, {{"r", 'i', 0, 'o', 2}}},
                                 {-1, -1, 0, {{"cpy", 'i', 0, 'o', 1}}}},
                                {{1, -1, 0, {{"s", 'i', 0, 'o', 0}}}}},
                               " root=\"1\"");
  CHECK(steps_of(read_on("linear:3", text).schedule) == 1);
}

TEST_CASE("a rank is not sent what it has", "[interchange]") {
  // Rank 1 echoes what it gets; rank 0 has it.
  const std::string text =
      xml("broadcast", 1, false,
          {{{1, -1, 0, {{"s", 'i', 0, 'o', 0}}}, {-1, 1, 0, {{"r", 'i', 0, 'o', 0}}}},
           {{-1, 0, 0, {{"r", 'i', 0, 'o', 0}}}, {0, -1, 0, {{"s", 'o', 0, 's', 0, 0, 0}}}}});
  const ReadSchedule result = read_on("linear:2", text);
  CHECK(result.schedule.sends.size() == 1);
  CHECK(testbench::fault_of(result.schedule) == "");
  CHECK_THAT(result.remarks.back(), Catch::Contains("1 transfers left out"));
}

TEST_CASE("a second message waits until the first is received", "[interchange]") {
  // Rank 1 takes chunk 0 only after chunk 2, which comes through rank 2 in step 2. Chunk 1 leaves in step 3.
  const XmlStep all{"cpy", 'i', 0, 'o', 0, -1, -1, 3};
  const std::string text =
      xml("broadcast", 3, false,
          {{{1, -1, 0, {{"s", 'i', 0, 'o', 0}, {"s", 'i', 1, 'o', 0}}},
            {2, -1, 0, {{"s", 'i', 2, 'o', 0}, {"s", 'i', 0, 'o', 0}, {"s", 'i', 1, 'o', 0}}},
            {-1, -1, 0, {all}}},
           {{-1, 0, 0, {{"r", 'i', 0, 'o', 0, 1, 0}, {"r", 'i', 0, 'o', 1}}},
            {-1, 2, 0, {{"r", 'i', 0, 'o', 2}}}},
           {{1, 0, 0, {{"rcs", 'i', 0, 'o', 2}, {"r", 'i', 0, 'o', 0}, {"r", 'i', 0, 'o', 1}}}}});
  const Schedule schedule = read_on("ring:3", text).schedule;
  CHECK(testbench::fault_of(schedule) == "");
  CHECK(hops(schedule) == std::multiset<std::tuple<std::uint32_t, NodeId, NodeId>>{
                              {1, 0, 1}, {1, 0, 2}, {2, 0, 2}, {2, 2, 1}, {3, 0, 1}, {3, 0, 2}});
}

TEST_CASE("cyclic waiting is refused, naming the blocks", "[interchange]") {
  const std::string receive_first = xml("alltoall", 2, false,
                                        {{{1, 1, 0, {{"r", 'i', 0, 'o', 1}, {"s", 'i', 1, 'o', 0}}}},
                                         {{0, 0, 0, {{"r", 'i', 0, 'o', 0}, {"s", 'i', 0, 'o', 0}}}}});
  const std::string error = xml_error("linear:2", receive_first);
  CHECK_THAT(error, Catch::Contains("deadlock"));
  CHECK_THAT(error, Catch::Contains("rank 0, block 0, step 0"));
  CHECK_THAT(error, Catch::Contains("rank 1, block 0, step 0"));
  const std::string dependencies =
      xml("allreduce", 1, true,
          {{{-1, -1, 0, {{"nop", 'i', 0, 'i', 0, 1, 0}}}, {-1, -1, 0, {{"nop", 'i', 0, 'i', 0, 0, 0}}}}, {}});
  CHECK_THAT(xml_error("linear:2", dependencies),
             Catch::Contains("deadlock: rank 0, block") && Catch::Contains("waits for rank 0, block"));
}

TEST_CASE("what is written as MSCCL reads back on the same network in no more steps", "[interchange]") {
  std::size_t equal = 0, all = 0;
  for (const Schedule& schedule : schedules_of_all_kinds()) {
    CAPTURE(schedule.network.spelling(), schedule.collective, static_cast<int>(schedule.ports));
    const std::string text = msccl_text(schedule);
    const Schedule again = read_msccl(text, "again", schedule.network, schedule.ports).schedule;
    CHECK(testbench::fault_of(again) == "");
    CHECK(steps_of(again) <= steps_of(schedule));
    CHECK(again.sends.size() == schedule.sends.size());
    CHECK(demand(again, false) == demand(schedule, false));
    CHECK(demand(again, true) == demand(schedule, true));
    if (!schedule.packets.combines()) CHECK(again.packets == schedule.packets);
    equal += steps_of(again) == steps_of(schedule) ? 1 : 0;
    ++all;
    for (const char* word : {"outofplace=\"1\"", "minBytes=", "maxBytes="})
      CHECK_THAT(text, Catch::Contains(word));
    // Writing and reading once more changes nothing.
    CHECK(hops(read_msccl(msccl_text(again), "again", schedule.network, schedule.ports).schedule) ==
          hops(again));
  }
  CHECK(equal > all / 2);
  const Schedule ring = read_on("ring:8", ring_allreduce(8)).schedule;
  const Schedule again = read_on("ring:8", msccl_text(ring)).schedule;
  CHECK(again.packets.size() == ring.packets.size());
  CHECK(hops(again) == hops(ring));
  CHECK(hops(read_sccl(sccl_text(ring), "sccl").schedule) == hops(ring));
  Schedule other = planned("ring:4", CollectiveKind::kScatter, PortModel::kAllPort, 0, 1);
  const NodeId two = 2;
  other.packets.add(1, 0, 1, std::span(&two, 1));
  CHECK_THAT(error_of([&] { msccl_text(other); }), Catch::Contains("packets that are no allreduce"));
}

TEST_CASE("wrong MSCCL gets one line", "[interchange]") {
  const std::string good = ring_allreduce(4);
  REQUIRE(steps_of(read_on("ring:4", good).schedule) == 6);
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
  };
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "<a>";
  std::string many = "<algo>";
  for (int i = 0; i < 300000; ++i) many += "<gpu/>";
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"", "expected an element"},
      {"hello", "'hello': expected an element"},
      {deep, "nested more than 16 deep"},
      {many, "expected at most 262144 elements"},
      {std::string("<algo\0/>", 8), "a byte 0"},
      {"<!DOCTYPE a [<!ENTITY b \"bbbb\">]><algo name=\"&b;\"/>", "document types, entities and CDATA"},
      {"<algo><![CDATA[ ]]></algo>", "CDATA"},
      {"<algo", "expected"},
      {"<algo/><algo/>", "second outermost"},
      {"<!-- never ends", "expected '-->'"},
      {"<a b'=\"\"><a></a></a>", "expected '='"},
      {"<algo><gpu></algo></gpu>", "'algo': an end tag without its start"},
      {"<algo name=x/>", "without quotes"},
      {"<algo name=\"x/>", "does not end"},
      {"<algo/>", "attribute 'name' is missing"},
      {"<graph/>", "element 'graph'; expected 'algo'"},
      {changed("ngpus=\"4\"", "ngpus=\"5\""), "ngpus='5'; the topology 'ring:4' has 4 nodes"},
      {changed("ngpus=\"4\"", "ngpus=\"99999999999999999999\""), "ngpus='99999999999999999999'"},
      {changed("coll=\"allreduce\"", "coll=\"all&#10;reduce\""), "coll='all?reduce'"},
      {changed("coll=\"allreduce\"", "coll=\"&bomb;\""), "coll"},
      {changed("nchunksperloop=\"4\"", "nchunksperloop=\"0\""), "nchunksperloop='0'"},
      {changed("nchunksperloop=\"4\"", "nchunksperloop=\"4294967297\""), "nchunksperloop"},
      {changed("nchunksperloop=\"4\"", "nchunksperloop=\"3\""), "srcoff='3', 1 chunks; buffer i has 3"},
      {changed("coll=\"allreduce\"", "coll=\"alltoall\""), "output chunk"},
      {changed("inplace=\"1\"", "inplace=\"2\""), "inplace='2'"},
      {changed("inplace=\"1\"", "inplace=\"0\""), "got nothing"},
      {changed("gpu id=\"1\"", "gpu id=\"0\""), "gpu 0: given twice"},
      {changed("gpu id=\"1\"", "gpu id=\"4\""), "id='4'"},
      {changed("s_chunks=\"4\"", "s_chunks=\"99999999\""), "s_chunks='99999999'"},
      {changed("s_chunks=\"4\"", "x=\"4\""), "'s_chunks' is missing"},
      {changed("send=\"1\"", "send=\"0\""), "send='0' is the rank itself"},
      {changed("send=\"1\"", "send=\"2\""), "expected as many"},
      {changed("send=\"1\"", "send=\"-1\""), "expected a block with 'send'"},
      {changed("recv=\"3\"", "recv=\"-2\""), "recv='-2'"},
      {changed("chan=\"0\"", "chan=\"1\""), "expected as many"},
      {changed("<tb ", "<thread "), "'tb': an end tag without its start"},
      {changed(" s=\"1\"", " s=\"0\""), "step 0: given twice"},
      {changed(" s=\"1\"", " s=\"12\""), "s='12'"},
      {changed("type=\"rrc\"", "type=\"xyz\""), "type='xyz'; expected s, r,"},
      {changed("type=\"rrc\"", "type=\"nop\""), "expected as many"},
      {changed("srcbuf=\"i\"", "srcbuf=\"q\""), "srcbuf='q'; expected i, o or s"},
      {changed("srcbuf=\"i\"", "srcbuf=\"s\""), "s[0] holds nothing"},
      {changed("srcoff=\"0\"", "srcoff=\"4\""), "srcoff='4'"},
      {changed("cnt=\"1\"", "cnt=\"2\""), "send 0 has 2 chunks, its receive 1"},
      {changed("cnt=\"1\"", "cnt=\"0\""), "cnt='0'"},
      {changed("cnt=\"1\"", "cnt=\"16777217\""), "cnt='16777217'"},
      {changed("depid=\"-1\"", "depid=\"7\""), "depid='7'; rank 0 has no such block"},
      {changed("depid=\"-1\" deps=\"-1\"", "depid=\"0\" deps=\"99\""), "waits for step 99 of block 0"},
      {changed("depid=\"-1\" deps=\"-1\"", "depid=\"0\" deps=\"0\""), "deadlock"},
      {changed("type=\"s\"", "type=\"cpy\""), "expected as many"},
  };
  for (const auto& [text, message] : wrong) {
    CAPTURE(text.substr(0, 300), message);
    CHECK_THAT(xml_error("ring:4", text), Catch::Contains(message));
  }
  CHECK_THAT(xml_error("linear:4", good), Catch::Contains("the topology 'linear:4' has no such link"));
  // A rank that adds a chunk to itself, and a chunk that is a part of two sums.
  const auto two = [](const std::vector<XmlStep>& steps) {
    return xml("allreduce", 1, true, {{{-1, -1, 0, steps}}, {}});
  };
  CHECK_THAT(xml_error("linear:2", two({{"re", 'i', 0, 'i', 0}})), Catch::Contains("would count twice"));
  const std::string used_twice =
      xml("allreduce", 3, true,
          {{{-1, -1, 0, {{"cpy", 'i', 0, 's', 0}, {"re", 'i', 1, 'i', 0}, {"re", 'i', 2, 's', 0}}}}, {}});
  CHECK_THAT(xml_error("linear:2", used_twice), Catch::Contains("goes into a second sum at rank 0"));
}

TEST_CASE("mutated files are read or refused in one line", "[interchange]") {
  const std::vector<std::string> sources{cube_broadcast().dump(), double_links(3).dump(),
                                         sccl_text(reduced("ring:4", PortModel::kAllPort, {0}, true, 1))};
  const std::vector<std::string> programs{
      ring_allreduce(4), msccl_text(reduced("ring:4", PortModel::kOnePort, {0, 1}, true, 2)),
      msccl_text(planned("ring:4", CollectiveKind::kTotalExchange, PortModel::kAllPort, 0, 3))};
  std::mt19937 random(5);
  const std::string alphabet = "0123456789-[]{},:\"'<>=/&; sriocpyntbu\n\x01\xff";
  std::size_t accepted = 0, refused = 0;
  const auto mutated = [&](std::string text) {
    const std::size_t changes = 1 + random() % 3;
    for (std::size_t i = 0; i < changes; ++i) {
      const std::size_t at = random() % text.size();
      switch (random() % 6) {
        case 0:
          text.erase(at, 1 + random() % 30);
          break;
        case 1:
          text.insert(at, text.substr(random() % text.size(), random() % 60));
          break;
        case 2: {  // another number
          const std::size_t digit = text.find_first_of("0123456789", at);
          if (digit != std::string::npos) text[digit] = static_cast<char>('0' + random() % 10);
          break;
        }
        case 3: {
          const std::size_t digit = text.find_first_of("0123456789", at);
          if (digit != std::string::npos) text.insert(digit, "99999999");
          break;
        }
        default:
          text[at] = alphabet[random() % alphabet.size()];
      }
      if (text.empty()) text = " ";
    }
    return text;
  };
  for (int i = 0; i < 4000; ++i) {
    const bool is_xml = i % 2 == 1;
    const auto& set = is_xml ? programs : sources;
    const std::string text = mutated(set[random() % set.size()]);
    CAPTURE(text);
    const std::string error = error_of([&] {
      const Schedule schedule =
          is_xml ? read_on("ring:4", text).schedule : read_sccl(text, "file.msccl.json").schedule;
      const std::string verdict = testbench::fault_of(schedule);
      if (!verdict.empty()) FAIL(verdict);
    });
    if (error.find('\n') != std::string::npos || error.size() > 500) FAIL(error);
    (error == "accepted" ? accepted : refused) += 1;
  }
  CHECK(accepted > 100);
  CHECK(refused > 1000);
}

TEST_CASE("a schedule file's name says its format", "[interchange]") {
  const std::string base =
      (std::filesystem::temp_directory_path() / ("safnet_interchange_" + std::to_string(::getpid())))
          .string();
  const Schedule schedule = planned("ring:5", CollectiveKind::kTotalExchange, PortModel::kOnePort, 0, 11);
  const ScheduleReading onto{"ring:5", PortModel::kOnePort};
  for (const std::string ending : {".msccl.json", ".xml", ".json", ".json.gz"}) {
    CAPTURE(ending);
    write_any_schedule(schedule, base + ending);
    const ReadSchedule again = read_any_schedule(base + ending, onto);
    CHECK(again.schedule.packets == schedule.packets);
    CHECK(again.schedule.ports == PortModel::kOnePort);
    CHECK(steps_of(again.schedule) <= steps_of(schedule));
    if (ending != ".xml") CHECK(again.remarks.back() == "the file holds its network; 'ring:5' is not used");
    CHECK_FALSE(std::filesystem::exists(base + ending + ".part"));
    if (ending == ".xml") {
      CHECK_THAT(error_of([&] { read_any_schedule(base + ending, {}); }),
                 Catch::Contains("expected a topology to be named"));
    }
    std::filesystem::remove(base + ending);
  }
  for (const char* name : {"schedule", "schedule.txt", "schedule.xml.gz", "schedule\n.yaml"}) {
    const std::string error = error_of([&] { read_any_schedule(name, onto); });
    CHECK_THAT(error,
               Catch::Contains("expected a name that ends in .json, .json.gz, .msccl.json (SCCL) or .xml"));
    check_one_line(error);
    CHECK(error_of([&] { write_any_schedule(schedule, name); }) == error);
  }
  CHECK_THAT(error_of([&] { read_any_schedule(base + ".xml", onto); }), Catch::Contains("not found"));
  CHECK_THAT(error_of([&] { read_any_schedule(base + ".msccl.json", onto); }), Catch::Contains("not found"));
}
