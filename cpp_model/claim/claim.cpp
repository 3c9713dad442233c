#include "cpp_model/claim/claim.hpp"

#include "cpp_model/claim/ledger.hpp"

namespace safnet {

const std::string& to_string(Finding finding) {
  static const std::string names[] = {"confirmed", "misprint", "corrected", "refuted"};
  return names[static_cast<std::size_t>(finding)];
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

}  // namespace safnet
