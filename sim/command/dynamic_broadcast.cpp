// dynamic_broadcast - `safnet dynamic-broadcast`: delays of packets that arrive at random and are broadcast.
#include "sim/run/dynamic_broadcast.hpp"

#include <memory>

#include "cpp_model/graph/topology.hpp"
#include "sim/command/commands.hpp"
#include "sim/command/load_sweep.hpp"
#include "sim/command/progress_line.hpp"
#include "sim/command/view_options.hpp"
#include "sim/machine/limits.hpp"
#include "sim/report/dynamic_broadcast_report.hpp"
#include "sim/report/run_story.hpp"
#include "sim/run/scan_recording.hpp"

namespace safnet {
namespace {

constexpr const char* kUsualPart = "0.5";  // of the largest stable rate

struct DynamicBroadcastOptions {
  std::string topology;
  ScanManner manner{.flits = 8};
  ArrivalRequest arrivals;
  bool of_limit = false;
  SweepOptions loads;
  WaveOptions wave;
  ViewOptions view;
};

// The loads that are asked for, each checked before the first is run.
DynamicBroadcastStudy study_of(const DynamicBroadcastOptions& options) {
  const SweepOptions& loads = options.loads;
  loads.check();
  check_views(loads, options.view);
  DynamicBroadcastRequest request(digit_network("dynamic-broadcast", make_topology(options.topology)),
                                  options.manner, options.arrivals);
  check_request(request);
  refuse_unless(!loads.many(), "--wave", options.wave.file, "no --sweep beside it");
  options.wave.apply(request, request.network.graph());
  if (!loads.many()) options.view.apply(request);
  const bool parts = options.of_limit || (loads.rate.empty() && !loads.many());
  const Rational unit = parts ? limits_of(request).exactly : Rational(1);
  DynamicBroadcastStudy study;
  for (const Rational& rate : loads.rates(kUsualPart)) {
    request.rate = rate * unit;
    study.points.push_back({request, limits_of(request)});
    check_dynamic_broadcast(request);
  }
  return study;
}

int dynamic_broadcast(const DynamicBroadcastOptions& options) {
  DynamicBroadcastStudy study = study_of(options);
  Hardware hardware = scan_hardware(scan_parameters(study.points[0].request));
  hardware.waves = !study.points[0].request.wave.path.empty();
  build_hardware(hardware);
  run_in_parallel(study.points.size(), options.loads.threads, [&](std::size_t i, NodePool& pool) {
    DynamicBroadcastStudy::Point& point = study.points[i];
    DynamicBroadcastRequest request = point.request;
    request.pool = &pool;
    point.result = run_dynamic_broadcast(request, VariantStore::standard());
    return "rate " + rate_in_words(point);
  });
  const DynamicBroadcastStudy::Point& first = study.points[0];
  options.wave.write(
      first.request, first.request.network.graph(), hardware,
      {.flits = first.result.settings.cast_flits, .last_delivery = first.result.last_delivery});
  if (!options.loads.many() && options.view.any())
    options.view.write(recording_of(first.request, first.result.settings, first.result.trace),
                       story_of(study));
  return report_loads(options.loads, study, options.view);
}

}  // namespace

Action declare_dynamic_broadcast(CLI::App& command) {
  command.description("packets that arrive at random, broadcast by nodes that find out who has one");
  auto options = std::make_shared<DynamicBroadcastOptions>();
  command
      .add_option("topology", options->topology, "an array or torus of equal sides, hypercube or folded cube")
      ->required();
  options->loads.declare(command,
                         "packets per node and slot, a slot being as many cycles as a packet has flits; "
                         "default: half the largest stable rate",
                         "0.01,0.02", "delay against rate");
  options->wave.declare(command);
  options->view.declare(command);
  command.add_flag("--of-limit", options->of_limit, "rates are parts of the largest stable rate, 1 / D(N)");
  add_number(command, "--packets", options->arrivals.packets, 1, kMostArrivals, "packets in all");
  add_number(command, "--warm-up", options->arrivals.warm_up, 0, kMostArrivals - 1,
             "of these, the first so many are not measured");
  add_number(command, "--seed", options->arrivals.seed, 0, kLargestSeed, "the same seed, the same arrivals");
  add_number(command, "--flits", options->manner.flits, 1, kMostScanFlits,
             "flits in a packet; a prefix packet has one");
  add_number(command, "--header-flits", options->manner.header_flits, 0, 1,
             "0 or 1: a flit for the header of each packet and part");
  add_number(command, "--link-latency", options->manner.link_latency, 0, kMostLatency, "cycles of a link");
  command.add_flag("--split", options->manner.split, "packets become a part per class");
  command.add_flag("--alternating", options->manner.alternating,
                   "tori: packing goes the short way round; in broadcasts both ways take the longer part in "
                   "turn");
  return [options] { return dynamic_broadcast(*options); };
}

}  // namespace safnet
