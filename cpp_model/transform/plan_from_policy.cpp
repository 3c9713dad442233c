#include "cpp_model/transform/plan_from_policy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <queue>
#include <tuple>
#include <vector>

#include "cpp_model/algorithm/tools/dimensions.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/processor_distance.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

// A packet that waits in a queue; smaller ones leave first.
struct Waiting {
  std::uint32_t rank;
  bool own;  // injected by the node's host: behind transit packets of equal rank
  std::uint64_t arrival;
  PacketIndex packet;
  Label label;
  PortSet mask;  // ports still to be served; one bit in the queue of a port
  std::optional<std::uint32_t> rest_rank;
  auto key() const { return std::tuple(rank, own, arrival); }
  bool operator>(const Waiting& other) const { return key() > other.key(); }
};
using Queue = std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>>;

class Stepper {
 public:
  Stepper(const Problem& problem, const Policy& policy, const std::string& algorithm)
      : graph_(problem.graph),
        ports_(problem.ports),
        policy_(policy),
        schedule_(empty_schedule(problem, algorithm)),
        collective_(collective_of(problem)) {}

  Schedule run() {
    const NodeId n = graph_.node_count();
    hops_.assign(schedule_.packets.size(), 0);
    first_queue_.resize(n);
    if (policy_.deals_links) find_branches();
    std::size_t queues = 0;
    for (NodeId v = 0; v < n; ++v) {
      first_queue_[v] = queues;
      queues += ports_ == PortModel::kAllPort ? graph_.degree(v) : 1;
    }
    queues_.resize(queues);
    for (NodeId v = 0; v < n; ++v) {
      for (const Injection& injection : policy_.injections(v)) {
        if (injection.flits > 1)
          fail(fmt::format("injects packets of {} flits, expected 1", injection.flits));
        enqueue(v, packet_of({v, injection.tag}), injection.label, policy_.table(v, injection.label),
                injection.rank, true);
      }
    }
    for (std::uint32_t step = 1; waiting_ != 0; ++step) advance(step);
    return std::move(schedule_);
  }

 private:
  struct Arrival {
    NodeId node;
    PortId port;
    PacketIndex packet;
    Label label;
  };

  [[noreturn]] void fail(const std::string& what) const {
    throw bad_input("algorithm {}: {}", one_line(schedule_.algorithm), what);
  }

  PacketIndex packet_of(PacketId id) const {
    const PacketIndex packet = collective_.number(id);
    if (packet == kNoPacket)
      fail(fmt::format("injects packet (source {}, tag {}), which the collective does not have", id.source,
                       id.tag));
    return packet;
  }

  void find_branches() {
    for (NodeId v = 0; v < graph_.node_count(); ++v) {
      std::vector<Branch>& branches = branches_.emplace_back(graph_.degree(v));
      for (PortId p = 0; p < graph_.degree(v);) {
        PortId end = p + 1;
        while (end < graph_.degree(v) && graph_.peer(v, end).node == graph_.peer(v, p).node) ++end;
        branches[p].links = end - p;
        p = end;
      }
    }
  }

  // The links that the next packet takes for a mask of branches' first ports: the links of a branch take
  // turns.
  PortSet dealt(NodeId v, PortSet mask) {
    if (!policy_.deals_links) return mask;
    PortSet links = 0;
    for (PortSet rest = mask; rest != 0; rest &= rest - 1) {
      const auto first = lowest_port(rest);
      Branch& branch = branches_[v][first];
      if (branch.links == 0)
        fail(fmt::format("names port {} of node {}, which is not the first of a branch", first, v));
      links |= port_bit(first + branch.next);
      branch.next = (branch.next + 1) % branch.links;
    }
    return links;
  }

  void enqueue(NodeId v, PacketIndex packet, Label label, const TableEntry& entry, std::uint32_t rank,
               bool own) {
    if (entry.output_mask == 0) return;
    if (graph_.degree(v) < kMaxDegree && entry.output_mask >> graph_.degree(v) != 0)
      fail(fmt::format("sends through a port that node {} does not have", v));
    const std::uint64_t arrival = arrivals_++;
    const PortSet mask = dealt(v, entry.output_mask);
    if (ports_ != PortModel::kAllPort) {
      queues_[first_queue_[v]].push({rank, own, arrival, packet, label, mask, entry.rest_rank});
      ++waiting_;
      return;
    }
    for (PortId p = 0; p < graph_.degree(v); ++p) {
      if (((mask >> p) & 1) == 0) continue;
      queues_[first_queue_[v] + p].push({rank, own, arrival, packet, label, port_bit(p), {}});
      ++waiting_;
    }
  }

  // The port that the head of a queue leaves through next.
  PortId next_port(NodeId v, const Waiting& head) const {
    const auto wanted = [&](PortId p) { return ((head.mask >> p) & 1) != 0; };
    PortId lowest = 0;
    while (!wanted(lowest)) ++lowest;
    if (ports_ == PortModel::kAllPort || (head.mask & (head.mask - 1)) == 0) return lowest;
    for (const PortId p : policy_.table(v, head.label).service_order) {
      if (wanted(p)) return p;
    }
    return lowest;
  }

  void advance(std::uint32_t step) {
    // By receiver: the neighbour that it receives from in this step, if it can receive from one only.
    std::vector<std::pair<NodeId, const Waiting*>> admitted;
    if (ports_ == PortModel::kOnePort) {
      admitted.assign(graph_.node_count(), {kNoNode, nullptr});
      for (NodeId v = 0; v < graph_.node_count(); ++v) {
        if (queues_[v].empty()) continue;
        const Waiting& head = queues_[v].top();
        auto& best = admitted[graph_.peer(v, next_port(v, head)).node];
        if (best.second == nullptr || *best.second > head) best = {v, &head};
      }
    }
    arrived_.clear();
    for (NodeId v = 0; v < graph_.node_count(); ++v) {
      const std::size_t queues = ports_ == PortModel::kAllPort ? graph_.degree(v) : 1;
      for (std::size_t q = first_queue_[v]; q < first_queue_[v] + queues; ++q) {
        if (queues_[q].empty()) continue;
        Waiting head = queues_[q].top();
        const PortId port = next_port(v, head);
        const Endpoint there = graph_.peer(v, port);
        if (!admitted.empty() && admitted[there.node].first != v) continue;
        if (++hops_[head.packet] >= graph_.node_count())
          fail("a packet makes more hops than there are nodes to reach: no timetable ends");
        if (schedule_.sends.size() == kMaxPlannedSends)
          fail(fmt::format("takes more than {} transmissions, expected at most as many", kMaxPlannedSends));
        schedule_.sends.push_back({step, graph_.link(v, port), head.packet});
        arrived_.push_back({there.node, there.port, head.packet, head.label});
        queues_[q].pop();
        head.mask &= ~port_bit(port);
        if (head.mask == 0) {
          --waiting_;
        } else {
          if (head.rest_rank && *head.rest_rank != head.rank) {
            head.rank = *head.rest_rank;
            head.own = false;
            head.arrival = arrivals_++;
          }
          queues_[q].push(head);
        }
      }
    }
    // Lower input ports first.
    std::sort(arrived_.begin(), arrived_.end(), [](const Arrival& a, const Arrival& b) {
      return std::pair(a.node, a.port) < std::pair(b.node, b.port);
    });
    for (const Arrival& a : arrived_) {
      const TableEntry entry = policy_.table(a.node, a.label);
      enqueue(a.node, a.packet, a.label, entry, entry.rank, false);
    }
  }

  // Ports first ... first + links - 1, of which `next` is the next to get a packet.
  struct Branch {
    PortId links = 0;  // 0: no branch begins here
    PortId next = 0;
  };

  const Graph& graph_;
  PortModel ports_;
  const Policy& policy_;
  Schedule schedule_;
  const Collective collective_;
  std::vector<std::size_t> first_queue_;
  std::vector<std::vector<Branch>> branches_;  // per node and port
  std::vector<Queue> queues_;
  std::vector<std::uint32_t> hops_;
  std::vector<Arrival> arrived_;
  std::uint64_t arrivals_ = 0;
  std::uint64_t waiting_ = 0;
};

}  // namespace

Schedule plan_from_policy(const Problem& problem, const Policy& policy, const std::string& algorithm) {
  // Refused here, before the packets take up the memory.
  if (problem.collective == CollectiveKind::kTotalExchange) {
    const std::uint64_t hops =
        problem.messages *
        (problem.graph.has_routers() ? total_processor_status(problem.graph) : all_hops(problem.graph));
    if (hops > kMaxPlannedSends) {
      throw bad_input("algorithm {}: a total exchange on {} takes {} transmissions, expected at most {}",
                      one_line(algorithm), one_line(problem.graph.spelling()), hops, kMaxPlannedSends);
    }
  }
  return Stepper(problem, policy, algorithm).run();
}

}  // namespace safnet
