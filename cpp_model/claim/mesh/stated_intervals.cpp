#include "cpp_model/claim/mesh/stated_intervals.hpp"

#include <algorithm>
#include <vector>

#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

// Of `packets` with ranks 0, 1, ..., the most that agree modulo `modulus`, by counting.
std::uint64_t most_of_a_residue(std::uint64_t packets, std::uint64_t modulus) {
  std::vector<std::uint64_t> counts(modulus);
  for (std::uint64_t rank = 0; rank < packets; ++rank) ++counts[rank % modulus];
  return *std::ranges::max_element(counts);
}

// Classes that run at once: the dimensions of a mesh, or the hypercubes in a folded cube.
std::uint64_t classes(const DigitShape& shape, const PartialBroadcastSettings& settings) {
  if (settings.single_class) return 1;
  return shape.folded ? shape.digits + 1 : shape.digits;
}
// Mini packets that a packet is split into, and the parts that tori make of these for the broadcast.
std::uint64_t mini_packets(const DigitShape& shape, const PartialBroadcastSettings& settings) {
  return settings.split ? classes(shape, settings) : 1;
}
std::uint64_t parts_while_broadcast(const DigitShape& shape, const PartialBroadcastSettings& settings) {
  return mini_packets(shape, settings) * (settings.split && shape.ring ? 2 : 1);
}

}  // namespace

StatedInterval stated_interval(const DigitShape& shape, const PartialBroadcastSettings& settings,
                               std::uint64_t active) {
  const std::uint64_t p = shape.side, d = shape.digits, latency = settings.latency;
  const auto step = [&](std::uint64_t parts) {
    return divide_up(settings.flits, parts) + settings.header_flits + latency;
  };
  StatedInterval time;
  // Phase 1: 2 d (p - 1) prefix steps. Without splitting the same before it, for the classes.
  if (!settings.known_ranks) {
    time.rank_scan = 2 * d * (p - 1) * (1 + latency);
    if (!settings.split && classes(shape, settings) > 1) time.class_scan = time.rank_scan;
  }
  // Phase 2, Theorem 3: p - 1 steps along each dimension, or half a ring.
  const bool turns = settings.alternating && shape.ring;
  time.packing = d * (turns ? p / 2 : p - 1) * step(mini_packets(shape, settings));
  // Phase 3, proof of Lemma 1: subphase l takes as long as max |W_l(s)| rounds of one packet per node, W_l(s)
  // being the ranks that agree with s in the d - l + 1 low digits. A round is p - 1 steps, whole packets in
  // a ring ceil((p - 1)/2) (remark after Theorem 2).
  const std::uint64_t of_class =
      settings.split ? active : most_of_a_residue(active, classes(shape, settings));
  std::uint64_t steps = 0, modulus = shape.nodes();
  for (std::uint32_t l = 1; l <= d; ++l, modulus /= p) {
    const std::uint64_t rounds = most_of_a_residue(of_class, modulus);
    if (!shape.ring || settings.split) {
      steps += rounds * (p - 1);
    } else {
      steps += turns ? divide_up(rounds * (p - 1), 2) : rounds * divide_up(p - 1, 2);
    }
  }
  time.broadcast = steps * step(parts_while_broadcast(shape, settings));
  return time;
}

StatedLine stated_line(const DigitShape& shape, const PartialBroadcastSettings& settings) {
  const std::uint64_t p = shape.side, d = shape.digits, n = shape.nodes(), f = settings.flits;
  const Rational all_but_one(n - 1, n);
  if (shape.folded && settings.split) return {Rational(f, d + 1), Rational((2 * d - 1) * f, d + 1) + 2 * d};
  if (shape.folded) return {Rational(f, d + 1), 2 * d * f + 4 * d};
  if (settings.split) {
    // In slots 1/(gamma d) (N - 1)/N and 2 d (p - 1) t_p + (1 + 1/gamma)(p - 1), with the parts' own flits.
    const std::uint64_t pack = divide_up(f, mini_packets(shape, settings));
    const std::uint64_t cast = divide_up(f, parts_while_broadcast(shape, settings));
    return {all_but_one * cast, d * (p - 1) * (2 + pack + cast)};
  }
  const std::uint64_t round = divide_up(p - 1, shape.ring ? 2 : 1);
  return {all_but_one * Rational(round * f, d * (p - 1)),
          ((p - 1) * d + d * round + 1) * f + 4 * (p - 1) * d};
}

Rational stated_mean_delay(std::uint64_t nodes, const StatedLine& line, const Rational& rate) {
  const Rational &x = line.x, &v = line.v;
  const Rational rho = rate * nodes * x, slack = 1 - rho - rate * v;
  const Rational in_brackets =
      rho * x / (2 * slack) + (1 - rho) * v / (2 * slack) + (1 - rate * v) * v / slack;
  return (1 + rho) * in_brackets + x;
}

Rational stated_folded_mean_delay(std::uint32_t d, const Rational& prefix_step, const Rational& rate) {
  const std::uint64_t nodes = std::uint64_t{1} << d;
  const Rational v = 2 * d + 4 * d * prefix_step, rho = rate * nodes / (d + 1);
  const Rational numerator = rho / (d + 1) + (3 - rho) * v;
  const Rational denominator = 2 * (1 - rho - rho * (d + 1) * v / nodes);
  return (1 + rho) * numerator / denominator + Rational(1, d + 1);
}

}  // namespace safnet
