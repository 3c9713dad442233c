#include "sim/machine/recorder.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>

#include "cpp_model/schedule/trace.hpp"

namespace safnet {
namespace {

// Moves the events of all nodes, each node's in order of cycle and port, to `all`, ordered by cycle, node and
// port: by counting the events of each cycle, which takes linear time, as there are hardly more cycles
// between the first event and the last than there are events. front() and back() of a node are its first and
// last, for observers are told in order of time.
template <class Node, class Event>
void take_in_order(std::vector<Node>& nodes, std::vector<Event> Node::*events, std::vector<Event>& all) {
  std::uint32_t first = std::numeric_limits<std::uint32_t>::max(), last = 0;
  for (const Node& node : nodes) {
    if ((node.*events).empty()) continue;
    first = std::min(first, (node.*events).front().cycle);
    last = std::max(last, (node.*events).back().cycle);
  }
  if (first > last) return;
  std::vector<std::size_t> next(last - first + std::size_t{2});  // place of the next event of each cycle
  for (const Node& node : nodes) {
    for (const Event& event : node.*events) ++next[event.cycle - first + std::size_t{1}];
  }
  std::partial_sum(next.begin(), next.end(), next.begin());
  all.resize(next.back());
  for (Node& node : nodes) {
    for (const Event& event : node.*events) all[next[event.cycle - first]++] = event;
    node.*events = {};
  }
}

}  // namespace

Recorder::Recorder(const Graph& graph, bool keep_events)
    : graph_(graph), keep_events_(keep_events), seen_(graph.node_count()) {
  std::size_t ports = 0;
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    first_port_.push_back(ports);
    ports += graph.degree(v);
  }
  sent_.resize(ports);
}

std::uint64_t Recorder::transmissions() const {
  return std::reduce(sent_.begin(), sent_.end(), std::uint64_t{0});
}

std::uint64_t Recorder::hosts_got() const {
  std::uint64_t sum = 0;
  for (const Seen& node : seen_) sum += node.got.count;
  return sum;
}

std::vector<std::string> Recorder::problems() const {
  std::vector<std::string> all;
  for (const Seen& node : seen_) {
    for (const std::string& problem : node.problems.lines()) {
      if (all.size() < kProblemsKept) all.push_back(problem);
    }
  }
  return all;
}

std::size_t Recorder::problem_count() const {
  std::size_t count = 0;
  for (const Seen& node : seen_) count += node.problems.count();
  return count;
}

Trace Recorder::take_trace() {
  Trace trace;
  take_in_order(seen_, &Seen::transfers, trace.transfers);
  take_in_order(seen_, &Seen::deliveries, trace.deliveries);
  return trace;
}

}  // namespace safnet
