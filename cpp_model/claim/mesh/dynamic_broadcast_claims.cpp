// Dynamic broadcasting (Varvarigos and Bertsekas 1994, section 5; folded cubes, Corollary 1): partial
// broadcasts one after the other, on nodes that find out by themselves who has a packet.
#include <fmt/format.h>

#include <stdexcept>

#include "cpp_model/claim/chapter.hpp"
#include "cpp_model/claim/ledger.hpp"
#include "cpp_model/claim/mesh/stated_intervals.hpp"
#include "cpp_model/graph/family/digit_network.hpp"

namespace safnet {
namespace {

struct Network {
  std::string topology;
  bool split = false;
};

constexpr std::uint32_t kFlits = 4;  // of a packet: a prefix packet, of one, takes a quarter of a slot

PartialBroadcastSettings settings_of(const Network& network) {
  return {.flits = kFlits, .split = network.split};
}
DigitShape shape_of(const Network& network) { return make_digit_network(network.topology).shape(); }

// The times of a network in cycles: lengths of intervals, and X and V, as they are stated.
struct Times {
  explicit Times(const Network& network)
      : shape(shape_of(network)), settings(settings_of(network)), linear(stated_line(shape, settings)) {}
  std::uint64_t interval(std::uint64_t active) const {
    return stated_interval(shape, settings, active).total();
  }
  // Packets per node and cycle below which rho + lambda V < 1: (14), and (5) of folded cubes.
  Rational stable() const { return 1 / linear.at(shape.nodes()); }
  // Above a packet per node and interval of N packets, all nodes always have packets.
  Rational exactly() const { return Rational(1, interval(shape.nodes())); }
  // The rate at which rho, the utilisation, is this.
  Rational rate_of(const Rational& rho) const { return rho / (linear.x * shape.nodes()); }
  DigitShape shape;
  PartialBroadcastSettings settings;
  StatedLine linear;
};

DynamicCase case_of(const Network& network, const Rational& rate, std::uint64_t packets, std::uint64_t seed) {
  return {.topology = network.topology,
          .settings = settings_of(network),
          .rate = rate,
          .packets = packets,
          .seed = seed};
}

std::string in_words(const Rational& value) { return fmt::format("{:.2f}", value.convert_to<double>()); }

// ---- Mean delays.

// How long a run is, at which part of the largest rate that a bound holds for.
struct Load {
  std::uint32_t percent;
  std::uint64_t packets, seed;
};
// Many nodes take long to simulate, and so do packets at light load, which arrive slowly.
std::vector<Load> loads(bool large, bool full) {
  const std::vector<Load> quick{{20, 300, 1}, {60, 300, 1}, {95, 300, 1}};
  const std::uint64_t packets = large ? 1000 : 3000;
  std::vector<Load> more;
  for (std::uint64_t seed = 1; seed <= (large ? 1U : 2U); ++seed) {
    more.push_back({1, 100, seed});
    for (const std::uint32_t percent : {20U, 60U, 95U, 99U}) more.push_back({percent, packets, seed});
  }
  return with_more(full, quick, more);
}

// The mean delay is at most what `bound` says, in cycles.
DynamicCases delay_cases(const std::vector<Network>& networks, bool full,
                         const std::function<Rational(const Times&, const Rational& rate)>& bound) {
  DynamicCases cases;
  for (const Network& network : networks) {
    const Times times(network);
    for (const Load& load : loads(times.shape.nodes() > 32, full)) {
      const Rational rate = times.stable() * load.percent / 100;
      cases.emplace_back(case_of(network, rate, load.packets, load.seed)).inspect =
          [most = bound(times, rate)](const DynamicOutcome& outcome) {
            return unless(outcome.mean_delay <= most, "mean delay {} cycles, expected at most {}",
                          in_words(outcome.mean_delay), in_words(most));
          };
    }
  }
  return cases;
}

DynamicCases mean_delay_dynamic_runs(bool full) {
  const auto networks = with_more<Network>(
      full, {{"mesh:4x4", true}, {"mesh:4x4", false}, {"torus:3x3", true}, {"linear:2", true}},
      {{"torus:4x4", true}, {"torus:4x4", false}, {"mesh:5x5"}, {"mesh:8x8", true}, {"torus:4x4x4", true}});
  return delay_cases(networks, full, [](const Times& times, const Rational& rate) {
    return stated_mean_delay(times.shape.nodes(), times.linear, rate);
  });
}

std::vector<Network> folded_cubes(bool full) {
  return with_more<Network>(full, {{"folded-cube:3"}, {"folded-cube:4"}}, {{"folded-cube:6"}});
}

DynamicCases folded_mean_delay_dynamic_runs(bool full) {
  return delay_cases(folded_cubes(full), full, [](const Times& times, const Rational& rate) {
    return Rational(stated_folded_mean_delay(times.shape.digits, Rational(1, kFlits), rate * kFlits) *
                    kFlits);
  });
}

// ---- Stability.

// Few packets are left behind when the last one arrives, or many.
std::function<std::string(const DynamicOutcome&)> few_left_of(std::uint64_t packets) {
  return [packets](const DynamicOutcome& outcome) {
    return unless(outcome.final_backlog * 20 <= packets, "{} of {} packets left behind, expected few",
                  outcome.final_backlog, packets);
  };
}
std::function<std::string(const DynamicOutcome&)> many_left_of(std::uint64_t packets) {
  return [packets](const DynamicOutcome& outcome) {
    return unless(outcome.final_backlog * 10 >= packets, "{} of {} packets left behind, expected many",
                  outcome.final_backlog, packets);
  };
}

// Packets of the runs that tell a load below the limit from one above. At nine tenths of the limit a node is
// at most an M/D/1 queue of that load, which holds 0.9 + 0.81 / 0.2 = 4.95 packets on average, however long
// the run; above the limit a part of all packets is left. Of 300 packets per node a twentieth is three times
// as much as the former.
std::vector<std::uint64_t> run_lengths(const Network& network, bool full) {
  const std::uint64_t nodes = shape_of(network).nodes();
  return with_more<std::uint64_t>(full, {300 * nodes}, {600 * nodes});
}

// Few are left behind below the limit; above N packets in D(N) cycles they pile up.
DynamicCases stability_cases(const std::vector<Network>& networks, bool full) {
  DynamicCases cases;
  for (const Network& network : networks) {
    const Times times(network);
    const auto add = [&](const Rational& rate, std::uint64_t packets) -> DynamicCase& {
      return cases.emplace_back(case_of(network, rate, packets, 3));
    };
    const std::vector<std::uint64_t> lengths = run_lengths(network, full);
    for (const std::uint64_t packets : lengths) {
      // Nine tenths of 1/D(N) is more than the papers promise.
      add(times.exactly() * 9 / 10, packets).inspect = few_left_of(packets);
      add(times.exactly() * 6 / 5, packets).inspect = many_left_of(packets);
    }
    const std::uint64_t most = lengths.back();
    if (full) add(times.stable() * 97 / 100, most).inspect = few_left_of(most);
  }
  return cases;
}

std::string check_limits() {
  return first_fault(listed("mesh:4x4 torus:4x4"), [](const std::string& topology) {
    const Times times({topology, true});
    return unless(times.stable() < times.exactly(), "{}", topology);
  });
}

DynamicCases folded_stability_dynamic_runs(bool full) { return stability_cases(folded_cubes(full), full); }

// At this utilisation packets pile up on arrays of one dimension, where t_p = 1/4, and on others do not.
void utilisation_dynamic_runs(bool full, DynamicCases& cases) {
  using Inspect = std::function<std::string(const DynamicOutcome&)> (*)(std::uint64_t packets);
  const Rational half(1, 2);
  const auto add = [&](const Network& network, const Rational& rho, Inspect inspect) {
    for (const std::uint64_t packets : run_lengths(network, full)) {
      cases.emplace_back(case_of(network, Times(network).rate_of(rho), packets, 3)).inspect =
          inspect(packets);
    }
  };
  for (const std::string& topology : with_more(full, "linear:2", "linear:8"))
    add({topology, true}, half, many_left_of);
  add({"mesh:4x4", true}, half, few_left_of);
  if (full) add({"mesh:8x8", true}, Rational(3, 5), few_left_of);
}

// The right side of (14), the utilisation below which arrays are stable, with t_p = 0.
Rational array_limit(std::uint64_t p, std::uint32_t d) {
  return 1 / (1 + Rational(2 * d * (p - 1), power(p, d) - 1));
}

std::string check_array_limits() {
  for (const std::uint64_t p : {10, 100, 1000}) {
    for (std::uint32_t d = 2; d <= 3; ++d) {
      if (1 - array_limit(p, d) > Rational(2 * d, p)) return fmt::format("p = {}, d = {}", p, d);
    }
    if (array_limit(p, 1) != array_limit(2, 1)) return fmt::format("p = {}, d = 1", p);
  }
  return {};
}

// ---- Intervals.

// An interval takes as long as stated for its number of packets, and M is known in all before packing.
std::string inspect_intervals(const Times& times, const DynamicOutcome& outcome) {
  for (const auto& [active, cycles] : outcome.cycles_of) {
    if (cycles != times.interval(active))
      return fmt::format("{} cycles with {} packets, expected {}", cycles, active, times.interval(active));
    if (cycles > times.linear.at(active)) return fmt::format("{} cycles are more than X M + V", cycles);
  }
  if (outcome.cycles_of.size() < 3) return "expected intervals of several lengths";
  return unless(outcome.counted_in_time == outcome.intervals, "known before packing in {} of {} intervals",
                outcome.counted_in_time, outcome.intervals);
}

void interval_lengths_dynamic_runs(bool full, DynamicCases& cases) {
  const Printed<DynamicOutcome> printed{
      {kExactly, 0, "intervals whose length all nodes know before packing",
       "M is learnt during the broadcast"},
      [](const DynamicOutcome& outcome) { return outcome.counted_in_time; }};
  for (const std::uint64_t packets : with_more<std::uint64_t>(full, {400}, {5000})) {
    for (const Network& network :
         std::initializer_list<Network>{{"mesh:4x4", true}, {"torus:3x3", false}, {"folded-cube:4", false}}) {
      const Times times(network);
      DynamicCase& run = cases.emplace_back(case_of(network, times.stable() * 3 / 5, packets, 1));
      run.inspect = std::bind_front(inspect_intervals, times);
      run.printed = printed;
    }
  }
}

// ---- Light load.

// A packet that meets no other waits for the rest of an empty interval, D(0)/2 on average, and is then alone:
// D(1). To first order it meets another in two ways. It arrives in an interval of one packet, which fill a
// part `busy` of all cycles, and waits for the rest of that. Or its own node already has one that arrived in
// the same empty interval, and it waits D(1) longer. Packets of several nodes in an interval do not delay
// each other.
struct LightLoad {
  LightLoad(const Times& times, const Rational& rate) {
    const Rational none = times.interval(0), one = times.interval(1), nodes = times.shape.nodes();
    const Rational busy = rate * nodes * one;
    alone = none / 2 + one;
    from_meeting = busy * ((one - none) / 2 + none / (2 * nodes));
    variance = (none * none + busy * (one * one - none * none)) / 12 +
               busy * (1 - busy) * (one - none) * (one - none) / 4;  // of the rest of an interval
  }
  // The largest mean delay that is taken for what light load makes it: twice what meeting adds.
  Rational most() const { return alone + 2 * from_meeting; }
  // Is a mean of so many packets within `distance` by four standard errors?
  bool within_errors(const Rational& distance, std::uint64_t packets) const {
    return distance * distance * packets <= 16 * variance;
  }
  Rational alone, from_meeting, variance;
};

std::string inspect_light_load(const LightLoad& light, std::uint64_t packets, const Rational& mean) {
  const Rational beyond = mean < light.alone    ? light.alone - mean
                          : mean > light.most() ? mean - light.most()
                                                : Rational(0);
  return unless(light.within_errors(beyond, packets), "mean delay {}, expected {} to {}", in_words(mean),
                in_words(light.alone), in_words(light.most()));
}

// Intervals of one packet fill a twentieth of the time.
void light_load_dynamic_runs(bool full, DynamicCases& cases) {
  for (const Network& network : with_more<Network>(full, {{"mesh:4x4", true}, {"folded-cube:3", false}},
                                                   {{"mesh:8x8", true}, {"folded-cube:6", false}})) {
    const Times times(network);
    const Rational rate(1, 20 * times.shape.nodes() * times.interval(1));
    const Rational bound = times.linear.v * 3 / 2 + times.linear.x;
    const LightLoad light(times, rate);
    for (const std::uint64_t packets : with_more<std::uint64_t>(full, {100}, {300})) {
      if (bound <= light.most() || light.within_errors(bound - light.most(), packets))
        throw std::logic_error(network.topology + ": so few packets do not tell light load from 1.5 V + X");
      cases.emplace_back(case_of(network, rate, packets, 1)).inspect =
          [=](const DynamicOutcome& outcome) -> std::string {
        if (outcome.mean_delay > bound)
          return fmt::format("mean delay {}, expected at most {}", in_words(outcome.mean_delay),
                             in_words(bound));
        return inspect_light_load(light, packets, outcome.mean_delay);
      };
    }
  }
}

}  // namespace

std::vector<Claim> dynamic_broadcast_claims() {
  return {
      claim("mesh.A35", "meshes 5, Theorem 7, (11)", kHolds,
            "if a partial broadcast of M packets takes X M + V at most, and rho + lambda V < 1, the mean "
            "delay is at most (11)",
            mean_delay_dynamic_runs),
      claim(
          "mesh.A36", "meshes 5, (14)", kHolds,
          "stable for rho below (14), that is rho + lambda V < 1; on the hardware the limit is a rate of "
          "1/D(N), D(N) being the length of an interval of N packets, which is higher",
          [](bool full) {
            return stability_cases({{"mesh:4x4", true}, {"torus:4x4", true}}, full);
          },
          ClaimCheck{"mesh:4x4 and torus:4x4, split: 1/D(N) is above (14)", check_limits}),
      claim("mesh.A37", "meshes 5, text", kMisprint,
            "the length of every interval is known to all nodes from the number of packets in the largest "
            "class (M, if there is one class), which they learn in the reservation interval, before packing",
            interval_lengths_dynamic_runs),
      claim("mesh.A38", "meshes 5, after (15)", kHolds,
            "at light load the mean delay is at most 1.5 V + X; on the hardware D(0)/2 + D(1), as the load "
            "tends to 0",
            light_load_dynamic_runs),
      claim("mesh.A39", "meshes 5, after (14)", kCorrected,
            "the utilisation that is sustained, the right side of (14), tends to one as p grows if d >= 2; "
            "for d = 1 it does not: 1/3 on arrays of any p with t_p = 0. On the hardware, with t_p = 1/4, "
            "arrays of one dimension do not sustain 1/2, and those of two do from 4 x 4 on",
            utilisation_dynamic_runs,
            ClaimCheck{.name = "(14) on arrays, t_p = 0, p = 10, 100, 1000, d = 1, 2, 3",
                       .check = check_array_limits,
                       .printed = Printed<>{{kExactly, 1, "as the limit of (14) for d = 1"},
                                            [] { return array_limit(1000, 1); }}}),
      claim("folded.B23", "folded cubes Corollary 1, (5)", kHolds,
            "stable for rho below (5); on the hardware the limit is 1/D(N), as on meshes",
            folded_stability_dynamic_runs),
      claim("folded.B24", "folded cubes Corollary 1, (6)", kHolds,
            "the mean delay of the same scheme is at most (6)", folded_mean_delay_dynamic_runs)};
}

}  // namespace safnet
