#include "sim/run/account.hpp"

#include <algorithm>

namespace safnet {
namespace {

constexpr std::size_t kMissingNamed = 5;

// Adds what a node's own checks found wrong.
void add_complaints(const std::string& node, const NodeCounters& c, const Recorder& recorder,
                    Problems& problems) {
  if (c.violations != 0) {
    problems.add("node {} {}: in {} cycles, first in cycle {}", node, recorder.violation(), c.violations,
                 c.first_violation_cycle);
  }
  if (c.dry != 0) {
    problems.add(
        "node {}: a program ran dry while instructions were left, in {} cycles, first in cycle {}: "
        "the host feeds too slowly",
        node, c.dry, c.first_dry_cycle);
  }
  if (c.mismatches != 0) {
    problems.add("node {}: {} packets were not those that its program expected, first in cycle {}", node,
                 c.mismatches, c.first_mismatch_cycle);
  }
}

// Holds the counters of a node against what the recorder saw of its links and its host.
class CounterCheck {
 public:
  CounterCheck(const Graph& graph, const Recorder& recorder, Problems& problems)
      : graph_(graph), recorder_(recorder), problems_(problems) {}

  /// `last`: the last cycle whose deliveries the counters show. `at_rest`: no packet is on a link.
  void judge(NodeId v, const NodeCounters& c, std::uint32_t last, bool at_rest) {
    node_ = v;
    judge_ports("sent_o", c.sent, "its link carried", [&](PortId p) -> std::uint64_t {
      return p < graph_.degree(v) ? recorder_.sent_on_link(v, p) : 0;
    });
    if (at_rest) {
      judge_ports("received_o", c.received, "the link to it carried", [&](PortId q) -> std::uint64_t {
        if (q >= graph_.in_degree(v)) return 0;
        const Endpoint from = graph_.feeder(v, q);
        return recorder_.sent_on_link(from.node, from.port);
      });
    }
    const HostPackets& got = recorder_.host_got(v, last);
    judge("delivered_o", c.delivered, "its host got", got.count);
    judge("last_delivery_cycle_o", c.last_delivery_cycle, "its host got its last packet in cycle",
          got.last_cycle);
    judge("last_delivery_step_o", c.last_delivery_step, "its host got its last packet in step",
          got.last_step);
    judge("delay_sum_o", c.delay_sum, "the steps in which its host got packets add up to", got.delay_sum);
  }

 private:
  template <class Seen>
  void judge_ports(const char* counter, const std::vector<std::uint32_t>& counted, const char* who,
                   Seen seen) {
    for (PortId p = 0; p < counted.size(); ++p) {
      if (counted[p] != seen(p)) judge(fmt::format("{}[{}]", counter, p), counted[p], who, seen(p));
    }
  }
  void judge(std::string_view counter, std::uint64_t counted, const char* who, std::uint64_t seen) {
    if (counted != seen)
      problems_.add("node {}: {} counts {}, {} {}", graph_.node_name(node_), counter, counted, who, seen);
  }

  const Graph& graph_;
  const Recorder& recorder_;
  Problems& problems_;
  NodeId node_ = 0;
};

}  // namespace

void take_account(Account& account, const Graph& graph, const Machine& machine, const Recorder& recorder,
                  const std::vector<std::string>& of_the_kind, std::uint32_t last_latched) {
  Problems complaints, disagreements;
  CounterCheck check(graph, recorder, disagreements);
  const bool at_rest = account.stuck || machine.finished();
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    const NodeCounters c = machine.counters(v);
    for (const std::uint32_t sent : c.sent) account.transmissions += sent;
    account.steps = std::max(account.steps, c.last_delivery_step);
    account.cycles = std::max(account.cycles, c.last_delivery_cycle);
    account.delay_sum += c.delay_sum;
    account.late += c.late;
    account.peak_queue = std::max(account.peak_queue, c.peak_occupancy);
    account.peak_transit_queue = std::max(account.peak_transit_queue, c.peak_transit);
    if (c.peak_stored.empty()) account.queue_peaks.clear();
    for (PortId p = 0; !account.queue_peaks.empty() && p < graph.degree(v); ++p)
      account.queue_peaks[graph.link(v, p)] = {c.peak_stored.at(p), c.peak_waiting.at(p)};
    add_complaints(graph.node_name(v), c, recorder, complaints);
    check.judge(v, c, last_latched, at_rest);
  }
  account.delivered = recorder.delivered();
  account.duplicated = recorder.duplicated();
  account.lost = account.expected_deliveries - std::min(account.expected_deliveries, account.delivered);
  account.node_evaluations = machine.evaluations();

  const auto append = [&account](const std::vector<std::string>& lines) {
    account.problems.insert(account.problems.end(), lines.begin(), lines.end());
  };
  append(complaints.lines());
  append(of_the_kind);
  append(machine.problems());
  append(recorder.problems());
  append(disagreements.with_rest());
  if (account.lost != 0) append(recorder.missing(kMissingNamed));
}

}  // namespace safnet
