#include "cpp_model/check/forwarding_check.hpp"

#include <fmt/format.h>

#include "cpp_model/graph/text.hpp"
#include "cpp_model/schedule/forwarding.hpp"

namespace safnet {

void check_forwarding(const Schedule& schedule, std::uint32_t most, ScheduleReport& report) {
  if (!report.valid()) return;
  const Forwarding forwarding(schedule);
  const Graph& graph = schedule.network;
  for (std::size_t i = 0; i < schedule.sends.size(); ++i) {
    if (forwarding.links(i) <= most || ++report.count > 1) continue;
    const Send& send = schedule.sends[i];
    report.violations.push_back(
        {ScheduleRule::kForwarding, i,
         fmt::format("slot {}: node {} sends {} to node {}, over link {} in a row from where its data began; "
                     "expected at most {}, the longest chain of the schedule has {}",
                     send.start, one_line(graph.node_name(graph.link_source(send.link))),
                     packet_name(schedule, send.packet),
                     one_line(graph.node_name(graph.link_target(send.link))), forwarding.links(i), most,
                     forwarding.longest())});
  }
}

}  // namespace safnet
