// dynamic_broadcast - `safnet dynamic-broadcast`: delays of packets that arrive at random and are broadcast.
#include "sim/run/dynamic_broadcast.hpp"

#include <memory>

#include "cpp_model/graph/topology.hpp"
#include "sim/command/commands.hpp"
#include "sim/command/load_sweep.hpp"
#include "sim/command/progress_line.hpp"
#include "sim/report/dynamic_broadcast_report.hpp"

namespace safnet {
namespace {

constexpr const char* kUsualPart = "0.5";  // of the largest stable rate

struct DynamicBroadcastOptions {
  std::string topology;
  ScanManner manner{.flits = 8};
  ArrivalRequest arrivals;
  bool of_limit = false;
  SweepOptions loads;
};

// The loads that are asked for, each checked before the first is run.
DynamicBroadcastStudy study_of(const DynamicBroadcastOptions& options) {
  const SweepOptions& loads = options.loads;
  loads.check();
  DynamicBroadcastRequest request(digit_network("dynamic-broadcast", make_topology(options.topology)),
                                  options.manner, options.arrivals);
  check_request(request);
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
  build_hardware(scan_hardware(scan_parameters(study.points[0].request)));
  run_in_parallel(study.points.size(), options.loads.threads, [&](std::size_t i, NodePool& pool) {
    DynamicBroadcastStudy::Point& point = study.points[i];
    DynamicBroadcastRequest request = point.request;
    request.pool = &pool;
    point.result = run_dynamic_broadcast(request, VariantStore::standard());
    return "rate " + rate_in_words(point);
  });
  return report_loads(options.loads, study);
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
  command.add_flag("--of-limit", options->of_limit, "rates are parts of the largest stable rate, 1 / D(N)");
  command.add_option("--packets", options->arrivals.packets, "packets in all");
  command.add_option("--warm-up", options->arrivals.warm_up, "of these, the first so many are not measured");
  command.add_option("--seed", options->arrivals.seed, "the same seed, the same arrivals");
  command.add_option("--flits", options->manner.flits, "flits in a packet; a prefix packet has one");
  command.add_option("--header-flits", options->manner.header_flits,
                     "0 or 1: a flit for the header of each packet and part");
  command.add_option("--link-latency", options->manner.link_latency, "cycles of a link");
  command.add_flag("--split", options->manner.split, "packets become a part per class");
  command.add_flag("--alternating", options->manner.alternating,
                   "tori: packing goes the short way round; in broadcasts both ways take the longer part in "
                   "turn");
  return [options] { return dynamic_broadcast(*options); };
}

}  // namespace safnet
