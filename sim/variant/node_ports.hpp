// node_ports - the ports that all kinds of nodes have, of one node within a verilated model: a model of one
// node, or one of the nodes of a whole network, whose ports are the same ones side by side.
//
// Compiled into a variant's shared object only. A port that a kind of node does not have is left out: its
// counters stay at 0, its wires at rest.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/machine/node_batch.hpp"
#include "sim/variant/model_bits.hpp"

namespace safnet {

// Verilator makes the parameters that rtl/common/public.vlt names members of the module's class, so that
// widths are computed once, in the RTL.
using NodeModule = SAFNET_MODULE;
inline constexpr std::uint32_t kRadix = NodeModule::Radix;
inline constexpr std::size_t kFlitWords = NodeModule::FlitWidth / 32;

/// The same, for code that some kinds of nodes have no use for: within a template, what depends on `Model` is
/// looked up only where it is used.
template <class Model>
struct ModuleOf {
  using Type = NodeModule;
};

/// `OccupancyWidth`: bits of the node's occupancy counters.
template <class Model, std::size_t OccupancyWidth>
struct NodePorts {
  Model& model;
  std::size_t number = 0;  ///< of the node within the model

  std::size_t at_port(std::size_t port) const { return number * kRadix + port; }

  bool idle() const { return get_bits(model.idle_o, number, 1) != 0; }

  void set_fault(const LinkFault& fault) const {
    set_bits(model.fault_drop_i, at_port(fault.port), 1, fault.drop);
    set_bits(model.fault_corrupt_i, at_port(fault.port), 1, fault.corrupt);
  }
  void clear_faults() const {
    set_bits(model.fault_drop_i, at_port(0), kRadix, 0);
    set_bits(model.fault_corrupt_i, at_port(0), kRadix, 0);
  }

  NodeCounters counters() const {
    NodeCounters c;
    for (std::uint32_t p = 0; p < kRadix; ++p) {
      c.sent.push_back(get_word(model.sent_o, at_port(p)));
      if constexpr (requires { model.received_o; })
        c.received.push_back(get_word(model.received_o, at_port(p)));
      if constexpr (requires { model.peak_stored_o; }) {
        c.peak_stored.push_back(occupancy(model.peak_stored_o, at_port(p)));
        c.peak_waiting.push_back(occupancy(model.peak_waiting_o, at_port(p)));
      }
    }
    c.delivered = get_word(model.delivered_o, number);
    c.last_delivery_cycle = get_word(model.last_delivery_cycle_o, number);
    if constexpr (requires { model.last_delivery_step_o; }) {
      c.last_delivery_step = get_word(model.last_delivery_step_o, number);
      c.delay_sum = get_bits(model.delay_sum_o, number * 64, 64);
    }
    if constexpr (requires { model.peak_occupancy_o; })
      c.peak_occupancy = occupancy(model.peak_occupancy_o, number);
    if constexpr (requires { model.peak_transit_o; })
      c.peak_transit = occupancy(model.peak_transit_o, number);
    if constexpr (requires { model.violations_o; }) {
      c.violations = get_word(model.violations_o, number);
      c.first_violation_cycle = get_word(model.first_violation_cycle_o, number);
    }
    if constexpr (requires { model.dry_o; }) {
      c.dry = get_word(model.dry_o, number);
      c.first_dry_cycle = get_word(model.first_dry_cycle_o, number);
      c.mismatches = get_word(model.mismatches_o, number);
      c.first_mismatch_cycle = get_word(model.first_mismatch_cycle_o, number);
    }
    return c;
  }

  NodeStatus status() const {
    NodeStatus s;
    s.idle = idle();
    if constexpr (requires { model.occupancy_o; }) s.occupancy = occupancy(model.occupancy_o, number);
    if constexpr (requires { model.wait_credit_o; })
      s.wait_credit = get_bits(model.wait_credit_o, at_port(0), kRadix);
    if constexpr (requires { model.wait_grant_o; })
      s.wait_grant = get_bits(model.wait_grant_o, at_port(0), kRadix);
    return s;
  }

 private:
  template <class Port>
  static std::uint32_t occupancy(const Port& port, std::size_t at) {
    return static_cast<std::uint32_t>(get_bits(port, at * OccupancyWidth, OccupancyWidth));
  }
};

/// Calls `visit(place)` for every bit of `bits` that is set, the lowest first.
template <class Visit>
void for_each_bit(std::uint64_t bits, Visit visit) {
  for (; bits != 0; bits &= bits - 1) visit(static_cast<std::uint32_t>(__builtin_ctzll(bits)));
}

/// One whole clock cycle of a model.
template <class Model>
void tick(Model& model) {
  model.clk_i = 1;
  model.eval();
  model.clk_i = 0;
  model.eval();
}

}  // namespace safnet
