// machine_tap - hears what a machine is told and what its hosts get, without a part in either.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/machine/machine.hpp"

namespace safnet {

/// What is heard of one run. Calls for one node come in order.
class MachineTap {
 public:
  virtual ~MachineTap() = default;
  virtual void on_reset() = 0;
  virtual void on_load(std::uint32_t node, const NodeProgram& program) = 0;
  virtual void on_offer(std::uint32_t node, const HostPacket& packet) = 0;
  virtual void on_delivered_flit(const FlitEvent& flit) = 0;
};

/// A machine with a tap. It stands between a machine and whoever drives it, and between the machine and its
/// observer: make it, make the machine with it as the observer, and hand that over.
class TappedMachine final : public Machine, public MachineObserver {
 public:
  /// `tap` outlives the machine, as does `observer`, which may be null.
  TappedMachine(MachineTap& tap, MachineObserver* observer) : tap_(tap), observer_(observer) {}
  void hand_over(std::unique_ptr<Machine> machine) { machine_ = std::move(machine); }

  void reset() override {
    tap_.on_reset();
    machine_->reset();
  }
  void load(std::uint32_t node, const NodeProgram& program) override {
    tap_.on_load(node, program);
    machine_->load(node, program);
  }
  void offer(std::uint32_t node, HostPacket packet) override {
    tap_.on_offer(node, packet);
    machine_->offer(node, std::move(packet));
  }
  std::uint32_t packets_with_host(std::uint32_t node) const override {
    return machine_->packets_with_host(node);
  }
  std::uint64_t unused_injection_ports(std::uint32_t node) const override {
    return machine_->unused_injection_ports(node);
  }
  std::uint64_t progress() const override { return machine_->progress(); }
  void set_fault(const LinkFault& fault) override { machine_->set_fault(fault); }
  NodeCounters counters(std::uint32_t node) const override { return machine_->counters(node); }
  NodeStatus status(std::uint32_t node) const override { return machine_->status(node); }
  std::uint64_t evaluations() const override { return machine_->evaluations(); }
  void start() override { machine_->start(); }
  NetworkTime clock() override { return machine_->clock(); }
  bool finished() const override { return machine_->finished(); }
  std::vector<std::string> problems() const override { return machine_->problems(); }

  void on_link_flit(const FlitEvent& flit) override {
    if (observer_ != nullptr) observer_->on_link_flit(flit);
  }
  void on_delivered_flit(const FlitEvent& flit) override {
    tap_.on_delivered_flit(flit);
    if (observer_ != nullptr) observer_->on_delivered_flit(flit);
  }
  PacketInWords packet_in_words(const FlitEvent& first) const override {
    return observer_ != nullptr ? observer_->packet_in_words(first) : PacketInWords{};
  }

 private:
  MachineTap& tap_;
  MachineObserver* observer_;
  std::unique_ptr<Machine> machine_;
};

}  // namespace safnet
