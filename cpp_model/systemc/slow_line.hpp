// slow_line - a link with a latency and a width of its own, as rtl/tdm/README.md describes it.
#pragma once

#include <cstdint>
#include <deque>
#include <utility>

#include "cpp_model/systemc/clocked.hpp"
#include "cpp_model/systemc/timetable_node.hpp"

namespace safnet::reference {

/// Takes a packet flit by flit, `cycles_per_flit` cycles for each, and hands it over at the node's rate, so
/// that its last flit has crossed the line when all of its flits have. (One without latency that takes a flit
/// a cycle is a plain wire.)
class SlowLine : public Clocked {
 public:
  sc_core::sc_in<TimetableFlit> in;
  sc_core::sc_out<TimetableFlit> out;
  SlowLine(const sc_core::sc_module_name& name, std::uint32_t latency, std::uint32_t cycles_per_flit)
      : Clocked(name), in("in"), out("out"), latency_(latency), cycles_per_flit_(cycles_per_flit) {}

 private:
  void on_edge() override {
    ++now_;
    const TimetableFlit& flit = in.read();
    if (flit.valid) {
      const std::uint64_t waits = latency_ + std::uint64_t{flit.flits} * (cycles_per_flit_ - 1);
      under_way_.emplace_back(now_ + waits - 1, flit);
    }
    if (under_way_.empty() || under_way_.front().first != now_) {
      out.write({});
      return;
    }
    out.write(under_way_.front().second);
    under_way_.pop_front();
  }
  std::uint32_t latency_, cycles_per_flit_;
  std::uint64_t now_ = 0;
  std::deque<std::pair<std::uint64_t, TimetableFlit>> under_way_;  // with the edge at which it comes out
};

}  // namespace safnet::reference
