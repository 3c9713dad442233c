// packet_store against a map from slots to packets: random traffic, full and empty, release and commit in one
// cycle, and release at the start of a transmission while the next packet is already being written.
#include <map>
#include <random>
#include <vector>

#include "Vrtl_store_bench.h"
#include "testbench/rtl/rtl_bench.hpp"
#include "testbench/support/catch.hpp"

namespace safnet::testbench {
namespace {

using Bench = RtlBench<Vrtl_store_bench>;

void quiet(Bench& bench) {
  bench->write_valid_i = 0;
  bench->commit_i = 0;
  bench->release_i = 0;
}

// A writer and a reader with random pauses.
class Traffic {
 public:
  Traffic(int parameter_set, int write_percent, int read_percent)
      : write_percent_(write_percent),
        read_percent_(read_percent),
        random_(static_cast<unsigned>(parameter_set * 1000 + write_percent + read_percent)) {
    quiet(bench_);
    bench_->case_i = static_cast<CData>(parameter_set);
    bench_.reset();
    bench_.settle();
    depth = bench_->depth_o;
  }

  int depth = 0;
  int fullest = 0, full_cycles = 0, both = 0;  // both: a packet is committed and another released

  void cycle(bool drain) {
    quiet(bench_);
    const bool commit = write(drain);
    const int released = read(drain);
    bench_.settle();
    const int write_slot = bench_->write_slot_o;
    if (!departing_.empty()) {
      REQUIRE(bench_->read_flit_o == departing_[departed_]);
      if (++departed_ == departing_.size()) departing_.clear();
    }
    if (commit) {
      REQUIRE(write_slot < depth);
      REQUIRE(held_.count(write_slot) == 0);
    }
    both += commit && released >= 0;
    if (released >= 0) held_.erase(released);
    if (commit) {
      held_[write_slot] = arriving_;
      arriving_.clear();
      arriving_length_ = 0;
    }
    REQUIRE(bench_->count_next_o == held_.size());
    fullest = std::max(fullest, static_cast<int>(held_.size()));
    full_cycles += static_cast<int>(held_.size()) == depth;
    bench_.tick();
  }
  void require_empty() const {
    REQUIRE(held_.empty());
    REQUIRE(arriving_.empty());
  }

 private:
  bool chance(int p) { return static_cast<int>(random_() % 100) < p; }

  // Whether a packet is complete in this cycle.
  bool write(bool drain) {
    const bool room = static_cast<int>(held_.size()) < depth;
    if (arriving_length_ == 0 && room && !drain && chance(write_percent_)) {
      arriving_length_ = 1 + random_() % static_cast<unsigned>(bench_->flits_o);
    }
    if (arriving_length_ == 0 || (!drain && !chance(90))) return false;
    const auto flit = static_cast<std::uint32_t>(random_());
    bench_->write_valid_i = 1;
    bench_->write_index_i = static_cast<CData>(arriving_.size());
    bench_->write_flit_i = flit;
    arriving_.push_back(flit);
    bench_->commit_i = arriving_.size() == arriving_length_;
    return bench_->commit_i != 0;
  }
  // One flit a cycle once started. Returns the slot that is released, or -1.
  int read(bool drain) {
    int released = -1;
    if (departing_.empty() && !held_.empty() && (drain || chance(read_percent_))) {
      auto packet = held_.begin();
      std::advance(packet, static_cast<long>(random_() % held_.size()));
      departing_ = packet->second;
      departed_ = 0;
      departing_slot_ = packet->first;
      if (drain || chance(80)) {
        released = departing_slot_;
        bench_->release_i = 1;
        bench_->release_slot_i = static_cast<CData>(released);
      }
    }
    bench_->read_slot_i = static_cast<CData>(departing_slot_);
    bench_->read_index_i = static_cast<CData>(departed_);
    return released;
  }

  int write_percent_, read_percent_;
  std::mt19937 random_;
  Bench bench_;
  std::map<int, std::vector<std::uint32_t>> held_;  // slot -> flits
  std::vector<std::uint32_t> arriving_;
  std::size_t arriving_length_ = 0;
  std::vector<std::uint32_t> departing_;  // being read, possibly from a slot that is free again
  std::size_t departed_ = 0;
  int departing_slot_ = 0;
};

TEST_CASE("packets come out of their slots as they went in", "[rtl][packet_store][random]") {
  const int parameter_set = GENERATE(range(0, 6));
  const int write_percent = GENERATE(30, 100);
  const int read_percent = GENERATE(20, 100);
  CAPTURE(parameter_set, write_percent, read_percent);
  Traffic traffic(parameter_set, write_percent, read_percent);
  for (int cycle = 0; cycle < 3000; ++cycle) {
    CAPTURE(cycle);
    traffic.cycle(cycle >= 2900);
  }
  traffic.require_empty();
  if (write_percent == 100 && read_percent == 20) {
    REQUIRE(traffic.fullest == traffic.depth);
    REQUIRE(traffic.full_cycles > 10);
  }
  if (traffic.depth > 1 && write_percent == 100) REQUIRE(traffic.both > 0);
}

TEST_CASE("writing to a full store and releasing from an empty one are errors",
          "[rtl][packet_store][assertion]") {
  const int parameter_set = GENERATE(0, 1, 2);
  Bench bench;
  quiet(bench);
  bench->case_i = static_cast<CData>(parameter_set);
  bench.reset();
  bench.settle();
  const int depth = bench->depth_o;
  SECTION("full") {
    bench->write_valid_i = 1;
    bench->commit_i = 1;
    bench->write_index_i = 0;
    for (int k = 0; k < depth; ++k) REQUIRE_NOTHROW(bench.tick());
    REQUIRE_THROWS_AS(bench.tick(), BenchError);
  }
  SECTION("empty") {
    bench->release_i = 1;
    bench->release_slot_i = 0;
    REQUIRE_THROWS_AS(bench.tick(), BenchError);
  }
}

}  // namespace
}  // namespace safnet::testbench
