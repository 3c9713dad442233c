#include "cpp_model/transform/reverse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "cpp_model/check/schedule_check.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/schedule/collective.hpp"
#include "cpp_model/schedule/sends_by_packet.hpp"

namespace safnet {
namespace {

using SendNumber = SendsByPacket::SendNumber;

// What a collective becomes backwards; those that are not named here stay what they are.
CollectiveKind reversed(CollectiveKind kind) {
  using enum CollectiveKind;
  for (const auto& [a, b] : {std::pair{kBroadcast, kReduction},
                             {kScatter, kGather},
                             {kPartialExchange, kPartialGather},
                             {kMultinodeBroadcast, kMultinodeAccumulation}}) {
    if (kind == a) return b;
    if (kind == b) return a;
  }
  return kind;
}

class Reversal {
 public:
  explicit Reversal(const Schedule& schedule)
      : forward_(schedule),
        graph_(schedule.network),
        packets_(schedule.packets),
        by_packet_(schedule.sends, schedule.packets.size()),
        back_(schedule.network.transposed()),
        came_by_(schedule.network.node_count()),
        becomes_(schedule.packets.size(), kNoPacket) {}

  Schedule run() {
    name_it();
    sort_out();
    reverse_personal();
    reverse_multicasts();
    reverse_reductions();
    reverse_times();
    return std::move(back_);
  }

 private:
  void name_it() {
    back_.ports = forward_.ports;
    back_.operation = forward_.operation;
    back_.link_latency = forward_.link_latency;
    back_.slot_cycles = forward_.slot_cycles;
    back_.root = forward_.root;
    back_.algorithm = forward_.algorithm;
    back_.description = forward_.description;
    if (forward_.collective.empty()) return;
    const CollectiveKind kind = parse_collective(forward_.collective);
    if (kind == CollectiveKind::kConcurrentBroadcast) return;  // there is no name for what it becomes
    back_.collective = to_string(reversed(kind));
    is_broadcast_ = kind == CollectiveKind::kBroadcast || kind == CollectiveKind::kMultinodeBroadcast;
    is_multinode_ = kind == CollectiveKind::kMultinodeBroadcast;
    if (kind == CollectiveKind::kMultipath) back_.root = packets_.destinations(0).front();
  }

  // Sorts the packets into those with one destination, those with several, and results.
  void sort_out() {
    std::vector<bool> is_part(packets_.size());
    for (PacketIndex p = 0; p < packets_.size(); ++p) {
      for (const PacketIndex part : packets_.parts(p)) {
        if (is_part[part]) refuse(part, "is a part of several packets; expected of one at most");
        if (!packets_.destinations(part).empty())
          refuse(part, "is a part and has a destination; expected one of the two");
        is_part[part] = true;
      }
    }
    for (PacketIndex p = 0; p < packets_.size(); ++p) {
      if (is_part[p]) continue;
      const std::size_t destinations = packets_.destinations(p).size();
      if (!packets_.parts(p).empty()) {
        if (destinations != 1) refuse(p, "is combined; expected one destination");
        results_.push_back(p);
      } else if (is_broadcast_ || destinations > 1) {
        multicasts_.push_back(p);
      } else if (destinations == 1) {
        personal_.push_back(p);
      }
    }
    count_by_node_ = !personal_.empty() && !(multicasts_.empty() && results_.empty());
    if (count_by_node_) next_tag_.assign(graph_.node_count(), 0);
    for (const PacketIndex p : multicasts_) is_multinode_ &= packets_.tag(p) < multicasts_.size();
  }
  [[noreturn]] void refuse(PacketIndex p, const std::string& what) const {
    throw bad_input("reverse: packet {} (origin {}, tag {}) {}", p, graph_.node_name(packets_.origin(p)),
                    packets_.tag(p), what);
  }

  PacketIndex add(NodeId origin, std::uint64_t tag, std::uint32_t flits, std::span<const NodeId> destinations,
                  std::span<const PacketIndex> parts = {}) {
    if (count_by_node_) tag = next_tag_[origin]++;
    if (tag > std::numeric_limits<std::uint32_t>::max())
      throw bad_input("reverse: a tag of {}; expected less than 2^32", tag);
    return back_.packets.add(origin, static_cast<std::uint32_t>(tag), flits, destinations, parts);
  }

  // Finds for each node the send by which packet p came to it.
  void follow(PacketIndex p) {
    for (const SendNumber i : by_packet_.of(p)) came_by_[graph_.link_target(forward_.sends[i].link)] = i;
  }
  /// Calls use(send) for the sends that brought packet p to `to`, the last one first, until it returns false.
  template <class Use>
  void walk_back(PacketIndex p, NodeId to, Use use) {
    while (to != packets_.origin(p)) {
      const SendNumber i = came_by_[to];
      if (!use(i)) return;
      to = graph_.link_source(forward_.sends[i].link);
    }
  }
  void send_back(SendNumber i, PacketIndex as) {
    const Send& send = forward_.sends[i];
    const LinkId link = back_.network.link(graph_.link_target(send.link), graph_.link_target_port(send.link));
    back_.sends.push_back({i, link, as});  // i in place of the start, which is put in later
  }

  void reverse_personal() {
    const NodeId nodes = graph_.processor_count();
    struct Personal {
      NodeId origin, destination;  // in the reversed schedule
      std::uint32_t number;        // of the packets of this pair
      PacketIndex packet;
    };
    std::vector<Personal> all;
    all.reserve(personal_.size());
    bool are_numbered = true;
    for (const PacketIndex p : personal_) {
      const NodeId d = packets_.destinations(p).front();
      are_numbered &= packets_.tag(p) % nodes == d;
      all.push_back({d, packets_.origin(p), packets_.tag(p) / nodes, p});
    }
    if (!are_numbered) {
      std::sort(all.begin(), all.end(), [](const Personal& a, const Personal& b) {
        return std::tie(a.origin, a.destination, a.packet) < std::tie(b.origin, b.destination, b.packet);
      });
      for (std::size_t i = 0; i < all.size(); ++i) {
        const bool same =
            i > 0 && all[i].origin == all[i - 1].origin && all[i].destination == all[i - 1].destination;
        all[i].number = same ? all[i - 1].number + 1 : 0;
      }
    }
    std::sort(all.begin(), all.end(), [](const Personal& a, const Personal& b) {
      return std::tie(a.origin, a.number, a.destination) < std::tie(b.origin, b.number, b.destination);
    });
    back_.packets.reserve(all.size(), all.size());
    for (const Personal& packet : all) {
      becomes_[packet.packet] = add(packet.origin, packet.destination + std::uint64_t{packet.number} * nodes,
                                    packets_.flits(packet.packet), std::span(&packet.destination, 1));
    }
    for (const PacketIndex p : personal_) {
      follow(p);
      walk_back(p, packets_.destinations(p).front(), [&](SendNumber i) {
        send_back(i, becomes_[p]);
        return true;
      });
    }
  }

  // The number of a result; in an accumulation the packets for node d of message m: d + m * nodes.
  std::uint64_t result_tag(std::size_t r) const {
    const PacketIndex p = multicasts_[r];
    return is_multinode_ ? packets_.origin(p) + std::uint64_t{packets_.tag(p)} * graph_.processor_count() : r;
  }

  void reverse_multicasts() {
    // All contributions first, since parts come before what they are combined into.
    std::vector<PacketIndex> first_contribution;
    std::vector<NodeId> contributors;
    const auto find_contributors = [&](PacketIndex p) {
      const auto destinations = packets_.destinations(p);
      contributors.assign(destinations.begin(), destinations.end());
      contributors.push_back(packets_.origin(p));
      std::sort(contributors.begin(), contributors.end());
    };
    for (std::size_t r = 0; r < multicasts_.size(); ++r) {
      const PacketIndex p = multicasts_[r];
      first_contribution.push_back(back_.packets.size());
      find_contributors(p);
      for (const NodeId v : contributors) add(v, result_tag(r), packets_.flits(p), {});
    }
    std::vector<std::vector<PacketIndex>> inputs(graph_.node_count());
    std::vector<bool> is_needed(forward_.sends.size());
    const std::size_t results = multicasts_.size();
    for (std::size_t r = 0; r < results; ++r) {
      const PacketIndex p = multicasts_[r];
      const NodeId root = packets_.origin(p);
      find_contributors(p);
      for (std::size_t i = 0; i < contributors.size(); ++i)
        inputs[contributors[i]].push_back(first_contribution[r] + static_cast<PacketIndex>(i));
      follow(p);
      for (const NodeId d : packets_.destinations(p)) {
        walk_back(p, d, [&](SendNumber i) {
          if (is_needed[i]) return false;
          is_needed[i] = true;
          return true;
        });
      }
      // In reverse order of time: a node gets back all that it forwarded before it sends to where it had it
      // from.
      const auto sends = by_packet_.of(p);
      for (std::size_t k = sends.size(); k-- > 0;) {
        const SendNumber i = sends[k];
        if (!is_needed[i]) continue;
        const NodeId from = graph_.link_target(forward_.sends[i].link);
        std::vector<PacketIndex>& parts = inputs[from];
        if (parts.size() > 1 && from >= graph_.processor_count()) {
          refuse(p, fmt::format("is copied at node {}, which only routes and cannot combine; expected copies "
                                "made by nodes that process",
                                graph_.node_name(from)));
        }
        const PacketIndex packet = parts.size() == 1
                                       ? parts.front()
                                       : add(from, results + result_tag(r), packets_.flits(p), {}, parts);
        parts.clear();
        send_back(i, packet);
        inputs[graph_.link_source(forward_.sends[i].link)].push_back(packet);
      }
      add(root, results + result_tag(r), packets_.flits(p), std::span(&root, 1), inputs[root]);
      inputs[root].clear();
    }
  }

  void reverse_reductions() {
    std::vector<PacketIndex> open;
    std::vector<NodeId> contributors;
    std::vector<std::uint64_t> results_at(graph_.node_count());
    for (const PacketIndex result : results_) {
      const NodeId root = packets_.destinations(result).front();
      contributors.clear();
      std::vector<SendNumber> ways;
      // From the result back to the contributions: each packet's way from where it was made to its use.
      open.assign(1, result);
      std::vector<NodeId> used_at{root};
      while (!open.empty()) {
        const PacketIndex p = open.back();
        const NodeId at = used_at.back();
        open.pop_back();
        used_at.pop_back();
        follow(p);
        walk_back(p, at, [&](SendNumber i) {
          ways.push_back(i);
          return true;
        });
        if (packets_.parts(p).empty() && packets_.origin(p) != root)
          contributors.push_back(packets_.origin(p));
        for (const PacketIndex part : packets_.parts(p)) {
          open.push_back(part);
          used_at.push_back(packets_.origin(p));
        }
      }
      std::sort(contributors.begin(), contributors.end());
      // Of several results of a node they are number 0, 1, ...
      const PacketIndex multicast = add(root, results_at[root]++, packets_.flits(result), contributors);
      for (const SendNumber i : ways) send_back(i, multicast);
    }
  }

  void reverse_times() {
    std::uint64_t end = 0;
    for (const Send& send : back_.sends)
      end = std::max(end, forward_.arrival_cycle(forward_.sends[send.start]));
    const auto cycles_before = [&](const Send& send) {
      return end - forward_.arrival_cycle(forward_.sends[send.start]);
    };
    const bool slots_stay = std::ranges::all_of(
        back_.sends, [&](const Send& send) { return cycles_before(send) % forward_.slot_cycles == 0; });
    if (!slots_stay) back_.slot_cycles = 1;
    for (Send& send : back_.sends) {
      const std::uint64_t start = cycles_before(send) / back_.slot_cycles + 1;
      if (start > std::numeric_limits<std::uint32_t>::max())
        throw std::invalid_argument("reverse: slots beyond 2^32; expected a shorter schedule");
      send.start = static_cast<std::uint32_t>(start);
    }
    sort_sends(back_);
  }

  const Schedule& forward_;
  const Graph& graph_;
  const PacketList& packets_;
  SendsByPacket by_packet_;
  Schedule back_;
  bool is_broadcast_ = false, is_multinode_ = false;
  bool count_by_node_ = false;
  std::vector<std::uint32_t> next_tag_;  // of each node, where they are counted
  std::vector<SendNumber> came_by_;      // of each node: the send that brought the packet that is followed
  std::vector<PacketIndex> becomes_;     // of each personal packet: its number in the reversed schedule
  std::vector<PacketIndex> personal_, multicasts_, results_;
};

void require_valid(const Schedule& schedule, const std::string& what) {
  const ScheduleReport report = check_schedule(schedule, 1);
  if (!report.valid()) throw bad_input("reverse: {}; {}", what, report.violations.front().text);
}

}  // namespace

Schedule reverse(const Schedule& schedule) {
  if (schedule.ports == PortModel::kOnePortSend) {
    throw std::invalid_argument(
        "reverse: the schedule is one-port-send, where a node may receive many packets at once but send one; "
        "expected all-port or one-port");
  }
  require_valid(schedule, "expected a valid schedule");
  Schedule back = Reversal(schedule).run();
  // A reduction may lead two packets over a node without combining them; a broadcast would arrive there
  // twice.
  if (schedule.packets.combines())
    require_valid(back, "expected a reduction whose packets can be one on the way back");
  return back;
}

}  // namespace safnet
