#include "cpp_model/systemc/reference_network.hpp"

#include <systemc>
#include <utility>

#include "cpp_model/schedule/trace.hpp"
#include "cpp_model/systemc/router_modules.hpp"
#include "cpp_model/systemc/run_log.hpp"
#include "cpp_model/systemc/run_watch.hpp"
#include "cpp_model/systemc/simulation_context.hpp"

namespace safnet {

using reference::RouterModules;
using reference::RunLog;
using reference::RunWatch;

ReferenceRun run_reference(const Graph& graph, const Policy& policy, const ReferenceParameters& parameters,
                           std::uint64_t max_cycles, std::uint64_t max_transfers) {
  const reference::SimulationContext context;

  RunLog log;
  const sc_core::sc_clock clock("clock", sc_core::sc_time(1, sc_core::SC_NS));
  const RouterModules modules(graph, policy, parameters, clock, log);
  // Every wait that ends at all ends within a slot, a packet's length and a few crossings of a link.
  const auto patience = static_cast<std::uint64_t>(
      4 * (parameters.slot_cycles + parameters.flits + 2 * parameters.link_latency + 4));
  RunWatch watch("watch", log, max_cycles, max_transfers, patience);
  watch.clock(clock);
  sc_core::sc_start();

  ReferenceRun run;
  run.stuck = watch.stuck();
  if (watch.out_of_time()) log.complain("the run had not ended after {} cycles", max_cycles);
  if (watch.too_many_transfers())
    log.complain("stopped: more than {} transfers were made, and packets were on their way still",
                 max_transfers);
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    run.counters.push_back(modules.node(v).counters());
    run.waits.push_back(modules.node(v).wait());
    run.last_labels.push_back(modules.node(v).last_labels());
  }
  sort_by_time(log.trace);
  run.trace = std::move(log.trace);
  run.problems = std::move(log.problems);
  run.node_cycles = watch.cycles() * graph.node_count();
  return run;
}

}  // namespace safnet
