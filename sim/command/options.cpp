#include "sim/command/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <variant>

#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/graph/remaining_network.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/system/output_file.hpp"
#include "cpp_model/traffic/decimal.hpp"
#include "sim/fabric/wave_nodes.hpp"
#include "sim/fabric/wave_writer.hpp"
#include "sim/machine/limits.hpp"
#include "sim/machine/wave_view.hpp"
#include "sim/run/active_nodes.hpp"

namespace safnet {
namespace {

constexpr const char* kScheduleFile = "FILE.json, .json.gz, .msccl.json or .xml";

// The active nodes of a concurrent broadcast. A node that is named n times has n packets.
std::vector<NodeId> parse_repeated_nodes(const std::string& text, const Graph& graph) {
  const char separator = text.find(';') != std::string::npos ? ';' : ',';
  std::vector<NodeId> nodes;
  for (const std::string& word : split(text, separator)) {
    const std::vector<NodeId> named = parse_active_nodes("--active", word, graph);
    nodes.insert(nodes.end(), named.begin(), named.end());
  }
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

}  // namespace

CLI::Validator whole_number(std::string option, std::uint64_t low, std::uint64_t high) {
  const auto check = [option = std::move(option), low, high](const std::string& word) -> std::string {
    const std::optional<std::uint64_t> value = parse_decimal(word);
    const bool octal = word.size() > 1 && word.front() == '0';  // as CLI11 would read it
    if (!value || octal || *value < low || *value > high)
      throw bad_input("{} {}: expected {} to {}", option, one_line(word), low, high);
    return {};
  };
  return CLI::Validator(check, fmt::format("{} to {}", low, high));
}

void declare_topology(CLI::App& command, std::string& topology) {
  command.add_option("topology", topology, "such as torus:8x8; see `safnet list topologies`")->required();
  // They are words for the spelling of a topology, which every file and page of the run then shows.
  struct Words {
    std::string timed, routers, group;
    std::vector<std::string> without_links, without_nodes;
  };
  const auto words = std::make_shared<Words>();
  command.add_option("--timed", words->timed,
                     "links with a latency or width of their own, such as "
                     "'0-1:latency=3;4>5:cycles_per_flit=2'; like the topology timed(TOPOLOGY;LINKS)");
  command.add_option(
      "--routers", words->routers,
      "these nodes only route: numbers, names, 16-27, spine_*, or degree:N for all nodes with N "
      "links or more; like the topology routers(TOPOLOGY;NODES)");
  command.add_option("--group", words->group,
                     "only these nodes take part, all others only route; like group(TOPOLOGY;NODES)");
  command
      .add_option(
          "--without-link", words->without_links,
          "A:B: without the link between these neighbours, A>B: in this direction alone; several times "
          "for several; like the topology without(TOPOLOGY;A:B;...)")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command
      .add_option(
          "--without-node", words->without_nodes,
          "without this node and its links; several times for several; like without(TOPOLOGY;NODE;...)")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command.parse_complete_callback([&topology, words] {
    if (!words->timed.empty()) topology = fmt::format("timed({};{})", topology, words->timed);
    if (!words->routers.empty()) topology = fmt::format("routers({};{})", topology, words->routers);
    if (!words->group.empty()) topology = fmt::format("group({};{})", topology, words->group);
    for (const std::string& link : words->without_links) {
      if (link.find_first_of(":>") == std::string::npos)
        throw bad_input("--without-link {}: expected two neighbours, such as 0:1, or 0>1 for one direction",
                        in_quotes(link));
    }
    for (const std::string& node : words->without_nodes) {
      if (node.find_first_of(":>;") != std::string::npos)
        throw bad_input("--without-node {}: expected a node", in_quotes(node));
    }
    std::vector<std::string> missing = words->without_links;
    missing.insert(missing.end(), words->without_nodes.begin(), words->without_nodes.end());
    if (!missing.empty()) topology = fmt::format("without({};{})", topology, fmt::join(missing, ";"));
  });
}

std::optional<Problem> on_whole_network(const Problem& problem) {
  const std::optional<WholeNetwork> whole = whole_network(problem.graph, make_topology);
  if (!whole) return std::nullopt;
  Problem same = problem;
  same.graph = whole->graph;
  same.root = whole->number.at(problem.root);
  if (problem.destination != kNoNode) same.destination = whole->number.at(problem.destination);
  for (NodeId& node : same.active) node = whole->number.at(node);
  return same;
}

void declare_ports(CLI::App& command, std::string& ports) {
  command.add_option("--ports", ports, "all, one or one-send");
}

void declare_router(CLI::App& command, std::string& node) {
  command.add_option(
      "--node", node,
      "pifo: routers with queues in order of rank; fifo: the plainest, without ranks; a folder with "
      "a router of your own");
}

void declare_json(CLI::App& command, bool& json) {
  command.add_flag("--json", json, "print one JSON object instead of text");
}

void declare_threads(CLI::App& command, unsigned& threads, const std::string& meaning) {
  add_number(command, "--threads", threads, 1, 64, meaning);
}

CLI::Option* declare_fitted(CLI::App& command, bool& fitted) {
  return command.add_flag("--fitted", fitted,
                          "nodes with what this run uses and no more, as one would make them, which --json "
                          "then describes; else runs share larger nodes, of which they leave a part idle");
}

CLI::Option* declare_model(CLI::App& command, NetworkModel& model) {
  return command
      .add_option_function<std::string>(
          "--model",
          [&model](const std::string& word) {
            model = word == "systemc" ? NetworkModel::kSystemC : NetworkModel::kRtl;
          },
          "rtl: the verilated hardware; systemc: a model written from its documentation alone")
      ->default_str("rtl")
      ->check(CLI::IsMember({"rtl", "systemc"}));
}

CLI::Option* declare_plan_seconds(CLI::App& command, std::optional<std::uint32_t>& seconds) {
  return add_number(command, "--seconds", seconds, 0, 1'000'000,
                    fmt::format("that --algorithm auto may plan for on a large collective, {} unless said "
                                "otherwise: an estimate from the number of hops, not the clock",
                                kPlanSeconds));
}

CLI::Option* declare_forwarding(CLI::App& command, std::optional<std::uint32_t>& most) {
  return add_number(command, "--forwarding", most, 1, std::numeric_limits<std::uint32_t>::max(),
                    "the links in a row that data may be passed on over at most, sums included: the S of "
                    "SCCL's (C, S, R)");
}

std::uint32_t plan_seconds(const std::optional<std::uint32_t>& seconds, bool is_auto,
                           bool within_forwarding) {
  if (seconds && within_forwarding)
    throw bad_input("--seconds {}: expected no --forwarding beside it", *seconds);
  if (seconds && !is_auto) throw bad_input("--seconds {}: expected --algorithm auto", *seconds);
  return seconds.value_or(kPlanSeconds);
}

void declare_router_network(CLI::App& command, RouterNetworkOptions& words, RouterNetworkSettings& settings) {
  declare_ports(command, words.ports);
  declare_router(command, words.node);
  command.add_option("--algorithm", words.algorithm,
                     "ways and order: a policy for total-exchange; default: shortest paths, in order of "
                     "arrival (transit-first)");
  add_number(command, "--flits", settings.flits, 1, kMostFlits, "flits in a packet");
  add_number(command, "--link-latency", settings.link_latency, 0, kMostLatency, "cycles of a link");
  add_number(command, "--queue-depth", settings.queue_depth, 1, kMostQueued, "packets per link");
  add_number(command, "--host-depth", settings.host_depth, 1, kMostQueued,
             "packets of its own that a node takes; the host keeps the rest");
  declare_fitted(command, settings.fitted);
}

void refuse_unless(bool used, std::string_view option, const std::string& word, const char* expected) {
  if (!word.empty() && !used) throw bad_input("{} {}: expected {}", option, in_quotes(word), expected);
}

void require_writable_folder(const char* option, const std::string& path) {
  if (path.empty()) return;
  if (const std::string why = why_no_output(path); !why.empty())
    throw bad_input("{} {}: {}", option, one_line(path), why);
}

void require_schedule_file(const char* option, const std::string& path) {
  require_writable_folder(option, path);
  if (path.empty() || path.ends_with(".json") || path.ends_with(".json.gz") || path.ends_with(".xml")) return;
  throw bad_input("{} {}: expected a name that ends in .json, .json.gz, .msccl.json or .xml", option,
                  in_quotes(path));
}

void refuse_same_file(const char* option, const std::string& path, const char* other_option,
                      const std::string& other) {
  std::error_code error;
  const auto place = [&](const std::string& of) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(of), error);
  };
  if (!path.empty() && !other.empty() && place(path) == place(other))
    throw bad_input("{} {}: expected another file than that of {}", option, in_quotes(path), other_option);
}

StepRange parse_steps(const char* option, const std::string& text) {
  const auto refuse = [&] {
    throw bad_input("{} {}: expected FROM:TO in steps, such as 100:250, FROM not above TO", option,
                    in_quotes(text));
  };
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) refuse();
  StepRange range;
  const auto read = [&](const std::string& part, std::uint64_t& bound) {
    if (part.empty()) return;
    const std::optional<std::uint64_t> value = parse_decimal(part);
    if (!value || *value == 0 || *value > 0xffff'ffff) refuse();
    bound = *value;
  };
  read(text.substr(0, colon), range.first);
  read(text.substr(colon + 1), range.last);
  if (range.first > range.last) refuse();
  return range;
}

CLI::Option* CollectiveOptions::add(CLI::Option* option, std::uint32_t traits, std::string what) {
  entries_.push_back({option, traits, std::move(what)});
  return option;
}

void CollectiveOptions::refuse_unused(const CollectiveName& collective) const {
  for (const Entry& entry : entries_) {
    if ((entry.traits & collective.traits) != 0 || entry.option->count() == 0) continue;
    const std::string& value = entry.option->results().back();
    if (value == entry.option->get_default_str()) continue;
    const std::string name = entry.option->get_name();
    if (entry.what.empty()) throw bad_input("{}: {} has no use for it", name, collective.name);
    throw bad_input("{} {}: {} has no use for {}", name, one_line(value), collective.name, entry.what);
  }
}

void ProblemOptions::declare(CLI::App& command, CollectiveOptions& uses) {
  declare_topology(command, topology_);
  command.add_option("collective", collective_, "such as total-exchange; see `safnet list collectives`")
      ->required();
  declare_ports(command, ports_);
  uses.add(command.get_option("--ports"), kOnSchedules);
  uses.add(command.add_option("--root", root_,
                              "of a broadcast, scatter, gather, reduction or multipath transfer: a node's "
                              "number, coordinates or name"),
           kNeedsRoot, "a root");
  uses.add(command.add_option("--destination", destination_,
                              "of a multipath transfer; default: the last node that is not the root"),
           kNeedsDestination, "a destination");
  uses.add(command.add_option("--tree", tree_,
                              "spanning tree: shortest-path, depth-first, random:SEED, product, weight-rule, "
                              "torus-regions, torus-regions-as-printed or fewest-steps"),
           kOnSchedules);
  uses.add(
      add_number(command, "--messages", messages_, 1, kMaxMessages, "M packets where the collective has one"),
      kOnSchedules);
  uses.add(command.add_option("--active", active_,
                              "the nodes that take part in a partial collective, such as 0,3,7 or 0,1;2,3, "
                              "all, or random:M:SEED: M nodes at random"),
           kNeedsActive, "active nodes");
}

const CollectiveName& ProblemOptions::collective(std::uint32_t on) const {
  return name_of(parse_collective(collective_, on));
}

Graph ProblemOptions::network() const { return make_topology(topology_); }
PortModel ProblemOptions::ports() const { return parse_port_model(ports_); }

Problem ProblemOptions::problem(const CollectiveName& collective) const {
  Problem problem{.graph = network(), .collective = collective.kind};
  problem.ports = ports();
  problem.root = problem.graph.parse_node(root_);
  problem.tree = tree_;
  problem.messages = messages_;
  if (!destination_.empty()) {
    problem.destination = problem.graph.parse_node(destination_);
    destination_of(problem);
  }
  if (!collective.has_active) return problem;
  if (active_.empty()) throw bad_input("{}: expected --active, such as --active 0,3,7", collective.name);
  problem.active = collective.kind == CollectiveKind::kConcurrentBroadcast
                       ? parse_repeated_nodes(active_, problem.graph)
                       : parse_active_nodes("--active", active_, problem.graph);
  if (problem.active.empty() && !collective.scans)
    throw bad_input("--active {}: expected at least one node", in_quotes(active_));
  return problem;
}

DigitNetwork digit_network(const std::string& who, const Graph& graph) {
  auto network = DigitNetwork::of(graph);
  if (const std::string* why_not = std::get_if<std::string>(&network))
    throw bad_input("{}: {}", who, *why_not);
  return std::get<DigitNetwork>(std::move(network));
}

void WaveOptions::declare(CLI::App& command) {
  command.add_option("--wave", file, "write a waveform (FST) and a GTKWave view beside it");
  command.add_option("--wave-nodes", nodes,
                     "only these nodes, by number, coordinates or name, such as 0;1,2;17");
  command.add_option("--wave-cycles", cycles, "only these cycles, FROM:TO");
}

void WaveOptions::apply(HardwareOptions& options, const Graph& graph) const {
  refuse_unless(!file.empty(), "--wave-nodes", nodes, "--wave beside it");
  refuse_unless(!file.empty(), "--wave-cycles", cycles, "--wave beside it");
  if (file.empty()) return;
  const std::string view = wave_view_path(file), why = why_no_output(file, true);
  if (!why.empty()) throw bad_input("--wave {}: {}", one_line(file), why);
  if (view == file) throw bad_input("--wave {}: expected another name, the view has this one", file);
  require_writable_folder("--wave", view);
  options.wave.path = file;
  if (!nodes.empty()) options.wave.nodes = parse_wave_nodes(nodes, graph);
  if (!cycles.empty()) parse_wave_cycles(cycles, options.wave);
}

void WaveOptions::write(const HardwareOptions& options, const Graph& graph, const Hardware& hardware,
                        ViewedRun run) const {
  if (file.empty()) return;
  require_wave_written(file);
  run.nodes = options.wave.nodes;
  run.whole_network = options.whole_network;
  run.first_cycle = options.wave.first_cycle;
  run.last_cycle = options.wave.last_cycle;
  run.slot_cycles = hardware.settings.slot_cycles;
  hardware.write_wave_view(file, graph, run);
}

void RecordOptions::declare(CLI::App& command, const std::string& network) {
  wave.declare(command);
  command.add_option("--trace", trace,
                     "write what the hardware did to a schedule file (see check and replay)");
  command.add_flag("--whole-network", whole_network,
                   fmt::format("run {}, elaborated as a whole: slow to build, the same cycles", network));
}

void RecordOptions::apply(HardwareOptions& options, const Graph& graph) const {
  wave.apply(options, graph);
  require_schedule_file("--trace", trace);
  options.keep_trace = !trace.empty();
  options.whole_network = whole_network;
}

void RecordOptions::write(const HardwareOptions& options, const Graph& graph, const Hardware& hardware,
                          const ViewedRun& run, const std::function<Schedule()>& schedule) const {
  wave.write(options, graph, hardware, run);
  if (!trace.empty()) write_any_schedule(schedule(), trace);
}

void ScheduleSource::declare(CLI::App& command, const std::string& name) {
  command.add_option(name, path, kScheduleFile)->required();
  command.add_option("--topology", topology, "the network, for a file that holds none (.xml)");
  command.add_option("--ports", ports, "the port model, for a file that does not say (.xml)");
  command.add_option("--collective", collective,
                     "the collective, for a file without one or a custom one (.xml)");
  command.add_option("--channel-depth", channel_depth,
                     "messages that a channel between two thread blocks holds (.xml)");
}

ReadSchedule ScheduleSource::read() const {
  ScheduleReading reading;
  reading.topology = topology;
  reading.ports = parse_port_model(ports);
  reading.msccl = {channel_depth, collective};
  if (channel_depth == 0) throw bad_input("--channel-depth '0': expected at least 1");
  if (topology.empty() && path.ends_with(".xml")) {
    throw bad_input("{}: MSCCL programs hold no network; expected --topology, such as --topology ring:4",
                    in_quotes(path));
  }
  return read_any_schedule(path, reading);
}

void SweepOptions::declare(CLI::App& command, const std::string& rate_meaning, const std::string& example,
                           const std::string& plot_meaning) {
  command.add_option("--rate", rate, rate_meaning);
  command.add_option("--sweep", sweep, "many rates, FROM:TO:STEP or a list such as " + example);
  declare_threads(command, threads, "threads, of a sweep one per load; the result does not depend on them");
  command.add_option("--csv", csv, "a sweep: also write the table to a file, as CSV");
  command.add_option("--plot", plot, "a sweep: draw " + plot_meaning + ", FILE.svg");
  declare_json(command, json);
}

void SweepOptions::check() const {
  require_writable_folder("--csv", csv);
  require_writable_folder("--plot", plot);
  refuse_unless(rate.empty(), "--sweep", sweep, "no --rate beside it");
  refuse_unless(many(), "--csv", csv, "--sweep beside it");
  refuse_unless(many(), "--plot", plot, "--sweep beside it");
  refuse_unless(plot.ends_with(".svg"), "--plot", plot, "a name that ends in .svg");
  refuse_same_file("--plot", plot, "--csv", csv);
}

std::vector<Rational> SweepOptions::rates(std::string_view usual) const {
  constexpr std::size_t kMostLoads = 200;
  if (many()) return parse_fractions("--sweep", sweep, kMostLoads);
  return {parse_fraction("--rate", rate.empty() ? usual : rate)};
}

}  // namespace safnet
