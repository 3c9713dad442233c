// What is said of a run: the judges are given accounts and transfers of which one thing is wrong.
#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "sim/run/scan_check.hpp"
#include "sim/run/verdict.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

namespace {

using Lines = std::vector<std::string>;

Account account_of(std::uint32_t steps, std::uint32_t cycles) {
  Account account;
  account.steps = steps;
  account.cycles = cycles;
  return account;
}

// Verdict of so many steps and cycles, where 3 steps are the bound and 5 the closed form, of 4 cycles each.
std::pair<Verdict, Lines> judged(std::uint32_t steps, std::uint32_t cycles, bool binds = true,
                                 std::uint32_t scan_cycles = 0) {
  Promise promise;
  promise.bound.steps = 3;
  promise.closed_form = 5;
  promise.closed_form_binds = binds;
  promise.step_cycles = 4;
  Account account = account_of(steps, cycles);
  const Verdict verdict = judge(promise, account, scan_cycles);
  return {verdict, account.problems};
}

}  // namespace

TEST_CASE("a verdict is what steps, bound, closed form and cycles say", "[verdict]") {
  CHECK(judged(3, 12) == std::pair(Verdict::kOptimal, Lines{}));
  CHECK(judged(4, 16) == std::pair(Verdict::kWithinBound, Lines{}));
  CHECK(judged(5, 20) == std::pair(Verdict::kAsPublished, Lines{}));
  CHECK(judged(6, 24, false) == std::pair(Verdict::kWorse, Lines{}));
  CHECK(judged(6, 24) == std::pair(Verdict::kWorse, Lines{"6 steps are more than the closed form, 5"}));
  CHECK(judged(2, 8) == std::pair(Verdict::kFailed, Lines{"2 steps are fewer than the lower bound of 3"}));
  CHECK(judged(3, 13) == std::pair(Verdict::kFailed, Lines{"13 cycles are not 3 steps of 4 cycles"}));
  CHECK(judged(3, 19, true, 7) == std::pair(Verdict::kOptimal, Lines{}));
  CHECK(judged(3, 18, true, 7) ==
        std::pair(Verdict::kFailed, Lines{"18 cycles are not 3 steps of 4 cycles after 7 of scan"}));
  Promise promise;
  promise.bound.steps = 3;
  Account stuck = account_of(0, 0);
  stuck.stuck = true;
  CHECK(judge(promise, stuck) == Verdict::kStuck);
  Account above = account_of(4, 9);
  CHECK(judge(promise, above) == Verdict::kWithinBound);  // no closed form, and cycles that are no steps
}

TEST_CASE("flits of scan_nodes that are not those of the model are named", "[verdict][scan_check]") {
  ScanRequest request(make_digit_network("mesh:3x3"), {.flits = 8});
  request.collective = CollectiveKind::kPartialMultinodeBroadcast;
  request.active = {0, 2, 3, 8};
  request.keep_transfers = true;
  const ScanResult sound = run_scan(request, VariantStore::standard());
  const auto problems = [&](const std::function<void(ScanResult&)>& change) {
    ScanResult result = sound;
    change(result);
    judge_scan(request, result);
    return result.problems;
  };
  REQUIRE(problems([](ScanResult&) {}) == Lines{});
  const auto one = [&](const std::function<void(ScanResult&)>& change) {
    const Lines found = problems(change);
    return found.size() == 1 ? found[0] : std::to_string(found.size()) + " problems";
  };
  CHECK(one([](ScanResult& r) { ++r.cycles; }) ==
        std::to_string(sound.cycles + 1) + " cycles, the closed form has " + std::to_string(sound.cycles));
  REQUIRE(!sound.transfers.empty());
  const auto last = [](ScanResult& r) -> ScanTransfer& {
    return *std::ranges::max_element(r.transfers, {}, &ScanTransfer::cycle);
  };
  CHECK_THAT(
      one([&](ScanResult& r) { r.transfers.erase(r.transfers.begin() + (&last(r) - r.transfers.data())); }),
      Catch::Contains("no flit from node ") && Catch::Contains(", the model sends one"));
  CHECK_THAT(one([&](ScanResult& r) {
               ScanTransfer again = last(r);
               ++again.cycle;
               r.transfers.push_back(again);
             }),
             Catch::Contains("a flit from node ") && Catch::Contains(", the model sends none"));
  CHECK_THAT(one([&](ScanResult& r) { ++r.transfers.front().cycle; }), Catch::Contains("the model sends"));
}
