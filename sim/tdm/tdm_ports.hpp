// tdm_ports - one tdm_node as its host sees it: a verilated linked_tdm_node, or one of the nodes of a
// verilated tdm_network, whose ports are the same ones side by side.
//
// Part of both variants; the widths come as macros from variant.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/machine/machine.hpp"
#include "sim/machine/model_bits.hpp"

namespace safnet {

constexpr std::uint32_t kRadix = SAFNET_NODE_CLASS::Radix;
constexpr std::uint32_t kLanes = kRadix + 1;
constexpr std::size_t kWords = SAFNET_NODE_CLASS::FlitWidth / 32;
constexpr std::size_t kBufferWidth = SAFNET_NODE_CLASS::BufferWidth;
constexpr std::size_t kGenerationWidth = SAFNET_NODE_CLASS::GenerationWidth;
constexpr std::size_t kCountWidth = SAFNET_NODE_CLASS::CountWidth;
constexpr std::size_t kNameWidth = SAFNET_NODE_CLASS::NameWidth;
constexpr std::size_t kOccupancyWidth = SAFNET_NODE_CLASS::OccupancyWidth;
constexpr std::size_t kSendWidth = SAFNET_NODE_CLASS::SendWidth;
constexpr std::size_t kReceiveWidth = SAFNET_NODE_CLASS::ReceiveWidth;

template <class Model>
struct TdmPorts {
  Model& model;
  std::size_t number = 0;  // of the node within the model

  // For the feeder.
  bool receive_ready(std::uint32_t lane) const {
    return get_bits(model.receive_ready_o, at_lane(lane), 1) != 0;
  }
  bool send_ready(std::uint32_t port) const { return get_bits(model.send_ready_o, at_port(port), 1) != 0; }
  bool own_ready(std::uint32_t lane) const { return get_bits(model.own_ready_o, at_lane(lane), 1) != 0; }
  void receive(std::uint32_t lane, const TdmReceive* what, bool more) const {
    set_bits(model.receive_more_i, at_lane(lane), 1, more);
    set_bits(model.receive_valid_i, at_lane(lane), 1, what != nullptr);
    if (what == nullptr) return;
    std::size_t at = at_lane(lane) * kReceiveWidth;
    const auto put = [&](std::size_t width, std::uint64_t value) {
      set_bits(model.receive_i, at, width, value);
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
    set_bits(model.send_more_i, at_port(port), 1, more);
    set_bits(model.send_valid_i, at_port(port), 1, what != nullptr);
    if (what == nullptr) return;
    const std::size_t at = at_port(port) * kSendWidth;
    set_bits(model.send_i, at, kBufferWidth, what->buffer);
    set_bits(model.send_i, at + kBufferWidth, kGenerationWidth, what->generation);
    set_bits(model.send_i, at + kBufferWidth + kGenerationWidth, 1, what->own);
    set_bits(model.send_i, at + kBufferWidth + kGenerationWidth + 1, 32, what->slot);
  }
  void own(std::uint32_t lane, const std::uint32_t* words) const {
    set_bits(model.own_valid_i, at_lane(lane), 1, words != nullptr);
    if (words == nullptr) return;
    for (std::size_t w = 0; w < kWords; ++w) set_word(model.own_flit_i, at_lane(lane) * kWords + w, words[w]);
  }
  /// Nothing is offered, and no fault is set.
  void clear_inputs() const {
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      receive(lane, nullptr, false);
      own(lane, nullptr);
      if (lane < kRadix) send(lane, nullptr, false);
    }
    set_bits(model.fault_drop_i, at_port(0), kRadix, 0);
    set_bits(model.fault_corrupt_i, at_port(0), kRadix, 0);
  }
  void set_fault(const LinkFault& fault) const {
    set_bits(model.fault_drop_i, at_port(fault.port), 1, fault.drop);
    set_bits(model.fault_corrupt_i, at_port(fault.port), 1, fault.corrupt);
  }

  // A bit per output.
  std::uint64_t late() const { return get_bits(model.late_o, at_port(0), kRadix); }
  std::uint64_t wait_packet() const { return get_bits(model.wait_packet_o, at_port(0), kRadix); }
  std::uint64_t wait_credit() const { return get_bits(model.wait_credit_o, at_port(0), kRadix); }
  std::uint32_t sent(std::uint32_t port) const { return get_word(model.sent_o, at_port(port)); }
  bool idle() const { return get_bits(model.idle_o, number, 1) != 0; }

  NodeCounters counters() const {
    NodeCounters result;
    for (std::uint32_t p = 0; p < kRadix; ++p) {
      result.sent.push_back(sent(p));
      result.received.push_back(get_word(model.received_o, at_port(p)));
    }
    result.delivered = get_word(model.delivered_o, number);
    result.last_delivery_cycle = get_word(model.last_delivery_cycle_o, number);
    result.last_delivery_step = get_word(model.last_delivery_step_o, number);
    result.delay_sum = get_bits(model.delay_sum_o, number * 64, 64);
    result.peak_occupancy = static_cast<std::uint32_t>(
        get_bits(model.peak_occupancy_o, number * kOccupancyWidth, kOccupancyWidth));
    result.violations = get_word(model.violations_o, number);
    result.first_violation_cycle = get_word(model.first_violation_cycle_o, number);
    return result;
  }
  TdmCounters tdm_counters() const {
    return {get_word(model.dry_o, number), get_word(model.first_dry_cycle_o, number),
            get_word(model.mismatches_o, number), get_word(model.first_mismatch_cycle_o, number)};
  }
  TdmStatus status() const {
    TdmStatus status;
    status.idle = idle();
    status.occupancy =
        static_cast<std::uint32_t>(get_bits(model.occupancy_o, number * kOccupancyWidth, kOccupancyWidth));
    status.wait_packet = wait_packet();
    status.wait_credit = wait_credit();
    status.wait_buffer = get_bits(model.wait_buffer_o, at_lane(0), kLanes);
    for (std::uint32_t p = 0; p < kRadix; ++p) {
      status.sent.push_back(sent(p));
      status.received.push_back(get_word(model.received_o, at_port(p)));
    }
    return status;
  }

 private:
  std::size_t at_lane(std::uint32_t lane) const { return number * kLanes + lane; }
  std::size_t at_port(std::uint32_t port) const { return number * kRadix + port; }
};

/// Sends that could not start in their slot: each is noted once, in the first slot in which it could not.
struct LateLog {
  std::vector<LateSend> first;  // at most kLateKept
  std::uint64_t count = 0;

  template <class Model>
  void note(const TdmPorts<Model>& node, NetworkTime now) {
    const std::uint64_t late = node.late();
    if (late == 0) return;
    noted_.resize(kRadix);
    const std::uint64_t packet = node.wait_packet();
    const std::uint64_t room = node.wait_credit();
    for (std::uint64_t rest = late; rest != 0; rest &= rest - 1) {
      const auto p = static_cast<std::uint32_t>(__builtin_ctzll(rest));
      const std::uint32_t instruction = node.sent(p);
      if (noted_[p] == instruction + 1) continue;
      noted_[p] = instruction + 1;
      ++count;
      if (first.size() >= kLateKept) continue;
      const auto reason = ((packet >> p) & 1) != 0 ? LateSend::Reason::kPacket
                          : ((room >> p) & 1) != 0 ? LateSend::Reason::kRoom
                                                   : LateSend::Reason::kPort;
      first.push_back({p, instruction, now.cycle, reason});
    }
  }

 private:
  std::vector<std::uint32_t> noted_;  // per port: the instruction last noted, plus 1
};

}  // namespace safnet
