// survey - `safnet survey`: every collective under both main port models on a row of networks, one line per
// run.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <optional>

#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/system/output_file.hpp"
#include "sim/command/commands.hpp"
#include "sim/command/invocation.hpp"
#include "sim/command/options.hpp"
#include "sim/command/parallel_runs.hpp"
#include "sim/page/table_page.hpp"
#include "sim/report/run_story.hpp"
#include "sim/run/run.hpp"

namespace safnet {
namespace {

// Adds the best policy for routers and, if a timetable takes fewer steps, the best timetable.
void add_requests(std::vector<RunRequest>& requests, RunRequest request) {
  const Problem& problem = request.problem;
  if (!some_algorithm_applies(problem)) return;
  const Algorithm* policy = some_policy_applies(problem) ? &find_algorithm(problem, "") : nullptr;
  if (policy != nullptr) {
    request.algorithm = policy->name;
    requests.push_back(request);
  }
  if ((name_of(problem.collective).traits & kOnTdm) == 0) return;
  const Algorithm& best = *choose_algorithm(problem, false).algorithm;
  if (policy != nullptr &&
      (best.policy || steps_of(plan_of(best, problem)) >= steps_of(plan_of(*policy, problem))))
    return;
  request.algorithm = best.name;
  requests.push_back(std::move(request));
}

// The pages of the runs, and the table that leads to them.
class SurveyPages {
 public:
  // An empty folder: there are none.
  explicit SurveyPages(const std::string& folder) {
    if (folder.empty()) return;
    folder_.emplace("--report", folder);
    table_.title = "Runs: every collective on a row of networks";
    table_.headline =
        "Each line is a run on the hardware; a click on its collective opens a page that shows it packet by "
        "packet.";
    table_.command = invocation();
    table_.columns = {{"collective", true}, {"ports", true}, {"topology", true},
                      {"algorithm"},        {"node", true},  {"steps"},
                      {"closed form"},      {"lower bound"}, {"verdict", true}};
    table_.judged = 8;
  }
  bool wanted() const { return folder_.has_value(); }

  void add(const RunRequest& request, const RunResult& result) {
    const Problem& problem = request.problem;
    const std::string collective = to_string(problem.collective), ports = to_string(problem.ports),
                      topology = problem.graph.spelling(), verdict = to_string(result.verdict);
    // A number first, since what is left of two spellings may be the same; not too long for a file system.
    std::string file =
        fmt::format("{:03}-{}-{}-{}", table_.rows.size() + 1, collective, ports, topology).substr(0, 120) +
        ".html";
    std::ranges::replace_if(
        file, [](unsigned char c) { return std::isalnum(c) == 0 && c != '-' && c != '.'; }, '_');
    RunStory story = story_of(request, result);
    story.command = fmt::format("build/safnet run {} {} --ports {} --algorithm {} --report run.html",
                                shell_word(topology), collective, ports, result.algorithm);
    write_whole_file(folder_->path() + "/" + file,
                     run_page(story, Recording(schedule_of_run(request, result)), {}));
    table_.rows.push_back({.cells = {collective, ports, topology, result.algorithm, to_string(result.node),
                                     std::to_string(result.steps),
                                     result.closed_form ? std::to_string(*result.closed_form) : "none",
                                     std::to_string(result.lower_bound.steps), verdict},
                           .link = file,
                           .good = result.verdict == Verdict::kOptimal,
                           .bad = result.exit_code() != 0});
  }
  void write() const {
    write_whole_file(folder_->path() + "/survey.html", table_page(table_));
    fmt::print("pages          {}\n", write_page_index(folder_->path()));
  }

 private:
  std::optional<PageFolder> folder_;
  TableOfPage table_;
};

int survey(const std::vector<std::string>& topologies, const std::string& folder) {
  SurveyPages pages(folder);
  std::vector<RunRequest> requests;
  for (const CollectiveName& collective : collective_names()) {
    if (collective.has_active) continue;  // it needs a list of active nodes
    for (const PortModel ports : {PortModel::kAllPort, PortModel::kOnePort}) {
      for (const std::string& topology : topologies)
        add_requests(requests,
                     RunRequest(Problem{
                         .graph = make_topology(topology), .collective = collective.kind, .ports = ports}));
    }
  }
  std::vector<RunPlan> plans;
  std::vector<std::optional<Hardware>> wanted;
  std::size_t topology_width = 8, algorithm_width = 9;
  for (const RunRequest& request : requests) {
    plans.push_back(plan_run(request));
    wanted.push_back(plans.back().hardware);
    topology_width = std::max(topology_width, request.problem.graph.spelling().size());
    algorithm_width = std::max(algorithm_width, request.algorithm.size());
  }

  const auto print_row = [&](const auto& collective, const auto& ports, const auto& topology,
                             const auto& node, const auto& algorithm, const auto&... rest) {
    fmt::print("{:<14}  {:<5}  {:<{}}  {:<4}  {:<{}}", collective, ports, topology, topology_width, node,
               algorithm, algorithm_width);
    fmt::print("  {:>6}  {:>11}  {:>11}  {:<12}  {:>9}\n", rest...);
  };
  print_row("collective", "ports", "topology", "node", "algorithm", "steps", "closed form", "lower bound",
            "verdict", "delivered");
  flush_output();
  int exit_code = 0;
  std::vector<RunResult> results(plans.size());
  const auto run_one = [&](std::size_t i, NodePool& pool) {
    plans[i].request.pool = &pool;
    plans[i].request.keep_trace = pages.wanted();
    results[i] = run(plans[i], VariantStore::standard());
    return results[i].algorithm;
  };
  run_while_building(wanted, all_threads(), run_one, [&](std::size_t i) {
    const RunResult& result = results[i];
    const Problem& problem = plans[i].request.problem;
    print_row(to_string(problem.collective), to_string(problem.ports), problem.graph.spelling(),
              to_string(result.node), result.algorithm, result.steps,
              result.closed_form ? std::to_string(*result.closed_form) : "none", result.lower_bound.steps,
              to_string(result.verdict), result.delivered);
    for (const std::string& what : result.problems) fmt::print("  problem: {}\n", what);
    for (const std::string& what : result.waits) fmt::print("  stuck: {}\n", what);
    flush_output();
    exit_code = std::max(exit_code, result.exit_code());
    if (pages.wanted()) pages.add(plans[i].request, result);
    results[i] = {};  // with its trace
  });
  if (pages.wanted()) pages.write();
  return exit_code;
}

}  // namespace

Action declare_survey(CLI::App& command) {
  command.description("every collective on a row of networks, one line per run");
  auto topologies = std::make_shared<std::vector<std::string>>(
      std::vector<std::string>{"linear:16", "ring:16", "mesh:4x4", "torus:4x4", "hypercube:4"});
  command.add_option("topologies", *topologies, "the networks");
  auto folder = std::make_shared<std::string>();
  command.add_option("--report", *folder, "also write a page for each run and one for all into this folder");
  return [topologies, folder] { return survey(*topologies, *folder); };
}

}  // namespace safnet
