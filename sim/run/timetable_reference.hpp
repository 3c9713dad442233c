// timetable_reference - the SystemC reference of a network of tdm_nodes as a machine, which replay.cpp checks
// and reports like the hardware.
#pragma once

#include "cpp_model/schedule/schedule.hpp"
#include "cpp_model/systemc/timetable_network.hpp"
#include "sim/machine/machine.hpp"
#include "sim/tdm/tdm_parameters.hpp"

namespace safnet {

/// A machine that is given a schedule, not the program that was compiled from it: it knows by itself what
/// each node has to do. The first clock() after the start does the whole run. In it the last flit of a
/// delivery stands for all, as in the order of deliveries.
class TimetableReference final : public Machine {
 public:
  /// `parameters`: those of the hardware, for the format of flits, the numbers of lanes and the window.
  /// `schedule` and `observer` must outlive the machine.
  TimetableReference(const Schedule& schedule, const TdmParameters& parameters, MachineObserver* observer);

  NetworkTime clock() override;
  bool finished() const override { return ran_ && !run_.stuck; }
  std::uint64_t progress() const override { return 0; }
  void start() override { started_ = true; }
  NodeCounters counters(std::uint32_t node) const override;
  NodeStatus status(std::uint32_t node) const override;
  std::vector<std::string> problems() const override { return run_.problems; }
  std::uint64_t evaluations() const override { return run_.node_cycles; }

  // The machine has its program already, and its run cannot be influenced: these do nothing.
  void reset() override {}
  void load(std::uint32_t, const NodeProgram&) override {}
  void offer(std::uint32_t, HostPacket) override {}
  void set_fault(const LinkFault&) override {}
  std::uint32_t packets_with_host(std::uint32_t) const override { return 0; }

 private:
  const Schedule& schedule_;
  TdmParameters parameters_;
  MachineObserver* observer_;
  TimetableRun run_;
  bool started_ = false, ran_ = false;
};

/// Hosts of the reference that give and are told packets in the format of tdm_nodes (tdm_format.hpp).
class TimetableHosts final : public ReferenceHosts {
 public:
  /// `graph` and `observer` must outlive this.
  TimetableHosts(const Graph& graph, Operation operation, const TdmParameters& parameters,
                 MachineObserver& observer)
      : graph_(graph), operation_(operation), parameters_(parameters), observer_(observer) {}
  ReferenceWords words_of(PacketIndex packet, std::uint32_t index) override;
  void on_link_flit(const ReferenceFlit& flit, const ReferenceWords& words) override;
  void on_packet(const ReferenceFlit& last, const std::vector<ReferenceWords>& words) override;

 private:
  ReferenceWords with_header(const ReferenceFlit& flit, ReferenceWords words) const;
  std::uint32_t lane_of(const ReferenceFlit& flit) const;

  const Graph& graph_;
  Operation operation_;
  TdmParameters parameters_;
  MachineObserver& observer_;
};

}  // namespace safnet
