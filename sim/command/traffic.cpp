// traffic - `safnet traffic`: latency and throughput of routers under a pattern of traffic.
#include "sim/run/traffic.hpp"

#include <fmt/format.h>

#include <memory>
#include <stdexcept>
#include <string_view>

#include "cpp_model/graph/text.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/traffic/decimal.hpp"
#include "sim/command/commands.hpp"
#include "sim/command/load_sweep.hpp"
#include "sim/command/progress_line.hpp"
#include "sim/command/view_options.hpp"
#include "sim/machine/limits.hpp"
#include "sim/report/run_story.hpp"
#include "sim/report/traffic_report.hpp"

namespace safnet {
namespace {

constexpr std::string_view kTrace = "trace:";
constexpr std::uint32_t kLongestPhase = 100'000'000;

struct TrafficOptions {
  std::string topology, pattern, hot_spot, hot_fraction;
  RouterNetworkOptions network;
  std::optional<std::uint32_t> warm_up, measure, drain_limit;
  SweepOptions loads;
  ViewOptions view;
  TrafficRequest request;  // seed, packets, queues
  WaveOptions wave;
};

NodeId parse_hot_spot(const std::string& word, const Graph& graph) {
  try {
    return word.empty() ? 0 : graph.parse_node(word);
  } catch (const std::invalid_argument& error) {
    throw bad_input("--hot-spot {}: {}", in_quotes(word), error.what());
  }
}

TrafficStudy make_study(const TrafficOptions& options) {
  const bool traced = options.pattern.starts_with(kTrace);
  const bool hot = options.pattern == "hot-spot";
  constexpr const char* kWantsPattern = "a pattern; a trace says when packets are generated";
  refuse_unless(hot, "--hot-spot", options.hot_spot, "the pattern hot-spot beside it");
  refuse_unless(hot, "--hot-fraction", options.hot_fraction, "the pattern hot-spot beside it");
  refuse_unless(!traced, "--rate", options.loads.rate, kWantsPattern);
  refuse_unless(!traced, "--sweep", options.loads.sweep, kWantsPattern);
  options.loads.check();
  const Graph graph = make_topology(options.topology);
  const PortModel ports = parse_port_model(options.network.ports);
  if (traced) {
    std::vector<TracedPackets> trace = read_traffic_trace(options.pattern.substr(kTrace.size()), graph);
    TrafficStudy study{graph, one_line(options.pattern),
                       PacketRoutes(graph, ports, options.network.algorithm)};
    study.senders = sources_of(trace);
    study.trace = std::move(trace);
    return study;
  }
  const NodeId hot_spot = parse_hot_spot(options.hot_spot, graph);
  const Rational fraction =
      parse_fraction("--hot-fraction", options.hot_fraction.empty() ? "0.1" : options.hot_fraction);
  const TrafficPattern pattern(options.pattern, graph, hot_spot, fraction);
  TrafficStudy study{graph, pattern.name(), PacketRoutes(graph, ports, options.network.algorithm)};
  study.senders = pattern.senders();
  study.pattern = pattern;
  return study;
}

TrafficPhases phases_of(const TrafficOptions& options, const TrafficStudy& study) {
  TrafficPhases phases;
  // By default the window is all cycles of the trace, and the drain lasts as long as something moves.
  if (!study.pattern) phases = {0, study.trace.back().cycle, kLongestPhase};
  phases.warm_up = options.warm_up.value_or(phases.warm_up);
  if (!study.pattern && !options.measure) {
    if (phases.warm_up >= phases.measure) {
      throw bad_input("--warm-up {}: expected fewer than {}, the last cycle of the trace", phases.warm_up,
                      phases.measure);
    }
    phases.measure -= phases.warm_up;
  }
  phases.measure = options.measure.value_or(phases.measure);
  phases.drain_limit = options.drain_limit.value_or(phases.drain_limit);
  return phases;
}

// The loads that are asked for, each checked before the first is run.
std::vector<TrafficStudy::Point> points_of(const SweepOptions& loads, const TrafficStudy& study) {
  if (!study.pattern) return {{}};
  std::vector<TrafficStudy::Point> points;
  for (const Rational& rate : loads.rates("0.1")) {
    if (loads.many()) check_rate(rate, fmt::format("--sweep {}: rate", in_quotes(loads.sweep)));
    points.push_back({rate});
  }
  TrafficRequest request = study.request;
  for (const TrafficStudy::Point& point : points) {
    request.rate = point.rate;
    check_traffic(request, study.routes, *study.pattern);
  }
  return points;
}

void run(const TrafficStudy& study, TrafficRequest request, TrafficStudy::Point& point) {
  request.rate = point.rate;
  point.result = study.pattern ? run_traffic(request, study.routes, *study.pattern, VariantStore::standard())
                               : run_traffic(request, study.routes, study.trace, VariantStore::standard());
}

int traffic(const TrafficOptions& options) {
  check_views(options.loads, options.view);
  TrafficStudy study = make_study(options);
  study.request = options.request;
  study.request.router = find_router_kind(options.network.node);
  const PifoParameters parameters = traffic_parameters(study.request, study.routes);
  if (study.pattern)
    study.limit = traffic_limit(study.routes, *study.pattern, port_cycles_per_flit(parameters));
  study.request.phases = phases_of(options, study);
  refuse_unless(!options.loads.many(), "--wave", options.wave.file, "no --sweep beside it");
  options.wave.apply(study.request, study.graph);
  study.points = points_of(options.loads, study);
  Hardware hardware = study.request.router->hardware(parameters);
  hardware.waves = !study.request.wave.path.empty();
  build_hardware(hardware);
  TrafficRequest request = study.request;
  if (options.loads.many()) {
    run_in_parallel(study.points.size(), options.loads.threads, [&](std::size_t i, NodePool& pool) {
      TrafficRequest one = request;
      one.pool = &pool;
      run(study, one, study.points[i]);
      return "rate " + rate_in_words(study.points[i]);
    });
  } else {
    ProgressLine line(request);
    request.threads = options.loads.threads;
    options.view.apply(request);
    run(study, request, study.points[0]);
    line.clear();
    options.wave.write(
        request, study.graph, hardware,
        {.flits = static_cast<std::uint32_t>(request.flits), .last_delivery = study.points[0].result.cycles});
    if (options.view.any()) options.view.write(*study.points[0].result.recording, story_of(study));
  }
  return report_loads(options.loads, study, options.view);
}

}  // namespace

Action declare_traffic(CLI::App& command) {
  command.description("latency and throughput of routers under a pattern of traffic");
  auto options = std::make_shared<TrafficOptions>();
  TrafficRequest& request = options->request;
  declare_topology(command, options->topology);
  command
      .add_option("pattern", options->pattern,
                  fmt::format("{} or trace:FILE", fmt::join(traffic_pattern_names(), ", ")))
      ->required();
  command.add_option("--hot-spot", options->hot_spot, "hot-spot: this node; default: 0");
  command.add_option("--hot-fraction", options->hot_fraction,
                     "hot-spot: the probability that a packet goes there; default: 0.1");
  add_number(command, "--warm-up", options->warm_up, 0, kLongestPhase,
             "cycles before the measurement; default: 2000, with a trace 0");
  add_number(command, "--measure", options->measure, 1, kLongestPhase,
             "cycles whose packets are measured; default: 10000, with a trace to its last cycle");
  add_number(command, "--drain-limit", options->drain_limit, 0, kLongestPhase,
             "most cycles to wait until these are delivered; default: 20000, with a trace no end");
  add_number(command, "--seed", request.seed, 0, kLargestSeed, "the same seed, the same packets");
  declare_router_network(command, options->network, request);
  options->loads.declare(command,
                         "flits that each sending node generates per cycle, such as 0.35; default: 0.1",
                         "0.1,0.2", "latency against load");
  options->wave.declare(command);
  options->view.declare(command);
  return [options] { return traffic(*options); };
}

}  // namespace safnet
