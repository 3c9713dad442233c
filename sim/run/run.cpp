#include "sim/run/run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <stdexcept>

#include "cpp_model/check/validator.hpp"
#include "cpp_model/graph/processor_distance.hpp"
#include "cpp_model/graph/text.hpp"
#include "sim/machine/reference.hpp"
#include "sim/machine/wait_graph.hpp"
#include "sim/pifo/exchange_machine.hpp"
#include "sim/pifo/host_program.hpp"
#include "sim/pifo/pifo_recorder.hpp"
#include "sim/run/limits.hpp"

namespace safnet {
namespace {

constexpr int kFlitWidth = 64;
constexpr int kMaxFlits = 64;
constexpr int kMaxLatency = 64;
constexpr int kMaxQueueDepth = 4096;
// A trace of more transfers than this is neither kept nor replayed: it would not fit in memory with the
// network.
constexpr std::uint64_t kMaxTraceTransfers = 20'000'000;

// Memory that the models of a fabric take, an estimate from the sizes of the RTL's memories.
double estimated_gigabytes(const NodeParameters& p, NodeId nodes) {
  const double queues = p.port_model == 0 ? p.radix : 1;
  const double slot = 8.0 * p.flits + 8 + 2 + (p.port_model == 0 ? 0 : p.radix / 8.0 + 1);
  const double lane = slot * p.queue_depth + 10.0 * p.rank_levels;
  const double host = slot * p.host_depth + 10.0 * p.rank_levels;
  const double table = (p.radix <= 16 ? 4.0 : 8.0 * ((p.radix + 31) / 32)) * p.label_depth +
                       (p.port_model == 0 ? 0 : p.label_depth * p.radix * 0.75);
  return nodes * (queues * (p.radix * lane + host) + table + 20000) / 1e9;
}

double memory_gigabytes() {
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e9;
}

// Bits for the tags of all messages; those of one fit into what a node's number takes.
int tag_width(const Problem& problem, const NodeParameters& p) {
  const std::uint64_t tags = std::uint64_t{problem.messages} * (problem.graph.node_count() + 1);
  if (problem.messages == 1) return p.node_id_width;
  const int width = size_class(static_cast<std::uint64_t>(std::bit_width(tags)), std::array{12, 16, 20, 24});
  const int others = std::bit_width(static_cast<unsigned>(p.label_depth - 1)) + p.node_id_width +
                     std::bit_width(static_cast<unsigned>(p.flits));
  constexpr int kLeastCheckBits = 1;
  if (width + others + kLeastCheckBits > kFlitWidth) {
    throw std::invalid_argument(fmt::format(
        "--messages {}: {} bits of tags do not fit into a header beside {} others; expected fewer",
        problem.messages, width, others));
  }
  return width;
}

bool needs_grants(const RunRequest& request, const Policy& policy) {
  if (request.problem.ports != PortModel::kOnePort) {
    if (request.grants == GrantMode::kOn) {
      throw std::invalid_argument("--grants on: only --ports one has grants");
    }
    return false;
  }
  return request.grants == GrantMode::kOn ||
         (request.grants == GrantMode::kAutomatic && !policy.conflict_free);
}

}  // namespace

std::string to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::kOptimal:
      return "optimal";
    case Verdict::kAsPublished:
      return "as-published";
    case Verdict::kWithinBound:
      return "within-bound";
    case Verdict::kWorse:
      return "worse";
    case Verdict::kFailed:
      return "failed";
    case Verdict::kStuck:
      return "stuck";
  }
  return "unknown";
}

int RunResult::exit_code() const { return verdict == Verdict::kStuck ? 3 : problems.empty() ? 0 : 1; }

NodeParameters choose_parameters(const RunRequest& request, const Policy& policy) {
  const Graph& graph = request.problem.graph;
  check_range("--flits", request.flits, 1, kMaxFlits);
  check_range("--link-latency", request.link_latency, 0, kMaxLatency);
  if (request.queue_depth != 0) check_range("--queue-depth", request.queue_depth, 1, kMaxQueueDepth);
  if (request.host_depth != 0) check_range("--host-depth", request.host_depth, 1, kMaxQueueDepth);
  if (graph.max_degree() > 64) {
    throw std::invalid_argument(fmt::format("{}: a node has {} ports; expected at most 64",
                                            one_line(graph.spelling()), graph.max_degree()));
  }
  NodeParameters p;
  p.radix = size_class(graph.max_degree(), std::array{4, 8, 16, 32, 64});
  p.flit_width = kFlitWidth;
  p.flits = request.flits;
  p.link_latency = request.link_latency;
  p.port_model = static_cast<int>(request.problem.ports);
  p.grant_cycles = needs_grants(request, policy) ? 2 * p.link_latency + 2 : 0;
  p.slot_cycles = request.slot == SlotMode::kFree ? 1 : p.flits + p.link_latency + p.grant_cycles;
  p.label_depth = size_class(policy.label_count, std::array{256, 4096, 65536, 131072});
  if (policy.rank_levels > 4096) {
    throw std::invalid_argument(fmt::format("{}: needs {} ranks; the hardware has at most 4096",
                                            one_line(graph.spelling()), policy.rank_levels));
  }
  p.node_id_width = graph.node_count() <= 4096 ? 12 : 16;
  p.tag_width = tag_width(request.problem, p);
  p.deals_links = policy.deals_links ? 1 : 0;
  p.rest_ranks = policy.rest_ranks && p.port_model != 0 ? 1 : 0;
  // Depth and ranks cost nothing in time, so small networks get plenty of both and share their variants;
  // large ones get what they need.
  const bool small = p.radix <= 8 && graph.node_count() <= 1024;
  const std::uint64_t least_depth = small ? 512 : 1;
  const std::array depths{16, 64, 512, 4096};
  p.rank_levels =
      size_class(std::max<std::uint64_t>(small ? 64 : 1, policy.rank_levels), std::array{2, 64, 512, 4096});
  p.queue_depth = request.queue_depth != 0 ? request.queue_depth
                                           : size_class(std::max(least_depth, policy.queue_bound), depths);
  p.host_depth = request.host_depth != 0
                     ? request.host_depth
                     : size_class(std::max<std::uint64_t>(least_depth, policy.host_packets), depths);
  const double gigabytes = estimated_gigabytes(p, graph.node_count());
  if (gigabytes > 0.7 * memory_gigabytes()) {
    throw std::invalid_argument(
        fmt::format("{}: the network would take about {:.0f} GB of memory (estimate), the machine has {:.0f} "
                    "GB; expected "
                    "a smaller network or --queue-depth below {}",
                    one_line(graph.spelling()), gigabytes, memory_gigabytes(), p.queue_depth));
  }
  return p;
}

AnyParameters node_parameters(const NodeParameters& chosen, const Policy& policy) {
  if (policy.scan) return ExchangeParameters{chosen};
  return chosen;
}

RunResult run_policy(const RunRequest& request, const Algorithm& algorithm, const Policy& policy,
                     VariantStore& store) {
  const Problem& problem = request.problem;
  const Graph& graph = problem.graph;
  const NodeParameters parameters = choose_parameters(request, policy);
  const Collective collective = collective_of(problem);

  RunResult result;
  result.algorithm = algorithm.name;
  result.algorithm_source = algorithm.source;
  result.parameters = parameters;
  result.expected_deliveries = collective.expected_deliveries();
  result.lower_bound = request.bound ? *request.bound : lower_bound(problem);
  result.node = NodeKind::kPifo;
  // Closed forms count steps: they say nothing about free running where a packet takes more than a cycle per
  // hop.
  const int hop_cycles = parameters.flits + parameters.link_latency + parameters.grant_cycles;
  const bool in_steps = parameters.slot_cycles == hop_cycles;
  if (in_steps) result.closed_form = algorithm.closed_form(problem);
  // In free running a step is a cycle, and every packet still holds each link, and each port, for `flits`
  // cycles.
  if (!in_steps) result.lower_bound.steps *= static_cast<std::uint64_t>(parameters.flits);

  const bool on_reference = request.model == NetworkModel::kSystemC;
  if (policy.scan && (on_reference || request.whole_network)) {
    throw std::invalid_argument(fmt::format("{}: expected an algorithm whose nodes do not scan first",
                                            on_reference ? "--model systemc" : "--whole-network"));
  }
  const AnyParameters hardware = node_parameters(parameters, policy);
  if (on_reference) check_reference_request(request, kMaxTraceTransfers);
  if (request.on_build && !on_reference && (request.whole_network || !store.is_built(hardware)))
    request.on_build(parameters.port_model == 0 && parameters.radix > 16);
  const double built_before = store.build_seconds();
  const auto variant = on_reference            ? nullptr
                       : request.whole_network ? store.load_network(hardware, graph)
                                               : store.load(hardware);
  result.build_seconds = store.build_seconds() - built_before;

  const auto begin = std::chrono::steady_clock::now();
  // Total exchange makes the most transfers: one per packet and hop.
  const bool keep_events = request.keep_trace || problem.collective != CollectiveKind::kTotalExchange ||
                           total_processor_status(graph) * problem.messages <= kMaxTraceTransfers;
  Recorder recorder(graph, collective, parameters, keep_events);
  // No route passes a node twice, so that many transfers are more than any algorithm needs.
  const std::uint64_t most_transfers = 2 * result.expected_deliveries * graph.node_count() + 64;
  std::unique_ptr<Machine> machine;
  Fabric* fabric = nullptr;
  ExchangeMachine* scanning = nullptr;
  ReferenceMachine* reference = nullptr;
  const FabricOptions options{request.threads, request.skip_idle, request.pool, request.wave};
  if (on_reference) {
    auto made = std::make_unique<ReferenceMachine>(graph, policy, parameters, &recorder,
                                                   std::min(most_transfers, kMaxTraceTransfers));
    reference = made.get();
    machine = std::move(made);
  } else if (request.whole_network) {
    machine = variant->make_network(&recorder);
  } else if (policy.scan) {
    auto made = std::make_unique<ExchangeMachine>(graph, parameters, policy, variant, &recorder, options);
    scanning = made.get();
    machine = std::move(made);
  } else {
    auto made = std::make_unique<Fabric>(graph, parameters, variant, &recorder, options);
    fabric = made.get();
    machine = std::move(made);
  }

  // Program the nodes and hand the hosts their packets.
  machine->reset();
  if (!on_reference) load_policy(*machine, graph, policy, parameters);

  // Run. Nothing in flight for this long means that nothing will move again: all nodes are deterministic,
  // every wait is for a credit or a grant, and both take at most a slot and two crossings of a link.
  const auto patience =
      static_cast<std::uint32_t>(16 * parameters.slot_cycles + 8 * parameters.link_latency + 64);
  std::uint32_t quiet = 0;
  bool stuck = false;
  bool runaway = false;  // packets multiply, or are never taken off the network
  for (const LinkFault& fault : request.faults) machine->set_fault(fault);
  bool faulty = !request.faults.empty();
  machine->start();
  for (std::uint32_t cycle = 1; !machine->finished(); ++cycle) {
    const NetworkTime now = machine->clock();
    if (faulty && now.cycle >= request.fault_until) {
      for (LinkFault fault : request.faults) machine->set_fault({fault.node, fault.port, false, false});
      faulty = false;
    }
    quiet = machine->progress() != 0 ? 0 : quiet + 1;
    if (quiet > patience) {
      stuck = true;
      break;
    }
    if ((cycle & 0x3f) == 0 && (recorder.hosts_got() > 2 * result.expected_deliveries + 64 ||
                                recorder.transmissions() > most_transfers)) {
      runaway = true;
      break;
    }
    if (request.on_progress && (cycle & 0xff) == 0) {
      request.on_progress(recorder.delivered(), result.expected_deliveries, now.cycle);
    }
  }

  // What the hardware counted.
  std::uint64_t hardware_sent = 0, hardware_delivered = 0;
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    const NodeCounters counters = machine->counters(v);
    for (const std::uint32_t sent : counters.sent) hardware_sent += sent;
    hardware_delivered += counters.delivered;
    result.steps = std::max(result.steps, counters.last_delivery_step);
    result.cycles = std::max(result.cycles, counters.last_delivery_cycle);
    result.delay_sum += counters.delay_sum;
    result.peak_queue = std::max(result.peak_queue, counters.peak_occupancy);
    result.peak_transit_queue = std::max(result.peak_transit_queue, counters.peak_transit);
    if (problem.ports == PortModel::kAllPort) {
      result.queue_peaks.resize(graph.link_count());
      for (PortId port = 0; port < graph.degree(v); ++port)
        result.queue_peaks[graph.link(v, port)] = {counters.peak_stored[port], counters.peak_waiting[port]};
    }
    if (counters.violations != 0 && result.problems.size() < 20) {
      result.problems.push_back(
          fmt::format("node {} received two packets at once in {} cycles, first in cycle {}: the one-port "
                      "model is broken",
                      graph.node_name(v), counters.violations, counters.first_violation_cycle));
    }
  }
  result.transmissions = hardware_sent;
  result.delivered = recorder.delivered();
  result.duplicated = recorder.duplicated();
  result.lost = result.expected_deliveries - result.delivered;
  if (fabric != nullptr) result.node_evaluations = fabric->evaluations();
  if (scanning != nullptr) {
    result.node_evaluations = scanning->evaluations();
    result.scan_cycles = scanning->scan_cycles();
    for (std::string& line : scanning->problems()) result.problems.push_back(std::move(line));
  }
  if (reference != nullptr) {
    result.node_evaluations = reference->node_cycles();
    result.problems.insert(result.problems.end(), reference->problems().begin(), reference->problems().end());
  }
  for (std::string& problem_line : recorder.problems()) result.problems.push_back(std::move(problem_line));
  if (hardware_delivered != recorder.hosts_got()) {
    result.problems.push_back(fmt::format("the nodes counted {} deliveries, the hosts got {}",
                                          hardware_delivered, recorder.hosts_got()));
  }
  if (hardware_sent != recorder.transmissions()) {
    result.problems.push_back(fmt::format("the nodes counted {} transmissions, the links carried {}",
                                          hardware_sent, recorder.transmissions()));
  }
  if (runaway) {
    result.problems.insert(
        result.problems.begin(),
        fmt::format(
            "stopped: hosts got {} packets where {} were expected, links carried {}, and more were on "
            "their way",
            recorder.hosts_got(), result.expected_deliveries, recorder.transmissions()));
  }
  if (result.lost != 0) {
    for (std::string& line : recorder.missing(5)) result.problems.push_back(std::move(line));
  }
  if (keep_events) result.trace = recorder.take_trace();
  if (stuck) {
    result.verdict = Verdict::kStuck;
    result.waits = explain_waits(graph, [&](NodeId v) { return machine->status(v); });
  } else {
    if (in_steps && result.problems.empty() &&
        std::uint64_t{result.cycles} !=
            result.scan_cycles +
                std::uint64_t{result.steps} * static_cast<std::uint64_t>(parameters.slot_cycles)) {
      result.problems.push_back(fmt::format(
          "{} cycles are not {} steps of {} cycles{}", result.cycles, result.steps, parameters.slot_cycles,
          result.scan_cycles == 0 ? "" : fmt::format(" after {} of scan", result.scan_cycles)));
    }
    if (keep_events) {
      const ValidationReport report = validate(graph, collective, problem.ports, result.trace,
                                               static_cast<std::uint32_t>(parameters.link_latency));
      result.validated = true;
      if (!report.valid)
        result.problems.insert(result.problems.end(), report.problems.begin(), report.problems.end());
    }
    if (result.steps < result.lower_bound.steps && result.problems.empty()) {
      result.problems.push_back(fmt::format("{} steps are fewer than the lower bound of {}", result.steps,
                                            result.lower_bound.steps));
    }
    if (!result.problems.empty()) {
      result.verdict = Verdict::kFailed;
    } else if (result.steps == result.lower_bound.steps) {
      result.verdict = Verdict::kOptimal;
    } else if (result.closed_form && result.steps == *result.closed_form) {
      result.verdict = Verdict::kAsPublished;
    } else if (result.closed_form && result.steps > *result.closed_form) {
      result.verdict = Verdict::kWorse;
      // A closed form presumes queues that never make a sender wait; with shallower ones nothing was
      // promised.
      const bool as_deep_as_needed =
          policy.queue_bound <= static_cast<std::uint64_t>(parameters.queue_depth) &&
          policy.host_packets <= static_cast<std::uint32_t>(parameters.host_depth);
      if (request.queue_depth == 0 && request.host_depth == 0 && as_deep_as_needed) {
        result.problems.push_back(
            fmt::format("{} steps are more than the closed form, {}", result.steps, *result.closed_form));
      }
    } else {
      result.verdict = Verdict::kWithinBound;
    }
  }
  if (!request.keep_trace) result.trace = {};
  machine.reset();
  result.run_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace safnet
