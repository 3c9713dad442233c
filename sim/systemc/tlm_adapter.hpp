// tlm_adapter - the host ports of a node as TLM-2.0 sockets: one generic payload transaction for each packet.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <systemc>
#include <tlm>

#include "sim/systemc/network_module.hpp"

namespace safnet {

/// Blocking transport both ways. A write to `send` is a packet: the address is its destination, the data its
/// words, 8 bytes each. The call returns when the adapter has the packet, of which it keeps one that the node
/// does not take yet; its annotated delay is waited for before. Wrong transactions get a response that says
/// so: another command than a write, an address that is no other processor, data that are no words or too
/// many, byte enables. A packet that arrives is a write through `receive`, whose address is the packet's
/// source; the next one follows when the processor has returned, and another response than TLM_OK_RESPONSE is
/// an error (SC_REPORT_ERROR).
class TlmAdapter : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<TlmAdapter> send;        ///< to be bound to the processor's initiator
  tlm_utils::simple_initiator_socket<TlmAdapter> receive;  ///< to be bound to the processor's target

  /// Binds the ports of `node` of the network. Throws std::invalid_argument if there is no such node.
  TlmAdapter(const sc_core::sc_module_name& name, NetworkModule& network, std::uint32_t node);

 private:
  void take(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay);
  tlm::tlm_response_status check(const tlm::tlm_generic_payload& transaction) const;
  void give();

  std::uint32_t node_, processors_, most_words_;
  sc_core::sc_fifo<NetworkPacket> sent_, arrived_;
};

}  // namespace safnet
