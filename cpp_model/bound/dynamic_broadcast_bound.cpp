#include "cpp_model/bound/dynamic_broadcast_bound.hpp"

#include <stdexcept>

namespace safnet {
namespace {

void check_rate(const Rational& rate) {
  if (rate < 0) throw std::invalid_argument("a rate of " + rate.str() + ": expected 0 or more");
}

}  // namespace

Rational broadcast_utilisation(std::uint64_t nodes, const LinearTime& time, const Rational& rate) {
  return rate * nodes * time.per_packet;
}

Rational stable_rate(std::uint64_t nodes, const LinearTime& time) {
  return 1 / (time.per_packet * nodes + time.constant);
}

Rational stable_utilisation(std::uint64_t nodes, const LinearTime& time) {
  return broadcast_utilisation(nodes, time, stable_rate(nodes, time));
}

Rational exact_stable_rate(const Rational& all_nodes) { return 1 / all_nodes; }

Rational largest_rate(const DigitShape& shape) {
  const std::uint64_t ports = shape.folded ? shape.digits + 1 : std::uint64_t{shape.gamma()} * shape.digits;
  return {ports, shape.nodes() - 1};
}

std::optional<Rational> mean_delay_bound(std::uint64_t nodes, const LinearTime& time, const Rational& rate) {
  check_rate(rate);
  const Rational &x = time.per_packet, &v = time.constant;
  const Rational rho = broadcast_utilisation(nodes, time, rate), rate_v = rate * v;
  const Rational slack = 1 - rho - rate_v;
  if (slack <= 0) return std::nullopt;
  return (1 + rho) * ((rho * x + (1 - rho) * v) / (2 * slack) + (1 - rate_v) * v / slack) + x;
}

std::optional<Rational> folded_mean_delay_bound(std::uint32_t d, const Rational& prefix_step,
                                                const Rational& rate) {
  check_rate(rate);
  const std::uint64_t nodes = std::uint64_t{1} << d;
  const Rational rho = rate * nodes / (d + 1), v = 2 * d + prefix_step * (4 * d);
  const Rational slack = 1 - rho - rho * (d + 1) * v / nodes;
  if (slack <= 0) return std::nullopt;
  return (1 + rho) * (rho / (d + 1) + (3 - rho) * v) / (2 * slack) + Rational(1, d + 1);
}

}  // namespace safnet
