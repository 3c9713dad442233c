#include "cpp_model/check/schedule_check.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "cpp_model/check/collective_check.hpp"
#include "cpp_model/check/findings.hpp"
#include "cpp_model/check/schedule_words.hpp"
#include "cpp_model/number/groups.hpp"
#include "cpp_model/schedule/sends_by_packet.hpp"

namespace safnet {
namespace {

constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

// Until when links or ports, each for one packet at a time, are busy. Asked in order of time.
class Occupied {
 public:
  explicit Occupied(std::size_t count) : busy_until_(count, 0) {}
  /// Marks cycles [first, last], counted from 1. Returns the last cycle of the packet before if that is still
  /// there in cycle `first`, otherwise 0.
  std::uint64_t take(std::size_t which, std::uint64_t first, std::uint64_t last) {
    const std::uint64_t until = busy_until_[which] < first ? 0 : busy_until_[which];
    busy_until_[which] = std::max(busy_until_[which], last);
    return until;
  }

 private:
  std::vector<std::uint64_t> busy_until_;
};

class Check {
 public:
  Check(const Schedule& schedule, std::size_t limit)
      : schedule_(schedule),
        graph_(schedule.network),
        packets_(schedule.packets),
        nodes_(schedule.network.node_count()),
        processors_(schedule.network.processor_count()),
        slot_cycles_(std::max(schedule.slot_cycles, 1U)),
        findings_(limit) {}

  ScheduleReport run() {
    judge_packets();
    judge_names();
    if (!schedule_.collective.empty()) check_collective(schedule_, findings_);
    if (schedule_.slot_cycles == 0) findings_.add({Phase::kSends, 0, Wrong::kSlotOfNoCycles});
    judge_order();
    judge_links_and_ports();
    collect_users();
    judge_ways();
    judge_contributions();
    const ScheduleWords words(schedule_, findings_);
    ScheduleReport report;
    report.count = findings_.count();
    for (const Finding& finding : findings_.take())
      report.violations.push_back({rule_of(finding.wrong), finding.send, words.words(finding)});
    return report;
  }

 private:
  // Packets.

  bool is_part(PacketIndex p, PacketIndex part) const { return part < p; }

  void judge_packets() {
    std::vector<PacketIndex> named_by(processors_, kNoPacket), part_of;
    if (packets_.combines()) part_of.assign(packets_.size(), kNoPacket);
    for (PacketIndex p = 0; p < packets_.size(); ++p) {
      const NodeId origin = packets_.origin(p);
      if (origin >= processors_) blame(p, Wrong::kOrigin, origin);
      if (packets_.flits(p) == 0) blame(p, Wrong::kNoFlits);
      const auto parts = packets_.parts(p);
      for (const NodeId d : packets_.destinations(p)) {
        if (d >= processors_) {
          blame(p, Wrong::kDestination, d);
          continue;
        }
        if (named_by[d] == p) blame(p, Wrong::kDestinationTwice, d);
        named_by[d] = p;
        if (d == origin && parts.empty()) blame(p, Wrong::kDestinationAtOrigin, d);
      }
      for (const PacketIndex part : parts) {
        if (!is_part(p, part)) {
          blame(p, Wrong::kLaterPart, part);
          continue;
        }
        if (part_of[part] == p) blame(p, Wrong::kPartTwice, part);
        part_of[part] = p;
        if (packets_.flits(part) != packets_.flits(p)) blame(p, Wrong::kPartLength, part);
      }
    }
  }

  std::uint64_t name(PacketIndex p) const {
    return (std::uint64_t{packets_.origin(p)} << 32) | packets_.tag(p);
  }

  void judge_names() {
    // Most planners make packets in the order of their names: then nothing needs sorting.
    PacketIndex p = 1;
    while (p < packets_.size() && name(p - 1) < name(p)) ++p;
    if (p >= packets_.size()) return;
    std::vector<PacketIndex> by_name(packets_.size());
    std::iota(by_name.begin(), by_name.end(), 0U);
    std::sort(by_name.begin(), by_name.end(),
              [this](PacketIndex a, PacketIndex b) { return std::pair(name(a), a) < std::pair(name(b), b); });
    std::size_t first = 0;
    for (std::size_t i = 1; i < by_name.size(); ++i) {
      if (name(by_name[i]) != name(by_name[first])) {
        first = i;
      } else {
        blame(by_name[i], Wrong::kName, by_name[first]);
      }
    }
  }

  void blame(PacketIndex p, Wrong wrong, std::uint64_t detail = 0) {
    findings_.add({Phase::kPackets, p, wrong, ScheduleViolation::kNoSend, p, detail});
  }

  // Sends, in order of time.

  std::size_t send_number(std::size_t position) const { return order_.empty() ? position : order_[position]; }
  std::uint64_t cycle(const Send& send) const { return (std::uint64_t{send.start} - 1) * slot_cycles_ + 1; }
  // The last cycle in which the send keeps its link busy.
  std::uint64_t last_cycle(const Send& send) const {
    const std::uint64_t flits = std::max(packets_.flits(send.packet), 1U);
    return cycle(send) + flits * graph_.timing(send.link).cycles_per_flit - 1;
  }
  std::uint64_t arrival(const Send& send) const { return last_cycle(send) + schedule_.latency(send.link); }
  bool can_be_judged(const Send& send) const {
    return send.packet < packets_.size() && send.start != 0 && send.link < graph_.link_count();
  }

  void judge_order() {
    const std::vector<Send>& sends = schedule_.sends;
    bool ordered = true;
    for (std::size_t i = 1; i < sends.size(); ++i) {
      if (!(sends[i] < sends[i - 1])) continue;
      ordered = false;
      findings_.add({Phase::kOrder, i, Wrong::kOrder, i});
    }
    if (ordered) return;
    // The other rules depend on the order of time, so sends that are not listed in it are sorted.
    order_.resize(sends.size());
    std::iota(order_.begin(), order_.end(), SendsByPacket::SendNumber{0});
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::size_t a, std::size_t b) { return sends[a] < sends[b]; });
    sorted_ = schedule_.sends;
    for (std::size_t i = 0; i < sends.size(); ++i) sorted_[i] = sends[order_[i]];
  }
  const std::vector<Send>& sends() const { return order_.empty() ? schedule_.sends : sorted_; }

  void judge_links_and_ports() {
    Occupied link(graph_.link_count()), sender(nodes_), receiver(nodes_);
    std::vector<bool> judged(graph_.has_unequal_links() ? sends().size() : 0);
    for (std::size_t i = 0; i < sends().size(); ++i) {
      const Send& send = sends()[i];
      if (send.packet >= packets_.size()) blame_send(i, Wrong::kNoSuchPacket);
      if (send.start == 0) blame_send(i, Wrong::kStart);
      if (send.link >= graph_.link_count()) blame_send(i, Wrong::kNoSuchLink);
      if (!can_be_judged(send)) continue;
      const std::uint64_t first = cycle(send), last = last_cycle(send);
      // Packets that share a link share its ports as well: reported once, for the link.
      const std::uint64_t link_until = link.take(send.link, first, last);
      const bool free = link_until == 0;
      if (!free) blame_send(i, Wrong::kLinkBusy, link_until);
      if (schedule_.ports == PortModel::kAllPort) continue;
      const std::uint64_t sender_until = sender.take(graph_.link_source(send.link), first, last);
      if (sender_until != 0 && free) blame_send(i, Wrong::kSenderBusy, sender_until);
      if (schedule_.ports == PortModel::kOnePortSend) continue;
      if (graph_.has_unequal_links()) {
        judged[i] = free;
      } else {
        judge_reception(i, free, receiver);
      }
    }
    if (!graph_.has_unequal_links() || schedule_.ports != PortModel::kOnePort) return;
    // A packet that was sent later may be received sooner.
    std::vector<std::size_t> in_order(sends().size());
    std::iota(in_order.begin(), in_order.end(), std::size_t{0});
    std::erase_if(in_order, [&](std::size_t i) { return !can_be_judged(sends()[i]); });
    std::ranges::stable_sort(
        in_order, {}, [&](std::size_t i) { return cycle(sends()[i]) + schedule_.latency(sends()[i].link); });
    for (const std::size_t i : in_order) judge_reception(i, judged[i], receiver);
  }
  // `free`: the link was; if not, that was reported.
  void judge_reception(std::size_t i, bool free, Occupied& receiver) {
    const Send& send = sends()[i];
    const std::uint64_t latency = schedule_.latency(send.link);
    const std::uint64_t until =
        receiver.take(graph_.link_target(send.link), cycle(send) + latency, last_cycle(send) + latency);
    if (until != 0 && free) blame_send(i, Wrong::kReceiverBusy, until);
  }

  // Into which combined packets each packet goes.
  void collect_users() {
    if (!packets_.combines()) return;
    users_ = Groups(packets_.size(), [this](const auto& put) {
      for (PacketIndex p = 0; p < packets_.size(); ++p) {
        for (const PacketIndex part : packets_.parts(p)) {
          if (is_part(p, part)) put(part, p);
        }
      }
    });
  }
  std::span<const PacketIndex> users(PacketIndex p) const {
    return packets_.combines() ? users_.of(p) : std::span<const PacketIndex>{};
  }

  // For each packet: which nodes have it from which cycle on, and whether all its destinations get it.
  void judge_ways() {
    const SendsByPacket by_packet(sends(), packets_.size());
    std::vector<PacketIndex> holds(nodes_, kNoPacket);
    std::vector<std::uint64_t> since(nodes_);  // the cycle at the end of which it is complete
    std::vector<std::uint64_t> complete(packets_.combines() ? packets_.size() : 0);
    for (PacketIndex p = 0; p < packets_.size(); ++p) {
      const NodeId origin = packets_.origin(p);
      const bool is_plain = packets_.parts(p).empty();
      if (origin < nodes_) {
        holds[origin] = p;
        since[origin] = is_plain ? 0 : complete[p];
      }
      for (const std::size_t i : by_packet.of(p)) {
        const Send& send = sends()[i];
        if (!can_be_judged(send)) continue;
        const NodeId from = graph_.link_source(send.link), to = graph_.link_target(send.link);
        if (holds[from] != p || since[from] == kNever) {
          blame_send(i, Wrong::kNeverHeld, from == origin ? 1 : 0);
        } else if (since[from] >= cycle(send)) {
          blame_send(i, Wrong::kTooEarly, since[from]);
        }
        if (to == origin) {
          blame_send(i, Wrong::kArrivesAtOrigin);
        } else if (holds[to] == p) {
          blame_send(i, Wrong::kArrivesTwice, since[to]);
        } else {
          holds[to] = p;
          since[to] = arrival(send);
        }
      }
      for (const PacketIndex whole : users(p)) {
        const NodeId v = packets_.origin(whole);
        if (v >= nodes_) continue;
        if (holds[v] != p) blame_end(Wrong::kPartMissing, whole, p);
        const std::uint64_t there = holds[v] == p ? since[v] : kNever;
        complete[whole] = std::max(complete[whole], there);
      }
      for (const NodeId d : packets_.destinations(p)) {
        if (d >= nodes_ || (d == origin && is_plain)) continue;
        if (holds[d] != p || since[d] == kNever) blame_end(Wrong::kNotDelivered, p, d);
      }
    }
  }

  // No contribution may count twice in one packet. If every packet goes into one other at most, the parts of
  // a packet form a tree, and none can occur twice. So only packets that hold one with several users are
  // searched, and of these only those that are part of no other, since they hold the others.
  void judge_contributions() {
    if (!packets_.combines()) return;
    std::vector<bool> may_meet(packets_.size());
    for (PacketIndex p = 0; p < packets_.size(); ++p) {
      for (const PacketIndex part : packets_.parts(p)) {
        if (is_part(p, part) && (may_meet[part] || users(part).size() > 1)) may_meet[p] = true;
      }
    }
    std::vector<PacketIndex> seen_in(packets_.size(), kNoPacket), open;
    for (PacketIndex last = 0; last < packets_.size(); ++last) {
      if (!may_meet[last] || !users(last).empty()) continue;
      open.assign(1, last);
      while (!open.empty()) {
        const PacketIndex p = open.back();
        open.pop_back();
        for (const PacketIndex part : packets_.parts(p)) {
          if (!is_part(p, part)) continue;
          if (seen_in[part] == last) {
            blame_end(Wrong::kCountedTwice, last, part);
            open.clear();
            break;
          }
          seen_in[part] = last;
          if (may_meet[part]) open.push_back(part);
        }
      }
    }
  }

  void blame_send(std::size_t position, Wrong wrong, std::uint64_t detail = 0) {
    findings_.add({Phase::kSends, position + 1, wrong, send_number(position), kNoPacket, detail});
  }
  void blame_end(Wrong wrong, PacketIndex p, std::uint64_t detail, std::uint64_t place = 0) {
    findings_.add({Phase::kEnd, p, wrong, ScheduleViolation::kNoSend, p, detail, place});
  }

  const Schedule& schedule_;
  const Graph& graph_;
  const PacketList& packets_;
  NodeId nodes_, processors_;  // all; those that process
  std::uint64_t slot_cycles_;
  Findings findings_;
  std::vector<SendsByPacket::SendNumber> order_;  // numbers in order of time, if not listed so
  std::vector<Send> sorted_;                      // the same sends in order of time
  Groups users_;  // by packet: the combined packets that it goes into, if any are
};

}  // namespace

ScheduleReport check_schedule(const Schedule& schedule, std::size_t limit) {
  return Check(schedule, limit).run();
}

}  // namespace safnet
