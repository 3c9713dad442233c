// link - one direction of an edge: everything that one node drives towards a neighbour, some cycles later.
#pragma once

#include <deque>
#include <systemc>

#include "cpp_model/systemc/flit.hpp"

namespace safnet::reference {

/// Hands on what it hears `latency` >= 1 cycles later. (A link without latency is a plain wire.)
class Link : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clock;
  sc_core::sc_in<Drive> in;
  sc_core::sc_out<Drive> out;
  Link(const sc_core::sc_module_name& name, int latency);

 private:
  void on_edge();
  std::deque<Drive> under_way_;
};

}  // namespace safnet::reference
