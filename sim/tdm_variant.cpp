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
#include "sim/machine.hpp"
#include "sim/model_bits.hpp"
#include "sim/tdm_feeder.hpp"
#include "sim/timer_model.hpp"

namespace safnet {
namespace {

using Node = SAFNET_NODE_MODEL;

constexpr std::uint32_t kRadix = SAFNET_RADIX;
constexpr std::uint32_t kLanes = kRadix + 1;
constexpr std::size_t kWords = SAFNET_FLIT_WIDTH / 32;
constexpr std::size_t kBufferWidth = SAFNET_BUFFER_WIDTH;
constexpr std::size_t kGenerationWidth = SAFNET_GENERATION_WIDTH;
constexpr std::size_t kCountWidth = SAFNET_COUNT_WIDTH;
constexpr std::size_t kNameWidth = SAFNET_NAME_WIDTH;
constexpr std::size_t kOccupancyWidth = SAFNET_OCCUPANCY_WIDTH;
constexpr std::size_t kSendWidth = kBufferWidth + kGenerationWidth + 1 + 32;
constexpr std::size_t kReceiveWidth = kBufferWidth + kGenerationWidth + 2 * kCountWidth + 3 + kNameWidth;

// The node's ports as its host's feeder sees them.
struct Ports {
  Node& node;
  bool receive_ready(std::uint32_t lane) const { return get_bits(node.receive_ready_o, lane, 1) != 0; }
  bool send_ready(std::uint32_t port) const { return get_bits(node.send_ready_o, port, 1) != 0; }
  bool own_ready(std::uint32_t lane) const { return get_bits(node.own_ready_o, lane, 1) != 0; }
  void receive(std::uint32_t lane, const TdmReceive* what, bool more) const {
    set_bits(node.receive_more_i, lane, 1, more);
    set_bits(node.receive_valid_i, lane, 1, what != nullptr);
    if (what == nullptr) return;
    std::size_t at = lane * kReceiveWidth;
    const auto put = [&](std::size_t width, std::uint64_t value) {
      set_bits(node.receive_i, at, width, value);
      at += width;
    };
    put(kBufferWidth, what->buffer);
    put(kGenerationWidth, what->generation);
    put(kCountWidth, what->parts);
    put(kCountWidth, what->uses);
    put(3, what->actions);
    put(kNameWidth, what->name);
  }
  void send(std::uint32_t port, const TdmSend* what, bool more) const {
    set_bits(node.send_more_i, port, 1, more);
    set_bits(node.send_valid_i, port, 1, what != nullptr);
    if (what == nullptr) return;
    const std::size_t at = port * kSendWidth;
    set_bits(node.send_i, at, kBufferWidth, what->buffer);
    set_bits(node.send_i, at + kBufferWidth, kGenerationWidth, what->generation);
    set_bits(node.send_i, at + kBufferWidth + kGenerationWidth, 1, what->own);
    set_bits(node.send_i, at + kBufferWidth + kGenerationWidth + 1, 32, what->slot);
  }
  void own(std::uint32_t lane, const std::uint32_t* words) const {
    set_bits(node.own_valid_i, lane, 1, words != nullptr);
    if (words == nullptr) return;
    for (std::size_t w = 0; w < kWords; ++w) set_word(node.own_flit_i, lane * kWords + w, words[w]);
  }
};

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
      set_bits(node.fault_drop_i, 0, kRadix, 0);
      set_bits(node.fault_corrupt_i, 0, kRadix, 0);
      const Ports ports{node};
      for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
        ports.receive(lane, nullptr, false);
        ports.own(lane, nullptr);
        if (lane < kRadix) ports.send(lane, nullptr, false);
      }
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
        const Wire source = wires.sources[ports + p];
        if (source.node == Wire::kNowhere) continue;
        const NodeOutputs& out = wires.outputs[source.node];
        if (!out.any()) continue;
        in.valid |= ((out.valid >> source.port) & 1) << p;
        in.credit |= ((out.credit >> source.port) & 1) << p;
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
        const Wire source = wires.sources[ports + p];
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
      const std::uint64_t late = get_bits(node.late_o, 0, kRadix);
      if (late != 0) note_late(host, node, late, signals.now);
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
    }
    result.delivered = node.delivered_o;
    result.last_delivery_cycle = node.last_delivery_cycle_o;
    result.last_delivery_step = node.last_delivery_step_o;
    result.delay_sum = node.delay_sum_o;
    result.peak_occupancy = static_cast<std::uint32_t>(get_bits(node.peak_occupancy_o, 0, kOccupancyWidth));
    result.violations = node.violations_o;
    result.first_violation_cycle = node.first_violation_cycle_o;
    return result;
  }
  TdmCounters tdm_counters(std::uint32_t index) const override {
    const Node& node = *nodes_[index];
    return {node.dry_o, node.first_dry_cycle_o, node.mismatches_o, node.first_mismatch_cycle_o};
  }
  TdmStatus tdm_status(std::uint32_t index) const override {
    const Node& node = *nodes_[index];
    TdmStatus status;
    status.idle = node.idle_o != 0;
    status.occupancy = static_cast<std::uint32_t>(get_bits(node.occupancy_o, 0, kOccupancyWidth));
    status.wait_packet = get_bits(node.wait_packet_o, 0, kRadix);
    status.wait_credit = get_bits(node.wait_credit_o, 0, kRadix);
    status.wait_buffer = get_bits(node.wait_buffer_o, 0, kLanes);
    for (std::uint32_t p = 0; p < kRadix; ++p) {
      status.sent.push_back(get_word(node.sent_o, p));
      status.received.push_back(get_word(node.received_o, p));
    }
    return status;
  }
  const std::vector<LateSend>& late_sends(std::uint32_t index) const override { return hosts_[index].late; }
  std::uint64_t late_count(std::uint32_t index) const override { return hosts_[index].late_count; }

  void trace(std::uint32_t index, VerilatedFstC* file) override { nodes_[index]->trace(file, 99); }

 private:
  struct Host {
    TdmFeeder feeder;
    std::vector<LateSend> late;
    std::uint64_t late_count = 0;
    std::vector<std::uint32_t> late_number;  // per port: the instruction last noted, plus 1
    bool more = false;                       // the feeder has something left
    bool offered = true;                     // and has offered something in the last cycle
    bool evaluated = false;                  // in this cycle
    bool awake = true;                       // not idle after the last evaluation
  };

  // Every instruction is noted once, in the first slot in which it could not start.
  static void note_late(Host& host, const Node& node, std::uint64_t late, NetworkTime now) {
    host.late_number.resize(kRadix);
    const std::uint64_t packet = get_bits(node.wait_packet_o, 0, kRadix);
    const std::uint64_t room = get_bits(node.wait_credit_o, 0, kRadix);
    for (std::uint64_t rest = late; rest != 0; rest &= rest - 1) {
      const auto p = static_cast<std::uint32_t>(__builtin_ctzll(rest));
      const std::uint32_t number = get_word(node.sent_o, p);
      if (host.late_number[p] == number + 1) continue;
      host.late_number[p] = number + 1;
      ++host.late_count;
      if (host.late.size() >= kLateKept) continue;
      const auto reason = ((packet >> p) & 1) != 0 ? LateSend::Reason::kPacket
                          : ((room >> p) & 1) != 0 ? LateSend::Reason::kRoom
                                                   : LateSend::Reason::kPort;
      host.late.push_back({p, number, now.cycle, reason});
    }
  }

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
