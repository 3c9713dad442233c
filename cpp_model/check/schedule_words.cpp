#include "cpp_model/check/schedule_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cpp_model/graph/node_words.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/schedule/collective.hpp"

namespace safnet {

ScheduleWords::ScheduleWords(const Schedule& schedule, const Findings& findings)
    : schedule_(schedule),
      findings_(findings),
      graph_(schedule.network),
      packets_(schedule.packets),
      nodes_(graph_.node_count()),
      processors_(graph_.processor_count()) {}

std::uint64_t ScheduleWords::cycle(const Send& send) const {
  return (std::uint64_t{send.start} - 1) * std::max(schedule_.slot_cycles, 1U) + 1;
}

std::string ScheduleWords::node(std::uint64_t v) const { return one_line(node_in_words(graph_, v)); }
std::string ScheduleWords::packet(std::uint64_t p) const {
  if (p >= packets_.size()) return fmt::format("packet {}", p);
  const auto index = static_cast<PacketIndex>(p);
  return fmt::format("packet {} (origin {}, tag {})", p, node(packets_.origin(index)), packets_.tag(index));
}
std::string ScheduleWords::sending(const Send& send) const {
  if (send.link >= graph_.link_count())
    return fmt::format("slot {}: {} over link {}", send.start, packet(send.packet), send.link);
  return fmt::format("slot {}: node {} sends {} to node {} through port {}", send.start,
                     node(graph_.link_source(send.link)), packet(send.packet),
                     node(graph_.link_target(send.link)), graph_.link_port(send.link));
}

// Why node v cannot be an origin or a destination.
const char* ScheduleWords::missing(std::uint64_t v) const {
  return v < nodes_ ? "only routes" : "does not exist";
}

std::string ScheduleWords::expected_packet() const {
  const std::string root = node(schedule_.root);
  switch (parse_collective(schedule_.collective)) {
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

std::string ScheduleWords::what_of_send(Wrong wrong, std::uint64_t detail, const Send& send) const {
  using enum Wrong;
  const bool known_link = send.link < graph_.link_count();
  const std::string from = known_link ? node(graph_.link_source(send.link)) : "";
  const std::string to = known_link ? node(graph_.link_target(send.link)) : "";
  switch (wrong) {
    case kOrder:
      return "it comes after a later one; expected sends in order of start, link and packet";
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
                         detail, cycle(send));
    case kLinkBusy:
      return fmt::format("the link carries another packet up to cycle {}; expected a free link in cycle {}",
                         detail, cycle(send));
    case kSenderBusy:
      return fmt::format(
          "node {} is sending another packet up to cycle {}; expected one at a time, in cycle {} none", from,
          detail, cycle(send));
    case kReceiverBusy:
      return fmt::format(
          "node {} is receiving another packet up to cycle {}; expected one at a time, in cycle {} none", to,
          detail, cycle(send) + schedule_.latency(send.link));
    case kArrivesTwice:
      return fmt::format("it arrives at node {} a second time, after cycle {}; expected once", to, detail);
    case kArrivesAtOrigin:
      return fmt::format("it comes back to its origin, node {}; expected never", to);
    default:
      return {};
  }
}

std::string ScheduleWords::what(const Finding& finding) const {
  using enum Wrong;
  const std::uint64_t detail = finding.detail;
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
      return fmt::format("it is no packet of this {}; expected {}",
                         to_string(parse_collective(schedule_.collective)), expected_packet());
    case kCollectiveAsAWhole:
      return findings_.text(detail);
    case kSlotOfNoCycles:
      return "a slot has no cycles; expected at least one";
    case kPartMissing:
      return fmt::format("its part, {}, never reaches node {}; expected all parts there", packet(detail),
                         node(packets_.origin(finding.packet)));
    case kCountedTwice:
      return fmt::format("{} counts more than once in it; expected every contribution once", packet(detail));
    case kNotDelivered:
      return fmt::format("it never reaches node {}; expected there as a destination", node(detail));
    default:
      return what_of_send(finding.wrong, detail, schedule_.sends[finding.send]);
  }
}

std::string ScheduleWords::words(const Finding& finding) const {
  std::string where;
  if (finding.send != ScheduleViolation::kNoSend) {
    where = sending(schedule_.sends[finding.send]) + ": ";
  } else if (finding.packet != kNoPacket) {
    where = packet(finding.packet) + ": ";
  }
  return fmt::format("{}{}: {}", where, to_string(rule_of(finding.wrong)), what(finding));
}

}  // namespace safnet
