// simulation_context - what lets many SystemC simulations follow each other in one process.
#pragma once

#include <memory>
#include <mutex>
#include <systemc>
#include <vector>

namespace safnet::reference {

/// A context for one simulation. SystemC elaborates once per context and keeps the current one in two global
/// pointers, so each run has a context of its own, and a second one waits until the first is gone.
class SimulationContext {
 public:
  SimulationContext();
  ~SimulationContext();
  SimulationContext(const SimulationContext&) = delete;
  SimulationContext& operator=(const SimulationContext&) = delete;

 private:
  std::unique_lock<std::mutex> lock_;
  std::unique_ptr<sc_core::sc_simcontext> context_;
};

/// SystemC searches a list of all its objects for each one that is destroyed: in large networks that takes
/// longer than the run. The youngest first was measured to be the quickest order.
template <class Module>
void destroy_youngest_first(std::vector<std::unique_ptr<Module>>& modules) {
  while (!modules.empty()) modules.pop_back();
}

}  // namespace safnet::reference
