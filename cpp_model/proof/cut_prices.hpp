// cut_prices - prices of what leads out of a set of nodes: they prove what cuts prove.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/proof/slot_prices.hpp"

namespace safnet {

/// Prices of the links out of the nodes that are marked in `inside`, or of the nodes that send, or receive,
/// over these links: so that whatever crosses one of them pays 1, and no more slots cost anything than it
/// takes for that. Nothing has a price before something of an origin inside can have come there, and after
/// it is too late to get to the nearest destination outside, nor in the first `before` steps and the last
/// `after`. A link that each packet keeps busy for w cycles has a price in every w-th.
SlotPrices prices_across(const Task& task, const std::vector<std::uint8_t>& inside, SlotKind kind,
                         std::uint64_t before = 0, std::uint64_t after = 0);

/// For one origin, over links that are alike: prices from a smallest cut of the network unrolled in time,
/// which prove whatever maximum flow proves. Empty if all packets get through, or the network and its steps
/// are too large.
SlotPrices prices_of_smallest_cut(const Task& task);

}  // namespace safnet
