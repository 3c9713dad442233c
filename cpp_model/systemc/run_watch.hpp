// run_watch - ends a simulation when all is done, when nothing moves any more, or when time is up.
#pragma once

#include "cpp_model/systemc/clocked.hpp"
#include "cpp_model/systemc/run_log.hpp"

namespace safnet::reference {

class RunWatch : public Clocked {
 public:
  /// `patience`: cycles without any movement after which none will come.
  RunWatch(const sc_core::sc_module_name& name, const RunLog& log, std::uint64_t max_cycles,
           std::uint64_t max_transfers, std::uint64_t patience)
      : Clocked(name),
        log_(log),
        max_cycles_(max_cycles),
        max_transfers_(max_transfers),
        patience_(patience) {}

  bool stuck() const { return stuck_; }
  bool out_of_time() const { return out_of_time_; }
  bool too_many_transfers() const { return too_many_transfers_; }
  std::uint64_t cycles() const { return cycles_; }

 private:
  // Whether this is called before or after the nodes at an edge changes the run's end by a cycle at most.
  void on_edge() override {
    ++cycles_;
    quiet_ = log_.movements == movements_seen_ ? quiet_ + 1 : 0;
    movements_seen_ = log_.movements;
    const bool done = log_.outstanding == 0;
    stuck_ = !done && quiet_ > patience_;
    out_of_time_ = !done && !stuck_ && cycles_ >= max_cycles_;
    too_many_transfers_ = !done && log_.trace.transfers.size() > max_transfers_;
    if (done || stuck_ || out_of_time_ || too_many_transfers_)
      sc_core::sc_pause();  // unlike sc_stop it prints nothing
  }

  const RunLog& log_;
  std::uint64_t max_cycles_, max_transfers_, patience_;
  std::uint64_t cycles_ = 0, movements_seen_ = 0, quiet_ = 0;
  bool stuck_ = false, out_of_time_ = false, too_many_transfers_ = false;
};

}  // namespace safnet::reference
