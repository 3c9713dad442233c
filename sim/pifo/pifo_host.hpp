// pifo_host - the host of one router in a verilated model: writes the label table, injects packets, a flit a
// cycle through each injection port.
//
// Part of the variants of pifo_node, of exchange_node (a pifo_node that scans first) and of fifo_node; see
// verilated_batch.hpp for what a host is.
#pragma once

#include <array>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sim/variant/node_ports.hpp"

namespace safnet {

/// Injection ports of the node `Module`: as many as it says, or one.
template <class Module>
constexpr std::uint32_t injection_ports_of() {
  if constexpr (requires { Module::InjectPorts; })
    return Module::InjectPorts;
  else
    return 1;
}

template <class M>
struct PifoPorts : NodePorts<M, NodeModule::OccupancyWidth> {
  static constexpr std::uint32_t kInjectPorts = injection_ports_of<typename ModuleOf<M>::Type>();
  std::size_t inject_port(std::uint32_t port) const { return this->number * kInjectPorts + port; }
  bool inject_ready(std::uint32_t port) const {
    return this->bit(this->model.inject_ready_o, inject_port(port));
  }
  void inject_nothing() const { set_bits(this->model.inject_valid_i, inject_port(0), kInjectPorts, 0); }
  void inject(std::uint32_t port, const std::uint32_t* words, std::uint32_t rank) const {
    set_bits(this->model.inject_valid_i, inject_port(port), 1, 1);
    write_flit(this->model.inject_flit_i, inject_port(port), words);
    if constexpr (requires { this->model.inject_rank_i; }) {
      constexpr std::size_t kWidth = ModuleOf<M>::Type::InjectWidth;
      set_bits(this->model.inject_rank_i, inject_port(port) * kWidth, kWidth, rank);
    }
  }
  // In a whole network each node has its own valid bit; all share the inputs for the entry itself.
  void table_valid(bool valid) const { set_bits(this->model.table_valid_i, this->number, 1, valid); }
  void put_entry(const LabelEntry& entry) const {
    M& m = this->model;
    set_bits(m.table_label_i, 0, 32, entry.label);
    set_bits(m.table_mask_i, 0, kRadix, entry.mask);
    m.table_deliver_i = entry.deliver;
    if constexpr (requires { m.table_rank_i; }) {
      set_bits(m.table_rank_i, 0, 16, entry.rank);
      constexpr std::size_t kPortWidth = ModuleOf<M>::Type::PortWidth;
      for (std::size_t k = 0; k < entry.order.size(); ++k)
        set_bits(m.table_order_i, k * kPortWidth, kPortWidth, entry.order[k]);
      m.table_rest_i = entry.rest_rank.has_value();
      set_bits(m.table_rest_rank_i, 0, 16, entry.rest_rank.value_or(0));
    }
  }
  /// A single pifo_node's table can be written as the memory that it is (label_table.sv): an entry then costs
  /// no clock cycle of the model. Other kinds of nodes and whole networks are told through the port, and so
  /// are nodes that scan first, whose scan listens there as well.
  static constexpr bool is_pifo_node() {
    if constexpr (requires(M & m) { m.pifo_node; })
      return ModuleOf<M>::Type::InjectWidth == ModuleOf<M>::Type::RankWidth;
    return false;
  }
  static constexpr bool kTableIsInReach = is_pifo_node() && requires(M & m) {
    m.pifo_node->__PVT__u_label_table__DOT__entry_q;
  };
  void write_entry(const LabelEntry& entry) const {
    auto& node = *this->model.pifo_node;
    auto& entries = node.__PVT__u_label_table__DOT__entry_q;
    if (entry.label >= sizeof entries / sizeof entries[0])
      throw std::logic_error("a label that is not in the table");
    auto& memory = entries[entry.label];  // {rank, deliver, mask}
    constexpr std::size_t kRankWidth = ModuleOf<M>::Type::RankWidth,
                          kPortWidth = ModuleOf<M>::Type::PortWidth;
    set_bits(memory, 0, kRadix, entry.mask);
    set_bits(memory, kRadix, 1, entry.deliver);
    set_bits(memory, kRadix + 1, kRankWidth, entry.rank);
    write_order(node, entry, kPortWidth);
    write_rest(node, entry, kRankWidth);
  }
  void branch_first(std::uint64_t first_ports) const {
    if constexpr (requires { this->model.branch_first_i; })
      set_bits(this->model.branch_first_i, this->at_port(0), kRadix, first_ports);
  }

 private:
  template <class Node>
  static void write_order(Node& node, const LabelEntry& entry, std::size_t port_width) {
    if constexpr (requires { node.__PVT__u_label_table__DOT__g_order__DOT__order_q; }) {
      auto& memory = node.__PVT__u_label_table__DOT__g_order__DOT__order_q[entry.label];
      for (std::size_t k = 0; k < entry.order.size(); ++k)
        set_bits(memory, k * port_width, port_width, entry.order[k]);
    }
  }
  template <class Node>
  static void write_rest(Node& node, const LabelEntry& entry, std::size_t rank_width) {
    if constexpr (requires { node.__PVT__u_label_table__DOT__g_rest__DOT__rest_q; }) {
      auto& memory =
          node.__PVT__u_label_table__DOT__g_rest__DOT__rest_q[entry.label];  // {there is one, rank}
      set_bits(memory, 0, rank_width, entry.rest_rank.value_or(0));
      set_bits(memory, rank_width, 1, entry.rest_rank.has_value());
    }
  }
};

template <class M>
class PifoHost {
 public:
  using Model = M;
  using Program = RouterProgram;
  using Ports = PifoPorts<M>;
  static constexpr std::uint32_t kLanes = kRadix;
  static constexpr bool kRunsBeforeStart = false;

  void reset(Ports ports) {
    ports.inject_nothing();
    ports.table_valid(false);
    streams_ = {};
    waiting_ = 0;
    was_reset_ = true;
  }

  template <class Tick>
  void load(Ports ports, const RouterProgram& program, std::uint32_t, Tick tick) {
    ports.branch_first(program.branch_first);
    // The RTL's label table has no reset: entries of the program before that are not overwritten have to be
    // cleared.
    std::vector<bool> stale;
    if (std::exchange(was_reset_, false)) stale.swap(written_);
    for (const LabelEntry& entry : program.table) {
      if (written_.size() <= entry.label) written_.resize(entry.label + 1);
      written_[entry.label] = true;
      write(ports, entry, tick);
    }
    for (std::uint32_t label = 0; label < stale.size(); ++label) {
      const bool again = label < written_.size() && written_[label];
      if (stale[label] && !again) write(ports, LabelEntry{.label = label}, tick);
    }
    for (const HostPacket& packet : program.packets) offer_later(packet);
    tick();
    while (inject(ports)) tick();
    tick();
  }

  void offer_later(HostPacket packet) {
    streams_.at(packet.port).packets.push_back(std::move(packet));
    ++waiting_;
  }
  std::uint32_t packets() const { return waiting_; }
  std::uint64_t unused_ports() const {
    std::uint64_t ports = 0;
    for (std::uint32_t port = 0; port < Ports::kInjectPorts; ++port)
      ports |= std::uint64_t{streams_[port].packets.empty()} << port;
    return ports;
  }
  bool wants(const SlotSignals&) const { return has_more(); }
  bool has_more() const { return waiting_ != 0; }
  // False: a packet that joins the queue of its own node is no progress of the network.
  bool offer(Ports ports, const SlotSignals&, std::uint32_t) {
    inject(ports);
    return false;
  }
  void before_edge(Ports, NetworkTime) {}
  bool after_edge(Ports ports, NetworkTime, std::uint32_t, std::uint64_t) const { return !ports.idle(); }
  static std::uint32_t lane(Ports, std::uint32_t lane) { return lane; }
  void extend(Ports, NodeCounters&) const {}
  void extend(Ports, NodeStatus&) const {}

 private:
  template <class Tick>
  static void write(Ports ports, const LabelEntry& entry, Tick tick) {
    if constexpr (Ports::kTableIsInReach) {
      ports.write_entry(entry);
    } else {
      static_assert(!Ports::is_pifo_node(), "label_table: its memory has another name");
      ports.table_valid(true);
      ports.put_entry(entry);
      tick();
      ports.table_valid(false);
    }
  }

  /// What is injected through one port: emptied when its last packet has left.
  struct Stream {
    std::vector<HostPacket> packets;
    std::size_t next = 0;       // packet being injected
    std::size_t next_word = 0;  // of that packet
  };

  // Puts the next flit on each injection port whose node is ready for it. False if there was none.
  bool inject(Ports ports) {
    ports.inject_nothing();
    if (!has_more()) return false;
    bool any = false;
    for (std::uint32_t port = 0; port < Ports::kInjectPorts; ++port) {
      Stream& stream = streams_[port];
      if (stream.packets.empty() || !ports.inject_ready(port)) continue;
      any = true;
      const HostPacket& packet = stream.packets[stream.next];
      ports.inject(port, &packet.words[stream.next_word], packet.rank);
      stream.next_word += kFlitWords;
      if (stream.next_word < packet.words.size()) continue;
      stream.next_word = 0;
      --waiting_;
      if (++stream.next < stream.packets.size()) continue;
      stream.packets.clear();
      stream.next = 0;
    }
    return any;
  }

  std::array<Stream, Ports::kInjectPorts> streams_;
  std::uint32_t waiting_ = 0;  // packets that have not been injected, of all streams
  std::vector<bool> written_;  // labels that the table has entries for
  bool was_reset_ = false;     // since the last program
};

}  // namespace safnet
