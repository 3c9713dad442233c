#include "cpp_model/systemc/run_watch.hpp"

namespace safnet::reference {

RunWatch::RunWatch(const sc_core::sc_module_name& name, const RunLog& log, std::uint64_t max_cycles,
                   std::uint64_t max_transfers, std::uint64_t patience)
    : sc_module(name),
      clock("clock"),
      log_(log),
      max_cycles_(max_cycles),
      max_transfers_(max_transfers),
      patience_(patience) {
  SC_HAS_PROCESS(RunWatch);
  SC_METHOD(on_edge);
  sensitive << clock.pos();
  dont_initialize();
}

// Whether the nodes have already seen this edge does not matter: the run only ends a cycle later.
void RunWatch::on_edge() {
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

}  // namespace safnet::reference
