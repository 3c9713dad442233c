#include "cpp_model/systemc/link.hpp"

namespace safnet::reference {

Link::Link(const sc_core::sc_module_name& name, int latency)
    : sc_module(name),
      clock("clock"),
      in("in"),
      out("out"),
      under_way_(static_cast<std::size_t>(latency - 1)) {
  SC_HAS_PROCESS(Link);
  SC_METHOD(on_edge);
  sensitive << clock.pos();
  dont_initialize();
}

void Link::on_edge() {
  under_way_.push_back(in.read());
  out.write(under_way_.front());
  under_way_.pop_front();
}

}  // namespace safnet::reference
