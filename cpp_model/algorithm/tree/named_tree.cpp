#include "cpp_model/algorithm/tree/named_tree.hpp"

#include "cpp_model/algorithm/tree/balanced_tree.hpp"
#include "cpp_model/algorithm/tree/fewest_steps_tree.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {

SpanningTree make_tree(const std::string& word, const Graph& graph, NodeId root) {
  if (word == "shortest-path") return shortest_path_tree(graph, root);
  if (word == "depth-first") return depth_first_tree(graph, root);
  if (word == "product") return product_tree(graph, root);
  if (word == "weight-rule") return weight_rule_tree(graph, root);
  if (word == "torus-regions") return torus_region_tree(graph, root, false);
  if (word == "torus-regions-as-printed") return torus_region_tree(graph, root, true);
  if (word == "fewest-steps") return fewest_steps_tree(graph, root);
  const std::string prefix = "random:";
  if (word.starts_with(prefix)) {
    if (const auto seed = parse_decimal(word.substr(prefix.size()))) return random_tree(graph, root, *seed);
  }
  throw bad_input(
      "tree {}: expected shortest-path, depth-first, random:SEED, product, weight-rule, "
      "torus-regions, torus-regions-as-printed or fewest-steps",
      in_quotes(word));
}

}  // namespace safnet
