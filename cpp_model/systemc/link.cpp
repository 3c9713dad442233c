#include "cpp_model/systemc/link.hpp"

namespace safnet::reference {

Link::Link(const sc_core::sc_module_name& name, const Wires& from, Wires& to, int latency)
    : sc_module(name),
      clock("clock"),
      from_(from),
      to_(to),
      under_way_(static_cast<std::size_t>(latency - 1)) {
  SC_HAS_PROCESS(Link);
  SC_METHOD(on_edge);
  sensitive << clock.pos();
  dont_initialize();
}

void Link::on_edge() {
  under_way_.push_back({from_.flit.read(), from_.credit.read(), from_.request.read(), from_.grant.read()});
  const Values& oldest = under_way_.front();
  to_.flit.write(oldest.flit);
  to_.credit.write(oldest.credit);
  to_.request.write(oldest.request);
  to_.grant.write(oldest.grant);
  under_way_.pop_front();
}

}  // namespace safnet::reference
