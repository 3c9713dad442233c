// link - what one node drives towards a neighbour, some cycles later.
#pragma once

#include <deque>

#include "cpp_model/systemc/clocked.hpp"

namespace safnet::reference {

/// Its output is its input `latency` >= 1 cycles later. (A link without latency is a plain wire.)
template <class Value>
class Link : public Clocked {
 public:
  sc_core::sc_in<Value> in;
  sc_core::sc_out<Value> out;
  Link(const sc_core::sc_module_name& name, int latency)
      : Clocked(name), in("in"), out("out"), under_way_(static_cast<std::size_t>(latency - 1)) {}

 private:
  void on_edge() override {
    if (is_in_reset()) {
      under_way_.assign(under_way_.size(), {});
      return out.write({});
    }
    under_way_.push_back(in.read());
    out.write(under_way_.front());
    under_way_.pop_front();
  }
  std::deque<Value> under_way_;
};

}  // namespace safnet::reference
