#include "sim/command/verify.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <thread>

#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/claim/claim.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/transform/policy_of_schedule.hpp"
#include "sim/command/progress_line.hpp"
#include "sim/report/markup.hpp"
#include "sim/run/dynamic_claim.hpp"
#include "sim/run/run.hpp"
#include "sim/run/scan_check.hpp"
#include "sim/variant/variant_progress.hpp"

namespace safnet {
namespace {

// Every case runs with single-flit packets, where a step is a cycle, and with packets of several flits over
// links with latency, where a step must be exactly a slot.
constexpr int kLockstepFlits = 4;
constexpr int kLockstepLatency = 1;

// Models that all threads together keep between runs.
constexpr std::size_t kPooledBytes = std::size_t{4} << 30;

// A timetable, planned once for all runs of a case and forgotten after the last of them.
class SharedPlan {
 public:
  void add_user() { ++users_; }
  std::shared_ptr<const Schedule> get(const Algorithm& algorithm, const Problem& problem) {
    const std::lock_guard guard(mutex_);
    if (!steps_) steps_ = std::make_shared<const Schedule>(plan_of(algorithm, problem));
    return steps_;
  }
  void give_back() {
    const std::lock_guard guard(mutex_);
    if (--users_ == 0) steps_.reset();
  }

 private:
  std::mutex mutex_;
  std::shared_ptr<const Schedule> steps_;
  std::size_t users_ = 0;
};

struct Job {
  std::size_t claim;
  ClaimCase wanted;
  std::optional<RunRequest> request;  // none: a check without hardware
  bool lockstep = false;
  ClaimCheck check = {};
  std::shared_ptr<SharedPlan> plan = {};  // of a case whose algorithm is a timetable
  std::optional<OnlineCase> online = {};  // a run on scan_nodes
  std::optional<DynamicCase> dynamic = {};
};

struct Outcome {
  std::string name;
  std::uint64_t steps = 0;  // of a run on scan_nodes: cycles
  std::uint64_t expected = 0;
  std::uint64_t nodes = 0;
  bool on_hardware = true;
  bool lockstep = false;
  bool completed = true;  // false: the run was expected to go wrong, and did
  enum class Unit : std::uint8_t { kSteps, kCycles, kNothing } unit = Unit::kSteps;  // of what is counted
  std::string problem;                                                               // empty: as expected
  std::string printed;  // what the printed statement says otherwise
  double seconds = 0;
};

struct Row {
  const Claim* claim;
  std::vector<Outcome> outcomes;
  // The outcome on the smallest network that contradicts the printed statement; null if none does.
  const Outcome* counterexample() const {
    const Outcome* smallest = nullptr;
    for (const Outcome& o : outcomes) {
      if (o.printed.empty() || !o.problem.empty()) continue;
      if (smallest == nullptr || o.nodes < smallest->nodes) smallest = &o;
    }
    return smallest;
  }
  bool holds() const {
    return !outcomes.empty() && std::all_of(outcomes.begin(), outcomes.end(), [](const Outcome& o) {
      return o.problem.empty();
    }) && (claim->finding == Finding::kHolds) == (counterexample() == nullptr);
  }
  std::string verdict() const { return holds() ? to_string(claim->finding) : "FAILED"; }
  std::size_t runs() const {
    return static_cast<std::size_t>(
        std::count_if(outcomes.begin(), outcomes.end(), [](const Outcome& o) { return o.on_hardware; }));
  }
  double seconds() const {
    double sum = 0;
    for (const Outcome& o : outcomes) sum += o.seconds;
    return sum;
  }
};

std::string name_of(const ClaimCase& wanted, NodeChoice node, bool lockstep) {
  return fmt::format(
      "{} {} {} --ports {}{}{}{}{}{}{}{}{}", wanted.topology, to_string(wanted.collective), wanted.algorithm,
      to_string(wanted.ports), wanted.root != 0 ? fmt::format(" --root {}", wanted.root) : "",
      wanted.destination != kNoNode ? fmt::format(" --destination {}", wanted.destination) : "",
      wanted.messages != 1 ? fmt::format(" --messages {}", wanted.messages) : "",
      wanted.tree.empty() ? "" : " --tree " + wanted.tree,
      wanted.queue_depth != 0 ? fmt::format(" --queue-depth {}", wanted.queue_depth) : "",
      wanted.active.empty() ? "" : fmt::format(" --active {}", fmt::join(wanted.active, ",")),
      node == NodeChoice::kPifo ? " --node pifo" : "",
      lockstep ? fmt::format(" --flits {} --link-latency {}", kLockstepFlits, kLockstepLatency) : "");
}

// What is wrong with a run's outcome; empty if it is as expected.
std::string judge(const ClaimCase& wanted, const RunRequest& request, const RunResult& result) {
  if (!wanted.expected_problem.empty()) {
    const bool found =
        std::any_of(result.problems.begin(), result.problems.end(), [&](const std::string& problem) {
          return problem.find(wanted.expected_problem) != std::string::npos;
        });
    if (found) return {};
    if (result.verdict == Verdict::kStuck &&
        result.waits.at(0).find(wanted.expected_problem) != std::string::npos)
      return {};
    const std::string instead = !result.problems.empty() ? result.problems[0]
                                : !result.waits.empty()  ? result.waits[0]
                                                         : to_string(result.verdict);
    return fmt::format("{}; expected '{}'", instead, wanted.expected_problem);
  }
  if (!result.problems.empty()) return result.problems[0];
  if (result.verdict == Verdict::kStuck) return "stuck: " + result.waits.at(0);
  if (wanted.relation == Relation::kAtLeast && result.steps < wanted.expected_steps) {
    return fmt::format("{} steps, expected {} or more", result.steps, wanted.expected_steps);
  }
  // Routers that follow a timetable may be ahead of it, never behind.
  const bool may_be_early = request.node == NodeChoice::kPifo && result.steps < wanted.expected_steps;
  if (wanted.relation == Relation::kExactly && result.steps != wanted.expected_steps && !may_be_early) {
    return fmt::format("{} steps, expected {}", result.steps, wanted.expected_steps);
  }
  if (!wanted.inspect) return {};
  return wanted.inspect({result.steps, result.delay_sum, result.delivered, &request.problem.graph,
                         &result.trace, result.transmissions, result.peak_queue, result.peak_transit_queue,
                         &result.queue_peaks, result.cycles, result.scan_cycles,
                         static_cast<std::uint32_t>(result.parameters.flits),
                         static_cast<std::uint32_t>(result.parameters.link_latency)});
}

std::string name_of(const OnlineCase& wanted) {
  const PartialBroadcastSettings& s = wanted.settings;
  return fmt::format(
      "{} {} --active {}{} --flits {}{}{}{}{}{}{}{}", wanted.topology, wanted.collective,
      fmt::join(wanted.active, ","),
      wanted.destinations.empty() ? ""
                                  : fmt::format(" --destinations {}", fmt::join(wanted.destinations, ",")),
      s.flits, s.header_flits != 0 ? " --header-flits 1" : "",
      s.latency != 0 ? fmt::format(" --link-latency {}", s.latency) : "", s.split ? " --split" : "",
      s.single_class ? " --single-class" : "", s.alternating ? " --alternating" : "",
      wanted.pass_on_first ? " --pass-on-first" : "", s.known_ranks ? " --known-ranks" : "");
}

ScanRequest request_of(const OnlineCase& wanted) {
  ScanRequest request(make_digit_network(wanted.topology));
  request.collective = find_scan_collective(wanted.collective)->kind;
  request.active = wanted.active;
  request.destinations = wanted.destinations;
  request.flits = static_cast<int>(wanted.settings.flits);
  request.header_flits = static_cast<int>(wanted.settings.header_flits);
  request.link_latency = static_cast<int>(wanted.settings.latency);
  request.split = wanted.settings.split;
  request.single_class = wanted.settings.single_class;
  request.alternating = wanted.settings.alternating;
  request.known_ranks = wanted.settings.known_ranks;
  request.pass_on_first = wanted.pass_on_first;
  request.keep_transfers = has_model(request.collective);
  return request;
}

Outcome run_online(const OnlineCase& wanted, VariantStore& store, NodePool& pool) {
  Outcome outcome;
  outcome.unit = Outcome::Unit::kCycles;
  outcome.name = name_of(wanted);
  outcome.printed = wanted.printed;
  outcome.expected = wanted.expected_cycles;
  try {
    ScanRequest request = request_of(wanted);
    request.pool = &pool;
    outcome.nodes = request.network.graph().node_count();
    const ScanResult result = run_scan(request, store);
    outcome.steps = result.cycles;
    outcome.seconds = result.run_seconds;
    if (!result.problems.empty()) {
      outcome.problem = result.problems[0];
    } else if (result.cycles != wanted.expected_cycles) {
      outcome.problem = fmt::format("{} cycles, expected {}", result.cycles, wanted.expected_cycles);
    } else if (request.keep_transfers) {
      outcome.problem = compare_with_model(request, result);
    }
    if (outcome.problem.empty() && wanted.inspect) {
      const auto phase = [&](ScanPhase which) {
        return result.phase_cycles[static_cast<std::size_t>(which)];
      };
      outcome.problem =
          wanted.inspect({result.cycles, result.last_delivery, phase(ScanPhase::kClassScan),
                          phase(ScanPhase::kRankScan), phase(ScanPhase::kPack), phase(ScanPhase::kBroadcast),
                          phase(ScanPhase::kCombine), phase(ScanPhase::kUnpack), result.flits_sent});
    }
  } catch (const std::exception& error) {
    outcome.problem = error.what();
  }
  return outcome;
}

Outcome run_dynamic(const DynamicCase& wanted, VariantStore& store, NodePool& pool) {
  Outcome outcome;
  outcome.name = name_of(wanted);
  outcome.printed = wanted.printed;
  outcome.unit = Outcome::Unit::kNothing;
  try {
    DynamicBroadcastRequest request = dynamic_request(wanted);
    request.pool = &pool;
    outcome.nodes = request.network.graph().node_count();
    const DynamicBroadcastResult result = run_dynamic_broadcast(request, store);
    outcome.seconds = result.run_seconds;
    outcome.problem = judge(wanted, result);
  } catch (const std::exception& error) {
    outcome.problem = error.what();
  }
  return outcome;
}

Outcome run_job(const Job& job, VariantStore& store, NodePool& pool) {
  if (job.online) return run_online(*job.online, store, pool);
  if (job.dynamic) return run_dynamic(*job.dynamic, store, pool);
  Outcome outcome;
  outcome.on_hardware = job.request.has_value();
  outcome.lockstep = job.lockstep;
  try {
    if (!job.request) {
      outcome.name = job.check.name;
      outcome.printed = job.check.printed;
      const auto begin = std::chrono::steady_clock::now();
      outcome.problem = job.check.check();
      outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      return outcome;
    }
    outcome.name = name_of(job.wanted, job.request->node, job.lockstep);
    outcome.printed = job.wanted.printed;
    outcome.expected = job.wanted.expected_steps;
    outcome.nodes = job.request->problem.graph.node_count();
    outcome.completed = job.wanted.expected_problem.empty();
    RunRequest request = *job.request;
    request.pool = &pool;
    if (job.plan)
      request.steps = job.plan->get(find_any_algorithm(request.problem, request.algorithm), request.problem);
    const RunResult result = run_collective(request, store);
    request.steps.reset();
    if (job.plan) job.plan->give_back();
    outcome.steps = result.steps;
    outcome.seconds = result.run_seconds;
    outcome.problem = judge(job.wanted, *job.request, result);
  } catch (const std::exception& error) {
    outcome.problem = error.what();
  }
  return outcome;
}

// Small enough to give every packet a label of its own, of a kind that routers can do, and without nodes that
// take a minute to build.
bool runs_on_pifo_nodes(const Problem& problem, const Algorithm& algorithm) {
  constexpr NodeId kMaxNodes = 40;
  constexpr PortId kMaxPorts = 8;
  if (problem.graph.max_degree() > kMaxPorts) return false;
  switch (problem.collective) {
    case CollectiveKind::kBroadcast:
    case CollectiveKind::kScatter:
    case CollectiveKind::kGather:
    case CollectiveKind::kTotalExchange:
      return problem.graph.node_count() <= kMaxNodes && why_no_policy(plan_of(algorithm, problem)).empty();
    default:
      return false;
  }
}

std::vector<Job> make_jobs(const std::vector<const Claim*>& chosen, bool full) {
  std::vector<Job> jobs;
  std::map<std::string, Graph> graphs;  // built once each
  for (std::size_t c = 0; c < chosen.size(); ++c) {
    if (chosen[c]->checks) {
      for (ClaimCheck& check : chosen[c]->checks(full))
        jobs.push_back({c, {}, std::nullopt, false, std::move(check)});
    }
    if (chosen[c]->online) {
      for (OnlineCase& wanted : chosen[c]->online(full)) {
        jobs.push_back({c, {}, std::nullopt, false, {}, {}, std::move(wanted), {}});
      }
    }
    if (chosen[c]->dynamic) {
      for (DynamicCase& wanted : chosen[c]->dynamic(full))
        jobs.push_back({c, {}, std::nullopt, false, {}, {}, std::nullopt, std::move(wanted)});
    }
    if (!chosen[c]->cases) continue;
    for (const ClaimCase& wanted : chosen[c]->cases(full)) {
      auto graph = graphs.find(wanted.topology);
      if (graph == graphs.end())
        graph = graphs.emplace(wanted.topology, make_topology(wanted.topology)).first;
      RunRequest request(Problem{.graph = graph->second,
                                 .collective = wanted.collective,
                                 .ports = wanted.ports,
                                 .root = wanted.root,
                                 .tree = wanted.tree,
                                 .destination = wanted.destination});
      request.problem.active = wanted.active;
      request.problem.messages = wanted.messages;
      request.algorithm = wanted.algorithm;
      request.queue_depth = wanted.queue_depth;
      request.keep_trace = static_cast<bool>(wanted.inspect);
      request.exact_buffers = false;
      const Algorithm& algorithm = find_any_algorithm(request.problem, wanted.algorithm);
      const auto plan = algorithm.policy ? nullptr : std::make_shared<SharedPlan>();
      const auto add = [&](NodeChoice node) {
        request.node = node;
        for (const bool lockstep : {false, true}) {
          request.flits = lockstep ? kLockstepFlits : 1;
          request.link_latency = lockstep ? kLockstepLatency : 0;
          if (plan) plan->add_user();
          jobs.push_back({c, wanted, request, lockstep, {}, plan});
          if (lockstep && wanted.expected_in_lockstep)
            jobs.back().wanted.expected_steps = *wanted.expected_in_lockstep;
        }
      };
      add(NodeChoice::kAutomatic);
      // A timetable that routers can follow runs on them as well.
      if (plan && wanted.expected_problem.empty() && wanted.ports == PortModel::kAllPort &&
          runs_on_pifo_nodes(request.problem, algorithm))
        add(NodeChoice::kPifo);
    }
  }
  return jobs;
}

std::string steps_range(const Row& row) {
  std::uint64_t low = UINT64_MAX, high = 0, measured_low = UINT64_MAX, measured_high = 0;
  for (const Outcome& o : row.outcomes) {
    if (!o.on_hardware || !o.completed || o.unit == Outcome::Unit::kNothing) continue;
    low = std::min(low, o.expected);
    high = std::max(high, o.expected);
    measured_low = std::min(measured_low, o.steps);
    measured_high = std::max(measured_high, o.steps);
  }
  if (low == UINT64_MAX) return "-";
  const bool cycles = std::any_of(row.outcomes.begin(), row.outcomes.end(),
                                  [](const Outcome& o) { return o.unit == Outcome::Unit::kCycles; });
  return fmt::format("{}..{} / {}..{}{}", measured_low, measured_high, low, high, cycles ? " cycles" : "");
}

std::string outcome_in_words(const Outcome& o) {
  if (!o.on_hardware || o.unit == Outcome::Unit::kNothing) return "";
  return o.completed ? fmt::format(": {} {}", o.steps, o.unit == Outcome::Unit::kCycles ? "cycles" : "steps")
                     : ": goes wrong";
}

void print_table(const std::vector<Row>& rows) {
  std::size_t id = 5, section = 7, range = 24;
  for (const Row& row : rows) {
    id = std::max(id, row.claim->id.size());
    section = std::max(section, row.claim->section.size());
    range = std::max(range, steps_range(row).size());
  }
  fmt::print("{:<{}}  {:<{}}  {:>5} {:>6}  {:<{}}  {:<9}  statement [sizes]\n", "claim", id, "section",
             section, "runs", "checks", "steps measured/expected", range, "verdict");
  for (const Row& row : rows) {
    fmt::print("{:<{}}  {:<{}}  {:>5} {:>6}  {:<{}}  {:<9}  {} [{}]\n", row.claim->id, id, row.claim->section,
               section, row.runs(), row.outcomes.size() - row.runs(), steps_range(row), range, row.verdict(),
               row.claim->statement, row.claim->sizes);
    if (const Outcome* o = row.counterexample()) {
      fmt::print("  counterexample: {}{}; printed: {}\n", o->name, outcome_in_words(*o), o->printed);
    } else if (row.claim->finding != Finding::kHolds) {
      fmt::print("  failed: nothing contradicts the printed statement\n");
    }
    std::size_t shown = 0;
    for (const Outcome& o : row.outcomes) {
      if (!o.problem.empty() && shown++ < 3) fmt::print("  failed: {}: {}\n", o.name, o.problem);
    }
  }
}

void write_json(const std::string& path, const std::vector<Row>& rows) {
  auto all = nlohmann::ordered_json::array();
  for (const Row& row : rows) {
    nlohmann::ordered_json json;
    json["claim"] = row.claim->id;
    json["section"] = row.claim->section;
    json["statement"] = row.claim->statement;
    json["holds_as_printed"] = row.claim->finding == Finding::kHolds;
    json["sizes"] = row.claim->sizes;
    json["verdict"] = row.verdict();
    auto runs = nlohmann::ordered_json::array();
    for (const Outcome& o : row.outcomes) {
      if (!o.on_hardware) {
        runs.push_back({{"check", o.name}, {"printed", o.printed}, {"problem", o.problem}});
        continue;
      }
      runs.push_back({{"run", o.name},
                      {"nodes", o.nodes},
                      {o.unit == Outcome::Unit::kCycles ? "cycles" : "steps", o.steps},
                      {"expected", o.expected},
                      {"goes_wrong_as_expected", !o.completed},
                      {"printed", o.printed},
                      {"problem", o.problem}});
    }
    json["runs"] = std::move(runs);
    if (const Outcome* o = row.counterexample()) {
      json["counterexample"] = {{"case", o->name + outcome_in_words(*o)}, {"printed", o->printed}};
    }
    all.push_back(std::move(json));
  }
  std::ofstream out(path);
  out << all.dump(1) << '\n';
  if (!out.flush()) throw std::runtime_error("cannot write " + path);
}

void write_junit(const std::string& path, const std::vector<Row>& rows) {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (const Row& row : rows) {
    const auto failures = std::count_if(row.outcomes.begin(), row.outcomes.end(),
                                        [](const Outcome& o) { return !o.problem.empty(); });
    text += fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" time=\"{:.3f}\">\n",
                        markup_escaped(row.claim->id), row.outcomes.size() + 1,
                        failures + (row.holds() ? 0 : 1), row.seconds());
    // The claim as a whole: also that something contradicts it where it does not hold as printed.
    text +=
        fmt::format("    <testcase classname=\"{0}\" name=\"{0}: {1}\" time=\"0\"{2}\n",
                    markup_escaped(row.claim->id), to_string(row.claim->finding),
                    row.holds() ? "/>" : "><failure message=\"the claim did not come out so\"/></testcase>");
    for (const Outcome& o : row.outcomes) {
      text += fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"",
                          markup_escaped(row.claim->id), markup_escaped(o.name), o.seconds);
      text += o.problem.empty()
                  ? "/>\n"
                  : fmt::format("><failure message=\"{}\"/></testcase>\n", markup_escaped(o.problem));
    }
    text += "  </testsuite>\n";
  }
  text += "</testsuites>\n";
  std::ofstream out(path);
  out << text;
  if (!out.flush()) throw std::runtime_error("cannot write " + path);
}

}  // namespace

int verify_command(const VerifyOptions& options, VariantStore& store) {
  std::vector<const Claim*> chosen;
  for (const Claim& claim : claims()) {
    if (::fnmatch(options.claim.c_str(), claim.id.c_str(), 0) == 0) chosen.push_back(&claim);
  }
  if (chosen.empty()) {
    throw std::invalid_argument(
        fmt::format("--claim {}: no claim matches; see safnet list claims", options.claim));
  }
  const std::vector<Job> jobs = make_jobs(chosen, options.full);

  std::vector<Hardware> wanted;
  for (const Job& job : jobs) {
    // What a timetable needs is known once it is planned: its hardware is built when it is run.
    if (job.request && !job.plan) wanted.push_back(plan_run(*job.request).hardware);
    if (job.online) wanted.push_back(scan_hardware(scan_parameters(request_of(*job.online))));
    if (job.dynamic) wanted.push_back(scan_hardware(scan_parameters(scan_request(dynamic_request(*job.dynamic)))));
  }
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  build_with_progress(store, wanted);

  ProgressLine line;
  const auto begin = std::chrono::steady_clock::now();
  std::vector<Outcome> outcomes(jobs.size());
  std::atomic<std::size_t> next{0}, done{0};
  std::mutex mutex;
  const unsigned threads_wanted = std::max(1U, std::thread::hardware_concurrency());
  const auto worker = [&] {
    NodePool pool(kPooledBytes / threads_wanted);
    for (std::size_t i = next++; i < jobs.size(); i = next++) {
      outcomes[i] = run_job(jobs[i], store, pool);
      const std::size_t finished = ++done;
      const std::lock_guard guard(mutex);
      line.show(fmt::format("{} of {} runs: {}", finished, jobs.size(), outcomes[i].name));
    }
  };
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < threads_wanted; ++t) threads.emplace_back(worker);
  for (std::thread& thread : threads) thread.join();
  line.clear();

  std::vector<Row> rows;
  for (const Claim* claim : chosen) rows.push_back({claim, {}});
  for (std::size_t i = 0; i < jobs.size(); ++i) rows[jobs[i].claim].outcomes.push_back(outcomes[i]);
  print_table(rows);
  if (!options.json_path.empty()) write_json(options.json_path, rows);
  if (!options.junit_path.empty()) write_junit(options.junit_path, rows);

  std::map<std::string, std::size_t> verdicts;
  std::size_t runs = 0;
  for (const Row& row : rows) {
    ++verdicts[row.verdict()];
    runs += row.runs();
  }
  std::vector<std::string> summary;
  for (const auto& [verdict, count] : verdicts) summary.push_back(fmt::format("{} {}", count, verdict));
  const auto lockstep =
      std::count_if(outcomes.begin(), outcomes.end(), [](const Outcome& o) { return o.lockstep; });
  fmt::print(
      "{} claims: {}; {} runs and {} checks in {:.1f} s ({} runs in lockstep, {} flits, latency {}: cycles = "
      "steps x {})\n",
      rows.size(), fmt::join(summary, ", "), runs, outcomes.size() - runs,
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), lockstep,
      kLockstepFlits, kLockstepLatency, kLockstepFlits + kLockstepLatency);
  return verdicts.count("FAILED") == 0 ? 0 : 1;
}

}  // namespace safnet
