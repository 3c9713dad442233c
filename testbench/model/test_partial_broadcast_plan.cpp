// test_partial_broadcast_plan - the partial broadcasts' transfers, judged by what each node holds and knows.
#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <stdexcept>

#include "cpp_model/algorithm/partial/partial_broadcast_plan.hpp"
#include "cpp_model/algorithm/partial/partial_broadcast_schedule.hpp"
#include "cpp_model/check/schedule_check.hpp"
#include "cpp_model/graph/family/families.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

namespace {

using Kind = PartialTransferKind;

DigitNetwork network_of(const std::string& spelling) {
  return spelling == "folded-cube:1" ? digit_network(folded_cube(1)).value() : make_digit_network(spelling);
}

std::vector<NodeId> set_of(std::uint64_t bits) {
  std::vector<NodeId> nodes;
  for (NodeId v = 0; v < 64; ++v) {
    if (bits >> v & 1) nodes.push_back(v);
  }
  return nodes;
}

std::vector<NodeId> random_set(NodeId nodes, std::size_t count, std::mt19937& random) {
  std::vector<NodeId> all(nodes);
  for (NodeId v = 0; v < nodes; ++v) all[v] = v;
  std::shuffle(all.begin(), all.end(), random);
  all.resize(count);
  std::sort(all.begin(), all.end());
  return all;
}

// Class and rank of every active node's packet (with split packets: in every class), by counting.
std::vector<RankedPacket> packets_by_counting(const DigitNetwork& network,
                                              const PartialBroadcastSettings& settings,
                                              std::vector<NodeId> active) {
  const std::uint32_t classes = classes_in_use(network.shape(), settings);
  if (!settings.known_ranks) {
    std::sort(active.begin(), active.end(),
              [&](NodeId a, NodeId b) { return network.address(a, 0) < network.address(b, 0); });
  }
  std::vector<RankedPacket> packets;
  for (std::uint32_t c = 0; c < classes; ++c) {
    std::map<NodeId, NodeId> members;  // by address
    for (std::uint32_t i = 0; i < active.size(); ++i) {
      if (settings.split || i % classes == c) members[network.address(active[i], c)] = active[i];
    }
    std::uint32_t rank = 0;
    for (const auto& [address, v] : members) packets.push_back({v, c, rank++});
  }
  std::sort(packets.begin(), packets.end());
  return packets;
}

bool is_class_scan(Kind kind) { return kind == Kind::kClassScanForward || kind == Kind::kClassScanReverse; }
bool is_rank_scan(Kind kind) { return kind == Kind::kRankScanForward || kind == Kind::kRankScanReverse; }

// The counts that prefix packets must carry: forward, of the members from the row's start to the sender;
// reverse, of the members before the row.
void check_prefixes(const DigitNetwork& network, const std::vector<NodeId>& active, const PartialPlan& plan) {
  const Graph& graph = network.graph();
  for (const PartialTransfer& t : plan.transfers) {
    if (!is_class_scan(t.kind) && !is_rank_scan(t.kind)) continue;
    const bool forward = t.kind == Kind::kClassScanForward || t.kind == Kind::kRankScanForward;
    const NodeId from = network.address(graph.link_source(t.link), t.packet_class);
    const NodeId to = network.address(graph.link_target(t.link), t.packet_class);
    REQUIRE((forward ? from < to : to < from));
    const NodeId weight = std::max(from, to) - std::min(from, to);
    REQUIRE(from % weight == weight - 1);
    const NodeId row = from / (weight * network.side()) * (weight * network.side());
    std::set<NodeId> members;
    for (const RankedPacket& p : plan.packets) {
      if (is_rank_scan(t.kind) && p.packet_class == t.packet_class)
        members.insert(network.address(p.node, t.packet_class));
    }
    if (is_class_scan(t.kind)) {
      for (const NodeId v : active) members.insert(network.address(v, t.packet_class));
    }
    const auto sum = std::count_if(members.begin(), members.end(),
                                   [&](NodeId a) { return forward ? a >= row && a <= from : a < row; });
    REQUIRE(t.rank == static_cast<std::uint32_t>(sum));
  }
}

// For every part of every packet, the nodes that have it and since which cycle (0: from the start).
class Holdings {
 public:
  Holdings(const DigitNetwork& network, const PartialBroadcastSettings& settings, const PartialPlan& plan)
      : network_(network), settings_(settings), pieces_(pieces(network.shape(), settings)) {
    for (const RankedPacket& p : plan.packets) {
      for (std::uint32_t piece = 0; piece < pieces_; ++piece)
        since_[{p.packet_class, p.rank, piece}].emplace(p.node, 0);
    }
  }
  void move(const PartialTransfer& t) {
    const Graph& graph = network_.graph();
    const bool packing = t.kind == Kind::kPacking;
    REQUIRE(t.flits == (packing ? packing_flits(network_.shape(), settings_)
                                : broadcast_flits(network_.shape(), settings_)));
    for (std::uint32_t piece = packing ? 0 : t.piece; piece < (packing ? pieces_ : t.piece + 1); ++piece) {
      auto& since = since_.at({t.packet_class, t.rank, piece});
      const auto held = since.find(graph.link_source(t.link));
      REQUIRE(held != since.end());
      REQUIRE(held->second < t.cycle);
      since.emplace(graph.link_target(t.link), t.cycle + t.flits - 1 + settings_.latency);
    }
  }
  void check_complete() const {
    for (const auto& [part, since] : since_) REQUIRE(since.size() == network_.graph().node_count());
  }

 private:
  const DigitNetwork& network_;
  const PartialBroadcastSettings& settings_;
  std::uint32_t pieces_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::map<NodeId, std::uint64_t>> since_;
};

void check_links(const PartialPlan& plan) {
  std::map<LinkId, std::uint64_t> free_from;
  for (const PartialTransfer& t : plan.transfers) {
    REQUIRE(free_from[t.link] <= t.cycle);
    free_from[t.link] = t.cycle + t.flits;
  }
}

void check_phases(const PartialPlan& plan) {
  const PartialBroadcastTime& time = plan.time;
  for (const PartialTransfer& t : plan.transfers) {
    std::uint64_t before = time.class_scan + time.rank_scan, length = time.packing;
    if (is_class_scan(t.kind)) {
      before = 0;
      length = time.class_scan;
    } else if (is_rank_scan(t.kind)) {
      before = time.class_scan;
      length = time.rank_scan;
    } else if (t.kind == Kind::kBroadcast) {
      before += time.packing;
      length = time.broadcast;
    }
    REQUIRE(t.cycle > before);
    REQUIRE(t.cycle + t.flits - 1 <= before + length);
  }
  REQUIRE(plan.last_arrival <= time.total());
}

void check_schedule_of(const DigitNetwork& network, const PartialBroadcastSettings& settings,
                       const PartialPlan& plan) {
  const Schedule schedule = schedule_of_plan(network, settings, plan);
  REQUIRE(schedule.sends.size() == plan.transfers.size());
  const ScheduleReport report = check_schedule(schedule);
  REQUIRE((report.valid() ? "" : report.violations[0].text) == "");
}

void check_broadcast(const DigitNetwork& network, const PartialBroadcastSettings& settings,
                     const std::vector<NodeId>& active, BroadcastRule rule = BroadcastRule::kBatches) {
  CAPTURE(network.graph().spelling(), active, settings.split, settings.single_class, settings.alternating,
          settings.known_ranks, static_cast<int>(rule));
  const PartialPlan plan = plan_partial_broadcast(network, settings, active, rule);
  REQUIRE(std::is_sorted(plan.transfers.begin(), plan.transfers.end()));
  REQUIRE(plan.time == partial_broadcast_time(network.shape(), settings, active.size()));
  REQUIRE(plan.packets == packets_by_counting(network, settings, active));
  check_links(plan);
  check_phases(plan);
  check_prefixes(network, active, plan);
  Holdings holdings(network, settings, plan);
  for (const PartialTransfer& t : plan.transfers) {
    if (!is_class_scan(t.kind) && !is_rank_scan(t.kind)) holdings.move(t);
  }
  holdings.check_complete();
  check_schedule_of(network, settings, plan);
}

std::vector<PartialBroadcastSettings> all_settings(const DigitNetwork& network) {
  std::vector<PartialBroadcastSettings> list;
  for (unsigned bits = 0; bits < 16; ++bits) {
    PartialBroadcastSettings settings;
    settings.split = bits & 1;
    settings.single_class = bits & 2;
    settings.alternating = bits & 4;
    settings.known_ranks = bits & 8;
    settings.flits = 5;
    settings.header_flits = settings.split;
    settings.latency = settings.alternating || settings.split ? 0 : 2;
    if (settings.alternating && !network.is_ring()) continue;
    list.push_back(settings);
  }
  return list;
}

void check_all(const DigitNetwork& network, const std::vector<NodeId>& active) {
  for (const PartialBroadcastSettings& settings : all_settings(network)) {
    check_broadcast(network, settings, active);
    if (settings.alternating) {
      CHECK_THROWS_AS(plan_partial_accumulation(network, settings, active), std::invalid_argument);
      continue;
    }
    const PartialPlan backwards = plan_partial_accumulation(network, settings, active);
    CAPTURE(network.graph().spelling(), active, settings.split, settings.alternating);
    REQUIRE(backwards.last_arrival <= backwards.time.total());
    check_schedule_of(network, settings, backwards);
  }
}

}  // namespace

TEST_CASE("every set of active nodes on small networks", "[partial_broadcast_plan]") {
  const DigitNetwork cube = network_of("hypercube:3"), array = network_of("mesh:3x3"),
                     torus = network_of("torus:3x3"), folded = network_of("folded-cube:3");
  PartialBroadcastSettings whole, split;
  split.split = true;
  split.flits = 4;
  for (std::uint64_t bits = 0; bits < 256; ++bits) {
    for (const DigitNetwork* network : {&cube, &folded}) {
      check_broadcast(*network, whole, set_of(bits));
      check_broadcast(*network, split, set_of(bits));
    }
  }
  for (std::uint64_t bits = 0; bits < 512; ++bits) {
    for (const DigitNetwork* network : {&array, &torus}) {
      check_broadcast(*network, whole, set_of(bits));
      check_broadcast(*network, split, set_of(bits));
    }
  }
}

TEST_CASE("random sets in every setting, broadcasts and accumulations", "[partial_broadcast_plan]") {
  std::mt19937 random(1);
  for (const char* spelling :
       {"linear:2", "linear:5", "ring:3", "ring:4", "ring:5", "mesh:4x4", "torus:4x4", "torus:5x5",
        "hypercube:4", "folded-cube:1", "folded-cube:2", "folded-cube:3", "folded-cube:4", "folded-cube:5"}) {
    const DigitNetwork network = network_of(spelling);
    const NodeId nodes = network.graph().node_count();
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{nodes / 2}})
      check_all(network, random_set(nodes, count, random));
  }
  for (const char* spelling : {"mesh:5x5", "mesh:3x3x3", "torus:4x4x4", "folded-cube:6"}) {
    const DigitNetwork network = network_of(spelling);
    const NodeId nodes = network.graph().node_count();
    PartialBroadcastSettings whole, split;
    split.split = true;
    split.flits = 6;
    for (const std::size_t count : {std::size_t{nodes / 3}, std::size_t{nodes}}) {
      check_broadcast(network, whole, random_set(nodes, count, random));
      check_broadcast(network, split, random_set(nodes, count, random));
    }
  }
}

// Where ranks lie as packing leaves them, rows end in time, rings too: Theorem 2 alone does not say so.
TEST_CASE("passing on first ends in the time of the batches", "[partial_broadcast_plan]") {
  std::mt19937 random(2);
  for (const char* spelling : {"linear:5", "ring:4", "ring:5", "mesh:3x3", "mesh:4x4", "torus:4x4",
                               "torus:5x5", "torus:3x3x3", "hypercube:3", "folded-cube:4"}) {
    const DigitNetwork network = network_of(spelling);
    const NodeId nodes = network.graph().node_count();
    for (std::size_t count = 0; count <= nodes; count += nodes > 20 ? 5 : 1) {
      const std::vector<NodeId> active = random_set(nodes, count, random);
      for (const bool is_split : {false, true}) {
        PartialBroadcastSettings settings;
        settings.split = is_split;
        settings.flits = 6;
        check_broadcast(network, settings, active, BroadcastRule::kPassOnFirst);
      }
    }
  }
}

// A row of three, nodes 0 and 2 active, packets of 2 flits: the sums 1, 1 go up in cycles 1 and 2, what comes
// before the row down in cycles 3 and 4. Node 2 has rank 1 and packs onto node 1 in cycles 5 and 6; slots are
// 5-6 and 7-8. Nodes 0 and 1 broadcast from cycle 9 on.
TEST_CASE("a row of three by hand", "[partial_broadcast_plan]") {
  const DigitNetwork row = network_of("linear:3");
  PartialBroadcastSettings settings;
  settings.flits = 2;
  const PartialPlan plan = plan_partial_broadcast(row, settings, {0, 2});
  CHECK(plan.time == PartialBroadcastTime{0, 4, 4, 4});
  CHECK(plan.packets == std::vector<RankedPacket>{{0, 0, 0}, {2, 0, 1}});
  const auto link = [&](NodeId from, NodeId to) {
    return row.graph().link(from, row.graph().port_to(from, to).value());
  };
  std::vector<PartialTransfer> expected{{1, link(0, 1), Kind::kRankScanForward, 0, 0, 1, 1},
                                        {2, link(1, 2), Kind::kRankScanForward, 0, 0, 1, 1},
                                        {3, link(2, 1), Kind::kRankScanReverse, 0, 0, 0, 1},
                                        {4, link(1, 0), Kind::kRankScanReverse, 0, 0, 0, 1},
                                        {5, link(2, 1), Kind::kPacking, 0, 0, 1, 2},
                                        {9, link(0, 1), Kind::kBroadcast, 0, 0, 0, 2},
                                        {9, link(1, 0), Kind::kBroadcast, 0, 0, 1, 2},
                                        {9, link(1, 2), Kind::kBroadcast, 0, 0, 1, 2},
                                        {11, link(1, 2), Kind::kBroadcast, 0, 0, 0, 2}};
  std::sort(expected.begin(), expected.end());
  CHECK(first_difference(row.graph(), expected, plan.transfers) == "");
  CHECK(plan.last_arrival == 12);

  std::vector<PartialTransfer> changed = plan.transfers;
  changed.pop_back();
  CHECK(first_difference(row.graph(), plan.transfers, changed) ==
        "cycle 11, 1 to 2: broadcast of class 0, rank 0, piece 0, 2 flits is missing");
  CHECK(first_difference(row.graph(), changed, plan.transfers).find("is not expected") != std::string::npos);

  // Backwards: node 2's contribution to rank 0 leaves first, the result of rank 1 unpacks last.
  const PartialPlan backwards = plan_partial_accumulation(row, settings, {0, 2});
  CHECK(backwards.transfers[4] == PartialTransfer{5, link(2, 1), Kind::kAccumulation, 0, 0, 0, 2});
  CHECK(backwards.transfers.back() == PartialTransfer{11, link(1, 2), Kind::kUnpacking, 0, 0, 1, 2});
}

// Torus 4 x 4, 8 packets of one flit in one class: 6 cycles of packing and 2 for digit 1, then two batches
// for digit 0, 2 hops up and 1 down each. Taking turns: 4 cycles of packing; the second batch goes 1 up and 2
// down, and each direction starts with it as soon as it is through with the first.
TEST_CASE("when the batches of a ring go which way", "[partial_broadcast_plan]") {
  const DigitNetwork torus = network_of("torus:4x4");
  PartialBroadcastSettings settings;
  settings.single_class = settings.known_ranks = true;
  using Cycles = std::set<std::uint64_t>;
  const auto cycles = [&](bool plus, std::uint32_t batch) {
    Cycles found;
    for (const PartialTransfer& t :
         plan_partial_broadcast(torus, settings, {0, 1, 2, 3, 4, 5, 6, 7}).transfers) {
      const NodeId from = torus.graph().link_source(t.link);
      const PortId port = plus ? torus.plus_port(from, 0, 0) : torus.minus_port(from, 0, 0);
      if (t.kind == Kind::kBroadcast && torus.graph().link_port(t.link) == port && t.rank / 4 == batch)
        found.insert(t.cycle);
    }
    return found;
  };
  CHECK(cycles(true, 0) == Cycles{9, 10});
  CHECK(cycles(false, 0) == Cycles{9});
  CHECK(cycles(true, 1) == Cycles{11, 12});
  CHECK(cycles(false, 1) == Cycles{11});
  settings.alternating = true;
  CHECK(cycles(true, 0) == Cycles{7, 8});
  CHECK(cycles(false, 0) == Cycles{7});
  CHECK(cycles(true, 1) == Cycles{9});
  CHECK(cycles(false, 1) == Cycles{8, 9});
}

TEST_CASE("sets of active nodes that are none", "[partial_broadcast_plan]") {
  const DigitNetwork array = network_of("mesh:3x3");
  CHECK_THROWS_AS(plan_partial_broadcast(array, {}, {9}), std::invalid_argument);
  CHECK_THROWS_AS(plan_partial_broadcast(array, {}, {2, 1}), std::invalid_argument);
  CHECK_THROWS_AS(plan_partial_accumulation(array, {}, {1, 1}), std::invalid_argument);
}
