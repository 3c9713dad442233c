// pifo_variant - the C++ side of one variant of linked_pifo_node: built into a shared object with the
// verilated model.
//
// Compiled by variant.cpp with the names of the verilated node and timer and the variant's parameters as
// macros.
#include <verilated.h>
#include <verilated_fst_c.h>

#include <memory>
#include <stdexcept>

#include SAFNET_NODE_HEADER
#include SAFNET_NODE_SYMBOLS_HEADER
#include SAFNET_TIMER_HEADER
#include "sim/machine/machine.hpp"
#include "sim/machine/model_bits.hpp"
#include "sim/machine/timer_model.hpp"

namespace safnet {
namespace {

using Node = SAFNET_NODE_MODEL;

constexpr std::uint32_t kRadix = SAFNET_NODE_CLASS::Radix;
constexpr std::size_t kWords = SAFNET_NODE_CLASS::FlitWidth / 32;
constexpr std::size_t kPortWidth = SAFNET_NODE_CLASS::PortWidth;  // of a port number in a service order
constexpr std::size_t kOccupancyWidth = SAFNET_NODE_CLASS::OccupancyWidth;

class VerilatedBatch final : public PifoBatch {
 public:
  explicit VerilatedBatch(const BatchConfig& config)
      : context_(config.context),
        first_(config.first_node),
        skip_idle_(config.skip_idle),
        two_edges_(config.two_edges) {
    for (const std::string& name : config.node_names) {
      nodes_.push_back(std::make_unique<Node>(context_, name.c_str()));
    }
    resize(static_cast<std::uint32_t>(nodes_.size()));
  }
  ~VerilatedBatch() override {
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
    evaluated_.resize(nodes);
    awake_.resize(nodes);
    if (tables_.size() < nodes) tables_.resize(nodes);  // a node that is kept keeps its table
  }

  void reset() override {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      Node& node = *nodes_[i];
      hosts_[i] = {};
      evaluated_[i] = 0;
      awake_[i] = 1;
      Table& table = tables_[i];  // what is still stale, if nothing has run since, stays so
      if (table.written.size() < table.stale.size()) table.written.resize(table.stale.size());
      for (std::size_t label = 0; label < table.stale.size(); ++label)
        table.written[label] = table.written[label] || table.stale[label];
      table.stale = std::move(table.written);
      table.written.clear();
      set_bits(node.rx_valid_i, 0, kRadix, 0);
      set_bits(node.rx_credit_i, 0, kRadix, 0);
      set_bits(node.rx_request_i, 0, kRadix, 0);
      set_bits(node.rx_grant_i, 0, kRadix, 0);
      set_bits(node.fault_drop_i, 0, kRadix, 0);
      set_bits(node.fault_corrupt_i, 0, kRadix, 0);
      node.inject_valid_i = 0;
      node.table_valid_i = 0;
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

  void write_table(std::uint32_t index, std::uint32_t label, const HardwareTableEntry& entry) override {
    Node& node = *nodes_[index];
    std::vector<bool>& written = tables_[index].written;
    if (written.size() <= label) written.resize(label + 1);
    written[label] = true;
    node.table_valid_i = 1;
    set_bits(node.table_label_i, 0, 32, label);
    set_bits(node.table_mask_i, 0, kRadix, entry.mask);
    node.table_deliver_i = entry.deliver;
    set_bits(node.table_rank_i, 0, 16, entry.rank);
    for (std::size_t k = 0; k < entry.order.size(); ++k) {
      set_bits(node.table_order_i, k * kPortWidth, kPortWidth, entry.order[k]);
    }
    node.table_rest_i = entry.rest_rank.has_value();
    set_bits(node.table_rest_rank_i, 0, 16, entry.rest_rank.value_or(0));
    tick(node);
    node.table_valid_i = 0;
  }

  void set_branches(std::uint32_t index, std::uint64_t first_ports) override {
    set_bits(nodes_[index]->branch_first_i, 0, kRadix, first_ports);
  }

  void add_host_packets(std::uint32_t index, std::vector<HostPacket> packets) override {
    Host& host = hosts_[index];
    for (HostPacket& packet : packets) host.packets.push_back(std::move(packet));
  }

  void fill_queues() override {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      forget_stale_labels(static_cast<std::uint32_t>(i));
      Node& node = *nodes_[i];
      tick(node);
      while (offer_host_flit(i)) tick(node);
      tick(node);
      awake_[i] = !node.idle_o;
    }
    check_assertions();
  }

  void gather(const FabricWires& wires, const SlotSignals& signals) override {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const std::size_t ports = (first_ + i) * kRadix;
      NodeOutputs in;
      for (std::uint32_t p = 0; p < kRadix; ++p) {
        const Wire from = wires.feeders[ports + p];
        if (from.node != Wire::kNowhere) {
          const NodeOutputs& out = wires.outputs[from.node];
          in.valid |= ((out.valid >> from.port) & 1) << p;
          in.request |= ((out.request >> from.port) & 1) << p;
        }
        const Wire to = wires.targets[ports + p];
        if (to.node != Wire::kNowhere) {
          const NodeOutputs& out = wires.outputs[to.node];
          in.credit |= ((out.credit >> to.port) & 1) << p;
          in.grant |= ((out.grant >> to.port) & 1) << p;
        }
      }
      const bool offers = hosts_[i].next < hosts_[i].packets.size();
      if (skip_idle_ && !awake_[i] && !in.any() && !offers) {
        evaluated_[i] = 0;
        continue;
      }
      evaluated_[i] = 1;
      Node& node = *nodes_[i];
      set_bits(node.rx_valid_i, 0, kRadix, in.valid);
      set_bits(node.rx_credit_i, 0, kRadix, in.credit);
      set_bits(node.rx_request_i, 0, kRadix, in.request);
      set_bits(node.rx_grant_i, 0, kRadix, in.grant);
      for (std::uint64_t rest = in.valid; rest != 0; rest &= rest - 1) {
        const auto p = static_cast<std::uint32_t>(__builtin_ctzll(rest));
        const Wire source = wires.feeders[ports + p];
        const std::uint32_t* words = &wires.flits[(source.node * kRadix + source.port) * kWords];
        for (std::size_t w = 0; w < kWords; ++w) node.rx_flit_i[p * kWords + w] = words[w];
      }
      node.cycle_i = signals.now.cycle;
      node.step_i = signals.now.step;
      node.slot_open_next_i = signals.slot_open_next;
      offer_host_flit(i);
    }
  }

  void clock(FabricWires& wires, const SlotSignals& signals, MachineObserver* observer) override {
    progress_ = 0;
    active_ = 0;
    context_->timeInc(1);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (!evaluated_[i]) continue;
      const auto id = static_cast<std::uint32_t>(first_ + i);
      Node& node = *nodes_[i];
      // What the node drives in this cycle was published at the end of the last one: tell it before the edge.
      NodeOutputs& out = wires.outputs[id];
      if ((out.valid | out.credit | out.grant) != 0) ++progress_;
      if (observer) {
        for (std::uint64_t rest = out.valid; rest != 0; rest &= rest - 1) {
          const auto p = static_cast<std::uint32_t>(__builtin_ctzll(rest));
          observer->on_link_flit(signals.now, id, p, &wires.flits[(id * kRadix + p) * kWords]);
        }
      }
      node.clk_i = 1;
      node.eval();
      if (!two_edges_) {
        node.clk_i = 0;
        node.eval();
      }
      ++evaluations_;
      publish(i, wires);
      const std::uint64_t delivered = get_bits(node.deliver_valid_o, 0, kRadix);
      for (std::uint64_t rest = delivered; rest != 0; rest &= rest - 1) {
        const auto p = static_cast<std::uint32_t>(__builtin_ctzll(rest));
        std::uint32_t words[kWords];
        for (std::size_t w = 0; w < kWords; ++w) words[w] = node.deliver_flit_o[p * kWords + w];
        if (observer) {
          observer->on_delivered_flit(signals.now, id, p, words, get_bits(node.deliver_last_o, p, 1) != 0);
        }
      }
      awake_[i] = !node.idle_o;
      if (awake_[i] || hosts_[i].next < hosts_[i].packets.size()) ++active_;
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

  void set_fault(std::uint32_t index, const LinkFault& fault) override {
    set_bits(nodes_[index]->fault_drop_i, fault.port, 1, fault.drop);
    set_bits(nodes_[index]->fault_corrupt_i, fault.port, 1, fault.corrupt);
  }

  NodeCounters counters(std::uint32_t index) const override {
    const Node& node = *nodes_[index];
    NodeCounters result;
    for (std::uint32_t p = 0; p < kRadix; ++p) {
      result.sent.push_back(get_word(node.sent_o, p));
      result.received.push_back(get_word(node.received_o, p));
      const auto peak = [p](const auto& peaks) {
        return static_cast<std::uint32_t>(get_bits(peaks, p * kOccupancyWidth, kOccupancyWidth));
      };
      result.peak_stored.push_back(peak(node.peak_stored_o));
      result.peak_waiting.push_back(peak(node.peak_waiting_o));
    }
    result.delivered = node.delivered_o;
    result.last_delivery_cycle = node.last_delivery_cycle_o;
    result.last_delivery_step = node.last_delivery_step_o;
    result.delay_sum = node.delay_sum_o;
    result.peak_occupancy = static_cast<std::uint32_t>(get_bits(node.peak_occupancy_o, 0, kOccupancyWidth));
    result.peak_transit = static_cast<std::uint32_t>(get_bits(node.peak_transit_o, 0, kOccupancyWidth));
    result.violations = node.violations_o;
    result.first_violation_cycle = node.first_violation_cycle_o;
    return result;
  }

  NodeStatus status(std::uint32_t index) const override {
    const Node& node = *nodes_[index];
    return {node.idle_o != 0, static_cast<std::uint32_t>(get_bits(node.occupancy_o, 0, kOccupancyWidth)),
            get_bits(node.wait_credit_o, 0, kRadix), get_bits(node.wait_grant_o, 0, kRadix)};
  }

  std::uint32_t packets_with_host(std::uint32_t index) const override {
    return static_cast<std::uint32_t>(hosts_[index].packets.size() - hosts_[index].next);
  }

  void trace(std::uint32_t index, VerilatedFstC* file) override { nodes_[index]->trace(file, 99); }

 private:
  struct Host {
    std::vector<HostPacket> packets;
    std::size_t next = 0;       // packet being injected
    std::size_t next_word = 0;  // and where it stands
  };

  // The RTL's label table has no reset: entries of an earlier use of the node are cleared one by one, except
  // those that have been written again.
  void forget_stale_labels(std::uint32_t index) {
    const std::vector<bool> stale = std::move(tables_[index].stale);
    tables_[index].stale.clear();
    const std::vector<bool> written = tables_[index].written;
    for (std::uint32_t label = 0; label < stale.size(); ++label) {
      const bool again = label < written.size() && written[label];
      if (stale[label] && !again) write_table(index, label, {});
    }
    tables_[index].written = written;
  }

  static void tick(Node& node) {
    node.clk_i = 1;
    node.eval();
    node.clk_i = 0;
    node.eval();
  }

  // Puts the next flit of the host on the injection port if the node is ready for it.
  bool offer_host_flit(std::size_t i) {
    Host& host = hosts_[i];
    Node& node = *nodes_[i];
    node.inject_valid_i = 0;
    if (host.next >= host.packets.size() || !node.inject_ready_o) return false;
    const HostPacket& packet = host.packets[host.next];
    for (std::size_t w = 0; w < kWords; ++w)
      set_word(node.inject_flit_i, w, packet.words[host.next_word + w]);
    set_bits(node.inject_rank_i, 0, 16, packet.rank);
    node.inject_valid_i = 1;
    host.next_word += kWords;
    if (host.next_word == packet.words.size()) {
      host.next_word = 0;
      if (++host.next == host.packets.size()) {
        host.packets.clear();
        host.next = 0;
      }
    }
    return true;
  }

  void publish(std::size_t i, FabricWires& wires) {
    const Node& node = *nodes_[i];
    const std::size_t id = first_ + i;
    NodeOutputs& out = wires.outputs[id];
    out.valid = get_bits(node.tx_valid_o, 0, kRadix);
    out.credit = get_bits(node.tx_credit_o, 0, kRadix);
    out.request = get_bits(node.tx_request_o, 0, kRadix);
    out.grant = get_bits(node.tx_grant_o, 0, kRadix);
    for (std::uint64_t rest = out.valid; rest != 0; rest &= rest - 1) {
      const auto p = static_cast<std::uint32_t>(__builtin_ctzll(rest));
      for (std::size_t w = 0; w < kWords; ++w)
        wires.flits[(id * kRadix + p) * kWords + w] = node.tx_flit_o[p * kWords + w];
    }
  }

  void check_assertions() {
    if (context_->gotError())
      throw std::runtime_error("an assertion in the RTL failed; its message is above");
  }

  VerilatedContext* context_;
  struct Table {
    std::vector<bool> written;  // labels written since the last reset
    std::vector<bool> stale;    // and before it
  };
  std::vector<std::unique_ptr<Node>> nodes_, spare_;
  std::vector<Table> tables_;  // per model: nodes_ first, then spare_ from its end
  std::vector<Host> hosts_;
  std::vector<std::uint8_t> evaluated_;  // evaluated in this cycle
  std::vector<std::uint8_t> awake_;      // not idle after the last evaluation
  std::uint32_t first_;
  bool skip_idle_, two_edges_;
  std::uint64_t active_ = 0, progress_ = 0, evaluations_ = 0;
};

}  // namespace
}  // namespace safnet

extern "C" safnet::NodeBatch* safnet_make_batch(const safnet::BatchConfig* config) {
  return new safnet::VerilatedBatch(*config);
}
// All memories of a model are members of its symbol table.
extern "C" std::size_t safnet_node_bytes() { return sizeof(SAFNET_NODE_MODEL) + sizeof(SAFNET_NODE_SYMBOLS); }
extern "C" safnet::TimerModel* safnet_make_timer(VerilatedContext* context) {
  return new safnet::VerilatedTimer<SAFNET_TIMER_MODEL>(context);
}
