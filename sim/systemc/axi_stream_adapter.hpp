// axi_stream_adapter - the host ports of a node as AXI4-Stream signals: a beat for each word of a packet.
#pragma once

#include <cstdint>
#include <systemc>

#include "sim/systemc/network_module.hpp"

namespace safnet {

/// Packets to the network come through `s_*`: `s_tdest`, read with the first beat, is the destination, and
/// `s_tlast` the last beat. A packet is handed on when it is complete, and the next one is taken meanwhile if
/// the adapter has room for all of it. Packets from the network leave through `m_*`, with their source in
/// `m_tid`; valid and data stay until a beat is taken. All outputs are registers. A packet has a word at
/// least: one without arrives as an error (SC_REPORT_ERROR), as does a beat too many.
class AxiStreamAdapter : public sc_core::sc_module {
 public:
  using Data = sc_dt::sc_uint<64>;  ///< a flit of the routers
  using Node = sc_dt::sc_uint<16>;  ///< a node's number

  sc_core::sc_in<bool> clock;      ///< that of the network
  sc_core::sc_in<bool> reset;      ///< high: what is in the adapter is forgotten
  sc_core::sc_in<bool> s_tvalid;   ///< the user has a beat for the network
  sc_core::sc_out<bool> s_tready;  ///< it is taken at this edge
  sc_core::sc_in<Data> s_tdata;    ///< the word
  sc_core::sc_in<bool> s_tlast;    ///< of a packet
  sc_core::sc_in<Node> s_tdest;    ///< the packet's destination
  sc_core::sc_out<bool> m_tvalid;  ///< the network has a beat for the user
  sc_core::sc_in<bool> m_tready;   ///< it is taken at this edge
  sc_core::sc_out<Data> m_tdata;   ///< the word
  sc_core::sc_out<bool> m_tlast;   ///< of a packet
  sc_core::sc_out<Node> m_tid;     ///< the packet's source

  /// Binds the ports of `node` of the network, which needs packets of 2 flits or more. Throws
  /// std::invalid_argument for one of single flits, and if there is no such node.
  AxiStreamAdapter(const sc_core::sc_module_name& name, NetworkModule& network, std::uint32_t node);

 private:
  void on_edge();
  void take_beat();
  void give_beat();

  std::uint32_t node_, most_words_;
  sc_core::sc_fifo<NetworkPacket> sent_, arrived_;
  NetworkPacket coming_, leaving_;  // packets under way, to the network and from it
  std::size_t left_ = 0;            // beats of `leaving_` that the user has not taken
};

}  // namespace safnet
