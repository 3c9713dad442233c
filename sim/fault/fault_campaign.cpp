#include "sim/fault/fault_campaign.hpp"

#include <algorithm>
#include <random>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

const char* needed(FaultNeeds needs) {
  switch (needs) {
    case FaultNeeds::kLabels:
      return "packets with labels or names, which scan_nodes' have not";
    case FaultNeeds::kSeveralFlits:
      return "packets of several flits; here it is drop-flit or repeat-flit";
    case FaultNeeds::kCredits:
      return "nodes with credits, which scan_nodes have not";
    case FaultNeeds::kGrants:
      return "one-port routers with grants";
    case FaultNeeds::kNothing:
      break;
  }
  return "";
}

// `most` of the faults, drawn at random, in the order in which they were.
std::vector<Fault> sample(std::vector<Fault> faults, std::size_t most, std::uint64_t seed) {
  if (faults.size() <= most) return faults;
  std::vector<std::size_t> order(faults.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::mt19937_64 random(seed);
  for (std::size_t i = 0; i < most; ++i) std::swap(order[i], order[i + random() % (order.size() - i)]);
  order.resize(most);
  std::ranges::sort(order);
  std::vector<Fault> drawn;
  for (const std::size_t i : order) drawn.push_back(faults[i]);
  return drawn;
}

// Whether a fault does what one did that began earlier: up to its cycle nothing had been struck.
bool is_same(const FaultTrial& before, const Fault& fault) {
  const Fault& earlier = before.fault;
  return earlier.kind == fault.kind && earlier.node == fault.node && earlier.port == fault.port &&
         (!before.struck || *before.struck >= fault.from);
}

}  // namespace

std::size_t FaultCampaign::count(FaultOutcome outcome) const {
  return static_cast<std::size_t>(std::ranges::count(trials, outcome, &FaultTrial::outcome));
}

std::vector<std::uint32_t> usual_cycles(const SoundRun& sound) {
  std::vector<std::uint32_t> cycles;
  for (const std::uint32_t cycle : {1U, 1 + sound.cycles / 3, 1 + 2 * sound.cycles / 3}) {
    if (cycles.empty() || cycle != cycles.back()) cycles.push_back(cycle);
  }
  return cycles;
}

std::vector<Fault> faults_of(const FaultSubject& subject, const FaultChoice& choice,
                             const std::vector<std::uint32_t>& cycles) {
  const Graph& graph = subject.graph;
  const bool all = !choice.links && !choice.nodes;
  std::vector<Fault> faults;
  for (const FaultName& name : fault_names()) {
    if (!choice.kinds.empty()) {
      if (std::ranges::find(choice.kinds, name.kind) == choice.kinds.end()) continue;
      if (!subject.can_have(name.needs))
        throw bad_input("--faults '{}': expected {}", name.word, needed(name.needs));
    }
    if (!subject.can_have(name.needs)) continue;
    const std::uint64_t places = name.of_node ? graph.node_count() : graph.link_count();
    const std::optional<std::vector<bool>>& chosen = name.of_node ? choice.nodes : choice.links;
    if (!all && !chosen) continue;
    for (std::uint32_t place = 0; place < places; ++place) {
      if (chosen && !(*chosen)[place]) continue;
      for (const std::uint32_t cycle : cycles) {
        if (name.of_node)
          faults.push_back({name.kind, place, 0, cycle});
        else
          faults.push_back({name.kind, graph.link_source(place), graph.link_port(place), cycle});
      }
    }
  }
  if (faults.empty()) {
    throw bad_input("--faults {}: expected faults of what --links and --nodes choose",
                    in_quotes(choice.kinds.empty() ? "" : name_of(choice.kinds.front()).word));
  }
  return faults;
}

FaultCampaign run_campaign(const FaultSubject& subject, const FaultChoice& choice,
                           const HardwareOptions& options,
                           const std::function<void(std::size_t, std::size_t)>& progress) {
  constexpr std::size_t kPoolBytes = std::size_t{1} << 30;
  NodePool pool(kPoolBytes);
  HardwareOptions pooled = options;
  pooled.pool = &pool;
  FaultCampaign campaign;
  campaign.sound = run_without_fault(subject, pooled);
  campaign.cycles = choice.cycles.empty() ? usual_cycles(campaign.sound) : choice.cycles;
  for (const std::uint32_t cycle : campaign.cycles) {
    if (cycle > campaign.sound.cycles)
      throw bad_input("--at {}: expected cycles from 1 to {}, the last of the run", cycle,
                      campaign.sound.cycles);
  }
  FaultSubject framed = subject;
  framed.fields.first_cycle = campaign.sound.scan_cycles + 1;
  std::vector<Fault> faults = faults_of(framed, choice, campaign.cycles);
  campaign.possible = faults.size();
  faults = sample(std::move(faults), choice.most, choice.seed);
  campaign.drawn = faults.size();
  for (const Fault& fault : faults) {
    if (!campaign.trials.empty() && is_same(campaign.trials.back(), fault)) {
      ++campaign.same;
      continue;
    }
    progress(campaign.trials.size() + campaign.same, faults.size());
    campaign.trials.push_back(run_with_fault(framed, fault, campaign.sound, choice.trial, pooled));
  }
  return campaign;
}

}  // namespace safnet
