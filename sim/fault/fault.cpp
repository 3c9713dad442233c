#include "sim/fault/fault.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/node_words.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {

const std::vector<FaultName>& fault_names() {
  using K = FaultKind;
  using N = FaultNeeds;
  static const std::vector<FaultName> names{
      {K::kDeadLink, "dead-link", false, N::kNothing, "nothing crosses the link any more"},
      {K::kSlowLink, "slow-link", false, N::kNothing, "the link takes --delay cycles longer"},
      {K::kDropFlit, "drop-flit", false, N::kNothing, "a flit is lost"},
      {K::kDropPacket, "drop-packet", false, N::kSeveralFlits, "a packet is lost"},
      {K::kRepeatFlit, "repeat-flit", false, N::kNothing, "a flit crosses twice"},
      {K::kRepeatPacket, "repeat-packet", false, N::kSeveralFlits, "a packet crosses twice"},
      {K::kCorruptLabel, "corrupt-label", false, N::kLabels,
       "a bit of what a packet is routed or known by is inverted"},
      {K::kCorruptHeader, "corrupt-header", false, N::kNothing, "another bit of the header is inverted"},
      {K::kCorruptPayload, "corrupt-payload", false, N::kNothing, "a bit of the payload is inverted"},
      {K::kLostCredit, "lost-credit", false, N::kCredits, "a credit is lost"},
      {K::kNoCredits, "no-credits", false, N::kCredits, "credits are lost from then on"},
      {K::kExtraCredit, "extra-credit", false, N::kCredits, "a credit comes that nobody gave"},
      {K::kStuckCredit, "stuck-credit", false, N::kCredits, "a credit comes in every cycle from then on"},
      {K::kLostRequest, "lost-request", false, N::kGrants, "a request is not heard in one cycle"},
      {K::kNoRequests, "no-requests", false, N::kGrants, "requests are not heard from then on"},
      {K::kLostGrant, "lost-grant", false, N::kGrants, "a grant is lost"},
      {K::kNoGrants, "no-grants", false, N::kGrants, "grants are lost from then on"},
      {K::kExtraGrant, "extra-grant", false, N::kGrants, "a grant comes that nobody gave"},
      {K::kStuckGrant, "stuck-grant", false, N::kGrants, "a grant comes in every cycle from then on"},
      {K::kDeadNode, "dead-node", true, N::kNothing, "the node drives and hears nothing any more"},
      {K::kStoppedNode, "stopped-node", true, N::kNothing,
       "the node's clock stops, its wires stay as they are"},
      {K::kResetNode, "reset-node", true, N::kNothing, "the node and its host are reset once"},
  };
  return names;
}

const FaultName& name_of(FaultKind kind) {
  const auto found = std::ranges::find(fault_names(), kind, &FaultName::kind);
  if (found == fault_names().end()) throw std::logic_error("a fault without a name");
  return *found;
}

std::vector<FaultKind> parse_fault_kinds(const std::string& words) {
  std::vector<FaultKind> kinds;
  for (const std::string& word : split(words, ',')) {
    const auto found =
        std::ranges::find_if(fault_names(), [&](const FaultName& name) { return word == name.word; });
    if (found == fault_names().end()) {
      std::vector<std::string> known;
      for (const FaultName& name : fault_names()) known.emplace_back(name.word);
      throw bad_input("--faults {}: expected some of {}", in_quotes(word), fmt::join(known, ", "));
    }
    if (std::ranges::find(kinds, found->kind) == kinds.end()) kinds.push_back(found->kind);
  }
  std::ranges::sort(kinds);
  return kinds;
}

std::string place_in_words(const Fault& fault, const Graph& graph) {
  if (fault.kind == FaultKind::kNone) return "nowhere";
  if (name_of(fault.kind).of_node) return fmt::format("node {}", graph.node_name(fault.node));
  return "link " + link_in_words(graph, graph.link(fault.node, fault.port));
}

}  // namespace safnet
