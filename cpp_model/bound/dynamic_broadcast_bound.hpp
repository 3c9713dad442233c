// dynamic_broadcast_bound - repeated partial multinode broadcasts under Poisson arrivals: mean delay and the
// load that they sustain (Varvarigos and Bertsekas 1994, section 5; folded cubes, Corollary 1).
//
// Every node gets packets to broadcast at `rate` packets per unit of time. One partial broadcast starts when
// the last one ends, with one packet of each node that has any. The unit of time is that of `time`, slots or
// cycles: a broadcast of M packets takes time.per_packet M + time.constant at most.
#pragma once

#include <cstdint>
#include <optional>

#include "cpp_model/bound/partial_broadcast_time.hpp"

namespace safnet {

/// rho = lambda N X, (12); on folded cubes lambda N / (d + 1), Corollary 1.
Rational broadcast_utilisation(std::uint64_t nodes, const LinearTime& time, const Rational& rate);
/// Theorem 7: the mean delay is finite if rho + lambda V < 1, that is, for rates below this one.
Rational stable_rate(std::uint64_t nodes, const LinearTime& time);
/// stable_rate() as a utilisation: the right side of (14); on folded cubes of (5).
Rational stable_utilisation(std::uint64_t nodes, const LinearTime& time);
/// 1 / D(N), with D(N) = `all_nodes` the time of a broadcast of N packets: rates below this one can be
/// sustained, rates above cannot, since then all nodes always have packets.
Rational exact_stable_rate(const Rational& all_nodes);
/// (13): no broadcasting scheme sustains more than this rate: gamma d / (N - 1) packets per node and slot; on
/// folded cubes (d + 1) / (N - 1).
Rational largest_rate(const DigitShape& shape);

/// (11): the mean time from a packet's arrival to the end of its broadcast is at most this. Nothing at rates
/// that are not below stable_rate(). Throws std::invalid_argument for a negative rate.
std::optional<Rational> mean_delay_bound(std::uint64_t nodes, const LinearTime& time, const Rational& rate);
/// Folded cubes (6), in slots: weaker than (11) by 2 lambda V^2 in the numerator.
std::optional<Rational> folded_mean_delay_bound(std::uint32_t d, const Rational& prefix_step,
                                                const Rational& rate);

}  // namespace safnet
