// verilated_network - a whole network verilated as one model, with its timer inside: a machine whose hosts
// are those of the fabric (see verilated_batch.hpp).
#pragma once

#include <verilated.h>

#include <memory>

#include "sim/variant/node_ports.hpp"
#include "sim/variant/wave_code.hpp"

namespace safnet {

template <class Host>
class VerilatedNetwork final : public VerilatedHosts<Machine, Host> {
  using Base = VerilatedHosts<Machine, Host>;
  using Network = typename Host::Model;
  using Base::hosts_, Base::progress_;

 public:
  VerilatedNetwork(std::uint32_t nodes, const NodeSettings& settings, MachineObserver* observer,
                   std::unique_ptr<NetworkWave> wave)
      : Base(0), settings_(settings), observer_(observer), wave_(std::move(wave)) {
    hosts_.resize(nodes);
    context_->threads(1);
    context_->fatalOnError(false);  // check_assertions() looks for failed assertions itself
    context_->traceEverOn(wave_ != nullptr);
    model_ = std::make_unique<Network>(context_.get(), "network");
    if (wave_ == nullptr) return;
    add_to_wave(*model_, wave_->file());
    wave_->open();
  }
  ~VerilatedNetwork() override {
    wave_.reset();  // before the model that it reads from
    model_->final();
    Verilated::threadContextp(context_.get());  // the model unregisters from the thread's current context
    model_.reset();
  }

  void reset() override {
    for (std::uint32_t n = 0; n < hosts_.size(); ++n) {
      ports(n).clear_faults();
      hosts_[n].reset(ports(n));
    }
    apply(settings_, *model_);
    model_->start_i = 0;
    model_->rst_ni = 0;
    tick_network();
    tick_network();
    model_->rst_ni = 1;
    tick_network();
  }
  void load(std::uint32_t node, const NodeProgram& program) override {
    this->load_host(node, program, [this] { tick_network(); });
  }
  void start() override {
    if (wave_ != nullptr) wave_->dump_start();
    model_->start_i = 1;
    clock();
    model_->start_i = 0;
  }
  NetworkTime clock() override {
    const SlotSignals signals{{model_->cycle_o, model_->step_o}, false};
    progress_ = 0;
    for (std::uint32_t n = 0; n < hosts_.size(); ++n) {
      if constexpr (requires { model_->tx_credit_o; })
        progress_ += ports(n).port_set(model_->tx_credit_o) != 0 ? 1 : 0;
      for_each_link_flit(signals.now, n, [&](const FlitEvent& flit) {
        ++progress_;
        observer_->on_link_flit(flit);
      });
      hosts_[n].before_edge(ports(n), signals.now);
      if (hosts_[n].offer(ports(n), signals, n)) ++progress_;
    }
    tick_network();
    for (std::uint32_t n = 0; n < hosts_.size(); ++n)
      Base::tell_deliveries(ports(n), signals.now, n, observer_);
    return signals.now;
  }
  bool finished() const override {
    for (std::uint32_t n = 0; n < hosts_.size(); ++n) {
      if (!ports(n).idle() || hosts_[n].has_more()) return false;
    }
    return true;
  }

 private:
  typename Base::Ports ports(std::size_t node) const override { return {{*model_, node}}; }
  // Calls `visit(flit)` for every flit that a node drives.
  template <class Visit>
  void for_each_link_flit(NetworkTime now, std::uint32_t node, Visit visit) const {
    const std::size_t at = std::size_t{node} * kRadix;
    for (std::uint32_t first = 0; first < kRadix; first += 64) {
      for_each_bit(get_bits(model_->tx_valid_o, at + first, ports_in(first / 64)), [&](std::uint32_t bit) {
        std::uint32_t words[kFlitWords];
        read_flit(model_->tx_flit_o, at + first + bit, words);
        visit(FlitEvent{now, node, first + bit, words});
      });
    }
  }
  void tick_network() {
    if (wave_ == nullptr) {
      tick(*model_);
    } else {
      tick_and_dump();
    }
    check_assertions(*context_);
  }
  void tick_and_dump() {
    model_->clk_i = 1;
    model_->eval();
    const NetworkTime now{model_->cycle_o, model_->step_o};
    for (std::uint32_t n = 0; n < hosts_.size(); ++n)
      for_each_link_flit(now, n, [&](const FlitEvent& flit) { wave_->on_link_flit(flit); });
    wave_->dump(now.cycle, true);
    model_->clk_i = 0;
    model_->eval();
    wave_->dump(now.cycle, false);
  }

  std::unique_ptr<VerilatedContext> context_ = std::make_unique<VerilatedContext>();
  std::unique_ptr<Network> model_;
  NodeSettings settings_;
  MachineObserver* observer_;
  std::unique_ptr<NetworkWave> wave_;  // null: there is none
};

}  // namespace safnet
