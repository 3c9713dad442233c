#include "cpp_model/check/validator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace safnet {
namespace {

constexpr std::size_t kProblemsKept = 20;

// A packet at a node: the key of everything that has arrived somewhere.
struct Held {
  NodeId node;
  PacketId packet;
  friend bool operator==(const Held&, const Held&) = default;
};
struct HeldHash {
  std::size_t operator()(const Held& h) const {
    std::uint64_t x = (std::uint64_t{h.node} << 42) ^ (std::uint64_t{h.packet.source} << 21) ^ h.packet.tag;
    x = (x ^ (x >> 31)) * 0x9e3779b97f4a7c15ULL;
    return static_cast<std::size_t>(x ^ (x >> 29));
  }
};

// Cycles in which something that carries one packet at a time is busy; asked in order of time.
class Occupied {
 public:
  explicit Occupied(std::size_t count) : busy_until_(count, 0) {}
  /// Marks cycles [first, last]; false if the last packet was still there. Cycles count from 1.
  bool take(std::size_t which, std::uint64_t first, std::uint64_t last) {
    const bool free = busy_until_[which] < first;
    busy_until_[which] = std::max(busy_until_[which], last);
    return free;
  }

 private:
  std::vector<std::uint64_t> busy_until_;
};

class Replay {
 public:
  Replay(const Graph& graph, const Collective& collective, PortModel ports, std::uint32_t link_latency)
      : graph_(graph),
        collective_(collective),
        ports_(ports),
        latency_(link_latency),
        link_(static_cast<std::size_t>(graph.node_count()) * graph.max_degree()),
        sender_(graph.node_count()),
        receiver_(graph.node_count()) {}

  ValidationReport run(const Trace& trace) {
    take_deliveries(trace);
    arrived_.reserve(trace.transfers.size());
    std::uint64_t last_cycle = 0;
    for (const Transfer& t : trace.transfers) {
      if (t.cycle < last_cycle) complain(t, "transfers are not in order of time");
      last_cycle = t.cycle;
      transfer(t);
    }
    judge_deliveries(trace);
    report_.valid = problems_ == 0;
    return report_;
  }

 private:
  void transfer(const Transfer& t) {
    if (t.cycle == 0 || t.flits == 0) return complain(t, "cycles and flits count from 1");
    if (t.from >= graph_.node_count() || t.port >= graph_.degree(t.from))
      return complain(t, "there is no such link");
    const NodeId to = graph_.peer(t.from, t.port).node;
    const std::uint64_t first = t.cycle, last = first + t.flits - 1;
    // Causality: the source has its packets from the start, every other node once the last flit has arrived.
    if (t.packet.source != t.from) {
      const auto held = arrived_.find({t.from, t.packet});
      if (held == arrived_.end()) {
        complain(t, "sent by a node that never got it");
      } else if (held->second.cycle >= first) {
        complain(t,
                 fmt::format("sent on before it was complete, at the end of cycle {}", held->second.cycle));
      } else if (held->second.flits != t.flits) {
        complain(t, fmt::format("sent on with {} flits, it arrived with {}", t.flits, held->second.flits));
      }
    }
    if (!link_.take(static_cast<std::size_t>(t.from) * graph_.max_degree() + t.port, first, last)) {
      complain(t, "two packets on one link at once");
    }
    if (ports_ != PortModel::kAllPort && !sender_.take(t.from, first, last))
      complain(t, "the node is sending another packet");
    if (ports_ == PortModel::kOnePort && !receiver_.take(to, first + latency_, last + latency_)) {
      complain(t, fmt::format("node {} is receiving another packet", graph_.node_name(to)));
    }
    const std::uint64_t complete = last + latency_;
    const auto [held, is_new] = arrived_.emplace(Held{to, t.packet}, Arrival{complete, t.flits});
    if (!is_new && complete < held->second.cycle) held->second = {complete, t.flits};
    if (!collective_.expects(to, t.packet)) return;
    Claimed& claimed = claimed_[to][collective_.delivery_index(to, t.packet)];
    claimed.has_arrived |= claimed.cycle == complete && claimed.port == graph_.peer(t.from, t.port).port;
  }

  // Before the replay: when each packet is said to have been delivered, for the replay to confirm.
  void take_deliveries(const Trace& trace) {
    claimed_.resize(graph_.node_count());
    for (NodeId v = 0; v < graph_.node_count(); ++v) claimed_[v].resize(collective_.expected_at_node(v));
    std::uint64_t good = 0;
    for (const Delivery& d : trace.deliveries) {
      if (d.node >= graph_.node_count() || !collective_.expects(d.node, d.packet)) {
        complain(d, "nobody expects it there");
        continue;
      }
      if (d.cycle == 0) {
        complain(d, "cycles count from 1");
        continue;
      }
      Claimed& claimed = claimed_[d.node][collective_.delivery_index(d.node, d.packet)];
      if (claimed.cycle != 0) {
        complain(d, "delivered twice");
        continue;
      }
      claimed = {d.cycle, d.port, false};
      ++good;
    }
    if (good != collective_.expected_deliveries()) {
      complain(fmt::format("{} of {} deliveries were made", good, collective_.expected_deliveries()));
    }
  }

  // After it: every delivery must be the end of an arrival, in that cycle and through that port.
  void judge_deliveries(const Trace& trace) {
    for (const Delivery& d : trace.deliveries) {
      if (d.node >= graph_.node_count() || d.cycle == 0 || !collective_.expects(d.node, d.packet)) continue;
      if (claimed_[d.node][collective_.delivery_index(d.node, d.packet)].has_arrived) continue;
      const auto held = arrived_.find({d.node, d.packet});
      complain(d, held == arrived_.end()
                      ? "it never arrived"
                      : fmt::format("it did not arrive then through port {}, first complete in cycle {}",
                                    d.port, held->second.cycle));
    }
  }

  void complain(const Delivery& d, const std::string& what) {
    complain(fmt::format("packet (source {}, tag {}) delivered at node {} in cycle {}: {}", d.packet.source,
                         d.packet.tag, d.node, d.cycle, what));
  }
  void complain(const Transfer& t, const std::string& what) {
    complain(fmt::format("packet (source {}, tag {}) from node {} through port {} in cycle {}: {}",
                         t.packet.source, t.packet.tag, t.from, t.port, t.cycle, what));
  }
  void complain(const std::string& what) {
    ++problems_;
    if (report_.problems.size() < kProblemsKept) report_.problems.push_back(what);
  }

  const Graph& graph_;
  const Collective& collective_;
  PortModel ports_;
  std::uint64_t latency_;
  Occupied link_, sender_, receiver_;
  struct Arrival {
    std::uint64_t cycle;  // in which the last flit arrived
    std::uint32_t flits;
  };
  std::unordered_map<Held, Arrival, HeldHash> arrived_;  // the first arrival, if there are several
  struct Claimed {
    std::uint64_t cycle = 0;  // 0: not delivered
    PortId port = 0;
    bool has_arrived = false;
  };
  std::vector<std::vector<Claimed>> claimed_;  // [node][delivery index]
  std::uint64_t problems_ = 0;
  ValidationReport report_;
};

}  // namespace

ValidationReport validate(const Graph& graph, const Collective& collective, PortModel ports,
                          const Trace& trace, std::uint32_t link_latency) {
  return Replay(graph, collective, ports, link_latency).run(trace);
}

}  // namespace safnet
