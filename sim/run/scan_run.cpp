#include "sim/run/scan_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <stdexcept>

#include "cpp_model/graph/text.hpp"
#include "sim/run/stopwatch.hpp"
#include "sim/scan/scan_packets.hpp"

namespace safnet {
namespace {

constexpr std::size_t kProblemsShown = 20;
constexpr int kMostFlits = 4096;
// Every node keeps account of every packet.
constexpr NodeId kMostNodes = 4096;

std::uint32_t divided(std::uint32_t a, std::uint32_t b) { return (a + b - 1) / b; }

ScanOperation operation_of(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::kScan:
      return ScanOperation::kScan;
    case CollectiveKind::kPacking:
      return ScanOperation::kPack;
    case CollectiveKind::kMonotoneRouting:
      return ScanOperation::kMonotone;
    case CollectiveKind::kPartialMultinodeBroadcast:
      return ScanOperation::kBroadcast;
    case CollectiveKind::kPartialMultinodeAccumulation:
      return ScanOperation::kAccumulate;
    default:
      throw std::logic_error("operation_of");
  }
}

// The ranks that the nodes must find, by definition.
struct Ranks {
  std::vector<std::uint32_t> class_of;  // of each active node, by its place in the list; 0 without classes
  std::vector<std::vector<std::uint64_t>>
      rank;                          // [class][place in the list]; kNone if it is not in the class
  std::vector<std::uint64_t> total;  // per class
  std::uint64_t group = 0;           // of the largest class
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
};

// The places of the active nodes in the order of a class.
std::vector<std::size_t> in_order(const DigitNetwork& network, const std::vector<NodeId>& active,
                                  std::uint32_t c) {
  std::vector<std::size_t> order(active.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return network.address(active[a], c) < network.address(active[b], c);
  });
  return order;
}

Ranks ranks_of(const ScanRequest& request, const ScanSettings& settings) {
  Ranks ranks;
  ranks.class_of.resize(request.active.size());
  if (settings.classed) {
    // Found by a scan in the order of class 0; where all is known, in the order of the nodes.
    const auto order = in_order(request.network, request.active, 0);
    for (std::size_t r = 0; r < order.size(); ++r)
      ranks.class_of[settings.known ? r : order[r]] = static_cast<std::uint32_t>(r % settings.class_count);
  }
  for (std::uint32_t c = 0; c < settings.class_count; ++c) {
    std::uint64_t next = 0;
    ranks.rank.emplace_back(request.active.size(), Ranks::kNone);
    for (const std::size_t i : in_order(request.network, request.active, c)) {
      if (!settings.classed || ranks.class_of[i] == c) ranks.rank[c][i] = next++;
    }
    ranks.total.push_back(next);
    ranks.group = std::max(ranks.group, next);
  }
  return ranks;
}

// Hosts that have their packet from the beginning; and the account of what arrives.
class Hosts final : public ScanHosts, public MachineObserver {
 public:
  Hosts(const ScanRequest& request, const ScanSettings& settings, const Ranks& ranks)
      : request_(request),
        settings_(settings),
        ranks_(ranks),
        packets_(settings.pack_flits, settings.cast_flits, settings.header_flit, settings.two_pieces),
        parts_(settings.classed ? 1 : settings.class_count),
        pieces_(settings.two_pieces ? 2 : 1),
        place_(request.network.graph().node_count(), kNowhere),
        lanes_(request.network.graph().node_count() * static_cast<std::size_t>(settings.class_count) *
               kScanLanes) {
    for (std::size_t i = 0; i < request.active.size(); ++i)
      place_[request.active[i]] = static_cast<std::uint32_t>(i);
    if (request.collective == CollectiveKind::kPartialMultinodeBroadcast) {
      got_.resize(std::size_t{nodes()} * request.active.size() * parts_ * pieces_);
    } else {
      got_.resize(request.active.size() * parts_);
    }
  }

  bool is_pending(NetworkTime, std::uint32_t node) override { return place_[node] != kNowhere; }
  void on_taken(NetworkTime, std::uint32_t) override {}
  std::uint64_t own_flit(std::uint32_t node, std::uint32_t class_number, std::uint32_t index) override {
    if (place_[node] == kNowhere) return 0;
    return ScanPackets::own(node, part_of(class_number), index, destination_digits(place_[node]));
  }

  void on_link_flit(NetworkTime now, std::uint32_t node, std::uint32_t port,
                    const std::uint32_t* words) override {
    if (!request_.keep_transfers) return;
    transfers.push_back(
        {now.cycle, node, static_cast<PortId>(port), words[0] | std::uint64_t{words[1]} << 32});
  }

  void on_delivered_flit(NetworkTime now, std::uint32_t node, std::uint32_t lane, const std::uint32_t* words,
                         bool last) override {
    std::vector<std::uint64_t>& flits = lanes_[std::size_t{node} * settings_.class_count * kScanLanes + lane];
    flits.push_back(words[0] | std::uint64_t{words[1]} << 32);
    if (!last) return;
    if (request_.collective == CollectiveKind::kPartialMultinodeAccumulation) {
      receive_sum(now, node, lane / kScanLanes, flits);
    } else {
      receive_packet(now, node, lane / kScanLanes, lane % kScanLanes, flits);
    }
    flits.clear();
  }

  // What all nodes give for the sum that active node `i` wants in a class, flit by flit as they are packed.
  std::vector<std::uint64_t> expected_sum(std::size_t i, std::uint32_t c) const {
    std::vector<std::uint64_t> sums(settings_.pack_flits, 0);
    for (std::uint32_t k = 0; k < settings_.pack_flits; ++k) {
      const std::uint32_t piece = packets_.piece_of(k), index = packets_.index_in_piece(k);
      for (NodeId v = 0; v < nodes(); ++v) {
        sums[k] = ScanPackets::sum(sums[k], ScanPackets::operand(v, c, ranks_.rank[c][i], piece, index),
                                   index == 0);
      }
    }
    return sums;
  }

  void account(ScanResult& result) {
    result.returned = returned_;
    result.delivered = delivered_;
    result.duplicated = duplicated_;
    for (const auto& flits : lanes_) {
      if (!flits.empty()) problem("a packet of node {} has no end", ScanPackets::source_of(flits[0]));
    }
    if (request_.collective == CollectiveKind::kScan) return;
    if (request_.collective == CollectiveKind::kPartialMultinodeBroadcast) {
      result.expected_deliveries = std::uint64_t{request_.active.size()} * (nodes() - 1) * parts_ * pieces_;
    } else {
      result.expected_deliveries = got_.size();
    }
    result.lost = result.expected_deliveries - delivered_;
    if (request_.collective != CollectiveKind::kPartialMultinodeBroadcast) {
      for (std::size_t at = 0; at < got_.size(); ++at) {
        if (got_[at] == 0) problem("the packet of node {} has not arrived", request_.active[at / parts_]);
      }
      return;
    }
    for (std::size_t at = 0; at < got_.size(); ++at) {
      const std::size_t i = at / (parts_ * pieces_) % request_.active.size();
      const auto node = static_cast<NodeId>(at / (parts_ * pieces_ * request_.active.size()));
      if (got_[at] == 0 && node != request_.active[i]) {
        problem("node {} has not got part {}, piece {} of the packet of node {}", node, at / pieces_ % parts_,
                at % pieces_, request_.active[i]);
      }
    }
  }

  std::vector<ScanTransfer> transfers;
  std::vector<std::string> problems;
  std::uint64_t problem_count = 0;
  // Digit by digit, as headers have it; set when the fabric is there.
  std::function<std::uint64_t(std::uint64_t)> digits;

  template <class... Arguments>
  void problem(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    if (++problem_count <= kProblemsShown)
      problems.push_back(fmt::format(text, std::forward<Arguments>(arguments)...));
  }

 private:
  static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};
  NodeId nodes() const { return request_.network.graph().node_count(); }
  std::uint32_t part_of(std::uint32_t class_number) const { return settings_.classed ? 0 : class_number; }
  std::uint64_t destination_digits(std::size_t i) const {
    if (request_.collective != CollectiveKind::kMonotoneRouting) return 0;
    return digits(request_.network.address(request_.destinations[i], 0));
  }

  void receive_packet(NetworkTime now, NodeId node, std::uint32_t c, std::uint32_t lane,
                      const std::vector<std::uint64_t>& flits) {
    const NodeId source = ScanPackets::source_of(flits[0]);
    if (source >= nodes() || place_[source] == kNowhere) {
      problem("cycle {}: node {} got a packet of node {}, which has none", now.cycle, node, source);
      return;
    }
    const std::size_t i = place_[source];
    const std::uint64_t rank = ranks_.rank[c][i];
    const bool whole = lane >= kScanWhole;
    const std::uint32_t part = part_of(c);
    const std::uint32_t piece = whole || !settings_.two_pieces ? 0 : lane == 1 ? 0 : 1;
    if (rank == Ranks::kNone) {
      problem("cycle {}: node {} got the packet of node {} in class {}", now.cycle, node, source, c);
      return;
    }
    for (std::uint32_t k = 0; k < flits.size(); ++k) {
      const std::uint64_t expected =
          whole ? ScanPackets::packed(source, part, k, digits(rank), destination_digits(i))
                : packets_.piece(source, part, piece, k, digits(rank));
      if (flits[k] != expected) {
        problem("cycle {}: flit {} of the packet of node {} is {:016x} at node {}, expected {:016x}",
                now.cycle, k, source, flits[k], node, expected);
        return;
      }
    }
    if (flits.size() != (whole ? settings_.pack_flits : settings_.cast_flits)) {
      problem("cycle {}: node {} got {} flits of the packet of node {}", now.cycle, node, flits.size(),
              source);
      return;
    }
    if (request_.collective == CollectiveKind::kPartialMultinodeBroadcast) {
      for (std::uint32_t g = 0; g < pieces_; ++g) {
        if (!whole && g != piece) continue;
        if (node == source) {
          ++returned_;
          continue;
        }
        count(((std::size_t{node} * request_.active.size() + i) * parts_ + part) * pieces_ + g, now, node,
              source);
      }
      return;
    }
    const NodeId destination = request_.collective == CollectiveKind::kMonotoneRouting
                                   ? request_.destinations[i]
                                   : request_.network.node_at(0, static_cast<NodeId>(rank));
    if (node != destination) {
      problem("cycle {}: the packet of node {} arrived at node {}, expected node {}", now.cycle, source, node,
              destination);
      return;
    }
    count(i, now, node, source);
  }

  void receive_sum(NetworkTime now, NodeId node, std::uint32_t c, const std::vector<std::uint64_t>& flits) {
    if (place_[node] == kNowhere || ranks_.rank[c][place_[node]] == Ranks::kNone) {
      problem("cycle {}: node {} got a sum of class {}, but wants none", now.cycle, node, c);
      return;
    }
    const std::size_t i = place_[node];
    const std::vector<std::uint64_t> expected = expected_sum(i, c);
    const std::uint64_t header =
        ScanPackets::header(digits(ranks_.rank[c][i]), digits(request_.network.address(node, c)), 0);
    for (std::uint32_t k = 0; k < flits.size(); ++k) {
      const bool first = packets_.index_in_piece(k) == 0;
      const std::uint64_t payload_mask = first ? ~ScanPackets::kHeaderMask : ~std::uint64_t{0};
      if (k >= expected.size() || (flits[k] & payload_mask) != (expected[k] & payload_mask) ||
          (k == 0 && (flits[0] & ScanPackets::kHeaderMask) != header)) {
        problem("cycle {}: flit {} of the sum for node {} in class {} is {:016x}, expected {:016x}",
                now.cycle, k, node, c, flits[k],
                k < expected.size() ? expected[k] | (k == 0 ? header : 0) : 0);
        return;
      }
    }
    if (flits.size() != settings_.pack_flits) {
      problem("cycle {}: node {} got {} flits of its sum", now.cycle, node, flits.size());
      return;
    }
    count(i * parts_ + part_of(c), now, node, node);
  }

  void count(std::size_t at, NetworkTime now, NodeId node, NodeId source) {
    if (got_[at]++ == 0) {
      ++delivered_;
    } else {
      ++duplicated_;
      problem("cycle {}: node {} got the packet of node {} twice", now.cycle, node, source);
    }
  }

  const ScanRequest& request_;
  const ScanSettings& settings_;
  const Ranks& ranks_;
  ScanPackets packets_;
  std::uint32_t parts_, pieces_;
  std::vector<std::uint32_t> place_;               // of a node in the list of active nodes
  std::vector<std::vector<std::uint64_t>> lanes_;  // flits so far, per node and lane
  std::vector<std::uint8_t> got_;
  std::uint64_t delivered_ = 0, duplicated_ = 0, returned_ = 0;
};

// Cycles after which a timetable must have ended, whatever is active.
std::uint64_t most_cycles(const ScanRequest& request, const ScanSettings& s) {
  const std::uint64_t d = request.network.digits(), p = request.network.side();
  const auto latency = static_cast<std::uint64_t>(request.link_latency);
  return 4 * d * p * (1 + latency) + 2 * d * p * (s.pack_flits + latency) +
         (request.active.size() + 1) * d * p * (s.cast_flits + latency) + 16;
}

}  // namespace

bool has_model(CollectiveKind kind) {
  return kind == CollectiveKind::kPartialMultinodeBroadcast ||
         kind == CollectiveKind::kPartialMultinodeAccumulation;
}

void check_request(const ScanRequest& request) {
  const NodeId nodes = request.network.graph().node_count();
  const auto refuse = [](const std::string& text) { throw std::invalid_argument(text); };
  if (request.flits < 1 || request.flits > kMostFlits)
    refuse(fmt::format("--flits {}: expected 1 to {}", request.flits, kMostFlits));
  if (request.header_flits < 0 || request.header_flits > 1)
    refuse(fmt::format("--header-flits {}: expected 0 or 1", request.header_flits));
  if (request.link_latency < 0 || request.link_latency > 64)
    refuse(fmt::format("--link-latency {}: expected 0 to 64", request.link_latency));
  const auto ascending = [&](const std::vector<NodeId>& list, const char* option) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (list[i] >= nodes) refuse(fmt::format("{} {}: expected nodes below {}", option, list[i], nodes));
      if (i > 0 && list[i] <= list[i - 1])
        refuse(fmt::format("{} {}: expected ascending nodes, each once", option, list[i]));
    }
  };
  ascending(request.active, "--active");
  ascending(request.destinations, "--destinations");
  const bool monotone = request.collective == CollectiveKind::kMonotoneRouting;
  if (monotone && request.destinations.size() != request.active.size())
    refuse(fmt::format("--destinations: expected {} nodes, as many as are active", request.active.size()));
  if (!monotone && !request.destinations.empty())
    refuse(fmt::format("--destinations: {} has no use for destinations", to_string(request.collective)));
  const auto refuse_unless = [&](bool used, bool given, const char* option) {
    if (given && !used)
      refuse(fmt::format("{}: {} has no use for it", option, to_string(request.collective)));
  };
  const bool classes = has_model(request.collective);
  refuse_unless(classes, request.split, "--split");
  refuse_unless(classes, request.single_class, "--single-class");
  refuse_unless(request.collective == CollectiveKind::kPartialMultinodeBroadcast, request.pass_on_first,
                "--pass-on-first");
  refuse_unless(request.collective != CollectiveKind::kScan, request.known_ranks, "--known-ranks");
  refuse_unless(request.collective != CollectiveKind::kScan &&
                    request.collective != CollectiveKind::kPartialMultinodeAccumulation,
                request.alternating, "--alternating");
  if (request.alternating && !request.network.is_ring())
    refuse("--alternating: expected a torus of side 3 or more, other networks have one way only");
  if (nodes > kMostNodes)
    refuse(fmt::format("{}: expected at most {} nodes", one_line(request.network.graph().spelling()),
                       kMostNodes));
}

ScanParameters scan_parameters(const ScanRequest& request) {
  check_request(request);
  const DigitNetwork& network = request.network;
  ScanParameters p;
  p.radix = static_cast<int>(std::max<PortId>(4, std::bit_ceil(network.graph().max_degree())));
  p.digits = static_cast<int>(network.digits());
  p.digit_width = std::bit_width(network.side() - 1);
  p.classes = static_cast<int>(network.classes());
  p.link_latency = request.link_latency;
  p.pieces = request.split && network.is_ring() ? 2 : 1;
  // Few widths, so that packets of other lengths share a variant.
  const auto needed = static_cast<int>(std::bit_width(scan_settings(request, p).pack_flits));
  p.length_width = needed <= 3 ? 3 : needed <= 5 ? 5 : needed <= 8 ? 8 : needed;
  return p;
}

ScanSettings scan_settings(const ScanRequest& request, const ScanParameters& parameters) {
  const DigitNetwork& network = request.network;
  ScanSettings s;
  s.operation = operation_of(request.collective);
  s.known = request.known_ranks;
  s.class_count = has_model(request.collective) && !request.single_class ? network.classes() : 1;
  s.classed = !request.split && s.class_count > 1;
  s.base = network.side();
  s.ring = network.is_ring();
  s.two_pieces = parameters.pieces == 2;
  s.alternate = request.alternating;
  s.pass_on_first = request.pass_on_first;
  s.header_flit = request.header_flits == 1;
  const auto flits = static_cast<std::uint32_t>(request.flits);
  const std::uint32_t parts = request.split ? s.class_count : 1;
  const auto header = static_cast<std::uint32_t>(request.header_flits);
  s.pack_flits = divided(flits, parts) + header;
  s.cast_flits = s.two_pieces ? divided(flits, 2 * parts) + header : s.pack_flits;
  return s;
}

ScanResult run_scan(const ScanRequest& request, VariantStore& store) {
  ScanResult result;
  result.parameters = scan_parameters(request);
  result.settings = scan_settings(request, result.parameters);
  ScanSettings& settings = result.settings;
  const NodeId nodes = request.network.graph().node_count();
  const Ranks ranks = ranks_of(request, settings);

  const Stopwatch build;
  const auto variant = store.load(result.parameters);
  result.build_seconds = build.seconds();

  const Stopwatch watch;
  Hosts hosts(request, settings, ranks);
  FabricOptions options;
  options.skip_idle = request.skip_idle;
  options.pool = request.pool;
  options.wave = request.wave;
  ScanFabric fabric(request.network, result.parameters, variant, &hosts, options);
  hosts.digits = [&](std::uint64_t number) { return fabric.digits_of(number); };
  settings.known_group = fabric.digits_of(ranks.group);
  fabric.configure(settings, &hosts);
  if (settings.known) {
    std::map<NodeId, std::size_t> place;
    for (std::size_t i = 0; i < request.active.size(); ++i) place[request.active[i]] = i;
    for (NodeId v = 0; v < nodes; ++v) {
      ScanPlace where = fabric.place_of(v);
      const auto at = place.find(v);
      for (std::uint32_t c = 0; c < settings.class_count; ++c) {
        const bool in_class = at != place.end() && ranks.rank[c][at->second] != Ranks::kNone;
        where.known_rank.push_back(in_class ? fabric.digits_of(ranks.rank[c][at->second]) : 0);
        where.known_total.push_back(fabric.digits_of(ranks.total[c]));
      }
      if (at != place.end()) where.known_class = ranks.class_of[at->second];
      fabric.configure_place(v, where);
    }
  }
  if (request.collective == CollectiveKind::kPartialMultinodeAccumulation) {
    // A node has something for every rank; what is beyond the number of active nodes is never asked for.
    for (NodeId v = 0; v < nodes; ++v) {
      for (std::uint32_t c = 0; c < settings.class_count; ++c) {
        for (NodeId rank = 0; rank < ranks.total[c]; ++rank) {
          for (std::uint32_t piece = 0; piece < (settings.two_pieces ? 2U : 1U); ++piece) {
            for (std::uint32_t k = 0; k < settings.cast_flits; ++k) {
              const std::uint64_t value = ScanPackets::operand(v, c, rank, piece, k);
              fabric.load(v, c, rank, piece, k,
                          k == 0 ? (value & ~ScanPackets::kHeaderMask) |
                                       ScanPackets::header(fabric.digits_of(rank), 0, 0)
                                 : value);
            }
          }
        }
      }
    }
  }
  for (const LinkFault& fault : request.faults) fabric.set_fault(fault);

  const std::uint64_t most = most_cycles(request, settings);
  fabric.start();
  bool ended = false;
  while (!ended) {
    const NetworkTime now = fabric.clock();
    ended = fabric.finished();
    if (!ended && now.cycle > most) {
      hosts.problem("the timetable has not ended after {} cycles", now.cycle);
      break;
    }
  }

  for (NodeId v = 0; v < nodes; ++v) {
    const ScanStatus status = fabric.status(v);
    const NodeCounters counters = fabric.counters(v);
    for (const std::uint32_t sent : counters.sent) result.flits_sent += sent;
    result.last_delivery = std::max(result.last_delivery, counters.last_delivery_cycle);
    result.cycles = std::max(result.cycles, status.last_cycle);
    if (v == 0) result.phase_cycles = status.phase_cycles;
    const ScanStatus first = fabric.status(0);
    if (status.last_cycle != first.last_cycle || status.phase_cycles != first.phase_cycles)
      hosts.problem("node {} ended in cycle {}, node 0 in cycle {}", v, status.last_cycle, first.last_cycle);
    if (settings.known) continue;
    if (status.group_total != ranks.group)
      hosts.problem("node {} counts {} packets in the largest class, expected {}", v, status.group_total,
                    ranks.group);
    for (std::uint32_t c = 0; c < settings.class_count; ++c) {
      if (status.total[c] != ranks.total[c])
        hosts.problem("node {} counts {} packets in class {}, expected {}", v, status.total[c], c,
                      ranks.total[c]);
    }
    const auto at = std::lower_bound(request.active.begin(), request.active.end(), v);
    if (at == request.active.end() || *at != v) continue;
    const auto i = static_cast<std::size_t>(at - request.active.begin());
    if (settings.classed && status.class_number != ranks.class_of[i])
      hosts.problem("node {} is in class {}, expected {}", v, status.class_number, ranks.class_of[i]);
    for (std::uint32_t c = 0; c < settings.class_count; ++c) {
      if (ranks.rank[c][i] != Ranks::kNone && status.rank[c] != ranks.rank[c][i])
        hosts.problem("node {} has rank {} in class {}, expected {}", v, status.rank[c], c, ranks.rank[c][i]);
    }
  }
  hosts.account(result);
  if (hosts.problem_count > kProblemsShown)
    hosts.problems.push_back(fmt::format("... and {} more", hosts.problem_count - kProblemsShown));
  result.problems = std::move(hosts.problems);
  result.transfers = std::move(hosts.transfers);
  result.node_evaluations = fabric.evaluations();
  result.run_seconds = watch.seconds();
  return result;
}

}  // namespace safnet
