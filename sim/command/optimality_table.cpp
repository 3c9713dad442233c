// optimality_table - `safnet table optimality`: every collective of MPI's on a row of networks, the best
// schedule that is known here against the lower bound, on the hardware.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/proof/certificate_text.hpp"
#include "cpp_model/proof/prove.hpp"
#include "cpp_model/system/output_file.hpp"
#include "sim/command/options.hpp"
#include "sim/command/parallel_runs.hpp"
#include "sim/command/tables.hpp"
#include "sim/page/markup.hpp"
#include "sim/run/run.hpp"

namespace safnet {
namespace {

constexpr std::array kCollectives{CollectiveKind::kBroadcast,
                                  CollectiveKind::kScatter,
                                  CollectiveKind::kGather,
                                  CollectiveKind::kMultinodeBroadcast,
                                  CollectiveKind::kTotalExchange,
                                  CollectiveKind::kReduction,
                                  CollectiveKind::kMultinodeAccumulation,
                                  CollectiveKind::kAllreduce};

constexpr const char* kNetworks =
    "linear:8 ring:8 ring:9 mesh:3x3 mesh:4x4 mesh:4x3x2 torus:4x4 torus:5x5 torus:3x3x3 hypercube:3 "
    "hypercube:4 folded-cube:4 extended-ring:14,2 circulant:12,1,3 hypercycle:3/1x6/2 complete:8 "
    "generalized-hypercube:3x4 cube-connected-cycles:3 butterfly:3 star:4 tree:2,3 fat-tree:2,3 "
    "fat-tree:2,3,exponential fat-tree:4,2 petersen dgx-1 kautz:2,2 kautz:2,3 de-bruijn:2,3 de-bruijn:2,4 "
    "product(ring:4,linear:3) random:12,20,1";

enum class Standing : std::uint8_t {
  kOptimal,  // steps equal a lower bound
  kGap,      // the best that is known is above the bound
  kNone,     // no algorithm applies, or none to a network so large
  kFailed,   // a run went wrong
};

struct OptimalityCell {
  Standing standing = Standing::kNone;
  std::uint64_t steps = 0, bound = 0;
  std::string algorithm, node, reason;
  std::string note;         // why there is no schedule, or what went wrong
  std::string certificate;  // of the bound, one line of JSON; empty: none is known or asked for
  std::string text() const {
    return standing == Standing::kOptimal ? std::to_string(steps)
           : standing == Standing::kGap   ? fmt::format("{}/{}", steps, bound)
           : standing == Standing::kNone  ? "-"
                                          : "failed";
  }
  bool ran() const { return standing == Standing::kOptimal || standing == Standing::kGap; }
};

// A network under a port model.
struct OptimalityRow {
  Graph graph;
  PortModel ports;
  std::array<OptimalityCell, kCollectives.size()> cells;
  std::string network() const { return one_line(graph.spelling()); }
};

struct OptimalityOptions {
  std::string ports;        // empty: all-port and one-port
  std::string certificate;  // file for the certificates of all bounds; empty: none
  std::uint32_t messages = 1;
};

struct Grid {
  std::vector<PortModel> port_models;
  std::vector<OptimalityRow> rows;
  std::uint32_t messages = 1;
};

const std::string& mpi_name(std::size_t column) { return name_of(kCollectives.at(column)).mpi_name; }

OptimalityCell run_cell(const Problem& problem, bool certified, NodePool& pool) {
  OptimalityCell cell;
  if (!some_algorithm_applies(problem)) {
    cell.note = "no algorithm applies";
    return cell;
  }
  try {
    RunRequest request(problem);
    request.algorithm = "auto";
    request.pool = &pool;
    const RunResult result = run_collective(request, VariantStore::standard());
    cell.steps = result.steps;
    cell.bound = result.lower_bound.steps;
    cell.reason = result.lower_bound.reason;
    cell.algorithm = result.algorithm;
    cell.node = to_string(result.node);
    cell.standing = result.steps == result.lower_bound.steps ? Standing::kOptimal : Standing::kGap;
    if (const auto proof = certified ? prove(problem, result.lower_bound) : std::nullopt)
      cell.certificate = certificate_text(problem, *proof);
    if (result.exit_code() != 0) {
      cell.standing = Standing::kFailed;
      cell.note = !result.problems.empty() ? result.problems[0]
                  : !result.waits.empty()  ? result.waits[0]
                                           : to_string(result.verdict);
    }
  } catch (const std::invalid_argument& error) {  // too large for all that would apply
    cell.note = error.what();
  } catch (const std::exception& error) {
    cell.standing = Standing::kFailed;
    cell.note = error.what();
  }
  return cell;
}

std::size_t count(const Grid& grid, Standing standing) {
  std::size_t sum = 0;
  for (const OptimalityRow& row : grid.rows)
    sum += static_cast<std::size_t>(std::ranges::count(row.cells, standing, &OptimalityCell::standing));
  return sum;
}

std::string tally_in_words(const Grid& grid) {
  std::string text =
      fmt::format("{} cells: {} optimal, {} above the bound", grid.rows.size() * kCollectives.size(),
                  count(grid, Standing::kOptimal), count(grid, Standing::kGap));
  if (const std::size_t none = count(grid, Standing::kNone); none != 0)
    text += fmt::format(", {} without an algorithm", none);
  if (const std::size_t failed = count(grid, Standing::kFailed); failed != 0)
    text += fmt::format(", {} FAILED", failed);
  return text;
}

void print_rows(const Grid& grid, PortModel ports) {
  Table table{{in_words(ports)}};
  for (std::size_t c = 0; c < kCollectives.size(); ++c) table.columns.push_back(mpi_name(c));
  std::vector<const OptimalityRow*> rows;
  for (const OptimalityRow& row : grid.rows) {
    if (row.ports != ports) continue;
    rows.push_back(&row);
    table.rows.push_back({row.network()});
    for (const OptimalityCell& cell : row.cells) table.rows.back().push_back(cell.text());
  }
  // On a terminal green: optimal; yellow: above the bound; grey: none; red: failed.
  const auto coloured = [&](std::size_t row, std::size_t column, const std::string& padded) {
    static constexpr std::array codes{"32", "33", "90", "31"};
    if (column == 0 || ::isatty(STDOUT_FILENO) == 0) return padded;
    const Standing standing = rows[row]->cells.at(column - 1).standing;
    return fmt::format("\x1b[{}m{}\x1b[0m", codes.at(static_cast<std::size_t>(standing)), padded);
  };
  fmt::print("{}\n", to_text(table, coloured));
}

std::string csv_of(const Grid& grid) {
  static constexpr std::array words{"optimal", "best known", "none", "failed"};
  Table table{{"topology", "nodes", "links", "ports", "collective", "messages", "standing", "steps",
               "lower_bound", "gap", "algorithm", "node", "bound", "note"}};
  for (const OptimalityRow& row : grid.rows) {
    for (std::size_t c = 0; c < kCollectives.size(); ++c) {
      const OptimalityCell& cell = row.cells[c];
      const auto number = [&](std::uint64_t value) { return cell.ran() ? std::to_string(value) : ""; };
      table.add(row.network(), row.graph.node_count(), row.graph.link_count(), to_string(row.ports),
                mpi_name(c), grid.messages, words.at(static_cast<std::size_t>(cell.standing)),
                number(cell.steps), number(cell.bound), number(cell.steps - cell.bound), cell.algorithm,
                cell.node, cell.reason, cell.note);
    }
  }
  return to_csv(table);
}

std::string html_of(const OptimalityCell& cell) {
  const std::string hint = cell.note.empty()
                               ? fmt::format("{} steps by {} on {}_nodes; lower bound {}: {}", cell.steps,
                                             cell.algorithm, cell.node, cell.bound, cell.reason)
                               : cell.note;
  return html_cell(cell.ran()                         ? gap_class(cell.steps, cell.bound)
                   : cell.standing == Standing::kNone ? "none"
                                                      : "failed",
                   hint,
                   cell.standing == Standing::kGap
                       ? fmt::format("{}<small>/{}</small>", cell.steps, cell.bound)
                       : cell.text());
}

std::string html_of(const Grid& grid, bool with_index) {
  std::string text = fmt::format(
      "<p>Steps of the best schedule known here, measured on the hardware, beside the largest lower bound. "
      "{}{}. What has a root has node 0. Point at a cell for the algorithm and the argument of the "
      "bound.</p>\n",
      tally_in_words(grid),
      grid.messages == 1 ? "" : fmt::format("; {} packets where a collective has one", grid.messages));
  text += html_legend({{"optimal", "n: optimal, equal to a lower bound"},
                       {"near", "n/b: best known, at most a fifth above the bound b"},
                       {"gap", "less than 2b"},
                       {"far", "2b or more"},
                       {"none", "- no algorithm"},
                       {"failed", "failed"}});
  std::string head = "<th class=\"name\">network</th><th>nodes</th>";
  for (std::size_t c = 0; c < kCollectives.size(); ++c)
    head += fmt::format("<th title=\"{}\">{}</th>", markup_escaped(to_string(kCollectives[c])),
                        markup_escaped(mpi_name(c)));
  for (const PortModel ports : grid.port_models) {
    std::string rows;
    for (const OptimalityRow& row : grid.rows) {
      if (row.ports != ports) continue;
      rows += fmt::format("<tr><td class=\"name\">{}</td><td class=\"size\">{}</td>",
                          markup_escaped(row.network()), row.graph.node_count());
      for (const OptimalityCell& cell : row.cells) rows += html_of(cell);
      rows += "</tr>\n";
    }
    text += html_table(in_words(ports), head, rows);
  }
  return html_page("Optimality of collectives", text, with_index);
}

// All certificates as a list in one file. Says which bounds have none.
void write_certificates(const Grid& grid, const std::string& path) {
  std::string list;
  std::size_t bounds = 0, certificates = 0;
  std::vector<std::string> without;
  for (const OptimalityRow& row : grid.rows) {
    for (std::size_t c = 0; c < kCollectives.size(); ++c) {
      const OptimalityCell& cell = row.cells[c];
      if (!cell.ran()) continue;
      ++bounds;
      if (cell.certificate.empty()) {
        without.push_back(fmt::format("no certificate yet: {} {} --ports {}: {} steps, {}", row.network(),
                                      mpi_name(c), to_string(row.ports), cell.bound, cell.reason));
        continue;
      }
      list += (certificates++ == 0 ? "[" : ",") + cell.certificate;
    }
  }
  write_whole_file(path, certificates == 0 ? "[]\n" : list + "]\n");
  for (const std::string& line : without) fmt::print("{}\n", line);
  fmt::print("certificates: {} of {} lower bounds, {}\n", certificates, bounds, path);
}

int optimality(const OptimalityOptions& options, const TableWords& words) {
  const std::string csv = words.csv.value_or("optimality.csv"), html = words.html.value_or("optimality.html");
  require_writable_folder("--csv", csv);
  require_writable_folder("--html", html);
  require_writable_folder("--certificate", options.certificate);
  refuse_same_file("--certificate", options.certificate, "--csv", csv);
  refuse_same_file("--certificate", options.certificate, "--html", html);
  Grid grid;
  grid.messages = options.messages;
  grid.port_models = options.ports.empty() ? std::vector{PortModel::kAllPort, PortModel::kOnePort}
                                           : std::vector{parse_port_model(options.ports)};
  for (const PortModel ports : grid.port_models) {
    for (const std::string& word : words.of.empty() ? split(kNetworks, ' ') : words.of)
      grid.rows.push_back({make_topology(word), ports, {}});
  }
  constexpr std::size_t kColumns = kCollectives.size();
  run_in_parallel(grid.rows.size() * kColumns, all_threads(), [&](std::size_t i, NodePool& pool) {
    OptimalityRow& row = grid.rows[i / kColumns];
    const Problem problem{.graph = row.graph,
                          .collective = kCollectives.at(i % kColumns),
                          .ports = row.ports,
                          .messages = grid.messages};
    row.cells.at(i % kColumns) = run_cell(problem, !options.certificate.empty(), pool);
    return fmt::format("{} on {}", mpi_name(i % kColumns), row.network());
  });

  for (const PortModel ports : grid.port_models) print_rows(grid, ports);
  fmt::print("{}; n: n steps, the lower bound; n/b: n steps, bound b\n", tally_in_words(grid));
  for (const OptimalityRow& row : grid.rows) {
    for (std::size_t c = 0; c < kColumns; ++c) {
      if (row.cells[c].standing != Standing::kFailed) continue;
      fmt::print("failed: {} {} --ports {}: {}\n", row.network(), to_string(kCollectives[c]),
                 to_string(row.ports), row.cells[c].note);
    }
  }
  if (!options.certificate.empty()) write_certificates(grid, options.certificate);
  if (!csv.empty()) write_whole_file(csv, csv_of(grid));
  if (!html.empty()) write_whole_file(html, html_of(grid, words.in_folder));
  if (!csv.empty() || !html.empty())
    fmt::print("written: {}{}{}\n", csv, csv.empty() || html.empty() ? "" : ", ", html);
  return count(grid, Standing::kFailed) == 0 ? 0 : 1;
}

}  // namespace

Action declare_optimality(CLI::App& command, std::shared_ptr<const TableWords> words) {
  auto options = std::make_shared<OptimalityOptions>();
  command.add_option("--ports", options->ports, "optimality: all, one or one-send; default: all and one");
  command.add_option("--certificate", options->certificate,
                     "optimality: the certificates of all lower bounds, for scripts/check_certificate.py, "
                     "FILE.json");
  add_number(command, "--messages", options->messages, 1, kMaxMessages,
             "optimality: M packets where a collective has one");
  return [options, words] { return optimality(*options, *words); };
}

}  // namespace safnet
