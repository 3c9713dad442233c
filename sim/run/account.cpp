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

}  // namespace

void take_account(Account& account, const Graph& graph, const Machine& machine, const Recorder& recorder,
                  const std::vector<std::string>& of_the_kind, std::uint64_t not_latched) {
  std::uint64_t counted_deliveries = 0;
  Problems complaints;
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    const NodeCounters c = machine.counters(v);
    for (const std::uint32_t sent : c.sent) account.transmissions += sent;
    counted_deliveries += c.delivered;
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
  if (counted_deliveries + not_latched != recorder.hosts_got())
    account.complain("the nodes counted {} deliveries, the hosts got {}", counted_deliveries,
                     recorder.hosts_got());
  if (account.transmissions != recorder.transmissions())
    account.complain("the nodes counted {} transmissions, the links carried {}", account.transmissions,
                     recorder.transmissions());
  if (account.lost != 0) append(recorder.missing(kMissingNamed));
}

}  // namespace safnet
