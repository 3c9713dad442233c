#include "cpp_model/graph/topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "cpp_model/graph/family/families.hpp"
#include "cpp_model/graph/family/fat_tree.hpp"
#include "cpp_model/graph/file/graph_file.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

// One number of a spelling, at least `low`, at most `high`.
std::uint32_t parse_size(const std::string& spelling, const std::string& word, std::uint32_t low,
                         std::uint32_t high) {
  const std::optional<std::uint64_t> value = parse_decimal(word);
  if (!value || *value < low || *value > high) {
    throw std::invalid_argument(fmt::format("{}: {}: expected a number from {} to {}", one_line(spelling),
                                            in_quotes(word), low, high));
  }
  return static_cast<std::uint32_t>(*value);
}

// "4x3x2": every size at least 2, all nodes together at most kMaxNodes.
std::vector<NodeId> parse_dimensions(const std::string& spelling, const std::string& arguments) {
  std::vector<NodeId> sizes;
  std::uint64_t nodes = 1;
  for (const std::string& word : split(arguments, 'x')) {
    sizes.push_back(parse_size(spelling, word, 2, kMaxNodes));
    nodes *= sizes.back();
    if (nodes > kMaxNodes) {
      throw std::invalid_argument(fmt::format("{}: {}: expected sizes whose product is at most {} nodes",
                                              one_line(spelling), in_quotes(arguments), kMaxNodes));
    }
  }
  return sizes;
}

Graph build_linear(const std::string& spelling, const std::string& arguments) {
  return linear_array(parse_size(spelling, arguments, 2, kMaxNodes));
}

Graph build_ring(const std::string& spelling, const std::string& arguments) {
  return ring(parse_size(spelling, arguments, 2, kMaxNodes));
}

// "14,2": as many numbers as expected, each in its own range that may depend on those before it.
std::vector<std::string> parse_words(const std::string& spelling, const std::string& arguments,
                                     std::size_t count, const std::string& form) {
  std::vector<std::string> words = split(arguments, ',');
  if (words.size() != count) {
    throw std::invalid_argument(
        fmt::format("{}: {}: expected {}", one_line(spelling), in_quotes(arguments), form));
  }
  return words;
}

Graph build_extended_ring(const std::string& spelling, const std::string& arguments) {
  const auto words = parse_words(spelling, arguments, 2, "N,RHO such as 14,2");
  const NodeId n = parse_size(spelling, words[0], 2, kMaxNodes);
  return extended_ring(n, parse_size(spelling, words[1], 1, std::min<NodeId>(n / 2, kMaxDegree / 2)));
}

Graph build_circulant(const std::string& spelling, const std::string& arguments) {
  std::vector<std::string> words = split(arguments, ',');
  if (words.size() < 2) {
    throw std::invalid_argument(
        fmt::format("{}: {}: expected N,S,... such as 12,1,3", one_line(spelling), in_quotes(arguments)));
  }
  const NodeId n = parse_size(spelling, words[0], 2, kMaxNodes);
  std::vector<NodeId> offsets;
  NodeId divisor = n;
  PortId degree = 0;
  for (std::size_t i = 1; i < words.size(); ++i) {
    offsets.push_back(parse_size(spelling, words[i], i == 1 ? 1 : offsets.back() + 1, n / 2));
    divisor = std::gcd(divisor, offsets.back());
    degree += 2 * offsets.back() == n ? 1 : 2;
    if (degree > kMaxDegree) {
      throw std::invalid_argument(fmt::format("{}: {}: expected offsets that give at most {} ports",
                                              one_line(spelling), in_quotes(words[i]), kMaxDegree));
    }
  }
  if (divisor != 1) {
    throw std::invalid_argument(fmt::format(
        "{}: {}: {} divides all; expected numbers without a common divisor, for a connected graph",
        one_line(spelling), in_quotes(arguments), divisor));
  }
  return circulant(n, offsets);
}

Graph build_complete(const std::string& spelling, const std::string& arguments) {
  return complete_graph(parse_size(spelling, arguments, 2, kMaxDegree + 1));
}

Graph build_product_of(const std::string& spelling, const std::string& arguments, const std::string& family,
                       Graph (*factor)(NodeId)) {
  const std::vector<NodeId> sizes = parse_dimensions(spelling, arguments);
  std::vector<Graph> factors;
  factors.reserve(sizes.size());
  for (const NodeId size : sizes) factors.push_back(factor(size));
  return cartesian_product(factors, fmt::format("{}:{}", family, fmt::join(sizes, "x")));
}

Graph build_mesh(const std::string& spelling, const std::string& arguments) {
  return build_product_of(spelling, arguments, "mesh", linear_array);
}

Graph build_torus(const std::string& spelling, const std::string& arguments) {
  return build_product_of(spelling, arguments, "torus", ring);
}

Graph build_generalized_hypercube(const std::string& spelling, const std::string& arguments) {
  for (const std::string& word : split(arguments, 'x')) parse_size(spelling, word, 2, kMaxDegree + 1);
  return build_product_of(spelling, arguments, "generalized-hypercube", complete_graph);
}

Graph build_hypercycle(const std::string& spelling, const std::string& arguments) {
  std::vector<Graph> factors;
  std::vector<std::string> canonical;
  std::uint64_t nodes = 1;
  for (const std::string& word : split(arguments, 'x')) {
    const std::vector<std::string> parts = split(word, '/');
    if (parts.size() != 2) {
      throw std::invalid_argument(
          fmt::format("{}: {}: expected N/RHO such as 8/2", one_line(spelling), in_quotes(word)));
    }
    const NodeId n = parse_size(spelling, parts[0], 2, kMaxNodes);
    const NodeId rho = parse_size(spelling, parts[1], 1, std::min<NodeId>(n / 2, kMaxDegree / 2));
    nodes *= n;
    if (nodes > kMaxNodes) {
      throw std::invalid_argument(fmt::format("{}: {}: expected sizes whose product is at most {} nodes",
                                              one_line(spelling), in_quotes(arguments), kMaxNodes));
    }
    factors.push_back(extended_ring(n, rho));
    canonical.push_back(fmt::format("{}/{}", n, rho));
  }
  return cartesian_product(factors, fmt::format("hypercycle:{}", fmt::join(canonical, "x")));
}

Graph build_hypercube(const std::string& spelling, const std::string& arguments) {
  return hypercube(parse_size(spelling, arguments, 1, 16));
}

Graph build_folded_cube(const std::string& spelling, const std::string& arguments) {
  return folded_cube(parse_size(spelling, arguments, 2, 16));
}

Graph build_doubled_cube(const std::string& spelling, const std::string& arguments) {
  return doubled_cube(parse_size(spelling, arguments, 1, 16));
}

Graph build_cube_connected_cycles(const std::string& spelling, const std::string& arguments) {
  return cube_connected_cycles(parse_size(spelling, arguments, 3, 12));
}

Graph build_butterfly(const std::string& spelling, const std::string& arguments) {
  return wrapped_butterfly(parse_size(spelling, arguments, 3, 12));
}

Graph build_star(const std::string& spelling, const std::string& arguments) {
  return star_graph(parse_size(spelling, arguments, 2, 8));
}

Graph build_tree(const std::string& spelling, const std::string& arguments) {
  const auto words = parse_words(spelling, arguments, 2, "ARITY,HEIGHT such as 2,3");
  const std::uint32_t arity = parse_size(spelling, words[0], 1, kMaxDegree - 1);
  const std::uint32_t height = parse_size(spelling, words[1], 1, kMaxNodes - 1);
  std::uint64_t level = 1, nodes = 1;
  for (std::uint32_t h = 0; h < height && nodes <= kMaxNodes; ++h) nodes += level *= arity;
  if (nodes > kMaxNodes) {
    throw std::invalid_argument(fmt::format("{}: {}: expected a tree of at most {} nodes", one_line(spelling),
                                            in_quotes(arguments), kMaxNodes));
  }
  return complete_tree(arity, height);
}

Graph build_fat_tree(const std::string& spelling, const std::string& arguments) {
  return fat_tree(parse_fat_tree(spelling, arguments));
}

Graph build_generalized_petersen(const std::string& spelling, const std::string& arguments) {
  const auto words = parse_words(spelling, arguments, 2, "N,K such as 5,2");
  const NodeId n = parse_size(spelling, words[0], 3, kMaxNodes / 2);
  return generalized_petersen(n, parse_size(spelling, words[1], 1, (n - 1) / 2));
}

Graph check_degrees(Graph graph) {
  if (graph.max_degree() > kMaxDegree) {
    throw std::invalid_argument(fmt::format("{}: a node has {} links; expected at most {}",
                                            one_line(graph.spelling()), graph.max_degree(), kMaxDegree));
  }
  return graph;
}

Graph build_random(const std::string& spelling, const std::string& arguments) {
  const auto words = parse_words(spelling, arguments, 3, "N,EDGES,SEED such as 12,20,1");
  const NodeId n = parse_size(spelling, words[0], 2, kMaxNodes);
  const std::uint64_t most =
      std::min<std::uint64_t>(std::uint64_t{n} * (n - 1) / 2, std::uint64_t{n} * kMaxDegree / 2);
  const std::uint32_t edges = parse_size(spelling, words[1], n - 1, static_cast<std::uint32_t>(most));
  return check_degrees(random_graph(n, edges, parse_size(spelling, words[2], 0, 0xffff'ffff)));
}

// "0-1,1-2": pairs of nodes, and how many nodes there are then.
std::pair<std::vector<std::pair<NodeId, NodeId>>, NodeId> parse_pairs(const std::string& spelling,
                                                                      const std::string& arguments) {
  std::vector<std::pair<NodeId, NodeId>> edges;
  NodeId nodes = 0;
  for (const std::string& word : split(arguments, ',')) {
    const std::vector<std::string> ends = split(word, '-');
    if (ends.size() != 2) {
      throw std::invalid_argument(
          fmt::format("{}: {}: expected U-V such as 0-1", one_line(spelling), in_quotes(word)));
    }
    edges.emplace_back(parse_size(spelling, ends[0], 0, kMaxNodes - 1),
                       parse_size(spelling, ends[1], 0, kMaxNodes - 1));
    nodes = std::max({nodes, edges.back().first + 1, edges.back().second + 1});
  }
  return {edges, nodes};
}

Graph build_edges(const std::string& spelling, const std::string& arguments) {
  const auto [edges, nodes] = parse_pairs(spelling, arguments);
  return check_degrees(graph_of_edges(spelling, nodes, edges));
}

Graph build_links(const std::string& spelling, const std::string& arguments) {
  const auto [links, nodes] = parse_pairs(spelling, arguments);
  return check_degrees(graph_of_links(spelling, nodes, links));
}

Graph build_petersen(const std::string&, const std::string&) {
  DistanceFormulas formulas;
  formulas.degree = [](NodeId) { return 3U; };
  formulas.eccentricity = [](NodeId) { return 2U; };
  formulas.diameter = 2;
  formulas.status = [](NodeId) { return std::uint64_t{3 + 2 * 6}; };
  formulas.total_status = 10 * (3 + 2 * 6);
  formulas.source = "the Moore graph of degree 3 and diameter 2";
  return generalized_petersen(5, 2).with_spelling("petersen").with_formulas(std::move(formulas));
}

Graph build_dgx1(const std::string&, const std::string&) { return dgx1(); }

// "D,N" of a digraph of words: D in its range, N such that the words are not too many.
std::pair<std::uint32_t, std::uint32_t> parse_word_digraph(const std::string& spelling,
                                                           const std::string& arguments,
                                                           std::uint32_t most_letters,
                                                           std::uint32_t first_letters) {
  const auto words = parse_words(spelling, arguments, 2, "D,N such as 2,3");
  const std::uint32_t d = parse_size(spelling, words[0], 2, most_letters);
  std::uint32_t longest = 1;
  for (std::uint64_t nodes = d + first_letters; nodes * d <= kMaxNodes; nodes *= d) ++longest;
  return {d, parse_size(spelling, words[1], 1, longest)};
}

Graph build_kautz(const std::string& spelling, const std::string& arguments) {
  const auto [d, n] = parse_word_digraph(spelling, arguments, 51, 1);
  return kautz_digraph(d, n);
}

Graph build_de_bruijn(const std::string& spelling, const std::string& arguments) {
  const auto [d, n] = parse_word_digraph(spelling, arguments, 52, 0);
  return de_bruijn_digraph(d, n);
}

// "ring:4,linear:3)": a comma separates factors unless a number follows, which then belongs to the factor
// before it (extended-ring:14,2).
constexpr int kMaxNesting = 16;

Graph build_product(const std::string& spelling, const std::string& arguments) {
  const auto wrong = [&](const std::string& what) {
    return std::invalid_argument(fmt::format(
        "{}: {}; expected product(A,B,...) such as product(ring:4,linear:3)", in_quotes(spelling), what));
  };
  if (!arguments.ends_with(')')) throw wrong("no closing parenthesis");
  std::vector<std::string> words(1);
  int depth = 0;
  const std::string inside = arguments.substr(0, arguments.size() - 1);
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
    factors.push_back(make_topology(word));
    canonical.push_back(factors.back().spelling());
    nodes *= factors.back().node_count();
    if (nodes > kMaxNodes) throw wrong(fmt::format("more than {} nodes", kMaxNodes));
  }
  return cartesian_product(factors, fmt::format("product({})", fmt::join(canonical, ",")));
}

// "kautz:2,3)".
Graph build_transpose(const std::string& spelling, const std::string& arguments) {
  const auto wrong = [&](const std::string& what) {
    return std::invalid_argument(
        fmt::format("{}: {}; expected transpose(A) such as transpose(kautz:2,3)", in_quotes(spelling), what));
  };
  if (!arguments.ends_with(')')) throw wrong("no closing parenthesis");
  if (std::count(arguments.begin(), arguments.end(), '(') > kMaxNesting) throw wrong("nested too deeply");
  return make_topology(arguments.substr(0, arguments.size() - 1)).transposed();
}

Graph build_from_file(const std::string& spelling, const std::string& arguments) {
  return read_graph_file(arguments, spelling);
}

}  // namespace

const std::vector<TopologyFamily>& topology_families() {
  static const std::vector<TopologyFamily> families{
      {"linear", ":N", "linear:8", "linear array: N nodes in a row", build_linear},
      {"ring", ":N", "ring:8", "linear array with its ends joined; port 0 leads clockwise", build_ring},
      {"extended-ring", ":N,RHO", "extended-ring:14,2",
       "ring with every node joined to its RHO nearest on both sides", build_extended_ring},
      {"circulant", ":N,S,...", "circulant:12,1,3", "N nodes on a circle, joined to those S, ... places away",
       build_circulant},
      {"mesh", ":AxBx...", "mesh:4x3x2", "product of linear arrays", build_mesh},
      {"torus", ":AxBx...", "torus:4x4", "product of rings", build_torus},
      {"hypercube", ":D", "hypercube:4", "2^D nodes, one bit of the address per dimension", build_hypercube},
      {"hypercycle", ":N/RHOxN/RHO...", "hypercycle:3/1x6/2", "product of extended rings", build_hypercycle},
      {"complete", ":N", "complete:8", "every node joined to every other", build_complete},
      {"generalized-hypercube", ":AxBx...", "generalized-hypercube:3x4", "product of complete graphs",
       build_generalized_hypercube},
      {"cube-connected-cycles", ":D", "cube-connected-cycles:3",
       "hypercube with a ring of D nodes for every corner", build_cube_connected_cycles},
      {"butterfly", ":D", "butterfly:3",
       "wrapped butterfly: D columns of 2^D nodes, the last joined to the first", build_butterfly},
      {"star", ":N", "star:4",
       "star graph: permutations of N symbols, joined if the first is swapped with another", build_star},
      {"folded-cube", ":D", "folded-cube:3", "hypercube with every node joined to its complement",
       build_folded_cube},
      {"doubled-cube", ":D", "doubled-cube:3", "hypercube with every edge twice: a torus of sides 2",
       build_doubled_cube},
      {"tree", ":ARITY,HEIGHT", "tree:2,3",
       "complete tree: ARITY children per node, HEIGHT levels below the root", build_tree},
      {"fat-tree", ":K,H[,CAPACITIES]", "fat-tree:2,3,exponential",
       "complete tree whose leaves process and whose inner nodes only route; the branch below level i is c_i "
       "links: "
       "constant (1), exponential (as many links per level as leaves) or C1,C2,...; K1xK2x... for arities by "
       "level",
       build_fat_tree},
      {"generalized-petersen", ":N,K", "generalized-petersen:5,2",
       "outer ring, spokes, inner nodes joined to those K places away", build_generalized_petersen},
      {"petersen", "", "petersen", "the Petersen graph, generalized-petersen:5,2", build_petersen},
      {"kautz", ":D,N", "kautz:2,3",
       "one way: words of N of D + 1 letters, neighbours in a word different; a link appends a letter and "
       "drops "
       "the first",
       build_kautz},
      {"de-bruijn", ":D,N", "de-bruijn:2,3",
       "one way: all words of N of D letters, linked in the same way, without links from a node to itself",
       build_de_bruijn},
      {"dgx-1", "", "dgx-1", "NVIDIA's DGX-1: eight processors, six links each, double links between some",
       build_dgx1},
      {"random", ":N,EDGES,SEED", "random:12,20,1",
       "connected, without parallel edges; the same for the same seed", build_random},
      {"edges", ":U-V,U-V,...", "edges:0-1,0-2,1-2,2-3",
       "the edges themselves; a pair given twice is two links", build_edges},
      {"links", ":U-V,U-V,...", "links:0-1,1-2,2-3,3-0,0-2", "one way: the links themselves, from U to V",
       build_links},
      {"product", "(A,B,...)", "product(ring:4,linear:3)", "cartesian product of any networks",
       build_product},
      {"transpose", "(A)", "transpose(kautz:2,3)", "a network with all links turned round", build_transpose},
      {"graph", ":FILE", "graph:cpp_model/graph/file/example.dot",
       "from a file: GraphML, DOT, JSON, anynet, or an edge list with a line 'u v [multiplicity]' per edge",
       build_from_file},
  };
  return families;
}

Graph make_topology(const std::string& spelling) {
  const std::size_t end = spelling.find_first_of(":(");
  const std::string word = spelling.substr(0, end), name = word == "dgx1" ? "dgx-1" : word;
  std::vector<std::string> names;
  for (const TopologyFamily& family : topology_families()) {
    if (family.name != name) {
      names.push_back(family.name);
      continue;
    }
    const bool has_arguments = end != std::string::npos;
    if (has_arguments == family.arguments.empty() ||
        (has_arguments && spelling[end] != family.arguments.front())) {
      throw std::invalid_argument(fmt::format("topology {}: expected {}{} such as {}", in_quotes(spelling),
                                              name, family.arguments, family.example));
    }
    return family.build(spelling, has_arguments ? spelling.substr(end + 1) : "");
  }
  throw std::invalid_argument(fmt::format("topology {}: no family {}; expected one of {}",
                                          in_quotes(spelling), in_quotes(name), fmt::join(names, ", ")));
}

}  // namespace safnet
