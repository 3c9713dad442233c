#include "sim/pifo/router_program.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>
#include <vector>

#include "cpp_model/number/bits.hpp"
#include "sim/machine/limits.hpp"

namespace safnet {
namespace {

// The hardware holds a permutation of all ports: those that the algorithm lists, then the others.
LabelEntry hardware_entry(Label label, const TableEntry& entry, PortId radix, bool ordered) {
  LabelEntry result{label, static_cast<std::uint64_t>(entry.output_mask), entry.deliver, entry.rank, {}, {}};
  if (!ordered) return result;
  result.rest_rank = entry.rest_rank;
  std::vector<bool> listed(radix);
  const auto list = [&](PortId p) {
    if (!listed.at(p)) result.order.push_back(static_cast<std::uint8_t>(p));
    listed[p] = true;
  };
  for (const PortId p : entry.service_order) list(p);
  for (PortId p = 0; p < radix; ++p) list(p);
  return result;
}

// Ports that lead nowhere are branches of their own.
std::uint64_t first_ports(const Graph& graph, NodeId v) {
  std::uint64_t first = ~std::uint64_t{0};
  for (PortId p = 1; p < graph.degree(v); ++p) {
    if (graph.peer(v, p).node == graph.peer(v, p - 1).node) first &= ~(std::uint64_t{1} << p);
  }
  return first;
}

}  // namespace

HostPacket host_packet(const PacketFormat& format, NodeId source, const Injection& injection, int flits) {
  const PacketId id{source, injection.tag};
  const auto length = injection.flits == 0 ? static_cast<std::uint32_t>(flits) : injection.flits;
  if (length > static_cast<std::uint32_t>(flits))
    throw bad_input("packet (source {}, tag {}): {} flits; expected 1 to {}", source, id.tag, length, flits);
  HostPacket packet;
  packet.rank = injection.rank;
  for (std::uint32_t f = 0; f < length; ++f) {
    const std::uint64_t flit = format.flit(injection.label, id, length, f);
    packet.words.push_back(static_cast<std::uint32_t>(flit));
    packet.words.push_back(static_cast<std::uint32_t>(flit >> 32));
  }
  return packet;
}

namespace {

// Packets of a host that does not know its node's class yet: labels of class 0, a rank for each class.
std::vector<HostPacket> unclassed_packets(const PacketFormat& format, NodeId v, const ClassScan& scan,
                                          const PifoParameters& parameters) {
  const std::vector<Injection> row_first = scan.injections(v, 0), column_first = scan.injections(v, 1);
  std::vector<HostPacket> packets;
  for (std::size_t i = 0; i < row_first.size(); ++i) {
    const Injection &a = row_first[i], &b = column_first.at(i);
    if (a.tag != b.tag || a.label % 2 != 0 || (a.label | 1) != b.label)
      throw std::logic_error(fmt::format("node {}: packets of the two classes differ", v));
    packets.push_back(host_packet(format, v, a, parameters.flits));
    packets.back().rank |= b.rank << index_width(parameters.rank_levels);
  }
  return packets;
}

}  // namespace

RouterProgram router_table(const Graph& graph, const Policy& policy, const PifoParameters& parameters,
                           NodeId v, const LabelUse* use) {
  RouterProgram program;
  if (policy.deals_links) program.branch_first = first_ports(graph, v);
  const auto add = [&](Label label) {
    const TableEntry entry = policy.table(v, label);
    if (entry.output_mask == 0 && !entry.deliver) return;  // no packet with this label comes here
    if (entry.rest_rank && parameters.port_model != rtl::safnet_pkg::kAllPort && parameters.rest_ranks == 0) {
      throw std::logic_error(fmt::format(
          "label {} at node {} has a rest_rank; expected a policy with rest_ranks = true", label, v));
    }
    program.table.push_back(hardware_entry(label, entry, static_cast<PortId>(parameters.radix),
                                           parameters.port_model != rtl::safnet_pkg::kAllPort));
  };
  if (use != nullptr) {
    for (const Label label : use->at(v)) add(label);
  } else {
    for (Label label = 0; label < policy.label_count; ++label) add(label);
  }
  return program;
}

std::vector<HostPacket> router_packets(const Policy& policy, const PifoParameters& parameters, NodeId v) {
  const PacketFormat format(parameters);
  if (policy.scan) return unclassed_packets(format, v, *policy.scan, parameters);
  std::vector<HostPacket> packets;
  for (const Injection& injection : policy.injections(v))
    packets.push_back(host_packet(format, v, injection, parameters.flits));
  return packets;
}

}  // namespace safnet
