// export - `safnet export`: a network and its collective as SystemVerilog for other people's tools.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <filesystem>
#include <memory>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"
#include "sim/command/collective_words.hpp"
#include "sim/command/commands.hpp"
#include "sim/command/invocation.hpp"
#include "sim/command/progress_line.hpp"
#include "sim/export/export_folder.hpp"
#include "sim/run/replay.hpp"
#include "sim/variant/variant_store.hpp"

namespace safnet {
namespace {

constexpr NodeId kMostExportedNodes = 1024;  // the text of the network has a few kilobytes for each

struct ExportOptions {
  CollectiveWords words;
  std::string folder, name;
};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

// "torus:4x4" as torus_4x4: letters, digits and single underscores, a letter first.
std::string module_name(const std::string& spelling) {
  std::string name;
  for (const char c : spelling) {
    if (is_word(c))
      name += c;
    else if (!name.empty() && name.back() != '_')
      name += '_';
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  if (name.size() > 40) name.resize(40);
  return name.empty() || std::isalpha(static_cast<unsigned char>(name[0])) == 0 ? "network_" + name : name;
}

// Words of the language that one might take for a network's name.
constexpr std::array kKeywords{"assert", "begin",  "bit",     "cell",      "class",    "config", "design",
                               "end",    "force",  "global",  "import",    "instance", "int",    "local",
                               "logic",  "module", "package", "primitive", "program",  "ref",    "soft",
                               "static", "strong", "super",   "table",     "this",     "time",   "tri",
                               "type",   "var",    "virtual", "wire"};

std::string chosen_name(const ExportOptions& options, const Graph& graph,
                        const std::vector<std::string>& sources) {
  const std::string& name = options.name;
  if (name.empty()) return module_name(graph.spelling());
  for (const std::string& source : sources) {
    if (std::filesystem::path(source).stem() == name)
      throw bad_input("--name {}: expected another name; a module of the nodes has this one",
                      in_quotes(name));
  }
  if (std::ranges::find(kKeywords, name) != kKeywords.end())
    throw bad_input("--name {}: expected another name; this is a word of the language", in_quotes(name));
  const bool good = name.size() <= 64 && std::isalpha(static_cast<unsigned char>(name[0])) != 0 &&
                    std::ranges::all_of(name, [](char c) { return is_word(c) || c == '_'; });
  if (!good)
    throw bad_input("--name {}: expected letters, digits and underscores, a letter first", in_quotes(name));
  return name;
}

void check_size(const Graph& graph) {
  if (graph.node_count() > kMostExportedNodes)
    throw bad_input("{}: {} nodes; expected at most {}", one_line(graph.spelling()), graph.node_count(),
                    kMostExportedNodes);
}

// The nodes' module with its ports, and where its sources are.
void find_node(ExportedNetwork& network, const VariantStore& store, ExportSources& sources) {
  const NodeKind& kind = *network.hardware.kind;
  sources = {store.root(), store.sources(kind), kind.folders};
  network.node = module_interface({.top = kind.top,
                                   .sources = sources.files,
                                   .parameters = network.hardware.parameters,
                                   .folder = store.build_folder() + "/export/" + kind.name,
                                   .includes = store.rtl_folder()});
}

int write(const ExportOptions& options, ExportedNetwork network) {
  network.command = invocation();
  ExportSources sources;
  find_node(network, VariantStore::standard(), sources);
  network.name = chosen_name(options, network.graph, sources.files);
  write_export(options.folder, network, sources);
  fmt::print("{}\n{}: {} {}s", network.title, options.folder, network.graph.node_count(),
             network.hardware.kind->top);
  if (!network.is_bare)
    fmt::print(", {} flits for their hosts, the last in cycle {}", network.flits, network.last_delivery);
  fmt::print("\n");
  return 0;
}

// Writes the folder if the run went well; otherwise says what was wrong with it.
int write(const ExportOptions& options, ExportedNetwork network, const RecordedRun& run,
          const Account& account) {
  if (account.exit_code() != 0) {
    for (const auto& lines : {account.problems, account.waits}) {
      for (const std::string& line : lines) fmt::print(stderr, "safnet: export: {}\n", line);
    }
    return account.exit_code();
  }
  network.hosts = run.hosts();
  network.flits = run.flits();
  return write(options, std::move(network));
}

// A run by a plan, on nodes that have what it uses and no more: these are what is exported.
int export_schedule(const ExportOptions& options, Problem problem) {
  RunRequest request = options.words.run_request(std::move(problem));
  request.fitted = true;
  RecordedRun recorded(request.problem.graph.node_count());
  request.machine_tap = &recorded;
  ProgressLine line(request);
  const RunPlan plan = plan_run(request);
  if (plan.hardware.kind->timer != "slot_timer")
    throw bad_input(
        "{} by {}: nodes that scan before they exchange are not exported; expected another algorithm",
        to_string(plan.request.problem.collective), plan.algorithm->name);
  ExportedNetwork network{.graph = plan.request.problem.graph, .hardware = plan.hardware};
  network.title = fmt::format("{} on {}, {}, by {}", to_string(plan.request.problem.collective),
                              one_line(network.graph.spelling()), in_words(plan.request.problem.ports),
                              plan.algorithm->name);
  VariantStore& store = VariantStore::standard();
  if (const auto* timetable = std::get_if<RunPlan::Timetable>(&plan.what)) {
    ReplayRequest replayed;
    static_cast<HardwareOptions&>(replayed) = plan.request;
    replayed.fitted = true;
    const ReplayResult result = replay(*timetable->schedule, *timetable->program, replayed, store);
    line.clear();
    network.hardware = result.hardware;
    network.last_delivery = network.cycles = result.cycles;
    return write(options, std::move(network), recorded, result);
  }
  const RunResult result = run(plan, store);
  line.clear();
  if (result.window != 0)
    throw bad_input("--window {}: expected none; hosts of an export wait for nobody", result.window);
  network.hardware = result.hardware;
  network.hosts_start_empty = plan.request.hosts == HostStart::kEmpty;
  network.last_delivery = network.cycles = result.cycles;
  return write(options, std::move(network), recorded, result);
}

int export_scan(const ExportOptions& options, const Problem& problem) {
  ScanRequest request = options.words.scan_request(problem);
  RecordedRun recorded(problem.graph.node_count());
  request.machine_tap = &recorded;
  ProgressLine line(request);
  const ScanResult result = run_scan(request, VariantStore::standard());
  line.clear();
  ExportedNetwork network{.graph = request.network.graph(), .hardware = result.hardware};
  network.title = fmt::format("{} on {}, {} active", to_string(problem.collective),
                              one_line(network.graph.spelling()), counted(request.active.size(), "node"));
  network.last_delivery = result.last_delivery;
  network.cycles = result.cycles;
  return write(options, std::move(network), recorded, result);
}

// Nodes that no collective has fitted: what their modules have by default, but for what the words say.
Hardware bare_hardware(const CollectiveWords& words, const Graph& graph) {
  const auto port_model = static_cast<int>(words.problem.ports());
  const int radix = static_cast<int>(std::max<PortId>(1, graph.max_degree()));
  if (words.node == "tdm") {
    TdmParameters p{
        .radix = radix, .flits = words.settings.flits, .link_latency = words.settings.link_latency};
    p.slot_cycles = p.flits + p.link_latency;
    p.window = (2 * p.link_latency + 3 + p.flits - 1) / p.flits + 1;  // what a link that is never idle needs
    p.port_model = port_model;
    p.combining = 1;
    return tdm_hardware(p);
  }
  PifoParameters p;
  p.radix = radix;
  p.flits = words.settings.flits;
  p.link_latency = words.settings.link_latency;
  p.port_model = port_model;
  p.grant_cycles =
      words.problem.ports() == PortModel::kOnePort && words.grants != "off" ? 2 * p.link_latency + 2 : 0;
  p.slot_cycles = words.slot == "free" ? 1 : p.hop_cycles();
  if (words.settings.queue_depth != 0) p.queue_depth = words.settings.queue_depth;
  if (words.settings.host_depth != 0) p.host_depth = words.settings.host_depth;
  p.label_depth = static_cast<int>(graph.node_count());  // a label for each destination
  p.node_id_width = std::max(1, static_cast<int>(std::bit_width(graph.node_count() - 1)));
  return find_router_kind(words.node == "auto" ? "pifo" : words.node, "auto, tdm")->hardware(p);
}

// The network alone: no host, nothing to hold it against.
int export_bare(const ExportOptions& options) {
  const Graph graph = options.words.problem.network();
  check_size(graph);
  if (graph.has_unequal_links())
    throw bad_input("{}: links that differ are told by a plan; expected a collective",
                    one_line(graph.spelling()));
  ExportedNetwork network{.graph = graph, .hardware = bare_hardware(options.words, graph)};
  network.title = fmt::format("{}, {}", one_line(graph.spelling()), in_words(options.words.problem.ports()));
  network.hosts.resize(graph.node_count());
  network.is_bare = true;
  return write(options, std::move(network));
}

int export_network(const ExportOptions& options) {
  check_export_folder(options.folder);
  if (!options.words.problem.has_collective()) return export_bare(options);
  const CollectiveName& collective = options.words.collective();
  Problem problem = options.words.problem.problem(collective);
  if (problem.graph.node_count() > kMostExportedNodes)
    throw bad_input("{}: {} nodes; expected at most {}", problem.graph.spelling(), problem.graph.node_count(),
                    kMostExportedNodes);
  return collective.scans ? export_scan(options, problem) : export_schedule(options, std::move(problem));
}

}  // namespace

Action declare_export(CLI::App& command) {
  command.description(
      "write a network and its collective as SystemVerilog, with a testbench that repeats the run");
  auto options = std::make_shared<ExportOptions>();
  options->words.declare(command);
  command.get_option("collective")->required(false);
  command.add_option("-o,--output", options->folder, "a new folder")->required();
  command.add_option("--name", options->name, "of the network's module; otherwise that of the topology");
  return [options] { return export_network(*options); };
}

}  // namespace safnet
