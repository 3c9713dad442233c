#include "cpp_model/check/schedule_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <tuple>

#include "cpp_model/graph/text.hpp"
#include "cpp_model/schedule/collective.hpp"
#include "cpp_model/schedule/sends_by_packet.hpp"

namespace safnet {
namespace {

constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

// What can be wrong. Findings at one place are told in this order.
enum class Wrong : std::uint8_t {
  kOrigin,
  kNoFlits,
  kDestination,
  kDestinationTwice,
  kDestinationAtOrigin,
  kName,
  kLaterPart,
  kPartTwice,
  kPartLength,
  kStranger,
  kCollectiveAsAWhole,
  kOrder,
  kSlotOfNoCycles,
  kNoSuchPacket,
  kStart,
  kNoSuchLink,
  kNeverHeld,
  kTooEarly,
  kLinkBusy,
  kSenderBusy,
  kReceiverBusy,
  kArrivesTwice,
  kArrivesAtOrigin,
  kPartMissing,
  kPartUsedTwice,
  kCountedTwice,
  kNotDelivered,
};

ScheduleRule rule_of(Wrong wrong) {
  using enum Wrong;
  switch (wrong) {
    case kOrigin:
    case kNoFlits:
    case kDestination:
    case kDestinationTwice:
    case kDestinationAtOrigin:
    case kName:
    case kNoSuchPacket:
      return ScheduleRule::kPacket;
    case kLaterPart:
    case kPartTwice:
    case kPartLength:
      return ScheduleRule::kParts;
    case kStranger:
    case kCollectiveAsAWhole:
      return ScheduleRule::kCollective;
    case kOrder:
      return ScheduleRule::kOrder;
    case kSlotOfNoCycles:
    case kStart:
      return ScheduleRule::kTime;
    case kNoSuchLink:
      return ScheduleRule::kLink;
    case kNeverHeld:
    case kTooEarly:
      return ScheduleRule::kCausality;
    case kLinkBusy:
      return ScheduleRule::kOccupancy;
    case kSenderBusy:
      return ScheduleRule::kSendPort;
    case kReceiverBusy:
      return ScheduleRule::kReceivePort;
    case kArrivesTwice:
    case kArrivesAtOrigin:
      return ScheduleRule::kOnce;
    case kPartMissing:
    case kPartUsedTwice:
    case kCountedTwice:
      return ScheduleRule::kCombination;
    case kNotDelivered:
      return ScheduleRule::kDelivery;
  }
  return ScheduleRule::kPacket;
}

enum class Phase : std::uint8_t { kPackets, kCollective, kOrder, kSends, kEnd };

// A violation in numbers; only those that are kept are put in words.
struct Finding {
  Phase phase = Phase::kPackets;
  std::uint64_t position = 0;  // of the packet, or of the send in order of time
  Wrong wrong = Wrong::kOrigin;
  std::size_t send = ScheduleViolation::kNoSend;
  PacketIndex packet = kNoPacket;
  std::uint64_t detail = 0;  // a node, a packet or a cycle, by what is wrong
  std::uint64_t place = 0;   // another
  friend bool operator<(const Finding& a, const Finding& b) {
    return std::tie(a.phase, a.position, a.wrong, a.detail, a.place) <
           std::tie(b.phase, b.position, b.wrong, b.detail, b.place);
  }
};

// The first so many in their order, whatever the order in which they are found.
class Findings {
 public:
  explicit Findings(std::size_t limit) : limit_(limit) {}
  void add(const Finding& finding) {
    ++count_;
    if (first_.size() < limit_) {
      first_.push_back(finding);
      std::push_heap(first_.begin(), first_.end());
    } else if (limit_ != 0 && finding < first_.front()) {
      std::pop_heap(first_.begin(), first_.end());
      first_.back() = finding;
      std::push_heap(first_.begin(), first_.end());
    }
  }
  std::uint64_t count() const { return count_; }
  std::vector<Finding> take() {
    std::sort_heap(first_.begin(), first_.end());
    return std::move(first_);
  }

 private:
  std::size_t limit_;
  std::uint64_t count_ = 0;
  std::vector<Finding> first_;  // a heap: the last one in front
};

// Cycles in which something that carries one packet at a time is busy; asked in order of time.
class Occupied {
 public:
  explicit Occupied(std::size_t count) : busy_until_(count, 0) {}
  std::uint64_t until(std::size_t which) const { return busy_until_[which]; }
  /// Marks cycles [first, last]; false if the last packet was still there. Cycles count from 1.
  bool take(std::size_t which, std::uint64_t first, std::uint64_t last) {
    const bool free = busy_until_[which] < first;
    busy_until_[which] = std::max(busy_until_[which], last);
    return free;
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
    if (!schedule_.collective.empty()) judge_collective();
    if (schedule_.slot_cycles == 0) findings_.add({Phase::kSends, 0, Wrong::kSlotOfNoCycles});
    judge_order();
    judge_links_and_ports();
    collect_users();
    judge_ways();
    judge_contributions();
    ScheduleReport report;
    report.count = findings_.count();
    for (const Finding& finding : findings_.take())
      report.violations.push_back({rule_of(finding.wrong), finding.send, words(finding)});
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
    // Planners make packets in the order of their names, mostly; then there is nothing to sort.
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

  // Collective.

  void judge_collective() {
    CollectiveKind kind{};
    try {
      kind = parse_collective(schedule_.collective);
    } catch (const std::invalid_argument& error) {
      return blame_collective(error.what());
    }
    collective_ = kind;
    if (name_of(kind).has_root && schedule_.root >= processors_) {
      return blame_collective(fmt::format("{}: root {} does not exist; expected 0 to {}", to_string(kind),
                                          schedule_.root, processors_ - 1));
    }
    switch (kind) {
      case CollectiveKind::kBroadcast:
        return judge_broadcast();
      case CollectiveKind::kMultinodeBroadcast:
        return judge_multinode_broadcast();
      case CollectiveKind::kConcurrentBroadcast:
        return judge_concurrent_broadcast();
      case CollectiveKind::kReduction:
      case CollectiveKind::kMultinodeAccumulation:
        return judge_results();
      case CollectiveKind::kAllreduce:
        return judge_allreduce();
      case CollectiveKind::kMultipath:
        return judge_multipath();
      case CollectiveKind::kScatter:
        return judge_personal(true, false);
      case CollectiveKind::kGather:
        return judge_personal(false, true);
      case CollectiveKind::kTotalExchange:
      case CollectiveKind::kPartialExchange:
      case CollectiveKind::kPartialGather:
        return judge_personal(false, false);
      default:
        break;  // refused above
    }
  }

  void judge_broadcast() {
    for (PacketIndex p = 0; p < packets_.size(); ++p) {
      if (packets_.origin(p) != schedule_.root || packets_.destinations(p).size() != processors_ - 1 ||
          !packets_.parts(p).empty())
        blame_stranger(p);
    }
    if (packets_.size() == 0) blame_collective("broadcast: no packets; expected at least one of the root");
  }

  void judge_concurrent_broadcast() {
    for (PacketIndex p = 0; p < packets_.size(); ++p) {
      if (packets_.origin(p) >= processors_ || packets_.destinations(p).size() != processors_ - 1 ||
          !packets_.parts(p).empty())
        blame_stranger(p);
    }
    if (packets_.size() == 0) blame_collective("concurrent-broadcast: no packets; expected at least one");
  }

  void judge_multinode_broadcast() {
    std::vector<std::uint64_t> of_node(processors_);
    for (PacketIndex p = 0; p < packets_.size(); ++p) {
      if (packets_.origin(p) >= processors_ || packets_.destinations(p).size() != processors_ - 1 ||
          !packets_.parts(p).empty()) {
        blame_stranger(p);
      } else {
        ++of_node[packets_.origin(p)];
      }
    }
    judge_counts(of_node, "packets of");
  }

  // Of every node as many as of node 0, and at least one.
  void judge_counts(const std::vector<std::uint64_t>& of_node, const char* what) {
    for (NodeId v = 0; v < processors_; ++v) {
      if (of_node[v] == of_node[0] && of_node[v] != 0) continue;
      return blame_collective(fmt::format("{}: {} {} node {}; expected {}", to_string(*collective_),
                                          of_node[v], what, node(v),
                                          of_node[0] == 0 ? "at least one" : fmt::format("{}", of_node[0])));
    }
  }

  void judge_multipath() {
    std::optional<NodeId> destination;
    for (PacketIndex p = 0; p < packets_.size(); ++p) {
      const auto destinations = packets_.destinations(p);
      if (destinations.size() == 1 && !destination) destination = destinations.front();
      if (packets_.origin(p) != schedule_.root || destinations.size() != 1 ||
          destinations.front() != *destination || !packets_.parts(p).empty())
        blame_stranger(p);
    }
    if (packets_.size() == 0) blame_collective("multipath: no packets; expected at least one of the root");
  }

  // Packets with one destination each, as many for every pair of an origin and a destination.
  void judge_personal(bool from_root, bool to_root) {
    std::vector<std::uint64_t> pairs;
    pairs.reserve(packets_.size());
    std::vector<bool> is_origin(processors_, !from_root && collective_ != CollectiveKind::kPartialExchange);
    std::vector<bool> is_destination(processors_, !to_root && collective_ != CollectiveKind::kPartialGather);
    if (from_root) is_origin[schedule_.root] = true;
    if (to_root) is_destination[schedule_.root] = true;
    for (PacketIndex p = 0; p < packets_.size(); ++p) {
      const auto destinations = packets_.destinations(p);
      const NodeId origin = packets_.origin(p);
      if (destinations.size() != 1 || !packets_.parts(p).empty() || origin >= processors_ ||
          destinations.front() >= processors_ || (from_root && origin != schedule_.root) ||
          (to_root && destinations.front() != schedule_.root)) {
        blame_stranger(p);
        continue;
      }
      if (destinations.front() == origin) continue;  // has been told
      if (collective_ == CollectiveKind::kPartialExchange) is_origin[origin] = true;
      if (collective_ == CollectiveKind::kPartialGather) is_destination[destinations.front()] = true;
      pairs.push_back(std::uint64_t{origin} * processors_ + destinations.front());
    }
    if (!std::is_sorted(pairs.begin(), pairs.end())) std::sort(pairs.begin(), pairs.end());
    if (pairs.empty() && processors_ > 1)
      return blame_collective(fmt::format("{}: no packets; expected some", to_string(*collective_)));
    std::size_t next = 0, each = 0;
    for (NodeId o = 0; o < processors_; ++o) {
      if (!is_origin[o]) continue;
      for (NodeId d = 0; d < processors_; ++d) {
        if (!is_destination[d] || d == o) continue;
        const std::size_t before = next;
        while (next < pairs.size() && pairs[next] == std::uint64_t{o} * processors_ + d) ++next;
        if (each == 0) each = next - before;
        if (next - before == each && each != 0) continue;
        return blame_collective(fmt::format(
            "{}: {} packets from node {} to node {}; expected {}", to_string(*collective_), next - before,
            node(o), node(d), each == 0 ? "at least one" : fmt::format("{}, as between other nodes", each)));
      }
    }
  }

  // The plain packets that a packet holds, each with how often it does; marks all that it is made of.
  void find_contributions(PacketIndex result, std::vector<bool>& used, std::vector<PacketIndex>& plain) {
    plain.clear();
    open_.assign(1, result);
    while (!open_.empty()) {
      const PacketIndex p = open_.back();
      open_.pop_back();
      used[p] = true;
      if (packets_.parts(p).empty() && packets_.origin(p) < processors_) plain.push_back(p);
      // Something that is held more than once would be counted more often than there are packets.
      if (plain.size() + open_.size() > 2 * std::size_t{packets_.size()}) return;
      for (const PacketIndex part : packets_.parts(p)) {
        if (is_part(p, part)) open_.push_back(part);
      }
    }
  }

  // Every packet with a destination is a result, for the root or of an accumulation for each node as many, of
  // one packet of every node.
  void judge_results() {
    const bool at_root = *collective_ == CollectiveKind::kReduction;
    std::vector<bool> counted(packets_.size());
    std::vector<PacketIndex> contributed(processors_, kNoPacket), open;
    std::vector<std::uint64_t> results(processors_);
    for (PacketIndex result = 0; result < packets_.size(); ++result) {
      const auto destinations = packets_.destinations(result);
      if (destinations.empty()) continue;
      if (destinations.size() != 1 || destinations.front() >= processors_ ||
          (at_root && destinations.front() != schedule_.root)) {
        blame_stranger(result);
        continue;
      }
      ++results[destinations.front()];
      NodeId contributions = 0;
      bool once = !counted[result];
      counted[result] = true;
      open.assign(1, result);
      while (!open.empty()) {
        const PacketIndex p = open.back();
        open.pop_back();
        const auto parts = packets_.parts(p);
        if (parts.empty() && packets_.origin(p) < processors_) {
          NodeId unused = 0;
          (contributed[packets_.origin(p)] == result ? unused : contributions) += 1;
          contributed[packets_.origin(p)] = result;
          once &= unused == 0;
        }
        for (const PacketIndex part : parts) {
          if (!is_part(p, part)) continue;
          if (counted[part]) {
            once = false;
            continue;
          }
          counted[part] = true;
          open.push_back(part);
        }
      }
      if (!once || contributions != processors_) {
        blame_collective(fmt::format("{}: {} holds packets of {} nodes{}; expected one of each of the {}",
                                     to_string(*collective_), packet(result), contributions,
                                     once ? "" : ", some of them twice", processors_));
      }
    }
    if (!at_root) {
      judge_counts(results, "results for");
    } else if (results[schedule_.root] == 0) {
      blame_collective("reduction: no packet has a destination; expected a result at the root");
    }
    for (PacketIndex p = 0; p < packets_.size(); ++p) {
      if (!counted[p]) blame_stranger(p);
    }
  }

  // Every packet with destinations is a result of one packet of every node. Results may differ from node to
  // node; those that share a packet hold the same packets, and together have every node as a destination
  // once.
  void judge_allreduce() {
    std::vector<bool> used(packets_.size());
    std::vector<PacketIndex> plain;
    std::vector<PacketIndex> message(packets_.size(),
                                     kNoPacket);          // of a plain packet: its message's first result
    std::vector<std::pair<PacketIndex, NodeId>> reached;  // message and destination
    std::vector<NodeId> origins;
    for (PacketIndex result = 0; result < packets_.size(); ++result) {
      const auto destinations = packets_.destinations(result);
      if (destinations.empty()) continue;
      find_contributions(result, used, plain);
      origins.clear();
      for (const PacketIndex p : plain) origins.push_back(packets_.origin(p));
      std::sort(origins.begin(), origins.end());
      const bool once = std::adjacent_find(origins.begin(), origins.end()) == origins.end();
      origins.erase(std::unique(origins.begin(), origins.end()), origins.end());
      if (!once || origins.size() != processors_) {
        blame_collective(
            fmt::format("allreduce: {} holds packets of {} nodes{}; expected one of each of the {}",
                        packet(result), origins.size(), once ? "" : ", some of them twice", processors_));
        continue;
      }
      const PacketIndex first = message[plain.front()] == kNoPacket ? result : message[plain.front()];
      const bool same = std::all_of(plain.begin(), plain.end(), [&](PacketIndex p) {
        return message[p] == (first == result ? kNoPacket : first);
      });
      if (!same) {
        blame_collective(
            fmt::format("allreduce: {} shares some of its packets with another result; expected "
                        "all or none",
                        packet(result)));
        continue;
      }
      for (const PacketIndex p : plain) message[p] = first;
      for (const NodeId d : destinations) reached.emplace_back(first, d);
    }
    std::sort(reached.begin(), reached.end());
    if (reached.empty() && processors_ > 0)
      blame_collective("allreduce: no packet has a destination; expected a result for every node");
    for (std::size_t i = 0; i < reached.size();) {
      std::size_t end = i;
      while (end < reached.size() && reached[end].first == reached[i].first) ++end;
      bool complete = end - i == processors_;
      for (std::size_t k = i; complete && k < end; ++k) complete = reached[k].second == k - i;
      if (!complete) {
        blame_collective(
            fmt::format("allreduce: {}, and others of the same packets, have {} destinations; "
                        "expected every node once",
                        packet(reached[i].first), end - i));
      }
      i = end;
    }
    for (PacketIndex p = 0; p < packets_.size(); ++p) {
      if (!used[p]) blame_stranger(p);
    }
  }

  // What is the matter with an origin or destination that is no processor.
  const char* missing(std::uint64_t v) const { return v < nodes_ ? "only routes" : "does not exist"; }

  std::string expected_packet() const {
    const std::string root = node(schedule_.root);
    switch (*collective_) {
      case CollectiveKind::kBroadcast:
        return fmt::format("packets of node {}, not combined, for all other nodes", root);
      case CollectiveKind::kScatter:
        return fmt::format("packets of node {}, not combined, with one destination each", root);
      case CollectiveKind::kMultipath:
        return fmt::format("packets of node {}, not combined, with the same destination", root);
      case CollectiveKind::kGather:
        return fmt::format("packets for node {} alone, not combined", root);
      case CollectiveKind::kMultinodeBroadcast:
      case CollectiveKind::kConcurrentBroadcast:
        return "packets for all nodes but their origin, not combined";
      case CollectiveKind::kReduction:
        return fmt::format("packets that count in a result, and results for node {} alone", root);
      case CollectiveKind::kMultinodeAccumulation:
        return "packets that count in a result, and results for one node each";
      case CollectiveKind::kAllreduce:
        return "packets that count in a result, and results";
      default:
        return "packets with one destination each, not combined";
    }
  }

  void blame_stranger(PacketIndex p) {
    findings_.add({Phase::kCollective, p, Wrong::kStranger, ScheduleViolation::kNoSend, p});
  }
  void blame_collective(std::string what) {
    findings_.add({Phase::kCollective, packets_.size(), Wrong::kCollectiveAsAWhole,
                   ScheduleViolation::kNoSend, kNoPacket, whole_.size()});
    whole_.push_back(std::move(what));
  }

  // Sends, in order of time.

  std::size_t send_number(std::size_t position) const { return order_.empty() ? position : order_[position]; }
  std::uint64_t cycle(const Send& send) const { return (std::uint64_t{send.start} - 1) * slot_cycles_ + 1; }
  std::uint64_t flits(const Send& send) const { return std::max(packets_.flits(send.packet), 1U); }
  std::uint64_t arrival(const Send& send) const {
    return cycle(send) + flits(send) - 1 + schedule_.link_latency;
  }
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
    // The other rules speak of time, so they are judged in its order all the same.
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
    const std::uint64_t latency = schedule_.link_latency;
    for (std::size_t i = 0; i < sends().size(); ++i) {
      const Send& send = sends()[i];
      if (send.packet >= packets_.size()) blame_send(i, Wrong::kNoSuchPacket);
      if (send.start == 0) blame_send(i, Wrong::kStart);
      if (send.link >= graph_.link_count()) blame_send(i, Wrong::kNoSuchLink);
      if (!can_be_judged(send)) continue;
      const std::uint64_t first = cycle(send), last = first + flits(send) - 1;
      // Who shares a link shares the ports as well: one complaint for that.
      const std::uint64_t link_until = link.until(send.link);
      const bool free = link.take(send.link, first, last);
      if (!free) blame_send(i, Wrong::kLinkBusy, link_until);
      if (schedule_.ports == PortModel::kAllPort) continue;
      const NodeId from = graph_.link_source(send.link);
      const std::uint64_t sender_until = sender.until(from);
      if (!sender.take(from, first, last) && free) blame_send(i, Wrong::kSenderBusy, sender_until);
      if (schedule_.ports == PortModel::kOnePortSend) continue;
      const NodeId to = graph_.link_target(send.link);
      const std::uint64_t receiver_until = receiver.until(to);
      if (!receiver.take(to, first + latency, last + latency) && free)
        blame_send(i, Wrong::kReceiverBusy, receiver_until);
    }
  }

  // Into which combined packets each packet goes.
  void collect_users() {
    if (!packets_.combines()) return;
    first_user_.assign(std::size_t{packets_.size()} + 2, 0);
    for (PacketIndex p = 0; p < packets_.size(); ++p) {
      for (const PacketIndex part : packets_.parts(p)) {
        if (is_part(p, part)) ++first_user_[part + 2];
      }
    }
    for (std::size_t p = 2; p < first_user_.size(); ++p) first_user_[p] += first_user_[p - 1];
    users_.resize(first_user_.back());
    for (PacketIndex p = 0; p < packets_.size(); ++p) {
      for (const PacketIndex part : packets_.parts(p)) {
        if (is_part(p, part)) users_[first_user_[part + 1]++] = p;
      }
    }
    first_user_.pop_back();
  }
  std::span<const PacketIndex> users(PacketIndex p) const {
    if (first_user_.empty()) return {};
    return {users_.data() + first_user_[p], first_user_[p + 1] - first_user_[p]};
  }

  // Packet by packet: who has it from when on, and whether all get it who must.
  void judge_ways() {
    const SendsByPacket by_packet(sends(), packets_.size());
    std::vector<PacketIndex> holds(nodes_, kNoPacket), used_at(first_user_.empty() ? 0 : nodes_, kNoPacket),
        used_by(used_at);
    std::vector<std::uint64_t> since(nodes_);  // the cycle at the end of which it is complete
    std::vector<std::uint64_t> complete(first_user_.empty() ? 0 : packets_.size());
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
        // A host has its own packets as often as it likes.
        const bool is_own = is_plain && v == origin;
        if (!is_own && used_at[v] == p && used_by[v] != whole)
          blame_end(Wrong::kPartUsedTwice, whole, p, used_by[v]);
        used_at[v] = p;
        used_by[v] = whole;
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

  // No contribution twice in one packet. Where a packet goes into one other at most, what goes in is a tree
  // and nothing can meet again: only packets that hold one with several users are looked into, and of these
  // only the last, which hold all others.
  void judge_contributions() {
    if (first_user_.empty()) return;
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

  // Words.

  std::string node(std::uint64_t v) const {
    return v < nodes_ ? one_line(graph_.node_name(static_cast<NodeId>(v))) : fmt::format("{}", v);
  }
  std::string packet(std::uint64_t p) const {
    if (p >= packets_.size()) return fmt::format("packet {}", p);
    const auto index = static_cast<PacketIndex>(p);
    return fmt::format("packet {} (origin {}, tag {})", p, node(packets_.origin(index)), packets_.tag(index));
  }
  std::string sending(const Send& send) const {
    if (send.link >= graph_.link_count())
      return fmt::format("slot {}: {} over link {}", send.start, packet(send.packet), send.link);
    return fmt::format("slot {}: node {} sends {} to node {} through port {}", send.start,
                       node(graph_.link_source(send.link)), packet(send.packet),
                       node(graph_.link_target(send.link)), graph_.link_port(send.link));
  }

  std::string words(const Finding& finding) const {
    std::string where;
    if (finding.send != ScheduleViolation::kNoSend) {
      where = sending(schedule_.sends[finding.send]) + ": ";
    } else if (finding.packet != kNoPacket) {
      where = packet(finding.packet) + ": ";
    }
    return fmt::format("{}{}: {}", where, to_string(rule_of(finding.wrong)), what(finding));
  }

  std::string what(const Finding& finding) const {
    using enum Wrong;
    const std::uint64_t detail = finding.detail;
    const Send* send = finding.send == ScheduleViolation::kNoSend ? nullptr : &schedule_.sends[finding.send];
    const bool known_link = send != nullptr && send->link < graph_.link_count();
    const std::string from = known_link ? node(graph_.link_source(send->link)) : "";
    const std::string to = known_link ? node(graph_.link_target(send->link)) : "";
    switch (finding.wrong) {
      case kOrigin:
        return fmt::format("its origin {}; expected a node from 0 to {}", missing(detail), processors_ - 1);
      case kNoFlits:
        return "it has no flits; expected at least one";
      case kDestination:
        return fmt::format("destination {} {}; expected nodes from 0 to {}", detail, missing(detail),
                           processors_ - 1);
      case kDestinationTwice:
        return fmt::format("destination {} is named again; expected every node once", node(detail));
      case kDestinationAtOrigin:
        return "its origin is among its destinations; expected that of combined packets only";
      case kName:
        return fmt::format("packet {} has the same origin and tag; expected different ones", detail);
      case kLaterPart:
        return fmt::format("packet {} is a part of it; expected packets from 0 to {}", detail,
                           std::int64_t{finding.packet} - 1);
      case kPartTwice:
        return fmt::format("part {} is named again; expected every part once", detail);
      case kPartLength:
        return fmt::format("part {} has {} flits; expected {}, as the whole", detail,
                           packets_.flits(static_cast<PacketIndex>(detail)), packets_.flits(finding.packet));
      case kStranger:
        return fmt::format("it is no packet of this {}; expected {}", to_string(*collective_),
                           expected_packet());
      case kCollectiveAsAWhole:
        return whole_[detail];
      case kOrder:
        return "it comes after a later one; expected sends in order of start, link and packet";
      case kSlotOfNoCycles:
        return "a slot has no cycles; expected at least one";
      case kNoSuchPacket:
        return packets_.size() == 0
                   ? "there are no packets; expected none to be sent"
                   : fmt::format("it does not exist; expected packets from 0 to {}", packets_.size() - 1);
      case kStart:
        return "expected slots that count from 1";
      case kNoSuchLink:
        return fmt::format("it does not exist; expected a link below {}", graph_.link_count());
      case kNeverHeld:
        return detail != 0
                   ? fmt::format("not all of its parts reach node {}; expected them there before", from)
                   : fmt::format("node {} has not got it; expected it to be complete there before", from);
      case kTooEarly:
        return fmt::format("node {} has it complete at the end of cycle {}; expected before cycle {}", from,
                           detail, cycle(*send));
      case kLinkBusy:
        return fmt::format("the link carries another packet up to cycle {}; expected a free link in cycle {}",
                           detail, cycle(*send));
      case kSenderBusy:
        return fmt::format(
            "node {} is sending another packet up to cycle {}; expected one at a time, in cycle {} none",
            from, detail, cycle(*send));
      case kReceiverBusy:
        return fmt::format(
            "node {} is receiving another packet up to cycle {}; expected one at a time, in cycle {} none",
            to, detail, cycle(*send) + schedule_.link_latency);
      case kArrivesTwice:
        return fmt::format("it arrives at node {} a second time, after cycle {}; expected once", to, detail);
      case kArrivesAtOrigin:
        return fmt::format("it comes back to its origin, node {}; expected never", to);
      case kPartMissing:
        return fmt::format("its part, {}, never reaches node {}; expected all parts there", packet(detail),
                           node(packets_.origin(finding.packet)));
      case kPartUsedTwice:
        return fmt::format("its part, {}, is a part of packet {} at the same node; expected of one there",
                           packet(detail), finding.place);
      case kCountedTwice:
        return fmt::format("{} counts more than once in it; expected every contribution once",
                           packet(detail));
      case kNotDelivered:
        return fmt::format("it never reaches node {}; expected there as a destination", node(detail));
    }
    return {};
  }

  std::vector<PacketIndex> open_;  // still to be looked into
  const Schedule& schedule_;
  const Graph& graph_;
  const PacketList& packets_;
  NodeId nodes_, processors_;  // all; those that process
  std::uint64_t slot_cycles_;
  Findings findings_;
  std::optional<CollectiveKind> collective_;
  std::vector<std::string> whole_;                // what is wrong with the collective as a whole
  std::vector<SendsByPacket::SendNumber> order_;  // if the sends are not in order: their numbers in order
  std::vector<Send> sorted_;                      // and they themselves
  std::vector<std::size_t> first_user_;           // if packets are combined
  std::vector<PacketIndex> users_;
};

}  // namespace

const std::string& to_string(ScheduleRule rule) {
  static const std::array<std::string, 13> names{
      "packet",    "parts",     "collective",   "order", "time",        "link",    "causality",
      "occupancy", "send port", "receive port", "once",  "combination", "delivery"};
  return names.at(static_cast<std::size_t>(rule));
}

ScheduleReport check_schedule(const Schedule& schedule, std::size_t limit) {
  return Check(schedule, limit).run();
}

}  // namespace safnet
