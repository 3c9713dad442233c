#include "cpp_model/traffic/poisson_arrivals.hpp"

#include <boost/multiprecision/cpp_int.hpp>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/traffic/decimal.hpp"

namespace safnet {
namespace {

constexpr unsigned kExponentialBits = 24;
constexpr unsigned kClockBits = 32;  // times are added up in finer parts of a cycle than ticks

}  // namespace

std::uint64_t exponential_number(RandomNumbers& random) {
  // Draws numbers from 0 to 1 for as long as they fall. If the first is x, they are odd in number with
  // probability exp(-x): then x is the result's fraction. If even, the whole part is one more: again.
  for (std::uint64_t whole = 0;; ++whole) {
    const std::uint64_t first = random.bits();
    std::uint64_t last = first;
    bool odd = true;
    for (std::uint64_t next = random.bits(); next < last; next = random.bits()) {
      last = next;
      odd = !odd;
    }
    if (odd) return (whole << kExponentialBits) | (first >> (64 - kExponentialBits));
  }
}

void check_arrivals(NodeId nodes, const Rational& rate, std::uint64_t packets) {
  if (packets < 1 || packets > kMostArrivals)
    throw bad_input("--packets {}: expected 1 to {}", packets, kMostArrivals);
  if (rate <= 0) throw bad_input("--rate {}: expected more than 0", in_decimal(rate));
  if (packets / (rate * nodes) > kMostArrivalCycles) {
    throw bad_input("--packets {}: expected fewer, or a higher --rate; they take {} cycles or more", packets,
                    kMostArrivalCycles);
  }
}

std::vector<Arrival> poisson_arrivals(NodeId nodes, const Rational& rate, std::uint64_t packets,
                                      std::uint64_t seed) {
  check_arrivals(nodes, rate, packets);
  const Rational between = 1 / (rate * nodes);  // cycles between two arrivals in the network, on average
  // The processes of all nodes are one of `nodes` times the rate, with each arrival at a random node.
  RandomNumbers random(seed);
  std::vector<Arrival> arrivals;
  arrivals.reserve(packets);
  using boost::multiprecision::cpp_int;
  const cpp_int scale = numerator(between) << (kClockBits - kExponentialBits), divisor = denominator(between);
  std::uint64_t clock = 0;
  while (arrivals.size() < packets) {
    clock += cpp_int(exponential_number(random) * scale / divisor).convert_to<std::uint64_t>();
    arrivals.push_back({clock >> (kClockBits - kTickBits), random.below(nodes)});
  }
  return arrivals;
}

}  // namespace safnet
