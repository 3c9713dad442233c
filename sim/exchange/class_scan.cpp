#include "sim/exchange/class_scan.hpp"

#include <algorithm>

#include "cpp_model/graph/text.hpp"
#include "rtl_constants.hpp"
#include "sim/machine/problems.hpp"

namespace safnet {
namespace {

using namespace rtl::exchange_pkg;
constexpr std::uint32_t kSumMask = (1U << kSumWidth) - 1;

}  // namespace

ClassScanWatch::ClassScanWatch(const Graph& graph, const PifoParameters& parameters, const ClassScan& scan,
                               MachineObserver& exchange)
    : graph_(graph), parameters_(parameters), scan_(scan), exchange_(exchange), nodes_(graph.node_count()) {}

std::vector<LabelEntry> ClassScanWatch::labels(NodeId v) const {
  const auto first = static_cast<std::uint32_t>(parameters_.label_depth - kScanLabels);
  const TreePorts row = scan_.row(v), column = scan_.column(v);
  return {{first + kLabelRowTowards, row.towards, scan_.is_active(v)},
          {first + kLabelRowAway, row.away},
          {first + kLabelColumnTowards, column.towards},
          {first + kLabelColumnAway, column.away}};
}

void ClassScanWatch::run(Machine& machine) {
  // The timer's start_i is high for the cycles of the scan; start() makes it high for one. The last value
  // arrives in the cycle after the last of these, in which the network's time stands still.
  for (std::uint32_t cycle = 0; cycle < expected_cycles(); ++cycle) machine.start();
  machine.clock();
  machine.clock();
  scanning_ = false;
}

void ClassScanWatch::on_link_flit(const FlitEvent& flit) {
  if (!scanning_) return exchange_.on_link_flit(flit);
  nodes_[flit.node].last_cycle = flit.now.cycle;
}
void ClassScanWatch::on_delivered_flit(const FlitEvent& flit) {
  if (!scanning_) return exchange_.on_delivered_flit(flit);
  Node& node = nodes_[flit.node];
  node.told = Told{flit.words[0] & kSumMask, flit.words[0] >> kSumWidth, flit.words[1] & 1};
  ++node.times_told;
}

std::uint32_t ClassScanWatch::expected_cycles() const {
  return scan_.hops * (1 + static_cast<std::uint32_t>(parameters_.link_latency));
}
std::uint32_t ClassScanWatch::cycles() const {
  std::uint32_t last = 0;
  for (const Node& node : nodes_) last = std::max(last, node.last_cycle);
  return last + static_cast<std::uint32_t>(parameters_.link_latency);
}

std::vector<std::string> ClassScanWatch::problems() const {
  Problems found;
  for (NodeId v = 0; v < graph_.node_count(); ++v) {
    const Node& node = nodes_[v];
    const std::uint32_t row = scan_.row_sum(v), column = scan_.column_sum(v);
    const std::uint32_t expected_class = row > column ? 1 : 0;
    if (!node.told) {
      found.add("node {} was not told the sums of its row and column", graph_.node_name(v));
    } else if (node.times_told != 1 || node.told->row_sum != row || node.told->column_sum != column ||
               node.told->node_class != expected_class) {
      found.add(
          "node {} was told {} of {} active nodes in its row and {} in its column, class {}; expected "
          "once, {}, {} and class {}",
          graph_.node_name(v), counted(node.times_told, "time"), node.told->row_sum, node.told->column_sum,
          node.told->node_class, row, column, expected_class);
    }
  }
  if (cycles() != expected_cycles())
    found.add("the scan took {}; expected {}", counted(cycles(), "cycle"), expected_cycles());
  return found.lines();
}

}  // namespace safnet
