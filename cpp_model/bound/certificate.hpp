// certificate - lower bounds that a list of integers proves (duality of linear programs: multicommodity
// flow).
//
// Everything that serves one packet per step gets a price: links (all-port), or the ports by which nodes send
// and receive (one-port). A packet pays for all that it uses, at least the price of the cheapest way to its
// destination; in a step no more than the sum of all prices can be paid. So the cheapest ways of all packets
// together, divided by the sum of all prices, bound the steps. Prices of 1 on the links of a cut give thesis
// (4.1); 1 everywhere give the average status (4.4) and the load of the links; 1 at a cut node gives the
// cut-node bound.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cpp_model/bound/demand.hpp"
#include "cpp_model/bound/largest_bound.hpp"

namespace safnet {

/// Up to this many nodes prices are searched for.
inline constexpr NodeId kMaxNodesForCertificate = 64;

/// Non-negative integers, not all 0. Either `link` has a price per link, or `send` one per node; in the
/// second case `receive` may have one per node, too.
struct Prices {
  std::vector<std::uint32_t> link, send, receive;
};

struct PriceOfDemand {
  std::uint64_t cheapest_ways = 0;  ///< of all packets, summed
  std::uint64_t per_step = 1;       ///< sum of all prices
  std::uint64_t steps() const;      ///< the bound: cheapest_ways / per_step, rounded up
};

/// The bound that the prices prove. Throws std::invalid_argument if their number is wrong or all are 0.
PriceOfDemand evaluate(const Graph& graph, const Demand& demand, const Prices& prices);

/// Searches in floating point for prices that prove more than `known` steps, and evaluates them in integers.
/// Deterministic; for kMaxNodesForCertificate nodes at most. 0 steps if nothing better is found.
LowerBound certificate_bound(const Graph& graph, const Demand& demand, PortModel ports, std::uint64_t known);
/// The prices behind it: nothing if none are found that prove more than `known` steps.
std::optional<Prices> find_prices(const Graph& graph, const Demand& demand, PortModel ports,
                                  std::uint64_t known);

}  // namespace safnet
