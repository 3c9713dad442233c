#include "sim/run/scan_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "cpp_model/algorithm/partial/partial_broadcast_plan.hpp"
#include "sim/scan/scan_packets.hpp"

namespace safnet {
namespace {

// A flit on a link; `value` is set for the first flit of a packet only.
struct Flit {
  std::uint64_t cycle = 0;
  LinkId link = 0;
  bool first = false;
  std::uint64_t value = 0;  // rank or count
  PartialTransferKind kind = PartialTransferKind::kPacking;
};

// The rank in a first flit; of a prefix packet the count.
std::uint64_t value_of(const ScanRequest& request, const ScanResult& result, std::uint64_t flit,
                       PartialTransferKind kind) {
  const DigitCode code{request.network.side(), request.network.digits(),
                       static_cast<std::uint32_t>(result.parameters.digit_width)};
  const auto address = static_cast<std::uint32_t>(result.parameters.address_width());
  const auto remainder = static_cast<std::uint32_t>(result.parameters.remainder_width());
  if (kind >= PartialTransferKind::kPacking)
    return code.decode(ScanPackets::rank_of(flit) & ((std::uint64_t{1} << address) - 1));
  const bool by_class =
      kind == PartialTransferKind::kClassScanForward || kind == PartialTransferKind::kClassScanReverse;
  const std::uint64_t low = flit & ((std::uint64_t{1} << remainder) - 1);
  return low + (by_class ? result.settings.class_count : 1) * code.decode(flit >> remainder);
}

}  // namespace

PartialBroadcastSettings broadcast_settings(const ScanRequest& request) {
  PartialBroadcastSettings s;
  s.flits = static_cast<std::uint32_t>(request.flits);
  s.header_flits = static_cast<std::uint32_t>(request.header_flits);
  s.latency = static_cast<std::uint32_t>(request.link_latency);
  s.split = request.split;
  s.single_class = request.single_class;
  s.alternating = request.alternating;
  s.known_ranks = request.known_ranks;
  return s;
}

void apply(const PartialBroadcastSettings& settings, ScanRequest& request) {
  request.flits = static_cast<int>(settings.flits);
  request.header_flits = static_cast<int>(settings.header_flits);
  request.link_latency = static_cast<int>(settings.latency);
  request.split = settings.split;
  request.single_class = settings.single_class;
  request.alternating = settings.alternating;
  request.known_ranks = settings.known_ranks;
}

std::uint64_t scan_closed_form(const ScanRequest& request) {
  PartialBroadcastSettings settings = broadcast_settings(request);
  const DigitShape& shape = request.network.shape();
  const std::uint64_t active = request.active.size();
  if (has_model(request.collective)) return partial_broadcast_time(shape, settings, active).total();
  settings.single_class = true;
  const PartialBroadcastTime time = partial_broadcast_time(shape, settings, active);
  const std::uint64_t packings = request.collective == CollectiveKind::kPacking           ? 1
                                 : request.collective == CollectiveKind::kMonotoneRouting ? 2
                                                                                          : 0;
  return time.rank_scan + packings * time.packing;
}

std::string compare_with_model(const ScanRequest& request, const ScanResult& result) {
  const bool accumulates = request.collective == CollectiveKind::kPartialMultinodeAccumulation;
  const PartialBroadcastSettings settings = broadcast_settings(request);
  const PartialPlan plan = accumulates
                               ? plan_partial_accumulation(request.network, settings, request.active)
                               : plan_partial_broadcast(request.network, settings, request.active,
                                                        request.pass_on_first ? BroadcastRule::kPassOnFirst
                                                                              : BroadcastRule::kBatches);
  std::vector<Flit> flits;
  for (const PartialTransfer& t : plan.transfers) {
    for (std::uint32_t k = 0; k < t.flits; ++k)
      flits.push_back({t.cycle + k, t.link, k == 0, t.rank, t.kind});
  }
  const Graph& graph = request.network.graph();
  const auto before = [](const Flit& a, const Flit& b) {
    return std::tie(a.cycle, a.link) < std::tie(b.cycle, b.link);
  };
  std::sort(flits.begin(), flits.end(), before);
  std::vector<Flit> seen;
  seen.reserve(result.transfers.size());
  for (const ScanTransfer& t : result.transfers)
    seen.push_back({t.cycle, graph.link(t.node, t.port), false, t.flit});
  std::sort(seen.begin(), seen.end(), before);
  for (std::size_t i = 0; i < std::max(flits.size(), seen.size()); ++i) {
    const auto link = [&](const Flit& flit) {
      return fmt::format("node {} to node {}", graph.node_name(graph.link_source(flit.link)),
                         graph.node_name(graph.link_target(flit.link)));
    };
    if (i >= seen.size() || (i < flits.size() && before(flits[i], seen[i])))
      return fmt::format("cycle {}: no flit from {}, the model sends one", flits[i].cycle, link(flits[i]));
    if (i >= flits.size() || before(seen[i], flits[i]))
      return fmt::format("cycle {}: a flit from {}, the model sends none", seen[i].cycle, link(seen[i]));
    if (!flits[i].first) continue;
    const std::uint64_t found = value_of(request, result, seen[i].value, flits[i].kind);
    if (found != flits[i].value)
      return fmt::format("cycle {}: rank {} from {}, the model has {}", seen[i].cycle, found, link(seen[i]),
                         flits[i].value);
  }
  return {};
}

bool is_compared(const ScanRequest& request) {
  constexpr std::uint64_t kMostCompared = 5'000'000;  // flits
  return has_model(request.collective) && std::uint64_t{request.network.graph().node_count()} *
                                                  (request.active.size() + 1) *
                                                  static_cast<std::uint64_t>(request.flits + 16) <=
                                              kMostCompared;
}

void judge_scan(const ScanRequest& request, ScanResult& result) {
  const std::uint64_t promised = scan_closed_form(request);
  if (result.cycles != promised)
    result.complain("{} cycles, the closed form has {}", result.cycles, promised);
  if (!request.keep_transfers) return;
  if (const std::string difference = compare_with_model(request, result); !difference.empty())
    result.problems.push_back(difference);
}

}  // namespace safnet
