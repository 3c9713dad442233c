#include "cpp_model/algorithm/torus/relative_sends.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "cpp_model/algorithm/tools/dimensions.hpp"
#include "cpp_model/algorithm/tools/translated_sends.hpp"
#include "cpp_model/transform/plan_from_policy.hpp"

namespace safnet {
namespace {

constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();

// Numbers of sends in the order of their steps.
std::vector<std::size_t> by_step(std::span<const RelativeSend> sends) {
  std::vector<std::size_t> order(sends.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return sends[i].step; });
  return order;
}

}  // namespace

std::optional<TorusNetwork> TorusNetwork::of(const Graph& graph) {
  if (auto torus = MultidimensionalTorus::of(graph)) return TorusNetwork{std::move(*torus), false};
  std::uint32_t n = 0;
  for (const Graph& dimension : dimensions_of(graph)) {
    if (dimension.node_count() != 2 || dimension.max_degree() != 1) return std::nullopt;
    ++n;
  }
  if (graph.node_count() > kMaxNodes) return std::nullopt;
  return TorusNetwork{MultidimensionalTorus(n, 2), true};
}

PortId TorusNetwork::port(std::uint32_t label) const {
  return has_single_links ? label % torus.dimensions() : torus.port_of_label(label);
}

std::uint32_t TorusNetwork::port_count() const {
  return has_single_links ? torus.dimensions() : torus.label_count();
}

std::optional<std::uint32_t> first_shared_port(const TorusNetwork& network,
                                               std::span<const RelativeSend> sends) {
  std::vector<std::uint32_t> last_used(network.port_count(), 0);
  for (const std::size_t i : by_step(sends)) {
    std::uint32_t& last = last_used[network.port(sends[i].label)];
    if (last == sends[i].step) return last;
    last = sends[i].step;
  }
  return std::nullopt;
}

std::uint32_t last_step(std::span<const RelativeSend> sends) {
  std::uint32_t last = 0;
  for (const RelativeSend& send : sends) last = std::max(last, send.step);
  return last;
}

RelativeDeliveries relative_deliveries(const TorusNetwork& network, std::span<const RelativeSend> sends,
                                       std::uint32_t messages) {
  const MultidimensionalTorus& torus = network.torus;
  RelativeDeliveries result;
  std::vector<std::uint32_t> arrived(std::size_t{torus.node_count()} * messages, kNever);
  std::fill_n(arrived.begin(), messages, 0);
  const auto at = [&](NodeId v, std::uint32_t m) -> std::uint32_t& {
    return arrived[std::size_t{v} * messages + m];
  };
  for (const std::size_t i : by_step(sends)) {
    const RelativeSend& send = sends[i];
    if (at(send.at, send.message) >= send.step) ++result.not_there;
    std::uint32_t& there = at(torus.head({send.at, send.label}), send.message);
    if (there != kNever) ++result.again;
    there = std::min(there, send.step);
  }
  result.missing = static_cast<std::uint64_t>(std::count(arrived.begin(), arrived.end(), kNever));
  return result;
}

std::string fault_of_exchange(const TorusNetwork& network, std::span<const RelativeSend> sends,
                              std::uint32_t messages) {
  const MultidimensionalTorus& torus = network.torus;
  struct Place {
    NodeId node = 0;
    std::uint32_t since = 0;
  };
  std::vector<Place> place(std::size_t{torus.node_count()} * messages);
  for (const std::size_t i : by_step(sends)) {
    const RelativeSend& send = sends[i];
    Place& packet = place[std::size_t{send.destination} * messages + send.message];
    if (packet.node != send.at || packet.since >= send.step)
      return fmt::format("step {}: message {} for {} is not at {}", send.step, send.message, send.destination,
                         send.at);
    packet = {torus.head({send.at, send.label}), send.step};
  }
  for (std::size_t i = 0; i < place.size(); ++i) {
    const auto destination = static_cast<NodeId>(i / messages);
    if (place[i].node != destination)
      return fmt::format("message {} for {} stays at {}", i % messages, destination, place[i].node);
  }
  return {};
}

std::string why_not_relative(const Problem& problem, const std::function<bool(const TorusNetwork&)>& takes,
                             const std::string& needs) {
  if (std::string reason = why_not_all_port(problem); !reason.empty()) return reason;
  const Graph& graph = problem.graph;
  const std::uint64_t n = graph.node_count();
  const auto too_many = [&](std::uint64_t sends) -> std::string {
    if (sends <= kMaxPlannedSends) return {};
    return fmt::format("needs a collective of at most {} sends, not {}", kMaxPlannedSends, sends);
  };
  // Every packet makes a hop, at least; a broadcast's for every node.
  if (std::string reason = too_many(problem.messages * n * (n - 1)); !reason.empty()) return reason;
  const auto network = TorusNetwork::of(graph);
  if (!network || !takes(*network)) return needs;
  const bool is_exchange = problem.collective == CollectiveKind::kTotalExchange;
  return is_exchange ? too_many(problem.messages * all_hops(graph)) : std::string();
}

Schedule relative_schedule(const Problem& problem, const std::string& algorithm,
                           std::span<const RelativeSend> sends) {
  const auto network = TorusNetwork::of(problem.graph);
  if (!network) throw std::logic_error("relative_schedule: neither a torus of equal sides nor a cube");
  std::vector<TranslatedHop> hops;
  hops.reserve(sends.size());
  for (const RelativeSend& send : sends)
    hops.push_back({send.step, send.message, send.at, network->port(send.label), send.destination});
  return translated_schedule(problem, algorithm, std::move(hops),
                             [&](NodeId v, NodeId x) { return network->torus.translate(v, x); });
}

Algorithm relative_algorithm(
    const std::string& name, CollectiveKind collective, std::string description,
    std::function<std::optional<std::uint64_t>(const TorusNetwork&, std::uint32_t messages)> steps,
    std::function<std::vector<RelativeSend>(const TorusNetwork&, std::uint32_t messages)> sends) {
  const bool is_exchange = collective == CollectiveKind::kTotalExchange;
  return {
      .name = name,
      .collective = collective,
      .source = is_exchange ? "Fragopoulou and Akl, TR 94-363, 5.5" : "Fragopoulou and Akl, TR 94-363, 5.3",
      .description = std::move(description),
      .domain = "tori of equal sides and doubled cubes, all-port",
      .why_not = [](const Problem& p) { return why_not_relative(p); },
      .closed_form = [steps = std::move(steps)](
                         const Problem& p) { return steps(*TorusNetwork::of(p.graph), p.messages); },
      .plan =
          [sends = std::move(sends), name](const Problem& p) {
            return relative_schedule(p, name, sends(*TorusNetwork::of(p.graph), p.messages));
          },
      .knows_messages = true};
}

}  // namespace safnet
