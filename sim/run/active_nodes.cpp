#include "sim/run/active_nodes.hpp"

#include <algorithm>
#include <stdexcept>

#include "cpp_model/graph/random_nodes.hpp"
#include "cpp_model/graph/text.hpp"
#include "sim/fabric/wave_nodes.hpp"
#include "sim/machine/limits.hpp"

namespace safnet {
namespace {

// "M:SEED".
std::vector<NodeId> parse_random_nodes(std::string_view text, NodeId nodes) {
  const std::size_t colon = text.find(':');
  const auto count = parse_decimal(text.substr(0, colon));
  const auto seed = colon == std::string_view::npos ? std::nullopt : parse_decimal(text.substr(colon + 1));
  if (!count || !seed) throw bad_input("expected random:M:SEED, such as random:5:1");
  if (*count > nodes) throw bad_input("expected at most {} nodes, there are no more", nodes);
  return random_nodes(nodes, static_cast<NodeId>(*count), *seed);
}

std::vector<NodeId> parse_named_nodes(std::string list, const Graph& graph) {
  if (list.find(';') == std::string::npos) std::replace(list.begin(), list.end(), ',', ';');
  std::vector<NodeId> nodes = parse_node_list(list, graph);
  if (split(list, ';').size() != nodes.size()) throw bad_input("expected every node once");
  return nodes;
}

}  // namespace

std::vector<NodeId> parse_active_nodes(const char* option, const std::string& text, const Graph& graph) {
  const NodeId nodes = graph.processor_count();
  constexpr std::string_view kRandom = "random:";
  try {
    if (text == "all") return random_nodes(nodes, nodes, 0);
    if (text.starts_with(kRandom))
      return parse_random_nodes(std::string_view(text).substr(kRandom.size()), nodes);
    return parse_named_nodes(text, graph);
  } catch (const std::invalid_argument& error) {
    throw bad_input("{} {}: {}", option, in_quotes(text), error.what());
  }
}

}  // namespace safnet
