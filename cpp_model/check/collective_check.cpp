#include "cpp_model/check/collective_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "cpp_model/check/schedule_words.hpp"
#include "cpp_model/schedule/collective.hpp"

namespace safnet {
namespace {

// Parts that do not come before the combined packet are reported by another rule, and skipped here.
class CollectiveCheck {
 public:
  CollectiveCheck(const Schedule& schedule, Findings& findings)
      : schedule_(schedule),
        findings_(findings),
        words_(schedule, findings),
        packets_(schedule.packets),
        processors_(schedule.network.processor_count()) {}

  void run() {
    try {
      collective_ = &name_of(parse_collective(schedule_.collective));
    } catch (const std::invalid_argument& error) {
      return blame_collective(error.what());
    }
    if (collective_->has_root && schedule_.root >= processors_) {
      return blame("root {} does not exist; expected 0 to {}", schedule_.root, processors_ - 1);
    }
    switch (collective_->handling) {
      case Handling::kPersonal:
        return judge_personal(collective_->from, collective_->to);
      case Handling::kCopied:
        return judge_copied();
      case Handling::kCombined:
        return judge_results();
      case Handling::kCombinedOnce:
        return judge_allreduce();
      default:  // collectives of scan_nodes have been refused
        return judge_multipath();
    }
  }

 private:
  // Packets for all processors but their origin: all of the root, as many of every node, or of any nodes.
  void judge_copied() {
    std::vector<std::uint64_t> of_node(processors_);
    for (PacketIndex p = 0; p < packets_.size(); ++p) {
      const NodeId origin = packets_.origin(p);
      const bool may_send =
          collective_->from == Parties::kRoot ? origin == schedule_.root : origin < processors_;
      if (may_send && packets_.destinations(p).size() == processors_ - 1 && packets_.parts(p).empty()) {
        ++of_node[origin];
      } else {
        blame_stranger(p);
      }
    }
    if (collective_->from == Parties::kAll) return judge_counts(of_node, "packets of");
    if (packets_.size() == 0)
      blame("no packets; expected at least one{}", collective_->has_root ? " of the root" : "");
  }

  // Every node must have as many as node 0, and at least one.
  void judge_counts(const std::vector<std::uint64_t>& of_node, const char* what) {
    for (NodeId v = 0; v < processors_; ++v) {
      if (of_node[v] == of_node[0] && of_node[v] != 0) continue;
      return blame("{} {} node {}; expected {}", of_node[v], what, words_.node(v),
                   of_node[0] == 0 ? "at least one" : fmt::format("{}", of_node[0]));
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
    if (packets_.size() == 0) blame("no packets; expected at least one of the root");
  }

  // Packets with one destination each; there must be as many for every pair of an origin and a destination.
  void judge_personal(Parties from, Parties to) {
    std::vector<std::uint64_t> pairs;
    pairs.reserve(packets_.size());
    // Active nodes are those that have packets, or get some.
    std::vector<bool> is_origin(processors_, from == Parties::kAll);
    std::vector<bool> is_destination(processors_, to == Parties::kAll);
    if (from == Parties::kRoot) is_origin[schedule_.root] = true;
    if (to == Parties::kRoot) is_destination[schedule_.root] = true;
    for (PacketIndex p = 0; p < packets_.size(); ++p) {
      const auto destinations = packets_.destinations(p);
      const NodeId origin = packets_.origin(p);
      if (destinations.size() != 1 || !packets_.parts(p).empty() || origin >= processors_ ||
          destinations.front() >= processors_ || (from != Parties::kActive && !is_origin[origin]) ||
          (to != Parties::kActive && !is_destination[destinations.front()])) {
        blame_stranger(p);
        continue;
      }
      if (destinations.front() == origin) continue;  // reported already
      is_origin[origin] = is_destination[destinations.front()] = true;
      pairs.push_back(std::uint64_t{origin} * processors_ + destinations.front());
    }
    if (!std::is_sorted(pairs.begin(), pairs.end())) std::sort(pairs.begin(), pairs.end());
    if (pairs.empty() && processors_ > 1) return blame("no packets; expected some");
    std::size_t next = 0, each = 0;
    for (NodeId o = 0; o < processors_; ++o) {
      if (!is_origin[o]) continue;
      for (NodeId d = 0; d < processors_; ++d) {
        if (!is_destination[d] || d == o) continue;
        const std::size_t before = next;
        while (next < pairs.size() && pairs[next] == std::uint64_t{o} * processors_ + d) ++next;
        if (each == 0) each = next - before;
        if (next - before == each && each != 0) continue;
        return blame("{} packets from node {} to node {}; expected {}", next - before, words_.node(o),
                     words_.node(d),
                     each == 0 ? "at least one" : fmt::format("{}, as between other nodes", each));
      }
    }
  }

  // The plain packets that `result` holds, each as often as it does; marks all packets that it is made of.
  void find_contributions(PacketIndex result, std::vector<bool>& used, std::vector<PacketIndex>& plain) {
    plain.clear();
    open_.assign(1, result);
    // With as many steps as there are packets some packet is held more than once, which judge_contributions()
    // of schedule_check.cpp reports, or origins that only route. It stops then, as the steps may grow
    // exponentially.
    for (PacketIndex step = 0; !open_.empty() && step < packets_.size(); ++step) {
      const PacketIndex p = open_.back();
      open_.pop_back();
      used[p] = true;
      if (packets_.parts(p).empty() && packets_.origin(p) < processors_) plain.push_back(p);
      for (const PacketIndex part : packets_.parts(p)) {
        if (part < p) open_.push_back(part);
      }
    }
  }

  // Every packet with a destination must be a result, made of one packet of every node: for the root, or, in
  // an accumulation, as many results for each node.
  void judge_results() {
    const bool at_root = collective_->has_root;
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
          if (part >= p) continue;
          if (counted[part]) {
            once = false;
            continue;
          }
          counted[part] = true;
          open.push_back(part);
        }
      }
      if (!once || contributions != processors_) blame_result(result, contributions, once);
    }
    if (!at_root) {
      judge_counts(results, "results for");
    } else if (results[schedule_.root] == 0) {
      blame("no packet has a destination; expected a result at the root");
    }
    for (PacketIndex p = 0; p < packets_.size(); ++p) {
      if (!counted[p]) blame_stranger(p);
    }
  }

  // Every packet with destinations must be a result, made of one packet of every node. A message may have
  // several results, at different nodes: results that share a packet must hold the same packets, and together
  // have every node as a destination once.
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
        blame_result(result, origins.size(), once);
        continue;
      }
      const PacketIndex first = message[plain.front()] == kNoPacket ? result : message[plain.front()];
      const bool same = std::all_of(plain.begin(), plain.end(), [&](PacketIndex p) {
        return message[p] == (first == result ? kNoPacket : first);
      });
      if (!same) {
        blame("{} shares some of its packets with another result; expected all or none",
              words_.packet(result));
        continue;
      }
      for (const PacketIndex p : plain) message[p] = first;
      for (const NodeId d : destinations) reached.emplace_back(first, d);
    }
    std::sort(reached.begin(), reached.end());
    if (reached.empty() && processors_ > 0)
      blame("no packet has a destination; expected a result for every node");
    for (std::size_t i = 0; i < reached.size();) {
      std::size_t end = i;
      while (end < reached.size() && reached[end].first == reached[i].first) ++end;
      bool complete = end - i == processors_;
      for (std::size_t k = i; complete && k < end; ++k) complete = reached[k].second == k - i;
      if (!complete) {
        blame("{}, and others of the same packets, have {} destinations; expected every node once",
              words_.packet(reached[i].first), end - i);
      }
      i = end;
    }
    for (PacketIndex p = 0; p < packets_.size(); ++p) {
      if (!used[p]) blame_stranger(p);
    }
  }

  void blame_stranger(PacketIndex p) {
    findings_.add({Phase::kCollective, p, Wrong::kStranger, ScheduleViolation::kNoSend, p});
  }
  void blame_result(PacketIndex result, std::uint64_t contributions, bool once) {
    blame("{} holds packets of {} nodes{}; expected one of each of the {}", words_.packet(result),
          contributions, once ? "" : ", some of them twice", processors_);
  }
  template <class... Values>
  void blame(fmt::format_string<Values...> what, Values&&... values) {
    blame_collective(collective_->name + ": " + fmt::format(what, std::forward<Values>(values)...));
  }
  void blame_collective(std::string what) {
    findings_.add({Phase::kCollective, packets_.size(), Wrong::kCollectiveAsAWhole,
                   ScheduleViolation::kNoSend, kNoPacket, findings_.note(std::move(what))});
  }

  const Schedule& schedule_;
  Findings& findings_;
  ScheduleWords words_;
  const PacketList& packets_;
  NodeId processors_;  // nodes that process
  const CollectiveName* collective_ = nullptr;
  std::vector<PacketIndex> open_;  // still to be looked into
};

}  // namespace

void check_collective(const Schedule& schedule, Findings& findings) {
  CollectiveCheck(schedule, findings).run();
}

}  // namespace safnet
