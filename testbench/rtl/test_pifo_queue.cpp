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

class QueueRun {
 public:
  explicit QueueRun(const Settings& settings)
      : settings_(settings),
        random_(static_cast<unsigned>(settings.parameter_set * 100'000 + settings.push_percent * 100 +
                                      settings.pop_percent + settings.delayed_start)) {
    quiet(bench_);
    bench_->case_i = static_cast<CData>(settings.parameter_set);
    bench_->now_i = 0;
    bench_.reset();
    bench_.settle();
    lanes_ = bench_->lanes_o;
  }

  Seen run() {
    constexpr int kCycles = 4000, kDrainFrom = 3200;
    for (int cycle = 1; cycle <= kCycles; ++cycle) {
      CAPTURE(cycle);
      const bool drain = cycle >= kDrainFrom;
      quiet(bench_);
      bench_->now_i = static_cast<IData>(cycle);
      bench_.settle();
      check_head();
      const std::vector<Packet> committed = arrivals(cycle, drain);
      const Departure departure = departures(drain);
      bench_.settle();
      after_departure(departure, cycle);
      for (const Packet& packet : committed) {
        queue_.insert(packet);
        ++held_[static_cast<std::size_t>(packet.lane)];
      }
      check_counts();
      bench_.tick();
    }
    REQUIRE(queue_.empty());
    REQUIRE(!consuming_);
    bench_.settle();
    REQUIRE(bench_->head_valid_o == 0);
    REQUIRE(bench_->occupancy_o == 0);
    return seen_;
  }

 private:
  // What happens to the head in a cycle.
  struct Departure {
    bool accept = false, release = false;
    unsigned serve = 0;
  };

  int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }
  bool chance(int percent) { return below(100) < percent; }
  int depth_of(int lane) { return lane == lanes_ - 1 ? bench_->host_depth_o : bench_->depth_o; }

  // The head is a function of registers.
  void check_head() {
    REQUIRE(bench_->head_valid_o == !queue_.empty());
    if (!queue_.empty()) {
      REQUIRE(bench_->head_lane_o == queue_.begin()->lane);
      REQUIRE(bench_->head_mask_o == queue_.begin()->mask);
    }
    int all_held = 0;
    for (const int count : held_) all_held += count;
    REQUIRE(bench_->occupancy_o == all_held);
    REQUIRE(bench_->transit_o == all_held - held_[static_cast<std::size_t>(lanes_ - 1)]);
  }

  Packet any_packet(int lane) {
    Packet packet;
    packet.rank = settings_.equal_ranks ? bench_->ranks_o - 1 : below(bench_->ranks_o);
    packet.local = lane == lanes_ - 1;
    packet.lane = lane;
    packet.serial = serial_++;
    packet.length = static_cast<std::size_t>(1 + below(static_cast<int>(bench_->flits_o)));
    packet.mask = static_cast<unsigned>(1 + below((1 << bench_->mask_width_o) - 1));
    packet.rest_rank = below(bench_->ranks_o);
    return packet;
  }

  // Returns the packets that become complete.
  std::vector<Packet> arrivals(int cycle, bool drain) {
    std::vector<Packet> committed;
    for (int lane = 0; lane < lanes_; ++lane) {
      const auto l = static_cast<std::size_t>(lane);
      if (!busy_[l] && held_[l] < depth_of(lane) && !drain && chance(settings_.push_percent)) {
        busy_[l] = true;
        arrived_[l] = 0;
        arriving_[l] = any_packet(lane);
      }
      if (!busy_[l]) continue;
      if (arriving_[l].local && chance(10)) continue;  // the queue alone bears a pause within a packet
      set_field(bench_->write_valid_i, lane, 1, 1);
      set_field(bench_->write_index_i, lane, 2, arrived_[l]);
      set_field(bench_->write_flit_i, lane, kFlitWidth, payload(arriving_[l].serial, arrived_[l]));
      set_field(bench_->commit_rank_i, lane, 8, static_cast<std::uint64_t>(arriving_[l].rank));
      set_field(bench_->commit_mask_i, lane, 4, arriving_[l].mask);
      if (++arrived_[l] == arriving_[l].length) {
        set_field(bench_->commit_i, lane, 1, 1);
        arriving_[l].arrival = cycle;
        committed.push_back(arriving_[l]);
        busy_[l] = false;
      }
    }
    seen_.most_commits = std::max(seen_.most_commits, static_cast<int>(committed.size()));
    return committed;
  }

  Departure departures(bool drain) {
    Departure result;
    if (!consuming_ && !queue_.empty() && (drain || chance(settings_.pop_percent))) {
      result.accept = true;
      departing_ = *queue_.begin();
      departing_slot_ = bench_->head_slot_o;
      do result.serve = departing_.mask & static_cast<unsigned>(random_());
      while (result.serve == 0);
      last_copy_ = result.serve == departing_.mask;
      bench_->serve_mask_i = static_cast<CData>(result.serve);
      bench_->rest_i = settings_.parameter_set == kRestRanks && departing_.serial % 4 != 0;
      bench_->rest_rank_i = static_cast<CData>(departing_.rest_rank);
      consuming_ = true;
      started_ = false;
      departed_ = 0;
      wait_ = settings_.delayed_start ? below(4) : 0;
    }
    if (consuming_) {
      bench_->read_lane_i = static_cast<CData>(departing_.lane);
      bench_->read_slot_i = static_cast<CData>(departing_slot_);
      bench_->read_index_i = static_cast<CData>(departed_);
      if (!started_ && wait_-- == 0) {
        started_ = true;
        result.release = last_copy_;
        bench_->release_i = result.release;
      }
    }
    return result;
  }

  void after_departure(const Departure& departure, int cycle) {
    if (departure.accept) REQUIRE(bench_->head_done_o == last_copy_);
    if (consuming_ && started_) {
      REQUIRE(bench_->read_flit_o == payload(departing_.serial, departed_));
      if (++departed_ == departing_.length) consuming_ = false;
    }
    if (departure.accept) {
      queue_.erase(queue_.begin());
      if (!last_copy_) {
        Packet rest = departing_;
        rest.mask &= ~departure.serve;
        if (bench_->rest_i != 0 && rest.rest_rank != rest.rank) {
          rest.rank = rest.rest_rank;
          rest.local = rest.arrived = false;
          rest.arrival = cycle;
          ++seen_.moves;
        }
        queue_.insert(rest);
        ++seen_.partial_serves;
      } else {
        ++seen_.popped;
      }
    }
    if (departure.release) --held_[static_cast<std::size_t>(departing_.lane)];
  }

  void check_counts() {
    bool full = true;
    for (int lane = 0; lane < lanes_; ++lane) {
      const int count = held_[static_cast<std::size_t>(lane)];
      REQUIRE(get_field(bench_->count_next_o, lane, 5) == static_cast<std::uint64_t>(count));
      full = full && count == depth_of(lane);
    }
    seen_.full_cycles += full;
  }

  Settings settings_;
  std::mt19937 random_;
  Bench bench_;
  int lanes_ = 0, serial_ = 0;
  Seen seen_;
  std::multiset<Packet> queue_;
  std::array<int, kMaxLanes> held_{};  // packets in each lane's store
  std::array<Packet, kMaxLanes> arriving_;
  std::array<std::size_t, kMaxLanes> arrived_{};
  std::array<bool, kMaxLanes> busy_{};
  // The consumer: it has taken a packet, whose flits have started to leave.
  bool consuming_ = false, started_ = false, last_copy_ = false;
  Packet departing_;
  std::size_t departed_ = 0;
  int departing_slot_ = 0, wait_ = 0;
};

TEST_CASE("packets leave in the documented order", "[rtl][pifo_queue][random]") {
  Settings settings;
  settings.parameter_set = GENERATE(range(0, 8));
  settings.push_percent = GENERATE(15, 100);
  settings.pop_percent = GENERATE(30, 100);
  settings.equal_ranks = GENERATE(false, true);
  settings.delayed_start = GENERATE(false, true);
  CAPTURE(settings.parameter_set, settings.push_percent, settings.pop_percent, settings.equal_ranks,
          settings.delayed_start);
  const Seen seen = QueueRun(settings).run();
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
