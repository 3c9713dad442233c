// faults - `safnet faults`: a run again and again, each time with one fault, and what noticed it.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cpp_model/graph/routers.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/graph/unequal_links.hpp"
#include "cpp_model/system/output_file.hpp"
#include "sim/command/collective_words.hpp"
#include "sim/command/commands.hpp"
#include "sim/command/options.hpp"
#include "sim/command/progress_line.hpp"
#include "sim/report/fault_report.hpp"
#include "sim/run/scan_check.hpp"

namespace safnet {
namespace {

struct FaultOptions {
  CollectiveWords words;
  std::string links, nodes, faults, at, without, csv;
  FaultChoice choice;
  bool each = false, json = false;
};

std::vector<std::uint32_t> parse_cycles(const std::string& words) {
  std::vector<std::uint32_t> cycles;
  for (const std::string& word : split(words, ',')) {
    const std::optional<std::uint64_t> cycle = parse_decimal(word);
    if (!cycle || *cycle == 0 || *cycle > 0xffff'ffff || (!cycles.empty() && *cycle <= cycles.back()))
      throw bad_input("--at {}: expected ascending cycles, such as 1,10,20", in_quotes(words));
    cycles.push_back(static_cast<std::uint32_t>(*cycle));
  }
  return cycles;
}

FaultChoice choice_of(const FaultOptions& options, const Graph& graph) {
  FaultChoice choice = options.choice;
  if (!options.links.empty()) choice.links = parse_link_set(options.links, graph);
  if (!options.nodes.empty()) choice.nodes = parse_node_set(options.nodes, graph);
  if (!options.faults.empty()) choice.kinds = parse_fault_kinds(options.faults);
  if (!options.at.empty()) choice.cycles = parse_cycles(options.at);
  if (!options.without.empty()) {
    for (const Check check : parse_checks(options.without)) choice.trial.without.insert(check);
  }
  return choice;
}

std::string title_of(const RunPlan& plan) {
  const RunRequest& request = plan.request;
  const bool routers = std::holds_alternative<RunPlan::Routers>(plan.what);
  return fmt::format("{} on {}, {}, {}, node {}, {}", to_string(request.problem.collective),
                     in_words(request.problem.graph), in_words(request.problem.ports), plan.algorithm->name,
                     routers ? one_line(plan.hardware.kind->name) : "tdm",
                     counted(static_cast<std::uint64_t>(request.flits), "flit"));
}

std::string title_of(const ScanRequest& request) {
  return fmt::format("{} on {}, {} active, node scan, {}", to_string(request.collective),
                     in_words(request.network.graph()), request.active.size(),
                     counted(static_cast<std::uint64_t>(request.flits), "flit"));
}

int faults(const FaultOptions& options) {
  require_writable_folder("--csv", options.csv);
  const CollectiveName& collective = options.words.collective();
  Problem problem = options.words.problem.problem(collective);
  FaultChoice choice = choice_of(options, problem.graph);
  FaultStudy study{
      .title = "", .graph = problem.graph, .choice = choice, .campaign = {}, .each = options.each};
  VariantStore& store = VariantStore::standard();
  HardwareOptions hardware;
  ProgressLine line(hardware);
  hardware.on_progress = {};
  FaultSubject subject{.graph = problem.graph};
  if (collective.scans) {
    ScanRequest request = options.words.scan_request(problem);
    request.keep_transfers = is_compared(request);
    study.title = title_of(request);
    subject = subject_of(request, store);
  } else {
    const RunPlan plan = plan_run(options.words.run_request(std::move(problem)));
    study.title = title_of(plan);
    subject = subject_of(plan, store);
  }
  study.campaign = run_campaign(subject, choice, hardware, [&](std::size_t done, std::size_t all) {
    line.show(fmt::format("fault {} of {}", done + 1, all), false);
  });
  line.clear();
  if (!options.csv.empty()) write_whole_file(options.csv, to_csv(table_of(study)));
  print_report(options.json, study);
  return study.campaign.count(FaultOutcome::kSilent) == 0 ? 0 : 1;
}

}  // namespace

Action declare_faults(CLI::App& command) {
  command.description("one collective again and again, each time with one fault: what notices it, and when");
  auto options = std::make_shared<FaultOptions>();
  options->words.declare(command);
  const char* group = "Faults";
  std::vector<std::string> kinds, checks;
  for (const FaultName& name : fault_names()) kinds.push_back(fmt::format("{}: {}", name.word, name.meaning));
  for (const CheckName& name : check_names())
    checks.push_back(fmt::format("{}: {}", name.word, name.meaning));
  command
      .add_option("--links", options->links,
                  "only these links, such as 0>1,2-3: A>B from A to B, A-B in both directions; nodes as in "
                  "--routers. Without --nodes no node is at fault then")
      ->group(group);
  command
      .add_option("--nodes", options->nodes,
                  "only these nodes, as in --routers. Without --links no link is at fault then")
      ->group(group);
  command
      .add_option("--faults", options->faults, fmt::format("only these kinds: {}", fmt::join(kinds, "; ")))
      ->group(group);
  command
      .add_option("--at", options->at,
                  "cycles from which on a fault strikes, such as 1,10,20; default: the first, and those at "
                  "a third and two thirds of the run")
      ->group(group);
  add_number(command, "--delay", options->choice.trial.delay, 1, 10'000,
             "cycles that a slow link takes longer")
      ->group(group);
  add_number(command, "--most", options->choice.most, 1, 100'000'000,
             "faults that are tried; of more so many are drawn at random")
      ->group(group);
  add_number(command, "--seed", options->choice.seed, 0, kLargestSeed, "of the drawing")->group(group);
  command
      .add_option("--without-check", options->without,
                  fmt::format("leave out what these checks say, to see which faults they alone notice: {}",
                              fmt::join(checks, "; ")))
      ->group(group);
  command.add_flag("--each", options->each, "a line for each fault as well")->group(group);
  command.add_option("--csv", options->csv, "also write a table with a row for each fault, as CSV")
      ->group(group);
  declare_json(command, options->json);
  return [options] { return faults(*options); };
}

}  // namespace safnet
