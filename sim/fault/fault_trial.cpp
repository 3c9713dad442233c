#include "sim/fault/fault_trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <stdexcept>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/number/bits.hpp"
#include "sim/fault/fault_tap.hpp"
#include "sim/fault/printed_output.hpp"
#include "sim/machine/machine_tap.hpp"

namespace safnet {
namespace {

// Of several notices of a check the first; of those of one cycle the one that names most.
void add(std::vector<Notice>& notices, Notice notice) {
  const auto same = std::ranges::find(notices, notice.check, &Notice::check);
  if (same == notices.end()) {
    notices.push_back(std::move(notice));
    return;
  }
  const Named named = std::max(same->named, notice.named);
  if (notice.cycle < same->cycle || (notice.cycle == same->cycle && notice.named > same->named))
    *same = std::move(notice);
  same->named = named;
}

std::string verdict_words(const JudgedRun& run, const SoundRun& sound) {
  return fmt::format("verdict {}, which is {} without the fault", run.verdict, sound.verdict);
}

bool is_late(const JudgedRun& run, const SoundRun& sound) { return run.account.cycles > sound.cycles; }

// Adds up what hosts get: the same flits at the same nodes have the same sum, in whatever order they come.
class HostFlits final : public MachineTap {
 public:
  void on_reset() override { sum_ = 0; }
  void on_load(std::uint32_t, const NodeProgram&) override {}
  void on_offer(std::uint32_t, const HostPacket&) override {}
  void on_delivered_flit(const FlitEvent& flit) override {
    sum_ += mixed_bits(mixed_bits(flit.value()) ^ (std::uint64_t{flit.node} << 1 | (flit.last ? 1 : 0)));
  }
  std::uint64_t sum() const { return sum_; }

 private:
  std::uint64_t sum_ = 0;
};

JudgedRun run_and_add_up(const FaultSubject& subject, HardwareOptions options) {
  HostFlits flits;
  options.machine_tap = &flits;
  JudgedRun run = subject.run(options);
  run.host_flits = flits.sum();
  return run;
}

// The lines of a run that ended, as notices.
void notice_account(const JudgedRun& run, const Fault& fault, const Graph& graph, std::uint32_t end,
                    std::vector<Notice>& notices) {
  const Account& account = run.account;
  for (const std::string& line : account.problems) add(notices, notice_in(line, fault, graph, end));
  if (!account.stuck) return;
  Notice stuck{Check::kStuck, end, Named::kNothing, account.waits.empty() ? "stuck" : account.waits.front()};
  for (const std::string& line : account.waits) {
    // What follows is of the packet behind the link, and names a port of another node.
    const Named named = named_in(line.substr(0, line.find(", where ")), fault, graph);
    if (named <= stuck.named) continue;
    stuck.named = named;
    stuck.text = line;
  }
  add(notices, stuck);
}

}  // namespace

std::string_view to_string(FaultOutcome outcome) {
  switch (outcome) {
    case FaultOutcome::kNotStruck:
      return "not struck";
    case FaultOutcome::kHarmless:
      return "harmless";
    case FaultOutcome::kLate:
      return "late";
    case FaultOutcome::kNoticed:
      return "noticed";
    case FaultOutcome::kSilent:
      return "SILENT";
  }
  return "";
}

std::uint32_t FaultTrial::cycles_until_notice() const {
  const std::uint32_t noticed = notices.front().cycle;
  return noticed - std::min(struck.value_or(noticed), noticed);
}

Named FaultTrial::named() const {
  Named best = Named::kNothing;
  for (const Notice& notice : notices) best = std::max(best, notice.named);
  return best;
}

SoundRun run_without_fault(const FaultSubject& subject, HardwareOptions options) {
  FaultTap tap(subject.graph, {}, subject.fields, 0, ~std::uint64_t{0});
  options.tap = &tap;
  const JudgedRun run = run_and_add_up(subject, options);
  const Account& account = run.account;
  if (account.stuck || !account.problems.empty()) {
    throw bad_input("{}: the run fails without a fault: {}; expected one that holds",
                    one_line(subject.graph.spelling()),
                    one_line(account.stuck ? "stuck" : account.problems.front()));
  }
  return {account.steps,     account.cycles, run.scan_cycles, account.transmissions,
          account.delivered, run.host_flits, run.verdict,     tap.cycles()};
}

FaultOutcome outcome_of(const JudgedRun& run, bool struck, bool noticed, const SoundRun& sound) {
  if (noticed) return FaultOutcome::kNoticed;
  if (!struck) return FaultOutcome::kNotStruck;
  const Account& account = run.account;
  const bool all_right = !account.stuck && account.problems.empty() && account.lost == 0 &&
                         account.duplicated == 0 && account.delivered == sound.delivered &&
                         account.transmissions == sound.transmissions && run.host_flits == sound.host_flits;
  if (!all_right) return FaultOutcome::kSilent;
  return is_late(run, sound) ? FaultOutcome::kLate : FaultOutcome::kHarmless;
}

FaultTrial run_with_fault(const FaultSubject& subject, const Fault& fault, const SoundRun& sound,
                          const TrialSettings& settings, HardwareOptions options) {
  constexpr std::uint64_t kPatience = 20'000;  // cycles; more than that of any run
  FaultTap tap(subject.graph, fault, subject.fields, settings.delay, 16 * sound.fabric_cycles + kPatience);
  options.tap = &tap;
  FaultTrial trial{.fault = fault};
  JudgedRun run;
  const auto at_end = [&](Check check, const std::string& text) {
    add(trial.notices, {check, tap.now().cycle, named_in(text, fault, subject.graph), text});
  };
  PrintedOutput printed;
  try {
    run = run_and_add_up(subject, options);
    notice_account(run, fault, subject.graph, tap.now().cycle, trial.notices);
  } catch (const EndlessRun& endless) {
    at_end(Check::kEndless, endless.what());
  } catch (const std::runtime_error& error) {
    const std::vector<std::string> failed =
        failed_assertions(printed.text(), subject.graph, tap.clocked_node() == Wire::kNowhere);
    for (const std::string& assertion : failed) at_end(Check::kAssertion, assertion);
    if (failed.empty()) at_end(Check::kOther, error.what());
  } catch (const std::exception& error) {
    at_end(Check::kOther, error.what());  // the program was not ready for what came
  }
  trial.struck = tap.struck();
  std::erase_if(trial.notices, [&](const Notice& notice) { return settings.without.contains(notice.check); });
  // That nothing moves, or too much, is what ended the run; the account was taken after that. A network whose
  // scan went wrong is not started, and stuck for that.
  std::ranges::stable_sort(trial.notices, {}, [](const Notice& notice) {
    const bool ended = notice.check == Check::kStuck || notice.check == Check::kEndless;
    return std::pair(notice.cycle, notice.check == Check::kScan ? 0 : ended ? 1 : 2);
  });
  trial.outcome = outcome_of(run, trial.struck.has_value(), !trial.notices.empty(), sound);
  if (trial.outcome == FaultOutcome::kLate && run.verdict != sound.verdict &&
      !settings.without.contains(Check::kVerdict))
    trial.notices.push_back(
        {Check::kVerdict, run.account.cycles, Named::kNothing, verdict_words(run, sound)});
  trial.steps = run.account.steps;
  trial.cycles = run.account.cycles;
  return trial;
}

}  // namespace safnet
