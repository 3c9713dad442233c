// ledger - the chapters of the ledger, which claims() joins. Each is defined in the file of its name, whose
// end is a table of its claims.
#pragma once

#include <vector>

#include "cpp_model/claim/claim.hpp"

namespace safnet {

// The thesis. Chapter 2: degrees, distances, disjoint paths.
std::vector<Claim> network_claims();
// Chapter 3, and what planned schedules reach beyond its text.
std::vector<Claim> broadcast_claims();
std::vector<Claim> scatter_claims();
std::vector<Claim> planned_tree_claims();
// Chapter 4: lower bounds and statuses (4.1, 4.4), linear arrays and rings (4.2, 4.3), Cayley graphs (4.4);
// beyond it total exchange on any graph.
std::vector<Claim> total_exchange_bound_claims();
std::vector<Claim> line_and_ring_claims();
std::vector<Claim> cayley_claims();
std::vector<Claim> general_exchange_claims();
// Chapter 5, products of networks, and what goes beyond it.
std::vector<Claim> product_claims();

// Fragopoulou and Akl, TR 94-363. The torus and its necklaces (2), spanning tree and graph (3, 4).
std::vector<Claim> torus_network_claims();
std::vector<Claim> torus_subtree_claims();
// Broadcast and scatter from one node (5.2, 5.4), multinode broadcast (5.3), multinode scattering (5.5).
std::vector<Claim> torus_collective_claims();
std::vector<Claim> torus_multinode_broadcast_claims();
std::vector<Claim> torus_exchange_claims();

// Varvarigos and Bertsekas 1994, meshes; Varvarigos, folded cubes. Arrays that stand for tori (meshes 2).
std::vector<Claim> array_from_torus_claims();
std::vector<Claim> folded_cube_claims();
std::vector<Claim> folded_cube_exchange_claims();
// Partial multinode broadcasts on nodes that find out on-line who is active, and what of them computation
// decides.
std::vector<Claim> partial_broadcast_claims();
std::vector<Claim> partial_broadcast_formula_claims();
// Dynamic broadcasting (meshes 5; folded cubes, Corollary 1).
std::vector<Claim> dynamic_broadcast_claims();
// Concurrent broadcasts (meshes 2, Theorem 2), partial exchange (meshes 4).
std::vector<Claim> line_broadcast_claims();
std::vector<Claim> partial_exchange_claims();

// Thesis chapter 6, fat trees: what they are (6.1), one packet sent at a time (6.2).
std::vector<Claim> fat_tree_one_port_claims();
std::vector<Claim> fat_tree_one_port_exchange_claims();
// All ports: all but total exchange (6.3.1, 6.3.2), total exchange (6.3.3, 6.3.4, 7.1); beyond it short
// queues.
std::vector<Claim> fat_tree_multinode_claims();
std::vector<Claim> fat_tree_exchange_claims();
std::vector<Claim> fat_tree_queue_claims();

// Beyond the papers: proved optima on small machines.
std::vector<Claim> small_machine_claims();

}  // namespace safnet
