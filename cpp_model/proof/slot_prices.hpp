// slot_prices - prices of links and ports, step by step: integers that prove a lower bound by duality of
// linear programs.
//
// A slot is a link, a node's sending or a node's receiving in one step; it serves one packet. A packet pays
// the price of every slot that it uses: where links differ, of all cycles in which it keeps one busy. If all
// packets together have to pay more than all slots together cost, there are too few steps. Unlike
// cpp_model/bound/certificate.hpp prices can change from step to step, so a link has none before a packet can
// have reached it, for example.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/proof/task.hpp"

namespace safnet {

enum class SlotKind : std::uint8_t { kLink, kSend, kReceive };
const char* to_string(SlotKind kind);  ///< "link", "send", "receive"

/// The price of link, or node, number `index` in each of the steps `first` ... `last`. Prices of the same
/// slot add up. kSend is for nodes that send one packet per step, kReceive for those that receive one.
struct SlotPrice {
  SlotKind kind = SlotKind::kLink;
  std::uint32_t index = 0;
  std::uint64_t first = 1, last = 0, price = 1;
};
using SlotPrices = std::vector<SlotPrice>;

/// Do the cheapest ways of all packets, each for one destination of its own, cost more than the task's steps
/// have room for? Also if some packet has no way at all in so many steps. False if it would take more than
/// some seconds to find out.
bool ways_cost_more(const Task& task, const SlotPrices& prices);

/// The same of packets that are copied: each enters each of these sets, which have no node in common, once or
/// more often, in time to get to all of the set's destinations.
bool entries_cost_more(const Task& task, const std::vector<std::vector<NodeId>>& sets,
                       const SlotPrices& prices);

}  // namespace safnet
