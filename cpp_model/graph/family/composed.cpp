#include <fmt/format.h>

#include <algorithm>

#include "cpp_model/graph/family/families.hpp"
#include "cpp_model/graph/file/graph_file.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/nested_words.hpp"
#include "cpp_model/graph/recognise/recognise.hpp"
#include "cpp_model/graph/remaining_network.hpp"
#include "cpp_model/graph/routers.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/graph/unequal_links.hpp"

namespace safnet {
namespace {

constexpr int kMaxNesting = 16;  // of parentheses

// The factors in "ring:4,linear:3": a comma separates them unless a number follows, which then belongs to the
// factor before it (extended-ring:14,2).
Graph build_product(const Spelling& spelling) {
  const std::string form = "product(A,B,...) such as product(ring:4,linear:3)";
  const auto wrong = [&](const std::string& what) { return spelling.wrong_whole(what, form); };
  std::vector<std::string> words(1);
  int depth = 0;
  const std::string inside = spelling.inside(form);
  for (std::size_t i = 0; i < inside.size(); ++i) {
    const char c = inside[i];
    if (c == '(' && ++depth > kMaxNesting) throw wrong("nested too deeply");
    if (c == ')' && --depth < 0) throw wrong("parentheses that do not match");
    const bool number_follows = i + 1 < inside.size() && inside[i + 1] >= '0' && inside[i + 1] <= '9';
    if (c == ',' && depth == 0 && !number_follows) {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  if (depth != 0) throw wrong("parentheses that do not match");
  std::vector<Graph> factors;
  std::vector<std::string> canonical;
  std::uint64_t nodes = 1;
  for (const std::string& word : words) {
    factors.push_back(spelling.make(word));
    canonical.push_back(factors.back().spelling());
    nodes *= factors.back().node_count();
    if (nodes > kMaxNodes) throw wrong(fmt::format("more than {} nodes", kMaxNodes));
  }
  return cartesian_product(factors, fmt::format("product({})", fmt::join(canonical, ",")));
}

Graph build_transpose(const Spelling& spelling) {
  const std::string form = "transpose(A) such as transpose(kautz:2,3)", inside = spelling.inside(form);
  if (std::ranges::count(inside, '(') > kMaxNesting) throw spelling.wrong_whole("nested too deeply", form);
  return spelling.make(inside).transposed();
}

// "A;NODES": the network A in which only some nodes process.
Graph build_routed(const Spelling& spelling, const std::string& form, bool named_nodes_route) {
  const std::string inside = spelling.inside(form);
  if (std::ranges::count(inside, '(') > kMaxNesting) throw spelling.wrong_whole("nested too deeply", form);
  const std::size_t end = inside.rfind(';');
  if (end == std::string::npos) throw spelling.wrong_whole("no ';' before the nodes", form);
  const Graph graph = spelling.make(inside.substr(0, end));
  const std::string nodes = inside.substr(end + 1);
  std::vector<bool> routes = parse_node_set(nodes, graph);
  if (!named_nodes_route) {
    for (NodeId v = graph.processor_count(); v < graph.node_count(); ++v) {
      if (!routes[v]) continue;
      throw bad_input("{}: {} only routes; expected nodes that process", one_line(spelling.text()),
                      graph.node_name(v));
    }
    routes.flip();
  }
  const std::size_t name_end = spelling.text().find('(');
  return with_routers(graph, routes,
                      fmt::format("{}({};{})", spelling.text().substr(0, name_end), graph.spelling(), nodes));
}

// "A;WORD;...": the spelling of a network and words about it, between semicolons outside of parentheses.
// `what`: what messages call the words.
std::vector<std::string> words_about_network(const Spelling& spelling, const std::string& form,
                                             const char* what) {
  const std::string inside = spelling.inside(form);
  if (std::ranges::count(inside, '(') > kMaxNesting) throw spelling.wrong_whole("nested too deeply", form);
  std::vector<std::string> words = nested_words(inside);
  if (words.size() < 2) throw spelling.wrong_whole(fmt::format("no ';' before the {}", what), form);
  return words;
}

// "A;LINKS:VALUES;...": the network A with links of their own latencies and widths.
Graph build_timed(const Spelling& spelling) {
  std::vector<std::string> words = words_about_network(
      spelling, "timed(A;LINKS:VALUES) such as timed(ring:4;0-1:latency=3,cycles_per_flit=2)", "links");
  const Graph graph = spelling.make(words.front());
  words.erase(words.begin());
  return with_unequal_links(graph, words,
                            fmt::format("timed({};{})", graph.spelling(), fmt::join(words, ";")));
}

// "A;WHAT;...": the network A without links and nodes.
Graph build_without(const Spelling& spelling) {
  std::vector<std::string> words = words_about_network(
      spelling, "without(A;WHAT;...) such as without(torus:3x3;0:1;4)", "links and nodes");
  const Graph graph = spelling.make(words.front());
  words.erase(words.begin());
  return remaining_network(graph, words,
                           fmt::format("without({};{})", graph.spelling(), fmt::join(words, ";")),
                           [&spelling](const std::string& name) { return spelling.make(name); });
}

}  // namespace

std::vector<TopologyFamily> composed_families() {
  return {
      {.name = "product",
       .arguments = "(A,B,...)",
       .example = "product(ring:4,linear:3)",
       .description = "cartesian product of any networks",
       .build = build_product,
       .cayley = "if all factors are"},
      {"transpose", "(A)", "transpose(kautz:2,3)", "a network with all links turned round", build_transpose},
      {.name = "routers",
       .arguments = "(A;NODES)",
       .example = "routers(tree:2,3;degree:2)",
       .description = "a network in which these nodes only route: numbers, names, 16-27, patterns such as "
                      "spine_*, or degree:N for all with N links or more",
       .build =
           [](const Spelling& s) {
             return build_routed(s, "routers(A;NODES) such as routers(tree:2,3;degree:2)", true);
           }},
      {.name = "group",
       .arguments = "(A;NODES)",
       .example = "group(torus:3x3;0_0,1_1,2_2)",
       .description = "a network in which these nodes process, as a group, and all others only route",
       .build =
           [](const Spelling& s) {
             return build_routed(s, "group(A;NODES) such as group(torus:3x3;0_0,1_1,2_2)", false);
           }},
      {.name = "timed",
       .arguments = "(A;LINKS:VALUES;...)",
       .example = "timed(ring:4;0-1:latency=3,cycles_per_flit=2)",
       .description =
           "a network in which these links have a latency, in cycles beside those of all links, or "
           "take several cycles for a flit: A-B for both directions, A>B for one, or all",
       .build = build_timed},
      {.name = "without",
       .arguments = "(A;WHAT;...)",
       .example = "without(torus:3x3;0:1;4)",
       .description =
           "what is left of a network without links and nodes that are at fault: A:B a link between "
           "neighbours in both directions, A>B in one, or a node",
       .build = build_without},
      {.name = "graph",
       .arguments = ":FILE",
       .example = "graph:cpp_model/graph/file/example.dot",
       .description = "from a file: GraphML, GML, DOT, JSON, YAML, anynet, NCCL's topology, nvidia-smi's "
                      "matrix, networkx's lists, "
                      "or an edge list with a line 'u v [multiplicity]' per edge",
       .build =
           [](const Spelling& s) {
             return recognise(read_graph_file(s.arguments(), s.text()),
                              [&s](const std::string& spelling) { return s.make(spelling); });
           },
       .cayley = "not known"},
  };
}

}  // namespace safnet
