// tdm_variant - the C++ side of one variant of linked_tdm_node: built into a shared object with the verilated
// model.
//
// Compiled by variant.cpp with the names of the verilated node and timer and the variant's parameters as
// macros.
#include <verilated.h>
#include <verilated_fst_c.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include SAFNET_NODE_HEADER
#include SAFNET_NODE_SYMBOLS_HEADER
#include SAFNET_TIMER_HEADER
#include "sim/machine/machine.hpp"
#include "sim/machine/model_bits.hpp"
#include "sim/machine/timer_model.hpp"
#include "sim/tdm/tdm_feeder.hpp"
#include "sim/tdm/tdm_ports.hpp"

namespace safnet {
namespace {

using Node = SAFNET_NODE_MODEL;

using Ports = TdmPorts<Node>;

class VerilatedTdmBatch final : public TdmBatch {
 public:
  explicit VerilatedTdmBatch(const BatchConfig& config)
      : context_(config.context),
        first_(config.first_node),
        skip_idle_(config.skip_idle),
        two_edges_(config.two_edges) {
    for (const std::string& name : config.node_names) {
      nodes_.push_back(std::make_unique<Node>(context_, name.c_str()));
    }
    resize(static_cast<std::uint32_t>(nodes_.size()));
  }
  ~VerilatedTdmBatch() override {
    for (auto& node : nodes_) node->final();
    for (auto& node : spare_) node->final();
    Verilated::threadContextp(context_);  // models unregister from the thread's current context
    nodes_.clear();
    spare_.clear();
  }

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
    hosts_.resize(nodes);
  }

  void reset() override {
    host_ = {};
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      Node& node = *nodes_[i];
      hosts_[i] = {};
      set_bits(node.rx_valid_i, 0, kRadix, 0);
      set_bits(node.rx_credit_i, 0, kRadix, 0);
      Ports{node}.clear_inputs();
      node.operation_i = 0;
      node.slot_open_next_i = 0;
      node.cycle_i = 0;
      node.step_i = 0;
      node.rst_ni = 0;
      tick(node);
      tick(node);
      node.rst_ni = 1;
      tick(node);
    }
    active_ = progress_ = evaluations_ = 0;
    check_assertions();
  }

  void load_program(std::uint32_t index, const TdmNodeProgram* program) override {
    hosts_[index].feeder.load(program, kRadix);
    hosts_[index].more = hosts_[index].feeder.has_more();
  }
  void configure(const TdmHost& host) override { host_ = host; }

  void gather(const FabricWires& wires, const SlotSignals& signals) override {
    progress_ = 0;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const std::size_t ports = (first_ + i) * kRadix;
      NodeOutputs in;
      for (std::uint32_t p = 0; p < kRadix; ++p) {
        const Wire from = wires.feeders[ports + p];
        if (from.node != Wire::kNowhere) in.valid |= ((wires.outputs[from.node].valid >> from.port) & 1) << p;
        const Wire to = wires.targets[ports + p];
        if (to.node != Wire::kNowhere) in.credit |= ((wires.outputs[to.node].credit >> to.port) & 1) << p;
      }
      Host& host = hosts_[i];
      if (skip_idle_ && !host.awake && !in.any() && !host.more) {
        host.evaluated = false;
        continue;
      }
      host.evaluated = true;
      Node& node = *nodes_[i];
      set_bits(node.rx_valid_i, 0, kRadix, in.valid);
      set_bits(node.rx_credit_i, 0, kRadix, in.credit);
      for (std::uint64_t rest = in.valid; rest != 0; rest &= rest - 1) {
        const auto p = static_cast<std::uint32_t>(__builtin_ctzll(rest));
        const Wire source = wires.feeders[ports + p];
        const std::uint32_t* words = &wires.flits[(source.node * kRadix + source.port) * kWords];
        for (std::size_t w = 0; w < kWords; ++w) set_word(node.rx_flit_i, p * kWords + w, words[w]);
      }
      node.operation_i = static_cast<CData>(host_.operation);
      node.cycle_i = signals.now.cycle;
      node.step_i = signals.now.step;
      node.slot_open_next_i = signals.slot_open_next;
      if (host.offered || host.more) {
        Ports access{node};
        host.offered = host.feeder.offer(access, signals.now, host_, static_cast<int>(kNameWidth)) != 0;
        host.more = host.feeder.has_more();
        if (host.offered) ++progress_;
      }
    }
  }

  void clock(FabricWires& wires, const SlotSignals& signals, MachineObserver* observer) override {
    active_ = 0;
    context_->timeInc(1);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      Host& host = hosts_[i];
      if (!host.evaluated) continue;
      const auto id = static_cast<std::uint32_t>(first_ + i);
      Node& node = *nodes_[i];
      // What the node drives in this cycle was published at the end of the last one: tell it before the edge.
      NodeOutputs& out = wires.outputs[id];
      if ((out.valid | out.credit) != 0) ++progress_;
      if (observer) {
        for (std::uint64_t rest = out.valid; rest != 0; rest &= rest - 1) {
          const auto p = static_cast<std::uint32_t>(__builtin_ctzll(rest));
          observer->on_link_flit(signals.now, id, p, &wires.flits[(id * kRadix + p) * kWords]);
        }
      }
      host.late.note(Ports{node}, signals.now);
      node.clk_i = 1;
      node.eval();
      if (!two_edges_) {
        node.clk_i = 0;
        node.eval();
      }
      ++evaluations_;
      out.valid = get_bits(node.tx_valid_o, 0, kRadix);
      out.credit = get_bits(node.tx_credit_o, 0, kRadix);
      for (std::uint64_t rest = out.valid; rest != 0; rest &= rest - 1) {
        const auto p = static_cast<std::uint32_t>(__builtin_ctzll(rest));
        for (std::size_t w = 0; w < kWords; ++w)
          wires.flits[(id * kRadix + p) * kWords + w] = get_word(node.tx_flit_o, p * kWords + w);
      }
      const std::uint64_t delivered = get_bits(node.deliver_valid_o, 0, kLanes);
      for (std::uint64_t rest = delivered; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::uint32_t>(__builtin_ctzll(rest));
        std::uint32_t words[kWords];
        for (std::size_t w = 0; w < kWords; ++w) words[w] = get_word(node.deliver_flit_o, lane * kWords + w);
        if (observer) {
          observer->on_delivered_flit(signals.now, id, lane, words,
                                      get_bits(node.deliver_last_o, lane, 1) != 0);
        }
      }
      host.awake = !node.idle_o;
      if (host.awake || host.more) ++active_;
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
  NodeCounters counters(std::uint32_t index) const override { return ports(index).counters(); }
  TdmCounters tdm_counters(std::uint32_t index) const override { return ports(index).tdm_counters(); }
  TdmStatus tdm_status(std::uint32_t index) const override { return ports(index).status(); }
  const std::vector<LateSend>& late_sends(std::uint32_t index) const override {
    return hosts_[index].late.first;
  }
  std::uint64_t late_count(std::uint32_t index) const override { return hosts_[index].late.count; }

  void trace(std::uint32_t index, VerilatedFstC* file) override { nodes_[index]->trace(file, 99); }

 private:
  struct Host {
    TdmFeeder feeder;
    LateLog late;
    bool more = false;       // the feeder has something left
    bool offered = true;     // and has offered something in the last cycle
    bool evaluated = false;  // in this cycle
    bool awake = true;       // not idle after the last evaluation
  };

  Ports ports(std::uint32_t index) const { return {*nodes_[index]}; }
  static void tick(Node& node) {
    node.clk_i = 1;
    node.eval();
    node.clk_i = 0;
    node.eval();
  }
  void check_assertions() {
    if (context_->gotError())
      throw std::runtime_error("an assertion in the RTL failed; its message is above");
  }

  VerilatedContext* context_;
  std::vector<std::unique_ptr<Node>> nodes_, spare_;
  std::vector<Host> hosts_;
  TdmHost host_;
  std::uint32_t first_;
  bool skip_idle_, two_edges_;
  std::uint64_t active_ = 0, progress_ = 0, evaluations_ = 0;
};

}  // namespace
}  // namespace safnet

extern "C" safnet::NodeBatch* safnet_make_batch(const safnet::BatchConfig* config) {
  return new safnet::VerilatedTdmBatch(*config);
}
// All memories of a model are members of its symbol table.
extern "C" std::size_t safnet_node_bytes() { return sizeof(SAFNET_NODE_MODEL) + sizeof(SAFNET_NODE_SYMBOLS); }
extern "C" safnet::TimerModel* safnet_make_timer(VerilatedContext* context) {
  return new safnet::VerilatedTimer<SAFNET_TIMER_MODEL>(context);
}
