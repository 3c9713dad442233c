// schedule_keys - what a schedule file may hold: its keys, and what may stand behind each of them.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "cpp_model/schedule/schedule.hpp"
#include "cpp_model/schedule/schedule_limits.hpp"

namespace safnet::schedule_format {

inline constexpr std::uint32_t kFormatVersion = 1;
inline constexpr std::string_view kFormatName = "safnet-schedule";
/// The value of packets.of.
inline constexpr std::string_view kOfCollective = "collective";

/// Whether a spelling names a file: such networks are written port by port, as the file may be gone.
inline bool reads_a_file(const std::string& spelling) { return spelling.find("graph:") != std::string::npos; }
/// Characters that a text of one line does not have.
inline bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

enum class Key : std::uint8_t {
  kFormat,
  kVersion,
  kDescription,
  kAlgorithm,
  kCollective,
  kRoot,
  kPorts,
  kSlotCycles,
  kLinkLatency,
  kOperation,
  kNetwork,
  kPackets,
  kSends,
  kNetworkName,
  kNetworkNodes,
  kNetworkPorts,
  kNetworkProcessors,
  kPacketsOf,
  kPacketsActive,
  kPacketsFlits,
  kPacketsOrigin,
  kPacketsTag,
  kPacketsDestinations,
  kPacketsParts,
  kSendsSlot,
  kSendsCount,
  kSendsLink,
  kSendsPacket,
};
using enum Key;
inline constexpr std::size_t kKeys = static_cast<std::size_t>(kSendsPacket) + 1;

enum Kind : unsigned { kNumber = 1, kText = 2, kArray = 4, kObject = 8 };

inline constexpr std::size_t kDepths = 4;

/// What may stand behind a key: what kinds at which depth of arrays, how many items such an array has at
/// most, and the range of its numbers.
struct KeyEntry {
  Key key;
  std::string_view path;
  std::array<unsigned, kDepths> accepts;
  std::array<std::uint64_t, kDepths> most_items = {};
  std::uint64_t low = 0, high = 0;
};

inline constexpr std::uint64_t kMax32 = std::numeric_limits<std::uint32_t>::max();
inline constexpr std::uint64_t kMaxLinks = std::uint64_t{kMaxNodes} * kMaxDegree;
inline constexpr std::uint64_t kMaxPackets = PacketList::kMaxPackets;

/// In the order of Key. A section's keys begin with its own path.
inline constexpr std::array<KeyEntry, kKeys> kKeyEntries{{
    {kFormat, "format", {kText}},
    {kVersion, "version", {kNumber}, {}, kFormatVersion, kFormatVersion},
    {kDescription, "description", {kText}},
    {kAlgorithm, "algorithm", {kText}},
    {kCollective, "collective", {kText}},
    {kRoot, "root", {kNumber}, {}, 0, kMaxNodes - 1},
    {kPorts, "ports", {kText}},
    {kSlotCycles, "slot_cycles", {kNumber}, {}, 1, kMaxFileCycles},
    {kLinkLatency, "link_latency", {kNumber}, {}, 0, kMaxFileCycles},
    {kOperation, "operation", {kText}},
    {kNetwork, "network", {kText | kObject}},
    {kPackets, "packets", {kObject}},
    {kSends, "sends", {kObject}},
    {kNetworkName, "network.name", {kText}},
    {kNetworkNodes, "network.nodes", {kArray, kText}, {0, kMaxNodes}},
    {kNetworkPorts,
     "network.ports",
     {kArray, kArray, kArray, kNumber},
     {0, kMaxNodes, kMaxDegree, 4},
     0,
     kMaxNodes - 1},
    {kNetworkProcessors, "network.processors", {kNumber}, {}, 1, kMaxNodes},
    {kPacketsOf, "packets.of", {kText}},
    {kPacketsActive, "packets.active", {kArray, kNumber}, {0, kMaxNodes}, 0, kMaxNodes - 1},
    {kPacketsFlits, "packets.flits", {kNumber | kArray, kNumber}, {0, kMaxPackets}, 1, kMaxFileCycles},
    {kPacketsOrigin, "packets.origin", {kArray, kNumber}, {0, kMaxPackets}, 0, kMaxNodes - 1},
    {kPacketsTag, "packets.tag", {kArray, kNumber}, {0, kMaxPackets}, 0, kMax32},
    {kPacketsDestinations,
     "packets.destinations",
     {kArray, kNumber | kArray, kNumber},
     {0, kMaxPackets, kMaxNodes},
     0,
     kMaxNodes - 1},
    {kPacketsParts,
     "packets.parts",
     {kArray, kArray, kNumber},
     {0, kMaxPackets, kMaxPackets},
     0,
     kMaxPackets - 1},
    {kSendsSlot, "sends.slot", {kArray, kNumber}, {0, kMaxFileSends}, 1, kMax32},
    {kSendsCount, "sends.count", {kArray, kNumber}, {0, kMaxFileSends}, 1, kMaxFileSends},
    {kSendsLink, "sends.link", {kArray, kNumber}, {0, kMaxFileSends}, 0, kMaxLinks - 1},
    {kSendsPacket, "sends.packet", {kArray, kNumber}, {0, kMaxFileSends}, 0, kMaxPackets - 1},
}};

inline const KeyEntry& entry_of(Key key) { return kKeyEntries[static_cast<std::size_t>(key)]; }

}  // namespace safnet::schedule_format
