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
//   std::uint64_t unused_ports() const      injection ports with nothing queued; optional: all, if packets()
//   is 0 bool wants(SlotSignals) const           the node must be evaluated although nothing arrives static
//   constexpr bool kIsPolled         optional, true: wants() may change with the cycle, and hosts of
//                                           different nodes have something in common. Otherwise wants() says
//                                           the same until the host is loaded, offered to, or evaluated
//   bool has_more() const                   the host has something that it has not given to the node yet
//   void prefetch() const                   optional: fetches into the cache what offer() will need
//   bool offer(Ports, SlotSignals, id)      drives the host's inputs for a cycle; true if that is progress
//                                           which the links do not show
//   void before_edge(Ports, NetworkTime)    reads the node's outputs of the cycle
//   bool after_edge(Ports, now, id, lanes)  true if the node must be evaluated in the next cycle, too
//   static lane(Ports, lane)                FlitEvent::port for a delivery lane
//   extend(Ports, NodeCounters&), extend(Ports, NodeStatus&)  add what only this kind of node counts
#pragma once

#include <verilated.h>

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/variant/model_memory.hpp"
#include "sim/variant/node_ports.hpp"
#include "sim/variant/wave_code.hpp"

namespace safnet {

template <class Host>
class VerilatedBatch final : public VerilatedHosts<NodeBatch, Host> {
  using Base = VerilatedHosts<NodeBatch, Host>;
  using Node = SAFNET_MODEL;
  using Root = typename Host::Model;
  using Base::first_, Base::hosts_, Base::progress_, Base::was_offered_;
  static constexpr bool kHasCredits = requires(Root & root) { root.rx_credit_i; };
  static constexpr bool kHasGrants = requires(Root & root) { root.rx_grant_i; };
  static constexpr std::size_t kHostsAhead = 2;
  static constexpr bool kIsPolled = requires { requires Host::kIsPolled; };

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
    roots_.clear();
    for (const auto& node : nodes_) roots_.push_back(node->rootp);
    awake_ = evaluated_ = held_ = NodeSet(first_, nodes);
    awake_.fill();
    held_.fill();
  }

  void set(const NodeSettings& settings) override { settings_ = settings; }

  void reset() override {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      Root& root = *roots_[i];
      apply(settings_, root);
      drive(root, {}, {});
      ports(i).clear_faults();
      hosts_[i].reset(ports(i));
      root.rst_ni = 0;
      tick(i);
      tick(i);
      root.rst_ni = 1;
      tick(i);
    }
    awake_.fill();
    held_.fill();
    evaluated_.clear();
    active_ = progress_ = evaluations_ = 0;
    was_offered_ = false;
    check_assertions(*context_);
  }

  void load(std::uint32_t node, const NodeProgram& program) override {
    const std::size_t index = node - first_;
    this->load_host(node, program, [this, index] { tick(index); });
    const bool starts = !ports(index).idle() || Host::kRunsBeforeStart;
    awake_.put(node, starts || hosts_[index].wants({}));
    check_assertions(*context_);
  }
  void offer(std::uint32_t node, HostPacket packet) override {
    Base::offer(node, std::move(packet));
    if (hosts_[node - first_].wants({})) awake_.put(node, true);
  }

  void cycle(FabricWires& wires, const SlotSignals& signals, MachineObserver* observer) override {
    if constexpr (kIsPolled) throw std::logic_error("the hosts of all nodes are asked before any is clocked");
    progress_ = 0;
    begin_edges(wires);
    // While a node is evaluated, the state of the next one is on its way into the cache.
    constexpr std::uint32_t kNone = Wire::kNowhere;
    std::uint32_t sampled = kNone;
    for (std::size_t word = 0; word < awake_.words(); ++word) {
      std::uint64_t evaluated = 0;
      const std::uint64_t first = awake_.first_of(word);
      for_each_bit(candidates(wires, word), [&](std::uint32_t bit) {
        const auto id = static_cast<std::uint32_t>(first + bit);
        prefetch_host(id - first_ + kHostsAhead);
        if (!sample(id, wires, signals)) return;
        evaluated |= std::uint64_t{1} << bit;
        ModelPrefetch::fetch(*roots_[id - first_]->vlSymsp);
        if (sampled != kNone) clock_node(sampled, wires, signals, observer);
        sampled = id;
      });
      evaluated_.word(word) = evaluated;
    }
    if (sampled != kNone) clock_node(sampled, wires, signals, observer);
    for (std::size_t word = 0; word < awake_.words(); ++word) hold_outputs(wires, word);
    check_assertions(*context_);
  }

  void gather(const FabricWires& wires, const SlotSignals& signals) override {
    progress_ = 0;
    for (std::size_t word = 0; word < awake_.words(); ++word) {
      std::uint64_t sampled = 0;
      const std::uint64_t first = awake_.first_of(word);
      for_each_bit(candidates(wires, word), [&](std::uint32_t bit) {
        if (sample(static_cast<std::uint32_t>(first + bit), wires, signals))
          sampled |= std::uint64_t{1} << bit;
      });
      evaluated_.word(word) = sampled;
    }
  }

  void clock(FabricWires& wires, const SlotSignals& signals, MachineObserver* observer) override {
    begin_edges(wires);
    for (std::size_t word = 0; word < awake_.words(); ++word) {
      const std::uint64_t first = awake_.first_of(word);
      for_each_bit(evaluated_.word(word), [&](std::uint32_t bit) {
        clock_node(static_cast<std::uint32_t>(first + bit), wires, signals, observer);
      });
      hold_outputs(wires, word);
    }
    check_assertions(*context_);
  }
  bool needs_two_phases() const override { return kIsPolled; }

  void falling_edge() override {
    for (auto& node : nodes_) {
      node->clk_i = 0;
      node->eval();
    }
  }

  std::uint64_t active_nodes() const override { return active_ + (was_offered_ ? 1 : 0); }
  std::uint64_t evaluations() const override { return evaluations_; }
  void trace(std::uint32_t node, VerilatedFstC* file) override { add_to_wave(*nodes_[node - first_], file); }

 private:
  typename Base::Ports ports(std::size_t i) const override { return {{*roots_[i]}}; }

  // A rising edge of a node's clock. Nothing in a node happens at a falling edge, so that Verilator need not
  // evaluate it: it is enough that the next rising edge is seen as one. A waveform wants both edges, and
  // Verilator to know that there was one.
  void raise_clock(std::size_t i) {
    Root& root = *roots_[i];
    root.clk_i = 1;
    if (two_edges_) return nodes_[i]->eval();
    SAFNET_EVALUATE(&root);
    root.clk_i = 0;
    root.__Vtrigrprev__TOP__clk_i = 0;
  }
  // One whole clock cycle of a node outside of the network's cycles; the first makes it ready.
  void tick(std::size_t i) {
    Root& root = *roots_[i];
    root.clk_i = 1;
    nodes_[i]->eval();
    root.clk_i = 0;
    root.__Vtrigrprev__TOP__clk_i = 0;
  }

  void begin_edges(FabricWires& wires) {
    active_ = 0;
    was_offered_ = false;
    context_->timeInc(1);
    wakes_ = wires.next.wakes[wires.part_of(first_)].data();
    std::fill_n(wakes_, wires.next.wakes[0].size(), 0);
  }

  // Nodes that may have to be evaluated: none other can change.
  std::uint64_t candidates(const FabricWires& wires, std::size_t word) const {
    if (!skip_idle_ || kIsPolled) return awake_.all(word);
    std::uint64_t nodes = awake_.word(word);
    for (const auto& woken : wires.now.wakes) nodes |= woken[awake_.first_of(word) / 64];
    return nodes & awake_.all(word);
  }

  // What the host of a node will offer in a while.
  void prefetch_host(std::size_t i) const {
    if constexpr (requires(const Host& host) { host.prefetch(); }) {
      if (i < nodes_.size()) hosts_[i].prefetch();
    }
  }

  using Inputs = std::array<NodeOutputs, kPortWords>;  // what the far ends of a node's ports drive
  static const NodeOutputs& outputs_of(const WireValues& values, Wire wire) {
    return values.outputs[kPortWords == 1 ? wire.node : wire.node * kPortWords + wire.port / 64];
  }

  // Drives into a node what its neighbours and its host offer. False: it need not be evaluated.
  bool sample(std::uint32_t id, const FabricWires& wires, const SlotSignals& signals) {
    const std::size_t i = id - first_, at = std::size_t{id} * kRadix;
    Inputs in;
    bool any = false;
    for (std::uint32_t p = 0; p < kRadix; ++p) {
      NodeOutputs& here = in[p / 64];
      const Wire from = wires.feeders[at + p];
      if (from.node != Wire::kNowhere) {
        const NodeOutputs& out = outputs_of(wires.now, from);
        here.valid |= ((out.valid >> from.port % 64) & 1) << p % 64;
        if constexpr (kHasGrants) here.request |= ((out.request >> from.port % 64) & 1) << p % 64;
      }
      if constexpr (kHasCredits) {
        const Wire to = wires.targets[at + p];
        if (to.node != Wire::kNowhere) {
          const NodeOutputs& out = outputs_of(wires.now, to);
          here.credit |= ((out.credit >> to.port % 64) & 1) << p % 64;
          if constexpr (kHasGrants) here.grant |= ((out.grant >> to.port % 64) & 1) << p % 64;
        }
      }
    }
    for (const NodeOutputs& word : in) any = any || word.any();
    Host& host = hosts_[i];
    if (skip_idle_ && !awake_.has(id) && !any && !host.wants(signals)) return false;
    Root& root = *roots_[i];
    drive(root, in, signals);
    for (std::uint32_t w = 0; w < kPortWords; ++w) {
      for_each_bit(in[w].valid, [&](std::uint32_t bit) {
        const std::uint32_t p = w * 64 + bit;
        const Wire source = wires.feeders[at + p];
        const std::uint32_t* words = &wires.now.flits[(source.node * kRadix + source.port) * kFlitWords];
        prefetch_label(root, words);
        write_flit(root.rx_flit_i, p, words);
      });
    }
    if (host.offer(ports(i), signals, id)) ++progress_;
    return true;
  }

  void clock_node(std::uint32_t id, FabricWires& wires, const SlotSignals& signals,
                  MachineObserver* observer) {
    const std::size_t i = id - first_;
    Host& host = hosts_[i];
    // The wires hold what the node drives in this cycle: the observer is told before the edge changes them.
    bool moves = false;
    for (std::uint32_t w = 0; w < kPortWords; ++w) {
      const NodeOutputs& out = wires.now.outputs[id * kPortWords + w];
      moves = moves || (out.valid | out.credit | out.grant) != 0;
      if (observer == nullptr) continue;
      for_each_bit(out.valid, [&](std::uint32_t bit) {
        const std::uint32_t p = w * 64 + bit;
        observer->on_link_flit({signals.now, id, p, &wires.now.flits[(id * kRadix + p) * kFlitWords]});
      });
    }
    if (moves) ++progress_;
    host.before_edge(ports(i), signals.now);
    raise_clock(i);
    ++evaluations_;
    publish(*roots_[i], id, wires);
    const std::uint64_t delivered = Base::tell_deliveries(ports(i), signals.now, id, observer);
    const bool awake = host.after_edge(ports(i), signals.now, id, delivered);
    if (awake || host.has_more()) ++active_;
    awake_.put(id, awake || (!kIsPolled && host.wants(signals)));
  }

  static void drive(Root& root, const Inputs& in, const SlotSignals& signals) {
    for (std::uint32_t w = 0; w < kPortWords; ++w) {
      set_bits(root.rx_valid_i, w * 64, ports_in(w), in[w].valid);
      if constexpr (kHasCredits) set_bits(root.rx_credit_i, w * 64, ports_in(w), in[w].credit);
      if constexpr (kHasGrants) {
        set_bits(root.rx_request_i, w * 64, ports_in(w), in[w].request);
        set_bits(root.rx_grant_i, w * 64, ports_in(w), in[w].grant);
      }
    }
    root.cycle_i = signals.now.cycle;
    if constexpr (requires { root.step_i; }) root.step_i = signals.now.step;
    root.slot_open_next_i = signals.slot_open_next;
  }

  void publish(const Root& root, std::size_t id, FabricWires& wires) {
    for (std::uint32_t w = 0; w < kPortWords; ++w) {
      NodeOutputs out;
      out.valid = get_bits(root.tx_valid_o, w * 64, ports_in(w));
      if constexpr (kHasCredits) out.credit = get_bits(root.tx_credit_o, w * 64, ports_in(w));
      if constexpr (kHasGrants) {
        out.request = get_bits(root.tx_request_o, w * 64, ports_in(w));
        out.grant = get_bits(root.tx_grant_o, w * 64, ports_in(w));
      }
      for_each_bit(out.valid, [&](std::uint32_t bit) {
        const std::uint32_t p = w * 64 + bit;
        read_flit(root.tx_flit_o, p, &wires.next.flits[(id * kRadix + p) * kFlitWords]);
      });
      wires.next.outputs[id * kPortWords + w] = out;
      wake_neighbours(wires, id, w, out);
    }
  }

  // Those to whom a node drives anything are candidates in the next cycle.
  void wake_neighbours(const FabricWires& wires, std::size_t id, std::uint32_t word, const NodeOutputs& out) {
    const std::size_t first = id * kRadix + word * 64;
    const auto wake = [this](Wire wire) {
      if (wire.node != Wire::kNowhere) wakes_[wire.node / 64] |= std::uint64_t{1} << wire.node % 64;
    };
    for_each_bit(out.valid | out.request, [&](std::uint32_t p) { wake(wires.targets[first + p]); });
    for_each_bit(out.credit | out.grant, [&](std::uint32_t p) { wake(wires.feeders[first + p]); });
  }

  // A node that is not evaluated goes on driving what it drove: it is copied once, as the wires of two cycles
  // take turns, and in every cycle if it is seen by neighbours.
  void hold_outputs(FabricWires& wires, std::size_t word) {
    const std::uint64_t evaluated = evaluated_.word(word);
    std::uint64_t held = evaluated;
    for_each_bit(held_.word(word) & ~evaluated, [&](std::uint32_t bit) {
      const std::size_t id = awake_.first_of(word) + bit;
      bool any = false;
      for (std::uint32_t w = 0; w < kPortWords; ++w) {
        const NodeOutputs& out = wires.next.outputs[id * kPortWords + w] =
            wires.now.outputs[id * kPortWords + w];
        if (!out.any()) continue;
        any = true;
        wake_neighbours(wires, id, w, out);
      }
      if (!any) return;
      held |= std::uint64_t{1} << bit;
      const std::size_t at = id * kRadix * kFlitWords;
      std::copy_n(&wires.now.flits[at], kRadix * kFlitWords, &wires.next.flits[at]);
    });
    held_.word(word) = held;
  }

  VerilatedContext* context_;
  // Hosts are per model: those of nodes_, then those of spare_ from its end.
  std::vector<std::unique_ptr<Node>> nodes_, spare_;
  std::vector<Root*> roots_;        // of nodes_: their ports, which are reached in a step less
  NodeSet awake_;                   // may change although nothing arrives
  NodeSet evaluated_;               // in this cycle
  NodeSet held_;                    // the other cycle's wires may differ from what the node drives
  std::uint64_t* wakes_ = nullptr;  // neighbours that this batch wakes for the next cycle
  NodeSettings settings_;
  bool skip_idle_, two_edges_;
  std::uint64_t active_ = 0, evaluations_ = 0;
};

}  // namespace safnet
