#include "sim/run/dynamic_broadcast.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <utility>

#include "sim/machine/limits.hpp"
#include "sim/machine/system.hpp"
#include "sim/run/drive.hpp"
#include "sim/run/memory_estimate.hpp"
#include "sim/run/scan_check.hpp"

namespace safnet {
namespace {

// A packet from its arrival on. `ended` and `last_delivery` are cycles, at whose end these happen.
struct Broadcast {
  Arrival arrival;
  std::uint32_t number = 0;  // among those of its node
  std::uint32_t ended = 0;   // end of its interval
  std::uint32_t last_delivery = 0;
};

// The cycle in which a packet first waits at its node: it has arrived by its end.
std::uint32_t first_cycle_of(const Arrival& arrival) {
  return std::max<std::uint32_t>(
      1, static_cast<std::uint32_t>(divide_up(arrival.tick, std::uint64_t{1} << kTickBits)));
}

// Packets wait at their nodes and are broadcast in order of arrival, one of each node in an interval.
class QueueingHosts final : public ScanHosts {
 public:
  QueueingHosts(const DigitNetwork& network, const ScanSettings& settings, const ScanParameters& parameters,
                const std::vector<Arrival>& arrivals, Keep keep)
      : ScanHosts(network, settings, parameters, keep), waiting_(nodes()) {
    std::vector<std::uint32_t> numbers(nodes());
    for (const Arrival& arrival : arrivals) packets.push_back({arrival, numbers[arrival.node]++, 0, 0});
    begin_interval({.active = {}});
  }

  // Packets that have arrived by the end of the cycle join their queues.
  void arrive(std::uint32_t cycle) {
    for (; arrived_ < packets.size() && packets[arrived_].arrival.tick <= std::uint64_t{cycle} << kTickBits;
         ++arrived_)
      waiting_[packets[arrived_].arrival.node].push_back(arrived_);
  }
  bool is_pending(NetworkTime, std::uint32_t node) override { return !waiting_[node].empty(); }
  void on_taken(NetworkTime, std::uint32_t node) override { taken_.push_back(node); }

  // Ends an interval: checks that its packets were delivered; those taken meanwhile are the next one's.
  void turn(std::uint32_t cycle) {
    for (std::size_t i = 0; i < current_.size(); ++i) {
      Broadcast& packet = packets[current_[i]];
      packet.ended = cycle;
      packet.last_delivery = last_delivery_of(i);
      expected += expected_of_each();
      if (deliveries_of(i) == expected_of_each()) {
        ++finished;
      } else {
        problems.add("packet {} of node {} made {} of {} deliveries in its interval, which ended in cycle {}",
                     packet.number, active()[i], deliveries_of(i), expected_of_each(), cycle);
      }
    }
    check_returned(problems);
    if (drop_unfinished() != 0) problems.add("cycle {}: an interval ends within a packet", cycle);
    current_.clear();
    ScanWork work;
    for (NodeId v = 0; v < nodes(); ++v) {
      const auto times = std::count(taken_.begin(), taken_.end(), v);
      if (times != (waiting_[v].empty() ? 0 : 1)) {
        problems.add("cycle {}: node {} with {} waiting packets is taken {} times", cycle, v,
                     waiting_[v].size(), times);
      }
      if (times == 0 || waiting_[v].empty()) continue;
      const Broadcast& packet = packets[waiting_[v].front()];
      work.active.push_back(v);
      work.numbers.push_back(packet.number);
      work.generated.push_back(first_cycle_of(packet.arrival));
      current_.push_back(waiting_[v].front());
      waiting_[v].pop_front();
    }
    taken_.clear();
    begin_interval(std::move(work));
  }
  // All packets have arrived and have been broadcast.
  bool all_done() const {
    std::size_t open = current_.size();
    for (const auto& queue : waiting_) open += queue.size();
    return arrived_ - open == packets.size();
  }

  std::vector<Broadcast> packets;  // in order of arrival
  std::uint64_t finished = 0, expected = 0;
  Problems problems;

 private:
  std::size_t arrived_ = 0;
  std::vector<std::deque<std::size_t>> waiting_;  // per node: places in `packets`
  std::vector<std::size_t> current_;              // what each active node broadcasts in this interval
  std::vector<NodeId> taken_;
};

// Checks what the nodes say of an interval that has just ended.
void check_interval(const Machine& machine, NodeId nodes, std::uint32_t cycle, QueueingHosts& hosts) {
  for (NodeId v = 0; v < nodes; ++v) {
    const ScanStatus status = machine.status(v).scan;
    if (hosts.number_of(status.group_total) != hosts.ranks().group)
      hosts.problems.add("cycle {}: node {} counts {} packets in the largest class, expected {}", cycle, v,
                         hosts.number_of(status.group_total), hosts.ranks().group);
  }
}

bool all_have_counted(const Machine& machine, NodeId nodes, const QueueingHosts& hosts) {
  for (NodeId v = 0; v < nodes; ++v) {
    if (hosts.number_of(machine.status(v).scan.group_total) != hosts.ranks().group) return false;
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
  // The backlog at each arrival: packets that have arrived, less those whose interval has ended.
  std::sort(ends.begin(), ends.end());
  for (std::size_t i = 0, left = 0; i < packets.size(); ++i) {
    while (left < i && ends[left] <= packets[i].arrival.tick) ++left;
    result.largest_backlog = std::max<std::uint64_t>(result.largest_backlog, i + 1 - left);
  }
  if (end != 0) result.mean_backlog = Rational(waited, end);
  result.delay = statistics_of(std::move(delays));
  result.delivery_delay = statistics_of(std::move(delivery_delays));
}

// One interval after the other, until all packets are broadcast or something is wrong. Returns their phases.
std::vector<PhaseStart> run_intervals(const DynamicBroadcastRequest& request, Machine& machine,
                                      QueueingHosts& hosts, DynamicBroadcastResult& result) {
  const NodeId nodes = request.network.graph().node_count();
  const DigitShape& shape = request.network.shape();
  const PartialBroadcastSettings broadcast = broadcast_settings(request);
  const std::uint64_t longest = partial_broadcast_time(shape, broadcast, nodes).total();
  // The length of each timetable is known, so the loop below limits cycles; the patience of the drive is off.
  Drive drive(machine, kForEver, request.faults, kForEver);
  drive.start();
  std::uint32_t interval_end = 0, now = 0;
  ScanPhase phase = ScanPhase::kIdle;
  PhaseWatch watch(machine);
  while (!hosts.all_done()) {
    hosts.arrive(now + 1);
    now = drive.cycle().cycle;
    const ScanStatus status = watch.after(now);
    if (now - interval_end > longest + 1) {
      hosts.problems.add("interval {} has not ended after {} cycles", result.intervals + 1,
                         now - interval_end);
      break;
    }
    if (status.phase == ScanPhase::kPack && phase != ScanPhase::kPack &&
        all_have_counted(machine, nodes, hosts))
      ++result.counted_in_time;
    phase = status.phase;
    if (status.intervals == result.intervals) continue;
    ++result.intervals;
    watch.judge(request.network.graph(), result.intervals, hosts.problems);
    check_interval(machine, nodes, now, hosts);
    const std::uint64_t cycles = now - interval_end;
    interval_end = now;
    const std::size_t active = hosts.active().size();
    IntervalCount& count = result.by_active[active];
    ++count.intervals;
    count.cycles = cycles;
    const std::uint64_t expected = partial_broadcast_time(shape, broadcast, active).total();
    if (cycles != expected) {
      hosts.problems.add("interval {} of {} packets took {} cycles, expected {}", result.intervals, active,
                         cycles, expected);
    }
    hosts.turn(now);
    if (request.on_progress) request.on_progress(hosts.finished, hosts.packets.size(), now);
    if (hosts.problems.count() + hosts.problem_count() > kProblemsKept) break;
  }
  result.cycles = now;
  return watch.phases();
}

}  // namespace

void check_dynamic_broadcast(const DynamicBroadcastRequest& request) {
  check_request(request);
  check_arrivals(request.network.graph().node_count(), request.rate / request.flits, request.packets);
  if (request.warm_up >= request.packets)
    throw bad_input("--warm-up {}: expected fewer than --packets {}", request.warm_up, request.packets);
}

DynamicBroadcastResult run_dynamic_broadcast(const DynamicBroadcastRequest& request, VariantStore& store) {
  const ScanParameters parameters = scan_parameters(request);
  check_dynamic_broadcast(request);
  const Graph& graph = request.network.graph();
  const std::vector<Arrival> arrivals =
      poisson_arrivals(graph.node_count(), request.rate / request.flits, request.packets, request.seed);
  DynamicBroadcastResult result;
  result.settings = scan_settings(request);
  result.settings.repeat = true;
  QueueingHosts hosts(request.network, result.settings, parameters, arrivals,
                      {.packets = request.keep_trace});
  require_memory_of_scan(graph, parameters);
  const auto machine = make_machine(graph, scan_hardware(parameters), request, &hosts, store, result);
  hosts.follow(*machine);
  const Stopwatch watch;
  load_program(*machine, graph.node_count(), [&](NodeId v) {
    return ScanProgram{result.settings, hosts.place_of(v), {}, &hosts};
  });
  const std::vector<PhaseStart> phases = run_intervals(request, *machine, hosts, result);
  if (result.counted_in_time != result.intervals && hosts.problems.count() == 0) {
    hosts.problems.add(
        "in {} of {} intervals some node did not know the number of packets before packing began",
        result.intervals - std::min(result.intervals, result.counted_in_time), result.intervals);
  }
  const std::uint32_t end = result.cycles;
  result.expected_deliveries = hosts.expected;
  take_account(result, graph, *machine, hosts, hosts.problems.lines(), end - 1);
  result.last_delivery = result.cycles;
  result.cycles = end;
  result.flits_sent = result.transmissions;
  result.deliveries = result.delivered;
  result.arrived = hosts.packets.size();
  result.broadcast = hosts.finished;
  summarise(request, hosts.packets, result);
  result.trace = {hosts.take_intervals(), phases};
  result.run_seconds = watch.seconds();
  return result;
}

DynamicBroadcastLimits limits_of(const DynamicBroadcastRequest& request) {
  const DigitShape& shape = request.network.shape();
  const PartialBroadcastSettings broadcast = broadcast_settings(request);
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
