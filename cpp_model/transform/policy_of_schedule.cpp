#include "cpp_model/transform/policy_of_schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "cpp_model/graph/text.hpp"
#include "cpp_model/schedule/problem.hpp"

namespace safnet {
namespace {

constexpr PacketIndex kMaxLabels = 131072;
constexpr std::uint32_t kMaxRanks = 4096;

// What each node does with each packet that passes it.
struct Routes {
  struct Here {
    PortSet mask = 0;
    std::uint32_t step = 0;
    bool several = false;  // it leaves in more than one step
  };
  std::vector<std::map<PacketIndex, Here>> at;  // per node
  explicit Routes(const Schedule& schedule) : at(schedule.network.node_count()) {
    for (const Send& send : schedule.sends) {
      Here& here = at[schedule.network.link_source(send.link)][send.packet];
      here.several |= here.mask != 0 && here.step != send.start;
      here.mask |= port_bit(schedule.network.link_port(send.link));
      here.step = here.step == 0 ? send.start : std::min(here.step, send.start);
    }
  }
};

}  // namespace

std::string why_no_policy(const Schedule& schedule) {
  if (schedule.network.has_unequal_links())
    return "links that differ in latency or width; expected a timetable";
  // pifo_nodes deliver packets by the definition of these collectives.
  const std::string& what = schedule.collective;
  if (what != "broadcast" && what != "scatter" && what != "gather" && what != "total-exchange") {
    return fmt::format("{}; expected a broadcast, scatter, gather or total exchange",
                       what.empty() ? "the schedule does not say which collective it is" : one_line(what));
  }
  if (schedule.packets.combines()) return "packets are combined; pifo_nodes only forward";
  if (schedule.ports != PortModel::kAllPort)
    return "not all-port; pifo_nodes that run ahead of the plan would receive several packets at once";
  if (!schedule.is_of_steps()) return "not a schedule of steps";
  if (schedule.packets.size() > kMaxLabels)
    return fmt::format("{} packets; expected at most {}, each has a label", schedule.packets.size(),
                       kMaxLabels);
  if (schedule.last_start() + 1 >= kMaxRanks)
    return fmt::format("{} steps; expected fewer than {}, each is a rank", schedule.last_start(), kMaxRanks);
  Problem problem{.graph = schedule.network, .ports = schedule.ports, .root = schedule.root};
  problem.collective = parse_collective(what);
  if (!(schedule.packets == collective_packets(problem)))
    return fmt::format("the packets are not one for each pair of the {}, in order and with tags as usual",
                       what);
  const Routes routes(schedule);
  for (NodeId v = 0; v < schedule.network.node_count(); ++v) {
    for (const auto& [packet, here] : routes.at[v]) {
      if (here.several) {
        return fmt::format("packet {} leaves node {} in more than one step; pifo_nodes rank it once", packet,
                           schedule.network.node_name(v));
      }
    }
  }
  return "";
}

Policy policy_of_schedule(const Schedule& schedule, const std::string& router) {
  if (const std::string reason = why_no_policy(schedule); !reason.empty())
    throw bad_input("--node {}: {}", one_line(router), reason);
  auto routes = std::make_shared<const Routes>(schedule);
  auto packets = std::make_shared<const PacketList>(schedule.packets);
  const NodeId n = schedule.network.node_count();
  auto of_origin = std::make_shared<std::vector<std::vector<PacketIndex>>>(n);
  for (PacketIndex p = 0; p < packets->size(); ++p) (*of_origin)[packets->origin(p)].push_back(p);

  Policy policy;
  policy.label_count = std::max<std::uint32_t>(1, packets->size());
  policy.rank_levels = schedule.last_start() + 1;
  policy.table = [routes, packets](NodeId v, Label label) {
    TableEntry entry;
    const auto here = routes->at[v].find(label);
    if (here != routes->at[v].end()) {
      entry.output_mask = here->second.mask;
      entry.rank = here->second.step;
    }
    const auto destinations = packets->destinations(label);
    entry.deliver = std::find(destinations.begin(), destinations.end(), v) != destinations.end();
    return entry;
  };
  policy.injections = [routes, packets, of_origin](NodeId v) {
    std::vector<Injection> injections;
    for (const PacketIndex p : (*of_origin)[v]) {
      const auto here = routes->at[v].find(p);
      if (here == routes->at[v].end()) continue;
      injections.push_back({p, packets->tag(p), here->second.step, 0});
    }
    std::stable_sort(injections.begin(), injections.end(),
                     [](const Injection& a, const Injection& b) { return a.rank < b.rank; });
    return injections;
  };
  std::uint64_t most = 1;
  for (const auto& at_node : routes->at) most = std::max<std::uint64_t>(most, at_node.size());
  policy.queue_bound = most;
  for (const auto& own : *of_origin)
    policy.host_packets = std::max(policy.host_packets, static_cast<std::uint32_t>(own.size()));
  return policy;
}

}  // namespace safnet
