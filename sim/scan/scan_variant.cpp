// scan_variant - the C++ side of one variant of linked_scan_node: built into a shared object with the
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
#include "sim/machine/model_bits.hpp"
#include "sim/machine/timer_model.hpp"
#include "sim/scan/scan_machine.hpp"

namespace safnet {
namespace {

using Node = SAFNET_NODE_MODEL;

constexpr std::uint32_t kRadix = SAFNET_NODE_CLASS::Radix, kClasses = SAFNET_NODE_CLASS::Classes,
                        kDigits = SAFNET_NODE_CLASS::Digits;
constexpr std::size_t kDigitWidth = SAFNET_NODE_CLASS::DigitWidth;
constexpr std::size_t kLengthWidth = SAFNET_NODE_CLASS::LengthWidth;
constexpr std::size_t kRemainderWidth = SAFNET_NODE_CLASS::RemainderWidth;
constexpr std::size_t kAddressWidth = SAFNET_NODE_CLASS::AddressWidth;
constexpr std::size_t kRankWidth = SAFNET_NODE_CLASS::RankWidth;
constexpr std::size_t kPortWidth = SAFNET_NODE_CLASS::PortWidth;
constexpr std::size_t kMemoryWidth = SAFNET_NODE_CLASS::MemoryWidth;
constexpr std::size_t kWords = ScanParameters::kFlitWidth / 32;

class VerilatedScanBatch final : public ScanBatch {
 public:
  explicit VerilatedScanBatch(const BatchConfig& config)
      : context_(config.context),
        first_(config.first_node),
        skip_idle_(config.skip_idle),
        two_edges_(config.two_edges) {
    for (const std::string& name : config.node_names) {
      nodes_.push_back(std::make_unique<Node>(context_, name.c_str()));
    }
    resize(static_cast<std::uint32_t>(nodes_.size()));
  }
  ~VerilatedScanBatch() override {
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
    states_.resize(nodes);
  }

  void reset() override {
    hosts_ = nullptr;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      Node& node = *nodes_[i];
      states_[i] = {};
      set_bits(node.rx_valid_i, 0, kRadix, 0);
      set_bits(node.fault_drop_i, 0, kRadix, 0);
      set_bits(node.fault_corrupt_i, 0, kRadix, 0);
      node.pending_i = 0;
      node.load_valid_i = 0;
      node.slot_open_next_i = 0;
      node.cycle_i = 0;
      node.rst_ni = 0;
      tick(node);
      tick(node);
      node.rst_ni = 1;
      tick(node);
    }
    active_ = progress_ = evaluations_ = 0;
    check_assertions();
  }

  void configure(const ScanSettings& s, ScanHosts* hosts) override {
    hosts_ = hosts;
    known_ = s.known;
    for (auto& each : nodes_) {
      Node& node = *each;
      node.operation_i = static_cast<CData>(s.operation);
      node.repeat_i = s.repeat;
      node.known_i = s.known;
      node.classed_i = s.classed;
      set_bits(node.class_count_i, 0, kRemainderWidth + 1, s.class_count);
      set_bits(node.base_i, 0, kDigitWidth + 1, s.base);
      node.ring_i = s.ring;
      node.two_pieces_i = s.two_pieces;
      node.alternate_i = s.alternate;
      node.pass_on_first_i = s.pass_on_first;
      node.header_flit_i = s.header_flit;
      set_bits(node.pack_flits_i, 0, kLengthWidth, s.pack_flits);
      set_bits(node.cast_flits_i, 0, kLengthWidth, s.cast_flits);
      set_bits(node.known_group_i, 0, kRankWidth, s.known_group);
    }
  }

  void place(std::uint32_t index, const ScanPlace& place) override {
    Node& node = *nodes_[index];
    const auto address = kAddressWidth;
    const auto rank = kRankWidth;
    const auto port = kPortWidth;
    for (std::size_t c = 0; c < kClasses; ++c) {
      set_bits(node.coordinates_i, c * address, address, c < place.address.size() ? place.address[c] : 0);
      set_bits(node.known_rank_i, c * address, address,
               c < place.known_rank.size() ? place.known_rank[c] : 0);
      set_bits(node.known_total_i, c * rank, rank, c < place.known_total.size() ? place.known_total[c] : 0);
      for (std::size_t l = 0; l < kDigits; ++l) {
        const std::size_t at = c * kDigits + l;
        set_bits(node.plus_port_i, at * port, port, at < place.plus_port.size() ? place.plus_port[at] : 0);
        set_bits(node.minus_port_i, at * port, port, at < place.minus_port.size() ? place.minus_port[at] : 0);
      }
    }
    set_bits(node.known_class_i, 0, kRemainderWidth, place.known_class);
  }

  void load(std::uint32_t index, std::uint32_t class_number, std::uint64_t rank, std::uint32_t piece,
            std::uint32_t flit, std::uint64_t value) override {
    Node& node = *nodes_[index];
    std::uint64_t at = rank;
    if (SAFNET_NODE_CLASS::Pieces == 2) at = at << 1 | piece;
    at = at << kLengthWidth | flit;
    node.load_valid_i = 1;
    set_bits(node.load_class_i, 0, kRemainderWidth, class_number);
    set_bits(node.load_address_i, 0, kMemoryWidth, at);
    set_bits(node.load_flit_i, 0, 64, value);
    tick(node);
    node.load_valid_i = 0;
  }

  void gather(const FabricWires& wires, const SlotSignals& signals) override {
    progress_ = 0;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const std::size_t ports = (first_ + i) * kRadix;
      std::uint64_t valid = 0;
      for (std::uint32_t p = 0; p < kRadix; ++p) {
        const Wire from = wires.feeders[ports + p];
        if (from.node != Wire::kNowhere) valid |= ((wires.outputs[from.node].valid >> from.port) & 1) << p;
      }
      State& state = states_[i];
      state.evaluated = !skip_idle_ || state.awake || valid != 0 || (signals.slot_open_next && !state.done);
      if (!state.evaluated) continue;
      Node& node = *nodes_[i];
      const auto id = static_cast<std::uint32_t>(first_ + i);
      set_bits(node.rx_valid_i, 0, kRadix, valid);
      for (std::uint64_t rest = valid; rest != 0; rest &= rest - 1) {
        const auto p = static_cast<std::uint32_t>(__builtin_ctzll(rest));
        const Wire source = wires.feeders[ports + p];
        const std::uint32_t* words = &wires.flits[(source.node * kRadix + source.port) * kWords];
        for (std::size_t w = 0; w < kWords; ++w) set_word(node.rx_flit_i, p * kWords + w, words[w]);
      }
      node.cycle_i = signals.now.cycle;
      node.slot_open_next_i = signals.slot_open_next;
      node.pending_i = hosts_ != nullptr && hosts_->is_pending(signals.now, id);
      const auto phase = static_cast<ScanPhase>(node.phase_o);
      const bool before = known_ && phase == ScanPhase::kIdle && node.pending_i;
      if (before || (node.active_o && (phase == ScanPhase::kClassScan || phase == ScanPhase::kRankScan ||
                                       phase == ScanPhase::kPack))) {
        for (std::uint32_t c = 0; c < kClasses; ++c) {
          const auto flit =
              static_cast<std::uint32_t>(get_bits(node.own_index_o, c * kLengthWidth, kLengthWidth));
          set_bits(node.own_flit_i, c * 64, 64, hosts_->own_flit(id, c, flit));
        }
      }
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
      // What the node drives in this cycle was published at the end of the last one: tell it before the edge.
      NodeOutputs& out = wires.outputs[id];
      if (out.valid != 0) ++progress_;
      if (observer != nullptr) {
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
      out.valid = get_bits(node.tx_valid_o, 0, kRadix);
      for (std::uint64_t rest = out.valid; rest != 0; rest &= rest - 1) {
        const auto p = static_cast<std::uint32_t>(__builtin_ctzll(rest));
        for (std::size_t w = 0; w < kWords; ++w)
          wires.flits[(id * kRadix + p) * kWords + w] = get_word(node.tx_flit_o, p * kWords + w);
      }
      const std::uint64_t delivered = get_bits(node.deliver_valid_o, 0, 3 * kClasses);
      for (std::uint64_t rest = delivered; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::uint32_t>(__builtin_ctzll(rest));
        const std::uint32_t way = lane % 3;
        const std::uint32_t kind = way == 2 ? kScanHere : way + (node.deliver_whole_o ? kScanWhole : 0);
        std::uint32_t words[kWords];
        for (std::size_t w = 0; w < kWords; ++w) words[w] = get_word(node.deliver_flit_o, lane * kWords + w);
        if (observer != nullptr) {
          observer->on_delivered_flit(signals.now, id, lane / 3 * kScanLanes + kind, words,
                                      get_bits(node.deliver_last_o, lane, 1) != 0);
        }
      }
      if (node.interval_first_o && node.active_o && hosts_ != nullptr) hosts_->on_taken(signals.now, id);
      state.awake = !node.idle_o || delivered != 0;
      state.done = state.done || (node.intervals_o != 0 && node.idle_o);
      if (state.awake) ++active_;
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
    NodeCounters c;
    for (std::uint32_t p = 0; p < kRadix; ++p)
      c.sent.push_back(static_cast<std::uint32_t>(get_bits(node.sent_o, p * 32, 32)));
    c.delivered = node.delivered_o;
    c.last_delivery_cycle = node.last_delivery_cycle_o;
    return c;
  }
  ScanStatus scan_status(std::uint32_t index) const override {
    const Node& node = *nodes_[index];
    const auto address = kAddressWidth;
    const auto rank = kRankWidth;
    ScanStatus s;
    s.phase = static_cast<ScanPhase>(node.phase_o);
    s.active = node.active_o;
    s.class_number = static_cast<std::uint32_t>(node.class_o);
    for (std::size_t c = 0; c < kClasses; ++c) {
      s.rank.push_back(get_bits(node.rank_o, c * address, address));
      s.total.push_back(get_bits(node.total_o, c * rank, rank));
    }
    s.group_total = get_bits(node.group_total_o, 0, rank);
    s.intervals = node.intervals_o;
    s.last_cycle = node.last_cycle_o;
    for (std::size_t p = 0; p < kScanPhases; ++p)
      s.phase_cycles[p] = static_cast<std::uint32_t>(get_bits(node.phase_cycles_o, p * 32, 32));
    return s;
  }
  void trace(std::uint32_t index, VerilatedFstC* file) override { nodes_[index]->trace(file, 99); }

 private:
  struct State {
    bool evaluated = false;  // in this cycle
    bool awake = false;      // not idle after the last evaluation
    bool done = false;       // has finished its only interval
  };
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
  std::vector<State> states_;
  ScanHosts* hosts_ = nullptr;
  std::uint32_t first_;
  bool skip_idle_, two_edges_, known_ = false;
  std::uint64_t active_ = 0, progress_ = 0, evaluations_ = 0;
};

}  // namespace
}  // namespace safnet

extern "C" safnet::NodeBatch* safnet_make_batch(const safnet::BatchConfig* config) {
  return new safnet::VerilatedScanBatch(*config);
}
// All memories of a model are members of its symbol table.
extern "C" std::size_t safnet_node_bytes() { return sizeof(SAFNET_NODE_MODEL) + sizeof(SAFNET_NODE_SYMBOLS); }
extern "C" safnet::TimerModel* safnet_make_timer(VerilatedContext* context) {
  return new safnet::VerilatedTimer<SAFNET_TIMER_MODEL>(context);
}
