// reference_stepper - what a network of pifo_nodes does with a Policy, step by step, in plain C++: one flit
// per packet, links without latency, unbounded queues. Written from the node's documented behaviour, without
// its RTL.
//
// In each step the heads of all queues leave first, then the packets that arrived join. A queue serves the
// smallest rank first, at equal rank transit before the host's own, then in order of arrival, lower input
// ports first. A packet whose table entry has a rest_rank joins again with it after its first copy has left.
// Where links are dealt, the packets of a branch take its links in turn as they join.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/schedule/policy.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

struct StepperResult {
  std::uint32_t steps = 0;             ///< step of the last delivery
  std::uint64_t delay_sum = 0;         ///< of the steps of all deliveries
  std::uint64_t conflicts = 0;         ///< times that a node received a second packet in one step
  std::uint64_t peak_waiting = 0;      ///< most packets in transit, of one input link, in one queue
  std::uint64_t peak_transit = 0;      ///< most packets in transit, of all links, in one queue
  std::vector<QueuePeak> queue_peaks;  ///< all-port: per link, of the queue in front of it
  Trace trace;
};

class ReferenceStepper {
 public:
  ReferenceStepper(const Graph& graph, PortModel ports, const Policy& policy)
      : graph_(graph),
        ports_(ports),
        policy_(policy),
        queues_(graph.node_count()),
        dealt_(graph.node_count()) {}

  /// Runs until all queues are empty. Throws std::runtime_error after `step_limit` steps.
  StepperResult run(std::uint32_t step_limit = 1'000'000) {
    if (ports_ == PortModel::kAllPort) result_.queue_peaks.resize(graph_.link_count());
    for (NodeId v = 0; v < graph_.node_count(); ++v) {
      queues_[v].resize(ports_ == PortModel::kAllPort ? graph_.degree(v) : 1);
      for (const Injection& injection : policy_.injections(v)) {
        enqueue(v, {injection.label, {v, injection.tag}, {}, kHost}, policy_.table(v, injection.label),
                injection.rank);
      }
    }
    for (std::uint32_t step = 1; waiting_ != 0; ++step) {
      if (step > step_limit) throw std::runtime_error("reference_stepper: step limit reached");
      advance(step);
    }
    return result_;
  }

 private:
  static constexpr PortId kHost = 0xffff;
  struct Packet {
    Label label;
    PacketId id;
    std::vector<PortId> ports;  // still to be served
    PortId input;
  };
  // Rank, host's own or not, order of arrival.
  using Key = std::tuple<std::uint32_t, bool, std::uint64_t>;
  using Queue = std::map<Key, Packet>;
  struct Arrival {
    NodeId node;
    PortId port;
    Packet packet;
  };

  void enqueue(NodeId v, Packet packet, const TableEntry& entry, std::uint32_t rank) {
    if (rank >= policy_.rank_levels) throw std::runtime_error("reference_stepper: rank out of range");
    if (packet.label >= policy_.label_count)
      throw std::runtime_error("reference_stepper: label out of range");
    const auto outputs = static_cast<std::uint64_t>(entry.output_mask);
    const std::uint64_t mask = policy_.deals_links ? dealt_links(v, outputs) : outputs;
    std::vector<PortId> order = entry.service_order;
    for (PortId p = 0; p < graph_.degree(v); ++p) {
      if (std::find(order.begin(), order.end(), p) == order.end()) order.push_back(p);
    }
    std::erase_if(order, [&](PortId p) { return ((mask >> p) & 1) == 0; });
    if (entry.output_mask >> graph_.degree(v) > 0)
      throw std::runtime_error("reference_stepper: no such port");
    const Key key{rank, packet.input == kHost, arrivals_++};
    if (ports_ == PortModel::kAllPort) {
      for (const PortId p : order) add(v, p, key, {packet.label, packet.id, {p}, packet.input});
    } else if (!order.empty()) {
      add(v, 0, key, {packet.label, packet.id, order, packet.input});
    }
  }

  // The links that get the next packet of the branches whose first ports a mask names.
  std::uint64_t dealt_links(NodeId v, std::uint64_t first_ports) {
    std::uint64_t links = 0;
    for (PortId first = 0; first < graph_.degree(v); ++first) {
      if (((first_ports >> first) & 1) == 0) continue;
      PortId width = 1;
      while (first + width < graph_.degree(v) &&
             graph_.peer(v, first + width).node == graph_.peer(v, first).node)
        ++width;
      links |= std::uint64_t{1} << (first + dealt_[v][first]++ % width);
    }
    return links;
  }

  void add(NodeId v, PortId queue, const Key& key, Packet packet) {
    if (packet.input != kHost) {
      const auto same_input = static_cast<std::uint64_t>(
          std::count_if(queues_[v][queue].begin(), queues_[v][queue].end(),
                        [&](const auto& entry) { return entry.second.input == packet.input; }));
      result_.peak_waiting = std::max(result_.peak_waiting, same_input + 1);
      const auto in_transit = static_cast<std::uint64_t>(
          std::count_if(queues_[v][queue].begin(), queues_[v][queue].end(),
                        [](const auto& entry) { return entry.second.input != kHost; }));
      result_.peak_transit = std::max(result_.peak_transit, in_transit + 1);
    }
    queues_[v][queue].emplace(key, std::move(packet));
    ++waiting_;
  }

  void advance(std::uint32_t step) {
    std::vector<Arrival> arrivals;
    for (NodeId v = 0; v < graph_.node_count(); ++v) {
      for (Queue& queue : queues_[v]) {
        if (queue.empty()) continue;
        if (ports_ == PortModel::kAllPort) {
          QueuePeak& peak = result_.queue_peaks[graph_.link(v, queue.begin()->second.ports.front())];
          const auto size = static_cast<std::uint32_t>(queue.size());
          peak.stored = std::max(peak.stored, size);
          peak.waiting = std::max(peak.waiting, size - 1);
        }
        Packet& head = queue.begin()->second;
        const PortId port = head.ports.front();
        const Endpoint there = graph_.peer(v, port);
        result_.trace.transfers.push_back({step, step, v, port, head.id, 1});
        arrivals.push_back({there.node, there.port, {head.label, head.id, {}, there.port}});
        head.ports.erase(head.ports.begin());
        if (!head.ports.empty()) {
          const auto rest = policy_.table(v, head.label).rest_rank;
          if (!rest || *rest == std::get<0>(queue.begin()->first)) continue;
          auto moved = queue.extract(queue.begin());
          moved.key() = {*rest, false, arrivals_++};
          queue.insert(std::move(moved));
          continue;
        }
        queue.erase(queue.begin());
        --waiting_;
      }
    }
    std::stable_sort(arrivals.begin(), arrivals.end(), [](const Arrival& a, const Arrival& b) {
      return std::pair(a.node, a.port) < std::pair(b.node, b.port);
    });
    for (std::size_t i = 0; i < arrivals.size(); ++i) {
      const Arrival& arrival = arrivals[i];
      if (i > 0 && arrivals[i - 1].node == arrival.node) ++result_.conflicts;
      const TableEntry entry = policy_.table(arrival.node, arrival.packet.label);
      if (entry.deliver) {
        result_.trace.deliveries.push_back({step, step, arrival.node, arrival.port, arrival.packet.id});
        result_.steps = step;
        result_.delay_sum += step;
      }
      enqueue(arrival.node, arrival.packet, entry, entry.rank);
    }
  }

  const Graph& graph_;
  PortModel ports_;
  const Policy& policy_;
  std::vector<std::vector<Queue>> queues_;
  std::vector<std::map<PortId, std::uint32_t>> dealt_;  // per node and first port of a branch: packets so far
  std::uint64_t arrivals_ = 0;
  std::uint64_t waiting_ = 0;
  StepperResult result_;
};

}  // namespace safnet
