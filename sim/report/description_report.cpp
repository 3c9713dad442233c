#include "sim/report/description_report.hpp"

#include "cpp_model/graph/recognise/known_network.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

// In lowest terms: "255/8", "10".
std::string fraction(std::uint64_t numerator, std::uint64_t denominator) {
  return Rational(numerator, denominator).str();
}

constexpr const char* kLeftOut = "left out: a search from every node would take too long";

// "16, the same by formula", "left out: ...; by formula 16", ...
std::string shown(const FoundAndPublished& value, std::uint64_t divisor = 1) {
  const std::string found = value.found ? fraction(*value.found, divisor) : kLeftOut;
  if (!value.published) return found;
  if (value.found && value.agrees()) return found + ", the same by formula";
  return fmt::format("{}{}; by formula {}", found, value.agrees() ? "" : ", WHICH DIFFERS",
                     fraction(*value.published, divisor));
}

void add_levels(TextReport& text, const FatTree& tree) {
  constexpr const char* kColumns = "{:>5} {:>6} {:>6} {:>6} {:>9} {:>6}{}";
  const auto row = [&](const char* name, const auto&... words) {
    text.line(name, "{}", fmt::format(fmt::runtime(kColumns), words...));
  };
  row("levels", "level", "nodes", "arity", "ports", "capacity", "edges", "");
  for (std::uint32_t level = tree.height(); level > 0; --level) {
    const std::uint64_t below = std::uint64_t{tree.arity(level)} * tree.capacity(level);
    const std::uint64_t above = level < tree.height() ? tree.capacity(level + 1) : 0;
    row("", level, tree.nodes_of(level), tree.arity(level), below + above, tree.capacity(level),
        below * tree.nodes_of(level), "");
  }
  row("", 0, tree.nodes_of(0), "-", tree.height() > 0 ? tree.capacity(1) : 0, "-", "-", "  (leaves)");
}

void add_cuts(TextReport& text, const Graph& graph, const std::vector<HalvingCut>& cuts) {
  for (std::size_t first = 0, last = 0; first < cuts.size(); first = last + 1) {
    const HalvingCut& cut = cuts[first];
    for (last = first; last + 1 < cuts.size() && cut.is_like(cuts[last + 1]);) ++last;
    text.line(first == 0 ? "halving cuts" : "", "{} edges across the middle of {}", cut.edges,
              graph.factors().empty() ? "the numbering"
              : last > first ? fmt::format("each of {} dimensions of size {}", last - first + 1, cut.size)
                             : fmt::format("dimension {}, of size {}", cut.dimension, cut.size));
  }
}

// How many pairs of nodes there are at each distance; of many distances the first and the last few.
void add_pairs(TextReport& text, const Graph& graph, const std::vector<std::uint64_t>& pairs) {
  constexpr std::size_t kFirst = 16, kLast = 3;
  const std::size_t distances = pairs.size() - 1;
  std::size_t first = 1;
  while (first < distances && pairs[first] == 0) ++first;
  for (std::size_t distance = 1; distance <= distances; ++distance) {
    if (distances > kFirst + kLast && distance == kFirst + 1) {
      text.line("", "...");
      distance = distances - kLast + 1;
    }
    if (graph.has_routers() && pairs[distance] == 0) continue;
    text.line(distance == first ? graph.has_one_way_links() ? "ordered pairs" : "node pairs" : "",
              "{} at distance {}", pairs[distance], distance);
  }
}

Json to_json(const FoundAndPublished& value) {
  return {{"search", or_null(value.found)}, {"formula", or_null(value.published)}};
}

Json levels_json(const Graph& graph, const FatTree& tree) {
  Json levels = Json::array();
  for (std::uint32_t level = 0; level <= tree.height(); ++level) {
    Json row{{"level", level}, {"nodes", tree.nodes_of(level)}};
    if (level > 0) {
      row.update({{"arity", tree.arity(level)},
                  {"capacity", tree.capacity(level)},
                  {"edges", std::uint64_t{tree.nodes_of(level)} * tree.arity(level) * tree.capacity(level)}});
    }
    row["ports"] = graph.degree(tree.node(level, 0));
    levels.push_back(std::move(row));
  }
  return levels;
}

}  // namespace

std::string to_text(const NetworkDescription& d) {
  const Graph& graph = d.graph;
  const Graph& shape = as_known(graph);
  TextReport text(one_line(graph.spelling()), 16);
  add_known(text, graph);
  const NodeId routers = graph.node_count() - graph.processor_count();
  text.line("nodes", "{}{}", graph.node_count(),
            routers == 0 ? "" : fmt::format(": {} processors, {} routers", graph.processor_count(), routers));
  text.line("links", "{}, {}", graph.link_count(),
            graph.has_one_way_links() ? "one way each"
                                      : fmt::format("{} full-duplex edges", graph.link_count() / 2));
  text.line("degree", "{}{}", degrees_in_words(graph),
            !d.degree.agrees() ? fmt::format("; of a node {}, WHICH DIFFERS; by formula {}", *d.degree.found,
                                             *d.degree.published)
            : d.degree.published ? ", the same by formula"
                                 : "");
  text.line("hardware", "nodes of {} ports", d.radix);
  if (d.tree) add_levels(text, *d.tree);
  if (d.bisection) {
    text.line("bisection", "{} full-duplex edges part the {} processors into halves", *d.bisection,
              graph.processor_count());
  }
  text.line("Cayley graph", "{}", shape.translations() ? "yes" : "not built as one");
  add_cuts(text, shape, d.cuts);
  text.line("diameter", "{}", shown(d.diameter));
  text.line("status of 0", "{}", shown(d.status));
  text.line("average status", "{}", shown(d.total_status, graph.processor_count()));
  if (graph.has_routers()) {
    const std::uint64_t total = d.total_status.found ? *d.total_status.found : *d.total_status.published;
    text.line("mean distance", "{}",
              fraction(total, std::uint64_t{graph.processor_count()} * (graph.processor_count() - 1)));
    text.line("", "(diameter, status and pairs: between processors only)");
  }
  if (!graph.formulas().source.empty()) text.line("formulas", "{}", graph.formulas().source);
  if (!d.pairs) text.line("node pairs", "{}", kLeftOut);
  if (d.pairs) add_pairs(text, graph, *d.pairs);
  return text.text();
}

Json to_json(const NetworkDescription& d) {
  const Graph& graph = d.graph;
  const Graph& shape = as_known(graph);
  Json json{{"topology", printable(graph.spelling())}, {"nodes", graph.node_count()}};
  add_known(json, graph);
  if (graph.has_routers()) {
    json.update(
        {{"processors", graph.processor_count()}, {"routers", graph.node_count() - graph.processor_count()}});
  }
  json.update({{"links", graph.link_count()},
               {"one_way_links", graph.has_one_way_links()},
               {"min_degree", graph.min_degree()},
               {"max_degree", graph.max_degree()},
               {"radix", d.radix},
               {"cayley", shape.translations().has_value()},
               {"halving_cuts", json_array(d.cuts, [](const HalvingCut& cut) {
                  return Json{{"dimension", cut.dimension}, {"size", cut.size}, {"edges", cut.edges}};
                })}});
  if (d.tree) json["levels"] = levels_json(graph, *d.tree);
  if (d.bisection) json["bisection_width"] = *d.bisection;
  const std::optional<std::uint64_t> total =
      d.total_status.found ? d.total_status.found : d.total_status.published;
  json.update({{"degree_of_node_0", to_json(d.degree)},
               {"diameter", to_json(d.diameter)},
               {"status_of_node_0", to_json(d.status)},
               {"total_status", to_json(d.total_status)},
               {"average_status", total ? Json(fraction(*total, graph.processor_count())) : Json()},
               {"formulas", graph.formulas().source},
               {"formulas_agree", d.agrees()},
               {"node_pairs_at_distance", or_null(d.pairs)}});
  if (d.pairs) json["node_pairs_at_distance"][0] = 0;
  return json;
}

}  // namespace safnet
