// packet_places and packet_memory against a map from places to packets: a link and a host write packets,
// three outputs take copies of them, each in its own order or all from one queue, and credits go back to the
// link.
#include <array>
#include <map>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "Vrtl_places_bench.h"
#include "testbench/rtl/rtl_bench.hpp"
#include "testbench/support/catch.hpp"

namespace safnet::testbench {
namespace {

using Bench = RtlBench<Vrtl_places_bench>;
constexpr int kInputs = 2, kOutputs = 3, kFlitWidth = 32;
constexpr int kLink = 0, kHost = 1;
constexpr int kParameterSets = 10;  // of rtl_places_bench.sv; the last four have one queue for all outputs

void quiet(Bench& bench) {
  bench->write_valid_i = 0;
  bench->commit_i = 0;
  bench->pass_i = 0;
  bench->taken_i = 0;
  bench->release_i = 0;
}

struct Settings {
  int parameter_set = 0;
  int write_percent = 50;
  int take_percent = 50;
};

/// What a run has to have met for its checks to mean something.
struct Seen {
  std::array<bool, kInputs> full{};
  int taken_at_once = 0;   // cycles in which several outputs took copies of one packet
  int freed_at_once = 0;   // cycles in which several places of the link became free
  int released_later = 0;  // places that were kept after the last copy had been taken
  int passed = 0;
  int most_owed = 0;
};

class Traffic {
 public:
  explicit Traffic(const Settings& settings)
      : settings_(settings),
        random_(static_cast<unsigned>(settings.parameter_set * 10'000 + settings.write_percent * 100 +
                                      settings.take_percent)) {
    quiet(bench_);
    bench_->case_i = static_cast<CData>(settings.parameter_set);
    bench_->head_input_i = bench_->read_input_i = 0;
    bench_->head_slot_i = bench_->read_slot_i = 0;
    bench_.reset();
    bench_.settle();
    credits_ = bench_->depth_o;
  }

  void cycle(bool drain) {
    quiet(bench_);
    bench_.settle();
    check_registers();
    freed_.clear();
    for (int input = 0; input < kInputs; ++input) write(input, drain);
    if (bench_->holds_taken_o != 0) {
      take_from_one_queue(drain);
    } else {
      for (int output = 0; output < kOutputs; ++output) take_to(output, drain);
      count_copies();
    }
    bench_.settle();
    check_flits();
    end_of_cycle();
    bench_.tick();
  }

  void require_empty() {
    for (int input = 0; input < kInputs; ++input) {
      REQUIRE(held_[static_cast<std::size_t>(input)].empty());
      REQUIRE(!arriving_[static_cast<std::size_t>(input)].has_value());
    }
    REQUIRE(credits_ == bench_->depth_o);
  }
  Seen seen;

 private:
  struct Packet {
    std::vector<std::uint32_t> flits;
    std::size_t length = 1;
    unsigned left = 0;  // outputs that have not taken their copy
    int serial = 0;
  };
  struct Arriving {
    Packet packet;
    int slot;
  };
  struct Departing {
    std::vector<std::uint32_t> flits;
    std::size_t sent = 0;
    int input = 0, slot = 0;
    int wait = 0;       // cycles until it starts
    bool last = false;  // its start frees the place
  };

  unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }
  bool chance(int percent) { return static_cast<int>(below(100)) < percent; }
  int depth_of(int input) { return input == kLink ? bench_->depth_o : bench_->host_depth_o; }
  std::map<int, Packet>& held(int input) { return held_[static_cast<std::size_t>(input)]; }

  void check_registers() {
    for (int input = 0; input < kInputs; ++input) {
      const auto& packets = held(input);
      REQUIRE(get_field(bench_->room_o, input, 1) ==
              (static_cast<int>(packets.size()) < depth_of(input) ? 1U : 0U));
    }
    REQUIRE(get_field(bench_->credit_o, kLink, 1) == (credit_ ? 1U : 0U));
    REQUIRE(get_field(bench_->owing_o, kLink, 1) == (owed_ > 0 ? 1U : 0U));
    REQUIRE(get_field(bench_->credit_o, kHost, 1) ==
            0);  // nobody counts the host's places but the node itself
    REQUIRE(get_field(bench_->owing_o, kHost, 1) == 0);
  }

  void write(int input, bool drain) {
    auto& arriving = arriving_[static_cast<std::size_t>(input)];
    const int slot = static_cast<int>(get_field(bench_->write_slot_o, input, 8));
    if (!arriving) {
      const bool may = input == kLink ? credits_ > 0 : get_field(bench_->room_o, input, 1) == 1;
      if (!may || drain || !chance(settings_.write_percent)) return;
      REQUIRE(slot < depth_of(input));
      REQUIRE(held(input).count(slot) == 0);
      credits_ -= input == kLink;
      arriving = Arriving{{}, slot};
      arriving->packet.length = 1 + below(bench_->flits_o);
      // Most packets go to several outputs; the link's may be for the host alone, and then to none.
      arriving->packet.left = input == kHost ? 1 + below(7) : chance(85) ? 1 + below(7) : 0;
      arriving->packet.serial = serial_++;
    } else {
      REQUIRE(slot == arriving->slot);  // all flits of a packet go to one place
      if (input == kHost && !drain && chance(10)) return;
    }
    const auto flit = static_cast<std::uint32_t>(random_());
    Packet& packet = arriving->packet;
    set_field(bench_->write_valid_i, input, 1, 1);
    set_field(bench_->write_index_i, input, 3, packet.flits.size());
    set_field(bench_->write_flit_i, input, kFlitWidth, flit);
    packet.flits.push_back(flit);
    if (packet.flits.size() < packet.length) return;
    if (packet.left != 0) {
      set_field(bench_->commit_i, input, 1, 1);
      set_field(bench_->commit_mask_i, input, kOutputs, packet.left);
    } else {
      set_field(bench_->pass_i, input, 1, 1);
      ++seen.passed;
    }
  }

  // A packet that still has a copy for one of these outputs: often the oldest, so that outputs meet at one
  // packet.
  std::optional<std::pair<int, int>> any_packet(unsigned outputs) {
    std::vector<std::pair<int, int>> candidates;
    std::pair<int, int> oldest;
    int oldest_serial = serial_;
    for (int input = 0; input < kInputs; ++input) {
      for (const auto& [slot, packet] : held(input)) {
        if ((packet.left & outputs) == 0) continue;
        candidates.emplace_back(input, slot);
        if (packet.serial < oldest_serial) {
          oldest_serial = packet.serial;
          oldest = {input, slot};
        }
      }
    }
    if (candidates.empty()) return std::nullopt;
    if (chance(60)) return oldest;
    return candidates[below(static_cast<unsigned>(candidates.size()))];
  }

  void show_head(int output, int input, int slot) {
    set_field(bench_->head_input_i, output, 1, static_cast<std::uint64_t>(input));
    set_field(bench_->head_slot_i, output, 8, static_cast<std::uint64_t>(slot));
  }
  void show_reader(int output, const Departing& departing) {
    set_field(bench_->read_input_i, output, 1, static_cast<std::uint64_t>(departing.input));
    set_field(bench_->read_slot_i, output, 8, static_cast<std::uint64_t>(departing.slot));
    set_field(bench_->read_index_i, output, 3, departing.sent);
  }

  // Each output has a queue of its own: a copy is taken when it starts to leave.
  void take_to(int output, bool drain) {
    auto& departing = departing_[static_cast<std::size_t>(output)];
    if (!departing && (drain || chance(settings_.take_percent))) {
      if (const auto where = any_packet(1U << output)) {
        const auto [input, slot] = *where;
        departing = Departing{held(input).at(slot).flits, 0, input, slot, 0, false};
        show_head(output, input, slot);
        set_field(bench_->taken_i, output, 1, 1);
      }
    }
    if (departing) show_reader(output, *departing);
  }
  // The copies of this cycle are counted together: until then every output sees the packets as they were.
  void count_copies() {
    std::map<std::pair<int, int>, int> copies;
    for (int output = 0; output < kOutputs; ++output) {
      if (get_field(bench_->taken_i, output, 1) == 0) continue;
      const Departing& departing = *departing_[static_cast<std::size_t>(output)];
      ++copies[{departing.input, departing.slot}];
      held(departing.input).at(departing.slot).left &= ~(1U << output);
    }
    int freed = 0;
    for (const auto& [where, count] : copies) {
      seen.taken_at_once += count > 1;
      if (held(where.first).at(where.second).left != 0) continue;
      freed_.push_back(where);
      freed += where.first == kLink;
    }
    seen.freed_at_once += freed > 1;
  }

  // One queue: copies are taken one after the other, and each starts at once or, as with grants, later.
  void take_from_one_queue(bool drain) {
    auto& departing = departing_[0];
    if (!departing && (drain || chance(settings_.take_percent))) {
      if (const auto where = any_packet(7)) {
        const auto [input, slot] = *where;
        Packet& packet = held(input).at(slot);
        unsigned taken = 0;
        do taken = packet.left & below(8);
        while (taken == 0);
        show_head(0, input, slot);
        bench_.settle();
        REQUIRE(bench_->head_left_o == packet.left);
        bench_->taken_i = static_cast<CData>(taken);
        packet.left &= ~taken;
        departing = Departing{
            packet.flits, 0, input, slot, chance(50) ? 0 : 1 + static_cast<int>(below(4)), packet.left == 0};
        seen.released_later += departing->last && departing->wait > 0;
      }
    }
    if (!departing) return;
    show_reader(0, *departing);
    if (departing->wait == 0 && departing->sent == 0 && departing->last) {
      bench_->release_i = 1;
      freed_.emplace_back(departing->input, departing->slot);
    }
  }

  void check_flits() {
    for (int output = 0; output < kOutputs; ++output) {
      auto& departing = departing_[static_cast<std::size_t>(output)];
      if (!departing || departing->wait-- > 0) continue;
      departing->wait = 0;
      REQUIRE(get_field(bench_->read_flit_o, output, kFlitWidth) == departing->flits[departing->sent]);
      if (++departing->sent == departing->flits.size()) departing.reset();
    }
  }

  void end_of_cycle() {
    credits_ += credit_;
    for (int input = 0; input < kInputs; ++input) {
      auto& arriving = arriving_[static_cast<std::size_t>(input)];
      if (!arriving || arriving->packet.flits.size() < arriving->packet.length) continue;
      if (arriving->packet.left == 0) {
        ++owed_;
      } else {
        held(input)[arriving->slot] = arriving->packet;
      }
      arriving.reset();
    }
    for (const auto& [input, slot] : freed_) {
      held(input).erase(slot);
      owed_ += input == kLink;
    }
    for (int input = 0; input < kInputs; ++input) {
      seen.full[static_cast<std::size_t>(input)] |= static_cast<int>(held(input).size()) == depth_of(input);
    }
    // The first credit that is owed goes back in the next cycle.
    credit_ = owed_ > 0;
    owed_ -= credit_;
    seen.most_owed = std::max(seen.most_owed, owed_);
  }

  Settings settings_;
  std::mt19937 random_;
  Bench bench_;
  int serial_ = 0;
  std::array<std::map<int, Packet>, kInputs> held_;  // place -> packet
  std::array<std::optional<Arriving>, kInputs> arriving_;
  std::array<std::optional<Departing>, kOutputs> departing_;  // possibly from a place that is free again
  std::vector<std::pair<int, int>> freed_;                    // in this cycle: input, place
  int credits_ = 0, owed_ = 0;
  bool credit_ = false;
};

TEST_CASE("packets lie in places of their own until their last copy starts, and give one credit each",
          "[rtl][packet_places][random]") {
  Settings settings;
  settings.parameter_set = GENERATE(range(0, kParameterSets));
  settings.write_percent = GENERATE(30, 100);
  settings.take_percent = GENERATE(8, 40, 100);
  CAPTURE(settings.parameter_set, settings.write_percent, settings.take_percent);
  Traffic traffic(settings);
  for (int cycle = 0; cycle < 6000; ++cycle) {
    CAPTURE(cycle);
    traffic.cycle(cycle >= 4000);
  }
  traffic.require_empty();
  const Seen& seen = traffic.seen;
  REQUIRE(seen.passed > 3);
  if (settings.write_percent == 100 && settings.take_percent == 8) {
    REQUIRE((seen.full[kLink] && seen.full[kHost]));
  }
  if (settings.parameter_set >= 6) {
    REQUIRE(seen.released_later > 10);
  } else if (settings.take_percent == 100) {
    REQUIRE(seen.taken_at_once > 10);
    // With one place, of two packets that free it in a cycle the other is the one that passes.
    if (settings.parameter_set != 0) REQUIRE(seen.freed_at_once > 0);
    if (settings.parameter_set != 0) REQUIRE(seen.most_owed > 0);
  }
}

TEST_CASE("the cycle table of rtl/common/README.md: two places, two outputs",
          "[rtl][packet_places][cycle_table]") {
  Bench bench;
  quiet(bench);
  bench->case_i = 1;
  bench->head_input_i = 0;
  bench->head_slot_i = 0;
  bench.reset();
  bench.settle();
  REQUIRE(bench->depth_o == 2);
  struct Cycle {
    unsigned arrives;           // outputs that the packet that arrives is for
    std::array<char, 2> taken;  // by output 0 and 1
    bool room;                  // fewer than two places are in use
    bool credit;
  };
  const std::vector<Cycle> table{{0b11, {' ', ' '}, true, false}, {0b01, {'a', ' '}, true, false},
                                 {0, {'b', 'a'}, false, false},   {0, {' ', ' '}, true, true},
                                 {0, {' ', ' '}, true, true},     {0, {' ', ' '}, true, false}};
  std::map<char, std::uint64_t> slots;
  for (const Cycle& cycle : table) {
    bench.settle();
    REQUIRE((bench->room_o & 1) == cycle.room);
    REQUIRE((bench->credit_o & 1) == cycle.credit);
    if (cycle.arrives != 0) {
      bench->commit_i = 0b01;
      bench->commit_mask_i = static_cast<CData>(cycle.arrives);
      slots[slots.empty() ? 'a' : 'b'] = get_field(bench->write_slot_o, kLink, 8);
    }
    for (int output = 0; output < 2; ++output) {
      const char packet = cycle.taken[static_cast<std::size_t>(output)];
      if (packet == ' ') continue;
      set_field(bench->taken_i, output, 1, 1);
      set_field(bench->head_slot_i, output, 8, slots.at(packet));
    }
    bench.tick();
    quiet(bench);
  }
  REQUIRE(slots.at('a') != slots.at('b'));
}

TEST_CASE("packets without a place or a credit and copies that are taken twice are errors",
          "[rtl][packet_places][assertion]") {
  const int parameter_set = GENERATE(range(0, kParameterSets));
  CAPTURE(parameter_set);
  Bench bench;
  quiet(bench);
  bench->case_i = static_cast<CData>(parameter_set);
  bench->head_input_i = 0;
  bench->head_slot_i = 0;
  bench->commit_mask_i = 0b111111;
  bench.reset();
  bench.settle();
  SECTION("no place is left for the host") {
    bench->commit_i = 0b10;
    for (int k = 0; k < bench->host_depth_o; ++k) REQUIRE_NOTHROW(bench.tick());
    REQUIRE_THROWS_AS(bench.tick(), BenchError);
  }
  SECTION("the sender has no credit, even for a packet that needs no place") {
    bench->commit_i = 0b01;
    for (int k = 0; k < bench->depth_o; ++k) REQUIRE_NOTHROW(bench.tick());
    bench->commit_i = 0;
    bench->pass_i = 0b01;
    REQUIRE_THROWS_AS(bench.tick(), BenchError);
  }
  SECTION("a copy is taken twice") {
    bench->commit_i = 0b01;
    bench.tick();
    bench->commit_i = 0;
    bench->taken_i = 0b011;
    REQUIRE_NOTHROW(bench.tick());
    bench->taken_i = 0b110;
    if (bench->holds_taken_o == 0) {  // noted in this cycle, reported in the next
      REQUIRE_NOTHROW(bench.tick());
      bench->taken_i = 0;
    }
    REQUIRE_THROWS_AS(bench.tick(), BenchError);
  }
}

}  // namespace
}  // namespace safnet::testbench
