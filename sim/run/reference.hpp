// reference - the SystemC reference as a machine, which run.cpp checks and reports like the hardware.
#pragma once

#include <string>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/schedule/policy.hpp"
#include "cpp_model/schedule/problem.hpp"
#include "cpp_model/systemc/reference_network.hpp"
#include "sim/machine/machine.hpp"
#include "sim/pifo/host_start.hpp"
#include "sim/pifo/pifo_parameters.hpp"
#include "sim/run/hardware_options.hpp"

namespace safnet {

struct RunRequest;

/// The reference's parameters for a set of RTL parameters, and for what is in the queues at the start.
ReferenceParameters reference_parameters(const PifoParameters& parameters,
                                         HostStart hosts = HostStart::kFull);

/// What a node of the reference waits for, as the hardware says it.
NodeStatus status_of(const ReferenceWait& wait);

/// Throws std::invalid_argument if `wanted`: `what`, an option, is for the RTL alone.
void refuse_for_reference(bool wanted, const std::string& what);

/// Throws std::invalid_argument, naming the option, if no reference can do what is asked: waveforms, threads,
/// faults, a network elaborated in SystemVerilog.
void check_reference_options(const HardwareOptions& options);

/// The same for what the reference of pifo_nodes cannot do; it makes at most `max_transfers` transfers (all
/// are kept in memory).
void check_reference_request(const RunRequest& request, std::uint64_t max_transfers);

/// A machine that is given a policy when it is made. The first clock() does the whole run and then tells its
/// trace to the observer, in the packet format of the hardware's hosts.
class ReferenceMachine final : public Machine {
 public:
  /// `observer` must outlive the machine. A run of more than `max_transfers` is stopped.
  ReferenceMachine(const Graph& graph, Policy policy, const PifoParameters& parameters, HostStart hosts,
                   MachineObserver* observer, std::uint64_t max_transfers);

  NetworkTime clock() override;
  bool finished() const override { return ran_ && !run_.stuck; }
  std::uint64_t progress() const override { return 0; }
  NodeCounters counters(std::uint32_t node) const override;
  NodeStatus status(std::uint32_t node) const override { return status_of(run_.waits[node]); }
  std::vector<std::string> problems() const override { return run_.problems; }
  std::uint64_t evaluations() const override { return run_.node_cycles; }

  // The machine has its program already, and its run cannot be influenced: these do nothing.
  void reset() override {}
  void load(std::uint32_t, const NodeProgram&) override {}
  void offer(std::uint32_t, HostPacket) override {}
  void start() override {}
  void set_fault(const LinkFault&) override {}
  std::uint32_t packets_with_host(std::uint32_t) const override { return 0; }

 private:
  void tell(const Trace& trace);

  Graph graph_;
  Policy policy_;
  PifoParameters parameters_;
  HostStart hosts_;
  MachineObserver* observer_;
  std::uint64_t max_transfers_;
  ReferenceRun run_;
  bool ran_ = false;
};

}  // namespace safnet
