#include "sim/run/dynamic_broadcast.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <stdexcept>
#include <utility>

#include "sim/run/stopwatch.hpp"
#include "sim/scan/scan_check.hpp"
#include "sim/scan/scan_packets.hpp"

namespace safnet {
namespace {

constexpr std::size_t kProblemsShown = 20;

// A packet from its arrival on. Cycles are those at whose end it happens.
struct Broadcast {
  Arrival arrival;
  std::uint32_t number = 0;  // among those of its node
  std::uint32_t ended = 0;   // its interval
  std::uint32_t last_delivery = 0;
  std::uint64_t deliveries = 0;
};

// The hosts: packets wait at their nodes and are broadcast in order of arrival. What other nodes get is
// checked against who was taken in the interval.
class Hosts final : public ScanHosts, public MachineObserver {
 public:
  Hosts(const DynamicBroadcastRequest& request, const ScanSettings& settings,
        const std::vector<Arrival>& arrivals)
      : network_(request.network),
        settings_(settings),
        format_(settings.pack_flits, settings.cast_flits, settings.header_flit, settings.two_pieces),
        parts_(settings.classed ? 1 : settings.class_count),
        pieces_(settings.two_pieces ? 2 : 1),
        waiting_(nodes()),
        current_(nodes(), kNone),
        numbers_(nodes()),
        class_(nodes()),
        rank_(settings.class_count, std::vector<std::uint64_t>(nodes(), kNoRank)),
        got_(std::size_t{nodes()} * nodes()),
        lanes_(std::size_t{nodes()} * settings.class_count * kScanLanes) {
    for (const Arrival& arrival : arrivals) packets.push_back({arrival, numbers_[arrival.node]++, 0, 0, 0});
    for (std::uint32_t c = 0; c < settings.class_count; ++c) {
      order_.emplace_back();
      for (NodeId address = 0; address < nodes(); ++address)
        order_.back().push_back(network_.node_at(c, address));
    }
  }

  // Packets that have arrived by the end of the cycle join their queues.
  void arrive(std::uint32_t cycle) {
    for (; arrived_ < packets.size() && packets[arrived_].arrival.tick <= std::uint64_t{cycle} << kTickBits;
         ++arrived_)
      waiting_[packets[arrived_].arrival.node].push_back(arrived_);
  }
  bool is_pending(NetworkTime, std::uint32_t node) override { return !waiting_[node].empty(); }
  void on_taken(NetworkTime, std::uint32_t node) override { taken_.push_back(node); }
  std::uint64_t own_flit(std::uint32_t node, std::uint32_t class_number, std::uint32_t index) override {
    if (current_[node] == kNone) return 0;
    return ScanPackets::own(node, name_of(node, class_number), index, 0);
  }

  void on_link_flit(NetworkTime, std::uint32_t, std::uint32_t, const std::uint32_t*) override {}
  void on_delivered_flit(NetworkTime now, std::uint32_t node, std::uint32_t lane, const std::uint32_t* words,
                         bool last) override {
    std::vector<std::uint64_t>& flits = lanes_[std::size_t{node} * settings_.class_count * kScanLanes + lane];
    flits.push_back(words[0] | std::uint64_t{words[1]} << 32);
    if (!last) return;
    receive(now, node, lane / kScanLanes, lane % kScanLanes, flits);
    flits.clear();
  }

  // The interval has ended with this cycle: is everything delivered? Those taken meanwhile are active next.
  void turn(std::uint32_t cycle) {
    const std::uint64_t each = std::uint64_t{nodes() - 1} * parts_ * pieces_;
    for (const NodeId v : active_) {
      Broadcast& packet = packets[current_[v]];
      packet.ended = cycle;
      expected += each;
      if (packet.deliveries == each) {
        ++finished;
      } else {
        problem("packet {} of node {} made {} of {} deliveries in its interval, which ended in cycle {}",
                packet.number, v, packet.deliveries, each, cycle);
      }
      current_[v] = kNone;
    }
    active_.clear();
    for (NodeId v = 0; v < nodes(); ++v) {
      const auto times = std::count(taken_.begin(), taken_.end(), v);
      if (times != (waiting_[v].empty() ? 0 : 1)) {
        problem("cycle {}: node {} with {} waiting packets is taken {} times", cycle, v, waiting_[v].size(),
                times);
      }
      if (times == 0 || waiting_[v].empty()) continue;
      active_.push_back(v);
      current_[v] = waiting_[v].front();
      waiting_[v].pop_front();
    }
    taken_.clear();
    for (const auto& flits : lanes_) {
      if (!flits.empty()) problem("cycle {}: an interval ends within a packet", cycle);
    }
    std::fill(got_.begin(), got_.end(), 0);
    find_ranks();
  }
  std::size_t active() const { return active_.size(); }
  // Packets of the largest class.
  std::uint64_t group_total() const { return group_; }
  bool all_done() const { return finished_or_failed() == packets.size(); }

  template <class... Arguments>
  void problem(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    if (++problem_count <= kProblemsShown)
      problems.push_back(fmt::format(text, std::forward<Arguments>(arguments)...));
  }

  std::vector<Broadcast> packets;  // in order of arrival
  std::uint64_t finished = 0, expected = 0, deliveries = 0, duplicated = 0;
  std::vector<std::string> problems;
  std::uint64_t problem_count = 0;
  std::function<std::uint64_t(std::uint64_t)> digits;  // of a rank, as headers have it

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};
  static constexpr std::uint64_t kNoRank = ~std::uint64_t{0};

  NodeId nodes() const { return network_.graph().node_count(); }
  std::size_t finished_or_failed() const {
    std::size_t open = active_.size();
    for (const auto& queue : waiting_) open += queue.size();
    return arrived_ - open;
  }
  // What the payload of a packet's part is made from: no two parts of a node's packets have the same.
  std::uint32_t name_of(NodeId source, std::uint32_t class_number) const {
    const std::uint32_t part = settings_.classed ? 0 : class_number;
    return packets[current_[source]].number * parts_ + part;
  }

  // By definition: the number of active nodes before, in the order of the class. Classes by the order of
  // class 0.
  void find_ranks() {
    std::uint32_t place = 0;
    for (const NodeId v : order_[0]) {
      if (current_[v] != kNone) class_[v] = place++ % settings_.class_count;
    }
    group_ = 0;
    for (std::uint32_t c = 0; c < settings_.class_count; ++c) {
      std::uint64_t rank = 0;
      for (const NodeId v : order_[c]) {
        const bool counts = current_[v] != kNone && (!settings_.classed || class_[v] == c);
        rank_[c][v] = counts ? rank++ : kNoRank;
      }
      group_ = std::max(group_, rank);
    }
  }

  void receive(NetworkTime now, NodeId node, std::uint32_t c, std::uint32_t lane,
               const std::vector<std::uint64_t>& flits) {
    const NodeId source = ScanPackets::source_of(flits[0]);
    if (source >= nodes() || current_[source] == kNone || rank_[c][source] == kNoRank)
      return problem("cycle {}: node {} got a packet of node {}, which has none in class {}", now.cycle, node,
                     source, c);
    const bool whole = lane >= kScanWhole;
    const std::uint32_t piece = whole || !settings_.two_pieces || lane == 1 ? 0 : 1;
    const std::uint32_t name = name_of(source, c);
    const std::uint64_t rank = digits(rank_[c][source]);
    bool intact = flits.size() == (whole ? settings_.pack_flits : settings_.cast_flits);
    for (std::uint32_t k = 0; intact && k < flits.size(); ++k)
      intact = flits[k] == (whole ? ScanPackets::packed(source, name, k, rank, 0)
                                  : format_.piece(source, name, piece, k, rank));
    if (!intact)
      return problem("cycle {}: node {} got a packet of node {} that is not what was sent", now.cycle, node,
                     source);
    if (node == source) return;  // its own comes back: part of the algorithm
    Broadcast& packet = packets[current_[source]];
    const std::uint32_t part = settings_.classed ? 0 : c;
    for (std::uint32_t g = 0; g < pieces_; ++g) {
      if (!whole && g != piece) continue;
      std::uint64_t& got = got_[std::size_t{node} * nodes() + source];
      const std::uint64_t bit = std::uint64_t{1} << (part * pieces_ + g);
      if ((got & bit) != 0) {
        ++duplicated;
        problem("cycle {}: node {} got a packet of node {} twice", now.cycle, node, source);
        continue;
      }
      got |= bit;
      ++deliveries;
      ++packet.deliveries;
      packet.last_delivery = std::max(packet.last_delivery, now.cycle);
    }
  }

  const DigitNetwork& network_;
  const ScanSettings& settings_;
  ScanPackets format_;
  std::uint32_t parts_, pieces_;
  std::size_t arrived_ = 0;
  std::vector<std::deque<std::size_t>> waiting_;  // per node: places in `packets`
  std::vector<std::size_t> current_;              // per node: what it broadcasts in this interval
  std::vector<std::uint32_t> numbers_;            // per node: packets so far
  std::vector<std::uint32_t> class_;              // per node: of its packet, if that is not split
  std::vector<NodeId> active_, taken_;
  std::vector<std::vector<NodeId>> order_;        // per class: the nodes by address
  std::vector<std::vector<std::uint64_t>> rank_;  // [class][node]
  std::uint64_t group_ = 0;
  std::vector<std::uint64_t> got_;  // [node][source]: a bit per part and piece, in this interval
  std::vector<std::vector<std::uint64_t>> lanes_;  // flits so far, per node and lane
};

// What all nodes say of an interval that has just ended.
void check_interval(const ScanFabric& fabric, NodeId nodes, std::uint64_t intervals, std::uint32_t cycle,
                    Hosts& hosts) {
  for (NodeId v = 0; v < nodes; ++v) {
    const ScanStatus status = fabric.status(v);
    if (status.intervals != intervals || status.last_cycle != cycle)
      hosts.problem("node {} has ended interval {} in cycle {}, node 0 interval {} in cycle {}", v,
                    status.intervals, status.last_cycle, intervals, cycle);
    if (status.group_total != hosts.group_total())
      hosts.problem("cycle {}: node {} counts {} packets in the largest class, expected {}", cycle, v,
                    status.group_total, hosts.group_total());
  }
}

bool all_have_counted(const ScanFabric& fabric, NodeId nodes, std::uint64_t group_total) {
  for (NodeId v = 0; v < nodes; ++v) {
    if (fabric.status(v).group_total != group_total) return false;
  }
  return true;
}

void summarise(const DynamicBroadcastRequest& request, const std::vector<Broadcast>& packets,
               DynamicBroadcastResult& result) {
  const auto ticks = [](std::uint32_t cycle) { return std::uint64_t{cycle} << kTickBits; };
  const std::uint64_t end = packets.back().arrival.tick;
  std::vector<std::uint64_t> delays, delivery_delays, ends;
  boost::multiprecision::cpp_int waited = 0;
  for (std::size_t i = 0; i < packets.size(); ++i) {
    const Broadcast& packet = packets[i];
    const std::uint64_t ended = packet.ended == 0 ? end : ticks(packet.ended);
    ends.push_back(ended);
    waited += std::min(ended, end) - packet.arrival.tick;
    result.final_backlog += ended > end || packet.ended == 0 ? 1 : 0;
    if (i < request.warm_up || packet.ended == 0) continue;
    delays.push_back(ended - packet.arrival.tick);
    if (packet.last_delivery != 0)
      delivery_delays.push_back(ticks(packet.last_delivery) - packet.arrival.tick);
  }
  // Before each arrival those leave whose interval has ended.
  std::sort(ends.begin(), ends.end());
  for (std::size_t i = 0, left = 0; i < packets.size(); ++i) {
    while (left < i && ends[left] <= packets[i].arrival.tick) ++left;
    result.largest_backlog = std::max<std::uint64_t>(result.largest_backlog, i + 1 - left);
  }
  if (end != 0) result.mean_backlog = Rational(waited, end);
  result.delay = statistics_of(std::move(delays));
  result.delivery_delay = statistics_of(std::move(delivery_delays));
}

}  // namespace

ScanRequest scan_request(const DynamicBroadcastRequest& request) {
  ScanRequest scan(request.network);
  scan.flits = request.flits;
  scan.header_flits = request.header_flits;
  scan.link_latency = request.link_latency;
  scan.split = request.split;
  scan.alternating = request.alternating;
  return scan;
}

void check_dynamic_broadcast(const DynamicBroadcastRequest& request) {
  check_request(scan_request(request));
  check_arrivals(request.network.graph().node_count(), request.rate / request.flits, request.packets);
  if (request.warm_up >= request.packets) {
    throw std::invalid_argument(
        fmt::format("--warm-up {}: expected fewer than --packets {}", request.warm_up, request.packets));
  }
}

DynamicBroadcastResult run_dynamic_broadcast(const DynamicBroadcastRequest& request, VariantStore& store) {
  const ScanRequest scan = scan_request(request);
  const ScanParameters parameters = scan_parameters(scan);
  check_dynamic_broadcast(request);
  const NodeId nodes = request.network.graph().node_count();
  const std::vector<Arrival> arrivals =
      poisson_arrivals(nodes, request.rate / request.flits, request.packets, request.seed);
  DynamicBroadcastResult result;
  result.settings = scan_settings(scan, parameters);
  result.settings.repeat = true;
  const Stopwatch build;
  const auto variant = store.load(parameters);
  result.build_seconds = build.seconds();

  const Stopwatch watch;
  Hosts hosts(request, result.settings, arrivals);
  FabricOptions options;
  options.pool = request.pool;
  ScanFabric fabric(request.network, parameters, variant, &hosts, options);
  hosts.digits = [&](std::uint64_t number) { return fabric.digits_of(number); };
  fabric.configure(result.settings, &hosts);
  for (const LinkFault& fault : request.faults) fabric.set_fault(fault);
  const DigitShape& shape = request.network.shape();
  const PartialBroadcastSettings broadcast = broadcast_settings(scan);
  const std::uint64_t longest = partial_broadcast_time(shape, broadcast, nodes).total();

  fabric.start();
  std::uint32_t interval_end = 0;
  ScanPhase phase = ScanPhase::kIdle;
  while (!hosts.all_done()) {
    const std::uint32_t next = result.cycles + 1;
    hosts.arrive(next);
    result.cycles = fabric.clock().cycle;
    if (result.cycles - interval_end > longest + 1) {
      hosts.problem("interval {} has not ended after {} cycles", result.intervals + 1,
                    result.cycles - interval_end);
      break;
    }
    const ScanStatus status = fabric.status(0);
    if (status.phase == ScanPhase::kPack && phase != ScanPhase::kPack &&
        all_have_counted(fabric, nodes, hosts.group_total()))
      ++result.counted_in_time;
    phase = status.phase;
    if (status.intervals == result.intervals) continue;
    ++result.intervals;
    check_interval(fabric, nodes, result.intervals, result.cycles, hosts);
    const std::uint64_t cycles = result.cycles - interval_end;
    interval_end = result.cycles;
    IntervalCount& count = result.by_active[hosts.active()];
    ++count.intervals;
    count.cycles = cycles;
    const std::uint64_t expected = partial_broadcast_time(shape, broadcast, hosts.active()).total();
    if (cycles != expected) {
      hosts.problem("interval {} of {} packets took {} cycles, expected {}", result.intervals, hosts.active(),
                    cycles, expected);
    }
    hosts.turn(result.cycles);
    if (request.on_progress) request.on_progress(hosts.finished, result.cycles);
    if (hosts.problem_count > kProblemsShown) break;
  }

  if (result.counted_in_time != result.intervals && hosts.problem_count == 0) {
    hosts.problem("in {} of {} intervals some node did not know the number of packets before packing began",
                  result.intervals - std::min(result.intervals, result.counted_in_time), result.intervals);
  }
  for (NodeId v = 0; v < nodes; ++v) {
    for (const std::uint32_t sent : fabric.counters(v).sent) result.flits_sent += sent;
  }
  result.arrived = hosts.packets.size();
  result.broadcast = hosts.finished;
  result.deliveries = hosts.deliveries;
  result.expected_deliveries = hosts.expected;
  result.lost = hosts.expected - std::min(hosts.expected, hosts.deliveries);
  result.duplicated = hosts.duplicated;
  summarise(request, hosts.packets, result);
  result.problems = std::move(hosts.problems);
  result.run_seconds = watch.seconds();
  return result;
}

DynamicBroadcastLimits limits_of(const DynamicBroadcastRequest& request) {
  const DigitShape& shape = request.network.shape();
  const PartialBroadcastSettings broadcast = broadcast_settings(scan_request(request));
  const Rational per_cycle = request.rate / request.flits;
  const std::uint64_t nodes = shape.nodes();
  DynamicBroadcastLimits limits;
  limits.interval = linear_cycles(shape, broadcast);
  limits.stable = stable_rate(nodes, limits.interval) * request.flits;
  limits.exactly = exact_stable_rate(partial_broadcast_time(shape, broadcast, nodes).total()) * request.flits;
  limits.any_scheme = largest_rate(shape);
  limits.utilisation = broadcast_utilisation(nodes, limits.interval, per_cycle);
  limits.mean_delay = mean_delay_bound(nodes, limits.interval, per_cycle);
  if (shape.folded && !request.split && request.header_flits == 0 && request.link_latency == 0)
    limits.printed_folded_delay =
        folded_mean_delay_bound(shape.digits, Rational(1, request.flits), request.rate);
  return limits;
}

}  // namespace safnet
