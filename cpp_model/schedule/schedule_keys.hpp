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

/// A network that is spelled with a file is written with its ports: the file may be gone.
bool reads_a_file(const std::string& spelling);
/// Characters that a text of one line does not have.
bool is_control(char c);

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
inline constexpr std::size_t kKeys = static_cast<std::size_t>(Key::kSendsPacket) + 1;

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

/// In the order of Key. A section's keys begin with its own path.
inline constexpr std::array<KeyEntry, kKeys> kKeyEntries{{
    {Key::kFormat, "format", {kText}},
    {Key::kVersion, "version", {kNumber}, {}, kFormatVersion, kFormatVersion},
    {Key::kDescription, "description", {kText}},
    {Key::kAlgorithm, "algorithm", {kText}},
    {Key::kCollective, "collective", {kText}},
    {Key::kRoot, "root", {kNumber}, {}, 0, kMaxNodes - 1},
    {Key::kPorts, "ports", {kText}},
    {Key::kSlotCycles, "slot_cycles", {kNumber}, {}, 1, kMaxFileCycles},
    {Key::kLinkLatency, "link_latency", {kNumber}, {}, 0, kMaxFileCycles},
    {Key::kOperation, "operation", {kText}},
    {Key::kNetwork, "network", {kText | kObject}},
    {Key::kPackets, "packets", {kObject}},
    {Key::kSends, "sends", {kObject}},
    {Key::kNetworkName, "network.name", {kText}},
    {Key::kNetworkNodes, "network.nodes", {kArray, kText}, {0, kMaxNodes}},
    {Key::kNetworkPorts,
     "network.ports",
     {kArray, kArray, kArray, kNumber},
     {0, kMaxNodes, kMaxDegree, 2},
     0,
     kMaxNodes - 1},
    {Key::kPacketsOf, "packets.of", {kText}},
    {Key::kPacketsActive, "packets.active", {kArray, kNumber}, {0, kMaxNodes}, 0, kMaxNodes - 1},
    {Key::kPacketsFlits,
     "packets.flits",
     {kNumber | kArray, kNumber},
     {0, PacketList::kMaxPackets},
     1,
     kMaxFileCycles},
    {Key::kPacketsOrigin,
     "packets.origin",
     {kArray, kNumber},
     {0, PacketList::kMaxPackets},
     0,
     kMaxNodes - 1},
    {Key::kPacketsTag, "packets.tag", {kArray, kNumber}, {0, PacketList::kMaxPackets}, 0, kMax32},
    {Key::kPacketsDestinations,
     "packets.destinations",
     {kArray, kNumber | kArray, kNumber},
     {0, PacketList::kMaxPackets, kMaxNodes},
     0,
     kMaxNodes - 1},
    {Key::kPacketsParts,
     "packets.parts",
     {kArray, kArray, kNumber},
     {0, PacketList::kMaxPackets, PacketList::kMaxPackets},
     0,
     PacketList::kMaxPackets - 1},
    {Key::kSendsSlot, "sends.slot", {kArray, kNumber}, {0, kMaxFileSends}, 1, kMax32},
    {Key::kSendsCount, "sends.count", {kArray, kNumber}, {0, kMaxFileSends}, 1, kMaxFileSends},
    {Key::kSendsLink, "sends.link", {kArray, kNumber}, {0, kMaxFileSends}, 0, kMaxLinks - 1},
    {Key::kSendsPacket,
     "sends.packet",
     {kArray, kNumber},
     {0, kMaxFileSends},
     0,
     PacketList::kMaxPackets - 1},
}};

inline const KeyEntry& entry_of(Key key) { return kKeyEntries[static_cast<std::size_t>(key)]; }

}  // namespace safnet::schedule_format
