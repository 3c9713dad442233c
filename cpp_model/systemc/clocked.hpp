// clocked - what the modules of the reference have in common: one process, at every rising edge of a clock.
#pragma once

#include <systemc>

namespace safnet::reference {

class Clocked : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clock;

 protected:
  explicit Clocked(const sc_core::sc_module_name& name) : sc_module(name), clock("clock") {
    SC_HAS_PROCESS(Clocked);
    SC_METHOD(on_edge);
    sensitive << clock.pos();
    dont_initialize();
  }

 private:
  virtual void on_edge() = 0;
};

}  // namespace safnet::reference
