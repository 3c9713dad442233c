// finite_queue_table - `safnet table finite-queues`: what shallow queues cost on fat trees, measured on the
// hardware.
#include <fmt/format.h>

#include <array>
#include <memory>
#include <stdexcept>

#include "cpp_model/graph/family/fat_tree.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/system/output_file.hpp"
#include "sim/command/options.hpp"
#include "sim/command/parallel_runs.hpp"
#include "sim/command/progress_line.hpp"
#include "sim/command/tables.hpp"
#include "sim/machine/limits.hpp"
#include "sim/page/markup.hpp"
#include "sim/run/run.hpp"

namespace safnet {
namespace {

struct Traffic {
  CollectiveKind collective;
  const char* algorithm;
};
constexpr std::array kTraffic{Traffic{CollectiveKind::kMultinodeBroadcast, "flooding"},
                              Traffic{CollectiveKind::kMultinodeBroadcast, "flooding-from-above-first"},
                              Traffic{CollectiveKind::kMultinodeBroadcast, "flooding-from-below-first"},
                              Traffic{CollectiveKind::kTotalExchange, "digit-order"},
                              Traffic{CollectiveKind::kTotalExchange, "ascending-order"}};

// Packets and slots of a row: they decide how soon the place of a packet that left can be used again.
struct Credits {
  const char* name;
  const char* meaning;
  int flits, latency;
  SlotMode slot;
  bool in_cycles;
};
constexpr std::array kCredits{
    Credits{
        "1 flit",
        "packets of one flit; a step is a cycle. A place is used once in 3 steps: one for the packet, one "
        "for the credit's register, one for the sender's counter",
        1, 0, SlotMode::kLockstep, false},
    Credits{
        "4 flits, slots",
        "packets of 4 flits over links of latency 1, in slots. The credit is back within the slot in which "
        "the packet leaves: a place is used once in 2 steps",
        4, 1, SlotMode::kLockstep, false},
    Credits{"16 flits, free",
            "packets of 16 flits that may leave in any cycle; cycles, 16 of which are a packet's time, for "
            "the bound too. A place is used once in 18 cycles: close to places that are refilled while they "
            "are emptied",
            16, 0, SlotMode::kFree, true}};

constexpr const char* kOrganisation =
    "Every link has Q places at the node that it leads to, which its packets for all outputs share; a packet "
    "for "
    "several outputs takes one. A credit returns when the last copy of a packet has started to leave, so "
    "that a "
    "packet for an output that is blocked takes a place from others. First in, first out, unless the "
    "order says otherwise. Leaves keep their own packets. Bound: the lower bound for queues of any depth";

// A run with queues of one depth.
struct Cell {
  int depth = 0;  // 0: as needed
  RunPlan plan;
  std::uint64_t value = 0;   // steps, or cycles
  std::string problem = {};  // empty: all went well
  std::string shown() const { return problem.empty() ? std::to_string(value) : "failed"; }
};

struct Row {
  Graph graph;
  Traffic traffic;
  Credits credits;
  std::vector<Cell> cells = {};
  std::uint64_t bound = 0;  // in the unit of the values
  std::string network() const { return one_line(graph.spelling()); }
};

Row make_row(const Graph& graph, const Traffic& traffic, const Credits& credits,
             const std::vector<int>& depths) {
  Row row{graph, traffic, credits};
  for (const int depth : depths) {
    const RunRequest request({.graph = graph, .collective = traffic.collective, .ports = PortModel::kAllPort},
                             {.algorithm = traffic.algorithm,
                              .flits = credits.flits,
                              .link_latency = credits.latency,
                              .slot = credits.slot,
                              .queue_depth = depth});
    row.cells.push_back({depth, plan_run(request)});
  }
  row.bound = lower_bound(row.cells.front().plan.request.problem).steps *
              static_cast<std::uint64_t>(credits.in_cycles ? credits.flits : 1);
  return row;
}

void fill(Cell& cell, bool in_cycles, NodePool& pool) {
  try {
    cell.plan.request.pool = &pool;
    const RunResult result = run(cell.plan, VariantStore::standard());
    cell.value = in_cycles ? result.cycles : result.steps;
    if (!result.problems.empty()) cell.problem = result.problems[0];
    if (result.verdict == Verdict::kStuck) cell.problem = "stuck: " + result.waits.at(0);
  } catch (const std::exception& error) {
    cell.problem = error.what();
  }
}

std::string depth_in_words(int depth) { return depth == 0 ? "as needed" : fmt::format("Q={}", depth); }

Table table_of(const std::vector<Row>& rows, const std::vector<int>& depths) {
  Table table{{"network", "bound", "traffic", "order", "packets"}};
  for (const int depth : depths) table.columns.push_back(depth_in_words(depth));
  for (const Row& row : rows) {
    table.add(row.network(), row.bound, to_string(row.traffic.collective), row.traffic.algorithm,
              row.credits.name);
    for (const Cell& cell : row.cells) table.rows.back().push_back(cell.shown());
  }
  return table;
}

std::string html_of(const Row& row) {
  std::string text = "<tr>";
  for (const std::string& word :
       {to_string(row.traffic.collective), std::string(row.traffic.algorithm), std::string(row.credits.name)})
    text += fmt::format("<td class=\"name\">{}</td>", word);
  text += fmt::format("<td>{}</td>", row.bound);
  for (const Cell& cell : row.cells)
    text += html_cell(cell.problem.empty() ? gap_class(cell.value, row.bound) : "failed", cell.problem,
                      cell.shown());
  return text + "</tr>\n";
}

std::string html_of(const std::vector<Row>& rows, const std::vector<int>& depths, bool with_index) {
  std::string text = fmt::format("<p>Steps on the hardware with queues of Q packets. {}.</p>\n<ul>\n",
                                 markup_escaped(kOrganisation));
  for (const Credits& credits : kCredits)
    text += fmt::format("<li><b>{}</b>: {}.</li>\n", credits.name, markup_escaped(credits.meaning));
  text += "</ul>\n" + html_legend({{"optimal", "the bound"},
                                   {"near", "at most a fifth above"},
                                   {"gap", "less than twice"},
                                   {"far", "twice or more"}});
  std::string head =
      "<th class=\"name\">traffic</th><th class=\"name\">order</th><th class=\"name\">packets</th>"
      "<th>bound</th>";
  for (const int depth : depths) head += fmt::format("<th>{}</th>", depth_in_words(depth));
  for (auto row = rows.begin(); row != rows.end();) {
    const std::string network = row->network();
    std::string body;
    for (; row != rows.end() && row->network() == network; ++row) body += html_of(*row);
    text += html_table(network, head, body);
  }
  return html_page("Finite queues on fat trees", text, with_index);
}

std::vector<int> parse_depths(const std::string& text) {
  std::vector<int> depths;
  for (const std::string& word : split(text, ',')) {
    const std::optional<std::uint64_t> depth = parse_decimal(word);
    if (!depth || *depth < 1 || *depth > 4096)
      throw bad_input("--depths {}: expected depths of queues such as 1,2,16, each from 1 to 4096",
                      in_quotes(word));
    depths.push_back(static_cast<int>(*depth));
  }
  return depths;
}

// All runs, and the hardware that they need.
std::vector<Row> make_rows(const std::vector<std::string>& networks, const std::vector<int>& depths) {
  std::vector<Row> rows;
  std::vector<Hardware> wanted;
  for (const std::string& word : networks) {
    const Graph graph = make_topology(word);
    if (!fat_tree_shape(graph))
      throw bad_input("table finite-queues {}: expected a fat tree such as fat-tree:2,3", in_quotes(word));
    for (const Traffic& traffic : kTraffic) {
      for (const Credits& credits : kCredits) {
        rows.push_back(make_row(graph, traffic, credits, depths));
        for (const Cell& cell : rows.back().cells) wanted.push_back(cell.plan.hardware);
      }
    }
  }
  build_all_hardware(std::move(wanted));
  return rows;
}

int finite_queues(const std::string& depth_list, const TableWords& words) {
  std::vector<int> depths = parse_depths(depth_list);
  depths.push_back(0);
  std::vector<Row> rows = make_rows(
      words.of.empty() ? split("fat-tree:2,3 fat-tree:4,2 fat-tree:2,5 fat-tree:4,3", ' ') : words.of,
      depths);
  run_in_parallel(rows.size() * depths.size(), all_threads(), [&](std::size_t i, NodePool& pool) {
    Row& row = rows[i / depths.size()];
    fill(row.cells[i % depths.size()], row.credits.in_cycles, pool);
    return row.network();
  });

  fmt::print("Steps with queues of Q packets. {}.\n", kOrganisation);
  for (const Credits& credits : kCredits) fmt::print("{}: {}.\n", credits.name, credits.meaning);
  fmt::print("\n");
  print_table(table_of(rows, depths), words.csv);
  bool all_well = true;
  for (const Row& row : rows) {
    for (const Cell& cell : row.cells) {
      if (cell.problem.empty()) continue;
      all_well = false;
      fmt::print("failed: {} {} {}, {}, {}: {}\n", row.network(), to_string(row.traffic.collective),
                 row.traffic.algorithm, row.credits.name, depth_in_words(cell.depth), cell.problem);
    }
  }
  if (words.html && !words.html->empty())
    write_whole_file(*words.html, html_of(rows, depths, words.in_folder));
  return all_well ? 0 : 1;
}

}  // namespace

Action declare_finite_queues(CLI::App& command, std::shared_ptr<const TableWords> words) {
  auto depths = std::make_shared<std::string>("1,2,3,4,8,16");
  command.add_option("--depths", *depths, "finite-queues: packets per link");
  return [depths, words] { return finite_queues(*depths, *words); };
}

}  // namespace safnet
