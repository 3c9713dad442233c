#include "cpp_model/claim/claim.hpp"

#include "cpp_model/claim/ledger.hpp"

namespace safnet {

const std::string& to_string(Finding finding) {
  static const std::string names[] = {"confirmed", "misprint", "corrected", "refuted", "beyond"};
  return names[static_cast<std::size_t>(finding)];
}

bool needs_counterexample(Finding finding) {
  return finding != Finding::kHolds && finding != Finding::kBeyond;
}

const std::vector<Claim>& claims() {
  static const std::vector<Claim> all = [] {
    std::vector<Claim> list;
    for (auto&& chapter : {network_claims(),
                           broadcast_claims(),
                           scatter_claims(),
                           planned_tree_claims(),
                           total_exchange_bound_claims(),
                           line_and_ring_claims(),
                           cayley_claims(),
                           general_exchange_claims(),
                           product_claims(),
                           torus_network_claims(),
                           torus_subtree_claims(),
                           torus_collective_claims(),
                           torus_multinode_broadcast_claims(),
                           torus_exchange_claims(),
                           array_from_torus_claims(),
                           folded_cube_claims(),
                           folded_cube_exchange_claims(),
                           partial_broadcast_claims(),
                           partial_broadcast_formula_claims(),
                           dynamic_broadcast_claims(),
                           line_broadcast_claims(),
                           partial_exchange_claims(),
                           fat_tree_one_port_claims(),
                           fat_tree_one_port_exchange_claims(),
                           fat_tree_multinode_claims(),
                           fat_tree_exchange_claims(),
                           fat_tree_queue_claims(),
                           small_machine_claims()})
      list.insert(list.end(), chapter.begin(), chapter.end());
    return list;
  }();
  return all;
}

const std::vector<Paper>& papers() {
  static const std::vector<Paper> all{
      {"thesis",
       "V. V. Dimakopoulos, Collective Communication Problems in Multiprocessors, PhD thesis, University of "
       "Victoria, 1996, chapters 2 to 5",
       "How many steps broadcast, scatter and total exchange take at least, and which trees and rules of "
       "routing reach that: on rings, meshes, tori, hypercubes, and on any product of networks and Cayley "
       "graph."},
      {"torus",
       "P. Fragopoulou and S. G. Akl, A Framework for Optimal Communication on the Multidimensional Torus "
       "Network, TR 94-363, Queen's University, Kingston, 1994",
       "Tori of equal sides seen as numbers whose digits are rotated, the classes of nodes that this makes "
       "(necklaces), and collectives along spanning trees built from them. MT_{n,k} is the torus of n "
       "dimensions with k nodes each."},
      {"mesh",
       "E. A. Varvarigos and D. P. Bertsekas, Partial Multinode Broadcast and Partial Exchange Algorithms "
       "for d-Dimensional Meshes, 1994",
       "Collectives in which some nodes alone have packets, and no node knows which: nodes find out by "
       "parallel prefix (a scan), pack the packets together and broadcast them. Packets that arrive at "
       "random are served by one such broadcast after the other. Arrays have d dimensions of p nodes, M "
       "nodes are active, t_p is the time of a packet of the scan."},
      {"folded", "E. Varvarigos, Efficient Routing Algorithms for Folded-Cube Networks",
       "The same on folded cubes, which are hypercubes with a link between opposite corners, and their total "
       "exchange."},
      {"fat",
       "V. V. Dimakopoulos, Collective Communication Problems in Multiprocessors, PhD thesis, University of "
       "Victoria, 1996, chapter 6",
       "Fat trees, whose leaves are processors and whose branches have more links towards the root: steps "
       "and queues of the collectives, when nodes send one packet at a time and when they use all links. n "
       "leaves, k children of each router, height h, c_i links of a branch at level i."},
      {"optimum", "Beyond the papers: small machines",
       "The fewest steps possible on a few small machines, proved by search."}};
  return all;
}

}  // namespace safnet
