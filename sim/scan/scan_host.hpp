// scan_host - the host of one scan_node in a verilated model: tells the node where it is, gives it packets.
//
// Part of the variants of scan_node; see verilated_batch.hpp for what a host is.
#pragma once

#include <cstdint>

#include "sim/variant/node_ports.hpp"

namespace safnet {

template <class M>
struct ScanPorts : NodePorts<M, 1> {
  static constexpr std::size_t kAddress = NodeModule::AddressWidth, kRank = NodeModule::RankWidth,
                               kPort = NodeModule::PortWidth, kRemainder = NodeModule::RemainderWidth,
                               kLength = NodeModule::LengthWidth;

  void configure(const ScanSettings& s) const {
    M& m = this->model;
    m.operation_i = static_cast<CData>(s.operation);
    m.repeat_i = s.repeat;
    m.known_i = s.known;
    m.classed_i = s.classed;
    set_bits(m.class_count_i, 0, kRemainder + 1, s.class_count);
    set_bits(m.base_i, 0, NodeModule::DigitWidth + 1, s.base);
    m.ring_i = s.ring;
    m.two_pieces_i = s.two_pieces;
    m.alternate_i = s.alternate;
    m.pass_on_first_i = s.pass_on_first;
    m.header_flit_i = s.header_flit;
    set_bits(m.pack_flits_i, 0, kLength, s.pack_flits);
    set_bits(m.cast_flits_i, 0, kLength, s.cast_flits);
    set_bits(m.known_group_i, 0, kRank, s.known_group);
  }
  void put_place(const ScanPlace& place) const {
    M& m = this->model;
    const auto at = [](const auto& list, std::size_t i) { return i < list.size() ? list[i] : 0; };
    for (std::size_t c = 0; c < NodeModule::Classes; ++c) {
      set_bits(m.coordinates_i, c * kAddress, kAddress, at(place.address, c));
      set_bits(m.known_rank_i, c * kAddress, kAddress, at(place.known_rank, c));
      set_bits(m.known_total_i, c * kRank, kRank, at(place.known_total, c));
      for (std::size_t i = c * NodeModule::Digits; i < (c + 1) * NodeModule::Digits; ++i) {
        set_bits(m.plus_port_i, i * kPort, kPort, at(place.plus_port, i));
        set_bits(m.minus_port_i, i * kPort, kPort, at(place.minus_port, i));
      }
    }
    set_bits(m.known_class_i, 0, kRemainder, place.known_class);
  }
  void put_operand(const ScanOperand& operand) const {
    M& m = this->model;
    const std::uint64_t piece = NodeModule::Pieces == 2 ? operand.rank << 1 | operand.piece : operand.rank;
    set_bits(m.load_class_i, 0, kRemainder, operand.class_number);
    set_bits(m.load_address_i, 0, NodeModule::MemoryWidth, piece << kLength | operand.flit);
    set_bits(m.load_flit_i, 0, 64, operand.value);
  }
};

template <class M>
class ScanHost {
 public:
  using Model = M;
  using Program = ScanProgram;
  using Ports = ScanPorts<M>;
  static constexpr std::uint32_t kLanes = 3 * NodeModule::Classes;
  static constexpr bool kRunsBeforeStart = false;
  static constexpr bool kIsPolled = true;  // in every interval there may be a packet

  void reset(Ports ports) {
    *this = {};
    ports.model.pending_i = 0;
    ports.model.load_valid_i = 0;
  }
  template <class Tick>
  void load(Ports ports, const ScanProgram& program, std::uint32_t, Tick tick) {
    source_ = program.source;
    known_ = program.settings.known;
    ports.configure(program.settings);
    ports.put_place(program.place);
    for (const ScanOperand& operand : program.operands) {
      ports.model.load_valid_i = 1;
      ports.put_operand(operand);
      tick();
      ports.model.load_valid_i = 0;
    }
  }
  void offer_later(HostPacket) {}
  std::uint32_t packets() const { return 0; }
  bool wants(const SlotSignals& signals) const { return signals.slot_open_next && !done_; }
  bool has_more() const { return false; }
  bool offer(Ports ports, const SlotSignals& signals, std::uint32_t id) {
    M& m = ports.model;
    m.pending_i = source_ != nullptr && source_->is_pending(signals.now, id);
    const auto phase = static_cast<ScanPhase>(m.phase_o);
    const bool before = known_ && phase == ScanPhase::kIdle && m.pending_i;
    const bool gives = m.active_o && (phase == ScanPhase::kClassScan || phase == ScanPhase::kRankScan ||
                                      phase == ScanPhase::kPack);
    if (before || gives) {
      for (std::uint32_t c = 0; c < NodeModule::Classes; ++c) {
        const auto flit =
            static_cast<std::uint32_t>(get_bits(m.own_index_o, c * Ports::kLength, Ports::kLength));
        set_bits(m.own_flit_i, c * 64, 64, source_->own_flit(id, c, flit));
      }
    }
    return false;
  }
  void before_edge(Ports, NetworkTime) {}
  bool after_edge(Ports ports, NetworkTime now, std::uint32_t id, std::uint64_t delivered) {
    const M& m = ports.model;
    if (m.interval_first_o && m.active_o && source_ != nullptr) source_->on_taken(now, id);
    done_ = done_ || (m.intervals_o != 0 && m.idle_o);
    return !m.idle_o || delivered != 0;
  }
  /// The lane as the observer knows it (kScanLanes of node_program.hpp), from one of three of the hardware.
  static std::uint32_t lane(Ports ports, std::uint32_t lane) {
    const std::uint32_t way = lane % 3;
    const std::uint32_t kind = way == 2 ? kScanHere : way + (ports.model.deliver_whole_o ? kScanWhole : 0);
    return lane / 3 * kScanLanes + kind;
  }
  void extend(Ports, NodeCounters&) const {}
  void extend(Ports ports, NodeStatus& status) const {
    const M& m = ports.model;
    ScanStatus& s = status.scan;
    s.phase = static_cast<ScanPhase>(m.phase_o);
    s.active = m.active_o;
    s.class_number = static_cast<std::uint32_t>(m.class_o);
    for (std::size_t c = 0; c < NodeModule::Classes; ++c) {
      s.rank.push_back(get_bits(m.rank_o, c * Ports::kAddress, Ports::kAddress));
      s.total.push_back(get_bits(m.total_o, c * Ports::kRank, Ports::kRank));
    }
    s.group_total = get_bits(m.group_total_o, 0, Ports::kRank);
    s.intervals = m.intervals_o;
    s.last_cycle = m.last_cycle_o;
    for (std::size_t p = 0; p < kScanPhases; ++p) s.phase_cycles[p] = get_word(m.phase_cycles_o, p);
  }

 private:
  ScanSource* source_ = nullptr;
  bool known_ = false;  // ranks are known: hosts give their packets before an interval begins
  bool done_ = false;   // has finished its only interval
};

}  // namespace safnet
