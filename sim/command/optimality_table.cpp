#include "sim/command/optimality_table.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/graph/topology.hpp"
#include "sim/command/progress_line.hpp"
#include "sim/report/markup.hpp"
#include "sim/report/output_file.hpp"
#include "sim/report/table.hpp"
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

// Models that all threads together keep between runs.
constexpr std::size_t kPooledBytes = std::size_t{2} << 30;

enum class Standing : std::uint8_t {
  kOptimal,  // steps equal a lower bound
  kGap,      // the best that is known, above it
  kNone,     // nothing plans it
  kFailed,   // a run went wrong
};

struct Cell {
  Standing standing = Standing::kNone;
  std::uint64_t steps = 0, bound = 0;
  std::string algorithm, node, reason;
  std::string note;  // why there is nothing, or what went wrong
  std::uint64_t gap() const { return steps - bound; }
  std::string text() const {
    switch (standing) {
      case Standing::kOptimal:
        return std::to_string(steps);
      case Standing::kGap:
        return fmt::format("{}/{}", steps, bound);
      case Standing::kNone:
        return "-";
      case Standing::kFailed:
        return "failed";
    }
    return {};
  }
  const char* word() const {
    static constexpr std::array names{"optimal", "best known", "none", "failed"};
    return names.at(static_cast<std::size_t>(standing));
  }
};

const std::string& mpi_name(CollectiveKind kind) { return name_of(kind).mpi_name; }

// One port model: a row of cells per network.
struct Grid {
  PortModel ports = PortModel::kAllPort;
  std::vector<Graph> graphs;
  std::vector<std::array<Cell, kCollectives.size()>> rows;
};

Cell fill(const Problem& problem, VariantStore& store, NodePool& pool) {
  Cell cell;
  if (!some_algorithm_applies(problem)) {
    cell.note = "no algorithm applies";
    return cell;
  }
  try {
    RunRequest request(problem);
    request.algorithm = "auto";
    request.exact_buffers = false;
    request.pool = &pool;
    const RunResult result = run_collective(request, store);
    cell.steps = result.steps;
    cell.bound = result.lower_bound.steps;
    cell.reason = result.lower_bound.reason;
    cell.algorithm = result.algorithm;
    cell.node = to_string(result.node);
    cell.standing = result.steps == result.lower_bound.steps ? Standing::kOptimal : Standing::kGap;
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

struct Tally {
  std::size_t cells = 0, optimal = 0, gaps = 0, none = 0, failed = 0;
};
Tally tally(const std::vector<Grid>& grids) {
  Tally t;
  for (const Grid& grid : grids) {
    for (const auto& row : grid.rows) {
      for (const Cell& cell : row) {
        ++t.cells;
        t.optimal += cell.standing == Standing::kOptimal ? 1 : 0;
        t.gaps += cell.standing == Standing::kGap ? 1 : 0;
        t.none += cell.standing == Standing::kNone ? 1 : 0;
        t.failed += cell.standing == Standing::kFailed ? 1 : 0;
      }
    }
  }
  return t;
}
std::string in_words(const Tally& t) {
  std::string text = fmt::format("{} cells: {} optimal, {} above the bound", t.cells, t.optimal, t.gaps);
  if (t.none != 0) text += fmt::format(", {} without an algorithm", t.none);
  if (t.failed != 0) text += fmt::format(", {} FAILED", t.failed);
  return text;
}

// Green: optimal; yellow: above the bound; red: failed.
std::string coloured(const Cell& cell, std::size_t width) {
  static const bool terminal = ::isatty(STDOUT_FILENO) != 0;
  const std::string text = fmt::format("{:>{}}", cell.text(), width);
  if (!terminal) return text;
  static constexpr std::array codes{"32", "33", "90", "31"};
  return fmt::format("\x1b[{}m{}\x1b[0m", codes.at(static_cast<std::size_t>(cell.standing)), text);
}

void print(const Grid& grid) {
  std::size_t name_width = 8;
  std::array<std::size_t, kCollectives.size()> widths{};
  for (std::size_t c = 0; c < kCollectives.size(); ++c) widths[c] = mpi_name(kCollectives[c]).size();
  for (std::size_t r = 0; r < grid.rows.size(); ++r) {
    name_width = std::max(name_width, one_line(grid.graphs[r].spelling()).size());
    for (std::size_t c = 0; c < kCollectives.size(); ++c)
      widths[c] = std::max(widths[c], grid.rows[r][c].text().size());
  }
  fmt::print("{:<{}}", in_words(grid.ports), name_width);
  for (std::size_t c = 0; c < kCollectives.size(); ++c)
    fmt::print("  {:>{}}", mpi_name(kCollectives[c]), widths[c]);
  fmt::print("\n");
  for (std::size_t r = 0; r < grid.rows.size(); ++r) {
    fmt::print("{:<{}}", one_line(grid.graphs[r].spelling()), name_width);
    for (std::size_t c = 0; c < kCollectives.size(); ++c)
      fmt::print("  {}", coloured(grid.rows[r][c], widths[c]));
    fmt::print("\n");
  }
}

std::string csv_of(const std::vector<Grid>& grids, std::uint32_t messages) {
  Table table{{"topology", "nodes", "links", "ports", "collective", "messages", "standing", "steps",
               "lower_bound", "gap", "algorithm", "node", "bound", "note"},
              {}};
  for (const Grid& grid : grids) {
    for (std::size_t r = 0; r < grid.rows.size(); ++r) {
      const Graph& graph = grid.graphs[r];
      for (std::size_t c = 0; c < kCollectives.size(); ++c) {
        const Cell& cell = grid.rows[r][c];
        const bool ran = cell.standing == Standing::kOptimal || cell.standing == Standing::kGap;
        const auto number = [ran](std::uint64_t value) { return ran ? std::to_string(value) : ""; };
        table.rows.push_back({one_line(graph.spelling()), std::to_string(graph.node_count()),
                              std::to_string(graph.link_count()), to_string(grid.ports),
                              mpi_name(kCollectives[c]), std::to_string(messages), cell.word(),
                              number(cell.steps), number(cell.bound), number(cell.gap()), cell.algorithm,
                              cell.node, cell.reason, cell.note});
      }
    }
  }
  return to_csv(table);
}

// What a cell's colour says: how far above the bound, in tenths of the bound, at most 9.
std::string css_class(const Cell& cell) {
  switch (cell.standing) {
    case Standing::kOptimal:
      return "optimal";
    case Standing::kGap:
      return 10 * cell.gap() <= 2 * cell.bound ? "near" : cell.gap() < cell.bound ? "gap" : "far";
    case Standing::kNone:
      return "none";
    case Standing::kFailed:
      return "failed";
  }
  return {};
}

std::string html_of(const std::vector<Grid>& grids, std::uint32_t messages) {
  std::string text = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Optimality of collectives</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem; padding: 0 1rem; color: #1b1f24; background: #fff; }
h1 { font-size: 1.5rem; margin-bottom: .2rem; }
h2 { font-size: 1.15rem; margin: 2rem 0 .6rem; }
p { max-width: 60rem; }
table { border-collapse: separate; border-spacing: 2px; font-variant-numeric: tabular-nums; }
th { text-align: right; font-weight: 600; padding: .25rem .6rem; background: #fff; position: sticky; top: 0; }
th.name, td.name { text-align: left; position: sticky; left: 0; background: #fff; font-family: ui-monospace, monospace; font-size: .9em; white-space: nowrap; }
td { text-align: right; padding: .25rem .6rem; border-radius: 3px; min-width: 4.2rem; }
td.size { color: #57606a; min-width: 2rem; }
small { opacity: .8; }
.optimal { background: #b7e4c7; } .near { background: #fdf0b0; } .gap { background: #fbd38d; } .far { background: #f4a582; }
.none { background: #eceff1; color: #57606a; } .failed { background: #b00020; color: #fff; }
.legend span { padding: .15rem .6rem; border-radius: 3px; margin-right: .4rem; white-space: nowrap; }
</style>
</head>
<body>
<h1>Optimality of collectives</h1>
)";
  text += fmt::format(
      "<p>Steps of the best schedule known here, measured on the hardware, beside the largest lower bound. "
      "{}{}. "
      "What has a root has node 0. Point at a cell for the algorithm and the argument of the bound.</p>\n",
      in_words(tally(grids)),
      messages == 1 ? "" : fmt::format("; {} packets where a collective has one", messages));
  text +=
      "<p class=\"legend\"><span class=\"optimal\">n: optimal, equal to a lower bound</span>"
      "<span class=\"near\">n/b: best known, at most a fifth above the bound b</span>"
      "<span class=\"gap\">less than 2b</span><span class=\"far\">2b or more</span>"
      "<span class=\"none\">- no algorithm</span><span class=\"failed\">failed</span></p>\n";
  for (const Grid& grid : grids) {
    text += fmt::format("<h2>{}</h2>\n<table>\n<thead><tr><th class=\"name\">network</th><th>nodes</th>",
                        in_words(grid.ports));
    for (const CollectiveKind kind : kCollectives)
      text += fmt::format("<th title=\"{}\">{}</th>", markup_escaped(to_string(kind)),
                          markup_escaped(mpi_name(kind)));
    text += "</tr></thead>\n<tbody>\n";
    for (std::size_t r = 0; r < grid.rows.size(); ++r) {
      text += fmt::format("<tr><td class=\"name\">{}</td><td class=\"size\">{}</td>",
                          markup_escaped(one_line(grid.graphs[r].spelling())), grid.graphs[r].node_count());
      for (const Cell& cell : grid.rows[r]) {
        const std::string hint =
            cell.note.empty() ? fmt::format("{} steps by {} on {}_nodes; lower bound {}: {}", cell.steps,
                                            cell.algorithm, cell.node, cell.bound, cell.reason)
                              : cell.note;
        text += fmt::format("<td class=\"{}\" title=\"{}\">{}</td>", css_class(cell), markup_escaped(hint),
                            cell.standing == Standing::kGap
                                ? fmt::format("{}<small>/{}</small>", cell.steps, cell.bound)
                                : cell.text());
      }
      text += "</tr>\n";
    }
    text += "</tbody>\n</table>\n";
  }
  return text + "</body>\n</html>\n";
}

}  // namespace

const std::vector<std::string>& optimality_topologies() {
  static const std::vector<std::string> topologies{"linear:8",
                                                   "ring:8",
                                                   "ring:9",
                                                   "mesh:3x3",
                                                   "mesh:4x4",
                                                   "mesh:4x3x2",
                                                   "torus:4x4",
                                                   "torus:5x5",
                                                   "torus:3x3x3",
                                                   "hypercube:3",
                                                   "hypercube:4",
                                                   "folded-cube:4",
                                                   "extended-ring:14,2",
                                                   "circulant:12,1,3",
                                                   "hypercycle:3/1x6/2",
                                                   "complete:8",
                                                   "generalized-hypercube:3x4",
                                                   "cube-connected-cycles:3",
                                                   "butterfly:3",
                                                   "star:4",
                                                   "tree:2,3",
                                                   "fat-tree:2,3",
                                                   "fat-tree:2,3,exponential",
                                                   "fat-tree:4,2",
                                                   "petersen",
                                                   "dgx-1",
                                                   "kautz:2,2",
                                                   "kautz:2,3",
                                                   "de-bruijn:2,3",
                                                   "de-bruijn:2,4",
                                                   "product(ring:4,linear:3)",
                                                   "random:12,20,1"};
  return topologies;
}

int optimality_command(const OptimalityOptions& options, VariantStore& store) {
  std::vector<Graph> graphs;
  for (const std::string& word : options.topologies.empty() ? optimality_topologies() : options.topologies)
    graphs.push_back(make_topology(word));
  std::vector<Grid> grids;
  for (const PortModel ports : {PortModel::kAllPort, PortModel::kOnePort, PortModel::kOnePortSend}) {
    const bool wanted = options.ports ? ports == *options.ports : ports != PortModel::kOnePortSend;
    if (!wanted) continue;
    Grid grid;
    grid.ports = ports;
    grid.graphs = graphs;
    grid.rows.resize(graphs.size());
    grids.push_back(std::move(grid));
  }

  const std::size_t cells_of_grid = graphs.size() * kCollectives.size();
  const std::size_t cells = grids.size() * cells_of_grid;
  ProgressLine line;
  std::mutex mutex;
  std::atomic<std::size_t> next{0}, done{0};
  const unsigned thread_count = std::max(1U, std::thread::hardware_concurrency());
  const auto worker = [&] {
    NodePool pool(kPooledBytes / thread_count);
    for (std::size_t i = next++; i < cells; i = next++) {
      Grid& grid = grids[i / cells_of_grid];
      const std::size_t row = i % cells_of_grid / kCollectives.size(), column = i % kCollectives.size();
      const Problem problem{.graph = grid.graphs[row],
                            .collective = kCollectives[column],
                            .ports = grid.ports,
                            .messages = options.messages};
      grid.rows[row][column] = fill(problem, store, pool);
      const std::size_t finished = ++done;
      const std::lock_guard guard(mutex);
      line.show(fmt::format("{} of {}: {} on {}", finished, cells, mpi_name(problem.collective),
                            one_line(problem.graph.spelling())));
    }
  };
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < thread_count; ++t) threads.emplace_back(worker);
  for (std::thread& thread : threads) thread.join();
  line.clear();

  for (const Grid& grid : grids) {
    print(grid);
    fmt::print("\n");
  }
  const Tally t = tally(grids);
  fmt::print("{}; n: n steps, the lower bound; n/b: n steps, bound b\n", in_words(t));
  for (const Grid& grid : grids) {
    for (std::size_t r = 0; r < grid.rows.size(); ++r) {
      for (std::size_t c = 0; c < kCollectives.size(); ++c) {
        const Cell& cell = grid.rows[r][c];
        if (cell.standing != Standing::kFailed) continue;
        fmt::print("failed: {} {} --ports {}: {}\n", one_line(grid.graphs[r].spelling()),
                   to_string(kCollectives[c]), to_string(grid.ports), cell.note);
      }
    }
  }
  if (!options.csv.empty()) write_whole_file(options.csv, csv_of(grids, options.messages));
  if (!options.html.empty()) write_whole_file(options.html, html_of(grids, options.messages));
  if (!options.csv.empty() || !options.html.empty()) {
    fmt::print("written: {}{}{}\n", options.csv, options.csv.empty() || options.html.empty() ? "" : ", ",
               options.html);
  }
  return t.failed == 0 ? 0 : 1;
}

}  // namespace safnet
