// pifo_network_variant - the C++ side of pifo_network.sv verilated whole: a Machine with one model for all
// nodes.
//
// Compiled by variant.cpp like node_variant.cpp; the slot_timer is inside the model.
#include <verilated.h>

#include <memory>
#include <stdexcept>

#include SAFNET_NODE_HEADER
#include SAFNET_NODE_SYMBOLS_HEADER
#include "sim/machine/machine.hpp"
#include "sim/machine/model_bits.hpp"

namespace safnet {
namespace {

using Network = SAFNET_NODE_MODEL;

constexpr std::size_t kRadix = SAFNET_NODE_CLASS::Radix;
constexpr std::size_t kFlitWidth = SAFNET_NODE_CLASS::FlitWidth;
constexpr std::size_t kWords = kFlitWidth / 32;
constexpr std::size_t kPortWidth = SAFNET_NODE_CLASS::PortWidth;
constexpr std::size_t kOccupancyWidth = SAFNET_NODE_CLASS::OccupancyWidth;
constexpr std::size_t kRankWidth = SAFNET_NODE_CLASS::RankWidth;

class WholeNetwork final : public Machine {
 public:
  explicit WholeNetwork(MachineObserver* observer) : observer_(observer) {
    context_->threads(1);
    context_->fatalOnError(false);
    model_ = std::make_unique<Network>(context_.get(), "network");
  }
  ~WholeNetwork() override {
    model_->final();
    Verilated::threadContextp(context_.get());  // the model unregisters from the thread's current context
    model_.reset();
  }

  void reset() override {
    model_->rst_ni = 0;
    tick();
    tick();
    model_->rst_ni = 1;
    tick();
  }
  void write_table(std::uint32_t node, std::uint32_t label, const HardwareTableEntry& entry) override {
    set_bits(model_->table_valid_i, node, 1, 1);
    set_bits(model_->table_label_i, 0, 32, label);
    set_bits(model_->table_mask_i, 0, kRadix, entry.mask);
    model_->table_deliver_i = entry.deliver;
    set_bits(model_->table_rank_i, 0, 16, entry.rank);
    for (std::size_t k = 0; k < entry.order.size(); ++k) {
      set_bits(model_->table_order_i, k * kPortWidth, kPortWidth, entry.order[k]);
    }
    model_->table_rest_i = entry.rest_rank.has_value();
    set_bits(model_->table_rest_rank_i, 0, 16, entry.rest_rank.value_or(0));
    tick();
    set_bits(model_->table_valid_i, node, 1, 0);
  }
  void set_branches(std::uint32_t node, std::uint64_t first_ports) override {
    set_bits(model_->branch_first_i, node * kRadix, kRadix, first_ports);
  }
  void add_host_packets(std::uint32_t node, std::vector<HostPacket> packets) override {
    if (hosts_.size() <= node) hosts_.resize(node + 1);
    for (HostPacket& packet : packets) hosts_[node].packets.push_back(std::move(packet));
  }
  void fill_queues() override {
    tick();
    for (bool offered = true; offered;) {
      offered = offer_host_flits();
      tick();
    }
    tick();
  }
  void start() override {
    model_->start_i = 1;
    offer_host_flits();
    tick();
    model_->start_i = 0;
  }
  NetworkTime clock() override {
    const NetworkTime now{model_->cycle_o, model_->step_o};
    const std::size_t ports = nodes() * kRadix;
    progress_ = 0;
    for (std::size_t i = 0; i < ports; ++i) {
      if (get_bits(model_->tx_valid_o, i, 1) == 0) continue;
      ++progress_;
      std::uint32_t words[kWords];
      for (std::size_t w = 0; w < kWords; ++w) words[w] = get_word(model_->tx_flit_o, i * kWords + w);
      observer_->on_link_flit(now, static_cast<std::uint32_t>(i / kRadix),
                              static_cast<std::uint32_t>(i % kRadix), words);
    }
    offer_host_flits();
    tick();
    for (std::size_t i = 0; i < ports; ++i) {
      if (get_bits(model_->deliver_valid_o, i, 1) == 0) continue;
      std::uint32_t words[kWords];
      for (std::size_t w = 0; w < kWords; ++w) words[w] = get_word(model_->deliver_flit_o, i * kWords + w);
      observer_->on_delivered_flit(now, static_cast<std::uint32_t>(i / kRadix),
                                   static_cast<std::uint32_t>(i % kRadix), words,
                                   get_bits(model_->deliver_last_o, i, 1) != 0);
    }
    return now;
  }
  bool finished() const override {
    for (std::size_t n = 0; n < nodes(); ++n) {
      if (get_bits(model_->idle_o, n, 1) == 0 || packets_with_host(static_cast<std::uint32_t>(n)) != 0)
        return false;
    }
    return true;
  }
  std::uint64_t progress() const override { return progress_; }
  void set_fault(const LinkFault& fault) override {
    set_bits(model_->fault_drop_i, fault.node * kRadix + fault.port, 1, fault.drop);
    set_bits(model_->fault_corrupt_i, fault.node * kRadix + fault.port, 1, fault.corrupt);
  }
  NodeCounters counters(std::uint32_t node) const override {
    NodeCounters result;
    for (std::size_t p = 0; p < kRadix; ++p) {
      result.sent.push_back(get_word(model_->sent_o, node * kRadix + p));
      result.received.push_back(get_word(model_->received_o, node * kRadix + p));
      const auto peak = [queue = node * kRadix + p](const auto& peaks) {
        return static_cast<std::uint32_t>(get_bits(peaks, queue * kOccupancyWidth, kOccupancyWidth));
      };
      result.peak_stored.push_back(peak(model_->peak_stored_o));
      result.peak_waiting.push_back(peak(model_->peak_waiting_o));
    }
    result.delivered = get_word(model_->delivered_o, node);
    result.last_delivery_cycle = get_word(model_->last_delivery_cycle_o, node);
    result.last_delivery_step = get_word(model_->last_delivery_step_o, node);
    result.delay_sum = get_bits(model_->delay_sum_o, node * 64UL, 64);
    result.peak_occupancy = static_cast<std::uint32_t>(
        get_bits(model_->peak_occupancy_o, node * kOccupancyWidth, kOccupancyWidth));
    result.peak_transit =
        static_cast<std::uint32_t>(get_bits(model_->peak_transit_o, node * kOccupancyWidth, kOccupancyWidth));
    result.violations = get_word(model_->violations_o, node);
    result.first_violation_cycle = get_word(model_->first_violation_cycle_o, node);
    return result;
  }
  NodeStatus status(std::uint32_t node) const override {
    return {
        get_bits(model_->idle_o, node, 1) != 0,
        static_cast<std::uint32_t>(get_bits(model_->occupancy_o, node * kOccupancyWidth, kOccupancyWidth)),
        get_bits(model_->wait_credit_o, node * kRadix, kRadix),
        get_bits(model_->wait_grant_o, node * kRadix, kRadix)};
  }
  std::uint32_t packets_with_host(std::uint32_t node) const override {
    return node < hosts_.size() ? static_cast<std::uint32_t>(hosts_[node].packets.size() - hosts_[node].next)
                                : 0;
  }

 private:
  struct Host {
    std::vector<HostPacket> packets;
    std::size_t next = 0, next_word = 0;
  };

  std::size_t nodes() const { return hosts_.size(); }  // every node has a host, with or without packets

  bool offer_host_flits() {
    bool offered = false;
    for (std::size_t n = 0; n < hosts_.size(); ++n) {
      Host& host = hosts_[n];
      const bool offers = host.next < host.packets.size() && get_bits(model_->inject_ready_o, n, 1) != 0;
      set_bits(model_->inject_valid_i, n, 1, offers);
      if (!offers) continue;
      offered = true;
      const HostPacket& packet = host.packets[host.next];
      for (std::size_t w = 0; w < kWords; ++w) {
        set_word(model_->inject_flit_i, n * kWords + w, packet.words[host.next_word + w]);
      }
      set_bits(model_->inject_rank_i, n * kRankWidth, kRankWidth, packet.rank);
      host.next_word += kWords;
      if (host.next_word == packet.words.size()) {
        host.next_word = 0;
        ++host.next;
      }
    }
    return offered;
  }
  void tick() {
    model_->clk_i = 1;
    model_->eval();
    model_->clk_i = 0;
    model_->eval();
    if (context_->gotError())
      throw std::runtime_error("an assertion in the RTL failed; its message is above");
  }

  std::unique_ptr<VerilatedContext> context_ = std::make_unique<VerilatedContext>();
  std::unique_ptr<Network> model_;
  MachineObserver* observer_;
  std::vector<Host> hosts_;
  std::uint64_t progress_ = 0;
};

}  // namespace
}  // namespace safnet

extern "C" safnet::Machine* safnet_make_network(safnet::MachineObserver* observer) {
  return new safnet::WholeNetwork(observer);
}
