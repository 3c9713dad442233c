// link - one direction of an edge: everything that one node drives towards a neighbour, some cycles later.
#pragma once

#include <deque>
#include <systemc>

#include "cpp_model/systemc/flit.hpp"

namespace safnet::reference {

/// The wires from one node to one neighbour. Receivers sample them at the clock's edge: that two equal flits
/// in a row are no change of a signal's value makes no difference.
struct Wires {
  sc_core::sc_signal<Flit> flit;
  sc_core::sc_signal<bool> credit;   ///< a place is free for what the neighbour sends this way
  sc_core::sc_signal<bool> request;  ///< may I send you a packet?
  sc_core::sc_signal<bool> grant;    ///< you may
};

/// Copies `from` to `to` with a delay of `latency` >= 1 cycles. (A link without latency is a plain wire.)
class Link : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clock;
  Link(const sc_core::sc_module_name& name, const Wires& from, Wires& to, int latency);

 private:
  struct Values {
    Flit flit;
    bool credit = false, request = false, grant = false;
  };
  void on_edge();

  const Wires& from_;
  Wires& to_;
  std::deque<Values> under_way_;
};

}  // namespace safnet::reference
