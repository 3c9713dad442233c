// flit_fault - one flit of a run that is lost or damaged on its way, for tests of what notices it.
#pragma once

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <optional>
#include <string>

#include "sim/fabric/fabric.hpp"

namespace safnet::testbench {

/// A tap for one run, with nodes of up to 64 ports. It counts the flits that cross wires, in order of cycle,
/// node and port, and drops or damages the one whose number it was given.
class FlitFault final : public WireTap {
 public:
  /// No fault: counts only.
  FlitFault() = default;
  /// Flit `number`, from 0, loses its valid bit.
  static FlitFault drop(std::uint64_t number) { return FlitFault(number, std::nullopt); }
  /// This bit of flit `number` is inverted.
  static FlitFault invert(std::uint64_t number, std::uint32_t bit) { return FlitFault(number, bit); }

  void before_sampling(NetworkTime now, FabricWires& wires) override {
    const std::size_t radix = wires.radix;
    for (std::size_t node = 0; node < wires.now.outputs.size(); ++node) {
      const std::uint64_t valid = wires.now.outputs[node].valid;
      const auto here = static_cast<std::uint64_t>(std::popcount(valid));
      if (number_ && *number_ >= flits_ && *number_ < flits_ + here) {
        std::uint64_t ports = valid;
        for (std::uint64_t before = flits_; before < *number_; ++before) ports &= ports - 1;
        const auto port = static_cast<std::size_t>(std::countr_zero(ports));
        strike(now, wires, node, port,
               (node * radix + port) * (wires.now.flits.size() / wires.feeders.size()));
      }
      flits_ += here;
    }
  }
  void after_sampling(FabricWires& wires) override {
    if (dropped_at_) wires.now.outputs[*dropped_at_].valid = sent_;
    if (damaged_at_) wires.now.flits[*damaged_at_] = word_;
    dropped_at_ = damaged_at_ = std::nullopt;
  }

  std::uint64_t flits() const { return flits_; }  ///< that have crossed wires
  bool has_struck() const { return !where_.empty(); }
  const std::string& where() const { return where_; }  ///< cycle, node and output of the flit, and its fault

 private:
  FlitFault(std::uint64_t number, std::optional<std::uint32_t> bit) : number_(number), bit_(bit) {}

  void strike(NetworkTime now, FabricWires& wires, std::size_t node, std::size_t port, std::size_t word) {
    where_ = fmt::format("cycle {}, node {}, output {}, {}", now.cycle, node, port,
                         bit_ ? fmt::format("bit {} inverted", *bit_) : "dropped");
    if (bit_) {
      damaged_at_ = word + *bit_ / 32;
      word_ = wires.now.flits[*damaged_at_];
      wires.now.flits[*damaged_at_] ^= 1U << *bit_ % 32;
    } else {
      dropped_at_ = node;
      sent_ = wires.now.outputs[node].valid;
      wires.now.outputs[node].valid &= ~(std::uint64_t{1} << port);
    }
  }

  std::optional<std::uint64_t> number_;  // of the flit
  std::optional<std::uint32_t> bit_;     // none: it is dropped
  std::uint64_t flits_ = 0;
  std::optional<std::size_t> dropped_at_, damaged_at_;  // places in the wires, for one cycle
  std::uint64_t sent_ = 0;
  std::uint32_t word_ = 0;
  std::string where_;
};

}  // namespace safnet::testbench
