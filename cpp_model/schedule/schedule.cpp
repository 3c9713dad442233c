#include "cpp_model/schedule/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

const std::array<std::string, 5>& operation_names() {
  static const std::array<std::string, 5> names{"sum", "min", "max", "and", "or"};
  return names;
}

// Counting sort by one key; keeps the order of equals.
template <class Key>
void sort_by(std::vector<Send>& sends, std::vector<Send>& scratch, std::size_t keys, Key key) {
  std::vector<std::size_t> first(keys + 1);
  for (const Send& send : sends) ++first[key(send) + 1];
  for (std::size_t k = 0; k < keys; ++k) first[k + 1] += first[k];
  scratch.resize(sends.size());
  for (const Send& send : sends) scratch[first[key(send)]++] = send;
  sends.swap(scratch);
}

void require_steps(const Schedule& schedule) {
  if (!schedule.is_of_steps()) {
    throw bad_input(
        "schedule: {} cycles a slot, {} cycles of link latency and packets of up to {} flits; "
        "expected a schedule of steps, with 1, 0 and 1",
        schedule.slot_cycles, schedule.link_latency, schedule.packets.longest());
  }
}

}  // namespace

PacketIndex PacketList::add(NodeId origin, std::uint32_t tag, std::uint32_t flits,
                            std::span<const NodeId> destinations, std::span<const PacketIndex> parts) {
  if (origin_.size() >= kMaxPackets) throw bad_input("schedule: expected at most {} packets", kMaxPackets);
  origin_.push_back(origin);
  tag_.push_back(tag);
  flits_.push_back(flits);
  destinations_.insert(destinations_.end(), destinations.begin(), destinations.end());
  first_destination_.push_back(destinations_.size());
  parts_.insert(parts_.end(), parts.begin(), parts.end());
  first_part_.push_back(parts_.size());
  longest_ = std::max(longest_, flits);
  return static_cast<PacketIndex>(origin_.size() - 1);
}

void PacketList::reserve(std::size_t packets, std::size_t destinations) {
  origin_.reserve(packets);
  tag_.reserve(packets);
  flits_.reserve(packets);
  first_destination_.reserve(packets + 1);
  first_part_.reserve(packets + 1);
  destinations_.reserve(destinations);
}

void PacketList::set_flits(std::uint32_t flits) {
  std::fill(flits_.begin(), flits_.end(), flits);
  longest_ = flits_.empty() ? 0 : flits;
}

std::string packet_name(const Schedule& schedule, PacketIndex p) {
  return fmt::format("packet {} (origin {}, tag {})", p,
                     schedule.network.node_name(schedule.packets.origin(p)), schedule.packets.tag(p));
}

void sort_sends(Schedule& schedule) {
  std::vector<Send>& sends = schedule.sends;
  if (std::is_sorted(sends.begin(), sends.end())) return;
  const auto last = std::max_element(sends.begin(), sends.end(),
                                     [](const Send& a, const Send& b) { return a.start < b.start; });
  // Counting needs memory by the largest key; a schedule of few sends far apart is better sorted by
  // comparing.
  if (last->start > 16 * sends.size() + 1024) {
    std::sort(sends.begin(), sends.end());
    return;
  }
  const std::size_t slots = std::size_t{last->start} + 1;
  std::vector<Send> scratch;
  sort_by(sends, scratch, schedule.network.link_count(), [](const Send& s) { return s.link; });
  sort_by(sends, scratch, slots, [](const Send& s) { return s.start; });
  // Sends over one link in one slot, which the checker will refuse, are put in order of packets.
  for (std::size_t i = 1; i < sends.size(); ++i) {
    if (sends[i] < sends[i - 1]) {
      std::sort(sends.begin(), sends.end());
      break;
    }
  }
}

Schedule in_lockstep(Schedule steps, std::uint32_t flits, std::uint32_t link_latency) {
  require_steps(steps);
  steps.packets.set_flits(flits);
  steps.link_latency = link_latency;
  steps.slot_cycles = flits + link_latency;
  return steps;
}

const std::string& to_string(Operation operation) {
  return operation_names().at(static_cast<std::size_t>(operation));
}

Operation parse_operation(const std::string& word) {
  const auto& names = operation_names();
  const auto found = std::find(names.begin(), names.end(), word);
  if (found == names.end()) {
    throw bad_input("operation {}: expected one of {}", in_quotes(word), fmt::join(names, ", "));
  }
  return static_cast<Operation>(found - names.begin());
}

std::uint32_t combine(Operation operation, std::uint32_t a, std::uint32_t b) {
  switch (operation) {
    case Operation::kSum:
      return a + b;
    case Operation::kMinimum:
      return std::min(a, b);
    case Operation::kMaximum:
      return std::max(a, b);
    case Operation::kAnd:
      return a & b;
    case Operation::kOr:
      return a | b;
  }
  return 0;
}

}  // namespace safnet
