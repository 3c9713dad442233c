#include "cpp_model/schedule/schedule_of_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/node_words.hpp"

namespace safnet {
Schedule schedule_of_trace(const Graph& graph, const Collective& collective, PortModel ports,
                           const Trace& trace, std::uint32_t link_latency, std::uint32_t slot_cycles,
                           const std::function<void(const std::string&)>& refuse) {
  if (!collective.forwards() || collective.kind() == CollectiveKind::kPartialGather) {
    throw bad_input(
        "{}: expected a collective whose packets are not combined and are known without the "
        "problem",
        to_string(collective.kind()));
  }
  if (collective.node_count() != graph.processor_count()) {
    throw bad_input("collective of {} nodes: expected {}, as the network has", collective.node_count(),
                    graph.processor_count());
  }
  const std::uint64_t packets = collective.packet_count();
  if (packets > PacketList::kMaxPackets) {
    throw bad_input("schedule: {} packets; expected at most {}", packets, PacketList::kMaxPackets);
  }
  Schedule schedule(graph);
  schedule.ports = ports;
  schedule.link_latency = link_latency;
  schedule.collective = to_string(collective.kind());
  schedule.root = collective.root();

  const auto cannot_hold = [&](const Transfer& t, const std::string& why) {
    const std::string line =
        fmt::format("packet (source {}, tag {}) from node {} through port {} in cycle {}: {}",
                    t.packet.source, t.packet.tag, node_in_words(graph, t.from), t.port, t.cycle, why);
    if (!refuse) throw std::invalid_argument(line);
    refuse(line);
  };
  const bool in_slots =
      slot_cycles > 1 && std::all_of(trace.transfers.begin(), trace.transfers.end(),
                                     [slot_cycles](const Transfer& t) { return t.cycle % slot_cycles == 1; });
  schedule.slot_cycles = in_slots ? slot_cycles : 1;
  std::vector<std::uint32_t> flits(packets);
  schedule.sends.reserve(trace.transfers.size());
  for (const Transfer& t : trace.transfers) {
    if (t.cycle == 0 || t.flits == 0) {
      cannot_hold(t, "cycles and flits count from 1");
      continue;
    }
    if (t.from >= graph.node_count() || t.port >= graph.degree(t.from)) {
      cannot_hold(t, "there is no such link");
      continue;
    }
    const PacketIndex packet = collective.number(t.packet);
    if (packet == kNoPacket) {
      cannot_hold(t, fmt::format("there is no such packet in this {}", schedule.collective));
      continue;
    }
    if (flits[packet] == 0) flits[packet] = t.flits;
    if (flits[packet] != t.flits) {
      cannot_hold(t, fmt::format("sent with {} flits; expected {}, as before", t.flits, flits[packet]));
      continue;
    }
    schedule.sends.push_back({(t.cycle - 1) / schedule.slot_cycles + 1, graph.link(t.from, t.port), packet});
  }
  schedule.packets = collective.packets([&flits](PacketIndex p) { return std::max(flits[p], 1U); });
  return schedule;
}

}  // namespace safnet
