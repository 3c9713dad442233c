// test_scan_unit - lines, meshes and cubes of scan_units: ranks and totals for every set of active nodes, and
// the cycle in which the scan ends.
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "Vrtl_scan_unit_bench.h"
#include "testbench/rtl/rtl_bench.hpp"
#include "testbench/support/catch.hpp"

namespace safnet::testbench {
namespace {

using Bench = RtlBench<Vrtl_scan_unit_bench>;
constexpr int kDigitWidth = 3, kRemainderWidth = 2, kFlitWidth = 64, kResultWidth = 14;

// base^digits nodes; a model each, and the links between them.
class Network {
 public:
  Network(unsigned base, unsigned digits, bool with_latency)
      : base_(base),
        digits_(digits),
        latency_(with_latency ? 2 : 0),
        machine_(static_cast<int>(2 * (digits - 1) + (with_latency ? 1 : 0))) {
    unsigned count = 1;
    for (unsigned j = 0; j < digits; ++j) count *= base;
    for (unsigned v = 0; v < count; ++v) nodes_.push_back(std::make_unique<Bench>(~std::uint64_t{0}));
  }
  unsigned nodes() const { return static_cast<unsigned>(nodes_.size()); }

  // Of one scan: what happens to its flit `number`, in the order in which they arrive.
  struct Fault {
    unsigned number = ~0U;
    bool lost = false;
    std::uint64_t inverted = 0;  // bits
  };
  // What the receivers said of the flits of one scan.
  struct Reports {
    unsigned flits = 0, intact = 0, faults = 0;
  };

  // Runs one scan and returns its cycles. Without a fault ranks, totals and the last are checked, and that
  // the receivers found all flits intact.
  unsigned check_scan(unsigned active, unsigned remainder_base) {
    Reports reports;
    const unsigned cycles = run_scan(active, remainder_base, {}, reports);
    REQUIRE(reports.faults == 0);
    REQUIRE(reports.intact == reports.flits);
    return cycles;
  }
  unsigned run_scan(unsigned active, unsigned remainder_base, const Fault& fault, Reports& reports) {
    const bool sound = fault.number == ~0U;
    for (unsigned v = 0; v < nodes(); ++v) {
      Bench& node = *nodes_[v];
      node->begin_i = 0;
      node->base_i = static_cast<CData>(base_);
      node->remainder_base_i = static_cast<CData>(remainder_base);
      node->coordinates_i = static_cast<SData>(address(v));
      node->active_i = active >> v & 1U;
      listen(node, {}, {});
      node.reset();
      node.settle();
      REQUIRE(get_field(node->total_o, machine_, kResultWidth) == 0);  // the last scan's is forgotten
      node->begin_i = static_cast<CData>(1 << machine_);
      node.tick();
      node->begin_i = 0;
    }
    plus_.assign(latency_, std::vector<Flit>(nodes()));
    minus_ = plus_;
    unsigned cycles = 0;
    for (bool ended = false; !ended;) {
      REQUIRE(cycles < 1000);
      ++cycles;
      std::vector<Flit> plus(nodes()), minus(nodes());
      unsigned digit = 0;
      for (unsigned v = 0; v < nodes(); ++v) {
        Bench& node = *nodes_[v];
        listen(node, {}, {});
        node.settle();
        digit = static_cast<unsigned>(get_field(node->digit_o, machine_, 2));
        take_flits(v, digit, plus, minus);
      }
      plus_.push_back(std::move(plus));
      minus_.push_back(std::move(minus));
      for (unsigned v = 0; v < nodes(); ++v) {
        Bench& node = *nodes_[v];
        Flit &from_smaller = plus_.front()[v], &from_larger = minus_.front()[v];
        for (Flit* flit : {&from_smaller, &from_larger}) {
          if (!flit->valid || reports.flits++ != fault.number) continue;
          flit->valid = !fault.lost;
          flit->bits ^= fault.inverted;
        }
        listen(node, from_smaller, from_larger);
        node.settle();
        for (const auto& intact : {node->minus_intact_o, node->plus_intact_o})
          reports.intact += static_cast<unsigned>(get_field(intact, machine_, 1));
        const unsigned reported = static_cast<unsigned>(get_field(node->fault_o, machine_, 1));
        reports.faults += reported;
        // The node to which the flit came reports it, when it comes.
        if (reported != 0) REQUIRE(reports.flits == fault.number + 1);
        const bool last = get_field(node->interval_last_o, machine_, 1) != 0;
        REQUIRE((v == 0 || last == ended));
        ended = last;
        if (last && sound) {
          if ((active >> v & 1U) != 0) {
            const unsigned before = static_cast<unsigned>(__builtin_popcount(active & ((1U << v) - 1)));
            REQUIRE(get_field(node->before_next_o, machine_, kResultWidth) == count(before, remainder_base));
          }
          REQUIRE(get_field(node->total_next_o, machine_, kResultWidth) ==
                  count(static_cast<unsigned>(__builtin_popcount(active)), remainder_base));
        }
        node.tick();
      }
      plus_.pop_front();
      minus_.pop_front();
    }
    for (unsigned v = 0; v < nodes(); ++v) {
      Bench& node = *nodes_[v];
      listen(node, {}, {});
      node.settle();
      if (sound)
        REQUIRE(get_field(node->total_o, machine_, kResultWidth) ==
                count(static_cast<unsigned>(__builtin_popcount(active)), remainder_base));
      REQUIRE(get_field(node->running_o, machine_, 1) == 0);
    }
    return cycles;
  }

 private:
  struct Flit {
    bool valid = false;
    std::uint64_t bits = 0;
  };
  // What node v sends in a line of `digit`, to the nodes at the other ends of its links.
  void take_flits(unsigned v, unsigned digit, std::vector<Flit>& plus, std::vector<Flit>& minus) {
    Bench& node = *nodes_[v];
    const std::uint64_t flit = get_field(node->tx_flit_o, machine_, kFlitWidth);
    const bool to_larger = get_field(node->tx_plus_valid_o, machine_, 1) != 0;
    const bool to_smaller = get_field(node->tx_minus_valid_o, machine_, 1) != 0;
    if (to_larger || to_smaller) REQUIRE(ends_lines_below(v, digit));
    if (to_larger) plus[next(v, digit)] = {true, flit};
    if (to_smaller) minus[previous(v, digit)] = {true, flit};
  }
  void listen(Bench& node, Flit from_smaller, Flit from_larger) {
    node->rx_minus_valid_i = static_cast<CData>(from_smaller.valid ? 1 << machine_ : 0);
    node->rx_minus_flit_i = from_smaller.bits;
    node->rx_plus_valid_i = static_cast<CData>(from_larger.valid ? 1 << machine_ : 0);
    node->rx_plus_flit_i = from_larger.bits;
  }
  unsigned weight(unsigned digit) const {
    unsigned w = 1;
    for (unsigned j = 0; j < digit; ++j) w *= base_;
    return w;
  }
  // Only the last node of a line of each lower digit has the sum of that line to send.
  bool ends_lines_below(unsigned v, unsigned digit) const {
    for (unsigned j = 0; j < digit; ++j) {
      if (v / weight(j) % base_ != base_ - 1) return false;
    }
    return true;
  }
  unsigned next(unsigned v, unsigned digit) const {
    REQUIRE(v / weight(digit) % base_ + 1 < base_);  // nothing is sent where no link is
    return v + weight(digit);
  }
  unsigned previous(unsigned v, unsigned digit) const {
    REQUIRE(v / weight(digit) % base_ > 0);
    return v - weight(digit);
  }
  unsigned address(unsigned number) const {
    unsigned result = 0;
    for (unsigned at = 0; number != 0; at += kDigitWidth, number /= base_) result |= number % base_ << at;
    return result;
  }
  unsigned count(unsigned number, unsigned remainder_base) const {
    return number % remainder_base | address(number / remainder_base) << kRemainderWidth;
  }

  unsigned base_, digits_, latency_;
  int machine_;
  std::vector<std::unique_ptr<Bench>> nodes_;
  std::deque<std::vector<Flit>> plus_, minus_;  // on the way, by the node they lead to
};

TEST_CASE("every node finds its rank and the number of active nodes", "[scan][scan_unit]") {
  const std::vector<std::pair<unsigned, unsigned>> shapes = {{2, 1}, {3, 1}, {4, 1}, {5, 1},
                                                             {6, 1}, {2, 2}, {3, 2}, {2, 3}};
  for (const auto& [base, digits] : shapes) {
    for (const bool with_latency : {false, true}) {
      Network network(base, digits, with_latency);
      const unsigned expected = 2 * digits * (base - 1) * (with_latency ? 3 : 1);
      for (unsigned active = 0; active < 1U << network.nodes(); ++active) {
        CAPTURE(base, digits, with_latency, active);
        // Without classes, and the class as rank modulo 2, 3, 4.
        const unsigned classes = 1 + active % 4;
        REQUIRE(network.check_scan(active, 1) == expected);
        if (classes > 1) REQUIRE(network.check_scan(active, classes) == expected);
      }
    }
  }
}

TEST_CASE("a flit of a scan that is lost or damaged is reported where it should have come",
          "[scan][scan_unit]") {
  const std::vector<std::pair<unsigned, unsigned>> shapes = {{2, 1}, {4, 1}, {3, 2}};
  for (const auto& [base, digits] : shapes) {
    for (const bool with_latency : {false, true}) {
      Network network(base, digits, with_latency);
      for (const unsigned active : {0U, 1U, 6U, (1U << network.nodes()) - 1}) {
        Network::Reports sound;
        network.run_scan(active & ((1U << network.nodes()) - 1), 1, {}, sound);
        REQUIRE(sound.flits > 0);
        for (unsigned number = 0; number < sound.flits; ++number) {
          for (int bit = -1; bit < kFlitWidth; ++bit) {
            CAPTURE(base, digits, with_latency, active, number, bit);
            const Network::Fault fault{number, bit < 0, bit < 0 ? 0 : std::uint64_t{1} << bit};
            Network::Reports reports;
            network.run_scan(active & ((1U << network.nodes()) - 1), 1, fault, reports);
            REQUIRE(reports.faults == 1);
            REQUIRE(reports.intact == sound.flits - 1);
          }
        }
      }
    }
  }
}

TEST_CASE("two wrong bits are reported if one is above the sum of a forward flit, where it should be 0",
          "[scan][scan_unit]") {
  for (const unsigned digits : {1U, 2U}) {
    Network network(3, digits, false);
    const unsigned count_width = (digits + 1) * kDigitWidth + kRemainderWidth;
    Network::Reports sound;
    network.run_scan(1, 1, {}, sound);
    for (unsigned number = 0; number < sound.flits / 2; ++number) {  // the forward ones come first
      for (unsigned other = 0; other < kFlitWidth; ++other) {
        for (const unsigned zero : {count_width, 2 * count_width - 1, 2 * count_width, kFlitWidth - 2U}) {
          if (other == zero) continue;
          CAPTURE(digits, number, other, zero);
          Network::Reports reports;
          network.run_scan(1, 1, {number, false, std::uint64_t{1} << other | std::uint64_t{1} << zero},
                           reports);
          REQUIRE(reports.faults == 1);
        }
      }
    }
  }
}

}  // namespace
}  // namespace safnet::testbench
