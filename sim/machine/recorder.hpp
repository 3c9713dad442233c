// recorder - what was seen of a run, node by node: packets on links, packets at hosts, what was wrong with
// them. Each kind of node has a recorder of its own, which knows what is in its packets.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/graph/node_words.hpp"
#include "cpp_model/schedule/trace.hpp"
#include "sim/machine/machine.hpp"
#include "sim/machine/problems.hpp"

namespace safnet {

/// The sum of one member over all records.
template <class Record>
std::uint64_t sum_of(const std::vector<Record>& records, std::uint64_t Record::*count) {
  std::uint64_t sum = 0;
  for (const Record& record : records) sum += record.*count;
  return sum;
}

/// What the host of a node got: complete packets, right or wrong.
struct HostPackets {
  std::uint64_t count = 0;
  std::uint64_t delay_sum = 0;  ///< of the steps in which they were complete
  std::uint32_t last_cycle = 0, last_step = 0;
};

class Recorder : public MachineObserver {
 public:
  /// Packets (of scan_nodes: flits) that entered the link of an output port; of all.
  std::uint32_t sent_on_link(NodeId node, PortId port) const { return sent_[first_port_[node] + port]; }
  std::uint64_t transmissions() const;
  /// Expected packets that arrived intact, and further copies of those.
  std::uint64_t delivered() const { return sum_of(seen_, &Seen::delivered); }
  std::uint64_t duplicated() const { return sum_of(seen_, &Seen::duplicated); }
  /// Complete packets that hosts got, right or wrong.
  std::uint64_t hosts_got() const;
  /// What the host of `node` got up to cycle `last`, which is the present one, the one before it, or later.
  const HostPackets& host_got(NodeId node, std::uint32_t last) const {
    const Seen& at = seen_[node];
    return at.got.last_cycle <= last ? at.got : at.got_before;
  }
  /// What was wrong with single packets, naming packet, node and cycle; the first kProblemsKept.
  std::vector<std::string> problems() const;
  /// How many such problems there are.
  std::size_t problem_count() const;
  /// Expected packets that never arrived, named; at most `limit`.
  virtual std::vector<std::string> missing(std::size_t limit) const = 0;
  /// What a node did that counts a violation (`violations_o`), in words.
  virtual std::string violation() const {
    return "received two packets at once, which breaks the one-port model";
  }
  /// All events that were kept, in order of cycle, node and port.
  Trace take_trace();

 protected:
  /// `keep_events`: keep what note_transfer() and note_delivery() are told, for take_trace().
  Recorder(const Graph& graph, bool keep_events);
  const Graph& graph() const { return graph_; }
  /// A node by name or, if a damaged header names one that does not exist, by number.
  std::string node_in_words(NodeId node) const { return safnet::node_in_words(graph_, node); }
  /// Nodes by name: "*" if they are several.
  std::string nodes_in_words(std::span<const NodeId> nodes) const {
    return nodes.size() > 1 ? "*" : nodes.empty() ? "" : node_in_words(nodes.front());
  }

  /// What was seen at one node; touched by the thread of that node alone.
  struct Seen {
    std::uint64_t delivered = 0, duplicated = 0;
    HostPackets got, got_before;  // the latter: before the cycle of the last packet
    Problems problems;
    std::vector<Transfer> transfers;
    std::vector<Delivery> deliveries;
  };
  Seen& seen(std::uint32_t node) { return seen_[node]; }

  /// A packet entered a link.
  void count_sent(const FlitEvent& first) { ++sent_[place_of(first)]; }
  /// The place of an output among those of all nodes.
  std::size_t place_of(const FlitEvent& at) const { return first_port_[at.node] + at.port; }
  std::size_t first_place(NodeId node) const { return first_port_[node]; }
  std::size_t places() const { return sent_.size(); }
  /// The host of a node got the last flit of a packet.
  void count_got(NodeId node, NetworkTime now) {
    Seen& at = seen_[node];
    if (at.got.last_cycle != now.cycle) at.got_before = at.got;
    ++at.got.count;
    at.got.delay_sum += now.step;
    at.got.last_cycle = now.cycle;
    at.got.last_step = now.step;
  }
  /// Writes down that a packet entered a link.
  void note_transfer(const FlitEvent& first, PacketId packet, std::uint32_t flits) {
    const auto& [now, node, port, words, last] = first;
    if (keep_events_) seen_[node].transfers.push_back({now.step, now.cycle, node, port, packet, flits});
  }
  /// Writes down that a packet arrived at its host, as expected.
  void note_delivery(const FlitEvent& flit, PacketId packet) {
    const auto& [now, node, port, words, last] = flit;
    if (keep_events_) seen_[node].deliveries.push_back({now.step, now.cycle, node, port, packet});
  }

  static constexpr const char* kWrongNode = "delivered to the wrong node";
  static constexpr const char* kTwice = "delivered more than once";
  /// Counts a packet whose last flit a host got. `wrong`: what is wrong with it; empty: nothing. `name()`
  /// makes its name for messages.
  template <class Name>
  void count_packet(const FlitEvent& last, const std::string& wrong, Name name) {
    Seen& at = seen_[last.node];
    count_got(last.node, last.now);
    if (wrong.empty()) {
      ++at.delivered;
      return;
    }
    if (wrong == kTwice) ++at.duplicated;
    at.problems.add("{} at node {} in cycle {}: {}", name(), graph_.node_name(last.node), last.now.cycle,
                    wrong);
  }

 private:
  Graph graph_;
  bool keep_events_;
  std::vector<Seen> seen_;
  std::vector<std::size_t> first_port_;  // of each node, in the list of the outputs of all
  std::vector<std::uint32_t> sent_;      // packets per output
};

}  // namespace safnet
