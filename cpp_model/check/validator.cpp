#include "cpp_model/check/validator.hpp"

#include <fmt/format.h>

#include <utility>

#include "cpp_model/check/schedule_check.hpp"
#include "cpp_model/graph/node_words.hpp"
#include "cpp_model/schedule/schedule_of_trace.hpp"

namespace safnet {
namespace {

constexpr std::size_t kProblemsKept = 20;

// The deliveries of a trace, each of which must come at the end of an arrival.
class Deliveries {
 public:
  Deliveries(const Graph& graph, const Collective& collective) : graph_(graph), collective_(collective) {
    first_.reserve(std::size_t{graph.node_count()} + 1);
    first_.push_back(0);
    for (NodeId v = 0; v < graph.node_count(); ++v)
      first_.push_back(first_.back() + collective.expected_at_node(v));
    claimed_.resize(first_.back());
  }

  template <class Complain>
  void judge(const Trace& trace, const Schedule& schedule, Complain complain) {
    take(trace, complain);
    confirm(schedule);
    for (const Delivery& d : trace.deliveries) {
      Claimed* claimed = claimed_by(d);
      if (claimed == nullptr || claimed->has_arrived || d.cycle == 0) continue;
      complain(
          named(d, claimed->arrived == 0
                       ? "it never arrived"
                       : fmt::format("it did not arrive then through port {}, first complete in cycle {}",
                                     d.port, claimed->arrived)));
    }
  }

 private:
  struct Claimed {
    std::uint32_t cycle = 0;  // 0: not delivered
    PortId port = 0;
    std::uint64_t arrived = 0;  // the first arrival; 0: none
    bool has_arrived = false;
  };

  // Takes down the reported deliveries.
  template <class Complain>
  void take(const Trace& trace, Complain complain) {
    std::uint64_t good = 0;
    for (const Delivery& d : trace.deliveries) {
      Claimed* claimed = claimed_by(d);
      if (claimed == nullptr) {
        complain(named(d, "nobody expects it there"));
      } else if (d.cycle == 0) {
        complain(named(d, "cycles count from 1"));
      } else if (claimed->cycle != 0) {
        complain(named(d, "delivered twice"));
      } else {
        *claimed = {d.cycle, d.port};
        ++good;
      }
    }
    if (good != collective_.expected_deliveries())
      complain(fmt::format("{} of {} deliveries were made", good, collective_.expected_deliveries()));
  }

  void confirm(const Schedule& schedule) {
    for (const Send& send : schedule.sends) {
      const NodeId to = graph_.link_target(send.link);
      const PacketId packet = schedule.packets.id(send.packet);
      if (!collective_.expects(to, packet)) continue;
      Claimed& claimed = claimed_[first_[to] + collective_.delivery_index(to, packet)];
      const std::uint64_t complete = schedule.arrival_cycle(send);
      if (claimed.arrived == 0) claimed.arrived = complete;
      claimed.has_arrived |= claimed.cycle == complete && claimed.port == graph_.link_target_port(send.link);
    }
  }

  Claimed* claimed_by(const Delivery& d) {
    if (d.node >= graph_.node_count() || !collective_.expects(d.node, d.packet)) return nullptr;
    return &claimed_[first_[d.node] + collective_.delivery_index(d.node, d.packet)];
  }
  std::string named(const Delivery& d, const std::string& what) const {
    return fmt::format("packet (source {}, tag {}) delivered at node {} in cycle {}: {}", d.packet.source,
                       d.packet.tag, node_in_words(graph_, d.node), d.cycle, what);
  }

  const Graph& graph_;
  const Collective& collective_;
  std::vector<std::size_t> first_;  // of each node among `claimed_`
  std::vector<Claimed> claimed_;
};

}  // namespace

ValidationReport validate(const Graph& graph, const Collective& collective, PortModel ports,
                          const Trace& trace, std::uint32_t link_latency) {
  ValidationReport report;
  const auto complain = [&report](const std::string& what) {
    report.valid = false;
    if (report.problems.size() < kProblemsKept) report.problems.push_back(what);
  };
  report.sends = schedule_of_trace(graph, collective, ports, trace, link_latency, 1, complain);
  const Schedule& schedule = *report.sends;
  const ScheduleReport judged = check_schedule(schedule, kProblemsKept);
  for (const ScheduleViolation& violation : judged.violations) complain(violation.text);
  Deliveries(graph, collective).judge(trace, schedule, complain);
  return report;
}

}  // namespace safnet
