// verilated_network - a whole network verilated as one model, with its timer inside: a machine whose hosts
// are those of the fabric (see verilated_batch.hpp).
#pragma once

#include <verilated.h>

#include <memory>
#include <stdexcept>
#include <utility>
#include <variant>
#include <vector>

#include "sim/variant/node_ports.hpp"

namespace safnet {

template <class Host>
class VerilatedNetwork final : public Machine {
  using Network = typename Host::Model;
  using Ports = typename Host::Ports;

 public:
  VerilatedNetwork(std::uint32_t nodes, MachineObserver* observer) : observer_(observer), hosts_(nodes) {
    context_->threads(1);
    context_->fatalOnError(false);  // check_assertions() looks for failed assertions itself
    model_ = std::make_unique<Network>(context_.get(), "network");
  }
  ~VerilatedNetwork() override {
    model_->final();
    Verilated::threadContextp(context_.get());  // the model unregisters from the thread's current context
    model_.reset();
  }

  void reset() override {
    for (std::uint32_t n = 0; n < hosts_.size(); ++n) {
      ports(n).clear_faults();
      hosts_[n].reset(ports(n));
    }
    model_->start_i = 0;
    model_->rst_ni = 0;
    tick_network();
    tick_network();
    model_->rst_ni = 1;
    tick_network();
  }
  void load(std::uint32_t node, const NodeProgram& program) override {
    hosts_[node].load(ports(node), std::get<typename Host::Program>(program), node,
                      [this] { tick_network(); });
  }
  void offer(std::uint32_t node, HostPacket packet) override { hosts_[node].offer_later(std::move(packet)); }
  std::uint32_t packets_with_host(std::uint32_t node) const override { return hosts_[node].packets(); }
  void start() override {
    model_->start_i = 1;
    clock();
    model_->start_i = 0;
  }
  NetworkTime clock() override {
    const SlotSignals signals{{model_->cycle_o, model_->step_o}, false};
    progress_ = 0;
    for (std::uint32_t n = 0; n < hosts_.size(); ++n) {
      if constexpr (requires { model_->tx_credit_o; })
        progress_ += get_bits(model_->tx_credit_o, std::size_t{n} * kRadix, kRadix) != 0 ? 1 : 0;
      for_each_bit(get_bits(model_->tx_valid_o, std::size_t{n} * kRadix, kRadix), [&](std::uint32_t p) {
        ++progress_;
        std::uint32_t words[kFlitWords];
        read_flit(model_->tx_flit_o, std::size_t{n} * kRadix + p, words);
        observer_->on_link_flit(signals.now, n, p, words);
      });
      hosts_[n].before_edge(ports(n), signals.now);
      if (hosts_[n].offer(ports(n), signals, n)) ++progress_;
    }
    tick_network();
    for (std::uint32_t n = 0; n < hosts_.size(); ++n) {
      const std::size_t first_lane = std::size_t{n} * Host::kLanes;
      for_each_bit(get_bits(model_->deliver_valid_o, first_lane, Host::kLanes), [&](std::uint32_t lane) {
        std::uint32_t words[kFlitWords];
        read_flit(model_->deliver_flit_o, first_lane + lane, words);
        observer_->on_delivered_flit(signals.now, n, lane, words,
                                     get_bits(model_->deliver_last_o, first_lane + lane, 1) != 0);
      });
    }
    return signals.now;
  }
  bool finished() const override {
    for (std::uint32_t n = 0; n < hosts_.size(); ++n) {
      if (!ports(n).idle() || hosts_[n].has_more()) return false;
    }
    return true;
  }
  std::uint64_t progress() const override { return progress_; }
  void set_fault(const LinkFault& fault) override { ports(fault.node).set_fault(fault); }
  NodeCounters counters(std::uint32_t node) const override {
    NodeCounters counters = ports(node).counters();
    hosts_[node].extend(ports(node), counters);
    return counters;
  }
  NodeStatus status(std::uint32_t node) const override {
    NodeStatus status = ports(node).status();
    hosts_[node].extend(ports(node), status);
    return status;
  }

 private:
  Ports ports(std::uint32_t node) const { return Ports{{*model_, node}}; }
  template <class Port>
  static void read_flit(const Port& port, std::size_t at, std::uint32_t* words) {
    for (std::size_t w = 0; w < kFlitWords; ++w) words[w] = get_word(port, at * kFlitWords + w);
  }
  void tick_network() {
    tick(*model_);
    if (context_->gotError())
      throw std::runtime_error("an assertion in the RTL failed; its message is above");
  }

  std::unique_ptr<VerilatedContext> context_ = std::make_unique<VerilatedContext>();
  std::unique_ptr<Network> model_;
  MachineObserver* observer_;
  std::vector<Host> hosts_;
  std::uint64_t progress_ = 0;
};

}  // namespace safnet
