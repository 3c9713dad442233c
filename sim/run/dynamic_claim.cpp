#include "sim/run/dynamic_claim.hpp"

#include <fmt/format.h>

#include "sim/run/scan_check.hpp"

namespace safnet {

DynamicBroadcastRequest dynamic_request(const DynamicCase& wanted) {
  DynamicBroadcastRequest request(make_digit_network(wanted.topology));
  apply(wanted.settings, request);
  request.rate = wanted.rate * request.flits;
  request.packets = wanted.packets;
  request.seed = wanted.seed;
  check_dynamic_broadcast(request);
  return request;
}

std::string name_of(const DynamicCase& wanted) {
  const PartialBroadcastSettings& s = wanted.settings;
  return fmt::format("dynamic-broadcast {} --flits {}{}{}{} --rate {:.6f} --packets {} --seed {}",
                     wanted.topology, s.flits, s.split ? " --split" : "",
                     s.header_flits != 0 ? " --header-flits 1" : "",
                     s.latency != 0 ? fmt::format(" --link-latency {}", s.latency) : "",
                     Rational(wanted.rate * s.flits).convert_to<double>(), wanted.packets, wanted.seed);
}

std::string judge(const DynamicCase& wanted, const DynamicBroadcastResult& result) {
  if (!result.problems.empty()) return result.problems[0];
  DynamicOutcome outcome;
  outcome.packets = result.broadcast;
  outcome.mean_delay = Rational(result.delay.sum, result.delay.count) / (std::uint64_t{1} << kTickBits);
  outcome.final_backlog = result.final_backlog;
  outcome.intervals = result.intervals;
  outcome.counted_in_time = result.counted_in_time;
  for (const auto& [active, count] : result.by_active) outcome.cycles_of[active] = count.cycles;
  return wanted.inspect(outcome);
}

}  // namespace safnet
