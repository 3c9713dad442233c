#include "cpp_model/claim/mesh/partial_broadcast_runs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "cpp_model/claim/mesh/partial_broadcast_checks.hpp"

namespace safnet {
namespace {

OnlineInspection phases_are(const StatedInterval& stated, bool backwards) {
  const std::array wanted{stated.class_scan, stated.rank_scan, stated.packing, stated.broadcast};
  return [=](const OnlineOutcome& o) {
    const std::array found{o.class_scan, o.rank_scan, backwards ? o.unpacking : o.packing,
                           backwards ? o.combining : o.broadcast};
    return unless(found == wanted, "phases of {} cycles, {} are stated", fmt::join(found, ", "),
                  fmt::join(wanted, ", "));
  };
}

}  // namespace

PartialBroadcastSettings with_known_ranks(PartialBroadcastSettings settings) {
  settings.known_ranks = true;
  return settings;
}

DigitShape digit_shape(const std::string& topology) { return make_digit_network(topology).shape(); }

OnlineCase online_run(const std::string& topology, const std::vector<NodeId>& active,
                      const PartialBroadcastSettings& settings, const char* collective) {
  const StatedInterval stated = stated_interval(digit_shape(topology), settings, active.size());
  return {.topology = topology,
          .collective = collective,
          .active = active,
          .settings = settings,
          .expected_cycles = stated.total(),
          .inspect = phases_are(stated, collective == kPartialAccumulation)};
}

OnlineCase inspected(OnlineCase run, OnlineInspection more) {
  run.inspect = [first = std::move(run.inspect), more = std::move(more)](const OnlineOutcome& outcome) {
    const std::string wrong = first ? first(outcome) : "";
    return wrong.empty() ? more(outcome) : wrong;
  };
  return run;
}

OnlineCase printed(OnlineCase run, Printed<OnlineOutcome> statement) {
  run.printed = std::move(statement);
  return run;
}

OnlineInspection cycles_within(const Rational& most) {
  return [most](const OnlineOutcome& outcome) {
    return unless(Rational(outcome.cycles) <= most, "{} cycles, the bound is {}", outcome.cycles, most.str());
  };
}

std::vector<std::vector<NodeId>> sets_to_run(const DigitShape& shape, bool full) {
  std::vector<std::vector<NodeId>> sets = sets_of_active_nodes(static_cast<NodeId>(shape.nodes()), full);
  constexpr std::size_t kQuick = 8;
  if (full || sets.size() <= kQuick) return sets;
  std::vector<std::vector<NodeId>> few{sets[0], sets[1]};
  for (std::size_t i = few.size(); i < kQuick; ++i) few.push_back(sets[i * (sets.size() - 1) / (kQuick - 1)]);
  return few;
}

OnlineCases online_runs(const std::vector<std::string>& topologies, const PartialBroadcastSettings& settings,
                        bool full, const InspectionOf& inspect, const char* collective) {
  OnlineCases cases;
  for (const std::string& topology : topologies) {
    const DigitShape shape = digit_shape(topology);
    for (const std::vector<NodeId>& active : sets_to_run(shape, full)) {
      cases.push_back(online_run(topology, active, settings, collective));
      if (!inspect) continue;
      if (auto more = inspect(shape, active))
        cases.back() = inspected(std::move(cases.back()), std::move(more));
    }
  }
  return cases;
}

std::vector<std::string> arrays_to_run(bool full) {
  return listed(full ? "linear:5 mesh:3x3 mesh:4x4 mesh:5x5 mesh:3x3x3 hypercube:3 hypercube:4"
                     : "mesh:3x3 mesh:4x4 mesh:3x3x3 hypercube:3");
}
std::vector<std::string> tori_to_run(bool full) {
  return listed(full ? "ring:5 torus:3x3 torus:4x4 torus:5x5 torus:3x3x3 torus:4x4x4"
                     : "torus:3x3 torus:4x4 torus:3x3x3");
}
std::vector<std::string> folded_cubes_to_run(bool full) {
  return listed(full ? "folded-cube:2 folded-cube:3 folded-cube:4 folded-cube:5 folded-cube:6"
                     : "folded-cube:3 folded-cube:4");
}

}  // namespace safnet
