// clocked - what the modules of the reference have in common: one process, at every rising edge of a clock.
#pragma once

#include <systemc>

namespace safnet::reference {

class Clocked : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clock;

  /// While true, an edge puts the module into the state in which it was made, and it drives nothing.
  void hold_in_reset(bool held) { in_reset_ = held; }

 protected:
  bool is_in_reset() const { return in_reset_; }
  explicit Clocked(const sc_core::sc_module_name& name) : sc_module(name), clock("clock") {
    SC_HAS_PROCESS(Clocked);
    SC_METHOD(on_edge);
    sensitive << clock.pos();
    dont_initialize();
  }

 private:
  virtual void on_edge() = 0;
  bool in_reset_ = false;
};

}  // namespace safnet::reference
