#include "cpp_model/systemc/simulation_context.hpp"

// SystemC's library brings a main() of its own that calls this. It is never used but has to exist.
extern "C" int sc_main(int, char**) { return 0; }

namespace safnet::reference {
namespace {

std::mutex one_at_a_time;

void set_context(sc_core::sc_simcontext* context) {
  sc_core::sc_curr_simcontext = context;
  sc_core::sc_default_global_context = context;
}

}  // namespace

SimulationContext::SimulationContext()
    : lock_(one_at_a_time), context_(std::make_unique<sc_core::sc_simcontext>()) {
  set_context(context_.get());
}

SimulationContext::~SimulationContext() {
  context_.reset();
  set_context(nullptr);
}

}  // namespace safnet::reference
