#include "cpp_model/transform/repeat_messages.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "cpp_model/algorithm/tools/list_scheduling.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/transform/plan_from_policy.hpp"

namespace safnet {
namespace {

// [steps]: would a repetition so much later need a link or port in the same step? All true if that takes
// long.
std::vector<bool> conflicts(const Schedule& one, std::uint32_t steps) {
  constexpr std::uint64_t kMaxPairs = 100'000'000;
  const Occupancy occupancy = port_occupancy(one.network, one.ports);
  std::vector<std::vector<std::uint32_t>> busy(occupancy.count);
  for (const Send& send : one.sends) {
    busy[occupancy.sending[send.link]].push_back(send.start);
    if (!occupancy.receiving.empty()) busy[occupancy.receiving[send.link]].push_back(send.start);
  }
  std::vector<bool> conflict(steps, true);
  std::uint64_t pairs = 0;
  for (const auto& starts : busy) pairs += std::uint64_t{starts.size()} * starts.size();
  if (pairs > kMaxPairs) return conflict;
  std::fill(conflict.begin() + 1, conflict.end(), false);
  for (const auto& starts : busy) {
    for (std::size_t i = 0; i < starts.size(); ++i) {
      for (std::size_t k = i + 1; k < starts.size(); ++k)
        conflict[starts[i] < starts[k] ? starts[k] - starts[i] : starts[i] - starts[k]] = true;
    }
  }
  return conflict;
}

}  // namespace

Policy repeat_policy(const Problem& problem, Policy policy) {
  const std::uint32_t stride = problem.collective == CollectiveKind::kMultipath ? policy.host_packets
                               : problem.collective == CollectiveKind::kBroadcast ||
                                       problem.collective == CollectiveKind::kMultinodeBroadcast
                                   ? 1
                                   : problem.graph.processor_count();
  policy.host_packets *= problem.messages;
  policy.queue_bound *= problem.messages;
  // A policy without conflicts for one message may have some for several.
  policy.conflict_free = false;
  policy.injections.rounds = problem.messages;
  policy.injections.tag_stride = stride;
  return policy;
}

Schedule repeat_schedule(const Problem& problem, const Schedule& one) {
  if (one.sends.size() * problem.messages > kMaxPlannedSends) {
    throw bad_input("--messages {}: {} on {} takes {} sends for each; expected at most {} in all",
                    problem.messages, to_string(problem.collective), one_line(problem.graph.spelling()),
                    one.sends.size(), kMaxPlannedSends);
  }
  Schedule all = empty_schedule(problem, one.algorithm);
  all.description = one.description;
  const auto plain = static_cast<PacketIndex>(packets_of_a_message(problem));
  const PacketIndex combined = one.packets.size() - plain;
  std::uint32_t next_tag = 0;
  for (PacketIndex p = 0; p < all.packets.size(); ++p) next_tag = std::max(next_tag, all.packets.tag(p) + 1);
  const auto repeated = [&](PacketIndex p, std::uint32_t m) {
    return p < plain ? m * plain + p : problem.messages * plain + m * combined + (p - plain);
  };
  std::vector<PacketIndex> parts;
  for (std::uint32_t m = 0; m < problem.messages; ++m) {
    for (PacketIndex p = plain; p < one.packets.size(); ++p) {
      parts.clear();
      for (const PacketIndex part : one.packets.parts(p)) parts.push_back(repeated(part, m));
      all.packets.add(one.packets.origin(p), next_tag++, 1, one.packets.destinations(p), parts);
    }
  }
  const std::uint32_t steps = std::max(one.last_start(), 1U);
  const std::vector<bool> conflict = conflicts(one, steps);
  std::vector<std::uint32_t> begins{0};
  while (begins.size() < problem.messages) {
    const std::uint32_t last = begins.back();
    std::uint32_t begin = last + 1;
    const auto fits = [&] {
      return std::none_of(begins.rbegin(), begins.rend(), [&](std::uint32_t earlier) {
        return begin - earlier < steps && conflict[begin - earlier];
      });
    };
    while (begin < last + steps && !fits()) ++begin;
    begins.push_back(begin);
  }
  all.sends.reserve(one.sends.size() * problem.messages);
  for (std::uint32_t m = 0; m < problem.messages; ++m) {
    for (const Send& send : one.sends)
      all.sends.push_back({send.start + begins[m], send.link, repeated(send.packet, m)});
  }
  sort_sends(all);
  return all;
}

}  // namespace safnet
