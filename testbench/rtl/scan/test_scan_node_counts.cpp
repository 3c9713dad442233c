// What a row of scan_nodes counts in intervals that follow one another: as many flits, packets and failed
// checks as the test sees on links and at hosts; and the same from high counts and late in network time.
#include <algorithm>
#include <bit>
#include <random>
#include <vector>

#include "Vrtl_scan_node_bench.h"
#include "rtl_constants.hpp"
#include "sim/scan/scan_packets.hpp"
#include "testbench/rtl/late_counts.hpp"

namespace safnet::testbench {
namespace {

constexpr int kNodes = 3, kRadix = 2, kOutputs = kNodes * kRadix, kLanes = 3, kFlits = 2;
constexpr int kPhases = rtl::scan_pkg::kPhases;

using Bench = RtlBench<Vrtl_scan_node_bench>;
using List = std::vector<std::uint32_t>;

// What the hosts want and the links damage in a cycle, a bit for each node or input port.
struct Wishes {
  unsigned pending = 0, corrupt = 0;
};

template <class Port>
List list_of(const Port& port, int fields) {
  List list;
  add_counts(list, port, fields);
  return list;
}

// Counts of what has happened on links and at hosts.
struct Seen {
  List sent = List(kOutputs), received = List(kOutputs), delivered = List(kNodes), violations = List(kNodes);

  void see(const Vrtl_scan_node_bench& dut, unsigned corrupt) {
    for (std::size_t n = 0; n < kNodes; ++n) {
      const bool from_left = n > 0 && (dut.tx_valid_o >> (2 * n - 1) & 1U) != 0;
      const bool from_right = n + 1 < kNodes && (dut.tx_valid_o >> (2 * n + 2) & 1U) != 0;
      bool fails = false;
      for (std::size_t p = 0; p < kRadix; ++p) {
        const std::size_t port = n * kRadix + p;
        const bool comes = p == 0 ? from_left : from_right, is_damaged = (corrupt >> port & 1U) != 0;
        sent[port] += dut.tx_valid_o >> port & 1U;
        received[port] += comes && !is_damaged ? 1U : 0U;
        fails = fails || (comes && is_damaged);
      }
      violations[n] += fails ? 1 : 0;
      const unsigned ends = (dut.deliver_valid_o & dut.deliver_last_o) >> (n * kLanes) & 7U;
      delivered[n] += static_cast<std::uint32_t>(std::popcount(ends));
    }
  }
};

// A row from its reset on, whose time and counters may begin late.
class Row {
 public:
  explicit Row(int operation) {
    Vrtl_scan_node_bench& dut = bench_.dut();
    dut.start_i = 0;
    dut.operation_i = static_cast<CData>(operation);
    dut.load_valid_i = 0;
    dut.stray_i = 0;
    drive({});
    clear_port(dut.own_flit_i);
    bench_.reset();
    load_operands();
  }

  void preset(const CountsBefore& before) {
    if (before.time != 0) bench_.preset("cycle_q", before.time, "timer");
    if (before.packets == 0) return;
    for (const auto* name : {"intervals_o", "delivered_o", "violations_o"})
      bench_.preset(name, before.packets);
    for (const auto* name : {"sent_o", "received_o"})
      bench_.preset(name, before.packets | std::uint64_t{before.packets} << 32);
  }
  void preset_phases(const List& cycles, std::uint32_t before) {
    for (std::size_t p = 1; p < kPhases; ++p) bench_.preset("phase_cycles_o", before + cycles.at(p), "", p);
  }

  void drive(const Wishes& wishes) {
    bench_->pending_i = static_cast<CData>(wishes.pending);
    bench_->fault_corrupt_i = static_cast<CData>(wishes.corrupt);
  }
  // Hosts give the flits that their nodes ask for. A packet that is routed goes back to its own node.
  void settle() {
    bench_.settle();
    for (int n = 0; n < kNodes; ++n) {
      const auto index = static_cast<std::uint32_t>(get_field(bench_->own_index_o, n, 2));
      const auto node = static_cast<NodeId>(n);
      set_field(bench_->own_flit_i, n, 64, ScanPackets::own(node, 0, index, node));
    }
    bench_.settle();
  }
  void tick() { bench_.tick(); }
  void start(bool starts) { bench_->start_i = starts; }
  void reset() {
    drive({});
    bench_.reset();
    bench_.settle();
  }
  Vrtl_scan_node_bench& dut() { return bench_.dut(); }
  bool interval_begins() { return bench_->interval_first_o != 0; }
  List phases() { return list_of(bench_->phase_cycles_o, kNodes * kPhases); }

  Counts counts() {
    Counts counts;
    add_counts(counts.packets, bench_->sent_o, kOutputs);
    add_counts(counts.packets, bench_->received_o, kOutputs);
    add_counts(counts.packets, bench_->delivered_o, kNodes);
    add_counts(counts.packets, bench_->violations_o, kNodes);
    add_counts(counts.packets, bench_->intervals_o, kNodes);
    add_counts(counts.last_times, bench_->last_cycle_o, kNodes);
    add_counts(counts.last_times, bench_->last_delivery_cycle_o, kNodes);
    add_counts(counts.first_times, bench_->first_violation_cycle_o, kNodes);
    return counts;
  }

 private:
  // What each node contributes to the sum of every rank.
  void load_operands() {
    bench_->load_valid_i = 1;
    for (std::uint32_t rank = 0; rank < kNodes; ++rank) {
      for (std::uint32_t flit = 0; flit < kFlits; ++flit) {
        bench_->load_address_i = static_cast<CData>(rank << 2 | flit);
        for (int n = 0; n < kNodes; ++n) {
          const std::uint64_t value = ScanPackets::operand(static_cast<NodeId>(n), 0, rank, 0, flit);
          const std::uint64_t first = (value & ~ScanPackets::kHeaderMask) | ScanPackets::header(rank, 0, 0);
          set_field(bench_->load_flit_i, n, 64, flit == 0 ? first : value);
        }
        tick();
      }
    }
    bench_->load_valid_i = 0;
  }

  Bench bench_;
};

void require_seen(Vrtl_scan_node_bench& dut, const Seen& seen) {
  REQUIRE(list_of(dut.sent_o, kOutputs) == seen.sent);
  REQUIRE(list_of(dut.received_o, kOutputs) == seen.received);
  REQUIRE(list_of(dut.delivered_o, kNodes) == seen.delivered);
  REQUIRE(list_of(dut.violations_o, kNodes) == seen.violations);
}

// Phases are counted anew in each interval, so that every second one is brought to high counts by itself.
struct Phases {
  std::uint32_t before = 0, now = 0;  // now: what the late row's counts are ahead
  bool is_second = false, begins = false;

  // Called in every cycle, before anything is compared.
  void follow(Row& early, Row& late) {
    if (begins) {
      is_second = !is_second;
      now = is_second ? before : 0;
      if (now != 0) late.preset_phases(early.phases(), now);
    }
    begins = early.interval_begins();
  }
};

void require_same_phases(const List& early, const List& late, std::uint32_t before) {
  for (std::size_t k = 0; k < early.size(); ++k) {
    CAPTURE(k);
    REQUIRE(late[k] == (k % kPhases == 0 ? 0 : early[k] + before));
  }
}

TEST_CASE("a row of scan_nodes counts late what it counts early", "[rtl][scan_node]") {
  const CountsBefore before = GENERATE(kLateTime, kLateCounts);
  const int operation = GENERATE(rtl::scan_pkg::kOperationScan, rtl::scan_pkg::kOperationMonotone,
                                 rtl::scan_pkg::kOperationBroadcast, rtl::scan_pkg::kOperationAccumulate);
  CAPTURE(before.packets, operation);
  // Only the flits of scans are damaged: what follows would go by the wrong numbers.
  const bool damages = operation == rtl::scan_pkg::kOperationScan;
  // A sum takes the place of what a node had for it, so that there is one interval of them.
  const bool sums_up = operation == rtl::scan_pkg::kOperationAccumulate;
  std::mt19937 random(7);
  Row early(operation), late(operation);
  late.preset(before);
  Seen seen;
  Phases phases{.before = before.packets};
  Wishes wishes;
  for (std::uint32_t cycle = 0; cycle < 150; ++cycle) {
    if (cycle % 16 == 0) wishes.pending = !sums_up ? random() % 8 : cycle == 0 ? 7 : 0;
    wishes.corrupt = damages && cycle > 30 && random() % 2 == 0 ? random() % 64 : 0;
    for (Row* row : {&early, &late}) {
      row->start(cycle == 0);
      row->drive(wishes);
      row->settle();
    }
    phases.follow(early, late);
    late.settle();
    CAPTURE(cycle);
    REQUIRE(early.dut().tx_valid_o == late.dut().tx_valid_o);
    REQUIRE(list_of(early.dut().tx_flit_o, 2 * kOutputs) == list_of(late.dut().tx_flit_o, 2 * kOutputs));
    require_same_counts(early.counts(), late.counts(), before);
    require_same_phases(early.phases(), late.phases(), phases.now);
    seen.see(early.dut(), wishes.corrupt);
    for (Row* row : {&early, &late}) row->tick();
    early.settle();
    late.settle();
    // A node has counted at the end of a cycle what was on links and at hosts in that cycle.
    require_seen(early.dut(), seen);
  }
  REQUIRE(early.counts().packets.back() >= 8);
  REQUIRE((std::ranges::max(seen.violations) > 3) == damages);
  REQUIRE(std::ranges::max(seen.delivered) >= (damages ? 0 : sums_up ? 1 : 4));
  late.reset();
  require_no_counts(late.counts());
}

TEST_CASE("a flit that comes between intervals, or over a port without a link, is an error",
          "[rtl][scan_node][assertion]") {
  for (int input = 0; input < kOutputs; ++input) {
    CAPTURE(input);
    Row row(rtl::scan_pkg::kOperationScan);
    row.settle();
    row.tick();
    row.dut().stray_i = static_cast<CData>(1 << input);
    row.settle();
    REQUIRE_THROWS_AS(row.tick(), BenchError);
  }
}

}  // namespace
}  // namespace safnet::testbench
