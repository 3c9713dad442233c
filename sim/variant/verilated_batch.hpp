// verilated_batch - the nodes of a fabric that one thread evaluates: their models, wires, clock, the skipping
// of idle nodes, and the observer; the same for every kind of node.
//
// What is particular to a kind of node is its Host, one object per node:
//   using Model, Program;                   the verilated module; its alternative of NodeProgram
//   static constexpr std::uint32_t kLanes;  lanes through which flits are delivered to the host
//   static constexpr bool kRunsBeforeStart  the node moves something before the start, as programs stream in
//   using Ports;                            NodePorts<Model, ...> or derived from it
//   void reset(Ports)                       forgets everything; drives the host's inputs to rest
//   void load(Ports, const Program&, id, tick)  tells the node its program; tick() clocks it once
//   void offer_later(HostPacket), packets() queues a packet while the network runs; how many are queued
//   bool wants(SlotSignals) const           the node must be evaluated although nothing arrives
//   bool has_more() const                   the host has something that it has not given to the node yet
//   bool offer(Ports, SlotSignals, id)      drives the host's inputs for a cycle; true if that is progress
//                                           which the links do not show
//   void before_edge(Ports, NetworkTime)    reads the node's outputs of the cycle
//   bool after_edge(Ports, now, id, lanes)  true if the node must be evaluated in the next cycle, too
//   static lane(Ports, lane)                FlitEvent::port for a delivery lane
//   extend(Ports, NodeCounters&), extend(Ports, NodeStatus&)  add what only this kind of node counts
#pragma once

#include <verilated.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/variant/node_ports.hpp"
#include "sim/variant/wave_code.hpp"

namespace safnet {

template <class Host>
class VerilatedBatch final : public VerilatedHosts<NodeBatch, Host> {
  using Base = VerilatedHosts<NodeBatch, Host>;
  using Node = typename Host::Model;
  using Base::first_, Base::hosts_, Base::progress_;
  static constexpr bool kHasCredits = requires(Node & node) { node.rx_credit_i; };
  static constexpr bool kHasGrants = requires(Node & node) { node.rx_grant_i; };

 public:
  explicit VerilatedBatch(const BatchConfig& config)
      : Base(config.first_node),
        context_(config.context),
        skip_idle_(config.skip_idle),
        two_edges_(config.two_edges) {
    for (const std::string& name : config.node_names)
      nodes_.push_back(std::make_unique<Node>(context_, name.c_str()));
    resize(static_cast<std::uint32_t>(nodes_.size()));
  }
  ~VerilatedBatch() override {
    for (auto& node : nodes_) node->final();
    for (auto& node : spare_) node->final();
    Verilated::threadContextp(context_);  // models unregister from the thread's current context
    nodes_.clear();
    spare_.clear();
  }

  // Spare models are a stack, so that place i always has the same model and with it the same host, which
  // knows what the model's memories hold.
  void resize(std::uint32_t nodes) override {
    Verilated::threadContextp(context_);
    while (nodes_.size() > nodes) {
      spare_.push_back(std::move(nodes_.back()));
      nodes_.pop_back();
    }
    while (nodes_.size() < nodes) {
      if (spare_.empty()) {
        const std::string name = "node_" + std::to_string(nodes_.size());
        spare_.push_back(std::make_unique<Node>(context_, name.c_str()));
      }
      nodes_.push_back(std::move(spare_.back()));
      spare_.pop_back();
    }
    if (hosts_.size() < nodes) hosts_.resize(nodes);
    if (states_.size() < nodes) states_.resize(nodes);
  }

  void set(const NodeSettings& settings) override { settings_ = settings; }

  void reset() override {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      Node& node = *nodes_[i];
      states_[i] = {};
      apply(settings_, node);
      drive(node, {}, {});
      ports(i).clear_faults();
      hosts_[i].reset(ports(i));
      node.rst_ni = 0;
      tick(node);
      tick(node);
      node.rst_ni = 1;
      tick(node);
    }
    active_ = progress_ = evaluations_ = 0;
    check_assertions(*context_);
  }

  void load(std::uint32_t node, const NodeProgram& program) override {
    const std::size_t index = node - first_;
    this->load_host(node, program, [&model = *nodes_[index]] { tick(model); });
    states_[index].awake = !ports(index).idle() || Host::kRunsBeforeStart;
    check_assertions(*context_);
  }

  void gather(const FabricWires& wires, const SlotSignals& signals) override {
    progress_ = 0;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const std::size_t at = (first_ + i) * kRadix;
      NodeOutputs in;
      for (std::uint32_t p = 0; p < kRadix; ++p) {
        const Wire from = wires.feeders[at + p];
        if (from.node != Wire::kNowhere) {
          const NodeOutputs& out = wires.outputs[from.node];
          in.valid |= ((out.valid >> from.port) & 1) << p;
          if constexpr (kHasGrants) in.request |= ((out.request >> from.port) & 1) << p;
        }
        if constexpr (kHasCredits) {
          const Wire to = wires.targets[at + p];
          if (to.node != Wire::kNowhere) {
            const NodeOutputs& out = wires.outputs[to.node];
            in.credit |= ((out.credit >> to.port) & 1) << p;
            if constexpr (kHasGrants) in.grant |= ((out.grant >> to.port) & 1) << p;
          }
        }
      }
      State& state = states_[i];
      Host& host = hosts_[i];
      state.evaluated = !skip_idle_ || state.awake || in.any() || host.wants(signals);
      if (!state.evaluated) continue;
      Node& node = *nodes_[i];
      drive(node, in, signals);
      for_each_bit(in.valid, [&](std::uint32_t p) {
        const Wire source = wires.feeders[at + p];
        write_flit(node.rx_flit_i, p, &wires.flits[(source.node * kRadix + source.port) * kFlitWords]);
      });
      if (host.offer(ports(i), signals, static_cast<std::uint32_t>(first_ + i))) ++progress_;
    }
  }

  void clock(FabricWires& wires, const SlotSignals& signals, MachineObserver* observer) override {
    active_ = 0;
    context_->timeInc(1);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      State& state = states_[i];
      if (!state.evaluated) continue;
      const auto id = static_cast<std::uint32_t>(first_ + i);
      Node& node = *nodes_[i];
      Host& host = hosts_[i];
      // The wires hold what the node drives in this cycle: the observer is told before the edge changes them.
      NodeOutputs& out = wires.outputs[id];
      if ((out.valid | out.credit | out.grant) != 0) ++progress_;
      if (observer != nullptr) {
        for_each_bit(out.valid, [&](std::uint32_t p) {
          observer->on_link_flit({signals.now, id, p, &wires.flits[(id * kRadix + p) * kFlitWords]});
        });
      }
      host.before_edge(ports(i), signals.now);
      node.clk_i = 1;
      node.eval();
      if (!two_edges_) lower_clock(node);
      ++evaluations_;
      publish(node, id, wires);
      const std::uint64_t delivered = Base::tell_deliveries(ports(i), signals.now, id, observer);
      state.awake = host.after_edge(ports(i), signals.now, id, delivered);
      if (state.awake || host.has_more()) ++active_;
    }
    check_assertions(*context_);
  }

  void falling_edge() override {
    for (auto& node : nodes_) {
      node->clk_i = 0;
      node->eval();
    }
  }

  std::uint64_t active_nodes() const override { return active_; }
  std::uint64_t evaluations() const override { return evaluations_; }
  void trace(std::uint32_t node, VerilatedFstC* file) override { add_to_wave(*nodes_[node - first_], file); }

 private:
  struct State {
    bool evaluated = false;  // in this cycle
    bool awake = true;       // may change although nothing arrives
  };

  typename Base::Ports ports(std::size_t i) const override { return {{*nodes_[i]}}; }

  static void drive(Node& node, const NodeOutputs& in, const SlotSignals& signals) {
    set_bits(node.rx_valid_i, 0, kRadix, in.valid);
    if constexpr (kHasCredits) set_bits(node.rx_credit_i, 0, kRadix, in.credit);
    if constexpr (kHasGrants) {
      set_bits(node.rx_request_i, 0, kRadix, in.request);
      set_bits(node.rx_grant_i, 0, kRadix, in.grant);
    }
    node.cycle_i = signals.now.cycle;
    if constexpr (requires { node.step_i; }) node.step_i = signals.now.step;
    node.slot_open_next_i = signals.slot_open_next;
  }

  static void publish(const Node& node, std::size_t id, FabricWires& wires) {
    NodeOutputs& out = wires.outputs[id];
    out.valid = get_bits(node.tx_valid_o, 0, kRadix);
    if constexpr (kHasCredits) out.credit = get_bits(node.tx_credit_o, 0, kRadix);
    if constexpr (kHasGrants) {
      out.request = get_bits(node.tx_request_o, 0, kRadix);
      out.grant = get_bits(node.tx_grant_o, 0, kRadix);
    }
    for_each_bit(out.valid, [&](std::uint32_t p) {
      read_flit(node.tx_flit_o, p, &wires.flits[(id * kRadix + p) * kFlitWords]);
    });
  }

  VerilatedContext* context_;
  // Hosts and states are per model: those of nodes_, then those of spare_ from its end.
  std::vector<std::unique_ptr<Node>> nodes_, spare_;
  std::vector<State> states_;
  NodeSettings settings_;
  bool skip_idle_, two_edges_;
  std::uint64_t active_ = 0, evaluations_ = 0;
};

}  // namespace safnet
