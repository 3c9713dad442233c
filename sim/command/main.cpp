// main - the command line: safnet run | plan | check | replay | convert | traffic | survey | verify |
// list | draw | describe | table.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "cpp_model/graph/text.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/interchange/any_schedule.hpp"
#include "cpp_model/schedule/schedule_file.hpp"
#include "cpp_model/schedule/schedule_of_trace.hpp"
#include "sim/command/describe_command.hpp"
#include "sim/command/draw_command.hpp"
#include "sim/command/dynamic_broadcast_command.hpp"
#include "sim/command/finite_queue_table.hpp"
#include "sim/command/list_command.hpp"
#include "sim/command/optimality_table.hpp"
#include "sim/command/progress_line.hpp"
#include "sim/command/scan_command.hpp"
#include "sim/command/schedule_commands.hpp"
#include "sim/command/survey.hpp"
#include "sim/command/table_command.hpp"
#include "sim/command/traffic_command.hpp"
#include "sim/command/verify.hpp"
#include "sim/fabric/wave_nodes.hpp"
#include "sim/machine/wave_view.hpp"
#include "sim/report/report.hpp"
#include "sim/report/topology_page.hpp"
#include "sim/run/active_nodes.hpp"
#include "sim/run/run.hpp"

namespace safnet {
namespace {

constexpr int kBadInput = 2;

void require_writable_folder(const char* option, const std::string& path) {
  if (path.empty()) return;
  const auto folder = std::filesystem::absolute(path).parent_path();
  if (!std::filesystem::is_directory(folder)) {
    throw std::invalid_argument(fmt::format("{} {}: expected a file in a folder that exists", option, path));
  }
  if (std::filesystem::is_directory(path)) {
    throw std::invalid_argument(fmt::format("{} {}: expected a file, this is a folder", option, path));
  }
}

// Before a run that may take long, rather than after it.
void require_schedule_file(const char* option, const std::string& path) {
  require_writable_folder(option, path);
  if (path.empty() || path.ends_with(".json") || path.ends_with(".json.gz") || path.ends_with(".xml")) return;
  throw std::invalid_argument(fmt::format(
      "{} {}: expected a name that ends in .json, .json.gz, .msccl.json or .xml", option, in_quotes(path)));
}

// The nodes of a concurrent broadcast: one that is named several times is there as often.
std::vector<NodeId> parse_repeated_nodes(const std::string& text, const Graph& graph) {
  const char separator = text.find(';') != std::string::npos ? ';' : ',';
  std::vector<NodeId> nodes;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, separator);) {
    const std::vector<NodeId> named = parse_active_nodes("--active", word, graph);
    nodes.insert(nodes.end(), named.begin(), named.end());
  }
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

// The collective, its root and what else belongs to it.
struct ProblemWords {
  std::string topology, collective, ports = "all", root = "0", destination, tree, active;
  std::uint32_t messages = 1;
};

void add_problem_options(CLI::App* command, ProblemWords& words) {
  command->add_option("topology", words.topology, "such as torus:8x8; see `safnet list topologies`")
      ->required();
  command->add_option("collective", words.collective, "such as total-exchange; see `safnet list collectives`")
      ->required();
  command->add_option("--ports", words.ports, "all, one or one-send")->capture_default_str();
  command
      ->add_option("--root", words.root,
                   "of a broadcast, scatter, gather, reduction or multipath transfer: a node's number, "
                   "coordinates or name")
      ->capture_default_str();
  command->add_option("--destination", words.destination,
                      "of a multipath transfer; default: the last node that is not the root");
  command->add_option("--tree", words.tree,
                      "spanning tree: shortest-path, depth-first, random:SEED, product, weight-rule, "
                      "torus-regions, torus-regions-as-printed or fewest-steps");
  command->add_option("--messages", words.messages, "M packets where the collective has one")
      ->check(CLI::Range(1U, kMaxMessages))
      ->capture_default_str();
  command->add_option("--active", words.active,
                      "the nodes that take part in a partial collective, such as 0,3,7 or 0,1;2,3, all, or "
                      "random:M:SEED");
}

Problem problem_of(const ProblemWords& words) {
  Problem problem{.graph = make_topology(words.topology)};
  problem.collective = parse_collective(words.collective);
  problem.ports = parse_port_model(words.ports);
  problem.root = problem.graph.parse_node(words.root);
  problem.tree = words.tree;
  problem.messages = words.messages;
  const auto refuse_unless = [&](bool used, const char* option, const std::string& value, const char* what) {
    if (!value.empty() && !used) {
      throw std::invalid_argument(fmt::format("{} {}: {} has no use for {}", option, one_line(value),
                                              to_string(problem.collective), what));
    }
  };
  refuse_unless(name_of(problem.collective).has_root, "--root", words.root == "0" ? "" : words.root,
                "a root");
  refuse_unless(problem.collective == CollectiveKind::kMultipath, "--destination", words.destination,
                "a destination");
  const bool partial = name_of(problem.collective).has_active;
  refuse_unless(partial, "--active", words.active, "active nodes");
  if (!words.destination.empty()) {
    problem.destination = problem.graph.parse_node(words.destination);
    destination_of(problem);
  }
  if (partial) {
    if (words.active.empty())
      throw std::invalid_argument(
          fmt::format("{}: expected --active, such as --active 0,3,7", to_string(problem.collective)));
    problem.active = problem.collective == CollectiveKind::kConcurrentBroadcast
                         ? parse_repeated_nodes(words.active, problem.graph)
                         : parse_active_nodes("--active", words.active, problem.graph);
    if (problem.active.empty())
      throw std::invalid_argument(
          fmt::format("--active {}: expected at least one node", in_quotes(words.active)));
  }
  return problem;
}

struct RunWords {
  ProblemWords problem;
  std::string algorithm, slot = "lockstep", grants = "auto", model = "rtl", node = "auto";
  std::string wave, wave_nodes, wave_cycles, trace;
  int flits = 1, link_latency = 0, queue_depth = 0, host_depth = 0;
  unsigned threads = 1;
  bool json = false, whole_network = false;
  ScanWords scan;
};

// Collectives of scan_nodes: they have their own options, and no use for many others.
int run_scan_collective(RunWords words, const CLI::App& run) {
  for (const char* option :
       {"--ports", "--root", "--destination", "--tree", "--messages", "--algorithm", "--node", "--slot",
        "--grants", "--queue-depth", "--host-depth", "--threads", "--trace", "--whole-network", "--model"}) {
    if (run.count(option) != 0)
      throw std::invalid_argument(fmt::format("{}: {} has no use for it", option, words.problem.collective));
  }
  ScanWords& scan = words.scan;
  scan.topology = words.problem.topology;
  scan.collective = words.problem.collective;
  scan.active = words.problem.active;
  scan.flits = words.flits;
  scan.link_latency = words.link_latency;
  require_writable_folder("--wave", words.wave);
  scan.wave = words.wave;
  scan.wave_nodes = words.wave_nodes;
  scan.wave_cycles = words.wave_cycles;
  scan.json = words.json;
  return scan_command(scan);
}

void refuse_scan_options(const RunWords& words, const CLI::App& run) {
  for (const char* option : {"--destinations", "--header-flits", "--split", "--single-class", "--alternating",
                             "--pass-on-first", "--known-ranks"}) {
    if (run.count(option) != 0)
      throw std::invalid_argument(
          fmt::format("{}: {} has no use for it", option, one_line(words.problem.collective)));
  }
}

int run_command(const RunWords& words) {
  RunRequest request(problem_of(words.problem));
  const Problem& problem = request.problem;
  request.algorithm = words.algorithm;
  request.flits = words.flits;
  request.link_latency = words.link_latency;
  request.queue_depth = words.queue_depth;
  request.host_depth = words.host_depth;
  request.slot = words.slot == "free" ? SlotMode::kFree : SlotMode::kLockstep;
  request.grants = words.grants == "on"    ? GrantMode::kOn
                   : words.grants == "off" ? GrantMode::kOff
                                           : GrantMode::kAutomatic;
  request.model = words.model == "systemc" ? NetworkModel::kSystemC : NetworkModel::kRtl;
  request.node = words.node == "pifo"  ? NodeChoice::kPifo
                 : words.node == "tdm" ? NodeChoice::kTdm
                                       : NodeChoice::kAutomatic;
  request.threads = words.threads;
  request.whole_network = words.whole_network;
  if (words.whole_network && !words.wave.empty()) {
    throw std::invalid_argument(
        "--wave: expected no --whole-network beside it, waveforms are written by the fabric");
  }
  require_writable_folder("--wave", words.wave);
  require_schedule_file("--trace", words.trace);
  request.wave.path = words.wave;
  if (!words.wave_nodes.empty()) request.wave.nodes = parse_wave_nodes(words.wave_nodes, problem.graph);
  if (!words.wave_cycles.empty()) parse_wave_cycles(words.wave_cycles, request.wave);
  request.keep_trace = !words.trace.empty();

  ProgressLine line;
  VariantStore& store = VariantStore::standard();
  request.on_build = [&](bool large) {
    line.show(large ? "building nodes of many ports (once; takes minutes)..."
                    : "building the hardware for these parameters (once)...",
              true);
  };
  request.on_progress = [&](std::uint64_t done, std::uint64_t all, std::uint32_t cycle) {
    line.show(fmt::format("cycle {}: {} of {} delivered", cycle, done, all));
  };
  const RunResult result = run_collective(request, store);
  line.clear();
  if (!words.wave.empty()) {
    result.hardware.kind->write_wave_view(words.wave, problem.graph, result.hardware, request.wave.nodes);
  }
  if (!words.trace.empty()) write_any_schedule(schedule_of_run(request, result), words.trace);
  if (words.json) {
    fmt::print("{}\n", to_json(request, result).dump());
  } else {
    fmt::print("{}", to_text(request, result));
  }
  return result.exit_code();
}

CLI::App* add_traffic(CLI::App& app, TrafficOptions& options) {
  CLI::App* command =
      app.add_subcommand("traffic", "latency and throughput of routers under a pattern of traffic");
  TrafficRequest& request = options.request;
  command->add_option("topology", options.topology, "such as torus:8x8; see `safnet list topologies`")
      ->required();
  command
      ->add_option("pattern", options.pattern,
                   fmt::format("{} or trace:FILE", fmt::join(traffic_pattern_names(), ", ")))
      ->required();
  command->add_option("--rate", options.rate,
                      "flits that each sending node generates per cycle, such as 0.35; default: 0.1");
  command->add_option("--sweep", options.sweep, "many rates, FROM:TO:STEP or a list such as 0.1,0.2");
  command->add_option("--hot-spot", options.hot_spot, "hot-spot: this node; default: 0");
  command->add_option("--hot-fraction", options.hot_fraction,
                      "hot-spot: the probability that a packet goes there; default: 0.1");
  command->add_option("--warm-up", options.warm_up,
                      "cycles before the measurement; default: 2000, with a trace 0");
  command->add_option("--measure", options.measure,
                      "cycles whose packets are measured; default: 10000, with a trace to its last cycle");
  command->add_option("--drain-limit", options.drain_limit,
                      "most cycles to wait until these are delivered; default: 20000, with a trace no end");
  command->add_option("--seed", request.seed, "the same seed, the same packets")->capture_default_str();
  command->add_option("--ports", options.ports, "all, one or one-send")->capture_default_str();
  command->add_option("--algorithm", options.algorithm,
                      "ways and order: a policy for total-exchange; default: shortest paths, in order of "
                      "arrival (transit-first)");
  command->add_option("--flits", request.flits, "flits in a packet")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  command->add_option("--link-latency", request.link_latency, "cycles of a link")->capture_default_str();
  command->add_option("--queue-depth", request.queue_depth, "packets per input and queue")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  command
      ->add_option("--host-depth", request.host_depth,
                   "packets of its own that a queue takes; the host keeps the rest")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  command
      ->add_option("--threads", request.threads,
                   "threads, of a sweep one per load; the result does not depend on them")
      ->check(CLI::Range(1U, 64U))
      ->capture_default_str();
  command->add_option("--csv", options.csv, "a sweep: also write the table to a file, as CSV");
  command->add_option("--plot", options.plot, "a sweep: draw latency against load, FILE.svg");
  command->add_flag("--json", options.json, "print one JSON object instead of text");
  return command;
}

CLI::App* add_dynamic_broadcast(CLI::App& app, DynamicBroadcastOptions& options) {
  CLI::App* command = app.add_subcommand(
      "dynamic-broadcast", "packets that arrive at random, broadcast by nodes that find out who has one");
  command
      ->add_option("topology", options.topology, "an array or torus of equal sides, hypercube or folded cube")
      ->required();
  command->add_option(
      "--rate", options.rate,
      "packets per node and slot, a slot being as many cycles as a packet has flits; default: "
      "half the largest stable rate");
  command->add_option("--sweep", options.sweep, "many rates, FROM:TO:STEP or a list such as 0.01,0.02");
  command->add_flag("--of-limit", options.of_limit, "rates are parts of the largest stable rate, 1 / D(N)");
  command->add_option("--packets", options.packets, "packets in all")->capture_default_str();
  command->add_option("--warm-up", options.warm_up, "of these, the first so many are not measured")
      ->capture_default_str();
  command->add_option("--seed", options.seed, "the same seed, the same arrivals")->capture_default_str();
  command->add_option("--flits", options.flits, "flits in a packet; a prefix packet has one")
      ->capture_default_str();
  command
      ->add_option("--header-flits", options.header_flits,
                   "0 or 1: a flit for the header of each packet and part")
      ->capture_default_str();
  command->add_option("--link-latency", options.link_latency, "cycles of a link")->capture_default_str();
  command->add_flag("--split", options.split, "packets become a part per class");
  command->add_flag("--alternating", options.alternating, "tori: the short way round, the long one in turns");
  command
      ->add_option("--threads", options.threads,
                   "loads of a sweep at once; the result does not depend on them")
      ->check(CLI::Range(1U, 64U))
      ->capture_default_str();
  command->add_option("--csv", options.csv, "a sweep: also write the table to a file, as CSV");
  command->add_option("--plot", options.plot, "a sweep: draw delay against rate, FILE.svg");
  command->add_flag("--json", options.json, "print one JSON object instead of text");
  return command;
}

int main_program(int argc, char** argv) {
  CLI::App app{"safnet: collective communication on real routers, cycle by cycle"};
  app.require_subcommand(1);

  RunWords words;
  CLI::App* run = app.add_subcommand("run", "run one collective on the hardware");
  add_problem_options(run, words.problem);
  run->add_option(
      "--algorithm", words.algorithm,
      "see `safnet list algorithms`; auto: the best of all; without it the best for nodes that decide "
      "for themselves");
  run->add_option("--node", words.node,
                  "pifo: routers that decide for themselves; tdm: nodes that obey a timetable; auto: as the "
                  "algorithm is")
      ->check(CLI::IsMember({"auto", "pifo", "tdm"}))
      ->capture_default_str();
  run->add_option("--flits", words.flits, "flits in a packet")->capture_default_str();
  run->add_option("--link-latency", words.link_latency, "cycles of a link")->capture_default_str();
  run->add_option("--slot", words.slot, "lockstep: packets start on slot boundaries; free: in any cycle")
      ->check(CLI::IsMember({"lockstep", "free"}))
      ->capture_default_str();
  run->add_option("--grants", words.grants, "one-port: whether a sender asks the receiver first")
      ->check(CLI::IsMember({"auto", "on", "off"}))
      ->capture_default_str();
  run->add_option("--queue-depth", words.queue_depth,
                  "packets per input and queue; 0: as many as can ever wait")
      ->capture_default_str();
  run->add_option("--host-depth", words.host_depth,
                  "packets of its own that a queue takes; 0: all. The host keeps the rest")
      ->capture_default_str();
  run->add_option("--threads", words.threads, "threads; the result does not depend on them")
      ->check(CLI::Range(1U, 64U))
      ->capture_default_str();
  run->add_option("--wave", words.wave, "write a waveform (FST) and a GTKWave view beside it");
  run->add_option("--wave-nodes", words.wave_nodes,
                  "only these nodes, by number, coordinates or name, such as 0;1,2;17");
  run->add_option("--wave-cycles", words.wave_cycles, "only these cycles, FROM:TO");
  run->add_option("--trace", words.trace,
                  "write what the hardware did to a schedule file (see check and replay)");
  run->add_flag("--whole-network", words.whole_network,
                "run network.sv, elaborated as a whole: slow to build, the same cycles");
  run->add_option("--model", words.model,
                  "rtl: the verilated hardware; systemc: a model written from its documentation alone")
      ->check(CLI::IsMember({"rtl", "systemc"}))
      ->capture_default_str();
  run->add_flag("--json", words.json, "print one JSON object instead of text");
  const char* const on_line = "Collectives that find out on-line who is active";
  run->add_option("--destinations", words.scan.destinations,
                  "of monotone routing: as many nodes as are active")
      ->group(on_line);
  run->add_option("--header-flits", words.scan.header_flits,
                  "1: packets have a further flit for their header; 0: it is in the first flit")
      ->check(CLI::Range(0, 1))
      ->capture_default_str()
      ->group(on_line);
  run->add_flag("--split", words.scan.split, "a part of each packet in every class; else whole packets")
      ->group(on_line);
  run->add_flag("--single-class", words.scan.single_class,
                "one class alone, which uses one dimension at a time")
      ->group(on_line);
  run->add_flag("--alternating", words.scan.alternating,
                "tori: packing the short way, long ways round in turn")
      ->group(on_line);
  run->add_flag("--pass-on-first", words.scan.pass_on_first,
                "own packets go into empty slots, not with their batch")
      ->group(on_line);
  run->add_flag("--known-ranks", words.scan.known_ranks, "ranks are known: no scans")->group(on_line);

  ProblemWords planned;
  PlanOptions plan_options;
  std::string plan_slot = "lockstep";
  CLI::App* plan = app.add_subcommand("plan", "work out a schedule, check it, write it to a file");
  add_problem_options(plan, planned);
  plan->add_option("--algorithm", plan_options.algorithm,
                   "see `safnet list algorithms`; auto: the best that applies")
      ->capture_default_str();
  plan->add_option("--flits", plan_options.flits, "flits in a packet")
      ->check(CLI::Range(1U, 64U))
      ->capture_default_str();
  plan->add_option("--link-latency", plan_options.link_latency, "cycles of a link")
      ->check(CLI::Range(0U, 64U))
      ->capture_default_str();
  plan->add_option("--slot", plan_slot, "lockstep: a slot is a packet's time on a link; free: a cycle")
      ->check(CLI::IsMember({"lockstep", "free"}))
      ->capture_default_str();
  plan->add_flag("--reverse", plan_options.reverse,
                 "backwards: a scatter becomes a gather, a broadcast a reduction");
  plan->add_option("--operation", plan_options.operation, "of a reduction: sum, min, max, and, or")
      ->capture_default_str();
  plan->add_option("-o", plan_options.output, "FILE.json, .json.gz, .msccl.json or .xml");
  plan->add_flag("--json", plan_options.json, "print one JSON object instead of text");

  ScheduleSource source;
  const auto add_source = [&source](CLI::App* command) {
    command->add_option("file", source.path, "FILE.json, .json.gz, .msccl.json or .xml")->required();
    command->add_option("--topology", source.topology, "the network, for a file that holds none (.xml)");
    command->add_option("--ports", source.ports, "the port model, for a file that does not say (.xml)")
        ->capture_default_str();
  };
  bool check_as_json = false;
  CLI::App* check = app.add_subcommand("check", "is a schedule valid? If not, the first violations in words");
  add_source(check);
  check->add_flag("--json", check_as_json, "print one JSON object instead of text");

  ReplayOptions replay_options;
  std::string replay_node = "tdm";
  CLI::App* replayed = app.add_subcommand("replay", "run a schedule on the hardware");
  add_source(replayed);
  replayed
      ->add_option("--node", replay_node, "tdm: nodes that obey it; pifo: routers, with its steps as ranks")
      ->check(CLI::IsMember({"tdm", "pifo"}))
      ->capture_default_str();
  replayed
      ->add_option("--flits", replay_options.flits,
                   "give a schedule of steps packets of so many flits, in lockstep; 0: as the file says")
      ->check(CLI::Range(0U, 64U))
      ->capture_default_str();
  replayed->add_option("--link-latency", replay_options.link_latency, "with --flits: cycles of a link")
      ->check(CLI::Range(0U, 64U))
      ->capture_default_str();
  replayed
      ->add_option("--buffers", replay_options.request.buffers,
                   "buffers of a node; 0: exactly as many as the schedule needs")
      ->capture_default_str();
  replayed
      ->add_option("--program-depth", replay_options.request.program_depth,
                   "instructions that each program queue of a node holds")
      ->capture_default_str();
  replayed
      ->add_option("--feed-interval", replay_options.request.feed_interval,
                   "cycles between two instructions from a host for one program")
      ->capture_default_str();
  replayed->add_flag("--force", replay_options.force, "run it even if it is not valid");
  replayed
      ->add_option("--threads", replay_options.request.threads, "threads; the result does not depend on them")
      ->check(CLI::Range(1U, 64U))
      ->capture_default_str();
  replayed->add_option("--wave", replay_options.request.wave.path,
                       "write a waveform (FST) and a GTKWave view beside it");
  replayed->add_option("--wave-nodes", replay_options.wave_nodes, "only these nodes");
  replayed->add_option("--wave-cycles", replay_options.wave_cycles, "only these cycles, FROM:TO");
  replayed->add_option("--trace", replay_options.trace, "write what the hardware did to a schedule file");
  replayed->add_flag("--whole-network", replay_options.request.whole_network,
                     "run tdm_network.sv, elaborated as a whole: slow to build, the same cycles");
  replayed->add_flag("--json", replay_options.json, "print one JSON object instead of text");

  std::string converted;
  CLI::App* convert = app.add_subcommand("convert", "translate a schedule into another format");
  add_source(convert);
  convert->add_option("output", converted, "FILE.json, .json.gz, .msccl.json or .xml")->required();

  TrafficOptions traffic_options;
  CLI::App* traffic = add_traffic(app, traffic_options);

  DynamicBroadcastOptions dynamic_options;
  CLI::App* dynamic_broadcast = add_dynamic_broadcast(app, dynamic_options);

  std::vector<std::string> surveyed = survey_topologies();
  CLI::App* survey = app.add_subcommand("survey", "every collective on a row of networks, one line per run");
  survey->add_option("topologies", surveyed, "the networks")->capture_default_str();

  VerifyOptions verify_options;
  CLI::App* verify = app.add_subcommand("verify", "run the claims of the papers on the hardware");
  verify->add_option("--claim", verify_options.claim, "only claims whose id matches, such as thesis.T*")
      ->capture_default_str();
  verify->add_flag("--full", verify_options.full, "all sizes, not only the quick ones");
  verify->add_option("--json", verify_options.json_path, "also write the table to a JSON file");
  verify->add_option("--junit", verify_options.junit_path, "also write it as JUnit XML");

  std::string what;
  CLI::App* list = app.add_subcommand("list", "what there is");
  list->add_option("what", what, "topologies, collectives, algorithms or claims")
      ->required()
      ->check(CLI::IsMember({"topologies", "collectives", "algorithms", "claims"}));
  TopologyPageOptions page;
  list->add_option("--pictures", page.pictures,
                   "topologies: write a small SVG of each family to this folder");
  list->add_flag("--markdown", page.markdown, "topologies: print the table of cpp_model/graph/family/README.md");

  std::string pictured, picture_path;
  CLI::App* draw = app.add_subcommand("draw", "a network as a picture, by Graphviz");
  draw->add_option("topology", pictured, "such as torus:8x8; see `safnet list topologies`")->required();
  draw->add_option("-o", picture_path, "FILE.svg, .png or .dot; default: DOT is printed");

  std::string described;
  bool describe_as_json = false;
  CLI::App* describe = app.add_subcommand(
      "describe", "what a network is: degrees, distances, cuts, and the nodes its hardware needs");
  describe->add_option("topology", described, "such as torus:8x8; see `safnet list topologies`")->required();
  describe->add_flag("--json", describe_as_json, "print one JSON object instead of text");

  TableOptions table_options;
  std::vector<std::string> all_tables = table_names();
  all_tables.emplace_back("optimality");
  all_tables.emplace_back("finite-queues");
  CLI::App* table = app.add_subcommand("table", "tables of the papers, and what is optimal where");
  table->add_option("what", table_options.what, fmt::format("{}", fmt::join(all_tables, ", ")))
      ->required()
      ->check(CLI::IsMember(all_tables));
  table->add_option("of", table_options.words,
                    "necklaces: networks such as torus:3x3x3; subtrees: N,K such as 4,3; optimality: "
                    "networks; finite-queues: fat trees; default: the paper's, or two dozen networks");
  CLI::Option* table_csv = table->add_option("--csv", table_options.csv,
                                             "also write it to a file, as CSV; optimality: optimality.csv "
                                             "unless it says otherwise");
  OptimalityOptions optimality;
  std::string optimality_ports;
  const std::vector<CLI::Option*> of_optimality{
      table->add_option("--ports", optimality_ports,
                        "optimality: all, one or one-send; default: all and one"),
      table->add_option("--messages", optimality.messages, "optimality: M packets where a collective has one")
          ->check(CLI::Range(1U, kMaxMessages)),
      table->add_option("--html", optimality.html, "optimality and finite-queues: a coloured table in HTML")
          ->capture_default_str()};
  std::string depths;
  CLI::Option* table_depths = table->add_option(
      "--depths", depths, "finite-queues: packets per input and queue; default: 1,2,3,4,8,16");

  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return app.exit(success);  // --help
  } catch (const CLI::ConversionError& error) {
    fmt::print(stderr, "safnet: {}: expected a whole number; see safnet --help\n", error.what());
    return kBadInput;
  } catch (const CLI::ParseError& error) {
    std::string message = error.what();
    std::replace(message.begin(), message.end(), '\n', ' ');
    fmt::print(stderr, "safnet: {}; see safnet --help\n", message);
    return kBadInput;
  }
  if (*run) {
    if (find_scan_collective(words.problem.collective) != nullptr) return run_scan_collective(words, *run);
    try {
      parse_collective(words.problem.collective);
    } catch (const std::invalid_argument& error) {
      std::string others;
      for (const ScanCollectiveName& name : scan_collective_names()) others += ", " + name.name;
      throw std::invalid_argument(error.what() + others);
    }
    refuse_scan_options(words, *run);
    return run_command(words);
  }
  if (*plan) {
    require_schedule_file("-o", plan_options.output);
    plan_options.lockstep = plan_slot == "lockstep";
    return plan_command(problem_of(planned), plan_options);
  }
  if (*check) return check_command(source, check_as_json);
  if (*replayed) {
    require_writable_folder("--wave", replay_options.request.wave.path);
    require_schedule_file("--trace", replay_options.trace);
    replay_options.pifo = replay_node == "pifo";
    return replay_command(source, std::move(replay_options), VariantStore::standard());
  }
  if (*convert) {
    require_schedule_file("output", converted);
    return convert_command(source, converted);
  }
  if (*traffic) {
    require_writable_folder("--csv", traffic_options.csv);
    require_writable_folder("--plot", traffic_options.plot);
    return traffic_command(traffic_options, VariantStore::standard());
  }
  if (*dynamic_broadcast) {
    require_writable_folder("--csv", dynamic_options.csv);
    require_writable_folder("--plot", dynamic_options.plot);
    return dynamic_broadcast_command(dynamic_options, VariantStore::standard());
  }
  if (*draw) return draw_command(pictured, picture_path);
  if (*describe) return describe_command(described, describe_as_json);
  if (*table) {
    require_writable_folder("--csv", table_options.csv);
    require_writable_folder("--html", optimality.html);
    if (table_depths->count() != 0 && table_options.what != "finite-queues") {
      throw std::invalid_argument(fmt::format(
          "--depths: expected `table finite-queues` before it, not `table {}`", table_options.what));
    }
    if (table_options.what == "finite-queues") {
      for (const CLI::Option* option : of_optimality) {
        if (option->count() != 0 && option != of_optimality.back()) {
          throw std::invalid_argument(fmt::format("{}: expected `table optimality` before it, not `table {}`",
                                                  option->get_name(), table_options.what));
        }
      }
      FiniteQueueOptions queues{.topologies = table_options.words,
                                .depths = {},
                                .csv = table_options.csv,
                                .html = of_optimality.back()->count() != 0 ? optimality.html : ""};
      if (table_depths->count() != 0) queues.depths = parse_depths(depths);
      return finite_queue_command(queues, VariantStore::standard());
    }
    if (table_options.what == "optimality") {
      optimality.topologies = table_options.words;
      if (!optimality_ports.empty()) optimality.ports = parse_port_model(optimality_ports);
      if (table_csv->count() != 0) optimality.csv = table_options.csv;
      return optimality_command(optimality, VariantStore::standard());
    }
    for (const CLI::Option* option : of_optimality) {
      if (option->count() != 0) {
        throw std::invalid_argument(fmt::format("{}: expected `table optimality` before it, not `table {}`",
                                                option->get_name(), table_options.what));
      }
    }
    return table_command(table_options);
  }
  const bool paged = page.markdown || !page.pictures.empty();
  if (paged && what != "topologies")
    throw std::invalid_argument(fmt::format("list {}: expected no --markdown or --pictures beside it", what));
  if (*list) return what == "topologies" ? topology_page(page) : list_command(what);
  if (*survey) return survey_command(surveyed, VariantStore::standard());
  require_writable_folder("--json", verify_options.json_path);
  require_writable_folder("--junit", verify_options.junit_path);
  return verify_command(verify_options, VariantStore::standard());
}

}  // namespace
}  // namespace safnet

int main(int argc, char** argv) {
  try {
    return safnet::main_program(argc, argv);
  } catch (const std::invalid_argument& error) {
    fmt::print(stderr, "safnet: {}\n", error.what());
    return safnet::kBadInput;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "safnet: out of memory; expected a smaller network or --queue-depth\n");
    return safnet::kBadInput;
  } catch (const std::exception& error) {
    fmt::print(stderr, "safnet: {}\n", error.what());
    return 1;
  }
}
