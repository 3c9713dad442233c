#include "cpp_model/graph/topology.hpp"

#include <algorithm>

#include "cpp_model/graph/family/families.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

const TopologyFamily* family_named(const std::string& name) {
  const auto found = std::ranges::find(topology_families(), name, &TopologyFamily::name);
  return found == topology_families().end() ? nullptr : &*found;
}

}  // namespace

const std::vector<TopologyFamily>& topology_families() {
  static const std::vector<TopologyFamily> families = [] {
    std::vector<TopologyFamily> all;
    for (const auto& of_a_file :
         {ring_families(), product_families(), butterfly_families(), star_families(), folded_cube_families(),
          tree_families(), fat_tree_families(), petersen_families(), word_digraph_families(),
          listed_families(), composed_families()}) {
      all.insert(all.end(), of_a_file.begin(), of_a_file.end());
    }
    return all;
  }();
  return families;
}

const TopologyFamily* family_of(const Graph& graph) { return family_named(graph.family()); }

TopologyFamily::Order order_of_nodes(const Graph& graph) {
  const TopologyFamily* family = family_of(graph);
  return family == nullptr ? TopologyFamily::Order::kNone : family->order;
}

Graph make_topology(const std::string& spelling) {
  const std::size_t end = spelling.find_first_of(":(");
  const std::string word = spelling.substr(0, end), name = word == "dgx1" ? "dgx-1" : word;
  const TopologyFamily* family = family_named(name);
  if (family == nullptr) {
    std::vector<std::string> names;
    for (const TopologyFamily& known : topology_families()) names.push_back(known.name);
    throw bad_input("topology {}: no family {}; expected one of {}", in_quotes(spelling), in_quotes(name),
                    fmt::join(names, ", "));
  }
  const bool has_arguments = end != std::string::npos;
  if (has_arguments == family->arguments.empty() ||
      (has_arguments && spelling[end] != family->arguments.front())) {
    throw bad_input("topology {}: expected {}{} such as {}", in_quotes(spelling), name, family->arguments,
                    family->example);
  }
  return family->build(Spelling(spelling, has_arguments ? spelling.substr(end + 1) : "", make_topology));
}

}  // namespace safnet
