// verify - `safnet verify`: every claim of the ledger over its sizes, on the hardware.
#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "cpp_model/claim/claim_sizes.hpp"
#include "cpp_model/system/output_file.hpp"
#include "sim/command/claim_jobs.hpp"
#include "sim/command/commands.hpp"
#include "sim/command/invocation.hpp"
#include "sim/command/options.hpp"
#include "sim/command/parallel_runs.hpp"
#include "sim/machine/limits.hpp"
#include "sim/machine/system.hpp"
#include "sim/page/table_page.hpp"
#include "sim/report/claim_report.hpp"

namespace safnet {
namespace {

struct VerifyOptions {
  std::string claim = "*", json, junit, markdown, report;
  bool full = false;
};

std::vector<ClaimRow> rows_for(const std::string& pattern, bool full) {
  std::vector<ClaimRow> rows;
  for (const Claim& claim : claims()) {
    if (::fnmatch(pattern.c_str(), claim.id.c_str(), 0) == 0) rows.push_back({&claim, sizes_of(claim, full)});
  }
  if (rows.empty()) throw bad_input("--claim {}: no claim matches; see safnet list claims", pattern);
  return rows;
}

// Runs everything that the claims ask for, at all sizes if `full`, else at the quick ones. Prints each claim
// as soon as it and all before it are decided. Returns how many sets of hardware were built.
std::size_t run_all(std::vector<ClaimRow>& rows, bool full) {
  std::vector<const Claim*> chosen;
  for (const ClaimRow& row : rows) chosen.push_back(row.claim);
  std::vector<ClaimJob> jobs = claim_jobs(chosen, full);
  std::vector<std::optional<Hardware>> hardware(jobs.size());
  run_in_parallel(jobs.size(), all_threads(), [&](std::size_t i, NodePool&) {
    hardware[i] = plan_hardware(jobs[i]);
    return std::string("planned");
  });
  const ClaimLines lines(rows);
  fmt::print("{}", lines.heading());
  flush_output();
  std::size_t printed = 0;
  const auto print_until = [&](std::size_t end) {
    for (; printed < end; ++printed) fmt::print("{}", lines.of(rows[printed]));
    flush_output();
  };
  std::vector<ClaimOutcome> outcomes(jobs.size());
  const std::size_t built = run_while_building(
      hardware, all_threads(),
      [&](std::size_t i, NodePool& pool) {
        outcomes[i] = run_claim_job(jobs[i], pool);
        return outcomes[i].name;
      },
      [&](std::size_t i) {
        print_until(jobs[i].claim);
        rows[jobs[i].claim].outcomes.push_back(std::move(outcomes[i]));
      });
  print_until(rows.size());
  return built;
}

std::string summary(const std::vector<ClaimRow>& rows, double seconds) {
  std::map<std::string, std::size_t> verdicts;
  ByDecider claims_by, outcomes_by;
  std::size_t outcomes = 0, lockstep = 0, with_empty_hosts = 0;
  for (const ClaimRow& row : rows) {
    ++verdicts[row.verdict()];
    ++claims_by[row.decided_by()];
    for (const auto& [decider, number] : row.decided()) outcomes_by[decider] += number;
    outcomes += row.outcomes.size();
    for (const ClaimOutcome& outcome : row.outcomes) with_empty_hosts += outcome.with_empty_hosts ? 1 : 0;
    lockstep += static_cast<std::size_t>(std::ranges::count(row.outcomes, true, &ClaimOutcome::lockstep));
  }
  const std::size_t checks = outcomes_by[Decider::kComputation];
  std::vector<std::string> verdicts_in_words;
  for (const auto& [verdict, number] : verdicts)
    verdicts_in_words.push_back(fmt::format("{} {}", number, verdict));
  return fmt::format(
      "{} claims: {}\n"
      "decided by, at the strongest: {}\n"
      "{} runs and {} checks in {:.1f} s: {} ({} runs in lockstep, {} flits, latency {}: cycles = steps x "
      "{})\n"
      "{} of the runs made again with hosts that start with empty queues\n",
      rows.size(), fmt::join(verdicts_in_words, ", "), to_words(claims_by), outcomes - checks, checks,
      seconds, to_words(outcomes_by), lockstep, kLockstepFlits, kLockstepLatency,
      kLockstepFlits + kLockstepLatency, with_empty_hosts);
}

int verify(const VerifyOptions& options) {
  require_writable_folder("--json", options.json);
  require_writable_folder("--junit", options.junit);
  require_writable_folder("--markdown", options.markdown);
  std::optional<PageFolder> folder;
  if (!options.report.empty()) folder.emplace("--report", options.report);
  std::vector<ClaimRow> rows = rows_for(options.claim, options.full);
  const Stopwatch begin;
  const std::size_t built = run_all(rows, options.full);
  if (!options.json.empty()) write_whole_file(options.json, claims_json(rows).dump(1) + "\n");
  if (!options.junit.empty()) write_whole_file(options.junit, claims_junit(rows));
  if (!options.markdown.empty()) write_whole_file(options.markdown, claims_page(rows));
  if (built != 0) fmt::print("built {} hardware variants meanwhile\n", built);
  fmt::print("{}", summary(rows, begin.seconds()));
  if (!options.report.empty()) {
    write_whole_file(options.report + "/ledger.html", ledger_page(rows, invocation()));
    fmt::print("pages: {}\n", write_page_index(options.report));
  }
  return std::ranges::all_of(rows, &ClaimRow::holds) ? 0 : 1;
}

}  // namespace

Action declare_verify(CLI::App& command) {
  command.description("run the claims of the papers on the hardware, and compute what is not about hardware");
  auto options = std::make_shared<VerifyOptions>();
  command.add_option("--claim", options->claim, "only claims whose id matches, such as thesis.T*");
  command.add_flag("--full", options->full, "all sizes, not only the quick ones");
  command.add_option("--json", options->json, "also write the table to a JSON file");
  command.add_option("--junit", options->junit, "also write it as JUnit XML");
  command.add_option("--markdown", options->markdown,
                     "also write a page on what was found of each paper, for readers who do not know it");
  command.add_option("--report", options->report,
                     "also write it as a page that can be filtered, into this folder");
  return [options] { return verify(*options); };
}

}  // namespace safnet
