#include "sim/command/describe_command.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <vector>

#include "cpp_model/graph/distance_count.hpp"
#include "cpp_model/graph/family/fat_tree.hpp"
#include "cpp_model/graph/family/fat_tree_bisection.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/graph/topology.hpp"

namespace safnet {
namespace {

// A few seconds of searching.
constexpr std::uint64_t kMaxVisits = 600'000'000;

// What was found, beside what was published; either may be missing.
struct Value {
  std::optional<std::uint64_t> found;
  std::optional<std::uint64_t> published;
  bool agrees() const { return !found || !published || *found == *published; }
};

// A cut that halves one dimension.
struct Cut {
  std::size_t dimension = 0;
  NodeId size = 0;
  std::uint64_t edges = 0;
  bool is_like(const Cut& other) const { return size == other.size && edges == other.edges; }
};

struct Description {
  Graph graph;
  PortId radix = 0;
  Value degree, diameter, status, total_status;
  std::vector<Cut> cuts;
  std::optional<FatTree> tree;
  std::optional<std::uint64_t> bisection;           // of a fat tree's leaves
  std::optional<std::vector<std::uint64_t>> pairs;  // at [distance]; unordered, but with one-way links
  bool agrees() const {
    return degree.agrees() && diameter.agrees() && status.agrees() && total_status.agrees();
  }
};

// The narrowest node of the hardware that has enough ports.
PortId radix_class(PortId degree) {
  PortId radix = 4;
  while (radix < degree) radix *= 2;
  return radix;
}

// Edges between the lower and the upper half of each dimension of even size; families of edges only.
std::vector<Cut> cuts_of(const Graph& graph) {
  std::vector<Graph> dimensions = graph.factors();
  // Only where the numbers of the nodes are places in a row or on a circle.
  const auto has_halves = [](const Graph& g) {
    return g.node_count() % 2 == 0 && order_of_nodes(g) != TopologyFamily::Order::kNone;
  };
  if (dimensions.empty()) dimensions.push_back(graph);
  std::vector<Cut> cuts;
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    const Graph& dimension = dimensions[i];
    if (!has_halves(dimension)) continue;
    const NodeId size = dimension.node_count();
    std::uint64_t crossing = 0;
    for (NodeId v = 0; v < size / 2; ++v) {
      for (PortId p = 0; p < dimension.degree(v); ++p)
        crossing += dimension.peer(v, p).node >= size / 2 ? 1 : 0;
    }
    cuts.push_back({i, size, crossing * (graph.node_count() / size)});
  }
  return cuts;
}

// Pairs of processors at each distance, ordered; nothing if that takes more than kMaxVisits.
std::optional<std::vector<std::uint64_t>> count_processor_distances(const Graph& graph) {
  const NodeId processors = graph.processor_count();
  if (processors * (graph.node_count() + graph.link_count()) > kMaxVisits) return std::nullopt;
  std::vector<std::uint64_t> pairs(1);
  for (NodeId v = 0; v < processors; ++v) {
    const std::vector<std::uint32_t> distance = graph.distances_from(v);
    for (NodeId u = 0; u < processors; ++u) {
      if (distance[u] >= pairs.size()) pairs.resize(distance[u] + 1);
      ++pairs[distance[u]];
    }
  }
  return pairs;
}

// Distances between processors alone; how they are parted.
void describe_processors(Description& d) {
  const Graph& graph = d.graph;
  const std::vector<std::uint32_t> distance = graph.distances_from(0);
  d.status.found =
      std::accumulate(distance.begin(), distance.begin() + graph.processor_count(), std::uint64_t{0});
  if (d.tree) {
    d.bisection = leaf_bisection_width(*d.tree);
    d.diameter.published = 2 * d.tree->height();
    d.status.published = 0;
    for (std::uint32_t i = 1; i <= d.tree->height(); ++i)
      *d.status.published += std::uint64_t{2} * i * (d.tree->leaves_below(i) - d.tree->leaves_below(i - 1));
    d.total_status.published = *d.status.published * d.tree->leaves();
  }
  d.pairs = count_processor_distances(graph);
  if (!d.pairs) return;
  d.diameter.found = d.pairs->size() - 1;
  d.total_status.found = 0;
  for (std::size_t i = 0; i < d.pairs->size(); ++i) *d.total_status.found += i * d.pairs->at(i);
  for (std::uint64_t& count : *d.pairs) count /= 2;
}

Description description_of(Graph graph) {
  Description result{.graph = graph,
                     .radix = radix_class(graph.max_degree()),
                     .degree = {},
                     .diameter = {},
                     .status = {},
                     .total_status = {},
                     .cuts = cuts_of(graph),
                     .tree = fat_tree_shape(graph),
                     .bisection = {},
                     .pairs = {}};
  const DistanceFormulas& formulas = graph.formulas();
  // Node 0 stands for all, unless another does not agree.
  for (NodeId v = 0; v < graph.node_count() && result.degree.agrees(); ++v) {
    if (v > 0 && (!formulas.degree || formulas.degree(v) == graph.degree(v))) continue;
    result.degree.found = graph.degree(v);
    if (formulas.degree) result.degree.published = formulas.degree(v);
  }
  if (graph.has_routers()) {
    describe_processors(result);
    return result;
  }
  const std::vector<std::uint32_t> distance = graph.distances_from(0);
  result.status.found = std::accumulate(distance.begin(), distance.end(), std::uint64_t{0});
  if (formulas.status) result.status.published = formulas.status(0);
  result.diameter.published = formulas.diameter;
  result.total_status.published = formulas.total_status;
  result.pairs = count_distances(graph, kMaxVisits);
  if (!result.pairs) return result;
  result.diameter.found = result.pairs->size() - 1;
  result.total_status.found = 0;
  for (std::size_t d = 0; d < result.pairs->size(); ++d)
    *result.total_status.found += d * result.pairs->at(d);
  if (!graph.has_one_way_links()) {
    for (std::uint64_t& count : *result.pairs) count /= 2;
  }
  return result;
}

std::string fraction(std::uint64_t numerator, std::uint64_t denominator) {
  const std::uint64_t divisor = std::gcd(numerator, denominator);
  if (denominator == divisor) return fmt::format("{}", numerator / divisor);
  return fmt::format("{}/{}", numerator / divisor, denominator / divisor);
}

// "16, as by formula", "left out; by formula: 16", ...
std::string shown(const Value& value, std::uint64_t divisor = 1) {
  const std::string found = value.found ? fraction(*value.found, divisor)
                                        : "left out: a search from every node would take too long";
  if (!value.published) return found;
  const std::string published = fraction(*value.published, divisor);
  if (value.found && value.agrees()) return found + ", the same by formula";
  return fmt::format("{}{}; by formula {}", found, value.agrees() ? "" : ", WHICH DIFFERS", published);
}

void print_levels(const FatTree& tree) {
  fmt::print("  {:<15} {:>5} {:>6} {:>6} {:>6} {:>9} {:>6}\n", "levels", "level", "nodes", "arity", "ports",
             "capacity", "edges");
  for (std::uint32_t level = tree.height() + 1; level-- > 0;) {
    const std::uint64_t below = level > 0 ? std::uint64_t{tree.arity(level)} * tree.capacity(level) : 0;
    const std::uint64_t above = level < tree.height() ? tree.capacity(level + 1) : 0;
    const auto or_none = [&](std::uint64_t value) { return level > 0 ? fmt::format("{}", value) : "-"; };
    fmt::print("  {:<15} {:>5} {:>6} {:>6} {:>6} {:>9} {:>6}{}\n", "", level, tree.nodes_of(level),
               or_none(level > 0 ? tree.arity(level) : 0), below + above,
               or_none(level > 0 ? tree.capacity(level) : 0), or_none(below * tree.nodes_of(level)),
               level == 0 ? "  (leaves)" : "");
  }
}

void print_text(const Description& d) {
  const Graph& graph = d.graph;
  const auto line = [](const char* name, const std::string& text) {
    fmt::print("  {:<15} {}\n", name, text);
  };
  fmt::print("{}\n", one_line(graph.spelling()));
  line("nodes", graph.has_routers()
                    ? fmt::format("{}: {} processors, {} routers", graph.node_count(),
                                  graph.processor_count(), graph.node_count() - graph.processor_count())
                    : fmt::format("{}", graph.node_count()));
  line("links", graph.has_one_way_links()
                    ? fmt::format("{}, one way each", graph.link_count())
                    : fmt::format("{}, {} full-duplex edges", graph.link_count(), graph.link_count() / 2));
  std::string degree = graph.min_degree() == graph.max_degree()
                           ? fmt::format("{}", graph.max_degree())
                           : fmt::format("{} to {}", graph.min_degree(), graph.max_degree());
  if (!d.degree.agrees()) {
    degree +=
        fmt::format("; of a node {}, WHICH DIFFERS; by formula {}", *d.degree.found, *d.degree.published);
  } else if (d.degree.published) {
    degree += ", the same by formula";
  }
  line("degree", degree);
  line("hardware", fmt::format("nodes of {} ports", d.radix));
  if (d.tree) print_levels(*d.tree);
  if (d.bisection) {
    line("bisection", fmt::format("{} full-duplex edges part the {} processors into halves", *d.bisection,
                                  graph.processor_count()));
  }
  line("Cayley graph", graph.translations() ? "yes" : "not built as one");
  for (std::size_t first = 0, last = 0; first < d.cuts.size(); first = last + 1) {
    const Cut& cut = d.cuts[first];
    for (last = first; last + 1 < d.cuts.size() && cut.is_like(d.cuts[last + 1]);) ++last;
    line(first == 0 ? "halving cuts" : "",
         fmt::format("{} edges across the middle of {}", cut.edges,
                     graph.factors().empty() ? "the numbering"
                     : last > first
                         ? fmt::format("each of {} dimensions of size {}", last - first + 1, cut.size)
                         : fmt::format("dimension {}, of size {}", cut.dimension, cut.size)));
  }
  line("diameter", shown(d.diameter));
  line("status of 0", shown(d.status));
  line("average status", shown(d.total_status, graph.processor_count()));
  if (graph.has_routers()) {
    const std::uint64_t total = d.total_status.found ? *d.total_status.found : *d.total_status.published;
    line("mean distance",
         fraction(total, std::uint64_t{graph.processor_count()} * (graph.processor_count() - 1)));
    line("", "(diameter, status and pairs: between processors only)");
  }
  if (!graph.formulas().source.empty()) line("formulas", graph.formulas().source);
  if (!d.pairs) {
    line("node pairs", "left out: a search from every node would take too long");
    return;
  }
  constexpr std::size_t kFirst = 16, kLast = 3;
  const std::size_t distances = d.pairs->size() - 1;
  std::size_t first = 1;
  while (first < distances && d.pairs->at(first) == 0) ++first;
  for (std::size_t distance = 1; distance <= distances; ++distance) {
    if (distances > kFirst + kLast && distance == kFirst + 1) {
      line("", "...");
      distance = distances - kLast + 1;
    }
    if (graph.has_routers() && d.pairs->at(distance) == 0) continue;
    line(distance == first ? graph.has_one_way_links() ? "ordered pairs" : "node pairs" : "",
         fmt::format("{} at distance {}", d.pairs->at(distance), distance));
  }
}

nlohmann::ordered_json to_json(const Value& value) {
  nlohmann::ordered_json json;
  json["search"] = value.found ? nlohmann::ordered_json(*value.found) : nlohmann::ordered_json();
  json["formula"] = value.published ? nlohmann::ordered_json(*value.published) : nlohmann::ordered_json();
  return json;
}

nlohmann::ordered_json to_json(const Description& d) {
  const Graph& graph = d.graph;
  nlohmann::ordered_json json;
  json["topology"] = printable(graph.spelling());
  json["nodes"] = graph.node_count();
  if (graph.has_routers()) {
    json["processors"] = graph.processor_count();
    json["routers"] = graph.node_count() - graph.processor_count();
  }
  json["links"] = graph.link_count();
  json["one_way_links"] = graph.has_one_way_links();
  json["min_degree"] = graph.min_degree();
  json["max_degree"] = graph.max_degree();
  json["radix"] = d.radix;
  json["cayley"] = graph.translations().has_value();
  json["halving_cuts"] = nlohmann::ordered_json::array();
  for (const Cut& cut : d.cuts)
    json["halving_cuts"].push_back({{"dimension", cut.dimension}, {"size", cut.size}, {"edges", cut.edges}});
  if (d.tree) {
    json["levels"] = nlohmann::ordered_json::array();
    for (std::uint32_t level = 0; level <= d.tree->height(); ++level) {
      nlohmann::ordered_json row{{"level", level}, {"nodes", d.tree->nodes_of(level)}};
      if (level > 0) {
        row["arity"] = d.tree->arity(level);
        row["capacity"] = d.tree->capacity(level);
        row["edges"] =
            std::uint64_t{d.tree->nodes_of(level)} * d.tree->arity(level) * d.tree->capacity(level);
      }
      row["ports"] = graph.degree(d.tree->node(level, 0));
      json["levels"].push_back(std::move(row));
    }
  }
  if (d.bisection) json["bisection_width"] = *d.bisection;
  json["degree_of_node_0"] = to_json(d.degree);
  json["diameter"] = to_json(d.diameter);
  json["status_of_node_0"] = to_json(d.status);
  json["total_status"] = to_json(d.total_status);
  const std::optional<std::uint64_t> total =
      d.total_status.found ? d.total_status.found : d.total_status.published;
  json["average_status"] =
      total ? nlohmann::ordered_json(fraction(*total, graph.processor_count())) : nlohmann::ordered_json();
  json["formulas"] = graph.formulas().source;
  json["formulas_agree"] = d.agrees();
  json["node_pairs_at_distance"] = nullptr;
  if (d.pairs) {
    json["node_pairs_at_distance"] = *d.pairs;
    json["node_pairs_at_distance"][0] = 0;
  }
  return json;
}

}  // namespace

int describe_command(const std::string& topology, bool json) {
  const Description description = description_of(make_topology(topology));
  if (json) {
    fmt::print("{}\n", to_json(description).dump());
  } else {
    print_text(description);
  }
  return description.agrees() ? 0 : 1;
}

}  // namespace safnet
