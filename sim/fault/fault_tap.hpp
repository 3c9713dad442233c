// fault_tap - a fault on the wires of a fabric: stands between the nodes, and changes what one link carries
// or what becomes of one node.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "sim/fabric/fabric.hpp"
#include "sim/fault/fault.hpp"

namespace safnet {

/// Thrown out of a run that has gone on for longer than it was allowed to.
class EndlessRun : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class FaultTap final : public WireTap {
 public:
  /// `delay`: cycles that a slow link takes longer. `most_cycles`: of the fabric, those before the start
  /// included; then the run ends by EndlessRun.
  FaultTap(const Graph& graph, const Fault& fault, const FlitFields& fields, std::uint32_t delay,
           std::uint64_t most_cycles);

  void before_sampling(NetworkTime now, FabricWires& wires) override;
  void after_sampling(FabricWires& wires) override;
  std::uint32_t clocked_node() const override;
  NodeClock clock_of_node() const override;
  std::uint64_t kept_back() const override;

  /// The cycle in which the fault first changed anything; nothing if it did not.
  std::optional<std::uint32_t> struck() const { return struck_; }
  NetworkTime now() const { return now_; }
  std::uint64_t cycles() const { return cycles_; }

 private:
  // What a link carries in a cycle.
  struct Crossing {
    bool valid = false, request = false, credit = false, grant = false;
    std::vector<std::uint32_t> flit = {};
    bool any() const { return valid || request || credit || grant; }
    friend bool operator==(const Crossing&, const Crossing&) = default;
  };
  bool is_active() const { return now_.cycle >= fault_.from; }
  void strike();
  Crossing seen_on(const FabricWires& wires) const;
  void put(FabricWires& wires, const Crossing& given);
  Crossing changed(const Crossing& seen);
  void change_flits(const Crossing& seen, Crossing& given);
  void repeat(const Crossing& seen, Crossing& given, std::uint32_t place);
  void corrupt(Crossing& given, std::uint32_t place);
  void isolate(FabricWires& wires);
  void keep(FabricWires& wires, std::size_t word);

  const Graph& graph_;
  Fault fault_;
  FlitFields fields_;
  std::uint32_t delay_;
  std::uint64_t most_cycles_, cycles_ = 0;
  Endpoint target_;  // of a link
  NetworkTime now_;
  std::optional<std::uint32_t> struck_;
  bool done_ = false;                                         // of a fault that strikes once
  std::uint64_t flits_seen_ = 0;                              // since fields_.first_cycle
  std::deque<Crossing> late_;                                 // of a slow link: the last `delay_` cycles
  std::deque<std::vector<std::uint32_t>> backlog_;            // of a link that repeats: flits that wait
  std::vector<std::vector<std::uint32_t>> repeated_;          // flits of the packet that is to cross again
  std::vector<std::pair<std::size_t, NodeOutputs>> as_sent_;  // outputs that were changed in this cycle
  std::vector<std::pair<std::size_t, std::uint32_t>> words_sent_;
};

}  // namespace safnet
