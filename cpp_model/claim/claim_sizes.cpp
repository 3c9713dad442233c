#include "cpp_model/claim/claim_sizes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <set>

#include "cpp_model/bound/largest_bound.hpp"
#include "cpp_model/graph/topology.hpp"

namespace safnet {
namespace {

NodeId nodes_of(const std::string& topology) {
  static std::map<std::string, NodeId> known;
  static std::mutex one_at_a_time;
  const std::scoped_lock lock(one_at_a_time);
  const auto [entry, is_new] = known.try_emplace(topology);
  if (is_new) entry->second = make_topology(topology).node_count();
  return entry->second;
}

// "3", "3 to 9"
template <class Number>
std::string span_of(const std::vector<Number>& numbers) {
  const auto [low, high] = std::ranges::minmax(numbers);
  return low == high ? fmt::format("{}", low) : fmt::format("{} to {}", low, high);
}

// "ring:3, ring:4", "12 networks (mesh, torus), 4 to 64 nodes".
std::string networks_in_words(const std::set<std::string>& topologies) {
  constexpr std::size_t kMostNamed = 4, kMostFamilies = 6, kLongestList = 70;
  const std::string list = fmt::format("{}", fmt::join(topologies, ", "));
  if (topologies.size() <= kMostNamed && list.size() <= kLongestList) return list;
  std::set<std::string> families;
  std::vector<NodeId> nodes;
  for (const std::string& topology : topologies) {
    families.insert(topology.substr(0, topology.find_first_of(":(")));
    nodes.push_back(nodes_of(topology));
  }
  const std::string of = families.size() > kMostFamilies ? fmt::format(" of {} families", families.size())
                                                         : fmt::format(" ({})", fmt::join(families, ", "));
  return fmt::format("{}{}, {} nodes", counted(topologies.size(), "network"), of, span_of(nodes));
}

// "3 cases on ring:3, ring:4".
template <class Case>
std::string on_networks(const std::vector<Case>& list, const char* name) {
  std::set<std::string> topologies;
  for (const Case& each : list) topologies.insert(each.topology);
  return fmt::format("{} on {}", counted(list.size(), name), networks_in_words(topologies));
}

template <class Case, class Member>
std::string span_over(const std::vector<Case>& list, const Member& member) {
  std::vector<std::decay_t<std::invoke_result_t<Member, const Case&>>> values;
  for (const Case& each : list) values.push_back(std::invoke(member, each));
  return span_of(values);
}

std::string in_words(const std::vector<ClaimCase>& cases) {
  const std::string messages = span_over(cases, &ClaimCase::messages);
  return on_networks(cases, "case") + (messages == "1" ? "" : ", M = " + messages);
}
std::string in_words(const std::vector<ClaimCheck>& checks) { return counted(checks.size(), "check"); }
std::string in_words(const std::vector<OnlineCase>& runs) {
  return fmt::format("{}, {} active, packets of {} flits", on_networks(runs, "run"),
                     span_over(runs, [](const OnlineCase& run) { return run.active.size(); }),
                     span_over(runs, [](const OnlineCase& run) { return run.settings.flits; }));
}
std::string in_words(const std::vector<DynamicCase>& runs) {
  return fmt::format("{} of {} packets", on_networks(runs, "dynamic run"),
                     span_over(runs, &DynamicCase::packets));
}

}  // namespace

std::string sizes_of(const Claim& claim, bool full) {
  std::vector<std::string> parts;
  const auto add = [&](const auto& list) {
    if (!list) return;
    if (const auto made = list(full); !made.empty()) parts.push_back(in_words(made));
  };
  add(claim.cases);
  add(claim.online);
  add(claim.dynamic);
  add(claim.checks);
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string all_sizes_of(const Claim& claim) {
  const std::string quick = sizes_of(claim, false), full = sizes_of(claim, true);
  return quick == full ? quick : fmt::format("{}; full: {}", quick, full);
}

}  // namespace safnet
