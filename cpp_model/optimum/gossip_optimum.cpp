#include "cpp_model/optimum/gossip_optimum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include "cpp_model/optimum/gossip_search.hpp"
#include "cpp_model/optimum/gossip_step_bound.hpp"
#include "cpp_model/optimum/random_gossip.hpp"

namespace safnet {
namespace {

// The gossip with one packet of every origin, if all have the same number above one; otherwise none.
Gossip one_message(const Gossip& gossip) {
  Gossip once = gossip;
  const std::set<NodeId> origins(gossip.origin.begin(), gossip.origin.end());
  once.origin.assign(origins.begin(), origins.end());
  std::map<NodeId, std::uint32_t> packets;
  for (const NodeId o : gossip.origin) ++packets[o];
  for (const auto& [origin, count] : packets) {
    if (count != packets.begin()->second || count < 2) once.origin.clear();
  }
  return once;
}

// Repeats the gossip of one message for every message, at the shortest period that ports and links allow.
std::vector<GossipSend> repeated(const Gossip& gossip, const Gossip& once,
                                 const std::vector<GossipSend>& sends) {
  std::map<NodeId, std::vector<std::uint32_t>> own;
  for (std::uint32_t p = 0; p < gossip.packets(); ++p) own[gossip.origin[p]].push_back(p);
  const std::uint32_t messages = gossip.packets() / once.packets();
  for (std::uint32_t period = 1;; ++period) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> links, senders, receivers;  // by step
    std::vector<GossipSend> all;
    bool fits = true;
    for (std::uint32_t m = 0; m < messages && fits; ++m) {
      for (const GossipSend& send : sends) {
        const std::uint32_t step = send.step + m * period;
        const DirectedLink& link = gossip.links[send.link];
        fits = fits && links.emplace(step, send.link).second;
        fits = fits && (senders.emplace(step, link.from).second || !gossip.sends_one);
        fits = fits && (receivers.emplace(step, link.to).second || !gossip.receives_one);
        all.push_back({step, send.link, own[once.origin[send.packet]][m]});
      }
    }
    if (!fits) continue;
    std::sort(all.begin(), all.end());
    return all;
  }
}

// Shapes to look for, in this order: a gossip of a special shape, if there is one, is found sooner.
std::vector<GossipShape> shapes(const Gossip& gossip, const Gossip& once, std::uint32_t steps) {
  std::vector<GossipShape> list;
  for (auto& symmetries : useful_symmetries(gossip)) list.push_back({std::move(symmetries), 0});
  if (once.packets() == 0) return list;
  const std::uint32_t messages = gossip.packets() / once.packets();
  const std::uint64_t least = gossip_step_bound(once).steps;
  constexpr std::uint32_t kPeriods = 3;
  for (std::uint32_t i = 0, period = steps / messages; i < kPeriods && period > 0; ++i, --period) {
    if (steps - (messages - 1) * period >= least) list.push_back({{}, period});
  }
  return list;
}

constexpr std::uint64_t kMostTries = 3'000;

std::string none_of(std::uint32_t steps) { return fmt::format("none of {} steps: exhaustive search", steps); }

std::uint64_t sends_possible(const Gossip& gossip, std::uint32_t steps) {
  return std::uint64_t{gossip.packets()} * gossip.links.size() * steps;
}

std::uint32_t conflicts(const Gossip& gossip, std::uint32_t steps, std::uint64_t effort) {
  const std::uint64_t size = std::uint64_t{gossip.packets()} * gossip.nodes * steps;
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(effort / size, 100, 100'000'000));
}

OptimalGossip optimum_of_passing_routers(const Gossip& gossip, const GossipBudget& budget,
                                         const LowerBound& known) {
  OptimalGossip best;
  best.bound = known;
  const std::vector<GossipShape> shapes_of_one = shapes(gossip, {}, 0);
  auto steps = static_cast<std::uint32_t>(std::max<std::uint64_t>(known.steps, 1));
  // Up to the first number of steps that the solver leaves undecided: those after it seldom take it less
  // time.
  for (; sends_possible(gossip, steps) <= budget.most_passed_on; ++steps) {
    const auto is_found = [&](const GossipShape& shape, std::uint64_t effort) {
      GossipSearchResult result = search_gossip(gossip, steps, conflicts(gossip, steps, effort), shape);
      if (result.answer == SearchAnswer::kImpossible && shape.symmetries.empty())
        best.bound = {steps + 1, none_of(steps), ""};
      best.sends = std::move(result.sends);
      return result.answer == SearchAnswer::kFound;
    };
    if (std::ranges::any_of(shapes_of_one,
                            [&](const GossipShape& shape) { return is_found(shape, budget.shape_effort); }) ||
        is_found({}, budget.effort)) {
      best.steps = steps;
      break;
    }
    if (best.bound.steps <= steps) break;
  }
  return best;
}

}  // namespace

OptimalGossip optimal_gossip(const Gossip& gossip, const GossipBudget& budget, const LowerBound& known) {
  if (!gossip.routers_copy) return optimum_of_passing_routers(gossip, budget, known);
  if (gossip.routers != 0) throw std::invalid_argument("optimal_gossip: routers that copy are not known");
  OptimalGossip best;
  best.bound = gossip_step_bound(gossip);
  const auto keep = [&best](std::vector<GossipSend> sends) {
    if (sends.empty() || (!best.sends.empty() && steps_of(sends) >= best.steps)) return;
    best.sends = std::move(sends);
    best.steps = steps_of(best.sends);
  };
  keep(random_gossip(gossip, best.bound.steps, budget.random_tries));
  if (best.proved()) return best;
  const LowerBound of_sets = sender_sets_bound(gossip, best.bound.steps, best.steps);
  if (of_sets.steps > best.bound.steps) best.bound = of_sets;
  if (best.proved()) return best;
  const std::uint64_t more_tries = budget.random_effort / sends_possible(gossip, best.steps);
  keep(random_gossip(gossip, best.bound.steps, static_cast<std::uint32_t>(std::min(more_tries, kMostTries))));
  if (best.proved()) return best;
  const Gossip once = one_message(gossip);
  if (once.packets() != 0) keep(repeated(gossip, once, optimal_gossip(once, budget).sends));
  for (auto steps = static_cast<std::uint32_t>(best.bound.steps); steps < best.steps; ++steps) {
    if (sends_possible(gossip, steps) > budget.most_sends) break;
    for (const GossipShape& shape : shapes(gossip, once, steps)) {
      GossipSearchResult result =
          search_gossip(gossip, steps, conflicts(gossip, steps, budget.shape_effort), shape);
      if (result.answer == SearchAnswer::kFound) keep(std::move(result.sends));
      if (best.steps <= steps) return best;
    }
    GossipSearchResult result = search_gossip(gossip, steps, conflicts(gossip, steps, budget.effort));
    if (result.answer == SearchAnswer::kFound) {
      keep(std::move(result.sends));
    } else if (result.answer == SearchAnswer::kImpossible && best.bound.steps == steps) {
      best.bound = {steps + 1, none_of(steps), ""};
    }
  }
  return best;
}

}  // namespace safnet
