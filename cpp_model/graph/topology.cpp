#include "cpp_model/graph/topology.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

constexpr std::uintmax_t kMaxFileBytes = std::uintmax_t{64} << 20;

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

// Translations of the group of integers modulo n.
Translations cyclic_translations(NodeId n) {
  return {[n](NodeId v, NodeId x) { return (v + x) % n; },
          [n](NodeId v, NodeId x) { return (x + n - v) % n; }};
}

Graph linear_array(NodeId n) {
  std::vector<std::vector<Endpoint>> ports(n);
  // The port toward the lower neighbour is the last one: port 1, at the upper end port 0.
  for (NodeId v = 0; v < n; ++v) {
    if (v + 1 < n) ports[v].push_back({v + 1, v + 2 < n ? PortId{1} : PortId{0}});
    if (v > 0) ports[v].push_back({v - 1, 0});
  }
  Graph graph(fmt::format("linear:{}", n), std::move(ports));
  return n == 2 ? graph.with_translations(cyclic_translations(2)) : graph;
}

Graph ring(NodeId n) {
  // Two nodes have one edge between them, not two (thesis 2.1.1).
  if (n == 2) return linear_array(2).with_spelling("ring:2");
  std::vector<std::vector<Endpoint>> ports(n);
  for (NodeId v = 0; v < n; ++v) ports[v] = {{(v + 1) % n, 1}, {(v + n - 1) % n, 0}};
  return Graph(fmt::format("ring:{}", n), std::move(ports)).with_translations(cyclic_translations(n));
}

Graph build_linear(const std::string& spelling, const std::string& arguments) {
  return linear_array(parse_size(spelling, arguments, 2, kMaxNodes));
}

Graph build_ring(const std::string& spelling, const std::string& arguments) {
  return ring(parse_size(spelling, arguments, 2, kMaxNodes));
}

Graph build_product(const std::string& spelling, const std::string& arguments, const std::string& family,
                    Graph (*factor)(NodeId)) {
  const std::vector<NodeId> sizes = parse_dimensions(spelling, arguments);
  std::vector<Graph> factors;
  factors.reserve(sizes.size());
  for (const NodeId size : sizes) factors.push_back(factor(size));
  return cartesian_product(factors, fmt::format("{}:{}", family, fmt::join(sizes, "x")));
}

Graph build_mesh(const std::string& spelling, const std::string& arguments) {
  return build_product(spelling, arguments, "mesh", linear_array);
}

Graph build_torus(const std::string& spelling, const std::string& arguments) {
  return build_product(spelling, arguments, "torus", ring);
}

Graph build_hypercube(const std::string& spelling, const std::string& arguments) {
  const std::uint32_t dimensions = parse_size(spelling, arguments, 1, 16);
  const std::vector<Graph> factors(dimensions, linear_array(2));
  const auto exclusive_or = [](NodeId v, NodeId x) { return v ^ x; };
  return cartesian_product(factors, fmt::format("hypercube:{}", dimensions))
      .with_translations({exclusive_or, exclusive_or});
}

Graph build_from_file(const std::string& spelling, const std::string& arguments) {
  return read_edge_list(arguments, spelling);
}

}  // namespace

const std::vector<TopologyFamily>& topology_families() {
  static const std::vector<TopologyFamily> families{
      {"linear", "N", "linear:8", "linear array: N nodes in a row", build_linear},
      {"ring", "N", "ring:8", "linear array with its ends joined; port 0 leads clockwise", build_ring},
      {"mesh", "AxBx...", "mesh:4x3x2", "product of linear arrays", build_mesh},
      {"torus", "AxBx...", "torus:4x4", "product of rings", build_torus},
      {"hypercube", "D", "hypercube:4", "2^D nodes, one bit of the address per dimension", build_hypercube},
      {"graph", "FILE", "graph:edges.txt",
       "edge list: a line 'u v [multiplicity]' per edge, # starts a comment", build_from_file},
  };
  return families;
}

Graph make_topology(const std::string& spelling) {
  const std::size_t colon = spelling.find(':');
  const std::string name = spelling.substr(0, colon);
  std::vector<std::string> names;
  for (const TopologyFamily& family : topology_families()) {
    if (family.name != name) {
      names.push_back(family.name);
      continue;
    }
    if (colon == std::string::npos) {
      throw std::invalid_argument(fmt::format("topology {}: expected {}:{} such as {}", in_quotes(spelling),
                                              name, family.arguments, family.example));
    }
    return family.build(spelling, spelling.substr(colon + 1));
  }
  throw std::invalid_argument(fmt::format("topology {}: no family {}; expected one of {}",
                                          in_quotes(spelling), in_quotes(name), fmt::join(names, ", ")));
}

Graph read_edge_list(const std::string& path, std::string spelling) {
  const std::string shown = one_line(path);
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status))
    throw std::invalid_argument(fmt::format("file {}: not found", in_quotes(path)));
  if (!std::filesystem::is_regular_file(status)) {
    throw std::invalid_argument(fmt::format("file {}: expected a regular file", in_quotes(path)));
  }
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  if (error || bytes > kMaxFileBytes) {
    throw std::invalid_argument(
        fmt::format("file {}: expected at most {} bytes", in_quotes(path), kMaxFileBytes));
  }
  std::ifstream file(path);
  if (!file) throw std::invalid_argument(fmt::format("file {}: cannot be read", in_quotes(path)));

  std::vector<std::vector<Endpoint>> ports;
  std::map<std::pair<NodeId, NodeId>, std::size_t> line_of_edge;
  std::string line;
  for (std::size_t number = 1; std::getline(file, line); ++number) {
    const auto wrong = [&](const std::string& what) {
      return std::invalid_argument(fmt::format("{}:{}: {}", shown, number, what));
    };
    line.erase(std::min(line.find('#'), line.size()));
    std::istringstream stream(line);
    std::vector<std::string> words;
    for (std::string word; words.size() < 5 && stream >> word;) words.push_back(word);
    if (words.empty()) continue;
    if (words.size() < 2 || words.size() > 4) {
      throw wrong(fmt::format("{}: expected 'u v [multiplicity]'", in_quotes(line)));
    }
    if (words.size() == 4) {
      throw wrong(
          fmt::format("latency {}: a latency per link is not supported; expected 'u v [multiplicity]'",
                      in_quotes(words[3])));
    }
    std::pair<NodeId, NodeId> edge;
    for (NodeId* end : {&edge.first, &edge.second}) {
      const std::string& word = end == &edge.first ? words[0] : words[1];
      const std::optional<std::uint64_t> value = parse_decimal(word);
      if (!value || *value >= kMaxNodes) {
        throw wrong(fmt::format("node {}: expected 0 to {}", in_quotes(word), kMaxNodes - 1));
      }
      *end = static_cast<NodeId>(*value);
    }
    const auto [u, v] = edge;
    if (u == v) throw wrong(fmt::format("edge {} {}: a node cannot be connected to itself", u, v));
    std::uint64_t multiplicity = 1;
    if (words.size() == 3) {
      const std::optional<std::uint64_t> value = parse_decimal(words[2]);
      if (!value || *value < 1 || *value > kMaxDegree) {
        throw wrong(fmt::format("multiplicity {}: expected 1 to {}", in_quotes(words[2]), kMaxDegree));
      }
      multiplicity = *value;
    }
    const auto [first, is_new] = line_of_edge.try_emplace(std::minmax(u, v), number);
    if (!is_new) {
      throw wrong(fmt::format("edge {} {}: given in line {} already; expected a multiplicity there", u, v,
                              first->second));
    }
    if (ports.size() <= std::max(u, v)) ports.resize(std::max(u, v) + 1);
    for (std::uint64_t i = 0; i < multiplicity; ++i) {
      const auto port_u = static_cast<PortId>(ports[u].size());
      const auto port_v = static_cast<PortId>(ports[v].size());
      if (port_u >= kMaxDegree || port_v >= kMaxDegree) {
        throw wrong(fmt::format("edge {} {}: node {} has more than {} links", u, v,
                                port_u >= kMaxDegree ? u : v, kMaxDegree));
      }
      ports[u].push_back({v, port_v});
      ports[v].push_back({u, port_u});
    }
  }
  if (file.bad()) throw std::invalid_argument(fmt::format("file {}: cannot be read", in_quotes(path)));
  if (ports.empty())
    throw std::invalid_argument(fmt::format("file {}: no edges; expected lines 'u v'", in_quotes(path)));
  return Graph(std::move(spelling), std::move(ports));
}

}  // namespace safnet
