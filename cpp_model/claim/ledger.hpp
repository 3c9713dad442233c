// ledger - the claims by chapter; claim.hpp joins them.
#pragma once

#include <vector>

#include "cpp_model/claim/claim.hpp"

namespace safnet {

/// Thesis chapter 2: degrees, distances, disjoint paths.
std::vector<Claim> network_claims();
/// Thesis chapter 3.
std::vector<Claim> broadcast_claims();
std::vector<Claim> scatter_claims();
/// Gathering, and what planned schedules reach beyond the text.
std::vector<Claim> planned_tree_claims();
/// Thesis chapter 4: lower bounds and statuses (4.1, 4.4), linear arrays and rings (4.2, 4.3), Cayley graphs
/// (4.4).
std::vector<Claim> total_exchange_bound_claims();
std::vector<Claim> line_and_ring_claims();
std::vector<Claim> cayley_claims();
/// Beyond it: total exchange on any graph.
std::vector<Claim> general_exchange_claims();
/// Thesis chapter 5, products of networks, and what goes beyond it.
std::vector<Claim> product_claims();
/// Fragopoulou and Akl, TR 94-363: the torus, its necklaces and spanning graphs (2 to 4); broadcast and
/// scatter from one node (5.2, 5.4).
std::vector<Claim> torus_claims();
std::vector<Claim> torus_collective_claims();
/// Fragopoulou and Akl, TR 94-363: multinode broadcast and scattering on tori of equal sides.
std::vector<Claim> torus_multinode_claims();

/// Arrays that stand for tori (Varvarigos and Bertsekas); folded cubes (Varvarigos).
std::vector<Claim> mesh_and_folded_cube_claims();
/// The same papers: partial multinode broadcasts on nodes that find out on-line who is active; and what of
/// them computation decides.
std::vector<Claim> partial_broadcast_claims();
std::vector<Claim> partial_broadcast_formula_claims();
/// The same: dynamic broadcasting (5); folded cubes, Corollary 1.
std::vector<Claim> dynamic_broadcast_claims();
/// Varvarigos and Bertsekas: Theorem 2; partial exchange (4).
std::vector<Claim> line_broadcast_claims();
std::vector<Claim> partial_exchange_claims();

/// Thesis chapter 6, fat trees: what they are (6.1), one packet sent at a time (6.2).
std::vector<Claim> fat_tree_one_port_claims();

/// Thesis 6.3.1, 6.3.2: fat trees, all-port, but for total exchange.
std::vector<Claim> fat_tree_multinode_claims();

/// Thesis chapter 6: all-port total exchange on fat trees (6.3.3, 6.3.4, 7.1).
std::vector<Claim> fat_tree_exchange_claims();
/// Beyond it: fat trees whose queues hold a few packets each.
std::vector<Claim> fat_tree_queue_claims();

/// Beyond the papers: proved optima on small machines.
std::vector<Claim> small_machine_claims();

}  // namespace safnet
