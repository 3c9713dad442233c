#include "sim/report/comparison_report.hpp"

#include "cpp_model/graph/text.hpp"
#include "cpp_model/schedule/collective.hpp"

namespace safnet {
namespace {

// The slot of a schedule that a cycle is in.
std::uint64_t step_of(const Schedule& schedule, std::uint64_t cycle) {
  return (cycle - 1) / schedule.slot_cycles + 1;
}

Json side_json(const std::string& path, const ReadSchedule& file, const ScheduleDifference::Side& side,
               std::uint64_t own_packets) {
  const Schedule& schedule = file.schedule;
  return {{"file", printable(path)},
          {"collective", printable(schedule.collective)},
          {"algorithm", printable(schedule.algorithm)},
          {"ports", to_string(schedule.ports)},
          {"steps", side.steps},
          {"cycles", side.cycles},
          {"slot_cycles", schedule.slot_cycles},
          {"link_latency", schedule.link_latency},
          {"transfers", schedule.sends.size()},
          {"packets", schedule.packets.size()},
          {"packets_of_its_own", own_packets},
          {"remarks", json_array(file.remarks, [](const std::string& remark) { return printable(remark); })}};
}

std::string side_in_words(const ReadSchedule& file, const ScheduleDifference::Side& side) {
  const Schedule& schedule = file.schedule;
  return fmt::format("{} steps ({} cycles, {} per slot), {} transfers of {} packets; {}, {}{}", side.steps,
                     side.cycles, schedule.slot_cycles, schedule.sends.size(), schedule.packets.size(),
                     schedule.collective.empty() ? "schedule" : one_line(schedule.collective),
                     in_words(schedule.ports),
                     schedule.algorithm.empty() ? "" : ", " + one_line(schedule.algorithm));
}

class Words {
 public:
  explicit Words(const ComparedSchedules& compared)
      : compared_(compared), network_(compared.first.schedule.network) {}

  std::string node(NodeId v) const { return one_line(network_.node_name(v)); }
  std::string packet(const PacketId& id) const { return fmt::format("{} tag {}", node(id.source), id.tag); }
  std::string packets(const std::vector<PacketId>& all) const {
    std::string words;
    for (const PacketId& id : all) words += (words.empty() ? "" : " and ") + packet(id);
    return words.empty() ? "nothing" : words;
  }
  std::string parting(const PartingLink& here) const {
    return fmt::format("cycle {}, {} to {} (port {}): A {}, B {}", here.cycle,
                       node(network_.link_source(here.link)), node(network_.link_target(here.link)),
                       network_.link_port(here.link), packets(here.first), packets(here.second));
  }
  // The step, or both if slots are not as long in one as in the other.
  std::string step(std::uint64_t cycle) const {
    const std::uint64_t a = step_of(compared_.first.schedule, cycle),
                        b = step_of(compared_.second.schedule, cycle);
    return a == b ? fmt::format("step {} (cycle {})", a, cycle)
                  : fmt::format("step {} of A, {} of B (cycle {})", a, b, cycle);
  }

 private:
  const ComparedSchedules& compared_;
  const Graph& network_;
};

void add_packets(TextReport& text, const ComparedSchedules& compared, const Words& words) {
  const ScheduleDifference& difference = compared.difference;
  if (difference.packets_of_first + difference.packets_of_second != 0) {
    text.line("packets", "{} in both, {} in A alone, {} in B alone", difference.shared_packets,
              difference.packets_of_first, difference.packets_of_second);
  }
  if (difference.changed_packets != 0) {
    text.line("packets", "{} of {} with another length, other destinations or other parts",
              difference.changed_packets, difference.shared_packets);
  }
  const std::uint64_t moved = difference.earlier_packets + difference.later_packets;
  text.line("last arrivals", "of {} packets: in B {} earlier, {} later, {} in the same cycle",
            difference.sent_packets, difference.earlier_packets, difference.later_packets,
            difference.sent_packets - moved);
  for (const MovedPacket& packet : difference.moved) {
    const bool later = packet.second_cycle > packet.first_cycle;
    const std::uint64_t cycles =
        later ? packet.second_cycle - packet.first_cycle : packet.first_cycle - packet.second_cycle;
    text.line("", "{}: cycle {} in A, {} in B, {} {}", words.packet(packet.packet), packet.first_cycle,
              packet.second_cycle, cycles, later ? "later" : "earlier");
  }
  if (moved > difference.moved.size()) text.line("", "and {} more", moved - difference.moved.size());
}

}  // namespace

Json to_json(const ComparedSchedules& compared) {
  const ScheduleDifference& difference = compared.difference;
  const Schedule &first = compared.first.schedule, &second = compared.second.schedule;
  const Graph& network = first.network;
  const auto packet = [](const PacketId& id) { return Json{{"source", id.source}, {"tag", id.tag}}; };
  Json json = network_json(network);
  json["equal"] = difference.none();
  json["first"] =
      side_json(compared.first_path, compared.first, difference.first, difference.packets_of_first);
  json["second"] =
      side_json(compared.second_path, compared.second, difference.second, difference.packets_of_second);
  ADD_MEMBERS(json, difference, same_transfers, parting_links);
  json["first_parting"] = nullptr;
  if (!difference.partings.empty()) {
    const std::uint64_t cycle = difference.partings.front().cycle;
    json["first_parting"] = {
        {"cycle", cycle}, {"first_step", step_of(first, cycle)}, {"second_step", step_of(second, cycle)}};
  }
  json["partings"] = json_array(difference.partings, [&](const PartingLink& here) {
    return Json{{"cycle", here.cycle},
                {"link", here.link},
                {"from", network.link_source(here.link)},
                {"to", network.link_target(here.link)},
                {"port", network.link_port(here.link)},
                {"first", json_array(here.first, packet)},
                {"second", json_array(here.second, packet)}};
  });
  ADD_MEMBERS(json, difference, shared_packets, changed_packets, sent_packets, earlier_packets,
              later_packets);
  json["moved"] = json_array(difference.moved, [&](const MovedPacket& moved) {
    Json item = packet(moved.packet);
    ADD_MEMBERS(item, moved, first_cycle, second_cycle);
    return item;
  });
  return json;
}

std::string to_text(const ComparedSchedules& compared) {
  const ScheduleDifference& difference = compared.difference;
  const Schedule &first = compared.first.schedule, &second = compared.second.schedule;
  const Words words(compared);
  TextReport text(fmt::format("A is {}, B is {}, on {}", one_line(compared.first_path),
                              one_line(compared.second_path), in_words(first.network)));
  text.lines("read A", compared.first.remarks);
  text.lines("read B", compared.second.remarks);
  text.line("A", "{}", side_in_words(compared.first, difference.first));
  text.line("B", "{}", side_in_words(compared.second, difference.second));
  text.line("same", "{} transfers: the same packet over the same link in the same cycle",
            difference.same_transfers);
  if (!difference.same_latency)
    text.line("latency", "{} cycles of a link in A, {} in B", first.link_latency, second.link_latency);
  if (!difference.partings.empty()) {
    text.line("part in", "{}; {} pairs of a link and a cycle differ",
              words.step(difference.partings.front().cycle), difference.parting_links);
  }
  for (const PartingLink& here : difference.partings) text.line("", "{}", words.parting(here));
  if (difference.parting_links > difference.partings.size())
    text.line("", "and {} more", difference.parting_links - difference.partings.size());
  add_packets(text, compared, words);
  text.sentence(difference.none() ? "equal" : "different");
  return text.text();
}

ComparisonStory story_of(const ComparedSchedules& compared) {
  const ScheduleDifference& difference = compared.difference;
  const Words words(compared);
  ComparisonStory story;
  story.title = fmt::format("Two schedules on {}", one_line(compared.first.schedule.network.spelling()));
  story.report = to_text(compared);
  story.first_name = one_line(compared.first_path);
  story.second_name = one_line(compared.second_path);
  story.headline = fmt::format("A takes {}, B {}. ", counted(difference.first.steps, "step"),
                               counted(difference.second.steps, "step"));
  if (difference.partings.empty()) {
    story.headline += difference.none() ? "They are equal." : "Their transfers are the same.";
    return story;
  }
  const PartingLink& first = difference.partings.front();
  story.cycle = first.cycle;
  // All links of that cycle, which may be more than the report lists.
  const Schedule& schedule = compared.first.schedule;
  for (const PartingLink& here :
       difference_between(schedule, compared.second.schedule, schedule.network.link_count()).partings) {
    if (here.cycle == first.cycle) story.links.push_back(here.link);
  }
  story.headline += fmt::format("They part first in {}: {}.", words.step(first.cycle), words.parting(first));
  return story;
}

}  // namespace safnet
