#include "cpp_model/algorithm/partial/row_column_classes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <tuple>

#include "cpp_model/algorithm/exchange/priority_rules.hpp"
#include "cpp_model/transform/plan_from_policy.hpp"
#include "cpp_model/transform/reverse.hpp"

namespace safnet {
namespace {

constexpr std::uint32_t kRowFirst = 0, kColumnFirst = 1;  // the classes R and C, bit 0 of a label
constexpr std::uint32_t kScanLabels = 4;
// 4096 nodes, 252 levels of rank.
constexpr NodeId kLargestSide = 64;

// A square array, and the numbers of active nodes in its rows and columns.
class Square {
 public:
  Square(const Problem& problem, PriorityRule rule)
      : graph_(problem.graph),
        rule_(rule),
        side_(*square_side(problem.graph)),
        messages_(problem.messages),
        active_(graph_.node_count()),
        row_sum_(side_),
        column_sum_(side_) {
    for (const NodeId v : problem.active) {
      if (v >= active_.size()) continue;  // collective_of() refuses it
      active_[v] = true;
      ++row_sum_[row(v)];
      ++column_sum_[column(v)];
    }
  }

  NodeId row(NodeId v) const { return v / side_; }
  NodeId column(NodeId v) const { return v % side_; }
  bool is_active(NodeId v) const { return active_[v]; }
  std::uint32_t row_sum(NodeId v) const { return row_sum_[row(v)]; }
  std::uint32_t column_sum(NodeId v) const { return column_sum_[column(v)]; }
  std::uint32_t class_of(NodeId v) const { return row_sum(v) > column_sum(v) ? kColumnFirst : kRowFirst; }

  // The tree of a line of nodes: `step` apart, this one at place `at`; the root is the median.
  TreePorts line(NodeId v, NodeId at, NodeId step) const {
    const NodeId median = side_ / 2;
    TreePorts ports;
    const auto add = [&](bool exists, NodeId neighbour, bool is_outward) {
      if (!exists) return;
      (is_outward ? ports.away : ports.towards) |= std::uint64_t{1} << *graph_.port_to(v, neighbour);
    };
    add(at > 0, v - step, at <= median);
    add(at + 1 < side_, v + step, at >= median);
    return ports;
  }

  std::uint32_t longest() const { return 2 * (side_ - 1); }
  std::uint32_t rank_levels() const { return 2 * std::max<std::uint32_t>(2, longest()); }

  TableEntry entry(NodeId v, Label label) const {
    const NodeId to = label / 2;
    TableEntry result;
    if (to >= graph_.node_count()) return result;  // the scan's
    if (to == v) {
      result.deliver = true;
      return result;
    }
    const bool on_row = crosses_row(v, to, label % 2);
    const NodeId step = on_row ? 1 : side_;
    const bool up = on_row ? column(v) < column(to) : row(v) < row(to);
    result.output_mask = port_bit(*graph_.port_to(v, up ? v + step : v - step));
    result.rank = rank(v, to, label % 2, false);
    return result;
  }

  std::vector<Injection> injections(NodeId v, std::uint32_t node_class) const {
    std::vector<Injection> packets;
    if (!active_[v]) return packets;
    const NodeId n = graph_.node_count();
    for (std::uint32_t m = 0; m < messages_; ++m) {
      for (NodeId offset = 1; offset < n; ++offset) {
        const NodeId to = (v + offset) % n;
        packets.push_back({2 * to + node_class, to + m * n, rank(v, to, node_class, true)});
      }
    }
    return packets;
  }

 private:
  bool crosses_row(NodeId v, NodeId to, std::uint32_t packet_class) const {
    if (row(v) == row(to)) return true;
    return column(v) != column(to) && packet_class == kRowFirst;
  }
  // Ranks are {does the class go second on this link, order within the class}.
  std::uint32_t rank(NodeId v, NodeId to, std::uint32_t packet_class, bool own) const {
    const auto distance = [](NodeId a, NodeId b) { return a < b ? b - a : a - b; };
    const bool on_row = crosses_row(v, to, packet_class);
    const bool second = on_row != (packet_class == kRowFirst);
    const std::uint32_t hops = distance(row(v), row(to)) + distance(column(v), column(to));
    return (second ? rank_levels() / 2 : 0) + priority_rank(rule_, hops, longest(), own);
  }

  Graph graph_;
  PriorityRule rule_;
  NodeId side_;
  std::uint32_t messages_;
  std::vector<bool> active_;
  std::vector<std::uint32_t> row_sum_, column_sum_;
};

std::string why_not_classes(const Problem& problem) {
  if (std::string reason = why_not_all_port(problem); !reason.empty()) return reason;
  const std::optional<NodeId> side = square_side(problem.graph);
  if (!side) return "needs a p x p array or torus, such as mesh:4x4";
  if (*side > kLargestSide) return fmt::format("needs a side of at most {}", kLargestSide);
  if (problem.active.empty()) return "needs --active";
  return {};
}

Policy classes_policy(const Problem& problem, PriorityRule rule) {
  const auto square = std::make_shared<const Square>(problem, rule);
  const NodeId n = problem.graph.node_count(), side = *square_side(problem.graph);
  const auto scan = std::make_shared<ClassScan>();
  scan->hops = 2 * (side / 2);  // along a row, or a column, to its median and back (section 4, phase 1)
  scan->row = [square](NodeId v) { return square->line(v, square->column(v), 1); };
  scan->column = [square, side](NodeId v) { return square->line(v, square->row(v), side); };
  scan->is_active = [square](NodeId v) { return square->is_active(v); };
  scan->row_sum = [square](NodeId v) { return square->row_sum(v); };
  scan->column_sum = [square](NodeId v) { return square->column_sum(v); };
  scan->injections = [square](NodeId v, std::uint32_t c) { return square->injections(v, c); };
  Policy policy;
  policy.label_count = 2 * n + kScanLabels;
  policy.rank_levels = square->rank_levels();
  policy.host_packets = (n - 1) * problem.messages;
  policy.queue_bound = 2 * whole_root(problem.active.size()) * (std::uint64_t{n} - side) * problem.messages;
  policy.table = [square](NodeId v, Label label) { return square->entry(v, label); };
  policy.injections = [square](NodeId v) { return square->injections(v, square->class_of(v)); };
  policy.scan = scan;
  return policy;
}

Algorithm classes_algorithm(const std::string& suffix, const std::string& order, PriorityRule rule) {
  return {.name = "row-column-classes" + suffix,
          .collective = CollectiveKind::kPartialExchange,
          .source = "meshes 4",
          .description =
              "nodes count the active nodes of their row and column; packets cross first what has fewer; " +
              order,
          .domain = "p x p arrays and tori, all-port, on-line",
          .why_not = why_not_classes,
          .policy = [rule](const Problem& p) { return classes_policy(p, rule); },
          .closed_form = [](const Problem& p) -> std::optional<std::uint64_t> {
            if (p.messages > 1) return std::nullopt;
            return row_column_classes_bound(*square_side(p.graph), p.active.size());
          },
          .knows_messages = true};
}

}  // namespace

std::optional<NodeId> square_side(const Graph& graph) {
  if (graph.family() != "mesh" && graph.family() != "torus") return std::nullopt;
  const std::vector<Graph>& factors = graph.factors();
  if (factors.size() != 2 || factors[0].node_count() != factors[1].node_count()) return std::nullopt;
  return factors[0].node_count() >= 2 ? std::optional(factors[0].node_count()) : std::nullopt;
}

std::uint64_t whole_root(std::uint64_t active) {
  std::uint64_t root = 0;
  while ((root + 1) * (root + 1) <= active) ++root;
  return root;
}

std::uint64_t row_column_classes_bound(NodeId side, std::uint64_t active) {
  return 2 * whole_root(active) * (std::uint64_t{side} * side - side) + 2 * (side - std::uint64_t{1});
}

std::uint64_t row_column_classes_bound_cycles(NodeId side, std::uint64_t active, std::uint32_t slot_cycles,
                                              std::uint32_t hop_cycles) {
  return row_column_classes_bound(side, active) * slot_cycles + std::uint64_t{side} * hop_cycles;
}

std::vector<NodeId> column_first_nodes(NodeId side, const std::vector<NodeId>& active) {
  std::vector<std::uint32_t> rows(side), columns(side);
  for (const NodeId v : active) {
    ++rows.at(v / side);
    ++columns[v % side];
  }
  std::vector<NodeId> found;
  std::ranges::copy_if(active, std::back_inserter(found),
                       [&](NodeId v) { return rows[v / side] > columns[v % side]; });
  return found;
}

std::vector<Algorithm> row_column_classes_algorithms() {
  std::vector<Algorithm> list;
  for (const auto& [suffix, order, rule] :
       {std::tuple{"", "in a class first in, first out", PriorityRule::kMessageShift},
        std::tuple{"-furthest-first", "in a class the furthest first", PriorityRule::kFurthestFirst},
        std::tuple{"-closest-first", "in a class the closest first", PriorityRule::kClosestFirst}})
    list.push_back(classes_algorithm(suffix, order, rule));

  Algorithm gather = classes_algorithm("", "", PriorityRule::kMessageShift);
  gather.name = "reversed-row-column-classes";
  gather.collective = CollectiveKind::kPartialGather;
  gather.source = "meshes 1, 4";
  gather.description = "what row-column-classes does for a partial exchange, backwards";
  gather.domain = "p x p arrays and tori, all-port";
  gather.policy = {};
  gather.plan = [](const Problem& problem) {
    Problem exchange = problem;
    exchange.collective = CollectiveKind::kPartialExchange;
    Schedule back =
        reverse(plan_from_policy(exchange, classes_policy(exchange, PriorityRule::kMessageShift), ""));
    back.algorithm = "reversed-row-column-classes";
    return back;
  };
  list.push_back(gather);
  return list;
}

}  // namespace safnet
