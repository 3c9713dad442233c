// multinode_runs - what the claims on multinode broadcast and scattering on tori of equal sides share: the
// networks, the bounds of TR 94-363, section 5.1, and the judgement of plans for node 0's packets.
//
// M is the number of messages: per node in a broadcast, per pair of nodes in an exchange.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "cpp_model/algorithm/torus/torus_exchange.hpp"
#include "cpp_model/algorithm/torus/torus_multinode_broadcast.hpp"
#include "cpp_model/claim/torus/equal_sides.hpp"

namespace safnet {

/// The tori that are run.
std::vector<EqualSides> run_tori(bool full);
/// 1, 3, 2n and the least M for which MP/2n is whole for every necklace of P nodes.
std::set<std::uint32_t> message_counts(const EqualSides& sides);
ClaimCase run(const EqualSides& sides, CollectiveKind collective, const std::string& algorithm,
              std::uint32_t messages, std::uint64_t steps, Inspection inspect = {});

/// Lower bounds in steps, and numbers of packets that cross links (section 5.1).
std::uint64_t broadcast_bound(const EqualSides& s, std::uint64_t m);
std::uint64_t exchange_bound(const EqualSides& s, std::uint64_t m);
std::uint64_t broadcast_sends(const EqualSides& s, std::uint64_t m);
std::uint64_t exchange_sends(const EqualSides& s, std::uint64_t m);
/// lower_bound() is `expected` on every torus that is run, for M = 1 ... 2n.
std::vector<ClaimCheck> checks_of_bounds(CollectiveKind collective,
                                         std::uint64_t (*expected)(const EqualSides&, std::uint64_t),
                                         bool full);
/// The case; if it takes more steps than the bound, which is printed as its time, it contradicts that. Single
/// messages contradict nothing: the text sends them down the BST, for a time of that order.
ClaimCase against_bound(ClaimCase entry, std::uint64_t bound);
/// Empty if `steps` exceed the bound by at most bound / `parts`.
std::string check_close(std::uint64_t steps, std::uint64_t bound, std::uint64_t parts);

/// `expected` packets cross links, and every link carries one in every step.
Inspection all_links_busy(std::uint64_t expected);

inline TorusNetwork network_of(const EqualSides& sides) { return {sides.torus(), false}; }
/// Empty, or what is wrong with the sends planned for node 0's packets: everything must arrive once, the same
/// sends moved to all other nodes must not collide on a link (Lemma 5), and the plan must take `steps` steps.
std::string check_broadcast(const TorusNetwork& network, const std::vector<RelativeSend>& sends,
                            std::uint32_t messages, std::uint64_t steps);
std::string check_exchange(const TorusNetwork& network, const std::vector<RelativeSend>& sends,
                           std::uint32_t messages, std::uint64_t steps);
/// Such a check of every torus that is too large to be run, with one message and with three.
std::vector<ClaimCheck> on_counted_tori(
    bool full, const std::string& what,
    const std::function<std::string(const EqualSides&, std::uint32_t messages)>& check);

}  // namespace safnet
