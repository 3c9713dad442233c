#include "cpp_model/claim/mesh/broken_schedule_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cpp_model/check/schedule_check.hpp"
#include "cpp_model/claim/mesh/partial_broadcast_checks.hpp"

namespace safnet {
namespace {

enum class Mutation : std::uint8_t { kDouble, kDrop, kEarlier, kShort };

// Schedules with one change that must be rejected, and with one that does no harm.
struct MutationCount {
  std::uint64_t broken = 0, harmless = 0;
  std::string wrong;
};

// A plan as a schedule, to be broken in one place at a time.
class Mutants {
 public:
  Mutants(const std::string& topology, bool split, const std::vector<NodeId>& active)
      : Mutants(BroadcastSetting(topology, split), active) {}
  Mutants(const BroadcastSetting& on, const std::vector<NodeId>& active)
      : schedule_(on.schedule(on.plan(active))) {
    for (std::size_t i = 0; i < schedule_.sends.size(); ++i) {
      const Send& send = schedule_.sends[i];
      by_link_[send.link].push_back(i);
      arrival_[{send.packet, schedule_.network.link_target(send.link)}] = schedule_.arrival_cycle(send);
    }
  }
  std::size_t sends() const { return schedule_.sends.size(); }

  void inject(Mutation mutation, std::size_t i, MutationCount& count) const {
    Schedule broken = schedule_;
    Send& send = broken.sends[i];
    bool is_harmless = false;
    switch (mutation) {
      case Mutation::kDouble:  // another packet on the same link at the same time
        broken.sends.push_back({send.start, send.link, send.packet == 0 ? 1 : send.packet - 1});
        break;
      case Mutation::kDrop:
        broken.sends.erase(broken.sends.begin() + static_cast<std::ptrdiff_t>(i));
        break;
      case Mutation::kEarlier: {  // by as many cycles as it has flits
        const std::uint32_t flits = broken.packets.flits(send.packet);
        if (send.start <= flits) return;
        send.start -= flits;
        is_harmless = may_leave(send, i);
        break;
      }
      case Mutation::kShort: {  // what follows at once starts before the last flit is through
        const auto follower = next_at_once(i);
        if (!follower) return;
        --broken.sends[*follower].start;
        break;
      }
    }
    std::sort(broken.sends.begin(), broken.sends.end());
    const bool is_rejected = !check_schedule(broken, 1).valid();
    ++(is_harmless ? count.harmless : count.broken);
    if (is_rejected == is_harmless) {
      count.wrong = fmt::format("send {} of {}: {}", i, schedule_.network.spelling(),
                                is_rejected ? "a harmless change is rejected" : "a harmful change passes");
    }
  }

 private:
  // Would the packet be at the sender, and the link free, if send `i` started as `send` does?
  bool may_leave(const Send& send, std::size_t i) const {
    const NodeId from = schedule_.network.link_source(send.link);
    if (ready(send.packet, from) >= schedule_.cycle(send)) return false;
    const std::uint64_t end = send.start + schedule_.packets.flits(send.packet);
    for (const std::size_t j : by_link_.at(send.link)) {
      const Send& other = schedule_.sends[j];
      const bool apart =
          end <= other.start || other.start + schedule_.packets.flits(other.packet) <= send.start;
      if (j != i && !apart) return false;
    }
    return true;
  }
  // Cycle at the end of which a node has a packet.
  std::uint64_t ready(PacketIndex packet, NodeId v) const {
    const auto arrival = arrival_.find({packet, v});
    if (arrival != arrival_.end()) return arrival->second;
    std::uint64_t last = 0;
    for (const PacketIndex part : schedule_.packets.parts(packet)) last = std::max(last, ready(part, v));
    return last;
  }
  // The send that starts when send `i` ends, on the same link or by its receiver.
  std::optional<std::size_t> next_at_once(std::size_t i) const {
    const Send& send = schedule_.sends[i];
    const std::uint32_t next = send.start + schedule_.packets.flits(send.packet);
    for (std::size_t j = i + 1; j < schedule_.sends.size() && schedule_.sends[j].start <= next; ++j) {
      const Send& other = schedule_.sends[j];
      const bool passes_on = other.packet == send.packet && schedule_.network.link_source(other.link) ==
                                                                schedule_.network.link_target(send.link);
      if (other.start == next && (other.link == send.link || passes_on)) return j;
    }
    return std::nullopt;
  }

  Schedule schedule_;
  std::map<LinkId, std::vector<std::size_t>> by_link_;
  std::map<std::pair<PacketIndex, NodeId>, std::uint64_t> arrival_;
};

// All that are broken must be rejected, and only these.
std::string check_mutants(Mutation mutation) {
  MutationCount count;
  for (const std::string topology : {"mesh:3x3", "torus:3x3", "folded-cube:3"}) {
    for (const bool split : {false, true}) {
      const Mutants mutants(topology, split, {1, 2, 5, 7});
      for (std::size_t i = 0; i < mutants.sends(); ++i) mutants.inject(mutation, i, count);
    }
  }
  if (!count.wrong.empty()) return count.wrong;
  if (count.broken < 100) return fmt::format("only {} broken schedules", count.broken);
  return unless(mutation != Mutation::kEarlier || count.harmless > 0, "no harmless change");
}

}  // namespace

Checks broken_schedules_checks(bool) {
  const std::vector<std::pair<const char*, Mutation>> mutations{
      {"two packets on a link", Mutation::kDouble},
      {"a transfer left out", Mutation::kDrop},
      {"a transfer a slot earlier", Mutation::kEarlier},
      {"a transfer cut short", Mutation::kShort}};
  const auto name = [](const auto& mutation) {
    return fmt::format("{}, any of nodes 1, 2, 5, 7 of mesh:3x3, torus:3x3, folded-cube:3, split or not",
                       mutation.first);
  };
  return check_each(mutations, name, [](const auto& mutation) { return check_mutants(mutation.second); });
}

}  // namespace safnet
