// pifo_queue against an ordered multiset with the documented key: rank, transit before local, cycle of
// arrival, what is left of a packet before arrivals, lane.
#include <array>
#include <iterator>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "Vrtl_queue_bench.h"
#include "testbench/rtl/rtl_bench.hpp"
#include "testbench/support/catch.hpp"

namespace safnet::testbench {
namespace {

using Bench = RtlBench<Vrtl_queue_bench>;
constexpr int kFlitWidth = 32;
constexpr std::size_t kMaxLanes = 5;
constexpr int kRestRanks = 7;  // the parameter set with ranks for what is left

std::uint32_t payload(int serial, std::size_t flit) {
  return static_cast<std::uint32_t>(serial) * 0x9e37'79b9U + static_cast<std::uint32_t>(flit) * 0x85eb'ca6bU;
}

struct Packet {
  int rank = 0;
  bool local = false;
  int arrival = 0;
  int lane = 0;
  int serial = 0;  // only decides within a lane, where it is the order of arrival
  std::size_t length = 1;
  unsigned mask = 1;
  int rest_rank = 0;
  bool arrived = true;  // false: the rest of a packet that was served in cycle `arrival`
  friend bool operator<(const Packet& a, const Packet& b) {
    return std::tie(a.rank, a.local, a.arrival, a.arrived, a.lane, a.serial) <
           std::tie(b.rank, b.local, b.arrival, b.arrived, b.lane, b.serial);
  }
};

void quiet(Bench& bench) {
  bench->write_valid_i = 0;
  bench->commit_i = 0;
  bench->serve_mask_i = 0;
  bench->release_i = 0;
  bench->rest_i = 0;
  bench->rest_rank_i = 0;
}

/// Traffic in all lanes at once and a consumer that behaves like a transmit port.
struct Settings {
  int parameter_set = 0;
  int push_percent = 50;
  int pop_percent = 50;
  bool equal_ranks = false;
  bool delayed_start =
      false;  // as with grants: a packet leaves the queue, and starts and frees its slot later
};

struct Seen {
  int partial_serves = 0, moves = 0, full_cycles = 0, most_commits = 0, popped = 0;
};

Seen run_queue(const Settings& settings) {
  std::mt19937 random(static_cast<unsigned>(settings.parameter_set * 100'000 + settings.push_percent * 100 +
                                            settings.pop_percent + settings.delayed_start));
  const auto below = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
  const auto chance = [&](int percent) { return below(100) < percent; };
  Bench bench;
  quiet(bench);
  bench->case_i = static_cast<CData>(settings.parameter_set);
  bench->now_i = 0;
  bench.reset();
  bench.settle();
  const int lanes = bench->lanes_o, ranks = bench->ranks_o, mask_width = bench->mask_width_o;
  const auto flits = static_cast<int>(bench->flits_o);
  const bool rest_ranks = settings.parameter_set == kRestRanks;
  const auto depth_of = [&](int lane) { return lane == lanes - 1 ? bench->host_depth_o : bench->depth_o; };

  std::multiset<Packet> queue;
  std::array<int, kMaxLanes> held{};  // packets in each lane's store
  std::array<Packet, kMaxLanes> arriving;
  std::array<std::size_t, kMaxLanes> arrived{};
  std::array<bool, kMaxLanes> busy{};
  bool consuming = false, started = false, last_copy = false;
  Packet departing;
  std::size_t departed = 0;
  int departing_slot = 0, wait = 0, serial = 0;
  Seen seen;
  constexpr int kCycles = 4000, kDrainFrom = 3200;
  for (int cycle = 1; cycle <= kCycles; ++cycle) {
    CAPTURE(cycle);
    const bool drain = cycle >= kDrainFrom;
    quiet(bench);
    bench->now_i = static_cast<IData>(cycle);
    bench.settle();
    // the head, a function of registers
    REQUIRE(bench->head_valid_o == !queue.empty());
    if (!queue.empty()) {
      REQUIRE(bench->head_lane_o == queue.begin()->lane);
      REQUIRE(bench->head_mask_o == queue.begin()->mask);
    }
    int all_held = 0;
    for (const int count : held) all_held += count;
    REQUIRE(bench->occupancy_o == all_held);
    REQUIRE(bench->transit_o == all_held - held[static_cast<std::size_t>(lanes - 1)]);

    // arrivals
    std::vector<Packet> committed;
    for (int lane = 0; lane < lanes; ++lane) {
      const auto l = static_cast<std::size_t>(lane);
      if (!busy[l] && held[l] < depth_of(lane) && !drain && chance(settings.push_percent)) {
        busy[l] = true;
        arrived[l] = 0;
        Packet& packet = arriving[l];
        packet.rank = settings.equal_ranks ? ranks - 1 : below(ranks);
        packet.local = lane == lanes - 1;
        packet.lane = lane;
        packet.serial = serial++;
        packet.length = static_cast<std::size_t>(1 + below(flits));
        packet.mask = static_cast<unsigned>(1 + below((1 << mask_width) - 1));
        packet.rest_rank = below(ranks);
        packet.arrived = true;
      }
      if (!busy[l]) continue;
      if (arriving[l].local && chance(10)) continue;  // a host may pause within a packet
      set_field(bench->write_valid_i, lane, 1, 1);
      set_field(bench->write_index_i, lane, 2, arrived[l]);
      set_field(bench->write_flit_i, lane, kFlitWidth, payload(arriving[l].serial, arrived[l]));
      set_field(bench->commit_rank_i, lane, 8, static_cast<std::uint64_t>(arriving[l].rank));
      set_field(bench->commit_mask_i, lane, 4, arriving[l].mask);
      if (++arrived[l] == arriving[l].length) {
        set_field(bench->commit_i, lane, 1, 1);
        arriving[l].arrival = cycle;
        committed.push_back(arriving[l]);
        busy[l] = false;
      }
    }
    seen.most_commits = std::max(seen.most_commits, static_cast<int>(committed.size()));

    // departures
    bool accept = false;
    unsigned serve = 0;
    if (!consuming && !queue.empty() && (drain || chance(settings.pop_percent))) {
      accept = true;
      departing = *queue.begin();
      departing_slot = bench->head_slot_o;
      do serve = departing.mask & static_cast<unsigned>(random());
      while (serve == 0);
      last_copy = serve == departing.mask;
      bench->serve_mask_i = static_cast<CData>(serve);
      bench->rest_i = rest_ranks && departing.serial % 4 != 0;
      bench->rest_rank_i = static_cast<CData>(departing.rest_rank);
      consuming = true;
      started = false;
      departed = 0;
      wait = settings.delayed_start ? below(4) : 0;
    }
    bool release = false;
    if (consuming) {
      bench->read_lane_i = static_cast<CData>(departing.lane);
      bench->read_slot_i = static_cast<CData>(departing_slot);
      bench->read_index_i = static_cast<CData>(departed);
      if (!started && wait-- == 0) {
        started = true;
        release = last_copy;
        bench->release_i = release;
      }
    }
    bench.settle();
    if (accept) REQUIRE(bench->head_done_o == last_copy);
    if (consuming && started) {
      REQUIRE(bench->read_flit_o == payload(departing.serial, departed));
      if (++departed == departing.length) consuming = false;
    }
    if (accept) {
      queue.erase(queue.begin());
      if (!last_copy) {
        Packet rest = departing;
        rest.mask &= ~serve;
        if (bench->rest_i != 0 && rest.rest_rank != rest.rank) {
          rest.rank = rest.rest_rank;
          rest.local = rest.arrived = false;
          rest.arrival = cycle;
          ++seen.moves;
        }
        queue.insert(rest);
        ++seen.partial_serves;
      } else {
        ++seen.popped;
      }
    }
    if (release) --held[static_cast<std::size_t>(departing.lane)];
    for (const Packet& packet : committed) {
      queue.insert(packet);
      ++held[static_cast<std::size_t>(packet.lane)];
    }
    bool full = true;
    for (int lane = 0; lane < lanes; ++lane) {
      const int count = held[static_cast<std::size_t>(lane)];
      REQUIRE(get_field(bench->count_next_o, lane, 5) == static_cast<std::uint64_t>(count));
      full = full && count == depth_of(lane);
    }
    seen.full_cycles += full;
    bench.tick();
  }
  REQUIRE(queue.empty());
  REQUIRE(!consuming);
  bench.settle();
  REQUIRE(bench->head_valid_o == 0);
  REQUIRE(bench->occupancy_o == 0);
  return seen;
}

TEST_CASE("packets leave in the documented order", "[rtl][pifo_queue][random]") {
  Settings settings;
  settings.parameter_set = GENERATE(range(0, 8));
  settings.push_percent = GENERATE(15, 100);
  settings.pop_percent = GENERATE(30, 100);
  settings.equal_ranks = GENERATE(false, true);
  settings.delayed_start = GENERATE(false, true);
  CAPTURE(settings.parameter_set, settings.push_percent, settings.pop_percent, settings.equal_ranks,
          settings.delayed_start);
  const Seen seen = run_queue(settings);
  REQUIRE(seen.popped > 100);
  if (settings.push_percent == 100) {
    REQUIRE(seen.most_commits > 1);
    if (settings.pop_percent == 30) REQUIRE(seen.full_cycles > 0);  // every lane full at once
  }
  if (settings.parameter_set == kRestRanks) REQUIRE(seen.moves > 20);
  if (settings.parameter_set == 4 || settings.parameter_set == 5) REQUIRE(seen.partial_serves > 0);
}

TEST_CASE("all lanes push in one cycle at one rank: lowest lane first, the host last", "[rtl][pifo_queue]") {
  Bench bench;
  quiet(bench);
  bench->case_i = 1;  // five lanes of depth 3
  bench->now_i = 0;
  bench.reset();
  // The host's packet is there first and still leaves last.
  const auto push = [&](unsigned lanes, int now, int rank) {
    bench->now_i = static_cast<IData>(now);
    bench->write_valid_i = bench->commit_i = static_cast<CData>(lanes);
    for (int lane = 0; lane < 5; ++lane)
      set_field(bench->commit_rank_i, lane, 8, static_cast<unsigned>(rank));
    bench.tick();
    quiet(bench);
  };
  push(0b10000, 1, 2);
  push(0b01000, 2, 2);  // lane 3 is earlier than lanes 0 to 2
  push(0b00111, 3, 2);
  push(0b00100, 4, 1);  // a smaller rank overtakes all
  for (const int lane : {2, 3, 0, 1, 2, 4}) {
    bench.settle();
    REQUIRE(bench->head_valid_o == 1);
    REQUIRE(bench->head_lane_o == lane);
    bench->serve_mask_i = 1;
    bench->release_i = 1;
    bench->read_lane_i = bench->head_lane_o;
    bench->read_slot_i = bench->head_slot_o;
    bench.tick();
    quiet(bench);
  }
  bench.settle();
  REQUIRE(bench->head_valid_o == 0);
}

TEST_CASE("serving an empty queue is an error", "[rtl][pifo_queue][assertion]") {
  Bench bench;
  quiet(bench);
  bench->case_i = 1;
  bench.reset();
  bench->serve_mask_i = 1;
  REQUIRE_THROWS_AS(bench.tick(), BenchError);
}

}  // namespace
}  // namespace safnet::testbench
