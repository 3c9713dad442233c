// export - `safnet export`: a network and its collective as SystemVerilog for other people's tools.
#include <fmt/format.h>

#include <cctype>
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

std::string chosen_name(const ExportOptions& options, const Graph& graph) {
  const std::string& name = options.name;
  if (name.empty()) return module_name(graph.spelling());
  const bool good = name.size() <= 64 && std::isalpha(static_cast<unsigned char>(name[0])) != 0 &&
                    std::ranges::all_of(name, [](char c) { return is_word(c) || c == '_'; });
  if (!good)
    throw bad_input("--name {}: expected letters, digits and underscores, a letter first", in_quotes(name));
  return name;
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

// Writes the folder if the run went well; otherwise says what was wrong with it.
int write(const ExportOptions& options, ExportedNetwork network, const RecordedRun& run,
          const Account& account) {
  if (account.exit_code() != 0) {
    for (const auto& lines : {account.problems, account.waits}) {
      for (const std::string& line : lines) fmt::print(stderr, "safnet: export: {}\n", line);
    }
    return account.exit_code();
  }
  network.command = invocation();
  network.name = chosen_name(options, network.graph);
  network.hosts = run.hosts();
  network.flits = run.flits();
  ExportSources sources;
  find_node(network, VariantStore::standard(), sources);
  write_export(options.folder, network, sources);
  fmt::print("{}\n{}: {} {}s, {} flits for their hosts, the last in cycle {}\n", network.title,
             options.folder, network.graph.node_count(), network.hardware.kind->top, network.flits,
             network.last_delivery);
  return 0;
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

int export_network(const ExportOptions& options) {
  check_export_folder(options.folder);
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
  command.add_option("-o,--output", options->folder, "a new folder")->required();
  command.add_option("--name", options->name, "of the network's module; otherwise that of the topology");
  return [options] { return export_network(*options); };
}

}  // namespace safnet
