#include "cpp_model/algorithm/partial/partial_broadcast_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>

#include "cpp_model/graph/input.hpp"

namespace safnet {
namespace {

constexpr std::uint32_t kNothing = std::numeric_limits<std::uint32_t>::max();
enum class Way : std::uint8_t { kPlus, kMinus };
constexpr std::array<Way, 2> kBothWays{Way::kPlus, Way::kMinus};

// One class: who has which address, and where its links lead.
class ClassView {
 public:
  ClassView(const DigitNetwork& network, std::uint32_t c)
      : network_(network), class_(c), address_(network.graph().node_count()) {
    for (NodeId v = 0; v < address_.size(); ++v) address_[v] = network.address(v, c);
  }
  std::uint32_t number() const { return class_; }
  NodeId nodes() const { return static_cast<NodeId>(address_.size()); }
  std::uint32_t side() const { return network_.side(); }
  NodeId address(NodeId v) const { return address_[v]; }
  std::uint32_t digit_of(std::uint32_t number, std::uint32_t digit) const {
    return number / network_.weight(digit) % side();
  }
  std::uint32_t at(NodeId v, std::uint32_t digit) const { return digit_of(address_[v], digit); }
  /// The digits below and including `digit`.
  NodeId low_digits(NodeId v, std::uint32_t digit) const { return address_[v] % network_.weight(digit + 1); }
  PortId port(NodeId v, std::uint32_t digit, Way way) const {
    return way == Way::kPlus ? network_.plus_port(v, class_, digit) : network_.minus_port(v, class_, digit);
  }

 private:
  const DigitNetwork& network_;
  std::uint32_t class_;
  std::vector<NodeId> address_;
};

class PartialRun {
 public:
  PartialRun(const DigitNetwork& network, const PartialBroadcastSettings& settings,
             const std::vector<NodeId>& active, BroadcastRule rule)
      : network_(network), shape_(network.shape()), settings_(settings), active_(active), rule_(rule) {
    for (std::uint32_t c = 0; c < network.classes(); ++c) views_.emplace_back(network, c);
    is_active_.assign(network.graph().node_count(), 0);
    for (const NodeId v : active) is_active_[v] = 1;
  }

  PartialPlan run() {
    plan_.time = partial_broadcast_time(shape_, settings_, active_.size());
    const std::uint32_t classes = classes_in_use(shape_, settings_);
    const std::vector<std::uint32_t> class_of = classes_of_packets();
    const std::uint64_t packets = packets_of_a_class(shape_, settings_, active_.size());
    for (std::uint32_t c = 0; c < classes; ++c) {
      std::vector<std::uint8_t> takes_part = is_active_;
      for (NodeId v = 0; v < takes_part.size(); ++v) takes_part[v] &= settings_.split || class_of[v] == c;
      run_class(views_[c], takes_part, packets);
    }
    std::sort(plan_.packets.begin(), plan_.packets.end());
    std::sort(plan_.transfers.begin(), plan_.transfers.end());
    check_links();
    for (const PartialTransfer& t : plan_.transfers)
      plan_.last_arrival = std::max(plan_.last_arrival, t.cycle + t.flits - 1 + settings_.latency);
    return std::move(plan_);
  }

 private:
  // Cycles from the start of a phase to slot `slot` of it.
  std::uint64_t cycle_of(std::uint64_t before, std::uint64_t slot, std::uint32_t flits) const {
    return before + slot * (flits + settings_.latency) + 1;
  }

  // The transfer leaves v through a port, over a link of the class; returns where it goes.
  NodeId send(const ClassView& view, NodeId v, PortId port, PartialTransfer transfer) {
    transfer.link = network_.graph().link(v, port);
    transfer.packet_class = view.number();
    plan_.transfers.push_back(transfer);
    return network_.graph().peer(v, port).node;
  }

  std::vector<std::uint32_t> classes_of_packets() {
    std::vector<std::uint32_t> class_of(is_active_.size(), 0);
    const std::uint32_t classes = classes_in_use(shape_, settings_);
    if (settings_.split || classes == 1) return class_of;
    if (settings_.known_ranks) {
      for (std::uint32_t i = 0; i < active_.size(); ++i) class_of[active_[i]] = i % classes;
      return class_of;
    }
    const std::vector<std::uint32_t> rank =
        run_scan(views_[kClassScanOrder], is_active_, 0, PartialTransferKind::kClassScanForward,
                 PartialTransferKind::kClassScanReverse);
    for (const NodeId v : active_) class_of[v] = rank[v] % classes;
    return class_of;
  }

  // Meshes, Fig. 2. Returns what the prefix tells every node: how many active ones have lower addresses.
  std::vector<std::uint32_t> run_scan(const ClassView& view, const std::vector<std::uint8_t>& value,
                                      std::uint64_t before, PartialTransferKind forward,
                                      PartialTransferKind reverse) {
    const NodeId nodes = view.nodes();
    const std::uint32_t p = view.side(), d = shape_.digits;
    std::vector<std::uint32_t> sum(value.begin(),
                                   value.end());  // of the subtree that the node is the root of
    std::vector<std::vector<std::uint32_t>> left(d, std::vector<std::uint32_t>(nodes, 0));
    const auto takes_part = [&](NodeId v, std::uint32_t digit) {  // all lower digits are p - 1
      return digit == 0 || view.low_digits(v, digit - 1) + 1 == network_.weight(digit);
    };
    std::uint64_t slot = 0;
    const auto tell = [&](NodeId v, std::uint32_t digit, Way way, PartialTransferKind kind,
                          std::uint32_t what) {
      return send(view, v, view.port(v, digit, way),
                  {.cycle = cycle_of(before, slot, 1), .kind = kind, .rank = what});
    };
    for (std::uint32_t digit = 0; digit < d; ++digit) {
      for (std::uint32_t x = 0; x + 1 < p; ++x, ++slot) {
        for (NodeId v = 0; v < nodes; ++v) {
          if (!takes_part(v, digit) || view.at(v, digit) != x) continue;
          const std::uint32_t so_far = left[digit][v] + sum[v];
          left[digit][tell(v, digit, Way::kPlus, forward, so_far)] = so_far;
        }
      }
      for (NodeId v = 0; v < nodes; ++v) {
        if (takes_part(v, digit) && view.at(v, digit) + 1 == p) sum[v] += left[digit][v];
      }
    }
    std::vector<std::uint32_t> lower(nodes, 0);
    std::vector<std::uint32_t> total(nodes, kNothing);  // M, as far as the node has been told
    const NodeId last = network_.node_at(view.number(), nodes - 1);
    total[last] = sum[last];
    for (std::uint32_t digit = d; digit-- > 0;) {
      for (std::uint32_t x = p; x-- > 1; ++slot) {
        for (NodeId v = 0; v < nodes; ++v) {
          if (!takes_part(v, digit) || view.at(v, digit) != x) continue;
          const NodeId to = tell(v, digit, Way::kMinus, reverse, lower[v]);
          lower[to] = lower[v];
          total[to] = total[v];
        }
      }
      for (NodeId v = 0; v < nodes; ++v) {
        if (takes_part(v, digit)) lower[v] += left[digit][v];
      }
    }
    if (std::ranges::count(total, std::ranges::count(value, 1)) != std::ssize(total))
      throw std::logic_error("a prefix has left a node with a wrong total");
    return lower;
  }

  void run_class(const ClassView& view, const std::vector<std::uint8_t>& takes_part, std::uint64_t packets) {
    const auto members = static_cast<std::size_t>(std::count(takes_part.begin(), takes_part.end(), 1));
    std::vector<std::uint32_t> rank(view.nodes(), 0);
    if (settings_.known_ranks) {
      std::uint32_t next = 0;
      for (NodeId address = 0; address < view.nodes(); ++address) {
        if (const NodeId v = network_.node_at(view.number(), address); takes_part[v]) rank[v] = next++;
      }
    } else {
      rank = run_scan(view, takes_part, plan_.time.class_scan, PartialTransferKind::kRankScanForward,
                      PartialTransferKind::kRankScanReverse);
    }
    std::vector<std::vector<std::uint32_t>> at(view.nodes());
    for (NodeId v = 0; v < view.nodes(); ++v) {
      if (!takes_part[v]) continue;
      plan_.packets.push_back({v, view.number(), rank[v]});
      at[v].push_back(rank[v]);
    }
    pack(view, at);
    broadcast(view, at, members, packets);
  }

  Way packing_way(std::uint32_t from, std::uint32_t to) const {
    if (settings_.alternating && shape_.ring)
      return (to + shape_.side - from) % shape_.side <= shape_.side / 2 ? Way::kPlus : Way::kMinus;
    return from < to ? Way::kPlus : Way::kMinus;
  }

  // Theorem 3. `at`: the ranks at every node.
  void pack(const ClassView& view, std::vector<std::vector<std::uint32_t>>& at) {
    const std::uint32_t flits = packing_flits(shape_, settings_);
    const std::uint64_t before = plan_.time.class_scan + plan_.time.rank_scan;
    std::uint64_t slot = 0;
    for (std::uint32_t digit = 0; digit < shape_.digits; ++digit) {
      for (std::uint64_t i = 0; i < packing_steps_of_a_digit(shape_, settings_); ++i, ++slot) {
        std::vector<std::vector<std::uint32_t>> then(view.nodes());
        for (NodeId v = 0; v < view.nodes(); ++v) {
          for (const std::uint32_t r : at[v]) {
            const std::uint32_t from = view.at(v, digit), to = view.digit_of(r, digit);
            if (from == to) {
              then[v].push_back(r);
              continue;
            }
            const PortId port = view.port(v, digit, packing_way(from, to));
            const NodeId next =
                send(view, v, port, {.cycle = cycle_of(before, slot, flits), .rank = r, .flits = flits});
            then[next].push_back(r);
          }
        }
        at = std::move(then);
      }
    }
  }

  // `at`: where the packets are. The halves of a packet are together there.
  void broadcast(const ClassView& view, const std::vector<std::vector<std::uint32_t>>& at,
                 std::size_t members, std::uint64_t packets) {
    const std::uint32_t halves = pieces(shape_, settings_);
    std::vector<std::vector<std::uint8_t>> holds(halves, std::vector<std::uint8_t>(view.nodes() * members));
    for (NodeId v = 0; v < view.nodes(); ++v) {
      for (const std::uint32_t r : at[v]) {
        if (r != view.address(v)) throw std::logic_error("a packet is not where its rank says");
        for (auto& half : holds) half[v * members + r] = 1;
      }
    }
    std::uint64_t slots = 0;
    for (std::uint32_t digit = shape_.digits; digit-- > 0;) {
      std::vector<std::vector<std::uint8_t>> then = holds;
      for (const Way way : kBothWays) {
        const std::uint32_t piece = halves == 2 && way == Way::kMinus ? 1 : 0;
        const Sending sending{view, digit, way, piece, members, slots, holds[piece], then[piece]};
        if (rule_ == BroadcastRule::kBatches) {
          send_batches(sending, packets);
        } else {
          pass_on_first(sending, packets);
        }
      }
      holds = std::move(then);
      slots += broadcast_steps(shape_, settings_, digit, packets);
    }
    for (const auto& half : holds) {
      if (std::find(half.begin(), half.end(), 0) != half.end())
        throw std::logic_error("a packet has not reached all nodes");
    }
  }

  // One direction along one digit.
  struct Sending {
    const ClassView& view;
    std::uint32_t digit;
    Way way;
    std::uint32_t piece;
    std::size_t members;
    std::uint64_t slots;                     // of the broadcast that have passed
    const std::vector<std::uint8_t>& holds;  // [node][rank] at the start
    std::vector<std::uint8_t>& then;         // and at the end
    std::uint32_t hops(const HopsOfBatch& of) const { return way == Way::kPlus ? of.plus : of.minus; }
  };

  // Sends the packet of that rank; returns where it goes, or kNoNode at the end of a row.
  NodeId send_one(const Sending& s, NodeId v, std::uint32_t rank, std::uint64_t slot) {
    const PortId port = s.view.port(v, s.digit, s.way);
    if (port == kNoPort) return kNoNode;
    const std::uint32_t flits = broadcast_flits(shape_, settings_);
    const std::uint64_t before = plan_.time.class_scan + plan_.time.rank_scan + plan_.time.packing;
    const NodeId to = send(s.view, v, port,
                           {.cycle = cycle_of(before, s.slots + slot, flits),
                            .kind = PartialTransferKind::kBroadcast,
                            .piece = s.piece,
                            .rank = rank,
                            .flits = flits});
    std::uint8_t& there = s.then[to * s.members + rank];
    if (there) throw std::logic_error("a packet comes to a node that has it");
    there = 1;
    return to;
  }

  void send_batches(const Sending& s, std::uint64_t packets) {
    const NodeId nodes = s.view.nodes();
    const NodeId weight = network_.weight(s.digit + 1);
    std::uint64_t start = 0;
    for (std::uint64_t b = 0; b < broadcast_batches(shape_, s.digit, packets); ++b) {
      const HopsOfBatch of_batch = hops_of_batch(shape_, settings_, b);
      std::vector<std::uint32_t> came(nodes, kNothing);
      for (std::uint32_t t = 0; t < s.hops(of_batch); ++t) {
        std::vector<std::uint32_t> comes(nodes, kNothing);
        for (NodeId v = 0; v < nodes; ++v) {
          std::uint32_t rank = came[v];
          if (t == 0) {
            rank = static_cast<std::uint32_t>(b * weight) + s.view.low_digits(v, s.digit);
            if (rank >= s.members || !s.holds[v * s.members + rank]) continue;
          }
          if (rank == kNothing) continue;
          if (const NodeId to = send_one(s, v, rank, start + t); to != kNoNode) comes[to] = rank;
        }
        came = std::move(comes);
      }
      start += settings_.alternating ? s.hops(of_batch) : std::max(of_batch.plus, of_batch.minus);
    }
  }

  void pass_on_first(const Sending& s, std::uint64_t packets) {
    struct Coming {
      std::uint32_t rank = kNothing, hops = 0;
    };
    const NodeId nodes = s.view.nodes();
    const std::uint32_t most_hops = s.hops(hops_of_batch(shape_, settings_, 0));
    if (most_hops == 0) return;
    std::vector<Coming> came(nodes);
    std::vector<std::uint32_t> next(nodes, 0);  // own ranks below this one have been sent
    const std::uint64_t end = broadcast_steps(shape_, settings_, s.digit, packets);
    for (std::uint64_t slot = 0;; ++slot) {
      std::vector<Coming> comes(nodes);
      bool sent = false;
      for (NodeId v = 0; v < nodes; ++v) {
        if (s.view.port(v, s.digit, s.way) == kNoPort) continue;
        Coming what = came[v];
        if (what.rank == kNothing || what.hops == most_hops) {
          while (next[v] < s.members && !s.holds[v * s.members + next[v]]) ++next[v];
          if (next[v] == s.members) continue;
          what = {next[v]++, 0};
        }
        if (slot >= end) throw std::logic_error("passing on first does not end in time");
        sent = true;
        comes[send_one(s, v, what.rank, slot)] = {what.rank, what.hops + 1};
      }
      came = std::move(comes);
      if (!sent) return;
    }
  }

  // All transfers of a phase start in its slots, so two that overlap on a link start together and, in order
  // of time and link, are next to each other.
  void check_links() const {
    for (std::size_t i = 1; i < plan_.transfers.size(); ++i) {
      const PartialTransfer &a = plan_.transfers[i - 1], &b = plan_.transfers[i];
      if (a.cycle == b.cycle && a.link == b.link)
        throw std::logic_error(fmt::format("two packets on link {} in cycle {}", a.link, a.cycle));
    }
  }

  const DigitNetwork& network_;
  DigitShape shape_;
  PartialBroadcastSettings settings_;
  const std::vector<NodeId>& active_;
  BroadcastRule rule_;
  std::vector<ClassView> views_;
  std::vector<std::uint8_t> is_active_;
  PartialPlan plan_;
};

void check_active(const DigitNetwork& network, const std::vector<NodeId>& active) {
  for (std::size_t i = 0; i < active.size(); ++i) {
    if (active[i] >= network.graph().node_count() || (i > 0 && active[i] <= active[i - 1])) {
      throw bad_input("active node {}: expected nodes 0 to {}, ascending, each once", active[i],
                      network.graph().node_count() - 1);
    }
  }
}

}  // namespace

const std::string& to_string(PartialTransferKind kind) {
  static const std::array<std::string, 8> kWords{
      "class scan forward", "class scan reverse", "rank scan forward", "rank scan reverse", "packing",
      "broadcast",          "accumulation",       "unpacking"};
  return kWords.at(static_cast<std::size_t>(kind));
}

PartialPlan plan_partial_broadcast(const DigitNetwork& network, const PartialBroadcastSettings& settings,
                                   const std::vector<NodeId>& active, BroadcastRule rule) {
  check_active(network, active);
  return PartialRun(network, settings, active, rule).run();
}

namespace {

// Backwards in time the batches of a digit would come last first; the order does not matter, and nodes count
// up. Maps cycles, counted from the beginning of the combining, to those of the other order.
class BatchesInOrder {
 public:
  BatchesInOrder(const DigitNetwork& network, const PartialBroadcastSettings& settings,
                 std::uint64_t active) {
    const DigitShape& shape = network.shape();
    const std::uint64_t packets = packets_of_a_class(shape, settings, active);
    const HopsOfBatch hops = hops_of_batch(shape, settings, 0);
    batch_cycles_ = std::max(hops.plus, hops.minus) *
                    (std::uint64_t{broadcast_flits(shape, settings)} + settings.latency);
    for (std::uint32_t j = 0; j < shape.digits; ++j) batches_.push_back(broadcast_batches(shape, j, packets));
  }
  std::uint64_t operator()(std::uint64_t cycle) const {
    std::uint64_t begin = 0;
    for (const std::uint64_t batches : batches_) {
      const std::uint64_t batch = (cycle - begin) / batch_cycles_;
      if (batch < batches) return cycle + (batches - 1 - batch) * batch_cycles_ - batch * batch_cycles_;
      begin += batches * batch_cycles_;
    }
    return cycle;
  }

 private:
  std::uint64_t batch_cycles_ = 1;
  std::vector<std::uint64_t> batches_;  // per digit
};

}  // namespace

PartialPlan plan_partial_accumulation(const DigitNetwork& network, const PartialBroadcastSettings& settings,
                                      const std::vector<NodeId>& active) {
  if (settings.alternating) throw std::invalid_argument("accumulations do not alternate");
  PartialPlan plan = plan_partial_broadcast(network, settings, active);
  const Graph& graph = network.graph();
  const PartialBroadcastTime& time = plan.time;
  const std::uint64_t scans = time.class_scan + time.rank_scan;
  plan.last_arrival = 0;
  const BatchesInOrder in_order(network, settings, active.size());
  for (PartialTransfer& t : plan.transfers) {
    const bool packing = t.kind == PartialTransferKind::kPacking;
    if (packing || t.kind == PartialTransferKind::kBroadcast) {
      const std::uint64_t step = t.flits + settings.latency;
      // Cycles from the start of the transfer to the end of the whole become those that precede it.
      t.cycle = scans + time.total() - (t.cycle - 1 + step) + 1;
      if (!packing) t.cycle = scans + in_order(t.cycle - scans - 1) + 1;
      t.link = graph.link(graph.link_target(t.link), graph.link_target_port(t.link));
      t.kind = packing ? PartialTransferKind::kUnpacking : PartialTransferKind::kAccumulation;
    }
    plan.last_arrival = std::max(plan.last_arrival, t.cycle + t.flits - 1 + settings.latency);
  }
  std::sort(plan.transfers.begin(), plan.transfers.end());
  return plan;
}

std::string first_difference(const Graph& graph, std::span<const PartialTransfer> expected,
                             std::span<const PartialTransfer> found) {
  const auto [e, f] = std::mismatch(expected.begin(), expected.end(), found.begin(), found.end());
  if (e == expected.end() && f == found.end()) return {};
  const bool is_missing = f == found.end() || (e != expected.end() && *e < *f);
  const PartialTransfer& t = is_missing ? *e : *f;
  return fmt::format("cycle {}, {} to {}: {} of class {}, rank {}, piece {}, {} flits is {}", t.cycle,
                     graph.node_name(graph.link_source(t.link)), graph.node_name(graph.link_target(t.link)),
                     to_string(t.kind), t.packet_class, t.rank, t.piece, t.flits,
                     is_missing ? "missing" : "not expected");
}

}  // namespace safnet
