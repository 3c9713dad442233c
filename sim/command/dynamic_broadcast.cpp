// dynamic_broadcast - `safnet dynamic-broadcast`: delays of packets that arrive at random and are broadcast.
#include "sim/run/dynamic_broadcast.hpp"

#include <memory>

#include "cpp_model/graph/topology.hpp"
#include "cpp_model/traffic/decimal.hpp"
#include "sim/command/commands.hpp"
#include "sim/command/load_sweep.hpp"
#include "sim/command/progress_line.hpp"
#include "sim/report/dynamic_broadcast_report.hpp"

namespace safnet {
namespace {

constexpr const char* kUsualPart = "0.5";  // of the largest stable rate

struct DynamicBroadcastOptions {
  std::string topology;
  std::uint64_t packets = 2000, warm_up = 0, seed = 1;
  int flits = 8, header_flits = 0, link_latency = 0;
  bool split = false, alternating = false, of_limit = false;
  SweepOptions loads;
};

DynamicBroadcastRequest request_of(const DynamicBroadcastOptions& options) {
  DynamicBroadcastRequest request(digit_network("dynamic-broadcast", make_topology(options.topology)));
  request.packets = options.packets;
  request.warm_up = options.warm_up;
  request.seed = options.seed;
  request.flits = options.flits;
  request.header_flits = options.header_flits;
  request.link_latency = options.link_latency;
  request.split = options.split;
  request.alternating = options.alternating;
  check_request(request);
  return request;
}

// The loads that are asked for, each checked before the first is run.
DynamicBroadcastStudy study_of(const DynamicBroadcastOptions& options) {
  const SweepOptions& loads = options.loads;
  loads.check();
  DynamicBroadcastRequest request = request_of(options);
  const bool parts = options.of_limit || (loads.rate.empty() && !loads.many());
  const Rational unit = parts ? limits_of(request).exactly : Rational(1);
  const std::vector<Rational> rates =
      loads.many() ? parse_fractions("--sweep", loads.sweep, SweepOptions::kMostLoads)
                   : std::vector{parse_fraction("--rate", loads.rate.empty() ? kUsualPart : loads.rate)};
  DynamicBroadcastStudy study;
  for (const Rational& rate : rates) {
    request.rate = rate * unit;
    study.points.push_back({request, limits_of(request)});
    check_dynamic_broadcast(request);
  }
  return study;
}

int dynamic_broadcast(const DynamicBroadcastOptions& options) {
  DynamicBroadcastStudy study = study_of(options);
  VariantStore& store = VariantStore::standard();
  build_hardware(scan_hardware(scan_parameters(study.points[0].request)), store);
  run_in_parallel(study.points.size(), options.loads.threads, [&](std::size_t i, NodePool& pool) {
    DynamicBroadcastStudy::Point& point = study.points[i];
    DynamicBroadcastRequest request = point.request;
    request.pool = &pool;
    point.result = run_dynamic_broadcast(request, store);
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
  command.add_option("--packets", options->packets, "packets in all");
  command.add_option("--warm-up", options->warm_up, "of these, the first so many are not measured");
  command.add_option("--seed", options->seed, "the same seed, the same arrivals");
  command.add_option("--flits", options->flits, "flits in a packet; a prefix packet has one");
  command.add_option("--header-flits", options->header_flits,
                     "0 or 1: a flit for the header of each packet and part");
  command.add_option("--link-latency", options->link_latency, "cycles of a link");
  command.add_flag("--split", options->split, "packets become a part per class");
  command.add_flag("--alternating", options->alternating,
                   "tori: packing goes the short way round; in broadcasts both ways take the longer part in "
                   "turn");
  return [options] { return dynamic_broadcast(*options); };
}

}  // namespace safnet
