#include "sim/export/host_memories.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/tdm/tdm_format.hpp"

namespace safnet {
namespace {

constexpr int kLaneWidth = 8;  // of delivery_checker

// What an entry of a label table says through a port.
BitString table_field(const ExportedNetwork& network, const LabelEntry& entry, const std::string& port) {
  const int width = network.bits(port);
  BitString bits;
  if (port == "table_order_i") {
    const int of_each = width / network.value("Radix");
    for (int k = 0; k < network.value("Radix"); ++k)
      bits.put(
          static_cast<std::size_t>(k) < entry.order.size() ? entry.order[static_cast<std::size_t>(k)] : 0U,
          of_each);
    return bits;
  }
  const std::map<std::string, std::uint64_t> values{{"table_label_i", entry.label},
                                                    {"table_mask_i", entry.mask},
                                                    {"table_deliver_i", entry.deliver ? 1U : 0U},
                                                    {"table_rank_i", entry.rank},
                                                    {"table_rest_i", entry.rest_rank ? 1U : 0U},
                                                    {"table_rest_rank_i", entry.rest_rank.value_or(0)}};
  return bits.put(values.at(port), width);
}

std::vector<MemoryImage> router_memories(const ExportedNetwork& network, const RecordedHost& host) {
  MemoryImage table{.kind = "table", .streams = {{}}};
  const std::vector<std::string> ports = table_ports(network);
  table.width = 0;
  for (const std::string& port : ports) table.width += network.bits(port);
  for (const LabelEntry& entry : host.router.table) {
    BitString word;
    for (const std::string& port : ports) word.put(table_field(network, entry, port));
    table.streams[0].push_back(word);
  }
  const int inject_ports = network.bits("inject_valid_i"), flit_width = network.value("FlitWidth");
  const int rank_width = network.has("inject_rank_i") ? network.bits("inject_rank_i") / inject_ports : 1;
  MemoryImage packets{.kind = "packets", .width = flit_width + rank_width};
  packets.streams.resize(static_cast<std::size_t>(inject_ports));
  const auto words_per_flit = static_cast<std::size_t>(flit_width / 32);
  for (const HostPacket& packet : host.router.packets) {
    for (std::size_t at = 0; at < packet.words.size(); at += words_per_flit) {
      BitString flit;
      for (std::size_t i = 0; i < words_per_flit; ++i) flit.put(packet.words[at + i], 32);
      packets.streams.at(packet.port).push_back(flit.put(packet.rank, rank_width));
    }
  }
  return {std::move(table), std::move(packets)};
}

BitString receive_word(const ExportedNetwork& network, const TdmReceive& receive) {
  return BitString()
      .put(receive.buffer, network.value("BufferWidth"))
      .put(receive.generation, network.value("GenerationWidth"))
      .put(receive.parts, network.value("CountWidth"))
      .put(receive.uses, network.value("CountWidth"))
      .put(receive.actions, rtl::tdm_pkg::kActions)
      .put(receive.name, network.value("NameWidth"));
}

BitString send_word(const ExportedNetwork& network, const TdmSend& send) {
  return BitString()
      .put(send.buffer, network.value("BufferWidth"))
      .put(send.generation, network.value("GenerationWidth"))
      .put(send.own ? 1 : 0, 1)
      .put(send.slot, rtl::tdm_pkg::kSlotWidth);
}

// A packet of a host; its first flit may be given from a slot on.
void add_own(const ExportedNetwork& network, std::uint32_t operation, std::uint32_t name, std::uint32_t flits,
             std::uint32_t slot, std::vector<BitString>& stream) {
  for (std::uint32_t k = 0; k < flits; ++k) {
    std::uint32_t words[2];
    tdm_flit(name, flits, k, operation, network.value("NameWidth"), words);
    stream.push_back(
        BitString().put(words[0], 32).put(words[1], 32).put(k == 0 ? slot : 0, rtl::tdm_pkg::kSlotWidth));
  }
}

std::vector<MemoryImage> timetable_memories(const ExportedNetwork& network, const RecordedHost& host) {
  const auto radix = static_cast<std::size_t>(network.value("Radix"));
  MemoryImage receive{.kind = "receive", .width = network.value("ReceiveWidth")};
  MemoryImage send{.kind = "send", .width = network.value("SendWidth")};
  MemoryImage own{.kind = "own", .width = network.value("FlitWidth") + rtl::tdm_pkg::kSlotWidth};
  receive.streams.resize(static_cast<std::size_t>(network.value("Lanes")));
  send.streams.resize(static_cast<std::size_t>(network.value("Outputs")));
  own.streams.resize(static_cast<std::size_t>(network.value("OwnStreams")));
  if (host.timetable.instructions != nullptr) {
    const TdmNodeProgram& program = *host.timetable.instructions;
    const std::uint32_t operation = host.timetable.operation;
    for (std::size_t p = 0; p < program.receives.size(); ++p) {
      for (const TdmReceive& each : program.receives[p])
        receive.streams.at(p).push_back(receive_word(network, each));
    }
    for (std::size_t p = 0; p < program.sends.size(); ++p) {
      for (const TdmSend& each : program.sends[p]) {
        send.streams.at(p).push_back(send_word(network, each));
        if (each.own) add_own(network, operation, each.name, each.flits, 0, own.streams.at(p));
      }
    }
    for (const TdmLoad& load : program.loads) {
      receive.streams.at(radix).push_back(receive_word(network, load.receive));
      add_own(network, operation, load.part, load.flits, load.slot, own.streams.at(radix));
    }
    for (std::size_t k = 0; k < program.loopbacks.size(); ++k) {
      for (const TdmReceive& each : program.loopbacks[k].receives)
        receive.streams.at(radix + 1 + k).push_back(receive_word(network, each));
      for (const TdmSend& each : program.loopbacks[k].sends)
        send.streams.at(radix + k).push_back(send_word(network, each));
    }
  }
  return {std::move(receive), std::move(send), std::move(own)};
}

std::vector<MemoryImage> scan_memories(const ExportedNetwork& network, const RecordedHost& host) {
  const int length_width = network.value("LengthWidth"), flit_width = network.value("FlitWidth");
  const int memory_width = network.value("MemoryWidth"), pieces = network.value("Pieces");
  MemoryImage load{
      .kind = "load", .width = flit_width + memory_width + network.value("RemainderWidth"), .streams = {{}}};
  for (const ScanOperand& operand : host.scan->operands) {
    const std::uint64_t piece = pieces == 2 ? operand.rank << 1 | operand.piece : operand.rank;
    load.streams[0].push_back(BitString()
                                  .put(operand.class_number, network.value("RemainderWidth"))
                                  .put(piece << length_width | operand.flit, memory_width)
                                  .put(operand.value, flit_width));
  }
  MemoryImage own{.kind = "own", .width = flit_width, .marked = false};
  const auto room = std::size_t{1} << length_width;
  for (int c = 0; c < network.value("Classes"); ++c) {
    auto& stream = own.streams.emplace_back(room, BitString().put(0, flit_width));
    if (static_cast<std::size_t>(c) >= host.own_flits.size()) continue;
    const std::vector<std::uint64_t>& flits = host.own_flits[static_cast<std::size_t>(c)];
    for (std::size_t k = 0; k < std::min(room, flits.size()); ++k)
      stream[k] = BitString().put(flits[k], flit_width);
  }
  return {std::move(load), std::move(own)};
}

// A flit that the network told of in cycle c is on the node's ports in the cycle after it.
MemoryImage deliveries(const ExportedNetwork& network, const RecordedHost& host) {
  const int flit_width = network.value("FlitWidth");
  MemoryImage image{.kind = "deliveries", .width = 32 + kLaneWidth + 1 + flit_width, .streams = {{}}};
  for (const DeliveredFlit& flit : host.deliveries) {
    image.streams[0].push_back(BitString()
                                   .put(flit.value, flit_width)
                                   .put(flit.last ? 1 : 0, 1)
                                   .put(flit.lane, kLaneWidth)
                                   .put(flit.cycle + std::uint64_t{1}, 32));
  }
  return image;
}

}  // namespace

std::size_t MemoryImage::depth() const {
  std::size_t longest = 0;
  for (const auto& stream : streams) longest = std::max(longest, stream.size());
  return longest + (marked ? 1 : 0);
}

std::string MemoryImage::text() const {
  std::string text;
  const std::size_t words = depth();
  const std::string nothing = BitString().put(0, width + 1).hex();
  for (std::size_t s = 0; s < streams.size(); ++s) {
    text += fmt::format("// {}\n", s);
    for (const BitString& word : streams[s]) text += (marked ? BitString(word).put(1, 1) : word).hex() + "\n";
    for (std::size_t k = streams[s].size(); k < words; ++k) text += nothing + "\n";
  }
  return text;
}

std::vector<MemoryImage> host_memories(const ExportedNetwork& network, NodeId v) {
  const RecordedHost& host = network.hosts.at(v);
  std::vector<MemoryImage> images = network.host() == HostModule::kRouter ? router_memories(network, host)
                                    : network.host() == HostModule::kTdm  ? timetable_memories(network, host)
                                                                          : scan_memories(network, host);
  images.push_back(deliveries(network, host));
  return images;
}

std::vector<std::string> table_ports(const ExportedNetwork& network) {
  std::vector<std::string> ports;
  for (const char* port : {"table_label_i", "table_mask_i", "table_deliver_i", "table_rank_i",
                           "table_order_i", "table_rest_i", "table_rest_rank_i"}) {
    if (network.has(port)) ports.emplace_back(port);
  }
  return ports;
}

}  // namespace safnet
