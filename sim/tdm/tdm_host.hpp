// tdm_host - the host of one tdm_node in a verilated model: feeds its programs and its own packets, notes
// late sends.
//
// Part of the variants of tdm_node; see verilated_batch.hpp for what a host is.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "rtl_constants.hpp"
#include "sim/tdm/tdm_feeder.hpp"
#include "sim/variant/node_ports.hpp"

namespace safnet {

inline constexpr std::uint32_t kTdmLanes = NodeModule::Lanes;
inline constexpr std::uint32_t kTdmOutputs = NodeModule::Outputs;
inline constexpr std::uint32_t kOwnStreams = NodeModule::OwnStreams;
inline constexpr std::size_t kBufferWidth = NodeModule::BufferWidth;
inline constexpr std::size_t kGenerationWidth = NodeModule::GenerationWidth;
inline constexpr std::size_t kCountWidth = NodeModule::CountWidth;
inline constexpr std::size_t kNameWidth = NodeModule::NameWidth;
inline constexpr std::size_t kSendWidth = NodeModule::SendWidth;
inline constexpr std::size_t kReceiveWidth = NodeModule::ReceiveWidth;

template <class M>
struct TdmPorts : NodePorts<M, NodeModule::OccupancyWidth> {
  // What a TdmFeeder needs.
  bool receive_ready(std::uint32_t lane) const {
    return this->bit(this->model.receive_ready_o, at_lane(lane));
  }
  bool send_ready(std::uint32_t port) const { return this->bit(this->model.send_ready_o, at_output(port)); }
  bool own_ready(std::uint32_t stream) const { return this->bit(this->model.own_ready_o, at_own(stream)); }
  void receive(std::uint32_t lane, const TdmReceive* what, bool more) const {
    set_bits(this->model.receive_more_i, at_lane(lane), 1, more);
    set_bits(this->model.receive_valid_i, at_lane(lane), 1, what != nullptr);
    if (what == nullptr) return;
    Fields fields;
    fields.put(kBufferWidth, what->buffer);
    fields.put(kGenerationWidth, what->generation);
    fields.put(kCountWidth, what->parts);
    fields.put(kCountWidth, what->uses);
    fields.put(rtl::tdm_pkg::kActions, what->actions);
    fields.put(kNameWidth, what->name);
    fields.template write<kReceiveWidth>(this->model.receive_i, at_lane(lane) * kReceiveWidth);
  }
  void send(std::uint32_t port, const TdmSend* what, bool more) const {
    set_bits(this->model.send_more_i, at_output(port), 1, more);
    set_bits(this->model.send_valid_i, at_output(port), 1, what != nullptr);
    if (what == nullptr) return;
    Fields fields;
    fields.put(kBufferWidth, what->buffer);
    fields.put(kGenerationWidth, what->generation);
    fields.put(1, what->own);
    fields.put(rtl::tdm_pkg::kSlotWidth, what->slot);
    fields.template write<kSendWidth>(this->model.send_i, at_output(port) * kSendWidth);
  }
  void own(std::uint32_t stream, const std::uint32_t* words) const {
    set_bits(this->model.own_valid_i, at_own(stream), 1, words != nullptr);
    if (words != nullptr) write_flit(this->model.own_flit_i, at_own(stream), words);
  }
  void offer_nothing() const {
    for (std::uint32_t lane = 0; lane < kTdmLanes; ++lane) receive(lane, nullptr, false);
    for (std::uint32_t stream = 0; stream < kOwnStreams; ++stream) own(stream, nullptr);
    for (std::uint32_t output = 0; output < kTdmOutputs; ++output) send(output, nullptr, false);
  }
  // Tells the node of its links. Those that it is told nothing of take a cycle for a flit, and no more.
  void set_links(const TdmNodeProgram* program) const {
    for (std::uint32_t p = 0; p < kRadix; ++p) {
      const auto timing = [&](const std::vector<TdmLinkTiming> TdmNodeProgram::*links) {
        return program != nullptr && p < (program->*links).size() ? (program->*links)[p] : TdmLinkTiming{};
      };
      const TdmLinkTiming in = timing(&TdmNodeProgram::incoming), out = timing(&TdmNodeProgram::outgoing);
      const std::size_t port = this->at_port(p);
      set_bits(this->model.rx_latency_i, port * 16, 16, in.latency);
      set_bits(this->model.rx_interval_i, port * 8, 8, in.cycles_per_flit);
      set_bits(this->model.credit_latency_i, port * 16, 16, out.latency);
      set_bits(this->model.tx_interval_i, port * 8, 8, out.cycles_per_flit);
    }
  }
  std::uint32_t sent(std::uint32_t port) const { return get_word(this->model.sent_o, this->at_port(port)); }
  // Outputs.
  PortSet late() const { return this->port_set(this->model.late_o); }
  PortSet wait_packet() const { return this->port_set(this->model.wait_packet_o); }
  PortSet wait_credit() const { return this->port_set(this->model.wait_credit_o); }
  // Lanes, the first 128 of them.
  PortSet wait_buffer() const {
    PortSet lanes = 0;
    for (std::uint32_t first = 0; first < std::min(kTdmLanes, 128U); first += 64)
      lanes |= PortSet{get_bits(this->model.wait_buffer_o, at_lane(first), std::min(kTdmLanes - first, 64U))}
               << first;
    return lanes;
  }

 private:
  std::size_t at_lane(std::uint32_t lane) const { return this->number * kTdmLanes + lane; }
  std::size_t at_output(std::uint32_t output) const { return this->number * kTdmOutputs + output; }
  std::size_t at_own(std::uint32_t stream) const { return this->number * kOwnStreams + stream; }
  // The fields of an instruction one after the other, put together before they are written to the port.
  struct Fields {
    unsigned __int128 bits = 0;
    std::size_t at = 0;
    void put(std::size_t width, std::uint64_t value) {
      bits |= static_cast<unsigned __int128>(value & low_mask(width)) << at;
      at += width;
    }
    template <std::size_t kWidth, class Port>
    void write(Port& port, std::size_t lsb) const {
      static_assert(kWidth <= 128);
      constexpr std::size_t kFirst = kWidth < 64 ? kWidth : 64;
      set_bits(port, lsb, kFirst, static_cast<std::uint64_t>(bits));
      if constexpr (kWidth > 64)
        set_bits(port, lsb + 64, kWidth - 64, static_cast<std::uint64_t>(bits >> 64));
    }
  };
};

/// Sends that could not start in their slot: each is noted once, in the first slot in which it could not.
struct LateLog {
  std::vector<LateSend> first;  // at most kLateKept
  std::uint64_t count = 0;

  template <class M>
  void note(const TdmPorts<M>& node, NetworkTime now) {
    const PortSet late = node.late();
    if (late == 0) return;
    noted_.resize(kRadix);
    const PortSet packet = node.wait_packet();
    const PortSet room = node.wait_credit();
    for (std::uint32_t p = 0; p < kRadix; ++p) {
      if (((late >> p) & 1) == 0) continue;
      const std::uint32_t instruction = node.sent(p);
      if (std::exchange(noted_[p], instruction + 1) == instruction + 1) continue;
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

template <class M>
class TdmHost {
 public:
  using Model = M;
  using Program = TimetableProgram;
  using Ports = TdmPorts<M>;
  static constexpr std::uint32_t kLanes = kTdmLanes;
  static constexpr bool kRunsBeforeStart = true;  // programs stream in, credits cross the links

  void reset(Ports ports) {
    *this = {};
    ports.offer_nothing();
    ports.set_links(nullptr);
    ports.model.operation_i = 0;
  }
  template <class Tick>
  void load(Ports ports, const TimetableProgram& program, std::uint32_t, Tick) {
    feeder_.load(program, kRadix, kTdmOutputs - kRadix);
    more_ = feeder_.has_more();
    ports.set_links(program.instructions.get());
    ports.model.operation_i = static_cast<CData>(program.operation);
  }
  void offer_later(HostPacket) {}
  std::uint32_t packets() const { return 0; }
  bool wants(const SlotSignals&) const { return more_; }
  bool has_more() const { return more_; }
  void prefetch() const { feeder_.prefetch_next(); }
  bool offer(Ports ports, const SlotSignals& signals, std::uint32_t) {
    if (!offered_ && !more_) return false;
    offered_ = feeder_.offer(ports, signals.now, static_cast<int>(kNameWidth)) != 0;
    more_ = feeder_.has_more();
    return offered_;
  }
  void before_edge(Ports ports, NetworkTime now) { late_.note(ports, now); }
  bool after_edge(Ports ports, NetworkTime, std::uint32_t, std::uint64_t) const { return !ports.idle(); }
  static std::uint32_t lane(Ports, std::uint32_t lane) { return lane; }
  void extend(Ports, NodeCounters& counters) const { counters.late = late_.count; }
  void extend(Ports ports, NodeStatus& status) const {
    status.wait_packet = ports.wait_packet();
    status.wait_buffer = ports.wait_buffer();
    for (std::uint32_t p = 0; p < kRadix; ++p) {
      status.sent.push_back(ports.sent(p));
      status.received.push_back(get_word(ports.model.received_o, ports.at_port(p)));
    }
    status.first_late = late_.first;
  }

 private:
  TdmFeeder feeder_;
  LateLog late_;
  bool more_ = false;    // the feeder has something left
  bool offered_ = true;  // it offered something in the last cycle: the node's inputs have to be cleared
};

}  // namespace safnet
