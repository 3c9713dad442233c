#include "sim/systemc/tlm_adapter.hpp"

#include <fmt/format.h>

#include <cstring>

#include "sim/library/task_problem.hpp"

namespace safnet {

constexpr std::size_t kWordBytes = sizeof(std::uint64_t);

TlmAdapter::TlmAdapter(const sc_core::sc_module_name& name, NetworkModule& network, std::uint32_t node)
    : sc_module(name),
      send("send"),
      receive("receive"),
      node_(node),
      processors_(network.processors()),
      most_words_(network.most_words()),
      sent_("sent", 1),
      arrived_("arrived", 1) {
  lab::require("node", node, 0, network.processors() - 1);
  network.from_host[node](sent_);
  network.to_host[node](arrived_);
  send.register_b_transport(this, &TlmAdapter::take);
  SC_HAS_PROCESS(TlmAdapter);
  SC_THREAD(give);
}

tlm::tlm_response_status TlmAdapter::check(const tlm::tlm_generic_payload& transaction) const {
  if (!transaction.is_write()) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  if (transaction.get_address() >= processors_ || transaction.get_address() == node_)
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (transaction.get_byte_enable_ptr() != nullptr) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  const std::size_t bytes = transaction.get_data_length();
  const bool streams = transaction.get_streaming_width() < bytes;
  if (bytes % kWordBytes != 0 || bytes / kWordBytes > most_words_ || streams)
    return tlm::TLM_BURST_ERROR_RESPONSE;
  return tlm::TLM_OK_RESPONSE;
}

void TlmAdapter::take(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay) {
  const tlm::tlm_response_status status = check(transaction);
  if (status == tlm::TLM_OK_RESPONSE) {
    NetworkPacket packet{node_, static_cast<std::uint32_t>(transaction.get_address()), {}};
    packet.words.resize(transaction.get_data_length() / kWordBytes);
    if (!packet.words.empty())
      std::memcpy(packet.words.data(), transaction.get_data_ptr(), transaction.get_data_length());
    wait(delay);
    delay = sc_core::SC_ZERO_TIME;
    sent_.write(packet);
  }
  transaction.set_response_status(status);
}

void TlmAdapter::give() {
  while (true) {
    NetworkPacket packet = arrived_.read();
    tlm::tlm_generic_payload transaction;
    const auto bytes = static_cast<unsigned>(packet.words.size() * kWordBytes);
    transaction.set_command(tlm::TLM_WRITE_COMMAND);
    transaction.set_address(packet.source);
    transaction.set_data_ptr(reinterpret_cast<unsigned char*>(packet.words.data()));
    transaction.set_data_length(bytes);
    transaction.set_streaming_width(bytes);
    sc_core::sc_time delay;
    receive->b_transport(transaction, delay);
    if (transaction.is_response_error()) {
      SC_REPORT_ERROR("/safnet/tlm", fmt::format("packet of node {} for node {}: the processor answered {}",
                                                 packet.source, node_, transaction.get_response_string())
                                         .c_str());
    }
    wait(delay);
  }
}

}  // namespace safnet
