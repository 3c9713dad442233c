#include "cpp_model/bound/partial_broadcast_time.hpp"

#include <algorithm>

#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

bool halves_on_rings(const DigitShape& shape, const PartialBroadcastSettings& settings) {
  return shape.ring && settings.split;
}

// Steps of a batch whose packets are not split and go one way round: ceil((p - 1) / gamma).
std::uint64_t whole_batch_steps(const DigitShape& shape) { return divide_up(shape.side - 1, shape.gamma()); }

// (N - 1) / N.
Rational all_but_one(const DigitShape& shape) { return {shape.nodes() - 1, shape.nodes()}; }

Rational fraction(std::uint64_t a, std::uint64_t b) { return {a, b}; }

std::uint64_t packing_steps(const DigitShape& shape) {
  return std::uint64_t{shape.digits} * (shape.side - 1);
}

}  // namespace

std::uint32_t classes_in_use(const DigitShape& shape, const PartialBroadcastSettings& settings) {
  return settings.single_class ? 1 : shape.classes();
}

bool has_class_scan(const DigitShape& shape, const PartialBroadcastSettings& settings) {
  return !settings.known_ranks && !settings.split && classes_in_use(shape, settings) > 1;
}

std::uint64_t packets_of_a_class(const DigitShape& shape, const PartialBroadcastSettings& settings,
                                 std::uint64_t active) {
  return settings.split ? active : divide_up(active, classes_in_use(shape, settings));
}

std::uint32_t pieces(const DigitShape& shape, const PartialBroadcastSettings& settings) {
  return halves_on_rings(shape, settings) ? 2 : 1;
}

std::uint32_t packing_parts(const DigitShape& shape, const PartialBroadcastSettings& settings) {
  return settings.split ? classes_in_use(shape, settings) : 1;
}

std::uint32_t broadcast_parts(const DigitShape& shape, const PartialBroadcastSettings& settings) {
  return packing_parts(shape, settings) * pieces(shape, settings);
}

std::uint32_t packing_flits(const DigitShape& shape, const PartialBroadcastSettings& settings) {
  return static_cast<std::uint32_t>(divide_up(settings.flits, packing_parts(shape, settings))) +
         settings.header_flits;
}

std::uint32_t broadcast_flits(const DigitShape& shape, const PartialBroadcastSettings& settings) {
  return static_cast<std::uint32_t>(divide_up(settings.flits, broadcast_parts(shape, settings))) +
         settings.header_flits;
}

HopsOfBatch hops_of_batch(const DigitShape& shape, const PartialBroadcastSettings& settings,
                          std::uint64_t b) {
  const std::uint32_t all = shape.side - 1;
  if (!shape.ring || settings.split) return {all, all};
  const std::uint32_t longer = all - all / 2, shorter = all / 2;
  if (settings.alternating && b % 2 == 1) return {shorter, longer};
  return {longer, shorter};
}

std::uint64_t scan_steps(const DigitShape& shape) { return 2 * packing_steps(shape); }

std::uint64_t packing_steps_of_a_digit(const DigitShape& shape, const PartialBroadcastSettings& settings) {
  return settings.alternating && shape.ring ? shape.side / 2 : shape.side - 1;
}

std::uint64_t broadcast_batches(const DigitShape& shape, std::uint32_t digit, std::uint64_t packets) {
  std::uint64_t weight = shape.side;
  // A larger weight gives the same result, and p^(digit + 1) may exceed 64 bits.
  for (std::uint32_t i = 0; i < digit && weight < packets; ++i) weight *= shape.side;
  return divide_up(packets, weight);
}

std::uint64_t broadcast_steps(const DigitShape& shape, const PartialBroadcastSettings& settings,
                              std::uint32_t digit, std::uint64_t packets) {
  const std::uint64_t batches = broadcast_batches(shape, digit, packets), all = shape.side - 1;
  if (!shape.ring || settings.split) return batches * all;
  return settings.alternating ? divide_up(batches * all, 2) : batches * divide_up(all, 2);
}

std::uint64_t broadcast_steps(const DigitShape& shape, const PartialBroadcastSettings& settings,
                              std::uint64_t packets) {
  std::uint64_t steps = 0;
  for (std::uint32_t digit = 0; digit < shape.digits; ++digit)
    steps += broadcast_steps(shape, settings, digit, packets);
  return steps;
}

PartialBroadcastTime partial_broadcast_time(const DigitShape& shape, const PartialBroadcastSettings& settings,
                                            std::uint64_t active) {
  const std::uint64_t latency = settings.latency;
  const std::uint64_t scan = scan_steps(shape) * (1 + latency);
  PartialBroadcastTime time;
  time.class_scan = has_class_scan(shape, settings) ? scan : 0;
  time.rank_scan = settings.known_ranks ? 0 : scan;
  time.packing =
      shape.digits * packing_steps_of_a_digit(shape, settings) * (packing_flits(shape, settings) + latency);
  time.broadcast = broadcast_steps(shape, settings, packets_of_a_class(shape, settings, active)) *
                   (broadcast_flits(shape, settings) + latency);
  return time;
}

Rational partial_broadcast_slots(const DigitShape& shape, const PartialBroadcastSettings& settings,
                                 std::uint64_t active, const Rational& prefix_step) {
  const std::uint32_t scans = (has_class_scan(shape, settings) ? 1U : 0U) + (settings.known_ranks ? 0U : 1U);
  const std::uint64_t packets = packets_of_a_class(shape, settings, active);
  return prefix_step * scans * scan_steps(shape) +
         fraction(shape.digits * packing_steps_of_a_digit(shape, settings), packing_parts(shape, settings)) +
         fraction(broadcast_steps(shape, settings, packets), broadcast_parts(shape, settings));
}

Rational mesh_broadcast_lower_bound(const DigitShape& shape, std::uint64_t active) {
  return fraction(active - 1, std::uint64_t{shape.gamma()} * shape.digits);
}

Rational mesh_broadcast_phase_bound(const DigitShape& shape, std::uint64_t active) {
  return (all_but_one(shape) * active + packing_steps(shape)) / shape.gamma();
}

Rational mesh_single_class_bound(const DigitShape& shape, std::uint64_t active, const Rational& prefix_step) {
  return mesh_broadcast_phase_bound(shape, active) + prefix_step * scan_steps(shape) + packing_steps(shape);
}

Rational mesh_split_bound(const DigitShape& shape, std::uint64_t active, const Rational& prefix_step) {
  const Rational constant =
      prefix_step * scan_steps(shape) + (shape.side - 1) * (1 + fraction(1, shape.gamma()));
  return all_but_one(shape) * active / (shape.gamma() * shape.digits) + constant;
}

Rational mesh_whole_bound_as_printed(const DigitShape& shape, std::uint64_t active,
                                     const Rational& prefix_step) {
  const Rational prefixes = prefix_step * 4 * (shape.side - 1);
  const std::uint64_t packets = divide_up(active, shape.digits);
  if (!shape.ring) return prefixes + packets + 2 * packing_steps(shape) - 1;
  return prefixes + mesh_whole_bound(shape, active, 0);
}

Rational mesh_whole_bound(const DigitShape& shape, std::uint64_t active, const Rational& prefix_step) {
  const std::uint64_t packets = divide_up(active, shape.digits);
  return prefix_step * 2 * scan_steps(shape) +
         all_but_one(shape) * packets * fraction(whole_batch_steps(shape), shape.side - 1) +
         packing_steps(shape) + shape.digits * whole_batch_steps(shape);
}

Rational mesh_multinode_bound(const DigitShape& shape) { return mesh_whole_bound(shape, shape.nodes(), 0); }

std::uint64_t folded_broadcast_lower_bound(const DigitShape& shape, std::uint64_t active) {
  return std::max<std::uint64_t>((shape.digits + 1) / 2, divide_up(active - 1, shape.digits + 1));
}

Rational cube_single_class_bound(const DigitShape& shape, std::uint64_t active, const Rational& prefix_step) {
  return prefix_step * (2 * shape.digits) + active + 2 * shape.digits - 1;
}

Rational folded_main_part_as_printed(const DigitShape& shape, std::uint64_t active,
                                     const Rational& prefix_step) {
  return fraction(active, shape.digits + 1) + 2 * shape.digits + prefix_step * (2 * shape.digits) - 1;
}

Rational folded_whole_bound(const DigitShape& shape, std::uint64_t active, const Rational& prefix_step) {
  return prefix_step * (4 * shape.digits) + divide_up(active, shape.digits + 1) + 2 * shape.digits - 1;
}

Rational folded_split_bound(const DigitShape& shape, std::uint64_t active, const Rational& prefix_step) {
  return prefix_step * (2 * shape.digits) + fraction(active + 2 * shape.digits - 1, shape.digits + 1);
}

LinearTime linear_slots(const DigitShape& shape, bool split, const Rational& prefix_step) {
  const std::uint32_t d = shape.digits;
  if (shape.folded) {
    if (split) return {fraction(1, d + 1), prefix_step * (2 * d) + fraction(2 * d - 1, d + 1)};
    return {fraction(1, d + 1), prefix_step * (4 * d) + 2 * d};
  }
  if (split) return {all_but_one(shape) / (shape.gamma() * d), mesh_split_bound(shape, 0, prefix_step)};
  return {all_but_one(shape) * fraction(whole_batch_steps(shape), std::uint64_t{d} * (shape.side - 1)),
          mesh_whole_bound(shape, 0, prefix_step) + 1};
}

LinearTime linear_cycles(const DigitShape& shape, const PartialBroadcastSettings& settings) {
  const PartialBroadcastTime none = partial_broadcast_time(shape, settings, 0);
  const std::uint64_t step = broadcast_flits(shape, settings) + settings.latency;
  // W batches along a digit take steps_of_batch W, and half a step more if directions take turns.
  const bool halved = shape.ring && !settings.split;
  const Rational steps_of_batch =
      !halved ? Rational(shape.side - 1)
              : (settings.alternating ? fraction(shape.side - 1, 2) : Rational(whole_batch_steps(shape)));
  const Rational turns = halved && settings.alternating ? fraction(shape.digits, 2) : Rational(0);
  const std::uint32_t shares = settings.split ? 1 : classes_in_use(shape, settings);
  // ceil(packets / p^k) <= packets / p^k + (p^k - 1) / p^k; packets <= (M + shares - 1) / shares.
  const Rational per_packet = step * steps_of_batch * all_but_one(shape) / (shape.side - 1);
  return {per_packet / shares, none.total() + step * (steps_of_batch * shape.digits + turns) - per_packet +
                                   per_packet * fraction(shares - 1, shares)};
}

}  // namespace safnet
