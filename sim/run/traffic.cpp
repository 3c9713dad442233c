#include "sim/run/traffic.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cpp_model/traffic/decimal.hpp"
#include "sim/machine/limits.hpp"
#include "sim/machine/system.hpp"
#include "sim/pifo/router_program.hpp"
#include "sim/run/drive.hpp"
#include "sim/run/last_packets.hpp"
#include "sim/run/memory_estimate.hpp"
#include "sim/run/run_plan.hpp"
#include "sim/run/traffic_sources.hpp"

namespace safnet {
namespace {

constexpr int kTagWidth = 24;
static_assert(kMostPacketsOfSource == std::uint64_t{1} << kTagWidth);

Rational packets_per_cycle(const TrafficRequest& request) { return request.rate / request.flits; }

// Calls packet(source, destination) for each packet that is generated in `cycle`.
using Generate = std::function<void(std::uint32_t cycle, const std::function<void(NodeId, NodeId)>& packet)>;

// What is known of a trace before it is run.
struct TraceExtent {
  std::uint32_t last_cycle = 0;
  std::uint64_t packets = 0;
};

// Where the packets of a run come from.
struct PacketSupply {
  std::uint64_t senders = 0;
  Generate generate;
  std::optional<TraceExtent> trace;  // none: packets are generated as long as the run lasts
  bool lasts_in(std::uint32_t cycle) const { return !trace || cycle <= trace->last_cycle; }
};

// Delays of the measured packets, and the hops of all.
void evaluate(const PacketRoutes& routes, const TrafficRecorder& recorder, const PacketSupply& supply,
              TrafficResult& result) {
  const Graph& graph = routes.graph();
  std::vector<std::uint64_t> latencies, in_network;
  std::uint64_t hops_of_all = 0;
  for (NodeId v = 0; v < graph.processor_count(); ++v) {
    std::vector<std::uint32_t> hops_to(graph.processor_count());  // 0: not looked up yet
    for (const TrafficPacket& packet : recorder.packets_of(v)) {
      const bool measured = result.window.holds(packet.generated);
      result.measured += measured ? 1 : 0;
      if (packet.delivered == 0) continue;
      std::uint32_t& hops = hops_to[packet.destination];
      if (hops == 0) hops = routes.hops(v, packet.destination);
      hops_of_all += hops;
      if (!measured) continue;
      latencies.push_back(packet.delivered - packet.generated + 1);
      in_network.push_back(packet.delivered - packet.left + 1);
      result.measured_hops += hops;
    }
  }
  for (LinkId link = 0; link < graph.link_count(); ++link) {
    const std::uint64_t flits = recorder.flits_on_link(graph.link_source(link), graph.link_port(link));
    result.link_flits += flits;
    if (flits > result.busiest_link_flits) {
      result.busiest_link_flits = flits;
      result.busiest_link = link;
    }
  }
  result.measured_delivered = latencies.size();
  result.offered_flits = result.measured * static_cast<std::uint64_t>(result.parameters.flits);
  result.accepted_flits = recorder.flits_delivered_in_window();
  result.latency = statistics_of(std::move(latencies));
  result.network_latency = statistics_of(std::move(in_network));
  const bool all_out = result.lost == 0 && result.in_network == 0;
  if (all_out && result.duplicated == 0 && hops_of_all != result.transmissions) {
    result.complain("the links carried {} packets, the ways of those delivered have {} hops",
                    result.transmissions, hops_of_all);
  }
  const std::uint64_t growth =
      result.on_the_way_after - std::min(result.on_the_way_after, result.on_the_way_before);
  // A trace that ends within the window generates nothing after it, so its backlog cannot keep growing.
  const bool grows =
      supply.lasts_in(result.window.last + 1) && growth > supply.senders && 50 * growth > result.measured;
  result.saturated = result.drain_limit_reached || grows;
  if (supply.trace && result.generated != supply.trace->packets) {
    result.complain("{} of the trace's {} packets were generated, up to cycle {}", result.generated,
                    supply.trace->packets, result.end_cycle);
  }
}

// One run, phase by phase.
class TrafficRun {
 public:
  TrafficRun(const TrafficRequest& request, const PacketRoutes& routes, const PacketSupply& supply,
             VariantStore& store)
      : request_(request),
        routes_(routes),
        graph_(routes.graph()),
        supply_(supply),
        result_(sized(request, routes)),
        recorder_(graph_, result_.parameters, result_.window, request.keep_trace),
        machine_(make_machine(graph_, request.router->hardware(result_.parameters), request, &recorder_,
                              store, result_)),
        sources_(routes, result_.parameters, *machine_, recorder_),
        drive_(*machine_, patience_of(result_.parameters, result_.parameters.hop_cycles()), request.faults,
               result_.window.first, static_cast<std::uint32_t>(result_.parameters.slot_cycles)) {
    const Policy policy = routes.policy();
    load_program(*machine_, graph_.node_count(),
                 [&](NodeId v) { return router_table(graph_, policy, result_.parameters, v); });
  }

  TrafficResult run() {
    drive_.start();
    generate_and_measure();
    if (result_.end_cycle < result_.window.last) close_window();  // stuck
    run_empty();
    take_account();
    result_.run_seconds = watch_.seconds();
    return std::move(result_);
  }

 private:
  static TrafficResult sized(const TrafficRequest& request, const PacketRoutes& routes) {
    TrafficResult result;
    result.parameters = traffic_parameters(request, routes);
    result.window = {request.phases.warm_up + 1, request.phases.warm_up + request.phases.measure};
    return result;
  }

  void generate_and_measure() {
    std::uint64_t generated_before = 0, generated_by_window = 0;
    const CycleWindow window = result_.window;
    for (std::uint32_t cycle = 1; !result_.stuck; ++cycle) {
      if (cycle > window.last) {
        const bool all_measured = recorder_.delivered_of_window() == generated_by_window - generated_before;
        const bool limit_reached = cycle > window.last + request_.phases.drain_limit;
        const bool more_to_come = supply_.trace && supply_.lasts_in(cycle);
        result_.drain_limit_reached = !all_measured && limit_reached;
        if (limit_reached || (all_measured && !more_to_come)) break;
        // The measured packets that are missing were lost, and will never be delivered.
        if (!more_to_come && drive_.is_quiet() && machine_->finished() && sources_.backlog() == 0) break;
      }
      if (cycle == window.first) {
        generated_before = sources_.generated();
        result_.backlog_before = sources_.backlog();
        result_.on_the_way_before = on_the_way();
      }
      supply_.generate(cycle, [&](NodeId source, NodeId destination) {
        sources_.generate(source, destination, cycle);
        refuse_too_many(source);
      });
      clock();
      if (cycle == window.last) {
        generated_by_window = sources_.generated();
        close_window();
      }
    }
  }

  void clock() {
    if (sources_.hand_over()) drive_.stir();
    result_.end_cycle = drive_.cycle().cycle;
    // Packets are missing: if all nodes are idle they were lost; if not, some node waits for ever.
    result_.stuck = drive_.is_quiet() && sources_.handed() > recorder_.hosts_got() && !machine_->finished();
    if (request_.on_progress && (result_.end_cycle & 0xff) == 0)
      request_.on_progress(recorder_.delivered(), sources_.generated(), result_.end_cycle);
  }

  void refuse_too_many(NodeId source) const {
    const std::uint32_t measure = request_.phases.measure;
    const std::uint64_t most = request_.keep_trace ? PacketList::kMaxPackets : kMostTrafficPackets;
    if (sources_.generated() > most)
      throw bad_input("--measure {}: more than {} packets; expected fewer cycles", measure, most);
    if (recorder_.packets_of(source).size() > kMostPacketsOfSource)
      throw bad_input("--measure {}: more than {} packets of node {}; expected fewer cycles", measure,
                      kMostPacketsOfSource, graph_.node_name(source));
  }

  std::uint64_t on_the_way() const { return sources_.generated() - recorder_.delivered(); }
  void close_window() {
    result_.backlog_after = sources_.backlog();
    result_.on_the_way_after = on_the_way();
  }

  // Packets that are still with the sources stay there; the network delivers all that it holds.
  void run_empty() {
    result_.at_sources = sources_.backlog();
    while (!result_.stuck && !machine_->finished()) {
      result_.end_cycle = drive_.cycle().cycle;
      result_.stuck = drive_.is_quiet() && !machine_->finished();
    }
  }

  void take_account() {
    result_.generated = sources_.generated();
    result_.expected_deliveries = sources_.handed();
    const std::uint64_t missing = sources_.handed() - std::min(sources_.handed(), recorder_.delivered());
    std::vector<std::string> lines;
    if (result_.stuck) {
      result_.in_network = missing;
      result_.expected_deliveries -= missing;  // these are not lost but still in the network
    } else if (missing != 0) {
      lines.push_back(fmt::format("{} packets were lost", missing));
    }
    safnet::take_account(result_, graph_, *machine_, recorder_, lines);
    evaluate(routes_, recorder_, supply_, result_);
    if (request_.keep_trace)
      result_.recording = std::make_shared<const Recording>(
          recorder_.take_recording(routes_.ports(), request_.flits, request_.link_latency));
    if (result_.stuck)
      result_.waits = explain_stuck_routers(graph_, *machine_, result_.parameters,
                                            *request_.router->hardware(result_.parameters).kind, recorder_,
                                            routes_.policy());
  }

  const TrafficRequest& request_;
  const PacketRoutes& routes_;
  const Graph& graph_;
  const PacketSupply& supply_;
  TrafficResult result_;
  TrafficRecorder recorder_;
  ObservedMachine machine_;
  TrafficSources sources_;
  Drive drive_;
  Stopwatch watch_;
};

}  // namespace

PifoParameters traffic_parameters(const RouterNetworkSettings& settings, const PacketRoutes& routes) {
  RunRequest run(Problem{
      .graph = routes.graph(), .collective = CollectiveKind::kTotalExchange, .ports = routes.ports()});
  run.router = settings.router;
  run.flits = settings.flits;
  run.link_latency = settings.link_latency;
  run.slot = SlotMode::kFree;
  run.queue_depth = settings.queue_depth;
  run.host_depth = settings.host_depth;
  run.fitted = settings.fitted;
  if (routes.ports() == PortModel::kOnePort) run.grants = GrantMode::kOn;
  PifoParameters parameters = choose_parameters(run, routes.policy());
  parameters.tag_width = kTagWidth;
  parameters.inject_ports = 1;  // a host sends one packet after the other
  // Routes of traffic name links: what deals packets to them costs time in every cycle.
  parameters.reserve.deals_links = false;
  require_memory_of_traffic(routes.graph(), parameters, 0, false);
  return parameters;
}

Rational zero_load_latency(const PifoParameters& parameters, const Rational& hops) {
  return parameters.flits + hops * parameters.hop_cycles();
}

Rational port_cycles_per_flit(const PifoParameters& parameters) {
  return {parameters.flits + parameters.grant_cycles, parameters.flits};
}

void check_rate(const Rational& rate, std::string_view option) {
  if (rate <= 0 || rate > 1)
    throw bad_input("{} {}: expected more than 0 and at most 1 flit per node and cycle", option,
                    in_decimal(rate));
}

void check_traffic(const TrafficRequest& request, const PacketRoutes& routes, const TrafficPattern& pattern) {
  const PifoParameters parameters = traffic_parameters(request, routes);
  check_rate(request.rate, "--rate");
  const TrafficPhases& phases = request.phases;
  const std::uint64_t cycles = std::uint64_t{phases.warm_up} + phases.measure + phases.drain_limit;
  const Rational of_each = packets_per_cycle(request) * cycles;
  const auto refuse_more = [&phases](const Rational& packets, std::uint64_t most, const char* who) {
    if (packets > most)
      throw bad_input(
          "--measure {}: {} could generate more than {} packets; expected fewer cycles, --drain-limit "
          "included",
          phases.measure, who, most);
  };
  refuse_more(of_each, kMostPacketsOfSource, "a node");
  const Rational of_all = of_each * pattern.senders();
  refuse_more(of_all, request.keep_trace ? PacketList::kMaxPackets : kMostTrafficPackets, "the run");
  require_memory_of_traffic(routes.graph(), parameters, of_all.convert_to<double>(), request.keep_trace);
}

TrafficResult run_traffic(const TrafficRequest& request, const PacketRoutes& routes,
                          const TrafficPattern& pattern, VariantStore& store) {
  check_traffic(request, routes, pattern);
  std::vector<NodeId> sending;
  for (NodeId v = 0; v < routes.graph().processor_count(); ++v) {
    if (pattern.sends(v)) sending.push_back(v);
  }
  RandomNumbers random(request.seed);
  const Chance chance(packets_per_cycle(request));
  const auto generate = [&](std::uint32_t, const auto& packet) {
    for (const NodeId v : sending) {
      if (chance.happens(random)) packet(v, pattern.draw(v, random));
    }
  };
  const PacketSupply supply{sending.size(), generate, std::nullopt};
  return TrafficRun(request, routes, supply, store).run();
}

TrafficResult run_traffic(const TrafficRequest& request, const PacketRoutes& routes,
                          const std::vector<TracedPackets>& trace, VariantStore& store) {
  TraceExtent extent;
  for (const TracedPackets& packets : trace) {
    extent.last_cycle = std::max(extent.last_cycle, packets.cycle);
    extent.packets += packets.messages;
  }
  std::size_t next = 0;
  const auto generate = [&](std::uint32_t cycle, const auto& packet) {
    for (; next < trace.size() && trace[next].cycle == cycle; ++next) {
      for (std::uint32_t m = 0; m < trace[next].messages; ++m)
        packet(trace[next].source, trace[next].destination);
    }
  };
  const PacketSupply supply{sources_of(trace), generate, extent};
  return TrafficRun(request, routes, supply, store).run();
}

}  // namespace safnet
