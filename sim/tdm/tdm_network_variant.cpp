// tdm_network_variant - the C++ side of tdm_network.sv verilated whole: a TdmMachine with one model for all
// nodes.
//
// Compiled by variant.cpp like tdm_variant.cpp; the slot_timer is inside the model.
#include <verilated.h>

#include <memory>
#include <stdexcept>
#include <vector>

#include SAFNET_NODE_HEADER
#include SAFNET_NODE_SYMBOLS_HEADER
#include "sim/machine/machine.hpp"
#include "sim/machine/model_bits.hpp"
#include "sim/tdm/tdm_feeder.hpp"
#include "sim/tdm/tdm_ports.hpp"

namespace safnet {
namespace {

using Network = SAFNET_NODE_MODEL;
using Ports = TdmPorts<Network>;

class WholeTdmNetwork final : public TdmMachine {
 public:
  explicit WholeTdmNetwork(MachineObserver* observer) : observer_(observer) {
    context_->threads(1);
    context_->fatalOnError(false);
    model_ = std::make_unique<Network>(context_.get(), "network");
  }
  ~WholeTdmNetwork() override {
    model_->final();
    Verilated::threadContextp(context_.get());  // the model unregisters from the thread's current context
    model_.reset();
  }

  void reset() override {
    for (std::uint32_t n = 0; n < hosts_.size(); ++n) ports(n).clear_inputs();
    hosts_.clear();
    host_ = {};
    model_->operation_i = 0;
    model_->start_i = 0;
    model_->rst_ni = 0;
    tick();
    tick();
    model_->rst_ni = 1;
    tick();
  }
  void load_program(std::uint32_t node, const TdmNodeProgram* program) override {
    if (hosts_.size() <= node) hosts_.resize(node + 1);
    hosts_[node].feeder.load(program, kRadix);
  }
  void configure(const TdmHost& host) override {
    host_ = host;
    model_->operation_i = static_cast<CData>(host.operation);
  }
  void start() override {
    model_->start_i = 1;
    clock();
    model_->start_i = 0;
  }
  NetworkTime clock() override {
    const NetworkTime now{model_->cycle_o, model_->step_o};
    progress_ = 0;
    for (std::uint32_t n = 0; n < hosts_.size(); ++n) {
      for (std::uint32_t p = 0; p < kRadix; ++p) {
        const std::size_t wire = std::size_t{n} * kRadix + p;
        progress_ += get_bits(model_->tx_credit_o, wire, 1);
        if (get_bits(model_->tx_valid_o, wire, 1) == 0) continue;
        ++progress_;
        std::uint32_t words[kWords];
        for (std::size_t w = 0; w < kWords; ++w) words[w] = get_word(model_->tx_flit_o, wire * kWords + w);
        if (observer_ != nullptr) observer_->on_link_flit(now, n, p, words);
      }
      Ports access = ports(n);
      hosts_[n].late.note(access, now);
      progress_ += hosts_[n].feeder.offer(access, now, host_, static_cast<int>(kNameWidth));
    }
    tick();
    for (std::uint32_t n = 0; n < hosts_.size(); ++n) {
      for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
        const std::size_t stream = std::size_t{n} * kLanes + lane;
        if (get_bits(model_->deliver_valid_o, stream, 1) == 0) continue;
        std::uint32_t words[kWords];
        for (std::size_t w = 0; w < kWords; ++w)
          words[w] = get_word(model_->deliver_flit_o, stream * kWords + w);
        if (observer_ != nullptr) {
          observer_->on_delivered_flit(now, n, lane, words, get_bits(model_->deliver_last_o, stream, 1) != 0);
        }
      }
    }
    return now;
  }
  bool finished() const override {
    for (std::uint32_t n = 0; n < hosts_.size(); ++n) {
      if (!ports(n).idle() || hosts_[n].feeder.has_more()) return false;
    }
    return true;
  }
  std::uint64_t progress() const override { return progress_; }
  void set_fault(const LinkFault& fault) override { ports(fault.node).set_fault(fault); }
  NodeCounters counters(std::uint32_t node) const override { return ports(node).counters(); }
  TdmCounters tdm_counters(std::uint32_t node) const override { return ports(node).tdm_counters(); }
  TdmStatus tdm_status(std::uint32_t node) const override { return ports(node).status(); }
  std::vector<LateSend> late_sends(std::uint32_t node) const override { return hosts_[node].late.first; }
  std::uint64_t late_count(std::uint32_t node) const override { return hosts_[node].late.count; }

 private:
  struct Host {
    TdmFeeder feeder;
    LateLog late;
  };

  Ports ports(std::uint32_t node) const { return {*model_, node}; }
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
  TdmHost host_;
  std::uint64_t progress_ = 0;
};

}  // namespace
}  // namespace safnet

extern "C" safnet::TdmMachine* safnet_make_tdm_network(safnet::MachineObserver* observer) {
  return new safnet::WholeTdmNetwork(observer);
}
