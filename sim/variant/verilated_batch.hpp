// verilated_batch - the nodes of a fabric that one thread evaluates: their models, wires, clock, the skipping
// of idle nodes, and the observer; the same for every kind of node.
//
// What is particular to a kind of node is its Host, one object per node:
//   using Model, Program;                   the verilated module; its alternative of NodeProgram
//   static constexpr std::uint32_t kLanes;  ways by which flits are delivered to the host
//   using Ports;                            NodePorts<Model, ...> or derived from it
//   void reset(Ports)                       forgets everything; drives the host's inputs to rest
//   void load(Ports, const Program&, id, tick)  tells the node its program; tick() clocks it once
//   void offer_later(HostPacket), packets() a packet while the network runs, and how many are left
//   bool wants(SlotSignals) const           must be evaluated although nothing arrives
//   bool has_more() const                   has something that the node was not given yet
//   bool offer(Ports, SlotSignals, id)      drives the host's inputs for a cycle; true if that is progress
//                                           which the links do not show
//   void before_edge(Ports, NetworkTime)    looks at what the node says in the cycle
//   bool after_edge(Ports, now, id, lanes)  true if the node must be evaluated in the next cycle, too
//   static lane(Ports, lane)                how the observer knows a delivery lane
//   extend(Ports, NodeCounters&), extend(Ports, NodeStatus&)
#pragma once

#include <verilated.h>
#include <verilated_fst_c.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sim/variant/node_ports.hpp"

namespace safnet {

template <class Host>
class VerilatedBatch final : public NodeBatch {
  using Node = typename Host::Model;
  using Ports = typename Host::Ports;
  static constexpr bool kHasCredits = requires(Node & node) { node.rx_credit_i; };
  static constexpr bool kHasGrants = requires(Node & node) { node.rx_grant_i; };

 public:
  explicit VerilatedBatch(const BatchConfig& config)
      : context_(config.context),
        first_(config.first_node),
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

  // Spare models are taken back in the order in which they were put away, so that place i always has the same
  // model and the same host, which knows what the model's memories hold.
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

  void reset() override {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      Node& node = *nodes_[i];
      states_[i] = {};
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
    check_assertions();
  }

  void load(std::uint32_t index, const NodeProgram& program) override {
    Node& node = *nodes_[index];
    hosts_[index].load(ports(index), std::get<typename Host::Program>(program), first_ + index,
                       [&node] { tick(node); });
    states_[index].awake = !ports(index).idle() || Host::kRunsBeforeStart;
    check_assertions();
  }
  void offer(std::uint32_t index, HostPacket packet) override {
    hosts_[index].offer_later(std::move(packet));
  }
  std::uint32_t packets_with_host(std::uint32_t index) const override { return hosts_[index].packets(); }

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
        const std::uint32_t* words = &wires.flits[(source.node * kRadix + source.port) * kFlitWords];
        for (std::size_t w = 0; w < kFlitWords; ++w) set_word(node.rx_flit_i, p * kFlitWords + w, words[w]);
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
      // What the node drives in this cycle was published at the end of the last one: tell it before the edge.
      NodeOutputs& out = wires.outputs[id];
      if ((out.valid | out.credit | out.grant) != 0) ++progress_;
      if (observer != nullptr) {
        for_each_bit(out.valid, [&](std::uint32_t p) {
          observer->on_link_flit(signals.now, id, p, &wires.flits[(id * kRadix + p) * kFlitWords]);
        });
      }
      host.before_edge(ports(i), signals.now);
      node.clk_i = 1;
      node.eval();
      if (!two_edges_) {
        node.clk_i = 0;
        node.eval();
      }
      ++evaluations_;
      publish(node, id, wires);
      const std::uint64_t delivered = get_bits(node.deliver_valid_o, 0, Host::kLanes);
      if (observer != nullptr) {
        for_each_bit(delivered, [&](std::uint32_t lane) {
          std::uint32_t words[kFlitWords];
          for (std::size_t w = 0; w < kFlitWords; ++w)
            words[w] = get_word(node.deliver_flit_o, lane * kFlitWords + w);
          observer->on_delivered_flit(signals.now, id, Host::lane(ports(i), lane), words,
                                      get_bits(node.deliver_last_o, lane, 1) != 0);
        });
      }
      state.awake = host.after_edge(ports(i), signals.now, id, delivered);
      if (state.awake || host.has_more()) ++active_;
    }
    check_assertions();
  }

  void falling_edge() override {
    for (auto& node : nodes_) {
      node->clk_i = 0;
      node->eval();
    }
  }

  std::uint64_t active_nodes() const override { return active_; }
  std::uint64_t progress() const override { return progress_; }
  std::uint64_t evaluations() const override { return evaluations_; }
  void set_fault(std::uint32_t index, const LinkFault& fault) override { ports(index).set_fault(fault); }
  NodeCounters counters(std::uint32_t index) const override {
    NodeCounters counters = ports(index).counters();
    hosts_[index].extend(ports(index), counters);
    return counters;
  }
  NodeStatus status(std::uint32_t index) const override {
    NodeStatus status = ports(index).status();
    hosts_[index].extend(ports(index), status);
    return status;
  }
  void trace(std::uint32_t index, VerilatedFstC* file) override { nodes_[index]->trace(file, 99); }

 private:
  struct State {
    bool evaluated = false;  // in this cycle
    bool awake = true;       // may change although nothing arrives
  };

  Ports ports(std::size_t i) const { return Ports{{*nodes_[i]}}; }

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
      for (std::size_t w = 0; w < kFlitWords; ++w)
        wires.flits[(id * kRadix + p) * kFlitWords + w] = get_word(node.tx_flit_o, p * kFlitWords + w);
    });
  }

  void check_assertions() const {
    if (context_->gotError())
      throw std::runtime_error("an assertion in the RTL failed; its message is above");
  }

  VerilatedContext* context_;
  std::vector<std::unique_ptr<Node>> nodes_, spare_;
  std::vector<Host> hosts_;  // per model: those of nodes_, then those of spare_ from its end
  std::vector<State> states_;
  std::uint32_t first_;
  bool skip_idle_, two_edges_;
  std::uint64_t active_ = 0, progress_ = 0, evaluations_ = 0;
};

}  // namespace safnet
