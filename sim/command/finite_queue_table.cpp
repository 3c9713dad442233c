#include "sim/command/finite_queue_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "cpp_model/graph/family/fat_tree.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/graph/topology.hpp"
#include "sim/command/progress_line.hpp"
#include "sim/report/markup.hpp"
#include "sim/report/output_file.hpp"
#include "sim/report/table.hpp"
#include "sim/machine/limits.hpp"
#include "sim/run/run.hpp"
#include "sim/variant/variant_progress.hpp"

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

// How long after a packet leaves its place can be used again.
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
            "the bound too. A place "
            "is used once in 18 cycles: close to places that are refilled while they are emptied",
            16, 0, SlotMode::kFree, true}};

constexpr const char* kOrganisation =
    "Every output has a queue with a lane of Q packets for each input. A packet for several outputs holds a "
    "place in each, and nobody waits behind a packet for another output. A credit returns when the fullest "
    "lane of its input has room; with Q = 1 that is one packet per input. First in, first out, unless the "
    "order says otherwise. Leaves keep their own packets. Bound: the lower bound for queues of any depth";

// Models that all threads together keep between runs.
constexpr std::size_t kPooledBytes = std::size_t{2} << 30;

struct Row {
  Graph graph;
  Traffic traffic;
  Credits credits;
  std::uint64_t bound = 0;
  std::vector<RunRequest> requests;
  std::vector<std::uint64_t> values;  // steps, or cycles
  std::vector<std::string> problems;  // empty: all went well
};

Row make_row(const Graph& graph, const Traffic& traffic, const Credits& credits,
             const std::vector<int>& depths) {
  Row row{graph, traffic, credits, 0, {}, {}, {}};
  for (const int depth : depths) {
    RunRequest request(
        Problem{.graph = graph, .collective = traffic.collective, .ports = PortModel::kAllPort});
    request.algorithm = traffic.algorithm;
    request.flits = credits.flits;
    request.link_latency = credits.latency;
    request.slot = credits.slot;
    request.queue_depth = depth;
    row.requests.push_back(std::move(request));
  }
  row.values.resize(depths.size());
  row.problems.resize(depths.size());
  row.bound = lower_bound(row.requests.front().problem).steps;
  return row;
}

void fill(Row& row, std::size_t cell, VariantStore& store, NodePool& pool) {
  RunRequest request = row.requests[cell];
  request.pool = &pool;
  try {
    const RunResult result = run_collective(request, store);
    row.values[cell] = row.credits.in_cycles ? result.cycles : result.steps;
    if (!result.problems.empty()) row.problems[cell] = result.problems[0];
    if (result.verdict == Verdict::kStuck) row.problems[cell] = "stuck: " + result.waits.at(0);
  } catch (const std::exception& error) {
    row.problems[cell] = error.what();
  }
}

std::string depth_in_words(int depth) { return depth == 0 ? "as needed" : fmt::format("Q={}", depth); }

// In the row's own unit, steps or cycles.
std::uint64_t bound_of(const Row& row) {
  return row.bound * static_cast<std::uint64_t>(row.credits.in_cycles ? row.credits.flits : 1);
}

Table table_of(const std::vector<Row>& rows, const std::vector<int>& depths) {
  Table table{{"network", "bound", "traffic", "order", "packets"}, {}};
  for (const int depth : depths) table.columns.push_back(depth_in_words(depth));
  for (const Row& row : rows) {
    std::vector<std::string> words{one_line(row.graph.spelling()), std::to_string(bound_of(row)),
                                   to_string(row.traffic.collective), row.traffic.algorithm,
                                   row.credits.name};
    for (std::size_t c = 0; c < depths.size(); ++c)
      words.push_back(row.problems[c].empty() ? std::to_string(row.values[c]) : "failed");
    table.rows.push_back(std::move(words));
  }
  return table;
}

const char* css_class(const Row& row, std::size_t cell) {
  if (!row.problems[cell].empty()) return "failed";
  const std::uint64_t best = bound_of(row);
  const std::uint64_t value = row.values[cell];
  return value <= best ? "optimal" : 5 * value <= 6 * best ? "near" : value < 2 * best ? "gap" : "far";
}

std::string html_of(const std::vector<Row>& rows, const std::vector<int>& depths) {
  std::string text = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Finite queues on fat trees</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem; padding: 0 1rem; color: #1b1f24; background: #fff; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .6rem; }
p, li { max-width: 60rem; }
table { border-collapse: separate; border-spacing: 2px; font-variant-numeric: tabular-nums; }
th { text-align: right; font-weight: 600; padding: .25rem .6rem; }
td { text-align: right; padding: .25rem .6rem; border-radius: 3px; min-width: 3.5rem; }
th.name, td.name { text-align: left; white-space: nowrap; }
.optimal { background: #b7e4c7; } .near { background: #fdf0b0; } .gap { background: #fbd38d; } .far { background: #f4a582; }
.failed { background: #b00020; color: #fff; }
.legend span { padding: .15rem .6rem; border-radius: 3px; margin-right: .4rem; white-space: nowrap; }
</style>
</head>
<body>
<h1>Finite queues on fat trees</h1>
)";
  text += fmt::format("<p>Steps on the hardware with queues of Q packets. {}.</p>\n<ul>\n",
                      markup_escaped(kOrganisation));
  for (const Credits& credits : kCredits)
    text += fmt::format("<li><b>{}</b>: {}.</li>\n", credits.name, markup_escaped(credits.meaning));
  text +=
      "</ul>\n<p class=\"legend\"><span class=\"optimal\">the bound</span><span class=\"near\">at most a "
      "fifth "
      "above</span><span class=\"gap\">less than twice</span><span class=\"far\">twice or more</span></p>\n";
  const Row* before = nullptr;
  for (const Row& row : rows) {
    if (before == nullptr || before->graph.spelling() != row.graph.spelling()) {
      text += before == nullptr ? "" : "</tbody>\n</table>\n";
      text += fmt::format(
          "<h2>{}</h2>\n<table>\n<thead><tr><th class=\"name\">traffic</th><th "
          "class=\"name\">order</th><th class=\"name\">packets</th><th>bound</th>",
          markup_escaped(one_line(row.graph.spelling())));
      for (const int depth : depths) text += fmt::format("<th>{}</th>", depth_in_words(depth));
      text += "</tr></thead>\n<tbody>\n";
    }
    before = &row;
    text += fmt::format(
        "<tr><td class=\"name\">{}</td><td class=\"name\">{}</td><td class=\"name\">{}</td><td>{}</td>",
        to_string(row.traffic.collective), row.traffic.algorithm, row.credits.name, bound_of(row));
    for (std::size_t c = 0; c < depths.size(); ++c) {
      text += fmt::format("<td class=\"{}\" title=\"{}\">{}</td>", css_class(row, c),
                          markup_escaped(row.problems[c]),
                          row.problems[c].empty() ? std::to_string(row.values[c]) : "failed");
    }
    text += "</tr>\n";
  }
  return text + "</tbody>\n</table>\n</body>\n</html>\n";
}

}  // namespace

std::vector<int> parse_depths(const std::string& text) {
  std::vector<int> depths;
  for (const std::string& word : split(text, ',')) {
    const std::optional<std::uint64_t> depth = parse_decimal(word);
    if (!depth || *depth < 1 || *depth > 4096) {
      throw std::invalid_argument(fmt::format(
          "--depths {}: expected depths of queues such as 1,2,16, each from 1 to 4096", in_quotes(word)));
    }
    depths.push_back(static_cast<int>(*depth));
  }
  return depths;
}

int finite_queue_command(const FiniteQueueOptions& options, VariantStore& store) {
  std::vector<std::string> words = options.topologies;
  if (words.empty()) words = {"fat-tree:2,3", "fat-tree:4,2", "fat-tree:2,5", "fat-tree:4,3"};
  std::vector<int> depths = options.depths;
  if (depths.empty()) depths = {1, 2, 3, 4, 8, 16};
  depths.push_back(0);
  std::vector<Row> rows;
  std::vector<Hardware> wanted;
  for (const std::string& word : words) {
    const Graph graph = make_topology(word);
    if (!fat_tree_shape(graph)) {
      throw std::invalid_argument(
          fmt::format("table finite-queues {}: expected a fat tree such as fat-tree:2,3", in_quotes(word)));
    }
    for (const Traffic& traffic : kTraffic) {
      for (const Credits& credits : kCredits) {
        rows.push_back(make_row(graph, traffic, credits, depths));
        for (const RunRequest& request : rows.back().requests) wanted.push_back(plan_run(request).hardware);
      }
    }
  }
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  build_with_progress(store, wanted);

  const std::size_t cells = rows.size() * depths.size();
  ProgressLine line;
  std::mutex mutex;
  std::atomic<std::size_t> next{0}, done{0};
  const unsigned thread_count = std::max(1U, std::thread::hardware_concurrency());
  const auto worker = [&] {
    NodePool pool(kPooledBytes / thread_count);
    for (std::size_t i = next++; i < cells; i = next++) {
      fill(rows[i / depths.size()], i % depths.size(), store, pool);
      const std::size_t finished = ++done;
      const std::lock_guard guard(mutex);
      line.show(fmt::format("{} of {} runs", finished, cells));
    }
  };
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < thread_count; ++t) threads.emplace_back(worker);
  for (std::thread& thread : threads) thread.join();
  line.clear();

  const Table table = table_of(rows, depths);
  fmt::print("Steps with queues of Q packets. {}.\n", kOrganisation);
  for (const Credits& credits : kCredits) fmt::print("{}: {}.\n", credits.name, credits.meaning);
  fmt::print("\n{}", to_text(table));
  bool all_well = true;
  for (const Row& row : rows) {
    for (std::size_t c = 0; c < depths.size(); ++c) {
      if (row.problems[c].empty()) continue;
      all_well = false;
      fmt::print("failed: {} {} {}, {}, {}: {}\n", one_line(row.graph.spelling()),
                 to_string(row.traffic.collective), row.traffic.algorithm, row.credits.name,
                 depth_in_words(depths[c]), row.problems[c]);
    }
  }
  if (!options.csv.empty()) write_whole_file(options.csv, to_csv(table));
  if (!options.html.empty()) write_whole_file(options.html, html_of(rows, depths));
  return all_well ? 0 : 1;
}

}  // namespace safnet
