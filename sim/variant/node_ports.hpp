// node_ports - access to the ports that all kinds of nodes have, for one node of a verilated model. The model
// is one node, or a whole network, in which every port is an array with an element per node. Also what both
// kinds of model do with the hosts of their nodes.
//
// Compiled into a variant's shared object only. A port that a kind of node does not have is left out: its
// counters stay at 0, its wires at rest.
#pragma once

#include <verilated.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "sim/machine/node_batch.hpp"
#include "sim/variant/model_bits.hpp"

namespace safnet {

// Verilator makes the parameters that rtl/common/public.vlt names members of the module's class, so that
// widths are computed once, in the RTL.
using NodeModule = SAFNET_MODULE;
inline constexpr std::uint32_t kRadix = NodeModule::Radix;
/// Sets of ports are looked at 64 ports at a time; word `w` of them has that many.
inline constexpr std::uint32_t kPortWords = (kRadix + 63) / 64;
constexpr std::size_t ports_in(std::uint32_t word) {
  return std::min<std::size_t>(64, kRadix - std::size_t{word} * 64);
}
inline constexpr std::size_t kFlitWords = NodeModule::FlitWidth / 32;

/// NodeModule as a type that depends on `Model`: a template may then name parameters that only some kinds of
/// nodes have, as they are looked up only where the code is used.
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

  template <class Port>
  static bool bit(const Port& port, std::size_t at) {
    return get_bits(port, at, 1) != 0;
  }
  bool idle() const { return bit(model.idle_o, number); }

  void set_fault(const LinkFault& fault) const {
    set_bits(model.fault_drop_i, at_port(fault.port), 1, fault.drop);
    set_bits(model.fault_corrupt_i, at_port(fault.port), 1, fault.corrupt);
  }
  void clear_faults() const {
    for (std::uint32_t w = 0; w < kPortWords; ++w) {
      set_bits(model.fault_drop_i, at_port(w * 64), ports_in(w), 0);
      set_bits(model.fault_corrupt_i, at_port(w * 64), ports_in(w), 0);
    }
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
    if constexpr (requires { model.wait_credit_o; }) s.wait_credit = port_set(model.wait_credit_o);
    if constexpr (requires { model.wait_grant_o; }) s.wait_grant = port_set(model.wait_grant_o);
    return s;
  }

  /// The ports whose bit is set in a port of the model with a bit for each.
  template <class Port>
  PortSet port_set(const Port& port) const {
    PortSet ports = 0;
    for (std::uint32_t w = 0; w < kPortWords; ++w)
      ports |= PortSet{get_bits(port, at_port(w * 64), ports_in(w))} << (w * 64);
    return ports;
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

/// Reads or writes flit number `at` of a port that is an array of flits.
template <class Port>
void read_flit(const Port& port, std::size_t at, std::uint32_t* words) {
  for (std::size_t w = 0; w < kFlitWords; ++w) words[w] = get_word(port, at * kFlitWords + w);
}
template <class Port>
void write_flit(Port& port, std::size_t at, const std::uint32_t* words) {
  for (std::size_t w = 0; w < kFlitWords; ++w) set_word(port, at * kFlitWords + w, words[w]);
}

/// Drives the quasi-static inputs of a node or a network. Only while it is in reset.
template <class Model>
void apply(const NodeSettings& settings, Model& model) {
  const auto set = [](auto& port, std::uint32_t value) {
    port = static_cast<std::remove_reference_t<decltype(port)>>(value);
  };
  if constexpr (requires { model.slot_cycles_i; }) set(model.slot_cycles_i, settings.slot_cycles);
  if constexpr (requires { model.link_latency_i; }) set(model.link_latency_i, settings.link_latency);
  if constexpr (requires { model.port_model_i; }) set(model.port_model_i, settings.port_model);
  if constexpr (requires { model.grant_cycles_i; }) set(model.grant_cycles_i, settings.grant_cycles);
  if constexpr (requires { model.queue_depth_i; }) set(model.queue_depth_i, settings.queue_depth);
  if constexpr (requires { model.window_i; }) set(model.window_i, settings.window);
}

/// Lowers a node's clock after its rising edge. Nothing in a node happens at a falling edge, so that
/// Verilator need not evaluate it: it is enough that the next rising edge is seen as one. A waveform wants
/// both edges.
template <class Model>
void lower_clock(Model& model) {
  model.clk_i = 0;
  if constexpr (requires { model.rootp->__Vtrigrprev__TOP__clk_i; })
    model.rootp->__Vtrigrprev__TOP__clk_i = 0;
  else
    model.eval();
}

/// One whole clock cycle of a model.
template <class Model>
void tick(Model& model) {
  model.clk_i = 1;
  model.eval();
  lower_clock(model);
}

inline void check_assertions(const VerilatedContext& context) {
  if (context.gotError()) throw std::runtime_error("an assertion in the RTL failed; its message is above");
}

/// What a batch of nodes and a whole network (`Interface`) have in common: a host per node, from node `first`
/// on. See verilated_batch.hpp for what a host is.
template <class Interface, class Host>
class VerilatedHosts : public Interface {
 public:
  explicit VerilatedHosts(std::uint32_t first) : first_(first) {}
  void offer(std::uint32_t node, HostPacket packet) override {
    hosts_[node - first_].offer_later(std::move(packet));
    was_offered_ = true;
  }
  std::uint32_t packets_with_host(std::uint32_t node) const final { return hosts_[node - first_].packets(); }
  std::uint64_t unused_injection_ports(std::uint32_t node) const final {
    const Host& host = hosts_[node - first_];
    if constexpr (requires { host.unused_ports(); })
      return host.unused_ports();
    else
      return Interface::unused_injection_ports(node);
  }
  std::uint64_t progress() const final { return progress_; }
  void set_fault(const LinkFault& fault) final { ports(fault.node - first_).set_fault(fault); }
  NodeCounters counters(std::uint32_t node) const final {
    NodeCounters counters = ports(node - first_).counters();
    hosts_[node - first_].extend(ports(node - first_), counters);
    return counters;
  }
  NodeStatus status(std::uint32_t node) const final {
    NodeStatus status = ports(node - first_).status();
    hosts_[node - first_].extend(ports(node - first_), status);
    return status;
  }

 protected:
  using Ports = typename Host::Ports;
  /// The ports of node first_ + index.
  virtual Ports ports(std::size_t index) const = 0;

  template <class Tick>
  void load_host(std::uint32_t node, const NodeProgram& program, Tick tick_model) {
    hosts_[node - first_].load(ports(node - first_), std::get<typename Host::Program>(program), node,
                               tick_model);
  }
  /// Tells the observer of all flits that the node delivers to its host; returns their lanes, a bit for each
  /// of the first 64.
  static std::uint64_t tell_deliveries(Ports node, NetworkTime now, std::uint32_t id,
                                       MachineObserver* observer) {
    const std::size_t first_lane = node.number * Host::kLanes;
    std::uint64_t of_first_lanes = 0;
    for (std::uint32_t base = 0; base < Host::kLanes; base += 64) {
      const std::uint64_t delivered = get_bits(node.model.deliver_valid_o, first_lane + base,
                                               std::min<std::size_t>(64, Host::kLanes - base));
      if (base == 0) of_first_lanes = delivered;
      if (observer == nullptr) continue;
      for_each_bit(delivered, [&](std::uint32_t bit) {
        const std::uint32_t lane = base + bit;
        std::uint32_t words[kFlitWords];
        read_flit(node.model.deliver_flit_o, first_lane + lane, words);
        observer->on_delivered_flit({now, id, Host::lane(node, lane), words,
                                     Ports::bit(node.model.deliver_last_o, first_lane + lane)});
      });
    }
    return of_first_lanes;
  }

  std::uint32_t first_;
  std::vector<Host> hosts_;
  std::uint64_t progress_ = 0;
  bool was_offered_ = false;  ///< a host was offered a packet since the last cycle
};

}  // namespace safnet
