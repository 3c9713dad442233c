// run_watch - ends a simulation when all is done, when nothing moves any more, or when time is up.
#pragma once

#include <systemc>

#include "cpp_model/systemc/run_log.hpp"

namespace safnet::reference {

class RunWatch : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clock;
  /// `patience`: cycles without any movement after which none will come.
  RunWatch(const sc_core::sc_module_name& name, const RunLog& log, std::uint64_t max_cycles,
           std::uint64_t max_transfers, std::uint64_t patience);

  bool stuck() const { return stuck_; }
  bool out_of_time() const { return out_of_time_; }
  bool too_many_transfers() const { return too_many_transfers_; }
  std::uint64_t cycles() const { return cycles_; }

 private:
  void on_edge();

  const RunLog& log_;
  std::uint64_t max_cycles_, max_transfers_, patience_;
  std::uint64_t cycles_ = 0, movements_seen_ = 0, quiet_ = 0;
  bool stuck_ = false, out_of_time_ = false, too_many_transfers_ = false;
};

}  // namespace safnet::reference
