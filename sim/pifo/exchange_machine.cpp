#include "sim/pifo/exchange_machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace safnet {
namespace {

constexpr int kSumWidth = 16;  // SumWidth of rtl/exchange/exchange_node.sv
constexpr std::uint32_t kSumMask = (1U << kSumWidth) - 1;
constexpr std::uint32_t kScanLabels = 4;  // the last of the label table
constexpr std::size_t kProblemsKept = 20;

}  // namespace

// Sees the scan, then passes the exchange on. Each node's part is touched by the thread of that node alone.
class ExchangeMachine::ScanWatch final : public MachineObserver {
 public:
  ScanWatch(std::uint32_t nodes, MachineObserver* exchange) : nodes_(nodes), exchange_(exchange) {}

  void on_link_flit(NetworkTime now, std::uint32_t node, std::uint32_t port,
                    const std::uint32_t* words) override {
    if (!scanning) {
      if (exchange_ != nullptr) exchange_->on_link_flit(now, node, port, words);
      return;
    }
    ++nodes_[node].flits;
    nodes_[node].last_cycle = now.cycle;
  }
  void on_delivered_flit(NetworkTime now, std::uint32_t node, std::uint32_t port, const std::uint32_t* words,
                         bool last) override {
    if (!scanning) {
      if (exchange_ != nullptr) exchange_->on_delivered_flit(now, node, port, words, last);
      return;
    }
    nodes_[node].told = Told{words[0] & kSumMask, words[0] >> kSumWidth, words[1] & 1};
    ++nodes_[node].times_told;
  }

  struct Told {
    std::uint32_t row_sum, column_sum, node_class;
  };
  struct Node {
    std::uint64_t flits = 0;
    std::uint32_t last_cycle = 0;
    std::uint32_t times_told = 0;
    std::optional<Told> told;
  };
  const std::vector<Node>& nodes() const { return nodes_; }
  void forget() {
    std::fill(nodes_.begin(), nodes_.end(), Node{});
    scanning = true;
  }
  bool scanning = true;

 private:
  std::vector<Node> nodes_;
  MachineObserver* exchange_;
};

ExchangeMachine::ExchangeMachine(const Graph& graph, const NodeParameters& parameters, const Policy& policy,
                                 std::shared_ptr<const Variant> variant, MachineObserver* observer,
                                 const FabricOptions& options)
    : watch_(std::make_unique<ScanWatch>(graph.node_count(), observer)),
      graph_(graph),
      scan_(*policy.scan),
      parameters_(parameters),
      fabric_(graph, parameters, std::move(variant), watch_.get(), options),
      packets_(graph.node_count()) {}
ExchangeMachine::~ExchangeMachine() = default;

void ExchangeMachine::reset() {
  fabric_.reset();
  watch_->forget();
  for (std::vector<HostPacket>& packets : packets_) packets.clear();
}
void ExchangeMachine::write_table(std::uint32_t node, std::uint32_t label, const HardwareTableEntry& entry) {
  fabric_.write_table(node, label, entry);
}
void ExchangeMachine::set_branches(std::uint32_t node, std::uint64_t first_ports) {
  fabric_.set_branches(node, first_ports);
}
void ExchangeMachine::add_host_packets(std::uint32_t node, std::vector<HostPacket> packets) {
  std::move(packets.begin(), packets.end(), std::back_inserter(packets_[node]));
}

// Only the host knows whether it is active; the trees are the array's.
void ExchangeMachine::fill_queues() {
  const auto first = static_cast<std::uint32_t>(parameters_.label_depth) - kScanLabels;
  for (NodeId v = 0; v < graph_.node_count(); ++v) {
    const TreePorts row = scan_.row(v), column = scan_.column(v);
    fabric_.write_table(v, first, {row.towards, scan_.is_active(v), 0, {}, {}});
    fabric_.write_table(v, first + 1, {row.away, false, 0, {}, {}});
    fabric_.write_table(v, first + 2, {column.towards, false, 0, {}, {}});
    fabric_.write_table(v, first + 3, {column.away, false, 0, {}, {}});
  }
  fabric_.fill_queues();
}

void ExchangeMachine::start() {
  // As long as the trees are deep; the last value arrives in the cycle in which time stands still.
  for (std::uint32_t cycle = 0; cycle < expected_scan_cycles(); ++cycle) fabric_.start();
  fabric_.clock();
  fabric_.clock();  // all wires are quiet now
  watch_->scanning = false;
  if (!problems().empty()) return;  // nobody injects without a class
  for (NodeId v = 0; v < graph_.node_count(); ++v)
    fabric_.add_host_packets(v, std::exchange(packets_[v], {}));
  fabric_.fill_queues();
  fabric_.start();
}

NetworkTime ExchangeMachine::clock() { return fabric_.clock(); }
bool ExchangeMachine::finished() const { return fabric_.finished(); }
std::uint64_t ExchangeMachine::progress() const { return fabric_.progress(); }
void ExchangeMachine::set_fault(const LinkFault& fault) { fabric_.set_fault(fault); }
NodeCounters ExchangeMachine::counters(std::uint32_t node) const { return fabric_.counters(node); }
NodeStatus ExchangeMachine::status(std::uint32_t node) const { return fabric_.status(node); }
std::uint32_t ExchangeMachine::packets_with_host(std::uint32_t node) const {
  return static_cast<std::uint32_t>(packets_[node].size()) + fabric_.packets_with_host(node);
}

std::uint32_t ExchangeMachine::expected_scan_cycles() const {
  return scan_.hops * (1 + static_cast<std::uint32_t>(parameters_.link_latency));
}
std::uint32_t ExchangeMachine::scan_cycles() const {
  std::uint32_t last = 0;
  for (const ScanWatch::Node& node : watch_->nodes()) last = std::max(last, node.last_cycle);
  return last + static_cast<std::uint32_t>(parameters_.link_latency);
}
std::uint64_t ExchangeMachine::scan_flits() const {
  std::uint64_t sum = 0;
  for (const ScanWatch::Node& node : watch_->nodes()) sum += node.flits;
  return sum;
}

std::vector<std::string> ExchangeMachine::problems() const {
  std::vector<std::string> found;
  for (NodeId v = 0; v < graph_.node_count() && found.size() < kProblemsKept; ++v) {
    const ScanWatch::Node& node = watch_->nodes()[v];
    const std::uint32_t row = scan_.row_sum(v), column = scan_.column_sum(v);
    const std::uint32_t expected_class = row > column ? 1 : 0;
    if (!node.told) {
      found.push_back(
          fmt::format("node {} was not told the sums of its row and column", graph_.node_name(v)));
    } else if (node.times_told != 1 || node.told->row_sum != row || node.told->column_sum != column ||
               node.told->node_class != expected_class) {
      found.push_back(fmt::format(
          "node {} was told {} times of {} active nodes in its row and {} in its column, class {}; expected "
          "once, {}, {} and class {}",
          graph_.node_name(v), node.times_told, node.told->row_sum, node.told->column_sum,
          node.told->node_class, row, column, expected_class));
    }
  }
  if (scan_cycles() != expected_scan_cycles() && found.size() < kProblemsKept)
    found.push_back(
        fmt::format("the scan took {} cycles; expected {}", scan_cycles(), expected_scan_cycles()));
  return found;
}

}  // namespace safnet
