// area_table - `safnet table areas`: what a node of each kind costs in gates, flip-flops and standard cells,
// as scripts/synthesise.sh measured it.
#include <fmt/format.h>

#include <algorithm>

#include "cpp_model/graph/file/bounded_json.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/system/output_file.hpp"
#include "sim/command/invocation.hpp"
#include "sim/command/options.hpp"
#include "sim/command/tables.hpp"
#include "sim/page/table_page.hpp"
#include "sim/variant/variant_store.hpp"

namespace safnet {
namespace {

constexpr std::uintmax_t kMostBytes = 1 << 20;

struct NodeArea {
  std::string name, node, ports, words, parameters;
  std::uint64_t logic_gates = 0, registers = 0, memory_bits = 0, flip_flops = 0, depth = 0, cells = 0,
                um2 = 0, gate_equivalents = 0;
  double within = 0, to_link = 0, from_link = 0;  // ns; parts of nodes have no links
  bool has_links = false;
};

struct NodeAreas {
  std::string synthesiser, cells;
  std::vector<NodeArea> nodes;
};

// Reads the members of an object; messages say where it is.
class Members {
 public:
  Members(const nlohmann::json& object, std::string path, std::string where)
      : object_(object), wrong_(std::move(path)), where_(std::move(where)) {
    if (!object.is_object()) throw wrong_("{}: expected an object", where_);
  }
  bool has(const char* key) const { return object_.contains(key); }
  std::string word(const char* key) const {
    if (!has(key) || !object_[key].is_string()) throw wrong_("{}: expected \"{}\" to be text", where_, key);
    return printable(object_[key].get<std::string>());
  }
  std::uint64_t count(const char* key) const {
    if (!has(key) || !object_[key].is_number_unsigned())
      throw wrong_("{}: expected \"{}\" to be a whole number", where_, key);
    return object_[key].get<std::uint64_t>();
  }
  double ns(const char* key) const {
    if (!has(key) || !object_[key].is_number() || object_[key].get<double>() < 0)
      throw wrong_("{}: expected \"{}\" to be a number of ns", where_, key);
    return object_[key].get<double>();
  }

 private:
  const nlohmann::json& object_;
  BadFile wrong_;
  std::string where_;
};

NodeArea read_node(const Members& from) {
  NodeArea node{.name = from.word("name"),
                .node = from.word("node"),
                .ports = from.word("ports"),
                .words = from.word("words"),
                .parameters = from.word("parameters"),
                .logic_gates = from.count("logic_gates"),
                .registers = from.count("registers"),
                .memory_bits = from.count("memory_bits"),
                .flip_flops = from.count("flip_flops"),
                .depth = from.count("depth"),
                .cells = from.count("cells"),
                .um2 = from.count("um2"),
                .gate_equivalents = from.count("gate_equivalents"),
                .within = from.ns("ns")};
  node.has_links = from.has("ns_to_link");
  if (node.has_links) {
    node.to_link = from.ns("ns_to_link");
    node.from_link = from.ns("ns_from_link");
  }
  return node;
}

NodeAreas read_areas(const std::string& path) {
  if (const std::string why = why_no_input(path); !why.empty())
    throw bad_input("--from {}: {}; `scripts/synthesise.sh --cells` writes build/synth/nodes.json",
                    in_quotes(path), why);
  const std::string shown = one_line(path);
  const nlohmann::json json = parse_bounded_json(read_bounded_file(path, kMostBytes), shown);
  const Members head(json, shown, "areas");
  NodeAreas areas{head.word("synthesiser"), head.word("cells"), {}};
  if (areas.cells.empty())
    throw BadFile(shown)("has gates alone; expected cells, of `scripts/synthesise.sh --cells`");
  if (!head.has("nodes") || !json["nodes"].is_array() || json["nodes"].empty())
    throw BadFile(shown)("areas: expected \"nodes\" to be a list");
  for (const nlohmann::json& each : json["nodes"])
    areas.nodes.push_back(read_node(Members(each, shown, fmt::format("node {}", areas.nodes.size() + 1))));
  return areas;
}

// The nodes whose names are among the words, or all.
void choose_nodes(NodeAreas& areas, const std::vector<std::string>& words) {
  if (words.empty()) return;
  for (const std::string& word : words) {
    if (std::ranges::none_of(areas.nodes,
                             [&](const NodeArea& each) { return each.name == word || each.node == word; })) {
      std::vector<std::string> names;
      for (const NodeArea& each : areas.nodes) names.push_back(each.name);
      throw bad_input("table areas {}: expected a node: {}", in_quotes(word), fmt::join(names, ", "));
    }
  }
  std::erase_if(areas.nodes, [&](const NodeArea& each) {
    return std::ranges::find(words, each.name) == words.end() &&
           std::ranges::find(words, each.node) == words.end();
  });
}

std::string across(const NodeArea& node) {
  if (!node.has_links) return "none";
  return fmt::format("{:.1f} = {:.1f} + {:.1f}", node.to_link + node.from_link, node.to_link, node.from_link);
}

Table table_of(const NodeAreas& areas) {
  Table table{{"node", "kind", "port model", "remark", "parameters", "logic gates", "depth", "registers",
               "memory bits", "flip-flops", "cells", "um2", "gate equivalents", "ns within",
               "ns across a link"}};
  for (const NodeArea& each : areas.nodes) {
    table.add(each.name, each.node, each.ports.empty() ? "none" : each.ports, each.words, each.parameters,
              each.logic_gates, each.depth, each.registers, each.memory_bits, each.flip_flops, each.cells,
              each.um2, each.gate_equivalents, fixed(each.within, 1), across(each));
  }
  return table;
}

// The same with these columns alone, in this order.
Table with_columns(const Table& table, const std::vector<std::string>& columns) {
  Table chosen{columns, std::vector<std::vector<std::string>>(table.rows.size())};
  for (const std::string& column : columns) {
    const auto at =
        static_cast<std::size_t>(std::ranges::find(table.columns, column) - table.columns.begin());
    for (std::size_t i = 0; i < table.rows.size(); ++i) chosen.rows[i].push_back(table.rows[i][at]);
  }
  return chosen;
}

std::string page_of(const NodeAreas& areas, const std::string& source, bool with_index) {
  TableOfPage page;
  page.title = "Area of each node";
  page.headline = fmt::format(
      "An estimate: the nodes in standard cells ({}), typical corner, before layout and without wires, by {} "
      "and OpenSTA. Areas differ by 2 % and delays by 10 % when only names change. {}",
      areas.cells, areas.synthesiser, source);
  page.command = "make synth; " + invocation();
  page.columns = {{.title = "node"},
                  {.title = "kind", .facet = true},
                  {.title = "port model", .facet = true},
                  {.title = "logic gates", .number = true},
                  {.title = "registers", .number = true},
                  {.title = "memory bits", .number = true},
                  {.title = "flip-flops", .number = true},
                  {.title = "cells", .number = true},
                  {.title = "um2", .number = true, .bar = true},
                  {.title = "ns within", .number = true},
                  {.title = "ns across a link", .number = true},
                  {.title = "remark"},
                  {.title = "parameters", .wide = true}};
  std::vector<std::string> titles;
  for (const TableOfPage::Column& column : page.columns) titles.push_back(column.title);
  for (std::vector<std::string>& row : with_columns(table_of(areas), titles).rows)
    page.rows.push_back({.cells = std::move(row)});
  page.notes = {
      "Logic gates are two-input gates, inverters and multiplexers of Yosys' own library. Registers are "
      "flip-flops outside memories. Memories are built from flip-flops and multiplexers, as without a memory "
      "generator: flip-flops counts both.",
      "um2 is the area of the cells; ns within: the longest path from register to register; ns "
      "across a link: from a register to an output plus from an input to a register of the next node, over a "
      "link of latency 0, which the period of the clock must hold together.",
      "The parameters are small ones; other numbers of ports, lengths of queues or widths cost otherwise. "
      "scripts/synthesise.sh --cells pifo_node Radix=8, for example, synthesises others."};
  page.with_index = with_index;
  return table_page(page);
}

int areas_table(const std::string& from, const TableWords& words) {
  const std::string kept = VariantStore::standard().rtl_folder() + "/node_areas.json";
  NodeAreas areas = read_areas(from.empty() ? kept : from);
  choose_nodes(areas, words.of);
  const std::string source =
      from.empty()
          ? "The figures are not measured for this page but kept in rtl/node_areas.json, which `make synth` "
            "renews. Every `make test` synthesises the present RTL as far as gates and fails if its "
            "flip-flops "
            "or memories are not those of the file, or its gates are more than 2 % apart; cells and delays "
            "it "
            "does not measure again."
          : fmt::format("The figures are those of {}, as scripts/synthesise.sh wrote them.", one_line(from));
  const Table table = table_of(areas);
  fmt::print("{}, {}; an estimate, before layout and without wires\n\n{}", areas.synthesiser, areas.cells,
             to_text(with_columns(
                 table, {"node", "kind", "port model", "logic gates", "depth", "registers", "memory bits",
                         "flip-flops", "cells", "um2", "ns within", "ns across a link"})));
  if (from.empty()) fmt::print("\nkept in rtl/node_areas.json, which `make synth` renews\n");
  if (words.csv && !words.csv->empty()) write_whole_file(*words.csv, to_csv(table));
  if (words.html && !words.html->empty())
    write_whole_file(*words.html, page_of(areas, source, words.in_folder));
  return 0;
}

}  // namespace

Action declare_areas(CLI::App& command, std::shared_ptr<const TableWords> words) {
  auto from = std::make_shared<std::string>();
  command.add_option(
      "--from", *from,
      "areas: a file of `scripts/synthesise.sh --cells`, such as build/synth/nodes.json; default: "
      "rtl/node_areas.json");
  return [from, words] { return areas_table(*from, *words); };
}

}  // namespace safnet
