// run - `safnet run`: one collective on the hardware, on whatever kind of node can carry it out.
#include "sim/run/run.hpp"

#include <fmt/format.h>

#include <memory>

#include "cpp_model/algorithm/choose.hpp"
#include "sim/command/certificate_option.hpp"
#include "sim/command/commands.hpp"
#include "sim/command/options.hpp"
#include "sim/command/progress_line.hpp"
#include "sim/command/view_options.hpp"
#include "sim/machine/limits.hpp"
#include "sim/report/run_report.hpp"
#include "sim/report/run_story.hpp"
#include "sim/run/active_nodes.hpp"
#include "sim/run/scan_check.hpp"
#include "sim/run/scan_recording.hpp"
#include "sim/run/scan_run.hpp"

namespace safnet {
namespace {

struct RunOptions {
  CollectiveOptions uses;
  ProblemOptions problem;
  RunSettings settings;
  std::optional<std::uint32_t> seconds;
  std::string node = "auto", slot = "lockstep", grants = "auto", hosts = "full";
  NetworkModel model = NetworkModel::kRtl;
  unsigned threads = 1;
  RecordOptions record;
  ViewOptions view;
  CertificateOption certificate;
  bool json = false;
  // For collectives on scan_nodes.
  std::string destinations;
  ScanManner manner;  // flits and link latency are those of `settings`
};

void choose_node(const std::string& word, RunSettings& settings) {
  if (word == "auto") return;
  settings.node = word == "tdm" ? NodeChoice::kTdm : NodeChoice::kRouter;
  if (settings.node == NodeChoice::kRouter) settings.router = find_router_kind(word, "auto, tdm");
}

// Options that only routers have.
bool asks_for_routers(const RunOptions& options) {
  const RunSettings& settings = options.settings;
  return (options.node != "auto" && options.node != "tdm") || settings.queue_depth != 0 ||
         settings.host_depth != 0 || settings.window != 0 || settings.inject_ports != 0 ||
         options.hosts == "empty" || options.grants != "auto";
}

// Whether the best of all algorithms is to be taken, not the best one for routers: none is named, no option
// is given that only routers have, nodes need not find out who is active, and plans are not too large, unless
// the user says how long they may take.
bool takes_the_best(const RunOptions& options, const Problem& problem) {
  return options.settings.algorithm.empty() && !asks_for_routers(options) && problem.active.empty() &&
         (options.seconds || least_sends(problem) <= kMostFollowedSends);
}

// What the best algorithm for nodes that decide for themselves takes, in words; empty if there is none or it
// is the one that was chosen. Without a closed form it is tried, unless that would take long.
std::string beside(const RunResult& result, const Problem& problem) {
  if (!some_policy_applies(problem)) return "";
  auto [best, steps] = best_policy(problem);
  if (best->name == result.algorithm) return "";
  if (!steps && result.transmissions <= kMostTriedSends) steps = steps_of(plan_of(*best, problem));
  return fmt::format("; routers by {} ({}) take {}", best->name, best->source,
                     steps ? fmt::format("{} steps", *steps) : "a number of steps that no formula has");
}

// On routers, or by a timetable.
int run_by_schedule(const RunOptions& options, Problem problem) {
  options.certificate.check(options.slot == "lockstep" && options.hosts == "full");
  RunRequest request(std::move(problem), options.settings);
  request.slot = options.slot == "free" ? SlotMode::kFree : SlotMode::kLockstep;
  request.grants = options.grants == "on"    ? GrantMode::kOn
                   : options.grants == "off" ? GrantMode::kOff
                                             : GrantMode::kAutomatic;
  request.hosts = options.hosts == "empty" ? HostStart::kEmpty : HostStart::kFull;
  request.model = options.model;
  choose_node(options.node, request);
  const bool chooses = takes_the_best(options, request.problem);
  if (chooses) request.algorithm = "auto";
  request.plan_seconds =
      plan_seconds(options.seconds, request.algorithm == "auto", request.forwarding.has_value());
  request.threads = options.threads;
  options.record.apply(request, request.problem.graph);
  options.view.apply(request);
  ProgressLine line(request);
  RunResult result = run_collective(request, VariantStore::standard());
  if (chooses && !request.forwarding) result.choice += beside(result, request.problem);
  line.clear();
  options.record.write(request, request.problem.graph, result.hardware,
                       {.flits = static_cast<std::uint32_t>(request.flits),
                        .start = result.scan_cycles + 1,
                        .first_late = result.first_late,
                        .last_delivery = result.cycles},
                       [&] { return schedule_of_run(request, result); });
  if (options.view.any())
    options.view.write(Recording(schedule_of_run(request, result)), story_of(request, result));
  print_report(options.json, request, result);
  options.certificate.write(request.problem, result.lower_bound, static_cast<std::uint32_t>(request.flits),
                            static_cast<std::uint32_t>(request.link_latency));
  return result.exit_code();
}

ScanRequest scan_request(const RunOptions& options, const Problem& problem) {
  // If all nodes together receive more flits than this, a run is not compared with the model.
  constexpr std::uint64_t kMostCompared = 5'000'000;
  const Graph& graph = problem.graph;
  ScanRequest request(digit_network(to_string(problem.collective), graph), options.manner);
  request.collective = problem.collective;
  request.active = problem.active;
  if (!options.destinations.empty())
    request.destinations = parse_active_nodes("--destinations", options.destinations, graph);
  request.flits = options.settings.flits;
  request.link_latency = options.settings.link_latency;
  options.record.apply(request, graph);
  options.view.apply(request);
  request.keep_transfers =
      has_model(request.collective) && std::uint64_t{graph.node_count()} * (request.active.size() + 1) *
                                               static_cast<std::uint64_t>(request.flits + 16) <=
                                           kMostCompared;
  check_request(request);
  return request;
}

// On nodes that find out by themselves which of them are active.
int run_by_scan(const RunOptions& options, const Problem& problem) {
  ScanRequest request = scan_request(options, problem);
  ProgressLine line(request);
  ScanResult result = run_scan(request, VariantStore::standard());
  if (result.cycles != scan_closed_form(request)) {
    result.problems.push_back(
        fmt::format("{} cycles, the closed form has {}", result.cycles, scan_closed_form(request)));
  }
  if (request.keep_transfers) {
    if (const std::string difference = compare_with_model(request, result); !difference.empty())
      result.problems.push_back(difference);
  }
  line.clear();
  options.record.write(request, request.network.graph(), result.hardware,
                       {.flits = result.settings.cast_flits, .last_delivery = result.last_delivery});
  if (options.view.any())
    options.view.write(recording_of(request, result.settings, std::move(result.trace)),
                       story_of(request, result));
  print_report(options.json, request, result);
  return result.exit_code();
}

int run(const RunOptions& options) {
  const CollectiveName& collective = options.problem.collective(kOnAnyNode);
  options.uses.refuse_unused(collective);
  Problem problem = options.problem.problem(collective);
  return collective.scans ? run_by_scan(options, problem) : run_by_schedule(options, std::move(problem));
}

// Options that are used only on routers, or by a timetable.
void declare_schedule_options(CLI::App& command, RunOptions& options) {
  const auto add = [&](CLI::Option* option) { options.uses.add(option, kOnSchedules); };
  add(command.add_option(
      "--algorithm", options.settings.algorithm,
      "see `safnet list algorithms`; auto: the best of all; in-turn: a timetable with few "
      "packets in a node, message after message; without it auto, or with options of routers the "
      "best for nodes that decide for themselves"));
  add(declare_plan_seconds(command, options.seconds));
  add(declare_forwarding(command, options.settings.forwarding));
  add(command.add_option(
      "--node", options.node,
      "pifo: routers that decide for themselves; fifo: the plainest, without ranks; a folder with a "
      "router of your own; tdm: nodes that obey a timetable; auto: as the algorithm is"));
  add(command
          .add_option("--slot", options.slot,
                      "lockstep: packets start on slot boundaries; free: in any cycle")
          ->check(CLI::IsMember({"lockstep", "free"})));
  add(command.add_option("--grants", options.grants, "one-port: whether a sender asks the receiver first")
          ->check(CLI::IsMember({"auto", "on", "off"})));
  add(add_number(command, "--queue-depth", options.settings.queue_depth, 0, kMostQueued,
                 "packets per link; 0: as many as can ever wait"));
  add(add_number(command, "--host-depth", options.settings.host_depth, 0, kMostQueued,
                 "packets of its own that a node takes, for each injection port; 0: all. The host keeps the "
                 "rest"));
  add(command
          .add_option(
              "--hosts", options.hosts,
              "full: queues hold the hosts' packets before cycle 1, as the papers assume; empty: hosts "
              "begin to inject in cycle 1")
          ->check(CLI::IsMember({"full", "empty"})));
  add(add_number(command, "--inject-ports", options.settings.inject_ports, 0, kMostPorts,
                 "all-port: ports of a node that its host injects through at once; 0: enough"));
  add(add_number(command, "--window", options.settings.window, 0, kMaxMessages,
                 "messages of a host on their way at once: it begins one when it has got all of the message "
                 "so many before; 0: all, or as many as queues hold if more get stuck"));
  add(declare_fitted(command, options.settings.fitted));
  declare_threads(command, options.threads, "threads; the result does not depend on them");
  add(command.get_option("--threads"));
  options.record.declare(command, "pifo_network.sv");
  add(command.get_option("--trace"));
  add(command.get_option("--whole-network"));
  options.view.declare(command);
  add(options.certificate.declare(command));
  add(declare_model(command, options.model));
}

// Options that are used only on scan_nodes.
void declare_scan_options(CLI::App& command, RunOptions& options) {
  const auto add = [&](CLI::Option* option) {
    options.uses.add(option, kOnScan)->group("Collectives that find out on-line who is active");
  };
  add(command.add_option("--destinations", options.destinations,
                         "of monotone routing: as many nodes as are active"));
  add(add_number(command, "--header-flits", options.manner.header_flits, 0, 1,
                 "1: packets have a further flit for their header; 0: it is in the first flit"));
  add(command.add_flag("--split", options.manner.split,
                       "a part of each packet in every class; else whole packets"));
  add(command.add_flag("--single-class", options.manner.single_class,
                       "one class alone, which uses one dimension at a time"));
  add(command.add_flag(
      "--alternating", options.manner.alternating,
      "tori: packing goes the short way round; in broadcasts both ways take the longer part in turn"));
  add(command.add_flag("--pass-on-first", options.manner.pass_on_first,
                       "a node's own packets go into the first empty slots, not with their batch"));
  add(command.add_flag("--known-ranks", options.manner.known_ranks, "ranks are known beforehand: no scans"));
}

}  // namespace

Action declare_run(CLI::App& command) {
  command.description("run one collective on the hardware");
  auto options = std::make_shared<RunOptions>();
  options->problem.declare(command, options->uses);
  add_number(command, "--flits", options->settings.flits, 1, kMostScanFlits,
             fmt::format("flits in a packet; on routers and in timetables at most {}", kMostFlits));
  add_number(command, "--link-latency", options->settings.link_latency, 0, kMostLatency, "cycles of a link");
  declare_schedule_options(command, *options);
  declare_json(command, options->json);
  declare_scan_options(command, *options);
  return [options] { return run(*options); };
}

}  // namespace safnet
