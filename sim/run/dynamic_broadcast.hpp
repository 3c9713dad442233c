// dynamic_broadcast - packets that arrive at random are broadcast by partial multinode broadcasts, one after
// the other, without any central control (Varvarigos and Bertsekas 1994, section 5; folded cubes, Corollary
// 1).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "cpp_model/bound/dynamic_broadcast_bound.hpp"
#include "cpp_model/traffic/poisson_arrivals.hpp"
#include "sim/run/delay_statistics.hpp"
#include "sim/run/scan_run.hpp"

namespace safnet {

/// The packets that arrive.
struct ArrivalRequest {
  Rational rate = 0;  ///< packets per node and slot; a slot has as many cycles as a packet has payload flits
  std::uint64_t packets = 2000;
  std::uint64_t warm_up = 0;  ///< of these, the first so many are in no statistics of delays
  std::uint64_t seed = 1;
};

/// How each of the partial broadcasts is done, and the packets that arrive.
struct DynamicBroadcastRequest : ScanRequest, ArrivalRequest {
  explicit DynamicBroadcastRequest(DigitNetwork of, ScanManner manner = {.flits = 8},
                                   ArrivalRequest arrivals = {})
      : ScanRequest(std::move(of), manner), ArrivalRequest(std::move(arrivals)) {}
};

/// The intervals in which the same number of nodes had a packet.
struct IntervalCount {
  std::uint64_t intervals = 0;
  std::uint64_t cycles = 0;  ///< of each: from its beginning, as the nodes show it, to the next
};

/// In the account, `cycles` is the end of the last interval; deliveries are those of packets, or of parts of
/// them, at other nodes than their source.
struct DynamicBroadcastResult : Account {
  ScanSettings settings;
  std::uint32_t last_delivery = 0;  ///< cycle of the last delivery; by the nodes' counters
  std::uint64_t arrived = 0;
  std::uint64_t broadcast = 0;   ///< packets that all others got whole within their interval
  std::uint64_t deliveries = 0;  ///< the account's `delivered`
  /// From a packet's arrival to the end of its interval, and to its last delivery; in ticks (kTickBits).
  DelayStatistics delay, delivery_delay;
  std::uint64_t intervals = 0;
  std::uint64_t counted_in_time = 0;  ///< intervals in which all nodes knew their number before packing
  std::map<std::uint64_t, IntervalCount> by_active;  ///< by the number of nodes with a packet
  std::uint64_t flits_sent = 0;                      ///< by the nodes' counters
  /// The backlog is the packets that have arrived and whose interval has not ended. `final_backlog`: when the
  /// last packet arrives; the mean is over the time until then.
  std::uint64_t final_backlog = 0, largest_backlog = 0;
  Rational mean_backlog = 0;
  ScanTrace trace;  ///< if it was asked for
};

/// Throws std::invalid_argument if something is out of range.
void check_dynamic_broadcast(const DynamicBroadcastRequest& request);

/// Runs until the last packet has been broadcast. Throws std::invalid_argument for what the user got wrong.
DynamicBroadcastResult run_dynamic_broadcast(const DynamicBroadcastRequest& request, VariantStore& store);

/// What is known beforehand. Rates are packets per node and slot.
struct DynamicBroadcastLimits {
  LinearTime interval;                           ///< cycles of an interval of M packets, at most: X and V
  Rational stable;                               ///< Theorem 7: stable below this rate, by X and V
  Rational exactly;                              ///< 1 / D(N): stable below and only below
  Rational any_scheme;                           ///< (13): no scheme does better
  Rational utilisation;                          ///< rho at `rate`
  std::optional<Rational> mean_delay;            ///< the bound (11) at `rate`, in cycles; none above `stable`
  std::optional<Rational> printed_folded_delay;  ///< folded cubes (6), in slots, for whole packets
};
DynamicBroadcastLimits limits_of(const DynamicBroadcastRequest& request);

}  // namespace safnet
