#include "sim/page/recording_block.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <span>
#include <vector>

#include "cpp_model/number/exact.hpp"
#include "cpp_model/schedule/collective.hpp"
#include "cpp_model/schedule/schedule_metrics.hpp"
#include "sim/page/network_picture.hpp"

namespace safnet {
namespace {

using Column = std::vector<std::uint32_t>;
constexpr std::uint32_t kAllOthers = 0xffff'ffff;  // in place of a number of destinations

// Columns as bytes: the lowest byte of all items, then the next, as far as the largest item has any. Numbers
// that are alike in their high bytes compress well so.
class ColumnBytes {
 public:
  void add(const char* name, const Column& column) {
    const std::uint32_t largest = column.empty() ? 0 : *std::ranges::max_element(column);
    unsigned planes = 0;
    while (planes < 4 && (largest >> (8 * planes)) != 0) ++planes;
    for (unsigned plane = 0; plane < planes; ++plane) {
      for (const std::uint32_t item : column) bytes_.push_back(static_cast<char>(item >> (8 * plane)));
    }
    index_.push_back({name, column.size(), planes});
  }
  const nlohmann::ordered_json& index() const { return index_; }
  const std::string& bytes() const { return bytes_; }

 private:
  nlohmann::ordered_json index_ = nlohmann::ordered_json::array();
  std::string bytes_;
};

// The sends that a page has, and their packets in the order of their numbers.
struct Kept {
  std::vector<std::uint32_t> sends;
  std::vector<PacketIndex> packets;
  Column number_of;  // by packet of the recording: its number on the page, or kNoPacket
  std::string scope;
};

Kept keep(const Recording& recording, const CycleRange& shown) {
  const Schedule& schedule = recording.schedule;
  Kept kept;
  const auto in_range = [&](const Send& send) {
    return schedule.cycle(send) <= shown.last && schedule.arrival_cycle(send) >= shown.first;
  };
  const auto inside = static_cast<std::uint64_t>(std::ranges::count_if(schedule.sends, in_range));
  const std::uint64_t every = std::max<std::uint64_t>(1, divide_up(inside, kMostSendsOfPage));
  const bool whole = inside == schedule.sends.size();
  std::vector<std::uint8_t> seen(schedule.packets.size(), whole ? 1 : 0);
  for (std::uint32_t i = 0; i < schedule.sends.size(); ++i) {
    const Send& send = schedule.sends[i];
    if (!in_range(send)) continue;
    seen[send.packet] = 1;
    if (send.packet % every == 0) kept.sends.push_back(i);
  }
  kept.number_of.assign(schedule.packets.size(), kNoPacket);
  for (PacketIndex p = 0; p < schedule.packets.size(); ++p) {
    if (seen[p] == 0 || p % every != 0) continue;
    kept.number_of[p] = static_cast<PacketIndex>(kept.packets.size());
    kept.packets.push_back(p);
  }
  if (!whole)
    kept.scope = fmt::format("{} of {} transfers: those in the steps that were asked for. ", inside,
                             schedule.sends.size());
  if (every > 1) {
    kept.scope += fmt::format(
        "A sample: one packet in {}, with its whole way, {} of {} transfers. Curves, delays and queues are "
        "those of "
        "the sample; the loads of links are those of all packets.",
        every, kept.sends.size(), inside);
  }
  return kept;
}

// Signed numbers in units of 1/256, in 32 bits as C has them.
std::uint32_t fixed(double value) {
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(std::lround(256 * value)));
}
std::uint32_t part_of(double value, double whole) {
  return whole <= 0 ? 0 : static_cast<std::uint32_t>(std::lround(65535 * value / whole));
}

void add_network(ColumnBytes& columns, const Recording& recording, nlohmann::ordered_json& head) {
  const Graph& graph = recording.schedule.network;
  const NetworkPicture picture = picture_of(graph);
  head["nodes"] = graph.node_count();
  head["processors"] = graph.processor_count();
  head["width"] = picture.width;
  head["height"] = picture.height;
  head["names"] = nullptr;
  std::vector<std::string> names;
  for (NodeId v = 0; v < graph.node_count(); ++v) names.push_back(graph.node_name(v));
  bool numbers = true;
  for (NodeId v = 0; v < graph.node_count() && numbers; ++v) numbers = names[v] == std::to_string(v);
  if (!numbers) head["names"] = std::move(names);
  Column x, y, source, target, kind, dx, dy;
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    x.push_back(part_of(picture.x[v], picture.width));
    y.push_back(part_of(picture.y[v], picture.height));
    for (PortId p = 0; p < graph.degree(v); ++p) {
      const LinkId link = graph.link(v, p);
      source.push_back(v);
      target.push_back(graph.peer(v, p).node);
      kind.push_back(static_cast<std::uint32_t>(picture.kind[link]));
      dx.push_back(fixed(picture.dx[link]));
      dy.push_back(fixed(picture.dy[link]));
    }
  }
  Column flits;
  for (const std::uint64_t carried : flits_by_link(recording.schedule))
    flits.push_back(static_cast<std::uint32_t>(std::min<std::uint64_t>(carried, 0xffff'ffff)));
  columns.add("x", x);
  columns.add("y", y);
  columns.add("linkSource", source);
  columns.add("linkTarget", target);
  columns.add("linkKind", kind);
  columns.add("linkDx", dx);
  columns.add("linkDy", dy);
  columns.add("linkFlits", flits);
}

bool is_for_all_others(const Graph& graph, NodeId origin, std::span<const NodeId> destinations) {
  const NodeId others = graph.processor_count() - (origin < graph.processor_count() ? 1 : 0);
  return others > 1 && destinations.size() == others && std::ranges::count(destinations, origin) == 0;
}

void add_packets(ColumnBytes& columns, const Recording& recording, const Kept& kept) {
  const PacketList& packets = recording.schedule.packets;
  Column origin, tag, flits, counts, destinations, part_counts, parts, generated, kinds;
  for (const PacketIndex p : kept.packets) {
    origin.push_back(packets.origin(p));
    tag.push_back(packets.tag(p));
    flits.push_back(packets.flits(p));
    const std::span<const NodeId> to = packets.destinations(p);
    if (is_for_all_others(recording.schedule.network, packets.origin(p), to)) {
      counts.push_back(kAllOthers);
    } else {
      counts.push_back(static_cast<std::uint32_t>(to.size()));
      destinations.insert(destinations.end(), to.begin(), to.end());
      std::sort(destinations.end() - static_cast<std::ptrdiff_t>(to.size()),
                destinations.end());  // pages search
    }
    const std::size_t before = parts.size();
    for (const PacketIndex part : packets.parts(p)) {
      if (kept.number_of[part] != kNoPacket) parts.push_back(kept.number_of[part]);
    }
    part_counts.push_back(static_cast<std::uint32_t>(parts.size() - before));
    if (!recording.generated.empty()) generated.push_back(recording.generated[p]);
    if (!recording.kinds.empty()) kinds.push_back(recording.kinds[p]);
  }
  columns.add("number", kept.packets);
  columns.add("origin", origin);
  columns.add("tag", tag);
  columns.add("flits", flits);
  columns.add("destinationCount", counts);
  columns.add("destinations", destinations);
  columns.add("partCount", part_counts);
  columns.add("parts", parts);
  columns.add("generated", generated);
  columns.add("kind", kinds);
}

// Starts as runs: the slots since the run before, and the sends that start in it.
void add_sends(ColumnBytes& columns, const Recording& recording, const Kept& kept) {
  Column gaps, counts, links, packets;
  std::uint32_t last = 0;
  for (const std::uint32_t i : kept.sends) {
    const Send& send = recording.schedule.sends[i];
    if (send.start != last) {
      gaps.push_back(send.start - last);
      counts.push_back(0);
      last = send.start;
    }
    ++counts.back();
    links.push_back(send.link);
    packets.push_back(kept.number_of[send.packet]);
  }
  columns.add("startGap", gaps);
  columns.add("startCount", counts);
  columns.add("sendLink", links);
  columns.add("sendPacket", packets);
}

}  // namespace

std::string in_base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      text += k <= bytes.size() - i ? kDigits[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

std::string gzipped(std::string_view bytes) {
  constexpr int kGzip = 15 + 16;  // the largest window, with gzip's header
  z_stream stream{};
  if (::deflateInit2(&stream, 6, Z_DEFLATED, kGzip, 9, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
  std::string packed(::deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  ::deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  ::deflateEnd(&stream);
  return packed;
}

std::string recording_block(const Recording& recording, const CycleRange& shown,
                            nlohmann::ordered_json head) {
  const Schedule& schedule = recording.schedule;
  const Kept kept = keep(recording, shown);
  ColumnBytes columns;
  add_network(columns, recording, head);
  add_packets(columns, recording, kept);
  add_sends(columns, recording, kept);
  const std::uint64_t last = std::min(shown.last, std::max<std::uint64_t>(1, last_arrival_cycle(schedule)));
  head["ports"] = to_string(schedule.ports);
  head["slotCycles"] = schedule.slot_cycles;
  head["latency"] = schedule.link_latency;
  head["firstCycle"] = std::min(shown.first, last);
  head["lastCycle"] = last;
  head["scope"] = kept.scope;
  head["kinds"] = recording.kind_words;
  head["phases"] = nlohmann::ordered_json::array();
  for (const Recording::Phase& phase : recording.phases)
    head["phases"].push_back({phase.first_cycle, phase.words});
  head["columns"] = columns.index();
  const std::string words = head.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  std::string bytes;
  for (unsigned shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(words.size() >> shift);
  bytes += words;
  bytes += columns.bytes();
  return in_base64(gzipped(bytes));
}

}  // namespace safnet
