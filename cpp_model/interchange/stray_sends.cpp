#include "cpp_model/interchange/stray_sends.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "cpp_model/graph/text.hpp"
#include "cpp_model/schedule/sends_by_packet.hpp"

namespace safnet {
namespace {

// Goes through the packets from the last to the first, since parts have smaller numbers than their wholes,
// and through the sends of each from the last to the first: what is needed of a packet is known by then.
class NeededSends {
 public:
  explicit NeededSends(const Schedule& schedule)
      : schedule_(schedule),
        packets_(schedule.packets),
        sends_(schedule.sends, packets_.size()),
        needed_(schedule.sends.size()),
        kept_(packets_.size()),
        wholes_at_(packets_.combines() ? packets_.size() : 0),
        there_(schedule.network.node_count(), kNoPacket),
        wanted_(schedule.network.node_count(), kNoPacket) {
    for (PacketIndex p = packets_.size(); p-- > 0;) follow(p);
  }
  bool needs(std::size_t send) const { return needed_[send]; }
  bool keeps(PacketIndex p) const { return kept_[p]; }

 private:
  void follow(PacketIndex p) {
    for (const NodeId v : packets_.destinations(p)) want(p, v);
    if (!wholes_at_.empty()) {
      for (const NodeId v : wholes_at_[p]) want(p, v);
    }
    if (!kept_[p]) return;
    const auto of_it = sends_.of(p);
    // Only the first send to a node brings it the packet.
    there_[packets_.origin(p)] = p;
    first_.assign(of_it.size(), false);
    for (std::size_t i = 0; i < of_it.size(); ++i) {
      const NodeId to = schedule_.network.link_target(schedule_.sends[of_it[i]].link);
      first_[i] = there_[to] != p;
      there_[to] = p;
    }
    for (std::size_t i = of_it.size(); i-- > 0;) {
      const LinkId link = schedule_.sends[of_it[i]].link;
      if (!first_[i] || wanted_[schedule_.network.link_target(link)] != p) continue;
      needed_[of_it[i]] = true;
      want(p, schedule_.network.link_source(link));
    }
    for (const PacketIndex part : packets_.parts(p)) wholes_at_[part].push_back(packets_.origin(p));
  }
  void want(PacketIndex p, NodeId v) {
    wanted_[v] = p;
    kept_[p] = true;
  }

  const Schedule& schedule_;
  const PacketList& packets_;
  const SendsByPacket sends_;
  std::vector<bool> needed_, kept_, first_;
  std::vector<std::vector<NodeId>> wholes_at_;  // by part: where needed packets are made of it
  std::vector<PacketIndex> there_, wanted_;     // by node: the last packet of which this was found
};

PacketList kept_packets(const PacketList& packets, const NeededSends& needed,
                        std::vector<PacketIndex>& renumbered) {
  PacketList result;
  std::vector<PacketIndex> parts;
  for (PacketIndex p = 0; p < packets.size(); ++p) {
    if (!needed.keeps(p)) continue;
    parts.clear();
    for (const PacketIndex part : packets.parts(p)) parts.push_back(renumbered[part]);
    renumbered[p] =
        result.add(packets.origin(p), packets.tag(p), packets.flits(p), packets.destinations(p), parts);
  }
  return result;
}

}  // namespace

std::string leave_out_stray_sends(Schedule& schedule, const std::function<std::string(PacketIndex)>& name) {
  if (schedule.packets.destination_count() == 0) return {};
  const NeededSends needed(schedule);
  std::vector<PacketIndex> renumbered(schedule.packets.size(), kNoPacket);
  PacketList packets = kept_packets(schedule.packets, needed, renumbered);
  std::vector<std::string> names;
  std::vector<Send> kept;
  const std::size_t all = schedule.sends.size();
  for (std::size_t i = 0; i < all; ++i) {
    const Send& send = schedule.sends[i];
    if (needed.needs(i)) {
      kept.push_back({send.start, send.link, renumbered[send.packet]});
    } else if (names.size() < kMostNamedSends) {
      names.push_back(fmt::format("{} from {} to {} in step {}", name(send.packet),
                                  schedule.network.link_source(send.link),
                                  schedule.network.link_target(send.link), send.start));
    }
  }
  if (kept.size() == all && packets.size() == schedule.packets.size()) return {};
  const std::size_t stray = all - kept.size();
  schedule.packets = std::move(packets);
  schedule.sends = std::move(kept);
  if (stray == 0) return {};
  return first_named(fmt::format("{} of {} sends left out, nobody needs what they bring", stray, all), names,
                     stray);
}

std::string first_named(const std::string& what, const std::vector<std::string>& names, std::size_t count) {
  std::string text = what;
  for (std::size_t i = 0; i < names.size(); ++i) text += (i == 0 ? ": " : "; ") + names[i];
  return count > names.size() ? text + "; ..." : text;
}

}  // namespace safnet
